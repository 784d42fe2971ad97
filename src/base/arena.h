// Arenas: memory belongs to a lifetime, not to an object.
//
// An arena hands out pieces of large blocks and frees them all at once. When the allocator refuses,
// the arena remembers (`failed`) and returns null from then on; a pass may therefore build with
// null checks only where it dereferences, and ask once at its end. Pieces are zeroed.
#pragma once

#include "segue/alloc.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sg_arena_block sg_arena_block;

typedef struct sg_arena {
    const sg_allocator *allocator;
    sg_arena_block *block; // the newest block; older ones are linked behind it
    size_t used;           // bytes used of the newest block
    size_t total;          // bytes asked from the allocator
    size_t first;          // bytes of the first block; 0 for the usual size
    bool failed;
} sg_arena;

typedef struct sg_arena_mark {
    sg_arena_block *block;
    size_t used;
} sg_arena_mark;

// What an allocator that was handed in stands for (segue/alloc.h).
const sg_allocator *sg_allocator_or_default(const sg_allocator *allocator);

void sg_arena_init(sg_arena *arena, const sg_allocator *allocator);
// One of many that hold little each.
void sg_arena_init_small(sg_arena *arena, const sg_allocator *allocator);
void sg_arena_destroy(sg_arena *arena);

// `align` is a power of two, at most 64. Null when the allocator refuses.
void *sg_arena_alloc(sg_arena *arena, size_t size, size_t align);
// The same for a buffer that is written before it is read: without zeros.
void *sg_arena_buffer(sg_arena *arena, size_t size, size_t align);

// Room for pieces of `bytes` in sum without another block. False when the allocator refuses, which
// is not remembered.
bool sg_arena_reserve(sg_arena *arena, size_t bytes);

// Was this handed out by the arena, and is it still there?
bool sg_arena_owns(const sg_arena *arena, const void *piece);

// Scratch use: take a mark, allocate, release. Released ranges are poisoned under ASan.
sg_arena_mark sg_arena_mark_get(const sg_arena *arena);
void sg_arena_release(sg_arena *arena, sg_arena_mark mark);

// All that was handed out so far: how many bytes, a copy of them in `to`, and that copy back to
// where it came from, which returns how many bytes it was. What was handed out behind the mark,
// which goes with the copy, stays as it is.
size_t sg_arena_extent(const sg_arena *arena);
void sg_arena_copy(const sg_arena *arena, void *to);
size_t sg_arena_put_back(sg_arena_mark mark, const void *from);

// Copies of text, terminated by NUL.
char *sg_arena_text(sg_arena *arena, const char *text, size_t length);
char *sg_arena_printf(sg_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define SG_NEW(arena, type) ((type *)sg_arena_alloc((arena), sizeof(type), _Alignof(type)))
// `n` elements; null on overflow of the size.
#define SG_NEW_ARRAY(arena, type, n)                                                               \
    ((type *)sg_arena_alloc_array((arena), (size_t)(n), sizeof(type), _Alignof(type)))
void *sg_arena_alloc_array(sg_arena *arena, size_t n, size_t size, size_t align);
