#include "base/assert.h"
#include "equations/system.h"
#include "symbolic/walk.h"

#include <string.h>

// ---- rows from the flat model ----

static bool load_multi(sg_system *sys, const sg_flat_eq *e, sg_equation *eq)
{
    sg_exprs *x = &sys->flat->exprs;
    sg_expr_id call = e->rhs;
    if (sg_expr_op_of(x, call) == SG_X_IMPLICIT) {
        eq->implicit = call;
        call = sg_expr_arg(x, call, 0);
    }
    eq->first_result = (uint32_t)sys->results.len;
    eq->n_results = e->n_results;
    for (uint32_t k = 0; k < e->n_results; k++) {
        if (!SG_PUSH(sys->allocator, &sys->results, sys->flat->results.data[e->first_result + k]) ||
            !SG_PUSH(sys->allocator, &sys->values, sg_expr_result(x, call, k)))
            return false;
    }
    return true;
}

typedef struct var_list {
    sg_system *sys;
    SG_VEC(sg_var_id) vars;
    bool failed;
} var_list;

static void collect_var(void *context, sg_var_id var)
{
    var_list *list = context;
    if (!SG_PUSH(list->sys->allocator, &list->vars, var))
        list->failed = true;
}

// A function with k results counts as k equations. The k - 1 further ones are placeholders, each
// with a rotated part of the incidences, so that a matching can give each a variable of its own.
static bool add_placeholders(sg_system *sys, int row, var_list *list)
{
    sg_equation eq = sys->eqs.data[row];
    list->vars.len = 0;
    for (uint32_t k = 0; k < eq.n_results; k++) {
        if (!sg_expr_incidence(&sys->flat->exprs, sys->results.data[eq.first_result + k],
                               SG_INCIDENCE_EACH, collect_var, list))
            return false;
    }
    sg_expr_id right = sg_system_source(sys, row)->rhs;
    if (!sg_expr_incidence(&sys->flat->exprs, right, SG_INCIDENCE_EACH | SG_INCIDENCE_IMPLICIT,
                           collect_var, list) ||
        list->failed)
        return false;
    size_t n = list->vars.len, k = eq.n_results;
    size_t b = n + 2 > k ? n + 2 - k : 1;
    for (size_t i = 1; i < k; i++) {
        sg_equation made = {.from = eq.from,
                            .base = row,
                            .placeholder = true,
                            .first_result = (uint32_t)sys->placeholder_vars.len};
        for (size_t j = 1; j <= b && j <= n; j++) {
            sg_var_id var = list->vars.data[(j + i - 1) % n];
            if (!SG_PUSH(sys->allocator, &sys->placeholder_vars, var))
                return false;
            made.n_results++;
        }
        if (!SG_PUSH(sys->allocator, &sys->eqs, made))
            return false;
    }
    return true;
}

sg_status sg_system_load(sg_system *sys)
{
    size_t n = sys->flat->eqs.len;
    for (size_t i = 1; i < n; i++) {
        const sg_flat_eq *e = &sys->flat->eqs.data[i];
        sg_equation eq = {.lhs = e->lhs, .rhs = e->rhs, .from = {(uint32_t)i}, .base = SG_NONE};
        if ((e->n_results && !load_multi(sys, e, &eq)) || !SG_PUSH(sys->allocator, &sys->eqs, eq))
            return SG_ERR_MEMORY;
    }
    var_list list = {.sys = sys};
    bool ok = true;
    size_t n_rows = sys->eqs.len;
    for (size_t i = 0; i < n_rows && ok; i++)
        ok = sys->eqs.data[i].n_results < 2 || add_placeholders(sys, (int)i, &list);
    SG_VEC_FREE(sys->allocator, &list.vars);
    return ok ? SG_OK : SG_ERR_MEMORY;
}

// ---- visiting the variables of a row ----

typedef struct row_visit {
    sg_system *sys;
    sg_var_visitor *visit;
    void *context;
    unsigned flags;
} row_visit;

