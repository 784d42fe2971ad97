#include "contact/area_test.h"

#include "base/number.h"
#include "math/rotation.h"
#include "shapes/support.h"

#include <string.h>

#define PI 3.14159265358979323846

static bool press_along(fixture *f, double depth, sg_vec3 normal, sg_vec3 point)
{
    f->touch = (sg_area_touch){depth, normal, point};
    return sg_area_press(f->work, &f->law, f->place, &f->touch, &f->patch);
}

static bool press(fixture *f, double depth, sg_vec3 point)
{
    return press_along(f, depth, v3_axis(2), point);
}

static sg_pose at(double x, double y, double z) { return pose_translation(v3_make(x, y, z)); }

SG_TEST(a_box_presses_with_its_whole_face)
{
    fixture f;
    begin(&f);
    double d = 1e-8;
    box(&f, 0, v3_make(1, 1, 0.1), at(0, 0, -0.05));
    box(&f, 1, v3_make(0.2, 0.1, 0.3), at(0.1, 0.2, 0.15 - d));
    SG_CHECK(press(&f, d, v3_make(0.1, 0.2, 0)));
    SG_NEAR(f.patch.force.z, 1e12 * d * 0.02, 1e-6, 0);
    SG_NEAR(f.patch.area, 0.02, 1e-6, 0);
    SG_NEAR(f.patch.torque.x, 0, 1e-9, 1e12 * d * 0.02);
    SG_NEAR(f.patch.torque.y, 0, 1e-9, 1e12 * d * 0.02);
    end(&f);
}

// Tilts of faces at rest are so small that the cosine of their angle is 1.
SG_TEST(a_brick_that_leans_by_a_hair_keeps_its_face)
{
    fixture f;
    begin(&f);
    double d = 1e-9, wide = 0.048, deep = 0.1, z = 0.03;
    box(&f, 0, v3_make(0.2, deep, 0.06), at(0, 0, -z));
    for (int i = 0; i < 200; i++) {
        // About the middle of what they share, which is far from the middle of the brick.
        double tilt = 3e-8 * sin(i), x = 0.1 - 0.5 * wide;
        sg_mat3 R = rot_2(tilt);
        sg_vec3 arm = m3_mul_v(&R, v3_make(0.1 - 0.5 * wide, 0, z));
        box(&f, 1, v3_make(0.2, deep, 0.06), (sg_pose){R, v3_add(v3_make(x, 0, -d), arm)});
        double most = d + 0.5 * wide * fabs(tilt);
        SG_CHECK(press(&f, most, v3_make(x, 0, 0)));
        SG_NEAR(f.patch.force.z, 1e12 * d * wide * deep, 1e-4, 0);
    }
    end(&f);
}

SG_TEST(a_cylinder_stands_on_a_disk_and_on_half_of_one)
{
    fixture f;
    begin(&f);
    double d = 1e-8, r = 0.1, full = 1e12 * d * PI * r * r;
    box(&f, 0, v3_make(1, 1, 0.1), at(0, 0, -0.05));
    cylinder(&f, 1, 2 * r, 0.3, at(0.1, 0.2, 0.15 - d));
    SG_CHECK(press(&f, d, v3_make(0.1, 0.2, 0)));
    SG_NEAR(f.patch.force.z, full, 1e-6, 0);
    SG_NEAR(f.patch.arm, 2.0 / 3.0 * r, 1e-6, 0);
    SG_NEAR(f.patch.spread, 0.5 * r * r, 1e-6, 0);
    put(&f, 1, at(0.5, 0.2, 0.15 - d)); // half over the edge
    SG_CHECK(press(&f, d, v3_make(0.45, 0.2, 0)));
    SG_NEAR(f.patch.force.z, 0.5 * full, 1e-6, 0);
    SG_NEAR(f.patch.center.x, -4.0 * r / (3.0 * PI), 1e-6, 0);
    put(&f, 1, at(0.5, 0.5, 0.15 - d)); // and over a corner
    SG_CHECK(press(&f, d, v3_make(0.45, 0.45, 0)));
    SG_NEAR(f.patch.force.z, 0.25 * full, 1e-6, 0);
    put(&f, 1, at(0.5 + 0.9 * r, 0.2, 0.15 - d)); // and with a sliver
    SG_CHECK(press(&f, d, v3_make(0.5, 0.2, 0)));
    double t = acos(0.9);
    SG_NEAR(f.patch.force.z, full * (t - 0.9 * sin(t)) / PI, 1e-5, 0);
    end(&f);
}

SG_TEST(disks_that_stand_on_disks_overlap_in_lenses)
{
    fixture f;
    begin(&f);
    double d = 1e-8, r = 0.1, k = 1e12;
    cylinder(&f, 0, 2 * r, 0.1, at(0, 0, -0.05));
    for (int i = 0; i < 20; i++) {
        double s = 0.095 * 2 * i / 19.0, t = acos(0.5 * s / r);
        cylinder(&f, 1, 2 * r, 0.3, at(s * 0.6, s * 0.8, 0.15 - d));
        SG_CHECK(press(&f, d, v3_make(0.3 * s, 0.4 * s, 0)));
        SG_NEAR(f.patch.force.z, k * d * r * r * (2 * t - sin(2 * t)), 1e-5, 0);
    }
    end(&f);
}

