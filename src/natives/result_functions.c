// What a script asks of a result (language.md 5.4).
#include "lang/runtime.h"
#include "natives/model_object.h"
#include "natives/natives.h"
#include "result/select.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct query {
    sg_result *result;
    const char *name; // of the signal
} query;

// ---- results as arguments: of a model, or loaded from a file ------------------------------------

static void close_table(sg_vm *vm, void *data)
{
    (void)vm;
    sg_result_destroy(data);
}

static void print_table(sg_vm *vm, void *data, sg_buf *out)
{
    (void)vm;
    const sg_result *result = data;
    sg_buf_printf(out, "SignalTable(%zu signals, %llu points)", result->n_signals,
                  (unsigned long long)result->n_points);
}

static const sg_native_class table_class = {
    .name = "SignalTable", .destroy = close_table, .print = print_table};

sg_value sg_table_make(sg_vm *vm, sg_result *result)
{
    sg_value value = sg_native_make(vm, &table_class, result);
    if (value.tag == SG_UNDEF)
        sg_result_destroy(result);
    return value;
}

static sg_status no_result(sg_vm *vm, const sg_args *args, const sg_model_object *m)
{
    if (m->session->options.check_only)
        m->session->models.n_unknown++; // the statement is skipped, not wrong
    if (m->failed)
        return sg_raise(vm, "ErrorException", SG_E_FOLLOWS, args->span,
                        "model '%s' has no result, since simulate! failed",
                        sg_vm_text(vm, m->instance.name));
    return sg_raise(vm, "ErrorException", SG_E_RESULT_SIGNAL, args->span,
                    "model '%s' has no result yet; simulate! it first",
                    sg_vm_text(vm, m->instance.name));
}

sg_status sg_result_argument(sg_vm *vm, const sg_args *args, const char *function, sg_result **out)
{
    *out = args->n ? sg_native_data(args->v[0], &table_class) : NULL;
    if (*out)
        return SG_OK;
    const sg_model_object *m = args->n ? sg_native_data(args->v[0], &sg_model_class) : NULL;
    if (!m && sg_model_is_missing(vm, args, function))
        return SG_ERR_MODEL;
    if (!m)
        return sg_raise(vm, "MethodError", SG_E_ARGUMENT, args->span,
                        "%s needs a simulated model or a signal table as its first argument",
                        function);
    *out = m->result;
    return *out ? SG_OK : no_result(vm, args, m);
}

static sg_status read_query(sg_vm *vm, const sg_args *args, const char *function, query *q)
{
    *q = (query){.name = args->n > 1 ? sg_text_of(vm, args->v[1]) : NULL};
    sg_status status = sg_result_argument(vm, args, function, &q->result);
    if (status == SG_OK && q->name && sg_result_find(q->result, q->name) < 0)
        q->name = sg_stored_name(&sg_session_of(vm)->arena, q->name);
    if (status == SG_OK && !q->name)
        status = sg_raise(vm, "MethodError", SG_E_ARGUMENT, args->span,
                          "%s needs the name of a signal as its second argument", function);
    return status;
}

static sg_status unknown_signal(sg_vm *vm, const sg_args *args, const query *q)
{
    const sg_result *result = q->result;
    const char *names[1000];
    size_t n = 0;
    for (size_t i = 0; i < result->n_signals && n < 1000; i++)
        names[n++] = result->signals[i].signal.name;
    const char *hint = sg_closest_name(q->name, names, n);
    return sg_raise(vm, "KeyError", SG_E_RESULT_SIGNAL, args->span, "there is no signal '%s'%s%s%s",
                    q->name, hint ? "; did you mean '" : "", hint ? hint : "", hint ? "'?" : "");
}

// ---- values ---------------------------------------------------------------------------------

static uint32_t unit_id(sg_vm *vm, const char *text)
{
    uint32_t id = 0;
    if (text && text[0])
        id = sg_unit_parse(sg_runtime_of(vm)->units, text, strlen(text), NULL, NULL, NULL);
    return id;
}

const char *sg_script_unit(const sg_signal *s)
{
    if (!s->plain)
        return s->unit;
    return strstr(s->name, "der(") ? "s^-1" : ""; // language 5.4
}

// One number or Bool as a value of the script.
static sg_value element(double number, sg_element_type type, uint32_t unit)
{
    if (sg_is_missing(number))
        return SG_VALUE_MISSING;
    if (type == SG_ELEMENT_BOOLEAN)
        return sg_bool(number != 0.0);
    if (type == SG_ELEMENT_INTEGER)
        return sg_int((int64_t)number);
    return unit ? sg_quantity(number, unit) : sg_float(number);
}

