// A component of one's own in a model: a capacitor whose state the equations do not see. It is
// added to the session by its name, and a model text uses it. The model compares the
// voltage with the closed form. A component in a shared library: examples/component.
#include <segue/component.h>
#include <segue/session.h>
#include <stdio.h>
#include <string.h>

typedef struct charge {
    double C; // [F]
    int v;    // number of the state
} charge;

static sg_status begin(void *memory, const sg_component_segment *segment)
{
    charge *c = memory;
    size_t n;
    const double *C = segment->parameter(segment, "C", &n);
    if (!C || n != 1 || !(*C > 0.0))
        return segment->fail(segment, "C must be a positive number");
    c->C = *C;
    c->v =
        segment->add_state(segment, &(sg_component_variable){"v", "V", &(double){0.0}, 1, false});
    return SG_OK;
}

static sg_status voltage(void *memory, const sg_component_call *call)
{
    const charge *c = memory;
    *call->results[0].data = *call->state(call, c->v);
    return SG_OK;
}

static sg_status take(void *memory, const sg_component_call *call)
{
    const charge *c = memory;
    double rate = *call->arguments[0].data / c->C;
    call->set_derivative(call, c->v, &rate);
    return SG_OK;
}

static const sg_component_function functions[] = {{"voltage", 0, 1, voltage}, {"take", 1, 0, take}};
static const sg_component capacitor = {.abi = SG_COMPONENT_ABI,
                                       .name = "capacitor",
                                       .memory_size = sizeof(charge),
                                       .functions = functions,
                                       .n_functions = 2,
                                       .equations = "p.v - n.v = voltage()\n"
                                                    "0 = p.i + n.i\n"
                                                    "take(p.i)\n",
                                       .init_segment = begin};

static const char model[] =
    "using Modia\n"
    "include(\"$(Modia.modelsPath)/Electric.jl\")\n"
    "Circuit = Model(V = ConstantVoltage | Map(V = 10.0), R = Resistor | "
    "Map(R = 0.5), g = Ground,\n"
    "    C = Component(\"capacitor\", C = 2.0, p = Pin, n = Pin),\n"
    "    connect = :[(V.p, R.p); (R.n, C.p); (C.n, V.n, g.p)])\n"
    "circuit = @instantiateModel(Circuit, unitless = true)\n"
    "simulate!(circuit, stopTime = 1.0, tolerance = 1e-10)\n"
    "v = getLastValue(circuit, \"C.v\", unit = false)\n"
    "println(\"C.v(1 s) = \", v, \" V, closed form \", 10*(1 - exp(-1)), \" V\")\n"
    "@test isapprox(v, 10*(1 - exp(-1)), rtol = 1e-8)\n";

static void print_output(void *context, const char *text, size_t length)
{
    (void)context;
    fwrite(text, 1, length, stdout);
}

int main(void)
{
    sg_session_options options = sg_session_options_make();
    options.write = print_output;
    sg_session *session;
    if (sg_session_create(NULL, &options, &session) != SG_OK)
        return 1;
    sg_session_add_component(session, &capacitor);
    sg_session_run_text(session, "circuit.jl", model, strlen(model));
    int status = sg_session_exit_status(session);
    sg_session_destroy(session);
    return status;
}
