// Inside the solver folder: what the three SUNDIALS packages must offer, and what they share.
//
// An engine takes single steps and interpolates; roots, statistics and the rules of solver.h are
// built on that in solver.c.
#pragma once

#include "base/arena.h"
#include "solver/bodies.h"
#include "solver/bordered.h"
#include "solver/correction.h"
#include "solver/descriptor.h"
#include "solver/jacobian.h"
#include "solver/nordsieck.h"
#include "solver/quadrature.h"
#include "solver/reduced.h"
#include "solver/solver.h"
#include "solver/sparse_lu.h"
#include "solver/swings.h"
#include "solver/vector.h"

#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

typedef struct sg_engine_counters {
    long rejected; // since the last reinit,
    long unsolved; // and of these, where Newton's method did not converge
    int order;
    double h;
} sg_engine_counters;

typedef struct sg_engine_ops {
    sg_status (*create)(sg_solver *s);
    sg_status (*reinit)(sg_solver *s);              // from s->t, s->x and, for IDA, s->dx
    sg_status (*step)(sg_solver *s, double t_stop); // advances s->t, s->x, s->dx
    sg_status (*interpolate)(sg_solver *s, double t, double *x, double *dx); // dx may be null
    // Optional: n states from `first` on; false where that is not possible.
    bool (*interpolate_some)(sg_solver *s, double t, int32_t first, int32_t n, double *x,
                             double *dx);
    // Optional: less exact, from the ends of the step alone; false if there is no such shortcut.
    bool (*interpolate_roughly)(sg_solver *s, double t, double *x, double *dx);
    // Optional: what `interpolate` remembers, put aside and back.
    void (*keep)(sg_solver *s);
    void (*put_back)(sg_solver *s);
    // Optional: takes the last step again, from its start to t_end, or to before that where errors
    // say so; false, and nothing has changed, if that cannot be or is of no use.
    bool (*shorten)(sg_solver *s, double t_end, sg_status *status);
    // The polynomial behind `interpolate` from t on; c[] and `end` = s->t are there already.
    sg_status (*expand)(sg_solver *s, double t, sg_expansion *e);
    sg_status (*set_max_step)(sg_solver *s, double h_max);
    sg_status (*set_tolerances)(
        sg_solver *s); // those of s->options and s->wrapped.atol, or weights
    void (*counters)(const sg_solver *s, sg_engine_counters *counters);
    sg_status (*local_errors)(sg_solver *s, N_Vector errors, N_Vector weights);
    // Of Newton's method, while it solves; false if that is not known.
    bool (*iterate)(const sg_solver *s, sg_newton_point *point);
    void (*destroy)(sg_solver *s);
} sg_engine_ops;

extern const sg_engine_ops sg_cvode_ops, sg_ida_ops, sg_arkode_ops;

// The linear system of a step: matrix, solver and factors.
typedef struct sg_linear_parts {
    SUNMatrix matrix;
    SUNLinearSolver linear;
    // KLU; by part of the unknowns; descriptor form, which is KLU unless halved; none: dense
    bool sparse, halved, described;
    bool bordered;   // by KLU, with unknowns behind the states
    sg_sparse_lu lu; // of the first and the last
    double *dense;   // else the matrix and then its factors, by columns
    int32_t *pivot;
    double gamma; // of the matrix
} sg_linear_parts;

// Wrapped: x, dx, the absolute tolerances, and buffers of callers.
typedef struct sg_wrapped {
    N_Vector x, dx, atol, out, out2;
} sg_wrapped;

// What follows from the pattern of the Jacobian, and lives in `arena`.
typedef struct sg_pattern_parts {
    sg_arena arena;
    sg_jacobian jacobian;
    sg_jacobian_missed missed; // with options.check_patterns
    sg_reduced reduced;
    sg_descriptor_form form;
    sg_bordered bordered;
    long unsolved; // as counted at the last Jacobian
    int n_close;   // Jacobians to come with differences that leave no branch
} sg_pattern_parts;

// How far it is.
typedef struct sg_phase {
    bool creating; // SUNDIALS is being set up
    bool started;  // reinit was called
    bool fresh;    // no step was taken since then
    bool leapt;    // the last step was too short for the method, which knows nothing of it
    bool at_stop;  // the last step ended at its stop time
} sg_phase;

// What holds up its steps.
typedef struct sg_pace {
    double bound;   // of the next step [s]
    double most;    // what the method was told as its largest step [s]; 0 is none
    int tiny_steps; // in a row
    double stiff;   // eigenvalue that holds up an explicit method [1/s]; 0: none was seen
} sg_pace;

// What projections have moved so far: the engine works with x - offset, and rhs with x. Null
// without projection.
typedef struct sg_shift {
    double *offset, *shifted, *told; // work: for callbacks; for callers
} sg_shift;

// Where the last step began, if it had order one, for the bent line of cvode.c.
typedef struct sg_bent_step {
    double t, *x, *f;
    bool f_wanted, on; // f is still to come; the last step had order one
} sg_bent_step;

// Does nothing move by more than the tolerance? Then CVODE takes order two, at most.
typedef struct sg_calm {
    bool on;
    double *work; // null: nobody asks
    // Failures of Newton's method before the steps that are being counted, and how many these are;
    // of the tolerance this part holds for now, 0: all of it.
    long failed;
    int steps;
    double part;
} sg_calm;

