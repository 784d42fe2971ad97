// Sorted blocks: what the structural passes hand to code generation.
//
// After matching, sorting and tearing a model is a list of blocks in evaluation order. A block is
// one assignment, or a torn system: unknowns are guessed or solved for, the inner assignments
// follow from them in order, and the residuals must vanish. A call with several results is one
// assignment for each result; the shared call node makes it run once. Nothing here knows sizes.
//
// Implements language 4.7, 4.9.
#pragma once

#include "base/buf.h"
#include "segue/diag.h"
#include "symbolic/expr.h"
#include "symbolic/function.h"

typedef struct sg_assign {
    sg_var_id var;
    sg_expr_id value; // must not contain `var` itself
    sg_eq_id eq;      // for messages
} sg_assign;

typedef struct sg_residual {
    sg_expr_id value; // vanishes: rhs - lhs, or the right side of 0 = rhs
    sg_eq_id eq;
} sg_residual;

typedef enum sg_block_kind {
    SG_BLOCK_ASSIGN,
    SG_BLOCK_LINEAR,   // the residuals are linear in the unknowns (conditions count as constant)
    SG_BLOCK_NONLINEAR // damped Newton from the last values, at first from the start values
} sg_block_kind;

typedef struct sg_block {
    sg_block_kind kind;
    sg_assign *assigns; // ASSIGN: exactly one. Systems: the inner assignments in order
    uint32_t n_assigns;
    sg_var_id *unknowns; // tearing variables; their shapes are those of their start values
    uint32_t n_unknowns;
    sg_residual *residuals; // in all as many scalars as the unknowns have
    uint32_t n_residuals;
} sg_block;

// What a variable is to the program.
typedef enum sg_var_role {
    SG_VAR_ALGEBRAIC,  // computed by a block
    SG_VAR_STATE,      // given by the solver
    SG_VAR_DERIVATIVE, // computed, wanted by the solver; `of` is its state
    SG_VAR_INPUT,      // given from outside before each evaluation
    SG_VAR_UNUSED      // not in the program: eliminated as alias or zero, or a result column only
} sg_var_role;

typedef struct sg_block_var {
    const char *name; // for dumps and messages
    sg_var_role role;
    sg_var_id of;   // DERIVATIVE: the state
    bool has_start; // a start or init value gives its shape (states, unknowns, pre, hold, previous)
} sg_block_var;

// Everything that code generation reads. Tables are indexed by id, row 0 is unused.
typedef struct sg_blocks {
    sg_block *list;
    uint32_t n;
    sg_block_var *vars;
    uint32_t n_vars;   // rows, with row 0
    sg_var_id *states; // in the order of the state vector
    uint32_t n_states;
    // The derivative of each state: computed, an unknown of a system, or itself a state. Null:
    // found by the role DERIVATIVE.
    sg_var_id *derivatives;
    const char **par_names;
    uint32_t n_pars; // rows, with row 0
    const char **func_names;
    uint32_t n_funcs; // rows, with row 0
    // Functions that code generation puts in place; may be null.
    const sg_func_bodies *bodies;
    uint32_t n_consts;
    const char **const_texts; // how each constant prints; may be null
    sg_span *eq_spans;        // where each equation was written
    const char **eq_texts;    // as the user may read it; may be null
    uint32_t n_eqs;           // rows, with row 0
    // Prints one that has no text yet; may be null. The context lives as long as the program.
    void (*print_eq)(void *context, uint32_t eq, sg_buf *out);
    void *print_context;
} sg_blocks;
