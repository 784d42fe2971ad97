// Forces of areas against sums over lines.
//
// By its energy, min(p_A, p_B) over the overlap, a force along n is the integral of what B's
// pressure rises by along each line in the direction of n, where it is below A's: p at the end of
// such a part less p at its beginning. That takes nothing but the depth of a point below the
// surface of a body, so it is asked of shapes of all kinds and sizes in poses of all kinds.
#include "collide/distance.h"
#include "contact/area.h"
#include "harness/sg_test_math.h"
#include "math/rotation.h"

#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

typedef struct meeting {
    sg_arena arena;
    sg_shape shape[2];
    sg_mesh mesh[2];
    sg_area_body body[2];
    sg_area_work *work;
    sg_area_law law;
    sg_distance_work *distance;
    sg_distance_options options;
    sg_pose pose[2], frame[2];
    sg_distance_result touch;
    sg_vec3 origin, n, e[2]; // of the lines: they run along n
} meeting;

// ---- depth ----------------------------------------------------------------------------------

static double depth_below_side(const sg_area_side *s, bool round_ends, sg_vec3 x)
{
    sg_vec3 from = v3_sub(x, s->at);
    double y = v3_dot(from, s->u);
    if (round_ends) {
        y = fmin(fmax(y, s->y[0]), s->y[1]);
        return s->r - v3_norm(v3_add_scaled(from, s->u, -y));
    }
    if (v3_dot(s->half, from) < 0.0)
        return INFINITY;
    return s->c * (s->r + s->slope * y - v3_norm(v3_add_scaled(from, s->u, -y)));
}

static double depth_in(const meeting *m, int which, sg_vec3 world)
{
    const sg_area_body *b = &m->body[which];
    sg_vec3 x = pose_inverse_point(&m->frame[which], world);
    double depth = INFINITY;
    for (int i = 0; i < b->n_planes; i++)
        depth = fmin(depth, b->plane[i].o - v3_dot(b->plane[i].n, x));
    for (int i = 0; i < b->n_sides; i++)
        depth = fmin(depth, depth_below_side(&b->side[i], b->round_ends, x));
    return depth;
}

typedef struct line {
    const meeting *m;
    sg_vec3 at;
} line;

static double pressure_on(const line *l, int which, double s)
{
    return l->m->law.kappa[which] * depth_in(l->m, which, v3_add_scaled(l->at, l->m->n, s));
}

static double least_on(const line *l, double s)
{
    return fmin(pressure_on(l, 0, s), pressure_on(l, 1, s));
}

// Where the smaller of both pressures, which is concave, is largest: by golden sections.
static double top_of(const line *l, double reach)
{
    const double part = 0.6180339887498949;
    double lo = -reach, hi = reach, a = hi - part * (hi - lo), b = lo + part * (hi - lo);
    double at_a = least_on(l, a), at_b = least_on(l, b);
    for (int i = 0; i < 44; i++) {
        if (at_a < at_b) {
            lo = a;
            a = b;
            at_a = at_b;
            b = lo + part * (hi - lo);
            at_b = least_on(l, b);
        } else {
            hi = b;
            b = a;
            at_b = at_a;
            a = hi - part * (hi - lo);
            at_a = least_on(l, a);
        }
    }
    return 0.5 * (lo + hi);
}

// Between a place within and one without: where the overlap ends.
static double end_of(const line *l, double in, double out)
{
    for (int i = 0; i < 44; i++) {
        double mid = 0.5 * (in + out);
        if (least_on(l, mid) > 0.0)
            in = mid;
        else
            out = mid;
    }
    return in;
}

