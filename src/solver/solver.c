#include "solver/solver.h"

#include "math/finite.h"
#include "solver/archipelago.h"
#include "solver/engine.h"
#include "solver/roots.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Below this many states a dense factorization wins even for a ladder.
#define SPARSE_FROM 32

// So many steps in a row that are hardly longer than the resolution of time.
#define TINY_STEP (8.0 * DBL_EPSILON)
#define MAX_TINY_STEPS 50

sg_solver_options sg_solver_options_default(void)
{
    return (sg_solver_options){.method = sg_algorithm_find("CVODE_BDF"),
                               .rtol = 1e-6,
                               .atol = 1e-7,
                               .sparse_from = SPARSE_FROM};
}

void sg_solver_refuse(sg_solver *s, double t, const double *x)
{
    s->refusal.on = true;
    s->refusal.t = t;
    s->refusal.step = s->stats.n_steps;
    memcpy(s->refusal.x, x, (size_t)s->problem.n * sizeof *x);
}

static int callback_flag(sg_solver *s, sg_status status, double t, const double *x,
                         const double *values)
{
    if (status == SG_OK && sg_all_finite(values, (size_t)s->problem.n))
        return 0;
    sg_solver_refuse(s, t, x);
    if (status == SG_OK || status == SG_ERR_SOLVER)
        return 1;
    s->callback = status;
    return -1;
}

static void add_offset(const sg_solver *s, const double *x, double *out)
{
    for (int32_t i = 0; i < s->problem.n; i++)
        out[i] = x[i] + s->shift.offset[i];
}

const double *sg_solver_shifted(sg_solver *s, const double *x)
{
    if (!s->shift.offset)
        return x;
    add_offset(s, x, s->shift.shifted);
    return s->shift.shifted;
}

int sg_solver_call_rhs(sg_solver *s, double t, const double *x, double *dx)
{
    if (s->vectors.refused)
        return -1;
    s->stats.n_rhs++;
    x = sg_solver_shifted(s, x);
    return callback_flag(s, s->problem.rhs(s->problem.user, t, x, dx), t, x, dx);
}

int sg_solver_call_residual(sg_solver *s, double t, const double *x, const double *dx, double *r)
{
    if (s->vectors.refused)
        return -1;
    s->stats.n_rhs++;
    x = sg_solver_shifted(s, x);
    if (s->problem.residual)
        return callback_flag(s, s->problem.residual(s->problem.user, t, x, dx, r), t, x, r);
    int flag = callback_flag(s, s->problem.rhs(s->problem.user, t, x, r), t, x, r);
    for (int32_t i = 0; i < s->problem.n; i++)
        r[i] = dx[i] - r[i];
    return flag;
}

int sg_solver_call_border(sg_solver *s, double t, const double *x, const double *y, double *f,
                          double *c)
{
    if (s->vectors.refused)
        return -1;
    s->stats.n_rhs++;
    const sg_border *b = s->problem.border;
    x = sg_solver_shifted(s, x);
    int flag = callback_flag(s, b->eval(b->user, t, x, y, f, c), t, x, f);
    return flag == 0 && !sg_all_finite(c, (size_t)s->pattern.bordered.m) ? 1 : flag;
}

static sg_status check(const sg_problem *problem, const sg_solver_options *options,
                       const char **message)
{
    const char *wrong = NULL;
    if (problem->n < 1)
        wrong = "a problem needs at least one state";
    else if (!problem->rhs && !problem->residual)
        wrong = "a problem needs a right-hand side or a residual";
    else if (!problem->rhs && !sg_algorithm_is_dae(options->method))
        wrong = "a residual without right-hand side needs the method IDA";
    else if (!(options->rtol > 0.0) || !(options->atol >= 0.0))
        wrong = "the tolerance must be positive";
    else if (options->h_fixed > 0.0 && !sg_algorithm_is_one_step(options->method))
        wrong = "a fixed step needs a Runge-Kutta method";
    if (wrong && message)
        *message = wrong;
    return wrong ? SG_ERR_USAGE : SG_OK;
}

