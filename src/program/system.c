// Systems of equations: linear ones by columns and LU, nonlinear ones by damped Newton. This is the
// fast way; what it does not solve well goes to untorn.c and continuation.c.
#include "base/counted.h"
#include "math/dense.h"
#include "program/route.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    MIXED_LIMIT = 20,     // language 3.8
    DESCENT_LIMIT = 2000, // steps down an exponential, see is_descent
    NEWTON_LIMIT = 60,    // quadratic convergence needs ten; the rest is damping far away
    NEWTON_USUAL = 12,    // beyond it the residuals are asked, too, whether they are rounding
    DAMPING_LIMIT = 40    // halvings; the step is then below rounding
};
// Newton stops when the last correction is this small relative to the unknowns; the error is then
// about its square, far below what an integrator asks for.
static const double newton_tolerance = 1e-11;
// Corrections that stopped shrinking below this are rounding, not divergence.
static const double newton_rounding = 1e-7;
// If each correction leaves less than this part of it to the next, the matrix is regular all along
// the way from the start to the solution (Kantorovich's theorem).
static const double direct_part = 0.25;
// An unknown near zero is measured by the largest value it ever had, times this.
static const double newton_floor = 1e-6;
// A correction of zero that is this much smaller than the size of the unknown is rounding.
static const double newton_zero = 1e-17;
// Residuals that are this small relative to their terms are rounding: nothing is left to solve.
static const double residual_rounding = 32 * DBL_EPSILON;
// A solution whose residuals are below this is accepted as it is; else see untorn.c.
static const double linear_exact = 1e-12, newton_exact = 1e-10;

// An unknown that is off a whole number by less than this part may stand for it. Right there a
// residual jumps if it is more than this part of its terms, and so many times what it is beside.
static const double nearly_whole = 1e-9, jumps_by = 1e-3, jumps_more = 100.0;

static uint32_t changes(const sg_exec *exec) { return exec->events ? exec->events->n_changes : 0; }

// Copies between a list of registers and one vector.
void sg_system_gather(const sg_exec *exec, const uint32_t *regs, uint32_t n, double *to)
{
    for (uint32_t k = 0; k < n; k++) {
        uint32_t count = sg_dims_count(exec->shapes[regs[k]]);
        memcpy(to, exec->w + exec->offsets[regs[k]], count * sizeof(double));
        to += count;
    }
}
void sg_system_scatter(sg_exec *exec, const uint32_t *regs, uint32_t n, const double *from)
{
    for (uint32_t k = 0; k < n; k++) {
        uint32_t count = sg_dims_count(exec->shapes[regs[k]]);
        memcpy(exec->w + exec->offsets[regs[k]], from, count * sizeof(double));
        from += count;
    }
}

sg_status sg_system_residuals(sg_exec *exec, uint32_t index, const sg_space *space, const double *t,
                              double *r)
{
    const sg_torn_system *s = &exec->program->systems.data[index];
    const sg_system_work *work = &exec->systems[index];
    if (space->whole)
        return sg_whole_residuals(exec, index, t, r);
    sg_system_scatter(exec, s->unknowns, s->n_unknowns, t);
    sg_status status = sg_run_range(exec, work->body, work->prep);
    if (status == SG_OK)
        sg_system_gather(exec, s->residuals, s->n_residuals, r);
    return status;
}

// Column j of the matrix is the derivative of the residuals along unknown j: exact, by tangents.
static sg_status matrix_by_tangents(sg_exec *exec, const sg_torn_system *s,
                                    const sg_system_work *work)
{
    uint32_t n = work->torn.n;
    sg_status status = sg_run_range(exec, work->prep, work->tangent);
    memset(work->unit, 0, n * sizeof(double));
    exec->solving.in_tangent = true;
    for (uint32_t j = 0; j < n && status == SG_OK; j++) {
        work->unit[j] = 1.0;
        sg_system_scatter(exec, s->seeds, s->n_unknowns, work->unit);
        work->unit[j] = 0.0;
        status = sg_run_range(exec, work->tangent, work->whole_at);
        sg_system_gather(exec, s->d_residuals, s->n_residuals, work->torn.bar);
        for (uint32_t i = 0; i < n; i++)
            work->matrix[(size_t)i * n + j] = work->torn.bar[i];
    }
    exec->solving.in_tangent = false;
    return status;
}

