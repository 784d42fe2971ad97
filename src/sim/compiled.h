// A translated model with values: what one run of it needs, and what changes while it runs.
//
// Translation happens once (sim/translated.h). Linking happens before every run: it reads the
// present parameter and start values of the flat model, so changed numbers and sizes need nothing
// else. The struct then looks like any other model to the run (integration/model.h) and describes
// its variables to the result. Everything that an evaluation writes is in here or belongs to the
// components, so that two of these on one sg_translated can be evaluated in two threads.
#pragma once

#include "integration/model.h"
#include "segue/signal.h"
#include "sim/component.h"
#include "sim/hidden.h"
#include "sim/impulse.h"
#include "sim/inputs.h"
#include "sim/translated.h"
#include "sim/trees.h"

// The pattern of the present contacts, and the one before, which the solver may still have.
typedef struct sg_present_pattern {
    sg_arena arenas[2];
    unsigned turn;
    bool known;
    const sg_sparsity *pattern;
    uint64_t n_relinked; // of the hidden states at that time, or how often constraints were chosen
} sg_present_pattern;

// Choices of states: those that were used, and of this run the one in use and the one it began
// with.
typedef struct sg_compiled_choices {
    SG_VEC(sg_linked_choice *) used;
    sg_linked_choice *present, *first;
    signed char *preference; // work space, one for each variable
    double *moved;           // per variable: where the choice was judged; NaN: at its start
    bool end;                // of this run: another one was wanted, but cannot be made
} sg_compiled_choices;

// Values that are no numbers: called while linking; may be null when the model has none. What they
// return lives in the arena.
typedef struct sg_compiled_others {
    bool (*parameter)(void *context, sg_par_id par, sg_arena *arena, sg_given *out);
    bool (*constant)(void *context, uint32_t index, sg_arena *arena, sg_given *out);
} sg_compiled_others;

// What is described of a segment holds until the one after the next is: logs look back.
typedef struct sg_compiled_segments {
    sg_arena arenas[2], first_arena;
    unsigned turn;
    double *start, *first_start; // start values of the one described last, and of model.segment
} sg_compiled_segments;

// Patterns of the present segment.
typedef struct sg_compiled_patterns {
    sg_present_pattern own[2];        // of the derivatives, of the residual
    sg_present_pattern looped[2];     // by sg_constraint_unknowns: with these
    const sg_sim_tree_groups *groups; // null if there are none
    const sg_sparsity *ties;          // likewise
    bool ties_known;                  // else the pattern is full
} sg_compiled_patterns;

// Where the model was evaluated last, for whoever asks what is known there.
typedef struct sg_compiled_last {
    sg_events *events;
    double *x;  // all states
    uint32_t n; // of them
    double t;
    struct {
        double t, *x;
    } kept; // the same, put aside
} sg_compiled_last;

typedef struct sg_compiled {
    const sg_allocator *allocator;
    sg_translated *translated; // borrowed; only another choice of states changes it
    const sg_flat *flat;       // its
    const sg_extern *externs;  // borrowed
    sg_arena arena;
    sg_compiled_choices choices;
    // Of the choice in use.
    const sg_structure *structure;
    sg_var_id *guesses; // per variable: an alias of it that has a start value, when it has none
    const sg_program *program;
    sg_exec *exec;
    uint32_t dae_min_size;
    double start_time; // of the run that is linked for [s]; set before linking
    bool no_nominals;  // nominal values do nothing to systems of equations; set before linking
    const struct sg_native_host *native; // compiles programs (program/native.h), or null; likewise
    struct sg_counted *memory;           // as in sg_exec_source; likewise

    sg_compiled_others others;
    void *context; // of `others` and `define_hidden`

    sg_hidden hidden; // states of predefined components; defined before linking
    // Defines the hidden states of the next segment, component by component; may be null when there
    // are none. The language does it, as a model may name functions of its script for that.
    sg_status (*define_hidden)(void *context);

    sg_sim_components components; // what a run asks of them; sg_compiled_set_components
    const sg_sim_tree *trees;     // of bodies, those that components hold
    uint32_t n_trees;
    // Of the present segment: whether components bound steps, what constrains states for IDA.
    bool bounds_steps;
    sg_sim_constraints constraints;

    // Values of inputs over time; set before linking, may be null. Lives until after the run.
    sg_inputs *inputs;

    sg_impulse_watch impulses; // jumps that would be impulses
    sg_arena linked;           // of the present link
    sg_compiled_segments segments;
    sg_compiled_patterns patterns;
    sg_compiled_last last;
    bool linked_ok;
    sg_sim_model model; // the program and the hidden states; its segment names the first states
    double tolerance;   // of the check of init values
    sg_diags *diags;    // where that check reports
} sg_compiled;

// `externs` has one row for each function of the flat model (row 0 unused) and lives as long as the
// struct. Destroy in any case.
sg_status sg_compiled_create(sg_compiled *compiled, const sg_allocator *allocator,
                             sg_translated *translated, const sg_extern *externs, sg_diags *diags);
void sg_compiled_destroy(sg_compiled *compiled);

// The components of the model, each with memory for this struct alone. The array must live as long.
// Before linking. SG_ERR_MEMORY.
sg_status sg_compiled_set_components(sg_compiled *compiled, sg_sim_components components);

// Reads values and sizes; afterwards `model` can be run. Systems of at least `dae_min_size` are
// left to a DAE solver (nlinearMinForDAE).
sg_status sg_compiled_link(sg_compiled *compiled, uint32_t dae_min_size, sg_diags *diags);

// The state that a variable is, and the sign between the two; -1 if it is none.
int32_t sg_compiled_state(const sg_compiled *compiled, sg_var_id var, double *sign);

// One evaluation at the states x, also outside of a run's own.
sg_status sg_compiled_evaluate(sg_compiled *compiled, sg_eval_mode mode, sg_events *events,
                               double t, const double *x, double *dx);
// The numbers of a variable that the program computes, for equations/init_check.h; `context` is the
// model.
const double *sg_compiled_value(void *context, sg_var_id var, size_t *n);

// The variables of the linked model as signals of the result, and behind each its variable (0 for
// those without columns and for hidden ones). Both live in `arena`.
sg_status sg_compiled_signals(sg_compiled *compiled, sg_arena *arena, sg_signal **signals,
                              uint32_t **vars, size_t *n);
// The present values of all signals with columns, after an evaluation for a result at the states x.
void sg_compiled_columns(const sg_compiled *compiled, const sg_signal *signals,
                         const uint32_t *vars, size_t n, const double *x, double *columns);
// After something jumped whose derivative is used (sim/impulse.h): SG_OK if no state would feel it,
// else SG_ERR_SOLVER, and `impulses.jumped` is set (compiled_impulse.c).
sg_status sg_compiled_find_impulse(sg_compiled *compiled, sg_events *events, double t,
                                   const double *x);
