// Expressions: literals, names, operators, quotes.
#include "lang/compile_internal.h"

#include <string.h>

sg_value sg_literal_string(sg_fn *fn, const char *text, size_t length)
{
    return sg_object(sg_string_make(fn->vm, text, length));
}

void sg_emit_build(sg_fn *fn, uint16_t base, uint32_t n, sg_build what, uint32_t extra)
{
    sg_emit(fn, SG_BC_BUILD, base, n, 0);
    sg_emit(fn, SG_BC_CAPTURE, 0, what, extra);
}

void sg_load_base(sg_fn *fn, const char *name, uint16_t dst)
{
    sg_cell *cell = sg_module_cell(fn->vm, fn->vm->base, sg_fn_sym(fn, name));
    sg_emit_x(fn, SG_BC_GLOBAL, dst, (int32_t)sg_constant(fn, sg_object(cell)));
}

void sg_emit_call(sg_fn *fn, uint16_t base, uint32_t n) { sg_emit(fn, SG_BC_CALL, base, n, 0); }

// The value of a literal, or undefined for anything else.
static sg_value literal(sg_fn *fn, const sg_ast *ast)
{
    switch (ast->kind) {
    case SG_AST_INT:
        return sg_int(ast->i);
    case SG_AST_FLOAT:
        return sg_float(ast->d);
    case SG_AST_FLOAT32:
        return (sg_value){.tag = SG_FLOAT32, .d = (double)(float)ast->d};
    case SG_AST_BOOL:
        return sg_bool(ast->i != 0);
    case SG_AST_CHAR:
        return (sg_value){.tag = SG_CHAR, .i = ast->i};
    case SG_AST_SYMBOL:
        return sg_symbol(ast->sym);
    case SG_AST_COLON:
        return (sg_value){.tag = SG_COLON};
    case SG_AST_STRING:
        return sg_literal_string(fn, ast->text.bytes, ast->text.len);
    case SG_AST_VALUE:
        return ast->value;
    default:
        return (sg_value){.tag = SG_UNDEF};
    }
}

static bool is_literal(const sg_ast *ast)
{
    return ast->kind == SG_AST_INT || ast->kind == SG_AST_FLOAT || ast->kind == SG_AST_FLOAT32 ||
           ast->kind == SG_AST_BOOL || ast->kind == SG_AST_CHAR || ast->kind == SG_AST_SYMBOL ||
           ast->kind == SG_AST_COLON || ast->kind == SG_AST_STRING || ast->kind == SG_AST_VALUE;
}

uint16_t sg_compile_any(sg_fn *fn, const sg_ast *ast)
{
    if (ast->kind == SG_AST_NAME) {
        sg_place place = sg_find_name(fn, ast->sym);
        if (place.kind == SG_PLACE_LOCAL && !fn->locals.data[place.local].boxed) {
            const sg_local *local = &fn->locals.data[place.local];
            fn->span = ast->span;
            if (!local->sure)
                sg_emit_x(fn, SG_BC_CHECK, local->reg,
                          (int32_t)sg_constant(fn, sg_symbol(ast->sym)));
            return local->reg;
        }
    }
    uint16_t dst = sg_new_reg(fn);
    sg_compile_to(fn, ast, dst);
    return dst;
}

uint16_t sg_compile_operand(sg_fn *fn, const sg_ast *ast)
{
    if (is_literal(ast)) {
        uint32_t k = sg_constant(fn, literal(fn, ast));
        if (k < 0x7FFF)
            return (uint16_t)(k | SG_RK);
    }
    return sg_compile_any(fn, ast);
}

void sg_compile_effect(sg_fn *fn, const sg_ast *ast)
{
    uint32_t next = fn->next_reg;
    sg_span span = fn->span;
    fn->span = ast->span;
    if (ast->kind != SG_AST_NONE && !sg_compile_statement_kind(fn, ast, 0, false))
        sg_compile_to(fn, ast, sg_new_reg(fn));
    fn->span = span;
    sg_reg_drop(fn, next);
}

// ---- operators ----------------------------------------------------------------------------------

bool sg_operator_of(sg_fn *fn, const sg_ast *callee, uint32_t n_args, sg_operator *op)
{
    if (callee->kind != SG_AST_NAME)
        return false;
    const char *text = sg_vm_text(fn->vm, callee->sym);
    unsigned char c = (unsigned char)text[0];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (letter && strcmp(text, "in") != 0)
        return false;
    int first = n_args == 1 ? SG_OPER_NEG : 0, last = n_args == 1 ? SG_OPER_COUNT : SG_OPER_NEG;
    for (int i = first; i < last; i++)
        if (strcmp(sg_operator_text((sg_operator)i), text) == 0) {
            *op = (sg_operator)i;
            return !sg_is_local_name(fn, callee->sym);
        }
    return false;
}

