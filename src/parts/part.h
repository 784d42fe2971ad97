// A Model3D part of a model: from the dictionaries of its elements to a multibody system that the
// equations around it can ask.
//
// Four moments in the life of a part:
//   build    once, when the model is instantiated: the joints are found in the dictionary, and the
//            equations that couple them are added to the model (build.c)
//   records  before every run: the evaluated elements are read in the order of their declaration
//            (elements.c and one file a kind) into what the sections below call records
//   segment  at the start of a run and at each full restart: the records are joined to a tree and
//            handed to multibody/; hidden states and result signals are defined (segment.c). No
//            name is looked up and no dictionary touched, so that it takes microseconds
//   run      functions of the numeric program, which allocate nothing (evaluate.c):
//            terms, matrix  h and M of the joints that equations act on
//            accelerations  all the rest, once the accelerations of those joints are known
//            forward        instead of a system of equations, where their torques are known
//
// While a segment runs a part is constant. What changes is in sg_part_state, one for each
// evaluation that goes on at the same time; what is true of one evaluation only is in sg_part_eval,
// which is handed from function to function. Functions of the script in laws run on the one script
// machine, so parts that have such laws cannot be evaluated twice at the same time.
//
// The coupling is tau = M a + h for joints with a flange only; all others are eliminated inside
// (multibody/hybrid.h). components3d.md 0.5, 1, 5, 7.4, 7.6; language.md 3.10 and 8.
#pragma once

#include "base/vec.h"
#include "contact/contacts.h"
#include "multibody/connect.h"
#include "multibody/hybrid.h"
#include "multibody/loops.h"
#include "parts/host.h"
#include "parts/joint_rows.h"
#include "parts/ports.h"
#include "parts/run.h"
#include "parts/view.h"
#include "sim/hidden.h"
#include "vm/vm.h"

struct sg_archive; // base/archive.h

typedef struct sg_part_eval sg_part_eval;
typedef struct sg_part_state sg_part_state;

// ---- build ----------------------------------------------------------------------------------

// A joint whose variables the equations see. The first fields are known from build on.
typedef struct sg_part_joint {
    const sg_joint_form *form; // a joint with several coordinates is as many of these in a row
    int step;                  // of the form
    sg_joint_kind kind;
    bool flange;
    uint32_t n_inputs; // arguments of the terms that belong to it
    sg_sym path;       // full
    sg_span span;
    int object;      // that it carries, in this segment; -1 until it was connected, or if it is cut
    int cut;         // where it closes a loop (parts/loops.h), else -1
    int obj2;        // as declared; the joint may carry obj1 instead
    bool reversed;   // of free motion or a ball: it does
    int body, first; // its first coordinate; -1 if it is cut
} sg_part_joint;

// ---- records --------------------------------------------------------------------------------

// An element as the parameter phase left it: a dictionary whose class is the name of the
// constructor.
typedef struct sg_part_element {
    const char *kind, *path;
    sg_dict *dict;
    sg_span span;
    int order; // counts over all elements, in the order of declaration
} sg_part_element;

typedef struct sg_part_object {
    const char *name; // full path
    sg_obj *value;    // the dictionary that stands for it in the script
    sg_span span;
    bool scene, has_parent;
    bool lockable;             // actions may name it
    bool gone;                 // deleted by an action
    int parked;                // 1 + root of the assembly that it parks with, or 0
    int assembly;              // object that leads its assembly, or -1 (actions/restructure.h)
    bool has_force;            // a force element acts on it
    bool odd_mesh, odd_pieces; // the published program has another inertia, or mass, for it
    bool refused_solid;        // its Solid makes no sense, which was told
    const struct sg_part_solid *solid; // of a Solid or Visual, else null (parts/solid.h)
    const char *r_name, *rot_name;     // of its result signals
    int32_t r_abs, rot123_abs;         // local variables of this segment
} sg_part_object;

// A joint, a Fix or a Free between two objects as its element says; connected anew in each segment.
typedef struct sg_part_link {
    sg_tree_joint joint;
    const char *what; // "Revolute 'arm.joint1'", for messages
    sg_span span, obj2_span;
    bool shifted_only; // of a Fix without rotation
    bool is_free;      // a Free: obj2 moves with states of its own
    bool world_known;  // the world was declared before it
    bool inactive;     // not connected in the next segment
    bool apart;        // canCollide = false: what it joins never touches
    bool cut;          // wanted: it closes a loop, whatever else could
} sg_part_link;

