// Quoted expressions as values, and filling their holes.
#include "lang/runtime.h"

sg_value sg_quote_make(sg_vm *vm, const sg_ast *root)
{
    sg_quote *quote = sg_heap_new(vm, SG_OBJ_QUOTE, sizeof *quote);
    if (quote)
        quote->root = root;
    return sg_object(quote);
}

void sg_quote_mark(sg_vm *vm, sg_obj *o)
{
    const sg_quote *quote = (const sg_quote *)o;
    for (uint32_t i = 0; i < quote->n_values; i++)
        sg_mark_value(vm, quote->values[i]);
}

void sg_quote_free(sg_vm *vm, sg_obj *o)
{
    sg_quote *quote = (sg_quote *)o;
    if (quote->values)
        sg_heap_resize(vm, quote->values, quote->n_values * sizeof(sg_value), 0);
    if (quote->owned) {
        sg_arena_destroy(quote->owned);
        vm->allocator->resize(vm->allocator->context, quote->owned, sizeof(sg_arena), 0);
    }
}

// The node that stands for a value in a tree.
static sg_ast *splice(sg_arena *arena, sg_value value, sg_span span)
{
    if (sg_is(value, SG_OBJ_QUOTE))
        return sg_ast_copy(arena, ((sg_quote *)value.o)->root);
    sg_ast *node = SG_NEW(arena, sg_ast);
    if (!node)
        return NULL;
    node->span = span;
    node->height = 1;
    switch ((int)value.tag) {
    case SG_INT:
        node->kind = SG_AST_INT;
        node->i = value.i;
        break;
    case SG_FLOAT:
        node->kind = SG_AST_FLOAT;
        node->d = value.d;
        break;
    case SG_BOOL:
        node->kind = SG_AST_BOOL;
        node->i = value.b;
        break;
    case SG_SYMBOL: // a symbol is the name it names
        node->kind = SG_AST_NAME;
        node->sym = value.sym;
        break;
    default:
        if (sg_is(value, SG_OBJ_STRING)) {
            const sg_string *s = (const sg_string *)value.o;
            node->kind = SG_AST_STRING;
            node->text = (sg_text){sg_arena_text(arena, s->text, s->len), s->len};
            return node->text.bytes ? node : NULL;
        }
        node->kind = SG_AST_VALUE;
        node->value = value;
        break;
    }
    return node;
}

typedef struct filling {
    sg_arena *arena;
    const sg_value *values;
    uint32_t n, next;
    bool failed;
} filling;

static sg_ast *fill(filling *f, const sg_ast *ast)
{
    if (ast->kind == SG_AST_INTERPOLATE) {
        sg_ast *node = f->next < f->n ? splice(f->arena, f->values[f->next], ast->span) : NULL;
        f->next++;
        f->failed = f->failed || !node;
        return node;
    }
    sg_ast *copy = SG_NEW(f->arena, sg_ast);
    if (!copy) {
        f->failed = true;
        return NULL;
    }
    *copy = *ast;
    if (!ast->n)
        return copy;
    copy->kids = SG_NEW_ARRAY(f->arena, sg_ast *, ast->n);
    if (!copy->kids) {
        f->failed = true;
        return NULL;
    }
    uint16_t height = 0;
    for (uint32_t i = 0; i < ast->n && !f->failed; i++) {
        copy->kids[i] = fill(f, ast->kids[i]);
        if (!f->failed && copy->kids[i]->height > height)
            height = copy->kids[i]->height;
    }
    copy->height = (uint16_t)(height + 1);
    return copy;
}

sg_value sg_quote_value(sg_vm *vm, const sg_ast *ast)
{
    switch (ast->kind) {
    case SG_AST_NAME:
        return sg_symbol(ast->sym);
    case SG_AST_INT:
        return sg_int(ast->i);
    case SG_AST_FLOAT:
        return sg_float(ast->d);
    case SG_AST_BOOL:
        return sg_bool(ast->i != 0);
    case SG_AST_CHAR:
        return (sg_value){.tag = SG_CHAR, .i = ast->i};
    case SG_AST_STRING:
        return sg_object(sg_string_make(vm, ast->text.bytes, ast->text.len));
    case SG_AST_VALUE:
        return ast->value;
    default:
        return sg_quote_make(vm, ast);
    }
}

sg_status sg_quote_fill(sg_vm *vm, const sg_value *items, uint32_t n, sg_value *out)
{
    const sg_quote *form = (const sg_quote *)items[0].o;
    sg_arena *arena = vm->allocator->resize(vm->allocator->context, NULL, 0, sizeof *arena);
    if (!arena)
        return sg_raise_status(vm, SG_ERR_MEMORY, SG_E_MEMORY, (sg_span){0}, "out of memory");
    sg_arena_init(arena, vm->allocator);
    filling f = {.arena = arena, .values = items + 1, .n = n - 1};
    sg_ast *root = fill(&f, form->root);
    if (root && !f.failed && root->height > SG_AST_MAX_HEIGHT) {
        sg_arena_destroy(arena);
        vm->allocator->resize(vm->allocator->context, arena, sizeof *arena, 0);
        return sg_raise(vm, "ErrorException", SG_E_NESTING, (sg_span){0},
                        "a quoted expression is nested too deeply");
    }
    bool plain = root && !f.failed && root->n == 0 && root->kind != SG_AST_STRMACRO;
    if (plain) { // :($x) is the value itself
        *out = sg_quote_value(vm, root);
    } else {
        sg_quote *quote = f.failed ? NULL : sg_heap_new(vm, SG_OBJ_QUOTE, sizeof *quote);
        if (quote) {
            quote->root = root;
            quote->owned = arena;
            quote->values = sg_heap_resize(vm, NULL, 0, (n - 1) * sizeof(sg_value));
            if (quote->values) {
                quote->n_values = n - 1;
                for (uint32_t i = 1; i < n; i++)
                    quote->values[i - 1] = items[i];
                *out = sg_object(quote);
                return SG_OK;
            }
            return SG_ERR_MEMORY; // the quote still owns the arena
        }
    }
    sg_arena_destroy(arena);
    vm->allocator->resize(vm->allocator->context, arena, sizeof *arena, 0);
    if (!plain)
        return sg_raise_status(vm, SG_ERR_MEMORY, SG_E_MEMORY, (sg_span){0}, "out of memory");
    return SG_OK;
}
