#include "contact/polygon.h"

#include "base/number.h"
#include "harness/sg_test_math.h"
#include "math/quat.h"

typedef struct fixture {
    sg_arena arena;
    sg_polygon_surface e, f;
    sg_polygon_work work;
    sg_polygon_law law;
    sg_polygon_motion motion;
    sg_polygon_patch patch;
} fixture;

static sg_polygon_law soft(void)
{
    return (sg_polygon_law){.task = 3,
                            .stiffness = 1e6,
                            .ratio = 1.0,
                            .largest = 0.05,
                            .compression = 2e4,
                            .expansion = 1e4,
                            .friction = 0.3,
                            .friction_starts = 1e-3};
}

// A square of side 2 a in the plane z = 0 that looks up, in n x n squares of two triangles.
static sg_triangles square(double a, int n, sg_arena *arena)
{
    sg_vec3 *v = SG_NEW_ARRAY(arena, sg_vec3, (n + 1) * (n + 1));
    uint32_t *c = SG_NEW_ARRAY(arena, uint32_t, 6 * n * n);
    sg_triangles out = {0};
    sg_mesh_complaint why;
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= n; j++)
            v[i * (n + 1) + j] = v3_make(a * (2.0 * i / n - 1), a * (2.0 * j / n - 1), 0.0);
    for (int i = 0, k = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            uint32_t p = (uint32_t)(i * (n + 1) + j), q = p + (uint32_t)n + 1;
            uint32_t own[6] = {p, q, q + 1, p, q + 1, p + 1};
            for (int m = 0; m < 6; m++)
                c[k++] = own[m];
        }
    SG_CHECK(sg_triangles_make(v, (size_t)((n + 1) * (n + 1)), c, (size_t)(2 * n * n), arena, &out,
                               &why) == SG_OK);
    return out;
}

// A ball of radius r: an octahedron whose faces were cut n times.
static sg_triangles ball(double r, int n, sg_arena *arena)
{
    size_t faces = 8, at = 8;
    for (int i = 0; i < n; i++)
        faces *= 4;
    sg_vec3 *v = SG_NEW_ARRAY(arena, sg_vec3, 3 * faces + 3);
    uint32_t *c = SG_NEW_ARRAY(arena, uint32_t, 3 * faces);
    for (int i = 0; i < 8; i++) {
        sg_vec3 x = {i & 1 ? -1 : 1, 0, 0}, y = {0, i & 2 ? -1 : 1, 0}, z = {0, 0, i & 4 ? -1 : 1};
        bool odd = (i & 1) ^ ((i >> 1) & 1) ^ ((i >> 2) & 1);
        v[3 * i] = x;
        v[3 * i + 1] = odd ? z : y;
        v[3 * i + 2] = odd ? y : z;
    }
    for (int step = 0; step < n; step++)
        for (size_t i = 0, old = at; i < old; i++) {
            sg_vec3 p[3] = {v[3 * i], v[3 * i + 1], v[3 * i + 2]}, m[3];
            for (int k = 0; k < 3; k++)
                m[k] = v3_unit(v3_add(p[k], p[(k + 1) % 3]));
            sg_vec3 *out = &v[3 * at];
            for (int k = 0; k < 3; k++) {
                out[3 * k] = p[k];
                out[3 * k + 1] = m[k];
                out[3 * k + 2] = m[(k + 2) % 3];
            }
            for (int k = 0; k < 3; k++)
                v[3 * i + (size_t)k] = m[k];
            at += 3;
        }
    for (size_t i = 0; i < 3 * at; i++) {
        v[i] = v3_scale(v[i], r);
        c[i] = (uint32_t)i;
    }
    sg_triangles out = {0};
    sg_mesh_complaint why;
    SG_CHECK(sg_triangles_make(v, 3 * at, c, at, arena, &out, &why) == SG_OK);
    return out;
}

static void begin(fixture *x)
{
    *x = (fixture){.law = soft(), .motion = {.A = M3_IDENTITY}};
    sg_arena_init(&x->arena, sg_allocator_default());
}

