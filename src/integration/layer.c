#include "integration/layer.h"

#include "math/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

// A failure is one of the first steps if time has not moved on by more than so many units in its
// last place, or this part of a five hundredth of the run.
static const double first_units = 1e5, first_part = 1e-12;
// The layer ends where time has so many units for what has passed, or this part of a five hundredth
// of the run has: solvers begin with a small part of what a solution takes to change.
static const double resolved_units = 1e7, resolved_part = 1e-8;
// CVODE's first step is the root of 100 digits of time times what states take to change by a tenth.
// It adds what they change by to them, and takes it away again where the step fails: so many times
// more than themselves, and nothing of them is left. Such steps are not for solvers.
static const double first_change = 0.1, digits_kept = 1e6;
// If the solver cannot go on from there, it is gone so many times farther, so often at most.
static const double farther = 100.0;
enum { TRIES = 3 };
// Dense matrices of differences; a step costs COLUMNS factors and some more evaluations.
enum { LARGEST = 200, COLUMNS = 4, MOST_STEPS = 20000 };
// The first step moves no state by more than this part of what it may be off by.
static const double first_move = 0.1;
// Steps grow and shrink by no more than these factors, and aim at less than what is allowed.
static const double growth = 4.0, shrinking = 0.1, aim = 0.7;
// Differences: this part of a state, at least this part of what it may be off by.
static const double increment = 1e-8, least_increment = 1e-2;

typedef struct layer {
    sg_integration *g;
    int n;
    double t;           // of the restart [s]
    double *x, *f;      // where it is; the rates there
    double *J, *A;      // n x n by rows
    int *pivot;         //
    double *T[COLUMNS]; // of the extrapolation
    double *y, *d;      // work
} layer;

static bool layer_init(layer *l, sg_integration *g, sg_arena *arena)
{
    size_t n = g->segment.n_states;
    *l = (layer){.g = g, .n = (int)n, .t = g->t};
    l->x = SG_NEW_ARRAY(arena, double, n);
    l->f = SG_NEW_ARRAY(arena, double, n);
    l->y = SG_NEW_ARRAY(arena, double, n);
    l->d = SG_NEW_ARRAY(arena, double, n);
    l->J = SG_NEW_ARRAY(arena, double, n *n);
    l->A = SG_NEW_ARRAY(arena, double, n *n);
    l->pivot = SG_NEW_ARRAY(arena, int, n);
    for (int k = 0; k < COLUMNS; k++)
        l->T[k] = SG_NEW_ARRAY(arena, double, n);
    if (arena->failed)
        return false;
    memcpy(l->x, g->x, n * sizeof *l->x);
    return true;
}

static double off_of(const layer *l, int i, double x)
{
    const sg_integration *g = l->g;
    return g->options.tolerance * fabs(x) + sg_integration_atol(g, (uint32_t)i) * g->sizes.part[i];
}

static bool rates(layer *l, double past, const double *x, double *f)
{
    bool ok = sg_sim_env_rhs(&l->g->env, l->t + past, x, f) == SG_OK;
    for (int i = 0; i < l->n && ok; i++)
        ok = isfinite(f[i]);
    return ok;
}

static bool find_jacobian(layer *l, double past)
{
    memcpy(l->y, l->x, (size_t)l->n * sizeof *l->y);
    for (int j = 0; j < l->n; j++) {
        double h = fmax(increment * fabs(l->x[j]), least_increment * off_of(l, j, l->x[j]));
        l->y[j] = l->x[j] + (l->f[j] < 0.0 ? -h : h); // where it is going
        h = l->y[j] - l->x[j];
        bool ok = rates(l, past, l->y, l->d);
        l->y[j] = l->x[j];
        if (!ok)
            return false;
        for (int i = 0; i < l->n; i++)
            l->J[i * l->n + j] = (l->d[i] - l->f[i]) / h;
    }
    return true;
}

// To `to`: x behind `parts` linearly implicit Euler steps that take h together.
static bool euler(layer *l, double past, double h, int parts, double *to)
{
    int n = l->n;
    double part = h / parts;
    for (int i = 0; i < n * n; i++)
        l->A[i] = -part * l->J[i];
    for (int i = 0; i < n; i++)
        l->A[i * n + i] += 1.0;
    if (sg_lu_factor(l->A, n, l->pivot, NULL) != SG_OK)
        return false;
    memcpy(to, l->x, (size_t)n * sizeof *to);
    memcpy(l->d, l->f, (size_t)n * sizeof *to);
    for (int k = 0; k < parts; k++) {
        if (k && !rates(l, past + k * part, to, l->d))
            return false;
        for (int i = 0; i < n; i++)
            l->d[i] *= part;
        sg_lu_solve(l->A, n, l->pivot, l->d);
        for (int i = 0; i < n; i++)
            to[i] += l->d[i];
    }
    return true;
}

