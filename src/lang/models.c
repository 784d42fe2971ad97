// Constructors of models and variables, and the predefined dictionaries (language.md 3.1).
#include "lang/runtime.h"

#include <string.h>

bool sg_is_list_key(const sg_runtime *runtime, sg_sym key)
{
    return key.i == runtime->names.equations.i || key.i == runtime->names.initialEquations.i ||
           key.i == runtime->names.connect.i || key.i == runtime->names.connections.i;
}

// A vector of quoted lines counts as the quoted list. Anything else under such a key would be a
// parameter that nobody reads.
static sg_status take_list(sg_vm *vm, sg_sym key, sg_span span, sg_value *value)
{
    bool is_list = sg_is_list_key(sg_runtime_of(vm), key);
    bool empty = sg_is(*value, SG_OBJ_ARRAY) && ((sg_array *)value->o)->len == 0;
    if (sg_is_list_of_lines(*value) && (is_list || !empty)) {
        *value = sg_quote_of_lines(vm, *value, span);
        return value->tag == SG_UNDEF ? SG_ERR_MEMORY : SG_OK;
    }
    if (!is_list || value->tag == SG_NOTHING || value->tag == SG_SYMBOL ||
        sg_is(*value, SG_OBJ_QUOTE) || sg_is(*value, SG_OBJ_DICT))
        return SG_OK;
    const char *name = sg_vm_text(vm, key);
    bool connects = name[0] == 'c';
    return sg_raise(vm, "ArgumentError", SG_E_MODEL, span,
                    connects ? "%s needs a quoted list of connections: %s = :[(a.p, b.n)]"
                             : "%s needs a quoted list: %s = :[der(x) = -x]",
                    name, name);
}

static sg_status put_keywords(sg_vm *vm, const sg_args *args, sg_dict *dict)
{
    dict->span = args->span;
    if (!sg_dict_reserve(vm, dict, args->n_kw))
        return SG_ERR_MEMORY;
    for (uint32_t i = 0; i < args->n_kw; i++) {
        sg_span span = args->spans ? args->spans[args->n + i] : args->span;
        if (args->kw[i].i == sg_runtime_of(vm)->names.class_.i) {
            if (args->kwv[i].tag == SG_SYMBOL)
                dict->class_ = args->kwv[i].sym;
            continue;
        }
        sg_value value = args->kwv[i];
        sg_status status = take_list(vm, args->kw[i], span, &value);
        if (status != SG_OK)
            return status;
        if (!sg_dict_put(vm, dict, sg_symbol(args->kw[i]), value, span))
            return SG_ERR_MEMORY;
    }
    return SG_OK;
}

static sg_sym class_of(sg_runtime *runtime, void *context)
{
    const char *name = context;
    return sg_vm_sym(runtime->vm, name);
}

// Model(; ...) and Map(; ...): keywords only.
static sg_status native_model(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    if (args->n)
        return SG_RAISE_ARGUMENT(vm, args, "%s takes keyword arguments only: %s(name = value, ...)",
                                 (const char *)context, (const char *)context);
    sg_dict *dict = sg_dict_make(vm, class_of(sg_runtime_of(vm), context));
    if (!dict)
        return SG_ERR_MEMORY;
    *out = sg_object(dict);
    return put_keywords(vm, args, dict);
}

// Var(values...; ...): each positional argument is merged into the dictionary of the keywords.
static sg_status native_var(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    sg_runtime *runtime = sg_runtime_of(vm);
    sg_dict *dict = sg_dict_make(vm, class_of(runtime, context));
    if (!dict)
        return SG_ERR_MEMORY;
    sg_status status = put_keywords(vm, args, dict);
    sg_value result = sg_object(dict);
    for (uint32_t i = 0; i < args->n && status == SG_OK; i++) {
        if (args->v[i].tag == SG_NOTHING)
            continue;
        if (sg_is(args->v[i], SG_OBJ_DICT))
            status = sg_merge(vm, result, args->v[i], &result);
        else if (!sg_dict_put(vm, (sg_dict *)result.o, sg_symbol(runtime->names.value), args->v[i],
                              args->span))
            status = SG_ERR_MEMORY;
    }
    *out = result;
    return status;
}

static sg_status native_par(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    if (sg_args_check_count(vm, args, "Par", 0, 1) != SG_OK)
        return SG_ERR_MODEL;
    return native_var(vm, args, context, out);
}