static void ready(fixture *x, const sg_triangles *e, const sg_triangles *f, bool flip)
{
    double deep = x->law.largest;
    SG_REQUIRE(sg_polygon_surface_init(&x->e, e, false, deep, &x->arena) == SG_OK);
    SG_REQUIRE(sg_polygon_surface_init(&x->f, f, flip, deep, &x->arena) == SG_OK);
    SG_REQUIRE(sg_polygon_work_init(&x->work, &x->e, &x->f, &x->arena));
}

static void look(fixture *x)
{
    sg_polygon_contact(&x->e, &x->f, &x->law, &x->motion, true, &x->work, &x->patch);
}

// A square of 0.2 m that looks down, 1 mm deep in a large one: all is known.
SG_TEST(a_flat_patch_presses_damps_and_rubs_by_its_area)
{
    fixture x;
    begin(&x);
    sg_triangles floor = square(1.0, 3, &x.arena), foot = square(0.1, 4, &x.arena);
    ready(&x, &floor, &foot, true);
    x.motion.r = v3_make(0.2, 0.1, -0.001);
    x.motion.v = v3_make(0.3, -0.4, -0.02);
    look(&x);
    double fn = 1e6 * 0.04 * 0.001 + 2e4 * 0.04 * 0.02;
    SG_CHECK(x.patch.n_elements == 32 && x.patch.n_hits == 32);
    SG_NEAR(x.patch.area, 0.04, 1e-13, 1.0);
    SG_NEAR(x.patch.most_depth, 0.001, 1e-13, 1.0);
    SG_NEAR(x.patch.mean_depth, 0.001, 1e-13, 1.0);
    SG_NEAR(x.patch.mean_pressure, fn / 0.04, 1e-12, 1.0);
    SG_NEAR(x.patch.most_tangential, 0.5, 1e-13, 1.0);
    SG_NEAR(x.patch.least_normal, 0.02, 1e-13, 1.0);
    sg_vec3 F = {0.3 * fn * 0.6, -0.3 * fn * 0.8, -fn}; // on E: pressed down, dragged along
    SG_NEAR(v3_norm(v3_sub(x.patch.force, F)), 0.0, 1e-12, fn);
    // All of the yielding is that of F, so forces act in the plane of E.
    SG_NEAR(v3_norm(v3_sub(x.patch.position, v3_make(0.2, 0.1, -0.001))), 0.0, 1e-12, 1.0);
    SG_NEAR(x.patch.power, fn * 0.02 + 0.3 * fn * 0.5, 1e-12, fn);
    // Leaving: less damping, never a pull; unless it may.
    x.motion.v = v3_make(0.0, 0.0, 0.5);
    look(&x);
    SG_CHECK(x.patch.n_elements == 32 && v3_norm(x.patch.force) == 0.0);
    x.law.pulls = true;
    look(&x);
    SG_NEAR(x.patch.force.z, -(40.0 - 1e4 * 0.04 * 0.5), 1e-12, 1.0);
    // Damping that grows with the depth, friction that grows with the speed.
    x.law.transition = 0.004;
    x.motion.v = v3_make(0.0005, 0.0, 0.1);
    look(&x);
    fn = 40.0 - 1e4 * 0.04 * 0.1 / 4;
    SG_NEAR(x.patch.force.z, -fn, 1e-12, 1.0);
    SG_NEAR(x.patch.force.x, 0.3 * fn * 0.75, 1e-12, 1.0);
    // Above, or deeper than the layer: nothing.
    x.motion.r.z = 1e-9;
    look(&x);
    SG_CHECK(x.patch.n_elements == 0 && x.patch.n_boxes == 0 && v3_norm(x.patch.force) == 0.0);
    x.motion.r.z = -0.0501;
    look(&x);
    SG_CHECK(x.patch.n_elements == 0);
    sg_arena_destroy(&x.arena);
}

// A ball on a plane. Depths are along the normals of the ball: (R cos - (R - d))/cos at an angle
// from the lowest point; what presses up is cos of that.
static double cap_force(double R, double d)
{
    double top = acos((R - d) / R), sum = 0.0;
    for (int i = 0; i < 20000; i++) {
        double a = top * (i + 0.5) / 20000;
        sum += (R * cos(a) - (R - d)) * SG_TWO_PI * R * R * sin(a) * top / 20000;
    }
    return sum;
}

