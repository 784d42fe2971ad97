// Path planning in scripts (language.md 5.8): PTP_path and the functions that read it.
#include "lang/runtime.h"
#include "lang/strip.h"
#include "natives/model_object.h"
#include "natives/natives.h"
#include "result/import.h"
#include "sim/path.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct path_object {
    sg_arena arena;
    sg_path *path;
    const char **names;
} path_object;

static void destroy_path(sg_vm *vm, void *data)
{
    path_object *p = data;
    sg_arena_destroy(&p->arena);
    vm->allocator->resize(vm->allocator->context, p, sizeof *p, 0);
}

static sg_status path_field(sg_vm *vm, void *data, sg_sym name, bool *found, sg_value *out)
{
    const path_object *p = data;
    *found = true;
    if (strcmp(sg_vm_text(vm, name), "Tend") == 0)
        *out = sg_float(p->path->end_time);
    else if (strcmp(sg_vm_text(vm, name), "startTime") == 0)
        *out = sg_float(p->path->start_time);
    else
        *found = false;
    return SG_OK;
}

static void print_path(sg_vm *vm, void *data, sg_buf *out)
{
    (void)vm;
    const path_object *p = data;
    sg_buf_printf(out, "PTP_path(%u signals, %u points, end time %g s)", p->path->n_signals,
                  p->path->n_points, p->path->end_time);
}

static const sg_native_class path_class = {
    .name = "PTP_path", .destroy = destroy_path, .get_field = path_field, .print = print_path};

static path_object *path_argument(sg_vm *vm, const sg_args *args, const char *function)
{
    path_object *p = args->n ? sg_native_data(args->v[0], &path_class) : NULL;
    if (!p)
        sg_raise(vm, "MethodError", SG_E_ARGUMENT, args->span,
                 "%s needs a path made by PTP_path as its first argument", function);
    return p;
}

// ---- reading numbers ------------------------------------------------------------------------

// A vector or matrix of numbers in SI units; null after raising.
static const sg_array *number_array(sg_vm *vm, const sg_args *args, const char *name)
{
    const sg_value *value = sg_args_find(vm, args, name);
    sg_value plain;
    if (!value) {
        sg_raise(vm, "UndefKeywordError", SG_E_KEYWORD, args->span, "PTP_path needs the keyword %s",
                 name);
        return NULL;
    }
    if (sg_strip_to_si(vm, *value, &plain) != SG_OK)
        return NULL;
    const sg_array *array = sg_is(plain, SG_OBJ_ARRAY) ? (sg_array *)plain.o : NULL;
    if (!array || (array->elem != SG_ELEM_FLOAT && array->elem != SG_ELEM_INT)) {
        sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, args->span, "%s must be an array of numbers",
                 name);
        return NULL;
    }
    return array;
}

static double item(const sg_array *array, size_t i)
{
    return array->elem == SG_ELEM_INT ? (double)array->n[i] : array->f[i];
}

static sg_status time_value(sg_vm *vm, sg_value value, sg_span span, double *out)
{
    sg_value plain;
    sg_status status = sg_strip_to_si(vm, value, &plain);
    if (status != SG_OK)
        return status;
    if (plain.tag != SG_INT && plain.tag != SG_FLOAT)
        return sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, span, "a time must be a number");
    *out = plain.tag == SG_INT ? (double)plain.i : plain.d;
    return SG_OK;
}

// ---- PTP_path -------------------------------------------------------------------------------

static sg_status copy_limits(sg_vm *vm, const sg_args *args, const char *name, sg_arena *arena,
                             uint32_t n, double **out)
{
    const sg_array *array = number_array(vm, args, name);
    if (!array)
        return SG_ERR_MODEL;
    if (array->len != n)
        return sg_raise(vm, "DimensionMismatch", SG_E_SHAPE, args->span,
                        "%s has %zu entries for %u signals", name, array->len, n);
    *out = SG_NEW_ARRAY(arena, double, n + 1);
    for (uint32_t i = 0; *out && i < n; i++) {
        (*out)[i] = item(array, i);
        if (!((*out)[i] > 0.0))
            return sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, args->span,
                            "%s must be positive; entry %u is %g", name, i + 1, (*out)[i]);
    }
    return *out ? SG_OK : SG_ERR_MEMORY;
}