// What a line adds; 0 where it does not meet the overlap.
static double line_sum(const line *l, double reach, bool *meets)
{
    enum { PARTS = 12 };
    double top = top_of(l, reach), sum = 0.0;
    *meets = least_on(l, top) > 0.0;
    if (!*meets)
        return 0.0;
    double begin = end_of(l, top, -2.0 * reach), end = end_of(l, top, 2.0 * reach), last = begin;
    double before = pressure_on(l, 0, begin) - pressure_on(l, 1, begin);
    for (int i = 1; i <= PARTS; i++) {
        double s = begin + (end - begin) * i / PARTS, a = last, b = s;
        double now = pressure_on(l, 0, s) - pressure_on(l, 1, s);
        for (int k = 0; k < 40 && (now > 0.0) != (before > 0.0); k++) {
            double mid = 0.5 * (a + b);
            bool over = pressure_on(l, 0, mid) > pressure_on(l, 1, mid);
            *(over == (before > 0.0) ? &a : &b) = mid;
        }
        if ((now > 0.0) != (before > 0.0))
            sum += (before > 0.0 ? 1.0 : -1.0) * pressure_on(l, 1, 0.5 * (a + b));
        before = now;
        last = s;
    }
    return sum;
}

// ---- over the overlap -----------------------------------------------------------------------

// Coordinates across n in which the overlap, which is convex, is about a disk.
typedef struct chart {
    double a[2], b[2], middle[2];
} chart;

static line line_at(const meeting *m, const chart *c, double x, double y)
{
    double u = c->middle[0] + c->a[0] * x + c->b[0] * y;
    double v = c->middle[1] + c->a[1] * x + c->b[1] * y;
    return (line){m, v3_add_scaled(v3_add_scaled(m->origin, m->e[0], u), m->e[1], v)};
}

static bool is_met(const meeting *m, const chart *c, double x, double y, double reach)
{
    line l = line_at(m, c, x, y);
    return least_on(&l, top_of(&l, reach)) > 0.0;
}

static double border(const meeting *m, const chart *c, double angle, double far, double reach)
{
    double in = 0.0, out = far, x = cos(angle), y = sin(angle);
    for (int i = 0; i < 40; i++) {
        double mid = i < 12 ? out / 4.0 : 0.5 * (in + out);
        if (i < 12 && in > 0.0)
            mid = sqrt(in * out);
        if (is_met(m, c, mid * x, mid * y, reach))
            in = mid;
        else
            out = mid;
    }
    return in;
}

// A chart in which the mean squares of places on the border are those of a circle.
static void fit(const meeting *m, chart *c, double *far, double reach)
{
    enum { ANGLES = 24 };
    double s[3] = {0}, mean[2] = {0}, p[ANGLES][2];
    for (int i = 0; i < ANGLES; i++) {
        double angle = 2.0 * PI * i / ANGLES, r = border(m, c, angle, *far, reach);
        p[i][0] = r * cos(angle);
        p[i][1] = r * sin(angle);
        for (int k = 0; k < 2; k++)
            mean[k] += p[i][k] / ANGLES;
    }
    for (int i = 0; i < ANGLES; i++) {
        double x = p[i][0] - mean[0], y = p[i][1] - mean[1];
        s[0] += x * x / ANGLES;
        s[1] += x * y / ANGLES;
        s[2] += y * y / ANGLES;
    }
    // x = L z, L L^T = s
    double l0 = sqrt(s[0]), l1 = s[1] / l0, l2 = sqrt(fmax(s[2] - l1 * l1, 1e-6 * s[2]));
    chart old = *c;
    for (int k = 0; k < 2; k++) {
        c->middle[k] = old.middle[k] + old.a[k] * mean[0] + old.b[k] * mean[1];
        c->a[k] = old.a[k] * l0 + old.b[k] * l1;
        c->b[k] = old.b[k] * l2;
    }
    *far = 100.0;
}

