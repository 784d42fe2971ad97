// Scopes: which names are local, which are captured, where they live.
#include "lang/compile_internal.h"

static bool is_function_node(const sg_ast *ast)
{
    return ast->kind == SG_AST_FUNCTION || ast->kind == SG_AST_LAMBDA ||
           ast->kind == SG_AST_GENERATOR || ast->kind == SG_AST_STRUCT;
}

static void note_all_names(sg_fn *fn, const sg_ast *ast)
{
    if (ast->kind == SG_AST_NAME)
        sg_map_put(&fn->captured, ast->sym.i, 1);
    for (uint32_t i = 0; i < ast->n; i++)
        note_all_names(fn, ast->kids[i]);
}

void sg_note_captures(sg_fn *fn, const sg_ast *ast)
{
    if (is_function_node(ast)) {
        note_all_names(fn, ast);
        return;
    }
    for (uint32_t i = 0; i < ast->n; i++)
        sg_note_captures(fn, ast->kids[i]);
}

bool sg_mentions(const sg_ast *ast, sg_sym name)
{
    if (ast->kind == SG_AST_NAME && ast->sym.i == name.i)
        return true;
    for (uint32_t i = 0; i < ast->n; i++)
        if (sg_mentions(ast->kids[i], name))
            return true;
    return false;
}

// ---- looking up ---------------------------------------------------------------------------------

static int64_t find_local(const sg_fn *fn, sg_sym name)
{
    for (size_t i = fn->locals.len; i-- > 0;)
        if (fn->locals.data[i].name.i == name.i)
            return (int64_t)i;
    return -1;
}

// The index of the captured cell in fn, or -1 if the name is global.
static int64_t find_up(sg_fn *fn, sg_sym name)
{
    for (size_t i = 0; i < fn->ups.len; i++)
        if (fn->ups.data[i].name.i == name.i)
            return (int64_t)i;
    if (!fn->up)
        return -1;
    sg_up up = {.name = name};
    int64_t local = find_local(fn->up, name);
    if (local >= 0) {
        const sg_local *found = &fn->up->locals.data[local];
        if (found->is_global)
            return -1;
        if (!found->boxed) {
            sg_fn_error(fn, SG_E_UNSUPPORTED, fn->span, "'%s' cannot be captured here",
                        sg_vm_text(fn->vm, name));
            return -1;
        }
        up.from_local = true;
        up.index = found->reg;
    } else {
        int64_t outer = find_up(fn->up, name);
        if (outer < 0)
            return -1;
        up.index = (uint16_t)outer;
    }
    if (!SG_PUSH(fn->vm->allocator, &fn->ups, up))
        return -1;
    return (int64_t)fn->ups.len - 1;
}

sg_place sg_find_name(sg_fn *fn, sg_sym name)
{
    int64_t local = find_local(fn, name);
    if (local >= 0) {
        if (fn->locals.data[local].is_global)
            return (sg_place){.kind = SG_PLACE_GLOBAL};
        return (sg_place){.kind = SG_PLACE_LOCAL, .local = (uint32_t)local};
    }
    int64_t up = find_up(fn, name);
    if (up >= 0)
        return (sg_place){.kind = SG_PLACE_UP, .up = (uint16_t)up};
    return (sg_place){.kind = SG_PLACE_GLOBAL};
}

bool sg_is_local_name(sg_fn *fn, sg_sym name)
{
    return sg_find_name(fn, name).kind != SG_PLACE_GLOBAL;
}

uint32_t sg_global_constant(sg_fn *fn, sg_sym name)
{
    sg_cell *cell = sg_module_cell(fn->vm, fn->module, name);
    return sg_constant(fn, sg_object(cell));
}

