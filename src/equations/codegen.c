#include "equations/codegen.h"

#include "equations/generator.h"
#include "symbolic/walk.h"

#include <string.h>

sg_codegen_options sg_codegen_options_default(void)
{
    return (sg_codegen_options){.comparisons_are_events = true};
}

static const char *name_var(void *context, sg_var_id var)
{
    const sg_program *p = context;
    return var.i < p->n_vars ? p->var_names[var.i] : "tangent";
}
static const char *name_par(void *context, sg_par_id par)
{
    const sg_program *p = context;
    return par.i < p->n_pars ? p->par_names[par.i] : NULL;
}
static const char *name_func(void *context, sg_func_id func)
{
    const sg_program *p = context;
    return func.i < p->n_funcs ? p->func_names[func.i] : NULL;
}

static const char **copy_texts(sg_arena *arena, const char *const *texts, uint32_t n)
{
    const char **copy = SG_NEW_ARRAY(arena, const char *, n + 1);
    for (uint32_t i = 0; copy && i < n; i++)
        copy[i] = texts && texts[i] ? sg_arena_text(arena, texts[i], strlen(texts[i])) : NULL;
    return copy;
}

// The program owns what its messages need.
static void copy_tables(sg_program *p, const sg_blocks *b)
{
    sg_arena *arena = &p->arena;
    p->n_vars = b->n_vars;
    p->var_regs = SG_NEW_ARRAY(arena, sg_reg, b->n_vars + 1);
    p->var_names = SG_NEW_ARRAY(arena, const char *, b->n_vars + 1);
    for (uint32_t v = 1; p->var_names && v < b->n_vars; v++)
        p->var_names[v] =
            b->vars[v].name ? sg_arena_text(arena, b->vars[v].name, strlen(b->vars[v].name)) : "?";
    p->n_pars = b->n_pars;
    p->par_names = copy_texts(arena, b->par_names, b->n_pars);
    p->n_funcs = b->n_funcs;
    p->func_names = copy_texts(arena, b->func_names, b->n_funcs);
    p->n_texts = b->const_texts ? b->n_consts : 0;
    p->texts_of = copy_texts(arena, b->const_texts, p->n_texts);
    p->n_eqs = b->n_eqs;
    p->eq_texts = copy_texts(arena, b->eq_texts, b->n_eqs);
    p->print_eq = b->print_eq;
    p->print_context = b->print_context;
    p->eq_spans = SG_NEW_ARRAY(arena, sg_span, b->n_eqs + 1);
    if (p->eq_spans && b->eq_spans && b->n_eqs)
        memcpy(p->eq_spans, b->eq_spans, b->n_eqs * sizeof(sg_span));
    p->n_states = b->n_states;
    p->state_vars = SG_NEW_ARRAY(arena, uint32_t, b->n_states + 1);
    p->der_vars = SG_NEW_ARRAY(arena, uint32_t, b->n_states + 1);
    p->failed |= arena->failed;
}

static void internal_error(sg_code_generator *g, const char *text)
{
    if (g->m.diags)
        sg_error(g->m.diags, SG_E_NONE, ((sg_span){0}), "code generation: %s", text);
    g->m.wrong = true;
}

// The derivative of each state, in der_vars.
static void find_derivatives(sg_code_generator *g)
{
    const sg_blocks *b = g->blocks;
    sg_program *p = g->m.program;
    for (uint32_t s = 0; b->derivatives && s < b->n_states; s++)
        p->der_vars[s] = b->derivatives[s].i;
    for (uint32_t v = 1; !b->derivatives && v < b->n_vars; v++) {
        if (b->vars[v].role != SG_VAR_DERIVATIVE)
            continue;
        uint64_t *state = sg_map_get(&g->m.state_of, b->vars[v].of.i);
        if (state)
            p->der_vars[*state] = v;
    }
}

