#include "model/flatten.h"

#include "base/assert.h"
#include "lang/runtime.h"
#include "lang/strip.h"
#include "model/connect.h"
#include "model/convert.h"
#include "syntax/ast.h"
#include "vm/vm.h"

#include <math.h>
#include <string.h>

enum { MAX_LEVELS = 200 };

typedef struct model_level {
    const sg_dict *dict;
    sg_sym path, outer, outmost; // this component, the one around it, and the next
    uint32_t depth;
    bool has_up, outer_has_up; // something with members is called `up`
} model_level;

// A component or an object; a Var has no members.
static bool has_up(const sg_instance *instance, const sg_dict *dict)
{
    sg_value up;
    sg_sym key = sg_sym_find(instance->vm->symbols, "up", 2);
    return key.i && sg_dict_get_sym(dict, key, &up) && sg_is(up, SG_OBJ_DICT) &&
           !sg_model_is_class(instance, up, "Var");
}

// Calls `visit` for each component inside `here`.
static bool enter_component(sg_instance *instance, const model_level *here, const sg_dict_entry *e,
                            bool (*visit)(sg_instance *instance, const model_level *inner))
{
    sg_vm *vm = instance->vm;
    model_level inner = {.dict = (sg_dict *)e->value.o,
                         .outer = here->path,
                         .outmost = here->outer,
                         .depth = here->depth + 1,
                         .has_up = has_up(instance, (sg_dict *)e->value.o),
                         .outer_has_up = here->has_up};
    if (inner.depth == MAX_LEVELS) {
        sg_error(vm->diags, SG_E_MODEL, e->span, "components are nested more than %d deep",
                 (int)MAX_LEVELS);
        return false;
    }
    inner.path = sg_model_join(instance, here->path, sg_vm_text(vm, e->key.sym));
    return visit(instance, &inner);
}

// ---- first pass: what is a parameter, what is declared ---------------------------------------

static bool set_attributes(sg_instance *instance, const model_level *here, const sg_dict *dict,
                           sg_var_id var)
{
    static const struct {
        const char *name;
        uint32_t bit;
    } flags[] = {{"potential", SG_ATTR_POTENTIAL},
                 {"flow", SG_ATTR_FLOW},
                 {"output", SG_ATTR_OUTPUT},
                 {"hideResult", SG_ATTR_HIDE_RESULT},
                 {"steady", SG_ATTR_STEADY}};
    sg_flat_var *v = sg_flat_var_get(&instance->flat, var);
    v->span = sg_model_place(instance, v->name, dict->span);
    for (size_t i = 0; i < SG_COUNT(flags); i++)
        if (sg_model_flag(instance, dict, flags[i].name))
            v->attributes |= flags[i].bit;
    if (sg_model_flag(instance, dict, "input"))
        v->attributes |= here->depth == 0 ? SG_ATTR_TOP_INPUT : SG_ATTR_COMPONENT_INPUT;
    sg_value steady;
    if (!sg_model_attribute(instance, dict, "steady", &steady) || steady.tag == SG_BOOL ||
        steady.tag == SG_NOTHING)
        return true;
    sg_error(instance->vm->diags, SG_E_INITIAL_EQUATION, v->span, "steady must be true or false");
    return false;
}

// Var(nominal = ...): a typical size, which tolerances follow.
static bool set_nominal(sg_instance *instance, const sg_dict *dict, sg_var_id var, sg_span span)
{
    sg_value value;
    sg_flat_value size;
    sg_sym unit;
    if (!sg_model_attribute(instance, dict, "nominal", &value) || value.tag == SG_NOTHING)
        return true;
    bool number = sg_model_numbers(instance, value, &size, &unit) && size.kind == SG_FLAT_NUMBER;
    if (!number || size.truth || !(size.numbers[0] > 0.0) || !isfinite(size.numbers[0])) {
        sg_error(instance->vm->diags, SG_E_MODEL, span,
                 "nominal of '%s' must be a positive number: its typical size",
                 sg_vm_text(instance->vm, sg_flat_var_get(&instance->flat, var)->name));
        return false;
    }
    sg_flat_var_get(&instance->flat, var)->nominal = size.numbers[0];
    sg_flat_var_get(&instance->flat, var)->nominal_unit = unit;
    return true;
}

// Var(min = ..., max = ...): plain numbers or quantities; expressions are not looked at.
static bool set_bound(sg_instance *instance, const sg_dict *dict, const char *name, double *out)
{
    sg_value value, plain;
    if (!sg_model_attribute(instance, dict, name, &value))
        return true;
    if (sg_strip_to_si(instance->vm, value, &plain) != SG_OK)
        return false;
    sg_to_float(plain, out);
    return true;
}

