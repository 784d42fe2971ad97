// Sums over lines, for tests of the forces of areas.
//
// By its energy, min(p_A, p_B) over the overlap, a force along n is the integral of what B's
// pressure rises by along each line in the direction of n, where it is below A's: p at the end of
// such a part less p at its beginning. That takes nothing but the depth of a point below the
// surface of a body, so it is asked of shapes of all kinds and sizes in poses of all kinds.
#pragma once

#include "collide/distance.h"
#include "contact/area.h"
#include "harness/sg_test_math.h"
#include "math/rotation.h"

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

static inline double depth_below_side(const sg_area_side *s, bool round_ends, sg_vec3 x)
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

static inline double depth_in(const meeting *m, int which, sg_vec3 world)
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

static inline double pressure_on(const line *l, int which, double s)
{
    return l->m->law.kappa[which] * depth_in(l->m, which, v3_add_scaled(l->at, l->m->n, s));
}

static inline double least_on(const line *l, double s)
{
    return fmin(pressure_on(l, 0, s), pressure_on(l, 1, s));
}

// Where the smaller of both pressures, which is concave, is largest: by golden sections.
static inline double top_of(const line *l, double reach)
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
static inline double end_of(const line *l, double in, double out)
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
static inline double line_sum(const line *l, double reach, bool *meets)
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

static inline line line_at(const meeting *m, const chart *c, double x, double y)
{
    double u = c->middle[0] + c->a[0] * x + c->b[0] * y;
    double v = c->middle[1] + c->a[1] * x + c->b[1] * y;
    return (line){m, v3_add_scaled(v3_add_scaled(m->origin, m->e[0], u), m->e[1], v)};
}

static inline bool is_met(const meeting *m, const chart *c, double x, double y, double reach)
{
    line l = line_at(m, c, x, y);
    return least_on(&l, top_of(&l, reach)) > 0.0;
}

static inline double border(const meeting *m, const chart *c, double angle, double far,
                            double reach)
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
static inline void fit(const meeting *m, chart *c, double *far, double reach)
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

// What presses along n, and where: moments about the origin of the lines and distances from it,
// each over the force.
typedef struct lines_sum {
    double force, center[2], arm;
} lines_sum;

// What is sharp presses in a thin layer only, for which more rings are needed, too.
static inline lines_sum sum_over_lines(const meeting *m, int angles)
{
    static const double at[] = {0.02544604, 0.12923441, 0.29707742, 0.5,
                                0.70292258, 0.87076559, 0.97455396},
                        weight[] = {0.06474248, 0.13985270, 0.19091503, 0.20897959,
                                    0.19091503, 0.13985270, 0.06474248};
    int rings = angles <= 32 ? 4 : angles <= 128 ? 16 : 64;
    double size = fmin(m->shape[0].bound, m->shape[1].bound), far = 4.0;
    double reach = fmin(4.0 * size, 1e3 * -m->touch.delta + 1e-3 * size);
    lines_sum sum = {0.0, {0.0, 0.0}, 0.0};
    chart c = {{size, 0.0}, {0.0, size}, {0.0, 0.0}};
    for (int i = 0; i < 6; i++)
        fit(m, &c, &far, reach);
    double scale = fabs(c.a[0] * c.b[1] - c.a[1] * c.b[0]);
    for (int i = 0; i < angles; i++) {
        double angle = 2.0 * PI * (i + 0.5) / angles, r = border(m, &c, angle, far, reach);
        for (int k = 0; k < rings; k++)
            for (int g = 0; g < 7; g++) {
                bool meets;
                double x = r * (k + at[g]) / rings;
                line l = line_at(m, &c, x * cos(angle), x * sin(angle));
                double w = line_sum(&l, reach, &meets) * x * weight[g] * r / rings;
                sg_vec3 from = v3_sub(l.at, m->origin);
                sum.force += w;
                sum.center[0] += w * v3_dot(from, m->e[0]);
                sum.center[1] += w * v3_dot(from, m->e[1]);
                sum.arm += w * v3_norm(from);
            }
    }
    for (int i = 0; i < 2; i++)
        sum.center[i] /= sum.force;
    sum.arm /= sum.force;
    sum.force *= scale * 2.0 * PI / angles;
    return sum;
}

// ---- shapes ---------------------------------------------------------------------------------

enum { BOX, CYLINDER, CONE, FRUSTUM, BEAM, CAPSULE, TETRAHEDRON, WEDGE, N_SHAPES };
static const char *const name_of[N_SHAPES] = {"box",  "cylinder", "cone",        "frustum",
                                              "beam", "capsule",  "tetrahedron", "wedge"};

