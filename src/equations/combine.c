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
// it is noted as an assumption, and other values need another translation (flat.h). The other way
// round, matrices that are regular for the present values are kept and looked at before each run.
//
// What must vanish need not be derivatives, nor linear: any unknowns of the component will do, and
// products and functions of them that cancel (terms.h). What is left of such a sum says something
// about states: charges that add up to nothing on a node without a load.
#include "base/map.h"
#include "equations/dependent.h"
#include "equations/system.h"
#include "equations/terms.h"
#include "symbolic/eval.h"
#include "symbolic/walk.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
    MOST_ROWS = 200,   // of a component that is looked at
    MOST_ATOMS = 4000, // of these rows
    MOST_WEIGHTS = 12, // that are no plain numbers,
    TRIALS = 2
};
// Without derivatives a system that is almost singular is still solved, so there only rounding is
// nothing: of a few operations.
static const double rounding = 4.0 * DBL_EPSILON;

typedef struct candidate {
    int row;
    sg_expr_id *coefs; // one for each atom of the component; null: does not occur
} candidate;

typedef struct combiner {
    sg_system *sys;
    const int *cols;
    int n_vars;        // of the component, as many as it has rows
    sg_expr_id *atoms; // what the columns of the matrix stand for: unknowns, products with unknowns
    int n_cols;
    candidate *rows;
    int n_rows;
    sg_dependent d;
    double *a[TRIALS]; // coefficients, by rows
    double *w[TRIALS]; // weights of the rows of a dependency
    int trial;
    double part;  // of its terms, below which a sum is nothing
    bool present; // with the present values of parameters, not made-up ones
    bool any;     // rows that depend on others
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

static sg_expr_id put_element(void *context, sg_exprs *exprs, sg_expr_id e)
{
    const uint64_t behind = (uint64_t)1 << 32; // keys of parameters
    return sg_terms_is_element(exprs, e) ? sg_expr_num(exprs, made_up(context, behind + e.i)) : e;
}

static bool value_of(combiner *c, sg_expr_id e, int trial, double *value)
{
    sg_exprs *x = &c->sys->flat->exprs;
    sg_expr_values values = {.context = c, .par = made_up_parameter, .time = (double)NAN};
    if (sg_expr_is_number(x, e, value))
        return true;
    if (c->present)
        return sg_flat_constant(c->sys->flat, e, value);
    c->trial = trial;
    e = sg_expr_rewrite(x, e, put_element, c);
    return e.i && sg_expr_eval(x, e, &values, value) && isfinite(*value);
}

// A flag for each variable id. There is one list for all components, since most have one row, and
// whoever marked some takes them back.
static bool *mark_vars(sg_system *sys, const sg_var_id *vars, int n)
{
    size_t len = sys->marks.len, all = sys->flat->vars.len;
    if (len < all) {
        if (!SG_RESERVE(sys->allocator, &sys->marks, all))
            return NULL;
        memset(sys->marks.data + len, 0, (all - len) * sizeof *sys->marks.data);
        sys->marks.len = all;
    }
    for (int j = 0; j < n; j++)
        sys->marks.data[vars[j].i] = true;
    return sys->marks.data;
}

static void unmark_vars(sg_system *sys, const sg_var_id *vars, int n)
{
    for (int j = 0; sys->marks.data && j < n; j++)
        sys->marks.data[vars[j].i] = false;
}

// The terms of the rows: atoms become columns in the order of their first occurrence.
typedef struct row_terms {
    int row;
    sg_term *list;
    int n;
} row_terms;

static int split_rows(combiner *c, sg_row rows, row_terms *out)
{
    sg_system *sys = c->sys;
    sg_var_id *vars = SG_NEW_ARRAY(&sys->scratch, sg_var_id, c->n_vars + 1);
    for (int j = 0; vars && j < c->n_vars; j++)
        vars[j] = sg_system_var(sys, c->cols[j]);
    const bool *unknown = vars ? mark_vars(sys, vars, c->n_vars) : NULL;
    sg_terms terms = {0};
    int n = 0;
    for (int i = 0; unknown && i < rows.n; i++) {
        if (!sg_terms_of(&terms, sys, rows.cols[i], unknown))
            continue;
        row_terms *to = &out[n];
        *to = (row_terms){.row = rows.cols[i], .n = (int)terms.list.len};
        to->list = SG_NEW_ARRAY(&sys->scratch, sg_term, terms.list.len + 1);
        if (!to->list)
            break;
        if (terms.list.len)
            memcpy(to->list, terms.list.data, terms.list.len * sizeof *to->list);
        n++;
    }
    if (unknown)
        unmark_vars(sys, vars, c->n_vars);
    sg_terms_free(&terms, sys);
    return n;
}

// Atoms of all rows become columns, in the order of their first occurrence.
static bool number_atoms(combiner *c, const row_terms *rows, int n_rows, sg_map *cols)
{
    size_t n_terms = 0;
    for (int i = 0; i < n_rows; i++)
        n_terms += (size_t)rows[i].n;
    c->atoms = SG_NEW_ARRAY(&c->sys->scratch, sg_expr_id, n_terms + 1);
    for (int i = 0; c->atoms && i < n_rows; i++)
        for (int k = 0; k < rows[i].n; k++) {
            sg_expr_id atom = rows[i].list[k].atom;
            if (sg_map_get(cols, atom.i))
                continue;
            if (!sg_map_put(cols, atom.i, (uint64_t)c->n_cols))
                return false;
            c->atoms[c->n_cols++] = atom;
        }
    return c->atoms;
}

static bool write_matrix(combiner *c, const row_terms *rows, int n_rows, const sg_map *cols)
{
    sg_arena *arena = &c->sys->scratch;
    size_t n = (size_t)n_rows, m = (size_t)c->n_cols;
    c->rows = SG_NEW_ARRAY(arena, candidate, n + 1);
    for (int k = 0; k < TRIALS; k++) {
        c->a[k] = SG_NEW_ARRAY(arena, double, n *m + 1);
        c->w[k] = SG_NEW_ARRAY(arena, double, n + 1);
    }
    for (int i = 0; i < n_rows && !arena->failed; i++) {
        candidate *to = &c->rows[c->n_rows];
        bool known = true;
        *to = (candidate){rows[i].row, SG_NEW_ARRAY(arena, sg_expr_id, m + 1)};
        for (int k = 0; k < TRIALS && to->coefs; k++)
            memset(c->a[k] + (size_t)c->n_rows * m, 0, m * sizeof(double));
        for (int t = 0; t < rows[i].n && known && to->coefs; t++) {
            size_t j = (size_t)*sg_map_get(cols, rows[i].list[t].atom.i);
            to->coefs[j] = rows[i].list[t].coef;
            for (int k = 0; k < TRIALS && known; k++)
                known = value_of(c, to->coefs[j], k, &c->a[k][(size_t)c->n_rows * m + j]);
        }
        c->n_rows += known;
    }
    return !arena->failed;
}

static bool prepare(combiner *c, sg_row rows)
{
    sg_system *sys = c->sys;
    sg_map cols;
    sg_map_init(&cols, sys->allocator);
    row_terms *terms = SG_NEW_ARRAY(&sys->scratch, row_terms, rows.n);
    int n = terms ? split_rows(c, rows, terms) : 0;
    bool ok = terms && number_atoms(c, terms, n, &cols);
    bool few = c->n_cols <= MOST_ATOMS;
    if (ok && few)
        ok = write_matrix(c, terms, n, &cols) &&
             sg_dependent_init(&c->d, &sys->scratch, c->n_rows, c->n_cols);
    sg_map_free(&cols);
    if (!ok || sys->scratch.failed || sg_flat_failed(sys->flat))
        c->status = SG_ERR_MEMORY;
    return !c->status && few && c->n_rows > 0;
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
            m[i][j] = entry(c, list[j], c->d.pivot[list[i]]);
        m[i][k] = sg_expr_neg(x, entry(c, list[k], c->d.pivot[list[i]]));
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
    // For present values numbers do, too; expressions may hold for other values as well, so they
    // are better where they are short.
    bool numbers = c->present ? n > MOST_WEIGHTS : are_numbers(c);
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

// All rows differentiated equally often?
static bool are_of_one_order(const combiner *c, const int *list, int n)
{
    const sg_system *sys = c->sys;
    bool same = true;
    for (int i = 1; i < n && same; i++)
        same =
            sys->eqs.data[c->rows[list[i]].row].order == sys->eqs.data[c->rows[list[0]].row].order;
    return same;
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
                         .vars = SG_NEW_ARRAY(sys->arena, sg_var_id, c->n_vars),
                         .present = c->present};
    if (sys->arena->failed) {
        c->status = SG_ERR_MEMORY;
        return;
    }
    for (int i = 0; i < n; i++) {
        to.rows[i] = original_row(sys, c->rows[list[i]].row);
        to.weights[i] = weights[i];
    }
    for (int j = 0; j < c->n_vars; j++) {
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
        sg_dependent_reduce(&c->d, c->a[k]);
        if (c->d.pivot[t] != SG_NONE)
            return;
        sg_dependent_weights(&c->d, c->a[k], t, c->w[k]);
        if (!sg_dependent_holds(&c->d, c->a[k], c->w[k], c->part))
            return;
    }
    c->any = true;
    for (int i = 0; i <= t; i++)
        if (c->w[0][i] != 0.0)
            list[n++] = i;
    if (!are_of_one_order(c, list, n) || !make_weights(c, list, n, weights))
        return;
    size_t known = c->sys->combinations.len;
    note(c, list, n, weights);
    if (c->present && c->sys->combinations.len > known)
        assume(c, list, n, weights);
}

// Rows that are independent for the present values may not be for others.
static void assume_independent(combiner *c)
{
    sg_flat *flat = c->sys->flat;
    sg_flat_matrix m = {.n_rows = c->n_rows, .n_cols = c->n_cols, .part = c->part};
    bool changes = false;
    for (int i = 0; i < c->n_rows; i++)
        for (int j = 0; j < c->n_cols; j++) {
            sg_expr_id e = c->rows[i].coefs[j];
            m.n += e.i != 0;
            changes |= e.i && !sg_expr_is_literal(&flat->exprs, e);
        }
    if (!changes)
        return;
    m.entries = SG_NEW_ARRAY(&flat->arena, sg_flat_entry, m.n);
    m.n = 0;
    for (int i = 0; m.entries && i < c->n_rows; i++)
        for (int j = 0; j < c->n_cols; j++)
            if (c->rows[i].coefs[j].i)
                m.entries[m.n++] = (sg_flat_entry){i, j, c->rows[i].coefs[j]};
    if (!m.entries || !SG_PUSH(flat->allocator, &flat->independent, m))
        c->status = SG_ERR_MEMORY;
}

static sg_status find_dependent(sg_system *sys, sg_row rows, const int *cols, double part,
                                bool present)
{
    sg_arena_mark mark = sg_arena_mark_get(&sys->scratch);
    combiner c = {.sys = sys, .cols = cols, .n_vars = rows.n, .part = part, .present = present};
    if (prepare(&c, rows)) {
        sg_dependent_reduce(&c.d, c.a[0]);
        bool *depends = SG_NEW_ARRAY(&sys->scratch, bool, c.n_rows);
        for (int i = 0; depends && i < c.n_rows; i++)
            depends[i] = c.d.pivot[i] == SG_NONE;
        for (int i = 0; depends && i < c.n_rows && !c.status; i++)
            if (depends[i])
                look_at_row(&c, i);
        if (present && !c.any && !c.status && !sys->options->preference)
            assume_independent(&c);
    }
    sg_arena_release(&sys->scratch, mark);
    return c.status;
}

// y = f(x): nothing can be hidden in it.
static bool is_solved(sg_system *sys, int row, int col)
{
    sg_exprs *x = &sys->flat->exprs;
    const sg_equation *eq = &sys->eqs.data[row];
    sg_var_id var = sg_system_var(sys, col);
    return eq->placeholder || eq->n_results ||
           (sg_expr_var_of(x, eq->lhs).i == var.i && !sg_expr_contains_var(x, eq->rhs, var)) ||
           (sg_expr_var_of(x, eq->rhs).i == var.i && !sg_expr_contains_var(x, eq->lhs, var));
}

sg_status sg_system_find_combinations(sg_system *sys, sg_row rows, const int *cols)
{
    double part = rounding;
    for (int i = 0; i < rows.n; i++)
        if (sys->var_base[cols[i]] != SG_NONE)
            part = SG_DEPENDENT_VANISHES;
    if (rows.n > MOST_ROWS || (rows.n == 1 && is_solved(sys, rows.cols[0], cols[0])))
        return SG_OK;
    size_t known = sys->combinations.len;
    sg_status status = sg_system_find_singular_arrays(sys, rows, cols, part);
    if (status || sys->singular.len)
        return status;
    status = find_dependent(sys, rows, cols, part, false);
    if (!status && sys->combinations.len == known)
        status = find_dependent(sys, rows, cols, part, true);
    return status;
}

// ---- other values of parameters -----------------------------------------------------------------

// Arrays may have another size in the next run.
static bool has_size(const sg_flat *flat, sg_var_id var, uint32_t size)
{
    while (flat->vars.data[var.i].of.i)
        var = flat->vars.data[var.i].of;
    const sg_flat_value *value = &flat->vars.data[var.i].value;
    return value->kind != SG_FLAT_ARRAY || value->rows * value->cols == size;
}

static bool is_independent(sg_flat *flat, const sg_flat_matrix *m, sg_arena *scratch)
{
    if (m->array.i && !has_size(flat, m->array, m->array_size))
        return false;
    double *a = SG_NEW_ARRAY(scratch, double, (size_t)m->n_rows *(size_t)m->n_cols + 1);
    double *w = SG_NEW_ARRAY(scratch, double, m->n_rows + 1);
    sg_dependent d;
    if (!a || !w || !sg_dependent_init(&d, scratch, m->n_rows, m->n_cols))
        return true; // nothing is known; the run will tell
    for (uint32_t k = 0; k < m->n; k++) {
        const sg_flat_entry *e = &m->entries[k];
        if (!sg_flat_constant(flat, e->value,
                              &a[(size_t)e->row * (size_t)m->n_cols + (size_t)e->col]))
            return true;
    }
    sg_dependent_reduce(&d, a);
    for (int t = 0; t < m->n_rows; t++) {
        if (d.pivot[t] != SG_NONE)
            continue;
        sg_dependent_weights(&d, a, t, w);
        if (sg_dependent_holds(&d, a, w, m->part))
            return false;
    }
    return true;
}

bool sg_translation_holds(sg_flat *flat)
{
    bool holds = sg_flat_assumptions_hold(flat);
    sg_arena scratch;
    sg_arena_init(&scratch, flat->allocator);
    for (size_t k = 0; k < flat->independent.len && holds; k++) {
        sg_arena_mark mark = sg_arena_mark_get(&scratch);
        holds = is_independent(flat, &flat->independent.data[k], &scratch);
        sg_arena_release(&scratch, mark);
    }
    sg_arena_destroy(&scratch);
    return holds;
}

// ---- putting them in place ----------------------------------------------------------------------

static void find_variable(void *context, sg_var_id var)
{
    (void)var;
    *(bool *)context = true;
}

typedef struct sum_term {
    sg_expr_id atom;
    double sum[TRIALS], size[TRIALS];
} sum_term;

// Adds what a row brings to the sums of atoms, all of which must vanish.
static bool add_atoms(combiner *c, const sg_terms *terms, sg_expr_id weight, sum_term *sums, int *n)
{
    for (size_t t = 0; t < terms->list.len; t++) {
        sg_expr_id value = sg_expr_mul(&c->sys->flat->exprs, weight, terms->list.data[t].coef);
        int at = 0;
        while (at < *n && sums[at].atom.i != terms->list.data[t].atom.i)
            at++;
        if (at == MOST_ATOMS)
            return false;
        if (at == *n)
            sums[(*n)++] = (sum_term){.atom = terms->list.data[t].atom};
        for (int k = 0; k < TRIALS; k++) {
            double v;
            if (!value_of(c, value, k, &v))
                return false;
            sums[at].sum[k] += v;
            sums[at].size[k] += fabs(v);
        }
    }
    return true;
}

// The sum of the rows with their weights; null where not all of the unknowns cancel.
static sg_expr_id sum_of_rows(sg_system *sys, const sg_combination *from)
{
    sg_exprs *x = &sys->flat->exprs;
    const bool *unknown = mark_vars(sys, from->vars, from->n_vars);
    sum_term *sums = SG_NEW_ARRAY(&sys->scratch, sum_term, MOST_ATOMS);
    sg_expr_id sum = sg_expr_num(x, 0.0);
    combiner c = {.sys = sys, .present = from->present};
    sg_terms terms = {0};
    int n = 0;
    bool ok = unknown && sums;
    for (int i = 0; ok && i < from->n; i++) {
        ok = sg_terms_of(&terms, sys, from->rows[i], unknown) &&
             add_atoms(&c, &terms, from->weights[i], sums, &n);
        sum = sg_expr_add(x, sum, sg_expr_mul(x, from->weights[i], terms.rest));
    }
    for (int j = 0; ok && j < n; j++)
        for (int k = 0; k < TRIALS; k++)
            ok = ok && fabs(sums[j].sum[k]) <= SG_DEPENDENT_VANISHES * sums[j].size[k];
    if (unknown)
        unmark_vars(sys, from->vars, from->n_vars);
    sg_terms_free(&terms, sys);
    return ok ? sum : (sg_expr_id){0};
}

sg_status sg_system_combine(sg_system *sys)
{
    sg_exprs *x = &sys->flat->exprs;
    for (size_t k = 0; k < sys->combinations.len; k++) {
        sg_combination *from = &sys->combinations.data[k];
        if (from->rejected)
            continue;
        sg_arena_mark mark = sg_arena_mark_get(&sys->scratch);
        sg_expr_id sum = sum_of_rows(sys, from);
        bool says_something = false;
        if (sum.i)
            sg_expr_incidence(x, sum, SG_INCIDENCE_IMPLICIT, find_variable, &says_something);
        bool failed = x->failed || sys->scratch.failed;
        sg_arena_release(&sys->scratch, mark);
        if (failed)
            return SG_ERR_MEMORY;
        // 0 = 0, or a contradiction: the run will say that nothing determines the unknowns.
        from->vain = !says_something;
        if (from->vain)
            continue;
        sg_equation *eq = &sys->eqs.data[from->rows[from->n - 1]];
        eq->lhs = sg_expr_num(x, 0.0);
        eq->rhs = sum;
        eq->transformed = true;
    }
    return SG_OK;
}
