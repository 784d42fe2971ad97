// Language 4.4 and 4.10: is there an equation for every unknown, and if not, which ones are at
// fault. The sets come from the structure (graph.h); the hints are rules of thumb about what
// modelers do wrong, tried on those sets.
#include "base/assert.h"
#include "equations/system.h"
#include "symbolic/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SETS = 3, MAX_NAMES = 10, MAX_EQUATIONS = 10 }; // of a message

typedef struct checker {
    sg_system *sys;
    sg_graph graph; // with one row integrate(x, der(x)) for each potential state
    sg_graph transposed;
    bool *active;
    int *row_of, *col_of;
    int n_rows, n_unknowns, n_equations;
    sg_ints rows, cols; // the set being explained
    unsigned char *row_part, *col_part;
    sg_var_id told[MAX_NAMES]; // aliases of a message
    int n_told;
    sg_buf text;
} checker;

// ---- lists for people ----

static void print_names(checker *c, const sg_ints *cols, sg_buf *out)
{
    size_t shown = 0;
    for (size_t k = 0; k < cols->len && shown < MAX_NAMES; k++, shown++) {
        sg_buf_puts(out, shown ? ", " : "");
        sg_flat_print_var(c->sys->flat, c->sys->cols.data[cols->data[k]], out);
    }
    if (cols->len > shown)
        sg_buf_printf(out, " and %zu more", cols->len - shown);
}

static void note_equations(checker *c)
{
    sg_system *sys = c->sys;
    size_t shown = 0;
    for (size_t k = 0; k < c->rows.len; k++) {
        int row = c->rows.data[k];
        if (row >= c->n_equations || sys->eqs.data[row].placeholder)
            continue; // integrate(x, der(x)) and the like are not written by anyone
        if (shown++ == MAX_EQUATIONS) {
            sg_note(sys->diags, (sg_span){0}, "… and more equations");
            return;
        }
        const sg_flat_eq *e = sg_system_source(sys, row);
        sg_buf text;
        sg_buf_init(&text, sys->allocator);
        sg_flat_print_eq(sys->flat, sys->eqs.data[row].from, &text);
        const char *component = sg_sym_text(sys->flat->symbols, e->component);
        sg_note(sys->diags, e->span, "%s%s%s%s", sg_buf_text(&text), *component ? "   (in " : "",
                component, *component ? ")" : "");
        sg_buf_free(&text);
    }
}

// ---- hints ----

static const char *leaf_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

// A name that occurs once and resembles another one of the same component is probably misspelt:
// the other one, without the path to it, or null.
static const char *meant_by(checker *c, int col)
{
    sg_system *sys = c->sys;
    sg_var_id var = sys->cols.data[col];
    uint32_t given = SG_ATTR_HAS_INIT | SG_ATTR_HAS_START; // that name is meant
    if (sys->flat->vars.data[var.i].of.i || (sys->flat->vars.data[var.i].attributes & given) ||
        sg_graph_row(&c->transposed, col).n > 1)
        return NULL;
    const char *name = sg_sym_text(sys->flat->symbols, sys->flat->vars.data[var.i].name);
    size_t prefix = (size_t)(leaf_of(name) - name), n = 0;
    size_t most = sys->flat->vars.len + sys->flat->pars.len;
    const char **near = SG_NEW_ARRAY(&sys->scratch, const char *, most);
    if (!near)
        return NULL;
    for (size_t i = 1; i < sys->flat->vars.len; i++) {
        const char *other = sg_sym_text(sys->flat->symbols, sys->flat->vars.data[i].name);
        if (i != var.i && !sys->flat->vars.data[i].of.i && !strncmp(other, name, prefix) &&
            !strchr(other + prefix, '.') && strcmp(other, name) != 0)
            near[n++] = other + prefix;
    }
    for (size_t i = 1; i < sys->flat->pars.len; i++) {
        const char *other = sg_sym_text(sys->flat->symbols, sys->flat->pars.data[i].name);
        if (!strncmp(other, name, prefix) && !strchr(other + prefix, '.'))
            near[n++] = other + prefix;
    }
    return sg_closest_name(name + prefix, near, n);
}