// Registers of everything that is given, and the places of the derivatives.
static void place_variables(sg_code_generator *g)
{
    const sg_blocks *b = g->blocks;
    sg_program *p = g->m.program;
    for (uint32_t s = 0; s < b->n_states; s++) {
        sg_reg reg = sg_program_reg(p, SG_REG_STATE, s);
        p->state_vars[s] = b->states[s].i;
        sg_emit_set_var(&g->m, b->states[s].i, reg);
        sg_emit_set_rate(&g->m, reg, SG_RATE_ALWAYS);
        g->m.failed |= !sg_map_put(&g->m.state_of, b->states[s].i, s);
    }
    find_derivatives(g);
    for (uint32_t s = 0; s < b->n_states && !p->failed && !g->m.failed; s++) {
        sg_var_id der = {p->der_vars[s]};
        sg_reg reg = sg_program_reg(p, SG_REG_DER, s);
        sg_emit_set_rate(&g->m, reg, SG_RATE_ALWAYS);
        if (!der.i || der.i >= b->n_vars) {
            internal_error(g, "a state has no derivative");
            return;
        }
        sg_reg known = sg_emit_var(&g->m, der.i);
        if (known.i) // the derivative of one state is another state
            sg_program_step(p, SG_OP_COPY, false, reg, &known, 1, 0, 0);
        else
            g->pinned[der.i] = reg.i;
    }
    for (uint32_t v = 1; v < b->n_vars; v++)
        if (b->vars[v].role == SG_VAR_INPUT) {
            sg_reg reg = sg_program_reg(p, SG_REG_INPUT, v);
            sg_emit_set_var(&g->m, v, reg);
            sg_emit_set_rate(&g->m, reg, SG_RATE_ALWAYS);
        }
}

static void note_needed(void *context, sg_var_id var)
{
    sg_code_generator *g = context;
    if (var.i < g->blocks->n_vars)
        g->needed[var.i] = true;
}

static bool block_is_needed(sg_code_generator *g, const sg_block *block)
{
    uint8_t wanted = SG_HAS_CALL | SG_HAS_REINIT | SG_HAS_EVENT;
    if (g->m.comparisons_are_events)
        wanted |= SG_HAS_COMPARISON;
    // A system is linear as long as its conditions are frozen: they are events, whoever needs its
    // unknowns.
    if (g->m.comparisons_are_events && block->kind == SG_BLOCK_LINEAR)
        wanted |= SG_HAS_IN_FUNCTION;
    for (uint32_t k = 0; k < block->n_assigns; k++)
        if (g->needed[block->assigns[k].var.i] || g->pinned[block->assigns[k].var.i])
            return true;
    for (uint32_t k = 0; k < block->n_unknowns; k++)
        if (g->needed[block->unknowns[k].i] || g->pinned[block->unknowns[k].i])
            return true;
    for (uint32_t k = 0; k < sg_block_n_exprs(block); k++)
        if (sg_emit_contents(&g->m, sg_block_expr(block, k)) & wanted)
            return true;
    return false;
}

// Backwards over the blocks: what derivatives, events and calls depend on.
static void find_needed(sg_code_generator *g, bool *block_needed)
{
    sg_exprs *exprs = g->m.exprs;
    for (uint32_t i = 1; i < exprs->len; i++) {
        const sg_expr_node *node = &exprs->nodes[i];
        if (sg_expr_op_remembers((sg_expr_op)node->op))
            note_needed(g, sg_expr_var_of(exprs, exprs->args[node->first_arg]));
    }
    sg_expr_id last = {0};
    for (uint32_t b = g->blocks->n; b > 0; b--) {
        const sg_block *block = &g->blocks->list[b - 1];
        block_needed[b - 1] = block_is_needed(g, block);
        for (uint32_t k = 0; block_needed[b - 1] && k < sg_block_n_exprs(block); k++) {
            // Many assignments may take one element each of the same call with many arguments.
            sg_expr_id e = sg_block_expr(block, k);
            if (sg_expr_op_of(exprs, e) == SG_X_INDEX && sg_expr_n_args(exprs, e) == 2 &&
                sg_expr_is_literal(exprs, sg_expr_arg(exprs, e, 1)))
                e = sg_expr_arg(exprs, e, 0);
            if (!sg_expr_equal(e, last))
                sg_expr_incidence(exprs, e, SG_INCIDENCE_IMPLICIT, note_needed, g);
            last = e;
        }
    }
}