// The force along n.
static double sum_over_lines(const meeting *m, int angles)
{
    static const double at[] = {0.02544604, 0.12923441, 0.29707742, 0.5,
                                0.70292258, 0.87076559, 0.97455396},
                        weight[] = {0.06474248, 0.13985270, 0.19091503, 0.20897959,
                                    0.19091503, 0.13985270, 0.06474248};
    enum { RINGS = 4 };
    double size = fmin(m->shape[0].bound, m->shape[1].bound), sum = 0.0, far = 4.0;
    double reach = fmin(4.0 * size, 1e3 * -m->touch.delta + 1e-3 * size);
    chart c = {{size, 0.0}, {0.0, size}, {0.0, 0.0}};
    for (int i = 0; i < 6; i++)
        fit(m, &c, &far, reach);
    double scale = fabs(c.a[0] * c.b[1] - c.a[1] * c.b[0]);
    for (int i = 0; i < angles; i++) {
        double angle = 2.0 * PI * (i + 0.5) / angles, r = border(m, &c, angle, far, reach);
        for (int k = 0; k < RINGS; k++)
            for (int g = 0; g < 7; g++) {
                bool meets;
                double x = r * (k + at[g]) / RINGS;
                line l = line_at(m, &c, x * cos(angle), x * sin(angle));
                sum += line_sum(&l, reach, &meets) * x * weight[g] * r / RINGS;
            }
    }
    return sum * scale * 2.0 * PI / angles;
}

// ---- shapes ---------------------------------------------------------------------------------

enum { BOX, CYLINDER, CONE, FRUSTUM, BEAM, CAPSULE, TETRAHEDRON, WEDGE, N_SHAPES };
static const char *const name_of[N_SHAPES] = {"box",  "cylinder", "cone",        "frustum",
                                              "beam", "capsule",  "tetrahedron", "wedge"};

static sg_status make_mesh(const double (*corner)[3], size_t n, double s, sg_mesh *mesh,
                           sg_shape *out, const char **why)
{
    sg_vec3 point[8];
    for (size_t i = 0; i < n; i++)
        point[i] = v3_make(s * corner[i][0], s * corner[i][1], s * corner[i][2]);
    sg_status status = sg_mesh_hull(sg_allocator_default(), point, n, mesh, why);
    return status ? status : sg_shape_mesh(mesh, out, why);
}

static void make(meeting *m, int i, int kind, double s)
{
    static const double tetrahedron[4][3] = {
        {0.6, 0, 0}, {-0.3, 0.5, 0}, {-0.3, -0.5, 0}, {0, 0, 0.8}};
    static const double wedge[6][3] = {{-0.5, -0.3, 0}, {0.5, -0.3, 0},    {0.5, 0.3, 0},
                                       {-0.5, 0.3, 0},  {-0.5, -0.3, 0.2}, {-0.5, 0.3, 0.2}};
    const char *why = "";
    sg_shape *shape = &m->shape[i];
    sg_status status = SG_OK;
    switch (kind) {
    case BOX:
        status = sg_shape_box(v3_make(s, 0.7 * s, 0.4 * s), 0.0, shape, &why);
        break;
    case CYLINDER:
        status = sg_shape_cylinder(2, 0.6 * s, 0.9 * s, 0.0, shape, &why);
        break;
    case CONE:
        status = sg_shape_cone(2, 0.7 * s, 0.0, 0.8 * s, 0.0, 0.0, shape, &why);
        break;
    case FRUSTUM:
        status = sg_shape_cone(2, 0.7 * s, 0.3 * s, 0.5 * s, 0.0, 0.0, shape, &why);
        break;
    case BEAM:
        status = sg_shape_beam(0, 0.6 * s, 0.4 * s, 0.3 * s, 0.0, shape, &why);
        break;
    case CAPSULE:
        status = sg_shape_capsule(2, 0.3 * s, 0.7 * s, shape, &why);
        break;
    case TETRAHEDRON:
        status = make_mesh(tetrahedron, 4, s, &m->mesh[i], shape, &why);
        break;
    default:
        status = make_mesh(wedge, 6, s, &m->mesh[i], shape, &why);
        break;
    }
    SG_CHECK_MSG(status == SG_OK, "%s: %s", name_of[kind], why);
    SG_CHECK(sg_area_body_init(&m->body[i], shape, &m->arena) == SG_OK);
}

static double distance(meeting *m)
{
    SG_CHECK(sg_signed_distance(&m->shape[0], &m->pose[0], &m->shape[1], &m->pose[1], &m->options,
                                NULL, m->distance, &m->touch) == SG_OK);
    return m->touch.delta;
}

