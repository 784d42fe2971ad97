// Language 4.6, item 4, and 4.7: all equations sorted with the states known, and each strong
// component written as an assignment or as a torn system.
#include "equations/system.h"
#include "equations/tearing.h"
#include "symbolic/diff.h"
#include "symbolic/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct sorter {
    sg_system *sys;
    sg_structure *out;
    sg_graph graph;
    int *row_of, *col_of; // the final matching
    sg_tearing tearing;
    sg_linear_form form;
    int form_row;
    int *mark, stamp; // columns of the present component
    double *growth;   // of its columns: how much tearing enlarges an error, at most
    bool by_size;     // tear only by coefficients that are the largest of their row
    SG_VEC(sg_block) blocks;
    SG_VEC(sg_assign) assigns;     // of the present block
    SG_VEC(sg_residual) residuals; // of the present block
    sg_status status;
} sorter;

// ---- matching ----

static void report_no_form(sorter *s, int row)
{
    sg_buf text;
    sg_buf_init(&text, s->sys->allocator);
    sg_system_print_eq(s->sys, row, &text);
    sg_error(s->sys->diags, SG_E_NO_ODE_FORM, sg_system_source(s->sys, row)->span,
             "with the selected states, the equation '%s' has no unknown left to compute",
             sg_buf_text(&text));
    sg_buf_free(&text);
    s->status = SG_ERR_MODEL;
}

// The exact structure, with the pairs of state selection as further entries.
static bool build_graph(sorter *s)
{
    sg_system *sys = s->sys;
    sg_graph_init(&s->graph, sys->allocator, sys->exact.n_cols);
    for (int i = 0; i < sg_graph_rows(&sys->exact); i++) {
        sg_row row = sg_graph_row(&sys->exact, i);
        bool has_pair = s->col_of[i] == SG_NONE;
        for (int k = 0; k < row.n; k++) {
            sg_graph_add(&s->graph, row.cols[k]);
            has_pair = has_pair || row.cols[k] == s->col_of[i];
        }
        if (!has_pair)
            sg_graph_add(&s->graph, s->col_of[i]);
        sg_graph_end_row(&s->graph);
    }
    return !s->graph.failed;
}

// State selection has paired rows and columns level by level. Should one be left over, augmenting
// paths find its partner; which perfect matching it is does not matter for the components.
static void match_all(sorter *s)
{
    sg_system *sys = s->sys;
    int n_cols = sys->exact.n_cols, n_rows = sg_graph_rows(&sys->exact);
    bool *active = SG_NEW_ARRAY(&sys->scratch, bool, n_cols + 1);
    s->row_of = SG_NEW_ARRAY(&sys->scratch, int, n_cols + 1);
    s->col_of = SG_NEW_ARRAY(&sys->scratch, int, n_rows + 1);
    s->mark = SG_NEW_ARRAY(&sys->scratch, int, n_cols + 1);
    s->growth = SG_NEW_ARRAY(&sys->scratch, double, n_cols + 1);
    if (sys->scratch.failed || sg_tearing_init(&s->tearing, &sys->scratch, n_cols)) {
        s->status = SG_ERR_MEMORY;
        return;
    }
    for (int i = 0; i < n_rows; i++)
        s->col_of[i] = SG_NONE;
    for (int j = 0; j < n_cols; j++) {
        active[j] = !sys->is_state[j] && !sys->eliminated[j];
        s->row_of[j] = active[j] ? sys->paired_row[j] : SG_NONE;
        if (s->row_of[j] != SG_NONE)
            s->col_of[s->row_of[j]] = j;
    }
    if (!build_graph(s)) {
        s->status = SG_ERR_MEMORY;
        return;
    }
    sg_search search;
    sg_search_init(&search, sys->allocator);
    for (int i = 0; i < n_rows && !s->status; i++) {
        bool found = true;
        if (s->col_of[i] == SG_NONE)
            s->status = sg_search_augment(&search, &s->graph, active, NULL, s->row_of, i, &found);
        if (!s->status && !found)
            report_no_form(s, i);
    }
    sg_search_free(&search);
    for (int j = 0; j < n_cols; j++) {
        if (s->row_of[j] != SG_NONE)
            s->col_of[s->row_of[j]] = j;
    }
}

// ---- one component ----

