// For the tests of this folder: a system made of an array of objects, with room for its states,
// and motion in fixed steps.
#pragma once

#include "base/diags.h"
#include "harness/sg_test_math.h"
#include "harness/sg_test_steps.h"
#include "multibody/dynamics.h"
#include "multibody/element.h"

#include <string.h>

// Each test uses a part of these helpers.
#pragma GCC diagnostic ignored "-Wunused-function"

#define MAX_DOF 128
#define MAX_STATES (2 * MAX_DOF + 2)

typedef struct system_fixture {
    sg_arena arena;
    sg_diags diags;
    sg_status status;
    sg_tree *tree;
    sg_tree_state s;
    double x[MAX_STATES]; // q, v, energy lost, energy given
    double *q, *v;        // in x
    double time;
    int switches; // of angle sequences
    sg_force_element element[4];
    sg_force_values values[4];
    int n_elements;
} system_fixture;

static const sg_gravity earth = {.kind = SG_GRAVITY_UNIFORM, .g = {0.0, -9.81, 0.0}};
static const sg_gravity nothing = {.kind = SG_GRAVITY_NONE};

// All that allocates is dropped by `drop`, also if this fails.
static bool build(system_fixture *f, const sg_tree_object *objects, int n, sg_gravity gravity)
{
    memset(f, 0, sizeof *f);
    sg_arena_init(&f->arena, sg_allocator_default());
    sg_diags_init(&f->diags, sg_allocator_default());
    f->status = sg_tree_build(objects, n, gravity, &f->arena, &f->diags, &f->tree);
    if (f->status != SG_OK || f->tree->n_dof > MAX_DOF)
        return false;
    f->q = f->x;
    f->v = f->x + f->tree->n_dof;
    return sg_tree_state_init(f->tree, &f->arena, &f->s) == SG_OK;
}

static void drop(system_fixture *f)
{
    sg_diags_destroy(&f->diags);
    sg_arena_destroy(&f->arena);
}

static sg_tree_object world(void)
{
    return (sg_tree_object){.name = "world", .parent = -1, .place = POSE_IDENTITY};
}

// Coordinates and velocities between -1 and 1 times these.
static void random_state(system_fixture *f, sg_rng *rng, double q, double v)
{
    for (int i = 0; i < f->tree->n_dof; i++) {
        f->q[i] = sg_rng_uniform(rng, -q, q);
        f->v[i] = sg_rng_uniform(rng, -v, v);
    }
}

// Without forces in the joints, under the force elements.
static void derivative(void *fixture_, double time, const double *x, double *dx)
{
    system_fixture *f = fixture_;
    double tau[MAX_DOF] = {0};
    int n = f->tree->n_dof, bad;
    sg_tree_kinematics(f->tree, &f->s, x, x + n);
    sg_tree_clear_applied(f->tree, &f->s);
    SG_CHECK(sg_force_elements_apply(f->tree, &f->s, f->element, f->values, f->n_elements, time,
                                     NULL, &bad) == SG_OK);
    sg_force_element_power power = sg_force_elements_power(f->element, f->values, f->n_elements);
    sg_tree_rates(f->tree, &f->s, dx);
    SG_CHECK(sg_tree_forward(f->tree, &f->s, tau, dx + n, &bad) == SG_OK);
    dx[2 * n] = power.lost;
    double size;
    dx[2 * n + 1] = sg_tree_push_power(f->tree, &f->s, &size) + power.stored + power.lost;
}

static void evaluate(system_fixture *f)
{
    double dx[MAX_STATES];
    derivative(f, f->time, f->x, dx);
}

// Afterwards everything is evaluated at the new point.
static void step(system_fixture *f, double h)
{
    sg_test_step(derivative, f, f->time, h, f->x, 2 * f->tree->n_dof + 2);
    f->time += h;
    f->switches += sg_tree_switch_sequences(f->tree, &f->s, f->x);
    evaluate(f);
}
