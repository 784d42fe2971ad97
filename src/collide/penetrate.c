#include "collide/penetrate.h"

#include "collide/cap.h"
#include "collide/tip.h"
#include "math/scalar.h"

#include <float.h>

#define DESCENT_STEPS 40
#define VALLEYS_MAX SG_POLYTOPE_CAPS
// Corners of the polygon inside a cap's edge; a side that is too low is halved so often.
#define CORNERS 5
#define HALVINGS 2
// Expansions that a query spends on the next one's warm start.
#define PREPARE_EXPANSIONS 6
// Expansions of a polytope that was carried along; a fresh one is as good if it needs more.
#define CARRIED_EXPANSIONS 12

// Height of the ring's points above the minimum, as a share of the tolerance: the lower bound that
// they give is as far below it.
static const double ring_share = 0.25;
// Margin over the depth that is worth preparing, of the size.
static const double margin_of_size = 0.02;
// A cap of less reach than this is no better than a ring, one of more than the second is not
// surrounded (0.05 and 0.8 rad).
static const double least_reach = 0.025, most_reach = 0.4228;
// Tilt [rad] that makes a flat face answer with a point of its rim.
static const double rim_tilt = 1e-8;

typedef struct depth_search {
    double upper; // least support value found
    sg_vec3 n;
    sg_support_point point;
    bool has_point; // the valley's bottom gave the contact point; else the polytope will
    int best;       // index of the valley that holds it, -1 for none with a cap
    double bottom[VALLEYS_MAX]; // least support values in the caps
    double edge;                // least bound along the edges of all caps
    double margin;              // that edges should have over the bottom [m]
    sg_valley valley;
} depth_search;

// The bottom of a valley: the end of a descent, or the axis of a round flat face.
typedef struct valley_bottom {
    double h; // infinite if there is none
    sg_vec3 n;
    bool settled; // it is the bottom; else only on the way down
    int tip;      // which face, 0 for none
    sg_tip face;
    sg_descent descent;
} valley_bottom;

typedef struct arm { // a direction on the edge of a cap
    double x, y;     // of the tangent, unit
    sg_vec3 n, p;
} arm;

typedef struct hull_edge {
    sg_pair *pair;
    sg_polytope *polytope;
    sg_vec3 n, e1, e2;
    double c, s, enough;
} hull_edge;

static arm reach_out(const hull_edge *e, double x, double y)
{
    sg_vec3 n = v3_scale(e->n, e->c);
    n = v3_unit(v3_add_scaled(v3_add_scaled(n, e->e1, e->s * x), e->e2, e->s * y));
    sg_support_point w = sg_pair_support(e->pair, n);
    sg_polytope_include(e->polytope, &w);
    return (arm){x, y, n, w.p};
}

// Least value of h between two directions: that of the game with both support points as rows.
static double bound_side(const hull_edge *e, const arm *a, const arm *b, int halvings)
{
    double aa = v3_dot(a->p, a->n), ab = v3_dot(a->p, b->n);
    double ba = v3_dot(b->p, a->n), bb = v3_dot(b->p, b->n);
    double bound = s_max(s_min(aa, ab), s_min(ba, bb)), across = aa - ab + bb - ba;
    if (aa > ab && bb > ba)
        bound = s_max(bound, (aa * bb - ab * ba) / across);
    if (bound >= e->enough || halvings == 0)
        return bound;
    double x = a->x + b->x, y = a->y + b->y, l = sqrt(x * x + y * y);
    arm m = reach_out(e, x / l, y / l);
    return s_min(bound_side(e, a, &m, halvings - 1), bound_side(e, &m, b, halvings - 1));
}

