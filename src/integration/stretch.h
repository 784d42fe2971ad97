// A stretch of a run that may have to be repeated.
//
// A watch sees signs that something is wrong, and signs deceive. So none of them ends a run by
// itself. What it suspects is tested: the states where the suspicious stretch begins are kept, and
// a twin, another solver with the same model, goes from there to where the run stands, with what
// would make the difference if there is one: smaller absolute tolerances of the suspected states,
// or shorter steps. Where both arrive at the same states the suspicion is forgotten. Where they do
// not, another twin with still smaller ones follows, until two of them agree; then the run goes
// back to where the stretch began and comes again with the tolerances of the last one, and a note
// says so. Only where no two of them agree, and they differ grossly, there is evidence that cannot
// be repaired.
//
// Results within an open stretch are kept back by the run (sim/held.c), so that nothing that
// was handed out is ever replaced. A stretch lies between two restarts of the solver: within it
// conditions and memories stay, and the model is a function of time and states alone. Where that
// does not hold, or the solver has more than states, no stretch can be repeated; watches then warn.
//
// What is compared, and how often, depends on steps and states, never on the output interval.
#pragma once

#include "segue/status.h"

#include <stdbool.h>
#include <stdint.h>

struct sg_integration;

typedef enum sg_stretch_outcome {
    SG_STRETCH_NONE,    // there is none
    SG_STRETCH_GOES_ON, // results are to be kept back
    SG_STRETCH_OVER,    // those that were are good
    SG_STRETCH_REPEATED // the integration stands where it began; results from there on come again
} sg_stretch_outcome;

// So many times between restarts say whether events pile up.
enum { SG_STRETCH_TIMES = 8 };

typedef struct sg_stretch {
    bool open;
    double t, *x;      // where it began, all states
    double *largest;   // sizes that states had had by then
    uint32_t steps;    // since then
    bool due;          // somebody wants it tested now
    bool rescues;      // ... before the run ends
    bool wakes;        // ... and an event follows, for which what is left behind counts
    uint32_t asked;    // 1 + the crossing function that needs it repeated with `part`, 0: none
    uint64_t spent;    // steps of all twins so far
    uint64_t evals;    // evaluations of all tests that are over
    uint64_t begun;    // how many there were in all when the present one began
    uint64_t next;     // the run takes so many steps before the next test
    uint32_t repeated; // how often this run went back
    uint32_t undone;   // which of these was in vain
    double last;       // where to, the last time [s], and how often just there
    uint32_t again;
    double known;          // where a stretch was found right without an event, the last time [s]
    double *part;          // of twins: what their tolerances are of those at the beginning
    double *part_before;   // ... of the one before the last
    double *atol;          // theirs
    double *mine, *theirs; // states at the end of two answers
    double *most;          // sizes of the states on the way of the last twin
    double *size;          // of what begins at zero: how large it is
    uint32_t sized;        // how often the run went back because of that
    double between[SG_STRETCH_TIMES]; // of the last restarts, newest first [s]
    double pile;                      // events pile up, less than this apart [s]; 0: they do not
} sg_stretch;

// The solver restarts, so long after it did the last time.
void sg_stretch_restart(sg_stretch *s, double seconds);
// Can what follows from here on be repeated at all?
bool sg_stretch_possible(const struct sg_integration *g);
// Begins at the states x at t, unless one is open or none is possible.
void sg_stretch_open(struct sg_integration *g, double t, const double *x);
// Repeat it with the tolerances that `part` has been set to: what a crossing function does depends
// on them. Done when it is settled next.
void sg_stretch_ask(struct sg_integration *g, uint32_t crossing);
// Has it hardly begun, at a restart of the solver? Then nothing had time to go wrong.
bool sg_stretch_is_brief(const struct sg_integration *g);
// Did the run begin again there as often as crossing functions may ask for it?
bool sg_stretch_asked_often(const struct sg_integration *g);
// Forgets it: what went on since is taken as it is.
void sg_stretch_close(struct sg_integration *g);
// Something is about to end the run. If a stretch is open, states are below their tolerances, and
// that may be the reason: it is tested, whatever that costs. True if the run went back to where it
// began (`went_back` of the integration), so that nothing ends.
bool sg_stretch_rescue(struct sg_integration *g);
// No step leads away from where the run went back to: rounding in a state may be larger than the
// tolerances that a twin found its way with. True if the run goes on with those that it had.
bool sg_stretch_undo(struct sg_integration *g);
// ... and that was so from where the present stretch began: smaller tolerances lead nowhere.
bool sg_stretch_was_in_vain(const struct sg_integration *g);
// After each step. `closing`: an event, a restart or the end of the run follows at once, so that it
// is over in any case.
sg_status sg_stretch_settle(struct sg_integration *g, bool closing, sg_stretch_outcome *outcome);
