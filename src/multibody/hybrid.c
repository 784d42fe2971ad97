#include "multibody/hybrid.h"

#include "multibody/articulated.h"

#include <string.h>

static void sort_coordinates(const sg_tree *tree, const int *bodies, int n, sg_tree_split *split)
{
    for (int k = 0; k < tree->n_bodies; k++)
        split->column[k] = -1;
    for (int j = 0; j < n; j++) {
        split->body[j] = bodies[j];
        split->column[bodies[j]] = j;
        split->given[split->n_given++] = tree->body[bodies[j]].first;
    }
    for (int k = 1; k < tree->n_bodies; k++)
        for (int d = 0; d < tree->body[k].dof && split->column[k] < 0; d++)
            split->inner[split->n_inner++] = tree->body[k].first + d;
}

sg_status sg_tree_split_init(const sg_tree *tree, const int *bodies, int n, sg_arena *arena,
                             sg_tree_split *split)
{
    size_t dof = (size_t)tree->n_dof, n_bodies = (size_t)tree->n_bodies;
    *split = (sg_tree_split){0};
    split->given = SG_NEW_ARRAY(arena, int, dof + 1);
    split->inner = SG_NEW_ARRAY(arena, int, dof + 1);
    split->body = SG_NEW_ARRAY(arena, int, n + 1);
    split->column = SG_NEW_ARRAY(arena, int, n_bodies);
    split->zero = SG_NEW_ARRAY(arena, double, dof + 1);
    split->a = SG_NEW_ARRAY(arena, double, dof + 1);
    if (arena->failed)
        return SG_ERR_MEMORY;
    sort_coordinates(tree, bodies, n, split);
    if (n == 0)
        return SG_OK;
    if (split->n_inner == 0) {
        split->h = SG_NEW_ARRAY(arena, double, dof);
        split->M = SG_NEW_ARRAY(arena, double, dof *dof);
        return arena->failed ? SG_ERR_MEMORY : SG_OK;
    }
    size_t inner = (size_t)split->n_inner, given = (size_t)split->n_given;
    split->columns = SG_NEW_ARRAY(arena, double, inner *given);
    split->bias = SG_NEW_ARRAY(arena, double, inner);
    split->p = SG_NEW_ARRAY(arena, sg_force, n_bodies);
    split->U = SG_NEW_ARRAY(arena, sg_force, n_bodies);
    split->sp = SG_NEW_ARRAY(arena, double, n_bodies);
    return arena->failed ? SG_ERR_MEMORY : SG_OK;
}

// From the leaves to the world: inertias and forces at rest of the given joints.
static bool articulate(const sg_tree *tree, sg_tree_state *s, sg_tree_split *split, int *bad_body)
{
    for (int k = tree->n_bodies - 1; k > 0; k--) {
        const sg_tree_body *b = &tree->body[k];
        const sg_tree_link *l = &s->link[k];
        sg_tree_work *w = &s->work[k];
        sg_articulated a = articulated_gather(tree, s, k);
        *bad_body = k;
        if (split->column[k] >= 0) {
            split->U[k] = joint_inertia(b, l, &a);
            split->sp[k] = joint_felt(b, l, a.p);
        } else if (b->joint == SG_JOINT_FREE) {
            w->below = a;
            a = (sg_articulated){0};
        } else if (b->dof == 1) {
            if (!articulated_give_way(b, l, 0.0, 0.0, &a, w))
                return false;
        }
        if (b->parent > 0)
            articulated_hand_on(tree, s, k, &a);
    }
    return true;
}

// From the world to the leaves: what all bodies gain when given joint `unit` (-1: none) accelerates
// by one, and w->u, w->below.p and sp hold the forces. Inner accelerations go to split->a.
static sg_status accelerate(const sg_tree *tree, sg_tree_state *s, const sg_tree_split *split,
                            int unit, double *tau, int *bad_body)
{
    for (int k = 1; k < tree->n_bodies; k++) {
        const sg_tree_body *b = &tree->body[k];
        const sg_tree_link *l = &s->link[k];
        sg_tree_work *w = &s->work[k];
        sg_motion carried = arm_to_child(l->arm, s->work[b->parent].gain);
        int j = split->column[k];
        w->gain = carried;
        if (j >= 0) {
            // sp of the accelerating joint itself holds its own inertia already.
            tau[j] = split->sp[k] + spatial_dot(carried, split->U[k]);
            if (j == unit)
                w->gain = joint_moved(b, l, carried, 1.0);
        } else if (b->joint == SG_JOINT_FREE) {
            *bad_body = k;
            if (articulated_solve(&w->below, force_scale(split->p[k], -1.0), &w->gain))
                return SG_ERR_INPUT;
            joint_free_solve(l, motion_sub(w->gain, carried), split->a + b->first);
        } else if (b->dof == 1) {
            double x = (w->u - spatial_dot(carried, w->U)) * w->inverse_D;
            split->a[b->first] = x;
            w->gain = joint_moved(b, l, carried, x);
        }
    }
    return SG_OK;
}

