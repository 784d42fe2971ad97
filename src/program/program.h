// The numeric program: what equations compile to.
//
// A program is a list of steps over registers. It knows no sizes: a step says "product of these
// two", and only when a segment starts does the linker (exec.h) give each register a shape and a
// place in one flat array of doubles, turn every step into scalar or array form, and compute once
// and for all what depends on parameters only. So sizes may change between runs and segments
// without translating again, and the same program can be run in several lanes at once.
//
// Every register is written by one step and keeps its place for a whole evaluation, so a value can
// be read at any time later: by results, by blame for a NaN, by the pattern of the Jacobian.
//
// Implements design section 3, vm; language 4.7, 4.9.
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/diags.h"
#include "base/vec.h"

#include <stdint.h>

typedef enum sg_op {
    SG_OP_NULL,
#define SG_UNARY(name, expression) SG_OP_##name,
#define SG_BINARY(name, expression) SG_OP_##name,
#define SG_OTHER(name) SG_OP_##name,
#include "program/opcodes.h"
#undef SG_UNARY
#undef SG_BINARY
#undef SG_OTHER
    SG_OP_COUNT
} sg_op;

const char *sg_op_name(sg_op op);

typedef enum sg_num {
    SG_REAL,
    SG_WHOLE, // Int
    SG_TRUTH, // Bool
    SG_OPAQUE // one double that is a handle of the function table: structs, strings, objects
} sg_num;

typedef enum sg_rank {
    SG_SCALAR,
    SG_VECTOR, // rows x 1
    SG_MATRIX, // rows x cols, column-major
    SG_ROW     // 1 x cols, a transposed vector: times a vector it gives a number
} sg_rank;

typedef struct sg_dims {
    uint8_t num;  // sg_num
    uint8_t dims; // sg_rank
    uint32_t rows, cols;
} sg_dims;

static inline uint32_t sg_dims_count(sg_dims s) { return s.rows * s.cols; }
static inline sg_dims sg_dims_scalar(sg_num num)
{
    return (sg_dims){(uint8_t)num, SG_SCALAR, 1, 1};
}
static inline sg_dims sg_dims_vector(uint32_t n) { return (sg_dims){SG_REAL, SG_VECTOR, n, 1}; }
static inline sg_dims sg_dims_matrix(uint32_t rows, uint32_t cols)
{
    return (sg_dims){SG_REAL, SG_MATRIX, rows, cols};
}

// A register; 0 is null.
typedef struct sg_reg {
    uint32_t i;
} sg_reg;

typedef enum sg_reg_kind {
    SG_REG_TEMP,    // computed by a step, shape inferred
    SG_REG_NUMBER,  // literal
    SG_REG_CONST,   // opaque constant number `index` of the user
    SG_REG_PAR,     // parameter `index`, shape and value given when linking
    SG_REG_TIME,    //
    SG_REG_STATE,   // state number `index`
    SG_REG_DER,     // derivative of state number `index`
    SG_REG_INPUT,   // variable `index`, shape given when linking, value before each evaluation
    SG_REG_UNKNOWN, // of a system: variable `index`, shape and first guess from its start value
    SG_REG_SEED     // direction for the tangents of a system, in the shape of register `index`
} sg_reg_kind;

typedef struct sg_reg_info {
    uint8_t kind;    // sg_reg_kind
    uint8_t num;     // sg_num of a NUMBER
    bool is_fixed;   // depends on parameters and sizes only: computed when linking, not at run time
    uint32_t index;  // of a NUMBER: in the list of numbers
    uint32_t writer; // the step that writes it, from 1; 0 if none does
} sg_reg_info;

typedef struct sg_step {
    uint16_t op;   // sg_op
    bool dot;      // element by element
    bool is_fixed; // runs when linking only
    uint32_t dst;  // register, 0 if none
    uint32_t first_operand, n_operands;
    uint32_t aux;
    uint32_t n_results; // CALL: how many of the operands are results
    uint32_t eq;        // the equation it comes from, for messages
} sg_step;

