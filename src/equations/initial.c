// Conditions at the start of a run, in terms of what the program computes: initial equations and
// variables that are steady. They have no part in sorting and in the choice of states; the run
// moves the states that have no init value until they hold (sim/start.h).
#include "equations/system.h"
#include "symbolic/walk.h"

typedef struct initial_rewrite {
    sg_system *sys;
    sg_var_id unknown; // the first that the program does not compute
    bool event;        // something in it belongs to events
    bool any;          // there is a variable in it
} initial_rewrite;

// What a variable stands for: sign * to; sign 0 is zero. False: the program does not compute it.
static bool resolve(const sg_system *sys, sg_var_id var, sg_var_id *to, int *sign)
{
    const sg_flat_var *v = &sys->flat->vars.data[var.i];
    *to = var;
    *sign = 1;
    switch (sys->aliases[var.i].kind) {
    case SG_ALIAS_PLUS:
    case SG_ALIAS_MINUS:
        *to = sys->aliases[var.i].of;
        *sign = sys->aliases[var.i].kind == SG_ALIAS_PLUS ? 1 : -1;
        return true;
    case SG_ALIAS_ZERO:
    case SG_ALIAS_FREE_ZERO:
        *sign = 0;
        return true;
    case SG_ALIAS_NONE:
        break;
    }
    if ((v->attributes & SG_ATTR_TOP_INPUT) || sg_system_col(sys, var) != SG_NONE)
        return true;
    if (!v->of.i || !resolve(sys, v->of, to, sign))
        return false;
    if (*sign == 0)
        return true;
    *to = sys->flat->vars.data[to->i].der;
    return to->i && sg_system_col(sys, *to) != SG_NONE;
}

static sg_expr_id replacement(void *context, sg_var_id var)
{
    initial_rewrite *in = context;
    sg_exprs *x = &in->sys->flat->exprs;
    sg_var_id to;
    int sign;
    in->any = true;
    if (!resolve(in->sys, var, &to, &sign)) {
        in->unknown = in->unknown.i ? in->unknown : var;
        return (sg_expr_id){0};
    }
    if (sign == 1 && to.i == var.i)
        return (sg_expr_id){0};
    sg_expr_id value = sign ? sg_expr_var(x, to) : sg_expr_num(x, 0.0);
    return sign < 0 ? sg_expr_neg(x, value) : value;
}

static bool has_event(sg_exprs *x, sg_expr_id root)
{
    bool found = false;
    sg_walk *walk = sg_walk_begin(x, root);
    if (!walk)
        return false;
    for (sg_expr_id e; (e = sg_walk_next(walk)).i;)
        found = found || (sg_expr_op_info(sg_expr_op_of(x, e))->traits & SG_TRAIT_EVENT);
    sg_walk_end(walk);
    return found;
}

static sg_expr_id rewrite(initial_rewrite *in, sg_expr_id e)
{
    sg_exprs *x = &in->sys->flat->exprs;
    in->event = in->event || has_event(x, e);
    e = sg_expr_substitute(x, e, replacement, in);
    return sg_func_inline(x, e, &in->sys->bodies);
}

static sg_status report(initial_rewrite *in, const char *what, sg_span span)
{
    sg_system *sys = in->sys;
    sg_buf text;
    sg_buf_init(&text, sys->allocator);
    if (in->event) {
        sg_error(sys->diags, SG_E_INITIAL_EQUATION, span,
                 "%s holds an operator of events or clocks, which has no meaning there", what);
    } else {
        sg_flat_print_var(sys->flat, in->unknown, &text);
        if (sys->flat->vars.data[in->unknown.i].of.i)
            sg_error(
                sys->diags, SG_E_INITIAL_EQUATION, span,
                "%s needs %s, which the equations of the model do not contain; add an equation "
                "for it, such as rate = %s",
                what, sg_buf_text(&text), sg_buf_text(&text));
        else
            sg_error(sys->diags, SG_E_INITIAL_EQUATION, span,
                     "%s needs '%s', which is no variable of the equations", what,
                     sg_buf_text(&text));
    }
    sg_buf_free(&text);
    return SG_ERR_MODEL;
}

static sg_status add_equation(sg_system *sys, uint32_t eq, sg_structure *out)
{
    const sg_flat_eq e = sys->flat->initial_eqs.data[eq];
    sg_initial_condition *to = &out->initial[out->n_initial++];
    initial_rewrite in = {.sys = sys};
    *to = (sg_initial_condition){.eq = eq, .span = e.span};
    to->left = rewrite(&in, e.lhs);
    to->right = rewrite(&in, e.rhs);
    if (in.event || in.unknown.i)
        return report(&in, "this initial equation", e.span);
    if (in.any)
        return SG_OK;
    sg_error(sys->diags, SG_E_INITIAL_EQUATION, e.span,
             "this initial equation contains no variable; to find a number at the start, make it "
             "a constant variable instead of a parameter: p = Var(start = ...) with der(p) = 0");
    return SG_ERR_MODEL;
}

static sg_status add_steady(sg_system *sys, sg_var_id var, sg_structure *out)
{
    sg_exprs *x = &sys->flat->exprs;
    const sg_flat_var v = sys->flat->vars.data[var.i];
    sg_var_id base;
    int sign;
    if (!resolve(sys, var, &base, &sign)) {
        initial_rewrite in = {.sys = sys, .unknown = var};
        return report(&in, "steady = true", v.span);
    }
    if (sign == 0)
        return SG_OK;
    sg_var_id rate = sys->flat->vars.data[base.i].der;
    if (!rate.i || sg_system_col(sys, rate) == SG_NONE) {
        sg_buf text;
        sg_buf_init(&text, sys->allocator);
        sg_flat_print_var(sys->flat, var, &text);
        sg_error(sys->diags, SG_E_INITIAL_EQUATION, v.span,
                 "steady = true: the equations of the model do not contain der(%s); a variable "
                 "computed from states is steady when they are",
                 sg_buf_text(&text));
        sg_buf_free(&text);
        return SG_ERR_MODEL;
    }
    out->initial[out->n_initial++] = (sg_initial_condition){
        .left = sg_expr_var(x, rate), .right = sg_expr_num(x, 0.0), .steady = base, .span = v.span};
    return SG_OK;
}

sg_status sg_system_write_initial(sg_system *sys, sg_structure *out)
{
    sg_flat *flat = sys->flat;
    size_t n = flat->initial_eqs.len;
    for (uint32_t v = 1; v < flat->vars.len; v++)
        n += (flat->vars.data[v].attributes & SG_ATTR_STEADY) != 0;
    if (!n)
        return SG_OK;
    out->initial = SG_NEW_ARRAY(sys->arena, sg_initial_condition, n);
    if (!out->initial)
        return SG_ERR_MEMORY;
    sg_status status = SG_OK;
    for (uint32_t v = 1; v < flat->vars.len; v++) {
        bool steady = flat->vars.data[v].attributes & SG_ATTR_STEADY;
        sg_status found = steady ? add_steady(sys, (sg_var_id){v}, out) : SG_OK;
        status = status ? status : found;
    }
    for (uint32_t i = 0; i < flat->initial_eqs.len; i++) {
        sg_status found = add_equation(sys, i, out);
        status = status ? status : found;
    }
    return sg_flat_failed(flat) ? SG_ERR_MEMORY : status;
}
