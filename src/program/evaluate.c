#include "base/number.h"
#include "program/exec.h"
#include "program/fused.h"
#include "program/groups.h"
#include "program/kernels.h"
#include "program/linker.h"
#include "program/native.h"

#include <math.h>
#include <string.h>

sg_exec *sg_exec_create(const sg_allocator *allocator, const sg_program *program,
                        const sg_extern *externs)
{
    if (!allocator)
        allocator = sg_allocator_default();
    sg_exec *exec = allocator->resize(allocator->context, NULL, 0, sizeof(sg_exec));
    if (!exec)
        return NULL;
    memset(exec, 0, sizeof(*exec));
    exec->program = program;
    exec->allocator = allocator;
    exec->externs = externs;
    sg_arena_init(&exec->arena, allocator);
    return exec;
}

void sg_exec_destroy(sg_exec *exec)
{
    if (!exec)
        return;
    const sg_allocator *allocator = exec->allocator;
    sg_link_free_systems(exec);
    sg_arena_destroy(&exec->arena);
    allocator->resize(allocator->context, exec, sizeof(*exec), 0);
}

sg_status sg_exec_fail(sg_exec *exec, sg_failure_kind kind, sg_status status, uint32_t step)
{
    exec->failure.kind = kind;
    exec->failure.status = status;
    exec->failure.step = step;
    exec->failure.time = exec->w[exec->at.time];
    return status;
}

static sg_status run_call(sg_exec *exec, const sg_wide *wide)
{
    const sg_step *step = &exec->program->steps.data[wide->step];
    const sg_extern *function = &exec->externs[step->aux];
    sg_extern_call call = {
        .args = wide->operands + wide->n_results,
        .n_args = wide->n_operands - wide->n_results,
        .results = wide->operands,
        .n_results = wide->n_results,
        .time = exec->w[exec->at.time],
        .mode = exec->events ? exec->events->mode : SG_MODE_RHS,
        .events = exec->events,
        .eq = step->eq,
    };
    sg_status status = function->call(function->context, &call);
    return status == SG_OK ? SG_OK : sg_exec_fail(exec, SG_FAILED_CALL, status, wide->step);
}

// Memories return a pointer to what they hold; without a run there are only start values.
static void load(double *restrict dst, const double *restrict from, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        dst[i] = from ? from[i] : 0.0;
}

// Event operators without a run (linking, plain evaluation in tests): conditions are what they
// look like at this instant, memories keep their start values.
static void run_event_alone(sg_exec *exec, const sg_linked *c)
{
    double *w = exec->w;
    const sg_event_layout *layout = &exec->memories.layout;
    switch (c->form) {
    case SG_L_POSITIVE:
        w[c->dst] = w[c->a] > 0.0 ? 1.0 : 0.0;
        return;
    case SG_L_NEGATIVE:
        w[c->dst] = w[c->a] < 0.0 ? 1.0 : 0.0;
        return;
    case SG_L_AFTER:
        w[c->dst] = w[exec->at.time] >= w[c->a] ? 1.0 : 0.0;
        return;
    case SG_L_SAMPLE:
        load(w + c->dst, w + c->a, c->n);
        return;
    case SG_L_HOLD:
        load(w + c->dst, layout->hold_start ? layout->hold_start + c->c : NULL, c->n);
        return;
    case SG_L_PREVIOUS:
        load(w + c->dst, layout->previous_start ? layout->previous_start + c->c : NULL, c->n);
        return;
    case SG_L_PRE:
        load(w + c->dst, layout->pre_start ? layout->pre_start + c->c : NULL, c->n);
        return;
    case SG_L_SET_PRE:
    case SG_L_SET_PREVIOUS:
    case SG_L_SET_DELAY:
    case SG_L_REINIT:
        return;
    case SG_L_DELAY:
        load(w + c->dst, NULL, c->n);
        return;
    case SG_L_ASSERT:
    case SG_L_TERMINATE:
        w[c->dst] = w[c->a];
        return;
    case SG_L_LEVEL:
        for (uint32_t i = 0; i < c->n; i++)
            w[c->dst + i] = sg_level_of((sg_level_kind)c->sb, w[c->a + i]);
        return;
    default:
        w[c->dst] = 0.0;
    }
}

