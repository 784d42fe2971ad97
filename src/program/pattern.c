// Which numbers depend on which states, by running the code on sets instead of numbers.
//
// Sets are interned, so that the thousands of numbers that depend on the same few states share
// one, and a union that was made before is looked up. The cost follows the size of the answer.
#include "base/symbol.h"
#include "program/depends.h"
#include "program/tracer.h"

#include <stdlib.h>
#include <string.h>

static uint32_t intern(sg_tracer *t, uint32_t first)
{
    uint32_t n = (uint32_t)(t->items.len - first);
    uint64_t key = sg_hash_bytes(t->items.data + first, n * sizeof(uint32_t));
    uint64_t *found = sg_map_get(&t->by_content, key);
    if (found) {
        sg_column_set s = t->sets.data[*found];
        if (s.n == n && memcmp(t->items.data + s.first, t->items.data + first, n * 4) == 0) {
            t->items.len = first;
            return (uint32_t)*found;
        }
    }
    uint32_t id = (uint32_t)t->sets.len;
    t->failed |= !SG_PUSH(t->allocator, &t->sets, (sg_column_set){first, n});
    if (!found && !t->failed)
        t->failed |= !sg_map_put(&t->by_content, key, id);
    return t->failed ? 0 : id;
}

static uint32_t single(sg_tracer *t, uint32_t item)
{
    uint32_t first = (uint32_t)t->items.len;
    t->failed |= !SG_PUSH(t->allocator, &t->items, item);
    return t->failed ? 0 : intern(t, first);
}

uint32_t sg_trace_join(sg_tracer *t, uint32_t a, uint32_t b)
{
    if (a == b || b == 0 || t->failed)
        return a;
    if (a == 0)
        return b;
    uint64_t key = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    uint64_t *known = sg_map_get(&t->unions, key);
    if (known)
        return (uint32_t)*known;
    sg_column_set x = t->sets.data[a], y = t->sets.data[b];
    uint32_t first = (uint32_t)t->items.len, i = 0, j = 0;
    if (!SG_RESERVE(t->allocator, &t->items, t->items.len + x.n + y.n)) {
        t->failed = true;
        return 0;
    }
    const uint32_t *p = t->items.data + x.first, *q = t->items.data + y.first;
    while (i < x.n || j < y.n) {
        uint32_t item = j == y.n || (i < x.n && p[i] <= q[j]) ? p[i] : q[j];
        i += i < x.n && p[i] == item;
        j += j < y.n && q[j] == item;
        t->items.data[t->items.len++] = item;
    }
    uint32_t id = intern(t, first);
    t->failed |= !sg_map_put(&t->unions, key, id);
    return id;
}

uint32_t sg_trace_join_range(sg_tracer *t, uint32_t at, uint32_t n)
{
    uint32_t all = 0;
    for (uint32_t i = 0; i < n; i++)
        all = sg_trace_join(t, all, t->of[at + i]);
    return all;
}

// From so many operands on, a union is taken at once: one after the other, the sets on the way
// would need memory with the square of their number.
#define AT_ONCE 8

