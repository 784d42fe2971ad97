// What a run needs to know of a model: a table of functions and the states of the present segment.
//
// The numeric program of program/, predefined components and models written in C (tests, embedders)
// all look like this to the run. A model is evaluated for several reasons; the mode says which
// (program/events.h). Evaluation must be a pure function of time, states, the conditions and
// the memories in sg_events, whatever was evaluated before.
#pragma once

#include "base/diags.h"
#include "program/events.h"
#include "segue/status.h"
#include "solver/islands.h"

struct sg_archive;   // base/archive.h
struct sg_arena;     // base/arena.h
struct sg_enclosure; // program/enclosure.h

// Crossing functions that components compute themselves, in one segment. Function number i is
// written to sg_events.z[z_hidden + i], behind those of the equations (one for each `positive`).
typedef struct sg_sim_crossings {
    uint32_t n;
    const char *const *texts; // `n_texts` <= n, for logs; null entries: none
    uint32_t n_texts;
    const bool *answers; // `n_answers` <= n: its component asks for restarts, if there must be one
    uint32_t n_answers;
    // How many conditions all of them stand for at present; null or 0: one each.
    const uint32_t *conditions;
} sg_sim_crossings;

// What to expect of constraints at present, the worst last.
typedef enum sg_constraint_outlook {
    SG_CONSTRAINTS_STAY,
    SG_CONSTRAINTS_CHANGED, // others than since the last `begin` are independent
    SG_CONSTRAINTS_FADE     // one says little that others do not say: a singular position is near
} sg_constraint_outlook;

// What may stand behind the states, for each constraint: a force, whose equation is that of the
// accelerations (integration/border.h); or integrals of a force and of what moves coordinates back,
// with rates and gaps for equations (integration/constrained.h).
typedef enum sg_constraint_unknowns {
    SG_CONSTRAINT_FORCES,
    SG_CONSTRAINT_INTEGRALS
} sg_constraint_unknowns;

// Constraints that the model fulfills by itself, as closed loops of joints (sg_sim_model.project),
// and that IDA may have among its equations instead (integration/constrained.h). Each has two
// numbers, which the solver finds: a force lambda, and mu, by which coordinates move back to the
// constraint.
typedef struct sg_sim_constraints {
    void *user;    // first argument of all functions
    uint32_t most; // constraints of this segment, more than are independent perhaps; 0: none
    // From here on those that are independent at the present states, which were projected; returns
    // how many. States that follow from others by them lose their mark in `differential`, which may
    // be null.
    uint32_t (*begin)(void *user, bool *differential);
    // After an evaluation: its forces; and how much the integrals of lambda and mu are for one unit
    // of a rate and of a gap; the latter may be null.
    void (*forces)(void *user, double *lambda);
    void (*sizes)(void *user, double *lambda, double *mu);
    // The forces of all evaluations that follow; null: they are found again.
    void (*impose)(void *user, const double *lambda);
    // After an evaluation with such forces at x: adds mu to the residuals r of the states, and
    // gives those of the constraints and of their rates.
    void (*residuals)(void *user, const double *x, const double *mu, double *r, double *rate,
                      double *gap);
    // After an evaluation with such forces: accelerations across the constraints. They are to be
    // zero.
    void (*accelerations)(void *user, double *out);
    // After an evaluation without: whether a singular position is so near that it went by more than
    // these.
    bool (*near)(void *user);
    // Since the last `begin`: which equations depend on which states, and on what stands behind
    // these; null is full. Holds until it has been asked for twice again. SG_ERR_MEMORY is the only
    // failure.
    sg_status (*pattern)(void *user, sg_constraint_unknowns behind, const sg_sparsity **pattern);
    // Looks at the constraints at the states x, which it may move.
    sg_status (*look)(void *user, sg_events *events, double t, double *x,
                      sg_constraint_outlook *out);
} sg_sim_constraints;

