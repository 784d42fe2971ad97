#include "collide/smallest.h"

#include "collide/detect_test.h"

static scene one, two;

static void fill(scene *s, sg_rng *rng, const sg_detect_options *o)
{
    scene_begin(s);
    for (int i = 0; i < 30; i++) {
        int body = i + 1;
        sg_pose place = pose_translation(sg_rng_vec3(rng, -0.05, 0.05));
        scene_add(s, i % 3 ? scene_ball(0.3) : scene_box(0.3, 0.2, 0.25), body, place);
        s->start[body].pose = pose_make(sg_rng_rotation(rng), sg_rng_vec3(rng, -0.7, 0.7));
        s->start[body].vel = (sg_motion){sg_rng_vec3(rng, -3, 3), sg_rng_vec3(rng, -0.5, 0.5)};
    }
    scene_ready(s, o);
}

// z_d and z_p as the functions of the nearest pairs have them.
static void extremes(const sg_smallest *s, double *zd, double *zp, int *n_negative)
{
    *zd = 42.0;
    *zp = -42.0;
    *n_negative = 0;
    for (int i = 0; i <= s->nz; i++) {
        if (s->z[i] > 0.0) {
            *zd = fmin(*zd, s->z[i]);
            continue;
        }
        *n_negative += 1;
        *zp = fmax(*zp, s->z[i]);
    }
}

static void compare(int nz, bool at_event)
{
    double zd, zp;
    int n;
    const sg_detect *d = &one.detect;
    extremes(two.detect.smallest, &zd, &zp, &n);
    SG_REQUIRE(d->touch.len == two.detect.touch.len);
    int contacts = (int)d->touch.len, expected = contacts < nz ? contacts : nz;
    if (!at_event && (d->zd <= 0.0 || d->zp >= 0.0)) {
        // Something began or ended: some function says so, too. Contacts come first.
        bool crossed = false;
        for (int i = 0; i <= nz; i++)
            crossed |= (two.detect.smallest->z[i] < 0.0) != (i < expected);
        SG_CHECK(crossed);
        return;
    }
    SG_CHECK_MSG(n == expected, "%d of %d negative", n, expected);
    SG_NEAR(zd, d->zd, 1e-12, 1.0);
    SG_NEAR(zp, d->zp, 1e-12, 1.0);
}

// Along motions, between events and across them, with few functions and with many.
SG_TEST(the_nearest_pairs_have_the_extremes_of_all_pairs_among_them)
{
    static const int sizes[] = {1, 2, 5, 20, 100, 1000};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (uint64_t seed = 1; seed <= 4; seed++) {
            sg_rng rng = sg_rng_seeded(seed), again = rng;
            sg_detect_options o = sg_detect_options_make();
            fill(&one, &rng, &o);
            o.nz = sizes[k];
            fill(&two, &again, &o);
            sg_body_view a = scene_view(&one), b = scene_view(&two);
            for (int i = 0; i < 200; i++) {
                scene_move(&one, 31, 0.004 * i);
                scene_move(&two, 31, 0.004 * i);
                bool event = i % 7 == 0;
                sg_detect_mode mode = event ? SG_DETECT_EVENT : SG_DETECT_CROSSINGS;
                SG_REQUIRE(sg_detect_evaluate(&one.detect, mode, &a) == SG_OK);
                SG_REQUIRE(sg_detect_evaluate(&two.detect, mode, &b) == SG_OK);
                compare(sizes[k], event);
                bool quiet = one.detect.zd > 0.0 && one.detect.zp < 0.0;
                if (!event && quiet) { // the next step: others are watched, no sign changes
                    SG_REQUIRE(sg_smallest_select(&two.detect) == SG_OK);
                    compare(sizes[k], false);
                }
                if (event)
                    SG_CHECK(two.detect.smallest->is_short ||
                             (int)two.detect.touch.len <= sizes[k]);
            }
            scene_end(&one);
            scene_end(&two);
        }
}

SG_TEST(too_few_functions_are_told_and_nothing_is_missed)
{
    sg_detect_options o = sg_detect_options_make();
    o.nz = 1;
    scene_begin(&one);
    for (int i = 0; i < 4; i++)
        scene_add(&one, scene_ball(0.2), i + 1, POSE_IDENTITY);
    for (int i = 0; i < 4; i++)
        one.body[i + 1].pose.r.x = i + 0.1 * i * (i - 1); // 0, 1, 2.2, 3.6
    scene_ready(&one, &o);
    sg_body_view view = scene_view(&one);
    const sg_smallest *s = one.detect.smallest;
    SG_REQUIRE(sg_detect_evaluate(&one.detect, SG_DETECT_EVENT, &view) == SG_OK);
    SG_CHECK(!s->is_short && s->n == 1 && s->z[0] > 0.0 && s->z[1] > 0.0);
    // The last two meet while the function is that of the first two.
    one.body[4].pose.r.x = 2.35;
    SG_REQUIRE(sg_detect_evaluate(&one.detect, SG_DETECT_CROSSINGS, &view) == SG_OK);
    SG_CHECK(s->z[0] > 0.0 && s->z[1] < 0.0);
    SG_REQUIRE(sg_detect_evaluate(&one.detect, SG_DETECT_EVENT, &view) == SG_OK);
    SG_CHECK(s->is_short && one.detect.touch.len == 1 && s->z[0] < 0.0 && s->z[1] > 0.0);
    // Two contacts share one function; it rises when either ends.
    one.body[2].pose.r.x = 0.15;
    SG_REQUIRE(sg_detect_evaluate(&one.detect, SG_DETECT_EVENT, &view) == SG_OK);
    SG_CHECK(s->is_short && one.detect.touch.len == 2 && s->z[0] < 0.0);
    one.body[4].pose.r.x = 2.41;
    SG_REQUIRE(sg_detect_evaluate(&one.detect, SG_DETECT_CROSSINGS, &view) == SG_OK);
    SG_CHECK(s->z[0] > 0.0);
    scene_end(&one);
}
