// What crossing functions are called, and what is said of conditions that stay.
#include "integration/integration.h"

const char *sg_integration_component_text(const sg_integration *g, uint32_t crossing)
{
    uint32_t first = g->model->events.n_positive;
    const sg_sim_crossings *own = &g->segment.crossings;
    return crossing >= first && crossing - first < own->n_texts ? own->texts[crossing - first]
                                                                : NULL;
}

static void put_crossing(sg_integration *g, uint32_t crossing)
{
    const sg_event_layout *l = &g->model->events;
    const char *component = sg_integration_component_text(g, crossing);
    if (crossing < l->n_positive && l->positive_text && l->positive_text[crossing])
        sg_buf_printf(&g->text, g->env.levels[crossing] ? "%s" : "positive(%s)",
                      l->positive_text[crossing]);
    else if (component)
        sg_buf_puts(&g->text, component);
    else
        sg_buf_printf(&g->text, "crossing function %u", crossing + 1);
}

const char *sg_integration_crossing_text(sg_integration *g, uint32_t crossing)
{
    sg_buf_clear(&g->text);
    put_crossing(g, crossing);
    return sg_buf_text(&g->text);
}

const char *sg_integration_event_text(sg_integration *g)
{
    if (!g->event.found)
        return "a time event";
    sg_buf_clear(&g->text);
    for (uint32_t i = 0; i < g->env.n_crossings; i++) {
        if (!g->event.found[i])
            continue;
        if (g->text.len)
            sg_buf_puts(&g->text, ", ");
        put_crossing(g, i);
    }
    return sg_buf_text(&g->text);
}

void sg_integration_tell_held(sg_integration *g, uint32_t slot, double t)
{
    if (g->event.told_held)
        return;
    g->event.told_held = true;
    sg_sim_report(g->diags, t, SG_NOTE, SG_E_SIM_SCALE,
                  "from time = %.10g s on the argument of %s is nothing but errors of the method; "
                  "the condition stays as it is until the argument is larger than these",
                  t, sg_integration_crossing_text(g, slot));
}

void sg_integration_tell_late(sg_integration *g, uint32_t slot, double t)
{
    if (g->event.told_late)
        return;
    g->event.told_late = true;
    sg_sim_report(
        g->diags, t, SG_WARNING, SG_E_SIM_SCALE,
        "%s changes late, at time = %.10g s: when its argument went through zero it could "
        "not be told from errors of the method. Results may be off by more than the "
        "tolerance: use a smaller one, or larger resistances in ideal switches",
        sg_integration_crossing_text(g, slot), t);
}
