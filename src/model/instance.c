#include "model/instance.h"

#include "base/assert.h"
#include "lang/runtime.h"
#include "lang/unit.h"
#include "model/build.h"
#include "model/flatten.h"
#include "model/modifiers.h"
#include "model/parameters.h"
#include "model/unitcheck.h"
#include "syntax/ast.h"
#include "vm/vm.h"

#include <stdio.h>
#include <string.h>

// ---- names and attributes -------------------------------------------------------------------

sg_sym sg_model_join(sg_instance *instance, sg_sym path, const char *name)
{
    sg_symbols *symbols = instance->vm->symbols;
    if (!path.i)
        return sg_sym_intern_text(symbols, name);
    char fixed[256];
    size_t a = sg_sym_length(symbols, path), b = strlen(name);
    if (a + b + 2 <= sizeof fixed) {
        memcpy(fixed, sg_sym_text(symbols, path), a);
        fixed[a] = '.';
        memcpy(fixed + a + 1, name, b);
        return sg_sym_intern(symbols, fixed, a + b + 1);
    }
    sg_buf text;
    sg_buf_init(&text, instance->vm->allocator);
    sg_buf_add(&text, sg_sym_text(symbols, path), a);
    sg_buf_putc(&text, '.');
    sg_buf_add(&text, name, b);
    sg_sym sym = text.failed ? (sg_sym){0} : sg_sym_intern(symbols, sg_buf_text(&text), text.len);
    sg_buf_free(&text);
    return sym;
}

const char *sg_scope_inner(const sg_scope *scope, const char *text)
{
    return !scope->has_up && strncmp(text, "up.", 3) == 0 ? text + 3 : text;
}

sg_sym sg_scope_name(sg_instance *instance, const sg_scope *scope, const char *text)
{
    const char *inner = sg_scope_inner(scope, text);
    return sg_model_join(instance, inner == text ? scope->path : scope->outer, inner);
}

// The dictionary at the end of a path, null if there is none; the last place on the way that lies
// in a file of the user.
static const sg_dict *follow(const sg_instance *instance, sg_sym path, sg_span *place)
{
    const sg_vm *vm = instance->vm;
    const sg_dict *at = sg_is(instance->model, SG_OBJ_DICT) ? (sg_dict *)instance->model.o : NULL;
    for (const char *part = path.i ? sg_vm_text(vm, path) : ""; at && *part;) {
        size_t length = strcspn(part, ".");
        sg_sym key = sg_sym_find(vm->symbols, part, length);
        sg_value next;
        if (!key.i || !sg_dict_get_sym(at, key, &next))
            return NULL;
        sg_span written = sg_dict_span(at, key);
        if (written.file && !sg_source_is_library(vm->sources, written.file))
            *place = written;
        at = sg_is(next, SG_OBJ_DICT) ? (sg_dict *)next.o : NULL;
        part += length + (part[length] == '.');
    }
    return at;
}

const sg_dict *sg_model_component(const sg_instance *instance, sg_sym path)
{
    sg_span place;
    return follow(instance, path, &place);
}

bool sg_model_has_key(const sg_instance *instance, sg_sym name)
{
    const char *full = sg_vm_text(instance->vm, name), *dot = strrchr(full, '.');
    sg_sym path =
        dot ? sg_sym_find(instance->vm->symbols, full, (size_t)(dot - full)) : (sg_sym){0};
    const sg_dict *dict = dot && !path.i ? NULL : sg_model_component(instance, path);
    sg_value value;
    return dict && sg_model_attribute(instance, dict, dot ? dot + 1 : full, &value);
}

sg_span sg_model_place(const sg_instance *instance, sg_sym path, sg_span span)
{
    sg_span place = span;
    if (!span.file || sg_source_is_library(instance->vm->sources, span.file))
        follow(instance, path, &place);
    return place;
}

const char *sg_model_closest_key(const sg_instance *instance, const sg_dict *dict, const char *name)
{
    enum { MAX_NAMES = 500 };
    const char *names[MAX_NAMES];
    size_t n = 0;
    sg_dict_entry e;
    for (size_t at = 0; n < MAX_NAMES && sg_dict_next(dict, &at, &e);)
        if (e.key.tag == SG_SYMBOL)
            names[n++] = sg_vm_text(instance->vm, e.key.sym);
    return sg_closest_name(name, names, n);
}

