// The byte form of schemas, parameters, attributes and events in the run file (docs/formats.md).
//
// Numbers are little-endian, text is its length and its bytes without NUL. Every list element is
// preceded by its length, so that a later version may append fields and an older reader skips them.
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "segue/signal.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the result formats are little-endian and written from memory as it is"
#endif

// More than this in one segment is a mistake somewhere, and its index arithmetic fits 32 bits.
enum { SG_MAX_COLUMNS = 1 << 28 };

typedef struct sg_schema {
    sg_signal *signals;
    uint32_t n_signals;
    uint32_t n_columns; // without time
} sg_schema;

// Gives columns to the variables in order and resolves aliases, also chains of them. False when an
// alias has no target, a target of another size or itself, or a size does not fit;
// `*bad` is then the offender, or null when memory ran out.
bool sg_schema_layout(sg_schema *schema, const sg_allocator *allocator, const char **bad);

// Without start values: what two schemas must share to be the same one.
void sg_encode_schema(sg_buf *out, const sg_schema *schema, bool with_starts);
void sg_encode_parameters(sg_buf *out, const sg_parameter *parameters, size_t n);
void sg_encode_attributes(sg_buf *out, const sg_attribute *attributes, size_t n);

// A position in bytes that came from a file. Reading past the end gives zeros and sets `failed`.
typedef struct sg_reader {
    const unsigned char *at, *end;
    bool failed;
} sg_reader;

uint32_t sg_read_u32(sg_reader *reader);
uint64_t sg_read_u64(sg_reader *reader);
double sg_read_f64(sg_reader *reader);
const char *sg_read_text(sg_reader *reader, sg_arena *arena); // "" on failure

void sg_put_u32(sg_buf *out, uint32_t x);
void sg_put_u64(sg_buf *out, uint64_t x);
void sg_put_f64(sg_buf *out, double x);
void sg_put_text(sg_buf *out, const char *text);

// All decoded memory is in the arena. False when the bytes do not make sense.
bool sg_decode_schema(sg_reader *reader, sg_arena *arena, sg_schema *schema);
bool sg_decode_parameters(sg_reader *reader, sg_arena *arena, sg_parameter **out, uint32_t *n);
bool sg_decode_attributes(sg_reader *reader, sg_arena *arena, sg_attribute **out, uint32_t *n);