static sg_status copy_names(sg_vm *vm, const sg_args *args, path_object *p, uint32_t n)
{
    const sg_array *array =
        args->n && sg_is(args->v[0], SG_OBJ_ARRAY) ? (sg_array *)args->v[0].o : NULL;
    if (!array || array->len != n)
        return sg_raise(vm, "DimensionMismatch", SG_E_SHAPE, args->span,
                        "PTP_path needs one name for each of the %u columns of positions", n);
    p->names = SG_NEW_ARRAY(&p->arena, const char *, n + 1);
    for (uint32_t i = 0; p->names && i < n; i++) {
        sg_value name = sg_array_get(array, i);
        if (!sg_is(name, SG_OBJ_STRING))
            return sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, args->span,
                            "the names of a path are strings");
        const sg_string *text = (sg_string *)name.o;
        p->names[i] = sg_arena_text(&p->arena, text->text, text->len);
    }
    return p->names ? SG_OK : SG_ERR_MEMORY;
}

static sg_status plan_path(sg_vm *vm, const sg_args *args, path_object *p, bool compat)
{
    const sg_array *positions = number_array(vm, args, "positions");
    if (!positions)
        return SG_ERR_MODEL;
    if (positions->ndims != 2 || positions->dims[0] == 0 || positions->dims[1] == 0)
        return sg_raise(vm, "DimensionMismatch", SG_E_SHAPE, args->span,
                        "positions must be a matrix with one row for each point");
    uint32_t n_points = (uint32_t)positions->dims[0], n_signals = (uint32_t)positions->dims[1];
    double *numbers = SG_NEW_ARRAY(&p->arena, double, positions->len), *v_max, *a_max;
    double start = 0.0;
    if (!numbers)
        return SG_ERR_MEMORY;
    for (size_t i = 0; i < positions->len; i++)
        numbers[i] = item(positions, i);
    sg_status status = copy_names(vm, args, p, n_signals);
    if (status == SG_OK)
        status = copy_limits(vm, args, "v_max", &p->arena, n_signals, &v_max);
    if (status == SG_OK)
        status = copy_limits(vm, args, "a_max", &p->arena, n_signals, &a_max);
    const sg_value *given = sg_args_find(vm, args, "startTime");
    if (status == SG_OK && given)
        status = time_value(vm, *given, args->span, &start);
    if (status != SG_OK)
        return status;
    p->path = sg_path_make(&p->arena, numbers, n_points, n_signals, v_max, a_max, start, compat);
    if (!p->path)
        return SG_ERR_MEMORY;
    for (uint32_t i = 0; i + 1 < n_points; i++)
        if (p->path->rows[i].end == p->path->rows[i].start && p->path->rows[i].end > 0.0)
            sg_session_of(vm)->has_still_row = true;
    return SG_OK;
}

static sg_status ptp_path_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    static const char *const keywords[] = {"positions", "v_max", "a_max", "startTime"};
    sg_session *session = context;
    sg_status status = sg_args_check_keywords(vm, args, "PTP_path", keywords, 4);
    if (status != SG_OK)
        return status;
    path_object *p = vm->allocator->resize(vm->allocator->context, NULL, 0, sizeof *p);
    if (!p)
        return SG_ERR_MEMORY;
    *p = (path_object){0};
    sg_arena_init(&p->arena, vm->allocator);
    *out = sg_native_make(vm, &path_class, p);
    if (out->tag == SG_UNDEF) {
        destroy_path(vm, p);
        return SG_ERR_MEMORY;
    }
    return plan_path(vm, args, p,
                     session->compat.path_rows); // a failed object is never seen by the script
}

// ---- reading a path -------------------------------------------------------------------------

static double *vector_argument(sg_vm *vm, const sg_args *args, uint32_t k, uint32_t n)
{
    sg_array *array =
        args->n > k && sg_is(args->v[k], SG_OBJ_ARRAY) ? (sg_array *)args->v[k].o : NULL;
    if (!array || array->elem != SG_ELEM_FLOAT || array->len != n) {
        sg_raise(vm, "DimensionMismatch", SG_E_SHAPE, args->span,
                 "getPosition! fills vectors of %u floating-point numbers", n);
        return NULL;
    }
    return array->f;
}

