// A block whose two ends are half cylinders: a segment grown in a plane, made thick.

#include "base/number.h"
#include "math/scalar.h"
#include "shapes/shape_form.h"

extern const sg_shape_form sg_form_beam;

sg_status sg_shape_beam(int axis, double length, double width, double thickness, double smoothing,
                        sg_shape *out, const char **why)
{
    double sizes[3] = {length, width, thickness}, rho;
    double smallest = fmin(length, fmin(width, thickness));
    sg_status status = sg_shape_check_axis(axis, why);
    if (!status)
        status = sg_shape_check_sizes(sizes, 3, why);
    if (!status)
        status = sg_shape_cut_smoothing(smoothing, smallest, &rho, why);
    if (status)
        return status;
    double w = 0.5 * width, t = 0.5 * thickness, l = 0.5 * length;
    *out = (sg_shape){.form = &sg_form_beam,
                      .kind = SG_SHAPE_BEAM,
                      .core = SG_CORE_STADIUM,
                      .axis = axis,
                      .radius = rho,
                      .half = {w - rho, t - rho, l},
                      .bound = sqrt((l + w) * (l + w) + t * t),
                      .inradius = fmin(w, t) - rho,
                      .smallest = smallest,
                      .length = length,
                      .smoothing = rho,
                      .curved = true};
    return SG_OK;
}

static sg_status make(const sg_solid_size *s, double smoothing, sg_shape *out, const char **why)
{
    return sg_shape_beam(s->axis, s->size[0], s->size[1], s->size[2], smoothing, out, why);
}

static sg_vec3 stadium(sg_vec3 half, double z, double y, sg_vec3 n)
{
    double across = sqrt(n.x * n.x + n.z * n.z);
    if (!(across > 0.0))
        return (sg_vec3){half.x, y, z};
    double s = half.x / across;
    return (sg_vec3){s * n.x, y, z + s * n.z};
}

static sg_vec3 support(const sg_shape *shape, sg_vec3 n, uint32_t hint, uint32_t *piece)
{
    const sg_vec3 *h = &shape->half;
    (void)hint;
    *piece = (n.z < 0.0 ? 1u : 0u) | (n.y < 0.0 ? 2u : 0u);
    return stadium(*h, sg_pick(n.z, h->z), sg_pick(n.y, h->y), n);
}

static sg_vec3 support_piece(const sg_shape *shape, uint32_t piece, sg_vec3 n)
{
    const sg_vec3 *h = &shape->half;
    return stadium(*h, piece & 1 ? -h->z : h->z, piece & 2 ? -h->y : h->y, n);
}

static bool curvature(const sg_shape *shape, uint32_t piece, sg_vec3 n, sg_vec3 e1, sg_vec3 e2,
                      double c[3])
{
    double a2 = n.x * n.x + n.z * n.z;
    (void)piece;
    if (!(a2 > 0.0))
        return false;
    double t1 = n.z * e1.x - n.x * e1.z, t2 = n.z * e2.x - n.x * e2.z;
    sg_add_outer(shape->half.x / (a2 * sqrt(a2)), t1, t2, c);
    return true;
}

static void least_curvature(const sg_shape *shape, uint32_t met, sg_vec3 n, double tau, sg_vec3 e1,
                            sg_vec3 e2, double c[3])
{
    (void)met;
    sg_add_outer(shape->half.x * sg_least_of_rim(n.x * n.x + n.z * n.z, n.y, tau),
                 n.z * e1.x - n.x * e1.z, n.z * e2.x - n.x * e2.z, c);
}

static sg_dd3 support_dd(const sg_shape *s, sg_dd3 u, bool reference)
{
    sg_dd3 p;
    double half_length = reference ? s->half.z - s->smoothing : s->half.z;
    sg_radial_dd(s->half.x, u.x, u.z, sg_across_dd(u.x, u.z), &p.x, &p.z);
    p.z = dd_add(p.z, dd_from(sg_sign_dd(u.z) * half_length));
    p.y = dd_from(sg_sign_dd(u.y) * s->half.y);
    return p;
}