static void hint_misspelt(checker *c, int col)
{
    const sg_flat *flat = c->sys->flat;
    const sg_flat_var *var = &flat->vars.data[c->sys->cols.data[col].i];
    const char *name = sg_sym_text(flat->symbols, var->name), *best = meant_by(c, col);
    if (best)
        sg_note(c->sys->diags, var->span,
                "'%s' occurs in one equation only; did you mean '%.*s%s'?", name,
                (int)(leaf_of(name) - name), name, best);
}

typedef struct mention {
    sg_var_id var;
    bool found;
} mention;

static void find_name(void *context, sg_var_id var)
{
    mention *n = context;
    n->found |= var.i == n->var.i;
}

// An input may be given by an equation of the model around, as well as by a connection. Such an
// equation may be gone from the system, as an alias; it stands in the flat model.
static bool is_set_from_outside(checker *c, sg_var_id var, const char *name)
{
    const sg_flat *flat = c->sys->flat;
    size_t own = (size_t)(leaf_of(name) - name); // with the dot; 0 at the top
    mention n = {.var = var};
    for (size_t i = 0; i < flat->eqs.len && !n.found; i++) {
        const sg_flat_eq *e = &flat->eqs.data[i];
        const char *component = sg_sym_text(flat->symbols, e->component);
        size_t length = strlen(component);
        if (own && length + 1 >= own && strncmp(component, name, own - 1) == 0 &&
            (length + 1 == own || component[own - 1] == '.'))
            continue; // it stands inside of the component
        if (e->lhs.i)
            sg_expr_incidence(&c->sys->flat->exprs, e->lhs, 0, find_name, &n);
        if (e->rhs.i)
            sg_expr_incidence(&c->sys->flat->exprs, e->rhs, 0, find_name, &n);
    }
    return n.found;
}

static void hint_unconnected(checker *c, int col)
{
    sg_system *sys = c->sys;
    const sg_flat_var *v = &sys->flat->vars.data[sys->cols.data[col].i];
    const char *name = sg_sym_text(sys->flat->symbols, v->name);
    if ((v->attributes & SG_ATTR_COMPONENT_INPUT) &&
        is_set_from_outside(c, sys->cols.data[col], name))
        return;
    if (v->attributes & SG_ATTR_COMPONENT_INPUT)
        sg_note(sys->diags, v->span, "the input '%s' is not connected to anything", name);
    else if (v->attributes & SG_ATTR_FLOW)
        sg_note(sys->diags, v->span,
                "'%s' is the flow of a connector; is this connector connected?", name);
    else if (v->attributes & SG_ATTR_POTENTIAL)
        sg_note(sys->diags, v->span,
                "'%s' is a potential that nothing fixes; is a ground or a fixed point missing?",
                name);
}

static bool reads_element_of(checker *c, sg_expr_id root, sg_var_id var)
{
    sg_exprs *x = &c->sys->flat->exprs;
    sg_walk *walk = root.i ? sg_walk_begin(x, root) : NULL;
    bool found = false;
    if (!walk)
        return false;
    for (sg_expr_id e; (e = sg_walk_next(walk)).i;)
        found = found || (sg_expr_op_of(x, e) == SG_X_INDEX &&
                          sg_expr_var_of(x, sg_expr_arg(x, e, 0)).i == var.i);
    sg_walk_end(walk);
    return found;
}

