#include "actions/capture.h"

#include "actions/action_functions.h"
#include "actions/hinge.h"
#include "actions/restructure.h"
#include "elements/balance.h"
#include "math/dense.h"
#include "multibody/measure.h"
#include "parts/impulse.h"
#include "parts/log.h"

#include <stdio.h>

// Both are numbered force first, then torque.
typedef struct lock {
    int part, depot; // bodies
    sg_vec3 point;   // of the lock, in the world
    double u[6];     // motion of the part relative to the depot there
    double W[36];    // its response to impulses, column by column
    double free[6]; // the direction that a joint leaves to it, of length one; zero if there is none
    double p[6];    // the impulse
} lock;

bool sg_captures_define(sg_part *part)
{
    static const double zero[3] = {0};
    static const struct {
        const char *name, *unit;
    } signals[] = {{"impulse", "N*s"}, {"angularImpulse", "N*m*s"}, {"energyLoss", "J"}};
    for (size_t i = 0; i < part->records.programs.all.len; i++) {
        sg_actions *a = sg_actions_of(part->vm, part->records.programs.all.data[i]);
        for (int k = 0; a->captures && k < 3; k++) {
            const char *name =
                sg_arena_printf(&part->segment.arena, "%s.%s", a->element, signals[k].name);
            a->capture.local[k] = sg_hidden_add_local(part->segment.hidden, name, signals[k].unit,
                                                      zero, k < 2 ? 3 : 1, k == 2);
        }
    }
    return !part->segment.arena.failed && !part->segment.hidden->failed;
}

void sg_captures_store(const sg_part_eval *e)
{
    for (size_t i = 0; i < e->part->records.programs.all.len; i++) {
        const sg_actions *a = sg_actions_of(e->part->vm, e->part->records.programs.all.data[i]);
        const sg_capture *c = &a->capture;
        if (!a->captures)
            continue;
        sg_part_set_local(e, c->local[0], &c->impulse.x, 3);
        sg_part_set_local(e, c->local[1], &c->angular.x, 3);
        sg_part_set_local(e, c->local[2], &c->loss, 1);
    }
}

// ---- the impulse ----------------------------------------------------------------------------

static void add_impulse(const sg_part_state *s, sg_part_impulses *impulses, const lock *k,
                        const double *p)
{
    sg_vec3 force = v3_from(p), torque = v3_from(p + 3);
    sg_part_impulses_clear(s->part, impulses);
    sg_part_impulses_add(s, impulses, k->part, k->point, force);
    sg_part_impulses_add(s, impulses, k->depot, k->point, v3_neg(force));
    impulses->on[k->part].n = v3_add(impulses->on[k->part].n, torque);
    impulses->on[k->depot].n = v3_sub(impulses->on[k->depot].n, torque);
}

static bool find_response(sg_part_state *s, sg_part_impulses *impulses, lock *k)
{
    for (int i = 0; i < 6; i++) {
        double unit[6] = {0};
        unit[i] = 1.0;
        add_impulse(s, impulses, k, unit);
        if (sg_part_impulses_apply(s, impulses) != SG_OK)
            return false;
        sg_vec3 dw = v3_sub(s->tree.work[k->part].gain.w, s->tree.work[k->depot].gain.w);
        v3_store(v3_sub(sg_tree_impulse_velocity(&s->tree, k->part, k->point),
                        sg_tree_impulse_velocity(&s->tree, k->depot, k->point)),
                 k->W + 6 * i);
        v3_store(dw, k->W + 6 * i + 3);
    }
    return true;
}

// The impulse that leaves nothing of the relative motion but along the free direction, where there
// is no impulse: u + W p = x free, p free = 0.
static bool solve(lock *k)
{
    double A[49] = {0}, x[7] = {0};
    int pivot[7], n = 6;
    for (int i = 0; i < 6; i++)
        n = k->free[i] != 0.0 ? 7 : n;
    for (int j = 0; j < 6; j++) {
        for (int i = 0; i < 6; i++)
            A[j * n + i] = k->W[6 * j + i];
        x[j] = -k->u[j];
        if (n == 7)
            A[j * n + 6] = A[6 * n + j] = k->free[j];
    }
    if (sg_lu_factor(A, n, pivot, NULL) != SG_OK || sg_lu_is_singular(A, n, NULL))
        return false;
    sg_lu_solve(A, n, pivot, x);
    for (int i = 0; i < 6; i++)
        k->p[i] = x[i];
    return true;
}

