#include "sweep/random_models.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct maker {
    uint64_t state;
    random_model *model;
    size_t length;
    double x_unit[64]; // of the states, in which they are of the order of one
    double t_unit;     // of time [s]
    bool scaled;
} maker;

// ---- chance -------------------------------------------------------------------------------------

// Splitmix64 (Steele, Lea and Flood 2014).
static double uniform(maker *m, double low, double high)
{
    uint64_t z = m->state += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    z ^= z >> 31;
    return low + (high - low) * (double)(z >> 11) * 0x1p-53;
}

static int whole(maker *m, int low, int high)
{
    return low + (int)floor(uniform(m, 0.0, (double)(high - low) + 1.0) * (1.0 - 1e-12));
}

// Between powers of ten.
static double decades(maker *m, double low, double high)
{
    return pow(10.0, uniform(m, low, high));
}

// ---- text ---------------------------------------------------------------------------------------

__attribute__((format(printf, 2, 3))) static void put(maker *m, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(m->model->text + m->length, RANDOM_TEXT - m->length, format, arguments);
    va_end(arguments);
    if (n > 0 && m->length + (size_t)n < RANDOM_TEXT)
        m->length += (size_t)n;
}

// A state and its equation, x' = rate, are written for values and times of the order of one. In
// other units they are u*x and T*t, so that der(x) = rate*u/T, with (x/u) in place of x.
static void begin(maker *m, int n, bool scaled)
{
    m->scaled = scaled;
    m->t_unit = scaled ? decades(m, -9.0, 6.0) : 1.0;
    for (int i = 0; i < n && i < 64; i++)
        m->x_unit[i] = scaled ? decades(m, -12.0, 9.0) : 1.0;
    m->model->smallest = 1.0;
    for (int i = 0; i < n && i < 64; i++)
        m->model->smallest = fmin(m->model->smallest, m->x_unit[i]);
    put(m, "using Modia\nM = Model(");
}

static void put_start(maker *m, int i, double value)
{
    put(m, "x%d = Var(init = %.6g), ", i, value * m->x_unit[i]);
}

static void put_x(maker *m, int i)
{
    if (m->scaled)
        put(m, "(x%d/%.6g)", i, m->x_unit[i]);
    else
        put(m, "x%d", i);
}

static void put_time(maker *m)
{
    if (m->scaled)
        put(m, "(time/%.6g)", m->t_unit);
    else
        put(m, "time");
}

static void put_der(maker *m, int i)
{
    put(m, "    der(x%d) = ", i);
    if (m->scaled)
        put(m, "%.6g*(", m->x_unit[i] / m->t_unit);
    else
        put(m, "(");
}

static void end_der(maker *m) { put(m, ")\n"); }

static const char *const stiff_solvers[] = {"CVODE_BDF", "IDA", "CVODE_BDF", "Rodas5"};
static const char *const other_stiff[] = {"Rodas5", "Rodas5", "IDA", "CVODE_BDF"};
static const char *const mild_solvers[] = {"CVODE_BDF", "Tsit5", "CVODE_Adams", "IDA"};
static const char *const other_mild[] = {"Tsit5", "CVODE_BDF", "Tsit5", "Tsit5"};

static void finish(maker *m, bool stiff, double stop)
{
    int k = whole(m, 0, 3);
    put(m, "])\nm = @instantiateModel(M, unitless = true)\nsimulate!(m, %s(), stopTime = %.6g)\n",
        (stiff ? stiff_solvers : mild_solvers)[k], stop * m->t_unit);
    m->model->other = (stiff ? other_stiff : other_mild)[k];
}

// ---- families -----------------------------------------------------------------------------------