static void count_results(sg_code_generator *g)
{
    const sg_exprs *exprs = g->m.exprs;
    for (uint32_t i = 1; i < exprs->len; i++) {
        const sg_expr_node *node = &exprs->nodes[i];
        if (node->op != SG_X_RESULT)
            continue;
        uint32_t call = exprs->args[node->first_arg].i;
        uint64_t *known = sg_map_get(&g->m.n_results, call);
        if (!known || *known < node->index + 1)
            g->m.failed |= !sg_map_put(&g->m.n_results, call, node->index + 1);
    }
}

static void assign(sg_code_generator *g, const sg_assign *a)
{
    g->m.eq = a->eq.i;
    sg_reg reg = sg_codegen_emit(&g->m, a->value, (sg_reg){g->pinned[a->var.i]});
    if (reg.i)
        sg_emit_set_var(&g->m, a->var.i, reg);
}

static bool follow_present(const sg_exprs *exprs, sg_expr_id e, uint32_t k)
{
    sg_expr_op op = sg_expr_op_of(exprs, e);
    return !(k == 0 && (sg_expr_op_remembers(op) || op == SG_X_REINIT));
}

// Does a variable belong to the system (or, for tangents, to its seeds and tangents)?
static bool belongs(const sg_code_generator *g, uint32_t var, uint32_t system, bool tangents_only)
{
    if (var >= g->blocks->n_vars)
        return true;
    return !tangents_only && g->member[var] == system;
}

// Emits, at this point of the program, everything below the roots that does not depend on the
// system, in the order met. What depends on it is left for later.
static void hoist(sg_code_generator *g, const sg_expr_id *roots, size_t n, uint32_t system,
                  bool tangents_only)
{
    sg_exprs *exprs = g->m.exprs;
    g->hoisted.len = 0;
    if (n == 0)
        return;
    sg_walk *walk = sg_walk_begin(exprs, roots[0]);
    if (!walk)
        return;
    walk->follow = follow_present;
    for (size_t r = 0; r < n; r++) {
        if (r)
            sg_walk_push(walk, roots[r]);
        for (sg_expr_id e; (e = sg_walk_next(walk)).i;) {
            sg_var_id var = sg_expr_var_of(exprs, e);
            sg_expr_op op = sg_expr_op_of(exprs, e);
            bool depends = op == SG_X_REINIT;
            if (var.i)
                depends = belongs(g, var.i, system, tangents_only);
            for (uint32_t k = 0; k < sg_expr_n_args(exprs, e); k++)
                if (follow_present(exprs, e, k))
                    depends |= walk->value[sg_expr_arg(exprs, e, k).i].i != 0;
            walk->value[e.i] = (sg_expr_id){depends};
            for (uint32_t k = 0; depends && k < sg_expr_n_args(exprs, e); k++) {
                sg_expr_id arg = sg_expr_arg(exprs, e, k);
                if (follow_present(exprs, e, k) && sg_expr_n_args(exprs, arg) &&
                    !walk->value[arg.i].i)
                    g->m.failed |= !SG_PUSH(g->m.allocator, &g->hoisted, arg);
            }
        }
    }
    sg_walk_end(walk);
    for (size_t k = 0; k < g->hoisted.len && !g->m.wrong; k++)
        sg_codegen_emit(&g->m, g->hoisted.data[k], (sg_reg){0});
}

