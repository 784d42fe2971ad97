#include "equations/pantelides.h"

#include <stdlib.h>
#include <string.h>

typedef struct reducer {
    sg_graph *graph;
    sg_index_reduction *red;
    sg_search search;
    SG_VEC(bool) active; // columns without a derivative
    sg_ints mark;        // stamps of the columns already in a new row
    int stamp;
} reducer;

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static bool add_derivative_variable(reducer *r, int col)
{
    const sg_allocator *allocator = r->graph->allocator;
    int new_col = r->graph->n_cols++;
    r->red->var_der.data[col] = new_col;
    r->active.data[col] = false;
    return SG_PUSH(allocator, &r->red->var_der, SG_NONE) &&
           SG_PUSH(allocator, &r->red->row_of, SG_NONE) && SG_PUSH(allocator, &r->active, true) &&
           SG_PUSH(allocator, &r->mark, 0);
}

// The derivative of an equation holds what the equation holds, and the derivatives of that.
static bool add_derivative_equation(reducer *r, int row)
{
    sg_graph *graph = r->graph;
    sg_row old = sg_graph_row(graph, row);
    int first = graph->starts.data[row], n = old.n;
    r->stamp++;
    for (int k = 0; k < n; k++) {
        int j = graph->cols.data[first + k];
        r->mark.data[j] = r->stamp;
        sg_graph_add(graph, j);
        if (graph->failed)
            return false;
    }
    for (int k = 0; k < n; k++) {
        int d = r->red->var_der.data[graph->cols.data[first + k]];
        if (d == SG_NONE || r->mark.data[d] == r->stamp)
            continue;
        r->mark.data[d] = r->stamp;
        sg_graph_add(graph, d);
        if (graph->failed)
            return false;
    }
    r->red->eq_der.data[row] = sg_graph_end_row(graph);
    return !graph->failed && SG_PUSH(graph->allocator, &r->red->eq_der, SG_NONE);
}

// The last search failed: differentiate everything it reached.
static bool differentiate_reached(reducer *r)
{
    sg_ints *cols = &r->search.seen_cols, *rows = &r->search.seen_rows;
    if (cols->len)
        qsort(cols->data, cols->len, sizeof(int), compare_ints);
    qsort(rows->data, rows->len, sizeof(int), compare_ints);
    for (size_t k = 0; k < cols->len; k++) {
        if (!add_derivative_variable(r, cols->data[k]))
            return false;
    }
    for (size_t k = 0; k < rows->len; k++) {
        if (!add_derivative_equation(r, rows->data[k]))
            return false;
    }
    for (size_t k = 0; k < cols->len; k++) {
        int j = cols->data[k];
        r->red->row_of.data[r->red->var_der.data[j]] = r->red->eq_der.data[r->red->row_of.data[j]];
    }
    return true;
}

static bool prepare(reducer *r)
{
    const sg_allocator *allocator = r->graph->allocator;
    size_t rows = (size_t)sg_graph_rows(r->graph), cols = (size_t)r->graph->n_cols;
    sg_search_init(&r->search, allocator);
    r->red->eq_der = r->red->row_of = (sg_ints){0};
    if (!SG_RESERVE(allocator, &r->red->eq_der, rows) ||
        !SG_RESERVE(allocator, &r->red->row_of, cols) || !SG_RESERVE(allocator, &r->mark, cols) ||
        !SG_RESERVE(allocator, &r->active, cols))
        return false;
    for (size_t i = 0; i < rows; i++)
        (void)SG_PUSH(allocator, &r->red->eq_der, SG_NONE);
    for (size_t j = 0; j < cols; j++) {
        (void)SG_PUSH(allocator, &r->red->row_of, SG_NONE);
        (void)SG_PUSH(allocator, &r->mark, 0);
        (void)SG_PUSH(allocator, &r->active, r->red->var_der.data[j] == SG_NONE);
    }
    return true;
}

// A path, by a search that passes by what leads nowhere; what is differentiated is all that one
// without such knowledge reaches.
static sg_status search_from(reducer *r, int row, bool *found)
{
    sg_status status = SG_OK;
    *found = false;
    for (int k = 0; k < 2 && !status && !*found; k++) {
        r->search.learns = k == 0;
        status = sg_search_augment(&r->search, r->graph, r->active.data, NULL, r->red->row_of.data,
                                   row, found);
    }
    return status;
}

sg_status sg_pantelides(sg_graph *graph, sg_index_reduction *red, int max_order, int *culprit)
{
    reducer r = {.graph = graph, .red = red};
    sg_status status = prepare(&r) ? SG_OK : SG_ERR_MEMORY;
    int n_rows = sg_graph_rows(graph);
    *culprit = SG_NONE;
    for (int k = 0; k < n_rows && !status; k++) {
        bool found = false;
        int i = k;
        for (int order = 0; !found && !status; order++) {
            status = search_from(&r, i, &found);
            if (status || found)
                break;
            if (order >= max_order) {
                *culprit = k;
                status = SG_ERR_LIMIT;
            } else if (!differentiate_reached(&r)) {
                status = SG_ERR_MEMORY;
            } else {
                i = red->eq_der.data[i];
            }
        }
    }
    sg_search_free(&r.search);
    SG_VEC_FREE(graph->allocator, &r.active);
    SG_VEC_FREE(graph->allocator, &r.mark);
    return status;
}

void sg_index_reduction_free(const sg_allocator *allocator, sg_index_reduction *red)
{
    SG_VEC_FREE(allocator, &red->var_der);
    SG_VEC_FREE(allocator, &red->eq_der);
    SG_VEC_FREE(allocator, &red->row_of);
}
