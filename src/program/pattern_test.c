// Nothing that a number depends on is missing in its pattern: every operator by itself, against
// what differences show.
#include "harness/sg_test.h"
#include "program/exec.h"

#include <string.h>

// States: the number s, vectors x and y of three, a matrix A of 3 x 3; and z, whose derivative is
// what is looked at.
enum { S, X, Y, A, Z, N_STATES };
enum { OF_X = 1, OF_Y = 4, OF_A = 7, OF_Z = 16, MOST = 64 };

typedef struct pattern_fixture {
    sg_program *p;
    sg_exec *exec;
    sg_diags diags;
    sg_arena arena;
    sg_given start[32];
    sg_extern externs[2];
    sg_reg regs[32];
    const char *names[32];
    uint32_t state_vars[N_STATES];
    sg_reg s, x, y, a;
    double values[MOST];
    bool is_given; // der(x) comes from a system
} pattern_fixture;

static bool give_start(void *context, uint32_t var, sg_given *value)
{
    pattern_fixture *f = context;
    *value = f->start[var];
    return value->data != NULL;
}

static sg_status add_up(void *context, const sg_extern_call *call)
{
    (void)context;
    call->results[0].data[0] = 0.0;
    for (uint32_t i = 0; i < call->n_args; i++)
        call->results[0].data[0] += call->args[i].data[0];
    return SG_OK;
}

static sg_reg add_state(pattern_fixture *f, uint32_t k, sg_dims shape)
{
    f->state_vars[k] = k + 1;
    f->regs[k + 1] = sg_program_reg(f->p, SG_REG_STATE, k);
    f->regs[k + 9] = sg_program_reg(f->p, SG_REG_DER, k);
    f->start[k + 1] = (sg_given){shape, f->values};
    f->p->n_states = k + 1;
    return f->regs[k + 1];
}

static sg_reg step(pattern_fixture *f, sg_op op, bool dot, const sg_reg *operands, uint32_t n)
{
    return sg_program_step(f->p, op, dot, (sg_reg){0}, operands, n, 0, 0);
}
static sg_reg op1(pattern_fixture *f, sg_op op, sg_reg a) { return step(f, op, false, &a, 1); }
static sg_reg op2(pattern_fixture *f, sg_op op, sg_reg a, sg_reg b)
{
    return step(f, op, false, (sg_reg[2]){a, b}, 2);
}
static sg_reg dot2(pattern_fixture *f, sg_op op, sg_reg a, sg_reg b)
{
    return step(f, op, true, (sg_reg[2]){a, b}, 2);
}
static sg_reg whole(pattern_fixture *f, double value)
{
    return sg_program_number(f->p, value, SG_WHOLE);
}
static sg_reg element(pattern_fixture *f, sg_reg of, double i)
{
    return op2(f, SG_OP_INDEX, of, whole(f, i));
}

static void begin(pattern_fixture *f, sg_dims of_z)
{
    memset(f, 0, sizeof *f);
    f->p = sg_program_create(sg_allocator_default());
    sg_diags_init(&f->diags, sg_allocator_default());
    sg_arena_init(&f->arena, sg_allocator_default());
    f->p->var_regs = f->regs;
    f->p->var_names = f->names;
    f->p->n_vars = 32;
    f->p->state_vars = f->state_vars;
    for (int i = 0; i < 32; i++)
        f->names[i] = "v";
    f->externs[1] = (sg_extern){NULL, NULL, add_up};
    f->s = add_state(f, S, sg_dims_scalar(SG_REAL));
    f->x = add_state(f, X, sg_dims_vector(3));
    f->y = add_state(f, Y, sg_dims_vector(3));
    f->a = add_state(f, A, sg_dims_matrix(3, 3));
    add_state(f, Z, of_z);
}

static void end(pattern_fixture *f)
{
    sg_exec_destroy(f->exec);
    sg_program_destroy(f->p);
    sg_diags_destroy(&f->diags);
    sg_arena_destroy(&f->arena);
}

static void set_der(pattern_fixture *f, uint32_t k, sg_reg value)
{
    sg_program_step(f->p, SG_OP_COPY, false, f->regs[k + 9], &value, 1, 0, 0);
}

