// The file that a run goes to while it lasts: opened when it is needed, by names made beforehand.
//
// A run may last long enough for a file, or outgrow its place in memory, in the midst of its steps,
// where nothing is allocated. So whatever the opening needs is put together at the start.
#pragma once

#include "base/arena.h"

#include <stdbool.h>

typedef struct sg_spool {
    char *path; // null: the file has no name
    char *part; // its name until the run has ended
    // Of this process alone: the name when another one writes PATH.part.
    char *own_part;
    char *folder;     // where PATH is, if that is not the current one
    bool made_folder; // it did not exist before
    bool shared;      // another process was writing PATH.part
    char *nameless;   // pattern of a file that loses its name at once
} sg_spool;

// `path` may be null. False when memory ran out.
bool sg_spool_init(sg_spool *spool, sg_arena *arena, const char *path);

// The .part of PATH, locked and empty, in a folder that is made if need be; -1 with errno set.
int sg_spool_open(sg_spool *spool);
// A file of the temporary folder without a name; -1 with errno set.
int sg_spool_open_nameless(sg_spool *spool);

bool sg_file_exists(const char *path);
