#include "equations/integer.h"

#include "base/assert.h"
#include "base/map.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

// Coefficients beyond this stop the elimination of a row; it keeps its written form. Circuits and
// mechanisms never get beyond a few hundred.
#define MAX_COEF ((int64_t)1 << 31)

#define SHORT_ROW 12
// Rows with more variables than this wait until all shorter ones are used up, and their pivot is
// the variable that fewest other rows hold. Without that a chain written from its far end, or the
// sum of all currents of a circuit without ground, would be copied into row after row.
#define LONG_ROW 20

typedef struct integer_entry {
    int row, var;
    int64_t coef;                               // 0: not linked
    int row_prev, row_next, col_prev, col_next; // SG_NONE ends a list
} integer_entry;

typedef struct list {
    int head, tail, len;
} list;

typedef SG_VEC(int) heap;

typedef struct eliminator {
    const sg_int_system *system;
    const sg_allocator *allocator;
    sg_arena *arena;
    sg_int_result *out;
    int n_rows, n_vars;
    SG_VEC(integer_entry) entries;
    sg_map index;  // row and variable -> entry, also of unlinked ones; of long rows only
    bool *indexed; // per row
    list *rows, *cols;
    int *n_active;   // per row: entries whose variable may be a pivot in this pass
    bool *active;    // per variable
    bool *remaining; // per row: not yet a pivot row, not frozen
    bool *modified;  // per row
    bool *hidden;    // per row: its pivot was found in pass 3, so it ties states to each other
    bool *has_pivot; // per variable
    int *pivot_var;  // per row
    heap singles, pairs, any, long_any;
    int *n_open;   // per variable: rows still without a pivot that hold it
    sg_ints order; // pivot rows of passes 1 and 2 in order
    bool failed;
} eliminator;

// ---- queues of rows, smallest first ----

static void heap_push(eliminator *e, heap *h, int row)
{
    if (!SG_PUSH(e->allocator, h, row)) {
        e->failed = true;
        return;
    }
    for (size_t k = h->len - 1; k && h->data[(k - 1) / 2] > h->data[k]; k = (k - 1) / 2) {
        int parent = h->data[(k - 1) / 2];
        h->data[(k - 1) / 2] = h->data[k];
        h->data[k] = parent;
    }
}

static int heap_pop(heap *h)
{
    int least = h->data[0];
    h->data[0] = h->data[--h->len];
    for (size_t k = 0;;) {
        size_t child = 2 * k + 1;
        if (child >= h->len)
            return least;
        if (child + 1 < h->len && h->data[child + 1] < h->data[child])
            child++;
        if (h->data[k] <= h->data[child])
            return least;
        int up = h->data[child];
        h->data[child] = h->data[k];
        h->data[k] = up;
        k = child;
    }
}

// ---- rows and columns ----

static uint64_t entry_key(int row, int var)
{
    return (uint64_t)(uint32_t)row << 32 | (uint32_t)var;
}

static void link_entry(eliminator *e, int at)
{
    integer_entry *x = &e->entries.data[at];
    list *row = &e->rows[x->row], *col = &e->cols[x->var];
    x->row_prev = row->tail, x->col_prev = col->tail;
    x->row_next = x->col_next = SG_NONE;
    if (row->tail == SG_NONE)
        row->head = at;
    else
        e->entries.data[row->tail].row_next = at;
    if (col->tail == SG_NONE)
        col->head = at;
    else
        e->entries.data[col->tail].col_next = at;
    row->tail = col->tail = at;
    row->len++, col->len++;
    e->n_open[x->var] += e->remaining[x->row];
    e->n_active[x->row] += e->active[x->var];
}

static void unlink_entry(eliminator *e, int at)
{
    integer_entry *x = &e->entries.data[at];
    list *row = &e->rows[x->row], *col = &e->cols[x->var];
    x->coef = 0;
    *(x->row_prev == SG_NONE ? &row->head : &e->entries.data[x->row_prev].row_next) = x->row_next;
    *(x->row_next == SG_NONE ? &row->tail : &e->entries.data[x->row_next].row_prev) = x->row_prev;
    *(x->col_prev == SG_NONE ? &col->head : &e->entries.data[x->col_prev].col_next) = x->col_next;
    *(x->col_next == SG_NONE ? &col->tail : &e->entries.data[x->col_next].col_prev) = x->col_prev;
    row->len--, col->len--;
    e->n_open[x->var] -= e->remaining[x->row];
    e->n_active[x->row] -= e->active[x->var];
}

