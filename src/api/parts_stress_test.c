// A 3D model with forces, materials, a balance and an animation, and objects that are moved by
// hand, in a session whose memory is refused now and then: a message or the result, and everything
// is given back.
#include "harness/sg_test.h"
#include "segue/session.h"

#include <string.h>

static const char model[] =
    "using Modia3D\n"
    "law(x) = 3.0*x + x^3\n"
    "pull(; time, objectApply, objectCoord) = [0.1, 0.0, 0.0]\n"
    "M = Model3D(world = Object3D(feature = Scene(balance = true, animationFile = \"a.json\",\n"
    "                                             visualizeFrames = true)),\n"
    "    a = Object3D(parent = :world, fixedToParent = false,\n"
    "                 feature = Solid(shape = Box(), solidMaterial = \"Steel\",\n"
    "                                 visualMaterial = VisualMaterial(color = \"Sea Green\"))),\n"
    "    s = SpringDamperPtP(obj1 = :world, obj2 = :a, springForceLaw = law),\n"
    "    b = Bushing(obj1 = :world, obj2 = :a, springForceLaw = [law, 1.0, 2.0]),\n"
    "    f = WorldForce(objectApply = :a, forceFunction = pull),\n"
    "    r = SensorResult(object = :a))\n"
    "m = @instantiateModel(M, unitless = true)\n"
    "simulate!(m, stopTime = 0.01)\n"
    "get_animationHistory(m, \"\", log = false)\n"
    "Modia3D.massProperties(Solid(shape = Sphere(), solidMaterial = \"DryWood\"))\n";

static const char by_hand[] =
    "using Modia3D\n"
    "import Modia3D.Composition as C\n"
    "for n in 1:3\n"
    "    scene = Scene(provideAnimationHistory = true)\n"
    "    world = C.Object3D(scene)\n"
    "    arm = C.Object3D(feature = Solid(shape = Box(), solidMaterial = \"Steel\"), name = "
    "\"arm\")\n"
    "    tip = C.Object3D(arm; r = [1.0, 0.0, 0.0], q = [0.0, 0.0, 0.0, 1.0])\n"
    "    free = C.Object3D(parent = tip, fixedToParent = false)\n"
    "    links = [C.Object3D() for i in 1:4]\n"
    "    hinges = [C.Revolute(i == 1 ? tip : links[i-1], links[i]; phi = 0.1) for i in 1:4]\n"
    "    hinge = Modia3D.Revolute(obj1 = arm, obj2 = world, axis = -2)\n"
    "    C.Fix(links[4], C.Object3D(); translation = [0.0, 1.0, 0.0])\n"
    "    Modia3D.initAnalysis!(world)\n"
    "    Modia3D.setAngle!(hinge, 30u\"°\")\n"
    "    free.R_rel = Modia3D.rot1(0.3)\n"
    "    Modia3D.updatePosition!(world)\n"
    "    Modia3D.visualize!(scene, 0.0)\n"
    "    x = (free.r_abs, free.R_abs, free.q_abs, arm.children, hinge.axis, Modia3D.distance(tip, "
    "free))\n"
    "    Modia3D.closeAnalysis!(scene)\n"
    "    get_animationHistory(world; log = false)\n"
    "end\n";

// A rod on a cart for each of 20 joints: enough states for the descriptor form (sim/trees.h).
static const char tree[] =
    "using Modia3D\n"
    "Rod = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0,\n"
    "    centerOfMass = [0.1, 0.0, 0.0], Ixx = 0.1, Iyy = 0.1, Izz = 0.1)))\n"
    "T = Model3D(world = Object3D(feature = Scene()), cart = Rod,\n"
    "    slide = Prismatic(obj1 = :world, obj2 = :cart))\n"
    "for i in 1:20\n"
    "    global T = T | Model(; (Symbol(\"rod\", i) => Rod,\n"
    "        Symbol(\"joint\", i) => Revolute(obj1 = :cart, obj2 = Symbol(\"rod\", i)))...)\n"
    "end\n"
    "t = @instantiateModel(T, unitless = true)\n"
    "simulate!(t, CVODE_BDF(), stopTime = 0.05, interval = 0.05)\n";

// Arrays of objects and of parts, free motion on a moving arm, all switches.
static const char arrays[] =
    "using Modia3D\n"
    "Body = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.1, Izz = 0.1))\n"
    "Part = Model3D(world = Object3D(feature = Scene(compatibility = \"modia-0.12\")),\n"
    "    arm = Object3D(feature = Body),\n"
    "    rev = Revolute(obj1 = :world, obj2 = :arm, w = Var(init = 1.0)),\n"
    "    balls = [Object3D(parent = :arm, fixedToParent = false, feature = Body) for i in 1:2],\n"
    "    tip = Object3D(parent = :(balls[2]), rotation = [0.1, 0.2, 0.3], feature = Body),\n"
    "    last = Object3D(feature = Body),\n"
    "    motion = FreeMotion(obj1 = :last, obj2 = :arm),\n"
    "    sensors = [SensorResult(object = :tip, objectOrigin = :arm)])\n"
    "Whole = Model(parts = [Model(part = Part), Model(part = Part)])\n"
    "whole = @instantiateModel(Whole, unitless = true)\n"
    "simulate!(whole, stopTime = 0.01)\n";

static void forget(void *context, const char *text, size_t length)
{
    (void)context;
    (void)text;
    (void)length;
}

static void count(void *context, const sg_diag *diag, const char *rendered)
{
    (void)rendered;
    *(size_t *)context += diag->severity == SG_ERROR;
}

// The number of requests; those up to `fail_at` were granted.
static uint64_t run(const char *script, uint64_t fail_at, sg_status *status, size_t *errors)
{
    sg_test_allocator a;
    sg_test_allocator_init(&a, fail_at);
    sg_session_options o = sg_session_options_make();
    o.write = forget;
    o.report = count;
    o.context = errors;
    o.output_dir = SG_SCRATCH "/parts_stress";
    *errors = 0;
    sg_session *session;
    *status = sg_session_create(&a.allocator, &o, &session);
    if (*status == SG_OK) {
        *status = sg_session_run_text(session, "stress.jl", script, strlen(script));
        sg_session_destroy(session);
    }
    SG_CHECK_MSG(a.live_blocks == 0, "%lld blocks left after request %llu was refused",
                 (long long)a.live_blocks, (unsigned long long)fail_at);
    return a.requests;
}

// From `from` percent of the requests on, about one of `runs`.
static void refuse_now_and_then(const char *script, uint64_t from, uint64_t runs)
{
    sg_status status;
    size_t errors;
    uint64_t requests = run(script, 0, &status, &errors);
    SG_REQUIRE(status == SG_OK && errors == 0);
    for (uint64_t at = 1 + from * requests / 100; at < requests; at += 1 + requests / runs)
        run(script, at, &status, &errors);
}

SG_TEST(a_3d_model_survives_refused_memory) { refuse_now_and_then(model, 0, 300); }
SG_TEST(objects_moved_by_hand_survive_refused_memory) { refuse_now_and_then(by_hand, 0, 300); }
// What is special comes late, with the solver.
SG_TEST(a_tree_under_an_implicit_method_survives_refused_memory)
{
    refuse_now_and_then(tree, 80, 1000);
}
SG_TEST(arrays_of_parts_survive_refused_memory) { refuse_now_and_then(arrays, 0, 600); }