static bool allocate(sg_solver *s)
{
    sg_arena *arena = &s->arena;
    int32_t n = s->problem.n, m = s->problem.n_roots;
    s->x = SG_NEW_ARRAY(arena, double, n);
    s->roots.x_out = SG_NEW_ARRAY(arena, double, n);
    s->dx = SG_NEW_ARRAY(arena, double, n);
    s->roots.dx_out = SG_NEW_ARRAY(arena, double, n);
    s->errors = SG_NEW_ARRAY(arena, double, 2 * n);
    s->refusal.x = SG_NEW_ARRAY(arena, double, n);
    s->bent.x = SG_NEW_ARRAY(arena, double, n);
    s->bent.f = SG_NEW_ARRAY(arena, double, n);
    if (s->problem.project) {
        s->shift.offset = SG_NEW_ARRAY(arena, double, n);
        s->shift.shifted = SG_NEW_ARRAY(arena, double, n);
        s->shift.told = SG_NEW_ARRAY(arena, double, n);
    }
    s->roots.sign = SG_NEW_ARRAY(arena, int8_t, m);
    s->roots.found = SG_NEW_ARRAY(arena, int8_t, m);
    s->roots.z_lo = SG_NEW_ARRAY(arena, double, m);
    s->roots.z_hi = SG_NEW_ARRAY(arena, double, m);
    s->roots.z_mid = SG_NEW_ARRAY(arena, double, m);
    s->roots.z_old = SG_NEW_ARRAY(arena, double, m);
    s->roots.z_most = SG_NEW_ARRAY(arena, double, m);
    s->roots.z_first = SG_NEW_ARRAY(arena, double, 2 * m);
    s->roots.sign_first = SG_NEW_ARRAY(arena, int8_t, m);
    int most = s->options.method->family == SG_FAMILY_ADAMS ? SG_EXPANSION_DEGREE : 5;
    for (int k = 0; s->problem.look_at_states && k <= most; k++)
        s->roots.expansion.c[k] = SG_NEW_ARRAY(arena, double, n);
    return !arena->failed;
}

static bool wrap_vectors(sg_solver *s)
{
    if (sg_vectors_init(&s->vectors, s->allocator, s->context, s->problem.n) != SG_OK)
        return false;
    s->wrapped.x = sg_vector_wrap(&s->vectors, s->x);
    s->wrapped.dx = sg_vector_wrap(&s->vectors, s->dx);
    s->wrapped.out = sg_vector_wrap(&s->vectors, s->roots.x_out);
    s->wrapped.out2 = sg_vector_wrap(&s->vectors, s->roots.dx_out);
    if (s->problem.atol) {
        s->wrapped.atol = sg_vector_new(&s->vectors);
        if (!s->wrapped.atol)
            return false;
        memcpy(sg_vector_data(s->wrapped.atol), s->problem.atol,
               (size_t)s->problem.n * sizeof(double));
        s->problem.atol = sg_vector_data(s->wrapped.atol);
    }
    return s->wrapped.x && s->wrapped.dx && s->wrapped.out && s->wrapped.out2;
}

static double size_of(const sg_solver *s, const double *x, int32_t i)
{
    const double *most = s->problem.most;
    return most ? fmin(fabs(x[i]), most[i]) : fabs(x[i]);
}

static double length_of(const sg_solver *s, const double *x, int32_t i)
{
    const double *most = s->problem.most;
    double length = sqrt(x[i] * x[i] + x[i + 1] * x[i + 1] + x[i + 2] * x[i + 2]);
    return most ? fmin(length, most[i]) : length;
}

int sg_solver_weigh(N_Vector y, N_Vector weights, void *solver)
{
    const sg_solver *s = solver;
    const double *x = sg_vector_data(y);
    double *w = sg_vector_data(weights), part = s->calm.part > 0.0 ? s->calm.part : 1.0;
    const uint32_t *first = s->problem.vectors, *end = first ? first + s->problem.n_vectors : NULL;
    double length = 0.0;
    for (int32_t i = 0, more = 0; i < s->problem.n; i++, more--) {
        if (first != end && (uint32_t)i == *first) {
            length = length_of(s, x, i);
            more = 3;
            first++;
        }
        double atol = s->wrapped.atol ? sg_vector_data(s->wrapped.atol)[i] : s->options.atol;
        double size = more > 0 ? length : size_of(s, x, i);
        double weight = part * (s->options.rtol * size + atol);
        if (!(weight > 0.0))
            return -1;
        w[i] = 1.0 / weight;
    }
    return 0;
}

