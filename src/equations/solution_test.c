// The oracle of this folder: whatever the passes do to a model, the values that its blocks compute
// must satisfy every equation of the flat model as it was written, with aliases and zeros put back.
// Derivatives must be those of the states: the constraints are checked along a short integration.
#include "equations/init_check.h"
#include "equations/reselect.h"
#include "equations/test_model.h"
#include "equations/translate.h"
#include "harness/sg_test.h"
#include "symbolic/eval.h"

enum { MAX_VARS = 300, MAX_SYSTEM = 12 };

typedef struct solution_evaluator {
    test_model m;
    double value[MAX_VARS];
    double time;
    bool ok;
} solution_evaluator;

static double value_of_var(void *context, sg_var_id var)
{
    solution_evaluator *e = context;
    return e->value[var.i];
}

static double value_of_par(void *context, sg_par_id par)
{
    solution_evaluator *e = context;
    return e->m.flat.pars.data[par.i].value.numbers[0];
}

static double eval(solution_evaluator *e, sg_expr_id expr)
{
    sg_expr_values values = {e, value_of_var, value_of_par, e->time};
    double out = NAN;
    if (!sg_expr_eval(&e->m.flat.exprs, expr, &values, &out))
        e->ok = false;
    return out;
}

static void eval_residuals(solution_evaluator *e, const sg_block *b, const double *t, double *r)
{
    for (uint32_t k = 0; k < b->n_unknowns; k++)
        e->value[b->unknowns[k].i] = t[k];
    for (uint32_t k = 0; k < b->n_assigns; k++)
        e->value[b->assigns[k].var.i] = eval(e, b->assigns[k].value);
    for (uint32_t k = 0; k < b->n_residuals; k++)
        r[k] = eval(e, b->residuals[k].value);
}

// Gauss with partial pivoting, in place; the solution replaces r.
static bool solve_dense(double a[MAX_SYSTEM][MAX_SYSTEM], double *r, uint32_t n)
{
    for (uint32_t p = 0; p < n; p++) {
        uint32_t best = p;
        for (uint32_t i = p + 1; i < n; i++)
            best = fabs(a[i][p]) > fabs(a[best][p]) ? i : best;
        if (a[best][p] == 0.0)
            return false;
        for (uint32_t j = 0; j < n; j++) {
            double swap = a[p][j];
            a[p][j] = a[best][j], a[best][j] = swap;
        }
        double swap = r[p];
        r[p] = r[best], r[best] = swap;
        for (uint32_t i = p + 1; i < n; i++) {
            double f = a[i][p] / a[p][p];
            for (uint32_t j = p; j < n; j++)
                a[i][j] -= f * a[p][j];
            r[i] -= f * r[p];
        }
    }
    for (uint32_t p = n; p-- > 0;) {
        for (uint32_t j = p + 1; j < n; j++)
            r[p] -= a[p][j] * r[j];
        r[p] /= a[p][p];
    }
    return true;
}

// Newton with differences; one step suffices where the block says that it is linear.
static void solve_system(solution_evaluator *e, const sg_block *b)
{
    double t[MAX_SYSTEM], r[MAX_SYSTEM], r2[MAX_SYSTEM], a[MAX_SYSTEM][MAX_SYSTEM];
    uint32_t n = b->n_unknowns;
    SG_REQUIRE(n == b->n_residuals && n <= MAX_SYSTEM);
    for (uint32_t k = 0; k < n; k++)
        t[k] = e->value[b->unknowns[k].i];
    int steps = b->kind == SG_BLOCK_LINEAR ? 2 : 60; // the second removes what differences lose
    for (int step = 0; step < steps; step++) {
        eval_residuals(e, b, t, r);
        for (uint32_t j = 0; j < n; j++) {
            double h = b->kind == SG_BLOCK_LINEAR ? 1.0 : 1e-7 * fmax(1.0, fabs(t[j]));
            double old = t[j];
            t[j] += h;
            eval_residuals(e, b, t, r2);
            t[j] = old;
            for (uint32_t i = 0; i < n; i++)
                a[i][j] = (r2[i] - r[i]) / h;
        }
        if (!solve_dense(a, r, n)) {
            e->ok = false;
            return;
        }
        for (uint32_t k = 0; k < n; k++)
            t[k] -= r[k];
    }
    eval_residuals(e, b, t, r);
}

