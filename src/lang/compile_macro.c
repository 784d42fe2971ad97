// Macros of language.md 1.9: each is code around its arguments and a helper in Base whose name
// starts with an underscore. Macros of the host are functions named "@name" that get a tuple of
// the quoted arguments, then their values.
#include "lang/compile_internal.h"
#include "lang/runtime.h"

#include <string.h>

static void load_text(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    sg_buf text;
    sg_buf_init(&text, fn->vm->allocator);
    sg_ast_print(fn->vm->symbols, ast, &text);
    sg_value value = sg_literal_string(fn, sg_buf_text(&text), text.len);
    sg_buf_free(&text);
    sg_emit_x(fn, SG_BC_LOADK, dst, (int32_t)sg_constant(fn, value));
}

static void load_nothing_or(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    if (ast)
        sg_compile_to(fn, ast, dst);
    else
        sg_emit(fn, SG_BC_NOTHING, dst, 0, 0);
}

// ---- @time, @elapsed ----------------------------------------------------------------------------

static void macro_time(sg_fn *fn, const sg_ast *ast, uint16_t dst, bool seconds_only)
{
    const sg_ast *body = ast->n ? ast->kids[ast->n - 1] : NULL;
    uint16_t value = sg_new_reg(fn), call = sg_regs(fn, 3);
    sg_load_base(fn, "_clock", call);
    sg_emit_call(fn, call, 0);
    sg_emit(fn, SG_BC_MOVE, call + 2u, call, 0);
    uint16_t start = sg_new_reg(fn);
    sg_emit(fn, SG_BC_MOVE, start, call, 0);
    load_nothing_or(fn, body, value);
    sg_load_base(fn, seconds_only ? "_elapsed" : "_report_time", call);
    sg_emit(fn, SG_BC_MOVE, call + 1u, start, 0);
    sg_emit_call(fn, call, 1);
    sg_emit(fn, SG_BC_MOVE, dst, seconds_only ? call : value, 0);
}

// ---- @show --------------------------------------------------------------------------------------

static void show_one(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    uint16_t call = sg_regs(fn, 3);
    sg_load_base(fn, "_show", call);
    load_text(fn, ast, (uint16_t)(call + 1));
    sg_compile_to(fn, ast, (uint16_t)(call + 2));
    sg_emit_call(fn, call, 2);
    sg_emit(fn, SG_BC_MOVE, dst, call, 0);
}

static void macro_show(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    uint16_t shown = sg_new_reg(fn); // the last one; dst may be a variable that is shown
    sg_emit(fn, SG_BC_NOTHING, shown, 0, 0);
    for (uint32_t i = 0; i < ast->n; i++) {
        const sg_ast *arg = ast->kids[i];
        // `@show a, b` are two values, `@show (a, b)` is one, which begins with its parenthesis.
        if (arg->kind == SG_AST_TUPLE && arg->n > 1 &&
            arg->kids[0]->span.first == arg->span.first) {
            for (uint32_t k = 0; k < arg->n; k++)
                show_one(fn, arg->kids[k], shown);
        } else {
            show_one(fn, arg, shown);
        }
    }
    sg_emit(fn, SG_BC_MOVE, dst, shown, 0);
}

// ---- @assert, @warn -----------------------------------------------------------------------------

static void macro_assert(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    if (!ast->n) {
        sg_emit(fn, SG_BC_NOTHING, dst, 0, 0);
        return;
    }
    sg_jumps fine = {0};
    sg_compile_branch(fn, ast->kids[0], true, &fine);
    uint16_t call = sg_regs(fn, 2);
    sg_load_base(fn, "_assert_failed", call);
    if (ast->n > 1)
        sg_compile_to(fn, ast->kids[1], (uint16_t)(call + 1));
    else
        load_text(fn, ast->kids[0], (uint16_t)(call + 1));
    sg_emit_call(fn, call, 1);
    sg_patch_all(fn, &fine);
    sg_emit(fn, SG_BC_NOTHING, dst, 0, 0);
}

