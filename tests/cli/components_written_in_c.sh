# Components in C: a shared library against the public header alone, loaded by an option; two
# instances, several runs, all solvers; and what may be wrong with one.
command -v cc >/dev/null || exit 77
build() { # build NAME FLAGS...
    name=$1
    shift
    cc -std=c17 -Wall -Wextra -Werror -shared -fPIC -I "$SG_SOURCE_DIR/include" "$@" -o "$name.so" ||
        fail "$name does not compile"
}

# The example: 16, 32, 64, 32 and 16 cells in one run, translated once.
build rod "$SG_SOURCE_DIR/examples/component/rod.c" -lm
rod_model=$SG_SOURCE_DIR/examples/component/heated_rod.jl
status 0 "$SEGUE" run --component rod.so --summary sum.json -o rods "$rod_model"
has sum.json '"nSegments":5'
has sum.json '"nTranslations":1'
has out 'cells: [16, 32, 64, 32, 16]'
status 0 "$SEGUE" info rods/HeatedRod.segue
has out '5: 48428.1'
has out '17 states, restart'
for solver in IDA Tsit5 CVODE_Adams; do
    status 0 "$SEGUE" run --component ./rod.so --solver $solver "$rod_model"
done
status 0 "$SEGUE" check --component ./rod.so "$rod_model"
# Numbers that make no sense.
for wrong in rod.most=15 rod.n=16.5 rod.most=1e7 rod.steep=1.5; do
    status 2 "$SEGUE" run --component ./rod.so --set $wrong "$rod_model"
    has err 'must be'
done
status 0 "$SEGUE" info --equations --component ./rod.so "$rod_model"
has out 'rod.first'

# Two instances do not share their memory; other parameters need no other translation. One that
# never changes is the rod of the library.
cat >two.jl <<'END'
using Modia
include("$(Modia.modelsPath)/HeatTransfer.jl")
Rod = Component("rod", port_a = HeatPort, port_b = HeatPort, n = 5, T0 = 273.15, alike = 0.0)
Two = Model(
    hot = FixedTemperature | Map(T = 493.15), cold = FixedTemperature | Map(T = 273.15),
    a = Rod, b = Rod | Map(n = 7, T0 = 300.0), c = InsulatedRod2 | Map(nT = 7, T0 = 300.0),
    connect = :[(hot.port, a.port_a); (a.port_b, b.port_a); (b.port_b, cold.port)
                (hot.port, c.port_a); (c.port_b, cold.port)]
)
two = @instantiateModel(Two, unitless = true)
for nb in [7, 3]
    simulate!(two, stopTime = 1e4, tolerance = 1e-9, merge = Map(b = Map(n = nb)))
    @test length(getLastValue(two, "a.T")) == 5
    @test length(getLastValue(two, "b.T")) == nb
    flow = getLastValue(two, "a.port_b.Q_flow") + getLastValue(two, "b.port_a.Q_flow")
    @test abs(flow) < 1e-9
end
Twin = Model(
    hot = FixedTemperature | Map(T = 493.15), cold = FixedTemperature | Map(T = 273.15),
    b = Rod | Map(n = 7, T0 = 300.0), c = InsulatedRod2 | Map(nT = 7, T0 = 300.0),
    connect = :[(hot.port, b.port_a); (b.port_b, cold.port); (hot.port, c.port_a); (c.port_b, cold.port)]
)
twin = @instantiateModel(Twin, unitless = true)
simulate!(twin, stopTime = 1e4, tolerance = 1e-10)
@test isapprox(getLastValue(twin, "b.T", unit = false), getLastValue(twin, "c.T", unit = false), atol = 1e-5)
END
status 0 "$SEGUE" run --component ./rod.so two.jl

# No model file loads a library by itself.
status 2 "$SEGUE" run "$rod_model"
has err 'error[E0505]: there is no component '"'rod'"

# Files that are no such libraries.
status 1 "$SEGUE" run --component ./nothing.so "$rod_model"
has err 'cannot load components from'
status 1 "$SEGUE" run --component "$rod_model" "$rod_model"
status 1 "$SEGUE" run --component rod.so --component rod.so "$rod_model"
has err "component 'rod' was added before"
echo 'int other;' >other.c
build other other.c
status 1 "$SEGUE" run --component other.so "$rod_model"
has err 'does not export segue_components'

