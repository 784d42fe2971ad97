#include "equations/tearing.h"

#include "base/assert.h"

#include <stdlib.h>

// Rows and columns are renumbered from 0 inside the set. A row that has been assigned is a node of
// a graph: it precedes the rows that use what it computes.
typedef struct tearing {
    const sg_tear_input *in;
    int n_rows, n_cols;
    int *row_start, *row_cols; // unknowns of each row, in order
    int *col_start, *col_rows; // rows of each unknown
    int *row_of;               // per unknown
    int *next, *prev;          // assigned rows in the order of evaluation; n_rows is the anchor
    uint64_t *label;           // grows along that order; 0 is not assigned
    int *mark, stamp;
    int *queue;    // rows reached by a search
    int *out_cols; // unknowns an attempt would assign
    int n_out;
    bool *done; // per row: assigned, or without code
} tearing;

// Rows are often put in front of all others, so there is as much room for labels as behind.
#define FIRST_GAP ((uint64_t)1 << 32)
#define FIRST_LABEL ((uint64_t)1 << 62)

// ---- the order of evaluation ----

static void relabel_all(tearing *t)
{
    uint64_t label = FIRST_LABEL;
    for (int i = t->next[t->n_rows]; i != t->n_rows; i = t->next[i])
        t->label[i] = label += FIRST_GAP;
}

static void insert_after(tearing *t, int row, int before)
{
    int after = t->next[before];
    t->next[before] = t->prev[after] = row;
    t->prev[row] = before, t->next[row] = after;
    uint64_t first = after == t->n_rows ? FIRST_LABEL : t->label[after];
    uint64_t low = before != t->n_rows     ? t->label[before]
                   : first > 2 * FIRST_GAP ? first - 2 * FIRST_GAP
                                           : 0;
    uint64_t high = after == t->n_rows ? low + 2 * FIRST_GAP : t->label[after];
    t->label[row] = low + (high - low) / 2;
    if (t->label[row] == low || high < low)
        relabel_all(t);
}

static void take_out(tearing *t, int row)
{
    t->next[t->prev[row]] = t->next[row];
    t->prev[t->next[row]] = t->prev[row];
}

static int compare_labels(const tearing *t, int a, int b)
{
    return (t->label[a] > t->label[b]) - (t->label[a] < t->label[b]);
}

// Sorts the reached rows by label; insertion sort would be quadratic, so a heap sort in place.
static void sort_by_label(const tearing *t, int *rows, int n)
{
    for (int end = n, start = n / 2; end > 1;) {
        int hole;
        if (start > 0) {
            hole = --start;
        } else {
            int last = rows[--end];
            rows[end] = rows[0];
            rows[0] = last;
            hole = 0;
        }
        for (int child = 2 * hole + 1; child < end; child = 2 * hole + 1) {
            if (child + 1 < end && compare_labels(t, rows[child + 1], rows[child]) > 0)
                child++;
            if (compare_labels(t, rows[hole], rows[child]) >= 0)
                break;
            int up = rows[child];
            rows[child] = rows[hole];
            rows[hole] = up;
            hole = child;
        }
    }
}

// ---- attempts ----

static bool reach_users(tearing *t, int col, uint64_t limit, int *n_reached)
{
    for (int k = t->col_start[col]; k < t->col_start[col + 1]; k++) {
        int user = t->col_rows[k];
        if (!t->label[user] || t->label[user] > limit)
            continue;
        if (t->mark[user] == t->stamp)
            return false; // it is one of those that must come before
        if (t->mark[user] == t->stamp + 1)
            continue;
        t->mark[user] = t->stamp + 1;
        t->queue[(*n_reached)++] = user;
    }
    return true;
}

static bool reach_users_of_row(tearing *t, int row, uint64_t limit, int *n_reached)
{
    for (int k = t->row_start[row]; k < t->row_start[row + 1]; k++) {
        int col = t->row_cols[k];
        if (t->row_of[col] == row && !reach_users(t, col, limit, n_reached))
            return false;
    }
    return true;
}

static bool is_output(const tearing *t, int col)
{
    for (int k = 0; k < t->n_out; k++) {
        if (t->out_cols[k] == col)
            return true;
    }
    return false;
}

