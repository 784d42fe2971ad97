// Torn systems: linear ones by columns and LU, nonlinear ones by damped Newton.
#include "math/dense.h"
#include "program/linked.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    MIXED_LIMIT = 20,     // language 3.8
    DESCENT_LIMIT = 2000, // steps down an exponential, see is_descent
    NEWTON_LIMIT = 60,    // quadratic convergence needs ten; the rest is damping far away
    DAMPING_LIMIT = 40,   // halvings; the step is then below rounding
    MOST_CONDITIONS = 10  // of a system whose conditions are searched
};
// Newton stops when the last correction is this small relative to the unknowns; the error is then
// about its square, far below what an integrator asks for.
static const double newton_tolerance = 1e-11;
// Corrections that stopped shrinking below this are rounding, not divergence.
static const double newton_rounding = 1e-7;
// An unknown near zero is measured by the largest value it ever had, times this.
static const double newton_floor = 1e-6;

static void freeze(sg_exec *exec)
{
    if (exec->events)
        exec->events->frozen++;
}
static void thaw(sg_exec *exec)
{
    if (exec->events)
        exec->events->frozen--;
}
static uint32_t changes(const sg_exec *exec) { return exec->events ? exec->events->n_changes : 0; }

// Copies between a list of registers and one vector.
static void gather(const sg_exec *exec, const uint32_t *regs, uint32_t n, double *to)
{
    for (uint32_t k = 0; k < n; k++) {
        uint32_t count = sg_dims_count(exec->shapes[regs[k]]);
        memcpy(to, exec->w + exec->offsets[regs[k]], count * sizeof(double));
        to += count;
    }
}
static void scatter(sg_exec *exec, const uint32_t *regs, uint32_t n, const double *from)
{
    for (uint32_t k = 0; k < n; k++) {
        uint32_t count = sg_dims_count(exec->shapes[regs[k]]);
        memcpy(exec->w + exec->offsets[regs[k]], from, count * sizeof(double));
        from += count;
    }
}

// Residuals at the unknowns t.
static sg_status residuals_at(sg_exec *exec, const sg_torn_system *s, const sg_system_work *work,
                              const double *t, double *r)
{
    scatter(exec, s->unknowns, s->n_unknowns, t);
    sg_status status = sg_run_range(exec, work->body, work->prep);
    if (status == SG_OK)
        gather(exec, s->residuals, s->n_residuals, r);
    return status;
}

// Column j of the matrix is the derivative of the residuals along unknown j: exact, by tangents.
static sg_status matrix_by_tangents(sg_exec *exec, const sg_torn_system *s,
                                    const sg_system_work *work)
{
    uint32_t n = work->n;
    sg_status status = sg_run_range(exec, work->prep, work->tangent);
    memset(work->unit, 0, n * sizeof(double));
    exec->in_tangent = true;
    for (uint32_t j = 0; j < n && status == SG_OK; j++) {
        work->unit[j] = 1.0;
        scatter(exec, s->seeds, s->n_unknowns, work->unit);
        work->unit[j] = 0.0;
        status = sg_run_range(exec, work->tangent, work->end);
        gather(exec, s->d_residuals, s->n_residuals, work->bar);
        for (uint32_t i = 0; i < n; i++)
            work->matrix[(size_t)i * n + j] = work->bar[i];
    }
    exec->in_tangent = false;
    return status;
}

// The same where every entry is a number that was computed anyway.
static sg_status matrix_by_entries(sg_exec *exec, const sg_torn_system *s,
                                   const sg_system_work *work)
{
    size_t n = work->n;
    sg_status status = sg_run_range(exec, work->prep, work->tangent);
    memset(work->matrix, 0, n * n * sizeof(double));
    for (uint32_t k = 0; k < s->n_entries; k++) {
        const struct sg_matrix_entry *e = &s->entries[k];
        work->matrix[e->row * n + e->column] += exec->w[exec->offsets[e->reg]];
    }
    return status;
}

// The same by differences, where a function has no known derivative. `t` are the unknowns at which
// `r` was computed; for a linear system any step is exact but for rounding (language 4.7).
static sg_status matrix_by_differences(sg_exec *exec, const sg_torn_system *s,
                                       const sg_system_work *work, double *t, const double *r)
{
    uint32_t n = work->n;
    sg_status status = SG_OK;
    for (uint32_t j = 0; j < n && status == SG_OK; j++) {
        double keep = t[j], size = fmax(fabs(keep), 1e-3);
        double step = s->linear ? fmax(1e-3, fabs(r[j])) : sqrt(DBL_EPSILON) * size;
        t[j] = keep + step;
        step = t[j] - keep;
        status = residuals_at(exec, s, work, t, work->bar);
        t[j] = keep;
        for (uint32_t i = 0; i < n; i++)
            work->matrix[(size_t)i * n + j] = (work->bar[i] - r[i]) / step;
    }
    return status;
}