static void macro_log(sg_fn *fn, const sg_ast *ast, const char *level, uint16_t dst)
{
    uint16_t call = sg_regs(fn, 2);
    sg_load_base(fn, "_log", call);
    sg_emit_x(fn, SG_BC_LOADK, call + 1u,
              (int32_t)sg_constant(fn, sg_literal_string(fn, level, strlen(level))));
    uint32_t n = 1;
    for (uint32_t i = 0; i < ast->n; i++) {
        const sg_ast *arg = ast->kids[i];
        bool named = arg->kind == SG_AST_KW || arg->kind == SG_AST_ASSIGN;
        if (i > 0) { // further values are shown with their names
            uint16_t text = sg_new_reg(fn);
            if (named && arg->kind == SG_AST_KW)
                sg_emit_x(fn, SG_BC_LOADK, text,
                          (int32_t)sg_constant(
                              fn, sg_literal_string(fn, sg_vm_text(fn->vm, arg->sym),
                                                    strlen(sg_vm_text(fn->vm, arg->sym)))));
            else
                load_text(fn, named ? arg->kids[0] : arg, text);
            n++;
        }
        const sg_ast *value = arg->kind == SG_AST_KW       ? arg->kids[0]
                              : arg->kind == SG_AST_ASSIGN ? arg->kids[1]
                                                           : arg;
        sg_compile_to(fn, value, sg_new_reg(fn));
        n++;
    }
    sg_emit_call(fn, call, n);
    sg_emit(fn, SG_BC_MOVE, dst, call, 0);
}

// ---- tests --------------------------------------------------------------------------------------

// Code in [from, here) whose exceptions arrive in a register.
static void guard(sg_fn *fn, uint32_t from, uint16_t reg)
{
    sg_handler handler = {.from = from, .to = sg_here(fn), .target = sg_here(fn) + 1, .reg = reg};
    if (!SG_PUSH(fn->vm->allocator, &fn->handlers, handler))
        sg_fn_error(fn, SG_E_MEMORY, fn->span, "out of memory while compiling");
}

// The comparison of a test, so that a failure can show both sides: f(a, b; keywords).
static const sg_ast *as_comparison(sg_fn *fn, const sg_ast *ast)
{
    if (ast->kind != SG_AST_CALL || ast->n != 3 || ast->flags & SG_AST_DOTTED ||
        !(ast->flags & SG_AST_INFIX) || ast->kids[0]->kind != SG_AST_NAME)
        return NULL;
    static const char *const shown[] = {
        "==", "!=", "<", "<=", ">", ">=", "≈", "≉", "===", "!==", "in", "isa"};
    const char *op = sg_vm_text(fn->vm, ast->kids[0]->sym);
    for (size_t i = 0; i < SG_COUNT(shown); i++)
        if (strcmp(op, shown[i]) == 0)
            return ast;
    return NULL;
}

static void macro_test(sg_fn *fn, const sg_ast *ast, bool broken, uint16_t dst)
{
    if (!ast->n)
        return;
    const sg_ast *expr = ast->kids[0];
    uint16_t exception = sg_new_reg(fn), call = sg_regs(fn, 7);
    fn->level++;
    // _test(broken, text, error, value, [left, right, operator])
    sg_load_base(fn, "_test", call);
    sg_emit_x(fn, SG_BC_LOADK, call + 1u, (int32_t)sg_constant(fn, sg_bool(broken)));
    load_text(fn, expr, (uint16_t)(call + 2));
    sg_emit(fn, SG_BC_NOTHING, exception, 0, 0);
    uint32_t from = sg_here(fn);
    uint32_t n = 4;
    const sg_ast *comparison = as_comparison(fn, expr);
    if (comparison) {
        n = 6;
        sg_compile_to(fn, comparison->kids[1], (uint16_t)(call + 5));
        sg_compile_to(fn, comparison->kids[2], (uint16_t)(call + 6));
        uint32_t n_kw = 0;
        sg_sym names[8];
        uint16_t inner = sg_regs(fn, 3);
        sg_load_name(fn, comparison->kids[0]->sym, inner);
        sg_emit(fn, SG_BC_MOVE, inner + 1u, call + 5u, 0);
        sg_emit(fn, SG_BC_MOVE, inner + 2u, call + 6u, 0);
        for (uint32_t i = 1; i < ast->n && n_kw < 8; i++) {
            const sg_ast *kw = ast->kids[i];
            bool assign = kw->kind == SG_AST_ASSIGN && kw->kids[0]->kind == SG_AST_NAME;
            if (kw->kind != SG_AST_KW && !assign)
                continue;
            names[n_kw++] = assign ? kw->kids[0]->sym : kw->sym;
            sg_compile_to(fn, kw->kids[assign ? 1 : 0], sg_new_reg(fn));
        }
        fn->span = expr->span;
        if (n_kw) {
            sg_tuple *tuple = sg_named_tuple_make(fn->vm, n_kw, names);
            sg_emit(fn, SG_BC_CALL_KW, inner, 2, sg_constant(fn, sg_object(tuple)));
        } else {
            sg_emit(fn, SG_BC_CALL, inner, 2, 0);
        }
        sg_emit(fn, SG_BC_MOVE, call + 4u, inner, 0);
    } else {
        sg_compile_to(fn, expr, (uint16_t)(call + 4));
    }
    guard(fn, from, exception);
    // On an exception the value is whatever was there; `_test` looks at the exception first.
    uint32_t skip = sg_emit_jump(fn, SG_BC_JUMP, 0);
    for (uint32_t i = 4; i <= n; i++)
        sg_emit(fn, SG_BC_NOTHING, call + i, 0, 0);
    sg_patch(fn, skip);
    sg_emit(fn, SG_BC_MOVE, call + 3u, exception, 0);
    fn->span = ast->span;
    sg_emit_call(fn, call, n);
    sg_emit(fn, SG_BC_MOVE, dst, call, 0);
    fn->level--;
}

