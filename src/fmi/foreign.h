// The description of an FMU of another tool: what modelDescription.xml says, of FMI 2.0 and 3.0, as
// far as an importer needs it.
//
// Nothing is believed: references must lead somewhere, sizes are bounded, and what the standard
// demands is asked for. A kind that Segue does not run is not an error here, but may leave nothing
// to run.
//
// Ref: FMI 2.0.4, section 2.2; FMI 3.0.1, section 2.4.
#pragma once

#include "base/arena.h"
#include "segue/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum sg_fmu_type {
    SG_FMU_FLOAT64, // Real of 2.0
    SG_FMU_FLOAT32,
    SG_FMU_INT8,
    SG_FMU_UINT8,
    SG_FMU_INT16,
    SG_FMU_UINT16,
    SG_FMU_INT32, // Integer and Enumeration of 2.0
    SG_FMU_UINT32,
    SG_FMU_INT64, // Enumeration of 3.0
    SG_FMU_UINT64,
    SG_FMU_BOOLEAN,
    SG_FMU_STRING,
    SG_FMU_OTHER // Binary, Clock
} sg_fmu_type;

typedef enum sg_foreign_causality {
    SG_FOREIGN_PARAMETER,
    SG_FOREIGN_STRUCTURAL,
    SG_FOREIGN_CALCULATED,
    SG_FOREIGN_INPUT,
    SG_FOREIGN_OUTPUT,
    SG_FOREIGN_LOCAL,
    SG_FOREIGN_INDEPENDENT
} sg_foreign_causality;

typedef struct sg_foreign_unit {
    const char *name;
    bool known;            // what it is made of
    int exponent[8];       // of kg, m, s, A, K, mol, cd, rad
    double factor, offset; // what is in this unit times the factor, plus the offset, is in SI
} sg_foreign_unit;

typedef struct sg_foreign_variable {
    const char *name, *description;
    uint32_t reference;
    sg_fmu_type type;
    sg_foreign_causality causality;
    bool constant, fixed, tunable, discrete; // variability; none of them: continuous
    bool exact, approx;                      // `initial`, or what follows from the rest
    const sg_foreign_unit *unit;             // or null
    const double *start; // `n_start` numbers, in its own unit; null if it has none
    size_t n_start;
    double nominal;   // 1 where nothing is said
    const char *text; // the start value of a text
    size_t n;         // elements
    uint32_t n_dimensions;
    int64_t derivative_of; // index of a variable, -1 if it is no derivative
} sg_foreign_variable;

// What an output depends on.
typedef struct sg_fmu_output {
    uint32_t variable;      // index
    bool all;               // nothing is said
    const uint32_t *inputs; // indices of variables that are inputs
    uint32_t n_inputs;
} sg_fmu_output;

// What the description says of one kind. Without an identifier the FMU does not offer it.
typedef struct sg_fmu_kind_info {
    const char *identifier;
    bool needs_tool, only_once, saves_state;
    bool no_completed_steps;                       // model exchange
    bool variable_steps, event_mode, early_return; // co-simulation
    bool interpolates_inputs;                      // 2.0
    double fixed_step;                             // fixedInternalStepSize [s], 0 if there is none
} sg_fmu_kind_info;

typedef struct sg_fmu_foreign {
    int version; // 2 or 3
    const char *name, *token;
    sg_fmu_kind_info me, cs;
    bool scheduled; // it offers scheduled execution
    sg_foreign_variable *variables;
    uint32_t n_variables;
    sg_foreign_unit *units;
    uint32_t n_units;
    uint32_t *derivatives; // indices of variables, in the order of the states
    uint32_t n_derivatives;
    size_t n_states;     // elements of these
    size_t n_indicators; // elements
    sg_fmu_output *outputs;
    uint32_t n_outputs;
    double start_time, stop_time, tolerance, step; // NaN where nothing is said
} sg_fmu_foreign;

enum { SG_FMU_WORDS = 240, SG_FMU_MOST_ELEMENTS = 1000000 };

// In the arena, as are all names. SG_ERR_INPUT with words, SG_ERR_LIMIT with words, SG_ERR_MEMORY.
sg_status sg_fmu_foreign_read(sg_arena *arena, const char *xml, size_t length, sg_fmu_foreign *out,
                              char words[SG_FMU_WORDS]);
