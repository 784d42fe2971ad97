// plot(...) and its relatives in scripts (language.md 5.5): figures become SVG files in the output
// folder, one for each figure number. A figure is drawn when it is complete: at the end of the
// script, or when saveFigure asks for it.
#include "lang/runtime.h"
#include "natives/model_object.h"
#include "natives/natives.h"
#include "natives/table_functions.h"
#include "view/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static sg_session_figure *find_figure(sg_session *session, int64_t number, bool make)
{
    for (size_t i = 0; i < session->figures.len; i++)
        if (session->figures.data[i]->number == number)
            return session->figures.data[i];
    if (!make)
        return NULL;
    sg_session_figure *f = SG_NEW(&session->arena, sg_session_figure);
    if (!f || !SG_PUSH(session->allocator, &session->figures, f))
        return NULL;
    f->number = number;
    sg_figure_init(&f->figure, session->allocator);
    return f;
}

// ---- the matrix of diagrams -----------------------------------------------------------------

typedef struct layout {
    sg_session *session;
    sg_figure *figure;
    sg_result *result;
    const char *prefix;
    sg_span span;
} layout;

static sg_status add_signal(layout *l, uint32_t row, uint32_t column, sg_value name)
{
    sg_vm *vm = l->session->vm;
    const char *text = sg_text_of(vm, name);
    if (!text)
        return sg_raise(vm, "ArgumentError", SG_E_PLOT, l->span,
                        "plot takes names of signals: a string, a tuple, a vector or a matrix of "
                        "them");
    sg_diags *diags = &l->session->diags;
    size_t first = diags->len;
    bool published = l->session->compat.unknown_signals;
    sg_status status = sg_figure_add(l->figure, row, column, l->result, text, l->prefix,
                                     published ? SG_WARNING : SG_ERROR, diags);
    for (size_t i = first; i < diags->len; i++)
        if (!diags->list[i].span.file)
            diags->list[i].span = l->span;
    if (status != SG_ERR_USAGE)
        return status;
    if (!published)
        sg_session_fail(l->session, SG_ERR_MODEL);
    return SG_OK; // the diagram goes without it
}

static sg_status add_diagram(layout *l, uint32_t row, uint32_t column, sg_value names)
{
    sg_status status = sg_figure_resize(l->figure, row + 1, column + 1);
    if (status != SG_OK || !sg_is(names, SG_OBJ_TUPLE))
        return status == SG_OK ? add_signal(l, row, column, names) : status;
    const sg_tuple *tuple = (sg_tuple *)names.o;
    for (uint32_t i = 0; status == SG_OK && i < tuple->n; i++)
        status = add_signal(l, row, column, tuple->items[i]);
    return status;
}

static sg_status add_all(layout *l, sg_value names)
{
    if (!sg_is(names, SG_OBJ_ARRAY))
        return add_diagram(l, 0, 0, names);
    const sg_array *array = (sg_array *)names.o;
    size_t rows = array->dims[0], columns = array->ndims > 1 ? array->dims[1] : 1;
    sg_status status = SG_OK;
    for (size_t j = 0; status == SG_OK && j < columns; j++)
        for (size_t i = 0; status == SG_OK && i < rows; i++)
            status = add_diagram(l, (uint32_t)i, (uint32_t)j, sg_array_get(array, i + rows * j));
    return status;
}

// Every column of a table but the one on the horizontal axis.
static sg_status add_columns(layout *l, const char *x)
{
    sg_status status = sg_figure_resize(l->figure, 1, 1);
    for (size_t i = 0; status == SG_OK && i < l->result->n_signals; i++) {
        const char *name = l->result->signals[i].signal.name;
        if (strcmp(name, x) != 0)
            status = add_signal(l, 0, 0, sg_string_value(l->session->vm, name));
    }
    return status;
}

// ---- plot -----------------------------------------------------------------------------------

static const char *text_keyword(sg_vm *vm, const sg_args *args, const char *name)
{
    const sg_value *value = sg_args_find(vm, args, name);
    const char *text = value ? sg_text_of(vm, *value) : NULL;
    return text ? text : "";
}

static bool flag_keyword(sg_vm *vm, const sg_args *args, const char *name, bool otherwise)
{
    const sg_value *value = sg_args_find(vm, args, name);
    return value && value->tag == SG_BOOL ? value->b : otherwise;
}

static int64_t int_keyword(sg_vm *vm, const sg_args *args, const char *name, int64_t otherwise)
{
    const sg_value *value = sg_args_find(vm, args, name);
    return value && value->tag == SG_INT ? value->i : otherwise;
}

// ---- what is seen ---------------------------------------------------------------------------

static sg_status refuse(sg_vm *vm, const sg_args *args, const char *name, const char *expected)
{
    return sg_raise(vm, "ArgumentError", SG_E_PLOT, args->span, "%s of plot is %s", name, expected);
}

