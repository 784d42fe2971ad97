// Constraints between states that several sums hide together, with terms that are known.
//
// Integer elimination (integer.h) finds that the four currents into a ring add up to zero, since
// the sums at its nodes hold nothing but variables. With a source in one of them, 0 = y1 - g1 + g4
// - 3.0, or with coefficients like 2, a row is no integer equation of language 4.3, and index
// reduction, which looks at structure only, does not see the constraint either: the model would be
// singular in every evaluation. So the sums that are left are eliminated once more, each with a
// tag, a variable of its own that is never solved for and stands for the known part of the row.
// Where only states and tags remain, the row is replaced by that sum, if structure alone would not
// have told: if the rows that the tags name hold as many other variables as they are. Nothing else
// is taken from this elimination, so models without such a constraint stay as they are.
#include "equations/integer.h"
#include "equations/system.h"
#include "symbolic/walk.h"

#include <math.h>

// Coefficients are whole and not beyond this.
#define MOST_COEF 1000.0

typedef struct hidden_sums {
    sg_system *sys;
    sg_linear_form form;
    sg_int_system ints;
    unsigned char *flags;      // per column, and per tag behind them
    sg_ints rows;              // integer row -> row of the system
    SG_VEC(sg_expr_id) knowns; // per integer row: what is added to the variables, null if nothing
    bool any;                  // a row that the first elimination did not see
    int *seen, stamp;          // per column: counted for this row
} hidden_sums;

static bool is_sum(const hidden_sums *h)
{
    const sg_linear_form *f = &h->form;
    bool any = false;
    for (size_t k = 0; k < f->vars.len; k++) {
        double c = f->coefs.data[k];
        if (f->opaque.data[k] || c != trunc(c) || fabs(c) > MOST_COEF)
            return false;
        any |= c != 0.0 && sg_system_col(h->sys, f->vars.data[k]) != SG_NONE;
    }
    return any;
}

static sg_expr_id no_unknown(void *context, sg_var_id var)
{
    sg_system *sys = context;
    return sg_system_col(sys, var) == SG_NONE ? (sg_expr_id){0}
                                              : sg_expr_num(&sys->flat->exprs, 0.0);
}

// Is it computed from parameters, time and inputs alone, in the same way at all times?
static bool is_known(sg_system *sys, sg_expr_id e)
{
    sg_exprs *x = &sys->flat->exprs;
    sg_walk *walk = sg_walk_begin(x, e);
    bool known = walk != NULL;
    for (sg_expr_id n; known && (n = sg_walk_next(walk)).i;) {
        sg_expr_op op = sg_expr_op_of(x, n);
        known = op != SG_X_CALL && op != SG_X_IMPLICIT &&
                !(sg_expr_op_info(op)->traits & SG_TRAIT_EVENT);
    }
    if (walk)
        sg_walk_end(walk);
    return known;
}

// lhs - rhs without the unknowns; null if that is zero. False if it is not known.
static bool find_known(hidden_sums *h, const sg_equation *eq, sg_expr_id *known)
{
    sg_system *sys = h->sys;
    sg_exprs *x = &sys->flat->exprs;
    *known = (sg_expr_id){0};
    if (!h->form.other && h->form.constant == 0.0)
        return true;
    sg_expr_id difference = sg_expr_sub(x, eq->lhs, eq->rhs);
    if (!is_known(sys, difference))
        return false;
    *known = sg_expr_substitute(x, difference, no_unknown, sys);
    return known->i != 0;
}

static bool add_sum(hidden_sums *h, int row, sg_expr_id known)
{
    const sg_linear_form *f = &h->form;
    const sg_allocator *allocator = h->sys->allocator;
    bool ok = true;
    for (size_t k = 0; k < f->vars.len && ok; k++) {
        int col = sg_system_col(h->sys, f->vars.data[k]), coef = (int)f->coefs.data[k];
        if (coef == 0 || col == SG_NONE)
            continue;
        sg_graph_add(&h->ints.rows, col);
        ok = SG_PUSH(allocator, &h->ints.coefs, coef);
        h->any |= coef != 1 && coef != -1;
    }
    int tag = (int)h->sys->cols.len + (int)h->rows.len;
    h->flags[tag] = SG_INT_STATE | SG_INT_ELSEWHERE | SG_INT_KNOWN;
    sg_graph_add(&h->ints.rows, tag);
    ok = ok && SG_PUSH(allocator, &h->ints.coefs, 1);
    h->any |= known.i != 0;
    sg_graph_end_row(&h->ints.rows);
    return ok && SG_PUSH(allocator, &h->rows, row) && SG_PUSH(allocator, &h->knowns, known);
}

