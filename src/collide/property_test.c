#include "collide/distance.h"
#include "collide/oracle_test.h"
#include "harness/sg_test_math.h"
#include "math/rotation.h"

static sg_distance_work work;

static sg_distance_result ask(const sg_shape *a, const sg_pose *pa, const sg_shape *b,
                              const sg_pose *pb)
{
    sg_distance_options o = sg_distance_options_make();
    sg_distance_result r;
    sg_status status = sg_signed_distance(a, pa, b, pb, &o, NULL, &work, &r);
    SG_CHECK_MSG(status == SG_OK, "%s and %s: %s", sg_shape_kind_name(a->kind),
                 sg_shape_kind_name(b->kind), r.message ? r.message : "?");
    return r;
}

typedef struct random_pair {
    test_shape a, b;
    sg_pose pa, pb;
    double size;
} random_pair;

static void random_pair_make(sg_rng *rng, int i, double reach, random_pair *out)
{
    test_shape_random(rng, i % TEST_KINDS, 1.0, 3.0, true, &out->a);
    test_shape_random(rng, i / TEST_KINDS % TEST_KINDS, 1.0, 3.0, true, &out->b);
    out->pa = sg_rng_pose(rng, reach);
    out->pb = sg_rng_pose(rng, reach);
    out->size = 0.5 * (out->a.shape.bound + out->b.shape.bound);
}

static void random_pair_destroy(random_pair *p)
{
    test_shape_destroy(&p->a);
    test_shape_destroy(&p->b);
}

SG_TEST(exchanging_the_shapes_exchanges_the_points_and_turns_the_normal)
{
    sg_rng rng = sg_rng_seeded(41);
    for (int i = 0; i < 5000; i++) {
        random_pair p;
        random_pair_make(&rng, i, 0.7, &p);
        sg_distance_result r = ask(&p.a.shape, &p.pa, &p.b.shape, &p.pb);
        sg_distance_result s = ask(&p.b.shape, &p.pb, &p.a.shape, &p.pa);
        const char *ka = test_kind_name(p.a.kind), *kb = test_kind_name(p.b.kind);
        SG_CHECK_MSG(fabs(r.delta - s.delta) < 1e-12 * p.size, "%s, %s: %g", ka, kb,
                     r.delta - s.delta);
        double turn = v3_norm(v3_add(r.n, s.n));
        double apart = fmax(v3_distance(r.a, s.b), v3_distance(r.b, s.a));
        // A proven distance says little of the normal where the valley is flat; that it is the
        // bottom to ten digits is the descent's doing. The worst of 30,000 pairs are 3e-11.
        SG_CHECK_MSG(turn < 1e-9, "%s, %s: normals differ by %g", ka, kb, turn);
        SG_CHECK_MSG(apart < 1e-9 * p.size, "%s, %s: points differ by %g", ka, kb, apart);
        random_pair_destroy(&p);
    }
}

SG_TEST(a_rigid_motion_of_both_shapes_moves_the_answer_along)
{
    sg_rng rng = sg_rng_seeded(42);
    for (int i = 0; i < 3000; i++) {
        random_pair p;
        random_pair_make(&rng, i, 0.7, &p);
        sg_pose t = sg_rng_pose(&rng, 3.0), pa = pose_mul(t, p.pa), pb = pose_mul(t, p.pb);
        sg_distance_result r = ask(&p.a.shape, &p.pa, &p.b.shape, &p.pb);
        sg_distance_result s = ask(&p.a.shape, &pa, &p.b.shape, &pb);
        SG_NEAR(s.delta, r.delta, 1e-12, p.size);
        SG_CHECK(v3_distance(s.n, pose_vector(&t, r.n)) < 1e-9);
        SG_CHECK(v3_distance(s.a, pose_point(&t, r.a)) < 1e-9 * p.size);
        random_pair_destroy(&p);
    }
}