// Decaying oscillations of very different rates, seen through a mixture of all of them: the sum of
// rank-one couplings downwards keeps the eigenvalues.
static void linear(maker *m, bool scaled)
{
    int pairs = whole(m, 1, 4), n = 2 * pairs;
    double spread = uniform(m, 0.0, 5.0), forced = uniform(m, 0.0, 1.0);
    begin(m, n, scaled);
    for (int i = 0; i < n; i++)
        put_start(m, i, uniform(m, -1.0, 1.0));
    put(m, "equations = :[\n");
    for (int i = 0; i < n; i++) {
        double rate = pow(10.0, spread * floor(0.5 * i) / (double)pairs);
        double turn = rate * uniform(m, 0.0, 3.0), damp = rate * uniform(m, 0.3, 1.0);
        put_der(m, i);
        put(m, "-%.6g*", damp);
        put_x(m, i);
        put(m, i % 2 ? " - %.6g*" : " + %.6g*", turn);
        put_x(m, i ^ 1);
        for (int k = 0; k < i / 2 * 2; k++) { // from slower ones
            put(m, " + %.6g*", uniform(m, -0.5, 0.5) * rate);
            put_x(m, k);
        }
        put(m, " + %.6g*sin(%.6g*", forced, uniform(m, 0.2, 2.0));
        put_time(m);
        put(m, ")");
        end_der(m);
    }
    finish(m, spread > 1.5, uniform(m, 3.0, 20.0));
}

static void oscillator(maker *m, bool scaled)
{
    bool stiff = uniform(m, 0.0, 1.0) < 0.5;
    double mu = stiff ? decades(m, 1.0, 3.0) : uniform(m, 0.2, 3.0);
    begin(m, 2, scaled);
    put_start(m, 0, uniform(m, 0.5, 2.5));
    put_start(m, 1, stiff ? 0.0 : uniform(m, -1.0, 1.0));
    put(m, "equations = :[\n");
    put_der(m, 0);
    put_x(m, 1);
    end_der(m);
    put_der(m, 1);
    put(m, "%.6g*(1 - ", mu);
    put_x(m, 0);
    put(m, "^2)*");
    put_x(m, 1);
    put(m, " - ");
    put_x(m, 0);
    end_der(m);
    finish(m, stiff, (stiff ? uniform(m, 0.3, 0.6) * mu : uniform(m, 5.0, 20.0)));
}

// A ladder of resistors and capacitors, with diodes that are smooth; currents are unknowns of
// systems of equations.
static void network(maker *m)
{
    int n = whole(m, 2, 10);
    double spread = uniform(m, 0.0, 4.0);
    begin(m, n, false);
    for (int i = 0; i < n; i++)
        put_start(m, i, uniform(m, -0.2, 0.2));
    put(m, "equations = :[\n    u = sin(%.6g*time)\n    i0 = (u - x0)/%.6g\n", uniform(m, 0.5, 5.0),
        decades(m, -1.0, 1.0));
    for (int i = 0; i < n; i++) {
        double r = decades(m, -1.0, 1.0), c = decades(m, -spread, 0.0), is = decades(m, -6.0, -3.0);
        put(m, "    %.6g*der(x%d) = i%d - i%d - d%d\n", c, i, i, i + 1, i);
        put(m, "    d%d = %.6g*(exp(20*v%d) - 1)\n    x%d = v%d + %.6g*d%d\n", i, is, i, i, i,
            0.1 * r, i);
        if (i + 1 < n)
            put(m, "    x%d - x%d = %.6g*i%d + %.6g*i%d^3\n", i, i + 1, r, i + 1, 0.1 * r, i + 1);
        else
            put(m, "    x%d = %.6g*i%d\n", i, r, i + 1);
    }
    finish(m, true, uniform(m, 1.0, 10.0));
}

// Reactions A -> B, A + B -> C + D with rates over many orders; what is there stays there.
static void reactions(maker *m, bool scaled)
{
    int n = whole(m, 3, 7), r = n + whole(m, 0, 4);
    int from[16], with[16], to[16];
    double rate[16], spread = uniform(m, 1.0, 6.0);
    for (int k = 0; k < r; k++) {
        from[k] = whole(m, 0, n - 1);
        to[k] = (from[k] + whole(m, 1, n - 1)) % n;
        with[k] = uniform(m, 0.0, 1.0) < 0.5 ? whole(m, 0, n - 1) : -1; // helps, stays
        rate[k] = decades(m, 0.5 - spread, 0.5 + 0.3 * spread);
    }
    begin(m, n, scaled);
    for (int i = 0; i < n; i++)
        put_start(m, i, uniform(m, 0.0, 1.0) < 0.4 ? 0.0 : uniform(m, 0.1, 1.0));
    put(m, "equations = :[\n");
    for (int i = 0; i < n; i++) {
        put_der(m, i);
        put(m, "0.0");
        for (int k = 0; k < r; k++) {
            if (from[k] != i && to[k] != i)
                continue;
            put(m, " %c %.6g*", from[k] == i ? '-' : '+', rate[k]);
            put_x(m, from[k]);
            if (with[k] >= 0) {
                put(m, "*");
                put_x(m, with[k]);
            }
        }
        end_der(m);
    }
    finish(m, true, decades(m, 0.0, 2.0));
}

