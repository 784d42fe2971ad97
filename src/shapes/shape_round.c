// Cylinders and cones, cut off or not: what lies between two disks on one axis.

#include "base/number.h"
#include "math/scalar.h"
#include "shapes/shape_form.h"

extern const sg_shape_form sg_form_cylinder, sg_form_cone;

// Radius of the ball around the centroid that fits into the frustum.
static double frustum_inradius(const sg_shape *s)
{
    double dr = s->rb - s->rt, height = s->z1 - s->z0, slant = sqrt(dr * dr + height * height);
    double c = s->centroid.z - s->z0;
    double side = (s->rb * height - dr * c) / slant;
    return fmin(side, fmin(c, height - c));
}

static double frustum_bound(double rb, double rt, double below, double above)
{
    return fmax(sqrt(rb * rb + below * below), sqrt(rt * rt + above * above));
}

sg_status sg_shape_cylinder(int axis, double diameter, double length, double smoothing,
                            sg_shape *out, const char **why)
{
    double sizes[2] = {diameter, length}, rho;
    sg_status status = sg_shape_check_axis(axis, why);
    if (!status)
        status = sg_shape_check_sizes(sizes, 2, why);
    if (!status)
        status = sg_shape_cut_smoothing(smoothing, fmin(diameter, length), &rho, why);
    if (status)
        return status;
    double r = 0.5 * diameter, h = 0.5 * length;
    *out = (sg_shape){.form = &sg_form_cylinder,
                      .kind = SG_SHAPE_CYLINDER,
                      .core = SG_CORE_FRUSTUM,
                      .axis = axis,
                      .radius = rho,
                      .rb = r - rho,
                      .rt = r - rho,
                      .z0 = -(h - rho),
                      .z1 = h - rho,
                      .bound = frustum_bound(r, r, h, h),
                      .smallest = fmin(diameter, length),
                      .length = length,
                      .smoothing = rho,
                      .curved = true};
    out->inradius = frustum_inradius(out);
    return SG_OK;
}

sg_status sg_shape_cone(int axis, double diameter, double top_diameter, double length, double base,
                        double smoothing, sg_shape *out, const char **why)
{
    double sizes[2] = {diameter, length}, rho;
    sg_status status = sg_shape_check_axis(axis, why);
    if (!status)
        status = sg_shape_check_sizes(sizes, 2, why);
    if (!status && (!(top_diameter >= 0.0) || !(top_diameter < diameter)))
        status = sg_shape_refuse("the top diameter of a cone is not in [0, diameter)", why);
    if (!status && !isfinite(base))
        status = sg_shape_refuse("a size is not a finite number", why);
    if (!status)
        status = sg_shape_cut_smoothing(smoothing, fmin(diameter, length), &rho, why);
    if (status)
        return status;
    double b = 0.5 * diameter, t = 0.5 * top_diameter, dr = b - t;
    double slant = sqrt(dr * dr + length * length), cut = rho / length;
    double rb = b - cut * (slant + dr), rt = t - cut * (slant - dr), z1 = length - rho;
    if (rt < 0.0 || t == 0.0) { // the shrunk side meets the axis below the shrunk top
        rt = 0.0;
        z1 = (b - rho * slant / length) * length / dr;
    }
    double q = b * b + b * t + t * t;
    *out = (sg_shape){.form = &sg_form_cone,
                      .kind = SG_SHAPE_CONE,
                      .core = SG_CORE_FRUSTUM,
                      .axis = axis,
                      .radius = rho,
                      .rb = rb,
                      .rt = rt,
                      .base_radius = b,
                      .top_radius = t,
                      .z0 = base + rho,
                      .z1 = base + z1,
                      .smallest = fmin(diameter, length),
                      .length = length,
                      .smoothing = rho,
                      .curved = true};
    // Height of the centroid over the base: L/4 (b^2 + 2 b t + 3 t^2) / (b^2 + b t + t^2).
    out->centroid.z = base + 0.25 * length * (b * b + 2 * b * t + 3 * t * t) / q;
    double above_base = out->centroid.z - base;
    out->bound = frustum_bound(b, t, above_base, length - above_base);
    out->inradius = frustum_inradius(out);
    return SG_OK;
}