// Errors of the tearing variables may be enlarged this much on the way through the assignments.
// What is left of 16 digits is far more than an integrator asks for; run time looks again.
static const double most_growth = 1e4;

static void form_of(sorter *s, int row)
{
    if (s->form_row == row)
        return;
    sg_linear_form_of(&s->form, s->sys, row);
    s->form_row = row;
}

// The largest literal coefficient that an unknown of the component has in the row of s->form.
static double largest_coef(const sorter *s)
{
    double most = 0.0;
    for (size_t k = 0; k < s->form.vars.len; k++) {
        int col = sg_system_col(s->sys, s->form.vars.data[k]);
        if (col != SG_NONE && s->mark[col] == s->stamp && !s->form.opaque.data[k])
            most = fmax(most, fabs(s->form.coefs.data[k]));
    }
    return most;
}

static bool literal_solvable(void *context, int row, int col)
{
    sorter *s = context;
    form_of(s, row);
    double coef = sg_linear_form_coef(&s->form, s->sys->cols.data[col]);
    return coef != 0.0 && (!s->by_size || fabs(coef) >= largest_coef(s));
}

static int row_outputs(void *context, int row, int *cols, int max)
{
    sorter *s = context;
    return sg_system_outputs(s->sys, row, cols, max);
}

static void push_assign(sorter *s, sg_var_id var, sg_expr_id value, int row)
{
    sg_assign a = {var, value, {(uint32_t)row + 1}};
    if (!value.i || !SG_PUSH(s->sys->allocator, &s->assigns, a))
        s->status = SG_ERR_MEMORY;
}

static void push_residual(sorter *s, sg_expr_id value, int row)
{
    sg_residual r = {value, {(uint32_t)row + 1}};
    if (!value.i || !SG_PUSH(s->sys->allocator, &s->residuals, r))
        s->status = SG_ERR_MEMORY;
}

// Results of a function: those in `solved` are assigned, the others are residuals.
static void write_results(sorter *s, int row, bool solved)
{
    sg_system *sys = s->sys;
    sg_exprs *x = &sys->flat->exprs;
    const sg_equation eq = sys->eqs.data[row];
    for (uint32_t k = 0; k < eq.n_results; k++) {
        sg_expr_id result = sys->results.data[eq.first_result + k];
        sg_expr_id value = sys->values.data[eq.first_result + k];
        bool negated = sg_expr_op_of(x, result) == SG_X_NEG;
        sg_var_id var = sg_expr_var_of(x, negated ? sg_expr_arg(x, result, 0) : result);
        int col = var.i ? sg_system_col(sys, var) : SG_NONE;
        if (solved && col != SG_NONE && s->mark[col] == s->stamp)
            push_assign(s, var, negated ? sg_expr_neg(x, value) : value, row);
        else
            push_residual(s, sg_expr_is_zero(x, result) ? value : sg_expr_sub(x, value, result),
                          row);
    }
}

static void *copy_items(sorter *s, const void *items, size_t n, size_t size)
{
    void *copy = sg_arena_alloc_array(s->sys->arena, n ? n : 1, size, 8);
    if (!copy)
        s->status = SG_ERR_MEMORY;
    else if (n)
        memcpy(copy, items, n * size);
    return copy;
}

// Closes the present block; without residuals each assignment is a block of its own.
static void end_block(sorter *s, sg_block_kind kind, const int *tear, int n_tear)
{
    sg_system *sys = s->sys;
    sg_assign *assigns = copy_items(s, s->assigns.data, s->assigns.len, sizeof(sg_assign));
    if (s->status)
        return;
    if (!s->residuals.len) {
        for (size_t k = 0; k < s->assigns.len; k++) {
            sg_block b = {.kind = SG_BLOCK_ASSIGN, .assigns = assigns + k, .n_assigns = 1};
            if (!SG_PUSH(sys->allocator, &s->blocks, b))
                s->status = SG_ERR_MEMORY;
        }
        return;
    }
    sg_block b = {.kind = kind, .assigns = assigns, .n_assigns = (uint32_t)s->assigns.len};
    b.residuals = copy_items(s, s->residuals.data, s->residuals.len, sizeof(sg_residual));
    b.n_residuals = (uint32_t)s->residuals.len;
    b.unknowns = SG_NEW_ARRAY(sys->arena, sg_var_id, n_tear + 1);
    b.n_unknowns = (uint32_t)n_tear;
    if (!b.unknowns) {
        s->status = SG_ERR_MEMORY;
        return;
    }
    for (int k = 0; k < n_tear; k++)
        b.unknowns[k] = sys->cols.data[tear[k]];
    if (!s->status && !SG_PUSH(sys->allocator, &s->blocks, b))
        s->status = SG_ERR_MEMORY;
}