// The states between two full restarts. Everything belongs to the model and must hold until the
// next segment begins.
typedef struct sg_sim_segment {
    uint32_t n_states;              // visible states first, then those of components; may be 0
    const double *start;            // start values; null is zeros
    const char *const *state_names; // one for each scalar: "x", "v[2]"; may be null
    const char *const *state_units; // may be null
    const double *atol;             // absolute tolerance for each state; null takes the option
    const double *nominal;          // typical size of each state, 0: not known; may be null
    const double *increment;        // of difference Jacobians, 0: from its size; may be null
    const double *most;      // how much of its size counts at most (solver/solver.h); may be null
    const uint32_t *vectors; // the first of each three that count as one vector (solver/solver.h)
    uint32_t n_vectors;
    // States of one number other than 0 are parts of one motion, where which of them is large is a
    // matter of how axes lie, or elements of one field. It is 1 + the first of them. May be null.
    const uint32_t *family;
    const bool *quadrature;     // states that only account for others; may be null
    bool quadratures_rest;      // and none of them changes in this segment
    const bool *unlisted;       // those of them that the model did not ask for; may be null
    sg_sim_crossings crossings; // of components
    // Unknowns of nonlinear systems that the solver may carry along with the states
    // (integration/carry.h).
    uint32_t n_carried;
    uint32_t n_given;                      // all variables of these systems
    const sg_sim_constraints *constraints; // null: none
} sg_sim_segment;

// How many numbers the solver may have behind the states of the segment.
static inline uint32_t sg_sim_segment_behind(const sg_sim_segment *segment)
{
    uint32_t n = segment->constraints ? 2 * segment->constraints->most : 0;
    return n > segment->n_carried ? n : segment->n_carried;
}

// A linear system of equations inside the model, for the statistics.
typedef struct sg_sim_linear {
    uint32_t size;
    bool in_residual; // not solved when the residual is computed
} sg_sim_linear;

// For which point constraints are met (sg_sim_model.project).
typedef enum sg_projection {
    SG_PROJECT_START, // also from far
    SG_PROJECT_STEP,  // where a step ended, and at events
    SG_PROJECT_STORED // where a result is stored or a watch looks: the run goes on as if nobody had
                      // asked
} sg_projection;

