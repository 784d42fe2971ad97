// Language 4.6: which variables are states, by the method of dummy derivatives.
//
// Each block of highest derivatives hides constraints on lower derivatives: the equations whose
// derivatives are in the block. From the lowest level up, every constraint takes one variable away
// from the states, and the variables it is solved for are chosen by tearing in six classes, so
// that variables with init are given up last.
//
// Constraints that cannot be solved with a literal coefficient are an error in the reference. Here
// they become implicit systems: the states given up are then a set of variables that determines
// the constraints structurally, again taken class by class.
#include "equations/system.h"
#include "equations/tearing.h"
#include "symbolic/diff.h"

#include <string.h>

// Entries of the matrix of a set of constraints whose choice of states is watched.
#define MAX_JACOBIAN 65536

typedef struct state_level {
    int *rows, n_rows;
    int *cols, n_cols;
} state_level;

typedef struct state_selector {
    sg_system *sys;
    sg_tearing tearing;
    sg_linear_form form;
    int form_row;     // the row that `form` describes
    bool *tear_below; // per column: torn on the level below
    bool *implicit;   // per column: given up for an implicit constraint
    int *eq_base;     // per row: the row it is the derivative of
    int *row_taken;   // per row: the column it is paired with
    SG_VEC(state_level) levels;
    SG_VEC(sg_constraint_set) constraints;
    sg_status status;
} state_selector;

static bool literal_solvable(void *context, int row, int col)
{
    state_selector *s = context;
    if (s->form_row != row) {
        sg_linear_form_of(&s->form, s->sys, row);
        s->form_row = row;
    }
    return sg_linear_form_coef(&s->form, s->sys->cols.data[col]) != 0.0;
}

static int row_outputs(void *context, int row, int *cols, int max)
{
    state_selector *s = context;
    return sg_system_outputs(s->sys, row, cols, max);
}

static unsigned char class_of(const state_selector *s, int col)
{
    const sg_system *sys = s->sys;
    int base = sys->var_base[col];
    if (base != SG_NONE && s->implicit[base])
        return 0; // belongs to the derivative of the constraint that took its base
    if (base != SG_NONE && s->tear_below[base])
        return 1;
    if (col >= sys->n_original_cols || base != SG_NONE)
        return 2;
    uint32_t attributes = sys->flat->vars.data[sys->cols.data[col].i].attributes;
    if (attributes & SG_ATTR_HAS_INIT)
        return 6;
    if (attributes & SG_ATTR_HAS_START)
        return 4;
    return sys->red.var_der.data[col] == SG_NONE ? 2 : 3;
}

static int preference_of(const sg_system *sys, int col)
{
    const sg_translate_options *o = sys->options;
    uint32_t var = sys->cols.data[col].i;
    return o->preference && var < o->n_preference ? o->preference[var] : 0;
}

static void give_up(state_selector *s, int col) { s->sys->is_state[col] = false; }

// As many constraints as variables: there is no choice.
static void determine(state_selector *s, int col)
{
    sg_flat_var *var = sg_flat_var_get(s->sys->flat, s->sys->cols.data[col]);
    if (var->attributes & SG_ATTR_ELEMENT)
        var->attributes |= SG_ATTR_DETERMINED;
}

// ---- constraints that stay implicit ----

// Order in which columns are taken for the constraints: solved ones, then derivatives of variables
// given up below, then by preference and class, then later unknowns before earlier.
static int rank_of(const state_selector *s, const state_level *l, const sg_tear_output *out,
                   const unsigned char *class, int k)
{
    int base = s->sys->var_base[l->cols[k]];
    if (out->row_of[k] != SG_NONE)
        return -1000;
    if (base != SG_NONE && s->implicit[base])
        return -900;
    int preference = preference_of(s->sys, l->cols[k]);
    return class[k] + (preference > 0 ? 100 : preference < 0 ? -100 : 0);
}

