// A state on its way to bytes, or back: one function for both directions.
//
// Whoever has something that changes while a model runs hands each of its numbers to an archive;
// that either appends them or overwrites them with what was appended before. So what is saved and
// what is restored cannot differ, and an owner says it once. Bytes are those of this program on
// this machine: structs without pointers go in as they are, with their size. Like an arena it
// remembers what went wrong, so that an owner goes on and whoever began asks once at the end.
//
// A reader may trust counts, which are checked here against what is left, and nothing else.
#pragma once

#include "base/buf.h"

#include <stdint.h>
#include <string.h>

typedef struct sg_archive {
    sg_buf *out;                   // null: it is read
    const unsigned char *at, *end; // what is left to be read
    bool failed;                   // damaged, or another model's; or memory ran out
    const char *refused;           // of one that is written: who cannot be saved, and why
} sg_archive;

static inline bool sg_archive_reads(const sg_archive *a) { return !a->out; }

// Where one begins to be written, or read from `n` bytes.
sg_archive sg_archive_to(sg_buf *out);
sg_archive sg_archive_from(const void *bytes, size_t n);

// `n` bytes, behind their number, which must be the same when they are read; else they are left as
// they are.
void sg_archive_bytes(sg_archive *a, void *data, size_t n);
#define SG_ARCHIVE(a, lvalue) sg_archive_bytes((a), &(lvalue), sizeof(lvalue))
#define SG_ARCHIVE_ARRAY(a, data, n) sg_archive_bytes((a), (data), (size_t)(n) * sizeof *(data))

// Bytes between two fields of a struct, or behind its last one, that belong to no field. They are
// made zero before it is written, so that equal states are equal bytes.
#define SG_CLEAR_HOLE(p, field, next) sg_archive_clear(&(p)->field, sizeof(p)->field, &(p)->next)
#define SG_CLEAR_TAIL(p, field) sg_archive_clear(&(p)->field, sizeof(p)->field, (p) + 1)
static inline void sg_archive_clear(void *field, size_t size, const void *next)
{
    char *from = (char *)field + size;
    memset(from, 0, (size_t)((const char *)next - from));
}

// A number of elements that is not known beforehand, each of at least `size` bytes; 0 after a
// failure.
size_t sg_archive_count(sg_archive *a, size_t n, size_t size);
// Where an owner begins: reading fails if another one was there.
void sg_archive_section(sg_archive *a, const char *name);
