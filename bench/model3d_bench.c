// One evaluation of a whole 3D model, from states to derivatives, beside the bare multibody core on
// the same mechanism: what the language, the equations and the part cost on top. The overhead of
// multibody parts alone should stay below 1.3 from seven joints on.
#include "bench/bench.h"
#include "natives/model_object.h"
#include "segue/multibody.h"
#include "segue/session.h"

#include <math.h>
#include <stdio.h>

#define MAX_JOINTS 200
#define ROUNDS 5

typedef struct whole {
    sg_session *session;
    const sg_sim_model *model;
    sg_multibody *core;
    int n, repeat;
    double x[4 * MAX_JOINTS], dx[4 * MAX_JOINTS];
    double q[MAX_JOINTS], v[MAX_JOINTS], tau[MAX_JOINTS], a[MAX_JOINTS];
} whole;

static void evaluate_model(void *context)
{
    whole *w = context;
    sg_events quiet = {0};
    for (int i = 0; i < w->repeat; i++) {
        w->x[0] += 1e-9;
        w->model->eval(w->model->user, SG_MODE_RHS, &quiet, 0.0, w->x, w->dx);
    }
}

static void evaluate_core(void *context)
{
    whole *w = context;
    for (int i = 0; i < w->repeat; i++) {
        w->q[0] += 1e-9;
        sg_multibody_set_state(w->core, w->q, w->v);
        sg_multibody_forward(w->core, w->tau, w->a, NULL);
    }
}

static sg_status make_core(whole *w)
{
    static sg_multibody_object rod[MAX_JOINTS + 1];
    sg_multibody_gravity earth = {.field = SG_MULTIBODY_UNIFORM, .g = {0.0, -9.81, 0.0}};
    rod[0] = sg_multibody_object_make("world", -1, SG_MULTIBODY_FIXED);
    for (int i = 1; i <= w->n; i++) {
        rod[i] = sg_multibody_object_make("rod", i - 1, SG_MULTIBODY_REVOLUTE);
        rod[i].mass = 1.0;
        rod[i].center[0] = 0.5;
        rod[i].inertia[0] = 0.02;
        rod[i].inertia[4] = 0.09;
        rod[i].inertia[8] = 0.085;
        rod[i].place.r[0] = i == 1 ? 0.0 : 1.0;
        rod[i].axis[i % 2 ? 1 : 2] = 1.0;
        rod[i].axis[i % 2 ? 2 : 1] = 0.0;
    }
    return sg_multibody_create(NULL, rod, w->n + 1, earth, NULL, &w->core);
}

static const char head[] =
    "using Modia3D\n"
    "include(\"$(Modia3D.modelsPath)/AllModels.jl\")\n"
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
    "        (gear.flange_b, flange)])\n"
    "Chain = Model(arm = Model3D(tip0 = Object3D(feature = Scene())";

// A rod hangs from the tip of the one before it; with drives, a servo turns each joint.
static void write_chain(sg_buf *text, int n, bool drives)
{
    sg_buf_puts(text, head);
    for (int i = 1; i <= n; i++)
        sg_buf_printf(
            text,
            ",\n  rod%d = Rod, tip%d = Object3D(parent = :rod%d, translation = [1.0, "
            "0.0, 0.0]),\n  joint%d = Revolute%s(obj1 = :tip%d, obj2 = :rod%d, axis = %d)",
            i, i, i, i, drives ? "WithFlange" : "", i - 1, i, i % 2 ? 2 : 3);
    sg_buf_puts(text, ")");
    for (int i = 1; drives && i <= n; i++)
        sg_buf_printf(text, ",\n  drive%d = Drive", i);
    sg_buf_puts(text, drives ? ",\n  equations = :[" : "");
    for (int i = 1; drives && i <= n; i++)
        sg_buf_printf(text, "drive%d.phi_ref = 0.1\n", i);
    sg_buf_puts(text, drives ? "],\n  connect = :[" : "");
    for (int i = 1; drives && i <= n; i++)
        sg_buf_printf(text, "(drive%d.flange, arm.joint%d.flange)\n", i, i);
    sg_buf_puts(text, drives ? "])\n" : ")\n");
    sg_buf_puts(text, "m = @instantiateModel(Chain, unitless = true)\n"
                      "simulate!(m, Tsit5(), stopTime = 1e-3, interval = 1e-3, log = false)\n");
}

static void report(void *context, const sg_diag *diag, const char *rendered)
{
    (void)context;
    (void)diag;
    fputs(rendered, stderr);
}

// Runs the script; the linked model stays behind for evaluations of our own.
static bool make_model(whole *w, bool drives)
{
    sg_buf text = {0};
    sg_buf_init(&text, sg_allocator_default());
    write_chain(&text, w->n, drives);
    sg_session_options options = sg_session_options_make();
    options.report = report;
    bool ok = sg_session_create(NULL, &options, &w->session) == SG_OK &&
              sg_session_run_text(w->session, "chain.jl", sg_buf_text(&text), text.len) == SG_OK &&
              sg_session_exit_status(w->session) == 0;
    sg_buf_free(&text);
    return ok;
}

// The model `m` of the script.
static bool find_model(whole *w)
{
    sg_vm *vm = w->session->vm;
    sg_value m = sg_module_get(vm->main, sg_vm_sym(vm, "m"));
    sg_args args = {.v = &m, .n = 1};
    const sg_model_object *object = sg_model_argument(vm, &args, "bench");
    if (!object || object->compiled.model.segment.n_states > 4 * MAX_JOINTS)
        return false;
    w->model = &object->compiled.model;
    for (uint32_t i = 0; i < w->model->segment.n_states; i++)
        w->x[i] = 0.1 * (double)(i % 7);
    for (int i = 0; i < w->n; i++) {
        w->q[i] = 0.1 * i;
        w->v[i] = 0.2;
    }
    return true;
}

// Both in turns, the least time of each.
static bool measure(const char *name, int n, bool drives)
{
    static whole w;
    w = (whole){.n = n, .repeat = 400 / n + 1};
    bool ok = make_core(&w) == SG_OK && make_model(&w, drives) && find_model(&w);
    double core = INFINITY, model = INFINITY;
    for (int i = 0; ok && i < ROUNDS; i++) {
        core = fmin(core, bench_minimum(evaluate_core, &w, 1));
        model = fmin(model, bench_minimum(evaluate_model, &w, 1));
    }
    char extra[96];
    snprintf(extra, sizeof extra, "\"ns_per_joint\": %.1f, \"overhead\": %.2f%s",
             1e9 * model / w.repeat / n, model / core, drives ? "" : ", \"goal\": 1.3");
    if (ok)
        bench_print(name, n, "joints", model / w.repeat, extra);
    sg_session_destroy(w.session);
    sg_multibody_destroy(w.core);
    return ok;
}

int main(void)
{
    static const int sizes[] = {2, 7, 20, 50, 200}, robots[] = {2, 6, 20};
    bool ok = true;
    for (int i = 0; i < 5; i++)
        ok = measure("model3d_chain", sizes[i], false) && ok;
    for (int i = 0; i < 3; i++)
        ok = measure("model3d_servos", robots[i], true) && ok;
    return ok ? 0 : 1;
}
