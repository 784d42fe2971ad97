#include "collide/descend.h"

#include "math/scalar.h"

#include <float.h>

// A step below this angle leaves an error of its square: the last one, if the balance agrees.
static const double small_step = 2e-7;
// How far the weighted point may be from parallel to n at the end, of the size.
static const double off_axis = 1e-13;
// Longest step [rad]: the model is local. Steps cut to it that land on a rising slope have gone too
// far, and the next ones are cut to half of it; otherwise they would cross a flat valley to and
// fro.
static const double long_step = 0.6;

typedef struct model {
    int k;
    double h[SG_DESCENT_PIECES];
    double g[SG_DESCENT_PIECES][2];
    double W[3];
    double bent[3], V[3]; // W made positive, and its inverse
    bool positive;        // W itself is
    double floor;         // least curvature that a step believes in
} model;

typedef struct step {
    double d[2], mu[SG_DESCENT_PIECES], value;
} step;

void sg_descent_start(sg_descent *descent, sg_vec3 n)
{
    descent->n = n;
    descent->pieces = 0;
    descent->steps = 0;
    descent->converged = false;
}

int sg_descent_add(sg_descent *descent, const sg_support_point *point)
{
    int slot = descent->pieces;
    for (int j = 0; j < descent->pieces; j++)
        if (descent->piece[j].ia == point->ia && descent->piece[j].ib == point->ib)
            return -1;
    if (slot == SG_DESCENT_PIECES) { // the lowest one matters least
        slot = 0;
        for (int j = 1; j < descent->pieces; j++)
            if (v3_dot(descent->piece[j].p, descent->n) <
                v3_dot(descent->piece[slot].p, descent->n))
                slot = j;
    } else {
        descent->pieces++;
    }
    descent->piece[slot] = *point;
    descent->mu[slot] = 0.0;
    return slot;
}

// The inverse of W for a step without constraint. W must be safely positive there: a saddle or a
// flat direction is bent up, in that direction only, so that the other one keeps its Newton step.
// It is bent enough to keep a step down the gradient g within the longest; if the whole step were
// cut instead, it would go along the flat direction and forget the steep one.
static bool invert_weight(model *m, double scale, double g)
{
    double mean = 0.5 * (m->W[0] + m->W[2]), half = 0.5 * (m->W[0] - m->W[2]);
    double r = sqrt(half * half + m->W[1] * m->W[1]), least = mean - r, most = mean + r;
    double W[3] = {m->W[0], m->W[1], m->W[2]};
    m->floor = 1e-10 * s_max(fabs(most), scale);
    double flat = s_max(m->floor, g / long_step);
    m->positive = least >= flat;
    if (least < flat) {
        double add = s_max(flat, fabs(least)) - least;
        // The direction of the least curvature, (-sin a, cos a) with tan 2a = W[1]/half.
        double c2 = r > 0.0 ? half / r : 1.0, s2 = r > 0.0 ? m->W[1] / r : 0.0;
        W[0] += add * 0.5 * (1.0 - c2);
        W[1] -= add * 0.5 * s2;
        W[2] += add * 0.5 * (1.0 + c2);
        if (most < flat) {
            W[0] += flat - most;
            W[2] += flat - most;
        }
    }
    double det = W[0] * W[2] - W[1] * W[1];
    if (!(det > 0.0) || !isfinite(det))
        return false;
    for (int i = 0; i < 3; i++)
        m->bent[i] = W[i];
    m->V[0] = W[2] / det;
    m->V[1] = -W[1] / det;
    m->V[2] = W[0] / det;
    return true;
}

// The model at descent->n from the pieces' points there.
static bool build_model(const sg_pair *pair, sg_descent *t, model *m)
{
    t->e1 = v3_perpendicular(t->n);
    t->e2 = v3_cross(t->n, t->e1);
    m->k = t->pieces;
    int top = 0;
    double weight = 0.0;
    for (int j = 0; j < m->k; j++) {
        m->h[j] = v3_dot(t->n, t->piece[j].p);
        m->g[j][0] = v3_dot(t->e1, t->piece[j].p);
        m->g[j][1] = v3_dot(t->e2, t->piece[j].p);
        weight += t->mu[j];
        if (m->h[j] > m->h[top])
            top = j;
    }
    if (!(weight > 0.5)) {
        for (int j = 0; j < m->k; j++)
            t->mu[j] = j == top ? 1.0 : 0.0;
        weight = 1.0;
    }
    t->h = m->h[top];
    m->W[0] = m->W[2] = -t->h;
    m->W[1] = 0.0;
    for (int j = 0; j < m->k; j++) {
        double c[3];
        if (t->mu[j] == 0.0)
            continue;
        if (!sg_pair_curvature(pair, t->piece[j].ia, t->piece[j].ib, t->n, t->e1, t->e2, c))
            return false;
        for (int i = 0; i < 3; i++)
            m->W[i] += t->mu[j] / weight * c[i];
    }
    for (int i = 0; i < 3; i++)
        t->W[i] = m->W[i];
    return invert_weight(m, pair->size,
                         sqrt(m->g[top][0] * m->g[top][0] + m->g[top][1] * m->g[top][1]));
}