// NoContact: the bodies of two objects never touch.
typedef struct sg_part_apart {
    int object[2];
} sg_part_apart;

// What only closes loops (multibody/ties_list.h).
typedef struct sg_part_tie {
    sg_tree_cut cut;
    const char *what;
    sg_span span;
} sg_part_tie;

// An Object3D with its own twelve states (components3d.md 1.3).
typedef struct sg_part_free {
    int object;
    double start[12]; // translation, velocity, rotation, angular velocity; at a full restart those
    bool start_xzy;   // of the segment that ended, with the sequence of the angles
    bool in_object;   // the angular velocity is resolved in the object, not in its parent
    const char *name[4], *der[4], *margin_name, *xyz_name;
    // In this segment:
    int body, first;   // coordinate
    uint32_t at;       // of the first of the twelve among the hidden states
    int32_t velocity;  // number of that variable among them
    int32_t xyz;       // local variable rotationXYZ
    uint32_t crossing; //
} sg_part_free;

// A joint that an action made, with a coordinate and its rate as states (actions/hinge.h).
typedef struct sg_part_hinge {
    const struct sg_action *action; // that made it
    int assembly;                   // root of what it carries
    bool closes;                    // a loop, and is cut: no states
    size_t link;                    // among those of the part
    double start[2];                // at a full restart those of the segment that ended
    int body, first;                // in this segment: coordinate
    uint32_t at;                    // of the first among the hidden states
} sg_part_hinge;

// What the Scene allows when an action joins two objects.
typedef struct sg_attach_limits {
    double gap;           // distance of the two lockable objects [m]
    double speed;         // of one relative to the other [m/s]
    double angular_speed; // [rad/s]
} sg_attach_limits;

// A Fix, for what goes through it (parts/cut.h).
typedef struct sg_part_fix {
    const char *path;
    int obj2;   // as declared
    int object; // that it carries: obj2 or obj1; -1 if an action undid it
} sg_part_fix;

// What an actor stores, how that changes, and what it takes from the motion. Of the latter `lent`
// is not lost yet: it comes back, or is forgotten.
typedef struct sg_part_energy {
    double stored, lent;   // [J]
    double storing, taken; // [W]
} sg_part_energy;

// Something that acts while the part moves: a force, a sensor, the contacts. In every evaluation
// actors are called in the order of declaration. All functions may be null.
//
// `data` is made when the element is read and constant while a segment runs; `own` is memory of the
// actor in the state of the evaluation, `own_size` bytes that are zero when a run begins and its
// own from then on, over events and segments. Who decides something does it where the mode is
// SG_MODE_EVENT (and sg_events_deciding), and only reads what was decided everywhere else.
typedef struct sg_part_actor {
    void *data;
    size_t own_size;
    size_t kept_size; // of it, from its first byte: what one evaluation leaves to the next
    // Before a segment, once its tree is known: where its objects went, which may be elsewhere than
    // in the segment before.
    void (*ready)(sg_part *part, void *data);
    // Before a segment, behind `ready`: defines local variables, states and crossing functions with
    // their groups and patterns (part->segment.hidden). At a full restart part->segment.hidden->x
    // are the states of the segment that ends, else null. False when memory ran out.
    bool (*define)(sg_part *part, void *data);
    // For each state that evaluates a segment, behind `define`: takes memory that `own` points to;
    // in later segments of a run it finds that of the one before. `end` gives it back where the run
    // or the state ends, also after a `begin` that failed.
    sg_status (*begin)(sg_part_state *s, const void *data, void *own);
    void (*end)(void *own);
    // Positions and velocities are known. Adds forces (sg_tree_apply), and where the mode is
    // SG_MODE_CROSSINGS or SG_MODE_EVENT writes its crossing functions (sg_part_set_crossing). May
    // be called several times in one evaluation, where forces depend on accelerations.
    sg_status (*apply)(sg_part_eval *e, const void *data, void *own);
    // Before a step of the solver, with the part evaluated there: the longest step that may follow
    // [s], infinity if it does not mind.
    double (*bound)(const sg_part_eval *e, const void *data, void *own);
    // After crossing functions were evaluated at t1: up to which time the motion since t0 was what
    // the bound took for granted (integration/model.h).
    double (*foreseen)(const sg_part_eval *e, const void *data, void *own, double t0, bool goes_on);
    // Whether it wants to see where steps of the solver end; and with the part evaluated there, it
    // does. Nothing stays of the evaluation, nor of `own` in its first `kept_size` bytes.
    bool (*sees_steps)(const void *data, const void *own);
    void (*see_step)(const sg_part_eval *e, const void *data, void *own);
    // SG_MODE_RESULT, and accelerations are known: writes its local variables (sg_part_set_local).
    sg_status (*store)(sg_part_eval *e, const void *data, void *own);
    // For the balance of energy: the force element, whose values (sg_force_values) `own` begins
    // with; null if it is none.
    const struct sg_force_element *force;
    // For the same, of what is no such element: what it stores and takes.
    void (*account)(const void *data, const void *own, sg_part_energy *out);
    // What `own` remembers, to a saved state or back once the segment has begun (model3d/saved.c).
    // Contacts have a function of their own.
    void (*archive)(void *own, struct sg_archive *a);
    // After a run, with what the state of the run owns: notes on what happened.
    void (*report)(const void *data, const void *own, sg_diags *diags);
    // 1 + objects without which it is nothing, 0 for none. It ends when an action deletes them; a
    // force must not be left with one of two (actions/restructure.h).
    int needs[4];
    int32_t first_local, n_locals; // its local variables in this segment
    bool is_given;                 // a part of its force comes from equations (parts/ports.h)
} sg_part_actor;

