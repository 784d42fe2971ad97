// Why a run cannot go on, so that somebody can do something about it.
//
// An integrator that meets a square root of a negative number tries shorter and shorter steps and
// then says that its step is too small. That is true and of no use. So the point where the model
// last gave no values is evaluated once more, and the model asked what is wrong there; it knows the
// equation. Where the model is fine the states with the largest errors and the last event tell
// where to look.
#include "sim/run_internal.h"

#include <math.h>
#include <string.h>

enum { SHOWN_STATES = 3 };

size_t sg_sim_count_errors(const sg_sim_run_state *run)
{
    return run->diags ? run->diags->n_errors : 0;
}

sg_status sg_sim_model_failed(sg_sim_run_state *run, sg_status status, sg_code code, size_t errors,
                              const char *when)
{
    double t = run->env.events.time;
    if (run->diags && run->model->explain && run->diags->n_errors == errors)
        run->model->explain(run->model->user, t, run->diags);
    if (run->diags && run->diags->n_errors == errors)
        sg_sim_report(run, SG_ERROR, code, "%s the model could not be evaluated at time = %.10g s",
                      when, t);
    return status;
}

static bool all_finite(const double *x, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

sg_status sg_sim_check_start(sg_sim_run_state *run)
{
    const sg_sim_env *env = &run->env;
    const char *const *names = run->segment.state_names;
    for (uint32_t i = 0; i < env->n_states; i++)
        if (!isfinite(env->x[i])) {
            sg_sim_report(run, SG_ERROR, SG_E_SIM_INIT,
                          "state %s starts at time = %.10g s with the value %s",
                          names ? names[i] : "?", run->t, isnan(env->x[i]) ? "NaN" : "Inf");
            return SG_ERR_INIT;
        }
    if (all_finite(env->dx, env->n_states))
        return SG_OK;
    return sg_sim_model_failed(run, SG_ERR_INIT, SG_E_SIM_INIT, sg_sim_count_errors(run),
                               "At initialization");
}

// The model once more where it gave no values, so that it can say why.
static void explain_refusal(sg_sim_run_state *run)
{
    double t;
    const double *x;
    if (!run->diags || !run->model->explain || !sg_solver_refused(run->solver, &t, &x))
        return;
    sg_sim_env_crossings(&run->env, t, x, run->env.events.z);
    run->model->explain(run->model->user, t, run->diags);
}

static void note_states(sg_sim_run_state *run)
{
    int32_t worst[SHOWN_STATES];
    double errors[SHOWN_STATES];
    const char *const *names = run->segment.state_names;
    int32_t n = sg_solver_worst_states(run->solver, worst, errors, SHOWN_STATES);
    if (n == 0 || !names || !run->segment.n_states ||
        sg_solver_interpolate(run->solver, run->t, run->x_out, NULL) != SG_OK ||
        sg_sim_env_rhs(&run->env, run->t, run->x_out, run->dx_out) != SG_OK)
        return;
    sg_buf *text = &run->text;
    sg_buf_clear(text);
    for (int32_t i = 0; i < n; i++)
        sg_buf_printf(text, "%s%s = %.6g (derivative %.3g)", i ? ", " : "", names[worst[i]],
                      run->x_out[worst[i]], run->dx_out[worst[i]]);
    sg_sim_report(run, SG_NOTE, SG_E_NONE, "the states with the largest errors: %s",
                  sg_buf_text(text));
}

static void note_last_event(sg_sim_run_state *run)
{
    const sg_sim_stats *stats = &run->outcome->stats;
    if (stats->n_time_events + stats->n_state_events == 0)
        return;
    sg_sim_report(run, SG_NOTE, SG_E_NONE, "the last event was %s at time = %.10g s",
                  sg_sim_event_text(run), run->last_event);
}

sg_status sg_sim_solver_failed(sg_sim_run_state *run, sg_status status, size_t errors)
{
    if (status == SG_ERR_INTERRUPT || status == SG_ERR_LIMIT)
        return status;
    double h = sg_solver_statistics(run->solver).h_last;
    char message[256] = "";
    strncpy(message, sg_solver_message(run->solver), sizeof message - 1);
    if (sg_sim_count_errors(run) == errors) // else the model has said why
        explain_refusal(run);
    bool explained = sg_sim_count_errors(run) != errors;
    sg_sim_report(run, explained ? SG_NOTE : SG_ERROR, SG_E_SIM_STEP,
                  "%s: simulation with %s stopped at time = %.10g s: %s (last step %.3g s)",
                  run->model->name, run->options.method->name, run->t, message, h);
    if (!explained)
        note_states(run);
    if (!explained)
        note_last_event(run);
    return status;
}

// So many steps, and time moved by less than this part of the whole: the end is out of reach.
#define STALL_STEPS 1000000
#define STALL_PART 1e-6

sg_status sg_sim_check_stall(sg_sim_run_state *run)
{
    if (++run->stall_steps < STALL_STEPS)
        return SG_OK;
    double moved = run->t - run->stall_time, whole = run->options.stop - run->options.start;
    run->stall_steps = 0;
    run->stall_time = run->t;
    if (moved > STALL_PART * whole || run->options.stop - run->t < STALL_PART * whole)
        return SG_OK;
    size_t errors = sg_sim_count_errors(run);
    explain_refusal(run);
    bool explained = sg_sim_count_errors(run) != errors;
    sg_sim_report(run, explained ? SG_NOTE : SG_ERROR, SG_E_SIM_STEP,
                  "%s: simulation with %s stopped at time = %.10g s: the last %d steps advanced "
                  "time by %.3g s only, so the stop time is out of reach",
                  run->model->name, run->options.method->name, run->t, STALL_STEPS, moved);
    note_states(run);
    note_last_event(run);
    return SG_ERR_SOLVER;
}
