#include "collide/detect_test.h"

#include <stdlib.h>

static scene s;
static sg_distance_work oracle_work;

static sg_pose pose_of(int i)
{
    return pose_mul(s.body[s.collider[i].body].pose, s.collider[i].place);
}

// Signed distance of two shapes, asked for by itself.
static double shape_distance(int i, int j)
{
    sg_distance_options o = sg_distance_options_make();
    sg_distance_result r;
    sg_pose a = pose_of(i), b = pose_of(j);
    SG_CHECK(sg_signed_distance(s.collider[i].shape, &a, s.collider[j].shape, &b, &o, NULL,
                                &oracle_work, &r) == SG_OK);
    return r.delta;
}

static bool touches(int i, int j)
{
    for (size_t k = 0; k < s.detect.touch.len; k++)
        if (s.detect.touch.data[k].a == i && s.detect.touch.data[k].b == j)
            return true;
    return false;
}

// What z_d and z_p should be, by looking at all pairs: the distance of the shapes where boxes
// overlap, that of tight boxes elsewhere; and the least distance of shapes whatever the boxes.
typedef struct brute {
    double zd, zp, least;
} brute;

static brute look_at_all(void)
{
    brute z = {42.0, -42.0, 42.0};
    double eps = s.detect.options.eps;
    bool any = false;
    for (int i = 0; i < s.n; i++)
        for (int j = i + 1; j < s.n; j++) {
            if (!sg_candidates_may(&s.candidates, i, j))
                continue;
            double d = shape_distance(i, j) - eps;
            if (touches(i, j)) {
                z.zp = any ? fmax(z.zp, d - eps) : d - eps;
                any = true;
                continue;
            }
            sg_pose a = pose_of(i), b = pose_of(j);
            z.least = fmin(z.least, d);
            bool overlap = sg_aabb_overlap(sg_aabb_loose(s.collider[i].shape, &a),
                                           sg_aabb_loose(s.collider[j].shape, &b));
            double boxes = sg_aabb_distance(sg_aabb_of(s.collider[i].shape, &a),
                                            sg_aabb_of(s.collider[j].shape, &b));
            z.zd = fmin(z.zd, overlap ? d : boxes);
        }
    return z;
}

// Bodies with one or two shapes of all kinds, in a box of the given half length.
static void random_scene(sg_rng *rng, int bodies, double reach, double speed)
{
    scene_begin(&s);
    for (int b = 0; b < bodies; b++) {
        s.start[b].pose = sg_rng_pose(rng, reach);
        s.start[b].vel.v = v3_scale(sg_rng_direction(rng), sg_rng_uniform(rng, 0, speed));
        s.start[b].vel.w = v3_scale(sg_rng_direction(rng), sg_rng_uniform(rng, 0, 3));
        if (b % 8 == 7) // some stand still
            s.start[b].vel = (sg_motion){V3_ZERO, V3_ZERO};
        for (int k = 0; k <= b % 2; k++) {
            test_shape_random(rng, (b + 3 * k) % TEST_KINDS, 0.5, 3.0, true, &s.shape[s.n]);
            sg_pose place = k ? sg_rng_pose(rng, 0.2) : POSE_IDENTITY;
            s.collider[s.n] = (sg_collider){&s.shape[s.n].shape, place, b,    b, b % 8 == 7,
                                            SG_NO_TUBE,          0,     NULL, 0, 0};
            s.n++;
        }
    }
}

