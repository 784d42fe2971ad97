#include "integration/env.h"

#include "base/archive.h"
#include "base/limits.h"
#include "math/finite.h"
#include "program/enclosed.h"

#include <math.h>
#include <string.h>

static sg_sim_env *env_of(sg_events *events) { return (sg_sim_env *)(void *)events; }

static void note_change(sg_sim_env *env, const char *what, uint32_t slot, bool value)
{
    if (env->restart < SG_RESTART)
        env->restart = SG_RESTART;
    if (env->changed)
        env->changed(env->changed_user, what, slot, value);
}

static void ask_next_event(sg_events *events, double instant)
{
    sg_sim_env *env = env_of(events);
    bool ahead = instant > events->time && !sg_events_same_instant(events, instant, events->time);
    // At initialization an event at the start itself is still to come.
    if (events->initial && sg_events_same_instant(events, instant, events->time))
        instant = events->time;
    else if (!ahead)
        return;
    if (instant < env->next_event)
        env->next_event = instant;
}

// A slot that slides, or has just stopped to, stands where it does for another reason than the sign
// of its argument.
static bool decides(const sg_sim_env *env, uint32_t slot)
{
    return !env->sliding.index[slot] && env->settled != slot + 1;
}

// Does the event see the crossing that the solver saw? `off` is how far it is away. Only the first
// look counts: later ones may be behind changes that the event has made.
static void confirm(sg_sim_env *env, sg_sim_band *band, bool changes, double off)
{
    if (band->awaited && !changes) {
        sg_sim_band_deny(band, off);
        // The solver thinks that it is on the other side now, and would not see it again.
        if (env->restart < SG_RESTART && !band->fixed)
            env->restart = SG_RESTART;
    }
    band->awaited = false;
}

// The solver saw the crossing, with the same states and conditions, and what the event sees on the
// old side is no more than what the solver saw on the new one: digits of a system's solution that
// depend on where its iteration began. Then the solver is right, since its values will go on from
// there. What the event has changed already may be a better reason.
static bool believes(const sg_sim_env *env, const sg_sim_band *band, double value)
{
    return band->awaited && !band->fixed && env->events.n_changes == env->changes_before &&
           fabs(value) <= band->seen;
}

// Of a system whose conditions lead around at a crossing, both sides solve it up to rounding. The
// one that the solver saw is taken, and what rounding says of it afterwards is not listened to.
static bool stands(const sg_events *events, sg_sim_band *band, double value, bool now)
{
    if (!events->solved || band->awaited || !sg_sim_band_is_faint(band, value))
        return false;
    if ((value > 0.0) != now)
        sg_sim_band_widen(band, fabs(value));
    return true;
}

// What has died away decides nothing.
static bool held(const sg_sim_env *env, const sg_sim_band *band, double off)
{
    return sg_sim_band_holds(band, off) && !env->events.initial;
}

// Iterations of an event solve systems of equations anew, whose last digits differ each time. What
// has changed at this event changes back for a reason only.
static bool turns_by_rounding(sg_sim_band *band, double value)
{
    bool rounding = band->turned && sg_sim_band_is_faint(band, value);
    if (rounding)
        sg_sim_band_widen(band, fabs(value));
    return rounding;
}

static bool positive(sg_events *events, uint32_t slot, double value)
{
    sg_sim_env *env = env_of(events);
    sg_sim_band *band = &env->bands[slot];
    bool *now = &events->positive[slot];
    env->sliding.argument[slot] = value;
    if (band->free > 0.0) {
        events->z[slot] = band->free - fabs(value);
        return *now = value > 0.0;
    }
    if (env->watching && (value > 0.0) == *now)
        sg_sim_band_see(band, fabs(value));
    if (events->mode == SG_MODE_EVENT && decides(env, slot)) {
        bool holds = held(env, band, fabs(value));
        bool next = holds || stands(events, band, value, *now) ? *now : value > 0.0;
        if (next == *now && !holds && believes(env, band, value))
            next = !next;
        if (next != *now && turns_by_rounding(band, value))
            next = *now;
        confirm(env, band, next != *now, value);
        if (next != *now) {
            *now = next;
            band->turned = true;
            sg_sim_band_change(band);
            events->n_changes++;
            note_change(env, "positive", slot, next);
        }
    }
    if (env->arming) {
        band->tied = *now && value == 0.0;
        band->n_past = 0;
    }
    if (env->arming && decides(env, slot) && (value > 0.0) != *now)
        sg_sim_band_arm(band, fabs(value));
    events->z[slot] = sg_sim_band_crossing(band, *now, value);
    return env->live ? value > 0.0 : *now;
}