static void apply(const double V[3], const double x[2], double y[2])
{
    y[0] = V[0] * x[0] + V[1] * x[1];
    y[1] = V[1] * x[0] + V[2] * x[1];
}

// The best step with exactly the pieces i (and j, and l) meeting; -1 stands for none. False unless
// their weights come out non-negative.
static bool solve_subset(const model *m, int i, int j, int l, step *s)
{
    for (int q = 0; q < m->k; q++)
        s->mu[q] = 0.0;
    double g[2] = {m->g[i][0], m->g[i][1]}, y[2];
    if (j < 0) {
        apply(m->V, g, y);
        s->mu[i] = 1.0;
    } else if (l < 0) {
        // Along the line where both are equal: at d0 + t q, q across delta.
        double delta[2] = {m->g[i][0] - m->g[j][0], m->g[i][1] - m->g[j][1]};
        double l2 = delta[0] * delta[0] + delta[1] * delta[1], f = (m->h[j] - m->h[i]) / l2;
        if (!(l2 > 0.0))
            return false;
        double d0[2] = {f * delta[0], f * delta[1]}, q[2] = {-delta[1], delta[0]}, wq[2], wd[2];
        apply(m->W, q, wq);
        double slope = wq[0] * d0[0] + wq[1] * d0[1] + q[0] * g[0] + q[1] * g[1];
        double curve = q[0] * wq[0] + q[1] * wq[1];
        // A saddle along the line: as far as the longest step goes.
        bool bent = !(curve > m->floor * l2);
        double least = s_max(m->floor * l2, fabs(slope) * sqrt(l2) / long_step);
        double t = -slope / (bent ? least : curve);
        s->d[0] = d0[0] + t * q[0];
        s->d[1] = d0[1] + t * q[1];
        apply(m->W, s->d, wd);
        double mu = -(delta[0] * (wd[0] + m->g[j][0]) + delta[1] * (wd[1] + m->g[j][1])) / l2;
        if (bent && !(mu >= 0.0 && mu <= 1.0)) // where W says nothing, the slopes do
            mu = -(delta[0] * m->g[j][0] + delta[1] * m->g[j][1]) / l2;
        s->mu[i] = mu;
        s->mu[j] = 1.0 - mu;
        s->value = m->h[i] + m->g[i][0] * s->d[0] + m->g[i][1] * s->d[1];
        return mu >= 0.0 && mu <= 1.0;
    } else {
        double a[2] = {m->g[i][0] - m->g[l][0], m->g[i][1] - m->g[l][1]};
        double b[2] = {m->g[j][0] - m->g[l][0], m->g[j][1] - m->g[l][1]};
        double det = a[0] * b[1] - a[1] * b[0], ra = m->h[l] - m->h[i], rb = m->h[l] - m->h[j];
        if (det == 0.0)
            return false;
        double d[2] = {(ra * b[1] - rb * a[1]) / det, (a[0] * rb - b[0] * ra) / det};
        // Stationarity: mu_i a + mu_j b = -(W d + g_l).
        double c[2];
        apply(m->W, d, c);
        c[0] = -c[0] - m->g[l][0];
        c[1] = -c[1] - m->g[l][1];
        s->mu[i] = (c[0] * b[1] - c[1] * b[0]) / det;
        s->mu[j] = (a[0] * c[1] - a[1] * c[0]) / det;
        s->mu[l] = 1.0 - s->mu[i] - s->mu[j];
        s->d[0] = d[0];
        s->d[1] = d[1];
        s->value = m->h[l] + m->g[l][0] * d[0] + m->g[l][1] * d[1];
        return s->mu[i] >= 0.0 && s->mu[j] >= 0.0 && s->mu[l] >= 0.0 && isfinite(d[0] + d[1]);
    }
    s->d[0] = -y[0];
    s->d[1] = -y[1];
    s->value = m->h[i] + m->g[i][0] * s->d[0] + m->g[i][1] * s->d[1];
    return true;
}

// No other piece may rise above the ones that meet.
static bool is_above_all(const model *m, const step *s, double slack)
{
    for (int q = 0; q < m->k; q++)
        if (s->mu[q] == 0.0 &&
            m->h[q] + m->g[q][0] * s->d[0] + m->g[q][1] * s->d[1] > s->value + slack)
            return false;
    return true;
}

