// The nearest of many pairs: a set of at most so many, ordered by distance, in a balanced tree.
//
// Zero-crossing functions of [NO2017] section 5 are the distances of the n nearest pairs. Pairs
// come in any order; one that is nearer than the farthest in a full set takes its place. That is
// O(log n) a pair with a balanced tree (AVL) in room that is taken beforehand, and going through it
// in order numbers the functions.
#pragma once

#include "base/arena.h"

#include <stdbool.h>

typedef struct sg_nearest_pair {
    double z;
    int a, b;
    int child[2]; // -1: none
    int height;   // of a leaf 1
} sg_nearest_pair;

typedef struct sg_nearest {
    sg_nearest_pair *pair;
    int *path; // room for a way from the root
    int n, cap, root;
} sg_nearest;

// Room for `cap` pairs, at least one. False when memory ran out.
bool sg_nearest_init(sg_nearest *set, int cap, sg_arena *arena);
void sg_nearest_clear(sg_nearest *set);

// The farthest of a full set, else `none`: who is not nearer need not come.
double sg_nearest_reach(const sg_nearest *set, double none);
// Puts a pair in, for the farthest one if the set is full; false if it is farther than all of
// these. Pairs at the same distance are ordered by a, then b; one pair must not come twice.
bool sg_nearest_add(sg_nearest *set, double z, int a, int b);

// All pairs in ascending order; returns how many.
int sg_nearest_list(const sg_nearest *set, sg_nearest_pair *out);
// Null if the tree is as it should be, else what is wrong: for tests.
const char *sg_nearest_validate(const sg_nearest *set);
