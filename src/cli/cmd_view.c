// segue view RESULT|MODEL: the page of a run, in the browser.
#include "browser.h"
#include "commands.h"
#include "report.h"
#include "session_cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const cli_option options[] = {
    {"page", 'o', "OUT.html", "write the page there and open nothing"},
    {"max-size", 0, "MB", "leave out signals that would make the page larger (5)"},
    {"set", 0, "NAME=VALUE", "of a model: a parameter or start value; may be repeated"},
    {"stop", 0, "T", "of a model: stop time [s] of every simulate!"},
    {"tol", 0, "R", "of a model: relative tolerance of every simulate!"},
    {"interval", 0, "T", "of a model: output interval [s] of every simulate!"},
    {"solver", 0, "NAME", "of a model: solver of every simulate!"},
    {"compat", 0, "LIST", "of a model: modia-0.12, or single compatibility switches"},
    {"modia3d-path", 0, "DIR", "where Modia3D's objects/ folder lies"},
    {"quiet", 'q', NULL, "print errors only"},
    {"help", 'h', NULL, "print this page"},
};

// The last result of the command; a script may simulate several times.
static void keep_last(void *context, sg_result *result)
{
    cli_run *run = context;
    sg_result_close(run->last);
    run->last = sg_result_retain(result);
}

static int run_model(cli_run *run, const char *model)
{
    int exit_status;
    run->session.record_scene = true;
    run->session.finished = keep_last;
    sg_session *session = cli_open(run, &exit_status);
    if (!session)
        return exit_status;
    cli_run_argument(session, model);
    exit_status = sg_session_exit_status(session);
    sg_session_destroy(session);
    if (exit_status == 0 && !run->last) {
        fprintf(stderr, "segue: '%s' simulates nothing, so there is nothing to show\n", model);
        exit_status = 1;
    }
    return exit_status;
}

static int open_result(cli_run *run, const char *path)
{
    sg_diags *diags = sg_diags_create(NULL);
    sg_status status = diags ? sg_result_open(path, NULL, diags, &run->last) : SG_ERR_MEMORY;
    if (diags)
        sg_report(diags);
    sg_diags_delete(diags);
    return sg_exit_status(status);
}

// RESULT.html beside a result, STEM-results/STEM.html for a model. To be freed.
static char *default_path(const char *argument, bool is_result)
{
    const char *slash = strrchr(argument, '/');
    const char *name = !is_result && slash ? slash + 1 : argument;
    const char *dot = strrchr(slash && is_result ? slash : name, '.');
    int stem = dot ? (int)(dot - name) : (int)strlen(name);
    size_t size = 2 * strlen(name) + 32;
    char *out = malloc(size);
    if (out && is_result)
        snprintf(out, size, "%.*s.html", stem, name);
    else if (out && strcmp(name, "-") == 0)
        snprintf(out, size, "segue-results/page.html");
    else if (out)
        snprintf(out, size, "%.*s-results/%.*s.html", stem, name, stem, name);
    return out;
}

static bool make_folder_of(const char *path)
{
    char *folder = strdup(path), *slash = folder ? strrchr(folder, '/') : NULL;
    bool ok = folder != NULL;
    if (slash) {
        *slash = '\0';
        ok = mkdir(folder, 0777) == 0 || errno == EEXIST;
    }
    if (!ok)
        fprintf(stderr, "segue: cannot make the folder of '%s': %s\n", path, strerror(errno));
    free(folder);
    return ok;
}

static int show(cli_run *run, const char *argument, bool is_result)
{
    if (run->page)
        return cli_write_page(&run->pictures, run->last, run->page);
    char *path = default_path(argument, is_result);
    if (!path || (!is_result && !make_folder_of(path))) {
        free(path);
        return 1;
    }
    int exit_status = cli_write_page(&run->pictures, run->last, path);
    if (exit_status == 0 && !cli_open_in_browser(path))
        printf("%s\n", path);
    free(path);
    return exit_status;
}

static int view(cli_run *run)
{
    const char *argument = run->parsed.rest[0], *why;
    if (!sg_page_available(&why)) {
        fprintf(stderr, "segue: this build cannot make pages: %s\n", why);
        return 1;
    }
    bool is_result = strcmp(argument, "-") != 0 && sg_result_is_one(argument);
    int exit_status = is_result ? open_result(run, argument) : run_model(run, argument);
    // A run that failed is shown up to there; its status stays.
    if (run->last) {
        int shown = show(run, argument, is_result);
        exit_status = exit_status ? exit_status : shown;
    }
    sg_result_close(run->last);
    return exit_status;
}

int sg_cmd_view(int argc, char **argv)
{
    static const cli_command command = {
        .name = "view",
        .help =
            "usage: segue view [OPTION...] RESULT|MODEL\n\n"
            "Makes a page of a run, with the moving picture of its 3D parts and diagrams of its\n"
            "signals, and opens it in the browser, or prints its path where there is none. A\n"
            "model is run first; the page is of its last simulation. The page is one file that\n"
            "needs no network.\n"
            "\noptions:\n",
        .examples = "\nexamples:\n"
                    "  segue view examples/contact/newtons_cradle.jl\n"
                    "  segue view -o cradle.html out/Cradle.segue\n",
        .options = options,
        .n_options = sizeof options / sizeof options[0],
        .least = 1,
        .most = 1,
        .body = view,
    };
    return cli_run_command(&command, argc, argv);
}
