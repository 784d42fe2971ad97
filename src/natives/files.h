// Which files a script may touch, and where they are.
//
// A model file is trusted to read what lies around it, the library, and folders named on the
// command line; it writes to the output folder only. The library travels inside the program and is
// seen under the prefix segue://, so joinpath(Modia.path, "models", "Electric.jl") works without
// any file on disk.
#pragma once

#include "base/arena.h"
#include "base/diags.h"

typedef struct sg_files {
    const sg_allocator *allocator;
    sg_arena arena;
    const char *main_folder;  // of the file that is run
    const char *root;         // how far up reading may go, resolved
    const char *modia3d_path; // or null
    const char *output_dir;   // where relative names are written
    bool output_made;
} sg_files;

#define SG_MODIA_PATH SG_LIBRARY_PREFIX "Modia"
#define SG_MODIA3D_PATH SG_LIBRARY_PREFIX "Modia3D"

// `file` is the file that is run, or null for text; `output_dir` may be null.
bool sg_files_init(sg_files *files, const sg_allocator *allocator, const char *file,
                   const char *output_dir, const char *modia3d_path);
void sg_files_destroy(sg_files *files);

// Text for an include or a file to read. `from` is the name of the file that asks, or null for the
// file that is run. On success *name is how to call the file in messages and *text belongs to
// `arena`. Reports what is wrong at `span`.
sg_status sg_files_read(sg_files *files, sg_arena *arena, const char *from, const char *path,
                        sg_span span, sg_diags *diags, const char **name, const char **text,
                        size_t *length);

// The path on disk of a data file to read: in the output folder if it is there, else beside the
// file that is run. Null after reporting.
const char *sg_files_input(sg_files *files, const char *name, sg_span span, sg_diags *diags);

// The path on disk of a file to write, in the output folder, which is made when first needed. Null
// after reporting: absolute names, and names that lead out of it.
const char *sg_files_output(sg_files *files, const char *name, sg_span span, sg_diags *diags);
