#include "equations/translate.h"

#include "equations/system.h"

#include <string.h>

// Each round brings at least one constraint; no sound model hides many behind each other.
#define MOST_ROUNDS 30

sg_translate_options sg_translate_options_default(void)
{
    return (sg_translate_options){.alias_reduction = true};
}

// A pass whose scratch nobody needs behind it.
static sg_status run_alone(sg_system *sys, sg_status (*pass)(sg_system *))
{
    sg_arena_mark mark = sg_arena_mark_get(&sys->scratch);
    sg_status status = pass(sys);
    sg_arena_release(&sys->scratch, mark);
    return status;
}

static sg_status run_passes(sg_system *sys, sg_structure *out)
{
    sg_status status = sg_system_load(sys);
    if (!status)
        status = sg_system_check_memory(sys);
    if (!status)
        status = sg_system_number(sys);
    if (!status)
        status = sg_system_free_flows(sys);
    out->n_equations = (uint32_t)sys->eqs.len;
    sys->n_loaded = (int)sys->eqs.len;
    if (!status && sys->options->alias_reduction)
        status = run_alone(sys, sg_system_eliminate);
    if (!status && sys->options->alias_reduction)
        status = run_alone(sys, sg_system_find_hidden_sums);
    out->n_removed = out->n_equations - (uint32_t)sys->eqs.len;
    if (!status)
        status = sg_system_combine(sys);
    if (!status)
        status = sg_system_build_graph(sys, &sys->graph, true);
    if (!status)
        status = run_alone(sys, sg_system_check);
    if (status || sys->split)
        return status;
    size_t n_rows = sys->eqs.len;
    if (!status)
        status = sg_system_reduce_index(sys);
    if (!status)
        status = sg_system_split_arrays(sys, &sys->split);
    if (status || sys->split)
        return status;
    out->n_differentiated = (uint32_t)(sys->eqs.len - n_rows);
    if (!status)
        status = sg_system_build_graph(sys, &sys->exact, false);
    if (!status)
        status = sg_system_select_states(sys, out);
    sg_graph_free(&sys->graph); // from here on only the exact one is asked
    if (!status)
        status = sg_system_sort(sys, out);
    if (!status)
        status = sg_system_split_singular(sys, &sys->split);
    if (status || sys->split)
        return status;
    if (!status)
        status = sg_system_write_initial(sys, out);
    return status;
}

// Functions that are expressions; they stay calls until the program is made.
static sg_status find_bodies(sg_system *sys, sg_structure *out)
{
    const sg_flat *flat = sys->flat;
    const sg_func_body **list = SG_NEW_ARRAY(sys->arena, const sg_func_body *, flat->funcs.len + 1);
    sg_func_bodies *bodies = SG_NEW(sys->arena, sg_func_bodies);
    if (!list || !bodies)
        return SG_ERR_MEMORY;
    for (size_t i = 1; i < flat->funcs.len; i++) {
        list[i] = flat->funcs.data[i].body;
        if (list[i])
            sys->bodies = (sg_func_bodies){list, (uint32_t)flat->funcs.len};
    }
    *bodies = sys->bodies;
    out->blocks.bodies = bodies->n ? bodies : NULL;
    return SG_OK;
}

static sg_status write_unknowns(sg_system *sys, sg_structure *out)
{
    out->aliases = sys->aliases;
    out->n_unknowns = (uint32_t)sys->n_original_cols;
    out->unknowns = SG_NEW_ARRAY(sys->arena, sg_var_id, out->n_unknowns + 1);
    for (uint32_t j = 0; out->unknowns && j < out->n_unknowns; j++)
        out->unknowns[j] = sys->cols.data[j];
    return out->unknowns ? SG_OK : SG_ERR_MEMORY;
}

// Everything but what was found out about combinations of rows.
static void forget(sg_system *sys)
{
    if (sys->shapes.flat)
        sg_array_shapes_free(&sys->shapes);
    SG_VEC_FREE(sys->allocator, &sys->singular);
    SG_VEC_FREE(sys->allocator, &sys->marks);
    SG_VEC_FREE(sys->allocator, &sys->eqs);
    SG_VEC_FREE(sys->allocator, &sys->results);
    SG_VEC_FREE(sys->allocator, &sys->values);
    SG_VEC_FREE(sys->allocator, &sys->placeholder_vars);
    SG_VEC_FREE(sys->allocator, &sys->cols);
    SG_VEC_FREE(sys->allocator, &sys->col_of);
    sg_graph_free(&sys->graph);
    sg_graph_free(&sys->exact);
    sg_index_reduction_free(sys->allocator, &sys->red);
    sg_arena_destroy(&sys->scratch);
}

// A sum in place of an equation may leave no equation for an unknown: R*i = u(time) with R = 0 says
// something about u, which is known already, and nothing about i. Then it stays as it was, and the
// run tells that nothing determines i. The last of those found since `first` is taken back.
static bool take_back(sg_system *sys, size_t first)
{
    for (size_t k = sys->combinations.len; k-- > first;) {
        sg_combination *last = &sys->combinations.data[k];
        if (last->vain)
            continue;
        last->rejected = last->vain = true;
        return true;
    }
    return false;
}

