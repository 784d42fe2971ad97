#include "sim/start.h"

#include "base/digits.h"
#include "equations/init_check.h"
#include "integration/newton.h"

#include <math.h>
#include <string.h>

// A condition counts as met if it is off by less than this part of its two sides.
#define MET 1e-8
// States that move by less than this do so by rounding; they stay.
#define SETTLED 1e-9

// How a state begins.
typedef enum state_kind { FIXED, GUESSED, WITHOUT_VALUE } state_kind;

typedef struct start_search {
    sg_compiled *compiled;
    sg_events *events;
    double t;
    sg_arena arena;
    double *x, *dx;          // all states
    state_kind *kind;        // per number of the visible states
    uint32_t n_x;            //
    int n_init, m;           // numbers of init values; conditions in all
    sg_init_number *numbers; // work space, as are
    double *r, *size;        // residuals of all conditions
    uint32_t *unknowns;      // of the present attempt
    int n;
    sg_status status; // of an evaluation that is no matter of where
} start_search;

bool sg_start_has_conditions(const sg_compiled *compiled)
{
    return compiled->structure->n_initial || compiled->structure->n_init_checks;
}

static bool is_explicit(const start_search *s) { return s->compiled->structure->n_initial > 0; }

// ---- conditions ---------------------------------------------------------------------------------

static sg_operand side_of(const sg_compiled *compiled, uint32_t condition, int side)
{
    const sg_exec *exec = compiled->exec;
    uint32_t k = compiled->choices.present->choice->n_entries + 2 * condition + (uint32_t)side;
    sg_reg reg = compiled->program->extra_regs[k];
    return (sg_operand){exec->shapes[reg.i], exec->w + exec->offsets[reg.i]};
}

// A number may stand against an array: 0 = der(u).
static uint32_t count_of(const sg_compiled *compiled, uint32_t condition)
{
    uint32_t l = sg_dims_count(side_of(compiled, condition, 0).shape),
             r = sg_dims_count(side_of(compiled, condition, 1).shape);
    return l == r || r == 1 ? l : l == 1 ? r : 0;
}

static void both_sides(const sg_compiled *compiled, uint32_t condition, uint32_t i, double *left,
                       double *right)
{
    sg_operand l = side_of(compiled, condition, 0), r = side_of(compiled, condition, 1);
    *left = l.data[sg_dims_count(l.shape) == 1 ? 0 : i];
    *right = r.data[sg_dims_count(r.shape) == 1 ? 0 : i];
}

// Residuals of all conditions after an evaluation: init values, then the others in order.
static void read_conditions(start_search *s, double *r, double *size)
{
    const sg_compiled *c = s->compiled;
    int at =
        (int)sg_init_numbers(c->structure, c->flat, sg_compiled_value, s->compiled, s->numbers);
    for (int i = 0; i < at; i++) {
        r[i] = s->numbers[i].computed - s->numbers[i].given;
        size[i] = fmax(fabs(s->numbers[i].computed), fabs(s->numbers[i].given));
    }
    for (uint32_t k = 0; k < c->structure->n_initial; k++) {
        for (uint32_t i = 0; i < count_of(c, k); i++, at++) {
            double left, right;
            both_sides(c, k, i, &left, &right);
            r[at] = left - right;
            size[at] = fmax(fabs(left), fabs(right));
        }
    }
}

static bool evaluate_at(start_search *s, const double *x)
{
    sg_status status = sg_compiled_evaluate(s->compiled, SG_MODE_RESULT, s->events, s->t, x, s->dx);
    if (status != SG_OK && status != SG_ERR_SOLVER)
        s->status = status;
    return status == SG_OK;
}

static bool evaluate_unknowns(void *context, const double *u, double *r, double *size)
{
    start_search *s = context;
    for (int j = 0; j < s->n; j++)
        s->x[s->unknowns[j]] = u[j];
    if (s->status || !evaluate_at(s, s->x))
        return false;
    read_conditions(s, r, size);
    return true;
}

// ---- states -------------------------------------------------------------------------------------

