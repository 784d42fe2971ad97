#include "limited.h"

#include "options.h"
#include "report.h"
#include "watch.h"

#include <stdint.h>

// False after a message. `*taken` says whether argv[*i] was such an option.
static bool take(int argc, char **argv, int *i, cli_limits *limits, bool *taken)
{
    static const char *const names[] = {"--max-time", "--max-cpu-time", "--max-memory",
                                        "--max-output"};
    enum { TIME, CPU_TIME, MEMORY, OUTPUT, COUNT };
    const char *value = NULL;
    int which = 0;
    while (which < COUNT && !sg_option_value(argc, argv, i, names[which], &value))
        which++;
    *taken = which < COUNT;
    if (!*taken)
        return true;
    double number;
    if (!cli_take_number(names[which] + 2, value ? value : "", 0.0, &number))
        return false;
    if (which == TIME)
        limits->max_time = number;
    else if (which == CPU_TIME)
        limits->max_cpu_time = number;
    else if (which == MEMORY)
        limits->max_memory = cli_megabytes(number);
    else
        limits->max_output = 1e6 * number;
    return true;
}

int cli_run_limited(int argc, char **argv, int (*body)(int argc, char **argv))
{
    cli_limits limits = {.max_output = CLI_DEFAULT_OUTPUT, .max_memory = sg_default_memory()};
    int n = 1;
    for (int i = 1; i < argc; i++) {
        bool taken;
        if (!take(argc, argv, &i, &limits, &taken))
            return 1;
        if (!taken)
            argv[n++] = argv[i];
    }
    argv[n] = NULL;
    cli_watch_start(&limits);
    int status = body(n, argv);
    cli_watch_end();
    return status;
}
