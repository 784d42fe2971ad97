// A Model3D part of a model: from the dictionaries of its elements to a multibody system that the
// equations around it can ask.
//
// Three moments in the life of a part:
//   build    once, when the model is instantiated: the joints are found in the dictionary, and the
//            equations that couple them are added to the model (build.c)
//   segment  before every run and at each full restart: the evaluated elements are read in the
//            order of their declaration (elements.c and one file a kind), joined to a tree and
//            handed to multibody/; hidden states and result signals are defined (segment.c)
//   run      functions of the numeric program, which allocate nothing (evaluate.c):
//            terms, matrix  h and M of the joints that equations act on
//            accelerations  all the rest, once the accelerations of those joints are known
//            forward        instead of a system of equations, where their torques are known
//
// The coupling is tau = M a + h for joints with a flange only; all others are eliminated inside
// (multibody/hybrid.h). components3d.md 0.5, 1, 5, 7.4, 7.6; language.md 3.10 and 8.
#pragma once

#include "base/vec.h"
#include "multibody/connect.h"
#include "multibody/hybrid.h"
#include "parts/host.h"
#include "parts/run.h"
#include "parts/visuals.h"
#include "sim/hidden.h"
#include "vm/vm.h"

// A joint whose variables the equations see. The first fields are known from build on.
typedef struct sg_part_joint {
    sg_joint_kind kind;
    bool flange;
    uint32_t n_inputs; // arguments of the terms that belong to it
    sg_sym path;       // full
    sg_span span;
    int object;      // that it carries, in this segment; -1 until the element was read
    int obj2;        // as declared; the joint may carry obj1 instead
    bool reversed;   // of free motion: it does
    int body, first; // its first coordinate
} sg_part_joint;

// An Object3D with its own twelve states (components3d.md 1.3).
typedef struct sg_part_free {
    int object, body;
    int first;        // coordinate
    double start[12]; // translation, velocity, rotation, angular velocity
    bool in_object;   // the angular velocity is resolved in the object, not in its parent
    uint32_t at;      // of the first of the twelve among the hidden states
    int32_t xyz;      // local variable rotationXYZ
    uint32_t crossing;
    double old[3], fresh[3]; // angles of the last change of sequence, before and after
} sg_part_free;

// Free motion of an object, or by a joint, relative to what may move (resting.c).
typedef struct sg_part_resting {
    int object, body, first;
    int level;       // how many such objects carry it
    bool left_out;   // its parent stands still for the published program
    sg_vec3 v, w;    // its velocities, while the multibody system has others
    int32_t free;    // of frees, or -1: a joint, whose
    uint32_t result; // accelerations stand here among those of the joints
} sg_part_resting;

// A Fix, for what goes through it (parts/balance.h).
typedef struct sg_part_fix {
    const char *path;
    int obj2;   // as declared
    int object; // that it carries: obj2 or obj1
} sg_part_fix;

// What a free object did at the end of the last segment.
typedef struct sg_part_memory {
    sg_sym name;
    double x[12];
    bool xzy;
} sg_part_memory;

typedef struct sg_part_object {
    const char *name; // full path
    sg_obj *value;    // the dictionary that stands for it in the script
    sg_span span;
    bool scene, has_parent;
    bool has_force;                    // a force element acts on it
    bool odd_mesh, odd_pieces;         // the published program has another inertia, or mass, for it
    const struct sg_part_solid *solid; // of a Solid or Visual, else null (parts/solid.h)
    int32_t r_abs, rot123_abs;         // local variables
} sg_part_object;

// An element as the parameter phase left it: a dictionary whose class is the name of the
// constructor.
typedef struct sg_part_element {
    const char *kind, *path;
    const sg_dict *dict;
    sg_span span;
    int order; // counts over all elements, in the order of declaration
} sg_part_element;

// Something that acts while the part moves: a force, a sensor. Called in the order of declaration.
typedef struct sg_part_actor {
    void *data;
    // Adds forces (sg_mbs_apply) at the present positions and velocities; may be null.
    sg_status (*apply)(sg_part *part, void *data, double time);
    // Writes its local variables (sg_hidden_set_local) at a communication point; accelerations are
    // known. May be null.
    sg_status (*store)(sg_part *part, void *data, double time);
    // Looks around once objects, joints and bodies of the segment are known; may be null.
    void (*ready)(sg_part *part, void *data);
    const struct sg_force_element *force; // for the balance of energy; null if it is none
} sg_part_actor;

// One of the functions that the equations call.
typedef struct sg_part_entry {
    sg_part *part;
    sg_part_function kind;
} sg_part_entry;

