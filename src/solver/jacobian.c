#include "solver/jacobian.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Copies the pattern, adding missing diagonal entries, since implicit methods need I - gamma J.
static bool copy_with_diagonal(sg_jacobian *jac, sg_arena *arena, const sg_sparsity *pattern)
{
    int32_t n = jac->n, nnz = 0;
    size_t most = (size_t)n + (size_t)(pattern ? pattern->start[n] : (int64_t)n * (n - 1));
    jac->start = SG_NEW_ARRAY(arena, int32_t, n + 1);
    jac->rows = SG_NEW_ARRAY(arena, int32_t, most);
    if (!jac->start || !jac->rows)
        return false;
    for (int32_t j = 0; j < n; j++) {
        jac->start[j] = nnz;
        bool diagonal = false;
        int32_t first = pattern ? pattern->start[j] : 0;
        int32_t last = pattern ? pattern->start[j + 1] : n;
        for (int32_t p = first; p < last; p++) {
            int32_t row = pattern ? pattern->rows[p] : p;
            if (row >= j && !diagonal) {
                diagonal = true;
                if (row > j)
                    jac->rows[nnz++] = j;
            }
            jac->rows[nnz++] = row;
        }
        if (!diagonal)
            jac->rows[nnz++] = j;
    }
    jac->start[n] = jac->nnz = nnz;
    return true;
}

typedef struct by_rows {
    int32_t *start, *columns;
    int32_t longest;
} by_rows;

static bool transpose(const sg_jacobian *jac, sg_arena *scratch, by_rows *rows)
{
    int32_t n = jac->n;
    rows->start = SG_NEW_ARRAY(scratch, int32_t, n + 2);
    rows->columns = SG_NEW_ARRAY(scratch, int32_t, jac->nnz);
    rows->longest = 0;
    if (!rows->start || !rows->columns)
        return false;
    for (int32_t p = 0; p < jac->nnz; p++)
        rows->start[jac->rows[p] + 2]++;
    for (int32_t i = 0; i < n; i++) {
        if (rows->start[i + 2] > rows->longest)
            rows->longest = rows->start[i + 2];
        rows->start[i + 2] += rows->start[i + 1];
    }
    for (int32_t j = 0; j < n; j++)
        for (int32_t p = jac->start[j]; p < jac->start[j + 1]; p++)
            rows->columns[rows->start[jac->rows[p] + 1]++] = j;
    return true;
}

// The smallest color that no column with a common row has. `used[c] == j + 1` marks color c as
// taken for column j.
static int32_t pick_color(const sg_jacobian *jac, const by_rows *rows, int32_t j,
                          const int32_t *color, int32_t *used)
{
    for (int32_t p = jac->start[j]; p < jac->start[j + 1]; p++) {
        int32_t row = jac->rows[p];
        for (int32_t q = rows->start[row]; q < rows->start[row + 1] && rows->columns[q] < j; q++)
            used[color[rows->columns[q]]] = j + 1;
    }
    int32_t c = 0;
    while (used[c] == j + 1)
        c++;
    return c;
}

static bool color_columns(sg_jacobian *jac, sg_arena *scratch, int32_t *color)
{
    int32_t n = jac->n;
    by_rows rows;
    int32_t *used = SG_NEW_ARRAY(scratch, int32_t, n + 1);
    if (!used || !transpose(jac, scratch, &rows))
        return false;
    jac->n_colors = 0;
    for (int32_t j = 0; j < n; j++) {
        // A full row makes every pair of columns meet, and the search quadratic.
        color[j] = rows.longest == n ? j : pick_color(jac, &rows, j, color, used);
        if (color[j] >= jac->n_colors)
            jac->n_colors = color[j] + 1;
    }
    return true;
}

static bool is_quadrature(const sg_jacobian *jac, int32_t j)
{
    return jac->quadrature && jac->quadrature[j];
}

static bool group_by_color(sg_jacobian *jac, sg_arena *arena, const int32_t *color)
{
    jac->color_start = SG_NEW_ARRAY(arena, int32_t, jac->n_colors + 2);
    jac->columns = SG_NEW_ARRAY(arena, int32_t, jac->n);
    if (!jac->color_start || !jac->columns)
        return false;
    for (int32_t j = 0; j < jac->n; j++)
        if (!is_quadrature(jac, j))
            jac->color_start[color[j] + 2]++;
    for (int32_t c = 0; c < jac->n_colors; c++)
        jac->color_start[c + 2] += jac->color_start[c + 1];
    for (int32_t j = 0; j < jac->n; j++)
        if (!is_quadrature(jac, j))
            jac->columns[jac->color_start[color[j] + 1]++] = j;
    return true;
}