static void run_event(sg_exec *exec, const sg_linked *c)
{
    double *w = exec->w;
    sg_events *e = exec->events;
    if (!e || ((exec->solving.loose || e->loose) && sg_linked_is_condition(c))) {
        run_event_alone(exec, c);
        return;
    }
    switch (c->form) {
    case SG_L_POSITIVE:
        w[c->dst] = sg_events_truth(e, c->b, sg_events_positive(e, c->b, w[c->a]));
        return;
    case SG_L_NEGATIVE:
        w[c->dst] = sg_events_truth(e, c->b, sg_events_negative(e, c->b, w[c->a]));
        return;
    case SG_L_AFTER:
        w[c->dst] = sg_events_after(e, c->b, w[c->a]);
        return;
    case SG_L_CLOCK:
        w[c->dst] = sg_events_clock(e, c->n, c->c ? (double)NAN : w[c->b], w[c->a]);
        return;
    case SG_L_SAMPLE:
        load(w + c->dst, sg_events_sample(e, c->c, c->n, w[c->b] != 0.0, w + c->a), c->n);
        return;
    case SG_L_HOLD:
        load(w + c->dst, sg_events_hold(e, c->c, c->n, w[c->b] != 0.0, w + c->a), c->n);
        return;
    case SG_L_PREVIOUS:
        load(w + c->dst, sg_events_previous(e, c->c, c->n, w[c->b] != 0.0), c->n);
        return;
    case SG_L_SET_PREVIOUS:
        sg_events_set_previous(e, c->c, c->n, w + c->a);
        return;
    case SG_L_PRE:
        load(w + c->dst, sg_events_pre(e, c->c), c->n);
        return;
    case SG_L_SET_PRE:
        sg_events_set_pre(e, c->c, c->n, w + c->a);
        return;
    case SG_L_DELAY:
        e->ops->delayed(e, c->b, w + c->dst);
        return;
    case SG_L_SET_DELAY:
        sg_events_set_delay(e, c->c, c->n, w + c->a);
        return;
    case SG_L_EDGE:
        w[c->dst] = sg_events_edge(e, c->c, w[c->a] != 0.0);
        return;
    case SG_L_CHANGE:
        w[c->dst] = sg_events_change(e, c->c, c->n, w + c->a);
        return;
    case SG_L_ASSERT:
        // Where results are wanted nothing is preliminary.
        w[c->dst] = w[c->a];
        if (e->mode == SG_MODE_RESULT && !e->frozen && w[c->a] == 0.0)
            exec->asserted = c->b;
        return;
    case SG_L_TERMINATE:
        w[c->dst] = w[c->a];
        if (w[c->a] != 0.0 && sg_events_deciding(e))
            e->ops->terminate(e, c->b);
        return;
    case SG_L_INITIAL:
        w[c->dst] = e->initial;
        return;
    case SG_L_TERMINAL:
        w[c->dst] = e->mode == SG_MODE_TERMINAL;
        return;
    case SG_L_LEVEL:
        for (uint32_t i = 0; i < c->n; i++)
            w[c->dst + i] = sg_events_level(e, c->b + i, (sg_level_kind)c->sb, w[c->a + i],
                                            c->sc ? w[c->c] : (double)NAN);
        return;
    default: // REINIT; its value is that of the operand
        sg_events_reinit(e, c->b, c->n, w + c->a);
        load(w + c->dst, w + c->a, c->n);
    }
}

// Between false and true, while a condition slides, there is something of both.
static double choose(double condition, double yes, double no)
{
    return condition == 1.0   ? yes
           : condition == 0.0 ? no
                              : condition * yes + (1.0 - condition) * no;
}

