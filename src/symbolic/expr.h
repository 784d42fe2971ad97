// Expressions as one shared graph: build, walk, compare by id.
//
// Nodes are hash-consed: two equal expressions are the same id, so a differentiated system of n
// equations stays linear in size and common subexpressions are found for free. A node knows nothing
// of sizes: an array variable is one symbol, and the program made from the graph runs for any
// length. Where an expression was written belongs to the equation, not to the shared node.
//
// Constructors simplify lightly (0, 1, -1, literals) and keep the order of operands, because the
// order in which variables appear is normative (language 4.2). Null ids give null ids, as NaN does;
// ask `sg_exprs_failed` once at the end of a pass. Graphs may be very deep: nothing here recurses.
//
// Implements language 3.7, 3.8 and the expression part of design section 3, symbolic.
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sg_expr_id {
    uint32_t i; // 0 is null
} sg_expr_id;

// Variables, parameters and functions are rows of tables that the user of the graph keeps (model/
// flat.h); 0 is null. der(x), der(der(x)) are variables of their own.
typedef struct sg_var_id {
    uint32_t i;
} sg_var_id;
typedef struct sg_par_id {
    uint32_t i;
} sg_par_id;
typedef struct sg_func_id {
    uint32_t i;
} sg_func_id;
// Equations live in such a table too.
typedef struct sg_eq_id {
    uint32_t i;
} sg_eq_id;

typedef enum sg_expr_op {
    SG_X_NULL,
#define SG_X(name, text, least, most, traits) SG_X_##name,
#include "symbolic/ops.h"
#undef SG_X
    SG_X_COUNT
} sg_expr_op;

// Functions that jump where their argument passes a level, so that a solver must stop there.
static inline bool sg_expr_op_jumps(sg_expr_op op)
{
    return op == SG_X_SIGN || op == SG_X_FLOOR || op == SG_X_CEIL || op == SG_X_ROUND ||
           op == SG_X_TRUNC || op == SG_X_MOD || op == SG_X_REM || op == SG_X_IDIV ||
           op == SG_X_COPYSIGN;
}

// Operators whose first argument is a variable of the past: it is no incidence of the equation.
// Takes the value of its first argument at ticks, and keeps it in between.
static inline bool sg_expr_op_samples(sg_expr_op op)
{
    return op == SG_X_SAMPLE || op == SG_X_HOLD;
}

static inline bool sg_expr_op_remembers(sg_expr_op op)
{
    return op == SG_X_PRE || op == SG_X_PREVIOUS || op == SG_X_DELAY;
}

enum {
    SG_TRAIT_LEAF = 1,
    SG_TRAIT_INFIX = 2,
    SG_TRAIT_PREFIX = 4,
    SG_TRAIT_SCALAR = 8,   // a function of numbers; prints as name(args)
    SG_TRAIT_BOOL = 16,    // the value is true or false
    SG_TRAIT_ARRAY = 32,   // prints as name(args)
    SG_TRAIT_EVENT = 64,   // prints as name(args)
    SG_TRAIT_SPECIAL = 128 // has a syntax of its own
};

typedef struct sg_op_info {
    const char *name, *text;
    uint8_t least, most; // number of arguments; most = 255 is any
    uint8_t traits;
} sg_op_info;

const sg_op_info *sg_expr_op_info(sg_expr_op op);
// The function of this name that takes `n` arguments (`atan` has two), SG_X_NULL if there is none.
// Operators and special forms are not found by name.
sg_expr_op sg_expr_op_by_name(const char *name, uint32_t n);

// Literals keep their type, since functions of the user may ask for it.
typedef enum sg_num_type { SG_NUM_REAL, SG_NUM_INT, SG_NUM_BOOL } sg_num_type;

typedef struct sg_expr_node {
    uint8_t op;   // sg_expr_op
    uint8_t type; // sg_num_type of a NUM
    bool dot;     // a function or comparison applied element by element: sin.(x)
    uint32_t n_args;
    union {
        struct {
            uint32_t first_arg; // into sg_exprs.args
            uint32_t
                index; // payload of VAR, PAR, CONST, CALL, RESULT, END, DELAY, INDEX, comparisons
        };
        double number; // payload of NUM, which has nothing else
    };
} sg_expr_node;

// Payload of comparisons and of functions that jump, when they are not plainly written in an
// equation.
enum {
    SG_EXPR_NO_EVENT = 1,   // inside of noEvent: computed as it stands at any time
    SG_EXPR_IN_FUNCTION = 2 // of a function of the user: an event where a derivative depends on it
};

// Payload of an INDEX with a dot, which picks one element for each of its indices: those that lead
// nowhere pick NaN instead of being an error.
enum { SG_EXPR_LENIENT = 1 };

typedef struct sg_walk sg_walk;

// With the hash, so that another node in the way is passed without a look at it.
typedef struct sg_expr_slot {
    uint32_t node; // 0 is free
    uint32_t hash;
} sg_expr_slot;

typedef struct sg_exprs {
    const sg_allocator *allocator;
    sg_expr_node *nodes; // nodes[0] is the null node
    uint32_t len, cap;
    sg_expr_id *args;
    uint32_t n_args, args_cap;
    sg_expr_slot *slots; // hash table of node numbers; null when it is at rest
    uint32_t n_slots;
    sg_walk *walks; // work space of the traversals, see walk.h
    bool failed;
} sg_exprs;

