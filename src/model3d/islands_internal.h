// Between islands.c and island_meetings.c: what the islands of a part are.
#pragma once

#include "elements/contacts.h"
#include "math/rotation.h"
#include "model3d/islands.h"
#include "solver/bodies.h"
#include "solver/islands.h"

// States of a cell.
enum { WIDTH = 12 };

// A collider that moves, over the last step of its island.
typedef struct sg_island_sweep {
    sg_vec3 center, v, a; // where the step began
    sg_vec3 now;          // where its bound was last computed
    sg_aabb box;          // of all places it was at,
    sg_vec3 middle;       // and a ball around them, which is smaller where it hardly moved
    double reach;
    double speed, push; // at most, with turning, where the step began
} sg_island_sweep;

// Where a collider may sweep without being sought anew, and all colliders whose yards overlap it,
// in order: nobody else can be met.
enum { SG_YARD_ROOM = 48 };
typedef struct sg_island_yard {
    sg_aabb box;
    bool is_there;
    int n, near[SG_YARD_ROOM]; // n -1: too many
    // Those of them that are in other islands, as long as the islands are those of this number.
    uint64_t islands;
    int n_others, other[SG_YARD_ROOM];
} sg_island_yard;

// One island.
typedef struct sg_island_group {
    int first_cell, n_cells;       // in `cell`
    int n_free;                    // of these: all, or all but the mainland, which is the last one
    int first_contact, n_contacts; // in `contact`
    int first_collider, n_colliders;
    double time, step; // of the last bound [s]
    double began;      // of the step [s]
    // Pairs of its colliders that are near, in `near` from SG_NEAR_ROOM times the first collider
    // on: all others have gaps of more than `beyond` until a collider has moved by `slack` [m].
    int n_near; // -1: not listed, -2: too many
    double beyond, slack;
} sg_island_group;

// Of the colliders of an island, by their places in it, the second one smaller.
typedef struct sg_near_pair {
    int k, m;
} sg_near_pair;

enum { SG_NEAR_ROOM = 24 };
// Pairs of an event, by collider.
enum { SG_FRESH = 16 };

struct sg_part_islands {
    sg_islands table;
    sg_part *part;
    const sg_part_contacts *c;
    int32_t *first, *width;
    sg_island_whole whole;
    int main;          // the cell of the mainland, or -1
    bool *carries;     // by cell: it carries some of that
    double *all;       // states where everything was last,
    double *rates;     // and all rates, where it was evaluated as a whole
    int *cell_of_body; // -1: none
    bool *is_round;    // by cell
    bool is_smooth;    // many bodies, and nothing jumps where contacts begin and end
    int *leader;       // by cell, work
    int *island, *was; // by cell, now and before
    int n_were;        // islands before
    uint64_t *mark;    // by island, of now
    uint64_t *marked;  // and before
    double *stepped;   // by cell: how long the last step of an island was that it is the first of
    int *left;         // by island that was: contacts that are left, -1 if others came to it
    sg_island_group *group;   // `n_groups` of them
    int n_groups;             //
    uint64_t partitions;      // how often islands were made
    int *cell;                // islands one after the other
    int *contact, room;       // likewise
    int *collider;            // likewise, that move
    int *fixed, n_fixed;      // that do not
    int *place;               // by cell: where it is in its island
    double *counts;           // by cell, work
    sg_island_sweep *sweep;   // by collider
    sg_island_yard *yard;     // by collider
    sg_near_pair *near;       //
    bool *struck;             // by island: it has the event of now
    sg_detect_pair_of *fresh; // pairs that may have begun to touch at that, and the colliders in
    int *struck_one;          // such islands,
    bool *is_struck;          // by collider: it is one of them
    sg_vec3 *listed;          // by collider: where it was when pairs were listed
    bool *is_placed;          // by cell: its body was placed by the states in `all`
    uint64_t *version;        // by body: how often it was placed,
    uint64_t *version_acc;    // and when it was last accelerated
    bool *stirred;            // by body, work
    uint64_t passes;          // all bodies were placed at once
};

static inline sg_part_state *sg_islands_state(const struct sg_part_islands *p)
{
    return p->part->run;
}

static inline sg_part_touching *sg_islands_touching(const struct sg_part_islands *p)
{
    return sg_part_touching_of(p->part->run);
}

// Where a body of a cell is, from its twelve states (islands.c).
void sg_islands_place(struct sg_part_islands *p, int cell, const double *x);
// Where all of an island with the mainland are, how they move and what drives them.
sg_status sg_islands_evaluate_whole(struct sg_part_islands *p, const sg_island_group *g, double t,
                                    const double *x);
// All of them, with what they press and how they are accelerated.
sg_status sg_islands_accelerate(struct sg_part_islands *p, const sg_island_group *g, double t,
                                const double *x);
// sg_islands.bodies and slopes (island_slopes.c).
sg_status sg_islands_bodies(void *islands, int32_t island, sg_arena *arena, sg_bodies *bodies);
bool sg_islands_slopes(void *islands, int32_t island, double t, const double *x, sg_bodies *bodies);
// What turns an angular velocity in the parent into rates of the angles.
static inline sg_mat3 sg_islands_angle_rates(bool xzy, sg_vec3 angles)
{
    rot_sines by = rot_sines_of(angles);
    return xzy ? m3_mul(rot_132_rates_by(&by), rot_132_by(&by))
               : m3_mul(rot_123_rates_by(&by), rot_123_by(&by));
}
// With boxes of now: the least distance of pairs that are no contact (island_pairs.c). What is
// farther away than `*least` and the smallest of the island is that far.
sg_status sg_islands_find_nearest(struct sg_part_islands *p, sg_island_group *g, double *least);
// With speeds of now, too: how long a step may be until one of the pairs may meet.
sg_status sg_islands_bound_pairs(struct sg_part_islands *p, sg_island_group *g,
                                 sg_motion_bound *out);
// The centroid of a collider that is placed.
static inline sg_vec3 sg_islands_center(const sg_detect *d, int collider)
{
    const sg_pose *pose = d->shape[collider].pose;
    return d->shape[collider].is_ball
               ? pose->r
               : sg_shape_centroid(d->candidates->collider[collider].shape, pose);
}
// A collider has swept another box (island_meetings.c).
void sg_islands_note_sweep(struct sg_part_islands *p, int collider);
// Whether events of so many bodies that touch by these laws are no points of a result, and
// sg_islands.quiet: in between, detection is told who of the islands that are `struck` can begin to
// touch (island_events.c).
bool sg_islands_are_smooth(int n_free, const sg_contact_table *table);
bool sg_islands_quiet(void *islands, double t, const int8_t *all, bool *alone);
// sg_islands.meets: where an island first meets another one (island_meetings.c).
sg_status sg_islands_meet(void *islands, const sg_island_motion *motion, int32_t island,
                          double from, double *when, int32_t *with);
