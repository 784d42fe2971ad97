// Failures of an evaluation in words: the equation, the variables, the numbers.
#include "program/linked.h"

#include <math.h>
#include <stdio.h>

enum { MOST_VALUES = 6, MOST_GROUPS = 3, MOST_EQUATIONS = 8 };

static sg_span span_of(const sg_program *p, uint32_t eq)
{
    return p->eq_spans && eq < p->n_eqs ? p->eq_spans[eq] : (sg_span){0};
}

static const char *text_of(const sg_program *p, uint32_t eq) { return sg_program_eq_text(p, eq); }

static const char *name_of(const sg_program *p, uint32_t var)
{
    return p->var_names && var < p->n_vars && p->var_names[var] ? p->var_names[var] : "?";
}

// Variables and parameters have names; literals and results in between have not.
static const char *register_name(const sg_program *p, uint32_t r)
{
    const sg_reg_info *info = &p->regs.data[r];
    if (info->kind == SG_REG_PAR)
        return p->par_names && info->index < p->n_pars ? p->par_names[info->index] : NULL;
    if (info->kind == SG_REG_TIME)
        return "time";
    for (uint32_t v = 1; p->var_regs && v < p->n_vars; v++)
        if (p->var_regs[v].i == r)
            return name_of(p, v);
    return NULL;
}

// Errors and warnings name the time.
static void add(sg_diags *diags, sg_severity severity, sg_code code, sg_span span, double time,
                sg_buf *text)
{
    bool names_time = severity != SG_NOTE;
    sg_diags_put(diags, (sg_diag){severity, code, span, time, sg_buf_text(text), names_time});
    sg_buf_clear(text);
}

// The unknowns of a system, as many as a person wants to read.
static void list_unknowns(const sg_program *p, const sg_torn_system *s, sg_buf *text)
{
    for (uint32_t k = 0; k < s->n_unknowns && k < 8; k++)
        sg_buf_printf(text, "%s%s", k ? ", " : "", name_of(p, s->unknown_vars[k]));
    if (s->n_unknowns > 8)
        sg_buf_printf(text, ", … (%u in all)", s->n_unknowns);
}

// "nearest to a solution, at x = 1, y = 2, ": where the search ended, as many numbers as a person
// wants to read.
static void list_nearest(const sg_exec *exec, const sg_torn_system *s, sg_buf *text)
{
    const sg_system_work *work = &exec->systems[exec->failure.system];
    uint32_t n = 0, at = work->n_inner;
    sg_buf_puts(text, "nearest to a solution, ");
    for (uint32_t k = 0; k < s->n_unknowns && n < MOST_VALUES; k++) {
        if (exec->shapes[s->unknowns[k]].dims == SG_SCALAR)
            sg_buf_printf(text, "%s%s = %.6g", n++ ? ", " : "at ",
                          name_of(exec->program, s->unknown_vars[k]), work->whole.t[at]);
        at += sg_dims_count(exec->shapes[s->unknowns[k]]);
    }
    if (n)
        sg_buf_puts(text, ", ");
}

static void note_equations(const sg_exec *exec, const sg_torn_system *s, double time,
                           sg_diags *diags, sg_buf *text)
{
    const sg_program *p = exec->program;
    for (uint32_t k = 0; k < s->n_residuals && k < 5; k++) {
        sg_buf_printf(text, "this equation is part of the system: %s",
                      text_of(p, s->residual_eqs[k]));
        add(diags, SG_NOTE, SG_E_NONE, span_of(p, s->residual_eqs[k]), time, text);
    }
}