// A value that is a straight line over time reaches the end of its cell at a known instant.
static double timed_level(sg_events *events, sg_level_kind kind, double value, double rate)
{
    double level = sg_level_of(kind, value), now = events->time;
    int direction = (rate > 0.0) - (rate < 0.0);
    for (int k = 0; k < 2 && direction; k++) {
        sg_level_cell cell = sg_level_cell_of(kind, level);
        double left = (direction > 0 ? cell.high : cell.low) - value, instant = now + left / rate;
        bool reached = fabs(left) <= SG_SIM_INSTANT_PART * fabs(value) && !env_of(events)->fixed;
        if (instant > now && !reached && !sg_events_same_instant(events, instant, now)) {
            ask_next_event(events, instant);
            return level;
        }
        level = sg_level_next(kind, level, direction); // at the end already: what holds behind it
    }
    return level;
}

// How far a value is from the nearer end of a cell.
static double inside_of(sg_level_cell cell, double value)
{
    return fmin(value - cell.low, cell.high - value);
}

static double level(sg_events *events, uint32_t slot, sg_level_kind kind, double value, double rate)
{
    sg_sim_env *env = env_of(events);
    sg_sim_band *band = &env->bands[slot];
    double *now = &events->level[slot];
    env->levels[slot] = (uint8_t)(kind + 1);
    events->positive[slot] = true; // inside of its cell
    env->sliding.argument[slot] = isnan(rate) ? value : (double)NAN;
    if (band->free > 0.0) {
        events->z[slot] = band->free - fabs(value);
        return *now = fmin(fmax(value / (SG_SMOOTH_SLOPE * band->free), -1.0), 1.0);
    }
    if (env->watching) // steps of the others have the width 1
        sg_sim_band_see(band, kind == SG_LEVEL_SIGN ? fabs(value) : 1.0);
    if (events->mode == SG_MODE_EVENT && decides(env, slot)) {
        double next =
            isnan(rate) ? sg_level_of(kind, value) : timed_level(events, kind, value, rate);
        double inside = inside_of(sg_level_cell_of(kind, *now), value);
        bool changes = next != *now && !(isnan(next) && isnan(*now)) &&
                       !(inside < 0.0 && held(env, band, -inside));
        confirm(env, band, changes, inside);
        if (changes) {
            *now = next;
            sg_sim_band_change(band);
            events->n_changes++;
            note_change(env, "level", slot, next > 0.0);
        }
    }
    sg_level_cell cell = sg_level_cell_of(kind, *now);
    if (env->arming && decides(env, slot) && inside_of(cell, value) < 0.0)
        sg_sim_band_arm(band, -inside_of(cell, value));
    double width = fmax(band->width, 4.0 * DBL_EPSILON * fabs(value));
    events->z[slot] = isnan(rate) ? inside_of(cell, value) + width : 1.0;
    return env->live && !env->sliding.index[slot] ? sg_level_of(kind, value) : *now;
}

static bool after(sg_events *events, uint32_t slot, double instant)
{
    bool next = events->time >= instant || sg_events_same_instant(events, events->time, instant);
    if (!next)
        ask_next_event(events, instant);
    if (next != events->after[slot]) {
        events->after[slot] = next;
        note_change(env_of(events), "after", slot, next);
    }
    return next;
}

static void set_resolution(sg_sim_env *env)
{
    sg_events *e = &env->events;
    double counted = SG_SIM_INSTANT_PART * fabs(e->start_time);
    double added = isfinite(env->shortest) ? SG_SIM_PERIOD_PART * env->shortest : 0.0;
    e->instant = env->fixed ? SG_SIM_FIXED_INSTANT : fmax(counted, added);
    e->instant_part = env->fixed ? SG_SIM_FIXED_INSTANT_PART : SG_SIM_INSTANT_PART;
}

static double tick_time(const sg_sim_clock *clock)
{
    return clock->first + (double)clock->n * clock->period;
}