static bool allocate_system(sg_code_generator *g, const sg_block *block, sg_torn_system *s)
{
    sg_arena *arena = &g->m.program->arena;
    s->n_unknowns = block->n_unknowns;
    s->n_residuals = block->n_residuals;
    s->unknowns = SG_NEW_ARRAY(arena, uint32_t, block->n_unknowns + 1);
    s->seeds = SG_NEW_ARRAY(arena, uint32_t, block->n_unknowns + 1);
    s->unknown_vars = SG_NEW_ARRAY(arena, uint32_t, block->n_unknowns + 1);
    s->residuals = SG_NEW_ARRAY(arena, uint32_t, block->n_residuals + 1);
    s->d_residuals = SG_NEW_ARRAY(arena, uint32_t, block->n_residuals + 1);
    s->residual_eqs = SG_NEW_ARRAY(arena, uint32_t, block->n_residuals + 1);
    s->inner = SG_NEW_ARRAY(arena, uint32_t, block->n_assigns + 1);
    s->inner_done = SG_NEW_ARRAY(arena, uint32_t, block->n_assigns + 1);
    s->inner_vars = SG_NEW_ARRAY(arena, uint32_t, block->n_assigns + 1);
    s->inner_eqs = SG_NEW_ARRAY(arena, uint32_t, block->n_assigns + 1);
    g->m.failed |= arena->failed;
    return !g->m.failed;
}

static void place_unknowns(sg_code_generator *g, const sg_block *block, sg_torn_system *s,
                           uint32_t system)
{
    for (uint32_t k = 0; k < block->n_unknowns; k++) {
        uint32_t var = block->unknowns[k].i;
        sg_reg reg = g->pinned[var] ? (sg_reg){g->pinned[var]}
                                    : sg_program_reg(g->m.program, SG_REG_UNKNOWN, var);
        s->unknowns[k] = reg.i;
        s->unknown_vars[k] = var;
        g->member[var] = system;
        sg_emit_set_var(&g->m, var, reg);
        sg_emit_set_rate(&g->m, reg, SG_RATE_ALWAYS);
    }
    for (uint32_t k = 0; k < block->n_assigns; k++)
        g->member[block->assigns[k].var.i] = system;
}

// Conditions have no values in between and follow from the other variables.
static bool is_condition(const sg_exprs *exprs, sg_expr_id e)
{
    sg_expr_op op = sg_expr_op_of(exprs, e);
    return (op >= SG_X_LT && op <= SG_X_NOT) || (sg_expr_op_info(op)->traits & SG_TRAIT_EVENT) != 0;
}

// Notes an inner variable if the assignment just emitted wrote it, and no other variable is there.
static void note_inner(sg_code_generator *g, const sg_assign *a, bool depends, uint32_t from,
                       sg_torn_system *s)
{
    const sg_program *p = g->m.program;
    uint32_t r = sg_emit_var(&g->m, a->var.i).i;
    bool own = r && depends && !p->failed && p->regs.data[r].writer >= from;
    for (uint32_t k = s->n_inner; k > 0 && own && s->inner_done[k - 1] > from; k--)
        own = s->inner[k - 1] != r;
    if (!own)
        return;
    s->inner[s->n_inner] = r;
    s->inner_done[s->n_inner] = (uint32_t)p->steps.len;
    s->inner_vars[s->n_inner] = a->var.i;
    s->inner_eqs[s->n_inner++] = a->eq.i;
}

static void emit_body(sg_code_generator *g, const sg_block *block, sg_torn_system *s)
{
    for (uint32_t k = 0; k < block->n_assigns && !g->m.wrong; k++) {
        uint32_t from = (uint32_t)g->m.program->steps.len;
        const sg_assign *a = &block->assigns[k];
        bool depends = s->has_tangent ? !sg_expr_is_zero(g->m.exprs, g->d_roots.data[k])
                                      : !is_condition(g->m.exprs, a->value);
        assign(g, a);
        note_inner(g, a, depends, from, s);
    }
    for (uint32_t k = 0; k < block->n_residuals && !g->m.wrong; k++) {
        const sg_residual *r = &block->residuals[k];
        g->m.eq = s->residual_eqs[k] = r->eq.i;
        s->residuals[k] = sg_codegen_emit(&g->m, r->value, (sg_reg){0}).i;
    }
}

