// Flat contact: pressure over the area where two bodies overlap.
//
// One point cannot carry a box. Each of two convex bodies is taken for an elastic foundation that
// fills it: at a point x it presses with p = kappa d(x), d its depth below the surface
// (contact/area_body.h). Where both bodies press equally they meet; that is a surface of plane
// pieces, one for each two faces, and the force is the sum of p over it, across it. With
//
//     m = kappa_A n_A - kappa_B n_B,    m x = kappa_A o_A - kappa_B o_B
//
// for the plane of two faces, cut to where both faces are the nearest of their bodies. For two flat
// faces p is k times the overlap, k = kappa_A kappa_B / (kappa_A + kappa_B). There is no face of
// reference that could switch: the force is the gradient of an energy, and continuous when a face
// becomes an edge and the edge a corner.
//
// A round side is a row of planes tangent to it around where it is touched. The row is as wide as
// the overlap, whatever the depth, and turns with the place of contact, so a roller rolls without
// bumps; planes are moved in by a mean of what they stand out. Around the tip of a cone it is a
// ring. A capsule has bent faces instead (contact/bulge.h).
//
// Damping is p (1 + a v / sqrt(v^2 + v_s^2)), v the speed of approach at each point, along the
// normal of the whole, and so it acts: pieces at a corner look aside, and what slides must not feel
// them. It never pulls. At speeds above v_s the two factors 1 + a and 1 - a of pressing and leaving
// make a restitution of e^2 = (1 - a) / (1 + a), at any speed and for any shape; below, it damps
// like a dashpot in proportion to the pressure. On a round side v is measured where the contact
// goes, not at points that it passes: what only rolls is not damped, and resistance to rolling is
// what the materials say (contact/flat.h).
//
// docs/theory/area_contact.md.
#pragma once

#include "contact/area_body.h"
#include "contact/bulge.h"
#include "contact/outline.h"
#include "math/spatial.h"
#include "math/two.h"

typedef struct sg_area_law {
    double kappa[2]; // [Pa/m]
    double loss;     // a
    double v_min;    // v_s of what rests [m/s],
    double weight;   // and presses with this or more, 0: with anything [N],
    double whole;    // on a whole face [m2]
    double swift;    // and what its square grows by with the energy stored [1/kg]
    double load;     // well above this energy; what rests stores less [J]
} sg_area_law;

// A body where it is now.
typedef struct sg_area_place {
    const sg_area_body *body;
    sg_pose frame; // of the shape, canonical
    sg_vec3 at;    // what `motion` is the velocity of, in the world
    sg_motion motion;
} sg_area_place;

// What detection says of the two.
typedef struct sg_area_touch {
    double depth;  // [m]
    sg_vec3 n;     // unit, from A to B
    sg_vec3 point; // world
} sg_area_touch;

typedef struct sg_area_patch {
    sg_vec3 origin;        // in the world; the vectors below count from here
    sg_vec3 force, torque; // of pressure, on B, about the origin
    sg_vec3 center;        // of pressure
    sg_vec3 shift;         // how fast it moves by how the bodies approach and turn [m/s]
    sg_vec3 n;             // of the force, from A to B
    double pressing;       // sum of p [N]
    double area;           // [m2]
    double stiffness;      // k times the area [N/m]
    double arm;            // mean distance of the pressure from its center [m]
    double spread;         // mean square of that of the area [m2]
    sg_vec3 along;         // unit, across n: the longer principal axis of the pressure
    double second[2];      // mean squares of distances along it and across [m2]
    double roll;           // radius that it rolls with, a mean over the pressure; 0 for faces [m]
    double peak;           // largest pressure at a point [Pa]
    double stored;         // by what presses; see sg_area_stored_beside [J]
    double damped;         // [W]
} sg_area_patch;

