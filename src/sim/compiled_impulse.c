// Does a jump of what is differentiated act on states (sim/impulse.h)?
#include "sim/compiled.h"

#include <math.h>

// What an acceleration changes of the derivatives of states, relative to them, beyond rounding.
#define IMPULSE_NOISE 1e-10

// Would an impulse of item `k`, a jump of what it is the derivative of, move a state? Derivatives
// with a much larger acceleration tell. True where that is not known. What was evaluated last is
// evaluated again behind it.
static bool acts_on_states(sg_compiled *compiled, uint32_t k, sg_events *events, double *work)
{
    const bool *quadrature = compiled->model.segment.quadrature; // those only account for others
    sg_hidden *hidden = &compiled->hidden;
    sg_exec *exec = compiled->exec;
    uint32_t n_x = exec->at.n_x, n = n_x + sg_hidden_count(hidden);
    const sg_impulse_item *item = &compiled->impulses.items[k];
    double *before = work, *after = work + n, size = 1.0;
    for (uint32_t i = 0; i < item->n; i++)
        size = fmax(size, fabs(exec->w[item->der_at + i]));
    sg_eval_mode mode = events->mode;
    events->mode = SG_MODE_RHS;
    sg_status status = sg_exec_shift(exec, item->der.i, 0.0, before);
    sg_hidden_derivatives(hidden, before + n_x);
    if (status == SG_OK)
        status = sg_exec_shift(exec, item->der.i, 1e3 * size, after);
    sg_hidden_derivatives(hidden, after + n_x);
    events->mode = mode;
    bool acts = status != SG_OK;
    for (uint32_t i = 0; i < n && !acts; i++)
        acts = !(quadrature && quadrature[i]) &&
               fabs(after[i] - before[i]) > IMPULSE_NOISE * fabs(before[i]) + IMPULSE_NOISE * size;
    return acts;
}

sg_status sg_compiled_find_impulse(sg_compiled *compiled, sg_events *events, double t,
                                   const double *x)
{
    sg_impulse_watch *m = &compiled->impulses;
    sg_arena arena;
    sg_arena_init(&arena, compiled->allocator);
    uint32_t n = compiled->exec->at.n_x + sg_hidden_count(&compiled->hidden);
    double *work = SG_NEW_ARRAY(&arena, double, 2 * (size_t)n + 1);
    sg_status status = work ? SG_OK : SG_ERR_MEMORY;
    compiled->hidden.x = x + compiled->exec->at.n_x;
    for (uint32_t k = 0; k < m->n && status == SG_OK && !m->jumped; k++) {
        if (!m->items[k].jumped)
            continue;
        if (m->items[k].is_place || acts_on_states(compiled, k, events, work))
            m->jumped = k + 1;
        status = compiled->choices.present->base.model.eval(&compiled->choices.present->base,
                                                            events->mode, events, t, x, work);
    }
    compiled->hidden.x = NULL;
    sg_arena_destroy(&arena);
    return status == SG_OK && m->jumped ? SG_ERR_SOLVER : status;
}
