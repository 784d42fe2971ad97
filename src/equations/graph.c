#include "equations/graph.h"

#include "base/assert.h"

#include <limits.h>
#include <string.h>

void sg_graph_init(sg_graph *graph, const sg_allocator *allocator, int n_cols)
{
    *graph = (sg_graph){.allocator = allocator, .n_cols = n_cols};
    graph->failed = !SG_PUSH(allocator, &graph->starts, 0);
}

void sg_graph_free(sg_graph *graph)
{
    if (!graph->allocator)
        return;
    SG_VEC_FREE(graph->allocator, &graph->starts);
    SG_VEC_FREE(graph->allocator, &graph->cols);
}

void sg_graph_add(sg_graph *graph, int col)
{
    SG_ASSERT(col >= 0 && col < graph->n_cols);
    if (graph->cols.len >= INT_MAX || !SG_PUSH(graph->allocator, &graph->cols, col))
        graph->failed = true;
}

int sg_graph_end_row(sg_graph *graph)
{
    if (!SG_PUSH(graph->allocator, &graph->starts, (int)graph->cols.len))
        graph->failed = true;
    return graph->failed ? 0 : sg_graph_rows(graph) - 1;
}

sg_status sg_graph_transpose(const sg_graph *graph, sg_graph *out)
{
    int n_rows = sg_graph_rows(graph), n_cols = graph->n_cols;
    sg_graph_init(out, graph->allocator, n_rows);
    out->failed = out->failed || graph->failed ||
                  !SG_RESERVE(out->allocator, &out->starts, (size_t)n_cols + 2) ||
                  !SG_RESERVE(out->allocator, &out->cols, graph->cols.len + 1);
    if (out->failed)
        return SG_ERR_MEMORY;
    // Counting sort by column, stable in the rows; starts is shifted by one while filling.
    int *at = out->starts.data;
    memset(at, 0, ((size_t)n_cols + 2) * sizeof(int));
    for (size_t k = 0; k < graph->cols.len; k++)
        at[graph->cols.data[k] + 2]++;
    for (int j = 0; j < n_cols; j++)
        at[j + 2] += at[j + 1];
    for (int i = 0; i < n_rows; i++) {
        sg_row row = sg_graph_row(graph, i);
        for (int k = 0; k < row.n; k++)
            out->cols.data[at[row.cols[k] + 1]++] = i;
    }
    out->starts.len = (size_t)n_cols + 1;
    out->cols.len = graph->cols.len;
    return SG_OK;
}

// ---- matching ----

void sg_search_init(sg_search *search, const sg_allocator *allocator)
{
    *search = (sg_search){.allocator = allocator};
}

void sg_search_free(sg_search *search)
{
    sg_ints *all[] = {&search->stack_row, &search->stack_at, &search->seen_cols, &search->seen_rows,
                      &search->col_mark,  &search->row_mark, &search->free,      &search->region_of,
                      &search->place,     &search->low,      &search->second,    &search->passed,
                      &search->passed_at};
    for (size_t i = 0; i < SG_COUNT(all); i++)
        SG_VEC_FREE(search->allocator, all[i]);
    SG_VEC_FREE(search->allocator, &search->regions);
    SG_VEC_FREE(search->allocator, &search->parts);
    SG_VEC_FREE(search->allocator, &search->relies);
}

static bool grow_zeroed(const sg_allocator *allocator, sg_ints *ints, size_t n)
{
    if (!SG_RESERVE(allocator, ints, n))
        return false;
    for (; ints->len < n; ints->len++)
        ints->data[ints->len] = 0;
    return true;
}

static bool push_frame(sg_search *search, int row)
{
    search->row_mark.data[row] = search->stamp;
    if (search->learns) {
        search->place.data[row] = (int)search->seen_rows.len;
        search->low.data[row] = search->second.data[row] = INT_MAX;
        search->passed_at.data[row] = (int)search->passed.len;
    }
    return SG_PUSH(search->allocator, &search->stack_row, row) &&
           SG_PUSH(search->allocator, &search->stack_at, 0) &&
           SG_PUSH(search->allocator, &search->seen_rows, row);
}

// The first free column of a row. Columns never become free again, so the ones found taken are
// skipped for good.
static int free_column(sg_search *search, const sg_graph *graph, const bool *active,
                       const int *row_of, int row)
{
    sg_row r = sg_graph_row(graph, row);
    int k = search->free.data[row];
    while (k < r.n && ((active && !active[r.cols[k]]) || row_of[r.cols[k]] != SG_NONE))
        k++;
    search->free.data[row] = k;
    return k < r.n ? r.cols[k] : SG_NONE;
}