// The same where every entry is a number that was computed anyway.
static sg_status matrix_by_entries(sg_exec *exec, const sg_torn_system *s,
                                   const sg_system_work *work)
{
    size_t n = work->torn.n;
    sg_status status = sg_run_range(exec, work->prep, work->tangent);
    memset(work->matrix, 0, n * n * sizeof(double));
    for (uint32_t k = 0; k < s->n_entries; k++) {
        const struct sg_matrix_entry *e = &s->entries[k];
        work->matrix[e->row * n + e->column] += exec->w[exec->offsets[e->reg]];
    }
    return status;
}

double sg_system_step_size(const sg_space *space, uint32_t j, double x)
{
    return fmax(fabs(x), space->given[j] > 0.0 ? space->given[j] : 1e-3);
}

// The same by differences, where a function has no known derivative; for a linear system any step
// is exact but for rounding (language 4.7).
static sg_status matrix_by_differences(sg_exec *exec, uint32_t index)
{
    const sg_torn_system *s = &exec->program->systems.data[index];
    const sg_system_work *work = &exec->systems[index];
    const sg_space *space = &work->torn;
    uint32_t n = space->n;
    double *t = space->t;
    const double *r = space->r;
    sg_status status = SG_OK;
    for (uint32_t j = 0; j < n && status == SG_OK; j++) {
        double keep = t[j], size = sg_system_step_size(space, j, keep);
        double step = s->linear ? fmax(1e-3, fabs(r[j])) : sqrt(DBL_EPSILON) * size;
        t[j] = keep + step;
        step = t[j] - keep;
        status = sg_system_residuals(exec, index, space, t, space->bar);
        t[j] = keep;
        for (uint32_t i = 0; i < n; i++)
            work->matrix[(size_t)i * n + j] = (space->bar[i] - r[i]) / step;
    }
    return status;
}

