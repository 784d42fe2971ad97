// Signal tables: writing them, reading them back, and looking at a signal as a dictionary
// (language.md 5.4, 5.6).
#include "lang/runtime.h"
#include "natives/model_object.h"
#include "natives/natives.h"
#include "result/load.h"
#include "result/select.h"
#include "segue/result.h"

#include <stdio.h>
#include <string.h>

// ---- files ----------------------------------------------------------------------------------

// writeSignalTable(file, model; ...): JSON in the output folder.
static sg_status write_table_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    static const char *const keywords[] = {"signalNames", "indent", "log"};
    sg_session *session = context;
    *out = SG_VALUE_NOTHING;
    const char *name = sg_text_argument(args, 0);
    if (!name || args->n < 2)
        return sg_raise(vm, "MethodError", SG_E_ARGUMENT, args->span,
                        "writeSignalTable takes a file name and a simulated model");
    sg_status status = sg_args_check_keywords(vm, args, "writeSignalTable", keywords, 3);
    sg_args rest = *args;
    rest.v++;
    rest.n--;
    sg_result *result;
    if (status == SG_OK)
        status = sg_result_argument(vm, &rest, "writeSignalTable", &result);
    if (status != SG_OK)
        return status;
    const char *patterns[256];
    sg_save_options options = {0};
    const sg_value *names = sg_args_find(vm, args, "signalNames");
    if (names && sg_is(*names, SG_OBJ_ARRAY)) {
        const sg_array *array = (sg_array *)names->o;
        for (size_t i = 0; i < array->len && options.n_signals < 256; i++) {
            sg_value item = sg_array_get(array, i);
            if (sg_is(item, SG_OBJ_STRING))
                patterns[options.n_signals++] = ((sg_string *)item.o)->text;
        }
        options.signals = patterns;
    }
    sg_diags diags;
    sg_diags_init(&diags, session->allocator);
    const char *path = sg_files_output(&session->files, name, args->span, &diags);
    status = path ? sg_result_save(result, path, SG_FORMAT_JSON, &options, &diags)
                  : sg_files_refusal(&session->files);
    status = sg_session_pass_on(session, &diags, status);
    sg_diags_destroy(&diags);
    return status;
}

// readSignalTable(file): any format that Segue writes; relative names are looked up in the output
// folder.
static sg_status read_table_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    sg_session *session = context;
    const char *name = sg_text_argument(args, 0);
    if (!name)
        return sg_raise(vm, "MethodError", SG_E_ARGUMENT, args->span,
                        "readSignalTable takes a file name");
    if (session->options.check_only) {
        *out = sg_unknown_value(vm);
        return SG_OK;
    }
    sg_diags diags;
    sg_diags_init(&diags, session->allocator);
    const char *path = sg_files_input_table(&session->files, name, args->span, &diags);
    sg_result *result;
    sg_status status = path ? sg_result_load(path, session->allocator, &diags, &result) : SG_ERR_IO;
    status = sg_session_pass_on(session, &diags, status);
    sg_diags_destroy(&diags);
    if (status != SG_OK)
        return status;
    *out = sg_table_make(vm, result);
    return out->tag == SG_UNDEF ? SG_ERR_MEMORY : SG_OK;
}

// ---- a signal as a dictionary -----------------------------------------------------------------

static bool put_text(sg_vm *vm, sg_dict *dict, const char *key, const char *text)
{
    return !text[0] || sg_dict_put(vm, dict, sg_symbol(sg_vm_sym(vm, key)),
                                   sg_string_value(vm, text), (sg_span){0});
}

static bool put_flag(sg_vm *vm, sg_dict *dict, const char *key, bool value)
{
    return !value ||
           sg_dict_put(vm, dict, sg_symbol(sg_vm_sym(vm, key)), sg_bool(true), (sg_span){0});
}

