#include "collide/closed_form.h"

#include "math/scalar.h"

// A point against a core: signed distance, outward unit normal, nearest surface point.
typedef struct field {
    double d;
    sg_vec3 g;
} field;

// Length and direction of d, or `otherwise` if it has none.
static field along(sg_vec3 d, sg_vec3 otherwise)
{
    double length = v3_norm(d);
    if (!(length > 1e-140)) // squares are lost; rare enough for the careful way
        return (field){length, v3_max_abs(d) > 0.0 ? v3_unit(d) : otherwise};
    return (field){length, v3_scale(d, 1.0 / length)};
}

static field from_segment(double half, sg_vec3 p)
{
    double z = s_max(-half, s_min(half, p.z));
    return along(v3_make(p.x, p.y, p.z - z), v3_make(1, 0, 0));
}

static field from_box(sg_vec3 half, sg_vec3 p)
{
    sg_vec3 over = {fabs(p.x) - half.x, fabs(p.y) - half.y, fabs(p.z) - half.z};
    sg_vec3 sign = {p.x < 0 ? -1 : 1, p.y < 0 ? -1 : 1, p.z < 0 ? -1 : 1};
    if (over.x <= 0.0 && over.y <= 0.0 && over.z <= 0.0) { // inside: the nearest face
        int axis = over.x >= over.y && over.x >= over.z ? 0 : over.y >= over.z ? 1 : 2;
        return (field){v3_get(over, axis), v3_scale(v3_axis(axis), v3_get(sign, axis))};
    }
    sg_vec3 d = {sign.x * s_max(over.x, 0.0), sign.y * s_max(over.y, 0.0),
                 sign.z * s_max(over.z, 0.0)};
    return along(d, v3_make(1, 0, 0));
}

// Distance in the half plane (s, z) of a frustum, gradient (gs, gz).
static double from_trapezoid(const sg_shape *c, double s, double z, double *gs, double *gz)
{
    double dr = c->rt - c->rb, dz = c->z1 - c->z0, slant = sqrt(dr * dr + dz * dz);
    double ns = dz / slant, nz = -dr / slant; // outward normal of the side
    double side = (s - c->rb) * ns + (z - c->z0) * nz;
    double below = c->z0 - z, above = z - c->z1;
    if (side <= 0.0 && below <= 0.0 && above <= 0.0) {
        *gs = 0.0;
        *gz = 1.0;
        double d = above;
        if (below > d) {
            d = below;
            *gz = -1.0;
        }
        if (side > d) {
            d = side;
            *gs = ns;
            *gz = nz;
        }
        return d;
    }
    // Outside: the nearest of base, side and top, each a segment of the outline.
    double share = ((s - c->rb) * dr + (z - c->z0) * dz) / (slant * slant);
    if (share >= 0.0 && share <= 1.0 && side > 0.0) {
        *gs = ns; // the side's own normal keeps its digits however near the point is
        *gz = nz;
        return side;
    }
    double t = s_max(0.0, s_min(1.0, share));
    double best_s = c->rb + t * dr, best_z = c->z0 + t * dz;
    double best = (s - best_s) * (s - best_s) + (z - best_z) * (z - best_z);
    const double radius[2] = {c->rb, c->rt}, level[2] = {c->z0, c->z1};
    for (int i = 0; i < 2; i++) {
        double qs = s_min(s, radius[i]), d2 = (s - qs) * (s - qs) + (z - level[i]) * (z - level[i]);
        if (d2 < best) {
            best = d2;
            best_s = qs;
            best_z = level[i];
        }
    }
    double d = sqrt(best);
    *gs = d > 0.0 ? (s - best_s) / d : ns;
    *gz = d > 0.0 ? (z - best_z) / d : nz;
    return d;
}

static field from_frustum(const sg_shape *c, sg_vec3 p)
{
    field radial = along(v3_make(p.x, p.y, 0.0), v3_make(1, 0, 0));
    double gs, gz, d = from_trapezoid(c, radial.d, p.z, &gs, &gz);
    return (field){d, v3_make(gs * radial.g.x, gs * radial.g.y, gz)};
}

static field from_stadium(sg_vec3 half, sg_vec3 p)
{
    sg_vec3 flat = {p.x, 0.0, p.z};
    field plane = from_segment(half.z, flat);
    double across = plane.d - half.x, over = fabs(p.y) - half.y, sign = p.y < 0.0 ? -1.0 : 1.0;
    if (across <= 0.0 && over <= 0.0) {
        if (across >= over)
            return (field){across, plane.g};
        return (field){over, v3_make(0.0, sign, 0.0)};
    }
    sg_vec3 d = v3_scale(plane.g, s_max(across, 0.0));
    d.y = sign * s_max(over, 0.0);
    return along(d, v3_make(1, 0, 0));
}

