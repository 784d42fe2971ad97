// Convex meshes: a hull with its graph of edges, so that a support point is found by climbing.
//
// The farthest vertex in a direction is the one none of whose neighbors is farther; on the graph of
// a convex hull that local test is the global one. Starting from the last answer or from that of
// the nearest of some directions spread over the sphere, a query looks at a handful of vertices
// whatever their number; a vertex has the places of its neighbors beside each other in memory.
// Hulls come from qhull, once, when a mesh is made.
#pragma once

#include "math/vec3.h"
#include "segue/alloc.h"
#include "segue/status.h"

#include <stddef.h>
#include <stdint.h>

// Directions with a known answer: the centers of 4 x 4 squares on each side of a cube.
#define SG_MESH_SQUARES 4
#define SG_MESH_STARTS (6 * SG_MESH_SQUARES * SG_MESH_SQUARES)

typedef struct sg_mesh_link { // to a neighbor
    sg_vec3 p;                // where it is
    uint32_t to;              // its number
} sg_mesh_link;

typedef struct sg_mesh {
    int nv, nf;
    sg_vec3 center;     // of the input's box; all coordinates below count from here, so that a mesh
                        // far from its own origin keeps its digits
    sg_vec3 *vertex;    // of the hull [m]
    sg_mesh_link *link; // of vertex i: link[first[i]] .. link[first[i + 1] - 1]
    uint32_t *face;     // 3 nf vertex numbers, outward counter-clockwise
    uint32_t *first;
    uint32_t start[SG_MESH_STARTS]; // farthest vertex in each of the known directions
    sg_vec3 centroid;               // of the volume, from `center`
    double volume;                  // [m3]
    double bound, inradius;         // around the centroid
    double shortest_edge;           // [m]
    const sg_allocator *allocator;
    void *block;
    size_t block_size;
} sg_mesh;

// The hull of `n` points. SG_ERR_INPUT with a text when there are fewer than four, when one is not
// finite, or when all lie in a plane.
sg_status sg_mesh_hull(const sg_allocator *allocator, const sg_vec3 *points, size_t n, sg_mesh *out,
                       const char **why);
// As above for a closed surface that must already be convex: SG_ERR_INPUT if a vertex lies outside
// the plane of one of the `nf` triangles by more than 1e-9 of the size, or a triangle names a
// vertex that does not exist.
sg_status sg_mesh_convex(const sg_allocator *allocator, const sg_vec3 *points, size_t n,
                         const uint32_t *faces, size_t nf, sg_mesh *out, const char **why);
void sg_mesh_destroy(sg_mesh *mesh);

static inline sg_vec3 sg_mesh_vertex(const sg_mesh *mesh, uint32_t i) { return mesh->vertex[i]; }

// The farthest vertex in direction n, climbing from a known direction or from `hint` (any vertex
// number, or UINT32_MAX for none) if that is farther.
uint32_t sg_mesh_support(const sg_mesh *mesh, sg_vec3 n, uint32_t hint);
