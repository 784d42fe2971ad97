// Where the results of simulations go while they run: a sink of one's own.
//
// Every simulation of a session hands its points to the sinks of its options
// (sg_session_options.sinks), beside the run file and whatever else takes them. A sink sees
// signals, not states: what language.md 5.4 calls the result, at the points of the output grid and
// at both sides of each event.
//
//     static sg_status print_point(void *context, double t, const double *values, size_t n)
//     {
//         const size_t *column = context;
//         printf("%g %g\n", t, *column < n ? values[*column] : 0.0);
//         return SG_OK;
//     }
//
// Every function may be null. One that returns another status than SG_OK ends the simulation with
// that status.
#pragma once

#include "segue/signal.h"
#include "segue/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sg_sink {
    void *context; // first argument of all functions
    // A segment begins, counted from 0 in each simulation. `signals` hold until the next segment or
    // the end; the values of a signal of kind SG_SIGNAL_VAR begin at values[signal.column] and are
    // as many as it has elements. Other kinds have no values of their own.
    sg_status (*begin_segment)(void *context, const char *model, uint32_t segment, double t,
                               const sg_signal *signals, size_t n_signals);
    // In the order of time; at an event twice, before and after it. `values` hold during the call.
    sg_status (*point)(void *context, double t, const double *values, size_t n_values);
    // Between the two points of an event. The text says what happened: "positive(h)".
    sg_status (*event)(void *context, sg_event_kind kind, double t, const char *text);
    // The simulation is over, well or not; once for each that began its first segment.
    sg_status (*finish)(void *context, sg_status outcome, double t);
} sg_sink;

#ifdef __cplusplus
}
#endif
