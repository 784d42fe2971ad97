#include "integration/felt.h"

#include "integration/formulation.h"
#include "integration/integration.h"

#include <math.h>

// A size goes on by one state or more in each pass over the pattern. Where so many are not enough,
// in a long chain that is numbered in disorder, all states feel each other.
enum { PASSES = 20 };

static const sg_sparsity *pattern_of(const sg_integration *g)
{
    const sg_sparsity *pattern = NULL;
    // Patterns of contacts come and go, and those of a condition that slides are not the model's.
    if (!g->model->pattern || g->model->nonsmooth || g->formulation->own_forms)
        return NULL;
    if (g->model->pattern(g->model->user, false, &pattern) != SG_OK)
        return NULL;
    return pattern && (uint32_t)pattern->n == g->segment.n_states ? pattern : NULL;
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

void sg_felt_sizes(const sg_integration *g, const double *sizes, double *out)
{
    const sg_sparsity *pattern = pattern_of(g);
    int32_t n = (int32_t)g->segment.n_states;
    double overall = 0.0;
    for (int32_t i = 0; i < n; i++) {
        out[i] = sizes[i];
        overall = fmax(overall, sizes[i]);
    }
    bool changed = true;
    for (int pass = 0; pattern && changed && pass < PASSES; pass++) {
        changed = false;
        for (int32_t k = 0; k < n; k++)
            changed |= pass_on(pattern, pass % 2 ? n - 1 - k : k, out);
    }
    for (int32_t i = 0; i < n && changed; i++)
        out[i] = overall;
}
