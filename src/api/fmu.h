// What `segue/fmu.h` is made of: the variables of a model as those of an FMU, and its files.
#pragma once

#include "api/model_internal.h"
#include "fmi/description.h"

typedef struct sg_fmu_build {
    sg_model *model;
    sg_arena *arena;
    sg_diags *diags;
    bool model_exchange;
    sg_fmu_variable *variables;
    size_t n_variables, cap;
    uint32_t next; // value reference
    sg_fmu_unit *units;
    size_t n_units;
    uint32_t n_states, n_indicators;
    uint32_t *states, *rates; // value references by element of the state vector
    bool structured;
    bool has_depends;
    sg_fmu_depends outputs, derivatives; // if so
} sg_fmu_build;

// Of a model that is opened and not initialized: it is, and reset at the end.
sg_status sg_fmu_list_variables(sg_fmu_build *b);

// A file that belongs to the model, and what it is called inside of the FMU.
typedef struct sg_fmu_file {
    const char *path, *name;
} sg_fmu_file;

// All files of the text besides those of the library, the main file first. Names are below
// "resources/model", or "resources/modia3d" for objects of Modia3D.
sg_status sg_fmu_list_files(const sg_model *model, const char *main_file, sg_arena *arena,
                            sg_diags *diags, sg_fmu_file **files, size_t *n);
