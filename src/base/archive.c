#include "base/archive.h"

#include <string.h>

sg_archive sg_archive_to(sg_buf *out) { return (sg_archive){.out = out}; }

sg_archive sg_archive_from(const void *bytes, size_t n)
{
    return (sg_archive){.at = bytes, .end = (const unsigned char *)bytes + n};
}

static void move(sg_archive *a, void *data, size_t n)
{
    if (a->failed || !n)
        return;
    if (a->out) {
        sg_buf_add(a->out, data, n);
        a->failed = a->out->failed;
        return;
    }
    if (n > (size_t)(a->end - a->at)) {
        a->failed = true;
        return;
    }
    memcpy(data, a->at, n);
    a->at += n;
}

static uint64_t move_number(sg_archive *a, uint64_t n)
{
    move(a, &n, sizeof n);
    return a->failed ? 0 : n;
}

void sg_archive_bytes(sg_archive *a, void *data, size_t n)
{
    if (move_number(a, n) != n)
        a->failed = true;
    move(a, data, n);
}

size_t sg_archive_count(sg_archive *a, size_t n, size_t size)
{
    uint64_t count = move_number(a, n);
    if (sg_archive_reads(a) && count > (uint64_t)(a->end - a->at) / (size ? size : 1))
        a->failed = true;
    return a->failed ? 0 : (size_t)count;
}

void sg_archive_section(sg_archive *a, const char *name)
{
    uint64_t hash = 0xcbf29ce484222325ULL; // FNV-1a
    for (const char *c = name; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3ULL;
    if (move_number(a, hash) != hash)
        a->failed = true;
}