# Made for another version.
cat >faults.c <<'END'
#include <segue/component.h>
#include <math.h>
#ifndef ABI
#define ABI SG_COMPONENT_ABI
#endif
#ifndef LIBRARY_ABI
#define LIBRARY_ABI SG_COMPONENT_ABI
#endif
#ifndef EQUATIONS
#define EQUATIONS "y = value()\nrate(y)\n"
#endif
#ifndef START
#define START 1.0
#endif
#ifndef OTHER
#define OTHER 0
#endif
typedef struct memory {
    int x;
} memory;
static sg_status begin(void *m, const sg_component_segment *segment)
{
    double start = START;
#ifdef FAIL_BEGIN
    return segment->fail(segment, "the weather is bad");
#endif
#ifdef LENGTH
    segment->set_length(segment, 0, 0, segment->first ? 2 : 3);
#endif
    ((memory *)m)->x = segment->add_state(segment, &(sg_component_variable){"x", "", &start, 1, false});
    return SG_OK;
}
static sg_status value(void *m, const sg_component_call *call)
{
    const double *x = call->state(call, ((memory *)m)->x + OTHER);
    for (size_t i = 0; i < call->results[0].n; i++)
        call->results[0].data[i] = x ? *x : 0.0;
#ifdef FAIL_LATE
    if (call->time > 0.5)
        return call->fail(call, "half time is over");
#endif
    if (call->purpose == SG_COMPONENT_EVENT && call->time < 0.25)
        call->set_next_event(call, 0.25);
    if (call->purpose == SG_COMPONENT_EVENT && call->time > 0.0 && !call->initial)
        call->end_segment(call);
    return SG_OK;
}
static sg_status rate(void *m, const sg_component_call *call)
{
    double d = -call->arguments[0].data[0];
    call->set_derivative(call, ((memory *)m)->x, &d);
    return SG_OK;
}
static const sg_component_function functions[] = {{"value", 0, 1, value}, {"rate", 1, 0, rate}};
static const sg_component faulty = {.abi = ABI, .name = "faulty", .memory_size = sizeof(memory),
    .functions = functions, .n_functions = 2, .equations = EQUATIONS, .init_segment = begin};
static const sg_component *const list[] = {&faulty};
SG_COMPONENT_EXPORT const sg_component_library segue_components = {LIBRARY_ABI, 1, list};
END
cat >faulty.jl <<'END'
using Modia
M = Model(f = Component("faulty"))
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.0, tolerance = 1e-9)
println("x: ", getLastValue(m, "f.x"))
END
build good faults.c
# The state begins anew at 0.25, where the second segment begins.
status 0 "$SEGUE" run --component good.so faulty.jl
has out 'x: 0.4723665'
build library faults.c -DLIBRARY_ABI=99
status 1 "$SEGUE" run --component library.so faulty.jl
has err 'was made for version 99 of segue/component.h, this is version 3'
build component faults.c -DABI=7
status 1 "$SEGUE" run --component component.so faulty.jl
has err 'a component was made for version 7'

# Equations that cannot be read, and calls that do not fit the functions.
build syntax faults.c '-DEQUATIONS="y = value(\n"'
status 2 "$SEGUE" run --component syntax.so faulty.jl
has err "the equations of component 'faulty' cannot be read"
build arguments faults.c '-DEQUATIONS="y = value(2.0)\nrate(y)\n"'
status 2 "$SEGUE" run --component arguments.so faulty.jl
has err "<component faulty>:2:5: error[E0603]: value of component 'faulty' takes 0 arguments, not 1"
build results faults.c '-DEQUATIONS="(y, z) = value()\nrate(y)\n"'
status 2 "$SEGUE" run --component results.so faulty.jl
has err 'has 1 results, and 2 are taken'
build missing faults.c '-DEQUATIONS="y = value()\nrate(y + q)\n"'
status 2 "$SEGUE" run --component missing.so faulty.jl
has err "component 'f' brings 2 equations, but 3 are needed"

# What fails while it runs.
build start faults.c '-DSTART=(double)NAN'
status 2 "$SEGUE" run --component start.so faulty.jl
has err 'a variable needs a name and finite values'
build refuse faults.c -DFAIL_BEGIN
status 2 "$SEGUE" run --component refuse.so faulty.jl
has err "faulty.jl:2:15: error[E0710]: component 'f': the weather is bad"
build late faults.c -DFAIL_LATE
status 4 "$SEGUE" run --component late.so faulty.jl
has err "component 'f': half time is over"
build state faults.c -DOTHER=3
status 2 "$SEGUE" run --component state.so faulty.jl
has err "component 'f': a state was asked for that it does not have"
build length faults.c -DLENGTH '-DEQUATIONS="y = value()\nrate(y[1])\n"'
status 2 "$SEGUE" run --component length.so faulty.jl
has err 'the length of a result is one of the equations'