// Short rows are searched; a long one gets an index of its entries.
static int find_in_row(eliminator *e, int row, int var)
{
    if (e->indexed[row]) {
        uint64_t *known = sg_map_get(&e->index, entry_key(row, var));
        return known ? (int)*known : SG_NONE;
    }
    int k = e->rows[row].head;
    while (k != SG_NONE && e->entries.data[k].var != var)
        k = e->entries.data[k].row_next;
    return k;
}

static void index_row(eliminator *e, int row)
{
    e->indexed[row] = true;
    for (int k = e->rows[row].head; k != SG_NONE; k = e->entries.data[k].row_next) {
        if (!sg_map_put(&e->index, entry_key(row, e->entries.data[k].var), (uint64_t)k))
            e->failed = true;
    }
}

static void add_to_row(eliminator *e, int row, int var, int64_t coef)
{
    int at = find_in_row(e, row, var);
    if (at == SG_NONE) {
        at = (int)e->entries.len;
        if (!SG_PUSH(e->allocator, &e->entries, (integer_entry){.row = row, .var = var}) ||
            (e->indexed[row] && !sg_map_put(&e->index, entry_key(row, var), (uint64_t)at))) {
            e->failed = true;
            return;
        }
    }
    int64_t old = e->entries.data[at].coef;
    if (old && old + coef == 0) {
        unlink_entry(e, at);
        return;
    }
    e->entries.data[at].coef = old + coef;
    if (!old)
        link_entry(e, at);
    if (!e->indexed[row] && e->rows[row].len > SHORT_ROW)
        index_row(e, row);
}

static int64_t gcd(int64_t a, int64_t b)
{
    a = llabs(a), b = llabs(b);
    while (b) {
        int64_t r = a % b;
        a = b, b = r;
    }
    return a;
}

static int64_t largest_coef(const eliminator *e, int row)
{
    int64_t most = 0;
    for (int k = e->rows[row].head; k != SG_NONE; k = e->entries.data[k].row_next) {
        int64_t c = llabs(e->entries.data[k].coef);
        most = c > most ? c : most;
    }
    return most;
}

static void divide_by_gcd(eliminator *e, int row)
{
    int64_t g = 0;
    for (int k = e->rows[row].head; k != SG_NONE && g != 1; k = e->entries.data[k].row_next)
        g = gcd(g, e->entries.data[k].coef);
    for (int k = e->rows[row].head; g > 1 && k != SG_NONE; k = e->entries.data[k].row_next)
        e->entries.data[k].coef /= g;
}

static void queue_row(eliminator *e, int row)
{
    if (e->rows[row].len == 1)
        heap_push(e, &e->singles, row);
    else if (e->rows[row].len == 2)
        heap_push(e, &e->pairs, row);
    if (e->n_active[row])
        heap_push(e, &e->any, row);
}

// The row takes no further part in the elimination.
static void close_row(eliminator *e, int row)
{
    e->remaining[row] = false;
    for (int k = e->rows[row].head; k != SG_NONE; k = e->entries.data[k].row_next)
        e->n_open[e->entries.data[k].var]--;
}

// row := (a*row - b*pivot)/gcd, so that `var` disappears from `row` (a, b its coefficients in the
// pivot row and in the row). A row whose numbers would grow too large is left alone for good.
static void eliminate_from_row(eliminator *e, int pivot, int64_t a, int at)
{
    int row = e->entries.data[at].row, var = e->entries.data[at].var;
    int64_t b = e->entries.data[at].coef, g = gcd(a, b);
    int64_t scale = a / g, factor = -b / g;
    if (scale < 0)
        scale = -scale, factor = -factor;
    if (scale != 1 || llabs(factor) != 1) {
        if (largest_coef(e, row) >= MAX_COEF / scale ||
            largest_coef(e, pivot) >= MAX_COEF / llabs(factor)) {
            close_row(e, row);
            return;
        }
    }
    bool had_active = e->n_active[row] > 0;
    for (int k = e->rows[row].head; scale != 1 && k != SG_NONE; k = e->entries.data[k].row_next)
        e->entries.data[k].coef *= scale;
    unlink_entry(e, at);
    for (int k = e->rows[pivot].head; k != SG_NONE && !e->failed;) {
        integer_entry x = e->entries.data[k];
        if (x.var != var)
            add_to_row(e, row, x.var, factor * x.coef);
        k = e->entries.data[k].row_next;
    }
    if (scale != 1)
        divide_by_gcd(e, row);
    e->modified[row] = true;
    if (e->rows[row].len <= 2 || !had_active)
        queue_row(e, row);
}

