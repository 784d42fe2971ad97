// A superellipsoid: between a box, an ellipsoid and an octahedron, by two exponents.
//
//     (|x/a|^q + |y/b|^q)^(p/q) + |z/c|^p <= 1,   p = 2/e1, q = 2/e2,   a, b, c the semi-axes
//
// is the unit ball of a norm: the p-norm of |z/c| and of the q-norm of x/a and y/b. Its support
// function is the dual norm, the same with the conjugate exponents p' = 2/(2 - e1), q' = 2/(2 -
// e2):
//
//     h(n) = (s^p' + |w|^p')^(1/p'),   s = (|u|^q' + |v|^q')^(1/q'),   (u, v, w) = (a, b, c) n .
//
// e = 1 is an ellipsoid, e -> 0 a box, e -> 2 an octahedron. Where an exponent is less than 1 faces
// are nearly flat: the second derivative of h is without bound in the direction of their middle.
// Where it is more than 1 edges are nearly sharp, and the second derivative vanishes there.
// Volume and moments of inertia: [Jaklic2000] section 2.4, by products of beta functions.
#include "base/number.h"
#include "shapes/shape_form.h"

extern const sg_shape_form sg_form_superellipsoid;

// Beyond these the faces are flat and the edges sharp to the eye, and powers lose their digits.
static const double least_exponent = 0.1, largest_exponent = 1.9;

static const char *check(const double *size)
{
    for (int i = 3; i < 5; i++)
        if (!(size[i] >= least_exponent && size[i] <= largest_exponent))
            return "e1 and e2 of a superellipsoid must be between 0.1 and 1.9";
    return NULL;
}

static sg_shape_kind really(const double *s)
{
    if (s[3] != 1.0 || s[4] != 1.0)
        return SG_SHAPE_SUPERELLIPSOID;
    return s[0] == s[1] && s[1] == s[2] ? SG_SHAPE_SPHERE : SG_SHAPE_ELLIPSOID;
}

static sg_status make(const sg_solid_size *solid, double smoothing, sg_shape *out, const char **why)
{
    const double *size = solid->size;
    sg_status status = sg_shape_check_sizes(size, 3, why);
    const char *wrong = check(size);
    (void)smoothing;
    if (!status && wrong)
        status = sg_shape_refuse(wrong, why);
    if (status)
        return status;
    sg_vec3 lengths = v3_from(size), half = v3_scale(lengths, 0.5);
    double smallest = fmin(lengths.x, fmin(lengths.y, lengths.z));
    bool holds_ellipsoid = size[3] <= 1.0 && size[4] <= 1.0;  // else the octahedron of its tips
    bool within_ellipsoid = size[3] >= 1.0 && size[4] >= 1.0; // else the box of its lengths
    double tips = 1.0 / v3_norm(v3_make(1.0 / half.x, 1.0 / half.y, 1.0 / half.z));
    *out = (sg_shape){.form = &sg_form_superellipsoid,
                      .kind = SG_SHAPE_SUPERELLIPSOID,
                      .core = SG_CORE_SMOOTH,
                      .axis = 2,
                      .half = half,
                      .rb = 2.0 / (2.0 - size[3]),
                      .rt = 2.0 / (2.0 - size[4]),
                      .bound = within_ellipsoid ? 0.5 * v3_max(lengths) : v3_norm(half),
                      .inradius = holds_ellipsoid ? 0.5 * smallest : tips,
                      .smallest = smallest,
                      .length = lengths.z,
                      .curved = true};
    return SG_OK;
}

// The p-norm of two numbers that are not negative, without overflow.
static double norm_of(double x, double y, double p)
{
    double large = fmax(x, y), small = fmin(x, y);
    return small > 0.0 ? large * pow(1.0 + pow(small / large, p), 1.0 / p) : large;
}

// What the support function is made of; the shape keeps p' and q' as rb and rt.
typedef struct dual {
    double u, v, w; // absolute values
    double s, h;
    double hs;     // dh/ds
    double su, sv; // ds/du, ds/dv
} dual;

static double share(double part, double whole, double exponent)
{
    return part > 0.0 ? pow(part / whole, exponent - 1.0) : 0.0;
}

static dual dual_of(const sg_shape *shape, sg_vec3 n)
{
    sg_vec3 d = v3_mul(shape->half, n);
    double p = shape->rb, q = shape->rt;
    dual k = {.u = fabs(d.x), .v = fabs(d.y), .w = fabs(d.z)};
    k.s = norm_of(k.u, k.v, q);
    k.h = norm_of(k.s, k.w, p);
    k.hs = share(k.s, k.h, p);
    k.su = share(k.u, k.s, q);
    k.sv = share(k.v, k.s, q);
    return k;
}