// The forces that one given joint's acceleration alone brings about, up to the world.
static void push_upward(const sg_tree *tree, sg_tree_state *s, sg_tree_split *split, int unit)
{
    for (int k = 1; k < tree->n_bodies; k++) {
        split->p[k] = (sg_force){V3_ZERO, V3_ZERO};
        split->sp[k] = s->work[k].u = 0.0;
    }
    int k = split->body[unit];
    sg_force p = split->U[k];
    split->sp[k] = joint_felt(&tree->body[k], &s->link[k], p);
    for (p = arm_to_parent(s->link[k].arm, p), k = tree->body[k].parent; k > 0;
         p = arm_to_parent(s->link[k].arm, p), k = tree->body[k].parent) {
        const sg_tree_body *b = &tree->body[k];
        sg_tree_work *w = &s->work[k];
        if (split->column[k] >= 0) {
            split->sp[k] = joint_felt(b, &s->link[k], p);
        } else if (b->joint == SG_JOINT_FREE) {
            split->p[k] = p;
            return; // nothing reaches the parent
        } else if (b->dof == 1) {
            w->u = -joint_felt(b, &s->link[k], p);
            p = force_add(p, force_scale(w->U, w->u * w->inverse_D));
        }
    }
}

static void keep_inner(const sg_tree_split *split, double *to)
{
    for (int i = 0; i < split->n_inner; i++)
        to[i] = split->a[split->inner[i]];
}

// Everything is given: recursive Newton-Euler and composite bodies.
static void terms_of_all(const sg_tree *tree, sg_tree_state *s, const sg_tree_split *split,
                         double *h, double *M)
{
    size_t n = (size_t)split->n_given, dof = (size_t)tree->n_dof;
    sg_tree_inverse(tree, s, split->zero, split->h);
    sg_tree_mass_matrix(tree, s, split->M);
    for (size_t i = 0; i < n; i++) {
        const double *row = split->M + (size_t)split->given[i] * dof;
        h[i] = split->h[split->given[i]];
        for (size_t j = 0; j < n; j++)
            M[i * n + j] = row[split->given[j]];
    }
}

sg_status sg_tree_split_terms(const sg_tree *tree, sg_tree_state *s, sg_tree_split *split,
                              double *h, double *M, int *bad_body)
{
    *bad_body = 0;
    if (split->n_given == 0)
        return SG_OK;
    if (split->n_inner == 0) {
        terms_of_all(tree, s, split, h, M);
        return SG_OK;
    }
    if (!articulate(tree, s, split, bad_body))
        return SG_ERR_INPUT;
    for (int k = 1; k < tree->n_bodies; k++)
        split->p[k] = s->work[k].below.p; // of interest for free joints only
    sg_status status = accelerate(tree, s, split, -1, h, bad_body);
    keep_inner(split, split->bias);
    for (int j = 0; j < split->n_given && !status; j++) {
        push_upward(tree, s, split, j);
        // M is symmetric, so a column may stand as a row.
        status = accelerate(tree, s, split, j, M + (size_t)j * (size_t)split->n_given, bad_body);
        keep_inner(split, split->columns + (size_t)j * (size_t)split->n_inner);
    }
    return status;
}

sg_status sg_tree_split_finish(const sg_tree *tree, sg_tree_state *s, const sg_tree_split *split,
                               const double *a_given, double *a, int *bad_body)
{
    *bad_body = 0;
    if (split->n_given == 0)
        return sg_tree_forward(tree, s, split->zero, a, bad_body);
    size_t inner = (size_t)split->n_inner;
    for (int j = 0; j < split->n_given; j++)
        a[split->given[j]] = a_given[j];
    for (size_t i = 0; i < inner; i++) {
        double sum = split->bias[i];
        for (int j = 0; j < split->n_given; j++)
            sum += split->columns[(size_t)j * inner + i] * a_given[j];
        a[split->inner[i]] = sum;
    }
    return SG_OK;
}
