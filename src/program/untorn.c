// A system with all its variables as unknowns.
//
// Tearing computes the inner variables one after the other. Where the chain is long and each link
// enlarges the error of the one before, what arrives at its end is noise, however well the system
// itself behaves; Gauss with pivots would have gone another way. So the solution of a torn system
// is held against its equations (accuracy.c), and if that fails the system is solved as a whole:
// the body runs assignment by assignment, each inner variable keeps the value it has as an unknown,
// and what the assignment would have given is its residual. The matrix comes entry by entry and is
// sparse. Large systems go this way from the beginning.
//
// A linear system starts from zero, so that its solution does not depend on what was before.
#include "program/linked.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { REFINEMENTS = 3 };
// A solution this good is as good as rounding lets it be; beyond it an effort is made.
static const double good_error = 1e-12;
// A solution that is worse than this after every effort is none.
static const double tolerable_error = 1e-9;
// The same of a nonlinear system, whose corrections stop shrinking at about this size at last.
static const double newton_error = 1e-7;

void sg_whole_gather(const sg_exec *exec, uint32_t index, double *x)
{
    const sg_torn_system *s = &exec->program->systems.data[index];
    const sg_system_work *work = &exec->systems[index];
    for (uint32_t k = 0; k < s->n_inner; k++) {
        memcpy(x, exec->w + work->inners[k].at, work->inners[k].n * sizeof(double));
        x += work->inners[k].n;
    }
    sg_system_gather(exec, s->unknowns, s->n_unknowns, x);
}

void sg_whole_scatter(sg_exec *exec, uint32_t index, const double *x)
{
    const sg_torn_system *s = &exec->program->systems.data[index];
    const sg_system_work *work = &exec->systems[index];
    for (uint32_t k = 0; k < s->n_inner; k++) {
        memcpy(exec->w + work->inners[k].at, x, work->inners[k].n * sizeof(double));
        x += work->inners[k].n;
    }
    sg_system_scatter(exec, s->unknowns, s->n_unknowns, x);
}

sg_status sg_whole_residuals(sg_exec *exec, uint32_t index, const double *x, double *r)
{
    const sg_torn_system *s = &exec->program->systems.data[index];
    const sg_system_work *work = &exec->systems[index];
    sg_status status = SG_OK;
    uint32_t pc = work->body;
    sg_system_scatter(exec, s->unknowns, s->n_unknowns, x + work->n_inner);
    for (uint32_t k = 0; k < s->n_inner && status == SG_OK; k++) {
        const sg_inner_place *inner = &work->inners[k];
        double *w = exec->w + inner->at;
        if (inner->done > pc)
            status = sg_run_range(exec, pc, inner->done);
        pc = inner->done;
        for (uint32_t i = 0; i < inner->n; i++) {
            *r++ = w[i] - *x;
            w[i] = *x++;
        }
    }
    if (status == SG_OK)
        status = sg_run_range(exec, pc, work->prep);
    if (status == SG_OK)
        sg_system_gather(exec, s->residuals, s->n_residuals, r);
    return status;
}

// Entry by entry; what they are computed from besides the body comes first.
static sg_status matrix_by_entries(sg_exec *exec, const sg_torn_system *s, sg_system_work *work)
{
    sg_status status = sg_run_range(exec, work->prep, work->tangent);
    if (status == SG_OK)
        status = sg_run_range(exec, work->whole_at, work->end);
    memset(work->sparse.values, 0, (size_t)work->sparse.nnz * sizeof(double));
    for (uint32_t k = 0; k < s->n_whole_entries; k++)
        work->sparse.values[work->slots[k]] += exec->w[exec->offsets[s->whole_entries[k].reg]];
    for (uint32_t k = 0; k < s->n_inner; k++)
        work->sparse.values[work->slots[s->n_whole_entries + k]] -= 1.0;
    return status;
}

static sg_status matrix_by_differences(sg_exec *exec, uint32_t index)
{
    const sg_torn_system *s = &exec->program->systems.data[index];
    sg_system_work *work = &exec->systems[index];
    sg_space *space = &work->whole;
    sg_status status = SG_OK;
    memcpy(space->trial, space->t, space->n * sizeof(double));
    // At t itself, and not at some trial in between.
    status = sg_whole_residuals(exec, index, space->trial, space->r_trial);
    for (uint32_t j = 0; j < space->n && status == SG_OK; j++) {
        double keep = space->trial[j], size = sg_system_step_size(space, j, keep);
        space->trial[j] = keep + (s->linear ? size : sqrt(DBL_EPSILON) * size);
        double step = space->trial[j] - keep;
        status = sg_whole_residuals(exec, index, space->trial, space->bar);
        space->trial[j] = keep;
        for (uint32_t i = 0; i < space->n; i++)
            work->sparse.values[j * space->n + i] = (space->bar[i] - space->r_trial[i]) / step;
    }
    return status;
}

