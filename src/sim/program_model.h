// A numeric program as the model of a run.
//
// The exec (program/exec.h) is linked by the caller, who knows parameters and start values; this
// puts the table around it that a run asks for, with names of the states and the sparsity patterns.
// Predefined components are functions of the exec's table; while an evaluation is under way they
// find the states and derivatives of the whole segment in `x` and `dx`, visible ones first, so
// that hidden states (language 3.10) are read and written by index.
#pragma once

#include "integration/model.h"
#include "program/enclosure.h"
#include "program/exec.h"

// A pattern that is listed when somebody asks for it.
typedef struct sg_listed_pattern {
    bool known, full;
    sg_sparsity pattern;
} sg_listed_pattern;

typedef struct sg_program_model {
    sg_sim_model model; // pass &model to sg_sim_run; change what is to differ before
    sg_exec *exec;      // borrowed
    sg_arena arena;     // of this segment: names, patterns
    sg_listed_pattern derivatives, residuals, given;
    bool leaves_systems;     // to the solver: residuals are others than dx - f
    double *start;           // states as linked
    sg_enclosure *enclosure; // of its conditions; null: there are none
    uint32_t dae_min_size;

    // During an evaluation.
    const double *x;
    double *dx; // null while a residual is computed
    sg_events *events;
} sg_program_model;

// After every link of the exec. `name` must outlive the struct. SG_ERR_MEMORY is the only failure.
sg_status sg_program_model_init(sg_program_model *m, const sg_allocator *allocator, sg_exec *exec,
                                const char *name, uint32_t dae_min_size);
void sg_program_model_destroy(sg_program_model *m);
