// The older ways to look at a run: the solution that simulate! returns, with `t` and `u`, and the
// tables of get_result, with rows and columns (language 5.2, 5.4).
#include "lang/print.h"
#include "lang/runtime.h"
#include "natives/model_object.h"
#include "natives/natives.h"

#include <string.h>

// ---- the solution ---------------------------------------------------------------------------

typedef struct solution {
    sg_result *result;
    sg_status status;
} solution;

static void destroy_solution(sg_vm *vm, void *data)
{
    solution *s = data;
    sg_result_destroy(s->result);
    vm->allocator->resize(vm->allocator->context, s, sizeof *s, 0);
}

// One vector of states for each point of time.
static sg_status state_vectors(sg_vm *vm, const sg_result *result, sg_value *out)
{
    size_t n = (size_t)result->n_points, n_states = 0;
    for (size_t i = 0; i < result->n_signals; i++) {
        const sg_signal *s = &result->signals[i].signal;
        if (s->state && s->kind == SG_SIGNAL_VAR)
            n_states += sg_signal_count(s);
    }
    sg_array *points = sg_vector_make(vm, SG_ELEM_ANY, 0);
    sg_arena arena;
    sg_arena_init(&arena, vm->allocator);
    double *column = SG_NEW_ARRAY(&arena, double, n + 1);
    sg_status status = points && column ? SG_OK : SG_ERR_MEMORY;
    *out = sg_object(points);
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, *out);
    for (size_t i = 0; status == SG_OK && i < n; i++) {
        sg_array *x = sg_vector_make(vm, SG_ELEM_FLOAT, n_states);
        if (!x || !sg_array_push(vm, points, sg_object(x)))
            status = SG_ERR_MEMORY;
    }
    for (size_t i = 0; status == SG_OK && i < result->n_signals; i++) {
        const sg_signal *s = &result->signals[i].signal;
        uint32_t count = s->state && s->kind == SG_SIGNAL_VAR ? sg_signal_count(s) : 0;
        for (uint32_t k = 0; status == SG_OK && k < count; k++) {
            status = sg_result_read(result, (int32_t)i, k, 0, n, column, vm->diags);
            for (size_t p = 0; status == SG_OK && p < n && s->state - 1 + k < n_states; p++)
                ((sg_array *)sg_array_get(points, p).o)->f[s->state - 1 + k] = column[p];
        }
    }
    sg_root_pop(vm, mark);
    sg_arena_destroy(&arena);
    return status;
}

static sg_status solution_field(sg_vm *vm, void *data, sg_sym name, bool *found, sg_value *out)
{
    const solution *s = data;
    const char *text = sg_vm_text(vm, name);
    *found = true;
    if (strcmp(text, "t") == 0)
        return sg_signal_values(vm, s->result, SG_TIME, false, out);
    if (strcmp(text, "u") == 0)
        return state_vectors(vm, s->result, out);
    if (strcmp(text, "retcode") == 0)
        *out = sg_symbol(sg_vm_sym(vm, s->status == SG_OK ? "Success" : "Failure"));
    else
        *found = false;
    return SG_OK;
}

static void print_solution(sg_vm *vm, void *data, sg_buf *out)
{
    (void)vm;
    const solution *s = data;
    sg_buf_printf(out, "Solution(%llu points)", (unsigned long long)s->result->n_points);
}

static const sg_native_class solution_class = {.name = "Solution",
                                               .destroy = destroy_solution,
                                               .get_field = solution_field,
                                               .print = print_solution};

sg_value sg_solution_make(sg_vm *vm, sg_result *result, sg_status status)
{
    solution *s = vm->allocator->resize(vm->allocator->context, NULL, 0, sizeof *s);
    if (!s)
        return (sg_value){.tag = SG_UNDEF};
    *s = (solution){sg_result_retain(result), status};
    sg_value value = sg_native_make(vm, &solution_class, s);
    if (value.tag == SG_UNDEF)
        destroy_solution(vm, s);
    return value;
}

