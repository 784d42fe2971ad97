#define _GNU_SOURCE // O_PATH; NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
#include "base/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *sg_resolved_path(sg_arena *arena, const char *path)
{
    char resolved[PATH_MAX];
    if (!realpath(path, resolved))
        return NULL;
    const char *text = sg_arena_text(arena, resolved, strlen(resolved));
    if (!text)
        errno = ENOMEM;
    return text;
}

bool sg_path_below(const char *path, const char *folder)
{
    size_t length = folder ? strlen(folder) : 0;
    return length && strncmp(path, folder, length) == 0 &&
           (path[length] == '/' || path[length] == '\0' || folder[length - 1] == '/');
}

// ---- packages -------------------------------------------------------------------------------

static bool holds(const char *folder, size_t length, const char *name)
{
    char path[PATH_MAX];
    int n = snprintf(path, sizeof path, "%.*s/%s", (int)length, folder, name);
    return n > 0 && n < (int)sizeof path && access(path, F_OK) == 0;
}

// Somebody's home by the list of users, since the program may run as another user.
static bool is_home_of_somebody(const char *folder)
{
    FILE *users = fopen("/etc/passwd", "re");
    char line[PATH_MAX + 256];
    bool found = false;
    while (users && !found && fgets(line, sizeof line, users)) {
        char *field = line;
        for (int i = 0; field && i < 5; i++) { // name:password:user:group:words:home:shell
            field = strchr(field, ':');
            field += field != NULL;
        }
        if (field) {
            field[strcspn(field, ":\n")] = '\0';
            found = strcmp(field, folder) == 0;
        }
    }
    if (users)
        fclose(users);
    return found;
}

static bool may_be_package(const char *folder)
{
    struct stat info;
    char resolved[PATH_MAX];
    const char *home = getenv("HOME");
    if (stat(folder, &info) != 0 || (info.st_mode & S_IWOTH))
        return false;
    if (home && realpath(home, resolved) && sg_path_below(resolved, folder))
        return false;
    return strcmp(folder, "/") != 0 && !is_home_of_somebody(folder);
}

bool sg_cut_to_package(char *folder)
{
    size_t length = strlen(folder);
    while (length > 1 && !holds(folder, length, "Project.toml") && !holds(folder, length, ".git")) {
        while (length > 1 && folder[length - 1] != '/')
            length--;
        length -= length > 1; // the slash itself
    }
    if (length <= 1)
        return false;
    char kept = folder[length];
    folder[length] = '\0';
    if (may_be_package(folder))
        return true;
    folder[length] = kept;
    return false;
}

// ---- reading --------------------------------------------------------------------------------

static int close_with(int fd, int error)
{
    close(fd);
    errno = error;
    return -1;
}

static int open_regular(const char *path, int flags)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags);
    struct stat info;
    if (fd < 0)
        return -1;
    if (fstat(fd, &info) != 0)
        return close_with(fd, errno);
    if (S_ISDIR(info.st_mode))
        return close_with(fd, EISDIR);
    return S_ISREG(info.st_mode) ? fd : close_with(fd, EINVAL);
}

int sg_open_regular(const char *path) { return open_regular(path, 0); }

int sg_open_resolved(const char *resolved)
{
    int fd = open_regular(resolved, O_NOFOLLOW);
    if (fd < 0)
        return -1;
    // A folder on the way may have become a link since the path was resolved.
    char again[PATH_MAX];
    struct stat here, there;
    bool same = realpath(resolved, again) && strcmp(again, resolved) == 0 &&
                fstat(fd, &here) == 0 && lstat(resolved, &there) == 0 &&
                here.st_dev == there.st_dev && here.st_ino == there.st_ino;
    return same ? fd : close_with(fd, ELOOP);
}

// ---- writing --------------------------------------------------------------------------------

// A folder on the way is passed through, not listed: behind the wall that right may be missing.
#ifdef O_PATH
enum { PASS = O_PATH | O_DIRECTORY | O_CLOEXEC };
#else
enum { PASS = O_RDONLY | O_DIRECTORY | O_CLOEXEC };
#endif

// The folder `name` in `at`, made if absent, never a link; `at` is closed.
static int step_into(int at, const char *name)
{
    if (mkdirat(at, name, 0777) != 0 && errno != EEXIST)
        return close_with(at, errno);
    int next = openat(at, name, PASS | O_NOFOLLOW);
    int error = errno;
    close(at);
    errno = error;
    return next;
}

bool sg_make_way(const char *base, const char *path)
{
    size_t length = strlen(base);
    const char *rest = path + length;
    if (strncmp(path, base, length) != 0 || strlen(path) >= PATH_MAX) {
        errno = EINVAL;
        return false;
    }
    int at = open(length ? base : ".", PASS);
    while (at >= 0) {
        rest += strspn(rest, "/");
        size_t part = strcspn(rest, "/");
        if (!rest[part])
            break; // the file itself
        char name[PATH_MAX];
        snprintf(name, sizeof name, "%.*s", (int)part, rest);
        at = step_into(at, name);
        rest += part;
    }
    if (at < 0)
        return false;
    // The file may be new or a regular file; a link would lead the writer away.
    struct stat info;
    bool link = fstatat(at, rest, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(info.st_mode);
    close(at);
    errno = link ? ELOOP : 0;
    return !link;
}