// ---- segment --------------------------------------------------------------------------------

// Free motion of an object, or by a joint, relative to what may move (resting.c).
typedef struct sg_part_resting {
    int object, body, first;
    int level;       // how many such objects carry it
    bool left_out;   // its parent stands still for the published program
    int32_t free;    // of frees, or -1: a joint, whose
    uint32_t result; // accelerations stand here among those of the joints
} sg_part_resting;

// What it is from build on, and what outlives runs.
typedef struct sg_part_built {
    struct sg_part_balance *balance; // null unless wanted (elements/balance.h)
    struct sg_part_mesh *meshes;     // read so far, kept over runs (parts/mesh.h)
    sg_animation animation;          // of the last run that was recorded, or empty
    bool recorded;                   // it was
    SG_VEC(sg_part_joint) joints;
    sg_map joint_by_path;
    uint32_t n_given;                        // joints with flange
    sg_ports ports;                          // what equations name of its elements
    const struct sg_coupling *coupling;      // null until flattened (parts/coupling.h)
    sg_value functions[SG_PART_N_FUNCTIONS]; // of the equations
    bool inside;  // all torques or all accelerations are known; M and h are not asked for
    bool inverse; // ... the accelerations, in some translation
    bool looped;  // more joints than a tree has: the equations are in the form of parts/loops.h
    bool by_hand; // moved by a script: poses, but no speeds and no forces (src/byhand)
} sg_part_built;

// Whether bodies that do not touch have solvers of their own (model3d/islands.h).
typedef enum sg_island_choice {
    SG_ISLANDS_WHERE_THEY_PAY,
    SG_ISLANDS_WHEREVER_THEY_FIT,
    SG_ISLANDS_NEVER
} sg_island_choice;

// What the Scene asks for.
typedef struct sg_part_scene {
    bool balance;
    bool reactions;
    bool projects_loops;                // IDA does with loops as other solvers
    bool detects_contacts;              //
    sg_island_choice islands;           //
    int threads;                        // that evaluate contacts
    sg_contact_options contact_options; //
    sg_part_view view;                  // how to look at it
    sg_attach_limits attach;            // when actions join objects
} sg_part_scene;

// What the action programs of the records need, and what they did (actions/actions.h).
typedef struct sg_part_programs {
    SG_VEC(sg_value) all;
    bool watches, watches_loads; // some wait for what is measured, for loads (actions/conditions.h)
    bool captures;               // some attach with an impulse (actions/capture.h)
    bool refused;                // an action; the run ends with it
    const struct sg_action *made; // the action that began the present segment, or null
    double made_at;               // [s]
} sg_part_programs;

