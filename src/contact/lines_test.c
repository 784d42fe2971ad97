// Forces of areas against sums over lines (contact/lines_test.h).
#include "contact/lines_test.h"

#include <stdio.h>

// Its side has no face there that could press instead, however little it is pressed in.
SG_TEST(a_tip_presses_straight_on)
{
    static const int below[] = {BOX, BEAM, TETRAHEDRON};
    meeting m = begin();
    for (int kind = 0; kind < 3; kind++)
        for (int i = 1; i <= 8; i++) {
            double s = pow(10.0, -i % 5), depth = 0.2 * s * pow(10.0, -i), force, summed;
            meet(&m, below[kind], s, CONE, 0.8 * s);
            m.pose[0] = (sg_pose){rot_1(below[kind] == BEAM ? 0.5 * PI : 0.0), V3_ZERO};
            m.pose[1] = (sg_pose){rot_1(PI), V3_ZERO};
            if (below[kind] == TETRAHEDRON)
                m.pose[0].R = rot_1(PI);
            lift(&m, v3_make(0.01 * s, 0.02 * s, 0.1 * s), 4.0 * s, depth);
            SG_CHECK(fabs(m.touch.n.z - 1.0) < 1e-9);
            double off = off_by(&m, 64, &force, &summed);
            SG_CHECK_MSG(off < 0.01, "%s, %g m, %g m deep: %g N, summed %g N", name_of[below[kind]],
                         s, depth, force, summed);
            if (below[kind] == TETRAHEDRON)
                sg_mesh_destroy(&m.mesh[0]);
        }
    sg_arena_destroy(&m.arena);
}

// Its arcs there are far wider than what lies in a slab as thick as the overlap has on the average.
SG_TEST(a_cone_lies_askew_on_a_cylinder)
{
    meeting m = begin();
    double lean = atan(0.4375); // its side lies flat, with the tip to the right
    for (int i = 0; i < 48; i++) {
        double s = pow(10.0, i % 4 - 3), depth = s * pow(10.0, -4.0 - i % 3), force, summed;
        double askew = 0.1 + 0.2 * (i / 6), tip = s * pow(10.0, -1.5 - 0.25 * (i % 6));
        meet(&m, CYLINDER, 2.7 * s, CONE, s);
        sg_mat3 lying = rot_1(0.5 * PI), turned = rot_3(0.5 * PI - askew);
        m.pose[0] = (sg_pose){m3_mul(turned, lying), V3_ZERO};
        m.pose[1] = (sg_pose){rot_2(0.5 * PI + lean), V3_ZERO};
        sg_vec3 u = pose_vector(&m.pose[1], v3_make(0, 0, 1));
        SG_CHECK(fabs(u.z + sin(lean)) < 1e-12 && fabs(fabs(u.x) - cos(lean)) < 1e-12);
        sg_pose frame = sg_shape_frame(&m.shape[1], &m.pose[1]);
        const sg_area_side *side = &m.body[1].side[0];
        sg_vec3 at = pose_point(&frame, v3_add_scaled(side->at, side->u, side->y[1]));
        // The tip is so far from the middle of the cylinder.
        lift(&m, v3_make((u.x > 0.0 ? tip : -tip) - at.x, -at.y, 0.0), 6.0 * s, depth);
        double off = off_by(&m, 64, &force, &summed);
        if (off > 0.01)
            off = off_by(&m, 1024, &force, &summed);
        SG_CHECK_MSG(off < 0.01, "%g m, %g m deep, %g rad, %g m from the tip: %g N, summed %g N", s,
                     depth, askew, tip, force, summed);
    }
    sg_arena_destroy(&m.arena);
}

// Where the edge is sharp the surface that presses lies in the plane between its two faces, which
// leans away from the piece as far as a few depths; and what is left of a lens with a bit of its
// tip cut off, as where the round end of a beam begins, is seen from its middle.
SG_TEST(edges_press_into_capsules_however_sharp)
{
    sg_rng rng = sg_rng_seeded(5);
    meeting m = begin();
    for (int i = 0; i < 60; i++) {
        double s = pow(10.0, sg_rng_uniform(&rng, -4, 1)), force, summed;
        double wide = s * pow(10.0, sg_rng_uniform(&rng, -1, 1));
        meet(&m, i % 2 ? WEDGE : BEAM, s, CAPSULE, wide);
        double part = pow(10.0, sg_rng_uniform(&rng, -8, i % 2 ? -3 : -2));
        double least = fmin(m.body[0].thickness, m.body[1].thickness);
        put_so_deep(&m, &rng, false, 0.1, part * least);
        double off = off_by(&m, 32, &force, &summed);
        if (off > 0.006)
            off = off_by(&m, 1024, &force, &summed);
        SG_CHECK_MSG(off < 0.006, "%d: %g m, capsule of %g m, %g deep: %g N, summed %g N", i, s,
                     wide, part, force, summed);
        if (i % 2)
            sg_mesh_destroy(&m.mesh[0]);
    }
    sg_arena_destroy(&m.arena);
}

