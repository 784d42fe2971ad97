#include "multibody/mass.h"

#include "harness/sg_test.h"

#include <string.h>

static sg_mass unit_mass(sg_shape_kind kind, int axis, double a, double b, double c, double *volume)
{
    sg_mass m = {0};
    const char *why;
    sg_solid_size solid = {.kind = kind, .axis = axis, .size = {a, b, c}};
    SG_CHECK(sg_mass_of_solid(&solid, 1.0, &m, volume, &why) == SG_OK);
    return m;
}

// The published values of components3d.md A.5.
SG_TEST(mass_of_cone_frustum_capsule_beam_and_pipe_is_as_published)
{
    double V;
    sg_mass m = unit_mass(SG_SHAPE_CONE, 2, 0.4, 1.0, 0.0, &V);
    SG_NEAR(V, 0.041887902047864, 1e-13, 0.0);
    SG_NEAR(m.c.z, 0.25, 1e-15, 0.0);
    SG_NEAR(m.I_CM.m[2][2], 0.012, 1e-14, 0.0);
    SG_NEAR(m.I_CM.m[0][0], 0.0435, 1e-14, 0.0);
    m = unit_mass(SG_SHAPE_CONE, 0, 0.4, 1.0, 0.3, &V);
    SG_NEAR(V, 0.096865773485685, 1e-13, 0.0);
    SG_NEAR(m.c.x, 0.452702702702703, 1e-14, 0.0);
    SG_NEAR(m.I_CM.m[0][0], 0.015831081081081, 1e-12, 0.0);
    SG_NEAR(m.I_CM.m[1][1], 0.089462289992696, 1e-12, 0.0);
    m = unit_mass(SG_SHAPE_CAPSULE, 1, 0.4, 1.0, 0.0, &V);
    SG_NEAR(V, 0.159174027781883, 1e-13, 0.0);
    SG_NEAR(m.I_CM.m[1][1], 0.019157894736842, 1e-12, 0.0);
    SG_NEAR(m.I_CM.m[2][2], 0.145473684210526, 1e-12, 0.0);
    m = unit_mass(SG_SHAPE_BEAM, 2, 1.0, 0.4, 0.2, &V);
    SG_NEAR(V, 0.105132741228718, 1e-13, 0.0);
    SG_NEAR(m.I_CM.m[2][2], 0.015869809254631, 1e-12, 0.0);
    SG_NEAR(m.I_CM.m[0][0], 0.149191916874937, 1e-12, 0.0);
    SG_NEAR(m.I_CM.m[1][1], 0.158395059462901, 1e-12, 0.0);
    m = unit_mass(SG_SHAPE_CYLINDER, 2, 0.5, 0.8, 0.45, &V);
    SG_NEAR(V, 0.029845130209103, 1e-13, 0.0);
    SG_NEAR(m.I_CM.m[2][2], 0.0565625, 1e-14, 0.0);
    SG_NEAR(m.I_CM.m[0][0], 0.081614583333333, 1e-13, 0.0);
}

SG_TEST(a_frustum_of_nearly_equal_diameters_is_nearly_a_cylinder)
{
    double V, whole;
    sg_mass pipe = unit_mass(SG_SHAPE_CYLINDER, 2, 0.4, 1.0, 0.0, &whole);
    for (double gap = 1e-4; gap > 1e-16; gap *= 0.1) {
        sg_mass m = unit_mass(SG_SHAPE_CONE, 2, 0.4, 1.0, 0.4 * (1.0 - gap), &V);
        SG_NEAR(V, whole, 2.0 * gap + 1e-15, 0.0);
        SG_NEAR(m.c.z, 0.5, gap + 1e-15, 0.0);
        SG_NEAR(m.I_CM.m[2][2], pipe.I_CM.m[2][2], 2.0 * gap + 1e-14, 0.0);
        SG_NEAR(m.I_CM.m[0][0], pipe.I_CM.m[0][0], 2.0 * gap + 1e-14, 0.0);
    }
}

SG_TEST(a_capsule_without_length_is_a_ball_and_a_beam_a_disk)
{
    double V, ball_V, disk_V;
    sg_mass ball = unit_mass(SG_SHAPE_SPHERE, 0, 0.4, 0.0, 0.0, &ball_V);
    sg_mass disk = unit_mass(SG_SHAPE_CYLINDER, 1, 0.4, 0.1, 0.0, &disk_V);
    sg_mass m = unit_mass(SG_SHAPE_CAPSULE, 2, 0.4, 0.0, 0.0, &V);
    SG_NEAR(V, ball_V, 1e-14, 0.0);
    SG_NEAR(m.I_CM.m[0][0], ball.I_CM.m[0][0], 1e-14, 0.0);
    m = unit_mass(SG_SHAPE_BEAM, 2, 0.0, 0.4, 0.1, &V); // thickness along y
    SG_NEAR(V, disk_V, 1e-14, 0.0);
    for (int i = 0; i < 3; i++)
        SG_NEAR(m.I_CM.m[i][i], disk.I_CM.m[i][i], 1e-13, 0.0);
}

