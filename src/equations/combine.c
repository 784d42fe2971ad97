// Equations that determine fewer derivatives than they contain: M x' = f(x) with a singular M.
//
// C*(der(y2) - der(y1)) = f1 and C*(der(y1) - der(y2)) = f2 look as if they could be solved for
// both derivatives, and no look at the structure tells that they cannot. But their sum has no
// derivative at all: 0 = f1 + f2 is a constraint between y1 and y2, which index reduction has to
// know of. So the rows of each sorted component are looked at whose coefficients are numbers and
// parameters. If w M = 0 for some weights w, one of the rows is replaced by the sum w f, and the
// model is translated again.
//
// Parameters may get other values between runs without a new translation. So the weights must make
// M vanish whatever the values are: coefficients are evaluated for two sets of made-up values, and
// what vanishes for both vanishes for all, up to a chance of nothing. The weights themselves are
// expressions of the parameters.
//
// Where nothing vanishes for all values, the present ones are tried: L1*L2 = M^2 couples two
// inductors perfectly, and then their currents are one state. That holds for these values only, so
// it is noted as an assumption, and other values need another translation (flat.h).
#include "equations/system.h"
#include "symbolic/diff.h"
#include "symbolic/eval.h"
#include "symbolic/walk.h"

#include <math.h>
#include <string.h>

enum {
    MOST_ROWS = 200,   // of a component that is looked at
    MOST_WEIGHTS = 12, // that are no plain numbers
    TRIALS = 2
};
// What is smaller than this part of its terms is zero. Almost singular is not singular: 1e-11 times
// a derivative is a fast motion, and no constraint.
static const double vanishes = 1e-13;

typedef struct candidate {
    int row;
    sg_expr_id *coefs; // one for each column of the component; null: does not occur
} candidate;

typedef struct combiner {
    sg_system *sys;
    const int *cols;
    int n_cols;
    candidate *rows;
    int n_rows;
    double *a[TRIALS]; // coefficients, by rows
    double *w[TRIALS]; // weights of the rows of a dependency
    double *r, *left;  // work space: what is left of each row, and weights of these
    int *pivot;        // per row: its pivot column, SG_NONE if it depends on the others
    int trial;
    bool present; // with the present values of parameters, not made-up ones
    sg_status status;
} combiner;

// ---- coefficients -------------------------------------------------------------------------------

// Between one half and two, the same in every run and on every machine.
static double made_up(const combiner *c, uint64_t key)
{
    uint64_t x = key * TRIALS + (uint64_t)c->trial + 1;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return exp2(2.0 * (double)((x ^ (x >> 31)) >> 11) / 9007199254740992.0 - 1.0);
}

static double made_up_parameter(void *context, sg_par_id par) { return made_up(context, par.i); }

// One number of a parameter: C[2], K[1, 3].
static bool is_element(const sg_exprs *x, sg_expr_id e)
{
    bool is =
        sg_expr_op_of(x, e) == SG_X_INDEX && sg_expr_op_of(x, sg_expr_arg(x, e, 0)) == SG_X_PAR;
    for (uint32_t k = 1; is && k < sg_expr_n_args(x, e); k++)
        is = sg_expr_is_literal(x, sg_expr_arg(x, e, k));
    return is;
}

static sg_expr_id put_element(void *context, sg_exprs *exprs, sg_expr_id e)
{
    const uint64_t behind = (uint64_t)1 << 32; // keys of parameters
    return is_element(exprs, e) ? sg_expr_num(exprs, made_up(context, behind + e.i)) : e;
}

static bool value_of(combiner *c, sg_expr_id e, int trial, double *value)
{
    sg_exprs *x = &c->sys->flat->exprs;
    sg_expr_values values = {.context = c, .par = made_up_parameter, .time = (double)NAN};
    if (c->present)
        return sg_flat_constant(c->sys->flat, e, value);
    c->trial = trial;
    e = sg_expr_rewrite(x, e, put_element, c);
    return e.i && sg_expr_eval(x, e, &values, value) && isfinite(*value);
}

static bool not_into_elements(const sg_exprs *x, sg_expr_id e, uint32_t k)
{
    (void)k;
    return !is_element(x, e);
}

