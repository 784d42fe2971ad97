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
#include "integration/carry.h"
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
// ... and if no more than this part of the difference is left there.
static const double half = 0.5;

// What is looked at: the states of the model, or those of an island (solver/islands.h).
typedef struct looked_at {
    sg_integration *g;
    uint32_t n;
    const int32_t *states; // which ones of the model's; null: all
    const double *x, *f;   // where, and the derivatives there
    double *d;             // slopes of the solution, then what derivatives differ by from these
    void *user;            // of `rhs`
    sg_status (*rhs)(void *user, double t, const double *x, double *dx);
} looked_at;

static uint32_t number_of(const looked_at *l, uint32_t k)
{
    return l->states ? (uint32_t)l->states[k] : k;
}

// Unknowns that the solver carries stay as they are where the states are looked at.
static sg_status rates_of_all(void *user, double t, const double *x, double *dx)
{
    sg_integration *g = user;
    g->env.carried = sg_carried_in(g, g->x_out);
    sg_status status = sg_sim_env_rhs(&g->env, t, x, dx);
    g->env.carried = NULL;
    return status;
}

static looked_at all_of(sg_integration *g)
{
    return (looked_at){.g = g,
                       .n = g->segment.n_states,
                       .x = g->x_out,
                       .f = g->dx_out,
                       .d = g->watched.verify.work,
                       .user = g,
                       .rhs = rates_of_all};
}

static double tolerance_of(const looked_at *l, uint32_t k, double x)
{
    return l->g->options.tolerance * fabs(x) + sg_integration_atol(l->g, number_of(l, k));
}

// Would a small change of the states explain the difference of their derivatives?
static bool is_explained(const looked_at *l, double t, uint32_t i)
{
    const double *x = l->x, *d = l->d;
    double most = 0.0, *beside = l->g->watched.verify.work + l->g->n_solver,
           *moved = beside + l->g->n_solver;
    for (uint32_t k = 0; k < l->n; k++)
        most = fmax(most, fabs(d[k]) / tolerance_of(l, k, x[k]));
    double tolerance = tolerance_of(l, i, x[i]), epsilon = 1.0 / most;
    for (uint32_t k = 0; k < l->n; k++)
        beside[k] = x[k] + epsilon * d[k];
    if (l->rhs(l->user, t, beside, moved) != SG_OK)
        return true;
    double rate = (moved[i] - l->f[i]) / (epsilon * d[i]);
    if (!(rate < 0.0) || !(fabs(d[i] / rate) <= next_to * tolerance))
        return false;
    if (l->g->model->nonsmooth) // what contacts remember is that of the run
        return true;
    // What is no line may promise that and not keep it: the voltage of a diode is the logarithm of
    // its current, steep where that is small, and flat as soon as it is not.
    for (uint32_t k = 0; k < l->n; k++)
        beside[k] = x[k] - d[k] / rate;
    if (l->rhs(l->user, t, beside, moved) != SG_OK)
        return true;
    double left = d[i] + (moved[i] - l->f[i]);
    return left * d[i] <= half * d[i] * d[i];
}

// What states are moved by to see slopes, in tolerances: all that is known of a contact may be less
// deep than one.
static const double little = 0.01;

