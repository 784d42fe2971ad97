#include "integration/smooth.h"

#include <float.h>
#include <math.h>

// Sides agree if derivatives differ by less than this part of what they do as far away as the
// states may be off, on both sides of zero at this part of that distance. (A square root's differ
// by a hundredth of it there, a jump's by the same.)
static const double agreeing = 0.05, closer = 1e-4;
// Rounding of a derivative, of itself.
static const double rounding = 64.0 * DBL_EPSILON;
// States may be off by so many tolerances; and the argument is somewhere else for sure at so many
// times what that makes of it.
static const double off_by = 3.0, away = 30.0;
// Absolute tolerances are this part of the tolerance, times the largest value that a state had.
static const double of_largest = 0.1;

// A side is stiff from so many changes within the run on, and stiffer than the other by this
// factor.
static const double stiff = 100.0, stiffer = 1e3;

static bool remembers(const sg_event_layout *l)
{
    return l->n_sample || l->n_hold || l->n_previous || l->n_pre || l->n_delay;
}

static bool can_be_free(const sg_integration *g, uint32_t slot)
{
    const sg_sim_env *env = &g->env;
    uint8_t level = env->levels[slot];
    return g->segment.n_states && !env->fixed && !g->memory.carry.on && !g->memory.constrained.by &&
           !(g->options.h_fixed > 0.0) && !remembers(&env->layout) &&
           (!level || level - 1 == SG_LEVEL_SIGN);
}

// Of a state that has become small, what it was counts: a level that comes to zero is followed with
// a tiny absolute tolerance, and a sign that turns around over that is stiff for nothing.
static double off_of(const sg_integration *g, uint32_t i, double x)
{
    double atol = sg_integration_atol(g, i), rtol = g->options.tolerance;
    double was = fmin(atol, of_largest * rtol * g->sizes.largest[i]);
    return off_by * (rtol * fabs(x) + fmax(atol * g->sizes.part[i], was));
}

// Puts the switch on one of its sides.
static void put(sg_sim_env *env, uint32_t slot, bool high)
{
    if (env->levels[slot])
        env->events.level[slot] = high ? 1.0 : -1.0;
    else
        env->events.positive[slot] = high;
}

// To x_out: x moved by so much of what the states may be off by, with signs that differ, so that
// not always the same ones cancel.
static void move(sg_integration *g, const double *x, double part)
{
    for (uint32_t i = 0; i < g->segment.n_states; i++) {
        double sign = (i + 1) * 2654435761U >> 31 ? -1.0 : 1.0;
        g->x_out[i] = x[i] + part * sign * off_of(g, i, x[i]);
    }
}

static bool argument_beside(sg_integration *g, uint32_t slot, double t, const double *x,
                            double part, double *value)
{
    move(g, x, part);
    bool ok = sg_sim_env_arguments(&g->env, t, g->x_out) == SG_OK;
    *value = g->env.sliding.argument[slot];
    return ok && isfinite(*value);
}

// To dx_work and x_new: derivatives with the switch on both sides, at one place beside `zero`; or
// each at a place on its own side, which is farther off but where roots have values. `part` leads
// to the upper one.
static bool look_at_sides(sg_integration *g, uint32_t slot, double t, const double *x, double zero,
                          double part, bool apart)
{
    sg_sim_env *env = &g->env;
    move(g, x, zero + part);
    put(env, slot, true);
    bool ok = sg_sim_env_plain(env, t, g->x_out, env->dx_work) == SG_OK;
    move(g, x, apart ? zero - part : zero + part);
    put(env, slot, false);
    return ok && sg_sim_env_plain(env, t, g->x_out, env->x_new) == SG_OK;
}

// Does the derivative of no state jump, and is there one that feels the switch at all? Each is
// compared by itself: they have different units.
static bool sides_meet(sg_integration *g, uint32_t slot, double t, const double *x, double zero,
                       double up, bool apart)
{
    const sg_sim_env *env = &g->env;
    double *far = g->dx_out;
    bool felt = false;
    bool ok = look_at_sides(g, slot, t, x, zero, up, apart);
    for (uint32_t i = 0; i < env->n_states && ok; i++)
        far[i] = fabs(env->dx_work[i] - env->x_new[i]);
    ok = ok && look_at_sides(g, slot, t, x, zero, up * closer, apart);
    for (uint32_t i = 0; i < env->n_states && ok; i++) {
        double near = fabs(env->dx_work[i] - env->x_new[i]);
        felt |= far[i] > rounding * fabs(env->dx_work[i]);
        ok = near <= fmax(agreeing * far[i], rounding * fabs(env->dx_work[i]));
    }
    return ok && felt;
}