struct sg_part {
    sg_vm *vm;
    const sg_allocator *allocator;
    const char *id; // path of the part, "" at the top level
    sg_span span;
    sg_arena arena;                  // of the part
    struct sg_part_balance *balance; // null unless wanted; lasts over segments (parts/balance.h)
    struct sg_part_mesh *meshes;     // read so far, kept over segments (parts/mesh.h)
    sg_animation animation;          // of the last run that was recorded, or empty
    bool recorded;                   // it was
    SG_VEC(sg_part_joint) joints;
    sg_map joint_by_path;
    uint32_t n_given;                           // joints with flange
    const struct sg_coupling *coupling;         // null until flattened (parts/coupling.h)
    sg_value functions[SG_PART_N_FUNCTIONS];    // of the equations
    sg_part_entry entries[SG_PART_N_FUNCTIONS]; // what stands behind them
    bool inside;  // all torques or all accelerations are known; M and h are not asked for
    bool inverse; // ... the accelerations, in some translation
    bool by_hand; // moved by a script: poses, but no speeds and no forces (parts/by_hand.h)

    // The segment.
    sg_arena segment;
    sg_part_compat compat; // asked for
    // On or off: those that could make a difference here, and those that did (compat.c).
    sg_part_compat may_matter, mattered;
    double forgotten; // of accelerations, by observers that turn (multibody/measure.h)
    sg_part_host *host;
    bool wants_balance;    // the Scene says so
    bool detects_contacts; // and this
    sg_part_view view;     // and how to look at it
    sg_hidden *hidden;
    const uint32_t *n_visible; // states in front of the hidden ones; known once linked
    SG_VEC(sg_part_object) objects;
    SG_VEC(sg_mbs_object) bodies; // parallel to objects
    SG_VEC(sg_part_free) frees;
    SG_VEC(sg_part_actor) actors;
    sg_force *needs;           // by object, for the reactions of fixes (parts/cut.h)
    SG_VEC(sg_part_fix) fixes; // number -1 - k is the tag of its object
    sg_part_resting *resting;  // all of them; with the switch on all count, else none
    size_t n_carried, n_resting;
    SG_VEC(sg_part_memory) memory; // from one segment of a run to the next
    sg_map object_of;              // sg_obj * -> index
    int world;
    sg_gravity gravity;
    const sg_mbs *mbs;
    sg_mbs_state state;
    sg_mbs_split split;
    double *q, *v, *a, *tau, *rotor; // n_dof each; rotor is zero where there is none
    double *a_given;
    const double *given_M; // of the last evaluation, n_given x n_given; null before
    double *matrix;        // where it is
    bool solved;           // in this evaluation forward dynamics has given all accelerations
    const struct sg_part_law *no_number; // gave none since the last stored point, or null
    double no_number_at;                 // its argument
    // The first law that asked for accelerations in this evaluation (parts/feedback.h), or null.
    const struct sg_part_law *asked_by;
    bool asked;
    struct sg_part_feedback *feedback;
    bool failed;               // a failure was reported
    bool is_held;              // see parts/held.h
    struct sg_part_held *held; // of the segment, null until asked for
};

// ---- between the files of this folder -------------------------------------------------------

extern const sg_native_class sg_part_class;

// An empty part with this path (build.c). SG_ERR_MEMORY.
sg_status sg_part_make(sg_vm *vm, const char *id, sg_span span, sg_value *out);
// What stands behind a function of the equations; null if it is none of a part (build.c).
sg_part_entry *sg_part_entry_of(sg_value function);
// The shape of what one of the functions returns (evaluate.c).
sg_dims sg_part_result_shape(const sg_part *part, sg_part_function kind);
void sg_part_clear_segment(sg_part *part);
// Once all elements were read: checks that objects and joints form a tree, builds the multibody
// system and numbers the coordinates (segment.c).
sg_status sg_part_join(sg_part *part);
// Forces of all elements at the present motion.
sg_status sg_part_apply_forces(sg_part *part, double time);
// --compat resting-parent (resting.c): who is concerned; velocities after a first pass of
// kinematics, for a second one; derivatives, once accelerations are known.
bool sg_part_find_resting(sg_part *part);
void sg_part_resting_kinematics(sg_part *part);
void sg_part_resting_derivatives(sg_part *part, double *results);
// Once the tree is built: which switches matter. At each communication point: which of those that
// may matter do, as bodies turn and slide (compat.c).
void sg_part_find_compat(sg_part *part, const sg_mbs_compat *tree);
void sg_part_watch_compat(sg_part *part);
// Does the published program leave the frame out when it computes velocities (resting.c)?
bool sg_part_is_left_out(const sg_part *part, int object);
// Reads every element below the evaluated parameters (elements.c).
sg_status sg_part_read_elements(sg_part *part, const sg_dict *parameters);
// Writes local variables of objects and free motion (results.c).
bool sg_part_define_results(sg_part *part);
void sg_part_store_results(sg_part *part);
