// Files that others may have prepared: opened so that what is read or written is what was asked
// for.
//
// A model file and its folder may come from a stranger. A name in it may be a link that leads
// elsewhere, a pipe, or a device. What scripts cause to be read is a regular file whose resolved
// path lies below an allowed folder, looked at again once it is open; what they cause to be written
// lies below the output folder, reached step by step without following links.
#pragma once

#include "base/arena.h"
#include "segue/status.h"

#include <stdbool.h>
#include <sys/types.h>

// The path without links and dots, or null with errno set.
const char *sg_resolved_path(sg_arena *arena, const char *path);
// True if `path` is the folder or lies below it; both resolved. A null folder holds nothing.
bool sg_path_below(const char *path, const char *folder);
// Cuts a resolved folder to the package that it belongs to: the nearest folder, itself or above,
// that holds Project.toml or .git. False, and nothing cut, if there is none, or if that is no
// place of a package: the root, somebody's home or what lies above it, a folder that everybody may
// write to.
bool sg_cut_to_package(char *folder);

// Opens a regular file for reading; -1 with errno set, EINVAL for what is no regular file. A pipe
// does not block.
int sg_open_regular(const char *path);
// The same for a resolved path; -1 with errno ELOOP if the file that was opened lies elsewhere.
int sg_open_resolved(const char *resolved);

// Makes the folders on the way of `path`, which names a file below `base`, and follows no link
// behind `base`. False with errno set; ELOOP or ENOTDIR where a link stands in the way.
bool sg_make_way(const char *base, const char *path);
