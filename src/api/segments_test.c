// A run of many segments in constant memory, and its result in little of it.
#include "harness/sg_test.h"
#include "segue/result.h"
#include "segue/session.h"

#include <stdio.h>

// A ball is attached to a turning table and released again, from another place each time. Every
// second segment has the states of its free motion.
static const char model[] =
    "using Modia3D\n"
    "program(actions) = begin\n"
    "    ActionAttach(actions, \"ballLock\", \"tableLock\")\n"
    "    for i in 1:%d\n"
    "        ActionWait(actions, 1e-3)\n"
    "        ActionRelease(actions, \"ballLock\")\n"
    "        ActionWait(actions, 1e-3)\n"
    "        ActionAttach(actions, \"ballLock\", \"tableLock\")\n"
    "    end\n"
    "end\n"
    "Turns = Model3D(\n"
    "    world = Object3D(feature = Scene(gravityField = NoGravityField(), attachSpeed = 10.0)),\n"
    "    table = Object3D(feature = Solid(massProperties = MassProperties(mass = 100.0,\n"
    "        Ixx = 10.0, Iyy = 10.0, Izz = 10.0))),\n"
    "    rev = Revolute(obj1 = :world, obj2 = :table, axis = 3, w = Var(init = 0.3)),\n"
    "    tableLock = Object3D(parent = :table, lockable = true, translation = [0.5, 0.0, 0.0]),\n"
    "    ball = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true,\n"
    "        translation = [0.5, 0.0, 0.0],\n"
    "        feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.1,\n"
    "            Izz = 0.1))),\n"
    "    ballLock = Object3D(parent = :ball, lockable = true),\n"
    "    actions = ModelActions(world = :world, actions = program),\n"
    "    now = Var(hideResult = true),\n"
    "    equations = :[now = executeActions(actions)])\n"
    "turns = @instantiateModel(Turns, unitless = true)\n"
    "simulate!(turns, stopTime = %g, interval = 1.0)\n";

// The least memory in use during the segments in front of the thousandth, and of the last.
typedef struct witness {
    const sg_test_allocator *allocator;
    uint32_t n_segments;
    int64_t early, late; // [bytes]
} witness;

enum { WINDOW = 100, EARLY = 1000 };

static sg_status see_segment(void *context, const char *name, uint32_t segment, double t,
                             const sg_signal *signals, size_t n)
{
    witness *w = context;
    int64_t now = w->allocator->live_bytes;
    (void)name, (void)t, (void)signals, (void)n;
    w->n_segments = segment + 1;
    if (segment >= EARLY - WINDOW && segment < EARLY && (!w->early || now < w->early))
        w->early = now;
    if (segment % WINDOW == 0 || now < w->late)
        w->late = now;
    return SG_OK;
}

static void run_rounds(int rounds, witness *w)
{
    char text[4096];
    sg_test_allocator counting;
    sg_test_allocator_init(&counting, 0);
    *w = (witness){.allocator = &counting};
    sg_sink sink = {.context = w, .begin_segment = see_segment};
    sg_session_options o = sg_session_options_make();
    o.sinks = &sink;
    o.n_sinks = 1;
    o.output_dir = SG_SCRATCH "/segments";
    o.keep_run_files = true; // so that the result is written to disk from the start
    int length = snprintf(text, sizeof text, model, rounds, 2e-3 * rounds + 5e-4);
    SG_REQUIRE(length > 0 && (size_t)length < sizeof text);
    sg_session *session;
    SG_REQUIRE(sg_session_create(&counting.allocator, &o, &session) == SG_OK);
    sg_session_run_text(session, "turns.jl", text, (size_t)length);
    SG_CHECK(sg_session_exit_status(session) == 0);
    sg_session_destroy(session);
    SG_CHECK(counting.live_bytes == 0 && counting.live_blocks == 0);
}

SG_TEST(ten_thousand_segments_take_the_memory_of_a_thousand)
{
    witness w;
    run_rounds(5000, &w);
    SG_CHECK_MSG(w.n_segments == 10002, "%u segments", w.n_segments);
    // Less than one byte a segment.
    SG_CHECK_MSG(w.late - w.early < 9000, "%lld bytes after 1,000 segments, %lld after 10,000",
                 (long long)w.early, (long long)w.late);

    // The opened result knows where the points of each segment are, and no numbers of them.
    sg_test_allocator counting;
    sg_test_allocator_init(&counting, 0);
    sg_result *result = NULL;
    SG_REQUIRE(sg_result_open(&counting.allocator, SG_SCRATCH "/segments/Turns.segue", NULL,
                              &result) == SG_OK);
    SG_CHECK(sg_result_describe(result).n_segments == w.n_segments);
    SG_CHECK_MSG(counting.live_bytes < 400 * 10000, "%lld bytes", (long long)counting.live_bytes);
    sg_result_destroy(result);
    SG_CHECK(counting.live_bytes == 0);
}
