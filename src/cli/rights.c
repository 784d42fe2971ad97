#include "rights.h"

#include "terminal.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

bool cli_take_sandbox(const char *value, cli_sandbox *out)
{
    static const char *const names[] = {
        [CLI_SANDBOX_AUTO] = "auto", [CLI_SANDBOX_REQUIRE] = "require", [CLI_SANDBOX_OFF] = "off"};
    for (int i = 0; value && i < 3; i++)
        if (strcmp(value, names[i]) == 0) {
            *out = (cli_sandbox)i;
            return true;
        }
    cli_complain("segue: --sandbox takes require, auto or off, not '%s'\n", value ? value : "");
    return false;
}

void cli_allow_result(sg_wall *wall, const char *path)
{
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    int stem = dot && (!slash || dot > slash) ? (int)(dot - path) : (int)strlen(path);
    char other[PATH_MAX];
    sg_wall_read(wall, path);
    if (snprintf(other, sizeof other, "%.*s.units.csv", stem, path) < (int)sizeof other)
        sg_wall_read(wall, other);
}

bool cli_enter_wall(sg_wall *wall, cli_sandbox how, bool quiet)
{
    if (how == CLI_SANDBOX_OFF)
        return true;
    const char *missing = sg_wall_missing(sg_wall_enter(wall));
    if (missing && how == CLI_SANDBOX_REQUIRE) {
        cli_complain("segue: --sandbox=require cannot be kept: %s\n", missing);
        return false;
    }
#ifndef SG_NO_SANDBOX // nobody who builds with sanitizers wants to be told each time
    if (missing && !quiet)
        cli_complain("segue: note: %s (--sandbox=off: no such note)\n", missing);
#else
    (void)quiet;
#endif
    return true;
}