// Sampling knows nothing of the formulas: integrals over a box of points that lie in the body.
SG_TEST(mass_of_ellipsoid_and_box_agrees_with_sampling)
{
    double V, l[3] = {1.0, 0.6, 0.3};
    sg_mass e = unit_mass(SG_SHAPE_ELLIPSOID, 0, l[0], l[1], l[2], &V);
    sg_mass b = unit_mass(SG_SHAPE_BOX, 0, l[0], l[1], l[2], &V);
    double inside = 0.0, xx_e = 0.0, xx_b = 0.0;
    const int n = 60;
    for (int i = 0; i < n * n * n; i++) {
        double x = l[0] * ((i % n + 0.5) / n - 0.5), y = l[1] * ((i / n % n + 0.5) / n - 0.5);
        double z = l[2] * ((i / n / n + 0.5) / n - 0.5);
        double e2 = 4.0 * (x * x / (l[0] * l[0]) + y * y / (l[1] * l[1]) + z * z / (l[2] * l[2]));
        xx_b += y * y + z * z;
        inside += e2 <= 1.0;
        xx_e += e2 <= 1.0 ? y * y + z * z : 0.0;
    }
    SG_NEAR(e.I_CM.m[0][0], xx_e / inside, 5e-3, 0.0);
    SG_NEAR(b.I_CM.m[0][0], xx_b / (n * n * n), 1e-3, 0.0);
}

static bool refused(sg_mass m, const char *word)
{
    const char *why;
    return sg_mass_check(&m, &why) == SG_ERR_INPUT && strstr(why, word);
}

SG_TEST(masses_that_no_body_can_have_are_refused)
{
    const char *why;
    sg_mass good = {.m = 1.0, .I_CM = m3_diagonal(v3_make(1.0, 2.0, 3.0))}; // just flat
    SG_CHECK(sg_mass_check(&good, &why) == SG_OK);
    sg_mass frame = {0};
    SG_CHECK(sg_mass_check(&frame, &why) == SG_OK);
    sg_mass m = good;
    m.m = -1.0;
    SG_CHECK(refused(m, "negative"));
    m.m = (double)NAN;
    SG_CHECK(refused(m, "finite"));
    m = good;
    m.I_CM.m[0][1] = 0.5;
    SG_CHECK(refused(m, "symmetric"));
    m.I_CM = m3_diagonal(v3_make(-1.0, 2.0, 2.0));
    SG_CHECK(refused(m, "negative"));
}

// A flat plate is at the limit; data sheets are rounded beyond it, and some give a link a moment of
// inertia and no mass.
SG_TEST(masses_of_data_sheets_that_no_body_has_are_odd_and_allowed)
{
    const char *why;
    sg_mass flat = {.m = 1.0, .I_CM = m3_diagonal(v3_make(0.1, 0.2, 0.3))};
    SG_CHECK(!sg_mass_oddity(&flat));
    sg_mass rounded = flat;
    rounded.I_CM.m[2][2] = 0.3003;
    SG_CHECK(sg_mass_check(&rounded, &why) == SG_OK);
    SG_CHECK(strstr(sg_mass_oddity(&rounded), "triangle"));
    sg_mass link = {.I_CM = m3_diagonal(v3_make(0.0, 0.35, 0.0))};
    SG_CHECK(sg_mass_check(&link, &why) == SG_OK);
    SG_CHECK(strstr(sg_mass_oddity(&link), "the mass is"));
    sg_mass frame = {0};
    SG_CHECK(!sg_mass_oddity(&frame));
}

SG_TEST(solids_without_volume_are_refused)
{
    const char *why;
    double V;
    sg_mass m;
    sg_solid_size pipe = {.kind = SG_SHAPE_CYLINDER, .axis = 2, .size = {1.0, 1.0, 1.0}};
    sg_solid_size ball = {.kind = SG_SHAPE_SPHERE};
    sg_solid_size mesh = {.kind = SG_SHAPE_MESH, .size = {1.0, 1.0, 1.0}};
    SG_CHECK(sg_mass_of_solid(&pipe, 1.0, &m, &V, &why) == SG_ERR_INPUT);
    SG_CHECK(sg_mass_of_solid(&ball, 1.0, &m, &V, &why) == SG_ERR_INPUT);
    SG_CHECK(sg_mass_of_solid(&mesh, 1.0, &m, &V, &why) == SG_ERR_INPUT);
}
