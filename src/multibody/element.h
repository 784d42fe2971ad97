// Force elements: what pushes and pulls between objects besides joints and contacts.
//
// Each element measures, asks its laws, and applies a pair of forces whose moment is balanced, so
// that whatever the laws say, momentum is neither made nor lost (components3d.md 9.1 to 9.4). A law
// is a number or a function of the caller: in a model file it is a function of the script. An
// element is constant; what it measured and computed last stands beside it (sg_force_values).
// Elements are evaluated in the order of the array, after sg_tree_kinematics and before the
// dynamics; nothing allocates.
//
// Each element also says what it does to the energy: what it has stored, and the power that its
// dampers take out of the motion.
#pragma once

#include "multibody/measure.h"

// y = slope x, or what the function says. A status other than SG_OK stops the evaluation. `caller`
// is what was given to the evaluation.
typedef struct sg_law {
    double slope;
    sg_status (*call)(const void *context, void *caller, double x, double *y); // null for a number
    const void *context;
} sg_law;

typedef enum sg_force_element_kind {
    SG_ELEMENT_FORCE,  // WorldForce
    SG_ELEMENT_TORQUE, // WorldTorque
    SG_ELEMENT_BUSHING,
    SG_ELEMENT_SPRING // SpringDamperPtP
} sg_force_element_kind;

// A vector that a function of time and of the present motion gives, along the axes of an object.
typedef struct sg_vector_load {
    int object, axes; // axes may be SG_WORLD
    sg_status (*call)(const void *context, void *caller, double time, sg_vec3 *out);
    const void *context;
} sg_vector_load;

// Springs and dampers along and about the three axes of obj1. Small angles are the entries of the
// rotation matrix; large ones are the three of math/rotation.h.
typedef struct sg_bushing {
    int obj1, obj2;
    sg_law spring[3], damper[3];         // of length [m], of velocity [m/s]; [N]
    sg_law rot_spring[3], rot_damper[3]; // of angle [rad], of its rate [rad/s]; [N m]
    sg_vec3 nominal_force, nominal_torque;
    bool large_angles;
} sg_bushing;

// Resolved in obj1.
typedef struct sg_bushing_values {
    sg_vec3 given_force, given_torque; // on obj2 beyond those of the laws; set by the caller
    sg_vec3 translation, rotation, velocity, rates;
    sg_vec3 spring_force, damper_force, spring_torque, damper_torque;
    sg_vec3 torque;                      // about the angles' own axes
    double storing;                      // [W] into its springs
    sg_vec3 force_vector, torque_vector; // on obj2
    // Of large angles: those that the present ones are to be near, set by the caller where they
    // change by more than a quarter turn; and the cosine of the second one.
    sg_vec3 near;
    bool is_near;
    double cosine;
} sg_bushing_values;

// Angles beyond this, in radian, make a small-angle bushing wrong by more than half a percent.
#define SG_BUSHING_SMALL_ANGLE 0.174

// A spring and damper along the line between two origins; tension is positive.
typedef struct sg_spring {
    int obj1, obj2;
    double nominal_length, nominal_force;
    sg_law spring, damper; // of the deflection [m], of its rate [m/s]; [N]
    // Whose components those of the line are: the world's; the published program takes them for
    // components in obj1. Chosen when a segment is built.
    int line_axes;
} sg_spring;

typedef struct sg_spring_values {
    double given_force; // beyond that of the laws; set by the caller
    double distance, deflection, velocity, spring_force, damper_force, force;
    sg_vec3 force_vector; // on obj2, world
} sg_spring_values;

typedef struct sg_force_element {
    const char *name;
    sg_force_element_kind kind;
    union {
        sg_vector_load load;
        sg_bushing bushing;
        sg_spring spring;
    } u;
} sg_force_element;

// What an element found in its last evaluation; zero before.
typedef struct sg_force_values {
    union {
        sg_vec3 load; // as returned: [N] or [N m]
        sg_bushing_values bushing;
        sg_spring_values spring;
    } u;
} sg_force_values;

// A bushing without laws between two objects, and a spring without any.
sg_force_element sg_bushing_make(const char *name, int obj1, int obj2);
sg_force_element sg_spring_make(const char *name, int obj1, int obj2);

// Evaluates all and adds their forces to those applied. On failure `*bad` is the element, and the
// status that of its law.
sg_status sg_force_elements_apply(const sg_tree *tree, sg_tree_state *s,
                                  const sg_force_element *elements, sg_force_values *values, int n,
                                  double time, void *caller, int *bad);

// Where the power of elements goes just now [W]. What all applied forces together
// (sg_tree_push_power) bring in or take out beyond that comes from outside: world forces and
// torques, pushes of the caller, and moments that are those of no potential.
typedef struct sg_force_element_power {
    double lost;   // taken by dampers; negative if they drive
    double stored; // rate of sg_force_elements_stored
} sg_force_element_power;

// Of the last evaluation.
sg_force_element_power sg_force_elements_power(const sg_force_element *elements,
                                               const sg_force_values *values, int n);
// Energy in springs [J], from zero deflection and angle; nominal forces included. Laws that are
// functions are integrated by a rule that is exact for polynomials and calls them often, so this is
// for points of the result. Returns the status of a law that failed.
sg_status sg_force_elements_stored(const sg_force_element *elements, const sg_force_values *values,
                                   int n, void *caller, double *out);
