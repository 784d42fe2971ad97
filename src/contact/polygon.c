#include "contact/polygon.h"

#include "math/scalar.h"

#include <float.h>
#include <limits.h>
#include <math.h>

// Below this, products of unit vectors are rounding, and areas as a share of an edge squared.
static const double rounding = 5e3 * DBL_EPSILON;
// A point is no corner, nor inside of them, if the square of its distance is this part of theirs:
// that of `rounding` would do.
static const double beyond = 1.0 + 1e-6;
// Planes whose normals' product is less are seen from the side.
static const double from_the_side = 1e-3;
// Speeds below this have no direction [m/s].
static const double no_speed = 1e-37;

// What became of a face of the base.
typedef enum polygon_status { UNTOUCHED, PRESSED, INVALID } polygon_status;

struct sg_polygon_element {
    polygon_status status;
    double depth;
};

// As E sees them in one search.
struct sg_polygon_seen_box {
    double lo[3], hi[3];
    uint64_t at;
};
struct sg_polygon_seen_face {
    sg_polygon_face face;    // its corners are found when it is looked at closely: most are not
    uint64_t at, corners_at; // the searches of both
};

double sg_polygon_layer(double young, double poisson, double depth)
{
    if (!(young > 0.0) || !(depth > 0.0))
        return 0.0;
    return (1.0 - poisson) / ((1.0 + poisson) * (1.0 - 2.0 * poisson)) * young / depth;
}

// Faces are kept as near that are so far apart, in lengths of a face: at most, and at least. Within
// that the margin is doubled where pairs last for few evaluations and halved where they last for
// many; looking for them takes as long as looking at them some ten times.
static const double margin_of_length = 0.25, least_margin = 1.0 / 1024.0;
enum { FEW_USES = 25, MANY_USES = 100 };
// Room for so many pairs a face of the base, and a few for surfaces of few faces. Where there are
// more, the trees are walked as often as this before there is another try.
enum { PAIRS_OF_FACE = 16, SOME_PAIRS = 4096, WAIT = 64 };

// The length of a typical face.
static double length_of(const sg_polygon_surface *s)
{
    double area = 0.0;
    for (int i = 0; i < s->n; i++)
        area += s->face[i].area;
    return sqrt(area / s->n);
}

static void near_init(sg_polygon_near *near, int n_base, double length, sg_arena *arena)
{
    int most = n_base < INT_MAX / PAIRS_OF_FACE / 8 ? PAIRS_OF_FACE * n_base + SOME_PAIRS : n_base;
    *near = (sg_polygon_near){.margin = margin_of_length * length,
                              .length = length,
                              .most = most,
                              .base = SG_NEW_ARRAY(arena, int, most),
                              .target = SG_NEW_ARRAY(arena, int, most),
                              .found = SG_NEW_ARRAY(arena, int, 2 * (size_t)most),
                              .start = SG_NEW_ARRAY(arena, int, n_base + 1)};
}

bool sg_polygon_work_init(sg_polygon_work *w, const sg_polygon_surface *e,
                          const sg_polygon_surface *f, sg_arena *arena)
{
    int n = e->n > f->n ? e->n : f->n;
    int deep_e = e->faces.depth > e->lines.depth ? e->faces.depth : e->lines.depth;
    int deep_f = f->faces.depth > f->lines.depth ? f->faces.depth : f->lines.depth;
    w->element = SG_NEW_ARRAY(arena, sg_polygon_element, n);
    // A pair leaves at most three behind itself on the way down either tree.
    w->pair = SG_NEW_ARRAY(arena, int, 2 * (3 * (deep_e + deep_f) + 4));
    w->box = SG_NEW_ARRAY(arena, sg_polygon_seen_box, 2 * f->n);
    w->face = SG_NEW_ARRAY(arena, sg_polygon_seen_face, f->n);
    double length = s_min(length_of(e), length_of(f));
    near_init(&w->near[0], e->n, length, arena);
    near_init(&w->near[1], f->n, length, arena);
    w->now = 0;
    for (int i = 0; w->box && i < 2 * f->n; i++)
        w->box[i].at = 0;
    for (int i = 0; w->face && i < f->n; i++)
        w->face[i].at = w->face[i].corners_at = 0;
    return !arena->failed;
}

