#include "collide/distance.h"
#include "collide/oracle_test.h"
#include "harness/sg_test_math.h"
#include "math/rotation.h"

enum { BOX = 9 }; // of test_shape_random: without smoothing

static sg_distance_work work;

static sg_distance_result depth_of(const oracle_pair *p, bool formula)
{
    sg_distance_result r = {0};
    sg_distance_options o = sg_distance_options_make();
    o.closed_forms = formula;
    SG_CHECK(sg_signed_distance(&p->a->shape, &p->pa, &p->b->shape, &p->pb, &o, NULL, &work, &r) ==
             SG_OK);
    return r;
}

// Turned against each other by `lean` about a random axis, after quarter turns or anyhow.
static void place(sg_rng *rng, int way, double lean, oracle_pair *p)
{
    sg_pose turn = sg_rng_pose(rng, 0.0);
    p->size = 0.5 * (p->a->shape.bound + p->b->shape.bound);
    p->pa = sg_rng_pose(rng, p->size);
    if (way < 2)
        turn.R = rot_axis(sg_rng_direction(rng), lean);
    if (way == 1) // about one axis, so that edges stay parallel
        turn.R = rot_axis(v3_axis(way), lean);
    p->pb = pose_mul(p->pa, turn);
    p->pb.r =
        v3_add_scaled(p->pa.r, sg_rng_direction(rng), p->size * sg_rng_uniform(rng, 0.1, 1.2));
}

// The depth is proven by an oracle that shares no code, and by the general search; the points are
// those of both boxes.
SG_TEST(boxes_are_as_deep_in_each_other_as_any_direction_says)
{
    sg_rng rng = sg_rng_seeded(11);
    int overlap = 0;
    static const double leans[] = {0.0, 1e-15, 1e-13, 1e-12, 1e-10, 1e-8, 1e-5, 1e-2, 0.3};
    for (int i = 0; i < 1800; i++) {
        test_shape a, b;
        test_shape_random(&rng, BOX, 1.0, 10.0, false, &a);
        test_shape_random(&rng, BOX, 1.0, 10.0, false, &b);
        oracle_pair p = {.a = &a, .b = &b};
        place(&rng, i % 3, leans[i / 3 % 9], &p);
        sg_distance_result r = depth_of(&p, true), other = depth_of(&p, false);
        SG_CHECK(fabs(r.delta - other.delta) <= 1e-12 * p.size);
        if (!r.closed_form || r.delta >= 0.0)
            continue;
        overlap++;
        double measure;
        const char *wrong = oracle_objection(&p, &r, 2e-12, 1, &rng, &measure);
        SG_CHECK_MSG(!wrong, "pair %d: %s (%g)", i, wrong, measure);
        double out = fmax(oracle_outside(&a, &p.pa, r.a), oracle_outside(&b, &p.pb, r.b));
        SG_CHECK_MSG(out <= 1e-12 * p.size, "pair %d: a point is %g outside", i, out);
    }
    SG_CHECK(overlap > 600);
}

// Faces that lean by nothing but rounding meet in the middle of what they have in common.
SG_TEST(faces_of_boxes_meet_in_the_middle)
{
    test_shape a = {0}, b = {0};
    const char *why;
    SG_CHECK(sg_shape_box(v3_make(2.0, 2.0, 1.0), 0.0, &a.shape, &why) == SG_OK);
    SG_CHECK(sg_shape_box(v3_make(1.0, 1.0, 1.0), 0.0, &b.shape, &why) == SG_OK);
    oracle_pair p = {.a = &a, .b = &b, .pa = POSE_IDENTITY, .pb = POSE_IDENTITY};
    p.pb.r = v3_make(1.2, 0.3, 0.999);
    sg_distance_result r = depth_of(&p, true);
    SG_NEAR(r.delta, -1e-3, 1e-12, 0.0);
    SG_NEAR(v3_distance(r.n, v3_make(0, 0, 1)), 0.0, 1e-15, 1.0);
    SG_NEAR(r.a.x, 0.85, 1e-12, 0.0);
    SG_NEAR(r.a.y, 0.3, 1e-12, 0.0);
    SG_NEAR(r.a.z, 0.5, 1e-12, 0.0);
}