// The length of the longest open row, other than `row`, that holds the variable; only the newest
// few entries of its column are looked at.
static int longest_other_row(const eliminator *e, int row, int var)
{
    int most = 0, looks = 8;
    for (int k = e->cols[var].tail; k != SG_NONE && looks > 0; looks--) {
        int other = e->entries.data[k].row;
        if (other != row && e->remaining[other] && e->rows[other].len > most)
            most = e->rows[other].len;
        k = e->entries.data[k].col_prev;
    }
    return most;
}

// The first active variable of the row. Where that would touch many entries, because the row is
// long or the variable is in many rows, the one that fewest other rows hold, and of those one in a
// row that is long already: the sum of all currents takes up partial sums and cancels them, while
// adding them to each other row by row would make every one longer than the last.
static int choose_entry(const eliminator *e, int row)
{
    int best = SG_NONE, best_other = 0;
    for (int k = e->rows[row].head; k != SG_NONE; k = e->entries.data[k].row_next) {
        int var = e->entries.data[k].var;
        if (!e->active[var])
            continue;
        if (best == SG_NONE && e->rows[row].len <= LONG_ROW && e->n_open[var] <= LONG_ROW)
            return k;
        int least = best == SG_NONE ? INT_MAX : e->n_open[e->entries.data[best].var];
        if (e->n_open[var] > least)
            continue;
        int other = longest_other_row(e, row, var);
        if (e->n_open[var] < least || other > best_other)
            best = k, best_other = other;
    }
    return best;
}

static void pivot_on(eliminator *e, int row)
{
    int at = choose_entry(e, row);
    int var = e->entries.data[at].var;
    int64_t a = e->entries.data[at].coef;
    close_row(e, row);
    e->has_pivot[var] = true;
    e->pivot_var[row] = var;
    for (int k = e->cols[var].head; k != SG_NONE && !e->failed;) {
        int next = e->entries.data[k].col_next;
        if (e->remaining[e->entries.data[k].row])
            eliminate_from_row(e, row, a, k);
        k = next;
    }
}

// The first remaining row with one variable that is active, else with two of which one is, else
// with any, long ones last. Entries of the queues may be out of date; they are checked when they
// come up.
static int next_pivot_row(eliminator *e)
{
    while (e->singles.len) {
        int row = heap_pop(&e->singles);
        if (e->remaining[row] && e->rows[row].len == 1 && e->n_active[row])
            return row;
    }
    while (e->pairs.len) {
        int row = heap_pop(&e->pairs);
        if (e->remaining[row] && e->rows[row].len == 2 && e->n_active[row])
            return row;
    }
    while (e->any.len) {
        int row = heap_pop(&e->any);
        if (!e->remaining[row] || !e->n_active[row])
            continue;
        if (e->rows[row].len <= LONG_ROW)
            return row;
        heap_push(e, &e->long_any, row);
    }
    while (e->long_any.len) {
        int row = heap_pop(&e->long_any);
        if (e->remaining[row] && e->n_active[row])
            return row;
    }
    return SG_NONE;
}

static void run_pass(eliminator *e, int pass)
{
    const unsigned char *flags = e->system->flags;
    for (int v = 0; v < e->n_vars; v++) {
        bool state = flags[v] & SG_INT_STATE;
        e->active[v] = !e->has_pivot[v] && !(flags[v] & SG_INT_KNOWN) &&
                       (pass == 1   ? !state && !(flags[v] & SG_INT_ELSEWHERE)
                        : pass == 2 ? !state
                                    : true);
    }
    e->singles.len = e->pairs.len = e->any.len = e->long_any.len = 0;
    for (int i = 0; i < e->n_rows && !e->failed; i++) {
        e->n_active[i] = 0;
        if (!e->remaining[i])
            continue;
        for (int k = e->rows[i].head; k != SG_NONE; k = e->entries.data[k].row_next)
            e->n_active[i] += e->active[e->entries.data[k].var];
        queue_row(e, i);
    }
    for (int row = next_pivot_row(e); row != SG_NONE && !e->failed; row = next_pivot_row(e)) {
        if (pass < 3 && !SG_PUSH(e->allocator, &e->order, row))
            e->failed = true;
        e->hidden[row] = pass == 3;
        pivot_on(e, row);
    }
}

