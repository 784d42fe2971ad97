// Calls: arguments, keywords, splats, and the few functions that are instructions.
#include "lang/compile_internal.h"

#include <string.h>

typedef struct call_parts {
    uint32_t n_positional, n_keywords;
    bool splat;
} call_parts;

// f(; key => v) with a name that only the run knows; :k => v has one.
static bool is_named_by_value(const sg_fn *fn, const sg_ast *arg)
{
    return arg->kind == SG_AST_CALL && arg->n == 3 && arg->kids[0]->kind == SG_AST_NAME &&
           arg->kids[1]->kind != SG_AST_SYMBOL &&
           strcmp(sg_vm_text(fn->vm, arg->kids[0]->sym), "=>") == 0;
}

static void count_parts(const sg_fn *fn, const sg_ast *list, uint32_t first, bool keywords,
                        call_parts *parts)
{
    for (uint32_t i = first; i < list->n; i++) {
        const sg_ast *arg = list->kids[i];
        if (arg->kind == SG_AST_PARAMETERS)
            count_parts(fn, arg, 0, true, parts);
        else if (arg->kind == SG_AST_SPLAT || (keywords && is_named_by_value(fn, arg)))
            parts->splat = true;
        else if (arg->kind == SG_AST_KW || keywords)
            parts->n_keywords++;
        else
            parts->n_positional++;
    }
}

// The name and value of a keyword argument: k = v, the shorthand k, the shorthand a.k.
static sg_sym keyword_name(sg_fn *fn, const sg_ast *arg)
{
    if (arg->kind == SG_AST_KW || arg->kind == SG_AST_NAME || arg->kind == SG_AST_FIELD)
        return arg->sym;
    if (arg->kind == SG_AST_TYPED && arg->n == 2 && arg->kids[0]->kind == SG_AST_NAME)
        return arg->kids[0]->sym;
    // f(; :k => v) builds its name at run time and is rare.
    if (arg->kind == SG_AST_CALL && arg->n == 3 && arg->kids[1]->kind == SG_AST_SYMBOL)
        return arg->kids[1]->sym;
    sg_fn_error(fn, SG_E_SYNTAX, arg->span, "expected a keyword argument 'name = value'");
    return (sg_sym){0};
}

static const sg_ast *keyword_value(const sg_ast *arg)
{
    if (arg->kind == SG_AST_KW)
        return arg->kids[0];
    if (arg->kind == SG_AST_CALL && arg->n == 3)
        return arg->kids[2];
    return arg;
}

typedef struct given_keyword {
    sg_sym name;
    sg_span span;
} given_keyword;

static void compile_keyword_values(sg_fn *fn, const sg_ast *list, uint32_t first, bool keywords,
                                   given_keyword *names, uint32_t *at, uint16_t base)
{
    for (uint32_t i = first; i < list->n; i++) {
        const sg_ast *arg = list->kids[i];
        if (arg->kind == SG_AST_PARAMETERS) {
            compile_keyword_values(fn, arg, 0, true, names, at, base);
        } else if (arg->kind == SG_AST_KW || keywords) {
            names[*at] = (given_keyword){keyword_name(fn, arg), arg->span};
            sg_compile_to(fn, keyword_value(arg), (uint16_t)(base + *at));
            (*at)++;
        }
    }
}

void sg_compile_splat_lists(sg_fn *fn, const sg_ast *list, uint32_t first, bool keywords,
                            uint16_t base)
{
    for (uint32_t i = first; i < list->n; i++) {
        const sg_ast *arg = list->kids[i];
        uint32_t next = fn->next_reg;
        if (arg->kind == SG_AST_PARAMETERS) {
            sg_compile_splat_lists(fn, arg, 0, true, base);
        } else if (arg->kind == SG_AST_SPLAT) {
            uint16_t r = sg_compile_any(fn, arg->kids[0]);
            fn->span = arg->span;
            sg_emit(fn, keywords ? SG_BC_SPLAT_KW : SG_BC_SPLAT, keywords ? base + 2u : base + 1u,
                    r, 0);
        } else if (keywords && is_named_by_value(fn, arg)) { // like [key => v]...
            uint16_t r = sg_new_reg(fn);
            sg_emit(fn, SG_BC_VECTOR, r, 0, 0);
            sg_emit(fn, SG_BC_PUSH, r, sg_compile_any(fn, arg), 0);
            fn->span = arg->span;
            sg_emit(fn, SG_BC_SPLAT_KW, base + 2u, r, 0);
        } else if (arg->kind == SG_AST_KW || keywords) {
            uint16_t r = sg_compile_any(fn, keyword_value(arg));
            uint32_t name = sg_constant(fn, sg_symbol(keyword_name(fn, arg)));
            sg_emit(fn, SG_BC_PUT, base + 2u, r, name);
        } else {
            sg_emit(fn, SG_BC_PUSH, base + 1u, sg_compile_any(fn, arg), 0);
        }
        sg_reg_drop(fn, next);
    }
}

static void compile_splat_call(sg_fn *fn, const sg_ast *call, const sg_ast *first, uint16_t base)
{
    sg_regs(fn, 2);
    sg_emit(fn, SG_BC_VECTOR, base + 1u, 0, 0);
    sg_emit(fn, SG_BC_DICT, base + 2u, 0, 0);
    if (first) {
        uint16_t r = sg_compile_any(fn, first);
        sg_emit(fn, SG_BC_PUSH, base + 1u, r, 0);
    }
    sg_compile_splat_lists(fn, call, 1, false, base);
    fn->span = call->span;
    sg_emit(fn, SG_BC_CALL_LIST, base, 0, 0);
}