static const sg_engine_ops *engine_of(sg_family family)
{
    switch (family) {
    case SG_FAMILY_IDA:
        return &sg_ida_ops;
    case SG_FAMILY_ERK:
    case SG_FAMILY_DIRK:
        return &sg_arkode_ops;
    case SG_FAMILY_BDF:
    case SG_FAMILY_ADAMS:
        break;
    }
    return &sg_cvode_ops;
}

// SUNDIALS takes many small blocks and does not survive it everywhere if it cannot have one. What
// is free here is there for them; vectors and matrices are our own.
static bool has_room(void)
{
    void *volatile room = malloc(100 * 1024); // else the compiler knows that nobody uses it
    bool there = room != NULL;
    free(room);
    return there;
}

sg_status sg_solver_create(const sg_allocator *allocator, const sg_problem *problem,
                           const sg_solver_options *options, sg_solver **out, const char **message)
{
    if (!allocator)
        allocator = sg_allocator_default();
    *out = NULL;
    if (message)
        *message = "out of memory";
    sg_status status = check(problem, options, message);
    if (status)
        return status;
    sg_solver *s = allocator->resize(allocator->context, NULL, 0, sizeof *s);
    if (!s)
        return SG_ERR_MEMORY;
    *s = (sg_solver){.allocator = allocator,
                     .problem = *problem,
                     .options = *options,
                     .asked = {.rtol = options->rtol,
                               .atol = options->atol,
                               .atol_each = problem->atol,
                               .part = 1.0},
                     .phase.creating = true,
                     .pace.bound = INFINITY,
                     .pace.most = options->h_max};
    sg_arena_init(&s->arena, allocator);
    s->ops = engine_of(options->method->family);
    if (!allocate(s) || !has_room() || SUNContext_Create(NULL, &s->context) != 0 ||
        !wrap_vectors(s))
        status = SG_ERR_MEMORY;
    else
        status = s->ops->create(s);
    s->phase.creating = false;
    if (status) {
        if (message && s->problem.n > SG_MOST_FULL && status == SG_ERR_USAGE)
            *message = "an implicit method for more than 40000 states that all depend on each "
                       "other is too much";
        else if (message)
            *message = status == SG_ERR_MEMORY ? "out of memory" : "SUNDIALS refused the options";
        sg_solver_destroy(s);
        return status;
    }
    *out = s;
    return SG_OK;
}

void sg_solver_destroy(sg_solver *s)
{
    if (!s)
        return;
    sg_archipelago_destroy(s->many);
    if (s->ops)
        s->ops->destroy(s);
    sg_linear_destroy(s);
    N_Vector vectors[] = {s->wrapped.x, s->wrapped.dx, s->wrapped.out, s->wrapped.out2,
                          s->wrapped.atol};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        if (vectors[i])
            N_VDestroy(vectors[i]);
    sg_vectors_destroy(&s->vectors);
    if (s->context)
        SUNContext_Free(&s->context);
    sg_arena_destroy(&s->arena);
    s->allocator->resize(s->allocator->context, s, sizeof *s, 0);
}

double sg_solver_stiff(const sg_solver *s) { return s->pace.stiff; }

const double *sg_solver_root_values(const sg_solver *s) { return s->roots.z_lo; }
void sg_solver_keep_sides(sg_solver *s) { s->roots.keeps_sides = true; }

static sg_status restart_engine(sg_solver *s)
{
    sg_engine_counters counters = {0};
    s->ops->counters(s, &counters);
    s->rejected_before += (uint64_t)counters.rejected;
    s->stats.n_restarts++;
    s->phase.fresh = true;
    return s->ops->reinit(s);
}

sg_status sg_solver_reinit(sg_solver *s, double t, const double *x)
{
    if (s->many)
        return sg_archipelago_restart(s->many, t, x);
    s->callback = SG_OK;
    s->message[0] = '\0';
    s->t = s->roots.t_out = t;
    s->phase.leapt = false;
    if (x != s->x)
        memmove(s->x, x, (size_t)s->problem.n * sizeof(double));
    if (s->shift.offset)
        memset(s->shift.offset, 0, (size_t)s->problem.n * sizeof(double));
    sg_status status = restart_engine(s);
    s->phase.started = status == SG_OK;
    return status ? status : sg_roots_arm(s);
}

