// Event storms: chattering and Zeno behavior get a message instead of an endless run.
//
// Many events within one output interval are legitimate now and then, so they only earn a warning,
// once. A long row of events between which hardly any time passes leads nowhere: that is an error.
// Gaps that shrink steadily towards zero are announced before they get there, since a model that
// relies on being caught by its next bounce falls through the floor when the gaps become smaller
// than the hysteresis. If it does, that is an error: what follows would be plainly wrong.
#include "sim/run_internal.h"

#include <math.h>

// So many shrinking gaps in a row, the last one this small a part of the output interval.
#define ZENO_GAPS 8
#define ZENO_PART 1e-2

// Hardly any time: this part of the output interval, or what two crossings of a hysteresis take.
#define STUCK_PART 1e-6
#define STUCK_TIME (20.0 * SG_SIM_SAME_INSTANT)

static void check_chatter(sg_sim_run_state *run)
{
    sg_integration *g = run->integration;
    sg_sim_storm *s = &run->storm;
    if (g->t - s->interval_start > run->options.interval || s->in_interval == 0) {
        s->interval_start = g->t;
        s->in_interval = 0;
    }
    s->in_interval++;
    if (s->in_interval <= run->options.chatter_events || s->warned_chatter)
        return;
    s->warned_chatter = true;
    sg_sim_report(run->diags, g->t, SG_WARNING, SG_E_CHATTERING,
                  "more than %u events within one output interval of %.3g s before time = %.10g s "
                  "(chattering); the last one was %s. Give the switching condition a hysteresis, "
                  "or limit the run with --max-events",
                  run->options.chatter_events, run->options.interval, g->t,
                  sg_integration_event_text(g));
}

// A bounce is two events, touching the floor and leaving it, close together. Events that come this
// much sooner than the group before are one with it.
#define GROUP_PART 0.05

static void check_zeno(sg_sim_run_state *run)
{
    sg_integration *g = run->integration;
    sg_sim_storm *s = &run->storm;
    double gap = g->t - s->group_time;
    if (gap < GROUP_PART * s->group_gap) {
        s->group_events++;
        return;
    }
    bool pairs = s->group_events >= 2;
    s->group_events = 1;
    double ratio = gap / s->group_gap;
    s->shrinking = s->group_gap > 0.0 && ratio < 1.0 ? s->shrinking + 1 : 0;
    s->group_time = g->t;
    s->group_gap = gap;
    if (s->shrinking < ZENO_GAPS || gap > ZENO_PART * run->options.interval || s->warned_zeno)
        return;
    s->warned_zeno = true;
    // With two events a bounce, the first one leads to the side that is left again at once.
    for (uint32_t i = 0; pairs && g->found && i < g->env.layout.n_positive && !s->zeno_slot; i++)
        if (g->found[i]) {
            s->zeno_slot = i + 1;
            s->zeno_brief = g->env.events.positive[i];
        }
    sg_sim_report(run->diags, g->t, SG_WARNING, SG_E_ZENO,
                  "events follow each other in ever shorter intervals and seem to pile up near "
                  "time = %.10g s (Zeno); the last one was %s. Let the model come to rest before: "
                  "switch to a resting state at a small speed, or attach the parts",
                  g->t + gap * ratio / (1.0 - ratio), sg_integration_event_text(g));
}

// Resting on the boundary, a crossing function stays where it is; falling, it grows.
#define FALLEN_GROWTH 1.5
#define FALLEN_LEAST (1e3 * SG_SIM_HYSTERESIS)

sg_status sg_sim_check_fallen(sg_sim_run_state *run)
{
    sg_integration *g = run->integration;
    sg_sim_storm *s = &run->storm;
    sg_sim_env *env = &g->env;
    if (!s->zeno_slot || !g->solver || env->events.positive[s->zeno_slot - 1] != s->zeno_brief ||
        g->t - s->zeno_since < run->options.interval ||
        (s->zeno_mark > 0.0 && g->t - s->zeno_mark_time < run->options.interval))
        return SG_OK;
    if (sg_solver_interpolate(g->solver, g->t, g->x_out, NULL) != SG_OK ||
        sg_sim_env_crossings(env, g->t, g->x_out, env->events.z) != SG_OK)
        return SG_OK; // the solver will have its own opinion
    double z = fabs(env->events.z[s->zeno_slot - 1]), mark = s->zeno_mark;
    s->zeno_mark = z;
    s->zeno_mark_time = g->t;
    if (!(mark > 0.0) || z < FALLEN_LEAST || z < FALLEN_GROWTH * mark)
        return SG_OK;
    sg_sim_report(
        run->diags, g->t, SG_ERROR, SG_E_ZENO,
        "%s was crossed for good at time = %.10g s, where events had piled up (Zeno): the "
        "model relies on a next event that is too close to be told from the last one, and "
        "has fallen through. Let it come to rest before: switch to a resting state at a "
        "small speed",
        sg_integration_crossing_text(g, s->zeno_slot - 1), s->zeno_since);
    return SG_ERR_SOLVER;
}

sg_status sg_sim_storm_check(sg_sim_run_state *run)
{
    sg_integration *g = run->integration;
    sg_sim_storm *s = &run->storm;
    double gap = g->t - s->last_time;
    bool first = run->outcome->stats.n_state_events + run->outcome->stats.n_time_events <= 1;
    if (first) {
        s->group_time = s->last_time = g->t;
        s->group_events = 1;
        return SG_OK;
    }
    s->last_time = g->t;
    s->at_once = gap <= fmax(STUCK_TIME, STUCK_PART * run->options.interval) ? s->at_once + 1 : 0;
    check_chatter(run);
    check_zeno(run);
    if (s->zeno_slot && g->found && g->found[s->zeno_slot - 1]) {
        s->zeno_since = g->t;
        s->zeno_mark = 0.0;
    }
    if (s->at_once < run->options.max_events_at_once)
        return SG_OK;
    sg_sim_report(run->diags, g->t, SG_ERROR, SG_E_CHATTERING,
                  "%u events in a row near time = %.10g s, and time hardly advances; the last one "
                  "was %s. Give the switching condition a hysteresis",
                  s->at_once, g->t, sg_integration_event_text(g));
    return SG_ERR_SOLVER;
}