static void select_elements(double *w, const sg_linked *c)
{
    for (uint32_t i = 0; i < c->n; i++)
        w[c->dst + i] = choose(w[c->a + i * c->sa], w[c->b + i * c->sb], w[c->c + i * c->sc]);
}

static void copy_elements(double *w, const sg_linked *c)
{
    if (c->sa)
        memmove(w + c->dst, w + c->a, c->n * sizeof(double));
    else
        for (uint32_t i = 0; i < c->n; i++)
            w[c->dst + i] = w[c->a];
}

// Steps that are not worth a label of their own: the next one, or null with the status.
static const sg_linked *run_other(sg_exec *exec, const sg_linked *c, sg_status *status)
{
    switch (c->form) {
    case SG_L_WIDE:
        *status = sg_run_wide(exec, &exec->wides[c->a]);
        break;
    case SG_L_CALL:
        *status = run_call(exec, &exec->wides[c->a]);
        break;
    case SG_L_SOLVE:
        *status = sg_run_system(exec, c->a);
        return *status == SG_OK ? exec->steps.list + exec->systems[c->a].end : NULL;
    case SG_L_END:
        return NULL;
    default:
        run_event(exec, c);
    }
    return *status == SG_OK ? c + 1 : NULL;
}

// A call of memcpy takes longer than the states of a small model.
static inline void copy_numbers(double *restrict to, const double *restrict from, uint32_t n)
{
    switch (n) {
    case 8:
        to[7] = from[7]; // fall through
    case 7:
        to[6] = from[6]; // fall through
    case 6:
        to[5] = from[5]; // fall through
    case 5:
        to[4] = from[4]; // fall through
    case 4:
        to[3] = from[3]; // fall through
    case 3:
        to[2] = from[2]; // fall through
    case 2:
        to[1] = from[1]; // fall through
    case 1:
        to[0] = from[0]; // fall through
    case 0:
        return;
    default:
        memcpy(to, from, n * sizeof *to);
    }
}

sg_status sg_exec_straight(sg_exec *exec, double t, const double *states, double *der)
{
    return (sg_status)exec->native.straight(exec->w, t, states, der);
}

static sg_status failed_assertion(sg_exec *exec)
{
    const sg_program *p = exec->program;
    uint32_t at = 0;
    for (uint32_t i = 1; i < p->steps.len && !at; i++)
        if (p->steps.data[i].op == SG_OP_ASSERT && p->steps.data[i].aux == exec->asserted)
            at = i;
    return sg_exec_fail(exec, SG_FAILED_ASSERTION, SG_ERR_SOLVER, at);
}

// From 2^53 on a double does not tell n from n + 1.
static sg_status check_whole(sg_exec *exec)
{
    static const double most = 9007199254740992.0;
    for (uint32_t k = 0; k < exec->steps.n_wholes; k++) {
        uint32_t at = exec->steps.wholes[k], dst = exec->program->steps.data[at].dst;
        const double *number = exec->w + exec->offsets[dst];
        for (uint32_t i = 0; i < sg_dims_count(exec->shapes[dst]); i++)
            if (fabs(number[i]) >= most) {
                exec->failure.value = number[i];
                return sg_exec_fail(exec, SG_FAILED_WHOLE, SG_ERR_SOLVER, at);
            }
    }
    return SG_OK;
}

// What holds of the numbers of a whole evaluation, where the program has such steps.
static sg_status check_numbers(sg_exec *exec, unsigned what)
{
    if (exec->asserted)
        return failed_assertion(exec);
    return what != SG_EVAL_DYNAMICS ? check_whole(exec) : SG_OK;
}

// Every operation jumps to the next one by itself, which a processor foresees better than one jump
// for all. Addresses of labels are not of the standard; gcc and clang have them.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"

#define SG_NEXT(n)                                                                                 \
    c += (n);                                                                                      \
    if (c >= end)                                                                                  \
        goto done;                                                                                 \
    goto *labels[c->run]

