#define _GNU_SOURCE // O_PATH; NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
#include "segue/wall.h"

#include "wall/calls.h"
#include "wall/folders.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_MADE = 64 };

struct sg_wall {
    sg_folders folders;
    char *made[MOST_MADE]; // output folders
    size_t n_made;
    char *scratch, *tmpdir; // the folder of temporary files; what TMPDIR was before, or null
};

sg_wall *sg_wall_create(void)
{
    sg_wall *wall = calloc(1, sizeof *wall);
    if (wall)
        sg_folders_init(&wall->folders);
    return wall;
}

static void allow(sg_wall *wall, const char *path, unsigned rights)
{
    sg_folders_allow(&wall->folders, path, rights);
}

// The folder that holds a file, in `folder`. False if the name is too long.
static bool folder_of(const char *file, char folder[PATH_MAX])
{
    const char *slash = strrchr(file, '/');
    int length = !slash ? 1 : slash == file ? 1 : (int)(slash - file);
    return snprintf(folder, PATH_MAX, "%.*s", length, slash ? file : ".") < PATH_MAX;
}

void sg_wall_read(sg_wall *wall, const char *path)
{
    if (wall && path)
        allow(wall, path, SG_MAY_READ | SG_MAY_LIST);
}

void sg_wall_read_beside(sg_wall *wall, const char *file)
{
    char folder[PATH_MAX];
    if (wall && file && folder_of(file, folder))
        allow(wall, folder, SG_MAY_READ | SG_MAY_LIST);
}

// A run file looks at what it has written, and its name until it is complete is another one.
static bool is_read_back(const char *file)
{
    static const char suffix[] = ".segue";
    size_t n = strlen(file);
    return n >= sizeof suffix - 1 && strcmp(file + n - (sizeof suffix - 1), suffix) == 0;
}

void sg_wall_write(sg_wall *wall, const char *file)
{
    char folder[PATH_MAX];
    struct stat info;
    if (!wall || !file)
        return;
    bool itself = strncmp(file, "/dev/", 5) == 0 || strncmp(file, "/proc/", 6) == 0 ||
                  (stat(file, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode));
    if (itself)
        allow(wall, file, SG_MAY_WRITE);
    else if (folder_of(file, folder))
        allow(wall, folder, SG_MAY_WRITE | SG_MAY_MAKE | (is_read_back(file) ? SG_MAY_READ : 0));
}

// Makes the steps of a path that are not there. The first folder that is there already gets the
// right to remove empty folders, so that ours can go again.
static void make_way(sg_wall *wall, const char *folder)
{
    char path[PATH_MAX], above[PATH_MAX] = ".";
    struct stat info;
    if (snprintf(path, sizeof path, "%s", folder) >= (int)sizeof path)
        return;
    bool absent = false;
    size_t length = strlen(path);
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        char kept = path[i];
        path[i] = '\0';
        absent = absent || stat(path, &info) != 0;
        if (!absent)
            snprintf(above, sizeof above, "%s", path);
        else if (mkdir(path, 0777) == 0 && wall->n_made < MOST_MADE)
            wall->made[wall->n_made++] = strdup(path);
        path[i] = kept;
    }
    if (wall->n_made)
        allow(wall, above, SG_MAY_REMOVE_FOLDERS);
}

void sg_wall_output(sg_wall *wall, const char *folder, bool named)
{
    if (!wall || !folder || !sg_folders_work(&wall->folders))
        return;
    make_way(wall, folder);
    allow(wall, folder,
          SG_MAY_READ | SG_MAY_LIST | SG_MAY_WRITE | SG_MAY_MAKE | SG_MAY_MAKE_FOLDERS |
              (named ? 0 : SG_NO_LINK));
}

