#include "collide/polytope.h"

#include <float.h>

#define DESCENT_STEPS 24
#define NONE UINT16_MAX
// A polytope carried along grows by a ring in every query; beyond this a fresh one is cheaper.
#define WARM_VERTICES 80

// Height of the ring's points above the minimum, as a share of the tolerance: the lower bound that
// they give is as far below it.
static const double ring_share = 0.25;
// Tilt [rad] that makes a cap answer with a point of its rim.
static const double cap_tilt = 1e-8;

static bool make_face(sg_polytope *t, uint16_t index, uint16_t a, uint16_t b, uint16_t c)
{
    sg_polytope_face *f = &t->face[index];
    sg_vec3 pa = t->v[a].p, ab = v3_sub(t->v[b].p, pa), ac = v3_sub(t->v[c].p, pa);
    sg_vec3 n = v3_cross(ab, ac);
    double n2 = v3_dot(n, n);
    *f = (sg_polytope_face){.v = {a, b, c}, .alive = true};
    if (!(n2 > 1e-26 * v3_norm2(ab) * v3_norm2(ac)) || !(n2 > 1e-200))
        return false;
    f->n = v3_scale(n, 1.0 / sqrt(n2));
    // The vertex nearest to the origin carries the least rounding.
    f->offset = v3_dot(f->n, pa);
    return true;
}

static uint16_t take_face(sg_polytope *t)
{
    if (t->nfree > 0)
        return t->free_face[--t->nfree];
    return t->nf < SG_POLYTOPE_FACES ? (uint16_t)t->nf++ : NONE;
}

typedef struct horizon {
    uint16_t from[SG_POLYTOPE_FACES / 2], to[SG_POLYTOPE_FACES / 2], beyond[SG_POLYTOPE_FACES / 2];
    int n;
    uint16_t seen[SG_POLYTOPE_FACES];
    int nseen;
} horizon;

static int edge_of(const sg_polytope_face *f, uint16_t from)
{
    return f->v[0] == from ? 0 : f->v[1] == from ? 1 : 2;
}

// All faces that see w, flooding from `first`, and the edges around them. A face in whose plane w
// lies counts as seen only if leaving it out would make a sliver.
static bool find_horizon(sg_polytope *t, uint16_t first, sg_vec3 w, double noise, horizon *h)
{
    h->n = h->nseen = 0;
    h->seen[h->nseen++] = first;
    t->face[first].alive = false;
    for (int k = 0; k < h->nseen; k++) {
        sg_polytope_face *f = &t->face[h->seen[k]];
        for (int e = 0; e < 3; e++) {
            sg_polytope_face *g = &t->face[f->side[e]];
            if (!g->alive)
                continue;
            double above = v3_dot(g->n, w) - g->offset;
            bool sees = above > noise;
            if (!sees && above > -noise) {
                sg_vec3 a = t->v[f->v[e]].p, ab = v3_sub(t->v[f->v[(e + 1) % 3]].p, a);
                sg_vec3 aw = v3_sub(w, a), c = v3_cross(ab, aw);
                sees = v3_norm2(c) <= 1e-24 * v3_norm2(ab) * v3_norm2(aw);
            }
            if (sees) {
                g->alive = false;
                h->seen[h->nseen++] = f->side[e];
            }
        }
    }
    for (int k = 0; k < h->nseen; k++) {
        sg_polytope_face *f = &t->face[h->seen[k]];
        for (int e = 0; e < 3; e++)
            if (t->face[f->side[e]].alive) {
                if (h->n == SG_POLYTOPE_FACES / 2)
                    return false;
                h->from[h->n] = f->v[e];
                h->to[h->n] = f->v[(e + 1) % 3];
                h->beyond[h->n++] = f->side[e];
            }
    }
    return h->n >= 3;
}

static void restore_seen(sg_polytope *t, const horizon *h)
{
    for (int k = 0; k < h->nseen; k++)
        t->face[h->seen[k]].alive = true;
}

