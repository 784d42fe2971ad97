// Action programs: what a ModelActions does to a part while it runs.
//
// An action program is a function of the script. It runs once, before the simulation, and only
// appends commands to a list; so its loops and conditions see parameters, not the run. Afterwards
// the equation `executeActions(program)` takes the commands from the list at events: a path begins,
// a while is waited, or a structural change is left for the segment that the event asks for. The
// change itself is made between two segments (restructure.h), with the motion of the last
// evaluation.
//
// [Neumayr-thesis] 11.3, components3d.md 10. The published program loses requests that are made
// while a segment is initialized and executes the last change once more at every restart; see
// `late-actions` and `event-segments` in compat_list.h.
#pragma once

#include "actions/capture.h"
#include "actions/conditions.h"
#include "parts/part.h"
#include "program/exec.h"
#include "segue/actions.h"
#include "sim/path.h"
#include "vm/script_function.h"

// One command. Texts and numbers live as long as the program.
typedef struct sg_action {
    sg_action_kind kind;
    sg_span span;        // of the call that appended it
    const char *part;    // the movable part: a lockable object of an assembly
    const char *depot;   // what it goes to; null if the command has none
    const char *old;     // of a flip: a lockable object of the assembly that lets go
    int object[3];       // the three above; -1 if there is none of this name, or no name
    double period;       // until the next command [s]
    bool contacts;       // may be detected in the segment that begins
    sg_joint_kind joint; // that an attachment leaves: fixed, revolute or prismatic
    sg_vec3 axis;        // of it, in the depot
    const char *state_name[2], *what; // of it (actions/hinge.h)
    const char *der_name[2];          //
    bool impulse;                     // of an attachment: asked for, however fast it is
    bool forgets;                     // impulse = false: what is left of a relative motion is lost
    bool freed;                       // it was released first, for an impulse
    double *positions; // of a path: points x signals, column by column, without the first
    uint32_t n_points;
    sg_condition condition; // that it waits for
    // Of what wakes: its motion in the world, where that is not the carrier's.
    bool has_velocity, has_angular_velocity;
    sg_vec3 velocity, angular_velocity; // [m/s], [rad/s]
} sg_action;

typedef struct sg_actions {
    sg_part *part;       // of the run that it was made for
    const char *name;    // "ModelActions 'program'", for messages
    const char *element; // its path, "program"
    sg_span span;
    sg_arena arena; // of the commands
    SG_VEC(sg_action) list;
    bool open; // the program runs just now, and may append

    // The reference path; no signals until addReferencePath.
    uint32_t n_signals;
    double *position, *v_max, *a_max; // where it begins, and its limits
    double *now, now_time;            // the path at this time, NaN if it is not known
    sg_arena path_arena;              // of the present path and its points
    sg_path *path;                    // null before the first motion

    // Where the run is.
    size_t next;          // command
    double next_time;     // not before this [s]
    double time;          // of the last evaluation [s], NaN before the first
    const sg_action *do_; // the change that the next segment makes, or null
    bool waits;           // for the next segment
    bool made;            // the change was made at least once

    // Conditions (actions/conditions.h).
    uint32_t n_inputs;        // arguments of executeActions that commands wait for
    bool measures;            // some command waits for what is measured in 3D
    uint32_t crossing;        // of this segment, if so
    const sg_action *waiting; // the command whose condition must hold before the next, or null
    double waiting_since;     // [s]
    bool met;                 // it does

    // Impulses (actions/capture.h).
    bool captures;        // some command may need one
    sg_action release;    // that comes before the command, if what is fixed needs one
    sg_action *capturing; // the command that waits for its own, or null
    bool captured;        // that was applied, or refused
    sg_capture capture;   // the last one
} sg_actions;

// The name of the function that appends such a command.
const char *sg_action_name(sg_action_kind kind);
static inline bool sg_action_is_structural(sg_action_kind kind)
{
    return kind <= SG_ACTION_FLIP_CHAIN;
}

// The joint that a text names: "revolute" or "prismatic". False for any other.
bool sg_action_joint_kind(const char *name, sg_joint_kind *out);

// The object of this path in the Model3D, whichever model holds that; -1 if there is none.
int sg_actions_object(const sg_part *part, const char *path);

// The reader of ModelActions is in elements.h. Once all elements are read: which objects the
// commands name.
void sg_actions_find_objects(sg_part *part);
void sg_actions_mark(sg_vm *vm, const sg_part *part);

// Between two segments: makes the changes that the event asked for. `time` is that of the event.
// SG_ERR_ACTION after saying why one cannot be made.
sg_status sg_actions_change_structure(sg_part *part);
// After an error about the segment that it led to: says which one did.
void sg_actions_blame(const sg_part *part, sg_diags *diags);

// After a run: says which commands of action programs it did not come to.
void sg_part_report_actions(const sg_part *part, sg_diags *diags);