static bool plain_args(const sg_ast *call)
{
    for (uint32_t i = 1; i < call->n; i++)
        if (call->kids[i]->kind == SG_AST_SPLAT || call->kids[i]->kind == SG_AST_KW ||
            call->kids[i]->kind == SG_AST_PARAMETERS)
            return false;
    return true;
}

static void emit_binary(sg_fn *fn, sg_operator op, uint16_t b, uint16_t c, uint16_t dst)
{
    static const sg_bc direct[] = {
        [SG_OPER_ADD] = SG_BC_ADD, [SG_OPER_SUB] = SG_BC_SUB, [SG_OPER_MUL] = SG_BC_MUL,
        [SG_OPER_DIV] = SG_BC_DIV, [SG_OPER_POW] = SG_BC_POW, [SG_OPER_EQ] = SG_BC_EQ,
        [SG_OPER_NE] = SG_BC_NE,   [SG_OPER_LT] = SG_BC_LT,   [SG_OPER_LE] = SG_BC_LE};
    if (op <= SG_OPER_LE) {
        sg_emit(fn, direct[op], dst, b, c);
        return;
    }
    // Results go to a fresh register, since dst may be an operand.
    uint16_t base = sg_regs(fn, 2);
    const uint16_t from[2] = {b, c};
    for (uint32_t i = 0; i < 2; i++) {
        if (from[i] & SG_RK)
            sg_emit_x(fn, SG_BC_LOADK, base + i, from[i] & ~SG_RK);
        else
            sg_emit(fn, SG_BC_MOVE, base + i, from[i], 0);
    }
    sg_emit(fn, SG_BC_BINARY, base, base + 1u, op);
    sg_emit(fn, SG_BC_MOVE, dst, base, 0);
}

static void compile_operator(sg_fn *fn, const sg_ast *call, sg_operator op, uint16_t dst)
{
    uint32_t next = fn->next_reg;
    sg_span span = fn->span;
    if (call->n == 2) {
        uint16_t a = sg_compile_any(fn, call->kids[1]);
        fn->span = span;
        if (op == SG_OPER_NEG || op == SG_OPER_NOT)
            sg_emit(fn, op == SG_OPER_NEG ? SG_BC_NEG : SG_BC_NOT, dst, a, 0);
        else
            sg_emit(fn, SG_BC_UNARY, dst, a, op);
        sg_reg_drop(fn, next);
        return;
    }
    uint16_t left = sg_compile_operand(fn, call->kids[1]);
    for (uint32_t i = 2; i < call->n; i++) { // a + b + c from the left
        uint16_t right = sg_compile_operand(fn, call->kids[i]);
        fn->span = call->n > 3 ? sg_span_join(call->kids[1]->span, call->kids[i]->span) : span;
        bool last = i + 1 == call->n;
        uint16_t to = last ? dst : sg_new_reg(fn);
        emit_binary(fn, op, left, right, to);
        left = to;
    }
    fn->span = span;
    sg_reg_drop(fn, next);
}

// ---- conditions ---------------------------------------------------------------------------------

static void push_jump(sg_fn *fn, sg_jumps *jumps, uint32_t jump)
{
    if (!SG_PUSH(fn->vm->allocator, jumps, jump))
        sg_fn_error(fn, SG_E_MEMORY, fn->span, "out of memory while compiling");
}

static bool compile_comparison(sg_fn *fn, const sg_ast *ast, bool when, sg_jumps *jumps)
{
    sg_operator op;
    if (ast->kind != SG_AST_CALL || ast->n != 3 || ast->flags & SG_AST_DOTTED ||
        !sg_operator_of(fn, ast->kids[0], 2, &op) || op < SG_OPER_EQ || op > SG_OPER_GE ||
        !plain_args(ast))
        return false;
    uint32_t next = fn->next_reg;
    uint16_t a = sg_compile_operand(fn, ast->kids[1]), b = sg_compile_operand(fn, ast->kids[2]);
    fn->span = ast->span;
    if (op == SG_OPER_GT || op == SG_OPER_GE) {
        uint16_t t = a;
        a = b;
        b = t;
    }
    if (op == SG_OPER_NE)
        when = !when;
    sg_bc code = op == SG_OPER_EQ || op == SG_OPER_NE   ? SG_BC_IF_EQ
                 : op == SG_OPER_LT || op == SG_OPER_GT ? SG_BC_IF_LT
                                                        : SG_BC_IF_LE;
    sg_emit(fn, code, when, a, b);
    push_jump(fn, jumps, sg_emit_jump(fn, SG_BC_JUMP, 0));
    sg_reg_drop(fn, next);
    return true;
}

