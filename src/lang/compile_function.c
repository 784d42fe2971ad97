// Functions, lambdas, structs: signatures, defaults, keywords, captured variables.
#include "lang/compile_internal.h"
#include "lang/runtime.h"

#include <string.h>

typedef struct param {
    const sg_ast *target; // NAME or TUPLE; null for ::T alone
    const sg_ast *type, *value;
    bool rest;
} param;

typedef struct signature {
    SG_VEC(param) positional;
    SG_VEC(param) keywords;
    const sg_ast *callee, *return_type;
    SG_VEC(const sg_ast *) wheres; // NAME, or a call of <: with the bound
    uint32_t n_required;
    bool varargs, kwrest;
    sg_cell *struct_cell;
} signature;

static void free_signature(sg_fn *fn, signature *sig)
{
    SG_VEC_FREE(fn->vm->allocator, &sig->positional);
    SG_VEC_FREE(fn->vm->allocator, &sig->keywords);
    SG_VEC_FREE(fn->vm->allocator, &sig->wheres);
}

static param read_param(sg_fn *fn, const sg_ast *ast)
{
    param p = {0};
    if (ast->kind == SG_AST_SPLAT) {
        p = read_param(fn, ast->kids[0]);
        p.rest = true;
        return p;
    }
    if (ast->kind == SG_AST_KW) {
        p.target = ast; // the name is in sym
        p.value = ast->kids[0];
        p.type = ast->n > 1 ? ast->kids[1] : NULL;
        return p;
    }
    if (ast->kind == SG_AST_TYPED) {
        p.target = ast->n == 2 ? ast->kids[0] : NULL;
        p.type = ast->kids[ast->n - 1];
        return p;
    }
    if (ast->kind == SG_AST_ASSIGN && ast->kids[0]->kind == SG_AST_TYPED) { // (x::T = 1) -> x
        p = read_param(fn, ast->kids[0]);
        p.value = ast->kids[1];
        return p;
    }
    if (ast->kind == SG_AST_ASSIGN) {
        p.target = ast->kids[0];
        p.value = ast->kids[1];
        return p;
    }
    if (ast->kind != SG_AST_NAME && ast->kind != SG_AST_TUPLE)
        sg_fn_error(fn, SG_E_SYNTAX, ast->span, "expected the name of a parameter");
    p.target = ast;
    return p;
}

static void read_params(sg_fn *fn, const sg_ast *list, uint32_t first, signature *sig)
{
    const sg_allocator *allocator = fn->vm->allocator;
    bool ok = true;
    for (uint32_t i = first; i < list->n; i++) {
        const sg_ast *ast = list->kids[i];
        if (ast->kind == SG_AST_PARAMETERS) {
            for (uint32_t k = 0; k < ast->n; k++) {
                param p = read_param(fn, ast->kids[k]);
                sig->kwrest = sig->kwrest || p.rest;
                ok = ok && SG_PUSH(allocator, &sig->keywords, p);
            }
            continue;
        }
        param p = read_param(fn, ast);
        ok = ok && SG_PUSH(allocator, &sig->positional, p);
        if (p.rest)
            sig->varargs = true;
        else if (!p.value)
            sig->n_required = (uint32_t)sig->positional.len;
    }
    if (!ok)
        sg_fn_error(fn, SG_E_MEMORY, list->span, "out of memory while compiling");
}

// Takes `f(x::T; k = 1)::R where {T}` apart.
static bool read_signature(sg_fn *fn, const sg_ast *ast, signature *sig)
{
    while (ast->kind == SG_AST_WHERE || ast->kind == SG_AST_TYPED) {
        if (ast->kind == SG_AST_TYPED) {
            sig->return_type = ast->kids[ast->n - 1];
        } else {
            for (uint32_t i = 1; i < ast->n; i++)
                if (!SG_PUSH(fn->vm->allocator, &sig->wheres, ast->kids[i]))
                    sg_fn_error(fn, SG_E_MEMORY, ast->span, "out of memory while compiling");
        }
        ast = ast->kids[0];
    }
    if (ast->kind == SG_AST_TUPLE) {
        read_params(fn, ast, 0, sig);
        return true;
    }
    if (ast->kind != SG_AST_CALL) {
        sg_fn_error(fn, SG_E_SYNTAX, ast->span, "expected 'name(parameters)'");
        return false;
    }
    sig->callee = ast->kids[0];
    if (sig->callee->kind == SG_AST_TYPED) { // (f::T)(x): the instance is the first parameter
        param self = read_param(fn, sig->callee);
        sig->n_required = 1;
        if (!SG_PUSH(fn->vm->allocator, &sig->positional, self))
            sg_fn_error(fn, SG_E_MEMORY, ast->span, "out of memory while compiling");
    }
    read_params(fn, ast, 1, sig);
    return true;
}

