// What a saved state consists of, besides where the run stands (natives/live.h): which model it is,
// and the values that the host gave it.
//
// Segue's build, the text and its options are known by fingerprints, so a state is refused by
// another model, and by another build, whose code may look for other numbers in it. What
// was set is kept as the host said it, by name, since sizes and structure may follow from it; a
// model that is to be restored is set anew, linked, and then filled with what was saved. It takes
// the same time however long the run was.
#pragma once

#include "base/vec.h"
#include "segue/model.h"

typedef SG_VEC(unsigned char) sg_model_bytes;

// A value that the host gave: in effect since the last evaluation, and since.
typedef struct sg_model_setting {
    uint32_t name; // symbol
    sg_model_bytes known, pending;
} sg_model_setting;

typedef struct sg_model_settings {
    const sg_allocator *allocator;
    SG_VEC(sg_model_setting) list;
    uint64_t text;       // fingerprint of the text
    uint32_t n_sources;  // that it is of
    uint64_t experiment; // of what a run goes by
    bool failed;         // memory ran out: it cannot be saved
} sg_model_settings;

void sg_model_settings_free(sg_model *model);
// Once the text was run: which model and which options it is about.
void sg_model_note_text(sg_model *model);
// What runs go by has changed.
void sg_model_note_experiment(sg_model *model);
void sg_model_note_setting(sg_model *model, const char *name, const double *values, size_t n,
                           const char *text);
// Values were evaluated, or refused.
void sg_model_note_evaluated(sg_model *model, bool well);
