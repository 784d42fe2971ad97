// Models as FMUs, for other tools (FMI 2.0 and 3.0; docs/fmi.md).
//
//     sg_fmu_options options = sg_fmu_options_make();
//     options.version = 3;
//     options.adapter = "/usr/lib/segue/segue_fmu.so";
//     sg_fmu_export(NULL, "robot.jl", "robot.fmu", &options, diags);
//
// An FMU is an archive: a description in XML, the text of the model with all files that it reads,
// and a library that answers the importing tool. That library is Segue itself behind the functions
// of the standard (the adapter); it is built with Segue and only copied here, so no compiler is
// needed, and the FMU needs nothing but the C library.
#pragma once

#include "segue/alloc.h"
#include "segue/diag.h"
#include "segue/export.h"
#include "segue/status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sg_fmu_options {
    size_t size;        // of this struct, as the maker below fills it in
    int version;        // 2 (default) or 3
    bool co_simulation; // default true
    bool model_exchange;
    const char *adapter;      // path of segue_fmu.so; needed
    const char *model;        // which global of the text, as in sg_model_options.name
    const char *modia3d_path; // as in sg_model_options
    const char *const *allow_read;
    size_t n_allow_read;
    // What the text prints; null: nobody.
    void (*write)(void *context, const char *text, size_t length);
    void *context;
    size_t max_memory; // [bytes]; 0 takes the default of sessions
} sg_fmu_options;

// Every default filled in.
SG_API sg_fmu_options sg_fmu_options_make(void);

// The model of the file `model` as the FMU `path`, which appears complete or not at all. The model
// is opened and initialized, since its start values and the files that it reads are part of the
// FMU. SG_ERR_MODEL for a model that model exchange cannot express, with a message that says why.
SG_API sg_status sg_fmu_export(const sg_allocator *allocator, const char *model, const char *path,
                               const sg_fmu_options *options, sg_diags *diags);

#ifdef __cplusplus
}
#endif
