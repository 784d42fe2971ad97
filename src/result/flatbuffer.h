// The part of FlatBuffers that Arrow's metadata needs: a builder and a careful reader.
//
// A FlatBuffer is built from its end: children before parents, so that every reference points
// forward. Positions are counted from the end while building. The reader trusts nothing: every
// position from the file is checked against the bytes that are there, and anything odd reads as
// absent.
#pragma once

#include "segue/alloc.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SG_FB_SLOTS = 8 };

typedef struct sg_fb {
    const sg_allocator *allocator;
    unsigned char *bytes; // used from the end
    size_t cap, used;
    bool failed;
    size_t slots[SG_FB_SLOTS], table_start; // of the table being built
    int n_slots;
} sg_fb;

typedef uint32_t sg_fb_ref; // a finished child; 0 is none

void sg_fb_init(sg_fb *fb, const sg_allocator *allocator);
void sg_fb_free(sg_fb *fb);
void sg_fb_clear(sg_fb *fb);

sg_fb_ref sg_fb_string(sg_fb *fb, const char *text, size_t length);
sg_fb_ref sg_fb_refs(sg_fb *fb, const sg_fb_ref *refs, size_t n);
// A vector of structs that consist of 64-bit words, `words` of them each.
sg_fb_ref sg_fb_words(sg_fb *fb, const int64_t *values, size_t n, size_t words);

void sg_fb_table_begin(sg_fb *fb, int n_slots);
void sg_fb_add_u8(sg_fb *fb, int slot, uint8_t x);
void sg_fb_add_i16(sg_fb *fb, int slot, int16_t x);
void sg_fb_add_i32(sg_fb *fb, int slot, int32_t x);
void sg_fb_add_i64(sg_fb *fb, int slot, int64_t x);
void sg_fb_add_ref(sg_fb *fb, int slot, sg_fb_ref ref);
sg_fb_ref sg_fb_table_end(sg_fb *fb);

// The finished bytes, a multiple of 8 of them; null when memory ran out.
const unsigned char *sg_fb_finish(sg_fb *fb, sg_fb_ref root, size_t *length);

typedef struct sg_fb_view {
    const unsigned char *bytes;
    size_t length;
} sg_fb_view;

// Positions of tables; 0 is absent.
size_t sg_fb_root(sg_fb_view view);
size_t sg_fb_child(sg_fb_view view, size_t table, int slot); // a table or union member
int64_t sg_fb_int(sg_fb_view view, size_t table, int slot, int bytes, int64_t otherwise);
const char *sg_fb_text(sg_fb_view view, size_t table, int slot, size_t *length); // not terminated
// A vector's first element and count; 0 elements when absent.
size_t sg_fb_vector(sg_fb_view view, size_t table, int slot, size_t element, size_t *first);
size_t sg_fb_element(sg_fb_view view, size_t first, size_t i); // table i of a vector of tables
int64_t sg_fb_word(sg_fb_view view, size_t position);