SG_TEST(z_is_that_of_all_pairs_one_by_one_along_random_motions)
{
    sg_rng rng = sg_rng_seeded(21);
    long contacts = 0, apart = 0, inside = 0;
    for (int trial = 0; trial < 6; trial++) {
        random_scene(&rng, 16, trial < 4 ? 0.8 : 3.0, 1.5);
        sg_detect_options o = sg_detect_options_make();
        o.always_tree = trial % 2;
        scene_ready(&s, &o);
        sg_body_view view = scene_view(&s);
        for (int step = 0; step < 40; step++) {
            scene_move(&s, 16, 0.02 * step);
            sg_detect_mode mode = step % 10 == 0 ? SG_DETECT_EVENT : SG_DETECT_CROSSINGS;
            SG_CHECK(sg_detect_evaluate(&s.detect, mode, &view) == SG_OK);
            brute z = look_at_all();
            SG_NEAR(s.detect.zd, z.zd, 1e-11, 1.0);
            SG_NEAR(s.detect.zp, z.zp, 1e-11, 1.0);
            // The sign is that of the shapes, and never is there more distance than there is.
            SG_CHECK((s.detect.zd > 0.0) == (z.least > 0.0) || fabs(z.least) < 1e-12);
            SG_CHECK(s.detect.zd <= z.least + 1e-11);
            if (mode == SG_DETECT_EVENT)
                SG_CHECK(s.detect.zd > 0.0 && s.detect.zp < 0.0);
            contacts += (long)s.detect.touch.len;
            apart += s.detect.zd > 0.0;
            inside += s.detect.zd < 0.0;
        }
        scene_end(&s);
    }
    SG_CHECK_MSG(contacts > 500 && apart > 60 && inside > 40, "%ld contacts, %ld apart, %ld inside",
                 contacts, apart, inside);
}

SG_TEST(the_contact_set_stays_until_the_next_event_and_is_in_order)
{
    sg_rng rng = sg_rng_seeded(22);
    random_scene(&rng, 20, 1.0, 1.0);
    scene_ready(&s, NULL);
    sg_body_view view = scene_view(&s);
    scene_move(&s, 20, 0.0);
    SG_CHECK(sg_detect_evaluate(&s.detect, SG_DETECT_EVENT, &view) == SG_OK);
    size_t n = s.detect.touch.len;
    SG_CHECK(n > 5);
    for (size_t i = 0; i < n; i++)
        SG_CHECK(s.detect.touch.data[i].is_new && s.detect.touch.data[i].proven);
    scene_move(&s, 20, 0.3);
    SG_CHECK(sg_detect_evaluate(&s.detect, SG_DETECT_FORCES, &view) == SG_OK);
    SG_CHECK(s.detect.touch.len == n);
    for (size_t i = 0; i < n; i++) {
        const sg_touch *t = &s.detect.touch.data[i];
        SG_NEAR(t->delta, shape_distance(t->a, t->b), 1e-11, 1.0);
        SG_NEAR(v3_dot(v3_sub(t->pb, t->pa), t->n), t->delta, 1e-11, 1.0);
        SG_CHECK(i == 0 || t[-1].a < t->a || (t[-1].a == t->a && t[-1].b < t->b));
    }
    SG_CHECK(sg_detect_evaluate(&s.detect, SG_DETECT_EVENT, &view) == SG_OK);
    int kept = 0, fresh = 0;
    for (size_t i = 0; i < s.detect.touch.len; i++) {
        bool was = false;
        for (size_t k = 0; k < s.detect.last.len; k++)
            was = was || (s.detect.last.data[k].a == s.detect.touch.data[i].a &&
                          s.detect.last.data[k].b == s.detect.touch.data[i].b);
        SG_CHECK(s.detect.touch.data[i].is_new == !was);
        kept += was;
        fresh += !was;
    }
    SG_CHECK(kept > 0 && fresh > 0 && s.detect.last.len == n);
    scene_end(&s);
}

// Faces along the axes are where tight boxes and shapes touch together. A loose gap of any
// smallness must not look like a contact (thesis 5.2 and 6.3).
SG_TEST(a_gap_between_boxes_never_looks_like_a_contact)
{
    scene_begin(&s);
    scene_add(&s, scene_box(1, 1, 1), 0, POSE_IDENTITY);
    scene_add(&s, scene_box(1, 1, 1), 1, POSE_IDENTITY);
    scene_ready(&s, NULL);
    sg_body_view view = scene_view(&s);
    static const double gap[] = {1e-2,  1e-6, 1e-12,  1e-14,  1e-15,
                                 3e-16, 0.0,  -1e-15, -1e-12, -1e-3};
    double before = INFINITY;
    for (int shift = 0; shift < 2; shift++)
        for (size_t i = 0; i < sizeof gap / sizeof *gap; i++) {
            // Loose boxes of a unit cube reach 0.005 farther than the cube.
            s.body[1].pose.r = v3_make(1.01 + gap[i], 0.3, shift ? 1e-3 : 0.0);
            SG_CHECK(sg_detect_evaluate(&s.detect, SG_DETECT_EVENT, &view) == SG_OK);
            SG_CHECK(s.detect.touch.len == 0);
            SG_CHECK_MSG(s.detect.zd > 0.008 && s.detect.zd < before + 1e-12, "gap %g: z %g",
                         gap[i], s.detect.zd);
            before = i + 1 < sizeof gap / sizeof *gap ? s.detect.zd : (double)INFINITY;
        }
    scene_end(&s);
}

