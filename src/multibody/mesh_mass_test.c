#include "multibody/mesh_mass.h"

#include "harness/sg_test.h"
#include "math/rotation.h"

#include <string.h>

// Corner i of a unit cube has the bits of i as its coordinates.
static const uint32_t cube[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                  2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

static void corners(sg_vec3 size, const sg_pose *at, sg_vec3 *v)
{
    for (int i = 0; i < 8; i++) {
        sg_vec3 p = v3_make((i & 1) - 0.5, (i >> 1 & 1) - 0.5, (i >> 2) - 0.5);
        v[i] = pose_point(at, v3_mul(p, size));
    }
}

static sg_status mass_of(const sg_vec3 *v, size_t nv, const uint32_t *t, size_t nt, sg_mass *out,
                         double *volume, const char **why)
{
    sg_arena scratch;
    sg_arena_init(&scratch, sg_allocator_default());
    sg_status status = sg_mass_of_mesh(v, nv, t, nt, 2.0, &scratch, out, volume, why);
    sg_arena_destroy(&scratch);
    return status;
}

SG_TEST(a_box_of_triangles_far_away_and_turned_has_the_inertia_of_the_box)
{
    sg_pose at = pose_from_abs(rot_123(v3_make(0.4, -0.7, 1.1)), v3_make(30.0, -20.0, 10.0));
    sg_vec3 v[8];
    sg_mass mesh = {0}, box;
    double volume = 0.0, box_volume;
    const char *why;
    sg_solid_size size = {SG_SHAPE_BOX, 0, {0.3, 0.5, 0.9}};
    corners(v3_from(size.size), &at, v);
    SG_REQUIRE(mass_of(v, 8, cube, 12, &mesh, &volume, &why) == SG_OK);
    SG_REQUIRE(sg_mass_of_solid(&size, 2.0, &box, &box_volume, &why) == SG_OK);
    sg_mat3 I = m3_congruence(at.R, box.I_CM);
    SG_NEAR(volume, box_volume, 1e-12, 0.0);
    for (int i = 0; i < 9; i++) {
        SG_NEAR(mesh.I_CM.m[i / 3][i % 3], I.m[i / 3][i % 3], 1e-12, 0.1);
        SG_NEAR(v3_get(mesh.c, i % 3), v3_get(at.r, i % 3), 1e-14, 1.0);
    }
}

// A hollow box is a surface in two parts, the inner one inside out.
SG_TEST(a_hollow_box_is_the_outer_box_less_the_inner_one)
{
    sg_vec3 v[16];
    uint32_t t[72];
    corners(v3_make(2.0, 2.0, 2.0), &POSE_IDENTITY, v);
    corners(v3_make(1.0, 1.0, 1.0), &POSE_IDENTITY, v + 8);
    for (int i = 0; i < 36; i++) {
        t[i] = cube[i];
        t[36 + i] = 8 + cube[35 - i];
    }
    sg_mass m = {0};
    double volume = 0.0;
    const char *why;
    SG_REQUIRE(mass_of(v, 16, t, 24, &m, &volume, &why) == SG_OK);
    SG_NEAR(volume, 7.0, 1e-14, 0.0);
    SG_NEAR(m.I_CM.m[0][0], 2.0 / 7.0 * (8.0 * 8.0 / 12.0 - 2.0 / 12.0), 1e-14, 0.0);
}

SG_TEST(meshes_that_bound_nothing_are_refused)
{
    sg_vec3 v[8];
    sg_mass m;
    double volume;
    const char *why = "";
    uint32_t t[36];
    corners(v3_make(1.0, 1.0, 1.0), &POSE_IDENTITY, v);
    SG_CHECK(mass_of(v, 8, cube, 0, &m, &volume, &why) == SG_ERR_INPUT && strstr(why, "empty"));
    SG_CHECK(mass_of(v, 8, cube, 11, &m, &volume, &why) == SG_ERR_INPUT && strstr(why, "open"));
    SG_CHECK(mass_of(v, 7, cube, 12, &m, &volume, &why) == SG_ERR_INPUT && strstr(why, "exist"));
    for (int i = 0; i < 36; i++)
        t[i] = cube[35 - i];
    SG_CHECK(mass_of(v, 8, t, 12, &m, &volume, &why) == SG_ERR_INPUT && strstr(why, "inside out"));
    memcpy(t, cube, sizeof t);
    t[0] = cube[1]; // one triangle the other way around
    t[1] = cube[0];
    SG_CHECK(mass_of(v, 8, t, 12, &m, &volume, &why) == SG_ERR_INPUT && strstr(why, "open"));
    corners(v3_make(1.0, 1.0, 0.0), &POSE_IDENTITY, v);
    SG_CHECK(mass_of(v, 8, cube, 12, &m, &volume, &why) == SG_ERR_INPUT && strstr(why, "volume"));
    v[3].x = (double)INFINITY;
    SG_CHECK(mass_of(v, 8, cube, 12, &m, &volume, &why) == SG_ERR_INPUT && strstr(why, "finite"));
}
