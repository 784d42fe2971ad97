// Any model file is read, instantiated and simulated, or stops with a message, within its limits.
//
// The input is the text of a whole model file; mutation works on its words (mutate.h). The limits
// are tight, so that an input costs the fuzzer a tenth of a second at most: that much processor
// time, 64 MB of values, 300 events. Nothing can be written, for the output folder cannot exist.
// What must hold: no failure without a message, no mistake of our own, and the points of a
// simulation come in the order of time.
#include "mutate.h"
#include "segue/session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"der",
                                    "pre",
                                    "positive",
                                    "negative",
                                    "change",
                                    "edge",
                                    "sample",
                                    "hold",
                                    "previous",
                                    "Clock",
                                    "initial",
                                    "terminal",
                                    "after",
                                    "delay",
                                    "reinit",
                                    "if",
                                    "else",
                                    "end",
                                    "begin",
                                    "for",
                                    "in",
                                    "function",
                                    "return",
                                    "true",
                                    "false",
                                    "nothing",
                                    "missing",
                                    "time",
                                    "instantiatedModel",
                                    "sin",
                                    "sqrt",
                                    "log",
                                    "exp",
                                    "abs",
                                    "sign",
                                    "floor",
                                    "mod",
                                    "atan",
                                    "min",
                                    "max",
                                    "zeros",
                                    "ones",
                                    "length",
                                    "sum",
                                    "Model",
                                    "Map",
                                    "Var",
                                    "Par",
                                    "Boolean",
                                    "Integer",
                                    "Clocked",
                                    "equations",
                                    "init",
                                    "start",
                                    "value",
                                    "unit",
                                    "min",
                                    "max",
                                    "fixed",
                                    "potential",
                                    "flow",
                                    "input",
                                    "output",
                                    "connect",
                                    "merge",
                                    "redeclare",
                                    "|",
                                    "@instantiateModel",
                                    "simulate!",
                                    "Model3D",
                                    "Object3D",
                                    "Solid",
                                    "Visual",
                                    "Scene",
                                    "Sphere",
                                    "Box",
                                    "Cylinder",
                                    "Revolute",
                                    "RevoluteWithFlange",
                                    "Prismatic",
                                    "PrismaticWithFlange",
                                    "FreeMotion",
                                    "Fix",
                                    "WorldForce",
                                    "Bushing",
                                    "SpringDamperPtP",
                                    "Joint",
                                    "parent",
                                    "fixedToParent",
                                    "translation",
                                    "rotation",
                                    "feature",
                                    "shape",
                                    "mass",
                                    "massProperties",
                                    "solidMaterial",
                                    "collision",
                                    "canCollide",
                                    "phi",
                                    "w",
                                    "tau",
                                    "stopTime",
                                    "tolerance",
                                    "interval",
                                    "requiredFinalStates",
                                    "log",
                                    "logStates",
                                    "logEvents",
                                    "nz",
                                    "Tsit5",
                                    "CVODE_BDF",
                                    "IDA",
                                    "interp1D",
                                    "mean",
                                    "typeof",
                                    NULL};
static const char *const phrases[] = {"Var(init = 1.0)",
                                      "Var(start = 0.0)",
                                      "Var(init = [1.0, 2.0])",
                                      "Var(hideResult = true)",
                                      "Par(value = 2.0)",
                                      "Var(flow = true)",
                                      "input",
                                      "output",
                                      "potential",
                                      "flow",
                                      ":[der(x) = -x]",
                                      "[1.0, 2.0]",
                                      "[1.0 2.0; 3.0 4.0]",
                                      "zeros(0)",
                                      "zeros(3, 3)",
                                      "(1, 2)",
                                      "\"\"",
                                      "\"abc\"",
                                      ":world",
                                      "1:3",
                                      "1:0",
                                      "x -> x",
                                      "nothing",
                                      "missing",
                                      "Any[]",
                                      "NaN",
                                      "u\"m/s\"",
                                      "der(der(x))",
                                      "pre(x)",
                                      "positive(x - 1.0)",
                                      "if x > 0; 1.0 else -1.0 end",
                                      "x/x",
                                      "0*der(x)",
                                      "sqrt(-x)",
                                      "1/(x - x)",
                                      "Clock(0.1)",
                                      "sample(x, Clock(0.1))",
                                      "previous(x, Clock(0.1))",
                                      "after(0.5)",
                                      "delay(x, 0.1)",
                                      "Solid(shape = Sphere(diameter = 0.1))",
                                      "Model()",
                                      "Map()",
                                      "Object3D(parent = :world)",
                                      "Revolute(obj1 = :world, obj2 = :b)",
                                      "Dict()",
                                      "time",
                                      NULL};
