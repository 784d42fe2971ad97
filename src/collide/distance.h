// Signed distance of two convex shapes: positive apart, negative by the least depth.
//
// Two stages. Stage one, the improved MPR algorithm of the papers, finds a portal and the verdict
// apart or penetrating (collide/portal.h). Stage two goes on from the portal to the exact answer
// and proves it by a gap between an upper and a lower bound (collide/separate.h,
// collide/penetrate.h). Pairs with a closed form take that (collide/closed_form.h). Stage one
// alone, carried to its own end in double-double arithmetic, is collide/mpr.h.
//
// The answer is exact, to 1e-12 of the size, and `certified` says whether that is proven. No query
// allocates: all state is in the structs below.
#pragma once

#include "collide/penetrate.h"
#include "collide/separate.h"

typedef struct sg_distance_options {
    bool closed_forms;  // take them where they exist; default true
    double tolerance;   // largest certified gap, of the size; default 4e-13
    int max_expansions; // of the polytope; default 160
    // Let a deep answer without proof follow its valley for some queries before the next search:
    // for owners of a moving pair, who see from `certified` that there is no proof.
    bool follow;
} sg_distance_options;

sg_distance_options sg_distance_options_make(void);

typedef struct sg_distance_stats {
    bool searched;      // stage one was asked; else the pair's memory or its shapes were enough
    int phase2, phase3; // iterations of stage one
    int stage2;         // simplices, expansions and Newton steps of stage two
    int supports;       // support points of the difference
} sg_distance_stats;

typedef struct sg_distance_result {
    double delta;   // signed distance [m]
    sg_vec3 n;      // unit normal from A to B: the gradient of delta with respect to B's place
    sg_vec3 a, b;   // points on A and on B with b - a = delta n, world frame
    double gap;     // proven bound of the error of delta [m], 0 for closed forms
    bool certified; // gap within the tolerance
    bool closed_form;
    int iterations; // of both stages, 0 for closed forms
    sg_distance_stats stats;
    const char *message; // constant text when the status is not SG_OK, else null
} sg_distance_result;

// What a pair remembers from one query to the next, zero before the first. Kept by the owner of
// the pair; it holds no pointer and may be copied.
typedef struct sg_distance_memory {
    bool valid, inside;
    sg_separation apart; // the last answer if the pair was apart,
    sg_valley valley;    // or what is known of it if it penetrated
    // Queries left before the next try: to carry a polytope along, to prepare a margin, to look
    // for a better depth than one that was not proven. And what the last margin was good for.
    int rest, pause, follow, hits;
} sg_distance_memory;

// Room for polytopes, one for each thread or one for each pair. If the same work is given with the
// same memory again, a penetrating pair can go on from its last polytope.
typedef struct sg_distance_work {
    sg_polytope polytope[2];
    int last;                        // which of the two is the one to go on from
    const sg_distance_memory *owner; // whose it is, null for nobody's
} sg_distance_work;

// SG_ERR_INPUT with result->message for poses that are not finite or do not turn rigidly, and for
// coinciding centroids; SG_ERR_LIMIT when no answer was found within the bounds on iterations.
// `memory` may be null.
sg_status sg_signed_distance(const sg_shape *a, const sg_pose *pose_a, const sg_shape *b,
                             const sg_pose *pose_b, const sg_distance_options *options,
                             sg_distance_memory *memory, sg_distance_work *work,
                             sg_distance_result *result);