// Rows that hide a constraint are found at the very end; then all begins anew with it.
static sg_status run_rounds(sg_system *sys, const sg_system *fresh, sg_structure *out)
{
    const sg_structure empty = *out;
    const size_t first_diag = sys->diags ? sys->diags->len : 0;
    size_t proven = 0; // combinations that the model has a structure with
    for (int round = 0;; round++) {
        size_t known = sys->combinations.len;
        if (!sys->options->preference)
            sys->flat->independent.len = 0;
        sg_status status = run_passes(sys, out);
        bool again = sys->split || sys->combinations.len != known;
        if (status == SG_ERR_MODEL && !sys->split && take_back(sys, proven)) {
            if (sys->diags)
                sg_diags_cut(sys->diags, first_diag);
            again = true;
            status = SG_OK;
        } else {
            proven = known;
        }
        if (status || !again || round == MOST_ROUNDS)
            return status;
        if (sys->split) // what was combined were other equations
            sys->combinations.len = sys->flat->assumptions.len = proven = 0;
        sg_system next = *fresh;
        next.bodies = sys->bodies;
        memcpy(&next.combinations, &sys->combinations, sizeof next.combinations);
        forget(sys);
        *sys = next;
        sg_arena_init(&sys->scratch, sys->allocator);
        *out = empty;
    }
}

sg_status sg_translate(sg_flat *flat, const sg_translate_options *options, sg_arena *arena,
                       sg_diags *diags, sg_structure *out)
{
    *out = (sg_structure){0};
    flat->assumptions.len = 0;
    const sg_system fresh = {.flat = flat,
                             .allocator = flat->allocator,
                             .arena = arena,
                             .diags = diags,
                             .options = options};
    sg_system sys = fresh;
    sg_arena_init(&sys.scratch, flat->allocator);
    sg_status status = sg_flat_failed(flat) ? SG_ERR_MEMORY : find_bodies(&sys, out);
    if (!status)
        status = run_rounds(&sys, &fresh, out);
    if (!status)
        status = write_unknowns(&sys, out);
    if (status == SG_ERR_MEMORY)
        sg_error(diags, SG_E_MEMORY, (sg_span){0}, "out of memory while translating the model");
    SG_VEC_FREE(sys.allocator, &sys.combinations);
    forget(&sys);
    return status;
}

// ---- dumps ----

void sg_structure_dump_aliases(const sg_structure *structure, const sg_flat *flat, sg_buf *out)
{
    for (uint32_t j = 0; j < structure->n_unknowns; j++) {
        const sg_alias *alias = &structure->aliases[structure->unknowns[j].i];
        if (alias->kind == SG_ALIAS_NONE)
            continue;
        sg_flat_print_var(flat, structure->unknowns[j], out);
        switch (alias->kind) {
        case SG_ALIAS_PLUS:
        case SG_ALIAS_MINUS:
            sg_buf_puts(out, alias->kind == SG_ALIAS_PLUS ? " = " : " = -");
            sg_flat_print_var(flat, alias->of, out);
            break;
        case SG_ALIAS_FREE_ZERO:
            sg_buf_puts(out, " = 0 (free)");
            break;
        case SG_ALIAS_ZERO:
        case SG_ALIAS_NONE:
            sg_buf_puts(out, " = 0");
            break;
        }
        sg_buf_putc(out, '\n');
    }
}

static void dump_vars(const sg_flat *flat, const sg_var_id *vars, uint32_t n, sg_buf *out)
{
    for (uint32_t k = 0; k < n; k++) {
        sg_buf_puts(out, k ? ", " : "");
        sg_flat_print_var(flat, vars[k], out);
    }
}

static void dump_assigns(const sg_flat *flat, const sg_block *b, const char *indent, sg_buf *out)
{
    for (uint32_t k = 0; k < b->n_assigns; k++) {
        sg_buf_puts(out, indent);
        sg_flat_print_var(flat, b->assigns[k].var, out);
        sg_buf_puts(out, " := ");
        sg_flat_print_expr(flat, b->assigns[k].value, out);
        sg_buf_putc(out, '\n');
    }
}

void sg_structure_dump_blocks(const sg_structure *structure, const sg_flat *flat, sg_buf *out)
{
    const sg_blocks *blocks = &structure->blocks;
    sg_buf_puts(out, "states ");
    dump_vars(flat, blocks->states, blocks->n_states, out);
    sg_buf_putc(out, '\n');
    for (uint32_t i = 0; i < blocks->n; i++) {
        const sg_block *b = &blocks->list[i];
        if (b->kind == SG_BLOCK_ASSIGN) {
            dump_assigns(flat, b, "", out);
            continue;
        }
        sg_buf_puts(out, b->kind == SG_BLOCK_LINEAR ? "linear in " : "nonlinear in ");
        dump_vars(flat, b->unknowns, b->n_unknowns, out);
        sg_buf_putc(out, '\n');
        dump_assigns(flat, b, "    ", out);
        for (uint32_t k = 0; k < b->n_residuals; k++) {
            sg_buf_puts(out, "    0 = ");
            sg_flat_print_expr(flat, b->residuals[k].value, out);
            sg_buf_putc(out, '\n');
        }
    }
}