sg_sym sg_model_element(sg_instance *instance, sg_sym key, size_t number)
{
    sg_buf text;
    sg_buf_init(&text, instance->vm->allocator);
    sg_buf_printf(&text, "%s_%zu", sg_vm_text(instance->vm, key), number);
    sg_sym sym = sg_sym_intern(instance->vm->symbols, sg_buf_text(&text), text.len);
    sg_buf_free(&text);
    return sym;
}

sg_dict_entry sg_model_element_entry(sg_instance *instance, const sg_dict_entry *array, size_t i)
{
    sg_dict_entry element = *array;
    element.key = sg_symbol(sg_model_element(instance, array->key.sym, i + 1));
    element.value = ((const sg_array *)array->value.o)->v[i];
    return element;
}

bool sg_model_attribute(const sg_instance *instance, const sg_dict *dict, const char *name,
                        sg_value *out)
{
    sg_sym sym = sg_sym_find(instance->vm->symbols, name, strlen(name));
    return sym.i && sg_dict_get_sym(dict, sym, out);
}

bool sg_model_flag(const sg_instance *instance, const sg_dict *dict, const char *name)
{
    sg_value value;
    return sg_model_attribute(instance, dict, name, &value) && value.tag == SG_BOOL && value.b;
}

bool sg_model_is_class(const sg_instance *instance, sg_value value, const char *class_name)
{
    return sg_is(value, SG_OBJ_DICT) &&
           strcmp(sg_vm_text(instance->vm, ((sg_dict *)value.o)->class_), class_name) == 0;
}

// ---- kinds of keys --------------------------------------------------------------------------

static bool is_expression(sg_value value)
{
    return value.tag == SG_SYMBOL || sg_is(value, SG_OBJ_QUOTE);
}

static bool is_list(const sg_ast *ast)
{
    return ast->kind == SG_AST_VECT || ast->kind == SG_AST_VCAT || ast->kind == SG_AST_HCAT;
}

// The first element that is neither a row nor a list.
static const sg_ast *first_element(const sg_ast *ast)
{
    while ((is_list(ast) || ast->kind == SG_AST_ROW) && ast->n)
        ast = ast->kids[0];
    return ast;
}

static sg_key_kind quote_kind(const sg_instance *instance, sg_sym key, const sg_ast *root)
{
    if (strcmp(sg_vm_text(instance->vm, key), "equations") == 0)
        return SG_KEY_EQUATIONS;
    if (strcmp(sg_vm_text(instance->vm, key), "initialEquations") == 0)
        return SG_KEY_INITIAL;
    const sg_ast *first = first_element(root);
    bool connects = strcmp(sg_vm_text(instance->vm, key), "connect") == 0 ||
                    strcmp(sg_vm_text(instance->vm, key), "connections") == 0;
    if (connects && (is_list(root) || root->kind == SG_AST_TUPLE || root->kind == SG_AST_CALL))
        return SG_KEY_EQUATIONS;
    if (first->kind == SG_AST_ASSIGN || (is_list(root) && first->kind == SG_AST_TUPLE))
        return SG_KEY_EQUATIONS;
    return SG_KEY_BINDING;
}

static sg_key_kind dict_kind(const sg_instance *instance, const sg_dict *dict)
{
    sg_value v = sg_object((void *)(uintptr_t)dict), value;
    if (sg_model_is_class(instance, v, "Par"))
        return SG_KEY_PARAMETER;
    // `redeclare | Par(_constructor = :Name, ...)` is a Model, but still an object.
    if (sg_model_attribute(instance, dict, "_constructor", &value) && value.tag == SG_SYMBOL)
        return SG_KEY_PARAMETER;
    if (sg_model_is_class(instance, v, "Var") || sg_model_flag(instance, dict, "parameter")) {
        if (!sg_model_attribute(instance, dict, "value", &value))
            return SG_KEY_VARIABLE;
        return is_expression(value) ? SG_KEY_LOCAL : SG_KEY_PARAMETER;
    }
    return SG_KEY_MODEL;
}