// What earlier evaluations told.
static void forget(sg_jacobian *jac)
{
    for (int32_t j = 0; jac->norm && j < jac->n; j++) {
        jac->largest[j] = jac->verified[j] = 0.0;
        jac->norm[j] = -1.0;
        jac->noisy_from[j] = INFINITY;
    }
    jac->lasts = INFINITY;
}

sg_status sg_jacobian_init(sg_jacobian *jac, sg_arena *arena, int32_t n, const sg_sparsity *pattern,
                           const bool *quadrature)
{
    *jac = (sg_jacobian){.n = n, .quadrature = pattern ? quadrature : NULL};
    sg_arena scratch;
    sg_arena_init(&scratch, arena->allocator);
    int32_t *color = SG_NEW_ARRAY(&scratch, int32_t, n);
    bool ok = color && copy_with_diagonal(jac, arena, pattern) &&
              color_columns(jac, &scratch, color) && group_by_color(jac, arena, color);
    sg_arena_destroy(&scratch);
    jac->values = SG_NEW_ARRAY(arena, double, ok ? jac->nnz : 0);
    jac->f1 = SG_NEW_ARRAY(arena, double, n);
    jac->saved = SG_NEW_ARRAY(arena, double, n);
    jac->saved_dx = SG_NEW_ARRAY(arena, double, n);
    jac->increment = SG_NEW_ARRAY(arena, double, n);
    jac->step = SG_NEW_ARRAY(arena, double, n);
    jac->largest = SG_NEW_ARRAY(arena, double, n);
    jac->verified = SG_NEW_ARRAY(arena, double, n);
    jac->noisy_from = SG_NEW_ARRAY(arena, double, n);
    jac->norm = SG_NEW_ARRAY(arena, double, n);
    jac->picked = SG_NEW_ARRAY(arena, bool, n);
    if (!ok || arena->failed)
        return SG_ERR_MEMORY;
    forget(jac);
    return SG_OK;
}

// ---- increments -------------------------------------------------------------------------------

// A state that passes through zero keeps this part of the size it had.
#define PART_OF_PAST 1e-3
// One is so many roundings of the state at least, where its size counts only in part.
#define FEW_ROUNDINGS 100.0
// An increment that is smaller than the classic one by this factor is looked at twice.
#define DOUBTFUL 1e-3
// Entries that differ by more than this, relative to what Newton's iteration notices, are noise.
#define NOISY 0.1
// Steps may grow by this factor while a Jacobian is kept.
#define GROWTH 1e3
// So many evaluations later a noisy column is looked at again.
#define LATER 16.0
// A column that has grown by this factor since the last time may lie across a jump.
#define JUMPED 30.0

typedef struct evaluation {
    sg_jacobian_function function;
    void *user;
    double t, *x, *dx, cj;
    const double *f0;
    const sg_jacobian_scale *scale;
    double least; // increment in units of the tolerance
} evaluation;

static double weight(const sg_jacobian_scale *scale, const double *x, int32_t i)
{
    double size = scale->most ? fmin(fabs(x[i]), scale->most[i]) : fabs(x[i]);
    return scale->rtol * size + (scale->atol_each ? scale->atol_each[i] : scale->atol);
}

// The factor in front of 1/weight below: large enough that rounding in f over one step stays
// invisible, as CVODE and IDA choose it.
static double smallest_increment(const sg_jacobian *jac, const double *x, const double *f0,
                                 const sg_jacobian_scale *scale)
{
    double sum = 0.0;
    for (int32_t i = 0; i < jac->n; i++) {
        double v = f0[i] / weight(scale, x, i);
        sum += v * v;
    }
    double norm = sqrt(sum / jac->n);
    return norm > 0.0 && isfinite(norm) ? 1000.0 * fabs(scale->h) * DBL_EPSILON * jac->n * norm
                                        : 1.0;
}

// What counts of the size of a state; rounding is that of the whole.
static double counted(const sg_jacobian_scale *scale, double size, int32_t j)
{
    return scale->most && size > scale->most[j]
               ? fmax(scale->most[j], FEW_ROUNDINGS * sqrt(DBL_EPSILON) * size)
               : size;
}