// What the assembly goes to: parked without a name it stays on what carries it.
static int depot_of(const sg_part *part, const sg_action *action)
{
    if (action->depot || action->object[0] < 0)
        return action->object[1];
    return part->segment.bodies[sg_part_carried_object(part, action->object[0])].parent;
}

static lock find_lock(const sg_part_state *s, const sg_action *action)
{
    const sg_tree *tree = s->part->segment.tree;
    int depot = depot_of(s->part, action);
    sg_frame_motion a = sg_tree_frame_motion(tree, &s->tree, action->object[0]);
    sg_frame_motion b = sg_tree_frame_motion(tree, &s->tree, depot);
    lock k = {.part = tree->object[action->object[0]].body,
              .depot = tree->object[depot].body,
              .point = a.pose.r};
    sg_vec3 arm = v3_sub(a.pose.r, b.pose.r), carried = v3_add(b.V.v, v3_cross(b.V.w, arm));
    v3_store(v3_sub(a.V.v, carried), k.u);
    v3_store(v3_sub(a.V.w, b.V.w), k.u + 3);
    if (action->joint != SG_JOINT_FIXED)
        v3_store(sg_hinge_axis(s->part, action),
                 k.free + (action->joint == SG_JOINT_REVOLUTE ? 3 : 0));
    return k;
}

static void strike(const sg_part_eval *e, const sg_action *action, sg_capture *c)
{
    sg_part_state *s = e->state;
    sg_part_impulses *impulses = s->capture;
    lock k = find_lock(s, action);
    c->refused = "something has no inertia, or cannot move";
    if (!find_response(s, impulses, &k) || !solve(&k))
        return;
    add_impulse(s, impulses, &k, k.p);
    if (sg_part_impulses_apply(s, impulses) != SG_OK)
        return;
    c->refused = sg_part_cannot_jump(s, impulses);
    if (c->refused)
        return;
    sg_part_jump(e, impulses);
    s->mattered.lost_momentum |= !action->impulse;
    c->impulse = v3_from(k.p);
    c->angular = v3_from(k.p + 3);
    c->loss = 0.0;
    for (int i = 0; i < 6; i++)
        c->loss -= 0.5 * k.p[i] * k.u[i];
    sg_part_balance_remove(s, -sg_tree_impulse_energy(e->part->segment.tree, &s->tree));
    if (e->part->records.host->log_events)
        sg_part_log(e->part,
                    "        impulse of %s on %s = [%.6g, %.6g, %.6g] N s, [%.6g, %.6g, %.6g] N m "
                    "s, which takes %.6g J\n",
                    action->depot ? action->depot : "its carrier", action->part, k.p[0], k.p[1],
                    k.p[2], k.p[3], k.p[4], k.p[5], c->loss);
}

// Whether what carries could take an impulse up, before something is released for it.
static bool can_take(const sg_part_eval *e, const lock *k, sg_capture *c)
{
    sg_part_state *s = e->state;
    sg_part_impulses *impulses = s->capture;
    c->refused = "something has no inertia, or cannot move";
    sg_part_impulses_clear(s->part, impulses);
    sg_part_impulses_add(s, impulses, k->depot, k->point, v3_make(k->u[0], k->u[1], k->u[2]));
    impulses->on[k->depot].n = v3_add(impulses->on[k->depot].n, v3_from(k->u + 3));
    if (sg_part_impulses_apply(s, impulses) == SG_OK)
        c->refused = sg_part_cannot_jump(s, impulses);
    return !c->refused;
}

bool sg_capture_wanted(const sg_part *part, const sg_action *action)
{
    bool joins = action->kind == SG_ACTION_ATTACH || action->kind == SG_ACTION_RELEASE_AND_ATTACH ||
                 action->kind == SG_ACTION_PARK;
    return joins && !action->forgets && (action->impulse || !part->records.compat.lost_momentum);
}

static bool is_free(const sg_part *part, int root)
{
    for (size_t i = 0; i < part->records.frees.len; i++)
        if (part->records.frees.data[i].object == root)
            return true;
    return false;
}

// What is left of the relative motion beside a joint, as the limits of the Scene count it.
static bool is_slow(const sg_part *part, const lock *k)
{
    double along = 0.0, v[6];
    for (int i = 0; i < 6; i++)
        along += k->free[i] * k->u[i];
    for (int i = 0; i < 6; i++)
        v[i] = k->u[i] - along * k->free[i];
    return v3_norm(v3_from(v)) < part->records.scene.attach.speed &&
           v3_norm(v3_from(v + 3)) < part->records.scene.attach.angular_speed;
}

