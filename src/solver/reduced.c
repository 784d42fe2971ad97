#include "solver/reduced.h"

#include "math/blocked_lu.h"

#include <string.h>

// Below this size a factorization costs less than an evaluation of any model.
#define REDUCE_FROM 24
// A row with more entries than this is no shorthand for another state.
#define SHORT_ROW 4

// Per row how many entries of the pattern it has, and whether one is on the diagonal.
static bool count_rows(const sg_sparsity *pattern, sg_arena *scratch, int32_t **count, bool **own)
{
    *count = SG_NEW_ARRAY(scratch, int32_t, pattern->n + 1);
    *own = SG_NEW_ARRAY(scratch, bool, pattern->n + 1);
    if (scratch->failed)
        return false;
    for (int32_t j = 0; j < pattern->n; j++)
        for (int32_t p = pattern->start[j]; p < pattern->start[j + 1]; p++) {
            (*count)[pattern->rows[p]]++;
            (*own)[j] |= pattern->rows[p] == j;
        }
    return true;
}

static bool is_short(const int32_t *count, const bool *own, int32_t row)
{
    return count[row] > 0 && count[row] <= SHORT_ROW && !own[row];
}

// The entries of short rows by rows.
static bool gather_short(const sg_jacobian *jac, const int32_t *count, const bool *own,
                         sg_arena *arena, int32_t *start, int32_t **entry, int32_t **column)
{
    int32_t n = jac->n;
    start[0] = 0;
    for (int32_t i = 0; i < n; i++)
        start[i + 1] = start[i] + (is_short(count, own, i) ? count[i] : 0);
    int32_t *next = SG_NEW_ARRAY(arena, int32_t, n + 1);
    *entry = SG_NEW_ARRAY(arena, int32_t, start[n] + 1);
    *column = SG_NEW_ARRAY(arena, int32_t, start[n] + 1);
    if (arena->failed)
        return false;
    memcpy(next, start, (size_t)n * sizeof *next);
    for (int32_t j = 0; j < n; j++)
        for (int32_t p = jac->start[j]; p < jac->start[j + 1]; p++) {
            int32_t row = jac->rows[p];
            if (row == j || !is_short(count, own, row))
                continue;
            (*entry)[next[row]] = p;
            (*column)[next[row]++] = j;
        }
    return true;
}

// Eliminated unknowns must not appear in each other's rows.
static void choose(sg_reduced *r, const int32_t *start, const int32_t *column, bool *needed)
{
    int32_t n_gone = 0;
    for (int32_t i = 0; i < r->n; i++) {
        bool can = start[i + 1] > start[i] && !needed[i];
        for (int32_t p = start[i]; can && p < start[i + 1]; p++)
            can = r->place[column[p]] >= 0;
        for (int32_t p = start[i]; can && p < start[i + 1]; p++)
            needed[column[p]] = true;
        if (can) {
            r->gone[n_gone++] = i;
            r->place[i] = -1;
        }
    }
    r->n_kept = r->n - n_gone;
}

static void keep_entries(sg_reduced *r, const int32_t *start, const int32_t *entry,
                         const int32_t *column)
{
    int32_t at = 0, kept = 0;
    for (int32_t i = 0; i < r->n - r->n_kept; i++) {
        r->entry_start[i] = at;
        for (int32_t p = start[r->gone[i]]; p < start[r->gone[i] + 1]; p++, at++) {
            r->entry[at] = entry[p];
            r->entry_column[at] = column[p];
        }
    }
    r->entry_start[r->n - r->n_kept] = at;
    for (int32_t j = 0; j < r->n; j++)
        if (r->place[j] >= 0)
            r->place[j] = kept++;
}

static bool allocate_matrix(sg_reduced *r, sg_arena *arena, const sg_jacobian *jac)
{
    size_t m = (size_t)r->n_kept;
    r->a = SG_NEW_ARRAY(arena, double, m *m + 1);
    r->b = SG_NEW_ARRAY(arena, double, m + 1);
    r->pivot = SG_NEW_ARRAY(arena, int32_t, m + 1);
    r->diagonal = SG_NEW_ARRAY(arena, int32_t, r->n);
    if (arena->failed)
        return false;
    for (int32_t j = 0; j < r->n; j++)
        for (int32_t p = jac->start[j]; p < jac->start[j + 1]; p++)
            if (jac->rows[p] == j)
                r->diagonal[j] = p;
    return true;
}