// The elements of a run as they were declared, and as actions changed them.
typedef struct sg_part_records {
    sg_arena arena;
    sg_part_host *host;
    sg_part_compat compat; // asked for
    // On or off: those that could make a difference here, and those that do as it is built; what
    // makes one while the model runs is in the state (compat.c).
    sg_part_compat may_matter, mattered;
    double forgotten; // of accelerations, by observers that turn (multibody/measure.h)
    sg_part_scene scene;
    bool measures; // a DistanceResult wants distances, also where nothing can touch
    struct sg_part_contacts
        *contacts; // of this run, null if nothing can touch (elements/contacts.h)
    sg_gravity gravity;
    int world;
    SG_VEC(sg_part_object) objects;
    SG_VEC(sg_tree_object) declared; // parallel to objects, before links connect them
    SG_VEC(sg_part_link) links;
    SG_VEC(sg_part_tie) ties;     // joints that are always cut
    SG_VEC(sg_part_free) frees;   // in the order of their objects
    SG_VEC(sg_part_hinge) hinges; // joints made by actions
    SG_VEC(sg_part_free) at_rest; // of assemblies that are fixed, and might be released
    SG_VEC(sg_part_fix) fixes;    // number -1 - k is the tag of its object
    SG_VEC(sg_part_actor) actors;
    SG_VEC(sg_written_law) contact_laws; // of ContactLaw
    SG_VEC(sg_part_apart) apart;
    sg_part_programs programs;
    bool resumes;     // the next segment is that of a saved state (model3d/saved.c)
    sg_map object_of; // sg_obj * -> index
} sg_part_records;

typedef struct sg_part_segment {
    sg_arena arena;
    bool contacts;             // are detected: the action that began it does not forbid it
    sg_hidden *hidden;         // what is defined there; the run's state writes to the same
    const uint32_t *n_visible; // states in front of the hidden ones; known once linked
    sg_tree_object *bodies;    // parallel to objects, connected
    const sg_tree *tree;
    // By body: the group of the states that move it, hidden ones of a single free object or those
    // of the joints of a mechanism; null where more than these depends on each other.
    const uint32_t *state_group;
    const struct sg_sim_tree_joint *joint_groups; // by joint, null likewise (sim/trees.h)
    const struct sg_sim_tree_senses *senses;      // what equations see and give, null likewise
    // With the forces in cut joints given, null likewise (model3d/loop_groups.h).
    const struct sg_part_loop_groups *loop_groups;
    bool *holds_joint;                   // by object: a joint hangs there
    struct sg_part_loops *loops;         // null without any (parts/loops.h)
    struct sg_part_reactions *reactions; // that are asked for (model3d/reactions.h)
    sg_part_resting *resting;            // all of them; with the switch on all count, else none
    size_t n_carried, n_resting;
} sg_part_segment;

struct sg_part {
    sg_vm *vm;
    const sg_allocator *allocator;
    const char *id; // path of the part, "" at the top level
    // Behind the names of variables that the part adds to its model: nothing, or as many
    // underscores as make them new there.
    const char *tail;
    sg_span span;
    sg_arena arena; // of the part
    sg_part_built built;
    sg_part_records records;
    sg_part_segment segment;
    sg_part_state *run; // of the simulation; others may be made (sg_part_state_create)
};

// ---- run ------------------------------------------------------------------------------------

// One of the functions that the equations call, on one of the states.
typedef struct sg_part_entry {
    sg_part_state *state;
    sg_part_function kind;
    sg_part *owner; // of the state of the run: the part; else null
} sg_part_entry;

// One evaluation of the model as its part sees it: begun by the terms, which the program asks for
// first, and ended by the accelerations.
struct sg_part_eval {
    const sg_part *part;
    sg_part_state *state;
    sg_eval_mode mode;
    double time;
    sg_events *events;                  // null outside of a run
    bool asks;                          // a law asked for accelerations (model3d/feedback.h)
    const struct sg_part_law *asked_by; // the first one
    bool solved;                        // forward dynamics has given all accelerations
};

// Angles of the last change of sequence of a free object, before and after.
typedef struct sg_part_angles {
    double old[3], fresh[3];
} sg_part_angles;

