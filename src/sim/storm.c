// Event storms: chattering and Zeno behavior get a message instead of an endless run.
//
// Many events within one output interval are legitimate now and then, so they only earn a warning,
// once. Events that follow each other without time passing at all can never end: that is an error.
// Gaps that shrink steadily towards zero are announced before they get there, since a model that
// relies on being caught by its next bounce falls through the floor when the gaps become smaller
// than the hysteresis.
#include "sim/run_internal.h"

#include <math.h>

// So many shrinking gaps in a row, the last one this small a part of the output interval.
#define ZENO_GAPS 8
#define ZENO_PART 1e-3

static void check_chatter(sg_sim_run_state *run)
{
    sg_sim_storm *s = &run->storm;
    if (run->t - s->interval_start > run->options.interval || s->in_interval == 0) {
        s->interval_start = run->t;
        s->in_interval = 0;
    }
    s->in_interval++;
    if (s->in_interval <= run->options.chatter_events || s->warned_chatter)
        return;
    s->warned_chatter = true;
    sg_sim_report(run, SG_WARNING, SG_E_CHATTERING,
                  "more than %u events within one output interval of %.3g s before time = %.10g s "
                  "(chattering); the last one was %s. Give the switching condition a hysteresis, "
                  "or limit the run with --max-events",
                  run->options.chatter_events, run->options.interval, run->t,
                  sg_sim_event_text(run));
}

static void check_zeno(sg_sim_run_state *run, double gap)
{
    sg_sim_storm *s = &run->storm;
    s->shrinking = gap < s->last_gap ? s->shrinking + 1 : 0;
    if (s->shrinking < ZENO_GAPS || gap > ZENO_PART * run->options.interval || s->warned_zeno)
        return;
    s->warned_zeno = true;
    double ratio = gap / s->last_gap;
    sg_sim_report(run, SG_WARNING, SG_E_ZENO,
                  "events follow each other in ever shorter intervals and seem to pile up near "
                  "time = %.10g s (Zeno); the last one was %s. Let the model come to rest before: "
                  "switch to a resting state at a small speed, or attach the parts",
                  run->t + gap * ratio / (1.0 - ratio), sg_sim_event_text(run));
}

sg_status sg_sim_storm_check(sg_sim_run_state *run)
{
    sg_sim_storm *s = &run->storm;
    bool any_before = run->outcome->stats.n_state_events + run->outcome->stats.n_time_events > 1;
    double gap = any_before ? run->t - s->last_time : (double)INFINITY;
    s->at_once = any_before && sg_sim_same_instant(run->t, s->last_time) ? s->at_once + 1 : 0;
    check_chatter(run);
    if (s->at_once == 0 && isfinite(s->last_gap) && s->last_gap > 0.0)
        check_zeno(run, gap);
    s->last_gap = gap;
    s->last_time = run->t;
    if (s->at_once < run->options.max_events_at_once)
        return SG_OK;
    sg_sim_report(run, SG_ERROR, SG_E_CHATTERING,
                  "%u events in a row at time = %.10g s: time does not advance any more; the last "
                  "one was %s",
                  s->at_once, run->t, sg_sim_event_text(run));
    return SG_ERR_SOLVER;
}
