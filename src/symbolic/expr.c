#include "symbolic/expr.h"

#include "base/number.h"
#include "base/symbol.h"
#include "base/vec.h"
#include "symbolic/walk.h"

#include <string.h>

static const sg_op_info op_table[SG_X_COUNT] = {
    [SG_X_NULL] = {"NULL", "null", 0, 0, SG_TRAIT_LEAF},
#define LEAF SG_TRAIT_LEAF
#define INFIX SG_TRAIT_INFIX
#define PREFIX SG_TRAIT_PREFIX
#define SCALAR SG_TRAIT_SCALAR
#define BOOL SG_TRAIT_BOOL
#define ARRAY SG_TRAIT_ARRAY
#define EVENT SG_TRAIT_EVENT
#define SPECIAL SG_TRAIT_SPECIAL
#define SG_X(name, text, least, most, traits) [SG_X_##name] = {#name, text, least, most, traits},
#include "symbolic/ops.h"
#undef SG_X
};

const sg_op_info *sg_expr_op_info(sg_expr_op op) { return &op_table[op < SG_X_COUNT ? op : 0]; }

sg_expr_op sg_expr_op_by_name(const char *name, uint32_t n)
{
    const uint8_t callable = SG_TRAIT_SCALAR | SG_TRAIT_ARRAY | SG_TRAIT_EVENT;
    for (int op = 1; op < SG_X_COUNT; op++) {
        const sg_op_info *info = &op_table[op];
        if ((info->traits & callable) && strcmp(info->text, name) == 0 && n >= info->least &&
            (info->most == 255 || n <= info->most))
            return (sg_expr_op)op;
    }
    return SG_X_NULL;
}

void sg_exprs_init(sg_exprs *exprs, const sg_allocator *allocator)
{
    memset(exprs, 0, sizeof(*exprs));
    exprs->allocator = allocator;
    size_t cap = 0;
    if (sg_vec_reserve(allocator, (void **)&exprs->nodes, &cap, 64, sizeof(sg_expr_node))) {
        exprs->cap = (uint32_t)cap;
        memset(&exprs->nodes[0], 0, sizeof(sg_expr_node));
        exprs->len = 1;
    } else {
        exprs->failed = true;
    }
}

void sg_exprs_destroy(sg_exprs *exprs)
{
    size_t cap = exprs->cap, args_cap = exprs->args_cap, n_slots = exprs->n_slots;
    sg_walks_destroy(exprs);
    sg_vec_free(exprs->allocator, (void **)&exprs->nodes, &cap, sizeof(sg_expr_node));
    sg_vec_free(exprs->allocator, (void **)&exprs->args, &args_cap, sizeof(sg_expr_id));
    sg_vec_free(exprs->allocator, (void **)&exprs->slots, &n_slots, sizeof(sg_expr_slot));
    memset(exprs, 0, sizeof(*exprs));
}

void sg_exprs_rest(sg_exprs *exprs)
{
    size_t n_slots = exprs->n_slots;
    sg_walks_destroy(exprs);
    sg_vec_free(exprs->allocator, (void **)&exprs->slots, &n_slots, sizeof(sg_expr_slot));
    exprs->n_slots = 0;
}

// Sixteen variables in a row lie side by side.
static uint32_t hash_node(const sg_expr_node *node, const sg_expr_id *args)
{
    uint64_t bits = 0, h;
    bool is_number = node->op == SG_X_NUM;
    if (is_number)
        memcpy(&bits, &node->number, sizeof(bits));
    uint32_t index = is_number ? 0 : node->index;
    h = sg_hash_u64((uint64_t)node->op | (uint64_t)node->type << 8 | (uint64_t)node->dot << 16 |
                    (uint64_t)(node->n_args ? index : index >> 4) << 32);
    if (!node->n_args && !bits)
        return (uint32_t)(h + (index & 15));
    h = sg_hash_u64(h ^ bits ^ ((uint64_t)node->n_args << 48));
    for (uint32_t k = 0; k < node->n_args; k++)
        h = sg_hash_u64(h * 31 + args[k].i);
    return (uint32_t)h;
}

static bool same_node(const sg_exprs *exprs, const sg_expr_node *a, const sg_expr_node *b,
                      const sg_expr_id *b_args)
{
    // Numbers are compared by bits: 0.0 and -0.0 differ, a NaN equals itself.
    if (a->op != b->op || a->type != b->type || a->dot != b->dot || a->n_args != b->n_args)
        return false;
    if (a->op == SG_X_NUM)
        return memcmp(&a->number, &b->number, sizeof(double)) == 0;
    return a->index == b->index && (a->n_args == 0 || memcmp(exprs->args + a->first_arg, b_args,
                                                             a->n_args * sizeof(sg_expr_id)) == 0);
}