static sg_key_kind array_kind(const sg_array *array)
{
    if (array->elem != SG_ELEM_ANY)
        return SG_KEY_PARAMETER;
    for (size_t i = 0; i < array->len; i++)
        if (!sg_is(array->v[i], SG_OBJ_DICT))
            return SG_KEY_PARAMETER;
    return array->len ? SG_KEY_MODELS : SG_KEY_PARAMETER;
}

sg_key_kind sg_model_key_kind(const sg_instance *instance, sg_sym key, sg_value value)
{
    if (sg_vm_text(instance->vm, key)[0] == '_')
        return SG_KEY_IGNORED;
    switch ((sg_tag)value.tag) {
    case SG_BOOL:
    case SG_INT:
    case SG_FLOAT:
    case SG_FLOAT32:
    case SG_QTY:
    case SG_QTY_INT:
    case SG_UNIT:
        return SG_KEY_PARAMETER;
    case SG_SYMBOL:
        return SG_KEY_BINDING;
    case SG_UNDEF:
    case SG_NOTHING:
        return SG_KEY_IGNORED;
    case SG_OBJECT:
        break;
    case SG_MISSING:
    case SG_CHAR:
    case SG_COLON:
    case SG_ENUM:
        return SG_KEY_CONSTANT;
    }
    if (sg_is(value, SG_OBJ_DICT))
        return dict_kind(instance, (sg_dict *)value.o);
    if (sg_is(value, SG_OBJ_ARRAY))
        return array_kind((sg_array *)value.o);
    if (sg_is(value, SG_OBJ_RANGE) || sg_is(value, SG_OBJ_STRING))
        return SG_KEY_PARAMETER;
    if (sg_is(value, SG_OBJ_QUOTE))
        return quote_kind(instance, key, ((sg_quote *)value.o)->root);
    return SG_KEY_CONSTANT;
}

// ---- numbers --------------------------------------------------------------------------------

static sg_units *units_of(const sg_instance *instance)
{
    return sg_runtime_of(instance->vm)->units;
}

// The unit in which the numbers of the flat model are: as written where that is SI (V, N*m), else
// the SI unit of the same dimension; angles are in rad.
static sg_sym unit_text(sg_instance *instance, uint32_t unit)
{
    sg_units *units = units_of(instance);
    const char *text = "";
    if (unit && sg_unit_factor(units, unit) == 1.0 && !sg_unit_is_affine(units, unit))
        text = sg_unit_text(units, unit);
    else if (sg_unit_has_dimension(units, unit))
        text = sg_unit_common_text(units, unit);
    else if (unit)
        text = "rad";
    return text[0] ? sg_sym_intern_text(instance->vm->symbols, text) : (sg_sym){0};
}

static bool scalar_number(sg_instance *instance, sg_value value, double *out, uint32_t *unit)
{
    *unit = 0;
    if (sg_to_float(value, out))
        return true;
    switch ((int)value.tag) {
    case SG_UNIT:
        *unit = value.aux;
        *out = sg_unit_to_si(units_of(instance), 1.0, value.aux);
        return true;
    case SG_QTY:
        *unit = value.aux;
        *out = sg_unit_to_si(units_of(instance), value.d, value.aux);
        return true;
    case SG_QTY_INT:
        *unit = value.aux;
        *out = sg_unit_to_si(units_of(instance), (double)value.i, value.aux);
        return true;
    default:
        return false;
    }
}

