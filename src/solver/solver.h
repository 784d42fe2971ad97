// The integrator as the rest of Segue sees it: a hybrid problem goes in, steps and located roots
// come out.
//
// Behind the interface are CVODE, IDA and ARKODE, but roots are found here, on the continuous
// solution of the step just taken, so that every method follows the same rules:
//
// - A root is a change of sign of an armed root function, from one strict sign to the other. The
//   time returned lies on the far side of the crossing, so the handler sees the new side.
// - A function that is exactly zero at a restart is disarmed until it has a sign; a function that
//   stays zero never fires. A handled root has the new sign and fires again only after it changed
//   that.
// - All functions that have changed sign at the returned time are reported together.
// - A step is one step of the method. The caller may therefore look at the solution, bound the
//   next step, or give up after each of them.
//
// Nothing here is global and nothing knows of a run, so a run may hold many solvers. After
// sg_solver_create no call of this header allocates, except sg_solver_set_pattern when the pattern
// grew. (Vectors and matrices come from the allocator; SUNDIALS and KLU get their own
// memory with malloc.)
#pragma once

#include "segue/alloc.h"
#include "segue/status.h"
#include "solver/methods.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Sparsity by columns: rows[start[j]] .. rows[start[j + 1] - 1] are the rows of column j,
// ascending.
typedef struct sg_sparsity {
    int32_t n;
    const int32_t *start; // n + 1 entries
    const int32_t *rows;
} sg_sparsity;

// Derivatives that are solutions of sparse linear equations, E(x) dx = g(x) where the inverse of E
// is full, as the accelerations of a tree of bodies. Implicit methods then work with E and the
// derivatives of g (solver/descriptor.h) instead of those of dx. Optional.
typedef struct sg_descriptor {
    void *user;
    // With dx held at what it is, g - E dx has derivatives of two kinds: those that hold() fills,
    // T, and those of what rhs gives while held.
    const sg_sparsity *held, *tree; // of rhs while held; of T and of E without the ones of dx
    // Called right after rhs gave dx: fills T and E - I, both on `tree`. Until the release rhs
    // gives that part of g - E dx + dx which T does not know. SG_ERR_USAGE if this dx is none of
    // that.
    sg_status (*hold)(void *user, const double *dx, double *e, double *t);
    void (*release)(void *user);
} sg_descriptor;

// The continuous solution of a step, or of a piece of it, as a polynomial:
// x_i(t) = sum over k of c[k][i] * ((t - origin) / unit)^k.
enum { SG_EXPANSION_DEGREE = 12 };
typedef struct sg_expansion {
    double origin, unit; // [s]
    double end;          // it holds up to here [s]
    int degree;
    double *c[SG_EXPANSION_DEGREE + 1]; // each as long as the states
} sg_expansion;

// What becomes of branches in an evaluation: they follow the states, or do so and are remembered,
// or stay as they were then. Some end in a way that nobody can hold, as a contact that is left:
// differences that are held closely are so small that they stay within.
typedef enum sg_branches {
    SG_BRANCHES_FREE,
    SG_BRANCHES_NOTED,
    SG_BRANCHES_HELD,
    SG_BRANCHES_HELD_CLOSELY
} sg_branches;

// Unknowns y inside of the right-hand side, f(t, x) = F(t, x, y) with c(t, x, y) = 0, for Newton's
// equations (solver/bordered.h).
typedef struct sg_border {
    void *user; // first argument of all callbacks
    // The pattern of F and c by x and y, which are as many as it has columns. It is the same one
    // until others than before are unknown.
    sg_status (*pattern)(void *user, const sg_sparsity **pattern);
    // Right after f was evaluated: y there, and what to difference by.
    void (*begin)(void *user, double *y, double *increment);
    sg_status (*eval)(void *user, double t, const double *x, const double *y, double *f, double *c);
} sg_border;

