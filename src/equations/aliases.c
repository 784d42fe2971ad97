// Language 4.3: which equations are integer equations, what elimination says about them, and the
// rest of the system with the eliminated variables replaced.
#include "equations/integer.h"
#include "equations/system.h"
#include "symbolic/walk.h"

#include <math.h>

typedef struct eliminated {
    sg_system *sys;
    sg_linear_form form;
    sg_int_system ints;
    unsigned char *flags; // per column
    sg_ints rows;         // integer row -> row of the system
    sg_int_result result;
} eliminated;

static void mark_elsewhere(void *context, sg_var_id var)
{
    eliminated *e = context;
    int col = sg_system_col(e->sys, var);
    if (col != SG_NONE)
        e->flags[col] |= SG_INT_ELSEWHERE;
}

// What is remembered between events must stay a variable of its own.
static void mark_memory(eliminated *e, sg_expr_id root)
{
    sg_exprs *x = &e->sys->flat->exprs;
    sg_walk *walk = root.i ? sg_walk_begin(x, root) : NULL;
    if (!walk)
        return;
    for (sg_expr_id n; (n = sg_walk_next(walk)).i;) {
        sg_expr_op op = sg_expr_op_of(x, n);
        if (!sg_expr_op_remembers(op) && op != SG_X_HOLD && op != SG_X_REINIT &&
            op != SG_X_CHANGE && op != SG_X_EDGE)
            continue;
        int col = sg_system_col(e->sys, sg_expr_var_of(x, sg_expr_arg(x, n, 0)));
        if (col != SG_NONE)
            e->flags[col] |= SG_INT_STATE | SG_INT_ELSEWHERE;
    }
    sg_walk_end(walk);
}

static void mark_row_elsewhere(eliminated *e, int row)
{
    sg_system *sys = e->sys;
    const sg_equation *eq = &sys->eqs.data[row];
    if (eq->placeholder)
        return; // its incidences are those of the function
    sg_exprs *x = &sys->flat->exprs;
    const unsigned flags = SG_INCIDENCE_IMPLICIT | SG_INCIDENCE_MEMORY;
    if (!eq->n_results) {
        sg_expr_incidence(x, eq->lhs, flags, mark_elsewhere, e);
        sg_expr_incidence(x, eq->rhs, flags, mark_elsewhere, e);
        mark_memory(e, eq->lhs);
        mark_memory(e, eq->rhs);
        return;
    }
    for (uint32_t k = 0; k < eq->n_results; k++)
        sg_expr_incidence(x, sys->results.data[eq->first_result + k], flags, mark_elsewhere, e);
    sg_expr_id right = sg_system_source(sys, row)->rhs;
    sg_expr_incidence(x, right, flags, mark_elsewhere, e);
    mark_memory(e, right);
}

static bool add_integer_row(eliminated *e, int row)
{
    const sg_linear_form *f = &e->form;
    const sg_allocator *allocator = e->sys->allocator;
    for (size_t k = 0; k < f->vars.len; k++) {
        if (f->coefs.data[k] == 0.0)
            continue;
        sg_graph_add(&e->ints.rows, sg_system_col(e->sys, f->vars.data[k]));
        if (!SG_PUSH(allocator, &e->ints.coefs, f->coefs.data[k] > 0 ? 1 : -1))
            return false;
    }
    sg_graph_end_row(&e->ints.rows);
    return SG_PUSH(allocator, &e->rows, row);
}

static bool is_integer_form(const sg_linear_form *f)
{
    if (f->other || f->constant != 0.0)
        return false;
    for (size_t k = 0; k < f->vars.len; k++) {
        if (f->opaque.data[k] || (f->coefs.data[k] != 0.0 && fabs(f->coefs.data[k]) != 1.0))
            return false;
    }
    return true;
}

// Elements of an array have no place in results, so nothing else can be another name of one.
static bool mixes_elements(const eliminated *e)
{
    const sg_linear_form *f = &e->form;
    bool element = false, other = false;
    for (size_t k = 0; k < f->vars.len; k++) {
        const sg_flat_var *var = &e->sys->flat->vars.data[f->vars.data[k].i];
        element |= (var->attributes & SG_ATTR_ELEMENT) != 0;
        other |= !(var->attributes & SG_ATTR_ELEMENT);
    }
    return element && other;
}