bool sg_model_numbers(sg_instance *instance, sg_value value, sg_flat_value *out, sg_sym *unit)
{
    double number;
    uint32_t id;
    *out = (sg_flat_value){0};
    *unit = (sg_sym){0};
    if (scalar_number(instance, value, &number, &id)) {
        *out = sg_flat_number(&instance->flat, number);
        if (!out->numbers)
            return false;
        out->whole = value.tag == SG_INT;
        out->truth = value.tag == SG_BOOL;
        *unit = unit_text(instance, id);
        return true;
    }
    if (sg_is(value, SG_OBJ_RANGE)) {
        const sg_range *range = (sg_range *)value.o;
        sg_array *array = sg_vector_make(instance->vm, SG_ELEM_ANY, (size_t)range->len);
        double start, step;
        if (!array || !scalar_number(instance, range->start, &start, &id) ||
            !scalar_number(instance, range->step, &step, &id))
            return false;
        for (size_t i = 0; i < array->len; i++)
            array->v[i] = sg_float(start + (double)i * step);
        value = sg_object(array);
    }
    if (!sg_is(value, SG_OBJ_ARRAY))
        return false;
    const sg_array *array = (sg_array *)value.o;
    if (array->ndims > 2 || array->len > UINT32_MAX)
        return false;
    double *numbers = SG_NEW_ARRAY(&instance->flat.arena, double, array->len ? array->len : 1);
    if (!numbers)
        return false;
    for (size_t i = 0; i < array->len; i++)
        if (!scalar_number(instance, sg_array_get(array, i), &numbers[i], &id))
            return false;
    *out = (sg_flat_value){.kind = SG_FLAT_ARRAY,
                           .fixed_size = (array->head.flags & SG_ARRAY_STATIC) != 0,
                           .whole = array->elem == SG_ELEM_INT,
                           .truth = array->elem == SG_ELEM_BOOL,
                           .matrix = array->ndims == 2,
                           .rows = (uint32_t)array->dims[0],
                           .cols = array->ndims == 2 ? (uint32_t)array->dims[1] : 1,
                           .numbers = numbers};
    *unit = array->len ? unit_text(instance, id) : (sg_sym){0};
    return true;
}

bool sg_model_keep_unit(sg_instance *instance, sg_sym name, sg_value value)
{
    uint32_t id = 0;
    double number;
    if (sg_is(value, SG_OBJ_ARRAY) && ((const sg_array *)value.o)->len)
        value = sg_array_get((const sg_array *)value.o, 0);
    if (!sg_is_quantity(value) || !scalar_number(instance, value, &number, &id))
        return true;
    sg_sym unit = unit_text(instance, id);
    return !unit.i || sg_map_put(&instance->shown_units, name.i, unit.i);
}

static void show_unit(const sg_instance *instance, sg_sym name, sg_sym *shown)
{
    const uint64_t *unit = sg_map_get(&instance->shown_units, name.i);
    if (unit)
        *shown = (sg_sym){(uint32_t)*unit};
}

uint32_t sg_instance_handle(sg_instance *instance, sg_value value)
{
    // Objects are the same when their addresses are; the few immediate values are searched.
    bool is_object = value.tag == SG_OBJECT;
    uint64_t key = (uint64_t)(uintptr_t)value.o;
    uint64_t *known = is_object ? sg_map_get(&instance->handle_of, key) : NULL;
    if (known)
        return (uint32_t)*known;
    for (size_t i = 0; !is_object && i < instance->handles.len; i++)
        if (sg_value_identical(instance->handles.data[i], value))
            return (uint32_t)i;
    if (!SG_PUSH(instance->vm->allocator, &instance->handles, value) ||
        (is_object && !sg_map_put(&instance->handle_of, key, instance->handles.len - 1))) {
        instance->flat.failed = true;
        return 0;
    }
    return (uint32_t)(instance->handles.len - 1);
}

// ---- the instance ---------------------------------------------------------------------------

bool sg_instance_value(const sg_instance *instance, sg_sym name, sg_value *out)
{
    uint64_t *index = sg_map_get(&instance->values, name.i);
    if (index)
        *out = instance->value_list.data[*index];
    return index != NULL;
}

static void tell_settled(const sg_instance *instance, sg_sym name, sg_span span)
{
    sg_error(instance->vm->diags, SG_E_EQ_SIZE, span,
             "'%s' has another size than when the model was instantiated, but a constraint holds "
             "single elements of it or of what it is computed with, so its equations were written "
             "element by element; instantiate the model with the new size",
             sg_vm_text(instance->vm, name));
}

