// Steps after linking: offsets instead of registers, scalar or array form decided. Private to the
// executor's files.
#pragma once

#include "math/sparse.h"
#include "program/exec.h"
#include "program/native.h"

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
    SG_L_ASSERT,       // w[a], text b
    SG_L_TERMINATE,    //
    SG_L_DELAY,        // n numbers, tap b
    SG_L_SET_DELAY,    // n numbers from a, memory c
    SG_L_LEVEL         // kind sb of n numbers from a, slots from b; rate w[c] (sc = 0: not known)
} sg_form;

struct sg_linked {
    uint16_t form;      // sg_form
    uint8_t sa, sb, sc; // strides of a, b, c: 0 or 1
    uint16_t run;       // the same, or a group of steps that begins here (fused.h)
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
    uint32_t *picks;  // INDEX: which elements of the base; null if an index changes at run time
    uint32_t n_picks; // SETINDEX: how many of them
    double *work;     // LDIV: copy of the matrix
    int *pivots;      //
};

// The unknowns in which a system is solved: those that tearing left, or all of them (`whole`: the
// inner variables, then the unknowns), and work space of as many numbers.
typedef struct sg_space {
    uint32_t n;
    bool whole;
    bool unjudged;                 // a residual is not zero, but nobody knows its terms
    double *t, *d, *r;             // unknowns, correction, residuals
    double *trial, *bar, *r_trial; // damped step and the correction after it
    double *given;                 // typical size of each unknown, from the model; 0: not known
    double *nominal;               // largest size each unknown ever had, and not below `given`
    double *scale;                 // what corrections are measured by, in this iteration
    double *size;                  // of the terms of each residual
    double *last;                  // the last solution, to go back to after a failure
} sg_space;

// Where an inner variable lies, and the entry behind its assignment.
typedef struct sg_inner_place {
    uint32_t at, n, done;
} sg_inner_place;

// The argument of an exponential in the body of a system, and how it depends on the unknowns of the
// whole system; see limit.c.
enum { SG_EXPONENT_UNKNOWNS = 12 };
typedef struct sg_exponent {
    uint32_t at;       // its place in the workspace
    bool both;         // grows to both sides: sinh and cosh
    double old, value; // before the step, and where the slopes were taken
    double sign, most; // sign * exponent may not exceed `most`
    double norm;       // sum of the squares of the slopes
    uint32_t n;        // unknowns it depends on
    uint32_t unknown[SG_EXPONENT_UNKNOWNS];
    double slope[SG_EXPONENT_UNKNOWNS];
} sg_exponent;

// What an evaluation of a system leaves to those that follow, beside numbers (kept.c).
typedef struct sg_system_left {
    bool untorn;          // solved as a whole from now on
    bool solved;          // there was a solution since linking
    bool anchored;        // there is an anchor
    bool strayed;         // the last solution is one of elsewhere: the next search begins there
    uint32_t vain;        // failures while integrating since a homotopy helped last
    uint32_t passed_over; // places that were near a switch since the last one ahead of it
} sg_system_left;

// Work space of searches from far away.
typedef struct sg_far_search {
    double *f0, *x0, *best, *weight, *origin; // of a continuation
    double *curve, *best_curve;               // five points of arclength.c, and one of them
} sg_far_search;

// Work space of steps of least squares.
typedef struct sg_squares_work {
    double *normal;      // n x n; null for large systems, which have
    sg_sparse augmented; // this one
    double *augmented_b; // and its right side
} sg_squares_work;

