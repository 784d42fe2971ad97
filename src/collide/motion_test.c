#include "collide/detect_test.h"

static scene s;

static double thickness(int i)
{
    return 2.0 * (s.shape[i].shape.inradius + s.shape[i].shape.radius);
}

static double depth_of(const sg_body_view *view, int i, int j)
{
    sg_touch t;
    // Centroids on top of each other have no answer; so deep is deep enough.
    return sg_detect_measure(&s.detect, view, i, j, &t) ? -1.0 : t.delta;
}

typedef struct census {
    long steps, bounded, missed, noticed;
    double worst;
} census;

static void judge_step(const sg_body_view *view, int i, int j, double t, double h, census *c)
{
    scene_move(&s, 6, t);
    if (depth_of(view, i, j) <= s.detect.options.eps)
        return; // in contact already
    double deepest = INFINITY, last = 0.0;
    for (int k = 1; k <= 25; k++) {
        scene_move(&s, 6, t + h * k / 25);
        last = depth_of(view, i, j);
        deepest = fmin(deepest, last);
    }
    double share = -deepest / (thickness(i) + thickness(j));
    c->noticed += deepest < 0.0 && last < 0.0;
    c->missed += deepest < 0.0 && last >= 0.0;
    c->worst = fmax(c->worst, share);
    SG_CHECK_MSG(share <= s.detect.options.depth_share + 1e-9, "%s and %s: %g of the thickness",
                 test_kind_name(s.shape[i].kind), test_kind_name(s.shape[j].kind), share);
}

// Fast, spinning, accelerated shapes: whatever contact begins and ends within a step was shallow.
SG_TEST(no_contact_that_a_step_misses_is_deeper_than_the_share)
{
    sg_rng rng = sg_rng_seeded(31);
    census c = {0};
    for (int trial = 0; trial < 60; trial++) {
        scene_begin(&s);
        for (int b = 0; b < 6; b++) {
            test_shape_random(&rng, (trial + 3 * b) % TEST_KINDS, 0.4, 4.0, b % 2, &s.shape[s.n]);
            sg_pose place = b % 3 == 2 ? sg_rng_pose(&rng, 0.5) : POSE_IDENTITY;
            s.collider[s.n] =
                (sg_collider){&s.shape[s.n].shape, place, b, b, false, SG_NO_TUBE, 0, NULL, 0, 0};
            s.n++;
            s.start[b].pose = sg_rng_pose(&rng, 1.5);
            // Toward the middle, so that they meet.
            s.start[b].vel.v = v3_add(v3_scale(s.start[b].pose.r, -sg_rng_uniform(&rng, 0, 100)),
                                      sg_rng_vec3(&rng, -10, 10));
            s.start[b].vel.w = v3_scale(sg_rng_direction(&rng), sg_rng_uniform(&rng, 0, 60));
            s.start[b].acc.v = sg_rng_vec3(&rng, -500, 500);
        }
        scene_ready(&s, NULL);
        sg_body_view view = scene_view(&s);
        double t = 0.0;
        for (int step = 0; step < 12; step++) {
            scene_move(&s, 6, t);
            SG_CHECK(sg_detect_evaluate(&s.detect, SG_DETECT_EVENT, &view) == SG_OK);
            sg_motion_bound bound;
            SG_CHECK(sg_detect_bound(&s.detect, &view, false, 0.1, &bound) == SG_OK);
            SG_CHECK(bound.step > 0.0 && bound.step <= 0.1);
            c.steps++;
            c.bounded += bound.step < 0.1;
            for (int i = 0; i < s.n; i++)
                for (int j = i + 1; j < s.n; j++)
                    judge_step(&view, i, j, t, bound.step, &c);
            t += bound.step;
        }
        scene_end(&s);
    }
    SG_CHECK_MSG(c.bounded > 600 && c.noticed > 50 && c.worst > 0.03,
                 "%ld steps, %ld bounded; contacts: %ld at the end, %ld missed; worst %g", c.steps,
                 c.bounded, c.noticed, c.missed, c.worst);
}

// A ball of 1 mm at 1 km/s against a plate of 1 mm: from whatever distance, steps as long as the
// bound end in contact, not beyond the plate.
SG_TEST(a_bullet_does_not_pass_a_plate_unnoticed)
{
    scene_begin(&s);
    scene_add(&s, scene_box(1, 1, 0.001), 0, POSE_IDENTITY);
    scene_add(&s, scene_ball(0.001), 1, POSE_IDENTITY);
    scene_ready(&s, NULL);
    sg_body_view view = scene_view(&s);
    for (int trial = 0; trial < 60; trial++) {
        double height = pow(10.0, 1.0 - 0.07 * trial), t = 0.0, tilt = 0.01 * trial;
        s.start[1].pose.r = v3_make(-height * tilt, 0, height + 0.001);
        s.start[1].vel.v = v3_make(1000 * tilt, 0, -1000);
        scene_move(&s, 2, 0.0);
        SG_CHECK(sg_detect_evaluate(&s.detect, SG_DETECT_EVENT, &view) == SG_OK);
        int steps = 0;
        for (; steps < 20 && s.detect.zd > 0.0; steps++) {
            sg_motion_bound bound;
            SG_CHECK(sg_detect_bound(&s.detect, &view, false, 1.0, &bound) == SG_OK);
            t += bound.step;
            scene_move(&s, 2, t);
            SG_CHECK(sg_detect_evaluate(&s.detect, SG_DETECT_CROSSINGS, &view) == SG_OK);
        }
        SG_CHECK_MSG(s.detect.zd < 0.0 && s.body[1].pose.r.z > 0.0005, "height %g: %d steps, z %g",
                     height, steps, s.body[1].pose.r.z);
        SG_CHECK_MSG(steps <= 6, "height %g: %d steps", height, steps);
    }
    scene_end(&s);
}

