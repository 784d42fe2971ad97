// Interned names. Two symbols are equal when their ids are; ids count up in the order of first
// use, so anything sorted by id is the same in every run.
#pragma once

#include "base/arena.h"

typedef struct sg_sym {
    uint32_t i; // 0 is null
} sg_sym;

typedef struct sg_symbols sg_symbols;

// Null when the allocator refuses.
sg_symbols *sg_symbols_create(const sg_allocator *allocator);
void sg_symbols_destroy(sg_symbols *symbols);

// The null symbol only when the allocator refuses.
sg_sym sg_sym_intern(sg_symbols *symbols, const char *text, size_t length);
sg_sym sg_sym_intern_text(sg_symbols *symbols, const char *text);
// Null symbol if the name was never interned.
sg_sym sg_sym_find(const sg_symbols *symbols, const char *text, size_t length);
const char *sg_sym_text(const sg_symbols *symbols, sg_sym symbol); // "" for null
size_t sg_sym_length(const sg_symbols *symbols, sg_sym symbol);
size_t sg_symbols_count(const sg_symbols *symbols);

static inline bool sg_sym_equal(sg_sym a, sg_sym b) { return a.i == b.i; }

// FNV-1a; the one hash of text in Segue.
uint64_t sg_hash_bytes(const void *bytes, size_t length);
// Spreads the bits of an integer key.
static inline uint64_t sg_hash_u64(uint64_t x)
{
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdULL;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53ULL;
    return x ^ (x >> 33);
}
