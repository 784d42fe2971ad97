#include "model/modifiers.h"

#include "base/assert.h"
#include "lang/print.h"
#include "lang/quantity.h"
#include "lang/runtime.h"
#include "lang/unit.h"
#include "model/merged_var.h"
#include "symbolic/walk.h"
#include "vm/vm.h"

#include <ctype.h>
#include <string.h>

enum { MAX_NAMES = 500 }; // among which the one that was meant is looked for

static bool is_key(const sg_vm *vm, const sg_dict_entry *e)
{
    return e->key.tag == SG_SYMBOL && sg_vm_text(vm, e->key.sym)[0] != '_';
}

// ---- what nothing uses ----------------------------------------------------------------------

typedef struct usage {
    sg_instance *instance;
    uint8_t *vars, *pars; // by id: stands in some equation
} usage;

static void look_at(usage *u, sg_walk **walk, sg_expr_id root)
{
    sg_exprs *exprs = &u->instance->flat.exprs;
    if (!root.i)
        return;
    if (!*walk)
        *walk = sg_walk_begin(exprs, root);
    else
        sg_walk_push(*walk, root);
    for (sg_expr_id e; *walk && (e = sg_walk_next(*walk)).i;) {
        const sg_expr_node *node = sg_expr_get(exprs, e);
        if (node->op == SG_X_VAR)
            u->vars[node->index] = 1;
        else if (node->op == SG_X_PAR)
            u->pars[node->index] = 1;
    }
}

// The left side of a binding is what it defines, not a use.
static bool find_uses(usage *u)
{
    sg_instance *instance = u->instance;
    sg_flat *flat = &instance->flat;
    u->vars = SG_NEW_ARRAY(&instance->scratch, uint8_t, flat->vars.len + 1);
    u->pars = SG_NEW_ARRAY(&instance->scratch, uint8_t, flat->pars.len + 1);
    if (!u->vars || !u->pars)
        return false;
    sg_walk *walk = NULL;
    for (size_t i = 1; i < flat->eqs.len; i++) {
        const sg_flat_eq *eq = &flat->eqs.data[i];
        if (eq->origin != SG_EQ_BINDING)
            look_at(u, &walk, eq->lhs);
        look_at(u, &walk, eq->rhs);
        for (uint32_t k = 0; k < eq->n_results; k++)
            look_at(u, &walk, flat->results.data[eq->first_result + k]);
    }
    for (size_t i = 0; i < flat->initial_eqs.len; i++) {
        look_at(u, &walk, flat->initial_eqs.data[i].lhs);
        look_at(u, &walk, flat->initial_eqs.data[i].rhs);
    }
    if (walk)
        sg_walk_end(walk);
    return true;
}

static bool is_used(const usage *u, sg_sym path, const sg_dict_entry *e);

static bool is_any_used(const usage *u, sg_sym path, const sg_dict *dict)
{
    sg_dict_entry e;
    for (size_t at = 0; sg_dict_next(dict, &at, &e);)
        if (is_key(u->instance->vm, &e) && is_used(u, path, &e))
            return true;
    return false;
}

// Par(value = :(...)): a result of its own.
static bool is_computed(const sg_instance *instance, sg_value value)
{
    sg_value inner;
    return sg_is(value, SG_OBJ_DICT) &&
           sg_model_attribute(instance, (const sg_dict *)value.o, "value", &inner) &&
           (inner.tag == SG_SYMBOL || sg_is(inner, SG_OBJ_QUOTE));
}

