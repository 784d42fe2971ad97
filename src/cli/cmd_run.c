// segue run
#include "commands.h"
#include "earlier.h"
#include "report.h"
#include "session_cli.h"
#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const cli_option options[] = {
    {"eval", 'e', "CODE", "run CODE instead of a file"},
    {"output", 'o', "DIR", "folder for results, instead of NAME-results"},
    {"summary", 0, "OUT.json|-", "write a summary as JSON, also when the run fails"},
    {"json", 0, NULL,
     "print the summary on standard output; the script's own output goes to standard error"},
    {"result-format", 0, "LIST", "also write results as csv, json, mat, arrow"},
    {"html", 0, "OUT.html", "a page with the moving picture and plots of each simulation"},
    {"max-size", 0, "MB", "largest page; signals that do not fit are left out (5)"},
    {"three-json", 0, "OUT.json", "the animated scene for three.js"},
    {"glb", 0, "OUT.glb", "the same as binary glTF 2.0"},
    {"obj", 0, "OUT.obj", "surfaces at the start of the run, as Wavefront OBJ"},
    {"stl", 0, "OUT.stl", "surfaces at the start of the run, as STL"},
    {"keep", 0, "WHICH", "which run files to keep: all, last (of each model) or none (all)"},
    {"signals", 0, "GLOB", "store only signals whose names match"},
    {"set", 0, "NAME=VALUE", "a parameter or start value; may be repeated"},
    {"stop", 0, "T", "stop time [s] of every simulate!"},
    {"tol", 0, "R", "relative tolerance of every simulate!"},
    {"atol", 0, "A", "absolute tolerance of states without nominal value"},
    {"interval", 0, "T", "output interval [s] of every simulate!"},
    {"solver", 0, "NAME", "solver of every simulate!, e.g. CVODE_BDF, Tsit5, IDA"},
    {"input", 0, "FILE.csv", "values of top-level inputs over time, as a table"},
    {"compat", 0, "LIST", "modia-0.12, or single compatibility switches"},
    {"component", 0, "LIB.so", "load components written in C; may be repeated"},
    {"native", 0, NULL, "compile the programs of models with the system's compiler; the same bits"},
    {"balance", 0, NULL, "record energy and momentum of 3D parts; print a balance after each run"},
    {"check-patterns", 0, NULL,
     "check the sparsity patterns of all Jacobians (slow; for developers)"},
    {"converge", 0, NULL, "run again with a ten times smaller tolerance, and compare"},
    {"strict", 0, NULL,
     "warnings are errors, as are differences that --converge finds: exit status 5"},
    {"modia3d-path", 0, "DIR", "where Modia3D's objects/ folder lies"},
    {"allow-read", 0, "DIR", "let scripts read this folder too; may be repeated"},
    CLI_LIMIT_OPTIONS,
    CLI_FMU_OPTION,
    {"log", 0, "LIST", "statistics, states, events, timing, parameters, progress, contacts"},
    {"force", 0, NULL, "allow results larger than 10 GB, or than the free disk space"},
    {"quiet", 'q', NULL, "print only errors and their notes"},
    {"help", 'h', NULL, "print this page"},
};

// For writing, and in `made` the name of a new file that takes the place of `path` when all is
// written, or "" for a pipe or device. A link that leads to a file may have come with the model,
// one to a device (such as /dev/stdout) is the user's. Asks for no memory: there may be none left,
// and that is what the summary has to tell. -1 on failure, with nothing left behind.
static int open_summary(const char *path, char made[PATH_MAX])
{
    const int flags = O_WRONLY | O_CREAT | O_CLOEXEC;
    struct stat info;
    bool exists = lstat(path, &info) == 0, link = exists && S_ISLNK(info.st_mode);
    made[0] = '\0';
    if (strncmp(path, "/dev/", 5) == 0 ||
        (link && stat(path, &info) == 0 && !S_ISREG(info.st_mode)))
        return open(path, flags | O_TRUNC, 0666);
    errno = link ? ELOOP : EACCES;
    if (link || (exists && S_ISREG(info.st_mode) && access(path, W_OK) != 0))
        return -1;
    if (exists && !S_ISREG(info.st_mode))
        return open(path, flags | O_TRUNC, 0666);
    int length = snprintf(made, PATH_MAX, "%s.%ld-0.tmp", path, (long)getpid());
    errno = ENAMETOOLONG;
    return length >= PATH_MAX
               ? -1
               : open(made, flags | O_EXCL | O_NOFOLLOW, exists ? info.st_mode & 0777 : 0666);
}

static bool put_all(int fd, const char *text)
{
    size_t left = strlen(text);
    while (left) {
        ssize_t n = write(fd, text, left);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        text += n;
        left -= (size_t)n;
    }
    return true;
}

