// Expressions for all rounds of a loop at once.
//
// `[u[i]^2 - u[i-1] for i in 2:n]` is read like any other expression, with a placeholder for i.
// Spreading it over its lanes makes operations on whole arrays of it: i becomes the range 2:n,
// u[i-1] the elements of u with these numbers, products are taken element by element. So the
// number of rounds need not be known before sizes are, a round costs no more than an element of an
// array, and which derivative depends on which element can be seen.
//
// There are one or two axes: the values are a vector or a matrix. A sum over an inner loop is a
// matrix times a vector of ones. What cannot be said that way (arrays made in every round, sums of
// sums) is refused with a reason, and the function stays a call.
//
// A branch that a lane does not take may have an index that leads nowhere: i > 1 ? u[i-1] : 0.0.
// Where the condition follows from sizes and loops alone such a lane picks the first element
// instead, which is then not used; else it picks NaN (SG_EXPR_LENIENT).
#pragma once

#include "base/arena.h"
#include "base/map.h"
#include "symbolic/expr.h"

enum { SG_LANE_VARS = 0x40000000 }; // placeholders are variables from this number on

typedef struct sg_lane {
    sg_var_id var;    // placeholder
    sg_expr_id range; // first:last or first:step:last
} sg_lane;

typedef struct sg_lanes {
    sg_exprs *exprs;
    sg_lane axis[2];
    uint32_t n;
    // f.(x, y) instead of loops: the placeholders are the parameters of f, `values` its arguments,
    // arrays or numbers as it may be, and `like` ones in the shape of all of them together.
    const sg_expr_id *values;
    sg_var_id first_value;
    uint32_t n_values;
    sg_expr_id like;
    // Variables that are settled before a run begins, besides placeholders. Asked with `demand`,
    // the answer may be yes on condition that it is so.
    bool (*is_settled)(void *context, sg_var_id var, bool demand);
    void *context;
    const char *why; // what was in the way, set once
    sg_map spread;   // node and mask -> spread node
} sg_lanes;

void sg_lanes_init(sg_lanes *lanes, sg_exprs *exprs);
void sg_lanes_free(sg_lanes *lanes);

// Does an expression change from round to round?
bool sg_lanes_vary(const sg_lanes *lanes, sg_expr_id e);
// Known before a run begins, given the round? Values behind sizes do not matter.
bool sg_lanes_settled(sg_lanes *lanes, sg_expr_id e, bool demand);

// One value a round, also of what is the same in all of them. Null, with a reason in `why`, if that
// is not possible.
sg_expr_id sg_lanes_spread(sg_lanes *lanes, sg_expr_id e);
// A sum over an inner loop, until the outer one is spread: a SUM with the range as its second
// argument and the placeholder's number as payload.
sg_expr_id sg_lanes_inner_sum(sg_exprs *exprs, sg_expr_id body, sg_lane lane);