static bool has(const sg_pattern *p, uint32_t row, uint32_t column)
{
    for (uint32_t i = p->starts[column]; i < p->starts[column + 1]; i++)
        if (p->rows[i] == row)
            return true;
    return false;
}

// Ends the program with der(z) = result, and links it.
static bool finish(pattern_fixture *f, sg_reg result)
{
    sg_reg states[N_STATES] = {f->s, f->x, f->y, f->a};
    for (uint32_t k = 0; k < Z; k++)
        if (k != X || !f->is_given)
            set_der(f, k, op1(f, SG_OP_NEG, states[k]));
    set_der(f, Z, result);
    sg_exec_source source = {.context = f, .start = give_start};
    f->exec = sg_exec_create(sg_allocator_default(), f->p, f->externs);
    return f->exec && sg_exec_link(f->exec, &source, &f->diags) == SG_OK && f->exec->at.n_x <= MOST;
}

// All entries that differences see, from states between `from` and `from` + 0.6; how many.
static int compare(pattern_fixture *f, double from, const char *what)
{
    uint32_t n = f->exec->at.n_x;
    double x[MOST], f0[MOST], f1[MOST];
    sg_pattern pattern, crossings;
    int seen = 0;
    sg_rng rng = sg_rng_seeded(7);
    for (uint32_t i = 0; i < n; i++)
        x[i] = from + sg_rng_uniform(&rng, 0.0, 0.6);
    bool ok = sg_exec_patterns(f->exec, &f->arena, &pattern, &crossings) == SG_OK &&
              sg_exec_eval(f->exec, 0.0, x, f0, SG_EVAL_ALL) == SG_OK;
    SG_CHECK_MSG(ok, "%s", what);
    for (uint32_t j = 0; ok && j < OF_Z; j++) {
        double kept = x[j];
        x[j] += 1e-4;
        SG_CHECK(sg_exec_eval(f->exec, 0.0, x, f1, SG_EVAL_ALL) == SG_OK);
        x[j] = kept;
        for (uint32_t i = 0; i < n; i++) {
            bool moved = isfinite(f0[i]) && fabs(f1[i] - f0[i]) > 1e-9;
            seen += moved && i >= OF_Z;
            SG_CHECK_MSG(!moved || has(&pattern, i, j), "%s: row %u, column %u", what, i, j);
        }
    }
    return seen;
}

// Their arguments are 0 or 1, and change at events only.
static bool is_of_conditions(sg_op op)
{
    return op == SG_OP_NOT || op == SG_OP_AND || op == SG_OP_OR;
}

SG_TEST(functions_of_numbers_depend_on_their_arguments)
{
    static const sg_op unary[] = {
#define SG_UNARY(name, expression) SG_OP_##name,
#define SG_BINARY(name, expression)
#define SG_OTHER(name)
#include "program/opcodes.h"
#undef SG_UNARY
#undef SG_BINARY
    };
    static const sg_op binary[] = {
#define SG_UNARY(name, expression)
#define SG_BINARY(name, expression) SG_OP_##name,
#include "program/opcodes.h"
#undef SG_UNARY
#undef SG_BINARY
#undef SG_OTHER
    };
    for (size_t k = 0; k < sizeof unary / sizeof *unary; k++)
        for (int far = 0; far < 2 && !is_of_conditions(unary[k]); far++) { // acosh begins at 1
            pattern_fixture f;
            begin(&f, sg_dims_vector(3));
            SG_REQUIRE(finish(&f, step(&f, unary[k], true, &f.x, 1)));
            int seen = compare(&f, far ? 1.2 : 0.2, sg_op_name(unary[k]));
            SG_CHECK(seen == 0 || seen == 3);
            end(&f);
        }
    for (size_t k = 0; k < sizeof binary / sizeof *binary; k++)
        for (int shapes = 0; shapes < 4 && !is_of_conditions(binary[k]); shapes++) {
            pattern_fixture f;
            begin(&f, sg_dims_vector(3));
            sg_reg right = shapes == 0 ? f.y : shapes == 1 ? f.s : element(&f, f.y, 2);
            sg_reg both =
                shapes == 3 ? dot2(&f, binary[k], right, f.x) : dot2(&f, binary[k], f.x, right);
            SG_REQUIRE(finish(&f, both));
            compare(&f, 0.2, sg_op_name(binary[k]));
            end(&f);
        }
}