// Random quadratic couplings that keep the sum of squares, a linear part that loses it, and a
// constant drive: solutions stay within a ball.
static void polynomial(maker *m, bool scaled)
{
    int n = whole(m, 3, 6);
    double q[6];
    for (int i = 0; i < n; i++)
        q[i] = uniform(m, -1.0, 1.0);
    begin(m, n, scaled);
    for (int i = 0; i < n; i++)
        put_start(m, i, uniform(m, -1.0, 1.0));
    put(m, "equations = :[\n");
    for (int i = 0; i < n; i++) {
        // x[i-1] x[i+1] in each of three neighbors, with factors that add up to zero.
        int a = (i + n - 1) % n, b = (i + 1) % n;
        put_der(m, i);
        put(m, "%.6g*", q[i] - q[b]);
        put_x(m, a);
        put(m, "*");
        put_x(m, b);
        put(m, " - %.6g*", uniform(m, 0.2, 2.0));
        put_x(m, i);
        put(m, " - %.6g*", uniform(m, 0.1, 1.0));
        put_x(m, i);
        put(m, "^3 + %.6g", uniform(m, -0.5, 0.5));
        end_der(m);
    }
    finish(m, false, uniform(m, 2.0, 10.0));
}

// Constraints: a pendulum in x and y, which needs index reduction, and a loop of equations that is
// solved by iteration.
static void constrained(maker *m)
{
    double l = decades(m, -1.0, 1.0), g = uniform(m, 1.0, 10.0), angle = uniform(m, 0.2, 1.2);
    begin(m, 0, false);
    if (uniform(m, 0.0, 1.0) < 0.5) {
        put(m,
            "x = Var(init = %.17g), y = Var(init = %.17g, start = %.17g), vx = Var(init = 0.0), "
            "vy = Var(init = 0.0), f = Var(start = 0.0), equations = :[\n",
            l * sin(angle), -l * cos(angle), -l * cos(angle));
        put(m, "    der(x) = vx\n    der(y) = vy\n    x^2 + y^2 = %.17g\n", l * l);
        put(m, "    der(vx) = f*x - %.6g*vx\n    der(vy) = f*y - %.6g - %.6g*vy\n", 0.1, g, 0.1);
        finish(m, false, uniform(m, 1.0, 5.0) * sqrt(l / g));
        m->model->smallest = fmin(1.0, l);
        return;
    }
    int n = whole(m, 1, 5);
    for (int i = 0; i < n; i++)
        put(m, "x%d = Var(init = %.6g), w%d = Var(start = 0.1), ", i, uniform(m, -1.0, 1.0), i);
    put(m, "equations = :[\n");
    for (int i = 0; i < n; i++) {
        put(m, "    der(x%d) = -%.6g*w%d + cos(%.6g*time)\n", i, decades(m, 0.0, 2.0), i,
            uniform(m, 0.3, 3.0));
        // One solution: the term with w[i] prevails.
        double own = uniform(m, 0.5, 2.0);
        put(m, "    x%d = %.6g*w%d + %.6g*tanh(w%d) + 0.1*w%d^3\n", i, own, i,
            own * uniform(m, 0.1, 0.9), (i + 1) % n, i);
    }
    finish(m, true, uniform(m, 2.0, 10.0));
}

