// Any bytes are a recipe for an expression, built twice: with simplification and node by node. Over
// small whole numbers, where arithmetic is exact, both have the same value; a program compiled from
// the expression has the same bits as the expression; derivative, linear parts and text exist.
#include "equations/codegen.h"
#include "program/exec.h"
#include "symbolic/diff.h"
#include "symbolic/eval.h"
#include "symbolic/print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_NODES = 200, N_STATES = 4 };
static const double largest_exact = 1e12;

static void give_up(const char *why)
{
    fprintf(stderr, "fuzz_simplify: %s\n", why);
    abort();
}

// Exact over whole numbers of this size.
static const sg_expr_op exact_ops[] = {SG_X_NEG, SG_X_ABS, SG_X_SIGN, SG_X_FLOOR, SG_X_NOT,
                                       SG_X_ADD, SG_X_SUB, SG_X_MUL,  SG_X_MIN,   SG_X_MAX,
                                       SG_X_LT,  SG_X_LE,  SG_X_EQ,   SG_X_AND,   SG_X_IF};
static const sg_expr_op other_ops[] = {SG_X_SIN,  SG_X_EXP,   SG_X_SQRT,  SG_X_LOG, SG_X_TANH,
                                       SG_X_SIND, SG_X_ROUND, SG_X_ATAN2, SG_X_DIV, SG_X_POW,
                                       SG_X_MOD,  SG_X_HYPOT, SG_X_ADD,   SG_X_MUL, SG_X_IF};

typedef struct recipe {
    const uint8_t *data;
    size_t size, at;
    bool exact;
    sg_exprs x;
    sg_expr_id simple[MOST_NODES], raw[MOST_NODES];
    bool truth[MOST_NODES]; // Bool, as conditions must be
    uint32_t n;
} recipe;

static uint8_t next(recipe *r) { return r->at < r->size ? r->data[r->at++] : 0; }

static void add_leaf(recipe *r)
{
    uint8_t b = next(r);
    sg_expr_id e = b & 1 ? sg_expr_var(&r->x, (sg_var_id){1u + (b >> 1) % N_STATES})
                         : sg_expr_num(&r->x, (double)((b >> 1) % 7) - 3.0);
    r->simple[r->n] = r->raw[r->n] = e;
    r->n++;
}

// A condition made before, the nearest below `from`; there is one from the beginning.
static uint32_t condition(const recipe *r, uint32_t from)
{
    while (from > 0 && !r->truth[from])
        from--;
    return from;
}

static void add_operator(recipe *r)
{
    sg_expr_op op = r->exact ? exact_ops[next(r) % (sizeof exact_ops / sizeof *exact_ops)]
                             : other_ops[next(r) % (sizeof other_ops / sizeof *other_ops)];
    const sg_op_info *info = sg_expr_op_info(op);
    uint32_t n_args = info->most == 255 ? 2u + next(r) % 3 : info->most;
    sg_expr_id simple[4], raw[4];
    for (uint32_t k = 0; k < n_args; k++) {
        uint32_t from = next(r) % r->n;
        if (op == SG_X_AND || op == SG_X_NOT || (op == SG_X_IF && k == 0))
            from = condition(r, from);
        simple[k] = r->simple[from];
        raw[k] = r->raw[from];
    }
    r->simple[r->n] = sg_expr_make(&r->x, op, simple, n_args);
    r->raw[r->n] = sg_expr_raw(&r->x, op, false, 0, raw, n_args);
    r->truth[r->n] = info->traits & SG_TRAIT_BOOL;
    r->n++;
}

static double value_of(void *context, sg_var_id var) { return ((double *)context)[var.i - 1]; }

static double value(recipe *r, sg_expr_id e, double *x)
{
    double result;
    sg_expr_values values = {.context = x, .var = value_of, .time = (double)NAN};
    if (!sg_expr_eval(&r->x, e, &values, &result))
        give_up("an expression of numbers has no value");
    return result;
}

