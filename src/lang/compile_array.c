// Array literals, comprehensions, generators and indexing.
#include "lang/compile_internal.h"

enum { MANY = 200 }; // longer vector literals are appended to instead of laid out in registers

static bool has_splat(const sg_ast *ast)
{
    for (uint32_t i = 0; i < ast->n; i++)
        if (ast->kids[i]->kind == SG_AST_SPLAT ||
            (ast->kids[i]->kind == SG_AST_ROW && has_splat(ast->kids[i])))
            return true;
    return false;
}

// Elements appended one after the other; splats are spread.
static void append_elements(sg_fn *fn, const sg_ast *ast, uint16_t list)
{
    for (uint32_t i = 0; i < ast->n; i++) {
        uint32_t next = fn->next_reg;
        const sg_ast *item = ast->kids[i];
        bool splat = item->kind == SG_AST_SPLAT;
        uint16_t r = sg_compile_any(fn, splat ? item->kids[0] : item);
        sg_emit(fn, splat ? SG_BC_SPLAT : SG_BC_PUSH, list, r, 0);
        sg_reg_drop(fn, next);
    }
}

static void compile_vector(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    uint16_t base = sg_new_reg(fn);
    if (ast->n > MANY || has_splat(ast)) {
        sg_emit(fn, SG_BC_VECTOR, base, 0, 0);
        append_elements(fn, ast, base);
        fn->span = ast->span;
        sg_emit_build(fn, base, 1, SG_BUILD_COLLECT, 0);
    } else {
        if (ast->n > 1)
            sg_regs(fn, ast->n - 1);
        for (uint32_t i = 0; i < ast->n; i++)
            sg_compile_to(fn, ast->kids[i], (uint16_t)(base + i));
        fn->span = ast->span;
        sg_emit_build(fn, base, ast->n, SG_BUILD_VECTOR, 0);
    }
    sg_emit(fn, SG_BC_MOVE, dst, base, 0);
}

// hcat or vcat of a list that contains splats: the function is called with the spread list.
static void compile_spread(sg_fn *fn, const sg_ast *ast, const char *function, uint16_t dst)
{
    uint16_t base = sg_regs(fn, 3);
    sg_load_base(fn, function, base);
    sg_emit(fn, SG_BC_VECTOR, base + 1u, 0, 0);
    sg_emit(fn, SG_BC_NOTHING, base + 2u, 0, 0);
    append_elements(fn, ast, (uint16_t)(base + 1));
    sg_emit(fn, SG_BC_CALL_LIST, base, 0, 0);
    sg_emit(fn, SG_BC_MOVE, dst, base, 0);
}

static void compile_cat(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    if (has_splat(ast)) {
        compile_spread(fn, ast, ast->kind == SG_AST_HCAT ? "hcat" : "vcat", dst);
        return;
    }
    sg_build what = ast->kind == SG_AST_HCAT   ? SG_BUILD_HCAT
                    : ast->kind == SG_AST_VCAT ? SG_BUILD_VCAT
                                               : SG_BUILD_NCAT;
    uint16_t base = sg_regs(fn, ast->n ? ast->n : 1);
    for (uint32_t i = 0; i < ast->n; i++)
        sg_compile_to(fn, ast->kids[i], (uint16_t)(base + i));
    fn->span = ast->span;
    sg_emit_build(fn, base, ast->n, what, ast->kind == SG_AST_NCAT ? ast->dimension : 0);
    sg_emit(fn, SG_BC_MOVE, dst, base, 0);
}

