#include "collide/support_dd.h"

// Sign with the dead zone of 1e4 eps.
static double sign_eps(sg_dd v)
{
    const double dead = 100.0 * SG_DD_NEPS;
    return v.hi > dead ? 1.0 : v.hi < -dead ? -1.0 : 0.0;
}

static sg_dd across(sg_dd x, sg_dd y) { return dd_sqrt(dd_add(dd_mul(x, x), dd_mul(y, y))); }

static sg_dd3 times(sg_dd3 e, double s)
{
    return (sg_dd3){dd_mul_d(e.x, s), dd_mul_d(e.y, s), dd_mul_d(e.z, s)};
}

// r (x, y) / |(x, y)|, zero if there is no direction.
static void radial(double r, sg_dd x, sg_dd y, sg_dd length, sg_dd *px, sg_dd *py)
{
    *px = *py = dd_from(0.0);
    if (length.hi > SG_DD_NEPS) {
        *px = dd_mul_d(dd_div(x, length), r);
        *py = dd_mul_d(dd_div(y, length), r);
    }
}

static sg_dd3 ellipsoid(const sg_shape *s, sg_dd3 u)
{
    sg_dd3 hu = {dd_mul_d(u.x, s->half.x), dd_mul_d(u.y, s->half.y), dd_mul_d(u.z, s->half.z)};
    sg_dd l = dd3_norm(hu);
    return (sg_dd3){dd_div(dd_mul_d(hu.x, s->half.x), l), dd_div(dd_mul_d(hu.y, s->half.y), l),
                    dd_div(dd_mul_d(hu.z, s->half.z), l)};
}

static sg_dd3 cylinder(const sg_shape *s, sg_dd3 u)
{
    sg_dd3 p;
    radial(s->rb, u.x, u.y, across(u.x, u.y), &p.x, &p.y);
    p.z = dd_from(sign_eps(u.z) * s->z1);
    return p;
}

// A cone answers with its top when the direction is steeper than the normal of its side. The
// reference places the smoothed rims a little off: its base rises by rho / un, and a frustum's
// radii are those of a full cone.
static sg_dd3 cone(const sg_shape *s, sg_dd3 u, bool reference)
{
    double rho = s->smoothing, length = s->length;
    double base = s->z0 - rho, b = s->base_radius, t = s->top_radius, dr = b - t;
    double slant = sqrt(dr * dr + length * length);
    sg_dd un = across(u.x, u.y);
    sg_dd3 p;
    bool top = dd_to_double(u.z) * slant >= dr;
    double r, z;
    if (!reference) {
        r = top ? s->rt : s->rb;
        z = top ? s->z1 : s->z0;
    } else if (top) {
        r = t > 0.0 ? t - rho * (slant - b) / length : 0.0;
        z = base + (t > 0.0 ? length - rho : length - rho * slant / b);
    } else {
        r = b - rho * (slant + b) / length;
        z = base + (un.hi > SG_DD_NEPS ? rho / un.hi : rho);
    }
    radial(r, u.x, u.y, un, &p.x, &p.y);
    p.z = dd_from(z);
    return p;
}

static sg_dd3 beam(const sg_shape *s, sg_dd3 u, bool reference)
{
    sg_dd3 p;
    double half_length = reference ? s->half.z - s->smoothing : s->half.z;
    radial(s->half.x, u.x, u.z, across(u.x, u.z), &p.x, &p.z);
    p.z = dd_add(p.z, dd_from(sign_eps(u.z) * half_length));
    p.y = dd_from(sign_eps(u.y) * s->half.y);
    return p;
}

static sg_dd3 local_point(const sg_shape *s, sg_dd3 u, bool reference)
{
    switch (s->kind) {
    case SG_SHAPE_SPHERE:
        break;
    case SG_SHAPE_BOX:
        return (sg_dd3){dd_from(sign_eps(u.x) * s->half.x), dd_from(sign_eps(u.y) * s->half.y),
                        dd_from(sign_eps(u.z) * s->half.z)};
    case SG_SHAPE_ELLIPSOID:
        return ellipsoid(s, u);
    case SG_SHAPE_CAPSULE:
        return (sg_dd3){dd_from(0.0), dd_from(0.0), dd_from(sign_eps(u.z) * s->half.z)};
    case SG_SHAPE_CYLINDER:
        return cylinder(s, u);
    case SG_SHAPE_CONE:
        return cone(s, u, reference);
    case SG_SHAPE_BEAM:
        return beam(s, u, reference);
    case SG_SHAPE_MESH: {
        uint32_t i = sg_mesh_support(s->mesh, dd3_to_vec3(u), UINT32_MAX);
        return dd3_from(sg_mesh_vertex(s->mesh, i));
    }
    }
    return dd3_from(V3_ZERO);
}

static sg_dd row_dot(const double *row, sg_dd3 v)
{
    return dd_add(dd_add(dd_mul_d(v.x, row[0]), dd_mul_d(v.y, row[1])), dd_mul_d(v.z, row[2]));
}

sg_dd3 sg_support_dd(const sg_shape *shape, const sg_pose *pose, sg_dd3 e, bool reference)
{
    sg_pose frame = sg_shape_frame(shape, pose);
    sg_mat3 back = m3_transpose(frame.R);
    sg_dd3 u = {row_dot(back.m[0], e), row_dot(back.m[1], e), row_dot(back.m[2], e)};
    sg_dd3 p = local_point(shape, u, reference);
    sg_dd3 w = {row_dot(frame.R.m[0], p), row_dot(frame.R.m[1], p), row_dot(frame.R.m[2], p)};
    w = dd3_add(w, dd3_from(frame.r));
    // The ball inside an ellipsoid is a device of the default path; here its point is complete.
    if (shape->kind != SG_SHAPE_ELLIPSOID)
        w = dd3_add(w, times(e, shape->radius));
    return w;
}
