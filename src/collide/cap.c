#include "collide/cap.h"

#include "math/scalar.h"

// Slack for what rounding leaves of the slopes' balance, of the size.
static const double slack = 1e-12;
// Slack for the ball's radius, of the size: it is far from tight where it matters.
static const double ball_slack = 1e-9;

// Smallest of max_j g_j u over unit vectors u: how far the origin is inside the triangle of the g.
static double least_slope(double g[3][2])
{
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        const double *a = g[i], *b = g[(i + 1) % 3], *c = g[(i + 2) % 3];
        double x = b[0] - a[0], y = b[1] - a[1], l = sqrt(x * x + y * y);
        double side = x * (c[1] - a[1]) - y * (c[0] - a[0]); // which side is inside
        double in = (y * a[0] - x * a[1]) * (side < 0.0 ? -1.0 : 1.0);
        if (!(l > 0.0))
            return 0.0;
        least = s_min(least, in / l);
    }
    return least;
}

static double least_value(const double K[3])
{
    double mean = 0.5 * (K[0] + K[2]), half = 0.5 * (K[0] - K[2]);
    return mean - sqrt(half * half + K[1] * K[1]);
}

// Whether slopes and curvature hold h up within the angle whose half has the tangent tau.
static bool holds(int k, double g[3][2], const double K[3], double h, double tau, double eps)
{
    if (k == 1)
        return least_value(K) >= h;
    if (k == 3)
        return least_slope(g) - eps >= tau * s_max(0.0, h - least_value(K));
    double l0 = sqrt(g[0][0] * g[0][0] + g[0][1] * g[0][1]);
    double l1 = sqrt(g[1][0] * g[1][0] + g[1][1] * g[1][1]), l = l0 > l1 ? l0 : l1;
    const double *s = l0 > l1 ? g[0] : g[1];
    if (!(l > 0.0))
        return false;
    double x = s[0] / l, y = s[1] / l; // across the edge; along it is (-y, x)
    double across = K[0] * x * x + 2.0 * K[1] * x * y + K[2] * y * y;
    double along = K[0] * y * y - 2.0 * K[1] * x * y + K[2] * x * x;
    double mixed = (K[2] - K[0]) * x * y + K[1] * (x * x - y * y);
    return along >= h && s_min(l0, l1) - eps >= tau * (2.0 * fabs(mixed) + s_max(0.0, h - across));
}

// What meets at the minimum: the number of pieces, 0 if there are too many, their slopes, and which
// pieces of each shape.
typedef struct met_pieces {
    int k;
    double g[3][2];
    uint32_t a, b;
} met_pieces;

static met_pieces find_pieces(const sg_descent *t)
{
    met_pieces m = {.k = 0};
    for (int j = 0; j < t->pieces; j++)
        if (t->mu[j] > 0.0) {
            if (m.k == 3)
                return (met_pieces){.k = 0};
            m.g[m.k][0] = v3_dot(t->e1, t->piece[j].p);
            m.g[m.k++][1] = v3_dot(t->e2, t->piece[j].p);
            m.a |= 1u << (t->piece[j].ia & 31);
            m.b |= 1u << (t->piece[j].ib & 31);
        }
    return m;
}

static bool holds_within(const sg_pair *pair, const sg_descent *t, met_pieces *m, double tau)
{
    double K[3];
    sg_pair_least_curvature(pair, m->a, m->b, t->n, tau, t->e1, t->e2, K);
    return holds(m->k, m->g, K, t->h, tau, slack * pair->size);
}

bool sg_cap_holds(const sg_pair *pair, const sg_descent *t, double reach)
{
    met_pieces m = find_pieces(t);
    return m.k > 0 && holds_within(pair, t, &m, reach);
}

double sg_cap_reach(const sg_pair *pair, const sg_descent *t, double most, double least)
{
    met_pieces m = find_pieces(t);
    // Curvature varies over a cap, so a smaller one may be proven where a larger one is not.
    double reach = most;
    while (m.k > 0 && reach >= least && !holds_within(pair, t, &m, reach))
        reach *= 0.5;
    if (m.k == 0 || reach < least)
        return 0.0;
    return reach < most && holds_within(pair, t, &m, 1.5 * reach) ? 1.5 * reach : reach;
}

double sg_cap_reach_of_tip(sg_vec3 n, sg_vec3 p, double r)
{
    double h = v3_dot(n, p), slope = r - v3_norm(v3_add_scaled(p, n, -h));
    return slope > 0.0 ? slope / s_max(0.0, h) : 0.0;
}

double sg_cap_beyond_ball(const sg_pair *pair, sg_vec3 n, double h)
{
    sg_vec3 c = sg_pair_center(pair);
    double away = v3_norm(c), room = pair->inradius - ball_slack * pair->size - h;
    if (room >= away)
        return 0.0;
    // The ball fails within an angle of the direction away from its center, which lies at another
    // angle from n: cosines and sines of both, and the sum of the two.
    double x = room / away, ca = -v3_dot(c, n) / away;
    if (!(x > -1.0 && fabs(ca) <= 1.0))
        return INFINITY;
    double y = sqrt(1.0 - x * x), sa = sqrt(1.0 - ca * ca), sine = sa * x + ca * y;
    return sine > 0.0 ? sine / (1.0 + ca * x - sa * y) : (double)INFINITY;
}

double sg_cap_sum(double reach, sg_vec3 a, sg_vec3 b)
{
    double chord2 = v3_norm2(v3_sub(a, b)), between = sqrt(chord2 / (4.0 - chord2));
    double left = 1.0 - reach * between;
    return left > 0.0 ? (reach + between) / left : (double)INFINITY;
}
