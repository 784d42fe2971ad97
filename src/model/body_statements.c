// Statements of functions that are read as expressions: branches, loops, assignments, returns
// (model/body.h).
#include "base/assert.h"
#include "lang/runtime.h"
#include "model/body_internal.h"
#include "model/literal.h"
#include "vm/vm.h"

#include <math.h>

static const sg_meaning nothing = {0};

bool sg_body_has_return(const sg_ast *ast)
{
    if (ast->kind == SG_AST_RETURN)
        return true;
    bool found = false;
    for (uint32_t i = 0; ast->kind != SG_AST_STRMACRO && i < ast->n && !found; i++)
        found = sg_body_has_return(ast->kids[i]);
    return found;
}

// Both branches from the same variables; afterwards each variable has the value of its branch.
sg_meaning sg_body_if(sg_body_reader *r, const sg_ast *ast)
{
    sg_meaning condition = sg_body_read(r, ast->kids[0]);
    bool else_given = ast->n > 2 && ast->kids[2]->kind != SG_AST_NONE;
    if (!condition.one.i || condition.returned)
        return sg_body_give_up(r, "%s", "of a condition in it");
    if (sg_expr_is_literal(r->exprs, condition.one)) {
        bool yes = !sg_expr_is_zero(r->exprs, condition.one);
        return yes          ? sg_body_read(r, ast->kids[1])
               : else_given ? sg_body_read(r, ast->kids[2])
                            : nothing;
    }
    sg_body_reader *other = SG_NEW(r->arena, sg_body_reader);
    if (!other)
        return nothing;
    bool before_in_branch = r->in_branch;
    r->in_branch = true;
    *other = *r;
    sg_meaning yes = sg_body_read(r, ast->kids[1]);
    sg_meaning no = else_given ? sg_body_read(other, ast->kids[2]) : nothing;
    r->in_branch = before_in_branch;
    if (r->common->why)
        return nothing;
    for (uint32_t i = 0; i < r->n_locals; i++) {
        const sg_body_name *there = sg_body_local(other, r->locals[i].name);
        sg_meaning before = there ? there->value : nothing;
        if (!sg_is_understood(before) || !sg_is_understood(r->locals[i].value))
            r->locals[i].value = nothing; // reading it is an error in some case
        else if (before.one.i != r->locals[i].value.one.i || before.items)
            r->locals[i].value = sg_body_choose(r, condition.one, r->locals[i].value, before);
    }
    sg_body_merge_writes(r, other, condition.one);
    // As a statement it may have no value, and nobody asks for it.
    return sg_is_understood(yes) && sg_is_understood(no) ? sg_body_choose(r, condition.one, yes, no)
                                                         : nothing;
}

static bool may_return(const sg_ast *ast)
{
    return (ast->kind == SG_AST_IF || ast->kind == SG_AST_AND || ast->kind == SG_AST_OR) &&
           sg_body_has_return(ast);
}

// A branch returns: what follows belongs to the other one. `c && return x` is a branch too, and
// `c || return x` one with the opposite condition.
static sg_meaning read_early_return(sg_body_reader *r, const sg_ast *ast, const sg_ast *const *rest,
                                    uint32_t n)
{
    sg_meaning condition = sg_body_read(r, ast->kids[0]);
    if (ast->kind == SG_AST_OR && condition.one.i)
        condition.one = sg_expr_unary(r->exprs, SG_X_NOT, condition.one);
    sg_body_reader *other = SG_NEW(r->arena, sg_body_reader);
    const sg_ast **list = SG_NEW_ARRAY(r->arena, const sg_ast *, n + 2);
    if (!condition.one.i || condition.returned || !other || !list)
        return sg_body_give_up(r, "%s", "of a condition in it");
    r->in_branch = true;
    *other = *r;
    memcpy(list + 1, rest, n * sizeof *rest);
    list[0] = ast->kids[1];
    sg_meaning yes = sg_body_statements(r, list, n + 1);
    list[0] = ast->n > 2 ? ast->kids[2] : NULL;
    bool else_given = list[0] && list[0]->kind != SG_AST_NONE;
    sg_meaning no =
        else_given ? sg_body_statements(other, list, n + 1) : sg_body_statements(other, rest, n);
    if (!sg_is_understood(yes) || !sg_is_understood(no))
        return sg_body_give_up(r, "%s", "one of its branches has no value");
    sg_meaning both = sg_body_choose(r, condition.one, yes, no);
    both.returned = true;
    return both;
}

sg_meaning sg_body_for(sg_body_reader *r, const sg_ast *ast)
{
    const sg_ast *iter = ast->kids[0], *range = iter->kids[1];
    double ends[3] = {0, 1, 0};
    const char *why = NULL;
    if (sg_body_loop(r, ast, &why))
        return nothing;
    if (ast->n != 2 || iter->kids[0]->kind != SG_AST_NAME || range->kind != SG_AST_RANGE ||
        sg_body_has_return(ast->kids[1]))
        return sg_body_give_up(r, "%s", "of a loop in it");
    for (uint32_t i = 0; i < range->n; i++) {
        sg_meaning m = sg_body_read(r, range->kids[i]);
        uint32_t at = range->n == 2 ? 2 * i : i;
        if (!m.one.i || !sg_expr_is_number(r->exprs, m.one, &ends[at]))
            return sg_body_give_up(r, "%s", why ? why : "the range of a loop in it is not literal");
    }
    double rounds = floor((ends[2] - ends[0]) / ends[1] + 1e-9);
    if (!(rounds < SG_BODY_LOOP) || ends[1] == 0.0)
        return sg_body_give_up(r, "%s", "a loop in it is too long");
    bool whole = ends[0] == floor(ends[0]) && ends[1] == floor(ends[1]);
    for (int k = 0; k <= (int)rounds && !r->common->why; k++) {
        double at = ends[0] + k * ends[1];
        if (!sg_body_assign(
                r, iter->kids[0]->sym,
                sg_meaning_of(whole ? sg_expr_int(r->exprs, at) : sg_expr_num(r->exprs, at))))
            return nothing;
        sg_body_read(r, ast->kids[1]);
    }
    return nothing;
}