static void macro_test_skip(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    uint16_t call = sg_regs(fn, 2);
    sg_load_base(fn, "_test_skip", call);
    sg_emit(fn, SG_BC_NOTHING, call + 1u, 0, 0);
    if (ast->n)
        load_text(fn, ast->kids[0], (uint16_t)(call + 1));
    sg_emit_call(fn, call, 1);
    sg_emit(fn, SG_BC_MOVE, dst, call, 0);
}

static void macro_test_throws(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    if (ast->n < 2) {
        sg_fn_error(fn, SG_E_SYNTAX, ast->span, "@test_throws needs a type and an expression");
        return;
    }
    uint16_t exception = sg_new_reg(fn), call = sg_regs(fn, 4);
    fn->level++;
    sg_load_base(fn, "_test_throws", call);
    load_text(fn, ast->kids[1], (uint16_t)(call + 1));
    sg_compile_to(fn, ast->kids[0], (uint16_t)(call + 2));
    sg_emit(fn, SG_BC_NOTHING, exception, 0, 0);
    uint32_t from = sg_here(fn);
    sg_compile_effect(fn, ast->kids[1]);
    guard(fn, from, exception);
    sg_patch(fn, sg_emit_jump(fn, SG_BC_JUMP, 0));
    sg_emit(fn, SG_BC_MOVE, call + 3u, exception, 0);
    sg_emit_call(fn, call, 3);
    sg_emit(fn, SG_BC_MOVE, dst, call, 0);
    fn->level--;
}

typedef struct test_set {
    const sg_ast *name, *body;
} test_set;

static void test_set_body(sg_fn *fn, void *context)
{
    const test_set *set = context;
    uint16_t exception = sg_new_reg(fn), call = sg_regs(fn, 2);
    fn->level++;
    sg_load_base(fn, "_testset_begin", call);
    load_nothing_or(fn, set->name, (uint16_t)(call + 1));
    sg_emit_call(fn, call, 1);
    sg_emit(fn, SG_BC_NOTHING, exception, 0, 0);
    uint32_t from = sg_here(fn);
    sg_scope_mark mark = sg_scope_open(fn, SG_SCOPE_HARD);
    sg_scope_names(fn, set->body);
    sg_compile_effect(fn, set->body);
    sg_scope_close(fn, mark);
    guard(fn, from, exception);
    sg_patch(fn, sg_emit_jump(fn, SG_BC_JUMP, 0));
    sg_load_base(fn, "_testset_end", call);
    sg_emit(fn, SG_BC_MOVE, call + 1u, exception, 0);
    sg_emit_call(fn, call, 1);
    fn->level--;
}