// A distance that the methods cannot resolve: follow the tangent there instead.
static bool too_close(double t, double t_stop)
{
    return t_stop - t <= 64.0 * DBL_EPSILON * fmax(fabs(t), fabs(t_stop));
}

static sg_status leap(sg_solver *s, double t_stop)
{
    double *f = s->roots.dx_out;
    if (s->problem.rhs && sg_solver_call_rhs(s, s->t, s->x, f) == 0)
        for (int32_t i = 0; i < s->problem.n; i++)
            s->x[i] += (t_stop - s->t) * f[i];
    s->t = t_stop;
    return restart_engine(s);
}

// May the step that the method has in mind be longer than its bound? `before` is the largest step
// that it knew of when it chose it.
static bool may_exceed(const sg_solver *s, double before)
{
    if (s->options.h_fixed > 0.0)
        return s->options.h_fixed > s->pace.bound;
    if (s->phase.fresh) // multistep methods choose a first step when they know the bound
        return sg_algorithm_is_one_step(s->options.method);
    if (before > 0.0 && before <= s->pace.bound)
        return false;
    sg_engine_counters counters = {0};
    s->ops->counters(s, &counters); // does not know what comes after a stop
    return s->phase.at_stop || !(counters.h <= s->pace.bound);
}

// Tells the method its bound, and moves the stop time to where the step must end. As the largest
// step a bound is welcome to all of them, but they look at it when a step ends, to choose the next
// one; so a bound that shrank needs a stop time. That has a price: a step that ends before it is
// followed by a short one up to it, after which multistep methods grow slowly. It is therefore only
// given where the next step may be too long.
static sg_status bound_next(sg_solver *s, double *t_stop)
{
    double most = s->options.h_max, before = s->pace.most;
    if (isfinite(s->pace.bound) && !(most > 0.0 && most <= s->pace.bound))
        most = s->pace.bound;
    if (most != before) {
        sg_status status = s->ops->set_max_step(s, most);
        if (status)
            return status;
        s->pace.most = most;
    }
    double end = s->t + s->pace.bound;
    if (end < *t_stop && end > s->t && may_exceed(s, before))
        *t_stop = end;
    return SG_OK;
}

// Between two steps: the states move to where the constraints hold, and the offset with them. To
// the method this is a constant that was added to its past, which no formula notices.
static sg_status project(sg_solver *s)
{
    if (!s->shift.offset || s->phase.fresh)
        return SG_OK;
    add_offset(s, s->x, s->shift.told);
    sg_status status = s->problem.project(s->problem.user, s->t, s->shift.told);
    if (status)
        return sg_solver_fail(s, status, "the constraints of the model cannot be held");
    for (int32_t i = 0; i < s->problem.n; i++)
        s->shift.offset[i] = s->shift.told[i] - s->x[i];
    return SG_OK;
}

static sg_status advance(sg_solver *s, double t_stop)
{
    double t0 = s->t;
    sg_status status = project(s);
    if (!status)
        status = bound_next(s, &t_stop);
    bool leaps = too_close(t0, t_stop);
    if (!status)
        status = leaps ? leap(s, t_stop) : s->ops->step(s, t_stop);
    if (status)
        return status;
    s->phase.fresh = s->phase.leapt = leaps;
    s->phase.at_stop = s->t >= t_stop;
    s->stats.n_steps++;
    s->stats.h_last = s->t - t0;
    // Near a singularity the methods go on with steps that do not move time any more.
    s->pace.tiny_steps =
        s->t - t0 <= TINY_STEP * fabs(s->t) && s->t < t_stop ? s->pace.tiny_steps + 1 : 0;
    if (s->pace.tiny_steps > MAX_TINY_STEPS)
        return sg_solver_fail(s, SG_ERR_SOLVER, "the step became too small to advance time");
    return SG_OK;
}

