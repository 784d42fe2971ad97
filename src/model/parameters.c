#include "model/parameters.h"

#include "base/assert.h"
#include "lang/runtime.h"
#include "lang/strip.h"
#include "model/constructors.h"
#include "syntax/ast.h"
#include "vm/vm.h"

#include <string.h>

enum { MAX_LEVELS = 200 };

// ---- collecting -----------------------------------------------------------------------------

static bool collect(sg_instance *instance, const sg_dict *model, sg_dict *out);

static sg_dict *new_map(sg_instance *instance, sg_span span)
{
    sg_dict *map = sg_dict_make(instance->vm, sg_vm_sym(instance->vm, "Map"));
    if (map)
        map->span = span;
    return map;
}

static bool collect_model(sg_instance *instance, const sg_dict *model, sg_sym key, sg_span span,
                          sg_dict *out)
{
    sg_value constructor;
    bool constructed = sg_model_attribute(instance, model, "_constructor", &constructor);
    sg_dict *inner = new_map(instance, span);
    if (!inner)
        return false;
    if (constructed &&
        !sg_dict_put(instance->vm, inner, sg_symbol(sg_vm_sym(instance->vm, "_constructor")),
                     constructor, span))
        return false;
    if (!collect(instance, model, inner))
        return false;
    return sg_dict_len(inner) == 0 ||
           sg_dict_put(instance->vm, out, sg_symbol(key), sg_object(inner), span);
}

// init wins over start; either stands for the variable itself in the dictionary.
static bool start_of(const sg_instance *instance, const sg_dict *var, sg_value *out)
{
    return (sg_model_attribute(instance, var, "init", out) && out->tag != SG_NOTHING) ||
           (sg_model_attribute(instance, var, "start", out) && out->tag != SG_NOTHING);
}

// Is there a component or an object such as Object3D(...) in it, where an array of components,
// which holds nothing else, would have made it a part of the model?
static bool hides_component(const sg_instance *instance, sg_value value, int depth)
{
    sg_value constructor;
    if (sg_is(value, SG_OBJ_DICT))
        return sg_model_is_class(instance, value, "Model") ||
               sg_model_attribute(instance, (const sg_dict *)value.o, "_constructor", &constructor);
    const sg_array *array = sg_is(value, SG_OBJ_ARRAY) ? (const sg_array *)value.o : NULL;
    for (size_t i = 0; array && array->elem == SG_ELEM_ANY && depth > 0 && i < array->len; i++)
        if (hides_component(instance, array->v[i], depth - 1))
            return true;
    return false;
}

static bool collect_key(sg_instance *instance, const sg_dict_entry *e, sg_dict *out)
{
    sg_vm *vm = instance->vm;
    sg_value value = e->value;
    switch (sg_model_key_kind(instance, e->key.sym, value)) {
    case SG_KEY_PARAMETER:
        if (sg_is(value, SG_OBJ_DICT) && !sg_model_is_class(instance, value, "Par"))
            sg_model_attribute(instance, (sg_dict *)value.o, "value", &value);
        if (sg_is(value, SG_OBJ_ARRAY) && hides_component(instance, value, 3))
            sg_warning(vm->diags, SG_E_MODEL, e->span,
                       "the array '%s' holds components beside other values; it is taken for a "
                       "value, and they are no part of the model: let it hold components only",
                       sg_vm_text(vm, e->key.sym));
        return sg_dict_put(vm, out, e->key, value, e->span);
    case SG_KEY_VARIABLE:
        return !start_of(instance, (sg_dict *)value.o, &value) ||
               sg_dict_put(vm, out, e->key, value, e->span);
    case SG_KEY_MODEL:
        return collect_model(instance, (sg_dict *)value.o, e->key.sym, e->span, out);
    case SG_KEY_MODELS:
        for (size_t i = 0; i < ((sg_array *)value.o)->len; i++) {
            sg_dict_entry element = sg_model_element_entry(instance, e, i);
            if (!collect_key(instance, &element, out))
                return false;
        }
        return true;
    case SG_KEY_IGNORED:
    case SG_KEY_LOCAL:
    case SG_KEY_EQUATIONS:
    case SG_KEY_INITIAL:
    case SG_KEY_BINDING:
    case SG_KEY_CONSTANT:
        return true;
    }
    return true;
}

static bool collect(sg_instance *instance, const sg_dict *model, sg_dict *out)
{
    sg_dict_entry e;
    for (size_t at = 0; sg_dict_next(model, &at, &e);)
        if (e.key.tag == SG_SYMBOL && !collect_key(instance, &e, out))
            return false;
    return true;
}

