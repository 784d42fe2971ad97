// What a full restart costs: from its event to the first step behind it, with everything between,
// the results written and the solver begun anew. A five-axis arm with a servo at each joint, and
// pendulums with many objects, whose cost must grow no faster than their number.
//
// Once nothing changes: a component written in the language asks for a restart every microsecond of
// simulated time, so a segment is one step. Once the structure does: an action program attaches a
// ball to the last object and releases it, in turns. The time of a long run less that of a short
// one leaves out building.
#include "base/buf.h"
#include "bench/bench.h"
#include "segue/session.h"

#include <math.h>
#include <stdio.h>

#define ROUNDS 3

static const char head[] =
    "using Modia3D\n"
    "include(\"$(Modia3D.modelsPath)/AllModels.jl\")\n"
    "mutable struct Restarter\n    next\n    Restarter() = new(0.0)\nend\n"
    "buildRestarter!(model, modelModule, FloatType, TimeType, options, ID, path) = (model | "
    "Model(\n"
    "    beat = Var(hideResult = true), equations = :[beat = restartNow!(instantiatedModel, $ID, "
    "time)]),\n    Restarter())\n"
    "function initRestarter!(instantiatedModel, path, ID, parameters; log = false)\n"
    "    if Modia.isFirstInitialOfAllSegments(instantiatedModel)\n"
    "        Modia.get_instantiatedSubmodel(instantiatedModel, ID).next = 1e-6\n    end\n"
    "    return nothing\nend\n"
    "function restartNow!(instantiatedModel, ID, time)\n"
    "    if Modia.isEvent(instantiatedModel)\n"
    "        r = Modia.get_instantiatedSubmodel(instantiatedModel, ID)\n"
    "        if time >= r.next - 1e-9 && !Modia.isInitial(instantiatedModel)\n"
    "            r.next = r.next + 1e-6\n"
    "            Modia.setFullRestartEvent!(instantiatedModel)\n"
    "        else\n            Modia.setNextEvent!(instantiatedModel, r.next)\n        end\n    "
    "end\n"
    "    return 1.0\nend\n"
    "Beats = Model(_buildFunction = Par(functionName = :(buildRestarter!)),\n"
    "    _initSegmentFunction = Par(functionName = :(initRestarter!)))\n"
    "Rod = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0,\n"
    "    centerOfMass = [0.5, 0.0, 0.0], Ixx = 0.02, Iyy = 0.09, Izz = 0.085)))\n"
    "Drive = Model(flange = Flange, phi_ref = input, x = Var(init = 0.0), torque = "
    "UnitlessTorque,\n"
    "    rotor = Inertia | Map(J = 2.0e-4, phi = Var(init = nothing), w = Var(init = nothing)),\n"
    "    gear = IdealGear | Map(ratio = 50.0),\n"
    "    equations = :[e = 8.0*(phi_ref - gear.phi_b) - der(gear.phi_b)\n"
    "        0.2*der(x) = e\n"
    "        torque.tau = 40.0*(e + x)/50.0],\n"
    "    connect = :[(torque.flange, rotor.flange_a); (rotor.flange_b, gear.flange_a);\n"
    "        (gear.flange_b, flange)])\n";

static const char program[] =
    "program(actions) = begin\n"
    "    for i in 1:N\n"
    "        if i % 2 == 1\n"
    "            ActionAttach(actions, \"lock\", \"hand\", waitingPeriod = 1e-6)\n"
    "        else\n"
    "            ActionRelease(actions, \"lock\", waitingPeriod = 1e-6)\n"
    "        end\n    end\nend\n";

// What stands at the end of a part whose structure changes: the ball, where the hand is.
static void write_ball(sg_buf *text, const char *world, const char *parent, double x)
{
    sg_buf_printf(text,
                  ",\n  hand = Object3D(parent = :%s, lockable = true),\n"
                  "  ball = Object3D(parent = :%s, fixedToParent = false, assemblyRoot = true,\n"
                  "    translation = [%.17g, 0.0, 0.0], feature = Solid(massProperties =\n"
                  "      MassProperties(mass = 0.1, Ixx = 0.01, Iyy = 0.01, Izz = 0.01))),\n"
                  "  lock = Object3D(parent = :ball, lockable = true),\n"
                  "  actions = ModelActions(world = :%s, actions = program),\n"
                  "  now = Var(hideResult = true), equations = :[now = executeActions(actions)]",
                  parent, world, x, world);
}