static bool visit_expr(const row_visit *v, sg_expr_id e)
{
    return !e.i || sg_expr_incidence(&v->sys->flat->exprs, e, v->flags, v->visit, v->context);
}

static bool visit_row(const row_visit *v, int row)
{
    sg_system *sys = v->sys;
    const sg_equation eq = sys->eqs.data[row];
    bool ok = true;
    if (eq.placeholder) {
        for (uint32_t k = 0; k < eq.n_results; k++)
            v->visit(v->context, sys->placeholder_vars.data[eq.first_result + k]);
        return true;
    }
    if (!eq.n_results)
        return visit_expr(v, eq.lhs) && visit_expr(v, eq.rhs);
    for (uint32_t k = 0; k < eq.n_results && ok; k++)
        ok = visit_expr(v, sys->results.data[eq.first_result + k]);
    // All values are results of one call; the first stands for them, but a derivative does not.
    for (uint32_t k = 0; k < eq.n_results && ok && (k == 0 || eq.order); k++)
        ok = visit_expr(v, sys->values.data[eq.first_result + k]);
    return ok && ((v->flags & SG_INCIDENCE_IMPLICIT) == 0 || visit_expr(v, eq.implicit));
}

// ---- numbering, language 4.2 ----

typedef struct numbering {
    sg_system *sys;
    bool failed;
} numbering;

static void number_var(numbering *n, sg_var_id var)
{
    sg_system *sys = n->sys;
    if ((size_t)var.i >= sys->col_of.len || sys->col_of.data[var.i] != SG_NONE ||
        (sys->flat->vars.data[var.i].attributes & SG_ATTR_TOP_INPUT))
        return;
    sys->col_of.data[var.i] = (int)sys->cols.len;
    if (!SG_PUSH(sys->allocator, &sys->cols, var))
        n->failed = true;
}

// der(x) adds itself and then x.
static void number_with_bases(void *context, sg_var_id var)
{
    numbering *n = context;
    for (; var.i; var = n->sys->flat->vars.data[var.i].of)
        number_var(n, var);
}

static bool grow_col_of(sg_system *sys)
{
    size_t n = sys->flat->vars.len;
    if (!SG_RESERVE(sys->allocator, &sys->col_of, n))
        return false;
    for (; sys->col_of.len < n; sys->col_of.len++)
        sys->col_of.data[sys->col_of.len] = SG_NONE;
    return true;
}

sg_status sg_system_number(sg_system *sys)
{
    if (!grow_col_of(sys))
        return SG_ERR_MEMORY;
    numbering n = {.sys = sys};
    row_visit v = {sys, number_with_bases, &n, SG_INCIDENCE_IMPLICIT};
    for (size_t i = 0; i < sys->eqs.len; i++) {
        if (!visit_row(&v, (int)i) || n.failed)
            return SG_ERR_MEMORY;
    }
    sys->n_original_cols = (int)sys->cols.len;
    size_t vars = sys->flat->vars.len;
    sys->potential = SG_NEW_ARRAY(&sys->scratch, bool, sys->cols.len + 1);
    sys->aliases = SG_NEW_ARRAY(sys->arena, sg_alias, vars);
    sys->eliminated = SG_NEW_ARRAY(&sys->scratch, bool, sys->cols.len + 1);
    if (!sys->potential || !sys->aliases || !sys->eliminated)
        return SG_ERR_MEMORY;
    for (size_t j = 0; j < sys->cols.len; j++) {
        sg_var_id der = sys->flat->vars.data[sys->cols.data[j].i].der;
        sys->potential[j] = der.i && sg_system_col(sys, der) != SG_NONE;
    }
    return SG_OK;
}

// ---- graphs ----

typedef struct grapher {
    sg_system *sys;
    sg_graph *graph;
    int *mark;
    int row;
} grapher;

