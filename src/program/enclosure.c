#include "program/enclosure.h"

#include "program/enclosure_numbers.h"
#include "program/linked.h"

#include <float.h>
#include <string.h>

// ---- which part of the code
// -----------------------------------------------------------------------

typedef struct slicer {
    const sg_exec *exec;
    uint32_t *line; // entries in the order they run, bodies of systems included
    uint32_t n_line;
    bool *needed;  // numbers
    bool *chosen;  // entries of the line
    bool any_slot; // a condition was met
} slicer;

// Ranges of numbers that an entry reads or writes.
typedef void (*visit_range)(void *context, uint32_t at, uint32_t n);

static uint32_t with_stride(const sg_linked *c, uint8_t stride) { return stride ? c->n : 1; }

static bool is_binary(uint16_t form)
{
    switch (form) {
#define SG_UNARY(name, expression)
#define SG_BINARY(name, expression)                                                                \
    case SG_L_##name:                                                                              \
    case SG_LV_##name:
#define SG_OTHER(name)
#include "program/opcodes.h"
#undef SG_UNARY
#undef SG_BINARY
#undef SG_OTHER
        return true;
    default:
        return false;
    }
}

static void visit_wide(const sg_wide *w, uint32_t first, uint32_t end, visit_range visit,
                       void *context)
{
    for (uint32_t k = first; k < end; k++)
        if (w->operands[k].data)
            visit(context, w->offsets[k], sg_dims_count(w->operands[k].shape));
}

static void visit_reads(const sg_exec *exec, const sg_linked *c, visit_range visit, void *context)
{
    switch (c->form) {
    case SG_L_WIDE:
        visit_wide(&exec->wides[c->a], 0, exec->wides[c->a].n_operands, visit, context);
        return;
    case SG_L_CALL:
        visit_wide(&exec->wides[c->a], exec->wides[c->a].n_results, exec->wides[c->a].n_operands,
                   visit, context);
        return;
    case SG_L_SELECT:
    case SG_LV_SELECT:
        visit(context, c->a, with_stride(c, c->sa));
        visit(context, c->b, with_stride(c, c->sb));
        visit(context, c->c, with_stride(c, c->sc));
        return;
    case SG_L_COPY:
    case SG_LV_COPY:
        visit(context, c->a, with_stride(c, c->sa));
        return;
    case SG_L_UNLESS:
        visit(context, c->b, 1);
        return;
    case SG_L_POSITIVE:
    case SG_L_NEGATIVE:
    case SG_L_ASSERT:
    case SG_L_TERMINATE:
        visit(context, c->a, 1);
        return;
    case SG_L_LEVEL:
    case SG_L_REINIT:
        visit(context, c->a, c->n);
        return;
    case SG_L_SQUARE:
        visit(context, c->a, 1);
        return;
    default:
        break;
    }
    if (is_binary(c->form)) {
        visit(context, c->a, with_stride(c, c->sa));
        visit(context, c->b, with_stride(c, c->sb));
    } else if (c->form > SG_L_END && c->form < SG_L_SQUARE)
        visit(context, c->a, c->n);
}

