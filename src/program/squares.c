// Least squares by Levenberg and Marquardt, which need no regular matrix.
//
// They lead out of a point like x = 0 of x^2 = 4, and where there is no solution they end at what
// comes nearest. Small systems by normal equations; large ones by the sparse matrix
//
//     ( 1      -W A ) (u)   (W r)
//     ((W A)'  mu D ) (d) = ( 0 )
//
// which has the same solution and is as sparse as A is.
#include "base/assert.h"
#include "math/dense.h"
#include "program/route.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    SQUARES_LIMIT = 300,
    SIZES_UNKNOWNS = 60, // beyond that many there are too many combinations
    SIZES_STARTS = 40
};
// Least squares that gain less than this in a step have arrived.
static const double smallest_gain = 1e-9;

// Normal equations of the weighted residuals, (A'A + mu diag(A'A)) d = -A'r.
static bool solve_squares(sg_route *p, double mu)
{
    const sg_sparse *a = &p->work->sparse;
    sg_space *space = p->space;
    uint32_t n = space->n;
    double *m = p->work->least.normal, *row = space->bar, largest = 0.0;
    memset(m, 0, (size_t)n * n * sizeof(double));
    memset(space->d, 0, n * sizeof(double));
    memset(row, 0, n * sizeof(double));
    for (uint32_t j = 0; j < n; j++) {
        for (int32_t k = a->start[j]; k < a->start[j + 1]; k++) {
            double w = p->work->far.weight[a->rows[k]];
            row[a->rows[k]] = a->values[k] * w * w;
            space->d[j] -= row[a->rows[k]] * space->r[a->rows[k]];
        }
        for (uint32_t i = 0; i <= j; i++) {
            double sum = 0.0;
            for (int32_t k = a->start[i]; k < a->start[i + 1]; k++)
                sum += row[a->rows[k]] * a->values[k];
            m[j * n + i] = sum;
        }
        for (int32_t k = a->start[j]; k < a->start[j + 1]; k++)
            row[a->rows[k]] = 0.0;
        largest = fmax(largest, m[j * n + j]);
    }
    for (uint32_t j = 0; j < n; j++) // a column of zeros stays where it is
        m[j * n + j] += mu * (m[j * n + j] > 0.0 ? m[j * n + j] : fmax(largest, DBL_MIN));
    if (!isfinite(largest) || sg_cholesky_factor(m, (int)n) != SG_OK)
        return false;
    sg_cholesky_solve(m, (int)n, space->d);
    return true;
}

// The pattern of the large matrix, from that of A; made when it is first wanted, which is at the
// start or at an event. False if there is no memory.
static bool make_augmented(sg_route *p)
{
    const sg_sparse *a = &p->work->sparse;
    sg_sparse *m = &p->work->least.augmented;
    sg_arena *arena = &p->exec->arena;
    int32_t n = a->n, nnz = 2 * a->nnz + 2 * n, at = 0;
    int32_t *count = SG_NEW_ARRAY(arena, int32_t, n + 1);
    int32_t *start = SG_NEW_ARRAY(arena, int32_t, 2 * n + 2);
    *m = (sg_sparse){.n = 2 * n, .nnz = nnz, .bad = -1};
    m->rows = SG_NEW_ARRAY(arena, int32_t, nnz + 1);
    m->values = SG_NEW_ARRAY(arena, double, nnz + 1);
    m->factored = SG_NEW_ARRAY(arena, double, nnz + 1);
    p->work->least.augmented_b = SG_NEW_ARRAY(arena, double, 2 * n + 1);
    if (arena->failed)
        return false;
    for (int32_t k = 0; k < a->nnz; k++)
        count[a->rows[k]]++;
    for (int32_t i = 0; i < n; i++) {
        start[i] = at;
        m->rows[at] = i;
        at += 1 + count[i];
        count[i] = start[i] + 1;
    }
    for (int32_t j = 0; j < n; j++) {
        start[n + j] = at;
        for (int32_t k = a->start[j]; k < a->start[j + 1]; k++) {
            m->rows[count[a->rows[k]]++] = n + j;
            m->rows[at++] = a->rows[k];
        }
        m->rows[at++] = n + j;
    }
    start[2 * n] = at;
    m->start = start;
    return true;
}

