// Linking and running a numeric program (program.h).
//
// `sg_exec_link` is called when a segment starts: it asks for parameters and start values, infers
// the shape of every register, runs what is fixed, and lays out one array of doubles. It is the
// only place that allocates. `sg_exec_eval` then runs the steps; it allocates nothing. A failure
// inside an evaluation (singular system, index out of range, a function that raised) is kept in
// the struct and turned into words only when somebody wants to tell the user.
//
// Linear blocks: A is built column by column from exact tangents, b from the residuals at zero,
// then A w = b by LU with partial pivoting (one unknown: a division); a matrix of parameters is
// factored once. Nonlinear blocks: damped Newton with the same tangents. What comes out is held
// against the equations, and a system where tearing loses digits, or that is large, is solved with
// all its variables as unknowns and a sparse matrix (untorn.c). Mixed systems: conditions are
// frozen while solving and looked at afterwards, at most 20 times (language 3.8, 4.7).
#pragma once

#include "base/diags.h"
#include "program/events.h"
#include "program/program.h"

typedef struct sg_operand {
    sg_dims shape;
    double *data;
} sg_operand;

// One call of a function of the table.
typedef struct sg_extern_call {
    const sg_operand *args;
    uint32_t n_args;
    const sg_operand *results; // fewer than the function has when the rest is not used
    uint32_t n_results;
    double time;
    sg_eval_mode mode; // why; a right-hand side outside of a run
    sg_events *events; // null outside of a run
    uint32_t eq;       // the calling equation
} sg_extern_call;

// A function that the program calls but does not know: a user function run by the script machine,
// a component written in C.
typedef struct sg_extern {
    void *context;
    // Shapes of the results, when linking. Arguments hold start values, and those that depend on
    // parameters their final ones. Null: every result is a real number.
    sg_status (*shapes)(void *context, const sg_extern_call *call, sg_dims *results);
    sg_status (*call)(void *context, const sg_extern_call *call);
} sg_extern;

// A value handed in when linking. `data` is copied.
typedef struct sg_given {
    sg_dims shape;
    const double *data;
} sg_given;

// Where parameters and start values come from. Each returns false when there is no such value.
typedef struct sg_exec_source {
    void *context;
    bool (*par)(void *context, uint32_t par, sg_given *value);
    bool (*start)(void *context, uint32_t var, sg_given *value); // none: the number 0
    bool (*constant)(void *context, uint32_t index, sg_given *value);
    double (*nominal)(void *context, uint32_t var); // typical size, 0: not known; may be null
    const struct sg_native_host *native;            // native.h; null: interpreted
    struct sg_counted *memory; // asked between two of many long steps whether to end, or null
} sg_exec_source;

typedef enum sg_failure_kind {
    SG_FAILED_NOT,
    SG_FAILED_SINGULAR,  // linear system; `unknown` has no pivot
    SG_FAILED_NEWTON,    // did not converge; `eq` is the worst equation
    SG_FAILED_ACCURACY,  // linear system whose solution does not fulfill equation `eq`
    SG_FAILED_INDEX,     // out of range
    SG_FAILED_CALL,      // a function of the table returned an error
    SG_FAILED_ASSERTION, // an assert of the model does not hold
    SG_FAILED_WHOLE,     // an integer is too large to be counted exactly
    SG_FAILED_MIXED      // conditions keep changing; only a warning, the last values are used
} sg_failure_kind;

typedef struct sg_failure {
    sg_failure_kind kind;
    sg_status status;
    uint32_t step, system; // where; system is an index, valid for the first two kinds
    uint32_t unknown, eq;
    uint32_t iterations;
    bool nearest; // nonlinear system: no other point that was tried comes nearer to a solution
    double value, time; // the index, or the size of the residual; NaN: the system is not finite
    double size;        // what the index must not exceed, or the terms of the residual
} sg_failure;

// Where a memory of the event table begins, and how many numbers it has.
typedef struct sg_memory_place {
    uint32_t at, n;
    bool made;
} sg_memory_place;

typedef struct sg_linked sg_linked;
typedef struct sg_wide sg_wide;
typedef struct sg_system_work sg_system_work;
typedef struct sg_exec_kept sg_exec_kept; // kept.c

// Entries of the code, without the last one.
typedef struct sg_code_range {
    const sg_linked *from, *to;
} sg_code_range;

// Where things lie in the workspace. `x`: states, one after the other, and how many numbers they
// are; `der`: their derivatives; of each state its offset within x.
typedef struct sg_exec_places {
    uint32_t time, x, n_x, der;
    uint32_t *state;
} sg_exec_places;

// What lies behind the present: room for it in the event table.
typedef struct sg_exec_memories {
    sg_event_layout layout;
    sg_memory_place *samples, *holds, *previouses, *pres, *delays; // of each memory
    sg_delay_tap *taps;                                            // of each delayed value
} sg_exec_memories;

