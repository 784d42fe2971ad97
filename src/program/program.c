#include "program/program.h"

#include "base/digits.h"

#include <string.h>

static const char *const op_names[SG_OP_COUNT] = {
    [SG_OP_NULL] = "NULL",
#define SG_UNARY(name, expression) [SG_OP_##name] = #name,
#define SG_BINARY(name, expression) [SG_OP_##name] = #name,
#define SG_OTHER(name) [SG_OP_##name] = #name,
#include "program/opcodes.h"
#undef SG_UNARY
#undef SG_BINARY
#undef SG_OTHER
};

const char *sg_op_name(sg_op op) { return op < SG_OP_COUNT ? op_names[op] : "?"; }

sg_program *sg_program_create(const sg_allocator *allocator)
{
    if (!allocator)
        allocator = sg_allocator_default();
    sg_program *p = allocator->resize(allocator->context, NULL, 0, sizeof(sg_program));
    if (!p)
        return NULL;
    memset(p, 0, sizeof(*p));
    p->allocator = allocator;
    sg_arena_init(&p->arena, allocator);
    p->texts = &p->arena;
    if (!SG_PUSH(allocator, &p->regs, (sg_reg_info){0}) ||
        !SG_PUSH(allocator, &p->steps, (sg_step){0})) {
        sg_program_destroy(p);
        return NULL;
    }
    return p;
}

void sg_program_destroy(sg_program *p)
{
    if (!p)
        return;
    const sg_allocator *allocator = p->allocator;
    SG_VEC_FREE(allocator, &p->regs);
    SG_VEC_FREE(allocator, &p->numbers);
    SG_VEC_FREE(allocator, &p->steps);
    SG_VEC_FREE(allocator, &p->operands);
    SG_VEC_FREE(allocator, &p->systems);
    SG_VEC_FREE(allocator, &p->samples);
    SG_VEC_FREE(allocator, &p->holds);
    SG_VEC_FREE(allocator, &p->previouses);
    SG_VEC_FREE(allocator, &p->delays);
    SG_VEC_FREE(allocator, &p->taps);
    SG_VEC_FREE(allocator, &p->pres);
    SG_VEC_FREE(allocator, &p->positive_text);
    SG_VEC_FREE(allocator, &p->after_text);
    SG_VEC_FREE(allocator, &p->clock_text);
    SG_VEC_FREE(allocator, &p->positive_key);
    SG_VEC_FREE(allocator, &p->after_key);
    SG_VEC_FREE(allocator, &p->clock_key);
    sg_arena_destroy(&p->arena);
    allocator->resize(allocator->context, p, sizeof(*p), 0);
}

const char *sg_program_eq_text(const sg_program *p, uint32_t eq)
{
    if (!eq || eq >= p->n_eqs || !p->eq_texts)
        return "";
    if (!p->eq_texts[eq] && p->print_eq) {
        sg_buf text;
        sg_buf_init(&text, p->allocator);
        p->print_eq(p->print_context, eq, &text);
        p->eq_texts[eq] = sg_arena_text(p->texts, sg_buf_text(&text), text.len);
        sg_buf_free(&text);
    }
    return p->eq_texts[eq] ? p->eq_texts[eq] : "";
}

static sg_reg add_reg(sg_program *p, sg_reg_info info)
{
    if (p->failed || !SG_PUSH(p->allocator, &p->regs, info)) {
        p->failed = true;
        return (sg_reg){0};
    }
    return (sg_reg){(uint32_t)(p->regs.len - 1)};
}

sg_reg sg_program_reg(sg_program *p, sg_reg_kind kind, uint32_t index)
{
    bool is_fixed = kind == SG_REG_NUMBER || kind == SG_REG_CONST || kind == SG_REG_PAR;
    return add_reg(p, (sg_reg_info){.kind = (uint8_t)kind, .is_fixed = is_fixed, .index = index});
}

sg_reg sg_program_number(sg_program *p, double value, sg_num num)
{
    if (p->failed || !SG_PUSH(p->allocator, &p->numbers, value)) {
        p->failed = true;
        return (sg_reg){0};
    }
    return add_reg(p, (sg_reg_info){.kind = SG_REG_NUMBER,
                                    .num = (uint8_t)num,
                                    .is_fixed = true,
                                    .index = (uint32_t)p->numbers.len - 1});
}

static bool depends_on_run(sg_op op)
{
    return op == SG_OP_CALL || op == SG_OP_SOLVE || op == SG_OP_JUMP || op == SG_OP_JUMP_UNLESS ||
           op >= SG_OP_POSITIVE;
}