bool sg_wall_scratch(sg_wall *wall)
{
    if (!wall || wall->scratch || !sg_folders_work(&wall->folders))
        return wall && wall->scratch;
    const char *before = getenv("TMPDIR");
    char path[PATH_MAX];
    int n = snprintf(path, sizeof path, "%s/segue-XXXXXX", before && *before ? before : P_tmpdir);
    if (n >= (int)sizeof path || !mkdtemp(path))
        return false;
    wall->scratch = strdup(path);
    wall->tmpdir = before ? strdup(before) : NULL;
    if (!wall->scratch || setenv("TMPDIR", path, 1) != 0) {
        rmdir(path);
        free(wall->scratch);
        wall->scratch = NULL;
        return false;
    }
    allow(wall, path, SG_MAY_READ | SG_MAY_LIST | SG_MAY_WRITE | SG_MAY_MAKE);
    // A rule for the folder covers what is in it; its own name stands in the folder above, where
    // nothing but the removal of folders is granted, and the kernel removes empty ones only.
    if (before && *before)
        allow(wall, before, SG_MAY_REMOVE_FOLDERS);
    else
        allow(wall, P_tmpdir, SG_MAY_REMOVE_FOLDERS);
    return true;
}

// What libraries look at: themselves, fonts, the clock, random numbers, books about this process.
static void allow_libraries(sg_wall *wall)
{
    static const char *const places[] = {"/usr",
                                         "/lib",
                                         "/lib64",
                                         "/opt",
                                         "/nix",
                                         "/etc/fonts",
                                         "/etc/ld.so.cache",
                                         "/etc/ld.so.preload",
                                         "/etc/localtime",
                                         "/var/cache/fontconfig",
                                         "/proc/self",
                                         "/sys/devices/system/cpu",
                                         "/dev/null",
                                         "/dev/zero",
                                         "/dev/random",
                                         "/dev/urandom"};
    static const char *const fonts[] = {".fonts", ".local/share/fonts", ".config/fontconfig",
                                        ".cache/fontconfig"};
    const char *home = getenv("HOME");
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        allow(wall, places[i], SG_MAY_READ | SG_MAY_LIST);
    for (size_t i = 0; home && i < sizeof fonts / sizeof *fonts; i++) {
        char path[PATH_MAX];
        if (snprintf(path, sizeof path, "%s/%s", home, fonts[i]) < (int)sizeof path)
            allow(wall, path, SG_MAY_READ | SG_MAY_LIST);
    }
}

unsigned sg_wall_enter(sg_wall *wall)
{
    if (!wall)
        return 0;
    allow_libraries(wall);
    unsigned parts = sg_folders_restrict(&wall->folders) ? SG_WALL_FILES : 0;
    return parts | (sg_calls_restrict(SG_CALLS_RUN) ? SG_WALL_CALLS : 0);
}

const char *sg_wall_missing(unsigned parts)
{
#ifdef SG_NO_SANDBOX
    return (void)parts, "this program was built with sanitizers or coverage, which need all rights";
#else
    switch (parts & SG_WALL_ALL) {
    case SG_WALL_ALL:
        return NULL;
    case SG_WALL_FILES:
        return "this kernel has no seccomp, so system calls are not restricted";
    case SG_WALL_CALLS:
        return "this kernel has no Landlock, so files outside are kept by Segue's own rules alone";
    default:
        return "this kernel has neither Landlock nor seccomp, so Segue's own rules stand alone";
    }
#endif
}

void sg_wall_abandon(const sg_wall *wall)
{
    if (wall && wall->scratch)
        rmdir(wall->scratch);
}

void sg_wall_destroy(sg_wall *wall)
{
    if (!wall)
        return;
    sg_folders_destroy(&wall->folders);
    sg_wall_abandon(wall);
    if (wall->tmpdir)
        setenv("TMPDIR", wall->tmpdir, 1);
    else if (wall->scratch)
        unsetenv("TMPDIR");
    while (wall->n_made > 0) {
        char *folder = wall->made[--wall->n_made];
        if (folder)
            rmdir(folder); // one that is in use stays
        free(folder);
    }
    free(wall->scratch);
    free(wall->tmpdir);
    free(wall);
}