// ---- who meets whom -------------------------------------------------------------------------

// One of the two directions: faces of a base against those of a target.
typedef struct polygon_search {
    const sg_polygon_surface *e, *f;
    const sg_polygon_motion *motion;
    double largest;
    bool base_is_e;
    sg_polygon_work *work;
    sg_polygon_patch *out;
    sg_polygon_near *near; // pairs go here instead of being looked at; or null
} polygon_search;

static void turn_box(const sg_polygon_box *f, const sg_polygon_motion *m, sg_polygon_seen_box *out)
{
    for (int i = 0; i < 3; i++) {
        double lo = v3_get(m->r, i), hi = lo;
        for (int j = 0; j < 3; j++) {
            double a = m->A.m[i][j], x = a * v3_get(f->lo, j), y = a * v3_get(f->hi, j);
            lo += a >= 0.0 ? x : y;
            hi += a >= 0.0 ? y : x;
        }
        out->lo[i] = lo;
        out->hi[i] = hi;
    }
}

// Boxes of E and F, the latter by its place in the tree.
static bool overlap(const polygon_search *s, const sg_polygon_box *e, const sg_polygon_box *f,
                    int at)
{
    sg_polygon_seen_box *seen = &s->work->box[at];
    if (seen->at != s->work->now) {
        turn_box(f, s->motion, seen);
        seen->at = s->work->now;
    }
    double margin = s->near ? s->near->margin : 0.0;
    for (int i = 0; i < 3; i++)
        if (!(seen->lo[i] < v3_get(e->hi, i) + margin && seen->hi[i] > v3_get(e->lo, i) - margin))
            return false;
    return true;
}

static sg_vec3 point_in_e(const sg_polygon_motion *m, sg_vec3 x)
{
    return v3_add(m->r, m3_mul_v(&m->A, x));
}

// A face of F as E sees it, but for its corners.
static const sg_polygon_face *in_e(const polygon_search *s, int i)
{
    sg_polygon_seen_face *seen = &s->work->face[i];
    if (seen->at != s->work->now) {
        const sg_polygon_face *face = &s->f->face[i];
        seen->face.area = face->area;
        seen->face.reach = face->reach;
        seen->face.normal = m3_mul_v(&s->motion->A, face->normal);
        seen->face.center = point_in_e(s->motion, face->center);
        seen->at = s->work->now;
    }
    return &seen->face;
}

static void find_corners(const polygon_search *s, int i)
{
    sg_polygon_seen_face *seen = &s->work->face[i];
    if (seen->corners_at == s->work->now)
        return;
    for (int k = 0; k < 3; k++)
        seen->face.corner[k] = point_in_e(s->motion, s->f->face[i].corner[k]);
    sg_polygon_face_axes(&seen->face);
    seen->corners_at = s->work->now;
}

// Whether the line through the center of the base along its normal goes through the target.
static bool is_above(const sg_polygon_face *base, const sg_polygon_face *target, bool same_side)
{
    double x[3], y[3];
    for (int k = 0; k < 3; k++) {
        sg_vec3 d = v3_sub(target->corner[k], base->center);
        x[k] = v3_dot(base->e1, d);
        y[k] = v3_dot(base->e2, d);
    }
    for (int k = 0; k < 3; k++) {
        int next = same_side ? (k + 1) % 3 : (k + 2) % 3;
        double dx = x[next] - x[k], dy = y[next] - y[k];
        if (!(dy * x[k] - dx * y[k] >= -rounding * (dx * dx + dy * dy)))
            return false;
    }
    return true;
}