static bool grow_slots(sg_exprs *exprs)
{
    size_t n = exprs->n_slots ? (size_t)exprs->n_slots * 2 : 128, old = exprs->n_slots;
    while (n < 2 * ((size_t)exprs->len + 1))
        n *= 2;
    const sg_allocator *allocator = exprs->allocator;
    sg_expr_slot *slots = n > UINT32_MAX / 2
                              ? NULL
                              : allocator->resize(allocator->context, NULL, 0, n * sizeof *slots);
    if (!slots)
        return false;
    memset(slots, 0, n * sizeof *slots);
    for (size_t i = 0; i < old; i++) {
        if (!exprs->slots[i].node)
            continue;
        size_t at = exprs->slots[i].hash & (n - 1);
        while (slots[at].node)
            at = (at + 1) & (n - 1);
        slots[at] = exprs->slots[i];
    }
    for (uint32_t i = 1; !old && i < exprs->len; i++) { // after a rest
        const sg_expr_node *node = &exprs->nodes[i];
        uint32_t hash = hash_node(node, node->n_args ? exprs->args + node->first_arg : NULL);
        size_t at = hash & (n - 1);
        while (slots[at].node)
            at = (at + 1) & (n - 1);
        slots[at] = (sg_expr_slot){i, hash};
    }
    sg_vec_free(allocator, (void **)&exprs->slots, &old, sizeof *slots);
    exprs->slots = slots;
    exprs->n_slots = (uint32_t)n;
    return true;
}

// Room for one more node with n arguments, in nodes, args and hash table.
static bool make_room(sg_exprs *exprs, uint32_t n)
{
    size_t cap = exprs->cap, args_cap = exprs->args_cap;
    if (exprs->len >= UINT32_MAX / 4 || n > UINT32_MAX / 4 - exprs->n_args)
        return false;
    if (exprs->len + 1 > exprs->cap) {
        if (!sg_vec_reserve(exprs->allocator, (void **)&exprs->nodes, &cap, exprs->len + 1,
                            sizeof(sg_expr_node)))
            return false;
        exprs->cap = (uint32_t)cap;
    }
    if (exprs->n_args + n > exprs->args_cap) {
        if (!sg_vec_reserve(exprs->allocator, (void **)&exprs->args, &args_cap, exprs->n_args + n,
                            sizeof(sg_expr_id)))
            return false;
        exprs->args_cap = (uint32_t)args_cap;
    }
    return (uint64_t)(exprs->len + 1) * 2 <= exprs->n_slots || grow_slots(exprs);
}

// `args` may point into exprs->args, which moves; hence the offset.
static sg_expr_id intern(sg_exprs *exprs, sg_expr_node node, const sg_expr_id *args)
{
    for (uint32_t k = 0; k < node.n_args; k++)
        if (args[k].i == 0 || args[k].i >= exprs->len) {
            exprs->failed = true;
            return (sg_expr_id){0};
        }
    bool inside = exprs->args && args >= exprs->args && args < exprs->args + exprs->n_args;
    size_t offset = inside ? (size_t)(args - exprs->args) : 0;
    if (!make_room(exprs, node.n_args)) {
        exprs->failed = true;
        return (sg_expr_id){0};
    }
    if (inside)
        args = exprs->args + offset;
    uint32_t hash = hash_node(&node, args);
    size_t mask = exprs->n_slots - 1, at = hash & mask;
    for (; exprs->slots[at].node; at = (at + 1) & mask) {
        uint32_t known = exprs->slots[at].node;
        if (exprs->slots[at].hash == hash && same_node(exprs, &exprs->nodes[known], &node, args))
            return (sg_expr_id){known};
    }
    if (node.op != SG_X_NUM)
        node.first_arg = exprs->n_args;
    if (node.n_args)
        memcpy(exprs->args + exprs->n_args, args, node.n_args * sizeof(sg_expr_id));
    exprs->n_args += node.n_args;
    exprs->nodes[exprs->len] = node;
    exprs->slots[at] = (sg_expr_slot){exprs->len, hash};
    return (sg_expr_id){exprs->len++};
}

static sg_expr_id leaf(sg_exprs *exprs, sg_expr_op op, uint32_t index)
{
    return intern(exprs, (sg_expr_node){.op = (uint8_t)op, .index = index}, NULL);
}

static sg_expr_id literal(sg_exprs *exprs, sg_num_type type, double value)
{
    return intern(exprs, (sg_expr_node){.op = SG_X_NUM, .type = (uint8_t)type, .number = value},
                  NULL);
}