static state_kind kind_of(const sg_compiled *compiled, uint32_t var)
{
    uint32_t attributes = compiled->flat->vars.data[var].attributes;
    if (attributes & SG_ATTR_HAS_INIT)
        return FIXED;
    return (attributes & SG_ATTR_HAS_START) || compiled->guesses[var].i ? GUESSED : WITHOUT_VALUE;
}

static uint32_t state_count(const sg_compiled *compiled, uint32_t state)
{
    return sg_dims_count(sg_exec_var(compiled->exec, compiled->program->state_vars[state]).shape);
}

static bool prepare(start_search *s, uint32_t n_states)
{
    const sg_compiled *c = s->compiled;
    s->n_x = c->exec->at.n_x;
    s->x = SG_NEW_ARRAY(&s->arena, double, n_states + 1);
    s->dx = SG_NEW_ARRAY(&s->arena, double, n_states + 1);
    s->kind = SG_NEW_ARRAY(&s->arena, state_kind, s->n_x + 1);
    s->unknowns = SG_NEW_ARRAY(&s->arena, uint32_t, s->n_x + 1);
    s->n_init = (int)sg_init_numbers(c->structure, c->flat, sg_compiled_value, s->compiled, NULL);
    s->numbers = SG_NEW_ARRAY(&s->arena, sg_init_number, s->n_init + 1);
    if (s->arena.failed)
        return false;
    s->m = s->n_init;
    for (uint32_t k = 0; k < c->structure->n_initial; k++)
        s->m += (int)count_of(c, k);
    s->r = SG_NEW_ARRAY(&s->arena, double, s->m + 1);
    s->size = SG_NEW_ARRAY(&s->arena, double, s->m + 1);
    for (uint32_t i = 0; i < c->program->n_states; i++)
        for (uint32_t k = 0; k < state_count(c, i); k++)
            s->kind[c->exec->at.state[i] + k] = kind_of(c, c->program->state_vars[i]);
    return !s->arena.failed;
}

static int choose_unknowns(start_search *s, state_kind least)
{
    s->n = 0;
    for (uint32_t i = 0; i < s->n_x; i++)
        if (s->kind[i] >= least)
            s->unknowns[s->n++] = i;
    return s->n;
}

static const char *state_name(const start_search *s, int unknown)
{
    return s->compiled->choices.present->base.model.segment.state_names[s->unknowns[unknown]];
}

// ---- reports ------------------------------------------------------------------------------------

static void print_number(sg_buf *text, double number)
{
    char digits[32];
    sg_format_shortest(number + 0.0, digits);
    sg_buf_puts(text, digits);
}

static void print_condition(const start_search *s, uint32_t k, sg_buf *text)
{
    const sg_flat *flat = s->compiled->flat;
    const sg_initial_condition *condition = &s->compiled->structure->initial[k];
    if (condition->steady.i) {
        sg_flat_print_expr(flat, condition->left, text);
        sg_buf_puts(text, " = 0 (steady)");
        return;
    }
    const sg_flat_eq *eq = &flat->initial_eqs.data[condition->eq];
    sg_flat_print_expr(flat, eq->lhs, text);
    sg_buf_puts(text, " = ");
    sg_flat_print_expr(flat, eq->rhs, text);
}

// One note for each condition that is off where the model was evaluated last. `met` may be null.
static void note_conditions(const start_search *s, const bool *met)
{
    const sg_compiled *c = s->compiled;
    sg_buf text;
    int at = s->n_init;
    sg_buf_init(&text, c->allocator);
    for (int i = 0; i < s->n_init; i++) {
        const sg_init_number *number = &s->numbers[i];
        sg_var_id var = c->structure->init_checks[number->check];
        if (met ? met[i] : fabs(s->r[i]) <= MET * s->size[i])
            continue;
        sg_buf_clear(&text);
        sg_flat_print_var(c->flat, var, &text);
        sg_buf_puts(&text, ": init = ");
        print_number(&text, number->given);
        sg_buf_puts(&text, ", but the equations give ");
        print_number(&text, number->computed);
        sg_note(c->diags, c->flat->vars.data[var.i].span, "%s", sg_buf_text(&text));
    }
    for (uint32_t k = 0; k < c->structure->n_initial; k++) {
        for (uint32_t i = 0; i < count_of(c, k); i++, at++) {
            double left, right;
            both_sides(c, k, i, &left, &right);
            if (met ? met[at] : fabs(s->r[at]) <= MET * s->size[at])
                continue;
            sg_buf_clear(&text);
            print_condition(s, k, &text);
            sg_buf_puts(&text, ": the left side is ");
            print_number(&text, left);
            sg_buf_puts(&text, ", the right side ");
            print_number(&text, right);
            sg_note(c->diags, c->structure->initial[k].span, "%s", sg_buf_text(&text));
        }
    }
    sg_buf_free(&text);
}

