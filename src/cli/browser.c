#include "browser.h"

#include "terminal.h"
#include "watch.h"

#include <errno.h>
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

// Starts a program; arguments[0] is its path. It lives on when we end. In the helper, whose streams
// lead nowhere.
static bool start(char *const *arguments, pid_t *child)
{
    // The helper ignores these; others may count on them.
    static const int usual[] = {SIGPIPE, SIGINT, SIGHUP, SIGQUIT, SIGXFSZ};
    posix_spawnattr_t attributes;
    sigset_t signals;
    if (posix_spawnattr_init(&attributes) != 0)
        return false;
    sigemptyset(&signals);
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        sigaddset(&signals, usual[i]);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    bool ok = posix_spawn(child, arguments[0], NULL, &attributes, arguments, environ) == 0;
    posix_spawnattr_destroy(&attributes);
    return ok;
}

typedef struct open_request {
    char program[4096], *page;
} open_request;

static sg_status serve_open(void *context, const void *request, size_t n, sg_helper_answer *answer,
                            char words[SG_HELPER_WORDS])
{
    (void)request, (void)n, (void)answer;
    open_request *q = context;
    char *arguments[] = {q->program, q->page, NULL};
    pid_t child;
    if (start(arguments, &child))
        return SG_OK;
    snprintf(words, SG_HELPER_WORDS, "it cannot be started");
    return SG_ERR_IO;
}

// A helper that keeps its rights and does one thing.
static sg_helper *start_helper(const char *name, void *context, bool (*over)(void *context),
                               sg_status (*serve)(void *, const void *, size_t, sg_helper_answer *,
                                                  char[SG_HELPER_WORDS]))
{
    sg_helper_service service = sg_helper_service_make();
    sg_helper *helper = NULL;
    service.name = name;
    service.context = context;
    service.over = over;
    service.serve = serve;
    service.max_request = service.max_answer = 0;
    service.keeps_rights = true;
    sg_helper_start(&service, &helper);
    return helper;
}

sg_helper *cli_browser_start(const char *path)
{
    const char *const names[] = {getenv("BROWSER"), "xdg-open", "open"};
    open_request q;
    for (size_t i = 0; has_screen() && i < sizeof names / sizeof names[0]; i++) {
        if (!names[i] || !*names[i] || !find_program(names[i], q.program, sizeof q.program))
            continue;
        q.page = strdup(path);
        sg_helper *helper = q.page ? start_helper("the browser", &q, NULL, serve_open) : NULL;
        free(q.page); // the helper has its own
        return helper;
    }
    return NULL;
}

static sg_status ask(sg_helper *helper, char words[SG_HELPER_WORDS])
{
    const void *answer;
    size_t n;
    return sg_helper_ask(helper, NULL, 0, &answer, &n, words);
}

bool cli_open_in_browser(sg_helper *browser)
{
    char words[SG_HELPER_WORDS];
    return browser && ask(browser, words) == SG_OK;
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

// A file of its own beside `png`. To be freed.
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

// In the helper, which waits no longer than its minute.
static sg_status serve_picture(void *context, const void *request, size_t n,
                               sg_helper_answer *answer, char words[SG_HELPER_WORDS])
{
    (void)request, (void)n, (void)answer;
    const cli_camera *c = context;
    // Drawn without a graphics card. The sandbox of Chromium does not work for root.
    char *arguments[] = {c->program,
                         "--headless",
                         "--use-angle=swiftshader",
                         "--enable-unsafe-swiftshader",
                         "--hide-scrollbars",
                         "--force-device-scale-factor=1",
                         "--virtual-time-budget=3000",
                         c->window,
                         c->shot,
                         c->address,
                         getuid() == 0 ? "--no-sandbox" : NULL,
                         NULL};
    pid_t child;
    int state = 1;
    if (start(arguments, &child) && waitpid(child, &state, 0) == child && WIFEXITED(state) &&
        WEXITSTATUS(state) == 0)
        return SG_OK;
    snprintf(words, SG_HELPER_WORDS, "Chromium failed");
    return SG_ERR_IO;
}

static bool is_over(void *context)
{
    (void)context;
    return cli_watch_is_over();
}

static char *make_page(void)
{
    const char *folder = getenv("TMPDIR");
    char page[4096];
    snprintf(page, sizeof page, "%s/segue-XXXXXX.html", folder && *folder ? folder : P_tmpdir);
    int fd = mkstemps(page, 5);
    if (fd < 0) {
        cli_complain("segue: cannot make '%s': %s\n", page, strerror(errno));
        return NULL;
    }
    close(fd);
    return strdup(page);
}

// OPTION and what it is set to. To be freed.
static char *put_option(const char *option, const char *value)
{
    size_t size = strlen(option) + strlen(value) + 1;
    char *out = malloc(size);
    if (out)
        snprintf(out, size, "%s%s", option, value);
    return out;
}

bool cli_camera_start(cli_camera *c, const char *png, double time, int width, int height)
{
    char program[4096], window[64];
    if (!find_chromium(program, sizeof program)) {
        cli_complain("segue: --png needs Chromium, which is not there (on Debian: apt-get install "
                     "chromium); SEGUE_CHROMIUM may say where it is\n");
        return false;
    }
    c->made = make_beside(png);
    if (!c->made) {
        cli_complain("segue: cannot write '%s': %s\n", png, strerror(errno));
        return false;
    }
    c->page = make_page();
    if (!c->page)
        return false;
    snprintf(window, sizeof window, "%d,%d", width, height);
    c->png = strdup(png);
    c->program = strdup(program);
    c->shot = put_option("--screenshot=", c->made);
    c->window = put_option("--window-size=", window);
    c->address = address_of(c->page, time);
    if (c->png && c->program && c->shot && c->window && c->address)
        c->helper = start_helper("the camera", c, is_over, serve_picture);
    if (!c->helper)
        cli_complain("segue: --png: no process can be started\n");
    return c->helper != NULL;
}

int cli_camera_shoot(cli_camera *c)
{
    char words[SG_HELPER_WORDS];
    struct stat info;
    bool ok = ask(c->helper, words) == SG_OK && stat(c->made, &info) == 0 && info.st_size > 0 &&
              rename(c->made, c->png) == 0;
    int over = ok ? 0 : cli_watch_report();
    if (!ok && !over)
        cli_complain("segue: %s made no picture '%s'\n", c->program, c->png);
    return ok ? 0 : over ? over : 1;
}

void cli_camera_end(cli_camera *c)
{
    char *const texts[] = {c->page, c->made, c->png, c->program, c->shot, c->window, c->address};
    sg_helper_destroy(c->helper);
    if (c->page)
        unlink(c->page);
    if (c->made)
        unlink(c->made); // unless it has its name
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    *c = (cli_camera){0};
}