// Sizes that equations of single elements rely on (equations/elements.c).
static void check_settled_sizes(sg_instance *instance)
{
    const sg_flat *flat = &instance->flat;
    for (size_t i = 1; i < flat->pars.len; i++) {
        const sg_flat_par *par = &flat->pars.data[i];
        if (par->settled_size &&
            (par->value.rows != par->settled_rows || par->value.cols != par->settled_cols))
            tell_settled(instance, par->name, par->span);
    }
    for (size_t i = 1; i < flat->vars.len; i++) {
        const sg_flat_var *var = &flat->vars.data[i];
        if (var->n_parts && var->value.kind != SG_FLAT_NONE &&
            var->value.rows * var->value.cols != var->n_parts)
            tell_settled(instance, var->name, var->span);
    }
}

static bool same_numbers(const sg_flat_value *a, const sg_flat_value *b)
{
    size_t n = (size_t)a->rows * a->cols;
    return a->kind == b->kind && a->numbers && b->numbers && a->rows == b->rows &&
           a->cols == b->cols && a->fixed_size == b->fixed_size && a->whole == b->whole &&
           a->truth == b->truth && a->matrix == b->matrix &&
           memcmp(a->numbers, b->numbers, n * sizeof *a->numbers) == 0;
}

// Arrays that were stored before, by a hash of their numbers. Parts of one kind mostly begin with
// the same ones, which need to be there once.
typedef struct stored_arrays {
    const sg_allocator *allocator;
    sg_map by_hash; // -> index
    SG_VEC(sg_flat_value) list;
} stored_arrays;

enum { LEAST_SHARED = 8 }; // shorter ones are not worth the entry

// One with the same numbers, or null and `value` is known from now on.
static const sg_flat_value *stored_like(stored_arrays *stored, const sg_flat_value *value)
{
    size_t n = (size_t)value->rows * value->cols;
    if (n < LEAST_SHARED)
        return NULL;
    uint64_t hash = sg_hash_bytes(value->numbers, n * sizeof *value->numbers);
    const uint64_t *known = sg_map_get(&stored->by_hash, hash);
    if (known) {
        const sg_flat_value *like = &stored->list.data[*known];
        return same_numbers(like, value) ? like : NULL;
    }
    if (SG_PUSH(stored->allocator, &stored->list, *value)) // without room there is no sharing
        (void)sg_map_put(&stored->by_hash, hash, stored->list.len - 1);
    return NULL;
}

// The numbers of a value. Those that are there already stay, so that runs with a few other values
// take memory for these only.
static bool renew_numbers(sg_instance *instance, stored_arrays *stored, sg_value value,
                          const sg_flat_value *old, sg_flat_value *out, sg_sym *unit)
{
    sg_arena_mark before = sg_arena_mark_get(&instance->flat.arena);
    if (!sg_model_numbers(instance, value, out, unit))
        return false;
    const sg_flat_value *like = same_numbers(old, out) ? old : stored_like(stored, out);
    if (like) {
        sg_arena_release(&instance->flat.arena, before);
        *out = *like;
    }
    return true;
}

// Puts the evaluated numbers into the flat model.
static void store_values(sg_instance *instance)
{
    sg_flat *flat = &instance->flat;
    sg_value value;
    stored_arrays stored = {.allocator = instance->vm->allocator};
    sg_map_init(&stored.by_hash, stored.allocator);
    for (size_t i = 1; i < flat->pars.len; i++) {
        sg_flat_par *par = &flat->pars.data[i];
        if (!sg_instance_value(instance, par->name, &value))
            continue;
        sg_sym unit;
        sg_flat_value fresh;
        par->value = renew_numbers(instance, &stored, value, &par->value, &fresh, &unit)
                         ? fresh
                         : (sg_flat_value){.kind = SG_FLAT_OTHER};
        par->unit = unit;
        show_unit(instance, par->name, &par->shown_unit);
    }
    for (size_t i = 1; i < flat->vars.len; i++) {
        sg_flat_var *var = &flat->vars.data[i];
        if (var->of.i || !sg_instance_value(instance, var->name, &value))
            continue;
        sg_sym unit;
        sg_flat_value numbers;
        const sg_dict *component =
            sg_is(value, SG_OBJ_DICT) ? sg_model_component(instance, var->name) : NULL;
        if (component) {
            sg_error(instance->vm->diags, SG_E_START_VALUE, component->span,
                     "this makes a component '%s', but equations use a variable of this name; for "
                     "attributes of a variable write Var(...)",
                     sg_vm_text(instance->vm, var->name));
            continue;
        }
        if (!renew_numbers(instance, &stored, value, &var->value, &numbers, &unit)) {
            sg_error(instance->vm->diags, SG_E_START_VALUE, var->span,
                     "the start value of '%s' is neither a number nor a vector of numbers",
                     sg_vm_text(instance->vm, var->name));
            continue;
        }
        var->value = numbers;
        var->unit = unit;
        show_unit(instance, var->name, &var->shown_unit);
    }
    sg_map_free(&stored.by_hash);
    SG_VEC_FREE(stored.allocator, &stored.list);
    check_settled_sizes(instance);
    sg_flat_spread_values(flat);
}