// ---- tables ---------------------------------------------------------------------------------

// Some columns and rows of a result.
typedef struct result_table {
    sg_result *result;
    const char **names; // belong to the result
    size_t n_names;
    size_t *rows; // null: all
    size_t n_rows;
} result_table;

enum { SHOWN_ROWS = 20 };

static void destroy_result_table(sg_vm *vm, void *data)
{
    const sg_allocator *a = vm->allocator;
    result_table *t = data;
    sg_result_destroy(t->result);
    if (t->names)
        a->resize(a->context, (void *)t->names, (t->n_names + 1) * sizeof *t->names, 0);
    if (t->rows)
        a->resize(a->context, t->rows, (t->n_rows + 1) * sizeof *t->rows, 0);
    a->resize(a->context, t, sizeof *t, 0);
}

static result_table *new_table(sg_vm *vm, sg_result *result, size_t n_names, size_t n_rows)
{
    const sg_allocator *a = vm->allocator;
    result_table *t = a->resize(a->context, NULL, 0, sizeof *t);
    if (!t)
        return NULL;
    *t = (result_table){.result = sg_result_retain(result), .n_names = n_names, .n_rows = n_rows};
    t->names = a->resize(a->context, NULL, 0, (n_names + 1) * sizeof *t->names);
    t->rows = a->resize(a->context, NULL, 0, (n_rows + 1) * sizeof *t->rows);
    if (t->names && t->rows)
        return t;
    destroy_result_table(vm, t);
    return NULL;
}

static sg_status no_column(sg_vm *vm, const char *name)
{
    return sg_raise(vm, "ArgumentError", SG_E_RESULT_SIGNAL, (sg_span){0},
                    "there is no signal '%s'", name ? name : "?");
}

// The name as the result keeps it, or null. Elements of a column, "u[2]", are columns, too.
static const char *column_name(sg_vm *vm, const result_table *t, const char *name)
{
    const char *bracket = name ? strrchr(name, '[') : NULL;
    for (size_t i = 0; name && i < t->n_names; i++)
        if (strcmp(t->names[i], name) == 0)
            return t->names[i];
    for (size_t i = 0; bracket && i < t->n_names; i++) {
        size_t length = strlen(t->names[i]);
        if (length == (size_t)(bracket - name) && strncmp(t->names[i], name, length) == 0 &&
            sg_result_names(vm, t->result, name))
            return sg_vm_text(vm, sg_vm_sym(vm, name));
    }
    return NULL;
}

static sg_status column_values(sg_vm *vm, const result_table *t, const char *name, sg_value *out)
{
    const char *known = column_name(vm, t, name);
    if (!known)
        return no_column(vm, name);
    sg_status status = sg_named_values(vm, &(sg_args){0}, t->result, known, true, out);
    if (status != SG_OK)
        return status;
    sg_array *rows = sg_vector_make(vm, SG_ELEM_INT, t->n_rows);
    if (!rows)
        return SG_ERR_MEMORY;
    for (size_t i = 0; i < t->n_rows; i++)
        sg_array_store(rows, i, sg_int((int64_t)t->rows[i] + 1));
    const sg_array *all = (sg_array *)out->o;
    sg_value at[3] = {sg_object(rows), {.tag = SG_COLON}, {.tag = SG_COLON}};
    return sg_index(vm, *out, at, all->ndims, out);
}

static sg_status pick_rows(sg_vm *vm, const result_table *t, sg_value at, result_table *to)
{
    for (size_t i = 0; i < to->n_rows; i++) {
        int64_t row = (int64_t)i + 1;
        if (at.tag == SG_INT)
            row = at.i;
        else if (sg_is(at, SG_OBJ_RANGE))
            row = sg_range_get((sg_range *)at.o, i).i;
        else if (sg_is(at, SG_OBJ_ARRAY))
            row = sg_array_get((sg_array *)at.o, i).i;
        if (row < 1 || (size_t)row > t->n_rows)
            return sg_raise(vm, "BoundsError", SG_E_ARGUMENT, (sg_span){0},
                            "row %lld of a table with %zu rows", (long long)row, t->n_rows);
        to->rows[i] = t->rows[row - 1];
    }
    return SG_OK;
}