// The variable of a column, and the failure that it has no pivot.
static sg_status fail_singular(sg_exec *exec, uint32_t index)
{
    const sg_torn_system *s = &exec->program->systems.data[index];
    const sg_system_work *work = &exec->systems[index];
    uint32_t column = work->sparse.bad >= 0 ? (uint32_t)work->sparse.bad : work->whole.n - 1;
    uint32_t k = 0;
    exec->failure.system = index;
    exec->failure.value = 0.0;
    if (column < work->n_inner) {
        while (column >= work->inners[k].n)
            column -= work->inners[k++].n;
        exec->failure.unknown = s->n_unknowns + k;
    } else {
        column -= work->n_inner;
        while (k + 1 < s->n_unknowns && column >= sg_dims_count(exec->shapes[s->unknowns[k]]))
            column -= sg_dims_count(exec->shapes[s->unknowns[k++]]);
        exec->failure.unknown = k;
    }
    for (int32_t p = 0; p < work->sparse.nnz; p++)
        if (!isfinite(work->sparse.values[p]))
            exec->failure.value = (double)NAN;
    return sg_exec_fail(exec, SG_FAILED_SINGULAR, SG_ERR_SOLVER, s->body - 1);
}

sg_status sg_whole_factor(sg_exec *exec, uint32_t index, bool fresh)
{
    const sg_torn_system *s = &exec->program->systems.data[index];
    sg_system_work *work = &exec->systems[index];
    bool keep = s->constant_matrix && work->sparse.valid && !fresh;
    sg_status status = keep          ? SG_OK
                       : work->slots ? matrix_by_entries(exec, s, work)
                                     : matrix_by_differences(exec, index);
    if (status != SG_OK || keep)
        return status;
    exec->count.factor++;
    status = sg_sparse_factor(&work->sparse, fresh);
    if (status == SG_OK && s->linear && sg_sparse_is_singular(&work->sparse, work->nudge)) {
        // Unless it was the choice of pivots.
        status = fresh ? SG_ERR_INPUT : sg_sparse_factor(&work->sparse, true);
        if (status == SG_OK && sg_sparse_is_singular(&work->sparse, work->nudge))
            status = SG_ERR_INPUT;
    }
    return status == SG_ERR_INPUT ? fail_singular(exec, index) : status;
}

uint32_t sg_system_row_eq(const sg_exec *exec, uint32_t index, const sg_space *space, uint32_t row)
{
    const sg_torn_system *s = &exec->program->systems.data[index];
    const sg_system_work *work = &exec->systems[index];
    uint32_t k = 0;
    if (space->whole && row < work->n_inner) {
        while (row >= work->inners[k].n)
            row -= work->inners[k++].n;
        return s->inner_eqs[k];
    }
    row -= space->whole ? work->n_inner : 0;
    while (k + 1 < s->n_residuals && row >= sg_dims_count(exec->shapes[s->residuals[k]]))
        row -= sg_dims_count(exec->shapes[s->residuals[k++]]);
    return s->n_residuals ? s->residual_eqs[k] : 0;
}

// Corrections from the residuals that are left, with the factors at hand. The best point is kept;
// on return the body holds it.
static sg_status refine(sg_exec *exec, uint32_t index, sg_space *space, double *error)
{
    const sg_system_work *work = &exec->systems[index];
    sg_status status = SG_OK;
    for (int k = 0; k<REFINEMENTS && * error> good_error && status == SG_OK; k++) {
        memcpy(space->trial, space->t, space->n * sizeof(double));
        for (uint32_t i = 0; i < space->n; i++)
            space->d[i] = -space->r[i];
        sg_system_back_solve(work, space, space->d);
        for (uint32_t i = 0; i < space->n; i++)
            space->t[i] += space->d[i];
        status = sg_system_residuals(exec, index, space, space->t, space->r);
        double now = status == SG_OK ? sg_system_error(exec, index, space) : (double)INFINITY;
        bool better = now<*error, enough = now> 0.5 * *error;
        if (!better) {
            memcpy(space->t, space->trial, space->n * sizeof(double));
            status = sg_system_residuals(exec, index, space, space->t, space->r);
        } else {
            *error = now;
        }
        if (enough)
            break;
    }
    return status;
}