// How fast the derivatives of one side change with the states, in what these may be off by, at most
// [1/s].
static double slope_of(sg_integration *g, uint32_t slot, double t, const double *x, double zero,
                       double up, bool high)
{
    sg_sim_env *env = &g->env;
    double most = 0.0;
    put(env, slot, high);
    move(g, x, zero + (high ? up : -up));
    bool ok = sg_sim_env_plain(env, t, g->x_out, env->dx_work) == SG_OK;
    move(g, x, zero + closer * (high ? up : -up));
    ok = ok && sg_sim_env_plain(env, t, g->x_out, env->x_new) == SG_OK;
    for (uint32_t i = 0; i < env->n_states && ok; i++)
        most = fmax(most, fabs(env->dx_work[i] - env->x_new[i]) / off_of(g, i, x[i]));
    return ok ? most : (double)INFINITY;
}

// Is one side stiff, and the other one not? Newton's method of a step that ends on the one and is
// predicted on the other begins with a matrix that leads nowhere, however often it is made.
static bool is_stiff_beside(sg_integration *g, uint32_t slot, double t, const double *x,
                            double zero, double up)
{
    double high = slope_of(g, slot, t, x, zero, up, true);
    double low = slope_of(g, slot, t, x, zero, up, false);
    return isfinite(high) && isfinite(low) && fmax(high, low) > stiffer * fmin(high, low) &&
           fmax(high, low) * g->env.sliding.scale > stiff;
}

static bool compare_sides(sg_integration *g, uint32_t slot, double t, const double *x,
                          double *limit)
{
    double here, beside;
    if (!argument_beside(g, slot, t, x, 0.0, &here) ||
        !argument_beside(g, slot, t, x, 1.0, &beside))
        return false;
    double moved = beside - here, up = moved > 0.0 ? 1.0 : -1.0;
    double zero = -here / moved; // arguments are straight over such a distance
    double seen = g->env.bands[slot].reach;
    *limit = fmax(away * fabs(moved), 2.0 * fabs(here));
    // An argument that has never been far away is nothing that came to zero.
    if (!(*limit < seen) || !(fabs(here) < away * fabs(moved)))
        return false;
    // A side without a value there is evaluated once more, with conditions as they look.
    uint64_t before = g->env.n_evals;
    bool has_values = look_at_sides(g, slot, t, x, zero, up, false) && g->env.n_evals - before == 2;
    return sides_meet(g, slot, t, x, zero, up, !has_values) &&
           !is_stiff_beside(g, slot, t, x, zero, up);
}

bool sg_smooth_agrees(sg_integration *g, uint32_t slot, double t, const double *x, double *limit)
{
    sg_sim_env *env = &g->env;
    if (!can_be_free(g, slot))
        return false;
    bool was = env->events.positive[slot], probed = env->events.probing;
    double level = env->events.level[slot];
    env->events.probing = true;
    bool agrees = compare_sides(g, slot, t, x, limit);
    env->events.probing = probed;
    env->events.positive[slot] = was;
    env->events.level[slot] = level;
    return agrees;
}

bool sg_smooth_unfelt(sg_integration *g, uint32_t slot, double until)
{
    sg_sim_env *env = &g->env;
    bool was = env->events.positive[slot], probed = env->events.probing, unfelt = true;
    double level = env->events.level[slot];
    if (env->levels[slot] && env->levels[slot] - 1 != SG_LEVEL_SIGN)
        return false;
    env->events.probing = true;
    put(env, slot, true);
    bool ok = sg_sim_env_rhs(env, g->t, env->x, env->dx_work) == SG_OK;
    put(env, slot, false);
    ok = ok && sg_sim_env_rhs(env, g->t, env->x, env->x_new) == SG_OK;
    for (uint32_t i = 0; i < env->n_states && ok && unfelt; i++)
        unfelt = fabs(env->dx_work[i] - env->x_new[i]) * (until - g->t) < sg_integration_atol(g, i);
    env->events.positive[slot] = was;
    env->events.level[slot] = level;
    ok = ok && sg_sim_env_rhs(env, g->t, env->x, env->x_new) == SG_OK; // what slides is as it was
    env->events.probing = probed;
    return ok && unfelt;
}

bool sg_smooth_end(sg_integration *g)
{
    sg_sim_env *env = &g->env;
    bool any = false;
    for (uint32_t i = 0; env->n_free && i < env->layout.n_positive; i++) {
        sg_sim_band *band = &env->bands[i];
        if (!(band->free > 0.0) || !g->event.found || !g->event.found[i])
            continue;
        band->free = 0.0;
        band->awaited = false;
        env->n_free--;
        any = true;
    }
    return any;
}

bool sg_smooth_free(void *integration, uint32_t slot)
{
    sg_integration *g = (sg_integration *)integration;
    sg_sim_env *env = &g->env;
    sg_sim_band *band = &env->bands[slot];
    double limit;
    band->asked = false;
    if (band->free > 0.0 || !sg_smooth_agrees(g, slot, g->t, env->x, &limit))
        return false;
    sg_sim_band_release(band);
    band->free = limit;
    env->n_free++;
    if (env->restart < SG_RESTART)
        env->restart = SG_RESTART;
    return true;
}

void sg_smooth_begin(sg_integration *g)
{
    for (uint32_t i = 0; i < g->env.layout.n_positive; i++)
        if (g->env.bands[i].asked && !sg_sim_slides(&g->env.sliding, i))
            sg_smooth_free(g, i);
}
