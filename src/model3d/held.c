// A part with its accelerations held, for implicit methods (sim/trees.h).
#include "model3d/held.h"

#include "model3d/loop_groups.h"
#include "model3d/segment.h"
#include "multibody/slopes.h"
#include "parts/coupling.h"

#include <string.h>

struct sg_part_held {
    sg_tree_slopes slopes;
    sg_var_id *q, *v; // by joint
    bool *given;
    int *element, *low, *high; // low and high in joints instead of coordinates
    double *a, *rotor;         // by joint
};

// Everything that moves is a joint with one degree of freedom that the equations see, all torques
// are known to forward dynamics, no force acts between objects, and equations name nothing of them.
static bool can_be_held(const sg_part *part)
{
    bool can = part->segment.tree && sg_tree_slopes_possible(part->segment.tree) &&
               !part->records.frees.len && !part->records.hinges.len && !part->segment.n_resting &&
               !part->segment.loops && (!part->built.n_given || part->built.inside) &&
               !sg_ports_open(&part->built.ports) &&
               part->built.joints.len == (size_t)part->segment.tree->n_dof;
    for (size_t i = 0; can && i < part->records.actors.len; i++)
        can = !part->records.actors.data[i].apply;
    return can;
}

static bool allocate(sg_part_state *s)
{
    const sg_part *part = s->part;
    sg_arena *arena = &s->arena;
    size_t n = part->built.joints.len;
    struct sg_part_held *h = SG_NEW(arena, struct sg_part_held);
    if (!h || sg_tree_slopes_init(part->segment.tree, arena, &h->slopes) != SG_OK)
        return false;
    h->q = SG_NEW_ARRAY(arena, sg_var_id, n + 1);
    h->v = SG_NEW_ARRAY(arena, sg_var_id, n + 1);
    h->given = SG_NEW_ARRAY(arena, bool, n + 1);
    h->element = SG_NEW_ARRAY(arena, int, n + 1);
    h->low = SG_NEW_ARRAY(arena, int, h->slopes.n + 1);
    h->high = SG_NEW_ARRAY(arena, int, h->slopes.n + 1);
    h->a = SG_NEW_ARRAY(arena, double, n + 1);
    h->rotor = SG_NEW_ARRAY(arena, double, n + 1);
    int *joint_of = SG_NEW_ARRAY(arena, int, n + 1), given = 0, others = 0;
    if (arena->failed)
        return false;
    for (size_t j = 0; j < n; j++) {
        const sg_part_joint *joint = &part->built.joints.data[j];
        joint_of[joint->first] = (int)j;
        h->q[j] = part->built.coupling->joints[j].q[0];
        h->v[j] = part->built.coupling->joints[j].v[0];
        h->given[j] = joint->flange;
        h->element[j] = joint->flange ? given++ : others++;
    }
    for (int p = 0; p < h->slopes.n; p++) {
        h->low[p] = joint_of[h->slopes.low[p]];
        h->high[p] = joint_of[h->slopes.high[p]];
    }
    s->held = h;
    return true;
}

static bool shape(void *context, sg_sim_tree_shape *out)
{
    sg_part_state *s = context;
    const sg_part *part = s->part;
    if (!can_be_held(part) || (!s->held && !allocate(s)))
        return false;
    const struct sg_part_held *h = s->held;
    *out = (sg_sim_tree_shape){.n_joints = (int)part->built.joints.len,
                               .q = h->q,
                               .v = h->v,
                               .given = h->given,
                               .element = h->element,
                               .n_given = (int)part->built.n_given,
                               .n_pairs = h->slopes.n,
                               .low = h->low,
                               .high = h->high};
    return true;
}

static void hold(void *context, sg_sim_tree_values *values)
{
    sg_part_state *s = context;
    const sg_part *part = s->part;
    struct sg_part_held *h = s->held;
    sg_tree_slopes *d = &h->slopes;
    sg_tree_slopes_fill(part->segment.tree, &s->tree, s->a, d);
    for (size_t j = 0; j < part->built.joints.len; j++) {
        h->a[j] = s->a[part->built.joints.data[j].first];
        h->rotor[j] = s->rotor[part->built.joints.data[j].first];
    }
    *values = (sg_sim_tree_values){h->a, h->rotor, d->M, d->low_q, d->low_v, d->high_q, d->high_v};
    s->is_held = true;
}

static void release(void *context) { ((sg_part_state *)context)->is_held = false; }

static const sg_sim_tree_joint *joints(void *context, uint32_t *n)
{
    const sg_part *part = ((const sg_part_state *)context)->part;
    *n = (uint32_t)part->built.joints.len;
    return part->segment.joint_groups;
}

static bool variable(void *context, uint32_t i, sg_var_id *var, sg_sim_tree_kind *kind)
{
    const sg_part *part = ((const sg_part_state *)context)->part;
    if (i / 2 >= part->built.joints.len)
        return false;
    sg_joint_kind joint = part->built.joints.data[i / 2].kind;
    const sg_coupling_joint *seen = &part->built.coupling->joints[i / 2];
    bool single = joint == SG_JOINT_REVOLUTE || joint == SG_JOINT_PRISMATIC;
    bool turns = joint == SG_JOINT_REVOLUTE, speed = i % 2;
    *var = !single ? (sg_var_id){0} : speed ? seen->v[0] : seen->q[0];
    *kind =
        turns ? (speed ? SG_TREE_TURNING : SG_TREE_ANGLE) : (speed ? SG_TREE_SLIDING : SG_TREE_WAY);
    return true;
}

static bool senses(void *context, sg_sim_tree_senses *out)
{
    const sg_part *part = ((const sg_part_state *)context)->part;
    if (part->segment.senses)
        *out = *part->segment.senses;
    return part->segment.senses != NULL;
}

sg_sim_tree sg_part_tree(const sg_part *part)
{
    const sg_func_id *function = part->built.coupling->function;
    return (sg_sim_tree){.context = part->run,
                         .terms = function[SG_PART_TERMS].i,
                         .matrix = function[SG_PART_MATRIX].i,
                         .accelerations = function[SG_PART_ACCELERATIONS].i,
                         .forward = function[SG_PART_FORWARD].i,
                         .motion = function[SG_PART_MOTION].i,
                         .senses = senses,
                         .variable = variable,
                         .joints = joints,
                         .loop_joints = sg_part_loop_joints,
                         .loops = sg_part_loop_ends,
                         .shape = shape,
                         .hold = hold,
                         .release = release};
}

sg_status sg_part_evaluate_held(const sg_part_state *s, sg_part_function kind,
                                const sg_extern_call *call)
{
    const sg_part *part = s->part;
    uint32_t n = part->built.n_given;
    double *result = call->results[0].data;
    memset(result, 0, sg_dims_count(sg_part_result_shape(part, kind)) * sizeof *result);
    for (uint32_t j = 0; kind == SG_PART_FORWARD && j < n; j++) {
        result[j] = *call->args[1 + j].data;
        if (call->n_args > 1 + n)
            result[j] -= *call->args[1 + n + j].data * s->a[s->split.given[j]];
    }
    return SG_OK;
}
