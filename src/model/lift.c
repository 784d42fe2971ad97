#include "base/assert.h"
#include "lang/runtime.h"
#include "model/body.h"
#include "model/convert_internal.h"
#include "vm/vm.h"

#include <stdio.h>
#include <string.h>

// Collects the model variables of a tree and replaces them by arguments _1, _2, ... of a function.
typedef struct lifter {
    sg_converter *c;
    sg_arena *arena;
    const sg_ast *refs[256];
    sg_sym names[256]; // full text of each reference
    uint32_t n;
    sg_sym bound[64]; // loop variables and parameters of inner functions
    uint32_t n_bound;
    bool failed;
} lifter;

static sg_sym reference_text(lifter *l, const sg_ast *ast)
{
    sg_buf text;
    sg_buf_init(&text, l->c->instance->vm->allocator);
    sg_sym sym = {0};
    if (sg_convert_reference(l->c->instance, ast, &text))
        sym = sg_sym_intern(l->c->symbols, sg_buf_text(&text), text.len);
    sg_buf_free(&text);
    return sym;
}

static sg_sym root_name(const sg_ast *ast)
{
    while (ast->kind == SG_AST_FIELD)
        ast = ast->kids[0];
    return ast->kind == SG_AST_NAME ? ast->sym : (sg_sym){0};
}

static bool is_bound(const lifter *l, sg_sym name)
{
    for (uint32_t i = 0; i < l->n_bound; i++)
        if (sg_sym_equal(l->bound[i], name))
            return true;
    return false;
}

static sg_ast *lift_reference(lifter *l, const sg_ast *ast, sg_sym key)
{
    uint32_t at = 0;
    while (at < l->n && !sg_sym_equal(l->names[at], key))
        at++;
    if (at == l->n) {
        if (l->n == SG_COUNT(l->refs)) {
            l->failed = true;
            return NULL;
        }
        l->refs[l->n] = ast;
        l->names[l->n++] = key;
    }
    char name[16];
    snprintf(name, sizeof name, "_%u", at + 1);
    sg_ast *leaf = SG_NEW(l->arena, sg_ast);
    if (leaf)
        *leaf = (sg_ast){
            .kind = SG_AST_NAME, .span = ast->span, .sym = sg_sym_intern_text(l->c->symbols, name)};
    return leaf;
}

static bool is_derivative(const lifter *l, const sg_ast *ast)
{
    return ast->kind == SG_AST_CALL && ast->n == 2 && ast->kids[0]->kind == SG_AST_NAME &&
           strcmp(sg_sym_text(l->c->symbols, ast->kids[0]->sym), "der") == 0;
}

static sg_ast *lift_derivative(lifter *l, const sg_ast *ast)
{
    sg_symbols *symbols = l->c->symbols;
    sg_sym inner = reference_text(l, ast->kids[1]);
    char text[512];
    snprintf(text, sizeof text, "der(%s)", sg_sym_text(symbols, inner));
    return lift_reference(l, ast, sg_sym_intern_text(symbols, text));
}

static void bind_targets(lifter *l, const sg_ast *target)
{
    if (target->kind == SG_AST_NAME && l->n_bound < SG_COUNT(l->bound))
        l->bound[l->n_bound++] = target->sym;
    for (uint32_t i = 0; i < target->n; i++)
        bind_targets(l, target->kids[i]);
}

static bool is_operator(const lifter *l, const sg_ast *ast)
{
    bool named = ast->kind == SG_AST_CALL && ast->n > 0 && ast->kids[0]->kind == SG_AST_NAME;
    const char *name = named ? sg_sym_text(l->c->symbols, ast->kids[0]->sym) : "";
    return named && strlen(name) == 1 && strchr("+-*/^", name[0]);
}

// Arguments of the function are plain numbers, in SI units, so 18u"km/hr" beside them is 5.0. Null
// if it is no such number: it stays as it is.
static sg_ast *lift_quantity(lifter *l, const sg_ast *ast)
{
    double number;
    sg_expr_id e = sg_convert_node(l->c, ast);
    sg_ast *leaf = SG_NEW(l->arena, sg_ast);
    if (!leaf || !e.i || !sg_expr_is_number(l->c->exprs, e, &number))
        return NULL;
    *leaf = (sg_ast){.kind = SG_AST_FLOAT, .span = ast->span, .d = number};
    return leaf;
}

// A number with a unit behind it.
static bool is_quantity(const sg_ast *ast)
{
    return (ast->flags & SG_AST_JUXT) && ast->kind == SG_AST_CALL && ast->n == 3 &&
           ast->kids[2]->kind == SG_AST_STRMACRO &&
           (ast->kids[1]->kind == SG_AST_INT || ast->kids[1]->kind == SG_AST_FLOAT);
}

