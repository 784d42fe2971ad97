// Writing JSON: just what summaries and messages need. Commas are put where they belong.
#pragma once

#include "base/buf.h"

#include <stdint.h>

typedef struct sg_summary_json {
    sg_buf *out;
    bool first; // no comma before the next item
} sg_summary_json;

void sg_summary_json_begin(sg_summary_json *json, const char *key,
                           char bracket); // key is null inside arrays
void sg_summary_json_end(sg_summary_json *json, char bracket);
void sg_summary_json_text(sg_summary_json *json, const char *key, const char *value);
void sg_summary_json_number(sg_summary_json *json, const char *key,
                            double value); // null for NaN and Inf
void sg_summary_json_count(sg_summary_json *json, const char *key, uint64_t value);
// The quoted text alone.
void sg_summary_json_quote(sg_buf *out, const char *text);