static sg_status factor(sg_exec *exec, uint32_t index, sg_system_work *work)
{
    const sg_torn_system *s = &exec->program->systems.data[index];
    uint32_t n = work->n;
    int bad = 0;
    exec->n_factor++;
    if (n == 1) {
        if (work->matrix[0] != 0.0 && isfinite(work->matrix[0]))
            return SG_OK;
    } else if (sg_lu_factor(work->matrix, (int)n, work->pivots, &bad) == SG_OK) {
        return SG_OK;
    }
    // Which unknown the column belongs to.
    uint32_t k = 0, column = (uint32_t)bad;
    while (k + 1 < s->n_unknowns && column >= sg_dims_count(exec->shapes[s->unknowns[k]]))
        column -= sg_dims_count(exec->shapes[s->unknowns[k++]]);
    exec->failure.system = index;
    exec->failure.unknown = k;
    exec->failure.value = 0.0;
    for (size_t i = 0; i < (size_t)n * n; i++)
        if (!isfinite(work->matrix[i]))
            exec->failure.value = (double)NAN;
    return sg_exec_fail(exec, SG_FAILED_SINGULAR, SG_ERR_SOLVER, s->body - 1);
}

// b becomes the solution of A x = b.
static void back_solve(const sg_system_work *work, double *b)
{
    if (work->n == 1)
        b[0] /= work->matrix[0];
    else
        sg_lu_solve(work->matrix, (int)work->n, work->pivots, b);
}

static sg_status build_matrix(sg_exec *exec, const sg_torn_system *s, const sg_system_work *work)
{
    return work->by_entries ? matrix_by_entries(exec, s, work)
           : s->has_tangent ? matrix_by_tangents(exec, s, work)
                            : matrix_by_differences(exec, s, work, work->t, work->r);
}

// One pass with the conditions as they are: t from A t = -r(0).
static sg_status solve_linear(sg_exec *exec, uint32_t index)
{
    const sg_torn_system *s = &exec->program->systems.data[index];
    sg_system_work *work = &exec->systems[index];
    memset(work->t, 0, work->n * sizeof(double));
    sg_status status = residuals_at(exec, s, work, work->t, work->r);
    if (status == SG_OK && !(s->constant_matrix && work->factored)) {
        status = build_matrix(exec, s, work);
        if (status == SG_OK)
            status = factor(exec, index, work);
        work->factored = status == SG_OK;
    }
    if (status != SG_OK)
        return status;
    for (uint32_t i = 0; i < work->n; i++)
        work->t[i] = -work->r[i];
    back_solve(work, work->t);
    return SG_OK;
}

// Corrections are measured by the unknown itself; one near zero by the correction or by what it
// used to be. So the measure has no dimension and needs no nominal values from the user.
static void set_scales(sg_system_work *work)
{
    for (uint32_t i = 0; i < work->n; i++) {
        double size = fmax(fabs(work->t[i]), fabs(work->d[i]));
        work->nominal[i] = fmax(work->nominal[i], size);
        work->scale[i] = fmax(size, newton_floor * work->nominal[i]);
    }
}

// Size of a correction, NaN if it is one.
static double measure(const sg_system_work *work, const double *d)
{
    double largest = 0.0;
    for (uint32_t i = 0; i < work->n; i++) {
        double ratio = d[i] == 0.0 ? 0.0 : fabs(d[i]) / work->scale[i];
        if (isnan(ratio))
            return ratio;
        largest = fmax(largest, ratio);
    }
    return largest;
}

static sg_status newton_failed(sg_exec *exec, uint32_t index, uint32_t iterations)
{
    const sg_torn_system *s = &exec->program->systems.data[index];
    sg_system_work *work = &exec->systems[index];
    uint32_t worst = 0;
    residuals_at(exec, s, work, work->t, work->r); // not those of the last trial
    for (uint32_t i = 1; i < work->n; i++)
        if (!(fabs(work->r[i]) <= fabs(work->r[worst])))
            worst = i;
    exec->failure.value = work->n ? work->r[worst] : 0.0;
    uint32_t k = 0;
    while (k + 1 < s->n_residuals && worst >= sg_dims_count(exec->shapes[s->residuals[k]]))
        worst -= sg_dims_count(exec->shapes[s->residuals[k++]]);
    exec->failure.system = index;
    exec->failure.residual = k;
    exec->failure.iterations = iterations;
    return sg_exec_fail(exec, SG_FAILED_NEWTON, SG_ERR_SOLVER, s->body - 1);
}

