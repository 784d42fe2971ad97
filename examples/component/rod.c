// A shared library with one component: heat in a rod, in cells whose number changes while it runs.
//
// Shows: states, a local variable and crossing functions that the equations do not see; a segment
// that ends when neighbors differ so much that more cells are needed, or have become so alike that
// half of them do, and the next one, which begins with the heat of the last. heated_rod.jl uses it:
//     cc -std=c17 -shared -fPIC -I include examples/component/rod.c -o rod.so
//     segue run --component ./rod.so examples/component/heated_rod.jl
#include <math.h>
#include <segue/component.h>
#include <stdbool.h>
#include <stdlib.h>

enum { FEWEST = 4 };

typedef struct rod_memory {
    size_t n, next;           // cells of this segment and of the next one
    double *T, *rate, *fresh; // of the cells [K], [K/s], [K]; room for the most of them
    double dx;                // length of a cell [m]
    double alike;             // neighbors differ by less [K]: time for half the cells
    double steep;             // by more: for twice as many, up to
    size_t most;
    double k1, k2, c1; // [1/s], [W/K], [J/K] of a cell
    int state, energy, differs;
} rod_memory;

static double parameter(const sg_component_segment *segment, const char *name, double otherwise)
{
    size_t n;
    const double *value = segment->parameter(segment, name, &n);
    return value && n == 1 ? *value : otherwise;
}

// The smaller of two slopes, zero where their signs differ: straight pieces through the cells then
// make no new extrema.
static double smaller(double a, double b) { return a * b <= 0.0 ? 0.0 : fabs(a) < fabs(b) ? a : b; }

// Change of temperature over a cell, as its neighbors say.
static double slope(const double *T, size_t n, size_t i)
{
    if (n < 3)
        return 0.0;
    size_t j = i == 0 ? 1 : i == n - 1 ? n - 2 : i;
    return smaller(T[j] - T[j - 1], T[j + 1] - T[j]);
}

// The same heat in `m` cells instead of `n`: straight pieces through the old ones are integrated
// over the new ones, whatever the two numbers are.
static void remesh(const double *T, size_t n, double *fresh, size_t m)
{
    double ratio = (double)n / (double)m;
    for (size_t j = 0; j < m; j++) {
        double lo = (double)j * ratio, hi = (double)(j + 1) * ratio, heat = 0.0;
        for (size_t i = (size_t)lo; i < n && (double)i < hi; i++) {
            double a = fmax(lo - (double)i, 0.0), b = fmin(hi - (double)i, 1.0);
            heat += (b - a) * (T[i] + slope(T, n, i) * (a + b - 1.0) / 2.0);
        }
        fresh[j] = heat / ratio;
    }
}

static sg_status take_memory(rod_memory *rod, const sg_component_segment *segment)
{
    double **lists[] = {&rod->T, &rod->rate, &rod->fresh};
    for (int k = 0; k < 3; k++) {
        free(*lists[k]);
        *lists[k] = malloc(rod->most * sizeof(double));
        if (!*lists[k])
            return segment->fail(segment, "out of memory");
    }
    return SG_OK;
}

// At the start all cells are alike; later they hold the heat of those before.
static sg_status set_cells(rod_memory *rod, const sg_component_segment *segment, double L)
{
    if (!segment->first) {
        remesh(rod->T, rod->n, rod->fresh, rod->next);
        rod->n = rod->next;
        for (size_t i = 0; i < rod->n; i++)
            rod->T[i] = rod->fresh[i];
        return SG_OK;
    }
    double n = parameter(segment, "n", 8.0), most = parameter(segment, "most", n);
    double T0 = parameter(segment, "T0", 293.15);
    rod->alike = parameter(segment, "alike", 0.0);
    rod->steep = parameter(segment, "steep", INFINITY);
    if (!(n >= 2.0 && n <= most && most <= 1e6 && n == floor(n) && most == floor(most) && L > 0.0))
        return segment->fail(segment, "n and most must be whole numbers with 2 <= n <= most, and L "
                                      "positive");
    if (!(rod->steep > 2.0 * rod->alike))
        return segment->fail(segment, "steep must be more than twice alike, or the number of cells "
                                      "goes up and down");
    rod->n = rod->next = (size_t)n;
    rod->most = (size_t)most;
    sg_status status = take_memory(rod, segment);
    for (size_t i = 0; i < rod->n && status == SG_OK; i++)
        rod->T[i] = T0;
    return status;
}

static double energy_of(const rod_memory *rod)
{
    double sum = 0.0;
    for (size_t i = 0; i < rod->n; i++)
        sum += rod->c1 * rod->T[i];
    return sum;
}

