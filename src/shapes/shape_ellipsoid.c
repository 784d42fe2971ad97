// An ellipsoid along the axes of its frame.

#include "base/number.h"
#include "math/scalar.h"
#include "shapes/shape_form.h"

extern const sg_shape_form sg_form_ellipsoid;

sg_status sg_shape_ellipsoid(sg_vec3 lengths, sg_shape *out, const char **why)
{
    double sizes[3] = {lengths.x, lengths.y, lengths.z};
    sg_status status = sg_shape_check_sizes(sizes, 3, why);
    if (status)
        return status;
    double smallest = fmin(lengths.x, fmin(lengths.y, lengths.z));
    // No curvature radius of an ellipsoid is less than a^2/c, a the shortest and c the longest
    // semi-axis. A ball of that radius rolls freely inside (Blaschke), so it is a summand and can
    // be set aside; a little less of it leaves the core some volume.
    double rho = 0.45 * smallest * smallest / v3_max(lengths);
    *out = (sg_shape){.form = &sg_form_ellipsoid,
                      .kind = SG_SHAPE_ELLIPSOID,
                      .core = SG_CORE_SMOOTH,
                      .axis = 2,
                      .radius = rho,
                      .half = v3_scale(lengths, 0.5),
                      .bound = 0.5 * v3_max(lengths),
                      .inradius = 0.5 * smallest - rho,
                      .smallest = smallest,
                      .length = lengths.z,
                      .curved = true};
    return SG_OK;
}

static sg_status make(const sg_solid_size *s, double smoothing, sg_shape *out, const char **why)
{
    (void)smoothing;
    return sg_shape_ellipsoid(v3_from(s->size), out, why);
}

static sg_shape_kind really(const double *s)
{
    return s[0] == s[1] && s[1] == s[2] ? SG_SHAPE_SPHERE : SG_SHAPE_ELLIPSOID;
}

// The ellipsoid's own point less the ball that was set aside.
static sg_vec3 own_point(const sg_shape *shape, sg_vec3 n)
{
    sg_vec3 hn = v3_mul(shape->half, n), h = shape->half;
    double s = 1.0 / v3_norm(hn), rho = shape->radius;
    return (sg_vec3){h.x * hn.x * s - rho * n.x, h.y * hn.y * s - rho * n.y,
                     h.z * hn.z * s - rho * n.z};
}

static sg_vec3 support(const sg_shape *shape, sg_vec3 n, uint32_t hint, uint32_t *piece)
{
    (void)hint;
    *piece = 0;
    return own_point(shape, n);
}

static sg_vec3 support_piece(const sg_shape *shape, uint32_t piece, sg_vec3 n)
{
    (void)piece;
    return own_point(shape, n);
}

// h(n) = |D n|; its Hessian is (D D - p p') / h with the support point p = D D n / h. The ball set
// aside takes its radius off every curvature.
static bool curvature(const sg_shape *shape, uint32_t piece, sg_vec3 n, sg_vec3 e1, sg_vec3 e2,
                      double c[3])
{
    const sg_vec3 *h = &shape->half;
    sg_vec3 hn = v3_mul(*h, n);
    double s = 1.0 / v3_norm(hn);
    sg_vec3 p = v3_scale(v3_mul(*h, hn), s), d1 = v3_mul(*h, e1), d2 = v3_mul(*h, e2);
    double p1 = v3_dot(p, e1), p2 = v3_dot(p, e2);
    (void)piece;
    c[0] += s * (v3_dot(d1, d1) - p1 * p1) - shape->radius;
    c[1] += s * (v3_dot(d1, d2) - p1 * p2);
    c[2] += s * (v3_dot(d2, d2) - p2 * p2) - shape->radius;
    return true;
}

static void least_curvature(const sg_shape *shape, uint32_t met, sg_vec3 n, double tau, sg_vec3 e1,
                            sg_vec3 e2, double c[3])
{
    const sg_vec3 *h = &shape->half;
    sg_vec3 hn = v3_mul(*h, n), d1 = v3_mul(*h, e1), d2 = v3_mul(*h, e2);
    double s = 1.0 / v3_norm(hn), g1 = s * v3_dot(hn, d1), g2 = s * v3_dot(hn, d2);
    double D[3] = {v3_dot(d1, d1), v3_dot(d1, d2), v3_dot(d2, d2)}; // |D u|^2
    double half = 0.5 * (D[0] - D[2]);
    double most = 0.5 * (D[0] + D[2]) + sqrt(half * half + D[1] * D[1]);
    double b = 0.5 * s * (sqrt(most) + sqrt(g1 * g1 + g2 * g2)), q = s * sg_kept_curvature(b, tau);
    (void)met;
    c[0] += q * (D[0] - g1 * g1) - shape->radius;
    c[1] += q * (D[1] - g1 * g2);
    c[2] += q * (D[2] - g2 * g2) - shape->radius;
}

static sg_dd3 support_dd(const sg_shape *s, sg_dd3 u, bool reference)
{
    sg_dd3 hu = {dd_mul_d(u.x, s->half.x), dd_mul_d(u.y, s->half.y), dd_mul_d(u.z, s->half.z)};
    sg_dd l = dd3_norm(hu);
    (void)reference;
    return (sg_dd3){dd_div(dd_mul_d(hu.x, s->half.x), l), dd_div(dd_mul_d(hu.y, s->half.y), l),
                    dd_div(dd_mul_d(hu.z, s->half.z), l)};
}

static void mass(const sg_solid_size *s, double m, sg_mass *out, double *volume)
{
    const double *l = s->size;
    *volume = SG_PI / 6.0 * l[0] * l[1] * l[2];
    out->I_CM = sg_by_lengths(l, m / 20.0);
}

static void facets(sg_facets *f, const double *size)
{
    sg_facets_capsule(f, 1.0, 0.0);
    sg_vec3 half = v3_scale(v3_from(size), 0.5);
    for (size_t i = 0; i < f->vertex.len && !f->failed; i++) {
        sg_vec3 u = f->vertex.data[i];
        f->vertex.data[i] = v3_make(u.x * half.x, u.y * half.y, u.z * half.z);
        sg_vec3 n = v3_make(u.x * half.y * half.z, u.y * half.x * half.z, u.z * half.x * half.y);
        f->normal.data[i] = v3_norm(n) > 0.0 ? v3_unit(n) : u;
    }
}

const sg_shape_form sg_form_ellipsoid = {
    .key = {"lengthX", "lengthY", "lengthZ"},
    .standard = {1.0, 1.0, 1.0},
    .n_sizes = 3,
    .really = really,
    .make = make,
    .support = support,
    .support_piece = support_piece,
    .curvature = curvature,
    .least_curvature = least_curvature,
    .support_dd = support_dd,
    .dd_is_whole = true,
    .is_round = true,
    .mass = mass,
    .facets = facets,
};
