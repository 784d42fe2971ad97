#include "collide/separate.h"

#include "collide/tip.h"
#include "math/scalar.h"

#include <float.h>

#define ITERATIONS_MAX 100
#define DESCENT_STEPS 12

typedef struct simplex {
    sg_support_point v[4];
    double l[4]; // barycentric coordinates of the nearest point
    int n;
} simplex;

static void keep1(simplex *s, int i)
{
    s->v[0] = s->v[i];
    s->l[0] = 1.0;
    s->n = 1;
}

static void keep2(simplex *s, int i, int j, double t)
{
    sg_support_point a = s->v[i], b = s->v[j];
    s->v[0] = a;
    s->v[1] = b;
    s->l[0] = 1.0 - t;
    s->l[1] = t;
    s->n = 2;
}

// Nearest point of the segment i, j; returns its square distance, t in [0, 1].
static double nearest_on_edge(const simplex *s, int i, int j, double *t)
{
    sg_vec3 a = s->v[i].p, d = v3_sub(s->v[j].p, a);
    double dd = v3_dot(d, d);
    *t = dd > 0.0 ? s_max(0.0, s_min(1.0, -v3_dot(a, d) / dd)) : 0.0;
    return v3_norm2(v3_add_scaled(a, d, *t));
}

static void reduce_edge(simplex *s, int i, int j, double t)
{
    if (t <= 0.0)
        keep1(s, i);
    else if (t >= 1.0)
        keep1(s, j);
    else
        keep2(s, i, j, t);
}

// Barycentric coordinates of the foot of the origin on the plane of i, j, k. False for a sliver.
static bool foot_on_plane(const simplex *s, int i, int j, int k, double l[3], double *d2)
{
    sg_vec3 a = s->v[i].p, ab = v3_sub(s->v[j].p, a), ac = v3_sub(s->v[k].p, a);
    sg_vec3 n = v3_cross(ab, ac);
    double n2 = v3_dot(n, n);
    if (!(n2 > 1e-28 * v3_norm2(ab) * v3_norm2(ac)))
        return false;
    double off = v3_dot(n, a);
    *d2 = off * off / n2;
    l[1] = v3_dot(n, v3_cross(ac, a)) / n2;
    l[2] = v3_dot(n, v3_cross(a, ab)) / n2;
    // Once more for what rounding left: thin triangles lose many digits at the first try.
    sg_vec3 rest = v3_add_scaled(v3_add_scaled(a, ab, l[1]), ac, l[2]);
    rest = v3_add_scaled(rest, n, -off / n2);
    l[1] += v3_dot(n, v3_cross(ac, rest)) / n2;
    l[2] += v3_dot(n, v3_cross(rest, ab)) / n2;
    l[0] = 1.0 - l[1] - l[2];
    return true;
}

// Reduces to the face, edge or vertex of triangle i, j, k that holds the nearest point.
static double nearest_on_triangle(const simplex *s, int i, int j, int k, simplex *out)
{
    double l[3], d2;
    *out = *s;
    if (foot_on_plane(s, i, j, k, l, &d2) && l[0] >= 0.0 && l[1] >= 0.0 && l[2] >= 0.0) {
        out->v[0] = s->v[i];
        out->v[1] = s->v[j];
        out->v[2] = s->v[k];
        out->l[0] = l[0];
        out->l[1] = l[1];
        out->l[2] = l[2];
        out->n = 3;
        return d2;
    }
    double t, best_t = 0.0, best = INFINITY;
    int bi = i, bj = j;
    const int edge[3][2] = {{i, j}, {i, k}, {j, k}};
    for (int e = 0; e < 3; e++) {
        double d = nearest_on_edge(s, edge[e][0], edge[e][1], &t);
        if (d < best) {
            best = d;
            best_t = t;
            bi = edge[e][0];
            bj = edge[e][1];
        }
    }
    reduce_edge(out, bi, bj, best_t);
    return best;
}

