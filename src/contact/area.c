#include "contact/area.h"

#include "collide/support.h"

#include <float.h>
#include <stdlib.h>

// Planes of a round side: TANGENTS of them, STEPS from the middle to where the overlap ends. What
// they stand out of the circle is 1/STEPS^2 of the depth at most and on the average balanced.
enum { TANGENTS = 11, STEPS = 4 };

sg_status sg_area_work_init(sg_area_work *work, int planes, sg_arena *arena)
{
    for (int i = 0; i < 2; i++) {
        work->room[i] = planes + 2 * TANGENTS;
        work->face[i] = SG_NEW_ARRAY(arena, sg_area_face, work->room[i]);
        work->n[i] = 0;
    }
    work->n_points = 0;
    return arena->failed ? SG_ERR_MEMORY : SG_OK;
}

// How far a body reaches in the direction n of the world, from the origin.
static double reach(const sg_area_place *p, sg_vec3 n, sg_vec3 origin)
{
    uint32_t piece;
    sg_vec3 local = pose_inverse_vector(&p->frame, n);
    sg_vec3 x = sg_support(p->body->shape, local, UINT32_MAX, &piece);
    return v3_dot(n, v3_sub(pose_point(&p->frame, x), origin)) + p->body->shape->radius;
}

// Faces that are nowhere in the other body deeper than the two overlap: others cannot be nearest.
static void take_planes(sg_area_work *work, int which, const sg_area_place place[2], double depth,
                        sg_vec3 origin)
{
    const sg_area_place *own = &place[which], *other = &place[1 - which];
    const sg_area_body *body = own->body;
    const sg_shape *shape = other->body->shape;
    sg_vec3 shift = v3_sub(own->frame.r, origin);
    sg_vec3 middle = v3_sub(pose_point(&other->frame, shape->centroid), origin);
    double slack = 1.0 + 1e-6;
    int plane = -1;
    bool active = false;
    sg_area_face f = {.side = -1};
    for (int i = 0; i < body->n_cells; i++) {
        const sg_area_cell *cell = &body->cell[i];
        if (cell->plane != plane) {
            plane = cell->plane;
            f.n = pose_vector(&own->frame, body->plane[plane].n);
            f.o = body->plane[plane].o + v3_dot(f.n, shift);
            double least = f.o - v3_dot(f.n, middle) - shape->bound;
            active = least <= slack * depth && f.o - reach(other, f.n, origin) <= slack * depth;
        }
        f.cell = cell;
        if (active && work->n[which] < work->room[which])
            work->face[which][work->n[which]++] = f;
    }
}

// The direction, across the axis of a round side, in which it is touched.
static sg_vec3 facing(const sg_area_side *s, const sg_area_place *p, const sg_area_touch *touch,
                      double sign)
{
    sg_vec3 n = v3_scale(pose_inverse_vector(&p->frame, touch->n), sign);
    sg_vec3 x = v3_sub(pose_inverse_point(&p->frame, touch->point), s->at);
    sg_vec3 across = v3_add_scaled(n, s->u, -v3_dot(n, s->u));
    if (v3_norm(across) > 0.3)
        return v3_unit(across);
    across = v3_add_scaled(x, s->u, -v3_dot(x, s->u));
    return v3_norm(across) > 0.3 * s->r ? v3_unit(across) : v3_perpendicular(s->u);
}

// Touched along its axis, a round side matters to the force by the square of this at most.
static const double end_on = 1e-4;

