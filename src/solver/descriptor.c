#include "solver/descriptor.h"

#include <string.h>

// Merges two ascending lists of rows and the diagonal for column j; returns how many there are.
// Null arrays only count.
static int32_t merge_column(sg_descriptor_form *f, const sg_jacobian *held, const sg_sparsity *tree,
                            int32_t j, int32_t at)
{
    int32_t p = held->start[j], q = tree->start[j], first = at;
    while (p < held->start[j + 1] || q < tree->start[j + 1]) {
        int32_t a = p < held->start[j + 1] ? held->rows[p] : INT32_MAX;
        int32_t b = q < tree->start[j + 1] ? tree->rows[q] : INT32_MAX;
        int32_t row = a < b ? a : b;
        if (f->rows) {
            f->rows[at] = row;
            if (row == j) // the Jacobian always has it
                f->diagonal[j] = at;
            if (a == row)
                f->of_held[p] = at;
            if (b == row)
                f->of_tree[q] = at;
        }
        p += a == row;
        q += b == row;
        at++;
    }
    return at - first;
}

sg_status sg_descriptor_init(sg_descriptor_form *f, sg_arena *arena, const sg_jacobian *held,
                             const sg_sparsity *tree)
{
    int32_t n = held->n, at = 0;
    *f = (sg_descriptor_form){.n = n};
    for (int32_t j = 0; j < n; j++)
        f->nnz += merge_column(f, held, tree, j, 0);
    size_t nnz = (size_t)f->nnz, n_tree = (size_t)tree->start[n];
    f->start = SG_NEW_ARRAY(arena, int32_t, n + 1);
    int32_t *rows = SG_NEW_ARRAY(arena, int32_t, nnz);
    f->of_held = SG_NEW_ARRAY(arena, int32_t, held->nnz);
    f->of_tree = SG_NEW_ARRAY(arena, int32_t, n_tree + 1);
    f->diagonal = SG_NEW_ARRAY(arena, int32_t, n);
    f->has_e = SG_NEW_ARRAY(arena, bool, n);
    f->e = SG_NEW_ARRAY(arena, double, nnz);
    f->c = SG_NEW_ARRAY(arena, double, nnz);
    f->tree_e = SG_NEW_ARRAY(arena, double, n_tree + 1);
    f->tree_t = SG_NEW_ARRAY(arena, double, n_tree + 1);
    f->b = SG_NEW_ARRAY(arena, double, n);
    if (arena->failed)
        return SG_ERR_MEMORY;
    f->rows = rows;
    for (int32_t j = 0; j < n; j++) {
        f->start[j] = at;
        at += merge_column(f, held, tree, j, at);
    }
    f->start[n] = at;
    return SG_OK;
}

static bool has_entry(const sg_sparsity *p, int32_t row, int32_t column)
{
    for (int32_t k = p->start[column]; k < p->start[column + 1]; k++)
        if (p->rows[k] == row)
            return true;
    return false;
}

sg_status sg_descriptor_whole(sg_descriptor_form *f, sg_arena *arena, const sg_descriptor *d,
                              sg_sparsity *given)
{
    int32_t n = f->n, at = 0;
    int32_t *start = SG_NEW_ARRAY(arena, int32_t, n + 1);
    int32_t *rows = SG_NEW_ARRAY(arena, int32_t, f->nnz + 1);
    f->whole = (sg_jacobian){.n = n,
                             .nnz = f->nnz,
                             .start = f->start,
                             .rows = f->rows,
                             .values = SG_NEW_ARRAY(arena, double, f->nnz + 1)};
    if (arena->failed)
        return SG_ERR_MEMORY;
    for (int32_t j = 0; j < n; j++) {
        bool own = has_entry(d->held, j, j) || has_entry(d->tree, j, j);
        start[j] = at;
        for (int32_t p = f->start[j]; p < f->start[j + 1]; p++)
            if (f->rows[p] != j || own)
                rows[at++] = f->rows[p];
    }
    start[n] = at;
    *given = (sg_sparsity){n, start, rows};
    return SG_OK;
}

void sg_descriptor_set(sg_descriptor_form *f, const sg_jacobian *held, const sg_sparsity *tree)
{
    memset(f->e, 0, (size_t)f->nnz * sizeof *f->e);
    memset(f->c, 0, (size_t)f->nnz * sizeof *f->c);
    for (int32_t p = 0; p < held->nnz; p++)
        f->c[f->of_held[p]] = held->values[p];
    for (int32_t p = 0; p < tree->start[f->n]; p++) {
        f->c[f->of_tree[p]] += f->tree_t[p];
        f->e[f->of_tree[p]] = f->tree_e[p];
    }
    for (int32_t j = 0; j < f->n; j++) {
        f->has_e[j] = false;
        for (int32_t p = tree->start[j]; p < tree->start[j + 1]; p++)
            f->has_e[j] |= f->tree_e[p] != 0.0;
        f->e[f->diagonal[j]] += 1.0;
    }
}

void sg_descriptor_matrix(const sg_descriptor_form *f, double alpha, double beta, double *values)
{
    for (int32_t p = 0; p < f->nnz; p++)
        values[p] = alpha * f->e[p] - beta * f->c[p];
}

void sg_descriptor_mul(const sg_descriptor_form *f, const double *x, double *y)
{
    memset(y, 0, (size_t)f->n * sizeof *y);
    for (int32_t j = 0; j < f->n; j++) {
        if (!f->has_e[j]) { // coordinates of a tree: that is half of all entries
            y[j] += x[j];
            continue;
        }
        for (int32_t p = f->start[j]; p < f->start[j + 1]; p++)
            y[f->rows[p]] += f->e[p] * x[j];
    }
}
