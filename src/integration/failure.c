// Why a run cannot go on, so that somebody can do something about it.
//
// An integrator that meets a square root of a negative number tries shorter and shorter steps and
// then says that its step is too small. That is true and of no use. So the point where the model
// last gave no values is evaluated once more, and the model asked what is wrong there; it knows the
// equation. Where the model is fine the states with the largest errors and the last event tell
// where to look.
#include "integration/carry.h"
#include "math/finite.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_STATES = 3 };

static void report(sg_diags *diags, sg_diag diag, const char *format, va_list arguments)
{
    char text[1024];
    vsnprintf(text, sizeof text, format, arguments);
    diag.message = text;
    sg_diags_put(diags, diag);
}

void sg_sim_report(sg_diags *diags, double t, sg_severity severity, sg_code code,
                   const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    sg_diag diag = {.severity = severity, .code = code, .time = t, .names_time = true};
    report(diags, diag, format, arguments);
    va_end(arguments);
}

void sg_sim_remark(sg_diags *diags, double t, sg_severity severity, sg_code code,
                   const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(diags, (sg_diag){.severity = severity, .code = code, .time = t}, format, arguments);
    va_end(arguments);
}

size_t sg_integration_errors(const sg_integration *g) { return g->diags ? g->diags->n_errors : 0; }

sg_status sg_integration_model_failed(sg_integration *g, sg_status status, sg_code code,
                                      size_t errors, const char *when)
{
    double t = g->env.events.time;
    if (status == SG_ERR_INTERRUPT || status == SG_ERR_LIMIT)
        return status; // the model is not at fault; sim/run.c says what is
    if (g->diags && g->model->explain && g->diags->n_errors == errors)
        g->model->explain(g->model->user, t, g->diags);
    if (g->diags && g->diags->n_errors == errors)
        sg_sim_report(g->diags, g->t, SG_ERROR, code,
                      "%s the model could not be evaluated at time = %.10g s", when, t);
    return status;
}

sg_status sg_integration_check_start(sg_integration *g)
{
    const sg_sim_env *env = &g->env;
    const char *const *names = g->segment.state_names;
    for (uint32_t i = 0; i < env->n_states; i++)
        if (!isfinite(env->x[i])) {
            sg_sim_report(g->diags, g->t, SG_ERROR, SG_E_SIM_INIT,
                          "state %s starts at time = %.10g s with the value %s",
                          names ? names[i] : "?", g->t, isnan(env->x[i]) ? "NaN" : "Inf");
            return SG_ERR_INIT;
        }
    if (sg_all_finite(env->dx, env->n_states))
        return SG_OK;
    return sg_integration_model_failed(g, SG_ERR_INIT, SG_E_SIM_INIT, sg_integration_errors(g),
                                       "At initialization");
}

// The model once more where it gave no values, so that it can say why.
static void explain_refusal(sg_integration *g)
{
    double t;
    const double *x;
    if (!g->diags || !g->model->explain)
        return;
    // Another solver did not help where it was tried because of this.
    bool before =
        g->memory.carry.on && g->t == g->memory.carry.failed && !isnan(g->memory.carry.refused_t);
    t = g->memory.carry.refused_t;
    x = g->memory.carry.refused_x;
    if (!before && !sg_solver_refused(g->solver, &t, &x))
        return;
    // Without unknowns that are carried: systems are solved, and say what stops them.
    sg_sim_env_crossings(&g->env, t, x, g->env.events.z);
    g->model->explain(g->model->user, t, g->diags);
}

