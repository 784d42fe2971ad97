// Diagnostics: what went wrong, where, in words an engineer can act on.
//
// The library never prints. It appends entries to a list; the caller renders or inspects them. A
// caller that does not listen hands over null instead of a list.
#pragma once

#include "segue/alloc.h"
#include "segue/export.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sg_severity { SG_ERROR, SG_WARNING, SG_NOTE } sg_severity;

// Stable codes, printed as E0203 (also for warnings and notes). The list is segue/diag_codes.h.
typedef enum sg_code {
#define SG_CODE(name, number, text) SG_##name = (number),
#include "segue/diag_codes.h"
#undef SG_CODE
} sg_code;

// A range of bytes in a source text; file 0 means "nowhere". `last` is one past the end.
typedef struct sg_span {
    uint32_t file, first, last;
} sg_span;

typedef struct sg_diag {
    sg_severity severity; // a note belongs to the entry before it
    sg_code code;
    sg_span span;
    double time;         // simulated time [s], NaN unless raised while simulating
    const char *message; // lives as long as the list
    bool names_time;     // the message says the time itself
} sg_diag;

// The list that calls append to. Errors, warnings and notes are in the order in which they came. An
// error or warning that the list has already is not kept again, and beyond 100 errors none are:
// whoever goes on after errors tells them and clears the list.
typedef struct sg_diags sg_diags;

SG_API sg_diags *sg_diags_create(const sg_allocator *allocator); // null when the allocator refuses
SG_API void sg_diags_destroy(sg_diags *diags);
// Takes all entries away; their messages go with them.
SG_API void sg_diags_clear(sg_diags *diags);
SG_API size_t sg_diags_count(const sg_diags *diags);
SG_API const sg_diag *sg_diags_get(const sg_diags *diags, size_t index);

#ifdef __cplusplus
}
#endif