// Returns the exit status.
static int write_summary(sg_session *session, const char *path)
{
    const char *json;
    if (sg_session_summary(session, &json) != SG_OK) {
        sg_report_memory();
        return sg_exit_status(SG_ERR_MEMORY);
    }
    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0)
        return cli_print("%s", json), 0;
    char made[PATH_MAX];
    int fd = open_summary(path, made);
    bool ok = fd >= 0 && put_all(fd, json);
    int error = errno;
    if (fd >= 0 && close(fd) != 0 && ok) {
        ok = false;
        error = errno;
    }
    if (ok && made[0] && rename(made, path) != 0) {
        ok = false;
        error = errno;
    }
    if (!ok)
        cli_complain("segue: cannot write '%s': %s\n", path,
                     error == ELOOP ? "it is a link; name the file itself" : strerror(error));
    if (!ok && fd >= 0 && made[0])
        unlink(made);
    return ok ? 0 : 1;
}

// Where the results are, for a person who looks; programs have --summary.
static void tell_results(const cli_run *run, const sg_session *session)
{
    const char *folder = sg_session_output(session);
    if (folder && !run->quiet)
        cli_tell_earlier_runs(folder);
    if (folder && !run->quiet && isatty(STDOUT_FILENO) && isatty(STDERR_FILENO))
        cli_print("results in %s; look at them with: segue plot %s\n", folder, folder);
}

static void draw(void *context, sg_result *result)
{
    cli_run *run = context;
    cli_progress_erase(&run->progress);
    cli_pictures_write(&run->pictures, result);
}

// Pictures that cannot be made are said before hours of simulation.
static bool prepare_pictures(cli_run *run)
{
    const char *why;
    if (run->pictures.html && !sg_page_available(&why)) {
        cli_complain("segue: --html: this build cannot make pages: %s\n", why);
        return false;
    }
    const char *results = run->session.output_dir;
    if (!cli_pictures_check(&run->pictures, results) ||
        !cli_can_write("summary", run->summary, results))
        return false;
    if (cli_pictures_wanted(&run->pictures)) {
        run->session.scene =
            cli_scene_wanted(&run->pictures) ? SG_SCENE_REQUIRED : SG_SCENE_RECORDED;
        run->session.finished = draw;
    }
    return true;
}

// Who was interrupted or reached a limit does not begin with the next file.
static bool goes_on(sg_status status)
{
    return status != SG_ERR_INTERRUPT && status != SG_ERR_LIMIT && status != SG_ERR_MEMORY;
}

static int run_all(cli_run *run)
{
    int exit_status;
    run->session.keep_run_files = true;
    if (!prepare_pictures(run))
        return 1;
    sg_session *session = cli_open(run, &exit_status);
    if (!session)
        return exit_status;
    sg_status status = SG_OK;
    if (run->code)
        status = sg_session_run_text(session, "<command line>", run->code, strlen(run->code));
    for (size_t i = 0; i < run->parsed.n_rest && goes_on(status); i++)
        status = cli_run_argument(session, run->parsed.rest[i]);
    exit_status = sg_session_exit_status(session);
    int summed = run->json ? write_summary(session, "-") : 0;
    if (run->summary && !summed)
        summed = write_summary(session, run->summary);
    exit_status = exit_status ? exit_status : summed;
    tell_results(run, session);
    exit_status = cli_pictures_end(&run->pictures, exit_status, run->pictures.exit_status);
    cli_close(session);
    return exit_status;
}

int sg_cmd_run(int argc, char **argv)
{
    static const cli_command command = {
        .name = "run",
        .help =
            "usage: segue run [OPTION...] FILE...\n"
            "       segue run [OPTION...] -          read the model from standard input\n"
            "       segue run [OPTION...] -e CODE\n"
            "       segue run [OPTION...] FILE -- ARGUMENT...   the script sees them as ARGS\n\n"
            "Runs model files from top to bottom, with their simulate!, plot and @test lines.\n"
            "\noptions:\n",
        .examples =
            "\nexit status: 0 all well, 1 usage or files, 2 model error, 3 initialization failed,\n"
            "4 solver failed, 5 a check failed, 6 a limit was hit, 7 an action was refused,\n"
            "130 interrupted\n\n"
            "examples:\n"
            "  segue run examples/first/rc_filter.jl\n"
            "  segue run --tol 1e-9 --set R.R=5 -o out examples/first/rc_filter.jl\n"
            "  segue run --html cradle.html examples/contact/newtons_cradle.jl\n"
            "  segue run --summary - -e 'println(2^10)'\n",
        .options = options,
        .n_options = sizeof options / sizeof options[0],
        .least = 1,
        .most = SIZE_MAX,
        .takes_arguments = true,
        .body = run_all,
    };
    return cli_run_command(&command, argc, argv);
}
