// segue view RESULT|MODEL: the page of a run, in the browser.
#include "browser.h"
#include "commands.h"
#include "report.h"
#include "session_cli.h"
#include "terminal.h"
#include "view_study.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const cli_option options[] = {
    {"page", 'o', "OUT.html", "write the page (or picture) there and open nothing"},
    {"html", 0, "OUT.html", "the same, beside other files"},
    {"png", 0, "TIME", "a picture at that time [s] instead; needs Chromium"},
    {"size", 0, "WxH", "of that picture, in pixels (1280x720)"},
    {"three-json", 0, "OUT.json", "the animated scene for three.js"},
    {"glb", 0, "OUT.glb", "the same as binary glTF 2.0"},
    {"obj", 0, "OUT.obj", "surfaces at the start of the run, as Wavefront OBJ"},
    {"stl", 0, "OUT.stl", "surfaces at the start of the run, as STL"},
    {"max-size", 0, "MB", "largest page; what does not fit is left out (5, of a study 20)"},
    {"set", 0, "NAME=VALUE", "of a model: a parameter or start value; may be repeated"},
    {"stop", 0, "T", "of a model: stop time [s] of every simulate!"},
    {"tol", 0, "R", "of a model: relative tolerance of every simulate!"},
    {"interval", 0, "T", "of a model: output interval [s] of every simulate!"},
    {"solver", 0, "NAME", "of a model: solver of every simulate!"},
    {"native", 0, NULL, "of a model: compile its program with the system's compiler"},
    {"compat", 0, "LIST", "of a model: modia-0.12, or single compatibility switches"},
    {"allow-read", 0, "DIR", "let scripts read this folder too; may be repeated"},
    {"modia3d-path", 0, "DIR", "where Modia3D's objects/ folder lies"},
    CLI_LIMIT_OPTIONS,
    CLI_FMU_OPTION,
    {"quiet", 'q', NULL, "print errors only"},
    {"help", 'h', NULL, "print this page"},
};

// The last result of the command; a script may simulate several times.
static void keep_last(void *context, sg_result *result)
{
    cli_run *run = context;
    sg_result_destroy(run->last);
    run->last = sg_result_retain(result);
}

// The session stays open as long as its result is looked at.
static int run_model(cli_run *run, const char *model, sg_session **session)
{
    int exit_status;
    run->session.scene = SG_SCENE_RECORDED;
    run->session.finished = keep_last;
    *session = cli_open(run, &exit_status);
    if (!*session)
        return exit_status;
    cli_run_argument(*session, model);
    exit_status = sg_session_exit_status(*session);
    if (exit_status == 0 && !run->last) {
        cli_complain("segue: '%s' simulates nothing, so there is nothing to show\n", model);
        exit_status = 1;
    }
    return exit_status;
}

static int open_result(cli_run *run, const char *path)
{
    sg_diags *diags = sg_diags_create(NULL);
    sg_status status = diags ? sg_result_open(NULL, path, diags, &run->last) : SG_ERR_MEMORY;
    sg_report(diags, status);
    sg_diags_destroy(diags);
    return sg_exit_status(status);
}

// RESULT.html beside a result, STEM-results/STEM.html for a model. To be freed.
static char *default_path(const char *argument, bool is_result, const char *suffix)
{
    const char *slash = strrchr(argument, '/');
    const char *name = !is_result && slash ? slash + 1 : argument;
    const char *dot = strrchr(slash && is_result ? slash : name, '.');
    int stem = dot ? (int)(dot - name) : (int)strlen(name);
    size_t size = 2 * strlen(name) + 32;
    char *out = malloc(size);
    if (out && is_result)
        snprintf(out, size, "%.*s%s", stem, name, suffix);
    else if (out && strcmp(name, "-") == 0)
        snprintf(out, size, "segue-results/page%s", suffix);
    else if (out)
        snprintf(out, size, "%.*s-results/%.*s%s", stem, name, stem, name, suffix);
    return out;
}

static bool is_link(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISLNK(info.st_mode);
}

// Nobody named this file, so whoever sent the model or the result does not say by links where it
// goes. The folder of a model's results is made if it is absent.
static bool make_way(const cli_run *run, const char *path)
{
    char *folder = strdup(path), *slash = folder ? strrchr(folder, '/') : NULL;
    bool ok = folder != NULL, link = is_link(path);
    if (slash && !run->is_result) {
        *slash = '\0';
        link |= is_link(folder);
        ok = link || mkdir(folder, 0777) == 0 || errno == EEXIST;
    }
    if (!ok)
        cli_complain("segue: cannot make the folder of '%s': %s\n", path, strerror(errno));
    else if (link)
        cli_complain("segue: '%s' leads elsewhere by a link; name a file with -o\n", path);
    free(folder);
    return ok && !link;
}