// Elements of an array cannot be defined one by one (thesis chapter 9): several equations that hold
// elements of the same variable are the sign of it.
static void hint_elements(checker *c)
{
    sg_system *sys = c->sys;
    for (size_t k = 0; k < c->cols.len && k < MAX_NAMES; k++) {
        sg_var_id var = sys->cols.data[c->cols.data[k]];
        int count = 0;
        for (size_t i = 0; i < c->rows.len && i < 1000; i++) {
            if (c->rows.data[i] >= c->n_equations)
                continue;
            const sg_equation *eq = &sys->eqs.data[c->rows.data[i]];
            count += reads_element_of(c, eq->lhs, var) || reads_element_of(c, eq->rhs, var);
        }
        if (count < 2)
            continue;
        sg_buf text;
        sg_buf_init(&text, sys->allocator);
        sg_flat_print_var(sys->flat, var, &text);
        sg_note(sys->diags, (sg_span){0},
                "the elements of '%s' are defined one by one; an array needs one equation for all "
                "of it, as in %s = [a, b], or a start value that tells its size",
                sg_buf_text(&text), sg_buf_text(&text));
        sg_buf_free(&text);
    }
}

// What the connections made of the variables in these equations: two sources in parallel prescribe
// one voltage twice, though each by a name of its own.
static void add_alias(void *context, sg_var_id var)
{
    checker *c = context;
    sg_system *sys = c->sys;
    const sg_alias *alias = sys->aliases ? &sys->aliases[var.i] : NULL;
    if (!alias || alias->kind == SG_ALIAS_NONE)
        return;
    for (int k = 0; k < c->n_told; k++)
        if (c->told[k].i == var.i || k + 1 == MAX_NAMES)
            return;
    c->told[c->n_told++] = var;
    sg_buf_puts(&c->text, c->n_told > 1 ? ", " : "");
    sg_flat_print_var(sys->flat, var, &c->text);
    sg_buf_puts(&c->text, alias->kind == SG_ALIAS_MINUS ? " = -" : " = ");
    if (alias->kind == SG_ALIAS_PLUS || alias->kind == SG_ALIAS_MINUS)
        sg_flat_print_var(sys->flat, alias->of, &c->text);
    else
        sg_buf_putc(&c->text, '0');
}

static void hint_aliases(checker *c)
{
    sg_system *sys = c->sys;
    c->n_told = 0;
    sg_buf_init(&c->text, sys->allocator);
    for (size_t k = 0; k < c->rows.len && k < MAX_EQUATIONS; k++) {
        if (c->rows.data[k] >= c->n_equations || sys->eqs.data[c->rows.data[k]].placeholder)
            continue;
        const sg_flat_eq *e = sg_system_source(sys, c->rows.data[k]);
        if (e->lhs.i)
            sg_expr_incidence(&sys->flat->exprs, e->lhs, 0, add_alias, c);
        if (e->rhs.i)
            sg_expr_incidence(&sys->flat->exprs, e->rhs, 0, add_alias, c);
    }
    if (c->n_told)
        sg_note(sys->diags, (sg_span){0}, "connections and simple equations say that %s",
                sg_buf_text(&c->text));
    sg_buf_free(&c->text);
}

// The component of an equation that looks into the memory of a predefined one, null for others.
static sg_sym remembering_component(sg_system *sys, int row)
{
    const sg_flat_eq *e = sg_system_source(sys, row);
    sg_sym found = {0};
    sg_walk *walk = e->rhs.i ? sg_walk_begin(&sys->flat->exprs, e->rhs) : NULL;
    if (!walk)
        return found;
    if (e->lhs.i)
        sg_walk_push(walk, e->lhs);
    for (sg_expr_id x; (x = sg_walk_next(walk)).i;)
        if (sg_expr_op_of(&sys->flat->exprs, x) == SG_X_CALL && sg_flat_remembers(sys->flat, x))
            found = e->component;
    sg_walk_end(walk);
    return found;
}

