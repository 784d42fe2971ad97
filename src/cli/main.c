// The `segue` command: finds the subcommand and hands over. Everything it can do is behind the
// public headers; this folder only reads arguments and prints.
#include "commands.h"
#include "commit.h"
#include "segue/session.h"
#include "terminal.h"

#include <malloc.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct command {
    const char *name, *arguments, *summary;
    int (*run)(int argc, char **argv);
} command;

static const command commands[] = {
    {"run", "FILE...|-|-e CODE", "run model files from top to bottom", sg_cmd_run},
    {"check", "FILE...", "parse, evaluate and translate; simulate nothing", sg_cmd_check},
    {"info", "FILE [MODEL]|RESULT", "models of a file, or signals of a result", sg_cmd_info},
    {"view", "RESULT|MODEL", "a page with the moving picture and plots of a run", sg_cmd_view},
    {"plot", "RESULT SIGNAL...", "curves as SVG, PNG, PDF or text", sg_cmd_plot},
    {"compare", "RESULT RESULT", "differences of two results, signal by signal", sg_cmd_compare},
    {"convert", "FILE FILE", "a result in another format, a robot as a model", sg_cmd_convert},
    {"export", "MODEL", "a model as an FMU, for other tools", sg_cmd_export},
    {"bench", "MODEL", "where the time of a run goes, and what would help", sg_cmd_bench},
    {"study", "MODEL", "many runs of a model with other values, one table", sg_cmd_study},
    {"distance", "FILE", "signed distances of pairs of convex shapes", sg_cmd_distance},
    {"library", "[GROUP]", "components, functions and operators; 'help NAME' explains one",
     sg_cmd_library},
    {"dump", "STAGE FILE", "a stage of the translation, for developers", sg_cmd_dump},
};
enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

static void print_help(void)
{
    cli_print("Segue simulates systems of equations and 3D parts written in the Modia dialect.\n\n"
              "usage: segue COMMAND [OPTION...] ARGUMENT...\n"
              "       segue FILE                      the same as 'segue run FILE'\n\n"
              "commands:\n");
    for (size_t i = 0; i < N_COMMANDS; i++)
        cli_print("  %-9s %-22s %s\n", commands[i].name, commands[i].arguments,
                  commands[i].summary);
    cli_print("\n'segue COMMAND --help' explains a command with examples, 'segue help NAME' a\n"
              "component or function: segue help Resistor, segue help 'simulate!'\n"
              "  --version   print the version and the commit it was built from\n"
              "  --help      print this page\n\n"
              "examples:\n"
              "  segue run examples/first/rc_filter.jl\n"
              "  segue check examples/first/*.jl\n"
              "  segue run -e 'println(1 + 2)'\n");
}

// The command that takes at most one letter more, less or other, or two that are exchanged.
static const char *nearest_command(const char *typed)
{
    size_t n = strlen(typed);
    for (size_t i = 0; i < N_COMMANDS; i++) {
        const char *name = commands[i].name;
        size_t m = strlen(name), head = 0, tail = 0;
        while (head < n && head < m && typed[head] == name[head])
            head++;
        while (tail < n - head && tail < m - head && typed[n - 1 - tail] == name[m - 1 - tail])
            tail++;
        size_t a = n - head - tail, b = m - head - tail;
        bool exchanged =
            a == 2 && b == 2 && typed[head] == name[head + 1] && typed[head + 1] == name[head];
        if (n > 1 && ((a <= 1 && b <= 1) || exchanged))
            return name;
    }
    return NULL;
}

static int run_command(int argc, char **argv)
{
    const char *first = argc > 1 ? argv[1] : "--help";
    if (!strcmp(first, "help") && argc == 3) { // segue help run: the page of a command
        static char option[] = "--help";
        char *page[] = {argv[2], option, NULL};
        for (size_t i = 0; i < N_COMMANDS; i++)
            if (!strcmp(argv[2], commands[i].name)) {
                int code = commands[i].run(2, page);
                return sg_help_of_function(argv[2], code);
            }
        return sg_cmd_help_name(argv[2]);
    }
    if (!strcmp(first, "--help") || !strcmp(first, "-h") || !strcmp(first, "help")) {
        print_help();
        return argc > 1 ? 0 : 1;
    }
    if (!strcmp(first, "--version")) {
        cli_print(CLI_COMMIT[0] ? "segue %s (commit %s)\n" : "segue %s%s\n", SG_VERSION_TEXT,
                  CLI_COMMIT);
        return 0;
    }
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (!strcmp(first, commands[i].name))
            return commands[i].run(argc - 1, argv + 1);
    if (first[0] == '-' || strpbrk(first, "./"))
        return sg_cmd_run(argc, argv);
    const char *meant = nearest_command(first);
    if (access(first, F_OK) == 0) // a folder, say, or a script without a suffix
        return sg_cmd_run(argc, argv);
    cli_complain("segue: '%s' is neither a command nor a file", first);
    if (meant)
        cli_complain("; did you mean 'segue %s'?", meant);
    cli_complain("\nTry 'segue --help'.\n");
    return 1;
}

// Large blocks are pages of their own, which grow without being copied and go back when they are
// free. Left to itself, glibc takes the first one that was freed as a sign that blocks of its size
// come and go, and from then on cuts them from its heap, where a table that grows leaves holes.
static void settle_memory(void)
{
    enum { LARGE = 1 << 20, KEPT = 8 << 20 };
    (void)mallopt(M_MMAP_THRESHOLD, LARGE);
    (void)mallopt(M_TRIM_THRESHOLD, KEPT);
}

int main(int argc, char **argv)
{
    settle_memory();
    // A limit on the size of files is an error of the write that hits it, with a message and
    // nothing left behind, not the end of the program.
    signal(SIGXFSZ, SIG_IGN);
    cli_terminal_begin();
    return cli_terminal_end(run_command(argc, argv));
}
