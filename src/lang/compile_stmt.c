// Statements: blocks, loops, try, declarations.
#include "lang/compile_internal.h"

void sg_compile_block(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    if (!ast->n)
        sg_emit(fn, SG_BC_NOTHING, dst, 0, 0);
    for (uint32_t i = 0; i < ast->n; i++) {
        if (i + 1 == ast->n)
            sg_compile_to(fn, ast->kids[i], dst);
        else
            sg_compile_effect(fn, ast->kids[i]);
    }
}

// ---- leaving through finally --------------------------------------------------------------------

static void end_range(sg_fn *fn, sg_try *t)
{
    sg_handler range = {.from = t->from, .to = sg_here(fn)};
    if (range.from < range.to && !SG_PUSH(fn->vm->allocator, &t->ranges, range))
        sg_fn_error(fn, SG_E_MEMORY, fn->span, "out of memory while compiling");
}

// Runs the finally blocks between here and `until`, which stays open.
static void run_finally(sg_fn *fn, sg_try *until)
{
    sg_try *open = fn->tries;
    for (sg_try *t = open; t && t != until; t = t->up)
        end_range(fn, t);
    for (sg_try *t = open; t && t != until; t = t->up) {
        fn->tries = t->up;
        if (t->finally_block)
            sg_compile_effect(fn, t->finally_block);
    }
    fn->tries = open;
}

// After the jump has been made, the covered ranges go on.
static void resume_ranges(sg_fn *fn, sg_try *until)
{
    for (sg_try *t = fn->tries; t && t != until; t = t->up)
        t->from = sg_here(fn);
}

static void compile_return(sg_fn *fn, const sg_ast *ast)
{
    uint16_t r = sg_new_reg(fn);
    if (ast->n && ast->kids[0]->kind != SG_AST_NONE)
        sg_compile_to(fn, ast->kids[0], r);
    else
        sg_emit(fn, SG_BC_NOTHING, r, 0, 0);
    if (fn->return_type) {
        uint16_t type = sg_compile_any(fn, fn->return_type);
        sg_emit(fn, SG_BC_CONVERT, r, type, 0);
    }
    run_finally(fn, NULL);
    sg_emit(fn, SG_BC_RETURN, r, 0, 0);
    resume_ranges(fn, NULL);
}

static void compile_leave(sg_fn *fn, const sg_ast *ast)
{
    sg_loop *loop = fn->loops;
    bool is_break = ast->kind == SG_AST_BREAK;
    if (!loop) {
        sg_fn_error(fn, SG_E_SYNTAX, ast->span, "'%s' outside of a loop",
                    is_break ? "break" : "continue");
        return;
    }
    run_finally(fn, loop->tries);
    uint32_t jump = sg_emit_jump(fn, SG_BC_JUMP, 0);
    bool ok = is_break ? SG_PUSH(fn->vm->allocator, &loop->breaks, jump)
                       : SG_PUSH(fn->vm->allocator, &loop->continues, jump);
    if (!ok)
        sg_fn_error(fn, SG_E_MEMORY, fn->span, "out of memory while compiling");
    resume_ranges(fn, loop->tries);
}

// ---- try ----------------------------------------------------------------------------------------

static void add_handlers(sg_fn *fn, sg_try *t, uint32_t target, uint16_t reg)
{
    for (size_t i = 0; i < t->ranges.len; i++) {
        sg_handler handler = t->ranges.data[i];
        handler.target = target;
        handler.reg = reg;
        if (!SG_PUSH(fn->vm->allocator, &fn->handlers, handler))
            sg_fn_error(fn, SG_E_MEMORY, fn->span, "out of memory while compiling");
    }
    SG_VEC_FREE(fn->vm->allocator, &t->ranges);
}

static void local_body(sg_fn *fn, const sg_ast *body, uint16_t dst)
{
    sg_scope_mark mark = sg_scope_open(fn, SG_SCOPE_SOFT);
    sg_scope_names(fn, body);
    sg_compile_to(fn, body, dst);
    sg_scope_close(fn, mark);
}

