// Quoted expressions as values, and filling their holes.
#include "lang/runtime.h"

sg_value sg_quote_make(sg_vm *vm, const sg_ast *root)
{
    sg_quote *quote = sg_heap_new(vm, SG_OBJ_QUOTE, sizeof *quote);
    if (quote)
        quote->root = root;
    return sg_object(quote);
}

sg_quote *sg_quote_make_owner(sg_vm *vm)
{
    static const sg_ast empty = {.kind = SG_AST_VCAT, .height = 1};
    sg_arena *arena = vm->allocator->resize(vm->allocator->context, NULL, 0, sizeof *arena);
    sg_quote *quote = arena ? sg_heap_new(vm, SG_OBJ_QUOTE, sizeof *quote) : NULL;
    if (quote) {
        sg_arena_init_small(arena, vm->allocator);
        quote->owned = arena;
        quote->root = &empty;
    } else if (arena) {
        vm->allocator->resize(vm->allocator->context, arena, sizeof *arena, 0);
    }
    return quote;
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

static bool is_expression(sg_value value)
{
    return value.tag == SG_SYMBOL || sg_is(value, SG_OBJ_QUOTE);
}

// (:(a.p), :(b.n)): a connection.
static bool is_tuple_of_expressions(sg_value value)
{
    if (!sg_is(value, SG_OBJ_TUPLE) || !((sg_tuple *)value.o)->n)
        return false;
    const sg_tuple *tuple = (const sg_tuple *)value.o;
    for (uint32_t i = 0; i < tuple->n; i++)
        if (!is_expression(tuple->items[i]))
            return false;
    return true;
}

static sg_ast *splice(sg_arena *arena, sg_value value, sg_span span);

// A node with the values below it.
static sg_ast *splice_all(sg_arena *arena, sg_ast_kind kind, const sg_value *values, size_t n,
                          sg_span span)
{
    sg_ast *node = SG_NEW(arena, sg_ast), **kids = SG_NEW_ARRAY(arena, sg_ast *, n + 1);
    if (!node || !kids)
        return NULL;
    *node = (sg_ast){.kind = (uint8_t)kind, .span = span, .n = (uint32_t)n, .kids = kids};
    uint16_t height = 0;
    for (size_t i = 0; i < n; i++) {
        kids[i] = splice(arena, values[i], span);
        if (!kids[i])
            return NULL;
        height = kids[i]->height > height ? kids[i]->height : height;
    }
    node->height = (uint16_t)(height + 1);
    return node;
}

// The node that stands for a value in a tree.
static sg_ast *splice(sg_arena *arena, sg_value value, sg_span span)
{
    if (sg_is(value, SG_OBJ_QUOTE))
        return sg_ast_copy(arena, ((sg_quote *)value.o)->root);
    if (is_tuple_of_expressions(value))
        return splice_all(arena, SG_AST_TUPLE, ((sg_tuple *)value.o)->items,
                          ((sg_tuple *)value.o)->n, span);
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
    sg_span no_list; // of $(x...) where x is no list
} filling;

static bool is_spread(const sg_ast *ast)
{
    return ast->kind == SG_AST_INTERPOLATE && ast->n && ast->kids[0]->kind == SG_AST_SPLAT;
}

// The values of $(list...), which take the place of one node.
static bool items_of(sg_value list, const sg_value **items, size_t *n)
{
    const sg_array *array = sg_is(list, SG_OBJ_ARRAY) ? (const sg_array *)list.o : NULL;
    if (sg_is(list, SG_OBJ_TUPLE)) {
        *items = ((const sg_tuple *)list.o)->items;
        *n = ((const sg_tuple *)list.o)->n;
        return true;
    }
    *items = array ? array->v : NULL;
    *n = array ? array->len : 0;
    return array && (array->elem == SG_ELEM_ANY || !array->len);
}

static uint32_t count_holes(const sg_ast *ast)
{
    if (ast->kind == SG_AST_INTERPOLATE)
        return 1;
    uint32_t n = 0;
    for (uint32_t i = 0; i < ast->n; i++)
        n += count_holes(ast->kids[i]);
    return n;
}

// How many children the node has once its lists are spread; holes are filled in their order, so
// those of $(x...) among the children are found by walking ahead.
static size_t room_for_kids(const filling *f, const sg_ast *ast)
{
    size_t room = ast->n;
    uint32_t hole = f->next;
    for (uint32_t i = 0; i < ast->n; i++) {
        const sg_value *items;
        size_t n;
        if (is_spread(ast->kids[i]) && hole < f->n && items_of(f->values[hole], &items, &n))
            room += n;
        hole += count_holes(ast->kids[i]);
    }
    return room;
}

static void spread(filling *f, const sg_ast *ast, sg_ast *into)
{
    const sg_value *items;
    size_t n;
    if (f->next >= f->n || !items_of(f->values[f->next++], &items, &n)) {
        f->no_list = ast->span;
        f->failed = true;
        return;
    }
    for (size_t i = 0; i < n && !f->failed; i++) {
        sg_ast *node = splice(f->arena, items[i], ast->span);
        f->failed = !node;
        into->kids[into->n++] = node;
    }
}

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
    size_t room = room_for_kids(f, ast);
    copy->kids = SG_NEW_ARRAY(f->arena, sg_ast *, room + 1);
    if (!copy->kids) {
        f->failed = true;
        return NULL;
    }
    copy->n = 0;
    for (uint32_t i = 0; i < ast->n && !f->failed; i++) {
        if (is_spread(ast->kids[i]))
            spread(f, ast->kids[i], copy);
        else
            copy->kids[copy->n++] = fill(f, ast->kids[i]);
    }
    uint16_t height = 0;
    for (uint32_t i = 0; i < copy->n && !f->failed; i++)
        height = copy->kids[i]->height > height ? copy->kids[i]->height : height;
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
    sg_arena_init_small(arena, vm->allocator);
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
    if (f.no_list.file)
        return sg_raise(vm, "ArgumentError", SG_E_TYPE, f.no_list,
                        "$(x...) inserts the elements of a vector or tuple of expressions");
    if (!plain)
        return sg_raise_status(vm, SG_ERR_MEMORY, SG_E_MEMORY, (sg_span){0}, "out of memory");
    return SG_OK;
}

