// segue export MODEL: a model as an FMU.
#include "commands.h"
#include "report.h"
#include "segue/fmu.h"
#include "session_cli.h"
#include "terminal.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const cli_option options[] = {
    {"fmu", 0, "2|3", "version of the FMI standard (2)"},
    {"kind", 0, "cs|me|both", "co-simulation, model exchange, or both in one file (cs)"},
    {"target", 'o', "OUT.fmu", "the file to write; else the model's file with the ending .fmu"},
    {"model", 0, "NAME", "which model of the file, if it has several; else the last one"},
    {"modia3d-path", 0, "DIR", "where Modia3D's objects/ folder lies"},
    {"allow-read", 0, "DIR", "let the model read this folder too; may be repeated"},
    CLI_LIMIT_OPTIONS,
    {"help", 'h', NULL, "print this page"},
};

// What prepare finds before the wall goes up.
static char adapter[PATH_MAX], target[PATH_MAX];

// The library that goes into FMUs lies beside the program where it was built, and in lib/segue
// where it is installed.
static bool find_adapter(void)
{
    static const char *const places[] = {"segue_fmu.so", "../lib/segue/segue_fmu.so",
                                         "../lib64/segue/segue_fmu.so"};
    char program[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    program[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(program, '/');
    if (!slash)
        return false;
    *slash = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (snprintf(adapter, sizeof adapter, "%s/%s", program, places[i]) < (int)sizeof adapter &&
            access(adapter, R_OK) == 0)
            return true;
    return false;
}

static bool is_one_of(const char *value, const char *a, const char *b, const char *c)
{
    return !value || strcmp(value, a) == 0 || strcmp(value, b) == 0 || (c && strcmp(value, c) == 0);
}

static bool prepare(cli_run *run)
{
    const char *file = run->parsed.rest[0];
    if (!is_one_of(run->fmu, "2", "3", NULL) || !is_one_of(run->kind, "cs", "me", "both")) {
        cli_complain("segue export: --fmu takes 2 or 3, and --kind takes cs, me or both\n");
        return false;
    }
    if (!find_adapter()) {
        cli_complain("segue export: segue_fmu.so, which FMUs have inside, is neither beside the "
                     "program nor in ../lib/segue; 'make install' puts it there\n");
        return false;
    }
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
    const char *dot = strrchr(base, '.');
    int length = dot && dot != base ? (int)(dot - base) : (int)strlen(base);
    int n = run->target ? snprintf(target, sizeof target, "%s", run->target)
                        : snprintf(target, sizeof target, "%.*s.fmu", length, base);
    if (n >= (int)sizeof target) {
        cli_complain("segue export: the name of the file is too long\n");
        return false;
    }
    sg_wall_read(run->wall, adapter);
    sg_wall_write(run->wall, target);
    return true;
}

static int export_model(cli_run *run)
{
    sg_fmu_options o = sg_fmu_options_make();
    const char *kind = run->kind ? run->kind : "cs";
    o.version = run->fmu && run->fmu[0] == '3' ? 3 : 2;
    o.co_simulation = strcmp(kind, "me") != 0;
    o.model_exchange = strcmp(kind, "cs") != 0;
    o.adapter = adapter;
    o.model = run->model;
    o.modia3d_path = run->session.modia3d_path;
    o.allow_read = run->session.allow_read;
    o.n_allow_read = run->session.n_allow_read;
    o.max_memory = run->session.max_memory;
    sg_diags *diags = sg_diags_create(NULL);
    sg_status status =
        diags ? sg_fmu_export(NULL, run->parsed.rest[0], target, &o, diags) : SG_ERR_MEMORY;
    sg_report(diags, status);
    sg_diags_destroy(diags);
    if (status == SG_OK && !run->quiet)
        cli_print("%s: FMI %d.0, %s\n", target, o.version,
                  !o.model_exchange  ? "co-simulation"
                  : !o.co_simulation ? "model exchange"
                                     : "co-simulation and model exchange");
    return sg_exit_status(status);
}

int sg_cmd_export(int argc, char **argv)
{
    static const cli_command command = {
        .name = "export",
        .help = "usage: segue export [OPTION...] MODEL.jl\n\n"
                "Writes a model as an FMU, which other tools can simulate: the text of the model "
                "with all\nfiles that it reads, a description of its variables, and Segue itself "
                "as a library\n(docs/fmi.md). Solver, times and tolerance are those of the last "
                "simulate! of the file.\n\noptions:\n",
        .examples = "\nexamples:\n  segue export examples/first/rc_filter.jl --fmu 3 -o rc.fmu\n"
                    "  segue export examples/events/bouncing_ball.jl --kind both\n",
        .options = options,
        .n_options = sizeof options / sizeof options[0],
        .least = 1,
        .most = 1,
        .prepare = prepare,
        .body = export_model,
    };
    return cli_run_command(&command, argc, argv);
}
