#include "base/arena.h"

#include "base/assert.h"
#include "base/sanitize.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct sg_arena_block {
    sg_arena_block *older;
    size_t size; // of the bytes behind this header
    size_t kept; // what was used when the next block was begun
    max_align_t align;
};

enum { HUGE_BLOCK = 4 * 1024 * 1024 };
#ifdef SG_TINY_BLOCKS // for tests of refused memory: an arena asks its allocator every time
enum { SMALL_BLOCK = 16, FIRST_BLOCK = 16, LARGEST_BLOCK = sizeof(struct sg_arena_block) + 16 };
#else
enum { SMALL_BLOCK = 720, FIRST_BLOCK = 16 * 1024, LARGEST_BLOCK = HUGE_BLOCK };
#endif

// A large block is likely to be used as a whole, and then the first touch of each of its small
// pages costs as much as the work on it. Huge pages are only a wish; without them nothing changes.
static void *allocate_large(size_t size)
{
    size_t page = 2 * 1024 * 1024, whole = (size + page - 1) & ~(page - 1);
    void *block = aligned_alloc(page, whole);
#if defined(MADV_HUGEPAGE)
    if (block)
        (void)madvise(block, whole, MADV_HUGEPAGE);
#endif
    return block;
}

static void *libc_resize(void *context, void *block, size_t old_size, size_t new_size)
{
    (void)context;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    if (!block && new_size >= HUGE_BLOCK && new_size < SIZE_MAX / 2)
        return allocate_large(new_size);
    return realloc(block, new_size);
}

const sg_allocator *sg_allocator_default(void)
{
    static const sg_allocator libc_allocator = {.resize = libc_resize};
    return &libc_allocator;
}

const sg_allocator *sg_allocator_or_default(const sg_allocator *allocator)
{
    return allocator && allocator->resize ? allocator : sg_allocator_default();
}

static char *bytes_of(sg_arena_block *block) { return (char *)(block + 1); }

void sg_arena_init(sg_arena *arena, const sg_allocator *allocator)
{
    *arena = (sg_arena){.allocator = allocator ? allocator : sg_allocator_default()};
}

void sg_arena_init_small(sg_arena *arena, const sg_allocator *allocator)
{
    sg_arena_init(arena, allocator);
    arena->first = SMALL_BLOCK;
}

static void free_block(sg_arena *arena, sg_arena_block *block)
{
    size_t whole = sizeof(sg_arena_block) + block->size;
    SG_UNPOISON(block, whole);
    arena->total -= whole;
    arena->allocator->resize(arena->allocator->context, block, whole, 0);
}

void sg_arena_destroy(sg_arena *arena)
{
    sg_arena_block *block = arena->block;
    while (block) {
        sg_arena_block *older = block->older;
        free_block(arena, block);
        block = older;
    }
    sg_arena_init(arena, arena->allocator);
}

static bool add_block(sg_arena *arena, size_t least)
{
    size_t size = arena->first ? arena->first : FIRST_BLOCK;
    if (arena->block) {
        size = arena->block->size * 2;
        if (size > LARGEST_BLOCK - sizeof(sg_arena_block))
            size = LARGEST_BLOCK - sizeof(sg_arena_block);
    }
    if (size < least)
        size = least;
    size_t whole = sizeof(sg_arena_block) + size;
    sg_arena_block *block = arena->allocator->resize(arena->allocator->context, NULL, 0, whole);
    if (!block) {
        arena->failed = true;
        return false;
    }
    if (arena->block)
        arena->block->kept = arena->used;
    *block = (sg_arena_block){.older = arena->block, .size = size};
    SG_POISON(bytes_of(block), size);
    arena->block = block;
    arena->used = 0;
    arena->total += whole;
    return true;
}

