// Any text stands for the elements of a 3D model: objects, joints, forces and what they consist of
// are evaluated, read and joined to a tree, or refused with a message. Nothing is simulated, and
// nothing is written.
#include "segue/session.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char before[] =
    "using Modia3D\n"
    "law(x) = 2.0*x\n"
    "push(; time, objectApply, objectCoord) = [0.0, time, 0.0]\n"
    "lump = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.1, Izz = 0.1))\n"
    "M = Model3D(world = Object3D(feature = Scene()),\n"
    "    a = Object3D(parent = :world, fixedToParent = false, feature = lump),\n"
    "    b = Object3D(feature = lump),\n";
static const char behind[] = ")\n"
                             "m = @instantiateModel(M, unitless = true)\n"
                             "simulate!(m, stopTime = 0.1)\n";

static void give_up(const char *why)
{
    fprintf(stderr, "fuzz_parts: %s\n", why);
    abort();
}

static void count_errors(void *context, const sg_diag *diag, const char *rendered)
{
    size_t *n = context;
    if (strlen(rendered) == 0)
        give_up("a message without text");
    *n += diag->severity == SG_ERROR;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { LONGEST = 4096 };
    static char text[sizeof before + LONGEST + sizeof behind];
    if (size > LONGEST)
        return 0;
    size_t n = sizeof before - 1;
    memcpy(text, before, n);
    memcpy(text + n, data, size);
    memcpy(text + n + size, behind, sizeof behind - 1);
    size_t n_errors = 0;
    sg_session_options options = sg_session_options_make();
    options.report = count_errors;
    options.context = &n_errors;
    options.check_only = true;
    options.max_cpu_time = 0.5;
    options.max_memory = (size_t)64 << 20;
    sg_session *session;
    if (sg_session_create(NULL, &options, &session) != SG_OK)
        return 0;
    sg_status status = sg_session_run_text(session, "fuzz.jl", text, n + size + sizeof behind - 1);
    if (status == SG_ERR_INTERNAL)
        give_up("our own mistake");
    if (sg_session_exit_status(session) != 0 && n_errors == 0)
        give_up("a failure without a message");
    sg_session_destroy(session);
    return 0;
}
