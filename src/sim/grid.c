// Points of the output grid.
//
// They lie within steps, at the states of the step's interpolant. Unknowns that only results depend
// on are not known to the solver: Newton's method begins where the point before ended, and where
// there are several solutions the way there decides which one it finds. A grid that is coarse would
// decide it otherwise than a fine one (sin(y) = 10*x*cos(y) ended a whole turn away). So such
// unknowns are followed from one five hundredth of the run to the next where the grid is coarser.
#include "integration/carry.h"
#include "integration/kept.h"
#include "sim/run_internal.h"

#include <math.h>

static double grid_time(const sg_sim_run_state *run, uint64_t k)
{
    return run->options.start + (double)k * run->options.interval;
}

bool sg_sim_is_instant(const sg_sim_run_state *run, double a, double b)
{
    return sg_events_same_instant(&run->integration->env.events, a, b);
}

// A grid may be finer than instants of events are told apart.
static bool on_grid(const sg_sim_run_state *run, double tk, double t)
{
    return sg_sim_is_instant(run, tk, t) && fabs(tk - t) <= 1e-3 * run->options.interval;
}

// ---- between points -----------------------------------------------------------------------------

// ... but for rounding.
static const double coarser = 1.001;

static bool follows(const sg_sim_run_state *run)
{
    const sg_sim_model *model = run->integration->model;
    return run->options.interval > coarser * run->scale && model->searches_results &&
           model->searches_results(model->user);
}

// The first of the places behind t at which unknowns of results are followed; never if they need
// not.
static double next_followed(const sg_sim_run_state *run, double t)
{
    if (!follows(run))
        return INFINITY;
    double k = floor((t - run->options.start) / run->scale) + 1.0;
    double at = run->options.start + k * run->scale;
    return at > t ? at : at + run->scale;
}

// Where results have no values nothing is said: one that is stored will tell.
sg_status sg_sim_follow(sg_sim_run_state *run, double t, const double *x)
{
    sg_status status = sg_integration_evaluate(run->integration, t, x);
    return status == SG_ERR_SOLVER ? SG_OK : status;
}

double sg_sim_next_point(const sg_sim_run_state *run, double t)
{
    uint64_t k = run->next_grid;
    while (grid_time(run, k) <= t && grid_time(run, k) < run->options.stop)
        k++;
    return fmin(grid_time(run, k), next_followed(run, t));
}

// ---- within a step ------------------------------------------------------------------------------

// A point of a step that began at t0 and ended at t: a result, or only looked at.
static sg_status visit(sg_sim_run_state *run, double tk, double t0, double t, bool is_result)
{
    sg_integration *g = run->integration;
    // A fixed step that ends on the grid up to rounding needs no interpolation.
    bool at_end = tk > t || t - tk <= 1e-9 * run->options.interval;
    sg_status status = g->env.events.pure ? SG_OK : sg_kept_begin(g);
    if (status)
        return status;
    status = sg_integration_interpolate(g, at_end ? t : tk, g->x_out);
    if (!status)
        status = sg_integration_project_stored(g, tk, g->x_out);
    if (!status && !at_end)
        sg_integration_refine_carried(g, tk, t - t0, g->x_out);
    if (!status)
        status = run->held.on ? sg_sim_held_add(run, tk, g->x_out, is_result)
                 : is_result  ? sg_sim_store_from(run, tk, g->x_out, t0)
                              : sg_sim_follow(run, tk, g->x_out);
    sg_kept_put_back(g);
    return status;
}

// Up to t of a step from t0 to t1.
static sg_status follow_to(sg_sim_run_state *run, double t0, double t, double t1)
{
    sg_status status = SG_OK;
    double from = run->followed.from == t0 ? fmax(run->followed.to, t0) : t0;
    double at = next_followed(run, from);
    while (at < t && !status) {
        status = visit(run, at, t0, t1, false);
        at = next_followed(run, at);
    }
    run->followed.from = t0;
    run->followed.to = fmax(from, t);
    return status;
}

// Points strictly between t0 and t; the end of a run and both sides of an event are stored by
// themselves.
sg_status sg_sim_store_grid(sg_sim_run_state *run, double t0, double t, bool include_end)
{
    sg_status status = SG_OK;
    for (; !status; run->next_grid++) {
        double tk = grid_time(run, run->next_grid);
        bool same = on_grid(run, tk, t);
        if (tk > t && !same)
            break;
        if (same && !include_end)
            continue;
        if (tk <= t0 && !same)
            continue; // a segment that started between grid points
        // Where somebody wanted to be is where the point is: time never goes back, be it by a bit.
        if (tk > t && t >= run->target)
            tk = t;
        status = sg_sim_check_limits(run);
        if (!status)
            status = follow_to(run, t0, fmin(tk, t), t);
        if (!status)
            status = visit(run, tk, t0, t, true);
        if (status)
            break;
    }
    if (!status)
        status = follow_to(run, t0, t, t);
    sg_kept_end(run->integration);
    return status;
}
