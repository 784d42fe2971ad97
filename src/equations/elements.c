// Arrays taken apart where index reduction needs their elements.
//
// An array is one unknown with one equation, and that is how it is differentiated. r'*r = 1 takes
// away one element of r, not all of r, so there the array must be an array of unknowns. When the
// structure gives an equation of another size to an array than it has, that array and all arrays
// that share equations with it become variables r[1], r[2], ...; their equations are written
// element by element, and r itself is computed from them, for results and for whatever names it as
// a whole. All other arrays stay whole.
#include "equations/elements.h"

#include "base/assert.h"
#include "symbolic/walk.h"

#include <string.h>
enum { MOST_ELEMENTS = 20000 }; // of all arrays that are taken apart

static uint32_t var_count(const sg_splitting *s, sg_var_id var)
{
    return sg_array_shape_count(s->shapes.vars[var.i]);
}

// ---- which arrays ----------------------------------------------------------------------------

typedef struct var_mark {
    sg_splitting *s;
    bool any;       // one that is taken apart was seen
    bool add;       // take apart what is seen
    bool added;     // something new
    uint32_t above; // only arrays with more elements
} var_mark;

static void look_at_var(void *context, sg_var_id var)
{
    var_mark *m = context;
    sg_splitting *s = m->s;
    var = sg_base_of(s->flat, var);
    if (m->add && var_count(s, var) > 1 && var_count(s, var) > m->above && !s->whole[var.i] &&
        !s->split[var.i])
        s->split[var.i] = m->added = true;
    m->any |= s->split[var.i];
}

static bool look_at(var_mark *m, sg_expr_id e)
{
    return !e.i || sg_expr_incidence(m->s->x, e, SG_INCIDENCE_IMPLICIT, look_at_var, m);
}

// Inputs and results of functions come as a whole; so does what an event sets.
static bool find_whole(sg_splitting *s)
{
    sg_flat *flat = s->flat;
    for (uint32_t v = 1; v < s->n_vars; v++)
        s->whole[v] = (flat->vars.data[v].attributes & SG_ATTR_TOP_INPUT) ||
                      s->shapes.vars[v].kind == SG_ARRAY_OPEN || flat->vars.data[v].value.truth ||
                      (flat->vars.data[v].value.whole && !flat->vars.data[v].der.i);
    for (size_t k = 0; k < flat->results.len; k++)
        s->whole[sg_base_of(flat, sg_expr_var_of(s->x, flat->results.data[k])).i] = true;
    sg_walk *walk = NULL;
    for (size_t i = 1; i < flat->eqs.len; i++) {
        const sg_expr_id sides[2] = {flat->eqs.data[i].lhs, flat->eqs.data[i].rhs};
        for (int k = 0; k < 2; k++) {
            if (!sides[k].i)
                continue;
            if (walk)
                sg_walk_push(walk, sides[k]);
            else if (!(walk = sg_walk_begin(s->x, sides[k])))
                return false;
            for (sg_expr_id e; (e = sg_walk_next(walk)).i;)
                if (sg_expr_op_of(s->x, e) == SG_X_REINIT)
                    s->whole[sg_base_of(flat, sg_expr_var_of(s->x, sg_expr_arg(s->x, e, 0))).i] =
                        true;
        }
    }
    return !walk || sg_walk_end(walk);
}

// Equations between arrays are written element by element for all of their arrays or for none.
static bool spread(sg_splitting *s)
{
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 1; i < s->flat->eqs.len; i++) {
            const sg_flat_eq eq = s->flat->eqs.data[i];
            if (eq.n_results ||
                sg_array_shape_count(sg_array_shape_of_sides(&s->shapes, eq.lhs, eq.rhs)) < 2)
                continue;
            var_mark m = {.s = s};
            if (!look_at(&m, eq.lhs) || !look_at(&m, eq.rhs))
                return false;
            m.add = m.any;
            if (m.any && (!look_at(&m, eq.lhs) || !look_at(&m, eq.rhs)))
                return false;
            again |= m.added;
        }
    }
    return true;
}

