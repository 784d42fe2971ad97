#include "model/build.h"

#include "lang/runtime.h"
#include "syntax/ast.h"
#include "vm/vm.h"

#include <stdio.h>
#include <string.h>

enum { MAX_LEVELS = 200 };

// Par(functionName = :(build!)), or the name alone as in [Neumayr-thesis] 3.2.2: the function.
static sg_status find_function(sg_instance *instance, const sg_dict *model, const char *key,
                               sg_value *out)
{
    sg_vm *vm = instance->vm;
    sg_value par, name;
    sg_span span = sg_dict_span(model, sg_vm_sym(vm, key));
    if (!sg_model_attribute(instance, model, key, &par))
        par = SG_VALUE_NOTHING;
    name = par;
    if (par.tag != SG_SYMBOL && !sg_is(par, SG_OBJ_QUOTE) &&
        (!sg_is(par, SG_OBJ_DICT) ||
         !sg_model_attribute(instance, (sg_dict *)par.o, "functionName", &name)))
        return sg_raise(vm, "ArgumentError", SG_E_MODEL, span,
                        "%s must be Par(functionName = :name)", key);
    sg_ast leaf = {.kind = SG_AST_NAME, .span = span};
    const sg_ast *tree = &leaf;
    if (name.tag == SG_SYMBOL)
        leaf.sym = name.sym;
    else if (sg_is(name, SG_OBJ_QUOTE))
        tree = ((sg_quote *)name.o)->root;
    else
        return sg_raise(vm, "ArgumentError", SG_E_MODEL, span, "functionName of %s is not a name",
                        key);
    return sg_script_eval(sg_runtime_of(vm), instance->module, tree, out);
}

// The dictionary of all @instantiateModel keywords, and types by name.
static sg_value type_named(sg_vm *vm, const char *name)
{
    sg_value type = sg_module_get(vm->base, sg_vm_sym(vm, name));
    return type.tag == SG_UNDEF ? SG_VALUE_NOTHING : type;
}

static sg_value options_dict(sg_instance *instance)
{
    sg_vm *vm = instance->vm;
    sg_dict *dict = sg_dict_make(vm, (sg_sym){0});
    if (dict)
        sg_dict_put(vm, dict, sg_symbol(sg_vm_sym(vm, "unitless")), sg_bool(instance->unitless),
                    instance->span);
    return sg_object(dict);
}

// A component without the keys that ask for code.
static sg_dict *without_build_keys(sg_instance *instance, const sg_dict *model)
{
    static const char *const keys[] = {"_buildFunction", "_buildOption"};
    sg_dict *copy = sg_dict_copy(instance->vm, model);
    for (size_t i = 0; copy && i < 2; i++)
        sg_dict_remove(instance->vm, copy, sg_symbol(sg_vm_sym(instance->vm, keys[i])));
    return copy;
}

static sg_value path_value(sg_instance *instance, sg_sym path)
{
    if (!path.i)
        return SG_VALUE_NOTHING;
    // A dotted name as a quoted tree, built from its parts.
    sg_vm *vm = instance->vm;
    const char *text = sg_vm_text(vm, path);
    sg_arena *arena = &instance->flat.arena;
    sg_ast *tree = NULL;
    for (const char *part = text; *part;) {
        size_t length = strcspn(part, ".");
        sg_ast *node = SG_NEW(arena, sg_ast);
        if (!node)
            return SG_VALUE_NOTHING;
        *node = (sg_ast){.kind = tree ? SG_AST_FIELD : SG_AST_NAME,
                         .span = instance->span,
                         .sym = sg_sym_intern(vm->symbols, part, length)};
        if (tree) {
            node->kids = SG_NEW(arena, sg_ast *);
            if (!node->kids)
                return SG_VALUE_NOTHING;
            node->kids[0] = tree;
            node->n = 1;
        }
        tree = node;
        part += length + (part[length] == '.');
    }
    return sg_quote_make(vm, tree);
}

