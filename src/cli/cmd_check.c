// segue check
#include "commands.h"
#include "session_cli.h"
#include "terminal.h"
#include "watch.h"

#include <stdint.h>
#include <stdio.h>

static const cli_option options[] = {
    {"json", 0, NULL, "one JSON object a line for each message, for editors"},
    {"modia3d-path", 0, "DIR", "where Modia3D's objects/ folder lies"},
    {"allow-read", 0, "DIR", "let scripts read this folder too; may be repeated"},
    {"compat", 0, "LIST", "modia-0.12, or single compatibility switches"},
    {"component", 0, "LIB.so", "load components written in C; may be repeated"},
    CLI_LIMIT_OPTIONS,
    CLI_FMU_OPTION,
    {"quiet", 'q', NULL, "print only errors and their notes"},
    {"help", 'h', NULL, "print this page"},
};

static void print_json(sg_session *session)
{
    static const char *const words[] = {"error", "warning", "note"};
    for (size_t i = 0; i < sg_session_diag_count(session); i++) {
        const char *file;
        unsigned line, column;
        const sg_diag *diag = sg_session_diag(session, i, &file, &line, &column);
        cli_print("{\"severity\":\"%s\",\"code\":\"E%04d\",\"file\":", words[diag->severity],
                  (int)diag->code);
        cli_print_json(file);
        cli_print(",\"line\":%u,\"column\":%u,\"length\":%u,\"text\":", line, column,
                  diag->span.last - diag->span.first);
        cli_print_json(diag->message);
        cli_print("}\n");
    }
}

// One session a file: files are independent, and one bad file must not hide another.
static int check_file(cli_run *run, const char *path)
{
    int exit_status;
    sg_session *session = cli_open(run, &exit_status);
    if (!session)
        return exit_status;
    cli_run_argument(session, path);
    exit_status = sg_session_exit_status(session);
    size_t skipped = sg_session_skipped(session);
    if (run->json) {
        print_json(session);
    } else if (exit_status == 0 && !run->quiet) {
        cli_print("%s: ok", path);
        if (skipped)
            cli_print(" (%zu statement%s a run and %s skipped)", skipped,
                      skipped == 1 ? " needs" : "s need", skipped == 1 ? "was" : "were");
        cli_print("\n");
    }
    cli_close(session);
    return exit_status;
}

static int check_all(cli_run *run)
{
    run->session.check_only = true;
    run->session.write = cli_drop_output;
    run->session.write_error = cli_drop_output;
    if (run->json)
        run->session.report = NULL;
    int exit_status = 0;
    for (size_t i = 0; i < run->parsed.n_rest; i++) {
        bool stopped = i > 0 && cli_watch_stopped(); // between two files or in the one before
        int one = stopped ? cli_watch_report() : check_file(run, run->parsed.rest[i]);
        if (exit_status == 0)
            exit_status = one;
    }
    return exit_status;
}

int sg_cmd_check(int argc, char **argv)
{
    static const cli_command command = {
        .name = "check",
        .help = "usage: segue check [OPTION...] FILE...\n\n"
                "Parses, evaluates, instantiates and translates, but simulates nothing. Values\n"
                "that depend on a run are unknown; statements that need them are skipped and\n"
                "counted.\n\noptions:\n",
        .examples = "\nexamples:\n"
                    "  segue check examples/first/rc_filter.jl\n"
                    "  segue check --json examples/first/pendulum.jl\n",
        .options = options,
        .n_options = sizeof options / sizeof options[0],
        .least = 1,
        .most = SIZE_MAX,
        .body = check_all,
    };
    return cli_run_command(&command, argc, argv);
}
