// One choice of states and the program made for it.
//
// Constraints that cannot be solved once and for all (a pendulum in Cartesian coordinates) leave
// open which variables are states, and every choice fails somewhere. A model therefore has one
// choice or several: the first is that of the language (language 4.6), the others are made when
// a run needs them and kept. All of them know the same variables by the same ids and have the same
// slots for event operators, so that a run changes over without losing anything.
//
// Judged by equations/reselect.h.
#pragma once

#include "equations/translate.h"
#include "flat/flat.h"
#include "program/exec.h"
#include "sim/component.h"
#include "sim/program_model.h"

typedef struct sg_compile_options {
    sg_translate_options translate;
    bool compat_comparisons;      // P9 of the scenarios: comparisons are no events
    sg_sim_components components; // they may put something better in place of sorted blocks
} sg_compile_options;

// What is constant after translation.
typedef struct sg_state_choice {
    sg_arena arena;
    signed char *preference; // by variable id; null: the choice of the language
    uint32_t n_preference;
    sg_structure structure;
    sg_program *program;
    // What is judged after each step; no entries: nothing to choose.
    uint32_t n_entries;
    sg_expr_id *entry_exprs;
} sg_state_choice;

// Translates. `like` is a choice of the same model, or null for the first; `preference` is
// copied. Problems are in the diagnostics. Destroy in any case.
sg_status sg_state_choice_create(sg_state_choice *choice, const sg_allocator *allocator,
                                 sg_flat *flat, const sg_compile_options *options,
                                 const sg_state_choice *like, const signed char *preference,
                                 uint32_t n_preference, sg_diags *diags);
void sg_state_choice_destroy(sg_state_choice *choice);
bool sg_state_choice_has(const sg_state_choice *choice, const signed char *preference, uint32_t n);

// A choice with values: what one run works with. Several may stand on one choice.
typedef struct sg_linked_choice {
    const sg_state_choice *choice;
    const sg_allocator *allocator;
    sg_arena arena;
    sg_exec *exec;
    sg_program_model base;  // after sg_linked_choice_link
    double *entries, *work; // for judging
} sg_linked_choice;

// `externs` has one row for each function of the flat model and lives as long. Destroy in any case.
sg_status sg_linked_choice_create(sg_linked_choice *linked, const sg_allocator *allocator,
                                  const sg_state_choice *choice, const sg_extern *externs);
void sg_linked_choice_destroy(sg_linked_choice *linked);

// Values and sizes; afterwards `base` can be run.
sg_status sg_linked_choice_link(sg_linked_choice *linked, const sg_exec_source *source,
                                const char *name, uint32_t dae_min_size, sg_diags *diags);

// Would other states be better? At the present values, right after an evaluation of all variables;
// writes the preference of the better ones. Nothing is allocated.
bool sg_linked_choice_judge(sg_linked_choice *linked, signed char *preference);
// The same before a run, at the start values, or at the nearest point that satisfies the
// constraints (choice_start.c). `moved` has one number for each variable of the flat model: where
// it was moved to, NaN if it was not. `source` gives start values and parameters.
bool sg_linked_choice_judge_start(sg_linked_choice *linked, sg_flat *flat,
                                  const sg_exec_source *source, double time,
                                  signed char *preference, double *moved);