typedef sg_reg (*build)(pattern_fixture *f);

static sg_reg product(pattern_fixture *f) { return op2(f, SG_OP_MUL, f->a, f->x); }
static sg_reg square(pattern_fixture *f) { return op2(f, SG_OP_MUL, f->a, f->a); }
static sg_reg stretched(pattern_fixture *f)
{
    return dot2(f, SG_OP_MUL, f->x, op1(f, SG_OP_TRANSPOSE, f->y));
}
static sg_reg by_columns(pattern_fixture *f) { return dot2(f, SG_OP_ADD, f->a, f->x); }
static sg_reg scaled(pattern_fixture *f) { return op2(f, SG_OP_MUL, f->s, f->a); }
static sg_reg solved(pattern_fixture *f) { return op2(f, SG_OP_LDIV, f->a, f->x); }
static sg_reg all_solved(pattern_fixture *f)
{
    return op2(f, SG_OP_LDIV, f->a, op1(f, SG_OP_TRANSPOSE, f->a));
}
static sg_reg vector(pattern_fixture *f)
{
    return step(f, SG_OP_VECT, false, (sg_reg[3]){f->s, element(f, f->x, 2), element(f, f->y, 3)},
                3);
}
static sg_reg above(pattern_fixture *f)
{
    return step(f, SG_OP_VCAT, false, (sg_reg[3]){f->x, f->s, f->y}, 3);
}
static sg_reg beside(pattern_fixture *f)
{
    return step(f, SG_OP_HCAT, false, (sg_reg[3]){f->x, f->y, f->x}, 3);
}
static sg_reg below(pattern_fixture *f)
{
    return step(f, SG_OP_VCAT, false, (sg_reg[2]){f->a, op1(f, SG_OP_TRANSPOSE, f->y)}, 2);
}
static sg_reg turned(pattern_fixture *f) { return op1(f, SG_OP_TRANSPOSE, f->a); }
static sg_reg line(pattern_fixture *f)
{
    return step(f, SG_OP_INDEX, false, (sg_reg[3]){f->a, whole(f, 2), {0}}, 3);
}
static sg_reg column(pattern_fixture *f)
{
    return step(f, SG_OP_INDEX, false, (sg_reg[3]){f->a, {0}, whole(f, 3)}, 3);
}
static sg_reg wherever(pattern_fixture *f)
{
    sg_reg is = op2(f, SG_OP_LT, f->s, whole(f, 10));
    sg_reg which = step(f, SG_OP_SELECT, false, (sg_reg[3]){is, whole(f, 3), whole(f, 1)}, 3);
    return op2(f, SG_OP_INDEX, f->y, which);
}
static sg_reg crossed(pattern_fixture *f) { return op2(f, SG_OP_CROSS, f->x, f->y); }
static sg_reg diagonal(pattern_fixture *f) { return op1(f, SG_OP_DIAGONAL, f->x); }
static sg_reg filled(pattern_fixture *f) { return op2(f, SG_OP_FILL, f->s, whole(f, 3)); }
static sg_reg sum(pattern_fixture *f) { return op1(f, SG_OP_SUM, f->a); }
static sg_reg multiplied(pattern_fixture *f) { return op1(f, SG_OP_PROD, f->x); }
static sg_reg largest(pattern_fixture *f) { return op1(f, SG_OP_MAXIMUM, f->x); }
static sg_reg smallest(pattern_fixture *f) { return op1(f, SG_OP_MINIMUM, f->y); }
static sg_reg norm(pattern_fixture *f) { return op1(f, SG_OP_NORM, f->a); }
static sg_reg inner(pattern_fixture *f) { return op2(f, SG_OP_DOT, f->x, f->y); }
static sg_reg chosen(pattern_fixture *f)
{
    sg_reg is = op2(f, SG_OP_LT, f->s, whole(f, 10));
    return step(f, SG_OP_SELECT, false, (sg_reg[3]){is, f->x, f->y}, 3);
}
static sg_reg not_chosen(pattern_fixture *f)
{
    sg_reg is = op2(f, SG_OP_LT, f->s, whole(f, -10));
    return step(f, SG_OP_SELECT, false, (sg_reg[3]){is, f->x, f->y}, 3);
}
static sg_reg called(pattern_fixture *f)
{
    sg_reg result = sg_program_reg(f->p, SG_REG_TEMP, 0);
    sg_reg args[3] = {f->s, element(f, f->x, 2), element(f, f->y, 1)};
    sg_program_call(f->p, 1, &result, 1, args, 3, 0);
    return result;
}
static sg_reg called_with_many(pattern_fixture *f)
{
    sg_reg result = sg_program_reg(f->p, SG_REG_TEMP, 0), args[9];
    for (int i = 0; i < 9; i++)
        args[i] = element(f, f->a, i + 1);
    sg_program_call(f->p, 1, &result, 1, args, 9, 0);
    return result;
}