// Orders the horizon's edges to one cycle; false if it is not one.
static bool chain_horizon(horizon *h)
{
    for (int k = 0; k + 1 < h->n; k++) {
        int next = -1;
        for (int j = k + 1; j < h->n; j++)
            if (h->from[j] == h->to[k]) {
                if (next >= 0)
                    return false;
                next = j;
            }
        if (next < 0)
            return false;
        uint16_t from = h->from[next], to = h->to[next], beyond = h->beyond[next];
        h->from[next] = h->from[k + 1];
        h->to[next] = h->to[k + 1];
        h->beyond[next] = h->beyond[k + 1];
        h->from[k + 1] = from;
        h->to[k + 1] = to;
        h->beyond[k + 1] = beyond;
    }
    return h->to[h->n - 1] == h->from[0];
}

// Puts a cone of faces from the horizon to w in place of the faces that see it; `least` is the
// offset of the nearest face. Leaves everything as it was and returns false when rounding or room
// forbid it.
static bool insert_point(sg_polytope *t, uint16_t first, const sg_support_point *w, double least,
                         double noise)
{
    horizon h;
    if (t->nv == SG_POLYTOPE_VERTICES)
        return false;
    if (!find_horizon(t, first, w->p, noise, &h) || !chain_horizon(&h) ||
        t->nf - t->nfree + h.n > SG_POLYTOPE_FACES) {
        restore_seen(t, &h);
        return false;
    }
    uint16_t apex = (uint16_t)t->nv++, made[SG_POLYTOPE_FACES / 2];
    t->v[apex] = *w;
    bool good = true;
    for (int k = 0; k < h.n; k++) {
        made[k] = take_face(t);
        if (made[k] == NONE) { // cannot happen: the room was counted
            good = false;
            h.n = k;
            break;
        }
        // Expanding a convex body moves no face inward; if one does, rounding has spoiled its
        // plane.
        good = make_face(t, made[k], h.from[k], h.to[k], apex) &&
               t->face[made[k]].offset >= fmin(least, 0.0) - 16.0 * noise && good;
    }
    if (!good) {
        for (int k = 0; k < h.n; k++) {
            t->face[made[k]].alive = false;
            t->free_face[t->nfree++] = made[k];
        }
        t->nv--;
        restore_seen(t, &h);
        return false;
    }
    for (int k = 0; k < h.n; k++) {
        sg_polytope_face *f = &t->face[made[k]], *g = &t->face[h.beyond[k]];
        f->side[0] = h.beyond[k];
        f->side[1] = made[(k + 1) % h.n];
        f->side[2] = made[(k + h.n - 1) % h.n];
        g->side[edge_of(g, h.to[k])] = made[k];
    }
    for (int k = 0; k < h.nseen; k++)
        t->free_face[t->nfree++] = h.seen[k];
    return true;
}

static uint16_t nearest_face(const sg_polytope *t)
{
    uint16_t best = NONE;
    double least = INFINITY;
    for (int i = 0; i < t->nf; i++)
        if (t->face[i].alive && t->face[i].offset < least) {
            least = t->face[i].offset;
            best = (uint16_t)i;
        }
    return best;
}

// Adds a point wherever it is most outside; nothing if it is inside.
static void insert_anywhere(sg_polytope *t, const sg_support_point *w, double noise)
{
    uint16_t best = NONE;
    double most = noise, least = INFINITY;
    for (int i = 0; i < t->nf; i++) {
        if (!t->face[i].alive)
            continue;
        double above = v3_dot(t->face[i].n, w->p) - t->face[i].offset;
        least = fmin(least, t->face[i].offset);
        if (above > most) {
            most = above;
            best = (uint16_t)i;
        }
    }
    if (best != NONE)
        insert_point(t, best, w, least, noise);
}

// Principal values and directions of the descent's matrix.
static void principal(const double W[3], double value[2], double u[2][2])
{
    double mean = 0.5 * (W[0] + W[2]), half = 0.5 * (W[0] - W[2]);
    double r = sqrt(half * half + W[1] * W[1]);
    value[0] = mean - r;
    value[1] = mean + r;
    double angle = 0.5 * atan2(W[1], half); // of the larger one
    u[1][0] = cos(angle);
    u[1][1] = sin(angle);
    u[0][0] = -u[1][1];
    u[0][1] = u[1][0];
}

static void insert_piece_at(sg_pair *pair, sg_polytope *t, const sg_descent *s, int j, double x,
                            double y, double noise)
{
    sg_vec3 n = v3_unit(v3_add_scaled(v3_add_scaled(s->n, s->e1, x), s->e2, y));
    sg_support_point w = sg_pair_piece(pair, s->piece[j].ia, s->piece[j].ib, n);
    insert_anywhere(t, &w, noise);
}