static sg_status call_build(sg_instance *instance, const sg_dict *model, sg_sym path,
                            sg_value *new_model)
{
    sg_vm *vm = instance->vm;
    sg_value function, option, result;
    sg_status status = find_function(instance, model, "_buildFunction", &function);
    if (status != SG_OK)
        return status;
    sg_root_mark mark = sg_root_mark_get(vm);
    const char *id = sg_vm_text(vm, path);
    sg_value args[7] = {sg_object(without_build_keys(instance, model)),
                        sg_object(instance->module),
                        type_named(vm, "Float64"),
                        type_named(vm, "Float64"),
                        options_dict(instance),
                        sg_string_value(vm, id),
                        path_value(instance, path)};
    for (int i = 0; i < 7; i++)
        sg_root_push(vm, args[i]);
    sg_sym kw = sg_vm_sym(vm, "buildOption");
    sg_args call = {.v = args, .n = 7, .span = model->span};
    if (sg_model_attribute(instance, model, "_buildOption", &option)) {
        call.kw = &kw;
        call.kwv = &option;
        call.n_kw = 1;
    }
    status = sg_call(vm, function, &call, &result);
    sg_root_pop(vm, mark);
    if (status != SG_OK)
        return status;
    const sg_tuple *pair = sg_is(result, SG_OBJ_TUPLE) ? (sg_tuple *)result.o : NULL;
    if (!pair || pair->n != 2 || !sg_is(pair->items[0], SG_OBJ_DICT))
        return sg_raise(vm, "ErrorException", SG_E_MODEL, model->span,
                        "the build function of '%s' must return (model, object)",
                        id[0] ? id : sg_vm_text(vm, instance->name));
    *new_model = pair->items[0];
    sg_built built = {.path = path,
                      .object = pair->items[1],
                      .model = pair->items[0],
                      .init = {.tag = SG_UNDEF},
                      .id = SG_VALUE_NOTHING,
                      .parameters = SG_VALUE_NOTHING};
    return SG_PUSH(vm->allocator, &instance->built, built) ? SG_OK : SG_ERR_MEMORY;
}

static sg_status build_level(sg_instance *instance, sg_value *model, sg_sym path, int depth);

// The elements of an array of components; a new array if one of them changes.
static sg_status build_array(sg_instance *instance, sg_value *models, sg_sym path, int depth)
{
    sg_vm *vm = instance->vm;
    const sg_array *old = (const sg_array *)models->o;
    sg_array *array = sg_array_from_values(vm, old->v, old->len);
    if (!array)
        return SG_ERR_MEMORY;
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_status status = SG_OK;
    *models = sg_object(array);
    sg_root_push(vm, *models);
    for (size_t i = 0; status == SG_OK && i < array->len; i++)
        if (sg_model_key_kind(instance, path, array->v[i]) == SG_KEY_MODEL)
            status =
                build_level(instance, &array->v[i], sg_model_element(instance, path, i + 1), depth);
    sg_root_pop(vm, mark);
    return status;
}

// One entry; *value is another object where the component changed.
static sg_status build_key(sg_instance *instance, const sg_dict_entry *e, sg_sym path, int depth,
                           sg_value *value)
{
    *value = e->value;
    if (e->key.tag != SG_SYMBOL)
        return SG_OK;
    sg_key_kind kind = sg_model_key_kind(instance, e->key.sym, e->value);
    sg_sym name = sg_model_join(instance, path, sg_vm_text(instance->vm, e->key.sym));
    return kind == SG_KEY_MODEL    ? build_level(instance, value, name, depth)
           : kind == SG_KEY_MODELS ? build_array(instance, value, name, depth)
                                   : SG_OK;
}