// All tolerances are relative, so a change of unit by a power of two changes no bit but the scale.
SG_TEST(scaling_by_a_power_of_two_scales_every_bit_of_the_answer)
{
    const double f = 0x1p-20;
    sg_rng rng = sg_rng_seeded(43);
    for (int i = 0; i < 200; i++) {
        const char *why;
        sg_vec3 l = sg_rng_vec3(&rng, 0.2, 1.0), m = sg_rng_vec3(&rng, 0.2, 1.0);
        sg_shape a, b, c, d;
        SG_REQUIRE(sg_shape_box(l, 0.0, &a, &why) == SG_OK);
        SG_REQUIRE(sg_shape_box(v3_scale(l, f), 0.0, &c, &why) == SG_OK);
        SG_REQUIRE(sg_shape_ellipsoid(m, &b, &why) == SG_OK);
        SG_REQUIRE(sg_shape_ellipsoid(v3_scale(m, f), &d, &why) == SG_OK);
        sg_pose pa = sg_rng_pose(&rng, 0.5), pb = sg_rng_pose(&rng, 0.5), qa = pa, qb = pb;
        qa.r = v3_scale(qa.r, f);
        qb.r = v3_scale(qb.r, f);
        sg_distance_result r = ask(&a, &pa, &b, &pb), s = ask(&c, &qa, &d, &qb);
        SG_CHECK(s.delta == f * r.delta && v3_equal(s.n, r.n) && v3_equal(s.a, v3_scale(r.a, f)));
    }
}

SG_TEST(the_normal_is_the_gradient_of_the_distance)
{
    const double h = 1e-6;
    sg_rng rng = sg_rng_seeded(44);
    int tested = 0;
    for (int i = 0; i < 3000; i++) {
        random_pair p;
        random_pair_make(&rng, i, 1.0, &p);
        sg_distance_result r = ask(&p.a.shape, &p.pa, &p.b.shape, &p.pb);
        // Apart the distance is continuously differentiable whatever the shapes; its curvature is
        // at most one over the distance.
        if (r.delta > 0.05) {
            tested++;
            sg_vec3 u = sg_rng_direction(&rng);
            sg_pose plus = p.pb, minus = p.pb;
            plus.r = v3_add_scaled(plus.r, u, h);
            minus.r = v3_add_scaled(minus.r, u, -h);
            double slope = (ask(&p.a.shape, &p.pa, &p.b.shape, &plus).delta -
                            ask(&p.a.shape, &p.pa, &p.b.shape, &minus).delta) /
                           (2 * h);
            SG_CHECK_MSG(fabs(slope - v3_dot(r.n, u)) < 1e-5, "%s, %s: %g",
                         test_kind_name(p.a.kind), test_kind_name(p.b.kind),
                         slope - v3_dot(r.n, u));
        }
        random_pair_destroy(&p);
    }
    SG_CHECK(tested > 300);
}

// Thesis figure 6.10: a ball slides over the rounded edge and corner of a box, less deep than the
// radii are large. Everything the force law sees must move no faster than the ball, times the
// bending of the rounding.
static void slide(const sg_shape *box, const sg_shape *other, sg_mat3 turn, sg_vec3 from,
                  sg_vec3 to, double bending, double travel)
{
    const int n = 4000;
    sg_pose fixed = POSE_IDENTITY;
    sg_distance_result last = {0};
    double step = v3_distance(from, to) / n;
    for (int i = 0; i <= n; i++) {
        sg_pose at = pose_make(turn, v3_add_scaled(from, v3_sub(to, from), (double)i / n));
        sg_distance_result r = ask(box, &fixed, other, &at);
        if (i > 0) {
            SG_CHECK_MSG(fabs(r.delta - last.delta) <= 1.001 * step, "delta jumps at %d", i);
            SG_CHECK_MSG(v3_distance(r.n, last.n) <= bending * step, "the normal jumps at %d: %g",
                         i, v3_distance(r.n, last.n));
            SG_CHECK_MSG(v3_distance(r.a, last.a) <= travel * step, "point a jumps at %d: %g", i,
                         v3_distance(r.a, last.a) / step);
            SG_CHECK_MSG(v3_distance(r.b, last.b) <= (travel + 0.2 * bending) * step,
                         "point b jumps at %d: %g", i, v3_distance(r.b, last.b) / step);
        }
        last = r;
    }
}

