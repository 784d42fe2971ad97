#include "collide/mpr.h"

#include "collide/shapes_test.h"
#include "harness/sg_test_math.h"

static void place(double x, double y, double z, sg_pose *pose)
{
    *pose = pose_translation(v3_make(x, y, z));
}

// Appendix A.1 of components3d.md: the reference divides by the largest coordinate x of the first
// portal, which jumps with the sign of a vanishing coordinate.
SG_TEST(the_scaled_distances_of_the_reference_are_reproduced_to_the_rounding_of_the_coordinates)
{
    const struct {
        sg_vec3 box, at, ball;
        double diameter, x, d, geometric;
    } row[] = {
        {{2, 0.1, 0.5},
         {0, -0.05, 0},
         {0.6190964322303429, 0.09989803187140613, 1e-20},
         0.2,
         0.6190964322303429,
         -1.647047588798435e-4,
         -1.0196812859387e-4},
        {{2, 0.1, 0.5},
         {0, -0.05, 0},
         {0.6190964322303429, 0.09989803187140613, 0},
         0.2,
         1.6247804232041207,
         -6.27580977328527e-5,
         -1.0196812859387e-4},
        {{2, 0.1, 0.5},
         {0, -0.05, 0},
         {0.6190964322303429, 0.09989803187140613, -1e-20},
         0.2,
         1.6370844303019547,
         -6.228642011766145e-5,
         -1.0196812859387e-4},
        {{3, 0.5, 0.02},
         {0, 0, -0.01},
         {0.44876394694456134, 9.305927636126645e-17, 0.029996866914584027},
         0.06,
         1.9502269735566997,
         -1.6065234757055375e-6,
         -3.133085416e-6},
        {{3, 0.5, 0.02},
         {0, 0, -0.01},
         {1.4034679368692125, -2.5752631917689518e-14, 0.029997749668811288},
         0.06,
         1.4034679368692125,
         -1.6034076230711251e-6,
         -2.250331189e-6},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const char *why;
        sg_shape box, ball;
        SG_REQUIRE(sg_shape_box(row[i].box, 0.001, &box, &why) == SG_OK);
        SG_REQUIRE(sg_shape_sphere(row[i].diameter, &ball, &why) == SG_OK);
        sg_pose pa, pb;
        place(row[i].at.x, row[i].at.y, row[i].at.z, &pa);
        place(row[i].ball.x, row[i].ball.y, row[i].ball.z, &pb);
        sg_mpr_options options = sg_mpr_options_make();
        options.reference_shapes = options.reference_scaling = true;
        sg_mpr_result r;
        SG_REQUIRE(sg_mpr(&box, &pa, &ball, &pb, &options, &r) == SG_OK);
        SG_NEAR(r.scale, row[i].x, 1e-15, 0);
        // The table was made with decimal numbers. Rounded to double they miss them by up to half
        // a unit in the last place each, 1e-13 to 1e-12 of these depths, and that is all we miss.
        double up = i < 3 ? row[i].ball.y : row[i].ball.z, radius = 0.5 * row[i].diameter;
        SG_CHECK_MSG(fabs(r.delta - row[i].d) <= 0x1p-54 * (up + radius) / row[i].x,
                     "row %d: %.17g", (int)i, r.delta);
        // For the doubles themselves the answer is a subtraction (the faces lie at zero); the
        // core of the smoothed box is rounded once.
        double half = 0.5 * (i < 3 ? row[i].box.y : row[i].box.z);
        SG_CHECK_MSG(fabs(r.delta * row[i].x - (up - radius)) <= 0x1p-53 * half, "row %d: %g",
                     (int)i, r.delta * row[i].x - (up - radius));
        SG_CHECK(r.end == SG_MPR_TC3);
        sg_mpr_options plain = sg_mpr_options_make();
        SG_REQUIRE(sg_mpr(&box, &pa, &ball, &pb, &plain, &r) == SG_OK);
        // The last two are given with ten digits.
        SG_NEAR(r.delta, row[i].geometric, i < 3 ? 1e-13 : 2e-10, 0);
    }
}

SG_TEST(two_spheres_end_in_the_first_exit_with_the_closed_form)
{
    const char *why;
    sg_shape a, b;
    SG_REQUIRE(sg_shape_sphere(0.8, &a, &why) == SG_OK && sg_shape_sphere(0.5, &b, &why) == SG_OK);
    sg_rng rng = sg_rng_seeded(31);
    for (int i = 0; i < 100; i++) {
        sg_pose pa = sg_rng_pose(&rng, 1), pb = sg_rng_pose(&rng, 1);
        sg_mpr_options o = sg_mpr_options_make();
        sg_mpr_result r;
        SG_REQUIRE(sg_mpr(&a, &pa, &b, &pb, &o, &r) == SG_OK);
        SG_CHECK(r.end == SG_MPR_TC1);
        SG_NEAR(r.delta, v3_distance(pa.r, pb.r) - 0.65, 1e-15, 1);
    }
}

typedef struct mpr_tally {
    int phase2, phase3, warned, exact, apart;
} mpr_tally;