// The tolerances at creation, and the part of them that holds: options and problem have the
// product.
typedef struct sg_asked_tolerances {
    double rtol, atol;
    const double *atol_each; // of the caller; null: atol
    double part;
} sg_asked_tolerances;

// The last point at which a callback gave no values, and the step that was tried then.
typedef struct sg_refusal {
    double t, *x;
    uint64_t step;
    bool on;
} sg_refusal;

// Roots of functions of the solution (roots.c). `sign` is the armed side, 0 is disarmed.
typedef struct sg_root_search {
    double t_out;           // where the caller stands; < t after a root
    double *x_out, *dx_out; // there, when it differs from the engine's
    int8_t *sign, *found;
    double *z_lo, *z_hi, *z_mid, *z_old; // at the ends of the bracket; at the step before
    double t_old;                        // of z_old
    bool has_old;
    bool keeps_sides;       // at the next restart (sg_solver_keep_sides)
    sg_expansion expansion; // of the last step, for problem.look
    uint64_t expanded;      // the step it belongs to, 0: none
    double *z_most;         // largest size that each function had
    double *z_first;        // z_lo and z_old where a step began, and the signs there
    int8_t *sign_first;     //
    double look_h;          // distance of points that functions allow of which nothing is known [s]
} sg_root_search;

struct sg_solver {
    const sg_allocator *allocator;
    sg_arena arena;
    struct sg_archipelago *many; // it is the solver of many islands, and all else is theirs
    sg_problem problem;
    sg_solver_options options;
    const sg_engine_ops *ops;
    void *memory; // of the SUNDIALS package
    void *extra;  // of the engine

    SUNContext context;
    sg_linear_parts system;
    sg_vectors vectors;
    sg_wrapped wrapped;
    sg_pattern_parts pattern;
    sg_quadrature quadrature;
    sg_correction correction;
    sg_shift shift;
    sg_asked_tolerances asked;

    double t;       // where the engine stands [s]
    double *x, *dx; // there; dx for IDA only
    sg_phase phase;
    sg_pace pace;
    sg_bent_step bent;
    sg_calm calm;
    sg_swings swings;        // without memory where nobody looks for them
    sg_nordsieck polynomial; // of CVODE's last step
    double *errors;          // of the last step, and their weights, when somebody asks

    sg_refusal refusal;
    sg_root_search roots;

    sg_solver_stats stats;
    uint64_t rejected_before; // summed over earlier restarts
    sg_status callback;       // a status other than SG_OK or SG_ERR_SOLVER that a callback returned
    char message[256];
};

// Calls the right-hand side: 0, or 1 for "try a shorter step", or -1 to stop, as SUNDIALS wants it.
int sg_solver_call_rhs(sg_solver *s, double t, const double *x, double *dx);
int sg_solver_call_residual(sg_solver *s, double t, const double *x, const double *dx, double *r);
int sg_solver_call_border(sg_solver *s, double t, const double *x, const double *y, double *f,
                          double *c);
// The states behind those of the engine, in a buffer of the solver if they are others.
const double *sg_solver_shifted(sg_solver *s, const double *x);
// The method's solution at t within the last step; of a leap, its end.
sg_status sg_solver_within(sg_solver *s, double t, double *x, double *dx);
// The Taylor polynomial of a multistep method about where it stands, from its derivatives there.
// Returns the flag of the package.
int sg_expand_derivatives(sg_solver *s, int order,
                          int (*derivative)(void *memory, double t, int k, N_Vector out),
                          sg_expansion *e);
// Notes that the model gave no values at this point.
void sg_solver_refuse(sg_solver *s, double t, const double *x);

// So many states at most may all depend on each other: their matrix takes 13 GB.
#define SG_MOST_FULL 40000

// Matrix and linear solver for the pattern (linear.c).
sg_status sg_linear_create(sg_solver *s);
void sg_linear_destroy(sg_solver *s);
sg_status sg_linear_set_pattern(sg_solver *s, const sg_sparsity *pattern);
// With the last factors. 0, or a flag of SUNDIALS' linear solvers. x may be b. Quadratures
// keep their b.
int sg_linear_solve(sg_solver *s, const double *b, double *x);
// Matrix callbacks: I - gamma J for CVODE and ARKODE, the Jacobian for IDA.
int sg_linear_system(sunrealtype t, N_Vector y, N_Vector fy, SUNMatrix M, sunbooleantype jok,
                     sunbooleantype *jcur, sunrealtype gamma, void *user, N_Vector t1, N_Vector t2,
                     N_Vector t3);
int sg_linear_jacobian_dae(sunrealtype t, sunrealtype cj, N_Vector y, N_Vector yp, N_Vector r,
                           SUNMatrix J, void *user, N_Vector t1, N_Vector t2, N_Vector t3);

// Flags and errors of SUNDIALS (flags.c).
typedef enum sg_package { SG_CVODE, SG_IDA, SG_ARKODE } sg_package;
sg_status sg_flag_status(sg_solver *s, sg_package package, int flag);
sg_status sg_solver_fail(sg_solver *s, sg_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// Keeps SUNDIALS from printing.
void sg_flag_silence(int code, const char *module, const char *function, char *text, void *user);

// One over the weights of the states y, where these are not rtol |y| + atol with one atol for all
// (sg_problem.most): for the engines, which get it with the solver.
int sg_solver_weigh(N_Vector y, N_Vector weights, void *solver);