SG_TEST(distance_points_and_normal_are_continuous_over_smoothed_edges_and_corners)
{
    const char *why;
    sg_shape box, ball, ellipsoid, capsule;
    double rho = 0.02;
    SG_REQUIRE(sg_shape_box(v3_make(1, 1, 1), rho, &box, &why) == SG_OK);
    SG_REQUIRE(sg_shape_sphere(0.2, &ball, &why) == SG_OK);
    SG_REQUIRE(sg_shape_ellipsoid(v3_make(0.2, 0.2, 0.2), &ellipsoid, &why) == SG_OK);
    SG_REQUIRE(sg_shape_capsule(1, 0.2, 0.6, &capsule, &why) == SG_OK);
    const sg_shape *others[] = {&ball, &ellipsoid}; // by formula, and the general way
    // The centers of both roundings stay at least 0.08 apart, so normals turn at most at 1/0.08.
    for (int i = 0; i < 2; i++) {
        slide(&box, others[i], M3_IDENTITY, v3_make(0.3, 0.05, 0.59), v3_make(0.7, 0.06, 0.53),
              12.6, 3);
        slide(&box, others[i], M3_IDENTITY, v3_make(0.55, 0.05, 0.62), v3_make(0.60, 0.05, 0.30),
              12.6, 3);
    }
    slide(&box, &ball, M3_IDENTITY, v3_make(0.45, 0.40, 0.59), v3_make(0.60, 0.62, 0.50), 12.6, 3);
    // A capsule across the edge, and one along it but for a tilt of 0.1: the points may run along
    // by up to one over the tilt.
    slide(&box, &capsule, m3_mul(rot_3(1.2), rot_1(0.1)), v3_make(0.3, 0.05, 0.62),
          v3_make(0.7, 0.06, 0.56), 12.6, 30);
    slide(&box, &capsule, rot_1(0.1), v3_make(0.3, 0.05, 0.62), v3_make(0.7, 0.06, 0.56), 12.6, 30);
}

// Exactly along the edge the contact is a whole segment and any of its points is right; which one
// is told may change from one place to the next. Distance and normal have no such choice.
SG_TEST(a_capsule_along_a_parallel_edge_has_a_continuous_distance_and_normal)
{
    const char *why;
    sg_shape box, capsule;
    SG_REQUIRE(sg_shape_box(v3_make(1, 1, 1), 0.02, &box, &why) == SG_OK);
    SG_REQUIRE(sg_shape_capsule(1, 0.2, 0.6, &capsule, &why) == SG_OK);
    slide(&box, &capsule, M3_IDENTITY, v3_make(0.3, 0.05, 0.59), v3_make(0.7, 0.06, 0.53), 12.6,
          INFINITY);
}

