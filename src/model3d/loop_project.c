// Moves states to where loops are closed (parts/loops.h).
#include "model3d/loop_project.h"

#include "base/number.h"
#include "model3d/segment.h"
#include "parts/coupling.h"
#include "parts/loop_close.h"
#include "parts/loop_hold.h"
#include "sim/compiled.h"

#include <math.h>
#include <string.h>

enum { MAX_TOLD = 12 };
// Gaps are relative to how far from the origins of world and bodies the points are. What is left at
// the start must be small beside any tolerance.
#define CLOSED_AT_START 1e-11
// Rows that were left out because others said the same must keep saying it.
#define STILL_REDUNDANT 1e-8
// A gap that is no error of a step any more.
#define OPEN 1e-3
// How far from the start rows are looked at [rad], or lengths of the mechanism.
#define BESIDE 0.02
// What is left of a pivot where a position is told as singular.
#define SINGULAR 1e-3
// Changes of start values that are told, relative to the value.
#define TOLD_FROM 1e-9

// Bodies of the tree that a joint moves.
static int n_bodies_of(const sg_part_joint *joint) { return joint->kind == SG_JOINT_BALL ? 3 : 1; }

typedef struct projection {
    sg_part *part;
    sg_part_state *s;
    struct sg_part_loop_state *t;
    const sg_tree_loops *loops;
    sg_compiled *compiled;
    sg_events *events;
    double time;
    double *x;
} projection;

// ---- states -------------------------------------------------------------------------------------

// As long as the choice of states stays the same, so do these.
void sg_part_find_loop_states(const sg_part *part, const sg_compiled *compiled)
{
    struct sg_part_loop_state *t = part->run->loops;
    if (t->found_for == compiled->choices.present)
        return;
    t->found_for = compiled->choices.present;
    t->locks = t->differ = false;
    for (size_t j = 0; j < part->built.joints.len; j++) {
        const sg_part_joint *joint = &part->built.joints.data[j];
        const sg_coupling_joint *names = &part->built.coupling->joints[j];
        bool single = joint->kind != SG_JOINT_FREE;
        t->q_state[j] = single ? sg_compiled_state(compiled, names->q[0], &t->q_sign[j]) : -1;
        t->v_state[j] = single ? sg_compiled_state(compiled, names->v[0], &t->v_sign[j]) : -1;
        if (joint->body < 0)
            continue;
        bool q = t->q_state[j] < 0, v = t->v_state[j] < 0;
        for (int k = 0; k < n_bodies_of(joint); k++) {
            t->lock_q[joint->body + k] = q;
            t->lock_v[joint->body + k] = v;
        }
        t->locks |= q || v;
        t->differ |= q != v;
    }
}

// Coordinates and speeds of the tree. Those that are no states follow from an evaluation.
static sg_status load(const projection *p)
{
    const sg_part *part = p->part;
    sg_part_state *s = p->s;
    const struct sg_part_loop_state *t = p->t;
    sg_status status =
        t->locks ? sg_compiled_evaluate(p->compiled, SG_MODE_RHS, p->events, p->time, p->x, NULL)
                 : SG_OK;
    for (size_t j = 0; j < part->built.joints.len; j++) {
        const sg_part_joint *joint = &part->built.joints.data[j];
        int first = joint->first;
        if (joint->kind == SG_JOINT_BALL) {
            if (t->q_state[j] >= 0 && t->v_state[j] >= 0)
                sg_part_set_ball(s, joint, p->x + t->q_state[j], p->x + t->v_state[j],
                                 s->ball_xzy[j]);
            continue;
        }
        if (first >= 0 && t->q_state[j] >= 0)
            s->q[first] = t->q_sign[j] * p->x[t->q_state[j]];
        if (first >= 0 && t->v_state[j] >= 0)
            s->v[first] = t->v_sign[j] * p->x[t->v_state[j]];
    }
    for (size_t i = 0; i < part->records.frees.len; i++)
        sg_part_read_free(s, &part->records.frees.data[i],
                          p->x + *s->n_visible + part->records.frees.data[i].at);
    return status;
}

static void put(double *x, double value, bool *moved)
{
    *moved |= *x != value;
    *x = value;
}

