// Which faces of a mesh are near a place, and near each other.
//
// Of thousands of faces a handful is touched. Cells lie in groups of neighbors, each in a sphere;
// who looks for those beyond some level asks the spheres first. For each cell there is a list of
// those that it can end at, as long as bodies are not deeper in each other than `reach`.
#pragma once

#include "contact/area_body.h"

// Some cells in a row, no farther from the middle than `within` [m].
typedef struct sg_area_group {
    sg_vec3 middle;
    double within;
    int first, n;
} sg_area_group;

typedef struct sg_area_index {
    const sg_area_group *group;
    int n_groups;
    const int *start, *near; // by cell: near[start[i]] .. near[start[i + 1] - 1]
    double reach;            // [m]
} sg_area_index;

// Whether two cells of a mesh are too far apart for a point to be equally near that lies no deeper
// than this.
static inline bool sg_area_cells_far(const sg_area_cell *a, const sg_area_cell *b, double depth)
{
    double near = a->within + b->within + 4.0 * depth;
    return v3_norm2(v3_sub(a->middle, b->middle)) > near * near;
}

// Puts the cells in order and finds out; null if there are too few to bother, or memory ran out
// (arena->failed).
const sg_area_index *sg_area_index_create(sg_area_cell *cell, int n, sg_arena *arena);
