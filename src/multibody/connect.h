// Joints between any two objects: trees that are joined, and turned around where they must be.
//
// A model declares a joint between two objects without caring which of them is nearer to the world.
// Here the side that does not reach the world, by joints or by free motion, becomes the child, and
// the chain of its ancestors is turned around, so that every object ends with one parent
// (components3d.md 5.2). Joints on that chain turn with it: their coordinates keep meaning what
// they did, although the object that they carry is now the former parent. (The published code loses
// such joints, and trees that move freely.)
#pragma once

#include "multibody/tree.h"

typedef struct sg_tree_joint {
    const char *name;
    int obj1, obj2;
    sg_joint_kind kind;
    sg_vec3 axis; // revolute, prismatic, helical: in obj1; a positive coordinate moves obj2
    double lead;  // helical: shift along the axis [m] a radian
    sg_joint_chain before; // joints between obj1 and this one, axes likewise
    sg_pose place;         // of obj2 in obj1 when the joint is at zero
    int tag;               // goes to the object that the joint carries
    int order;             // and so does this: its place among the children
} sg_tree_joint;

// The trees that objects form so far, so that connecting n of them takes no more than about n
// steps. Made before the first joint and kept up by sg_tree_connect.
typedef struct sg_tree_forest {
    int n;
    int *up;  // of an object: another one of its tree; itself for the one that knows the top
    int *top; // of that one: the object that all of its tree hangs on
} sg_tree_forest;

// Memory from the arena. SG_ERR_MEMORY.
sg_status sg_tree_forest_init(sg_tree_forest *forest, const sg_tree_object *objects, int n,
                              sg_arena *arena);
// The top of the tree that holds object `o`, climbing through everything but free objects; -1 in a
// cycle.
int sg_tree_forest_top(sg_tree_forest *forest, int o);

// Whether joints and free motions connect two objects already, so that one more joint between them
// closes a loop. Not so where they are rigidly connected, or their parents form a cycle.
bool sg_tree_closes_loop(const sg_tree_object *objects, int n, int world,
                         const sg_tree_joint *joint, sg_tree_forest *forest);

// Connects two objects of the array; `world` is the index of the world. SG_ERR_MODEL with one
// diagnostic, and nothing changed, when the two are connected already (rigidly, or so that a loop
// would close), when the second hangs from a free object and the first reaches the world, too,
// when a free joint's obj2 hangs on the world, or when a joint that turns would have to be turned
// around and has an offset. A ball that is turned around (sg_joint_chain) has the inverse rotation.
sg_status sg_tree_connect(sg_tree_object *objects, int n, int world, const sg_tree_joint *joint,
                          sg_tree_forest *forest, sg_diags *diags);