// Any way round, or with an axis nearly along one of the other.
static sg_mat3 turn_somehow(sg_rng *rng, bool nearly, bool flush)
{
    if (!nearly)
        return sg_rng_rotation(rng);
    double angle[3], hair = pow(10.0, sg_rng_uniform(rng, -9.0, -1.0));
    for (int i = 0; i < 3; i++)
        angle[i] =
            0.5 * PI * floor(sg_rng_uniform(rng, 0.0, 4.0)) + hair * sg_rng_uniform(rng, -1, 1);
    sg_mat3 a = rot_1(angle[0]), b = rot_2(angle[1]),
            c = rot_3(flush ? angle[2] : sg_rng_uniform(rng, 0.0, 2.0 * PI));
    sg_mat3 ab = m3_mul(a, b);
    return m3_mul(ab, c);
}

// Puts the second body above `beside`, so that it is so deep in the first.
static void lift(meeting *m, sg_vec3 beside, double most, double depth)
{
    double lo = 0.0, hi = most;
    for (int i = 0; i < 60; i++) {
        double mid = 0.5 * (lo + hi);
        m->pose[1].r = v3_add(beside, v3_make(0, 0, mid));
        if (distance(m) < -depth)
            lo = mid;
        else
            hi = mid;
    }
    distance(m);
}

static void put_so_deep(meeting *m, sg_rng *rng, bool nearly, double aside, double depth)
{
    double size = m->shape[0].bound + m->shape[1].bound;
    sg_vec3 beside;
    do {
        for (int i = 0; i < 2; i++)
            m->pose[i] = (sg_pose){turn_somehow(rng, nearly, aside < 0.1), V3_ZERO};
        beside = v3_make(sg_rng_uniform(rng, -1, 1), sg_rng_uniform(rng, -1, 1), 0.0);
        beside = v3_add(v3_scale(beside, aside * size), v3_make(0, 0, 0.01 * size));
        m->pose[1].r = beside;
    } while (distance(m) > -depth);
    lift(m, beside, 2.0 * size, depth);
}

// How far the force of a random pose is off, in parts of it.
static double off_by(meeting *m, int angles, double *force, double *summed)
{
    const sg_distance_result *t = &m->touch;
    sg_vec3 middle = v3_scale(v3_add(t->a, t->b), 0.5);
    sg_area_touch touch = {-t->delta, t->n, middle};
    sg_area_place place[2];
    sg_area_patch patch;
    for (int i = 0; i < 2; i++) {
        m->frame[i] = sg_shape_frame(&m->shape[i], &m->pose[i]);
        place[i] = (sg_area_place){.body = &m->body[i], .frame = m->frame[i], .at = m->pose[i].r};
    }
    m->n = t->n;
    m->origin = middle;
    m->e[0] = v3_perpendicular(t->n);
    m->e[1] = v3_cross(t->n, m->e[0]);
    bool presses = sg_area_press(m->work, &m->law, place, &touch, &patch);
    *force = presses ? v3_dot(patch.force, t->n) : 0.0;
    // Any line within the overlap will do to begin with; that of the touch may run along its
    // border.
    if (presses)
        m->origin = v3_add(patch.origin, patch.center);
    *summed = sum_over_lines(m, angles);
    return fabs(*force / *summed - 1.0);
}

static void meet(meeting *m, int kind_a, double size_a, int kind_b, double size_b)
{
    make(m, 0, kind_a, size_a);
    make(m, 1, kind_b, size_b);
    for (int k = 0; k < 2; k++)
        m->law.kappa[k] = 2.7e11 / m->body[k].thickness;
}

static meeting begin(void)
{
    meeting m = {.law = {.loss = 0.0, .v_min = 1e-3}, .options = sg_distance_options_make()};
    sg_arena_init(&m.arena, sg_allocator_default());
    m.work = SG_NEW(&m.arena, sg_area_work);
    m.distance = SG_NEW(&m.arena, sg_distance_work);
    SG_CHECK(sg_area_work_init(m.work, 100, &m.arena) == SG_OK);
    return m;
}

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

static int asked_for(const char *name, int usual)
{
    const char *text = getenv(name);
    return text ? atoi(text) : usual;
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
