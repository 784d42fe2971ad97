// A shared library with one component: heat in a rod, in cells whose number changes while it runs.
//
// Shows: states, a local variable and a crossing function that the equations do not see; a segment
// that ends when neighbors have become so alike that half the cells do, and the next one, which
// begins with the heat of the last. heated_rod.jl uses it:
//     cc -std=c17 -shared -fPIC -I include examples/component/rod.c -o rod.so
//     segue run --component ./rod.so examples/component/heated_rod.jl
#include <math.h>
#include <segue/component.h>
#include <stdlib.h>

enum { FEWEST = 4 };

typedef struct rod_memory {
    size_t n, room;
    double *T, *rate;  // of the cells [K], [K/s]
    double dx;         // length of a cell [m]
    double alike;      // neighbors differ by less [K]: time for fewer cells
    double k1, k2, c1; // [1/s], [W/K], [J/K] of a cell
    int state, energy, differs;
} rod_memory;

static double parameter(const sg_component_segment *segment, const char *name, double otherwise)
{
    size_t n;
    const double *value = segment->parameter(segment, name, &n);
    return value && n == 1 ? *value : otherwise;
}

// At the start all cells are alike; later, each is the mean of two, so no heat is lost.
static sg_status set_cells(rod_memory *rod, const sg_component_segment *segment, double L)
{
    if (!segment->first) {
        rod->n /= 2;
        for (size_t i = 0; i < rod->n; i++)
            rod->T[i] = 0.5 * (rod->T[2 * i] + rod->T[2 * i + 1]);
        return SG_OK;
    }
    double n = parameter(segment, "n", 8.0), T0 = parameter(segment, "T0", 293.15);
    if (!(n >= 2.0 && n <= 1e6 && n == floor(n) && L > 0.0))
        return segment->fail(segment, "n must be a whole number of at least 2, and L positive");
    rod->n = (size_t)n;
    if (rod->n > rod->room) {
        free(rod->T);
        free(rod->rate);
        rod->T = malloc(rod->n * sizeof *rod->T);
        rod->rate = malloc(rod->n * sizeof *rod->rate);
        rod->room = rod->T && rod->rate ? rod->n : 0;
    }
    for (size_t i = 0; i < rod->n && rod->room; i++)
        rod->T[i] = T0;
    return rod->room ? SG_OK : segment->fail(segment, "out of memory");
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
    rod->alike = parameter(segment, "alike", 1.0);
    rod->k1 = lambda / (heat * rod->dx * rod->dx);
    rod->k2 = 2.0 * lambda * A / rod->dx;
    rod->c1 = heat * A * rod->dx;
    double energy = energy_of(rod);
    rod->state = segment->add_state(
        segment, &(sg_component_variable){"T", "K", rod->T, rod->n, .vector = true});
    rod->energy =
        segment->add_local(segment, &(sg_component_variable){"energy", "J", &energy, 1, false});
    rod->differs = segment->add_crossings(segment, "neighbors differ", 1);
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

static void decide(const rod_memory *rod, const sg_component_call *call)
{
    double most = 0.0;
    for (size_t i = 1; i < rod->n; i++)
        most = fmax(most, fabs(rod->T[i] - rod->T[i - 1]));
    call->set_crossing(call, rod->differs, most - rod->alike);
    if (call->purpose == SG_COMPONENT_EVENT && !call->initial && most < rod->alike &&
        rod->n % 2 == 0 && rod->n > FEWEST)
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
