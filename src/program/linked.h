// Steps after linking: offsets instead of registers, scalar or array form decided. Private to the
// executor's files.
#pragma once

#include "program/exec.h"

typedef enum sg_form {
    SG_L_END,
#define SG_UNARY(name, expression) SG_L_##name, SG_LV_##name,
#define SG_BINARY(name, expression) SG_L_##name, SG_LV_##name,
#define SG_OTHER(name)
#include "program/opcodes.h"
#undef SG_UNARY
#undef SG_BINARY
#undef SG_OTHER
    SG_L_SQUARE,       // x^2 with a literal exponent
    SG_L_COPY,         //
    SG_LV_COPY,        // n numbers; sa = 0 fills
    SG_L_SELECT,       //
    SG_LV_SELECT,      // b ? c : d, by element where sa, sb or sc is 1
    SG_L_JUMP,         // to entry a
    SG_L_UNLESS,       // to entry a if w[b] is false
    SG_L_WIDE,         // entry a of wides
    SG_L_CALL,         // likewise
    SG_L_SOLVE,        // system a
    SG_L_POSITIVE,     // slot b of w[a]
    SG_L_NEGATIVE,     //
    SG_L_AFTER,        //
    SG_L_CLOCK,        // first tick w[b] (c = 1: none given), period w[a], slot n
    SG_L_SAMPLE,       // n numbers from a, tick w[b], memory c
    SG_L_HOLD,         //
    SG_L_PREVIOUS,     // n numbers, tick w[b], memory c
    SG_L_SET_PREVIOUS, // n numbers from a, memory c
    SG_L_PRE,          // n numbers, memory c
    SG_L_SET_PRE,      //
    SG_L_EDGE,         // w[a], memory c
    SG_L_CHANGE,       // n numbers from a, memory c
    SG_L_INITIAL,      //
    SG_L_TERMINAL,     //
    SG_L_REINIT,       // state number b, n numbers from a
    SG_L_LEVEL         // kind sb of n numbers from a, slots from b; rate w[c] (sc = 0: not known)
} sg_form;

struct sg_linked {
    uint16_t form;      // sg_form
    uint8_t sa, sb, sc; // strides of a, b, c: 0 or 1
    uint32_t dst, a, b, c, n;
};

// Operations on whole arrays, off the fast path.
struct sg_wide {
    uint16_t op; // sg_op
    uint32_t step;
    sg_operand *operands; // data holds the address once the workspace is in place
    uint32_t *offsets;    // of the operands
    uint32_t n_operands, n_results;
    sg_operand result;
    uint32_t result_at;
    uint32_t *picks; // INDEX: which elements of the base; null if an index changes at run time
    double *work;    // LDIV: copy of the matrix
    int *pivots;     //
};

// A system: where its code is and the space to solve it.
struct sg_system_work {
    uint32_t body, prep, tangent, end; // entries of code
    uint32_t n;                        // numbers
    bool all_derivatives;              // linear, and every unknown is a derivative
    bool factored;                     // constant matrix: the factors are valid
    bool by_entries;                   // the matrix is known entry by entry
    double *matrix;                    // n x n, by rows
    double *t, *d, *r;                 // unknowns, correction, residuals
    double *trial, *bar, *r_trial;     // damped step and the correction after it
    double *unit;                      // seeds of one column
    double *nominal;                   // largest size each unknown ever had
    double *scale;                     // what corrections are measured by, in this iteration
    double *last;                      // the last solution, to go back to after a failure
    int *pivots;
};

// Left to the solver of implicit equations?
static inline bool sg_system_is_given(const sg_system_work *work, uint32_t min_size)
{
    return work->all_derivatives && work->n >= min_size;
}

sg_status sg_run_range(sg_exec *exec, uint32_t from, uint32_t to);
sg_status sg_run_wide(sg_exec *exec, const sg_wide *wide);
sg_status sg_run_system(sg_exec *exec, uint32_t index);
sg_status sg_exec_fail(sg_exec *exec, sg_failure_kind kind, sg_status status, uint32_t step);