static void emit_tangents(sg_code_generator *g, const sg_block *block, sg_torn_system *s)
{
    sg_exprs *exprs = g->m.exprs;
    for (uint32_t k = 0; k < sg_block_n_exprs(block) && !g->m.wrong && !g->m.failed; k++) {
        sg_expr_id d = g->d_roots.data[k];
        bool zero = sg_expr_is_zero(exprs, d);
        if (k < block->n_assigns) {
            g->m.eq = block->assigns[k].eq.i;
            sg_expr_id own = sg_codegen_tangent_of(g, exprs, block->assigns[k].var);
            if (!zero && own.i != d.i)
                sg_emit_set_var(&g->m, sg_expr_var_of(exprs, own).i,
                                sg_codegen_emit(&g->m, d, (sg_reg){0}));
            continue;
        }
        uint32_t r = k - block->n_assigns;
        g->m.eq = block->residuals[r].eq.i;
        if (zero) {
            // In the shape of the residual, which may be an array.
            sg_reg residual = {s->residuals[r]};
            s->d_residuals[r] = sg_program_step(g->m.program, SG_OP_ZERO, false, (sg_reg){0},
                                                &residual, 1, 0, g->m.eq)
                                    .i;
        } else {
            s->d_residuals[r] = sg_codegen_emit(&g->m, d, (sg_reg){0}).i;
        }
    }
}

// The matrix is constant if the tangents read nothing but seeds, themselves and what is fixed.
static bool reads_only_fixed(const sg_program *p, const sg_torn_system *s)
{
    for (uint32_t i = s->prep; i < s->whole; i++) {
        const sg_step *step = &p->steps.data[i];
        if (step->op >= SG_OP_POSITIVE || step->op == SG_OP_CALL || step->op == SG_OP_SOLVE)
            return false;
        for (uint32_t k = 0; k < step->n_operands; k++) {
            uint32_t r = p->operands.data[step->first_operand + k];
            const sg_reg_info *info = &p->regs.data[r];
            if (r && !info->is_fixed && info->kind != SG_REG_SEED && info->writer < s->prep)
                return false;
        }
    }
    return true;
}

static void torn_block(sg_code_generator *g, const sg_block *block)
{
    sg_program *p = g->m.program;
    sg_torn_system s = {.linear = block->kind == SG_BLOCK_LINEAR};
    uint32_t index = (uint32_t)p->systems.len, system = index + 1;
    if (!allocate_system(g, block, &s) || !SG_PUSH(g->m.allocator, &p->systems, s)) {
        g->m.failed = true;
        return;
    }
    place_unknowns(g, block, &s, system);
    s.has_tangent = sg_codegen_tangents(g, block, &s);
    g->roots.len = 0;
    for (uint32_t k = 0; k < sg_block_n_exprs(block); k++)
        g->m.failed |= !SG_PUSH(g->m.allocator, &g->roots, sg_block_expr(block, k));
    for (size_t k = 0; s.has_tangent && k < g->d_roots.len; k++)
        g->m.failed |= !SG_PUSH(g->m.allocator, &g->roots, g->d_roots.data[k]);
    g->m.eq = block->n_residuals ? block->residuals[0].eq.i : 0;
    if (g->m.failed)
        return;
    hoist(g, g->roots.data, g->roots.len, system, false);
    sg_program_step(p, SG_OP_SOLVE, false, (sg_reg){0}, NULL, 0, index, g->m.eq);
    s.body = (uint32_t)p->steps.len;
    emit_body(g, block, &s);
    s.prep = s.tangent = (uint32_t)p->steps.len;
    uint32_t mark = sg_emit_mark(&g->m);
    if (s.has_tangent) {
        bool plain = g->m.plain;
        g->m.plain = true;
        hoist(g, g->d_roots.data, g->d_roots.len, system, true);
        sg_codegen_entries(g, block, &s);
        s.tangent = (uint32_t)p->steps.len;
        emit_tangents(g, block, &s);
        g->m.plain = plain;
    }
    s.whole = (uint32_t)p->steps.len;
    if (s.has_tangent && !g->m.wrong && !g->m.failed)
        sg_codegen_whole_entries(g, block, &s);
    s.end = (uint32_t)p->steps.len;
    sg_emit_forget(&g->m, mark);
    if (p->failed || g->m.failed)
        return;
    s.constant_matrix = s.linear && s.has_tangent && reads_only_fixed(p, &s);
    p->systems.data[index] = s;
}