static sg_sym where_name(const sg_ast *where)
{
    if (where->kind == SG_AST_NAME)
        return where->sym;
    if (where->kind == SG_AST_CALL && where->n == 3 && where->kids[1]->kind == SG_AST_NAME)
        return where->kids[1]->sym;
    if (where->kind == SG_AST_COMPARE && where->n == 5 && where->kids[2]->kind == SG_AST_NAME)
        return where->kids[2]->sym;
    return (sg_sym){0};
}

// ---- the body -----------------------------------------------------------------------------------

// Finds T in the annotation: 0 not there, 1 the annotation itself, j + 1 its j-th parameter.
static uint32_t find_in_type(const sg_ast *type, sg_sym name)
{
    if (!type)
        return 0;
    if (type->kind == SG_AST_NAME && type->sym.i == name.i)
        return 1;
    if (type->kind != SG_AST_CURLY)
        return 0;
    for (uint32_t i = 1; i < type->n; i++)
        if (type->kids[i]->kind == SG_AST_NAME && type->kids[i]->sym.i == name.i)
            return i + 1;
    return 0;
}

// Gives a type variable its value from the arguments, or from the type that was called.
static void bind_where(sg_fn *fn, const signature *sig, sg_sym name)
{
    uint16_t base = sg_regs(fn, 2);
    bool found = false;
    for (uint32_t i = 0; i < sig->positional.len && !found; i++) {
        uint32_t place = find_in_type(sig->positional.data[i].type, name);
        if (!place)
            continue;
        const sg_local *local = &fn->locals.data[i];
        sg_emit(fn, local->boxed ? SG_BC_CELL : SG_BC_MOVE, base, local->reg, 0);
        sg_emit_x(fn, SG_BC_LOADK, base + 1u, (int32_t)sg_constant(fn, sg_int(place - 1)));
        sg_emit_build(fn, base, 2, SG_BUILD_TYPE_OF_PARAM, 0);
        found = true;
    }
    if (!found) {
        uint32_t place = sig->callee ? find_in_type(sig->callee, name) : 0;
        if (place > 1)
            sg_emit(fn, SG_BC_CALLED, base, place - 1, 0);
        else
            sg_load_base(fn, "Any", base);
    }
    sg_declare(fn, name);
    sg_store_name(fn, name, base);
}

static void declare_param(sg_fn *fn, const param *p, uint16_t reg)
{
    sg_sym name = {0};
    if (p->target && (p->target->kind == SG_AST_NAME || p->target->kind == SG_AST_KW))
        name = p->target->sym;
    if (p->value) {
        uint32_t skip = sg_emit_jump(fn, SG_BC_JUMP_DEFINED, reg);
        fn->level++;
        sg_compile_to(fn, p->value, reg);
        fn->level--;
        sg_patch(fn, skip);
    }
    sg_local *local = sg_declare_at(fn, name, reg);
    local->sure = true;
    if (!name.i)
        local->boxed = false;
    if (local->boxed)
        sg_emit(fn, SG_BC_WRAP_CELL, reg, 0, 0);
}

static void unpack_params(sg_fn *fn, const signature *sig)
{
    for (uint32_t i = 0; i < sig->positional.len; i++) {
        const sg_ast *target = sig->positional.data[i].target;
        if (!target || target->kind != SG_AST_TUPLE)
            continue;
        for (uint32_t k = 0; k < target->n; k++)
            if (target->kids[k]->kind == SG_AST_NAME)
                sg_declare(fn, target->kids[k]->sym);
        sg_compile_store(fn, target, (uint16_t)i, false);
    }
}

