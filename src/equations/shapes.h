// Sizes of variables and expressions, as far as start values and parameters tell them.
//
// The structure of a model does without sizes; only where a constraint holds single elements of an
// array, the array must be taken apart (elements.c), and then sizes must be known. What cannot be
// told, such as the value of a function that has to be called, stays open.
#pragma once

#include "flat/flat.h"

typedef enum sg_array_shape_kind {
    SG_ARRAY_OPEN, // not known
    SG_ARRAY_NUMBER,
    SG_ARRAY_VECTOR,
    SG_ARRAY_MATRIX
} sg_array_shape_kind;

typedef struct sg_array_shape {
    uint8_t kind; // sg_array_shape_kind
    uint32_t rows, cols;
} sg_array_shape;

typedef struct sg_array_shapes {
    sg_flat *flat;
    sg_arena arena;
    sg_array_shape *vars;  // per variable id; derivatives have the shape of their variable
    sg_array_shape *nodes; // per node, valid where `known`
    bool *known;
    uint32_t n_vars, n_nodes;
} sg_array_shapes;

// Finds the shapes of all variables from their values and from equations such as y = 2*r. What no
// equation says anything else about is a number. False when memory ran out.
bool sg_array_shapes_init(sg_array_shapes *shapes, sg_flat *flat);
void sg_array_shapes_free(sg_array_shapes *shapes);

// OPEN also when memory runs out.
sg_array_shape sg_array_shape_of(sg_array_shapes *shapes, sg_expr_id e);
// Of an equation: that of both its sides; a literal zero fits anything.
sg_array_shape sg_array_shape_of_sides(sg_array_shapes *shapes, sg_expr_id lhs, sg_expr_id rhs);
static inline uint32_t sg_array_shape_count(sg_array_shape shape) // 0: open
{
    return shape.kind == SG_ARRAY_OPEN ? 0 : shape.rows * shape.cols;
}

// The elements, from 0 on, that an index selects along a dimension of `size` elements, `at` of them
// written to `list`, which holds `size`. False if that is not known when the model is translated.
bool sg_array_shape_index(sg_array_shapes *shapes, sg_expr_id index, uint32_t size, uint32_t *list,
                          uint32_t *n);
