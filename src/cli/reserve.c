// The last megabytes: what is kept back for the day that memory runs out.
//
// Some of the libraries below do not survive a small block that cannot be had: SUNDIALS writes into
// it, and the C library of some systems prints less. So the linker leads the calls of malloc and
// its family here (CMake: --wrap). As long as there is memory they only pass on. The first refusal
// of a small block is served from the reserve instead, and the session is asked to stop: it does so
// with its usual message, and nobody has seen a null pointer. Large blocks are refused as ever; who
// asks for those looks at what he gets.
//
// The calls are counted on the way: the log of a run says how much was allocated between its
// events, by whomever, and this is where all of it comes by.
#include "reserve.h"

#include "watch.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 4 << 20, SMALL = 64 << 10, ALIGN = 16 };

static struct reserve {
    _Alignas(ALIGN) char bytes[ROOM];
    atomic_size_t used;
} reserve;

// The linker's names. NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t align, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);
void __wrap_free(void *block);
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

static _Thread_local uint64_t asked; // [bytes] of this thread

const uint64_t *cli_asked_of_malloc(void) { return &asked; }

static bool is_ours(const void *block)
{
    uintptr_t at = (uintptr_t)block, first = (uintptr_t)reserve.bytes;
    return at >= first && at < first + ROOM;
}

// In front of each block stands its size. Nothing is given back: the end is near.
static void *take(size_t size)
{
    cli_watch_out_of_memory();
    size_t whole = (size + ALIGN - 1) / ALIGN * ALIGN + ALIGN;
    if (size > SMALL)
        return NULL;
    size_t at = atomic_fetch_add(&reserve.used, whole);
    if (at + whole > ROOM)
        return NULL;
    char *block = reserve.bytes + at + ALIGN;
    memcpy(block - ALIGN, &size, sizeof size);
    return block;
}

static size_t size_of(const void *block)
{
    size_t size;
    memcpy(&size, (const char *)block - ALIGN, sizeof size);
    return size;
}

void *__wrap_malloc(size_t size)
{
    asked += size;
    void *block = __real_malloc(size);
    return block ? block : take(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    asked += n * size;
    void *block = __real_calloc(n, size);
    if (block || (size && n > SIZE_MAX / size))
        return block;
    block = take(n * size);
    return block ? memset(block, 0, n * size) : NULL;
}

void *__wrap_aligned_alloc(size_t align, size_t size)
{
    asked += size;
    return __real_aligned_alloc(align, size); // large blocks only
}

void __wrap_free(void *block)
{
    if (!is_ours(block))
        __real_free(block);
}

void *__wrap_realloc(void *block, size_t size)
{
    size_t old = !block ? 0 : is_ours(block) ? size_of(block) : malloc_usable_size(block);
    asked += size > old ? size - old : 0; // of a block that grows, by how much
    void *moved = is_ours(block) ? NULL : __real_realloc(block, size);
    if (moved || size == 0)
        return moved;
    moved = take(size);
    if (moved && old)
        memcpy(moved, block, old < size ? old : size);
    if (moved)
        __wrap_free(block);
    return moved;
}
