// Counts every call of malloc of a test program, also those inside of SUNDIALS and KLU.
//
// glibc lets a program bring its own malloc; ours counts and passes on. Not under the sanitizers,
// which bring theirs. To be included in one file of a program.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define COUNTS_MALLOC 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define COUNTS_MALLOC 0
#endif
#endif
#ifndef COUNTS_MALLOC
#ifdef __GLIBC__
#define COUNTS_MALLOC 1
#else
#define COUNTS_MALLOC 0
#endif
#endif

// Calls, and bytes that were asked for; of a block that grows, by how much. Not everybody reads
// both.
__attribute__((unused)) static uint64_t n_mallocs;
__attribute__((unused)) static uint64_t n_malloc_bytes;
#if COUNTS_MALLOC
#include <malloc.h>
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t align, size_t size);

static void count_malloc(size_t bytes)
{
    n_mallocs++;
    n_malloc_bytes += bytes;
}

void *malloc(size_t size)
{
    count_malloc(size);
    return __libc_malloc(size);
}
void *calloc(size_t n, size_t size)
{
    count_malloc(n * size);
    return __libc_calloc(n, size);
}
void *realloc(void *block, size_t size)
{
    size_t old = block ? malloc_usable_size(block) : 0;
    count_malloc(size > old ? size - old : 0);
    return __libc_realloc(block, size);
}
void *aligned_alloc(size_t align, size_t size)
{
    count_malloc(size);
    return __libc_memalign(align, size);
}
#endif