// A rod hangs from the tip of the one before it, a servo turns each joint.
static void write_arm(sg_buf *text, int n, bool changes)
{
    char last[16];
    snprintf(last, sizeof last, "tip%d", n);
    sg_buf_printf(text, "M = Model(%sarm = Model3D(tip0 = Object3D(feature = Scene())",
                  changes ? "" : "beats = Beats, ");
    for (int i = 1; i <= n; i++)
        sg_buf_printf(text,
                      ",\n  rod%d = Rod, tip%d = Object3D(parent = :rod%d, translation = [1.0, "
                      "0.0, 0.0]),\n  joint%d = RevoluteWithFlange(obj1 = :tip%d, obj2 = :rod%d, "
                      "axis = %d)",
                      i, i, i, i, i - 1, i, i % 2 ? 2 : 3);
    if (changes)
        write_ball(text, "tip0", last, n);
    sg_buf_puts(text, ")");
    for (int i = 1; i <= n; i++)
        sg_buf_printf(text, ",\n  drive%d = Drive", i);
    sg_buf_puts(text, ",\n  equations = :[");
    for (int i = 1; i <= n; i++)
        sg_buf_printf(text, "drive%d.phi_ref = 0.1\n", i);
    sg_buf_puts(text, "],\n  connect = :[");
    for (int i = 1; i <= n; i++)
        sg_buf_printf(text, "(drive%d.flange, arm.joint%d.flange)\n", i, i);
    sg_buf_puts(text, "])\n");
}

// A pendulum of n lumps that are fixed to each other by joints of no freedom, half of them the
// other way round.
static void write_objects(sg_buf *text, int n, bool changes)
{
    sg_buf_printf(text,
                  "Lump = Object3D(feature = Solid(massProperties = MassProperties(mass = 0.1,\n"
                  "    Ixx = 0.02, Iyy = 0.09, Izz = 0.085)))\n"
                  "M = Model(%spart = Model3D(world = Object3D(feature = Scene()),"
                  "\n  lump1 = Lump, joint = Revolute(obj1 = :world, obj2 = :lump1)",
                  changes ? "" : "beats = Beats, ");
    for (int i = 2; i <= n; i++)
        sg_buf_printf(text,
                      ",\n  lump%d = Lump, fix%d = Fix(obj1 = :lump%d, obj2 = :lump%d, "
                      "translation = [0.01, 0.0, 0.0])",
                      i, i, i % 2 ? i : 1, i % 2 ? 1 : i);
    if (changes)
        write_ball(text, "world", "lump1", 0.0);
    sg_buf_puts(text, "))\n");
}

static void report(void *context, const sg_diag *diag, const char *rendered)
{
    (void)context;
    if (diag->severity == SG_ERROR) // that states are tiny and restarts many is what is wanted
        fputs(rendered, stderr);
}

// The time of the script without that of its end.
static bool run(const sg_buf *model, int n_restarts, double *time)
{
    sg_buf text;
    sg_buf_init(&text, sg_allocator_default());
    sg_buf_printf(&text, "N = %d\n%s", n_restarts, sg_buf_text(model));
    sg_buf_printf(&text,
                  "m = @instantiateModel(M, unitless = true)\n"
                  "simulate!(m, CVODE_BDF(), stopTime = %d.05e-6, interval = 1.0, log = false)\n",
                  n_restarts);
    sg_session_options options = sg_session_options_make();
    options.report = report;
    sg_session *session = NULL;
    double begin = bench_clock();
    bool ok = sg_session_create(NULL, &options, &session) == SG_OK &&
              sg_session_run_text(session, "restart.jl", sg_buf_text(&text), text.len) == SG_OK &&
              sg_session_exit_status(session) == 0;
    *time = bench_clock() - begin;
    sg_session_destroy(session);
    sg_buf_free(&text);
    return ok;
}

static bool measure(const char *name, int n, const char *unit, int restarts, const char *goal,
                    void (*write)(sg_buf *text, int n, bool changes), bool changes)
{
    sg_buf model;
    sg_buf_init(&model, sg_allocator_default());
    sg_buf_puts(&model, head);
    sg_buf_puts(&model, changes ? program : "");
    write(&model, n, changes);
    double least_short = INFINITY, least_long = INFINITY;
    bool ok = true;
    for (int i = 0; ok && i < ROUNDS; i++) {
        double few = 0.0, many = 0.0;
        ok = run(&model, 1, &few) && run(&model, 1 + restarts, &many);
        least_short = fmin(least_short, few);
        least_long = fmin(least_long, many);
    }
    double time = (least_long - least_short) / restarts;
    char extra[96];
    snprintf(extra, sizeof extra, "\"us_per_restart\": %.1f%s", 1e6 * time, goal);
    if (ok)
        bench_print(name, n, unit, time, extra);
    sg_buf_free(&model);
    return ok;
}

int main(void)
{
    static const int sizes[] = {10, 100, 1000, 10000}, restarts[] = {900, 900, 200, 20};
    bool ok = measure("restart_arm", 5, "joints", 900, ", \"goal\": 100", write_arm, false) &&
              measure("change_arm", 5, "joints", 900, ", \"goal\": 100", write_arm, true);
    for (int i = 0; i < 4; i++)
        ok = ok &&
             measure("restart_objects", sizes[i], "objects", restarts[i], "", write_objects,
                     false) &&
             measure("change_objects", sizes[i], "objects", restarts[i], "", write_objects, true);
    return ok ? 0 : 1;
}