// As if every state were as large as its tolerances are balanced for.
static double classic_increment(const evaluation *e, int32_t j)
{
    const sg_jacobian_scale *scale = e->scale;
    double atol = scale->atol_each ? scale->atol_each[j] : scale->atol;
    double size = counted(scale, fabs(e->x[j]), j);
    return fmax(sqrt(DBL_EPSILON) * fmax(size, atol / scale->rtol),
                e->least * weight(scale, e->x, j));
}

static bool is_given(const sg_jacobian_scale *scale, int32_t j)
{
    return scale->increment && scale->increment[j] > 0.0;
}

// Relative to the size that the state has, or had.
static double own_increment(const sg_jacobian *jac, const evaluation *e, int32_t j)
{
    double size = fmax(fabs(e->x[j]), PART_OF_PAST * jac->largest[j]);
    if (is_given(e->scale, j))
        return fmax(e->scale->increment[j], FEW_ROUNDINGS * DBL_EPSILON * size);
    if (size == 0.0 || jac->verified[j] < 0.0 || e->scale->classic)
        return classic_increment(e, j);
    return fmax(sqrt(DBL_EPSILON) * counted(e->scale, size, j),
                e->least * weight(e->scale, e->x, j));
}

// ---- differences ------------------------------------------------------------------------------

static const int32_t *columns_of(const sg_jacobian *jac, int32_t c, int32_t *n)
{
    *n = jac->color_start[c + 1] - jac->color_start[c];
    return jac->columns + jac->color_start[c];
}

// Perturbs the columns of color c that are picked by their increments times `factor` and leaves
// the values there in f1; jac->step becomes what was really added.
static int evaluate(sg_jacobian *jac, int32_t c, double factor, const evaluation *e)
{
    int32_t n;
    const int32_t *columns = columns_of(jac, c, &n);
    for (int32_t k = 0; k < n; k++) {
        int32_t j = columns[k];
        if (!jac->picked[j])
            continue;
        jac->saved[j] = e->x[j];
        e->x[j] += factor * jac->increment[j];
        if (e->dx) {
            jac->saved_dx[j] = e->dx[j];
            e->dx[j] += e->cj * (e->x[j] - jac->saved[j]);
        }
    }
    int flag = e->function(e->user, e->t, e->x, e->dx, jac->f1);
    for (int32_t k = 0; k < n; k++) {
        int32_t j = columns[k];
        if (!jac->picked[j])
            continue;
        jac->step[j] = e->x[j] - jac->saved[j];
        e->x[j] = jac->saved[j];
        if (e->dx)
            e->dx[j] = jac->saved_dx[j];
    }
    return flag;
}

// The entry in row `row` of column j by what `evaluate` found.
static double quotient(const sg_jacobian *jac, const evaluation *e, int32_t j, int32_t row)
{
    return (jac->f1[row] - e->f0[row]) * (1.0 / jac->step[j]);
}

static void take_column(sg_jacobian *jac, const evaluation *e, int32_t j)
{
    for (int32_t p = jac->start[j]; p < jac->start[j + 1]; p++)
        jac->values[p] = quotient(jac, e, j, jac->rows[p]);
}

static void take_picked(sg_jacobian *jac, int32_t c, const evaluation *e)
{
    int32_t n;
    const int32_t *columns = columns_of(jac, c, &n);
    for (int32_t k = 0; k < n; k++)
        if (jac->picked[columns[k]])
            take_column(jac, e, columns[k]);
}

// The largest entry of a column, in units of the tolerances [1/s]: that in `values`, or the one
// just evaluated.
static double column_norm(const sg_jacobian *jac, const evaluation *e, int32_t j, bool evaluated)
{
    double most = 0.0;
    for (int32_t p = jac->start[j]; p < jac->start[j + 1]; p++) {
        int32_t row = jac->rows[p];
        double entry = evaluated ? quotient(jac, e, j, row) : jac->values[p];
        most = fmax(most, fabs(entry) / weight(e->scale, e->x, row));
    }
    return most * weight(e->scale, e->x, j);
}

// ---- noise ------------------------------------------------------------------------------------

// The step from which on rounding in a column would be felt, by what was found when it was looked
// at; with larger increments it is less.
static double known_noise(const sg_jacobian *jac, int32_t j)
{
    if (!(jac->verified[j] > 0.0))
        return INFINITY;
    return jac->noisy_from[j] * (jac->increment[j] / jac->verified[j]);
}

