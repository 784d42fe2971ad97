#include "solver/continuous.h"

#include <float.h>
#include <math.h>
#include <string.h>

sg_status sg_continuous_init(sg_continuous *c, sg_solver *s, ARKodeButcherTable table,
                             bool implicit)
{
    int32_t n = s->problem.n;
    *c = (sg_continuous){.n = n, .order = table->q, .table = table, .implicit = implicit};
    bool divides = !implicit && table->q >= 6;
    double **arrays[] = {&c->x0,    &c->f0, &c->f1, &c->node,     &c->node_f, &c->next,  &c->next_f,
                         &c->first, &c->f,  &c->x,  &c->filtered, &c->memo_x, &c->memo_f};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        *arrays[i] = SG_NEW_ARRAY(&s->arena, double, n);
    size_t length = (size_t)n * (divides ? SG_CONTINUOUS_PIECES : 1);
    for (int k = 0; k <= SG_CONTINUOUS_DEGREE; k++)
        c->p[k] = SG_NEW_ARRAY(&s->arena, double, length);
    if (divides)
        c->stages = SG_NEW_ARRAY(&s->arena, double, (size_t)n *(size_t)table->stages);
    return s->arena.failed ? SG_ERR_MEMORY : SG_OK;
}

void sg_continuous_destroy(sg_continuous *c)
{
    if (c->table)
        ARKodeButcherTable_Free(c->table);
}

void sg_continuous_restart(sg_continuous *c)
{
    c->degree = 0;
    c->has_f0 = c->has_f1 = c->has_memo = false;
}

// The last stage and the end of the step are the same sum in another order, so the last bits may
// differ: those of the state, and where it comes to zero those of what was added.
static bool is_memo(const sg_continuous *c, double t, const double *x)
{
    if (!c->has_memo || t != c->memo_t)
        return false;
    for (int32_t i = 0; i < c->n; i++)
        if (fabs(x[i] - c->memo_x[i]) >
            4.0 * DBL_EPSILON * fmax(fabs(x[i]), fabs(c->h * c->memo_f[i])))
            return false;
    return true;
}

// For a point that somebody looks at. What the method evaluated last stays: what it goes on with
// must not depend on who looked.
static int look_at_slope(const sg_continuous *c, sg_solver *s, double t, const double *x, double *f)
{
    if (!is_memo(c, t, x))
        return sg_solver_call_rhs(s, t, x, f);
    memcpy(f, c->memo_f, (size_t)c->n * sizeof(double));
    return 0;
}

// The slope at the start of the step, if it was looked at and is the one that would be found.
static bool is_start(const sg_continuous *c, const sg_solver *s, double t, const double *x)
{
    return c->has_f0 && !c->implicit && !s->shift.offset && t == c->t0 &&
           memcmp(x, c->x0, (size_t)c->n * sizeof(double)) == 0;
}

int sg_continuous_slope(sg_continuous *c, sg_solver *s, double t, const double *x, double *f)
{
    size_t bytes = (size_t)c->n * sizeof(double);
    if (is_memo(c, t, x)) {
        memcpy(f, c->memo_f, bytes);
        return 0;
    }
    int flag = 0;
    if (is_start(c, s, t, x))
        memcpy(f, c->f0, bytes);
    else
        flag = sg_solver_call_rhs(s, t, x, f);
    c->has_memo = flag == 0;
    c->memo_t = t;
    memcpy(c->memo_x, x, bytes);
    memcpy(c->memo_f, f, bytes);
    return flag;
}

void sg_continuous_keep(sg_continuous *c)
{
    c->kept = (sg_continuous_kept){c->has_f0, c->has_f1, c->degree, c->pieces, c->change};
}

// Slopes and polynomials that were there have not been made again.
void sg_continuous_put_back(sg_continuous *c)
{
    const sg_continuous_kept *k = &c->kept;
    c->has_f0 = k->has_f0;
    c->has_f1 = k->has_f1;
    c->degree = k->degree;
    c->pieces = k->pieces;
    c->change = k->change;
}

void sg_continuous_begin(sg_continuous *c, const sg_solver *s)
{
    c->t0 = s->t;
    memcpy(c->x0, s->x, (size_t)c->n * sizeof(double));
    double *f = c->f0;
    c->f0 = c->f1;
    c->f1 = f;
    c->has_f0 = c->has_f1;
    c->has_f1 = false;
    c->degree = 0;
}

void sg_continuous_end(sg_continuous *c, const sg_solver *s)
{
    c->h = s->t - c->t0;
    c->has_f1 = false;
}