// Callbacks return SG_OK, or SG_ERR_SOLVER when the values cannot be computed at this point (the
// method then tries a shorter step), or any other status to stop. Values that are not finite count
// as SG_ERR_SOLVER. They must not keep a state that depends on the order of calls.
typedef struct sg_problem {
    int32_t n;       // states, at least 1
    int32_t n_roots; //
    void *user;      // first argument of all callbacks

    sg_status (*rhs)(void *user, double t, const double *x, double *dx);
    // Only for IDA, may be null: r = F(t, x, dx). Without it, F is dx - rhs. With it, rhs gives the
    // consistent derivatives at (re)starts; if rhs is null, IDA searches for them.
    sg_status (*residual)(void *user, double t, const double *x, const double *dx, double *r);
    // May be null: moves x to where constraints hold that rhs only keeps up to errors of steps.
    // Called between steps. The method goes on from there without a restart: what it remembers of
    // the past is shifted along.
    sg_status (*project)(void *user, double t, double *x);
    // May be null: whether functions stay on the branch, of those that a law has, which they are on
    // where they are evaluated next (sg_branches). A difference across a kink is no derivative.
    void (*branches)(void *user, sg_branches what);
    // `dx` is null except for IDA.
    sg_status (*roots)(void *user, double t, const double *x, const double *dx, double *z);
    // May be null: where between t0 and t1, which are not farther apart than the expansion reaches,
    // roots are to be looked at next. Up to there no function changes its sign more than once, as
    // far as the caller can tell.
    // The expansion has nothing but `end` unless the caller wants the states.
    sg_status (*look)(void *user, double t0, double t1, const sg_expansion *e, double *next);
    bool look_at_states;
    // May be null: by root function, true where nobody knows what it does between two points. The
    // distance of points then follows from how well a straight line foretells it; may change
    // whenever `look` is called.
    const bool *untold;

    // May be null: right after `roots` at t1, up to which time behind t0 the caller knows that no
    // function has changed its sign twice; t1 if all the way, else roots are looked at there first.
    // With `goes_on` the step does behind t1.
    double (*foreseen)(void *user, double t0, double t1, bool goes_on);

    const sg_sparsity *pattern; // of the rhs (or of the residual, dx and x together); null is dense
    // May be null: the pattern, for who would list it only where a matrix is made of it. A tree of
    // 10,000 bodies has 2e8 entries, which neither explicit methods nor a descriptor need.
    sg_status (*find_pattern)(void *user, const sg_sparsity **pattern);
    // May be null: the states are those of these bodies, and this sets the slopes of their rates at
    // a point (solver/bodies.h), or returns false where they are not known. No pattern is asked
    // for.
    struct sg_bodies *bodies;
    bool (*slopes)(void *user, double t, const double *x, struct sg_bodies *bodies);
    // True marks states that nothing depends on, and whose rates the pattern leaves out; may be
    // null, and is of no use without a pattern.
    const bool *quadrature;
    bool quadratures_rest; // none of them changes: steps need not be completed for them
    // Of the rhs; may be null, and must be if the residual is another than dx - rhs.
    const sg_descriptor *descriptor;
    // Likewise.
    const sg_border *border;
    // Stiffness may come and go from one step to the next, as where bodies touch: Newton's method
    // of multistep methods is to leave less than usual.
    bool nonsmooth;
    // Derivatives are only as exact as an iteration inside of the model leaves them: residuals
    // prove nothing, and multistep methods ask for no proof (solver/correction.h).
    bool rough;
    const bool *differential; // for the residual: false marks algebraic x; null is all true
    const double *atol;       // absolute tolerance for each state; null takes the option for all
    // How much of a state's size counts at most in its weight and its increment: positions far from
    // the origin are no larger for that. Infinity for all of it; may be null.
    const double *most;
    // In their weights three states from each of these on are as large as their vector: what is
    // aside of a motion is no smaller for that, and axes may lie as they like. May be null.
    const uint32_t *vectors;
    uint32_t n_vectors;
    // Increments of difference Jacobians for those who know better; 0: from the size. May be null.
    const double *increment;
    // Stiff and hardly damped swings are there that should die away: multistep methods watch that
    // their higher orders do not keep them alive.
    bool sways;
} sg_problem;