static bool uses_name(const signature *sig, const sg_ast *body, sg_sym name)
{
    if (sg_mentions(body, name) || (sig->return_type && sg_mentions(sig->return_type, name)))
        return true;
    for (size_t i = 0; i < sig->keywords.len; i++)
        if (sig->keywords.data[i].value && sg_mentions(sig->keywords.data[i].value, name))
            return true;
    return false;
}

static void compile_prologue(sg_fn *fn, const signature *sig, const sg_ast *body)
{
    uint32_t n = (uint32_t)sig->positional.len, n_kw = (uint32_t)sig->keywords.len;
    sg_regs(fn, n + n_kw);
    for (uint32_t i = 0; i < n; i++)
        declare_param(fn, &sig->positional.data[i], (uint16_t)i);
    for (size_t i = 0; i < sig->wheres.len; i++) {
        sg_sym name = where_name(sig->wheres.data[i]);
        if (name.i && uses_name(sig, body, name))
            bind_where(fn, sig, name);
    }
    // The parameter that takes the remaining keywords comes last, wherever it was written.
    uint32_t at = n;
    for (uint32_t i = 0; i < n_kw; i++) {
        const param *p = &sig->keywords.data[i];
        if (p->rest)
            continue;
        if (!p->value && p->target) {
            fn->span = p->target->span;
            sg_emit_x(fn, SG_BC_REQUIRE, at, (int32_t)sg_constant(fn, sg_symbol(p->target->sym)));
        }
        declare_param(fn, p, (uint16_t)at++);
    }
    for (uint32_t i = 0; i < n_kw; i++)
        if (sig->keywords.data[i].rest)
            declare_param(fn, &sig->keywords.data[i], (uint16_t)at);
    unpack_params(fn, sig);
}

static bool describe_proto(sg_vm *vm, sg_proto *proto, const signature *sig)
{
    proto->n_params = (uint16_t)sig->positional.len;
    proto->n_required = (uint16_t)sig->n_required;
    proto->varargs = sig->varargs;
    proto->kwrest = sig->kwrest;
    uint32_t n = (uint32_t)sig->keywords.len - sig->kwrest;
    if (!n)
        return true;
    proto->kw_names = sg_heap_resize(vm, NULL, 0, n * sizeof(sg_sym));
    if (!proto->kw_names)
        return false;
    uint32_t k = 0;
    for (size_t i = 0; i < sig->keywords.len; i++)
        if (!sig->keywords.data[i].rest && sig->keywords.data[i].target)
            proto->kw_names[k++] = sig->keywords.data[i].target->sym;
    proto->n_kw = (uint16_t)n;
    return true;
}

// Keeps the tree of a function where it lives as long as the run.
static bool keep_tree(sg_vm *vm, sg_proto *proto, const signature *sig, const sg_ast *body)
{
    size_t n = sig->positional.len;
    if (!n || sig->return_type || sig->struct_cell ||
        !sg_arena_owns(&sg_runtime_of(vm)->trees, body))
        return true;
    proto->params = sg_heap_resize(vm, NULL, 0, n * sizeof(sg_sym));
    if (!proto->params)
        return false;
    for (size_t i = 0; i < n; i++) {
        const sg_ast *target = sig->positional.data[i].target;
        proto->params[i] = target && target->kind == SG_AST_NAME ? target->sym : (sg_sym){0};
    }
    proto->tree = body;
    return true;
}

// R[dst] = closure of the function.
static void compile_closure(sg_fn *fn, const signature *sig, const sg_ast *body, sg_sym name,
                            uint16_t dst)
{
    sg_fn child;
    sg_fn_open(&child, fn, fn->vm, fn->module, name);
    child.n_scopes = child.n_hard = 1;
    child.return_type = sig->return_type;
    child.struct_cell = sig->struct_cell;
    child.span = body->span;
    sg_note_captures(&child, body);
    for (size_t i = 0; i < sig->positional.len; i++)
        if (sig->positional.data[i].value)
            sg_note_captures(&child, sig->positional.data[i].value);
    for (size_t i = 0; i < sig->keywords.len; i++)
        if (sig->keywords.data[i].value)
            sg_note_captures(&child, sig->keywords.data[i].value);
    compile_prologue(&child, sig, body);
    sg_scope_names(&child, body);
    uint16_t result = sg_new_reg(&child);
    sg_compile_to(&child, body, result);
    if (sig->return_type) {
        uint16_t type = sg_compile_any(&child, sig->return_type);
        sg_emit(&child, SG_BC_CONVERT, result, type, 0);
    }
    sg_emit(&child, SG_BC_RETURN, result, 0, 0);
    SG_VEC(sg_up) ups = {child.ups.data, child.ups.len, child.ups.cap};
    child.ups.data = NULL;
    child.ups.len = child.ups.cap = 0;
    sg_proto *proto = sg_fn_close(&child);
    if (proto && (!describe_proto(fn->vm, proto, sig) || !keep_tree(fn->vm, proto, sig, body)))
        proto = NULL;
    if (proto) {
        sg_emit_x(fn, SG_BC_CLOSURE, dst, (int32_t)sg_constant(fn, sg_object(proto)));
        for (size_t i = 0; i < ups.len; i++)
            sg_emit(fn, SG_BC_CAPTURE, !ups.data[i].from_local, ups.data[i].index, 0);
    } else {
        fn->failed = true;
    }
    SG_VEC_FREE(fn->vm->allocator, &ups);
}

