
#include "collide/distance.h"
#include "contact/area_test.h"
#include "math/rotation.h"

#define PI 3.14159265358979323846

static const double r = 0.05, half = 0.1, k = 2e12 / 3.0;

// A capsule over a box; sizes in meters, and k of both together is 2/3 of 1e12 Pa/m.
static void lay(fixture *f)
{
    const char *why;
    begin(f);
    f->law.kappa[1] = 1e12;
    SG_CHECK(sg_shape_box(v3_make(1, 1, 1), 0.0, &f->shape[0], &why) == SG_OK);
    SG_CHECK(sg_shape_capsule(0, 2 * r, 2 * half, &f->shape[1], &why) == SG_OK);
    for (int i = 0; i < 2; i++)
        SG_CHECK(sg_area_body_init(&f->body[i], &f->shape[i], &f->arena) == SG_OK);
}

static bool press(fixture *f, sg_pose box, sg_pose capsule, double depth)
{
    sg_pose pose[2] = {box, capsule};
    sg_area_touch touch = {depth, {0, 0, 1}, {0, 0, 0}};
    for (int i = 0; i < 2; i++)
        f->place[i] = (sg_area_place){
            .body = &f->body[i], .frame = sg_shape_frame(&f->shape[i], &pose[i]), .at = pose[i].r};
    return sg_area_press(f->work, &f->law, f->place, &touch, &f->patch);
}

// On the top of the box, leaning by `tilt` so that the end at -x is the higher one, and `depth`
// deep there where it is deepest.
static bool lean(fixture *f, double tilt, double depth)
{
    sg_pose capsule = {rot_2(-tilt), v3_make(0, 0, r - depth + half * fabs(sin(tilt)))};
    return press(f, pose_translation(v3_make(0, 0, -0.5)), capsule, depth);
}

SG_TEST(a_capsule_lies_on_a_strip_with_round_ends)
{
    fixture f;
    lay(&f);
    for (int e = -9; e <= -3; e++) {
        double d = pow(10.0, e) * r, t = sqrt(2.0 * r * d - d * d);
        double strip = d < 1e-6 ? 4.0 / 3.0 * t * d : r * r * asin(t / r) - (r - d) * t;
        double force = k * (2.0 * half * strip + PI / 3.0 * d * d * (3.0 * r - d));
        SG_CHECK(lean(&f, 0.0, d));
        SG_NEAR(f.patch.force.z, force, e < -5 ? 1e-5 : 1e-3, 0);
        SG_NEAR(f.patch.area, 2.0 * t * 2.0 * half + PI * t * t, 1e-3, 0);
        SG_NEAR(f.patch.torque.y, 0, 1e-9, force);
        SG_NEAR(f.patch.center.x, 0, 1e-9, half);
        SG_NEAR(f.patch.roll, r, 1e-9, 0);
    }
    end(&f);
}

// How deep the capsule is at (x, y) of the plane z = 0, along z.
static double depth_at(double x, double y, double tilt, double z)
{
    double c = cos(tilt), s = sin(tilt), in = r * r - y * y;
    if (!(in > 0.0))
        return 0.0;
    double low = (x * s - sqrt(in)) / c, along = x * c + low * s;
    if (fabs(along) > half) {
        double side = along > 0.0 ? half : -half, off = x - side * c;
        if (!(in - off * off > 0.0))
            return 0.0;
        low = side * s - sqrt(in - off * off);
    }
    return fmax(0.0, -(low + z));
}

// Sums of it over the plane: force, and torque about y, over k.
static void sum_up(double tilt, double depth, double *force, double *torque)
{
    enum { N = 1200 };
    double z = r - depth + half * fabs(sin(tilt)), w = 1.01 * sqrt(2.0 * r * depth);
    double from = -half * cos(tilt) - r * sin(tilt) - w, to = tilt > 0.0 ? 0.0 : half + w;
    // Beyond this nothing is left of the higher end.
    if (tilt > 0.0)
        to = fmin(half + w, -half + r * sin(tilt) + 1.01 * depth / sin(tilt) + 2.0 * w);
    *force = *torque = 0.0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N / 4; j++) {
            double x = from + (to - from) * (i + 0.5) / N, y = w * (j + 0.5) / (N / 4);
            double p = depth_at(x, y, tilt, z) * 2.0 * w / (N / 4) * (to - from) / N;
            *force += p;
            *torque -= p * x;
        }
}

