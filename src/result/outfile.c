#define _GNU_SOURCE // O_TMPFILE; NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
#include "result/outfile.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER_SIZE = 256 * 1024, TRIES = 100 };

static const sg_span nowhere = {0, 0, 0};

bool sg_write_all(int fd, const void *bytes, size_t length)
{
    const char *p = bytes;
    while (length) {
        ssize_t n = write(fd, p, length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            if (n == 0)
                errno = ENOSPC;
            return false;
        }
        p += n;
        length -= (size_t)n;
    }
    return true;
}

static void *resize(const sg_allocator *a, void *block, size_t old_size, size_t new_size)
{
    return a->resize(a->context, block, old_size, new_size);
}

static void release(sg_outfile *file)
{
    const sg_allocator *a = file->allocator;
    if (file->path)
        resize(a, file->path, file->path_size, 0);
    if (file->temporary)
        resize(a, file->temporary, file->temporary_size, 0);
    if (file->buffer)
        resize(a, file->buffer, BUFFER_SIZE, 0);
    file->path = file->temporary = file->buffer = NULL;
    file->fd = -1;
}

static void put_temporary(sg_outfile *file, const char *path, int i)
{
    snprintf(file->temporary, file->temporary_size, "%s.%ld-%d.tmp", path, (long)getpid(), i);
}

static sg_status report(sg_diags *diags, const char *path, int error)
{
    const char *hint =
        error == ENOSPC || error == EDQUOT ? "; free some space or choose another folder with -o"
        : error == EACCES || error == EROFS || error == EPERM ? "; choose another folder with -o"
                                                              : "";
    sg_error(diags, SG_E_IO, nowhere, "cannot write '%s': %s%s", path, strerror(error), hint);
    return SG_ERR_IO;
}

// NAME.PID-I.tmp, as put_temporary makes them.
static bool is_temporary_name(const char *name)
{
    const char *dot = strrchr(name, '.');
    if (!dot || strcmp(dot, ".tmp") != 0)
        return false;
    const char *first = dot;
    while (first > name && (isdigit((unsigned char)first[-1]) || first[-1] == '-'))
        first--;
    if (first - 1 <= name || first[-1] != '.' || !isdigit((unsigned char)*first))
        return false;
    char *end;
    long pid = strtol(first, &end, 10);
    if (pid <= 0 || *end != '-' || !isdigit((unsigned char)end[1]))
        return false;
    long i = strtol(end + 1, &end, 10);
    return i < TRIES && end == dot;
}

void sg_remove_stale(const char *folder)
{
    enum { GRACE = 10 }; // for those who have made a file, but hold it not yet [s]
    DIR *list = opendir(folder);
    for (const struct dirent *entry; list && (entry = readdir(list));) {
        if (!is_temporary_name(entry->d_name))
            continue;
        struct stat info;
        int fd = openat(dirfd(list), entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
            time(NULL) - info.st_mtime > GRACE && flock(fd, LOCK_EX | LOCK_NB) == 0)
            unlinkat(dirfd(list), entry->d_name, 0);
        if (fd >= 0)
            close(fd);
    }
    if (list)
        closedir(list);
}

// A file without a name in the folder of `path`; -1 where that cannot be, or not be named later.
static int open_nameless(sg_outfile *file, const char *path, mode_t mode)
{
#ifdef O_TMPFILE
    char *slash = file->temporary + (strrchr(path, '/') ? strrchr(path, '/') - path : 0);
    memcpy(file->temporary, path, file->path_size);
    slash[slash == file->temporary && *slash == '/'] = '\0'; // "/" stays
    int fd = access("/proc/self/fd", X_OK) == 0 ? open(*file->temporary ? file->temporary : ".",
                                                       O_TMPFILE | O_WRONLY | O_CLOEXEC, mode)
                                                : -1;
    file->nameless = fd >= 0;
    return fd;
#else
    (void)file, (void)path, (void)mode;
    return -1;
#endif
}

// Gives a file without a name the temporary one.
static bool give_name(sg_outfile *file)
{
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", file->fd);
    for (int i = 0; i < TRIES; i++) {
        put_temporary(file, file->path, i);
        if (linkat(AT_FDCWD, self, AT_FDCWD, file->temporary, AT_SYMLINK_FOLLOW) == 0) {
            file->nameless = false;
            return true;
        }
        if (errno != EEXIST)
            return false;
    }
    return false;
}

