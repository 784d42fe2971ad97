#include "limited.h"

#include "options.h"
#include "report.h"
#include "rights.h"
#include "watch.h"

#include <stdint.h>
#include <string.h>

// What the options said, for the body.
static cli_limits limits;
static cli_sandbox sandbox;
static sg_wall *wall;

// False after a message. `*taken` says whether argv[*i] was such an option.
static bool take(int argc, char **argv, int *i, bool *taken)
{
    static const char *const names[] = {"--max-time", "--max-cpu-time", "--max-memory",
                                        "--max-output", "--sandbox"};
    enum { TIME, CPU_TIME, MEMORY, OUTPUT, SANDBOX, COUNT };
    const char *value = NULL;
    int which = 0;
    while (which < COUNT && !sg_option_value(argc, argv, i, names[which], &value))
        which++;
    *taken = which < COUNT;
    if (strcmp(argv[*i], "--no-sandbox") == 0) {
        *taken = true;
        sandbox = CLI_SANDBOX_OFF;
        return true;
    }
    if (!*taken)
        return true;
    if (which == SANDBOX)
        return cli_take_sandbox(value, &sandbox);
    double number;
    if (!cli_take_number(names[which] + 2, value ? value : "", 0.0, &number))
        return false;
    if (which == TIME)
        limits.max_time = number;
    else if (which == CPU_TIME)
        limits.max_cpu_time = number;
    else if (which == MEMORY)
        limits.max_memory = cli_megabytes(number);
    else
        limits.max_output = 1e6 * number;
    return true;
}

int cli_run_limited(int argc, char **argv, int (*body)(int argc, char **argv))
{
    limits = (cli_limits){.max_output = CLI_DEFAULT_OUTPUT,
                          .max_memory = sg_default_memory(),
                          .nobody_listens = true};
    int n = 1;
    for (int i = 1; i < argc; i++) {
        bool taken;
        if (!take(argc, argv, &i, &taken))
            return 1;
        if (!taken)
            argv[n++] = argv[i];
    }
    argv[n] = NULL;
    int status = body(n, argv);
    cli_watch_end();
    sg_wall_destroy(wall);
    return status;
}

bool cli_begin_limited(const char *const *results, size_t n, const char *output)
{
    wall = sandbox == CLI_SANDBOX_OFF ? NULL : sg_wall_create();
    for (size_t i = 0; i < n; i++)
        cli_allow_result(wall, results[i]);
    sg_wall_write(wall, output);
    sg_wall_scratch(wall);                     // large results are read by way of a temporary file
    if (!cli_enter_wall(wall, sandbox, false)) // before there are threads
        return false;
    cli_watch_start(&limits);
    cli_watch_wall(wall);
    return true;
}
