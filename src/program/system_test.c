#include "harness/sg_test.h"
#include "program/linked.h"

#include <math.h>
#include <string.h>

enum { LONGEST = 80 };

// c x_k = x_(k-1) + x_(k+1) between two ends that are the state b, torn from one end: x_1 is the
// unknown, x_(k+1) = c x_k - x_(k-1) follows, and c x_n - x_(n-1) - b must vanish.
typedef struct chain_fixture {
    sg_program *p;
    sg_exec *exec;
    sg_diags diags;
    sg_reg b, c, unknown, seed, x[LONGEST + 2], d[LONGEST + 2], var_regs[1];
    uint32_t inner[LONGEST], done[LONGEST], vars[LONGEST], eqs[LONGEST], state_var, one, zero;
    struct sg_matrix_entry entries[4 * LONGEST];
    double coefficient;
} chain_fixture;

static sg_reg combine(chain_fixture *f, sg_op op, sg_reg a, sg_reg b)
{
    return sg_program_step(f->p, op, false, (sg_reg){0}, (sg_reg[2]){a, b}, 2, 0, 0);
}

static bool give_coefficient(void *context, uint32_t par, sg_given *value)
{
    chain_fixture *f = context;
    *value = (sg_given){sg_dims_scalar(SG_REAL), &f->coefficient};
    return par == 1;
}

static sg_reg next_link(chain_fixture *f, sg_reg now, sg_reg before)
{
    sg_reg grown = combine(f, SG_OP_MUL, f->c, now);
    return before.i ? combine(f, SG_OP_SUB, grown, before) : grown;
}

// Entries of the untorn matrix; column n - 1 is the unknown x_1, column k - 2 is x_k.
static uint32_t list_entries(chain_fixture *f, uint32_t n)
{
    sg_reg minus = sg_program_number(f->p, -1.0, SG_REAL);
    uint32_t n_entries = 0;
    for (uint32_t row = 0; row < n; row++) // row r: c x_(r+1) - x_r [- x_(r+2), not listed]
        for (uint32_t back = 0; back < 2; back++) {
            uint32_t k = row + 1 - back; // which x
            if (k >= 1)
                f->entries[n_entries++] =
                    (struct sg_matrix_entry){row, k == 1 ? n - 1 : k - 2, back ? minus.i : f->c.i};
        }
    return n_entries;
}

static void build_chain(chain_fixture *f, uint32_t n, bool by_entries)
{
    sg_reg none = {0};
    memset(f, 0, sizeof(*f));
    f->p = sg_program_create(sg_allocator_default());
    sg_diags_init(&f->diags, sg_allocator_default());
    f->state_var = f->one = 1;
    f->p->state_vars = &f->state_var;
    f->p->n_states = 1;
    f->p->var_regs = f->var_regs;
    f->p->n_vars = 1;
    f->coefficient = 3.0;
    f->b = sg_program_reg(f->p, SG_REG_STATE, 0);
    sg_reg der = sg_program_reg(f->p, SG_REG_DER, 0);
    f->c = sg_program_reg(f->p, SG_REG_PAR, 1);
    f->unknown = f->x[1] = sg_program_reg(f->p, SG_REG_UNKNOWN, 20);
    f->seed = f->d[1] = sg_program_reg(f->p, SG_REG_SEED, f->unknown.i);
    sg_program_step(f->p, SG_OP_SOLVE, false, none, NULL, 0, 0, 0);
    sg_torn_system s = {.linear = true, .has_tangent = true, .body = (uint32_t)f->p->steps.len};
    for (uint32_t k = 2; k <= n; k++) {
        f->x[k] = next_link(f, f->x[k - 1], k == 2 ? f->b : f->x[k - 2]);
        f->inner[k - 2] = f->x[k].i;
        f->done[k - 2] = (uint32_t)f->p->steps.len;
    }
    sg_reg r = combine(f, SG_OP_SUB, next_link(f, f->x[n], f->x[n - 1]), f->b);
    s.prep = s.tangent = (uint32_t)f->p->steps.len;
    for (uint32_t k = 2; k <= n; k++)
        f->d[k] = next_link(f, f->d[k - 1], k == 2 ? none : f->d[k - 2]);
    sg_reg dr = next_link(f, f->d[n], f->d[n - 1]);
    s.whole = s.end = (uint32_t)f->p->steps.len;
    s.n_unknowns = s.n_residuals = 1;
    s.unknowns = &f->unknown.i;
    s.seeds = &f->seed.i;
    s.unknown_vars = &f->one;
    s.residual_eqs = &f->zero;
    s.n_inner = n - 1;
    s.inner = f->inner;
    s.inner_done = f->done;
    s.inner_vars = f->vars;
    s.inner_eqs = f->eqs;
    uint32_t *ids = SG_NEW_ARRAY(&f->p->arena, uint32_t, 2);
    ids[0] = r.i, ids[1] = dr.i;
    s.residuals = ids;
    s.d_residuals = ids + 1;
    if (by_entries) {
        s.whole_entries = f->entries;
        s.n_whole_entries = list_entries(f, n);
    }
    SG_REQUIRE(SG_PUSH(f->p->allocator, &f->p->systems, s));
    sg_program_step(f->p, SG_OP_COPY, false, der, &f->unknown, 1, 0, 0);
    SG_REQUIRE(sg_program_validate(f->p, &f->diags) == SG_OK);
    f->exec = sg_exec_create(sg_allocator_default(), f->p, NULL);
    sg_exec_source source = {.context = f, .par = give_coefficient};
    SG_REQUIRE(sg_exec_link(f->exec, &source, &f->diags) == SG_OK);
}