sg_value sg_parameters_collect(sg_instance *instance, const sg_dict *model)
{
    sg_dict *map = new_map(instance, model->span);
    return map && collect(instance, model, map) ? sg_object(map) : (sg_value){.tag = SG_UNDEF};
}

// ---- evaluating -----------------------------------------------------------------------------

enum { MAX_NAMES = 500 }; // among which the one that was meant is looked for

typedef struct evaluator {
    sg_instance *instance;
    // Evaluated so far, outermost first; null: not searched.
    const sg_dict *levels[MAX_LEVELS];
    const sg_dict *sources[MAX_LEVELS]; // what they are evaluated from
    uint32_t n;
    sg_sym current[MAX_LEVELS]; // the key that is evaluated on each level
    sg_span ahead;              // where a name that was not found stands after all
    sg_sym ahead_name;
    sg_sym circle;   // the key that needs it and that it needs in turn, or none
    sg_span binding; // where it stands as an equation
    sg_sym told;     // the name that was told last to be the script's; once is enough
} evaluator;

static bool tree_mentions(const sg_ast *ast, sg_sym name)
{
    bool found = ast->kind == SG_AST_NAME && ast->sym.i == name.i;
    for (uint32_t i = 0; !found && i < ast->n; i++)
        found = tree_mentions(ast->kids[i], name);
    return found;
}

static bool mentions(sg_value value, sg_sym name, int depth)
{
    if (value.tag == SG_SYMBOL)
        return value.sym.i == name.i;
    if (sg_is(value, SG_OBJ_QUOTE))
        return tree_mentions(((const sg_quote *)value.o)->root, name);
    bool found = false;
    sg_dict_entry e;
    if (sg_is(value, SG_OBJ_DICT) && depth < MAX_LEVELS)
        for (size_t at = 0; !found && sg_dict_next((const sg_dict *)value.o, &at, &e);)
            found = mentions(e.value, name, depth + 1);
    return found;
}

// The name may be there, but as x = :(expression), which is an equation and has no value yet.
// Levels of the evaluation are those of the model as far as components go.
static sg_span binding_of(const evaluator *v, sg_sym name)
{
    sg_span found = {0};
    sg_value model = v->instance->model, value;
    for (uint32_t k = 0; k < v->n && sg_is(model, SG_OBJ_DICT); k++) {
        const sg_dict *dict = (const sg_dict *)model.o;
        if (sg_dict_get_sym(dict, name, &value) &&
            sg_model_key_kind(v->instance, name, value) == SG_KEY_BINDING)
            found = sg_dict_span(dict, name);
        if (!sg_dict_get_sym(dict, v->current[k], &model) ||
            sg_model_key_kind(v->instance, v->current[k], model) != SG_KEY_MODEL)
            break;
    }
    return found;
}

// A name that is not found may stand further down: parameters are evaluated in their order.
static void point_forward(evaluator *v)
{
    sg_vm *vm = v->instance->vm;
    if (!sg_is(vm->exception, SG_OBJ_EXCEPTION))
        return;
    sg_value missing = ((const sg_exception *)vm->exception.o)->payload;
    v->ahead = (sg_span){0};
    v->binding = missing.tag == SG_SYMBOL ? binding_of(v, missing.sym) : (sg_span){0};
    for (uint32_t k = v->n; missing.tag == SG_SYMBOL && k-- > 0;) {
        sg_dict_entry e;
        for (size_t at = 0; v->levels[k] && sg_dict_next(v->sources[k], &at, &e);)
            if (e.key.tag == SG_SYMBOL && e.key.sym.i == missing.sym.i) {
                v->ahead = e.span;
                v->ahead_name = missing.sym;
                bool back = mentions(e.value, v->current[k], 0);
                v->circle = back ? v->current[k] : (sg_sym){0};
                return;
            }
    }
}

static sg_status evaluate_level(evaluator *v, const sg_dict *map, sg_sym path, bool is_scope,
                                sg_dict *out);

static bool find_name(const evaluator *v, sg_sym name, sg_value *out)
{
    sg_map_put(&v->instance->mentioned, name.i, 1);
    for (uint32_t i = v->n; i-- > 0;)
        if (v->levels[i] && sg_dict_get_sym(v->levels[i], name, out))
            return true;
    return false;
}

