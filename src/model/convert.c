#include "base/assert.h"
#include "base/number.h"
#include "lang/quantity.h"
#include "lang/runtime.h"
#include "lang/unit.h"
#include "model/body.h"
#include "model/convert_internal.h"
#include "vm/vm.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_DEPTH = 4000 }; // of an expression; syntax trees are not that high

static const sg_expr_id none = {0};

static const char *text_of(const sg_converter *c, sg_sym sym)
{
    return sg_sym_text(c->symbols, sym);
}

// ---- references -----------------------------------------------------------------------------

bool sg_convert_reference(sg_instance *instance, const sg_ast *ast, sg_buf *out)
{
    sg_symbols *symbols = instance->vm->symbols;
    switch ((int)ast->kind) {
    case SG_AST_NAME:
    case SG_AST_SYMBOL:
        sg_buf_puts(out, sg_sym_text(symbols, ast->sym));
        return true;
    case SG_AST_FIELD:
        if (!sg_convert_reference(instance, ast->kids[0], out))
            return false;
        sg_buf_putc(out, '.');
        sg_buf_puts(out, sg_sym_text(symbols, ast->sym));
        return true;
    case SG_AST_INDEX: // an element of an array of components
        if (ast->n != 2 || ast->kids[1]->kind != SG_AST_INT ||
            !sg_convert_reference(instance, ast->kids[0], out))
            return false;
        sg_buf_printf(out, "_%lld", (long long)ast->kids[1]->i);
        return true;
    case SG_AST_QUOTE: // (:a).b appears when a symbol was interpolated
        return sg_convert_reference(instance, ast->kids[0], out);
    default:
        return false;
    }
}

static const struct {
    const char *name;
    double value;
} constants[] = {{"pi", SG_PI}, {"π", SG_PI}, {"Inf", HUGE_VAL}, {"NaN", (double)NAN}};

// Names that generated code of the reference reserves; functions may take them as arguments.
static const char *const reserved[] = {"instantiatedModel", "_leq_mode", "_x"};

static sg_expr_id reserved_const(sg_converter *c, const char *name)
{
    sg_sym sym = sg_sym_intern_text(c->symbols, name);
    uint32_t handle = sg_instance_handle(c->instance, sg_symbol(sym));
    uint32_t index = sg_flat_const_add(&c->instance->flat, sym, (void *)(uintptr_t)(handle + 1));
    if (index)
        c->instance->flat.consts.data[index].is_model = name == reserved[0];
    return sg_expr_const(c->exprs, index);
}

// Keys that begin with '_' are instructions to the translation. What an author has put there all
// the same is not seen, and an equation that names it would mean another variable. True, reported.
static bool refuse_hidden(sg_converter *c, const char *text, sg_sym name, sg_span span)
{
    const char *full = text_of(c, name);
    bool hidden = false;
    for (const char *at = full; at; at = strchr(at, '.')) {
        at += *at == '.';
        size_t end = (size_t)(at - full) + strcspn(at, ".");
        sg_sym part = *at == '_' ? sg_sym_find(c->symbols, full, end) : (sg_sym){0};
        hidden |= part.i && sg_model_has_key(c->instance, part);
    }
    if (hidden)
        sg_error(c->diags, SG_E_EQUATION, span,
                 "'%s': keys that begin with '_' are instructions, not variables, parameters or "
                 "components of a model; give it another name",
                 text);
    return hidden;
}

// `is_inner`: the equation counts as one of the component that the name leads to.
static sg_expr_id reference(sg_converter *c, const char *text, bool is_inner, sg_span span)
{
    sg_flat *flat = &c->instance->flat;
    if (strcmp(text, "time") == 0)
        return sg_expr_time(c->exprs);
    for (size_t i = 0; i < SG_COUNT(reserved); i++)
        if (strcmp(text, reserved[i]) == 0)
            return reserved_const(c, reserved[i]);
    sg_sym name = sg_scope_name(c->instance, c->scope, text);
    if (!name.i || refuse_hidden(c, text, name, span))
        return none;
    sg_par_id par = sg_flat_par_find(flat, name);
    bool declared = par.i || sg_flat_var_find(flat, name).i;
    for (size_t i = 0; (!declared || c->scope->no_names) && i < SG_COUNT(constants); i++)
        if (strcmp(text, constants[i].name) == 0)
            return sg_expr_num(c->exprs, constants[i].value);
    if (c->scope->no_names) {
        sg_error(c->diags, SG_E_BINDING, span,
                 "'%s' is not found one level above: a binding at the top level has nothing to "
                 "refer to; write Var(:(...)) to use names of this model",
                 text);
        return none;
    }
    if (par.i)
        return sg_expr_par(c->exprs, par);
    // component.connector.flow: this equation stands outside of the connector's component.
    const char *dot = strchr(sg_scope_inner(c->scope, text), '.');
    if (!is_inner && dot && strchr(dot + 1, '.'))
        sg_map_put(&c->instance->outer_uses, name.i, 1);
    return sg_expr_var(c->exprs, sg_flat_var_add(flat, name, span));
}