// A system: where its code is and the space to solve it.
struct sg_system_work {
    uint32_t body, prep, tangent, whole_at, end; // entries of code
    bool all_derivatives;                        // linear, and every unknown is a derivative
    bool factored;                               // constant matrix: the factors are valid
    bool by_entries;                             // the matrix is known entry by entry
    bool can_untear;                             // there is a matrix for that
    bool can_carry;                              // nonlinear, and what derivatives or events need
    uint32_t carried_at;                         // its first number among those carried
    uint32_t given_at;                           // ... among all variables of such systems
    sg_space torn, whole;
    double *matrix; // of the torn system: n x n, by rows
    int *pivots;
    double *unit;            // seeds of one column
    uint32_t slope_parts[2]; // the same of the tangent, for one unknown
    uint32_t (*parts)[2];    // two numbers whose sum or difference a residual is; of the torn ones
    double *seen;            // sizes of the torn residuals when they were measured last
    sg_inner_place *inners;  // one for each inner variable
    double *inner_size;      // terms of each of their assignments
    uint32_t n_inner;        // numbers in them
    sg_sparse sparse;        // matrix of the whole system
    int32_t *slots;          // place of each entry in it, then of the inner variables' -1
    double *nudge;           // work space of the test for singular matrices
    uint32_t *choices;       // entries of the body that decide (conditions, signs, levels) or jump
    uint32_t n_choices;
    uint32_t n_conditions; // of them that decide
    bool direct;     // Newton's method reached the last solution on a way without a singular point
    double *doubted; // a solution while another one is looked for, and that with loose conditions
    double *loose;
    bool loose_whole; // which is one of all variables
    double *anchor; // values of all variables where an evaluation was last wanted for itself: at an
                    // event, a result or a crossing, and not at a trial of the solver
    double *ahead;  // the same where it was not near a switch yet,
    double *argument;         // arguments of the conditions there
    uint32_t *first_argument; // of each entry of `choices`
    bool *contrary;           // those that looked otherwise than they are, behind the last event
    uint32_t n_arguments;
    sg_system_left left;
    sg_far_search far;
    sg_squares_work least;
    sg_exponent *exponents; // of the body of a nonlinear system
    uint32_t n_exponents;
};

// Left to the solver of implicit equations?
static inline bool sg_system_is_given(const sg_system_work *work, uint32_t min_size)
{
    return work->all_derivatives && work->torn.n >= min_size;
}

// Between these nothing is decided: conditions are as they were.
static inline void sg_exec_freeze(sg_exec *exec)
{
    if (exec->events)
        exec->events->frozen++;
}
static inline void sg_exec_thaw(sg_exec *exec)
{
    if (exec->events)
        exec->events->frozen--;
}

sg_status sg_run_range(sg_exec *exec, uint32_t from, uint32_t to);
sg_status sg_run_wide(sg_exec *exec, const sg_wide *wide);
sg_status sg_run_system(sg_exec *exec, uint32_t index);

// ---- parts of sg_run_system ---------------------------------------------------------------------

// Copies between a list of registers and one vector.
void sg_system_gather(const sg_exec *exec, const uint32_t *regs, uint32_t n, double *to);
void sg_system_scatter(sg_exec *exec, const uint32_t *regs, uint32_t n, const double *from);
// Residuals at the unknowns t of a space.
sg_status sg_system_residuals(sg_exec *exec, uint32_t index, const sg_space *space, const double *t,
                              double *r);
// Matrix and factors of a space at the point where the residuals were computed last.
sg_status sg_system_factor(sg_exec *exec, uint32_t index, const sg_space *space);
// b becomes the solution of A x = b.
void sg_system_back_solve(const sg_system_work *work, const sg_space *space, double *b);
// Scales of an iteration, what to do with them after a failure, and the size of a correction
// measured by them.
void sg_system_set_scales(sg_space *space);
void sg_system_forget(sg_space *space);
double sg_system_measure(const sg_space *space, const double *d);
// What a difference in unknown j at x is taken relative to.
double sg_system_step_size(const sg_space *space, uint32_t j, double x);
// Newton's iteration did not get through; names the equation that is farthest off at space->t.
sg_status sg_system_newton_failed(sg_exec *exec, uint32_t index, sg_space *space,
                                  uint32_t iterations);

// accuracy.c: how far the residuals in space->r are off, relative to the terms they are sums of.
// The first looks at two terms of each only and says whether that is enough. Residuals of functions
// of the table have no known terms; they are left out, see `unjudged`.
bool sg_system_is_exact(const sg_exec *exec, uint32_t index, const sg_space *space,
                        double tolerance);
double sg_system_error(sg_exec *exec, uint32_t index, sg_space *space);
// Whether the coefficient of a linear system of one unknown is nothing but the rounding of the sum
// it comes from (of more unknowns LU sees that of its pivots).
bool sg_system_is_noise(const sg_exec *exec, uint32_t index);