static void compile_catch(sg_fn *fn, const sg_ast *name, const sg_ast *body, uint16_t exception,
                          uint16_t dst)
{
    sg_scope_mark mark = sg_scope_open(fn, SG_SCOPE_SOFT);
    if (name->kind == SG_AST_NAME) {
        uint16_t value = sg_new_reg(fn);
        sg_emit(fn, SG_BC_CAUGHT, value, exception, 0);
        sg_declare(fn, name->sym);
        sg_store_name(fn, name->sym, value);
    }
    uint16_t outer = fn->caught;
    fn->caught = exception;
    sg_scope_names(fn, body);
    sg_compile_to(fn, body, dst);
    fn->caught = outer;
    sg_scope_close(fn, mark);
}

static void compile_try(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    const sg_ast *body = ast->kids[0], *name = ast->kids[1];
    const sg_ast *handler = ast->kids[2], *last = ast->kids[3];
    bool has_catch = handler->kind != SG_AST_NONE, has_finally = last->kind != SG_AST_NONE;
    uint16_t exception = sg_new_reg(fn), result = sg_new_reg(fn);
    sg_try outer = {.up = fn->tries, .finally_block = has_finally ? last : NULL};
    outer.from = sg_here(fn);
    fn->tries = &outer;
    fn->level++;
    sg_emit(fn, SG_BC_NOTHING, result, 0, 0);

    sg_try inner = {.up = &outer, .from = sg_here(fn)};
    if (has_catch)
        fn->tries = &inner;
    local_body(fn, body, result);
    if (has_catch) {
        fn->tries = &outer;
        end_range(fn, &inner);
        uint32_t skip = sg_emit_jump(fn, SG_BC_JUMP, 0);
        add_handlers(fn, &inner, sg_here(fn), exception);
        compile_catch(fn, name, handler, exception, result);
        sg_patch(fn, skip);
    }
    fn->tries = outer.up;
    if (has_finally) {
        end_range(fn, &outer);
        sg_compile_effect(fn, last);
        uint32_t skip = sg_emit_jump(fn, SG_BC_JUMP, 0);
        add_handlers(fn, &outer, sg_here(fn), exception);
        // The finally block must not overwrite the exception it is about to pass on.
        sg_compile_effect(fn, last);
        sg_emit(fn, SG_BC_RETHROW, exception, 0, 0);
        sg_patch(fn, skip);
    }
    SG_VEC_FREE(fn->vm->allocator, &outer.ranges);
    fn->level--;
    sg_emit(fn, SG_BC_MOVE, dst, result, 0);
}

// ---- loops --------------------------------------------------------------------------------------

typedef struct nest {
    const sg_ast *const *iters;
    uint32_t n;
    sg_body_fn body;
    void *context;
    sg_loop *loop;
} nest;

static void close_jumps(sg_fn *fn, uint32_t *jumps, size_t n, uint32_t target)
{
    for (size_t i = 0; i < n; i++)
        sg_patch_to(fn, jumps[i], target);
}

// The loop variable: a name takes the register where the item appears, a tuple is taken apart.
static void bind_target(sg_fn *fn, const sg_ast *target, uint16_t item)
{
    if (target->kind == SG_AST_TYPED && target->n)
        target = target->kids[0];
    if (target->kind == SG_AST_NAME) {
        if (sg_map_get(&fn->captured, target->sym.i)) {
            sg_declare(fn, target->sym);
            sg_store_name(fn, target->sym, item);
        } else {
            sg_declare_at(fn, target->sym, item)->sure = true;
        }
        return;
    }
    if (target->kind != SG_AST_TUPLE) {
        sg_fn_error(fn, SG_E_SYNTAX, target->span, "expected a name to iterate with");
        return;
    }
    uint16_t parts = sg_regs(fn, target->n ? target->n : 1);
    fn->span = target->span;
    sg_emit(fn, SG_BC_DESTRUCT, parts, target->n, item);
    for (uint32_t i = 0; i < target->n; i++)
        bind_target(fn, target->kids[i], (uint16_t)(parts + i));
}

