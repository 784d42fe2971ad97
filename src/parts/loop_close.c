#include "parts/loop_close.h"

#include "math/rotation.h"
#include "multibody/loop_facing.h"
#include "parts/loops.h"

#include <float.h>
#include <math.h>

enum { MAX_STEPS = 5, MAX_START_STEPS = 100 };
// Gaps are relative to how far from the origins of world and bodies the points are. A loop counts
// as closed within a few roundings.
#define CLOSED (16.0 * DBL_EPSILON)
// At the start no step turns a joint by more [rad], nor shifts it by more of what the points are
// away.
#define LONGEST_STEP 0.3
// Turns of a free body that are longer [rad] do not take its angles for linear where the cosine of
// the second one is less.
#define LONG_TURN 0.05
#define STEEP 0.5

void sg_loops_place(sg_part_state *s, bool all)
{
    sg_loop_state *t = &s->loops->loops;
    sg_tree_kinematics(s->part->segment.tree, &s->tree, s->q, s->v);
    if (all) {
        sg_tree_loops_place(&s->tree, s->part->segment.loops->tree, t);
        sg_tree_loops_face(&s->tree, s->part->segment.loops->tree, t);
    } else {
        sg_tree_loops_place_rows(&s->tree, s->part->segment.loops->tree, t, t->active, t->n_active);
    }
}

sg_status sg_loops_factor(sg_part_state *s, const bool *locked, sg_closing how)
{
    int bad_body;
    const sg_tree *tree = s->part->segment.tree;
    const sg_tree_loops *loops = s->part->segment.loops->tree;
    struct sg_part_loop_state *t = s->loops;
    double least = how == SG_CLOSING_NEAR ? SG_LOOPS_FOR_ACCELERATIONS : SG_LOOPS_FOR_STATES;
    sg_status status = sg_tree_forward_up(tree, &s->tree, t->zero, NULL, locked, &bad_body);
    if (status == SG_OK && how == SG_CLOSING_START)
        sg_tree_loops_select(tree, &s->tree, loops, &t->loops, locked);
    else if (status == SG_OK)
        sg_tree_loops_factor(tree, &s->tree, loops, &t->loops, locked, least, 0.0);
    return status;
}

// Angles of a free body after a turn by a vector that is resolved in it. Where their rates are
// large a long turn is not linear in them.
static sg_vec3 turn_angles(const sg_tree_turn *from, sg_vec3 turn, double factor)
{
    sg_vec3 angles = v3_from(from->angles);
    double length = v3_norm(turn);
    if (fabs(factor) * length < LONG_TURN || fabs(cos(angles.y)) > STEEP)
        return v3_add_scaled(angles, m3_mul_v(&from->rates, turn), factor);
    sg_mat3 R = m3_mul(rot_axis(v3_scale(turn, 1.0 / length), factor * length), from->R);
    return from->xzy ? rot_132_from(&R, angles.z) : rot_123_from(&R, angles.z);
}

void sg_loops_shift(sg_part_state *s, const double *step, double factor)
{
    const sg_tree *tree = s->part->segment.tree;
    double *q = s->q;
    for (int k = 1; k < tree->n_bodies; k++) {
        const sg_tree_body *b = &tree->body[k];
        const double *d = step + b->first;
        if (b->joint == SG_JOINT_FREE) {
            const sg_tree_turn *from = sg_tree_turn_of(&s->tree, k, q + b->first + 3);
            v3_store(v3_add_scaled(v3_from(q + b->first), v3_from(d), factor), q + b->first);
            v3_store(turn_angles(from, v3_from(d + 3), factor), q + b->first + 3);
        } else if (b->joint == SG_JOINT_BALL) {
            const sg_tree_turn *from = sg_tree_turn_of(&s->tree, k, q + b->first);
            v3_store(turn_angles(from, v3_from(d), factor), q + b->first);
        } else if (b->dof == 1 && b->joint != SG_JOINT_BALL_REST) {
            q[b->first] += factor * d[0];
        }
    }
}

double sg_loops_speed(const sg_part_state *s)
{
    const sg_tree *tree = s->part->segment.tree;
    double most = 0.0;
    for (int k = 1; k < tree->n_bodies; k++)
        for (int d = 0; d < tree->body[k].dof; d++) {
            bool turns = (tree->body[k].dof == 1 && tree->body[k].moves != SG_MOVE_SLIDES) || d > 2;
            double size = turns ? 1.0 : s->part->segment.loops->tree->length;
            most = fmax(most, fabs(s->v[tree->body[k].first + d]) / size);
        }
    return most;
}

// At the start: how much of a step may be taken.
static double allowed(const sg_part_state *s, const double *step)
{
    const sg_tree *tree = s->part->segment.tree;
    double most = 0.0, length = s->part->segment.loops->tree->length;
    for (int k = 1; k < tree->n_bodies; k++)
        length = fmax(length, v3_norm(s->tree.link[k].world.r));
    for (int k = 1; k < tree->n_bodies; k++)
        for (int d = 0; d < tree->body[k].dof; d++) {
            bool turns = (tree->body[k].dof == 1 && tree->body[k].moves != SG_MOVE_SLIDES) || d > 2;
            double size = turns ? 1.0 : length;
            most = fmax(most, fabs(step[tree->body[k].first + d]) / size);
        }
    return most > LONGEST_STEP ? LONGEST_STEP / most : 1.0;
}

sg_status sg_loops_close(sg_part_state *s, const bool *locked, sg_closing how)
{
    sg_status status = SG_OK;
    const sg_tree_loops *loops = s->part->segment.loops->tree;
    struct sg_part_loop_state *t = s->loops;
    bool start = how == SG_CLOSING_START;
    int n = start ? MAX_START_STEPS : MAX_STEPS;
    for (int i = 0; i < n && status == SG_OK; i++) {
        sg_loops_place(s, start);
        // The active rows may be those of other locks, so they are selected before they are asked.
        if (i == 0)
            status = sg_loops_factor(s, locked, how);
        bool closed = sg_tree_loops_gap(&s->tree, loops, &t->loops, true) <= CLOSED;
        if (i > 0 && !closed)
            status = sg_loops_factor(s, locked, how);
        if (closed || status != SG_OK)
            break;
        sg_tree_loops_solve(loops, &t->loops, t->loops.g, t->loops.lambda);
        status = sg_tree_loops_respond(s->part->segment.tree, &s->tree, loops, &t->loops,
                                       t->loops.lambda, locked, t->step);
        sg_loops_shift(s, t->step, start ? allowed(s, t->step) : 1.0);
    }
    return status;
}

sg_status sg_loops_fit_speeds(sg_part_state *s, const bool *locked, sg_closing how, bool again)
{
    const sg_tree_loops *loops = s->part->segment.loops->tree;
    struct sg_part_loop_state *t = s->loops;
    sg_status status = again ? sg_loops_factor(s, locked, how) : SG_OK;
    if (status != SG_OK)
        return status;
    sg_tree_loops_solve(loops, &t->loops, t->loops.rate, t->loops.lambda);
    status = sg_tree_loops_respond(s->part->segment.tree, &s->tree, loops, &t->loops,
                                   t->loops.lambda, locked, t->step);
    for (int i = 0; i < s->part->segment.tree->n_dof && status == SG_OK; i++)
        s->v[i] += t->step[i];
    return status;
}
