// From a program to a workspace: the order of things when a segment starts.
#include "base/assert.h"
#include "program/fused.h"
#include "program/linker.h"
#include "program/plain.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Offsets are 32 bits wide; the limit is well below, and far above what a computer likes.
static const uint64_t largest_workspace = (uint64_t)1 << 30;

const char *sg_dims_text(sg_dims s, char text[32])
{
    switch (s.dims) {
    case SG_SCALAR:
        snprintf(text, 32, "%s", s.num == SG_OPAQUE ? "an object" : "a number");
        break;
    case SG_VECTOR:
        snprintf(text, 32, "a vector of %u", s.rows);
        break;
    case SG_ROW:
        snprintf(text, 32, "a row of %u", s.cols);
        break;
    default:
        snprintf(text, 32, "a %u x %u matrix", s.rows, s.cols);
    }
    return text;
}

static sg_span span_of(const sg_program *p, uint32_t eq)
{
    return p->eq_spans && eq < p->n_eqs ? p->eq_spans[eq] : (sg_span){0};
}

bool sg_link_error(sg_linker *l, sg_code code, const char *format, ...)
{
    const sg_program *p = l->program;
    uint32_t eq = l->step < p->steps.len ? p->steps.data[l->step].eq : 0;
    const char *equation = sg_program_eq_text(p, eq);
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (l->diags && equation[0])
        sg_error(l->diags, code, span_of(p, eq), "%s, in the equation %s", text, equation);
    else if (l->diags)
        sg_error(l->diags, code, span_of(p, eq), "%s", text);
    l->wrong = true;
    return false;
}

uint32_t sg_link_room(sg_linker *l, uint64_t n)
{
    size_t from = l->w.len;
    if (n > largest_workspace || from + n > largest_workspace ||
        !SG_RESERVE(l->exec->allocator, &l->w, from + n)) {
        l->failed = true;
        return 0;
    }
    memset(l->w.data + from, 0, n * sizeof(double));
    l->w.len += n;
    return (uint32_t)from;
}

bool sg_link_result(sg_linker *l, sg_dims shape)
{
    const sg_step *step = &l->program->steps.data[l->step];
    uint32_t r = step->dst;
    char text[32], text2[32];
    if (l->placed[r]) {
        sg_dims has = l->exec->shapes[r];
        // A vector of one element is not a number, and the other way round; both are mistakes.
        if (has.rows == shape.rows && has.cols == shape.cols &&
            (has.dims == SG_SCALAR) == (shape.dims == SG_SCALAR)) {
            // Two branches write it: a Bool on one side and a number on the other make a number.
            if (l->program->regs.data[r].kind == SG_REG_TEMP && has.num != shape.num)
                l->exec->shapes[r].num = SG_REAL;
            return true;
        }
        return sg_link_error(l, SG_E_EQ_SHAPE, "the left side is %s, the right side is %s",
                             sg_dims_text(has, text), sg_dims_text(shape, text2));
    }
    l->exec->shapes[r] = shape;
    l->exec->offsets[r] = sg_link_room(l, (uint64_t)shape.rows * shape.cols);
    l->placed[r] = true;
    return !l->failed;
}

void sg_link_emit(sg_linker *l, sg_linked entry)
{
    entry.run = entry.form;
    l->failed = l->failed || !SG_PUSH(l->exec->allocator, &l->code, entry) ||
                !SG_PUSH(l->exec->allocator, &l->code_step, l->step);
}

static void place(sg_linker *l, uint32_t r, sg_dims shape, const double *data)
{
    uint32_t n = sg_dims_count(shape);
    l->exec->shapes[r] = shape;
    l->exec->offsets[r] = sg_link_room(l, n);
    l->placed[r] = true;
    if (data && n && !l->failed)
        memcpy(l->w.data + l->exec->offsets[r], data, n * sizeof(double));
}

static void place_par(sg_linker *l, uint32_t r, const sg_reg_info *info)
{
    const sg_program *p = l->program;
    bool is_par = info->kind == SG_REG_PAR;
    sg_given given = {sg_dims_scalar(SG_REAL), NULL};
    bool (*ask)(void *, uint32_t, sg_given *) = is_par ? l->source->par : l->source->constant;
    if (!ask || !ask(l->source->context, info->index, &given)) {
        const char *name =
            is_par && p->par_names && info->index < p->n_pars ? p->par_names[info->index] : "?";
        l->step = 0;
        sg_link_error(l, SG_E_EQ_CALL, "parameter '%s' has no numeric value", name);
    }
    place(l, r, given.shape, given.data);
}

