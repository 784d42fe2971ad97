// Between the files that read functions of the script as expressions. Private to body.c,
// body_statements.c and body_loops.c.
#pragma once

#include "model/body.h"
#include "model/lanes.h"
#include "syntax/ast.h"

enum {
    SG_BODY_NAMES = 64,
    SG_BODY_ITEMS = 256,  // of a call, tuple or array
    SG_BODY_CALLS = 16,   // functions that call functions
    SG_BODY_WORK = 20000, // nodes looked at: loops and branches multiply
    SG_BODY_DEPTH =
        3000, // of expressions inside each other, over all functions that call each other
    SG_BODY_LOOP = 1000, // rounds of one loop that are followed one by one
    SG_BODY_WRITES = 16  // elements of arrays that the rounds of a loop write to
};

// What an expression of the function stands for: one value, or several.
typedef struct sg_meaning {
    sg_expr_id one; // null: a tuple
    sg_expr_id *items;
    uint32_t n;
    bool returned; // by a return statement: nothing behind it is looked at
} sg_meaning;

typedef struct sg_body_name {
    sg_sym name;
    sg_meaning value;
    bool shared; // may be the same array as another one, so writing to it would change both
} sg_body_name;

// An element of an array that a round of a loop writes to, or reads as it was before the loop.
typedef struct sg_body_element {
    sg_sym name;
    sg_expr_id index[2]; // second: null for one index
    sg_expr_id value;    // null: not written
    bool read;           // as it was before the loop
} sg_body_element;

// What the functions that call each other share.
typedef struct sg_body_common {
    uint32_t work;               // nodes looked at
    uint32_t n_lanes;            // placeholders made
    bool settled[SG_BODY_ITEMS]; // parameters that sizes and indices depend on
    const char *why;             // set once
} sg_body_common;

typedef struct sg_body_reader {
    sg_instance *instance;
    sg_exprs *exprs;
    sg_arena *arena;
    sg_module *module; // of the function that is read
    sg_body_name locals[SG_BODY_NAMES];
    uint32_t n_locals;
    uint32_t calls;     // how deep
    uint32_t depth;     // of the expression that is read
    bool in_branch;     // what is read may not be computed in every case
    sg_expr_id indexed; // what `end` refers to; null outside of an index
    uint32_t dimension; // ... along this one, 0: all elements
    sg_body_common *common;
    // Loops whose rounds are read all at once, outermost first; what they do to arrays.
    sg_lane loops[2];
    uint32_t n_loops;
    sg_expr_id arrays[4]; // whose elements they go over; null for a range
    sg_body_element elements[SG_BODY_WRITES];
    uint32_t n_elements;
    sg_sym written[SG_BODY_WRITES]; // arrays that the outermost of them writes to
    uint32_t n_written;
} sg_body_reader;

static inline bool sg_is_understood(sg_meaning m) { return m.one.i || m.items; }
static inline sg_meaning sg_meaning_of(sg_expr_id e) { return (sg_meaning){.one = e}; }

sg_meaning sg_body_read(sg_body_reader *r, const sg_ast *ast);
// Remembers why a function stays a call; the first reason counts. Always the empty meaning.
sg_meaning sg_body_give_up(sg_body_reader *r, const char *format, const char *detail);
const char *sg_body_name_text(const sg_body_reader *r, sg_sym sym);
sg_body_name *sg_body_local(sg_body_reader *r, sg_sym name);
bool sg_body_assign(sg_body_reader *r, sg_sym name, sg_meaning value);
bool sg_body_has_return(const sg_ast *ast);
// Choice between two values of the same kind.
sg_meaning sg_body_choose(sg_body_reader *r, sg_expr_id condition, sg_meaning yes, sg_meaning no);

// ---- body_loops.c ---------------------------------------------------------------------------

// [e for i in a:b], [e for i in a:b, j in c:d].
sg_meaning sg_body_comprehension(sg_body_reader *r, const sg_ast *ast);
// sum(e for i in a:b), also prod, maximum and minimum.
sg_meaning sg_body_reduction(sg_body_reader *r, const sg_ast *generator, sg_expr_op op);
// All rounds of a loop at once. Nothing is changed if that is not possible; `why` says what was in
// the way.
bool sg_body_loop(sg_body_reader *r, const sg_ast *ast, const char **why);
// The value of f.(args...), if `body` is that of f(first, ...) with the placeholders from `first`
// on.
sg_meaning sg_body_broadcast(sg_body_reader *r, sg_expr_id body, sg_var_id first,
                             const sg_expr_id *args, uint32_t n);
// x[i] = value, x[i, j] = value, in a loop of the kind above or outside of any.
bool sg_body_write(sg_body_reader *r, const sg_ast *target, sg_meaning value);
// The element as it is in this round; false, with an expression or a reason, if it is no element of
// an array that the loop writes to.
bool sg_body_written(sg_body_reader *r, sg_sym name, const sg_expr_id *index, uint32_t n,
                     sg_meaning *value);
// Known before a run begins, on condition that the parameters in it are.
bool sg_body_is_settled(sg_body_reader *r, sg_expr_id e);
// Is an index good in a branch that may not be taken? In a loop it is looked after.
bool sg_body_sure_index(sg_body_reader *r, sg_expr_id index);
// Does a loop that is being read write to this array?
bool sg_body_is_written(const sg_body_reader *r, sg_sym name);
// After a branch: what either side wrote.
void sg_body_merge_writes(sg_body_reader *r, sg_body_reader *other, sg_expr_id condition);

// ---- body_statements.c ----------------------------------------------------------------------

sg_meaning sg_body_if(sg_body_reader *r, const sg_ast *ast);
sg_meaning sg_body_for(sg_body_reader *r, const sg_ast *ast);
sg_meaning sg_body_assignment(sg_body_reader *r, const sg_ast *ast);
sg_meaning sg_body_return(sg_body_reader *r, const sg_ast *ast);
// One after the other; the meaning of the last one.
sg_meaning sg_body_statements(sg_body_reader *r, const sg_ast *const *list, uint32_t n);