static void macro_testset(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    test_set set = {0};
    for (uint32_t i = 0; i + 1 < ast->n; i++)
        if (ast->kids[i]->kind == SG_AST_STRING || ast->kids[i]->kind == SG_AST_INTERP_STRING)
            set.name = ast->kids[i];
    sg_emit(fn, SG_BC_NOTHING, dst, 0, 0);
    if (!ast->n)
        return;
    const sg_ast *body = ast->kids[ast->n - 1];
    set.body = body;
    if (body->kind == SG_AST_FOR) {
        set.body = body->kids[body->n - 1];
        sg_compile_loops(fn, (const sg_ast *const *)body->kids, body->n - 1, test_set_body, &set);
    } else {
        test_set_body(fn, &set);
    }
}

// ---- @isdefined, @enum --------------------------------------------------------------------------

static void macro_isdefined(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    if (ast->n != 1 || ast->kids[0]->kind != SG_AST_NAME) {
        sg_fn_error(fn, SG_E_SYNTAX, ast->span, "@isdefined needs a name");
        return;
    }
    sg_sym name = ast->kids[0]->sym;
    sg_place place = sg_find_name(fn, name);
    if (place.kind == SG_PLACE_LOCAL && !fn->locals.data[place.local].boxed) {
        uint16_t r = sg_new_reg(fn);
        sg_emit_x(fn, SG_BC_LOADK, r, (int32_t)sg_constant(fn, sg_bool(true)));
        uint32_t skip = sg_emit_jump(fn, SG_BC_JUMP_DEFINED, fn->locals.data[place.local].reg);
        sg_emit_x(fn, SG_BC_LOADK, r, (int32_t)sg_constant(fn, sg_bool(false)));
        sg_patch(fn, skip);
        sg_emit(fn, SG_BC_MOVE, dst, r, 0);
        return;
    }
    if (place.kind != SG_PLACE_GLOBAL) {
        sg_emit_x(fn, SG_BC_LOADK, dst, (int32_t)sg_constant(fn, sg_bool(true)));
        return;
    }
    uint16_t call = sg_regs(fn, 2);
    sg_load_base(fn, "_isdefined", call);
    sg_emit_x(fn, SG_BC_LOADK, call + 1u, (int32_t)sg_constant(fn, sg_symbol(name)));
    sg_emit_call(fn, call, 1);
    sg_emit(fn, SG_BC_MOVE, dst, call, 0);
}

static void mark_assigned(sg_fn *fn, sg_sym name)
{
    sg_cell *cell = sg_module_cell(fn->vm, fn->module, name);
    if (cell)
        cell->head.flags |= SG_CELL_ASSIGNED;
}

static void enum_items(sg_fn *fn, const sg_ast *list, uint32_t first, uint32_t *n)
{
    for (uint32_t i = first; i < list->n; i++) {
        const sg_ast *item = list->kids[i];
        if (item->kind == SG_AST_BLOCK) {
            enum_items(fn, item, 0, n);
            continue;
        }
        const sg_ast *value = item->kind == SG_AST_ASSIGN ? item->kids[1]
                              : item->kind == SG_AST_KW   ? item->kids[0]
                                                          : NULL;
        const sg_ast *named = item->kind == SG_AST_ASSIGN ? item->kids[0] : item;
        if (named->kind != SG_AST_NAME && named->kind != SG_AST_KW) {
            sg_fn_error(fn, SG_E_SYNTAX, named->span,
                        "a value of @enum is a name, or name = number");
            return;
        }
        sg_sym name = named->sym;
        uint16_t r = sg_regs(fn, 2);
        mark_assigned(fn, name);
        sg_emit_x(fn, SG_BC_LOADK, r, (int32_t)sg_constant(fn, sg_symbol(name)));
        load_nothing_or(fn, value, (uint16_t)(r + 1));
        *n += 2;
    }
}

static void macro_enum(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    const sg_ast *name = ast->n ? ast->kids[0] : NULL;
    if (name && name->kind == SG_AST_TYPED && name->n == 2)
        name = name->kids[0];
    if (!name || name->kind != SG_AST_NAME) {
        sg_fn_error(fn, SG_E_SYNTAX, ast->span, "@enum needs a name and its values");
        return;
    }
    uint16_t call = sg_regs(fn, 2);
    uint32_t n = 1;
    sg_load_base(fn, "_enum", call);
    mark_assigned(fn, name->sym);
    sg_emit_x(fn, SG_BC_LOADK, call + 1u, (int32_t)sg_constant(fn, sg_symbol(name->sym)));
    enum_items(fn, ast, 1, &n);
    sg_emit_call(fn, call, n);
    sg_emit(fn, SG_BC_MOVE, dst, call, 0);
}