// ---- reading off the result ----

// A row whose pivot is a derivative stays an equation, since the derivative belongs to a state.
// What it holds is then not free, and neither is what defines that; `order` names definitions after
// uses.
static void mark_bound(const eliminator *e, bool *bound)
{
    for (size_t k = 0; k < e->order.len; k++) {
        int row = e->order.data[k], pivot = e->pivot_var[row];
        if (!(e->system->flags[pivot] & SG_INT_DERIVATIVE) && !bound[pivot])
            continue;
        for (int at = e->rows[row].head; at != SG_NONE; at = e->entries.data[at].row_next)
            bound[e->entries.data[at].var] = true;
    }
}

static void set_free_variables(eliminator *e)
{
    bool *bound = SG_NEW_ARRAY(e->arena, bool, (size_t)e->n_vars + 1);
    if (!bound) {
        e->failed = true;
        return;
    }
    mark_bound(e, bound);
    for (int v = 0; v < e->n_vars; v++) {
        if ((e->system->flags[v] & (SG_INT_STATE | SG_INT_ELSEWHERE | SG_INT_DERIVATIVE)) ||
            e->has_pivot[v] || bound[v] || e->cols[v].len == 0)
            continue;
        e->out->root[v] = v;
        if (!SG_PUSH(e->allocator, &e->out->free_zeros, v))
            e->failed = true;
    }
}

// Replaces what is known in a row by what it stands for.
static void substitute_row(eliminator *e, int row)
{
    for (int k = e->rows[row].head; k != SG_NONE && !e->failed;) {
        integer_entry x = e->entries.data[k];
        if (x.coef && e->out->root[x.var] != SG_NONE) {
            unlink_entry(e, k);
            if (e->out->sign[x.var])
                add_to_row(e, row, e->out->root[x.var], x.coef * e->out->sign[x.var]);
        }
        k = x.row_next;
    }
}

static void read_alias(eliminator *e, int row)
{
    int v = e->pivot_var[row];
    substitute_row(e, row);
    if (e->failed || (e->system->flags[v] & SG_INT_DERIVATIVE))
        return;
    int first = e->rows[row].head, last = e->rows[row].tail;
    if (e->rows[row].len == 1) {
        e->out->fate[row] = SG_INT_ZERO;
        e->out->root[v] = v;
    } else if (e->rows[row].len == 2 &&
               llabs(e->entries.data[first].coef) == llabs(e->entries.data[last].coef)) {
        int other = e->entries.data[first].var == v ? last : first;
        e->out->fate[row] = SG_INT_ALIAS;
        e->out->root[v] = e->entries.data[other].var;
        e->out->sign[v] = e->entries.data[first].coef == e->entries.data[last].coef ? -1 : 1;
    } else {
        return;
    }
    if (!SG_PUSH(e->allocator, &e->out->removed, row))
        e->failed = true;
}

static void write_sum(eliminator *e, int row)
{
    for (int k = e->rows[row].head; k != SG_NONE; k = e->entries.data[k].row_next) {
        sg_graph_add(&e->out->sums, e->entries.data[k].var);
        if (!SG_PUSH(e->allocator, &e->out->sum_coefs, e->entries.data[k].coef))
            e->failed = true;
    }
}

// What became longer than it was written stays as written, since that says the same. Not so a
// constraint between states: as written it hides behind variables that other rows determine, and
// index reduction would never find it (the four currents into a ring of diodes add up to zero).
static void decide_fates(eliminator *e)
{
    for (int i = 0; i < e->n_rows && !e->failed; i++) {
        unsigned char *fate = &e->out->fate[i];
        if (*fate == SG_INT_UNTOUCHED) {
            int before = sg_graph_row(&e->system->rows, i).n, now = e->rows[i].len;
            if (now == 0)
                *fate = SG_INT_REDUNDANT;
            else if (e->modified[i] || now < before)
                *fate = now <= before || e->hidden[i] ? SG_INT_TRANSFORMED : SG_INT_ORIGINAL;
        }
        if (*fate == SG_INT_TRANSFORMED)
            write_sum(e, i);
        sg_graph_end_row(&e->out->sums);
    }
}