bool sg_flatten_sizes(sg_instance *instance, const sg_dict *dict, sg_var_id var, sg_span span)
{
    sg_flat_var *v = sg_flat_var_get(&instance->flat, var);
    return set_nominal(instance, dict, var, span) && set_bound(instance, dict, "min", &v->min) &&
           set_bound(instance, dict, "max", &v->max);
}

static bool declare_variable(sg_instance *instance, const model_level *here, const sg_dict_entry *e)
{
    const sg_dict *dict = (sg_dict *)e->value.o;
    sg_sym name = sg_model_join(instance, here->path, sg_vm_text(instance->vm, e->key.sym));
    sg_var_id var = sg_flat_var_add(&instance->flat, name, e->span);
    if (!var.i || !set_attributes(instance, here, dict, var))
        return false;
    sg_flat_var *v = sg_flat_var_get(&instance->flat, var);
    v->attributes |= SG_ATTR_DECLARED;
    if (!sg_flatten_sizes(instance, dict, var, e->span))
        return false;
    sg_value value;
    bool has_init = sg_model_attribute(instance, dict, "init", &value) && value.tag != SG_NOTHING;
    bool has_start = sg_model_attribute(instance, dict, "start", &value) && value.tag != SG_NOTHING;
    sg_flat_var_get(&instance->flat, var)->attributes |= has_init    ? SG_ATTR_HAS_INIT
                                                         : has_start ? SG_ATTR_HAS_START
                                                                     : 0;
    if ((sg_flat_var_get(&instance->flat, var)->attributes & SG_ATTR_TOP_INPUT) && !has_init &&
        !has_start && !instance->inputs_given) {
        sg_error(instance->vm->diags, SG_E_INPUT_VALUE, e->span,
                 "the input '%s' of the model has no value; give it one with start = ... or init "
                 "= ...",
                 sg_vm_text(instance->vm, name));
        return false;
    }
    return true;
}

static bool declare(sg_instance *instance, const model_level *here);

static void warn_unseen(sg_instance *instance, const sg_dict_entry *e)
{
    const char *name = sg_vm_text(instance->vm, e->key.sym);
    if (strcmp(name, "time") != 0 && strcmp(name, "instantiatedModel") != 0)
        return;
    sg_warning(instance->vm->diags, SG_E_MODEL, e->span,
               "equations never see this: '%s' there is the %s; choose another name", name,
               *name == 't' ? "time of the simulation" : "model itself");
}

static bool declare_key(sg_instance *instance, const model_level *here, const sg_dict_entry *e)
{
    sg_key_kind kind = sg_model_key_kind(instance, e->key.sym, e->value);
    bool ok = true;
    if (kind == SG_KEY_PARAMETER &&
        strcmp(sg_vm_text(instance->vm, e->key.sym), "initialEquations") == 0) {
        sg_error(instance->vm->diags, SG_E_INITIAL_EQUATION, e->span,
                 "initialEquations must be a list of equations, :[...]");
        return false;
    }
    if (kind == SG_KEY_PARAMETER || kind == SG_KEY_VARIABLE)
        warn_unseen(instance, e);
    if (kind == SG_KEY_PARAMETER) {
        sg_sym name = sg_model_join(instance, here->path, sg_vm_text(instance->vm, e->key.sym));
        return sg_flat_par_add(&instance->flat, name, (sg_flat_value){0}, e->span).i != 0;
    }
    if (kind == SG_KEY_VARIABLE)
        return declare_variable(instance, here, e);
    if (kind == SG_KEY_MODEL)
        return enter_component(instance, here, e, declare);
    for (size_t i = 0; kind == SG_KEY_MODELS && i < ((sg_array *)e->value.o)->len; i++) {
        sg_dict_entry element = sg_model_element_entry(instance, e, i);
        ok &= declare_key(instance, here, &element);
    }
    return ok;
}

static bool declare(sg_instance *instance, const model_level *here)
{
    sg_vm *vm = instance->vm;
    if (sg_connect_is_connector(instance, sg_object((void *)(uintptr_t)here->dict)) &&
        here->depth > 0) {
        sg_connector_ref ref = {here->path, here->outer, here->dict, here->dict->span};
        if (!SG_PUSH(vm->allocator, &instance->connectors, ref))
            return false;
    }
    sg_dict_entry e;
    bool ok = true;
    for (size_t at = 0; sg_dict_next(here->dict, &at, &e);)
        if (e.key.tag == SG_SYMBOL)
            ok &= declare_key(instance, here, &e);
    return ok;
}

