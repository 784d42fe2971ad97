// Action programs in C (segue/actions.h): the same run as with a program of the language, what is
// refused, and refused memory.
#include "segue/actions.h"

#include "harness/sg_test.h"
#include "segue/session.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A ball changes hands between a turning arm and the world, is parked and thrown.
static const char scene[] =
    "using Modia3D\n"
    "lump(m) = Solid(massProperties = MassProperties(mass = m, Ixx = 0.1, Iyy = 0.2, Izz = 0.3))\n"
    "scripted(a) = begin\n"
    "    addReferencePath(a; names = [\"p\", \"q\"], position = [0.0, 1.0], v_max = [2.0, 3.0])\n"
    "    ptpJointSpace(a, [0.1 1.1; 0.3 0.9])\n"
    "    ActionAttach(a, \"ballLock\", \"hand\"; waitingPeriod = 0.1)\n"
    "    ActionWait(a, 0.2)\n"
    "    ActionRelease(a, \"ballLock\"; enableContactDetection = false)\n"
    "    ActionWaitUntil(a, \"ball\", \"world\"; farther = 0.6)\n"
    "    ActionPark(a, \"ballLock\")\n"
    "    ActionWaitUntil(a, 1)\n"
    "    ActionWake(a, \"ballLock\"; velocity = [1.0, 0.0, 0.5], angularVelocity = [0.0, 2.0, "
    "0.0])\n"
    "    EventAfterPeriod(a, 0.05)\n"
    "    ActionDelete(a, \"rivet\")\n"
    "end\n"
    "Scene3(program) = Model3D(\n"
    "    world = Object3D(feature = Scene(gravityField = NoGravityField(), gap = 10.0, attachSpeed "
    "= 10.0, attachAngularSpeed = "
    "10.0)),\n"
    "    arm = Object3D(feature = lump(3.0)),\n"
    "    hand = Object3D(parent = :arm, lockable = true, translation = [0.5, 0.0, 0.0]),\n"
    "    rev = Revolute(obj1 = :world, obj2 = :arm, axis = 3, w = Var(init = 1.5)),\n"
    "    ball = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation "
    "= [0.5, 0.0, 0.0], feature = lump(1.0)),\n"
    "    ballLock = Object3D(parent = :ball, lockable = true),\n"
    "    plate = Object3D(parent = :world, assemblyRoot = true, feature = lump(1.0)),\n"
    "    rivet = Object3D(parent = :plate, lockable = true),\n"
    "    x = Var(init = 0.0),\n"
    "    actions = ModelActions(world = :world, actions = program), now = Var(hideResult = true),\n"
    "    equations = :[now = executeActions(actions, x > 2.0); der(x) = "
    "getRefPathPosition(now, 1) + getRefPathPosition(now, 2)])\n"
    "run(program) = begin\n"
    "    m = @instantiateModel(Scene3(program), unitless = true)\n"
    "    simulate!(m, stopTime = 6.0)\n"
    "    m\n"
    "end\n";
static const char twins[] =
    "one, two = run(scripted), run(\"carry\")\n"
    "@test getValues(one, \"time\") == getValues(two, \"time\")\n"
    "for name in [\"rev.phi\", \"rev.w\", \"x\", \"ball.r_abs\", \"ball.rot123_abs\"]\n"
    "    @test getLastValue(one, name) == getLastValue(two, name)\n"
    "end\n"
    "@test norm(getLastValue(one, \"ball.velocity\")) > 1.0\n";