static sg_expr_id convert_reference(sg_converter *c, const sg_ast *ast)
{
    sg_buf text;
    sg_buf_init(&text, c->instance->vm->allocator);
    sg_expr_id e = none;
    if (sg_convert_reference(c->instance, ast, &text) && !text.failed)
        e = reference(c, sg_buf_text(&text), ast->flags & SG_AST_INNER, ast->span);
    else
        sg_error(c->diags, SG_E_EQUATION, ast->span, "this is not the name of a variable");
    sg_buf_free(&text);
    return e;
}

// ---- values and units -----------------------------------------------------------------------

// The number of SI units in one u"..."; with unitless=true that is how units vanish.
static sg_expr_id convert_unit(sg_converter *c, const sg_ast *ast)
{
    sg_value value;
    if (sg_script_eval(sg_runtime_of(c->instance->vm), c->instance->module, ast, &value) != SG_OK)
        return none;
    if (value.tag == SG_UNIT)
        value = sg_quantity(1.0, value.aux);
    return sg_convert_value(c->instance, value, ast->span);
}

// ---- operators and calls --------------------------------------------------------------------

// True where the script itself defines (or extends) a function of this name.
static bool defined_by_script(const sg_converter *c, sg_sym name)
{
    sg_value f = sg_module_get(c->instance->module, name);
    return sg_is(f, SG_OBJ_FUNCTION) && ((sg_function *)f.o)->n_methods > 0;
}

// Room for the arguments of a node, until the node is done. Not on the stack: expressions are deep,
// and a few of them are wide. Null when memory ran out.
static sg_expr_id *room_for(sg_converter *c, uint32_t n)
{
    sg_expr_id *room = SG_NEW_ARRAY(&c->instance->scratch, sg_expr_id, (size_t)n + 1);
    if (!room)
        c->exprs->failed = true;
    return room;
}

// The children from number `from` on; null if one of them is wrong.
static sg_expr_id *convert_all(sg_converter *c, const sg_ast *ast, uint32_t from)
{
    sg_expr_id *out = room_for(c, ast->n - from);
    bool ok = out;
    for (uint32_t i = from; out && i < ast->n; i++) {
        out[i - from] = sg_convert_node(c, ast->kids[i]);
        ok &= out[i - from].i != 0;
    }
    return ok ? out : NULL;
}

// Plain positional arguments only? Everything else goes through a function made for it.
static bool plain_arguments(const sg_ast *ast)
{
    for (uint32_t i = 1; i < ast->n; i++) {
        int kind = ast->kids[i]->kind;
        if (kind == SG_AST_KW || kind == SG_AST_SPLAT || kind == SG_AST_PARAMETERS ||
            kind == SG_AST_GENERATOR || kind == SG_AST_LAMBDA)
            return false;
    }
    return true;
}

static sg_expr_id call_function(sg_converter *c, sg_value function, sg_sym name, const sg_ast *ast,
                                uint32_t from)
{
    uint32_t n = ast->n - from, n_results = c->n_results;
    c->n_results = 1;
    const sg_expr_id *args = convert_all(c, ast, from);
    if (!args)
        return none;
    sg_flat *flat = &c->instance->flat;
    uint32_t handle = sg_instance_handle(c->instance, function);
    sg_func_id func = sg_flat_func_add(flat, name, (void *)(uintptr_t)(handle + 1));
    if (!func.i)
        return none;
    const char *why;
    const sg_func_body *body = sg_model_body(c->instance, function, n, n_results, &why);
    if (body && !sg_model_body_fits(c->instance, body, args)) {
        body = NULL;
        why = "a size or an index in it depends on a variable";
    }
    flat->funcs.data[func.i].body = body;
    flat->funcs.data[func.i].why_no_body = why;
    flat->funcs.data[func.i].remembers = sg_is(function, SG_OBJ_NATIVE);
    sg_written_call call = {
        .ast = ast, .written = (uint32_t)c->instance->written.len, .func = func};
    if (!SG_PUSH(c->instance->vm->allocator, &c->instance->calls, call))
        flat->failed = true;
    return sg_expr_call(c->exprs, func, args, n);
}