SG_TEST(faces_edges_and_axes_that_line_up_give_the_answers_of_the_ruler)
{
    const char *why;
    sg_shape box, plate, cylinder, cone, beam;
    SG_REQUIRE(sg_shape_box(v3_make(1, 1, 1), 0, &box, &why) == SG_OK);
    SG_REQUIRE(sg_shape_box(v3_make(3, 2, 0.01), 0, &plate, &why) == SG_OK);
    SG_REQUIRE(sg_shape_cylinder(2, 0.5, 2, 0, &cylinder, &why) == SG_OK);
    SG_REQUIRE(sg_shape_cone(2, 1, 0, 1, 0, 0, &cone, &why) == SG_OK);
    SG_REQUIRE(sg_shape_beam(0, 1, 0.4, 0.2, 0, &beam, &why) == SG_OK);
    sg_mat3 eighth = rot_3(0.7853981633974483), quarter = rot_1(1.5707963267948966);
    const struct {
        const sg_shape *a, *b;
        sg_mat3 turn;
        sg_vec3 at;
        double delta;
    } row[] = {
        {&box, &box, M3_IDENTITY, {1.25, 0, 0}, 0.25},                 // parallel faces, apart
        {&box, &box, M3_IDENTITY, {1, 0, 0}, 0.0},                     // touching in a whole face
        {&box, &box, M3_IDENTITY, {0.75, 0.125, 0}, -0.25},            // overlapping
        {&box, &box, M3_IDENTITY, {1.5, 1.5, 0}, 0.70710678118654752}, // edge against edge
        {&box, &box, M3_IDENTITY, {1, 1, 0}, 0.0},                     // grazing edges
        {&box, &box, M3_IDENTITY, {1, 1, 1}, 0.0},                     // corners that touch
        {&box, &box, M3_IDENTITY, {0.25, 0, 0}, -0.75},                // along a common axis
        {&box, &box, eighth, {1.5, 0, 0}, 0.29289321881345248},        // edge against face
        {&box, &plate, M3_IDENTITY, {0, 0, 0.5}, -0.005},              // half a plate deep
        {&plate, &plate, M3_IDENTITY, {1, 1, 0.0025}, -0.0075},
        {&cylinder, &cylinder, M3_IDENTITY, {0, 0, 2.5}, 0.5}, // coaxial, end to end
        {&cylinder, &cylinder, M3_IDENTITY, {0, 0, 2}, 0.0},
        {&cylinder, &cylinder, M3_IDENTITY, {0, 0, 0.5}, -0.5},  // coaxial, one inside the other
        {&cylinder, &cylinder, M3_IDENTITY, {0.75, 0, 0}, 0.25}, // parallel axes
        {&cylinder, &cylinder, M3_IDENTITY, {0.5, 0, 0.3}, 0.0}, // touching along a line
        {&cylinder, &cylinder, quarter, {0.75, 0, 0}, 0.25},     // crossed axes
        {&cylinder, &cylinder, quarter, {0.25, 0, 0}, -0.25},
        {&box, &cylinder, M3_IDENTITY, {0, 0, 1.5}, 0.0}, // standing on a face
        {&box, &cylinder, M3_IDENTITY, {0.1, 0.2, 1.49}, -0.01},
        {&box, &cylinder, quarter, {0, 0, 0.75}, 0.0}, // lying on a face
        {&box, &cone, M3_IDENTITY, {0, 0, 0.5}, 0.0},  // base on a face
        {&cone, &box, M3_IDENTITY, {0, 0, 1.5}, 0.0},  // tip in the middle of a face
        {&cone, &box, M3_IDENTITY, {0.1, 0, 1.75}, 0.25},
        {&beam, &beam, M3_IDENTITY, {0, 0, 0.2}, 0.0}, // beams on each other
        {&beam, &beam, M3_IDENTITY, {0, 0, 0.199}, -0.001},
        {&beam, &box, M3_IDENTITY, {1.2, 0, 0}, 0.0}, // round end against a face
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        sg_pose pa = POSE_IDENTITY, pb = {.R = row[i].turn, .r = row[i].at};
        sg_distance_result r = ask(row[i].a, &pa, row[i].b, &pb);
        SG_CHECK_MSG(fabs(r.delta - row[i].delta) < 1e-12, "row %d: %.17g, expected %.17g", (int)i,
                     r.delta, row[i].delta);
        SG_CHECK_MSG(fabs(v3_norm(r.n) - 1.0) < 1e-15, "row %d", (int)i);
        sg_distance_result s = ask(row[i].b, &pb, row[i].a, &pa);
        SG_CHECK_MSG(fabs(s.delta - row[i].delta) < 1e-12, "row %d exchanged: %.17g", (int)i,
                     s.delta);
        SG_CHECK(v3_norm(v3_sub(v3_sub(r.b, r.a), v3_scale(r.n, r.delta))) < 1e-15);
    }
}

SG_TEST(closed_forms_and_the_general_way_agree)
{
    static const int with_form[] = {0, 1, 3, 4, 5, 6, 8, 9}; // against a sphere
    sg_rng rng = sg_rng_seeded(45);
    for (int i = 0; i < 8000; i++) {
        test_shape a, b;
        int kind = with_form[i % 8];
        test_shape_random(&rng, kind == 3 && i % 2 ? 3 : 0, 1, 3, true, &a);
        test_shape_random(&rng, kind, 1, 3, true, &b);
        sg_pose pa = sg_rng_pose(&rng, 0.6), pb = sg_rng_pose(&rng, 0.6);
        sg_distance_options o = sg_distance_options_make();
        sg_distance_result r, s;
        bool swap = i / 16 % 2;
        const sg_shape *x = swap ? &b.shape : &a.shape, *y = swap ? &a.shape : &b.shape;
        SG_CHECK(sg_signed_distance(x, &pa, y, &pb, &o, NULL, &work, &r) == SG_OK);
        o.closed_forms = false;
        SG_CHECK(sg_signed_distance(x, &pa, y, &pb, &o, NULL, &work, &s) == SG_OK);
        SG_CHECK(r.closed_form && r.iterations == 0 && !s.closed_form && s.iterations > 0);
        double size = 0.5 * (x->bound + y->bound);
        SG_CHECK_MSG(fabs(r.delta - s.delta) < 1e-12 * size, "%s: %g", test_kind_name(kind),
                     r.delta - s.delta);
        SG_CHECK_MSG(s.certified && v3_distance(r.n, s.n) < 1e-9, "%s: normals differ by %g",
                     test_kind_name(kind), v3_distance(r.n, s.n));
        test_shape_destroy(&a);
        test_shape_destroy(&b);
    }
}