static void value(const sg_continuous *c, int piece, double theta, double *x)
{
    size_t from = (size_t)piece * (size_t)c->n;
    memcpy(x, c->p[c->degree] + from, (size_t)c->n * sizeof(double));
    for (int k = c->degree - 1; k >= 0; k--)
        for (int32_t i = 0; i < c->n; i++)
            x[i] = x[i] * theta + c->p[k][from + (size_t)i];
}

// Derivative with respect to theta.
static void slope(const sg_continuous *c, int piece, double theta, double *dx)
{
    size_t from = (size_t)piece * (size_t)c->n;
    for (int32_t i = 0; i < c->n; i++)
        dx[i] = c->degree * c->p[c->degree][from + (size_t)i];
    for (int k = c->degree - 1; k >= 1; k--)
        for (int32_t i = 0; i < c->n; i++)
            dx[i] = dx[i] * theta + k * c->p[k][from + (size_t)i];
}

typedef struct piece_ends {
    double t, h;
    const double *x0, *f0, *x1, *f1;
} piece_ends;

static void make_cubic(sg_continuous *c, int piece, const piece_ends *e)
{
    size_t from = (size_t)piece * (size_t)c->n;
    for (int32_t i = 0; i < c->n; i++) {
        double rise = e->x1[i] - e->x0[i], left = e->h * e->f0[i], right = e->h * e->f1[i];
        size_t k = from + (size_t)i;
        c->p[0][k] = e->x0[i];
        c->p[1][k] = left;
        c->p[2][k] = 3.0 * rise - 2.0 * left - right;
        c->p[3][k] = left + right - 2.0 * rise;
    }
    c->degree = 3;
}

// Passes c->f through the matrix of the step, if the method is implicit. Null if that fails.
static const double *filter(sg_continuous *c, sg_solver *s)
{
    if (!c->implicit)
        return c->f;
    return sg_linear_solve(s, c->f, c->filtered) == 0 ? c->filtered : NULL;
}

// The cubic of implicit methods: a line, to which the slopes at the ends are added through the
// filter. Each round leaves a fraction h J of what was missing in slow components.
#define FILTER_ROUNDS 4

static bool make_filtered_cubic(sg_continuous *c, sg_solver *s, const piece_ends *e)
{
    for (int32_t i = 0; i < c->n; i++) {
        c->p[0][i] = e->x0[i];
        c->p[1][i] = e->x1[i] - e->x0[i];
        c->p[2][i] = c->p[3][i] = 0.0;
    }
    c->degree = 3;
    for (int round = 0; round < FILTER_ROUNDS; round++) {
        for (int32_t i = 0; i < c->n; i++)
            c->f[i] = e->h * e->f0[i] - c->p[1][i];
        const double *left = filter(c, s);
        if (!left)
            return false;
        memcpy(c->first, left, (size_t)c->n * sizeof(double));
        for (int32_t i = 0; i < c->n; i++)
            c->f[i] = e->h * e->f1[i] - (c->p[1][i] + 2.0 * c->p[2][i] + 3.0 * c->p[3][i]);
        const double *right = filter(c, s);
        if (!right)
            return false;
        for (int32_t i = 0; i < c->n; i++) {
            c->p[1][i] += c->first[i];
            c->p[2][i] -= 2.0 * c->first[i] + right[i];
            c->p[3][i] += c->first[i] + right[i];
        }
    }
    return true;
}

// By how much the slope of the model at theta exceeds that of the polynomial, times h. Null when
// the model cannot be evaluated there.
static const double *excess(sg_continuous *c, sg_solver *s, int piece, const piece_ends *e,
                            double theta)
{
    value(c, piece, theta, c->x);
    if (sg_solver_call_rhs(s, e->t + theta * e->h, c->x, c->f) != 0)
        return NULL;
    slope(c, piece, theta, c->x);
    for (int32_t i = 0; i < c->n; i++)
        c->f[i] = e->h * c->f[i] - c->x[i];
    return filter(c, s);
}

// What is asked for, but no more than time itself can tell: in an impact a velocity that passes
// through zero changes by more than its tolerance from one representable time to the next.
static double weight(const sg_solver *s, const piece_ends *e, int32_t i)
{
    double atol = s->problem.atol ? s->problem.atol[i] : s->options.atol;
    double instant = 16.0 * DBL_EPSILON * fabs(e->t);
    return fmax(s->options.rtol * fabs(e->x1[i]) + atol, instant * fabs(e->f1[i]));
}