// s if the condition holds, else x[2].
static sg_reg branches(pattern_fixture *f, double limit)
{
    sg_reg is = op2(f, SG_OP_LT, f->s, whole(f, limit)), second = element(f, f->x, 2);
    sg_reg dst = sg_program_reg(f->p, SG_REG_TEMP, 0);
    size_t unless = f->p->steps.len;
    step(f, SG_OP_JUMP_UNLESS, false, &is, 1);
    sg_program_step(f->p, SG_OP_COPY, false, dst, &f->s, 1, 0, 0);
    size_t jump = f->p->steps.len;
    step(f, SG_OP_JUMP, false, NULL, 0);
    f->p->steps.data[unless].aux = (uint32_t)f->p->steps.len;
    sg_program_step(f->p, SG_OP_COPY, false, dst, &second, 1, 0, 0);
    f->p->steps.data[jump].aux = (uint32_t)f->p->steps.len;
    return dst;
}
static sg_reg one_branch(pattern_fixture *f) { return branches(f, 10.0); }
static sg_reg other_branch(pattern_fixture *f) { return branches(f, -10.0); }

// u of A u = x, or of u^3 + u = s + x[2], by tangents or differences.
static sg_reg system_of(pattern_fixture *f, bool linear, bool tangent)
{
    sg_reg second = element(f, f->x, 2);
    sg_reg u = sg_program_reg(f->p, SG_REG_UNKNOWN, 20), seed = {0}, dr = {0};
    f->start[20] =
        (sg_given){linear ? sg_dims_vector(3) : sg_dims_scalar(SG_REAL), f->values + MOST / 2};
    if (tangent)
        seed = sg_program_reg(f->p, SG_REG_SEED, u.i);
    step(f, SG_OP_SOLVE, false, NULL, 0);
    uint32_t body = (uint32_t)f->p->steps.len, prep;
    sg_reg left = linear ? op2(f, SG_OP_MUL, f->a, u)
                         : op2(f, SG_OP_ADD, op2(f, SG_OP_POW, u, whole(f, 3)), u);
    sg_reg r = op2(f, SG_OP_SUB, left, linear ? f->x : op2(f, SG_OP_ADD, f->s, second));
    prep = (uint32_t)f->p->steps.len;
    sg_reg slope = {0};
    if (tangent && !linear)
        slope = op2(f, SG_OP_MUL, whole(f, 3), op2(f, SG_OP_POW, u, whole(f, 2)));
    uint32_t tangent_at = (uint32_t)f->p->steps.len;
    if (tangent)
        dr = linear ? op2(f, SG_OP_MUL, f->a, seed)
                    : op2(f, SG_OP_ADD, op2(f, SG_OP_MUL, slope, seed), seed);
    uint32_t *ids = SG_NEW_ARRAY(&f->p->arena, uint32_t, 6), last = (uint32_t)f->p->steps.len;
    ids[0] = u.i, ids[1] = seed.i, ids[2] = r.i, ids[3] = dr.i, ids[4] = 20, ids[5] = 0;
    sg_torn_system s = {.linear = linear,
                        .has_tangent = tangent,
                        .body = body,
                        .prep = prep,
                        .tangent = tangent_at,
                        .whole = last,
                        .end = last,
                        .n_unknowns = 1,
                        .n_residuals = 1,
                        .unknowns = ids,
                        .seeds = ids + 1,
                        .residuals = ids + 2,
                        .d_residuals = ids + 3,
                        .unknown_vars = ids + 4,
                        .residual_eqs = ids + 5};
    f->p->failed |= !SG_PUSH(f->p->allocator, &f->p->systems, s);
    return op1(f, SG_OP_NEG, u);
}
// A der(x) = y, which is left to a solver of implicit equations.
static void add_given_system(pattern_fixture *f)
{
    sg_reg u = f->regs[X + 9], seed = sg_program_reg(f->p, SG_REG_SEED, u.i);
    step(f, SG_OP_SOLVE, false, NULL, 0);
    uint32_t body = (uint32_t)f->p->steps.len;
    sg_reg r = op2(f, SG_OP_SUB, op2(f, SG_OP_MUL, f->a, u), f->y);
    uint32_t tangent = (uint32_t)f->p->steps.len;
    sg_reg dr = op2(f, SG_OP_MUL, f->a, seed);
    uint32_t *ids = SG_NEW_ARRAY(&f->p->arena, uint32_t, 6), last = (uint32_t)f->p->steps.len;
    ids[0] = u.i, ids[1] = seed.i, ids[2] = r.i, ids[3] = dr.i, ids[4] = X + 1, ids[5] = 0;
    sg_torn_system s = {.linear = true,
                        .has_tangent = true,
                        .body = body,
                        .prep = tangent,
                        .tangent = tangent,
                        .whole = last,
                        .end = last,
                        .n_unknowns = 1,
                        .n_residuals = 1,
                        .unknowns = ids,
                        .seeds = ids + 1,
                        .residuals = ids + 2,
                        .d_residuals = ids + 3,
                        .unknown_vars = ids + 4,
                        .residual_eqs = ids + 5};
    f->p->failed |= !SG_PUSH(f->p->allocator, &f->p->systems, s);
}
static sg_reg linear_system(pattern_fixture *f) { return system_of(f, true, true); }
static sg_reg nonlinear_system(pattern_fixture *f) { return system_of(f, false, true); }
static sg_reg system_by_differences(pattern_fixture *f) { return system_of(f, false, false); }