// The names of keyword arguments; the items hold where each was written, for diagnostics.
static sg_value name_tuple(sg_fn *fn, const given_keyword *list, uint32_t n)
{
    sg_tuple *tuple = sg_named_tuple_make(fn->vm, n, NULL);
    for (uint32_t i = 0; tuple && i < n; i++) {
        tuple->names[i] = list[i].name;
        tuple->items[i] = (sg_value){.tag = SG_INT,
                                     .aux = list[i].span.file,
                                     .i = (int64_t)list[i].span.first << 32 | list[i].span.last};
    }
    return sg_object(tuple);
}

static void compile_args(sg_fn *fn, const sg_ast *call, const sg_ast *first, call_parts parts,
                         uint16_t base, bool dotted)
{
    const sg_ast *cut = first || dotted ? NULL : sg_keywords_in_pieces(fn, call);
    if (cut) {
        compile_splat_call(fn, cut, NULL, base);
        return;
    }
    uint32_t n = parts.n_positional + (first != NULL);
    sg_regs(fn, n + parts.n_keywords);
    uint32_t k = 1;
    if (first)
        sg_compile_to(fn, first, (uint16_t)(base + k++));
    for (uint32_t i = 1; i < call->n; i++)
        if (call->kids[i]->kind != SG_AST_KW && call->kids[i]->kind != SG_AST_PARAMETERS)
            sg_compile_to(fn, call->kids[i], (uint16_t)(base + k++));
    if (!parts.n_keywords) {
        fn->span = call->span;
        sg_emit(fn, dotted ? SG_BC_BROADCAST : SG_BC_CALL, base, n, 0);
        return;
    }
    size_t size = parts.n_keywords * sizeof(given_keyword);
    const sg_allocator *allocator = fn->vm->allocator;
    given_keyword *names = allocator->resize(allocator->context, NULL, 0, size);
    if (!names) {
        sg_fn_error(fn, SG_E_MEMORY, call->span, "out of memory while compiling");
        return;
    }
    uint32_t done = 0;
    compile_keyword_values(fn, call, 1, false, names, &done, (uint16_t)(base + 1 + n));
    sg_value tuple = name_tuple(fn, names, done);
    allocator->resize(allocator->context, names, size, 0);
    fn->span = call->span;
    sg_emit(fn, dotted ? SG_BC_BROADCAST_KW : SG_BC_CALL_KW, base, n, sg_constant(fn, tuple));
}

static bool compile_special_call(sg_fn *fn, const sg_ast *call, uint16_t dst)
{
    const sg_ast *callee = call->kids[0];
    bool curly = callee->kind == SG_AST_CURLY && callee->kids[0]->kind == SG_AST_NAME;
    const sg_ast *name = curly ? callee->kids[0] : callee;
    if (name->kind != SG_AST_NAME)
        return false;
    const char *text = sg_vm_text(fn->vm, name->sym);
    if (strcmp(text, "rethrow") == 0 && call->n == 1 && fn->caught != 0xFFFF) {
        sg_emit(fn, SG_BC_RETHROW, fn->caught, 0, 0);
        return true;
    }
    if (strcmp(text, "new") != 0 || sg_is_local_name(fn, name->sym))
        return false;
    const sg_fn *owner = fn;
    while (owner && !owner->struct_cell)
        owner = owner->up;
    if (!owner)
        return false;
    uint32_t next = fn->next_reg;
    uint16_t base = sg_new_reg(fn);
    sg_emit_x(fn, SG_BC_GLOBAL, base, (int32_t)sg_constant(fn, sg_object(owner->struct_cell)));
    if (curly) {
        uint16_t params = sg_regs(fn, callee->n - 1);
        for (uint32_t i = 1; i < callee->n; i++)
            sg_compile_to(fn, callee->kids[i], (uint16_t)(params + i - 1));
        sg_emit_build(fn, base, callee->n, SG_BUILD_TYPE, 0);
        sg_reg_drop(fn, base + 1u);
    }
    uint16_t args = sg_regs(fn, call->n - 1);
    for (uint32_t i = 1; i < call->n; i++) {
        if (call->kids[i]->kind == SG_AST_SPLAT || call->kids[i]->kind == SG_AST_KW)
            sg_fn_error(fn, SG_E_UNSUPPORTED, call->kids[i]->span,
                        "new takes the values of the fields in order");
        else
            sg_compile_to(fn, call->kids[i], (uint16_t)(args + i - 1));
    }
    fn->span = call->span;
    sg_emit(fn, SG_BC_NEW, base, call->n - 1, 0);
    sg_emit(fn, SG_BC_MOVE, dst, base, 0);
    sg_reg_drop(fn, next);
    return true;
}

// The last register holds a temporary, into which a call may put its function. In that of a
// variable the arguments still find its old value: x = f(x).
static bool is_last_temporary(const sg_fn *fn, uint16_t reg)
{
    bool last = reg + 1u == fn->next_reg;
    for (size_t i = fn->locals.len; last && i-- > 0;)
        last = fn->locals.data[i].reg != reg;
    return last;
}

void sg_compile_call(sg_fn *fn, const sg_ast *call, const sg_ast *first, uint16_t dst)
{
    sg_check_keywords(fn, call);
    if (compile_special_call(fn, call, dst))
        return;
    uint32_t next = fn->next_reg;
    uint16_t base = is_last_temporary(fn, dst) ? dst : sg_new_reg(fn);
    call_parts parts = {0};
    count_parts(fn, call, 1, false, &parts);
    bool dotted = call->flags & SG_AST_DOTTED;
    sg_compile_to(fn, call->kids[0], base);
    if (parts.splat)
        compile_splat_call(fn, call, first, base);
    else
        compile_args(fn, call, first, parts, base, dotted);
    if (base != dst)
        sg_emit(fn, SG_BC_MOVE, dst, base, 0);
    sg_reg_drop(fn, next);
}