// Finds what can be eliminated; what of it is kept lives in the arena of r.
static bool find_rows(sg_reduced *r, sg_arena *arena, sg_arena *scratch, const sg_jacobian *jac,
                      const sg_sparsity *pattern)
{
    int32_t *count, *entry, *column, *start = SG_NEW_ARRAY(scratch, int32_t, r->n + 1);
    bool *own, *needed = SG_NEW_ARRAY(scratch, bool, r->n);
    if (!start || !needed || !count_rows(pattern, scratch, &count, &own) ||
        !gather_short(jac, count, own, scratch, start, &entry, &column))
        return false;
    r->entry = SG_NEW_ARRAY(arena, int32_t, start[r->n] + 1);
    r->entry_column = SG_NEW_ARRAY(arena, int32_t, start[r->n] + 1);
    if (arena->failed)
        return false;
    choose(r, start, column, needed);
    // A quarter of the unknowns less is not half of the work.
    if (4 * r->n_kept > 3 * r->n) {
        r->n_kept = r->n;
        memset(r->place, 0, (size_t)r->n * sizeof *r->place);
    }
    keep_entries(r, start, entry, column);
    return true;
}

sg_status sg_reduced_init(sg_reduced *r, sg_arena *arena, const sg_jacobian *jac,
                          const sg_sparsity *pattern, bool anyway)
{
    *r = (sg_reduced){.n = jac->n, .n_kept = jac->n};
    bool search = pattern && jac->n >= REDUCE_FROM;
    if (!search && !anyway)
        return SG_OK;
    r->place = SG_NEW_ARRAY(arena, int32_t, r->n);
    r->gone = SG_NEW_ARRAY(arena, int32_t, r->n);
    r->entry_start = SG_NEW_ARRAY(arena, int32_t, r->n + 1);
    if (arena->failed)
        return SG_ERR_MEMORY;
    sg_arena scratch;
    sg_arena_init(&scratch, arena->allocator);
    bool ok = true;
    if (search)
        ok = find_rows(r, arena, &scratch, jac, pattern);
    else
        keep_entries(r, NULL, NULL, NULL);
    sg_arena_destroy(&scratch);
    if (ok && (anyway || r->n_kept < r->n))
        ok = allocate_matrix(r, arena, jac);
    return ok ? SG_OK : SG_ERR_MEMORY;
}

void sg_reduced_fill(sg_reduced *r, const sg_jacobian *jac, double shift, double factor)
{
    int32_t m = r->n_kept;
    r->shift = shift;
    r->factor = factor;
    memset(r->a, 0, (size_t)m * (size_t)m * sizeof *r->a);
    for (int32_t j = 0; j < r->n; j++) {
        if (r->place[j] < 0)
            continue;
        double *column = r->a + (size_t)r->place[j] * (size_t)m;
        for (int32_t p = jac->start[j]; p < jac->start[j + 1]; p++)
            if (r->place[jac->rows[p]] >= 0)
                column[r->place[jac->rows[p]]] = factor * jac->values[p];
        column[r->place[j]] += shift;
    }
    // Minus A_vq A_qq^-1 A_qv.
    for (int32_t i = 0; i < r->n - m; i++) {
        int32_t q = r->gone[i];
        double inverse = 1.0 / (shift + factor * jac->values[r->diagonal[q]]);
        for (int32_t e = r->entry_start[i]; e < r->entry_start[i + 1]; e++) {
            double *column = r->a + (size_t)r->place[r->entry_column[e]] * (size_t)m;
            double times = factor * jac->values[r->entry[e]] * inverse * factor;
            for (int32_t p = jac->start[q]; p < jac->start[q + 1]; p++)
                if (r->place[jac->rows[p]] >= 0)
                    column[r->place[jac->rows[p]]] -= times * jac->values[p];
        }
    }
}

int32_t sg_reduced_factor(sg_reduced *r) { return sg_blocked_lu_factor(r->a, r->n_kept, r->pivot); }

void sg_reduced_solve(sg_reduced *r, const sg_jacobian *jac, const double *b, double *x)
{
    int32_t n_gone = r->n - r->n_kept;
    for (int32_t j = 0; j < r->n; j++)
        if (r->place[j] >= 0)
            r->b[r->place[j]] = b[j];
    for (int32_t i = 0; i < n_gone; i++) {
        int32_t q = r->gone[i];
        x[q] = b[q] / (r->shift + r->factor * jac->values[r->diagonal[q]]);
        for (int32_t p = jac->start[q]; p < jac->start[q + 1]; p++)
            if (r->place[jac->rows[p]] >= 0)
                r->b[r->place[jac->rows[p]]] -= r->factor * jac->values[p] * x[q];
    }
    sg_blocked_lu_solve(r->a, r->n_kept, r->pivot, r->b);
    for (int32_t j = 0; j < r->n; j++)
        if (r->place[j] >= 0)
            x[j] = r->b[r->place[j]];
    for (int32_t i = 0; i < n_gone; i++) {
        int32_t q = r->gone[i];
        double pivot = r->shift + r->factor * jac->values[r->diagonal[q]];
        for (int32_t e = r->entry_start[i]; e < r->entry_start[i + 1]; e++)
            x[q] -= r->factor * jac->values[r->entry[e]] * x[r->entry_column[e]] / pivot;
    }
}
