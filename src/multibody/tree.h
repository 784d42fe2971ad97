// From a tree of objects to super-objects: what moves as one becomes one body.
//
// Most objects of a model are frames, visible shapes and lumps of mass that are rigidly attached to
// each other. A super-object is a maximal set of them. Only its root takes part in the dynamics,
// with the common mass of all members; every member keeps a constant pose in the root. The search
// is depth first within a super-object and breadth first over their roots ([Neumayr-thesis] 3.2.4,
// components3d.md 6.1), so that a body's parent always has the smaller number and one loop over an
// array does a recursion.
//
// A joint carries an object relative to its parent: pose = place * motion(q). Coordinates and
// velocities are as many:
//   revolute   q = angle about the axis           v = its rate
//   prismatic  q = shift along the axis           v = its rate
//   helical    q = angle about the axis           v = its rate; it shifts by `lead` times the angle
//   ball       q = three angles (math/rotation.h) v = angular velocity (in the object)
//   free       q = translation (in the frame at `place`), three angles
//              v = velocity (in the frame at `place`), angular velocity (in the object)
// The generalized forces belong to v: torque, force, or force and moment resolved like v.
//
// Up to three joints with one coordinate each may follow each other between two objects
// (sg_joint_chain): a universal joint is two turns, a planar one two shifts and a turn. Each of
// them is a body of its own here, without mass but for the last one, so that the recursions know
// nothing of such joints, and equations may act on each coordinate by itself. A ball is three such
// bodies, too. Its velocities are along the axes of the object, wherever these are, so there is no
// angle at which it locks.
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "math/pose.h"
#include "math/spatial.h"
#include "multibody/mass.h"
#include "segue/diag.h"

typedef enum sg_joint_kind {
    SG_JOINT_FIXED,
    SG_JOINT_REVOLUTE,
    SG_JOINT_PRISMATIC,
    SG_JOINT_FREE,
    SG_JOINT_HELICAL,
    SG_JOINT_BALL,
    SG_JOINT_BALL_REST // of bodies only: the second and the third turn of a ball
} sg_joint_kind;

// A joint with one coordinate as part of another one.
typedef struct sg_joint_step {
    sg_joint_kind kind; // revolute, prismatic or helical
    sg_vec3 axis;       // of any length but zero
    double lead;        // helical: shift along the axis [m] a radian
} sg_joint_step;

// What lies between the parent and the last joint, which carries the object.
typedef struct sg_joint_chain {
    int n;                 // 0 for most
    sg_joint_step step[2]; // the one at the parent first
    bool turned;           // the joint was declared from the other end (multibody/connect.h)
} sg_joint_chain;

// What the user says of an object.
typedef struct sg_tree_object {
    const char *name;
    int parent;            // index of another object, any order; -1 for the world
    sg_joint_kind joint;   // to the parent
    sg_vec3 axis;          // revolute, prismatic, helical: of any length but zero
    double lead;           // helical: shift along the axis [m] a radian
    sg_joint_chain before; // of this joint, in a row
    sg_pose place;         // in the parent, when the joints are at zero
    sg_mass mass;          // all zero for a frame
    bool shifted_only;     // fixed by a Fix without rotation; see sg_tree_compat
    bool is_asked;         // forces or contacts ask for its orientation; see sg_tree_compat
    bool assembly_root;    // stays a body of its own even where it is fixed (components3d.md 10)
    int order;             // children of an object come by this number, then by their index
    int tag;               // the caller's number of the joint; see multibody/connect.h
    sg_span span;          // where messages about it belong; file 0: nowhere
} sg_tree_object;

typedef enum sg_gravity_kind {
    SG_GRAVITY_NONE,
    SG_GRAVITY_UNIFORM,
    SG_GRAVITY_POINT,
    SG_GRAVITY_POINT_AT_ROOT // as published: with the acceleration at the origin of the root
} sg_gravity_kind;