// Does the variable stand in it other than element for element? Then the derivative of the equation
// cannot be solved for the array as a whole: R'*R, [x[2], x[1]].
static bool mingles(sg_splitting *s, sg_expr_id root, sg_var_id var)
{
    sg_walk *walk = root.i ? sg_walk_begin(s->x, root) : NULL;
    bool found = false;
    for (sg_expr_id e; walk && (e = sg_walk_next(walk)).i;) {
        sg_expr_op op = sg_expr_op_of(s->x, e);
        if (op == SG_X_INDEX || op == SG_X_TRANSPOSE || op == SG_X_VECT || op == SG_X_VCAT ||
            op == SG_X_HCAT || op == SG_X_CROSS)
            found = found || sg_expr_contains_var(s->x, e, var);
    }
    if (walk && !sg_walk_end(walk))
        s->failed = true;
    return found;
}

// The written form of a row that was differentiated.
static const sg_equation *origin_of(const sg_system *sys, int row)
{
    const sg_equation *eq = &sys->eqs.data[row];
    while (eq->order > 0)
        eq = &sys->eqs.data[eq->base];
    return eq;
}

// Rows of another size than the array that they are to give, or that mix its elements.
static bool find_mismatch(sg_splitting *s)
{
    sg_system *sys = s->sys;
    bool found = false;
    for (size_t j = 0; j < sys->red.row_of.len; j++) {
        int row = sys->red.row_of.data[j];
        if (row == SG_NONE || row >= (int)sys->eqs.len)
            continue;
        const sg_equation eq = sys->eqs.data[row];
        sg_var_id var = sg_base_of(s->flat, sys->cols.data[j]);
        if (eq.placeholder || eq.n_results || var.i >= s->n_vars)
            continue;
        uint32_t rows = sg_array_shape_count(sg_array_shape_of_sides(&s->shapes, eq.lhs, eq.rhs));
        uint32_t cols = var_count(s, var);
        if (!rows || !cols)
            continue;
        const sg_equation *origin = origin_of(sys, row);
        if (rows == cols && !(cols > 1 && eq.order > 0 &&
                              (mingles(s, origin->lhs, var) || mingles(s, origin->rhs, var))))
            continue;
        var_mark m = {.s = s, .add = true};
        look_at_var(&m, var);
        if (!look_at(&m, eq.lhs) || !look_at(&m, eq.rhs))
            s->failed = true;
        found |= m.any;
    }
    return found;
}

static bool find_singular(sg_splitting *s)
{
    var_mark m = {.s = s, .add = true};
    for (size_t k = 0; k < s->sys->singular.len; k++)
        look_at_var(&m, s->sys->singular.data[k]);
    return m.added;
}

// Are there as many numbers as equations between numbers, although arrays and their equations are
// not as many? Then arrays that stand in equations of fewer elements are taken apart.
static bool find_unbalanced(sg_splitting *s)
{
    sg_system *sys = s->sys;
    int64_t balance = 0;
    bool found = false;
    for (int j = 0; j < sys->n_original_cols; j++) {
        sg_var_id var = sg_base_of(s->flat, sys->cols.data[j]);
        if (sys->eliminated[j] || sys->potential[j])
            continue;
        if (!var_count(s, var))
            return false;
        balance -= var_count(s, var);
    }
    for (size_t i = 0; i < sys->eqs.len; i++) {
        const sg_equation eq = sys->eqs.data[i];
        uint32_t n = sg_array_shape_count(sg_array_shape_of_sides(&s->shapes, eq.lhs, eq.rhs));
        if (eq.placeholder || eq.n_results || !n)
            return false;
        balance += n;
    }
    for (size_t i = 0; i < sys->eqs.len && balance == 0; i++) {
        const sg_equation eq = sys->eqs.data[i];
        var_mark m = {
            .s = s,
            .add = true,
            .above = sg_array_shape_count(sg_array_shape_of_sides(&s->shapes, eq.lhs, eq.rhs))};
        if (!look_at(&m, eq.lhs) || !look_at(&m, eq.rhs))
            s->failed = true;
        found |= m.added;
    }
    return found;
}

// ---- the new variables -----------------------------------------------------------------------

