// Mixed systems: conditions that depend on the unknowns of their own system.
//
// They are frozen while the system is solved and looked at afterwards; usually two or three rounds
// settle them (system.c). Here is what happens when they lead around in a circle, or to a system
// without solution (a closed switch and a conducting diode across a source). A few conditions are
// tried in all combinations. Of many, only the first that disagrees is changed at a time: for ideal
// diodes between resistors and sources, and whatever else is a complementarity problem with a
// P-matrix, this rule always ends (Murty's least index method).
//
// Where no combination agrees with its own solution there is none: `y = if y > 0; -1 else 1 end`.
// That is told from conditions that rounding decides, which have two solutions as good as equal.
#include "program/linked.h"

#include <math.h>
#include <string.h>

enum {
    TRY_ALL = 10,          // conditions whose combinations are all tried
    MOST_CONDITIONS = 400, // of a system that is searched at all
    ROUNDS = 20
};

// Slots of the event table; 0 if there are more than can be searched.
static uint32_t list_conditions(const sg_exec *exec, const sg_torn_system *s, uint32_t *slots)
{
    uint32_t n = 0;
    for (uint32_t i = s->body; i < s->prep; i++) {
        const sg_step *step = &exec->program->steps.data[i];
        bool known = step->op != SG_OP_POSITIVE && step->op != SG_OP_NEGATIVE;
        for (uint32_t k = 0; k < n && !known; k++)
            known = slots[k] == step->aux;
        if (known)
            continue;
        if (n == MOST_CONDITIONS)
            return 0;
        slots[n++] = step->aux;
    }
    return n;
}

static uint32_t count_bits(uint32_t x)
{
    uint32_t n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}

static void set_conditions(sg_exec *exec, const uint32_t *slots, uint32_t n, uint32_t bits)
{
    for (uint32_t k = 0; k < n; k++)
        exec->events->positive[slots[k]] = bits >> k & 1;
}

sg_status sg_system_solve_again(sg_exec *exec, uint32_t index, bool *settled)
{
    sg_system_work *work = &exec->systems[index];
    memcpy(work->torn.t, work->torn.last, work->torn.n * sizeof(double));
    if (work->left.untorn)
        memcpy(work->whole.t, work->whole.last, work->whole.n * sizeof(double));
    exec->count.mixed++;
    return sg_system_solve_once(exec, index, settled);
}

// All other combinations, those next to the present one first, until one agrees with its own
// solution.
static bool try_all(sg_exec *exec, uint32_t index, const uint32_t *slots, uint32_t n)
{
    uint32_t start = 0;
    for (uint32_t k = 0; k < n; k++)
        start |= (uint32_t)exec->events->positive[slots[k]] << k;
    for (uint32_t distance = 1; distance <= n; distance++) {
        for (uint32_t flips = 1; flips < 1u << n; flips++) {
            bool settled = false;
            if (count_bits(flips) != distance)
                continue;
            set_conditions(exec, slots, n, start ^ flips);
            if (sg_system_solve_again(exec, index, &settled) == SG_OK && settled)
                return true;
        }
    }
    set_conditions(exec, slots, n, start);
    return false;
}

// Each round changes the first condition that disagrees with the solution, and no other.
static bool change_first(sg_exec *exec, uint32_t index, const uint32_t *slots, uint32_t n)
{
    bool start[MOST_CONDITIONS], before[MOST_CONDITIONS], settled = false;
    for (uint32_t k = 0; k < n; k++)
        start[k] = before[k] = exec->events->positive[slots[k]];
    for (uint32_t round = 0; round < 50 + 10 * n; round++) {
        sg_status status = sg_system_solve_again(exec, index, &settled);
        if (status == SG_OK && settled)
            return true;
        if (status != SG_OK)
            break;
        bool found = false;
        for (uint32_t k = 0; k < n; k++) {
            bool changed = !found && exec->events->positive[slots[k]] != before[k];
            before[k] ^= changed;
            found |= changed;
            exec->events->positive[slots[k]] = before[k];
        }
        if (!found) // only conditions that are none of this system's changed
            break;
    }
    for (uint32_t k = 0; k < n; k++)
        exec->events->positive[slots[k]] = start[k];
    return false;
}

