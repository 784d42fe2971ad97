// Robots as trees of links and joints, as files of other tools describe them.
//
// A reader (urdf.h, mjcf.h) fills in these records; the writer makes a model of them, as a text
// that people can read and change (segue convert) and that a script evaluates (URDF("robot.urdf")).
// Both ways are the same text, so what is converted is what runs. Lengths in m, angles in rad,
// masses in kg.
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/diags.h"
#include "math/mat3.h"
#include "segue/status.h"

#include <stdbool.h>
#include <stdint.h>

// Where something is, seen from what it belongs to: r_outer = at + turn * r.
typedef struct sg_robot_place {
    sg_vec3 at;
    sg_mat3 turn;
} sg_robot_place;

typedef enum sg_robot_form {
    SG_ROBOT_BOX,       // size: lengths along x, y, z
    SG_ROBOT_CYLINDER,  // size: radius, length along z
    SG_ROBOT_CAPSULE,   // ... of the part between its ends
    SG_ROBOT_SPHERE,    // size: radius
    SG_ROBOT_ELLIPSOID, // size: lengths along x, y, z
    SG_ROBOT_MESH       // size: scales
} sg_robot_form;

typedef struct sg_robot_shape {
    sg_robot_form form;
    sg_robot_place place; // in the link
    sg_vec3 size;
    const char *file; // of a mesh, from the folder of the robot's file, or absolute
    bool has_color;
    double color[4]; // red, green, blue, opacity: 0 to 1
    bool collides;
    bool seen;             // be it that it collides
    const char *name, *id; // or null: named after its link
    // Of a mesh that gives its link mass: by its volume (density) or as a whole (mass). Those of
    // other forms are in the link.
    double density, mass;
    uint32_t groups, partners; // bits: it touches whose partners have one of its groups, or back
    struct sg_robot_shape *next;
} sg_robot_shape;

typedef struct sg_robot_link {
    const char *name, *id; // id: a name of the language, not given twice
    double mass;
    sg_vec3 center;
    sg_mat3 inertia; // about the center of mass, along the axes of the link
    sg_robot_shape *shapes;
    bool is_frame;  // a place with a name; it stays where fixed joints are merged
    uint32_t joint; // that leads to it, SG_ROBOT_NONE for the root
} sg_robot_link;

typedef enum sg_robot_motion {
    SG_ROBOT_FIXED,
    SG_ROBOT_REVOLUTE,
    SG_ROBOT_PRISMATIC,
    SG_ROBOT_PLANAR,
    SG_ROBOT_BALL,
    SG_ROBOT_FLOATING
} sg_robot_motion;

#define SG_ROBOT_NONE UINT32_MAX

typedef struct sg_robot_joint {
    const char *name, *id;
    sg_robot_motion motion;
    uint32_t parent, child; // links
    sg_robot_place place;   // of the child in its parent, at zero
    sg_vec3 axis;           // of length 1, in the child
    bool limited;
    double lower, upper;       // [rad] or [m]
    double effort;             // the drive's limit [N m] or [N], 0: not given
    double damping, friction;  // [N m s/rad] or [N s/m]; [N m] or [N]
    double stiffness, rest;    // of a spring [N m/rad] or [N/m], and where it is at rest
    double armature;           // inertia of the drive, seen from the joint [kg m2] or [kg]
    bool neighbors_touch;      // what it joins may touch
    uint32_t mimics;           // joint, or SG_ROBOT_NONE
    bool held;                 // at the offset
    double multiplier, offset; // of the mimic
    double bend[3];            // ... and coefficients of the square, the cube, the fourth power
} sg_robot_joint;

// Two frames of links that stay together, whatever joints lead to them.
typedef struct sg_robot_tie {
    const char *name, *id;
    bool turns; // only their origins do
    uint32_t link[2];
    sg_robot_place place[2];
} sg_robot_tie;

// A drive on a joint: force = gain*ctrl + bias[0] + bias[1]*length + bias[2]*speed, where length
// and speed are `gear` times coordinate and speed of the joint, which feels gear*force.
typedef struct sg_robot_drive {
    const char *name, *id;
    uint32_t joint;
    double gear, gain, bias[3];
    double ref; // what the coordinate of the file is where the joint's is zero
    bool ctrl_limited, force_limited;
    double ctrl[2], force[2];
} sg_robot_drive;

// A flange in front of a joint, for a drive: it turns `ratio` times as far.
typedef struct sg_robot_transmission {
    const char *name, *id;
    uint32_t joint;
    double ratio;
} sg_robot_transmission;

typedef struct sg_robot_pair { // links
    uint32_t a, b;
} sg_robot_pair;

typedef struct sg_robot {
    const char *name, *id;
    sg_robot_link *links;
    sg_robot_joint *joints;
    uint32_t n_links, n_joints, root;
    uint32_t *order; // links, each behind its parent
    double total_mass;
    bool mass_is_known; // meshes have none that only their files tell
    sg_robot_tie *ties;
    sg_robot_drive *drives;
    sg_robot_pair *apart; // links that never touch
    sg_robot_transmission *transmissions;
    uint32_t n_ties, n_drives, n_apart, n_transmissions;
    sg_vec3 gravity;    // [m/s2]
    const char *format; // "URDF"
} sg_robot;

typedef struct sg_robot_options {
    const char *parent;  // the object that the base is fixed to; null: "world"
    bool free_base;      // the base moves freely
    bool merge_fixed;    // links behind fixed joints have no objects of their own
    bool repair_inertia; // implausible inertias become plausible
    bool stops;          // limits are end stops
    bool collisions;     // collision shapes collide
    bool visuals;
    bool inputs;          // drives have inputs; else constants
    const char *material; // of collision shapes; null: "Steel"
    const char *folder;   // before paths of meshes that are not absolute, with its "/"; null: none
} sg_robot_options;

sg_robot_options sg_robot_options_make(void);

// The file that another one names, as text that lies in the arena; false if it cannot be read.
typedef struct sg_robot_files {
    void *context;
    bool (*read)(void *context, sg_arena *arena, const char *path, const char **text,
                 size_t *length);
} sg_robot_files;

// The robot as an expression `Model(...)`. Lines begin with `indent`.
void sg_robot_write_model(const sg_robot *robot, const sg_robot_options *options,
                          const char *indent, sg_buf *out);
// ... as a model file that includes the library, has a world, and runs. `source` is named in it.
void sg_robot_write_file(const sg_robot *robot, const sg_robot_options *options, const char *source,
                         sg_buf *out);

// Gives links, joints and the rest names of the language, and `order`. False if the joints make no
// tree (with a message) or without memory.
sg_status sg_robot_finish(sg_robot *robot, sg_arena *arena, const char *file, sg_diags *diags,
                          sg_span span);
// What is wrong with an inertia, or null. With `repair` it becomes the nearest one that a body can
// have: smaller principal moments grow until two of them are not less than the third.
const char *sg_robot_judge_inertia(sg_mat3 *inertia, double mass, bool repair);
