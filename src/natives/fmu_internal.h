// An FMU of another tool as a component of a model: shared by fmu.c (what it is in the language),
// fmu_text.c (its model) and fmu_run.c (what it does in a run).
//
// `FMU("pump.fmu")` reads the description, which is text, and makes a component as if it were
// written in C (segue/component.h). Its equations call functions of the instance: one for each
// group of outputs that depend on the same inputs, so that no loop appears that is none, and one
// that takes all inputs. What the FMU computes is computed in another process (fmu/client.h).
#pragma once

#include "fmu/client.h"
#include "natives/c_component.h"

// Outputs that depend on the same inputs, no more than a function has results.
typedef struct sg_fmu_group {
    const uint32_t *outputs, *inputs; // positions in the lists
    uint32_t n_outputs, n_inputs;
} sg_fmu_group;

typedef struct sg_fmu_component {
    sg_component table; // its context is the whole
    sg_session *session;
    const char *file; // as the script calls it
    const void *bytes;
    size_t n_bytes;
    sg_fmu_foreign fmu;
    sg_fmu_lists lists;
    bool exchange;
    bool adaptive;      // co-simulation: communication steps
    double step;        // of these [s]; of adaptive ones the first
    const char **names; // of each variable in the model, "a.b"; null if it is not there
    sg_fmu_group *groups;
    uint32_t n_groups;
    sg_fmu_setting *settings; // given by `start`, and texts
    uint32_t n_settings;
} sg_fmu_component;

// Groups, names and functions; SG_ERR_MEMORY, or SG_ERR_LIMIT with words.
sg_status sg_fmu_plan(sg_fmu_component *f, sg_arena *arena, char words[SG_FMU_WORDS]);
// The model as text of the language: `Model(...)` without equations.
void sg_fmu_write_model(const sg_fmu_component *f, const char *name, sg_buf *out);
// Its equations.
void sg_fmu_write_equations(const sg_fmu_component *f, sg_buf *out);
// The unit of a variable as the language writes it, "m*s^-1"; "" if it has none, or it is not
// known.
void sg_fmu_unit_text(const sg_foreign_variable *v, char out[160]);
// Of parameters and inputs that were merged into the model behind the call of FMU.
sg_status sg_fmu_check_units(const sg_fmu_component *f, const sg_component_builder *builder);

// What happens in a run.
extern const size_t sg_fmu_memory_size;
sg_status sg_fmu_define(void *memory, const sg_component_builder *builder);
sg_status sg_fmu_begin(void *memory, const sg_component_segment *segment);
void sg_fmu_end(void *memory);
double sg_fmu_bound_step(void *memory);
sg_status sg_fmu_outputs(void *memory, const sg_component_call *call);
sg_status sg_fmu_drive(void *memory, const sg_component_call *call);
