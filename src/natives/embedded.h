// Files that travel inside the program: the model library, later the page.
//
// A single binary that runs anywhere cannot look for its library beside itself. The build turns
// the files below library/ into one table of bytes (cmake/embed.cmake); this is how to read it.
#pragma once

#include <stddef.h>

typedef struct sg_embedded {
    const char *name;           // relative to the project with '/', e.g. "library/Electric.jl"
    const unsigned char *bytes; // `length` bytes and a zero behind them
    size_t length;
} sg_embedded;

// In the order of their names, byte by byte.
extern const sg_embedded sg_embedded_files[];
extern const size_t sg_embedded_count;

// Null when there is no such file.
const sg_embedded *sg_embedded_find(const char *name);