// ---- second pass: equations ------------------------------------------------------------------

static bool is_connect_call(const sg_instance *instance, const sg_ast *ast)
{
    return ast->kind == SG_AST_CALL && ast->n > 0 && ast->kids[0]->kind == SG_AST_NAME &&
           strcmp(sg_vm_text(instance->vm, ast->kids[0]->sym), "connect") == 0;
}

// ((a.p, b.n), (b.p, c.n)): connections that are not in brackets.
static bool is_tuple_of_tuples(const sg_ast *ast)
{
    bool all = ast->kind == SG_AST_TUPLE && ast->n;
    for (uint32_t i = 0; all && i < ast->n; i++)
        all = ast->kids[i]->kind == SG_AST_TUPLE;
    return all;
}

// The connector that a side of an equation names; its text goes to `name`.
static bool names_connector(sg_instance *instance, const model_level *here, const sg_ast *ast,
                            sg_buf *name)
{
    if ((ast->kind != SG_AST_NAME && ast->kind != SG_AST_FIELD) ||
        !sg_convert_reference(instance, ast, name))
        return false;
    sg_sym full = sg_model_join(instance, here->path, sg_buf_text(name));
    const sg_dict *dict = sg_model_component(instance, full);
    return dict && sg_connect_is_connector(instance, sg_object((void *)(uintptr_t)dict));
}

// V.p = R.p: connectors are connected, not equal. Each would be a variable of that name.
static bool equates_connectors(sg_instance *instance, const model_level *here, const sg_ast *ast)
{
    if (ast->kind != SG_AST_ASSIGN || ast->n != 2)
        return false;
    sg_buf a, b;
    sg_buf_init(&a, instance->vm->allocator);
    sg_buf_init(&b, instance->vm->allocator);
    bool both = names_connector(instance, here, ast->kids[0], &a) &&
                names_connector(instance, here, ast->kids[1], &b);
    if (both)
        sg_error(
            instance->vm->diags, SG_E_CONNECT, ast->span,
            "this is an equation between two connectors; connect them by (%s, %s) in connect = "
            ":[...]",
            sg_buf_text(&a), sg_buf_text(&b));
    sg_buf_free(&a);
    sg_buf_free(&b);
    return both;
}

// Rows, elements of rows and single elements alike. Without `connections`: those of the start.
static bool add_list(sg_instance *instance, const model_level *here, const sg_ast *ast,
                     sg_connections *connections)
{
    bool ok = true;
    switch ((int)ast->kind) {
    case SG_AST_HCAT:
    case SG_AST_ROW:
        if (ast->n && sg_convert_refuse_row(instance, ast))
            return false;
        for (uint32_t i = 0; i < ast->n; i++)
            ok &= add_list(instance, here, ast->kids[i], connections);
        return ok;
    case SG_AST_VECT:
    case SG_AST_VCAT:
    case SG_AST_BLOCK:
        for (uint32_t i = 0; i < ast->n; i++)
            ok &= add_list(instance, here, ast->kids[i], connections);
        return ok;
    case SG_AST_TUPLE:
        for (uint32_t i = 0; is_tuple_of_tuples(ast) && i < ast->n; i++)
            ok &= add_list(instance, here, ast->kids[i], connections);
        if (is_tuple_of_tuples(ast))
            return ok;
        break;
    case SG_AST_VALUE: { // an interpolated list or equation
        if (sg_is(ast->value, SG_OBJ_QUOTE))
            return add_list(instance, here, ((sg_quote *)ast->value.o)->root, connections);
        break;
    }
    default:
        break;
    }
    if (equates_connectors(instance, here, ast))
        return false;
    bool connects = ast->kind == SG_AST_TUPLE || is_connect_call(instance, ast);
    if (connects && connections)
        return SG_PUSH(instance->vm->allocator, &connections->tuples, ast);
    if (connects) {
        sg_error(instance->vm->diags, SG_E_EQUATION, ast->span,
                 "connections stand in equations or connect, not in initialEquations");
        return false;
    }
    sg_scope scope = {here->path, here->path, here->outer, false, here->has_up};
    return sg_convert_equation(instance, ast, &scope, connections ? SG_EQ_WRITTEN : SG_EQ_INITIAL);
}