static sg_given start_of(const sg_linker *l, uint32_t var)
{
    static const double zero = 0.0;
    sg_given given = {sg_dims_scalar(SG_REAL), &zero};
    if (l->source->start)
        l->source->start(l->source->context, var, &given);
    given.shape.num = SG_REAL;
    return given;
}

// States lie together in their order, and so do their derivatives in the same shapes.
static void place_states(sg_linker *l)
{
    const sg_program *p = l->program;
    sg_exec *exec = l->exec;
    uint32_t *state_reg = SG_NEW_ARRAY(&exec->arena, uint32_t, p->n_states + 1);
    uint32_t *der_reg = SG_NEW_ARRAY(&exec->arena, uint32_t, p->n_states + 1);
    exec->at.state = SG_NEW_ARRAY(&exec->arena, uint32_t, p->n_states + 1);
    if (!state_reg || !der_reg || !exec->at.state) {
        l->failed = true;
        return;
    }
    for (uint32_t r = 1; r < p->regs.len; r++) {
        if (p->regs.data[r].kind == SG_REG_STATE)
            state_reg[p->regs.data[r].index] = r;
        if (p->regs.data[r].kind == SG_REG_DER)
            der_reg[p->regs.data[r].index] = r;
    }
    exec->at.x = (uint32_t)l->w.len;
    for (uint32_t s = 0; s < p->n_states; s++) {
        sg_given start = start_of(l, p->state_vars[s]);
        exec->at.state[s] = (uint32_t)l->w.len - exec->at.x;
        place(l, state_reg[s], start.shape, start.data);
    }
    exec->at.n_x = (uint32_t)l->w.len - exec->at.x;
    exec->at.der = (uint32_t)l->w.len;
    for (uint32_t s = 0; s < p->n_states; s++)
        place(l, der_reg[s], exec->shapes[state_reg[s]], NULL);
}

static void place_given(sg_linker *l)
{
    const sg_program *p = l->program;
    sg_exec *exec = l->exec;
    exec->at.time = sg_link_room(l, 1);
    place_states(l);
    for (uint32_t r = 1; r < p->regs.len && !l->failed; r++) {
        const sg_reg_info *info = &p->regs.data[r];
        switch ((sg_reg_kind)info->kind) {
        case SG_REG_NUMBER:
            place(l, r, sg_dims_scalar((sg_num)info->num), &l->program->numbers.data[info->index]);
            break;
        case SG_REG_PAR:
        case SG_REG_CONST:
            place_par(l, r, info);
            break;
        case SG_REG_TIME:
            exec->shapes[r] = sg_dims_scalar(SG_REAL);
            exec->offsets[r] = exec->at.time;
            l->placed[r] = true;
            break;
        case SG_REG_INPUT:
        case SG_REG_UNKNOWN: {
            sg_given start = start_of(l, info->index);
            place(l, r, start.shape, start.data);
            break;
        }
        case SG_REG_TEMP:
        case SG_REG_STATE:
        case SG_REG_DER:
        case SG_REG_SEED:
            break;
        }
    }
}

static void bind_wide(sg_exec *exec, sg_wide *wide)
{
    for (uint32_t k = 0; k < wide->n_operands; k++)
        wide->operands[k].data = exec->w + wide->offsets[k];
    wide->result.data = exec->w + wide->result_at;
}

// Runs what was just emitted, so that values which shapes depend on are there, and functions that
// are asked for shapes see sensible arguments. Only a fixed step must succeed.
static void run_now(sg_linker *l, uint32_t from, uint32_t wide_from, const sg_step *step)
{
    sg_exec *exec = l->exec;
    exec->w = l->w.data;
    exec->steps.list = l->code.data;
    exec->wides = l->wides.data;
    for (size_t k = wide_from; k < l->wides.len; k++)
        bind_wide(exec, &l->wides.data[k]);
    exec->failure.kind = SG_FAILED_NOT;
    sg_status status = sg_run_range(exec, from, (uint32_t)l->code.len);
    if (status != SG_OK && step->is_fixed)
        sg_link_error(l, SG_E_EQ_SHAPE,
                      "this part of the equation cannot be computed from the "
                      "parameters%s",
                      exec->failure.kind == SG_FAILED_SINGULAR ? ": the matrix is singular" : "");
    if (step->is_fixed) {
        l->code.len = l->code_step.len = from;
        l->wides.len = wide_from;
    }
}