// Numbers and parameters that are numbers: arrays need not commute.
static bool is_plain(combiner *c, sg_expr_id e)
{
    sg_exprs *x = &c->sys->flat->exprs;
    bool plain = true;
    sg_walk *walk = sg_walk_begin(x, e);
    if (!walk)
        return false;
    walk->follow = not_into_elements;
    for (sg_expr_id at; plain && (at = sg_walk_next(walk)).i;) {
        const sg_expr_node *node = sg_expr_get(x, at);
        if (node->op == SG_X_PAR)
            plain = c->sys->flat->pars.data[node->index].value.kind == SG_FLAT_NUMBER;
        else
            plain = node->op != SG_X_VAR && node->op != SG_X_TIME;
    }
    sg_walk_end(walk);
    return plain;
}

// A row as a sum of the unknowns times what is constant, and a rest that knows nothing of them.
static bool split_row(combiner *c, int row, const int *cols, int n_cols, sg_expr_id *coefs,
                      sg_expr_id *rest)
{
    sg_exprs *x = &c->sys->flat->exprs;
    const sg_equation *eq = &c->sys->eqs.data[row];
    if (eq->placeholder || eq->n_results)
        return false;
    *rest = sg_system_residual(c->sys, row);
    for (int j = 0; j < n_cols; j++) {
        sg_var_id var = sg_system_var(c->sys, cols[j]);
        coefs[j] = (sg_expr_id){0};
        if (!sg_expr_contains_var(x, *rest, var))
            continue;
        sg_linear l = sg_expr_linear(x, *rest, var);
        if (!l.is_linear || l.in_condition || !is_plain(c, l.coefficient))
            return false;
        coefs[j] = l.coefficient;
        *rest = l.rest;
    }
    return rest->i != 0;
}

static bool prepare(combiner *c, sg_row rows)
{
    sg_arena *arena = &c->sys->scratch;
    size_t n = (size_t)rows.n;
    c->rows = SG_NEW_ARRAY(arena, candidate, n);
    for (int k = 0; k < TRIALS; k++) {
        c->a[k] = SG_NEW_ARRAY(arena, double, n *n);
        c->w[k] = SG_NEW_ARRAY(arena, double, n);
    }
    c->r = SG_NEW_ARRAY(arena, double, n *n);
    c->left = SG_NEW_ARRAY(arena, double, n);
    c->pivot = SG_NEW_ARRAY(arena, int, n);
    for (size_t i = 0; i < n && !arena->failed; i++) {
        candidate *to = &c->rows[c->n_rows];
        sg_expr_id rest;
        to->row = rows.cols[i];
        if (!to->coefs)
            to->coefs = SG_NEW_ARRAY(arena, sg_expr_id, n);
        bool known = to->coefs && split_row(c, to->row, c->cols, c->n_cols, to->coefs, &rest);
        for (size_t j = 0; j < n && known; j++)
            for (int k = 0; k < TRIALS && known; k++) {
                double *value = &c->a[k][(size_t)c->n_rows * n + j];
                *value = 0.0;
                known = !to->coefs[j].i || value_of(c, to->coefs[j], k, value);
            }
        c->n_rows += known;
    }
    if (arena->failed || sg_flat_failed(c->sys->flat))
        c->status = SG_ERR_MEMORY;
    return !c->status && c->n_rows > 1;
}

// ---- dependent rows -----------------------------------------------------------------------------

static double size_of(const combiner *c, const double *a, int row)
{
    double size = 0.0;
    for (int j = 0; j < c->n_cols; j++)
        size = fmax(size, fabs(a[(size_t)row * (size_t)c->n_cols + (size_t)j]));
    return size;
}

// Rows one after the other, each scaled to one and reduced by those before it. `r` holds what is
// left of each; a row of which nothing is left depends on the others.
static void reduce(combiner *c, const double *a)
{
    size_t n = (size_t)c->n_cols;
    for (int i = 0; i < c->n_rows; i++) {
        double *row = c->r + (size_t)i * n, most = 0.0, size = size_of(c, a, i);
        for (size_t j = 0; j < n; j++)
            row[j] = size > 0.0 ? a[(size_t)i * n + j] / size : 0.0;
        for (int p = 0; p < i; p++) {
            if (c->pivot[p] == SG_NONE)
                continue;
            double factor = row[c->pivot[p]] / c->r[(size_t)p * n + (size_t)c->pivot[p]];
            for (size_t j = 0; j < n && factor != 0.0; j++)
                row[j] -= factor * c->r[(size_t)p * n + j];
            row[c->pivot[p]] = 0.0;
        }
        c->pivot[i] = SG_NONE;
        for (size_t j = 0; j < n; j++)
            if (fabs(row[j]) > fmax(most, vanishes)) {
                most = fabs(row[j]);
                c->pivot[i] = (int)j;
            }
    }
}

