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

// Who makes the runs of a study: the model behind a handle, or one of a script.
typedef struct sg_study_host {
    void *context;
    size_t first_message; // of the list of messages that is of this run
    // Signals may come and go, so that one which is not there in a run is a row and no mistake.
    bool may_change;
    bool (*is_parameter)(void *context, const char *name);
    sg_status (*get)(void *context, const char *parameter, double *value);
    // For the next run. SG_ERR_USAGE, with a message: there is no such name, in any run.
    sg_status (*set)(void *context, const char *name, double value);
    // `signals` are globs of what is stored, null for all.
    sg_status (*run)(void *context, const char *signals, uint64_t seed,
                     const sg_study_run_options *options, sg_result **out);
    // Metrics that are functions of the script. SG_ERR_CHECK, with a message, if one has no number.
    bool (*has_function)(void *context, size_t metric, const char *name);
    sg_status (*call)(void *context, size_t metric, const char *name, sg_result *result,
                      double *value);
} sg_study_host;

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
    bool asks_functions;         // some metric is a function of the script
    sg_buf signals;              // that the metrics need, as globs
    sg_arena scratch;
    sg_buf line, message;
    const char *word, *told; // status and message of the last row
};

// A field of CSV, in quotes where it has to be; control characters become spaces.
void sg_study_put_field(sg_buf *to, const char *text);

// A run of a study whose options were read; its values and metrics are in `values` and `found`
// afterwards. As sg_study_run.
sg_status sg_study_run_by(sg_study *study, const sg_study_host *host, sg_diags *diags, uint64_t run,
                          const sg_study_run_options *options, sg_study_row *row);