// ---- the rest -----------------------------------------------------------------------------------

static void call_helper(sg_fn *fn, const char *helper, const sg_ast *ast, uint16_t dst)
{
    uint16_t call = sg_new_reg(fn);
    sg_load_base(fn, helper, call);
    for (uint32_t i = 0; i < ast->n; i++)
        sg_compile_to(fn, ast->kids[i], sg_new_reg(fn));
    sg_emit_call(fn, call, ast->n);
    sg_emit(fn, SG_BC_MOVE, dst, call, 0);
}

// A macro of the host: @name(quotes, values...; keywords...).
static void host_macro(sg_fn *fn, const sg_ast *ast, sg_cell *cell, uint16_t dst)
{
    uint16_t call = sg_regs(fn, 2);
    sg_emit_x(fn, SG_BC_GLOBAL, call, (int32_t)sg_constant(fn, sg_object(cell)));
    uint16_t quotes = sg_regs(fn, ast->n ? ast->n : 1);
    for (uint32_t i = 0; i < ast->n; i++)
        sg_compile_quote(fn, ast->kids[i], (uint16_t)(quotes + i));
    sg_emit(fn, SG_BC_TUPLE, quotes, ast->n, 0);
    sg_emit(fn, SG_BC_MOVE, call + 1u, quotes, 0);
    sg_reg_drop(fn, quotes);
    uint32_t n = 1, n_kw = 0;
    sg_sym names[64];
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < ast->n; i++) {
            const sg_ast *arg = ast->kids[i];
            const sg_ast *list = arg->kind == SG_AST_PARAMETERS ? arg : ast;
            uint32_t from = list == ast ? i : 0, to = list == ast ? i + 1 : list->n;
            for (uint32_t k = from; k < to; k++) {
                arg = list->kids[k];
                bool assign = arg->kind == SG_AST_ASSIGN && arg->kids[0]->kind == SG_AST_NAME;
                bool keyword = arg->kind == SG_AST_KW || assign || list != ast;
                if (keyword != (pass == 1))
                    continue;
                if (keyword && n_kw == SG_COUNT(names)) {
                    sg_fn_error(fn, SG_E_LIMIT, arg->span, "too many keyword arguments");
                    return;
                }
                const sg_ast *value = assign                   ? arg->kids[1]
                                      : arg->kind == SG_AST_KW ? arg->kids[0]
                                                               : arg;
                sg_compile_to(fn, value, sg_new_reg(fn));
                if (keyword)
                    names[n_kw++] = assign ? arg->kids[0]->sym : arg->sym;
                else
                    n++;
            }
        }
    }
    fn->span = ast->span;
    if (n_kw) {
        sg_tuple *tuple = sg_named_tuple_make(fn->vm, n_kw, names);
        sg_emit(fn, SG_BC_CALL_KW, call, n, sg_constant(fn, sg_object(tuple)));
    } else {
        sg_emit_call(fn, call, n);
    }
    sg_emit(fn, SG_BC_MOVE, dst, call, 0);
}

// ---- @kwdef -------------------------------------------------------------------------------------

static sg_ast *new_node(sg_arena *arena, sg_ast_kind kind, sg_span span, uint32_t n)
{
    sg_ast *node = SG_NEW(arena, sg_ast);
    if (!node)
        return NULL;
    node->kind = (uint8_t)kind;
    node->span = span;
    node->height = 4;
    node->n = n;
    node->kids = n ? SG_NEW_ARRAY(arena, sg_ast *, n) : NULL;
    return n && !node->kids ? NULL : node;
}

// The field of a struct body without its default value and type; null for anything else.
static const sg_ast *field_name(const sg_ast *field)
{
    if (field->kind == SG_AST_ASSIGN)
        field = field->kids[0];
    if (field->kind == SG_AST_TYPED && field->n == 2)
        field = field->kids[0];
    return field->kind == SG_AST_NAME ? field : NULL;
}