// Puts `row`, which computes t->out_cols, into the order, or finds that this closes a cycle: then
// a row that uses the result leads to a row that must come before. Only rows that stand between
// the first user and the last supplier matter; if there is no cycle they move behind `row`.
static bool try_assign(tearing *t, int row)
{
    t->stamp += 2;
    int last = t->n_rows; // the supplier that comes last
    for (int k = t->row_start[row]; k < t->row_start[row + 1]; k++) {
        int supplier = t->row_of[t->row_cols[k]];
        if (supplier == SG_NONE || is_output(t, t->row_cols[k]))
            continue;
        t->mark[supplier] = t->stamp;
        if (last == t->n_rows || t->label[supplier] > t->label[last])
            last = supplier;
    }
    int n_reached = 0;
    if (last != t->n_rows) {
        uint64_t limit = t->label[last];
        for (int k = 0; k < t->n_out; k++) {
            if (!reach_users(t, t->out_cols[k], limit, &n_reached))
                return false;
        }
        for (int at = 0; at < n_reached; at++) {
            if (!reach_users_of_row(t, t->queue[at], limit, &n_reached))
                return false;
        }
        sort_by_label(t, t->queue, n_reached);
    } else { // nothing must come before: in front of everything
        last = t->n_rows;
    }
    for (int at = 0; at < n_reached; at++)
        take_out(t, t->queue[at]);
    insert_after(t, row, last);
    for (int at = 0, before = row; at < n_reached; at++) {
        insert_after(t, t->queue[at], before);
        before = t->queue[at];
    }
    for (int k = 0; k < t->n_out; k++)
        t->row_of[t->out_cols[k]] = row;
    t->done[row] = true;
    return true;
}

static bool has_unknown(const tearing *t, int row, int col)
{
    for (int k = t->row_start[row]; k < t->row_start[row + 1]; k++) {
        if (t->row_cols[k] == col)
            return true;
    }
    return false;
}

// The results of a function are assigned together, when the first of them is due.
static void try_outputs(tearing *t, const sg_tearing *work, int row, int n, int class)
{
    bool due = false;
    t->n_out = 0;
    for (int k = 0; k < n; k++) {
        int col = work->local_col[t->out_cols[k]] - 1;
        if (col < 0)
            continue; // known: this result is a residual
        if (t->row_of[col] != SG_NONE || !has_unknown(t, row, col))
            return;
        due = due || t->in->col_class[col] <= class;
        t->out_cols[t->n_out++] = col;
    }
    if (due && t->n_out)
        try_assign(t, row);
}

static void try_row(tearing *t, const sg_tearing *work, int row, int class)
{
    const sg_tear_input *in = t->in;
    int graph_row = in->rows[row];
    int n = in->outputs ? in->outputs(in->context, graph_row, t->out_cols, t->n_cols) : 0;
    if (n) {
        if (n > 0)
            try_outputs(t, work, row, n, class);
        return;
    }
    for (int k = t->row_start[row]; k < t->row_start[row + 1]; k++) {
        int col = t->row_cols[k];
        if (in->col_class[col] != class || t->row_of[col] != SG_NONE ||
            !in->solvable(in->context, graph_row, in->cols[col]))
            continue;
        t->out_cols[0] = col;
        t->n_out = 1;
        if (try_assign(t, row))
            return;
    }
}

// ---- setting up and reading off ----

static void build_columns(tearing *t)
{
    for (int k = 0; k < t->row_start[t->n_rows]; k++)
        t->col_start[t->row_cols[k] + 1]++;
    for (int j = 0; j < t->n_cols; j++)
        t->col_start[j + 1] += t->col_start[j];
    for (int i = t->n_rows; i-- > 0;) {
        for (int k = t->row_start[i]; k < t->row_start[i + 1]; k++)
            t->col_rows[--t->col_start[t->row_cols[k] + 1]] = i;
    }
    // Filling from the back moved every start by one place; the first entry stays 0.
    for (int j = 0; j < t->n_cols; j++)
        t->col_start[j] = t->col_start[j + 1];
    t->col_start[t->n_cols] = t->row_start[t->n_rows];
}

static bool localize(tearing *t, const sg_tearing *work, sg_arena *arena)
{
    const sg_tear_input *in = t->in;
    size_t entries = 0, rows = (size_t)t->n_rows, cols = (size_t)t->n_cols;
    for (int i = 0; i < t->n_rows; i++)
        entries += (size_t)sg_graph_row(in->graph, in->rows[i]).n;
    t->row_start = SG_NEW_ARRAY(arena, int, rows + 1);
    t->row_cols = SG_NEW_ARRAY(arena, int, entries + 1);
    t->col_start = SG_NEW_ARRAY(arena, int, cols + 2);
    t->col_rows = SG_NEW_ARRAY(arena, int, entries + 1);
    t->next = SG_NEW_ARRAY(arena, int, rows + 1);
    t->prev = SG_NEW_ARRAY(arena, int, rows + 1);
    t->label = SG_NEW_ARRAY(arena, uint64_t, rows + 1);
    t->mark = SG_NEW_ARRAY(arena, int, rows + 1);
    t->queue = SG_NEW_ARRAY(arena, int, rows + 1);
    t->out_cols = SG_NEW_ARRAY(arena, int, cols + 1);
    t->done = SG_NEW_ARRAY(arena, bool, rows + 1);
    if (arena->failed)
        return false;
    for (int i = 0, at = 0; i < t->n_rows; i++) {
        sg_row row = sg_graph_row(in->graph, in->rows[i]);
        for (int k = 0; k < row.n; k++) {
            if (work->local_col[row.cols[k]])
                t->row_cols[at++] = work->local_col[row.cols[k]] - 1;
        }
        t->row_start[i + 1] = at;
    }
    build_columns(t);
    t->next[t->n_rows] = t->prev[t->n_rows] = t->n_rows;
    return true;
}