static sg_status report_unmet(start_search *s, const sg_newton_result *result)
{
    sg_newton_outcome outcome = result->outcome;
    sg_diags *diags = s->compiled->diags;
    const char *name = sg_sym_text(s->compiled->flat->symbols, s->compiled->flat->name);
    if (outcome == SG_NEWTON_NO_VALUE)
        sg_error(
            diags, SG_E_START, (sg_span){0},
            "%s: the initial conditions could not be solved, since the equations have no value "
            "near the start values; give the states other start values",
            name);
    else if (s->n == 0)
        sg_error(diags, SG_E_START, (sg_span){0},
                 "%s: the initial conditions do not hold, and all states have init values; write "
                 "start instead of init for as many states as there are conditions (for a joint: "
                 "phi = Var(init = nothing, start = ...)):",
                 name);
    else
        sg_error(diags, SG_E_START, (sg_span){0},
                 "%s: the initial conditions %s; at the nearest point that was found these are "
                 "off:",
                 name,
                 outcome == SG_NEWTON_NEAREST
                     ? "cannot all be met with the init values that are given"
                     : "could not be solved from the start values, which may be too far away");
    if (outcome != SG_NEWTON_NO_VALUE && evaluate_at(s, s->x)) {
        read_conditions(s, s->r, s->size);
        note_conditions(s, result->met);
    }
    return SG_ERR_INIT;
}

// The names of the states that are open, or that somebody wants steady while nothing tells where.
static sg_status report_open(start_search *s, const bool *listed)
{
    sg_buf text;
    int n = 0;
    sg_buf_init(&text, s->compiled->allocator);
    for (int j = 0; j < s->n; j++)
        if (listed[j])
            sg_buf_printf(&text, "%s%s", n++ ? ", " : "", state_name(s, j));
    sg_error(s->compiled->diags, SG_E_START, (sg_span){0},
             "%s: the initial conditions do not determine %s%s; give %s an init value, or a start "
             "value that it keeps, or add an initial equation",
             sg_sym_text(s->compiled->flat->symbols, s->compiled->flat->name),
             n == 1 ? "" : "all of ", sg_buf_text(&text), n == 1 ? "it" : "one of them");
    sg_buf_free(&text);
    return SG_ERR_INIT;
}

// ---- solving ------------------------------------------------------------------------------------

static bool is_steady(const start_search *s, uint32_t number)
{
    const sg_compiled *c = s->compiled;
    for (uint32_t i = 0; i < c->program->n_states; i++) {
        uint32_t at = c->exec->at.state[i];
        if (number < at || number >= at + state_count(c, i))
            continue;
        for (uint32_t k = 0; k < c->structure->n_initial; k++)
            if (c->structure->initial[k].steady.i == c->program->state_vars[i])
                return true;
    }
    return false;
}

// How large a number of the states is when its guess of zero does not say: its nominal value.
static double usual_size(const sg_compiled *c, uint32_t number)
{
    for (uint32_t i = 0; i < c->program->n_states; i++) {
        double nominal = c->flat->vars.data[c->program->state_vars[i]].nominal;
        if (number - c->exec->at.state[i] < state_count(c, i))
            return nominal > 0.0 ? nominal : 1.0;
    }
    return 1.0;
}