static void two_balls(void)
{
    scene_begin(&s);
    scene_add(&s, scene_ball(2.0), 0, POSE_IDENTITY);
    scene_add(&s, scene_ball(2.0), 1, POSE_IDENTITY);
    scene_ready(&s, NULL);
}

// z_d was negative, so there is an event; by a rounding the distance is positive there.
SG_TEST(what_an_event_came_for_begins_though_rounding_says_that_it_is_apart)
{
    double eps = 1e-13;
    two_balls();
    sg_body_view view = scene_view(&s);
    for (int i = 0; i < 2; i++) {
        s.body[0].pose.r = v3_make(-1, 0, 0);
        s.body[1].pose.r = v3_make(1 + 3.0 * eps, 0, 0);
        SG_CHECK(sg_detect_evaluate(&s.detect, SG_DETECT_EVENT, &view) == SG_OK);
        SG_CHECK(s.detect.touch.len == 0);
        s.body[1].pose.r.x = 1 + 0.99 * eps;
        SG_CHECK(sg_detect_evaluate(&s.detect, SG_DETECT_CROSSINGS, &view) == SG_OK);
        SG_CHECK(s.detect.zd < 0.0);
        s.body[1].pose.r.x = 1 + (i ? 1.7 : 1.3) * eps; // s is 0.3 of eps, and 0.7
        SG_CHECK(sg_detect_evaluate(&s.detect, SG_DETECT_EVENT, &view) == SG_OK);
        SG_CHECK(s.detect.touch.len == (i ? 0 : 1) && s.detect.zd > 0.0);
    }
    scene_end(&s);
}

SG_TEST(a_contact_begins_at_eps_and_ends_at_two_eps)
{
    double eps = 1e-13;
    two_balls();
    SG_CHECK(s.detect.options.eps == eps);
    sg_body_view view = scene_view(&s);
    s.body[0].pose.r = v3_make(-1, 0, 0);
    s.body[1].pose.r = v3_make(1 + 3e-13, 0, 0); // distance 3 eps
    SG_CHECK(sg_detect_evaluate(&s.detect, SG_DETECT_EVENT, &view) == SG_OK);
    SG_CHECK(s.detect.touch.len == 0);
    SG_NEAR(s.detect.zd, 2 * eps, 1e-2, eps);
    SG_CHECK(s.detect.zp == -42.0);
    s.body[1].pose.r.x = 1.0; // touching: in contact, and no function is zero
    SG_CHECK(sg_detect_evaluate(&s.detect, SG_DETECT_CROSSINGS, &view) == SG_OK);
    SG_NEAR(s.detect.zd, -eps, 1e-2, eps);
    SG_CHECK(sg_detect_evaluate(&s.detect, SG_DETECT_EVENT, &view) == SG_OK);
    SG_CHECK(s.detect.touch.len == 1 && s.detect.zd == 42.0);
    SG_NEAR(s.detect.zp, -2 * eps, 1e-2, eps);
    s.body[1].pose.r.x = 1 + 1.5e-13; // on the way out, between eps and 2 eps
    SG_CHECK(sg_detect_evaluate(&s.detect, SG_DETECT_CROSSINGS, &view) == SG_OK);
    SG_CHECK(s.detect.touch.len == 1 && s.detect.zp < 0.0);
    s.body[1].pose.r.x = 1 + 2.5e-13;
    SG_CHECK(sg_detect_evaluate(&s.detect, SG_DETECT_CROSSINGS, &view) == SG_OK);
    SG_CHECK(s.detect.touch.len == 1 && s.detect.zp > 0.0);
    SG_CHECK(sg_detect_evaluate(&s.detect, SG_DETECT_EVENT, &view) == SG_OK);
    SG_CHECK(s.detect.touch.len == 0 && s.detect.last.len == 1 && s.detect.zd > 0.0);
    scene_end(&s);
}