static sg_vec3 own_point(const sg_shape *shape, sg_vec3 n)
{
    dual k = dual_of(shape, n);
    return v3_make(copysign(shape->half.x * k.hs * k.su, n.x),
                   copysign(shape->half.y * k.hs * k.sv, n.y),
                   copysign(shape->half.z * share(k.w, k.h, shape->rb), n.z));
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

// The second derivative of a p-norm N of (x, y) is (p - 1) x^(p-2) y^(p-2) N^(1-2p) times the outer
// product of (y, -x): this factor, with powers of ratios. False where it is without bound.
static bool bend(double x, double y, double norm, double p, double *out)
{
    *out = 0.0;
    if (!(x > 0.0 && y > 0.0))
        return p >= 2.0 || !(norm > 0.0);
    *out = (p - 1.0) * pow(x / norm, p - 2.0) * pow(y / norm, p - 2.0) / (norm * norm * norm);
    return isfinite(*out);
}

static bool curvature(const sg_shape *shape, uint32_t piece, sg_vec3 n, sg_vec3 e1, sg_vec3 e2,
                      double c[3])
{
    dual k = dual_of(shape, n);
    double outer, inner;
    (void)piece;
    if (!bend(k.s, k.w, k.h, shape->rb, &outer) || !bend(k.u, k.v, k.s, shape->rt, &inner))
        return false;
    sg_vec3 d1 = v3_mul(shape->half, e1), d2 = v3_mul(shape->half, e2);
    sg_vec3 a = {copysign(k.w * k.su, n.x), copysign(k.w * k.sv, n.y), n.z < 0.0 ? k.s : -k.s};
    sg_vec3 b = {copysign(k.v, n.x), n.y < 0.0 ? k.u : -k.u, 0.0};
    sg_add_outer(outer, v3_dot(a, d1), v3_dot(a, d2), c);
    sg_add_outer(k.hs * inner, v3_dot(b, d1), v3_dot(b, d2), c);
    return true;
}

static sg_dd3 support_dd(const sg_shape *shape, sg_dd3 u, bool reference)
{
    (void)reference;
    return dd3_from(own_point(shape, dd3_to_vec3(u)));
}

static double beta(double x, double y) { return tgamma(x) * tgamma(y) / tgamma(x + y); }

static void mass(const sg_solid_size *solid, double m, sg_mass *out, double *volume)
{
    const double *l = solid->size;
    double a = 0.5 * l[0], b = 0.5 * l[1], c = 0.5 * l[2], e1 = l[3], e2 = l[4];
    double abc = a * b * c * e1 * e2;
    *volume = 2.0 * abc * beta(0.5 * e1 + 1.0, e1) * beta(0.5 * e2, 0.5 * e2);
    // Integrals of x^2, y^2 and z^2 over the body, of density m / volume.
    double across = 0.5 * beta(1.5 * e2, 0.5 * e2) * beta(0.5 * e1, 2.0 * e1 + 1.0);
    double along = 2.0 * beta(0.5 * e2, 0.5 * e2 + 1.0) * beta(1.5 * e1, e1 + 1.0);
    double scale = m / *volume * abc;
    double xx = scale * a * a * across, yy = scale * b * b * across, zz = scale * c * c * along;
    out->I_CM = m3_diagonal(v3_make(yy + zz, xx + zz, xx + yy));
}

static double signed_power(double x, double e) { return copysign(pow(fabs(x), e), x); }

// A point of the sphere by latitude and longitude: their cosines and sines to the powers e1, e2.
static void facets(sg_facets *f, const double *l)
{
    double e1 = l[3], e2 = l[4];
    sg_facets_capsule(f, 1.0, 0.0);
    for (size_t i = 0; i < f->vertex.len && !f->failed; i++) {
        sg_vec3 u = f->vertex.data[i];
        double r = hypot(u.x, u.y), cosine = r > 0.0 ? u.x / r : 1.0,
               sine = r > 0.0 ? u.y / r : 0.0;
        double wide = pow(r, e1), steep = pow(r, 2.0 - e1);
        f->vertex.data[i] =
            v3_make(0.5 * l[0] * wide * signed_power(cosine, e2),
                    0.5 * l[1] * wide * signed_power(sine, e2), 0.5 * l[2] * signed_power(u.z, e1));
        sg_vec3 n = v3_make(steep * signed_power(cosine, 2.0 - e2) / l[0],
                            steep * signed_power(sine, 2.0 - e2) / l[1],
                            signed_power(u.z, 2.0 - e1) / l[2]);
        f->normal.data[i] = v3_norm(n) > 0.0 ? v3_unit(n) : u;
    }
}

const sg_shape_form sg_form_superellipsoid = {
    .key = {"lengthX", "lengthY", "lengthZ", "e1", "e2"},
    .standard = {1.0, 1.0, 1.0, 1.0, 1.0},
    .n_sizes = 5,
    .check = check,
    .really = really,
    .make = make,
    .support = support,
    .support_piece = support_piece,
    .curvature = curvature,
    .support_dd = support_dd,
    .mass = mass,
    .facets = facets,
};