// The points that lift the lower bound to within ring_share of the tolerance of the minimum.
static void insert_ring(sg_pair *pair, sg_polytope *t, const sg_descent *s, double height,
                        double noise)
{
    int active[SG_DESCENT_PIECES], k = 0;
    for (int j = 0; j < s->pieces; j++)
        if (s->mu[j] > 0.0)
            active[k++] = j;
    double value[2], u[2][2];
    principal(s->W, value, u);
    double floor = 1e-6 * pair->size; // nearly flat valleys: do not step too far
    if (k == 1) {
        double r0 = sqrt(2.0 * height / fmax(value[0], floor));
        double r1 = sqrt(2.0 * height / fmax(value[1], floor));
        static const double ring[3][2] = {
            {1.0, 0.0}, {-0.5, 0.8660254037844386}, {-0.5, -0.8660254037844386}};
        for (int i = 0; i < 3; i++) {
            double p = r0 * ring[i][0], q = r1 * ring[i][1];
            insert_piece_at(pair, t, s, active[0], p * u[0][0] + q * u[1][0],
                            p * u[0][1] + q * u[1][1], noise);
        }
    } else if (k == 2) {
        sg_vec3 d = v3_sub(s->piece[active[0]].p, s->piece[active[1]].p);
        double x = -v3_dot(d, s->e2), y = v3_dot(d, s->e1), l = sqrt(x * x + y * y);
        if (!(l > 0.0))
            return;
        x /= l;
        y /= l;
        double curve = s->W[0] * x * x + 2.0 * s->W[1] * x * y + s->W[2] * y * y;
        double r = sqrt(2.0 * height / fmax(curve, floor));
        for (int i = 0; i < 4; i++)
            insert_piece_at(pair, t, s, active[i / 2], i % 2 ? r * x : -r * x,
                            i % 2 ? r * y : -r * y, noise);
    } else {
        for (int i = 0; i < k; i++)
            insert_anywhere(t, &s->piece[active[i]], noise);
    }
}

// Where the ray along n leaves the polytope: a point of the difference that is parallel to n, with
// its counterpart on A.
static sg_support_point pierced_point(const sg_polytope *t, sg_vec3 n)
{
    double best = -INFINITY, weight[3] = {1.0, 0.0, 0.0};
    const sg_polytope_face *chosen = NULL;
    for (int i = 0; i < t->nf; i++) {
        const sg_polytope_face *f = &t->face[i];
        if (!f->alive || !(v3_dot(f->n, n) > 0.0))
            continue;
        sg_vec3 a = t->v[f->v[0]].p, b = t->v[f->v[1]].p, c = t->v[f->v[2]].p;
        double l[3] = {v3_triple(n, b, c), v3_triple(n, c, a), v3_triple(n, a, b)};
        double sum = l[0] + l[1] + l[2], inside = fmin(l[0], fmin(l[1], l[2])) / sum;
        if (!(sum > 0.0) || !(inside > best))
            continue;
        best = inside;
        chosen = f;
        for (int k = 0; k < 3; k++)
            weight[k] = fmax(0.0, l[k] / sum);
    }
    sg_support_point q = {.p = V3_ZERO, .a = V3_ZERO};
    double sum = weight[0] + weight[1] + weight[2];
    for (int k = 0; k < 3 && chosen; k++) {
        q.p = v3_add_scaled(q.p, t->v[chosen->v[k]].p, weight[k] / sum);
        q.a = v3_add_scaled(q.a, t->v[chosen->v[k]].a, weight[k] / sum);
    }
    return q;
}

typedef struct search {
    double upper; // least support value found
    sg_vec3 n;
    sg_support_point point;
    bool has_point; // the descent gave the contact point; else the polytope will
} search;

