#include "sim/impulse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Relative to the largest size so far: an event is not located more exactly than this, nor is what
// moves up to it.
#define JUMP_SIZE 1e-6
// ... and relative to the time since the event before.
#define LOCATED 1e-5

static sg_var_id resolve(const sg_structure *s, sg_var_id var)
{
    sg_alias alias = s->aliases[var.i];
    return alias.kind == SG_ALIAS_PLUS || alias.kind == SG_ALIAS_MINUS ? alias.of : var;
}

// Do derivatives depend on it? Where a motion is made of straight lines the second derivative is
// the number zero.
static bool is_used(const sg_program *p, sg_var_id var)
{
    uint32_t r = var.i < p->n_vars ? p->var_regs[var.i].i : 0;
    if (!r || p->regs.data[r].kind == SG_REG_STATE || p->regs.data[r].kind == SG_REG_DER)
        return false;
    for (uint32_t i = 1; i < p->dynamics_end && i < p->steps.len; i++) {
        const sg_step *step = &p->steps.data[i];
        for (uint32_t k = 0; k < step->n_operands; k++)
            if (p->operands.data[step->first_operand + k] == r)
                return true;
    }
    return false;
}

// Is it computed on the way to the derivatives, by a step that changes during a run?
static bool is_computed(const sg_program *p, sg_var_id var)
{
    if (var.i >= p->n_vars || !p->var_regs[var.i].i)
        return false;
    const sg_reg_info *reg = &p->regs.data[p->var_regs[var.i].i];
    return !reg->is_fixed && reg->kind != SG_REG_STATE && reg->kind != SG_REG_DER &&
           reg->kind != SG_REG_INPUT && reg->writer && reg->writer < p->dynamics_end;
}

static void add_item(sg_impulse_watch *m, const sg_flat *flat, const sg_structure *structure,
                     uint32_t v, uint32_t *n_numbers)
{
    sg_var_id own = flat->vars.data[v].der;
    sg_var_id var = resolve(structure, (sg_var_id){v}), der = resolve(structure, own);
    const sg_exec *exec = m->exec;
    const sg_program *p = exec->program;
    if (!is_computed(p, var) || !is_used(p, der))
        return;
    uint32_t reg = p->var_regs[var.i].i, n = sg_dims_count(exec->shapes[reg]);
    if (exec->shapes[reg].num == SG_TRUTH)
        return;
    uint32_t der_at = exec->offsets[p->var_regs[der.i].i];
    m->items[m->n++] = (sg_impulse_item){.var = var,
                                         .der = der,
                                         .at = exec->offsets[reg],
                                         .n = n,
                                         .first = *n_numbers,
                                         .der_at = der_at,
                                         .is_place = flat->vars.data[own.i].der.i != 0};
    *n_numbers += n;
}

bool sg_impulse_init(sg_impulse_watch *m, sg_arena *arena, const sg_flat *flat,
                     const sg_structure *structure, const sg_exec *exec)
{
    uint32_t n_vars = (uint32_t)flat->vars.len, n_numbers = 0;
    *m = (sg_impulse_watch){.exec = exec, .n_states = exec->at.n_x, .t = (double)NAN};
    m->items = SG_NEW_ARRAY(arena, sg_impulse_item, n_vars + 1);
    for (uint32_t v = 1; m->items && v < n_vars; v++) {
        sg_var_id der = flat->vars.data[v].der;
        if (der.i)
            add_item(m, flat, structure, v, &n_numbers);
    }
    m->before = SG_NEW_ARRAY(arena, double, n_numbers + 1);
    m->largest = SG_NEW_ARRAY(arena, double, n_numbers + 1);
    m->rate = SG_NEW_ARRAY(arena, double, n_numbers + 1);
    m->x = SG_NEW_ARRAY(arena, double, exec->at.n_x + 1);
    return !arena->failed;
}

static bool find_jumps(sg_impulse_watch *m, double t)
{
    bool any = false;
    double located = LOCATED * fmax(t - m->since, m->gap);
    for (uint32_t k = 0; k < m->n; k++) {
        sg_impulse_item *item = &m->items[k];
        item->jumped = false;
        for (uint32_t i = 0; i < item->n && !item->jumped; i++) {
            double from = m->before[item->first + i], to = m->exec->w[item->at + i];
            double scale = fmax(m->largest[item->first + i], fabs(to));
            double rate = fabs(m->exec->w[item->der_at + i]) + fabs(m->rate[item->first + i]);
            if (!(fabs(to - from) > JUMP_SIZE * scale + located * rate))
                continue;
            item->jumped = any = true;
            item->from = from;
            item->to = to;
        }
    }
    return any;
}

bool sg_impulse_check(sg_impulse_watch *m, sg_eval_mode mode, const sg_events *events, double t,
                      const double *x)
{
    if (mode == SG_MODE_EVENT) {
        m->event = !events->initial && !events->after_initial;
        m->t = m->event ? m->t : (double)NAN;
    }
    if (mode != SG_MODE_RESULT || events->pure)
        return true;
    size_t bytes = m->n_states * sizeof *x;
    bool same_states = m->event && m->t == t && (!bytes || memcmp(m->x, x, bytes) == 0);
    m->jumped = 0;
    bool jumped = same_states && find_jumps(m, t);
    if (m->event || isnan(m->t)) {
        m->gap = isnan(m->t) ? 0.0 : fmax(t - m->since, 0.1 * m->gap);
        m->since = t;
    }
    m->t = t;
    m->event = false;
    if (bytes)
        memcpy(m->x, x, bytes);
    for (uint32_t k = 0; k < m->n; k++)
        for (uint32_t i = 0; i < m->items[k].n; i++) {
            uint32_t at = m->items[k].first + i;
            m->before[at] = m->exec->w[m->items[k].at + i];
            m->rate[at] = m->exec->w[m->items[k].der_at + i];
            m->largest[at] = fmax(m->largest[at], fabs(m->before[at]));
        }
    return !jumped;
}

static const char *name_of(const sg_impulse_watch *m, sg_var_id var)
{
    return m->exec->program->var_names[var.i];
}

bool sg_impulse_explain(sg_impulse_watch *m, const sg_flat *flat, double t, sg_diags *diags)
{
    if (!m->jumped)
        return false;
    const sg_impulse_item *item = &m->items[m->jumped - 1];
    m->jumped = 0;
    char text[640];
    snprintf(text, sizeof text,
             "'%s' jumps from %.6g to %.6g at time = %.10g s, but its derivative '%s' acts on the "
             "states: that is an impulse, which is not applied. Let it change within a short time "
             "instead of at once, or set the states that it acts on with reinit",
             name_of(m, item->var), item->from, item->to, t, name_of(m, item->der));
    sg_span span = flat->vars.data[item->var.i].span;
    sg_diags_put(diags, (sg_diag){SG_ERROR, SG_E_IMPULSE, span, t, text, true});
    return true;
}
