// Sets of states, inputs and times that numbers of a program depend on, while they are found
// (pattern.c). Private to the files that find them.
#pragma once

#include "base/map.h"
#include "program/linked.h"

typedef struct sg_column_set {
    uint32_t first, n; // into items
} sg_column_set;

typedef struct sg_tracer {
    const sg_exec *exec;
    const sg_allocator *allocator;
    SG_VEC(sg_column_set) sets; // sets[0] is empty
    SG_VEC(uint32_t) items;
    sg_map by_content; // hash of the content -> set; a clash makes a second, equal set
    sg_map unions;     // pair of sets -> set
    uint32_t *of;      // set of each number of the workspace
    uint32_t *rows;    // set of each crossing function
    uint32_t *met;     // stamp at which each state was last met
    uint32_t stamp;    //
    const bool *held;  // functions whose results are taken as they are; null: none
    sg_held *calls;    // where their calls are noted
    sg_arena *arena;   // of these
    uint32_t n_held;   // results so far
    uint32_t min_size; // systems left to the solver, UINT32_MAX: none
    uint32_t *given;   // variables of nonlinear systems are: sets of their residuals; or null
    // For who wants to know what anything depends on at all (depends.h), not only between events:
    bool decides;       // conditions, branches and memories count
    uint32_t control;   // the conditions of the branches around
    uint32_t time, all; // sets: the time; everything there is
    uint32_t *past;     // of memories: pre, then previous, then what is delayed
    uint32_t *rates;    // of derivatives, before the present pass
    bool grown;         // something of the past became more in this pass
    bool failed;
} sg_tracer;

uint32_t sg_trace_join(sg_tracer *t, uint32_t a, uint32_t b);
uint32_t sg_trace_join_range(sg_tracer *t, uint32_t at, uint32_t n);
// Of all operands from `first` on.
uint32_t sg_trace_join_operands(sg_tracer *t, const sg_wide *w, uint32_t first);
static inline void sg_trace_assign(sg_tracer *t, uint32_t at, uint32_t n, uint32_t value)
{
    for (uint32_t i = 0; i < n; i++)
        t->of[at + i] = value;
}

// Operations on whole arrays.
void sg_trace_wide(sg_tracer *t, const sg_wide *w);

// Of a tracer that counts decisions. An entry that decides or remembers: false if it is none.
bool sg_trace_decision(sg_tracer *t, const sg_linked *c);
// Where the branches end that begin with the entry `pc`, which may skip one.
uint32_t sg_trace_branches_end(const sg_exec *exec, uint32_t pc);
