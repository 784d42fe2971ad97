// Multibody systems: rigid bodies on joints, from a C program.
//
//     sg_multibody_object part[2];
//     part[0] = sg_multibody_object_make("world", -1, SG_MULTIBODY_FIXED);
//     part[1] = sg_multibody_object_make("rod", 0, SG_MULTIBODY_REVOLUTE);
//     sg_multibody_set_shape(&part[1], &shape, mass);
//     sg_multibody_create(NULL, part, 2, gravity, diags, &robot);
//     sg_multibody_set_state(robot, q, v);
//     sg_multibody_forward(robot, tau, a, diags);      accelerations from torques
//
// Objects form a tree. What is fixed to each other becomes one body (a super-object) with common
// mass; joints carry bodies relative to others. With n = sg_multibody_dof coordinates q and
// velocities v the equations of motion are M(q) der(v) + h(q, v) = tau.
//   revolute   q: angle about the axis [rad]      v: its rate         tau: torque [N m]
//   prismatic  q: shift along the axis [m]        v: its rate         tau: force [N]
//   free       q: translation in the parent, three angles (turns about x, the new y, the new z)
//              v: velocity in the parent, angular velocity in the object
//              tau: force and moment, resolved like v
// All numbers are SI. After sg_multibody_create nothing allocates; a system belongs to one thread
// at a time. Numbers that are not finite give results that are not; object numbers that do not
// exist are refused with SG_ERR_USAGE, and nothing is written. examples/embed/pendulum.c and arm.c
// are programs of a page; docs/c_api.md tells more.
#pragma once

#include "segue/alloc.h"
#include "segue/diag.h"
#include "segue/distance.h"
#include "segue/export.h"
#include "segue/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sg_multibody_joint {
    SG_MULTIBODY_FIXED,
    SG_MULTIBODY_REVOLUTE,
    SG_MULTIBODY_PRISMATIC,
    SG_MULTIBODY_FREE
} sg_multibody_joint;

typedef struct sg_multibody_object {
    const char *name;
    int parent;               // index of an object; -1 for the world, which is exactly one
    sg_multibody_joint joint; // to the parent
    double axis[3];           // of a revolute or prismatic joint; default z
    sg_placement place;       // in the parent, when the joint is at zero; default: the same frame
    double mass;              // default 0: a frame
    double center[3];         // of mass
    double inertia[9];        // about the center of mass, by rows
} sg_multibody_object;

SG_API sg_multibody_object sg_multibody_object_make(const char *name, int parent,
                                                    sg_multibody_joint joint);
// Sets mass, center and inertia from a shape of uniform density: sizes as in segue/distance.h, the
// third of a cylinder is its inner diameter. SG_ERR_INPUT for meshes and sizes that make no sense.
SG_API sg_status sg_multibody_set_shape(sg_multibody_object *object, const sg_shape_spec *shape,
                                        double mass);

// The same from a closed surface of `n_triangles` triangles, each three numbers of vertices (x, y,
// z one after the other), counter-clockwise seen from outside; exact for uniform density.
// SG_ERR_INPUT with a diagnostic when the surface is empty, open, inside out or flat; `diags` may
// be null.
SG_API sg_status sg_multibody_set_mesh(sg_multibody_object *object, const double *vertices,
                                       size_t n_vertices, const uint32_t *triangles,
                                       size_t n_triangles, double mass, sg_diags *diags);

// A joint between any two objects of an array; the side that does not reach the world is hung to
// the other, its ancestors turned around where needed. A positive coordinate moves obj2 relative to
// obj1, whichever becomes the parent; `place` is that of obj2 in obj1 at zero.
typedef struct sg_multibody_link {
    const char *name;
    int obj1, obj2;
    sg_multibody_joint joint;
    double axis[3]; // in obj1
    sg_placement place;
} sg_multibody_link;

// SG_ERR_MODEL, a diagnostic (`diags` may be null) and no change when the objects are connected
// already, or the joint cannot be turned as needed; SG_ERR_USAGE and one for numbers of objects and
// kinds of joints that do not exist. Axis and place are judged by sg_multibody_create.
SG_API sg_status sg_multibody_connect(sg_multibody_object *objects, int n, int world,
                                      const sg_multibody_link *link, sg_diags *diags);

typedef enum sg_multibody_field {
    SG_MULTIBODY_NO_GRAVITY,
    SG_MULTIBODY_UNIFORM, // acceleration `g` everywhere
    SG_MULTIBODY_POINT    // towards the world's origin, mue / distance^2
} sg_multibody_field;

typedef struct sg_multibody_gravity {
    sg_multibody_field field;
    double g[3]; // [m/s2], world
    double mue;  // [m3/s2]
} sg_multibody_gravity;

