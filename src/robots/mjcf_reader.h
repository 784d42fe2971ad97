// Reading MJCF, between its files.
//
// The text becomes nodes in which included files stand where they were named (mjcf_nodes.c). A
// value of an element is its own attribute, or that of its class of defaults, or of a class around
// that (mjcf_values.c). Bodies with several joints become links without mass in a row
// (mjcf_body.c); what has a mass by its shape is in mjcf_geom.c, and what joins, drives and keeps
// apart, in mjcf_joins.c.
#pragma once

#include "robots/reading.h"

typedef struct sg_mjcf_node {
    const sg_xml_element *e;
    const sg_robot_source *source;
    struct sg_mjcf_node *parent, *child, *next;
} sg_mjcf_node;

typedef struct sg_mjcf_class {
    const char *name;
    const struct sg_mjcf_class *parent;
    const sg_mjcf_node *node; // <default>, whose children are the values
    struct sg_mjcf_class *next;
} sg_mjcf_class;

typedef struct sg_mjcf_reader {
    sg_robot_reading in;
    const sg_robot_files *files;
    sg_mjcf_node *root;
    sg_mjcf_class *classes; // the main one first
    // <compiler>
    bool degrees, autolimits, balance;
    char eulerseq[4];
    enum { SG_MJCF_NEVER, SG_MJCF_WHERE_MISSING, SG_MJCF_ALWAYS } from_geoms;
    double bound_mass, bound_inertia, total_mass;
    double groups[2]; // of geoms that give mass
    const char *mesh_folder;
    bool strip_path;
    // <option>
    bool no_contacts, no_limits, no_equality, no_actuation, no_springs, no_dampers, no_friction,
        neighbors_touch;
    sg_robot *robot;
    const sg_mjcf_node **joint_node; // by joint of the robot, null for those of ours
    double *ref;                     // by joint: the file's coordinate where ours is zero
    bool *grounded;                  // by link: it does not move
    uint32_t room;                   // of links and joints
} sg_mjcf_reader;

#define SG_MJCF_SAY(r, severity, node, ...)                                                        \
    sg_robot_say(&(r)->in, (node)->source, severity, (node)->e, __VA_ARGS__)

// ---- mjcf_nodes.c

enum { SG_MJCF_MAX_DEPTH = 200, SG_MJCF_MAX_FILES = 100 };

// The nodes of a text, included files in their places. Null after a message or without memory.
sg_mjcf_node *sg_mjcf_nodes(sg_mjcf_reader *r, const sg_robot_source *source);
bool sg_mjcf_is(const sg_mjcf_node *node, const char *name);
// The node behind this one in the order of the text, below `root`; null at the end.
const sg_mjcf_node *sg_mjcf_walk(const sg_mjcf_node *root, const sg_mjcf_node *node);
// The element of this kind in a section (all of that name) with the attribute `name`; null.
const sg_mjcf_node *sg_mjcf_find(const sg_mjcf_reader *r, const char *section, const char *kind,
                                 const char *name);

// ---- mjcf_values.c

void sg_mjcf_read_classes(sg_mjcf_reader *r);
const sg_mjcf_class *sg_mjcf_class_of(sg_mjcf_reader *r, const sg_mjcf_node *node);
// The attribute, be it a default; null.
const char *sg_mjcf_get(sg_mjcf_reader *r, const sg_mjcf_node *node, const char *name);
double sg_mjcf_number(sg_mjcf_reader *r, const sg_mjcf_node *node, const char *name,
                      double otherwise);
// How many numbers there are, at least `least` and at most `most`; 0 without the attribute, and
// after a message. `x` is unchanged then.
int sg_mjcf_numbers(sg_mjcf_reader *r, const sg_mjcf_node *node, const char *name, double *x,
                    int least, int most);
sg_vec3 sg_mjcf_vector(sg_mjcf_reader *r, const sg_mjcf_node *node, const char *name,
                       sg_vec3 otherwise);
bool sg_mjcf_flag(sg_mjcf_reader *r, const sg_mjcf_node *node, const char *name, bool otherwise);
// `limited` with its range: true, false, or "auto".
bool sg_mjcf_is_limited(sg_mjcf_reader *r, const sg_mjcf_node *node, const char *flag,
                        const char *range);
double sg_mjcf_angle(const sg_mjcf_reader *r, double x); // [rad]
// pos, and one of quat, axisangle, euler, xyaxes, zaxis.
sg_mat3 sg_mjcf_turn(sg_mjcf_reader *r, const sg_mjcf_node *node);
sg_robot_place sg_mjcf_place(sg_mjcf_reader *r, const sg_mjcf_node *node);
// The least turn of the z axis into a direction.
sg_mat3 sg_mjcf_turn_z(sg_vec3 direction);
const char *sg_mjcf_name(sg_mjcf_reader *r, const sg_mjcf_node *node, const char *otherwise,
                         uint32_t number);

// ---- mjcf_geom.c

typedef struct sg_mjcf_mass {
    int n; // geoms
    double mass;
    sg_vec3 center;  // of the only one, else the sum of mass times center
    sg_mat3 inertia; // of the only one about its center, else the sum about the origin
} sg_mjcf_mass;

// Adds a shape to the link, at the end of its list, and its mass.
void sg_mjcf_read_geom(sg_mjcf_reader *r, const sg_mjcf_node *node, const sg_robot_place *frame,
                       uint32_t link, bool weighs, sg_mjcf_mass *mass);
// Mass and inertia of the link, from <inertial> (or null) and its geoms.
void sg_mjcf_settle_mass(sg_mjcf_reader *r, const sg_mjcf_node *body, const sg_mjcf_node *inertial,
                         const sg_mjcf_mass *geoms, sg_robot_link *link);

// ---- mjcf_attributes.c

// Says which attributes are not used, once each.
void sg_mjcf_look_at_attributes(sg_mjcf_reader *r);

// ---- mjcf_body.c

void sg_mjcf_read_bodies(sg_mjcf_reader *r);

// ---- mjcf_joins.c

void sg_mjcf_read_equality(sg_mjcf_reader *r);
void sg_mjcf_read_actuators(sg_mjcf_reader *r);
void sg_mjcf_read_contact(sg_mjcf_reader *r);
// What presses on end stops, where no drive says it: gravity on all that the joint carries.
void sg_mjcf_estimate_efforts(sg_mjcf_reader *r);