static sg_degree degree_of_var(void *context, sg_var_id var)
{
    sorter *s = context;
    int col = sg_system_col(s->sys, var);
    return col != SG_NONE && s->mark[col] == s->stamp ? SG_DEGREE_LINEAR : SG_DEGREE_CONSTANT;
}

static sg_degree degree_of_call(void *context, sg_exprs *exprs, sg_expr_id call)
{
    sorter *s = context;
    const sg_translate_options *o = s->sys->options;
    sg_func_id func = {sg_expr_get(exprs, call)->index};
    return o->is_linear_call && o->is_linear_call(o->context, func) ? SG_DEGREE_LINEAR
                                                                    : SG_DEGREE_NONLINEAR;
}

static bool has_unknown(sorter *s, sg_expr_id e)
{
    sg_walk *walk = sg_walk_begin(&s->sys->flat->exprs, e);
    bool found = !walk;
    for (sg_expr_id at; walk && (at = sg_walk_next(walk)).i;) {
        sg_var_id var = sg_expr_var_of(&s->sys->flat->exprs, at);
        found |= var.i && degree_of_var(s, var) != SG_DEGREE_CONSTANT;
    }
    return (walk && !sg_walk_end(walk)) || found;
}

// Is there a condition on unknowns inside of noEvent? It changes within an evaluation, and what
// stands behind it is linear in pieces only.
static bool has_loose_condition(sorter *s, sg_expr_id e)
{
    sg_exprs *x = &s->sys->flat->exprs;
    SG_VEC(sg_expr_id) loose = {0};
    sg_walk *walk = sg_walk_begin(x, e);
    bool found = !walk;
    for (sg_expr_id at; walk && (at = sg_walk_next(walk)).i;) {
        sg_expr_op op = sg_expr_op_of(x, at);
        if (op >= SG_X_LT && op <= SG_X_GE && sg_expr_get(x, at)->index == SG_EXPR_NO_EVENT)
            found |= !SG_PUSH(s->sys->allocator, &loose, at);
    }
    found |= walk && !sg_walk_end(walk);
    for (size_t k = 0; k < loose.len && !found; k++)
        found = has_unknown(s, loose.data[k]);
    SG_VEC_FREE(s->sys->allocator, &loose);
    return found;
}

// With functions put in place that are expressions.
static bool is_linear(sorter *s, sg_expr_id e)
{
    sg_exprs *x = &s->sys->flat->exprs;
    sg_degree_rules rules = {s, degree_of_var, degree_of_call};
    sg_expr_id whole = sg_func_inline(x, e, &s->sys->bodies);
    return sg_expr_degree(x, whole, &rules) != SG_DEGREE_NONLINEAR &&
           !has_loose_condition(s, whole);
}

// Every equation of the component, as a function of all its unknowns together.
static sg_block_kind kind_of(sorter *s, sg_row rows)
{
    sg_system *sys = s->sys;
    for (int i = 0; i < rows.n; i++) {
        const sg_equation eq = sys->eqs.data[rows.cols[i]];
        bool linear = true;
        if (eq.placeholder)
            continue;
        if (!eq.n_results)
            linear = is_linear(s, sg_system_residual(sys, rows.cols[i]));
        for (uint32_t k = 0; k < eq.n_results && linear; k++)
            linear = is_linear(s, sys->values.data[eq.first_result + k]);
        if (!linear)
            return SG_BLOCK_NONLINEAR;
    }
    return SG_BLOCK_LINEAR;
}

// lhs = rhs solved for a variable; most equations are already written that way.
static sg_expr_id solve_for(sorter *s, const sg_equation *eq, sg_var_id var)
{
    sg_exprs *x = &s->sys->flat->exprs;
    sg_expr_id coefficient;
    if (sg_expr_var_of(x, eq->lhs).i == var.i && !sg_expr_contains_var(x, eq->rhs, var))
        return eq->rhs;
    if (sg_expr_var_of(x, eq->rhs).i == var.i && !sg_expr_contains_var(x, eq->lhs, var))
        return eq->lhs;
    return sg_expr_solve(x, eq->lhs, eq->rhs, var, &coefficient);
}

