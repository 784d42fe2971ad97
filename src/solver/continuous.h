// The continuous solution of one-step methods within a step.
//
// ARKODE can interpolate, but evaluates the model anew for every point when asked for more than a
// cubic, and through past values, badly after restarts, for implicit methods. Here a polynomial is
// made once for each step that somebody looks into. Values and slopes at both ends give the cubic;
// for methods of order 4 and more the slope of the model at a third raises the degree by one, and
// from order 5 on slopes at both thirds, taken from the quartic, give the quintic (Enright et al.,
// ACM TOMS 12 (1986) 193-218).
//
// Two refinements keep it as good as the steps. Explicit methods of order 6 and more take steps so
// long that the quintic does not follow; such a step is divided, the pieces are integrated with the
// method's own coefficients, and each gets its polynomial. For implicit methods the slope of a
// stiff model is noise, multiplied by a huge eigenvalue; it is filtered with the factored matrix
// I - gamma J of the step, which passes slow components and damps fast ones. Stiffly accurate
// methods are also exact at the ends of steps far too long to be followed in between; such a step
// is taken again, shorter.
#pragma once

#include "solver/engine.h"
#include "solver/tables.h"

#define SG_CONTINUOUS_DEGREE 5
#define SG_CONTINUOUS_PIECES 8

// What looks into a step would leave behind, put aside.
typedef struct sg_continuous_kept {
    bool has_f0, has_f1;
    int degree, pieces;
    double change;
} sg_continuous_kept;

typedef struct sg_continuous {
    int32_t n;
    int order;
    ARKodeButcherTable table; // owned
    bool implicit;
    double t0, h;         // of the last step
    double *x0, *f0, *f1; // at its ends; x1 is the solver's x
    bool has_f0, has_f1;  // slopes are evaluated when needed
    int degree, pieces;   // degree 0: nothing is ready
    double change;        // by the last raise of the degree, relative to the tolerance
    double *p[SG_CONTINUOUS_DEGREE + 1]; // coefficients in theta from 0 to 1, piece after piece
    double *node, *node_f, *next, *next_f, *first; // work space
    double *f, *x, *filtered;
    double *stages;
    double memo_t, *memo_x, *memo_f; // the last evaluation
    bool has_memo;
    sg_continuous_kept kept;
} sg_continuous;

// Takes the table. The method is explicit unless `implicit`.
sg_status sg_continuous_init(sg_continuous *c, sg_solver *s, ARKodeButcherTable table,
                             bool implicit);
void sg_continuous_destroy(sg_continuous *c);

// Before a step: remembers where it starts. After it: its end.
void sg_continuous_restart(sg_continuous *c);
void sg_continuous_begin(sg_continuous *c, const sg_solver *s);
void sg_continuous_end(sg_continuous *c, const sg_solver *s);

// Makes the polynomial now; `change` then tells how well it follows.
sg_status sg_continuous_prepare(sg_continuous *c, sg_solver *s);
// Puts the solver back to the start of the step.
void sg_continuous_retry(sg_continuous *c, sg_solver *s);

// Looks into the step between these two leave nothing that later ones, or the next step, go on
// from.
void sg_continuous_keep(sg_continuous *c);
void sg_continuous_put_back(sg_continuous *c);

// The right-hand side, or what it was at the same point just before. Flags as sg_solver_call_rhs.
int sg_continuous_slope(sg_continuous *c, sg_solver *s, double t, const double *x, double *f);

// The polynomial of the piece that begins at t or holds it.
sg_status sg_continuous_expand(sg_continuous *c, sg_solver *s, double t, sg_expansion *e);
// The slope dx may be null.
sg_status sg_continuous_evaluate(sg_continuous *c, sg_solver *s, double t, double *x, double *dx);
// By how much the polynomial misses the slopes of the model between the start of the step and t, as
// far as seen at two points, times the way there and relative to the tolerance: about the error of
// x at t. Infinity where the model cannot be evaluated.
double sg_continuous_doubt(sg_continuous *c, sg_solver *s, double t);
// The cubic of explicit methods, where the polynomial is of higher degree and not made yet; else
// false.
bool sg_continuous_evaluate_roughly(sg_continuous *c, sg_solver *s, double t, double *x,
                                    double *dx);