// M dx = f with a singular M: the equations between the states that are hidden in it, and the way
// out.
static void note_constraints(const sg_exec *exec, uint32_t index, double time, sg_diags *diags,
                             sg_buf *text)
{
    const sg_program *p = exec->program;
    const sg_system_work *work = &exec->systems[index];
    const sg_space *space = work->can_untear ? &work->whole : &work->torn;
    sg_arena arena;
    const bool *members = NULL;
    uint32_t n_groups;
    sg_arena_init(&arena, exec->allocator);
    uint32_t n = sg_system_dependent(exec, index, &arena, &n_groups, &members);
    for (uint32_t g = 0; g < n_groups && g < MOST_GROUPS; g++) {
        uint32_t shown = 0, first = 0;
        sg_buf_puts(text, "the matrix of the derivatives is singular: ");
        for (uint32_t i = 0; i < n; i++) {
            if (!members[(size_t)g * n + i])
                continue;
            uint32_t eq = sg_system_row_eq(exec, index, space, i);
            first = shown ? first : eq;
            if (shown++ < MOST_EQUATIONS)
                sg_buf_printf(text, "%s'%s'", shown > 1 ? " and " : "", text_of(p, eq));
        }
        if (shown > MOST_EQUATIONS)
            sg_buf_printf(text, " and %u more", shown - MOST_EQUATIONS);
        sg_buf_puts(text, shown > 1 ? " combine to an equation without derivatives"
                                    : " is an equation without derivatives");
        add(diags, SG_NOTE, SG_E_NONE, span_of(p, first), time, text);
    }
    if (n_groups) {
        sg_buf_puts(text, "so the states cannot all be independent; make the combinations that are "
                          "differentiated the states: for C*(der(b) - der(a)) write u = b - a and "
                          "C*der(u), give init to u, and start instead of init to a and b");
        add(diags, SG_NOTE, SG_E_NONE, (sg_span){0}, time, text);
    }
    sg_arena_destroy(&arena);
}

// What a step does, in words that fit "… in this equation".
static const char *mishap(const sg_exec *exec, const sg_step *step)
{
    const sg_program *p = exec->program;
    const uint32_t *operands = p->operands.data + step->first_operand;
    double a = step->n_operands ? exec->w[exec->offsets[operands[0]]] : 0.0;
    double b = step->n_operands > 1 ? exec->w[exec->offsets[operands[1]]] : 0.0;
    switch (step->op) {
    case SG_OP_DIV:
        return b == 0.0 ? "division by zero" : "a quotient too large to be represented";
    case SG_OP_LDIV:
        return a == 0.0 ? "division by zero" : "a quotient too large to be represented";
    case SG_OP_LOG:
    case SG_OP_LOG2:
    case SG_OP_LOG10:
        return "the logarithm of a number that is not positive";
    case SG_OP_SQRT:
        return "the square root of a negative number";
    case SG_OP_ASIN:
    case SG_OP_ACOS:
        return "asin or acos of a number outside of -1 to 1";
    case SG_OP_POW:
        return a < 0.0 ? "a fractional power of a negative number" : "a power without finite value";
    case SG_OP_CALL:
        return "a function that returned no finite value";
    default:
        return "a value that is not finite";
    }
}

// " (x = 2, a = 0)": what the equation reads, as many as a person wants to see.
static void list_values(const sg_exec *exec, uint32_t eq, sg_buf *text)
{
    const sg_program *p = exec->program;
    uint32_t shown[MOST_VALUES], n = 0;
    for (uint32_t at = 1; at < p->steps.len && n < MOST_VALUES; at++) {
        const sg_step *step = &p->steps.data[at];
        for (uint32_t k = step->n_results; step->eq == eq && k < step->n_operands; k++) {
            uint32_t r = p->operands.data[step->first_operand + k];
            const char *name = r ? register_name(p, r) : NULL;
            bool seen = !name || exec->shapes[r].dims != SG_SCALAR || n >= MOST_VALUES ||
                        exec->shapes[r].num == SG_OPAQUE;
            for (uint32_t i = 0; i < n && !seen; i++)
                seen = shown[i] == r;
            if (seen)
                continue;
            sg_buf_printf(text, "%s%s = %.6g", n ? ", " : " (", name, exec->w[exec->offsets[r]]);
            shown[n++] = r;
        }
    }
    if (n)
        sg_buf_putc(text, ')');
}