static void note_states(sg_integration *g)
{
    int32_t worst[SHOWN_STATES];
    double errors[SHOWN_STATES];
    const char *const *names = g->segment.state_names;
    int32_t n = sg_solver_worst_states(g->solver, worst, errors, SHOWN_STATES);
    if (n == 0 || !names || !g->segment.n_states ||
        sg_solver_interpolate(g->solver, g->t, g->x_out, NULL) != SG_OK)
        return;
    g->env.carried = sg_carried_in(g, g->x_out);
    sg_status status = sg_sim_env_rhs(&g->env, g->t, g->x_out, g->dx_out);
    g->env.carried = NULL;
    if (status)
        return;
    sg_buf *text = &g->text;
    sg_buf_clear(text);
    for (int32_t i = 0; i < n; i++)
        if ((uint32_t)worst[i] < g->segment.n_states) // carried unknowns have no names
            sg_buf_printf(text, "%s%s = %.6g (derivative %.3g)", text->len ? ", " : "",
                          names[worst[i]], g->x_out[worst[i]], g->dx_out[worst[i]]);
    sg_sim_remark(g->diags, g->t, SG_NOTE, SG_E_NONE, "the states with the largest errors: %s",
                  sg_buf_text(text));
}

// A place that is so far from the origin that rounding is felt: the one that is felt most. What
// counts of it is the size of what is there, so no tolerance helps.
static void note_far_state(sg_integration *g)
{
    static const double felt = 0.1; // of what a step may be off by
    const char *const *names = g->segment.state_names;
    uint32_t worst = 0;
    double largest = felt;
    for (uint32_t i = 0; g->segment.most && names && i < g->segment.n_states; i++) {
        double size = fabs(g->x[i]), weight = g->options.tolerance * g->sizes.most[i];
        double share = size > g->sizes.most[i] ? DBL_EPSILON * size / weight : 0.0;
        worst = share > largest ? i : worst;
        largest = fmax(largest, share);
    }
    if (largest > felt)
        sg_sim_remark(
            g->diags, g->t, SG_NOTE, SG_E_NONE,
            "%s = %.6g is so far from the origin that it is rounded to %.2g, beside a size "
            "of %.3g that counts; put the origin of the world near what moves",
            names[worst], g->x[worst], DBL_EPSILON * fabs(g->x[worst]), g->sizes.most[worst]);
}

static void note_last_event(sg_integration *g)
{
    if (g->event.n == 0)
        return;
    sg_sim_report(g->diags, g->t, SG_NOTE, SG_E_NONE, "the last event was %s at time = %.10g s",
                  sg_integration_event_text(g), g->event.at);
}

sg_status sg_integration_solver_failed(sg_integration *g, sg_status status, size_t errors)
{
    // Where there is no solver, another one could not be made, which has been told.
    if (!g->solver || status == SG_ERR_INTERRUPT || status == SG_ERR_LIMIT)
        return status;
    double h = sg_solver_last_step(g->solver);
    char message[256] = "";
    strncpy(message, sg_solver_message(g->solver), sizeof message - 1);
    if (sg_integration_errors(g) == errors) // else the model has said why
        explain_refusal(g);
    bool explained = sg_integration_errors(g) != errors;
    sg_sim_report(g->diags, g->t, explained ? SG_NOTE : SG_ERROR, SG_E_SIM_STEP,
                  "%s: simulation with %s stopped at time = %.10g s: %s (last step %.3g s)",
                  g->model->name, g->options.method->name, g->t, message, h);
    if (!explained) {
        note_states(g);
        note_far_state(g);
        note_last_event(g);
    }
    return status;
}

sg_status sg_integration_stalled(sg_integration *g, int n_steps, double moved)
{
    size_t errors = sg_integration_errors(g);
    explain_refusal(g);
    bool explained = sg_integration_errors(g) != errors;
    sg_sim_report(g->diags, g->t, explained ? SG_NOTE : SG_ERROR, SG_E_SIM_STEP,
                  "%s: simulation with %s stopped at time = %.10g s: the last %d steps advanced "
                  "time by %.3g s only, so the stop time is out of reach",
                  g->model->name, g->options.method->name, g->t, n_steps, moved);
    note_states(g);
    note_far_state(g);
    note_last_event(g);
    return SG_ERR_SOLVER;
}
