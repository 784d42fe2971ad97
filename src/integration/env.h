// Events as the run sees them: fills the table of program/events.h and iterates an event to its
// end.
//
// Conditions are frozen between events. A crossing function is the argument of `positive` shifted
// by a tiny hysteresis away from zero, to the side where the condition stands (integration/band.h);
// it changes sign only when the argument is strictly on the other side, so after an event no
// crossing function is zero and the handled one does not fire again.
//
// Instants are one if they differ by what rounding makes of an instant that is computed in two
// ways: some units in the last place, of the start time, too, which instants are counted from; or
// by a millionth of a millionth of the period of a clock, since ticks may be added up.
#pragma once

#include "base/arena.h"
#include "base/diags.h"
#include "integration/band.h"
#include "integration/delays.h"
#include "integration/model.h"
#include "integration/sliding.h"
#include "integration/timing.h"

#include <float.h>
#include <math.h>

#define SG_SIM_MAX_ITERATIONS 20 // of one event
// Resolution of instants, relative to them and to the periods of clocks.
#define SG_SIM_INSTANT_PART (8.0 * DBL_EPSILON)
#define SG_SIM_PERIOD_PART 1e-12
// As published (switch `fixed-thresholds`) [s]; language 3.8.
#define SG_SIM_FIXED_INSTANT 1e-10
#define SG_SIM_FIXED_INSTANT_PART 1e-15

typedef struct sg_sim_clock {
    double first, period; // [s]; first tick not before the start
    uint64_t n;           // number of the next tick
    bool known;
} sg_sim_clock;

struct sg_sim_env {
    sg_events events; // must be first: the functions of the table get a pointer to it
    const sg_sim_model *model;
    sg_event_layout layout;
    sg_sim_clock *clocks;
    uint8_t *levels; // of each slot of `positive`: 1 + sg_level_kind, 0 for a condition

    uint32_t n_states, n_crossings; // of the present segment
    double *x, *dx;                 // at the event; reinit writes to x
    double *x_new, *dx_work;
    const double
        *carried; // unknowns that the next evaluation takes as they are (integration/carry.h)
    bool reinit_asked;
    double set_at; // when that was last [s]

    double next_event;        // the next instant that somebody asked for [s], infinity if none
    sg_restart restart;       // what this event asks for
    uint32_t terminated;      // text of the terminate that ended the run, 0 if none did
    uint32_t bad_clock;       // 1 + the slot of a clock whose period is no period, 0 if none is
    uint64_t n_evals, n_pure; // evaluations; of them pure (kept.h)
    uint64_t pure_from;       // how many there were when the present ones began

    sg_sim_band *bands;      // of each slot of `positive`
    uint32_t n_free;         // of them that have no side (smooth.h)
    double shortest;         // period of a clock [s]
    bool fixed;              // thresholds as published
    bool watching;           // the present evaluation is at a point of the solution
    bool arming;             // ... where the solver begins anew
    uint32_t changes_before; // of conditions, when the present event began
    bool compat_previous;
    sg_sim_timing *timing;                                                    // null: nobody asked
    void (*changed)(void *user, const char *what, uint32_t slot, bool value); // for logs, or null
    void (*pre_changed)(void *user, uint32_t slot, double old, double value); // likewise
    void (*state_set)(void *user, uint32_t state, uint32_t n, const double *value);
    void *changed_user;
    // A condition that both sides lead back to: can it do without a side (smooth.h)? Then it has
    // none from now on. May be null.
    bool (*frees)(void *user, uint32_t slot);
    void *frees_user;

    bool live; // conditions are what they look like at this instant: see sg_sim_env_rhs
    sg_sim_sliding sliding;
    sg_sim_delays delays;
    uint32_t settled; // 1 + the slot that stopped sliding at this event, and is not decided anew
};

// Evaluations that do not depend on where results are stored.
static inline uint64_t sg_sim_env_own_evals(const sg_sim_env *env)
{
    return env->n_evals - env->n_pure;
}

// A condition of a branch that is not taken, whose argument had no value since conditions changed.
static inline bool sg_sim_env_is_unfelt(const sg_sim_env *env, uint32_t slot)
{
    return env->bands[slot].unfelt == env->events.n_changes + 1;
}

// The condition stands on no side that it could leave: it slides, or its sides agree (smooth.h).
static inline bool sg_sim_env_has_no_side(const sg_sim_env *env, uint32_t slot)
{
    return sg_sim_slides(&env->sliding, slot) || env->bands[slot].free > 0.0;
}

// Memories live in `arena` for the whole run; the past of what is delayed is to be destroyed.
// `fixed`: thresholds of events as published.
sg_status sg_sim_env_init(sg_sim_env *env, sg_arena *arena, const sg_sim_model *model,
                          double start_time, bool fixed);
// Room for the states and crossing functions of a segment, in `arena` until the next one.
sg_status sg_sim_env_begin_segment(sg_sim_env *env, sg_arena *arena, const sg_sim_segment *segment);

// Conditions, memories and clocks as they were before the first event.
void sg_sim_env_forget(sg_sim_env *env);

// Conditions, memories, clocks and the past of what is delayed, to a saved state or back, once the
// segment has begun. Reading also takes the states in x.
struct sg_archive; // base/archive.h
sg_status sg_sim_env_archive(sg_sim_env *env, sg_arena *arena, struct sg_archive *a);

// The same number of states with other meanings, in the middle of a segment; memories and
// crossing functions stay.
sg_status sg_sim_env_change_states(sg_sim_env *env, const sg_sim_segment *segment);

// For instants that no run has computed yet.
static inline bool sg_sim_same_instant(double a, double b)
{
    return fabs(a - b) <= SG_SIM_INSTANT_PART * fmin(fabs(a), fabs(b));
}

// The program as it stands, without regard to sliding; for sliding.c. Arguments of conditions go to
// sliding.argument.
sg_status sg_sim_env_plain(sg_sim_env *env, double t, const double *x, double *dx);
sg_status sg_sim_env_arguments(sg_sim_env *env, double t, const double *x);

// Plain evaluation, residual, crossing functions, communication point. Between events conditions
// are frozen, so a branch may be computed a little beyond the place where it ends: `if x > 0;
// sqrt(x)`. Where that gives no finite derivatives the conditions are taken as they look there; the
// event that is about to come puts them right.
sg_status sg_sim_env_rhs(sg_sim_env *env, double t, const double *x, double *dx);
sg_status sg_sim_env_residual(sg_sim_env *env, double t, const double *x, const double *dx,
                              double *r);
sg_status sg_sim_env_crossings(sg_sim_env *env, double t, const double *x, double *z);
sg_status sg_sim_env_store(sg_sim_env *env, double t, const double *x, double *dx);
sg_status sg_sim_env_terminal(sg_sim_env *env, double t, const double *x, bool last);

typedef enum sg_sim_phase {
    SG_SIM_INITIAL,       // initialization of a segment
    SG_SIM_AFTER_INITIAL, // an event at the very start
    SG_SIM_EVENT
} sg_sim_phase;

typedef struct sg_sim_iteration {
    int n;          // passes made
    bool converged; // false: `slot` of pre was still changing
    bool flipping;  // only conditions were still changing, which is tolerated
    uint32_t slot;  //
} sg_sim_iteration;

// Iterates the event at t from the states env->x, which hold the new values afterwards, as env->dx
// holds the derivatives.
sg_status sg_sim_env_event(sg_sim_env *env, sg_sim_phase phase, bool first_segment, double t,
                           sg_sim_iteration *iteration);
