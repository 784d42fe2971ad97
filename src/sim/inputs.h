// Inputs of a model from a table over time: what `--input FILE.csv` feeds in.
//
// Between rows real inputs are interpolated linearly, integers and Booleans are held. Two rows with
// the same time make a step. A step, and every change of a held value, is a time event: the
// integrator stops there, sees the old value before the event and the new one after it, and nothing
// is ever interpolated across. At the other rows a real input may change its slope; the integrator
// does not step over these either, so that a short pulse in the file cannot be missed between two
// steps. It restarts where the slope changes a lot: multistep methods lose two digits otherwise.
//
// Implements formats 9 (input signals) and issue 4 point 7.
#pragma once

#include "base/arena.h"
#include "program/exec.h"
#include "segue/status.h"

// One element of one input variable. The columns of a variable follow each other.
typedef struct sg_input_column {
    uint32_t var;     // of the program
    uint32_t element; // of it, from 0
    bool hold;        // no interpolation
    bool scalar;      // the variable is a number, not a vector with one element
    const double *values;
} sg_input_column;

typedef struct sg_inputs {
    const double *times; // ascending; equal neighbors are steps
    size_t n_rows;
    const sg_input_column *columns;
    size_t n_columns;

    size_t *breaks; // first row behind each discontinuity, ascending
    size_t n_breaks;
    double *kinks; // times at which a slope changes, ascending
    bool *sharp;   // ... by more than a sampled smooth curve does
    size_t n_kinks;

    // While running.
    double **targets; // where each column goes in the workspace
    size_t piece;     // number of breaks passed
    size_t row, kink; // where the last search ended; makes the next one short
} sg_inputs;

// Finds breaks and kinks. `times` and `columns` are borrowed and must ascend and be finite. Memory
// comes from the arena.
sg_status sg_inputs_init(sg_inputs *inputs, sg_arena *arena, const double *times, size_t n_rows,
                         const sg_input_column *columns, size_t n_columns);
// A first value for an input that has none of its own, with the size that it has in the table.
bool sg_inputs_start(const sg_inputs *inputs, uint32_t var, sg_arena *arena, sg_given *out);
// After each linking: false when a variable is not an input of the program, or is too small.
bool sg_inputs_bind(sg_inputs *inputs, const sg_exec *exec);
// Before each evaluation: the values at t go to the program. At events also moves on to the next
// piece and announces its end.
void sg_inputs_apply(sg_inputs *inputs, sg_events *events, double t);
// The next time behind t that must not be stepped over, infinity if none (integration/model.h).
double sg_inputs_next_stop(sg_inputs *inputs, double t, bool *sharply);
