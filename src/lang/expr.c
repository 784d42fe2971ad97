// Quoted expressions taken apart and put together: ex.head, ex.args, Expr(head, args...).
//
// The tree has more kinds than Julia's expressions have heads, so a table says which are the same.
// Kinds that are not in it keep their own name as head and cannot be built.
#include "lang/runtime.h"
#include "syntax/lexer.h"

#include <string.h>

static const struct {
    const char *head;
    sg_ast_kind kind;
    uint32_t least, most; // number of arguments
} heads[] = {{"call", SG_AST_CALL, 1, UINT32_MAX},
             {"=", SG_AST_ASSIGN, 2, 2},
             {"vect", SG_AST_VECT, 0, UINT32_MAX},
             {"tuple", SG_AST_TUPLE, 0, UINT32_MAX},
             {"ref", SG_AST_INDEX, 1, UINT32_MAX},
             {"hcat", SG_AST_HCAT, 1, UINT32_MAX},
             {"vcat", SG_AST_VCAT, 1, UINT32_MAX},
             {"row", SG_AST_ROW, 1, UINT32_MAX},
             {"curly", SG_AST_CURLY, 1, UINT32_MAX},
             {"if", SG_AST_IF, 2, 3},
             {"&&", SG_AST_AND, 2, 2},
             {"||", SG_AST_OR, 2, 2},
             {"comparison", SG_AST_COMPARE, 5, UINT32_MAX},
             {"block", SG_AST_BLOCK, 0, UINT32_MAX},
             {"...", SG_AST_SPLAT, 1, 1},
             {"'", SG_AST_ADJOINT, 1, 1},
             {"return", SG_AST_RETURN, 1, 1}};

const char *sg_quote_head(const sg_ast *ast)
{
    for (size_t i = 0; i < SG_COUNT(heads); i++)
        if (heads[i].kind == ast->kind)
            return heads[i].head;
    return ast->kind == SG_AST_RANGE   ? "call" // of the function ':'
           : ast->kind == SG_AST_FIELD ? "."
                                       : sg_ast_kind_name(ast->kind);
}

sg_array *sg_quote_args(sg_vm *vm, const sg_ast *ast)
{
    bool range = ast->kind == SG_AST_RANGE, field = ast->kind == SG_AST_FIELD;
    sg_array *list = sg_vector_make(vm, SG_ELEM_ANY, ast->n + range + field);
    if (!list)
        return NULL;
    for (uint32_t i = 0; i < ast->n; i++)
        list->v[i + range] = sg_quote_value(vm, ast->kids[i]);
    if (range)
        list->v[0] = sg_symbol(sg_vm_sym(vm, ":"));
    if (field)
        list->v[ast->n] = sg_symbol(ast->sym);
    return list;
}

static sg_status no_such(sg_vm *vm, const sg_args *args, const char *head)
{
    sg_buf known;
    sg_buf_init(&known, vm->allocator);
    for (size_t i = 0; i < SG_COUNT(heads); i++)
        sg_buf_printf(&known, "%s%s", i ? ", " : "", heads[i].head);
    sg_status status = SG_RAISE_ARGUMENT(
        vm, args, "an expression cannot be built from the head '%s' and %u arguments; heads are %s",
        head, args->n - 1, sg_buf_text(&known));
    sg_buf_free(&known);
    return status;
}

// What the parser would have noted besides: how a call is written, ranges, if as an expression.
static void finish(sg_vm *vm, sg_ast *ast, const sg_args *args)
{
    if (ast->kind == SG_AST_IF && ast->n == 3)
        ast->flags = SG_AST_TERNARY;
    if (ast->kind != SG_AST_CALL || args->v[1].tag != SG_SYMBOL)
        return;
    const char *name = sg_vm_text(vm, args->v[1].sym);
    if (strcmp(name, ":") == 0 && (ast->n == 3 || ast->n == 4)) {
        ast->kind = SG_AST_RANGE;
        ast->kids++;
        ast->n--;
    } else if (!sg_is_plain_name(name, strlen(name)) && ast->n > 1) {
        ast->flags = SG_AST_INFIX;
    }
}

static const sg_ast no_tree = {.kind = SG_AST_NONE, .height = 1};

// A form with as many holes as arguments is filled like any other quote.
static sg_status native_expr(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    (void)context;
    if (args->n < 1 || args->v[0].tag != SG_SYMBOL)
        return SG_RAISE_ARGUMENT(vm, args,
                                 "Expr needs a head and its arguments: Expr(:call, :+, 1, 2)");
    const char *head = sg_vm_text(vm, args->v[0].sym);
    size_t i = 0;
    while (i < SG_COUNT(heads) && strcmp(heads[i].head, head) != 0)
        i++;
    uint32_t n = args->n - 1;
    if (i == SG_COUNT(heads) || n < heads[i].least || n > heads[i].most)
        return no_such(vm, args, head);
    sg_arena scratch;
    sg_arena_init(&scratch, vm->allocator);
    sg_ast *form = SG_NEW(&scratch, sg_ast), *holes = SG_NEW_ARRAY(&scratch, sg_ast, n + 1);
    sg_ast **kids = SG_NEW_ARRAY(&scratch, sg_ast *, n + 1);
    sg_value *items = SG_NEW_ARRAY(&scratch, sg_value, n + 1);
    sg_status status = SG_ERR_MEMORY;
    if (!scratch.failed) {
        *form = (sg_ast){.kind = (uint8_t)heads[i].kind, .height = 2, .n = n, .kids = kids};
        for (uint32_t k = 0; k < n; k++) {
            holes[k] = (sg_ast){.kind = SG_AST_INTERPOLATE, .height = 1};
            kids[k] = &holes[k];
            items[k + 1] = args->v[k + 1];
        }
        finish(vm, form, args);
        items[0] = sg_quote_make(vm, form);
        uint32_t skipped = n - form->n; // the ':' of a range
        if (skipped)
            memmove(items + 1, items + 2, (n - 1) * sizeof *items);
        status = items[0].tag == SG_UNDEF ? SG_ERR_MEMORY
                                          : sg_quote_fill(vm, items, n + 1 - skipped, out);
        if (items[0].tag != SG_UNDEF) // the form was only borrowed
            ((sg_quote *)items[0].o)->root = &no_tree;
    }
    sg_arena_destroy(&scratch);
    if (status == SG_OK && sg_is(*out, SG_OBJ_QUOTE) &&
        !sg_ast_validate(((sg_quote *)out->o)->root))
        return no_such(vm, args, head);
    return status;
}

bool sg_register_expr(sg_vm *vm)
{
    static const sg_builtin list[] = {{"Expr", native_expr, NULL}};
    return sg_register_all(vm, list, SG_COUNT(list));
}
