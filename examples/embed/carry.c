// Attaches and releases from a C program: a crane takes a ball from its stand and lets go of it
// over the drop zone, and it is gone when it touches the ground. The commands are an action program
// in C; two of them wait for what happens in the model. When segments begin comes to a sink.
#include <segue/actions.h>
#include <segue/session.h>
#include <stdio.h>
#include <string.h>

static const char model[] =
    "using Modia3D\n"
    "include(\"$(Modia3D.modelsPath)/Translational.jl\")\n"
    "wood(shape) = Solid(shape = shape, solidMaterial = \"DryWood\", collision = true)\n"
    "Crane = Model3D(\n"
    "  world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, "
    "-1]))),\n"
    "  ground = Object3D(parent = :world, translation = [2.0, 0.0, -0.05], feature = "
    "wood(Box(lengthX = 6.0, lengthY = 1.0, lengthZ = 0.1))),\n"
    "  zone = Object3D(parent = :world, translation = [3.0, 0.0, 2.0]),\n"
    "  stand = Object3D(parent = :world, lockable = true, translation = [0.0, 0.0, 2.0]),\n"
    "  trolley = Object3D(feature = Solid(massProperties = MassProperties(mass = 5.0))),\n"
    "  grip = Object3D(parent = :trolley, lockable = true),\n"
    "  slide = PrismaticWithFlange(obj1 = :stand, obj2 = :trolley, axis = 1),\n"
    "  drive = UnitlessForce,\n"
    "  ball = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = "
    "[0.0, 0.0, 2.0], feature = wood(Sphere(diameter = 0.2))),\n"
    "  ballLock = Object3D(parent = :ball, lockable = true),\n"
    "  actions = ModelActions(world = :world, actions = \"carry\"), now = Var(hideResult = true),\n"
    "  equations = :[now = executeActions(actions); ref = getRefPathPosition(now, 1)\n"
    "                drive.f = 2000.0*(ref - slide.s) - 300.0*slide.v],\n"
    "  connect = :[(drive.flange, slide.flange)])\n"
    "crane = @instantiateModel(Crane, unitless = true)\n"
    "simulate!(crane, stopTime = 6.0, tolerance = 1e-8)\n";

static sg_status carry(void *context, sg_action_list *list)
{
    const double *goal = context;
    const sg_action_command commands[] = {
        {.kind = SG_ACTION_ATTACH, .part = "ballLock", .depot = "stand"},
        {.kind = SG_ACTION_WAIT, .period = 0.5},
        {.kind = SG_ACTION_RELEASE_AND_ATTACH, .part = "ballLock", .depot = "grip"},
        {.kind = SG_ACTION_PTP, .points = goal, .n_points = 1},
        {.kind = SG_ACTION_WAIT_UNTIL,
         .part = "ball",
         .depot = "zone",
         .limit = 0.001,
         .condition = SG_CONDITION_CLOSER},
        {.kind = SG_ACTION_RELEASE, .part = "ballLock"},
        {.kind = SG_ACTION_WAIT_UNTIL,
         .part = "ball",
         .depot = "ground",
         .condition = SG_CONDITION_TOUCH},
        {.kind = SG_ACTION_DELETE, .part = "ballLock"},
    };
    sg_status status = sg_action_list_add_path(list, &(sg_action_path){.n = 1});
    for (size_t i = 0; status == SG_OK && i < sizeof commands / sizeof *commands; i++)
        status = sg_action_list_add(list, &commands[i]);
    return status;
}

static sg_status print_segment(void *context, const char *name, uint32_t segment, double t,
                               const sg_signal *signals, size_t n)
{
    (void)context, (void)signals;
    printf("%s, segment %u from %.4f s, %zu signals\n", name, segment + 1, t, n);
    return SG_OK;
}

int main(void)
{
    static double goal = 3.0; // [m]
    static const sg_action_program program = {"carry", carry, &goal};
    sg_sink sink = {.begin_segment = print_segment};
    sg_session_options options = sg_session_options_make();
    options.sinks = &sink;
    options.n_sinks = 1;
    sg_session *session;
    if (sg_session_create(NULL, &options, &session) != SG_OK)
        return 1;
    sg_session_add_actions(session, &program);
    sg_session_run_text(session, "crane.jl", model, strlen(model));
    int status = sg_session_exit_status(session);
    sg_session_destroy(session);
    return status;
}
