// Which shapes may touch which: the preprocessing of contact.
//
// Of n shapes n(n-1)/2 pairs could touch, but most models rule out many of them beforehand. Three
// rules: shapes of one super-object are rigid parts of one body and never touch each other; and a
// joint that says so keeps the two super-objects it joins from touching; and a shape may name those
// that it touches, by bits. A shape knows the group it
// belongs to, and a group the others that it does not see. No list of pairs is written down: the
// rules are asked pair by pair, so a segment's start costs what its shapes do and not their square.
//
// [Neumayr-thesis] 5.1, components3d.md 5.4 and 6.2.
#pragma once

#include "base/arena.h"
#include "collide/tube.h"

// A shape that may touch others. Their order is that of the papers' pairs: of two shapes the one
// with the smaller number is the first, A, and normals lead from A to B.
typedef struct sg_collider {
    const sg_shape *shape;
    sg_pose place;     // of the shape in its body
    int body;          // that carries it, see collide/bodies.h
    int group;         // super-object, from 0; what moves as one, so all that is fixed to the world
    bool is_fixed;     // its body does not move until the next event at least
    sg_tube_part part; // of a tube that it is
    int outer;         // of a piece: the number of the outer part
    const sg_shape *sharp; // without smoothing, for others that have one, too; or null
    // Bits: two colliders may touch if a group of one is a partner of the other. Both zero: all.
    uint32_t groups, partners;
} sg_collider;

// Whether two press over an area where they touch: faces and straight lines on faces do. What is
// a segment with a radius, a capsule, has lines only.
static inline bool sg_colliders_lie(const sg_collider *a, const sg_collider *b)
{
    return a->sharp && b->sharp &&
           (a->sharp->core != SG_CORE_SEGMENT || b->sharp->core != SG_CORE_SEGMENT);
}

typedef struct sg_group_pair { // two groups that do not see each other
    int a, b;
} sg_group_pair;

typedef struct sg_candidates {
    const sg_collider *collider; // the caller's
    int n, n_groups;
    int *first; // by group: where its list in `unseen` starts, one more than there are groups
    int *unseen;
    int64_t pairs; // that the rules about groups leave
} sg_candidates;

// The colliders must outlive the candidates; groups in `unseen` without any collider are let pass.
// SG_ERR_INPUT for negative numbers of bodies or groups, SG_ERR_MEMORY.
sg_status sg_candidates_init(sg_candidates *candidates, const sg_collider *collider, int n,
                             const sg_group_pair *unseen, int n_unseen, sg_arena *arena);

// Of a tube the wall looks at balls that fit into it, and the other parts at all else.
static inline bool sg_collider_sees(const sg_collider *a, const sg_collider *b)
{
    return a->part == SG_NO_TUBE || (a->part == SG_TUBE_WALL) == sg_tube_takes(a->shape, b->shape);
}

static inline bool sg_collider_is_partner(const sg_collider *a, const sg_collider *b)
{
    return (a->groups == 0 && a->partners == 0) || (b->groups == 0 && b->partners == 0) ||
           (a->groups & b->partners) || (b->groups & a->partners);
}

// May these two colliders touch?
static inline bool sg_candidates_may(const sg_candidates *c, int i, int j)
{
    int g = c->collider[i].group, h = c->collider[j].group;
    if (g == h || !sg_collider_sees(&c->collider[i], &c->collider[j]) ||
        !sg_collider_sees(&c->collider[j], &c->collider[i]) ||
        !sg_collider_is_partner(&c->collider[i], &c->collider[j]))
        return false;
    for (int k = c->first[g]; k < c->first[g + 1]; k++)
        if (c->unseen[k] == h)
            return false;
    return true;
}
