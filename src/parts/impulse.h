// Jumps of velocity in a part: impulses on its bodies become new values of the states that move
// them, at an event.
//
// What an impulse does to a mechanism follows from its masses alone (multibody/impulse.h), with the
// inertias of rotors where the drives of joints are known to forward dynamics. The states are those
// of free objects, or velocities of joints among the equations. A joint that is led, its velocity a
// function of time, keeps it whatever strikes: it is as heavy as the world. One whose velocity
// follows from other states, or whose drive is a system of equations, cannot jump this way; who
// asks is told, and must do something else.
#pragma once

#include "multibody/impulse.h"
#include "parts/part.h"

// Room for one impulse, for as long as a segment lasts.
typedef struct sg_part_impulses {
    sg_force *on;   // by body: [N s], [N m s] about its origin, world
    double *dv;     // n_dof: what it does to the velocities
    double *rotor;  // n_dof: inertia beyond that of the bodies; infinite where a joint is led
    bool knows_led; // which ones are
} sg_part_impulses;

bool sg_part_impulses_init(const sg_part *part, sg_arena *arena, sg_part_impulses *impulses);
// No impulse.
void sg_part_impulses_clear(const sg_part *part, sg_part_impulses *impulses);
// Adds one at a point of a body, both in the world.
void sg_part_impulses_add(const sg_part_state *s, sg_part_impulses *impulses, int body,
                          sg_vec3 point, sg_vec3 impulse);

// What an impulse on this body sets in motion: the body next to the world, or to what is led, of
// its mechanism. 0 if none can: it stands still or is led itself. At events only.
int sg_part_moves_with(sg_part_state *s, sg_part_impulses *impulses, int body);

// dv from impulses. SG_ERR_INPUT if something has no inertia.
sg_status sg_part_impulses_apply(sg_part_state *s, sg_part_impulses *impulses);
// Why velocities cannot jump by dv, or null: all that it moves are states.
const char *sg_part_cannot_jump(const sg_part_state *s, const sg_part_impulses *impulses);
// At an event that decides: sets the states. They are there in its next iteration.
void sg_part_jump(const sg_part_eval *e, const sg_part_impulses *impulses);

// The response of two bodies to impulses at a point: how the velocity of body b there, seen from
// body a, changes with an impulse on b and its opposite on a [1/kg]. Uses the room of `impulses`.
sg_status sg_part_response(sg_part_state *s, sg_part_impulses *impulses, int a, int b,
                           sg_vec3 point, sg_mat3 *W);