static void visit_writes(const sg_exec *exec, const sg_linked *c, visit_range visit, void *context)
{
    switch (c->form) {
    case SG_L_END:
    case SG_L_JUMP:
    case SG_L_UNLESS:
    case SG_L_SET_PRE:
    case SG_L_SET_PREVIOUS:
    case SG_L_SET_DELAY:
        return;
    case SG_L_WIDE: {
        const sg_wide *w = &exec->wides[c->a];
        visit(context, w->result_at, sg_dims_count(w->result.shape));
        return;
    }
    case SG_L_CALL:
        visit_wide(&exec->wides[c->a], 0, exec->wides[c->a].n_results, visit, context);
        return;
    case SG_L_SOLVE: {
        const sg_torn_system *s = &exec->program->systems.data[c->a];
        for (uint32_t k = 0; k < s->n_unknowns; k++)
            visit(context, exec->offsets[s->unknowns[k]],
                  sg_dims_count(exec->shapes[s->unknowns[k]]));
        return;
    }
    case SG_L_SAMPLE:
    case SG_L_HOLD:
    case SG_L_PREVIOUS:
    case SG_L_PRE:
    case SG_L_DELAY:
    case SG_L_LEVEL:
    case SG_L_REINIT:
        visit(context, c->dst, c->n);
        return;
    case SG_L_POSITIVE:
    case SG_L_NEGATIVE:
    case SG_L_AFTER:
    case SG_L_CLOCK:
    case SG_L_EDGE:
    case SG_L_CHANGE:
    case SG_L_INITIAL:
    case SG_L_TERMINAL:
    case SG_L_ASSERT:
    case SG_L_TERMINATE:
        visit(context, c->dst, 1);
        return;
    default:
        visit(context, c->dst, c->n);
    }
}

static void need(void *context, uint32_t at, uint32_t n)
{
    slicer *s = context;
    memset(s->needed + at, true, n);
}

typedef struct question {
    const slicer *s;
    bool yes;
} question;

static void ask_needed(void *context, uint32_t at, uint32_t n)
{
    question *q = context;
    for (uint32_t i = 0; i < n && !q->yes; i++)
        q->yes = q->s->needed[at + i];
}

static bool is_condition(const sg_linked *c)
{
    return c->form == SG_L_POSITIVE || c->form == SG_L_NEGATIVE ||
           (c->form == SG_L_LEVEL && !c->sc);
}

static bool is_needed(const slicer *s, const sg_linked *c)
{
    question q = {s, false};
    visit_writes(s->exec, c, ask_needed, &q);
    return q.yes;
}

// The residuals say what the unknowns of a system depend on.
static void need_residuals(slicer *s, uint32_t index)
{
    const sg_torn_system *system = &s->exec->program->systems.data[index];
    for (uint32_t k = 0; k < system->n_residuals; k++)
        need(s, s->exec->offsets[system->residuals[k]],
             sg_dims_count(s->exec->shapes[system->residuals[k]]));
}

static bool system_is_needed(const slicer *s, uint32_t solve, uint32_t end)
{
    for (uint32_t i = solve; i < end; i++)
        if (is_needed(s, &s->exec->steps.list[s->line[i]]) ||
            is_condition(&s->exec->steps.list[s->line[i]]))
            return true;
    return false;
}

static void make_line(slicer *s)
{
    const sg_exec *exec = s->exec;
    uint32_t skip_from = UINT32_MAX, skip_to = 0;
    for (uint32_t pc = 0; pc < exec->steps.dynamics_end; pc++) {
        if (pc == skip_from) {
            pc = skip_to - 1;
            skip_from = UINT32_MAX;
            continue;
        }
        s->line[s->n_line++] = pc;
        if (exec->steps.list[pc].form == SG_L_SOLVE) {
            const sg_system_work *work = &exec->systems[exec->steps.list[pc].a];
            skip_from = work->prep;
            skip_to = work->end;
        }
    }
}

// The first place of the line behind the body of a system that begins at `solve`.
static uint32_t body_end(const slicer *s, uint32_t solve)
{
    uint32_t prep = s->exec->systems[s->exec->steps.list[s->line[solve]].a].prep, i = solve + 1;
    while (i < s->n_line && s->line[i] < prep)
        i++;
    return i;
}

static void choose(slicer *s, uint32_t i)
{
    const sg_linked *c = &s->exec->steps.list[s->line[i]];
    bool jumps = c->form == SG_L_JUMP || c->form == SG_L_UNLESS;
    bool is_root = is_condition(c);
    s->any_slot |= is_root;
    if (!jumps && !is_root && !is_needed(s, c))
        return;
    s->chosen[i] = true;
    // What a condition gives is frozen; only as a root does it need its argument.
    if (is_root || (c->form != SG_L_LEVEL && !jumps))
        visit_reads(s->exec, c, need, s);
    else if (c->form == SG_L_UNLESS)
        visit_reads(s->exec, c, need, s);
}