static sg_sym part_name(const sg_splitting *s, sg_var_id var, uint32_t k)
{
    const sg_flat *flat = s->flat;
    sg_array_shape shape = s->shapes.vars[var.i];
    sg_buf text;
    sg_buf_init(&text, flat->allocator);
    sg_buf_puts(&text, sg_sym_text(flat->symbols, flat->vars.data[var.i].name));
    if (shape.kind == SG_ARRAY_VECTOR)
        sg_buf_printf(&text, "[%u]", k + 1);
    else
        sg_buf_printf(&text, "[%u,%u]", k % shape.rows + 1, k / shape.rows + 1);
    sg_sym sym = text.failed ? (sg_sym){0} : sg_sym_intern_text(flat->symbols, sg_buf_text(&text));
    sg_buf_free(&text);
    return sym;
}

static bool make_parts(sg_splitting *s, sg_var_id var)
{
    sg_flat *flat = s->flat;
    uint32_t n = var_count(s, var);
    sg_var_id *parts = SG_NEW_ARRAY(&s->sys->scratch, sg_var_id, n);
    if (!parts)
        return false;
    for (uint32_t k = 0; k < n; k++) {
        const sg_flat_var from = flat->vars.data[var.i];
        parts[k] = sg_flat_var_add(flat, part_name(s, var, k), from.span);
        if (!parts[k].i)
            return false;
        sg_flat_var *part = sg_flat_var_get(flat, parts[k]);
        part->attributes = from.attributes | SG_ATTR_ELEMENT;
        part->unit = from.unit;
        part->part_of = var;
        part->part = k;
    }
    s->parts[var.i] = parts;
    sg_flat_var *old = &flat->vars.data[var.i];
    old->attributes &= ~(uint32_t)(SG_ATTR_HAS_INIT | SG_ATTR_HAS_START | SG_ATTR_STEADY);
    old->n_parts = n;
    // Its derivatives are those of the elements, and have a variable of their own name for results.
    sg_var_id of = var;
    for (sg_var_id der = old->der; der.i; of = der, der = flat->vars.data[der.i].der) {
        sg_var_id *rates = SG_NEW_ARRAY(&s->sys->scratch, sg_var_id, n);
        if (!rates)
            return false;
        for (uint32_t k = 0; k < n; k++)
            if (!(rates[k] = sg_flat_der(flat, s->parts[of.i][k])).i)
                return false;
        s->parts[der.i] = rates;
    }
    return true;
}

// After all parts are made, since names of derivatives follow their variables.
static bool cut_loose(sg_splitting *s, sg_var_id var)
{
    sg_flat *flat = s->flat;
    sg_var_id list[64];
    uint32_t n = 0;
    for (sg_var_id der = flat->vars.data[var.i].der; der.i && n < 64;
         der = flat->vars.data[der.i].der)
        list[n++] = der;
    for (uint32_t k = 0; k < n; k++) {
        sg_sym name = sg_flat_result_name(flat, list[k]);
        if (!name.i)
            return false;
        flat->vars.data[list[k].i].result = name;
    }
    for (uint32_t k = 0; k < n; k++) {
        sg_flat_var *d = &flat->vars.data[list[k].i];
        d->name = d->result;
        d->of = d->der = (sg_var_id){0};
    }
    flat->vars.data[var.i].der = (sg_var_id){0};
    return true;
}

static bool join(sg_splitting *s, sg_var_id var)
{
    sg_array_shape shape = s->shapes.vars[var.i];
    uint32_t n = sg_array_shape_count(shape);
    sg_expr_id *list = SG_NEW_ARRAY(&s->sys->scratch, sg_expr_id, n + shape.rows);
    if (!list)
        return false;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t at =
            shape.kind == SG_ARRAY_VECTOR ? k : k / shape.cols + k % shape.cols * shape.rows;
        list[k] = sg_expr_var(s->x, s->parts[var.i][at]);
    }
    sg_expr_id whole;
    if (shape.kind == SG_ARRAY_VECTOR) {
        whole = sg_expr_make(s->x, SG_X_VECT, list, n);
    } else {
        for (uint32_t i = 0; i < shape.rows; i++)
            list[n + i] = sg_expr_make(s->x, SG_X_HCAT, list + i * shape.cols, shape.cols);
        whole = sg_expr_make(s->x, SG_X_VCAT, list + n, shape.rows);
    }
    s->joined[var.i] = whole;
    return whole.i && sg_map_put(&s->is_joined, whole.i, var.i);
}

// ---- equations -------------------------------------------------------------------------------