// A value of the script counts where a key of the model with the same name stands further down, as
// one does that a merge has appended: that would have no effect, and nobody would see it.
static void warn_of_later_key(evaluator *v, const sg_ast *name)
{
    const sg_instance *instance = v->instance;
    sg_vm *vm = instance->vm;
    sg_value global = sg_module_get(instance->module, name->sym), later;
    if (global.tag == SG_UNDEF || sg_is(global, SG_OBJ_FUNCTION) || name->sym.i == v->told.i)
        return;
    for (uint32_t k = v->n; k-- > 0;) {
        const sg_dict *source = v->sources[k];
        if (!v->levels[k] || v->current[k].i == name->sym.i ||
            !sg_dict_get_sym(source, name->sym, &later))
            continue;
        sg_warning(vm->diags, SG_E_PARAMETER, name->span,
                   "'%s' is that of the script here, since the one of the model stands further "
                   "down; put it before what uses it",
                   sg_vm_text(vm, name->sym));
        sg_note(vm->diags, sg_dict_span(source, name->sym), "this one is not used there");
        v->told = name->sym;
        return;
    }
}

static sg_ast *substitute(evaluator *v, sg_arena *arena, const sg_ast *ast);

// a[2] and b.a[2] of an array of components: its elements are known as a_1, a_2, ...
static bool find_element(evaluator *v, sg_arena *arena, const sg_ast *ast, sg_value *out)
{
    const sg_ast *array = ast->kids[0], *number = ast->n == 2 ? ast->kids[1] : NULL;
    if (!number || number->kind != SG_AST_INT || number->i < 1 ||
        (array->kind != SG_AST_NAME && array->kind != SG_AST_FIELD))
        return false;
    sg_sym name = sg_model_element(v->instance, array->sym, (size_t)number->i);
    if (array->kind == SG_AST_NAME)
        return find_name(v, name, out);
    const sg_ast *base = substitute(v, arena, array->kids[0]);
    return base && base->kind == SG_AST_VALUE && sg_is(base->value, SG_OBJ_DICT) &&
           sg_dict_get_sym((const sg_dict *)base->value.o, name, out);
}

// A copy of the tree in which names that are known here are replaced by their values. Dotted names
// follow evaluated dictionaries as far as these go.
static sg_ast *substitute(evaluator *v, sg_arena *arena, const sg_ast *ast)
{
    sg_value value;
    bool known = false;
    if (ast->kind == SG_AST_NAME) {
        known = find_name(v, ast->sym, &value);
        if (!known)
            warn_of_later_key(v, ast);
    } else if (ast->kind == SG_AST_FIELD) {
        sg_ast *base = substitute(v, arena, ast->kids[0]);
        if (!base)
            return NULL;
        sg_map_put(&v->instance->mentioned, ast->sym.i, 1);
        known = base->kind == SG_AST_VALUE && sg_is(base->value, SG_OBJ_DICT) &&
                sg_dict_get_sym((sg_dict *)base->value.o, ast->sym, &value);
    } else if (ast->kind == SG_AST_INDEX) {
        known = find_element(v, arena, ast, &value);
    }
    sg_ast *copy = SG_NEW(arena, sg_ast);
    if (!copy)
        return NULL;
    *copy = *ast;
    if (known) {
        *copy = (sg_ast){.kind = SG_AST_VALUE, .span = ast->span, .value = value};
        return copy;
    }
    if (!ast->n)
        return copy; // a leaf keeps its text where others have their children
    copy->kids = SG_NEW_ARRAY(arena, sg_ast *, ast->n + 1);
    for (uint32_t i = 0; copy->kids && i < ast->n; i++) {
        // Parameters of a function of its own keep their names.
        copy->kids[i] = ast->kind == SG_AST_LAMBDA && i == 0 ? ast->kids[i]
                                                             : substitute(v, arena, ast->kids[i]);
        if (!copy->kids[i])
            return NULL;
    }
    return copy->kids ? copy : NULL;
}

