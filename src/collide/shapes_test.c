#include "collide/shapes_test.h"

#include "harness/sg_test_math.h"
#include "shapes/support.h"

#include <stdlib.h>

const char *test_kind_name(int kind)
{
    static const char *const names[TEST_KINDS + 1] = {
        "sphere", "box",  "ellipsoid", "capsule",   "cylinder",      "cone",
        "beam",   "mesh", "frustum",   "sharp box", "superellipsoid"};
    return names[kind];
}

static void random_mesh(sg_rng *rng, double size, double aspect, test_shape *out)
{
    const char *why;
    double s[3];
    for (int i = 0; i < 3; i++)
        s[i] = 0.5 * size * pow(aspect, -sg_rng_uniform(rng, 0, 1));
    out->nv = 8 + (int)(sg_rng_u64(rng) % 60);
    out->vertex = malloc((size_t)out->nv * sizeof *out->vertex);
    for (int i = 0; i < out->nv; i++) {
        sg_vec3 u = sg_rng_direction(rng);
        out->vertex[i] = v3_make(s[0] * u.x, s[1] * u.y, s[2] * u.z);
    }
    sg_status status =
        sg_mesh_hull(sg_allocator_default(), out->vertex, (size_t)out->nv, &out->mesh, &why);
    if (!status)
        status = sg_shape_mesh(&out->mesh, &out->shape, &why);
    SG_CHECK_MSG(status == SG_OK, "mesh: %s", why);
}

void test_shape_random(sg_rng *rng, int kind, double size, double aspect, bool rounded,
                       test_shape *out)
{
    const char *why = "";
    *out = (test_shape){.kind = kind, .size = size};
    for (int i = 0; i < 4; i++)
        out->d[i] = size * pow(aspect, -sg_rng_uniform(rng, 0, 1));
    int axis = out->axis = (int)(sg_rng_u64(rng) % 3);
    out->rho = rounded ? 0.05 * size * sg_rng_uniform(rng, 0, 1) : 0.0;
    const double *d = out->d;
    sg_status status = SG_OK;
    switch (kind) {
    case 0:
        status = sg_shape_sphere(d[0], &out->shape, &why);
        break;
    case 1:
    case 9:
        status = sg_shape_box(v3_from(d), kind == 9 ? 0.0 : out->rho, &out->shape, &why);
        break;
    case 2:
        status = sg_shape_ellipsoid(v3_from(d), &out->shape, &why);
        break;
    case 3:
        status = sg_shape_capsule(axis, d[0], d[1], &out->shape, &why);
        break;
    case 4:
        status = sg_shape_cylinder(axis, d[0], d[1], out->rho, &out->shape, &why);
        break;
    case 5:
        status = sg_shape_cone(axis, d[0], 0.0, d[1], 0.0, out->rho, &out->shape, &why);
        break;
    case 6:
        status = sg_shape_beam(axis, d[0], d[1], d[2], out->rho, &out->shape, &why);
        break;
    case 7:
        random_mesh(rng, size, aspect, out);
        break;
    case TEST_SUPERELLIPSOID: {
        sg_solid_size solid = {.kind = SG_SHAPE_SUPERELLIPSOID};
        for (int k = 0; k < 5; k++)
            solid.size[k] = out->d[k] = k < 3 ? d[k] : sg_rng_uniform(rng, 0.3, 1.7);
        status = sg_shape_forms[solid.kind]->make(&solid, 0.0, &out->shape, &why);
        break;
    }
    default:
        out->d[1] = d[0] * sg_rng_uniform(rng, 0.05, 0.95);
        status = sg_shape_cone(axis, d[0], d[1], d[2], -0.5 * d[2], out->rho, &out->shape, &why);
        break;
    }
    SG_CHECK_MSG(status == SG_OK, "%s: %s", test_kind_name(kind), why);
}

void test_shape_destroy(test_shape *shape)
{
    free(shape->vertex);
    sg_mesh_destroy(&shape->mesh);
}

