// Language 4.5: Pantelides on the structure, then the differentiated equations themselves.
#include "equations/system.h"
#include "symbolic/diff.h"

#include <string.h>

// No sound model differentiates an equation more often; inverse models of robots need four.
#define MAX_ORDER 30

typedef struct equation_differ {
    sg_system *sys;
    sg_var_id unknown; // a variable that has no derivative, null if there was none
} equation_differ;

static sg_expr_id derivative_of_var(void *context, sg_exprs *exprs, sg_var_id var)
{
    equation_differ *d = context;
    sg_system *sys = d->sys;
    int col = sg_system_col(sys, var);
    if (col == SG_NONE) { // an input from outside
        d->unknown = var;
        return sg_expr_num(exprs, 0.0);
    }
    int der = sys->red.var_der.data[col];
    // A variable that index reduction did not reach is one that changes only at events.
    return der == SG_NONE ? (sg_expr_id){0} : sg_expr_var(exprs, sys->cols.data[der]);
}

static sg_expr_id derivative_of_call(void *context, sg_exprs *exprs, sg_expr_id call, uint32_t k,
                                     const sg_expr_id *d_args)
{
    equation_differ *d = context;
    const sg_translate_options *options = d->sys->options;
    sg_expr_id known = sg_func_diff_call(&d->sys->bodies, exprs, call, k, d_args);
    if (known.i)
        return known;
    return options->diff_call ? options->diff_call(options->context, exprs, call, k, d_args)
                              : (sg_expr_id){0};
}

static bool call_moves(void *context, sg_expr_id call)
{
    const equation_differ *d = context;
    return sg_flat_remembers(d->sys->flat, call);
}

static sg_status report_failure(sg_system *sys, int row, sg_diff_failure failure)
{
    if (!failure.at.i)
        return SG_ERR_MEMORY;
    sg_buf text;
    sg_buf_init(&text, sys->allocator);
    sg_system_print_eq(sys, row, &text);
    sg_span span = sg_system_source(sys, row)->span;
    if (failure.func.i && sg_flat_remembers(sys->flat, failure.at)) {
        sg_error(
            sys->diags, SG_E_DERIVATIVE, span,
            "index reduction has to differentiate '%s', but '%s' is a function of a predefined "
            "component, which computes its state from a memory of its own; what it gives "
            "cannot be tied to another state: write the component with equations, or put "
            "something between the two",
            sg_buf_text(&text),
            sg_sym_text(sys->flat->symbols, sys->flat->funcs.data[failure.func.i].name));
    } else if (failure.func.i) {
        const sg_flat_func *func = &sys->flat->funcs.data[failure.func.i];
        const char *why = func->why_no_body;
        sg_error(sys->diags, SG_E_DERIVATIVE, span,
                 "index reduction has to differentiate '%s', but the derivative of the function "
                 "'%s' is not known%s%s; functions that only compute with numbers have one; else "
                 "write the function's body as equations, or give the variables it ties together "
                 "another way to be computed",
                 sg_buf_text(&text), sg_sym_text(sys->flat->symbols, func->name),
                 why ? " because " : "", why ? why : "");
    } else {
        sg_buf part;
        sg_buf_init(&part, sys->allocator);
        sg_flat_print_expr(sys->flat, failure.at, &part);
        sg_error(sys->diags, SG_E_DERIVATIVE, span,
                 "index reduction has to differentiate '%s', but '%s' has no derivative",
                 sg_buf_text(&text), sg_buf_text(&part));
        sg_buf_free(&part);
    }
    sg_buf_free(&text);
    return SG_ERR_MODEL;
}

static sg_status differentiate(equation_differ *d, int base, sg_expr_id e, sg_expr_id *out)
{
    sg_diff_rules rules = {d, derivative_of_var, derivative_of_call, call_moves, 1.0};
    sg_diff_failure failure = {{0}, {0}};
    *out = sg_expr_diff(&d->sys->flat->exprs, e, &rules, &failure);
    return out->i ? SG_OK : report_failure(d->sys, base, failure);
}

// The other side of `x = e`, differentiated, where e does not change. e may be an array, so zero
// has the shape of x; what is a number for sure stays one.
static void shape_zero(sg_exprs *exprs, sg_expr_id x, sg_expr_id e, sg_expr_id *derivative)
{
    if (sg_expr_var_of(exprs, x).i && sg_expr_is_zero(exprs, *derivative) &&
        !sg_expr_is_literal(exprs, e))
        *derivative = sg_expr_unary(exprs, SG_X_ZERO, x);
}

static sg_status differentiate_sides(equation_differ *d, int base, sg_equation *eq)
{
    sg_exprs *exprs = &d->sys->flat->exprs;
    sg_expr_id lhs = d->sys->eqs.data[base].lhs, rhs = d->sys->eqs.data[base].rhs;
    sg_status status = differentiate(d, base, lhs, &eq->lhs);
    if (!status)
        status = differentiate(d, base, rhs, &eq->rhs);
    if (!status) {
        shape_zero(exprs, lhs, rhs, &eq->rhs);
        shape_zero(exprs, rhs, lhs, &eq->lhs);
    }
    return status;
}

static sg_status differentiate_multi(equation_differ *d, int base, sg_equation *eq)
{
    sg_system *sys = d->sys;
    uint32_t first = sys->eqs.data[base].first_result;
    eq->first_result = (uint32_t)sys->results.len;
    for (uint32_t k = 0; k < eq->n_results; k++) {
        sg_expr_id result, value;
        sg_status status = differentiate(d, base, sys->results.data[first + k], &result);
        if (!status)
            status = differentiate(d, base, sys->values.data[first + k], &value);
        if (status)
            return status;
        if (!SG_PUSH(sys->allocator, &sys->results, result) ||
            !SG_PUSH(sys->allocator, &sys->values, value))
            return SG_ERR_MEMORY;
    }
    return SG_OK;
}