// ---- calls ----------------------------------------------------------------------------------

static void report_constant(sg_converter *c, const sg_ast *ast)
{
    sg_buf text;
    sg_buf_init(&text, c->instance->vm->allocator);
    sg_convert_reference(c->instance, ast, &text);
    sg_sym name = sg_scope_name(c->instance, c->scope, sg_buf_text(&text));
    sg_buf_free(&text);
    sg_error(c->diags, SG_E_EQUATION, sg_model_place(c->instance, name, ast->span),
             "'%s' is a parameter or constant, so its derivative is always zero; a variable is "
             "declared by Var(init = ...)",
             text_of(c, name));
}

static sg_expr_id rate_of_var(void *context, sg_exprs *exprs, sg_var_id var)
{
    sg_converter *c = context;
    return sg_expr_var(exprs, sg_flat_der(&c->instance->flat, var));
}

static sg_expr_id rate_of_call(void *context, sg_exprs *exprs, sg_expr_id call, uint32_t k,
                               const sg_expr_id *d_args)
{
    sg_converter *c = context;
    sg_flat *flat = &c->instance->flat;
    const sg_func_body **list =
        SG_NEW_ARRAY(&flat->arena, const sg_func_body *, flat->funcs.len + 1);
    for (size_t i = 1; list && i < flat->funcs.len; i++)
        list[i] = flat->funcs.data[i].body;
    sg_func_bodies bodies = {list, list ? (uint32_t)flat->funcs.len : 0};
    return sg_func_diff_call(&bodies, exprs, call, k, d_args);
}

static bool call_moves(void *context, sg_expr_id call)
{
    const sg_converter *c = context;
    return sg_flat_remembers(&c->instance->flat, call);
}

// der(2*x + y*z): put in place as 2*der(x) + der(y)*z + y*der(z). What is differentiated that way
// and has no equation with der in it gets its derivative by index reduction.
static sg_expr_id expand_der(sg_converter *c, const sg_ast *arg)
{
    sg_expr_id inner = sg_convert_node(c, arg);
    if (!inner.i)
        return none;
    sg_diff_rules rules = {c, rate_of_var, rate_of_call, call_moves, 1.0};
    sg_diff_failure failure = {{0}, {0}};
    sg_expr_id rate = sg_expr_diff(c->exprs, inner, &rules, &failure);
    if (rate.i && !sg_expr_is_zero(c->exprs, rate))
        return rate;
    const char *why = rate.i ? "it is constant, so its derivative is always zero"
                             : "the derivative of something in it is not known; give that a name "
                               "in an equation of its own";
    sg_buf text;
    sg_buf_init(&text, c->instance->vm->allocator);
    sg_ast_print(c->symbols, arg, &text);
    if (rate.i || failure.at.i)
        sg_error(c->diags, SG_E_EQUATION, arg->span, "der(%s): %s", sg_buf_text(&text), why);
    sg_buf_free(&text);
    return none;
}

static sg_expr_id convert_der(sg_converter *c, const sg_ast *ast)
{
    if (ast->n != 2) {
        sg_error(c->diags, SG_E_EQUATION, ast->span, "der takes one variable or expression");
        return none;
    }
    const sg_ast *arg = ast->kids[1];
    bool is_reference = arg->kind == SG_AST_NAME || arg->kind == SG_AST_FIELD;
    if (!is_reference)
        return expand_der(c, arg);
    sg_expr_id inner = convert_reference(c, arg);
    if (!inner.i)
        return none;
    sg_var_id var = sg_expr_var_of(c->exprs, inner);
    if (!var.i) {
        report_constant(c, arg);
        return none;
    }
    return sg_expr_var(c->exprs, sg_flat_der(&c->instance->flat, var));
}