void sg_compile_branch(sg_fn *fn, const sg_ast *ast, bool when, sg_jumps *jumps)
{
    sg_operator op;
    sg_span span = fn->span;
    fn->span = ast->span;
    if (ast->kind == SG_AST_AND || ast->kind == SG_AST_OR) {
        bool same = (ast->kind == SG_AST_OR) == when;
        if (same) { // either side alone decides for the jump
            sg_compile_branch(fn, ast->kids[0], when, jumps);
            fn->level++;
            sg_compile_branch(fn, ast->kids[1], when, jumps);
            fn->level--;
        } else {
            sg_jumps skip = {0};
            sg_compile_branch(fn, ast->kids[0], !when, &skip);
            fn->level++;
            sg_compile_branch(fn, ast->kids[1], when, jumps);
            fn->level--;
            sg_patch_all(fn, &skip);
        }
    } else if (ast->kind == SG_AST_CALL && ast->n == 2 && !(ast->flags & SG_AST_DOTTED) &&
               sg_operator_of(fn, ast->kids[0], 1, &op) && op == SG_OPER_NOT && plain_args(ast)) {
        sg_compile_branch(fn, ast->kids[1], !when, jumps);
    } else if (!compile_comparison(fn, ast, when, jumps)) {
        uint32_t next = fn->next_reg;
        uint16_t r = sg_compile_any(fn, ast);
        fn->span = ast->span;
        push_jump(fn, jumps, sg_emit_jump(fn, when ? SG_BC_JUMP_IF : SG_BC_JUMP_UNLESS, r));
        sg_reg_drop(fn, next);
    }
    fn->span = span;
}

// a && b as a value: b is evaluated only if a is true, and may be anything (an error, a break).
static void compile_short_circuit(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    sg_jumps skip = {0};
    bool is_and = ast->kind == SG_AST_AND;
    uint16_t r = sg_new_reg(fn); // dst may be a variable of the second part
    sg_compile_to(fn, ast->kids[0], r);
    push_jump(fn, &skip, sg_emit_jump(fn, is_and ? SG_BC_JUMP_UNLESS : SG_BC_JUMP_IF, r));
    fn->level++;
    sg_compile_to(fn, ast->kids[1], r);
    fn->level--;
    sg_patch_all(fn, &skip);
    sg_emit(fn, SG_BC_MOVE, dst, r, 0);
}

void sg_compile_if(sg_fn *fn, const sg_ast *ast, uint16_t dst, bool wanted)
{
    sg_jumps otherwise = {0};
    sg_compile_branch(fn, ast->kids[0], false, &otherwise);
    fn->level++;
    if (wanted)
        sg_compile_to(fn, ast->kids[1], dst);
    else
        sg_compile_effect(fn, ast->kids[1]);
    bool has_else = ast->n > 2 && ast->kids[2]->kind != SG_AST_NONE;
    if (has_else || wanted) {
        uint32_t end = sg_emit_jump(fn, SG_BC_JUMP, 0);
        sg_patch_all(fn, &otherwise);
        if (!has_else)
            sg_emit(fn, SG_BC_NOTHING, dst, 0, 0);
        else if (wanted)
            sg_compile_to(fn, ast->kids[2], dst);
        else
            sg_compile_effect(fn, ast->kids[2]);
        sg_patch(fn, end);
    } else {
        sg_patch_all(fn, &otherwise);
    }
    fn->level--;
}