static void write_single(sorter *s, int row)
{
    sg_system *sys = s->sys;
    int col = s->col_of[row];
    sg_var_id var = sys->cols.data[col];
    const sg_equation eq = sys->eqs.data[row];
    if (eq.n_results) {
        int outputs[2];
        write_results(
            s, row,
            sg_system_outputs(sys, row, outputs, 2) == 1 && outputs[0] == col &&
                !sg_expr_contains_var(&sys->flat->exprs, sys->values.data[eq.first_result], var));
    } else {
        sg_expr_id value = solve_for(s, &eq, var);
        if (value.i)
            push_assign(s, var, value, row);
        else
            push_residual(s, sg_system_residual(sys, row), row);
    }
    sg_row rows = {&row, 1};
    end_block(s, s->residuals.len ? kind_of(s, rows) : SG_BLOCK_ASSIGN, &col, 1);
}

static void write_solved(sorter *s, int row)
{
    sg_system *sys = s->sys;
    const sg_equation eq = sys->eqs.data[row];
    if (eq.n_results) {
        write_results(s, row, true);
        return;
    }
    sg_var_id var = sys->cols.data[s->col_of[row]];
    push_assign(s, var, solve_for(s, &eq, var), row);
}

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

// How much the assignments in their order enlarge an error of a tearing variable, by the ratio of
// each coefficient to that of the variable solved for. Unknown coefficients count as of its size.
static bool grows(sorter *s, const sg_tear_output *out)
{
    sg_system *sys = s->sys;
    for (int k = 0; k < out->n_tear; k++)
        s->growth[out->tear_cols[k]] = 1.0;
    for (int k = 0; k < out->n_solved; k++) {
        int row = out->solved_rows[k], own = s->col_of[row];
        if (sys->eqs.data[row].n_results) {
            int cols[16], n = sg_system_outputs(sys, row, cols, 16);
            for (int i = 0; i < n && i < 16; i++)
                s->growth[cols[i]] = 1.0;
            continue;
        }
        form_of(s, row);
        double most = 0.0, pivot = fabs(sg_linear_form_coef(&s->form, sys->cols.data[own]));
        for (size_t i = 0; i < s->form.vars.len; i++) {
            int col = sg_system_col(sys, s->form.vars.data[i]);
            bool other = col != SG_NONE && col != own && s->mark[col] == s->stamp;
            double ratio = s->form.opaque.data[i] ? 1.0 : fabs(s->form.coefs.data[i]) / pivot;
            if (other)
                most = fmax(most, ratio * s->growth[col]);
        }
        s->growth[own] = most;
        if (most > most_growth)
            return true;
    }
    return false;
}

// Tears a component; columns are those of the component, ascending.
static sg_status tear(sorter *s, sg_row rows, const int *cols, sg_tear_output *out)
{
    sg_system *sys = s->sys;
    int *fixed = SG_NEW_ARRAY(&sys->scratch, int, rows.n);
    unsigned char *class = SG_NEW_ARRAY(&sys->scratch, unsigned char, rows.n);
    if (sys->scratch.failed)
        return SG_ERR_MEMORY;
    for (int i = 0; i < rows.n; i++) {
        class[i] = 2;
        // What was solved alone on its level may divide by something that is unknown here.
        int row = sys->solved_row[cols[i]];
        bool safe =
            row != SG_NONE && (sys->eqs.data[row].n_results || literal_solvable(s, row, cols[i]));
        fixed[i] = safe ? row : SG_NONE;
    }
    sg_tear_input in = {.graph = &sys->exact,
                        .rows = rows.cols,
                        .n_rows = rows.n,
                        .cols = cols,
                        .n_cols = rows.n,
                        .col_class = class,
                        .fixed_row = fixed,
                        .solvable = literal_solvable,
                        .outputs = row_outputs,
                        .context = s};
    sg_status status = sg_tear(&s->tearing, &in, &sys->scratch, out);
    for (int i = 0; i < rows.n && !status; i++) {
        if (out->row_of[i] != SG_NONE)
            s->col_of[out->row_of[i]] = cols[i];
    }
    return status;
}

