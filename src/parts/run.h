// A 3D part as seen from outside: what the session does with it, and its functions in the
// numeric program. Nothing of multibody/ is visible here.
#pragma once

#include "parts/contact_counts.h"
#include "parts/host.h"
#include "program/exec.h"
#include "sim/component.h"
#include "sim/hidden.h"
#include "view/scene.h"
#include "vm/value.h"

typedef struct sg_part sg_part;

// What a run asks of a part (component.c); `self` is the part.
extern const sg_component_functions sg_part_component;

// Switches that reproduce the published program (docs/compat.md); all false is physics.
typedef struct sg_part_compat {
#define SG_PART_COMPAT(field, name, what) bool field;
#include "parts/compat_list.h"
#undef SG_PART_COMPAT
} sg_part_compat;

// The names of the switches from 0 on, null behind the last.
const char *sg_part_compat_name(size_t i);
// Turns on one switch, or all by "modia-0.12". False if there is none of this name.
bool sg_part_compat_set(sg_part_compat *compat, const char *name, size_t length);

// What the build function of Model3D does: *new_model becomes the dictionary with the equations
// that couple its joints, *part the value that stands for the part. `id` is the path of the part.
// Raises.
sg_status sg_part_build(sg_vm *vm, const sg_part_host *host, sg_value model, const char *id,
                        sg_span span, sg_value *new_model, sg_value *part);
// The part behind a value, or null.
sg_part *sg_part_of(sg_value value);

// Its path in the model, empty at the top.
const char *sg_part_id(const sg_part *part);
// The super-objects of the present segment, one a line (multibody/tree.h).
void sg_part_dump(const sg_part *part, sg_buf *out);
// The same for the log of a run; nothing where no action can change them.
void sg_part_log_bodies(const sg_part *part);

// Before each segment: reads the evaluated parameters of the part and defines its hidden states and
// result signals. *n_visible will hold the number of states in front of the hidden ones. Problems
// go to the diagnostics of the machine.
// The host must outlive the segment.
sg_status sg_part_begin_segment(sg_part *part, sg_value parameters, const sg_part_compat *compat,
                                sg_part_host *host, sg_hidden *hidden, const uint32_t *n_visible);

// After a run: says which commands of action programs it did not come to.
void sg_part_report_actions(const sg_part *part, sg_diags *diags);

// Gives the variables of joints the units that people know them in.
struct sg_flat;
void sg_part_show_units(const sg_part *part, struct sg_flat *flat);

// After a run: what its elements have to tell of it.
void sg_part_report_elements(const sg_part *part, sg_diags *diags);

// After a run: says which switches that are on changed something.
void sg_part_report_compat(const sg_part *part, sg_diags *diags);
// After numbers of the published program were missed: which switches would have made a difference.
void sg_part_suggest_compat(const sg_part *part, sg_diags *diags, sg_span span);

// After a run failed: notes on what in the part may be the reason.
void sg_part_explain(const sg_part *part, sg_diags *diags);

// The balance of the run so far as a table; false if it was not wanted or nothing ran. `tolerance`
// is that of the run: whether the balance closes is meant up to errors of that order.
bool sg_part_balance_sheet(const sg_part *part, double tolerance, sg_buf *out);
bool sg_part_balance_closes(const sg_part *part, double tolerance);
// Whether a body went through another one in the run: energy may be accounted for, and the balance
// does not close all the same.
bool sg_part_was_passed_through(const sg_part *part);

// What the contacts of the run so far did, added to *sum; false if nothing can touch in this part.
bool sg_part_contact_counts(const sg_part *part, sg_contact_counts *sum);
// What coefficients of restitution act as in the last run where that differs from what they say, in
// words; "" if it does not.
const char *sg_part_restitution(const sg_part *part);
// As a table.
void sg_part_print_contact_counts(const sg_contact_counts *counts, sg_buf *out);

// What a contact was, from its begin to its end: how fast the two came, how deep and how hard they
// pressed at most (along the normal), and when. Of an impact that takes no time the impulse.
typedef struct sg_contact_record {
    int object[2];       // of the part
    double begin, end;   // [s]; NaN while it lasts
    double speed;        // of approach when it began [m/s]
    double depth, force; // [m], [N]
    double depth_time;   // [s]
    double force_time;   // [s]
    double impulse;      // [N s]; 0 unless there was one
    const char *law;     // by which it pressed, a word (contact/seen.h)
} sg_contact_record;

// Whether anything of it may touch. At each stored point of a run: contacts that ended since the
// last one; those that last, by number; and that the point was stored, which forgets the former.
bool sg_part_has_contacts(const sg_part *part);
size_t sg_part_ended_contacts(const sg_part *part, const sg_contact_record **list);
size_t sg_part_lasting_contacts(const sg_part *part);
sg_contact_record sg_part_lasting_contact(const sg_part *part, size_t i);
void sg_part_point_stored(sg_part *part, double time);