// a < b <= c: every operand is evaluated once.
static void compile_chain(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    bool dotted = false;
    for (uint32_t i = 1; i < ast->n; i += 2)
        dotted = dotted || ast->kids[i]->flags & SG_AST_DOTTED;
    sg_jumps out = {0};
    uint16_t result = sg_new_reg(fn), left = sg_new_reg(fn), right = sg_new_reg(fn);
    sg_compile_to(fn, ast->kids[0], left);
    for (uint32_t i = 1; i + 1 < ast->n; i += 2) {
        sg_compile_to(fn, ast->kids[i + 1], right);
        uint16_t call = sg_regs(fn, 4);
        sg_load_name(fn, ast->kids[i]->sym, call);
        sg_emit(fn, SG_BC_MOVE, call + 1u, left, 0);
        sg_emit(fn, SG_BC_MOVE, call + 2u, right, 0);
        sg_emit(fn, dotted ? SG_BC_BROADCAST : SG_BC_CALL, call, 2, 0);
        if (dotted && i > 1) {
            sg_emit(fn, SG_BC_MOVE, call + 2u, call, 0);
            sg_load_base(fn, "&", call);
            sg_emit(fn, SG_BC_MOVE, call + 1u, result, 0);
            sg_emit(fn, SG_BC_BROADCAST, call, 2, 0);
        }
        sg_emit(fn, SG_BC_MOVE, result, call, 0);
        sg_reg_drop(fn, call);
        if (!dotted)
            push_jump(fn, &out, sg_emit_jump(fn, SG_BC_JUMP_UNLESS, result));
        sg_emit(fn, SG_BC_MOVE, left, right, 0);
    }
    sg_patch_all(fn, &out);
    sg_emit(fn, SG_BC_MOVE, dst, result, 0);
}

static void compile_call_node(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    sg_operator op;
    if (!(ast->flags & SG_AST_DOTTED) && ast->n >= 2 && plain_args(ast) &&
        sg_operator_of(fn, ast->kids[0], ast->n - 1, &op)) {
        bool chains = op == SG_OPER_ADD || op == SG_OPER_MUL;
        if (ast->n <= 3 || chains) {
            compile_operator(fn, ast, op, dst);
            return;
        }
    }
    sg_compile_call(fn, ast, NULL, dst);
}

// ---- quotes -------------------------------------------------------------------------------------

static void compile_holes(sg_fn *fn, const sg_ast *ast, uint32_t *n)
{
    if (ast->kind == SG_AST_INTERPOLATE) {
        const sg_ast *expr = ast->kids[0]; // $(list...) is spread when the quote is filled
        sg_compile_to(fn, expr->kind == SG_AST_SPLAT ? expr->kids[0] : expr, sg_new_reg(fn));
        (*n)++;
        return;
    }
    for (uint32_t i = 0; i < ast->n; i++)
        compile_holes(fn, ast->kids[i], n);
}

void sg_compile_quote(sg_fn *fn, const sg_ast *tree, uint16_t dst)
{
    if (tree->kind == SG_AST_NAME || is_literal(tree)) { // a name is quoted as a symbol
        sg_value leaf = tree->kind == SG_AST_NAME ? sg_symbol(tree->sym) : literal(fn, tree);
        sg_emit_x(fn, SG_BC_LOADK, dst, (int32_t)sg_constant(fn, leaf));
        return;
    }
    sg_quote *quote = sg_heap_new(fn->vm, SG_OBJ_QUOTE, sizeof *quote);
    if (!quote) {
        sg_fn_error(fn, SG_E_MEMORY, tree->span, "out of memory while compiling");
        return;
    }
    quote->root = tree;
    uint32_t next = fn->next_reg, n = 1;
    uint16_t base = sg_new_reg(fn);
    sg_emit_x(fn, SG_BC_LOADK, base, (int32_t)sg_constant(fn, sg_object(quote)));
    compile_holes(fn, tree, &n);
    if (n > 1)
        sg_emit_build(fn, base, n, SG_BUILD_QUOTE, 0);
    sg_emit(fn, SG_BC_MOVE, dst, base, 0);
    sg_reg_drop(fn, next);
}

// ---- the rest -----------------------------------------------------------------------------------