// Its two ends ask the surface for opposite ways, and what the planes of its side have in common
// with both is none.
SG_TEST(a_capsule_lies_along_a_roller_that_is_shorter)
{
    meeting m = begin();
    const char *why = "";
    for (int i = 0; i < 15; i++) {
        double r = 1.0, roller = i % 3 == 0 ? 0.3 : i % 3 == 1 ? 1.5 : 20.0, force, summed;
        double depth = fmin(r, roller) * pow(10.0, -2.0 - 0.5 * (i / 3));
        SG_CHECK(sg_shape_capsule(2, 2.0 * r, 8.0, &m.shape[0], &why) == SG_OK);
        SG_CHECK(sg_shape_cylinder(2, 2.0 * roller, 2.0, 0.0, &m.shape[1], &why) == SG_OK);
        for (int k = 0; k < 2; k++) {
            SG_CHECK(sg_area_body_init(&m.body[k], &m.shape[k], &m.arena) == SG_OK);
            m.law.kappa[k] = 1e11;
            m.pose[k] = pose_translation(v3_make(0, k ? r + roller - depth : 0.0, 0));
        }
        distance(&m);
        double off = off_by(&m, 128, &force, &summed);
        SG_CHECK_MSG(off < 4e-3, "radius %g, %g deep: %g N, summed %g N", roller, depth, force,
                     summed);
    }
    sg_arena_destroy(&m.arena);
}

// ---- how the world lies, and which body comes first ------------------------------------------

// The patch with bodies that move, in a world that is turned or with the other body first; force,
// torque about the touch and center as they are in the world as it was, on the second body.
static sg_area_patch seen_from(meeting *m, const sg_mat3 *world, const sg_motion motion[2],
                               bool other_first)
{
    sg_vec3 middle = v3_scale(v3_add(m->touch.a, m->touch.b), 0.5);
    sg_pose turned = {*world, V3_ZERO};
    double sign = other_first ? -1.0 : 1.0;
    sg_area_touch touch = {-m->touch.delta, v3_scale(m3_mul_v(world, m->touch.n), sign),
                           m3_mul_v(world, middle)};
    sg_area_law law = m->law;
    sg_area_place place[2];
    sg_area_patch patch = {0};
    for (int i = 0; i < 2; i++) {
        int k = other_first ? 1 - i : i;
        sg_pose pose = pose_mul(turned, m->pose[k]);
        law.kappa[i] = m->law.kappa[k];
        place[i] = (sg_area_place){
            .body = &m->body[k],
            .frame = sg_shape_frame(&m->shape[k], &pose),
            .at = pose.r,
            .motion = {.w = m3_mul_v(world, motion[k].w), .v = m3_mul_v(world, motion[k].v)}};
    }
    sg_area_press(m->work, &law, place, &touch, &patch);
    sg_vec3 from = v3_sub(m3_tmul_v(world, patch.origin), middle);
    patch.center = v3_add(m3_tmul_v(world, patch.center), from);
    patch.force = v3_scale(m3_tmul_v(world, patch.force), sign);
    patch.torque = v3_scale(m3_tmul_v(world, patch.torque), sign);
    patch.torque = v3_add(patch.torque, v3_cross(from, patch.force));
    return patch;
}

