#include "collide/patch.h"

#include "collide/detect_test.h"

static sg_pose at(double z, sg_vec3 axis, double angle)
{
    sg_mat3 R = angle != 0.0 ? scene_turn(M3_IDENTITY, axis, angle) : M3_IDENTITY;
    return pose_make(R, v3_make(0.02, 0.01, z));
}

SG_TEST(faces_on_faces_and_edges_along_edges_are_no_points)
{
    sg_shape plate = scene_box(2, 2, 0.2), cube = scene_box(0.5, 0.6, 0.7), ball = scene_ball(0.5);
    sg_shape can, rod;
    const char *why;
    SG_CHECK(sg_shape_cylinder(2, 0.4, 0.6, 0.001, &can, &why) == SG_OK);
    SG_CHECK(sg_shape_capsule(0, 0.2, 0.5, &rod, &why) == SG_OK);
    const sg_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1}, xy = {1, 1.2, 0};
    const double right = 1.57079632679489662;
    sg_pose ground = POSE_IDENTITY;
    const struct {
        const sg_shape *shape;
        sg_vec3 axis;
        double angle;
        bool patch;
    } known[] = {
        {&cube, z, 0.0, true},   {&cube, z, 0.3, true},
        {&cube, x, 1e-5, true},  {&cube, x, 0.4, true},  // on an edge
        {&cube, xy, 0.4, false},                         // on a corner
        {&can, z, 0.0, true},    {&can, y, right, true}, // on its end, on its side
        {&can, y, 0.4, false},   {&ball, z, 0.0, false},
        {&rod, z, 0.7, true},    {&rod, y, 0.2, false},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        sg_pose pose = at(1.0, known[i].axis, known[i].angle);
        SG_CHECK_MSG(sg_patch_contact(&plate, &ground, known[i].shape, &pose, z) == known[i].patch,
                     "case %zu", i);
        SG_CHECK_MSG(sg_patch_contact(known[i].shape, &pose, &plate, &ground, v3_neg(z)) ==
                         known[i].patch,
                     "case %zu exchanged", i);
    }
    // Two rods across each other touch in a point, along each other they do not.
    sg_pose low = at(0.0, z, 0.0), across = at(0.2, z, 0.5), same = at(0.2, z, 0.0);
    SG_CHECK(!sg_patch_contact(&rod, &low, &rod, &across, z));
    SG_CHECK(sg_patch_contact(&rod, &low, &rod, &same, z));
}