typedef struct sg_sim_model {
    void *user; // first argument of all functions
    const char *name;
    sg_event_layout events;
    sg_sim_segment segment; // the first one
    const sg_sim_linear *linear;
    uint32_t n_linear;

    // dx = f(t, x). SG_ERR_SOLVER means "not here, try a shorter step"; other failures end the run.
    // `mode` says what for; events->mode is the same.
    sg_status (*eval)(void *user, sg_eval_mode mode, sg_events *events, double t, const double *x,
                      double *dx);
    // For IDA, may be null: r = F(t, x, dx).
    sg_status (*residual)(void *user, sg_events *events, double t, const double *x,
                          const double *dx, double *r);
    // With segment.n_carried, else null. Hands the carried unknowns to all evaluations that follow,
    // which then do not solve for them; null takes them back.
    void (*carry)(void *user, const double *unknowns);
    // After an evaluation: their values, their residuals (if they were handed over) and the largest
    // sizes that they had; each may be null.
    void (*carried)(void *user, double *unknowns, double *residuals, double *sizes);
    // With segment.n_given, else null: the same for all variables of such systems, for Newton's
    // equations (integration/border.h).
    void (*give)(void *user, const double *variables);
    void (*given)(void *user, double *variables, double *residuals);
    // Which derivatives and, behind them, residuals of these systems depend on which states and
    // variables; null is full. Holds until the next segment or other states. SG_ERR_MEMORY is the
    // only failure.
    sg_status (*given_pattern)(void *user, const sg_sparsity **pattern);
    // Do the states at t, each known to its tolerance, determine them? Leaves no traces. `work` is
    // three times as long as they are.
    bool (*determines)(void *user, sg_events *events, double t, const double *x,
                       const double *tolerance, double *work);
    // May be null: evaluations leave nothing to those that follow, or, where `remembers` is there,
    // nothing in this segment. Else those between the two leave no traces. What was put aside may
    // be put back more than once, and the first time of a segment may take memory (SG_ERR_MEMORY).
    sg_status (*keep)(void *user);
    void (*put_back)(void *user);
    // May be null: takes the memory that `keep` needs up to the next event, and copies nothing.
    sg_status (*reserve)(void *user);
    bool (*remembers)(void *user);
    // Says why the last evaluation failed or gave values that are not finite; may be null.
    void (*explain)(void *user, double t, sg_diags *diags);
    // After the first initialization, may be null: moves states that have no init value until the
    // conditions of the start hold. When `*moved` comes back true the initialization is repeated
    // from the new states, and this is asked again with the next `round`.
    sg_status (*solve_start)(void *user, sg_events *events, double t, double *x, int round,
                             bool *moved);
    // After the first initialization: values of `init` that did not hold (language 4.8); may be
    // null.
    sg_status (*initialized)(void *user, const sg_events *events, const double *x);
    // At a full restart, may be null: the components rebuild themselves. `x` are the states at the
    // end of the segment; `next->start` gives all states of the new one (language 3.11).
    sg_status (*next_segment)(void *user, double t, const double *x, sg_sim_segment *next);
    // After a step, may be null: right after the model was evaluated at t and x for a result it
    // tells whether it went over to other states that serve better from here on (language 4.6 for
    // constraints that leave a choice). `next->start` gives all of them; everything else goes on.
    // Without `next` nothing changes: it tells whether it would.
    sg_status (*reselect)(void *user, double t, const double *x, sg_sim_segment *next,
                          bool *changed);
    // Back to the states that the run began with, in the same way.
    sg_status (*first_states)(void *user, double t, const double *x, sg_sim_segment *next);
    // The next time behind t that no step may cross, infinity if none; may be null. Not an event:
    // the solution goes on there, but something it depends on bends; with `sharply` so much that
    // what the method remembers of the steps before is worth nothing behind it.
    double (*next_stop)(void *user, double t, bool *sharply);
    // Before each step, may be null: the largest step that may be taken from t and x (all states of
    // the segment), infinity if the model does not mind. For what a step must not jump over,
    // although crossing functions have the same sign on both sides: a thin plate, say. The bound
    // holds for this one step only, whatever the method wanted to do; it costs nothing while it is
    // longer than that. Zero, negative or NaN ends the run with a message.
    double (*bound_step)(void *user, double t, const double *x);
    // Right behind that, may be null: how much of the states' sizes counts from here on, as in
    // `most` of the segment, which is not null then.
    void (*renew_sizes)(void *user, double *most);
    // After crossing functions were evaluated at t1, may be null: up to which time behind t0 all
    // moved as the bound at t0 took for granted; t1 if all the way. If it is, and the step
    // `goes_on` behind t1, the model computes a bound from there by itself.
    double (*foreseen)(void *user, double t0, double t1, bool goes_on);
    // After a step, may be null: whether the model wants to see where it ended; and does, evaluated
    // there, with nothing left behind.
    bool (*sees_steps)(void *user);
    void (*see_step)(void *user);
    // May be null: do results alone depend on systems of equations that may have several solutions?
    bool (*searches_results)(void *user);
    // After a restart of any kind, may be null: whether something is under way that keeps the
    // energy it gets until the next event, as an impact without damping does. The errors of all its
    // steps together then have to be small, not only that of each.
    bool (*gives_back)(void *user);
    // When a solver is made, may be null or return null: the states of this segment fall into
    // islands, and nothing but these has any (integration/islands.c).
    // `whole` evaluates all states at once for those that cannot be evaluated by themselves; null
    // where it is only asked whether there are any.
    const sg_islands *(*islands)(void *user, const sg_island_whole *whole);
    // May be null: branches of laws are held (solver/solver.h). Where they are, `increment` becomes
    // that of the states for differences around the point where they were noted.
    void (*branches)(void *user, sg_branches what, double *increment);
    // May be null: moves the states x at time t to where constraints hold that the derivatives only
    // keep up to errors of steps. After each step, for each result, and around events. Sets *moved
    // if anything did.
    sg_status (*project)(void *user, sg_events *events, double t, double *x, sg_projection how,
                         bool *moved);
    // Stiffness may come and go from one step to the next, as where bodies touch (sg_problem).
    bool nonsmooth;
    // Before an implicit method begins, may be null or return null: the derivatives as solutions of
    // sparse equations (solver/solver.h). Holds until the next segment.
    const sg_descriptor *(*descriptor)(void *user);
    // The conditions of the equations over an interval of time, by bounds; may be null or return
    // null. Holds until the next segment or other states.
    struct sg_enclosure *(*enclosure)(void *user);
    // After an evaluation for a result, may be null: a number that is another if any of its
    // variables is.
    uint64_t (*fingerprint)(void *user);
    // Before an implicit method begins and after a restart of any kind, may be null: the pattern of
    // d(dx)/dx or of the residual for the present contacts; null is full. It holds until it has
    // been asked for twice again. SG_ERR_MEMORY is the only failure.
    sg_status (*pattern)(void *user, bool residual, const sg_sparsity **pattern);
    // For saved states (sg_sim_save); null: the model remembers nothing. Writes all that it has
    // besides the states x and what is in sg_events; or, right after it was linked, reads it and
    // describes the segment that it is of.
    sg_status (*archive)(void *user, struct sg_archive *a, const double *x,
                         sg_sim_segment *segment);
} sg_sim_model;
