// Contact detection with a variable-step solver: who touches whom, and how far is everybody else.
//
// One pipeline in three modes ([Neumayr-thesis] 6.3, components3d.md 8.1):
//
//   event      all candidates are examined; those that penetrate become the contact set, which then
//              stays as it is until the next event
//   crossings  the contact set is measured again, and of all other pairs the nearest is found
//   forces     only the contact set is measured; nothing else is looked at
//
// The solver watches two functions, whatever the number of pairs:
//
//   z_d = min of z over the pairs apart at the last event; falls through zero when a contact begins
//   z_p = max of z over the pairs in contact at the last event; rises when one ends
//
// For a pair whose loose boxes overlap, z is the signed distance of the shapes less eps; else it is
// a distance of boxes, which is never more than that of the shapes. The stand-in is the distance of
// the *tight* boxes, so it stays above the room between tight and loose ones, 1 % of a shape's
// size, and cannot come near zero before the shapes take over; there z may jump upward. Hysteresis:
// a contact begins at distance eps and ends at eps + h, so neither function is zero after an event
// (reference_scenarios.md 0.4, P5). h is eps as published, or as much as distances of the pair are
// rounded to where that is more: of shapes as large as a field, or far from the origin. Forces
// count from eps, and are the same whatever h is. A dummy of the right sign, 42 m, stands for no
// pair.
//
// The earlier method ([NO2017] section 5) can be chosen instead: a function for each of the `nz`
// nearest pairs, which are selected anew before each step (collide/smallest.h).
//
// Which pairs are looked at is the business of a tree of boxes (collide/box_tree.h); z_d does not
// depend on it. Pairs with a closed form keep nothing between evaluations, other near ones some 400
// bytes, and polytopes are scratch that all pairs share. No mode allocates, but that an event grows
// room that has become too small (`stats.growths` counts). An evaluation that fails
// leaves the members of the contact set and z as they were, and `failure` says which pair it was.
#pragma once

#include "base/crew.h"
#include "base/vec.h"
#include "collide/bodies.h"
#include "collide/box_tree.h"
#include "collide/candidates.h"
#include "collide/distance.h"
#include "collide/mpr.h"
#include "collide/pair_table.h"

typedef enum sg_detect_mode {
    SG_DETECT_EVENT,
    SG_DETECT_CROSSINGS,
    SG_DETECT_FORCES
} sg_detect_mode;

// How a distance is measured.
typedef enum sg_measure_kind {
    SG_MEASURE_LEAST, // the exact signed distance, its gradient the normal (collide/distance.h)
    SG_MEASURE_PORTAL // plain MPR: along the portal (collide/mpr.h), the compatibility mode's
} sg_measure_kind;

typedef struct sg_detect_options {
    sg_measure_kind measure;
    sg_distance_options distance; // with `follow` by default
    sg_mpr_options mpr;
    double eps;         // hysteresis [m], for scenes without thin shapes
    double depth_share; // of the thickness that a contact may pass unnoticed, see sg_detect_bound
    bool always_tree;   // a tree of boxes however few the shapes are
    int nz;             // functions of the nearest pairs; 0: z_d and z_p
    sg_crew *crew;      // who measures the contact set (collide/lanes.h); null: nobody else
} sg_detect_options;

// It is a shell around each shape, too thin to matter: of shapes thinner than 1 mm it is 1e-10 of
// the thinnest (a detection has its own in `options.eps`). Portals keep the published one.
//
// Defaults: the least distance, proven, eps = max(1e-13, 10 mpr.tolerance), depth_share 0.05.
sg_detect_options sg_detect_options_make(void);
// eps for a tolerance of portal refinement (P5).
double sg_detect_eps(double mpr_tolerance);

// A pair in contact, as of the last evaluation.
typedef struct sg_touch {
    int a, b;       // colliders, a < b
    double s;       // distance less eps [m]; -s is the penetration of the force law
    double delta;   // signed distance as measured [m]
    sg_vec3 n;      // unit, from A to B
    sg_vec3 pa, pb; // points on A and B, world
    sg_vec3 point;  // halfway between: where forces act
    double gap;     // proven bound of the error of delta [m]
    bool proven;    // the bound is within the tolerance; always true for plain MPR
    bool is_new;    // began at the last event
    bool rests;     // set by the caller, who has put it back: it need not be measured for forces
    bool elsewhere; // another part of the tube answers for this one (collide/tube.h)
} sg_touch;