static bool prepare(eliminator *e)
{
    size_t rows = (size_t)e->n_rows, vars = (size_t)e->n_vars;
    sg_map_init(&e->index, e->allocator);
    e->rows = SG_NEW_ARRAY(e->arena, list, rows + 1);
    e->cols = SG_NEW_ARRAY(e->arena, list, vars + 1);
    e->n_active = SG_NEW_ARRAY(e->arena, int, rows + 1);
    e->active = SG_NEW_ARRAY(e->arena, bool, vars + 1);
    e->n_open = SG_NEW_ARRAY(e->arena, int, vars + 1);
    e->remaining = SG_NEW_ARRAY(e->arena, bool, rows + 1);
    e->modified = SG_NEW_ARRAY(e->arena, bool, rows + 1);
    e->hidden = SG_NEW_ARRAY(e->arena, bool, rows + 1);
    e->indexed = SG_NEW_ARRAY(e->arena, bool, rows + 1);
    e->has_pivot = SG_NEW_ARRAY(e->arena, bool, vars + 1);
    e->pivot_var = SG_NEW_ARRAY(e->arena, int, rows + 1);
    e->out->fate = SG_NEW_ARRAY(e->arena, unsigned char, rows + 1);
    e->out->sign = SG_NEW_ARRAY(e->arena, signed char, vars + 1);
    e->out->root = SG_NEW_ARRAY(e->arena, int, vars + 1);
    sg_graph_init(&e->out->sums, e->allocator, e->n_vars);
    if (e->arena->failed || !SG_RESERVE(e->allocator, &e->entries, e->system->rows.cols.len * 2))
        return false;
    for (int v = 0; v < e->n_vars; v++) {
        e->cols[v] = (list){SG_NONE, SG_NONE, 0};
        e->out->root[v] = SG_NONE;
    }
    for (int i = 0; i < e->n_rows && !e->failed; i++) {
        e->rows[i] = (list){SG_NONE, SG_NONE, 0};
        e->remaining[i] = true;
        sg_row row = sg_graph_row(&e->system->rows, i);
        int first = e->system->rows.starts.data[i];
        for (int k = 0; k < row.n; k++)
            add_to_row(e, i, row.cols[k], e->system->coefs.data[first + k]);
    }
    return !e->failed;
}

sg_status sg_int_eliminate(const sg_int_system *system, sg_arena *arena, sg_int_result *out)
{
    *out = (sg_int_result){0};
    if (system->rows.failed)
        return SG_ERR_MEMORY;
    eliminator e = {.system = system,
                    .allocator = system->rows.allocator,
                    .arena = arena,
                    .out = out,
                    .n_rows = sg_graph_rows(&system->rows),
                    .n_vars = system->rows.n_cols};
    e.failed = !prepare(&e);
    for (int pass = 1; pass <= 3 && !e.failed; pass++) {
        run_pass(&e, pass);
        if (pass == 1)
            set_free_variables(&e);
    }
    for (size_t k = e.order.len; k-- > 0 && !e.failed;)
        read_alias(&e, e.order.data[k]);
    decide_fates(&e);
    bool failed = e.failed || out->sums.failed;
    sg_map_free(&e.index);
    SG_VEC_FREE(e.allocator, &e.entries);
    SG_VEC_FREE(e.allocator, &e.order);
    SG_VEC_FREE(e.allocator, &e.singles);
    SG_VEC_FREE(e.allocator, &e.pairs);
    SG_VEC_FREE(e.allocator, &e.any);
    SG_VEC_FREE(e.allocator, &e.long_any);
    if (failed)
        sg_int_result_free(e.allocator, out);
    return failed ? SG_ERR_MEMORY : SG_OK;
}

void sg_int_result_free(const sg_allocator *allocator, sg_int_result *result)
{
    SG_VEC_FREE(allocator, &result->removed);
    SG_VEC_FREE(allocator, &result->free_zeros);
    SG_VEC_FREE(allocator, &result->sum_coefs);
    sg_graph_free(&result->sums);
}