// Theorems 6.1 and 6.3 against the certified distance.
static void check_theorems(sg_rng *rng, int i, sg_distance_work *work, mpr_tally *tally)
{
    test_shape a, b;
    test_shape_random(rng, i % TEST_KINDS, 1, 3, true, &a);
    test_shape_random(rng, (i / TEST_KINDS) % TEST_KINDS, 1, 3, true, &b);
    sg_pose pa = sg_rng_pose(rng, 0.6), pb = sg_rng_pose(rng, 0.6);
    sg_mpr_options o = sg_mpr_options_make();
    sg_distance_options exact = sg_distance_options_make();
    sg_mpr_result m;
    sg_distance_result d;
    sg_status s1 = sg_mpr(&a.shape, &pa, &b.shape, &pb, &o, &m);
    sg_status s2 = sg_signed_distance(&a.shape, &pa, &b.shape, &pb, &exact, NULL, work, &d);
    const char *ka = test_kind_name(a.kind), *kb = test_kind_name(b.kind);
    SG_CHECK_MSG(s1 == SG_OK && s2 == SG_OK, "%s, %s: %s", ka, kb, m.message ? m.message : "?");
    tally->phase2 = m.phase2 > tally->phase2 ? m.phase2 : tally->phase2;
    tally->phase3 = m.phase3 > tally->phase3 ? m.phase3 : tally->phase3;
    tally->warned += m.message != NULL;
    SG_CHECK_MSG((m.delta > 0) == (d.delta > 0) || fabs(d.delta) < 1e-13, "%s, %s: %g, %g", ka, kb,
                 m.delta, d.delta);
    if (d.delta > 0.0) {
        tally->apart++;
        if (m.inside_portal)
            SG_NEAR(m.delta, d.delta, 1e-12, 1);
        SG_CHECK_MSG(d.delta <= m.delta + 1e-12, "%s, %s", ka, kb);
        if (m.end == SG_MPR_TC3)
            SG_CHECK_MSG(m.lower <= d.delta + 1e-12, "%s, %s: %g %g", ka, kb, m.lower, d.delta);
    } else {
        SG_CHECK_MSG(m.delta <= d.delta + 1e-12, "%s, %s: %.15g %.15g", ka, kb, m.delta, d.delta);
    }
    tally->exact += fabs(m.delta - d.delta) < 1e-12;
    double span = v3_norm(v3_sub(v3_sub(m.b, m.a), v3_scale(m.n, m.delta)));
    SG_CHECK_MSG(span < 1e-9, "%s, %s: b - a misses delta n by %g", ka, kb, span);
    test_shape_destroy(&a);
    test_shape_destroy(&b);
}

SG_TEST(plain_mpr_keeps_the_signs_of_theorem_6_1_and_the_bounds_of_theorem_6_3)
{
    static sg_distance_work work;
    sg_rng rng = sg_rng_seeded(32);
    mpr_tally tally = {0};
    const int n = 4000;
    for (int i = 0; i < n; i++)
        check_theorems(&rng, i, &work, &tally);
    SG_CHECK(tally.apart > n / 10 && tally.apart < 9 * n / 10);
    // Within the thesis' limits of 120, and seldom in need of its fallback.
    SG_CHECK_MSG(tally.phase2 <= 12 && tally.phase3 <= 120, "%d, %d", tally.phase2, tally.phase3);
    SG_CHECK_MSG(tally.warned < n / 20, "%d of %d ended with a warning", tally.warned, n);
    // Plain MPR reaches full accuracy on some pairs only; that is why there is a second stage.
    SG_CHECK_MSG(tally.exact > n / 5 && tally.exact < 4 * n / 5, "%d of %d exact", tally.exact, n);
}

SG_TEST(degenerate_input_to_plain_mpr_ends_with_a_message)
{
    const char *why;
    sg_shape box, ball;
    SG_REQUIRE(sg_shape_box(v3_make(1, 2, 3), 0, &box, &why) == SG_OK);
    SG_REQUIRE(sg_shape_sphere(1, &ball, &why) == SG_OK);
    sg_mpr_options o = sg_mpr_options_make();
    sg_mpr_result r;
    sg_pose here = pose_translation(v3_make(1, 1, 1)), there = pose_translation(v3_make(2, 1, 1));
    SG_CHECK(sg_mpr(&box, &here, &ball, &here, &o, &r) == SG_ERR_INPUT && r.message);
    sg_pose bad = here;
    bad.r.y = NAN;
    SG_CHECK(sg_mpr(&box, &bad, &ball, &here, &o, &r) == SG_ERR_INPUT && r.message);
    // Aligned boxes: r1 may lie on the ray, on an edge or in the middle of a face.
    SG_CHECK(sg_mpr(&box, &here, &box, &there, &o, &r) == SG_OK);
    SG_NEAR(r.delta, 0.0, 1e-15, 1);
    o.max_iterations = 1; // too few: the best so far, with a warning, or a failure that says so
    sg_rng rng = sg_rng_seeded(33);
    for (int i = 0; i < 50; i++) {
        sg_pose pa = sg_rng_pose(&rng, 1), pb = sg_rng_pose(&rng, 1);
        sg_status status = sg_mpr(&box, &pa, &box, &pb, &o, &r);
        SG_CHECK(status == SG_OK || (status == SG_ERR_LIMIT && r.message));
    }
}
