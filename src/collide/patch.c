#include "collide/patch.h"

#include "math/scalar.h"
#include "shapes/support.h"

#define TILTS 16
// Tilt of the normal [rad]: faces this parallel lie on each other.
static const double tilt = 1e-4;
// A set wider than this share of the shape's size is no point; a round one is some `tilt` wide.
static const double wide_share = 1e-2;
// Edges at a smaller angle [rad] lie along each other.
static const double along = 1e-3;

typedef struct spread {
    int dimension; // of the set of support points: 0 point, 1 edge, 2 face
    sg_vec3 edge;  // unit, if the dimension is 1
} spread;

// Points of the core; what is around it moves with the tilt only.
static spread spread_of(const sg_shape *s, const sg_pose *pose, sg_vec3 n)
{
    if (s->form->is_round)
        return (spread){0};
    sg_pose frame = sg_shape_frame(s, pose);
    sg_vec3 m = pose_inverse_vector(&frame, n), e1 = v3_perpendicular(m), e2 = v3_cross(m, e1);
    sg_vec3 p[TILTS], longest = V3_ZERO;
    uint32_t piece = UINT32_MAX;
    for (int k = 0; k < TILTS; k++) {
        double angle = (k + 0.5) * 2.0 * 3.14159265358979323846 / TILTS;
        sg_vec3 t = v3_add_scaled(m, e1, tilt * cos(angle));
        p[k] = sg_support(s, v3_unit(v3_add_scaled(t, e2, tilt * sin(angle))), piece, &piece);
    }
    for (int k = 1; k < TILTS; k++)
        for (int j = 0; j < k; j++) {
            sg_vec3 way = v3_sub(p[k], p[j]);
            if (v3_norm2(way) > v3_norm2(longest))
                longest = way;
        }
    if (v3_norm(longest) < wide_share * s->bound)
        return (spread){0};
    spread out = {1, v3_unit(m3_mul_v(&frame.R, longest))};
    sg_vec3 side = v3_cross(m, v3_unit(longest));
    double lo = v3_dot(p[0], side), hi = lo;
    for (int k = 1; k < TILTS; k++) {
        lo = s_min(lo, v3_dot(p[k], side));
        hi = s_max(hi, v3_dot(p[k], side));
    }
    if (hi - lo >= wide_share * s->bound)
        out.dimension = 2;
    return out;
}

bool sg_patch_contact(const sg_shape *a, const sg_pose *pose_a, const sg_shape *b,
                      const sg_pose *pose_b, sg_vec3 n)
{
    spread sa = spread_of(a, pose_a, n);
    if (sa.dimension == 0)
        return false;
    spread sb = spread_of(b, pose_b, v3_neg(n));
    if (sb.dimension == 0)
        return false;
    return sa.dimension + sb.dimension > 2 || v3_norm(v3_cross(sa.edge, sb.edge)) < along;
}