static sg_status native_interval(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "interval", 2, 2) != SG_OK)
        return SG_ERR_MODEL;
    sg_dict *dict = sg_dict_make(vm, sg_runtime_of(vm)->names.Var);
    if (!dict || !sg_dict_put(vm, dict, sg_symbol(sg_vm_sym(vm, "min")), args->v[0], args->span) ||
        !sg_dict_put(vm, dict, sg_symbol(sg_vm_sym(vm, "max")), args->v[1], args->span))
        return SG_ERR_MEMORY;
    *out = sg_object(dict);
    return SG_OK;
}

static sg_status native_info(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "info\"...\"", 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    sg_dict *dict = sg_dict_make(vm, sg_runtime_of(vm)->names.Var);
    if (!dict || !sg_dict_put(vm, dict, sg_symbol(sg_vm_sym(vm, "info")), args->v[0], args->span))
        return SG_ERR_MEMORY;
    *out = sg_object(dict);
    return SG_OK;
}

static sg_status native_log_merge(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    bool on = false;
    if (sg_args_check_count(vm, args, "setLogMerge", 1, 1) != SG_OK ||
        sg_truth(vm, args->v[0], &on) != SG_OK)
        return SG_ERR_MODEL;
    sg_runtime_of(vm)->log_merge = on;
    *out = SG_VALUE_NOTHING;
    return SG_OK;
}

static sg_status native_show_model(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    // @showModel m: the quoted arguments, then the values.
    if (args->n < 2 || !sg_is(args->v[0], SG_OBJ_TUPLE) || !((sg_tuple *)args->v[0].o)->n)
        return SG_RAISE_ARGUMENT(vm, args, "@showModel needs a model");
    sg_buf name, text;
    sg_buf_init(&name, vm->allocator);
    sg_buf_init(&text, vm->allocator);
    const sg_tuple *quotes = (const sg_tuple *)args->v[0].o;
    sg_print_value(vm, sg_runtime_of(vm)->units, quotes->items[0], &name);
    sg_show_model(vm, sg_runtime_of(vm)->units, sg_buf_text(&name), args->v[1], &text);
    sg_vm_write(vm, sg_buf_text(&text), text.len);
    sg_buf_free(&name);
    sg_buf_free(&text);
    *out = args->v[1];
    return SG_OK;
}

static sg_status native_path_text(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (sg_args_check_count(vm, args, "modelPathAsString", 1, 1) != SG_OK)
        return SG_ERR_MODEL;
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    if (args->v[0].tag != SG_NOTHING)
        sg_print_value(vm, sg_runtime_of(vm)->units, args->v[0], &text);
    const char *shown = sg_buf_text(&text);
    size_t length = text.len;
    if (*shown == ':') { // printed as a quote
        shown++;
        length--;
        if (*shown == '(' && length > 1) {
            shown++;
            length -= 2;
        }
    }
    *out = sg_object(sg_string_make(vm, shown, length));
    sg_buf_free(&text);
    return SG_OK;
}

static bool predefine(sg_vm *vm, const char *name, const char *class_, const char *key)
{
    sg_dict *dict = sg_dict_make(vm, sg_vm_sym(vm, class_));
    return dict &&
           sg_dict_put(vm, dict, sg_symbol(sg_vm_sym(vm, key)), sg_bool(true), (sg_span){0}) &&
           sg_module_set(vm, vm->base, sg_vm_sym(vm, name), sg_object(dict));
}

bool sg_register_models(sg_vm *vm)
{
    static const struct {
        const char *name;
        sg_native_fn native;
        const char *class_;
    } makers[] = {{"Model", native_model, "Model"},
                  {"Map", native_model, "Map"},
                  {"Var", native_var, "Var"},
                  {"Par", native_par, "Par"}};
    for (size_t i = 0; i < SG_COUNT(makers); i++)
        if (!sg_vm_offer(vm, NULL, makers[i].name, makers[i].native,
                         (void *)(uintptr_t)makers[i].class_, NULL))
            return false;
    static const sg_builtin list[] = {
        {"interval", native_interval, "interval(min, max)"},
        {"info_str", native_info, "info\"text\""},
        {"setLogMerge", native_log_merge, "setLogMerge(true)"},
        {"@showModel", native_show_model, "@showModel model"},
        {"modelPathAsString", native_path_text, "modelPathAsString(path)"}};
    static const char *const flags[] = {"parameter", "constant",  "input",
                                        "output",    "potential", "flow"};
    for (size_t i = 0; i < SG_COUNT(flags); i++)
        if (!predefine(vm, flags[i], "Var", flags[i]))
            return false;
    return sg_register_all(vm, list, SG_COUNT(list)) &&
           predefine(vm, "redeclare", "Model", "_redeclare") &&
           predefine(vm, "outer", "Var", "_outer");
}