// From direction n into the valley, if it is a new one.
static void enter_valley(sg_pair *pair, sg_polytope *t, sg_vec3 n, const sg_polytope_face *near,
                         double height, double noise, search *best, int *iterations)
{
    sg_descent s;
    sg_descent_start(&s, n);
    if (near)
        for (int i = 0; i < 3; i++)
            sg_descent_add(&s, &t->v[near->v[i]]);
    bool done = sg_descend(pair, &s, DESCENT_STEPS);
    *iterations += s.steps;
    if (s.pieces == 0 || !(s.h < best->upper))
        return;
    best->upper = s.h;
    best->n = s.n;
    best->has_point = done;
    if (done) {
        best->point = sg_descent_point(&s);
        insert_ring(pair, t, &s, height, noise);
    } else {
        sg_support_point w = sg_pair_support(pair, s.n);
        insert_anywhere(t, &w, noise);
    }
}

// Directions across the round flat faces of a shape, canonical frame: there the support function
// has the tip of a cone, which no smooth model finds.
static int cap_directions(const sg_shape *shape, sg_vec3 out[2])
{
    if (shape->core != SG_CORE_FRUSTUM && shape->core != SG_CORE_STADIUM)
        return 0;
    sg_vec3 n = shape->core == SG_CORE_FRUSTUM ? v3_make(0, 0, 1) : v3_make(0, 1, 0);
    out[0] = v3_neg(n);
    out[1] = n;
    return shape->core == SG_CORE_FRUSTUM && shape->rt == 0.0 ? 1 : 2; // a cone has no top
}

// Tries one cap and, if it is the best so far, puts points of its rim all around into the polytope.
static void try_cap(sg_pair *pair, sg_polytope *t, sg_vec3 n, double noise, search *best)
{
    sg_support_point w = sg_pair_support(pair, n);
    double h = v3_dot(n, w.p);
    if (!(h < best->upper))
        return;
    best->upper = h;
    best->n = n;
    best->has_point = false;
    sg_vec3 e1 = v3_perpendicular(n), e2 = v3_cross(n, e1);
    for (int i = 0; i < 4; i++) {
        double x = i < 2 ? cap_tilt : -cap_tilt, y = i % 2 ? cap_tilt : -cap_tilt;
        w = sg_pair_support(pair, v3_unit(v3_add_scaled(v3_add_scaled(n, e1, x), e2, y)));
        insert_anywhere(t, &w, noise);
    }
}

static void try_caps(sg_pair *pair, sg_polytope *t, double noise, search *best)
{
    sg_vec3 n[2];
    for (int i = cap_directions(pair->a, n) - 1; i >= 0; i--)
        try_cap(pair, t, n[i], noise, best);
    for (int i = cap_directions(pair->b, n) - 1; i >= 0; i--)
        try_cap(pair, t, v3_neg(m3_mul_v(&pair->R, n[i])), noise, best);
}

// Expands the nearest face until it is as far out as the least support value.
static void expand(sg_pair *pair, sg_polytope *t, search *best, const sg_penetrate_limits *limits,
                   sg_penetration *out)
{
    double noise = 4.0 * DBL_EPSILON * pair->size, tolerance = limits->tolerance;
    double height = ring_share * tolerance;
    uint16_t f = NONE;
    int expansions = 0;
    for (int k = 0;; k++) {
        f = nearest_face(t);
        expansions = k;
        out->iterations++;
        if (f == NONE || t->face[f].offset >= best->upper - tolerance || k >= limits->expansions)
            break;
        if (k >= limits->deep_expansions && t->face[f].offset >= limits->deep)
            break;
        sg_vec3 n = t->face[f].n;
        double offset = t->face[f].offset;
        sg_support_point w = sg_pair_support(pair, n);
        double h = v3_dot(n, w.p);
        bool better = h < best->upper - noise;
        if (better) {
            best->upper = h;
            best->n = n;
            best->has_point = false;
        }
        if (h - offset <= noise) {
            best->upper = fmin(best->upper, h);
            break;
        }
        sg_polytope_face near = t->face[f];
        bool inserted = insert_point(t, f, &w, offset, noise);
        if (better && pair->curved)
            enter_valley(pair, t, n, &near, height, noise, best, &out->iterations);
        if (!inserted && t->face[f].alive && t->face[f].offset == offset)
            break; // no room, or a face that rounding does not let grow
    }
    double lower = f == NONE ? 0.0 : t->face[f].offset;
    out->expansions = expansions;
    out->gap = fmax(0.0, best->upper - lower);
    out->certified = out->gap <= tolerance;
    out->depth = best->upper;
    out->n = best->n;
    out->has_point = best->has_point;
    out->point = best->has_point ? best->point : pierced_point(t, best->n);
}