static bool from_core(const sg_shape *c, sg_vec3 p, field *f)
{
    switch (c->core) {
    case SG_CORE_POINT:
        *f = along(p, v3_make(1, 0, 0));
        return true;
    case SG_CORE_SEGMENT:
        *f = from_segment(c->half.z, p);
        return true;
    case SG_CORE_BOX:
        *f = from_box(c->half, p);
        return true;
    case SG_CORE_FRUSTUM:
        *f = from_frustum(c, p);
        return true;
    case SG_CORE_STADIUM:
        *f = from_stadium(c->half, p);
        return true;
    case SG_CORE_ELLIPSOID:
    case SG_CORE_MESH:
        break;
    }
    return false;
}

// Nearest points of the segments s w, |s| <= ha, and c + t u, |t| <= hb, with unit vectors w and u.
// The square distance is a convex quadratic of (s, t) over a rectangle: its free minimum if that is
// inside, else the best of the four edges.
static void nearest_of_segments(sg_vec3 w, double ha, sg_vec3 c, sg_vec3 u, double hb, double *s,
                                double *t)
{
    double b = v3_dot(w, u), d = v3_dot(u, c), e = v3_dot(w, c), den = 1.0 - b * b;
    if (den > 1e-12) {
        double t0 = (b * e - d) / den, s0 = e + t0 * b;
        if (fabs(t0) <= hb && fabs(s0) <= ha) {
            *s = s0;
            *t = t0;
            return;
        }
    }
    double best = INFINITY;
    for (int k = 0; k < 4; k++) {
        double ts = k == 0 ? hb : -hb, ss = k == 2 ? ha : -ha;
        if (k < 2)
            ss = s_max(-ha, s_min(ha, e + ts * b));
        else
            ts = s_max(-hb, s_min(hb, ss * b - d));
        double d2 = v3_norm2(v3_add_scaled(v3_add_scaled(c, u, ts), w, -ss));
        if (d2 < best) {
            best = d2;
            *s = ss;
            *t = ts;
        }
    }
}

static void two_capsules(const sg_shape *a, const sg_pose *fa, const sg_shape *b, const sg_pose *fb,
                         sg_closed_answer *out)
{
    sg_vec3 w = m3_column(&fa->R, 2), u = m3_column(&fb->R, 2), c = v3_sub(fb->r, fa->r);
    double s = 0.0, t = 0.0;
    nearest_of_segments(w, a->half.z, c, u, b->half.z, &s, &t);
    sg_vec3 d = v3_add_scaled(v3_add_scaled(c, u, t), w, -s);
    double length = v3_norm(d);
    // Crossing axes: the way out is across both; along parallel ones any side will do.
    sg_vec3 across = v3_cross(w, u);
    sg_vec3 aside = v3_norm2(across) > 1e-24 ? v3_unit(across) : m3_column(&fa->R, 0);
    if (length > 1e-14 * (a->bound + b->bound))
        out->n = v3_scale(d, 1.0 / length);
    else
        out->n = v3_dot(aside, c) < 0.0 ? v3_neg(aside) : aside;
    out->delta = length - a->radius - b->radius;
    out->middle = v3_add_scaled(fa->r, w, s);
    out->middle = v3_add_scaled(out->middle, out->n, a->radius + 0.5 * out->delta);
}

bool sg_closed_form(const sg_shape *a, const sg_pose *fa, const sg_shape *b, const sg_pose *fb,
                    sg_closed_answer *out)
{
    field f;
    if (b->core == SG_CORE_POINT) {
        if (!from_core(a, pose_inverse_point(fa, fb->r), &f))
            return false;
        out->n = m3_mul_v(&fa->R, f.g);
        out->delta = f.d - a->radius - b->radius;
        // Seen from B's center its own point is at -n radius, and halfway back is the middle.
        out->middle = v3_add_scaled(fb->r, out->n, -b->radius - 0.5 * out->delta);
        return true;
    }
    if (a->core == SG_CORE_POINT) {
        if (!from_core(b, pose_inverse_point(fb, fa->r), &f))
            return false;
        out->n = v3_neg(m3_mul_v(&fb->R, f.g));
        out->delta = f.d - a->radius - b->radius;
        out->middle = v3_add_scaled(fa->r, out->n, a->radius + 0.5 * out->delta);
        return true;
    }
    if (a->core == SG_CORE_SEGMENT && b->core == SG_CORE_SEGMENT) {
        two_capsules(a, fa, b, fb, out);
        return true;
    }
    return false;
}
