// States and local variables that predefined components bring along (language.md 3.10).
//
// The equations do not see them: a component defines them before a segment starts, reads its states
// and writes their derivatives while the program runs, and stores its local variables at
// communication points. In the state vector they stand behind the visible states, in the order in
// which they were defined, and in the result they are ordinary signals. They may be others in the
// next segment.
#pragma once

#include "base/arena.h"
#include "base/vec.h"
#include "segue/signal.h"

// What the derivatives of a state depend on, by the order of the states in their group: bit i
// stands for state i, the last one also for all behind it.
typedef struct sg_hidden_needs {
    uint32_t own;    // of states of the same group
    uint32_t same;   // likewise, but number by number: a position's derivative is its velocity
    uint32_t linked; // of those of each linked group
    bool inner;      // no linked group depends on this state itself
} sg_hidden_needs;

typedef struct sg_hidden_var {
    const char *name, *der_name, *unit; // der_name is null for local variables
    bool plain;                         // the unit is for people (segue/signal.h)
    uint32_t at, n;                     // first number and how many
    bool scalar;
    bool truth;      // a Bool, stored as 0 or 1
    bool quadrature; // a state that only accounts for others: no part of the required final states
    bool rests;      // a quadrature that nothing changes in this segment
    bool unlisted; // a quadrature, and the model did not ask for it: no part of the names of states
    bool internal; // a state that no one is told of: no signal, no name, no part of final states
    double most;   // of a state: its size counts up to this only (solver/solver.h); 0: all of it
    bool vector;   // of a state of three numbers: each counts for as large as all (solver/solver.h)
    double nominal;   // of a state: its typical size, for its absolute tolerance; 0: not known
    double increment; // of a state: that of difference Jacobians; 0: from its size
    double finer; // of a state: the part of it that is small enough where branches were last noted;
                  // 0: all of it
    uint32_t family; // of a state: as large as others of this number (below that of states); 0
    uint32_t group;  // of a state, see sg_hidden_set_group
    sg_hidden_needs needs; // of a state with a group
} sg_hidden_var;

// Another name for a signal of the result.
typedef struct sg_hidden_alias {
    const char *name, *of;
    bool negate;
} sg_hidden_alias;

// How much of the size of a variable of the equations counts, if it is a state.
typedef struct sg_hidden_size {
    uint32_t var;     // of the flat model
    double most;      // may change while it runs; 0: all of it
    double increment; // of difference Jacobians; 0: from its size
    int32_t state;    // the first it is in this segment, -1: none
    uint32_t n;       // of them
} sg_hidden_size;

// Two groups of states, see sg_hidden_link.
typedef struct sg_hidden_pair {
    uint32_t a, b;
    const void *owner; // of a link that may be taken back
} sg_hidden_pair;
typedef SG_VEC(sg_hidden_pair) sg_hidden_links;

typedef struct sg_hidden {
    const sg_allocator *allocator;
    sg_arena arena; // names of this segment
    SG_VEC(sg_hidden_var) states, locals;
    SG_VEC(sg_hidden_alias) aliases;
    SG_VEC(sg_hidden_size) sizes;
    sg_hidden_links links;
    SG_VEC(double) start;       // of the states
    SG_VEC(double) local;       // present values of the local variables
    SG_VEC(double) derivatives; // as last written; also where they go outside of a run
    sg_hidden_links links_now;  // until an event says otherwise
    uint64_t n_relinked;        // counts the changes of these
    uint32_t n_outer;           // groups of states of the equations
    uint32_t n_crossings;
    SG_VEC(const char *) crossing_texts; // may be shorter than n_crossings
    SG_VEC(bool) crossing_answers;       // likewise
    // How many conditions these functions stood for at once, at most: one function says that of
    // all contacts one ends. 0: one each.
    uint32_t conditions;
    bool held;       // branches of laws stay as they are (sg_branches, solver/solver.h),
    bool noted;      // or are to be remembered
    const double *x; // present states; null outside of an evaluation
    // The number of the first state of the equations that a variable of the flat model is now, or
    // -1 if it is none; null outside of a run.
    int32_t (*state_of)(const void *context, uint32_t var);
    // Which of `n` variables no state moves now: they are led by time and inputs alone. Takes
    // memory, so at events only; false when that ran out. Null outside of a run.
    bool (*led)(const void *context, const uint32_t *vars, uint32_t n, bool *out);
    const void *context;
    bool failed;
} sg_hidden;

void sg_hidden_init(sg_hidden *hidden, const sg_allocator *allocator);
void sg_hidden_destroy(sg_hidden *hidden);
void sg_hidden_clear(sg_hidden *hidden); // before the components define a new segment