// One of the operators of equations with a wrong number of arguments.
static bool wrong_count(sg_converter *c, const sg_ast *callee, const char *name, uint32_t n)
{
    for (uint32_t k = 0; k <= 2; k++) {
        const sg_op_info *info = sg_expr_op_info(sg_expr_op_by_name(name, k));
        if (!info || !(info->traits & SG_TRAIT_EVENT))
            continue;
        sg_error(c->diags, SG_E_FUNCTION, callee->span, "%s takes %u%s argument%s, %u given", name,
                 info->least, info->most > info->least ? " or 2" : "", info->most == 1 ? "" : "s",
                 n);
        return true;
    }
    return false;
}

static void unknown_function(sg_converter *c, const sg_ast *callee, const char *name, uint32_t n)
{
    if (wrong_count(c, callee, name, n))
        return;
    const char *hint = sg_suggest_name(c->instance->vm, c->instance->module, name);
    sg_error(c->diags, SG_E_FUNCTION, callee->span, "function '%s' is not defined%s%s%s", name,
             hint ? "; did you mean '" : "", hint ? hint : "", hint ? "'?" : "");
}

static sg_sym value_name(sg_converter *c, sg_value value)
{
    sg_buf text;
    sg_buf_init(&text, c->instance->vm->allocator);
    sg_show_value(c->instance->vm, sg_runtime_of(c->instance->vm)->units, value, &text);
    sg_sym sym = sg_sym_intern(c->symbols, sg_buf_text(&text), text.len);
    sg_buf_free(&text);
    return sym;
}

// clamp(x, low, high) as min(max(x, low), high), which has a derivative.
static sg_expr_id convert_clamp(sg_converter *c, const sg_ast *ast)
{
    const sg_expr_id *args = convert_all(c, ast, 1);
    if (!args)
        return none;
    sg_expr_id inner[2] = {sg_expr_make(c->exprs, SG_X_MAX, args, 2), args[2]};
    return sg_expr_make(c->exprs, SG_X_MIN, inner, 2);
}

static sg_expr_id convert_call(sg_converter *c, const sg_ast *ast)
{
    const sg_ast *callee = ast->kids[0];
    uint32_t n = ast->n - 1;
    if (callee->kind == SG_AST_VALUE) // put in by the code of a predefined component
        return call_function(c, callee->value, value_name(c, callee->value), ast, 1);
    if (callee->kind != SG_AST_NAME && callee->kind != SG_AST_FIELD)
        return sg_convert_by_function(c, ast);
    bool simple = callee->kind == SG_AST_NAME;
    const char *name = simple ? text_of(c, callee->sym) : "";
    if (simple && strcmp(name, "der") == 0)
        return convert_der(c, ast);
    if (simple && strcmp(name, "noEvent") == 0 && !defined_by_script(c, callee->sym))
        return sg_convert_no_event(c, ast);
    if (simple && strcmp(name, "delay") == 0 && !defined_by_script(c, callee->sym))
        return sg_convert_delay(c, ast);
    if (sg_convert_is_check(c, ast) && !defined_by_script(c, callee->sym)) {
        sg_error(c->diags, SG_E_EQUATION, ast->span,
                 "%s has no value; write it as a line of its own among the equations", name);
        return none;
    }
    bool dotted = ast->flags & SG_AST_DOTTED;
    if (simple && plain_arguments(ast) &&
        (strcmp(name, "implicitDependency") == 0 || // scripts define one that does nothing
         !((ast->flags & SG_AST_INFIX) == 0 && defined_by_script(c, callee->sym)))) {
        sg_expr_op op = sg_convert_operator(name, n);
        if (sg_convert_compares_text(c, ast, op))
            return sg_convert_by_function(c, ast);
        if (op != SG_X_NULL) {
            const sg_expr_id *args = convert_all(c, ast, 1);
            if (!args || !sg_convert_check_arguments(c, ast, op, args))
                return none;
            return dotted ? sg_expr_make_dot(c->exprs, op, args, n)
                          : sg_expr_make(c->exprs, op, args, n);
        }
        if (strcmp(name, "clamp") == 0 && n == 3 && !dotted)
            return convert_clamp(c, ast);
        if ((strcmp(name, "vcat") == 0 || strcmp(name, "hcat") == 0) && n > 0 && !dotted) {
            const sg_expr_id *args = convert_all(c, ast, 1);
            return args ? sg_expr_make(c->exprs, name[0] == 'v' ? SG_X_VCAT : SG_X_HCAT, args, n)
                        : none;
        }
    }
    if (dotted || !plain_arguments(ast))
        return sg_convert_by_function(c, ast);
    sg_value function;
    sg_sym full;
    sg_buf text;
    sg_buf_init(&text, c->instance->vm->allocator);
    sg_convert_reference(c->instance, callee, &text);
    full = sg_sym_intern(c->symbols, sg_buf_text(&text), text.len);
    sg_buf_free(&text);
    if (simple) {
        function = sg_module_get(c->instance->module, callee->sym);
        if (function.tag == SG_UNDEF) { // a callable parameter, such as a table
            sg_sym own = sg_model_join(c->instance, c->scope->path, name);
            if (!sg_instance_value(c->instance, own, &function)) {
                unknown_function(c, callee, name, n);
                return none;
            }
        }
    } else if (sg_script_eval(sg_runtime_of(c->instance->vm), c->instance->module, callee,
                              &function) != SG_OK) {
        return none;
    }
    return call_function(c, function, full, ast, 1);
}

