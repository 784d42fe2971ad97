// Walking the graph: every traversal in Segue goes through here, so none recurses and each visits
// a shared node once.
//
//     sg_walk *walk = sg_walk_begin(exprs, root);
//     for (sg_expr_id e; (e = sg_walk_next(walk)).i;)
//         walk->value[e.i] = ...; // arguments come before the node that uses them
//     sg_walk_end(walk);
//
// Stamps and values are arrays over all nodes that stay allocated in the graph; a new walk just
// takes the next stamp, so its cost is that of the nodes reached. Walks may be nested.
#pragma once

#include "symbolic/expr.h"

typedef struct sg_walk_frame {
    uint32_t node, next; // next argument to look at
} sg_walk_frame;

struct sg_walk {
    sg_walk *older;
    sg_exprs *exprs;
    bool busy;
    bool each;               // visit every occurrence, not every node
    bool failed;             // memory ran out; sg_walk_next returned null early
    uint32_t stamp;          // of the present walk
    uint32_t *stamps;        // walk->stamps[e.i] == walk->stamp: e was visited
    sg_expr_id *value;       // for the caller; valid where visited
    sg_expr_id *value2;      //
    uint32_t cap;            // of all three arrays; `caps` is what each has
    size_t caps[3];          //
    sg_walk_frame *stack;    //
    size_t depth, stack_cap; //
    // Which arguments to follow; null follows all.
    bool (*follow)(const sg_exprs *exprs, sg_expr_id e, uint32_t k);
};

// Null when memory runs out or root is null (then the graph is marked as failed).
sg_walk *sg_walk_begin(sg_exprs *exprs, sg_expr_id root);
// Goes on with another root; nodes already visited are not visited again.
void sg_walk_push(sg_walk *walk, sg_expr_id root);
sg_expr_id sg_walk_next(sg_walk *walk);
// False when memory ran out on the way.
bool sg_walk_end(sg_walk *walk);
static inline bool sg_walk_seen(const sg_walk *walk, sg_expr_id e)
{
    return e.i < walk->cap && walk->stamps[e.i] == walk->stamp;
}
void sg_walks_destroy(sg_exprs *exprs);

// The node with other arguments (as many as it has), simplified again.
sg_expr_id sg_expr_rebuild(sg_exprs *exprs, sg_expr_id e, const sg_expr_id *args);

enum {
    SG_INCIDENCE_FIRST = 0,    // each variable at its first occurrence
    SG_INCIDENCE_EACH = 1,     // every occurrence (language 4.2, item 1); tree-sized
    SG_INCIDENCE_IMPLICIT = 2, // with the further arguments of implicitDependency
    SG_INCIDENCE_MEMORY = 4    // with the first arguments of pre and previous
};

// The variables of an expression from left to right (language 4.2): names in index expressions
// count, `end` and the first arguments of pre and previous do not. A visitor may build nodes.
typedef void sg_var_visitor(void *context, sg_var_id var);
bool sg_expr_incidence(sg_exprs *exprs, sg_expr_id e, unsigned flags, sg_var_visitor *visit,
                       void *context);
bool sg_expr_contains_var(sg_exprs *exprs, sg_expr_id e, sg_var_id var);
bool sg_expr_contains_op(sg_exprs *exprs, sg_expr_id e, sg_expr_op op);

// Replaces variables: `replace` returns the new expression, or null to keep the variable. One
// result for each node, so the graph does not grow beyond what differs.
typedef sg_expr_id sg_var_replacer(void *context, sg_var_id var);
sg_expr_id sg_expr_substitute(sg_exprs *exprs, sg_expr_id e, sg_var_replacer *replace,
                              void *context);
// Replaces any nodes from the leaves up: called for each node after its arguments were replaced.
typedef sg_expr_id sg_expr_replacer(void *context, sg_exprs *exprs, sg_expr_id e);
sg_expr_id sg_expr_rewrite(sg_exprs *exprs, sg_expr_id e, sg_expr_replacer *replace, void *context);