// Points are summed over where they do not depend on either, and damping that changes sides within
// a piece is where it would show. What is left: how well rims and the strip of a capsule are
// walked, whose slices begin at one end or the other.
SG_TEST(a_patch_does_not_depend_on_the_world_or_on_which_body_is_first)
{
    sg_rng rng = sg_rng_seeded(11);
    meeting m = begin();
    m.law.loss = 0.6;
    for (int i = 0; i < 400; i++) {
        bool flush = i % 2, capsule = false;
        double size[2] = {pow(10.0, sg_rng_uniform(&rng, -4, 1)), 0.0};
        int kind[2];
        for (int k = 0; k < 2; k++) {
            do
                kind[k] = (int)sg_rng_uniform(&rng, 0, N_SHAPES);
            while (kind[k] == CAPSULE && capsule);
            capsule |= kind[k] == CAPSULE;
        }
        size[1] = size[0] * (flush ? 1.0 : pow(10.0, sg_rng_uniform(&rng, -1, 1)));
        meet(&m, kind[0], size[0], kind[1], size[1]);
        double least = fmin(m.body[0].thickness, m.body[1].thickness), slow = 1e-3;
        double part = pow(10.0, sg_rng_uniform(&rng, -6, -2));
        double aside = flush ? pow(10.0, sg_rng_uniform(&rng, -18, -4)) : 0.1;
        put_so_deep(&m, &rng, flush, aside, part * least);
        sg_motion motion[2];
        for (int k = 0; k < 2; k++) {
            motion[k].v = sg_rng_vec3(&rng, -slow, slow);
            motion[k].w = sg_rng_vec3(&rng, -slow / least, slow / least);
        }
        sg_mat3 same = m3_diagonal(v3_make(1, 1, 1)), turned = sg_rng_rotation(&rng);
        sg_area_patch own = seen_from(&m, &same, motion, false);
        double f = v3_norm(own.force), s = fmin(m.shape[0].bound, m.shape[1].bound);
        double limit = (capsule ? 3e-4 : 2e-5) + 1e-13 / part;
        for (int k = 0; k < 2; k++) {
            sg_area_patch other = seen_from(&m, k ? &turned : &same, motion, k == 0);
            double force = v3_distance(own.force, other.force) / f;
            double torque = v3_distance(own.torque, other.torque) / (f * s);
            double center = v3_distance(own.center, other.center) / s;
            SG_CHECK_MSG(fmax(force, fmax(torque, center)) < limit,
                         "%d: %s, %s of %g m, %g deep, %s: force %g, torque %g, center %g", i,
                         name_of[kind[0]], name_of[kind[1]], size[1], part,
                         k ? "turned" : "the other first", force, torque, center);
        }
        for (int k = 0; k < 2; k++)
            if (kind[k] >= TETRAHEDRON)
                sg_mesh_destroy(&m.mesh[k]);
    }
    sg_arena_destroy(&m.arena);
}
// SG_LINES=20000 for a long look.
SG_TEST(forces_are_sums_over_lines)
{
    sg_rng rng = sg_rng_seeded((uint64_t)asked_for("SG_SEED", 5));
    rng.state = sg_rng_u64(&rng); // neighboring seeds would be one stream
    int n = asked_for("SG_LINES", 60), few = 0;
    double limit = getenv("SG_LIMIT") ? atof(getenv("SG_LIMIT")) : 0.01;
    meeting m = begin();
    for (int i = 0; i < n; i++) {
        int kind[2];
        double size[2], least;
        bool nearly = sg_rng_uniform(&rng, 0, 1) < 0.5;
        bool flush = nearly && sg_rng_uniform(&rng, 0, 1) < 0.5; // sizes and middles alike
        for (int k = 0; k < 2; k++) {
            kind[k] = (int)sg_rng_uniform(&rng, 0, N_SHAPES);
            size[k] = k ? size[0] * (flush ? 1.0 : pow(10.0, sg_rng_uniform(&rng, -1, 1)))
                        : pow(10.0, sg_rng_uniform(&rng, -4, 1));
        }
        if (kind[0] == CAPSULE && kind[1] == CAPSULE)
            continue; // a round pair
        meet(&m, kind[0], size[0], kind[1], size[1]);
        least = fmin(m.body[0].thickness, m.body[1].thickness);
        double part = pow(10.0, sg_rng_uniform(&rng, -8, -2)), force, summed;
        double aside = flush ? pow(10.0, sg_rng_uniform(&rng, -18, -4)) : 0.1;
        put_so_deep(&m, &rng, nearly, aside, part * least);
        double off = off_by(&m, 32, &force, &summed);
        if (off > limit)
            off = off_by(&m, 128, &force, &summed);
        if (off > limit) // not what the sum is off by
            off = off_by(&m, 1024, &force, &summed);
        few += off > limit;
        SG_CHECK_MSG(off < limit,
                     "%d: %s of %g m, %s of %g m, %g deep, %s: %g N, summed %g N, %+.3f", i,
                     name_of[kind[0]], size[0], name_of[kind[1]], size[1], part,
                     flush    ? "flush"
                     : nearly ? "along"
                              : "any way",
                     force, summed, force / summed - 1.0);
        for (int k = 0; k < 2; k++)
            if (kind[k] >= TETRAHEDRON)
                sg_mesh_destroy(&m.mesh[k]);
    }
    if (getenv("SG_LINES"))
        printf("%d of %d off by more than %g\n", few, n, limit);
    sg_arena_destroy(&m.arena);
}
