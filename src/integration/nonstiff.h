// A default that notices a model that is not stiff.
//
// Where nobody named a method, CVODE_BDF runs, which is safe for stiff models and others. Of a
// large model it has to solve large linear systems, in vain if nothing in it is fast beside the
// steps. So now and then the fastest rate of the model is measured, by the power method on
// differences of derivatives: while it is small beside one over the length of the steps, stability
// does not bound them, and CVODE_Adams goes on, which takes steps of about the same length and
// solves nothing. Where the rate times the steps comes near to what its iteration bears, BDF
// returns, and the next look at whether it is needed takes longer to come. Steps are counted, no
// seconds, so the same run is the same run, wherever results are stored.
//
// Small models keep BDF: their linear systems cost nothing. So do those with contacts, constraints,
// delays and whatever slides, of which derivatives at one place say little.
#pragma once

#include "segue/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sg_integration;

typedef struct sg_nonstiff {
    bool on;        // Adams goes on
    bool told;      // ... which was said, in any segment
    uint32_t steps; // since the last look, which was at `since` [s]
    uint32_t wait;  // ... when the next one comes
    uint32_t back;  // ... after the next return to BDF, a quarter of it
    double since;
    double *work; // twice as many numbers as states; null where no one looks
} sg_nonstiff;

// As in formulation.h: where a segment begins, before and after each step, and after one that Adams
// could not take, which BDF may.
void sg_nonstiff_segment(struct sg_integration *g, size_t room);
void sg_nonstiff_keep(struct sg_integration *g);
sg_status sg_nonstiff_look(struct sg_integration *g);
bool sg_nonstiff_retry(struct sg_integration *g);
