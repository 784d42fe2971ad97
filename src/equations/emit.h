// One expression at a time into steps of a program. Private to code generation (codegen.c).
//
// Each node has at most one register at a time. A register found inside a branch of a condition,
// or in the tangents of a system, is forgotten at the end of that range (sg_emit_forget), since
// its step does not always run.
#pragma once

#include "base/map.h"
#include "equations/codegen.h"
#include "symbolic/print.h"

// How often a value can change; a comparison of what changes continuously is an event.
typedef enum sg_rate { SG_RATE_FIXED, SG_RATE_EVENT, SG_RATE_ALWAYS } sg_rate;

// What a node contains, as bits.
enum {
    SG_HAS_CALL = 1,
    SG_HAS_REINIT = 2,
    SG_HAS_EVENT = 4,       // operators that look at events
    SG_HAS_COMPARISON = 8,  // <, <=, >, >=
    SG_HAS_IN_FUNCTION = 16 // ... of a function of the user
};

typedef enum sg_emit_kind {
    SG_EMIT_VALUE,  // the node, arguments first
    SG_EMIT_FINISH, // its arguments are there
    SG_EMIT_THEN,   // the condition of an if is there
    SG_EMIT_ELSE,   // the first branch is there
    SG_EMIT_END     // the second branch is there
} sg_emit_kind;

typedef struct sg_emit_task {
    sg_emit_kind kind;
    sg_expr_id node;
    sg_reg dst;          // where the value is wanted; null: anywhere
    uint32_t jump, mark; // of a branch: the jump to aim, what to forget
} sg_emit_task;

typedef struct sg_emitter {
    sg_exprs *exprs;
    const sg_blocks *blocks;
    sg_program *program;
    const sg_allocator *allocator;
    sg_diags *diags;
    bool comparisons_are_events;
    bool plain; // neither tangents nor what only results need make events of functions that jump
    sg_expr_names names;
    uint32_t eq; // of the steps being made

    SG_VEC(uint32_t) reg_of;   // register of each node; 0 if it has none at this point
    SG_VEC(uint32_t) log;      // nodes in the order they got theirs, to forget them again
    SG_VEC(uint8_t) contents;  // SG_HAS_ bits of each node
    SG_VEC(uint8_t) rates;     // sg_rate of each register
    SG_VEC(uint32_t) var_regs; // register of each variable, with those made for tangents
    SG_VEC(sg_emit_task) tasks;
    SG_VEC(sg_reg) operands; // of the step being made
    sg_map n_results;        // call node -> how many results are used
    sg_map slots;            // event node -> slot or memory
    sg_map pre_of;           // variable -> memory of its pre
    sg_map delay_of;         // variable -> memory of its past
    sg_map state_of;         // variable -> state number
    bool failed;             // memory
    bool wrong;              // reported to the user
} sg_emitter;

void sg_emit_free(sg_emitter *m);

// Gives event operators the slots that they have in another program of this graph.
void sg_emit_slots_like(sg_emitter *m, const sg_program *like);
// The register that holds the value of e from here on; with dst, written there.
sg_reg sg_codegen_emit(sg_emitter *m, sg_expr_id e, sg_reg dst);
// SG_HAS_ bits of a node.
uint8_t sg_emit_contents(sg_emitter *m, sg_expr_id e);
uint32_t sg_emit_mark(const sg_emitter *m);
void sg_emit_forget(sg_emitter *m, uint32_t mark);

sg_reg sg_emit_var(const sg_emitter *m, uint32_t var);
void sg_emit_set_var(sg_emitter *m, uint32_t var, sg_reg reg);
sg_rate sg_emit_rate(const sg_emitter *m, sg_reg reg);
void sg_emit_set_rate(sg_emitter *m, sg_reg reg, sg_rate rate);

// ---- what emit.c and emit_event.c ask of each other -----------------------------------------

sg_op sg_emit_op(sg_expr_op op);
sg_reg sg_emit_reg_of(const sg_emitter *m, sg_expr_id e);
const char *sg_emit_var_name(const sg_emitter *m, sg_var_id var);
// A step whose result changes as often as its operands, or at events.
sg_reg sg_emit_step(sg_emitter *m, sg_op op, bool dot, sg_reg dst, const sg_reg *operands,
                    uint32_t n, uint32_t aux);
// Tells it, at the equation of the steps being made. Always false.
bool sg_emit_complain(sg_emitter *m, const char *text);

// Operators of events, comparisons of what changes continuously (of numbers, of arrays), and
// functions that jump; their arguments have registers.
sg_reg sg_emit_event(sg_emitter *m, sg_expr_id e, sg_expr_op op, sg_reg dst, const sg_reg *operands,
                     uint32_t n);
sg_reg sg_emit_comparison(sg_emitter *m, sg_expr_id e, sg_expr_op op, sg_reg dst);
sg_reg sg_emit_comparisons(sg_emitter *m, sg_expr_id e, sg_expr_op op, sg_reg dst);
bool sg_emit_changes(const sg_emitter *m, const sg_reg *operands, uint32_t n);
sg_reg sg_emit_jumping(sg_emitter *m, sg_expr_id e, sg_expr_op op, bool dot, sg_reg dst);