// The first tick is `first`, or the first one after it that is not before the start.
static void start_clock(sg_sim_clock *clock, sg_events *events, double first, double period)
{
    double start = events->start_time;
    sg_sim_env *env = env_of(events);
    env->shortest = fmin(env->shortest, period);
    set_resolution(env);
    *clock = (sg_sim_clock){.first = isnan(first) ? start : first, .period = period, .known = true};
    if (clock->first < start && period > 0.0) {
        double n = ceil((start - clock->first) / period);
        if (n >= 1.0 && sg_events_same_instant(events, clock->first + (n - 1.0) * period, start))
            n -= 1.0;
        clock->first += n * period;
    }
}

static bool clock_tick(sg_events *events, uint32_t slot, double first, double period)
{
    sg_sim_env *env = env_of(events);
    sg_sim_clock *clock = &env->clocks[slot];
    if (!(period > 0.0) || !isfinite(period)) {
        env->bad_clock = slot + 1;
        return events->tick[slot] = false;
    }
    if (!clock->known)
        start_clock(clock, events, first, period);
    // A tick holds during all passes of its event; the clock moves on when the event is over.
    bool tick = !events->initial && sg_events_same_instant(events, events->time, tick_time(clock));
    if (tick && !events->tick[slot])
        note_change(env, "Clock", slot, true);
    events->tick[slot] = tick;
    ask_next_event(events, tick ? tick_time(clock) + clock->period : tick_time(clock));
    return tick;
}

static void reinit(sg_events *events, uint32_t state, uint32_t n, const double *value)
{
    sg_sim_env *env = env_of(events);
    for (uint32_t i = 0; i < n && state + i < env->n_states; i++)
        env->x_new[state + i] = value[i];
    if (env->state_set)
        env->state_set(env->changed_user, state, n, value);
    env->reinit_asked = env->sliding.reinit = true;
    env->set_at = events->time;
    if (env->restart < SG_RESTART)
        env->restart = SG_RESTART;
}

static void ask_restart(sg_events *events, sg_restart kind)
{
    sg_sim_env *env = env_of(events);
    if (env->restart < kind)
        env->restart = kind;
}

static void terminate_run(sg_events *events, uint32_t text)
{
    env_of(events)->terminated = text;
    ask_restart(events, SG_RESTART_TERMINATE);
}

static void delayed(sg_events *events, uint32_t tap, double *value)
{
    const sg_sim_delays *d = &env_of(events)->delays;
    const sg_delay_tap *p = &d->taps[tap];
    if (!events->delay_start) {
        sg_sim_delays_value(d, tap, events->time, value);
        return;
    }
    for (uint32_t i = 0; i < p->n; i++)
        value[i] = p->is_rate ? 0.0 : events->delay_start[p->at + i];
}

static void delayed_over(const sg_events *events, uint32_t tap, double t, double r,
                         sg_enclosed *out)
{
    const sg_sim_env *env = (const sg_sim_env *)(const void *)events;
    sg_sim_delays_enclose(&env->delays, tap, t, r, out);
}

static bool follows(const sg_events *events, uint32_t slot)
{
    const sg_sim_env *env = (const sg_sim_env *)(const void *)events;
    return sg_sim_env_has_no_side(env, slot);
}

static const sg_event_ops ops = {.positive = positive,
                                 .level = level,
                                 .after = after,
                                 .clock = clock_tick,
                                 .reinit = reinit,
                                 .next_event = ask_next_event,
                                 .restart = ask_restart,
                                 .terminate = terminate_run,
                                 .delayed = delayed,
                                 .delayed_over = delayed_over,
                                 .follows = follows};

static double *memory(sg_arena *arena, uint32_t n, const double *start)
{
    double *values = SG_NEW_ARRAY(arena, double, n);
    if (values && start)
        memcpy(values, start, n * sizeof *values);
    return values;
}