// Columns of numbers side by side, as an array of the dimensions `dims` whose first one is time.
static sg_status read_columns(sg_vm *vm, const sg_result *result, int32_t index,
                              const uint32_t *elements, uint32_t count, uint32_t rank,
                              const size_t *dims, bool with_unit, sg_value *out)
{
    const sg_signal *s = index == SG_TIME ? NULL : &result->signals[index].signal;
    size_t n = dims[0];
    sg_element_type type = s ? s->type : SG_ELEMENT_REAL;
    uint32_t unit = with_unit ? unit_id(vm, s ? sg_script_unit(s) : "s") : 0;
    sg_array *array = sg_array_make(vm, SG_ELEM_FLOAT, rank, dims);
    if (!array)
        return SG_ERR_MEMORY;
    bool gaps = false;
    for (uint32_t k = 0; k < count; k++) {
        double *column = array->f + k * n;
        sg_status status =
            sg_result_read(result, index, elements ? elements[k] : k, 0, n, column, vm->diags);
        if (status != SG_OK)
            return status;
        for (size_t i = 0; i < n && !gaps; i++)
            gaps = sg_is_missing(column[i]);
    }
    array->unit = unit;
    *out = sg_object(array);
    if (!gaps && type == SG_ELEMENT_REAL)
        return SG_OK;
    sg_array *any = sg_array_make(vm,
                                  gaps                         ? SG_ELEM_ANY
                                  : type == SG_ELEMENT_BOOLEAN ? SG_ELEM_BOOL
                                                               : SG_ELEM_INT,
                                  rank, dims);
    if (!any)
        return SG_ERR_MEMORY;
    for (size_t i = 0; i < any->len; i++)
        sg_array_store(any, i, element(array->f[i], type, unit));
    *out = sg_object(any);
    return SG_OK;
}

// All points of a signal: a vector, or a matrix (time x element), or three dimensions.
sg_status sg_signal_values(sg_vm *vm, const sg_result *result, int32_t index, bool with_unit,
                           sg_value *out)
{
    const sg_signal *s = index == SG_TIME ? NULL : &result->signals[index].signal;
    size_t dims[3] = {(size_t)result->n_points, s ? s->size[0] : 1, s ? s->size[1] : 1};
    return read_columns(vm, result, index, NULL, s ? sg_signal_count(s) : 1, 1 + (s ? s->rank : 0),
                        dims, with_unit, out);
}

static sg_value parameter_value(sg_vm *vm, const sg_parameter *p, bool with_unit)
{
    uint32_t unit = with_unit ? unit_id(vm, p->plain ? "" : p->unit) : 0;
    if (p->type == SG_ELEMENT_TEXT)
        return sg_string_value(vm, p->text);
    if (p->rank == 0)
        return element(p->value[0], p->type, unit);
    size_t dims[2] = {p->size[0], p->size[1]};
    sg_array *array = sg_array_make(vm, SG_ELEM_FLOAT, p->rank, dims);
    for (size_t i = 0; array && i < array->len; i++)
        array->f[i] = p->value[i];
    if (array)
        array->unit = unit;
    return sg_object(array);
}

// The same of some elements: a number (rank 0), or a vector.
static sg_value parameter_elements(sg_vm *vm, const sg_selection *s, bool one, bool with_unit)
{
    const sg_parameter *p = s->parameter;
    uint32_t unit = with_unit ? unit_id(vm, p->plain ? "" : p->unit) : 0;
    if (one)
        return element(p->value[s->elements[0]], p->type, unit);
    size_t dims[1] = {s->n};
    sg_array *array = sg_array_make(vm, SG_ELEM_FLOAT, 1, dims);
    for (uint32_t k = 0; array && k < s->n; k++)
        array->f[k] = p->value[s->elements[k]];
    if (array)
        array->unit = unit;
    return sg_object(array);
}

// What is meant by a name with indices, "u[2]" or "r[2:3]", of a signal or a parameter; raises when
// there is no such element.
static sg_status select_elements(sg_vm *vm, const sg_args *args, const query *q, sg_arena *arena,
                                 sg_selection *out)
{
    sg_diags diags;
    if (!strchr(q->name, '['))
        return unknown_signal(vm, args, q);
    sg_diags_init(&diags, vm->allocator);
    sg_status status = sg_select(q->result, q->name, arena, SG_ERROR, &diags, out);
    if (status == SG_ERR_USAGE)
        status = sg_raise(vm, "KeyError", SG_E_RESULT_SIGNAL, args->span, "%s",
                          diags.len ? diags.list[0].message : q->name);
    sg_diags_destroy(&diags);
    return status;
}