// Picks the columns of a color whose increments are far below what was proved to be enough.
static bool pick_doubtful(sg_jacobian *jac, int32_t c, const evaluation *e)
{
    int32_t n;
    const int32_t *columns = columns_of(jac, c, &n);
    bool any = false;
    for (int32_t k = 0; k < n; k++) {
        int32_t j = columns[k];
        bool known = jac->verified[j] > 0.0 && known_noise(jac, j) >= fabs(e->scale->h);
        double proved = known ? jac->verified[j] : classic_increment(e, j);
        jac->picked[j] = jac->increment[j] < DOUBTFUL * proved && !is_given(e->scale, j);
        any |= jac->picked[j];
    }
    return any;
}

// The step from which on the column changes with the increment by more than Newton's iteration can
// bear; 0 if neither increment changes a value that should depend on it.
static double noisy_from(const sg_jacobian *jac, const evaluation *e, int32_t j)
{
    double own = weight(e->scale, e->x, j), from = INFINITY;
    for (int32_t p = jac->start[j]; p < jac->start[j + 1]; p++) {
        int32_t row = jac->rows[p];
        double other = quotient(jac, e, j, row), off = fabs(other - jac->values[p]);
        if (other == 0.0 && off == 0.0 && (row != j || jac->start[j + 1] - jac->start[j] == 1))
            return 0.0;
        if (off > NOISY * fabs(other))
            from = fmin(from, NOISY * weight(e->scale, e->x, row) / (off * own));
    }
    return from;
}

// A state that has always been tiny may stand beside large ones, as a length beside others in a
// sum; an increment relative to it then drowns in their rounding. A second, eight times larger
// increment tells. Columns that are noisy get the classic one, now and the next few times; those
// that will be when steps have grown get one that is as much larger.
static void settle_increment(sg_jacobian *jac, const evaluation *e, int32_t j)
{
    double h = fabs(e->scale->h), from = noisy_from(jac, e, j);
    double larger = fmax(1.0, GROWTH * h / from), classic = classic_increment(e, j);
    jac->picked[j] = larger > 1.0;
    if (from < h) {
        jac->increment[j] = classic;
        jac->verified[j] = -LATER;
        return;
    }
    if (jac->picked[j])
        jac->increment[j] = fmax(jac->increment[j], fmin(classic, larger * jac->increment[j]));
    jac->verified[j] = jac->increment[j];
    jac->noisy_from[j] = larger * from;
}

static int check_noise(sg_jacobian *jac, int32_t c, const evaluation *e)
{
    if (!pick_doubtful(jac, c, e))
        return 0;
    int flag = evaluate(jac, c, 8.0, e);
    if (flag)
        return flag;
    int32_t n;
    const int32_t *columns = columns_of(jac, c, &n);
    bool any = false;
    for (int32_t k = 0; k < n; k++) {
        int32_t j = columns[k];
        if (!jac->picked[j])
            continue;
        settle_increment(jac, e, j);
        any |= jac->picked[j];
    }
    if (!any)
        return 0;
    flag = evaluate(jac, c, 1.0, e);
    if (flag == 0)
        take_picked(jac, c, e);
    return flag;
}

// ---- jumps ------------------------------------------------------------------------------------

// Picks the columns of a color that have grown so suddenly that f may jump within the increment.
static bool pick_nonsmooth(sg_jacobian *jac, int32_t c, const evaluation *e)
{
    int32_t n;
    const int32_t *columns = columns_of(jac, c, &n);
    bool any = false;
    for (int32_t k = 0; k < n; k++) {
        int32_t j = columns[k];
        double norm = column_norm(jac, e, j, false), before = jac->norm[j];
        jac->picked[j] =
            before >= 0.0 && fabs(e->scale->h) * norm > JUMPED && norm > JUMPED * before;
        jac->norm[j] = norm;
        any |= jac->picked[j];
    }
    return any;
}