// Its corners then all lie at the tip, from where little is seen of it.
SG_TEST(a_lens_without_a_bit_of_its_tip_is_nearly_whole)
{
    sg_region_point point[SG_REGION_POINTS];
    sg_vec3 m = v3_axis(2), up = v3_axis(1);
    for (int i = 0; i < 24; i++) {
        double apart = 2.0 - pow(10.0, -1.0 - 0.25 * (i % 8)), half = 0.5 * apart;
        double tall = sqrt(1.0 - half * half), cut = 1e-3 * tall, area = 0.0;
        sg_rim rim[2] = {{.u = m, .way = up, .level = 1.0},
                         {.at = v3_make(apart, 0, 0), .u = m, .way = up, .level = 1.0}};
        sg_polygon square;
        sg_polygon_square(v3_make(half, 0, 0), m, 1.0, &square);
        double lean = 0.3 * (i / 8 - 1);
        sg_vec3 a = v3_make(sin(lean), cos(lean), 0.0);
        SG_CHECK(sg_polygon_cut(&square, a, v3_dot(a, v3_make(half, tall, 0)) - cut));
        int n = sg_region_points(&square, m, rim, 2, point);
        for (int k = 0; k < n; k++)
            area += point[k].w;
        SG_NEAR(area, 2.0 * acos(half) - 2.0 * half * tall, 1e-4, 0);
    }
}

SG_TEST(a_roller_presses_with_a_strip)
{
    fixture f;
    begin(&f);
    double r = 0.1, l = 0.3;
    box(&f, 0, v3_make(1, 1, 0.1), at(0, 0, -0.05));
    for (double d = 1e-12; d < 1e-4; d *= 10) {
        for (double roll = 0; roll < 1; roll += 0.3) {
            sg_mat3 R =
                m3_mul(rot_axis(v3_make(1, 0, 0), 0.5 * PI), rot_axis(v3_make(0, 0, 1), roll));
            cylinder(&f, 1, 2 * r, l, pose_make(R, v3_make(0.1, 0.2, r - d)));
            SG_CHECK(press(&f, d, v3_make(0.1, 0.2, 0)));
            double law = 1e12 * l * 4.0 / 3.0 * sqrt(2.0 * r) * d * sqrt(d);
            SG_NEAR(f.patch.force.z, law, 3e-3, 0);
            SG_NEAR(f.patch.torque.y + f.patch.origin.z * 0, 0, 1e-4, law * r);
        }
    }
    end(&f);
}

// Deep enough that edges and corners are seen, so several faces of both take part.
static bool press_at(fixture *f, sg_pose pose, sg_vec3 *force)
{
    f->place[1].frame = pose;
    f->place[1].at = pose.r;
    bool any = press(f, 0.2, pose.r);
    *force = f->patch.force;
    return any;
}

SG_TEST(the_force_of_boxes_is_the_gradient_of_an_energy)
{
    fixture f;
    sg_rng rng = sg_rng_seeded(7);
    int tried = 0;
    begin(&f);
    f.law.kappa[1] = 5e11;
    box(&f, 0, v3_make(1, 1, 0.4), at(0, 0, -0.2));
    for (int i = 0; i < 400; i++) {
        sg_pose pose = pose_make(sg_rng_rotation(&rng), sg_rng_vec3(&rng, -0.7, 0.7));
        sg_vec3 row[3], up, down, force;
        box(&f, 1, v3_make(0.3, 0.2, 0.5), pose);
        if (!press_at(&f, pose, &force))
            continue;
        double h = 1e-6, size = 1e-3 * f.law.kappa[1] * f.patch.area;
        for (int k = 0; k < 3; k++) {
            sg_pose p = pose;
            p.r = v3_add_scaled(pose.r, v3_axis(k), h);
            press_at(&f, p, &up);
            p.r = v3_add_scaled(pose.r, v3_axis(k), -h);
            press_at(&f, p, &down);
            row[k] = v3_scale(v3_sub(up, down), 0.5 / h);
            size = fmax(size, v3_max_abs(row[k]));
        }
        tried++;
        SG_NEAR(row[0].y, row[1].x, 1e-4, size);
        SG_NEAR(row[1].z, row[2].y, 1e-4, size);
        SG_NEAR(row[2].x, row[0].z, 1e-4, size);
    }
    SG_CHECK(tried > 50);
    end(&f);
}