static sg_status carry(void *context, sg_action_list *list)
{
    static const double position[] = {0.0, 1.0}, v_max[] = {2.0, 3.0};
    static const double points[] = {0.1, 1.1, 0.3, 0.9}, v[] = {1.0, 0.0, 0.5}, w[] = {0, 2.0, 0};
    const sg_action_command commands[] = {
        {.kind = SG_ACTION_PTP, .points = points, .n_points = 2},
        {.kind = SG_ACTION_ATTACH, .part = "ballLock", .depot = "hand", .period = 0.1},
        {.kind = SG_ACTION_WAIT, .period = 0.2},
        {.kind = SG_ACTION_RELEASE, .part = "ballLock", .contacts_off = true},
        {.kind = SG_ACTION_WAIT_UNTIL,
         .part = "ball",
         .depot = "world",
         .condition = SG_CONDITION_FARTHER,
         .limit = 0.6},
        {.kind = SG_ACTION_PARK, .part = "ballLock"},
        {.kind = SG_ACTION_WAIT_UNTIL, .condition = SG_CONDITION_INPUT, .input = 1},
        {.kind = SG_ACTION_WAKE, .part = "ballLock", .velocity = v, .angular_velocity = w},
        {.kind = SG_ACTION_EVENT, .period = 0.05},
        {.kind = SG_ACTION_DELETE, .part = "rivet"}};
    sg_action_path path = {.n = 2, .position = position, .v_max = v_max};
    sg_status status = sg_action_list_add_path(list, &path);
    for (size_t i = 0; status == SG_OK && i < sizeof commands / sizeof *commands; i++)
        status = sg_action_list_add(list, &commands[i]);
    if (context)
        *(sg_action_list **)context = list;
    return status;
}

static void keep_error(void *context, const sg_diag *diag, const char *rendered)
{
    (void)rendered;
    if (diag->severity == SG_ERROR)
        snprintf(context, 256, "%s", diag->message);
}

// Runs the scene and what follows with this program; the message of the last error, or "".
static int run_scene(const sg_allocator *allocator, const sg_action_program *program,
                     const char *rest, char error[256])
{
    char text[sizeof scene + 1024];
    sg_session_options o = sg_session_options_make();
    o.report = keep_error;
    o.context = error;
    error[0] = '\0';
    sg_session *session;
    if (sg_session_create(allocator, &o, &session) != SG_OK)
        return -1;
    if (program)
        sg_session_add_actions(session, program);
    snprintf(text, sizeof text, "%s%s", scene, rest);
    sg_session_run_text(session, "scene.jl", text, strlen(text));
    int status = sg_session_exit_status(session);
    sg_session_destroy(session);
    return status;
}

SG_TEST(a_program_in_c_makes_the_run_of_its_twin_in_the_language)
{
    char error[256];
    sg_action_list *list = NULL;
    const sg_action_program program = {"carry", carry, &list};
    int status = run_scene(NULL, &program, twins, error);
    SG_CHECK_MSG(status == 0, "exit status %d: %s", status, error);
    SG_CHECK(list != NULL);
}

SG_TEST(names_of_programs_are_known_and_given_once)
{
    char error[256];
    SG_CHECK(run_scene(NULL, NULL, "run(\"carry\")\n", error) == 2);
    SG_CHECK(strstr(error, "there is no action program 'carry'") != NULL);
    sg_session_options o = sg_session_options_make();
    o.report = keep_error;
    o.context = error;
    sg_session *session;
    SG_REQUIRE(sg_session_create(NULL, &o, &session) == SG_OK);
    const sg_action_program good = {"carry", carry, NULL}, nameless = {"", carry, NULL};
    const sg_action_program empty = {"empty", NULL, NULL};
    SG_CHECK(sg_session_add_actions(session, &nameless) == SG_ERR_USAGE);
    SG_CHECK(sg_session_add_actions(session, &empty) == SG_ERR_USAGE);
    SG_CHECK(sg_session_add_actions(session, NULL) == SG_ERR_USAGE);
    SG_CHECK(sg_session_add_actions(session, &good) == SG_OK);
    SG_CHECK(sg_session_add_actions(session, &good) == SG_ERR_USAGE);
    SG_CHECK(strstr(error, "the action program 'carry' was added before") != NULL);
    sg_session_destroy(session);
}

// One command that makes no sense.
static sg_status add_one(void *context, sg_action_list *list)
{
    return sg_action_list_add(list, context);
}

static sg_status give_up(void *context, sg_action_list *list)
{
    (void)context, (void)list;
    return SG_ERR_IO;
}

