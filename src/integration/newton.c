#include "integration/newton.h"

#include "math/least_squares.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    STEP_LIMIT = 1000,    // a double root needs fifty, an exponential one for each factor of e
    DAMPING_LIMIT = 30,   // halvings of one step
    HOMOTOPY_LIMIT = 400, // stages from the guess to the conditions
    SHRINK_LIMIT = 6,     // smaller scales of unknowns near zero
};
// The last correction relative to the unknowns: with the rounding of central differences in the
// matrix each step gains at least six digits, so this is reached or rounding stands in the way.
static const double step_tolerance = 1e-12;
// Corrections below this that stopped shrinking are rounding.
static const double step_rounding = 1e-8;
// A condition holds if it is off by this part of its terms.
static const double holds_tolerance = 1e-8;
// ... where an unknown near zero counts with this part of its scale, which may be too large.
static const double near_zero = 1e-4;
// Columns that add less than this to the others are not independent of them; differences have ten
// digits.
static const double rank_tolerance = 1e-7;
static const double shrinkage = 1e-4;
// An unknown that no condition feels where the method got stuck begins aside by this part.
static const double nudge = 0.1;

typedef struct newton_work {
    const sg_newton_problem *p;
    int n, m;
    double *jacobian, *a, *weight, *unit; // m x n, copy, of rows, of columns
    double *scale;                        // per unknown: its size where its value is smaller
    double *r, *size, *target;            // F(x) - target is made to vanish
    double *step, *next, *trial, *r_trial, *size_trial, *b, *work;
    int *order, rank;
    int iterations;
} newton_work;

size_t sg_newton_numbers(int n_unknowns, int n_conditions)
{
    size_t n = (size_t)n_unknowns, m = (size_t)n_conditions;
    return 2 * n * m + 16 * (n + m) + 64 + sg_least_squares_size(n_conditions, n_unknowns);
}

static bool prepare(newton_work *w, sg_arena *arena)
{
    size_t n = (size_t)w->n, m = (size_t)w->m;
    w->jacobian = SG_NEW_ARRAY(arena, double, n *m + 1);
    w->a = SG_NEW_ARRAY(arena, double, n *m + 1);
    w->weight = SG_NEW_ARRAY(arena, double, m + 1);
    w->unit = SG_NEW_ARRAY(arena, double, n + 1);
    w->scale = SG_NEW_ARRAY(arena, double, n + 1);
    w->r = SG_NEW_ARRAY(arena, double, m + 1);
    w->size = SG_NEW_ARRAY(arena, double, m + 1);
    w->target = SG_NEW_ARRAY(arena, double, m + 1);
    w->step = SG_NEW_ARRAY(arena, double, n + 1);
    w->next = SG_NEW_ARRAY(arena, double, n + 1);
    w->trial = SG_NEW_ARRAY(arena, double, n + 1);
    w->r_trial = SG_NEW_ARRAY(arena, double, m + 1);
    w->size_trial = SG_NEW_ARRAY(arena, double, m + 1);
    w->b = SG_NEW_ARRAY(arena, double, m + 1);
    w->work = SG_NEW_ARRAY(arena, double, sg_least_squares_size(w->m, w->n));
    w->order = SG_NEW_ARRAY(arena, int, n + 1);
    return !arena->failed;
}

static bool evaluate(const newton_work *w, const double *x, double *r, double *size)
{
    if (!w->p->eval(w->p->context, x, r, size))
        return false;
    for (int i = 0; i < w->m; i++)
        if (!isfinite(r[i]))
            return false;
    return true;
}

static double size_of(const newton_work *w, const double *x, int j)
{
    return fmax(fabs(x[j]), w->scale[j]);
}

// One column by differences to both sides, or to the one that has values.
static bool differentiate(newton_work *w, const double *x, int j)
{
    double h = cbrt(DBL_EPSILON) * size_of(w, x, j), at[2];
    memcpy(w->trial, x, (size_t)w->n * sizeof *x);
    w->trial[j] = at[0] = x[j] + h;
    bool up = evaluate(w, w->trial, w->r_trial, w->size_trial);
    w->trial[j] = at[1] = x[j] - h;
    bool down = evaluate(w, w->trial, w->b, w->size_trial);
    if (!up && !down)
        return false;
    const double *right = up ? w->r_trial : w->r, *left = down ? w->b : w->r;
    double width = (up ? at[0] : x[j]) - (down ? at[1] : x[j]);
    for (int i = 0; i < w->m; i++)
        w->jacobian[i * w->n + j] = (right[i] - left[i]) / width;
    return true;
}

// The matrix at x, with units that make rows and columns comparable. A row that only rounding moves
// is zero.
static bool fill_jacobian(newton_work *w, const double *x)
{
    for (int j = 0; j < w->n; j++) {
        w->unit[j] = size_of(w, x, j);
        if (!differentiate(w, x, j))
            return false;
    }
    for (int i = 0; i < w->m; i++) {
        double sum = 0.0;
        for (int j = 0; j < w->n; j++)
            sum += fabs(w->jacobian[i * w->n + j]) * w->unit[j];
        bool moves = sum > rank_tolerance * w->size[i];
        for (int j = 0; j < w->n && !moves; j++)
            w->jacobian[i * w->n + j] = 0.0;
        w->weight[i] = moves ? 1.0 / sum : w->size[i] > 0.0 ? 1.0 / w->size[i] : 1.0;
    }
    return true;
}