struct sg_part_state {
    const sg_part *part;
    sg_arena arena;            // of the segment
    sg_arena lasting;          // of the run: what actors own
    sg_hidden *hidden;         // states to read; derivatives and local variables to write
    const uint32_t *n_visible; //
    sg_diags *diags;
    sg_part_entry entries[SG_PART_N_FUNCTIONS];
    sg_part_eval eval; // the present or last one
    sg_tree_state tree;
    sg_tree_split split;
    double *q, *v, *a, *tau, *rotor; // n_dof each; rotor is zero where there is none
    bool *ball_xzy; // by joint: the sequence that the equations have for the angles of a ball
    double *a_given;
    double *matrix;         // n_given x n_given
    bool has_matrix;        // of some evaluation of this segment
    sg_part_angles *angles; // by free object
    sg_motion
        *resting;     // velocities of part->segment.resting, while the multibody system has others
    sg_force *needs;  // by object, for rigid connections (parts/cut.h)
    void **own;       // by actor
    size_t n_begun;   // actors that have begun this segment
    double *inputs;   // what equations give, see sg_ports
    sg_force *pushes; // of all forces without those (sg_tree_keep_applied)
    sg_force *unlooped;                  // of all forces without those of loops, where
    bool loops_act;                      // these are applied, too
    struct sg_part_sheet *sheet;         // null unless a balance is wanted (elements/balance.h)
    struct sg_part_feedback *feedback;   // null until asked for
    struct sg_part_held *held;           // likewise
    struct sg_part_loop_state *loops;    // null without loops
    struct sg_part_islands *islands;     // null until asked for (model3d/islands.h)
    struct sg_part_impulses *capture;    // room for impulses of actions, null if there are none
    struct sg_part_kept *kept;           // null until asked for (model3d/kept.h)
    bool is_held;                        // see model3d/held.h
    bool failed;                         // a failure was reported; the run ends with it
    const struct sg_part_law *no_number; // gave none since the last stored point, or null
    double no_number_at;                 // its argument
    sg_part_compat mattered;             // switches that made a difference while running
};

// For actors: what they defined in part->segment.hidden.
static inline void sg_part_set_crossing(const sg_part_eval *e, uint32_t crossing, double value)
{
    e->events->z[e->events->z_hidden + crossing] = value;
}
static inline void sg_part_set_local(const sg_part_eval *e, int32_t local, const double *value,
                                     uint32_t n)
{
    sg_hidden_set_local(e->state->hidden, local, value, n);
}

// ---- between the files of this folder -------------------------------------------------------

// The part and the kind behind a function of the equations; null if it is none of a part
// (coupling.c).
extern const sg_native_class sg_part_function_class;
sg_part *sg_part_of_function(sg_value function, sg_part_function *kind);
// The name in its model of a variable that the part adds, in its arena; null without memory
// (ports.c).
const char *sg_part_own_name(sg_part *part, const char *name);
// Where equations name something of the elements (sense.c): finds it once a segment is defined;
// reads what is known now.
sg_status sg_part_bind_ports(sg_part *part);
// Once the states are in groups: which of them are behind what equations see and give
// (sense_groups.c). False when memory ran out.
bool sg_part_find_senses(sg_part *part);
// Where the numbers that equations give as `signal` of an element begin; false if none do.
bool sg_part_find_input(const sg_part *part, const char *element, const char *signal, uint32_t *at);
// Whether laws leave room for what equations ask; whether what they give has the right size.
sg_status sg_part_check_ports(const sg_part_eval *e);
sg_status sg_part_check_inputs(const sg_part *part, const sg_extern_call *call);
sg_status sg_part_read_ports(sg_part_eval *e, sg_port_level level, double *out);
// After a run failed: a note where a force that is fed back may be the reason.
void sg_part_explain_feedback(const sg_part *part, sg_diags *diags);
// --compat resting-parent (resting.c): who is concerned; velocities after a first pass of
// kinematics, for a second one; derivatives, once accelerations are known.
bool sg_part_find_resting(sg_part *part);
void sg_part_resting_kinematics(sg_part_state *s);
void sg_part_resting_derivatives(sg_part_state *s, double *results);
// Once the tree is built: which switches matter. At each communication point: which of those that
// may matter do, as bodies turn and slide (compat.c).
void sg_part_find_compat(sg_part *part, const sg_tree_compat *compat);
void sg_part_watch_compat(sg_part_state *s);
// Does the published program leave the frame out when it computes velocities (resting.c)?
bool sg_part_is_left_out(const sg_part *part, int object);
// Writes local variables of objects and free motion (results.c).
bool sg_part_name_results(sg_part *part);
bool sg_part_define_results(sg_part *part);
void sg_part_store_results(const sg_part_state *s);