static void save_free(const projection *p, const sg_part_free *f, bool *moved)
{
    const double *q = p->s->q + f->first, *v = p->s->v + f->first;
    double *x = p->x + *p->s->n_visible + f->at, w[3];
    const sg_tree_turn *turn = sg_tree_turn_of(&p->s->tree, f->body, q + 3);
    v3_store(f->in_object ? v3_from(v + 3) : m3_tmul_v(&turn->R, v3_from(v + 3)), w);
    for (int i = 0; i < 3; i++) {
        put(&x[i], q[i], moved);
        put(&x[3 + i], v[i], moved);
        put(&x[6 + i], q[3 + i], moved);
        put(&x[9 + i], w[i], moved);
    }
}

static void save_ball(const projection *p, size_t j, bool *moved)
{
    int q = p->t->q_state[j], v = p->t->v_state[j];
    double rot[3], w[3];
    if (q < 0 || v < 0)
        return;
    memcpy(rot, p->x + q, sizeof rot);
    sg_part_get_ball(p->s, &p->part->built.joints.data[j], p->s->ball_xzy[j], rot, w);
    for (int i = 0; i < 3; i++) {
        put(&p->x[q + i], rot[i], moved);
        put(&p->x[v + i], w[i], moved);
    }
}

static void save(const projection *p, bool *moved)
{
    const sg_part *part = p->part;
    const struct sg_part_loop_state *t = p->t;
    for (size_t j = 0; j < part->built.joints.len; j++) {
        const sg_part_joint *joint = &part->built.joints.data[j];
        int q = t->q_state[j], v = t->v_state[j];
        if (joint->cut >= 0) {
            double near = q >= 0 ? t->q_sign[j] * p->x[q] : 0.0;
            sg_cut_motion m = sg_tree_loops_measure(&p->s->tree, p->loops, joint->cut, near);
            if (q >= 0)
                put(&p->x[q], t->q_sign[j] * m.q, moved);
            if (v >= 0)
                put(&p->x[v], t->v_sign[j] * m.v, moved);
        } else if (joint->kind == SG_JOINT_BALL) {
            save_ball(p, j, moved);
        } else if (joint->first >= 0) {
            if (q >= 0)
                put(&p->x[q], t->q_sign[j] * p->s->q[joint->first], moved);
            if (v >= 0)
                put(&p->x[v], t->v_sign[j] * p->s->v[joint->first], moved);
        }
    }
    for (size_t i = 0; i < part->records.frees.len; i++)
        save_free(p, &part->records.frees.data[i], moved);
}

// ---- messages -----------------------------------------------------------------------------------

static const char *row_name(const projection *p, int row)
{
    int cut = p->loops->row[row].cut;
    return sg_cut_row_name(p->loops->cut[cut].kind, row - p->loops->first_row[cut]);
}

static const sg_part_cut *cut_of(const projection *p, int row)
{
    return &p->part->segment.loops->cut[p->loops->row[row].cut];
}

static int worst_row(const projection *p)
{
    int worst = 0;
    const double *g = p->t->loops.g;
    for (int i = 1; i < p->loops->n_rows; i++)
        worst = fabs(g[i]) > fabs(g[worst]) ? i : worst;
    return worst;
}

static const char *unit_of(const projection *p, int row)
{
    return p->loops->row[row].sort != SG_ROW_PERP ? "m" : "rad";
}

static sg_status fail_to_close(const projection *p)
{
    int worst = worst_row(p);
    sg_error(p->s->diags, SG_E_LOOP, cut_of(p, worst)->span,
             "%s closes a loop that cannot be closed from the start values: a gap of %.4g %s "
             "is left in the direction of the %s; check lengths and axes, or give better start "
             "values to the joints",
             cut_of(p, worst)->what, fabs(p->t->loops.g[worst]), unit_of(p, worst),
             row_name(p, worst));
    return SG_ERR_INIT;
}

// The rows that are combinations of others.
static void tell_redundant(const projection *p)
{
    const sg_loop_state *t = &p->t->loops;
    int n = p->loops->n_rows - t->n_active, at = 0, told = 0, last = -1;
    if (n <= 0)
        return;
    sg_buf text;
    sg_buf_init(&text, p->part->allocator);
    for (int i = 0; i < p->loops->n_rows; i++) {
        if (at < t->n_active && t->active[at] == i) {
            at++;
        } else if (told++ < MAX_TOLD) {
            int cut = p->loops->row[i].cut;
            if (cut == last)
                sg_buf_printf(&text, ", %s", row_name(p, i));
            else
                sg_buf_printf(&text, "%s%s: %s", told > 1 ? "; " : "", cut_of(p, i)->what,
                              row_name(p, i));
            last = cut;
        }
    }
    sg_note(p->s->diags, cut_of(p, 0)->span,
            "%d of %d constraints of the loops follow from the others and are left out; their "
            "forces cannot be determined and are reported as zero (%s%s)",
            n, p->loops->n_rows, sg_buf_text(&text), told > MAX_TOLD ? "; ..." : "");
    sg_buf_free(&text);
}

