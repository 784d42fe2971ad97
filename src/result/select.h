// From what a user writes to the columns that are meant: `phi`, `body.r[2]`, `r[2:3]`, `R[1,2]`,
// `R[:,1]`. A signal whose name really has such brackets wins over its reading as an index.
#pragma once

#include "result/result.h"

typedef struct sg_selection {
    int32_t signal; // SG_TIME for "time", or -2 when it is a parameter
    const sg_parameter *parameter;
    const char *unit;
    uint32_t *elements; // from 0
    uint32_t n;
} sg_selection;

enum { SG_SELECT_PARAMETER = -2 };

// The name by which an element of an array of components is stored: cap_2.T for cap[2].T. The name
// itself where nothing has to change.
const char *sg_stored_name(sg_arena *arena, const char *name);

// SG_ERR_USAGE when there is no such signal or element; the diagnostic has the given severity and
// says what was perhaps meant.
sg_status sg_select(const sg_result *result, const char *text, sg_arena *arena,
                    sg_severity severity, sg_diags *diags, sg_selection *out);
// The name of one selected element, as sg_element_name gives it.
void sg_selection_name(const sg_result *result, const sg_selection *selection, uint32_t index,
                       char *out, size_t size);
