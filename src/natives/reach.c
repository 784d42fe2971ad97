#include "natives/reach.h"

#include "base/disk.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINKS = 40 }; // as in the kernel

typedef struct path_walk {
    const char *const *folders; // that may be read, resolved; entries may be null
    size_t n;
    char at[PATH_MAX];   // resolved so far; "" is the root
    char rest[PATH_MAX]; // still to be walked
    int links;
    bool dots; // ".." was met: where it leads depends on what is there
} path_walk;

static bool below_any(const path_walk *w, const char *path)
{
    for (size_t i = 0; i < w->n; i++)
        if (w->folders[i] && sg_path_below(path, w->folders[i]))
            return true;
    return false;
}

static bool above_any(const path_walk *w, const char *path)
{
    for (size_t i = 0; i < w->n; i++)
        if (w->folders[i] && sg_path_below(w->folders[i], path))
            return true;
    return false;
}

// Puts what a link says in front of the rest.
static sg_reach follow(path_walk *w, const char *link)
{
    char target[PATH_MAX], rest[PATH_MAX];
    ssize_t length = readlink(link, target, sizeof target - 1);
    if (length < 0)
        return SG_REACH_MISSING;
    target[length] = '\0';
    errno = ELOOP;
    if (++w->links > MOST_LINKS)
        return SG_REACH_MISSING;
    errno = ENAMETOOLONG;
    if (snprintf(rest, sizeof rest, "%s%s", target, w->rest) >= (int)sizeof rest)
        return SG_REACH_MISSING;
    memcpy(w->rest, rest, sizeof rest);
    if (target[0] == '/')
        w->at[0] = '\0';
    return SG_REACH_YES;
}

// One name of the rest.
static sg_reach step(path_walk *w)
{
    char name[PATH_MAX], next[PATH_MAX];
    char *from = w->rest + strspn(w->rest, "/");
    size_t length = strcspn(from, "/");
    memcpy(name, from, length);
    name[length] = '\0';
    memmove(w->rest, from + length, strlen(from + length) + 1);
    if (length == 0 || strcmp(name, ".") == 0)
        return SG_REACH_YES;
    if (strcmp(name, "..") == 0) {
        char *slash = strrchr(w->at, '/');
        w->dots = true;
        if (slash)
            *slash = '\0';
        return SG_REACH_YES;
    }
    errno = ENAMETOOLONG;
    if (snprintf(next, sizeof next, "%s/%s", w->at, name) >= (int)sizeof next)
        return SG_REACH_MISSING;
    if (below_any(w, next)) {
        struct stat info;
        if (lstat(next, &info) != 0)
            return SG_REACH_MISSING;
        if (S_ISLNK(info.st_mode))
            return follow(w, next);
        errno = ENOTDIR;
        if (!S_ISDIR(info.st_mode) && w->rest[0])
            return SG_REACH_MISSING;
    } else if (!above_any(w, next)) {
        memcpy(w->at, next, sizeof next);
        return SG_REACH_OUTSIDE;
    }
    memcpy(w->at, next, sizeof next);
    return SG_REACH_YES;
}

// Where the walk begins: names that the user typed lead where they lead, be there links in them.
static bool begin(path_walk *w, const char *path, const char *const *typed,
                  const char *const *resolved, size_t n)
{
    size_t best = 0;
    w->at[0] = '\0';
    for (size_t i = 0; i < n; i++) {
        size_t length = typed[i] && resolved[i] ? strlen(typed[i]) : 0;
        if (length > best && strncmp(path, typed[i], length) == 0 &&
            (path[length] == '/' || !path[length] || typed[i][length - 1] == '/')) {
            best = length;
            snprintf(w->at, sizeof w->at, "%s", strcmp(resolved[i], "/") ? resolved[i] : "");
        }
    }
    if (best == 0 && path[0] != '/' && !getcwd(w->at, sizeof w->at))
        return false;
    if (strcmp(w->at, "/") == 0)
        w->at[0] = '\0';
    return snprintf(w->rest, sizeof w->rest, "%s", path + best) < (int)sizeof w->rest;
}

// Whatever a model needs, it is not the passwords of a repository.
static bool in_repository(const sg_files *files, const char *path)
{
    return files->root && sg_path_below(path, files->root) &&
           strstr(path + strlen(files->root), "/.git/");
}

static bool has_dots(const path_walk *w)
{
    return w->dots || strcmp(w->rest, "/..") == 0 || strstr(w->rest, "/../") ||
           (strlen(w->rest) > 2 && strcmp(w->rest + strlen(w->rest) - 3, "/..") == 0);
}

sg_reach sg_files_reach(const sg_files *files, sg_arena *arena, const char *path,
                        const char **resolved)
{
    enum { OWN = 4 };
    size_t n = files->n_allowed + OWN;
    const char **typed = SG_NEW_ARRAY(arena, const char *, n), **folders;
    folders = SG_NEW_ARRAY(arena, const char *, n);
    if (!typed || !folders)
        return SG_REACH_MEMORY;
    const char *own[OWN] = {files->root, files->modia3d_path, files->output_dir,
                            files->main_folder};
    char here[PATH_MAX];
    for (size_t i = 0; i < n; i++) {
        typed[i] = i < OWN ? own[i] : files->allowed[i - OWN];
        folders[i] =
            typed[i] ? realpath(typed[i], here) ? sg_arena_text(arena, here, strlen(here)) : NULL
                     : NULL;
    }
    path_walk w = {.folders = folders, .n = n};
    errno = ENAMETOOLONG;
    if (!begin(&w, path, typed, folders, n))
        return SG_REACH_MISSING;
    sg_reach reach = SG_REACH_YES;
    while (reach == SG_REACH_YES && w.rest[0])
        reach = step(&w);
    // The folders may have other names, by links outside that the user has made. Without ".." only
    // a path that leads inside tells that it is there.
    char whole[PATH_MAX];
    if (reach == SG_REACH_OUTSIDE && !has_dots(&w) && realpath(path, whole) &&
        below_any(&w, whole)) {
        memcpy(w.at, whole, sizeof whole);
        w.rest[0] = '\0';
        reach = SG_REACH_YES;
    }
    if (reach == SG_REACH_MISSING)
        return reach;
    const char *at = w.at[0] || w.rest[0] ? w.at : "/";
    if (reach == SG_REACH_YES && (!below_any(&w, at) || in_repository(files, at)))
        reach = SG_REACH_OUTSIDE;
    *resolved = sg_arena_printf(arena, "%s%s", at, w.rest);
    return *resolved ? reach : SG_REACH_MEMORY;
}