// @kwdef struct S a = 1; b end also defines S(; a = 1, b) = S(a, b).
static void macro_kwdef(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    const sg_ast *type = ast->n ? ast->kids[ast->n - 1] : NULL;
    if (!type || type->kind != SG_AST_STRUCT) {
        sg_fn_error(fn, SG_E_SYNTAX, ast->span, "@kwdef needs a struct");
        return;
    }
    sg_compile_effect(fn, type);
    const sg_ast *name = type->kids[0], *body = type->kids[1];
    while (name->n && name->kind != SG_AST_NAME)
        name = name->kids[0];
    sg_arena *arena = &sg_runtime_of(fn->vm)->trees;
    uint32_t n = 0;
    for (uint32_t i = 0; i < body->n; i++)
        n += field_name(body->kids[i]) != NULL;
    sg_ast *params = new_node(arena, SG_AST_PARAMETERS, type->span, n);
    sg_ast *head = new_node(arena, SG_AST_CALL, type->span, 2);
    sg_ast *call = new_node(arena, SG_AST_CALL, type->span, n + 1);
    sg_ast *function = new_node(arena, SG_AST_FUNCTION, type->span, 2);
    bool ok = params && head && call && function;
    uint32_t k = 0;
    for (uint32_t i = 0; ok && i < body->n; i++) {
        const sg_ast *field = body->kids[i], *target = field_name(field);
        if (!target)
            continue;
        sg_ast *param = (sg_ast *)(uintptr_t)target;
        if (field->kind == SG_AST_ASSIGN) {
            param = new_node(arena, SG_AST_KW, field->span, 1);
            ok = param != NULL;
            if (ok) {
                param->sym = target->sym;
                param->kids[0] = field->kids[1];
            }
        }
        params->kids[k] = param;
        call->kids[++k] = (sg_ast *)(uintptr_t)target;
    }
    if (!ok) {
        sg_fn_error(fn, SG_E_MEMORY, ast->span, "out of memory while compiling");
        return;
    }
    head->kids[0] = call->kids[0] = (sg_ast *)(uintptr_t)name;
    head->kids[1] = params;
    function->kids[0] = head;
    function->kids[1] = call;
    sg_compile_function(fn, function, dst, true);
}

static void unknown_macro(sg_fn *fn, const sg_ast *ast, const char *name)
{
    static const char *const known[] = {"time",
                                        "timev",
                                        "elapsed",
                                        "show",
                                        "assert",
                                        "warn",
                                        "info",
                                        "error",
                                        "test",
                                        "testset",
                                        "test_skip",
                                        "test_broken",
                                        "test_throws",
                                        "isdefined",
                                        "enum",
                                        "SVector",
                                        "SMatrix",
                                        "MVector",
                                        "MMatrix",
                                        "u_str",
                                        "inbounds",
                                        "view",
                                        "printf",
                                        "sprintf",
                                        "kwdef",
                                        "instantiateModel",
                                        "showModel",
                                        "usingModiaPlot",
                                        "usingPlotPackage"};
    const char *near = sg_closest_name(name, known, SG_COUNT(known));
    for (size_t i = 0; i < SG_COUNT(known); i++)
        if (strcmp(name, known[i]) == 0) {
            sg_fn_error(fn, SG_E_NAME, ast->span, "'@%s' is not defined; it comes with: using %s",
                        name, strncmp(name, "test", 4) == 0 ? "Test" : "Modia");
            return;
        }
    sg_fn_error(fn, SG_E_NAME, ast->span, "there is no macro '@%s'%s%s%s", name,
                near ? ", did you mean '@" : "", near ? near : "", near ? "'?" : "");
    // The way 3D models were written in the first papers.
    if (strcmp(name, "assembly") == 0)
        sg_note(
            fn->vm->diags, ast->span,
            "write Name(; parameters...) = Model(obj = Object3D(...), ...), and Model3D(...) for "
            "the whole");
}

typedef enum macro_kind {
    M_TIME,
    M_ELAPSED,
    M_SHOW,
    M_ASSERT,
    M_LOG,
    M_TEST,
    M_TEST_BROKEN,
    M_TEST_SKIP,
    M_TEST_THROWS,
    M_TESTSET,
    M_ISDEFINED,
    M_ENUM,
    M_KWDEF,
    M_HELPER,
    M_PASS,
    M_PLACE
} macro_kind;