static sg_status make_cylinder(const sg_solid_size *s, double smoothing, sg_shape *out,
                               const char **why)
{
    return sg_shape_cylinder(s->axis, s->size[0], s->size[1], smoothing, out, why);
}

static sg_status make_cone(const sg_solid_size *s, double smoothing, sg_shape *out,
                           const char **why)
{
    return sg_shape_cone(s->axis, s->size[0], s->size[2], s->size[1], s->base, smoothing, out, why);
}

// A point on a circle of radius r around the axis; any point when the direction is along it.
static sg_vec3 rim(double r, double z, sg_vec3 n, double across)
{
    if (across > 0.0) {
        double s = r / across;
        return (sg_vec3){s * n.x, s * n.y, z};
    }
    return (sg_vec3){r, 0.0, z};
}

static sg_vec3 support(const sg_shape *shape, sg_vec3 n, uint32_t hint, uint32_t *piece)
{
    double across = sqrt(n.x * n.x + n.y * n.y);
    bool top = shape->rt * across + shape->z1 * n.z > shape->rb * across + shape->z0 * n.z;
    (void)hint;
    *piece = top;
    return top ? rim(shape->rt, shape->z1, n, across) : rim(shape->rb, shape->z0, n, across);
}

static sg_vec3 support_piece(const sg_shape *shape, uint32_t piece, sg_vec3 n)
{
    double across = sqrt(n.x * n.x + n.y * n.y);
    return piece ? rim(shape->rt, shape->z1, n, across) : rim(shape->rb, shape->z0, n, across);
}

static bool curvature(const sg_shape *shape, uint32_t piece, sg_vec3 n, sg_vec3 e1, sg_vec3 e2,
                      double c[3])
{
    double r = piece ? shape->rt : shape->rb, a2 = n.x * n.x + n.y * n.y;
    if (r == 0.0)
        return true;
    if (!(a2 > 0.0))
        return false;
    double t1 = n.x * e1.y - n.y * e1.x, t2 = n.x * e2.y - n.y * e2.x;
    sg_add_outer(r / (a2 * sqrt(a2)), t1, t2, c);
    return true;
}

static void least_curvature(const sg_shape *shape, uint32_t met, sg_vec3 n, double tau, sg_vec3 e1,
                            sg_vec3 e2, double c[3])
{
    double r = met == 1 ? shape->rb : met == 2 ? shape->rt : s_min(shape->rb, shape->rt);
    sg_add_outer(r * sg_least_of_rim(n.x * n.x + n.y * n.y, n.z, tau), n.x * e1.y - n.y * e1.x,
                 n.x * e2.y - n.y * e2.x, c);
}

static sg_dd3 cylinder_dd(const sg_shape *s, sg_dd3 u, bool reference)
{
    sg_dd3 p;
    (void)reference;
    sg_radial_dd(s->rb, u.x, u.y, sg_across_dd(u.x, u.y), &p.x, &p.y);
    p.z = dd_from(sg_sign_dd(u.z) * s->z1);
    return p;
}