// Surrounds the cap by support points of a polygon inside its edge. If h is high enough all along
// the polygon, faces with normals inside need no proof: a deeper direction outside would lead down
// to another face outside.
static bool surround(sg_pair *pair, sg_polytope *t, sg_vec3 n, double reach, depth_search *best)
{
    static const double corner[CORNERS][2] = {{1.0, 0.0},
                                              {0.30901699437494745, 0.95105651629515353},
                                              {-0.80901699437494745, 0.58778525229247314},
                                              {-0.80901699437494745, -0.58778525229247314},
                                              {0.30901699437494745, -0.95105651629515353}};
    if (t->ncaps == VALLEYS_MAX)
        return false;
    double f = 1.0 / (1.0 + reach * reach);
    hull_edge e = {.pair = pair, .polytope = t, .n = n};
    e.c = f * (1.0 - reach * reach);
    e.s = f * 2.0 * reach;
    e.e1 = v3_perpendicular(n);
    e.e2 = v3_cross(n, e.e1);
    e.enough = best->upper + best->margin;
    arm a[CORNERS];
    for (int i = 0; i < CORNERS; i++)
        a[i] = reach_out(&e, corner[i][0], corner[i][1]);
    double least = INFINITY;
    for (int i = 0; i < CORNERS && least >= best->upper; i++)
        least = s_min(least, bound_side(&e, &a[i], &a[(i + 1) % CORNERS], HALVINGS));
    if (!(least >= best->upper))
        return false;
    best->best = t->ncaps;
    best->bottom[t->ncaps] = best->upper;
    best->edge = s_min(best->edge, least);
    double inner = e.s / e.c * 0.80901699437494745; // the polygon holds a circle of this tangent
    sg_polytope_spare(t, n, 1.0 / sqrt(1.0 + inner * inner));
    return true;
}

// Principal values and directions of the descent's matrix.
static void principal(const double W[3], double value[2], double u[2][2])
{
    double mean = 0.5 * (W[0] + W[2]), half = 0.5 * (W[0] - W[2]);
    double r = sqrt(half * half + W[1] * W[1]);
    value[0] = mean - r;
    value[1] = mean + r;
    // Of the larger one: half the angle whose cosine is half / r, without cancellation.
    double c = r > 0.0 ? half / r : 1.0, x = sqrt(0.5 * (1.0 + fabs(c)));
    double y = r > 0.0 ? 0.5 * fabs(W[1]) / (r * x) : 0.0;
    u[1][0] = c >= 0.0 ? x : y;
    u[1][1] = copysign(c >= 0.0 ? y : x, W[1]);
    u[0][0] = -u[1][1];
    u[0][1] = u[1][0];
}

static void include_piece(sg_pair *pair, sg_polytope *t, const sg_descent *s, int j, double x,
                          double y)
{
    sg_vec3 n = v3_unit(v3_add_scaled(v3_add_scaled(s->n, s->e1, x), s->e2, y));
    sg_support_point w = sg_pair_piece(pair, s->piece[j].ia, s->piece[j].ib, n);
    sg_polytope_include(t, &w);
}

// The points that lift the polytope to within `height` of the minimum, where there is no cap.
static void include_ring(sg_pair *pair, sg_polytope *t, const sg_descent *s, double height)
{
    int active[SG_DESCENT_PIECES], k = 0;
    for (int j = 0; j < s->pieces; j++)
        if (s->mu[j] > 0.0)
            active[k++] = j;
    double value[2], u[2][2];
    principal(s->W, value, u);
    double floor = 1e-6 * pair->size; // nearly flat valleys: do not step too far
    if (k == 1) {
        double r0 = sqrt(2.0 * height / s_max(value[0], floor));
        double r1 = sqrt(2.0 * height / s_max(value[1], floor));
        static const double ring[3][2] = {
            {1.0, 0.0}, {-0.5, 0.8660254037844386}, {-0.5, -0.8660254037844386}};
        for (int i = 0; i < 3; i++) {
            double p = r0 * ring[i][0], q = r1 * ring[i][1];
            include_piece(pair, t, s, active[0], p * u[0][0] + q * u[1][0],
                          p * u[0][1] + q * u[1][1]);
        }
    } else if (k == 2) {
        sg_vec3 d = v3_sub(s->piece[active[0]].p, s->piece[active[1]].p);
        double x = -v3_dot(d, s->e2), y = v3_dot(d, s->e1), l = sqrt(x * x + y * y);
        if (!(l > 0.0))
            return;
        x /= l;
        y /= l;
        double curve = s->W[0] * x * x + 2.0 * s->W[1] * x * y + s->W[2] * y * y;
        double r = sqrt(2.0 * height / s_max(curve, floor));
        for (int i = 0; i < 4; i++)
            include_piece(pair, t, s, active[i / 2], i % 2 ? r * x : -r * x,
                          i % 2 ? r * y : -r * y);
    } else {
        for (int i = 0; i < k; i++)
            sg_polytope_include(t, &s->piece[active[i]]);
    }
}

static void note_answer(const sg_descent *s, sg_valley *v)
{
    v->last = s->n;
    v->pieces = 0;
    for (int j = 0; j < s->pieces && v->pieces < 3; j++)
        if (s->mu[j] > 0.0) {
            v->ia[v->pieces] = s->piece[j].ia;
            v->ib[v->pieces++] = s->piece[j].ib;
        }
}