static const struct macro_entry {
    const char *name;
    macro_kind kind;
    const char *extra;
} macros[] = {{"time", M_TIME, NULL},
              {"timev", M_TIME, NULL},
              {"elapsed", M_ELAPSED, NULL},
              {"show", M_SHOW, NULL},
              {"assert", M_ASSERT, NULL},
              {"warn", M_LOG, "warning"},
              {"info", M_LOG, "info"},
              {"error", M_LOG, "error"},
              {"debug", M_LOG, "debug"},
              {"test", M_TEST, NULL},
              {"test_broken", M_TEST_BROKEN, NULL},
              {"test_skip", M_TEST_SKIP, NULL},
              {"test_throws", M_TEST_THROWS, NULL},
              {"testset", M_TESTSET, NULL},
              {"isdefined", M_ISDEFINED, NULL},
              {"enum", M_ENUM, NULL},
              {"SVector", M_HELPER, "_static"},
              {"SMatrix", M_HELPER, "_static"},
              {"SArray", M_HELPER, "_static"},
              {"MVector", M_HELPER, "_static"},
              {"MMatrix", M_HELPER, "_static"},
              {"u_str", M_HELPER, "u_str"},
              {"printf", M_HELPER, "_printf"},
              {"sprintf", M_HELPER, "_sprintf"},
              {"inbounds", M_PASS, NULL},
              {"simd", M_PASS, NULL},
              {"view", M_PASS, NULL},
              {"views", M_PASS, NULL},
              {"fastmath", M_PASS, NULL},
              {"inline", M_PASS, NULL},
              {"noinline", M_PASS, NULL},
              {"nospecialize", M_PASS, NULL},
              {"static", M_PASS, NULL},
              {"timeit", M_PASS, NULL},
              {"kwdef", M_KWDEF, NULL},
              {"suppress", M_PASS, NULL},
              {"__DIR__", M_PLACE, "_dir"},
              {"__FILE__", M_PLACE, "_file"},
              {"__LINE__", M_PLACE, "_line"},
              {"__MODULE__", M_PLACE, "_module"}};

bool sg_macro_is_transparent(const sg_vm *vm, const sg_ast *ast)
{
    return strcmp(sg_vm_text(vm, ast->sym), "testset") != 0;
}

void sg_compile_macro(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    const char *name = sg_vm_text(fn->vm, ast->sym);
    char own[80] = "@";
    if (strlen(name) + 2 <= sizeof own) {
        memcpy(own + 1, name, strlen(name) + 1);
        sg_cell *cell = sg_module_find(fn->module, sg_fn_sym(fn, own));
        if (cell) {
            host_macro(fn, ast, cell, dst);
            return;
        }
    }
    const struct macro_entry *entry = NULL;
    for (size_t i = 0; i < SG_COUNT(macros) && !entry; i++)
        if (strcmp(macros[i].name, name) == 0)
            entry = &macros[i];
    if (!entry) {
        unknown_macro(fn, ast, name);
        return;
    }
    switch (entry->kind) {
    case M_TIME:
    case M_ELAPSED:
        macro_time(fn, ast, dst, entry->kind == M_ELAPSED);
        break;
    case M_SHOW:
        macro_show(fn, ast, dst);
        break;
    case M_ASSERT:
        macro_assert(fn, ast, dst);
        break;
    case M_LOG:
        macro_log(fn, ast, entry->extra, dst);
        break;
    case M_TEST:
    case M_TEST_BROKEN:
        macro_test(fn, ast, entry->kind == M_TEST_BROKEN, dst);
        break;
    case M_TEST_SKIP:
        macro_test_skip(fn, ast, dst);
        break;
    case M_TEST_THROWS:
        macro_test_throws(fn, ast, dst);
        break;
    case M_TESTSET:
        macro_testset(fn, ast, dst);
        break;
    case M_ISDEFINED:
        macro_isdefined(fn, ast, dst);
        break;
    case M_ENUM:
        macro_enum(fn, ast, dst);
        break;
    case M_KWDEF:
        macro_kwdef(fn, ast, dst);
        break;
    case M_HELPER:
        call_helper(fn, entry->extra, ast, dst);
        break;
    case M_PASS:
        load_nothing_or(fn, ast->n ? ast->kids[ast->n - 1] : NULL, dst);
        break;
    case M_PLACE: {
        uint16_t call = sg_new_reg(fn);
        sg_load_base(fn, entry->extra, call);
        sg_emit_call(fn, call, 0);
        sg_emit(fn, SG_BC_MOVE, dst, call, 0);
        break;
    }
    }
}