static void put_aliases_back(solution_evaluator *e)
{
    const sg_structure *s = &e->m.structure;
    for (uint32_t j = 0; j < s->n_unknowns; j++) {
        sg_alias alias = s->aliases[s->unknowns[j].i];
        double *v = &e->value[s->unknowns[j].i];
        if (alias.kind == SG_ALIAS_PLUS)
            *v = e->value[alias.of.i];
        else if (alias.kind == SG_ALIAS_MINUS)
            *v = -e->value[alias.of.i];
        else if (alias.kind != SG_ALIAS_NONE)
            *v = 0.0;
    }
}

static void eval_model(solution_evaluator *e, const double *x, double *dx)
{
    const sg_blocks *b = &e->m.structure.blocks;
    for (uint32_t k = 0; k < b->n_states; k++)
        e->value[b->states[k].i] = x[k];
    for (uint32_t i = 0; i < b->n; i++) {
        if (b->list[i].kind == SG_BLOCK_ASSIGN)
            e->value[b->list[i].assigns[0].var.i] = eval(e, b->list[i].assigns[0].value);
        else
            solve_system(e, &b->list[i]);
    }
    for (uint32_t k = 0; k < b->n_states; k++)
        dx[k] = e->value[b->derivatives[k].i];
}

static void check_equations(solution_evaluator *e, const char *where)
{
    sg_flat *flat = &e->m.flat;
    put_aliases_back(e);
    for (size_t i = 1; i < flat->eqs.len; i++) {
        double l = eval(e, flat->eqs.data[i].lhs), r = eval(e, flat->eqs.data[i].rhs);
        if (fabs(l - r) <= 1e-9 * fmax(1.0, fmax(fabs(l), fabs(r))))
            continue;
        sg_buf text;
        sg_buf_init(&text, sg_allocator_default());
        sg_flat_print_eq(flat, (sg_eq_id){(uint32_t)i}, &text);
        SG_CHECK_MSG(false, "%s: %s: %.17g and %.17g", where, sg_buf_text(&text), l, r);
        sg_buf_free(&text);
    }
    SG_CHECK_MSG(e->ok, "%s: something has no value", where);
}

static void one_step(solution_evaluator *e, double *x, double h)
{
    double k[4][MAX_VARS], y[MAX_VARS], t = e->time;
    uint32_t nx = e->m.structure.blocks.n_states;
    for (int s = 0; s < 4; s++) {
        double c = s == 0 ? 0.0 : s == 3 ? h : h / 2;
        for (uint32_t i = 0; i < nx; i++)
            y[i] = x[i] + (s ? c * k[s - 1][i] : 0.0);
        e->time = t + c;
        eval_model(e, y, k[s]);
    }
    for (uint32_t i = 0; i < nx; i++)
        x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    e->time = t + h;
}

// Classic Runge-Kutta, n steps of h; the equations are checked at the first and the last point.
static void integrate(solution_evaluator *e, double *x, int n, double h)
{
    double dx[MAX_VARS];
    eval_model(e, x, dx);
    check_equations(e, "start");
    for (int step = 0; step < n; step++)
        one_step(e, x, h);
    eval_model(e, x, dx);
    check_equations(e, "end");
}

static void begin(solution_evaluator *e, const char *text)
{
    memset(e, 0, sizeof *e);
    e->ok = true;
    model_begin(&e->m);
    model_parse(&e->m, text);
    model_translate(&e->m);
    SG_CHECK_MSG(e->m.status == SG_OK, "%s", model_messages(&e->m));
    SG_CHECK(e->m.flat.vars.len < MAX_VARS);
    for (size_t i = 1; i < e->m.flat.vars.len; i++) {
        const sg_flat_value *v = &e->m.flat.vars.data[i].value;
        e->value[i] = v->numbers ? v->numbers[0] : 0.1;
    }
}

static double value(solution_evaluator *e, const char *name)
{
    sg_var_id var = sg_flat_var_find(&e->m.flat, sg_sym_intern_text(e->m.symbols, name));
    return e->value[var.i];
}

SG_TEST(the_tanks_of_the_worked_example_reach_the_published_levels)
{
    solution_evaluator e;
    begin(&e, "par t1.A = 2\npar t2.A = 2\npar kv = 2e-4\n"
              "t1.A*der(t1.h) = t1.port.q\n"
              "t1.port.p = 9810*t1.h\n"
              "t2.A*der(t2.h) = t2.port.q\n"
              "t2.port.p = 9810*t2.h\n"
              "v.k = kv\n"
              "0 = v.a.q + v.b.q\n"
              "v.a.q = v.k*(v.a.p - v.b.p)\n"
              "total = t1.h + t2.h\n"
              "t1.port.p = v.a.p\n"
              "0 = t1.port.q + v.a.q\n"
              "v.b.p = t2.port.p\n"
              "0 = v.b.q + t2.port.q\n");
    double x[2] = {3.0, 0.5};
    integrate(&e, x, 1000, 1e-3);
    SG_NEAR(x[0], 1.925721, 1e-6, 1.0);
    SG_NEAR(x[1], 1.574279, 1e-6, 1.0);
    model_end(&e.m);
}