SG_TEST(the_force_of_a_ball_converges_with_its_faces)
{
    double expected = 1e6 * cap_force(0.1, 0.01), last = INFINITY;
    for (int n = 4; n <= 6; n++) {
        fixture x;
        begin(&x);
        sg_triangles floor = square(1.0, 1, &x.arena), round = ball(0.1, n, &x.arena);
        ready(&x, &floor, &round, false);
        x.motion.r = v3_make(0.03, 0.02, 0.09);
        look(&x);
        double error = fabs(-x.patch.force.z / expected - 1);
        SG_CHECK_MSG(error < 0.4 * last, "%d: %g after %g", n, error, last);
        SG_NEAR(v3_norm(v3_make(x.patch.force.x, x.patch.force.y, 0)), 0.0, 5e-3, expected);
        last = error;
        sg_arena_destroy(&x.arena);
    }
    SG_CHECK_MSG(last < 4e-3, "%g", last);
}

// Lengths and depths times s, the same pressures: forces grow with s^2, torques with s^3. Squares
// of micrometers are 1e-12 m2, which must not be taken for rounding where the floor ends.
SG_TEST(a_patch_is_the_same_at_all_scales)
{
    static const double scales[] = {1e-7, 1e-6, 1e-3, 1e3, 1e6};
    sg_vec3 force = {0}, torque = {0};
    int n_elements = 0;
    for (int k = -1; k < (int)(sizeof scales / sizeof *scales); k++) {
        double s = k < 0 ? 1.0 : scales[k];
        fixture x;
        begin(&x);
        x.law.largest *= s;
        x.law.stiffness /= s; // damping and friction stay as speeds do
        sg_triangles e = square(0.04 * s, 7, &x.arena), f = ball(0.2 * s, 4, &x.arena);
        ready(&x, &e, &f, false);
        x.motion.r = v3_scale(v3_make(0.013, -0.021, 0.19), s);
        x.motion.v = v3_make(0.02, 0.01, -0.03);
        x.motion.w = v3_scale(v3_make(0.3, -0.2, 0.1), 1.0 / s);
        look(&x);
        if (k < 0) {
            n_elements = x.patch.n_elements;
            force = x.patch.force;
            torque = x.patch.torque;
            SG_CHECK(n_elements > 20);
        }
        SG_CHECK_MSG(x.patch.n_elements == n_elements, "%d faces at scale %g, not %d",
                     x.patch.n_elements, s, n_elements);
        sg_vec3 df = v3_add_scaled(force, x.patch.force, -1.0 / (s * s));
        sg_vec3 dt = v3_add_scaled(torque, x.patch.torque, -1.0 / (s * s * s));
        SG_NEAR(v3_norm(df), 0.0, 1e-11, v3_norm(force));
        SG_NEAR(v3_norm(dt), 0.0, 1e-11, v3_norm(torque));
        sg_arena_destroy(&x.arena);
    }
}

// Faces against all faces, without the trees.
static int count_all(fixture *x)
{
    int n = 0;
    for (int i = 0; i < x->f.n; i++)
        for (int j = 0; j < x->e.n; j++) {
            sg_polygon_surface e = x->e, f = x->f;
            sg_polygon_box one = {v3_make(-9, -9, -9), v3_make(9, 9, 9), {-1, -1}, j};
            sg_polygon_box two = one;
            two.face = i;
            e.faces.box = &one;
            f.lines.box = &two;
            sg_polygon_patch patch;
            sg_polygon_contact(&e, &f, &x->law, &x->motion, true, &x->work, &patch);
            n += patch.n_elements;
        }
    return n;
}

SG_TEST(trees_find_all_faces_that_meet)
{
    sg_rng rng = sg_rng_seeded(9);
    fixture x;
    begin(&x);
    sg_triangles a = ball(0.2, 2, &x.arena), b = ball(0.1, 2, &x.arena);
    ready(&x, &a, &b, false);
    int met = 0;
    for (int i = 0; i < 60; i++) {
        x.motion.A = sg_rng_rotation(&rng);
        x.motion.r = v3_scale(sg_rng_direction(&rng), sg_rng_uniform(&rng, 0.26, 0.31));
        look(&x);
        // Base faces that lie behind two targets at once count once; balls have none.
        SG_CHECK_MSG(x.patch.n_elements == count_all(&x), "%d: %d of %d", i, x.patch.n_elements,
                     count_all(&x));
        SG_CHECK(x.patch.n_faces < x.e.n * x.f.n / 4);
        met += x.patch.n_elements;
    }
    SG_CHECK_MSG(met > 200, "%d elements", met);
    sg_arena_destroy(&x.arena);
}

