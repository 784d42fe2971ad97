// A tree of boxes that follows its leaves: the broad phase for many shapes.
//
// A dynamic bounding-volume hierarchy. Each leaf has some room around its box; as long as the box
// stays inside, its place in the tree is good enough and only the boxes above are computed anew.
// When it leaves, the leaf is taken out and put in again where it enlarges the tree least.
// Rotations keep the tree flat. All memory is taken when the tree is made. What a walk finds does
// not depend on the shape of the tree, only how fast it does.
//
// Up to SG_BOX_TREE_FLAT leaves there is no tree: boxes are compared one by one, which is faster
// for so few.
//
// A walk hands out pairs of leaves, nearest first as far as that is cheap. The caller says before
// each pair how far apart boxes may be to be of interest, so a search for the nearest pair narrows
// itself down (branch and bound).
//
// [Neumayr-thesis] 5.2 names the hierarchy as what comes next.
#pragma once

#include "base/arena.h"
#include "collide/aabb.h"

#define SG_BOX_TREE_FLAT 48

typedef struct sg_box_node {
    sg_aabb box;
    int parent;
    int child[2]; // -1 for a leaf
    int group;    // that all leaves below belong to, -1 if there are several
    int height;   // of a leaf 0
    // What no leaf below moves faster and is accelerated more than [m/s], [m/s2]; only for walks
    // over a time.
    double speed, push;
} sg_box_node;

typedef struct sg_box_tree {
    int n, root;       // root -1: empty
    sg_box_node *node; // leaves 0 to n - 1, then the n - 1 others
    bool *in;          // by leaf
    sg_aabb *ground;   // by leaf: where its box may move without being put in anew
    int *free;         // unused inner nodes
    int n_free;
    struct {
        int a, b;
    } * stack;
    int top, room;
    bool is_flat;
    int i, j;      // of a flat walk: the last pair
    int64_t moves; // leaves that were put in anew
} sg_box_tree;

// `group` is that of leaf i; leaves of one group are no pairs. SG_ERR_MEMORY.
sg_status sg_box_tree_init(sg_box_tree *tree, int n, const int *group, sg_arena *arena);
// A tree for however few leaves.
sg_status sg_box_tree_init_tall(sg_box_tree *tree, int n, const int *group, sg_arena *arena);
// Gives a leaf its box, for the first time or again.
void sg_box_tree_put(sg_box_tree *tree, int leaf, const sg_aabb *box);

// After the last of some boxes were given, before the next walk.
void sg_box_tree_settle(sg_box_tree *tree);

// Speeds and accelerations of the leaves, and of all above them.
void sg_box_tree_clear_speeds(sg_box_tree *tree);
void sg_box_tree_set_speed(sg_box_tree *tree, int leaf, double speed, double push);

void sg_box_tree_walk(sg_box_tree *tree);
// The next pair of leaves, *a < *b, whose boxes in the tree overlap or are nearer than `reach`.
// False at the end. Others may be handed out, too. `reach` may only get less during a walk.
bool sg_box_tree_next(sg_box_tree *tree, double reach, int *a, int *b);
// The same with what the speeds cover in `time` added to the reach.
bool sg_box_tree_next_in(sg_box_tree *tree, double reach, double time, int *a, int *b);
// Null if the tree is as it should be, else what is wrong: for tests.
const char *sg_box_tree_validate(const sg_box_tree *tree);
