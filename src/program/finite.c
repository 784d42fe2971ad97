// A point where the exponentials of a system are finite.
//
// A diode straight across a source of 20 V has exp(770) at voltages of zero, which is no number:
// there is neither a residual to come down from nor a slope to follow, and no homotopy can begin
// there. But the exponents are finite, and mostly sums of unknowns. So each exponent that is too
// large is brought back by the shortest change of the unknowns that does so, one after the other
// and again, since what relieves one junction may load the next (Kaczmarz; for linear exponents
// the points that are meant form a convex set, and projections onto its sides lead into it). The
// result is a guess and nothing more: the equations are solved from there as from any other.
//
// Slopes of exponents are taken by differences. That is slow, but happens only where everything
// else has failed.
#include "program/linked.h"

#include <math.h>

enum { SWEEPS = 200 };
// exp(40) is 2e17: with the tiny factor in front of it what a circuit may have on its way.
static const double largest_exponent = 40.0;
// Where an exponent that was larger is brought to.
static const double tame_exponent = 20.0;
static const double difference = 1e-6;

// By how much an exponent is too large; with its sign.
static double excess(uint16_t form, double x)
{
    bool both = form == SG_L_SINH || form == SG_LV_SINH || form == SG_L_COSH || form == SG_LV_COSH;
    if (x > largest_exponent)
        return x - tame_exponent;
    return both && x < -largest_exponent ? x + tame_exponent : 0.0;
}

// How many exponents an entry has.
static uint32_t n_exponents(const sg_linked *c)
{
    switch (c->form) {
    case SG_L_EXP:
    case SG_L_EXPM1:
    case SG_L_SINH:
    case SG_L_COSH:
        return 1;
    case SG_LV_EXP:
    case SG_LV_EXPM1:
    case SG_LV_SINH:
    case SG_LV_COSH:
        return c->n;
    default:
        return 0;
    }
}

// Moves the unknowns by the shortest way that takes `much` off the exponent at `at`. False if none
// of them moves it.
static bool take_off(sg_exec *exec, uint32_t index, sg_space *space, uint32_t at, double much)
{
    double *x = space->t, *slope = space->d, sum = 0.0;
    double here = exec->w[at];
    for (uint32_t j = 0; j < space->n; j++) {
        double given = space->given[j];
        double kept = x[j], h = difference * fmax(fabs(kept), given > 0.0 ? given : 1.0);
        x[j] = kept + h;
        sg_status status = sg_whole_residuals(exec, index, x, space->r_trial);
        x[j] = kept;
        slope[j] = status == SG_OK ? (exec->w[at] - here) / h : 0.0;
        slope[j] = isfinite(slope[j]) ? slope[j] : 0.0;
        sum += slope[j] * slope[j];
    }
    if (!(sum > 0.0) || !isfinite(sum))
        return false;
    for (uint32_t j = 0; j < space->n; j++)
        x[j] -= much * slope[j] / sum;
    return true;
}

bool sg_system_tame(sg_exec *exec, uint32_t index)
{
    const sg_system_work *work = &exec->systems[index];
    sg_space *space = &exec->systems[index].whole;
    bool moved = false, any = true;
    for (int k = 0; k < SWEEPS && any; k++) {
        any = false;
        for (uint32_t pc = work->body; pc < work->prep; pc++) {
            const sg_linked *c = &exec->steps.list[pc];
            for (uint32_t i = 0; i < n_exponents(c); i++) {
                if (sg_whole_residuals(exec, index, space->t, space->r) != SG_OK)
                    return false;
                double much = excess(c->form, exec->w[c->a + i]);
                if (much == 0.0)
                    continue;
                if (!isfinite(much) || !take_off(exec, index, space, c->a + i, much))
                    return false;
                moved = any = true;
            }
        }
    }
    return moved && !any;
}