// A torn system. Its steps follow its SOLVE step in four ranges: body (inner assignments and
// residuals from the unknowns), prep (what the tangents need besides), tangent (derivatives of the
// residuals along the seeds, once for each column), whole (what the untorn matrix needs besides).
typedef struct sg_torn_system {
    bool linear;
    bool constant_matrix; // tangents depend on seeds, literals and parameters only: factor once
    bool has_tangent;     // false: differences instead
    uint32_t body, prep, tangent, whole, end; // first step of each range, end of the last
    uint32_t n_unknowns, n_residuals;
    uint32_t *unknowns, *seeds;        // registers, one for each unknown
    uint32_t *residuals, *d_residuals; // registers, one for each residual
    uint32_t *unknown_vars;            // for messages
    uint32_t *residual_eqs;            //
    // Where the residuals are plain sums of unknowns times something known: the entries of the
    // matrix, computed by prep. They hold if all unknowns and residuals turn out to be numbers.
    struct sg_matrix_entry {
        uint32_t row, column, reg; // residual, unknown
    } * entries;
    uint32_t n_entries; // 0: by tangents
    // The same system untorn (untorn.c): the inner variables that have a place of their own are
    // unknowns too, and "value minus variable" is their residual. Rows are those of the inner
    // variables, then the residuals; columns the inner variables, then the unknowns. The entries
    // -1 of an inner variable in its own row are not listed.
    uint32_t n_inner;
    uint32_t *inner, *inner_done;     // registers; the first step behind each assignment
    uint32_t *inner_vars, *inner_eqs; // for messages
    struct sg_matrix_entry *whole_entries;
    uint32_t n_whole_entries; // 0: by differences
} sg_torn_system;

// Memory of sample, hold, previous, pre: one entry for each operator or variable.
typedef struct sg_memory {
    uint32_t var; // its start value gives first value and shape; 0: shape of the operand
    uint32_t key; // the expression or variable it belongs to
    const char *name;
} sg_memory;

// A delayed value: which of the memories, how often its past is differentiated; whether it is a
// derivative, and so was zero before the start; of which expression.
struct sg_program_tap {
    uint32_t memory, order;
    bool is_rate;
    uint32_t key;
};

typedef struct sg_program {
    sg_arena arena; // texts and lists of systems
    const sg_allocator *allocator;
    SG_VEC(sg_reg_info) regs; // regs.data[0] is the null register
    SG_VEC(double) numbers;   // literals
    SG_VEC(sg_step) steps;    // steps.data[0] is the null step
    SG_VEC(uint32_t) operands;
    SG_VEC(sg_torn_system) systems;
    SG_VEC(sg_memory) samples, holds, previouses, pres, delays;
    SG_VEC(struct sg_program_tap) taps;
    SG_VEC(const char *) positive_text, after_text, clock_text;
    SG_VEC(uint32_t) positive_key, after_key, clock_key; // the expression of each slot
    uint32_t dynamics_end; // steps before this one are needed for derivatives and events
    uint32_t n_states;     // state symbols, not numbers
    uint32_t *state_vars;  // the variable of each state
    uint32_t *der_vars;    // and of its derivative
    sg_reg *var_regs;      // register of each variable, null if it is not in the program
    const char **var_names;
    uint32_t n_vars;       // rows, with row 0
    const char **texts_of; // texts of assert and terminate
    uint32_t n_texts;      // rows, with row 0
    sg_reg *extra_regs; // of expressions that were asked for besides; null if one is not a number
    uint32_t n_extras;
    const char **par_names;
    uint32_t n_pars; // rows, with row 0
    const char **func_names;
    uint32_t n_funcs; // rows, with row 0
    sg_span *eq_spans;
    const char **eq_texts;
    uint32_t n_eqs;                                            // rows, with row 0
    void (*print_eq)(void *context, uint32_t eq, sg_buf *out); // for texts not made yet, or null
    void *print_context;
    sg_arena *texts; // where they go: the arena above
    bool failed;     // memory ran out while building
} sg_program;

sg_program *sg_program_create(const sg_allocator *allocator);
void sg_program_destroy(sg_program *program);

// An equation as the user wrote it, "" if that is not known. Made when first asked for.
const char *sg_program_eq_text(const sg_program *program, uint32_t eq);

// Building. A register or step of a failed program is null; ask `failed` once at the end.
sg_reg sg_program_reg(sg_program *program, sg_reg_kind kind, uint32_t index);
sg_reg sg_program_number(sg_program *program, double value, sg_num num);
// Adds a step and returns its result register; pass dst to write a given one, null for a new one.
// A step whose operands are all fixed is fixed, unless its operator looks at events or calls.
sg_reg sg_program_step(sg_program *program, sg_op op, bool dot, sg_reg dst, const sg_reg *operands,
                       uint32_t n, uint32_t aux, uint32_t eq);
// A call: `results` are registers made before.
void sg_program_call(sg_program *program, uint32_t func, const sg_reg *results, uint32_t n_results,
                     const sg_reg *args, uint32_t n_args, uint32_t eq);

// One step a line: `r12 = MUL r3 r9   # eq 4`.
void sg_program_dump(const sg_program *program, sg_buf *out);
// SG_ERR_INTERNAL with a diagnostic that names the step if an invariant is broken: each register
// written once (branches of a jump twice) and before it is read, ranges nested, jumps forward.
sg_status sg_program_validate(const sg_program *program, sg_diags *diags);