bool sg_result_names(sg_vm *vm, const sg_result *result, const char *name)
{
    sg_arena arena;
    sg_diags diags;
    sg_selection s;
    sg_arena_init(&arena, vm->allocator);
    sg_diags_init(&diags, vm->allocator);
    bool found = sg_result_find(result, name) >= 0 || sg_result_parameter(result, name) ||
                 (name[0] && sg_select(result, name, &arena, SG_ERROR, &diags, &s) == SG_OK);
    sg_diags_destroy(&diags);
    sg_arena_destroy(&arena);
    return found;
}

// One element rather than a range that may hold one.
static bool is_one_element(const query *q, const sg_selection *s)
{
    return s->n == 1 && !strchr(strrchr(q->name, '['), ':');
}

static sg_status get_values(sg_vm *vm, const sg_args *args, const query *q, bool with_unit,
                            sg_value *out)
{
    if (strcmp(q->name, "time") == 0)
        return sg_signal_values(vm, q->result, SG_TIME, with_unit, out);
    int32_t index = sg_result_find(q->result, q->name);
    if (index >= 0)
        return sg_signal_values(vm, q->result, index, with_unit, out);
    sg_arena arena;
    sg_arena_init(&arena, vm->allocator);
    sg_selection s;
    sg_status status = select_elements(vm, args, q, &arena, &s);
    if (status == SG_OK && s.signal == SG_SELECT_PARAMETER)
        status = unknown_signal(vm, args, q);
    if (status == SG_OK) {
        size_t dims[2] = {(size_t)q->result->n_points, s.n};
        status = read_columns(vm, q->result, s.signal, s.elements, s.n,
                              is_one_element(q, &s) ? 1 : 2, dims, with_unit, out);
    }
    sg_arena_destroy(&arena);
    return status;
}

sg_status sg_named_values(sg_vm *vm, const sg_args *args, sg_result *result, const char *name,
                          bool with_unit, sg_value *out)
{
    return get_values(vm, args, &(query){.result = result, .name = name}, with_unit, out);
}

static sg_status get_values_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    query q;
    sg_status status = read_query(vm, args, "getValues", &q);
    return status == SG_OK ? get_values(vm, args, &q, false, out) : status;
}

static sg_status get_values_unit_native(sg_vm *vm, const sg_args *args, void *context,
                                        sg_value *out)
{
    (void)context;
    query q;
    sg_status status = read_query(vm, args, "getValuesWithUnit", &q);
    return status == SG_OK ? get_values(vm, args, &q, true, out) : status;
}

static sg_status get_value(sg_vm *vm, const sg_args *args, const char *function, bool with_unit,
                           sg_value *out)
{
    query q;
    sg_status status = read_query(vm, args, function, &q);
    if (status != SG_OK)
        return status;
    const sg_parameter *p = sg_result_parameter(q.result, q.name);
    if (p) {
        *out = parameter_value(vm, p, with_unit);
        return SG_OK;
    }
    sg_arena arena;
    sg_arena_init(&arena, vm->allocator);
    sg_selection s = {0};
    if (strchr(q.name, '['))
        status = select_elements(vm, args, &q, &arena, &s);
    if (status == SG_OK && s.signal == SG_SELECT_PARAMETER)
        *out = parameter_elements(vm, &s, is_one_element(&q, &s), with_unit);
    else if (status == SG_OK)
        status = sg_raise(vm, "KeyError", SG_E_RESULT_SIGNAL, args->span,
                          "there is no parameter '%s'", q.name);
    sg_arena_destroy(&arena);
    return status;
}

static sg_status get_value_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    return get_value(vm, args, "getValue", false, out);
}

static sg_status get_value_unit_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    return get_value(vm, args, "getValueWithUnit", true, out);
}