SG_TEST(layers_are_those_of_a_confined_block)
{
    SG_NEAR(sg_polygon_layer(5500, 0.4, 0.01), 0.6 / (1.4 * 0.2) * 5.5e5, 1e-14, 1.0);
    SG_CHECK(sg_polygon_layer(0, 0.3, 0.01) == 0.0 && sg_polygon_layer(1e6, 0.3, 0) == 0.0);
}

static bool same_patch(const sg_polygon_patch *a, const sg_polygon_patch *b)
{
    const sg_vec3 *x[] = {&a->force, &a->torque, &a->position, &a->normal};
    const sg_vec3 *y[] = {&b->force, &b->torque, &b->position, &b->normal};
    for (int i = 0; i < 4; i++)
        if (x[i]->x != y[i]->x || x[i]->y != y[i]->y || x[i]->z != y[i]->z)
            return false;
    return a->n_elements == b->n_elements && a->n_hits == b->n_hits && a->area == b->area &&
           a->power == b->power && a->most_depth == b->most_depth;
}

// A ball rolls about in another, at times a little, at times a long way: pairs that were kept give
// the bits of a walk through the trees, and are looked for when they have to be.
SG_TEST(faces_that_were_near_give_the_same_bits)
{
    for (int trial = 0; trial < 6; trial++) {
        sg_rng rng = sg_rng_seeded(77);
        fixture x;
        begin(&x);
        int task = 1 + trial % 3;
        x.law.task = task;
        if (trial >= 3) // faces go too deep, and come back
            x.law.largest = 0.01;
        sg_triangles a = ball(0.2, 3, &x.arena), b = ball(0.1, 3, &x.arena);
        ready(&x, &a, &b, false);
        int met = 0, sought = 0;
        double angle = 0.0, turn = 0.0;
        for (int i = 0; i < 400; i++) {
            double step = i % 50 == 49 ? 0.5 : 1e-4;
            angle += sg_rng_uniform(&rng, 0.0, step);
            turn += sg_rng_uniform(&rng, 0.0, step);
            x.motion.A = q_to_mat3(q_axis_angle(v3_unit(v3_make(1, 2, 3)), turn));
            x.motion.r = v3_make(0.285 * cos(angle), 0.285 * sin(angle), 0.01 * sin(turn));
            x.motion.v = v3_make(-sin(angle), cos(angle), 0.0);
            sg_vec3 before[2] = {x.work.near[0].r, x.work.near[1].r};
            sg_polygon_patch quick;
            sg_polygon_contact(&x.e, &x.f, &x.law, &x.motion, false, &x.work, &quick);
            look(&x);
            SG_CHECK_MSG(same_patch(&quick, &x.patch), "%d: %d and %d elements", i,
                         quick.n_elements, x.patch.n_elements);
            met += quick.n_elements;
            sought += v3_norm(v3_sub(before[task == 3], x.work.near[task == 3].r)) > 0.0;
        }
        SG_CHECK_MSG(met > 2000 && sought >= 8 && sought < 40, "%d elements, %d searches", met,
                     sought);
        sg_arena_destroy(&x.arena);
    }
}

SG_TEST(more_near_faces_than_have_room_are_found_by_the_trees)
{
    fixture x;
    begin(&x);
    sg_triangles a = ball(0.2, 3, &x.arena), b = ball(0.1, 3, &x.arena);
    ready(&x, &a, &b, false);
    x.work.near[1].most = 20;
    for (int i = 0; i < 70; i++) {
        x.motion.r = v3_make(0.285, 1e-3 * i, 0.0);
        sg_polygon_patch quick;
        sg_polygon_contact(&x.e, &x.f, &x.law, &x.motion, false, &x.work, &quick);
        look(&x);
        SG_CHECK(same_patch(&quick, &x.patch) && quick.n_elements > 0 && !x.work.near[1].known);
    }
    sg_arena_destroy(&x.arena);
}