static void check_simplification(recipe *r, double *x)
{
    for (uint32_t i = 0; i < r->n; i++)
        if (!(fabs(value(r, r->raw[i], x)) < largest_exact))
            return; // no longer exact from here on
    for (uint32_t i = 0; i < r->n; i++)
        if (value(r, r->simple[i], x) != value(r, r->raw[i], x))
            give_up("simplification changes a value");
}

// One program with the last expression as the derivative of every state.
static void check_program(recipe *r, double *x)
{
    sg_block blocks[N_STATES];
    sg_assign assigns[N_STATES];
    sg_block_var vars[1 + 2 * N_STATES] = {0};
    sg_var_id states[N_STATES];
    for (uint32_t s = 0; s < N_STATES; s++) {
        sg_expr_id e = r->simple[r->n - 1 - s % r->n];
        states[s] = (sg_var_id){s + 1};
        vars[s + 1] = (sg_block_var){.name = "x", .role = SG_VAR_STATE};
        vars[s + 1 + N_STATES] =
            (sg_block_var){.name = "der", .role = SG_VAR_DERIVATIVE, .of = states[s]};
        assigns[s] = (sg_assign){{s + 1 + N_STATES}, e, {0}};
        blocks[s] = (sg_block){.kind = SG_BLOCK_ASSIGN, .assigns = &assigns[s], .n_assigns = 1};
    }
    sg_blocks all = {.list = blocks,
                     .n = N_STATES,
                     .vars = vars,
                     .n_vars = 1 + 2 * N_STATES,
                     .states = states,
                     .n_states = N_STATES};
    sg_codegen_options options = {.comparisons_are_events = false};
    sg_program *program = NULL;
    if (sg_codegen(&r->x, &all, &options, NULL, NULL, &program) != SG_OK)
        give_up("no program");
    sg_exec *exec = sg_exec_create(NULL, program, NULL);
    sg_exec_source source = {0};
    double dx[N_STATES];
    if (!exec || sg_exec_link(exec, &source, NULL) != SG_OK ||
        sg_exec_eval(exec, 0.0, x, dx, SG_EVAL_ALL) != SG_OK)
        give_up("the program does not run");
    for (uint32_t s = 0; s < N_STATES; s++) {
        double expected = value(r, assigns[s].value, x);
        if (dx[s] != expected && !(isnan(dx[s]) && isnan(expected)))
            give_up("the program and its expression differ");
    }
    sg_exec_destroy(exec);
    sg_program_destroy(program);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    recipe r = {.data = data, .size = size};
    double x[N_STATES];
    if (size < 8)
        return 0;
    sg_exprs_init(&r.x, sg_allocator_default());
    r.exact = next(&r) & 1;
    for (int s = 0; s < N_STATES; s++)
        x[s] = (double)(next(&r) % 9) - 4.0;
    r.simple[0] = r.raw[0] = sg_expr_bool(&r.x, next(&r) & 1);
    r.truth[0] = true;
    r.n = 1;
    for (int k = 0; k < 3; k++)
        add_leaf(&r);
    while (r.at < size && r.n < MOST_NODES) {
        if (next(&r) % 4 == 0)
            add_leaf(&r);
        else
            add_operator(&r);
    }
    if (r.exact)
        check_simplification(&r, x);
    check_program(&r, x);
    sg_expr_id last = r.simple[r.n - 1];
    sg_expr_linear(&r.x, last, (sg_var_id){1});
    sg_expr_partial(&r.x, last, (sg_var_id){2}, NULL);
    sg_buf text;
    sg_buf_init(&text, sg_allocator_default());
    sg_expr_print(&r.x, last, NULL, 1000, &text);
    sg_buf_free(&text);
    if (sg_exprs_validate(&r.x) != SG_OK)
        give_up("the graph is not well formed");
    sg_exprs_destroy(&r.x);
    return 0;
}
