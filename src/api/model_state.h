// How a model came to where it stands: what a saved state consists of.
//
// A run is a function of the text, the values that were set, and what the host did and when; the
// same calls give the same bits. So a state is the record of these, and to restore it is to do
// them again, without anybody being told. It holds whatever the model consists of (delays, clocks,
// random numbers, contacts, other segments), a file of it holds no address and no code, and the run
// that was saved is not disturbed. The price is time: that of the run up to there. Where both
// arrive is compared by a fingerprint of all states.
#pragma once

#include "base/vec.h"
#include "segue/model.h"

typedef SG_VEC(unsigned char) sg_model_bytes;

// A value that the host gave: in effect since the last evaluation, and since.
typedef struct sg_model_setting {
    uint32_t name; // symbol
    sg_model_bytes known, pending;
} sg_model_setting;

typedef struct sg_model_journal {
    const sg_allocator *allocator;
    SG_VEC(sg_model_setting) settings;
    sg_model_bytes steps; // since the model was initialized
    size_t last;          // where the last entry begins
    double *first_inputs; // when it was
    size_t n_inputs;      // numbers of all inputs
    uint64_t random;      // state of random numbers then
    uint64_t text;        // fingerprint of the text and the options
    bool failed;          // memory ran out: it cannot be saved
    bool replaying;       // nothing is noted
} sg_model_journal;

void sg_model_journal_free(sg_model *model);
// Once the text was run: which model and which options it is about.
void sg_model_journal_text(sg_model *model);
void sg_model_note_setting(sg_model *model, const char *name, const double *values, size_t n,
                           const char *text);
// Values were evaluated, or refused.
void sg_model_note_evaluated(sg_model *model, bool well);
void sg_model_note_begin(sg_model *model);
void sg_model_note_step(sg_model *model);
void sg_model_note_step_to(sg_model *model, double t);
void sg_model_note_input(sg_model *model, size_t input, const double *values, size_t n);
void sg_model_note_look(sg_model *model);