void sg_exprs_init(sg_exprs *exprs, const sg_allocator *allocator);
void sg_exprs_destroy(sg_exprs *exprs);
// Gives back what only making and walking expressions needs. It comes again when somebody does.
void sg_exprs_rest(sg_exprs *exprs);
static inline bool sg_exprs_failed(const sg_exprs *exprs) { return exprs->failed; }

static inline bool sg_expr_is_null(sg_expr_id e) { return e.i == 0; }
static inline bool sg_expr_equal(sg_expr_id a, sg_expr_id b) { return a.i == b.i; }
// Valid until the next node is made; copy what you need.
static inline const sg_expr_node *sg_expr_get(const sg_exprs *exprs, sg_expr_id e)
{
    return &exprs->nodes[e.i];
}
static inline sg_expr_op sg_expr_op_of(const sg_exprs *exprs, sg_expr_id e)
{
    return (sg_expr_op)exprs->nodes[e.i].op;
}
static inline uint32_t sg_expr_n_args(const sg_exprs *exprs, sg_expr_id e)
{
    return exprs->nodes[e.i].n_args;
}
static inline sg_expr_id sg_expr_arg(const sg_exprs *exprs, sg_expr_id e, uint32_t k)
{
    return exprs->args[exprs->nodes[e.i].first_arg + k];
}

// Leaves.
sg_expr_id sg_expr_num(sg_exprs *exprs, double value);
sg_expr_id sg_expr_int(sg_exprs *exprs, double value);
sg_expr_id sg_expr_bool(sg_exprs *exprs, bool value);
sg_expr_id sg_expr_var(sg_exprs *exprs, sg_var_id var);
sg_expr_id sg_expr_par(sg_exprs *exprs, sg_par_id par);
sg_expr_id sg_expr_const(sg_exprs *exprs, uint32_t index); // string or opaque value of the user's
sg_expr_id sg_expr_time(sg_exprs *exprs);

// Any operator or function with its arguments, simplified. The caller has checked the arity (see
// sg_op_info); a wrong one gives the null id and marks the graph as failed.
sg_expr_id sg_expr_make(sg_exprs *exprs, sg_expr_op op, const sg_expr_id *args, uint32_t n);
// The same written with a dot, sin.(x), x .< y. Arithmetic turns into its DOT_ operator.
sg_expr_id sg_expr_make_dot(sg_exprs *exprs, sg_expr_op op, const sg_expr_id *args, uint32_t n);
// Exactly this node, not simplified; index is the payload of nodes that have one.
sg_expr_id sg_expr_raw(sg_exprs *exprs, sg_expr_op op, bool dot, uint32_t index,
                       const sg_expr_id *args, uint32_t n);

// The common ones.
sg_expr_id sg_expr_add(sg_exprs *exprs, sg_expr_id a, sg_expr_id b);
sg_expr_id sg_expr_sub(sg_exprs *exprs, sg_expr_id a, sg_expr_id b);
sg_expr_id sg_expr_mul(sg_exprs *exprs, sg_expr_id a, sg_expr_id b);
sg_expr_id sg_expr_div(sg_exprs *exprs, sg_expr_id a, sg_expr_id b);
sg_expr_id sg_expr_pow(sg_exprs *exprs, sg_expr_id a, sg_expr_id b);
sg_expr_id sg_expr_neg(sg_exprs *exprs, sg_expr_id a);
sg_expr_id sg_expr_if(sg_exprs *exprs, sg_expr_id condition, sg_expr_id yes, sg_expr_id no);
sg_expr_id sg_expr_unary(sg_exprs *exprs, sg_expr_op op, sg_expr_id a);
sg_expr_id sg_expr_binary(sg_exprs *exprs, sg_expr_op op, sg_expr_id a, sg_expr_id b);
// A call and its k-th result (from 0). A function of one value is result 0 of its call.
sg_expr_id sg_expr_call(sg_exprs *exprs, sg_func_id func, const sg_expr_id *args, uint32_t n);
sg_expr_id sg_expr_result(sg_exprs *exprs, sg_expr_id call, uint32_t k);
// Size of `base` along a dimension (1 or 2), or the number of its elements (0): what `end` means
// inside an index. Unlike size(base, d) it is no incidence of the equation.
sg_expr_id sg_expr_end(sg_exprs *exprs, sg_expr_id base, uint32_t dimension);

// Literals. Type int and real count alike; a Bool is not a number here.
bool sg_expr_is_number(const sg_exprs *exprs, sg_expr_id e, double *value);
static inline bool sg_expr_is_literal(const sg_exprs *exprs, sg_expr_id e)
{
    return exprs->nodes[e.i].op == SG_X_NUM;
}
static inline bool sg_expr_is_zero(const sg_exprs *exprs, sg_expr_id e)
{
    return exprs->nodes[e.i].op == SG_X_NUM && exprs->nodes[e.i].number == 0.0;
}
static inline bool sg_expr_is_one(const sg_exprs *exprs, sg_expr_id e)
{
    return exprs->nodes[e.i].op == SG_X_NUM && exprs->nodes[e.i].number == 1.0;
}
// The variable of a VAR node, else null.
static inline sg_var_id sg_expr_var_of(const sg_exprs *exprs, sg_expr_id e)
{
    return (sg_var_id){exprs->nodes[e.i].op == SG_X_VAR ? exprs->nodes[e.i].index : 0};
}

// One operator on numbers: what folding and evaluation use; the program computes the same bits
// (base/number.h holds what libm lacks). False for operators that are not functions of n numbers.
bool sg_expr_apply(sg_expr_op op, const double *args, uint32_t n, double *value);