// Both return the number of the variable, or -1 when memory ran out. `start` and `value` are
// copied.
int32_t sg_hidden_add_state(sg_hidden *hidden, const char *name, const char *der_name,
                            const char *unit, const double *start, uint32_t n, bool scalar);
int32_t sg_hidden_add_local(sg_hidden *hidden, const char *name, const char *unit,
                            const double *value, uint32_t n, bool scalar);

// A variable of the flat model is no larger than `most` for the weights of the solver, however far
// from zero it is (solver/solver.h). False when memory ran out.
bool sg_hidden_bound_size(sg_hidden *hidden, uint32_t var, double most);

// An alias of a signal that the model has; texts are copied. False when memory ran out.
bool sg_hidden_add_alias(sg_hidden *hidden, const char *name, const char *of, bool negate);

// A crossing function that a component writes to sg_events.z; its number counts from
// sg_events.z_hidden. `text` (copied) is what logs call it.
uint32_t sg_hidden_add_crossing(sg_hidden *hidden, const char *text);
// Where this function leads to an event the component asks for a restart by itself, if there must
// be one. Else there always is. False when there is no such function, or no memory.
bool sg_hidden_crossing_answers(sg_hidden *hidden, uint32_t crossing);
// All of this as a segment has it.
struct sg_sim_crossings sg_hidden_crossings(const sg_hidden *hidden);
// The derivatives of the states of a group depend on the states of that group only, and on those of
// groups that it is linked with; nothing else depends on these. A group of 0, as at first, may
// depend on everything. Groups are numbered in the order of their states, which stand together. The
// solver's Jacobian then has blocks instead of being full.
void sg_hidden_set_group(sg_hidden *hidden, int32_t state, uint32_t group);
// Of a state with a group; at first it needs everything.
void sg_hidden_set_needs(sg_hidden *hidden, int32_t state, sg_hidden_needs needs);
// A group of states of the equations, as those of the joints of an arm: its number, for links like
// those of the others. Which states these are, whoever wants the pattern must know (sim/trees.h).
uint32_t sg_hidden_add_outer(sg_hidden *hidden);
// One of this kind by its number, for whoever has a numbering of its own.
uint32_t sg_hidden_outer_group(uint32_t number);
// Whether a group is of this kind; *number counts them from 0.
bool sg_hidden_is_outer(uint32_t group, uint32_t *number);
// Either group depends on the other. False when memory ran out.
bool sg_hidden_link(sg_hidden *hidden, uint32_t group_a, uint32_t group_b);
// The same for as long as nothing else is said, which may be at any event: contacts begin and end.
// First the links of this kind that the same component made are taken back.
void sg_hidden_unlink(sg_hidden *hidden, const void *owner);
bool sg_hidden_link_now(sg_hidden *hidden, const void *owner, uint32_t group_a, uint32_t group_b);
// States of the equations in groups of the outer kind, in the order in which these were added:
// whose derivatives depend on what a group is linked with (rows), and on which what it is linked
// with depends (columns).
typedef struct sg_hidden_outer {
    const struct sg_sparsity *rows, *columns; // a column of these for each group, with its states
} sg_hidden_outer;

// The pattern of the visible states with these blocks behind it, or null (full) where a component
// does not say what its states depend on. `outer` may be null if there is no such group. `ties` are
// more entries, between states of both kinds, or null. Quadratures are left out
// (sg_problem.quadrature). Lives in the arena.
const struct sg_sparsity *sg_hidden_pattern(const sg_hidden *hidden,
                                            const struct sg_sparsity *visible,
                                            const sg_hidden_outer *outer,
                                            const struct sg_sparsity *ties, sg_arena *arena);
// The local variable is true or false.
void sg_hidden_mark_truth(sg_hidden *hidden, int32_t number);
// The state that was added last is a quadrature; `listed` if the model asked for it, `rests` if its
// derivative is zero all along.
void sg_hidden_set_quadrature(sg_hidden *hidden, bool listed, bool rests);

// The present value of a state: what the solver says, or the start value before the run.
const double *sg_hidden_state(const sg_hidden *hidden, int32_t number, uint32_t *n);
// False when the number of values is not that of the state, or it is none.
bool sg_hidden_set_derivative(sg_hidden *hidden, int32_t number, const double *value, uint32_t n);
bool sg_hidden_set_local(sg_hidden *hidden, int32_t number, const double *value, uint32_t n);

static inline uint32_t sg_hidden_count(const sg_hidden *hidden)
{
    return (uint32_t)hidden->start.len;
}
// Their derivatives after an evaluation.
void sg_hidden_derivatives(const sg_hidden *hidden, double *dx);
