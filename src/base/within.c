#include "base/within.h"

#include "base/disk.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINKS = 40 }; // as in the kernel

bool sg_path_walk_inside(const sg_path_walk *w, const char *path)
{
    for (size_t i = 0; i < w->n; i++)
        if (w->folders[i] && sg_path_below(path, w->folders[i]))
            return true;
    return false;
}

static bool above_any(const sg_path_walk *w, const char *path)
{
    for (size_t i = 0; i < w->n; i++)
        if (w->folders[i] && sg_path_below(w->folders[i], path))
            return true;
    return false;
}

// Puts what a link says in front of the rest.
static sg_within follow(sg_path_walk *w, const char *link)
{
    char target[PATH_MAX], rest[PATH_MAX];
    ssize_t length = readlink(link, target, sizeof target - 1);
    if (length < 0)
        return SG_WITHIN_MISSING;
    target[length] = '\0';
    errno = ELOOP;
    if (++w->links > MOST_LINKS)
        return SG_WITHIN_MISSING;
    errno = ENAMETOOLONG;
    if (snprintf(rest, sizeof rest, "%s%s", target, w->rest) >= (int)sizeof rest)
        return SG_WITHIN_MISSING;
    memcpy(w->rest, rest, sizeof rest);
    if (target[0] == '/')
        w->at[0] = '\0';
    return SG_WITHIN_YES;
}

// One name of the rest.
static sg_within step(sg_path_walk *w)
{
    char name[PATH_MAX], next[PATH_MAX];
    char *from = w->rest + strspn(w->rest, "/");
    size_t length = strcspn(from, "/");
    memcpy(name, from, length);
    name[length] = '\0';
    memmove(w->rest, from + length, strlen(from + length) + 1);
    if (length == 0 || strcmp(name, ".") == 0)
        return SG_WITHIN_YES;
    if (strcmp(name, "..") == 0) {
        char *slash = strrchr(w->at, '/');
        w->dots = true;
        if (slash)
            *slash = '\0';
        return SG_WITHIN_YES;
    }
    errno = ENAMETOOLONG;
    if (snprintf(next, sizeof next, "%s/%s", w->at, name) >= (int)sizeof next)
        return SG_WITHIN_MISSING;
    if (sg_path_walk_inside(w, next)) {
        struct stat info;
        if (lstat(next, &info) != 0)
            return SG_WITHIN_MISSING;
        if (S_ISLNK(info.st_mode))
            return follow(w, next);
        errno = ENOTDIR;
        if (!S_ISDIR(info.st_mode) && w->rest[0])
            return SG_WITHIN_MISSING;
    } else if (!above_any(w, next)) {
        memcpy(w->at, next, sizeof next);
        return SG_WITHIN_OUTSIDE;
    }
    memcpy(w->at, next, sizeof next);
    return SG_WITHIN_YES;
}

sg_within sg_walk_path(sg_path_walk *w)
{
    sg_within within = SG_WITHIN_YES;
    while (within == SG_WITHIN_YES && w->rest[0])
        within = step(w);
    return within;
}