// The next function may need the object itself to tell the shape of its result.
static bool returns_object(const sg_linker *l, const sg_step *step)
{
    for (uint32_t k = 0; k < step->n_results; k++)
        if (l->exec->shapes[l->program->operands.data[step->first_operand + k]].num == SG_OPAQUE)
            return true;
    return false;
}

// A text or an object stands in the program by a number, its handle. Functions may take and return
// it, and it may be compared, but whoever computed with it would compute with the handle.
static bool is_number_asked(const sg_linker *l, const sg_step *step)
{
    uint32_t n_objects = 0, n_choices = 0;
    for (uint32_t k = step->n_results; k < step->n_operands; k++) {
        uint32_t r = l->program->operands.data[step->first_operand + k];
        bool is_object = r && l->exec->shapes[r].num == SG_OPAQUE;
        n_objects += is_object;
        n_choices += is_object && k > step->n_results;
    }
    switch (step->op) {
    case SG_OP_COPY:
        return n_objects && l->program->regs.data[step->dst].kind == SG_REG_DER;
    case SG_OP_CALL:
    case SG_OP_DEPEND:
    case SG_OP_EQ:
    case SG_OP_NE:
        return false;
    case SG_OP_SELECT: // of two objects one
        return n_objects && (n_objects != n_choices || n_choices != 2);
    default:
        return n_objects > 0;
    }
}

// Seeds get the shapes of their unknowns; the space to solve is made when all shapes are known.
static void begin_system(sg_linker *l, const sg_step *step)
{
    const sg_torn_system *s = &l->program->systems.data[step->aux];
    for (uint32_t k = 0; k < s->n_unknowns; k++) {
        if (s->has_tangent)
            place(l, s->seeds[k], l->exec->shapes[s->unknowns[k]], NULL);
    }
    sg_link_emit(l, (sg_linked){.form = SG_L_SOLVE, .a = step->aux});
}

static void link_steps(sg_linker *l, uint32_t *step_entry)
{
    const sg_program *p = l->program;
    for (uint32_t i = 1; i < p->steps.len && !l->failed; i++) {
        const sg_step *step = &p->steps.data[i];
        uint32_t from = (uint32_t)l->code.len, wide_from = (uint32_t)l->wides.len;
        bool ready = true;
        l->step = i;
        step_entry[i] = from;
        // After an error its dependents have no shape; they are passed over, so that one mistake
        // gives one message.
        for (uint32_t k = step->n_results; k < step->n_operands; k++) {
            uint32_t r = p->operands.data[step->first_operand + k];
            ready &= r == 0 || l->placed[r];
        }
        if (!ready)
            continue;
        switch (step->op) {
        case SG_OP_JUMP:
            sg_link_emit(l, (sg_linked){.form = SG_L_JUMP, .a = step->aux});
            break;
        case SG_OP_JUMP_UNLESS:
            sg_link_emit(l,
                         (sg_linked){.form = SG_L_UNLESS,
                                     .a = step->aux,
                                     .b = l->exec->offsets[p->operands.data[step->first_operand]]});
            break;
        case SG_OP_SOLVE:
            begin_system(l, step);
            break;
        default:
            if (is_number_asked(l, step))
                sg_link_error(l, SG_E_EQ_SHAPE, "a text or an object, where a number is needed");
            else if (sg_link_step(l, step) && !l->failed &&
                     (step->op != SG_OP_CALL || returns_object(l, step)))
                run_now(l, from, wide_from, step);
        }
    }
    step_entry[p->steps.len] = (uint32_t)l->code.len;
}

static void *keep(sg_linker *l, const void *data, size_t n, size_t size)
{
    void *kept = sg_arena_alloc_array(&l->exec->arena, n + 1, size, 8);
    if (!kept)
        l->failed = true;
    else if (n)
        memcpy(kept, data, n * size);
    return kept;
}