static void tell_changed(const projection *p, const double *before, uint32_t n)
{
    int told = 0;
    sg_buf text;
    sg_buf_init(&text, p->part->allocator);
    for (uint32_t i = 0; i < n; i++) {
        if (!(fabs(p->x[i] - before[i]) > TOLD_FROM * fmax(1.0, fabs(before[i]))))
            continue;
        if (told++ < MAX_TOLD)
            sg_buf_printf(&text, "%s%s from %.6g to %.6g", told > 1 ? ", " : "",
                          p->compiled->model.segment.state_names[i], before[i], p->x[i]);
    }
    if (told)
        sg_note(p->s->diags, cut_of(p, 0)->span,
                "to close the loops of the joints, start values were changed: %s%s",
                sg_buf_text(&text), told > MAX_TOLD ? ", and others" : "");
    sg_buf_free(&text);
}

// A position where a constraint says almost nothing new is told once.
static void watch_singular(const projection *p)
{
    double left;
    int row = sg_tree_loops_faded(&p->t->loops, &left);
    if (row < 0 || left > SINGULAR || p->t->is_singular)
        return;
    p->t->is_singular = true;
    sg_warning(p->s->diags, SG_E_LOOP, cut_of(p, row)->span,
               "at time = %.6g s the mechanism comes close to a singular position: the %s of %s "
               "has almost no effect there (%.1g of what it usually has), so forces are large, and "
               "the motion goes on as its speeds say; further ones are not reported",
               p->time, row_name(p, row), cut_of(p, row)->what, left);
}

static void tell_singular_start(const projection *p, int row, bool moves)
{
    p->t->is_singular = true;
    sg_warning(p->s->diags, SG_E_LOOP, cut_of(p, row)->span,
               "the mechanism starts in a singular position: the %s of %s has no effect there; %s; "
               "further positions of that kind are not reported",
               row_name(p, row), cut_of(p, row)->what,
               moves ? "the motion goes on as its speeds say"
                     : "at rest, nothing decides which way it goes on");
}

// Constraints that were left out do not follow from the others any more.
static void tell_selected(const projection *p)
{
    if (!p->t->is_selected)
        sg_note(p->s->diags, cut_of(p, 0)->span,
                "from time = %.6g s on some constraints of the loops that were left out no longer "
                "follow from the others; now %d of %d are left out, and further changes are not "
                "reported",
                p->time, p->loops->n_rows - p->t->loops.n_active, p->loops->n_rows);
    p->t->is_selected = true;
}

static sg_status fail_to_keep(const projection *p)
{
    int worst = worst_row(p);
    sg_error(p->s->diags, SG_E_LOOP, cut_of(p, worst)->span,
             "%s cannot be kept closed at time = %.10g s: a gap of %.4g %s is open in the "
             "direction of the %s; the mechanism may be locked, or too fast for the tolerance",
             cut_of(p, worst)->what, p->time, fabs(p->t->loops.g[worst]), unit_of(p, worst),
             row_name(p, worst));
    return SG_ERR_SOLVER;
}

// ---- the two occasions --------------------------------------------------------------------------

// After the last change of coordinates or speeds.
static bool rows_hold(const projection *p, double limit)
{
    sg_loops_place(p->s, true);
    const sg_tree_loops *loops = p->part->segment.loops->tree; // with what is held at the start
    return sg_tree_loops_gap(&p->s->tree, loops, &p->t->loops, false) <= limit;
}