// The model is a strictly convex program in two variables; at most three pieces meet at its
// solution, so the subsets are few and the right one is known when it is found.
static bool solve_model(const model *m, double slack, const double *last, step *s)
{
    // Mostly the pieces that met last meet again. Where W is positive the solution is the only one,
    // so the order of trying does not matter.
    int met[3] = {-1, -1, -1}, n = 0;
    for (int i = 0; i < m->k && n < 4; i++)
        if (last[i] > 0.0) {
            if (n < 3)
                met[n] = i;
            n++;
        }
    if (m->positive && n >= 1 && n <= 3 && solve_subset(m, met[0], met[1], met[2], s) &&
        is_above_all(m, s, slack))
        return true;
    // One piece alone needs a positive W. Along a line where two meet it may be a saddle.
    for (int i = 0; i < m->k && m->positive; i++)
        if (solve_subset(m, i, -1, -1, s) && is_above_all(m, s, slack))
            return true;
    for (int i = 0; i < m->k; i++)
        for (int j = i + 1; j < m->k; j++)
            if (solve_subset(m, i, j, -1, s) && is_above_all(m, s, slack))
                return true;
    for (int i = 0; i < m->k; i++)
        for (int j = i + 1; j < m->k; j++)
            for (int l = j + 1; l < m->k; l++)
                if (solve_subset(m, i, j, l, s) && is_above_all(m, s, slack))
                    return true;
    return false;
}

// All pieces' points at n; the one of w, the support point there, is known already.
static void move_to(const sg_pair *pair, sg_descent *t, sg_vec3 n, const sg_support_point *w)
{
    t->n = n;
    for (int j = 0; j < t->pieces; j++)
        if (w && t->piece[j].ia == w->ia && t->piece[j].ib == w->ib)
            t->piece[j] = *w;
        else
            t->piece[j] = sg_pair_piece(pair, t->piece[j].ia, t->piece[j].ib, n);
}

// A step along the line where pieces meet leaves it by the square of its length, each piece rising
// at its own curvature, and the largest may rise above where the step came from. This brings their
// values together again, across the line.
static sg_vec3 correct(const sg_pair *pair, const sg_descent *t, const step *s, sg_vec3 n)
{
    int k = 0;
    double h[3], g[3][2];
    for (int j = 0; j < t->pieces && k < 3; j++)
        if (s->mu[j] > 0.0) {
            sg_vec3 p = sg_pair_piece(pair, t->piece[j].ia, t->piece[j].ib, n).p;
            h[k] = v3_dot(n, p);
            g[k][0] = v3_dot(t->e1, p);
            g[k++][1] = v3_dot(t->e2, p);
        }
    double c[2] = {0.0, 0.0};
    if (k < 2)
        return n;
    double a[2] = {g[0][0] - g[k - 1][0], g[0][1] - g[k - 1][1]}, ra = h[k - 1] - h[0];
    if (k == 2) {
        double f = ra / (a[0] * a[0] + a[1] * a[1]);
        c[0] = f * a[0];
        c[1] = f * a[1];
    } else {
        double b[2] = {g[1][0] - g[2][0], g[1][1] - g[2][1]}, rb = h[2] - h[1];
        double det = a[0] * b[1] - a[1] * b[0];
        c[0] = (ra * b[1] - rb * a[1]) / det;
        c[1] = (a[0] * rb - b[0] * ra) / det;
    }
    if (!(fabs(c[0]) + fabs(c[1]) < 0.5)) // also when there is no number
        return n;
    return v3_unit(v3_add_scaled(v3_add_scaled(n, t->e1, c[0]), t->e2, c[1]));
}

// Weights that balance the slopes of the step's pieces here and now. Those of the step balance them
// at its end, and along a flat valley that is far away.
static bool balance(const model *m, step *s)
{
    int j[3] = {0}, k = 0;
    for (int i = 0; i < m->k; i++)
        if (s->mu[i] > 0.0) {
            if (k == 3)
                return false;
            j[k++] = i;
        }
    if (k < 2)
        return k == 1;
    const double *a = m->g[j[0]], *b = m->g[j[1]], *c = m->g[j[2]];
    double w[3] = {0.0, 0.0, 0.0};
    if (k == 2) {
        double x = a[0] - b[0], y = a[1] - b[1];
        w[0] = s_max(0.0, s_min(1.0, -(x * b[0] + y * b[1]) / (x * x + y * y)));
        w[1] = 1.0 - w[0];
    } else {
        w[0] = b[0] * c[1] - b[1] * c[0];
        w[1] = c[0] * a[1] - c[1] * a[0];
        w[2] = a[0] * b[1] - a[1] * b[0];
        double sum = w[0] + w[1] + w[2];
        for (int i = 0; i < 3; i++)
            w[i] /= sum;
        if (!(w[0] >= 0.0 && w[1] >= 0.0 && w[2] >= 0.0))
            return false;
    }
    for (int i = 0; i < k; i++)
        s->mu[j[i]] = w[i];
    return true;
}

