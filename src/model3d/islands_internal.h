// Between islands.c and island_meetings.c: what the islands of a part are.
#pragma once

#include "elements/contacts.h"
#include "model3d/islands.h"
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

// One island.
typedef struct sg_island_group {
    int first_cell, n_cells;       // in `cell`
    int first_contact, n_contacts; // in `contact`
    int first_collider, n_colliders;
    double time, step; // of the last bound [s]
    double began;      // of the step [s]
} sg_island_group;

struct sg_part_islands {
    sg_islands table;
    sg_part *part;
    const sg_part_contacts *c;
    int32_t *first;
    int *cell_of_body; // -1: none
    int *leader;       // by cell, work
    int *island, *was; // by cell, now and before
    int n_were;        // islands before
    uint64_t *mark;    // by island, of now
    uint64_t *marked;  // and before
    double *stepped;   // by cell: how long the last step of an island was that it is the first of
    int *left;         // by island that was: contacts that are left, -1 if others came to it
    sg_island_group *group; // `n_groups` of them
    int n_groups;           //
    int *cell;              // islands one after the other
    int *contact, room;     // likewise
    int *collider;          // likewise, that move
    int *fixed, n_fixed;    // that do not
    sg_island_sweep *sweep; // by collider
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
void sg_islands_place(const struct sg_part_islands *p, int cell, const double *x);
// The centroid of a collider that is placed.
static inline sg_vec3 sg_islands_center(const sg_detect *d, int collider)
{
    const sg_pose *pose = d->shape[collider].pose;
    return d->shape[collider].is_ball
               ? pose->r
               : sg_shape_centroid(d->candidates->collider[collider].shape, pose);
}
// sg_islands.meets: where an island first meets another one (island_meetings.c).
sg_status sg_islands_meet(void *islands, const sg_island_motion *motion, int32_t island,
                          double from, double *when, int32_t *with);