static void take_sides(sg_area_work *work, int which, const sg_area_place place[2],
                       const sg_area_touch *touch, sg_vec3 origin)
{
    const sg_area_place *own = &place[which];
    sg_vec3 shift = v3_sub(own->frame.r, origin);
    for (int k = 0; k < own->body->n_sides; k++) {
        const sg_area_side *s = &own->body->side[k];
        if (v3_norm(v3_cross(touch->n, pose_vector(&own->frame, s->u))) < end_on)
            continue;
        sg_vec3 e1 = facing(s, own, touch, which == 0 ? 1.0 : -1.0), e2 = v3_cross(s->u, e1);
        if (v3_norm2(s->half) > 0.0 && v3_dot(e1, s->half) < -0.05)
            continue;
        double y = v3_dot(v3_sub(pose_inverse_point(&own->frame, touch->point), s->at), s->u);
        double r = fmax(s->r + s->slope * y, 1e-6 * s->r) / s->c;
        double wide = fmin(0.8, fmax(1e-6, sqrt(2.0 * touch->depth / r))), step = wide / STEPS;
        double out = s->c * r * step * step / 24.0;
        for (int i = 0; i < TANGENTS && work->n[which] < work->room[which]; i++) {
            double angle = step * (i - 0.5 * (TANGENTS - 1));
            sg_vec3 e = v3_add(v3_scale(e1, cos(angle)), v3_scale(e2, sin(angle)));
            sg_vec3 n = v3_scale(v3_add_scaled(e, s->u, -s->slope), s->c);
            double o = s->c * s->r + v3_dot(n, s->at) - out;
            n = pose_vector(&own->frame, n);
            work->face[which][work->n[which]++] =
                (sg_area_face){.n = n, .o = o + v3_dot(n, shift), .side = k};
        }
    }
}

// Cuts to where face i is the nearest of its body.
static bool cut_to_cell(const sg_area_work *work, int which, int i, const sg_area_place *p,
                        sg_vec3 origin, sg_polygon *polygon)
{
    const sg_area_face *face = work->face[which], *own = &face[i];
    sg_vec3 shift = v3_sub(p->frame.r, origin);
    if (own->cell)
        for (int k = 0; k < own->cell->n_cuts; k++) {
            sg_vec3 n = pose_vector(&p->frame, own->cell->cut[k].n);
            if (!sg_polygon_cut(polygon, n, own->cell->cut[k].o + v3_dot(n, shift)))
                return false;
        }
    else if (v3_norm2(p->body->side[own->side].half) > 0.0) {
        const sg_area_side *s = &p->body->side[own->side];
        sg_vec3 n = v3_neg(pose_vector(&p->frame, s->half));
        if (!sg_polygon_cut(polygon, n, -v3_dot(s->half, s->at) + v3_dot(n, shift)))
            return false;
    }
    for (int k = 0; k < work->n[which]; k++) {
        const sg_area_face *other = &face[k];
        bool same_plane = own->cell && other->cell && own->cell->plane == other->cell->plane;
        bool beside = !own->cell && !other->cell && own->side == other->side && abs(k - i) == 1;
        bool rim = own->cell && !other->cell; // that of the side itself is exact
        if (k == i || same_plane || rim || (!own->cell && !other->cell && !beside))
            continue;
        if (!sg_polygon_cut(polygon, v3_sub(other->n, own->n), other->o - own->o))
            return false;
    }
    return true;
}

// The rim that bounds a face, on the side where it is less deep than the round side.
static int take_rim(const sg_area_face *face, const sg_area_place *p, sg_vec3 origin, sg_rim *out)
{
    if (!face->cell || face->cell->side < 0)
        return 0;
    const sg_area_side *s = &p->body->side[face->cell->side];
    sg_vec3 u = pose_vector(&p->frame, s->u);
    sg_vec3 at = v3_sub(pose_point(&p->frame, s->at), origin);
    // rho <= r + slope y - d / c
    *out = (sg_rim){.at = at,
                    .u = u,
                    .slope = v3_add_scaled(v3_scale(u, s->slope), face->n, 1.0 / s->c),
                    .level = s->r - s->slope * v3_dot(u, at) - face->o / s->c};
    return 1;
}

typedef struct pressing {
    sg_area_work *work;
    const sg_area_law *law;
    const sg_area_place *place;
    sg_area_patch *out;
    double least;   // pressure that rounding makes [Pa]; it is added where directions are measured
    double weight;  // sum of p,
    sg_vec3 moment; // of p x
    sg_vec3 facing; // and of p n, all with `least`
    double deepest; // that anything is [m]
    sg_vec3 v, w;   // how A moves against B at the origin
} pressing;