sg_expr_id sg_expr_num(sg_exprs *exprs, double value) { return literal(exprs, SG_NUM_REAL, value); }
sg_expr_id sg_expr_int(sg_exprs *exprs, double value) { return literal(exprs, SG_NUM_INT, value); }
sg_expr_id sg_expr_bool(sg_exprs *exprs, bool value)
{
    return literal(exprs, SG_NUM_BOOL, value ? 1.0 : 0.0);
}
sg_expr_id sg_expr_var(sg_exprs *exprs, sg_var_id var)
{
    return var.i ? leaf(exprs, SG_X_VAR, var.i) : (sg_expr_id){0};
}
sg_expr_id sg_expr_par(sg_exprs *exprs, sg_par_id par)
{
    return par.i ? leaf(exprs, SG_X_PAR, par.i) : (sg_expr_id){0};
}
sg_expr_id sg_expr_const(sg_exprs *exprs, uint32_t index) { return leaf(exprs, SG_X_CONST, index); }
sg_expr_id sg_expr_time(sg_exprs *exprs) { return leaf(exprs, SG_X_TIME, 0); }

sg_expr_id sg_expr_raw(sg_exprs *exprs, sg_expr_op op, bool dot, uint32_t index,
                       const sg_expr_id *args, uint32_t n)
{
    return intern(exprs, (sg_expr_node){.op = (uint8_t)op, .dot = dot, .n_args = n, .index = index},
                  args);
}

bool sg_expr_is_number(const sg_exprs *exprs, sg_expr_id e, double *value)
{
    const sg_expr_node *node = &exprs->nodes[e.i];
    if (node->op != SG_X_NUM || node->type == SG_NUM_BOOL)
        return false;
    *value = node->number;
    return true;
}

static double sum_of(const double *a, uint32_t n)
{
    double s = a[0];
    for (uint32_t k = 1; k < n; k++)
        s += a[k];
    return s;
}

static double product_of(const double *a, uint32_t n)
{
    double p = a[0];
    for (uint32_t k = 1; k < n; k++)
        p *= a[k];
    return p;
}

static double extreme_of(const double *a, uint32_t n, bool largest)
{
    double m = a[0];
    for (uint32_t k = 1; k < n; k++)
        m = largest ? sg_max(m, a[k]) : sg_min(m, a[k]);
    return m;
}

bool sg_expr_apply(sg_expr_op op, const double *a, uint32_t n, double *value)
{
    const sg_op_info *info = sg_expr_op_info(op);
    if (n < info->least || (info->most != 255 && n > info->most) || n == 0)
        return false;
    // Only the operators that are functions of numbers have a case.
    const double x = a[0], y = n > 1 ? a[1] : 0.0;
#define CASE(name, expression)                                                                     \
    case SG_X_##name:                                                                              \
        *value = (expression);                                                                     \
        return true;
    switch ((int)op) {
        CASE(ADD, sum_of(a, n))
        CASE(SUB, a[0] - a[1])
        CASE(NEG, -a[0])
        CASE(MUL, product_of(a, n))
        CASE(DIV, a[0] / a[1])
        CASE(LDIV, a[1] / a[0])
        CASE(POW, pow(a[0], a[1]))
        CASE(DOT_ADD, a[0] + a[1])
        CASE(DOT_SUB, a[0] - a[1])
        CASE(DOT_MUL, a[0] * a[1])
        CASE(DOT_DIV, a[0] / a[1])
        CASE(DOT_POW, pow(a[0], a[1]))
#define SG_FUNCTION(name, text, value, slope, derivative, units, least, most) CASE(name, value)
#define SG_FUNCTION_OWN(name, text, value, slope, derivative, units) CASE(name, value)
#include "base/functions_list.h"
#define SG_FUNCTION2(name, text, value, derivative, size) CASE(name, value)
#include "base/functions2_list.h"
        CASE(SIGN, sg_sign(a[0]))
        CASE(FLOOR, floor(a[0]))
        CASE(CEIL, ceil(a[0]))
        CASE(ROUND, sg_round(a[0]))
        CASE(TRUNC, trunc(a[0]))
        CASE(MOD, sg_mod(a[0], a[1]))
        CASE(REM, fmod(a[0], a[1]))
        CASE(IDIV, trunc(a[0] / a[1]))
        CASE(MIN, extreme_of(a, n, false))
        CASE(MAX, extreme_of(a, n, true))
        CASE(COPYSIGN, copysign(a[0], a[1]))
        CASE(LT, a[0] < a[1] ? 1.0 : 0.0)
        CASE(LE, a[0] <= a[1] ? 1.0 : 0.0)
        CASE(GT, a[0] > a[1] ? 1.0 : 0.0)
        CASE(GE, a[0] >= a[1] ? 1.0 : 0.0)
        CASE(EQ, a[0] == a[1] ? 1.0 : 0.0)
        CASE(NE, a[0] != a[1] ? 1.0 : 0.0)
        CASE(AND, a[0] != 0.0 && a[1] != 0.0 ? 1.0 : 0.0)
        CASE(OR, a[0] != 0.0 || a[1] != 0.0 ? 1.0 : 0.0)
        CASE(NOT, a[0] == 0.0 ? 1.0 : 0.0)
        CASE(IF, a[0] != 0.0 ? a[1] : a[2])
        CASE(IMPLICIT, a[0])
    default:
        return false;
    }
#undef CASE
}
