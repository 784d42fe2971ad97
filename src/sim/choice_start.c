// Is the choice of states regular where the run begins? Judged before anything is evaluated, since
// a singular choice cannot be evaluated at all.
//
// The matrix of the constraints is taken at the start values. These are often only guesses: what
// has an init value stays, and the rest moves to the nearest point where the constraints hold
// (Gauss-Newton, shortest steps), because a choice that is fine at the guess may be singular there.
#include "equations/reselect.h"
#include "math/least_squares.h"
#include "sim/choice.h"
#include "symbolic/eval.h"

#include <math.h>
#include <string.h>

// Start values count as satisfying a constraint if it is off by less than this part of its terms;
// if one of the states has an init value, which must come out as it is, there is less room.
#define CONSISTENT 1e-4
#define CONSISTENT_WITH_INIT 1e-12
// Moved values are as good as rounding allows after a few steps, or they do not get there.
#define MAX_MOVES 30
#define MOVED 1e-13

enum { UNKNOWN, UNDER_WAY, KNOWN };

typedef struct start_point {
    const sg_state_choice *choice;
    sg_flat *flat;
    const sg_exec_source *source;
    sg_arena arena;
    sg_expr_id *assigned; // per variable: what computes it, if that is an assignment
    double *value;        // per variable, once it is known
    unsigned char *state; // per variable
    sg_expr_values values;
} start_point;

typedef struct mover {
    double *a, *step, *work;
    int *order;
} mover;

static double given_number(bool given, const sg_given *value)
{
    return !given ? 0.0 : sg_dims_count(value->shape) == 1 ? value->data[0] : (double)NAN;
}

static double value_of_par(void *context, sg_par_id par)
{
    start_point *p = context;
    sg_given value;
    bool given = p->source->par(p->source->context, par.i, &value);
    return given ? given_number(true, &value) : (double)NAN;
}

// A start value; or what the assignments make of start values; or zero.
static double value_of_var(void *context, sg_var_id var)
{
    start_point *p = context;
    sg_given value;
    if (var.i >= p->flat->vars.len || p->state[var.i] == UNDER_WAY)
        return NAN;
    if (p->state[var.i] == KNOWN)
        return p->value[var.i];
    p->state[var.i] = UNDER_WAY;
    bool given = p->source->start(p->source->context, var.i, &value);
    double number = given_number(given, &value);
    if (!given && p->assigned[var.i].i &&
        !sg_expr_eval(&p->flat->exprs, p->assigned[var.i], &p->values, &number))
        number = NAN;
    p->value[var.i] = number;
    p->state[var.i] = KNOWN;
    return number;
}

static bool prepare(start_point *p)
{
    const sg_blocks *blocks = &p->choice->structure.blocks;
    size_t n = p->flat->vars.len + 1;
    p->assigned = SG_NEW_ARRAY(&p->arena, sg_expr_id, n);
    p->value = SG_NEW_ARRAY(&p->arena, double, n);
    p->state = SG_NEW_ARRAY(&p->arena, unsigned char, n);
    if (p->arena.failed)
        return false;
    for (uint32_t b = 0; b < blocks->n; b++) {
        const sg_block *block = &blocks->list[b];
        if (block->kind == SG_BLOCK_ASSIGN)
            p->assigned[block->assigns[0].var.i] =
                blocks->bodies
                    ? sg_func_inline(&p->flat->exprs, block->assigns[0].value, blocks->bodies)
                    : block->assigns[0].value;
    }
    p->values = (sg_expr_values){p, value_of_var, value_of_par, p->values.time};
    return true;
}

static uint32_t count_vars(const sg_constraint_set *set)
{
    return set->n_solved + set->n_dummies + set->n_states;
}

static bool has_init(const start_point *p, sg_var_id var)
{
    return p->flat->vars.data[var.i].attributes & SG_ATTR_HAS_INIT;
}

static bool all_have_init(const start_point *p, const sg_constraint_set *set)
{
    for (uint32_t k = 0; k < count_vars(set); k++)
        if (!has_init(p, set->vars[k]))
            return false;
    return true;
}

static bool evaluate_entries(start_point *p, const sg_constraint_set *set, double *entries)
{
    for (uint32_t k = 0; k < set->n_residuals * count_vars(set); k++)
        if (!sg_expr_eval(&p->flat->exprs, set->jacobian[k], &p->values, &entries[k]) ||
            !isfinite(entries[k]))
            return false;
    return true;
}

// By how much each constraint is off, and the size of its largest term.
static bool evaluate_residuals(start_point *p, const sg_constraint_set *set, const double *entries,
                               double *residuals, double *largest)
{
    const sg_func_bodies *bodies = p->choice->structure.blocks.bodies;
    uint32_t n_vars = count_vars(set);
    for (uint32_t i = 0; i < set->n_residuals; i++) {
        sg_expr_id r = set->residuals[i];
        if (bodies)
            r = sg_func_inline(&p->flat->exprs, r, bodies);
        if (!sg_expr_eval(&p->flat->exprs, r, &p->values, &residuals[i]))
            return false;
        largest[i] = 0.0;
        for (uint32_t k = 0; k < n_vars; k++)
            largest[i] =
                fmax(largest[i], fabs(entries[i * n_vars + k] * value_of_var(p, set->vars[k])));
    }
    return true;
}