// Step i of a group; r is the result of the one in front.
#define SG_STEP_NOT(i, op) SG_DO_##op(w[c[i].a], w[c[i].b])
#define SG_STEP_LEFT(i, op) SG_DO_##op(r, w[c[i].b])
#define SG_STEP_RIGHT(i, op) SG_DO_##op(w[c[i].a], r)

// A whole evaluation, or, with SG_EVAL_RANGE, the entries that the caller has noted. One function
// for both: a small model's evaluation takes as many instructions to get here and back as for its
// equations. No group of steps may reach over the end of a range.
SG_AS_IT_IS sg_status sg_exec_eval(sg_exec *exec, double t, const double *states, double *der,
                                   unsigned what)
{
    static const void *const labels[SG_FUSED_END + 1] = {
        &&others, // SG_L_END
#define SG_UNARY(name, expression) &&one_##name, &&all_##name,
#define SG_BINARY(name, expression) &&one_##name, &&all_##name,
#define SG_OTHER(name)
#include "program/opcodes.h"
#undef SG_UNARY
#undef SG_BINARY
#undef SG_OTHER
        &&square,
        &&copy,
        &&copy_all,
        &&select,
        &&select_all,
        &&jump,
        &&unless,
        // WIDE to LEVEL
        &&others,
        &&others,
        &&others,
        &&others,
        &&others,
        &&others,
        &&others,
        &&others,
        &&others,
        &&others,
        &&others,
        &&others,
        &&others,
        &&others,
        &&others,
        &&others,
        &&others,
        &&others,
        &&others,
        &&others,
        &&others,
        &&others,
        &&others,
#define SG_GROUP_2(x, y, use) &&two_##x##_##y##_##use,
#define SG_GROUP_3(x, y, use, z, last) &&three_##x##_##y##_##use##_##z##_##last,
        SG_GROUPS
#undef SG_GROUP_2
#undef SG_GROUP_3
            && native,
    };
    double *const w = exec->w;
    const sg_linked *c = exec->steps.ranges[what].from, *const end = exec->steps.ranges[what].to;
    if (what != SG_EVAL_RANGE) {
        exec->failure.kind = SG_FAILED_NOT;
        exec->asserted = 0;
        w[exec->at.time] = t;
        if (states)
            copy_numbers(w + exec->at.x, states, exec->at.n_x);
    }
    SG_NEXT(0);
#define SG_UNARY(name, expression)                                                                 \
    one_##name:                                                                                    \
    {                                                                                              \
        double x = w[c->a];                                                                        \
        w[c->dst] = expression;                                                                    \
        SG_NEXT(1);                                                                                \
    }                                                                                              \
    all_##name : sg_kernel_##name(w + c->dst, w + c->a, w + c->a, 1, 0, c->n);                     \
    SG_NEXT(1);
#define SG_BINARY(name, expression)                                                                \
    one_##name:                                                                                    \
    {                                                                                              \
        double x = w[c->a], y = w[c->b];                                                           \
        w[c->dst] = expression;                                                                    \
        SG_NEXT(1);                                                                                \
    }                                                                                              \
    all_##name : sg_kernel_##name(w + c->dst, w + c->a, w + c->b, c->sa, c->sb, c->n);             \
    SG_NEXT(1);
#define SG_OTHER(name)
#include "program/opcodes.h"
#undef SG_UNARY
#undef SG_BINARY
#undef SG_OTHER
square:
    w[c->dst] = w[c->a] * w[c->a];
    SG_NEXT(1);
copy:
    w[c->dst] = w[c->a];
    SG_NEXT(1);
copy_all:
    copy_elements(w, c);
    SG_NEXT(1);
select:
    w[c->dst] = choose(w[c->a], w[c->b], w[c->c]);
    SG_NEXT(1);
select_all:
    select_elements(w, c);
    SG_NEXT(1);
unless:
    if (w[c->b] != 0.0) {
        SG_NEXT(1);
    }
jump:
    c = exec->steps.list + c->a;
    SG_NEXT(0);
native : {
    const sg_native_row *row = &exec->native.rows[exec->native.row_of[c - exec->steps.list]];
    if ((uint32_t)(end - c) < row->n)
        goto *labels[c->form]; // a range ends within
    row->run(w);
    SG_NEXT(row->n);
}
others : {
    sg_status status = SG_OK;
    c = run_other(exec, c, &status);
    if (status != SG_OK)
        return status;
    if (!c)
        goto done;
    SG_NEXT(0);
}
done:
    if (exec->steps.checks_numbers && what != SG_EVAL_RANGE) {
        sg_status status = check_numbers(exec, what);
        if (status != SG_OK)
            return status;
    }
    if (der)
        copy_numbers(der, w + exec->at.der, exec->at.n_x);
    return SG_OK;
#define SG_GROUP_2(x, y, use)                                                                      \
    two_##x##_##y##_##use:                                                                         \
    {                                                                                              \
        double r = SG_STEP_NOT(0, x);                                                              \
        w[c->dst] = r;                                                                             \
        w[c[1].dst] = SG_STEP_##use(1, y);                                                         \
        SG_NEXT(2);                                                                                \
    }
#define SG_GROUP_3(x, y, use, z, last)                                                             \
    three_##x##_##y##_##use##_##z##_##last:                                                        \
    {                                                                                              \
        double r = SG_STEP_NOT(0, x);                                                              \
        w[c->dst] = r;                                                                             \
        r = SG_STEP_##use(1, y);                                                                   \
        w[c[1].dst] = r;                                                                           \
        w[c[2].dst] = SG_STEP_##last(2, z);                                                        \
        SG_NEXT(3);                                                                                \
    }
    SG_GROUPS
#undef SG_GROUP_2
#undef SG_GROUP_3
}
#pragma GCC diagnostic pop

