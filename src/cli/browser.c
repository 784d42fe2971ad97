#include "browser.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

// The program of this name on the path, in `out`.
static bool find_program(const char *name, char *out, size_t size)
{
    const char *path = getenv("PATH");
    if (strchr(name, '/')) {
        snprintf(out, size, "%s", name);
        return access(name, X_OK) == 0;
    }
    for (size_t n; path && *path; path += n + (path[n] == ':')) {
        n = strcspn(path, ":");
        int length = snprintf(out, size, "%.*s/%s", (int)n, path, name);
        if (length > 0 && (size_t)length < size && access(out, X_OK) == 0)
            return true;
    }
    return false;
}

static bool has_screen(void)
{
#ifdef __APPLE__
    return true;
#else
    const char *x = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    return (x && *x) || (wayland && *wayland);
#endif
}

// Starts a program with one argument, its output thrown away. It lives on when we end.
static bool start(const char *program, const char *argument)
{
    char *arguments[] = {strdup(program), strdup(argument), NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    bool ok = arguments[0] && arguments[1] && posix_spawn_file_actions_init(&actions) == 0;
    if (ok) {
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        ok = posix_spawn(&child, program, &actions, NULL, arguments, environ) == 0;
        posix_spawn_file_actions_destroy(&actions);
    }
    free(arguments[0]);
    free(arguments[1]);
    return ok;
}

bool cli_open_in_browser(const char *path)
{
    const char *const names[] = {getenv("BROWSER"), "xdg-open", "open"};
    char program[4096];
    for (size_t i = 0; has_screen() && i < sizeof names / sizeof names[0]; i++)
        if (names[i] && *names[i] && find_program(names[i], program, sizeof program))
            return start(program, path);
    return false;
}