// From fixture to standing on one round end, through where the strip is left.
SG_TEST(a_capsule_that_tips_goes_over_onto_its_end)
{
    fixture f;
    lay(&f);
    double d = 1e-6 * r, width = sqrt(2.0 * d / r);
    double tilts[] = {0.0,         1e-3 * d / half, 0.3 * d / half, 0.9 * d / half, 3.0 * d / half,
                      0.1 * width, 0.5 * width,     0.9 * width,    1.1 * width,    3.0 * width,
                      0.1};
    for (size_t i = 0; i < sizeof tilts / sizeof *tilts; i++) {
        double force, torque;
        sum_up(tilts[i], d, &force, &torque);
        SG_CHECK(lean(&f, tilts[i], d));
        SG_CHECK_MSG(fabs(f.patch.force.z / (k * force) - 1.0) < 1e-3, "tilt %g: %.9g %.9g",
                     tilts[i], f.patch.force.z, k * force);
        SG_CHECK_MSG(fabs(f.patch.torque.y + k * torque) < 1e-3 * k * force * half,
                     "tilt %g: %.9g %.9g", tilts[i], f.patch.torque.y, k * torque);
    }
    end(&f);
}

SG_TEST(force_and_torque_of_a_capsule_are_slopes_of_its_energy)
{
    fixture f;
    lay(&f);
    sg_rng rng = sg_rng_seeded(3);
    for (int i = 0; i < 300; i++) {
        double d = r * pow(10.0, sg_rng_uniform(&rng, -6.5, -4.5));
        double tilt = d / half * pow(10.0, sg_rng_uniform(&rng, -2.0, 4.0)), h = 1e-4;
        tilt = fmin(tilt, 0.1);
        double at[5], z = d - half * sin(tilt);
        // Deepest point of the same height of the center.
        double change[5][2] = {
            {0, 0}, {h * d, 0}, {-h * d, 0}, {0, h * d / half}, {0, -h * d / half}};
        double force = 0.0, torque = 0.0;
        for (int n = 4; n >= 0; n--) {
            double turned = tilt + change[n][1], deep = z + change[n][0] + half * sin(turned);
            at[n] = lean(&f, turned, deep) ? f.patch.stored : 0.0;
            force = f.patch.force.z;
            torque = f.patch.torque.y;
        }
        double up = (at[1] - at[2]) / (2.0 * h * d), turn = (at[3] - at[4]) / (2.0 * h * d / half);
        SG_CHECK_MSG(fabs(up / force - 1.0) < 1e-4, "d %g tilt %g: %.9g %.9g", d, tilt, up, force);
        // The sums count the other way round: there the end at -x is the lower one.
        SG_CHECK_MSG(fabs(turn + torque) < 5e-4 * force * half, "d %g tilt %g: %.9g %.9g", d, tilt,
                     turn, torque);
    }
    end(&f);
}

// The edge of the box, along y, below a capsule that is turned about z.
static bool on_edge(fixture *f, double turn, double x, double depth)
{
    sg_pose box = {rot_2(0.25 * PI), v3_make(0, 0, -sqrt(0.5))};
    sg_pose capsule = {rot_3(turn), v3_make(x, 0, r - depth)};
    return press(f, box, capsule, depth);
}

