// Islands: parts of a problem that do not act on each other for a while, each with a solver of its
// own.
//
// A step of one solver for all is as short as the most hurried part wants it, and an event of one
// part makes all of them start anew. Where a problem falls into parts, each can have its own steps,
// its own order and its own restarts. The states are those of *cells*, bodies say, of some numbers
// each, and after every restart the problem says which cells belong together.
//
// The solver that is farthest behind takes the next step. So whenever one stands at t, the last
// steps of all others hold t as well: all of them can be asked for their states there, and nothing
// that was computed has to be taken back but the rest of a step. After each step the problem is
// asked whether two islands meet within the time that both have behind them. The earliest meeting,
// or root of an island's own functions, is where all islands are shown to the caller, as a root.
// He restarts, and of the islands those go on as if nothing had happened whose cells, states and
// `mark` are what they were; only the others start anew.
//
// The order of all that is given by times and numbers of islands alone, so the same problem gives
// the same bits. Where the caller wants to look at the states (sg_solver_pause) no step is
// cut, and none of them is asked for its states unless he does.
#pragma once

#include "base/arena.h"
#include "solver/solver.h"

// What is known of the islands at present: each has a solution up to its end.
typedef struct sg_island_motion {
    void *all;
    const double *end; // by island [s]
    // States of an island at t, which is not behind its end, in the order of its cells, and their
    // rates. Hold until the island is asked for again.
    sg_status (*at)(void *all, int32_t island, double t, const double **x, const double **dx);
    // Of `n` states from `first` on.
    sg_status (*some_at)(void *all, int32_t island, double t, int32_t first, int32_t n, double *x,
                         double *dx);
} sg_island_motion;

// All states together, for problems that cannot evaluate some of their cells by themselves.
typedef struct sg_island_whole {
    void *user;
    sg_status (*rhs)(void *user, double t, const double *x, double *dx);
    sg_status (*project)(void *user, double t, double *x); // as in sg_problem
    int32_t n_before; // states of the problem that stand in front of all that have cells
} sg_island_whole;

typedef struct sg_islands {
    void *user; // first argument of all functions
    int32_t n_cells;
    const int32_t *first, *width; // by cell: the first of its states, and how many it has
    int32_t n_roots;              // functions of an island, at most SG_ISLAND_ROOTS
    // For the present: the island of each cell, numbered from 0 in the order of their first cells;
    // by island a number that is another one whenever something of what acts in it is, and whether
    // it keeps the energy it gets (integration/model.h). Returns how many there are, or -1 when
    // memory ran out. Islands have these numbers until the next call.
    int32_t (*partition)(void *user, int32_t *island, uint64_t *mark, bool *keeps);
    // Of one island, with the states of its cells one after the other, as in sg_problem.
    sg_status (*rhs)(void *user, int32_t island, double t, const double *x, double *dx);
    // May be null, for cells of twelve states (solver/bodies.h): the bodies of an island, with no
    // number of them where slopes are not known; and their slopes, as in sg_problem.
    sg_status (*bodies)(void *user, int32_t island, sg_arena *arena, struct sg_bodies *bodies);
    bool (*slopes)(void *user, int32_t island, double t, const double *x, struct sg_bodies *bodies);
    sg_status (*roots)(void *user, int32_t island, double t, const double *x, double *z);
    // Null, or where the problem projects: whether this island has constraints, and moves its
    // states to them.
    bool (*projects)(void *user, int32_t island);
    sg_status (*project)(void *user, int32_t island, double t, double *x);
    double (*foreseen)(void *user, int32_t island, double t0, double t1, bool goes_on);
    // Where a step begins: the longest one that may be taken; renews what is to be renewed of
    // `most`, which may be null.
    double (*bound)(void *user, int32_t island, double t, const double *x, double *most);
    // A step from there to t has ended at x.
    sg_status (*swept)(void *user, int32_t island, double t, const double *x);
    // The first time behind `from` at which the island meets another one, up to the ends of both;
    // infinite if it does not. `*with` is the other one.
    sg_status (*meets)(void *user, const sg_island_motion *motion, int32_t island, double from,
                       double *when, int32_t *with);
    // What the functions of an island that changed their signs, at x, are among those of the whole
    // problem; of null, what a meeting is.
    void (*name)(void *user, int32_t island, const int8_t *own, const double *x, int8_t *all);
    // May be null: whether nothing jumps at an event at t where these functions of the whole
    // problem changed their signs, in one of so many islands that it is no point of a result by
    // itself. `*alone` comes back true where the event is a matter of the islands that were named
    // alone: the states of all others may then stay those of an earlier time.
    bool (*quiet)(void *user, double t, const int8_t *all, bool *alone);
} sg_islands;

enum { SG_ISLAND_ROOTS = 4 };

// A step that an island has taken, for whoever looks on.
typedef struct sg_island_step {
    int32_t n;             // its states,
    const int32_t *states; // among those of the whole, and
    const double *x;       // at the end of the step, which may be a root
    double t0, t;          // [s]
    sg_solver *solver;     // has the solution in between
    void *user;            // first argument of `rhs`, as in sg_problem
    sg_status (*rhs)(void *user, double t, const double *x, double *dx);
} sg_island_step;

// Called behind each step of an island, in the order in which they are taken, which has nothing
// to do with where the caller wants to look. After an error
// of the solver (SG_ERR_SOLVER), its own or that of an island, all are shown where the step began,
// and the call behind that fails: who has another solver can go on with it from there.
typedef struct sg_island_watch {
    void *user;
    sg_status (*step)(void *user, const sg_island_step *step);
} sg_island_watch;

// A solver for all of them. The problem is the whole, of which rates, roots and bounds are asked
// from the islands, and the present pattern of the whole where one is large enough to want it
// (sg_problem.find_pattern); `tight` is the part of the tolerances that
// holds where energy is kept, and until the next restart behind that; `watch` may be null.
// Statistics are sums. Restarts allocate.
sg_status sg_solver_create_islands(const sg_allocator *allocator, const sg_problem *problem,
                                   const sg_solver_options *options, const sg_islands *islands,
                                   const sg_island_watch *watch, double tight, sg_solver **out,
                                   const char **message);
// Behind an event that is quiet, states of islands that have nothing to do with it may be those of
// an earlier time. Puts these in place where the caller was shown them, and in `x` as well if that
// is not null. Does nothing else, and nothing for the solver of a whole.
sg_status sg_solver_show_all(sg_solver *solver, double *x);
// How many islands there are at present; 0 if it is the solver of a whole.
int32_t sg_solver_count_islands(const sg_solver *solver);