// ---- the rest of the tree -------------------------------------------------------------------

static sg_expr_id convert_array(sg_converter *c, const sg_ast *ast, sg_expr_op op)
{
    const sg_expr_id *args = convert_all(c, ast, 0);
    return args ? sg_expr_make(c->exprs, op, args, ast->n) : none;
}

static sg_expr_id convert_index(sg_converter *c, const sg_ast *ast)
{
    if (ast->n < 2 || ast->n > 3)
        return sg_convert_by_function(c, ast);
    sg_expr_id args[3];
    args[0] = sg_convert_node(c, ast->kids[0]);
    if (!args[0].i)
        return none;
    sg_converter outer = *c;
    c->indexed = args[0];
    bool ok = true;
    for (uint32_t i = 1; i < ast->n && ok; i++) {
        const sg_ast *kid = ast->kids[i];
        c->dimension = ast->n == 2 ? 0 : i;
        args[i] = kid->kind == SG_AST_COLON ? sg_expr_raw(c->exprs, SG_X_COLON, false, 0, NULL, 0)
                                            : sg_convert_node(c, kid);
        ok = args[i].i != 0;
    }
    c->indexed = outer.indexed;
    c->dimension = outer.dimension;
    if (!ok)
        return none;
    return sg_expr_make(c->exprs, SG_X_INDEX, args, ast->n);
}

static sg_expr_id convert_if(sg_converter *c, const sg_ast *ast)
{
    if (ast->n < 3 || ast->kids[2]->kind == SG_AST_NONE) {
        sg_error(c->diags, SG_E_EQUATION, ast->span,
                 "an if inside an equation needs an else: it must have a value in every case");
        return none;
    }
    sg_expr_id condition = sg_convert_node(c, ast->kids[0]);
    sg_expr_id yes = sg_convert_node(c, ast->kids[1]), no = sg_convert_node(c, ast->kids[2]);
    if (!condition.i || !yes.i || !no.i)
        return none;
    return sg_expr_if(c->exprs, condition, yes, no);
}

static sg_expr_id convert_chain(sg_converter *c, const sg_ast *ast)
{
    sg_expr_id all = none;
    for (uint32_t i = 0; i + 2 < ast->n; i += 2) {
        sg_expr_op op = sg_convert_operator(text_of(c, ast->kids[i + 1]->sym), 2);
        sg_expr_id a = sg_convert_node(c, ast->kids[i]), b = sg_convert_node(c, ast->kids[i + 2]);
        if (op == SG_X_NULL || !a.i || !b.i)
            return none;
        sg_expr_id one = sg_expr_binary(c->exprs, op, a, b);
        all = all.i ? sg_expr_binary(c->exprs, SG_X_AND, all, one) : one;
    }
    return all;
}