// A key counts as used, too, where it does something by itself: equations, components, objects,
// values that are computed.
static bool is_used(const usage *u, sg_sym path, const sg_dict_entry *e)
{
    sg_instance *instance = u->instance;
    sg_sym name = sg_model_join(instance, path, sg_vm_text(instance->vm, e->key.sym));
    sg_value constructor;
    if (sg_map_get(&instance->mentioned, e->key.sym.i))
        return true;
    switch (sg_model_key_kind(instance, e->key.sym, e->value)) {
    case SG_KEY_PARAMETER:
        return u->pars[sg_flat_par_find(&instance->flat, name).i] ||
               is_computed(instance, e->value) ||
               (sg_is(e->value, SG_OBJ_DICT) &&
                sg_model_attribute(instance, (sg_dict *)e->value.o, "_constructor", &constructor));
    case SG_KEY_VARIABLE:
    case SG_KEY_BINDING:
    case SG_KEY_CONSTANT:
        return u->vars[sg_flat_var_find(&instance->flat, name).i];
    case SG_KEY_MODEL:
        return !sg_model_is_class(instance, e->value, "Map") ||
               is_any_used(u, name, (sg_dict *)e->value.o);
    case SG_KEY_LOCAL:
    case SG_KEY_MODELS:
    case SG_KEY_EQUATIONS:
    case SG_KEY_INITIAL:
    case SG_KEY_IGNORED:
        return true;
    }
    return true;
}

// The length of a name without the number at its end.
static size_t stem_length(const char *name)
{
    size_t n = strlen(name);
    while (n > 1 && (isdigit((unsigned char)name[n - 1]) || name[n - 1] == '_'))
        n--;
    return n;
}

// R for R1: what differs by a number only is near, too, for whoever modifies a component.
static const char *near_name(const char *name, const char *const *names, size_t n)
{
    const char *near = sg_closest_name(name, names, n);
    size_t length = stem_length(name);
    for (size_t i = 0; !near && i < n; i++)
        if (stem_length(names[i]) == length && memcmp(names[i], name, length) == 0)
            near = names[i];
    return near;
}

// Another name of the same component that may have been meant: a key, or a variable that only
// equations name.
static const char *find_meant(const usage *u, const sg_dict *dict, sg_sym path, const char *name)
{
    const sg_instance *instance = u->instance;
    const sg_vm *vm = instance->vm;
    const char *names[MAX_NAMES], *prefix = path.i ? sg_vm_text(vm, path) : "";
    size_t n = 0, length = strlen(prefix);
    sg_dict_entry e;
    for (size_t at = 0; n < MAX_NAMES && sg_dict_next(dict, &at, &e);)
        if (is_key(vm, &e) && !e.added)
            names[n++] = sg_vm_text(vm, e.key.sym);
    for (size_t i = 1; i < instance->flat.vars.len && n < MAX_NAMES; i++) {
        const char *var = sg_vm_text(vm, instance->flat.vars.data[i].name);
        if (!u->vars[i] || (length && (strncmp(var, prefix, length) != 0 || var[length] != '.')))
            continue;
        var += length ? length + 1 : 0;
        if (!strchr(var, '.') && strcmp(var, name) != 0)
            names[n++] = var;
    }
    return near_name(name, names, n);
}

static void tell_unused(const usage *u, const sg_dict *dict, sg_sym path, const sg_dict_entry *e)
{
    sg_instance *instance = u->instance;
    sg_vm *vm = instance->vm;
    const char *key = sg_vm_text(vm, e->key.sym);
    const char *where = path.i ? sg_vm_text(vm, path) : "the model";
    const char *quote = path.i ? "'" : "";
    bool component = sg_model_key_kind(instance, e->key.sym, e->value) == SG_KEY_MODEL;
    const char *meant = find_meant(u, dict, path, key);
    if (meant)
        sg_warning(vm->diags, SG_E_MERGE_NAME, e->span,
                   "%s%s%s has no %s '%s', and nothing uses this new one; did you mean '%s'?",
                   quote, where, quote, component ? "component" : "parameter or variable", key,
                   meant);
}

// A component with code of its own: that may read any key.
static bool is_built(const sg_instance *instance, sg_sym path)
{
    for (size_t i = 0; i < instance->built.len; i++)
        if (instance->built.data[i].path.i == path.i)
            return true;
    return false;
}

enum { MAX_LEVELS = 200 };

static void check_level(const usage *u, const sg_dict *dict, sg_sym path, int depth);

