#include "equations/terms.h"

#include "symbolic/function.h"
#include "symbolic/walk.h"

// Of one row; a product of ten sums of two is a thousand.
#define MOST_TERMS 2000

// A product that is being multiplied out: coef * done * next * (factors behind next).
typedef struct factors {
    sg_expr_id e;
    const struct factors *behind;
} factors;

typedef struct open_product {
    sg_expr_id coef, done;
    bool unknown; // an unknown is in `done`
    const factors *next;
} open_product;

typedef struct expansion {
    sg_system *sys;
    sg_exprs *x;
    sg_walk *walk; // value of a node: null if no unknown is in it
    sg_arena *arena;
    sg_terms *terms;
    SG_VEC(open_product) stack;
    int n;
    bool failed;
} expansion;

bool sg_terms_is_element(const sg_exprs *x, sg_expr_id e)
{
    bool is =
        sg_expr_op_of(x, e) == SG_X_INDEX && sg_expr_op_of(x, sg_expr_arg(x, e, 0)) == SG_X_PAR;
    for (uint32_t k = 1; is && k < sg_expr_n_args(x, e); k++)
        is = sg_expr_is_literal(x, sg_expr_arg(x, e, k));
    return is;
}

static bool not_into_elements(const sg_exprs *x, sg_expr_id e, uint32_t k)
{
    (void)k;
    return !sg_terms_is_element(x, e);
}

// Operators of numbers and nothing else: what remembers or calls a function may change, and
// literal arrays do not commute.
static bool is_plain_node(const sg_flat *flat, const sg_exprs *x, sg_expr_id e)
{
    const sg_expr_node *node = sg_expr_get(x, e);
    if (node->op == SG_X_PAR)
        return flat->pars.data[node->index].value.kind == SG_FLAT_NUMBER;
    if (node->op == SG_X_NUM || node->op == SG_X_IF || sg_terms_is_element(x, e))
        return true;
    const unsigned of_numbers = SG_TRAIT_INFIX | SG_TRAIT_PREFIX | SG_TRAIT_SCALAR;
    return sg_expr_op_info((sg_expr_op)node->op)->traits & of_numbers;
}

bool sg_terms_is_plain(sg_flat *flat, sg_expr_id e)
{
    sg_exprs *x = &flat->exprs;
    bool plain = true;
    if (sg_expr_is_literal(x, e))
        return true;
    sg_walk *walk = sg_walk_begin(x, e);
    if (!walk)
        return false;
    walk->follow = not_into_elements;
    for (sg_expr_id at; plain && (at = sg_walk_next(walk)).i;)
        plain = is_plain_node(flat, x, at);
    sg_walk_end(walk);
    return plain;
}

static bool follow_present(const sg_exprs *x, sg_expr_id e, uint32_t k)
{
    sg_expr_op op = sg_expr_op_of(x, e);
    return op != SG_X_END && !(k == 0 && sg_expr_op_remembers(op));
}

// Which nodes of the row hold an unknown.
static bool mark(expansion *m, sg_expr_id root, const bool *is_unknown)
{
    const sg_exprs *x = m->x;
    m->walk = sg_walk_begin(m->x, root);
    if (!m->walk)
        return false;
    m->walk->follow = follow_present;
    for (sg_expr_id e; (e = sg_walk_next(m->walk)).i;) {
        sg_var_id var = sg_expr_var_of(x, e);
        bool holds = var.i && is_unknown[var.i];
        for (uint32_t k = 0; k < sg_expr_n_args(x, e) && !holds; k++)
            holds = follow_present(x, e, k) && m->walk->value[sg_expr_arg(x, e, k).i].i;
        m->walk->value[e.i] = holds ? e : (sg_expr_id){0};
    }
    return !m->walk->failed;
}

// Nodes that were made on the way are quotients of ones that were not.
static bool holds_unknown(const expansion *m, sg_expr_id e)
{
    if (sg_walk_seen(m->walk, e))
        return m->walk->value[e.i].i != 0;
    for (uint32_t k = 0; k < sg_expr_n_args(m->x, e); k++) {
        sg_expr_id arg = sg_expr_arg(m->x, e, k);
        if (sg_walk_seen(m->walk, arg) && m->walk->value[arg.i].i)
            return true;
    }
    return false;
}

static void push(expansion *m, open_product p, sg_expr_id first, bool negative)
{
    factors *f = SG_NEW(m->arena, factors);
    if (!f || ++m->n > MOST_TERMS) {
        m->failed = true;
        return;
    }
    *f = (factors){first, p.next};
    p.next = f;
    if (negative)
        p.coef = sg_expr_neg(m->x, p.coef);
    m->failed |= !SG_PUSH(m->sys->allocator, &m->stack, p);
}

// The factors of a product before those behind it.
static void push_all(expansion *m, open_product p, sg_expr_id e)
{
    for (uint32_t k = sg_expr_n_args(m->x, e); k-- > 1;) {
        factors *f = SG_NEW(m->arena, factors);
        if (!f) {
            m->failed = true;
            return;
        }
        *f = (factors){sg_expr_arg(m->x, e, k), p.next};
        p.next = f;
    }
    push(m, p, sg_expr_arg(m->x, e, 0), false);
}

