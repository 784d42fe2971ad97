// What is asked of a run: an expression over its signals that comes to one number.
//
// A metric is read once, into a tree. Its leaves are numbers and signals, which are curves over the
// points that a run has stored; functions work on curves point by point, and a few of them (max,
// last, integral) make one number of a curve. Values that a signal does not have, since it is not
// there in some segment, are passed over.
#pragma once

#include "base/arena.h"
#include "result/result.h"

typedef struct sg_metric_node sg_metric_node;

typedef struct sg_metric {
    const char *name, *text; // `text` is the expression
    const sg_metric_node *root;
    bool by_function; // `text` names a function of the script, which is asked instead
} sg_metric;

// "NAME=EXPRESSION" or an expression. SG_ERR_USAGE with a message.
sg_status sg_metric_read(sg_arena *arena, const char *text, sg_diags *diags, sg_metric *out);

// Calls for each signal that is named, without its index.
void sg_metric_signals(const sg_metric *metric, void (*tell)(void *context, const char *name),
                       void *context);

// The name that is all of the expression; null if it is more than that.
const char *sg_metric_bare(const sg_metric *metric);

// Values that signals do not have but the study: those that are varied. NaN: not one of them.
typedef double sg_metric_lookup(void *context, const char *name, bool *found);

// SG_ERR_USAGE with a message for a signal that is not there or a metric that is a curve. NaN where
// there is nothing to tell, such as the time of what did not happen.
sg_status sg_metric_evaluate(const sg_metric *metric, const sg_result *result, sg_arena *scratch,
                             sg_metric_lookup *lookup, void *context, sg_diags *diags, double *out);
