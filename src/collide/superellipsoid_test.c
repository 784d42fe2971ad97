#include "collide/oracle_test.h"
#include "harness/sg_test_math.h"
#include "shapes/support.h"

static double most(double a, double b) { return a > b ? a : b; }

// The equation of the body, less one.
static double beyond(const test_shape *t, sg_vec3 p)
{
    double q = 2.0 / t->d[4], k = 2.0 / t->d[3];
    double xy = pow(pow(fabs(2.0 * p.x / t->d[0]), q) + pow(fabs(2.0 * p.y / t->d[1]), q), k / q);
    return pow(xy + pow(fabs(2.0 * p.z / t->d[2]), k), 1.0 / k) - 1.0;
}

SG_TEST(support_points_of_a_superellipsoid_are_on_it_and_farthest)
{
    sg_rng rng = sg_rng_seeded(301);
    for (int i = 0; i < 200; i++) {
        test_shape t;
        test_shape_random(&rng, TEST_SUPERELLIPSOID, 1.0, 5.0, false, &t);
        for (int j = 0; j < 50; j++) {
            sg_vec3 n = sg_rng_direction(&rng), m = sg_rng_direction(&rng);
            uint32_t piece;
            sg_vec3 p = sg_support(&t.shape, n, 0, &piece), other = m;
            SG_CHECK(fabs(beyond(&t, p)) < 1e-13);
            other = v3_scale(m, 1.0 / (1.0 + beyond(&t, m))); // on the surface along m
            SG_CHECK(fabs(beyond(&t, other)) < 1e-13);
            SG_CHECK(v3_dot(n, other) <= v3_dot(n, p) + 1e-14);
            SG_CHECK(v3_norm(p) <= t.shape.bound * (1.0 + 1e-15));
            SG_CHECK(v3_dot(n, p) >= t.shape.inradius * (1.0 - 1e-15));
        }
        test_shape_destroy(&t);
    }
}

SG_TEST(curvatures_of_a_superellipsoid_are_differences_of_its_support_points)
{
    sg_rng rng = sg_rng_seeded(302);
    const double step = 1e-6;
    for (int i = 0; i < 400; i++) {
        test_shape t;
        test_shape_random(&rng, TEST_SUPERELLIPSOID, 1.0, 3.0, false, &t);
        sg_vec3 n = sg_rng_direction(&rng), e1 = v3_perpendicular(n), e2 = v3_cross(n, e1);
        uint32_t piece;
        double c[3] = {0};
        // Near the middle of a face second derivatives change within the step.
        if (fmin(fabs(n.x), fmin(fabs(n.y), fabs(n.z))) < 0.05)
            continue;
        SG_REQUIRE(sg_support_curvature(&t.shape, 0, n, e1, e2, c));
        sg_vec3 way[2] = {e1, e2};
        double found[2][2];
        for (int k = 0; k < 2; k++) {
            sg_vec3 a = sg_support(&t.shape, v3_unit(v3_add_scaled(n, way[k], step)), 0, &piece);
            sg_vec3 b = sg_support(&t.shape, v3_unit(v3_add_scaled(n, way[k], -step)), 0, &piece);
            sg_vec3 d = v3_scale(v3_sub(a, b), 0.5 / step);
            found[k][0] = v3_dot(d, e1);
            found[k][1] = v3_dot(d, e2);
        }
        double size = most(most(fabs(c[0]), fabs(c[2])), 0.1);
        SG_CHECK_MSG(fabs(found[0][0] - c[0]) < 1e-6 * size &&
                         fabs(found[0][1] - c[1]) < 1e-6 * size &&
                         fabs(found[1][1] - c[2]) < 1e-6 * size,
                     "%g %g %g, by differences %g %g %g", c[0], c[1], c[2], found[0][0],
                     found[0][1], found[1][1]);
        test_shape_destroy(&t);
    }
}