// Frames of a run (components3d.md 11): before its first point, at each stored point with the model
// evaluated there, and after the last. They do nothing unless the Scene asks for it.
sg_status sg_part_begin_animation(sg_part *part, double start, double interval, double n_frames);
sg_status sg_part_record(sg_part *part, double t);
void sg_part_finish_animation(sg_part *part);
// A frame that is kept in any case, at the present positions.
sg_status sg_part_add_frame(sg_part *part, double t);
// Writes the frames to the file that the Scene names, if it does. *path is where they are, null if
// nothing was written. Reports what goes wrong.
sg_status sg_part_write_animation(const sg_part *part, const char **path);
// What was recorded, as long as the part and until the next run begins; null if nothing was.
const sg_animation *sg_part_animation(const sg_part *part);
// What the Scene names as its animationFile, and where; null if none is to be written.
const char *sg_part_animation_file(const sg_part *part, sg_span *span);
// Whether this is the path of one of its objects in the present segment.
bool sg_part_has_object(const sg_part *part, const char *path);

// The same for the scene of a run file (view/scene.h), which is of all parts together; their
// objects are counted on, from `first_object`. First what is visible, then at each point poses and
// contacts.
bool sg_part_stage(sg_part *part, sg_animation *stage, int first_object);
sg_scene_extras sg_part_stage_extras(const sg_part *part);
void sg_part_stage_poses(const sg_part *part, const sg_visual *visuals, size_t n, int first_object,
                         sg_visual_pose *out);
bool sg_part_stage_contacts(const sg_part *part, uint32_t first_object, sg_scene_log *log);
size_t sg_part_n_objects(const sg_part *part);
const char *sg_part_object_path(const sg_part *part, size_t object);
bool sg_part_object_gone(const sg_part *part, size_t object); // deleted by an action

// The functions of a part that the equations call.
typedef enum sg_part_function {
    SG_PART_TERMS,         // (time, coordinates...) -> h
    SG_PART_MATRIX,        // (terms) -> M
    SG_PART_ACCELERATIONS, // (terms, accelerations...) -> those of joints without flange
    // (terms, forces..., and if there are any, inertias of rotors...) -> accelerations of the
    // joints with flange
    SG_PART_FORWARD,
    SG_PART_INVERSE, // (terms, accelerations...) -> forces of the joints with flange
    // Where equations name quantities of elements (parts/ports.h): the terms begin with (motion,
    // inputs...), and the matrix with (motion).
    SG_PART_MOTION, // (time, coordinates...) -> what is known without accelerations
    SG_PART_SENSED, // (accelerations) -> what is known with them
    SG_PART_N_FUNCTIONS
} sg_part_function;

// After a translation: whether its equations were replaced by SG_PART_FORWARD or SG_PART_INVERSE
// (parts/inside.h). Once one translation of a model says no, the answer stays.
void sg_part_set_inside(sg_part *part, bool inside, bool inverse, bool first);

// Whether a function of the equations is linear in forces and accelerations, as long as the motion
// is known.
bool sg_part_is_linear_call(sg_value function);

// The function as the numeric program calls it; false if it is none of a part. The context lives as
// long as the value.
bool sg_part_extern(sg_value function, sg_extern *out);

// Before a step of the solver, with the model evaluated there: the longest step that elements of
// the part allow [s], infinity if they do not mind. Whether there are any that might.
double sg_part_bound_step(const sg_part *part);
// With the part evaluated at t1: up to which time its motion since t0 was as the bound at t0 took
// it to be; t1 if all of it. If it was and the step goes on, t1 is where the next bound holds from.
double sg_part_foreseen(const sg_part *part, double t0, double t1, bool goes_on);
bool sg_part_bounds_steps(const sg_part *part);

// After an event: whether contacts press that keep the energy they get.
bool sg_part_gives_back(const sg_part *part);

// Whether joints of the part close loops in this segment, so that states must keep to constraints.
bool sg_part_has_loops(const sg_part *part);
// Moves the states x of `compiled`, at time t, to where the loops are closed and their speeds fit;
// at the `start` also from far, telling what was changed. Sets *moved if anything did.
struct sg_compiled;
sg_status sg_part_project(sg_part *part, struct sg_compiled *compiled, sg_events *events, double t,
                          double *x, bool start, bool *moved);

// One more state of the present segment, for an evaluation beside that of the run. It reads and
// writes the hidden variables `hidden`, which are laid out as those of the run, and ends with the
// segment. Null when memory ran out.
typedef struct sg_part_state sg_part_state;
sg_part_state *sg_part_state_create(const sg_part *part, sg_hidden *hidden, sg_diags *diags);
void sg_part_state_destroy(sg_part_state *state);
// A function of the part on this state.
sg_extern sg_part_state_extern(sg_part_state *state, sg_part_function kind);