SG_TEST(no_mode_of_evaluation_allocates)
{
    sg_rng rng = sg_rng_seeded(23);
    random_scene(&rng, 24, 1.5, 2.0);
    scene_ready(&s, NULL);
    sg_body_view view = scene_view(&s);
    uint64_t requests = s.allocator.requests;
    sg_motion_bound bound;
    for (int step = 0; step < 1000; step++) {
        scene_move(&s, 24, 5e-4 * step);
        sg_detect_mode mode = step % 50 == 0  ? SG_DETECT_EVENT
                              : step % 3 == 0 ? SG_DETECT_CROSSINGS
                                              : SG_DETECT_FORCES;
        SG_CHECK(sg_detect_evaluate(&s.detect, mode, &view) == SG_OK);
        if (step % 3 == 1)
            SG_CHECK(sg_detect_bound(&s.detect, &view, false, 1.0, &bound) == SG_OK);
    }
    SG_CHECK_MSG(s.allocator.requests == requests, "%ld requests",
                 (long)(s.allocator.requests - requests));
    SG_CHECK(s.detect.stats.growths == 0 && s.detect.stats.general > 1000);
    SG_CHECK_MSG(s.detect.near.len > 0 && sg_detect_kept(&s.detect) / s.detect.near.len < 1000,
                 "%zu bytes a near pair", sg_detect_kept(&s.detect) / s.detect.near.len);
    scene_end(&s);
}

// A crowd on one spot has more contacts than there is room for at first.
SG_TEST(an_event_makes_room_where_there_is_too_little)
{
    scene_begin(&s);
    sg_rng rng = sg_rng_seeded(24);
    for (int b = 0; b < 48; b++) {
        if (b % 2)
            test_shape_random(&rng, b % TEST_KINDS, 1.0, 2.0, true, &s.shape[s.n]);
        else
            s.shape[s.n] = (test_shape){.shape = scene_ball(1.0)};
        s.collider[s.n] = (sg_collider){
            &s.shape[s.n].shape, POSE_IDENTITY, b, b, false, SG_NO_TUBE, 0, NULL, 0, 0};
        s.n++;
        s.body[b].pose = sg_rng_pose(&rng, 0.3);
    }
    scene_ready(&s, NULL);
    sg_body_view view = scene_view(&s);
    SG_CHECK(sg_detect_evaluate(&s.detect, SG_DETECT_EVENT, &view) == SG_OK);
    SG_CHECK_MSG(s.detect.touch.len > 900, "%zu contacts", s.detect.touch.len);
    SG_CHECK(s.detect.stats.growths > 0 && s.detect.stats.cold > 0);
    int64_t growths = s.detect.stats.growths;
    double zp = s.detect.zp;
    SG_CHECK(sg_detect_evaluate(&s.detect, SG_DETECT_EVENT, &view) == SG_OK);
    SG_NEAR(s.detect.zp, zp, 1e-12, 1.0);
    for (int i = 0; i < 5; i++)
        SG_CHECK(sg_detect_evaluate(&s.detect, SG_DETECT_CROSSINGS, &view) == SG_OK);
    SG_CHECK(s.detect.stats.growths <= growths + 2);
    scene_end(&s);
}