static bool put(sg_vm *vm, sg_dict *dict, const char *key, sg_value value)
{
    return value.tag != SG_UNDEF &&
           sg_dict_put(vm, dict, sg_symbol(sg_vm_sym(vm, key)), value, (sg_span){0});
}

// Start values in SI units, as a number, vector or matrix.
static bool put_start(sg_vm *vm, sg_dict *dict, const sg_signal *s)
{
    if (!s->start)
        return true;
    if (s->rank == 0)
        return put(vm, dict, "start", sg_float(s->start[0]));
    uint32_t size[2]; // of the segment that has it first
    sg_start_shape(s, size);
    size_t dims[2] = {size[0], size[1]};
    sg_array *array = sg_array_make(vm, SG_ELEM_FLOAT, s->rank, dims);
    if (!array)
        return false;
    for (size_t i = 0; i < array->len; i++)
        array->f[i] = s->start[i % dims[0] + i / dims[0] * s->size[0]];
    return put(vm, dict, "start", sg_object(array));
}

// What stands in for the values of getSignalInfo: their type and the size of their array.
static bool put_shape(sg_vm *vm, sg_dict *dict, const sg_result *result, const sg_signal *s)
{
    uint32_t rank = s ? s->rank : 0;
    sg_element_type type = s ? s->type : SG_ELEMENT_REAL;
    sg_tuple *size = sg_tuple_make(vm, 1 + rank);
    if (!size)
        return false;
    size->items[0] = sg_int((int64_t)result->n_points);
    for (uint32_t k = 0; k < rank; k++)
        size->items[k + 1] = sg_int(s->size[k]);
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, sg_object(size));
    bool ok = put(vm, dict, "_eltypeOrType",
                  sg_object(type == SG_ELEMENT_BOOLEAN   ? vm->types.Bool
                            : type == SG_ELEMENT_INTEGER ? vm->types.Int64
                                                         : vm->types.Float64)) &&
              put(vm, dict, "_size", sg_object(size));
    sg_root_pop(vm, mark);
    return ok;
}

// The values by the function that scripts call for them.
static sg_status put_values(sg_vm *vm, const sg_args *args, sg_dict *dict, const char *function,
                            const char *key)
{
    sg_value value;
    sg_value callee = sg_module_get(sg_vm_module(vm, "Modia"), sg_vm_sym(vm, function));
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, sg_object(dict));
    sg_status status = sg_call_values(vm, callee, args->v, 2, &value);
    sg_root_pop(vm, mark);
    if (status == SG_OK &&
        !sg_dict_put(vm, dict, sg_symbol(sg_vm_sym(vm, key)), value, (sg_span){0}))
        status = SG_ERR_MEMORY;
    return status;
}

// Elements of a signal, "u[2]", as a signal: unit, type and size. False if there are none.
static bool find_part(sg_vm *vm, const sg_result *result, const char *name, sg_signal *part)
{
    sg_arena arena;
    sg_diags diags;
    sg_selection s;
    sg_arena_init(&arena, vm->allocator);
    sg_diags_init(&diags, vm->allocator);
    bool found =
        name[0] && sg_select(result, name, &arena, SG_ERROR, &diags, &s) == SG_OK && s.signal >= 0;
    if (found) {
        bool one = s.n == 1 && !strchr(strrchr(name, '['), ':');
        *part = result->signals[s.signal].signal;
        part->rank = one ? 0 : 1;
        part->size[0] = s.n;
        part->size[1] = 1;
    }
    sg_diags_destroy(&diags);
    sg_arena_destroy(&arena);
    return found;
}

