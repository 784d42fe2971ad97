// Which files a script may touch, and where they are.
//
// A model file may read what lies in its folder and below, or, where that is part of a package, in
// the package; the library; and folders named on the command line. It writes below the output
// folder only (docs/security.md). The library travels
// inside the program and is seen under the prefix segue://, so joinpath(Modia.path, "models",
// "Electric.jl") works without any file on disk.
#pragma once

#include "base/arena.h"
#include "base/diags.h"

typedef struct sg_files {
    const sg_allocator *allocator;
    sg_arena arena;
    const char *main_file;      // the file that is run, or null
    const char *main_folder;    // of that file
    const char *root;           // its folder or its package, resolved
    const char *modia3d_path;   // or null
    const char *const *allowed; // further folders to read from
    size_t n_allowed;
    const char *output_dir; // where relative names are written
    bool output_named;      // by the user, who may well name a link
    bool output_made;
    uint64_t n_written, max_files; // names handed out for writing
    bool over;                     // one more was asked for
    const char **used; // resolved paths of what was read besides the main file, each once
    size_t n_used, cap_used;
} sg_files;

// What the command line says about files; of texts only modia3d_path is not copied.
typedef struct sg_file_rules {
    const char *output_dir, *modia3d_path; // or null
    const char *const *allow_read;
    size_t n_allow_read;
    uint64_t max_files; // that may be written
    uint64_t n_written; // of these, by files that were run before
} sg_file_rules;

#define SG_MODIA_PATH SG_LIBRARY_PREFIX "Modia"
#define SG_MODIA3D_PATH SG_LIBRARY_PREFIX "Modia3D"

// `file` is the file that is run, or null for text. False without memory; then there is nothing to
// destroy.
bool sg_files_init(sg_files *files, const sg_allocator *allocator, const char *file,
                   const sg_file_rules *rules);
void sg_files_destroy(sg_files *files);

// Text for an include or a file to read. `from` is the name of the file that asks, from whose
// folder the path leads; null for the file that is run, whose path is the command's. On success
// *name is how to call the file in messages and *text belongs to `arena`. Reports what is wrong at
// `span`.
sg_status sg_files_read(sg_files *files, sg_arena *arena, const char *from, const char *path,
                        sg_span span, sg_diags *diags, const char **name, const char **text,
                        size_t *length);

// The resolved path of a data file to read: in the output folder if it is there, else beside the
// file that is run. Null after reporting.
const char *sg_files_input(sg_files *files, const char *name, sg_span span, sg_diags *diags);

// The same for a table, whose units may stand in a file beside it that is read, too.
const char *sg_files_input_table(sg_files *files, const char *name, sg_span span, sg_diags *diags);

// The path on disk of a file to write, in the output folder, which is made when first needed. Null
// after reporting: absolute names, names that lead out of it, links on the way, and more files than
// allowed.
const char *sg_files_output(sg_files *files, const char *name, sg_span span, sg_diags *diags);
// What the last null of sg_files_output means: too many files end a script, others do not.
static inline sg_status sg_files_refusal(const sg_files *files)
{
    return files->over ? SG_ERR_LIMIT : SG_ERR_IO;
}
// The output folder from the root on; a script takes it for the folder that it runs in. Null
// without memory.
const char *sg_files_working_folder(sg_files *files);
// Bytes that fit onto the disk of the output folder; infinite if nobody knows.
double sg_files_room(const sg_files *files);
// Whether a file can be made or changed at this path, whose folder is there; errno says why not.
bool sg_files_writable(const char *path);