// Every residual became much smaller. Far out on an exponential (a diode at a voltage that is none)
// the corrections stay as long as they are, one unit of the exponent each, and yet they lead down;
// residual by residual the comparison does not depend on how the equations are scaled.
static bool is_descent(const sg_system_work *work, const double *now)
{
    for (uint32_t i = 0; i < work->n; i++)
        if (!(fabs(now[i]) <= 0.6 * fabs(work->r[i])))
            return false;
    return work->n > 0;
}

// A step t + lambda d is good if the correction that would follow, with the same matrix, is
// shorter: this test does not depend on how the equations are scaled (Deuflhard's natural
// monotonicity). On success t has moved and `shorter` is the length of that correction.
static sg_status damped_step(sg_exec *exec, const sg_torn_system *s, sg_system_work *work,
                             double length, double *lambda, double *shorter, bool *found,
                             bool *descent)
{
    *found = false;
    for (int k = 0; k < DAMPING_LIMIT && !*found; k++) {
        for (uint32_t i = 0; i < work->n; i++)
            work->trial[i] = work->t[i] + *lambda * work->d[i];
        sg_status status = residuals_at(exec, s, work, work->trial, work->bar);
        // A function may refuse a point that is too far out; so come nearer.
        if (status == SG_ERR_MEMORY || status == SG_ERR_INTERRUPT)
            return status;
        if (status == SG_OK) {
            *descent = k == 0 && *lambda == 1.0 && is_descent(work, work->bar);
            memcpy(work->r_trial, work->bar, work->n * sizeof(double));
            for (uint32_t i = 0; i < work->n; i++)
                work->bar[i] = -work->bar[i];
            back_solve(work, work->bar);
            *shorter = measure(work, work->bar);
            *found = *shorter <= (1.0 - *lambda / 4.0) * length ||
                     (*shorter <= length && length < newton_rounding) || *descent;
        }
        if (!*found)
            *lambda *= 0.5;
    }
    if (*found) {
        memcpy(work->t, work->trial, work->n * sizeof(double));
        memcpy(work->r, work->r_trial, work->n * sizeof(double));
    }
    return SG_OK;
}

static sg_status solve_newton(sg_exec *exec, uint32_t index)
{
    const sg_torn_system *s = &exec->program->systems.data[index];
    sg_system_work *work = &exec->systems[index];
    double lambda = 1.0, length, shorter = 0.0;
    bool found, descent = false;
    uint32_t descents = 0;
    sg_status status = residuals_at(exec, s, work, work->t, work->r);
    for (uint32_t k = 0; k < NEWTON_LIMIT + descents && k < DESCENT_LIMIT; k++) {
        // Here the body holds the values at t and r its residuals.
        exec->n_newton++;
        if (status == SG_OK)
            status = build_matrix(exec, s, work);
        if (status == SG_OK)
            status = factor(exec, index, work);
        if (status != SG_OK)
            return status;
        for (uint32_t i = 0; i < work->n; i++)
            work->d[i] = -work->r[i];
        back_solve(work, work->d);
        set_scales(work);
        length = measure(work, work->d);
        if (!isfinite(length))
            return newton_failed(exec, index, k + 1);
        if (length <= newton_tolerance) {
            for (uint32_t i = 0; i < work->n; i++)
                work->t[i] += work->d[i];
            return SG_OK;
        }
        status = damped_step(exec, s, work, length, &lambda, &shorter, &found, &descent);
        if (status != SG_OK)
            return status;
        if (!found) {
            // No shorter correction exists. Near the solution that is rounding, else the end.
            if (length <= newton_rounding)
                return SG_OK;
            return newton_failed(exec, index, k + 1);
        }
        descents += descent;
        lambda = fmin(1.0, 4.0 * lambda);
    }
    return newton_failed(exec, index, NEWTON_LIMIT + descents);
}

// The derivatives are those of the solver; only what follows from them is computed.
static sg_status take_given(sg_exec *exec, const sg_torn_system *s, const sg_system_work *work)
{
    for (uint32_t k = 0; k < s->n_unknowns; k++) {
        uint32_t at = exec->offsets[s->unknowns[k]];
        memcpy(exec->w + at, exec->given_der + (at - exec->der_at),
               sg_dims_count(exec->shapes[s->unknowns[k]]) * sizeof(double));
    }
    return sg_run_range(exec, work->body, work->prep);
}