sg_status sg_sim_env_init(sg_sim_env *env, sg_arena *arena, const sg_sim_model *model,
                          double start_time, bool fixed)
{
    const sg_event_layout *l = &model->events;
    *env = (sg_sim_env){.model = model,
                        .layout = *l,
                        .next_event = INFINITY,
                        .shortest = INFINITY,
                        .set_at = -INFINITY,
                        .fixed = fixed};
    sg_events *e = &env->events;
    e->ops = &ops;
    e->time = e->start_time = start_time;
    e->positive = SG_NEW_ARRAY(arena, bool, l->n_positive);
    e->level = memory(arena, l->n_positive, NULL);
    e->after = SG_NEW_ARRAY(arena, bool, l->n_after);
    e->tick = SG_NEW_ARRAY(arena, bool, l->n_clock);
    e->sample = memory(arena, l->n_sample, NULL);
    e->hold = memory(arena, l->n_hold, l->hold_start);
    e->previous = memory(arena, l->n_previous, l->previous_start);
    e->previous_next = memory(arena, l->n_previous, l->previous_start);
    e->previous_now = memory(arena, l->n_previous, l->previous_start);
    e->pre = memory(arena, l->n_pre, l->pre_start);
    e->pre_next = memory(arena, l->n_pre, l->pre_start);
    e->n_delay = l->n_delay;
    e->delay_now = memory(arena, l->n_delay, NULL);
    e->delay_start = memory(arena, l->n_delay, NULL);
    env->levels = SG_NEW_ARRAY(arena, uint8_t, l->n_positive);
    env->clocks = SG_NEW_ARRAY(arena, sg_sim_clock, l->n_clock);
    env->bands = SG_NEW_ARRAY(arena, sg_sim_band, l->n_positive);
    for (uint32_t i = 0; env->bands && i < l->n_positive; i++)
        sg_sim_band_init(&env->bands[i], fixed);
    set_resolution(env);
    bool ok = sg_sim_sliding_init(&env->sliding, arena, l->n_positive);
    sg_status status = sg_sim_delays_init(&env->delays, arena->allocator, l);
    return arena->failed || !ok ? SG_ERR_MEMORY : status;
}

sg_status sg_sim_env_begin_segment(sg_sim_env *env, sg_arena *arena, const sg_sim_segment *segment)
{
    sg_sim_sliding_clear(env);
    env->n_states = segment->n_states;
    env->n_crossings = env->layout.n_positive + segment->crossings.n;
    env->events.z = SG_NEW_ARRAY(arena, double, env->n_crossings);
    env->events.z_hidden = env->layout.n_positive;
    env->x = memory(arena, segment->n_states + sg_sim_segment_behind(segment), NULL);
    if (env->x && segment->start && segment->n_states)
        memcpy(env->x, segment->start, segment->n_states * sizeof *env->x);
    env->x_new = memory(arena, segment->n_states, NULL);
    env->dx = memory(arena, segment->n_states, NULL);
    env->dx_work = memory(arena, segment->n_states, NULL);
    return arena->failed ? SG_ERR_MEMORY : SG_OK;
}

static void remember(double *values, uint32_t n, const double *start)
{
    for (uint32_t i = 0; i < n; i++)
        values[i] = start ? start[i] : 0.0;
}

void sg_sim_env_forget(sg_sim_env *env)
{
    const sg_event_layout *l = &env->layout;
    sg_events *e = &env->events;
    for (uint32_t i = 0; i < l->n_positive; i++)
        e->positive[i] = false;
    for (uint32_t i = 0; i < l->n_after; i++)
        e->after[i] = false;
    for (uint32_t i = 0; i < l->n_clock; i++) {
        e->tick[i] = false;
        env->clocks[i] = (sg_sim_clock){0};
    }
    env->shortest = INFINITY;
    set_resolution(env);
    remember(e->sample, l->n_sample, NULL);
    remember(e->hold, l->n_hold, l->hold_start);
    remember(e->previous, l->n_previous, l->previous_start);
    remember(e->previous_next, l->n_previous, l->previous_start);
    remember(e->previous_now, l->n_previous, l->previous_start);
    remember(e->pre, l->n_pre, l->pre_start);
    remember(e->pre_next, l->n_pre, l->pre_start);
}

