// A block along the axes of its frame.

#include "base/number.h"
#include "math/scalar.h"
#include "shapes/shape_form.h"

extern const sg_shape_form sg_form_box;

sg_status sg_shape_box(sg_vec3 lengths, double smoothing, sg_shape *out, const char **why)
{
    double sizes[3] = {lengths.x, lengths.y, lengths.z}, rho;
    sg_status status = sg_shape_check_sizes(sizes, 3, why);
    double smallest = fmin(lengths.x, fmin(lengths.y, lengths.z));
    if (!status)
        status = sg_shape_cut_smoothing(smoothing, smallest, &rho, why);
    if (status)
        return status;
    sg_vec3 half = v3_scale(lengths, 0.5);
    *out = (sg_shape){.form = &sg_form_box,
                      .kind = SG_SHAPE_BOX,
                      .core = SG_CORE_BOX,
                      .axis = 2,
                      .radius = rho,
                      .half = v3_sub(half, v3_make(rho, rho, rho)),
                      .bound = v3_norm(half),
                      .inradius = 0.5 * smallest - rho,
                      .smallest = smallest,
                      .length = lengths.z,
                      .smoothing = rho};
    return SG_OK;
}

static sg_status make(const sg_solid_size *s, double smoothing, sg_shape *out, const char **why)
{
    return sg_shape_box(v3_from(s->size), smoothing, out, why);
}

static sg_vec3 support(const sg_shape *shape, sg_vec3 n, uint32_t hint, uint32_t *piece)
{
    const sg_vec3 *h = &shape->half;
    (void)hint;
    *piece = (n.x < 0.0 ? 1u : 0u) | (n.y < 0.0 ? 2u : 0u) | (n.z < 0.0 ? 4u : 0u);
    return (sg_vec3){sg_pick(n.x, h->x), sg_pick(n.y, h->y), sg_pick(n.z, h->z)};
}

static sg_vec3 support_piece(const sg_shape *shape, uint32_t piece, sg_vec3 n)
{
    const sg_vec3 *h = &shape->half;
    (void)n;
    return (sg_vec3){piece & 1 ? -h->x : h->x, piece & 2 ? -h->y : h->y, piece & 4 ? -h->z : h->z};
}

static sg_dd3 support_dd(const sg_shape *s, sg_dd3 u, bool reference)
{
    (void)reference;
    return (sg_dd3){dd_from(sg_sign_dd(u.x) * s->half.x), dd_from(sg_sign_dd(u.y) * s->half.y),
                    dd_from(sg_sign_dd(u.z) * s->half.z)};
}

static sg_core_field from_core(const sg_shape *shape, sg_vec3 p)
{
    sg_vec3 half = shape->half;
    sg_vec3 over = {fabs(p.x) - half.x, fabs(p.y) - half.y, fabs(p.z) - half.z};
    sg_vec3 sign = {p.x < 0 ? -1 : 1, p.y < 0 ? -1 : 1, p.z < 0 ? -1 : 1};
    if (over.x <= 0.0 && over.y <= 0.0 && over.z <= 0.0) { // inside: the nearest face
        int axis = over.x >= over.y && over.x >= over.z ? 0 : over.y >= over.z ? 1 : 2;
        return (sg_core_field){v3_get(over, axis), v3_scale(v3_axis(axis), v3_get(sign, axis))};
    }
    sg_vec3 d = {sign.x * s_max(over.x, 0.0), sign.y * s_max(over.y, 0.0),
                 sign.z * s_max(over.z, 0.0)};
    return sg_field_along(d, v3_make(1, 0, 0));
}

static void mass(const sg_solid_size *s, double m, sg_mass *out, double *volume)
{
    const double *l = s->size;
    *volume = l[0] * l[1] * l[2];
    out->I_CM = sg_by_lengths(l, m / 12.0);
}

static void facets(sg_facets *f, const double *size)
{
    for (int axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side += 2) {
            uint32_t c[4];
            for (int k = 0; k < 4; k++) {
                double x[3], n[3] = {0};
                double u = k == 1 || k == 2 ? 0.5 : -0.5, v = k >= 2 ? 0.5 : -0.5;
                n[axis] = side;
                x[axis] = 0.5 * side * size[axis];
                x[(axis + 1) % 3] = side * u * size[(axis + 1) % 3];
                x[(axis + 2) % 3] = v * size[(axis + 2) % 3];
                c[k] = sg_facets_put(f, v3_from(x), v3_from(n));
            }
            sg_facets_quad(f, c[0], c[1], c[2], c[3]);
        }
}

const sg_shape_form sg_form_box = {
    .key = {"lengthX", "lengthY", "lengthZ"},
    .standard = {1.0, 1.0, 1.0},
    .n_sizes = 3,
    .make = make,
    .support = support,
    .support_piece = support_piece,
    .support_dd = support_dd,
    .from_core = from_core,
    .is_flat = true,
    .has_flats = true,
    .mass = mass,
    .facets = facets,
};