static int compare_items(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

// Adds the members of a set that were not met since `stamp` began.
static void add_members(sg_tracer *t, uint32_t id)
{
    sg_column_set s = t->sets.data[id];
    if (!SG_RESERVE(t->allocator, &t->items, t->items.len + s.n)) {
        t->failed = true;
        return;
    }
    for (uint32_t i = 0; i < s.n; i++) {
        uint32_t item = t->items.data[s.first + i];
        if (t->met[item] != t->stamp)
            t->items.data[t->items.len++] = item;
        t->met[item] = t->stamp;
    }
}

static uint32_t join_at_once(sg_tracer *t, const sg_wide *w, uint32_t first)
{
    uint32_t begin = (uint32_t)t->items.len, last = 0;
    t->stamp++;
    for (uint32_t k = first; k < w->n_operands && !t->failed; k++) {
        uint32_t n = sg_dims_count(w->operands[k].shape);
        for (uint32_t i = 0; i < n && !t->failed; i++) {
            uint32_t id = t->of[w->offsets[k] + i];
            if (id != last)
                add_members(t, id);
            last = id;
        }
    }
    if (t->failed || t->items.len == begin)
        return 0;
    qsort(t->items.data + begin, t->items.len - begin, sizeof *t->items.data, compare_items);
    return intern(t, begin);
}

uint32_t sg_trace_join_operands(sg_tracer *t, const sg_wide *w, uint32_t first)
{
    uint32_t all = 0;
    if (w->n_operands >= first + AT_ONCE)
        return join_at_once(t, w, first);
    for (uint32_t k = first; k < w->n_operands; k++)
        all = sg_trace_join(
            t, all, sg_trace_join_range(t, w->offsets[k], sg_dims_count(w->operands[k].shape)));
    return all;
}

static void trace_range(sg_tracer *t, uint32_t from, uint32_t to);

// All variables of the system are given, and stand for themselves; residuals are what would have
// been assigned to inner ones, and those of the torn system.
static void trace_given(sg_tracer *t, uint32_t index)
{
    const sg_exec *exec = t->exec;
    const sg_torn_system *s = &exec->program->systems.data[index];
    const sg_system_work *work = &exec->systems[index];
    uint32_t *row = t->given + work->given_at, item = exec->at.n_x + work->given_at,
             pc = work->body;
    uint32_t n_inner = work->can_untear ? s->n_inner : 0, unknown = item;
    for (uint32_t k = 0; k < n_inner; k++)
        unknown += work->inners[k].n;
    for (uint32_t k = 0; k < s->n_unknowns; k++)
        for (uint32_t i = 0; i < sg_dims_count(exec->shapes[s->unknowns[k]]); i++)
            t->of[exec->offsets[s->unknowns[k]] + i] = single(t, unknown++);
    for (uint32_t k = 0; k < n_inner; k++) {
        const sg_inner_place *inner = &work->inners[k];
        if (inner->done > pc)
            trace_range(t, pc, inner->done);
        pc = inner->done;
        for (uint32_t i = inner->at; i < inner->at + inner->n; i++) {
            uint32_t own = single(t, item++);
            *row++ = sg_trace_join(t, t->of[i], own);
            t->of[i] = own;
        }
    }
    trace_range(t, pc, work->prep);
    for (uint32_t k = 0; k < s->n_residuals; k++) {
        uint32_t n = sg_dims_count(exec->shapes[s->residuals[k]]);
        memcpy(row, t->of + exec->offsets[s->residuals[k]], n * sizeof *row);
        row += n;
    }
}

// The unknowns depend on whatever matrix and residuals depend on.
static void trace_system(sg_tracer *t, uint32_t index)
{
    const sg_exec *exec = t->exec;
    const sg_torn_system *s = &exec->program->systems.data[index];
    const sg_system_work *work = &exec->systems[index];
    uint32_t all = 0;
    if (t->given && work->can_carry) {
        trace_given(t, index);
        return;
    }
    if (sg_system_is_given(work, t->min_size)) {
        for (uint32_t k = 0; k < s->n_unknowns; k++) {
            uint32_t at = exec->offsets[s->unknowns[k]], row = at - exec->at.der;
            uint32_t n = sg_dims_count(exec->shapes[s->unknowns[k]]);
            memcpy(t->of + at, t->of + exec->at.x + row, n * sizeof(uint32_t));
        }
        trace_range(t, work->body, work->prep);
        return;
    }
    for (uint32_t k = 0; k < s->n_unknowns; k++)
        sg_trace_assign(t, exec->offsets[s->unknowns[k]],
                        sg_dims_count(exec->shapes[s->unknowns[k]]), 0);
    trace_range(t, work->body, work->whole_at);
    for (uint32_t k = 0; k < s->n_residuals; k++) {
        uint32_t n = sg_dims_count(exec->shapes[s->residuals[k]]);
        all = sg_trace_join(t, all, sg_trace_join_range(t, exec->offsets[s->residuals[k]], n));
        if (s->has_tangent)
            all =
                sg_trace_join(t, all, sg_trace_join_range(t, exec->offsets[s->d_residuals[k]], n));
    }
    for (uint32_t k = 0; k < s->n_unknowns; k++)
        sg_trace_assign(t, exec->offsets[s->unknowns[k]],
                        sg_dims_count(exec->shapes[s->unknowns[k]]), all);
    trace_range(t, work->body, work->prep);
}

static bool is_condition(uint16_t form)
{
    return form == SG_L_NOT || form == SG_LV_NOT || (form >= SG_L_LT && form <= SG_LV_OR);
}

static void trace_entry(sg_tracer *t, const sg_linked *c)
{
    uint32_t n = c->n;
    if (t->decides && sg_trace_decision(t, c))
        return;
    switch (c->form) {
#define SG_UNARY(name, expression)                                                                 \
    case SG_L_##name:                                                                              \
    case SG_LV_##name:
#define SG_BINARY(name, expression)
#define SG_OTHER(name)
#include "program/opcodes.h"
#undef SG_UNARY
#undef SG_BINARY
#undef SG_OTHER
    case SG_L_SQUARE:
        for (uint32_t i = 0; i < n; i++)
            t->of[c->dst + i] = is_condition(c->form) && !t->decides ? 0 : t->of[c->a + i];
        return;
    case SG_L_COPY:
    case SG_LV_COPY:
        // Two branches may write the same register, so nothing is forgotten here.
        for (uint32_t i = 0; i < n; i++)
            t->of[c->dst + i] = sg_trace_join(t, t->of[c->dst + i], t->of[c->a + i * c->sa]);
        return;
    case SG_L_SELECT:
    case SG_LV_SELECT:
        for (uint32_t i = 0; i < n; i++)
            t->of[c->dst + i] = sg_trace_join(t, t->of[c->b + i * c->sb], t->of[c->c + i * c->sc]);
        return;
    case SG_L_POSITIVE:
    case SG_L_NEGATIVE:
        t->rows[c->b] = sg_trace_join(t, t->rows[c->b], t->of[c->a]);
        t->of[c->dst] = 0;
        return;
    case SG_L_LEVEL:
        for (uint32_t i = 0; i < n; i++)
            t->rows[c->b + i] = sg_trace_join(t, t->rows[c->b + i], t->of[c->a + i]);
        sg_trace_assign(t, c->dst, n, 0);
        return;
    case SG_L_SAMPLE:
    case SG_L_HOLD:
    case SG_L_PREVIOUS:
    case SG_L_PRE:
    case SG_L_DELAY:
        sg_trace_assign(t, c->dst, n, 0);
        return;
    case SG_L_REINIT:
        for (uint32_t i = 0; i < n; i++)
            t->of[c->dst + i] = t->of[c->a + i];
        return;
    case SG_L_END:
    case SG_L_JUMP:
    case SG_L_UNLESS:
    case SG_L_SET_PRE:
    case SG_L_SET_PREVIOUS:
    case SG_L_SET_DELAY:
        return;
    case SG_L_ASSERT:
    case SG_L_TERMINATE:
    case SG_L_AFTER:
    case SG_L_CLOCK:
    case SG_L_EDGE:
    case SG_L_CHANGE:
    case SG_L_INITIAL:
    case SG_L_TERMINAL:
        t->of[c->dst] = 0;
        return;
    default: // functions of two numbers
        for (uint32_t i = 0; i < n; i++)
            t->of[c->dst + i] =
                is_condition(c->form) && !t->decides
                    ? 0
                    : sg_trace_join(t, t->of[c->a + i * c->sa], t->of[c->b + i * c->sb]);
    }
}

static uint32_t *copy_sets(sg_tracer *t, const uint32_t *sets, uint32_t n, uint32_t *starts)
{
    for (uint32_t i = 0; i < n; i++)
        starts[i + 1] = starts[i] + t->sets.data[sets[i]].n;
    uint32_t *items = SG_NEW_ARRAY(t->arena, uint32_t, starts[n] + 1);
    for (uint32_t i = 0; items && i < n; i++) {
        sg_column_set s = t->sets.data[sets[i]];
        if (s.n)
            memcpy(items + starts[i], t->items.data + s.first, s.n * sizeof *items);
    }
    return items;
}

// Each result stands for itself from here on.
static void hold_results(sg_tracer *t, const sg_wide *w, sg_held_call *call)
{
    call->first = t->n_held;
    for (uint32_t k = 0; k < w->n_results; k++) {
        uint32_t n = sg_dims_count(w->operands[k].shape);
        for (uint32_t i = 0; i < n && !t->failed; i++) {
            uint32_t first = (uint32_t)t->items.len;
            t->failed |= !SG_PUSH(t->allocator, &t->items, t->exec->at.n_x + t->n_held++);
            if (!t->failed)
                t->of[w->offsets[k] + i] = intern(t, first);
        }
    }
    call->n = t->n_held - call->first;
}

static void trace_held(sg_tracer *t, const sg_wide *w, uint32_t function)
{
    const sg_exec *exec = t->exec;
    uint32_t n = w->n_operands - w->n_results;
    sg_held_call call = {.function = function, .n_args = n};
    uint32_t *sets = SG_NEW_ARRAY(t->arena, uint32_t, n + 1);
    uint32_t *starts = SG_NEW_ARRAY(t->arena, uint32_t, n + 1);
    int32_t *states = SG_NEW_ARRAY(t->arena, int32_t, n + 1);
    if (t->arena->failed) {
        t->failed = true;
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = w->offsets[w->n_results + i];
        uint32_t count = sg_dims_count(w->operands[w->n_results + i].shape);
        bool is_state = count == 1 && at >= exec->at.x && at < exec->at.x + exec->at.n_x;
        sets[i] = sg_trace_join_range(t, at, count);
        states[i] = is_state ? (int32_t)(at - exec->at.x) : -1;
    }
    call.starts = starts;
    call.states = states;
    call.items = copy_sets(t, sets, n, starts);
    hold_results(t, w, &call);
    sg_held_call *calls = SG_NEW_ARRAY(t->arena, sg_held_call, t->calls->n_calls + 1);
    if (t->arena->failed) {
        t->failed = true;
        return;
    }
    if (t->calls->n_calls)
        memcpy(calls, t->calls->calls, t->calls->n_calls * sizeof *calls);
    calls[t->calls->n_calls++] = call;
    t->calls->calls = calls;
}

static void trace_call(sg_tracer *t, const sg_wide *w)
{
    uint32_t function = t->exec->program->steps.data[w->step].aux;
    if (t->held && t->held[function]) {
        trace_held(t, w, function);
        return;
    }
    // Others may remember, and know states of their own.
    uint32_t all = t->decides ? t->all : sg_trace_join_operands(t, w, w->n_results);
    for (uint32_t k = 0; k < w->n_results; k++)
        sg_trace_assign(t, w->offsets[k], sg_dims_count(w->operands[k].shape), all);
}

static void trace_range(sg_tracer *t, uint32_t from, uint32_t to)
{
    const sg_exec *exec = t->exec;
    for (uint32_t pc = from; pc < to && !t->failed; pc++) {
        const sg_linked *c = &exec->steps.list[pc];
        if (c->form == SG_L_WIDE) {
            sg_trace_wide(t, &exec->wides[c->a]);
        } else if (c->form == SG_L_CALL) {
            trace_call(t, &exec->wides[c->a]);
        } else if (c->form == SG_L_SOLVE) {
            trace_system(t, c->a);
            pc = exec->systems[c->a].end - 1;
        } else if (c->form == SG_L_UNLESS && t->decides) {
            uint32_t around = t->control, end = sg_trace_branches_end(exec, pc);
            t->control = sg_trace_join(t, around, t->of[c->b]);
            trace_range(t, pc + 1, end < to ? end : to);
            t->control = around;
            pc = end - 1;
        } else {
            trace_entry(t, c);
        }
    }
}

// Row sets to compressed columns; rows of a column come out ascending.
static void to_columns(sg_tracer *t, const uint32_t *rows, uint32_t n_rows, uint32_t n_cols,
                       sg_arena *arena, sg_pattern *out)
{
    *out = (sg_pattern){.n_rows = n_rows, .n_cols = n_cols};
    out->starts = SG_NEW_ARRAY(arena, uint32_t, n_cols + 2);
    if (!out->starts) {
        t->failed = true;
        return;
    }
    uint64_t total = 0;
    for (uint32_t i = 0; i < n_rows; i++)
        total += t->sets.data[rows[i]].n;
    if (total > INT32_MAX) { // which no matrix would list
        out->starts = NULL;
        return;
    }
    for (uint32_t i = 0; i < n_rows; i++) {
        sg_column_set s = t->sets.data[rows[i]];
        for (uint32_t k = 0; k < s.n; k++)
            out->starts[t->items.data[s.first + k] + 2]++;
    }
    for (uint32_t j = 2; j < n_cols + 2; j++)
        out->starts[j] += out->starts[j - 1];
    out->rows = SG_NEW_ARRAY(arena, uint32_t, out->starts[n_cols + 1] + 1);
    if (!out->rows) {
        t->failed = true;
        return;
    }
    for (uint32_t i = 0; i < n_rows; i++) {
        sg_column_set s = t->sets.data[rows[i]];
        for (uint32_t k = 0; k < s.n; k++)
            out->rows[out->starts[t->items.data[s.first + k] + 1]++] = i;
    }
}

// What a trace is for; null where it is not.
typedef struct wanted {
    sg_pattern *derivatives, *crossings, *residuals, *given;
    sg_held *held;
    bool **moved;
    // Of numbers of the workspace, with inputs among what they depend on (sg_exec_depends).
    const uint32_t *inputs, *rows;
    uint32_t n_inputs, n_rows, n_more;
    uint32_t *sets, *row_starts, **row_items;
    bool *everything;
} wanted;

static void trace_inputs(sg_tracer *t, const wanted *out);
static void trace_until_settled(sg_tracer *t);

static void trace_all(sg_tracer *t, const wanted *out)
{
    const sg_exec *exec = t->exec;
    t->failed |= !SG_PUSH(t->allocator, &t->sets, (sg_column_set){0, 0});
    if (out->row_items)
        trace_inputs(t, out);
    for (uint32_t j = 0; j < exec->at.n_x && !t->failed; j++)
        t->of[exec->at.x + j] = single(t, j);
    if (out->row_items)
        trace_until_settled(t);
    else
        trace_range(t, 0, exec->steps.dynamics_end);
}

// Rows of the residual: those of a system left to the solver are its residuals, the others also
// hold their own derivative.
static void residual_rows(sg_tracer *t, uint32_t *rows)
{
    const sg_exec *exec = t->exec;
    const sg_program *p = exec->program;
    for (uint32_t i = 0; i < exec->at.n_x; i++)
        rows[i] = sg_trace_join(t, t->of[exec->at.der + i], t->of[exec->at.x + i]);
    for (uint32_t k = 0; k < p->systems.len; k++) {
        const sg_torn_system *s = &p->systems.data[k];
        if (!sg_system_is_given(&exec->systems[k], t->min_size))
            continue;
        uint32_t residual = 0, within = 0;
        for (uint32_t j = 0; j < s->n_unknowns; j++) {
            uint32_t row = exec->offsets[s->unknowns[j]] - exec->at.der;
            uint32_t n = sg_dims_count(exec->shapes[s->unknowns[j]]);
            for (uint32_t i = 0; i < n; i++) {
                while (within == sg_dims_count(exec->shapes[s->residuals[residual]])) {
                    residual++;
                    within = 0;
                }
                rows[row + i] = t->of[exec->offsets[s->residuals[residual]] + within++];
            }
        }
    }
}

// Takes the held results out of the rows of derivatives.
static void separate_rows(sg_tracer *t, uint32_t *rows, sg_held *out)
{
    const sg_exec *exec = t->exec;
    out->separate = true;
    out->result = SG_NEW_ARRAY(t->arena, int32_t, exec->at.n_x + 1);
    if (!out->result) {
        t->failed = true;
        return;
    }
    for (uint32_t i = 0; i < exec->at.n_x; i++) {
        sg_column_set s = t->sets.data[t->of[exec->at.der + i]];
        const uint32_t *items = t->items.data + s.first;
        bool hangs = s.n > 0 && items[s.n - 1] >= exec->at.n_x; // ascending
        out->result[i] = hangs ? (int32_t)(items[s.n - 1] - exec->at.n_x) : -1;
        out->separate &= !hangs || s.n == 1;
        rows[i] = hangs ? 0 : t->of[exec->at.der + i];
    }
}

static void write_wanted(sg_tracer *t, sg_arena *arena, uint32_t *rows, const wanted *out)
{
    const sg_exec *exec = t->exec;
    if (!t->failed && out->derivatives)
        to_columns(t, t->of + exec->at.der, exec->at.n_x, exec->at.n_x, arena, out->derivatives);
    if (!t->failed && out->crossings)
        to_columns(t, t->rows, exec->memories.layout.n_positive, exec->at.n_x, arena,
                   out->crossings);
    if (!t->failed && out->residuals) {
        residual_rows(t, rows);
        to_columns(t, rows, exec->at.n_x, exec->at.n_x, arena, out->residuals);
    }
    if (!t->failed && out->given) { // derivatives, and behind them residuals
        uint32_t n = exec->at.n_x + exec->handed.n_all;
        memcpy(rows, t->of + exec->at.der, exec->at.n_x * sizeof *rows);
        memcpy(rows + exec->at.n_x, t->given, exec->handed.n_all * sizeof *rows);
        to_columns(t, rows, n, n, arena, out->given);
    }
    if (!t->failed && out->row_items) {
        for (uint32_t i = 0; i < out->n_rows; i++) {
            out->everything[i] = t->of[out->rows[i]] == t->all;
            out->sets[i] = out->everything[i] ? 0 : t->of[out->rows[i]];
        }
        *out->row_items = copy_sets(t, out->sets, out->n_rows, out->row_starts);
        t->failed |= !*out->row_items;
    }
    if (!t->failed && out->moved) {
        *out->moved = SG_NEW_ARRAY(arena, bool, exec->n_w + 1);
        t->failed |= !*out->moved;
        for (uint32_t i = 0; *out->moved && i < exec->n_w; i++)
            (*out->moved)[i] = t->of[i] != 0;
    }
    if (!t->failed && out->held) {
        uint32_t *starts = SG_NEW_ARRAY(arena, uint32_t, exec->at.n_x + 1);
        if (starts)
            out->held->items = copy_sets(t, t->of + exec->at.der, exec->at.n_x, starts);
        out->held->starts = starts;
        t->failed |= !out->held->items;
        separate_rows(t, rows, out->held);
        if (!t->failed)
            to_columns(t, rows, exec->at.n_x, exec->at.n_x, arena, &out->held->derivatives);
        t->failed |= !out->held->derivatives.starts;
    }
}

static sg_status trace(const sg_exec *exec, sg_arena *arena, uint32_t min_size, const bool *held,
                       wanted out)
{
    sg_tracer t = {.exec = exec,
                   .allocator = exec->allocator,
                   .min_size = min_size,
                   .held = held,
                   .calls = out.held,
                   .arena = arena};
    sg_arena scratch;
    sg_arena_init(&scratch, exec->allocator);
    sg_map_init(&t.by_content, exec->allocator);
    sg_map_init(&t.unions, exec->allocator);
    t.of = SG_NEW_ARRAY(&scratch, uint32_t, exec->n_w + 1);
    // States, held results; inputs, time and others' items.
    t.met =
        SG_NEW_ARRAY(&scratch, uint32_t, exec->at.n_x + exec->n_w + out.n_inputs + out.n_more + 2);
    const sg_event_layout *e = &exec->memories.layout;
    t.decides = out.row_items != NULL;
    t.past = SG_NEW_ARRAY(&scratch, uint32_t, e->n_pre + e->n_previous + e->n_delay + 1);
    t.rates = SG_NEW_ARRAY(&scratch, uint32_t, exec->at.n_x + 1);
    t.rows = SG_NEW_ARRAY(&scratch, uint32_t, exec->memories.layout.n_positive + 1);
    uint32_t *rows = SG_NEW_ARRAY(&scratch, uint32_t, exec->at.n_x + exec->handed.n_all + 1);
    t.given = out.given ? SG_NEW_ARRAY(&scratch, uint32_t, exec->handed.n_all + 1) : NULL;
    t.failed = scratch.failed;
    if (!t.failed)
        trace_all(&t, &out);
    write_wanted(&t, arena, rows, &out);
    SG_VEC_FREE(t.allocator, &t.sets);
    SG_VEC_FREE(t.allocator, &t.items);
    sg_map_free(&t.by_content);
    sg_map_free(&t.unions);
    sg_arena_destroy(&scratch);
    return t.failed ? SG_ERR_MEMORY : SG_OK;
}

sg_status sg_exec_patterns(const sg_exec *exec, sg_arena *arena, sg_pattern *derivatives,
                           sg_pattern *crossings)
{
    return trace(exec, arena, UINT32_MAX, NULL,
                 (wanted){.derivatives = derivatives, .crossings = crossings});
}

sg_status sg_exec_moved(const sg_exec *exec, sg_arena *arena, bool **moved)
{
    return trace(exec, arena, UINT32_MAX, NULL, (wanted){.moved = moved});
}

sg_status sg_exec_residual_pattern(const sg_exec *exec, sg_arena *arena, uint32_t min_size,
                                   sg_pattern *residuals)
{
    return trace(exec, arena, min_size, NULL, (wanted){.residuals = residuals});
}

sg_status sg_exec_given_pattern(const sg_exec *exec, sg_arena *arena, sg_pattern *given)
{
    return trace(exec, arena, UINT32_MAX, NULL, (wanted){.given = given});
}

sg_status sg_exec_held(const sg_exec *exec, const bool *is_held, sg_arena *arena, sg_held *out)
{
    *out = (sg_held){0};
    return trace(exec, arena, UINT32_MAX, is_held, (wanted){.held = out});
}

// ---- for who is told beforehand (depends.h) -------------------------------------------------

// Inputs and the time stand for themselves, like states; `more` items are of others.
static void trace_inputs(sg_tracer *t, const wanted *out)
{
    const sg_exec *exec = t->exec;
    uint32_t n = out->n_inputs, first;
    for (uint32_t k = 0; k < n && !t->failed; k++)
        t->of[out->inputs[k]] = single(t, exec->at.n_x + k);
    t->of[exec->at.time] = t->time = single(t, exec->at.n_x + n);
    first = (uint32_t)t->items.len;
    for (uint32_t i = 0; i <= exec->at.n_x + n + out->n_more && !t->failed; i++)
        t->failed |= !SG_PUSH(t->allocator, &t->items, i);
    t->all = t->failed ? 0 : intern(t, first);
}

// What is remembered is known behind the place where it is read, and a condition at which the run
// slides also depends on how fast it would be crossed: until nothing becomes more. Longer chains of
// memories than this are taken for everything.
enum { MOST_PASSES = 100 };

static void trace_until_settled(sg_tracer *t)
{
    uint32_t n_x = t->exec->at.n_x;
    t->grown = true;
    for (int k = 0; k < MOST_PASSES && t->grown && !t->failed; k++) {
        t->grown = false;
        memcpy(t->rates, t->of + t->exec->at.der, n_x * sizeof *t->rates);
        trace_range(t, 0, t->exec->steps.n);
        t->grown |= memcmp(t->rates, t->of + t->exec->at.der, n_x * sizeof *t->rates) != 0;
    }
    if (t->grown)
        sg_trace_assign(t, 0, t->exec->n_w, t->all);
}

sg_status sg_exec_depends(const sg_exec *exec, sg_arena *arena, const uint32_t *inputs,
                          uint32_t n_inputs, uint32_t n_more, const uint32_t *rows, uint32_t n_rows,
                          uint32_t **starts, uint32_t **items, bool **everything)
{
    uint32_t *sets = SG_NEW_ARRAY(arena, uint32_t, n_rows + 1);
    *starts = SG_NEW_ARRAY(arena, uint32_t, n_rows + 1);
    *everything = SG_NEW_ARRAY(arena, bool, n_rows + 1);
    if (!sets || !*starts || !*everything)
        return SG_ERR_MEMORY;
    wanted out = {.inputs = inputs,
                  .n_inputs = n_inputs,
                  .n_more = n_more,
                  .rows = rows,
                  .n_rows = n_rows,
                  .sets = sets,
                  .row_starts = *starts,
                  .row_items = items,
                  .everything = *everything};
    return trace(exec, arena, UINT32_MAX, NULL, out);
}
