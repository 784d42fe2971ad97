// segue info and segue dump: looking into a model file.
#include "commands.h"
#include "session_cli.h"
#include "terminal.h"

#include <stdio.h>
#include <string.h>

static const cli_option info_options[] = {
    {"equations", 0, NULL, "how the models are written, and the order of their equations"},
    {"superobjects", 0, NULL, "the bodies of 3D parts: what moves as one, on which joint"},
    {"modia3d-path", 0, "DIR", "where Modia3D's objects/ folder lies"},
    {"allow-read", 0, "DIR", "let scripts read this folder too; may be repeated"},
    {"component", 0, "LIB.so", "load components written in C; may be repeated"},
    CLI_LIMIT_OPTIONS,
    CLI_FMU_OPTION,
    {"help", 'h', NULL, "print this page"},
};

static const cli_option options[] = {
    {"modia3d-path", 0, "DIR", "where Modia3D's objects/ folder lies"},
    {"allow-read", 0, "DIR", "let scripts read this folder too; may be repeated"},
    {"component", 0, "LIB.so", "load components written in C; may be repeated"},
    CLI_LIMIT_OPTIONS,
    CLI_FMU_OPTION,
    {"help", 'h', NULL, "print this page"},
};

// Both evaluate the file without simulating and print one text.
static int print_view(cli_run *run, bool dump)
{
    run->session.check_only = true;
    run->session.write = cli_drop_output;
    run->session.write_error = cli_drop_output;
    int exit_status;
    sg_session *session = cli_open(run, &exit_status);
    if (!session)
        return exit_status;
    const char *const *rest = run->parsed.rest;
    const char *text;
    sg_status status;
    if (dump) {
        status = sg_session_dump(session, rest[0], rest[1], &text);
    } else {
        cli_run_argument(session, rest[0]);
        const char *model = run->parsed.n_rest > 1 ? rest[1] : NULL;
        status = run->superobjects ? sg_session_superobjects(session, model, &text)
                 : run->equations  ? sg_session_info(session, model, &text)
                                   : sg_session_overview(session, model, &text);
    }
    if (status == SG_OK)
        cli_print("%s", text);
    exit_status = sg_session_exit_status(session);
    cli_close(session);
    return exit_status;
}

static int print_info(cli_run *run) { return print_view(run, false); }

static int print_dump(cli_run *run) { return print_view(run, true); }

// A model file is told from a result by its name; results have several suffixes, models one.
static bool names_a_model(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        size_t length = strlen(argv[i]);
        if (argv[i][0] != '-' && length > 3 && strcmp(argv[i] + length - 3, ".jl") == 0)
            return true;
        if (strcmp(argv[i], "-h") == 0 || strcmp(argv[i], "--help") == 0 ||
            strcmp(argv[i], "-") == 0)
            return true;
    }
    return argc == 1;
}

int sg_cmd_info(int argc, char **argv)
{
    if (!names_a_model(argc, argv))
        return sg_cmd_info_result(argc, argv);
    static const cli_command command = {
        .name = "info",
        .help =
            "usage: segue info [OPTION] FILE.jl [MODEL]\n       segue info RESULT [SIGNAL...]\n\n"
            "Shows the instantiated models of a file: their parts, their parameters with units "
            "and\n"
            "values, and where their states begin; nothing is simulated. With MODEL only that "
            "one.\n"
            "\noptions:\n",
        .examples =
            "\nof a RESULT, which lists signals, parameters, segments, events and contacts:\n"
            "      --signals GLOB           list only these signals and parameters\n"
            "      --parameters             every parameter, not only the first 30\n"
            "      --events                 every event\n"
            "      --contacts               every contact, not only the deepest ones\n"
            "      --json                   the same for programs\n"
            "\nexamples:\n  segue info examples/first/rc_filter.jl\n"
            "  segue info --equations examples/first/rc_filter.jl Filter\n"
            "  segue info --superobjects examples/thesis/damped_pendulum.jl\n",
        .options = info_options,
        .n_options = sizeof info_options / sizeof info_options[0],
        .least = 1,
        .most = 2,
        .body = print_info,
    };
    return cli_run_command(&command, argc, argv);
}

int sg_cmd_dump(int argc, char **argv)
{
    static const cli_command command = {
        .name = "dump",
        .help = "usage: segue dump STAGE FILE\n\n"
                "Prints a stage of the translation: ast, model, flat, blocks or program.\n"
                "\noptions:\n",
        .examples = "\nexample:\n  segue dump flat examples/first/rc_filter.jl\n",
        .options = options,
        .n_options = sizeof options / sizeof options[0],
        .least = 2,
        .most = 2,
        .body = print_dump,
    };
    return cli_run_command(&command, argc, argv);
}