static void meet(const polygon_search *s, int face_e, int face_f, sg_polygon_element *element)
{
    const sg_polygon_face *e = &s->e->face[face_e], *f = in_e(s, face_f);
    const sg_polygon_face *base = s->base_is_e ? e : f, *target = s->base_is_e ? f : e;
    double along = v3_dot(target->normal, base->normal);
    s->out->n_faces++;
    if (!(fabs(along) > rounding))
        return;
    sg_vec3 apart = v3_sub(base->center, target->center);
    double above = v3_dot(target->normal, apart);
    if (!(above * along > 0.0) || fabs(above) > beyond * s->largest * fabs(along))
        return;
    double depth = above / along;
    if (!(depth > 0.0 && depth <= s->largest))
        return;
    // Most lines pass far from the triangle, which needs no corners.
    sg_vec3 beside = v3_add_scaled(apart, base->normal, -depth);
    if (v3_dot(beside, beside) > beyond * target->reach * target->reach)
        return;
    find_corners(s, face_f);
    if (!is_above(base, target, along > 0.0))
        return;
    s->out->n_hits++;
    if (element->status == UNTOUCHED || depth < element->depth)
        *element = (sg_polygon_element){along < 0.0 ? PRESSED : INVALID, depth};
}

// Can the line of a base face come to a target while nothing moves by more than the margin? Where
// it hits, it is within reach of the center.
static bool is_in_reach(const polygon_search *s, const sg_polygon_face *base,
                        const sg_polygon_face *target)
{
    sg_vec3 apart = v3_sub(target->center, base->center);
    double along = s_min(s_max(-v3_dot(apart, base->normal), 0.0), s->largest);
    double reach = target->reach + s->near->margin;
    sg_vec3 beside = v3_add_scaled(apart, base->normal, along);
    return v3_dot(beside, beside) <= beyond * reach * reach;
}

// ... nor are both of its ends on one side of the target,
static bool goes_through_plane(const polygon_search *s, const sg_polygon_face *base,
                               const sg_polygon_face *target)
{
    double margin = beyond * s->near->margin;
    double begin = v3_dot(target->normal, v3_sub(base->center, target->center));
    double end = begin - s->largest * v3_dot(target->normal, base->normal);
    return s_min(begin, end) <= margin && s_max(begin, end) >= -margin;
}

// ... nor is it outside of an edge, seen along the line. Triangles that are seen from the side have
// no outside.
static bool is_inside_of_edges(const polygon_search *s, const sg_polygon_face *base,
                               const sg_polygon_face *target)
{
    double along = v3_dot(target->normal, base->normal);
    double margin = beyond * s->near->margin;
    for (int k = 0; k < 3 && fabs(along) > from_the_side; k++) {
        sg_vec3 a = v3_sub(target->corner[k], base->center);
        sg_vec3 b = v3_sub(target->corner[(k + 1) % 3], base->center);
        double inside = copysign(1.0, along) * v3_dot(base->normal, v3_cross(a, b));
        if (inside < -margin * v3_norm(v3_sub(b, a)))
            return false;
    }
    return true;
}

static void note(const polygon_search *s, int face_e, int face_f)
{
    sg_polygon_near *near = s->near;
    const sg_polygon_face *e = &s->e->face[face_e], *f = in_e(s, face_f);
    const sg_polygon_face *base = s->base_is_e ? e : f, *target = s->base_is_e ? f : e;
    if (!is_in_reach(s, base, target) || !goes_through_plane(s, base, target))
        return;
    find_corners(s, face_f);
    if (!is_inside_of_edges(s, base, target))
        return;
    if (near->n < near->most) {
        near->found[2 * near->n] = s->base_is_e ? face_e : face_f;
        near->found[2 * near->n + 1] = s->base_is_e ? face_f : face_e;
    }
    near->n++;
}

static void find(const polygon_search *s, int *pair)
{
    const sg_polygon_box *e = (s->base_is_e ? s->e->lines : s->e->faces).box;
    const sg_polygon_box *f = (s->base_is_e ? s->f->faces : s->f->lines).box;
    int n = 0;
    pair[0] = pair[1] = 0;
    for (n = 1; n > 0 && !(s->near && s->near->n > s->near->most);) {
        n--;
        const sg_polygon_box *x = &e[pair[2 * n]], *y = &f[pair[2 * n + 1]];
        int own[2] = {pair[2 * n], pair[2 * n + 1]};
        s->out->n_boxes++;
        if (!overlap(s, x, y, own[1]))
            continue;
        bool leaf_x = x->child[0] < 0, leaf_y = y->child[0] < 0;
        if (leaf_x && leaf_y) {
            if (s->near)
                note(s, x->face, y->face);
            else
                meet(s, x->face, y->face, &s->work->element[s->base_is_e ? x->face : y->face]);
            continue;
        }
        // From the last to the first, which is looked at next.
        for (int k = 3; k >= 0; k--) {
            if ((leaf_x && (k & 1)) || (leaf_y && (k & 2)))
                continue;
            pair[2 * n] = leaf_x ? own[0] : x->child[k & 1];
            pair[2 * n + 1] = leaf_y ? own[1] : y->child[k >> 1];
            n++;
        }
    }
}

