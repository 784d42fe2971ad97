// Assignment in all its forms.
#include "lang/compile_internal.h"

// (a, b, c...) = value in `src`
static void store_tuple(sg_fn *fn, const sg_ast *target, uint16_t src, bool is_const)
{
    uint32_t n = target->n;
    if (n && target->kids[0]->kind == SG_AST_PARAMETERS) { // (; a, b) = x takes fields
        const sg_ast *fields = target->kids[0];
        for (uint32_t i = 0; i < fields->n; i++) {
            uint16_t r = sg_new_reg(fn);
            sg_emit(fn, SG_BC_FIELD, r, src, sg_constant(fn, sg_symbol(fields->kids[i]->sym)));
            sg_compile_store(fn, fields->kids[i], r, is_const);
        }
        return;
    }
    bool rest = n && target->kids[n - 1]->kind == SG_AST_SPLAT;
    uint32_t fixed = rest ? n - 1 : n;
    uint16_t base = sg_regs(fn, n ? n : 1);
    sg_emit(fn, SG_BC_DESTRUCT, base, fixed, src);
    if (rest) {
        uint16_t call = sg_regs(fn, 3);
        sg_load_base(fn, "rest", call);
        sg_emit(fn, SG_BC_MOVE, call + 1u, src, 0);
        sg_emit_x(fn, SG_BC_LOADK, call + 2u, (int32_t)sg_constant(fn, sg_int(fixed)));
        sg_emit_call(fn, call, 2);
        sg_emit(fn, SG_BC_MOVE, base + fixed, call, 0);
    }
    for (uint32_t i = 0; i < n; i++) {
        const sg_ast *item = target->kids[i];
        sg_compile_store(fn, item->kind == SG_AST_SPLAT ? item->kids[0] : item,
                         (uint16_t)(base + i), is_const);
    }
}

static void store_index(sg_fn *fn, const sg_ast *target, uint16_t src)
{
    uint16_t base = sg_regs(fn, target->n + 1);
    sg_compile_to(fn, target->kids[0], base);
    sg_compile_indices(fn, target, base);
    fn->span = target->span;
    if (target->n == 2) {
        sg_emit(fn, SG_BC_SET_INDEX1, base, base + 1u, src);
        return;
    }
    sg_emit(fn, SG_BC_MOVE, base + target->n, src, 0);
    sg_emit(fn, SG_BC_SET_INDEX, base, target->n - 1, 0);
}

void sg_compile_store(sg_fn *fn, const sg_ast *target, uint16_t src, bool is_const)
{
    uint32_t next = fn->next_reg;
    sg_span span = fn->span;
    fn->span = target->span;
    switch (target->kind) {
    case SG_AST_NAME:
        if (is_const && !sg_is_local_name(fn, target->sym)) {
            sg_cell *cell = sg_module_cell(fn->vm, fn->module, target->sym);
            if (cell)
                cell->head.flags |= SG_CELL_ASSIGNED;
            sg_emit_x(fn, SG_BC_CONST_GLOBAL, src, (int32_t)sg_constant(fn, sg_object(cell)));
        } else {
            sg_store_name(fn, target->sym, src);
        }
        break;
    case SG_AST_TYPED: { // x::T = value converts
        uint16_t base = sg_regs(fn, 2);
        sg_emit(fn, SG_BC_MOVE, base, src, 0);
        sg_compile_to(fn, target->kids[1], (uint16_t)(base + 1));
        sg_emit(fn, SG_BC_CONVERT, base, base + 1u, 0);
        sg_compile_store(fn, target->kids[0], base, is_const);
        break;
    }
    case SG_AST_FIELD: {
        uint16_t object = sg_compile_any(fn, target->kids[0]);
        fn->span = target->span;
        sg_emit(fn, SG_BC_SET_FIELD, object, src, sg_constant(fn, sg_symbol(target->sym)));
        break;
    }
    case SG_AST_INDEX:
        store_index(fn, target, src);
        break;
    case SG_AST_TUPLE:
        store_tuple(fn, target, src, is_const);
        break;
    case SG_AST_CURLY: // Name{T} = type: an alias with parameters
        sg_compile_store(fn, target->kids[0], src, is_const);
        break;
    default:
        sg_fn_error(fn, SG_E_SYNTAX, target->span, "a value cannot be assigned to this");
        break;
    }
    fn->span = span;
    sg_reg_drop(fn, next);
}

// x .= value changes the content of the array x.
static void assign_content(sg_fn *fn, const sg_ast *target, uint16_t value)
{
    if (target->kind == SG_AST_INDEX) {
        sg_compile_store(fn, target, value, false);
        return;
    }
    uint16_t call = sg_regs(fn, 3);
    sg_load_base(fn, "copyto!", call);
    sg_compile_to(fn, target, (uint16_t)(call + 1));
    sg_emit(fn, SG_BC_MOVE, call + 2u, value, 0);
    sg_emit_call(fn, call, 2);
}

