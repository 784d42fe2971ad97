// The structure of a system of equations: which rows (equations) contain which columns (variables).
//
// Everything the translator decides before it looks at a formula is decided on this graph: which
// equation determines which variable (matching), in which order (strong components), and what is
// wrong with a model that has no answer (Dulmage-Mendelsohn). The order of rows and of the columns
// inside a row is kept everywhere, because the order of the states follows from it (language 4.5).
// All searches keep their own stack: a ladder of 100,000 elements is one path through the graph.
#pragma once

#include "base/vec.h"
#include "segue/status.h"

#include <stdint.h>

#define SG_NONE (-1) // no row, no column
#define SG_NOWHERE (-2)

typedef SG_VEC(int) sg_ints;

typedef struct sg_graph {
    const sg_allocator *allocator;
    sg_ints starts; // starts.data[i] is where row i begins; one more entry than rows
    sg_ints cols;   // the entries of all rows, one after the other
    int n_cols;
    bool failed; // the allocator refused; the graph is then incomplete and every search says so
} sg_graph;

void sg_graph_init(sg_graph *graph, const sg_allocator *allocator, int n_cols);
void sg_graph_free(sg_graph *graph);

// Rows are written one after the other: add their entries, then end the row. Returns its index, 0
// when memory ran out; the graph remembers that, and nobody finds a matching in it.
void sg_graph_add(sg_graph *graph, int col);
int sg_graph_end_row(sg_graph *graph);

static inline int sg_graph_rows(const sg_graph *graph)
{
    return graph->starts.len ? (int)graph->starts.len - 1 : 0;
}

typedef struct sg_row {
    const int *cols;
    int n;
} sg_row;

static inline sg_row sg_graph_row(const sg_graph *graph, int row)
{
    int first = graph->starts.data[row];
    int n = graph->starts.data[row + 1] - first;
    // An empty graph has no array to point into.
    return (sg_row){n ? graph->cols.data + first : NULL, n};
}

// Columns become rows; entries in ascending order of the old rows.
sg_status sg_graph_transpose(const sg_graph *graph, sg_graph *out);

// Assigns rows to columns by augmenting paths, in the order of language 4.5: rows ascending; in a
// row first the first free column, then re-assignment in depth-first order. `active` (one flag per
// column, null for all) hides columns. row_of[col] is the row or SG_NONE.
// A search that failed never helps a later one, so its columns are not looked at again.
sg_status sg_graph_match(const sg_graph *graph, const bool *active, int *row_of);

// One step of the above, for Pantelides' algorithm, with the set of columns and rows that were
// reached ("coloured") when no path exists.
// What searches that learn know of parts of the graph that lead to no free column. Rows of a region
// reach nothing but columns that rows of it determine, and one more: its exit. Who comes by after
// the exit was looked at need not enter, and finds the same path. Columns never become free again
// and are only hidden, so this holds until a path goes through the region, or through another one
// that was passed by when this one was found.
typedef struct sg_search_region {
    int exit;   // a column; SG_NOWHERE: there is none; SG_NONE: the region is no more
    int others; // the last of the regions that rely on it, in the list of `relies`; SG_NONE: none
} sg_search_region;

typedef struct sg_search_relies {
    int region, next;
} sg_search_relies;

// A part of the present search that has nothing left to try, below row `depth` of the path.
typedef struct sg_search_part {
    size_t begin, end;       // of seen_rows
    size_t passed, n_passed; // regions, of `passed`
    int exit;
    size_t depth;
} sg_search_part;

typedef struct sg_search {
    const sg_allocator *allocator;
    sg_ints stack_row, stack_at;      // the path
    sg_ints seen_cols, seen_rows;     // what the last search reached, in order of discovery
    sg_ints col_mark, row_mark, free; // stamps; and per row how many columns are known as taken
    int stamp;
    // Such a search does not see all that it could reach.
    bool learns;
    sg_ints region_of; // per column: 1 + the region of the row that determines it, 0 none
    SG_VEC(sg_search_region) regions;
    SG_VEC(sg_search_part) parts;
    // Per row: its place in seen_rows, and the two least places that it is known to reach.
    sg_ints place, low, second;
    SG_VEC(sg_search_relies) relies;
    sg_ints passed;    // regions that the present search passed by
    sg_ints passed_at; // per row: how many when the search came to it
} sg_search;

void sg_search_init(sg_search *search, const sg_allocator *allocator);
void sg_search_free(sg_search *search);
sg_status sg_search_augment(sg_search *search, const sg_graph *graph, const bool *active,
                            const bool *dead, int *row_of, int row, bool *found);

// Sets of indices, one after the other: set k is items[starts[k]] up to items[starts[k + 1]].
typedef struct sg_sets {
    sg_ints starts, items;
} sg_sets;

static inline int sg_sets_count(const sg_sets *sets)
{
    return sets->starts.len ? (int)sets->starts.len - 1 : 0;
}
static inline sg_row sg_sets_get(const sg_sets *sets, int k)
{
    int first = sets->starts.data[k];
    int n = sets->starts.data[k + 1] - first;
    return (sg_row){n ? sets->items.data + first : NULL, n};
}
void sg_sets_free(const sg_allocator *allocator, sg_sets *sets);

// Strong components of the rows under "row needs a column that another row determines", in the
// order of evaluation (Tarjan; rows visited ascending, entries in row order). Columns without a
// row are known quantities.
sg_status sg_graph_components(const sg_graph *graph, const int *row_of, sg_sets *out);

// What a maximum matching says about a system without a perfect one. Bits per row and column:
// OVER is the part with more equations than unknowns, UNDER the part with fewer, 0 the rest.
enum { SG_PART_OVER = 1, SG_PART_UNDER = 2 };
sg_status sg_graph_parts(const sg_graph *graph, const bool *active, const int *row_of,
                         unsigned char *row_part, unsigned char *col_part);

// The smallest contradictory set that contains an unmatched row: the rows reached from it by
// alternating paths. There is one row more than there are columns in them.
sg_status sg_graph_over_set(const sg_graph *graph, const bool *active, const int *row_of, int row,
                            sg_ints *rows, sg_ints *cols);
// The same for an unmatched column: the columns reached; one more than the rows that hold them.
sg_status sg_graph_under_set(const sg_graph *graph, const sg_graph *transposed, const bool *active,
                             const int *row_of, int col, sg_ints *rows, sg_ints *cols);