static sg_core_field from_core(const sg_shape *shape, sg_vec3 p)
{
    sg_vec3 half = shape->half;
    sg_vec3 flat = {p.x, 0.0, p.z};
    sg_core_field plane = sg_field_from_segment(half.z, flat);
    double across = plane.d - half.x, over = fabs(p.y) - half.y, sign = p.y < 0.0 ? -1.0 : 1.0;
    if (across <= 0.0 && over <= 0.0) {
        if (across >= over)
            return (sg_core_field){across, plane.g};
        return (sg_core_field){over, v3_make(0.0, sign, 0.0)};
    }
    sg_vec3 d = v3_scale(plane.g, s_max(across, 0.0));
    d.y = sign * s_max(over, 0.0);
    return sg_field_along(d, v3_make(1, 0, 0));
}

static void mass(const sg_solid_size *s, double m, sg_mass *out, double *volume)
{
    double L = s->size[0], W = s->size[1], T = s->size[2];
    double q = 0.5 * W, V = (L * W + SG_PI * q * q) * T;
    double mb = m / V * L * W * T;               // the box
    double mh = m / V * 0.5 * SG_PI * q * q * T; // a half cylinder, its center of mass at dc
    double dc = 4.0 / (3.0 * SG_PI) * q, arm = dc + 0.5 * L;
    double shift = mh * (arm * arm - dc * dc), flat = mh / 12.0 * (3.0 * q * q + T * T);
    double I[3] = {mb / 12.0 * (W * W + T * T) + 2.0 * flat,
                   mb / 12.0 * (T * T + L * L) + 2.0 * (flat + shift),
                   mb / 12.0 * (L * L + W * W) + 2.0 * (0.5 * mh * q * q + shift)};
    // Length, width and thickness lie along the axis and the two that follow it in a circle.
    sg_vec3 d = V3_ZERO;
    for (int i = 0; i < 3; i++)
        d = v3_with(d, (s->axis + i) % 3, I[i]);
    *volume = V;
    out->I_CM = m3_diagonal(d);
}

// The outline of a beam: length along z, width along x, and two half circles.
static void outline(sg_facets *f, double length, double width, double thickness)
{
    enum { N = 2 * (2 * SG_FACETS_QUARTER + 1) };
    sg_vec3 point[N], normal[N];
    for (int k = 0; k < N; k++) {
        int end = k / (2 * SG_FACETS_QUARTER + 1), step = k % (2 * SG_FACETS_QUARTER + 1);
        double angle = SG_PI * (end + (double)step / (2 * SG_FACETS_QUARTER));
        normal[k] = v3_make(cos(angle), 0.0, sin(angle));
        point[k] = v3_add(v3_scale(normal[k], 0.5 * width),
                          v3_make(0, 0, end ? -0.5 * length : 0.5 * length));
    }
    for (int side = -1; side <= 1; side += 2) {
        sg_vec3 shift = v3_make(0.0, 0.5 * side * thickness, 0.0), n = v3_make(0, side, 0);
        uint32_t first = (uint32_t)f->vertex.len;
        for (int k = 0; k < N; k++)
            sg_facets_put(f, v3_add(point[k], shift), n);
        for (uint32_t k = 1; k + 1 < N; k++)
            sg_facets_triangle(f, first, first + (side > 0 ? k + 1 : k),
                               first + (side > 0 ? k : k + 1));
    }
    uint32_t first = (uint32_t)f->vertex.len;
    for (int k = 0; k <= N; k++)
        for (int side = -1; side <= 1; side += 2)
            sg_facets_put(f, v3_add(point[k % N], v3_make(0, 0.5 * side * thickness, 0)),
                          normal[k % N]);
    for (uint32_t k = 0; k < N; k++) {
        uint32_t a = first + 2 * k;
        sg_facets_quad(f, a, a + 1, a + 3, a + 2);
    }
}

static void facets(sg_facets *f, const double *s) { outline(f, s[0], s[1], s[2]); }

const sg_shape_form sg_form_beam = {
    .key = {"length", "width", "thickness"},
    .standard = {1.0, 0.2, 0.1},
    .n_sizes = 3,
    .may_vanish = 1, // what is left between the round ends
    .has_axis = true,
    .make = make,
    .support = support,
    .support_piece = support_piece,
    .curvature = curvature,
    .least_curvature = least_curvature,
    .support_dd = support_dd,
    .from_core = from_core,
    .is_flat = true,
    .has_flats = true,
    .mass = mass,
    .facets = facets,
};
