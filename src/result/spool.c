#include "result/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char pattern[] = "segue-XXXXXX";

bool sg_file_exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

bool sg_spool_init(sg_spool *spool, sg_arena *arena, const char *path)
{
    *spool = (sg_spool){0};
    const char *temporary = getenv("TMPDIR");
    spool->nameless =
        sg_arena_printf(arena, "%s/%s", temporary && *temporary ? temporary : P_tmpdir, pattern);
    if (path) {
        const char *slash = strrchr(path, '/');
        spool->path = sg_arena_text(arena, path, strlen(path));
        spool->part = sg_arena_printf(arena, "%s.part", path);
        spool->own_part = sg_arena_printf(arena, "%s.%ld.part", path, (long)getpid());
        if (slash && slash != path)
            spool->folder = sg_arena_text(arena, path, (size_t)(slash - path));
    }
    return !arena->failed;
}

int sg_spool_open_nameless(sg_spool *spool)
{
    // mkstemp has written to it if this is not the first time.
    memcpy(spool->nameless + strlen(spool->nameless) - strlen(pattern), pattern, sizeof pattern);
    int fd = mkstemp(spool->nameless);
    if (fd >= 0) {
        unlink(spool->nameless);
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
    return fd;
}

// mkdir -p; false with errno set. The name is changed on the way, and whole again in the end.
static bool make_folders(char *name)
{
    bool made = true;
    for (char *p = name + 1; made && p[-1]; p++) {
        char end = *p;
        if (end != '/' && end)
            continue;
        *p = '\0';
        // A folder that is there already is fine, also when its parent is read-only.
        made = mkdir(name, 0777) == 0 || errno == EEXIST || sg_file_exists(name);
        *p = end;
    }
    return made;
}

// True if the file that is open and locked is still the one of that name: whoever had it before may
// have given it its final name meanwhile.
static bool still_named(int fd, const char *path)
{
    struct stat here, there;
    return fstat(fd, &here) == 0 && lstat(path, &there) == 0 && here.st_dev == there.st_dev &&
           here.st_ino == there.st_ino;
}

// The .part file, locked and empty; -1 with errno set, EWOULDBLOCK when another process writes it.
static int open_locked(const char *path)
{
    enum { TRIES = 100 };
    for (int i = 0; i < TRIES; i++) {
        int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd < 0)
            return -1;
        bool locked = flock(fd, LOCK_EX | LOCK_NB) == 0;
        int error = errno;
        if (locked && still_named(fd, path) && ftruncate(fd, 0) == 0)
            return fd;
        close(fd);
        errno = error;
        if (!locked)
            return -1;
    }
    errno = EWOULDBLOCK;
    return -1;
}

int sg_spool_open(sg_spool *spool)
{
    if (spool->folder) {
        spool->made_folder = !sg_file_exists(spool->folder);
        if (!make_folders(spool->folder))
            return -1;
    }
    int fd = open_locked(spool->part);
    if (fd >= 0 || errno != EWOULDBLOCK)
        return fd;
    spool->shared = true;
    spool->part = spool->own_part;
    return open_locked(spool->part);
}