// getPosition!(path, t, q) and getPosition!(path, t, q, qd, qdd)
static sg_status fill_position_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    path_object *p = path_argument(vm, args, "getPosition!");
    *out = SG_VALUE_NOTHING;
    double t, *q[3] = {NULL, NULL, NULL};
    if (!p)
        return SG_ERR_MODEL;
    if (args->n != 3 && args->n != 5)
        return sg_raise(vm, "MethodError", SG_E_ARGUMENT, args->span,
                        "getPosition! takes path, time and one or three vectors");
    sg_status status = time_value(vm, args->v[1], args->span, &t);
    for (uint32_t k = 2; status == SG_OK && k < args->n; k++) {
        q[k - 2] = vector_argument(vm, args, k, p->path->n_signals);
        if (!q[k - 2])
            return SG_ERR_MODEL;
    }
    if (status == SG_OK)
        sg_path_position(p->path, t, q[0], q[1], q[2]);
    return status;
}

// getPosition(path, index, t); getVelocity and getAcceleration are its derivatives.
static sg_status signal_at(sg_vm *vm, const sg_args *args, const char *name, int derivative,
                           sg_value *out)
{
    path_object *p = path_argument(vm, args, name);
    if (!p)
        return SG_ERR_MODEL;
    uint32_t n = p->path->n_signals;
    if (args->n != 3 || args->v[1].tag != SG_INT || args->v[1].i < 1 || args->v[1].i > n)
        return sg_raise(vm, "BoundsError", SG_E_BOUNDS, args->span,
                        "%s takes path, the number of a signal (1 to %u) and a time", name, n);
    double t;
    sg_status status = time_value(vm, args->v[2], args->span, &t);
    sg_array *q = status == SG_OK ? sg_vector_make(vm, SG_ELEM_FLOAT, 3 * (size_t)n) : NULL;
    if (status == SG_OK && !q)
        return SG_ERR_MEMORY;
    if (q) {
        sg_path_position(p->path, t, q->f, q->f + n, q->f + 2 * n);
        *out = sg_float(q->f[(size_t)derivative * n + (size_t)args->v[1].i - 1]);
    }
    return status;
}

static sg_status position_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    return signal_at(vm, args, "getPosition", 0, out);
}

static sg_status velocity_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    return signal_at(vm, args, "getVelocity", 1, out);
}

static sg_status acceleration_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    return signal_at(vm, args, "getAcceleration", 2, out);
}

static sg_status find_signal(sg_vm *vm, const sg_args *args, const path_object *p, const char *name,
                             uint32_t *out)
{
    for (*out = 0; name && *out < p->path->n_signals; ++*out)
        if (strcmp(p->names[*out], name) == 0)
            return SG_OK;
    const char *hint = name ? sg_closest_name(name, p->names, p->path->n_signals) : NULL;
    return sg_raise(vm, "KeyError", SG_E_KEY, args->span, "the path has no signal '%s'%s%s%s",
                    name ? name : "?", hint ? "; did you mean '" : "", hint ? hint : "",
                    hint ? "'?" : "");
}

static sg_status index_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    path_object *p = path_argument(vm, args, "getIndex");
    if (!p)
        return SG_ERR_MODEL;
    uint32_t index;
    sg_status status =
        find_signal(vm, args, p, args->n > 1 ? sg_text_of(vm, args->v[1]) : NULL, &index);
    if (status == SG_OK)
        *out = sg_int((int64_t)index + 1);
    return status;
}

static sg_status end_time_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    path_object *p = path_argument(vm, args, "pathEndTime");
    if (p)
        *out = sg_float(p->path->end_time);
    return p ? SG_OK : SG_ERR_MODEL;
}

// ---- a path as a table ----------------------------------------------------------------------

// What getPath and plotPath are asked for.
typedef struct path_query {
    path_object *path;
    uint32_t *signals; // numbers of the signals wanted
    uint32_t n;
    double end; // [s]
    int64_t n_times;
    bool only_positions;
} path_query;