void sg_compile_lambda(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    signature sig = {0};
    if (read_signature(fn, ast->kids[0], &sig))
        compile_closure(fn, &sig, ast->kids[1], (sg_sym){0}, dst);
    free_signature(fn, &sig);
}

void sg_compile_small_lambda(sg_fn *fn, const sg_ast *target, const sg_ast *body, uint16_t dst)
{
    signature sig = {0};
    param p = read_param(fn, target);
    if (!SG_PUSH(fn->vm->allocator, &sig.positional, p))
        sg_fn_error(fn, SG_E_MEMORY, target->span, "out of memory while compiling");
    sig.n_required = 1;
    compile_closure(fn, &sig, body, (sg_sym){0}, dst);
    free_signature(fn, &sig);
}

// ---- definitions --------------------------------------------------------------------------------

// Declares the type variables of `where` around the annotations.
static void declare_type_vars(sg_fn *fn, const signature *sig)
{
    for (size_t i = 0; i < sig->wheres.len; i++) {
        const sg_ast *where = sig->wheres.data[i];
        sg_sym name = where_name(where);
        if (!name.i)
            continue;
        uint16_t base = sg_regs(fn, 2);
        sg_emit_x(fn, SG_BC_LOADK, base, (int32_t)sg_constant(fn, sg_symbol(name)));
        if (where->kind == SG_AST_CALL)
            sg_compile_to(fn, where->kids[2], (uint16_t)(base + 1));
        else if (where->kind == SG_AST_COMPARE)
            sg_compile_to(fn, where->kids[4], (uint16_t)(base + 1));
        else
            sg_emit(fn, SG_BC_NOTHING, base + 1u, 0, 0);
        sg_emit_build(fn, base, 2, SG_BUILD_TYPE_VAR, 0);
        sg_declare(fn, name);
        sg_store_name(fn, name, base);
    }
}

static void compile_types(sg_fn *fn, const signature *sig, uint16_t base)
{
    for (uint32_t i = 0; i < sig->positional.len; i++) {
        uint16_t r = (uint16_t)(base + i);
        if (sig->positional.data[i].type)
            sg_compile_to(fn, sig->positional.data[i].type, r);
        else
            sg_emit(fn, SG_BC_NOTHING, r, 0, 0);
    }
}