// The correction w = theta^2 (1 - theta)^2 leaves values and slopes at the ends alone; its slope is
// 4/27 at theta = 1/3 and zero in the middle, which is why the slope is compared at a third.
// Its largest value is 1/16. Sets c->change to that of the correction, relative to the tolerance.
static bool make_quartic(sg_continuous *c, sg_solver *s, int piece, const piece_ends *e)
{
    c->change = 0.0;
    const double *d = excess(c, s, piece, e, 1.0 / 3.0);
    size_t from = (size_t)piece * (size_t)c->n;
    for (int32_t i = 0; d && i < c->n; i++) {
        double a = 27.0 / 4.0 * d[i];
        size_t k = from + (size_t)i;
        c->p[2][k] += a;
        c->p[3][k] -= 2.0 * a;
        c->p[4][k] = a;
        c->change = fmax(c->change, fabs(a) / 16.0 / weight(s, e, i));
    }
    c->degree = d ? 4 : 3;
    return d != NULL;
}

// Adds w (a + b theta), with a and b such that the slopes at both thirds are those of the model.
static void make_quintic(sg_continuous *c, sg_solver *s, int piece, const piece_ends *e)
{
    size_t from = (size_t)piece * (size_t)c->n;
    const double *d = excess(c, s, piece, e, 1.0 / 3.0);
    if (d)
        memcpy(c->first, d, (size_t)c->n * sizeof(double));
    d = d ? excess(c, s, piece, e, 2.0 / 3.0) : NULL;
    double change = 0.0;
    for (int32_t i = 0; d && i < c->n; i++) {
        double a = -27.0 / 4.0 * (c->first[i] + 2.0 * d[i]);
        double b = 81.0 / 4.0 * (c->first[i] + d[i]);
        size_t k = from + (size_t)i;
        c->p[2][k] += a;
        c->p[3][k] += b - 2.0 * a;
        c->p[4][k] += a - 2.0 * b;
        c->p[5][k] = b;
        change = fmax(change, fmax(fabs(a), fabs(a + b)) / 16.0 / weight(s, e, i));
    }
    c->degree = d ? 5 : 4;
    c->change = d ? change : c->change;
}

// One step of the method itself over h from (t, x) with slope f there, to x1.
static bool own_step(sg_continuous *c, sg_solver *s, double t, double h, const double *x,
                     const double *f, double *x1)
{
    ARKodeButcherTable table = c->table;
    int32_t n = c->n;
    memcpy(c->stages, f, (size_t)n * sizeof(double));
    for (int k = 1; k <= table->stages; k++) {
        const double *a = k < table->stages ? table->A[k] : table->b;
        memcpy(x1, x, (size_t)n * sizeof(double));
        for (int j = 0; j < k; j++)
            for (int32_t i = 0; a[j] != 0.0 && i < n; i++)
                x1[i] += h * a[j] * c->stages[(size_t)j * (size_t)n + (size_t)i];
        if (k < table->stages &&
            sg_solver_call_rhs(s, t + table->c[k] * h, x1, c->stages + (size_t)k * (size_t)n) != 0)
            return false;
    }
    return true;
}

static void swap(double **a, double **b)
{
    double *kept = *a;
    *a = *b;
    *b = kept;
}

static bool divide(sg_continuous *c, sg_solver *s, int pieces)
{
    double h = c->h / pieces;
    size_t bytes = (size_t)c->n * sizeof(double);
    memcpy(c->node, c->x0, bytes);
    memcpy(c->node_f, c->f0, bytes);
    for (int k = 0; k < pieces; k++) {
        bool last = k == pieces - 1;
        piece_ends e = {c->t0 + k * h, h, c->node, c->node_f, c->next, c->next_f};
        if (last) { // ends exactly where the solver stands
            memcpy(c->next, s->x, bytes);
            memcpy(c->next_f, c->f1, bytes);
        } else if (!own_step(c, s, e.t, h, c->node, c->node_f, c->next) ||
                   sg_solver_call_rhs(s, e.t + h, c->next, c->next_f) != 0)
            return false;
        make_cubic(c, k, &e);
        if (!make_quartic(c, s, k, &e))
            return false;
        make_quintic(c, s, k, &e);
        if (c->degree != 5)
            return false;
        swap(&c->node, &c->next);
        swap(&c->node_f, &c->next_f);
    }
    c->pieces = pieces;
    return true;
}

static sg_status make_slopes(sg_continuous *c, sg_solver *s)
{
    if ((!c->has_f0 && look_at_slope(c, s, c->t0, c->x0, c->f0) != 0) ||
        (!c->has_f1 && look_at_slope(c, s, s->t, s->x, c->f1) != 0))
        return sg_solver_fail(s, SG_ERR_SOLVER, "the model could not be evaluated");
    c->has_f0 = c->has_f1 = true;
    return SG_OK;
}

