// Files that appear complete or not at all.
//
// Everything goes to a file beside the final one and takes its name when it is complete, so a full
// disk or a kill never leaves half a file under the name the user asked for and never harms what
// was there before. Where the file system can do that, the file has no name until then, and goes
// away with the process, however that ends; else the next writer takes it away. Targets that are
// not regular files (a pipe, /dev/null) are written to directly.
#pragma once

#include "base/diags.h"
#include "segue/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sg_outfile {
    const sg_allocator *allocator;
    char *path, *temporary; // temporary is null when writing directly
    size_t path_size, temporary_size;
    bool nameless; // `temporary` is a name that the file gets just before the final one
    int fd;
    int error;        // errno of the first failure, 0 while all is well
    uint64_t written; // bytes so far, buffered ones included
    char *buffer;
    size_t used;
} sg_outfile;

// Names of streams and devices: what is below /dev and /proc. Nothing is made beside these.
bool sg_outfile_is_stream(const char *path);

// On failure there is a diagnostic and nothing to close.
sg_status sg_outfile_open(sg_outfile *file, const char *path, const sg_allocator *allocator,
                          sg_diags *diags);
// Errors are remembered and reported by commit.
void sg_outfile_write(sg_outfile *file, const void *bytes, size_t length);
void sg_outfile_puts(sg_outfile *file, const char *text);
// Overwrites bytes that were written before, e.g. a count that was not known then.
void sg_outfile_patch(sg_outfile *file, uint64_t offset, const void *bytes, size_t length);
// Gives the file its name. On failure the temporary file is removed and a diagnostic says why.
sg_status sg_outfile_commit(sg_outfile *file, sg_diags *diags);
// Removes the temporary file. Does nothing after a commit.
void sg_outfile_abandon(sg_outfile *file);

// Takes away what writers left in a folder that were killed between two system calls, or on a file
// system that knows no files without a name: temporary files that nobody holds.
void sg_remove_stale(const char *folder);

// write(2) until all is out; false with errno set when it cannot.
bool sg_write_all(int fd, const void *bytes, size_t length);