SG_TEST(an_edge_presses_into_a_capsule)
{
    fixture f;
    lay(&f);
    double turns[] = {0.0, 0.3, 1.0, 1.5, 0.5 * PI};
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++)
        for (int e = -8; e <= -3; e++) {
            double d = r * pow(10.0, e), h = 1e-4 * d, at[2], force;
            SG_CHECK(on_edge(&f, turns[i], 0.0, d + h));
            at[1] = f.patch.stored + sg_area_stored_beside(f.work, &f.law);
            SG_CHECK(on_edge(&f, turns[i], 0.0, d - h));
            at[0] = f.patch.stored + sg_area_stored_beside(f.work, &f.law);
            SG_CHECK(on_edge(&f, turns[i], 0.0, d));
            force = f.patch.force.z;
            double slope = (at[1] - at[0]) / (2.0 * h);
            SG_CHECK_MSG(fabs(slope / force - 1.0) < 1e-3, "turn %g depth %g: %.9g %.9g", turns[i],
                         d, slope, force);
            SG_NEAR(f.patch.force.x, 0, 1e-3, force);
            SG_NEAR(f.patch.force.y, 0, 1e-3, force);
        }
    end(&f);
}

SG_TEST(the_outline_of_a_capsule_is_its_patch)
{
    fixture f;
    sg_outline outline = {.n = 0};
    sg_vec3 hull[64];
    double d = 1e-4 * r;
    lay(&f);
    f.work->outline = &outline;
    SG_CHECK(lean(&f, 0.0, d));
    SG_NEAR(sg_outline_peak(&outline), k * d, 1e-3, 0);
    SG_CHECK(outline.n > 20);
    int n = sg_outline_hull(&outline, v3_make(0, 0, 1), 64, hull);
    double area = 0.0;
    for (int i = 0; i < n; i++) {
        int j = i + 1 < n ? i + 1 : 0;
        area += 0.5 * (hull[i].x * hull[j].y - hull[j].x * hull[i].y);
    }
    SG_NEAR(area, f.patch.area, 0.01, 0);
    // Tipped on its end: a disk.
    outline.n = 0;
    SG_CHECK(lean(&f, 0.5, d));
    n = sg_outline_hull(&outline, v3_make(0, 0, 1), 64, hull);
    SG_CHECK(n > 20);
    SG_NEAR(sg_outline_peak(&outline), k * d, 1e-3, 0);
    for (int i = 0; i < n; i++)
        SG_NEAR(hypot(hull[i].x - half * cos(0.5), hull[i].y), sqrt(2.0 * r * d), 1e-3, 0);
    end(&f);
}

// A capsule whose middle is at c, its axis along u, over an edge or rim that runs along y through
// the origin.
static bool above(fixture *f, sg_pose below, sg_vec3 c, sg_vec3 u)
{
    sg_vec3 y = v3_axis(1),
            n = v3_add_scaled(c, u, -v3_dot(c, u)); // the edge is straight or curves away
    if (fabs(v3_dot(u, y)) < 0.5)
        n.y = 0.0;
    double far = v3_norm(n);
    sg_mat3 R = m3_columns(u, v3_cross(v3_unit(n), u), v3_unit(n));
    sg_pose pose[2] = {below, {R, c}};
    sg_area_touch touch = {r - far, v3_unit(n), {0, 0, 0}};
    for (int i = 0; i < 2; i++)
        f->place[i] = (sg_area_place){
            .body = &f->body[i], .frame = sg_shape_frame(&f->shape[i], &pose[i]), .at = pose[i].r};
    return sg_area_press(f->work, &f->law, f->place, &touch, &f->patch);
}

// Force and slopes of the energy, for all directions from which the edge is touched, along and
// across it.
static void check_slopes(fixture *f, sg_pose below, double from, double to)
{
    const double kappas[2][2] = {{2e12, 1e12}, {1e12, 1.7e12}};
    for (int i = 0; i < 2 * 2 * 4 * 27; i++) {
        int across = i % 2, e = -5 + i / 4 % 4;
        double side = from + (to - from) * (i / 16) / 26.0, d = r * pow(10.0, e), h = 1e-3 * d,
               at[4];
        f->law.kappa[0] = kappas[i / 2 % 2][0];
        f->law.kappa[1] = kappas[i / 2 % 2][1];
        sg_vec3 c = v3_scale(v3_make(sin(side), 0, cos(side)), r - d);
        sg_vec3 u = across ? v3_make(cos(side), 0, -sin(side)) : v3_axis(1);
        for (int n = 0; n < 4; n++) {
            sg_vec3 by = v3_scale(v3_axis(n / 2 * 2), n % 2 ? -h : h);
            SG_CHECK(above(f, below, v3_add(c, by), u));
            at[n] = f->patch.stored + sg_area_stored_beside(f->work, &f->law);
        }
        SG_CHECK(above(f, below, c, u));
        double x = -(at[0] - at[1]) / (2.0 * h), z = -(at[2] - at[3]) / (2.0 * h),
               force = hypot(x, z);
        double off = hypot(f->patch.force.x - x, f->patch.force.z - z);
        SG_CHECK_MSG(off < 1e-3 * force, "across %d side %.2f depth %g r: %g", across, side, d / r,
                     off / force);
        SG_NEAR(f->patch.force.y, 0, 1e-6, force);
    }
}