static bool build_column_graph(state_selector *s, const state_level *l, const int *order,
                               sg_graph *graph)
{
    sg_system *sys = s->sys;
    sg_graph transposed_in;               // rows: level rows; columns: positions in `order`
    int *position = s->tearing.local_col; // all zero between uses
    for (int k = 0; k < l->n_cols; k++)
        position[l->cols[order[k]]] = k + 1;
    sg_graph_init(&transposed_in, sys->allocator, l->n_cols);
    for (int i = 0; i < l->n_rows; i++) {
        sg_row row = sg_graph_row(&sys->exact, l->rows[i]);
        for (int k = 0; k < row.n; k++) {
            if (position[row.cols[k]])
                sg_graph_add(&transposed_in, position[row.cols[k]] - 1);
        }
        sg_graph_end_row(&transposed_in);
    }
    for (int k = 0; k < l->n_cols; k++)
        position[l->cols[k]] = 0;
    bool ok = !transposed_in.failed && sg_graph_transpose(&transposed_in, graph) == SG_OK;
    sg_graph_free(&transposed_in);
    return ok;
}

static void sort_by_rank(int *order, const int *rank, int *tmp, int n)
{
    // Merging keeps the order of equals.
    for (int width = 1; width < n; width *= 2) {
        for (int lo = 0; lo < n; lo += 2 * width) {
            int mid = lo + width < n ? lo + width : n, hi = lo + 2 * width < n ? lo + 2 * width : n;
            for (int i = lo, j = mid, k = lo; k < hi; k++)
                tmp[k] = i < mid && (j >= hi || rank[order[i]] <= rank[order[j]]) ? order[i++]
                                                                                  : order[j++];
        }
        memcpy(order, tmp, (size_t)n * sizeof(int));
    }
}

// The variables of a set: solved ones, those given up here, those kept.
static void sort_constraint_vars(const state_selector *s, const state_level *l,
                                 const sg_tear_output *out, const bool *taken,
                                 sg_constraint_set *set)
{
    for (int pass = 0; pass < 3; pass++) {
        for (int k = 0; k < l->n_cols; k++) {
            int kind = out->row_of[k] != SG_NONE ? 0 : taken[k] ? 1 : 2;
            if (kind != pass)
                continue;
            uint32_t at = set->n_solved + set->n_dummies + set->n_states;
            set->vars[at] = s->sys->cols.data[l->cols[k]];
            *(kind == 0 ? &set->n_solved : kind == 1 ? &set->n_dummies : &set->n_states) += 1;
        }
    }
}

// Symbolic, so that the choice can be judged at any point without translating. Large sets are not
// judged: their matrix would be dense.
static void differentiate_constraint(state_selector *s, sg_constraint_set *set)
{
    sg_exprs *x = &s->sys->flat->exprs;
    uint32_t n_vars = set->n_solved + set->n_dummies + set->n_states;
    sg_diff_failure failure;
    if ((size_t)set->n_residuals * n_vars > MAX_JACOBIAN)
        return;
    sg_expr_id *jacobian = SG_NEW_ARRAY(s->sys->arena, sg_expr_id, set->n_residuals * n_vars + 1);
    for (uint32_t i = 0; jacobian && i < set->n_residuals; i++) {
        sg_expr_id residual = sg_func_inline(x, set->residuals[i], &s->sys->bodies);
        for (uint32_t k = 0; k < n_vars; k++) {
            sg_expr_id d = sg_expr_partial(x, residual, set->vars[k], &failure);
            if (!d.i)
                return;
            jacobian[i * n_vars + k] = d;
        }
    }
    set->jacobian = jacobian;
}

