// Which way a bent surface lies beside its plane piece.
//
// Where a capsule touches a face, both press equally on a surface that lies a little beside the
// plane piece (contact/bulge.h): how far depends on the direction in which that is measured. Across
// the piece would be as good as any, but where the face ends at another one, at an edge, the
// surface ends there, too. Points that are moved across the piece leave its cell or do not reach
// it, which makes up to 3 % of the force at an edge across a capsule, at any depth. Moved along the
// plane between the two cells they end where they should. So that is the way where edges press, and
// across the piece where none does.
#pragma once

#include "contact/area.h"

// The unit vector for the piece across m of faces a and b, one of which is bent. The bend's g need
// not be known.
sg_vec3 sg_way_find(const sg_area_work *work, const sg_area_law *law, const sg_area_face *a,
                    const sg_area_face *b, sg_vec3 m, const sg_polygon *polygon,
                    const sg_bend *bend);