static sg_status factor_torn(sg_exec *exec, uint32_t index)
{
    const sg_torn_system *s = &exec->program->systems.data[index];
    sg_system_work *work = &exec->systems[index];
    uint32_t n = work->torn.n;
    int bad = 0;
    exec->count.factor++;
    if (n == 1) {
        if (work->matrix[0] != 0.0 && isfinite(work->matrix[0]) &&
            !(s->linear && s->has_tangent && sg_system_is_noise(exec, index)))
            return SG_OK;
    } else if (sg_lu_factor(work->matrix, (int)n, work->pivots, &bad) == SG_OK &&
               !(s->linear && sg_lu_is_singular(work->matrix, (int)n, &bad))) {
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

// Factors of this many unknowns take milliseconds, and solving a system may take hundreds of them.
enum { long_from = 100 };

sg_status sg_system_factor(sg_exec *exec, uint32_t index, const sg_space *space)
{
    if (space->n >= long_from && exec->memory && sg_counted_ends(exec->memory))
        return SG_ERR_MEMORY; // the time is over, which is for others to tell
    const sg_torn_system *s = &exec->program->systems.data[index];
    sg_system_work *work = &exec->systems[index];
    if (space->whole)
        return sg_whole_factor(exec, index, false);
    sg_status status = work->by_entries ? matrix_by_entries(exec, s, work)
                       : s->has_tangent ? matrix_by_tangents(exec, s, work)
                                        : matrix_by_differences(exec, index);
    return status == SG_OK ? factor_torn(exec, index) : status;
}

void sg_system_back_solve(const sg_system_work *work, const sg_space *space, double *b)
{
    if (space->whole)
        sg_sparse_solve(&work->sparse, b);
    else if (space->n == 1)
        b[0] /= work->matrix[0];
    else
        sg_lu_solve(work->matrix, (int)space->n, work->pivots, b);
}

// One pass with the conditions as they are: t from A t = -r(0).
static sg_status solve_linear(sg_exec *exec, uint32_t index, sg_space *space)
{
    const sg_torn_system *s = &exec->program->systems.data[index];
    sg_system_work *work = &exec->systems[index];
    memset(space->t, 0, space->n * sizeof(double));
    sg_status status = sg_system_residuals(exec, index, space, space->t, space->r);
    if (status == SG_OK && space->whole) {
        status = sg_whole_factor(exec, index, false);
    } else if (status == SG_OK && !(s->constant_matrix && work->factored)) {
        status = sg_system_factor(exec, index, space);
        work->factored = status == SG_OK;
    }
    if (status != SG_OK)
        return status;
    for (uint32_t i = 0; i < space->n; i++)
        space->t[i] = -space->r[i];
    sg_system_back_solve(work, space, space->t);
    return SG_OK;
}

// Corrections are measured by the unknown itself; one near zero by its nominal value if the model
// gives one, else by the correction or by what it used to be. So the measure has no dimension.
void sg_system_set_scales(sg_space *space)
{
    for (uint32_t i = 0; i < space->n; i++) {
        double size = fmax(fabs(space->t[i]), fabs(space->d[i]));
        space->nominal[i] = fmax(space->nominal[i], size);
        space->scale[i] = fmax(size, fmax(newton_floor * space->nominal[i], space->given[i]));
    }
}

// After a failure: sizes that unknowns had on the way into the blue are none.
void sg_system_forget(sg_space *space)
{
    for (uint32_t i = 0; i < space->n; i++)
        space->nominal[i] = fmax(fabs(space->last[i]), space->given[i]);
}

// Size of a correction, NaN if it is one.
double sg_system_measure(const sg_space *space, const double *d)
{
    double largest = 0.0;
    for (uint32_t i = 0; i < space->n; i++) {
        double ratio = d[i] == 0.0 ? 0.0 : fabs(d[i]) / space->scale[i];
        if (isnan(ratio))
            return ratio;
        largest = fmax(largest, ratio);
    }
    return largest;
}

sg_status sg_system_newton_failed(sg_exec *exec, uint32_t index, sg_space *space,
                                  uint32_t iterations)
{
    uint32_t worst = 0;
    double most = -1.0;
    sg_system_residuals(exec, index, space, space->t, space->r); // not those of the last trial
    sg_system_error(exec, index, space);
    for (uint32_t i = 0; i < space->n; i++) {
        double error = fabs(space->r[i]) / space->size[i];
        if (space->r[i] != 0.0 && !(error <= most)) {
            worst = i;
            most = error;
        }
    }
    exec->failure.value = space->n ? space->r[worst] : 0.0;
    exec->failure.size = space->n ? space->size[worst] : 0.0;
    exec->failure.system = index;
    exec->failure.eq = sg_system_row_eq(exec, index, space, worst);
    exec->failure.iterations = iterations;
    return sg_exec_fail(exec, SG_FAILED_NEWTON, SG_ERR_SOLVER,
                        exec->program->systems.data[index].body - 1);
}

// Every residual became much smaller. Far out on an exponential (a diode at a voltage that is none)
// the corrections stay as long as they are, one unit of the exponent each, and yet they lead down;
// residual by residual the comparison does not depend on how the equations are scaled.
static bool is_descent(const sg_space *space, const double *now)
{
    for (uint32_t i = 0; i < space->n; i++)
        if (!(fabs(now[i]) <= 0.6 * fabs(space->r[i])))
            return false;
    return space->n > 0;
}

// A step t + lambda d is good if the correction that would follow, with the same matrix, is
// shorter: this test does not depend on how the equations are scaled (Deuflhard's natural
// monotonicity). On success t has moved and `shorter` is the length of that correction.
static sg_status damped_step(sg_exec *exec, uint32_t index, sg_space *space, double length,
                             double *lambda, double *shorter, bool *found, bool *descent)
{
    const sg_system_work *work = &exec->systems[index];
    *found = false;
    for (int k = 0; k < DAMPING_LIMIT && !*found; k++) {
        for (uint32_t i = 0; i < space->n; i++)
            space->trial[i] = space->t[i] + *lambda * space->d[i];
        sg_status status = sg_system_residuals(exec, index, space, space->trial, space->bar);
        // A function may refuse a point that is too far out; so come nearer.
        if (status == SG_ERR_MEMORY || status == SG_ERR_INTERRUPT)
            return status;
        if (status == SG_OK) {
            *descent = k == 0 && *lambda == 1.0 && is_descent(space, space->bar);
            memcpy(space->r_trial, space->bar, space->n * sizeof(double));
            for (uint32_t i = 0; i < space->n; i++)
                space->bar[i] = -space->bar[i];
            sg_system_back_solve(work, space, space->bar);
            *shorter = sg_system_measure(space, space->bar);
            *found = *shorter <= (1.0 - *lambda / 4.0) * length ||
                     (*shorter <= length && length < newton_rounding) || *descent;
        }
        if (!*found)
            *lambda *= 0.5;
    }
    if (*found) {
        memcpy(space->t, space->trial, space->n * sizeof(double));
        memcpy(space->r, space->r_trial, space->n * sizeof(double));
    }
    return SG_OK;
}

// The residuals at t are rounding, whatever the corrections look like: an unknown that is zero has
// no size to measure them by, and near a double root they never become small.
static bool is_rounding(sg_exec *exec, uint32_t index, sg_space *space)
{
    return sg_system_residuals(exec, index, space, space->t, space->r) == SG_OK &&
           sg_system_error(exec, index, space) <= residual_rounding && !space->unjudged;
}

sg_status sg_system_newton(sg_exec *exec, uint32_t index, sg_space *space)
{
    sg_system_work *work = &exec->systems[index];
    double lambda = 1.0, length, shorter = 0.0;
    bool found, descent = false;
    uint32_t descents = 0;
    work->direct = true;
    sg_status status = sg_system_residuals(exec, index, space, space->t, space->r);
    for (uint32_t k = 0; k < NEWTON_LIMIT + descents && k < DESCENT_LIMIT; k++) {
        // Here the body holds the values at t and r its residuals.
        exec->count.newton++;
        if (k == NEWTON_USUAL) // so long a way leads to terms of other sizes
            memset(work->seen, 0, work->torn.n * sizeof(double));
        if (status == SG_OK && k >= NEWTON_USUAL && is_rounding(exec, index, space))
            return SG_OK;
        if (status == SG_OK)
            status = sg_system_factor(exec, index, space);
        if (status != SG_OK)
            return status;
        for (uint32_t i = 0; i < space->n; i++)
            space->d[i] = -space->r[i];
        sg_system_back_solve(work, space, space->d);
        sg_system_set_scales(space);
        length = sg_system_measure(space, space->d);
        if (!isfinite(length))
            return sg_system_newton_failed(exec, index, space, k + 1);
        if (length <= newton_tolerance) {
            // What is zero stays zero, and does not become a rounding of the other unknowns.
            for (uint32_t i = 0; i < space->n; i++)
                if (space->t[i] != 0.0 || fabs(space->d[i]) > newton_zero * space->scale[i])
                    space->t[i] += space->d[i];
            return SG_OK;
        }
        status = damped_step(exec, index, space, length, &lambda, &shorter, &found, &descent);
        if (status != SG_OK)
            return status;
        if (!found) {
            // No shorter correction exists. Near the solution that is rounding, else the end.
            if (length <= newton_rounding || is_rounding(exec, index, space))
                return SG_OK;
            return sg_system_newton_failed(exec, index, space, k + 1);
        }
        descents += descent;
        work->direct &=
            lambda == 1.0 && (shorter <= direct_part * length || length < newton_rounding);
        lambda = fmin(1.0, 4.0 * lambda);
    }
    return sg_system_newton_failed(exec, index, space, NEWTON_LIMIT + descents);
}

// The derivatives are those of the solver; only what follows from them is computed.
static sg_status take_given(sg_exec *exec, const sg_torn_system *s, const sg_system_work *work)
{
    for (uint32_t k = 0; k < s->n_unknowns; k++) {
        uint32_t at = exec->offsets[s->unknowns[k]];
        memcpy(exec->w + at, exec->given_der + (at - exec->at.der),
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
    for (uint32_t i = 0; i < exec->at.n_x; i++)
        r[i] = dx[i] - exec->w[exec->at.der + i];
    for (uint32_t k = 0; k < p->systems.len; k++) {
        const sg_torn_system *s = &p->systems.data[k];
        const sg_system_work *work = &exec->systems[k];
        if (!sg_system_is_given(work, min_size))
            continue;
        sg_system_gather(exec, s->residuals, s->n_residuals, work->torn.r);
        uint32_t n = 0;
        for (uint32_t j = 0; j < s->n_unknowns; j++) {
            uint32_t row = exec->offsets[s->unknowns[j]] - exec->at.der;
            uint32_t count = sg_dims_count(exec->shapes[s->unknowns[j]]);
            memcpy(r + row, work->torn.r + n, count * sizeof(double));
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
            return exec->systems[k].torn.n;
        }
    return 0;
}

sg_status sg_system_look(sg_exec *exec, uint32_t index, sg_space *space, bool *settled)
{
    uint32_t before = changes(exec);
    if (exec->events)
        exec->events->solved = true;
    sg_status status = sg_system_residuals(exec, index, space, space->t, space->r);
    if (exec->events)
        exec->events->solved = false;
    *settled = changes(exec) == before;
    return status;
}

sg_status sg_system_solve_once(sg_exec *exec, uint32_t index, bool *settled)
{
    bool linear = exec->program->systems.data[index].linear;
    sg_system_work *work = &exec->systems[index];
    sg_space *space = work->left.untorn ? &work->whole : &work->torn;
    *settled = false;
    sg_exec_freeze(exec);
    sg_status status =
        linear ? solve_linear(exec, index, space) : sg_system_newton(exec, index, space);
    if (status == SG_ERR_SOLVER) {
        status = sg_system_rescue(exec, index, status);
        work->direct = false;
    }
    sg_exec_thaw(exec);
    if (status != SG_OK)
        return status;
    space = work->left.untorn ? &work->whole : &work->torn;
    status = sg_system_look(exec, index, space, settled);
    if (status != SG_OK || !*settled)
        return status;
    if (sg_system_is_exact(exec, index, space, linear ? linear_exact : newton_exact))
        return SG_OK;
    sg_exec_freeze(exec);
    status = sg_system_improve(exec, index);
    sg_exec_thaw(exec);
    return status == SG_OK ? sg_system_look(exec, index,
                                            work->left.untorn ? &work->whole : &work->torn, settled)
                           : status;
}

// To `to`: unknowns that are whole numbers, but for rounding, beside these, on the given side (0:
// right there), the others as they are. False if there are none.
static bool put_beside_whole(const sg_space *space, double side, double *to)
{
    bool any = false;
    for (uint32_t i = 0; i < space->n; i++) {
        double whole = round(space->t[i]), near = nearly_whole * fmax(1.0, fabs(whole));
        bool is = fabs(space->t[i] - whole) <= near;
        to[i] = is ? whole + side * near : space->t[i];
        any |= is;
    }
    return any;
}

// The terms of residual i where the body was evaluated last, as far as they are seen.
static double terms_of(const sg_exec *exec, const sg_system_work *work, const sg_space *space,
                       uint32_t i)
{
    uint32_t n_inner = space->whole ? work->n_inner : 0;
    const uint32_t *parts = work->parts[i < n_inner ? 0 : i - n_inner];
    return i < n_inner ? fabs(space->t[i]) : fabs(exec->w[parts[0]]) + fabs(exec->w[parts[1]]);
}

// To r: the residuals beside, or at, the whole numbers. The largest terms so far are kept.
static sg_status look_beside(sg_exec *exec, uint32_t index, sg_space *space, double side, double *r)
{
    put_beside_whole(space, side, space->trial);
    sg_status status = sg_system_residuals(exec, index, space, space->trial, r);
    for (uint32_t i = 0; i < space->n && !status; i++)
        space->r_trial[i] =
            fmax(space->r_trial[i], terms_of(exec, &exec->systems[index], space, i));
    return status;
}

// Is this a solution only beside a whole number that an unknown stands for? That of `state =
// next(state == 1)`, if state 1 leads to 2 and all others to 1, is 1.0000000000000002; or 1, if it
// is found without a look at 1 itself. Small residuals on both sides of a number, and a large one
// right there, are a contradiction. Sides are not equally far, as roots of a square may be.
static sg_status find_contradiction(sg_exec *exec, uint32_t index, sg_space *space, bool *found)
{
    const sg_system_work *work = &exec->systems[index];
    *found = false;
    if (!put_beside_whole(space, 0.0, space->trial))
        return SG_OK;
    bool there = memcmp(space->trial, space->t, space->n * sizeof(double)) == 0, small = true;
    for (uint32_t i = 0; i < space->n && there; i++)
        small &= fabs(space->r[i]) <= jumps_by * terms_of(exec, work, space, i);
    if (there && small)
        return SG_OK;
    memset(space->r_trial, 0, space->n * sizeof(double));
    sg_exec_freeze(exec);
    sg_status status = look_beside(exec, index, space, 1.0, space->d);
    if (!status)
        status = look_beside(exec, index, space, -0.37, space->bar);
    if (!status)
        status = look_beside(exec, index, space, 0.0, space->r);
    for (uint32_t i = 0; i < space->n && !status; i++)
        *found |= fabs(space->r[i]) > fmax(jumps_by * space->r_trial[i],
                                           jumps_more * (fabs(space->bar[i]) + fabs(space->d[i])));
    if (!status || status == SG_ERR_SOLVER) // what has no value there contradicts nothing
        status = sg_system_residuals(exec, index, space, space->t, space->r);
    sg_exec_thaw(exec);
    return status;
}

sg_status sg_run_system(sg_exec *exec, uint32_t index)
{
    const sg_torn_system *s = &exec->program->systems.data[index];
    sg_system_work *work = &exec->systems[index];
    if (exec->given_der && sg_system_is_given(work, exec->dae_min_size))
        return take_given(exec, s, work);
    if (exec->handed.all && work->can_carry)
        return sg_system_take_given(exec, index);
    if (exec->handed.carried && work->can_carry) {
        sg_system_scatter(exec, s->unknowns, s->n_unknowns,
                          exec->handed.carried + work->carried_at);
        return sg_run_range(exec, work->body, work->prep);
    }
    if (work->left.strayed || sg_system_begins_behind(exec, index))
        sg_whole_scatter(exec, index, work->anchor);
    sg_system_gather(exec, s->unknowns, s->n_unknowns, work->torn.t);
    memcpy(work->torn.last, work->torn.t, work->torn.n * sizeof(double));
    bool begun =
        work->can_untear && !s->linear && work->left.solved; // inner variables mean something
    if (begun || (work->left.untorn && !s->linear)) {
        sg_whole_gather(exec, index, work->whole.last);
        if (work->left.untorn)
            memcpy(work->whole.t, work->whole.last, work->whole.n * sizeof(double));
    }
    bool loosened = false;
    sg_status status = sg_system_decide_at_start(exec, index);
    for (int k = 0; k < MIXED_LIMIT && status == SG_OK; k++) {
        bool settled;
        // With conditions of before there may be no solution, and a long search for one.
        exec->solving.hurries =
            !loosened && work->left.solved && work->n_conditions > 0 && !s->linear;
        status = sg_system_solve_once(exec, index, &settled);
        bool again = exec->solving.hurries && status == SG_ERR_SOLVER;
        exec->solving.hurries = false;
        bool loose =
            status == SG_ERR_SOLVER && !loosened && sg_system_solve_loose(exec, index) == SG_OK;
        if (again && !loose && sg_events_deciding(exec->events))
            status = sg_system_solve_again(exec, index, &settled);
        if (loose && sg_events_deciding(exec->events)) {
            loosened = true;
            status = SG_OK;
            continue;
        }
        if (loose) {
            // With conditions as they still are, a search from here finds what belongs to none of
            // their sides: -2 for sign(q)*q^2 = 4 before q was negative.
            work->left.solved = true;
            work->left.strayed = work->left.anchored;
            return SG_OK;
        }
        if (status == SG_ERR_SOLVER &&
            (sg_system_search(exec, index) || (loosened && sg_system_take_loose(exec, index)))) {
            work->left.solved = true;
            return sg_system_accept(exec, index);
        }
        if (status != SG_OK) {
            sg_system_scatter(exec, s->unknowns, s->n_unknowns, work->torn.last);
            if (begun) // the next attempt begins where it was good
                sg_whole_scatter(exec, index, work->whole.last);
            sg_system_forget(&work->torn);
            sg_system_forget(&work->whole);
        }
        work->left.solved |= status == SG_OK && settled;
        if (status == SG_OK && settled && exec->events && sg_events_deciding(exec->events)) {
            bool found;
            status = find_contradiction(exec, index, work->left.untorn ? &work->whole : &work->torn,
                                        &found);
            if (found) {
                exec->events->contradicts = true;
                sg_exec_fail(exec, SG_FAILED_MIXED, SG_OK, s->body - 1);
                exec->failure.system = index;
            }
        }
        if (status == SG_OK && settled)
            status = sg_system_accept(exec, index);
        if (status != SG_OK || settled)
            return status;
        exec->count.mixed++;
    }
    if (status != SG_OK || sg_system_search(exec, index) || sg_system_settle_loose(exec, index))
        return status;
    // Another pass of the event may change what the system depends on; so the event decides whether
    // that is the end.
    if (exec->events && sg_system_contradicts(exec, index))
        exec->events->contradicts = true;
    sg_exec_fail(exec, SG_FAILED_MIXED, SG_OK, s->body - 1);
    exec->failure.system = index;
    return SG_OK;
}