// Backwards from the conditions. A system is seen first when its last entry is met.
static void slice(slicer *s, uint32_t *opens)
{
    const sg_linked *code = s->exec->steps.list;
    for (uint32_t i = 0; i < s->n_line; i++)
        opens[i] = UINT32_MAX;
    for (uint32_t i = 0; i < s->n_line; i++)
        if (code[s->line[i]].form == SG_L_SOLVE)
            opens[body_end(s, i) - 1] = i;
    for (uint32_t i = s->n_line; i-- > 0;) {
        if (opens[i] != UINT32_MAX && system_is_needed(s, opens[i], i + 1))
            need_residuals(s, code[s->line[opens[i]]].a);
        choose(s, i);
    }
}

// ---- making it
// ------------------------------------------------------------------------------------

static void mark_varying(void *context, uint32_t at, uint32_t n)
{
    memset(((sg_enclosure *)context)->varies + at, true, n);
}

static void set_unknown(void *context, uint32_t at, uint32_t n)
{
    sg_enclosure *e = context;
    for (uint32_t i = 0; i < n; i++)
        e->numbers[at + i] = sg_enclosed_unknown();
}

// Inputs change with time in a way that is not known here.
static void mark_inputs(sg_enclosure *e)
{
    const sg_program *p = e->exec->program;
    for (uint32_t r = 1; r < p->regs.len; r++)
        if (p->regs.data[r].kind == SG_REG_INPUT) {
            uint32_t n = sg_dims_count(e->exec->shapes[r]);
            mark_varying(e, e->exec->offsets[r], n);
            set_unknown(e, e->exec->offsets[r], n);
        }
}

static void list_entries(sg_enclosure *e, const slicer *s)
{
    for (uint32_t i = 0; i < s->n_line; i++)
        if (s->chosen[i])
            e->entries[e->n_entries++] = s->line[i];
    for (uint32_t i = 0; i < e->n_entries; i++) {
        const sg_linked *c = &e->exec->steps.list[e->entries[i]];
        if (c->form != SG_L_JUMP && c->form != SG_L_UNLESS)
            continue;
        uint32_t to = i + 1;
        while (to < e->n_entries && e->entries[to] < c->a)
            to++;
        e->targets[i] = to;
    }
}

static void list_states(sg_enclosure *e, const slicer *s)
{
    for (uint32_t i = 0; i < e->exec->at.n_x; i++)
        if (s->needed[e->exec->at.x + i])
            e->states[e->n_states++] = i;
    e->sees_time = s->needed[e->exec->at.time];
}

static bool make_enclosure(sg_enclosure *e, slicer *s, sg_arena *arena)
{
    const sg_exec *exec = e->exec;
    e->entries = SG_NEW_ARRAY(arena, uint32_t, s->n_line + 1);
    e->targets = SG_NEW_ARRAY(arena, uint32_t, s->n_line + 1);
    e->states = SG_NEW_ARRAY(arena, uint32_t, exec->at.n_x + 1);
    e->varies = SG_NEW_ARRAY(arena, bool, exec->n_w + 1);
    e->bent = SG_NEW_ARRAY(arena, bool, exec->n_w + 1);
    e->before = SG_NEW_ARRAY(arena, double, exec->n_w + 1);
    e->numbers = SG_NEW_ARRAY(arena, sg_enclosed, exec->n_w + 1);
    e->terms = SG_NEW_ARRAY(arena, double, exec->n_w + 1);
    e->slots = SG_NEW_ARRAY(arena, sg_enclosure_slot, e->n_slots + 1);
    if (arena->failed)
        return false;
    list_entries(e, s);
    list_states(e, s);
    e->coefficients = SG_NEW_ARRAY(arena, double, (size_t)e->n_states * e->stride + 1);
    mark_varying(e, exec->at.time, 1);
    mark_varying(e, exec->at.x, exec->at.n_x);
    for (uint32_t i = 0; i < e->n_entries; i++)
        visit_writes(exec, &exec->steps.list[e->entries[i]], mark_varying, e);
    for (uint32_t i = 0; i < e->n_entries; i++)
        e->calls |= exec->steps.list[e->entries[i]].form == SG_L_CALL;
    mark_inputs(e);
    return !arena->failed;
}