// x = x, usually a binding that was meant for an enclosing level.
static void warn_trivial(eliminated *e, int row)
{
    sg_system *sys = e->sys;
    for (size_t k = 0; k < e->form.vars.len; k++) {
        if (e->form.coefs.data[k] != 0.0)
            return;
    }
    sg_buf text;
    sg_buf_init(&text, sys->allocator);
    sg_system_print_eq(sys, row, &text);
    sg_warning(sys->diags, SG_E_TRIVIAL, sg_system_source(sys, row)->span,
               "the equation '%s' says nothing%s", sg_buf_text(&text),
               sg_system_source(sys, row)->origin == SG_EQ_BINDING
                   ? "; write up.name to mean a name one level higher"
                   : "");
    sg_buf_free(&text);
}

static bool collect_rows(eliminated *e)
{
    sg_system *sys = e->sys;
    for (int j = 0; j < sys->n_original_cols; j++) {
        e->flags[j] = sys->potential[j] ? SG_INT_STATE : 0;
        if (sys->flat->vars.data[sys->cols.data[j].i].of.i)
            e->flags[j] |= SG_INT_DERIVATIVE;
    }
    for (int i = 0; i < (int)sys->eqs.len; i++) {
        sg_linear_form_of(&e->form, sys, i);
        if (e->form.failed)
            return false;
        if (!is_integer_form(&e->form) || mixes_elements(e))
            mark_row_elsewhere(e, i);
        else if (!add_integer_row(e, i))
            return false;
        else
            warn_trivial(e, i);
    }
    return !e->ints.rows.failed;
}

// ---- the rest of the system ----

static sg_expr_id replacement(void *context, sg_var_id var)
{
    sg_system *sys = context;
    sg_exprs *x = &sys->flat->exprs;
    switch (sys->aliases[var.i].kind) {
    case SG_ALIAS_PLUS:
        return sg_expr_var(x, sys->aliases[var.i].of);
    case SG_ALIAS_MINUS:
        return sg_expr_neg(x, sg_expr_var(x, sys->aliases[var.i].of));
    case SG_ALIAS_ZERO:
    case SG_ALIAS_FREE_ZERO:
        return sg_expr_num(x, 0.0);
    case SG_ALIAS_NONE:
        break;
    }
    return (sg_expr_id){0};
}

static void substitute(sg_system *sys, sg_expr_id *e)
{
    if (e->i)
        *e = sg_expr_substitute(&sys->flat->exprs, *e, replacement, sys);
}

static void substitute_all(sg_system *sys)
{
    for (size_t i = 0; i < sys->eqs.len; i++) {
        sg_equation *eq = &sys->eqs.data[i];
        if (eq->removed || eq->placeholder || eq->transformed)
            continue;
        substitute(sys, &eq->lhs);
        substitute(sys, &eq->rhs);
        substitute(sys, &eq->implicit);
    }
    for (size_t k = 0; k < sys->results.len; k++) {
        substitute(sys, &sys->results.data[k]);
        substitute(sys, &sys->values.data[k]);
    }
}

// A nominal value holds for everything that is equal. Of several the smallest is taken: it asks for
// most.
static void carry_nominal(sg_flat *flat, sg_var_id from, sg_var_id to)
{
    double nominal = flat->vars.data[from.i].nominal;
    sg_flat_var *var = &flat->vars.data[to.i];
    if (nominal > 0.0 && !(var->nominal > 0.0 && var->nominal <= nominal))
        var->nominal = nominal;
}

static void write_aliases(eliminated *e)
{
    sg_system *sys = e->sys;
    for (int j = 0; j < sys->n_original_cols; j++) {
        int root = e->result.root[j];
        if (root == SG_NONE)
            continue;
        sg_alias *alias = &sys->aliases[sys->cols.data[j].i];
        sys->eliminated[j] = true;
        if (e->result.sign[j]) {
            alias->kind = e->result.sign[j] > 0 ? SG_ALIAS_PLUS : SG_ALIAS_MINUS;
            alias->of = sys->cols.data[root];
            carry_nominal(sys->flat, sys->cols.data[j], alias->of);
        } else {
            alias->kind = SG_ALIAS_ZERO;
        }
    }
    for (size_t k = 0; k < e->result.free_zeros.len; k++)
        sys->aliases[sys->cols.data[e->result.free_zeros.data[k]].i].kind = SG_ALIAS_FREE_ZERO;
}