sg_status sg_solver_step(sg_solver *s, double t_stop, sg_advance *step)
{
    if (s->many)
        return sg_archipelago_step(s->many, t_stop, step);
    s->callback = SG_OK;
    s->message[0] = '\0';
    *step = (sg_advance){.t0 = s->roots.t_out, .t = s->roots.t_out, .x = s->x};
    if (!s->phase.started || !(t_stop > s->roots.t_out))
        return sg_solver_fail(s, SG_ERR_USAGE, "a step needs a start and a time ahead of it");
    if (s->t <= s->roots.t_out) {
        sg_status status = advance(s, t_stop);
        if (status)
            return status;
    }
    // Of a step that went on behind a root the rest is bounded, too.
    double end = fmin(s->t, t_stop), bound = s->roots.t_out + s->pace.bound;
    s->pace.bound = INFINITY;
    sg_status status =
        sg_roots_scan(s, bound > s->roots.t_out ? fmin(end, bound) : end, t_stop, step);
    if (s->shift.offset) {
        add_offset(s, step->x, s->shift.told);
        step->x = s->shift.told;
    }
    return status;
}

double sg_solver_time(const sg_solver *s) { return s->many ? sg_archipelago_time(s->many) : s->t; }

void sg_solver_pause(sg_solver *s, double t)
{
    if (s->many)
        sg_archipelago_pause(s->many, t);
}

sg_status sg_solver_look_again(sg_solver *s, sg_advance *step)
{
    return s->many ? sg_archipelago_go_on(s->many, step) : sg_roots_take_back(s, step);
}

int sg_expand_derivatives(sg_solver *s, int order,
                          int (*derivative)(void *memory, double t, int k, N_Vector out),
                          sg_expansion *e)
{
    int flag = 0;
    double factor = 1.0;
    e->origin = s->t;
    e->unit = s->stats.h_last;
    e->degree = order;
    for (int k = 0; k <= order && flag == 0; k++) {
        sg_vector_point(s->wrapped.out, e->c[k]);
        flag = derivative(s->memory, s->t, k, s->wrapped.out);
        factor *= k ? e->unit / k : 1.0;
        for (int32_t i = 0; k && i < s->problem.n; i++)
            e->c[k][i] *= factor;
    }
    return flag;
}

sg_status sg_solver_within(sg_solver *s, double t, double *x, double *dx)
{
    if (!s->phase.leapt)
        return s->ops->interpolate(s, t, x, dx);
    memcpy(x, s->x, (size_t)s->problem.n * sizeof *x);
    for (int32_t i = 0; dx && i < s->problem.n; i++)
        dx[i] = 0.0;
    return SG_OK;
}

bool sg_solver_interpolate_roughly(sg_solver *s, double t, double *x, double *dx)
{
    if (s->many || s->phase.leapt || !s->ops->interpolate_roughly ||
        !s->ops->interpolate_roughly(s, t, x, dx))
        return false;
    if (s->shift.offset)
        add_offset(s, x, x);
    return true;
}

sg_status sg_solver_interpolate(sg_solver *s, double t, double *x, double *dx)
{
    if (s->many)
        return sg_archipelago_interpolate(s->many, t, x, dx);
    sg_status status = SG_OK;
    if (t == s->t && !dx)
        memcpy(x, s->x, (size_t)s->problem.n * sizeof(double));
    else
        status = sg_solver_within(s, t, x, dx);
    if (!status && s->shift.offset)
        add_offset(s, x, x);
    return status;
}

bool sg_solver_interpolate_some(sg_solver *s, double t, int32_t first, int32_t n, double *x,
                                double *dx)
{
    if (s->many || s->phase.leapt || s->shift.offset)
        return false;
    if (t == s->t && !dx) {
        memcpy(x, s->x + first, (size_t)n * sizeof *x);
        return true;
    }
    return s->ops->interpolate_some && s->ops->interpolate_some(s, t, first, n, x, dx);
}

void sg_solver_keep(sg_solver *s)
{
    if (s->many)
        sg_archipelago_each(s->many, sg_solver_keep);
    else if (s->ops->keep)
        s->ops->keep(s);
}

void sg_solver_put_back(sg_solver *s)
{
    if (s->many)
        sg_archipelago_each(s->many, sg_solver_put_back);
    else if (s->ops->put_back)
        s->ops->put_back(s);
}

void sg_solver_bound_step(sg_solver *s, double h) { s->pace.bound = h; }

