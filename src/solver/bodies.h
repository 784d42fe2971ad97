// Systems of Newton's method for free bodies that act on each other in pairs.
//
// A body has twelve states, three each: its place, its velocity, its angles and how fast it turns.
// What happens to its velocity and turning depends on places, velocities and turnings, its own and
// those of the bodies it touches; angles matter for nothing but their own rates. So of
//
//   (I - g J) x = b
//
// places and angles are solved for by themselves, x_place = b_place + g x_velocity, and six
// unknowns a body are left, in blocks of six by six, one for each body and two for each pair that
// touches. Bodies are eliminated in an order of least degree, found once for all matrices of the
// same pairs. Pivots are looked for inside of a body only: forces that hold and damp make its own
// block the largest one.
#pragma once

#include "base/arena.h"
#include "segue/status.h"

#include <stdint.h>

enum { SG_BODY_STATES = 12, SG_BODY_PLACE = 0, SG_BODY_VELOCITY = 3, SG_BODY_ANGLES = 6 };
enum { SG_BODY_TURNING = 9, SG_BODY_UNKNOWNS = 6 };

// Slopes of the rates of velocity and turning, the six rows of each column one after the other: by
// the place, and by velocity and turning, of the same body or of another.
typedef struct sg_body_slopes {
    double place[3][SG_BODY_UNKNOWNS];
    double motion[SG_BODY_UNKNOWNS][SG_BODY_UNKNOWNS];
} sg_body_slopes;

// Of the rates of the angles, by columns: by the angles, and by the turning.
typedef struct sg_body_angles {
    double own[3][3], turning[3][3];
} sg_body_angles;

typedef struct sg_body_block {
    double m[SG_BODY_UNKNOWNS][SG_BODY_UNKNOWNS]; // by columns
} sg_body_block;

typedef struct sg_body_turn {
    double m[3][3]; // by columns
} sg_body_turn;

typedef struct sg_bodies_pair {
    int32_t a, b;
} sg_bodies_pair;

typedef struct sg_bodies {
    int32_t n;
    int32_t *rank;  // by body: when it is eliminated; all that follows is by rank
    int32_t *start; // its links to bodies that are eliminated later, by rank, n + 1 numbers,
    int32_t *to;    // and these, in order
    bool *is_given; // by link: they are a pair, and not only linked by others
    // Slopes: own; of the rates of the earlier one by the later one, by link, and the other way.
    sg_body_slopes *own, *above, *below;
    sg_body_angles *angles;
    // The factors: inverse blocks of the diagonal, and by link.
    sg_body_block *inverse, *right, *left;
    sg_body_turn *angles_inverse;
    double *b;      // work: unknowns,
    double *places; // and b of the places
    int32_t *where; // work, by rank: a link, -1 between calls
    double g;       // of the factors
} sg_bodies;

// For bodies 0 to n - 1 and these pairs of them, which may come more than once.
sg_status sg_bodies_init(sg_bodies *bodies, sg_arena *arena, int32_t n, int32_t n_pairs,
                         const sg_bodies_pair *pairs);
// All slopes zero.
void sg_bodies_clear(sg_bodies *bodies);
// Where slopes of the rates of one by the states of another, or of itself, are to be added; null of
// two that are no pair. Those of angles are `bodies->angles + bodies->rank[body]`.
sg_body_slopes *sg_bodies_between(sg_bodies *bodies, int32_t of, int32_t by);
// I - g J, factored; false if a body has no pivots.
bool sg_bodies_factor(sg_bodies *bodies, double g);
// With twelve numbers a body; x may be b.
void sg_bodies_solve(sg_bodies *bodies, const double *b, double *x);