// Would a small change of another state explain it, with which state i swings to and fro?
static bool swings(const looked_at *l, double t, uint32_t i)
{
    const double *x = l->x, *f = l->f;
    size_t n = (size_t)l->g->n_solver;
    double *beside = l->g->watched.verify.work + n, *moved = beside + n, *answer = moved + n;
    memcpy(beside, x, l->n * sizeof *x);
    beside[i] += little * tolerance_of(l, i, x[i]);
    if (l->rhs(l->user, t, beside, answer) != SG_OK)
        return false;
    beside[i] = x[i];
    for (uint32_t k = 0; k < l->n; k++) {
        if (k == i || answer[k] == f[k])
            continue;
        double step = little * tolerance_of(l, k, x[k]);
        beside[k] = x[k] + step;
        if (l->rhs(l->user, t, beside, moved) != SG_OK)
            return false;
        beside[k] = x[k];
        double change = moved[i] - f[i];
        if (change * (answer[k] - f[k]) < 0.0 && fabs(change) * next_to >= little * fabs(l->d[i]))
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
    return !g->env.delays.n_taps && !g->model->nonsmooth && !g->memory.constrained.by &&
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
    if (g->memory.carry.on) {
        sg_integration_evaluate_rates(g, t0, g->env.x);
        return sg_integration_restart(g);
    }
    g->env.events.loose = true;
    sg_sim_env_plain(&g->env, t0, g->env.x, g->dx_out);
    g->env.events.loose = false;
    return sg_integration_restart(g);
}

// Can it be looked at all? Each island may be one that decays quickly.
static bool can_verify(const sg_integration *g)
{
    int32_t islands = g->solver ? sg_solver_count_islands(g->solver) : 0;
    uint32_t looks = (uint32_t)LOOKS * (uint32_t)(islands > 1 ? islands : 1);
    // Who carries unknowns looks only where these do not follow (refine_carried).
    return (g->watched.verify.looks < looks || g->memory.carry.on) && !g->options.plain_atol &&
           !g->env.sliding.n && g->segment.n_states;
}

bool sg_integration_is_verified(const sg_integration *g)
{
    return can_verify(g) && !g->formulation->apart;
}

sg_status sg_integration_interpolate_inside(sg_integration *g, double t, double *x)
{
    return sg_solver_interpolate(g->solver, t, x,
                                 sg_integration_is_verified(g) ? g->watched.verify.work : NULL);
}

// The largest size of a state so far. A component of a vector is as large as the vector, as it is
// in the weights of errors: what a motion in a plane has aside of it is rounding, and any push is
// more.
static double largest_of(const sg_integration *g, uint32_t i)
{
    const sg_sim_segment *s = &g->segment;
    uint32_t low = 0, high = s->vectors ? s->n_vectors : 0; // ascending
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (s->vectors[middle] + 3 <= i)
            low = middle + 1;
        else
            high = middle;
    }
    const double *largest = g->sizes.largest;
    if (!s->vectors || low == s->n_vectors || s->vectors[low] > i)
        return largest[i];
    const double *of = largest + s->vectors[low];
    return fmax(of[0], fmax(of[1], of[2]));
}

// The state whose derivative differs most from its slope, which `d` has until the difference takes
// its place; + 1, or 0 if none does by more than this part of what matters.
static uint32_t find_worst(const looked_at *l, double h, double part)
{
    const sg_integration *g = l->g;
    const sg_sim_segment *s = &g->segment;
    double *d = l->d;
    uint32_t worst = 0;
    // Where it costs a few steps only, what matters is enough.
    double most =
        part * (can_ask_again(g, h) ? fmin(tolerances, share / g->options.tolerance) : tolerances);
    const sg_tolerances absolute = sg_tolerances_of(g);
    for (uint32_t k = 0; k < l->n; k++) {
        uint32_t i = number_of(l, k);
        d[k] = l->f[k] - d[k];
        double move = h * fabs(d[k]),
               tolerance = g->options.tolerance * fabs(l->x[k]) + sg_tolerance_at(&absolute, i);
        if (move < 0.99 * most * tolerance) // what is beyond rounding needs no quotient
            continue;
        double ratio = move / tolerance;
        bool follows =
            g->memory.constrained.by && !g->differential[i]; // from others, by constraints
        // Anchors of contacts have kinks, and nobody knows them: what they do shows in the bodies.
        follows |= s->unlisted && s->unlisted[i] && !s->quadrature[i];
        if (ratio > most && move > part * share * largest_of(g, i) && isfinite(move) && !follows) {
            most = ratio;
            worst = k + 1;
        }
    }
    return worst;
}

