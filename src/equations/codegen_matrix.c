// Tangents of systems, and their matrices entry by entry.
#include "equations/generator.h"
#include "symbolic/diff.h"

sg_expr_id sg_codegen_tangent_of(void *context, sg_exprs *exprs, sg_var_id var)
{
    sg_code_generator *g = context;
    uint64_t *found = sg_map_get(&g->tangents, var.i);
    (void)exprs;
    return (sg_expr_id){found ? (uint32_t)*found : 0};
}

static sg_expr_id new_variable(sg_code_generator *g, sg_reg reg)
{
    uint32_t var = g->n_vars++;
    if (reg.i)
        sg_emit_set_var(&g->m, var, reg);
    return sg_expr_var(g->m.exprs, (sg_var_id){var});
}

bool sg_codegen_tangents(sg_code_generator *g, const sg_block *block, sg_torn_system *s)
{
    sg_exprs *exprs = g->m.exprs;
    sg_diff_rules rules = {.context = g, .var = sg_codegen_tangent_of};
    sg_map_clear(&g->tangents);
    g->d_roots.len = 0;
    for (uint32_t k = 0; k < block->n_unknowns; k++) {
        sg_reg seed = sg_program_reg(g->m.program, SG_REG_SEED, s->unknowns[k]);
        s->seeds[k] = seed.i;
        sg_emit_set_rate(&g->m, seed, SG_RATE_ALWAYS);
        sg_expr_id e = new_variable(g, seed);
        g->m.failed |= !sg_map_put(&g->tangents, block->unknowns[k].i, e.i);
    }
    for (uint32_t k = 0; k < sg_block_n_exprs(block); k++) {
        sg_expr_id d = sg_expr_diff(exprs, sg_block_expr(block, k), &rules, NULL);
        if (!d.i)
            return false;
        g->m.failed |= !SG_PUSH(g->m.allocator, &g->d_roots, d);
        if (k >= block->n_assigns || sg_expr_is_zero(exprs, d))
            continue;
        // A tangent that is a seed or another tangent needs no variable of its own.
        sg_expr_id var = sg_expr_var_of(exprs, d).i ? d : new_variable(g, (sg_reg){0});
        g->m.failed |= !sg_map_put(&g->tangents, block->assigns[k].var.i, var.i);
    }
    return !g->m.failed && !exprs->failed;
}

// Is a seed below this node? Arguments come before their node, so one sweep over new nodes does.
// Variables made for seeds and tangents are numbered behind those of the model.
static bool has_seed(sg_code_generator *g, sg_expr_id e)
{
    const sg_exprs *exprs = g->m.exprs;
    while (g->has_seed.len <= e.i && !g->m.failed) {
        const sg_expr_node *node = &exprs->nodes[g->has_seed.len];
        bool has = node->op == SG_X_VAR && node->index >= g->blocks->n_vars;
        for (uint32_t k = 0; k < node->n_args && !has; k++)
            has = g->has_seed.data[exprs->args[node->first_arg + k].i];
        g->m.failed |= !SG_PUSH(g->m.allocator, &g->has_seed, has);
    }
    return !g->m.failed && g->has_seed.data[e.i];
}

static void push_term(sg_code_generator *g, sg_expr_id e, sg_expr_id factor, uint32_t choice)
{
    struct sg_scaled_term term = {e, factor, choice};
    g->m.failed |= !SG_PUSH(g->m.allocator, &g->terms, term);
}

static sg_expr_id times(sg_code_generator *g, sg_expr_id factor, sg_expr_id e)
{
    return factor.i ? sg_expr_mul(g->m.exprs, factor, e) : e;
}

// The factor of a product that holds seeds goes on with the others in front of it.
static bool split_product(sg_code_generator *g, struct sg_scaled_term term)
{
    sg_exprs *exprs = g->m.exprs;
    uint32_t n = sg_expr_n_args(exprs, term.e), n_rest = 0;
    enum { MAX_FACTORS = 8 };
    sg_expr_id others[MAX_FACTORS], inner = {0};
    if (n > MAX_FACTORS)
        return false;
    for (uint32_t k = 0; k < n; k++) {
        sg_expr_id arg = sg_expr_arg(exprs, term.e, k);
        if (has_seed(g, arg) && inner.i)
            return false;
        if (has_seed(g, arg))
            inner = arg;
        else
            others[n_rest++] = arg;
    }
    if (!inner.i || n_rest == 0)
        return false;
    push_term(g, inner, times(g, term.factor, sg_expr_make(exprs, SG_X_MUL, others, n_rest)),
              term.choice);
    return true;
}

