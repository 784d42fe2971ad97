// A cylinder with half balls at its ends: a segment grown by its radius.

#include "base/number.h"
#include "math/scalar.h"
#include "shapes/shape_form.h"

extern const sg_shape_form sg_form_capsule;

sg_status sg_shape_capsule(int axis, double diameter, double length, sg_shape *out,
                           const char **why)
{
    double sizes[2] = {diameter, length};
    sg_status status = sg_shape_check_axis(axis, why);
    if (!status)
        status = sg_shape_check_sizes(sizes, 2, why);
    if (status)
        return status;
    *out = (sg_shape){.form = &sg_form_capsule,
                      .kind = SG_SHAPE_CAPSULE,
                      .core = SG_CORE_SEGMENT,
                      .axis = axis,
                      .radius = 0.5 * diameter,
                      .half = {0.0, 0.0, 0.5 * length},
                      .bound = 0.5 * (diameter + length),
                      .smallest = diameter,
                      .length = length};
    return SG_OK;
}

static sg_status make(const sg_solid_size *s, double smoothing, sg_shape *out, const char **why)
{
    (void)smoothing;
    return sg_shape_capsule(s->axis, s->size[0], s->size[1], out, why);
}

static sg_vec3 support(const sg_shape *shape, sg_vec3 n, uint32_t hint, uint32_t *piece)
{
    (void)hint;
    *piece = n.z < 0.0;
    return (sg_vec3){0.0, 0.0, sg_pick(n.z, shape->half.z)};
}

static sg_vec3 support_piece(const sg_shape *shape, uint32_t piece, sg_vec3 n)
{
    (void)n;
    return (sg_vec3){0.0, 0.0, piece ? -shape->half.z : shape->half.z};
}

static sg_dd3 support_dd(const sg_shape *s, sg_dd3 u, bool reference)
{
    (void)reference;
    return (sg_dd3){dd_from(0.0), dd_from(0.0), dd_from(sg_sign_dd(u.z) * s->half.z)};
}

static sg_core_field from_core(const sg_shape *shape, sg_vec3 p)
{
    return sg_field_from_segment(shape->half.z, p);
}

static double contact_radius(const sg_shape *shape) { return shape->radius; }

static void mass(const sg_solid_size *s, double m, sg_mass *out, double *volume)
{
    double r = 0.5 * s->size[0], L = s->size[1];
    double V = SG_PI * r * r * L + 4.0 / 3.0 * SG_PI * r * r * r;
    double mc = m / V * SG_PI * r * r * L;             // the cylinder
    double mh = m / V * 2.0 / 3.0 * SG_PI * r * r * r; // a half ball, its center of mass at dc
    double dc = 0.375 * r, ball = 0.4 * mh * r * r;
    double arm = dc + 0.5 * L;
    *volume = V;
    out->I_CM = sg_about_axis(s->axis, 0.5 * mc * r * r + 2.0 * ball,
                              mc / 12.0 * (3.0 * r * r + L * L) +
                                  2.0 * (ball + mh * (arm * arm - dc * dc)));
}

static void facets(sg_facets *f, const double *s) { sg_facets_capsule(f, 0.5 * s[0], s[1]); }

const sg_shape_form sg_form_capsule = {
    .key = {"diameter", "length"},
    .standard = {1.0, 1.0},
    .n_sizes = 2,
    .may_vanish = 2, // what is left between the round ends
    .has_axis = true,
    .make = make,
    .support = support,
    .support_piece = support_piece,
    .support_dd = support_dd,
    .from_core = from_core,
    .contact_radius = contact_radius,
    .mass = mass,
    .facets = facets,
};