sg_status sg_sim_env_archive(sg_sim_env *env, sg_arena *arena, sg_archive *a)
{
    const sg_event_layout *l = &env->layout;
    sg_events *e = &env->events;
    sg_archive_section(a, "events");
    SG_ARCHIVE(a, e->time);
    SG_ARCHIVE(a, e->n_changes);
    SG_ARCHIVE_ARRAY(a, e->positive, l->n_positive);
    SG_ARCHIVE_ARRAY(a, e->level, l->n_positive);
    SG_ARCHIVE_ARRAY(a, e->after, l->n_after);
    SG_ARCHIVE_ARRAY(a, e->tick, l->n_clock);
    SG_ARCHIVE_ARRAY(a, e->sample, l->n_sample);
    SG_ARCHIVE_ARRAY(a, e->hold, l->n_hold);
    double *const memories[] = {e->previous, e->previous_next, e->previous_now};
    for (size_t i = 0; i < sizeof memories / sizeof *memories; i++)
        SG_ARCHIVE_ARRAY(a, memories[i], l->n_previous);
    SG_ARCHIVE_ARRAY(a, e->pre, l->n_pre);
    SG_ARCHIVE_ARRAY(a, e->pre_next, l->n_pre);
    SG_ARCHIVE_ARRAY(a, e->delay_now, l->n_delay);
    SG_ARCHIVE_ARRAY(a, env->levels, l->n_positive);
    SG_ARCHIVE_ARRAY(a, env->clocks, l->n_clock);
    SG_ARCHIVE_ARRAY(a, env->bands, l->n_positive);
    SG_ARCHIVE(a, env->n_free);
    SG_ARCHIVE(a, env->next_event);
    SG_ARCHIVE(a, env->shortest);
    SG_ARCHIVE(a, env->set_at);
    SG_ARCHIVE(a, env->terminated);
    SG_ARCHIVE(a, env->n_evals);
    SG_ARCHIVE(a, env->n_pure);
    if (env->n_states)
        SG_ARCHIVE_ARRAY(a, env->x, env->n_states);
    sg_status status = sg_sim_sliding_archive(env, arena, a);
    if (status == SG_OK)
        status = sg_sim_delays_archive(&env->delays, a);
    set_resolution(env);
    if (sg_archive_reads(a) && env->delays.begun)
        e->delay_start = NULL;
    return status;
}

sg_status sg_sim_env_change_states(sg_sim_env *env, const sg_sim_segment *segment)
{
    if (env->n_states != segment->n_states)
        return SG_ERR_INTERNAL;
    memcpy(env->x, segment->start, env->n_states * sizeof(double));
    return SG_OK;
}

static sg_status evaluate_timed(sg_sim_env *env, sg_eval_mode mode, double t, const double *x,
                                double *dx)
{
    static const sg_sim_share shares[] = {[SG_MODE_RHS] = SG_SHARE_RHS,
                                          [SG_MODE_RESULT] = SG_SHARE_OUTPUT,
                                          [SG_MODE_TERMINAL] = SG_SHARE_RHS,
                                          [SG_MODE_CROSSINGS] = SG_SHARE_CROSSINGS,
                                          [SG_MODE_EVENT] = SG_SHARE_EVENTS};
    const sg_sim_model *model = env->model;
    double begin = env->timing ? sg_wall_time() : 0.0;
    if (env->carried)
        model->carry(model->user, env->carried);
    sg_status status = model->eval(model->user, mode, &env->events, t, x, dx);
    if (env->carried)
        model->carry(model->user, NULL);
    if (env->timing) {
        env->timing->seconds[shares[mode]] += sg_wall_time() - begin;
        env->timing->calls[shares[mode]]++;
    }
    return status;
}

static inline sg_status evaluate_once(sg_sim_env *env, sg_eval_mode mode, double t, const double *x,
                                      double *dx)
{
    const sg_sim_model *model = env->model;
    bool looks = env->live || (env->n_free && mode != SG_MODE_EVENT);
    env->events.time = t;
    env->events.mode = looks ? SG_MODE_CROSSINGS : mode;
    env->n_evals++;
    sg_status status = env->timing || env->carried
                           ? evaluate_timed(env, mode, t, x, dx)
                           : model->eval(model->user, mode, &env->events, t, x, dx);
    env->events.mode = SG_MODE_RHS;
    return status;
}

static sg_status evaluate(sg_sim_env *env, sg_eval_mode mode, double t, const double *x, double *dx)
{
    sg_status status = evaluate_once(env, mode, t, x, dx);
    if (status || !env->layout.n_positive || mode == SG_MODE_EVENT ||
        sg_all_finite(dx, env->n_states))
        return status;
    env->live = true;
    status = evaluate_once(env, mode, t, x, dx);
    env->live = false;
    return status;
}

sg_status sg_sim_env_plain(sg_sim_env *env, double t, const double *x, double *dx)
{
    return evaluate(env, SG_MODE_RHS, t, x, dx);
}

sg_status sg_sim_env_arguments(sg_sim_env *env, double t, const double *x)
{
    env->events.probing = true;
    sg_status status = evaluate(env, SG_MODE_CROSSINGS, t, x, env->dx);
    env->events.probing = false;
    return status;
}