static sg_status begin(void *memory, const sg_component_segment *segment)
{
    rod_memory *rod = memory;
    double L = parameter(segment, "L", 1.0), A = parameter(segment, "A", 4e-4);
    double heat = parameter(segment, "rho", 7500.0) * parameter(segment, "c", 450.0);
    double lambda = parameter(segment, "lambda", 74.0);
    sg_status status = set_cells(rod, segment, L);
    if (status != SG_OK)
        return status;
    rod->dx = L / (double)rod->n;
    rod->k1 = lambda / (heat * rod->dx * rod->dx);
    rod->k2 = 2.0 * lambda * A / rod->dx;
    rod->c1 = heat * A * rod->dx;
    double energy = energy_of(rod);
    rod->state = segment->add_state(
        segment, &(sg_component_variable){"T", "K", rod->T, rod->n, .vector = true});
    rod->energy =
        segment->add_local(segment, &(sg_component_variable){"energy", "J", &energy, 1, false});
    rod->differs = segment->add_crossings(segment, "neighbors differ", 2);
    return SG_OK;
}

// (first, last, conductance) = ends()
static sg_status ends(void *memory, const sg_component_call *call)
{
    const rod_memory *rod = memory;
    const double *T = call->state(call, rod->state);
    call->results[0].data[0] = T[0];
    call->results[1].data[0] = T[rod->n - 1];
    call->results[2].data[0] = rod->k2;
    return SG_OK;
}

// Where its crossing function changes its sign, a condition holds up to rounding.
static bool holds(double margin, double limit) { return margin > -1e-9 * limit; }

static void decide(rod_memory *rod, const sg_component_call *call)
{
    double most = 0.0, steep = isfinite(rod->steep) ? rod->steep : 1e300;
    for (size_t i = 1; i < rod->n; i++)
        most = fmax(most, fabs(rod->T[i] - rod->T[i - 1]));
    call->set_crossing(call, rod->differs, most - rod->alike);
    call->set_crossing(call, rod->differs + 1, most - steep);
    if (call->purpose != SG_COMPONENT_EVENT || call->initial)
        return;
    if (holds(most - steep, steep) && 2 * rod->n <= rod->most)
        rod->next = 2 * rod->n;
    else if (most < rod->alike && rod->n % 2 == 0 && rod->n > FEWEST)
        rod->next = rod->n / 2;
    else
        return;
    call->end_segment(call);
}

// heat(T_a, T_b): the temperatures at both ends drive the cells.
static sg_status heat(void *memory, const sg_component_call *call)
{
    rod_memory *rod = memory;
    size_t n = rod->n;
    const double *T = call->state(call, rod->state);
    double a = call->arguments[0].data[0], b = call->arguments[1].data[0];
    for (size_t i = 0; i < n; i++) {
        double left = i ? T[i - 1] - T[i] : 2.0 * (a - T[i]);
        double right = i + 1 < n ? T[i + 1] - T[i] : 2.0 * (b - T[i]);
        rod->rate[i] = rod->k1 * (left + right);
        rod->T[i] = T[i]; // the last of these is where the next segment begins
    }
    call->set_derivative(call, rod->state, rod->rate);
    if (call->purpose >= SG_COMPONENT_CROSSINGS)
        decide(rod, call);
    double energy = energy_of(rod);
    if (call->purpose == SG_COMPONENT_RESULT)
        call->set_local(call, rod->energy, &energy);
    return SG_OK;
}

static void destroy(void *memory)
{
    rod_memory *rod = memory;
    free(rod->T);
    free(rod->rate);
    free(rod->fresh);
}

static const sg_component_function functions[] = {{"ends", 0, 3, ends}, {"heat", 2, 0, heat}};

static const sg_component rod = {.abi = SG_COMPONENT_ABI,
                                 .name = "rod",
                                 .memory_size = sizeof(rod_memory),
                                 .functions = functions,
                                 .n_functions = sizeof functions / sizeof functions[0],
                                 .equations = "(first, last, conductance) = ends()\n"
                                              "port_a.Q_flow = conductance*(port_a.T - first)\n"
                                              "port_b.Q_flow = conductance*(port_b.T - last)\n"
                                              "heat(port_a.T, port_b.T)\n",
                                 .init_segment = begin,
                                 .destroy = destroy};

static const sg_component *const list[] = {&rod};

SG_COMPONENT_EXPORT const sg_component_library segue_components = {SG_COMPONENT_ABI, 1, list};