// The steps of the program with addresses in the workspace.
typedef struct sg_exec_steps {
    sg_linked *list;
    uint32_t n, dynamics_end;
    sg_code_range ranges[4];    // by what is to be evaluated
    uint32_t *of;               // the step of the program that each entry comes from
    uint32_t *wholes, n_wholes; // steps that compute integers
    bool checks_numbers;        // there are asserts, or integers
    struct sg_plain *plain;     // the dynamics if they are plain arithmetic (plain.h), else null
    uint32_t plain_steps;
} sg_exec_steps;

// Compiled rows (native.h).
typedef struct sg_exec_native {
    const struct sg_native_row *rows; // null: none
    uint32_t *row_of, n_rows;         // by the entry that it begins with; how many
    // A row that is all of the dynamics, else null.
    int (*straight)(double *w, double time, const double *states, double *der);
} sg_exec_native;

// How systems are solved at present.
typedef struct sg_exec_solving {
    bool loose;      // conditions are what they look like, see system.c
    bool searching;  // one of many combinations of conditions: no search for far solutions
    bool hurries;    // ... or only near by, since conditions may have to change
    bool in_tangent; // seeds of one unknown: most numbers are zero
} sg_exec_solving;

// Unknowns of nonlinear systems that somebody else finds (carried.c).
typedef struct sg_exec_handed {
    const double *carried; // given; null: solve
    uint32_t n_carried;    // how many these can be
    const double *all;     // the same for all variables of these systems
    uint32_t n_all;
    double *size; // largest of each that can be carried, where somebody looked
} sg_exec_handed;

typedef struct sg_exec {
    const sg_program *program;
    const sg_allocator *allocator;
    const sg_extern *externs;  // indexed by function, row 0 unused
    struct sg_counted *memory; // as in sg_exec_source
    sg_events *events;         // set by the run before evaluating; null: no events, see below
    sg_arena arena;            // everything of this segment

    double *w; // the workspace
    uint32_t n_w;
    double *sizes;     // as long as w: sizes of the terms that a number is a sum of, see accuracy.c
    uint32_t *offsets; // of each register
    sg_dims *shapes;   // of each register
    sg_exec_places at;
    sg_exec_memories memories;

    sg_exec_steps steps;
    sg_exec_native native;
    sg_wide *wides;
    uint32_t n_wides;
    sg_system_work *systems;

    sg_exec_solving solving;
    sg_exec_handed handed;
    const double *given_der; // while a residual is computed: the derivatives
    uint32_t dae_min_size;   //
    sg_exec_kept *kept;      // what evaluations leave behind, to be put back; null: nothing
    uint32_t asserted;       // text of an assert that did not hold in this evaluation
    sg_failure failure;      // of the last evaluation
    struct {
        uint64_t newton, factor, mixed;
    } count;
} sg_exec;

// `externs` has one row for each function of the program and lives as long as the exec.
sg_exec *sg_exec_create(const sg_allocator *allocator, const sg_program *program,
                        const sg_extern *externs);
void sg_exec_destroy(sg_exec *exec);

// Shapes, layout, fixed values. May be called again, with other sizes. Errors name the equation
// (E0640 shapes that do not fit, E0641 a size that is not known at the start).
sg_status sg_exec_link(sg_exec *exec, const sg_exec_source *source, sg_diags *diags);

enum {
    SG_EVAL_RANGE = 0,    // of sg_run_range, which alone asks for that
    SG_EVAL_DYNAMICS = 1, // what derivatives and events need
    SG_EVAL_ALL = 3       // all variables
};

// Evaluates at time t and state x; the derivatives go to der (either may be null to leave them in
// place). SG_ERR_SOLVER with `failure` filled in when a system cannot be solved.
sg_status sg_exec_eval(sg_exec *exec, double t, const double *x, double *der, unsigned what);
// The dynamics again, where they are plain arithmetic (exec->steps.plain is not null); neither x
// nor der is null.
sg_status sg_exec_plain(sg_exec *exec, double t, const double *x, double *der);
// The derivatives alone, where one compiled row is all of the dynamics (exec->native.straight is
// not null). Variables are not known afterwards; there is nothing that can fail.
sg_status sg_exec_straight(sg_exec *exec, double t, const double *x, double *der);

// After an evaluation: adds `by` to all numbers of a computed variable and evaluates what comes
// behind it on the way to the derivatives, which go to `der`. SG_ERR_USAGE if it is not computed by
// a step of its own, but together with others.
sg_status sg_exec_shift(sg_exec *exec, uint32_t var, double by, double *der);

// For a solver of implicit equations: r = dx - f(t, x), except for linear systems of at least
// `min_size` unknowns that are all derivatives: these are not solved, the derivatives are those
// given, and r are the residuals of the system (language 4.7, DAE mode).
sg_status sg_exec_residual(sg_exec *exec, double t, const double *x, const double *dx, double *r,
                           uint32_t min_size);

// The i-th linear system: its number of unknowns, 0 when there are no more. `left` says whether a
// residual with this `min_size` leaves it to the solver.
uint32_t sg_exec_linear_size(const sg_exec *exec, uint32_t i, uint32_t min_size, bool *left);

