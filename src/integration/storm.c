// Event storms: chattering and Zeno behavior get a message instead of an endless run.
//
// Many events within a five hundredth of the run are legitimate now and then, so they only earn a
// warning, once. A long row of events between which hardly any time passes leads nowhere: that is
// an error. Gaps that shrink steadily towards zero are announced before they get there, since a
// model that relies on being caught by its next bounce falls through the floor when the gaps become
// smaller than what can be told apart. If it does, that is an error: what follows would be plainly
// wrong.
//
// Before a row of events ends a run it is tested whether they are any. Circuits begin with hundreds
// of conditions whose arguments are zero but for the rounding of systems of equations, and until
// these have moved away each of them switches to and fro. How far an argument can be off by the
// tolerances of the states is known from each crossing (dying.c), and a small part of that is
// nothing anybody asked for: conditions that switch in a row become deaf to it. Noise is over then.
// What goes on switches because the model says so, and hears as well as before.
#include "integration/smooth.h"
#include "integration/watch.h"

#include <float.h>
#include <math.h>

// So many shrinking gaps in a row, the last one this small a part of a five hundredth of the run.
#define ZENO_GAPS 8
#define ZENO_PART 1e-2

// Hardly any time: this part of the whole run, or so many units in the last place of time; as much
// as two crossings of a band that is as wide as rounding take. Bursts of a thousand events that are
// meant are slower.
#define STUCK_PART 1e-12
#define STUCK_ROUNDINGS 1e3

// From so many events in a row on conditions are deaf to this part of what tolerances make of their
// arguments; and if they switch as often within a five hundredth of the run, in vain.
#define DEAF_EVENTS 8
#define DEAF_PART 1e-3

double sg_integration_hardly_any_time(const sg_integration *g)
{
    double whole = g->options.stop - g->options.start;
    if (g->options.at_once > 0.0)
        return g->options.at_once;
    return fmax(STUCK_PART * whole, STUCK_ROUNDINGS * DBL_EPSILON * fabs(g->t));
}

// A function of a component may stand for many conditions: a heap of bodies that settles has
// events of each of its contacts.
static uint32_t conditions_of(const sg_integration *g, uint32_t slot)
{
    const uint32_t *many = g->segment.crossings.conditions;
    bool component = g->event.found && slot >= g->env.layout.n_positive;
    return component && many && *many > 1 ? *many : 1;
}

static void check_chatter(sg_integration *g, sg_rhythm *r, uint32_t slot)
{
    sg_storm *s = &g->watched.storm;
    if (g->t - r->window_start > g->options.scale || r->in_window == 0) {
        r->window_start = g->t;
        r->in_window = 0;
    }
    r->in_window++;
    uint32_t most = g->options.chatter_events * conditions_of(g, slot);
    if (r->in_window <= most || s->warned_chatter)
        return;
    s->warned_chatter = true;
    sg_sim_report(g->diags, g->t, SG_WARNING, SG_E_CHATTERING,
                  "more than %u events within %.3g s before time = %.10g s "
                  "(chattering); the last one was %s. Give the switching condition a hysteresis, "
                  "or limit the run with --max-events",
                  most, g->options.scale, g->t, sg_integration_event_text(g));
}

// A bounce is two events, touching the floor and leaving it, close together. Events that come this
// much sooner than the group before are one with it.
#define GROUP_PART 0.05

static void check_zeno(sg_integration *g, sg_rhythm *r, uint32_t slot)
{
    sg_storm *s = &g->watched.storm;
    double gap = g->t - r->group_time, before = r->group_gap;
    if (r->group_events == 0) { // the first event of all
        r->group_time = g->t;
        r->group_events = 1;
        return;
    }
    if (gap < GROUP_PART * before) {
        r->group_events++;
        return;
    }
    bool pairs = r->group_events >= 2;
    r->group_events = 1;
    double ratio = gap / before;
    r->shrinking = before > 0.0 && ratio < 1.0 ? r->shrinking + 1 : 0;
    r->group_time = g->t;
    r->group_gap = gap;
    if (r->shrinking < ZENO_GAPS || gap > ZENO_PART * g->options.scale || s->warned_zeno)
        return;
    s->warned_zeno = true;
    // With two events a bounce, the first one leads to the side that is left again at once.
    if (pairs && slot < g->env.layout.n_positive && !s->zeno_slot) {
        s->zeno_slot = slot + 1;
        s->zeno_brief = g->env.events.positive[slot];
    }
    sg_sim_report(g->diags, g->t, SG_WARNING, SG_E_ZENO,
                  "events follow each other in ever shorter intervals and seem to pile up near "
                  "time = %.10g s (Zeno); the last one was %s. Let the model come to rest before: "
                  "switch to a resting state at a small speed, or attach the parts",
                  g->t + gap * ratio / (1.0 - ratio), sg_integration_event_text(g));
}

// Where several switches meet, one may be crossed for ever without being left: between two of its
// events its argument moves by less than the integrator can tell.
#define CAUGHT_EVENTS 1000
// From so many on it is asked whether it needs a side at all (integration/smooth.h).
#define FREE_EVENTS 8

static sg_status tell_caught(sg_integration *g, const sg_rhythm *r, uint32_t slot)
{
    sg_sim_report(g->diags, g->t, SG_ERROR, SG_E_CHATTERING,
                  "%s switched %u times before time = %.10g s without moving away from there by "
                  "more than the tolerance: it meets other switches, and no motion along them was "
                  "found. Replace the jump by a steep slope, such as clamp(x/width, -1, 1) for "
                  "sign(x), or give the condition a hysteresis",
                  sg_integration_crossing_text(g, slot), r->caught, g->t);
    return SG_ERR_SOLVER;
}