sg_status sg_sim_env_rhs(sg_sim_env *env, double t, const double *x, double *dx)
{
    return env->sliding.n ? sg_sim_sliding_rhs(env, t, x, dx)
                          : evaluate(env, SG_MODE_RHS, t, x, dx);
}

static sg_status residual_once(sg_sim_env *env, double t, const double *x, const double *dx,
                               double *r)
{
    const sg_sim_model *model = env->model;
    env->events.time = t;
    env->events.mode = env->live || env->n_free ? SG_MODE_CROSSINGS : SG_MODE_RHS;
    env->n_evals++;
    double begin = env->timing ? sg_wall_time() : 0.0;
    if (env->carried)
        model->carry(model->user, env->carried);
    sg_status status = model->residual(model->user, &env->events, t, x, dx, r);
    if (env->carried)
        model->carry(model->user, NULL);
    env->events.mode = SG_MODE_RHS;
    if (env->timing) {
        env->timing->seconds[SG_SHARE_RHS] += sg_wall_time() - begin;
        env->timing->calls[SG_SHARE_RHS]++;
    }
    return status;
}

sg_status sg_sim_env_residual(sg_sim_env *env, double t, const double *x, const double *dx,
                              double *r)
{
    sg_status status = residual_once(env, t, x, dx, r);
    if (status || !env->layout.n_positive || sg_all_finite(r, env->n_states))
        return status;
    env->live = true;
    status = residual_once(env, t, x, dx, r);
    env->live = false;
    return status;
}

static sg_status fingerprint_of(sg_sim_env *env, double t, const double *x, uint64_t *out)
{
    sg_status status = evaluate(env, SG_MODE_RESULT, t, x, env->x_new);
    *out = env->model->fingerprint(env->model->user);
    return status;
}

// Would anything be another if the condition were, results included? Between two changes of any
// condition that is answered once.
static bool is_felt(sg_sim_env *env, uint32_t slot, double t, const double *x)
{
    bool *now = &env->events.positive[slot], was = *now;
    uint64_t here, there;
    if (sg_sim_env_is_unfelt(env, slot))
        return false;
    if (!env->model->fingerprint)
        return true;
    env->events.probing = true;
    *now = !was;
    sg_status status = fingerprint_of(env, t, x, &there);
    *now = was;
    if (!status)
        status = fingerprint_of(env, t, x, &here);
    env->events.probing = false;
    if (status || here != there)
        return true;
    env->bands[slot].unfelt = env->events.n_changes + 1;
    return false;
}

// A condition in a branch that is not taken may have an argument without value: a channel that is
// off has no square root. It crosses nothing as long as nobody feels it.
static void excuse_unfelt(sg_sim_env *env, double t, const double *x)
{
    for (uint32_t i = 0; i < env->layout.n_positive; i++)
        if (isnan(env->events.z[i]) && !env->levels[i] && !sg_sim_slides(&env->sliding, i) &&
            !is_felt(env, i, t, x))
            env->events.z[i] = env->events.positive[i] ? 1.0 : -1.0;
}

sg_status sg_sim_env_crossings(sg_sim_env *env, double t, const double *x, double *z)
{
    sg_status status = env->sliding.n ? sg_sim_sliding_rhs(env, t, x, env->dx_work) : SG_OK;
    env->watching = true;
    if (!status)
        status = evaluate(env, SG_MODE_CROSSINGS, t, x, env->dx);
    env->watching = false;
    if (!status && env->sliding.n && !sg_sim_sliding_agrees(env, env->dx, env->dx_work)) {
        status = sg_sim_sliding_meet(env, t, x);
        env->watching = true;
        if (!status)
            status = evaluate(env, SG_MODE_CROSSINGS, t, x, env->dx);
        env->watching = false;
    }
    sg_sim_sliding_crossings(&env->sliding, env->events.z);
    if (!status && env->n_states && !env->carried)
        excuse_unfelt(env, t, x);
    if (z != env->events.z)
        memcpy(z, env->events.z, env->n_crossings * sizeof *z);
    return status;
}

sg_status sg_sim_env_store(sg_sim_env *env, double t, const double *x, double *dx)
{
    bool slides = env->sliding.n > 0;
    sg_status status = slides ? sg_sim_sliding_rhs(env, t, x, env->dx_work) : SG_OK;
    if (!status)
        status = evaluate(env, SG_MODE_RESULT, t, x, dx);
    if (slides && !status && !sg_sim_sliding_agrees(env, dx, env->dx_work)) {
        status = sg_sim_sliding_meet(env, t, x);
        if (!status)
            status = evaluate(env, SG_MODE_RESULT, t, x, dx);
    }
    if (slides && !status)
        memcpy(dx, env->dx_work, env->n_states * sizeof *dx);
    return status;
}