sg_enclosure *sg_enclosure_create(const sg_exec *exec, uint32_t stride, sg_arena *arena)
{
    uint32_t n_slots = exec->memories.layout.n_positive, n = exec->steps.dynamics_end;
    if (!n_slots)
        return NULL;
    sg_arena scratch;
    sg_arena_init(&scratch, exec->allocator);
    slicer s = {.exec = exec,
                .line = SG_NEW_ARRAY(&scratch, uint32_t, n + 1),
                .needed = SG_NEW_ARRAY(&scratch, bool, exec->n_w + 1),
                .chosen = SG_NEW_ARRAY(&scratch, bool, n + 1)};
    uint32_t *opens = SG_NEW_ARRAY(&scratch, uint32_t, n + 1);
    sg_enclosure *e = NULL;
    if (!scratch.failed) {
        make_line(&s);
        slice(&s, opens);
    }
    if (!scratch.failed && s.any_slot)
        e = SG_NEW(arena, sg_enclosure);
    if (e) {
        *e = (sg_enclosure){.exec = exec, .n_slots = n_slots, .stride = stride};
        if (!make_enclosure(e, &s, arena))
            e = NULL;
    }
    sg_arena_destroy(&scratch);
    return e;
}

// ---- running it
// -----------------------------------------------------------------------------------

static double largest(const sg_enclosed *x) { return fmax(fabs(x->lo), fabs(x->hi)); }

// The sum, difference or other result of numbers with terms of the sizes `a` and `b`. What is not
// linear in states is as large as it is, if it depends on any.
static void put_with_terms(sg_enclosure *e, uint32_t at, sg_op op, sg_enclosed value, double a,
                           double b)
{
    bool sum = op == SG_OP_ADD || op == SG_OP_SUB || op == SG_OP_NEG;
    sg_enclosure_put(e, at, value);
    if (fmax(a, b) > 0.0 && !sg_enclosed_is_unknown(&value))
        e->terms[at] = fmax(sum ? fmax(a, b) : 0.0, largest(&value));
}

static void put_state(sg_enclosure *e, uint32_t at, sg_enclosed value)
{
    sg_enclosure_put(e, at, value);
    e->terms[at] = largest(&value);
}

static void put_unary(sg_enclosure *e, const sg_linked *c, sg_op op, double r)
{
    for (uint32_t i = 0; i < c->n; i++)
        put_with_terms(e, c->dst + i, op, sg_enclosed_unary(op, sg_enclosure_get(e, c->a + i), r),
                       e->terms[c->a + i], 0.0);
}

static void put_binary(sg_enclosure *e, const sg_linked *c, sg_op op, double r)
{
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t a = c->a + i * c->sa, b = c->b + i * c->sb;
        put_with_terms(e, c->dst + i, op,
                       sg_enclosed_binary(op, sg_enclosure_get(e, a), sg_enclosure_get(e, b), r),
                       e->terms[a], e->terms[b]);
    }
}

static void put_constants(sg_enclosure *e, uint32_t at, const double *values, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        sg_enclosure_put(e, at + i, sg_enclosed_point(values ? values[i] : 0.0));
}

typedef struct frontier {
    sg_enclosure *e;
    double r;
} frontier;