SG_TEST(bad_poses_and_coinciding_centroids_name_the_shapes)
{
    scene_begin(&s);
    for (int b = 0; b < 3; b++)
        scene_add(&s, b == 1 ? scene_box(1, 2, 3) : scene_ball(1.0), b, POSE_IDENTITY);
    scene_ready(&s, NULL);
    sg_body_view view = scene_view(&s);
    s.body[0].pose.r.x = 5.0;
    SG_CHECK(sg_detect_evaluate(&s.detect, SG_DETECT_EVENT, &view) == SG_ERR_INPUT);
    SG_CHECK(s.detect.failure.a == 1 && s.detect.failure.b == 2 && s.detect.failure.message);
    s.body[2].pose.r.y = -5.0;
    SG_CHECK(sg_detect_evaluate(&s.detect, SG_DETECT_EVENT, &view) == SG_OK);
    double zd = s.detect.zd;
    s.body[1].pose.r.z = NAN;
    SG_CHECK(sg_detect_evaluate(&s.detect, SG_DETECT_CROSSINGS, &view) == SG_ERR_INPUT);
    SG_CHECK(s.detect.failure.a == 1 && s.detect.failure.b == -1 && s.detect.zd == zd);
    s.body[1].pose.r.z = 0.0;
    SG_CHECK(sg_detect_evaluate(&s.detect, SG_DETECT_CROSSINGS, &view) == SG_OK);
    SG_CHECK(s.detect.zd == zd);
    scene_end(&s);
}

// Of deep pairs of all kinds none is without proof, and none is off; nor are they when they move on
// and the answer comes from the last one.
SG_TEST(a_depth_that_forces_act_on_is_proven)
{
    sg_rng rng = sg_rng_seeded(25);
    double worst = 0.0;
    long pairs = 0, deep = 0, unproven = 0;
    for (int ka = 0; ka < TEST_KINDS; ka++)
        for (int kb = ka; kb < TEST_KINDS; kb++)
            for (int k = 0; k < 20; k++) {
                scene_begin(&s);
                test_shape_random(&rng, ka, 1.0, 3.0, k % 2, &s.shape[0]);
                test_shape_random(&rng, kb, 1.0, 3.0, k % 2, &s.shape[1]);
                for (int i = 0; i < 2; i++)
                    s.collider[i] = (sg_collider){
                        &s.shape[i].shape, POSE_IDENTITY, i, i, false, SG_NO_TUBE, 0, NULL, 0, 0};
                s.n = 2;
                s.start[0].pose = sg_rng_pose(&rng, 0.3);
                s.start[1].pose = sg_rng_pose(&rng, 0.05);
                s.start[0].vel.w = v3_make(0.5, 1, 0);
                s.start[1].vel.v = v3_make(0.3, 0.1, -0.2);
                scene_ready(&s, NULL);
                sg_body_view view = scene_view(&s);
                for (int step = 0; step < 8; step++) {
                    scene_move(&s, 2, 0.01 * step);
                    if (sg_detect_evaluate(&s.detect, step ? SG_DETECT_FORCES : SG_DETECT_EVENT,
                                           &view) ||
                        s.detect.touch.len == 0)
                        break;
                    const sg_touch *t = &s.detect.touch.data[0];
                    double size = 0.5 * (s.shape[0].shape.bound + s.shape[1].shape.bound);
                    worst = fmax(worst, fabs(t->delta - shape_distance(0, 1)) / size);
                    pairs++;
                    deep += t->delta < -0.02 * size;
                    unproven += !t->proven;
                }
                scene_end(&s);
            }
    SG_CHECK_MSG(unproven == 0 && worst < 2e-12 && deep > 4000,
                 "%ld pairs, %ld deep, %ld unproven, off by %g", pairs, deep, unproven, worst);
}

