#include "natives/reach.h"

#include "base/disk.h"
#include "base/within.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Where the walk begins: names that the user typed lead where they lead, be there links in them.
static bool begin(sg_path_walk *w, const char *path, const char *const *typed,
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

static bool has_dots(const sg_path_walk *w)
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
    sg_path_walk w = {.folders = folders, .n = n};
    errno = ENAMETOOLONG;
    if (!begin(&w, path, typed, folders, n))
        return SG_REACH_MISSING;
    static const sg_reach meaning[] = {[SG_WITHIN_YES] = SG_REACH_YES,
                                       [SG_WITHIN_MISSING] = SG_REACH_MISSING,
                                       [SG_WITHIN_OUTSIDE] = SG_REACH_OUTSIDE};
    sg_reach reach = meaning[sg_walk_path(&w)];
    // The folders may have other names, by links outside that the user has made. Without ".." only
    // a path that leads inside tells that it is there.
    char whole[PATH_MAX];
    if (reach == SG_REACH_OUTSIDE && !has_dots(&w) && realpath(path, whole) &&
        sg_path_walk_inside(&w, whole)) {
        memcpy(w.at, whole, sizeof whole);
        w.rest[0] = '\0';
        reach = SG_REACH_YES;
    }
    if (reach == SG_REACH_MISSING)
        return reach;
    const char *at = w.at[0] || w.rest[0] ? w.at : "/";
    if (reach == SG_REACH_YES && (!sg_path_walk_inside(&w, at) || in_repository(files, at)))
        reach = SG_REACH_OUTSIDE;
    *resolved = sg_arena_printf(arena, "%s%s", at, w.rest);
    return *resolved ? reach : SG_REACH_MEMORY;
}