static sg_status check_caught(sg_integration *g, sg_rhythm *r, uint32_t slot)
{
    double moved = g->env.sliding.speed[slot] * (g->t - r->own_time);
    r->own_time = g->t;
    // What an argument has been says nothing of how well it is known now.
    const sg_sim_band *band = &g->env.bands[slot];
    double size = g->env.fixed ? 1.0 : band->reach, known = g->options.tolerance * size;
    if (band->known > 0.0)
        known = fmin(known, band->known);
    r->caught = moved < known ? r->caught + 1 : 0;
    g->env.bands[slot].asked |= r->caught >= FREE_EVENTS;
    if (r->caught < CAUGHT_EVENTS)
        return SG_OK;
    if (!sg_smooth_unfelt(g, slot, g->options.stop))
        return tell_caught(g, r, slot);
    r->caught = 0; // noise about zero: on which side it is is nobody's matter
    return SG_OK;
}

static void test_noise(sg_integration *g, sg_rhythm *r, sg_sim_band *band)
{
    double t = g->t;
    if (!r->deaf) {
        if (g->watched.storm.at_once < DEAF_EVENTS || !(band->known > 0.0))
            return;
        r->deaf = 1;
        r->deaf_since = t;
        r->heard = band->noise;
        sg_sim_band_is_unsure(band, DEAF_PART * band->known);
    } else if (r->deaf < DEAF_EVENTS && t - r->deaf_since < g->options.scale &&
               ++r->deaf == DEAF_EVENTS) {
        band->noise = r->heard;
        band->width = fmax(band->hold, band->noise);
    }
}

// Resting on the boundary, a crossing function stays where it is; falling, it grows.
#define FALLEN_GROWTH 1.5
#define FALLEN_LEAST 1e-7 // of its largest argument

sg_status sg_integration_watch_fallen(sg_integration *g)
{
    sg_storm *s = &g->watched.storm;
    sg_sim_env *env = &g->env;
    if (!s->zeno_slot || env->events.positive[s->zeno_slot - 1] != s->zeno_brief ||
        g->t - s->zeno_since < g->options.scale ||
        (s->zeno_mark > 0.0 && g->t - s->zeno_mark_time < g->options.scale))
        return SG_OK;
    if (sg_solver_interpolate(g->solver, g->t, g->x_out, NULL) != SG_OK ||
        sg_sim_env_crossings(env, g->t, g->x_out, env->events.z) != SG_OK)
        return SG_OK; // the solver will have its own opinion
    double z = fabs(env->events.z[s->zeno_slot - 1]), mark = s->zeno_mark;
    s->zeno_mark = z;
    s->zeno_mark_time = g->t;
    double least = FALLEN_LEAST * (env->fixed ? 1.0 : env->bands[s->zeno_slot - 1].reach);
    if (!(mark > 0.0) || z < least || z < FALLEN_GROWTH * mark)
        return SG_OK;
    sg_sim_report(
        g->diags, g->t, SG_ERROR, SG_E_ZENO,
        "%s was crossed for good at time = %.10g s, where events had piled up (Zeno): the "
        "model relies on a next event that is too close to be told from the last one, and "
        "has fallen through. Let it come to rest before: switch to a resting state at a "
        "small speed",
        sg_integration_crossing_text(g, s->zeno_slot - 1), s->zeno_since);
    return SG_ERR_SOLVER;
}

sg_status sg_integration_watch_storm(sg_integration *g)
{
    sg_storm *s = &g->watched.storm;
    uint32_t n = g->env.layout.n_positive;
    if (!s->rhythms)
        s->rhythms = SG_NEW_ARRAY(&g->arena, sg_rhythm, (size_t)n + 2);
    if (!s->rhythms)
        return SG_ERR_MEMORY;
    double gap = g->t - s->last_time;
    bool first = g->event.n <= 1;
    s->last_time = g->t;
    s->at_once = !first && gap <= sg_integration_hardly_any_time(g) ? s->at_once + 1 : 0;
    bool component = false;
    sg_status status = SG_OK;
    for (uint32_t i = 0; g->event.found && i < g->env.n_crossings; i++) {
        if (!g->event.found[i] || (i >= n && component))
            continue;
        component |= i >= n;
        if (i < n)
            test_noise(g, &s->rhythms[i], &g->env.bands[i]);
        check_chatter(g, &s->rhythms[i < n ? i : n], i);
        check_zeno(g, &s->rhythms[i < n ? i : n], i);
        if (i < n && !status)
            status = check_caught(g, &s->rhythms[i], i);
    }
    if (!g->event.found) {
        check_chatter(g, &s->rhythms[n + 1], n);
        check_zeno(g, &s->rhythms[n + 1], n);
    }
    if (s->zeno_slot && g->event.found && g->event.found[s->zeno_slot - 1]) {
        s->zeno_since = g->t;
        s->zeno_mark = 0.0;
    }
    if (status || s->at_once < g->options.max_events_at_once)
        return status;
    // Of two switches that meet, each had half of these events.
    for (uint32_t i = 0; g->event.found && i < n; i++)
        if (g->event.found[i] && s->rhythms[i].caught >= g->options.max_events_at_once / 4)
            return tell_caught(g, &s->rhythms[i], i);
    sg_sim_report(g->diags, g->t, SG_ERROR, SG_E_CHATTERING,
                  "%u events in a row near time = %.10g s, and time hardly advances; the last one "
                  "was %s. Give the switching condition a hysteresis",
                  s->at_once, g->t, sg_integration_event_text(g));
    return SG_ERR_SOLVER;
}
