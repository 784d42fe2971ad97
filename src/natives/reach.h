// Whether a script may read a path: decided so that it learns nothing about what lies outside.
//
// The walk itself is base/within.h; here are the folders of a session, and what the user typed for
// them.
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