SG_TEST(no_point_of_a_shape_lies_beyond_its_support_point)
{
    sg_rng rng = sg_rng_seeded(21);
    for (int kind = 0; kind < TEST_KINDS; kind++)
        for (int i = 0; i < 40; i++) {
            test_shape t;
            test_shape_random(&rng, kind, 1.0, 20.0, true, &t);
            sg_vec3 other[64];
            for (int k = 0; k < 64; k++) {
                uint32_t piece = UINT32_MAX;
                other[k] = sg_support(&t.shape, sg_rng_direction(&rng), piece, &piece);
            }
            for (int k = 0; k < 100; k++) {
                sg_vec3 n = sg_rng_direction(&rng);
                uint32_t piece = UINT32_MAX, again = UINT32_MAX;
                sg_vec3 p = sg_support(&t.shape, n, piece, &piece);
                for (int j = 0; j < 64; j++)
                    SG_CHECK_MSG(v3_dot(n, other[j]) <= v3_dot(n, p) + 1e-15, "%s",
                                 test_kind_name(kind));
                // The piece that answered gives the same point when asked by its number, and a
                // hint does not change the answer.
                SG_CHECK(v3_distance(sg_support_piece(&t.shape, piece, n), p) < 1e-15);
                sg_vec3 hinted = sg_support(&t.shape, n, (uint32_t)k, &again);
                SG_NEAR(v3_dot(n, hinted), v3_dot(n, p), 1e-15, 1.0);
            }
            test_shape_destroy(&t);
        }
}

SG_TEST(the_support_point_is_the_gradient_and_the_curvature_the_second_derivative)
{
    sg_rng rng = sg_rng_seeded(22);
    const double h = 1e-5;
    for (int kind = 0; kind < TEST_KINDS; kind++)
        for (int i = 0; i < 200; i++) {
            test_shape t;
            test_shape_random(&rng, kind, 1.0, 5.0, true, &t);
            sg_vec3 n = sg_rng_direction(&rng), e1 = v3_perpendicular(n), e2 = v3_cross(n, e1);
            uint32_t piece = UINT32_MAX;
            sg_support(&t.shape, n, piece, &piece);
            double c[3] = {0, 0, 0};
            SG_REQUIRE(sg_support_curvature(&t.shape, piece, n, e1, e2, c));
            sg_vec3 p1 = sg_support_piece(&t.shape, piece, v3_add_scaled(n, e1, h));
            sg_vec3 m1 = sg_support_piece(&t.shape, piece, v3_add_scaled(n, e1, -h));
            sg_vec3 d = v3_scale(v3_sub(p1, m1), 0.5 / h);
            double scale = 1.0 + fabs(c[0]) + fabs(c[2]);
            if (scale < 50.0) { // near the axis of a rim differences of this width say nothing
                SG_NEAR(v3_dot(e1, d), c[0], 1e-5, scale);
                SG_NEAR(v3_dot(e2, d), c[1], 1e-5, scale);
                SG_NEAR(v3_dot(n, d), 0.0, 1e-5, scale);
            }
            test_shape_destroy(&t);
        }
}

SG_TEST(a_smoothed_shape_reaches_as_far_as_the_sharp_one_across_its_faces)
{
    const char *why;
    sg_shape sharp, smooth;
    for (int axis = 0; axis < 3; axis++) {
        SG_REQUIRE(sg_shape_cone(axis, 0.6, 0.2, 0.8, 0.0, 0.0, &sharp, &why) == SG_OK);
        SG_REQUIRE(sg_shape_cone(axis, 0.6, 0.2, 0.8, 0.0, 0.02, &smooth, &why) == SG_OK);
        double slant = sqrt(0.2 * 0.2 + 0.8 * 0.8);
        const sg_vec3 normals[] = {{0, 0, -1}, {0, 0, 1}, {0.8 / slant, 0, 0.2 / slant}};
        for (int i = 0; i < 3; i++) {
            uint32_t piece = 0;
            double a = v3_dot(normals[i], sg_support(&sharp, normals[i], 0, &piece));
            double b = v3_dot(normals[i], sg_support(&smooth, normals[i], 0, &piece));
            SG_NEAR(b + smooth.radius, a, 1e-15, 1.0);
        }
    }
    SG_REQUIRE(sg_shape_beam(2, 1.0, 0.4, 0.2, 0.01, &smooth, &why) == SG_OK);
    uint32_t piece = 0;
    SG_NEAR(sg_support(&smooth, v3_make(0, 0, 1), 0, &piece).z + smooth.radius, 0.7, 1e-15, 1.0);
    SG_REQUIRE(sg_shape_box(v3_make(1, 0.2, 3), 0.5, &smooth, &why) == SG_OK);
    SG_NEAR(smooth.smoothing, 0.02, 1e-15, 1.0); // cut to a tenth of the smallest length
}