static bool collect(hidden_sums *h)
{
    sg_system *sys = h->sys;
    for (size_t j = 0; j < sys->cols.len; j++) {
        bool derivative = sys->flat->vars.data[sys->cols.data[j].i].of.i != 0;
        h->flags[j] = (unsigned char)((sys->potential[j] ? SG_INT_STATE : 0) |
                                      (derivative ? SG_INT_DERIVATIVE : 0) | SG_INT_ELSEWHERE);
    }
    for (int i = 0; i < (int)sys->eqs.len; i++) {
        const sg_equation *eq = &sys->eqs.data[i];
        sg_expr_id known;
        if (eq->removed || eq->placeholder || eq->n_results || eq->implicit.i)
            continue;
        sg_linear_form_of(&h->form, sys, i);
        if (h->form.failed)
            return false;
        if (is_sum(h) && find_known(h, eq, &known) && !add_sum(h, i, known))
            return false;
    }
    return !h->ints.rows.failed && !sg_flat_failed(sys->flat);
}

// Do the rows that were combined to this one hold at least as many variables that are no states?
// Each of these rows could then be solved for one of them, as far as structure says.
static bool is_hidden(hidden_sums *h, sg_row combined)
{
    int n_cols = (int)h->sys->cols.len, n_rows = 0, n_others = 0;
    h->stamp++;
    for (int k = 0; k < combined.n; k++) {
        if (combined.cols[k] < n_cols)
            continue;
        sg_row row = sg_graph_row(&h->ints.rows, combined.cols[k] - n_cols);
        n_rows++;
        for (int j = 0; j < row.n; j++) {
            bool other = !(h->flags[row.cols[j]] & SG_INT_STATE);
            n_others += other && h->seen[row.cols[j]] != h->stamp;
            h->seen[row.cols[j]] = h->stamp;
        }
    }
    return n_rows > 1 && n_others >= n_rows;
}

// Row i, if elimination left nothing but states and tags of it.
static void replace_row(hidden_sums *h, const sg_int_result *result, int i)
{
    sg_system *sys = h->sys;
    sg_exprs *x = &sys->flat->exprs;
    sg_row row = sg_graph_row(&result->sums, i);
    const int64_t *coefs =
        row.n ? result->sum_coefs.data + result->sums.starts.data[i] : NULL; // no sums, no data
    int n_states = 0, n_terms = 0, n_cols = (int)sys->cols.len;
    if (result->fate[i] != SG_INT_TRANSFORMED)
        return;
    for (int k = 0; k < row.n; k++) {
        if (!(h->flags[row.cols[k]] & SG_INT_STATE))
            return;
        n_states += row.cols[k] < n_cols;
    }
    sg_expr_id *terms = SG_NEW_ARRAY(&sys->scratch, sg_expr_id, row.n + 1);
    if (!n_states || !terms || !is_hidden(h, row))
        return;
    for (int k = 0; k < row.n; k++) {
        sg_expr_id term = row.cols[k] < n_cols ? sg_expr_var(x, sys->cols.data[row.cols[k]])
                                               : h->knowns.data[row.cols[k] - n_cols];
        if (term.i)
            terms[n_terms++] = coefs[k] == 1 ? term
                               : coefs[k] == -1
                                   ? sg_expr_neg(x, term)
                                   : sg_expr_mul(x, sg_expr_num(x, (double)coefs[k]), term);
    }
    sg_equation *eq = &sys->eqs.data[h->rows.data[i]];
    eq->lhs = sg_expr_num(x, 0.0);
    eq->rhs = n_terms > 1 ? sg_expr_make(x, SG_X_ADD, terms, (uint32_t)n_terms) : terms[0];
    eq->transformed = true;
}

sg_status sg_system_find_hidden_sums(sg_system *sys)
{
    hidden_sums h = {.sys = sys};
    size_t room = sys->cols.len + sys->eqs.len;
    sg_int_result result = {0};
    h.flags = SG_NEW_ARRAY(&sys->scratch, unsigned char, room + 1);
    h.seen = SG_NEW_ARRAY(&sys->scratch, int, room + 1);
    sg_graph_init(&h.ints.rows, sys->allocator, (int)room);
    h.ints.flags = h.flags;
    sg_status status = h.flags && h.seen && collect(&h) ? SG_OK : SG_ERR_MEMORY;
    if (!status && h.any)
        status = sg_int_eliminate(&h.ints, &sys->scratch, &result);
    if (!status && h.any) {
        for (int i = 0; i < (int)h.rows.len; i++)
            replace_row(&h, &result, i);
        sg_int_result_free(sys->allocator, &result);
        if (sg_flat_failed(sys->flat) || sys->scratch.failed)
            status = SG_ERR_MEMORY;
    }
    sg_linear_form_free(&h.form);
    sg_graph_free(&h.ints.rows);
    SG_VEC_FREE(sys->allocator, &h.ints.coefs);
    SG_VEC_FREE(sys->allocator, &h.rows);
    SG_VEC_FREE(sys->allocator, &h.knowns);
    return status;
}