sg_status sg_exec_residual(sg_exec *exec, double t, const double *x, const double *dx, double *r,
                           uint32_t min_size)
{
    const sg_program *p = exec->program;
    exec->given_der = dx;
    exec->dae_min_size = min_size;
    sg_status status = sg_exec_eval(exec, t, x, NULL, SG_EVAL_DYNAMICS);
    exec->given_der = NULL;
    if (status != SG_OK)
        return status;
    for (uint32_t i = 0; i < exec->n_x; i++)
        r[i] = dx[i] - exec->w[exec->der_at + i];
    for (uint32_t k = 0; k < p->systems.len; k++) {
        const sg_torn_system *s = &p->systems.data[k];
        const sg_system_work *work = &exec->systems[k];
        if (!sg_system_is_given(work, min_size))
            continue;
        gather(exec, s->residuals, s->n_residuals, work->r);
        uint32_t n = 0;
        for (uint32_t j = 0; j < s->n_unknowns; j++) {
            uint32_t row = exec->offsets[s->unknowns[j]] - exec->der_at;
            uint32_t count = sg_dims_count(exec->shapes[s->unknowns[j]]);
            memcpy(r + row, work->r + n, count * sizeof(double));
            n += count;
        }
    }
    return SG_OK;
}

uint32_t sg_exec_linear_size(const sg_exec *exec, uint32_t i, uint32_t min_size, bool *left)
{
    for (uint32_t k = 0; k < exec->program->systems.len; k++)
        if (exec->program->systems.data[k].linear && i-- == 0) {
            *left = sg_system_is_given(&exec->systems[k], min_size);
            return exec->systems[k].n;
        }
    return 0;
}

// ---- mixed systems ------------------------------------------------------------------------------

// Conditions of this system: slots of the event table, at most MOST_CONDITIONS of them.
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
            return 0; // too many to try
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

// Solves with the conditions as they stand, then lets them look at the solution.
static sg_status solve_once(sg_exec *exec, uint32_t index, bool *settled)
{
    const sg_torn_system *s = &exec->program->systems.data[index];
    sg_system_work *work = &exec->systems[index];
    *settled = false;
    freeze(exec);
    sg_status status = s->linear ? solve_linear(exec, index) : solve_newton(exec, index);
    thaw(exec);
    if (status != SG_OK)
        return status;
    uint32_t before = changes(exec);
    status = residuals_at(exec, s, work, work->t, work->r);
    *settled = changes(exec) == before;
    return status;
}

// The conditions lead around in a circle, or to a system without solution (a closed switch and a
// conducting diode across a source). Tries the other combinations, those next to the present one
// first, until one agrees with its own solution.
static bool search_conditions(sg_exec *exec, uint32_t index)
{
    const sg_torn_system *s = &exec->program->systems.data[index];
    sg_system_work *work = &exec->systems[index];
    uint32_t slots[MOST_CONDITIONS], start = 0;
    sg_failure failure = exec->failure;
    if (!exec->events || !sg_events_deciding(exec->events))
        return false;
    uint32_t n = list_conditions(exec, s, slots);
    for (uint32_t k = 0; k < n; k++)
        start |= (uint32_t)exec->events->positive[slots[k]] << k;
    for (uint32_t distance = 1; distance <= n; distance++) {
        for (uint32_t flips = 1; flips < 1u << n; flips++) {
            bool settled = false;
            if (count_bits(flips) != distance)
                continue;
            set_conditions(exec, slots, n, start ^ flips);
            memcpy(work->t, work->last, work->n * sizeof(double));
            exec->n_mixed++;
            if (solve_once(exec, index, &settled) == SG_OK && settled) {
                exec->events->n_changes++; // whoever looked at them before must look again
                sg_events_restart(exec->events, SG_RESTART);
                exec->failure = (sg_failure){0};
                return true;
            }
        }
    }
    set_conditions(exec, slots, n, start);
    exec->failure = failure;
    return false;
}

sg_status sg_run_system(sg_exec *exec, uint32_t index)
{
    const sg_torn_system *s = &exec->program->systems.data[index];
    sg_system_work *work = &exec->systems[index];
    if (exec->given_der && sg_system_is_given(work, exec->dae_min_size))
        return take_given(exec, s, work);
    gather(exec, s->unknowns, s->n_unknowns, work->t);
    memcpy(work->last, work->t, work->n * sizeof(double));
    for (int k = 0; k < MIXED_LIMIT; k++) {
        bool settled;
        sg_status status = solve_once(exec, index, &settled);
        if (status == SG_ERR_SOLVER && search_conditions(exec, index))
            return SG_OK;
        if (status != SG_OK)
            scatter(exec, s->unknowns, s->n_unknowns, work->last);
        if (status != SG_OK || settled)
            return status;
        exec->n_mixed++;
    }
    if (search_conditions(exec, index))
        return SG_OK;
    // Language 3.8: a warning, and the simulation goes on with the last values.
    sg_exec_fail(exec, SG_FAILED_MIXED, SG_OK, s->body - 1);
    exec->failure.system = index;
    return SG_OK;
}
