// Stage one in double precision: a portal, and with it the verdict apart or penetrating.
//
// The three phases of the improved MPR algorithm ([Neumayr-thesis] section 6.1): an inner point r0
// of the difference A - B, an initial portal (r1, r2, r3), a valid one that the ray from r0 through
// the origin pierces, and its refinement. Other than collide/mpr.h, which carries the refinement
// to the end in double-double arithmetic, this one stops as soon as the origin is known to be
// outside (a support plane leaves it out) or inside (the tetrahedron holds it), since stage two
// goes on from there. The inner point is moved a little off the centroids' difference: symmetric
// placements, the rule in hand-made models, would otherwise make every portal degenerate.
#pragma once

#include "collide/pair.h"

typedef enum sg_verdict {
    SG_VERDICT_APART,    // v[0 .. nv-1] are points of the difference, n separates
    SG_VERDICT_INSIDE,   // v[0 .. 3] is a tetrahedron that holds the origin
    SG_VERDICT_TOUCHING, // |signed distance| is below rounding along n; v[0 .. 2] is the portal
    SG_VERDICT_UNKNOWN,  // not decided by rounding; v[0 .. nv-1] are points near the portal
    SG_VERDICT_FLAT      // the difference has no volume
} sg_verdict;

typedef struct sg_portal {
    sg_support_point v[4];
    int nv;
    sg_vec3 n;          // last direction
    int phase2, phase3; // iterations
} sg_portal;

sg_verdict sg_portal_find(sg_pair *pair, sg_portal *portal);