static sg_status describe_signal(sg_vm *vm, const sg_args *args, const char *function, bool values,
                                 sg_value *out)
{
    sg_result *result;
    sg_status status = sg_result_argument(vm, args, function, &result);
    const char *name = sg_text_argument(args, 1);
    if (status != SG_OK)
        return status;
    if (!name)
        return sg_raise(vm, "MethodError", SG_E_ARGUMENT, args->span,
                        "%s needs the name of a signal as its second argument", function);
    bool is_time = strcmp(name, "time") == 0;
    int32_t index = is_time ? SG_TIME : sg_result_find(result, name);
    const sg_parameter *par = is_time || index >= 0 ? NULL : sg_result_parameter(result, name);
    sg_dict *dict = sg_dict_make(vm, sg_vm_sym(vm, par ? "Par" : "Var"));
    if (!dict)
        return SG_ERR_MEMORY;
    *out = sg_object(dict);
    if (par) {
        bool ok = put_text(vm, dict, "unit", par->plain ? "" : par->unit);
        return !ok ? SG_ERR_MEMORY : put_values(vm, args, dict, "getValue", "value");
    }
    if (is_time) {
        if (!put_text(vm, dict, "unit", "s") || !put_flag(vm, dict, "independent", true))
            return SG_ERR_MEMORY;
    } else if (index >= 0) {
        const sg_signal *s = &result->signals[index].signal;
        bool ok = put_text(vm, dict, "unit", sg_script_unit(s)) &&
                  put_flag(vm, dict, "state", s->state) && put_start(vm, dict, s) &&
                  put_flag(vm, dict, "fixed", s->fixed) && put_text(vm, dict, "der", s->der) &&
                  put_text(vm, dict, "alias", s->alias) && put_text(vm, dict, "info", s->info);
        if (!ok)
            return SG_ERR_MEMORY;
    }
    sg_signal part;
    bool is_part = !is_time && index < 0 && find_part(vm, result, name, &part);
    if (is_part && !put_text(vm, dict, "unit", sg_script_unit(&part)))
        return SG_ERR_MEMORY;
    if (values || (index < 0 && !is_time && !is_part)) // an unknown name is reported there
        return put_values(vm, args, dict, "getValues", "values");
    const sg_signal *s = is_time ? NULL : is_part ? &part : &result->signals[index].signal;
    return put_shape(vm, dict, result, s) ? SG_OK : SG_ERR_MEMORY;
}

static sg_status signal_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    return describe_signal(vm, args, "getSignal", true, out);
}

static sg_status signal_info_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    return describe_signal(vm, args, "getSignalInfo", false, out);
}

// ---- as plots want it -------------------------------------------------------------------------

typedef struct flattened {
    sg_array *values; // time x elements; missing is NaN
    sg_array *legend; // "r[2] [m]"
} flattened;

static sg_status read_flattened(sg_vm *vm, const sg_result *result, const sg_selection *s,
                                flattened *out)
{
    size_t n = (size_t)result->n_points, dims[2] = {n, s->n};
    out->values = sg_array_make(vm, SG_ELEM_FLOAT, 2, dims);
    out->legend = sg_vector_make(vm, SG_ELEM_ANY, 0);
    if (!out->values || !out->legend)
        return SG_ERR_MEMORY;
    for (uint32_t k = 0; k < s->n; k++) {
        double *column = out->values->f + k * n;
        sg_status status = SG_OK;
        if (s->signal == SG_SELECT_PARAMETER)
            for (size_t i = 0; i < n; i++)
                column[i] = s->parameter->value[s->elements[k]];
        else
            status = sg_result_read(result, s->signal, s->elements[k], 0, n, column, vm->diags);
        if (status != SG_OK)
            return status;
        char name[256], text[320];
        sg_selection_name(result, s, k, name, sizeof name);
        const char *unit = s->signal >= 0 ? sg_script_unit(&result->signals[s->signal].signal)
                           : s->signal == SG_SELECT_PARAMETER && s->parameter->plain ? ""
                                                                                     : s->unit;
        snprintf(text, sizeof text, unit[0] ? "%s [%s]" : "%s", name, unit);
        if (!sg_array_push(vm, out->legend, sg_string_value(vm, text)))
            return SG_ERR_MEMORY;
    }
    return SG_OK;
}