void sg_load_name(sg_fn *fn, sg_sym name, uint16_t dst)
{
    sg_place place = sg_find_name(fn, name);
    if (place.kind == SG_PLACE_GLOBAL) {
        const sg_fn *root = fn;
        while (root->up)
            root = root->up;
        sg_value given;
        if (root->lookup && root->lookup(root->lookup_context, name, &given))
            sg_emit_x(fn, SG_BC_LOADK, dst, (int32_t)sg_constant(fn, given));
        else
            sg_emit_x(fn, SG_BC_GLOBAL, dst, (int32_t)sg_global_constant(fn, name));
        return;
    }
    if (place.kind == SG_PLACE_UP) {
        sg_emit(fn, SG_BC_UP, dst, place.up, 0);
        return;
    }
    const sg_local *local = &fn->locals.data[place.local];
    if (local->boxed) {
        sg_emit(fn, SG_BC_CELL, dst, local->reg, 0);
        return;
    }
    if (!local->sure)
        sg_emit_x(fn, SG_BC_CHECK, local->reg, (int32_t)sg_constant(fn, sg_symbol(name)));
    if (local->reg != dst)
        sg_emit(fn, SG_BC_MOVE, dst, local->reg, 0);
}

void sg_store_name(sg_fn *fn, sg_sym name, uint16_t src)
{
    sg_place place = sg_find_name(fn, name);
    if (place.kind == SG_PLACE_GLOBAL) {
        sg_cell *cell = sg_module_cell(fn->vm, fn->module, name);
        if (cell)
            cell->head.flags |= SG_CELL_ASSIGNED;
        sg_emit_x(fn, SG_BC_SET_GLOBAL, src, (int32_t)sg_constant(fn, sg_object(cell)));
        return;
    }
    if (place.kind == SG_PLACE_UP) {
        sg_emit(fn, SG_BC_SET_UP, src, place.up, 0);
        return;
    }
    sg_local *local = &fn->locals.data[place.local];
    if (local->boxed)
        sg_emit(fn, SG_BC_SET_CELL, local->reg, src, 0);
    else if (local->reg != src)
        sg_emit(fn, SG_BC_MOVE, local->reg, src, 0);
    local->assigned = true;
    if (fn->level == local->level)
        local->sure = true;
}

// ---- declaring ----------------------------------------------------------------------------------

sg_local *sg_declare_at(sg_fn *fn, sg_sym name, uint16_t reg)
{
    sg_local local = {.name = name,
                      .reg = reg,
                      .level = fn->level,
                      .boxed = sg_map_get(&fn->captured, name.i) != NULL};
    if (SG_PUSH(fn->vm->allocator, &fn->locals, local))
        return &fn->locals.data[fn->locals.len - 1];
    sg_fn_error(fn, SG_E_MEMORY, fn->span, "out of memory while compiling");
    return &fn->spare;
}

sg_local *sg_declare(sg_fn *fn, sg_sym name)
{
    uint16_t reg = sg_new_reg(fn);
    sg_local *local = sg_declare_at(fn, name, reg);
    if (local->boxed)
        sg_emit_x(fn, SG_BC_NEW_CELL, reg, (int32_t)sg_constant(fn, sg_symbol(name)));
    else if (fn->n_scopes > 1 || fn->top)
        sg_emit(fn, SG_BC_UNDEF, reg, 0, 0); // the register may hold an old value
    return local;
}

sg_scope_mark sg_scope_open(sg_fn *fn, sg_scope_kind kind)
{
    sg_scope_mark mark = {.n_locals = fn->locals.len, .next_reg = fn->next_reg, .kind = kind};
    fn->n_scopes++;
    if (kind == SG_SCOPE_HARD)
        fn->n_hard++;
    return mark;
}

void sg_scope_close(sg_fn *fn, sg_scope_mark mark)
{
    fn->locals.len = mark.n_locals;
    fn->next_reg = mark.next_reg;
    fn->n_scopes--;
    if (mark.kind == SG_SCOPE_HARD)
        fn->n_hard--;
}

// An assignment in this scope: declares a local unless the name is known already.
static void assigned_name(sg_fn *fn, sg_sym name, bool explicit_local, size_t scope_start)
{
    for (size_t i = scope_start; i < fn->locals.len; i++)
        if (fn->locals.data[i].name.i == name.i)
            return;
    if (!explicit_local) {
        if (sg_is_local_name(fn, name))
            return;
        int64_t declared = find_local(fn, name);
        if (declared >= 0) // by `global`
            return;
        if (fn->top && fn->n_hard == 0) {
            // Soft scope: a global that exists is meant.
            sg_cell *cell = sg_module_cell(fn->vm, fn->module, name);
            if (cell && (cell->value.tag != SG_UNDEF || cell->head.flags & SG_CELL_ASSIGNED))
                return;
        }
    }
    sg_declare(fn, name);
}