// Weights are asked for with each step (sg_solver_weigh).
void sg_solver_retake_tolerances(sg_solver *s)
{
    if (s->many)
        return;
    for (int32_t i = 0; s->asked.atol_each && i < s->problem.n; i++)
        sg_vector_data(s->wrapped.atol)[i] = s->asked.part * s->asked.atol_each[i];
}

sg_status sg_solver_tighten(sg_solver *s, double part)
{
    if (part == s->asked.part || s->many) // islands have their own
        return SG_OK;
    s->asked.part = part;
    s->options.rtol = part * s->asked.rtol;
    s->options.atol = part * s->asked.atol;
    sg_solver_retake_tolerances(s);
    return s->ops->set_tolerances(s);
}

sg_status sg_solver_set_pattern(sg_solver *s, const sg_sparsity *pattern)
{
    s->problem.pattern = pattern;
    return s->system.linear ? sg_linear_set_pattern(s, pattern) : SG_OK;
}

sg_status sg_solver_renew_pattern(sg_solver *s)
{
    const sg_sparsity *pattern = NULL;
    if (!s->system.linear || s->system.described || s->system.bordered || !s->problem.find_pattern)
        return SG_OK;
    if (s->problem.find_pattern(s->problem.user, &pattern))
        return sg_solver_fail(s, SG_ERR_MEMORY, "out of memory");
    return pattern && pattern != s->problem.pattern ? sg_solver_set_pattern(s, pattern) : SG_OK;
}

bool sg_solver_missed(const sg_solver *s, int32_t *rate, int32_t *state)
{
    *rate = s->pattern.missed.row;
    *state = s->pattern.missed.column;
    return s->pattern.missed.share > 0.0;
}

sg_solver_stats sg_solver_statistics(const sg_solver *s)
{
    if (s->many)
        return sg_archipelago_statistics(s->many);
    sg_solver_stats stats = s->stats;
    sg_engine_counters counters = {0};
    s->ops->counters(s, &counters);
    stats.n_rejected = s->rejected_before + (uint64_t)counters.rejected;
    stats.order_last = counters.order;
    return stats;
}

double sg_solver_last_step(const sg_solver *s)
{
    return s->many ? sg_archipelago_last_step(s->many) : s->stats.h_last;
}

const char *sg_solver_message(const sg_solver *s)
{
    return s->many ? sg_archipelago_message(s->many) : s->message;
}

bool sg_solver_refused(const sg_solver *s, double *t, const double **x)
{
    *t = s->refusal.t;
    *x = s->refusal.x;
    return s->refusal.on && s->stats.n_steps - s->refusal.step <= 2 * MAX_TINY_STEPS;
}

// Estimated errors of the last step, and weights behind them.
static sg_status find_errors(sg_solver *s)
{
    if (s->many)
        return SG_ERR_USAGE;
    sg_vector_point(s->wrapped.out, s->errors);
    sg_vector_point(s->wrapped.out2, s->errors + s->problem.n);
    char message[sizeof s->message];
    memcpy(message, s->message, sizeof message);
    sg_status status = s->ops->local_errors(s, s->wrapped.out, s->wrapped.out2);
    memcpy(s->message, message, sizeof message);
    return status;
}

void sg_solver_add_errors(sg_solver *s, double *sums, int32_t n)
{
    sg_status status = find_errors(s);
    for (int32_t i = 0; i < n; i++)
        sums[i] += status ? (double)INFINITY : fabs(s->errors[i]);
}

int32_t sg_solver_worst_states(sg_solver *s, int32_t *states, double *errors, int32_t n)
{
    sg_status status = find_errors(s);
    int32_t found = 0;
    for (int32_t i = 0; !status && i < s->problem.n; i++) {
        double error = fabs(s->errors[i]) * s->errors[s->problem.n + i];
        int32_t at = found;
        while (at > 0 && error > errors[at - 1])
            at--;
        if (!(error > 0.0) || at >= n)
            continue;
        found = found < n ? found + 1 : n;
        for (int32_t k = found - 1; k > at; k--) {
            states[k] = states[k - 1];
            errors[k] = errors[k - 1];
        }
        states[at] = i;
        errors[at] = error;
    }
    return found;
}
