// Conditions of nonlinear systems that follow the unknowns, and what is found behind a switch.
//
// Conditions are frozen while a system is solved, so that an integrator sees smooth equations up to
// the event that changes them, and a little beyond. For most equations that is so: behind the
// switch those of before go on. But where flow turns around, sign(q)*q^2 = p with the sign of
// before has no solution behind the turn. And where several flows vanish together, equations with
// signs of before have others: of p = q1^2, p = 4*q2^2, q1 + q2 = c those with q1 = 2*q2 and those
// with q1 = -2*q2 meet at c = 0, and Newton's method may leave on either way. So a solution that
// contradicts the conditions it was found with is taken only if it was reached on a way without a
// singular point. Else conditions are let loose: they are what they look like on the way, as for
// everything in the system, until the event is found.
//
// No search begins at a solution behind a switch, since that may be one of another branch: what
// was found in front of it, the anchor, is kept.
#include "program/route.h"

#include <math.h>
#include <string.h>

enum { MOST_PASSED = 50 }; // places in a row near a switch

// A solution whose residuals are below this is accepted as it is; else see untorn.c.
static const double newton_exact = 1e-10;
// Solutions that differ by less than this part of the largest unknown are one.
static const double same_solution = 1e-6;

bool sg_linked_is_condition(const sg_linked *c)
{
    return c->form == SG_L_POSITIVE || c->form == SG_L_NEGATIVE || c->form == SG_L_LEVEL;
}

static uint32_t numbers_of(const sg_linked *c) { return c->form == SG_L_LEVEL ? c->n : 1; }

// Conditions of the body in their order, without those in branches that were not taken: their
// arguments are of long ago.
typedef struct condition_walk {
    uint32_t next, from; // an entry of work->choices, and where the body goes on
} condition_walk;

static const sg_linked *next_condition(const sg_exec *exec, const sg_system_work *work,
                                       condition_walk *at)
{
    while (at->next < work->n_choices) {
        uint32_t pc = work->choices[at->next++];
        const sg_linked *c = &exec->steps.list[pc];
        if (pc < at->from)
            continue;
        if (c->form == SG_L_JUMP || (c->form == SG_L_UNLESS && exec->w[c->b] == 0.0))
            at->from = c->a;
        else if (c->form != SG_L_UNLESS)
            return c;
    }
    return NULL;
}

// Are there conditions in the body, all of numbers that are finite there?
static bool can_decide(const sg_exec *exec, const sg_system_work *work)
{
    condition_walk at = {0};
    for (const sg_linked *c; (c = next_condition(exec, work, &at));) {
        for (uint32_t i = 0; i < numbers_of(c); i++)
            if (!isfinite(exec->w[c->a + i]))
                return false;
    }
    return work->n_conditions > 0;
}

sg_status sg_system_decide_at_start(sg_exec *exec, uint32_t index)
{
    sg_system_work *work = &exec->systems[index];
    if (work->left.solved || !exec->events || !sg_events_deciding(exec->events) ||
        exec->program->systems.data[index].linear)
        return SG_OK;
    sg_exec_freeze(exec);
    sg_status status = sg_system_residuals(exec, index, &work->torn, work->torn.t, work->torn.r);
    sg_exec_thaw(exec);
    if (status == SG_OK && can_decide(exec, work))
        status = sg_system_residuals(exec, index, &work->torn, work->torn.t, work->torn.r);
    // What has no value there may have one elsewhere.
    return status == SG_ERR_MEMORY || status == SG_ERR_INTERRUPT ? status : SG_OK;
}

// The body at the solution, with conditions as they look there.
static sg_status run_loose(sg_exec *exec, uint32_t index)
{
    sg_system_work *work = &exec->systems[index];
    sg_space *space = work->left.untorn ? &work->whole : &work->torn;
    exec->solving.loose = true;
    sg_exec_freeze(exec);
    sg_status status = sg_system_residuals(exec, index, space, space->t, space->r);
    if (status == SG_OK && !sg_system_is_exact(exec, index, space, newton_exact))
        status = sg_system_improve(exec, index);
    sg_exec_thaw(exec);
    exec->solving.loose = false;
    return status;
}

