// Does the solution follow the model between the points where the method looked?
//
// A method judges a step by what it sees at its own points. A pulse or a kink between them, a pole
// of a derivative that a long step leads across, go unnoticed, and the error test is content. At
// result points inside of a step the model is evaluated anyway, so its derivatives are compared
// with those of the solution there. They differ for a second reason: where something decays
// quickly, a deviation of the size of the tolerance makes derivatives that are larger by far. That
// is told apart by one more evaluation, a little along the difference: if the derivatives come back
// there, the solution is next to where they agree. What swings quickly, as a body on a stiff
// contact does, comes back in two states at a time: a place that is off makes the derivative of a
// speed.
#include "integration/formulation.h"

#include <math.h>
#include <string.h>

// A model that decays quickly at so many points is not looked at any more.
enum { LOOKS = 20 };
// What the difference would move a state by within the step matters from these many tolerances on,
// and if it is this part of the state.
static const double tolerances = 1e4, share = 0.01;
// From this part of the state on nothing that follows is worth anything.
static const double gross = 0.1;
// The solution is next to where derivatives agree if it is so many tolerances away.
static const double next_to = 100.0;

static double tolerance_of(const sg_integration *g, uint32_t i, double x)
{
    return g->options.tolerance * fabs(x) + sg_integration_atol(g, i);
}

// Would a small change of the states x explain the difference d of their derivatives f?
static bool is_explained(sg_integration *g, double t, uint32_t i, const double *f, const double *d,
                         const double *x)
{
    uint32_t n = g->segment.n_states;
    double most = 0.0, *beside = g->watched.verify.work + g->n_solver,
           *moved = beside + g->n_solver;
    for (uint32_t k = 0; k < n; k++)
        most = fmax(most, fabs(d[k]) / tolerance_of(g, k, x[k]));
    double tolerance = tolerance_of(g, i, x[i]), epsilon = 1.0 / most;
    for (uint32_t k = 0; k < n; k++)
        beside[k] = x[k] + epsilon * d[k];
    if (sg_sim_env_rhs(&g->env, t, beside, moved) != SG_OK)
        return true;
    double rate = (moved[i] - f[i]) / (epsilon * d[i]);
    return rate < 0.0 && fabs(d[i] / rate) <= next_to * tolerance;
}

// What states are moved by to see slopes, in tolerances: all that is known of a contact may be less
// deep than one.
static const double little = 0.01;

// Would a small change of another state explain it, with which state i swings to and fro?
static bool swings(sg_integration *g, double t, uint32_t i, const double *f, double d,
                   const double *x)
{
    uint32_t n = g->segment.n_states;
    double *beside = g->watched.verify.work + g->n_solver, *moved = beside + g->n_solver;
    double *answer = moved + g->n_solver;
    memcpy(beside, x, n * sizeof *x);
    beside[i] += little * tolerance_of(g, i, x[i]);
    if (sg_sim_env_rhs(&g->env, t, beside, answer) != SG_OK)
        return false;
    beside[i] = x[i];
    for (uint32_t k = 0; k < n; k++) {
        if (k == i || answer[k] == f[k])
            continue;
        double step = little * tolerance_of(g, k, x[k]);
        beside[k] = x[k] + step;
        if (sg_sim_env_rhs(&g->env, t, beside, moved) != SG_OK)
            return false;
        beside[k] = x[k];
        double change = moved[i] - f[i];
        if (change * (answer[k] - f[k]) < 0.0 && fabs(change) * next_to >= little * fabs(d))
            return true;
    }
    return false;
}

// Steps that are taken again are so many times shorter, and no shorter than this part of the run;
// nor is that done more often.
enum { SHORTER = 8, MOST_BACK = 100000 };
static const double shortest = 1e-7;

// Can what a step went over be met by shorter ones? Not where something remembers the step: the
// past of delays, contacts. Poles are told by others, and shorter steps do not get across a jump.
static bool can_ask_again(const sg_integration *g, double h)
{
    return !g->env.delays.n_taps && !g->model->nonsmooth && !g->constrained.by &&
           !g->formulation->apart && !(g->options.h_fixed > 0.0) &&
           g->watched.verify.n_back < MOST_BACK &&
           h / SHORTER > shortest * (g->options.stop - g->options.start);
}

static bool ask_again(sg_integration *g, double h)
{
    sg_verify *v = &g->watched.verify;
    if (!can_ask_again(g, h))
        return false;
    v->n_back++;
    v->looks--; // it was no model that decays quickly
    v->back = true;
    v->bound = h / SHORTER;
    v->until = g->t;
    return true;
}

double sg_integration_verified_bound(const sg_integration *g)
{
    const sg_verify *v = &g->watched.verify;
    return g->t < v->until ? v->bound : (double)INFINITY;
}