// Where the force is a rounding, what is left of it at edges must not turn the normal.
SG_TEST(a_touch_without_force_has_the_normal_of_the_faces)
{
    fixture f;
    begin(&f);
    box(&f, 0, v3_make(40.0, 2.0, 0.1), at(0.0, 0.0, -0.05));
    box(&f, 1, v3_make(0.1, 0.2, 0.1), at(0.3, 0.1, 0.05));
    for (int i = 0; i < 40; i++)
        if (press(&f, ldexp(1e-17, -2 * i), v3_make(0.25, 0.0, 0.0)))
            SG_CHECK_MSG(v3_distance(f.patch.n, v3_axis(2)) < 1e-9, "depth 1e-17 / 4^%d: %g %g %g",
                         i, f.patch.n.x, f.patch.n.y, f.patch.n.z);
    end(&f);
}

// ---- energy ---------------------------------------------------------------------------------

static const char *const energetic[] = {"box", "cylinder", "cone", "frustum", "beam"};

static void shape_of_kind(fixture *f, int kind)
{
    const char *why;
    sg_status status[] = {
        sg_shape_box(v3_make(0.2, 0.3, 0.4), 0.0, &f->shape[1], &why),
        kind == 1 ? sg_shape_cylinder(2, 0.2, 0.3, 0.0, &f->shape[1], &why) : SG_OK,
        kind == 2 ? sg_shape_cone(2, 0.3, 0.0, 0.4, 0.0, 0.0, &f->shape[1], &why) : SG_OK,
        kind == 3 ? sg_shape_cone(2, 0.3, 0.1, 0.4, 0.0, 0.0, &f->shape[1], &why) : SG_OK,
        kind == 4 ? sg_shape_beam(0, 0.4, 0.2, 0.3, 0.0, &f->shape[1], &why) : SG_OK,
    };
    for (int i = 0; i < 5; i++)
        SG_CHECK(status[i] == SG_OK);
}

// Energy of a body that is turned so and lies `depth` in the floor, and the force on it.
static double energy_at(fixture *f, sg_mat3 R, double depth, double *force)
{
    uint32_t piece;
    sg_pose pose = {.R = R, .r = V3_ZERO};
    sg_pose frame = sg_shape_frame(&f->shape[1], &pose);
    sg_vec3 down = pose_inverse_vector(&frame, v3_make(0, 0, -1));
    sg_vec3 lowest = pose_point(&frame, sg_support(&f->shape[1], down, UINT32_MAX, &piece));
    pose.r.z = -lowest.z - depth;
    put(f, 1, pose);
    press(f, depth, v3_make(lowest.x, lowest.y, -0.5 * depth));
    *force = f->patch.force.z;
    return f->patch.stored + sg_area_stored_beside(f->work, &f->law);
}

// However a body is turned and however deep it is, the force is the slope of the energy.
SG_TEST(forces_are_slopes_of_energies)
{
    sg_rng rng = sg_rng_seeded(5);
    for (int kind = 0; kind < 5; kind++) {
        double worst = 0.0;
        for (int i = 0; i < 60; i++) {
            fixture f;
            begin(&f);
            f.law.kappa[1] = 1e12;
            box(&f, 0, v3_make(4, 4, 1), at(0, 0, -0.5));
            shape_of_kind(&f, kind);
            sg_mat3 R = sg_rng_rotation(&rng);
            double d = pow(10.0, sg_rng_uniform(&rng, -6.0, -2.0)), h = 1e-4 * d, force, none;
            energy_at(&f, R, d, &force);
            double slope =
                (energy_at(&f, R, d + h, &none) - energy_at(&f, R, d - h, &none)) / (2.0 * h);
            double off = fabs(slope / force - 1.0);
            worst = off > worst ? off : worst;
            end(&f);
        }
        // Where the round end of a beam begins, energy and force share cells a little differently.
        SG_CHECK_MSG(worst < (kind == 0  ? 1e-5
                              : kind < 4 ? 2e-3
                                         : 0.1),
                     "%s: %g", energetic[kind], worst);
    }
}

// A cone on its side, its generator turned by `tilt` out of the floor, base up or tip up: the sum
// of 4/3 k d sqrt(2 rho d) along it, with the depth d and the radius of curvature rho. At the tip
// rho is nothing and the arc in the overlap is wide, so no even row of planes serves all of it.
SG_TEST(a_cone_lies_on_its_side)
{
    enum { N = 4000 };
    const double radius = 0.1, length = 0.3, k = 1e12;
    const double along = hypot(radius, length), lies = atan(radius / length) + PI / 2;
    fixture f;
    begin(&f);
    const char *why;
    box(&f, 0, v3_make(4, 4, 1), at(0, 0, -0.5));
    SG_CHECK(sg_shape_cone(2, 2 * radius, 0.0, length, 0.0, 0.0, &f.shape[1], &why) == SG_OK);
    for (int e = -9; e <= -5; e++)
        for (int i = -6; i <= 6; i++) {
            double d = pow(10.0, e), tilt = i / 4.0 * d / along, sum = 0.0, force;
            for (int l = 0; l < N; l++) { // from the base
                double s = (l + 0.5) / N * along, rho = radius * along / length * (1 - s / along);
                double deep = d - fabs(tilt) * (tilt < 0.0 ? s : along - s);
                if (deep > 0.0)
                    sum += 4.0 / 3.0 * k * deep * sqrt(2.0 * rho * deep) * along / N;
            }
            energy_at(&f, rot_2(lies + tilt), d, &force);
            SG_CHECK_MSG(fabs(force / sum - 1.0) < 5e-3, "d = %g, tilt %g d: %g", d, i / 4.0,
                         force / sum - 1.0);
        }
    end(&f);
}