static bool split_choice(sg_code_generator *g, struct sg_scaled_term term)
{
    const sg_exprs *exprs = g->m.exprs;
    sg_expr_id condition = sg_expr_arg(exprs, term.e, 0);
    if (has_seed(g, condition))
        return false;
    for (uint32_t k = 1; k <= 2; k++) {
        struct sg_choice choice = {condition, k == 2, term.choice};
        g->m.failed |= !SG_PUSH(g->m.allocator, &g->choices, choice);
        push_term(g, sg_expr_arg(exprs, term.e, k), term.factor, (uint32_t)g->choices.len);
    }
    return true;
}

// The coefficient of a term that is a seed.
static sg_expr_id coefficient_of(sg_code_generator *g, struct sg_scaled_term term)
{
    sg_exprs *exprs = g->m.exprs;
    sg_expr_id coef = term.factor.i ? term.factor : sg_expr_num(exprs, 1.0);
    sg_expr_id zero = sg_expr_num(exprs, 0.0);
    for (uint32_t i = term.choice; i && !g->m.failed; i = g->choices.data[i - 1].outer) {
        const struct sg_choice *c = &g->choices.data[i - 1];
        coef = sg_expr_if(exprs, c->condition, c->no ? zero : coef, c->no ? coef : zero);
    }
    return coef;
}

// One node of a tangent: a seed is an entry of the matrix, sums and products are taken apart.
// False for anything else; then the matrix is not known entry by entry.
static bool take_term(sg_code_generator *g, struct sg_scaled_term term, const sg_map *seeds,
                      uint32_t row)
{
    sg_exprs *exprs = g->m.exprs;
    const uint64_t *seed = sg_map_get(seeds, sg_expr_var_of(exprs, term.e).i);
    if (seed) {
        struct sg_matrix_entry entry = {.row = row, .column = (uint32_t)*seed - 1};
        g->m.failed |= !SG_PUSH(g->m.allocator, &g->entries, entry) ||
                       !SG_PUSH(g->m.allocator, &g->coefs, coefficient_of(g, term));
        return true;
    }
    switch ((int)sg_expr_op_of(exprs, term.e)) {
    case SG_X_ADD:
    case SG_X_DOT_ADD:
        for (uint32_t k = 0; k < sg_expr_n_args(exprs, term.e); k++)
            push_term(g, sg_expr_arg(exprs, term.e, k), term.factor, term.choice);
        return true;
    case SG_X_SUB:
    case SG_X_DOT_SUB:
        push_term(g, sg_expr_arg(exprs, term.e, 0), term.factor, term.choice);
        push_term(g, sg_expr_arg(exprs, term.e, 1), times(g, term.factor, sg_expr_num(exprs, -1.0)),
                  term.choice);
        return true;
    case SG_X_NEG:
        push_term(g, sg_expr_arg(exprs, term.e, 0), times(g, term.factor, sg_expr_num(exprs, -1.0)),
                  term.choice);
        return true;
    case SG_X_MUL:
    case SG_X_DOT_MUL:
        return split_product(g, term);
    case SG_X_DIV:
    case SG_X_DOT_DIV:
        if (has_seed(g, sg_expr_arg(exprs, term.e, 1)))
            return false;
        push_term(g, sg_expr_arg(exprs, term.e, 0),
                  sg_expr_div(exprs, term.factor.i ? term.factor : sg_expr_num(exprs, 1.0),
                              sg_expr_arg(exprs, term.e, 1)),
                  term.choice);
        return true;
    case SG_X_IF:
        return split_choice(g, term);
    default:
        return false;
    }
}

// The entries of row `row` from its tangent: a column then costs its entries, and not a pass over
// all tangents. They hold for numbers; the linker looks whether all are.
static bool find_row_entries(sg_code_generator *g, sg_expr_id tangent, const sg_map *seeds,
                             uint32_t row)
{
    g->terms.len = g->choices.len = 0;
    push_term(g, tangent, (sg_expr_id){0}, 0);
    while (g->terms.len > 0 && !g->m.failed && !g->m.exprs->failed) {
        struct sg_scaled_term term = g->terms.data[--g->terms.len];
        if (!sg_expr_is_zero(g->m.exprs, term.e) && !take_term(g, term, seeds, row))
            return false;
    }
    return !g->m.failed && !g->m.exprs->failed;
}

