// Source texts and the way from a byte to file:line:column.
//
// Everything that can be wrong in a model is blamed on a span. Spans are twelve bytes and hold a
// file number; the table here turns it back into a name and a line when a message is printed.
#pragma once

#include "base/arena.h"
#include "segue/diag.h"
#include "segue/status.h"

#include <stdatomic.h>
#include <stdbool.h>

typedef struct sg_source {
    const char *name;      // as the user wrote it, for messages
    const char *text;      // `length` bytes and a NUL behind them
    uint32_t length;       // texts of 4 GiB and more are refused
    uint32_t *line_starts; // made when first asked for
    uint32_t n_lines;
    bool library;       // it comes with the program
    uint32_t from_file; // the file whose include() brought this one in, or 0
    sg_span from;       // the include call
    uint32_t number;
    const struct sg_source *older; // the one added before
} sg_source;

typedef struct sg_sources {
    sg_arena arena;
    sg_source **files; // files[i - 1] has number i
    size_t len, cap;
    _Atomic(const sg_source *) newest; // for other threads, while `files` moves
} sg_sources;

void sg_sources_init(sg_sources *sources, const sg_allocator *allocator);
void sg_sources_destroy(sg_sources *sources);

// Copies name and text. Returns the file number, or 0 when memory ran out or the text is too long.
uint32_t sg_sources_add(sg_sources *sources, const char *name, const char *text, size_t length);
sg_source *sg_sources_get(const sg_sources *sources, uint32_t file); // null for 0 or unknown

// The same from another thread than the one that adds. It may read name, text and length.
const sg_source *sg_sources_find(const sg_sources *sources, uint32_t file);

// Files that come with the program have names that begin so. A mistake found in one of them is most
// often made by who uses it.
#define SG_LIBRARY_PREFIX "segue://"
bool sg_source_is_library(const sg_sources *sources, uint32_t file);

// Reads a whole regular file; SG_ERR_IO with errno set when it cannot (EISDIR for a folder, EINVAL
// for a pipe or a device).
sg_status sg_read_file(const sg_allocator *allocator, const char *path, char **text,
                       size_t *length);
// The same for a file that is open; closes it.
sg_status sg_read_open(const sg_allocator *allocator, int fd, char **text, size_t *length);

typedef struct sg_position {
    uint32_t line, column; // from 1; columns count characters, not bytes
} sg_position;

// Takes memory for a table of the lines, once a file; without it, the lines are counted.
sg_position sg_source_position(const sg_sources *sources, uint32_t file, uint32_t offset);
// The same for a text, by counting.
sg_position sg_source_count_lines(const sg_source *source, uint32_t offset);
// The text of a line (from 1) without its newline.
const char *sg_source_line(const sg_sources *sources, uint32_t file, uint32_t line,
                           uint32_t *length);

static inline sg_span sg_span_join(sg_span a, sg_span b)
{
    if (!a.file || a.file != b.file)
        return a.file ? a : b;
    return (sg_span){a.file, a.first < b.first ? a.first : b.first,
                     a.last > b.last ? a.last : b.last};
}
