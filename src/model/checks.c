// Lines of equations that are no equations, `assert` and `terminate`, and the functions `noEvent`
// and `delay`: extensions of the language.
//
// assert(condition, "message") and terminate(condition, "message") become an equation for a Boolean
// of their own, assert1, terminate1 and so on, whose value is the condition. So they go the way of
// all equations: the condition is an event, and what it depends on is computed. delay(expression,
// time) remembers variables only; any other expression gets one, delayed1 and so on.
#include "base/assert.h"
#include "model/convert_internal.h"
#include "symbolic/walk.h"
#include "vm/vm.h"

#include <stdio.h>
#include <string.h>

static sg_expr_op check_op(const sg_converter *c, const sg_ast *ast)
{
    const char *name = ast->kind == SG_AST_CALL && ast->kids[0]->kind == SG_AST_NAME
                           ? sg_vm_text(c->instance->vm, ast->kids[0]->sym)
                           : "";
    return strcmp(name, "assert") == 0      ? SG_X_ASSERT
           : strcmp(name, "terminate") == 0 ? SG_X_TERMINATE
                                            : SG_X_NULL;
}

bool sg_convert_is_check(const sg_converter *c, const sg_ast *ast)
{
    return check_op(c, ast) != SG_X_NULL;
}

// assert1, assert2, ...: the first name that is free.
static sg_sym free_name(const sg_converter *c, const char *base)
{
    char text[32];
    for (int k = 1;; k++) {
        snprintf(text, sizeof text, "%s%d", base, k);
        sg_sym name = sg_model_join(c->instance, c->scope->path, text);
        const sg_flat *flat = &c->instance->flat;
        if (!name.i || (!sg_flat_var_find(flat, name).i && !sg_flat_par_find(flat, name).i))
            return name;
    }
}

bool sg_convert_check(sg_converter *c, const sg_ast *ast)
{
    sg_instance *instance = c->instance;
    sg_expr_op op = check_op(c, ast);
    const char *name = op == SG_X_ASSERT ? "assert" : "terminate";
    if (ast->n != 3 || ast->kids[2]->kind != SG_AST_STRING) {
        sg_error(c->diags, SG_E_EQUATION, ast->span,
                 "%s takes a condition and a text: %s(x < limit, \"x is beyond its limit\")", name,
                 name);
        return false;
    }
    sg_expr_id condition = sg_convert_node(c, ast->kids[1]);
    const sg_ast *text = ast->kids[2];
    sg_sym message = sg_sym_intern(c->symbols, text->text.bytes, text->text.len);
    uint32_t index = sg_flat_const_add(&instance->flat, message, NULL);
    sg_sym own = free_name(c, name);
    if (!condition.i || !index || !own.i)
        return false;
    sg_expr_id left = sg_expr_var(c->exprs, sg_flat_var_add(&instance->flat, own, ast->span));
    sg_expr_id right = sg_expr_raw(c->exprs, op, false, index, &condition, 1);
    sg_flat_eq_add(&instance->flat, left, right,
                   sg_model_place(instance, c->scope->component, ast->span), c->scope->component,
                   SG_EQ_WRITTEN);
    sg_written written = {ast, {0}, *c->scope};
    return SG_PUSH(instance->vm->allocator, &instance->written, written);
}

static bool may_be_event(sg_expr_op op)
{
    return op == SG_X_LT || op == SG_X_LE || op == SG_X_GT || op == SG_X_GE || sg_expr_op_jumps(op);
}

// Marks what would be an event; functions of the script are put in place, so that it reaches what
// they compare.
static sg_expr_id mark_plain(void *context, sg_exprs *exprs, sg_expr_id e)
{
    const sg_flat *flat = context;
    sg_expr_node node = *sg_expr_get(exprs, e);
    if (may_be_event((sg_expr_op)node.op) && node.n_args <= 2) {
        sg_expr_id args[2];
        for (uint32_t k = 0; k < node.n_args; k++)
            args[k] = sg_expr_arg(exprs, e, k);
        return sg_expr_raw(exprs, (sg_expr_op)node.op, node.dot, SG_EXPR_NO_EVENT, args,
                           node.n_args);
    }
    if (node.op != SG_X_RESULT)
        return e;
    sg_expr_id call = sg_expr_arg(exprs, e, 0), args[256];
    uint32_t n = sg_expr_n_args(exprs, call);
    const sg_func_body *body = flat->funcs.data[sg_expr_get(exprs, call)->index].body;
    if (!body || body->n_params != n || n > SG_COUNT(args) || node.index >= body->n_results)
        return e;
    for (uint32_t k = 0; k < n; k++)
        args[k] = sg_expr_arg(exprs, call, k);
    return sg_expr_rewrite(exprs, sg_func_apply(exprs, body, args, node.index), mark_plain,
                           context);
}

sg_expr_id sg_convert_no_event(sg_converter *c, const sg_ast *ast)
{
    if (ast->n != 2) {
        sg_error(c->diags, SG_E_FUNCTION, ast->span, "noEvent takes one expression");
        return (sg_expr_id){0};
    }
    sg_expr_id e = sg_convert_node(c, ast->kids[1]);
    return e.i ? sg_expr_rewrite(c->exprs, e, mark_plain, &c->instance->flat) : e;
}

static bool contains_op(sg_exprs *exprs, sg_expr_id e, const sg_expr_op *ops, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (sg_expr_contains_op(exprs, e, ops[k]))
            return true;
    return false;
}

// The variable whose past is kept.
static sg_expr_id delayed_variable(sg_converter *c, const sg_ast *ast)
{
    sg_flat *flat = &c->instance->flat;
    sg_expr_id e = sg_convert_node(c, ast);
    if (!e.i || sg_expr_var_of(c->exprs, e).i)
        return e;
    sg_sym own = free_name(c, "delayed");
    if (!own.i)
        return (sg_expr_id){0};
    sg_expr_id left = sg_expr_var(c->exprs, sg_flat_var_add(flat, own, ast->span));
    sg_flat_eq_add(flat, left, e, sg_model_place(c->instance, c->scope->component, ast->span),
                   c->scope->component, SG_EQ_WRITTEN);
    return left;
}

sg_expr_id sg_convert_delay(sg_converter *c, const sg_ast *ast)
{
    static const sg_expr_op changing[] = {SG_X_VAR, SG_X_TIME};
    const sg_expr_id none = {0};
    if (ast->n != 3 || (ast->flags & SG_AST_DOTTED)) {
        sg_error(c->diags, SG_E_DELAY, ast->span,
                 "delay takes an expression and a time, delay(x, 0.1), and nothing else%s",
                 ast->n == 4 ? "; a longest time is not needed, since the time cannot change" : "");
        return none;
    }
    sg_expr_id args[2] = {delayed_variable(c, ast->kids[1]), sg_convert_node(c, ast->kids[2])};
    if (!args[0].i || !args[1].i)
        return none;
    if (contains_op(c->exprs, args[1], changing, SG_COUNT(changing))) {
        sg_error(c->diags, SG_E_DELAY, ast->kids[2]->span,
                 "the time of a delay must not change during a run; use numbers and parameters");
        return none;
    }
    return sg_expr_raw(c->exprs, SG_X_DELAY, false, 0, args, 2);
}
