// Where a path leads, found so that nothing is learned about what lies outside of some folders.
//
// A path is walked name by name. As long as it stays on the way to one of the folders, or below
// one, the file system is asked, and links are followed. The first name that leads elsewhere ends
// the walk without a look at it, so there is one answer for files that are there and files that are
// not. (The kernel does not help: Landlock lets everybody ask whether a file exists.)
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum sg_within {
    SG_WITHIN_YES,     // `at` is the path without links and dots
    SG_WITHIN_MISSING, // inside, and not there or not to be had; errno says why
    SG_WITHIN_OUTSIDE, // `at` and `rest` say where it leads, as far as it is known
} sg_within;

typedef struct sg_path_walk {
    const char *const *folders; // resolved; entries may be null
    size_t n;
    char at[PATH_MAX];   // resolved so far; "" is the root
    char rest[PATH_MAX]; // still to be walked
    int links;           // that were followed
    bool dots;           // ".." was met: where it leads depends on what is there
} sg_path_walk;

// Walks from `at` along `rest`. YES says that the way stayed inside or above; whether the end is
// inside is for sg_path_walk_inside.
sg_within sg_walk_path(sg_path_walk *walk);
bool sg_path_walk_inside(const sg_path_walk *walk, const char *path);
