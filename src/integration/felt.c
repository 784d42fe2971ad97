#include "integration/felt.h"

#include <math.h>
#include <string.h>

// A size goes on by one state or more in each pass over the pattern. Where so many are not enough,
// in a long chain that is numbered in disorder, all states feel each other.
enum { PASSES = 20 };

void sg_felt_make(sg_felt *felt, sg_arena *arena, const sg_sparsity *pattern)
{
    *felt = (sg_felt){0};
    if (!pattern)
        return;
    size_t n = (size_t)pattern->n, entries = (size_t)pattern->start[n];
    int32_t *start = SG_NEW_ARRAY(arena, int32_t, n + 1);
    int32_t *rows = SG_NEW_ARRAY(arena, int32_t, entries + 1);
    if (!start || !rows)
        return;
    memcpy(start, pattern->start, (n + 1) * sizeof *start);
    memcpy(rows, pattern->rows, entries * sizeof *rows);
    felt->pattern = (sg_sparsity){pattern->n, start, rows};
}

// From column j, the states that feel state j.
static bool pass_on(const sg_sparsity *pattern, int32_t j, double *out)
{
    bool changed = false;
    for (int32_t k = pattern->start[j]; k < pattern->start[j + 1]; k++) {
        double *size = &out[pattern->rows[k]];
        changed |= out[j] > *size;
        *size = fmax(*size, out[j]);
    }
    return changed;
}

void sg_felt_sizes(const sg_felt *felt, uint32_t n, const double *sizes, double *out)
{
    double overall = 0.0;
    for (uint32_t i = 0; i < n; i++) {
        out[i] = sizes[i];
        overall = fmax(overall, sizes[i]);
    }
    bool known = felt && (uint32_t)felt->pattern.n == n, changed = true;
    for (int pass = 0; known && changed && pass < PASSES; pass++) {
        changed = false;
        for (int32_t k = 0; k < (int32_t)n; k++)
            changed |= pass_on(&felt->pattern, pass % 2 ? (int32_t)n - 1 - k : k, out);
    }
    for (uint32_t i = 0; i < n && changed; i++)
        out[i] = overall;
}