typedef struct sg_gravity {
    sg_gravity_kind kind;
    sg_vec3 g;  // uniform: acceleration in the world [m/s2]
    double mue; // point: G times the mass at the world's origin [m3/s2]
} sg_gravity;

// What the published program does differently and its numbers depend on. All false is physics.
typedef struct sg_tree_compat {
    bool unturned_inertia; // inertias of turned members are added as if not turned (6.3)
    bool single_coriolis;  // a prismatic joint on a turning body has half of it (7.1)
    // See shifted_only: such a member is not turned where joints (with a tag) hang or forces ask
    // (6.4)
    bool straight_fix;
} sg_tree_compat;

// What a joint with one degree of freedom does.
typedef enum sg_joint_move { SG_MOVE_TURNS, SG_MOVE_SLIDES, SG_MOVE_SCREWS } sg_joint_move;

// A super-object as the dynamics see it, or what is between two joints of a chain.
typedef struct sg_tree_body {
    int root;              // the object that leads it; in a chain that at its end
    int parent;            // body; -1 for the world, which is body 0
    sg_joint_kind joint;   // to the parent body
    sg_joint_move moves;   // where it has one degree of freedom
    int dof, first;        // number of coordinates and the index of the first
    sg_vec3 axis;          // of length one; the same in both frames of the joint
    double lead;           // helical: shift along the axis [m] a radian
    int main_axis;         // 0, 1, 2 where the axis is exactly x, y or z; -1 otherwise
    sg_pose place;         // frame of the joint in the root of the parent body
    bool is_straight;      // the frame is not turned at all: place.R is exactly 1
    double coriolis;       // 2; see sg_tree_compat
    bool is_leaf;          // carries no other body
    bool is_last;          // the last child of its parent
    sg_inertia inertia;    // of all members, about the root's origin
    int member, n_members; // range in sg_tree.member
} sg_tree_body;

// Where an object went.
typedef struct sg_tree_member {
    int body;
    sg_pose pose; // in the root of the body
} sg_tree_member;

// Constant once built; lives in the arena given to sg_tree_build.
typedef struct sg_tree {
    int n_objects, n_bodies, n_dof;
    sg_tree_body *body;     // parents first, body 0 is the world
    sg_tree_member *object; // by object
    int *member;            // objects, super-object after super-object, the root of each first
    const char **name;      // by object
    sg_gravity gravity;
    sg_tree_compat mattered; // switches that make a difference here, on or off
} sg_tree;

// SG_ERR_MODEL with diagnostics when there is not exactly one object without parent, when parents
// form a cycle, for axes and poses that are none, for masses that no body can have, and for free
// bodies without mass; all that can be found are reported. Texts are copied.
sg_status sg_tree_build(const sg_tree_object *objects, int n, sg_gravity gravity, sg_arena *arena,
                        sg_diags *diags, sg_tree **out);

// The same with the peculiarities of the published program.
sg_status sg_tree_build_compat(const sg_tree_object *objects, int n, sg_gravity gravity,
                               const sg_tree_compat *compat, sg_arena *arena, sg_diags *diags,
                               sg_tree **out);

// How the joints between the world and a body let it turn; *axis is set, in the body and of length
// one, where it is always the same.
typedef enum sg_turning { SG_TURNS_NEVER, SG_TURNS_ABOUT_ONE_AXIS, SG_TURNS_FREELY } sg_turning;
sg_turning sg_tree_turning(const sg_tree *tree, int body, sg_vec3 *axis);
// Is there a joint between the world and the body?
bool sg_tree_moves(const sg_tree *tree, int body);

// Number of coordinates of a joint.
int sg_joint_dof(sg_joint_kind kind);
// The body that a joint of the chain to an object moves, `step` counted from 0 as declared.
int sg_tree_chain_body(const sg_tree *tree, const sg_tree_object *o, int object, int step);

// The super-objects as text, one a line: number, root, joint, parent body, mass, members in order.
void sg_tree_dump(const sg_tree *tree, sg_buf *out);
