// Files and folders that a process may touch, by the kernel's Landlock (Linux 5.13).
//
// Rights hold for a folder with all below it; what no rule names cannot be opened, made, removed or
// renamed. What Landlock does not know: whether a file is there, its size and times can be asked
// for everywhere (stat), so that scripts get one answer for everything outside by our own rules
// (natives/files.h).
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum sg_folder_right {
    SG_MAY_READ = 1,            // files
    SG_MAY_LIST = 2,            // folders
    SG_MAY_WRITE = 4,           // files that are there
    SG_MAY_MAKE = 8,            // and remove regular files
    SG_MAY_MAKE_FOLDERS = 16,   // and remove
    SG_MAY_REMOVE_FOLDERS = 32, // that are empty
    SG_NO_LINK = 64,            // the path is a folder and no link
} sg_folder_right;

typedef struct sg_folders {
    int rules;        // of Landlock, or -1
    uint64_t handled; // rights that this kernel knows
} sg_folders;

void sg_folders_init(sg_folders *folders);
// Whether this kernel can do it.
bool sg_folders_work(const sg_folders *folders);
// What is not there needs no right; what a right is refused for fails later, with a message.
void sg_folders_allow(sg_folders *folders, const char *path, unsigned rights);
// From here on, for this thread and those that it starts. False if there is no such thing.
bool sg_folders_restrict(const sg_folders *folders);
void sg_folders_destroy(sg_folders *folders);