static void tell_origin(const sg_exec *exec, uint32_t at, double time, const char *variable,
                        sg_diags *diags, sg_buf *text)
{
    const sg_program *p = exec->program;
    const sg_step *step = &p->steps.data[at];
    sg_buf_printf(text, "%s in this equation at t = %.9g s: %s", mishap(exec, step), time,
                  text_of(p, step->eq));
    list_values(exec, step->eq, text);
    if (variable)
        sg_buf_printf(text, "; '%s' has no finite value there", variable);
    add(diags, variable ? SG_WARNING : SG_ERROR, SG_E_NOT_FINITE, span_of(p, step->eq), time, text);
}

static void explain_not_finite(const sg_exec *exec, double time, sg_diags *diags, sg_buf *text)
{
    const sg_program *p = exec->program;
    uint32_t at = sg_exec_blame(exec);
    for (uint32_t v = 1; v < p->n_vars && !at; v++)
        at = sg_exec_blame_var(exec, v);
    if (at)
        tell_origin(exec, at, time, NULL, diags, text);
}

bool sg_exec_warn_var(sg_exec *exec, uint32_t var, double time, sg_diags *diags)
{
    sg_native_refill(exec);
    uint32_t at = sg_exec_blame_var(exec, var);
    if (!at)
        return false;
    sg_buf text;
    sg_buf_init(&text, exec->allocator);
    tell_origin(exec, at, time, name_of(exec->program, var), diags, &text);
    sg_buf_free(&text);
    return true;
}

static void explain_system(const sg_exec *exec, double time, sg_diags *diags, sg_buf *text)
{
    const sg_program *p = exec->program;
    const sg_failure *f = &exec->failure;
    const sg_torn_system *s = &p->systems.data[f->system];
    uint32_t eq = s->n_residuals ? s->residual_eqs[0] : 0;
    // A system full of NaN has its reason in one of its steps.
    uint32_t at = isfinite(f->value) ? 0 : sg_exec_blame_system(exec, f->system);
    if (at && f->kind != SG_FAILED_MIXED) {
        tell_origin(exec, at, f->time, NULL, diags, text);
        return;
    }
    sg_code code = SG_E_LINEAR_SYSTEM;
    if (f->kind == SG_FAILED_SINGULAR) {
        sg_buf_printf(text, "the equations for %s have no unique solution at t = %.9g s: '",
                      s->n_unknowns == 1 ? "this unknown" : "these unknowns", f->time);
        list_unknowns(p, s, text);
        uint32_t var = f->unknown < s->n_unknowns ? s->unknown_vars[f->unknown]
                                                  : s->inner_vars[f->unknown - s->n_unknowns];
        sg_buf_printf(text, "'; nothing determines '%s' here", name_of(p, var));
    } else if (f->kind == SG_FAILED_ACCURACY) {
        eq = f->eq;
        sg_buf_puts(text, "the linear equations for '");
        list_unknowns(p, s, text);
        sg_buf_printf(text,
                      "' are too nearly singular to be solved at t = %.9g s: this equation is off "
                      "by %g, with terms of size %g",
                      f->time, f->value, f->size);
    } else if (f->kind == SG_FAILED_NEWTON) {
        code = SG_E_NEWTON;
        eq = f->eq;
        sg_buf_puts(text, "the nonlinear equations for '");
        list_unknowns(p, s, text);
        sg_buf_printf(text, "' could not be solved at t = %.9g s (%u iterations); ", f->time,
                      f->iterations);
        if (f->nearest)
            list_nearest(exec, s, text);
        sg_buf_printf(text, "this equation is off by %g", f->value);
        if (isfinite(f->size)) // functions do not tell the terms of their results
            sg_buf_printf(text, ", with terms of size %g", f->size);
        sg_buf_puts(text, "; there may be no solution for these values, or it is far from the "
                          "start values: try others");
    } else {
        code = SG_E_MIXED;
        sg_buf_puts(text, "the equations for '");
        list_unknowns(p, s, text);
        sg_buf_printf(text,
                      "' have no solution at t = %.9g s that agrees with their conditions: each "
                      "combination of these that was tried leads to values for which they are "
                      "otherwise",
                      f->time);
    }
    add(diags, SG_ERROR, code, span_of(p, eq), time, text);
    note_equations(exec, s, time, diags, text);
    if (f->kind == SG_FAILED_SINGULAR && exec->systems[f->system].all_derivatives)
        note_constraints(exec, f->system, time, diags, text);
}

