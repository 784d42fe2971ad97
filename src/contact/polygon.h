// Pressure between two surfaces of triangles: contact of bodies of any form over an area.
//
// Each body is covered by an elastic layer, and a face of one surface (the base) that lies behind a
// face of the other (the target) is pressed in by how deep it lies there, along its own normal. All
// faces together are the contact patch; every one adds a normal force from its area and depth, a
// damping force and friction. Nothing is convex here, and there are no events: depths begin at
// zero. Which faces meet is found by two trees of boxes that are walked at the same time, one
// around the faces of the target, one around lines that go from the centers of the base faces into
// the body, as long as the largest penetration.
//
// Bodies move little from one evaluation to the next, so what is found within a margin is kept: as
// long as no point has moved by more than that, faces that meet are among these pairs, and only
// they are looked at. They lie in the order of the base faces, so that sums have the same bits.
//
// The body of the first surface is E, that of the second F; all vectors are resolved in E.
// components3d.md 9.5.
#pragma once

#include "base/arena.h"
#include "math/mat3.h"
#include "shapes/mesh_file.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sg_polygon_face {
    sg_vec3 corner[3], center, normal;
    sg_vec3 e1, e2;     // along its first edge, and across it
    double area, reach; // of the corners from the center [m]
} sg_polygon_face;

static inline void sg_polygon_face_axes(sg_polygon_face *f)
{
    f->e1 = v3_unit(v3_sub(f->corner[1], f->corner[0]));
    f->e2 = v3_cross(f->normal, f->e1);
}

typedef struct sg_polygon_box {
    sg_vec3 lo, hi;
    int child[2]; // boxes; the first is -1 in a leaf
    int face;     // of a leaf
} sg_polygon_box;

// Twice as many boxes as faces less one; the first holds all. `depth` counts boxes from there down.
typedef struct sg_polygon_tree {
    sg_polygon_box *box;
    int depth;
} sg_polygon_tree;

typedef struct sg_polygon_surface {
    sg_polygon_face *face;
    int n;
    sg_polygon_tree faces, lines;
    sg_vec3 middle; // of the box around it
    double radius;  // of the ball around that
} sg_polygon_surface;

// The layers, dampers and friction of a pair.
typedef struct sg_polygon_law {
    int task;                         // base E, target F in 1 and 2; base F, target E in 1 and 3
    double stiffness;                 // of both layers together [N/m3]
    double ratio;                     // share of a depth that E yields
    double largest;                   // penetration [m]
    double compression, expansion;    // damping [N s/m3]
    bool pulls;                       // forces may pull where damping is strong
    double transition;                // depth up to which damping grows; 0: it is there at once [m]
    double friction, friction_starts; // coefficient; below this speed it is regularized [m/s]
} sg_polygon_law;

// How F moves against E.
typedef struct sg_polygon_motion {
    sg_mat3 A;       // from F to E
    sg_vec3 r, v, w; // of the origin of F seen from E
} sg_polygon_motion;

// What comes out. Means are weighted by area, place and normal of the patch by forces.
typedef struct sg_polygon_patch {
    int n_boxes, n_faces, n_hits, n_elements; // pairs of boxes, of faces; faces that lie behind
    double area;                              // [m2]
    double mean_depth, most_depth;            // [m]
    double least_normal, mean_normal, most_normal; // speeds of compression [m/s]
    double least_tangential, mean_tangential, most_tangential;
    double mean_pressure, most_pressure, mean_traction, most_traction; // [Pa]
    sg_vec3 position, normal;
    sg_vec3 force, torque; // on E; the torque about the origin of F
    double power;          // taken from the motion of the bodies [W]
} sg_polygon_patch;

// Pairs of faces that may meet, by base face, within `margin` of where F was.
typedef struct sg_polygon_near {
    sg_mat3 A;
    sg_vec3 r;
    double margin;      // [m]
    double length;      // of a typical face [m]
    int uses;           // evaluations since they were found
    int n, most;        // pairs; no more have room
    int *base, *target; // faces
    int *found, *start; // as they are found; work space by face of the base
    int wait;           // evaluations until they are looked for again; they were too many
    bool known;
} sg_polygon_near;

typedef struct sg_polygon_element sg_polygon_element;
typedef struct sg_polygon_seen_box sg_polygon_seen_box;
typedef struct sg_polygon_seen_face sg_polygon_seen_face;
// Memory of an evaluation. Boxes and faces of F meet many of E, and are turned into its frame once.
typedef struct sg_polygon_work {
    sg_polygon_element *element; // by face of the base
    int *pair;                   // pairs of boxes to look at
    sg_polygon_seen_box *box;    // of F, by box of its tree
    sg_polygon_seen_face *face;  // by face
    uint64_t now;                // the search at hand: what was seen in others is out of date
    sg_polygon_near near[2];     // base E, base F
} sg_polygon_work;

// A surface with its trees; `flip` turns all faces around. Lives in the arena. Faces without area
// are left out. SG_ERR_MEMORY, SG_ERR_INPUT if nothing is left.
sg_status sg_polygon_surface_init(sg_polygon_surface *surface, const sg_triangles *triangles,
                                  bool flip, double largest, sg_arena *arena);
// False when memory ran out.
bool sg_polygon_work_init(sg_polygon_work *work, const sg_polygon_surface *e,
                          const sg_polygon_surface *f, sg_arena *arena);

// Stiffness of the layer of one body [N/m3]; 0 for a rigid one.
double sg_polygon_layer(double young, double poisson, double depth);

// All forces at one motion. Allocates nothing. `counts`: with the numbers of a walk through both
// trees; what else comes out is the same without, and is there sooner.
void sg_polygon_contact(const sg_polygon_surface *e, const sg_polygon_surface *f,
                        const sg_polygon_law *law, const sg_polygon_motion *motion, bool counts,
                        sg_polygon_work *work, sg_polygon_patch *out);