// Coaxial cylinders deep in each other are as deep in a whole circle of directions, which no proof
// by pieces reaches: the contact says so, its depth is right, and it stays cheap.
SG_TEST(a_depth_without_proof_is_reported)
{
    sg_shape can;
    const char *why;
    SG_CHECK(sg_shape_cylinder(2, 1.0, 5.0, 0.0, &can, &why) == SG_OK);
    scene_begin(&s);
    scene_add(&s, can, 0, POSE_IDENTITY);
    scene_add(&s, can, 1, POSE_IDENTITY);
    scene_ready(&s, NULL);
    sg_body_view view = scene_view(&s);
    s.body[1].pose.r = v3_make(3e-9, 0, 0.613);
    SG_CHECK(sg_detect_evaluate(&s.detect, SG_DETECT_EVENT, &view) == SG_OK);
    SG_REQUIRE(s.detect.touch.len == 1);
    SG_NEAR(s.detect.touch.data[0].delta, -1.0, 4e-9, 1.0);
    SG_NEAR(sg_detect_deepness(&s.detect, &s.detect.touch.data[0]), 1.0, 4e-9, 1.0);
    bool proven = s.detect.touch.data[0].proven;
    SG_CHECK((s.detect.stats.unproven == 1) == !proven);
    int64_t supports = s.detect.stats.supports;
    for (int i = 1; i <= 8; i++) {
        s.body[1].pose.r.z = 0.613 + 1e-4 * i;
        SG_CHECK(sg_detect_evaluate(&s.detect, SG_DETECT_FORCES, &view) == SG_OK);
        SG_NEAR(s.detect.touch.data[0].delta, -1.0, 4e-9, 1.0);
        SG_CHECK(s.detect.touch.data[0].proven == proven);
    }
    SG_CHECK_MSG(!proven, "there is a proof: choose another pair");
    SG_CHECK_MSG(s.detect.stats.unproven == 9, "%ld reports", (long)s.detect.stats.unproven);
    SG_CHECK_MSG(s.detect.stats.supports - supports < 400, "%ld support points",
                 (long)(s.detect.stats.supports - supports));
    scene_end(&s);
}

SG_TEST(an_event_of_few_looks_at_these_and_at_all_contacts)
{
    scene_begin(&s);
    for (int i = 0; i < 4; i++) {
        scene_add(&s, scene_ball(1.0), i, POSE_IDENTITY);
        s.start[i].pose.r = v3_make(1.1 * i, 0.0, 0.0);
    }
    scene_ready(&s, NULL);
    sg_body_view view = scene_view(&s);
    scene_move(&s, 4, 0.0);
    s.body[1].pose.r.x = 0.9;
    SG_CHECK(sg_detect_evaluate(&s.detect, SG_DETECT_EVENT, &view) == SG_OK);
    SG_CHECK(s.detect.touch.len == 1 && touches(0, 1) && !s.detect.is_partial);
    // 2 touches 1 and 3, and only one of these pairs is named. 0 and 1 have parted.
    sg_detect_pair_of pair[] = {{1, 2}, {0, 1}, {0, 2}};
    int moved[] = {0, 1, 2};
    s.detect.few = (sg_detect_few){.pair = pair, .collider = moved, .n = 3, .n_colliders = 3};
    s.body[1].pose.r.x = 1.2;
    s.body[2].pose.r.x = 2.1;
    s.body[3].pose.r.x = 3.0;
    SG_CHECK(sg_detect_event_of_few(&s.detect, &view) == SG_OK);
    SG_CHECK(s.detect.touch.len == 1 && touches(1, 2) && s.detect.touch.data[0].is_new);
    SG_CHECK(s.detect.is_partial && s.detect.last.len == 1);
    // A contact that nobody names is measured all the same, and goes on.
    s.detect.few.n = 0;
    s.body[2].pose.r.x = 2.15;
    SG_CHECK(sg_detect_event_of_few(&s.detect, &view) == SG_OK);
    SG_CHECK(s.detect.touch.len == 1 && touches(1, 2) && !s.detect.touch.data[0].is_new);
    SG_NEAR(s.detect.touch.data[0].delta, -0.05, 1e-12, 1.0);
    // Where it is known who has moved, the contacts of others stay as they were, wherever those
    // are.
    const bool is_moved[] = {true, false, false, false};
    s.detect.few.moved = is_moved;
    s.body[2].pose.r.x = 5.0;
    SG_CHECK(sg_detect_event_of_few(&s.detect, &view) == SG_OK);
    SG_CHECK(s.detect.touch.len == 1 && touches(1, 2) && !s.detect.touch.data[0].is_new);
    SG_NEAR(s.detect.touch.data[0].delta, -0.05, 1e-12, 1.0);
    s.body[2].pose.r.x = 2.15;
    // All pairs: the one that was not named, too, and boxes of all.
    SG_CHECK(sg_detect_evaluate(&s.detect, SG_DETECT_EVENT, &view) == SG_OK);
    SG_CHECK(s.detect.touch.len == 2 && touches(2, 3) && !s.detect.is_partial);
    scene_end(&s);
}