// The solution with conditions that follow the unknowns: crossing functions are those of it, and
// everything else is computed with conditions as they look there, until an event takes them over.
static sg_status stay_loose(sg_exec *exec, uint32_t index)
{
    sg_system_work *work = &exec->systems[index];
    bool settled;
    sg_status status = run_loose(exec, index);
    if (status == SG_OK)
        status =
            sg_system_look(exec, index, work->left.untorn ? &work->whole : &work->torn, &settled);
    return status == SG_OK ? run_loose(exec, index) : status;
}

// Flows that vanish are known to a part of what they used to be, and that is all of them. So a
// solution whose residuals are large against their terms is improved with sizes as they are there.
static sg_status polish(sg_exec *exec, uint32_t index)
{
    sg_system_work *work = &exec->systems[index];
    sg_space *space = work->left.untorn ? &work->whole : &work->torn;
    sg_route route = {.exec = exec, .index = index, .work = work, .space = &work->whole};
    sg_status status = sg_system_residuals(exec, index, space, space->t, space->r);
    if (status != SG_OK || !work->can_untear ||
        sg_system_error(exec, index, space) <= SG_ROUTE_SOLVED)
        return status;
    space = &work->whole;
    sg_whole_gather(exec, index, space->t);
    for (uint32_t i = 0; i < space->n; i++)
        space->nominal[i] = fmax(fabs(space->t[i]), space->given[i]);
    memcpy(work->loose, space->t, space->n * sizeof(double));
    route.best = route.nearest = (double)INFINITY;
    if (sg_route_newton(&route) != SG_OK)
        memcpy(space->t, work->loose, space->n * sizeof(double));
    work->left.untorn = true;
    return SG_OK;
}

sg_status sg_system_solve_loose(sg_exec *exec, uint32_t index)
{
    sg_system_work *work = &exec->systems[index];
    sg_failure failure = exec->failure;
    sg_space *space = work->left.untorn ? &work->whole : &work->torn;
    if (exec->program->systems.data[index].linear || !exec->events || exec->solving.loose ||
        exec->events->relaxed || work->n_conditions == 0)
        return SG_ERR_SOLVER;
    exec->solving.loose = true;
    memcpy(space->t, space->last, space->n * sizeof(double));
    sg_exec_freeze(exec);
    sg_status status = sg_system_newton(exec, index, space);
    if (status == SG_ERR_SOLVER)
        status = sg_system_rescue(exec, index, status);
    // Behind a switch where the slope is zero no way of Newton's method leads.
    sg_route route = {.exec = exec, .index = index, .work = work, .space = &work->whole};
    if (status == SG_ERR_SOLVER && work->can_untear && !sg_events_deciding(exec->events))
        status = sg_route_scan(&route);
    if (status == SG_OK)
        status = polish(exec, index);
    sg_exec_thaw(exec);
    exec->solving.loose = false;
    space = work->left.untorn ? &work->whole : &work->torn;
    if (status == SG_OK && sg_events_deciding(exec->events)) {
        memcpy(work->loose, space->t, space->n * sizeof(double));
        work->loose_whole = work->left.untorn;
        status = sg_system_residuals(exec, index, space, space->t, space->r);
    } else if (status == SG_OK) {
        status = stay_loose(exec, index);
    }
    exec->failure = status == SG_OK ? (sg_failure){0} : failure;
    return status;
}

bool sg_system_take_loose(sg_exec *exec, uint32_t index)
{
    sg_system_work *work = &exec->systems[index];
    sg_space *space = work->loose_whole ? &work->whole : &work->torn;
    sg_failure failure = exec->failure;
    bool settled = false;
    work->left.untorn = work->loose_whole;
    memcpy(space->t, work->loose, space->n * sizeof(double));
    sg_status status = sg_system_residuals(exec, index, space, space->t, space->r);
    if (status == SG_OK)
        status = sg_system_look(exec, index, space, &settled);
    bool holds = status == SG_OK && settled &&
                 sg_system_error(exec, index, space) <= SG_ROUTE_SOLVED && !space->unjudged;
    exec->failure = holds ? (sg_failure){0} : failure;
    return holds;
}