sg_status sg_sim_env_terminal(sg_sim_env *env, double t, const double *x, bool last)
{
    env->events.last_terminal = last;
    sg_status status = evaluate(env, SG_MODE_TERMINAL, t, x, env->dx);
    env->events.last_terminal = false;
    return status;
}

static void begin_event(sg_sim_env *env, sg_sim_phase phase, bool first_segment, double t)
{
    sg_events *e = &env->events;
    e->time = t;
    e->initial = phase == SG_SIM_INITIAL;
    e->first_initial = e->initial && first_segment;
    e->full_restart = e->initial && !first_segment;
    e->after_initial = phase == SG_SIM_AFTER_INITIAL;
    e->first_iteration = true;
    env->restart = sg_sim_delays_pass(&env->delays, t) ? SG_RESTART : SG_RESTART_NONE;
    env->next_event = INFINITY;
    for (uint32_t i = 0; i < env->layout.n_positive; i++)
        env->bands[i].turned = false;
    // What the last event found is what previous() returns from the next tick on.
    memcpy(e->previous_next, e->previous_now, env->layout.n_previous * sizeof(double));
}

static void end_event(sg_sim_env *env)
{
    sg_events *e = &env->events;
    for (uint32_t i = 0; i < env->layout.n_clock; i++)
        if (e->tick[i]) {
            env->clocks[i].n++;
            e->tick[i] = false;
        }
    // The reference forgets what the tick at the start time computed.
    if (env->compat_previous && e->after_initial)
        memcpy(e->previous_now, e->previous_next, env->layout.n_previous * sizeof(double));
    e->initial = e->first_initial = e->full_restart = false;
    e->after_initial = e->first_iteration = false;
}

// Takes over the values of pre; true if one changed.
static bool update_pre(sg_sim_env *env, sg_sim_iteration *iteration)
{
    sg_events *e = &env->events;
    bool changed = false;
    for (uint32_t i = 0; i < env->layout.n_pre; i++) {
        // A NaN that stays one has not changed.
        if (e->pre_next[i] == e->pre[i] || (isnan(e->pre_next[i]) && isnan(e->pre[i])))
            continue;
        if (env->pre_changed)
            env->pre_changed(env->changed_user, i, e->pre[i], e->pre_next[i]);
        e->pre[i] = e->pre_next[i];
        iteration->slot = i;
        changed = true;
    }
    if (changed && env->restart < SG_RESTART)
        env->restart = SG_RESTART;
    return changed;
}

sg_status sg_sim_env_event(sg_sim_env *env, sg_sim_phase phase, bool first_segment, double t,
                           sg_sim_iteration *iteration)
{
    sg_events *e = &env->events;
    size_t bytes = env->n_states * sizeof(double);
    *iteration = (sg_sim_iteration){0};
    env->changes_before = e->n_changes;
    begin_event(env, phase, first_segment, t);
    sg_status status = SG_OK;
    bool again = true;
    while (again && iteration->n < SG_SIM_MAX_ITERATIONS && !status) {
        uint32_t changes = e->n_changes;
        env->reinit_asked = e->contradicts = false;
        env->next_event = INFINITY;
        memcpy(env->x_new, env->x, bytes);
        status = evaluate(env, SG_MODE_EVENT, t, env->x, env->dx);
        memcpy(env->x, env->x_new, bytes);
        for (uint32_t i = 0; env->reinit_asked && i < env->layout.n_positive; i++)
            sg_sim_band_release(&env->bands[i]);
        bool pre = update_pre(env, iteration);
        iteration->flipping = !pre && !env->reinit_asked && e->n_changes != changes;
        again = pre || env->reinit_asked || e->n_changes != changes;
        iteration->n++;
        e->first_iteration = false;
    }
    iteration->converged = !again || iteration->flipping;
    end_event(env);
    // A system without solution that agrees with its conditions. The reference goes on with a
    // warning (language 4.10), and with numbers that fulfill no equation.
    if (!status && (!again || iteration->flipping) && e->contradicts && !env->fixed)
        status = SG_ERR_SOLVER;
    return status;
}