// The page goes to a file that nobody sees, and from there to the picture.
static int take_picture(cli_run *run)
{
    cli_pictures quiet = run->pictures;
    quiet.quiet = true;
    int exit_status = cli_write_page(&quiet, run->last, run->camera.page);
    run->pictures.out_of_memory |= quiet.out_of_memory;
    if (exit_status == 0)
        exit_status = cli_camera_shoot(&run->camera);
    if (exit_status == 0)
        cli_print("%s\n", run->camera.png);
    return exit_status;
}

static int show(cli_run *run, const char *argument)
{
    cli_pictures_write(&run->pictures, run->last);
    if (!isnan(run->png))
        return take_picture(run);
    if (run->page)
        return cli_write_page(&run->pictures, run->last, run->page);
    if (cli_pictures_wanted(&run->pictures))
        return run->pictures.exit_status;
    char *path = default_path(argument, run->is_result, ".html");
    if (!path || !make_way(run, path)) {
        free(path);
        return 1;
    }
    int exit_status = cli_write_page(&run->pictures, run->last, path);
    if (exit_status == 0 && !cli_open_in_browser(run->browser))
        cli_print("%s\n", path);
    free(path);
    return exit_status;
}

static bool says_size(const cli_run *run)
{
    return run->pictures.max_megabytes != cli_pictures_make().max_megabytes;
}

// A folder of a study has a page of its own, and nothing else.
static int view_study(cli_run *run, const char *folder)
{
    const char *out = run->page ? run->page : run->pictures.html;
    if (cli_scene_wanted(&run->pictures) || !isnan(run->png)) {
        cli_complain("segue: a study has a page, but no such picture: take one of its runs\n");
        return 1;
    }
    char *path = out ? strdup(out) : default_path(folder, true, ".html");
    int exit_status = 1;
    if (path && (out || make_way(run, path)))
        exit_status = cli_write_study_page(
            folder, path, says_size(run) ? run->pictures.max_megabytes : 0, run->pictures.quiet);
    if (exit_status == 0 && !out && !cli_open_in_browser(run->browser))
        cli_print("%s\n", path);
    free(path);
    return exit_status;
}

static int view(cli_run *run)
{
    const char *argument = run->parsed.rest[0], *why;
    if (!sg_page_available(&why)) {
        cli_complain("segue: this build cannot make pages: %s\n", why);
        return 1;
    }
    if (run->is_result && cli_is_study(argument))
        return view_study(run, argument);
    sg_session *session = NULL;
    int exit_status =
        run->is_result ? open_result(run, argument) : run_model(run, argument, &session);
    // A run that failed is shown up to there; its status stays.
    if (run->last) {
        int shown = show(run, argument);
        exit_status = cli_pictures_end(&run->pictures, exit_status, shown);
    }
    sg_result_destroy(run->last);
    if (session)
        cli_close(session);
    return exit_status;
}

// Programs are started from outside the wall, and what they are to do is settled here: from inside
// nothing can be said but "now".
static bool prepare(cli_run *run)
{
    const char *argument = run->parsed.rest[0];
    bool picture = !isnan(run->png);
    if (!picture && (run->page || cli_pictures_wanted(&run->pictures)))
        return true;
    char *path = picture && run->page
                     ? strdup(run->page)
                     : default_path(argument, run->is_result, picture ? ".png" : ".html");
    bool ok = path != NULL;
    // The folder of a model's results is made behind the wall, and goes again if the run writes
    // none.
    if (ok && (run->is_result || picture) && !(picture && run->page))
        ok = make_way(run, path);
    if (ok && run->is_result)
        sg_wall_write(run->wall, path);
    if (ok && picture)
        ok = cli_camera_start(&run->camera, path, run->png, run->width, run->height);
    else if (ok)
        run->browser = cli_browser_start(path);
    free(path);
    return ok;
}

int sg_cmd_view(int argc, char **argv)
{
    static const cli_command command = {
        .name = "view",
        .help =
            "usage: segue view [OPTION...] RESULT|MODEL|STUDY\n\n"
            "Makes a page of a run, with the moving picture of its 3D parts and diagrams of its\n"
            "signals, and opens it in the browser, or prints its path where there is none. A\n"
            "model is run first; the page is of its last simulation. The folder of a study "
            "becomes\n"
            "a page with its table, sliders that pick a run, curves of all runs that were kept, "
            "and\n"
            "the picked run. The page is one file that needs no network.\n"
            "\noptions:\n",
        .examples = "\nexamples:\n"
                    "  segue view examples/contact/newtons_cradle.jl\n"
                    "  segue view -o cradle.html out/Cradle.segue\n"
                    "  segue view --png 0.3 -o cradle.png out/Cradle.segue\n"
                    "  segue view --glb cradle.glb out/Cradle.segue\n"
                    "  segue view pendulum_sweep-study\n",
        .options = options,
        .n_options = sizeof options / sizeof options[0],
        .least = 1,
        .most = 1,
        .views_results = true,
        .prepare = prepare,
        .body = view,
    };
    return cli_run_command(&command, argc, argv);
}