// Locks the coordinates of joints as long as the others still close the loops as well, so that
// joints that were declared first keep their start values. `hold`: those of cut joints, too, or
// null.
static sg_status lock_first(const projection *p, bool *locked, sg_loop_hold *hold)
{
    const sg_part *part = p->part;
    const sg_loop_state *t = &p->t->loops;
    memcpy(locked, p->t->lock_q, (size_t)part->segment.tree->n_bodies * sizeof *locked);
    sg_loops_place(p->s, true);
    sg_status status = sg_loops_factor(p->s, locked, SG_CLOSING_START);
    int rank = t->n_active;
    double weakest = sg_tree_loops_weakest(t);
    for (size_t j = 0; j < part->built.joints.len && status == SG_OK; j++) {
        int body = part->built.joints.data[j].body;
        if (hold && sg_loops_can_hold(part, (int)j)) {
            bool held;
            status = sg_loops_hold_at(hold, (int)j, p->t->q_sign[j] * p->x[p->t->q_state[j]],
                                      p->t->v_sign[j] * p->x[p->t->v_state[j]], locked, rank + 1,
                                      1e-4 * weakest, &held);
            rank += held;
            continue;
        }
        if (body <= 0 || locked[body])
            continue;
        int n = n_bodies_of(&part->built.joints.data[j]);
        memset(locked + body, true, (size_t)n * sizeof *locked);
        status = sg_loops_factor(p->s, locked, SG_CLOSING_START);
        bool stays =
            status == SG_OK && t->n_active == rank && sg_tree_loops_weakest(t) > 1e-4 * weakest;
        memset(locked + body, stays, (size_t)n * sizeof *locked);
    }
    return status;
}

static bool carries(const sg_tree *tree, int body, int other)
{
    while (other > body)
        other = tree->body[other].parent;
    return other == body;
}

// What carries both ends of a cut joint alike is not in its loop.
static bool is_in_loop(const projection *p, int body)
{
    for (int c = 0; c < p->loops->n_cuts; c++) {
        const sg_loop_path *path = &p->loops->path[c];
        if (carries(p->part->segment.tree, body, path->body1) !=
            carries(p->part->segment.tree, body, path->body2))
            return true;
    }
    return false;
}

// States of the equations are not moved where they are those of a FreeMotion.
static sg_status check_free_joints(const projection *p)
{
    const sg_part *part = p->part;
    for (size_t j = 0; j < part->built.joints.len; j++) {
        const sg_part_joint *joint = &part->built.joints.data[j];
        if (joint->kind != SG_JOINT_FREE || joint->cut >= 0 || !is_in_loop(p, joint->body))
            continue;
        sg_error(p->s->diags, SG_E_LOOP, joint->span,
                 "FreeMotion '%s' moves a body that closes a loop, which is not possible; use "
                 "Object3D(parent = ..., fixedToParent = false) instead, which moves freely",
                 sg_vm_text(part->vm, joint->path));
        return SG_ERR_MODEL;
    }
    return SG_OK;
}

// What closes a loop and is led by equations would have to be followed by all the others.
static sg_status check_cuts(const projection *p)
{
    const sg_part *part = p->part;
    for (size_t j = 0; j < part->built.joints.len; j++) {
        const sg_part_joint *joint = &part->built.joints.data[j];
        if (joint->cut < 0 || (p->t->q_state[j] >= 0 && p->t->v_state[j] >= 0))
            continue;
        sg_error(p->s->diags, SG_E_LOOP, joint->span,
                 "the joint '%s' closes a loop, but its motion is prescribed or geared to that of "
                 "something else; let another joint close it (cut = true), or take the flange from "
                 "one that does not need it",
                 sg_vm_text(part->vm, joint->path));
        return SG_ERR_MODEL;
    }
    return SG_OK;
}

// A direction in which the mechanism can move: that of its motion, or any if it is at rest.
static sg_status find_direction(const projection *p, bool *moves)
{
    sg_part_state *s = p->s;
    double most = sg_loops_speed(s);
    *moves = most > 0.0;
    for (int i = 0; i < p->part->segment.tree->n_dof && !*moves; i++)
        s->v[i] = fmod(0.618 * (i + 1), 1.0) - 0.5; // no two alike
    return *moves ? SG_OK : sg_loops_fit_speeds(s, p->t->lock_q, SG_CLOSING_STEP, true);
}

