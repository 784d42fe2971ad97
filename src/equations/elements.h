// Shared by elements.c (which arrays are taken apart, their equations) and element.c (one element
// of an expression). Private.
#pragma once

#include "base/map.h"
#include "equations/shapes.h"
#include "equations/system.h"

enum {
    SG_MOST_TERMS = 2000000, // nodes of all elements of equations
    SG_MOST_DEPTH = 300      // of an expression whose elements are written out
};

typedef struct sg_splitting {
    sg_system *sys;
    sg_flat *flat;
    sg_exprs *x;
    sg_array_shapes shapes;
    bool *split;        // per variable id: taken apart
    bool *whole;        // per variable id: cannot be
    sg_var_id **parts;  // per variable id: its elements, column by column
    sg_expr_id *joined; // per variable id: [r1, r2, ...]
    sg_map is_joined;   // node of such an array -> variable
    sg_map memo;        // node and element -> expression
    sg_map holds;       // node -> 1 + whether something taken apart is in it
    uint32_t n_vars;    // before
    uint32_t first_node;
    bool redundant; // an equation says something twice, which was told
    bool failed;
} sg_splitting;

// The variable that it is a derivative of, or itself.
static inline sg_var_id sg_base_of(const sg_flat *flat, sg_var_id var)
{
    while (var.i && flat->vars.data[var.i].of.i)
        var = flat->vars.data[var.i].of;
    return var;
}

// ---- element.c ------------------------------------------------------------------------------

// Element k of an expression, written out as far as it can be.
sg_expr_id sg_element_of(sg_splitting *s, sg_expr_id e, uint32_t k);
// Element k of something that cannot be written out, of the given shape.
sg_expr_id sg_element_picked(sg_splitting *s, sg_expr_id e, sg_array_shape shape, uint32_t k);
// With [r[1], r[2], ...] for every r that is taken apart.
sg_expr_id sg_elements_joined(sg_splitting *s, sg_expr_id e);
