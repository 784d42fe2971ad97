// The past of variables, for delay(x, T): what a run knew at times that are over.
//
// After every step each delayed number is looked at in seven places of the step, and a polynomial
// of degree six goes through them. One of degree four through five of them must predict the other
// two; where it does not, the step is cut in half, and so on. So the past is as exact as the
// tolerance asks, whatever the solver's steps were made for: sin(100*time) beside states that
// hardly move, or what only results depend on. Pieces that no delay reaches any more are given up,
// so memory is bounded by what happens within the longest delay.
//
// No step is longer than the shortest delay, so whatever a step needs of the past is there, and
// delayed values depend on nothing but time.
//
// At events the past may jump. Each delayed value keeps to one side of a jump, as conditions keep
// their values between events, until the jump arrives; that is an event at its exact time. Where
// the past only bends (at the start and at all other events) the solver stops and begins anew,
// since its methods are made for smooth functions. Behind a delay the bend is one derivative
// higher, and after a few of them nobody has to stop for it: error control sees it through. With n
// different delays each bend makes n new ones, so the more delays, the sooner that is.
#pragma once

#include "program/events.h"
#include "segue/alloc.h"
#include "segue/status.h"

#define SG_DELAY_NODES 7
#define SG_DELAY_CUTS 20  // how often a step is cut in half, at most
#define SG_DELAY_SMOOTH 5 // derivatives whose bends are stopped for, at most
#define SG_DELAY_STOPS 64 // of one bend, about

// A polynomial in u from -1 to 1 over [t0, t1] for each number.
typedef struct sg_delay_piece {
    double t0, t1; // [s]
} sg_delay_piece;

// An instant at which derivatives from the `order`-th on may jump, and values of some taps do.
typedef struct sg_delay_break {
    double t;       // [s]
    uint64_t piece; // the first one behind it
    uint32_t order;
} sg_delay_break;

// Where a tap stands: its section of the past has no jumps.
typedef struct sg_delay_view {
    uint64_t from;       // first piece of the section
    bool from_start;     // ... which goes back to before the start
    uint64_t jump, bend; // breaks that it will reach next
} sg_delay_view;

// Pieces and breaks are numbered from the start of the run and lie in rings.
typedef struct sg_sim_delays {
    const sg_allocator *allocator;
    sg_delay_tap *taps;       // those of the layout; a program that is linked anew forgets its own
    uint32_t n_taps, n;       // delayed values; numbers whose past is kept
    double tolerance;         // relative
    double longest, shortest; // [s]; infinity if nothing is delayed
    uint32_t smooth;          // derivatives whose bends are stopped for
    sg_delay_view *views;

    bool begun;
    double begin, end; // the past is known in between [s]
    double *start;     // values before
    double *last;      // values at the end
    double *largest;   // size of each number so far

    sg_delay_piece *pieces;
    double *coefs; // of each piece: for each number SG_DELAY_NODES coefficients
    uint64_t first_piece, end_piece;
    size_t piece_cap;

    sg_delay_break *breaks;
    bool *jumped; // of each break: which taps
    uint64_t first_break, end_break;
    size_t break_cap;

    uint32_t order; // of the next break, 0 if there is none; see sg_sim_delays_stopped
    double *nodes;  // work space: values at the places of nested cuts
} sg_sim_delays;

// Destroy in any case.
sg_status sg_sim_delays_init(sg_sim_delays *d, const sg_allocator *allocator,
                             const sg_event_layout *layout);
void sg_sim_delays_destroy(sg_sim_delays *d);

// At the start and at events: memory for the steps until the next one. More of them than it is for
// make the past grow on its way.
sg_status sg_sim_delays_reserve(sg_sim_delays *d);

// Evaluates the model at t, somewhere in the last step, and gives the values found.
typedef sg_status sg_delay_sampler(void *context, double t, const double **values);

// The run begins at t: what is before has these values for good.
void sg_sim_delays_begin(sg_sim_delays *d, double t, const double *values);
// Behind a step that ended at t.
sg_status sg_sim_delays_record(sg_sim_delays *d, double t, sg_delay_sampler *sample, void *context);
// The solver begins anew at the end of the past, with these values.
sg_status sg_sim_delays_resume(sg_sim_delays *d, const double *values);

// The past, to a saved state or back. What is read goes on smoothly: no break is made where the
// solver begins anew.
struct sg_archive; // base/archive.h
sg_status sg_sim_delays_archive(sg_sim_delays *d, struct sg_archive *a);

// Value of a tap at time t.
void sg_sim_delays_value(const sg_sim_delays *d, uint32_t tap, double t, double *value);

// ... and its bounds over [t - r, t + r] (program/enclosed.h).
struct sg_enclosed;
void sg_sim_delays_enclose(const sg_sim_delays *d, uint32_t tap, double t, double r,
                           struct sg_enclosed *out);

// When the next jump and the next bend arrive; infinity if none is on its way [s].
double sg_sim_delays_next_jump(const sg_sim_delays *d);
double sg_sim_delays_next_bend(sg_sim_delays *d, double t);
// A step ended at t. If it was only for a bend, the next break is a smoother one.
void sg_sim_delays_stopped(sg_sim_delays *d, double t, bool for_bend_only);
// At an event: jumps that arrive by now have arrived. True if there were some.
bool sg_sim_delays_pass(sg_sim_delays *d, double t);

// [bytes] in use now.
size_t sg_sim_delays_memory(const sg_sim_delays *d);