// Which of two bodies is called A does not matter: the same force and friction the other way round.
// (Where the round end of a beam begins, it does.)
SG_TEST(a_patch_is_the_same_from_either_side)
{
    sg_rng rng = sg_rng_seeded(6);
    for (int i = 0; i < 240; i++) {
        int kind = i / 60;
        fixture f;
        begin(&f);
        f.law = (sg_area_law){.kappa = {2e12, 1e12}, .loss = 0.6, .v_min = 1e-3};
        box(&f, 0, v3_make(0.5, 0.6, 0.3), at(0.02, 0.01, -0.15));
        shape_of_kind(&f, kind);
        double d = pow(10.0, sg_rng_uniform(&rng, -6.0, -2.0)), force;
        energy_at(&f, sg_rng_rotation(&rng), d, &force);
        f.place[1].motion = (sg_motion){.w = {0.3, -0.2, 1.0}, .v = {0.1, 0.2, -0.01}};
        bool presses = press(&f, d, f.touch.point);
        sg_area_patch own = f.patch;
        sg_area_place place[2] = {f.place[1], f.place[0]};
        sg_area_law law = {.kappa = {1e12, 2e12}, .loss = 0.6, .v_min = 1e-3};
        sg_area_touch touch = {d, {0, 0, -1}, f.touch.point};
        SG_CHECK(sg_area_press(f.work, &law, place, &touch, &f.patch) == presses);
        double size = v3_norm(own.force), arm = own.arm;
        SG_CHECK_MSG(v3_norm(v3_add(own.force, f.patch.force)) <= 1e-9 * size, "%s: force %g",
                     energetic[kind], v3_norm(v3_add(own.force, f.patch.force)) / size);
        SG_CHECK_MSG(v3_norm(v3_add(own.torque, f.patch.torque)) <= 1e-9 * size, "%s: torque %g",
                     energetic[kind], v3_norm(v3_add(own.torque, f.patch.torque)) / size);
        SG_NEAR(f.patch.area, own.area, 1e-9, 0);
        SG_NEAR(f.patch.arm, arm, 1e-9, 0);
        SG_NEAR(f.patch.spread, own.spread, 1e-9, 0);
        SG_NEAR(f.patch.stored, own.stored, 1e-9, 0);
        SG_NEAR(f.patch.roll, own.roll, 1e-9, 0);
        SG_NEAR(f.patch.damped, own.damped, 1e-9, size);
        SG_CHECK_MSG(v3_norm(v3_sub(own.shift, f.patch.shift)) < 5e-9, "%s: shift %g",
                     energetic[kind], v3_norm(v3_sub(own.shift, f.patch.shift)));
        end(&f);
    }
}

// A box on one that ends at the same planes, moved aside by s.
static double aside(fixture *f, double s, double turn, double d)
{
    sg_pose pose = {.R = rot_3(turn), .r = {s, 0, 0.1 - d}};
    put(f, 1, pose);
    SG_CHECK(press(f, d, v3_make(0, 0, 0)));
    return f->patch.force.x;
}

// Who stands out by a rounding is nothing that a force may depend on. Farther apart, each step of
// the way takes what the overlap loses.
SG_TEST(flush_boxes_do_not_push_aside)
{
    fixture f;
    begin(&f);
    double d = 1e-7, l = 0.2, force = 1e12 * d * l * l, edge = 0.5 * force * d / l;
    box(&f, 0, v3_make(l, l, l), at(0, 0, -0.1));
    box(&f, 1, v3_make(l, l, l), at(0, 0, 0.1 - d));
    for (int i = 0; i < 40; i++) {
        double s = ldexp(1e-16, i), turn = i % 2 ? 0.0 : 1e-9;
        double right = aside(&f, s, turn, d), left = aside(&f, -s, turn, d);
        SG_NEAR(right, -left, 1e-5, edge);
        if (s < 1e-9)
            SG_CHECK_MSG(fabs(right) < 1e-3 * edge, "s = %g: %g of %g", s, right, edge);
        if (s > 1e-4)
            SG_NEAR(fabs(right), edge, 0.01, 0);
    }
    end(&f);
}

// ---- meshes ---------------------------------------------------------------------------------