// A name that neither the model nor the script knows; most likely one of the model was meant.
static sg_status raise_unknown(evaluator *v, const sg_ast *name)
{
    sg_vm *vm = v->instance->vm;
    const char *names[MAX_NAMES], *text = sg_vm_text(vm, name->sym);
    size_t n = 0;
    sg_dict_entry e;
    for (uint32_t k = v->n; k-- > 0;)
        for (size_t at = 0; v->levels[k] && n < MAX_NAMES && sg_dict_next(v->levels[k], &at, &e);)
            if (e.key.tag == SG_SYMBOL)
                names[n++] = sg_vm_text(vm, e.key.sym);
    const char *near = sg_closest_name(text, names, n);
    if (!near)
        near = sg_suggest_name(vm, v->instance->module, text);
    sg_status status =
        sg_raise(vm, "UndefVarError", SG_E_NAME, name->span, "'%s' is not defined%s%s%s", text,
                 near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
    if (sg_is(vm->exception, SG_OBJ_EXCEPTION))
        ((sg_exception *)vm->exception.o)->payload = sg_symbol(name->sym);
    return status;
}

// The tree is compiled to code that may live on in closures, so it lies in the instance's arena.
static sg_status evaluate_quote(evaluator *v, const sg_ast *ast, sg_value *out)
{
    sg_instance *instance = v->instance;
    sg_ast *tree = substitute(v, &instance->flat.arena, ast);
    if (!tree)
        return SG_ERR_MEMORY;
    const sg_ast *first = tree;
    while (first->kind == SG_AST_FIELD)
        first = first->kids[0];
    if (first->kind == SG_AST_NAME && !sg_module_find(instance->module, first->sym))
        return raise_unknown(v, first);
    return sg_script_eval(sg_runtime_of(instance->vm), instance->module, tree, out);
}

static sg_status evaluate_value(evaluator *v, sg_value value, sg_sym path, sg_span span,
                                sg_value *out);

// The function behind a `_constructor`. A name that the user's module does not define itself means
// what the host registered for the parameter phase: Object3D(...) in a model makes a dictionary, in
// the parameter phase the object.
static sg_status constructor_function(evaluator *v, sg_value what, sg_sym path, sg_span span,
                                      sg_value *out)
{
    sg_instance *instance = v->instance;
    sg_vm *vm = instance->vm;
    sg_sym name = sg_constructor_name(vm, instance->constructors, what);
    if (name.i) {
        sg_value own = sg_module_get(instance->module, name);
        *out = sg_constructor_get(vm, instance->constructors, name);
        if (out->tag != SG_UNDEF &&
            (what.tag != SG_SYMBOL || own.tag == SG_UNDEF ||
             sg_value_identical(
                 own, sg_module_get(sg_vm_module(vm, instance->constructors->package), name))))
            return SG_OK;
    }
    return evaluate_value(v, what, path, span, out);
}

// Whether a component with a build function, such as a Model3D, is on the path.
static bool is_in_part(const sg_instance *instance, sg_sym path)
{
    const char *text = sg_vm_text(instance->vm, path);
    for (size_t i = 0; i < instance->built.len; i++) {
        sg_sym part = instance->built.data[i].path;
        size_t length = part.i ? strlen(sg_vm_text(instance->vm, part)) : 0;
        if (length == 0 ||
            (strncmp(text, sg_vm_text(instance->vm, part), length) == 0 && text[length] == '.'))
            return true;
    }
    return false;
}

static bool is_host_constructor(const sg_instance *instance, sg_sym name, sg_value function)
{
    sg_value host = sg_constructor_get(instance->vm, instance->constructors, name);
    return host.tag != SG_UNDEF && sg_value_identical(host, function);
}

// Quantities that a merge has put in place of others; those of the call were looked at there.
static sg_status check_units(evaluator *v, const sg_dict *dict, sg_sym constructor)
{
    sg_vm *vm = v->instance->vm;
    sg_dict_entry e;
    sg_status status = SG_OK;
    for (size_t at = 0; status == SG_OK && sg_dict_next(dict, &at, &e);)
        if (e.key.tag == SG_SYMBOL)
            status = v->instance->constructors->check_unit(vm, sg_vm_text(vm, constructor),
                                                           sg_vm_text(vm, e.key.sym), e.value,
                                                           e.span.file ? e.span : dict->span);
    return status;
}

// Name(; [path,] [instantiatedModel,] keys...) of a dictionary with `_constructor`.
static sg_status construct(evaluator *v, const sg_dict *dict, sg_sym path, sg_value constructor,
                           sg_value *out)
{
    sg_instance *instance = v->instance;
    sg_vm *vm = instance->vm;
    bool with_path = sg_model_flag(instance, dict, "_path");
    sg_value what = constructor, unused;
    if (sg_is(constructor, SG_OBJ_DICT)) {
        with_path |= sg_model_flag(instance, (sg_dict *)constructor.o, "_path");
        if (!sg_model_attribute(instance, (sg_dict *)constructor.o, "value", &what))
            return sg_raise(vm, "ArgumentError", SG_E_PARAMETER, dict->span,
                            "the _constructor of '%s' has no value", sg_vm_text(vm, path));
    }
    static const char *const forbidden[] = {"value", "init", "start"};
    for (size_t i = 0; i < SG_COUNT(forbidden); i++)
        if (sg_model_attribute(instance, dict, forbidden[i], &unused))
            return sg_raise(vm, "ArgumentError", SG_E_PARAMETER, dict->span,
                            "'%s' has both _constructor and %s", sg_vm_text(vm, path),
                            forbidden[i]);
    if (with_path && what.tag == SG_SYMBOL && !is_in_part(instance, path) &&
        sg_constructor_get(vm, instance->constructors, what.sym).tag != SG_UNDEF)
        return sg_raise(vm, "ArgumentError", SG_E_MODEL, dict->span,
                        "%s '%s' stands in a Model(...); 3D parts need a Model3D(...) around them",
                        sg_vm_text(vm, what.sym), sg_vm_text(vm, path));
    sg_dict *keys = new_map(instance, dict->span);
    if (!keys)
        return SG_ERR_MEMORY;
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, sg_object(keys));
    sg_value function;
    sg_status status = constructor_function(v, what, path, dict->span, &function);
    sg_root_push(vm, function);
    if (status == SG_OK && what.tag == SG_SYMBOL &&
        is_host_constructor(instance, what.sym, function))
        status = check_units(v, dict, what.sym);
    if (status == SG_OK)
        // Keywords do not see each other: Revolute(obj1 = :world, obj2 = :obj1) means the object
        // obj1 of the model.
        status = evaluate_level(v, dict, path, false, keys);
    enum { MAX_KEYS = 200 };
    sg_sym kw[MAX_KEYS];
    sg_value kwv[MAX_KEYS];
    sg_span spans[MAX_KEYS];
    sg_args args = {.kw = kw, .kwv = kwv, .span = dict->span, .spans = spans};
    if (status == SG_OK && with_path) {
        kw[args.n_kw] = sg_vm_sym(vm, "path");
        spans[args.n_kw] = dict->span;
        kwv[args.n_kw++] = sg_string_value(vm, sg_vm_text(vm, path));
        sg_root_push(vm, kwv[0]);
    }
    sg_dict_entry e;
    for (size_t at = 0; status == SG_OK && sg_dict_next(keys, &at, &e);) {
        if (args.n_kw == MAX_KEYS) {
            status = sg_raise(vm, "ArgumentError", SG_E_PARAMETER, dict->span,
                              "more than %d keys in '%s'", (int)MAX_KEYS, sg_vm_text(vm, path));
            break;
        }
        kw[args.n_kw] = e.key.sym;
        spans[args.n_kw] = e.span.file ? e.span : dict->span;
        kwv[args.n_kw++] = e.value;
    }
    // A function of the host gets the places of its keywords, which a call through the machine,
    // whose present place is that of the simulation, would lose.
    const sg_function *host = sg_is(function, SG_OBJ_FUNCTION) ? (sg_function *)function.o : NULL;
    if (status == SG_OK && host && host->native && !host->n_methods)
        status = host->native(vm, &args, host->context, out);
    else if (status == SG_OK)
        status = sg_call(vm, function, &args, out);
    sg_root_pop(vm, mark);
    return status;
}