static sg_status pick_columns(sg_vm *vm, const result_table *t, sg_value at, result_table *to)
{
    for (size_t i = 0; i < to->n_names; i++) {
        if (at.tag == SG_COLON) {
            to->names[i] = t->names[i];
            continue;
        }
        const char *name = sg_text_of(vm, sg_array_get((sg_array *)at.o, i));
        to->names[i] = column_name(vm, t, name);
        if (!to->names[i])
            return no_column(vm, name);
    }
    return SG_OK;
}

static bool count_of(sg_value at, size_t all, size_t *n)
{
    *n = at.tag == SG_COLON        ? all
         : at.tag == SG_INT        ? 1
         : sg_is(at, SG_OBJ_RANGE) ? (size_t)((sg_range *)at.o)->len
         : sg_is(at, SG_OBJ_ARRAY) ? ((sg_array *)at.o)->len
                                   : SIZE_MAX;
    return *n != SIZE_MAX;
}

static sg_status make_table(sg_vm *vm, result_table *t, sg_value *out);

static sg_status index_table(sg_vm *vm, void *data, const sg_value *at, uint32_t n, sg_value *out)
{
    result_table *t = data;
    size_t n_rows = 0, n_names = 0;
    const char *single = n == 2 ? sg_text_of(vm, at[1]) : NULL;
    bool fits = n == 2 && count_of(at[0], t->n_rows, &n_rows) &&
                (single || at[1].tag == SG_COLON || sg_is(at[1], SG_OBJ_ARRAY)) &&
                (single || count_of(at[1], t->n_names, &n_names));
    if (!fits)
        return sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, (sg_span){0},
                        "a table of results is indexed by rows and columns: table[1:5, :], "
                        "table[1:5, [\"time\", \"x\"]]");
    result_table *to = new_table(vm, t->result, single ? 1 : n_names, n_rows);
    if (!to)
        return SG_ERR_MEMORY;
    sg_status status = pick_rows(vm, t, at[0], to);
    if (status == SG_OK && single) {
        to->names[0] = column_name(vm, t, single);
        status = to->names[0] ? column_values(vm, to, single, out) : no_column(vm, single);
        sg_value one = sg_int(1);
        if (status == SG_OK && at[0].tag == SG_INT && ((sg_array *)out->o)->ndims == 1)
            status = sg_index(vm, *out, &one, 1, out);
        destroy_result_table(vm, to);
        return status;
    }
    if (status == SG_OK)
        status = pick_columns(vm, t, at[1], to);
    if (status == SG_OK)
        return make_table(vm, to, out);
    destroy_result_table(vm, to);
    return status;
}

static sg_status table_field(sg_vm *vm, void *data, sg_sym name, bool *found, sg_value *out)
{
    *found = column_name(vm, data, sg_vm_text(vm, name)) != NULL;
    return *found ? column_values(vm, data, sg_vm_text(vm, name), out) : SG_OK;
}

static void print_cell(sg_vm *vm, const result_table *t, size_t column, size_t row, sg_buf *out)
{
    sg_arena arena;
    sg_selection s = {0};
    sg_arena_init(&arena, vm->allocator);
    sg_status status = sg_select(t->result, t->names[column], &arena, SG_ERROR, vm->diags, &s);
    sg_buf_puts(out, s.n > 1 ? "[" : "");
    for (uint32_t k = 0; k < s.n && status == SG_OK; k++) {
        double x;
        if (k)
            sg_buf_puts(out, ", ");
        if (sg_result_read(t->result, s.signal, s.elements[k], t->rows[row], 1, &x, vm->diags) ==
                SG_OK &&
            !sg_is_missing(x))
            sg_print_float(x, out);
        else
            sg_buf_puts(out, "missing");
    }
    sg_buf_puts(out, s.n > 1 ? "]" : "");
    sg_arena_destroy(&arena);
}