// In a singular position, rows look as if they followed from others. Those that do not a little way
// off are kept; loop_near.c knows how to go on from there.
static sg_status select_beside(const projection *p)
{
    bool moves;
    sg_part_state *s = p->s;
    struct sg_part_loop_state *t = p->t;
    int rank = t->loops.n_active, n_rows = p->loops->n_rows;
    size_t size = (size_t)p->part->segment.tree->n_dof * sizeof(double);
    if (rank == n_rows)
        return SG_OK;
    memcpy(t->kept_q, s->q, size);
    memcpy(t->kept_v, s->v, size);
    memcpy(t->beside, t->loops.active, (size_t)rank * sizeof *t->beside);
    sg_status status = find_direction(p, &moves);
    double most = sg_loops_speed(s);
    if (status == SG_OK && most > 0.0) {
        memcpy(t->step, s->v, size);
        sg_loops_shift(s, t->step, BESIDE / most);
        status = sg_loops_close(s, t->lock_q, SG_CLOSING_START);
    }
    bool is_singular =
        status == SG_OK && most > 0.0 && t->loops.n_active > rank && rows_hold(p, CLOSED_AT_START);
    memcpy(s->q, t->kept_q, size);
    memcpy(s->v, t->kept_v, size);
    if (is_singular) {
        int first = 0;
        while (first < rank && t->loops.active[first] == t->beside[first])
            first++;
        sg_tree_loops_get_used(&t->loops);
        tell_singular_start(p, t->loops.active[first], moves);
    }
    sg_loops_place(s, true);
    return status != SG_OK
               ? status
               : sg_loops_factor(s, t->lock_q, is_singular ? SG_CLOSING_STEP : SG_CLOSING_START);
}

// Coordinates at which the loops are closed, and speeds that fit for joints that are declared
// first: with the start values of cut joints, or without where these do not go together.
static sg_status put_together(const projection *p, bool *locked, sg_arena *arena)
{
    sg_loop_hold hold;
    sg_part_state *s = p->s;
    size_t size = (size_t)p->part->segment.tree->n_dof * sizeof(double);
    memcpy(p->t->kept_q, s->q, size);
    sg_status status = sg_loops_hold_init(&hold, s, arena);
    if (status == SG_OK)
        status = lock_first(p, locked, &hold);
    if (status == SG_OK)
        status = sg_loops_close(s, locked, SG_CLOSING_START);
    if (status == SG_OK && hold.n && !rows_hold(p, CLOSED_AT_START)) {
        sg_loops_release(&hold);
        memcpy(s->q, p->t->kept_q, size);
        status = lock_first(p, locked, NULL);
        if (status == SG_OK)
            status = sg_loops_close(s, locked, SG_CLOSING_START);
    }
    if (status == SG_OK && !rows_hold(p, CLOSED_AT_START)) {
        // Others may have to move, too. The attempt without them may have ended far from the start
        // values, or where it could not go on.
        memcpy(s->q, p->t->kept_q, size);
        status = sg_loops_close(s, p->t->lock_q, SG_CLOSING_START);
        if (status == SG_OK && !rows_hold(p, CLOSED_AT_START))
            status = fail_to_close(p);
    }
    if (status == SG_OK)
        status = sg_loops_factor(s, p->t->lock_q, SG_CLOSING_START);
    if (status == SG_OK)
        status = sg_loops_fit_speeds(s, locked, SG_CLOSING_STEP, true);
    if (hold.n) {
        sg_loops_release(&hold);
        sg_loops_place(s, true);
        if (status == SG_OK)
            status = sg_loops_factor(s, p->t->lock_q, SG_CLOSING_START);
    }
    return status;
}

static sg_status project_start(const projection *p)
{
    sg_arena arena;
    const sg_part *part = p->part;
    uint32_t n = p->compiled->model.segment.n_states;
    sg_arena_init(&arena, part->allocator);
    double *before = SG_NEW_ARRAY(&arena, double, n + 1);
    bool *locked = SG_NEW_ARRAY(&arena, bool, part->segment.tree->n_bodies);
    sg_status status = arena.failed ? SG_ERR_MEMORY : check_free_joints(p);
    if (status == SG_OK)
        status = check_cuts(p);
    if (status == SG_OK) {
        memcpy(before, p->x, n * sizeof *before);
        status = put_together(p, locked, &arena);
    }
    sg_loops_place(p->s, false);
    if (status == SG_OK)
        status = sg_loops_fit_speeds(p->s, p->t->lock_v, SG_CLOSING_STEP, true);
    sg_loops_place(p->s, false);
    if (status == SG_OK)
        status = select_beside(p);
    if (status == SG_OK) {
        bool moved = false;
        save(p, &moved);
        sg_tree_loops_get_used(&p->t->loops);
        tell_changed(p, before, n);
        if (!part->records.programs.made) // else it was told when the run began
            tell_redundant(p);
    }
    sg_arena_destroy(&arena);
    return status;
}