// (low, high), also as a vector; `nothing` leaves an end open.
static sg_status range_keyword(sg_vm *vm, const sg_args *args, const char *name, double *lo,
                               double *hi)
{
    const sg_value *value = sg_args_find(vm, args, name);
    if (!value || value->tag == SG_NOTHING)
        return SG_OK;
    sg_value ends[2];
    if (sg_is(*value, SG_OBJ_TUPLE) && ((sg_tuple *)value->o)->n == 2) {
        memcpy(ends, ((sg_tuple *)value->o)->items, sizeof ends);
    } else if (sg_is(*value, SG_OBJ_ARRAY) && ((sg_array *)value->o)->len == 2) {
        ends[0] = sg_array_get((sg_array *)value->o, 0);
        ends[1] = sg_array_get((sg_array *)value->o, 1);
    } else {
        return refuse(vm, args, name, "a pair of numbers, (low, high)");
    }
    if ((ends[0].tag != SG_NOTHING && !sg_to_float(ends[0], lo)) ||
        (ends[1].tag != SG_NOTHING && !sg_to_float(ends[1], hi)) || *lo >= *hi || isinf(*lo) ||
        isinf(*hi))
        return refuse(vm, args, name, "a pair of numbers, (low, high)");
    return SG_OK;
}

static sg_status time_keyword(sg_vm *vm, const sg_args *args, const char *name, double *out)
{
    const sg_value *value = sg_args_find(vm, args, name);
    if (!value || value->tag == SG_NOTHING)
        return SG_OK;
    return sg_to_float(*value, out) && isfinite(*out) ? SG_OK
                                                      : refuse(vm, args, name, "a time in seconds");
}

static sg_status log_keyword(sg_vm *vm, const sg_args *args, sg_window *window)
{
    const sg_value *value = sg_args_find(vm, args, "log");
    if (!value)
        return SG_OK;
    const char *text = sg_text_of(vm, *value);
    bool both = text && strcmp(text, "xy") == 0;
    window->log_x = both || (text && strcmp(text, "x") == 0);
    window->log_y = both || (text && strcmp(text, "y") == 0) || (value->tag == SG_BOOL && value->b);
    return window->log_x || window->log_y || value->tag == SG_BOOL
               ? SG_OK
               : refuse(vm, args, "log", "true, :x, :y or :xy");
}

static sg_status read_window(sg_vm *vm, const sg_args *args, sg_figure *figure)
{
    sg_window *w = &figure->window;
    sg_status status = range_keyword(vm, args, "xlim", &w->x_lo, &w->x_hi);
    if (status == SG_OK)
        status = range_keyword(vm, args, "ylim", &w->y_lo, &w->y_hi);
    if (status == SG_OK)
        status = time_keyword(vm, args, "from", &w->from);
    if (status == SG_OK)
        status = time_keyword(vm, args, "to", &w->to);
    if (status == SG_OK && w->from >= w->to)
        status = refuse(vm, args, "from", "a time before that of to");
    if (status == SG_OK)
        status = log_keyword(vm, args, w);
    w->degrees = flag_keyword(vm, args, "deg", w->degrees);
    w->equal = flag_keyword(vm, args, "equal", w->equal);
    figure->band = flag_keyword(vm, args, "band", figure->band);
    if (status == SG_OK && text_keyword(vm, args, "right")[0])
        status = sg_figure_set_right(figure, text_keyword(vm, args, "right"));
    if (status == SG_OK && text_keyword(vm, args, "colorBy")[0])
        status = sg_figure_set_color_by(figure, text_keyword(vm, args, "colorBy"));
    return status;
}

static sg_status plot_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    static const char *const keywords[] = {"figure",
                                           "heading",
                                           "grid",
                                           "xAxis",
                                           "prefix",
                                           "reuse",
                                           "maxLegend",
                                           "minXaxisTickLabels",
                                           "MonteCarloAsArea",
                                           "xlim",
                                           "ylim",
                                           "from",
                                           "to",
                                           "log",
                                           "deg",
                                           "equal",
                                           "right",
                                           "colorBy",
                                           "band"};
    sg_session *session = context;
    *out = SG_VALUE_NOTHING;
    if (session->options.check_only || (args->n && args->v[0].tag == SG_NOTHING))
        return SG_OK;
    sg_status status =
        sg_args_check_keywords(vm, args, "plot", keywords, sizeof keywords / sizeof keywords[0]);
    const sg_model_object *m = args->n ? sg_native_data(args->v[0], &sg_model_class) : NULL;
    if (status == SG_OK && m && !m->result) {
        sg_warning(&session->diags, SG_E_PLOT, args->span,
                   "plot is skipped: model '%s' has no result", sg_vm_text(vm, m->instance.name));
        return SG_OK;
    }
    sg_result *result = NULL;
    const char *first = NULL; // column of a table
    bool table = !m && args->n && sg_is_plain_table(vm, args->v[0]);
    if (status == SG_OK && table)
        status = sg_plain_table_result(vm, args, &first, &result);
    else if (status == SG_OK)
        status = sg_result_argument(vm, args, "plot", &result);
    if (status != SG_OK)
        return status;
    sg_session_figure *f = find_figure(session, int_keyword(vm, args, "figure", 1), true);
    if (!f)
        return SG_ERR_MEMORY;
    sg_figure *figure = &f->figure;
    if (!flag_keyword(vm, args, "reuse", false))
        sg_figure_clear(figure);
    if (first && !text_keyword(vm, args, "xAxis")[0])
        status = sg_figure_set_x_axis(figure, first);
    layout l = {session, figure, result, text_keyword(vm, args, "prefix"), args->span};
    if (status == SG_OK)
        status = first && args->n == 1 ? add_columns(&l, first)
                                       : add_all(&l, args->n > 1 ? args->v[1] : SG_VALUE_NOTHING);
    if (table)
        sg_result_destroy(result); // the figure holds it as long as it needs it
    const char *heading = text_keyword(vm, args, "heading");
    if (status == SG_OK)
        status =
            heading[0] ? sg_figure_set_heading(figure, heading) : sg_figure_default_heading(figure);
    if (status == SG_OK && text_keyword(vm, args, "xAxis")[0])
        status = sg_figure_set_x_axis(figure, text_keyword(vm, args, "xAxis"));
    if (status == SG_OK)
        status = read_window(vm, args, figure);
    figure->grid = flag_keyword(vm, args, "grid", true);
    figure->few_x_labels = flag_keyword(vm, args, "minXaxisTickLabels", false);
    figure->max_legend = (uint32_t)int_keyword(vm, args, "maxLegend", 10);
    f->changed = true;
    f->span = args->span;
    return status;
}

