// Where a value that is not finite arose: the step whose operands are still finite.
//
// Every register keeps its value for a whole evaluation and has one writer, so the way back from a
// bad derivative to its origin can be walked afterwards; nothing is watched while running. The
// unknowns of a system have no writer: there the steps of the system are searched instead.
#include "program/exec.h"

#include <math.h>

static bool all_finite(const sg_exec *exec, uint32_t r)
{
    uint32_t n = sg_dims_count(exec->shapes[r]);
    const double *x = exec->w + exec->offsets[r];
    for (uint32_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

// The first operand that is not finite, 0 if all are. A choice depends on the side that was taken.
static uint32_t bad_operand(const sg_exec *exec, const sg_step *step)
{
    const uint32_t *operands = exec->program->operands.data + step->first_operand;
    uint32_t first = step->n_results, last = step->n_operands;
    if (step->op == SG_OP_SELECT && exec->shapes[operands[0]].dims == SG_SCALAR) {
        first = exec->w[exec->offsets[operands[0]]] != 0.0 ? 1 : 2;
        last = first + 1;
    }
    for (uint32_t k = first; k < last; k++)
        if (operands[k] && !all_finite(exec, operands[k]))
            return operands[k];
    return 0;
}

static bool result_is_bad(const sg_exec *exec, const sg_step *step)
{
    const uint32_t *operands = exec->program->operands.data + step->first_operand;
    for (uint32_t k = 0; k < step->n_results; k++)
        if (!all_finite(exec, operands[k]))
            return true;
    return step->dst && !all_finite(exec, step->dst);
}

// The system that has register r as unknown.
static const sg_torn_system *system_of(const sg_exec *exec, uint32_t r)
{
    const sg_program *p = exec->program;
    for (uint32_t i = 0; i < p->systems.len; i++)
        for (uint32_t k = 0; k < p->systems.data[i].n_unknowns; k++)
            if (p->systems.data[i].unknowns[k] == r)
                return &p->systems.data[i];
    return NULL;
}

// A step of the system that made something bad from finite values; else a bad value that comes in
// from outside, in *next.
static uint32_t origin_in(const sg_exec *exec, const sg_torn_system *s, uint32_t *next)
{
    const sg_program *p = exec->program;
    for (uint32_t at = s->body; at < s->whole; at++)
        if (result_is_bad(exec, &p->steps.data[at]) && !bad_operand(exec, &p->steps.data[at]))
            return at;
    for (uint32_t at = s->body; at < s->whole; at++) {
        uint32_t r = bad_operand(exec, &p->steps.data[at]);
        if (r && system_of(exec, r) != s && p->regs.data[r].writer < s->body) {
            *next = r;
            return 0;
        }
    }
    return 0;
}

// From a register that is not finite back through the operands that are not finite either. Writers
// come in order and systems after what they read, so the way back ends; the bound is for programs
// that break that.
static uint32_t origin_of(const sg_exec *exec, uint32_t r)
{
    const sg_program *p = exec->program;
    uint32_t at = 0;
    for (size_t k = 0; r && k < p->steps.len; k++) {
        at = p->regs.data[r].writer;
        const sg_torn_system *s = at ? NULL : system_of(exec, r);
        uint32_t next = 0;
        if (s) {
            at = origin_in(exec, s, &next);
            if (at)
                return at;
        } else if (at) {
            next = bad_operand(exec, &p->steps.data[at]);
            bool known = next && (p->regs.data[next].writer || system_of(exec, next));
            if (!known)
                return at;
        }
        r = next;
    }
    return at;
}

uint32_t sg_exec_blame_system(const sg_exec *exec, uint32_t index)
{
    uint32_t next = 0, at = origin_in(exec, &exec->program->systems.data[index], &next);
    return at ? at : next ? origin_of(exec, next) : 0;
}

uint32_t sg_exec_blame(const sg_exec *exec)
{
    const sg_program *p = exec->program;
    for (uint32_t r = 1; r < p->regs.len; r++)
        if (p->regs.data[r].kind == SG_REG_DER && !all_finite(exec, r))
            return origin_of(exec, r);
    for (uint32_t at = 1; at < p->dynamics_end && at < p->steps.len; at++) {
        const sg_step *step = &p->steps.data[at];
        bool crossing =
            step->op == SG_OP_POSITIVE || step->op == SG_OP_NEGATIVE || step->op >= SG_OP_HELD_SIGN;
        uint32_t r = crossing ? bad_operand(exec, step) : 0;
        if (r)
            return origin_of(exec, r);
    }
    return 0;
}

uint32_t sg_exec_blame_var(const sg_exec *exec, uint32_t var)
{
    uint32_t r = var < exec->program->n_vars ? exec->program->var_regs[var].i : 0;
    return r && !all_finite(exec, r) ? origin_of(exec, r) : 0;
}