// The cubic is less exact than the solution, so what it differs by has to be less, too.
static const double rough_part = 0.5;

bool sg_integration_follows_roughly(sg_integration *g, double t, double h)
{
    looked_at l = all_of(g);
    if (g->memory.carry.on) // where there are unknowns with which it does, it does
        return sg_integration_refine_carried(g, t, h, g->x_out);
    return sg_solver_interpolate_roughly(g->solver, t, g->x_out, g->watched.verify.work) &&
           sg_integration_project_stored(g, t, g->x_out) == SG_OK &&
           sg_integration_evaluate_rates(g, t, g->x_out) == SG_OK && !find_worst(&l, h, rough_part);
}

// At t, in a step of length h, with derivatives and slopes found.
static sg_status judge(const looked_at *l, double t, double h)
{
    sg_integration *g = l->g;
    const sg_sim_segment *s = &g->segment;
    uint32_t at = find_worst(l, h, 1.0);
    if (!at--)
        return SG_OK;
    uint32_t worst = number_of(l, at);
    g->watched.verify.looks++;
    double derivative = l->f[at], off = l->d[at], slope = derivative - off;
    if (is_explained(l, t, at) || swings(l, t, at))
        return SG_OK;
    bool is_gross = h * fabs(off) > gross * largest_of(g, worst);
    if (g->watched.verify.told && !is_gross)
        return SG_OK;
    if (l->states) // one solver for all takes over from before this step, and may see it
        return SG_ERR_SOLVER;
    if (sg_stretch_rescue(g))
        return SG_OK;
    // Unknowns in between are as exact as polynomials follow them, which is no evidence by itself.
    if (g->memory.carry.on && !can_ask_again(g, h))
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

sg_status sg_integration_verify(sg_integration *g, double t, double h)
{
    looked_at l = all_of(g);
    return judge(&l, t, h);
}

// ---- where
// ---------------------------------------------------------------------------------------

// Watches look at so many points of a run, wherever results are stored.
enum { LOOKS_OF_RUN = 250 };
// Closer than this part of their distance to the end of a step they see nothing that it does not.
static const double look_at_end = 1e-9;

double sg_integration_next_look(const sg_integration *g, double t0, double t, int k)
{
    double start = g->options.start, apart = (g->options.stop - start) / LOOKS_OF_RUN;
    double at = start + (floor((t0 - start) / apart) + 1.0 + k) * apart;
    return k <= LOOKS_OF_RUN && at < t - look_at_end * apart ? at : (double)INFINITY;
}

// A point of a step of an island.
static sg_status look_at(const looked_at *l, const sg_island_step *step, double t)
{
    sg_integration *g = l->g;
    double h = step->t - step->t0;
    sg_status status = SG_OK;
    if (sg_solver_interpolate_roughly(step->solver, t, g->x_out, l->d) &&
        l->rhs(l->user, t, g->x_out, g->dx_out) == SG_OK && !find_worst(l, h, rough_part))
        return SG_OK;
    status = sg_solver_interpolate(step->solver, t, g->x_out, l->d);
    if (!status)
        status = l->rhs(l->user, t, g->x_out, g->dx_out);
    if (status) // steps and results there will tell
        return status == SG_ERR_SOLVER ? SG_OK : status;
    return judge(l, t, h);
}

sg_status sg_integration_verify_island(sg_integration *g, const sg_island_step *step)
{
    looked_at l = all_of(g);
    l.n = (uint32_t)step->n;
    l.states = step->states;
    l.user = step->user;
    l.rhs = step->rhs;
    sg_status status = SG_OK;
    for (int k = 0; !status && can_verify(g); k++) {
        double t = sg_integration_next_look(g, step->t0, step->t, k);
        if (!isfinite(t))
            break;
        status = look_at(&l, step, t);
    }
    return status;
}
