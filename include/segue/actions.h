// Action programs in C: what a 3D part of a model attaches, releases, parks and waits for while it
// runs.
//
// A model says `ModelActions(world = :world, actions = "carry")`, and the program that runs it adds
// one of this name to its session. It is called once before each simulation and appends commands
// to a list, as an action program of the language does; docs/actions.md says what they mean. What
// is decided while the model runs is a condition: of distance, contact or load, or of equations,
// into which a component in C (segue/component.h) may put what it wants.
//
//     static sg_status carry(void *context, sg_action_list *list)
//     {
//         sg_action_list_add(list, &(sg_action_command){SG_ACTION_WAIT, .period = 1.0});
//         return sg_action_list_add(list, &(sg_action_command){SG_ACTION_RELEASE, "ballLock"});
//     }
//     static const sg_action_program program = {"carry", carry, NULL};
//     sg_session_add_actions(session, &program);
//
// All numbers are SI.
#pragma once

#include "segue/export.h"
#include "segue/status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sg_action_kind {
    SG_ACTION_ATTACH,
    SG_ACTION_RELEASE_AND_ATTACH,
    SG_ACTION_RELEASE,
    SG_ACTION_DELETE,
    SG_ACTION_PARK,
    SG_ACTION_WAKE,
    SG_ACTION_FLIP_CHAIN, // the last that changes the structure
    SG_ACTION_EVENT,      // EventAfterPeriod
    SG_ACTION_WAIT,
    SG_ACTION_WAIT_UNTIL,
    SG_ACTION_PTP // ptpJointSpace
} sg_action_kind;

// What SG_ACTION_WAIT_UNTIL waits for.
typedef enum sg_condition_kind {
    SG_CONDITION_NONE,    // there is nothing to wait for
    SG_CONDITION_INPUT,   // an argument of executeActions is true
    SG_CONDITION_CLOSER,  // two objects: distance of their origins
    SG_CONDITION_FARTHER, //
    SG_CONDITION_TOUCH,   // their shapes are in contact
    SG_CONDITION_APART,   // they are not
    SG_CONDITION_FORCE,   // what holds an assembly, or a force element: more than the limit
    SG_CONDITION_TORQUE
} sg_condition_kind;

// One command. What a kind has no use for is left out, and zero is the default.
typedef struct sg_action_command {
    sg_action_kind kind;
    const char *part;   // path of a lockable object of the assembly; of a condition: of an object
    const char *depot;  // what it goes to, or what it parks on; of a condition: the other object
    const char *old;    // of a flip: of the assembly that lets go
    double period;      // until the next command [s]
    bool contacts_off;  // in the segment that begins
    bool impulse;       // of SG_ACTION_ATTACH and SG_ACTION_RELEASE_AND_ATTACH: however fast it is
    const char *joint;  // of the same: "revolute" or "prismatic", null: it is fixed
    const double *axis; // of this joint, three numbers in the depot; null: its z axis
    // Of what wakes, three numbers each in the world, null: as its carrier [m/s], [rad/s].
    const double *velocity, *angular_velocity;
    sg_condition_kind condition;
    unsigned input;       // of SG_CONDITION_INPUT, from 1
    double limit;         // of a condition [m], [N], [N m]
    const double *points; // of a path: point by point, as many numbers each as it has signals
    size_t n_points;
} sg_action_command;

// Signals that a path leads (addReferencePath); `n` numbers each, null for the default.
typedef struct sg_action_path {
    size_t n;
    const double *position;      // where they begin, 0
    const double *v_max, *a_max; // limits, 1
} sg_action_path;

typedef struct sg_actions sg_action_list;

// Both copy what they get. SG_ERR_MODEL, after reporting why, for what makes no sense; names of
// objects are looked up later, and not found is an error of the run.
SG_API sg_status sg_action_list_add(sg_action_list *list, const sg_action_command *command);
SG_API sg_status sg_action_list_add_path(sg_action_list *list, const sg_action_path *path);

typedef struct sg_action_program {
    const char *name;
    // Before each simulation of a model that names it. Any other status than SG_OK ends the run.
    sg_status (*write)(void *context, sg_action_list *list);
    void *context;
} sg_action_program;

#ifdef __cplusplus
}
#endif