static sg_expr_id convert_kind(sg_converter *c, const sg_ast *ast)
{
    switch ((int)ast->kind) {
    case SG_AST_INT:
        return sg_expr_int(c->exprs, (double)ast->i);
    case SG_AST_FLOAT:
    case SG_AST_FLOAT32:
        return sg_expr_num(c->exprs, ast->d);
    case SG_AST_BOOL:
        return sg_expr_bool(c->exprs, ast->i != 0);
    case SG_AST_VALUE:
        return sg_convert_value(c->instance, ast->value, ast->span);
    case SG_AST_STRING: {
        sg_string *text = sg_string_make(c->instance->vm, ast->text.bytes, ast->text.len);
        return text ? sg_convert_value(c->instance, sg_object(text), ast->span) : none;
    }
    case SG_AST_STRMACRO:
        return convert_unit(c, ast);
    case SG_AST_NAME:
    case SG_AST_FIELD:
        return convert_reference(c, ast);
    case SG_AST_CALL:
        // A number with an offset unit, 20u"°C", is a quantity and not a product.
        if ((ast->flags & SG_AST_JUXT) && ast->n == 3 && ast->kids[2]->kind == SG_AST_STRMACRO &&
            (ast->kids[1]->kind == SG_AST_INT || ast->kids[1]->kind == SG_AST_FLOAT))
            return convert_unit(c, ast);
        return convert_call(c, ast);
    case SG_AST_INDEX:
        return convert_index(c, ast);
    case SG_AST_END:
        if (c->indexed.i)
            return sg_expr_end(c->exprs, c->indexed, c->dimension);
        sg_error(c->diags, SG_E_SYNTAX, ast->span, "'end' has a value inside of an index only");
        return none;
    case SG_AST_ADJOINT:
        return convert_array(c, ast, SG_X_TRANSPOSE);
    case SG_AST_VECT:
        return convert_array(c, ast, SG_X_VECT);
    case SG_AST_VCAT:
        return convert_array(c, ast, SG_X_VCAT);
    case SG_AST_HCAT:
    case SG_AST_ROW:
        return ast->n == 1 ? sg_convert_node(c, ast->kids[0]) : convert_array(c, ast, SG_X_HCAT);
    case SG_AST_RANGE:
        return convert_array(c, ast, SG_X_RANGE);
    case SG_AST_IF:
        return convert_if(c, ast);
    case SG_AST_AND:
        return convert_array(c, ast, SG_X_AND);
    case SG_AST_OR:
        return convert_array(c, ast, SG_X_OR);
    case SG_AST_COMPARE:
        return convert_chain(c, ast);
    case SG_AST_BLOCK:
        if (ast->n == 1)
            return sg_convert_node(c, ast->kids[0]);
        sg_error(c->diags, SG_E_EQUATION, ast->span,
                 "a branch inside an equation is exactly one expression");
        return none;
    case SG_AST_ASSIGN:
        sg_error(c->diags, SG_E_EQUATION, ast->span,
                 "an equation inside an expression; write == to compare");
        return none;
    default:
        return sg_convert_by_function(c, ast);
    }
}

sg_expr_id sg_convert_node(sg_converter *c, const sg_ast *ast)
{
    if (c->depth >= MAX_DEPTH) {
        sg_error(c->diags, SG_E_NESTING, ast->span, "this expression is nested too deeply");
        return none;
    }
    sg_arena_mark mark = sg_arena_mark_get(&c->instance->scratch);
    c->depth++;
    sg_expr_id e = convert_kind(c, ast);
    c->depth--;
    sg_arena_release(&c->instance->scratch, mark);
    // A call stands for its one value inside an expression.
    if (e.i && sg_expr_op_of(c->exprs, e) == SG_X_CALL && c->depth > 0)
        e = sg_expr_result(c->exprs, e, 0);
    return e;
}

static sg_converter begin(sg_instance *instance, const sg_scope *scope)
{
    return (sg_converter){instance,
                          &instance->flat.exprs,
                          instance->vm->symbols,
                          instance->vm->diags,
                          scope,
                          1,
                          1,
                          none,
                          0};
}

sg_expr_id sg_convert_expr(sg_instance *instance, const sg_ast *ast, const sg_scope *scope)
{
    sg_converter c = begin(instance, scope);
    return sg_convert_node(&c, ast);
}

// ---- equations ------------------------------------------------------------------------------

