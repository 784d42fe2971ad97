#include "equations/system.h"
#include "symbolic/walk.h"

// A sum that is longer as a tree than this is not worth to be looked through.
#define MAX_TERMS 2000000

static int entry_of(sg_linear_form *f, sg_var_id var)
{
    if (!SG_RESERVE(f->allocator, &f->at, var.i + 1) ||
        !SG_RESERVE(f->allocator, &f->stamp_of, var.i + 1)) {
        f->failed = true;
        return SG_NONE;
    }
    for (; f->stamp_of.len <= var.i; f->stamp_of.len++)
        f->stamp_of.data[f->stamp_of.len] = 0;
    if (f->stamp_of.data[var.i] == f->stamp)
        return f->at.data[var.i];
    // All three or none: what comes after a failure counts by one of them and writes to another.
    size_t n = f->vars.len + 1;
    if (!SG_RESERVE(f->allocator, &f->vars, n) || !SG_RESERVE(f->allocator, &f->coefs, n) ||
        !SG_RESERVE(f->allocator, &f->opaque, n)) {
        f->failed = true;
        return SG_NONE;
    }
    f->vars.data[f->vars.len++] = var;
    f->coefs.data[f->coefs.len++] = 0.0;
    f->opaque.data[f->opaque.len++] = false;
    f->stamp_of.data[var.i] = f->stamp;
    return f->at.data[var.i] = (int)f->vars.len - 1;
}

static void push_term(sg_linear_form *f, sg_expr_id e, double factor)
{
    if (!SG_PUSH(f->allocator, &f->stack, (struct sg_linear_term){e, factor}))
        f->failed = true;
}

static void mark_opaque(void *context, sg_var_id var)
{
    sg_linear_form *f = context;
    int k = entry_of(f, var);
    if (k != SG_NONE)
        f->opaque.data[k] = true;
}

static void add_opaque(sg_linear_form *f, sg_system *sys, sg_expr_id e)
{
    f->other = true;
    if (!sg_expr_incidence(&sys->flat->exprs, e, SG_INCIDENCE_FIRST, mark_opaque, f))
        f->failed = true;
}

// A product of literals and at most one other factor.
static bool split_product(const sg_exprs *x, sg_expr_id e, double *factor, sg_expr_id *rest)
{
    *rest = (sg_expr_id){0};
    for (uint32_t k = 0; k < sg_expr_n_args(x, e); k++) {
        double number;
        if (sg_expr_is_number(x, sg_expr_arg(x, e, k), &number))
            *factor *= number;
        else if (rest->i)
            return false;
        else
            *rest = sg_expr_arg(x, e, k);
    }
    return true;
}

static void split_term(sg_linear_form *f, sg_system *sys, struct sg_linear_term term)
{
    const sg_exprs *x = &sys->flat->exprs;
    sg_expr_op op = sg_expr_op_of(x, term.e);
    uint32_t n = sg_expr_n_args(x, term.e);
    double number;
    sg_expr_id rest;
    if (op == SG_X_VAR && sg_system_col(sys, sg_expr_var_of(x, term.e)) != SG_NONE) {
        int k = entry_of(f, sg_expr_var_of(x, term.e));
        if (k != SG_NONE)
            f->coefs.data[k] += term.factor;
    } else if (sg_expr_is_number(x, term.e, &number)) {
        f->constant += term.factor * number;
    } else if (op == SG_X_ADD) {
        for (uint32_t k = n; k-- > 0;)
            push_term(f, sg_expr_arg(x, term.e, k), term.factor);
    } else if (op == SG_X_SUB) {
        push_term(f, sg_expr_arg(x, term.e, 1), -term.factor);
        push_term(f, sg_expr_arg(x, term.e, 0), term.factor);
    } else if (op == SG_X_NEG) {
        push_term(f, sg_expr_arg(x, term.e, 0), -term.factor);
    } else if (op == SG_X_MUL && split_product(x, term.e, &term.factor, &rest) && rest.i) {
        push_term(f, rest, term.factor);
    } else if (op == SG_X_DIV && sg_expr_is_number(x, sg_expr_arg(x, term.e, 1), &number) &&
               number != 0.0) {
        push_term(f, sg_expr_arg(x, term.e, 0), term.factor / number);
    } else if (op == SG_X_IMPLICIT) {
        push_term(f, sg_expr_arg(x, term.e, 0), term.factor);
    } else {
        add_opaque(f, sys, term.e);
    }
}

void sg_linear_form_of(sg_linear_form *f, sg_system *sys, int row)
{
    const sg_equation *eq = &sys->eqs.data[row];
    f->allocator = sys->allocator;
    f->vars.len = f->coefs.len = f->opaque.len = f->stack.len = 0;
    f->constant = 0.0;
    f->other = eq->n_results || eq->placeholder;
    f->stamp++;
    if (f->other)
        return;
    push_term(f, eq->rhs, -1.0);
    push_term(f, eq->lhs, 1.0);
    for (int steps = 0; f->stack.len && !f->failed; steps++) {
        struct sg_linear_term term = f->stack.data[--f->stack.len];
        if (steps > MAX_TERMS)
            add_opaque(f, sys, term.e);
        else
            split_term(f, sys, term);
    }
}

double sg_linear_form_coef(const sg_linear_form *f, sg_var_id var)
{
    if (var.i >= f->stamp_of.len || f->stamp_of.data[var.i] != f->stamp)
        return 0.0;
    int k = f->at.data[var.i];
    return f->opaque.data[k] ? 0.0 : f->coefs.data[k];
}

void sg_linear_form_free(sg_linear_form *f)
{
    if (!f->allocator)
        return;
    SG_VEC_FREE(f->allocator, &f->vars);
    SG_VEC_FREE(f->allocator, &f->coefs);
    SG_VEC_FREE(f->allocator, &f->opaque);
    SG_VEC_FREE(f->allocator, &f->at);
    SG_VEC_FREE(f->allocator, &f->stamp_of);
    SG_VEC_FREE(f->allocator, &f->stack);
}