static bool solve_augmented(sg_route *p, double mu)
{
    const sg_sparse *a = &p->work->sparse;
    sg_sparse *m = &p->work->least.augmented;
    sg_space *space = p->space;
    const double *w = p->work->far.weight;
    int32_t n = a->n;
    double largest = 0.0, *b;
    if (!m->start && !make_augmented(p))
        return false;
    b = p->work->least.augmented_b;
    double *next = space->bar; // where the next entry of each of the first columns goes
    for (int32_t i = 0; i < n; i++) {
        m->values[m->start[i]] = 1.0;
        next[i] = (double)(m->start[i] + 1);
        b[i] = w[i] * space->r[i];
        b[n + i] = 0.0;
    }
    for (int32_t j = 0; j < n; j++) {
        int32_t to = m->start[n + j];
        double sum = 0.0;
        for (int32_t k = a->start[j]; k < a->start[j + 1]; k++) {
            int32_t i = a->rows[k];
            double value = w[i] * a->values[k];
            m->values[(int32_t)next[i]] = value;
            next[i] += 1.0;
            m->values[to++] = -value;
            sum += value * value;
        }
        m->values[to] = sum;
        largest = fmax(largest, sum);
    }
    if (!isfinite(largest))
        return false;
    for (int32_t j = 0; j < n; j++) { // a column of zeros stays where it is
        double *diagonal = &m->values[m->start[n + j + 1] - 1];
        *diagonal = mu * (*diagonal > 0.0 ? *diagonal : fmax(largest, DBL_MIN));
    }
    if (sg_sparse_factor(m, true) != SG_OK)
        return false;
    sg_sparse_solve(m, b);
    memcpy(space->d, b + n, (size_t)n * sizeof(double));
    for (int32_t j = 0; j < n; j++)
        if (!isfinite(space->d[j]))
            return false;
    return true;
}

// From space->t to where the weighted residuals are smallest.
static sg_status least_squares(sg_route *p)
{
    sg_space *space = p->space;
    double mu = 1e-3;
    sg_status status = sg_route_residuals(p, space->t, space->r);
    if (status != SG_OK)
        return status;
    sg_route_set_weights(p);
    double norm = sg_route_norm(p, space->r);
    for (int k = 0; k < SQUARES_LIMIT && isfinite(norm) && norm > 0.0 && mu < 1e12; k++) {
        p->iterations++;
        // The matrix is wanted, and not whether it is regular.
        status = sg_route_residuals(p, space->t, space->r);
        if (status == SG_OK)
            status = sg_whole_factor(p->exec, p->index, false);
        if (sg_route_is_fatal(status))
            return status;
        bool found = false;
        double now = norm;
        while (!found && mu < 1e12) {
            if (p->work->least.normal ? solve_squares(p, mu) : solve_augmented(p, mu)) {
                for (uint32_t i = 0; i < space->n; i++)
                    space->trial[i] = space->t[i] + space->d[i];
                status = sg_route_residuals(p, space->trial, space->r_trial);
                if (sg_route_is_fatal(status))
                    return status;
                now = status == SG_OK ? sg_route_norm(p, space->r_trial) : (double)NAN;
                found = now < norm;
            }
            mu *= found ? 0.1 : 10.0;
        }
        if (!found)
            break;
        memcpy(space->t, space->trial, space->n * sizeof(double));
        memcpy(space->r, space->r_trial, space->n * sizeof(double));
        bool arrived = norm - now <= smallest_gain * norm;
        norm = now;
        if ((sg_route_error(p) <= SG_ROUTE_SOLVED && !space->unjudged) || arrived)
            break;
    }
    return SG_OK;
}

// Every variable a little aside, by amounts that have nothing to do with each other: off a point of
// symmetry, where all slopes vanish.
static void perturb(sg_space *space, double part)
{
    double fraction = 0.5;
    for (uint32_t i = 0; i < space->n; i++) {
        double size = fmax(fabs(space->t[i]), space->nominal[i]);
        fraction = fmod(fraction + 0.6180339887498949, 1.0);
        space->t[i] += part * (0.5 + fraction) * (size > 0.0 ? size : 1.0);
    }
}