static bool is_consistent(const start_point *p, const sg_constraint_set *set,
                          const double *residuals, const double *largest)
{
    double tolerance = CONSISTENT;
    for (uint32_t k = set->n_solved + set->n_dummies; k < count_vars(set); k++)
        if (has_init(p, set->vars[k]))
            tolerance = CONSISTENT_WITH_INIT;
    for (uint32_t i = 0; i < set->n_residuals; i++)
        if (!(fabs(residuals[i]) <= tolerance * largest[i]))
            return false;
    return true;
}

// One step of the variables without init to where the constraints hold. False: they cannot.
static bool move(start_point *p, const sg_constraint_set *set, const double *entries,
                 const double *residuals, mover *w, bool *arrived)
{
    uint32_t n = set->n_residuals, m = count_vars(set);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < m; k++)
            w->a[i * m + k] = has_init(p, set->vars[k]) ? 0.0 : -entries[i * m + k];
    int rank = sg_least_squares(w->a, (int)n, (int)m, residuals, 1e-12, w->step, w->order, w->work);
    *arrived = true;
    for (uint32_t k = 0; k < m; k++) {
        double *value = &p->value[set->vars[k].i];
        *arrived = *arrived && fabs(w->step[k]) <= MOVED * fabs(*value + w->step[k]);
        *value += w->step[k];
        if (!isfinite(*value))
            return false;
    }
    return rank > 0 || *arrived;
}

// Assignments may depend on what moved.
static void forget_computed(start_point *p, const sg_constraint_set *set)
{
    for (size_t v = 1; v < p->flat->vars.len; v++)
        if (p->assigned[v].i)
            p->state[v] = UNKNOWN;
    for (uint32_t k = 0; k < count_vars(set); k++)
        p->state[set->vars[k].i] = KNOWN;
}

// To the nearest point that satisfies the constraints; the entries are those of that point.
static bool move_to_constraints(start_point *p, const sg_constraint_set *set, double *entries,
                                double *residuals, double *largest)
{
    size_t n = set->n_residuals, m = count_vars(set);
    mover w = {SG_NEW_ARRAY(&p->arena, double, n *m), SG_NEW_ARRAY(&p->arena, double, m),
               SG_NEW_ARRAY(&p->arena, double, sg_least_squares_size((int)n, (int)m)),
               SG_NEW_ARRAY(&p->arena, int, m)};
    bool arrived = false;
    if (p->arena.failed)
        return false;
    for (int k = 0; k < MAX_MOVES && !arrived; k++) {
        if (!move(p, set, entries, residuals, &w, &arrived))
            return false;
        forget_computed(p, set);
        if (!evaluate_entries(p, set, entries) ||
            !evaluate_residuals(p, set, entries, residuals, largest))
            return false;
    }
    for (uint32_t i = 0; i < n; i++)
        if (!(fabs(residuals[i]) <= CONSISTENT_WITH_INIT * largest[i]))
            return false;
    return true;
}

// Writes the entries of one set; false: it cannot be judged. `moved` per variable: the value it was
// moved to.
static bool look_at(start_point *p, const sg_constraint_set *set, double *entries, double *moved)
{
    double *residuals = SG_NEW_ARRAY(&p->arena, double, set->n_residuals + 1);
    double *largest = SG_NEW_ARRAY(&p->arena, double, set->n_residuals + 1);
    if (p->arena.failed || !evaluate_entries(p, set, entries) ||
        !evaluate_residuals(p, set, entries, residuals, largest))
        return false;
    if (is_consistent(p, set, residuals, largest))
        return true;
    if (!move_to_constraints(p, set, entries, residuals, largest))
        return all_have_init(p, set); // a contradiction, which the check of init values reports
    for (uint32_t k = 0; k < count_vars(set); k++)
        if (!has_init(p, set->vars[k]))
            moved[set->vars[k].i] = p->value[set->vars[k].i];
    return true;
}

bool sg_linked_choice_judge_start(sg_linked_choice *s, sg_flat *flat, const sg_exec_source *source,
                                  double time, signed char *preference, double *moved)
{
    const sg_state_choice *choice = s->choice;
    start_point p = {.choice = choice, .flat = flat, .source = source, .values = {.time = time}};
    for (size_t v = 0; v < flat->vars.len; v++)
        moved[v] = NAN;
    if (!choice->n_entries)
        return false;
    sg_arena_init(&p.arena, s->allocator);
    bool ready = prepare(&p);
    double *entries = s->entries;
    for (uint32_t k = 0; k < choice->structure.n_constraints && ready; k++) {
        const sg_constraint_set *set = &choice->structure.constraints[k];
        if (!set->jacobian || !set->n_states)
            continue;
        if (!look_at(&p, set, entries, moved))
            entries[0] = NAN; // leaves the choice as it is
        entries += set->n_residuals * count_vars(set);
    }
    sg_arena_destroy(&p.arena);
    return ready && sg_reselect_states(&choice->structure, s->entries, s->work, preference);
}