static bool prepare_search(sg_search *search, const sg_graph *graph)
{
    size_t rows = (size_t)sg_graph_rows(graph), cols = (size_t)graph->n_cols;
    search->stack_row.len = search->stack_at.len = 0;
    search->seen_cols.len = search->seen_rows.len = 0;
    search->parts.len = search->passed.len = 0;
    search->stamp++;
    if (search->learns && (!grow_zeroed(search->allocator, &search->region_of, cols) ||
                           !grow_zeroed(search->allocator, &search->place, rows) ||
                           !grow_zeroed(search->allocator, &search->low, rows) ||
                           !grow_zeroed(search->allocator, &search->second, rows) ||
                           !grow_zeroed(search->allocator, &search->passed_at, rows)))
        return false;
    return !graph->failed && grow_zeroed(search->allocator, &search->col_mark, cols) &&
           grow_zeroed(search->allocator, &search->row_mark, rows) &&
           grow_zeroed(search->allocator, &search->free, rows);
}

// ---- what searches learn ----

enum { FEW_REGIONS = 8 };

// A row reaches the one at a place.
static void reach(sg_search *search, int row, int place)
{
    int *low = &search->low.data[row], *second = &search->second.data[row];
    if (place < *low) {
        *second = *low;
        *low = place;
    } else if (place > *low && place < *second)
        *second = place;
}

// The column that says all of what is reached through column j, since somebody has looked at it:
// the exit of its region, or of the next ones. SG_NOWHERE: nothing is reached; SG_NONE: it is not
// known.
static int known_exit(sg_search *search, const bool *active, int j)
{
    size_t before = search->passed.len;
    for (int k = 0; k < FEW_REGIONS; k++) {
        int region = search->region_of.data[j];
        j = region ? search->regions.data[region - 1].exit : SG_NONE;
        if (j == SG_NONE || !SG_PUSH(search->allocator, &search->passed, region - 1))
            break;
        if (j == SG_NOWHERE || search->col_mark.data[j] == search->stamp)
            return j;
        if (active && !active[j])
            return SG_NOWHERE;
    }
    search->passed.len = before;
    return SG_NONE;
}

// The topmost row of the path has nothing left to try. What it reaches above itself, the row that
// led to it does, too; where that is one column, there may be a region here.
static bool leave_row(sg_search *search)
{
    size_t top = --search->stack_row.len;
    search->stack_at.len--;
    if (!search->learns || top == 0)
        return true;
    int row = search->stack_row.data[top], up = search->stack_row.data[top - 1];
    int place = search->place.data[row], low = search->low.data[row];
    int second = search->second.data[row];
    while (search->parts.len && search->parts.data[search->parts.len - 1].depth >= top)
        search->parts.len--;
    if (low < place)
        reach(search, up, low);
    if (second < place)
        reach(search, up, second);
    if (low < place && second < place)
        return true;
    sg_search_part part = {.begin = (size_t)place,
                           .end = search->seen_rows.len,
                           .passed = (size_t)search->passed_at.data[row],
                           .n_passed = search->passed.len - (size_t)search->passed_at.data[row],
                           .exit = low < place ? search->seen_cols.data[low - 1] : SG_NOWHERE,
                           .depth = top - 1};
    return SG_PUSH(search->allocator, &search->parts, part);
}

// Is every region there that a part passed by?
static bool still_holds(const sg_search *search, const sg_search_part *part)
{
    bool holds = true;
    for (size_t i = 0; i < part->n_passed && holds; i++)
        holds = search->regions.data[search->passed.data[part->passed + i]].exit != SG_NONE;
    return holds;
}

// A path was found: what hangs on it becomes regions. Rows were entered by the columns that they
// determine.
static bool keep_regions(sg_search *search)
{
    for (size_t k = 0; search->learns && k < search->parts.len; k++) {
        const sg_search_part *part = &search->parts.data[k];
        if (!still_holds(search, part))
            continue;
        int number = (int)search->regions.len;
        sg_search_region region = {.exit = part->exit, .others = SG_NONE};
        if (!SG_PUSH(search->allocator, &search->regions, region))
            return false;
        for (size_t i = part->begin; i < part->end; i++)
            search->region_of.data[search->seen_cols.data[i - 1]] = number + 1;
        for (size_t i = 0; i < part->n_passed; i++) {
            int *others = &search->regions.data[search->passed.data[part->passed + i]].others;
            sg_search_relies one = {number, *others};
            if (!SG_PUSH(search->allocator, &search->relies, one))
                return false;
            *others = (int)search->relies.len - 1;
        }
    }
    return true;
}