// A new file beside `path` that nobody else has; -1 with errno set.
static int open_temporary(sg_outfile *file, const char *path, mode_t mode)
{
    int nameless = open_nameless(file, path, mode);
    if (nameless >= 0)
        return nameless;
    for (int i = 0; i < TRIES; i++) {
        put_temporary(file, path, i);
        int fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (fd >= 0)
            flock(fd, LOCK_EX | LOCK_NB); // see sg_remove_stale
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

bool sg_outfile_is_stream(const char *path)
{
    return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
}

// Our own streams are written behind what they hold already, be they files.
static int open_direct(const char *path)
{
    bool out = strcmp(path, "/dev/stdout") == 0, err = strcmp(path, "/dev/stderr") == 0;
    return out || err ? fcntl(out ? STDOUT_FILENO : STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
                      : open(path, O_WRONLY | O_CLOEXEC);
}

sg_status sg_outfile_open(sg_outfile *file, const char *path, const sg_allocator *allocator,
                          sg_diags *diags)
{
    *file = (sg_outfile){.allocator = allocator ? allocator : sg_allocator_default(), .fd = -1};
    struct stat info;
    bool exists = stat(path, &info) == 0;
    if (exists && S_ISDIR(info.st_mode))
        return report(diags, path, EISDIR);
    bool direct = sg_outfile_is_stream(path) || (exists && !S_ISREG(info.st_mode));
    // A file that may not be written keeps its content, although the folder would allow a rename.
    if (exists && !direct && access(path, W_OK) != 0)
        return report(diags, path, errno);
    size_t length = strlen(path);
    file->path_size = length + 1;
    file->path = resize(file->allocator, NULL, 0, file->path_size);
    file->buffer = resize(file->allocator, NULL, 0, BUFFER_SIZE);
    if (!direct) {
        file->temporary_size = length + 32;
        file->temporary = resize(file->allocator, NULL, 0, file->temporary_size);
    }
    if (!file->path || !file->buffer || (!direct && !file->temporary)) {
        release(file);
        sg_error(diags, SG_E_MEMORY, nowhere, "out of memory while writing '%s'", path);
        return SG_ERR_MEMORY;
    }
    memcpy(file->path, path, length + 1);
    if (direct) {
        file->fd = open_direct(path);
    } else {
        file->fd = open_temporary(file, path, exists ? info.st_mode & 0777 : 0666);
    }
    if (file->fd < 0) {
        int error = errno;
        release(file);
        return report(diags, path, error);
    }
    return SG_OK;
}

static void flush(sg_outfile *file)
{
    if (!file->error && file->used && !sg_write_all(file->fd, file->buffer, file->used))
        file->error = errno;
    file->used = 0;
}

void sg_outfile_write(sg_outfile *file, const void *bytes, size_t length)
{
    file->written += length;
    if (length > BUFFER_SIZE - file->used)
        flush(file);
    if (length >= BUFFER_SIZE) {
        if (!file->error && !sg_write_all(file->fd, bytes, length))
            file->error = errno;
        return;
    }
    if (length)
        memcpy(file->buffer + file->used, bytes, length);
    file->used += length;
}

void sg_outfile_puts(sg_outfile *file, const char *text)
{
    sg_outfile_write(file, text, strlen(text));
}

void sg_outfile_patch(sg_outfile *file, uint64_t offset, const void *bytes, size_t length)
{
    flush(file);
    if (!file->error && pwrite(file->fd, bytes, length, (off_t)offset) != (ssize_t)length)
        file->error = errno ? errno : EIO;
}

sg_status sg_outfile_commit(sg_outfile *file, sg_diags *diags)
{
    flush(file);
    // The name must not come before the bytes: after a loss of power there is the old file or the
    // new one.
    if (!file->error && file->temporary && fsync(file->fd) != 0 && errno != EINVAL)
        file->error = errno;
    if (!file->error && file->nameless && !give_name(file))
        file->error = errno;
    // Delayed errors of network file systems come with close.
    if (close(file->fd) != 0 && !file->error)
        file->error = errno;
    file->fd = -1;
    if (!file->error && file->temporary && rename(file->temporary, file->path) != 0)
        file->error = errno;
    sg_status status = SG_OK;
    if (file->error) {
        if (file->temporary && !file->nameless)
            unlink(file->temporary);
        status = report(diags, file->path, file->error);
    }
    release(file);
    return status;
}

void sg_outfile_abandon(sg_outfile *file)
{
    if (!file->path)
        return;
    if (file->fd >= 0)
        close(file->fd);
    if (file->temporary && !file->nameless)
        unlink(file->temporary);
    release(file);
}