// Nearly always one small step of Newton's method for positions and speeds together.
static sg_status project_step(const projection *p)
{
    const struct sg_part_loop_state *t = p->t;
    sg_status status = sg_loops_close(p->s, t->lock_q, SG_CLOSING_STEP);
    sg_tree_loops_get_used(&p->t->loops);
    watch_singular(p);
    if (status == SG_OK)
        status = sg_loops_fit_speeds(p->s, t->lock_v, SG_CLOSING_STEP, t->differ);
    if (status == SG_OK && !rows_hold(p, STILL_REDUNDANT)) {
        status = sg_loops_factor(p->s, t->lock_q, SG_CLOSING_START);
        if (status == SG_OK && !rows_hold(p, OPEN))
            return fail_to_keep(p);
        tell_selected(p);
        if (status == SG_OK)
            status = sg_loops_close(p->s, t->lock_q, SG_CLOSING_STEP);
        if (status == SG_OK)
            status = sg_loops_fit_speeds(p->s, t->lock_v, SG_CLOSING_STEP, true);
        sg_loops_place(p->s, false);
    }
    return status;
}

// Where results are stored must not change how the run goes on: pivots are not noted, and what was
// left out stays so.
static sg_status project_stored(const projection *p)
{
    struct sg_part_loop_state *t = p->t;
    int n_active = t->loops.n_active;
    sg_status status = sg_loops_close(p->s, t->lock_q, SG_CLOSING_STEP);
    if (status == SG_OK)
        status = sg_loops_fit_speeds(p->s, t->lock_v, SG_CLOSING_STEP, t->differ);
    if (status != SG_OK || rows_hold(p, STILL_REDUNDANT))
        return status;
    memcpy(t->beside, t->loops.active, (size_t)n_active * sizeof *t->beside);
    status = sg_loops_factor(p->s, t->lock_q, SG_CLOSING_START);
    if (status == SG_OK)
        status = sg_loops_close(p->s, t->lock_q, SG_CLOSING_STEP);
    if (status == SG_OK)
        status = sg_loops_fit_speeds(p->s, t->lock_v, SG_CLOSING_STEP, true);
    memcpy(t->loops.active, t->beside, (size_t)n_active * sizeof *t->beside);
    t->loops.n_active = n_active;
    sg_tree_loops_envelope(p->loops, &t->loops);
    sg_loops_place(p->s, false);
    return status;
}

static projection begin_at(sg_part *part, sg_compiled *compiled, sg_events *events, double time,
                           double *x)
{
    sg_part_find_loop_states(part, compiled);
    return (projection){.part = part,
                        .s = part->run,
                        .t = part->run->loops,
                        .loops = part->segment.loops->tree,
                        .compiled = compiled,
                        .events = events,
                        .time = time,
                        .x = x};
}

sg_status sg_part_project(sg_part *part, sg_compiled *compiled, sg_events *events, double time,
                          double *x, sg_projection how, bool *moved)
{
    projection p = begin_at(part, compiled, events, time, x);
    sg_status status = load(&p);
    if (status == SG_OK)
        status = how == SG_PROJECT_START    ? project_start(&p)
                 : how == SG_PROJECT_STORED ? project_stored(&p)
                                            : project_step(&p);
    if (status == SG_OK)
        save(&p, moved);
    return status;
}

sg_status sg_part_look_at_loops(sg_part *part, sg_compiled *compiled, sg_events *events,
                                double time, double *x)
{
    projection p = begin_at(part, compiled, events, time, x);
    sg_status status = load(&p);
    if (status != SG_OK)
        return status;
    sg_loops_place(p.s, false);
    status = sg_loops_factor(p.s, p.t->lock_q, SG_CLOSING_STEP);
    if (status != SG_OK)
        return status;
    sg_tree_loops_get_used(&p.t->loops);
    watch_singular(&p);
    // What is open may be so by errors of the step; closed, it shows.
    return rows_hold(&p, STILL_REDUNDANT) ? SG_OK : project_step(&p);
}
