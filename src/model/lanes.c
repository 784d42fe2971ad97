#include "model/lanes.h"

#include "base/assert.h"
#include "symbolic/walk.h"

// Under which conditions a value is used: those that are settled, and whether there are others.
typedef struct mask {
    sg_expr_id settled; // null: none
    bool loose;
} mask;

static const sg_expr_id none = {0};

static sg_expr_id spread(sg_lanes *l, sg_expr_id e, mask m);

void sg_lanes_init(sg_lanes *lanes, sg_exprs *exprs)
{
    *lanes = (sg_lanes){.exprs = exprs};
    sg_map_init(&lanes->spread, exprs->allocator);
}

void sg_lanes_free(sg_lanes *lanes) { sg_map_free(&lanes->spread); }

static sg_expr_id refuse(sg_lanes *l, const char *why)
{
    if (!l->why)
        l->why = why;
    return none;
}

static bool is_lane(const sg_lanes *l, sg_var_id var)
{
    if (l->n_values && var.i >= l->first_value.i && var.i < l->first_value.i + l->n_values)
        return true;
    for (uint32_t k = 0; k < l->n; k++)
        if (l->axis[k].var.i == var.i)
            return true;
    return false;
}

// Sizes are settled whatever they are sizes of.
static bool is_size(sg_expr_op op)
{
    return op == SG_X_LENGTH || op == SG_X_END || op == SG_X_SIZE;
}

static bool follow_values(const sg_exprs *exprs, sg_expr_id e, uint32_t k)
{
    return !is_size(sg_expr_op_of(exprs, e)) || k > 0;
}

bool sg_lanes_vary(const sg_lanes *l, sg_expr_id e)
{
    bool found = false;
    sg_walk *walk = sg_walk_begin(l->exprs, e);
    if (!walk)
        return false;
    for (sg_expr_id at; (at = sg_walk_next(walk)).i;)
        found |= is_lane(l, sg_expr_var_of(l->exprs, at));
    return sg_walk_end(walk) && found;
}

bool sg_lanes_settled(sg_lanes *l, sg_expr_id e, bool demand)
{
    bool settled = true;
    sg_walk *walk = sg_walk_begin(l->exprs, e);
    if (!walk)
        return false;
    walk->follow = follow_values;
    for (sg_expr_id at; (at = sg_walk_next(walk)).i;) {
        sg_expr_op op = sg_expr_op_of(l->exprs, at);
        sg_var_id var = sg_expr_var_of(l->exprs, at);
        if (op == SG_X_TIME || op == SG_X_CALL ||
            (sg_expr_op_info(op)->traits & SG_TRAIT_EVENT) != 0)
            settled = false;
        else if (var.i >= SG_LANE_VARS)
            settled &= is_lane(l, var);
        else if (var.i)
            settled = settled && l->is_settled && l->is_settled(l->context, var, demand);
    }
    return sg_walk_end(walk) && settled;
}

static mask also(sg_lanes *l, mask m, sg_expr_id condition, bool is_true)
{
    if (!sg_lanes_settled(l, condition, false)) {
        m.loose = true;
        return m;
    }
    if (!is_true)
        condition = sg_expr_unary(l->exprs, SG_X_NOT, condition);
    m.settled = m.settled.i ? sg_expr_binary(l->exprs, SG_X_AND, m.settled, condition) : condition;
    return m;
}

// ---- values of the lanes --------------------------------------------------------------------

static sg_expr_id length(const sg_lanes *l, uint32_t k)
{
    return sg_expr_unary(l->exprs, SG_X_LENGTH, l->axis[k].range);
}

// The same number in every lane.
static sg_expr_id fill(const sg_lanes *l, sg_expr_id e)
{
    if (l->like.i) // not simplified: one times a number has the shape of the ones
        return sg_expr_raw(l->exprs, SG_X_DOT_MUL, false, 0, (sg_expr_id[2]){l->like, e}, 2);
    sg_expr_id args[3] = {e, length(l, 0), l->n > 1 ? length(l, 1) : none};
    return sg_expr_make(l->exprs, SG_X_FILL, args, l->n + 1);
}

static sg_expr_id lane_values(const sg_lanes *l, sg_var_id var)
{
    sg_exprs *x = l->exprs;
    if (l->n_values)
        return l->values[var.i - l->first_value.i];
    if (l->n == 1)
        return l->axis[0].range;
    bool across = var.i == l->axis[1].var.i;
    sg_expr_id range = l->axis[across].range;
    sg_expr_id ones[2] = {length(l, 0), length(l, 1)};
    if (across)
        range = sg_expr_unary(x, SG_X_TRANSPOSE, range);
    return sg_expr_binary(x, SG_X_DOT_MUL, range, sg_expr_make(x, SG_X_ONES, ones, 2));
}