sg_status sg_integration_step_back(sg_integration *g, double t0)
{
    g->watched.verify.back = false;
    sg_status status = sg_solver_interpolate(g->solver, t0, g->env.x, NULL);
    g->t = t0;
    if (status)
        return status;
    // Unknowns are those of the end of the step, which may lie behind a switch. With conditions
    // that hold here their equations may have a second solution, and these must not lead to it.
    g->env.events.loose = true;
    sg_sim_env_plain(&g->env, t0, g->env.x, g->dx_out);
    g->env.events.loose = false;
    return sg_integration_restart(g);
}

bool sg_integration_is_verified(const sg_integration *g)
{
    return g->watched.verify.looks < LOOKS && !g->options.plain_atol && !g->env.sliding.n &&
           !g->carry.on && g->segment.n_states && !g->formulation->apart;
}

sg_status sg_integration_interpolate_inside(sg_integration *g, double t, double *x)
{
    return sg_solver_interpolate(g->solver, t, x,
                                 sg_integration_is_verified(g) ? g->watched.verify.work : NULL);
}

// The state whose derivative differs most from its slope, which `verify.work` has until the
// difference takes its place; + 1, or 0 if none does by more than this part of what matters.
static uint32_t find_worst(sg_integration *g, double h, double part)
{
    const sg_sim_segment *s = &g->segment;
    const double *f = g->dx_out, *x = g->x_out;
    double *d = g->watched.verify.work;
    uint32_t worst = 0;
    // Where it costs a few steps only, what matters is enough.
    double most =
        part * (can_ask_again(g, h) ? fmin(tolerances, share / g->options.tolerance) : tolerances);
    const sg_tolerances absolute = sg_tolerances_of(g);
    for (uint32_t i = 0; i < s->n_states; i++) {
        d[i] = f[i] - d[i];
        double move = h * fabs(d[i]),
               tolerance = g->options.tolerance * fabs(x[i]) + sg_tolerance_at(&absolute, i);
        if (move < 0.99 * most * tolerance) // what is beyond rounding needs no quotient
            continue;
        double ratio = move / tolerance;
        bool follows = g->constrained.by && !g->differential[i]; // from others, by constraints
        // Anchors of contacts have kinks, and nobody knows them: what they do shows in the bodies.
        follows |= s->unlisted && s->unlisted[i] && !s->quadrature[i];
        if (ratio > most && move > part * share * g->sizes.largest[i] && isfinite(move) &&
            !follows) {
            most = ratio;
            worst = i + 1;
        }
    }
    return worst;
}

// The cubic is less exact than the solution, so what it differs by has to be less, too.
static const double rough_part = 0.5;

bool sg_integration_follows_roughly(sg_integration *g, double t, double h)
{
    return sg_solver_interpolate_roughly(g->solver, t, g->x_out, g->watched.verify.work) &&
           sg_integration_project_stored(g, t, g->x_out) == SG_OK &&
           sg_integration_evaluate_rates(g, t, g->x_out) == SG_OK && !find_worst(g, h, rough_part);
}

sg_status sg_integration_verify(sg_integration *g, double t, double h)
{
    const sg_sim_segment *s = &g->segment;
    const double *f = g->dx_out, *x = g->x_out, *d = g->watched.verify.work;
    uint32_t worst = find_worst(g, h, 1.0);
    if (!worst--)
        return SG_OK;
    g->watched.verify.looks++;
    double derivative = f[worst], slope = derivative - d[worst];
    if (is_explained(g, t, worst, f, d, x) || swings(g, t, worst, f, d[worst], x))
        return SG_OK;
    bool is_gross = h * fabs(d[worst]) > gross * g->sizes.largest[worst];
    if (g->watched.verify.told && !is_gross)
        return SG_OK;
    if (sg_stretch_rescue(g))
        return SG_OK;
    if (ask_again(g, h)) {
        if (g->watched.verify.n_back == 1)
            sg_sim_report(g->diags, t, SG_NOTE, SG_E_SIM_DEFECT,
                          "a step of %.3g s went over something that the method did not see: '%s' "
                          "has the derivative %.4g at time = %.10g s, but its solution the slope "
                          "%.4g. Such steps are taken again, in shorter ones",
                          h, s->state_names ? s->state_names[worst] : "a state", derivative, t,
                          slope);
        return SG_OK;
    }
    g->watched.verify.told = true;
    sg_sim_report(g->diags, t, is_gross ? SG_ERROR : SG_WARNING, SG_E_SIM_DEFECT,
                  "a step of %.3g s went over something that the method did not see: '%s' has the "
                  "derivative %.4g at time = %.10g s, but its solution the slope %.4g. Values from "
                  "here on %s be wrong altogether; bound the steps with dtmax, or look for a pole "
                  "or a jump in the equations",
                  h, s->state_names ? s->state_names[worst] : "a state", derivative, t, slope,
                  is_gross ? "would" : "may");
    return is_gross ? SG_ERR_SOLVER : SG_OK;
}