// A component belongs to the script and may stand in several places: what changes is a copy.
static sg_status build_level(sg_instance *instance, sg_value *model, sg_sym path, int depth)
{
    sg_vm *vm = instance->vm;
    const sg_dict *dict = (sg_dict *)model->o;
    sg_dict *copy = NULL;
    sg_value value;
    if (sg_model_attribute(instance, dict, "_buildFunction", &value))
        return call_build(instance, dict, path, model);
    if (depth == MAX_LEVELS)
        return sg_raise(vm, "ArgumentError", SG_E_MODEL, dict->span,
                        "components are nested more than %d deep", (int)MAX_LEVELS);
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_status status = SG_OK;
    sg_dict_entry e;
    for (size_t at = 0; status == SG_OK && sg_dict_next(dict, &at, &e);) {
        status = build_key(instance, &e, path, depth + 1, &value);
        if (status != SG_OK || value.tag != SG_OBJECT || value.o == e.value.o)
            continue;
        sg_root_push(vm, value);
        copy = copy ? copy : sg_dict_copy(vm, dict);
        *model = copy ? sg_object(copy) : *model;
        sg_root_push(vm, *model);
        // The place in the order is kept.
        if (!copy || !sg_dict_put(vm, copy, e.key, value, e.span))
            status = SG_ERR_MEMORY;
    }
    sg_root_pop(vm, mark);
    return status;
}

sg_status sg_build_components(sg_instance *instance, sg_value self)
{
    (void)self;
    return build_level(instance, &instance->model, (sg_sym){0}, 0);
}

// The evaluated parameters of a component.
static sg_value parameters_at(const sg_instance *instance, sg_sym path)
{
    sg_value at = instance->evaluated;
    const char *part = sg_vm_text(instance->vm, path);
    while (*part && sg_is(at, SG_OBJ_DICT)) {
        size_t length = strcspn(part, ".");
        sg_sym key = sg_sym_find(instance->vm->symbols, part, length);
        sg_value next;
        if (!key.i || !sg_dict_get_sym((sg_dict *)at.o, key, &next))
            return SG_VALUE_NOTHING;
        at = next;
        part += length + (part[length] == '.');
    }
    return at;
}

// Before the first segment of a run: what the segments of a component need.
static sg_status find_init(sg_instance *instance, sg_built *built)
{
    sg_vm *vm = instance->vm;
    const sg_dict *model = (const sg_dict *)built->model.o;
    sg_value unused;
    built->init = (sg_value){.tag = SG_UNDEF};
    if (!sg_model_attribute(instance, model, "_initSegmentFunction", &unused))
        return SG_OK;
    sg_status status = find_function(instance, model, "_initSegmentFunction", &built->init);
    built->id = sg_string_value(vm, sg_vm_text(vm, built->path));
    built->parameters = parameters_at(instance, built->path);
    return status == SG_OK && built->id.tag == SG_UNDEF ? SG_ERR_MEMORY : status;
}

sg_status sg_init_segment(sg_instance *instance, sg_value self, bool first)
{
    sg_vm *vm = instance->vm;
    sg_sym kw = sg_vm_sym(vm, "log");
    for (size_t i = 0; i < instance->built.len; i++) {
        sg_status status = first ? find_init(instance, &instance->built.data[i]) : SG_OK;
        const sg_built built = instance->built.data[i];
        if (status != SG_OK)
            return status;
        if (built.init.tag == SG_UNDEF)
            continue;
        sg_value args[4] = {self, built.id, built.id, built.parameters}, no = sg_bool(false), value;
        sg_args call = {
            .v = args, .n = 4, .kw = &kw, .kwv = &no, .n_kw = 1, .span = instance->span};
        status = sg_call(vm, built.init, &call, &value);
        if (status != SG_OK)
            return status;
    }
    return SG_OK;
}

bool sg_built_object(const sg_instance *instance, const char *id, sg_value *out)
{
    for (size_t i = 0; i < instance->built.len; i++)
        if (strcmp(sg_vm_text(instance->vm, instance->built.data[i].path), id) == 0) {
            *out = instance->built.data[i].object;
            return true;
        }
    return false;
}
