// What the readers of mesh files share: a place in the bytes, words and numbers of texts, and lists
// of what was found. Private to mesh_*.c.
#pragma once

#include "base/vec.h"
#include "shapes/mesh_file.h"
#include "shapes/mesh_weld.h"

#include <stdbool.h>

typedef struct sg_mesh_reader {
    const sg_allocator *allocator;
    const char *start, *at, *end;
    const char *place; // what a complaint is about
    bool is_text;      // a complaint names line and column, else a byte
    sg_vec3 scale;
    SG_VEC(sg_vec3) vertices;
    SG_VEC(uint32_t) corners; // of triangles
    SG_VEC(uint32_t) polygon; // the corners of the polygon at hand
    // STL merges vertices as it goes; they are scaled then, and `vertices` is empty.
    sg_weld weld;
    size_t n_welded; // points that went into it
    size_t n_dropped;
    bool only_used; // vertices that no triangle names are left out
    bool no_memory;
    sg_mesh_complaint complaint;
} sg_mesh_reader;

// The readers: true when all bytes were read, false after a complaint or without memory.
bool sg_mesh_read_obj(sg_mesh_reader *r);
bool sg_mesh_read_stl(sg_mesh_reader *r);
bool sg_mesh_read_ply(sg_mesh_reader *r);

// All return false.
bool sg_mesh_complain(sg_mesh_reader *r, const char *why); // at `place`
bool sg_mesh_complain_of(sg_mesh_reader *r, const char *format, const char *word, size_t length);
bool sg_mesh_out_of_memory(sg_mesh_reader *r);

// The next word of the present line; length 0 at its end. `place` is there.
const char *sg_mesh_word(sg_mesh_reader *r, size_t *length);
// The same, where a backslash at the end of a line joins the next one.
const char *sg_mesh_joined_word(sg_mesh_reader *r, size_t *length);
void sg_mesh_next_line(sg_mesh_reader *r);
bool sg_mesh_is_word(const char *word, size_t length, const char *expected); // in any case
// Three finite numbers, of the present line.
bool sg_mesh_read_point(sg_mesh_reader *r, sg_vec3 *out);

bool sg_mesh_add_vertex(sg_mesh_reader *r, sg_vec3 p);
bool sg_mesh_add_triangle(sg_mesh_reader *r, uint32_t a, uint32_t b, uint32_t c);
// The polygon at hand as a fan.
bool sg_mesh_add_fan(sg_mesh_reader *r);

static inline size_t sg_mesh_left(const sg_mesh_reader *r) { return (size_t)(r->end - r->at); }
