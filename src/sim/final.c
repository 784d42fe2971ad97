// The test of requiredFinalStates, exactly as the published models rely on it (language 5.2).
#include "base/digits.h"
#include "sim/run_internal.h"

#include <math.h>

static double norm(const double *x, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

static void put_vector(sg_buf *text, const double *x, size_t n)
{
    char number[32];
    sg_buf_putc(text, '[');
    for (size_t i = 0; i < n; i++) {
        sg_format_shortest(x[i], number);
        sg_buf_printf(text, "%s%s", i ? ", " : "", number);
    }
    sg_buf_putc(text, ']');
}

static double difference(const double *a, const double *b, size_t n, double *largest)
{
    double sum = 0.0;
    *largest = 0.0;
    for (size_t i = 0; i < n; i++) {
        double d = a[i] - b[i];
        sum += d * d;
        *largest = fmax(*largest, fabs(d));
    }
    return sqrt(sum);
}

static sg_status refuse(sg_sim_run_state *run)
{
    sg_integration *g = run->integration;
    run->outcome->final_states_ok = false;
    if (run->diags)
        sg_diags_add_at(run->diags, SG_ERROR, SG_E_FINAL_STATES, (sg_span){0}, g->t,
                        sg_buf_text(&g->text));
    return SG_ERR_CHECK;
}

// The states but for quadratures; null when memory ran out.
static const double *judged_states(sg_sim_run_state *run, size_t *n)
{
    sg_integration *g = run->integration;
    const double *x = run->outcome->x;
    const bool *quadrature = g->segment.quadrature, *unlisted = g->segment.unlisted;
    size_t all = run->outcome->n_states;
    *n = all;
    if (!quadrature || all != g->segment.n_states)
        return x;
    double *out = SG_NEW_ARRAY(&g->segment_arena, double, all + 1);
    *n = 0;
    for (size_t i = 0; out && i < all; i++)
        if (!quadrature[i] && !(unlisted && unlisted[i]))
            out[(*n)++] = x[i];
    return out;
}

sg_status sg_sim_check_final_states(sg_sim_run_state *run)
{
    const sg_sim_options *o = &run->options;
    if (!o->test_final_states)
        return SG_OK;
    size_t n;
    const double *x = judged_states(run, &n), *required = o->final_states;
    if (!x && n)
        return SG_ERR_MEMORY;
    sg_buf *text = &run->integration->text;
    sg_buf_clear(text);
    if (o->n_final_states != n) {
        sg_buf_printf(text, "requiredFinalStates has %zu elements, but the model has %zu states; ",
                      o->n_final_states, n);
        sg_buf_puts(text, "the final states are ");
        put_vector(text, x, n);
        return refuse(run);
    }
    double largest, d = difference(x, required, n, &largest);
    double allowed = fmax(o->final_atol, o->final_rtol * fmax(norm(x, n), norm(required, n)));
    if (d <= allowed)
        return SG_OK;
    sg_buf_printf(text, "the final states differ from requiredFinalStates by %.3g (allowed %.3g)\n",
                  d, allowed);
    sg_buf_puts(text, "required: ");
    put_vector(text, required, n);
    sg_buf_puts(text, "\nreached:  ");
    put_vector(text, x, n);
    sg_buf_puts(text, "\ndifference: [");
    for (size_t i = 0; i < n; i++)
        sg_buf_printf(text, "%s%.3g", i ? ", " : "", x[i] - required[i]);
    sg_buf_printf(text, "], largest %.3g", largest);
    return refuse(run);
}
