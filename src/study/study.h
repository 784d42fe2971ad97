// A study from the inside.
#pragma once

#include "base/buf.h"
#include "segue/study.h"
#include "study/metric.h"
#include "study/plan.h"

struct sg_study {
    const sg_allocator *allocator;
    sg_arena arena;
    sg_plan plan;
    sg_metric *metrics;
    size_t n_metrics;
    const char *header;
    double *values; // of the run at work
    double *found;  // its metrics
    sg_buf signals; // that the metrics need, as globs
    bool needs_all; // signals: a function of the text may ask for any
    sg_arena scratch;
    sg_buf line, message;
};

// A field of CSV, in quotes where it has to be; control characters become spaces.
void sg_study_put_field(sg_buf *to, const char *text);
