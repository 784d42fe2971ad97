// Tubes: cylinders with a bore, which are not convex.
//
// A tube collides by three kinds of parts, of which one answers for each pair, so that nothing is
// pressed twice:
//
//     wall    for balls that fit into the bore: the distance of a point to a rectangle that turns
//             about the axis, a formula; so they roll in a bore and fall through it as on a surface
//             that is round
//     outer   the cylinder without the bore, for all others as long as what it answers is
//             true of the tube, too: the point that is nearest lies on the wall or on the ring at
//             an end, and not deeper than the wall is thick
//     pieces  convex segments of the wall, for all others where it is not: in the bore and at its
//             mouth
//
// Pieces lie within the tube: their inner faces are tangents of the bore, their outer corners lie
// on the outer wall. So a peg fits with whatever play, and has up to 1/cos(pi/n) - 1 of the bore's
// radius more, 0.2 % with 48 pieces. Edges of the wall are rounded by the smoothing radius, at most
// a tenth of the wall.
#pragma once

#include "collide/closed_form.h"
#include "shapes/shape.h"

typedef enum sg_tube_part { SG_NO_TUBE, SG_TUBE_WALL, SG_TUBE_OUTER, SG_TUBE_PIECE } sg_tube_part;

enum { SG_TUBE_MOST_PIECES = 192, SG_TUBE_CORNERS = 8 };

// How many pieces a tube has; `outer` is a cylinder with a bore.
int sg_tube_pieces(const sg_shape *outer);
// The corners of piece k, in the frame of the solid.
void sg_tube_piece(const sg_shape *outer, int k, sg_vec3 corner[SG_TUBE_CORNERS]);

// Whether a shape is a ball that the wall answers for.
static inline bool sg_tube_takes(const sg_shape *outer, const sg_shape *other)
{
    return other->kind == SG_SHAPE_SPHERE && other->radius < outer->bore;
}

// The signed distance of a ball, with the normal from the tube to it.
sg_closed_answer sg_tube_ball(const sg_shape *outer, const sg_pose *pose, sg_vec3 center,
                              double radius);
// Whether the distance `delta` of another shape to the cylinder without bore, with `point` on the
// cylinder, is that to the tube.
bool sg_tube_is_outside(const sg_shape *outer, const sg_pose *pose, sg_vec3 point, double delta);
// Half the least thickness of its wall [m].
double sg_tube_half(const sg_shape *outer);
// The axis in the world.
sg_vec3 sg_tube_axis(const sg_shape *outer, const sg_pose *pose);
