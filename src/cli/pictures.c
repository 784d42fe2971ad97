#include "pictures.h"

#include "report.h"
#include "terminal.h"
#include "watch.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

cli_pictures cli_pictures_make(void)
{
    return (cli_pictures){.max_megabytes = sg_page_options_make().max_size / 1e6};
}

static const char *const scene_options[CLI_SCENE_FORMATS] = {"three-json", "glb", "obj", "stl"};

const char **cli_pictures_option(cli_pictures *p, const char *name)
{
    for (int i = 0; i < CLI_SCENE_FORMATS; i++)
        if (strcmp(name, scene_options[i]) == 0)
            return &p->scene[i];
    return strcmp(name, "html") == 0 ? &p->html : NULL;
}

// Whether a run makes this folder itself: that of its results.
static bool is_made_by_the_run(const char *folder, const char *results)
{
    static const char unasked[] = "-results";
    size_t n = results ? strlen(results) : 0, length = strlen(folder);
    while (n > 1 && results[n - 1] == '/')
        n--;
    if (results)
        return n == length && strncmp(folder, results, n) == 0;
    return length >= sizeof unasked && strcmp(folder + length - sizeof unasked + 1, unasked) == 0;
}

bool cli_can_write(const char *option, const char *path, const char *results)
{
    if (!path || strcmp(path, "-") == 0)
        return true;
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX] = "."; // not from memory that may be refused: that is told elsewhere
    if (slash)
        snprintf(folder, sizeof folder, "%.*s", slash > path ? (int)(slash - path) : 1, path);
    struct stat info;
    bool there = stat(folder, &info) == 0, ok = there && access(folder, W_OK | X_OK) == 0;
    ok = ok || (!there && errno == ENOENT && is_made_by_the_run(folder, results));
    if (!ok && stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        ok = access(path, W_OK) == 0; // a device in a folder that is not ours
    if (!ok)
        cli_complain("segue: error[E0001]: --%s: cannot write '%s': %s\n", option, path,
                     strerror(errno));
    return ok;
}

bool cli_pictures_check(const cli_pictures *p, const char *results)
{
    bool ok = cli_can_write("html", p->html, results);
    for (int i = 0; i < CLI_SCENE_FORMATS; i++)
        ok = cli_can_write(scene_options[i], p->scene[i], results) && ok;
    return ok;
}

bool cli_scene_wanted(const cli_pictures *p)
{
    bool wanted = false;
    for (int i = 0; i < CLI_SCENE_FORMATS; i++)
        wanted |= p->scene[i] != NULL;
    return wanted;
}

bool cli_pictures_wanted(const cli_pictures *p) { return p->html || cli_scene_wanted(p); }

static void tell(const cli_pictures *p, const sg_page_report *r, const char *path)
{
    if (p->quiet)
        return;
    cli_complain("segue: note: page: %s (%.2g MB", path, (double)r->bytes / 1e6);
    if (r->n_bodies)
        cli_complain(", %zu bodies x %zu frames", r->n_bodies, r->n_frames);
    cli_complain(", %zu signals)\n", r->n_signals);
    if (r->n_left)
        cli_complain("segue: note: %zu signals are left out of the page to keep it below %g MB; "
                     "--max-size MB allows more\n",
                     r->n_left, p->max_megabytes);
}

// One message about a lack of memory is enough; what else is said then may not be true. Where time
// is over, too, nothing is given any more.
static int judge(cli_pictures *p, sg_status status, sg_diags *diags)
{
    if (status == SG_ERR_MEMORY)
        p->out_of_memory = true;
    else
        sg_report(diags, status);
    sg_diags_destroy(diags);
    return sg_exit_status(status);
}

int cli_pictures_end(const cli_pictures *p, int exit_status, int shown)
{
    if (!p->out_of_memory || exit_status == sg_exit_status(SG_ERR_MEMORY))
        return exit_status ? exit_status : shown;
    int over = cli_watch_report();
    if (!over)
        sg_report_memory();
    return exit_status ? exit_status : over ? over : shown;
}

int cli_write_page(cli_pictures *p, const sg_result *result, const char *path)
{
    sg_page_options options = sg_page_options_make();
    sg_page_report report;
    sg_diags *diags = sg_diags_create(NULL);
    options.max_size = 1e6 * p->max_megabytes;
    sg_status status =
        diags ? sg_page_write(result, path, &options, &report, diags) : SG_ERR_MEMORY;
    if (status == SG_OK)
        tell(p, &report, path);
    return judge(p, status, diags);
}

// OUT.html for the first result, OUT-2.html for the second. To be freed.
static char *numbered(const char *path, size_t number)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    size_t stem = dot ? (size_t)(dot - path) : strlen(path), size = strlen(path) + 32;
    char *out = malloc(size);
    if (out && number > 1)
        snprintf(out, size, "%.*s-%zu%s", (int)stem, path, number, path + stem);
    else if (out)
        snprintf(out, size, "%s", path);
    return out;
}

static int export_scene(cli_pictures *p, const sg_result *result, int format, const char *path)
{
    sg_diags *diags = sg_diags_create(NULL);
    sg_status status =
        diags ? sg_scene_export(result, path, (sg_scene_format)format, diags) : SG_ERR_MEMORY;
    if (status == SG_OK && !p->quiet)
        cli_complain("segue: note: scene: %s\n", path);
    return judge(p, status, diags);
}

void cli_pictures_write(cli_pictures *p, const sg_result *result)
{
    p->n_results++;
    for (int i = -1; i < CLI_SCENE_FORMATS; i++) {
        const char *wanted = i < 0 ? p->html : p->scene[i];
        if (!wanted)
            continue;
        char *path = numbered(wanted, p->n_results);
        int status = !path   ? sg_exit_status(SG_ERR_MEMORY)
                     : i < 0 ? cli_write_page(p, result, path)
                             : export_scene(p, result, i, path);
        p->out_of_memory |= !path;
        free(path);
        if (!p->exit_status)
            p->exit_status = status;
    }
}