// An operand that is the same in all lanes must be a number: an array among the operands would be
// taken for lanes.
static sg_expr_id operand(sg_lanes *l, sg_expr_id e, mask m)
{
    if (sg_lanes_vary(l, e))
        return spread(l, e, m);
    return sg_expr_is_literal(l->exprs, e) ? e : sg_expr_unary(l->exprs, SG_X_ONLY, e);
}

// A condition that may be the same in all lanes.
static sg_expr_id truth(sg_lanes *l, sg_expr_id e, mask m)
{
    sg_expr_id made = operand(l, e, m);
    return made.i && (l->like.i || !sg_lanes_vary(l, e)) ? fill(l, made) : made;
}

// A branch: arguments of f.(x, y) may have fewer dimensions than the condition.
static sg_expr_id branch(sg_lanes *l, sg_expr_id e, mask m)
{
    sg_expr_id made = operand(l, e, m);
    return made.i && l->like.i ? fill(l, made) : made;
}

static sg_expr_id guarded(sg_lanes *l, sg_expr_id index, mask m)
{
    if (!m.settled.i)
        return index;
    sg_expr_id one = sg_expr_int(l->exprs, 1), is_used = truth(l, m.settled, (mask){none, false});
    return is_used.i ? sg_expr_if(l->exprs, is_used, index, one) : none;
}

static sg_expr_id spread_index(sg_lanes *l, sg_expr_id e, mask m)
{
    sg_exprs *x = l->exprs;
    uint32_t n = sg_expr_n_args(x, e);
    sg_expr_id args[3] = {sg_expr_arg(x, e, 0), none, none};
    if (sg_lanes_vary(l, args[0]) || l->n_values)
        return refuse(l, "an array in a loop is made anew in every round");
    for (uint32_t k = 1; k < n; k++) {
        sg_expr_id index = sg_expr_arg(x, e, k);
        if (sg_expr_op_of(x, index) == SG_X_COLON || sg_expr_op_of(x, index) == SG_X_RANGE)
            return refuse(l, "a loop takes whole rows or columns of an array");
        if (!sg_lanes_settled(l, index, true))
            return refuse(l, "an index in a loop is computed while the simulation runs");
        args[k] = operand(l, index, m);
        if (args[k].i && sg_lanes_vary(l, index))
            args[k] = guarded(l, args[k], m);
        if (!args[k].i)
            return none;
    }
    return sg_expr_raw(x, SG_X_INDEX, true, m.loose ? SG_EXPR_LENIENT : 0, args, n);
}

static sg_expr_id spread_if(sg_lanes *l, sg_expr_id e, mask m)
{
    sg_exprs *x = l->exprs;
    sg_expr_id c = sg_expr_arg(x, e, 0), yes = sg_expr_arg(x, e, 1), no = sg_expr_arg(x, e, 2);
    sg_expr_id condition = truth(l, c, m);
    sg_expr_id first = branch(l, yes, also(l, m, c, true));
    sg_expr_id second = branch(l, no, also(l, m, c, false));
    return condition.i && first.i && second.i ? sg_expr_if(x, condition, first, second) : none;
}

// && and || look at the second condition only where the first leaves it open.
static sg_expr_id spread_logic(sg_lanes *l, sg_expr_id e, sg_expr_op op, mask m)
{
    sg_exprs *x = l->exprs;
    sg_expr_id a = sg_expr_arg(x, e, 0), b = sg_expr_arg(x, e, 1);
    sg_expr_id pair[2] = {operand(l, a, m), operand(l, b, also(l, m, a, op == SG_X_AND))};
    return pair[0].i && pair[1].i ? sg_expr_make_dot(x, op, pair, 2) : none;
}

// From left to right; what is the same in all lanes is computed once.
static sg_expr_id spread_chain(sg_lanes *l, sg_expr_id e, sg_expr_op op, mask m)
{
    sg_exprs *x = l->exprs;
    uint32_t n = sg_expr_n_args(x, e);
    sg_expr_id sum = sg_expr_arg(x, e, 0);
    bool varies = sg_lanes_vary(l, sum);
    if (varies)
        sum = spread(l, sum, m);
    for (uint32_t k = 1; k < n && sum.i; k++) {
        sg_expr_id next = sg_expr_arg(x, e, k);
        if (!varies && !sg_lanes_vary(l, next)) {
            sum = sg_expr_binary(x, op, sum, next);
            continue;
        }
        sg_expr_id left =
            varies || sg_expr_is_literal(x, sum) ? sum : sg_expr_unary(x, SG_X_ONLY, sum);
        sg_expr_id pair[2] = {left, operand(l, next, m)};
        sum = pair[1].i ? sg_expr_make_dot(x, op, pair, 2) : none;
        varies = true;
    }
    return sum;
}