SG_TEST(what_falls_from_rest_is_bounded_by_its_acceleration_and_what_leaves_is_not_bounded)
{
    scene_begin(&s);
    scene_add(&s, scene_box(1, 1, 0.001), 0, POSE_IDENTITY);
    scene_add(&s, scene_ball(0.02), 1, POSE_IDENTITY);
    scene_ready(&s, NULL);
    sg_body_view view = scene_view(&s);
    s.body[1].pose.r.z = 0.5 + 0.0105;
    s.body[1].acc.v.z = -10.0;
    SG_CHECK(sg_detect_evaluate(&s.detect, SG_DETECT_EVENT, &view) == SG_OK);
    sg_motion_bound bound;
    SG_CHECK(sg_detect_bound(&s.detect, &view, false, 9.0, &bound) == SG_OK);
    // Of the height and a share of both thicknesses: sqrt(2 h / g).
    SG_NEAR(bound.step, sqrt(2 * (0.5 + 0.05 * 0.021) / 10), 1e-12, 1.0);
    SG_CHECK(bound.a == 0 && bound.b == 1);
    s.body[1].vel.v.z = 4.0; // upward: it comes back after 0.8 s
    SG_CHECK(sg_detect_bound(&s.detect, &view, false, 9.0, &bound) == SG_OK);
    SG_CHECK(bound.step > 0.8 && bound.step < 1.0);
    s.body[1].acc.v.z = 0.0;
    SG_CHECK(sg_detect_bound(&s.detect, &view, false, 9.0, &bound) == SG_OK);
    SG_CHECK(bound.step == 9.0 && bound.a == -1);
    s.body[1].vel.w = v3_make(1000, 0, 0); // a ball may spin as it likes
    SG_CHECK(sg_detect_bound(&s.detect, &view, false, 9.0, &bound) == SG_OK);
    SG_CHECK(bound.step == 9.0);
    view.acceleration = NULL;
    s.body[1].vel.v.z = -1.0;
    SG_CHECK(sg_detect_bound(&s.detect, &view, false, 9.0, &bound) == SG_OK);
    SG_NEAR(bound.step, 0.5 + 0.05 * 0.021, 1e-12, 1.0);
    scene_end(&s);
}

// A ball that has just touched a plate at 1 km/s must not come out of the other side in one step.
SG_TEST(what_is_in_contact_goes_deeper_by_a_share_of_the_thickness_at_most)
{
    scene_begin(&s);
    scene_add(&s, scene_box(1, 1, 0.001), 0, POSE_IDENTITY);
    scene_add(&s, scene_ball(0.001), 1, POSE_IDENTITY);
    scene_ready(&s, NULL);
    sg_body_view view = scene_view(&s);
    s.body[1].pose.r.z = 0.001 - 1e-9;
    s.body[1].vel.v.z = -1000.0;
    SG_CHECK(sg_detect_evaluate(&s.detect, SG_DETECT_EVENT, &view) == SG_OK);
    SG_CHECK(s.detect.touch.len == 1);
    sg_motion_bound bound;
    SG_CHECK(sg_detect_bound(&s.detect, &view, false, 1.0, &bound) == SG_OK);
    SG_NEAR(bound.step, 0.05 * 0.002 / 1000.0, 1e-12, 1e-7);
    s.body[1].vel.v.z = 1000.0; // on its way out
    SG_CHECK(sg_detect_bound(&s.detect, &view, false, 1.0, &bound) == SG_OK);
    SG_CHECK(bound.step == 1.0);
    scene_end(&s);
}

// The released program's distances (components3d.md A.1): scaled, along the portal, and only where
// boxes overlap.
SG_TEST(the_compatibility_mode_measures_as_published)
{
    static const struct {
        sg_vec3 r;
        double d;
    } known[] = {{{0.6190964322303429, 0.09989803187140613, 1e-20}, -1.647047588798435e-4},
                 {{0.6190964322303429, 0.09989803187140613, 0}, -6.27580977328527e-5},
                 {{0.6190964322303429, 0.09989803187140613, -1e-20}, -6.228642011766145e-5}};
    sg_detect_options o = sg_detect_options_make();
    o.measure = SG_MEASURE_PORTAL;
    o.mpr.reference_shapes = o.mpr.reference_scaling = true;
    scene_begin(&s);
    sg_pose below = pose_translation(v3_make(0, -0.05, 0));
    scene_add(&s, scene_box(2.0, 0.1, 0.5), 0, below);
    scene_add(&s, scene_ball(0.2), 1, POSE_IDENTITY);
    scene_ready(&s, &o);
    sg_body_view view = scene_view(&s);
    for (int i = 0; i < 3; i++) {
        s.body[1].pose.r = known[i].r;
        SG_CHECK(sg_detect_evaluate(&s.detect, SG_DETECT_EVENT, &view) == SG_OK);
        SG_CHECK(s.detect.touch.len == 1);
        SG_NEAR(s.detect.touch.data[0].delta, known[i].d, 1e-10, 1e-4);
        SG_NEAR(s.detect.touch.data[0].n.y, 1.0, 1e-12, 1.0);
    }
    SG_CHECK(s.detect.stats.portals == 3 && s.detect.stats.most_phase3 > 1 &&
             s.detect.stats.most_phase2 >= 1);
    scene_end(&s);
}