// Where the time of a solver goes [s on the clock].
typedef struct sg_solver_timing {
    double jacobian;                  // with its evaluations
    double jacobian_rhs;              // ... these alone
    double factoring;                 // matrices, and solutions with their factors
    double looking;                   // for roots
    uint64_t n_jacobian_rhs, n_looks; // evaluations for Jacobians; how often the clock was read
    int32_t n_factored;               // order of the matrix
    bool dense;
} sg_solver_timing;

typedef struct sg_solver_options {
    const sg_algorithm *method; // from sg_algorithm_find
    double rtol, atol;          // relative and absolute tolerance of the local error
    double h_initial;           // first step after a (re)start [s], 0 lets the method choose
    double h_max, h_min;        // bounds of a step [s], 0 is none
    double h_fixed;             // > 0: no error control, steps of this size (one-step methods only)
    double newton_part;       // IDA: Newton's iteration ends at this part of the tolerance; 0: 0.33
    bool own_rates;           // IDA: ... with the rate of convergence of this very step
    int interp_points;        // additional points in each step at which roots are looked for
    int32_t sparse_from;      // with a pattern, use sparse matrices from this many states on
    bool classic_increments;  // of difference Jacobians, see sg_jacobian_scale
    bool check_patterns;      // try every Jacobian: what is felt where its pattern has nothing?
    sg_solver_timing *timing; // null: nobody asks
} sg_solver_options;

// Defaults: CVODE_BDF, rtol 1e-6, atol 1e-7.
sg_solver_options sg_solver_options_default(void);

typedef enum sg_step_kind {
    SG_STEP_INNER, // the end of a step of the method
    SG_STEP_STOP,  // t_stop was reached
    SG_STEP_ROOT,  // one or more root functions changed sign
    SG_STEP_PAUSE  // none: the solution is known at the time of sg_solver_pause
} sg_step_kind;

typedef struct sg_advance {
    sg_step_kind kind;
    double t0, t;        // the solution may be interpolated between these [s]
    const double *x;     // at t; belongs to the solver, holds until the next call
    const double *dx;    // IDA only, else null
    int32_t n_found;     // for SG_STEP_ROOT
    const int8_t *found; // for each root function: the new sign if it crossed, else 0
    bool quiet;          // nothing jumps there, and few would look (sg_islands.quiet)
} sg_advance;

typedef struct sg_solver_stats {
    uint64_t n_steps, n_rejected;  // rejected: failed error tests and failed iterations
    uint64_t n_rhs;                // all evaluations of rhs or residual, those for Jacobians too
    uint64_t n_rhs_jacobian;       // ... those for Jacobians
    uint64_t n_jacobians, n_roots; // evaluations of the root functions
    uint64_t n_restarts;
    uint64_t n_factorizations; // of implicit methods
    uint64_t n_jumps;          // columns of Jacobians that lay across a jump of the right-hand side
    int32_t n_factored; // order of the matrix factored: n, or less where rows were eliminated
    double h_last;      // size of the last step [s]
    int order_last;
} sg_solver_stats;

typedef struct sg_solver sg_solver;

// SG_ERR_USAGE when the options contradict the method (a fixed step with a multistep method).
// `message` receives the reason; may be null.
sg_status sg_solver_create(const sg_allocator *allocator, const sg_problem *problem,
                           const sg_solver_options *options, sg_solver **out, const char **message);
void sg_solver_destroy(sg_solver *solver);

// (Re)starts at time t from x, after creation and after every discontinuity.
sg_status sg_solver_reinit(sg_solver *solver, double t, const double *x);

// Advances by one step of the method, not beyond t_stop. After SG_STEP_ROOT the caller either
// restarts, or calls again to go on from the root as if nothing had happened.
sg_status sg_solver_step(sg_solver *solver, double t_stop, sg_advance *step);

