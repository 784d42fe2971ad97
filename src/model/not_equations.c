// Lines of an equation list that are no equations: what was most likely meant.
#include "model/convert_internal.h"
#include "syntax/ast.h"
#include "syntax/foreign.h"
#include "vm/vm.h"

#include <string.h>

static bool is_call_of(const sg_converter *c, const sg_ast *ast, const char *name)
{
    return ast->kind == SG_AST_CALL && ast->n == 3 && ast->kids[0]->kind == SG_AST_NAME &&
           strcmp(sg_sym_text(c->symbols, ast->kids[0]->sym), name) == 0;
}

bool sg_convert_refuse_line(sg_converter *c, const sg_ast *ast)
{
    bool compares = is_call_of(c, ast, "==");
    if (compares && c->instance->told_comparison)
        return false; // once is enough
    c->instance->told_comparison |= compares;
    if (compares)
        sg_error(c->diags, SG_E_EQUATION, ast->span,
                 "an equation is written with one '='; '==' compares");
    else if (ast->kind == SG_AST_FOR)
        sg_error(c->diags, SG_E_EQUATION, ast->span,
                 "a list of equations or connections holds no loop; insert the lines of a "
                 "comprehension: $([:(x[$i] = $i) for i in 1:n]...)");
    else
        sg_error(c->diags, SG_E_EQUATION, ast->span,
                 "this is not an equation; it needs a left and a right side with '=' between");
    return false;
}

bool sg_convert_refuse_row(sg_instance *instance, const sg_ast *row)
{
    bool calls = true; // assert(...), connect(...)
    for (uint32_t i = 0; i < row->n; i++) {
        int kind = row->kids[i]->kind;
        if (kind == SG_AST_ASSIGN || kind == SG_AST_TUPLE || kind == SG_AST_VALUE)
            return false;
        calls &= kind == SG_AST_CALL;
    }
    if (calls)
        return false;
    bool all;
    const sg_ast *first = row->kids[0];
    const char *name = first->kind == SG_AST_NAME ? sg_vm_text(instance->vm, first->sym) : "";
    const char *sentence = sg_foreign_opener(name, strlen(name), &all);
    sg_error(instance->vm->diags, SG_E_EQUATION, row->span, "%s",
             sentence ? sentence
                      : "this line holds no equation; one is written left side = right side");
    return true;
}

static bool is_same_name(const sg_ast *a, const sg_ast *b)
{
    while (b->kind == SG_AST_BLOCK && b->n == 1)
        b = b->kids[0];
    return sg_ast_equal(a, b);
}

// n = if e; n + 1 else n end: in one branch the equation says n = n.
bool sg_convert_keeps_itself(sg_converter *c, const sg_ast *ast)
{
    const sg_ast *left = ast->kids[0], *branch = ast->kids[1];
    if (left->kind != SG_AST_NAME && left->kind != SG_AST_FIELD)
        return false;
    while (branch->kind == SG_AST_IF && branch->n >= 2) {
        for (uint32_t i = 1; i < branch->n; i++)
            if (is_same_name(left, branch->kids[i])) {
                sg_buf name;
                sg_buf_init(&name, c->instance->vm->allocator);
                sg_ast_print(c->symbols, left, &name);
                sg_error(c->diags, SG_E_EQUATION, branch->kids[i]->span,
                         "here the equation says %s = %s; the value from before an event is "
                         "pre(%s)",
                         sg_buf_text(&name), sg_buf_text(&name), sg_buf_text(&name));
                sg_buf_free(&name);
                return true;
            }
        branch = branch->kids[branch->n - 1];
        while (branch->kind == SG_AST_BLOCK && branch->n == 1)
            branch = branch->kids[0];
    }
    return false;
}