// The sine of an unknown is between -1 and 1 and has any slope, however short the interval.
static bool is_of_unknown(const sg_enclosed *x) { return isinf(x->d_lo) && isinf(x->d_hi); }

// What goes into something that is not known: how far from a straight line, relative to its size?
// States are known to their tolerance, and so is a sum of them to that of its terms: charges that
// add up to nothing are no straight line, relative to that, however short the interval is.
// Shorter intervals do not make a truth value straight, so that one does not count: those that
// change anything are events, and x == 0.0 is true at single instants, or undecided for good where
// x is zero but for rounding.
static void roughen(void *context, uint32_t at, uint32_t n)
{
    const frontier *f = context;
    for (uint32_t i = 0; i < n; i++) {
        sg_enclosed x = sg_enclosure_get(f->e, at + i);
        f->e->bent[at + i] = false;
        if (sg_enclosed_is_point(&x) || sg_enclosed_is_unknown(&x) || is_of_unknown(&x) ||
            sg_enclosed_is_undecided(&x))
            continue;
        double size = fmax(largest(&x), f->e->nothing);
        double known = fmax(SG_ENCLOSURE_STRAIGHT * size, f->e->known * f->e->terms[at + i]);
        f->e->bent[at + i] = sg_enclosed_bend(&x, f->r) > known;
        f->e->rough |= f->e->bent[at + i];
    }
}

static void compare_bent(void *context, uint32_t at, uint32_t n)
{
    sg_enclosure *e = context;
    for (uint32_t i = at; i < at + n; i++) {
        if (!e->bent[i])
            continue;
        double value = sg_enclosure_get(e, i).mid;
        double least = SG_ENCLOSURE_ROUNDINGS * DBL_EPSILON * fabs(e->before[i]);
        e->moved |= !(fabs(value - e->before[i]) <= least);
        e->before[i] = value;
    }
}

static void look_at_frontier(sg_enclosure *e, const sg_linked *c, double r)
{
    frontier f = {e, r};
    if (e->watching)
        visit_reads(e->exec, c, compare_bent, e);
    else if (r > 0.0)
        visit_reads(e->exec, c, roughen, &f);
}

// Both sides of the comparison whose difference an argument is.
static double size_of(const sg_enclosure *e, uint32_t entry, uint32_t at)
{
    const sg_linked *c = entry ? &e->exec->steps.list[entry - 1] : NULL;
    sg_enclosed x = sg_enclosure_get(e, at);
    double size = fmax(fabs(x.lo), fabs(x.hi));
    if (!c || (c->form != SG_L_SUB && c->form != SG_L_ADD) || c->dst != at)
        return size;
    sg_enclosed a = sg_enclosure_get(e, c->a), b = sg_enclosure_get(e, c->b);
    return fmax(size, fmax(fmax(fabs(a.lo), fabs(a.hi)), fmax(fabs(b.lo), fabs(b.hi))));
}

static void note_argument(sg_enclosure *e, uint32_t entry, uint32_t slot, uint32_t at, bool negated,
                          uint8_t level)
{
    sg_enclosed x = sg_enclosure_get(e, at);
    if (negated)
        x = sg_enclosed_unary(SG_OP_NEG, x, 0.0);
    bool known = !sg_enclosed_is_unknown(&x) && isfinite(x.mid);
    e->slots[slot] = (sg_enclosure_slot){.kind = known ? SG_ENCLOSURE_KNOWN : SG_ENCLOSURE_UNKNOWN,
                                         .level = level,
                                         .entry = entry,
                                         .argument = x,
                                         .size = known ? size_of(e, entry, at) : (double)INFINITY};
}

// What it gives is frozen, except while it slides: then it is something between false and true that
// only the run knows.
static sg_enclosed frozen(const sg_events *events, uint32_t slot, double value)
{
    bool slides = events->relaxed && !isnan(events->relaxed[slot]);
    return slides ? sg_enclosed_unknown() : sg_enclosed_point(value);
}