static void add_incidence(void *context, sg_var_id var)
{
    grapher *g = context;
    const sg_alias *alias = var.i < g->sys->flat->vars.len ? &g->sys->aliases[var.i] : NULL;
    if (alias && alias->kind != SG_ALIAS_NONE)
        var = alias->kind == SG_ALIAS_PLUS || alias->kind == SG_ALIAS_MINUS ? alias->of
                                                                            : (sg_var_id){0};
    int col = var.i ? sg_system_col(g->sys, var) : SG_NONE;
    if (col == SG_NONE || g->mark[col] == g->row + 1)
        return;
    g->mark[col] = g->row + 1;
    sg_graph_add(g->graph, col);
}

sg_status sg_system_build_graph(sg_system *sys, sg_graph *graph, bool with_implicit)
{
    sg_graph_init(graph, sys->allocator, (int)sys->cols.len);
    grapher g = {.sys = sys, .graph = graph};
    g.mark = SG_NEW_ARRAY(&sys->scratch, int, sys->cols.len + 1);
    if (!g.mark)
        return SG_ERR_MEMORY;
    row_visit v = {sys, add_incidence, &g, with_implicit ? SG_INCIDENCE_IMPLICIT : 0};
    for (g.row = 0; g.row < (int)sys->eqs.len; g.row++) {
        if (!visit_row(&v, g.row))
            return SG_ERR_MEMORY;
        sg_graph_end_row(graph);
    }
    return graph->failed ? SG_ERR_MEMORY : SG_OK;
}

// ---- variables that are remembered ----

typedef struct memory_check {
    sg_system *sys;
    bool *named; // per variable: already reported
    sg_buf names[3];
    sg_span span; // of the first equation at fault
    int row;
} memory_check;

static const struct {
    sg_expr_op op;
    const char *name;
} memory_ops[] = {{SG_X_PRE, "pre"}, {SG_X_PREVIOUS, "previous"}, {SG_X_HOLD, "hold"}};

static void check_memory_node(memory_check *c, sg_expr_id e)
{
    sg_flat *flat = c->sys->flat;
    for (size_t k = 0; k < SG_COUNT(memory_ops); k++) {
        if (sg_expr_op_of(&flat->exprs, e) != memory_ops[k].op)
            continue;
        sg_var_id var = sg_expr_var_of(&flat->exprs, sg_expr_arg(&flat->exprs, e, 0));
        if (!var.i || c->named[var.i] ||
            (flat->vars.data[var.i].attributes & (SG_ATTR_HAS_INIT | SG_ATTR_HAS_START)))
            continue;
        c->named[var.i] = true;
        if (!c->span.file)
            c->span = sg_system_source(c->sys, c->row)->span;
        sg_buf_puts(&c->names[k], c->names[k].len ? ", " : "");
        sg_flat_print_var(flat, var, &c->names[k]);
    }
}

// Values before the first event or tick come from start values, so these must exist.
sg_status sg_system_check_memory(sg_system *sys)
{
    sg_exprs *x = &sys->flat->exprs;
    memory_check c = {.sys = sys};
    c.named = SG_NEW_ARRAY(&sys->scratch, bool, sys->flat->vars.len);
    sg_walk *walk = NULL;
    if (!c.named)
        return SG_ERR_MEMORY;
    for (size_t k = 0; k < SG_COUNT(memory_ops); k++)
        sg_buf_init(&c.names[k], sys->allocator);
    for (c.row = 0; c.row < (int)sys->eqs.len; c.row++) {
        const sg_flat_eq *e = sg_system_source(sys, c.row);
        sg_expr_id sides[2] = {e->lhs, e->rhs};
        for (int s = 0; s < 2; s++) {
            if (!sides[s].i)
                continue;
            if (walk)
                sg_walk_push(walk, sides[s]);
            else if (!(walk = sg_walk_begin(x, sides[s])))
                return SG_ERR_MEMORY;
            for (sg_expr_id n; (n = sg_walk_next(walk)).i;)
                check_memory_node(&c, n);
        }
    }
    sg_status status = walk && !sg_walk_end(walk) ? SG_ERR_MEMORY : SG_OK;
    for (size_t k = 0; k < SG_COUNT(memory_ops); k++) {
        if (c.names[k].len && !status)
            sg_error(sys->diags, SG_E_MEMORY_START, c.span,
                     "%s(..) needs a value before the first event: give %s a start or init value",
                     memory_ops[k].name, sg_buf_text(&c.names[k]));
    }
    for (size_t k = 0; k < SG_COUNT(memory_ops); k++) {
        if (c.names[k].len)
            status = status ? status : SG_ERR_MODEL;
        sg_buf_free(&c.names[k]);
    }
    return status;
}