SG_TEST(an_edge_presses_into_a_capsule_from_all_sides)
{
    fixture f;
    lay(&f);
    check_slopes(&f, (sg_pose){rot_2(0.25 * PI), v3_make(0, 0, -sqrt(0.5))}, -0.7, 0.7);
    end(&f);
}

SG_TEST(a_rim_presses_into_a_capsule_from_all_sides)
{
    fixture f;
    const char *why;
    const double radius = 0.075;
    lay(&f);
    SG_CHECK(sg_shape_cylinder(2, 2.0 * radius, 0.3, 0.0, &f.shape[0], &why) == SG_OK);
    SG_CHECK(sg_area_body_init(&f.body[0], &f.shape[0], &f.arena) == SG_OK);
    check_slopes(&f, pose_translation(v3_make(-radius, 0, -0.15)), 0.1, 1.45);
    end(&f);
}

// ---- no noise -------------------------------------------------------------------------------

typedef struct measuring {
    fixture f;
    sg_distance_work *work;
    sg_distance_options options;
} measuring;

static double distance(measuring *x, const sg_pose pose[2], sg_distance_result *out)
{
    const sg_shape *shape = x->f.shape;
    SG_CHECK(sg_signed_distance(&shape[0], &pose[0], &shape[1], &pose[1], &x->options, NULL,
                                x->work, out) == SG_OK);
    return out->delta;
}

static sg_vec3 force_at(measuring *x, const sg_pose pose[2])
{
    fixture *f = &x->f;
    sg_distance_result result;
    double depth = -distance(x, pose, &result);
    sg_area_touch touch = {depth, result.n, v3_scale(v3_add(result.a, result.b), 0.5)};
    for (int i = 0; i < 2; i++)
        f->place[i] = (sg_area_place){
            .body = &f->body[i], .frame = sg_shape_frame(&f->shape[i], &pose[i]), .at = pose[i].r};
    SG_CHECK(sg_area_press(f->work, &f->law, f->place, &touch, &f->patch));
    return f->patch.force;
}

// The two turned at random, so that they are `depth` deep in each other.
static void put_anyhow(measuring *x, sg_rng *rng, double depth, sg_pose pose[2])
{
    sg_distance_result result;
    sg_vec3 beside;
    do {
        for (int i = 0; i < 2; i++)
            pose[i] = (sg_pose){sg_rng_rotation(rng), V3_ZERO};
        beside = v3_make(sg_rng_uniform(rng, -r, r), sg_rng_uniform(rng, -r, r), 0.0);
        pose[1].r = beside;
    } while (distance(x, pose, &result) > -depth);
    double lo = 0.0, hi = 1.0;
    for (int i = 0; i < 60; i++) {
        double mid = 0.5 * (lo + hi);
        pose[1].r = v3_add(beside, v3_make(0, 0, mid));
        if (distance(x, pose, &result) < -depth)
            lo = mid;
        else
            hi = mid;
    }
}