// Integrals over the sphere of rays from the middle: r^3/3 for the volume, r^5/5 x^2 for moments.
SG_TEST(mass_of_a_superellipsoid_is_that_of_its_rays)
{
    const double e[][2] = {{1.0, 1.0}, {0.5, 1.5}, {1.3, 0.7}, {0.3, 0.3}, {1.7, 1.7}, {1.0, 0.4}};
    enum { N = 1200 };
    for (int k = 0; k < 6; k++) {
        test_shape t = {.d = {0.6, 0.9, 1.4, e[k][0], e[k][1]}};
        double V = 0.0, xx = 0.0, yy = 0.0, zz = 0.0, volume = 0.0;
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) { // an eighth, midpoints
                double v = (i + 0.5) / N * 0.5 * 3.14159265358979323846;
                double w = (j + 0.5) / N * 0.5 * 3.14159265358979323846;
                sg_vec3 u = v3_make(cos(v) * cos(w), cos(v) * sin(w), sin(v));
                double r = 1.0 / (1.0 + beyond(&t, u)), r3 = r * r * r * cos(v);
                V += r3 / 3.0;
                xx += r3 * r * r / 5.0 * u.x * u.x;
                yy += r3 * r * r / 5.0 * u.y * u.y;
                zz += r3 * r * r / 5.0 * u.z * u.z;
            }
        double cell = 8.0 * pow(0.5 * 3.14159265358979323846 / N, 2.0);
        sg_solid_size solid = {.kind = SG_SHAPE_SUPERELLIPSOID};
        for (int i = 0; i < 5; i++)
            solid.size[i] = t.d[i];
        sg_mass m = {.m = 3.0};
        SG_REQUIRE(sg_solid_check(&solid) == NULL);
        sg_shape_forms[SG_SHAPE_SUPERELLIPSOID]->mass(&solid, 3.0, &m, &volume);
        SG_CHECK_MSG(fabs(volume / (cell * V) - 1.0) < 2e-5, "%g and %g", volume, cell * V);
        SG_CHECK(fabs(m.I_CM.m[0][0] * volume / (3.0 * cell * (yy + zz)) - 1.0) < 3e-5);
        SG_CHECK(fabs(m.I_CM.m[1][1] * volume / (3.0 * cell * (xx + zz)) - 1.0) < 3e-5);
        SG_CHECK(fabs(m.I_CM.m[2][2] * volume / (3.0 * cell * (xx + yy)) - 1.0) < 3e-5);
    }
}

SG_TEST(distances_of_superellipsoids_from_all_shapes_stand_up_to_the_oracle)
{
    sg_rng rng = sg_rng_seeded(303);
    static sg_distance_work work;
    long iterations = 0, unproven = 0;
    for (int i = 0; i < 1100; i++) {
        test_shape a, b;
        test_shape_random(&rng, TEST_SUPERELLIPSOID, 1.0, 3.0, true, &a);
        test_shape_random(&rng, i % (TEST_KINDS + 1), 1.0, 3.0, true, &b);
        oracle_pair pair = {&a, &b, sg_rng_pose(&rng, 0.6), sg_rng_pose(&rng, 0.6),
                            0.5 * (a.shape.bound + b.shape.bound)};
        sg_distance_options o = sg_distance_options_make();
        sg_distance_result r;
        double measure;
        sg_status status =
            sg_signed_distance(&a.shape, &pair.pa, &b.shape, &pair.pb, &o, NULL, &work, &r);
        SG_CHECK_MSG(status == SG_OK, "%s: %s", test_kind_name(b.kind), r.message);
        const char *wrong = oracle_objection(&pair, &r, 1e-10, 1, &rng, &measure);
        SG_CHECK_MSG(!wrong, "%d, %s, e %g %g: %s (%g), delta %g", i, test_kind_name(b.kind),
                     a.d[3], a.d[4], wrong, measure, r.delta);
        iterations += r.iterations;
        unproven += !r.certified;
        test_shape_destroy(&a);
        test_shape_destroy(&b);
    }
    SG_CHECK_MSG(unproven == 0, "%ld unproven", unproven);
    SG_CHECK_MSG(iterations < 50000, "%ld iterations", iterations);
}