static void compile_nest(sg_fn *fn, const nest *nest_, uint32_t depth)
{
    if (depth == nest_->n) {
        nest_->body(fn, nest_->context);
        return;
    }
    const sg_ast *iter = nest_->iters[depth];
    const sg_ast *source = iter->kids[1];
    bool innermost = depth + 1 == nest_->n;
    sg_scope_mark mark = sg_scope_open(fn, SG_SCOPE_SOFT);
    bool range = source->kind == SG_AST_RANGE;
    uint16_t base = sg_regs(fn, range ? 4 : 3);
    if (range) {
        sg_compile_to(fn, source->kids[0], base);
        if (source->n == 3)
            sg_compile_to(fn, source->kids[1], (uint16_t)(base + 1));
        else
            sg_emit(fn, SG_BC_UNDEF, base + 1u, 0, 0);
        sg_compile_to(fn, source->kids[source->n - 1], (uint16_t)(base + 2));
        fn->span = source->span;
        sg_emit(fn, SG_BC_FOR_PREP, base, 0, 0);
    } else {
        sg_compile_to(fn, source, base);
        sg_emit_x(fn, SG_BC_LOADK, base + 1u, (int32_t)sg_constant(fn, sg_int(0)));
    }
    fn->span = source->span;
    uint32_t test = sg_here(fn);
    uint32_t exit = sg_emit_jump(fn, range ? SG_BC_FOR_FIRST : SG_BC_ITER, base);
    uint32_t body = sg_here(fn);
    fn->level++;
    bind_target(fn, iter->kids[0], (uint16_t)(base + (range ? 3 : 2)));
    compile_nest(fn, nest_, depth + 1);
    fn->level--;
    if (innermost)
        close_jumps(fn, nest_->loop->continues.data, nest_->loop->continues.len, sg_here(fn));
    fn->span = source->span;
    if (range)
        sg_patch_to(fn, sg_emit_jump(fn, SG_BC_FOR_LOOP, base), body);
    else
        sg_patch_to(fn, sg_emit_jump(fn, SG_BC_JUMP, 0), test);
    sg_patch(fn, exit);
    sg_scope_close(fn, mark);
}

void sg_compile_loops(sg_fn *fn, const sg_ast *const *iters, uint32_t n, sg_body_fn body,
                      void *context)
{
    sg_loop loop = {.up = fn->loops, .tries = fn->tries};
    fn->loops = &loop;
    nest all = {iters, n, body, context, &loop};
    compile_nest(fn, &all, 0);
    close_jumps(fn, loop.breaks.data, loop.breaks.len, sg_here(fn));
    SG_VEC_FREE(fn->vm->allocator, &loop.breaks);
    SG_VEC_FREE(fn->vm->allocator, &loop.continues);
    fn->loops = loop.up;
}

static void for_body(sg_fn *fn, void *context)
{
    const sg_ast *body = context;
    sg_scope_mark mark = sg_scope_open(fn, SG_SCOPE_SOFT);
    sg_scope_names(fn, body);
    sg_compile_effect(fn, body);
    sg_scope_close(fn, mark);
}

static void compile_for(sg_fn *fn, const sg_ast *ast)
{
    sg_compile_loops(fn, (const sg_ast *const *)ast->kids, ast->n - 1, for_body,
                     ast->kids[ast->n - 1]);
}

static void compile_while(sg_fn *fn, const sg_ast *ast)
{
    sg_loop loop = {.up = fn->loops, .tries = fn->tries};
    fn->loops = &loop;
    uint32_t top = sg_here(fn);
    sg_jumps exit = {0};
    sg_compile_branch(fn, ast->kids[0], false, &exit);
    fn->level++;
    for_body(fn, ast->kids[1]);
    fn->level--;
    close_jumps(fn, loop.continues.data, loop.continues.len, sg_here(fn));
    fn->span = ast->kids[0]->span;
    sg_patch_to(fn, sg_emit_jump(fn, SG_BC_JUMP_BACK, 0), top);
    sg_patch_all(fn, &exit);
    close_jumps(fn, loop.breaks.data, loop.breaks.len, sg_here(fn));
    SG_VEC_FREE(fn->vm->allocator, &loop.breaks);
    SG_VEC_FREE(fn->vm->allocator, &loop.continues);
    fn->loops = loop.up;
}

static void compile_let(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    sg_scope_mark mark = sg_scope_open(fn, SG_SCOPE_HARD);
    for (uint32_t i = 0; i + 1 < ast->n; i++) {
        const sg_ast *binding = ast->kids[i];
        if (binding->kind == SG_AST_NAME) {
            sg_declare(fn, binding->sym);
            continue;
        }
        if (binding->kind != SG_AST_ASSIGN) {
            sg_fn_error(fn, SG_E_SYNTAX, binding->span, "expected 'name = value' behind let");
            continue;
        }
        const sg_ast *target = binding->kids[0];
        uint16_t value = sg_new_reg(fn); // evaluated before the new name exists
        sg_compile_to(fn, binding->kids[1], value);
        if (target->kind == SG_AST_NAME) {
            sg_declare(fn, target->sym);
        } else {
            for (uint32_t k = 0; k < target->n; k++)
                if (target->kids[k]->kind == SG_AST_NAME &&
                    (target->kind == SG_AST_TUPLE || k == 0))
                    sg_declare(fn, target->kids[k]->sym);
        }
        sg_compile_store(fn, target, value, false);
    }
    const sg_ast *body = ast->kids[ast->n - 1];
    sg_scope_names(fn, body);
    sg_compile_to(fn, body, dst);
    sg_scope_close(fn, mark);
}

