#include "collide/aabb.h"

#include "harness/sg_test_math.h"
#include "shapes/support.h"

static sg_aabb cube_at(double x, double y, double z)
{
    return (sg_aabb){.lo = {x, y, z}, .hi = {x + 1, y + 1, z + 1}};
}

SG_TEST(distance_goes_to_the_nearest_face_edge_or_corner)
{
    sg_aabb a = cube_at(0, 0, 0);
    SG_NEAR(sg_aabb_distance(a, cube_at(3, 0.5, 0)), 2.0, 1e-15, 1.0);
    SG_NEAR(sg_aabb_distance(a, cube_at(-3, 3, 0)), 2.0 * sqrt(2.0), 1e-15, 1.0);
    SG_NEAR(sg_aabb_distance(a, cube_at(3, 3, -3)), 2.0 * sqrt(3.0), 1e-15, 1.0);
    SG_CHECK(sg_aabb_distance(a, cube_at(1, 0, 0)) == 0.0); // touching is exact
    SG_CHECK(sg_aabb_overlap(a, cube_at(1, 0, 0)));
    SG_CHECK(!sg_aabb_overlap(a, cube_at(1.0000001, 0, 0)));
}

// What the solver relies on: coming together, loose boxes overlap while tight ones are apart.
SG_TEST(loose_boxes_meet_before_tight_ones)
{
    sg_aabb a = cube_at(0, 0, 0), b = cube_at(1.005, 0, 0);
    SG_CHECK(sg_aabb_distance(a, b) > 0.0);
    SG_CHECK(sg_aabb_distance(sg_aabb_loosen(a, 0.01), sg_aabb_loosen(b, 0.01)) == 0.0);
}

SG_TEST(distance_is_a_lower_bound_for_any_two_inner_points)
{
    sg_rng rng = sg_rng_seeded(1);
    for (int i = 0; i < 10000; i++) {
        sg_vec3 p = sg_rng_vec3(&rng, 0, 1), q = sg_rng_vec3(&rng, 0, 1);
        sg_vec3 s = sg_rng_vec3(&rng, -3, 3);
        double d = sg_aabb_distance(cube_at(0, 0, 0), cube_at(s.x, s.y, s.z));
        SG_CHECK_MSG(d <= v3_norm(v3_sub(v3_add(q, s), p)) + 1e-12, "case %d", i);
    }
}

SG_TEST(a_tight_box_touches_the_shape_on_all_six_sides)
{
    const char *why;
    sg_shape shape;
    SG_REQUIRE(sg_shape_cone(1, 0.8, 0.2, 1.2, 0.0, 0.01, &shape, &why) == SG_OK);
    sg_rng rng = sg_rng_seeded(2);
    for (int i = 0; i < 200; i++) {
        sg_pose pose = sg_rng_pose(&rng, 5), frame = sg_shape_frame(&shape, &pose);
        sg_aabb box = sg_aabb_of(&shape, &pose);
        for (int k = 0; k < 300; k++) {
            sg_vec3 n = sg_rng_direction(&rng), local = m3_tmul_v(&frame.R, n);
            uint32_t piece = 0;
            sg_vec3 p = pose_point(&frame, sg_support(&shape, local, 0, &piece));
            p = v3_add_scaled(p, n, shape.radius);
            SG_CHECK(v3_max(v3_sub(p, box.hi)) < 1e-14 && v3_max(v3_sub(box.lo, p)) < 1e-14);
        }
        sg_aabb loose = sg_aabb_loose(&shape, &pose);
        double longest = v3_max(v3_sub(box.hi, box.lo));
        SG_NEAR(loose.hi.x - box.hi.x, 0.005 * longest, 1e-12, 1.0);
    }
}

SG_TEST(the_box_of_a_sphere_grows_by_its_radius_share)
{
    const char *why;
    sg_shape ball;
    SG_REQUIRE(sg_shape_sphere(0.6, &ball, &why) == SG_OK);
    sg_pose pose = pose_translation(v3_make(1, 2, 3));
    sg_aabb box = sg_aabb_loose(&ball, &pose);
    SG_NEAR(box.hi.y, 2.0 + 0.3 * 1.005, 1e-15, 1.0);
    SG_NEAR(box.lo.z, 3.0 - 0.3 * 1.005, 1e-15, 1.0);
}