static void check_key(const usage *u, const sg_dict *dict, sg_sym path, const sg_dict_entry *e,
                      int depth)
{
    sg_instance *instance = u->instance;
    sg_key_kind kind = sg_model_key_kind(instance, e->key.sym, e->value);
    if (e->added && !is_built(instance, path) && !is_used(u, path, e)) {
        tell_unused(u, dict, path, e);
        return;
    }
    if (kind == SG_KEY_MODEL) {
        sg_sym inner = sg_model_join(instance, path, sg_vm_text(instance->vm, e->key.sym));
        check_level(u, (const sg_dict *)e->value.o, inner, depth + 1);
    }
    if (kind == SG_KEY_VARIABLE)
        sg_merged_check_attributes(instance, (const sg_dict *)e->value.o);
    for (size_t i = 0; kind == SG_KEY_MODELS && i < ((sg_array *)e->value.o)->len; i++) {
        sg_dict_entry element = sg_model_element_entry(instance, e, i);
        element.added = false;
        check_key(u, dict, path, &element, depth);
    }
}

static void check_level(const usage *u, const sg_dict *dict, sg_sym path, int depth)
{
    sg_dict_entry e;
    for (size_t at = 0; depth < MAX_LEVELS && sg_dict_next(dict, &at, &e);)
        if (is_key(u->instance->vm, &e))
            check_key(u, dict, path, &e, depth);
}

void sg_modifiers_find_unused(sg_instance *instance)
{
    usage u = {.instance = instance};
    sg_arena_mark mark = sg_arena_mark_get(&instance->scratch);
    if (find_uses(&u))
        check_level(&u, (const sg_dict *)instance->model.o, (sg_sym){0}, 0);
    sg_arena_release(&instance->scratch, mark);
}

// ---- values of another dimension ------------------------------------------------------------

static void tell_replaced(sg_instance *instance, sg_sym path, const sg_dict_entry *e, sg_value was,
                          sg_severity severity)
{
    sg_vm *vm = instance->vm;
    sg_units *units = sg_runtime_of(vm)->units;
    const char *key = sg_vm_text(vm, e->key.sym);
    bool attribute = strcmp(key, "init") == 0 || strcmp(key, "start") == 0; // of the Var `path`
    sg_sym name = attribute ? path : sg_model_join(instance, path, key);
    const char *unit = sg_unit_text(units, sg_quantity_unit(was));
    sg_buf given, before;
    sg_buf_init(&given, vm->allocator);
    sg_buf_init(&before, vm->allocator);
    sg_show_value(vm, units, e->value, &given);
    sg_show_value(vm, units, was, &before);
    if (sg_is_quantity(e->value))
        sg_diags_add(vm->diags, severity, SG_E_UNIT_EQUATION, e->span,
                     "'%s' is %s here, but its default is %s, which is of another dimension",
                     sg_vm_text(vm, name), sg_buf_text(&given), sg_buf_text(&before));
    else if (severity == SG_ERROR)
        sg_error(vm->diags, SG_E_UNIT_EQUATION, e->span,
                 "'%s' is a plain number here, but its default is %s; write %su\"%s\"",
                 sg_vm_text(vm, name), sg_buf_text(&before), sg_buf_text(&given), unit);
    sg_buf_free(&given);
    sg_buf_free(&before);
}

static bool blame_level(sg_instance *instance, const sg_dict *dict, sg_sym path,
                        sg_severity severity, int depth)
{
    bool any = false;
    sg_dict_entry e;
    for (size_t at = 0; depth < MAX_LEVELS && sg_dict_next(dict, &at, &e);) {
        if (!is_key(instance->vm, &e))
            continue;
        if (e.replaced) {
            tell_replaced(instance, path, &e, sg_dict_was(dict, e.key), severity);
            any = true;
        }
        sg_sym name = sg_model_join(instance, path, sg_vm_text(instance->vm, e.key.sym));
        if (sg_is(e.value, SG_OBJ_DICT))
            any |= blame_level(instance, (const sg_dict *)e.value.o, name, severity, depth + 1);
        sg_key_kind kind = sg_model_key_kind(instance, e.key.sym, e.value);
        for (size_t i = 0; kind == SG_KEY_MODELS && i < ((sg_array *)e.value.o)->len; i++) {
            sg_dict_entry element = sg_model_element_entry(instance, &e, i);
            name = sg_model_join(instance, path, sg_vm_text(instance->vm, element.key.sym));
            any |=
                blame_level(instance, (const sg_dict *)element.value.o, name, severity, depth + 1);
        }
    }
    return any;
}