// Scenario A7: phi2 = 0.5 + 1/(r^2 J1 + J2) r t^2/2 while the torque is 1.
SG_TEST(the_ideal_gear_accelerates_both_inertias_as_one)
{
    solution_evaluator e;
    begin(&e, "par J1 = 0.0025\npar J2 = 170\npar r = 105\n"
              "init phi2 = 0.5\ninit w2 = 0\n"
              "w1 = der(phi1)\nJ1*der(w1) = 1 - tau1\nphi1 = r*phi2\nr*tau1 = tau2\n"
              "w2 = der(phi2)\nJ2*der(w2) = tau2\n");
    double x[2] = {0.5, 0.0};
    integrate(&e, x, 10, 0.1);
    double a = 105.0 / (0.0025 * 105 * 105 + 170);
    SG_NEAR(x[0], 0.5 + a / 2, 1e-12, 1.0);
    SG_NEAR(x[1], a, 1e-12, 1.0);
    model_end(&e.m);
}

static const double *computed_value(void *context, sg_var_id var, size_t *n)
{
    solution_evaluator *e = context;
    *n = 1;
    return &e->value[var.i];
}

// Scenario A7, first run: the motor side contradicts the load side.
SG_TEST(init_values_that_contradict_the_gear_are_named_with_both_values)
{
    solution_evaluator e;
    begin(&e, "par J1 = 0.0025\npar J2 = 170\npar r = 105\n"
              "init phi1 = 0\ninit w1 = 1\ninit phi2 = 0.5\ninit w2 = 0\ninit psi = -0.5\n"
              "w1 = der(phi1)\nJ1*der(w1) = 1 - tau1\nphi1 = r*phi2\nr*tau1 = tau2\n"
              "w2 = der(phi2)\nJ2*der(w2) = tau2\n0 = psi + phi2\n");
    double x[2] = {0.5, 0.0}, dx[2];
    eval_model(&e, x, dx);
    SG_CHECK(sg_check_init_values(&e.m.structure, &e.m.flat, 1e-6, computed_value, NULL, &e,
                                  &e.m.diags) == SG_ERR_INIT);
    const char *text = model_messages(&e.m);
    SG_CHECK_MSG(strstr(text, "w1: init = 1, but the equations give 0\n"), "%s", text);
    SG_CHECK_MSG(strstr(text, "phi1: init = 0, but the equations give 52.5\n"), "%s", text);
    SG_CHECK(!strstr(text, "psi")); // the negative alias fits
    SG_CHECK(e.m.diags.n_errors == 1);
    model_end(&e.m);
}

// Scenario A6: every equation must hold, also those that were differentiated three times.
SG_TEST(the_multi_index_model_satisfies_all_its_equations)
{
    solution_evaluator e;
    begin(&e, "start x2 = 0\nstart x2d = 0\n"
              "u1 = sin(1*time)\nu2 = sin(2*time)\nu3 = sin(3*time)\nu4 = sin(4*time)\n"
              "u5 = sin(5*time)\nu6 = sin(6*time)\nu7 = sin(7*time)\n"
              "0 = u1 + x1 - x2\n"
              "0 = u2 + x1 + x2 - x3 + der(x6)\n"
              "0 = u3 + x1 + der(x3) - x4\n"
              "x1d = der(x1)\nx2d = der(x2)\nx3d = der(x3)\nx6d = der(x6)\nx6dd = der(x6d)\n"
              "0 = u4 + 2*der(x1d) + der(x2d) + der(x3d) + der(x4) + der(x6dd)\n"
              "0 = u5 + 3*der(x1d) + 2*der(x2d) + x5\n"
              "0 = u6 + 2*x6 + x7\n"
              "0 = u7 + 3*x6 + 4*x7\n");
    double x[2] = {0.3, -0.2};
    e.time = 0.7;
    integrate(&e, x, 20, 0.01);
    model_end(&e.m);
}