static bool fixed_step(const sg_program *p, sg_op op, const sg_reg *operands, uint32_t n)
{
    if (op == SG_OP_SIZE || op == SG_OP_ZERO)
        return true;
    if (depends_on_run(op))
        return false;
    for (uint32_t k = 0; k < n; k++)
        if (operands[k].i && !p->regs.data[operands[k].i].is_fixed)
            return false;
    return true;
}

static bool has_result(sg_op op)
{
    return op != SG_OP_JUMP && op != SG_OP_JUMP_UNLESS && op != SG_OP_SOLVE && op != SG_OP_CALL &&
           op != SG_OP_SET_PRE && op != SG_OP_SET_PREVIOUS && op != SG_OP_SET_DELAY;
}

static bool add_step(sg_program *p, sg_step step, const sg_reg *first, uint32_t n_first,
                     const sg_reg *second, uint32_t n_second)
{
    step.first_operand = (uint32_t)p->operands.len;
    step.n_operands = n_first + n_second;
    for (uint32_t k = 0; k < n_first + n_second && !p->failed; k++)
        p->failed =
            !SG_PUSH(p->allocator, &p->operands, k < n_first ? first[k].i : second[k - n_first].i);
    p->failed = p->failed || !SG_PUSH(p->allocator, &p->steps, step);
    return !p->failed;
}

sg_reg sg_program_step(sg_program *p, sg_op op, bool dot, sg_reg dst, const sg_reg *operands,
                       uint32_t n, uint32_t aux, uint32_t eq)
{
    if (p->failed)
        return (sg_reg){0};
    bool is_fixed = fixed_step(p, op, operands, n);
    if (has_result(op) && !dst.i) {
        dst = add_reg(p, (sg_reg_info){.kind = SG_REG_TEMP, .is_fixed = is_fixed});
        if (!dst.i)
            return dst;
    } else if (dst.i) {
        // A register with a place of its own (a derivative) must be written in every evaluation,
        // since the solver's copy is taken from there; so is one that a jump may skip.
        is_fixed = is_fixed && p->regs.data[dst.i].is_fixed;
    }
    sg_step step = {
        .op = (uint16_t)op, .dot = dot, .is_fixed = is_fixed, .dst = dst.i, .aux = aux, .eq = eq};
    if (!add_step(p, step, operands, n, NULL, 0))
        return (sg_reg){0};
    if (dst.i)
        p->regs.data[dst.i].writer = (uint32_t)(p->steps.len - 1);
    return dst;
}

void sg_program_call(sg_program *p, uint32_t func, const sg_reg *results, uint32_t n_results,
                     const sg_reg *args, uint32_t n_args, uint32_t eq)
{
    sg_step step = {.op = SG_OP_CALL, .aux = func, .n_results = n_results, .eq = eq};
    if (p->failed || !add_step(p, step, results, n_results, args, n_args))
        return;
    for (uint32_t k = 0; k < n_results; k++)
        p->regs.data[results[k].i].writer = (uint32_t)(p->steps.len - 1);
}

static void dump_reg(const sg_program *p, uint32_t r, sg_buf *out)
{
    const sg_reg_info *info = &p->regs.data[r];
    char number[40];
    switch ((sg_reg_kind)info->kind) {
    case SG_REG_NUMBER:
        sg_format_shortest(p->numbers.data[info->index], number);
        sg_buf_printf(out, " %s", number);
        return;
    case SG_REG_PAR:
        if (info->index < p->n_pars && p->par_names && p->par_names[info->index])
            sg_buf_printf(out, " %s", p->par_names[info->index]);
        else
            sg_buf_printf(out, " p%u", info->index);
        return;
    case SG_REG_CONST:
        sg_buf_printf(out, " c%u", info->index);
        return;
    case SG_REG_TIME:
        sg_buf_puts(out, " time");
        return;
    case SG_REG_STATE:
    case SG_REG_DER:
        sg_buf_printf(out, info->kind == SG_REG_STATE ? " x%u" : " der%u", info->index);
        return;
    case SG_REG_TEMP:
    case SG_REG_INPUT:
    case SG_REG_UNKNOWN:
    case SG_REG_SEED:
        break;
    }
    sg_buf_printf(out, " %s%u", info->kind == SG_REG_SEED ? "s" : "r", r);
}