// A box on its edge that turns while it comes to rest: damping changes sides from one end of the
// edge to the other, and not in stairs.
SG_TEST(damping_of_what_turns_has_no_stairs)
{
    enum { LOOKS = 400 };
    fixture f;
    begin(&f);
    double d = 1e-6, spin = 0.1, wide = 0.05, tilt = 1e-3, last = 0.0, steepest = 0.0, whole = 0.0;
    sg_mat3 R = rot_2(tilt);
    sg_vec3 arm = m3_mul_v(&R, v3_make(0.05, 0, 0.05));
    f.law.loss = 0.5;
    f.law.v_min = 1e-6;
    box(&f, 0, v3_make(1, 1, 0.1), at(0, 0, -0.05));
    box(&f, 1, v3_make(0.1, wide, 0.1), (sg_pose){R, v3_add(v3_make(0, 0, -d), arm)});
    f.place[1].motion.w = v3_make(spin, 0, 0);
    for (int i = 0; i < LOOKS; i++) {
        f.place[1].motion.v.z = spin * wide * (i - 0.5 * LOOKS) / LOOKS;
        SG_CHECK(press(&f, d, v3_make(0, 0, 0)));
        double n = f.patch.force.z;
        steepest = i ? fmax(steepest, last - n) : 0.0;
        whole = i ? whole + (last - n) : 0.0;
        last = n;
    }
    SG_CHECK(whole > 0.0);
    // Even, it would be 1; in stairs it is 40.
    SG_CHECK(steepest * (LOOKS - 1) / whole < 2.5);
    end(&f);
}

static void hull(fixture *f, const sg_vec3 *point, size_t n, sg_mesh *mesh)
{
    const char *why;
    SG_CHECK(sg_mesh_hull(sg_allocator_default(), point, n, mesh, &why) == SG_OK);
    SG_CHECK(sg_shape_mesh(mesh, &f->shape[1], &why) == SG_OK);
    SG_CHECK(sg_area_work_init(f->work, mesh->nf, &f->arena) == SG_OK);
}

// The sharp edge of a wedge of 0.05 rad, `over` of which lies on the end of a floor; its back is as
// near to the floor as its base. Energy, and the force on it.
static double wedge_at(fixture *f, double over, double d, double *force)
{
    f->shape[0].half.x = 0.5;
    put(f, 0, at(over - 0.5, 0, -0.05));
    put(f, 1, at(0, 0, -d));
    f->touch.n = v3_make(0, 0, 1);
    SG_CHECK(press(f, d, v3_make(0.5 * over, 0, -0.5 * d)));
    *force = f->patch.force.z;
    return f->patch.stored + sg_area_stored_beside(f->work, &f->law);
}

// What is left out beside flush sides is no part of what carries.
SG_TEST(the_back_of_a_thin_wedge_presses)
{
    const sg_vec3 point[] = {{0, -0.1, 0}, {0, 0.1, 0},     {1, -0.1, 0},
                             {1, 0.1, 0},  {1, -0.1, 0.05}, {1, 0.1, 0.05}};
    fixture f;
    begin(&f);
    sg_mesh mesh;
    hull(&f, point, 6, &mesh);
    box(&f, 0, v3_make(1, 1, 0.1), at(0, 0, -0.05));
    f.law.kappa[1] = 1e13;
    for (int e = -7; e <= -5; e++)
        for (int i = 1; i <= 4; i++) {
            double d = pow(10.0, e), h = 1e-4 * d, over = i * 20.0 * d, force, none;
            wedge_at(&f, over, d, &force);
            double slope =
                (wedge_at(&f, over, d + h, &none) - wedge_at(&f, over, d - h, &none)) / (2.0 * h);
            SG_CHECK_MSG(fabs(slope / force - 1.0) < 1e-3, "d = %g, %g over: %g", d, over,
                         slope / force - 1.0);
        }
    sg_mesh_destroy(&mesh);
    end(&f);
}

// The rim of a disk that is as wide as the box below touches the box's edges. Whether rounding says
// so or not, nothing presses there: it made up to 3 % of the force, and as much aside.
SG_TEST(a_disk_may_be_as_wide_as_the_box_below)
{
    fixture f;
    begin(&f);
    double d = 1e-6, r = 0.1, full = 1e12 * d * PI * r * r;
    box(&f, 0, v3_make(2.0 * r, 2.0 * r, 0.2), at(0, 0, -0.1));
    cylinder(&f, 1, 2.0 * r, 0.2, at(0, 0, 0.1 - d));
    for (double off = 1e-18; off < 1e-6; off *= 1.9)
        for (int k = 0; k < 5; k++) {
            double tilt = k == 4 ? 1e-2 * off : 0.0;
            sg_vec3 by = k < 4 ? v3_scale(v3_axis(k / 2), k % 2 ? off : -off) : V3_ZERO;
            put(&f, 1, (sg_pose){rot_2(tilt), v3_add(by, v3_make(0, 0, 0.1 - d))});
            SG_CHECK(press(&f, d + r * tilt, v3_make(0.5 * r, 0, 0)));
            SG_NEAR(f.patch.force.z, full, 2e-5, 0);
            SG_CHECK_MSG(hypot(f.patch.force.x, f.patch.force.y) < 1e-6 * full, "%g off: %g aside",
                         off, hypot(f.patch.force.x, f.patch.force.y) / full);
            double torque = 0.25 * full * r * r / d * tilt;
            SG_NEAR(f.patch.torque.y + f.patch.force.x * 0.1, torque, 1e-5 * full * r, 1);
        }
    end(&f);
}