// Two capacitors in parallel, each with a hidden state: one voltage cannot be both.
static void hint_memories(checker *c)
{
    sg_system *sys = c->sys;
    sg_sym parts[MAX_NAMES];
    int n = 0;
    for (size_t k = 0; k < c->rows.len && k < MAX_EQUATIONS && n < MAX_NAMES; k++) {
        int row = c->rows.data[k];
        if (row >= c->n_equations || sys->eqs.data[row].placeholder)
            continue;
        sg_sym part = remembering_component(sys, row);
        bool known = !part.i;
        for (int i = 0; i < n && !known; i++)
            known = parts[i].i == part.i;
        if (!known)
            parts[n++] = part;
    }
    if (n < 2)
        return;
    sg_buf_init(&c->text, sys->allocator);
    for (int i = 0; i < n; i++)
        sg_buf_printf(&c->text, "%s%s", i ? ", " : "", sg_sym_text(sys->flat->symbols, parts[i]));
    sg_note(sys->diags, (sg_span){0},
            "%s are predefined components: each computes its states by itself, so none can follow "
            "from those of another. What they give must not be connected directly; write all but "
            "one of them with equations, or put something between",
            sg_buf_text(&c->text));
    sg_buf_free(&c->text);
}

// Does some equation say what it is, or is its derivative there?
static bool is_defined(checker *c, sg_var_id var)
{
    const sg_flat *flat = c->sys->flat;
    const sg_flat_var *v = &flat->vars.data[var.i];
    bool defined = v->der.i || v->of.i || v->part_of.i;
    for (size_t i = 0; i < flat->eqs.len && !defined; i++) {
        const sg_flat_eq *e = &flat->eqs.data[i];
        for (uint32_t r = 0; r < e->n_results && !defined; r++)
            defined =
                sg_expr_var_of(&flat->exprs, flat->results.data[e->first_result + r]).i == var.i;
        defined |= e->lhs.i && sg_expr_var_of(&flat->exprs, e->lhs).i == var.i;
    }
    return defined;
}

// A name that nobody declares and no equation gives is often meant as a value of the script around,
// which quoted equations do not see.
static void hint_undeclared(checker *c)
{
    enum { MOST = 3 };
    const uint32_t meant =
        SG_ATTR_DECLARED | SG_ATTR_ELEMENT | SG_ATTR_HAS_INIT | SG_ATTR_HAS_START;
    const sg_flat *flat = c->sys->flat;
    int told = 0;
    for (size_t k = 0; k < c->cols.len && told < MOST; k++) {
        sg_var_id var = c->sys->cols.data[c->cols.data[k]];
        const sg_flat_var *v = &flat->vars.data[var.i];
        if ((v->attributes & meant) || is_defined(c, var) || meant_by(c, c->cols.data[k]))
            continue;
        const char *name = sg_sym_text(flat->symbols, v->name);
        sg_note(c->sys->diags, v->span,
                "nothing declares '%s', so it is an unknown; a parameter is declared by the model "
                "(%s = ...), and the value of a name of the script is inserted by $%s",
                name, leaf_of(name), leaf_of(name));
        c->sys->flat->vars.data[var.i].attributes |= SG_ATTR_MISSED;
        told++;
    }
}

// ---- explaining ----

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

// In the order of the model, not of the search.
static void sort_set(checker *c)
{
    if (c->rows.len)
        qsort(c->rows.data, c->rows.len, sizeof(int), compare_ints);
    if (c->cols.len)
        qsort(c->cols.data, c->cols.len, sizeof(int), compare_ints);
}

static void explain_over(checker *c, int row)
{
    if (sg_graph_over_set(&c->graph, c->active, c->row_of, row, &c->rows, &c->cols))
        return;
    sort_set(c);
    int n = 0;
    for (size_t k = 0; k < c->rows.len; k++)
        n += c->rows.data[k] < c->n_equations;
    sg_buf names;
    sg_buf_init(&names, c->sys->allocator);
    print_names(c, &c->cols, &names);
    if (c->cols.len)
        sg_note(c->sys->diags, (sg_span){0},
                "%s %d equations %s more than needed for %s; remove one, or free a variable:",
                n == 1 ? "this" : "these", n, n == 1 ? "is" : "are", sg_buf_text(&names));
    else
        sg_note(c->sys->diags, (sg_span){0}, "this equation contains no unknown:");
    sg_buf_free(&names);
    note_equations(c);
    hint_elements(c);
    hint_aliases(c);
    hint_memories(c);
}