// Sizes that the elements rely on must stay what they are.
static bool note_sizes(sg_splitting *s, sg_expr_id root)
{
    sg_flat *flat = s->flat;
    sg_walk *walk = sg_walk_begin(s->x, root);
    if (!walk)
        return false;
    bool ok = true;
    for (sg_expr_id e; (e = sg_walk_next(walk)).i;) {
        const sg_expr_node *node = sg_expr_get(s->x, e);
        if (node->op != SG_X_PAR)
            continue;
        sg_flat_par *par = &flat->pars.data[node->index];
        par->settled_size = par->value.kind == SG_FLAT_ARRAY;
        par->settled_rows = par->value.rows;
        par->settled_cols = par->value.cols;
    }
    return sg_walk_end(walk) && ok;
}

typedef SG_VEC(sg_flat_eq) eq_list;

// Sums and products with their parts in one order, so that equal ones are one node.
static sg_expr_id ordered(sg_splitting *s, sg_expr_id e, int depth)
{
    enum { MOST_ARGS = 64 };
    sg_expr_op op = sg_expr_op_of(s->x, e);
    uint32_t n = sg_expr_n_args(s->x, e);
    sg_expr_id args[MOST_ARGS];
    if (!n || n > MOST_ARGS || depth > SG_MOST_DEPTH)
        return e;
    for (uint32_t k = 0; k < n; k++)
        args[k] = ordered(s, sg_expr_arg(s->x, e, k), depth + 1);
    for (uint32_t k = 1; (op == SG_X_ADD || op == SG_X_MUL) && k < n; k++)
        for (uint32_t i = k; i > 0 && args[i].i < args[i - 1].i; i--) {
            sg_expr_id swap = args[i];
            args[i] = args[i - 1];
            args[i - 1] = swap;
        }
    const sg_expr_node node = *sg_expr_get(s->x, e);
    return sg_expr_raw(s->x, op, node.dot, node.index, args, n);
}

// R'*R = I says for element [1,2] what it says for [2,1].
static bool is_symmetric(sg_splitting *s, const sg_flat_eq *first, sg_array_shape shape)
{
    if (shape.kind != SG_ARRAY_MATRIX || shape.rows != shape.cols || shape.rows > 12)
        return false;
    for (uint32_t i = 0; i < shape.rows; i++)
        for (uint32_t j = 0; j < i; j++) {
            const sg_flat_eq *a = &first[i + j * shape.rows], *b = &first[j + i * shape.rows];
            if (ordered(s, a->lhs, 0).i != ordered(s, b->lhs, 0).i ||
                ordered(s, a->rhs, 0).i != ordered(s, b->rhs, 0).i)
                return false;
        }
    return shape.rows > 1;
}

static void tell_symmetric(sg_splitting *s, const sg_flat_eq *eq, sg_array_shape shape)
{
    uint32_t n = shape.rows;
    sg_error(s->sys->diags, SG_E_STRUCTURE, eq->span,
             "both sides of this equation are symmetric, so element [2, 1] says the same as "
             "[1, 2]: %u of its %u elements are redundant; write one triangle of it only, element "
             "by element, as in dot(R[:,1], R[:,2]) = 0.0",
             n * (n - 1) / 2, n * n);
    s->redundant = true;
}

static bool write_elements(sg_splitting *s, const sg_flat_eq *eq, sg_array_shape shape,
                           eq_list *out)
{
    for (uint32_t k = 0; k < sg_array_shape_count(shape); k++) {
        sg_flat_eq one = *eq;
        one.lhs = sg_expr_is_zero(s->x, eq->lhs) ? eq->lhs : sg_element_of(s, eq->lhs, k);
        one.rhs = sg_expr_is_zero(s->x, eq->rhs) ? eq->rhs : sg_element_of(s, eq->rhs, k);
        // A side whose shape is open gives its elements as a whole.
        if (sg_array_shape_of(&s->shapes, eq->lhs).kind == SG_ARRAY_OPEN)
            one.lhs = sg_element_picked(s, eq->lhs, shape, k);
        if (sg_array_shape_of(&s->shapes, eq->rhs).kind == SG_ARRAY_OPEN)
            one.rhs = sg_element_picked(s, eq->rhs, shape, k);
        if (!one.lhs.i || !one.rhs.i || !SG_PUSH(s->flat->allocator, out, one))
            return false;
    }
    if (is_symmetric(s, &out->data[out->len - sg_array_shape_count(shape)], shape))
        tell_symmetric(s, eq, shape);
    return note_sizes(s, eq->lhs) && note_sizes(s, eq->rhs);
}

