// What the readers of robots share: messages that name lines of a file, and what is told once only.
#pragma once

#include "robots/robot.h"
#include "xml/xml.h"

typedef struct sg_robot_source { // a text that was read, for places in messages
    const char *file, *text;
    size_t length;
} sg_robot_source;

enum {
    SG_ROBOT_MAX_UNUSED = 64,
    // Links of a robot, and joints: names are compared with all others, which takes seconds then.
    SG_ROBOT_MAX_LINKS = 10000
};

typedef struct sg_robot_reading {
    sg_arena *arena;
    sg_diags *diags;
    sg_span span;                            // of all messages
    bool failed;                             // an error was told
    const char *unused[SG_ROBOT_MAX_UNUSED]; // names of what was told of
    size_t n_unused;
} sg_robot_reading;

// "arm.urdf:12:3: ..."; the line is that of the element, or the first one without.
__attribute__((format(printf, 5, 6))) void
sg_robot_say(sg_robot_reading *r, const sg_robot_source *source, sg_severity severity,
             const sg_xml_element *e, const char *format, ...);
// True the first time that this name is asked for; notes are given once for each.
bool sg_robot_is_new(sg_robot_reading *r, const char *name);
// Elements that have no meaning here are named once each.
void sg_robot_tell_unused(sg_robot_reading *r, const sg_robot_source *source,
                          const sg_xml_element *e);
bool sg_robot_is_one_of(const char *name, const char *const *known); // ends with a null

// The turn that a quaternion of any length but zero stands for.
sg_mat3 sg_robot_turn_of_quaternion(double x, double y, double z, double w);
// About an axis of length 1 [rad].
sg_mat3 sg_robot_turn_about(sg_vec3 axis, double angle);
// Where something is that lies at `b` in what lies at `a`; and the way back.
sg_robot_place sg_robot_behind(const sg_robot_place *a, const sg_robot_place *b);
sg_robot_place sg_robot_back(const sg_robot_place *a);