static sg_expr_id spread_function(sg_lanes *l, sg_expr_id e, mask m)
{
    sg_exprs *x = l->exprs;
    sg_expr_node node = *sg_expr_get(x, e);
    sg_expr_id args[16];
    if (node.n_args > SG_COUNT(args))
        return refuse(l, "a call in a loop has many arguments");
    for (uint32_t k = 0; k < node.n_args; k++) {
        args[k] = operand(l, sg_expr_arg(x, e, k), m);
        if (!args[k].i)
            return none;
    }
    if (node.n_args && node.index)
        return sg_expr_raw(x, (sg_expr_op)node.op, true, node.index, args, node.n_args);
    return sg_expr_make_dot(x, (sg_expr_op)node.op, args, node.n_args);
}

// The sum of an inner loop, for each round of the outer one.
static sg_expr_id spread_sum(sg_lanes *l, sg_expr_id e, mask m)
{
    sg_exprs *x = l->exprs;
    sg_expr_id body = sg_expr_arg(x, e, 0), range = sg_expr_arg(x, e, 1);
    if (l->n > 1 || l->n_values)
        return refuse(l, "it has more than two loops inside each other");
    if (sg_lanes_vary(l, range))
        return refuse(l, "the range of an inner loop depends on the outer one");
    sg_lanes both = *l;
    sg_map_init(&both.spread, x->allocator);
    both.axis[both.n++] = (sg_lane){{sg_expr_get(x, e)->index}, range};
    sg_expr_id all = spread(&both, body, m);
    if (all.i && sg_expr_is_literal(x, all))
        all = fill(&both, all);
    sg_expr_id count = sg_expr_unary(x, SG_X_LENGTH, range);
    sg_map_free(&both.spread);
    l->why = both.why;
    return all.i ? sg_expr_binary(x, SG_X_MUL, all, sg_expr_unary(x, SG_X_ONES, count)) : none;
}

static bool is_of_numbers(sg_expr_op op)
{
    return (sg_expr_op_info(op)->traits & SG_TRAIT_SCALAR) || (op >= SG_X_LT && op <= SG_X_NE) ||
           op == SG_X_NOT || (op >= SG_X_DOT_ADD && op <= SG_X_DOT_POW);
}

static sg_expr_id spread_node(sg_lanes *l, sg_expr_id e, mask m)
{
    sg_exprs *x = l->exprs;
    sg_expr_op op = sg_expr_op_of(x, e);
    sg_expr_id pair[2];
    switch ((int)op) {
    case SG_X_VAR:
        return lane_values(l, sg_expr_var_of(x, e));
    case SG_X_INDEX:
        return spread_index(l, e, m);
    case SG_X_IF:
        return spread_if(l, e, m);
    case SG_X_AND:
    case SG_X_OR:
        return spread_logic(l, e, op, m);
    case SG_X_ADD:
    case SG_X_MUL:
        return spread_chain(l, e, op, m);
    case SG_X_NEG:
    case SG_X_ONLY:
        pair[0] = spread(l, sg_expr_arg(x, e, 0), m);
        return pair[0].i && op == SG_X_NEG ? sg_expr_neg(x, pair[0]) : pair[0];
    case SG_X_SUB:
    case SG_X_DIV:
    case SG_X_POW:
        pair[0] = operand(l, sg_expr_arg(x, e, 0), m);
        pair[1] = operand(l, sg_expr_arg(x, e, 1), m);
        return pair[0].i && pair[1].i ? sg_expr_make_dot(x, op, pair, 2) : none;
    case SG_X_SUM:
        return sg_expr_n_args(x, e) == 2 ? spread_sum(l, e, m)
                                         : refuse(l, "a loop sums up an array in every round");
    default:
        return is_of_numbers(op) ? spread_function(l, e, m)
                                 : refuse(l, "a loop computes more than numbers in every round");
    }
}

// Recursion is as deep as what was read, which is bounded.
static sg_expr_id spread(sg_lanes *l, sg_expr_id e, mask m)
{
    if (l->why || !e.i)
        return none;
    uint64_t key = (uint64_t)e.i | (uint64_t)m.settled.i << 32 | (uint64_t)m.loose << 63;
    uint64_t *known = sg_map_get(&l->spread, key);
    if (known)
        return (sg_expr_id){(uint32_t)*known};
    sg_expr_id made = spread_node(l, e, m);
    if (!made.i)
        return refuse(l, "memory ran out");
    if (!sg_map_put(&l->spread, key, made.i))
        l->exprs->failed = true;
    return made;
}

sg_expr_id sg_lanes_spread(sg_lanes *l, sg_expr_id e)
{
    bool varies = sg_lanes_vary(l, e);
    if (varies)
        e = spread(l, e, (mask){none, false});
    if (!e.i || (varies && !sg_expr_is_literal(l->exprs, e) && !l->like.i))
        return e;
    if (varies)
        return fill(l, e);
    return fill(l, sg_expr_is_literal(l->exprs, e) ? e : sg_expr_unary(l->exprs, SG_X_ONLY, e));
}

sg_expr_id sg_lanes_inner_sum(sg_exprs *exprs, sg_expr_id body, sg_lane lane)
{
    sg_expr_id args[2] = {body, lane.range};
    return sg_expr_raw(exprs, SG_X_SUM, false, lane.var.i, args, 2);
}