static bool add_binding(sg_instance *instance, const model_level *here, sg_sym key, sg_value value,
                        sg_span span, bool local)
{
    sg_flat *flat = &instance->flat;
    sg_sym name = sg_model_join(instance, here->path, sg_vm_text(instance->vm, key));
    sg_scope scope = {here->path, local ? here->path : here->outer,
                      local ? here->outer : here->outmost, !local && here->depth == 0,
                      local ? here->has_up : here->outer_has_up};
    sg_ast leaf = {.kind = SG_AST_NAME, .span = span};
    const sg_ast *ast = &leaf;
    if (value.tag == SG_SYMBOL)
        leaf.sym = value.sym;
    else
        ast = ((sg_quote *)value.o)->root;
    sg_expr_id right = sg_convert_expr(instance, ast, &scope);
    if (!right.i)
        return false;
    sg_expr_id left = sg_expr_var(&flat->exprs, sg_flat_var_add(flat, name, span));
    if (sg_expr_equal(left, right)) {
        sg_error(instance->vm->diags, SG_E_BINDING, span, "'%s' is bound to itself",
                 sg_vm_text(instance->vm, name));
        return false;
    }
    sg_flat_eq_add(flat, left, right, span, here->path, SG_EQ_BINDING);
    sg_written written = {ast, name, scope};
    // A bare symbol has no tree of its own that lives on; its unit follows from the variables.
    return ast == &leaf || SG_PUSH(instance->vm->allocator, &instance->written, written);
}

static bool add_constant(sg_instance *instance, const model_level *here, const sg_dict_entry *e)
{
    sg_flat *flat = &instance->flat;
    sg_sym name = sg_model_join(instance, here->path, sg_vm_text(instance->vm, e->key.sym));
    sg_expr_id right = sg_convert_value(instance, e->value, e->span);
    sg_expr_id left = sg_expr_var(&flat->exprs, sg_flat_var_add(flat, name, e->span));
    return sg_flat_eq_add(flat, left, right, e->span, here->path, SG_EQ_BINDING).i != 0;
}

static bool add_equations(sg_instance *instance, const model_level *here);

static bool add_key(sg_instance *instance, const model_level *here, const sg_dict_entry *e,
                    sg_connections *connections)
{
    sg_value value = e->value;
    bool ok = true;
    switch (sg_model_key_kind(instance, e->key.sym, value)) {
    case SG_KEY_MODEL:
        return enter_component(instance, here, e, add_equations);
    case SG_KEY_MODELS:
        for (size_t i = 0; i < ((sg_array *)value.o)->len; i++) {
            sg_dict_entry element = sg_model_element_entry(instance, e, i);
            ok &= add_key(instance, here, &element, connections);
        }
        return ok;
    case SG_KEY_LOCAL:
        sg_model_attribute(instance, (sg_dict *)value.o, "value", &value);
        return add_binding(instance, here, e->key.sym, value, e->span, true);
    case SG_KEY_BINDING:
        return add_binding(instance, here, e->key.sym, value, e->span, false);
    case SG_KEY_CONSTANT:
        return add_constant(instance, here, e);
    case SG_KEY_EQUATIONS:
        return add_list(instance, here, ((sg_quote *)value.o)->root, connections);
    case SG_KEY_INITIAL:
        return add_list(instance, here, ((sg_quote *)value.o)->root, NULL);
    case SG_KEY_IGNORED:
    case SG_KEY_PARAMETER:
    case SG_KEY_VARIABLE:
        return true;
    }
    return true;
}

static bool add_equations(sg_instance *instance, const model_level *here)
{
    sg_connections connections = {{0}};
    sg_dict_entry e;
    bool ok = true;
    for (size_t at = 0; sg_dict_next(here->dict, &at, &e);)
        if (e.key.tag == SG_SYMBOL)
            ok &= add_key(instance, here, &e, &connections);
    ok &= sg_connect_level(instance, here->dict, here->path, &connections);
    SG_VEC_FREE(instance->vm->allocator, &connections.tuples);
    return ok;
}

// Messages about a variable show the model that has it, not the library that declares it.
static void find_places(sg_instance *instance)
{
    for (size_t i = 1; i < instance->flat.vars.len; i++) {
        sg_flat_var *var = &instance->flat.vars.data[i];
        var->span = sg_model_place(instance, var->name, var->span);
    }
}

bool sg_flatten(sg_instance *instance)
{
    model_level top = {.dict = (sg_dict *)instance->model.o,
                       .has_up = has_up(instance, (sg_dict *)instance->model.o)};
    bool ok = declare(instance, &top) && add_equations(instance, &top);
    if (ok && !instance->compat_flows)
        sg_connect_close_flows(instance);
    if (ok)
        find_places(instance);
    if (sg_flat_failed(&instance->flat))
        sg_error(instance->vm->diags, SG_E_MEMORY, instance->span, "out of memory");
    return ok && !sg_flat_failed(&instance->flat);
}