// Derivatives of variables given up below follow those; only a level that had a choice is kept.
static void record_constraint(state_selector *s, const state_level *l, const sg_tear_output *out,
                              const bool *taken)
{
    sg_system *sys = s->sys;
    sg_constraint_set set = {0};
    bool had_choice = false;
    set.residuals = SG_NEW_ARRAY(sys->arena, sg_expr_id, l->n_rows);
    set.vars = SG_NEW_ARRAY(sys->arena, sg_var_id, l->n_cols);
    if (sys->arena->failed) {
        s->status = SG_ERR_MEMORY;
        return;
    }
    for (int k = 0; k < l->n_cols; k++) {
        int base = sys->var_base[l->cols[k]];
        had_choice = had_choice || (taken[k] && out->row_of[k] == SG_NONE &&
                                    (base == SG_NONE || !s->implicit[base]));
    }
    for (int i = 0; i < l->n_rows && had_choice; i++) {
        const sg_equation *eq = &sys->eqs.data[l->rows[i]];
        had_choice = !eq->placeholder && !eq->n_results;
        if (had_choice)
            set.residuals[set.n_residuals++] = sg_system_residual(sys, l->rows[i]);
    }
    if (!had_choice)
        return;
    sort_constraint_vars(s, l, out, taken, &set);
    differentiate_constraint(s, &set);
    if (!SG_PUSH(sys->allocator, &s->constraints, set))
        s->status = SG_ERR_MEMORY;
}

static void report_unsolvable(state_selector *s, const state_level *l)
{
    sg_system *sys = s->sys;
    sg_buf text;
    sg_buf_init(&text, sys->allocator);
    for (int k = 0; k < l->n_cols && k < 12; k++) {
        sg_buf_puts(&text, k ? ", " : "");
        sg_flat_print_var(sys->flat, sys->cols.data[l->cols[k]], &text);
    }
    sg_error(sys->diags, SG_E_NO_ODE_FORM, sg_system_source(sys, l->rows[0])->span,
             "the constraint between %s cannot be solved for enough of these variables, so the "
             "model has no form as an ordinary differential equation",
             sg_buf_text(&text));
    sg_buf_free(&text);
    for (int i = 0; i < l->n_rows && i < 12; i++) {
        sg_buf_init(&text, sys->allocator);
        sg_system_print_eq(sys, l->rows[i], &text);
        sg_note(sys->diags, sg_system_source(sys, l->rows[i])->span, "equation involved: %s",
                sg_buf_text(&text));
        sg_buf_free(&text);
    }
    s->status = SG_ERR_MODEL;
}

// Fewer equations than unknowns and some equations left over: picks as many of the torn variables
// as there are equations left, so that all equations of the level can be matched.
static void give_up_implicitly(state_selector *s, const state_level *l, const sg_tear_output *out,
                               const unsigned char *class)
{
    sg_arena *scratch = &s->sys->scratch;
    int *order = SG_NEW_ARRAY(scratch, int, l->n_cols),
        *tmp = SG_NEW_ARRAY(scratch, int, l->n_cols);
    int *rank = SG_NEW_ARRAY(scratch, int, l->n_cols);
    int *col_of_row = SG_NEW_ARRAY(scratch, int, l->n_rows);
    bool *taken = SG_NEW_ARRAY(scratch, bool, l->n_cols);
    if (scratch->failed) {
        s->status = SG_ERR_MEMORY;
        return;
    }
    for (int k = 0; k < l->n_cols; k++) {
        order[k] = k;
        rank[k] = -l->cols[k];
    }
    sort_by_rank(order, rank, tmp, l->n_cols);
    for (int k = 0; k < l->n_cols; k++)
        rank[k] = rank_of(s, l, out, class, k);
    sort_by_rank(order, rank, tmp, l->n_cols);
    sg_graph graph = {0};
    if (!build_column_graph(s, l, order, &graph) ||
        sg_graph_match(&graph, NULL, col_of_row) != SG_OK)
        s->status = SG_ERR_MEMORY;
    sg_graph_free(&graph);
    bool complete = !s->status;
    for (int i = 0; i < l->n_rows && complete; i++) {
        complete = col_of_row[i] != SG_NONE;
        if (complete)
            taken[order[col_of_row[i]]] = true;
    }
    if (s->status)
        return;
    if (!complete) {
        report_unsolvable(s, l);
        return;
    }
    for (int k = 0; k < l->n_cols; k++) {
        if (!taken[k] || out->row_of[k] != SG_NONE)
            continue;
        give_up(s, l->cols[k]);
        s->implicit[l->cols[k]] = true;
    }
    record_constraint(s, l, out, taken);
}