static sg_status fail_accuracy(sg_exec *exec, uint32_t index, sg_space *space)
{
    uint32_t worst = 0;
    double most = -1.0;
    sg_system_error(exec, index, space);
    for (uint32_t i = 0; i < space->n; i++) {
        double error = fabs(space->r[i]) / space->size[i];
        if (!(error <= most) && space->r[i] != 0.0) {
            worst = i;
            most = error;
        }
    }
    exec->failure.system = index;
    exec->failure.eq = sg_system_row_eq(exec, index, space, worst);
    exec->failure.value = space->r[worst];
    exec->failure.size = space->size[worst];
    return sg_exec_fail(exec, SG_FAILED_ACCURACY, SG_ERR_SOLVER,
                        exec->program->systems.data[index].body - 1);
}

// One linear solution as a whole, from zero.
static sg_status solve_whole(sg_exec *exec, uint32_t index, bool fresh)
{
    sg_system_work *work = &exec->systems[index];
    sg_space *space = &work->whole;
    memset(space->t, 0, space->n * sizeof(double));
    sg_status status = sg_whole_residuals(exec, index, space->t, space->r);
    if (status == SG_OK)
        status = sg_whole_factor(exec, index, fresh);
    if (status != SG_OK)
        return status;
    for (uint32_t i = 0; i < space->n; i++)
        space->t[i] = -space->r[i];
    sg_system_back_solve(work, space, space->t);
    return sg_whole_residuals(exec, index, space->t, space->r);
}

static sg_status untear(sg_exec *exec, uint32_t index, double *error)
{
    sg_system_work *work = &exec->systems[index];
    sg_status status = SG_OK;
    // Pivots that served another matrix may not serve this one; so once more with new ones.
    for (int k = 0; k < 2 && status == SG_OK && *error > good_error; k++) {
        status = solve_whole(exec, index, k > 0);
        *error = status == SG_OK ? sg_system_error(exec, index, &work->whole) : *error;
        if (status == SG_OK)
            status = refine(exec, index, &work->whole, error);
    }
    return status;
}

// Linear: t was solved for, but the equations do not agree, or it could not be solved for.
static sg_status improve_linear(sg_exec *exec, uint32_t index, sg_status failed)
{
    const sg_torn_system *s = &exec->program->systems.data[index];
    sg_system_work *work = &exec->systems[index];
    sg_space *space = work->left.untorn ? &work->whole : &work->torn;
    sg_failure failure = exec->failure;
    double error = (double)INFINITY, whole_error = (double)INFINITY;
    if (failed != SG_OK && (!work->can_untear || work->left.untorn))
        return failed;
    if (failed == SG_OK) {
        error = sg_system_error(exec, index, space);
        sg_status status = refine(exec, index, space, &error);
        if (status != SG_OK || error <= good_error)
            return status;
    }
    sg_status status = work->can_untear ? untear(exec, index, &whole_error) : SG_ERR_SOLVER;
    if (status == SG_OK && whole_error < error) {
        work->left.untorn = true;
        space = &work->whole;
        error = whole_error;
    } else if (failed != SG_OK) {
        exec->failure = failure;
        return failed;
    } else if (status == SG_OK || status == SG_ERR_SOLVER) {
        exec->failure = failure;
        status = sg_system_residuals(exec, index, space, space->t, space->r);
    }
    // What a function of the script or a part computes inside has terms that nobody sees here.
    if (status == SG_OK && error > tolerable_error && s->has_tangent)
        return fail_accuracy(exec, index, space);
    return status;
}

// Nonlinear: Newton's corrections became small, and yet the equations do not agree.
static sg_status improve_nonlinear(sg_exec *exec, uint32_t index)
{
    const sg_torn_system *s = &exec->program->systems.data[index];
    sg_system_work *work = &exec->systems[index];
    sg_space *space = work->left.untorn ? &work->whole : &work->torn;
    double error = sg_system_error(exec, index, space);
    if (error <= tolerable_error || !s->has_tangent)
        return SG_OK;
    sg_status status = sg_system_continue(exec, index, false);
    if (status != SG_ERR_SOLVER || error > newton_error)
        return status;
    return sg_system_residuals(exec, index, space, space->t, space->r);
}

sg_status sg_system_improve(sg_exec *exec, uint32_t index)
{
    bool linear = exec->program->systems.data[index].linear;
    return linear ? improve_linear(exec, index, SG_OK) : improve_nonlinear(exec, index);
}

sg_status sg_system_rescue(sg_exec *exec, uint32_t index, sg_status failed)
{
    const sg_system_work *work = &exec->systems[index];
    bool far = !work->left.solved ||
               (exec->events && exec->events->mode == SG_MODE_EVENT && !exec->solving.hurries);
    return exec->program->systems.data[index].linear ? improve_linear(exec, index, failed)
                                                     : sg_system_continue(exec, index, far);
}