static void add_term(expansion *m, const open_product *p)
{
    sg_exprs *x = m->x;
    if (!p->unknown) {
        sg_expr_id value = p->done.i ? sg_expr_mul(x, p->coef, p->done) : p->coef;
        m->terms->rest = sg_expr_add(x, m->terms->rest, value);
        return;
    }
    for (size_t k = 0; k < m->terms->list.len; k++) {
        sg_term *known = &m->terms->list.data[k];
        if (known->atom.i == p->done.i) {
            known->coef = sg_expr_add(x, known->coef, p->coef);
            return;
        }
    }
    m->failed |=
        !SG_PUSH(m->sys->allocator, &m->terms->list, (sg_term){.atom = p->done, .coef = p->coef});
}

static void add_factor(expansion *m, open_product p, sg_expr_id e)
{
    p.unknown |= holds_unknown(m, e);
    p.done = p.done.i ? sg_expr_mul(m->x, p.done, e) : e;
    m->failed |= !SG_PUSH(m->sys->allocator, &m->stack, p);
}

static void divide(expansion *m, open_product p, sg_expr_id e)
{
    sg_expr_id above = sg_expr_arg(m->x, e, 0), below = sg_expr_arg(m->x, e, 1);
    if (sg_terms_is_plain(m->sys->flat, below)) {
        p.coef = sg_expr_div(m->x, p.coef, below);
        push(m, p, above, false);
        return;
    }
    if (sg_expr_is_one(m->x, above)) {
        add_factor(m, p, e);
        return;
    }
    sg_expr_id inverse = sg_expr_div(m->x, sg_expr_num(m->x, 1.0), below);
    factors *f = SG_NEW(m->arena, factors);
    if (!f || !inverse.i) {
        m->failed = true;
        return;
    }
    *f = (factors){inverse, p.next};
    p.next = f;
    push(m, p, above, false);
}

// Does the rest of the product hold an unknown? Else there is nothing to be told apart.
static bool is_rest(const expansion *m, const open_product *p)
{
    bool any = p->unknown;
    for (const factors *f = p->next; f && !any; f = f->behind)
        any = holds_unknown(m, f->e);
    return !any;
}

static void add_rest(expansion *m, open_product p)
{
    for (; p.next; p.next = p.next->behind)
        p.done = p.done.i ? sg_expr_mul(m->x, p.done, p.next->e) : p.next->e;
    add_term(m, &p);
}

static void take(expansion *m, open_product p)
{
    sg_exprs *x = m->x;
    if (is_rest(m, &p)) {
        add_rest(m, p);
        return;
    }
    if (!p.next) {
        add_term(m, &p);
        return;
    }
    sg_expr_id e = p.next->e;
    uint32_t n = sg_expr_n_args(x, e);
    p.next = p.next->behind;
    if (sg_terms_is_plain(m->sys->flat, e)) {
        p.coef = sg_expr_mul(x, p.coef, e);
        m->failed |= !SG_PUSH(m->sys->allocator, &m->stack, p);
        return;
    }
    switch ((int)sg_expr_op_of(x, e)) {
    case SG_X_ADD:
        for (uint32_t k = n; k-- > 0 && !m->failed;)
            push(m, p, sg_expr_arg(x, e, k), false);
        return;
    case SG_X_SUB:
        push(m, p, sg_expr_arg(x, e, 1), true);
        push(m, p, sg_expr_arg(x, e, 0), false);
        return;
    case SG_X_NEG:
        push(m, p, sg_expr_arg(x, e, 0), true);
        return;
    case SG_X_MUL:
        push_all(m, p, e);
        return;
    case SG_X_DIV:
        divide(m, p, e);
        return;
    default:
        add_factor(m, p, e);
    }
}

bool sg_terms_of(sg_terms *terms, sg_system *sys, int row, const bool *is_unknown)
{
    const sg_equation *eq = &sys->eqs.data[row];
    terms->list.len = 0;
    terms->rest = sg_expr_num(&sys->flat->exprs, 0.0);
    if (eq->placeholder || eq->n_results)
        return false;
    // Calls are told apart by where they are written, bodies by what they compute.
    sg_expr_id residual =
        sg_func_inline(&sys->flat->exprs, sg_system_residual(sys, row), &sys->bodies);
    sg_arena_mark before = sg_arena_mark_get(&sys->scratch);
    expansion m = {.sys = sys, .x = &sys->flat->exprs, .arena = &sys->scratch, .terms = terms};
    if (!residual.i || !mark(&m, residual, is_unknown))
        m.failed = true;
    if (!m.failed)
        push(&m, (open_product){.coef = sg_expr_num(m.x, 1.0)}, residual, false);
    while (m.stack.len && !m.failed)
        take(&m, m.stack.data[--m.stack.len]);
    if (m.walk)
        sg_walk_end(m.walk);
    SG_VEC_FREE(sys->allocator, &m.stack);
    sg_arena_release(&sys->scratch, before);
    return !m.failed && !m.x->failed;
}

void sg_terms_free(sg_terms *terms, const sg_system *sys)
{
    SG_VEC_FREE(sys->allocator, &terms->list);
}
