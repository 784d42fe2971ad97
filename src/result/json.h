// JSON for results: a reader that keeps long arrays of numbers as numbers, and the strings of the
// writers.
//
// A tree with one node a number takes ten times the memory of the numbers. Here an array of
// numbers, nulls and booleans is one node with an array of doubles; null is a missing value.
#pragma once

#include "base/arena.h"
#include "base/buf.h"

#include <stdint.h>

typedef enum sg_json_type {
    SG_JSON_NULL,
    SG_JSON_BOOL,
    SG_JSON_NUMBER,
    SG_JSON_STRING,
    SG_JSON_ARRAY,  // of anything
    SG_JSON_VECTOR, // of numbers, booleans and nulls; not empty
    SG_JSON_OBJECT
} sg_json_type;

typedef struct sg_json {
    sg_json_type type;
    const char *key;              // in an object, else null
    const char *string;           // SG_JSON_STRING
    double number;                // SG_JSON_NUMBER, SG_JSON_BOOL
    double *numbers;              // SG_JSON_VECTOR, `n` of them
    size_t n;                     // elements or members
    bool all_bool, all_whole;     // of a vector: only true and false; no point and no exponent
    bool whole;                   // of a number
    struct sg_json *first, *next; // members in order; the next sibling
} sg_json;

// Reads a whole text. Null when it is not JSON, then `*at` is the offending byte and `*why` says
// what was expected; `*why` is null when memory ran out.
sg_json *sg_json_parse(const char *text, size_t length, sg_arena *arena, size_t *at,
                       const char **why);
const sg_json *sg_json_member(const sg_json *object, const char *key); // null if absent
const char *sg_json_text(const sg_json *object, const char *key);      // "" if absent
double sg_json_number(const sg_json *object, const char *key, double otherwise);

// A string with its quotes.
void sg_json_put_string(sg_buf *out, const char *text);
void sg_json_put_bytes(sg_buf *out, const char *text, size_t length); // of a part of a text
// The same where the text may well be printed: what a terminal would obey is escaped, too, and
// bytes that are no text become U+FFFD.
void sg_json_put_harmless(sg_buf *out, const char *text);
// A number; `null` if it is not finite. `real` numbers always have a point or an exponent.
void sg_json_put_number(sg_buf *out, double x, bool real);

// Members of an object that is being written, with a comma in front where one belongs. Elements of
// an array have no key, null.
void sg_json_put_key(sg_buf *out, const char *key);
void sg_json_open(sg_buf *out, const char *key, char bracket); // the closing one is put as it is
void sg_json_put_harmless_member(sg_buf *out, const char *key, const char *text);
void sg_json_put_count_member(sg_buf *out, const char *key, uint64_t n);
void sg_json_put_text_member(sg_buf *out, const char *key, const char *text); // null is ""
void sg_json_put_number_member(sg_buf *out, const char *key, double x);
void sg_json_put_flag_member(sg_buf *out, const char *key, bool flag);
void sg_json_put_numbers_member(sg_buf *out, const char *key, const double *x, size_t n);