static void store_each(sg_code_generator *g, sg_op op, const sg_memory *memories, size_t n)
{
    for (size_t k = 0; k < n && !g->m.wrong; k++) {
        if (!memories[k].var) // edge and change remember by themselves
            continue;
        sg_reg reg = sg_emit_var(&g->m, memories[k].var);
        if (!reg.i) {
            internal_error(g, "a remembered variable is never computed");
            return;
        }
        sg_program_step(g->m.program, op, false, (sg_reg){0}, &reg, 1, (uint32_t)k, 0);
    }
}

// What pre, previous and delay will return later, once everything is known.
static void store_memories(sg_code_generator *g)
{
    const sg_program *p = g->m.program;
    g->m.eq = 0;
    store_each(g, SG_OP_SET_PREVIOUS, p->previouses.data, p->previouses.len);
    store_each(g, SG_OP_SET_PRE, p->pres.data, p->pres.len);
    store_each(g, SG_OP_SET_DELAY, p->delays.data, p->delays.len);
}

static void emit_blocks(sg_code_generator *g, const bool *block_needed, bool needed)
{
    g->m.plain = !needed;
    for (uint32_t b = 0; b < g->blocks->n && !g->m.failed && !g->m.wrong; b++) {
        const sg_block *block = &g->blocks->list[b];
        if (block_needed[b] != needed)
            continue;
        if (block->kind == SG_BLOCK_ASSIGN)
            assign(g, &block->assigns[0]);
        else
            torn_block(g, block);
    }
}

// A copy of the blocks in which functions with a body are put in place.
static const sg_blocks *inline_functions(sg_code_generator *g, sg_arena *scratch)
{
    const sg_blocks *from = g->blocks;
    sg_blocks *to = SG_NEW(scratch, sg_blocks);
    if (!from->bodies || !to)
        return from;
    *to = *from;
    to->list = SG_NEW_ARRAY(scratch, sg_block, from->n + 1);
    for (uint32_t i = 0; to->list && i < from->n; i++) {
        sg_block block = from->list[i];
        sg_assign *assigns = SG_NEW_ARRAY(scratch, sg_assign, block.n_assigns + 1);
        sg_residual *residuals = SG_NEW_ARRAY(scratch, sg_residual, block.n_residuals + 1);
        for (uint32_t k = 0; assigns && k < block.n_assigns; k++) {
            assigns[k] = block.assigns[k];
            assigns[k].value = sg_func_inline(g->m.exprs, assigns[k].value, from->bodies);
        }
        for (uint32_t k = 0; residuals && k < block.n_residuals; k++) {
            residuals[k] = block.residuals[k];
            residuals[k].value = sg_func_inline(g->m.exprs, residuals[k].value, from->bodies);
        }
        block.assigns = assigns;
        block.residuals = residuals;
        to->list[i] = block;
    }
    return to;
}

static void emit_extras(sg_code_generator *g, const sg_codegen_options *options)
{
    sg_program *p = g->m.program;
    p->extra_regs = SG_NEW_ARRAY(&p->arena, sg_reg, options->n_extras + 1);
    p->n_extras = p->extra_regs ? options->n_extras : 0;
    g->m.eq = 0;
    for (uint32_t k = 0; k < p->n_extras && !g->m.wrong && !g->m.failed; k++)
        p->extra_regs[k] = sg_codegen_emit(&g->m, options->extras[k], (sg_reg){0});
}