// ---- forces ---------------------------------------------------------------------------------

// Force of one face on E, and what it adds to the sums.
static void press(const polygon_search *s, const sg_polygon_law *law, const sg_polygon_face *face,
                  double u, double *weight)
{
    const sg_polygon_motion *m = s->motion;
    sg_polygon_patch *out = s->out;
    sg_vec3 n = s->base_is_e ? v3_neg(face->normal) : face->normal;
    double yields = s->base_is_e ? law->ratio : 1.0 - law->ratio, area = face->area;
    sg_vec3 x = v3_add_scaled(face->center, face->normal, -yields * u), arm = v3_sub(x, m->r);
    sg_vec3 v = v3_add(m->v, v3_cross(m->w, arm));
    double vn = v3_dot(n, v);
    sg_vec3 vt = v3_add_scaled(v, n, -vn);
    double slide = v3_norm(vt), damping = vn > 0.0 ? law->compression : law->expansion;
    double fd = damping * area * vn * (u < law->transition ? u / law->transition : 1.0);
    double fn = law->stiffness * area * u + fd;
    if (!law->pulls)
        fn = s_max(fn, 0.0);
    double q = slide / law->friction_starts;
    double ft = law->friction * fn * (q < 1.0 ? q * (2.0 - q) : 1.0);
    sg_vec3 F = v3_scale(n, fn);
    if (slide > no_speed)
        F = v3_add_scaled(F, vt, ft / slide);
    else
        ft = 0.0;
    bool first = out->n_elements++ == 0;
    double size = v3_norm(F);
    out->area += area;
    out->mean_depth += area * u;
    out->most_depth = s_max(out->most_depth, u);
    out->mean_normal += area * vn;
    out->least_normal = first ? vn : s_min(out->least_normal, vn);
    out->most_normal = first ? vn : s_max(out->most_normal, vn);
    out->mean_tangential += area * slide;
    out->least_tangential = first ? slide : s_min(out->least_tangential, slide);
    out->most_tangential = s_max(out->most_tangential, slide);
    out->mean_pressure += fn;
    out->most_pressure = first ? fn / area : s_max(out->most_pressure, fn / area);
    out->mean_traction += ft;
    out->most_traction = first ? ft / area : s_max(out->most_traction, ft / area);
    out->position = v3_add_scaled(out->position, x, size);
    out->normal = v3_add_scaled(out->normal, n, size);
    *weight += size;
    out->force = v3_add(out->force, F);
    out->torque = v3_add(out->torque, v3_cross(arm, F));
    out->power += v3_dot(F, v);
}

// Sums to means.
static void finish(const sg_polygon_law *law, double weight, sg_polygon_patch *out)
{
    if (out->n_elements == 0) {
        *out = (sg_polygon_patch){0};
        return;
    }
    double per_area = 1.0 / out->area;
    double *means[] = {&out->mean_depth, &out->mean_normal, &out->mean_tangential,
                       &out->mean_pressure, &out->mean_traction};
    for (size_t i = 0; i < sizeof means / sizeof *means; i++)
        *means[i] *= per_area;
    double per_force = weight > 0.0 ? 1.0 / weight : 0.0;
    out->position = v3_scale(out->position, per_force);
    out->normal = v3_scale(out->normal, per_force);
    if (law->task != 1)
        return;
    // Both directions see the same patch.
    out->area *= 0.5;
    out->force = v3_scale(out->force, 0.5);
    out->torque = v3_scale(out->torque, 0.5);
    out->power *= 0.5;
}

// ---- pairs that are near --------------------------------------------------------------------

