#include "collide/sweep.h"

#include "collide/cap.h"
#include "math/scalar.h"

#include <float.h>

#define DESCENT_STEPS 40
// Triangles waiting: eight to start with, and one more for each halving of the longest way down.
#define WAITING_MAX 160
#define VALLEYS_MAX 12
// A triangle with sides below this [rad] that is not proven has a valley nearby worth a descent.
static const double near = 0.2;

typedef struct corner {
    sg_vec3 n, p;
} corner;

typedef struct triangle {
    corner c[3];
    double bound;
} triangle;

// Value of the best mix of two rows over three columns. The least of three linear functions of the
// share is largest where two of them meet, or at an end.
static double mix_two(const double x[3], const double y[3])
{
    double best = -INFINITY;
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3;
        double di = x[i] - y[i], dk = x[k] - y[k], t = (y[k] - y[i]) / (di - dk);
        if (!(t > 0.0 && t < 1.0))
            continue;
        double least = INFINITY;
        for (int j = 0; j < 3; j++)
            least = s_min(least, t * x[j] + (1.0 - t) * y[j]);
        best = s_max(best, least);
    }
    return best;
}

// Points of the difference known from the descent: those of the pieces that meet at the minimum,
// and the weighted one that is parallel to n. Where pieces meet, corners of a triangle may miss one
// of them; these do not.
typedef struct points {
    sg_vec3 p[SG_DESCENT_PIECES + 1];
    int n;
} points;

static void fill_row(sg_vec3 p, const corner c[3], double row[3])
{
    for (int j = 0; j < 3; j++)
        row[j] = v3_dot(p, c[j].n);
}

static double least_of(const double x[3]) { return s_min(x[0], s_min(x[1], x[2])); }

// The mix of all three corners' points that is the same in all columns: where the normal of the
// corners' plane pierces the triangle of the points.
static double mix_three(const corner c[3], double M[3][3])
{
    sg_vec3 m = v3_cross(v3_sub(c[1].n, c[0].n), v3_sub(c[2].n, c[0].n));
    double w[3] = {v3_triple(m, c[1].p, c[2].p), v3_triple(m, c[2].p, c[0].p),
                   v3_triple(m, c[0].p, c[1].p)};
    double sum = w[0] + w[1] + w[2], row[3];
    if (!(w[0] * sum > 0.0 && w[1] * sum > 0.0 && w[2] * sum > 0.0))
        return -INFINITY;
    for (int j = 0; j < 3; j++)
        row[j] = (w[0] * M[0][j] + w[1] * M[1][j] + w[2] * M[2][j]) / sum;
    return least_of(row);
}

// Lower bound of h over the triangle: the value of the game M_ij = p_i n_j, row against column, or
// some value below it if that is enough.
static double bound_below(const corner c[3], const points *known, double enough)
{
    double M[3][3], best = -INFINITY;
    for (int i = 0; i < 3; i++) {
        fill_row(c[i].p, c, M[i]);
        best = s_max(best, least_of(M[i]));
    }
    if (best >= enough)
        return best;
    for (int i = 0; i < 3; i++)
        best = s_max(best, mix_two(M[i], M[(i + 1) % 3]));
    best = s_max(best, mix_three(c, M));
    double K[SG_DESCENT_PIECES + 1][3];
    for (int i = 0; i < known->n && best < enough; i++) {
        fill_row(known->p[i], c, K[i]);
        best = s_max(best, least_of(K[i]));
        for (int k = 0; k < i; k++)
            best = s_max(best, mix_two(K[i], K[k]));
        for (int k = 0; k < 3; k++)
            best = s_max(best, mix_two(K[i], M[k]));
    }
    // A direction is x/|x| with |x| between 1/sqrt(3) and 1: what is below zero may be farther so.
    return best < 0.0 ? 1.7320508075688774 * best : best;
}

static corner corner_at(sg_pair *pair, sg_vec3 n)
{
    return (corner){n, sg_pair_support(pair, n).p};
}

// Valleys whose bottoms are known, each with a cap around it where h is no less.
typedef struct valley {
    sg_vec3 n;
    double cosine; // of the cap's radius
} valley;

typedef struct sweep_search {
    points known;
    valley valley[VALLEYS_MAX];
    int valleys;
    double noise;
} sweep_search;