static void generate(sg_code_generator *g, const sg_codegen_options *options, sg_arena *scratch)
{
    sg_program *p = g->m.program;
    g->blocks = g->m.blocks = inline_functions(g, scratch);
    const sg_blocks *b = g->blocks;
    bool *block_needed = SG_NEW_ARRAY(scratch, bool, b->n + 1);
    g->pinned = SG_NEW_ARRAY(scratch, uint32_t, b->n_vars + 1);
    g->needed = SG_NEW_ARRAY(scratch, bool, b->n_vars + 1);
    g->member = SG_NEW_ARRAY(scratch, uint32_t, b->n_vars + 1);
    g->n_vars = b->n_vars;
    copy_tables(p, b);
    if (scratch->failed || p->failed || g->m.exprs->failed) {
        g->m.failed = true;
        return;
    }
    place_variables(g);
    count_results(g);
    if (options->like)
        sg_emit_slots_like(&g->m, options->like);
    if (g->m.failed || g->m.wrong)
        return;
    find_needed(g, block_needed);
    sg_exprs_rest(g->m.exprs); // the program grows beside the graph
    emit_blocks(g, block_needed, true);
    store_memories(g);
    p->dynamics_end = (uint32_t)p->steps.len;
    emit_blocks(g, block_needed, false);
    emit_extras(g, options);
    for (uint32_t v = 1; v < b->n_vars; v++)
        p->var_regs[v] = sg_emit_var(&g->m, v);
    for (uint32_t s = 0; s < b->n_states && !g->m.wrong; s++)
        if (p->der_vars[s] && !p->var_regs[p->der_vars[s]].i)
            internal_error(g, "a derivative is never computed");
}

sg_status sg_codegen(sg_exprs *exprs, const sg_blocks *blocks, const sg_codegen_options *options,
                     const sg_allocator *allocator, sg_diags *diags, sg_program **out)
{
    sg_codegen_options defaults = sg_codegen_options_default();
    sg_code_generator g = {.blocks = blocks};
    sg_arena scratch;
    *out = NULL;
    if (!allocator)
        allocator = sg_allocator_default();
    sg_program *p = sg_program_create(allocator);
    if (!p)
        return SG_ERR_MEMORY;
    g.m = (sg_emitter){.exprs = exprs,
                       .blocks = blocks,
                       .program = p,
                       .allocator = allocator,
                       .diags = diags,
                       .names = {p, name_var, name_par, name_func, NULL}};
    options = options ? options : &defaults;
    g.m.comparisons_are_events = options->comparisons_are_events;
    sg_arena_init(&scratch, allocator);
    sg_map *maps[] = {&g.m.n_results, &g.m.slots,    &g.m.pre_of,
                      &g.m.delay_of,  &g.m.state_of, &g.tangents};
    for (size_t k = 0; k < sizeof(maps) / sizeof(*maps); k++)
        sg_map_init(maps[k], allocator);
    generate(&g, options, &scratch);
    sg_status status = g.m.failed || p->failed || exprs->failed ? SG_ERR_MEMORY
                       : g.m.wrong                              ? SG_ERR_MODEL
                                                                : sg_program_validate(p, diags);
    sg_emit_free(&g.m);
    sg_map_free(&g.tangents);
    SG_VEC_FREE(allocator, &g.roots);
    SG_VEC_FREE(allocator, &g.d_roots);
    SG_VEC_FREE(allocator, &g.hoisted);
    SG_VEC_FREE(allocator, &g.terms);
    SG_VEC_FREE(allocator, &g.choices);
    SG_VEC_FREE(allocator, &g.coefs);
    SG_VEC_FREE(allocator, &g.entries);
    SG_VEC_FREE(allocator, &g.has_seed);
    sg_arena_destroy(&scratch);
    if (status == SG_OK)
        *out = p;
    else
        sg_program_destroy(p);
    return status;
}