// All of them false, as before anybody looked at start values, and then what the solutions say.
static bool begin_with_none(sg_exec *exec, uint32_t index, const uint32_t *slots, uint32_t n)
{
    bool start[MOST_CONDITIONS], settled = false;
    sg_status status = SG_OK;
    for (uint32_t k = 0; k < n; k++) {
        start[k] = exec->events->positive[slots[k]];
        exec->events->positive[slots[k]] = false;
    }
    for (int round = 0; round < ROUNDS && status == SG_OK && !settled; round++)
        status = sg_system_solve_again(exec, index, &settled);
    for (uint32_t k = 0; k < n && !(status == SG_OK && settled); k++)
        exec->events->positive[slots[k]] = start[k];
    return status == SG_OK && settled;
}

// What is less than this part of its terms, or of the largest unknown, is rounding: a solution may
// be off by as much (accuracy.c).
static const double rounding = 1e-9;

// By how much do the unknowns differ from `before`, as a part of the largest?
static double moved(const double *before, const double *now, uint32_t n)
{
    double most = 0.0, size = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        most = fmax(most, fabs(now[i] - before[i]));
        size = fmax(size, fmax(fabs(now[i]), fabs(before[i])));
    }
    return size > 0.0 ? most / size : 0.0;
}

bool sg_system_contradicts(sg_exec *exec, uint32_t index)
{
    const sg_torn_system *s = &exec->program->systems.data[index];
    sg_system_work *work = &exec->systems[index];
    uint32_t slots[MOST_CONDITIONS];
    bool before[MOST_CONDITIONS], settled = false, off = false;
    if (!exec->events || exec->events->relaxed)
        return false;
    uint32_t n = list_conditions(exec, s, slots);
    for (uint32_t k = 0; k < n; k++)
        before[k] = exec->events->positive[slots[k]];
    sg_system_gather(exec, s->unknowns, s->n_unknowns, work->torn.last);
    if (n == 0 || sg_system_solve_once(exec, index, &settled) != SG_OK || settled)
        return false;
    sg_system_gather(exec, s->unknowns, s->n_unknowns, work->torn.t);
    sg_system_error(exec, index, work->left.untorn ? &work->whole : &work->torn);
    for (uint32_t pc = work->body; pc < work->prep && !off; pc++) {
        const sg_linked *c = &exec->steps.list[pc];
        for (uint32_t k = 0; k < n && (c->form == SG_L_POSITIVE || c->form == SG_L_NEGATIVE); k++)
            off |= slots[k] == c->b && exec->events->positive[c->b] != before[k] &&
                   fabs(exec->w[c->a]) > rounding * exec->sizes[c->a];
    }
    return off && moved(work->torn.last, work->torn.t, work->torn.n) > rounding;
}

bool sg_system_search(sg_exec *exec, uint32_t index)
{
    const sg_torn_system *s = &exec->program->systems.data[index];
    uint32_t slots[MOST_CONDITIONS];
    sg_failure failure = exec->failure;
    if (!exec->events || !sg_events_deciding(exec->events))
        return false;
    uint32_t n = list_conditions(exec, s, slots);
    exec->solving.searching = true;
    bool found =
        !exec->systems[index].left.solved && n > 0 && begin_with_none(exec, index, slots, n);
    if (!found)
        found = n <= TRY_ALL ? try_all(exec, index, slots, n) : change_first(exec, index, slots, n);
    exec->solving.searching = false;
    exec->failure = failure;
    if (found) {
        exec->events->n_changes++; // whoever looked at them before must look again
        sg_events_restart(exec->events, SG_RESTART);
        exec->failure = (sg_failure){0};
    }
    return found;
}