static bool write_equation(sg_splitting *s, const sg_flat_eq *eq, eq_list *out)
{
    var_mark m = {.s = s};
    sg_array_shape shape = {SG_ARRAY_OPEN, 0, 0};
    if (!eq->n_results)
        shape = sg_array_shape_of_sides(&s->shapes, eq->lhs, eq->rhs);
    if (!look_at(&m, eq->lhs) || !look_at(&m, eq->rhs))
        return false;
    if (m.any && shape.kind != SG_ARRAY_OPEN)
        return write_elements(s, eq, shape, out);
    sg_flat_eq one = *eq;
    one.lhs = sg_elements_joined(s, eq->lhs);
    one.rhs = sg_elements_joined(s, eq->rhs);
    return SG_PUSH(s->flat->allocator, out, one);
}

// r = [r[1], r[2], ...]
static bool define_whole(sg_splitting *s, sg_var_id var, eq_list *out)
{
    sg_flat_eq eq = {.lhs = sg_expr_var(s->x, var),
                     .rhs = s->joined[var.i],
                     .span = s->flat->vars.data[var.i].span,
                     .origin = SG_EQ_BINDING};
    return SG_PUSH(s->flat->allocator, out, eq);
}

static bool write_equations(sg_splitting *s, const bool *named)
{
    sg_flat *flat = s->flat;
    eq_list eqs = {0}, initial = {0};
    bool ok = SG_PUSH(flat->allocator, &eqs, flat->eqs.data[0]);
    for (size_t i = 1; ok && i < flat->eqs.len; i++) {
        const sg_flat_eq eq = flat->eqs.data[i];
        ok = write_equation(s, &eq, &eqs);
    }
    for (uint32_t v = 1; ok && v < s->n_vars; v++)
        if (s->joined[v].i && named[v])
            ok = define_whole(s, (sg_var_id){v}, &eqs);
    for (size_t i = 0; ok && i < flat->initial_eqs.len; i++) {
        const sg_flat_eq eq = flat->initial_eqs.data[i];
        ok = write_equation(s, &eq, &initial);
    }
    ok = ok && !s->failed && !sg_exprs_failed(s->x);
    if (!ok) {
        SG_VEC_FREE(flat->allocator, &eqs);
        SG_VEC_FREE(flat->allocator, &initial);
        return false;
    }
    SG_VEC_FREE(flat->allocator, &flat->eqs);
    SG_VEC_FREE(flat->allocator, &flat->initial_eqs);
    memcpy(&flat->eqs, &eqs, sizeof eqs);
    memcpy(&flat->initial_eqs, &initial, sizeof initial);
    return true;
}

static void note_named(void *context, sg_var_id var) { ((bool *)context)[var.i] = true; }

// What the equations name: derivatives that only index reduction made have no place in results.
static bool find_named(sg_splitting *s, bool *named)
{
    for (size_t i = 1; i < s->flat->eqs.len; i++) {
        const sg_flat_eq eq = s->flat->eqs.data[i];
        const sg_expr_id sides[2] = {eq.lhs, eq.rhs};
        for (int k = 0; k < 2; k++)
            if (sides[k].i &&
                !sg_expr_incidence(s->x, sides[k], SG_INCIDENCE_IMPLICIT, note_named, named))
                return false;
    }
    for (uint32_t v = 1; v < s->n_vars; v++) // der(r) names r
        for (sg_var_id at = {v}; named[v] && at.i; at = s->flat->vars.data[at.i].of)
            named[at.i] = true;
    return true;
}