// Steps of a capsule that are roundings of its size change the force by no more than such roundings
// change its depth. (The conic where its pressure ends touches the line where that of its tangent
// plane does: slices that took this for a crossing or not made up to the whole force come and go.)
static void check_noise(measuring *x, const char *name)
{
    sg_rng rng = sg_rng_seeded(11);
    const double depth = 1e-4 * r, by = 1e-12 * r;
    for (int i = 0; i < 60; i++) {
        sg_pose pose[2];
        put_anyhow(x, &rng, depth, pose);
        sg_vec3 way = {sg_rng_uniform(&rng, -1, 1), sg_rng_uniform(&rng, -1, 1), 1.0};
        sg_vec3 force[12];
        for (int l = 0; l < 12; l++) {
            force[l] = force_at(x, pose);
            pose[1].r = v3_add_scaled(pose[1].r, way, by);
        }
        for (int l = 2; l < 12; l++) {
            sg_vec3 bent = v3_add(v3_sub(force[l], v3_scale(force[l - 1], 2.0)), force[l - 2]);
            SG_CHECK_MSG(v3_norm(bent) < 1e-9 * v3_norm(force[l]), "%s %d: %g of the force", name,
                         i, v3_norm(bent) / v3_norm(force[l]));
        }
    }
}

// Whatever touches: force and slope of the energy along the normal, in parts of the force.
static double worst_slope(measuring *x, double depth)
{
    sg_rng rng = sg_rng_seeded(12);
    double worst = 0.0, h = 1e-3 * depth;
    for (int i = 0; i < 100; i++) {
        sg_pose pose[2];
        sg_distance_result result;
        double at[2];
        put_anyhow(x, &rng, depth, pose);
        distance(x, pose, &result);
        double force = v3_dot(force_at(x, pose), result.n);
        sg_vec3 from = pose[1].r;
        for (int n = 0; n < 2; n++) {
            pose[1].r = v3_add_scaled(from, result.n, n ? h : -h);
            force_at(x, pose);
            at[n] = x->f.patch.stored + sg_area_stored_beside(x->f.work, &x->f.law);
        }
        worst = fmax(worst, fabs((at[0] - at[1]) / (2.0 * h) / force - 1.0));
    }
    return worst;
}

static void begin_measuring(measuring *x)
{
    lay(&x->f);
    x->work = SG_NEW(&x->f.arena, sg_distance_work);
    x->options = sg_distance_options_make();
}

static void take(measuring *x, int i, sg_status status)
{
    SG_CHECK(status == SG_OK);
    SG_CHECK(sg_area_body_init(&x->f.body[i], &x->f.shape[i], &x->f.arena) == SG_OK);
}

static void take_cone(measuring *x, int i, double top)
{
    const char *why;
    take(x, i, sg_shape_cone(2, 0.17, top, 0.2, 0.0, 0.0, &x->f.shape[i], &why));
}

// What a rim leaves of a strip may be far shorter than the strip, and the cone that is touched in
// its middle is as wide as it is there.
SG_TEST(round_bodies_touch_anyhow)
{
    measuring x;
    const char *why;
    begin_measuring(&x);
    const struct {
        double depth, top, limit;
    } capsule[] = {{1e-3, 0.0, 1e-3}, {1e-4, 0.0, 1e-3}, {1e-6, 0.0, 1e-3}, {1e-4, 0.08, 1e-3}};
    for (int i = 0; i < 4; i++) {
        take_cone(&x, 0, capsule[i].top);
        double worst = worst_slope(&x, capsule[i].depth * r);
        SG_CHECK_MSG(worst < capsule[i].limit, "capsule %d: %g", i, worst);
    }
    take_cone(&x, 1, 0.0);
    double cones = worst_slope(&x, 1e-3 * r);
    SG_CHECK_MSG(cones < 0.012, "cones: %g", cones);
    take(&x, 0, sg_shape_cylinder(2, 0.15, 0.2, 0.0, &x.f.shape[0], &why));
    double cylinder = worst_slope(&x, 1e-3 * r);
    SG_CHECK_MSG(cylinder < 0.008, "cylinder: %g", cylinder);
    end(&x.f);
}

SG_TEST(the_force_of_a_capsule_has_no_noise)
{
    measuring x;
    const char *why;
    begin_measuring(&x);
    take(&x, 0, sg_shape_box(v3_make(0.12, 0.15, 0.18), 0.0, &x.f.shape[0], &why));
    check_noise(&x, "box");
    take_cone(&x, 0, 0.0);
    check_noise(&x, "cone");
    end(&x.f);
}
