#include "equations/reselect.h"

#include <math.h>
#include <string.h>

typedef struct choice_matrix {
    double *a; // n rows of m
    uint32_t n, m;
} choice_matrix;

static double *entry(const choice_matrix *x, uint32_t i, uint32_t j) { return &x->a[i * x->m + j]; }

static void swap_rows(const choice_matrix *x, uint32_t i, uint32_t k)
{
    for (uint32_t j = 0; j < x->m && i != k; j++) {
        double swap = *entry(x, i, j);
        *entry(x, i, j) = *entry(x, k, j);
        *entry(x, k, j) = swap;
    }
}

static void eliminate(const choice_matrix *x, uint32_t row, uint32_t col)
{
    for (uint32_t i = row + 1; i < x->n; i++) {
        double f = *entry(x, i, col) / *entry(x, row, col);
        for (uint32_t j = 0; j < x->m && f != 0.0; j++)
            *entry(x, i, j) -= f * *entry(x, row, j);
    }
}

// Eliminates `count` columns out of [lo, hi) from `row` on, the largest entry first. Returns the
// smallest pivot; taken[j] tells which columns were used.
static double pivot_columns(const choice_matrix *x, uint32_t row, uint32_t count, uint32_t lo,
                            uint32_t hi, bool *taken)
{
    double smallest = INFINITY;
    for (uint32_t step = 0; step < count; step++, row++) {
        uint32_t best_i = row, best_j = hi;
        double best = 0.0;
        for (uint32_t i = row; i < x->n; i++) {
            for (uint32_t j = lo; j < hi; j++) {
                if (!taken[j] && fabs(*entry(x, i, j)) > best)
                    best = fabs(*entry(x, i, j)), best_i = i, best_j = j;
            }
        }
        if (best_j == hi)
            return 0.0;
        taken[best_j] = true;
        smallest = fmin(smallest, best);
        swap_rows(x, row, best_i);
        eliminate(x, row, best_j);
    }
    return smallest;
}

static bool fill(const double *entries, const choice_matrix *x)
{
    for (uint32_t k = 0; k < x->n * x->m; k++) {
        if (!isfinite(entries[k]))
            return false;
        x->a[k] = entries[k];
    }
    return true;
}

static uint32_t count_vars(const sg_constraint_set *set)
{
    return set->n_solved + set->n_dummies + set->n_states;
}

// Sets without a matrix or without a choice are not judged.
static uint32_t count_entries(const sg_constraint_set *set)
{
    return set->jacobian && set->n_states ? set->n_residuals * count_vars(set) : 0;
}

uint32_t sg_reselect_count(const sg_structure *structure)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < structure->n_constraints; k++)
        n += count_entries(&structure->constraints[k]);
    return n;
}

void sg_reselect_entries(const sg_structure *structure, sg_expr_id *entries)
{
    for (uint32_t k = 0; k < structure->n_constraints; k++) {
        const sg_constraint_set *set = &structure->constraints[k];
        for (uint32_t i = 0; i < count_entries(set); i++)
            *entries++ = set->jacobian[i];
    }
}

// Two copies of the matrix and the marks of the columns.
static size_t work_size(const sg_constraint_set *set)
{
    size_t m = count_vars(set);
    return set->jacobian ? 2 * set->n_residuals * m + 2 * m + 2 : 0;
}

size_t sg_reselect_work_size(const sg_structure *structure)
{
    size_t most = 1;
    for (uint32_t k = 0; k < structure->n_constraints; k++) {
        size_t size = work_size(&structure->constraints[k]);
        most = size > most ? size : most;
    }
    return most;
}

static bool judge(const sg_constraint_set *set, const double *entries, double *work,
                  signed char *preference)
{
    uint32_t n = set->n_residuals, m = count_vars(set), solved = set->n_solved;
    choice_matrix x = {work, n, m}, copy = {work + (size_t)n * m, n, m};
    bool *taken = (bool *)(work + 2 * (size_t)n * m);
    memset(taken, 0, m);
    if (!fill(entries, &x) || pivot_columns(&x, 0, solved, 0, solved, taken) == 0.0)
        return false;
    memcpy(copy.a, x.a, (size_t)n * m * sizeof(double));
    double present =
        pivot_columns(&copy, solved, set->n_dummies, solved, solved + set->n_dummies, taken);
    memset(taken + solved, 0, m - solved);
    double best = pivot_columns(&x, solved, set->n_dummies, solved, m, taken);
    if (present >= SG_RESELECT_RATIO * best)
        return false;
    for (uint32_t k = solved; k < m; k++)
        preference[set->vars[k].i] = taken[k] ? -1 : 1;
    return true;
}

bool sg_reselect_states(const sg_structure *structure, const double *entries, double *work,
                        signed char *preference)
{
    bool change = false;
    for (uint32_t k = 0; k < structure->n_constraints; k++) {
        const sg_constraint_set *set = &structure->constraints[k];
        if (count_entries(set))
            change = judge(set, entries, work, preference) || change;
        entries += count_entries(set);
    }
    return change;
}