bool sg_modifiers_blame_units(sg_instance *instance, bool misfit)
{
    return blame_level(instance, (const sg_dict *)instance->model.o, (sg_sym){0},
                       misfit ? SG_ERROR : SG_WARNING, 0) &&
           misfit;
}

// ---- overrides of a run ---------------------------------------------------------------------

static const char *last_part(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

// The full name of a parameter or start value that is nearest to one that is not there: one of
// about the same path, else one that ends alike.
static const char *nearest_path(const sg_instance *instance, const char *name)
{
    const sg_vm *vm = instance->vm;
    const char *names[MAX_NAMES] = {0}, *tails[MAX_NAMES] = {0}, *tail = last_part(name);
    size_t n = 0;
    for (size_t i = 0; i < instance->values.len && n < MAX_NAMES; i++) {
        const sg_map_entry *entry = &instance->values.entries[i];
        if (sg_is(instance->value_list.data[entry->value], SG_OBJ_DICT))
            continue;
        names[n] = sg_vm_text(vm, (sg_sym){(uint32_t)entry->key});
        tails[n] = last_part(names[n]);
        n++;
    }
    const char *near = sg_closest_name(name, names, n);
    for (size_t i = 0; !near && i < n; i++)
        if (strcmp(tails[i], tail) == 0)
            near = names[i];
    const char *near_tail = near ? NULL : sg_closest_name(tail, tails, n);
    for (size_t i = 0; near_tail && i < n && !near; i++)
        if (tails[i] == near_tail)
            near = names[i];
    return near;
}

// The unit of a number or of an array of numbers, 0 for none. False: it is something else.
static bool unit_of(sg_value value, uint32_t *unit)
{
    *unit = 0;
    if (sg_is_quantity(value)) {
        *unit = sg_quantity_unit(value);
        return true;
    }
    if (sg_is(value, SG_OBJ_ARRAY)) {
        const sg_array *array = (const sg_array *)value.o;
        uint32_t first = 0, other;
        if (!array->len || !unit_of(sg_array_get(array, 0), &first))
            return false;
        for (size_t i = 1; i < array->len; i++)
            if (!unit_of(sg_array_get(array, i), &other) || other != first)
                return false;
        *unit = first;
        return true;
    }
    double number;
    return value.tag != SG_BOOL && sg_to_float(value, &number);
}

// The value that a new one replaces, with its unit: as written, or as computed from other values.
static sg_value old_value(const sg_instance *instance, sg_sym name, sg_value known)
{
    sg_value value;
    uint32_t unit;
    if (sg_model_is_class(instance, known, "Par"))
        sg_model_attribute(instance, (const sg_dict *)known.o, "value", &known);
    return !unit_of(known, &unit) && sg_instance_value(instance, name, &value) ? value : known;
}

typedef struct override_check {
    sg_instance *instance;
    sg_severity unknown;
    bool ok;
} override_check;

static void check_dimension(override_check *c, sg_sym name, sg_value known, const sg_dict_entry *e)
{
    sg_instance *instance = c->instance;
    sg_vm *vm = instance->vm;
    sg_units *units = sg_runtime_of(vm)->units;
    sg_value old = old_value(instance, name, known);
    uint32_t before, now;
    if (!unit_of(old, &before) || !unit_of(e->value, &now) ||
        sg_unit_same_dimension(units, before, now))
        return;
    bool plain = !sg_unit_has_dimension(units, now);
    if (instance->unitless && (plain || !sg_unit_has_dimension(units, before)))
        return; // numbers are SI there
    double number;
    if (plain && sg_is_quantity(old) && sg_to_float(e->value, &number) &&
        number == sg_quantity_si(units, old))
        return; // the same once more, in a later run
    sg_buf given, default_;
    sg_buf_init(&given, vm->allocator);
    sg_buf_init(&default_, vm->allocator);
    sg_show_value(vm, units, e->value, &given);
    sg_show_value(vm, units, old, &default_);
    c->ok &= plain;
    if (plain && c->unknown == SG_WARNING) // who refuses unknown names looks before
        sg_note(vm->diags, e->span,
                "'%s' = %s is a plain number and is taken in SI units; its value was %s",
                sg_vm_text(vm, name), sg_buf_text(&given), sg_buf_text(&default_));
    else if (!plain)
        sg_error(vm->diags, SG_E_DIMENSION, e->span,
                 "'%s' = %s does not fit: its value was %s, which is of another dimension",
                 sg_vm_text(vm, name), sg_buf_text(&given), sg_buf_text(&default_));
    sg_buf_free(&given);
    sg_buf_free(&default_);
}

static void tell_unknown(override_check *c, sg_sym name, const sg_dict_entry *e)
{
    sg_vm *vm = c->instance->vm;
    sg_dict_entry inner = *e; // Map(cap_4 = Map(C = 1.0)): the whole path is told
    while (sg_is(inner.value, SG_OBJ_DICT) && sg_dict_len((const sg_dict *)inner.value.o) == 1) {
        size_t at = 0;
        if (!sg_dict_next((const sg_dict *)inner.value.o, &at, &inner) || !is_key(vm, &inner))
            break;
        name = sg_model_join(c->instance, name, sg_vm_text(vm, inner.key.sym));
    }
    const char *hint = nearest_path(c->instance, sg_vm_text(vm, name));
    sg_diags_add(vm->diags, c->unknown, SG_E_MERGE_NAME, e->span,
                 "model '%s' has no parameter or start value '%s'%s%s%s%s",
                 sg_vm_text(vm, c->instance->name), sg_vm_text(vm, name),
                 c->unknown == SG_ERROR ? "" : "; the value has no effect",
                 hint ? "; did you mean '" : "", hint ? hint : "", hint ? "'?" : "");
    c->ok &= c->unknown != SG_ERROR;
}

static void check_new(override_check *c, sg_sym name, const sg_dict_entry *e)
{
    sg_instance *instance = c->instance;
    sg_value unused;
    const sg_dict *dict = sg_is(e->value, SG_OBJ_DICT) ? (const sg_dict *)e->value.o : NULL;
    if (dict && sg_model_is_class(instance, e->value, "Model") &&
        sg_model_attribute(instance, dict, "equations", &unused)) {
        sg_error(instance->vm->diags, SG_E_MERGE_NAME, e->span,
                 "'%s' is a component with equations, which cannot be added for a run; add it to "
                 "the model before @instantiateModel",
                 sg_vm_text(instance->vm, name));
        c->ok = false;
        return;
    }
    // A new object, such as Object3D(...), becomes part of what it stands in.
    if (!dict || !sg_model_attribute(instance, dict, "_constructor", &unused))
        tell_unknown(c, name, e);
}

// A variable with a derivative starts at the value, even if the model gives it none.
static bool is_state_without_value(const override_check *c, sg_sym name, const sg_dict_entry *e)
{
    sg_var_id var = sg_flat_var_find(&c->instance->flat, name);
    return var.i && sg_flat_var_get(&c->instance->flat, var)->der.i &&
           (e->value.tag != SG_OBJECT || sg_is_quantity(e->value) ||
            sg_is(e->value, SG_OBJ_ARRAY) || sg_is(e->value, SG_OBJ_QUOTE));
}

static void check_overrides(override_check *c, const sg_dict *parameters, const sg_dict *map,
                            sg_sym path)
{
    sg_instance *instance = c->instance;
    sg_vm *vm = instance->vm;
    sg_dict_entry e;
    for (size_t at = 0; sg_dict_next(map, &at, &e);) {
        if (!is_key(vm, &e))
            continue;
        sg_sym name = sg_model_join(instance, path, sg_vm_text(vm, e.key.sym));
        sg_value known;
        if (!sg_dict_get_sym(parameters, e.key.sym, &known)) {
            if (!is_state_without_value(c, name, &e))
                check_new(c, name, &e);
            continue;
        }
        bool component = sg_is(known, SG_OBJ_DICT) && !sg_model_is_class(instance, known, "Par");
        if (component && sg_is(e.value, SG_OBJ_DICT)) {
            check_overrides(c, (sg_dict *)known.o, (sg_dict *)e.value.o, name);
        } else if (component && e.value.tag != SG_OBJECT && e.value.tag != SG_NOTHING) {
            sg_diags_add(vm->diags, c->unknown, SG_E_MERGE_NAME, e.span,
                         "'%s' of model '%s' is a component, not a parameter or start value%s",
                         sg_vm_text(vm, name), sg_vm_text(vm, instance->name),
                         c->unknown == SG_ERROR ? "" : "; the value has no effect");
            c->ok &= c->unknown != SG_ERROR;
        } else {
            check_dimension(c, name, known, &e);
        }
    }
}

bool sg_modifiers_check(sg_instance *instance, const sg_dict *map, sg_severity unknown)
{
    override_check c = {instance, unknown, true};
    check_overrides(&c, (const sg_dict *)instance->parameters.o, map, (sg_sym){0});
    return c.ok;
}

static bool only_declares(sg_instance *instance, sg_sym name, const sg_dict_entry *e)
{
    static const char *const values[] = {"value", "init", "start"};
    sg_value unused;
    if (sg_model_key_kind(instance, e->key.sym, e->value) != SG_KEY_VARIABLE ||
        !sg_is(e->value, SG_OBJ_DICT) || !sg_flat_var_find(&instance->flat, name).i)
        return false;
    for (size_t i = 0; i < SG_COUNT(values); i++)
        if (sg_model_attribute(instance, (sg_dict *)e->value.o, values[i], &unused))
            return false;
    return true;
}

typedef struct simplification {
    sg_instance *instance;
    sg_status status;
} simplification;

// What the entry of a merge becomes: a value that a Var stands for, a component with less in it,
// itself. Undefined: it is left out.
static sg_value simplify_entry(simplification *s, const sg_dict_entry *e, sg_sym name, int depth);

// A copy where something is changed, rooted until the outermost call is done.
static sg_value simplify(simplification *s, sg_value map, sg_sym path, int depth)
{
    sg_vm *vm = s->instance->vm;
    sg_dict *copy = NULL;
    sg_dict_entry e;
    for (size_t at = 0;
         depth < MAX_LEVELS && s->status == SG_OK && sg_dict_next((sg_dict *)map.o, &at, &e);) {
        if (!is_key(vm, &e))
            continue;
        sg_sym name = sg_model_join(s->instance, path, sg_vm_text(vm, e.key.sym));
        sg_value now = simplify_entry(s, &e, name, depth);
        if (now.tag != SG_UNDEF && sg_value_identical(now, e.value))
            continue;
        if (!copy) {
            copy = sg_dict_copy(vm, (sg_dict *)map.o);
            if (!copy) {
                s->status = SG_ERR_MEMORY;
                break;
            }
            sg_root_push(vm, sg_object(copy));
        }
        if (now.tag == SG_UNDEF)
            sg_dict_remove(vm, copy, e.key);
        else if (!sg_dict_put(vm, copy, e.key, now, e.span))
            s->status = SG_ERR_MEMORY;
    }
    return copy ? sg_object(copy) : map;
}

static sg_value simplify_entry(simplification *s, const sg_dict_entry *e, sg_sym name, int depth)
{
    static const sg_value none = {.tag = SG_UNDEF};
    sg_instance *instance = s->instance;
    sg_value value = e->value;
    switch (instance->compat_merge ? SG_MERGED_AS_IS : sg_merged_var(instance, name, e, &value)) {
    case SG_MERGED_VALUE:
        return value;
    case SG_MERGED_NOTHING:
        return none;
    case SG_MERGED_FAILED:
        s->status = SG_ERR_MODEL;
        return none;
    case SG_MERGED_AS_IS:
        break;
    }
    if (only_declares(instance, name, e))
        return none;
    if (!sg_model_is_class(instance, value, "Model") && !sg_model_is_class(instance, value, "Map"))
        return value;
    sg_value rest = simplify(s, value, name, depth + 1);
    bool changed = rest.o != value.o;
    return changed && !sg_dict_len((sg_dict *)rest.o) ? none : rest;
}

sg_status sg_modifiers_values(sg_instance *instance, sg_value map, sg_value *out)
{
    sg_root_mark mark = sg_root_mark_get(instance->vm);
    simplification s = {.instance = instance};
    *out = simplify(&s, map, (sg_sym){0}, 0);
    sg_root_pop(instance->vm, mark);
    return s.status;
}

// The unit that plain SI numbers have where a quantity of the unit `before` stood.
static uint32_t coherent_unit(sg_units *units, uint32_t before)
{
    if (!sg_unit_has_dimension(units, before))
        return sg_unit_parse(units, "rad", 3, NULL, NULL, NULL);
    return sg_unit_factor(units, before) == 1.0 && !sg_unit_is_affine(units, before)
               ? before
               : sg_unit_parse(units, sg_unit_common_text(units, before),
                               strlen(sg_unit_common_text(units, before)), NULL, NULL, NULL);
}

// Undefined if the value stays as it is.
static sg_value with_unit(sg_instance *instance, sg_sym name, sg_value known, sg_value value)
{
    static const sg_value same = {.tag = SG_UNDEF};
    sg_units *units = sg_runtime_of(instance->vm)->units;
    uint32_t before, now;
    double number;
    if (!unit_of(old_value(instance, name, known), &before) || !unit_of(value, &now) || !before ||
        now)
        return same;
    uint32_t unit = coherent_unit(units, before);
    if (unit == SG_UNIT_BAD)
        return same;
    if (!sg_is(value, SG_OBJ_ARRAY))
        return sg_to_float(value, &number) ? sg_quantity(number, unit) : same;
    const sg_array *array = (const sg_array *)value.o;
    sg_array *copy = array->elem == SG_ELEM_FLOAT && !array->unit
                         ? sg_array_make(instance->vm, array->elem, array->ndims, array->dims)
                         : NULL;
    if (!copy)
        return same;
    memcpy(copy->f, array->f, array->len * sizeof *array->f);
    copy->head.flags |= array->head.flags & SG_ARRAY_STATIC;
    copy->unit = unit;
    return sg_object(copy);
}

static sg_status dress(sg_instance *instance, const sg_dict *parameters, sg_value map, sg_sym path,
                       int depth, sg_value *out)
{
    sg_vm *vm = instance->vm;
    sg_dict *copy = NULL;
    sg_dict_entry e;
    *out = map;
    for (size_t at = 0; depth < MAX_LEVELS && sg_dict_next((sg_dict *)map.o, &at, &e);) {
        sg_value known, now = {.tag = SG_UNDEF};
        if (!is_key(vm, &e) || !sg_dict_get_sym(parameters, e.key.sym, &known))
            continue;
        sg_sym name = sg_model_join(instance, path, sg_vm_text(vm, e.key.sym));
        bool component = sg_is(known, SG_OBJ_DICT) && !sg_model_is_class(instance, known, "Par");
        if (component && sg_is(e.value, SG_OBJ_DICT)) {
            sg_status status =
                dress(instance, (const sg_dict *)known.o, e.value, name, depth + 1, &now);
            if (status != SG_OK)
                return status;
            if (sg_value_identical(now, e.value))
                continue;
        } else if (!component) {
            now = with_unit(instance, name, known, e.value);
        }
        if (now.tag == SG_UNDEF)
            continue;
        sg_root_push(vm, now);
        if (!copy) {
            copy = sg_dict_copy(vm, (sg_dict *)map.o);
            if (!copy)
                return SG_ERR_MEMORY;
            sg_root_push(vm, sg_object(copy));
            *out = sg_object(copy);
        }
        if (!sg_dict_put(vm, copy, e.key, now, e.span))
            return SG_ERR_MEMORY;
    }
    return SG_OK;
}

sg_status sg_modifiers_units(sg_instance *instance, sg_value map, sg_value *out)
{
    sg_root_mark mark = sg_root_mark_get(instance->vm);
    sg_status status =
        dress(instance, (const sg_dict *)instance->parameters.o, map, (sg_sym){0}, 0, out);
    sg_root_pop(instance->vm, mark);
    return status;
}

bool sg_modifiers_has(const sg_instance *instance, const char *name)
{
    sg_sym sym = sg_sym_find(instance->vm->symbols, name, strlen(name));
    return sym.i && sg_map_get(&instance->values, sym.i);
}
