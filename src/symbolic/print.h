// Expressions for people: back in the syntax of the dialect, and as a list of nodes.
#pragma once

#include "base/buf.h"
#include "segue/status.h"
#include "symbolic/expr.h"

// Names of what the tables of the user hold; any callback may be null (then v12, p3, f4, c5).
typedef struct sg_expr_names {
    void *context;
    const char *(*var)(void *context, sg_var_id var);
    const char *(*par)(void *context, sg_par_id par);
    const char *(*func)(void *context, sg_func_id func);
    const char *(*constant)(void *context, uint32_t index);
} sg_expr_names;

// As the user would have written it. A shared graph can be exponentially long as text, so the
// output ends with an ellipsis after `limit` bytes (0: 4096).
void sg_expr_print(const sg_exprs *exprs, sg_expr_id e, const sg_expr_names *names, size_t limit,
                   sg_buf *out);

// SG_ERR_INTERNAL if an invariant is broken: arguments before their node, arity, known operators.
sg_status sg_exprs_validate(const sg_exprs *exprs);