SG_TEST(the_cartesian_pendulum_keeps_its_length_and_its_energy)
{
    solution_evaluator e;
    begin(&e, "par L = 1\ninit x = 0.6\ninit vx = 0\nstart y = -0.8\n"
              "vx = der(x)\nvy = der(y)\n"
              "der(vx) = 0 - F*x\nder(vy) = 0 - F*y - 9.81\n"
              "x^2 + y^2 = L^2\n");
    SG_SAME_TEXT(model_states(&e.m), "vx x");
    double x[2] = {0.0, 0.6};
    integrate(&e, x, 700, 1e-3); // through the lowest point; y stays negative
    double energy =
        0.5 * (pow(value(&e, "vx"), 2) + pow(value(&e, "vy"), 2)) + 9.81 * value(&e, "y");
    SG_NEAR(energy, -0.8 * 9.81, 1e-9, 9.81);
    SG_CHECK(value(&e, "x") < 0.0);
    model_end(&e.m);
}

static void compute_entries(solution_evaluator *e, double *entries)
{
    sg_expr_id list[64];
    sg_expr_values values = {e, value_of_var, value_of_par, e->time};
    uint32_t n = sg_reselect_count(&e->m.structure);
    SG_REQUIRE(n <= 64);
    sg_reselect_entries(&e->m.structure, list);
    for (uint32_t k = 0; k < n; k++)
        SG_CHECK(sg_expr_eval(&e->m.flat.exprs, list[k], &values, &entries[k]));
}

// With 8 m/s at the lowest point the pendulum turns over and over; no pair of coordinates serves
// all the way round. The first choice comes from init, the others from the constraint matrix.
SG_TEST(the_cartesian_pendulum_makes_full_turns_by_choosing_its_states_again)
{
    solution_evaluator e;
    begin(&e, "init x = 0\ninit vx = 8\nstart y = -1\n"
              "vx = der(x)\nvy = der(y)\n"
              "der(vx) = 0 - F*x\nder(vy) = 0 - F*y - 9.81\n"
              "x^2 + y^2 = 1\n");
    double x[2] = {8.0, 0.0}, dx[2], work[64], entries[64];
    signed char preference[MAX_VARS] = {0};
    int switches = 0, turns = 0;
    SG_CHECK(sg_reselect_work_size(&e.m.structure) <= 64);
    e.m.options.preference = preference;
    e.m.options.n_preference = MAX_VARS;
    for (int step = 0; step < 6000; step++) {
        double old_x = value(&e, "x");
        one_step(&e, x, 5e-4);
        eval_model(&e, x, dx);
        turns += old_x < 0 && value(&e, "x") >= 0 && value(&e, "y") < 0;
        compute_entries(&e, entries);
        if (!sg_reselect_states(&e.m.structure, entries, work, preference))
            continue;
        switches++;
        model_translate(&e.m);
        SG_REQUIRE(e.m.status == SG_OK && e.m.structure.blocks.n_states == 2);
        for (int k = 0; k < 2; k++)
            x[k] = e.value[e.m.structure.blocks.states[k].i];
        eval_model(&e, x, dx);
        check_equations(&e, "after switching");
    }
    double energy =
        0.5 * (pow(value(&e, "vx"), 2) + pow(value(&e, "vy"), 2)) + 9.81 * value(&e, "y");
    SG_NEAR(energy, 32 - 9.81, 1e-7, 32.0); // what Runge-Kutta loses at this step
    SG_CHECK_MSG(turns >= 2 && switches >= 4 * turns, "%d turns, %d switches", turns, switches);
    model_end(&e.m);
}

SG_TEST(two_pendulums_tied_by_a_gear_and_a_spring_satisfy_their_equations)
{
    solution_evaluator e;
    begin(&e, "par a = 2\npar b = 3\npar c = 5\ninit x = 0.1\ninit v = 0\n"
              "der(x) = v\nder(y) = u\nder(v) = f - c*x\nder(u) = 0 - f + sin(time)\na*x = b*y\n");
    double x[2] = {0.1, 0.2};
    integrate(&e, x, 50, 0.01);
    model_end(&e.m);
}