static sg_status two_paths(void *context, sg_action_list *list)
{
    static const double still[] = {0.0};
    sg_action_path *path = context;
    SG_CHECK(sg_action_list_add_path(list, NULL) == SG_ERR_USAGE);
    SG_CHECK(sg_action_list_add_path(list, &(sg_action_path){0}) == SG_ERR_MODEL);
    SG_CHECK(sg_action_list_add_path(list, &(sg_action_path){1, NULL, still, NULL}) ==
             SG_ERR_MODEL);
    SG_CHECK(sg_action_list_add_path(list, path) == SG_OK);
    return sg_action_list_add_path(list, path);
}

SG_TEST(commands_that_make_no_sense_end_the_run_with_a_message)
{
    static const double nan3[] = {0.0, NAN, 0.0};
    const struct {
        sg_action_command command;
        const char *message;
    } cases[] = {
        {{.kind = SG_ACTION_WAIT, .period = -1.0}, "a period must be finite and not negative"},
        {{.kind = SG_ACTION_WAIT, .period = NAN}, "a period must be finite and not negative"},
        {{.kind = (sg_action_kind)99}, "no command of this kind"},
        {{.kind = SG_ACTION_ATTACH, .part = "ballLock"}, "does not name all of its objects"},
        {{.kind = SG_ACTION_ATTACH, .part = "ballLock", .depot = "hand", .joint = "ball"},
         "must be \"revolute\" or \"prismatic\""},
        {{.kind = SG_ACTION_ATTACH, .part = "a", .depot = "b", .joint = "revolute", .axis = nan3},
         "must be finite and not zero"},
        {{.kind = SG_ACTION_RELEASE}, "does not name all of its objects"},
        {{.kind = SG_ACTION_WAKE, .part = "ballLock", .velocity = nan3}, "must be finite"},
        {{.kind = SG_ACTION_PTP, .points = nan3, .n_points = 3}, "needs sg_action_list_add_path"},
        {{.kind = SG_ACTION_WAIT_UNTIL, .part = "ball"}, "needs a condition"},
        {{.kind = SG_ACTION_WAIT_UNTIL, .condition = SG_CONDITION_INPUT}, "counted from 1"},
        {{.kind = SG_ACTION_WAIT_UNTIL, .condition = SG_CONDITION_INPUT, .input = 2},
         "a condition that executeActions does not have"},
        {{.kind = SG_ACTION_WAIT_UNTIL, .condition = SG_CONDITION_FORCE, .part = "ball"},
         "must be a positive number"},
        {{.kind = SG_ACTION_WAIT_UNTIL, .condition = SG_CONDITION_TOUCH, .part = "ball"},
         "names two objects"},
        {{.kind = SG_ACTION_WAIT_UNTIL,
          .condition = SG_CONDITION_CLOSER,
          .part = "ball",
          .depot = "nothing",
          .limit = 1.0},
         "there is no Object3D 'nothing'"},
    };
    char error[256];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sg_action_command command = cases[i].command;
        const sg_action_program program = {"one", add_one, &command};
        int status = run_scene(NULL, &program, "run(\"one\")\n", error);
        SG_CHECK_MSG(status == 2 && strstr(error, cases[i].message), "case %zu: %d, %s", i, status,
                     error);
    }
    const sg_action_program failing = {"one", give_up, NULL};
    SG_CHECK(run_scene(NULL, &failing, "run(\"one\")\n", error) == 2);
    SG_CHECK(strstr(error, "the action program 'one' failed") != NULL);
    sg_action_path path = {.n = 1};
    const sg_action_program twice = {"one", two_paths, &path};
    SG_CHECK(run_scene(NULL, &twice, "run(\"one\")\n", error) == 2);
    SG_CHECK(strstr(error, "has a reference path already") != NULL);
}

SG_TEST(a_program_survives_refused_memory)
{
    char error[256];
    sg_test_allocator a;
    const sg_action_program program = {"carry", carry, NULL};
    sg_test_allocator_init(&a, 0);
    SG_CHECK(run_scene(&a.allocator, &program, "run(\"carry\")\n", error) == 0);
    uint64_t requests = a.requests;
    for (uint64_t at = requests / 4; at < requests; at += 1 + requests / 200) {
        sg_test_allocator_init(&a, at);
        run_scene(&a.allocator, &program, "run(\"carry\")\n", error);
        SG_CHECK_MSG(a.live_blocks == 0, "blocks left after request %llu", (unsigned long long)at);
    }
}