SG_TEST(a_warm_start_gives_the_answer_of_a_cold_one_with_fewer_support_points)
{
    sg_rng rng = sg_rng_seeded(46);
    static sg_distance_work warm_work;
    sg_distance_options o = sg_distance_options_make();
    long warm[2] = {0}, cold[2] = {0}; // apart, penetrating
    for (int i = 0; i < 200; i++) {
        random_pair p;
        random_pair_make(&rng, i, 0.0, &p);
        sg_vec3 u = sg_rng_direction(&rng), v = sg_rng_direction(&rng), w = sg_rng_direction(&rng);
        sg_distance_memory memory = {0};
        for (int k = 0; k < 100; k++) {
            double t = 0.003 * k;
            sg_pose pb = {.R = m3_mul(rot_axis(w, t), p.pb.R),
                          .r = v3_add_scaled(v3_scale(u, 1.3 * p.size), v, t)};
            if (i % 2)
                pb.r = v3_scale(pb.r, 0.5);
            sg_distance_result r, s;
            sg_status status =
                sg_signed_distance(&p.a.shape, &p.pa, &p.b.shape, &pb, &o, &memory, &warm_work, &r);
            SG_CHECK(status == SG_OK && r.certified);
            s = ask(&p.a.shape, &p.pa, &p.b.shape, &pb);
            SG_CHECK_MSG(fabs(r.delta - s.delta) < 1e-12 * p.size, "%s, %s at %d: %g",
                         test_kind_name(p.a.kind), test_kind_name(p.b.kind), k,
                         (r.delta - s.delta) / p.size);
            warm[s.delta < 0.0] += r.stats.supports;
            cold[s.delta < 0.0] += s.stats.supports;
        }
        random_pair_destroy(&p);
    }
    SG_CHECK_MSG(2 * warm[0] < cold[0], "apart: %ld warm, %ld cold", warm[0], cold[0]);
    SG_CHECK_MSG(3 * warm[1] < 2 * cold[1], "penetrating: %ld warm, %ld cold", warm[1], cold[1]);
}

SG_TEST(bad_placements_end_with_a_status_and_a_message)
{
    const char *why;
    sg_shape box, ball, capsule;
    SG_REQUIRE(sg_shape_box(v3_make(1, 1, 1), 0, &box, &why) == SG_OK);
    SG_REQUIRE(sg_shape_sphere(1, &ball, &why) == SG_OK);
    SG_REQUIRE(sg_shape_capsule(2, 1, 1, &capsule, &why) == SG_OK);
    const sg_shape *all[] = {&box, &ball, &capsule};
    sg_distance_options o = sg_distance_options_make();
    for (int i = 0; i < 9; i++) {
        const sg_shape *a = all[i / 3], *b = all[i % 3];
        sg_distance_result r;
        sg_pose here = pose_translation(v3_make(1, 2, 3)), bad = here;
        SG_CHECK(sg_signed_distance(a, &here, b, &here, &o, NULL, &work, &r) == SG_ERR_INPUT);
        SG_CHECK(r.message != NULL); // the centroids coincide
        bad.r.x = NAN;
        SG_CHECK(sg_signed_distance(a, &bad, b, &here, &o, NULL, &work, &r) == SG_ERR_INPUT);
        bad.r.x = INFINITY;
        SG_CHECK(sg_signed_distance(a, &here, b, &bad, &o, NULL, &work, &r) == SG_ERR_INPUT);
        bad = here;
        bad.R.m[1][1] = NAN;
        SG_CHECK(sg_signed_distance(a, &bad, b, &here, &o, NULL, &work, &r) == SG_ERR_INPUT);
        bad.R = m3_scale(M3_IDENTITY, 2.0);
        SG_CHECK(sg_signed_distance(a, &here, b, &bad, &o, NULL, &work, &r) == SG_ERR_INPUT);
        bad.R = m3_diagonal(v3_make(1, 1, -1)); // a mirror
        SG_CHECK(sg_signed_distance(a, &here, b, &bad, &o, NULL, &work, &r) == SG_ERR_INPUT &&
                 r.message);
    }
}
