#include "browser.h"

#include "terminal.h"
#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
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

// Starts a program, its output thrown away; arguments[0] is its path. It lives on when we end.
static bool start(char *const *arguments, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return false;
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    // We ignore this signal (cli_terminal_begin); others may count on it.
    posix_spawnattr_t attributes;
    sigset_t pipe;
    bool plain = posix_spawnattr_init(&attributes) != 0;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    if (!plain) {
        posix_spawnattr_setsigdefault(&attributes, &pipe);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    }
    cli_watch_lift();
    bool ok = posix_spawn(child, arguments[0], &actions, plain ? NULL : &attributes, arguments,
                          environ) == 0;
    cli_watch_restore();
    if (!plain)
        posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return ok;
}

bool cli_open_in_browser(const char *path)
{
    const char *const names[] = {getenv("BROWSER"), "xdg-open", "open"};
    char program[4096];
    for (size_t i = 0; has_screen() && i < sizeof names / sizeof names[0]; i++) {
        if (!names[i] || !*names[i] || !find_program(names[i], program, sizeof program))
            continue;
        char *file = strdup(path), *arguments[] = {program, file, NULL};
        pid_t child;
        bool ok = file && start(arguments, &child);
        free(file);
        return ok;
    }
    return false;
}

// ---- the camera -----------------------------------------------------------------------------

static bool find_chromium(char *out, size_t size)
{
    const char *const names[] = {getenv("SEGUE_CHROMIUM"), "chromium", "chromium-browser",
                                 "google-chrome", "google-chrome-stable"};
    if (names[0] && *names[0]) // who says where it is means that one
        return find_program(names[0], out, size);
    for (size_t i = 1; i < sizeof names / sizeof names[0]; i++)
        if (find_program(names[i], out, size))
            return true;
    return false;
}

// The address of the page with what to show behind the #; bytes that mean something there are
// written as numbers. To be freed.
static char *address_of(const char *page, double time)
{
    char *path = realpath(page, NULL);
    size_t size = (path ? 3 * strlen(path) : 0) + 100, n = 7;
    char *out = path ? malloc(size) : NULL;
    if (out) {
        memcpy(out, "file://", n + 1);
        for (const char *c = path; *c; c++) {
            unsigned char byte = (unsigned char)*c;
            bool plain = byte > 32 && byte < 127 && !strchr("%#?\"<>[]", *c);
            n += (size_t)snprintf(out + n, size - n, plain ? "%c" : "%%%02X", byte);
        }
        snprintf(out + n, size - n, "#t=%.17g&ui=none&theme=light", time);
    }
    free(path);
    return out;
}

// Waits for the picture, but not for ever: a minute, or until the program is to end.
static bool wait_for(pid_t child)
{
    for (int i = 0; i < 1200 && !cli_watch_is_over(); i++) {
        int state;
        pid_t done = waitpid(child, &state, WNOHANG);
        if (done != 0)
            return done == child && WIFEXITED(state) && WEXITSTATUS(state) == 0;
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    }
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    return false;
}

// Chromium draws into a file of its own beside `png`, so that an earlier picture stays if this one
// fails. To be freed.
static char *make_beside(const char *png)
{
    const char *slash = strrchr(png, '/');
    int folder = slash ? (int)(slash + 1 - png) : 0;
    size_t size = (size_t)folder + sizeof "segue-XXXXXX.png";
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%.*ssegue-XXXXXX.png", folder, png);
    int fd = path ? mkstemps(path, 4) : -1;
    if (fd < 0) {
        free(path);
        return NULL;
    }
    mode_t mask = umask(0);
    umask(mask);
    fchmod(fd, 0666 & ~mask); // as other files have it
    close(fd);
    return path;
}

static bool shoot(char *program, const char *page, const char *png, double time, int width,
                  int height)
{
    char *address = address_of(page, time), shot[4096], window[64];
    snprintf(shot, sizeof shot, "--screenshot=%s", png);
    snprintf(window, sizeof window, "--window-size=%d,%d", width, height);
    // Drawn without a graphics card. The sandbox of Chromium does not work for root.
    char *arguments[] = {program,
                         "--headless",
                         "--use-angle=swiftshader",
                         "--enable-unsafe-swiftshader",
                         "--hide-scrollbars",
                         "--force-device-scale-factor=1",
                         "--virtual-time-budget=3000",
                         window,
                         shot,
                         address,
                         getuid() == 0 ? "--no-sandbox" : NULL,
                         NULL};
    pid_t child;
    struct stat info;
    bool ok = address && start(arguments, &child) && wait_for(child) && stat(png, &info) == 0 &&
              info.st_size > 0;
    free(address);
    return ok;
}

int cli_take_picture(const char *page, const char *png, double time, int width, int height)
{
    char program[4096];
    if (!find_chromium(program, sizeof program)) {
        cli_complain("segue: --png needs Chromium, which is not there (on Debian: apt-get install "
                     "chromium); SEGUE_CHROMIUM may say where it is\n");
        return 1;
    }
    char *made = make_beside(png);
    if (!made) {
        cli_complain("segue: cannot write '%s': %s\n", png, strerror(errno));
        return 1;
    }
    bool ok = shoot(program, page, made, time, width, height) && rename(made, png) == 0;
    int over = ok ? 0 : cli_watch_report();
    if (!ok) {
        unlink(made);
        if (!over)
            cli_complain("segue: %s made no picture '%s'\n", program, png);
    }
    free(made);
    return ok ? 0 : over ? over : 1;
}