static inline sg_status make_mesh(const double (*corner)[3], size_t n, const double s[3],
                                  sg_mesh *mesh, sg_shape *out, const char **why)
{
    sg_vec3 point[8];
    for (size_t i = 0; i < n; i++)
        point[i] = v3_make(s[0] * corner[i][0], s[1] * corner[i][1], s[2] * corner[i][2]);
    sg_status status = sg_mesh_hull(sg_allocator_default(), point, n, mesh, why);
    return status ? status : sg_shape_mesh(mesh, out, why);
}

// s along each axis; what is round is s[0] wide.
static inline void make(meeting *m, int i, int kind, const double s[3])
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
        status = sg_shape_box(v3_make(s[0], 0.7 * s[1], 0.4 * s[2]), 0.0, shape, &why);
        break;
    case CYLINDER:
        status = sg_shape_cylinder(2, 0.6 * s[0], 0.9 * s[2], 0.0, shape, &why);
        break;
    case CONE:
        status = sg_shape_cone(2, 0.7 * s[0], 0.0, 0.8 * s[2], 0.0, 0.0, shape, &why);
        break;
    case FRUSTUM:
        status = sg_shape_cone(2, 0.7 * s[0], 0.3 * s[0], 0.5 * s[2], 0.0, 0.0, shape, &why);
        break;
    case BEAM:
        status = sg_shape_beam(0, 0.6 * s[0], 0.4 * s[1], 0.3 * s[2], 0.0, shape, &why);
        break;
    case CAPSULE:
        status = sg_shape_capsule(2, 0.3 * s[0], 0.7 * s[2], shape, &why);
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

static inline double distance(meeting *m)
{
    SG_CHECK(sg_signed_distance(&m->shape[0], &m->pose[0], &m->shape[1], &m->pose[1], &m->options,
                                NULL, m->distance, &m->touch) == SG_OK);
    return m->touch.delta;
}

// Any way round, or with an axis nearly along one of the other.
static inline sg_mat3 turn_somehow(sg_rng *rng, bool nearly, bool flush)
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
static inline void lift(meeting *m, sg_vec3 beside, double most, double depth)
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

static inline void put_so_deep(meeting *m, sg_rng *rng, bool nearly, double aside, double depth)
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

// How the two press on each other, and the lines put up to say so, too.
static inline bool press(meeting *m, sg_area_patch *patch)
{
    const sg_distance_result *t = &m->touch;
    sg_vec3 middle = v3_scale(v3_add(t->a, t->b), 0.5);
    sg_area_touch touch = {-t->delta, t->n, middle};
    sg_area_place place[2];
    for (int i = 0; i < 2; i++) {
        m->frame[i] = sg_shape_frame(&m->shape[i], &m->pose[i]);
        place[i] = (sg_area_place){.body = &m->body[i], .frame = m->frame[i], .at = m->pose[i].r};
    }
    m->n = t->n;
    m->e[0] = v3_perpendicular(t->n);
    m->e[1] = v3_cross(t->n, m->e[0]);
    bool presses = sg_area_press(m->work, &m->law, place, &touch, patch);
    // Any line within the overlap will do to begin with; that of the touch may run along its
    // border.
    m->origin = presses ? v3_add(patch->origin, patch->center) : middle;
    return presses;
}

// How far the force of a random pose is off, in parts of it.
static inline double off_by(meeting *m, int angles, double *force, double *summed)
{
    sg_area_patch patch;
    *force = press(m, &patch) ? v3_dot(patch.force, m->n) : 0.0;
    *summed = sum_over_lines(m, angles).force;
    return fabs(*force / *summed - 1.0);
}

static inline void meet(meeting *m, int kind_a, double size_a, int kind_b, double size_b)
{
    make(m, 0, kind_a, (double[]){size_a, size_a, size_a});
    make(m, 1, kind_b, (double[]){size_b, size_b, size_b});
    for (int k = 0; k < 2; k++)
        m->law.kappa[k] = 2.7e11 / m->body[k].thickness;
}

static inline meeting begin(void)
{
    meeting m = {.law = {.loss = 0.0, .v_min = 1e-3}, .options = sg_distance_options_make()};
    sg_arena_init(&m.arena, sg_allocator_default());
    m.work = SG_NEW(&m.arena, sg_area_work);
    m.distance = SG_NEW(&m.arena, sg_distance_work);
    SG_CHECK(sg_area_work_init(m.work, 100, &m.arena) == SG_OK);
    return m;
}

static inline int asked_for(const char *name, int usual)
{
    const char *text = getenv(name);
    return text ? atoi(text) : usual;
}
