#include "collide/aabb.h"

#include "math/scalar.h"
#include "shapes/support.h"
#include "shapes/support_dd.h"

// Each face moves outward by this share of the longest edge.
static const double face_share = 0.005;

// Gap between two intervals, 0 if they meet.
static double gap(double alo, double ahi, double blo, double bhi)
{
    return fmax(0.0, fmax(blo - ahi, alo - bhi));
}

sg_aabb sg_aabb_of(const sg_shape *shape, const sg_pose *pose)
{
    if (shape->core == SG_CORE_POINT)
        return sg_aabb_grow((sg_aabb){pose->r, pose->r}, shape->radius);
    sg_pose frame = sg_shape_frame(shape, pose);
    double lo[3], hi[3];
    uint32_t piece = UINT32_MAX;
    for (int i = 0; i < 3; i++) {
        sg_vec3 c = m3_row(&frame.R, i); // world axis i in the canonical frame
        double r = v3_get(frame.r, i);
        hi[i] = r + v3_dot(c, sg_support(shape, c, piece, &piece)) + shape->radius;
        lo[i] = r + v3_dot(c, sg_support(shape, v3_neg(c), piece, &piece)) - shape->radius;
    }
    return (sg_aabb){.lo = v3_from(lo), .hi = v3_from(hi)};
}

sg_aabb sg_aabb_of_reference(const sg_shape *shape, const sg_pose *pose)
{
    double lo[3], hi[3];
    for (int i = 0; i < 3; i++) {
        sg_dd3 e = dd3_from(v3_axis(i));
        hi[i] = v3_get(dd3_to_vec3(sg_support_dd(shape, pose, e, true)), i);
        lo[i] = v3_get(dd3_to_vec3(sg_support_dd(shape, pose, dd3_neg(e), true)), i);
    }
    return (sg_aabb){.lo = v3_from(lo), .hi = v3_from(hi)};
}

sg_aabb sg_aabb_grow(sg_aabb box, double pad)
{
    sg_vec3 d = {pad, pad, pad};
    return (sg_aabb){.lo = v3_sub(box.lo, d), .hi = v3_add(box.hi, d)};
}

sg_aabb sg_aabb_loosen(sg_aabb box, double factor)
{
    return sg_aabb_grow(box, 0.5 * factor * v3_max(v3_sub(box.hi, box.lo)));
}

double sg_aabb_pad(const sg_shape *shape, const sg_aabb *tight)
{
    sg_vec3 d = v3_sub(tight->hi, tight->lo);
    double longest = s_max(s_max(d.x, d.y), d.z);
    bool sphere = shape->kind == SG_SHAPE_SPHERE; // its share counts from the radius
    return (sphere ? 0.5 * face_share : face_share) * longest;
}

sg_aabb sg_aabb_loose(const sg_shape *shape, const sg_pose *pose)
{
    sg_aabb tight = sg_aabb_of(shape, pose);
    return sg_aabb_grow(tight, sg_aabb_pad(shape, &tight));
}

double sg_aabb_distance(sg_aabb a, sg_aabb b)
{
    sg_vec3 g = {
        gap(a.lo.x, a.hi.x, b.lo.x, b.hi.x),
        gap(a.lo.y, a.hi.y, b.lo.y, b.hi.y),
        gap(a.lo.z, a.hi.z, b.lo.z, b.hi.z),
    };
    // The square would do for a yes or no. But the solver sees this value and that of the narrow
    // phase as one function, so both must be lengths.
    return v3_norm(g);
}