static void go_down(sg_pair *pair, sg_vec3 n, const sg_support_point *known, int count,
                    valley_bottom *b, int *iterations)
{
    sg_descent *d = &b->descent;
    sg_descent_start(d, n);
    for (int i = 0; i < count; i++)
        sg_descent_add(d, &known[i]);
    b->settled = sg_descend(pair, d, DESCENT_STEPS);
    *iterations += d->steps;
    b->tip = 0;
    b->h = d->pieces > 0 ? d->h : (double)INFINITY;
    b->n = d->n;
}

static void go_to_tip(sg_pair *pair, int which, valley_bottom *b)
{
    sg_tip tip;
    if (!sg_tip_find(pair, which, &tip) || !(tip.h < b->h))
        return;
    b->h = tip.h;
    b->n = tip.n;
    b->settled = true;
    b->tip = which;
    b->face = tip;
}

// The bottom of the valley that n is in, or a flat face if one is lower.
static void find_bottom(sg_pair *pair, sg_vec3 n, const sg_support_point *known, int count,
                        valley_bottom *b, int *iterations)
{
    b->h = INFINITY;
    b->settled = false;
    if (pair->curved)
        go_down(pair, n, known, count, b, iterations);
    for (int which = 1; which <= SG_TIPS; which++)
        go_to_tip(pair, which, b);
}

static bool holds_up_to(const sg_pair *pair, const valley_bottom *b, double reach)
{
    return b->tip ? b->face.reach >= reach : sg_cap_holds(pair, &b->descent, reach);
}

// Near the bottom by a cap, farther away by a ball inside the difference: no support point is
// needed. That is enough for most shallow pairs, whose caps are wide.
static bool is_held_by_ball(const sg_pair *pair, const valley_bottom *b)
{
    double reach = sg_cap_beyond_ball(pair, b->n, b->h);
    return reach == 0.0 || (isfinite(reach) && holds_up_to(pair, b, reach));
}

static void note_bottom(const valley_bottom *b, sg_valley *v)
{
    *v = (sg_valley){.n = b->n, .last = b->n, .tip = b->tip};
    if (!b->tip)
        note_answer(&b->descent, v);
}

static void give_bottom(const sg_pair *pair, const valley_bottom *b, sg_penetration *out)
{
    out->depth = b->h;
    out->n = b->n;
    out->point = b->tip ? b->face.point : sg_descent_point(&b->descent);
    out->has_point = true;
    out->certified = true;
    out->gap = 4.0 * DBL_EPSILON * pair->size;
}

static void include_rim(sg_pair *pair, sg_polytope *t, sg_vec3 axis)
{
    sg_vec3 e1 = v3_perpendicular(axis), e2 = v3_cross(axis, e1);
    for (int i = 0; i < 4; i++) {
        double x = i < 2 ? rim_tilt : -rim_tilt, y = i % 2 ? rim_tilt : -rim_tilt;
        sg_vec3 n = v3_unit(v3_add_scaled(v3_add_scaled(axis, e1, x), e2, y));
        sg_support_point w = sg_pair_support(pair, n);
        sg_polytope_include(t, &w);
    }
}

// Takes a new least value over, and brings the polytope up to it there.
static void settle_in(sg_pair *pair, sg_polytope *t, const valley_bottom *b, double height,
                      depth_search *best)
{
    best->upper = b->h;
    best->n = b->n;
    best->has_point = b->settled;
    best->best = -1;
    best->valley.reach = 0.0;
    if (!b->settled) {
        sg_support_point w = sg_pair_support(pair, b->n);
        sg_polytope_include(t, &w);
        return;
    }
    best->point = b->tip ? b->face.point : sg_descent_point(&b->descent);
    note_bottom(b, &best->valley);
    double reach = b->tip ? s_min(b->face.reach, most_reach)
                          : sg_cap_reach(pair, &b->descent, most_reach, least_reach);
    if (reach >= least_reach && surround(pair, t, b->n, reach, best))
        best->valley.reach = reach;
    else if (b->tip)
        include_rim(pair, t, b->n);
    else
        include_ring(pair, t, &b->descent, height);
}

