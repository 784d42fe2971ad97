#include "integration/nonstiff.h"

#include "integration/formulation.h"

#include <math.h>
#include <string.h>

// From so many states on.
#define LEAST_STATES 100
// Steps between two looks: at first and while Adams goes on, and at most. Each look that leaves BDF
// doubles them, and after each return to it they are four times as many as after the one before.
enum { FIRST_WAIT = 100, MOST_WAIT = 6400 };
// Evaluations of a look beside the first.
enum { PASSES = 6 };
// The fastest rate times the mean step: a model is not stiff below the first, and too fast for
// Adams beyond the second, at which its iteration takes all the corrections that it has.
static const double enter = 0.3, leave = 0.8;

static bool can_change(const sg_integration *g)
{
    const sg_integration_options *o = &g->options;
    const sg_sim_segment *s = &g->segment;
    bool plain =
        g->formulation == &sg_formulation_plain || g->formulation == &sg_formulation_nonstiff;
    return o->chooses && plain && g->solver && s->n_states >= LEAST_STATES && !s->n_carried &&
           !s->increment && !g->model->nonsmooth && !g->model->project && !g->env.sliding.n &&
           !g->env.delays.n_taps && o->method->family == SG_FAMILY_BDF;
}

static double tolerance_of(const sg_integration *g, uint32_t i)
{
    return g->options.tolerance * fabs(g->x[i]) + sg_integration_atol(g, i);
}

// Up or down: any pattern that the states do not know will do.
static double sign_of(uint32_t i) { return (i + 1) * 2654435761u >> 16 & 1u ? 1.0 : -1.0; }

// d becomes what derivatives at x + d differ by from f, of length one in tolerances. Its length
// before, or infinity where the model has no values.
static double turn(sg_integration *g, const double *f, double *d)
{
    uint32_t n = g->segment.n_states;
    double sum = 0.0;
    for (uint32_t i = 0; i < n; i++)
        g->x_out[i] = g->x[i] + d[i];
    if (sg_sim_env_rhs(&g->env, g->t, g->x_out, g->dx_out) != SG_OK)
        return HUGE_VAL;
    for (uint32_t i = 0; i < n; i++) {
        d[i] = g->dx_out[i] - f[i];
        double part = d[i] / tolerance_of(g, i);
        sum += part * part;
    }
    double length = sqrt(sum / n);
    for (uint32_t i = 0; i < n && length > 0.0; i++)
        d[i] /= length;
    return isfinite(length) ? length : HUGE_VAL;
}

// The fastest rate of the model where the run stands [1/s]. In what swings, places and speeds take
// turns: only two passes together tell a rate.
static double fastest(sg_integration *g)
{
    uint32_t n = g->segment.n_states;
    double *d = g->memory.nonstiff.work, *f = d + n, before = 0.0, rate = 0.0;
    if (sg_sim_env_rhs(&g->env, g->t, g->x, f) != SG_OK)
        return HUGE_VAL;
    for (uint32_t i = 0; i < n; i++)
        d[i] = sign_of(i) * tolerance_of(g, i);
    for (int pass = 0; pass < PASSES; pass++) {
        double length = turn(g, f, d);
        if (!(length > 0.0) || !isfinite(length))
            return fmax(rate, length);
        rate = fmax(rate, sqrt(before * length));
        before = length;
    }
    return rate;
}

// Back to the method of the start, from env.x.
static sg_status return_to_default(sg_integration *g)
{
    sg_nonstiff *b = &g->memory.nonstiff;
    b->on = false;
    b->steps = 0;
    b->since = g->t;
    b->back = b->back < MOST_WAIT ? 4 * b->back : MOST_WAIT;
    b->wait = b->back;
    return sg_integration_change_solver(g, false);
}

static sg_status go_on_without(sg_integration *g, double rate, double h)
{
    sg_nonstiff *b = &g->memory.nonstiff;
    b->on = true;
    b->wait = FIRST_WAIT;
    sg_status status = sg_integration_change_solver(g, false);
    if (!status && !b->told)
        sg_sim_report(g->diags, g->t, SG_NOTE, SG_E_NONE,
                      "%s: nothing in the model is fast beside the steps (%.2g 1/s, steps of %.2g "
                      "s), so from time = %.10g s on CVODE_Adams goes on without Newton's method, "
                      "as long as that is so; to keep CVODE_BDF, name it: simulate!(model, "
                      "CVODE_BDF(), ...)",
                      g->model->name, rate, h, g->t);
    b->told = true;
    return status;
}

sg_status sg_nonstiff_look(sg_integration *g)
{
    sg_nonstiff *b = &g->memory.nonstiff;
    if (!can_change(g) || ++b->steps < b->wait)
        return SG_OK;
    double h = (g->t - b->since) / b->steps;
    b->steps = 0;
    b->since = g->t;
    if (!(h > 0.0)) // the run went back
        return SG_OK;
    double rate = fastest(g);
    bool easy = rate * h < (b->on ? leave : enter);
    if (easy == b->on) {
        b->wait = b->on ? FIRST_WAIT : b->wait < MOST_WAIT ? 2 * b->wait : MOST_WAIT;
        return SG_OK;
    }
    memmove(g->env.x, g->x, g->segment.n_states * sizeof *g->x);
    return easy ? go_on_without(g, rate, h) : return_to_default(g);
}

void sg_nonstiff_keep(sg_integration *g)
{
    if (g->memory.nonstiff.on)
        memmove(g->env.x, g->x, g->segment.n_states * sizeof *g->x);
}

bool sg_nonstiff_retry(sg_integration *g)
{
    return g->memory.nonstiff.on && return_to_default(g) == SG_OK;
}

void sg_nonstiff_segment(sg_integration *g, size_t room)
{
    (void)room;
    bool told = g->memory.nonstiff.told;
    size_t n = g->options.chooses && g->segment.n_states >= LEAST_STATES ? g->segment.n_states : 0;
    g->memory.nonstiff =
        (sg_nonstiff){.wait = FIRST_WAIT,
                      .back = FIRST_WAIT,
                      .told = told,
                      .since = g->t,
                      .work = n ? SG_NEW_ARRAY(&g->segment_arena, double, 2 * n) : NULL};
}