typedef struct sg_detect_stats {
    int64_t events, crossings, forces; // evaluations by mode
    int64_t tests;                     // pairs of boxes compared one by one
    int64_t closed, general, portals;  // distances by formula, by stages one and two, by plain MPR
    int64_t supports;                  // support points of the general ones
    int64_t searches;                  // queries that took stage one; others went on from memory
    int64_t phase2, phase3;            // iterations of stage one, all queries together
    int most_phase2, most_phase3;      // and the most of one query (thesis table 6.1)
    int64_t stage2;                    // iterations of stage two
    int most_stage2;                   //
    int64_t ends[SG_MPR_TC3 + 1];      // plain MPR by the condition that ended it, sg_mpr_end
    int64_t unproven;                  // answers without proof among the contact set
    int64_t warnings;                  // of plain MPR: ended with a larger tolerance
    int64_t cold;                      // queries without memory for want of room
    int64_t growths;                   // allocations, at events only
    int64_t moves;                     // leaves of the tree put in anew
} sg_detect_stats;

typedef struct sg_detect_failure {
    sg_status status;
    int a, b;            // colliders; b is -1 when A alone is to blame
    const char *message; // constant text
} sg_detect_failure;

typedef struct sg_near { // what a pair without closed form remembers
    int a, b;
    int64_t used; // number of the last event that looked at it
    sg_distance_memory memory;
} sg_near;

typedef struct sg_detect_shape { // a collider as it is now
    sg_pose room;                // its pose, if it is not that of its body
    const sg_pose *pose;         // in the world
    int64_t placed;              // number of the evaluation that placed it
    sg_aabb box;                 // loose
    double pad;                  // from the tight box to the loose one [m]
    double half;                 // half its least thickness [m]: a ball of this radius fits in
    bool at_origin;              // its pose is that of its body
    bool is_plain;               // its canonical frame is its own
    bool is_ball;
    bool is_tube; // a part of one
    bool has_box;
} sg_detect_shape;

typedef struct sg_detect_motion { // of a collider's centroid, for the bound on a step
    sg_vec3 v, w, a, alpha;
    double radius; // of the ball that holds the shape, 0 where turning does not matter
    double swing;  // w^2 times the distance of its farthest point from the body's origin [m/s2]
} sg_detect_motion;

// The only pairs that may begin to touch at an event, the smaller number first, where somebody
// knows this, and the colliders in them that moved. Kept by the caller.
typedef struct sg_detect_pair_of {
    int a, b;
} sg_detect_pair_of;
typedef struct sg_detect_few {
    bool on;
    double time; // of that event [s]
    const sg_detect_pair_of *pair;
    const int *collider;
    int n, n_colliders;
    // By collider, may be null: it is one of these. Of all others nobody knows where they are.
    const bool *moved;
} sg_detect_few;

typedef struct sg_detect {
    const sg_candidates *candidates;
    sg_detect_options options;
    const sg_allocator *allocator;
    sg_box_tree tree;
    sg_detect_shape *shape; // by collider
    sg_detect_motion *motion;
    struct sg_foresight *foresight; // where shapes were at the last bound (collide/foresee.h)
    int64_t now;                    // number of the evaluation
    SG_VEC(sg_touch) touch;         // the contact set, ascending by a, then b
    SG_VEC(sg_touch) last;          // what it was before the last event
    sg_pair_table members;          // of the contact set
    SG_VEC(sg_near) near;
    sg_pair_table memories;          // to `near`
    sg_distance_work *work, *beside; // the latter for pure evaluations
    bool pure;                    // this one leaves nothing to those that follow; set by the caller
    sg_distance_memory spare;     // where there is no room
    int64_t cold_before;          // queries without memory up to the last event
    double zd, zp;                // [m]; not computed with the nearest pairs
    struct sg_smallest *smallest; // null unless these are watched
    struct sg_detect_lanes *lanes; // null for one thread
    int nearest_a, nearest_b;      // the pair of z_d, -1 for none
    sg_detect_few few;             //
    bool is_partial;               // at the last event only these were put in their boxes
    int bound_a, bound_b;          // the pair of the last bound
    sg_detect_failure failure;
    sg_detect_stats stats;
} sg_detect;

// The candidates must outlive the detection. Fixed room comes from the arena, what may grow from
// the allocator; sg_detect_destroy gives the latter back, after a failure, too. SG_ERR_MEMORY.
sg_status sg_detect_init(sg_detect *detect, const sg_candidates *candidates,
                         const sg_detect_options *options, sg_arena *arena,
                         const sg_allocator *allocator);
void sg_detect_destroy(sg_detect *detect);

// One evaluation; only poses are needed. The first must be an event, or the contact set be given
// (sg_detect_index). SG_ERR_INPUT (poses that are
// not finite, coinciding centroids), SG_ERR_LIMIT (no distance found), SG_ERR_MEMORY (event).
sg_status sg_detect_evaluate(sg_detect *detect, sg_detect_mode mode, const sg_body_view *view);

typedef struct sg_motion_bound {
    double step; // [s]
    int a, b;    // the pair that sets it, -1 if none does
} sg_motion_bound;