bool sg_system_settle_loose(sg_exec *exec, uint32_t index)
{
    sg_system_work *work = &exec->systems[index];
    sg_route route = {.exec = exec, .index = index, .work = work, .space = &work->whole};
    bool settled = false;
    if (!exec->events || !sg_events_deciding(exec->events) || exec->events->relaxed ||
        !work->can_untear || work->torn.n != 1 || work->n_conditions == 0)
        return false;
    exec->solving.loose = true;
    sg_exec_freeze(exec);
    sg_status status = sg_route_scan(&route);
    sg_exec_thaw(exec);
    exec->solving.loose = false;
    for (int k = 0; k < 2 && status == SG_OK && !settled; k++) {
        status = sg_system_residuals(exec, index, &work->torn, work->torn.t, work->torn.r);
        if (status == SG_OK)
            status = sg_system_solve_once(exec, index, &settled);
    }
    if (status == SG_OK && settled)
        return true;
    work->torn.t[0] = work->torn.last[0]; // not where the search ended
    sg_system_solve_once(exec, index, &settled);
    return false;
}

static bool agrees(const sg_events *e, const sg_linked *c, uint32_t i, double value)
{
    uint32_t slot = c->b + i;
    bool as_it_is =
        c->form == SG_L_LEVEL
            ? sg_level_of((sg_level_kind)c->sb, value) == e->level[slot]
            : (c->form == SG_L_POSITIVE ? value > 0.0 : value < 0.0) == e->positive[slot];
    return as_it_is || e->ops->follows(e, slot);
}

// Do the conditions of the body look as they are? Behind a switch whose event is still to come they
// do not. An event may leave one on the side that it does not look like, since that is rounding, or
// no side agrees: this says nothing until it has been on its side once.
static bool conditions_agree(const sg_exec *exec, const sg_system_work *work)
{
    const sg_events *e = exec->events;
    bool agree = true;
    condition_walk at = {0};
    // While something slides nothing is let loose, and conditions may be anywhere.
    for (const sg_linked *c; e && !e->relaxed && agree && (c = next_condition(exec, work, &at));) {
        bool *contrary = work->contrary + work->first_argument[at.next - 1];
        for (uint32_t i = 0; i < numbers_of(c); i++) {
            bool is = agrees(e, c, i, exec->w[c->a + i]);
            agree &= is || contrary[i];
            contrary[i] &= !is;
        }
    }
    return agree;
}

// Where an event has left them.
static void note_sides(const sg_exec *exec, const sg_system_work *work)
{
    condition_walk at = {0};
    memset(work->contrary, 0, work->n_arguments * sizeof(bool));
    for (const sg_linked *c; (c = next_condition(exec, work, &at));)
        for (uint32_t i = 0; i < numbers_of(c); i++)
            work->contrary[work->first_argument[at.next - 1] + i] =
                !agrees(exec->events, c, i, exec->w[c->a + i]);
}

bool sg_system_begins_behind(const sg_exec *exec, uint32_t index)
{
    const sg_system_work *work = &exec->systems[index];
    return work->left.anchored && !exec->program->systems.data[index].linear && exec->events &&
           exec->events->mode != SG_MODE_RHS && !sg_events_deciding(exec->events) &&
           !conditions_agree(exec, work);
}

// Where a condition has come this near to its switch, as a part of how far away it was, a system
// may be near a singular point.
static const double near_switch = 1e-3;

// Flows that vanish leave nothing to begin with: at the event that finds out, slopes and sizes are
// those of rounding. So the last place that was not so near to a switch is kept, too; for a while,
// since it becomes old.
static bool is_worse(const sg_exec *exec, const sg_system_work *work)
{
    bool worse = false;
    if (!work->left.anchored || work->left.passed_over >= MOST_PASSED)
        return false;
    condition_walk at = {0};
    for (const sg_linked *c; !worse && (c = next_condition(exec, work, &at));) {
        const double *was = work->argument + work->first_argument[at.next - 1];
        for (uint32_t i = 0; i < numbers_of(c); i++)
            worse |= fabs(exec->w[c->a + i]) < near_switch * fabs(was[i]);
    }
    return worse;
}