static void assigned_target(sg_fn *fn, const sg_ast *target, bool local, size_t start)
{
    switch (target->kind) {
    case SG_AST_NAME:
        assigned_name(fn, target->sym, local, start);
        break;
    case SG_AST_TYPED:
        if (target->n == 2)
            assigned_target(fn, target->kids[0], local, start);
        break;
    case SG_AST_SPLAT:
        assigned_target(fn, target->kids[0], local, start);
        break;
    case SG_AST_TUPLE:
    case SG_AST_PARAMETERS:
        for (uint32_t i = 0; i < target->n; i++)
            assigned_target(fn, target->kids[i], local, start);
        break;
    default:
        break;
    }
}

static void global_names(sg_fn *fn, const sg_ast *ast)
{
    const sg_ast *target =
        ast->kind == SG_AST_ASSIGN || ast->kind == SG_AST_OPASSIGN ? ast->kids[0] : ast;
    if (target->kind == SG_AST_TUPLE) {
        for (uint32_t i = 0; i < target->n; i++)
            global_names(fn, target->kids[i]);
        return;
    }
    if (target->kind == SG_AST_TYPED && target->n == 2)
        target = target->kids[0];
    if (target->kind != SG_AST_NAME)
        return;
    sg_local *local = sg_declare_at(fn, target->sym, 0);
    local->is_global = true;
}

static void collect(sg_fn *fn, const sg_ast *ast, size_t start)
{
    switch (ast->kind) {
    case SG_AST_FOR: // the iterables belong to this scope, the body has its own
        for (uint32_t i = 0; i + 1 < ast->n; i++)
            collect(fn, ast->kids[i]->kids[1], start);
        return;
    case SG_AST_WHILE:
        collect(fn, ast->kids[0], start);
        return;
    case SG_AST_LAMBDA:
    case SG_AST_GENERATOR:
    case SG_AST_COMPREHENSION:
    case SG_AST_LET:
    case SG_AST_TRY:
    case SG_AST_QUOTE:
    case SG_AST_STRUCT:
    case SG_AST_MODULE:
        return;
    case SG_AST_FUNCTION: {
        const sg_ast *sig = ast->kids[0];
        while (sig->n && (sig->kind == SG_AST_WHERE || sig->kind == SG_AST_TYPED))
            sig = sig->kids[0];
        if (sig->kind == SG_AST_CALL && sig->kids[0]->kind == SG_AST_NAME)
            assigned_name(fn, sig->kids[0]->sym, false, start);
        else if (sig->kind == SG_AST_NAME)
            assigned_name(fn, sig->sym, false, start);
        return;
    }
    case SG_AST_MACROCALL:
        if (!sg_macro_is_transparent(fn->vm, ast))
            return;
        break;
    case SG_AST_GLOBAL:
        global_names(fn, ast->kids[0]);
        break;
    case SG_AST_LOCAL: {
        const sg_ast *what = ast->kids[0];
        bool assigns = what->kind == SG_AST_ASSIGN;
        assigned_target(fn, assigns ? what->kids[0] : what, true, start);
        if (assigns)
            collect(fn, what->kids[1], start);
        return;
    }
    case SG_AST_ASSIGN:
        if (!(ast->flags & SG_AST_DOTTED))
            assigned_target(fn, ast->kids[0], false, start);
        break;
    case SG_AST_OPASSIGN:
        if (!(ast->flags & SG_AST_DOTTED) && ast->kids[0]->kind == SG_AST_NAME)
            assigned_name(fn, ast->kids[0]->sym, false, start);
        break;
    default:
        break;
    }
    for (uint32_t i = 0; i < ast->n; i++)
        collect(fn, ast->kids[i], start);
}

void sg_scope_names(sg_fn *fn, const sg_ast *body) { collect(fn, body, fn->locals.len); }