static sg_status evaluate_value(evaluator *v, sg_value value, sg_sym path, sg_span span,
                                sg_value *out)
{
    sg_instance *instance = v->instance;
    *out = value;
    sg_status status = SG_OK;
    if (value.tag == SG_SYMBOL) {
        sg_ast name = {
            .kind = SG_AST_NAME, .span = sg_model_place(instance, path, span), .sym = value.sym};
        status = evaluate_quote(v, &name, out);
    } else if (sg_is(value, SG_OBJ_QUOTE)) {
        status = evaluate_quote(v, ((sg_quote *)value.o)->root, out);
    } else if (sg_is(value, SG_OBJ_DICT)) {
        const sg_dict *dict = (sg_dict *)value.o;
        sg_value inner;
        if (sg_model_attribute(instance, dict, "_constructor", &inner))
            return construct(v, dict, path, inner, out);
        if (sg_model_is_class(instance, value, "Par") &&
            sg_model_attribute(instance, dict, "value", &inner))
            return evaluate_value(v, inner, path,
                                  sg_dict_span(dict, sg_vm_sym(instance->vm, "value")), out);
        sg_dict *keys = sg_dict_make(instance->vm, dict->class_);
        if (!keys)
            return SG_ERR_MEMORY;
        keys->span = dict->span;
        sg_root_mark mark = sg_root_mark_get(instance->vm);
        sg_root_push(instance->vm, sg_object(keys));
        status = evaluate_level(v, dict, path, true, keys);
        sg_root_pop(instance->vm, mark);
        *out = sg_object(keys);
        return status;
    }
    if (status == SG_OK && instance->unitless) {
        if (!sg_model_keep_unit(instance, path, *out))
            return SG_ERR_MEMORY;
        status = sg_strip_to_si(instance->vm, *out, out);
    }
    return status;
}