static sg_status read_path_query(sg_vm *vm, const sg_args *args, const char *function,
                                 bool only_positions, sg_arena *arena, path_query *q)
{
    *q = (path_query){.path = path_argument(vm, args, function),
                      .n_times = 101,
                      .only_positions = only_positions};
    if (!q->path)
        return SG_ERR_MODEL;
    const sg_path *path = q->path->path;
    q->end = 1.1 * path->end_time;
    const sg_value *names = sg_args_find(vm, args, "names"), *end = sg_args_find(vm, args, "tend"),
                   *times = sg_args_find(vm, args, "ntime"),
                   *only = sg_args_find(vm, args, "onlyPositions");
    const sg_array *list = names && sg_is(*names, SG_OBJ_ARRAY) ? (const sg_array *)names->o : NULL;
    q->n = list ? (uint32_t)list->len : path->n_signals;
    q->signals = SG_NEW_ARRAY(arena, uint32_t, q->n + 1);
    sg_status status = q->signals ? SG_OK : SG_ERR_MEMORY;
    for (uint32_t i = 0; status == SG_OK && i < q->n; i++) {
        q->signals[i] = i;
        if (list)
            status = find_signal(vm, args, q->path, sg_text_of(vm, sg_array_get(list, i)),
                                 &q->signals[i]);
    }
    if (status == SG_OK && end)
        status = time_value(vm, *end, args->span, &q->end);
    if (times && times->tag == SG_INT)
        q->n_times = times->i;
    if (only && only->tag == SG_BOOL)
        q->only_positions = only->b;
    if (status == SG_OK && (q->n_times < 2 || q->n_times > 10000000 || !(q->end > 0.0)))
        status = sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, args->span,
                          "%s needs at least two points and an end time behind 0", function);
    return status;
}

// The name of a signal, its speed or its acceleration.
static void derivative_name(const char *name, uint32_t level, char *out, size_t size)
{
    if (level == 0)
        snprintf(out, size, "%s", name);
    else
        snprintf(out, size, level == 1 ? "der(%s)" : "der2(%s)", name);
}

static sg_status fill_table(const path_query *q, sg_import *import, sg_arena *arena)
{
    uint32_t n = q->path->path->n_signals, levels = q->only_positions ? 1 : 3;
    double *values = SG_NEW_ARRAY(arena, double, 3 * n + 1);
    double *row = SG_NEW_ARRAY(arena, double, levels * q->n + 1);
    if (!values || !row)
        return SG_ERR_MEMORY;
    for (int64_t i = 0; i < q->n_times; i++) {
        double t = q->end * (double)i / (double)(q->n_times - 1);
        sg_path_position(q->path->path, t, values, values + n, values + 2 * n);
        for (uint32_t k = 0; k < q->n; k++)
            for (uint32_t level = 0; level < levels; level++)
                row[k * levels + level] = values[level * n + q->signals[k]];
        sg_status status = sg_import_row(import, t, row);
        if (status != SG_OK)
            return status;
    }
    return SG_OK;
}

// Positions, and unless told otherwise speeds and accelerations, over time.
static sg_status make_path_table(sg_vm *vm, const path_query *q, sg_arena *arena, sg_value *out)
{
    uint32_t levels = q->only_positions ? 1 : 3;
    sg_import_entry *entries = SG_NEW_ARRAY(arena, sg_import_entry, levels * q->n + 1);
    if (!entries)
        return SG_ERR_MEMORY;
    for (uint32_t k = 0; k < levels * q->n; k++) {
        const char *name = q->path->names[q->signals[k / levels]];
        char text[256];
        derivative_name(name, k % levels, text, sizeof text);
        entries[k] = (sg_import_entry){
            .name = sg_arena_text(arena, text, strlen(text)), .unit = "", .info = "", .column = k};
    }
    if (arena->failed)
        return SG_ERR_MEMORY;
    sg_import import;
    sg_result *result = NULL;
    sg_status status =
        sg_import_begin(&import, entries, levels * q->n, NULL, 0, vm->allocator, vm->diags);
    if (status == SG_OK)
        status = fill_table(q, &import, arena);
    if (status != SG_OK) {
        sg_import_abandon(&import);
        return status;
    }
    status = sg_import_finish(&import, "path", &result);
    if (status != SG_OK)
        return status;
    *out = sg_table_make(vm, result);
    return out->tag == SG_UNDEF ? SG_ERR_MEMORY : SG_OK;
}