// ---- files ----------------------------------------------------------------------------------

// Notes are told with `span`; errors with that of the plot, if they have no other.
static sg_status write_figure(sg_session *session, sg_session_figure *f, const char *name,
                              sg_span span, sg_diags *diags)
{
    sg_span place = span.file ? span : f->span;
    const char *path = sg_files_output(&session->files, name, place, diags);
    if (!path)
        return sg_files_refusal(&session->files);
    size_t first = diags->len;
    sg_status status = sg_figure_write(&f->figure, path, 1.0, diags);
    for (size_t i = first; i < diags->len; i++)
        if (!diags->list[i].span.file)
            diags->list[i].span = place;
    if (status == SG_OK) {
        sg_note(diags, span, "figure %lld: %s", (long long)f->number, path);
        f->changed = false;
    }
    return status;
}

sg_status sg_session_write_figures(sg_session *session)
{
    sg_status worst = SG_OK;
    if (session->options.timed)
        return SG_OK;
    for (size_t i = 0; i < session->figures.len && worst != SG_ERR_LIMIT; i++) {
        sg_session_figure *f = session->figures.data[i];
        char name[64];
        snprintf(name, sizeof name, "figure%lld.svg", (long long)f->number);
        if (f->figure.n_results == 0 || !f->changed) // every signal was unknown, and that was said
            continue;
        sg_status status = write_figure(session, f, name, (sg_span){0}, &session->diags);
        worst = status == SG_OK ? worst : status;
    }
    return worst;
}

void sg_session_close_figures(sg_session *session)
{
    for (size_t i = 0; i < session->figures.len; i++)
        sg_figure_destroy(&session->figures.data[i]->figure);
    SG_VEC_FREE(session->allocator, &session->figures);
}

static sg_status save_figure_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    sg_session *session = context;
    *out = SG_VALUE_NOTHING;
    const char *name = args->n > 1 ? sg_text_of(vm, args->v[1]) : NULL;
    if (!name || args->v[0].tag != SG_INT)
        return sg_raise(vm, "MethodError", SG_E_PLOT, args->span,
                        "saveFigure takes the number of a figure and a file name");
    if (session->options.check_only)
        return SG_OK;
    sg_session_figure *f = find_figure(session, args->v[0].i, false);
    if (!f)
        return sg_raise(vm, "ArgumentError", SG_E_PLOT, args->span, "there is no figure %lld",
                        (long long)args->v[0].i);
    sg_diags diags;
    sg_diags_init(&diags, session->allocator);
    sg_status status = write_figure(session, f, name, args->span, &diags);
    status = sg_session_pass_on(session, &diags, status);
    sg_diags_destroy(&diags);
    return status;
}

static sg_status close_figure_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)vm;
    sg_session *session = context;
    *out = SG_VALUE_NOTHING;
    for (size_t i = 0; i < session->figures.len; i++)
        if (args->n == 0 || session->figures.data[i]->number == args->v[0].i) {
            sg_figure_clear(&session->figures.data[i]->figure);
            session->figures.data[i]->changed = false;
        }
    return SG_OK;
}

static sg_status package_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)args;
    (void)context;
    *out = sg_string_value(vm, "Segue");
    return SG_OK;
}

bool sg_session_register_plots(sg_session *session)
{
    const sg_session_function table[] = {{"plot", plot_native, NULL},
                                         {"saveFigure", save_figure_native, NULL},
                                         {"closeFigure", close_figure_native, NULL},
                                         {"closeAllFigures", close_figure_native, NULL},
                                         {"showFigure", sg_nothing_native, NULL},
                                         {"usePlotPackage", sg_nothing_native, NULL},
                                         {"usePreviousPlotPackage", sg_nothing_native, NULL},
                                         {"currentPlotPackage", package_native, NULL}};
    return sg_session_register(session, table, sizeof table / sizeof table[0]);
}
