// A page from C: run a model, keep its result, write the page that shows it.
#include <segue/page.h>
#include <segue/session.h>
#include <stdio.h>
#include <string.h>

static const char model[] =
    "using Modia3D\n"
    "Swing = Model3D(\n"
    "    world = Object3D(feature = Scene()),\n"
    "    arm = Object3D(feature = Solid(shape = Beam(axis = 1, length = 1.0),\n"
    "                                   solidMaterial = \"Steel\")),\n"
    "    rev = Revolute(obj1 = :world, obj2 = :arm, axis = 3, w = Var(init = 2.0)))\n"
    "swing = @instantiateModel(Swing, unitless = true)\n"
    "simulate!(swing, stopTime = 3.0)\n";

// The result is the session's; whoever wants it later retains it.
static void keep(void *context, sg_result *result)
{
    *(sg_result **)context = sg_result_retain(result);
}

int main(int argc, char **argv)
{
    const char *why, *path = argc > 1 ? argv[1] : "swing.html";
    sg_result *result = NULL;
    sg_session *session;
    sg_session_options options = sg_session_options_make();
    options.scene = SG_SCENE_RECORDED; // no run file is kept, but the picture is wanted
    options.finished = keep;
    options.context = &result;
    if (sg_session_create(NULL, &options, &session) != SG_OK)
        return 1;
    sg_session_run_text(session, "swing.jl", model, strlen(model));
    int status = sg_session_exit_status(session);
    if (status == 0 && sg_page_available(&why)) {
        sg_page_options page = sg_page_options_make();
        sg_page_report report;
        sg_diags *diags = sg_diags_create(NULL);
        page.title = "A swinging beam";
        status = sg_page_write(result, path, &page, &report, diags) != SG_OK;
        if (status == 0)
            printf("%s: %zu body, %zu frames, %zu signals\n", path, report.n_bodies,
                   report.n_frames, report.n_signals);
        sg_diags_destroy(diags);
    } else if (status == 0) {
        printf("no page: %s\n", why);
    }
    sg_result_destroy(result); // before the session, whose memory it is
    sg_session_destroy(session);
    return status;
}