// The placeholder of a differentiated function: structure only.
static sg_status differentiate_placeholder(sg_system *sys, int row, int base, sg_equation *eq)
{
    eq->base = sys->red.eq_der.data[sys->eqs.data[base].base];
    eq->first_result = (uint32_t)sys->placeholder_vars.len;
    sg_row r = sg_graph_row(&sys->graph, row);
    eq->n_results = (uint32_t)r.n;
    for (int k = 0; k < r.n; k++) {
        if (!SG_PUSH(sys->allocator, &sys->placeholder_vars, sys->cols.data[r.cols[k]]))
            return SG_ERR_MEMORY;
    }
    return SG_OK;
}

static sg_status add_derivative_row(equation_differ *d, int row, int base)
{
    sg_system *sys = d->sys;
    sg_equation eq = sys->eqs.data[base];
    eq.base = base;
    eq.order++;
    eq.implicit = (sg_expr_id){0};
    sg_status status = SG_OK;
    d->unknown = (sg_var_id){0};
    if (eq.placeholder) {
        status = differentiate_placeholder(sys, row, base, &eq);
    } else if (eq.n_results) {
        status = differentiate_multi(d, base, &eq);
    } else {
        status = differentiate_sides(d, base, &eq);
    }
    if (!status && d->unknown.i) {
        sg_buf text;
        sg_buf_init(&text, sys->allocator);
        sg_flat_print_var(sys->flat, d->unknown, &text);
        sg_error(sys->diags, SG_E_DERIVATIVE, sg_system_source(sys, base)->span,
                 "index reduction needs the derivative of the input '%s', which is not known",
                 sg_buf_text(&text));
        sg_buf_free(&text);
        status = SG_ERR_MODEL;
    }
    if (!status && !SG_PUSH(sys->allocator, &sys->eqs, eq))
        status = SG_ERR_MEMORY;
    return status;
}

// New columns get the derivative variables of the flat model.
static bool name_new_columns(sg_system *sys)
{
    size_t n = (size_t)sys->graph.n_cols;
    sys->var_base = SG_NEW_ARRAY(&sys->scratch, int, n + 1);
    bool *eliminated = SG_NEW_ARRAY(&sys->scratch, bool, n + 1);
    if (!sys->var_base || !eliminated)
        return false;
    memcpy(eliminated, sys->eliminated, (size_t)sys->n_original_cols);
    sys->eliminated = eliminated;
    for (size_t j = 0; j < n; j++)
        sys->var_base[j] = SG_NONE;
    for (size_t j = 0; j < n; j++) {
        if (sys->red.var_der.data[j] != SG_NONE)
            sys->var_base[sys->red.var_der.data[j]] = (int)j;
    }
    for (size_t j = sys->cols.len; j < n; j++) {
        sg_var_id var = sg_flat_der(sys->flat, sys->cols.data[sys->var_base[j]]);
        if (!var.i || !SG_PUSH(sys->allocator, &sys->cols, var) ||
            !SG_RESERVE(sys->allocator, &sys->col_of, var.i + 1))
            return false;
        for (; sys->col_of.len <= var.i; sys->col_of.len++)
            sys->col_of.data[sys->col_of.len] = SG_NONE;
        sys->col_of.data[var.i] = (int)sys->cols.len - 1;
    }
    return true;
}

static bool start_associations(sg_system *sys)
{
    for (size_t j = 0; j < sys->cols.len; j++) {
        sg_var_id der = sys->flat->vars.data[sys->cols.data[j].i].der;
        int col = sys->potential[j] ? sg_system_col(sys, der) : SG_NONE;
        if (!SG_PUSH(sys->allocator, &sys->red.var_der, col))
            return false;
    }
    return true;
}

// The alias table covers the variables that were added meanwhile.
static bool grow_aliases(sg_system *sys, size_t old_vars)
{
    sg_alias *grown = SG_NEW_ARRAY(sys->arena, sg_alias, sys->flat->vars.len);
    if (grown)
        memcpy(grown, sys->aliases, old_vars * sizeof(sg_alias));
    sys->aliases = grown;
    return grown != NULL;
}

sg_status sg_system_reduce_index(sg_system *sys)
{
    int culprit;
    size_t old_vars = sys->flat->vars.len;
    if (!start_associations(sys))
        return SG_ERR_MEMORY;
    sg_status status = sg_pantelides(&sys->graph, &sys->red, MAX_ORDER, &culprit);
    if (status == SG_ERR_LIMIT) {
        sg_error(sys->diags, SG_E_STRUCTURE, sg_system_source(sys, culprit)->span,
                 "this equation would have to be differentiated more than %d times; the model has "
                 "no solution of finite index",
                 MAX_ORDER);
        return SG_ERR_MODEL;
    }
    if (status)
        return status;
    if (!name_new_columns(sys) || !grow_aliases(sys, old_vars))
        return SG_ERR_MEMORY;
    equation_differ d = {.sys = sys};
    // Rows are appended in the order in which Pantelides numbered them.
    int n_rows = sg_graph_rows(&sys->graph), first = (int)sys->eqs.len;
    int *base_of = SG_NEW_ARRAY(&sys->scratch, int, n_rows + 1);
    if (!base_of)
        return SG_ERR_MEMORY;
    for (int i = 0; i < n_rows; i++) {
        if (sys->red.eq_der.data[i] != SG_NONE)
            base_of[sys->red.eq_der.data[i]] = i;
    }
    for (int i = first; i < n_rows && !status; i++)
        status = add_derivative_row(&d, i, base_of[i]);
    return status;
}
