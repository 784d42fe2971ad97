// Whether a script may read a path: decided so that it learns nothing about what lies outside.
//
// A path is walked name by name. As long as it stays on the way to a folder that may be read, or
// below one, the file system is asked, and links are followed. The first name that leads elsewhere
// ends the walk without a look at it, so there is one answer for files that are there and files
// that are not. (The kernel does not help: Landlock lets everybody ask whether a file exists.)
#pragma once

#include "natives/files.h"

typedef enum sg_reach {
    SG_REACH_YES,     // *resolved is the path without links and dots
    SG_REACH_MISSING, // inside, and not there or not to be had; errno says why
    SG_REACH_OUTSIDE, // whatever is there; *resolved is where the path leads, as far as it is known
    SG_REACH_MEMORY,
} sg_reach;

sg_reach sg_files_reach(const sg_files *files, sg_arena *arena, const char *path,
                        const char **resolved);