static void compile_rows(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    sg_tuple *lengths = sg_tuple_make(fn->vm, ast->n);
    if (!lengths) {
        sg_fn_error(fn, SG_E_MEMORY, ast->span, "out of memory while compiling");
        return;
    }
    uint32_t total = 1;
    for (uint32_t i = 0; i < ast->n; i++) {
        uint32_t n = ast->kids[i]->kind == SG_AST_ROW ? ast->kids[i]->n : 1;
        lengths->items[i] = sg_int(n);
        total += n;
    }
    uint16_t base = sg_regs(fn, total);
    sg_emit_x(fn, SG_BC_LOADK, base, (int32_t)sg_constant(fn, sg_object(lengths)));
    uint32_t at = 1;
    for (uint32_t i = 0; i < ast->n; i++) {
        const sg_ast *row = ast->kids[i];
        if (row->kind != SG_AST_ROW) {
            sg_compile_to(fn, row, (uint16_t)(base + at++));
            continue;
        }
        for (uint32_t k = 0; k < row->n; k++)
            sg_compile_to(fn, row->kids[k], (uint16_t)(base + at++));
    }
    fn->span = ast->span;
    sg_emit_build(fn, base, total, SG_BUILD_HVCAT, 0);
    sg_emit(fn, SG_BC_MOVE, dst, base, 0);
}

// ---- comprehensions -----------------------------------------------------------------------------

typedef struct collecting {
    const sg_ast *generator;
    uint16_t list;
} collecting;

static void collect_items(sg_fn *fn, const sg_ast *generator, uint16_t list);

static void collect_one(sg_fn *fn, void *context)
{
    const collecting *c = context;
    const sg_ast *generator = c->generator, *last = generator->kids[generator->n - 1];
    sg_jumps skip = {0};
    fn->level++;
    if (last->kind == SG_AST_FILTER)
        sg_compile_branch(fn, last->kids[0], false, &skip);
    uint32_t next = fn->next_reg;
    if (generator->flags & SG_AST_FLATTEN) {
        collect_items(fn, generator->kids[0], c->list);
    } else {
        uint16_t item = sg_compile_any(fn, generator->kids[0]);
        sg_emit(fn, SG_BC_PUSH, c->list, item, 0);
    }
    sg_reg_drop(fn, next);
    sg_patch_all(fn, &skip);
    fn->level--;
}

static uint32_t count_iters(const sg_ast *generator)
{
    uint32_t n = 0;
    while (1 + n < generator->n && generator->kids[1 + n]->kind == SG_AST_ITER)
        n++;
    return n;
}