static void compile_tuple(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    bool named = false, splat = false;
    for (uint32_t i = 0; i < ast->n; i++) {
        named = named || ast->kids[i]->kind == SG_AST_KW || ast->kids[i]->kind == SG_AST_PARAMETERS;
        splat = splat || ast->kids[i]->kind == SG_AST_SPLAT;
    }
    uint16_t base = sg_new_reg(fn);
    if (named) {
        // The dictionary is where the lists of a splat call have theirs.
        uint16_t dict = sg_regs(fn, 2);
        sg_emit(fn, SG_BC_VECTOR, dict, 0, 0);
        sg_emit(fn, SG_BC_DICT, dict + 1u, 0, 0);
        sg_compile_splat_lists(fn, ast, 0, false, base);
        sg_emit_build(fn, (uint16_t)(dict + 1), 1, SG_BUILD_NAMED_TUPLE, 0);
        sg_emit(fn, SG_BC_MOVE, dst, dict + 1u, 0);
        return;
    }
    if (splat) {
        sg_load_base(fn, "tuple", base);
        sg_regs(fn, 2);
        sg_emit(fn, SG_BC_VECTOR, base + 1u, 0, 0);
        sg_emit(fn, SG_BC_NOTHING, base + 2u, 0, 0);
        sg_compile_splat_lists(fn, ast, 0, false, base);
        sg_emit(fn, SG_BC_CALL_LIST, base, 0, 0);
        sg_emit(fn, SG_BC_MOVE, dst, base, 0);
        return;
    }
    if (ast->n > 1)
        sg_regs(fn, ast->n - 1);
    for (uint32_t i = 0; i < ast->n; i++)
        sg_compile_to(fn, ast->kids[i], (uint16_t)(base + i));
    fn->span = ast->span;
    sg_emit(fn, SG_BC_TUPLE, base, ast->n, 0);
    sg_emit(fn, SG_BC_MOVE, dst, base, 0);
}

static void compile_range(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    uint16_t base = sg_regs(fn, 3);
    sg_compile_to(fn, ast->kids[0], base);
    if (ast->n == 3)
        sg_compile_to(fn, ast->kids[1], (uint16_t)(base + 1));
    else
        sg_emit(fn, SG_BC_UNDEF, base + 1u, 0, 0);
    sg_compile_to(fn, ast->kids[ast->n - 1], (uint16_t)(base + 2));
    fn->span = ast->span;
    sg_emit(fn, SG_BC_RANGE, base, 0, 0);
    sg_emit(fn, SG_BC_MOVE, dst, base, 0);
}

static void compile_list(sg_fn *fn, const sg_ast *ast, uint16_t dst, sg_build what)
{
    uint16_t base = sg_regs(fn, ast->n ? ast->n : 1);
    for (uint32_t i = 0; i < ast->n; i++)
        sg_compile_to(fn, ast->kids[i], (uint16_t)(base + i));
    fn->span = ast->span;
    sg_emit_build(fn, base, ast->n, what, 0);
    sg_emit(fn, SG_BC_MOVE, dst, base, 0);
}

static void compile_strmacro(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    // u"m" calls the Base function u_str("m"), and so do info"..", r"..".
    char name[64];
    const char *macro = sg_vm_text(fn->vm, ast->sym);
    size_t length = strlen(macro);
    if (length + 5 > sizeof name) {
        sg_fn_error(fn, SG_E_NAME, ast->span, "there is no string macro of this name");
        return;
    }
    memcpy(name, macro, length);
    memcpy(name + length, "_str", 5);
    sg_sym sym = sg_fn_sym(fn, name);
    if (sg_module_get(fn->module, sym).tag == SG_UNDEF) {
        sg_fn_error(fn, SG_E_NAME, ast->span, "there is no string macro %s\"...\"", macro);
        return;
    }
    uint16_t base = sg_regs(fn, 2);
    sg_emit_x(fn, SG_BC_GLOBAL, base, (int32_t)sg_global_constant(fn, sym));
    sg_value text = sg_literal_string(fn, ast->text.bytes, ast->text.len);
    sg_emit_x(fn, SG_BC_LOADK, base + 1u, (int32_t)sg_constant(fn, text));
    sg_emit_call(fn, base, 1);
    sg_emit(fn, SG_BC_MOVE, dst, base, 0);
}

static void compile_typed(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    if (ast->n != 2) {
        sg_fn_error(fn, SG_E_SYNTAX, ast->span, "a type annotation needs something to annotate");
        return;
    }
    uint16_t base = sg_regs(fn, 3);
    sg_load_base(fn, "typeassert", base);
    sg_compile_to(fn, ast->kids[0], (uint16_t)(base + 1));
    sg_compile_to(fn, ast->kids[1], (uint16_t)(base + 2));
    fn->span = ast->span;
    sg_emit_call(fn, base, 2);
    sg_emit(fn, SG_BC_MOVE, dst, base, 0);
}

static void compile_end(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    if (!fn->index_count) {
        sg_fn_error(fn, SG_E_SYNTAX, ast->span, "'end' has a value inside of an index only");
        return;
    }
    if (ast->kind == SG_AST_BEGIN) {
        sg_emit_x(fn, SG_BC_LOADK, dst, (int32_t)sg_constant(fn, sg_int(1)));
        return;
    }
    uint16_t base = sg_new_reg(fn);
    sg_emit(fn, SG_BC_MOVE, base, fn->index_base, 0);
    sg_emit_build(fn, base, 1, SG_BUILD_LENGTH, fn->index_count == 1 ? 0 : fn->index_dim + 1);
    sg_emit(fn, SG_BC_MOVE, dst, base, 0);
}