// A difference across a jump is a huge number that makes Newton's iteration "converge" wherever it
// stands. On the other side of x there is none; a jump at x itself is seen on both sides, but does
// not grow with the increment, and has no slope at all.
static int check_jumps(sg_jacobian *jac, int32_t c, const evaluation *e)
{
    if (!pick_nonsmooth(jac, c, e))
        return 0;
    int32_t n;
    const int32_t *columns = columns_of(jac, c, &n);
    static const double factors[] = {-1.0, 8.0};
    for (int look = 0; look < 2; look++) {
        int flag = evaluate(jac, c, factors[look], e);
        if (flag < 0)
            return flag;
        for (int32_t k = 0; k < n && flag == 0; k++) {
            int32_t j = columns[k];
            if (!jac->picked[j])
                continue;
            double norm = column_norm(jac, e, j, true);
            bool beside = look == 0 && JUMPED * norm < jac->norm[j];
            bool here = look == 1 && 4.0 * norm < jac->norm[j];
            if (beside)
                take_column(jac, e, j);
            for (int32_t p = jac->start[j]; here && p < jac->start[j + 1]; p++)
                jac->values[p] = 0.0;
            jac->picked[j] = !beside && !here;
            jac->n_jumps += beside || here;
            jac->norm[j] = beside ? norm : here ? 0.0 : jac->norm[j];
        }
    }
    return 0;
}

// ---- all together -----------------------------------------------------------------------------

static int fill_color(sg_jacobian *jac, int32_t c, const evaluation *e)
{
    int32_t n;
    const int32_t *columns = columns_of(jac, c, &n);
    for (int32_t k = 0; k < n; k++) {
        int32_t j = columns[k];
        jac->largest[j] = fmax(jac->largest[j], fabs(e->x[j]));
        jac->increment[j] = own_increment(jac, e, j);
        jac->verified[j] += jac->verified[j] < 0.0 ? 1.0 : 0.0;
        jac->picked[j] = true;
    }
    int flag = evaluate(jac, c, 1.0, e);
    if (flag > 0) // beyond the edge of where f exists; look to the other side
        flag = evaluate(jac, c, -1.0, e);
    if (flag)
        return flag;
    take_picked(jac, c, e);
    if (e->scale->classic)
        return 0;
    flag = check_noise(jac, c, e);
    for (int32_t k = 0; k < n; k++)
        jac->lasts = fmin(jac->lasts, known_noise(jac, columns[k]));
    if (flag >= 0) // a second look that fails leaves what the first one saw
        flag = check_jumps(jac, c, e);
    return flag;
}

int sg_jacobian_fill(sg_jacobian *jac, sg_jacobian_function function, void *user, double t,
                     double *x, double *dx, double cj, const double *f0,
                     const sg_jacobian_scale *scale)
{
    evaluation e = {.function = function,
                    .user = user,
                    .t = t,
                    .x = x,
                    .dx = dx,
                    .cj = cj,
                    .f0 = f0,
                    .scale = scale,
                    .least = smallest_increment(jac, x, f0, scale)};
    jac->lasts = INFINITY;
    for (int32_t j = 0; jac->quadrature && j < jac->n; j++)
        for (int32_t p = jac->start[j]; jac->quadrature[j] && p < jac->start[j + 1]; p++)
            jac->values[p] = dx && jac->rows[p] == j ? cj : 0.0;
    for (int32_t c = 0; c < jac->n_colors; c++) {
        int flag = fill_color(jac, c, &e);
        if (flag)
            return flag;
    }
    return 0;
}

const sg_sparsity *sg_sparsity_part(const sg_sparsity *whole, int32_t n, const int32_t *states,
                                    int32_t *number, sg_arena *arena)
{
    for (int32_t k = 0; k < n; k++)
        number[states[k]] = k;
    sg_sparsity *own = SG_NEW(arena, sg_sparsity);
    int32_t *start = SG_NEW_ARRAY(arena, int32_t, n + 1), most = 0, m = 0;
    for (int32_t k = 0; k < n; k++)
        most += whole->start[states[k] + 1] - whole->start[states[k]];
    int32_t *rows = SG_NEW_ARRAY(arena, int32_t, most + 1);
    for (int32_t k = 0; own && start && rows && k < n; k++) {
        int32_t j = states[k];
        start[k] = m;
        for (int32_t e = whole->start[j]; e < whole->start[j + 1]; e++) {
            int32_t row = number[whole->rows[e]], at = m;
            if (row < 0)
                continue;
            for (; at > start[k] && rows[at - 1] > row; at--) // they may be in another order
                rows[at] = rows[at - 1];
            rows[at] = row;
            m++;
        }
        start[k + 1] = m;
    }
    for (int32_t k = 0; k < n; k++)
        number[states[k]] = -1;
    if (!own || !start || !rows)
        return NULL;
    *own = (sg_sparsity){n, start, rows};
    return own;
}