static int local_row(const tearing *t, int col, int graph_row)
{
    for (int k = t->col_start[col]; k < t->col_start[col + 1]; k++) {
        if (t->in->rows[t->col_rows[k]] == graph_row)
            return t->col_rows[k];
    }
    return SG_NONE;
}

static void take_fixed(tearing *t)
{
    for (int j = 0; t->in->fixed_row && j < t->n_cols; j++) {
        int row = t->in->fixed_row[j] == SG_NONE ? SG_NONE : local_row(t, j, t->in->fixed_row[j]);
        if (row == SG_NONE || t->row_of[j] != SG_NONE)
            continue;
        t->n_out = 0;
        for (int k = t->row_start[row]; k < t->row_start[row + 1]; k++) {
            int col = t->row_cols[k];
            if (t->in->fixed_row[col] == t->in->fixed_row[j] && t->row_of[col] == SG_NONE)
                t->out_cols[t->n_out++] = col;
        }
        try_assign(t, row);
    }
}

static bool read_off(tearing *t, sg_arena *arena, sg_tear_output *out)
{
    const sg_tear_input *in = t->in;
    out->solved_rows = SG_NEW_ARRAY(arena, int, (size_t)t->n_rows + 1);
    out->residual_rows = SG_NEW_ARRAY(arena, int, (size_t)t->n_rows + 1);
    out->row_of = SG_NEW_ARRAY(arena, int, (size_t)t->n_cols + 1);
    out->tear_cols = SG_NEW_ARRAY(arena, int, (size_t)t->n_cols + 1);
    if (arena->failed)
        return false;
    for (int i = t->next[t->n_rows]; i != t->n_rows; i = t->next[i])
        out->solved_rows[out->n_solved++] = in->rows[i];
    for (int i = 0; i < t->n_rows; i++) {
        if (!t->done[i])
            out->residual_rows[out->n_residual++] = in->rows[i];
    }
    for (int j = 0; j < t->n_cols; j++) {
        out->row_of[j] = t->row_of[j] == SG_NONE ? SG_NONE : in->rows[t->row_of[j]];
        if (t->row_of[j] == SG_NONE)
            out->tear_cols[out->n_tear++] = in->cols[j];
    }
    return true;
}

sg_status sg_tearing_init(sg_tearing *work, sg_arena *arena, int n_cols)
{
    *work =
        (sg_tearing){.local_col = SG_NEW_ARRAY(arena, int, (size_t)n_cols + 1), .n_cols = n_cols};
    return work->local_col ? SG_OK : SG_ERR_MEMORY;
}

sg_status sg_tear(sg_tearing *work, const sg_tear_input *in, sg_arena *arena, sg_tear_output *out)
{
    *out = (sg_tear_output){0};
    tearing t = {.in = in, .n_rows = in->n_rows, .n_cols = in->n_cols};
    t.row_of = SG_NEW_ARRAY(arena, int, (size_t)t.n_cols + 1);
    if (!t.row_of)
        return SG_ERR_MEMORY;
    for (int j = 0; j < t.n_cols; j++) {
        SG_ASSERT(in->cols[j] < work->n_cols);
        work->local_col[in->cols[j]] = j + 1;
        t.row_of[j] = SG_NONE;
    }
    bool ok = localize(&t, work, arena);
    if (ok)
        take_fixed(&t);
    for (int class = 1; class <= SG_TEAR_CLASSES && ok; class ++) {
        for (int i = 0; i < t.n_rows; i++) {
            if (!t.done[i])
                try_row(&t, work, i, class);
        }
    }
    ok = ok && read_off(&t, arena, out);
    for (int j = 0; j < t.n_cols; j++)
        work->local_col[in->cols[j]] = 0;
    return ok ? SG_OK : SG_ERR_MEMORY;
}