SG_TEST(operations_on_arrays_branches_calls_and_systems_depend_on_what_they_read)
{
    static const struct {
        const char *what;
        build make;
        uint32_t rows, cols; // 0 rows: a number; 0 columns: a vector
        int seen;            // entries that differences must show
    } cases[] = {{"product", product, 3, 0, 18},
                 {"square", square, 3, 3, 45},
                 {"stretched", stretched, 3, 3, 18},
                 {"by columns", by_columns, 3, 3, 18},
                 {"scaled", scaled, 3, 3, 18},
                 {"solved", solved, 3, 0, 36},
                 {"all solved", all_solved, 3, 3, 45},
                 {"vector", vector, 3, 0, 3},
                 {"above", above, 7, 0, 7},
                 {"beside", beside, 3, 3, 9},
                 {"below", below, 4, 3, 12},
                 {"turned", turned, 3, 3, 9},
                 {"line", line, 3, 0, 3},
                 {"column", column, 3, 0, 3},
                 {"an element that changes", wherever, 0, 0, 1},
                 {"cross", crossed, 3, 0, 12},
                 {"diagonal", diagonal, 3, 3, 3},
                 {"fill", filled, 3, 0, 3},
                 {"sum", sum, 0, 0, 9},
                 {"product of all", multiplied, 0, 0, 3},
                 {"maximum", largest, 0, 0, 1},
                 {"minimum", smallest, 0, 0, 1},
                 {"norm", norm, 0, 0, 9},
                 {"dot", inner, 0, 0, 6},
                 {"select", chosen, 3, 0, 3},
                 {"select the other", not_chosen, 3, 0, 3},
                 {"call", called, 0, 0, 3},
                 {"call with many", called_with_many, 0, 0, 9},
                 {"branch", one_branch, 0, 0, 1},
                 {"other branch", other_branch, 0, 0, 1},
                 {"linear system", linear_system, 3, 0, 36},
                 {"nonlinear system", nonlinear_system, 0, 0, 2},
                 {"system by differences", system_by_differences, 0, 0, 2}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pattern_fixture f;
        begin(&f, cases[k].cols   ? sg_dims_matrix(cases[k].rows, cases[k].cols)
                  : cases[k].rows ? sg_dims_vector(cases[k].rows)
                                  : sg_dims_scalar(SG_REAL));
        bool made = finish(&f, cases[k].make(&f));
        SG_CHECK_MSG(made, "%s", cases[k].what);
        int seen = made ? compare(&f, 0.3, cases[k].what) : 0;
        SG_CHECK_MSG(seen >= cases[k].seen, "%s: %d entries", cases[k].what, seen);
        end(&f);
    }
}