static void end_chain(chain_fixture *f)
{
    sg_exec_destroy(f->exec);
    sg_program_destroy(f->p);
    sg_diags_destroy(&f->diags);
}

static double closed_form(uint32_t n, double c, double b, uint32_t k)
{
    double r = (c - sqrt(c * c - 4.0)) / 2.0;
    return b * (pow(r, k) + pow(r, n + 1.0 - k)) / (1.0 + pow(r, n + 1.0));
}

SG_TEST(a_chain_that_enlarges_errors_is_solved_as_a_whole)
{
    static chain_fixture f;
    const uint32_t lengths[] = {4, 20, 40, LONGEST};
    for (int by_entries = 0; by_entries < 2; by_entries++)
        for (int m = 0; m < 4; m++) {
            uint32_t n = lengths[m];
            double der;
            build_chain(&f, n, by_entries);
            for (double b = -2.0; b <= 3.0; b += 1.25) {
                SG_REQUIRE(sg_exec_eval(f.exec, 0.0, &b, &der, SG_EVAL_ALL) == SG_OK);
                SG_NEAR(der, closed_form(n, 3.0, b, 1), 1e-12, 1.0);
                for (uint32_t k = 1; k <= n; k++)
                    SG_NEAR(f.exec->w[f.exec->offsets[f.x[k].i]], closed_form(n, 3.0, b, k), 1e-11,
                            1.0);
            }
            SG_CHECK(f.exec->systems[0].left.untorn == (n >= 20));
            end_chain(&f);
        }
}

SG_TEST(residuals_are_measured_by_their_terms)
{
    static chain_fixture f;
    double b = 1e-7, der;
    build_chain(&f, 4, true);
    SG_REQUIRE(sg_exec_eval(f.exec, 0.0, &b, &der, SG_EVAL_ALL) == SG_OK);
    sg_space *space = &f.exec->systems[0].torn;
    SG_CHECK(sg_system_error(f.exec, 0, space) < 1e-15);
    // A thousandth more of the unknown is seen as such, whatever the scale of b.
    space->t[0] *= 1.001;
    SG_CHECK(sg_system_residuals(f.exec, 0, space, space->t, space->r) == SG_OK);
    double error = sg_system_error(f.exec, 0, space);
    SG_CHECK(error > 1e-4 && error < 1.0 && !space->unjudged);
    SG_CHECK(!sg_system_is_exact(f.exec, 0, space, 1e-12));
    end_chain(&f);
}