// The last point of some elements of a signal: a number (rank 0), or an array.
static sg_status read_last(sg_vm *vm, const sg_result *result, int32_t index,
                           const uint32_t *elements, uint32_t count, uint32_t rank,
                           const size_t *dims, bool with_unit, sg_value *out)
{
    const sg_signal *s = index == SG_TIME ? NULL : &result->signals[index].signal;
    uint32_t unit = with_unit ? unit_id(vm, s ? sg_script_unit(s) : "s") : 0;
    sg_element_type type = s ? s->type : SG_ELEMENT_REAL;
    if (result->n_points == 0) {
        *out = SG_VALUE_MISSING;
        return SG_OK;
    }
    sg_array *array = rank ? sg_array_make(vm, SG_ELEM_FLOAT, rank, dims) : NULL;
    for (uint32_t k = 0; k < count; k++) {
        double number;
        sg_status status = sg_result_read(result, index, elements ? elements[k] : k,
                                          result->n_points - 1, 1, &number, vm->diags);
        if (status != SG_OK)
            return status;
        if (array)
            array->f[k] = number;
        else
            *out = element(number, type, unit);
    }
    if (array) {
        array->unit = unit;
        *out = sg_object(array);
    }
    return SG_OK;
}

static sg_status last_value(sg_vm *vm, const sg_result *result, int32_t index, bool with_unit,
                            sg_value *out)
{
    const sg_signal *s = index == SG_TIME ? NULL : &result->signals[index].signal;
    size_t dims[2] = {s ? s->size[0] : 1, s ? s->size[1] : 1};
    return read_last(vm, result, index, NULL, s ? sg_signal_count(s) : 1, s ? s->rank : 0, dims,
                     with_unit, out);
}

static sg_status last_of_elements(sg_vm *vm, const sg_args *args, const query *q, bool with_unit,
                                  sg_value *out)
{
    sg_arena arena;
    sg_arena_init(&arena, vm->allocator);
    sg_selection s;
    sg_status status = select_elements(vm, args, q, &arena, &s);
    if (status == SG_OK && s.signal == SG_SELECT_PARAMETER) {
        *out = parameter_elements(vm, &s, is_one_element(q, &s), with_unit);
    } else if (status == SG_OK) {
        size_t dims[1] = {s.n};
        status = read_last(vm, q->result, s.signal, s.elements, s.n, is_one_element(q, &s) ? 0 : 1,
                           dims, with_unit, out);
    }
    sg_arena_destroy(&arena);
    return status;
}

static sg_status get_last_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    query q;
    sg_status status = read_query(vm, args, "getLastValue", &q);
    if (status != SG_OK)
        return status;
    const sg_value *unit = sg_args_find(vm, args, "unit");
    bool with_unit = !(unit && unit->tag == SG_BOOL && !unit->b);
    int32_t index = sg_result_find(q.result, q.name);
    if (strcmp(q.name, "time") == 0)
        return last_value(vm, q.result, SG_TIME, with_unit, out);
    if (index >= 0)
        return last_value(vm, q.result, index, with_unit, out);
    const sg_parameter *p = sg_result_parameter(q.result, q.name);
    if (!p)
        return last_of_elements(vm, args, &q, with_unit, out);
    *out = parameter_value(vm, p, with_unit);
    return SG_OK;
}

// ---- names ----------------------------------------------------------------------------------

typedef struct sort_name {
    const char *name;
    size_t key; // length of the part before the last dot, or of the whole name
    size_t place;
} sort_name;

static size_t key_length(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? (size_t)(dot - name) : strlen(name);
}

static int compare_names(const sort_name *a, const sort_name *b)
{
    size_t n = a->key < b->key ? a->key : b->key;
    int c = memcmp(a->name, b->name, n);
    if (c)
        return c;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->place < b->place ? -1 : 1;
}

// Merge sort: stable, and no worst case.
static void sort_names(sort_name *list, sort_name *work, size_t n)
{
    if (n < 2)
        return;
    size_t half = n / 2;
    sort_names(list, work, half);
    sort_names(list + half, work, n - half);
    memcpy(work, list, n * sizeof *list);
    size_t i = 0, j = half;
    for (size_t k = 0; k < n; k++)
        list[k] =
            j >= n || (i < half && compare_names(&work[i], &work[j]) <= 0) ? work[i++] : work[j++];
}

static bool wants(sg_vm *vm, const sg_args *args, const char *name)
{
    const sg_value *value = sg_args_find(vm, args, name);
    return !(value && value->tag == SG_BOOL && !value->b);
}

