// What numbers depend on through decisions and memories (depends.h): a condition and all that is
// chosen by it depend on its arguments, what is remembered on all that it was ever set from.
#include "program/tracer.h"

// A run that slides along the surface of a condition mixes both of its sides so that it stays
// there, by the rates of what the condition depends on.
static uint32_t felt(sg_tracer *t, uint32_t set)
{
    uint32_t all = set, n = t->sets.data[set].n;
    for (uint32_t k = 0; k < n && !t->failed; k++) {
        uint32_t item = t->items.data[t->sets.data[set].first + k];
        if (item < t->exec->at.n_x)
            all = sg_trace_join(t, all, t->of[t->exec->at.der + item]);
    }
    return all;
}

static void remember(sg_tracer *t, uint32_t place, const sg_linked *c)
{
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t more = sg_trace_join(t, t->past[place + i], t->of[c->a + i]);
        t->grown |= more != t->past[place + i];
        t->past[place + i] = more;
    }
}

bool sg_trace_decision(sg_tracer *t, const sg_linked *c)
{
    const sg_event_layout *e = &t->exec->memories.layout;
    uint32_t n = c->n, previous = e->n_pre, delayed = previous + e->n_previous;
    switch (c->form) {
    case SG_L_COPY: // the last step of a branch, among others
    case SG_LV_COPY:
        for (uint32_t i = 0; i < n; i++)
            t->of[c->dst + i] = sg_trace_join(
                t, sg_trace_join(t, t->of[c->dst + i], t->of[c->a + i * c->sa]), t->control);
        return true;
    case SG_L_SELECT:
    case SG_LV_SELECT:
        for (uint32_t i = 0; i < n; i++)
            t->of[c->dst + i] =
                sg_trace_join(t, t->of[c->a + i * c->sa],
                              sg_trace_join(t, t->of[c->b + i * c->sb], t->of[c->c + i * c->sc]));
        return true;
    case SG_L_POSITIVE:
    case SG_L_NEGATIVE:
        t->of[c->dst] = felt(t, t->of[c->a]);
        return true;
    case SG_L_LEVEL:
        for (uint32_t i = 0; i < n; i++)
            t->of[c->dst + i] = felt(t, t->of[c->a + i]);
        return true;
    case SG_L_SAMPLE:
    case SG_L_HOLD:
        for (uint32_t i = 0; i < n; i++)
            t->of[c->dst + i] = sg_trace_join(t, t->of[c->a + i], t->of[c->b]);
        return true;
    case SG_L_PREVIOUS:
        for (uint32_t i = 0; i < n; i++)
            t->of[c->dst + i] = sg_trace_join(t, t->past[previous + c->c + i], t->of[c->b]);
        return true;
    case SG_L_PRE:
        for (uint32_t i = 0; i < n; i++)
            t->of[c->dst + i] = t->past[c->c + i];
        return true;
    case SG_L_DELAY:
        for (uint32_t i = 0; i < n; i++)
            t->of[c->dst + i] = t->past[delayed + e->taps[c->b].at + i];
        return true;
    case SG_L_SET_PRE:
        remember(t, c->c, c);
        return true;
    case SG_L_SET_PREVIOUS:
        remember(t, previous + c->c, c);
        return true;
    case SG_L_SET_DELAY:
        remember(t, delayed + c->c, c);
        return true;
    case SG_L_EDGE:
    case SG_L_CHANGE:
    case SG_L_ASSERT:
    case SG_L_TERMINATE:
        t->of[c->dst] = sg_trace_join_range(t, c->a, n);
        return true;
    case SG_L_AFTER:
        t->of[c->dst] = sg_trace_join(t, t->time, t->of[c->a]);
        return true;
    case SG_L_CLOCK:
        t->of[c->dst] = t->time;
        return true;
    default:
        return false;
    }
}

uint32_t sg_trace_branches_end(const sg_exec *exec, uint32_t pc)
{
    uint32_t other = exec->steps.list[pc].a;
    const sg_linked *last = &exec->steps.list[other - 1];
    return other > pc + 1 && last->form == SG_L_JUMP && last->a > other ? last->a : other;
}