// The shortest step, in the units of the columns, for the residuals r.
static void solve_step(newton_work *w, const double *r, double *step)
{
    for (int i = 0; i < w->m; i++) {
        for (int j = 0; j < w->n; j++)
            w->a[i * w->n + j] = w->weight[i] * w->jacobian[i * w->n + j] * w->unit[j];
        w->b[i] = -w->weight[i] * (r[i] - w->target[i]);
    }
    w->rank = sg_least_squares(w->a, w->m, w->n, w->b, rank_tolerance, step, w->order, w->work);
}

static double largest(const double *x, int n)
{
    double most = 0.0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

static double length_of(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum = hypot(sum, x[i]);
    return sum;
}

// Does a condition hold, but for the target?
static bool is_met(const newton_work *w, const double *x, int i)
{
    double terms = w->size[i];
    for (int j = 0; j < w->n; j++)
        terms = fmax(terms,
                     fabs(w->jacobian[i * w->n + j]) * fmax(fabs(x[j]), near_zero * w->scale[j]));
    return fabs(w->r[i] - w->target[i]) <= holds_tolerance * terms;
}

static bool holds(const newton_work *w, const double *x)
{
    for (int i = 0; i < w->m; i++)
        if (!is_met(w, x, i))
            return false;
    return true;
}

// Goes along the step as far as the next correction becomes shorter. False: nowhere.
static bool take_step(newton_work *w, double *x, double *damping)
{
    double before = length_of(w->step, w->n);
    *damping = fmin(1.0, 2.0 * *damping);
    for (int k = 0; k < DAMPING_LIMIT; k++) {
        for (int j = 0; j < w->n; j++)
            w->trial[j] = x[j] + *damping * w->unit[j] * w->step[j];
        bool there = evaluate(w, w->trial, w->r_trial, w->size_trial);
        if (there)
            solve_step(w, w->r_trial, w->next);
        if (there && !(length_of(w->next, w->n) > (1.0 - *damping / 4.0) * before)) {
            memcpy(x, w->trial, (size_t)w->n * sizeof *x);
            memcpy(w->r, w->r_trial, (size_t)w->m * sizeof *x);
            memcpy(w->size, w->size_trial, (size_t)w->m * sizeof *x);
            return true;
        }
        *damping /= 2.0;
    }
    return false;
}

static void reset_scale(newton_work *w)
{
    for (int j = 0; j < w->n; j++)
        w->scale[j] = w->p->typical[j];
}

// A smaller scale for the unknowns that are smaller than theirs. False: there is none.
static bool shrink_scale(newton_work *w, const double *x)
{
    bool any = false;
    for (int j = 0; j < w->n; j++) {
        if (fabs(x[j]) >= w->scale[j])
            continue;
        w->scale[j] *= shrinkage;
        any = true;
    }
    return any;
}

// At the end of the way. An unknown near zero says nothing of its size: differences that are too
// wide for it give steps that seem to be rounding. So smaller ones are tried; if the conditions
// come nearer with them, the way goes on.
static bool goes_on_smaller(newton_work *w, double *x, double *damping)
{
    for (int k = 0; k < SHRINK_LIMIT && length_of(w->r, w->m) > 0.0; k++) {
        if (!shrink_scale(w, x) || !fill_jacobian(w, x))
            break;
        *damping = 1.0;
        solve_step(w, w->r, w->step);
        if (largest(w->step, w->n) > step_tolerance && take_step(w, x, damping))
            return true;
    }
    return false;
}

// From x, where r and size are known, to F(x) = target.
static sg_newton_outcome iterate(newton_work *w, double *x)
{
    double damping = 1.0;
    reset_scale(w);
    for (int k = 0; k < STEP_LIMIT; k++, w->iterations++) {
        if (!fill_jacobian(w, x))
            return SG_NEWTON_NO_VALUE;
        solve_step(w, w->r, w->step);
        double now = largest(w->step, w->n);
        bool moved = take_step(w, x, &damping);
        if (moved && now > step_tolerance)
            continue;
        if (goes_on_smaller(w, x, &damping))
            continue;
        if (now > step_rounding && !moved)
            return SG_NEWTON_STUCK;
        reset_scale(w);
        if (!fill_jacobian(w, x))
            return SG_NEWTON_NO_VALUE;
        return holds(w, x) ? SG_NEWTON_SOLVED : SG_NEWTON_NEAREST;
    }
    return holds(w, x) ? SG_NEWTON_SOLVED : SG_NEWTON_STUCK;
}

// F(x) = (1 - s) F(x0) from s = 0, where x0 is the solution, to s = 1.
static sg_newton_outcome lead_over(newton_work *w, double *x, const double *r0, double *kept)
{
    size_t bytes = (size_t)w->n * sizeof *x;
    double s = 0.0, ds = 0.1;
    memcpy(kept, x, bytes);
    for (int k = 0; k < HOMOTOPY_LIMIT && s < 1.0 && ds > 1e-6; k++) {
        double next = fmin(1.0, s + ds);
        for (int i = 0; i < w->m; i++)
            w->target[i] = (1.0 - next) * r0[i];
        memcpy(x, kept, bytes);
        if (evaluate(w, x, w->r, w->size) && iterate(w, x) == SG_NEWTON_SOLVED) {
            memcpy(kept, x, bytes);
            s = next;
            ds *= 2.0;
        } else {
            ds /= 4.0;
        }
    }
    memset(w->target, 0, (size_t)w->m * sizeof *x);
    memcpy(x, kept, bytes);
    return s >= 1.0 ? SG_NEWTON_SOLVED : SG_NEWTON_STUCK;
}

// The rank without column `out`.
static int rank_without(newton_work *w, int out)
{
    for (int i = 0; i < w->m; i++) {
        for (int j = 0; j < w->n; j++)
            w->a[i * w->n + j] =
                j == out ? 0.0 : w->weight[i] * w->jacobian[i * w->n + j] * w->unit[j];
        w->b[i] = 0.0;
    }
    return sg_least_squares(w->a, w->m, w->n, w->b, rank_tolerance, w->next, w->order, w->work);
}

// Which unknowns nothing depends on, and which could be traded for others.
static void describe(newton_work *w, const double *x, sg_newton_result *result)
{
    if (!evaluate(w, x, w->r, w->size) || !fill_jacobian(w, x))
        return;
    solve_step(w, w->r, w->next);
    result->rank = w->rank;
    for (int j = 0; j < w->n; j++) {
        double most = 0.0;
        for (int i = 0; i < w->m; i++)
            most = fmax(most, fabs(w->weight[i] * w->jacobian[i * w->n + j] * w->unit[j]));
        result->idle[j] = most <= rank_tolerance;
        result->open[j] =
            !result->idle[j] && result->rank < w->n && rank_without(w, j) == result->rank;
    }
    for (int i = 0; i < w->m; i++)
        result->met[i] = is_met(w, x, i);
}

// From the guess: directly, or led over. x holds the better end.
static sg_newton_outcome solve_from(newton_work *w, const double *guess, double *x, double *work)
{
    size_t n = (size_t)w->n, m = (size_t)w->m;
    double *led = work, *kept = led + n, *r0 = kept + n;
    memcpy(x, guess, n * sizeof *x);
    if (!evaluate(w, x, w->r, w->size))
        return SG_NEWTON_NO_VALUE;
    memcpy(r0, w->r, m * sizeof *x);
    sg_newton_outcome outcome = iterate(w, x);
    if (outcome == SG_NEWTON_SOLVED)
        return outcome;
    memcpy(led, guess, n * sizeof *x);
    if (lead_over(w, led, r0, kept) != SG_NEWTON_SOLVED)
        return outcome;
    memcpy(x, led, n * sizeof *x);
    return SG_NEWTON_SOLVED;
}

sg_status sg_newton_solve(const sg_newton_problem *problem, double *x, sg_arena *arena,
                          sg_newton_result *result)
{
    newton_work w = {.p = problem, .n = problem->n, .m = problem->m};
    size_t n = (size_t)w.n, m = (size_t)w.m;
    *result = (sg_newton_result){.outcome = SG_NEWTON_NO_VALUE};
    result->idle = SG_NEW_ARRAY(arena, bool, n + 1);
    result->open = SG_NEW_ARRAY(arena, bool, n + 1);
    result->met = SG_NEW_ARRAY(arena, bool, m + 1);
    double *guess = SG_NEW_ARRAY(arena, double, n + 1), *end = SG_NEW_ARRAY(arena, double, n + 1);
    double *work = SG_NEW_ARRAY(arena, double, 2 * n + m + 1);
    if (!prepare(&w, arena) || arena->failed)
        return SG_ERR_MEMORY;
    memcpy(guess, x, n * sizeof *x);
    result->outcome = solve_from(&w, guess, x, work);
    describe(&w, x, result);
    if (result->outcome == SG_NEWTON_NEAREST || result->outcome == SG_NEWTON_STUCK) {
        // v^2 = 4 does not feel v at its guess of zero; one step aside it does.
        bool unfelt = false;
        for (int j = 0; j < w.n; j++) {
            if (result->idle[j])
                guess[j] += nudge * problem->typical[j];
            unfelt = unfelt || result->idle[j];
        }
        if (unfelt && solve_from(&w, guess, end, work) == SG_NEWTON_SOLVED) {
            memcpy(x, end, n * sizeof *x);
            result->outcome = SG_NEWTON_SOLVED;
        }
        describe(&w, x, result);
    }
    result->iterations = w.iterations;
    return SG_OK;
}