SG_TEST(hidden_dependences_and_arguments_of_conditions_are_in_the_pattern)
{
    pattern_fixture f;
    begin(&f, sg_dims_vector(3));
    sg_reg product = op2(&f, SG_OP_MUL, f.s, element(&f, f.y, 2));
    SG_REQUIRE(SG_PUSH(f.p->allocator, &f.p->positive_text, "positive(s*y[2])") &&
               SG_PUSH(f.p->allocator, &f.p->positive_key, 1) &&
               SG_PUSH(f.p->allocator, &f.p->positive_text, "floor(x[2])") &&
               SG_PUSH(f.p->allocator, &f.p->positive_key, 2));
    sg_reg second = element(&f, f.x, 2);
    op1(&f, SG_OP_POSITIVE, product);
    sg_program_step(f.p, SG_OP_HELD_FLOOR, false, (sg_reg){0}, &second, 1, 1, 0);
    SG_REQUIRE(
        finish(&f, step(&f, SG_OP_DEPEND, false, (sg_reg[3]){f.x, element(&f, f.a, 5), f.s}, 3)));
    sg_pattern derivatives, crossings;
    SG_REQUIRE(sg_exec_patterns(f.exec, &f.arena, &derivatives, &crossings) == SG_OK);
    SG_REQUIRE(crossings.n_rows == 2);
    for (uint32_t j = 0; j < OF_Z; j++)
        SG_CHECK(has(&crossings, 0, j) == (j == 0 || j == OF_Y + 1) &&
                 has(&crossings, 1, j) == (j == OF_X + 1));
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t j = 0; j < OF_Z; j++)
            SG_CHECK(has(&derivatives, OF_Z + i, j) == (j == 0 || j == OF_X + i || j == OF_A + 4));
    end(&f);
}

// Residuals with derivatives given, also where a system is left to the solver.
SG_TEST(residuals_depend_on_states_and_on_derivatives)
{
    for (uint32_t least = 1; least <= 100; least += 99) {
        pattern_fixture f;
        begin(&f, sg_dims_vector(3));
        f.is_given = true;
        add_given_system(&f);
        SG_REQUIRE(finish(&f, op2(&f, SG_OP_CROSS, f.x, f.y)));
        sg_pattern pattern;
        SG_REQUIRE(sg_exec_residual_pattern(f.exec, &f.arena, least, &pattern) == SG_OK);
        double x[MOST], dx[MOST], r0[MOST], r1[MOST];
        uint32_t n = f.exec->at.n_x;
        int seen = 0;
        sg_rng rng = sg_rng_seeded(3);
        for (uint32_t i = 0; i < n; i++) {
            x[i] = sg_rng_uniform(&rng, 0.3, 0.9);
            dx[i] = sg_rng_uniform(&rng, 0.3, 0.9);
        }
        SG_REQUIRE(sg_exec_residual(f.exec, 0.0, x, dx, r0, least) == SG_OK);
        for (uint32_t j = 0; j < 2 * n; j++) {
            double *moved = j < n ? &x[j] : &dx[j - n], kept = *moved;
            *moved += 1e-4;
            SG_REQUIRE(sg_exec_residual(f.exec, 0.0, x, dx, r1, least) == SG_OK);
            *moved = kept;
            for (uint32_t i = 0; i < n; i++) {
                bool felt = fabs(r1[i] - r0[i]) > 1e-9;
                seen += felt;
                SG_CHECK_MSG(!felt || has(&pattern, i, j % n), "row %u, column %u", i, j);
            }
        }
        SG_CHECK_MSG(seen == 13 + 16 + 12 + (least == 1 ? 21 : 39), "%d", seen);
        end(&f);
    }
}