static sg_status signal_names_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    sg_result *result;
    sg_status status = sg_result_argument(vm, args, "getSignalNames", &result);
    if (status != SG_OK)
        return status;
    sg_array *array = sg_vector_make(vm, SG_ELEM_ANY, 0);
    size_t most = result->n_signals + result->n_parameters, n = 0;
    sg_arena arena;
    sg_arena_init(&arena, vm->allocator);
    sort_name *list = SG_NEW_ARRAY(&arena, sort_name, most + 1);
    sort_name *work = SG_NEW_ARRAY(&arena, sort_name, most + 1);
    bool ok = array && list && work;
    for (size_t i = 0; ok && wants(vm, args, "getVar") && i < result->n_signals; i++)
        list[n++].name = result->signals[i].signal.name;
    for (size_t i = 0; ok && wants(vm, args, "getPar") && i < result->n_parameters; i++)
        list[n++].name = result->parameters[i].name;
    for (size_t i = 0; ok && i < n; i++) {
        list[i].key = key_length(list[i].name);
        list[i].place = i;
    }
    if (ok)
        sort_names(list, work, n);
    if (ok && wants(vm, args, "getMap"))
        ok = sg_array_push(vm, array, sg_string_value(vm, "_attributes"));
    if (ok && wants(vm, args, "getVar"))
        ok = sg_array_push(vm, array, sg_string_value(vm, "time"));
    for (size_t i = 0; ok && i < n; i++)
        ok = sg_array_push(vm, array, sg_string_value(vm, list[i].name));
    sg_arena_destroy(&arena);
    *out = sg_object(array);
    return ok ? SG_OK : SG_ERR_MEMORY;
}

static sg_status has_signal_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    query q;
    sg_status status = read_query(vm, args, "hasSignal", &q);
    if (status == SG_OK)
        *out = sg_bool(sg_result_names(vm, q.result, q.name));
    return status;
}

static sg_status has_parameter_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    sg_model_object *m = sg_model_argument(vm, args, "hasParameter");
    const char *name = m && args->n > 1 ? sg_text_of(vm, args->v[1]) : NULL;
    if (name)
        name = sg_stored_name(&m->session->arena, name);
    sg_value value;
    if (!m)
        return SG_ERR_MODEL;
    *out = sg_bool(name && sg_instance_value(&m->instance, sg_vm_sym(vm, name), &value));
    return SG_OK;
}

// The value of a dotted key of a nested dictionary; missing if there is none.
static sg_value follow(sg_vm *vm, sg_value dict, const char *name)
{
    while (sg_is(dict, SG_OBJ_DICT) && *name) {
        size_t length = strcspn(name, ".");
        sg_sym key = sg_sym_find(vm->symbols, name, length);
        sg_value next;
        if (!key.i || !sg_dict_get_sym((sg_dict *)dict.o, key, &next))
            return SG_VALUE_MISSING;
        dict = next;
        name += length + (name[length] == '.');
        if (!*name)
            return dict;
    }
    return SG_VALUE_MISSING;
}

static sg_status parameter_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    const bool *evaluated = context;
    sg_model_object *m = sg_model_argument(vm, args, "getParameter");
    const char *name = m && args->n > 1 ? sg_text_of(vm, args->v[1]) : NULL;
    if (name)
        name = sg_stored_name(&m->session->arena, name);
    if (!m)
        return SG_ERR_MODEL;
    *out = name ? follow(vm, *evaluated ? m->instance.evaluated : m->instance.parameters, name)
                : SG_VALUE_MISSING;
    return SG_OK;
}

// States of the linked model; whole variables, or one name for each number. What --balance adds on
// its own is no part of them, so that scripts find what they expect.
static sg_status state_names_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    const bool *scalars = context;
    sg_model_object *m = sg_model_argument(vm, args, *scalars ? "get_xNames" : "getStateNames");
    if (!m)
        return SG_ERR_MODEL;
    if (!m->compiled.linked_ok) {
        // What is wrong is told here, or was when simulate! failed.
        sg_status status = m->failed ? SG_ERR_MODEL : sg_compiled_link(&m->compiled, 10, vm->diags);
        if (status != SG_OK)
            return sg_raise(vm, "ErrorException", SG_E_FOLLOWS, args->span,
                            "the states are not known: the model could not be prepared for a run");
    }
    sg_array *array = sg_vector_make(vm, SG_ELEM_ANY, 0);
    bool ok = array != NULL;
    const sg_sim_segment *segment = &m->compiled.model.segment;
    sg_flat *flat = &m->instance.flat;
    if (*scalars)
        for (uint32_t i = 0; ok && i < segment->n_states; i++)
            ok = (segment->unlisted && segment->unlisted[i]) ||
                 sg_array_push(vm, array, sg_string_value(vm, segment->state_names[i]));
    else
        for (uint32_t i = 0; ok && i < m->compiled.program->n_states; i++) {
            sg_sym name =
                sg_flat_result_name(flat, (sg_var_id){m->compiled.program->state_vars[i]});
            ok = sg_array_push(vm, array, sg_string_value(vm, sg_vm_text(vm, name)));
        }
    const sg_hidden *hidden = &m->compiled.hidden;
    for (size_t i = 0; ok && !*scalars && i < hidden->states.len; i++)
        ok = hidden->states.data[i].unlisted || hidden->states.data[i].internal ||
             sg_array_push(vm, array, sg_string_value(vm, hidden->states.data[i].name));
    *out = sg_object(array);
    return ok ? SG_OK : SG_ERR_MEMORY;
}

