#include "symbolic/function.h"

#include "symbolic/walk.h"

// Parameters 1..n stand for arguments, n + 1..2n for their derivatives.
typedef struct binding {
    uint32_t n;
    const sg_expr_id *args, *d_args;
} binding;

static sg_expr_id bind(void *context, sg_var_id var)
{
    const binding *b = context;
    if (var.i <= b->n)
        return b->args[var.i - 1];
    return b->d_args && var.i <= 2 * b->n ? b->d_args[var.i - b->n - 1] : (sg_expr_id){0};
}

sg_expr_id sg_func_apply(sg_exprs *exprs, const sg_func_body *body, const sg_expr_id *args,
                         uint32_t k)
{
    binding b = {body->n_params, args, NULL};
    return k < body->n_results ? sg_expr_substitute(exprs, body->results[k], bind, &b)
                               : (sg_expr_id){0};
}

static const sg_func_body *body_of(const sg_exprs *exprs, const sg_func_bodies *bodies,
                                   sg_expr_id call)
{
    uint32_t func = sg_expr_get(exprs, call)->index;
    const sg_func_body *body = bodies && func < bodies->n ? bodies->of[func] : NULL;
    return body && body->n_params == sg_expr_n_args(exprs, call) ? body : NULL;
}

enum { MOST_PARAMS = 256 };

static bool arguments_of(const sg_exprs *exprs, sg_expr_id call, sg_expr_id args[MOST_PARAMS])
{
    uint32_t n = sg_expr_n_args(exprs, call);
    for (uint32_t j = 0; j < n && n <= MOST_PARAMS; j++)
        args[j] = sg_expr_arg(exprs, call, j);
    return n <= MOST_PARAMS;
}

static sg_expr_id inline_result(void *context, sg_exprs *exprs, sg_expr_id e)
{
    sg_expr_id args[MOST_PARAMS];
    if (sg_expr_op_of(exprs, e) != SG_X_RESULT)
        return e;
    sg_expr_id call = sg_expr_arg(exprs, e, 0);
    const sg_func_body *body = body_of(exprs, context, call);
    uint32_t k = sg_expr_get(exprs, e)->index;
    // The arguments are copied, since the graph moves while the body is put in place.
    if (!body || k >= body->n_results || !arguments_of(exprs, call, args))
        return e;
    return sg_func_apply(exprs, body, args, k);
}

sg_expr_id sg_func_inline(sg_exprs *exprs, sg_expr_id e, const sg_func_bodies *bodies)
{
    sg_func_bodies table = bodies ? *bodies : (sg_func_bodies){0};
    return table.n ? sg_expr_rewrite(exprs, e, inline_result, &table) : e;
}

// Arguments that do not change have no seed: a zero put in its place has lost the shape.
static sg_expr_id seed_of_param(void *context, sg_exprs *exprs, sg_var_id var)
{
    const binding *b = context;
    bool moves = var.i <= b->n && !sg_expr_is_zero(exprs, b->d_args[var.i - 1]);
    return moves ? sg_expr_var(exprs, (sg_var_id){var.i + b->n}) : (sg_expr_id){0};
}

sg_expr_id sg_func_diff_call(void *context, sg_exprs *exprs, sg_expr_id call, uint32_t k,
                             const sg_expr_id *d_args)
{
    const sg_func_body *body = body_of(exprs, context, call);
    sg_expr_id args[MOST_PARAMS], none = {0};
    if (!body || k >= body->n_results || !arguments_of(exprs, call, args))
        return none;
    binding b = {body->n_params, args, d_args};
    sg_diff_rules rules = {.context = &b, .var = seed_of_param};
    sg_expr_id d = sg_expr_diff(exprs, body->results[k], &rules, NULL);
    return d.i ? sg_expr_substitute(exprs, d, bind, &b) : none;
}