static void write_system(sorter *s, sg_row rows)
{
    sg_system *sys = s->sys;
    sg_arena_mark mark = sg_arena_mark_get(&sys->scratch);
    int *cols = SG_NEW_ARRAY(&sys->scratch, int, rows.n);
    sg_tear_output out;
    if (sys->scratch.failed) {
        s->status = SG_ERR_MEMORY;
        return;
    }
    for (int i = 0; i < rows.n; i++)
        cols[i] = s->col_of[rows.cols[i]];
    qsort(cols, (size_t)rows.n, sizeof(int), compare_ints);
    s->status = sg_system_find_combinations(sys, rows, cols);
    if (!s->status)
        s->status = tear(s, rows, cols, &out);
    if (!s->status && grows(s, &out)) {
        s->by_size = true;
        s->status = tear(s, rows, cols, &out);
        s->by_size = false;
    }
    for (int k = 0; k < out.n_solved && !s->status; k++)
        write_solved(s, out.solved_rows[k]);
    for (int k = 0; k < out.n_residual && !s->status; k++) {
        int row = out.residual_rows[k];
        const sg_equation eq = sys->eqs.data[row];
        if (eq.placeholder)
            continue;
        if (eq.n_results)
            write_results(s, row, false);
        else
            push_residual(s, sg_system_residual(sys, row), row);
    }
    if (!s->status)
        end_block(s, s->residuals.len ? kind_of(s, rows) : SG_BLOCK_ASSIGN, out.tear_cols,
                  out.n_tear);
    sg_arena_release(&sys->scratch, mark);
}

static void write_component(sorter *s, sg_row rows)
{
    s->assigns.len = s->residuals.len = 0;
    s->stamp++;
    for (int i = 0; i < rows.n; i++)
        s->mark[s->col_of[rows.cols[i]]] = s->stamp;
    if (rows.n == 1)
        s->status = sg_system_find_combinations(s->sys, rows, &s->col_of[rows.cols[0]]);
    if (rows.n == 1 && !s->status)
        write_single(s, rows.cols[0]);
    else if (!s->status)
        write_system(s, rows);
}

// ---- tables ----

static const char *name_of(sg_system *sys, sg_var_id var)
{
    const sg_flat_var *v = &sys->flat->vars.data[var.i];
    if (!v->of.i)
        return sg_sym_text(sys->flat->symbols, v->name);
    sg_buf text;
    sg_buf_init(&text, sys->allocator);
    sg_flat_print_var(sys->flat, var, &text);
    const char *copy = sg_arena_text(sys->arena, sg_buf_text(&text), text.len);
    sg_buf_free(&text);
    return copy;
}

static void write_vars(sorter *s)
{
    sg_system *sys = s->sys;
    sg_blocks *b = &s->out->blocks;
    b->n_vars = (uint32_t)sys->flat->vars.len;
    b->vars = SG_NEW_ARRAY(sys->arena, sg_block_var, b->n_vars);
    for (uint32_t i = 1; b->vars && i < b->n_vars; i++) {
        const sg_flat_var *v = &sys->flat->vars.data[i];
        int col = sg_system_col(sys, (sg_var_id){i});
        sg_block_var *out = &b->vars[i];
        out->name = name_of(sys, (sg_var_id){i});
        out->has_start = v->attributes & (SG_ATTR_HAS_INIT | SG_ATTR_HAS_START);
        if (v->attributes & SG_ATTR_TOP_INPUT)
            out->role = SG_VAR_INPUT;
        else if (col == SG_NONE || sys->eliminated[col])
            out->role = SG_VAR_UNUSED;
        else if (sys->is_state[col])
            out->role = SG_VAR_STATE;
        else if (sys->var_base[col] != SG_NONE && sys->is_state[sys->var_base[col]])
            out->role = SG_VAR_DERIVATIVE, out->of = v->of;
        else
            out->role = SG_VAR_ALGEBRAIC;
    }
}

static bool has_dynamic_size(const sg_system *sys, int col)
{
    const sg_flat_value *value = &sys->flat->vars.data[sys->cols.data[col].i].value;
    return value->kind == SG_FLAT_ARRAY && !value->fixed_size;
}