static sg_ast *lift(lifter *l, const sg_ast *ast)
{
    sg_ast *quantity = is_quantity(ast) ? lift_quantity(l, ast) : NULL;
    if (quantity)
        return quantity;
    if (ast->kind == SG_AST_NAME || ast->kind == SG_AST_FIELD) {
        sg_sym root = root_name(ast);
        if (root.i && !is_bound(l, root))
            return lift_reference(l, ast, reference_text(l, ast));
    }
    if (is_derivative(l, ast))
        return lift_derivative(l, ast);
    uint32_t bound_before = l->n_bound;
    if (ast->kind == SG_AST_GENERATOR || ast->kind == SG_AST_LAMBDA) {
        for (uint32_t i = 0; i < ast->n; i++)
            if (ast->kids[i]->kind == SG_AST_ITER)
                bind_targets(l, ast->kids[i]->kids[0]);
        if (ast->kind == SG_AST_LAMBDA)
            bind_targets(l, ast->kids[0]);
    }
    sg_ast *copy = SG_NEW(l->arena, sg_ast);
    sg_ast **kids = SG_NEW_ARRAY(l->arena, sg_ast *, ast->n + 1);
    if (!copy || !kids) {
        l->failed = true;
        return NULL;
    }
    *copy = *ast;
    if (ast->n) // the text of a unit stands in the same place
        copy->kids = kids;
    for (uint32_t i = 0; i < ast->n; i++) {
        // The callee, the name of a keyword and a bound target are no variables of the model.
        bool keep = (ast->kind == SG_AST_CALL && i == 0) || (ast->kind == SG_AST_ITER && i == 0) ||
                    (ast->kind == SG_AST_LAMBDA && i == 0) || ast->kind == SG_AST_CURLY;
        bool unit = i > 0 && ast->kids[i]->kind == SG_AST_STRMACRO && is_operator(l, ast);
        sg_ast *number = unit ? lift_quantity(l, ast->kids[i]) : NULL;
        kids[i] = number ? number : keep ? ast->kids[i] : lift(l, ast->kids[i]);
        if (!kids[i])
            return NULL;
    }
    l->n_bound = bound_before;
    return copy;
}

// The function as an expression of its arguments, if it can be written as one.
static void give_body(sg_converter *c, const lifter *l, sg_func_id func, const sg_ast *tree,
                      const sg_expr_id *args)
{
    sg_sym params[SG_COUNT(l->refs)];
    sg_flat *flat = &c->instance->flat;
    const char *why;
    for (uint32_t i = 0; i < l->n; i++) {
        char name[16];
        snprintf(name, sizeof name, "_%u", i + 1);
        params[i] = sg_sym_intern_text(c->symbols, name);
    }
    const sg_func_body *body = sg_model_body_of_tree(c->instance, tree, params, l->n, &why);
    if (body && !sg_model_body_fits(c->instance, body, args)) {
        body = NULL;
        why = "a size or an index in it depends on a variable";
    }
    flat->funcs.data[func.i].body = body;
    flat->funcs.data[func.i].why_no_body = why;
}

sg_expr_id sg_convert_by_function(sg_converter *c, const sg_ast *ast)
{
    sg_vm *vm = c->instance->vm;
    lifter *l = SG_NEW(&c->instance->flat.arena, lifter);
    if (!l)
        return (sg_expr_id){0};
    l->c = c;
    l->arena = &c->instance->flat.arena; // the tree lives as long as the function may run
    sg_ast *body = lift(l, ast);
    sg_ast *lambda = SG_NEW(l->arena, sg_ast), *params = SG_NEW(l->arena, sg_ast);
    if (!body || !lambda || !params || l->failed) {
        sg_error(c->diags, SG_E_EQUATION, ast->span, "this expression is too large");
        return (sg_expr_id){0};
    }
    *params = (sg_ast){.kind = SG_AST_TUPLE, .n = l->n, .span = ast->span};
    params->kids = SG_NEW_ARRAY(l->arena, sg_ast *, l->n + 1);
    *lambda = (sg_ast){.kind = SG_AST_LAMBDA, .n = 2, .span = ast->span};
    lambda->kids = SG_NEW_ARRAY(l->arena, sg_ast *, 2);
    sg_expr_id args[SG_COUNT(l->refs)];
    if (!params->kids || !lambda->kids)
        return (sg_expr_id){0};
    for (uint32_t i = 0; i < l->n; i++) {
        char name[16];
        snprintf(name, sizeof name, "_%u", i + 1);
        sg_ast *leaf = SG_NEW(l->arena, sg_ast);
        if (!leaf)
            return (sg_expr_id){0};
        *leaf = (sg_ast){.kind = SG_AST_NAME,
                         .span = l->refs[i]->span,
                         .sym = sg_sym_intern_text(c->symbols, name)};
        params->kids[i] = leaf;
        args[i] = sg_convert_node(c, l->refs[i]);
        if (!args[i].i)
            return (sg_expr_id){0};
    }
    lambda->kids[0] = params;
    lambda->kids[1] = body;
    sg_value function;
    if (sg_script_eval(sg_runtime_of(vm), c->instance->module, lambda, &function) != SG_OK)
        return (sg_expr_id){0};
    sg_buf text;
    sg_buf_init(&text, vm->allocator);
    sg_ast_print(c->symbols, ast, &text);
    sg_sym name = sg_sym_intern(c->symbols, sg_buf_text(&text), text.len);
    sg_buf_free(&text);
    uint32_t handle = sg_instance_handle(c->instance, function);
    sg_func_id func = sg_flat_func_add(&c->instance->flat, name, (void *)(uintptr_t)(handle + 1));
    if (!func.i)
        return (sg_expr_id){0};
    give_body(c, l, func, body, args);
    return sg_expr_result(c->exprs, sg_expr_call(c->exprs, func, args, l->n), 0);
}