// Weights with which row t and independent rows before it add up to nothing: back through the
// reduction, as if t had been the first row that depends.
static void find_weights(combiner *c, const double *a, int t, double *w)
{
    size_t n = (size_t)c->n_cols;
    double *left = c->left;
    memset(w, 0, (size_t)c->n_rows * sizeof *w);
    // Coefficients of the reduced rows in t, then of the rows themselves.
    double *row = c->r + (size_t)t * n; // nothing is left of it, so its place is free
    memcpy(row, a + (size_t)t * n, n * sizeof *row);
    for (int p = 0; p < t; p++) {
        left[p] = 0.0;
        if (c->pivot[p] == SG_NONE)
            continue;
        left[p] = row[c->pivot[p]] / c->r[(size_t)p * n + (size_t)c->pivot[p]];
        for (size_t j = 0; j < n; j++)
            row[j] -= left[p] * c->r[(size_t)p * n + j];
    }
    memset(row, 0, n * sizeof *row);
    w[t] = 1.0;
    double most = size_of(c, a, t);
    // a_p / size_p = r_p + sum of factors times r_q, q < p: solve from the last one back.
    for (int p = t; p-- > 0;) {
        if (c->pivot[p] == SG_NONE || left[p] == 0.0)
            continue;
        double size = size_of(c, a, p);
        if (fabs(left[p]) <= vanishes * most)
            continue;
        w[p] = -left[p] / size;
        double rest[MOST_ROWS];
        for (size_t j = 0; j < n; j++)
            rest[j] = a[(size_t)p * n + j] / size;
        for (int q = 0; q < p; q++) {
            if (c->pivot[q] == SG_NONE)
                continue;
            double factor = rest[c->pivot[q]] / c->r[(size_t)q * n + (size_t)c->pivot[q]];
            for (size_t j = 0; j < n && factor != 0.0; j++)
                rest[j] -= factor * c->r[(size_t)q * n + j];
            left[q] -= left[p] * factor;
        }
    }
}

// Do the rows, with these weights, add up to nothing?
static bool add_up_to_nothing(const combiner *c, const double *a, const double *w)
{
    for (int j = 0; j < c->n_cols; j++) {
        double sum = 0.0, size = 0.0;
        for (int i = 0; i < c->n_rows; i++) {
            double term = w[i] * a[(size_t)i * (size_t)c->n_cols + (size_t)j];
            sum += term;
            size += fabs(term);
        }
        if (fabs(sum) > vanishes * size)
            return false;
    }
    return true;
}

// ---- weights as expressions ---------------------------------------------------------------------

// A number that is a simple fraction is meant as that.
static double plain_number(double x)
{
    for (int n = 1; n <= 16; n++) {
        double whole = rint(x * n);
        if (fabs(x * n - whole) <= 1e-12 * fmax(fabs(whole), 1.0))
            return whole / n;
    }
    return x;
}

static bool are_numbers(const combiner *c)
{
    for (int i = 0; i < c->n_rows; i++)
        if (fabs(c->w[0][i] - c->w[1][i]) > 1e-9 * fabs(c->w[0][i]))
            return false;
    return true;
}

static sg_expr_id entry(const combiner *c, int row, int col)
{
    sg_expr_id e = c->rows[row].coefs[col];
    return e.i ? e : sg_expr_num(&c->sys->flat->exprs, 0.0);
}

// Weights of `list` (the last one is 1) from the columns that reduced them, by elimination with
// expressions; pivots are those that the numbers chose.
static bool solve_weights(combiner *c, const int *list, int n, sg_expr_id *weights)
{
    sg_exprs *x = &c->sys->flat->exprs;
    sg_expr_id m[MOST_WEIGHTS][MOST_WEIGHTS + 1];
    bool used[MOST_WEIGHTS] = {false};
    int order[MOST_WEIGHTS], k = n - 1;
    for (int i = 0; i < k; i++) { // equation i: column pivot[list[i]]
        for (int j = 0; j < k; j++)
            m[i][j] = entry(c, list[j], c->pivot[list[i]]);
        m[i][k] = sg_expr_neg(x, entry(c, list[k], c->pivot[list[i]]));
    }
    for (int j = 0; j < k; j++) {
        double most = 0.0, value;
        order[j] = SG_NONE;
        for (int i = 0; i < k; i++)
            if (!used[i] && value_of(c, m[i][j], 0, &value) && fabs(value) > most) {
                most = fabs(value);
                order[j] = i;
            }
        if (order[j] == SG_NONE)
            return false;
        int p = order[j];
        used[p] = true;
        for (int i = 0; i < k; i++) {
            if (i == p || sg_expr_is_zero(x, m[i][j]))
                continue;
            sg_expr_id factor = sg_expr_div(x, m[i][j], m[p][j]);
            for (int q = j; q <= k; q++)
                m[i][q] = sg_expr_sub(x, m[i][q], sg_expr_mul(x, factor, m[p][q]));
        }
    }
    for (int j = 0; j < k; j++)
        weights[j] = sg_expr_div(x, m[order[j]][k], m[order[j]][j]);
    weights[k] = sg_expr_num(x, 1.0);
    return !x->failed;
}