// Newton's method on the present unknowns, from the states x.
static sg_status attempt(start_search *s, const double *x, uint32_t n_states,
                         sg_newton_result *result)
{
    double *u = SG_NEW_ARRAY(&s->arena, double, s->n + 1);
    double *typical = SG_NEW_ARRAY(&s->arena, double, s->n + 1);
    if (s->arena.failed)
        return SG_ERR_MEMORY;
    memcpy(s->x, x, n_states * sizeof *x);
    for (int j = 0; j < s->n; j++) {
        u[j] = x[s->unknowns[j]];
        typical[j] = u[j] != 0.0 ? fabs(u[j]) : usual_size(s->compiled, s->unknowns[j]);
    }
    sg_newton_problem problem = {s->n, s->m, s, evaluate_unknowns, typical};
    sg_status status = sg_newton_solve(&problem, u, &s->arena, result);
    for (int j = 0; j < s->n; j++)
        s->x[s->unknowns[j]] = u[j];
    return status ? status : s->status;
}

static sg_status check_open(start_search *s, const sg_newton_result *result)
{
    bool *listed = SG_NEW_ARRAY(&s->arena, bool, s->n + 1);
    bool any = false;
    for (int j = 0; listed && j < s->n; j++) {
        uint32_t number = s->unknowns[j];
        listed[j] = result->open[j] ||
                    (result->idle[j] && s->kind[number] == WITHOUT_VALUE && is_steady(s, number));
        any = any || listed[j];
    }
    return !listed ? SG_ERR_MEMORY : any ? report_open(s, listed) : SG_OK;
}

static sg_status solve(start_search *s, double *x, uint32_t n_states, bool *moved)
{
    static const state_kind least[] = {WITHOUT_VALUE, GUESSED};
    sg_newton_result result = {.outcome = SG_NEWTON_NEAREST};
    int tried = 0;
    for (int k = 0; k < 2; k++) {
        if (choose_unknowns(s, least[k]) == tried)
            continue;
        tried = s->n;
        sg_status status = attempt(s, x, n_states, &result);
        if (status)
            return status;
        if (result.outcome == SG_NEWTON_SOLVED)
            break;
    }
    if (result.outcome != SG_NEWTON_SOLVED) {
        if (!is_explicit(s)) // language 4.8 reports what does not fit
            return evaluate_at(s, x) ? SG_OK : s->status;
        if (!tried)
            memcpy(s->x, x, n_states * sizeof *x);
        return report_unmet(s, &result);
    }
    sg_status status = check_open(s, &result);
    if (status)
        return status;
    for (uint32_t i = 0; i < s->n_x; i++)
        *moved = *moved || fabs(s->x[i] - x[i]) > SETTLED * fabs(x[i]);
    if (*moved)
        memcpy(x, s->x, n_states * sizeof *x);
    return evaluate_at(s, x) ? SG_OK : s->status ? s->status : SG_ERR_INIT;
}

// Do the conditions hold at the last evaluation?
static bool all_met(start_search *s)
{
    const sg_compiled *c = s->compiled;
    if (!sg_init_values_hold(c->structure, c->flat, c->tolerance, sg_compiled_value, s->compiled))
        return false;
    read_conditions(s, s->r, s->size);
    for (int i = s->n_init; i < s->m; i++)
        if (!(fabs(s->r[i]) <= MET * s->size[i]))
            return false;
    return true;
}

sg_status sg_start_solve(void *user, sg_events *events, double t, double *x, int round, bool *moved)
{
    sg_compiled *compiled = user;
    start_search s = {.compiled = compiled, .events = events, .t = t};
    uint32_t n_states = compiled->exec->at.n_x + sg_hidden_count(&compiled->hidden);
    sg_arena_init(&s.arena, compiled->allocator);
    sg_status status = prepare(&s, n_states) ? SG_OK : SG_ERR_MEMORY;
    // Without initial equations there is usually nothing to do, and nothing is done.
    if (status == SG_OK) {
        bool met = all_met(&s), free = choose_unknowns(&s, GUESSED) > 0;
        bool needed = is_explicit(&s) ? round == 0 || !met : !met && free;
        status = needed ? solve(&s, x, n_states, moved) : SG_OK;
    }
    if (s.arena.failed)
        status = SG_ERR_MEMORY;
    sg_arena_destroy(&s.arena);
    return status;
}