// untorn.c: residuals and matrix with all variables as unknowns.
sg_status sg_whole_residuals(sg_exec *exec, uint32_t index, const double *x, double *r);
sg_status sg_whole_factor(sg_exec *exec, uint32_t index, bool fresh);
// The present values of all variables, and back.
void sg_whole_gather(const sg_exec *exec, uint32_t index, double *x);
void sg_whole_scatter(sg_exec *exec, uint32_t index, const double *x);
// Makes the last solution better, or finds another way to it. On SG_OK the body holds it.
sg_status sg_system_improve(sg_exec *exec, uint32_t index);
// The same where there was none; `failed` says why, and so does exec->failure.
sg_status sg_system_rescue(sg_exec *exec, uint32_t index, sg_status failed);
// The equation of a row of a space.
uint32_t sg_system_row_eq(const sg_exec *exec, uint32_t index, const sg_space *space, uint32_t row);

// dependent.c: after SG_FAILED_SINGULAR, groups of equations of a linear system each of which
// combines to one without its unknowns. Returns the number n of rows, those of the whole system if
// it can be solved as such, else of the torn one; row i is in group g if members[g * n + i].
uint32_t sg_system_dependent(const sg_exec *exec, uint32_t index, sg_arena *arena,
                             uint32_t *n_groups, const bool **members);

// continuation.c: a nonlinear system from values that may be far away.
sg_status sg_system_continue(sg_exec *exec, uint32_t index, bool far);

// finite.c: moves the unknowns of the whole system to where its exponentials are finite; false if
// they were, or if no such point was found.
bool sg_system_tame(sg_exec *exec, uint32_t index);

// limit.c: the exponents in a range of code, counted if `list` is null.
uint32_t sg_system_exponents(const sg_linked *code, uint32_t from, uint32_t to, sg_exponent *list);
// Brings the end of a step of the whole system back so far that no exponent grows too much.
// SG_ERR_SOLVER if that cannot be done.
sg_status sg_system_limit(sg_exec *exec, uint32_t index, const double *from, double *to);

// carried.c: which systems an integrator may carry along, at the end of linking.
bool sg_link_carried(sg_exec *exec);
// Runs a system with the variables that were given (exec->handed.all).
sg_status sg_system_take_given(sg_exec *exec, uint32_t index);

// mixed.c: other combinations of the conditions of a system; true if one agrees with its solution.
bool sg_system_search(sg_exec *exec, uint32_t index);
// Where none does: do conditions and solution contradict each other by more than rounding?
bool sg_system_contradicts(sg_exec *exec, uint32_t index);
sg_status sg_system_solve_once(sg_exec *exec, uint32_t index, bool *settled);
// The same from the last solution.
sg_status sg_system_solve_again(sg_exec *exec, uint32_t index, bool *settled);
// Newton's method with damping from space->t, and a look of the conditions at a solution.
sg_status sg_system_newton(sg_exec *exec, uint32_t index, sg_space *space);
sg_status sg_system_look(sg_exec *exec, uint32_t index, sg_space *space, bool *settled);

// loose.c: does an entry decide anything?
bool sg_linked_is_condition(const sg_linked *c);
// Before there was any solution the conditions of a nonlinear system are those of its start values:
// the sign of an unknown that begins at 1 is not zero, as it was when nobody had looked yet.
sg_status sg_system_decide_at_start(sg_exec *exec, uint32_t index);
// Conditions as they were lead to no solution: 0.5 = sign(q)*q^2 has none where q is negative. So
// they are let loose and follow the unknowns on their way, which suits whatever is continuous
// across its conditions. At an event they are decided for the solution then, and the system is
// solved once more with them. Between events this is the first look at the other side of a switch,
// where flow turns around: its event is still to be found.
sg_status sg_system_solve_loose(sg_exec *exec, uint32_t index);
// Behind that, at an event: the solution with loose conditions itself, if these agree with it.
// Where flows vanish, Newton's method may not stay even there.
bool sg_system_take_loose(sg_exec *exec, uint32_t index);
// Conditions that lead farther and farther away, as those of floor(x) + 0.25*x = 2.6: one unknown
// is looked at from its start on with conditions that follow it. Then they are decided there.
bool sg_system_settle_loose(sg_exec *exec, uint32_t index);
// Is a value in front of a switch looked for from behind it? Where a run stops for an event the
// last evaluation may be on its far side.
bool sg_system_begins_behind(const sg_exec *exec, uint32_t index);
// The last look at a solution: another one, if it contradicts its conditions and was not reached
// directly. Remembers where the next search begins.
sg_status sg_system_accept(sg_exec *exec, uint32_t index);

sg_status sg_exec_fail(sg_exec *exec, sg_failure_kind kind, sg_status status, uint32_t step);