// ---- levels ----

static bool in_row(sg_row row, int col)
{
    for (int k = 0; k < row.n; k++) {
        if (row.cols[k] == col)
            return true;
    }
    return false;
}

// Gives every row of a level that solves nothing (residuals, placeholders) one of the columns that
// no row solves, where it can one that it holds. The pairs complete the matching, and they keep the
// parts of a system together that depend on each other only through implicitDependency.
static void pair_rest(state_selector *s, const state_level *l, const sg_tear_output *out)
{
    sg_system *sys = s->sys;
    int *open = SG_NEW_ARRAY(&sys->scratch, int, l->n_cols), n_open = 0, at = 0;
    bool *done = SG_NEW_ARRAY(&sys->scratch, bool, out->n_residual + 1);
    if (sys->scratch.failed) {
        s->status = SG_ERR_MEMORY;
        return;
    }
    for (int k = 0; k < l->n_cols; k++) {
        int col = l->cols[k], row = out->row_of[k];
        if (sys->is_state[col])
            continue;
        if (row != SG_NONE && s->row_taken[row] == SG_NONE)
            sys->paired_row[col] = row, s->row_taken[row] = col;
        else
            open[n_open++] = col;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < out->n_residual; i++) {
            if (done[i])
                continue;
            int row = out->residual_rows[i], found = SG_NONE;
            sg_row held = sg_graph_row(&sys->graph, row);
            // The second pass takes what is left in order; the first looks a little way ahead.
            for (int k = at; k < n_open && found == SG_NONE && (pass || k < at + 32); k++) {
                if (sys->paired_row[open[k]] == SG_NONE && (pass || in_row(held, open[k])))
                    found = k;
            }
            if (found == SG_NONE)
                continue;
            sys->paired_row[open[found]] = row;
            s->row_taken[row] = open[found];
            done[i] = true;
            while (at < n_open && sys->paired_row[open[at]] != SG_NONE)
                at++;
        }
    }
}

// What a choice gives up: variables with init first of all, then those with start.
static int loss_of(const state_level *l, const unsigned char *class, const sg_tear_output *out)
{
    int loss = 0;
    for (int k = 0; k < l->n_cols; k++)
        if (out->row_of[k] != SG_NONE)
            loss += class[k] == 6 ? 1 + l->n_cols : class[k] == 4;
    return loss;
}

static bool keeps_less(const state_level *l, const unsigned char *class, const sg_tear_output *out)
{
    unsigned char most_given = 0, least_kept = 255;
    for (int k = 0; k < l->n_cols; k++) {
        if (out->row_of[k] != SG_NONE && class[k] > most_given)
            most_given = class[k];
        if (out->row_of[k] == SG_NONE && class[k] < least_kept)
            least_kept = class[k];
    }
    return most_given >= 4 && least_kept < most_given;
}

// Equations take their variables in turn, so that one may take a variable that another one needs,
// which is then left with a variable that has an init value. Where that happened the other order of
// the equations is tried; "init variables are kept as states if any choice exists" (language 4.6).
static sg_status tear_again(state_selector *s, const state_level *l, const sg_tear_input *in,
                            sg_tear_output *out)
{
    sg_arena *scratch = &s->sys->scratch;
    int *rows = SG_NEW_ARRAY(scratch, int, l->n_rows);
    if (!rows)
        return SG_ERR_MEMORY;
    for (int i = 0; i < l->n_rows; i++)
        rows[i] = l->rows[l->n_rows - 1 - i];
    sg_tear_input other = *in;
    sg_tear_output better;
    other.rows = rows;
    sg_status status = sg_tear(&s->tearing, &other, scratch, &better);
    if (!status && better.n_residual <= out->n_residual &&
        loss_of(l, in->col_class, &better) < loss_of(l, in->col_class, out))
        *out = better;
    return status;
}

