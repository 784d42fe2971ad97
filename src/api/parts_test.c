// 3D parts in a session.
#include "harness/sg_test.h"
#include "segue/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct call_counter {
    size_t calls;
} call_counter;

static void *counting(void *context, void *block, size_t old_size, size_t new_size)
{
    (void)old_size;
    ((call_counter *)context)->calls += new_size > 0;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

// A driven arm that carries a swinging rod, and a tumbling body.
static const char model[] =
    "using Modia3D\n"
    "Lump = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.2, Izz = 0.25))\n"
    "M = Model3D(\n"
    "    world = Object3D(feature = Scene()),\n"
    "    arm = Object3D(feature = Lump),\n"
    "    tip = Object3D(parent = :arm, translation = [0.5, 0, 0]),\n"
    "    rod = Object3D(feature = Lump),\n"
    "    end1 = Object3D(parent = :rod, translation = [-0.3, 0, 0]),\n"
    "    nut = Object3D(parent = :world, fixedToParent = false, angularVelocity = [0.01, 5.0, "
    "0.02],\n"
    "                   feature = Lump),\n"
    "    rev1 = RevoluteWithFlange(obj1 = :world, obj2 = :tip),\n"
    "    rev2 = Revolute(obj1 = :arm, obj2 = :end1),\n"
    "    equations = :[rev1.flange.tau = -0.1*rev1.w])\n"
    "m = @instantiateModel(M, unitless = true)\n";

static size_t count_allocations(const char *simulate)
{
    call_counter c = {0};
    sg_allocator allocator = {.resize = counting, .context = &c};
    char text[4096];
    snprintf(text, sizeof text, "%s%s\n", model, simulate);
    sg_session_options options = sg_session_options_make();
    sg_session *session;
    if (sg_session_create(&allocator, &options, &session) != SG_OK)
        return 0;
    sg_session_run_text(session, "test.jl", text, strlen(text));
    SG_CHECK(sg_session_exit_status(session) == 0);
    sg_session_destroy(session);
    return c.calls;
}

// Ten times as many steps, as many events and points of the result: as many allocations.
SG_TEST(a_run_of_a_3d_model_allocates_nothing_between_events)
{
    size_t coarse =
        count_allocations("simulate!(m, stopTime = 0.2, interval = 0.1, tolerance = 1e-5)");
    size_t fine =
        count_allocations("simulate!(m, stopTime = 0.2, interval = 0.1, tolerance = 1e-9)");
    SG_CHECK(coarse > 0);
    SG_CHECK_MSG(coarse == fine, "%zu and %zu allocations", coarse, fine);
}