static sg_status get_path_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    static const char *const keywords[] = {"names", "tend", "ntime", "onlyPositions"};
    sg_arena arena;
    sg_arena_init(&arena, vm->allocator);
    path_query q;
    sg_status status = sg_args_check_keywords(vm, args, "getPath", keywords, 4);
    if (status == SG_OK)
        status = read_path_query(vm, args, "getPath", false, &arena, &q);
    if (status == SG_OK)
        status = make_path_table(vm, &q, &arena, out);
    sg_arena_destroy(&arena);
    return status;
}

// One diagram of the positions; with the derivatives, one of each.
static sg_status diagram_names(sg_vm *vm, const path_query *q, sg_value *out)
{
    uint32_t levels = q->only_positions ? 1 : 3;
    sg_array *diagrams = sg_vector_make(vm, SG_ELEM_ANY, 0);
    *out = sg_object(diagrams);
    if (!diagrams)
        return SG_ERR_MEMORY;
    sg_root_push(vm, *out);
    for (uint32_t level = 0; level < levels; level++) {
        sg_tuple *curves = sg_tuple_make(vm, q->n);
        if (!curves || !sg_array_push(vm, diagrams, sg_object(curves)))
            return SG_ERR_MEMORY;
        for (uint32_t k = 0; k < q->n; k++) {
            const char *name = q->path->names[q->signals[k]];
            char text[256];
            derivative_name(name, level, text, sizeof text);
            curves->items[k] = sg_string_value(vm, text);
            if (curves->items[k].tag == SG_UNDEF)
                return SG_ERR_MEMORY;
        }
    }
    return SG_OK;
}

// plotPath(path, plot; ...): the plot function of the script draws the table.
static sg_status plot_path_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    static const char *const keywords[] = {"names",  "heading", "tend",
                                           "figure", "ntime",   "onlyPositions"};
    *out = SG_VALUE_NOTHING;
    sg_arena arena;
    sg_arena_init(&arena, vm->allocator);
    sg_root_mark mark = sg_root_mark_get(vm);
    path_query q;
    sg_value given[2];
    sg_status status = sg_args_check_keywords(vm, args, "plotPath", keywords, 6);
    if (status == SG_OK && args->n < 2)
        status = sg_raise(vm, "MethodError", SG_E_ARGUMENT, args->span,
                          "plotPath needs a path and the function plot");
    if (status == SG_OK)
        status = read_path_query(vm, args, "plotPath", true, &arena, &q);
    if (status == SG_OK)
        status = make_path_table(vm, &q, &arena, &given[0]);
    if (status == SG_OK) {
        sg_root_push(vm, given[0]);
        status = diagram_names(vm, &q, &given[1]);
    }
    if (status == SG_OK) {
        const sg_value *heading = sg_args_find(vm, args, "heading"),
                       *figure = sg_args_find(vm, args, "figure");
        sg_sym names[2] = {sg_vm_sym(vm, "heading"), sg_vm_sym(vm, "figure")};
        sg_value values[2] = {heading ? *heading : sg_string_value(vm, "PTP plots"),
                              figure ? *figure : sg_int(1)};
        sg_root_push(vm, values[0]);
        sg_args call = {
            .v = given, .n = 2, .kw = names, .kwv = values, .n_kw = 2, .span = args->span};
        status = sg_call(vm, args->v[1], &call, out);
    }
    sg_root_pop(vm, mark);
    sg_arena_destroy(&arena);
    return status;
}

bool sg_session_register_paths(sg_session *session)
{
    const sg_session_function table[] = {{"PTP_path", ptp_path_native, NULL},
                                         {"getPosition!", fill_position_native, NULL},
                                         {"getPosition", position_native, NULL},
                                         {"getVelocity", velocity_native, NULL},
                                         {"getAcceleration", acceleration_native, NULL},
                                         {"getIndex", index_native, NULL},
                                         {"pathEndTime", end_time_native, NULL},
                                         {"getPath", get_path_native, NULL},
                                         {"plotPath", plot_path_native, NULL}};
    return sg_session_register(session, table, sizeof table / sizeof table[0]);
}
