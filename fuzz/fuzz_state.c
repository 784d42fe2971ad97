// Any bytes are a state of a model or refused with a message, and a handle that refused one works.
//
// A state carries a sum, so damage is found by that; whoever puts the sum right has written a
// program (segue/model.h). What is held to account here: any bytes and any change of a real state
// as they are; and with a right sum a state that is cut anywhere, one of another model, and any
// values that a host is said to have set, with their names and counts.
//
// The first byte chooses a model, the second what is done: the rest as it is, changes of a real
// state of three bytes each (where, from the beginning or the end, and what comes there), or one
// with a right sum.
#include "segue/model.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char *const texts[] = {
    // Events, a delay, a clock, a nonlinear system, an input.
    "using Modia\n"
    "M = Model(k = 2.0, u = Var(input = true, start = 0.0), x = Var(init = 1.0), s = Var(start = "
    "0.0),\n"
    "    y = Var(start = 0.5), equations = :[c = Clock(0.1); s = sample(x, c) + rand(); d = "
    "delay(x, 0.2)\n"
    "    der(x) = -k*x + u + 0.1*y + hold(s, c) + (if x > 0.5; 1.0 else 2.0 end) + d; 0 = y^3 + y "
    "- x])\n"
    "m = @instantiateModel(M, unitless = true)\n",
    // A component of the script.
    "using Modia\n"
    "mutable struct Mem; i; list; d; f; n; end\n"
    "build!(model, modelModule, FloatType, TimeType, options, ID, path) = (model | Model(o = "
    "Var(hideResult = true), y = Var(),\n"
    "    equations = :[o = opened(instantiatedModel, $ID); y = value(instantiatedModel, o, "
    "time)]),\n"
    "    Mem(0, [1.0], Dict(:a => [1, \"b\", 2.0u\"m\"], \"b\" => (1, x = 2)), x -> 2*x, 1))\n"
    "function init!(m, path, ID, parameters; log = false)\n"
    "    o = Modia.get_instantiatedSubmodel(m, ID)\n"
    "    if Modia.isFirstInitialOfAllSegments(m); o.list = [1.0]; end\n"
    "    o.n = length(o.list)\n"
    "    o.i = Modia.new_x_segmented_variable!(m, path * \".x\", path * \".der(x)\", "
    "ones(o.n))\n"
    "    return nothing\n"
    "end\n"
    "opened(m, ID) = Modia.get_instantiatedSubmodel(m, ID)\n"
    "function value(m, o, time)\n"
    "    x = zeros(o.n)\n"
    "    Modia.copy_Vector_x_segmented_value_from_state(m, o.i, x)\n"
    "    Modia.copy_der_x_segmented_value_to_state(m, o.i, -o.f(x))\n"
    "    if Modia.isEvent(m) && Modia.isFirstEventIteration(m) && length(o.list) < 4\n"
    "        push!(o.list, 1.0)\n"
    "        Modia.setNextEvent!(m, time + 0.1)\n"
    "        length(o.list) == 3 && Modia.setFullRestartEvent!(m)\n"
    "    end\n"
    "    return sum(x) + length(o.d)\n"
    "end\n"
    "P = Model(_buildFunction = Par(functionName = :(build!)), _initSegmentFunction = "
    "Par(functionName = :(init!)))\n"
    "W = Model(p = P, z = Var(init = 0.0), equations = :[der(z) = p.y])\n"
    "w = @instantiateModel(W, unitless = true)\n",
    // Contacts with anchors, a closed loop.
    "using Modia3D\n"
    "S = Model3D(world = Object3D(feature = Scene(enableContactDetection = true)),\n"
    "    table = Object3D(parent = :world, translation = [0, 0, -0.05], feature = Solid(shape = "
    "Box(lengthX = 2.0, lengthY = 2.0, lengthZ = 0.1), collision = true, contactMaterial = "
    "\"Steel\", solidMaterial = \"Steel\")),\n"
    "    box = Object3D(parent = :world, fixedToParent = false, translation = [0, 0, 0.0501], "
    "velocity = [0.1, 0, 0], feature = Solid(shape = Box(lengthX = 0.1, lengthY = 0.1, lengthZ = "
    "0.1), collision = true, contactMaterial = \"Steel\", solidMaterial = \"Steel\")),\n"
    "    ball = Object3D(parent = :world, fixedToParent = false, translation = [0.5, 0, 0.06], "
    "feature = Solid(shape = Sphere(diameter = 0.1), collision = true, contactMaterial = "
    "\"Steel\", solidMaterial = \"Steel\")))\n"
    "s = @instantiateModel(S, unitless = true)\n",
    // States that are exchanged.
    "using Modia\n"
    "Turn = Model(x = Var(init = 0.0), vx = Var(init = 8.0), y = Var(start = -1.0), vy = Var(start "
    "= 0.0), F = Var(start = 0.0),\n"
    "    equations = :[vx = der(x); vy = der(y); der(vx) = -F*x; der(vy) = -F*y - 9.81; x^2 + y^2 "
    "= 1])\n"
    "t = @instantiateModel(Turn, unitless = true)\n",
};
enum { MODELS = sizeof texts / sizeof *texts, HEAD = 64, STEPS = 3, MOST_BYTES = 1 << 16 };
static const double times[MODELS] = {0.55, 0.25, 0.02, 0.4};

