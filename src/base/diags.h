// The list of diagnostics that every stage appends to, and its rendering for people.
#pragma once

#include "base/buf.h"
#include "base/source.h"
#include "segue/diag.h"
#include "segue/status.h"

typedef struct sg_diags {
    sg_arena arena; // holds the messages
    sg_diag *list;
    size_t len, cap;
    size_t n_errors, n_warnings;
    size_t max_errors;   // further errors are counted, not kept; default 100
    bool is_owned;       // made by sg_diags_create: the struct goes with what it holds
    bool muted;          // the last error or warning was not kept
    char last_word[112]; // of a lack of memory that could not be kept otherwise
} sg_diags;

void sg_diags_init(sg_diags *diags, const sg_allocator *allocator);

// Appends one entry. An error or warning that repeats the code, span and text of an earlier one is
// counted but not kept, nor are its notes: one mistake is reported once. To a null list nothing is
// said: callers of public functions need not listen.
void sg_diags_add(sg_diags *diags, sg_severity severity, sg_code code, sg_span span,
                  const char *format, ...) __attribute__((format(printf, 5, 6)));
// At a simulated time, which is told behind the message.
void sg_diags_add_at(sg_diags *diags, sg_severity severity, sg_code code, sg_span span, double time,
                     const char *message);
// Any entry; its message is copied.
void sg_diags_put(sg_diags *diags, sg_diag diag);
// So many more entries, of 500 characters each, then need no memory. What cannot be had is missed
// when they come.
void sg_diags_reserve(sg_diags *diags, size_t n);
// Takes the entries from `first` on away when no error among them is new. False otherwise. For
// errors that got their places later.
bool sg_diags_drop_repeated(sg_diags *diags, size_t first);
// Takes the entries from `first` on away, and out of the counts: they were consequences.
void sg_diags_cut(sg_diags *diags, size_t first);
#define sg_error(diags, code, span, ...)                                                           \
    sg_diags_add((diags), SG_ERROR, (code), (span), __VA_ARGS__)
#define sg_warning(diags, code, span, ...)                                                         \
    sg_diags_add((diags), SG_WARNING, (code), (span), __VA_ARGS__)
#define sg_note(diags, span, ...) sg_diags_add((diags), SG_NOTE, SG_E_NONE, (span), __VA_ARGS__)

// For public functions whose arguments cannot be: says so and returns SG_ERR_USAGE.
sg_status sg_misuse(sg_diags *diags, const char *text);

// file:line:column: error[E0203]: text, the line, the range underlined, and where it was included.
void sg_diag_render(const sg_diag *diag, const sg_sources *sources, sg_buf *out);

// "did you mean": the best of `n` candidates for a misspelt name, or null if none is near. Case
// and single transpositions count little; the first of equally good ones wins.
const char *sg_closest_name(const char *name, const char *const *candidates, size_t n);