// The coefficients that were found, as registers.
static struct sg_matrix_entry *emit_coefficients(sg_code_generator *g, uint32_t *n)
{
    struct sg_matrix_entry *list =
        SG_NEW_ARRAY(&g->m.program->arena, struct sg_matrix_entry, g->entries.len + 1);
    g->m.failed |= !list;
    *n = 0;
    for (size_t k = 0; list && k < g->entries.len && !g->m.wrong; k++) {
        list[k] = g->entries.data[k];
        list[k].reg = sg_codegen_emit(&g->m, g->coefs.data[k], (sg_reg){0}).i;
        ++*n;
    }
    return list;
}

// Systems without inner variables; others are small after tearing.
void sg_codegen_entries(sg_code_generator *g, const sg_block *block, sg_torn_system *s)
{
    if (block->n_assigns > 0 || !s->linear || block->n_unknowns < 3)
        return;
    sg_map seeds;
    sg_map_init(&seeds, g->m.allocator);
    for (uint32_t k = 0; k < block->n_unknowns; k++) {
        uint64_t *seed = sg_map_get(&g->tangents, block->unknowns[k].i);
        sg_var_id var = sg_expr_var_of(g->m.exprs, (sg_expr_id){(uint32_t)*seed});
        g->m.failed |= !sg_map_put(&seeds, var.i, k + 1);
    }
    bool found = !g->m.failed;
    g->entries.len = g->coefs.len = 0;
    for (uint32_t row = 0; row < block->n_residuals && found; row++)
        found = find_row_entries(g, g->d_roots.data[row], &seeds, row);
    sg_map_free(&seeds);
    if (found && g->entries.len > 0)
        s->entries = emit_coefficients(g, &s->n_entries);
}

// Seeds of all inner variables and unknowns; an inner variable without a place of its own (it is
// another variable, or what was computed before) has the tangent of its value.
static bool find_whole_entries(sg_code_generator *g, const sg_block *block, const sg_torn_system *s,
                               sg_map *seeds)
{
    sg_exprs *exprs = g->m.exprs;
    sg_diff_rules rules = {.context = g, .var = sg_codegen_tangent_of};
    sg_map_clear(&g->tangents);
    g->entries.len = g->coefs.len = 0;
    for (uint32_t k = 0; k < s->n_inner + block->n_unknowns; k++) {
        uint32_t var = k < s->n_inner ? s->inner_vars[k] : block->unknowns[k - s->n_inner].i;
        sg_expr_id e = new_variable(g, (sg_reg){0});
        g->m.failed |= !sg_map_put(&g->tangents, var, e.i) ||
                       !sg_map_put(seeds, sg_expr_var_of(exprs, e).i, k + 1);
    }
    uint32_t row = 0;
    for (uint32_t k = 0; k < sg_block_n_exprs(block) && !g->m.failed; k++) {
        bool is_assign = k < block->n_assigns;
        uint32_t var = is_assign ? block->assigns[k].var.i : 0;
        bool own = is_assign && row < s->n_inner && s->inner_vars[row] == var;
        sg_expr_id d = sg_expr_diff(exprs, sg_block_expr(block, k), &rules, NULL);
        if (!d.i)
            return false;
        if (is_assign && !own)
            g->m.failed |= !sg_map_put(&g->tangents, var, d.i);
        else if (!find_row_entries(g, d, seeds, row++))
            return false;
    }
    return !g->m.failed && !exprs->failed && g->entries.len > 0;
}

void sg_codegen_whole_entries(sg_code_generator *g, const sg_block *block, sg_torn_system *s)
{
    sg_map seeds;
    if (s->n_entries > 0) { // nothing was torn
        s->whole_entries = s->entries;
        s->n_whole_entries = s->n_entries;
        return;
    }
    sg_map_init(&seeds, g->m.allocator);
    if (find_whole_entries(g, block, s, &seeds))
        s->whole_entries = emit_coefficients(g, &s->n_whole_entries);
    sg_map_free(&seeds);
}