// A roller as long as the disk below is wide ends where the rim does: two rims make a lens there
// that is far longer than wide, and marks on it may all lie on one side of its middle.
SG_TEST(a_roller_may_be_as_long_as_the_disk_below_is_wide)
{
    fixture f;
    const char *why;
    begin(&f);
    const double r = 0.1;
    SG_CHECK(sg_shape_cylinder(0, 2.0 * r, 2.0 * r, 0.0, &f.shape[1], &why) == SG_OK);
    cylinder(&f, 0, 2.0 * r, 0.2, at(0, 0, -0.1));
    for (double d = 1e-12; d < 2e-4; d *= 10.0)
        for (double off = 1e-18; off < 1e-4; off *= 1.7)
            for (int k = 0; k < 6; k++) {
                double yaw = k < 2 ? (k ? off : -off) : k < 4 ? 1e-9 : 0.0;
                sg_vec3 by = k < 2 ? V3_ZERO : v3_scale(v3_axis(k < 4), k % 2 ? off : -off);
                put(&f, 1, (sg_pose){rot_3(yaw), v3_add(by, v3_make(0, 0, r - d))});
                double full = 1e12 * 4.0 / 3.0 * sqrt(2.0 * r * d) * d * 2.0 * r;
                SG_CHECK(press(&f, d, v3_make(0.5 * r, 0, 0)));
                SG_NEAR(f.patch.force.z, full, 2e-3, 0);
                double aside = hypot(f.patch.force.x, f.patch.force.y);
                SG_CHECK_MSG(aside < 2e-4 * full, "%g deep, %g off: %g aside", d, off,
                             aside / full);
            }
    end(&f);
}

// A prism stands on all of its base, however many sides that has.
SG_TEST(a_face_may_have_many_corners)
{
    for (int sides = 8; sides <= 128; sides *= 2) {
        sg_vec3 point[256];
        for (int i = 0; i < 2 * sides; i++) {
            double angle = 2.0 * PI * (i / 2) / sides;
            point[i] = v3_make(0.1 * cos(angle), 0.1 * sin(angle), i % 2 ? 0.2 : 0.0);
        }
        fixture f;
        begin(&f);
        double d = 1e-8;
        sg_mesh mesh;
        hull(&f, point, (size_t)(2 * sides), &mesh);
        box(&f, 0, v3_make(1, 1, 0.1), at(0, 0, -0.05));
        put(&f, 1, at(0, 0, -d));
        SG_CHECK(press(&f, d, V3_ZERO));
        SG_NEAR(f.patch.force.z, 1e12 * d * 0.5 * sides * 0.01 * sin(2.0 * PI / sides), 1e-5, 0);
        sg_mesh_destroy(&mesh);
        end(&f);
    }
}

// The index only leaves out what does not matter. (Patches of 1e-13 m2 among them: cuts in another
// order round differently by 1e-10.)
SG_TEST(an_index_of_faces_changes_nothing)
{
    enum { POINTS = 300 };
    sg_rng rng = sg_rng_seeded(12);
    sg_vec3 point[POINTS];
    for (int i = 0; i < POINTS; i++) {
        sg_vec3 x = v3_unit(v3_make(sg_rng_uniform(&rng, -1, 1), sg_rng_uniform(&rng, -1, 1),
                                    sg_rng_uniform(&rng, -1, 1)));
        point[i] = v3_make(0.1 * x.x, 0.15 * x.y, 0.08 * x.z);
    }
    fixture f;
    begin(&f);
    sg_mesh mesh;
    hull(&f, point, POINTS, &mesh);
    box(&f, 0, v3_make(4, 4, 1), at(0, 0, -0.5));
    for (int i = 0; i < 40; i++) {
        sg_mat3 R = sg_rng_rotation(&rng);
        double d = pow(10.0, sg_rng_uniform(&rng, -8.0, -3.0)), force;
        energy_at(&f, R, d, &force);
        SG_CHECK(f.body[1].index);
        sg_area_patch own = f.patch;
        // Where a corner is touched, that is the faces around it and hardly any more.
        SG_CHECK_MSG(d > 1e-6 || f.work->n[1] <= 12, "%d faces, %g deep", f.work->n[1], d);
        // All faces, without their neighborhoods.
        sg_area_cell cell[2 * POINTS];
        for (int k = 0; k < f.body[1].n_cells; k++) {
            cell[k] = f.body[1].cell[k];
            cell[k].within = 0.0;
        }
        f.body[1].cell = cell;
        f.body[1].index = NULL;
        SG_CHECK(press(&f, d, f.touch.point));
        SG_NEAR(own.force.z, f.patch.force.z, 1e-9, 0);
        SG_CHECK(v3_distance(own.torque, f.patch.torque) <= 1e-9 * f.patch.force.z);
        SG_NEAR(own.area, f.patch.area, 1e-9, 0);
    }
    sg_mesh_destroy(&mesh);
    end(&f);
}