// The longest next step, at most `longest` (finite), that no contact can begin and end in
// unnoticed. It counts from the present poses, however many steps are taken meanwhile.
//
// Take a pair that is apart by the gap g across the direction n, shapes or boxes. In the time h the
// two approach each other along n by at most
//
//     c h + a h^2 / 2,    c = n (v_A - v_B) + |w_A x n| r_A + |w_B x n| r_B
//
// with the velocities of the centroids and the bounding radii r (0 for a sphere), and a likewise
// from the accelerations, plus w^2 times the distance from the body's origin. The bound is the h at
// which this reaches g + share (t_A + t_B), t the least thickness. Until then the shapes overlap by
// no more than a slab of that height, so:
// **whatever contact is missed between the ends of a step was nowhere deeper than `depth_share` of
// the two thicknesses**, and nothing passes through anything. What is assumed is that the
// accelerations do not grow during the step; without them (null in the view) a body that starts
// from rest is not bounded. A pair in the contact set may go deeper by the same share in a step:
// the law slows it down, but only if a step ends where the law acts.
// SG_ERR_INPUT and SG_ERR_LIMIT as above.
// With `is_placed` the poses are those of the last evaluation, and that was no one for forces only:
// boxes are not made again.
sg_status sg_detect_bound(sg_detect *detect, const sg_body_view *view, bool is_placed,
                          double longest, sg_motion_bound *out);

// What evaluations of forces change between events, put away and back, if they were `pure`
// (memories.c). `kept` belongs to the caller, zero at first. False when memory ran out, which is
// taken where there are more contacts than ever.
typedef struct sg_detect_saved {
    SG_VEC(sg_touch) touch;
    SG_VEC(sg_detect_shape) shape;
    int64_t now;
    sg_detect_stats stats;
} sg_detect_saved;
bool sg_detect_reserve_kept(const sg_detect *detect, sg_detect_saved *kept);
bool sg_detect_keep(const sg_detect *detect, sg_detect_saved *kept);
void sg_detect_put_back(sg_detect *detect, const sg_detect_saved *kept);
void sg_detect_free_kept(const sg_detect *detect, sg_detect_saved *kept);

// Any pair, apart or not, at the present poses; for results that ask for a distance. Keeps nothing.
sg_status sg_detect_measure(sg_detect *detect, const sg_body_view *view, int a, int b,
                            sg_touch *out);

// Depth of a contact as a share of the thinner shape's thickness, 0 when apart. Elastic contacts
// have some 1e-5; a tenth and more is a model that starts inside out.
double sg_detect_deepness(const sg_detect *detect, const sg_touch *touch);

// An event at which nobody else can begin to touch but `few`: contacts are measured, and of
// other pairs only these. Contacts of what has not moved stay as they were. The contact set is that
// of SG_DETECT_EVENT; boxes and z_d are as before.
sg_status sg_detect_event_of_few(sg_detect *detect, const sg_body_view *view);
static inline bool sg_detect_few_have(const sg_detect *d, const sg_touch *t)
{
    return !d->few.moved || d->few.moved[t->a] || d->few.moved[t->b];
}
// Else it looks at all pairs: where some have no closed form.
static inline bool sg_detect_takes_few(const sg_detect *d)
{
    return !d->near.len && d->stats.cold == d->cold_before && !d->smallest;
}
// How many bytes are kept for near pairs between evaluations.
size_t sg_detect_kept(const sg_detect *detect);

// The contact set was given by hand, in order: as that of another detection of the same shapes.
sg_status sg_detect_index(sg_detect *detect);

// Between the distances where a contact of the two begins and ends [m]. They are placed.
double sg_detect_hysteresis(const sg_detect *detect, int a, int b);

// For the files of this module.
sg_status sg_detect_refresh(sg_detect *detect, const sg_body_view *view, bool all);
sg_status sg_detect_pair(sg_detect *detect, int a, int b, sg_distance_memory *memory,
                         sg_touch *out);
sg_distance_memory *sg_detect_memory(sg_detect *detect, int a, int b);
// z of a pair that is not in contact: a distance of shapes less eps, or of boxes that are apart.
sg_status sg_detect_outlook(sg_detect *detect, int a, int b, double *z);
// Where a collider is now, with its box, but not in the tree; a contact where its two are now.
sg_status sg_detect_box(sg_detect *detect, const sg_body_view *view, int collider);
sg_status sg_detect_touch_again(sg_detect *detect, const sg_body_view *view, sg_touch *touch);
// Of the bound on a step (motion.c): how a collider moves; what a pair that is apart, and what a
// contact allows.
void sg_detect_find_motion(sg_detect *detect, const sg_body_view *view, int collider);
sg_status sg_detect_heed(sg_detect *detect, int a, int b, sg_motion_bound *out);
void sg_detect_heed_contact(const sg_detect *detect, const sg_body_view *view,
                            const sg_touch *touch, sg_motion_bound *out);