// How far any point of F, or of a line from its faces, is from where it was when pairs were found.
static double moved_since(const polygon_search *s, const sg_polygon_near *near)
{
    const sg_polygon_motion *m = s->motion;
    sg_mat3 turn = m3_sub(m->A, near->A);
    sg_vec3 shift = v3_add(v3_sub(m->r, near->r), m3_mul_v(&turn, s->f->middle));
    double sum = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum += turn.m[i][j] * turn.m[i][j];
    return v3_norm(shift) + sqrt(sum) * (s->f->radius + s->largest + near->margin);
}

// Into the order of base faces, pairs of one face as they were found.
static void sort_near(sg_polygon_near *near, int n_base)
{
    for (int i = 0; i <= n_base; i++)
        near->start[i] = 0;
    for (int k = 0; k < near->n; k++)
        near->start[near->found[2 * k] + 1]++;
    for (int i = 0; i < n_base; i++)
        near->start[i + 1] += near->start[i];
    for (int k = 0; k < near->n; k++) {
        int at = near->start[near->found[2 * k]]++;
        near->base[at] = near->found[2 * k];
        near->target[at] = near->found[2 * k + 1];
    }
}

static void fit_margin(sg_polygon_near *near)
{
    double part = near->uses < FEW_USES ? 2.0 : near->uses > MANY_USES ? 0.5 : 1.0;
    near->margin = s_min(margin_of_length * near->length,
                         s_max(least_margin * near->length, part * near->margin));
    near->uses = 0;
}

// Are all pairs that can meet known? Looks for them where bodies have moved too far.
static bool find_near(const polygon_search *s, sg_polygon_near *near)
{
    near->uses++;
    if (near->known && moved_since(s, near) < near->margin)
        return true;
    if (near->wait > 0) {
        near->wait--;
        return false;
    }
    polygon_search around = *s;
    around.near = near;
    fit_margin(near);
    near->n = 0;
    near->A = s->motion->A;
    near->r = s->motion->r;
    find(&around, s->work->pair);
    near->known = near->n <= near->most;
    near->wait = near->known ? 0 : WAIT;
    if (near->known)
        sort_near(near, (s->base_is_e ? s->e : s->f)->n);
    return near->known;
}

static void press_near(const polygon_search *s, const sg_polygon_law *law,
                       const sg_polygon_near *near, double *weight)
{
    for (int k = 0; k < near->n;) {
        int base = near->base[k];
        sg_polygon_element element = {UNTOUCHED, 0.0};
        for (; k < near->n && near->base[k] == base; k++)
            meet(s, s->base_is_e ? base : near->target[k], s->base_is_e ? near->target[k] : base,
                 &element);
        if (element.status == PRESSED)
            press(s, law, s->base_is_e ? &s->e->face[base] : in_e(s, base), element.depth, weight);
    }
}

// ---- all together ---------------------------------------------------------------------------

static void press_all(const polygon_search *s, const sg_polygon_law *law, double *weight)
{
    const sg_polygon_surface *base = s->base_is_e ? s->e : s->f;
    sg_polygon_work *work = s->work;
    for (int i = 0; i < base->n; i++)
        work->element[i].status = UNTOUCHED;
    find(s, work->pair);
    for (int i = 0; i < base->n; i++) {
        if (work->element[i].status != PRESSED)
            continue;
        press(s, law, s->base_is_e ? &base->face[i] : in_e(s, i), work->element[i].depth, weight);
    }
}

void sg_polygon_contact(const sg_polygon_surface *e, const sg_polygon_surface *f,
                        const sg_polygon_law *law, const sg_polygon_motion *motion, bool counts,
                        sg_polygon_work *work, sg_polygon_patch *out)
{
    double weight = 0.0;
    *out = (sg_polygon_patch){0};
    for (int turn = 0; turn < 2; turn++) {
        bool base_is_e = turn == 0;
        if (law->task == (base_is_e ? 3 : 2))
            continue;
        polygon_search s = {e, f, motion, law->largest, base_is_e, work, out, NULL};
        work->now++;
        if (!counts && find_near(&s, &work->near[turn]))
            press_near(&s, law, &work->near[turn], &weight);
        else
            press_all(&s, law, &weight);
    }
    finish(law, weight, out);
}