// ---- the table ----------------------------------------------------------------------------------

static void compile_declaration(sg_fn *fn, const sg_ast *ast, uint16_t dst, bool wanted)
{
    const sg_ast *what = ast->kids[0];
    bool is_const = ast->kind == SG_AST_CONST;
    if (ast->kind == SG_AST_GLOBAL && fn->top && !fn->n_scopes)
        is_const = false;
    if (what->kind == SG_AST_ASSIGN)
        sg_compile_assign(fn, what, dst, wanted, is_const);
    else if (what->kind == SG_AST_GLOBAL || what->kind == SG_AST_CONST)
        compile_declaration(fn, what, dst, wanted);
    else if (what->kind != SG_AST_NAME && what->kind != SG_AST_TUPLE && what->kind != SG_AST_TYPED)
        sg_compile_effect(fn, what);
    else if (wanted)
        sg_emit(fn, SG_BC_NOTHING, dst, 0, 0);
}

bool sg_compile_statement_kind(sg_fn *fn, const sg_ast *ast, uint16_t dst, bool wanted)
{
    bool nothing = false; // the statement has no value of its own
    switch (ast->kind) {
    case SG_AST_BLOCK:
        if (wanted) {
            sg_compile_block(fn, ast, dst);
        } else {
            for (uint32_t i = 0; i < ast->n; i++)
                sg_compile_effect(fn, ast->kids[i]);
        }
        return true;
    case SG_AST_IF:
        sg_compile_if(fn, ast, dst, wanted);
        return true;
    case SG_AST_ASSIGN:
        sg_compile_assign(fn, ast, dst, wanted, false);
        return true;
    case SG_AST_OPASSIGN:
        sg_compile_op_assign(fn, ast, wanted ? dst : sg_new_reg(fn));
        return true;
    case SG_AST_FUNCTION:
        sg_compile_function(fn, ast, dst, wanted);
        return true;
    case SG_AST_RETURN:
        compile_return(fn, ast);
        return true;
    case SG_AST_BREAK:
    case SG_AST_CONTINUE:
        compile_leave(fn, ast);
        return true;
    case SG_AST_FOR:
        compile_for(fn, ast);
        nothing = true;
        break;
    case SG_AST_WHILE:
        compile_while(fn, ast);
        nothing = true;
        break;
    case SG_AST_LET:
        compile_let(fn, ast, wanted ? dst : sg_new_reg(fn));
        return true;
    case SG_AST_TRY:
        compile_try(fn, ast, wanted ? dst : sg_new_reg(fn));
        return true;
    case SG_AST_STRUCT:
        sg_compile_struct(fn, ast);
        nothing = true;
        break;
    case SG_AST_ABSTRACT:
        sg_compile_abstract(fn, ast);
        nothing = true;
        break;
    case SG_AST_CONST:
    case SG_AST_GLOBAL:
    case SG_AST_LOCAL:
        compile_declaration(fn, ast, dst, wanted);
        return true;
    case SG_AST_DOC:
        if (wanted)
            sg_compile_to(fn, ast->kids[1], dst);
        else
            sg_compile_effect(fn, ast->kids[1]);
        return true;
    case SG_AST_EXPORT:
        nothing = true;
        break;
    case SG_AST_USING:
    case SG_AST_IMPORT:
    case SG_AST_MODULE:
        sg_fn_error(fn, SG_E_SYNTAX, ast->span, "this is possible at the top level of a file only");
        return true;
    case SG_AST_MACRODEF:
        sg_fn_error(fn, SG_E_UNSUPPORTED, ast->span, "macros cannot be defined in Segue");
        return true;
    default:
        return false;
    }
    if (nothing && wanted)
        sg_emit(fn, SG_BC_NOTHING, dst, 0, 0);
    return true;
}