static void keep_arguments(const sg_exec *exec, const sg_system_work *work)
{
    condition_walk at = {0};
    memset(work->argument, 0, work->n_arguments * sizeof(double)); // what is not asked is not near
    for (const sg_linked *c; (c = next_condition(exec, work, &at));)
        memcpy(work->argument + work->first_argument[at.next - 1], exec->w + c->a,
               numbers_of(c) * sizeof(double));
}

// A solver's trials may lead anywhere, and so do the unknowns. Where it has been for good they are
// kept, and searches begin there again behind a pure evaluation: Newton's method from a solution
// of elsewhere may find another one here, and stay with it.
static void drop_anchor(sg_exec *exec, uint32_t index, bool agree)
{
    sg_system_work *work = &exec->systems[index];
    const sg_events *e = exec->events;
    work->left.strayed = work->left.anchored && (!agree || (e && e->probing));
    if (!work->anchor || work->left.strayed || (e && (e->probing || e->mode == SG_MODE_RHS)))
        return;
    sg_whole_gather(exec, index, work->anchor);
    if (is_worse(exec, work)) {
        work->left.passed_over++;
    } else {
        memcpy(work->ahead, work->anchor, work->whole.n * sizeof(double));
        keep_arguments(exec, work);
        work->left.passed_over = 0;
    }
    work->left.anchored = true;
}

// Is this the solution that was doubted, but for what Newton's method leaves?
static bool is_same(const sg_space *space, const double *other)
{
    double most = 0.0, size = 0.0;
    for (uint32_t i = 0; i < space->n; i++) {
        most = fmax(most, fabs(space->t[i] - other[i]));
        size = fmax(size, fmax(fabs(space->t[i]), fabs(other[i])));
    }
    return most <= same_solution * size;
}

// Behind a switch equations with conditions of before may have another solution than the one that
// goes on from where the run was. That is the one next to the solution with conditions that follow
// the unknowns; where a singular point lies between the two, it is that itself.
// What was found stays where there is nothing else.
static sg_status doubt(sg_exec *exec, uint32_t index)
{
    sg_system_work *work = &exec->systems[index];
    bool untorn = work->left.untorn, settled;
    sg_space *space = untorn ? &work->whole : &work->torn;
    size_t bytes = space->n * sizeof(double);
    memcpy(work->doubted, space->t, bytes);
    sg_status status = sg_system_solve_loose(exec, index);
    if (status == SG_OK && work->left.untorn == untorn) {
        memcpy(work->loose, space->t, bytes);
        sg_exec_freeze(exec);
        status = sg_system_newton(exec, index, space);
        sg_exec_thaw(exec);
        if (status == SG_OK && (work->direct || is_same(space, work->doubted)))
            return sg_system_look(exec, index, space, &settled);
        memcpy(space->t, work->loose, bytes);
        if (status == SG_OK || status == SG_ERR_SOLVER)
            status = stay_loose(exec, index);
    }
    if (status != SG_ERR_SOLVER)
        return status;
    work->left.untorn = untorn;
    memcpy(space->t, work->doubted, bytes);
    exec->failure = (sg_failure){0};
    return sg_system_look(exec, index, space, &settled);
}

sg_status sg_system_accept(sg_exec *exec, uint32_t index)
{
    const sg_system_work *work = &exec->systems[index];
    const sg_events *e = exec->events;
    sg_status status = SG_OK;
    if (e && sg_events_deciding(e) && !exec->program->systems.data[index].linear)
        note_sides(exec, work);
    bool agree = exec->program->systems.data[index].linear || conditions_agree(exec, work);
    if (!agree && !sg_events_deciding(e) && work->left.anchored && !e->probing && !e->loose)
        status = doubt(exec, index);
    drop_anchor(exec, index, agree);
    return status;
}
