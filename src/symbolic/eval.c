#include "symbolic/eval.h"

#include "base/assert.h"
#include "base/vec.h"
#include "symbolic/walk.h"

#include <math.h>

static bool leaf_value(const sg_expr_node *node, const sg_expr_values *values, double *value)
{
    switch (node->op) {
    case SG_X_NUM:
        *value = node->number;
        return true;
    case SG_X_VAR:
        if (values->var)
            *value = values->var(values->context, (sg_var_id){node->index});
        return values->var;
    case SG_X_PAR:
        if (values->par)
            *value = values->par(values->context, (sg_par_id){node->index});
        return values->par;
    case SG_X_TIME:
        *value = values->time;
        return !isnan(values->time);
    default:
        return false;
    }
}

bool sg_expr_eval(sg_exprs *exprs, sg_expr_id root, const sg_expr_values *values, double *value)
{
    // Values are kept by position; the walk remembers where (its value array holds ids only).
    SG_VEC(double) computed = {0};
    SG_VEC(double) args = {0};
    sg_walk *walk = sg_walk_begin(exprs, root);
    bool ok = walk != NULL;
    *value = NAN;
    for (sg_expr_id e; ok && (e = sg_walk_next(walk)).i;) {
        const sg_expr_node *node = sg_expr_get(exprs, e);
        double x = NAN;
        args.len = 0;
        for (uint32_t k = 0; ok && k < node->n_args; k++)
            ok = SG_PUSH(exprs->allocator, &args,
                         computed.data[walk->value[sg_expr_arg(exprs, e, k).i].i]);
        if (ok)
            ok = node->n_args ? sg_expr_apply((sg_expr_op)node->op, args.data, node->n_args, &x)
                              : leaf_value(node, values, &x);
        walk->value[e.i] = (sg_expr_id){(uint32_t)computed.len};
        ok = ok && SG_PUSH(exprs->allocator, &computed, x);
    }
    if (ok)
        *value = computed.data[walk->value[root.i].i];
    if (walk)
        ok = sg_walk_end(walk) && ok;
    SG_VEC_FREE(exprs->allocator, &computed);
    SG_VEC_FREE(exprs->allocator, &args);
    return ok;
}
