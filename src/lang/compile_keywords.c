// Keyword arguments of a call: each once, and not too many for a function.
//
// A generated model may be one call with more keywords than a function has room for. Such a list is
// cut into pieces, each a small function of its own: f(; (() -> (a = 1, ...))()..., ...).
#include "lang/compile_internal.h"
#include "lang/runtime.h"

#include <string.h>

enum { KEYWORDS_OF_A_PIECE = 500, MANY_KEYWORDS = 2000 };

static sg_ast *piece_node(sg_fn *fn, sg_ast_kind kind, sg_ast *const *kids, uint32_t n,
                          uint16_t height, sg_span span)
{
    sg_arena *arena = &sg_runtime_of(fn->vm)->trees;
    sg_ast *made = SG_NEW(arena, sg_ast);
    sg_ast **copy = SG_NEW_ARRAY(arena, sg_ast *, n + 1);
    if (!made || !copy)
        return NULL;
    if (n)
        memcpy(copy, kids, n * sizeof *kids);
    *made = (sg_ast){.kind = (uint8_t)kind, .height = height, .n = n, .span = span, .kids = copy};
    return made;
}

static bool has_many_keywords(const sg_ast *call)
{
    bool only = call->n > MANY_KEYWORDS;
    for (uint32_t i = 1; only && i < call->n; i++)
        only = call->kids[i]->kind == SG_AST_KW;
    return only;
}

const sg_ast *sg_keywords_in_pieces(sg_fn *fn, const sg_ast *call)
{
    if (!has_many_keywords(call))
        return NULL;
    uint32_t n = (call->n - 1 + KEYWORDS_OF_A_PIECE - 1) / KEYWORDS_OF_A_PIECE;
    uint16_t height = call->height;
    sg_ast **pieces = SG_NEW_ARRAY(&sg_runtime_of(fn->vm)->trees, sg_ast *, n + 1);
    for (uint32_t i = 0; pieces && i < n; i++) {
        uint32_t from = 1 + i * KEYWORDS_OF_A_PIECE, left = call->n - from;
        sg_span span = call->kids[from]->span;
        sg_ast *tuple =
            piece_node(fn, SG_AST_TUPLE, call->kids + from,
                       left < KEYWORDS_OF_A_PIECE ? left : KEYWORDS_OF_A_PIECE, height, span);
        sg_ast *lambda[2] = {piece_node(fn, SG_AST_TUPLE, NULL, 0, 1, span), tuple};
        sg_ast *function = piece_node(fn, SG_AST_LAMBDA, lambda, 2, height, span);
        sg_ast *values = piece_node(fn, SG_AST_CALL, &function, 1, height, span);
        pieces[i] = piece_node(fn, SG_AST_SPLAT, &values, 1, height, span);
        if (!lambda[0] || !tuple || !function || !values || !pieces[i])
            return NULL;
    }
    sg_ast *kids[2] = {call->kids[0],
                       pieces ? piece_node(fn, SG_AST_PARAMETERS, pieces, n, height, call->span)
                              : NULL};
    return kids[1] ? piece_node(fn, SG_AST_CALL, kids, 2, height, call->span) : NULL;
}

// The first keyword of a name that stands again.
static const sg_ast *find_first(const sg_ast *list, sg_sym name)
{
    for (uint32_t i = 0; i < list->n; i++) {
        const sg_ast *kid = list->kids[i];
        if (kid->kind == SG_AST_KW && sg_sym_equal(kid->sym, name))
            return kid;
        const sg_ast *inner = kid->kind == SG_AST_PARAMETERS ? find_first(kid, name) : NULL;
        if (inner)
            return inner;
    }
    return NULL;
}

static void check_list(sg_fn *fn, const sg_ast *call, const sg_ast *list, sg_map *seen)
{
    for (uint32_t i = 0; i < list->n && !fn->failed; i++) {
        const sg_ast *kid = list->kids[i];
        if (kid->kind == SG_AST_PARAMETERS)
            check_list(fn, call, kid, seen);
        if (kid->kind != SG_AST_KW)
            continue;
        if (sg_map_get(seen, kid->sym.i)) {
            const char *name = sg_vm_text(fn->vm, kid->sym);
            sg_fn_error(fn, SG_E_TWICE, kid->span, "'%s' is given twice in one call", name);
            sg_note(fn->vm->diags, find_first(call, kid->sym)->span, "first given here");
        } else if (!sg_map_put(seen, kid->sym.i, 1)) {
            sg_fn_error(fn, SG_E_MEMORY, kid->span, "out of memory while compiling");
        }
    }
}

void sg_check_keywords(sg_fn *fn, const sg_ast *call)
{
    uint32_t n = 0;
    for (uint32_t i = 1; i < call->n; i++)
        n += call->kids[i]->kind == SG_AST_KW           ? 1
             : call->kids[i]->kind == SG_AST_PARAMETERS ? call->kids[i]->n
                                                        : 0;
    if (n < 2)
        return;
    sg_map seen;
    sg_map_init(&seen, fn->vm->allocator);
    check_list(fn, call, call, &seen);
    sg_map_free(&seen);
}