// Keeps the point where least squares ended if it is the nearest to a solution. What is near is
// decided with the weights of the first attempt: those of the point itself would prefer points
// where everything is large.
static void note_nearest(sg_route *p, bool first)
{
    const sg_space *space = p->space;
    double *weight = p->work->far.f0, sum = 0.0; // no homotopy follows that would need f0
    if (first)
        memcpy(weight, p->work->far.weight, space->n * sizeof(double));
    for (uint32_t i = 0; i < space->n; i++)
        sum += weight[i] * space->r[i] * weight[i] * space->r[i];
    if (!(sum < p->nearest))
        return;
    p->nearest = sum;
    memcpy(p->work->far.best, space->t, space->n * sizeof(double));
}

static sg_status from_beside(sg_route *p)
{
    memcpy(p->work->far.x0, p->space->t, p->space->n * sizeof(double));
    sg_status status = sg_route_newton(p);
    return status == SG_ERR_SOLVER ? sg_route_homotopy(p) : status;
}

// From points beside x0, where no slope vanishes by symmetry: a tenth of each size away, and more.
sg_status sg_route_nearby(sg_route *p)
{
    static const double parts[] = {0.1, 1e-3, 3.0};
    sg_space *space = p->space;
    size_t bytes = space->n * sizeof(double);
    sg_status status = SG_ERR_SOLVER;
    memcpy(p->work->far.origin, p->work->far.x0, bytes);
    for (size_t k = 0; k < SG_COUNT(parts) && status == SG_ERR_SOLVER; k++) {
        sg_system_forget(space);
        memcpy(space->t, p->work->far.origin, bytes);
        perturb(space, parts[k]);
        status = from_beside(p);
    }
    memcpy(p->work->far.x0, p->work->far.origin, bytes);
    return status;
}

// Sizes of the unknowns that were guessed wrong, all of them first (a stage far in saturation,
// where nothing has a slope), then each for itself by up to three orders of magnitude, in the order
// of how far that is; signs are kept.
sg_status sg_route_sizes(sg_route *p)
{
    static const double shrinks[] = {0.1, 0.01, 1e-3, 0.0};
    sg_space *space = p->space;
    size_t bytes = space->n * sizeof(double);
    sg_status status = SG_ERR_SOLVER;
    double fraction = 0.0;
    if (space->n > SIZES_UNKNOWNS)
        return status;
    memcpy(p->work->far.origin, p->work->far.x0, bytes);
    for (int k = 0; k < (int)SG_COUNT(shrinks) + SIZES_STARTS && status == SG_ERR_SOLVER; k++) {
        int free = k - (int)SG_COUNT(shrinks);
        sg_system_forget(space);
        for (uint32_t i = 0; i < space->n; i++) {
            fraction = fmod(fraction + 0.6180339887498949, 1.0);
            double decades = 6.0 * (fraction - 0.5) * (free + 1) / SIZES_STARTS;
            double size = p->work->far.origin[i] != 0.0 ? p->work->far.origin[i] : 1.0;
            space->t[i] =
                free < 0 ? p->work->far.origin[i] * shrinks[k] : size * pow(10.0, decades);
        }
        if (free < 0)
            perturb(space, 1e-4);
        status = from_beside(p);
    }
    memcpy(p->work->far.x0, p->work->far.origin, bytes);
    return status;
}

sg_status sg_route_squares(sg_route *p)
{
    sg_space *space = p->space;
    sg_status status = SG_ERR_SOLVER;
    for (int k = 0; k < 2 && status == SG_ERR_SOLVER; k++) {
        memcpy(space->t, p->work->far.x0, space->n * sizeof(double));
        if (k > 0)
            perturb(space, 0.1);
        status = least_squares(p);
        if (status == SG_OK && sg_route_residuals(p, space->t, space->r) == SG_OK)
            note_nearest(p, k == 0);
        if (!sg_route_is_fatal(status))
            status = sg_route_newton(p);
    }
    return status;
}