static void compile_field(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    uint16_t object = sg_compile_any(fn, ast->kids[0]);
    fn->span = ast->span;
    sg_emit(fn, SG_BC_FIELD, dst, object, sg_constant(fn, sg_symbol(ast->sym)));
}

static void compile_node(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    switch (ast->kind) {
    case SG_AST_NONE:
        sg_emit(fn, SG_BC_NOTHING, dst, 0, 0);
        break;
    case SG_AST_NAME:
        sg_load_name(fn, ast->sym, dst);
        break;
    case SG_AST_END:
    case SG_AST_BEGIN:
        compile_end(fn, ast, dst);
        break;
    case SG_AST_STRMACRO:
        compile_strmacro(fn, ast, dst);
        break;
    case SG_AST_INTERP_STRING:
        compile_list(fn, ast, dst, SG_BUILD_STRING);
        break;
    case SG_AST_QUOTE:
        sg_compile_quote(fn, ast->kids[0], dst);
        break;
    case SG_AST_CALL:
        compile_call_node(fn, ast, dst);
        break;
    case SG_AST_DO:
        sg_compile_call(fn, ast->kids[0], ast->kids[1], dst);
        break;
    case SG_AST_INDEX:
        sg_compile_index(fn, ast, dst);
        break;
    case SG_AST_FIELD:
        compile_field(fn, ast, dst);
        break;
    case SG_AST_CURLY:
        compile_list(fn, ast, dst, SG_BUILD_TYPE);
        break;
    case SG_AST_ADJOINT: {
        uint16_t base = sg_regs(fn, 2);
        sg_load_base(fn, "adjoint", base);
        sg_compile_to(fn, ast->kids[0], (uint16_t)(base + 1));
        fn->span = ast->span;
        sg_emit_call(fn, base, 1);
        sg_emit(fn, SG_BC_MOVE, dst, base, 0);
        break;
    }
    case SG_AST_TUPLE:
        compile_tuple(fn, ast, dst);
        break;
    case SG_AST_VECT:
    case SG_AST_VCAT:
    case SG_AST_HCAT:
    case SG_AST_NCAT:
    case SG_AST_TYPED_ARRAY:
    case SG_AST_COMPREHENSION:
        sg_compile_array(fn, ast, dst);
        break;
    case SG_AST_GENERATOR:
        sg_compile_generator(fn, ast, dst);
        break;
    case SG_AST_RANGE:
        compile_range(fn, ast, dst);
        break;
    case SG_AST_IF:
        sg_compile_if(fn, ast, dst, true);
        break;
    case SG_AST_AND:
    case SG_AST_OR:
        compile_short_circuit(fn, ast, dst);
        break;
    case SG_AST_COMPARE:
        compile_chain(fn, ast, dst);
        break;
    case SG_AST_TYPED:
        compile_typed(fn, ast, dst);
        break;
    case SG_AST_LAMBDA:
        sg_compile_lambda(fn, ast, dst);
        break;
    case SG_AST_MACROCALL:
        sg_compile_macro(fn, ast, dst);
        break;
    case SG_AST_WHERE: // a type with free parameters: the parameters accept anything
        sg_compile_to(fn, ast->kids[0], dst);
        break;
    case SG_AST_SPLAT:
        sg_fn_error(fn, SG_E_SYNTAX, ast->span, "'...' is allowed in a list of arguments only");
        break;
    case SG_AST_INTERPOLATE:
        sg_fn_error(fn, SG_E_SYNTAX, ast->span, "'$' is allowed inside of quotes and strings only");
        break;
    case SG_AST_ERROR:
        sg_fn_error(fn, SG_E_SYNTAX, ast->span, "this part of the text could not be read");
        break;
    default:
        sg_fn_error(fn, SG_E_UNSUPPORTED, ast->span, "this cannot be used here");
        break;
    }
}

void sg_compile_to(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    sg_span span = fn->span;
    uint32_t next = fn->next_reg;
    fn->span = ast->span;
    if (is_literal(ast))
        sg_emit_x(fn, SG_BC_LOADK, dst, (int32_t)sg_constant(fn, literal(fn, ast)));
    else if (!sg_compile_statement_kind(fn, ast, dst, true))
        compile_node(fn, ast, dst);
    fn->span = span;
    sg_reg_drop(fn, next);
}
