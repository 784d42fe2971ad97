// The bytes of a run: in memory while it is short, in a file when it is not.
//
// A run of a tenth of a second should not touch the disk, a run of an hour must not stay in memory,
// and nobody knows beforehand which one it is. So the run file is written to an image that begins
// in memory and moves to disk once, on request; readers do not notice.
#pragma once

#include "base/diags.h"
#include "segue/alloc.h"
#include "segue/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sg_image {
    const sg_allocator *allocator;
    int fd; // -1 while in memory
    unsigned char *bytes;
    size_t capacity;
    uint64_t size;
} sg_image;

void sg_image_init(sg_image *image, const sg_allocator *allocator);
void sg_image_close(sg_image *image);

// Appends all or nothing: after a failed write the file is cut back to the last complete append.
// SG_ERR_IO with errno set, or SG_ERR_MEMORY.
sg_status sg_image_append(sg_image *image, const void *bytes, size_t length);
// Room in memory for so many bytes more; false when it cannot be had.
bool sg_image_reserve(sg_image *image, size_t more);
// Gives back the room that is not used.
void sg_image_trim(sg_image *image);
// Moves to the open file `fd`, which the image then owns. On failure the image stays in memory and
// the file is closed; errno says why.
sg_status sg_image_spool(sg_image *image, int fd);
// Opens an existing file for reading. SG_ERR_IO with errno set.
sg_status sg_image_open(sg_image *image, const sg_allocator *allocator, const char *path);
// False when the bytes are not there.
bool sg_image_read(const sg_image *image, uint64_t offset, void *to, size_t length);
