// Tearing: in a set of equations that depend on each other, which variables can be computed one
// after the other once a few others (the tearing variables) are given.
//
// Equations are tried in order, and in each the unknowns class by class; an assignment is kept if
// the equation can be solved for the variable and no cycle arises (language 4.6). The assigned
// equations are held in an order of evaluation that is repaired locally with each new one, so a
// cycle is found by looking only at what lies between the two ends, not at the whole set.
#pragma once

#include "base/arena.h"
#include "equations/graph.h"

enum { SG_TEAR_CLASSES = 6 };

typedef struct sg_tear_input {
    const sg_graph *graph;
    const int *rows; // in the order in which they are tried
    int n_rows;
    const int *cols; // the unknowns
    int n_cols;
    const unsigned char *col_class; // per unknown: 1..6; smaller is assigned first; 0 never
    const int *fixed_row;           // per unknown: the row it is already solved from, or SG_NONE
    // Can this row be solved for this column with a safe (literal) coefficient?
    bool (*solvable)(void *context, int row, int col);
    // A row that yields several unknowns at once (a function with several results): writes up to
    // `max` columns and returns how many; 0 for ordinary rows, SG_NONE for rows that have no code
    // of their own and follow another row. May be null.
    int (*outputs)(void *context, int row, int *cols, int max);
    void *context;
} sg_tear_input;

typedef struct sg_tear_output {
    int *solved_rows; // in the order of evaluation
    int n_solved;
    int *row_of;    // per unknown, parallel to the input's cols: its row or SG_NONE
    int *tear_cols; // unknowns without a row, in the order of the input
    int n_tear;
    int *residual_rows; // rows that are left, in the order of the input
    int n_residual;
} sg_tear_output;

// The workspace maps the rows and columns of the graph to those of the set; it is made once for a
// graph and used for many sets.
typedef struct sg_tearing {
    int *local_col; // per column of the graph: position in the set + 1, 0 if not in it
    int n_cols;
} sg_tearing;

sg_status sg_tearing_init(sg_tearing *work, sg_arena *arena, int n_cols);
// The arrays of `out` live in `arena`.
sg_status sg_tear(sg_tearing *work, const sg_tear_input *in, sg_arena *arena, sg_tear_output *out);