// True when the origin is inside the tetrahedron.
static bool reduce_tetrahedron(simplex *s)
{
    static const int face[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
    double best = INFINITY;
    simplex chosen = *s;
    bool inside = true;
    for (int f = 0; f < 4; f++) {
        sg_vec3 a = s->v[face[f][0]].p;
        sg_vec3 n = v3_cross(v3_sub(s->v[face[f][1]].p, a), v3_sub(s->v[face[f][2]].p, a));
        sg_vec3 up = v3_sub(s->v[face[f][3]].p, a);
        double origin = -v3_dot(n, a), apex = v3_dot(n, up);
        // The origin is on the inner side of this face, unless there is none: four points of a flat
        // face of the shapes make a tetrahedron without volume.
        if (origin * apex > 0.0 && apex * apex > 1e-26 * v3_norm2(n) * v3_norm2(up))
            continue;
        inside = false;
        simplex candidate;
        double d = nearest_on_triangle(s, face[f][0], face[f][1], face[f][2], &candidate);
        if (d < best) {
            best = d;
            chosen = candidate;
        }
    }
    if (!inside)
        *s = chosen;
    return inside;
}

static bool reduce(simplex *s)
{
    double t;
    simplex copy;
    switch (s->n) {
    case 1:
        s->l[0] = 1.0;
        return false;
    case 2:
        nearest_on_edge(s, 0, 1, &t);
        reduce_edge(s, 0, 1, t);
        return false;
    case 3:
        nearest_on_triangle(s, 0, 1, 2, &copy);
        *s = copy;
        return false;
    default:
        return reduce_tetrahedron(s);
    }
}

static sg_support_point weighted(const simplex *s)
{
    sg_support_point q = {.p = V3_ZERO, .a = V3_ZERO};
    for (int i = 0; i < s->n; i++) {
        q.p = v3_add_scaled(q.p, s->v[i].p, s->l[i]);
        q.a = v3_add_scaled(q.a, s->v[i].a, s->l[i]);
    }
    return q;
}

// The direction to search in. For a triangle its normal, which keeps digits when the nearest point
// is close to the origin and v has none left.
static sg_vec3 direction(const simplex *s, sg_vec3 v, sg_vec3 last, double noise)
{
    if (s->n < 3)
        return v3_unit(v3_neg(v));
    sg_vec3 a = s->v[0].p;
    sg_vec3 n = v3_unit(v3_cross(v3_sub(s->v[1].p, a), v3_sub(s->v[2].p, a)));
    double side = v3_dot(n, a);
    if (fabs(side) <= noise) // in the plane: keep to the side that was searched before
        return v3_dot(n, last) < 0.0 ? v3_neg(n) : n;
    return side > 0.0 ? v3_neg(n) : n;
}

static void note_pieces(sg_separation *out, const sg_support_point *v, const double *l, int n)
{
    out->pieces = 0;
    for (int i = 0; i < n && out->pieces < 3; i++)
        if (l[i] > 0.0) {
            out->ia[out->pieces] = v[i].ia;
            out->ib[out->pieces++] = v[i].ib;
        }
}

// Takes over a descent if its own gap is better than what is there; true when it ends the search.
static bool accept_descent(const sg_descent *t, double tolerance, sg_separation *out)
{
    sg_support_point q = sg_descent_point(t);
    double upper = v3_norm(q.p), lower = -t->h;
    if (!t->converged || !(upper - lower < out->gap))
        return false;
    out->gap = s_max(0.0, upper - lower);
    out->distance = lower;
    out->n = t->n;
    out->point = q;
    note_pieces(out, t->piece, t->mu, t->pieces);
    return out->gap <= tolerance;
}

static bool try_descent(sg_pair *pair, const simplex *s, const sg_support_point *w, sg_vec3 n,
                        double tolerance, sg_separation *out)
{
    sg_descent t;
    sg_descent_start(&t, n);
    sg_descent_add(&t, w);
    for (int i = 0; i < s->n; i++)
        sg_descent_add(&t, &s->v[i]);
    sg_descend(pair, &t, DESCENT_STEPS);
    out->iterations += t.steps;
    return accept_descent(&t, tolerance, out);
}

// Flat faces that look roughly along n. The axis separates and the point on it is a point of the
// difference, so nothing is left to prove.
static bool accept_tip(sg_pair *pair, int which, sg_separation *out)
{
    sg_tip tip;
    if (!sg_tip_find(pair, which, &tip) || !(tip.h < 0.0))
        return false;
    out->iterations++;
    *out = (sg_separation){.distance = -tip.h,
                           .n = tip.n,
                           .point = tip.point,
                           .iterations = out->iterations,
                           .certified = true,
                           .tip = which};
    return true;
}

static bool try_tips(sg_pair *pair, sg_vec3 n, sg_separation *out)
{
    for (int which = 1; which <= SG_TIPS; which++)
        if (v3_dot(sg_tip_axis(pair, which), n) > 0.3 && accept_tip(pair, which, out))
            return true;
    return false;
}

static bool is_known(const simplex *s, const sg_support_point *w)
{
    for (int i = 0; i < s->n; i++)
        if (v3_equal(s->v[i].p, w->p))
            return true;
    return false;
}

sg_verdict sg_separate(sg_pair *pair, sg_support_point v[4], int nv, sg_vec3 n, double tolerance,
                       sg_separation *out)
{
    simplex s = {.n = nv};
    for (int i = 0; i < nv; i++)
        s.v[i] = v[i];
    int stalled = 0;
    double best_upper = INFINITY, next_try = INFINITY, noise = 4.0 * DBL_EPSILON * pair->size;
    *out = (sg_separation){.gap = INFINITY};
    if (pair->curved && try_tips(pair, n, out))
        return SG_VERDICT_APART;
    for (int k = 0; k < ITERATIONS_MAX; k++) {
        if (reduce(&s)) {
            for (int i = 0; i < 4; i++)
                v[i] = s.v[i];
            return SG_VERDICT_INSIDE;
        }
        out->iterations++;
        sg_support_point q = weighted(&s);
        double upper = v3_norm(q.p);
        // At the origin itself v has no direction; a triangle's normal or the last direction has.
        if (s.n == 3 || upper > 16.0 * noise)
            n = direction(&s, q.p, n, noise);
        sg_support_point w = sg_pair_support(pair, n);
        double below = -v3_dot(n, w.p);
        if (upper - below < out->gap) {
            out->gap = s_max(0.0, upper - below);
            out->distance = below > 0.0 ? upper : below;
            out->n = n;
            out->point = q;
            note_pieces(out, s.v, s.l, s.n);
        }
        if (out->gap <= tolerance && (!pair->curved || out->gap <= noise))
            break;
        // A descent pays once the direction is roughly right; if one fails, not again before the
        // simplices have come closer.
        if (pair->curved && upper - below < next_try) {
            if (try_descent(pair, &s, &w, n, tolerance, out))
                break;
            next_try = 0.25 * (upper - below);
        }
        // On a curved surface a small gap does not yet mean that the points are accurate, so the
        // descent above had its chance first.
        if (out->gap <= tolerance)
            break;
        stalled = upper < best_upper ? 0 : stalled + 1;
        best_upper = s_min(best_upper, upper);
        if (is_known(&s, &w) || stalled > 8)
            break;
        s.v[s.n++] = w;
    }
    out->certified = out->gap <= tolerance;
    return out->distance > 0.0 ? SG_VERDICT_APART : SG_VERDICT_TOUCHING;
}

bool sg_separate_warm(sg_pair *pair, const sg_separation *last, double tolerance,
                      sg_separation *out)
{
    *out = (sg_separation){.gap = INFINITY};
    if (last->tip && accept_tip(pair, last->tip, out))
        return true;
    if (last->pieces < 1)
        return false;
    sg_support_point v[4];
    for (int i = 0; i < last->pieces; i++)
        v[i] = sg_pair_piece(pair, last->ia[i], last->ib[i], last->n);
    pair->hint_a = last->ia[0];
    pair->hint_b = last->ib[0];
    if (pair->curved) {
        sg_descent t;
        sg_descent_start(&t, last->n);
        for (int i = 0; i < last->pieces; i++) {
            int slot = sg_descent_add(&t, &v[i]);
            if (slot >= 0)
                t.mu[slot] = 1.0;
        }
        sg_descend(pair, &t, DESCENT_STEPS);
        out->iterations = t.steps;
        out->certified = accept_descent(&t, tolerance, out) && out->distance > 0.0;
        if (out->certified)
            return true;
    }
    int spent = out->iterations;
    sg_verdict verdict = sg_separate(pair, v, last->pieces, last->n, tolerance, out);
    out->iterations += spent;
    return verdict == SG_VERDICT_APART && out->certified;
}

void sg_separate_near(sg_pair *pair, sg_vec3 n, const sg_support_point *v, int nv, double tolerance,
                      sg_separation *out)
{
    sg_descent t;
    sg_descent_start(&t, n);
    for (int i = 0; i < nv; i++)
        sg_descent_add(&t, &v[i]);
    sg_descend(pair, &t, DESCENT_STEPS);
    out->iterations += t.steps;
    if (accept_descent(&t, tolerance, out))
        out->certified = true;
}
