// Rights that a process does not need, given up to the kernel before anything foreign is read.
//
// The library keeps scripts in their folders by its own rules. This is the second wall, for the day
// a rule has a hole: Landlock lets the process read and write where it was said, and seccomp lets
// it make the system calls of a list (src/wall/calls.c) and no others: it starts no program, opens
// no connection, signals nobody else, changes no rights or times of files, and makes no memory that
// is written and executed. `segue` does this for every command; a host may do it, too. What cannot
// be done behind the wall is done by helpers, which are started before (segue/helper.h).
//
// Kernels may lack either part, and builds with sanitizers have none; docs/security.md tells what
// is given up when.
#pragma once

#include "segue/export.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sg_wall sg_wall;

// What the kernel keeps.
typedef enum sg_wall_part {
    SG_WALL_FILES = 1, // files and folders, by Landlock
    SG_WALL_CALLS = 2, // system calls, by seccomp
    SG_WALL_ALL = 3,
} sg_wall_part;

// Nothing is given up before sg_wall_enter. Null without memory; all functions take null.
SG_API sg_wall *sg_wall_create(void);
// A file, or a folder with all below it, may be read. What is not there needs no right.
SG_API void sg_wall_read(sg_wall *wall, const char *path);
// So may the folder that holds a file, with all below it.
SG_API void sg_wall_read_beside(sg_wall *wall, const char *file);
// A file may be written that the user names: the folder that holds it, since it is replaced as a
// whole; or a device, or what /dev/stdout stands for, itself.
SG_API void sg_wall_write(sg_wall *wall, const char *file);
// An output folder; it is made now and taken away at the end if it is empty still. A link is
// followed only if the user named it.
SG_API void sg_wall_output(sg_wall *wall, const char *folder, bool named);
// A folder of its own for temporary files, below $TMPDIR, which then leads there. It is taken away
// at the end. False if none can be made.
SG_API bool sg_wall_scratch(sg_wall *wall);
// From here on, for this thread and those that it starts. Returns the parts that stand.
SG_API unsigned sg_wall_enter(sg_wall *wall);
// What is missing where only these parts stand, as part of a sentence; null if nothing is.
SG_API const char *sg_wall_missing(unsigned parts);
// Takes away what was made for temporary files; nothing in here needs memory or a lock, so a signal
// handler may call it.
SG_API void sg_wall_abandon(const sg_wall *wall);
// Rights do not come back.
SG_API void sg_wall_destroy(sg_wall *wall);

#ifdef __cplusplus
}
#endif
