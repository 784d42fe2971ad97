// Stage one alone: the improved Minkowski portal refinement of the papers, in double-double
// arithmetic, with its three termination conditions.
//
// (TC1) the first support point lies on the ray from the inner point r0 through the origin;
// (TC2) a support point is parallel to its search direction; (TC3) no support point lies beyond the
// portal. If refinement fails or iterations run out, the best portal so far is the answer and a
// message says so. The depth is that along the portal, an upper bound of the least depth; apart it
// is exact where the closest point lies inside the portal and bounded from both sides elsewhere
// (theorem 6.3). The default query (collide/distance.h) goes on from there; this one serves the
// theorems, the iteration counts of table 6.1 and the compatibility mode.
//
// [Neumayr-thesis] section 6.1, [NO2017] section 4; steps and constants of components3d.md 8.5.
// Phase 2 tests the side of r0 with the sign of [NO2017]; the thesis prints it the other way round,
// and so does the published program. For shapes that makes no difference. Its cone is none, though:
// a point of the base depends on the direction that asked for it, so where the search ends depends
// on the order of the portal's points, and `reference_shapes` takes that order, too.
#pragma once

#include "shapes/shape.h"

typedef enum sg_mpr_end { SG_MPR_TC1 = 1, SG_MPR_TC2, SG_MPR_TC3 } sg_mpr_end;

typedef struct sg_mpr_options {
    double tolerance;   // of TC2 and TC3, 1e-20
    int max_iterations; // of phase 2 and of phase 3, 120
    // What the reference does and geometry does not, both off by default
    // (components3d.md 4.2, 8.6):
    bool reference_shapes;  // cone base, frustum radii and beam length with the smoothing's defects
    bool steady_portal;     // coordinates that are roundings count as zero in the first portal
    bool reference_scaling; // the distance divided by the largest coordinate of the first portal
} sg_mpr_options;

sg_mpr_options sg_mpr_options_make(void);

typedef struct sg_mpr_result {
    double delta;       // signed distance along the portal [m]
    sg_vec3 n, a, b;    // world frame; b - a = delta n
    double lower;       // with TC3 apart: -r4 e4, a lower bound of the distance
    bool inside_portal; // the closest point lies inside the portal: delta is exact when apart
    sg_mpr_end end;
    int phase2, phase3;  // iterations
    double reached;      // value of the condition that ended the search
    double scale;        // the divisor x of reference_scaling, else 1
    sg_vec3 portal_a[3]; // the final portal's points on both shapes, for display
    sg_vec3 portal_b[3];
    bool has_portal;
    const char *message; // failure or warning, constant text; null if all went well
} sg_mpr_result;

// SG_ERR_INPUT for poses that are not finite, overlapping centers and planar differences;
// SG_ERR_LIMIT when phase 2 does not converge. A message with SG_OK is a warning.
sg_status sg_mpr(const sg_shape *a, const sg_pose *pose_a, const sg_shape *b, const sg_pose *pose_b,
                 const sg_mpr_options *options, sg_mpr_result *result);