// After a step that ended at a root, when the caller has changed root functions such that some of
// them did not cross: takes these back from `step`, which is one without a root if none is left.
// Else what is on the old side would be thought to be on the new one, and leave it unseen. `step`
// may be null, when nobody needs it any more.
sg_status sg_solver_look_again(sg_solver *solver, sg_advance *step);

// Where the last step ended, be there a root before [s].
double sg_solver_time(const sg_solver *solver);

// The continuous solution within the last step. `dx` may be null; otherwise it receives the
// derivatives of the interpolant.
sg_status sg_solver_interpolate(sg_solver *solver, double t, double *x, double *dx);
// The same of `n` states from `first` on, to the last bit. False, and nothing is set, where that is
// not less work.
bool sg_solver_interpolate_some(sg_solver *solver, double t, int32_t first, int32_t n, double *x,
                                double *dx);
// For models whose evaluations leave something to those that follow, where somebody puts that back:
// what was interpolated between these two is not gone on from, but evaluated again.
void sg_solver_keep(sg_solver *solver);
void sg_solver_put_back(sg_solver *solver);
// The cubic from values and slopes at the ends of the step, where the whole one would need more
// evaluations of the model. False, and nothing is set, where it would not.
bool sg_solver_interpolate_roughly(sg_solver *solver, double t, double *x, double *dx);

// Bounds the next step alone, more than 0; infinity, as after every step, is no bound. While the
// bound is longer than what the method is about to do, it costs nothing and changes nothing.
void sg_solver_bound_step(sg_solver *solver, double h);

// Where the caller wants to look at the states next. A solver of islands (solver/islands.h), whose
// steps do not end together, ends a call there with SG_STEP_PAUSE: it stands where it stood, and
// can be asked for that time, sg_solver_interpolate. To others it means nothing.
void sg_solver_pause(sg_solver *solver, double t);

// Between an event and its restart: from then on local errors may be this part of the tolerances
// that the solver was created with, 0 < part <= 1.
sg_status sg_solver_tighten(sg_solver *solver, double part);
// Between two steps: the absolute tolerances of the problem have changed where it has them.
void sg_solver_retake_tolerances(sg_solver *solver);

// Between an event and its restart: another sparsity pattern, or the one that find_pattern of the
// problem gives now, if it gives another.
sg_status sg_solver_set_pattern(sg_solver *solver, const sg_sparsity *pattern);
sg_status sg_solver_renew_pattern(sg_solver *solver);

sg_solver_stats sg_solver_statistics(const sg_solver *solver);
double sg_solver_last_step(const sg_solver *solver); // of these, without sums over islands [s]
// With the option check_patterns: whether a rate has been found to depend on a state that the
// pattern leaves out, and which ones.
bool sg_solver_missed(const sg_solver *solver, int32_t *rate, int32_t *state);

// An explicit method that is held up by stability, not by accuracy: the eigenvalue of the model
// that does it [1/s], negative. 0 while nothing of the kind was seen.
double sg_solver_stiff(const sg_solver *solver);
// Root functions at the end of the last step, if it ended at no root.
const double *sg_solver_root_values(const sg_solver *solver);
// At the next restart root functions are still on the sides where they were seen: what has gone
// across without the solver is found by the step that follows.
void sg_solver_keep_sides(sg_solver *solver);

// What went wrong in the last call that failed, without time: "the step became too small".
const char *sg_solver_message(const sg_solver *solver);
// Where a callback last gave no values, if that was in one of the last steps: what a step that
// became too small ran into. `x` belongs to the solver.
bool sg_solver_refused(const sg_solver *solver, double *t, const double **x);
// The states with the largest estimated local errors relative to their tolerances, at most n of
// them, the worst first; returns how many.
int32_t sg_solver_worst_states(sg_solver *solver, int32_t *states, double *errors, int32_t n);
// Adds the sizes of the estimated local errors of the last step, of the first n states.
void sg_solver_add_errors(sg_solver *solver, double *sums, int32_t n);
