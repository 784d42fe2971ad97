#include "result/image.h"

#include "base/vec.h"
#include "result/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void sg_image_init(sg_image *image, const sg_allocator *allocator)
{
    *image = (sg_image){.allocator = allocator ? allocator : sg_allocator_default(), .fd = -1};
}

static void drop_memory(sg_image *image)
{
    sg_vec_free(image->allocator, (void **)&image->bytes, &image->capacity, 1);
}

void sg_image_close(sg_image *image)
{
    if (image->fd >= 0)
        close(image->fd);
    drop_memory(image);
    sg_image_init(image, image->allocator);
}

static sg_status append_to_file(sg_image *image, const void *bytes, size_t length)
{
    if (sg_write_all(image->fd, bytes, length)) {
        image->size += length;
        return SG_OK;
    }
    int error = errno;
    // A torn block at the end would be skipped by readers anyway; cutting it keeps later appends
    // possible when space comes back. If even that fails, the readers' check still holds.
    if (ftruncate(image->fd, (off_t)image->size) == 0)
        lseek(image->fd, (off_t)image->size, SEEK_SET);
    errno = error;
    return SG_ERR_IO;
}

bool sg_image_reserve(sg_image *image, size_t more)
{
    return sg_vec_reserve(image->allocator, (void **)&image->bytes, &image->capacity,
                          (size_t)image->size + more, 1);
}

void sg_image_trim(sg_image *image)
{
    const sg_allocator *a = image->allocator;
    size_t size = (size_t)image->size;
    void *smaller = image->fd < 0 && size && size < image->capacity
                        ? a->resize(a->context, image->bytes, image->capacity, size)
                        : NULL;
    if (smaller) {
        image->bytes = smaller;
        image->capacity = size;
    }
}

sg_status sg_image_append(sg_image *image, const void *bytes, size_t length)
{
    if (image->fd >= 0)
        return append_to_file(image, bytes, length);
    if (!sg_image_reserve(image, length))
        return SG_ERR_MEMORY;
    if (length)
        memcpy(image->bytes + image->size, bytes, length);
    image->size += length;
    return SG_OK;
}

sg_status sg_image_spool(sg_image *image, int fd)
{
    if (!sg_write_all(fd, image->bytes, (size_t)image->size)) {
        int error = errno;
        close(fd);
        errno = error;
        return SG_ERR_IO;
    }
    image->fd = fd;
    drop_memory(image);
    return SG_OK;
}

sg_status sg_image_open(sg_image *image, const sg_allocator *allocator, const char *path)
{
    sg_image_init(image, allocator);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat info;
    if (fd < 0)
        return SG_ERR_IO;
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        errno = S_ISDIR(info.st_mode) ? EISDIR : EINVAL;
        close(fd);
        return SG_ERR_IO;
    }
    image->fd = fd;
    image->size = (uint64_t)info.st_size;
    return SG_OK;
}

bool sg_image_read(const sg_image *image, uint64_t offset, void *to, size_t length)
{
    if (offset > image->size || length > image->size - offset)
        return false;
    if (image->fd < 0) {
        if (length)
            memcpy(to, image->bytes + offset, length);
        return true;
    }
    char *p = to;
    while (length) {
        ssize_t n = pread(image->fd, p, length, (off_t)offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        offset += (uint64_t)n;
        length -= (size_t)n;
    }
    return true;
}
