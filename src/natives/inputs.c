// --input: the columns of a file that belong to the inputs of a model.
#include "natives/inputs.h"

#include "integration/env.h"
#include "lang/runtime.h"
#include "lang/unit.h"
#include "result/load.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct input_binding {
    sg_model_object *model;
    sg_session *session;
    const sg_result *table;
    const char *path;
    sg_span span;
    double *times;
    size_t n_rows;
    SG_VEC(sg_input_column) columns;
    bool *used; // signals of the table
    bool failed;
} input_binding;

static sg_status open_table(sg_session *session)
{
    const char *path = session->options.input_file;
    if (session->input_table)
        return SG_OK;
    return sg_result_load(path, session->allocator, &session->diags, &session->input_table);
}

static void complain(input_binding *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void complain(input_binding *b, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    sg_error(&b->session->diags, SG_E_INPUT_FILE, b->span, "%s", text);
    b->failed = true;
}

// ---- the rows -------------------------------------------------------------------------------

static sg_status read_times(input_binding *b, double start, double stop)
{
    b->n_rows = (size_t)b->table->n_points;
    b->times = SG_NEW_ARRAY(&b->model->input_arena, double, b->n_rows + 1);
    if (!b->times)
        return SG_ERR_MEMORY;
    sg_status status =
        sg_result_values(b->table, "time", 0, b->n_rows, b->times, &b->session->diags);
    if (status != SG_OK)
        return status;
    for (size_t i = 0; i < b->n_rows; i++)
        if (!isfinite(b->times[i]) || (i && b->times[i] < b->times[i - 1])) {
            complain(b, "'%s': time must not go back, but row %zu has %.10g s after %.10g s",
                     b->path, i + 1, b->times[i], i ? b->times[i - 1] : b->times[i]);
            return SG_ERR_IO;
        }
    if (b->n_rows == 0) {
        complain(b, "'%s' has no rows", b->path);
        return SG_ERR_IO;
    }
    double first = b->times[0], last = b->times[b->n_rows - 1];
    double slack = 1e-10 * (stop - start); // times of a file may be rounded
    bool early = start < first - slack && !sg_sim_same_instant(start, first);
    bool late = stop > last + slack && !sg_sim_same_instant(stop, last);
    if (early || late) {
        complain(b,
                 "'%s' has values from %.10g s to %.10g s, but the simulation goes from %.10g s to "
                 "%.10g s; add rows, or change %s",
                 b->path, first, last, start, stop, late ? "the stop time" : "startTime");
        return SG_ERR_IO;
    }
    return SG_OK;
}

// ---- the columns ----------------------------------------------------------------------------

// SI numbers, whatever unit the header names.
static bool convert(input_binding *b, const sg_signal *signal, const sg_flat_var *v, double *values)
{
    const sg_vm *vm = b->session->vm;
    sg_units *units = sg_runtime_of(vm)->units;
    if (!signal->unit || !signal->unit[0])
        return true;
    uint32_t unit = sg_unit_parse(units, signal->unit, strlen(signal->unit), NULL, NULL, NULL);
    if (unit == SG_UNIT_BAD) {
        complain(b, "'%s': the unit '%s' of column '%s' is not known", b->path, signal->unit,
                 signal->name);
        return false;
    }
    const char *wanted = sg_sym_text(vm->symbols, v->unit);
    uint32_t own = v->unit.i ? sg_unit_parse(units, wanted, strlen(wanted), NULL, NULL, NULL)
                             : (uint32_t)SG_UNIT_NONE;
    // A model without units knows nothing to compare with, nor does an input without a value.
    bool known = !b->model->instance.flat.unitless && v->value.kind != SG_FLAT_NONE;
    if (known && own != SG_UNIT_BAD && !sg_unit_same_dimension(units, unit, own)) {
        complain(b, "'%s': column '%s' is in %s, but the input is %s%s", b->path, signal->name,
                 signal->unit, v->unit.i ? "in " : "a plain number", v->unit.i ? wanted : "");
        return false;
    }
    for (size_t i = 0; i < b->n_rows; i++)
        values[i] = sg_unit_to_si(units, values[i], unit);
    return true;
}

static bool add_column(input_binding *b, uint32_t var, uint32_t element, bool scalar,
                       const sg_signal *signal, const char *name)
{
    const sg_flat_var *v = &b->model->instance.flat.vars.data[var];
    double *values = SG_NEW_ARRAY(&b->model->input_arena, double, b->n_rows + 1);
    if (!values ||
        sg_result_values(b->table, name, 0, b->n_rows, values, &b->session->diags) != SG_OK ||
        !convert(b, signal, v, values)) {
        b->failed = true;
        return false;
    }
    bool hold = v->value.whole || v->value.truth;
    for (size_t i = 0; i < b->n_rows; i++) {
        if (!isfinite(values[i])) {
            complain(b, "'%s': column '%s' has no number in row %zu, at %.10g s", b->path, name,
                     i + 1, b->times[i]);
            return false;
        }
        if (hold && (v->value.truth ? values[i] != 0.0 && values[i] != 1.0
                                    : values[i] != floor(values[i]))) {
            complain(b, "'%s': column '%s' has %g in row %zu, but the input is %s", b->path, name,
                     values[i], i + 1, v->value.truth ? "a Bool" : "an integer");
            return false;
        }
    }
    sg_input_column column = {var, element, hold, scalar, values};
    b->failed |= !SG_PUSH(b->session->allocator, &b->columns, column);
    return !b->failed;
}

static void miss(input_binding *b, uint32_t var)
{
    const sg_flat_var *v = &b->model->instance.flat.vars.data[var];
    const char *name = sg_sym_text(b->session->vm->symbols, v->name);
    if (v->attributes & (SG_ATTR_HAS_INIT | SG_ATTR_HAS_START)) {
        sg_note(&b->session->diags, b->span,
                "'%s' has no column '%s'; this input keeps the value that the model gives it",
                b->path, name);
        return;
    }
    size_t n = b->table->n_signals;
    const char **names = SG_NEW_ARRAY(&b->model->input_arena, const char *, n + 1);
    for (size_t i = 0; names && i < n; i++)
        names[i] = b->table->signals[i].signal.name;
    const char *hint = names ? sg_closest_name(name, names, n) : NULL;
    complain(b, "'%s' has no column for the input '%s' of the model%s%s%s", b->path, name,
             hint ? "; did you mean '" : "", hint ? hint : "", hint ? "'?" : "");
}

// All elements of one input.
static void bind_input(input_binding *b, uint32_t var)
{
    const sg_flat_var *v = &b->model->instance.flat.vars.data[var];
    const char *name = sg_sym_text(b->session->vm->symbols, v->name);
    int32_t at = sg_result_find(b->table, name);
    if (at < 0) {
        miss(b, var);
        return;
    }
    const sg_signal *signal = &b->table->signals[at].signal;
    b->used[at] = true;
    size_t have = sg_signal_count(signal);
    bool array = v->value.kind == SG_FLAT_ARRAY;
    size_t want = array                             ? (size_t)v->value.rows * v->value.cols
                  : v->value.kind == SG_FLAT_NUMBER ? 1
                                                    : have;
    if (have != want || (array && signal->rank == 0 && want > 1)) {
        complain(b, "'%s' has %zu columns for the input '%s', which has %zu elements", b->path,
                 have, name, want);
        return;
    }
    bool scalar = v->value.kind == SG_FLAT_NUMBER || (!array && signal->rank == 0);
    for (uint32_t k = 0; k < have && !b->failed; k++) {
        char element[512];
        sg_element_name(signal, k, element, sizeof element);
        add_column(b, var, k, scalar, signal, element);
    }
}

// Columns that nobody reads are perhaps misspelt; a result of an earlier run has many of them.
static void tell_unused(input_binding *b)
{
    const char *first = NULL;
    size_t n = 0;
    for (size_t i = 0; i < b->table->n_signals; i++)
        if (!b->used[i] && strcmp(b->table->signals[i].signal.name, "time") != 0) {
            first = first ? first : b->table->signals[i].signal.name;
            n++;
        }
    if (n == 1)
        sg_note(&b->session->diags, b->span, "column '%s' of '%s' belongs to no input", first,
                b->path);
    else if (n)
        sg_note(&b->session->diags, b->span, "%zu columns of '%s' belong to no input, such as '%s'",
                n, b->path, first);
}

static sg_status bind_all(input_binding *b, double start, double stop)
{
    const sg_flat *flat = &b->model->instance.flat;
    b->used = SG_NEW_ARRAY(&b->model->input_arena, bool, b->table->n_signals + 1);
    if (!b->used)
        return SG_ERR_MEMORY;
    sg_status status = read_times(b, start, stop);
    for (uint32_t v = 1; status == SG_OK && v < flat->vars.len; v++)
        if (flat->vars.data[v].attributes & SG_ATTR_TOP_INPUT)
            bind_input(b, v);
    if (status != SG_OK || b->failed)
        return status != SG_OK ? status : SG_ERR_IO;
    tell_unused(b);
    sg_arena *arena = &b->model->input_arena;
    sg_input_column *columns = SG_NEW_ARRAY(arena, sg_input_column, b->columns.len + 1);
    if (!columns)
        return SG_ERR_MEMORY;
    if (b->columns.len) // else the file has columns for others only
        memcpy(columns, b->columns.data, b->columns.len * sizeof *columns);
    b->model->compiled.inputs = &b->model->inputs;
    return sg_inputs_init(&b->model->inputs, arena, b->times, b->n_rows, columns, b->columns.len);
}

sg_status sg_inputs_prepare(sg_model_object *m, double start, double stop, sg_span span)
{
    sg_session *session = m->session;
    const sg_flat *flat = &m->instance.flat;
    m->compiled.inputs = NULL;
    bool any = false;
    for (uint32_t v = 1; v < flat->vars.len && !any; v++)
        any = (flat->vars.data[v].attributes & SG_ATTR_TOP_INPUT) != 0;
    if (!session->options.input_file)
        return SG_OK;
    sg_status status = open_table(session); // a file that is missing is missed by every model
    if (status != SG_OK)
        return status;
    if (!any) {
        sg_warning(&session->diags, SG_E_INPUT_FILE, span,
                   "'%s' is not used: the model has no inputs at its top level",
                   session->options.input_file);
        return SG_OK;
    }
    sg_arena_destroy(&m->input_arena);
    sg_arena_init(&m->input_arena, session->allocator);
    input_binding b = {.model = m,
                       .session = session,
                       .table = session->input_table,
                       .path = session->options.input_file,
                       .span = span};
    status = bind_all(&b, start, stop);
    if (status != SG_OK)
        m->compiled.inputs = NULL;
    SG_VEC_FREE(session->allocator, &b.columns);
    return status;
}