static void run_condition(sg_enclosure *e, const sg_events *events, const sg_linked *c,
                          uint32_t entry)
{
    if (c->form == SG_L_LEVEL) {
        for (uint32_t i = 0; i < c->n; i++) {
            sg_enclosure_put(e, c->dst + i, frozen(events, c->b + i, events->level[c->b + i]));
            if (!c->sc)
                note_argument(e, entry, c->b + i, c->a + i, false, (uint8_t)(c->sb + 1));
        }
        return;
    }
    note_argument(e, entry, c->b, c->a, c->form == SG_L_NEGATIVE, 0);
    sg_enclosure_put(e, c->dst, frozen(events, c->b, events->positive[c->b] ? 1.0 : 0.0));
}

static void run_memory(sg_enclosure *e, const sg_events *events, const sg_linked *c)
{
    switch (c->form) {
    case SG_L_SAMPLE:
        put_constants(e, c->dst, events->sample + c->c, c->n);
        return;
    case SG_L_HOLD:
        put_constants(e, c->dst, events->hold + c->c, c->n);
        return;
    case SG_L_PREVIOUS:
        put_constants(e, c->dst, events->previous + c->c, c->n);
        return;
    case SG_L_PRE:
        put_constants(e, c->dst, events->pre + c->c, c->n);
        return;
    case SG_L_AFTER:
        sg_enclosure_put(e, c->dst, sg_enclosed_point(events->after[c->b] ? 1.0 : 0.0));
        return;
    case SG_L_DELAY: {
        const sg_enclosed *time = &e->numbers[e->exec->at.time];
        events->ops->delayed_over(events, c->b, time->mid, 0.5 * (time->hi - time->lo),
                                  e->numbers + c->dst);
        for (uint32_t i = 0; i < c->n; i++)
            e->terms[c->dst + i] = 0.0;
        return;
    }
    case SG_L_ASSERT:
    case SG_L_TERMINATE:
        sg_enclosure_put(e, c->dst, sg_enclosure_get(e, c->a));
        return;
    case SG_L_REINIT:
        for (uint32_t i = 0; i < c->n; i++)
            sg_enclosure_put(e, c->dst + i, sg_enclosure_get(e, c->a + i));
        return;
    case SG_L_SET_PRE:
    case SG_L_SET_PREVIOUS:
    case SG_L_SET_DELAY:
        return;
    default: // ticks, edges and changes hold at events only
        sg_enclosure_put(e, c->dst, sg_enclosed_point(0.0));
    }
}

static bool any_unknown(const sg_enclosure *e, uint32_t at, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (sg_enclosed_is_unknown(&e->numbers[at + i]))
            return true;
    return false;
}