// A model that cannot be evaluated inside of a step leaves a lower degree in place.
sg_status sg_continuous_prepare(sg_continuous *c, sg_solver *s)
{
    piece_ends e = {c->t0, c->h, c->x0, c->f0, s->x, c->f1};
    sg_status status = make_slopes(c, s);
    if (status)
        return status;
    c->pieces = 1;
    c->change = 0.0;
    if (!c->implicit || !make_filtered_cubic(c, s, &e))
        make_cubic(c, 0, &e);
    if ((c->order < 4 && !c->implicit) || !make_quartic(c, s, 0, &e) || c->order < 5)
        return SG_OK;
    make_quintic(c, s, 0, &e);
    if (!c->stages || c->change <= 1.0)
        return SG_OK;
    // The change is of fifth order in the size of a piece.
    double pieces = ceil(pow(c->change, 0.2));
    int n = pieces < SG_CONTINUOUS_PIECES ? (int)pieces : SG_CONTINUOUS_PIECES;
    if (n > 1 && !divide(c, s, n)) {
        c->pieces = 1;
        make_cubic(c, 0, &e);
    }
    return SG_OK;
}

void sg_continuous_retry(sg_continuous *c, sg_solver *s)
{
    memcpy(s->x, c->x0, (size_t)c->n * sizeof(double));
    s->t = c->t0;
    c->degree = 0;
    c->has_f1 = false;
}

sg_status sg_continuous_expand(sg_continuous *c, sg_solver *s, double t, sg_expansion *e)
{
    sg_status status = c->degree == 0 ? sg_continuous_prepare(c, s) : SG_OK;
    if (status)
        return status;
    e->unit = c->h / c->pieces;
    double part = (t - c->t0) / e->unit;
    int piece = part < 0.0 ? 0 : part >= c->pieces ? c->pieces - 1 : (int)part;
    // A piece that ends at t is not the one behind t, however that was rounded.
    if (piece < c->pieces - 1 && c->t0 + (piece + 1) * e->unit <= t)
        piece++;
    e->origin = c->t0 + piece * e->unit;
    if (piece < c->pieces - 1)
        e->end = c->t0 + (piece + 1) * e->unit;
    e->degree = c->degree;
    size_t from = (size_t)piece * (size_t)c->n;
    for (int k = 0; k <= c->degree; k++)
        memcpy(e->c[k], c->p[k] + from, (size_t)c->n * sizeof(double));
    return SG_OK;
}

bool sg_continuous_evaluate_roughly(sg_continuous *c, sg_solver *s, double t, double *x, double *dx)
{
    if (c->implicit || c->order < 4 || c->degree || make_slopes(c, s))
        return false;
    double u = (t - c->t0) / c->h, w = 1.0 - u;
    for (int32_t i = 0; i < c->n; i++) {
        double rise = s->x[i] - c->x0[i], left = c->h * c->f0[i], right = c->h * c->f1[i];
        x[i] = c->x0[i] + u * (u * (3.0 - 2.0 * u) * rise + w * (w * left - u * right));
        dx[i] =
            (6.0 * u * w * rise + (1.0 - 3.0 * u) * w * left + u * (3.0 * u - 2.0) * right) / c->h;
    }
    return true;
}

sg_status sg_continuous_evaluate(sg_continuous *c, sg_solver *s, double t, double *x, double *dx)
{
    sg_status status = c->degree == 0 ? sg_continuous_prepare(c, s) : SG_OK;
    if (status)
        return status;
    double part = c->pieces * (t - c->t0) / c->h;
    int piece = part < 0.0 ? 0 : part >= c->pieces ? c->pieces - 1 : (int)part;
    value(c, piece, part - piece, x);
    if (!dx)
        return SG_OK;
    slope(c, piece, part - piece, dx);
    for (int32_t i = 0; i < c->n; i++)
        dx[i] *= c->pieces / c->h;
    return SG_OK;
}

// Thirds and ends are where the polynomial has the slopes of the model, and fractions of small
// numbers are where the stages of a method lie; these are neither.
static const double looked_at[] = {0.4142, 0.8284};

double sg_continuous_doubt(sg_continuous *c, sg_solver *s, double t)
{
    double way = t - c->t0, most = 0.0;
    piece_ends e = {c->t0, c->h, c->x0, c->f0, s->x, c->f1};
    for (size_t k = 0; k < sizeof looked_at / sizeof looked_at[0]; k++) {
        double at = c->t0 + looked_at[k] * way;
        if (sg_continuous_evaluate(c, s, at, c->x, c->first) ||
            sg_solver_call_rhs(s, at, c->x, c->f) != 0)
            return INFINITY;
        for (int32_t i = 0; i < c->n; i++)
            most = fmax(most, way * fabs(c->f[i] - c->first[i]) / weight(s, &e, i));
    }
    return most;
}