static const char *const *slot_texts(sg_linker *l)
{
    const sg_program *p = l->program;
    size_t n = p->positive_text.len, more = l->more_text.len;
    if (!more)
        return p->positive_text.data;
    const char **texts = SG_NEW_ARRAY(&l->exec->arena, const char *, n + more);
    l->failed |= !texts;
    for (size_t i = 0; texts && i < n + more; i++)
        texts[i] = i < n ? p->positive_text.data[i] : l->more_text.data[i - n];
    return texts;
}

// Everything that was collected moves to the arena of the segment.
static void finish(sg_linker *l, const uint32_t *step_entry)
{
    sg_exec *exec = l->exec;
    const sg_program *p = l->program;
    uint32_t n_steps = (uint32_t)p->steps.len;
    sg_link_emit(l, (sg_linked){.form = SG_L_END});
    exec->n_w = (uint32_t)l->w.len;
    exec->w = keep(l, l->w.data, l->w.len, sizeof(double));
    exec->steps.n = (uint32_t)l->code.len - 1;
    exec->steps.list = keep(l, l->code.data, l->code.len, sizeof(sg_linked));
    exec->steps.of = keep(l, l->code_step.data, l->code_step.len, sizeof(uint32_t));
    exec->n_wides = (uint32_t)l->wides.len;
    exec->wides = keep(l, l->wides.data, l->wides.len, sizeof(sg_wide));
    exec->steps.dynamics_end =
        step_entry[p->dynamics_end && p->dynamics_end < n_steps ? p->dynamics_end : n_steps];
    exec->memories.layout = (sg_event_layout){
        .n_positive = (uint32_t)(p->positive_text.len + l->more_text.len),
        .n_after = (uint32_t)p->after_text.len,
        .n_clock = (uint32_t)p->clock_text.len,
        .n_sample = l->n_sample,
        .n_hold = (uint32_t)l->hold_start.len,
        .n_previous = (uint32_t)l->previous_start.len,
        .n_pre = (uint32_t)l->pre_start.len,
        .n_delay = l->n_delay,
        .n_taps = (uint32_t)p->taps.len,
        .taps = exec->memories.taps,
        .hold_start = keep(l, l->hold_start.data, l->hold_start.len, sizeof(double)),
        .previous_start = keep(l, l->previous_start.data, l->previous_start.len, sizeof(double)),
        .pre_start = keep(l, l->pre_start.data, l->pre_start.len, sizeof(double)),
        .positive_text = slot_texts(l),
        .after_text = p->after_text.data,
        .clock_text = p->clock_text.data,
        .texts = p->texts_of,
        .pre_name = keep(l, l->pre_names.data, l->pre_names.len, sizeof(char *)),
    };
    if (p->systems.len > 0)
        exec->sizes = SG_NEW_ARRAY(&exec->arena, double, (size_t)exec->n_w + 1);
    l->failed |= exec->arena.failed || (!l->wrong && !sg_link_carried(exec));
    if (l->failed)
        return;
    for (uint32_t k = 0; k < exec->n_wides; k++)
        bind_wide(exec, &exec->wides[k]);
    for (uint32_t pc = 0; pc < exec->steps.n; pc++)
        if (exec->steps.list[pc].form == SG_L_JUMP || exec->steps.list[pc].form == SG_L_UNLESS)
            exec->steps.list[pc].a = step_entry[exec->steps.list[pc].a];
    sg_fuse(exec->steps.list, exec->steps.n);
    sg_fuse_part(exec->steps.list, exec->steps.dynamics_end); // where evaluations end, too
    exec->steps.ranges[SG_EVAL_DYNAMICS] =
        (sg_code_range){exec->steps.list, exec->steps.list + exec->steps.dynamics_end};
    exec->steps.ranges[SG_EVAL_ALL] =
        (sg_code_range){exec->steps.list, exec->steps.list + exec->steps.n};
}