// `nothing` takes a value away (language.md 3.3), but equations that were written with it need it.
static bool takes_away(const sg_instance *instance, const sg_dict *map, const char *within)
{
    const sg_flat *flat = &instance->flat;
    sg_vm *vm = instance->vm;
    sg_dict_entry e;
    sg_buf name;
    bool found = false;
    sg_buf_init(&name, vm->allocator);
    for (size_t at = 0; sg_dict_next(map, &at, &e);) {
        if (e.key.tag != SG_SYMBOL || (e.value.tag != SG_NOTHING && !sg_is(e.value, SG_OBJ_DICT)))
            continue;
        sg_buf_clear(&name);
        sg_buf_printf(&name, "%s%s%s", within, within[0] ? "." : "", sg_vm_text(vm, e.key.sym));
        if (sg_is(e.value, SG_OBJ_DICT))
            found |= takes_away(instance, (const sg_dict *)e.value.o, sg_buf_text(&name));
        for (size_t i = 1; e.value.tag == SG_NOTHING && i < flat->pars.len; i++) {
            const sg_flat_par *par = &flat->pars.data[i];
            bool number = par->value.kind == SG_FLAT_NUMBER || par->value.kind == SG_FLAT_ARRAY;
            if (!number || strcmp(sg_vm_text(vm, par->name), sg_buf_text(&name)) != 0)
                continue;
            sg_error(vm->diags, SG_E_MERGE_NAME, e.span,
                     "the parameter '%s' cannot be taken away from an instantiated model, whose "
                     "equations need it; instantiate a model without it",
                     sg_buf_text(&name));
            found = true;
        }
    }
    sg_buf_free(&name);
    return found;
}

sg_status sg_instance_evaluate(sg_instance *instance, sg_value map)
{
    sg_vm *vm = instance->vm;
    if (sg_is(map, SG_OBJ_DICT) && takes_away(instance, (const sg_dict *)map.o, ""))
        return SG_ERR_MODEL;
    if (sg_is(map, SG_OBJ_DICT)) {
        sg_status simplified = sg_modifiers_values(instance, map, &map);
        if (simplified != SG_OK)
            return simplified;
        if (!sg_modifiers_check(instance, (sg_dict *)map.o, SG_WARNING))
            return SG_ERR_MODEL;
        sg_status dressed = sg_modifiers_units(instance, map, &map);
        if (dressed != SG_OK)
            return dressed;
        sg_value merged;
        sg_status status = sg_merge(vm, instance->parameters, map, &merged);
        if (status != SG_OK)
            return status;
        instance->parameters = merged;
    }
    size_t errors = vm->diags->n_errors;
    sg_status status = sg_parameters_evaluate(instance);
    if (status == SG_OK)
        store_values(instance);
    return status == SG_OK && vm->diags->n_errors > errors ? SG_ERR_MODEL : status;
}