static void explain_under(checker *c, int col)
{
    if (sg_graph_under_set(&c->graph, &c->transposed, c->active, c->row_of, col, &c->rows,
                           &c->cols))
        return;
    sort_set(c);
    sg_system *sys = c->sys;
    sg_buf names;
    sg_buf_init(&names, sys->allocator);
    print_names(c, &c->cols, &names);
    if (c->rows.len == 0)
        sg_note(sys->diags, sys->flat->vars.data[sys->cols.data[col].i].span,
                "nothing determines '%s'", sg_buf_text(&names));
    else
        sg_note(sys->diags, sys->flat->vars.data[sys->cols.data[col].i].span,
                "one more equation is needed for: %s; they occur only in", sg_buf_text(&names));
    sg_buf_free(&names);
    hint_undeclared(c);
    note_equations(c);
    for (size_t k = 0; k < c->cols.len && k < MAX_NAMES; k++) {
        hint_unconnected(c, c->cols.data[k]);
        hint_misspelt(c, c->cols.data[k]);
    }
}

static void write_headline(checker *c)
{
    sg_system *sys = c->sys;
    const char *name = sg_sym_text(sys->flat->symbols, sys->flat->name);
    int difference = c->n_unknowns - c->n_equations, n = difference < 0 ? -difference : difference;
    char after[80] = "";
    int gone = sys->n_loaded - c->n_equations;
    if (gone)
        snprintf(after, sizeof after, ", after %d alias%s %s removed", gone, gone == 1 ? "" : "es",
                 gone == 1 ? "was" : "were");
    if (difference)
        sg_error(sys->diags, SG_E_BALANCE, (sg_span){0},
                 "model '%s': %d equation%s %s (%d equation%s for %d unknown%s%s)", name, n,
                 n == 1 ? "" : "s",
                 difference > 0 ? (n == 1 ? "is missing" : "are missing") : "too many",
                 c->n_equations, c->n_equations == 1 ? "" : "s", c->n_unknowns,
                 c->n_unknowns == 1 ? "" : "s", after);
    else
        sg_error(sys->diags, SG_E_STRUCTURE, (sg_span){0},
                 "model '%s' has as many equations as unknowns (%d), but it is structurally "
                 "singular: some unknowns have too many equations and others too few",
                 name, c->n_unknowns);
}

// Where as many equations are missing as names are misspelt, these are the mistake, and all that
// the numbers of equations have to say would only hide them. False: it is something else.
static bool blame_names(checker *c)
{
    const sg_flat *flat = c->sys->flat;
    int missing = c->n_unknowns - c->n_equations, found[MAX_NAMES], n = 0;
    for (int j = 0; j < (int)c->sys->cols.len && missing > 0 && missing <= MAX_NAMES; j++)
        if (c->active[j] && c->col_part[j] == SG_PART_UNDER && meant_by(c, j)) {
            if (n == missing)
                return false;
            found[n++] = j;
        }
    if (n == 0 || n != missing)
        return false;
    for (int k = 0; k < n; k++) {
        const sg_flat_var *var = &flat->vars.data[c->sys->cols.data[found[k]].i];
        const char *name = sg_sym_text(flat->symbols, var->name);
        sg_error(c->sys->diags, SG_E_BALANCE, var->span, "'%s' is unknown; did you mean '%.*s%s'?",
                 name, (int)(leaf_of(name) - name), name, meant_by(c, found[k]));
    }
    return true;
}