// As literal_solvable, but nothing that has a value at the start is given up.
static bool solvable_without_value(void *context, int row, int col)
{
    state_selector *s = context;
    return class_of(s, col) < 4 && literal_solvable(context, row, col);
}

static bool is_zero_value(const sg_flat_value *value)
{
    if (value->kind != SG_FLAT_NUMBER && value->kind != SG_FLAT_ARRAY)
        return true;
    for (uint32_t i = 0; i < value->rows * value->cols; i++)
        if (value->numbers[i] != 0.0)
            return false;
    return true;
}

// Does a choice give up a variable with init although one without any value could be computed from
// it? The literal coefficient of an ideal gear belongs to one side, a.phi = ratio*b.phi, whichever
// has the init value. An init of zero comes out of the zero that the other side begins with, so
// there the choice of the language stays.
static bool loses_init(state_selector *s, const state_level *l, const unsigned char *class,
                       const sg_tear_output *out)
{
    const sg_system *sys = s->sys;
    sg_arena *scratch = &s->sys->scratch;
    int *order = SG_NEW_ARRAY(scratch, int, l->n_cols),
        *tmp = SG_NEW_ARRAY(scratch, int, l->n_cols);
    int *rank = SG_NEW_ARRAY(scratch, int, l->n_cols);
    int *col_of_row = SG_NEW_ARRAY(scratch, int, l->n_rows);
    int needless = 0;
    bool init_lost = false;
    if (scratch->failed) {
        s->status = SG_ERR_MEMORY;
        return false;
    }
    for (int k = 0; k < l->n_cols; k++) {
        order[k] = k;
        rank[k] = class[k] >= 4;
        if (class[k] < 4 || out->row_of[k] == SG_NONE)
            continue;
        needless++;
        init_lost = init_lost ||
                    (class[k] == 6 &&
                     !is_zero_value(&sys->flat->vars.data[sys->cols.data[l->cols[k]].i].value));
    }
    if (!init_lost)
        return false;
    sort_by_rank(order, rank, tmp, l->n_cols);
    sg_graph graph = {0};
    if (!build_column_graph(s, l, order, &graph) ||
        sg_graph_match(&graph, NULL, col_of_row) != SG_OK)
        s->status = SG_ERR_MEMORY;
    sg_graph_free(&graph);
    for (int i = 0; i < l->n_rows && !s->status; i++)
        needless -= col_of_row[i] == SG_NONE || class[order[col_of_row[i]]] >= 4;
    return !s->status && needless > 0;
}

static void tear_level(state_selector *s, const state_level *l, bool highest)
{
    sg_system *sys = s->sys;
    sg_arena *scratch = &sys->scratch;
    unsigned char *class = SG_NEW_ARRAY(scratch, unsigned char, l->n_cols);
    int *fixed = SG_NEW_ARRAY(scratch, int, l->n_cols);
    if (scratch->failed) {
        s->status = SG_ERR_MEMORY;
        return;
    }
    for (int k = 0; k < l->n_cols; k++) {
        int base = sys->var_base[l->cols[k]];
        int below = base == SG_NONE ? SG_NONE : sys->solved_row[base];
        class[k] = class_of(s, l->cols[k]);
        fixed[k] = below == SG_NONE ? SG_NONE : sys->red.eq_der.data[below];
    }
    sg_tear_input in = {.graph = &sys->exact,
                        .rows = l->rows,
                        .n_rows = l->n_rows,
                        .cols = l->cols,
                        .n_cols = l->n_cols,
                        .col_class = class,
                        .fixed_row = fixed,
                        .solvable = literal_solvable,
                        .outputs = row_outputs,
                        .context = s};
    sg_tear_output out;
    s->status = sg_tear(&s->tearing, &in, scratch, &out);
    if (!s->status && !highest && l->n_rows < l->n_cols && keeps_less(l, class, &out))
        s->status = tear_again(s, l, &in, &out);
    if (!s->status && !highest && !sys->options->preference && l->n_rows < l->n_cols &&
        loses_init(s, l, class, &out)) {
        in.solvable = solvable_without_value;
        s->status = sg_tear(&s->tearing, &in, scratch, &out);
    }
    if (s->status || s->form.failed) {
        s->status = SG_ERR_MEMORY;
        return;
    }
    bool square = l->n_rows == l->n_cols;
    for (int k = 0; k < l->n_cols; k++) {
        int col = l->cols[k];
        sys->solved_row[col] = out.row_of[k];
        s->tear_below[col] = out.row_of[k] == SG_NONE;
        if (!highest && (out.row_of[k] != SG_NONE || square))
            give_up(s, col);
        if (!highest && square)
            determine(s, col);
    }
    if (!square && out.n_residual)
        give_up_implicitly(s, l, &out, class);
    if (!s->status)
        pair_rest(s, l, &out);
}