void sg_compile_assign(sg_fn *fn, const sg_ast *ast, uint16_t dst, bool wanted, bool is_const)
{
    const sg_ast *target = ast->kids[0], *value = ast->kids[1];
    if (ast->flags & SG_AST_DOTTED) {
        uint16_t r = sg_compile_any(fn, value);
        fn->span = ast->span;
        assign_content(fn, target, r);
        if (wanted)
            sg_emit(fn, SG_BC_MOVE, dst, r, 0);
        return;
    }
    if (target->kind == SG_AST_NAME && !is_const) {
        sg_place place = sg_find_name(fn, target->sym);
        if (place.kind == SG_PLACE_LOCAL && !fn->locals.data[place.local].boxed) {
            uint16_t reg = fn->locals.data[place.local].reg;
            sg_compile_to(fn, value, reg);
            sg_store_name(fn, target->sym, reg);
            if (wanted && dst != reg)
                sg_emit(fn, SG_BC_MOVE, dst, reg, 0);
            return;
        }
    }
    // (a, b) = (b, a) without making a tuple
    if (target->kind == SG_AST_TUPLE && value->kind == SG_AST_TUPLE && target->n == value->n &&
        !wanted) {
        bool simple = true;
        for (uint32_t i = 0; i < target->n; i++)
            simple = simple && target->kids[i]->kind == SG_AST_NAME &&
                     value->kids[i]->kind != SG_AST_SPLAT && value->kids[i]->kind != SG_AST_KW &&
                     value->kids[i]->kind != SG_AST_PARAMETERS;
        if (simple && target->n) {
            uint16_t base = sg_regs(fn, target->n);
            for (uint32_t i = 0; i < target->n; i++)
                sg_compile_to(fn, value->kids[i], (uint16_t)(base + i));
            for (uint32_t i = 0; i < target->n; i++)
                sg_compile_store(fn, target->kids[i], (uint16_t)(base + i), is_const);
            return;
        }
    }
    uint16_t r = sg_compile_any(fn, value);
    sg_compile_store(fn, target, r, is_const);
    if (wanted && r != dst)
        sg_emit(fn, SG_BC_MOVE, dst, r, 0);
}

// ---- x += y -------------------------------------------------------------------------------------

// R[to] = R[a] op value
static void combine(sg_fn *fn, const sg_ast *ast, uint16_t a, uint16_t to)
{
    const char *text = sg_vm_text(fn->vm, ast->sym);
    bool dotted = ast->flags & SG_AST_DOTTED;
    static const struct {
        char sign;
        sg_bc op;
    } direct[] = {
        {'+', SG_BC_ADD}, {'-', SG_BC_SUB}, {'*', SG_BC_MUL}, {'/', SG_BC_DIV}, {'^', SG_BC_POW}};
    if (!dotted && text[0] && !text[1])
        for (size_t i = 0; i < SG_COUNT(direct); i++)
            if (direct[i].sign == text[0]) {
                uint16_t b = sg_compile_operand(fn, ast->kids[1]);
                fn->span = ast->span;
                sg_emit(fn, direct[i].op, to, a, b);
                return;
            }
    uint16_t call = sg_regs(fn, 3);
    sg_load_name(fn, ast->sym, call);
    sg_emit(fn, SG_BC_MOVE, call + 1u, a, 0);
    sg_compile_to(fn, ast->kids[1], (uint16_t)(call + 2));
    fn->span = ast->span;
    sg_emit(fn, dotted ? SG_BC_BROADCAST : SG_BC_CALL, call, 2, 0);
    sg_emit(fn, SG_BC_MOVE, to, call, 0);
}

void sg_compile_op_assign(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    const sg_ast *target = ast->kids[0];
    uint32_t next = fn->next_reg;
    if (ast->flags & SG_AST_DOTTED && target->kind != SG_AST_INDEX) {
        uint16_t r = sg_new_reg(fn);
        uint16_t a = sg_compile_any(fn, target);
        combine(fn, ast, a, r);
        assign_content(fn, target, r);
        sg_emit(fn, SG_BC_MOVE, dst, r, 0);
    } else if (target->kind == SG_AST_NAME) {
        uint16_t a = sg_compile_any(fn, target);
        sg_place place = sg_find_name(fn, target->sym);
        bool direct = place.kind == SG_PLACE_LOCAL && !fn->locals.data[place.local].boxed;
        uint16_t r = direct ? a : sg_new_reg(fn);
        combine(fn, ast, a, r);
        sg_store_name(fn, target->sym, r);
        if (dst != r)
            sg_emit(fn, SG_BC_MOVE, dst, r, 0);
    } else if (target->kind == SG_AST_INDEX) {
        uint16_t base = sg_regs(fn, target->n + 1);
        sg_compile_to(fn, target->kids[0], base);
        sg_compile_indices(fn, target, base);
        uint16_t at = sg_regs(fn, target->n);
        for (uint32_t i = 0; i < target->n; i++)
            sg_emit(fn, SG_BC_MOVE, at + i, base + i, 0);
        fn->span = target->span;
        sg_emit(fn, SG_BC_INDEX, at, target->n - 1, 0);
        combine(fn, ast, at, (uint16_t)(base + target->n));
        fn->span = target->span;
        sg_emit(fn, SG_BC_SET_INDEX, base, target->n - 1, 0);
        sg_emit(fn, SG_BC_MOVE, dst, base + target->n, 0);
    } else if (target->kind == SG_AST_FIELD) {
        uint16_t object = sg_compile_any(fn, target->kids[0]), r = sg_new_reg(fn);
        uint32_t name = sg_constant(fn, sg_symbol(target->sym));
        fn->span = target->span;
        sg_emit(fn, SG_BC_FIELD, r, object, name);
        combine(fn, ast, r, r);
        sg_emit(fn, SG_BC_SET_FIELD, object, r, name);
        sg_emit(fn, SG_BC_MOVE, dst, r, 0);
    } else {
        sg_fn_error(fn, SG_E_SYNTAX, target->span, "a value cannot be assigned to this");
    }
    sg_reg_drop(fn, next);
}