void sg_program_dump(const sg_program *p, sg_buf *out)
{
    for (uint32_t i = 1; i < p->steps.len; i++) {
        const sg_step *step = &p->steps.data[i];
        if (i == p->dynamics_end)
            sg_buf_puts(out, "--- outputs\n");
        sg_buf_printf(out, "%5u %c", i, step->is_fixed ? '*' : ' ');
        if (step->dst) {
            dump_reg(p, step->dst, out);
            sg_buf_puts(out, " =");
        }
        sg_buf_printf(out, " %s%s", sg_op_name((sg_op)step->op), step->dot ? "." : "");
        for (uint32_t k = 0; k < step->n_operands; k++) {
            uint32_t r = p->operands.data[step->first_operand + k];
            if (r)
                dump_reg(p, r, out);
            else
                sg_buf_puts(out, " :");
        }
        if (step->op == SG_OP_CALL && step->aux < p->n_funcs && p->func_names)
            sg_buf_printf(out, " %s", p->func_names[step->aux]);
        else if (step->aux || step->op >= SG_OP_POSITIVE)
            sg_buf_printf(out, " #%u", step->aux);
        if (step->eq)
            sg_buf_printf(out, "  # eq %u", step->eq);
        sg_buf_putc(out, '\n');
    }
    for (uint32_t v = 1; v < p->n_vars; v++)
        if (p->var_regs && p->var_regs[v].i) {
            sg_buf_printf(out, "  %s:", p->var_names ? p->var_names[v] : "?");
            dump_reg(p, p->var_regs[v].i, out);
            sg_buf_putc(out, '\n');
        }
}

static sg_status broken(sg_diags *diags, uint32_t step, const char *what)
{
    if (diags)
        sg_error(diags, SG_E_NONE, ((sg_span){0}), "program step %u: %s", step, what);
    return SG_ERR_INTERNAL;
}

static sg_status check_step(const sg_program *p, uint32_t i, const bool *written, sg_diags *diags)
{
    const sg_step *step = &p->steps.data[i];
    if (step->op == SG_OP_NULL || step->op >= SG_OP_COUNT)
        return broken(diags, i, "unknown operator");
    if (step->dst >= p->regs.len || step->first_operand + step->n_operands > p->operands.len)
        return broken(diags, i, "register out of range");
    if ((step->dst != 0) != has_result((sg_op)step->op))
        return broken(diags, i, "result missing or not wanted");
    if ((step->op == SG_OP_JUMP || step->op == SG_OP_JUMP_UNLESS) &&
        (step->aux <= i || step->aux > p->steps.len))
        return broken(diags, i, "jump is not forward");
    if (step->op == SG_OP_SOLVE) {
        if (step->aux >= p->systems.len)
            return broken(diags, i, "no such system");
        const sg_torn_system *s = &p->systems.data[step->aux];
        if (s->body != i + 1 || s->prep < s->body || s->tangent < s->prep ||
            s->whole < s->tangent || s->end < s->whole || s->end > p->steps.len)
            return broken(diags, i, "ranges of the system are not nested");
    }
    for (uint32_t k = step->n_results; k < step->n_operands; k++) {
        uint32_t r = p->operands.data[step->first_operand + k];
        if (r >= p->regs.len)
            return broken(diags, i, "operand out of range");
        if (r && !written[r])
            return broken(diags, i, "operand is read before it is written");
    }
    return SG_OK;
}

sg_status sg_program_validate(const sg_program *p, sg_diags *diags)
{
    const sg_allocator *allocator = p->allocator;
    sg_status status = SG_OK;
    if (p->failed)
        return SG_ERR_MEMORY;
    bool *written = allocator->resize(allocator->context, NULL, 0, p->regs.len);
    if (!written)
        return SG_ERR_MEMORY;
    // Registers that come from outside are there from the beginning; a derivative that is an
    // unknown of a system is written by the solver of that system.
    for (uint32_t r = 0; r < p->regs.len; r++)
        written[r] = p->regs.data[r].kind != SG_REG_TEMP && p->regs.data[r].kind != SG_REG_DER;
    for (uint32_t i = 1; i < p->steps.len && status == SG_OK; i++) {
        const sg_step *step = &p->steps.data[i];
        if (step->op == SG_OP_SOLVE && step->aux < p->systems.len) {
            const sg_torn_system *s = &p->systems.data[step->aux];
            for (uint32_t k = 0; k < s->n_unknowns; k++)
                written[s->unknowns[k]] = true;
        }
        status = check_step(p, i, written, diags);
        if (status == SG_OK && step->dst)
            written[step->dst] = true;
        for (uint32_t k = 0; k < step->n_results && status == SG_OK; k++)
            written[p->operands.data[step->first_operand + k]] = true;
    }
    allocator->resize(allocator->context, written, p->regs.len, 0);
    return status;
}