// Do they have the values that the numbers say? Elimination may have met a zero that is none.
static bool weights_hold(combiner *c, const int *list, int n, const sg_expr_id *weights)
{
    for (int k = 0; k < TRIALS; k++)
        for (int i = 0; i < n; i++) {
            double value;
            if (!value_of(c, weights[i], k, &value) ||
                fabs(value - c->w[k][list[i]]) > 1e-8 * fabs(value))
                return false;
        }
    return true;
}

static bool make_weights(combiner *c, const int *list, int n, sg_expr_id *weights)
{
    sg_exprs *x = &c->sys->flat->exprs;
    bool numbers = !c->present && are_numbers(c);
    for (int i = 0; i < n && numbers; i++)
        weights[i] = sg_expr_num(x, plain_number(c->w[0][list[i]]));
    if (!numbers && (n > MOST_WEIGHTS || !solve_weights(c, list, n, weights)))
        return false;
    return weights_hold(c, list, n, weights);
}

// ---- what is noted ------------------------------------------------------------------------------

// The row that this one is a derivative of, and the column.
static int original_row(const sg_system *sys, int row)
{
    while (sys->eqs.data[row].order > 0)
        row = sys->eqs.data[row].base;
    return row;
}

static int original_col(const sg_system *sys, int col, int order)
{
    for (; order > 0 && col != SG_NONE; order--)
        col = sys->var_base[col];
    return col;
}

// All rows differentiated equally often, and a derivative among what they determine?
static bool is_of_this_kind(const combiner *c, const int *list, int n)
{
    const sg_system *sys = c->sys;
    bool derivative = false;
    for (int i = 0; i < n; i++) {
        if (sys->eqs.data[c->rows[list[i]].row].order != sys->eqs.data[c->rows[list[0]].row].order)
            return false;
        for (int j = 0; j < c->n_cols; j++)
            derivative |= c->rows[list[i]].coefs[j].i && sys->var_base[c->cols[j]] != SG_NONE;
    }
    return derivative;
}

static void note(combiner *c, const int *list, int n, const sg_expr_id *weights)
{
    sg_system *sys = c->sys;
    int order = sys->eqs.data[c->rows[list[0]].row].order;
    int replaced = original_row(sys, c->rows[list[n - 1]].row);
    for (size_t k = 0; k < sys->combinations.len; k++) {
        const sg_combination *known = &sys->combinations.data[k];
        if (known->vain && known->rows[known->n - 1] == replaced)
            return;
    }
    sg_combination to = {.n = n,
                         .rows = SG_NEW_ARRAY(sys->arena, int, n),
                         .weights = SG_NEW_ARRAY(sys->arena, sg_expr_id, n),
                         .vars = SG_NEW_ARRAY(sys->arena, sg_var_id, c->n_cols)};
    if (sys->arena->failed) {
        c->status = SG_ERR_MEMORY;
        return;
    }
    for (int i = 0; i < n; i++) {
        to.rows[i] = original_row(sys, c->rows[list[i]].row);
        to.weights[i] = weights[i];
    }
    for (int j = 0; j < c->n_cols; j++) {
        int col = original_col(sys, c->cols[j], order);
        if (col != SG_NONE)
            to.vars[to.n_vars++] = sg_system_var(sys, col);
    }
    if (!SG_PUSH(sys->allocator, &sys->combinations, to))
        c->status = SG_ERR_MEMORY;
}

// The sums that vanish, one for each column.
static void assume(combiner *c, const int *list, int n, const sg_expr_id *weights)
{
    sg_flat *flat = c->sys->flat;
    for (int j = 0; j < c->n_cols && !c->status; j++) {
        sg_flat_assumption a = {.terms = SG_NEW_ARRAY(&flat->arena, sg_expr_id, n)};
        for (int i = 0; a.terms && i < n; i++)
            if (c->rows[list[i]].coefs[j].i)
                a.terms[a.n++] = sg_expr_mul(&flat->exprs, weights[i], c->rows[list[i]].coefs[j]);
        if (!a.terms || !SG_PUSH(flat->allocator, &flat->assumptions, a))
            c->status = SG_ERR_MEMORY;
    }
}