// ---- lists --------------------------------------------------------------------------------------

static bool is_line(sg_value value)
{
    if (!sg_is(value, SG_OBJ_QUOTE))
        return is_tuple_of_expressions(value);
    sg_ast_kind kind = (sg_ast_kind)((const sg_quote *)value.o)->root->kind;
    return kind == SG_AST_ASSIGN || kind == SG_AST_TUPLE || kind == SG_AST_CALL;
}

bool sg_is_list_of_lines(sg_value value)
{
    if (!sg_is(value, SG_OBJ_ARRAY))
        return false;
    const sg_array *array = (const sg_array *)value.o;
    for (size_t i = 0; i < array->len; i++)
        if (array->elem != SG_ELEM_ANY || !is_line(array->v[i]))
            return false;
    return true;
}

sg_value sg_quote_of_lines(sg_vm *vm, sg_value list, sg_span span)
{
    const sg_array *array = (const sg_array *)list.o;
    sg_quote *quote = sg_quote_make_owner(vm);
    if (!quote)
        return (sg_value){.tag = SG_UNDEF};
    sg_ast *root = splice_all(quote->owned, SG_AST_VCAT, array->v, array->len, span);
    // Trees name values of the quotes that they come from, so those must live on.
    quote->values = sg_heap_resize(vm, NULL, 0, (array->len + 1) * sizeof(sg_value));
    if (!root || !quote->values)
        return (sg_value){.tag = SG_UNDEF};
    quote->n_values = (uint32_t)array->len + 1;
    quote->values[array->len] = SG_VALUE_NOTHING;
    for (size_t i = 0; i < array->len; i++)
        quote->values[i] = array->v[i];
    quote->root = root;
    return sg_object(quote);
}
