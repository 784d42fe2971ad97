// A ball: a point grown by its radius.

#include "base/number.h"
#include "math/scalar.h"
#include "shapes/shape_form.h"

extern const sg_shape_form sg_form_sphere;

sg_status sg_shape_sphere(double diameter, sg_shape *out, const char **why)
{
    sg_status status = sg_shape_check_sizes(&diameter, 1, why);
    if (status)
        return status;
    *out = (sg_shape){.form = &sg_form_sphere,
                      .kind = SG_SHAPE_SPHERE,
                      .core = SG_CORE_POINT,
                      .axis = 2,
                      .radius = 0.5 * diameter,
                      .bound = 0.5 * diameter,
                      .smallest = diameter,
                      .length = diameter};
    return SG_OK;
}

static sg_status make(const sg_solid_size *s, double smoothing, sg_shape *out, const char **why)
{
    (void)smoothing;
    return sg_shape_sphere(s->size[0], out, why);
}

static sg_vec3 support(const sg_shape *shape, sg_vec3 n, uint32_t hint, uint32_t *piece)
{
    (void)shape, (void)n, (void)hint;
    *piece = 0;
    return V3_ZERO;
}

static sg_vec3 support_piece(const sg_shape *shape, uint32_t piece, sg_vec3 n)
{
    (void)shape, (void)piece, (void)n;
    return V3_ZERO;
}

static sg_dd3 support_dd(const sg_shape *shape, sg_dd3 u, bool reference)
{
    (void)shape, (void)u, (void)reference;
    return dd3_from(V3_ZERO);
}

static sg_core_field from_core(const sg_shape *shape, sg_vec3 p)
{
    (void)shape;
    return sg_field_along(p, v3_make(1, 0, 0));
}

static double contact_radius(const sg_shape *shape) { return shape->radius; }

static void mass(const sg_solid_size *s, double m, sg_mass *out, double *volume)
{
    const double *l = s->size;
    *volume = SG_PI / 6.0 * l[0] * l[0] * l[0];
    out->I_CM = m3_scale(M3_IDENTITY, 0.1 * m * l[0] * l[0]);
}

static void facets(sg_facets *f, const double *s) { sg_facets_capsule(f, 0.5 * s[0], 0.0); }

const sg_shape_form sg_form_sphere = {
    .key = {"diameter"},
    .standard = {1.0},
    .n_sizes = 1,
    .make = make,
    .support = support,
    .support_piece = support_piece,
    .support_dd = support_dd,
    .from_core = from_core,
    .is_round = true,
    .contact_radius = contact_radius,
    .mass = mass,
    .facets = facets,
};