SG_TEST(sizes_that_are_no_sizes_are_refused_with_a_reason)
{
    const double bad[] = {0.0, -1.0, NAN, INFINITY, 1e-200};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *why = NULL;
        sg_shape s;
        double x = bad[i];
        SG_CHECK(sg_shape_sphere(x, &s, &why) == SG_ERR_INPUT && why);
        SG_CHECK(sg_shape_box(v3_make(1, x, 1), 0, &s, &why) == SG_ERR_INPUT);
        SG_CHECK(sg_shape_ellipsoid(v3_make(x, 1, 1), &s, &why) == SG_ERR_INPUT);
        SG_CHECK(sg_shape_capsule(0, x, 1, &s, &why) == SG_ERR_INPUT);
        SG_CHECK(sg_shape_cylinder(0, 1, x, 0, &s, &why) == SG_ERR_INPUT);
        SG_CHECK(sg_shape_cone(0, x, 0, 1, 0, 0, &s, &why) == SG_ERR_INPUT);
        SG_CHECK(sg_shape_beam(0, 1, 1, x, 0, &s, &why) == SG_ERR_INPUT);
    }
    const char *why = NULL;
    sg_shape s;
    SG_CHECK(sg_shape_cone(0, 1, 1, 1, 0, 0, &s, &why) == SG_ERR_INPUT);
    SG_CHECK(sg_shape_capsule(3, 1, 1, &s, &why) == SG_ERR_INPUT);
    SG_CHECK(sg_shape_box(v3_make(1, 1, 1), -0.1, &s, &why) == SG_ERR_INPUT);
}

SG_TEST(meshes_that_are_no_bodies_are_refused_with_a_reason)
{
    const sg_allocator *al = sg_allocator_default();
    const char *why = NULL;
    sg_mesh m;
    sg_vec3 p[6] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.3, 0.2, 0}, {2, 1, 0}};
    SG_CHECK(sg_mesh_hull(al, p, 0, &m, &why) == SG_ERR_INPUT && why);
    SG_CHECK(sg_mesh_hull(al, p, 3, &m, &why) == SG_ERR_INPUT);
    SG_CHECK(sg_mesh_hull(al, p, 6, &m, &why) == SG_ERR_INPUT); // all in a plane
    sg_vec3 point[5] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
    SG_CHECK(sg_mesh_hull(al, point, 5, &m, &why) == SG_ERR_INPUT);
    p[5] = v3_make(NAN, 0, 1);
    SG_CHECK(sg_mesh_hull(al, p, 6, &m, &why) == SG_ERR_INPUT);
    // A tetrahedron with a dent: the fifth vertex sits inside, and the surface goes to it.
    sg_vec3 q[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.2, 0.2, 0.2}};
    uint32_t dent[18] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 4, 2, 3, 4, 3, 1, 4};
    SG_CHECK(sg_mesh_convex(al, q, 5, dent, 6, &m, &why) == SG_ERR_INPUT);
    uint32_t whole[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    SG_CHECK(sg_mesh_convex(al, q, 4, whole, 4, &m, &why) == SG_OK);
    SG_NEAR(m.volume, 1.0 / 6.0, 1e-14, 1.0);
    sg_mesh_destroy(&m);
    whole[4] = 7;
    SG_CHECK(sg_mesh_convex(al, q, 4, whole, 4, &m, &why) == SG_ERR_INPUT);
}

SG_TEST(a_mesh_survives_an_allocator_that_refuses)
{
    sg_vec3 q[8];
    for (int i = 0; i < 8; i++)
        q[i] = v3_make(i & 1, (i >> 1) & 1, i >> 2);
    for (uint64_t n = 1; n <= 4; n++) {
        sg_test_allocator counting;
        sg_test_allocator_init(&counting, n);
        const char *why = NULL;
        sg_mesh m;
        sg_status status = sg_mesh_hull(&counting.allocator, q, 8, &m, &why);
        SG_CHECK(status == (n <= counting.requests ? SG_ERR_MEMORY : SG_OK));
        sg_mesh_destroy(&m);
        SG_CHECK(counting.live_blocks == 0);
    }
}