SG_TEST(a_resistor_bridge_is_solved_with_all_its_currents)
{
    // Five resistors; the bridge current needs a system of equations.
    solution_evaluator e;
    begin(&e, "par R1 = 1\npar R2 = 2\npar R3 = 3\npar R4 = 4\npar R5 = 5\n"
              "u = 10\nu1 + u2 = u\nu3 + u4 = u\nu1 + u5 = u3\n"
              "R1*i1 = u1\nR2*i2 = u2\nR3*i3 = u3\nR4*i4 = u4\nR5*i5 = u5\n"
              "i1 = i2 + i5\ni3 + i5 = i4\n");
    double x[1] = {0};
    integrate(&e, x, 1, 0.1);
    // Node equations by hand: (10-a)/1 = a/2 + (a-b)/5, (10-b)/3 + (a-b)/5 = b/4.
    double det = 1.7 * (1.0 / 3 + 0.25 + 0.2) - 0.04;
    double a = (10 * (1.0 / 3 + 0.25 + 0.2) + 0.2 * 10.0 / 3) / det;
    SG_NEAR(value(&e, "u2"), a, 1e-12, 10.0);
    model_end(&e.m);
}

SG_TEST(nonlinear_loops_satisfy_their_equations)
{
    solution_evaluator e;
    begin(&e, "init x = 1\nder(x) = 0 - y\ny^3 + y = x\np + q = 3\np*q = 2 + 0*time\n"
              "start q = 0.8\nz = exp(w)\nw = 1 - z\n");
    double x[1] = {1};
    integrate(&e, x, 100, 0.01);
    SG_NEAR(value(&e, "q"), 1.0, 1e-9, 1.0);
    model_end(&e.m);
}

// Random linear circuits of resistors, capacitors, inductors and sources between a few nodes,
// without a ground: whatever redundancy, loops and cut sets they have, either the translation
// explains what is wrong, or all equations hold.
SG_TEST(random_circuits_satisfy_their_equations_or_are_explained)
{
    sg_rng rng = sg_rng_seeded(17);
    int solved = 0, refused = 0;
    for (int round = 0; round < 150; round++) {
        char text[6000] = "", node[4][600] = {"", "", "", ""}, first[4][16] = {"", "", "", ""};
        char links[2000] = "";
        int n = 4 + (int)(sg_rng_u64(&rng) % 4);
        for (int k = 0; k < n; k++) {
            int from = k < 4 ? k : (int)(sg_rng_u64(&rng) % 4);
            int to = (from + 1 + (k < 4 ? 0 : (int)(sg_rng_u64(&rng) % 3))) % 4;
            char law[100];
            switch (sg_rng_u64(&rng) % 5) {
            case 0:
            case 1:
                snprintf(law, sizeof law, "%d*e%d.i = e%d.v", k + 1, k, k);
                break;
            case 2:
                snprintf(law, sizeof law, "%d*der(e%d.v) = e%d.i", k + 2, k, k);
                break;
            case 3:
                snprintf(law, sizeof law, "%d*der(e%d.i) = e%d.v", k + 2, k, k);
                break;
            default:
                snprintf(law, sizeof law, "e%d.v = sin(%d*time + 1)", k, k + 1);
            }
            snprintf(text + strlen(text), sizeof text - strlen(text),
                     "e%d.v = e%d.p.v - e%d.n.v\n0 = e%d.p.i + e%d.n.i\ne%d.i = e%d.p.i\n%s\n", k,
                     k, k, k, k, k, k, law);
            int ends[2] = {from, to};
            for (int s = 0; s < 2; s++) {
                char pin[16];
                snprintf(pin, sizeof pin, "e%d.%c", k, s ? 'n' : 'p');
                snprintf(node[ends[s]] + strlen(node[ends[s]]), 100, " + %s.i", pin);
                if (*first[ends[s]])
                    snprintf(links + strlen(links), 100, "%s.v = %s.v\n", first[ends[s]], pin);
                else
                    strcpy(first[ends[s]], pin);
            }
        }
        strcat(text, links);
        for (int k = 0; k < 4; k++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "0 = 0%s\n", node[k]);
        solution_evaluator e;
        memset(&e, 0, sizeof e);
        e.ok = true;
        model_begin(&e.m);
        model_parse(&e.m, text);
        model_translate(&e.m);
        if (e.m.status == SG_OK) {
            double x[20];
            for (uint32_t k = 0; k < e.m.structure.blocks.n_states; k++)
                x[k] = sg_rng_uniform(&rng, -1, 1);
            e.time = 0.3;
            integrate(&e, x, 3, 0.01);
            SG_CHECK_MSG(e.ok, "round %d:\n%s\n%s", round, text, model_blocks(&e.m));
            solved++;
        } else {
            SG_CHECK(e.m.status == SG_ERR_MODEL && e.m.diags.n_errors == 1);
            refused++;
        }
        model_end(&e.m);
        if (!e.ok)
            break;
    }
    SG_CHECK_MSG(solved > 100, "%d solved, %d refused", solved, refused);
}