static sg_status explain(checker *c)
{
    sg_system *sys = c->sys;
    int n_cols = (int)sys->cols.len, shown = 0;
    c->row_part = SG_NEW_ARRAY(&sys->scratch, unsigned char, c->n_rows + 1);
    c->col_part = SG_NEW_ARRAY(&sys->scratch, unsigned char, n_cols + 1);
    if (sys->scratch.failed || sg_graph_transpose(&c->graph, &c->transposed) ||
        sg_graph_parts(&c->graph, c->active, c->row_of, c->row_part, c->col_part))
        return SG_ERR_MEMORY;
    if (blame_names(c))
        return SG_ERR_MODEL;
    write_headline(c);
    if (c->n_unknowns != c->n_equations)
        sg_note_unbalanced(sys, c->n_unknowns > c->n_equations);
    for (int i = 0; i < c->n_rows && shown < MAX_SETS; i++) {
        if (c->col_of[i] == SG_NONE) {
            explain_over(c, i);
            shown++;
        }
    }
    shown = 0;
    for (int j = 0; j < n_cols && shown < MAX_SETS; j++) {
        if (c->active[j] && c->row_of[j] == SG_NONE) {
            explain_under(c, j);
            shown++;
        }
    }
    return SG_ERR_MODEL;
}

static bool build_extended(checker *c)
{
    sg_system *sys = c->sys;
    sg_graph_init(&c->graph, sys->allocator, (int)sys->cols.len);
    for (int i = 0; i < c->n_equations; i++) {
        sg_row row = sg_graph_row(&sys->graph, i);
        for (int k = 0; k < row.n; k++)
            sg_graph_add(&c->graph, row.cols[k]);
        sg_graph_end_row(&c->graph);
    }
    for (int j = 0; j < sys->n_original_cols; j++) {
        if (!sys->potential[j])
            continue;
        sg_graph_add(&c->graph, j);
        sg_graph_add(&c->graph, sg_system_col(sys, sys->flat->vars.data[sys->cols.data[j].i].der));
        sg_graph_end_row(&c->graph);
    }
    c->n_rows = sg_graph_rows(&c->graph);
    return !c->graph.failed;
}

static sg_status match_extended(checker *c, bool *perfect)
{
    sg_system *sys = c->sys;
    int n_cols = (int)sys->cols.len;
    c->row_of = SG_NEW_ARRAY(&sys->scratch, int, n_cols + 1);
    c->col_of = SG_NEW_ARRAY(&sys->scratch, int, c->n_rows + 1);
    if (sys->scratch.failed || sg_graph_match(&c->graph, c->active, c->row_of))
        return SG_ERR_MEMORY;
    *perfect = c->n_unknowns == c->n_equations;
    for (int i = 0; i < c->n_rows; i++)
        c->col_of[i] = SG_NONE;
    for (int j = 0; j < n_cols; j++) {
        if (c->row_of[j] != SG_NONE)
            c->col_of[c->row_of[j]] = j;
        else if (c->active[j])
            *perfect = false;
    }
    return SG_OK;
}

sg_status sg_system_check(sg_system *sys)
{
    checker c = {.sys = sys, .n_equations = (int)sys->eqs.len};
    c.active = SG_NEW_ARRAY(&sys->scratch, bool, sys->cols.len + 1);
    if (!c.active)
        return SG_ERR_MEMORY;
    for (int j = 0; j < sys->n_original_cols; j++) {
        c.active[j] = !sys->eliminated[j];
        c.n_unknowns += c.active[j] && !sys->potential[j];
    }
    bool perfect = false;
    sg_status status = build_extended(&c) ? match_extended(&c, &perfect) : SG_ERR_MEMORY;
    if (!status && !perfect)
        status = sg_system_split_unbalanced(sys, &sys->split);
    if (!status && !perfect && !sys->split)
        status = explain(&c);
    sg_graph_free(&c.graph);
    sg_graph_free(&c.transposed);
    SG_VEC_FREE(sys->allocator, &c.rows);
    SG_VEC_FREE(sys->allocator, &c.cols);
    return status;
}