// From the normal of a face into the valley, if it is a new one.
static void enter_valley(sg_pair *pair, sg_polytope *t, const sg_polytope_face *near, sg_vec3 n,
                         double height, depth_search *best, int *iterations)
{
    valley_bottom b;
    const sg_support_point known[3] = {t->v[near->v[0]], t->v[near->v[1]], t->v[near->v[2]]};
    go_down(pair, n, known, 3, &b, iterations);
    bool point = b.settled && !best->has_point && b.h <= best->upper + t->noise;
    if (b.h < best->upper || point)
        settle_in(pair, t, &b, height, best);
}

// Expands the nearest face until it is as far out as the least support value.
static void expand(sg_pair *pair, sg_polytope *t, depth_search *best,
                   const sg_penetrate_limits *limits, sg_penetration *out)
{
    double height = ring_share * limits->tolerance;
    for (int k = 0; k < limits->expansions; k++) {
        uint16_t f = sg_polytope_nearest(t);
        out->iterations++;
        if (f == SG_POLYTOPE_NONE)
            return;
        double offset = t->face[f].offset;
        if (offset >= best->upper - limits->tolerance)
            return;
        sg_vec3 n = t->face[f].n;
        sg_support_point w = sg_pair_support(pair, n);
        double h = v3_dot(n, w.p);
        bool better = h < best->upper - t->noise;
        if (better) {
            best->upper = h;
            best->n = n;
            best->has_point = false;
            best->best = -1;
            best->valley = (sg_valley){.n = n, .reach = 0.0};
        }
        if (h - offset <= t->noise) {
            best->upper = s_min(best->upper, h);
            return;
        }
        sg_polytope_face near = t->face[f];
        bool grown = sg_polytope_grow(t, f, &w);
        if (better && pair->curved)
            enter_valley(pair, t, &near, n, height, best, &out->iterations);
        if (!grown && t->face[f].alive && t->face[f].offset == offset)
            return; // no room, or a face that rounding does not let grow
    }
}

// Gains some margin over a depth that is proven: a cap if there is none yet, the nearest faces
// beyond it a little farther out.
static void prepare(sg_pair *pair, sg_polytope *t, depth_search *best, sg_penetration *out)
{
    double enough = best->upper + best->margin;
    uint16_t f = sg_polytope_nearest(t);
    if (best->best < 0 && !best->has_point && f != SG_POLYTOPE_NONE) {
        sg_polytope_face near = t->face[f];
        enter_valley(pair, t, &near, best->n, 0.0, best, &out->iterations);
    }
    for (int k = 0; k < PREPARE_EXPANSIONS && best->best >= 0; k++) {
        f = sg_polytope_nearest(t);
        if (f == SG_POLYTOPE_NONE || t->face[f].offset >= enough)
            return;
        out->iterations++;
        sg_support_point w = sg_pair_support(pair, t->face[f].n);
        if (v3_dot(t->face[f].n, w.p) - t->face[f].offset <= t->noise ||
            !sg_polytope_grow(t, f, &w))
            return;
    }
}

// What is proven: everywhere, and outside of the cap that holds the answer.
static void conclude(const sg_pair *pair, const sg_polytope *t, const depth_search *best,
                     double tolerance, sg_penetration *out)
{
    uint16_t f = sg_polytope_nearest(t);
    double lower = best->edge;
    if (f != SG_POLYTOPE_NONE)
        lower = s_min(lower, t->face[f].offset);
    out->gap = s_max(0.0, best->upper - lower);
    out->certified = out->gap <= tolerance;
    out->depth = best->upper;
    out->n = best->n;
    out->has_point = best->has_point;
    out->point = best->has_point ? best->point : sg_polytope_pierce(t, best->n);
    out->valley = best->valley;
    out->valley.last = best->n;
    out->valley.R = pair->R;
    out->valley.r = pair->r;
    out->valley.outside = lower;
    for (int i = 0; i < t->ncaps; i++)
        if (i != best->best)
            out->valley.outside = s_min(out->valley.outside, best->bottom[i]);
}

// From a polytope around the origin and the bottom of a valley to the answer.
static void search_from(sg_pair *pair, sg_polytope *t, const valley_bottom *b,
                        const sg_penetrate_limits *limits, sg_penetration *out)
{
    depth_search best = {.upper = INFINITY, .best = -1, .edge = INFINITY};
    if (limits->prepare)
        best.margin = margin_of_size * pair->size;
    if (isfinite(b->h))
        settle_in(pair, t, b, ring_share * limits->tolerance, &best);
    expand(pair, t, &best, limits, out);
    conclude(pair, t, &best, limits->tolerance, out);
    if (limits->prepare && pair->curved && out->certified) {
        prepare(pair, t, &best, out);
        conclude(pair, t, &best, limits->tolerance, out);
    }
}