static void print_result_table(sg_vm *vm, void *data, sg_buf *out)
{
    const result_table *t = data;
    sg_buf_printf(out, "%zu rows, %zu columns", t->n_rows, t->n_names);
    for (size_t row = 0; row <= t->n_rows && row <= SHOWN_ROWS; row++) {
        sg_buf_puts(out, "\n");
        for (size_t c = 0; c < t->n_names; c++) {
            size_t from = out->len;
            if (row == 0)
                sg_buf_puts(out, t->names[c]);
            else
                print_cell(vm, t, c, row - 1, out);
            size_t width = out->len - from;
            sg_buf_pad(out, ' ', width < 24 ? 24 - width : 1);
        }
    }
    if (t->n_rows > SHOWN_ROWS)
        sg_buf_puts(out, "\n…");
}

static int64_t table_length(sg_vm *vm, void *data)
{
    (void)vm;
    return (int64_t)((result_table *)data)->n_rows;
}

static const sg_native_class result_table_class = {.name = "ResultTable",
                                                   .destroy = destroy_result_table,
                                                   .get_field = table_field,
                                                   .index = index_table,
                                                   .length = table_length,
                                                   .print = print_result_table};

static sg_status make_table(sg_vm *vm, result_table *t, sg_value *out)
{
    *out = sg_native_make(vm, &result_table_class, t);
    if (out->tag != SG_UNDEF)
        return SG_OK;
    destroy_result_table(vm, t);
    return SG_ERR_MEMORY;
}

// Is the signal wanted as a column of get_result?
static bool wanted(sg_vm *vm, const sg_signal *s, bool only_states, const sg_value *extra)
{
    if (!only_states || s->state)
        return true;
    for (size_t i = 0; extra && sg_is(*extra, SG_OBJ_ARRAY) && i < ((sg_array *)extra->o)->len;
         i++) {
        const char *name = sg_text_of(vm, sg_array_get((sg_array *)extra->o, i));
        if (name && strcmp(name, s->name) == 0)
            return true;
    }
    return false;
}

static sg_status get_result_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    sg_result *result;
    sg_status status = sg_result_argument(vm, args, "get_result", &result);
    if (status != SG_OK)
        return status;
    const sg_value *only = sg_args_find(vm, args, "onlyStates");
    const sg_value *unit = sg_args_find(vm, args, "unit");
    const char *name = args->n > 1 ? sg_text_of(vm, args->v[1]) : NULL;
    if (name) {
        bool with_unit = !(unit && unit->tag == SG_BOOL && !unit->b);
        return sg_named_values(vm, args, result, name, with_unit, out);
    }
    bool only_states = only && only->tag == SG_BOOL && only->b;
    const sg_value *extra = sg_args_find(vm, args, "extraNames");
    result_table *t = new_table(vm, result, result->n_signals + 1, (size_t)result->n_points);
    if (!t)
        return SG_ERR_MEMORY;
    size_t room = t->n_names, n = 0;
    t->names[n++] = "time";
    for (size_t i = 0; i < result->n_signals; i++)
        if (wanted(vm, &result->signals[i].signal, only_states, extra))
            t->names[n++] = result->signals[i].signal.name;
    const char **shorter =
        vm->allocator->resize(vm->allocator->context, (void *)t->names,
                              (room + 1) * sizeof *t->names, (n + 1) * sizeof *t->names);
    t->n_names = shorter ? n : room;
    t->names = shorter ? shorter : t->names;
    for (size_t i = 0; i < t->n_rows; i++)
        t->rows[i] = i;
    return make_table(vm, t, out);
}

bool sg_session_register_solution(sg_session *session)
{
    const sg_session_function table[] = {{"get_result", get_result_native, NULL}};
    return sg_session_register(session, table, 1);
}