// Some that grow out of very little and eat each other.
static void populations(maker *m, bool scaled)
{
    int n = whole(m, 1, 4);
    double slow = decades(m, -2.0, 2.0);
    begin(m, n, scaled);
    for (int i = 0; i < n; i++)
        put_start(m, i, decades(m, -10.0, 0.0));
    put(m, "equations = :[\n");
    for (int i = 0; i < n; i++) {
        put_der(m, i);
        put(m, "%.6g*", slow * uniform(m, 0.5, 1.5));
        put_x(m, i);
        put(m, "*(1 - ");
        put_x(m, i);
        for (int k = 0; k < i; k++) { // those before it are stronger
            put(m, " - %.6g*", uniform(m, 0.1, 0.8));
            put_x(m, k);
        }
        put(m, ")");
        end_der(m);
    }
    finish(m, false, uniform(m, 10.0, 60.0) / slow);
}

// Diffusion along a rod, with a reaction: fronts that move into what is at rest.
static void diffusion(maker *m)
{
    int n = whole(m, 8, 40);
    double d = decades(m, 0.0, 4.0), k = uniform(m, 0.0, 1.0) < 0.5 ? decades(m, 0.0, 2.0) : 0.0;
    begin(m, 0, false);
    put(m,
        "n = %d, u = Var(init = zeros(%d)), equations = :[\n    der(u) = %.6g*([%.6g + "
        "0.3*sin(%.6g*time); u[1:end-1]] - 2*u + [u[2:end]; u[end]]) + %.6g*u.*(1.0 .- u)\n",
        n, n, d, 1.0, uniform(m, 0.1, 10.0), k);
    finish(m, true, uniform(m, 0.2, 2.0) * n / sqrt(d + d * k));
}

// Masses, springs that stiffen, dampers, and something that shakes the first.
static void chain(maker *m, bool scaled)
{
    int n = whole(m, 2, 6);
    double k = decades(m, 0.0, 2.0), cubic = uniform(m, 0.0, 1.0), shake = uniform(m, 0.2, 5.0);
    begin(m, 2 * n, scaled);
    for (int i = 0; i < 2 * n; i++)
        put_start(m, i, i ? 0.0 : uniform(m, 0.0, 1.0));
    put(m, "equations = :[\n");
    for (int i = 0; i < n; i++) {
        int x = i, v = n + i;
        put_der(m, x);
        put_x(m, v);
        end_der(m);
        put_der(m, v);
        put(m, "-%.6g*", 0.2 * sqrt(k));
        put_x(m, v);
        for (int side = -1; side <= 1; side += 2) {
            int o = i + side;
            put(m, " - %.6g*(", k);
            put_x(m, x);
            if (o >= 0 && o < n) {
                put(m, " - ");
                put_x(m, o);
            }
            put(m, ")");
        }
        put(m, " - %.6g*", k * cubic);
        put_x(m, x);
        put(m, "^3");
        if (i == 0) {
            put(m, " + sin(%.6g*", shake);
            put_time(m);
            put(m, ")");
        }
        end_der(m);
    }
    finish(m, false, uniform(m, 2.0, 20.0) / sqrt(k));
}

void random_model_make(random_model *model, unsigned seed)
{
    static const char *const names[RANDOM_FAMILIES] = {
        "linear",      "oscillator",  "network",   "reactions", "polynomial",
        "constrained", "populations", "diffusion", "chain",     "any_units"};
    maker m = {.state = seed * 7919ULL + 12345ULL, .model = model};
    unsigned family = seed % RANDOM_FAMILIES;
    memset(model, 0, sizeof *model);
    snprintf(model->name, sizeof model->name, "%s_%u", names[family], seed);
    bool scaled = family == RANDOM_FAMILIES - 1;
    if (scaled) {
        static const unsigned can[] = {0, 1, 3, 4, 6, 8};
        family = can[whole(&m, 0, 5)];
    }
    switch (family) {
    case 0:
        linear(&m, scaled);
        break;
    case 1:
        oscillator(&m, scaled);
        break;
    case 2:
        network(&m);
        break;
    case 3:
        reactions(&m, scaled);
        break;
    case 4:
        polynomial(&m, scaled);
        break;
    case 5:
        constrained(&m);
        break;
    case 6:
        populations(&m, scaled);
        break;
    case 7:
        diffusion(&m);
        break;
    default:
        chain(&m, scaled);
        break;
    }
}
