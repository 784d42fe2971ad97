// Archives of files (zip), as far as the FMI standard uses them: stored or deflated entries, no
// encryption, no parts, less than 4 GB.
//
// A writer gives an archive its name when it is complete (result/outfile.h). Entries have no date,
// so that the same files make the same bytes. A reader works on bytes in memory and believes
// nothing: offsets and sizes are checked before they are used, and so is the sum of each entry.
//
// Ref: APPNOTE.TXT 6.3 (PKWARE), sections 4.3 and 4.4; the compression itself is zlib's.
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/diags.h"
#include "result/outfile.h"

typedef struct sg_zip_writer {
    const sg_allocator *allocator;
    sg_outfile file;
    sg_buf directory; // what comes at the end
    uint32_t n;
    sg_status failed; // the first thing that went wrong
} sg_zip_writer;

// On failure there is a diagnostic and nothing to close.
sg_status sg_zip_create(sg_zip_writer *zip, const char *path, const sg_allocator *allocator,
                        sg_diags *diags);
// `name` has slashes between folders. `program` marks what a system may execute. Errors are kept.
void sg_zip_add(sg_zip_writer *zip, const char *name, const void *bytes, size_t length,
                bool program);
// Writes the end and gives the file its name; on failure nothing is left.
sg_status sg_zip_commit(sg_zip_writer *zip, sg_diags *diags);
void sg_zip_abandon(sg_zip_writer *zip);

typedef struct sg_zip_entry {
    const char *name; // in the arena
    size_t length;    // of its contents
    bool folder;
    const unsigned char *at; // of the packed bytes
    size_t packed;
    uint32_t sum;
    bool deflated;
} sg_zip_entry;

// Lists the entries of an archive; `message` says what is wrong with it. Names that lead out of the
// folder they are unpacked to are refused.
sg_status sg_zip_list(const void *bytes, size_t length, sg_arena *arena, sg_zip_entry **entries,
                      size_t *n, const char **message);
// The contents, `entry->length` bytes, in the arena. SG_ERR_INPUT if they are damaged.
sg_status sg_zip_read(const sg_zip_entry *entry, sg_arena *arena, const void **bytes);

// The sum that zip and PNG files have (CRC-32).
uint32_t sg_zip_sum(const void *bytes, size_t length, uint32_t before);
// Deflated bytes with the header and sum of zlib (as in PNG), or without (as in zip), behind `out`.
sg_status sg_zip_deflate(sg_buf *out, const void *bytes, size_t length, bool raw);