// A potential that floats: any number would do.
static void tell_free(const eliminated *e)
{
    const sg_system *sys = e->sys;
    for (size_t k = 0; k < e->result.free_zeros.len; k++) {
        const sg_flat_var *var =
            &sys->flat->vars.data[sys->cols.data[e->result.free_zeros.data[k]].i];
        bool potential = var->attributes & SG_ATTR_POTENTIAL;
        sg_note(sys->diags, var->span, "nothing determines '%s'%s; 0 is taken",
                sg_sym_text(sys->flat->symbols, var->name),
                potential ? ", since no ground or fixed point is connected" : "");
    }
}

// 0 = c1*v1 + c2*v2 ...; coefficients +1 and -1 read as signs.
static void write_sum(eliminated *e, int int_row, sg_equation *eq)
{
    sg_exprs *x = &e->sys->flat->exprs;
    sg_row row = sg_graph_row(&e->result.sums, int_row);
    const int64_t *coefs = e->result.sum_coefs.data + e->result.sums.starts.data[int_row];
    sg_expr_id *terms = SG_NEW_ARRAY(&e->sys->scratch, sg_expr_id, row.n);
    for (int k = 0; terms && k < row.n; k++) {
        sg_expr_id v = sg_expr_var(x, e->sys->cols.data[row.cols[k]]);
        terms[k] = coefs[k] == 1    ? v
                   : coefs[k] == -1 ? sg_expr_neg(x, v)
                                    : sg_expr_mul(x, sg_expr_num(x, (double)coefs[k]), v);
    }
    eq->lhs = sg_expr_num(x, 0.0);
    eq->rhs = terms ? sg_expr_make(x, SG_X_ADD, terms, (uint32_t)row.n) : (sg_expr_id){0};
    eq->transformed = true;
}

static void apply_fates(eliminated *e)
{
    for (int i = 0; i < (int)e->rows.len; i++) {
        sg_equation *eq = &e->sys->eqs.data[e->rows.data[i]];
        switch ((sg_int_fate)e->result.fate[i]) {
        case SG_INT_TRANSFORMED:
            write_sum(e, i, eq);
            break;
        case SG_INT_ALIAS:
        case SG_INT_ZERO:
        case SG_INT_REDUNDANT:
            eq->removed = true;
            break;
        case SG_INT_UNTOUCHED:
        case SG_INT_ORIGINAL:
            break;
        }
    }
}

// Removed rows leave the list; placeholders and derivatives refer to rows by number.
static void compact_rows(sg_system *sys, int *new_row)
{
    int n = 0;
    for (int i = 0; i < (int)sys->eqs.len; i++) {
        new_row[i] = n;
        if (sys->eqs.data[i].removed)
            continue;
        sys->eqs.data[n] = sys->eqs.data[i];
        if (sys->eqs.data[n].base != SG_NONE)
            sys->eqs.data[n].base = new_row[sys->eqs.data[n].base];
        n++;
    }
    sys->eqs.len = (size_t)n;
}

sg_status sg_system_eliminate(sg_system *sys)
{
    eliminated e = {.sys = sys};
    e.flags = SG_NEW_ARRAY(&sys->scratch, unsigned char, sys->cols.len + 1);
    int *new_row = SG_NEW_ARRAY(&sys->scratch, int, sys->eqs.len + 1);
    sg_graph_init(&e.ints.rows, sys->allocator, (int)sys->cols.len);
    e.ints.flags = e.flags;
    sg_status status = e.flags && new_row && collect_rows(&e) ? SG_OK : SG_ERR_MEMORY;
    if (!status)
        status = sg_int_eliminate(&e.ints, &sys->scratch, &e.result);
    if (!status) {
        write_aliases(&e);
        tell_free(&e);
        apply_fates(&e);
        substitute_all(sys);
        compact_rows(sys, new_row);
        if (sg_flat_failed(sys->flat) || sys->scratch.failed)
            status = SG_ERR_MEMORY;
        sg_int_result_free(sys->allocator, &e.result);
    }
    sg_linear_form_free(&e.form);
    sg_graph_free(&e.ints.rows);
    SG_VEC_FREE(sys->allocator, &e.ints.coefs);
    SG_VEC_FREE(sys->allocator, &e.rows);
    return status;
}