static const char *const lines[] = {
    "M = Model(x = Var(init = 1.0), equations = :[der(x) = -x])\n",
    "m = @instantiateModel(M, unitless = true)\n",
    "m = @instantiateModel(M)\n",
    "simulate!(m, stopTime = 1.0)\n",
    "simulate!(m, Tsit5(), stopTime = 1.0)\n",
    "simulate!(m, stopTime = 0.5, merge = Map(x = Var(init = 2.0)))\n",
    "simulate!(m, IDA(), stopTime = 1.0, tolerance = 1e-9, log = true, logEvents = true)\n",
    "linearize!(m)\n",
    "println(get_result(m, \"x\"))\n",
    "showInfo(m)\n",
    "printResultInfo(m)\n",
    "x = Var(init = 1.0),\n",
    "y = Var(start = 0.0),\n",
    "equations = :[der(x) = y, 0 = x + y^3],\n",
    "equations = :[x = 1.0],\n",
    "equations = :[y = if positive(x - 0.5); 1 else 0 end],\n",
    "b = Object3D(parent = :world, fixedToParent = false, feature = Solid(shape = Sphere(diameter "
    "= 0.1), solidMaterial = \"Steel\", collision = true)),\n",
    "j = Revolute(obj1 = :world, obj2 = :b, axis = 3, phi = Var(init = 1.0)),\n",
    "for i in 1:3\n",
    "end\n",
    "using Modia, Modia3D\n",
    NULL};
static const mutate_pool pool = {names, phrases, lines};

typedef struct watch {
    size_t n_errors;
    double last; // time of the last point of this simulation
} watch;

static void give_up(const char *why)
{
    fprintf(stderr, "fuzz_model: %s\n", why);
    abort();
}

static void count_errors(void *context, const sg_diag *diag, const char *rendered)
{
    watch *seen = context;
    if (strlen(rendered) == 0)
        give_up("a message without text");
    seen->n_errors += diag->severity == SG_ERROR;
}

static sg_status begin_segment(void *context, const char *model, uint32_t segment, double t,
                               const sg_signal *signals, size_t n_signals)
{
    watch *seen = context;
    if (!model || !isfinite(t))
        give_up("a segment that begins nowhere");
    if (segment == 0)
        seen->last = t;
    for (size_t i = 0; i < n_signals; i++)
        if (!signals[i].name || !signals[i].name[0])
            give_up("a signal without a name");
    return SG_OK;
}

static sg_status point(void *context, double t, const double *values, size_t n)
{
    watch *seen = context;
    (void)values, (void)n;
    if (!(t >= seen->last))
        give_up("a point before the one that came before it");
    seen->last = t;
    return SG_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t most, unsigned seed);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    watch seen = {0};
    const sg_sink sink = {.context = &seen, .begin_segment = begin_segment, .point = point};
    sg_session_options options = sg_session_options_make();
    options.report = count_errors;
    options.context = &seen;
    options.output_dir = "/dev/null/nowhere";
    options.max_cpu_time = 0.1;
    options.max_memory = (size_t)64 << 20;
    options.max_events = 300;
    options.sinks = &sink;
    options.n_sinks = 1;
    sg_session *session;
    if (sg_session_create(NULL, &options, &session) != SG_OK)
        return 0;
    sg_status status = sg_session_run_text(session, "fuzz.jl", (const char *)data, size);
    if (status == SG_ERR_INTERNAL)
        give_up("our own mistake");
    if (sg_session_exit_status(session) != 0 && seen.n_errors == 0)
        give_up("a failure without a message");
    sg_session_destroy(session);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    return mutate_text((char *)data, size, most, &pool, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t most, unsigned seed)
{
    return mutate_splice((const char *)a, a_size, (const char *)b, b_size, (char *)out, most, seed);
}