// Down from n, and what there is to learn from it: a cap, a better direction, the contact point and
// the pieces.
static void go_down(sg_pair *pair, sg_vec3 n, sweep_search *q, sg_sweep *s)
{
    sg_descent t;
    if (q->valleys == VALLEYS_MAX)
        return;
    sg_descent_start(&t, n);
    sg_descend(pair, &t, DESCENT_STEPS);
    double cap = t.converged ? sg_cap_reach(pair, &t, 0.42, 0.025) : 0.0;
    valley *v = &q->valley[q->valleys++];
    *v = (valley){t.n, (1.0 - cap * cap) / (1.0 + cap * cap)};
    bool better = t.h < s->depth || (t.converged && t.h <= s->depth + q->noise);
    if (!better && q->known.n > 0)
        return;
    q->known.n = 0;
    for (int i = 0; i < t.pieces; i++)
        q->known.p[q->known.n++] = t.piece[i].p;
    if (!better)
        return;
    s->depth = s_min(s->depth, t.h);
    s->n = t.n;
    s->has_point = t.converged;
    if (!t.converged)
        return;
    s->point = sg_descent_point(&t);
    q->known.p[q->known.n++] = s->point.p;
}

// A corner that lies lower than all before leads into a new valley.
static void look_around(sg_pair *pair, const corner *c, sweep_search *q, sg_sweep *s)
{
    double h = v3_dot(c->n, c->p);
    if (!(h < s->depth - q->noise))
        return;
    s->depth = h;
    s->n = c->n;
    s->has_point = false;
    go_down(pair, c->n, q, s);
}

static bool is_in_cap(const sweep_search *q, const corner c[3])
{
    for (int i = 0; i < q->valleys; i++) {
        const valley *v = &q->valley[i];
        if (v3_dot(v->n, c[0].n) >= v->cosine && v3_dot(v->n, c[1].n) >= v->cosine &&
            v3_dot(v->n, c[2].n) >= v->cosine)
            return true;
    }
    return false;
}

static bool is_near_valley(const sweep_search *q, sg_vec3 n)
{
    for (int i = 0; i < q->valleys; i++)
        if (v3_dot(q->valley[i].n, n) >= cos(near))
            return true;
    return false;
}

// Halves the longest side; `half` gets the other part. Returns the side's length.
static double split(sg_pair *pair, triangle *t, triangle *half, corner *middle)
{
    double longest = -1.0;
    int e = 0;
    for (int i = 0; i < 3; i++) {
        double l = v3_norm2(v3_sub(t->c[(i + 1) % 3].n, t->c[i].n));
        if (l > longest) {
            longest = l;
            e = i;
        }
    }
    int f = (e + 1) % 3;
    *middle = corner_at(pair, v3_unit(v3_add(t->c[e].n, t->c[f].n)));
    *half = *t;
    t->c[f] = *middle;
    half->c[e] = *middle;
    return sqrt(longest);
}

// An octahedron with a corner at n, where the finest triangles will be.
static int start_triangles(sg_pair *pair, triangle *out, sweep_search *q, sg_sweep *s)
{
    sg_vec3 x = s->n, y = v3_perpendicular(x), z = v3_cross(x, y);
    const sg_vec3 axis[6] = {x, y, z, v3_neg(x), v3_neg(y), v3_neg(z)};
    corner c[6];
    for (int i = 0; i < 6; i++) {
        c[i] = corner_at(pair, axis[i]);
        look_around(pair, &c[i], q, s);
    }
    for (int i = 0; i < 8; i++) {
        out[i].c[0] = c[i & 1 ? 3 : 0];
        out[i].c[1] = c[i & 2 ? 4 : 1];
        out[i].c[2] = c[i & 4 ? 5 : 2];
        out[i].bound = bound_below(out[i].c, &q->known, INFINITY);
    }
    return 8;
}

void sg_sweep_directions(sg_pair *pair, double tolerance, int max_triangles, sg_sweep *s)
{
    double proven = INFINITY;
    triangle waiting[WAITING_MAX];
    sweep_search q = {.noise = 4.0 * DBL_EPSILON * pair->size};
    s->triangles = 0;
    go_down(pair, s->n, &q, s);
    int n = start_triangles(pair, waiting, &q, s);
    while (n > 0) {
        triangle *t = &waiting[n - 1];
        if (t->bound >= s->depth - tolerance) {
            proven = s_min(proven, t->bound);
            n--;
            continue;
        }
        if (is_in_cap(&q, t->c)) {
            n--;
            continue;
        }
        if (s->triangles >= max_triangles || n == WAITING_MAX)
            break;
        s->triangles++;
        corner middle;
        double side = split(pair, t, &waiting[n], &middle);
        look_around(pair, &middle, &q, s);
        if (side < near && !is_near_valley(&q, middle.n))
            go_down(pair, middle.n, &q, s);
        double enough = s->depth - tolerance;
        t->bound = s_max(t->bound, bound_below(t->c, &q.known, enough));
        waiting[n].bound = s_max(waiting[n].bound, bound_below(waiting[n].c, &q.known, enough));
        n++;
    }
    for (int i = 0; i < n; i++)
        proven = s_min(proven, waiting[i].bound);
    s->gap = s_max(0.0, s->depth - s_min(proven, s->depth));
}
