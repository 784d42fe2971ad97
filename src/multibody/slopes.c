#include "multibody/slopes.h"

// The names of the paper: psid is the rate of S as the parent turns it, psidd that of the
// acceleration; both of a joint with one degree of freedom, where S is at rest in both bodies.
struct sg_tree_slope_body {
    sg_motion S, psid, psidd, v, a;
    sg_inertia I;   // from here on of the body and, later, of all that it carries
    double B[6][6]; // twice the Coriolis matrix: forces by motions
    sg_force f;
};

bool sg_tree_slopes_possible(const sg_tree *tree)
{
    bool possible =
        tree->gravity.kind == SG_GRAVITY_NONE || tree->gravity.kind == SG_GRAVITY_UNIFORM;
    for (int k = 1; possible && k < tree->n_bodies; k++)
        possible = tree->body[k].joint != SG_JOINT_FREE && tree->body[k].joint != SG_JOINT_BALL &&
                   tree->body[k].coriolis == 2.0;
    return possible;
}

static int count_pairs(const sg_tree *tree)
{
    int n = 0;
    for (int k = 1; k < tree->n_bodies; k++)
        for (int i = k; tree->body[k].dof == 1 && i > 0; i = tree->body[i].parent)
            n += tree->body[i].dof;
    return n;
}

sg_status sg_tree_slopes_init(const sg_tree *tree, sg_arena *arena, sg_tree_slopes *slopes)
{
    int n = count_pairs(tree), at = 0;
    *slopes = (sg_tree_slopes){.n = n};
    slopes->low = SG_NEW_ARRAY(arena, int, n + 1);
    slopes->high = SG_NEW_ARRAY(arena, int, n + 1);
    slopes->M = SG_NEW_ARRAY(arena, double, n + 1);
    slopes->low_q = SG_NEW_ARRAY(arena, double, n + 1);
    slopes->low_v = SG_NEW_ARRAY(arena, double, n + 1);
    slopes->high_q = SG_NEW_ARRAY(arena, double, n + 1);
    slopes->high_v = SG_NEW_ARRAY(arena, double, n + 1);
    slopes->body = SG_NEW_ARRAY(arena, sg_tree_slope_body, tree->n_bodies);
    if (arena->failed)
        return SG_ERR_MEMORY;
    for (int k = 1; k < tree->n_bodies; k++)
        for (int i = k; tree->body[k].dof == 1 && i > 0; i = tree->body[i].parent)
            if (tree->body[i].dof == 1) {
                slopes->low[at] = tree->body[k].first;
                slopes->high[at++] = tree->body[i].first;
            }
    return SG_OK;
}

// 2 B x = v x* (I x) - I (v x x) + x x* (I v), column by column.
static void fill_coriolis(sg_tree_slope_body *b)
{
    sg_force momentum = inertia_mul(&b->I, b->v);
    for (int j = 0; j < 6; j++) {
        double unit[6] = {0.0}, column[6];
        unit[j] = 1.0;
        sg_motion x = {v3_from(unit), v3_from(unit + 3)};
        sg_force f = force_cross(b->v, inertia_mul(&b->I, x));
        f = force_sub(f, inertia_mul(&b->I, motion_cross(b->v, x)));
        f = force_add(f, force_cross(x, momentum));
        v3_store(f.n, column);
        v3_store(f.f, column + 3);
        for (int i = 0; i < 6; i++)
            b->B[i][j] = column[i];
    }
}

static sg_force coriolis_mul(const sg_tree_slope_body *b, sg_motion m)
{
    double x[6], y[6] = {0.0};
    v3_store(m.w, x);
    v3_store(m.v, x + 3);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            y[i] += b->B[i][j] * x[j];
    return (sg_force){v3_from(y), v3_from(y + 3)};
}

// transpose(2 B) S: a force vector by its use, to be multiplied with motions.
static sg_force coriolis_tmul(const sg_tree_slope_body *b, sg_motion m)
{
    double x[6], y[6] = {0.0};
    v3_store(m.w, x);
    v3_store(m.v, x + 3);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            y[j] += b->B[i][j] * x[i];
    return (sg_force){v3_from(y), v3_from(y + 3)};
}