// R[dst] = the function that the definition adds to.
static sg_sym compile_owner(sg_fn *fn, const sg_ast *callee, uint16_t dst)
{
    if (callee->kind == SG_AST_CURLY)
        callee = callee->kids[0];
    sg_operator op;
    if (callee->kind == SG_AST_TYPED) {
        sg_compile_to(fn, callee->kids[callee->n - 1], dst);
        sg_emit(fn, SG_BC_CALLER, dst, dst, 0);
        return (sg_sym){0};
    }
    if (callee->kind == SG_AST_FIELD) {
        sg_compile_to(fn, callee, dst);
        sg_emit(fn, SG_BC_EXTEND, dst, dst, 0);
        return callee->sym;
    }
    if (callee->kind != SG_AST_NAME) {
        sg_fn_error(fn, SG_E_UNSUPPORTED, callee->span,
                    "a method can be added to a name or to Module.name");
        return (sg_sym){0};
    }
    if (sg_operator_of(fn, callee, 2, &op) || sg_operator_of(fn, callee, 1, &op)) {
        sg_load_base(fn, sg_vm_text(fn->vm, callee->sym), dst);
        sg_emit(fn, SG_BC_EXTEND, dst, dst, 0);
        return callee->sym;
    }
    sg_place place = sg_find_name(fn, callee->sym);
    if (place.kind == SG_PLACE_GLOBAL) {
        sg_cell *cell = sg_module_cell(fn->vm, fn->module, callee->sym);
        if (cell)
            cell->head.flags |= SG_CELL_ASSIGNED;
        sg_emit_x(fn, SG_BC_FUNCTION, dst, (int32_t)sg_constant(fn, sg_object(cell)));
        return callee->sym;
    }
    bool again = place.kind == SG_PLACE_LOCAL && fn->locals.data[place.local].is_function;
    if (again) {
        sg_load_name(fn, callee->sym, dst);
        return callee->sym;
    }
    sg_emit_x(fn, SG_BC_NEW_FUNCTION, dst, (int32_t)sg_constant(fn, sg_symbol(callee->sym)));
    sg_store_name(fn, callee->sym, dst);
    if (place.kind == SG_PLACE_LOCAL)
        fn->locals.data[place.local].is_function = true;
    return callee->sym;
}

static void compile_definition(sg_fn *fn, const sg_ast *ast, uint16_t dst, bool wanted,
                               sg_cell *struct_cell)
{
    signature sig = {.struct_cell = struct_cell};
    const sg_ast *head = ast->kids[0];
    if (head->kind == SG_AST_NAME) { // function f end
        uint16_t r = sg_new_reg(fn);
        compile_owner(fn, head, r);
        if (wanted)
            sg_emit(fn, SG_BC_MOVE, dst, r, 0);
        return;
    }
    if (read_signature(fn, head, &sig)) {
        if (!sig.callee) { // function (x) .. end
            compile_closure(fn, &sig, ast->kids[1], (sg_sym){0}, wanted ? dst : sg_new_reg(fn));
        } else {
            sg_scope_mark mark = sg_scope_open(fn, SG_SCOPE_HARD);
            uint16_t base = sg_regs(fn, (uint32_t)sig.positional.len + 2);
            sg_sym name = compile_owner(fn, sig.callee, (uint16_t)(base + 1));
            compile_closure(fn, &sig, ast->kids[1], name, base);
            declare_type_vars(fn, &sig);
            compile_types(fn, &sig, (uint16_t)(base + 2));
            fn->span = head->span;
            sg_emit(fn, SG_BC_METHOD, base, (uint32_t)sig.positional.len, 0);
            if (wanted)
                sg_emit(fn, SG_BC_MOVE, dst, base + 1u, 0);
            sg_scope_close(fn, mark);
        }
    }
    free_signature(fn, &sig);
}

void sg_compile_function(sg_fn *fn, const sg_ast *ast, uint16_t dst, bool wanted)
{
    compile_definition(fn, ast, dst, wanted, NULL);
}

// ---- types --------------------------------------------------------------------------------------

typedef struct type_head {
    sg_sym name;
    const sg_ast *curly, *super;
} type_head;

static bool read_type_head(sg_fn *fn, const sg_ast *ast, type_head *head)
{
    *head = (type_head){0};
    if (ast->kind == SG_AST_TYPED && ast->n == 2) {
        head->super = ast->kids[1];
        ast = ast->kids[0];
    }
    if (ast->kind == SG_AST_CURLY) {
        head->curly = ast;
        ast = ast->kids[0];
    }
    if (ast->kind != SG_AST_NAME) {
        sg_fn_error(fn, SG_E_SYNTAX, ast->span, "expected the name of a type");
        return false;
    }
    head->name = ast->sym;
    return true;
}