static sg_status flatten(sg_vm *vm, const sg_args *args, const char *function, const char *name,
                         flattened *out)
{
    sg_result *result;
    sg_status status = sg_result_argument(vm, args, function, &result);
    if (status != SG_OK)
        return status;
    sg_arena arena;
    sg_diags diags;
    sg_arena_init(&arena, vm->allocator);
    sg_diags_init(&diags, vm->allocator);
    sg_selection selection;
    status = sg_select(result, name, &arena, SG_ERROR, &diags, &selection);
    if (status == SG_OK)
        status = read_flattened(vm, result, &selection, out);
    else
        status = sg_raise(vm, "KeyError", SG_E_RESULT_SIGNAL, args->span, "%s",
                          diags.len ? diags.list[0].message : name);
    sg_diags_destroy(&diags);
    sg_arena_destroy(&arena);
    return status;
}

// getFlattenedSignal(result, name): a Var with flattenedValues and legend.
static sg_status flattened_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    flattened f;
    const char *name = sg_text_argument(args, 1);
    sg_status status = flatten(vm, args, "getFlattenedSignal", name ? name : "", &f);
    if (status != SG_OK)
        return status;
    sg_dict *dict = sg_dict_make(vm, sg_vm_sym(vm, "Var"));
    if (!dict ||
        !sg_dict_put(vm, dict, sg_symbol(sg_vm_sym(vm, "flattenedValues")), sg_object(f.values),
                     args->span) ||
        !sg_dict_put(vm, dict, sg_symbol(sg_vm_sym(vm, "legend")), sg_object(f.legend), args->span))
        return SG_ERR_MEMORY;
    *out = sg_object(dict);
    return SG_OK;
}

// getPlotSignal(result, name; xAxis = "time"): (x values, x legend, y values, y legends).
static sg_status plot_signal_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    flattened x, y;
    const char *name = sg_text_argument(args, 1), *axis = "time";
    const sg_value *given = sg_args_find(vm, args, "xAxis");
    if (given && sg_is(*given, SG_OBJ_STRING))
        axis = ((sg_string *)given->o)->text;
    sg_status status = flatten(vm, args, "getPlotSignal", axis, &x);
    if (status == SG_OK)
        status = flatten(vm, args, "getPlotSignal", name ? name : "", &y);
    if (status != SG_OK)
        return status;
    sg_tuple *all = sg_tuple_make(vm, 4);
    if (!all)
        return SG_ERR_MEMORY;
    // The abscissa is one column: a vector.
    x.values->ndims = 1;
    x.values->len = x.values->dims[0];
    all->items[0] = sg_object(x.values);
    all->items[1] = sg_array_get(x.legend, 0);
    all->items[2] = sg_object(y.values);
    all->items[3] = sg_object(y.legend);
    *out = sg_object(all);
    return SG_OK;
}

// ---- what older scripts ask ---------------------------------------------------------------------

static sg_status time_name_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)args;
    (void)context;
    *out = sg_string_value(vm, "time");
    return SG_OK;
}

static sg_status one_time_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)vm;
    (void)args;
    (void)context;
    *out = sg_bool(true);
    return SG_OK;
}

bool sg_session_register_signals(sg_session *session)
{
    const sg_session_function table[] = {{"writeSignalTable", write_table_native, NULL},
                                         {"readSignalTable", read_table_native, NULL},
                                         {"getSignal", signal_native, NULL},
                                         {"getSignalInfo", signal_info_native, NULL},
                                         {"getFlattenedSignal", flattened_native, NULL},
                                         {"getPlotSignal", plot_signal_native, NULL},
                                         {"timeSignalName", time_name_native, NULL},
                                         {"independentSignalNames", time_name_native, NULL},
                                         {"hasOneTimeSignal", one_time_native, NULL}};
    return sg_session_register(session, table, sizeof table / sizeof table[0]);
}
