// A study from the inside.
#pragma once

#include "base/buf.h"
#include "base/vec.h"
#include "segue/study.h"
#include "study/metric.h"
#include "study/plan.h"

// A name in a metric: of a signal, or of a parameter, which has one value in a run. Start values
// are varied by the name of their signal, so a name that is varied may be either.
typedef struct sg_study_name {
    const char *name;
    bool is_parameter;
    double value;
} sg_study_name;

struct sg_study {
    const sg_allocator *allocator;
    sg_arena arena;
    sg_plan plan;
    sg_metric *metrics;
    size_t n_metrics;
    const char *header;
    double *values;              // of the run at work
    double *found;               // its metrics
    SG_VEC(sg_study_name) names; // in metrics
    bool sorted_out;             // what they are of
    sg_buf signals;              // that the metrics need, as globs
    sg_arena scratch;
    sg_buf line, message;
};

// A field of CSV, in quotes where it has to be; control characters become spaces.
void sg_study_put_field(sg_buf *to, const char *text);