// In the order of the unknowns; those whose length may change come last.
static void write_states(sorter *s)
{
    sg_system *sys = s->sys;
    sg_blocks *b = &s->out->blocks;
    size_t n = sys->cols.len;
    b->states = SG_NEW_ARRAY(sys->arena, sg_var_id, n + 1);
    b->derivatives = SG_NEW_ARRAY(sys->arena, sg_var_id, n + 1);
    s->out->states_without_start = SG_NEW_ARRAY(sys->arena, sg_var_id, n + 1);
    if (sys->arena->failed)
        return;
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < (int)n; j++) {
            if (!sys->is_state[j] || has_dynamic_size(sys, j) != (pass == 1))
                continue;
            sg_var_id var = sys->cols.data[j];
            b->derivatives[b->n_states] = sys->cols.data[sys->red.var_der.data[j]];
            b->states[b->n_states++] = var;
            if (!b->vars[var.i].has_start)
                s->out->states_without_start[s->out->n_states_without_start++] = var;
        }
    }
}

static void write_init_checks(sorter *s)
{
    sg_system *sys = s->sys;
    size_t n = sys->cols.len;
    s->out->init_checks = SG_NEW_ARRAY(sys->arena, sg_var_id, n + 1);
    for (size_t j = 0; s->out->init_checks && j < n; j++) {
        sg_var_id var = sys->cols.data[j];
        if ((sys->flat->vars.data[var.i].attributes & SG_ATTR_HAS_INIT) && !sys->is_state[j])
            s->out->init_checks[s->out->n_init_checks++] = var;
    }
}

static void write_names(sorter *s)
{
    sg_system *sys = s->sys;
    sg_flat *flat = sys->flat;
    sg_blocks *b = &s->out->blocks;
    b->n_pars = (uint32_t)flat->pars.len;
    b->n_funcs = (uint32_t)flat->funcs.len;
    b->n_consts = (uint32_t)flat->consts.len;
    b->n_eqs = (uint32_t)sys->eqs.len + 1;
    b->par_names = SG_NEW_ARRAY(sys->arena, const char *, b->n_pars);
    b->func_names = SG_NEW_ARRAY(sys->arena, const char *, b->n_funcs);
    b->eq_spans = SG_NEW_ARRAY(sys->arena, sg_span, b->n_eqs);
    if (!sg_system_keep_texts(sys, b) || sys->arena->failed)
        return;
    b->const_texts = SG_NEW_ARRAY(sys->arena, const char *, b->n_consts);
    for (uint32_t i = 1; b->const_texts && i < b->n_consts; i++)
        b->const_texts[i] = sg_sym_text(flat->symbols, flat->consts.data[i].text);
    for (uint32_t i = 1; i < b->n_pars; i++)
        b->par_names[i] = sg_sym_text(flat->symbols, flat->pars.data[i].name);
    for (uint32_t i = 1; i < b->n_funcs; i++)
        b->func_names[i] = sg_sym_text(flat->symbols, flat->funcs.data[i].name);
    for (uint32_t i = 1; i < b->n_eqs; i++)
        b->eq_spans[i] = sg_system_source(sys, (int)i - 1)->span;
}

sg_status sg_system_sort(sg_system *sys, sg_structure *out)
{
    sorter s = {.sys = sys, .out = out, .form_row = SG_NONE};
    sg_sets components = {0};
    match_all(&s);
    if (!s.status)
        s.status = sg_graph_components(&s.graph, s.row_of, &components);
    for (int c = 0; c < sg_sets_count(&components) && !s.status; c++)
        write_component(&s, sg_sets_get(&components, c));
    if (!s.status) {
        out->blocks.list = copy_items(&s, s.blocks.data, s.blocks.len, sizeof(sg_block));
        out->blocks.n = (uint32_t)s.blocks.len;
        write_vars(&s);
        if (out->blocks.vars)
            write_states(&s);
        write_init_checks(&s);
        write_names(&s);
    }
    if (sys->arena->failed || sg_flat_failed(sys->flat) || s.form.failed)
        s.status = SG_ERR_MEMORY;
    sg_sets_free(sys->allocator, &components);
    sg_graph_free(&s.graph);
    sg_linear_form_free(&s.form);
    SG_VEC_FREE(sys->allocator, &s.blocks);
    SG_VEC_FREE(sys->allocator, &s.assigns);
    SG_VEC_FREE(sys->allocator, &s.residuals);
    return s.status;
}