// Another row determines the column: its region is no more, nor are those that rely on it.
static bool forget_region(sg_search *search, int col)
{
    int region = (size_t)col < search->region_of.len ? search->region_of.data[col] : 0;
    sg_ints *stack = &search->passed; // its own numbers stay below
    size_t bottom = stack->len;
    if (!region)
        return true;
    search->region_of.data[col] = 0;
    if (!SG_PUSH(search->allocator, stack, region - 1))
        return false;
    while (stack->len > bottom) {
        sg_search_region *r = &search->regions.data[stack->data[--stack->len]];
        if (r->exit == SG_NONE)
            continue;
        r->exit = SG_NONE;
        for (int k = r->others; k != SG_NONE; k = search->relies.data[k].next)
            if (!SG_PUSH(search->allocator, stack, search->relies.data[k].region))
                return false;
    }
    return true;
}

// ---- the search ----

static bool take_path(sg_search *search, const sg_graph *graph, int *row_of, int end)
{
    size_t top = search->stack_row.len - 1;
    for (size_t k = top + 1; k-- > 0;) { // every row on it takes the column it went through
        int row = search->stack_row.data[k];
        int col = k == top ? end : sg_graph_row(graph, row).cols[search->stack_at.data[k] - 1];
        row_of[col] = row;
        if (!forget_region(search, col))
            return false;
    }
    return keep_regions(search);
}

sg_status sg_search_augment(sg_search *search, const sg_graph *graph, const bool *active,
                            const bool *dead, int *row_of, int row, bool *found)
{
    *found = false;
    if (!prepare_search(search, graph) || !push_frame(search, row))
        return SG_ERR_MEMORY;
    while (search->stack_row.len) {
        size_t top = search->stack_row.len - 1;
        int i = search->stack_row.data[top];
        sg_row r = sg_graph_row(graph, i);
        int *at = &search->stack_at.data[top];
        int end = *at == 0 ? free_column(search, graph, active, row_of, i) : SG_NONE;
        if (end != SG_NONE) {
            *found = true;
            return take_path(search, graph, row_of, end) ? SG_OK : SG_ERR_MEMORY;
        }
        int next = SG_NONE;
        while (*at < r.n && next == SG_NONE) {
            int j = r.cols[(*at)++];
            if ((active && !active[j]) || (dead && dead[j]))
                continue;
            int known = search->col_mark.data[j] == search->stamp ? j : SG_NONE;
            if (known == SG_NONE && search->learns)
                known = known_exit(search, active, j);
            if (known != SG_NONE) {
                if (search->learns && known != SG_NOWHERE)
                    reach(search, i, search->place.data[row_of[known]]);
                continue;
            }
            search->col_mark.data[j] = search->stamp;
            if (!SG_PUSH(search->allocator, &search->seen_cols, j))
                return SG_ERR_MEMORY;
            next = row_of[j];
        }
        if (next == SG_NONE) {
            if (!leave_row(search))
                return SG_ERR_MEMORY;
        } else if (!push_frame(search, next)) {
            return SG_ERR_MEMORY;
        }
    }
    return SG_OK;
}

sg_status sg_graph_match(const sg_graph *graph, const bool *active, int *row_of)
{
    int n_rows = sg_graph_rows(graph);
    for (int j = 0; j < graph->n_cols; j++)
        row_of[j] = SG_NONE;
    SG_VEC(bool) dead = {0};
    sg_search search;
    sg_search_init(&search, graph->allocator);
    bool complete =
        !graph->failed && SG_RESERVE(graph->allocator, &dead, (size_t)graph->n_cols + 1);
    sg_status status = complete ? SG_OK : SG_ERR_MEMORY;
    if (!status)
        memset(dead.data, 0, (size_t)graph->n_cols + 1);
    for (int i = 0; i < n_rows && !status; i++) {
        bool found;
        status = sg_search_augment(&search, graph, active, dead.data, row_of, i, &found);
        for (size_t k = 0; !status && !found && k < search.seen_cols.len; k++)
            dead.data[search.seen_cols.data[k]] = true;
    }
    sg_search_free(&search);
    SG_VEC_FREE(graph->allocator, &dead);
    return status;
}

// ---- strong components ----

void sg_sets_free(const sg_allocator *allocator, sg_sets *sets)
{
    SG_VEC_FREE(allocator, &sets->starts);
    SG_VEC_FREE(allocator, &sets->items);
}

typedef struct tarjan {
    const sg_graph *graph;
    const int *row_of;
    sg_ints number, low; // 0 is not visited; DONE has left the stack
    sg_ints path, at;    // the depth-first search
    sg_ints points;      // rows that are not yet in a component
    int counter;
    sg_sets *out;
} tarjan;