static void solve_level(state_selector *s, const state_level *l, bool highest)
{
    if (l->n_rows != 1 || l->n_cols != 1) {
        tear_level(s, l, highest);
        return;
    }
    s->sys->solved_row[l->cols[0]] = s->sys->paired_row[l->cols[0]] = l->rows[0];
    s->row_taken[l->rows[0]] = l->cols[0];
    if (!highest) {
        give_up(s, l->cols[0]);
        determine(s, l->cols[0]);
    }
}

static bool lower_level(state_selector *s, const state_level *up, state_level *out)
{
    sg_system *sys = s->sys;
    out->rows = SG_NEW_ARRAY(&sys->scratch, int, up->n_rows);
    out->cols = SG_NEW_ARRAY(&sys->scratch, int, up->n_cols);
    out->n_rows = out->n_cols = 0;
    if (sys->scratch.failed)
        return false;
    for (int i = 0; i < up->n_rows; i++) {
        if (s->eq_base[up->rows[i]] != SG_NONE)
            out->rows[out->n_rows++] = s->eq_base[up->rows[i]];
    }
    for (int k = 0; k < up->n_cols; k++) {
        if (sys->var_base[up->cols[k]] != SG_NONE)
            out->cols[out->n_cols++] = sys->var_base[up->cols[k]];
    }
    return true;
}

static void select_in_block(state_selector *s, sg_row rows, const int *col_of)
{
    sg_system *sys = s->sys;
    state_level top = {.n_rows = rows.n, .n_cols = rows.n};
    top.rows = SG_NEW_ARRAY(&sys->scratch, int, rows.n);
    top.cols = SG_NEW_ARRAY(&sys->scratch, int, rows.n);
    if (sys->scratch.failed) {
        s->status = SG_ERR_MEMORY;
        return;
    }
    for (int i = 0; i < rows.n; i++) {
        top.rows[i] = rows.cols[i];
        top.cols[i] = col_of[rows.cols[i]];
    }
    s->levels.len = 0;
    for (state_level l = top, below; l.n_rows; l = below) {
        if (!SG_PUSH(sys->allocator, &s->levels, l) || !lower_level(s, &l, &below)) {
            s->status = SG_ERR_MEMORY;
            return;
        }
    }
    for (size_t k = s->levels.len; k-- > 0 && !s->status;)
        solve_level(s, &s->levels.data[k], k == 0);
}