void *sg_arena_buffer(sg_arena *arena, size_t size, size_t align)
{
    if (arena->failed)
        return NULL;
    if (size > SIZE_MAX / 4) {
        arena->failed = true;
        return NULL;
    }
    for (int attempt = 0; attempt < 2; attempt++) {
        if (arena->block) {
            uintptr_t base = (uintptr_t)bytes_of(arena->block);
            uintptr_t start = (base + arena->used + align - 1) & ~(uintptr_t)(align - 1);
            size_t offset = (size_t)(start - base);
            if (offset <= arena->block->size && size <= arena->block->size - offset) {
                arena->used = offset + size;
                char *piece = bytes_of(arena->block) + offset;
                SG_UNPOISON(piece, size);
                return piece;
            }
        }
        if (!add_block(arena, size + align))
            return NULL;
    }
    return NULL;
}

void *sg_arena_alloc(sg_arena *arena, size_t size, size_t align)
{
    void *piece = sg_arena_buffer(arena, size, align);
    return piece ? memset(piece, 0, size) : NULL;
}

bool sg_arena_reserve(sg_arena *arena, size_t bytes)
{
    if (arena->failed || (arena->block && arena->block->size - arena->used >= bytes))
        return !arena->failed;
    bool there = add_block(arena, bytes);
    arena->failed = false;
    return there;
}

void *sg_arena_alloc_array(sg_arena *arena, size_t n, size_t size, size_t align)
{
    if (size && n > SIZE_MAX / 4 / size) {
        arena->failed = true;
        return NULL;
    }
    return sg_arena_alloc(arena, n * size, align);
}

bool sg_arena_owns(const sg_arena *arena, const void *piece)
{
    uintptr_t at = (uintptr_t)piece;
    for (const sg_arena_block *b = arena->block; b; b = b->older) {
        uintptr_t first = (uintptr_t)(b + 1);
        if (at >= first && at < first + b->size)
            return true;
    }
    return false;
}

size_t sg_arena_extent(const sg_arena *arena)
{
    size_t n = arena->used;
    for (const sg_arena_block *b = arena->block ? arena->block->older : NULL; b; b = b->older)
        n += b->kept;
    return n;
}

// Between pieces there may be gaps, which go along.
static char *used_bytes(sg_arena_block *block, size_t n)
{
    SG_UNPOISON(bytes_of(block), n);
    return bytes_of(block);
}

void sg_arena_copy(const sg_arena *arena, void *to)
{
    char *at = to;
    size_t n = arena->used;
    for (sg_arena_block *b = arena->block; b; b = b->older, n = b ? b->kept : 0) {
        memcpy(at, used_bytes(b, n), n);
        at += n;
    }
}

size_t sg_arena_put_back(sg_arena_mark mark, const void *from)
{
    const char *at = from;
    size_t n = mark.used;
    for (sg_arena_block *b = mark.block; b; b = b->older, n = b ? b->kept : 0) {
        memcpy(used_bytes(b, n), at, n);
        at += n;
    }
    return (size_t)(at - (const char *)from);
}

sg_arena_mark sg_arena_mark_get(const sg_arena *arena)
{
    return (sg_arena_mark){arena->block, arena->used};
}

void sg_arena_release(sg_arena *arena, sg_arena_mark mark)
{
    size_t used = arena->used; // what is behind that is poisoned already
    while (arena->block != mark.block) {
        sg_arena_block *older = arena->block->older;
        free_block(arena, arena->block);
        arena->block = older;
        used = older ? older->kept : 0;
    }
    arena->used = mark.used;
    if (arena->block && used > mark.used)
        SG_POISON(bytes_of(arena->block) + mark.used, used - mark.used);
}

char *sg_arena_text(sg_arena *arena, const char *text, size_t length)
{
    char *copy = sg_arena_alloc(arena, length + 1, 1);
    if (copy && length)
        memcpy(copy, text, length);
    return copy;
}

char *sg_arena_printf(sg_arena *arena, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (length < 0)
        return NULL;
    char *text = sg_arena_alloc(arena, (size_t)length + 1, 1);
    if (text) {
        va_start(list, format);
        vsnprintf(text, (size_t)length + 1, format, list);
        va_end(list);
    }
    return text;
}