static void collect_items(sg_fn *fn, const sg_ast *generator, uint16_t list)
{
    collecting c = {generator, list};
    uint32_t n = count_iters(generator);
    // The first iteration runs fastest, so it is the innermost loop.
    const sg_ast *iters[SG_MAX_DIMS];
    if (n > SG_MAX_DIMS) {
        sg_fn_error(fn, SG_E_LIMIT, generator->span, "a comprehension has at most %d iterations",
                    SG_MAX_DIMS);
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        iters[i] = generator->kids[n - i];
    sg_compile_loops(fn, iters, n, collect_one, &c);
}

static sg_elem guess_elements(sg_fn *fn, const sg_ast *generator, const sg_ast *e, int depth);

static sg_elem guess_call(sg_fn *fn, const sg_ast *generator, const sg_ast *e, int depth)
{
    sg_operator op;
    if (e->flags & SG_AST_DOTTED || !sg_operator_of(fn, e->kids[0], e->n - 1, &op))
        return SG_ELEM_ANY;
    sg_elem all = SG_ELEM_INT;
    for (uint32_t i = 1; i < e->n; i++) {
        sg_elem one = guess_elements(fn, generator, e->kids[i], depth + 1);
        if (one != SG_ELEM_INT && one != SG_ELEM_FLOAT)
            return SG_ELEM_ANY;
        all = one == SG_ELEM_FLOAT ? one : all;
    }
    switch ((int)op) {
    case SG_OPER_ADD:
    case SG_OPER_SUB:
    case SG_OPER_MUL:
    case SG_OPER_NEG:
    case SG_OPER_POS:
        return all;
    case SG_OPER_DIV:
        return SG_ELEM_FLOAT;
    case SG_OPER_LT:
    case SG_OPER_LE:
    case SG_OPER_GT:
    case SG_OPER_GE:
    case SG_OPER_EQ:
    case SG_OPER_NE:
        return SG_ELEM_BOOL;
    default:
        return SG_ELEM_ANY;
    }
}

// What kind of numbers an expression of loop variables, literals and arithmetic gives: the elements
// of a comprehension that turns out empty. ANY where that takes more than a look.
static sg_elem guess_elements(sg_fn *fn, const sg_ast *generator, const sg_ast *e, int depth)
{
    if (depth > 20)
        return SG_ELEM_ANY;
    switch ((int)e->kind) {
    case SG_AST_INT:
        return SG_ELEM_INT;
    case SG_AST_FLOAT:
        return SG_ELEM_FLOAT;
    case SG_AST_BOOL:
        return SG_ELEM_BOOL;
    case SG_AST_RANGE: { // of its items; ends that are not known do not matter
        sg_elem first = guess_elements(fn, generator, e->kids[0], depth + 1);
        for (uint32_t i = 1; i < e->n && first == SG_ELEM_INT; i++)
            if (guess_elements(fn, generator, e->kids[i], depth + 1) == SG_ELEM_FLOAT)
                first = SG_ELEM_FLOAT;
        return first;
    }
    case SG_AST_NAME:
        for (uint32_t i = 1; i < generator->n; i++) {
            const sg_ast *iter = generator->kids[i];
            if (iter->kind == SG_AST_ITER && iter->kids[0]->kind == SG_AST_NAME &&
                sg_sym_equal(iter->kids[0]->sym, e->sym))
                return iter->kids[1]->kind == SG_AST_RANGE
                           ? guess_elements(fn, generator, iter->kids[1], depth + 1)
                           : SG_ELEM_ANY;
        }
        return SG_ELEM_ANY;
    case SG_AST_CALL:
        return guess_call(fn, generator, e, depth);
    default:
        return SG_ELEM_ANY;
    }
}

static void compile_comprehension(sg_fn *fn, const sg_ast *generator, uint16_t dst)
{
    uint32_t n = count_iters(generator);
    bool filtered = generator->kids[generator->n - 1]->kind == SG_AST_FILTER;
    bool shaped = n > 1 && !filtered && !(generator->flags & SG_AST_FLATTEN);
    uint16_t base = sg_regs(fn, shaped ? n + 1 : 2);
    sg_emit(fn, SG_BC_VECTOR, base, 0, 0);
    const sg_ast *items = generator->kids[1]->kids[1];
    if (n == 1 && !filtered && !(generator->flags & SG_AST_FLATTEN) &&
        items->kind == SG_AST_RANGE) {
        fn->span = items->span;
        sg_compile_to(fn, items, (uint16_t)(base + 1));
        sg_emit_build(fn, base, 2, SG_BUILD_RESERVE, 0);
    }
    sg_scope_mark mark = sg_scope_open(fn, SG_SCOPE_HARD);
    collect_items(fn, generator, base);
    sg_scope_close(fn, mark);
    fn->span = generator->span;
    if (!shaped) {
        bool plain = !(generator->flags & SG_AST_FLATTEN);
        sg_elem kind = plain ? guess_elements(fn, generator, generator->kids[0], 0) : SG_ELEM_ANY;
        sg_emit_build(fn, base, 1, SG_BUILD_COLLECT, (uint32_t)kind);
    } else {
        // Sizes of the result: the collections are asked again, which is cheap for ranges.
        for (uint32_t i = 0; i < n; i++)
            sg_compile_to(fn, generator->kids[1 + i]->kids[1], (uint16_t)(base + 1 + i));
        sg_emit_build(fn, base, n + 1, SG_BUILD_RESHAPE, 0);
    }
    sg_emit(fn, SG_BC_MOVE, dst, base, 0);
}

void sg_compile_generator(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    const sg_ast *last = ast->kids[ast->n - 1];
    bool filtered = last->kind == SG_AST_FILTER;
    if (count_iters(ast) != 1 || ast->flags & SG_AST_FLATTEN) {
        compile_comprehension(fn, ast, dst);
        return;
    }
    uint16_t base = sg_regs(fn, filtered ? 3 : 2);
    const sg_ast *iter = ast->kids[1];
    sg_compile_small_lambda(fn, iter->kids[0], ast->kids[0], base);
    sg_compile_to(fn, iter->kids[1], (uint16_t)(base + 1));
    if (filtered)
        sg_compile_small_lambda(fn, iter->kids[0], last->kids[0], (uint16_t)(base + 2));
    fn->span = ast->span;
    sg_emit_build(fn, base, filtered ? 3 : 2, SG_BUILD_GENERATOR, 0);
    sg_emit(fn, SG_BC_MOVE, dst, base, 0);
}

void sg_compile_array(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    switch (ast->kind) {
    case SG_AST_VECT:
        compile_vector(fn, ast, dst);
        break;
    case SG_AST_COMPREHENSION:
        compile_comprehension(fn, ast->kids[0], dst);
        break;
    case SG_AST_TYPED_ARRAY: {
        uint16_t base = sg_regs(fn, 2);
        sg_compile_to(fn, ast->kids[0], base);
        sg_compile_to(fn, ast->kids[1], (uint16_t)(base + 1));
        fn->span = ast->span;
        sg_emit_build(fn, base, 2, SG_BUILD_TYPED_CAT, 0);
        sg_emit(fn, SG_BC_MOVE, dst, base, 0);
        break;
    }
    default: {
        bool rows = false;
        for (uint32_t i = 0; i < ast->n; i++)
            rows = rows || ast->kids[i]->kind == SG_AST_ROW;
        if (rows && ast->kind == SG_AST_VCAT)
            compile_rows(fn, ast, dst);
        else
            compile_cat(fn, ast, dst);
        break;
    }
    }
}

// ---- indexing -----------------------------------------------------------------------------------

void sg_compile_indices(sg_fn *fn, const sg_ast *ast, uint16_t base)
{
    uint16_t old_base = fn->index_base;
    uint32_t old_dim = fn->index_dim, old_count = fn->index_count;
    fn->index_base = base;
    fn->index_count = ast->n - 1;
    for (uint32_t i = 1; i < ast->n; i++) {
        fn->index_dim = i - 1;
        sg_compile_to(fn, ast->kids[i], (uint16_t)(base + i));
    }
    fn->index_base = old_base;
    fn->index_dim = old_dim;
    fn->index_count = old_count;
}

static bool has_special_index(const sg_ast *ast)
{
    for (uint32_t i = 1; i < ast->n; i++)
        if (ast->kids[i]->kind == SG_AST_SPLAT || ast->kids[i]->kind == SG_AST_KW)
            return true;
    return false;
}

void sg_compile_index(sg_fn *fn, const sg_ast *ast, uint16_t dst)
{
    if (has_special_index(ast)) {
        uint16_t base = sg_regs(fn, 3);
        sg_load_base(fn, "getindex", base);
        sg_emit(fn, SG_BC_VECTOR, base + 1u, 0, 0);
        sg_emit(fn, SG_BC_NOTHING, base + 2u, 0, 0);
        append_elements(fn, ast, (uint16_t)(base + 1));
        sg_emit(fn, SG_BC_CALL_LIST, base, 0, 0);
        sg_emit(fn, SG_BC_MOVE, dst, base, 0);
        return;
    }
    if (ast->n == 2 && (ast->kids[1]->kind == SG_AST_INT || ast->kids[1]->kind == SG_AST_NAME)) {
        uint16_t base = sg_compile_any(fn, ast->kids[0]);
        uint16_t at = sg_compile_operand(fn, ast->kids[1]);
        fn->span = ast->span;
        sg_emit(fn, SG_BC_INDEX1, dst, base, at);
        return;
    }
    uint16_t base = sg_regs(fn, ast->n);
    sg_compile_to(fn, ast->kids[0], base);
    sg_compile_indices(fn, ast, base);
    fn->span = ast->span;
    if (ast->n == 2)
        sg_emit(fn, SG_BC_INDEX1, base, base, base + 1u);
    else
        sg_emit(fn, SG_BC_INDEX, base, ast->n - 1, 0);
    sg_emit(fn, SG_BC_MOVE, dst, base, 0);
}
