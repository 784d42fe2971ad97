// Unknowns of nonlinear systems that an integrator carries along with the states.
//
// Usually a system is solved wherever the program is evaluated: the states determine its unknowns.
// A diode in series with an inductor shows where that ends. Its voltage follows from the current,
// the state, by a logarithm: while it blocks, a picoampere decides about volts, and the current is
// known to its tolerance only. The equations are not at fault. With current and voltage as
// unknowns of one step they are as regular as any. So such a system can be left to the integrator,
// which finds its unknowns together with the states (integration/carry.h).
#include "program/kept.h"
#include "program/linked.h"

#include <math.h>
#include <string.h>

// A solution is bent if it leaves the line through its neighbors by this part of the distance to
// them, and moves by this part of the largest value it ever had; less than that does no harm, since
// what is carried is not more exact.
static const double bend = 0.3, move = 1e-3;

bool sg_link_carried(sg_exec *exec)
{
    uint32_t n = 0, n_given = 0;
    for (uint32_t k = 0; k < exec->program->systems.len; k++) {
        sg_system_work *work = &exec->systems[k];
        work->can_carry =
            !exec->program->systems.data[k].linear && work->end <= exec->steps.dynamics_end;
        work->carried_at = n;
        n += work->can_carry ? work->torn.n : 0;
        work->given_at = n_given;
        n_given += !work->can_carry ? 0 : work->can_untear ? work->whole.n : work->torn.n;
    }
    exec->handed.n_carried = n;
    exec->handed.n_all = n_given;
    exec->handed.size = n ? SG_NEW_ARRAY(&exec->arena, double, n) : NULL;
    return !exec->arena.failed && sg_link_kept(exec);
}

void sg_exec_get_carried(const sg_exec *exec, double *values, double *residuals, double *sizes)
{
    for (uint32_t k = 0; k < exec->program->systems.len; k++) {
        const sg_torn_system *s = &exec->program->systems.data[k];
        const sg_system_work *work = &exec->systems[k];
        uint32_t at = work->carried_at;
        if (!work->can_carry)
            continue;
        if (values)
            sg_system_gather(exec, s->unknowns, s->n_unknowns, values + at);
        if (residuals)
            sg_system_gather(exec, s->residuals, s->n_residuals, residuals + at);
        if (sizes)
            memcpy(sizes + at, exec->handed.size + at, work->torn.n * sizeof *sizes);
    }
}

void sg_exec_get_given(const sg_exec *exec, double *values, double *residuals)
{
    for (uint32_t k = 0; k < exec->program->systems.len; k++) {
        const sg_torn_system *s = &exec->program->systems.data[k];
        const sg_system_work *work = &exec->systems[k];
        if (!work->can_carry)
            continue;
        if (values && work->can_untear)
            sg_whole_gather(exec, k, values + work->given_at);
        else if (values)
            sg_system_gather(exec, s->unknowns, s->n_unknowns, values + work->given_at);
        if (residuals && work->can_untear)
            memcpy(residuals + work->given_at, work->whole.r, work->whole.n * sizeof *residuals);
        else if (residuals)
            sg_system_gather(exec, s->residuals, s->n_residuals, residuals + work->given_at);
    }
}

sg_status sg_system_take_given(sg_exec *exec, uint32_t index)
{
    const sg_torn_system *s = &exec->program->systems.data[index];
    const sg_system_work *work = &exec->systems[index];
    if (work->can_untear)
        return sg_whole_residuals(exec, index, exec->handed.all + work->given_at, work->whole.r);
    sg_system_scatter(exec, s->unknowns, s->n_unknowns, exec->handed.all + work->given_at);
    return sg_run_range(exec, work->body, work->prep);
}

// The unknowns at the states x + sign * tolerance, which takes the place of those in the program.
static bool solve_beside(sg_exec *exec, double t, const double *x, const double *tolerance,
                         double sign, double *unknowns)
{
    for (uint32_t i = 0; i < exec->at.n_x; i++)
        exec->w[exec->at.x + i] = x[i] + sign * tolerance[i];
    bool solved = sg_exec_eval(exec, t, NULL, NULL, SG_EVAL_DYNAMICS) == SG_OK;
    sg_exec_get_carried(exec, unknowns, NULL, NULL);
    return solved;
}

// Sizes are those of solutions; on its way to one Newton's iteration may have been anywhere.
static bool is_bent(double left, double middle, double right, double size)
{
    double d = fmax(fabs(right - middle), fabs(middle - left));
    return !(d <= move * size) && !(fabs(right - 2.0 * middle + left) <= bend * d);
}

bool sg_exec_determines(sg_exec *exec, double t, const double *x, const double *tolerance,
                        double *work)
{
    uint32_t n = exec->handed.n_carried;
    double *left = work, *middle = work + n, *right = middle + n;
    sg_exec_keep(exec);
    bool solved = solve_beside(exec, t, x, tolerance, 0.0, middle);
    bool determined = solved && solve_beside(exec, t, x, tolerance, 1.0, right) &&
                      solve_beside(exec, t, x, tolerance, -1.0, left);
    sg_exec_put_back(exec);
    for (uint32_t i = 0; i < n && solved; i++)
        exec->handed.size[i] = fmax(exec->handed.size[i], fabs(middle[i]));
    for (uint32_t i = 0; i < n && determined; i++)
        determined = !is_bent(left[i], middle[i], right[i], exec->handed.size[i]);
    return determined;
}