sg_status sg_run_range(sg_exec *exec, uint32_t from, uint32_t to)
{
    if (from == to)
        return SG_OK; // a program without steps has no code to point into
    sg_fuse_part(exec->steps.list, to);
    exec->steps.ranges[SG_EVAL_RANGE] =
        (sg_code_range){exec->steps.list + from, exec->steps.list + to};
    return sg_exec_eval(exec, 0.0, NULL, NULL, SG_EVAL_RANGE);
}

sg_status sg_exec_shift(sg_exec *exec, uint32_t var, double by, double *der)
{
    const sg_program *p = exec->program;
    uint32_t r = var < p->n_vars && p->var_regs ? p->var_regs[var].i : 0;
    uint32_t writer = r ? p->regs.data[r].writer : 0, from = 0;
    if (!writer || p->steps.data[writer].op == SG_OP_SOLVE)
        return SG_ERR_USAGE;
    while (from < exec->steps.dynamics_end && exec->steps.of[from] <= writer)
        from++;
    for (uint32_t i = 0; i < sg_dims_count(exec->shapes[r]); i++)
        exec->w[exec->offsets[r] + i] += by;
    sg_status status = sg_run_range(exec, from, exec->steps.dynamics_end);
    if (status == SG_OK && exec->at.n_x)
        memcpy(der, exec->w + exec->at.der, exec->at.n_x * sizeof(double));
    return status;
}

void sg_exec_start_states(const sg_exec *exec, double *x)
{
    if (exec->at.n_x)
        memcpy(x, exec->w + exec->at.x, exec->at.n_x * sizeof(double));
}

sg_operand sg_exec_var(const sg_exec *exec, uint32_t var)
{
    const sg_program *p = exec->program;
    uint32_t r = var < p->n_vars && p->var_regs ? p->var_regs[var].i : 0;
    if (!r)
        return (sg_operand){0};
    return (sg_operand){exec->shapes[r], exec->w + exec->offsets[r]};
}
