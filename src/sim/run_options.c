// What a run is asked for: defaults, and what makes no sense.
#include "sim/run_internal.h"

#include <float.h>
#include <math.h>

sg_sim_options sg_sim_options_default(void)
{
    return (sg_sim_options){.method = sg_algorithm_find("CVODE_BDF"),
                            .tolerance = 1e-6,
                            .adaptive = true,
                            .dae_min_size = 10,
                            .final_rtol = 1e-3,
                            .max_events_at_once = 1000,
                            .chatter_events = 100,
                            .progress_period = 0.2};
}

// Squares of shorter steps are no numbers any more, and no process is that fast.
#define SHORTEST_RUN 1e-30 // [s]

sg_status sg_sim_check_options(sg_sim_run_state *run)
{
    sg_sim_options *o = &run->options;
    if (!isfinite(o->start) || !isfinite(o->stop) || o->stop < o->start) {
        sg_sim_remark(run->diags, 0.0, SG_ERROR, SG_E_SIM_OPTIONS,
                      "stopTime = %.10g s must not be before startTime = %.10g s%s", o->stop,
                      o->start, o->stop < o->start ? "" : "; both must be finite");
        return SG_ERR_USAGE;
    }
    if (!(o->tolerance > 0.0) || !isfinite(o->tolerance) || o->interval < 0.0 || o->h_max < 0.0) {
        sg_sim_remark(run->diags, 0.0, SG_ERROR, SG_E_SIM_OPTIONS,
                      "tolerance (%g) must be positive, interval (%g s) and dtmax (%g s) not "
                      "negative",
                      o->tolerance, o->interval, o->h_max);
        return SG_ERR_USAGE;
    }
    if (o->tolerance >= 1.0) {
        sg_sim_remark(run->diags, 0.0, SG_ERROR, SG_E_SIM_OPTIONS,
                      "tolerance = %g leaves no digit of a state: it is relative, 1e-4 for four "
                      "digits, and below 1",
                      o->tolerance);
        return SG_ERR_USAGE;
    }
    double least = 100.0 * (o->single ? (double)FLT_EPSILON : DBL_EPSILON);
    if (o->tolerance < least) {
        sg_sim_remark(run->diags, 0.0, SG_WARNING, SG_E_SIM_OPTIONS,
                      "tolerance = %g is raised to %g, a hundred times the resolution of %s",
                      o->tolerance, least, o->single ? "Float32" : "Float64");
        o->tolerance = least;
    }
    // Points that differ from each other need an interval that changes the time at all.
    double resolution = 2.0 * DBL_EPSILON * fmax(fabs(o->start), fabs(o->stop));
    double length = o->stop - o->start;
    if (length > 0.0 && (length < SHORTEST_RUN || length < resolution)) {
        sg_sim_remark(
            run->diags, 0.0, SG_ERROR, SG_E_SIM_OPTIONS,
            "stopTime = %.10g s is too close to startTime = %.10g s: there is no room for "
            "a step",
            o->stop, o->start);
        return SG_ERR_USAGE;
    }
    if (o->interval > 0.0 && o->interval < resolution) {
        sg_sim_report(run->diags, 0.0, SG_ERROR, SG_E_SIM_OPTIONS,
                      "interval = %g s is below the resolution of time, which is %.2g s at t = "
                      "%.10g s",
                      o->interval, resolution, fmax(fabs(o->start), fabs(o->stop)));
        return SG_ERR_USAGE;
    }
    run->scale = o->stop > o->start ? (o->stop - o->start) / 500.0 : 1.0;
    if (!(o->interval > 0.0))
        o->interval = run->scale;
    if (!(o->h_max > 0.0))
        o->h_max = 100.0 * (o->compat_thresholds ? o->interval : run->scale);
    if (o->interp_points == 1)
        o->interp_points = 2;
    if (!o->adaptive && !sg_algorithm_is_one_step(o->method)) {
        sg_sim_remark(run->diags, 0.0, SG_WARNING, SG_E_SIM_OPTIONS,
                      "%s has no fixed step; adaptive = false is ignored", o->method->name);
        o->adaptive = true;
    }
    return SG_OK;
}
