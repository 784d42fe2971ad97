// Objects and joints that a script puts together and moves by itself, without an equation model:
// kinematic demonstrations (components3d.md 14, last item).
//
//     world = Modia3D.Composition.Object3D(feature = Modia3D.Scene())
//     arm   = Modia3D.Composition.Object3D()
//     hinge = Modia3D.Composition.Revolute(world, arm; axis = 3)
//     Modia3D.initAnalysis!(world)        # the tree is checked and built
//     Modia3D.setAngle!(hinge, 0.3)
//     Modia3D.updatePosition!(world)      # now arm.r_abs and arm.R_abs are those of 0.3 rad
//     Modia3D.visualize!(world, 0.0)      # a frame of the animation
//     Modia3D.closeAnalysis!(world)
//
// An object keeps its keywords in the form in which the parameter phase hands those of a Model3D to
// the readers of src/parts. So initAnalysis! is little more than reading all that hangs together
// with the world into a part without equations: tree, re-rooting of joints, checks and kinematics
// are those of a simulation, and updatePosition! is one pass of kinematics that allocates nothing.
//
// Everything here is garbage of the script's heap: an object keeps alive what it is connected to,
// and a world all that was found at its last initAnalysis!.
#pragma once

#include "base/vec.h"
#include "model3d/segment.h"
#include "parts/functions.h"

typedef struct sg_hand_object sg_hand_object;
typedef struct sg_hand_joint sg_hand_joint;
typedef struct sg_hand_analysis sg_hand_analysis;

// What all of them share; one a session.
typedef struct sg_hand_shop {
    sg_part_host *host;
    sg_module *modia3d;
    int n_made;              // objects and joints so far
    uint32_t n_gathered;     // times that objects were gathered
    sg_hand_analysis *first; // of all worlds that were analyzed and still exist
} sg_hand_shop;

// What objects and joints have in common: the element of a Model3D that they would be.
typedef struct sg_hand_element {
    sg_hand_shop *shop;
    sg_value self;
    sg_dict *keys;         // evaluated keywords; its class is the kind
    sg_sym name;           // given, or found at initAnalysis!; null before
    sg_span span;          // of the constructor
    int order;             // of making
    sg_hand_object *world; // from which the last initAnalysis! found it; null before
    int first;             // its first coordinate in the part, -1 if it cannot move
    double q[6]; // of a joint angle or distance, of a free object translation and angles [m, rad]
} sg_hand_element;

struct sg_hand_object {
    sg_hand_element element;
    sg_value feature;       // as the script knows it
    sg_hand_object *parent; // as said when it was made; null if it has none
    SG_VEC(sg_hand_object *) children;
    SG_VEC(sg_hand_joint *) joints;
    int index;                  // in the part
    uint32_t gathered;          // when it was gathered last
    bool moved;                 // free, and its coordinates are not those of its keywords
    bool xzy;                   // then: its angles are of the sequence x-z-y
    sg_hand_analysis *analysis; // of a world; owned
};

struct sg_hand_joint {
    sg_hand_element element;
    sg_joint_kind kind; // fixed, revolute or prismatic
    sg_hand_object *obj1, *obj2;
};

// What initAnalysis! made of a world.
struct sg_hand_analysis {
    sg_hand_analysis *next, **link; // in the list of the shop
    sg_hand_object *world;
    sg_value part;                    // of the native class of parts
    sg_value scene;                   // as the script knows it, or nothing
    SG_VEC(sg_hand_object *) objects; // by their index in the part
    SG_VEC(sg_hand_joint *) joints;   // all, in the order of their making
    bool open;                        // until closeAnalysis!
    bool outdated;                    // something was attached since then
    size_t n_frames;
    double last_time; // of the last frame
};

bool sg_is_by_hand(sg_value value);              // an object or a joint
struct sg_part *sg_by_hand_part(sg_value value); // that initAnalysis! made of its world, or null
// For functions that take objects of models, too (parts/host.h).
extern const sg_hand_hooks sg_by_hand_hooks;

// Defines Modia3D.Composition. Lets Object3D, Revolute, Prismatic and Fix of Modia3D take objects
// made by hand, too, so the ones of models must be registered before. False when memory ran out.
bool sg_by_hand_register(sg_vm *vm, sg_module *modia3d, sg_part_host *host);

// ---- between the files of this folder -------------------------------------------------------

extern const sg_native_class sg_hand_object_class;
const sg_native_class *sg_hand_joint_class(sg_joint_kind kind);

sg_hand_object *sg_hand_object_of(sg_value value); // null if it is none
sg_hand_joint *sg_hand_joint_of(sg_value value);
sg_status sg_hand_raise_no_object(sg_vm *vm, const char *what, sg_span span);
// Finds all objects that parents and joints lead to from the world, and those joints, each in the
// order of making; gives names to those without. False when memory ran out.
bool sg_hand_gather(sg_vm *vm, sg_hand_object *world, sg_hand_analysis *analysis);
bool sg_hand_name_all(sg_vm *vm, sg_hand_analysis *analysis);
// What messages call it: Object3D 'arm', where `arm` is the variable that holds it.
const char *sg_hand_name(sg_vm *vm, const sg_hand_element *element);
// The part that an object or joint belongs to since the last initAnalysis!, or null.
sg_part *sg_hand_part(const sg_hand_element *element);
void sg_hand_free_analysis(sg_vm *vm, sg_hand_analysis *analysis);
void sg_hand_mark_analysis(sg_vm *vm, sg_hand_analysis *analysis);
// Sets n coordinates of a joint or a free object, from number `at` on; poses change with the next
// updatePosition!. Raises unless they are finite and the analysis, if there was one, goes on.
// `what` is what the script does, for messages.
sg_status sg_hand_move(sg_vm *vm, sg_hand_element *element, const char *what, int at,
                       const double *q, int n, sg_span span);
bool sg_hand_register_world(sg_vm *vm, sg_module *module, sg_hand_shop *shop);