#define DONE INT_MAX

static bool enter_row(tarjan *t, int row)
{
    const sg_allocator *allocator = t->graph->allocator;
    t->number.data[row] = t->low.data[row] = ++t->counter;
    return SG_PUSH(allocator, &t->points, row) && SG_PUSH(allocator, &t->path, row) &&
           SG_PUSH(allocator, &t->at, 0);
}

static bool close_component(tarjan *t, int row)
{
    const sg_allocator *allocator = t->graph->allocator;
    int member;
    do {
        member = t->points.data[--t->points.len];
        t->number.data[member] = DONE;
        if (!SG_PUSH(allocator, &t->out->items, member))
            return false;
    } while (member != row);
    return SG_PUSH(allocator, &t->out->starts, (int)t->out->items.len);
}

static bool visit_from(tarjan *t, int root)
{
    if (!enter_row(t, root))
        return false;
    while (t->path.len) {
        int v = t->path.data[t->path.len - 1], next = SG_NONE;
        int *at = &t->at.data[t->at.len - 1];
        sg_row row = sg_graph_row(t->graph, v);
        while (*at < row.n && next == SG_NONE) {
            int w = t->row_of[row.cols[(*at)++]];
            if (w == SG_NONE)
                continue;
            if (!t->number.data[w])
                next = w;
            else if (t->number.data[w] < t->low.data[v])
                t->low.data[v] = t->number.data[w];
        }
        if (next != SG_NONE) {
            if (!enter_row(t, next))
                return false;
            continue;
        }
        if (t->low.data[v] == t->number.data[v] && !close_component(t, v))
            return false;
        t->path.len--, t->at.len--;
        if (t->path.len) {
            int parent = t->path.data[t->path.len - 1];
            if (t->low.data[v] < t->low.data[parent])
                t->low.data[parent] = t->low.data[v];
        }
    }
    return true;
}

sg_status sg_graph_components(const sg_graph *graph, const int *row_of, sg_sets *out)
{
    int n_rows = sg_graph_rows(graph);
    const sg_allocator *allocator = graph->allocator;
    tarjan t = {.graph = graph, .row_of = row_of, .out = out};
    *out = (sg_sets){0};
    bool ok = !graph->failed && SG_PUSH(allocator, &out->starts, 0) &&
              grow_zeroed(allocator, &t.number, (size_t)n_rows) &&
              grow_zeroed(allocator, &t.low, (size_t)n_rows);
    for (int i = 0; i < n_rows && ok; i++)
        ok = t.number.data[i] != 0 || visit_from(&t, i);
    sg_ints *all[] = {&t.number, &t.low, &t.path, &t.at, &t.points};
    for (size_t i = 0; i < SG_COUNT(all); i++)
        SG_VEC_FREE(allocator, all[i]);
    return ok ? SG_OK : SG_ERR_MEMORY;
}

// ---- what is wrong with a singular system ----

static void reverse_matching(const sg_graph *graph, const int *row_of, int *col_of)
{
    for (int i = 0; i < sg_graph_rows(graph); i++)
        col_of[i] = SG_NONE;
    for (int j = 0; j < graph->n_cols; j++) {
        if (row_of[j] != SG_NONE)
            col_of[row_of[j]] = j;
    }
}

// Rows in `rows` are open ends; follows row -> column -> the row that took it. Marks are per row.
static bool spread_over(const sg_graph *graph, const bool *active, const int *row_of,
                        unsigned char *row_mark, unsigned char *col_mark, sg_ints *rows,
                        sg_ints *cols)
{
    for (size_t at = 0; at < rows->len; at++) {
        sg_row row = sg_graph_row(graph, rows->data[at]);
        for (int k = 0; k < row.n; k++) {
            int j = row.cols[k];
            if ((active && !active[j]) || col_mark[j])
                continue;
            col_mark[j] = SG_PART_OVER;
            if (!SG_PUSH(graph->allocator, cols, j))
                return false;
            int next = row_of[j];
            if (next == SG_NONE || row_mark[next])
                continue;
            row_mark[next] = SG_PART_OVER;
            if (!SG_PUSH(graph->allocator, rows, next))
                return false;
        }
    }
    return true;
}