SG_TEST(a_coefficient_that_is_only_rounding_is_singular)
{
    // Two links: (c^2 - 1) x_1 = ..., which is zero for c = 1.
    static chain_fixture f;
    double b = 1.0, der;
    build_chain(&f, 2, true);
    const double values[] = {1.0, 1.0 + 1.2e-16, 1.0 + 4.5e-16};
    sg_exec_source source = {.context = &f, .par = give_coefficient};
    for (int k = 0; k < 3; k++) {
        f.coefficient = values[k];
        SG_REQUIRE(sg_exec_link(f.exec, &source, &f.diags) == SG_OK);
        SG_CHECK(sg_exec_eval(f.exec, 0.0, &b, &der, SG_EVAL_ALL) == SG_ERR_SOLVER);
        SG_CHECK(f.exec->failure.kind == SG_FAILED_SINGULAR);
    }
    f.coefficient = 1.0 + 1e-9;
    SG_REQUIRE(sg_exec_link(f.exec, &source, &f.diags) == SG_OK);
    SG_CHECK(sg_exec_eval(f.exec, 0.0, &b, &der, SG_EVAL_ALL) == SG_OK);
    end_chain(&f);
}

static double give_nominal(void *context, uint32_t var)
{
    (void)context;
    return 100.0 + var;
}

// What the model says of the size of an unknown reaches the space that its system is solved in, and
// a system solved as a whole gets that of its inner variables, too.
SG_TEST(nominal_values_are_those_of_the_unknowns)
{
    static chain_fixture f;
    build_chain(&f, 20, true);
    sg_exec_source source = {.context = &f, .par = give_coefficient, .nominal = give_nominal};
    SG_REQUIRE(sg_exec_link(f.exec, &source, &f.diags) == SG_OK);
    const sg_torn_system *s = &f.p->systems.data[0];
    const sg_system_work *work = &f.exec->systems[0];
    SG_REQUIRE(work->torn.n == 1 && s->n_inner > 0 && work->whole.n == s->n_inner + 1);
    SG_CHECK(work->torn.given[0] == 100.0 + s->unknown_vars[0]);
    SG_CHECK(work->torn.nominal[0] == work->torn.given[0]);
    for (uint32_t i = 0; i < s->n_inner; i++)
        SG_CHECK(work->whole.given[i] == 100.0 + s->inner_vars[i]);
    SG_CHECK(work->whole.given[s->n_inner] == 100.0 + s->unknown_vars[0]);
    end_chain(&f);
}

// What a correction is measured by decides when Newton is content: the unknown itself, near zero
// what the model says of its size, else a small part of what it used to be.
SG_TEST(corrections_are_measured_by_what_unknowns_are_and_were)
{
    enum { N = 4 };
    for (double unit = 1e-30; unit < 2e30; unit *= 1e15) { // the measure has no dimension
        double t[N] = {4.0 * unit, 0.0, 0.0, 0.0}, d[N] = {0.5 * unit, 1e-9 * unit, 1e-9 * unit, 0};
        double nominal[N] = {0.0, 2.0 * unit, 0.0, 0.0}, given[N] = {0.0, 0.0, 10.0 * unit, 0.0};
        double scale[N], last[N] = {-1.0 * unit, 5.0 * unit, 0.0, 0.0};
        sg_space s = {.n = N,
                      .t = t,
                      .d = d,
                      .nominal = nominal,
                      .given = given,
                      .scale = scale,
                      .last = last};
        sg_system_set_scales(&s);
        SG_NEAR(scale[0], 4.0 * unit, 1e-15, unit);        // itself
        SG_NEAR(scale[1], 2e-6 * unit, 1e-9, 1e-6 * unit); // what it was
        SG_NEAR(scale[2], 10.0 * unit, 1e-15, unit);       // what the model says
        SG_NEAR(nominal[0], 4.0 * unit, 1e-15, unit);
        SG_NEAR(nominal[1], 2.0 * unit, 1e-15, unit);
        SG_NEAR(sg_system_measure(&s, d), 0.125, 1e-15, 1.0); // nothing over nothing is nothing
        d[0] = 0.0;
        SG_NEAR(sg_system_measure(&s, d), 5e-4, 1e-9, 1e-4);
        d[3] = (double)NAN;
        SG_CHECK(isnan(sg_system_measure(&s, d)));
        nominal[0] = nominal[1] = nominal[2] = 1e9 * unit; // on the way into the blue
        sg_system_forget(&s);
        SG_CHECK(nominal[0] == unit && nominal[1] == 5.0 * unit && nominal[2] == given[2]);
    }
}