// Inside of implicitDependency the call stands for all of its results, too.
static sg_expr_id whole_call(sg_converter *c, sg_expr_id e)
{
    uint32_t n = sg_expr_n_args(c->exprs, e);
    if (sg_expr_op_of(c->exprs, e) != SG_X_IMPLICIT)
        return e;
    sg_expr_id *args = room_for(c, n);
    if (!args)
        return none;
    for (uint32_t k = 0; k < n; k++)
        args[k] = sg_expr_arg(c->exprs, e, k);
    if (sg_expr_op_of(c->exprs, args[0]) != SG_X_RESULT)
        return e;
    args[0] = sg_expr_arg(c->exprs, args[0], 0);
    return sg_expr_raw(c->exprs, SG_X_IMPLICIT, false, 0, args, n);
}

// (a, b) = f(..) or (0, 0) = f(..).
static bool convert_tuple_equation(sg_converter *c, const sg_ast *ast)
{
    const sg_ast *left = ast->kids[0];
    const sg_expr_id *results = convert_all(c, left, 0);
    if (!results)
        return false;
    for (uint32_t i = 0; i < left->n; i++)
        if (!sg_expr_var_of(c->exprs, results[i]).i && !sg_expr_is_zero(c->exprs, results[i])) {
            sg_error(c->diags, SG_E_EQUATION, left->kids[i]->span,
                     "the left side of an equation with several results holds variables, or zeros "
                     "for residuals");
            return false;
        }
    c->depth = 0; // keep the call as a call
    c->n_results = left->n;
    sg_expr_id call = sg_convert_node(c, ast->kids[1]);
    if (!call.i)
        return false;
    call = whole_call(c, call);
    if (!call.i)
        return false;
    sg_expr_op op = sg_expr_op_of(c->exprs, call);
    if (op != SG_X_CALL && op != SG_X_IMPLICIT) {
        sg_error(c->diags, SG_E_EQUATION, ast->kids[1]->span,
                 "an equation with several results needs a function call on the right side");
        return false;
    }
    sg_flat_eq_add_multi(&c->instance->flat, results, left->n, call,
                         sg_model_place(c->instance, c->scope->component, ast->span),
                         c->scope->component);
    sg_written written = {ast, {0}, *c->scope};
    return SG_PUSH(c->instance->vm->allocator, &c->instance->written, written);
}

static bool convert_equation(sg_converter *c, const sg_ast *ast, sg_eq_origin origin)
{
    if (sg_convert_is_check(c, ast))
        return sg_convert_check(c, ast);
    if (ast->kind != SG_AST_ASSIGN)
        return sg_convert_refuse_line(c, ast);
    if (sg_convert_keeps_itself(c, ast))
        return false;
    if (ast->kids[0]->kind == SG_AST_TUPLE && origin == SG_EQ_INITIAL) {
        sg_error(c->diags, SG_E_INITIAL_EQUATION, ast->span,
                 "an initial equation has one left side; give the results of the function names in "
                 "the equations of the model");
        return false;
    }
    if (ast->kids[0]->kind == SG_AST_TUPLE)
        return convert_tuple_equation(c, ast);
    sg_expr_id l = sg_convert_node(c, ast->kids[0]), r = sg_convert_node(c, ast->kids[1]);
    if (!l.i || !r.i)
        return false;
    if (sg_expr_equal(l, r)) {
        sg_error(c->diags, SG_E_EQUATION, ast->span,
                 "both sides of this equation are the same: it says nothing");
        return false;
    }
    // Of a library, it is the component of the user that can be wrong.
    sg_span span = sg_model_place(c->instance, c->scope->component, ast->span);
    if (origin == SG_EQ_INITIAL)
        sg_flat_initial_add(&c->instance->flat, l, r, span, c->scope->component);
    else
        sg_flat_eq_add(&c->instance->flat, l, r, span, c->scope->component, origin);
    sg_written written = {ast, {0}, *c->scope};
    return SG_PUSH(c->instance->vm->allocator, &c->instance->written, written);
}

bool sg_convert_equation(sg_instance *instance, const sg_ast *ast, const sg_scope *scope,
                         sg_eq_origin origin)
{
    sg_converter c = begin(instance, scope);
    sg_arena_mark mark = sg_arena_mark_get(&instance->scratch);
    bool ok = convert_equation(&c, ast, origin);
    sg_arena_release(&instance->scratch, mark);
    return ok;
}