// Unknowns of nonlinear systems that an integrator carries along with the states (carried.c): while
// `exec->handed.carried` points to `n_carried` numbers, these systems are not solved; they take the
// numbers and leave residuals.
//
// After an evaluation: their values, their residuals if these were given, and how large each of
// them was where sg_exec_determines looked; each may be null.
void sg_exec_get_carried(const sg_exec *exec, double *values, double *residuals, double *sizes);
// Do the states determine them, when each is known to its `tolerance`? Not if the solutions at the
// states plus, as they are, and minus their tolerances do not lie on a line, and not where there is
// none. Evaluates three times and leaves everything as it was. `work` has room for three times as
// many numbers as are carried.
bool sg_exec_determines(sg_exec *exec, double t, const double *x, const double *tolerance,
                        double *work);

// All variables of these systems, for Newton's equations of an integrator: while `exec->handed.all`
// points to `n_all` numbers, they take these and leave residuals, each of which depends on few.
// After an evaluation: the numbers, and the residuals if these were given; each may be null.
void sg_exec_get_given(const sg_exec *exec, double *values, double *residuals);

// Evaluations between these two leave no traces in those that follow (kept.c). What was put aside
// may be put back more than once. Without `exec->kept` they leave none anyway.
void sg_exec_keep(sg_exec *exec);
void sg_exec_put_back(sg_exec *exec);

// Are there systems that only results depend on, whose solution depends on where it is looked for?
bool sg_exec_searches_results(const sg_exec *exec);

// All that evaluations left for those that follow, to a saved state or back (saved.c). The program
// is linked with the same values.
struct sg_archive; // base/archive.h
void sg_exec_archive(sg_exec *exec, struct sg_archive *a);

// The present values of the states: right after linking, their start values.
void sg_exec_start_states(const sg_exec *exec, double *x);

// The present value of a variable; data is null if the program does not have it.
sg_operand sg_exec_var(const sg_exec *exec, uint32_t var);

// After an evaluation that gave NaN or Inf: the step where it arose from finite operands, found
// backwards from the derivatives and crossing functions (or from one variable, or inside of one
// system). 0 if all is finite.
uint32_t sg_exec_blame(const sg_exec *exec);
uint32_t sg_exec_blame_var(const sg_exec *exec, uint32_t var);
uint32_t sg_exec_blame_system(const sg_exec *exec, uint32_t index);

// Says what went wrong in the last evaluation, with the equation and the variables involved.
void sg_exec_explain(sg_exec *exec, double time, sg_diags *diags);
// A warning that this variable has no finite value, with the equation where that began; false when
// it is finite, or was given a value that is not.
bool sg_exec_warn_var(sg_exec *exec, uint32_t var, double time, sg_diags *diags);

// Which derivatives depend on which states, by columns: rows of column j are
// rows[starts[j]] .. rows[starts[j + 1] - 1], ascending. Null starts: more than INT32_MAX entries.
typedef struct sg_pattern {
    uint32_t n_rows, n_cols;
    uint32_t *starts, *rows;
} sg_pattern;

// Patterns of derivatives and of crossing functions (one row for each `positive`) with respect to
// the states; they live in `arena`. Exact through element-wise operations, elements and ranges;
// an opaque function's results depend on all its arguments, a system's on everything it reads.
sg_status sg_exec_patterns(const sg_exec *exec, sg_arena *arena, sg_pattern *derivatives,
                           sg_pattern *crossings);
// Whether a number of the workspace depends on a state, by its place there; in `arena`. What does
// not is led by time, inputs and parameters alone between two events.
sg_status sg_exec_moved(const sg_exec *exec, sg_arena *arena, bool **moved);
// The same for sg_exec_residual, with respect to x and dx together.
sg_status sg_exec_residual_pattern(const sg_exec *exec, sg_arena *arena, uint32_t min_size,
                                   sg_pattern *residuals);

// Of derivatives and, behind them, the residuals of nonlinear systems, with respect to states and
// the variables of these systems (sg_exec_get_given).
sg_status sg_exec_given_pattern(const sg_exec *exec, sg_arena *arena, sg_pattern *given);

// One call of a held function (sg_exec_held). Its results are numbered together with those of the
// other calls.
typedef struct sg_held_call {
    uint32_t function, n_args;
    uint32_t first, n;              // numbers of its results
    const int32_t *states;          // for each argument: the state that it is, -1 if it is none
    const uint32_t *starts, *items; // what argument i depends on: items[starts[i]] and on; states,
                                    // and behind them n_x + number of a held result
} sg_held_call;

// The derivatives of a program when results of some functions are taken as they are.
typedef struct sg_held {
    sg_held_call *calls;
    uint32_t n_calls;
    // What the derivative of each state depends on, as the arguments of a call do.
    const uint32_t *starts, *items;
    int32_t *result;        // by state: the held result that its derivative hangs on, -1 if none
    bool separate;          // false: a derivative hangs on a held result and on more
    sg_pattern derivatives; // of those that hang on none
} sg_held;

// `is_held` is indexed by function; what comes back lives in the arena.
sg_status sg_exec_held(const sg_exec *exec, const bool *is_held, sg_arena *arena, sg_held *out);