// Relative motion of less than so many roundings of the motions themselves is none: what is fixed
// to the same is not released for it.
static const double motion_roundings = 1e-12;

static bool is_at_rest(const sg_part_state *s, const lock *k, const sg_action *action, int depot)
{
    const sg_tree *tree = s->part->segment.tree;
    sg_frame_motion a = sg_tree_frame_motion(tree, &s->tree, action->object[0]);
    sg_frame_motion b = sg_tree_frame_motion(tree, &s->tree, depot);
    double arm = v3_norm(v3_sub(a.pose.r, b.pose.r));
    double speed = v3_norm(a.V.v) + v3_norm(b.V.v) + arm * v3_norm(b.V.w);
    double turning = v3_norm(a.V.w) + v3_norm(b.V.w);
    return v3_norm(v3_from(k->u)) <= motion_roundings * speed &&
           v3_norm(v3_from(k->u + 3)) <= motion_roundings * turning;
}

// Whether an impulse is to be applied now. One that was asked for is, or `refused` tells why not;
// of others those between what moves slowly and what can take it up. What cannot be attached is
// told by the change itself (actions/restructure.h).
static bool is_possible(const sg_part_eval *e, const sg_action *action, sg_capture *c)
{
    const sg_part *part = e->part;
    sg_part_state *s = e->state;
    int o = action->object[0], root = o < 0 ? -1 : part->records.objects.data[o].assembly;
    int depot = depot_of(part, action);
    if (root < 0 || depot < 0 || part->records.objects.data[root].parked ||
        part->records.objects.data[o].gone || part->records.objects.data[depot].gone)
        return false;
    bool free = is_free(part, root), parks = action->kind == SG_ACTION_PARK;
    if (!free && action->kind == SG_ACTION_ATTACH) { // it closes a loop, or cannot be attached
        c->refused = "it is not free; release it first";
        return false;
    }
    if (part->segment.tree->object[o].body == part->segment.tree->object[depot].body)
        return false;
    lock k = find_lock(s, action);
    if (!action->impulse && (!sg_part_moves_with(s, s->capture, k.depot) ||
                             (!parks && !is_slow(part, &k)) || is_at_rest(s, &k, action, depot)))
        return false;
    if (free)
        return true;
    // What the world held, or something that is led, had no momentum to keep.
    if (!action->impulse && !sg_part_moves_with(s, s->capture, k.part))
        return false;
    c->frees = !part->segment.bodies[sg_part_carried_object(part, o)].tag && can_take(e, &k, c);
    return false;
}

// What closes a loop needs rest and takes no impulse.
static bool is_telling(const sg_part_eval *e, const sg_action *action)
{
    const sg_part *part = e->part;
    return action->kind != SG_ACTION_ATTACH ||
           is_free(part, part->records.objects.data[action->object[0]].assembly);
}

// One that was not asked for, and cannot be: momentum is lost.
static void warn_of_loss(const sg_part_eval *e, const sg_action *action, const sg_capture *c)
{
    lock k = find_lock(e->state, action);
    char message[400];
    snprintf(message, sizeof message,
             "%s at time = %.10g s: '%s' still moves relative to its carrier with %.3g m/s and "
             "%.3g rad/s, and its momentum is lost, as the velocities there cannot jump: %s "
             "(impulse = false: it may be)",
             sg_action_name(action->kind), e->time, action->part, v3_norm(v3_from(k.u)),
             v3_norm(v3_from(k.u + 3)), c->refused);
    sg_diags_put(e->state->diags,
                 (sg_diag){SG_WARNING, SG_E_ACTION, action->span, e->time, message, true});
}

void sg_captures_strike(sg_part_eval *e)
{
    const sg_part *part = e->part;
    if (!e->events || !sg_events_deciding(e->events) || e->state != part->run)
        return;
    for (size_t i = 0; i < part->records.programs.all.len; i++) {
        sg_actions *a = sg_actions_of(part->vm, part->records.programs.all.data[i]);
        if (!a->capturing || a->captured || a->waits) // for a segment where it is released
            continue;
        a->capture.refused = NULL;
        a->capture.frees = false;
        a->captured = true;
        e->events->n_changes++; // for executeActions, which goes on
        if (is_possible(e, a->capturing, &a->capture))
            strike(e, a->capturing, &a->capture);
        if (a->capture.refused && !a->capturing->impulse && is_telling(e, a->capturing))
            warn_of_loss(e, a->capturing, &a->capture);
        return; // the next one sees what has jumped
    }
}