static bool assign_target(sg_body_reader *r, const sg_ast *target, sg_meaning value)
{
    if (target->kind == SG_AST_TYPED && target->n == 2)
        target = target->kids[0];
    if (target->kind == SG_AST_NAME)
        return sg_body_assign(r, target->sym, value);
    if (target->kind == SG_AST_INDEX)
        return sg_body_write(r, target, value);
    if (target->kind != SG_AST_TUPLE) {
        sg_body_give_up(r, "%s", "it changes an array or a field");
        return false;
    }
    if (value.one.i) { // a vector is taken apart
        sg_meaning parts = {.items = SG_NEW_ARRAY(r->arena, sg_expr_id, target->n + 1),
                            .n = target->n};
        for (uint32_t k = 0; parts.items && k < target->n; k++)
            parts.items[k] =
                sg_expr_binary(r->exprs, SG_X_INDEX, value.one, sg_expr_int(r->exprs, k + 1.0));
        value = parts;
    }
    if (!value.items || value.n < target->n) {
        sg_body_give_up(r, "%s", "it takes apart what has too few values");
        return false;
    }
    for (uint32_t k = 0; k < target->n; k++)
        if (!assign_target(r, target->kids[k], sg_meaning_of(value.items[k])))
            return false;
    return true;
}

// An array that nothing else refers to; A' and +x are the array itself.
static bool makes_array(const sg_body_reader *r, const sg_ast *ast)
{
    if (ast->kind == SG_AST_COMPREHENSION || ast->kind == SG_AST_VECT || ast->kind == SG_AST_VCAT ||
        ast->kind == SG_AST_HCAT || ast->kind == SG_AST_ROW)
        return true;
    if (ast->kind != SG_AST_CALL || ast->kids[0]->kind != SG_AST_NAME)
        return false;
    const char *name = sg_body_name_text(r, ast->kids[0]->sym);
    sg_value function = sg_module_get(r->module, ast->kids[0]->sym);
    bool own = sg_is(function, SG_OBJ_FUNCTION) && ((sg_function *)function.o)->n_methods > 0;
    static const char *const makers[] = {"zeros", "ones", "fill", "copy", "similar",
                                         "vcat",  "hcat", "zero", "-",    "*"};
    for (size_t i = 0; !own && i < SG_COUNT(makers); i++)
        if (strcmp(name, makers[i]) == 0)
            return true;
    return !own && ast->n > 2 && sg_convert_operator(name, ast->n - 1) != SG_X_NULL;
}

sg_meaning sg_body_assignment(sg_body_reader *r, const sg_ast *ast)
{
    sg_meaning value = sg_body_read(r, ast->kids[1]);
    if (!sg_is_understood(value) || value.returned || (ast->flags & SG_AST_DOTTED))
        return sg_body_give_up(r, "%s", "of an assignment in it");
    if (ast->kind == SG_AST_OPASSIGN) {
        sg_meaning old = sg_body_read(r, ast->kids[0]);
        sg_expr_op op = sg_convert_operator(sg_body_name_text(r, ast->sym), 2);
        bool place = ast->kids[0]->kind == SG_AST_NAME || ast->kids[0]->kind == SG_AST_INDEX;
        if (!place || !old.one.i || !value.one.i || op == SG_X_NULL)
            return sg_body_give_up(r, "%s", "of an assignment in it");
        value = sg_meaning_of(sg_expr_binary(r->exprs, op, old.one, value.one));
    }
    if (!assign_target(r, ast->kids[0], value))
        return nothing;
    sg_body_name *made =
        ast->kids[0]->kind == SG_AST_NAME ? sg_body_local(r, ast->kids[0]->sym) : NULL;
    if (made && ast->kind == SG_AST_ASSIGN)
        made->shared = !makes_array(r, ast->kids[1]);
    return value;
}

sg_meaning sg_body_statements(sg_body_reader *r, const sg_ast *const *list, uint32_t n)
{
    sg_meaning last = nothing;
    for (uint32_t i = 0; i < n && !r->common->why; i++) {
        if (may_return(list[i]))
            return read_early_return(r, list[i], list + i + 1, n - i - 1);
        last = sg_body_read(r, list[i]);
        if (last.returned)
            return last;
    }
    return last;
}

sg_meaning sg_body_return(sg_body_reader *r, const sg_ast *ast)
{
    if (ast->n == 0 || ast->kids[0]->kind == SG_AST_NONE)
        return sg_body_give_up(r, "%s", "it returns nothing");
    sg_meaning m = sg_body_read(r, ast->kids[0]);
    m.returned = true;
    return m;
}