// A step of h: its result is T[COLUMNS - 1]; `error` in what states may be off by. T[k] is column k
// of the last row of Aitken's and Neville's scheme.
static bool extrapolate(layer *l, double past, double h, double *error)
{
    *error = 0.0;
    for (int j = 0; j < COLUMNS; j++) {
        if (!euler(l, past, h, j + 1, l->y))
            return false;
        for (int i = 0; i < l->n; i++) {
            double next = l->y[i];
            for (int k = 1; k <= j; k++) {
                double was = next, ratio = (double)(j + 1) / (double)(j + 1 - k);
                next += (was - l->T[k - 1][i]) / (ratio - 1.0);
                l->T[k - 1][i] = was;
            }
            l->T[j][i] = next;
        }
    }
    for (int i = 0; i < l->n; i++) {
        double off = fabs(l->T[COLUMNS - 1][i] - l->T[COLUMNS - 2][i]) / off_of(l, i, l->x[i]);
        if (!isfinite(off))
            return false;
        *error = fmax(*error, off);
    }
    return true;
}

// The first step: what moves no state by more than next to nothing.
static double first_step(const layer *l, double longest)
{
    double h = longest;
    for (int i = 0; i < l->n; i++)
        h = fmin(h, first_move * off_of(l, i, l->x[i]) / fmax(fabs(l->f[i]), DBL_MIN));
    return h;
}

// From x with the rates f.
static bool go_through(layer *l, double length)
{
    double past = 0.0, error;
    double h = first_step(l, length);
    bool renew = true;
    for (int k = 0; k < MOST_STEPS && past < length && h > DBL_MIN; k++) {
        h = fmin(h, length - past);
        if (renew && !find_jacobian(l, past))
            return false;
        bool ok = extrapolate(l, past, h, &error);
        renew = ok && error <= 1.0;
        double factor = ok ? aim * pow(fmax(error, DBL_MIN), -1.0 / COLUMNS) : shrinking;
        if (renew) {
            memcpy(l->x, l->T[COLUMNS - 1], (size_t)l->n * sizeof *l->x);
            past += h;
            if (!rates(l, past, l->x, l->f))
                return false;
        }
        h *= fmin(fmax(factor, shrinking), growth);
    }
    return past >= length;
}

static bool is_first_step(const sg_integration *g)
{
    double least = fmax(first_units * DBL_EPSILON * fabs(g->t), first_part * g->env.sliding.scale);
    return g->t - g->restarted <= least;
}

static bool can_pass(const sg_integration *g)
{
    uint32_t n = g->segment.n_states;
    return n && n <= LARGEST && (uint32_t)g->n_solver == n && !g->env.sliding.n &&
           !g->memory.carry.on && !g->memory.constrained.by && !g->env.delays.n_taps &&
           !g->model->project && !(g->options.h_fixed > 0.0) && is_first_step(g);
}

// How long states take to change at rates f, at least [s]: as CVODE bounds its first step.
static double quickest(const sg_integration *g, const double *f)
{
    double h = INFINITY;
    for (uint32_t i = 0; i < g->segment.n_states; i++) {
        double room = first_change * fabs(g->x[i]) + sg_integration_atol(g, i) * g->sizes.part[i];
        if (f[i] != 0.0 && isfinite(f[i]))
            h = fmin(h, room / fabs(f[i]));
    }
    return h;
}

bool sg_layer_is_ahead(sg_integration *g, double t_stop)
{
    double digit = DBL_EPSILON * fmax(fabs(g->t), fabs(t_stop)), most = digit / digits_kept;
    return g->t == g->restarted && quickest(g, g->env.dx) < most && can_pass(g) &&
           sg_sim_env_rhs(&g->env, g->t, g->x, g->dx_out) == SG_OK && quickest(g, g->dx_out) < most;
}

static bool pass(sg_integration *g, double t_stop)
{
    sg_layers *seen = &g->watched.layers;
    if (!seen->n || g->restarted != seen->end)
        seen->n = 0;
    if (!can_pass(g) || seen->n == TRIES)
        return false;
    double length = pow(farther, seen->n) * fmax(resolved_units * DBL_EPSILON * fabs(g->t),
                                                 resolved_part * g->env.sliding.scale);
    sg_arena scratch;
    sg_arena_init(&scratch, g->allocator);
    layer l;
    bool ok = length < 0.5 * (t_stop - g->t) && layer_init(&l, g, &scratch) &&
              rates(&l, 0.0, l.x, l.f) && quickest(g, l.f) < length && go_through(&l, length);
    if (ok) {
        memcpy(g->env.x, l.x, (size_t)l.n * sizeof *l.x);
        g->t += length;
        seen->end = g->t;
        seen->n++;
    }
    sg_arena_destroy(&scratch);
    // Conditions may have changed on the way, and time cannot tell when: the next step finds them.
    if (ok)
        sg_solver_keep_sides(g->solver);
    return ok && sg_integration_restart(g) == SG_OK;
}

bool sg_layer_pass(sg_integration *g, double t_stop)
{
    uint64_t before = g->options.allocated ? *g->options.allocated : 0;
    bool ok = pass(g, t_stop);
    g->changes.alloc += g->options.allocated ? *g->options.allocated - before : 0;
    return ok;
}
