// What must hold for any bytes that a reader of meshes is given; shared by the targets of the
// readers and tests/mesh_readers.c.
#pragma once

#include "shapes/mesh_file.h"

// Reads and weighs them; aborts if a promise is broken: refused without a word, a triangle that
// names no vertex, a number that is not finite, or memory out of proportion to the bytes. True if
// they are a mesh.
bool mesh_check(sg_mesh_format format, const void *bytes, size_t size);
