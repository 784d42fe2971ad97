// Two shapes and their places from bytes: whatever they are, a query ends with an answer that holds
// or with a status and a message.
//
// What must hold of an answer: finite numbers, a unit normal, b - a = delta n, the support plane
// along the normal where delta says it is, and no direction of a sweep with less depth. Plain MPR
// is asked too and must agree in sign. The first byte of each shape is its kind; sizes come as
// bytes on a logarithmic scale or, rarely, as raw doubles, so that NaN, zero, negative and huge
// values occur.
#include "collide/distance.h"
#include "collide/mpr.h"
#include "math/quat.h"
#include "shapes/support.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct bytes {
    const uint8_t *at, *end;
} bytes;

static unsigned next_byte(bytes *b) { return b->at < b->end ? *b->at++ : 0; }

static double next_raw(bytes *b)
{
    uint8_t raw[8];
    double x;
    for (int i = 0; i < 8; i++)
        raw[i] = (uint8_t)next_byte(b);
    memcpy(&x, raw, sizeof x);
    return x;
}

static double next_size(bytes *b)
{
    unsigned c = next_byte(b);
    return c == 255 ? next_raw(b) : 0.01 * exp2(c / 32.0);
}

static double next_coordinate(bytes *b)
{
    unsigned c = next_byte(b);
    return c == 255 ? next_raw(b) : ((double)c - 127.0) / 64.0 + (double)next_byte(b) * 1e-9;
}

static bool next_shape(bytes *b, sg_shape *shape, sg_mesh *mesh)
{
    const char *why = NULL;
    sg_status status = SG_ERR_INPUT;
    unsigned kind = next_byte(b) % 8;
    int axis = (int)(next_byte(b) % 4);
    double d[3] = {next_size(b), next_size(b), next_size(b)};
    double rho = next_byte(b) % 2 ? next_size(b) : 0.0;
    switch (kind) {
    case 0:
        status = sg_shape_sphere(d[0], shape, &why);
        break;
    case 1:
        status = sg_shape_box(v3_from(d), rho, shape, &why);
        break;
    case 2:
        status = sg_shape_ellipsoid(v3_from(d), shape, &why);
        break;
    case 3:
        status = sg_shape_capsule(axis, d[0], d[1], shape, &why);
        break;
    case 4:
        status = sg_shape_cylinder(axis, d[0], d[1], rho, shape, &why);
        break;
    case 5:
        status = sg_shape_cone(axis, d[0], d[2] * 0.5, d[1], 0.0, rho, shape, &why);
        break;
    case 6:
        status = sg_shape_beam(axis, d[0], d[1], d[2], rho, shape, &why);
        break;
    default: {
        sg_vec3 v[24];
        size_t n = next_byte(b) % 25;
        for (size_t i = 0; i < n; i++)
            v[i] = v3_make(next_coordinate(b), next_coordinate(b), next_coordinate(b));
        status = sg_mesh_hull(sg_allocator_default(), v, n, mesh, &why);
        if (!status)
            status = sg_shape_mesh(mesh, shape, &why);
        break;
    }
    }
    if (status && !why)
        abort(); // a refusal must say why
    return status == SG_OK;
}

static sg_pose next_pose(bytes *b)
{
    sg_quat q = {next_coordinate(b), next_coordinate(b), next_coordinate(b), next_coordinate(b)};
    sg_vec3 r = {next_coordinate(b), next_coordinate(b), next_coordinate(b)};
    double l = q_norm(q);
    if (next_byte(b) % 8 == 0 || !(l > 0.0 && l < 1e100)) // aligned frames matter most
        return pose_translation(r);
    return pose_make(q_to_mat3(q_unit(q)), r);
}

static double support_value(const sg_shape *s, const sg_pose *pose, sg_vec3 n, sg_vec3 from)
{
    sg_pose frame = sg_shape_frame(s, pose);
    uint32_t piece = UINT32_MAX;
    sg_vec3 u = v3_unit(m3_tmul_v(&frame.R, n)), p = sg_support(s, u, piece, &piece);
    return v3_dot(n, v3_sub(frame.r, from)) + v3_dot(u, p) + s->radius;
}

static double value(const sg_shape *a, const sg_pose *pa, const sg_shape *b, const sg_pose *pb,
                    sg_vec3 n)
{
    return support_value(a, pa, n, pa->r) + support_value(b, pb, v3_neg(n), pa->r);
}

static void check(const sg_shape *a, const sg_pose *pa, const sg_shape *b, const sg_pose *pb,
                  const sg_distance_result *r)
{
    double size = 0.5 * (a->bound + b->bound), reach = v3_distance(pa->r, pb->r);
    double far = fmax(v3_max_abs(pa->r), v3_max_abs(pb->r));
    double tol = 1e-12 * size + 4e-16 * reach;
    if (!isfinite(r->delta) || !v3_is_finite(r->a) || !v3_is_finite(r->b) ||
        !(fabs(v3_norm(r->n) - 1.0) < 1e-14))
        abort();
    sg_vec3 miss = v3_sub(v3_sub(r->b, r->a), v3_scale(r->n, r->delta));
    if (!(v3_norm(miss) <= tol + 1e-14 * far))
        abort();
    // Thin shapes of very unlike sizes are beyond the promise; there only the above holds.
    double thin = fmin(a->smallest, b->smallest);
    if (thin < 1e-4 * size || far > 1e3 * size || a->bound > 1e3 * b->bound ||
        b->bound > 1e3 * a->bound)
        return;
    if (!(fabs(value(a, pa, b, pb, r->n) + r->delta) <= tol))
        abort();
    for (int i = 0; i < 40; i++) { // a sweep of directions on a spiral
        double z = 1.0 - (2.0 * i + 1.0) / 40.0, phi = 2.399963229728653 * i, c = sqrt(1.0 - z * z);
        sg_vec3 n = {c * cos(phi), c * sin(phi), z};
        if (value(a, pa, b, pb, n) < -r->delta - tol)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static sg_distance_work work;
    bytes in = {data, data + size};
    sg_mesh mesh[2] = {0};
    sg_shape a, b;
    bool good = next_shape(&in, &a, &mesh[0]) && next_shape(&in, &b, &mesh[1]);
    if (good) {
        sg_distance_options options = sg_distance_options_make();
        unsigned flags = next_byte(&in);
        options.closed_forms = flags & 1;
        sg_pose pa = next_pose(&in);
        sg_distance_memory memory = {0};
        for (int k = 0; k < 3 && in.at < in.end; k++) { // the later ones warm
            sg_pose pb = next_pose(&in);
            sg_distance_result r;
            sg_status status = sg_signed_distance(&a, &pa, &b, &pb, &options,
                                                  flags & 2 ? &memory : NULL, &work, &r);
            if (status == SG_OK)
                check(&a, &pa, &b, &pb, &r);
            else if (!r.message)
                abort();
            sg_mpr_options plain = sg_mpr_options_make();
            sg_mpr_result m;
            if (sg_mpr(&a, &pa, &b, &pb, &plain, &m) != SG_OK && !m.message)
                abort();
        }
    }
    sg_mesh_destroy(&mesh[0]);
    sg_mesh_destroy(&mesh[1]);
    return 0;
}