static sg_status take_apart(sg_splitting *s)
{
    sg_flat *flat = s->flat;
    sg_arena *scratch = &s->sys->scratch;
    bool *named = SG_NEW_ARRAY(scratch, bool, s->n_vars);
    s->parts = SG_NEW_ARRAY(scratch, sg_var_id *, s->n_vars);
    s->joined = SG_NEW_ARRAY(scratch, sg_expr_id, s->n_vars);
    if (!named || !s->parts || !s->joined || !spread(s) || !find_named(s, named))
        return SG_ERR_MEMORY;
    uint64_t n = 0;
    uint32_t largest = 0;
    for (uint32_t v = 1; v < s->n_vars; v++) {
        n += s->split[v] ? var_count(s, (sg_var_id){v}) : 0;
        if (s->split[v] &&
            (!largest || var_count(s, (sg_var_id){v}) > var_count(s, (sg_var_id){largest})))
            largest = v;
    }
    if (n > MOST_ELEMENTS) {
        sg_error(s->sys->diags, SG_E_NO_ODE_FORM, flat->vars.data[largest].span,
                 "a constraint uses single elements of arrays, so these arrays must be split into "
                 "their elements; they have %llu, the most is %d",
                 (unsigned long long)n, (int)MOST_ELEMENTS);
        return SG_ERR_MODEL;
    }
    for (uint32_t v = 1; v < s->n_vars; v++)
        if (s->split[v] && !make_parts(s, (sg_var_id){v}))
            return SG_ERR_MEMORY;
    for (uint32_t v = 1; v < s->n_vars; v++)
        if (s->parts[v] && !join(s, (sg_var_id){v}))
            return SG_ERR_MEMORY;
    s->first_node = s->x->len;
    if (!write_equations(s, named))
        return SG_ERR_MEMORY;
    for (uint32_t v = 1; v < s->n_vars; v++)
        if (s->split[v] && !cut_loose(s, (sg_var_id){v}))
            return SG_ERR_MEMORY;
    if (s->x->len - s->first_node > SG_MOST_TERMS) {
        sg_error(s->sys->diags, SG_E_NO_ODE_FORM, flat->vars.data[largest].span,
                 "a constraint uses single elements of arrays, so these arrays must be split into "
                 "their elements; written element by element, their equations are too large");
        return SG_ERR_MODEL;
    }
    sg_flat_spread_values(flat);
    if (s->redundant)
        return SG_ERR_MODEL;
    return sg_flat_failed(flat) ? SG_ERR_MEMORY : SG_OK;
}

static bool has_arrays(const sg_flat *flat)
{
    for (size_t v = 1; v < flat->vars.len; v++)
        if (flat->vars.data[v].value.kind == SG_FLAT_ARRAY)
            return true;
    return false;
}

static sg_status split_if(sg_system *sys, bool (*wanted)(sg_splitting *s), bool *done)
{
    *done = false;
    if (!has_arrays(sys->flat))
        return SG_OK;
    sg_splitting s = {.sys = sys,
                      .flat = sys->flat,
                      .x = &sys->flat->exprs,
                      .n_vars = (uint32_t)sys->flat->vars.len};
    sg_map_init(&s.is_joined, sys->allocator);
    sg_map_init(&s.memo, sys->allocator);
    sg_map_init(&s.holds, sys->allocator);
    s.split = SG_NEW_ARRAY(&sys->scratch, bool, s.n_vars);
    s.whole = SG_NEW_ARRAY(&sys->scratch, bool, s.n_vars);
    sg_status status = SG_OK;
    if (!sg_array_shapes_init(&s.shapes, sys->flat) || !s.split || !s.whole || !find_whole(&s))
        status = SG_ERR_MEMORY;
    if (!status && wanted(&s)) {
        *done = true;
        status = s.failed ? SG_ERR_MEMORY : take_apart(&s);
    }
    sg_array_shapes_free(&s.shapes);
    sg_map_free(&s.is_joined);
    sg_map_free(&s.memo);
    sg_map_free(&s.holds);
    return status;
}

sg_status sg_system_split_arrays(sg_system *sys, bool *done)
{
    *done = false;
    for (size_t i = 0; i < sys->red.eq_der.len; i++)
        if (sys->red.eq_der.data[i] != SG_NONE)
            return split_if(sys, find_mismatch, done);
    return SG_OK;
}

sg_status sg_system_split_unbalanced(sg_system *sys, bool *done)
{
    return split_if(sys, find_unbalanced, done);
}

sg_status sg_system_split_singular(sg_system *sys, bool *done)
{
    *done = false;
    return sys->singular.len ? split_if(sys, find_singular, done) : SG_OK;
}