// M*der(x) = f(x) is solved by dividing by M, whose entries nobody knows before the run.
static void note_matrix(const sg_program *p, const sg_step *step, double time, sg_diags *diags,
                        sg_buf *text)
{
    bool derivative = step->op == SG_OP_LDIV && p->regs.data[step->dst].kind == SG_REG_DER;
    if (!derivative)
        return;
    sg_buf_puts(text,
                "it leaves some derivatives open; write the equation row by row, with numbers "
                "and parameters in front of the derivatives, and constraints are found");
    add(diags, SG_NOTE, SG_E_NONE, span_of(p, step->eq), time, text);
}

void sg_exec_explain(sg_exec *exec, double time, sg_diags *diags)
{
    sg_native_refill(exec);
    const sg_program *p = exec->program;
    const sg_failure *f = &exec->failure;
    const sg_step *step = &p->steps.data[f->step < p->steps.len ? f->step : 0];
    sg_buf text;
    sg_buf_init(&text, exec->allocator);
    switch (f->kind) {
    case SG_FAILED_NOT:
        explain_not_finite(exec, time, diags, &text);
        break;
    case SG_FAILED_SINGULAR:
        if (step->op != SG_OP_SOLVE) {
            sg_buf_printf(&text, "a singular matrix at t = %.9g s in this equation: %s", f->time,
                          text_of(p, step->eq));
            add(diags, SG_ERROR, SG_E_LINEAR_SYSTEM, span_of(p, step->eq), time, &text);
            note_matrix(p, step, time, diags, &text);
            break;
        }
        explain_system(exec, time, diags, &text);
        break;
    case SG_FAILED_NEWTON:
    case SG_FAILED_ACCURACY:
    case SG_FAILED_MIXED:
        explain_system(exec, time, diags, &text);
        break;
    case SG_FAILED_INDEX:
        sg_buf_printf(&text, "index %g is not between 1 and %g at t = %.9g s, in the equation %s",
                      f->value, f->size, f->time, text_of(p, step->eq));
        add(diags, SG_ERROR, SG_E_EQ_INDEX, span_of(p, step->eq), time, &text);
        break;
    case SG_FAILED_ASSERTION:
        sg_buf_printf(&text, "assertion failed at t = %.9g s: %s", f->time,
                      step->aux < p->n_texts ? p->texts_of[step->aux] : "?");
        add(diags, SG_ERROR, SG_E_ASSERTION, span_of(p, step->eq), time, &text);
        break;
    case SG_FAILED_WHOLE:
        sg_buf_printf(
            &text,
            "an integer is 2^53 = 9007199254740992 or larger at t = %.9g s, where counting "
            "by one is no longer exact, in the equation %s",
            f->time, text_of(p, step->eq));
        add(diags, SG_ERROR, SG_E_WHOLE, span_of(p, step->eq), time, &text);
        break;
    case SG_FAILED_CALL:
        sg_buf_printf(&text, "function '%s' failed at t = %.9g s, called in the equation %s",
                      p->func_names && step->aux < p->n_funcs ? p->func_names[step->aux] : "?",
                      f->time, text_of(p, step->eq));
        add(diags, SG_ERROR, SG_E_EQ_CALL, span_of(p, step->eq), time, &text);
        break;
    }
    sg_buf_free(&text);
}
