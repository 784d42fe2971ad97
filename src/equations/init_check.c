#include "equations/init_check.h"

#include "base/digits.h"

#include <float.h>
#include <math.h>

typedef struct init_value {
    const double *given, *computed; // computed null: zero
    size_t n_given, n_computed;
    double sign;
} init_value;

// A zero has no size of its own: what rounding leaves of numbers of the given size is one.
static bool differs(const init_value *v, double tolerance, double size)
{
    if (v->computed && v->n_computed != v->n_given)
        return true;
    for (size_t k = 0; k < v->n_given; k++) {
        double a = v->given[k], b = v->computed ? v->sign * v->computed[k] : 0.0;
        double scale = fmax(fmax(fabs(a), fabs(b)), 0.01 * tolerance);
        double rounding = a == 0.0 ? 4 * DBL_EPSILON * size : 0.0;
        if (!(fabs(a - b) < fmax(tolerance * scale, rounding)))
            return true;
    }
    return false;
}

static void print_numbers(const double *numbers, size_t n, double sign, sg_buf *out)
{
    enum { SHOWN = 6 };
    char text[32];
    sg_buf_puts(out, n == 1 ? "" : "[");
    for (size_t k = 0; k < n && k < SHOWN; k++) {
        sg_format_shortest(sign * numbers[k] + 0.0, text);
        sg_buf_printf(out, k ? ", %s" : "%s", text);
    }
    sg_buf_puts(out, n == 1 ? "" : n > SHOWN ? ", …]" : "]");
}

static void print_both(const sg_flat *flat, sg_var_id var, const init_value *v, sg_buf *text)
{
    static const double zero = 0.0;
    sg_flat_print_var(flat, var, text);
    sg_buf_puts(text, ": init = ");
    print_numbers(v->given, v->n_given, 1.0, text);
    sg_buf_puts(text, ", but the equations give ");
    print_numbers(v->computed ? v->computed : &zero, v->computed ? v->n_computed : 1, v->sign,
                  text);
}

// The array has other elements that need their init values, so this one cannot be left out.
static void warn(const sg_flat *flat, sg_var_id var, const init_value *v, sg_diags *diags)
{
    sg_buf text;
    sg_buf_init(&text, flat->allocator);
    print_both(flat, var, v, &text);
    sg_warning(diags, SG_E_INIT_VALUE, flat->vars.data[var.i].span,
               "%s; that holds, since they determine this element by themselves",
               sg_buf_text(&text));
    sg_buf_free(&text);
}

static void report(const sg_flat *flat, sg_var_id var, const init_value *v, sg_diags *diags)
{
    sg_buf text;
    sg_buf_init(&text, flat->allocator);
    print_both(flat, var, v, &text);
    sg_note(diags, flat->vars.data[var.i].span, "%s", sg_buf_text(&text));
    sg_buf_free(&text);
}

static bool need_not_hold(const sg_flat *flat, sg_var_id var)
{
    return flat->vars.data[var.i].attributes & SG_ATTR_DETERMINED;
}

static bool look_up(const sg_structure *structure, const sg_flat *flat, sg_var_id var,
                    sg_value_getter *computed, sg_value_getter *given, void *context, init_value *v)
{
    const sg_flat_value *written = &flat->vars.data[var.i].value;
    const sg_alias *alias = &structure->aliases[var.i];
    *v = (init_value){.given = written->numbers,
                      .n_given = (size_t)written->rows * written->cols,
                      .sign = alias->kind == SG_ALIAS_MINUS ? -1.0 : 1.0};
    if (given)
        v->given = given(context, var, &v->n_given);
    if (!v->given || (!given && written->kind == SG_FLAT_OTHER))
        return false;
    if (alias->kind == SG_ALIAS_ZERO || alias->kind == SG_ALIAS_FREE_ZERO)
        return true;
    v->computed = computed(context, alias->of.i ? alias->of : var, &v->n_computed);
    return v->computed != NULL;
}

// The largest number among the states.
static double size_of_states(const sg_structure *structure, sg_value_getter *computed,
                             void *context)
{
    double size = 0.0;
    for (uint32_t i = 0; i < structure->blocks.n_states; i++) {
        size_t n = 0;
        const double *x = computed(context, structure->blocks.states[i], &n);
        for (size_t k = 0; x && k < n; k++)
            size = fmax(size, fabs(x[k]));
    }
    return size;
}

size_t sg_init_numbers(const sg_structure *structure, const sg_flat *flat,
                       sg_value_getter *computed, void *context, sg_init_number *out)
{
    size_t n = 0;
    for (uint32_t k = 0; k < structure->n_init_checks; k++) {
        init_value v;
        if (need_not_hold(flat, structure->init_checks[k]) ||
            !look_up(structure, flat, structure->init_checks[k], computed, NULL, context, &v) ||
            (v.computed && v.n_computed != v.n_given))
            continue;
        for (size_t i = 0; i < v.n_given; i++, n++)
            if (out)
                out[n] = (sg_init_number){v.computed ? v.sign * v.computed[i] : 0.0, v.given[i], k};
    }
    return n;
}

bool sg_init_values_hold(const sg_structure *structure, const sg_flat *flat, double tolerance,
                         sg_value_getter *computed, void *context)
{
    double size = structure->n_init_checks ? size_of_states(structure, computed, context) : 0.0;
    for (uint32_t k = 0; k < structure->n_init_checks; k++) {
        init_value v;
        if (!need_not_hold(flat, structure->init_checks[k]) &&
            look_up(structure, flat, structure->init_checks[k], computed, NULL, context, &v) &&
            differs(&v, tolerance, size))
            return false;
    }
    return true;
}

sg_status sg_check_init_values(const sg_structure *structure, const sg_flat *flat, double tolerance,
                               sg_value_getter *computed, sg_value_getter *given, void *context,
                               sg_diags *diags)
{
    sg_status status = SG_OK;
    double size = structure->n_init_checks ? size_of_states(structure, computed, context) : 0.0;
    for (uint32_t k = 0; k < structure->n_init_checks; k++) {
        init_value v;
        sg_var_id var = structure->init_checks[k];
        if (!look_up(structure, flat, var, computed, given, context, &v) ||
            !differs(&v, tolerance, size))
            continue;
        if (need_not_hold(flat, var)) {
            warn(flat, var, &v, diags);
            continue;
        }
        if (!status)
            sg_error(diags, SG_E_INIT_VALUE, flat->vars.data[var.i].span,
                     "init values contradict the equations; these variables are computed from the "
                     "states, so delete their init values or use start instead of init (for a "
                     "joint: phi = Var(init = nothing)):");
        status = SG_ERR_INIT;
        report(flat, var, &v, diags);
    }
    return status;
}