static void add_points(pressing *s, const sg_area_face *a, sg_vec3 m, int n)
{
    sg_area_work *work = s->work;
    sg_area_patch *out = s->out;
    const sg_area_law *law = s->law;
    double k = law->kappa[0] * law->kappa[1] / (law->kappa[0] + law->kappa[1]);
    // The speed of approach is v m + x (m x w).
    double closing = v3_dot(s->v, m), still = law->still * law->still, sum = 0.0;
    sg_vec3 turn = v3_cross(m, s->w), moment = V3_ZERO, first = V3_ZERO;
    double area = 0.0;
    for (int i = 0; i < n; i++) {
        sg_vec3 x = work->point[i].x;
        double w = work->point[i].w;
        double p = law->kappa[0] * (a->o - v3_dot(a->n, x));
        double v = closing + v3_dot(turn, x);
        p = p > 0.0 ? p : 0.0;
        double more = law->loss * p * v / sqrt(v * v + still);
        out->stored += 0.5 * w * p * p / k;
        out->damped += w * more * v;
        area += w;
        p += more;
        out->peak = p > out->peak ? p : out->peak;
        sum += w * p;
        moment = v3_add_scaled(moment, x, w * p);
        first = v3_add_scaled(first, x, w);
        if (work->n_points < SG_AREA_POINTS) {
            work->at[work->n_points].x = x;
            work->at[work->n_points].w = w;
            work->at[work->n_points++].wp = w * (p + s->least);
        }
    }
    out->pressing += sum;
    out->force = v3_add_scaled(out->force, m, sum);
    out->torque = v3_add(out->torque, v3_cross(moment, m));
    out->area += area;
    s->weight += sum + s->least * area;
    s->facing = v3_add_scaled(s->facing, m, sum + s->least * area);
    s->moment = v3_add(s->moment, v3_add_scaled(moment, first, s->least));
}

static inline double s_max0(double x) { return x > 0.0 ? x : 0.0; }

// The piece of the surface where face i of A and face j of B press equally.
static void meet(pressing *s, int i, int j, double size)
{
    const sg_area_face *a = &s->work->face[0][i], *b = &s->work->face[1][j];
    const double *kappa = s->law->kappa;
    sg_vec3 origin = s->out->origin;
    sg_vec3 m = v3_sub(v3_scale(a->n, kappa[0]), v3_scale(b->n, kappa[1]));
    double length = v3_norm(m);
    if (length < 1e-6 * (kappa[0] + kappa[1]))
        return; // they look the same way
    double d = (kappa[0] * a->o - kappa[1] * b->o) / length;
    if (fabs(d) >= size)
        return;
    sg_polygon polygon;
    sg_rim rim[SG_REGION_RIMS];
    m = v3_scale(m, 1.0 / length);
    // Nowhere in the overlap is a body deeper than it.
    double along = v3_dot(a->n, m), depth = a->o - d * along;
    double wide = 1.5 * size * sqrt(s_max0(1.0 - along * along));
    if (depth - wide > s->deepest || depth + wide < 0.0)
        return;
    sg_polygon_square(v3_scale(m, d), m, 1.01 * size, &polygon);
    if (!sg_polygon_cut(&polygon, a->n, a->o) ||
        !sg_polygon_cut(&polygon, v3_neg(a->n), s->deepest - a->o) ||
        !cut_to_cell(s->work, 0, i, &s->place[0], origin, &polygon) ||
        !cut_to_cell(s->work, 1, j, &s->place[1], origin, &polygon))
        return;
    int n = take_rim(a, &s->place[0], origin, rim);
    n += take_rim(b, &s->place[1], origin, rim + n);
    add_points(s, a, m, sg_region_points(&polygon, m, rim, n, s->work->point));
}