typedef struct subject {
    sg_diags *diags;
    sg_model *model;
    size_t n;
    uint8_t *state; // a real one
} subject;

static void prepare(subject *s, int which)
{
    sg_model_options options = sg_model_options_make();
    sg_model_state *state = NULL;
    double k = 2.5;
    options.stop = 1.0;
    options.record = false;
    options.max_memory = 1 << 28;
    s->diags = sg_diags_create(NULL);
    if (sg_model_open_text(NULL, "fuzz.jl", texts[which], strlen(texts[which]), &options, s->diags,
                           &s->model) != SG_OK ||
        (which == 0 && sg_model_set(s->model, "k", &k, 1) != SG_OK) ||
        sg_model_initialize(s->model) != SG_OK ||
        sg_model_step_to(s->model, times[which]) != SG_OK ||
        sg_model_save(s->model, &state) != SG_OK)
        abort(); // the models of this file run
    const void *bytes = sg_model_state_bytes(state, &s->n);
    s->state = s->n < MOST_BYTES ? malloc(s->n) : NULL;
    if (!s->state)
        abort();
    memcpy(s->state, bytes, s->n);
    sg_model_state_destroy(state);
}

// What api/model_state.c asks of a state before it believes the rest: FNV-1a over all of it, with a
// zero where the sum is.
static void mend(uint8_t *bytes, size_t n, const uint8_t *real)
{
    uint64_t length = n, sum = 0xcbf29ce484222325ULL, zero = 0;
    memcpy(bytes, real, 40);
    memcpy(bytes + 40, &length, sizeof length);
    memcpy(bytes + 56, &zero, sizeof zero);
    for (size_t i = 0; i < n; i++)
        sum = (sum ^ bytes[i]) * 0x100000001b3ULL;
    memcpy(bytes + 56, &sum, sizeof sum);
}

static size_t at_of(const uint8_t *data, size_t n)
{
    size_t at = (size_t)data[0] << 8 | data[1];
    return at >= 0x8000 ? n - 1 - (at & 0x7fff) % n : at % n;
}

static void change(uint8_t *bytes, size_t n, const uint8_t *data, size_t size)
{
    for (; size >= 3; data += 3, size -= 3)
        bytes[at_of(data, n)] ^= data[2];
}

// Number of values that were set, and behind the head the first of them: a letter, two counts, a
// name and numbers.
static void change_settings(uint8_t *bytes, size_t n, const uint8_t *data, size_t size)
{
    for (; size >= 2; data += 2, size -= 2) {
        size_t at = data[0] < 8 ? 48u + data[0] : HEAD + (data[0] - 8u) % 18u;
        if (at < n)
            bytes[at] = data[1];
    }
}

static void try_state(const subject *s, const uint8_t *bytes, size_t n)
{
    sg_model_state *state = NULL;
    if (sg_model_state_make(NULL, bytes, n, &state) != SG_OK) {
        if (state)
            abort();
        return;
    }
    sg_diags_clear(s->diags);
    sg_status status = sg_model_restore(s->model, state);
    if (status != SG_OK && sg_diags_count(s->diags) == 0)
        abort(); // refused without a word
    for (int i = 0; i < STEPS && status == SG_OK && !sg_model_look(s->model).done; i++)
        status = sg_model_step(s->model);
    sg_model_state_destroy(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t bytes[MOST_BYTES];
    static subject subjects[MODELS]; // opened once, and reset behind each input
    for (int i = 0; i < MODELS; i++)
        if (!subjects[i].model)
            prepare(&subjects[i], i);
    if (size < 3)
        return 0;
    const subject *s = &subjects[data[0] % MODELS], *of = s;
    int kind = data[1] % 4;
    if (kind == 3) // a state of another model, perhaps
        of = &subjects[data[2] % MODELS];
    size_t n = of->n;
    memcpy(bytes, of->state, n);
    if (kind == 0) {
        n = size - 2 < MOST_BYTES ? size - 2 : MOST_BYTES;
        memcpy(bytes, data + 2, n);
    } else if (kind == 1) {
        change(bytes, n, data + 2, size - 2);
    } else if (kind == 2) {
        change_settings(bytes, n, data + 2, size - 2);
    } else if (size >= 5) {
        n = HEAD + at_of(data + 3, n - HEAD + 1) % (n - HEAD + 1); // cut
    }
    if (kind >= 2)
        mend(bytes, n, s->state);
    try_state(s, bytes, n);
    // Whatever it was, the handle can be used. (A value in the state may be one with which no model
    // runs.)
    double k = 2.5;
    if (sg_model_reset(s->model) != SG_OK ||
        (s == subjects && sg_model_set(s->model, "k", &k, 1) != SG_OK) ||
        sg_model_initialize(s->model) != SG_OK || sg_model_step(s->model) != SG_OK)
        abort();
    return 0;
}
