// The patch of a flat contact as something to look at: its pieces, with the pressure at corners.
//
// While a run steps nobody needs to know where a patch ends: forces are sums over points
// (contact/region.h). Whoever draws it asks for this instead, at the points of the result only. A
// patch has one piece for each two faces that meet (contact/area.h), so two boxes make one, a
// roller a row of strips. Arcs are drawn as chords. There is room for what flat sides of boxes,
// cylinders and ordinary meshes make; of a patch that has more pieces the rest is left out.
#pragma once

#include "contact/region.h"

enum { SG_OUTLINE_PIECES = 64, SG_OUTLINE_CORNERS = 384 };

typedef struct sg_outline_corner {
    sg_vec3 x;       // from the origin of the patch
    double pressure; // of the foundation, without damping [Pa]
} sg_outline_corner;

typedef struct sg_outline {
    sg_outline_corner corner[SG_OUTLINE_CORNERS];
    int end[SG_OUTLINE_PIECES]; // of each piece: the number of the corner behind its last one
    int n;                      // pieces
} sg_outline;

// One more piece, with p = k (o - n x) across it.
void sg_outline_add(sg_outline *outline, const sg_polygon *p, sg_vec3 m, const sg_rim *rim,
                    int n_rims, sg_vec3 n, double o, double k);
// One with these corners.
void sg_outline_put(sg_outline *outline, const sg_outline_corner *corner, int n);
// The largest pressure of all [Pa]: it is linear over a piece, so at a corner.
double sg_outline_peak(const sg_outline *outline);

// Leaves out pieces that nobody could see: where a face ends, its edge makes strips as wide as the
// contact is deep.
void sg_outline_tidy(sg_outline *outline);

// The corners of the whole as one convex polygon, seen along `n`: counter-clockwise about it, at
// most `most` of them, those left out that matter least to the area. Returns how many. A patch
// that is a strip or less has none.
int sg_outline_hull(const sg_outline *outline, sg_vec3 n, int most, sg_vec3 *out);