// Integers are kept as doubles, which are exact up to 2^53; beyond that a run must not go on.
static void find_whole_steps(sg_linker *l)
{
    sg_exec *exec = l->exec;
    const sg_program *p = l->program;
    uint32_t n = 0;
    exec->steps.n_wholes = 0;
    for (uint32_t i = 0; i < p->steps.len; i++)
        n += p->steps.data[i].dst && exec->shapes[p->steps.data[i].dst].num == SG_WHOLE;
    exec->steps.wholes = SG_NEW_ARRAY(&exec->arena, uint32_t, n + 1);
    for (uint32_t i = 0; exec->steps.wholes && i < p->steps.len; i++)
        if (p->steps.data[i].dst && exec->shapes[p->steps.data[i].dst].num == SG_WHOLE)
            exec->steps.wholes[exec->steps.n_wholes++] = i;
    exec->steps.checks_numbers = exec->steps.n_wholes > 0;
    for (uint32_t i = 0; i < p->steps.len; i++)
        exec->steps.checks_numbers |= p->steps.data[i].op == SG_OP_ASSERT;
    l->failed |= exec->arena.failed;
}

static sg_status link_all(sg_linker *l)
{
    sg_exec *exec = l->exec;
    const sg_program *p = l->program;
    sg_arena *arena = &exec->arena;
    uint32_t *step_entry = SG_NEW_ARRAY(arena, uint32_t, p->steps.len + 1);
    exec->offsets = SG_NEW_ARRAY(arena, uint32_t, p->regs.len);
    exec->shapes = SG_NEW_ARRAY(arena, sg_dims, p->regs.len);
    exec->memories.samples = SG_NEW_ARRAY(arena, sg_memory_place, p->samples.len + 1);
    exec->memories.holds = SG_NEW_ARRAY(arena, sg_memory_place, p->holds.len + 1);
    exec->memories.previouses = SG_NEW_ARRAY(arena, sg_memory_place, p->previouses.len + 1);
    exec->memories.pres = SG_NEW_ARRAY(arena, sg_memory_place, p->pres.len + 1);
    exec->memories.delays = SG_NEW_ARRAY(arena, sg_memory_place, p->delays.len + 1);
    exec->memories.taps = SG_NEW_ARRAY(arena, sg_delay_tap, p->taps.len + 1);
    exec->systems = SG_NEW_ARRAY(arena, sg_system_work, p->systems.len + 1);
    l->placed = SG_NEW_ARRAY(arena, bool, p->regs.len);
    if (arena->failed)
        return SG_ERR_MEMORY;
    place_given(l);
    if (!l->failed)
        link_steps(l, step_entry);
    for (uint32_t k = 0; k < p->systems.len && !l->failed && !l->wrong; k++)
        sg_link_system(l, k, step_entry);
    if (!l->failed)
        finish(l, step_entry);
    if (!l->failed && !l->wrong)
        find_whole_steps(l);
    return l->failed ? SG_ERR_MEMORY : l->wrong ? SG_ERR_MODEL : SG_OK;
}

sg_status sg_exec_link(sg_exec *exec, const sg_exec_source *source, sg_diags *diags)
{
    const sg_allocator *allocator = exec->allocator;
    sg_linker l = {.exec = exec, .program = exec->program, .source = source, .diags = diags};
    sg_link_free_systems(exec);
    sg_arena_destroy(&exec->arena);
    sg_arena_init(&exec->arena, allocator);
    exec->memories.layout = (sg_event_layout){0};
    exec->steps.n = exec->n_w = exec->steps.n_wholes = 0;
    memset(exec->steps.ranges, 0, sizeof exec->steps.ranges);
    exec->native.rows = NULL;
    exec->native.n_rows = 0;
    exec->native.straight = NULL;
    exec->steps.plain = NULL;
    exec->memory = source->memory;
    sg_status status = link_all(&l);
    SG_VEC_FREE(allocator, &l.w);
    SG_VEC_FREE(allocator, &l.code);
    SG_VEC_FREE(allocator, &l.code_step);
    SG_VEC_FREE(allocator, &l.wides);
    SG_VEC_FREE(allocator, &l.hold_start);
    SG_VEC_FREE(allocator, &l.previous_start);
    SG_VEC_FREE(allocator, &l.pre_start);
    SG_VEC_FREE(allocator, &l.pre_names);
    SG_VEC_FREE(allocator, &l.more_text);
    if (status != SG_OK)
        exec->w = NULL;
    else if ((source->native && !sg_native_attach(exec, source->native)) || !sg_plain_link(exec))
        status = SG_ERR_MEMORY;
    return status;
}