static bool remember(sg_instance *instance, sg_sym name, sg_value value)
{
    uint64_t *old = sg_map_get(&instance->values, name.i);
    if (old) {
        instance->value_list.data[*old] = value;
        return true;
    }
    return SG_PUSH(instance->vm->allocator, &instance->value_list, value) &&
           sg_map_put(&instance->values, name.i, instance->value_list.len - 1);
}

// Notes on a name that was not found.
static void explain(evaluator *v)
{
    sg_vm *vm = v->instance->vm;
    if (v->ahead.file && v->circle.i == v->ahead_name.i)
        sg_note(vm->diags, v->ahead, "'%s' refers to itself", sg_vm_text(vm, v->ahead_name));
    else if (v->ahead.file && v->circle.i)
        sg_note(vm->diags, v->ahead,
                "'%s' needs '%s' in turn: the two form a cycle, and neither can come first",
                sg_vm_text(vm, v->ahead_name), sg_vm_text(vm, v->circle));
    else if (v->ahead.file)
        sg_note(vm->diags, v->ahead,
                "'%s' stands further down; values are computed in their order, so put it before "
                "what uses it",
                sg_vm_text(vm, v->ahead_name));
    else if (v->binding.file)
        sg_note(vm->diags, v->binding,
                "this is an equation; a value that objects and other parameters can use is written "
                "name = Par(value = :(...))");
    v->ahead = v->binding = (sg_span){0};
}

static sg_status evaluate_level(evaluator *v, const sg_dict *map, sg_sym path, bool is_scope,
                                sg_dict *out)
{
    sg_vm *vm = v->instance->vm;
    if (v->n == MAX_LEVELS)
        return sg_raise(vm, "ArgumentError", SG_E_PARAMETER, map->span,
                        "components are nested more than %d deep", (int)MAX_LEVELS);
    v->sources[v->n] = map;
    v->levels[v->n++] = is_scope ? out : NULL;
    sg_dict_entry e;
    sg_status status = SG_OK;
    for (size_t at = 0; status == SG_OK && sg_dict_next(map, &at, &e);) {
        if (e.key.tag != SG_SYMBOL)
            continue;
        const char *key = sg_vm_text(vm, e.key.sym);
        if (key[0] == '_') // _constructor, _path, _class: instructions, not parameters
            continue;
        sg_sym name = sg_model_join(v->instance, path, key);
        v->current[v->n - 1] = e.key.sym;
        sg_value value;
        status = evaluate_value(v, e.value, name, e.span, &value);
        if (status != SG_OK) {
            point_forward(v);
            sg_report_exception(vm);
            if (status == SG_ERR_INTERRUPT || status == SG_ERR_LIMIT) // nothing is wrong here
                break;
            explain(v);
            if (sg_source_is_library(vm->sources, e.span.file))
                break;
            sg_note(vm->diags, e.span, "while evaluating '%s' of model '%s'", sg_vm_text(vm, name),
                    sg_vm_text(vm, v->instance->name));
            break;
        }
        if (!sg_dict_put(vm, out, e.key, value, e.span) || !remember(v->instance, name, value))
            status = SG_ERR_MEMORY;
    }
    v->n--;
    return status;
}

sg_status sg_parameters_evaluate(sg_instance *instance)
{
    sg_dict *out = new_map(instance, instance->span);
    if (!out)
        return SG_ERR_MEMORY;
    instance->evaluated = sg_object(out); // rooted by the instance while it fills
    sg_arena work;                        // of its own: a model may be evaluated ten thousand times
    sg_arena_init(&work, instance->vm->allocator);
    evaluator *v = SG_NEW(&work, evaluator);
    sg_status status = SG_ERR_MEMORY;
    if (v) {
        v->instance = instance;
        status = evaluate_level(v, (sg_dict *)instance->parameters.o, (sg_sym){0}, true, out);
    }
    sg_arena_destroy(&work);
    return status;
}