// The highest derivatives and their equations, sorted: rows are those of the system.
static sg_status sort_highest(sg_system *sys, sg_sets *blocks, int *col_of)
{
    int n_rows = sg_graph_rows(&sys->graph);
    sg_graph high;
    sg_graph_init(&high, sys->allocator, sys->graph.n_cols);
    int *original = SG_NEW_ARRAY(&sys->scratch, int, n_rows + 1);
    int *row_of = SG_NEW_ARRAY(&sys->scratch, int, sys->graph.n_cols + 1);
    bool *active = SG_NEW_ARRAY(&sys->scratch, bool, sys->graph.n_cols + 1);
    if (sys->scratch.failed) {
        sg_graph_free(&high);
        return SG_ERR_MEMORY;
    }
    for (int j = 0; j < sys->graph.n_cols; j++)
        active[j] = sys->red.var_der.data[j] == SG_NONE && !sys->eliminated[j];
    for (int i = 0; i < n_rows; i++) {
        if (sys->red.eq_der.data[i] != SG_NONE)
            continue;
        sg_row row = sg_graph_row(&sys->graph, i);
        for (int k = 0; k < row.n; k++)
            sg_graph_add(&high, row.cols[k]);
        original[sg_graph_end_row(&high)] = i;
    }
    sg_status status = sg_graph_match(&high, active, row_of);
    if (!status)
        status = sg_graph_components(&high, row_of, blocks);
    for (size_t k = 0; !status && k < blocks->items.len; k++)
        blocks->items.data[k] = original[blocks->items.data[k]];
    for (int i = 0; i < n_rows; i++)
        col_of[i] = SG_NONE;
    for (int j = 0; !status && j < sys->graph.n_cols; j++) {
        if (row_of[j] != SG_NONE)
            col_of[original[row_of[j]]] = j;
    }
    sg_graph_free(&high);
    return status;
}

static bool prepare(state_selector *s)
{
    sg_system *sys = s->sys;
    int n_cols = sys->graph.n_cols, n_rows = sg_graph_rows(&sys->graph);
    sys->is_state = SG_NEW_ARRAY(&sys->scratch, bool, n_cols + 1);
    sys->solved_row = SG_NEW_ARRAY(&sys->scratch, int, n_cols + 1);
    sys->paired_row = SG_NEW_ARRAY(&sys->scratch, int, n_cols + 1);
    s->row_taken = SG_NEW_ARRAY(&sys->scratch, int, n_rows + 1);
    s->tear_below = SG_NEW_ARRAY(&sys->scratch, bool, n_cols + 1);
    s->implicit = SG_NEW_ARRAY(&sys->scratch, bool, n_cols + 1);
    s->eq_base = SG_NEW_ARRAY(&sys->scratch, int, n_rows + 1);
    if (sys->scratch.failed || sg_tearing_init(&s->tearing, &sys->scratch, n_cols))
        return false;
    for (int j = 0; j < n_cols; j++) {
        sys->is_state[j] = sys->red.var_der.data[j] != SG_NONE;
        sys->solved_row[j] = sys->paired_row[j] = SG_NONE;
    }
    for (int i = 0; i < n_rows; i++)
        s->eq_base[i] = s->row_taken[i] = SG_NONE;
    for (int i = 0; i < n_rows; i++) {
        if (sys->red.eq_der.data[i] != SG_NONE)
            s->eq_base[sys->red.eq_der.data[i]] = i;
    }
    return true;
}

sg_status sg_system_select_states(sg_system *sys, sg_structure *out)
{
    state_selector s = {.sys = sys, .form_row = SG_NONE};
    sg_sets blocks = {0};
    int *col_of = SG_NEW_ARRAY(&sys->scratch, int, sg_graph_rows(&sys->graph) + 1);
    s.status = col_of && prepare(&s) ? SG_OK : SG_ERR_MEMORY;
    if (!s.status)
        s.status = sort_highest(sys, &blocks, col_of);
    for (int b = 0; b < sg_sets_count(&blocks) && !s.status; b++) {
        sg_arena_mark mark = sg_arena_mark_get(&sys->scratch);
        select_in_block(&s, sg_sets_get(&blocks, b), col_of);
        sg_arena_release(&sys->scratch, mark);
    }
    out->n_constraints = (uint32_t)s.constraints.len;
    out->constraints = SG_NEW_ARRAY(sys->arena, sg_constraint_set, s.constraints.len + 1);
    if (out->constraints && s.constraints.len)
        memcpy(out->constraints, s.constraints.data, s.constraints.len * sizeof(sg_constraint_set));
    sg_sets_free(sys->allocator, &blocks);
    sg_linear_form_free(&s.form);
    SG_VEC_FREE(sys->allocator, &s.levels);
    SG_VEC_FREE(sys->allocator, &s.constraints);
    return s.status ? s.status : out->constraints ? SG_OK : SG_ERR_MEMORY;
}