// A cone answers with its top when the direction is steeper than the normal of its side. The
// reference places the smoothed rims a little off: its base rises by rho / un, and a frustum's
// radii are those of a full cone.
static sg_dd3 cone_dd(const sg_shape *s, sg_dd3 u, bool reference)
{
    double rho = s->smoothing, length = s->length;
    double base = s->z0 - rho, b = s->base_radius, t = s->top_radius, dr = b - t;
    double slant = sqrt(dr * dr + length * length);
    sg_dd un = sg_across_dd(u.x, u.y);
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
    sg_radial_dd(r, u.x, u.y, un, &p.x, &p.y);
    p.z = dd_from(z);
    return p;
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

static sg_core_field from_core(const sg_shape *c, sg_vec3 p)
{
    sg_core_field radial = sg_field_along(v3_make(p.x, p.y, 0.0), v3_make(1, 0, 0));
    double gs, gz, d = from_trapezoid(c, radial.d, p.z, &gs, &gz);
    return (sg_core_field){d, v3_make(gs * radial.g.x, gs * radial.g.y, gz)};
}

static double cone_contact_radius(const sg_shape *s)
{
    return 0.5 * (s->base_radius + s->top_radius);
}

static void cylinder_mass(const sg_solid_size *s, double m, sg_mass *out, double *volume)
{
    double R = 0.5 * s->size[0], L = s->size[1], r = 0.5 * s->size[2];
    double rr = R * R + r * r;
    *volume = SG_PI * (R * R - r * r) * L;
    out->I_CM = sg_about_axis(s->axis, 0.5 * m * rr, m / 12.0 * (3.0 * rr + L * L));
}

// Slices of a frustum are disks: their areas and moments are polynomials of the height. Taking a
// tip from a full cone gives the same but loses all digits where the two diameters are close.
static void cone_mass(const sg_solid_size *s, double m, sg_mass *out, double *volume)
{
    double R = 0.5 * s->size[0], L = s->size[1], r = 0.5 * s->size[2];
    double RR = R * R, Rr = R * r, rr = r * r, sum = RR + Rr + rr;
    double h = 0.25 * L * (RR + 2.0 * Rr + 3.0 * rr) / sum;
    double fourth = (RR * RR + RR * Rr + Rr * Rr + Rr * rr + rr * rr) / sum;
    double along = 0.3 * m * fourth;
    double across = 0.5 * along + m * (0.1 * L * L * (RR + 3.0 * Rr + 6.0 * rr) / sum - h * h);
    *volume = SG_PI / 3.0 * L * sum;
    out->c = v3_scale(v3_axis(s->axis), h);
    out->I_CM = sg_about_axis(s->axis, along, across);
}

static void pipe(sg_facets *f, double outer, double inner, double half)
{
    sg_facets_disk(f, inner, outer, -half, -1.0);
    sg_facets_strip(f, (sg_profile_point){outer, -half, 1, 0},
                    (sg_profile_point){outer, half, 1, 0});
    sg_facets_disk(f, inner, outer, half, 1.0);
    sg_facets_strip(f, (sg_profile_point){inner, half, -1, 0},
                    (sg_profile_point){inner, -half, -1, 0});
}

static void cylinder_facets(sg_facets *f, const double *s)
{
    if (s[2] > 0.0)
        pipe(f, 0.5 * s[0], 0.5 * s[2], 0.5 * s[1]);
    else
        sg_facets_cone(f, 0.5 * s[0], 0.5 * s[0], -0.5 * s[1], 0.5 * s[1]);
}

static void cone_facets(sg_facets *f, const double *s)
{
    sg_facets_cone(f, 0.5 * s[0], 0.5 * s[2], 0.0, s[1]);
}

const sg_shape_form sg_form_cylinder = {
    .key = {"diameter", "length", "innerDiameter"},
    .standard = {1.0, 1.0, 0.0},
    .n_sizes = 2,
    .inner = 2,
    .has_axis = true,
    .make = make_cylinder,
    .support = support,
    .support_piece = support_piece,
    .curvature = curvature,
    .least_curvature = least_curvature,
    .support_dd = cylinder_dd,
    .from_core = from_core,
    .has_flats = true,
    .mass = cylinder_mass,
    .facets = cylinder_facets,
};

const sg_shape_form sg_form_cone = {
    .key = {"diameter", "length", "topDiameter"},
    .standard = {1.0, 1.0, 0.0},
    .n_sizes = 2,
    .inner = 2,
    .has_axis = true,
    .make = make_cone,
    .support = support,
    .support_piece = support_piece,
    .curvature = curvature,
    .least_curvature = least_curvature,
    .support_dd = cone_dd,
    .from_core = from_core,
    .has_flats = true,
    .contact_radius = cone_contact_radius,
    .mass = cone_mass,
    .facets = cone_facets,
};