// ---- to be looked at ------------------------------------------------------------------------

static double hull_area(const sg_vec3 *x, int n, sg_vec3 about)
{
    double twice = 0.0;
    for (int i = 1; i + 1 < n; i++)
        twice += v3_triple(about, v3_sub(x[i], x[0]), v3_sub(x[i + 1], x[0]));
    return 0.5 * twice;
}

SG_TEST(the_outline_of_two_turned_boxes_is_the_polygon_that_they_share)
{
    fixture f;
    begin(&f);
    sg_outline outline = {.n = 0};
    sg_vec3 hull[16];
    double d = 1e-8;
    sg_pose turned = {rot_3(PI / 4), {0, 0, 0.1 - d}};
    box(&f, 0, v3_make(0.2, 0.2, 0.2), at(0, 0, -0.1));
    box(&f, 1, v3_make(0.2, 0.2, 0.2), turned);
    f.work->outline = &outline;
    SG_CHECK(press(&f, d, v3_make(0, 0, 0)));
    sg_outline_tidy(&outline);
    int n = sg_outline_hull(&outline, v3_make(0, 0, 1), 16, hull);
    SG_CHECK(outline.n == 1 && n == 8); // a regular octagon, 0.2 m across
    SG_NEAR(hull_area(hull, n, v3_make(0, 0, 1)), 0.04 * 2 * (sqrt(2.0) - 1), 1e-6, 0);
    for (int i = 0; i < outline.end[0]; i++)
        SG_NEAR(outline.corner[i].pressure, 1e12 * d, 1e-6, 0);
    // Of fewer corners those stay that hold the most area.
    SG_CHECK(sg_outline_hull(&outline, v3_make(0, 0, 1), 4, hull) == 4);
    SG_CHECK(sg_outline_hull(&outline, v3_make(0, 0, 1), 2, hull) == 0);
    end(&f);
}

SG_TEST(the_outline_of_a_cylinder_on_its_end_is_its_rim)
{
    fixture f;
    begin(&f);
    sg_outline outline = {.n = 0};
    sg_vec3 hull[64];
    double d = 1e-8;
    box(&f, 0, v3_make(1, 1, 0.1), at(0, 0, -0.05));
    cylinder(&f, 1, 0.2, 0.3, at(0.3, 0.2, 0.15 - d));
    f.work->outline = &outline;
    SG_CHECK(press(&f, d, v3_make(0.3, 0.2, 0)));
    sg_outline_tidy(&outline);
    int n = sg_outline_hull(&outline, v3_make(0, 0, 1), 64, hull);
    SG_CHECK(n >= 24);
    for (int i = 0; i < n; i++) {
        sg_vec3 x = v3_sub(v3_add(f.patch.origin, hull[i]), v3_make(0.3, 0.2, 0));
        SG_NEAR(hypot(x.x, x.y), 0.1, 1e-6, 0);
    }
    SG_NEAR(hull_area(hull, n, v3_make(0, 0, 1)), PI * 0.01, 1e-2, 0);
    end(&f);
}

// A cylinder on a box, tilted and turned about its axis, with all of it turned in the world.
static void tilted(fixture *f, sg_pose world, double tilt, double deep)
{
    double r = 0.1, half = 0.05;
    sg_vec3 lowest = v3_make(r * cos(tilt), 0.0, -r * sin(tilt) - half * cos(tilt));
    sg_pose own =
        pose_make(rot_axis(v3_make(0, 1, 0), tilt), v3_make(0.02, 0.01, -lowest.z - deep));
    box(f, 0, v3_make(0.3, 0.25, 0.1), pose_mul(world, at(0.0, 0.0, -0.05)));
    cylinder(f, 1, 2.0 * r, 2.0 * half, pose_mul(world, own));
    sg_vec3 point = v3_make(0.02 + lowest.x - half * sin(tilt), 0.01, -0.5 * deep);
    SG_CHECK(press_along(f, deep, pose_vector(&world, v3_axis(2)), pose_point(&world, point)));
}