sg_status sg_instance_create(sg_instance *instance, sg_vm *vm, sg_module *module, sg_value self,
                             sg_value model, sg_sym name, bool unitless, sg_span span)
{
    instance->vm = vm;
    instance->module = module;
    instance->name = name;
    instance->span = span;
    instance->unitless = unitless;
    sg_map_init(&instance->values, vm->allocator);
    sg_map_init(&instance->shown_units, vm->allocator);
    sg_map_init(&instance->mentioned, vm->allocator);
    sg_map_init(&instance->handle_of, vm->allocator);
    sg_map_init(&instance->bodies, vm->allocator);
    sg_map_init(&instance->derivatives, vm->allocator);
    sg_map_init(&instance->connected, vm->allocator);
    sg_map_init(&instance->outer_uses, vm->allocator);
    sg_flat_init(&instance->flat, vm->allocator, vm->symbols);
    sg_arena_init(&instance->scratch, vm->allocator);
    instance->flat.name = name;
    instance->flat.unitless = unitless;
    instance->evaluated = instance->parameters = (sg_value){.tag = SG_UNDEF};
    if (!sg_is(model, SG_OBJ_DICT)) {
        sg_error(vm->diags, SG_E_MODEL, span, "'%s' is not a model", sg_vm_text(vm, name));
        return SG_ERR_MODEL;
    }
    instance->model = sg_object(sg_dict_copy(vm, (sg_dict *)model.o));
    if (instance->model.tag == SG_UNDEF)
        return SG_ERR_MEMORY;
    sg_status status = sg_build_components(instance, self);
    if (status != SG_OK) {
        sg_report_exception(vm);
        return status;
    }
    instance->parameters = sg_parameters_collect(instance, (sg_dict *)instance->model.o);
    if (instance->parameters.tag == SG_UNDEF)
        return SG_ERR_MEMORY;
    status = sg_instance_evaluate(instance, SG_VALUE_NOTHING);
    if (status != SG_OK)
        return status;
    if (!sg_flatten(instance))
        return SG_ERR_MODEL;
    sg_modifiers_find_unused(instance);
    size_t errors = vm->diags->n_errors;
    store_values(instance);
    if (vm->diags->n_errors > errors)
        return SG_ERR_MODEL;
    if (!unitless)
        status = sg_unitcheck(instance);
    SG_VEC_FREE(vm->allocator, &instance->written); // nobody asks again how they were written
    SG_VEC_FREE(vm->allocator, &instance->calls);
    return status;
}

void sg_instance_mark(sg_instance *instance)
{
    sg_vm *vm = instance->vm;
    sg_mark_object(vm, instance->module);
    sg_mark_value(vm, instance->model);
    sg_mark_value(vm, instance->parameters);
    sg_mark_value(vm, instance->evaluated);
    for (size_t i = 0; i < instance->value_list.len; i++)
        sg_mark_value(vm, instance->value_list.data[i]);
    for (size_t i = 0; i < instance->handles.len; i++)
        sg_mark_value(vm, instance->handles.data[i]);
    for (size_t i = 0; i < instance->built.len; i++) {
        sg_mark_value(vm, instance->built.data[i].object);
        sg_mark_value(vm, instance->built.data[i].model);
        sg_mark_value(vm, instance->built.data[i].init);
        sg_mark_value(vm, instance->built.data[i].id);
        sg_mark_value(vm, instance->built.data[i].parameters);
    }
}

void sg_instance_destroy(sg_instance *instance)
{
    const sg_allocator *allocator = instance->vm->allocator;
    sg_map_free(&instance->values);
    sg_map_free(&instance->shown_units);
    sg_map_free(&instance->mentioned);
    sg_map_free(&instance->handle_of);
    sg_map_free(&instance->bodies);
    sg_map_free(&instance->derivatives);
    sg_map_free(&instance->connected);
    sg_map_free(&instance->outer_uses);
    SG_VEC_FREE(allocator, &instance->value_list);
    SG_VEC_FREE(allocator, &instance->handles);
    SG_VEC_FREE(allocator, &instance->connectors);
    SG_VEC_FREE(allocator, &instance->written);
    SG_VEC_FREE(allocator, &instance->calls);
    SG_VEC_FREE(allocator, &instance->built);
    sg_flat_destroy(&instance->flat);
    sg_arena_destroy(&instance->scratch);
}