static void run_plain(sg_enclosure *e, const sg_linked *c, double r)
{
    switch (c->form) {
#define SG_UNARY(name, expression)                                                                 \
    case SG_L_##name:                                                                              \
    case SG_LV_##name:                                                                             \
        put_unary(e, c, SG_OP_##name, r);                                                          \
        break;
#define SG_BINARY(name, expression)                                                                \
    case SG_L_##name:                                                                              \
    case SG_LV_##name:                                                                             \
        put_binary(e, c, SG_OP_##name, r);                                                         \
        break;
#define SG_OTHER(name)
#include "program/opcodes.h"
#undef SG_UNARY
#undef SG_BINARY
#undef SG_OTHER
    case SG_L_SQUARE:
        sg_enclosure_put(
            e, c->dst,
            sg_enclosed_binary(SG_OP_POW, sg_enclosure_get(e, c->a), sg_enclosed_point(2.0), r));
        break;
    case SG_L_SELECT:
    case SG_LV_SELECT:
        for (uint32_t i = 0; i < c->n; i++)
            sg_enclosure_put(e, c->dst + i,
                             sg_enclosed_select(sg_enclosure_get(e, c->a + i * c->sa),
                                                sg_enclosure_get(e, c->b + i * c->sb),
                                                sg_enclosure_get(e, c->c + i * c->sc)));
        break;
    default: // COPY
        for (uint32_t i = 0; i < c->n; i++)
            sg_enclosure_put(e, c->dst + i, sg_enclosure_get(e, c->a + i * c->sa));
    }
    if (any_unknown(e, c->dst, c->n))
        look_at_frontier(e, c, r);
}

static void run_entry(sg_enclosure *e, const sg_events *events, uint32_t pc, double r)
{
    const sg_linked *c = &e->exec->steps.list[pc];
    switch (c->form) {
    case SG_L_POSITIVE:
    case SG_L_NEGATIVE:
    case SG_L_LEVEL:
        run_condition(e, events, c, pc);
        return;
    case SG_L_SOLVE:
    case SG_L_CALL:
        visit_writes(e->exec, c, set_unknown, e);
        if (c->form == SG_L_CALL)
            look_at_frontier(e, c, r);
        return;
    case SG_L_WIDE: {
        const sg_wide *w = &e->exec->wides[c->a];
        if (!sg_enclosure_run_wide(e, w, r))
            visit_writes(e->exec, c, set_unknown, e);
        if (any_unknown(e, w->result_at, sg_dims_count(w->result.shape)))
            look_at_frontier(e, c, r);
        return;
    }
    default:
        break;
    }
    if (c->form >= SG_L_AFTER)
        run_memory(e, events, c);
    else
        run_plain(e, c, r);
}

// Where a branch cannot be told nothing behind it is known: it may write anything that follows.
static void lose_all(sg_enclosure *e, uint32_t from)
{
    for (uint32_t i = from; i < e->n_entries; i++) {
        const sg_linked *c = &e->exec->steps.list[e->entries[i]];
        uint32_t n = c->form == SG_L_LEVEL ? c->n : 1;
        if (is_condition(c))
            for (uint32_t k = 0; k < n; k++)
                e->slots[c->b + k] =
                    (sg_enclosure_slot){.kind = SG_ENCLOSURE_UNKNOWN, .entry = e->entries[i]};
    }
}

void sg_enclosure_run(sg_enclosure *e, const sg_events *events, double t, double r, double origin,
                      double unit, int degree)
{
    const sg_exec *exec = e->exec;
    e->rough = false;
    for (uint32_t i = 0; i < e->n_slots; i++)
        e->slots[i].kind = SG_ENCLOSURE_NONE;
    e->numbers[exec->at.time] = (sg_enclosed){t, t - r, t + r, 1.0, 1.0};
    for (uint32_t k = 0; k < e->n_states; k++)
        put_state(e, exec->at.x + e->states[k],
                  sg_enclosed_polynomial(e->coefficients + (size_t)k * e->stride, degree,
                                         (t - origin) / unit, unit, r));
    for (uint32_t i = 0; i < e->n_entries; i++) {
        const sg_linked *c = &exec->steps.list[e->entries[i]];
        if (c->form == SG_L_JUMP) {
            i = e->targets[i] - 1;
        } else if (c->form == SG_L_UNLESS) {
            sg_enclosed condition = sg_enclosure_get(e, c->b);
            if (!sg_enclosed_is_point(&condition)) {
                lose_all(e, i + 1);
                return;
            }
            if (condition.mid == 0.0)
                i = e->targets[i] - 1;
        } else
            run_entry(e, events, e->entries[i], r);
    }
}

sg_span sg_enclosure_span(const sg_enclosure *e, uint32_t slot)
{
    const sg_program *p = e->exec->program;
    uint32_t step = e->exec->steps.of[e->slots[slot].entry], eq = p->steps.data[step].eq;
    return p->eq_spans && eq < p->n_eqs ? p->eq_spans[eq] : (sg_span){0};
}