static void look_at_row(combiner *c, int t)
{
    int list[MOST_ROWS], n = 0;
    sg_expr_id weights[MOST_ROWS];
    for (int k = TRIALS; k-- > 0;) { // the reduction of the first trial stays
        reduce(c, c->a[k]);
        if (c->pivot[t] != SG_NONE)
            return;
        find_weights(c, c->a[k], t, c->w[k]);
        if (!add_up_to_nothing(c, c->a[k], c->w[k]))
            return;
    }
    for (int i = 0; i <= t; i++)
        if (c->w[0][i] != 0.0)
            list[n++] = i;
    if (n < 2 || !is_of_this_kind(c, list, n) || !make_weights(c, list, n, weights))
        return;
    size_t known = c->sys->combinations.len;
    note(c, list, n, weights);
    if (c->present && c->sys->combinations.len > known)
        assume(c, list, n, weights);
}

static sg_status find_dependent(sg_system *sys, sg_row rows, const int *cols, bool present)
{
    sg_arena_mark mark = sg_arena_mark_get(&sys->scratch);
    combiner c = {.sys = sys, .cols = cols, .n_cols = rows.n, .present = present};
    if (prepare(&c, rows)) {
        reduce(&c, c.a[0]);
        bool *depends = SG_NEW_ARRAY(&sys->scratch, bool, c.n_rows);
        for (int i = 0; depends && i < c.n_rows; i++)
            depends[i] = c.pivot[i] == SG_NONE;
        for (int i = 0; depends && i < c.n_rows && !c.status; i++)
            if (depends[i])
                look_at_row(&c, i);
    }
    sg_arena_release(&sys->scratch, mark);
    return c.status;
}

sg_status sg_system_find_combinations(sg_system *sys, sg_row rows, const int *cols)
{
    int n_derivatives = 0;
    for (int i = 0; i < rows.n; i++)
        n_derivatives += sys->var_base[cols[i]] != SG_NONE;
    if (rows.n < 2 || rows.n > MOST_ROWS || !n_derivatives)
        return SG_OK;
    size_t known = sys->combinations.len;
    sg_status status = find_dependent(sys, rows, cols, false);
    if (!status && sys->combinations.len == known)
        status = find_dependent(sys, rows, cols, true);
    return status;
}

// ---- putting them in place ----------------------------------------------------------------------

static void find_variable(void *context, sg_var_id var)
{
    (void)var;
    *(bool *)context = true;
}

sg_status sg_system_combine(sg_system *sys)
{
    sg_exprs *x = &sys->flat->exprs;
    for (size_t k = 0; k < sys->combinations.len; k++) {
        const sg_combination *from = &sys->combinations.data[k];
        sg_arena_mark mark = sg_arena_mark_get(&sys->scratch);
        int *cols = SG_NEW_ARRAY(&sys->scratch, int, from->n_vars + 1);
        sg_expr_id *coefs = SG_NEW_ARRAY(&sys->scratch, sg_expr_id, from->n_vars + 1);
        sg_expr_id sum = sg_expr_num(x, 0.0);
        combiner c = {.sys = sys};
        bool ok = !sys->scratch.failed, says_something = false;
        for (int j = 0; ok && j < from->n_vars; j++)
            cols[j] = sg_system_col(sys, from->vars[j]);
        for (int i = 0; ok && i < from->n; i++) {
            sg_expr_id rest;
            ok = split_row(&c, from->rows[i], cols, from->n_vars, coefs, &rest);
            if (ok)
                sum = sg_expr_add(x, sum, sg_expr_mul(x, from->weights[i], rest));
        }
        if (ok)
            sg_expr_incidence(x, sum, SG_INCIDENCE_IMPLICIT, find_variable, &says_something);
        sg_arena_release(&sys->scratch, mark);
        if (x->failed || sys->scratch.failed)
            return SG_ERR_MEMORY;
        // 0 = 0, or a contradiction: the run will say that nothing determines the unknowns.
        sys->combinations.data[k].vain = !ok || !says_something;
        if (sys->combinations.data[k].vain)
            continue;
        sg_equation *eq = &sys->eqs.data[from->rows[from->n - 1]];
        eq->lhs = sg_expr_num(x, 0.0);
        eq->rhs = sum;
        eq->transformed = true;
    }
    return SG_OK;
}