// The joint's motion for a rate of one, about the point that r is measured from.
static sg_motion joint_axis(const sg_tree_body *b, const sg_tree_link *l, sg_vec3 r)
{
    if (b->dof == 0)
        return (sg_motion){V3_ZERO, V3_ZERO};
    sg_motion turns = {l->axis, v3_cross(r, l->axis)}, slides = {V3_ZERO, l->axis};
    if (b->moves == SG_MOVE_TURNS)
        return turns;
    return b->moves == SG_MOVE_SLIDES ? slides : motion_add(turns, motion_scale(slides, b->lead));
}

// Velocities, accelerations and forces from the world to the leaves.
static void go_out(const sg_tree *tree, const sg_tree_state *s, const double *a,
                   sg_tree_slope_body *body)
{
    sg_vec3 g = tree->gravity.kind == SG_GRAVITY_UNIFORM ? tree->gravity.g : V3_ZERO;
    sg_vec3 origin = s->link[tree->n_bodies > 1 ? 1 : 0].world.r;
    body[0] = (sg_tree_slope_body){.a = {V3_ZERO, v3_neg(g)}};
    for (int k = 1; k < tree->n_bodies; k++) {
        const sg_tree_body *joint = &tree->body[k];
        const sg_tree_slope_body *up = &body[joint->parent];
        sg_tree_slope_body *b = &body[k];
        sg_vec3 r = v3_sub(s->link[k].world.r, origin);
        double rate = joint->dof ? s->v[joint->first] : 0.0;
        b->S = joint_axis(joint, &s->link[k], r);
        b->psid = motion_cross(up->v, b->S);
        b->psidd = motion_add(motion_cross(up->a, b->S), motion_cross(up->v, b->psid));
        b->v = motion_add(up->v, motion_scale(b->S, rate));
        b->a = motion_add(up->a, motion_scale(b->S, joint->dof ? a[joint->first] : 0.0));
        b->a = motion_add(b->a, motion_scale(b->psid, rate));
        b->I = inertia_shift(sg_tree_world_inertia(tree, s, k), r);
        b->f = force_add(inertia_mul(&b->I, b->a), force_cross(b->v, inertia_mul(&b->I, b->v)));
        fill_coriolis(b);
    }
}

static void hand_on(const sg_tree_slope_body *b, sg_tree_slope_body *up)
{
    up->I = inertia_add(up->I, b->I);
    up->f = force_add(up->f, b->f);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            up->B[i][j] += b->B[i][j];
}

void sg_tree_slopes_fill(const sg_tree *tree, const sg_tree_state *s, const double *a,
                         sg_tree_slopes *slopes)
{
    sg_tree_slope_body *body = slopes->body;
    go_out(tree, s, a, body);
    for (int k = tree->n_bodies - 1; k > 0; k--)
        hand_on(&body[k], &body[tree->body[k].parent]);
    int at = 0;
    for (int k = 1; k < tree->n_bodies; k++) {
        const sg_tree_slope_body *b = &body[k];
        if (tree->body[k].dof == 0)
            continue;
        sg_force u = inertia_mul(&b->I, b->S), c = coriolis_tmul(b, b->S);
        sg_motion twice = motion_scale(b->psid, 2.0);
        sg_force by_q = force_add(coriolis_mul(b, b->psid), inertia_mul(&b->I, b->psidd));
        by_q = force_add(by_q, force_cross(b->S, b->f));
        sg_force by_v = force_add(coriolis_mul(b, b->S), inertia_mul(&b->I, twice));
        for (int i = k; i > 0; i = tree->body[i].parent) {
            const sg_tree_slope_body *h = &body[i];
            if (tree->body[i].dof == 0)
                continue;
            slopes->M[at] = spatial_dot(h->S, u);
            slopes->low_q[at] = spatial_dot(h->psid, c) + spatial_dot(h->psidd, u);
            slopes->low_v[at] = spatial_dot(h->S, c) + 2.0 * spatial_dot(h->psid, u);
            slopes->high_q[at] = spatial_dot(h->S, by_q);
            slopes->high_v[at++] = spatial_dot(h->S, by_v);
        }
    }
}