// Whether n is the place already: the weighted point is parallel to n and the pieces that carry it
// are all at the top; `s` then has their weights. The length of the step does not tell. Near the
// tip of a cone the curvature knows no bounds and steps are always short; at a corner every
// direction of a cone serves and they never are.
static bool is_stationary(const sg_pair *pair, const model *m, step *s, double top)
{
    step here = *s;
    if (!balance(m, &here))
        return false;
    double x = 0.0, y = 0.0, below = 0.0;
    for (int j = 0; j < m->k; j++) {
        x += here.mu[j] * m->g[j][0];
        y += here.mu[j] * m->g[j][1];
        below += here.mu[j] * (top - m->h[j]);
    }
    if (!(fabs(x) + fabs(y) + below < off_axis * pair->size))
        return false;
    *s = here;
    return true;
}

static bool settle(sg_descent *t, const step *s)
{
    for (int j = 0; j < t->pieces; j++)
        t->mu[j] = s->mu[j];
    t->converged = true;
    return true;
}

bool sg_descend(sg_pair *pair, sg_descent *t, int max_steps)
{
    double slack = 4.0 * DBL_EPSILON * pair->size;
    sg_support_point w = sg_pair_support(pair, t->n);
    move_to(pair, t, t->n, &w);
    sg_descent_add(t, &w);
    double shrink = 1.0, reach = long_step;
    for (int k = 0; k < max_steps; k++) {
        model m = {.k = 0};
        step s;
        if (!build_model(pair, t, &m))
            return false;
        for (int j = 0; j < t->pieces; j++)
            s.mu[j] = t->mu[j];
        if (is_stationary(pair, &m, &s, t->h))
            return settle(t, &s);
        if (!solve_model(&m, slack, t->mu, &s)) {
            // The weights that W is made with may be far off, and W a saddle. With the bent one
            // the program is strictly convex and has a solution.
            for (int i = 0; i < 3; i++)
                m.W[i] = m.bent[i];
            m.positive = true;
            if (!solve_model(&m, slack, t->mu, &s))
                return false;
        }
        t->steps++;
        if (is_stationary(pair, &m, &s, t->h))
            return settle(t, &s);
        double length = sqrt(s.d[0] * s.d[0] + s.d[1] * s.d[1]);
        bool last = length < small_step;
        double f = s_min(shrink, length > reach ? reach / length : 1.0);
        sg_vec3 d = v3_add(v3_scale(t->e1, f * s.d[0]), v3_scale(t->e2, f * s.d[1]));
        sg_vec3 n = v3_unit(v3_add(t->n, d));
        w = sg_pair_support(pair, n);
        double h = v3_dot(n, w.p);
        int added = sg_descent_add(t, &w);
        if (h > t->h + slack && !last && added < 0) {
            n = correct(pair, t, &s, n);
            w = sg_pair_support(pair, n);
            h = v3_dot(n, w.p);
            added = sg_descent_add(t, &w);
        }
        if (h > t->h + slack && !last) {
            // Either an unknown piece stood in the way, and the model now knows it, or the step
            // was too long for the model.
            if (added < 0)
                shrink *= 0.25;
            else
                move_to(pair, t, t->n, NULL);
            if (shrink < 1e-3)
                return false;
            continue;
        }
        shrink = s_min(1.0, 4.0 * shrink);
        if (length > reach)
            reach = v3_dot(w.p, v3_sub(d, v3_scale(n, v3_dot(n, d)))) > 0.0
                        ? 0.5 * reach
                        : s_min(long_step, 2.0 * reach);
        for (int j = 0; j < t->pieces; j++)
            t->mu[j] = j == added ? 0.0 : s.mu[j];
        move_to(pair, t, n, &w);
        t->h = h;
    }
    return false;
}

sg_support_point sg_descent_point(const sg_descent *descent)
{
    sg_support_point s = {.p = V3_ZERO, .a = V3_ZERO};
    for (int j = 0; j < descent->pieces; j++) {
        s.p = v3_add_scaled(s.p, descent->piece[j].p, descent->mu[j]);
        s.a = v3_add_scaled(s.a, descent->piece[j].a, descent->mu[j]);
    }
    return s;
}