static bool spread_under(const sg_graph *transposed, const int *col_of, unsigned char *row_mark,
                         unsigned char *col_mark, sg_ints *rows, sg_ints *cols)
{
    for (size_t at = 0; at < cols->len; at++) {
        sg_row col = sg_graph_row(transposed, cols->data[at]);
        for (int k = 0; k < col.n; k++) {
            int i = col.cols[k];
            if (row_mark[i])
                continue;
            row_mark[i] = SG_PART_UNDER;
            if (!SG_PUSH(transposed->allocator, rows, i))
                return false;
            int next = col_of[i];
            if (next == SG_NONE || col_mark[next])
                continue;
            col_mark[next] = SG_PART_UNDER;
            if (!SG_PUSH(transposed->allocator, cols, next))
                return false;
        }
    }
    return true;
}

typedef struct scratch {
    SG_VEC(unsigned char) row_mark, col_mark;
    sg_ints col_of, rows, cols;
} scratch;

static bool scratch_begin(scratch *s, const sg_graph *graph, const int *row_of)
{
    size_t n_rows = (size_t)sg_graph_rows(graph), n_cols = (size_t)graph->n_cols;
    *s = (scratch){0};
    if (!SG_RESERVE(graph->allocator, &s->row_mark, n_rows + 1) ||
        !SG_RESERVE(graph->allocator, &s->col_mark, n_cols + 1) ||
        !SG_RESERVE(graph->allocator, &s->col_of, n_rows + 1))
        return false;
    memset(s->row_mark.data, 0, n_rows + 1);
    memset(s->col_mark.data, 0, n_cols + 1);
    reverse_matching(graph, row_of, s->col_of.data);
    return true;
}

static void scratch_end(scratch *s, const sg_allocator *allocator)
{
    SG_VEC_FREE(allocator, &s->row_mark);
    SG_VEC_FREE(allocator, &s->col_mark);
    SG_VEC_FREE(allocator, &s->col_of);
    SG_VEC_FREE(allocator, &s->rows);
    SG_VEC_FREE(allocator, &s->cols);
}

sg_status sg_graph_parts(const sg_graph *graph, const bool *active, const int *row_of,
                         unsigned char *row_part, unsigned char *col_part)
{
    int n_rows = sg_graph_rows(graph);
    memset(row_part, 0, (size_t)n_rows);
    memset(col_part, 0, (size_t)graph->n_cols);
    scratch s;
    sg_graph transposed = {0};
    bool ok = scratch_begin(&s, graph, row_of) && !sg_graph_transpose(graph, &transposed);
    for (int i = 0; i < n_rows && ok; i++) {
        if (s.col_of.data[i] == SG_NONE) {
            row_part[i] = SG_PART_OVER;
            ok = SG_PUSH(graph->allocator, &s.rows, i);
        }
    }
    ok = ok && spread_over(graph, active, row_of, row_part, col_part, &s.rows, &s.cols);
    s.rows.len = s.cols.len = 0;
    for (int j = 0; j < graph->n_cols && ok; j++) {
        if (row_of[j] == SG_NONE && (!active || active[j])) {
            col_part[j] = SG_PART_UNDER;
            ok = SG_PUSH(graph->allocator, &s.cols, j);
        }
    }
    ok = ok && spread_under(&transposed, s.col_of.data, row_part, col_part, &s.rows, &s.cols);
    sg_graph_free(&transposed);
    scratch_end(&s, graph->allocator);
    return ok ? SG_OK : SG_ERR_MEMORY;
}

sg_status sg_graph_over_set(const sg_graph *graph, const bool *active, const int *row_of, int row,
                            sg_ints *rows, sg_ints *cols)
{
    scratch s;
    rows->len = cols->len = 0;
    bool ok = scratch_begin(&s, graph, row_of) && SG_PUSH(graph->allocator, rows, row);
    if (ok) {
        s.row_mark.data[row] = SG_PART_OVER;
        ok = spread_over(graph, active, row_of, s.row_mark.data, s.col_mark.data, rows, cols);
    }
    scratch_end(&s, graph->allocator);
    return ok ? SG_OK : SG_ERR_MEMORY;
}

sg_status sg_graph_under_set(const sg_graph *graph, const sg_graph *transposed, const bool *active,
                             const int *row_of, int col, sg_ints *rows, sg_ints *cols)
{
    scratch s;
    rows->len = cols->len = 0;
    bool ok = scratch_begin(&s, graph, row_of) && SG_PUSH(graph->allocator, cols, col);
    if (ok) {
        s.col_mark.data[col] = SG_PART_UNDER;
        for (int j = 0; active && j < graph->n_cols; j++)
            s.col_mark.data[j] |= active[j] ? 0 : SG_PART_UNDER;
        ok = spread_under(transposed, s.col_of.data, s.row_mark.data, s.col_mark.data, rows, cols);
    }
    scratch_end(&s, graph->allocator);
    return ok ? SG_OK : SG_ERR_MEMORY;
}