SG_TEST(pressure_does_not_depend_on_where_down_is)
{
    sg_rng rng = sg_rng_seeded(3);
    fixture f;
    begin(&f);
    for (int i = 0; i < 60; i++) {
        double tilt = 0.5 * pow(10.0, -0.1 * i), deep = 0.001;
        sg_pose world = pose_make(sg_rng_rotation(&rng), sg_rng_vec3(&rng, -0.7, 0.7));
        tilted(&f, pose_translation(V3_ZERO), tilt, deep);
        sg_area_patch first = f.patch;
        tilted(&f, world, tilt, deep);
        double size = v3_norm(first.force);
        SG_CHECK_MSG(v3_distance(pose_vector(&world, first.force), f.patch.force) < 1e-7 * size,
                     "tilt %g: %g of the force", tilt,
                     v3_distance(pose_vector(&world, first.force), f.patch.force) / size);
        SG_CHECK_MSG(v3_distance(pose_vector(&world, first.torque), f.patch.torque) <
                         1e-7 * 0.1 * size,
                     "tilt %g: torque", tilt);
    }
    end(&f);
}

// What sg_polygon_cut should leave, written to another place.
static int cut_elsewhere(const sg_polygon *p, sg_vec3 a, double b, sg_vec3 *out)
{
    int n = 0;
    for (int i = 0; i < p->n; i++) {
        sg_vec3 here = p->corner[i], next = p->corner[(i + 1) % p->n];
        double d = v3_dot(a, here) - b, e = v3_dot(a, next) - b;
        if (d <= 0.0)
            out[n++] = here;
        if ((d < 0.0 && e > 0.0) || (d > 0.0 && e < 0.0))
            out[n++] = v3_add_scaled(here, v3_sub(next, here), d / (d - e));
    }
    return n;
}

SG_TEST(polygons_are_cut_in_place_also_where_they_are_not_convex)
{
    sg_rng rng = sg_rng_seeded(7);
    static sg_polygon p;
    static sg_vec3 expected[SG_REGION_CORNERS];
    int left = 0;
    for (int run = 0; run < 4000; run++) {
        p.n = 3 + run % 9;
        for (int i = 0; i < p.n; i++) { // a star where it is odd
            double angle = 6.283185307179586 * i / p.n, r = run % 2 && i % 2 ? 0.2 : 1.0;
            p.corner[i] = v3_make(r * cos(angle), r * sin(angle), 0.1 * r);
        }
        for (int k = 0; k < 3; k++) {
            sg_vec3 a = v3_make(sg_rng_uniform(&rng, -1, 1), sg_rng_uniform(&rng, -1, 1), 0.1);
            double b = sg_rng_uniform(&rng, -0.5, 0.8);
            int n = cut_elsewhere(&p, a, b, expected);
            if (n > SG_REGION_CORNERS / 2)
                break;
            bool some = sg_polygon_cut(&p, a, b);
            SG_CHECK(some == (n > 2));
            if (!some)
                break;
            SG_REQUIRE(p.n == n);
            SG_CHECK(memcmp(p.corner, expected, (size_t)n * sizeof *expected) == 0);
            left++;
        }
    }
    SG_CHECK(left > 3000);
}

// Bodies of all kinds, with other speeds than those that the area was found with.
SG_TEST(an_area_that_is_kept_presses_as_one_that_is_found_anew)
{
    static sg_area_kept kept;
    sg_rng rng = sg_rng_seeded(9);
    int pressed = 0;
    for (int i = 0; i < 60; i++) {
        fixture f;
        begin(&f);
        double d = 1e-6;
        f.law.loss = 0.6;
        box(&f, 0, v3_make(1, 1, 0.1), at(0, 0, -0.05));
        sg_pose pose = at(0.1, 0.2, 0.1 - d);
        pose.R = rot_axis(sg_rng_direction(&rng), i % 5 * 1e-7);
        if (i % 2)
            cylinder(&f, 1, 0.1, 0.2, pose);
        else
            box(&f, 1, v3_make(0.1, 0.15, 0.2), pose);
        f.work->keep = &kept;
        press(&f, 2.0 * d, v3_make(0.1, 0.2, 0));
        f.work->keep = NULL;
        f.place[1].motion = (sg_motion){sg_rng_vec3(&rng, -1, 1), sg_rng_vec3(&rng, -1, 1)};
        SG_CHECK(kept.is || i % 2); // a whole disk may have too many points
        if (!kept.is) {
            end(&f);
            continue;
        }
        sg_area_patch again = {0};
        bool presses = press(&f, 2.0 * d, v3_make(0.1, 0.2, 0));
        SG_CHECK(presses == sg_area_press_again(f.work, &kept, &f.law, f.place, &again));
        SG_CHECK(memcmp(&again.force, &f.patch.force, sizeof again.force) == 0);
        SG_CHECK(memcmp(&again.torque, &f.patch.torque, sizeof again.torque) == 0);
        SG_CHECK(again.arm == f.patch.arm && again.damped == f.patch.damped);
        SG_CHECK(again.peak == f.patch.peak && v3_equal(again.shift, f.patch.shift));
        pressed += presses && again.damped != 0.0;
        end(&f);
    }
    SG_CHECK(pressed >= 30);
}