// ---- helpers of the other passes ----

int sg_system_outputs(const sg_system *sys, int row, int *cols, int max)
{
    const sg_exprs *x = &sys->flat->exprs;
    const sg_equation *eq = &sys->eqs.data[row];
    int n = 0;
    if (eq->placeholder)
        return SG_NONE;
    for (uint32_t k = 0; k < eq->n_results && n < max; k++) {
        sg_expr_id e = sys->results.data[eq->first_result + k];
        if (sg_expr_op_of(x, e) == SG_X_NEG) // what is left of a negated alias
            e = sg_expr_arg(x, e, 0);
        int col = sg_system_col(sys, sg_expr_var_of(x, e));
        if (col != SG_NONE)
            cols[n++] = col;
    }
    return n || !eq->n_results ? n : SG_NONE;
}

sg_expr_id sg_system_residual(sg_system *sys, int row)
{
    sg_exprs *x = &sys->flat->exprs;
    const sg_equation *eq = &sys->eqs.data[row];
    SG_ASSERT(!eq->n_results && !eq->placeholder);
    return sg_expr_is_zero(x, eq->lhs) ? eq->rhs : sg_expr_sub(x, eq->rhs, eq->lhs);
}

static void print_eq(const sg_flat *flat, const sg_equation *eq, const sg_expr_id *results,
                     sg_buf *out)
{
    if (eq->placeholder) {
        sg_buf_puts(out, "0 = DUP(…)");
        return;
    }
    for (uint32_t k = 0; k < eq->n_results; k++) {
        sg_buf_puts(out, k ? ", " : "(");
        sg_flat_print_expr(flat, results[eq->first_result + k], out);
    }
    if (eq->n_results)
        sg_buf_puts(out, ")");
    else
        sg_flat_print_expr(flat, eq->lhs, out);
    sg_buf_puts(out, " = ");
    if (eq->n_results && eq->order == 0)
        sg_flat_print_expr(flat, flat->eqs.data[eq->from.i].rhs, out);
    else if (eq->n_results)
        sg_buf_puts(out, "(…)");
    else
        sg_flat_print_expr(flat, eq->rhs, out);
}

void sg_system_print_eq(const sg_system *sys, int row, sg_buf *out)
{
    print_eq(sys->flat, &sys->eqs.data[row], sys->results.data, out);
}

// What printing needs after the translation is over.
typedef struct row_texts {
    const sg_flat *flat;
    const sg_equation *eqs;
    const sg_expr_id *results;
    uint32_t n;
} row_texts;

static void print_row(void *context, uint32_t eq, sg_buf *out)
{
    const row_texts *rows = context;
    if (eq && eq <= rows->n)
        print_eq(rows->flat, &rows->eqs[eq - 1], rows->results, out);
}

bool sg_system_keep_texts(const sg_system *sys, sg_blocks *blocks)
{
    row_texts *rows = SG_NEW(sys->arena, row_texts);
    sg_equation *eqs = SG_NEW_ARRAY(sys->arena, sg_equation, sys->eqs.len + 1);
    sg_expr_id *results = SG_NEW_ARRAY(sys->arena, sg_expr_id, sys->results.len + 1);
    if (!rows || !eqs || !results)
        return false;
    if (sys->eqs.len)
        memcpy(eqs, sys->eqs.data, sys->eqs.len * sizeof *eqs);
    if (sys->results.len)
        memcpy(results, sys->results.data, sys->results.len * sizeof *results);
    *rows = (row_texts){sys->flat, eqs, results, (uint32_t)sys->eqs.len};
    blocks->print_eq = print_row;
    blocks->print_context = rows;
    return true;
}