typedef struct sg_area_face { // a plane of a body, from the origin of the patch
    sg_vec3 n;
    double o;
    const sg_area_cell *cell; // null for one of the planes of a round side,
    int side;                 // which it belongs to
    int ends;                 // of the first and last of a ring: how far the other one is, else 0
    int twin;                 // face of the other body that looks the same way, -1: none,
    double alike;             // and how much so, 0 to 1; 0 where both look along the touch
    sg_vec3 straight;         // the normal that it has beside its twin
    bool beyond;              // it belongs to the half of the side that is not there
    bool middle;              // of the planes of a round side the one that is touched
    const sg_bulge *bulge;    // it is tangent to this; null for none
} sg_area_face;

enum { SG_AREA_TWOS = 4096, SG_AREA_PIECES = SG_AREA_TWOS / 2 };
// Behind them there is room for one piece more.
enum { SG_AREA_SPARE = SG_REGION_POINTS / 2 };

typedef struct sg_area_piece { // where two faces meet
    sg_vec3 m;                 // it presses across this
    int first, n;              // twos of points; what is missing to the last one has no area
    int round;                 // 1: on a round side of A, 2: of B, 3: of both; 4, 8 more: on a ball
} sg_area_piece;

enum { SG_AREA_BALL = 4, SG_AREA_ROUNDS = 3 * SG_AREA_BALL }; // an end of a capsule, the other one

// Over what presses, with what rounding makes (contact/area_sums.h) where directions are measured.
typedef struct sg_area_sums {
    double weight;  // of p,
    sg_vec3 moment; // of p x
    sg_vec3 facing; // and of p n
    struct {        // of the pieces on round sides, by whose they are:
        double weight;
        sg_vec3 moment;
    } round[SG_AREA_ROUNDS];
    bool is_round; // there are such
} sg_area_sums;

// An evaluation, but for what speeds make of it: where only these have changed, it goes on from
// here (sg_area_press_again).
enum { SG_AREA_KEPT_TWOS = 48, SG_AREA_KEPT_PIECES = 12 };
typedef struct sg_area_kept {
    bool is;
    int n_twos, n_pieces;
    sg_area_patch patch;
    sg_area_sums sums;
    sg_region_twin at[SG_AREA_KEPT_TWOS];
    sg_area_piece piece[SG_AREA_KEPT_PIECES];
} sg_area_kept;

// Room for one evaluation.
typedef struct sg_area_work {
    sg_area_face *face[2];
    int *taken[2]; // by cell: number of its face from 1, 0 if it is not among them
    int room[2], n[2];
    sg_bulge bulge[2][SG_BULGES];
    sg_polygon polygon; // of the piece that is looked at,
    sg_region_point point[SG_REGION_POINTS];
    sg_region_twin at[SG_AREA_TWOS + SG_AREA_SPARE];
    sg_two speed[SG_AREA_SPARE]; // of approach, of the piece that is looked at
    sg_area_piece piece[SG_AREA_PIECES];
    int n_twos, n_pieces;
    double kappa[2];     // of the law [Pa/m],
    double size;         // of the smaller body [m],
    double deepest;      // and that anything is [m]
    sg_outline *outline; // where pieces go that somebody wants to see; null for none
    sg_area_kept *keep;  // where an evaluation is kept, if there is room; likewise
} sg_area_work;

// Room for bodies of up to so many planes. SG_ERR_MEMORY.
sg_status sg_area_work_init(sg_area_work *work, int planes, sg_arena *arena);

// Energy is min(p_A, p_B) over the volume of the overlap. By Gauss' theorem it is a sum over the
// surface where bodies press, `stored`, and where cells of one body end at each other, which only
// matters at edges and corners. This is the latter, of the last evaluation [J].
double sg_area_stored_beside(sg_area_work *work, const sg_area_law *law);

// False where nothing presses.
bool sg_area_press(sg_area_work *work, const sg_area_law *law, const sg_area_place place[2],
                   const sg_area_touch *touch, sg_area_patch *out);
// The same once more with other speeds, of an evaluation that was kept.
bool sg_area_press_again(sg_area_work *work, const sg_area_kept *kept, const sg_area_law *law,
                         const sg_area_place place[2], sg_area_patch *out);