static void compile_field_items(sg_fn *fn, const sg_ast *body, uint32_t *n)
{
    for (uint32_t i = 0; i < body->n; i++) {
        const sg_ast *field = body->kids[i];
        if (field->kind == SG_AST_CONST || field->kind == SG_AST_DOC)
            field = field->kids[field->n - 1];
        if (field->kind == SG_AST_FUNCTION || field->kind == SG_AST_STRING)
            continue;
        if (field->kind == SG_AST_ASSIGN) // a default value, taken by @kwdef
            field = field->kids[0];
        const sg_ast *name = field->kind == SG_AST_TYPED && field->n == 2 ? field->kids[0] : field;
        if (name->kind != SG_AST_NAME) {
            sg_fn_error(fn, SG_E_SYNTAX, field->span, "expected the name of a field");
            continue;
        }
        uint16_t r = sg_regs(fn, 2);
        sg_emit_x(fn, SG_BC_LOADK, r, (int32_t)sg_constant(fn, sg_symbol(name->sym)));
        if (field->kind == SG_AST_TYPED)
            sg_compile_to(fn, field->kids[1], (uint16_t)(r + 1));
        else
            sg_emit(fn, SG_BC_NOTHING, r + 1u, 0, 0);
        *n += 2;
    }
}

static const sg_ast *unwrap_doc(const sg_ast *ast)
{
    return ast->kind == SG_AST_DOC ? ast->kids[1] : ast;
}

static void compile_type_head(sg_fn *fn, const type_head *head, const sg_ast *body, uint8_t flags,
                              bool is_abstract, sg_cell *cell)
{
    bool inner = false;
    for (uint32_t i = 0; body && i < body->n; i++)
        inner = inner || unwrap_doc(body->kids[i])->kind == SG_AST_FUNCTION;
    sg_scope_mark mark = sg_scope_open(fn, SG_SCOPE_HARD);
    signature params = {0};
    for (uint32_t i = 1; head->curly && i < head->curly->n; i++)
        if (!SG_PUSH(fn->vm->allocator, &params.wheres, head->curly->kids[i]))
            sg_fn_error(fn, SG_E_MEMORY, fn->span, "out of memory while compiling");
    declare_type_vars(fn, &params);
    free_signature(fn, &params);
    uint16_t base = sg_regs(fn, 4);
    uint32_t n = 4;
    sg_emit_x(fn, SG_BC_LOADK, base, (int32_t)sg_constant(fn, sg_symbol(head->name)));
    if (head->super)
        sg_compile_to(fn, head->super, (uint16_t)(base + 1));
    else
        sg_emit(fn, SG_BC_NOTHING, base + 1u, 0, 0);
    int64_t bits = (flags & SG_AST_MUTABLE ? 1 : 0) | (is_abstract ? 2 : 0) | (inner ? 4 : 0);
    sg_emit_x(fn, SG_BC_LOADK, base + 2u, (int32_t)sg_constant(fn, sg_int(bits)));
    sg_tuple *vars = sg_tuple_make(fn->vm, head->curly ? head->curly->n - 1 : 0);
    for (uint32_t i = 0; vars && i < vars->n; i++)
        vars->items[i] = sg_symbol(where_name(head->curly->kids[i + 1]));
    sg_emit_x(fn, SG_BC_LOADK, base + 3u, (int32_t)sg_constant(fn, sg_object(vars)));
    if (body)
        compile_field_items(fn, body, &n);
    sg_emit_build(fn, base, n, SG_BUILD_STRUCT, 0);
    if (cell)
        cell->head.flags |= SG_CELL_ASSIGNED;
    sg_emit_x(fn, SG_BC_SET_GLOBAL, base, (int32_t)sg_constant(fn, sg_object(cell)));
    sg_scope_close(fn, mark);
}

void sg_compile_struct(sg_fn *fn, const sg_ast *ast)
{
    type_head head;
    if (!read_type_head(fn, ast->kids[0], &head))
        return;
    sg_cell *cell = sg_module_cell(fn->vm, fn->module, head.name);
    const sg_ast *body = ast->kids[1];
    compile_type_head(fn, &head, body, ast->flags, false, cell);
    for (uint32_t i = 0; i < body->n; i++) {
        const sg_ast *item = unwrap_doc(body->kids[i]);
        if (item->kind != SG_AST_FUNCTION)
            continue;
        uint32_t next = fn->next_reg;
        compile_definition(fn, item, 0, false, cell);
        sg_reg_drop(fn, next);
    }
}

void sg_compile_abstract(sg_fn *fn, const sg_ast *ast)
{
    type_head head;
    if (!read_type_head(fn, ast->kids[0], &head))
        return;
    compile_type_head(fn, &head, NULL, 0, true, sg_module_cell(fn->vm, fn->module, head.name));
}