// ---- showInfo -------------------------------------------------------------------------------

static void print_size(const sg_signal *s, char *out, size_t size)
{
    if (s->rank == 0)
        snprintf(out, size, "()");
    else if (s->rank == 1)
        snprintf(out, size, "(%u,)", s->size[0]);
    else
        snprintf(out, size, "(%u,%u)", s->size[0], s->size[1]);
}

static sg_status show_info_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    static const char *const types[] = {"Float64", "Int64", "Bool", "String"};
    *out = SG_VALUE_NOTHING;
    sg_result *result;
    sg_status status = sg_result_argument(vm, args, "showInfo", &result);
    if (status != SG_OK)
        return status;
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    sg_buf_printf(&text, "%-32s %-14s %-10s %-12s %-4s %s\n", "name", "unit", "size",
                  "eltypeOrType", "kind", "attributes");
    sg_buf_pad(&text, '-', 90);
    sg_buf_putc(&text, '\n');
    sg_buf_printf(&text, "%-32s %-14s %-10s %-12s %-4s %s\n", "time", "\"s\"", "()", "Float64",
                  "Var", "independent=true");
    for (size_t i = 0; i < result->n_signals; i++) {
        const sg_signal *s = &result->signals[i].signal;
        char size[32], unit[64] = "";
        print_size(s, size, sizeof size);
        if (s->unit[0])
            snprintf(unit, sizeof unit, "\"%s\"", s->unit);
        sg_buf_printf(&text, "%-32s %-14s %-10s %-12s %-4s ", s->name, unit, size, types[s->type],
                      "Var");
        if (s->state)
            sg_buf_printf(&text, "state=true, der=\"%s\"", s->der);
        if (s->kind == SG_SIGNAL_ALIAS || s->kind == SG_SIGNAL_NEGATED)
            sg_buf_printf(&text, "alias=\"%s%s\"", s->kind == SG_SIGNAL_NEGATED ? "-" : "",
                          s->alias);
        sg_buf_putc(&text, '\n');
    }
    for (size_t i = 0; i < result->n_parameters; i++) {
        const sg_parameter *p = &result->parameters[i];
        char unit[64] = "";
        if (p->unit[0])
            snprintf(unit, sizeof unit, "\"%s\"", p->unit);
        sg_buf_printf(&text, "%-32s %-14s %-10s %-12s %-4s\n", p->name, unit,
                      p->rank ? "array" : "()", types[p->type], "Par");
    }
    sg_vm_write(vm, sg_buf_text(&text), text.len);
    sg_buf_free(&text);
    return SG_OK;
}

bool sg_session_register_results(sg_session *session)
{
    static const bool yes = true, no = false;
    const sg_session_function table[] = {{"getValues", get_values_native, NULL},
                                         {"getValuesWithUnit", get_values_unit_native, NULL},
                                         {"getValue", get_value_native, NULL},
                                         {"getValueWithUnit", get_value_unit_native, NULL},
                                         {"getLastValue", get_last_native, NULL},
                                         {"getSignalNames", signal_names_native, NULL},
                                         {"signalNames", signal_names_native, NULL},
                                         {"hasSignal", has_signal_native, NULL},
                                         {"hasParameter", has_parameter_native, NULL},
                                         {"getParameter", parameter_native, &no},
                                         {"getEvaluatedParameter", parameter_native, &yes},
                                         {"getStateNames", state_names_native, &no},
                                         {"get_xNames", state_names_native, &yes},
                                         {"showInfo", show_info_native, NULL},
                                         {"printResultInfo", show_info_native, NULL}};
    return sg_session_register(session, table, sizeof table / sizeof table[0]);
}
