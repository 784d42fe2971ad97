// Signed distances of convex shapes.
//
//     sg_shape *ball, *box;          make the shapes once
//     sg_distance_query *query;       one for each pair: it remembers the last answer
//     sg_distance_between(query, box, &place1, ball, &place2, &answer);
//
// The signed distance is positive apart, zero touching, and minus the least depth penetrating; the
// normal points from the first shape to the second, and b - a = delta n. Answers are exact to 1e-12
// of the size and carry a proven bound of their error. What cannot be proven (shapes deep in each
// other with an axis of symmetry in common) is told by the bound and by a message. Queries allocate
// nothing. Lengths are in meters (or in any one unit). examples/embed/distance.c shows it all in a
// page.
#pragma once

#include "segue/alloc.h"
#include "segue/diag.h"
#include "segue/export.h"
#include "segue/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// SG_SHAPE_ and the names of segue/shape_list.h. Their sizes:
//   SPHERE: diameter                      BOX, ELLIPSOID: three lengths
//   CAPSULE: diameter, length of the cylindrical part
//   CYLINDER: diameter, length            BEAM: length of the box part, width, thickness
//   CONE: diameter, length, top diameter (0: a point); base at `base`
//   SUPERELLIPSOID: three lengths, exponents e1 and e2
//   MESH: vertices, and triangles if it must already be convex
typedef enum sg_shape_kind {
#define SG_SHAPE(NAME, name, Constructor, keywords) SG_SHAPE_##NAME,
#include "segue/shape_list.h"
    SG_SHAPE_KINDS
} sg_shape_kind;

// All zero but what is set; `axis` 0 stands for 3.
typedef struct sg_shape_spec {
    sg_shape_kind kind;
    double size[6];
    int axis;    // 1, 2, 3: the axis of capsule, cylinder, cone and beam
    double base; // of a cone: where the base circle is on the axis; the top is at base + length
    double smoothing;          // radius of rounded edges, cut to a tenth of the smallest dimension
    const double *vertices;    // mesh: n_vertices times x, y, z
    size_t n_vertices;         // its hull is taken ...
    const uint32_t *triangles; // ... unless there are triangles: then it must be convex
    size_t n_triangles;
} sg_shape_spec;

typedef struct sg_shape sg_shape;

// SG_ERR_INPUT with a diagnostic for sizes that are zero, negative or not finite, and for meshes
// that are empty, flat or not convex. `diags` may be null.
SG_API sg_status sg_shape_create(const sg_allocator *allocator, const sg_shape_spec *spec,
                                 sg_diags *diags, sg_shape **out);
SG_API void sg_shape_destroy(sg_shape *shape);
// Radius of a ball around the centroid that holds the shape.
SG_API double sg_shape_bound(const sg_shape *shape);

// x_world = R x_local + r; R by rows.
typedef struct sg_placement {
    double R[9], r[3];
} sg_placement;

typedef enum sg_distance_mode {
    SG_DISTANCE_DEFAULT,
    SG_DISTANCE_EXACT,    // the same: every answer is proven
    SG_DISTANCE_PLAIN_MPR // the improved MPR algorithm of the papers alone, in double-double
} sg_distance_mode;

typedef struct sg_distance_query_options {
    size_t size; // of this struct, as its maker fills it in
    sg_distance_mode mode;
    bool closed_forms;    // use formulas where there are some; default true
    bool warm_start;      // start from the last answer of this query; default true
    double mpr_tolerance; // of plain MPR; default 1e-20
    int mpr_iterations;   // of each of its phases; default 120
} sg_distance_query_options;

SG_API sg_distance_query_options sg_distance_query_options_make(void);

typedef struct sg_distance_answer {
    double delta;
    double normal[3];   // from the first to the second shape
    double a[3], b[3];  // points on the shapes
    double error_bound; // proven, of delta; infinite if there is no proof, as of plain MPR
    int iterations;     // 0 for closed forms
    int phase2, phase3; // of these in the phases of MPR
    int stage2;         // and in the second stage
    int support_points;
    const char *message; // constant text: the reason of a failure, or a warning, or null
} sg_distance_answer;

typedef struct sg_distance_query sg_distance_query;

SG_API sg_status sg_distance_query_create(const sg_allocator *allocator,
                                          const sg_distance_query_options *settings,
                                          sg_distance_query **out);
SG_API void sg_distance_query_destroy(sg_distance_query *query);
// Forgets the last answer; needed when a query object goes to another pair.
SG_API void sg_distance_query_reset(sg_distance_query *query);

// SG_ERR_INPUT with answer->message for bad placements, coinciding centroids and differences
// without volume; SG_ERR_LIMIT when iterations ran out without an answer.
SG_API sg_status sg_distance_between(sg_distance_query *query, const sg_shape *a,
                                     const sg_placement *place_a, const sg_shape *b,
                                     const sg_placement *place_b, sg_distance_answer *answer);

// Files of cases, docs/formats.md: pairs of shapes as text.
typedef struct sg_distance_cases sg_distance_cases;

typedef struct sg_distance_case {
    const char *id, *regime;
    const char *type_a, *type_b; // as written in the file
    const sg_shape *a, *b;       // null if a shape was refused; `message` says why
    sg_placement place_a, place_b;
    const char *message;
} sg_distance_case;

// Reads a whole text of `length` bytes. SG_ERR_MODEL with a diagnostic that begins with the line if
// it does not follow the format; a shape with bad sizes spoils its own case only. `diags` may be
// null.
SG_API sg_status sg_distance_cases_read(const sg_allocator *allocator, const char *text,
                                        size_t length, sg_diags *diags, sg_distance_cases **out);
SG_API void sg_distance_cases_destroy(sg_distance_cases *cases);
SG_API size_t sg_distance_cases_count(const sg_distance_cases *cases);
SG_API const sg_distance_case *sg_distance_cases_get(const sg_distance_cases *cases, size_t index);

#ifdef __cplusplus
}
#endif
