// Steps that do not overrun an exponential.
//
// A Newton step starts from a slope, and that of an exponential says nothing of what lies two units
// of its exponent ahead: a junction at rest hardly conducts, so its tangent sends it to the full
// voltage of the source, where it would carry exp(2000). Damping of the whole step gets stuck
// there, since one junction holds up all others. So only the exponents are held: one that would
// become large may grow by the logarithm of what the step wants, which is where a Newton step of
// the inverse function would end (the limits of junction voltages in [Nagel1975]). The unknowns
// move by the shortest way that brings this about, exponent after exponent and again (Kaczmarz).
// What they leave unfulfilled meanwhile, sums of currents mostly, is linear and set right by the
// next step.
//
// Slopes of the exponents come from differences, all at once; with all variables as unknowns an
// exponent depends on few of them.
#include "program/linked.h"

#include <math.h>
#include <string.h>

enum { SWEEPS = 100 };
// Below this an exponent is left alone: exp(10) times the tiny factor in front of it is harmless.
static const double large_exponent = 10.0;
// An exponent may grow by this much as it likes.
static const double free_growth = 2.0;
static const double difference = 1e-6;

// How many exponents an entry has; `both` if it grows to both sides.
static uint32_t n_exponents(const sg_linked *c, bool *both)
{
    *both = false;
    switch (c->form) {
    case SG_L_SINH:
    case SG_L_COSH:
        *both = true;
        return 1;
    case SG_LV_SINH:
    case SG_LV_COSH:
        *both = true;
        return c->n;
    case SG_L_EXP:
    case SG_L_EXPM1:
        return 1;
    case SG_LV_EXP:
    case SG_LV_EXPM1:
        return c->n;
    default:
        return 0;
    }
}

uint32_t sg_system_exponents(const sg_linked *code, uint32_t from, uint32_t to, sg_exponent *list)
{
    uint32_t n = 0;
    for (uint32_t pc = from; pc < to; pc++) {
        bool both;
        uint32_t count = n_exponents(&code[pc], &both);
        for (uint32_t i = 0; i < count; i++, n++)
            if (list)
                list[n] = (sg_exponent){.at = code[pc].a + i, .both = both};
    }
    return n;
}

// Slopes at x, where the body was run last.
static bool find_slopes(sg_exec *exec, uint32_t index, double *x)
{
    const sg_system_work *work = &exec->systems[index];
    for (uint32_t k = 0; k < work->n_exponents; k++) {
        sg_exponent *e = &work->exponents[k];
        e->value = exec->w[e->at];
        e->n = 0;
        e->norm = 0.0;
    }
    for (uint32_t j = 0; j < work->whole.n; j++) {
        double given = work->whole.given[j];
        double kept = x[j], h = difference * fmax(fabs(kept), given > 0.0 ? given : 1.0);
        x[j] = kept + h;
        sg_status status = sg_whole_residuals(exec, index, x, work->whole.r_trial);
        x[j] = kept;
        for (uint32_t k = 0; k < work->n_exponents && status == SG_OK; k++) {
            sg_exponent *e = &work->exponents[k];
            double slope = (exec->w[e->at] - e->value) / h;
            if (slope == 0.0 || !isfinite(slope))
                continue;
            if (e->n == SG_EXPONENT_UNKNOWNS)
                return false;
            e->unknown[e->n] = j;
            e->slope[e->n++] = slope;
            e->norm += slope * slope;
        }
    }
    return true;
}

// How far an exponent may go that was `old` and would become `now`; with the sign of `now`.
static double allowed(double old, double now)
{
    double growth = now - fmax(old, 0.0);
    if (now <= large_exponent || growth <= free_growth)
        return now;
    return fmax(old, 0.0) + 1.0 + log(growth);
}

// Moves x so that exponents that are too large come back. Their values at x are those of `value`.
static void bring_back(const sg_system_work *work, double *x, double *moved)
{
    bool any = true;
    memset(moved, 0, work->whole.n * sizeof(double));
    for (int sweep = 0; sweep < SWEEPS && any; sweep++) {
        any = false;
        for (uint32_t k = 0; k < work->n_exponents; k++) {
            const sg_exponent *e = &work->exponents[k];
            double now = e->value;
            for (uint32_t i = 0; i < e->n; i++)
                now += e->slope[i] * moved[e->unknown[i]];
            double much = e->sign * now - e->most;
            if (!(much > 1e-3) || !(e->norm > 0.0))
                continue;
            any = true;
            for (uint32_t i = 0; i < e->n; i++)
                moved[e->unknown[i]] -= e->sign * much * e->slope[i] / e->norm;
        }
    }
    for (uint32_t j = 0; j < work->whole.n; j++)
        x[j] += moved[j];
}

sg_status sg_system_limit(sg_exec *exec, uint32_t index, const double *from, double *to)
{
    const sg_system_work *work = &exec->systems[index];
    sg_space *space = &exec->systems[index].whole;
    bool any = false;
    sg_status status = sg_whole_residuals(exec, index, from, space->r_trial);
    for (uint32_t k = 0; k < work->n_exponents; k++)
        work->exponents[k].old = exec->w[work->exponents[k].at];
    if (status == SG_OK)
        status = sg_whole_residuals(exec, index, to, space->r_trial);
    for (uint32_t k = 0; k < work->n_exponents && status == SG_OK; k++) {
        sg_exponent *e = &work->exponents[k];
        double now = exec->w[e->at];
        e->sign = e->both && now < 0.0 ? -1.0 : 1.0;
        e->most = allowed(e->sign * e->old, e->sign * now);
        any |= isfinite(now) && e->most < e->sign * now;
    }
    if (status != SG_OK || !any)
        return status;
    if (!find_slopes(exec, index, to))
        return SG_ERR_SOLVER;
    bring_back(work, to, space->bar);
    return SG_OK;
}
