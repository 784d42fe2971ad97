#include "natives/bounds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// One variable with bounds, and where its values are in the present segment.
typedef struct sg_watched {
    const sg_flat_var *var;
    uint32_t column, n; // n is 0 while the variable is not there
    double sign;        // -1 for what is stored as the negative of another signal
    double size;        // largest magnitude so far
    bool told;
} sg_watched;

static bool is_bounded(const sg_flat_var *var) { return !isnan(var->min) || !isnan(var->max); }

static const sg_signal *find_signal(const sg_signal *signals, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(signals[i].name, name) == 0)
            return &signals[i];
    return NULL;
}

static void locate(sg_watched *w, const char *name, const sg_signal *signals, size_t n)
{
    const sg_signal *signal = find_signal(signals, n, name);
    w->sign = 1.0;
    w->n = 0;
    for (int depth = 0; signal && depth < 8 && signal->kind != SG_SIGNAL_VAR; depth++) {
        if (signal->kind == SG_SIGNAL_CONSTANT)
            return;
        w->sign *= signal->kind == SG_SIGNAL_NEGATED ? -1.0 : 1.0;
        signal = find_signal(signals, n, signal->alias);
    }
    if (!signal || signal->kind != SG_SIGNAL_VAR)
        return;
    w->column = signal->column;
    w->n = sg_signal_count(signal);
}

static sg_status begin_segment(void *context, const char *model, uint32_t segment, double t,
                               const sg_signal *signals, size_t n_signals)
{
    (void)model;
    (void)t;
    sg_bounds_watch *watch = context;
    const sg_flat *flat = watch->flat;
    if (segment == 0) {
        size_t n = 0;
        for (size_t i = 1; i < flat->vars.len; i++)
            n += is_bounded(&flat->vars.data[i]);
        watch->list = SG_NEW_ARRAY(watch->arena, sg_watched, n + 1);
        if (!watch->list)
            return SG_ERR_MEMORY;
        for (size_t i = 1; i < flat->vars.len; i++)
            if (is_bounded(&flat->vars.data[i]))
                watch->list[watch->n++].var = &flat->vars.data[i];
    }
    for (size_t i = 0; i < watch->n; i++)
        locate(&watch->list[i], sg_sym_text(flat->symbols, watch->list[i].var->name), signals,
               n_signals);
    return SG_OK;
}

static void tell(const sg_bounds_watch *watch, sg_watched *w, uint32_t element, double value,
                 bool low, double t)
{
    char index[16] = "";
    if (w->n > 1)
        snprintf(index, sizeof index, "[%u]", element + 1);
    sg_warning(watch->diags, SG_E_BOUNDS_LEFT, w->var->span,
               "'%s%s' = %.6g at time = %.6g s is %s its %s = %.6g",
               sg_sym_text(watch->flat->symbols, w->var->name), index, value, t,
               low ? "below" : "above", low ? "min" : "max", low ? w->var->min : w->var->max);
    w->told = true;
}

static sg_status point(void *context, double t, const double *values, size_t n_values)
{
    const sg_bounds_watch *watch = context;
    for (size_t i = 0; i < watch->n; i++) {
        sg_watched *w = &watch->list[i];
        double min = w->var->min, max = w->var->max;
        for (uint32_t k = 0; k < w->n && w->column + k < n_values && !w->told; k++) {
            double value = w->sign * values[w->column + k];
            w->size = fmax(w->size, fabs(value));
            double slack = 10.0 * watch->tolerance * fmax(w->size, w->var->nominal);
            if (value < min - slack) // false for a bound that is NaN
                tell(watch, w, k, value, true, t);
            else if (value > max + slack)
                tell(watch, w, k, value, false, t);
        }
    }
    return SG_OK;
}

sg_sink sg_bounds_sink(sg_bounds_watch *watch)
{
    return (sg_sink){.context = watch, .begin_segment = begin_segment, .point = point};
}