static bool start_tetrahedron(const sg_pair *pair, sg_polytope *t, const sg_support_point v[4],
                              double noise)
{
    t->R = pair->R;
    t->r = pair->r;
    t->nv = 4;
    t->nf = 4;
    t->nfree = 0;
    for (int i = 0; i < 4; i++)
        t->v[i] = v[i];
    sg_vec3 a = v[0].p;
    if (v3_triple(v3_sub(v[1].p, a), v3_sub(v[2].p, a), v3_sub(v[3].p, a)) > 0.0) {
        t->v[1] = v[2];
        t->v[2] = v[1];
    }
    static const uint16_t corner[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
    static const uint16_t side[4][3] = {{2, 3, 1}, {0, 3, 2}, {1, 3, 0}, {2, 1, 0}};
    for (uint16_t i = 0; i < 4; i++) {
        if (!make_face(t, i, corner[i][0], corner[i][1], corner[i][2]))
            return false;
        if (t->face[i].offset < -noise)
            return false;
        for (int e = 0; e < 3; e++)
            t->face[i].side[e] = side[i][e];
    }
    return true;
}

bool sg_penetrate(sg_pair *pair, sg_polytope *t, const sg_support_point v[4], sg_vec3 n,
                  const sg_penetrate_limits *limits, sg_penetration *out)
{
    double noise = 4.0 * DBL_EPSILON * pair->size;
    *out = (sg_penetration){.gap = INFINITY};
    if (!start_tetrahedron(pair, t, v, 16.0 * noise))
        return false;
    search best = {.upper = INFINITY};
    if (pair->curved)
        enter_valley(pair, t, n, NULL, ring_share * limits->tolerance, noise, &best,
                     &out->iterations);
    try_caps(pair, t, noise, &best);
    expand(pair, t, &best, limits, out);
    return true;
}

// The polytope of the last query, its points carried along with the shapes they are on, without the
// faces that are gone. They stay points of the difference, so the faces between them still bound
// the depth from below as long as they surround the origin.
static bool carry_along(const sg_pair *pair, const sg_polytope *from, sg_polytope *t, double noise)
{
    uint16_t place[SG_POLYTOPE_FACES];
    if (from->nv < 4 || from->nv > WARM_VERTICES)
        return false;
    // B's motion in A's frame since then: x -> M x + d.
    sg_mat3 M = m3_mul(pair->R, m3_transpose(from->R));
    sg_vec3 d = v3_sub(pair->r, m3_mul_v(&M, from->r));
    for (int i = 0; i < from->nv; i++) {
        sg_vec3 b = v3_sub(from->v[i].a, from->v[i].p);
        t->v[i] = from->v[i];
        t->v[i].p = v3_sub(from->v[i].a, v3_add(m3_mul_v(&M, b), d));
    }
    t->nv = from->nv;
    t->nf = t->nfree = 0;
    for (int i = 0; i < from->nf; i++)
        if (from->face[i].alive)
            place[i] = (uint16_t)t->nf++;
    for (int i = 0; i < from->nf; i++) {
        const sg_polytope_face *old = &from->face[i];
        if (!old->alive)
            continue;
        if (!make_face(t, place[i], old->v[0], old->v[1], old->v[2]) ||
            t->face[place[i]].offset < -noise)
            return false;
        for (int e = 0; e < 3; e++)
            t->face[place[i]].side[e] = place[old->side[e]];
    }
    t->R = pair->R;
    t->r = pair->r;
    return true;
}

bool sg_penetrate_warm(sg_pair *pair, const sg_polytope *from, sg_polytope *t, sg_vec3 n,
                       const sg_penetrate_limits *limits, sg_penetration *out)
{
    double noise = 4.0 * DBL_EPSILON * pair->size;
    *out = (sg_penetration){.gap = INFINITY};
    if (!carry_along(pair, from, t, noise))
        return false;
    search best = {.upper = INFINITY};
    if (pair->curved)
        enter_valley(pair, t, n, NULL, ring_share * limits->tolerance, noise, &best,
                     &out->iterations);
    expand(pair, t, &best, limits, out);
    return true;
}