bool sg_penetrate(sg_pair *pair, sg_polytope *t, const sg_support_point v[4], sg_vec3 n,
                  const sg_penetrate_limits *limits, sg_penetration *out)
{
    valley_bottom b;
    *out = (sg_penetration){.gap = INFINITY, .iterations = 1};
    find_bottom(pair, n, v + 1, 3, &b, &out->iterations); // v[0] may be an inner point
    if (b.settled && b.h > 0.0 && is_held_by_ball(pair, &b)) {
        give_bottom(pair, &b, out);
        note_bottom(&b, &out->valley);
        t->nv = 0;
        return true;
    }
    if (!sg_polytope_start(t, pair, v))
        return false;
    search_from(pair, t, &b, limits, out);
    return true;
}

// Down from where the last answer was, with the pieces that met there.
static void follow(sg_pair *pair, const sg_valley *v, valley_bottom *b, int *iterations)
{
    b->h = INFINITY;
    b->settled = false;
    if (v->tip) {
        *iterations += 1;
        go_to_tip(pair, v->tip, b);
        return;
    }
    if (v->pieces == 0)
        return;
    sg_support_point known[3];
    for (int i = 0; i < v->pieces; i++)
        known[i] = sg_pair_piece(pair, v->ia[i], v->ib[i], v->last);
    pair->hint_a = v->ia[0];
    pair->hint_b = v->ib[0];
    go_down(pair, v->last, known, v->pieces, b, iterations);
}

bool sg_penetrate_carried(sg_pair *pair, const sg_polytope *last, sg_polytope *t,
                          const sg_valley *valley, const sg_penetrate_limits *limits,
                          sg_penetration *out)
{
    sg_penetrate_limits few = *limits;
    *out = (sg_penetration){.gap = INFINITY};
    if (!sg_polytope_carry(t, pair, last))
        return false;
    valley_bottom b;
    follow(pair, valley, &b, &out->iterations);
    for (int which = 1; which <= SG_TIPS; which++)
        go_to_tip(pair, which, &b);
    few.expansions = CARRIED_EXPANSIONS;
    search_from(pair, t, &b, &few, out);
    return out->certified;
}

// No point of B has gone farther than this since then [m].
static double way_of(const sg_pair *pair, const sg_valley *last)
{
    double turn2 = 0.0; // |R - R0|^2: twice the square of the norm for a rotation
    for (int i = 0; i < 3; i++)
        turn2 += v3_norm2(v3_sub(m3_row(&pair->R, i), m3_row(&last->R, i)));
    sg_vec3 c = pair->b->centroid;
    sg_vec3 now = v3_add(m3_mul_v(&pair->R, c), pair->r);
    sg_vec3 then = v3_add(m3_mul_v(&last->R, c), last->r);
    return v3_distance(now, then) + sqrt(0.5 * turn2) * pair->b->bound;
}

// The margin beyond the old cap covers the way since then, and a cap around the new bottom the old
// one.
static bool is_held_by_margin(const sg_pair *pair, const sg_valley *v, const valley_bottom *b)
{
    return v->reach > 0.0 && v->outside - way_of(pair, v) >= b->h &&
           holds_up_to(pair, b, sg_cap_sum(v->reach, v->n, b->n));
}

static bool follow_to(sg_pair *pair, sg_valley *v, valley_bottom *b, sg_penetration *out)
{
    *out = (sg_penetration){.gap = INFINITY};
    follow(pair, v, b, &out->iterations);
    if (!b->settled || !(b->h > 0.0))
        return false;
    v->last = b->n;
    if (!b->tip)
        note_answer(&b->descent, v);
    give_bottom(pair, b, out);
    return true;
}

bool sg_penetrate_follow(sg_pair *pair, sg_valley *v, sg_penetration *out)
{
    valley_bottom b;
    if (!follow_to(pair, v, &b, out))
        return false;
    out->gap = INFINITY;
    out->certified = false;
    return true;
}

bool sg_penetrate_warm(sg_pair *pair, sg_valley *v, sg_penetration *out)
{
    valley_bottom b;
    return follow_to(pair, v, &b, out) &&
           (is_held_by_margin(pair, v, &b) || is_held_by_ball(pair, &b));
}