// Principal axes of the mean squares aa, ab, bb along e1 and e2.
static void find_axes(sg_area_patch *out, sg_vec3 e1, sg_vec3 e2, double aa, double ab, double bb)
{
    double half = 0.5 * (aa - bb), apart = hypot(half, ab), mean = 0.5 * (aa + bb);
    double a = half >= 0.0 ? half + apart : ab, b = half >= 0.0 ? ab : apart - half;
    double norm = hypot(a, b);
    out->along = e1;
    if (norm > 0.0)
        out->along = v3_add(v3_scale(e1, a / norm), v3_scale(e2, b / norm));
    out->second[0] = mean + apart;
    out->second[1] = s_max0(mean - apart);
}

// What friction needs to know of the spread of pressure and area.
static void measure(pressing *s)
{
    sg_area_patch *out = s->out;
    out->center = v3_scale(s->moment, 1.0 / s->weight);
    out->n = v3_unit(s->facing);
    sg_vec3 e1 = v3_perpendicular(out->n), e2 = v3_cross(out->n, e1);
    double aa = 0.0, ab = 0.0, bb = 0.0;
    for (int i = 0; i < s->work->n_points; i++) {
        sg_vec3 x = v3_sub(s->work->at[i].x, out->center);
        double d2 = v3_norm2(x), wp = s->work->at[i].wp, a = v3_dot(x, e1), b = v3_dot(x, e2);
        out->arm += wp * sqrt(d2);
        out->spread += s->work->at[i].w * d2;
        aa += wp * a * a;
        ab += wp * a * b;
        bb += wp * b * b;
    }
    double p = 1.0 / s->weight;
    find_axes(out, e1, e2, p * aa, p * ab, p * bb);
    const double *kappa = s->law->kappa;
    out->stiffness = out->area * kappa[0] * kappa[1] / (kappa[0] + kappa[1]);
    out->arm /= s->weight;
    out->spread /= out->area;
}

static sg_vec3 velocity_at(const sg_area_place *p, sg_vec3 x)
{
    return v3_add(p->motion.v, v3_cross(p->motion.w, v3_sub(x, p->at)));
}

// Depths are differences of places, known to some roundings of them [m].
static double resolution(const sg_area_place place[2])
{
    double far = 0.0;
    for (int i = 0; i < 2; i++)
        far = fmax(far, v3_norm(place[i].frame.r) + place[i].body->shape->bound);
    return 8.0 * DBL_EPSILON * far;
}

bool sg_area_press(sg_area_work *work, const sg_area_law *law, const sg_area_place place[2],
                   const sg_area_touch *touch, sg_area_patch *out)
{
    const sg_shape *shape[2] = {place[0].body->shape, place[1].body->shape};
    int small = shape[0]->bound < shape[1]->bound ? 0 : 1;
    *out = (sg_area_patch){.n = touch->n};
    out->origin = pose_point(&place[small].frame, shape[small]->centroid);
    out->center = v3_sub(touch->point, out->origin);
    pressing s = {.work = work, .law = law, .place = place, .out = out};
    s.deepest = (1.0 + 1e-6) * touch->depth;
    s.least = law->kappa[0] * law->kappa[1] / (law->kappa[0] + law->kappa[1]) * resolution(place);
    s.w = v3_sub(place[0].motion.w, place[1].motion.w);
    s.v = v3_sub(velocity_at(&place[0], out->origin), velocity_at(&place[1], out->origin));
    work->n[0] = work->n[1] = work->n_points = 0;
    if (!(touch->depth > 0.0))
        return false;
    for (int i = 0; i < 2; i++) {
        take_planes(work, i, place, touch->depth, out->origin);
        take_sides(work, i, place, touch, out->origin);
    }
    for (int i = 0; i < work->n[0]; i++)
        for (int j = 0; j < work->n[1]; j++)
            meet(&s, i, j, shape[small]->bound);
    if (!(out->pressing > 0.0))
        return false;
    measure(&s);
    return true;
}