typedef struct sg_multibody sg_multibody;

// A null allocator is the C library's, another one must outlive the system; `diags` may be null.
// The objects are copied. SG_ERR_MODEL with diagnostics when they do not form a tree with one
// world, or a mass, inertia, axis, place or gravity cannot be; SG_ERR_USAGE with one for kinds of
// joints or fields that do not exist. The system starts at q = v = 0.
SG_API sg_status sg_multibody_create(const sg_allocator *allocator,
                                     const sg_multibody_object *objects, int n,
                                     sg_multibody_gravity gravity, sg_diags *diags,
                                     sg_multibody **out);
SG_API void sg_multibody_destroy(sg_multibody *system);

SG_API int sg_multibody_dof(const sg_multibody *system);
// Bodies, the world included as number 0; parents come first.
SG_API int sg_multibody_bodies(const sg_multibody *system);
// The object that leads a body, and the body of an object; -1 for numbers that do not exist.
SG_API int sg_multibody_body_root(const sg_multibody *system, int body);
SG_API int sg_multibody_body_of(const sg_multibody *system, int object);
// Index of an object's first coordinate in q, v and tau; -1 when it has no joint of its own.
SG_API int sg_multibody_first(const sg_multibody *system, int object);

// SG_ERR_INPUT, and no change, when a number is not finite.
SG_API sg_status sg_multibody_set_state(sg_multibody *system, const double *q, const double *v);
// der(q); it differs from v for free joints.
SG_API void sg_multibody_rates(const sg_multibody *system, double *qdot);
// The angles of a free joint are singular where the second one is a right angle. To be called after
// each step of an integrator: where needed, it rewrites angles in `q` for turns about x, z and y
// (or back) and returns the number of joints changed. Set the state again if it is not zero.
SG_API int sg_multibody_switch_angles(sg_multibody *system, double *q);

// Of an object; w is the angular velocity, v that of its origin, both resolved in the world.
SG_API sg_status sg_multibody_pose(const sg_multibody *system, int object, sg_placement *pose);
SG_API sg_status sg_multibody_velocity(const sg_multibody *system, int object, double w[3],
                                       double v[3]);
// Angular acceleration and that of the origin, in the world; of the last inverse or forward
// dynamics. After sg_multibody_inverse with zero accelerations it is what the velocities alone
// make: der(J) v.
SG_API sg_status sg_multibody_acceleration(const sg_multibody *system, int object, double z[3],
                                           double a[3]);
// 6 x n by rows: angular velocity and velocity of the origin, in the world, for each of v.
SG_API sg_status sg_multibody_jacobian(const sg_multibody *system, int object, double *J);
// The same for the point of an object at `point`, resolved in the object.
SG_API sg_status sg_multibody_point_jacobian(const sg_multibody *system, int object,
                                             const double point[3], double *J);

// Forces on an object at its origin, and moments, resolved in the world. They stay, fixed to the
// body, until cleared. SG_ERR_INPUT, and no change, when a number is not finite.
SG_API sg_status sg_multibody_apply(sg_multibody *system, int object, const double force[3],
                                    const double moment[3]);
// A force at a point of the object, resolved in the object; the force is in the world.
SG_API sg_status sg_multibody_apply_at(sg_multibody *system, int object, const double point[3],
                                       const double force[3]);
SG_API void sg_multibody_clear_forces(sg_multibody *system);

// Torques that give the accelerations `a`.
SG_API void sg_multibody_inverse(sg_multibody *system, const double *a, double *tau);
// What the joint of an object exerts on it in the last sg_multibody_inverse, reactions and drive
// together: moment about the object's origin and force, in the world. Zero for objects that have
// no joint of their own.
SG_API sg_status sg_multibody_reaction(const sg_multibody *system, int object, double moment[3],
                                       double force[3]);
// Accelerations that follow from the torques, in time proportional to the number of bodies.
// SG_ERR_INPUT when a joint moves nothing that has inertia; `diags` (may be null) then names it.
SG_API sg_status sg_multibody_forward(sg_multibody *system, const double *tau, double *a,
                                      sg_diags *diags);
// n x n by rows.
SG_API void sg_multibody_mass_matrix(sg_multibody *system, double *M);

typedef struct sg_multibody_balance {
    double kinetic, potential; // [J]; uniform field: zero at the origin, point field: far away
    double momentum[3];        // [kg m/s]
    double angular[3];         // [kg m2/s] about the world's origin
} sg_multibody_balance;

SG_API sg_multibody_balance sg_multibody_balance_of(const sg_multibody *system);

#ifdef __cplusplus
}
#endif
