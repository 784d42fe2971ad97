// A model whose structure changes while it runs is simulated, or stops with a message, and what it
// leaves can be written in every format, read back, and is the same (round_trip.h).
//
// The input is a model file with an action program; mutation works on its words (mutate.h), which
// here are those of actions: bodies come off, hang on another, turn about it, are parked and are
// gone, so that signals come and go with the segments. Limits are as tight as those of fuzz_model.
#include "mutate.h"
#include "round_trip.h"
#include "segue/session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"ActionAttach",
                                    "ActionReleaseAndAttach",
                                    "ActionRelease",
                                    "ActionDelete",
                                    "ActionPark",
                                    "ActionWake",
                                    "ActionFlipChain",
                                    "ActionWait",
                                    "ActionWaitUntil",
                                    "ptpJointSpace",
                                    "addReferencePath",
                                    "EventAfterPeriod",
                                    "executeActions",
                                    "ModelActions",
                                    "closesLoops",
                                    "waitingPeriod",
                                    "enableContactDetection",
                                    "impulse",
                                    "joint",
                                    "axis",
                                    "velocity",
                                    "angularVelocity",
                                    "closer",
                                    "farther",
                                    "contact",
                                    "force",
                                    "torque",
                                    "lockable",
                                    "assemblyRoot",
                                    "fixedToParent",
                                    "parent",
                                    "translation",
                                    "rotation",
                                    "Object3D",
                                    "Solid",
                                    "Revolute",
                                    "Prismatic",
                                    "FreeMotion",
                                    "true",
                                    "false",
                                    "startTime",
                                    "stopTime",
                                    "interval",
                                    "tolerance",
                                    "gap",
                                    "attachSpeed",
                                    "balance",
                                    "Sphere",
                                    "Box",
                                    "a",
                                    "b",
                                    "c",
                                    "lock",
                                    "depot",
                                    "spot",
                                    "world",
                                    NULL};
static const char *const phrases[] = {"\"lock\"",
                                      "\"depot\"",
                                      "\"spot\"",
                                      "\"lock2\"",
                                      "\"world\"",
                                      "\"a\"",
                                      "\"b\"",
                                      "\"nobody\"",
                                      ":world",
                                      ":a",
                                      ":b",
                                      "\"revolute\"",
                                      "\"prismatic\"",
                                      "0.0",
                                      "0.1",
                                      "0.25",
                                      "1e-9",
                                      "[0.3, 0.0, 0.0]",
                                      "[0.0, 1.0, 0.0]",
                                      "[0.1 0.2; 0.3 0.4]",
                                      "NaN",
                                      "Var(init = 0.1)",
                                      NULL};
static const char *const lines[] = {
    "    ActionAttach(actions, \"lock\", \"depot\")\n",
    "    ActionAttach(actions, \"lock\", \"depot\"; joint = \"revolute\", axis = 3)\n",
    "    ActionAttach(actions, \"lock\", \"depot\"; impulse = true)\n",
    "    ActionReleaseAndAttach(actions, \"lock\", \"spot\")\n",
    "    ActionRelease(actions, \"lock\")\n",
    "    ActionDelete(actions, \"lock\")\n",
    "    ActionDelete(actions, \"lock2\")\n",
    "    ActionPark(actions, \"lock\")\n",
    "    ActionPark(actions, \"lock\", \"a\")\n",
    "    ActionWake(actions, \"lock\"; velocity = [0.1, 0.0, 0.0])\n",
    "    ActionWait(actions, 0.05)\n",
    "    ActionWaitUntil(actions, \"lock\", \"depot\"; closer = 0.1)\n",
    "    ActionWaitUntil(actions, \"a\", \"b\"; contact = true)\n",
    "    ActionFlipChain(actions, \"lock\", \"depot\", \"lock2\")\n",
    "    c = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, feature = "
    "lump(1.0)),\n",
    "    lock2 = Object3D(parent = :c, lockable = true),\n",
    "    turn = Revolute(obj1 = :world, obj2 = :a, axis = 3, phi = Var(init = 0.1)),\n",
    NULL};
static const mutate_pool pool = {names, phrases, lines};

typedef struct watch {
    size_t n_errors;
    double last; // time of the last point of this simulation
} watch;

_Noreturn static void give_up(const char *why)
{
    fprintf(stderr, "fuzz_structure: %s\n", why);
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
    if (!model || !isfinite(t) || (segment > 0 && t < seen->last))
        give_up("a segment that begins nowhere or in the past");
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

static void write_it(void *context, sg_result *result)
{
    (void)context;
    round_trip_all(result);
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
    options.finished = write_it;
    options.output_dir = "/dev/null/nowhere";
    options.max_cpu_time = 0.3;
    options.max_memory = (size_t)64 << 20;
    options.max_events = 300;
    options.sinks = &sink;
    options.n_sinks = 1;
    sg_session *session;
    if (sg_session_create(NULL, &options, &session) != SG_OK)
        return 0;
    if (sg_session_run_text(session, "fuzz.jl", (const char *)data, size) == SG_ERR_INTERNAL)
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
