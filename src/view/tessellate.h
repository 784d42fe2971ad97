// Shapes as triangles: for files that know no spheres and cylinders, and for shapes that the page
// has no geometry of its own for.
//
// Points are in the frame of the object, as the model means them (components3d.md 4.1): a cone
// stands on its origin, a beam lies along its axis. Shapes of bodies know their surface themselves
// (shapes/shape_form.h).
#pragma once

#include "shapes/facets.h"
#include "view/animation.h"

// Whether a visual has a surface; frames, grids, texts and three.js files have none here.
bool sg_has_facets(const sg_visual *visual);
// The surface of a visual; empty where it has none. False when memory ran out; free it in any case.
bool sg_facets_of(sg_facets *facets, const sg_visual *visual, const sg_allocator *allocator);
// The three arrows of a coordinate system, one axis at a time.
bool sg_facets_of_arrow(sg_facets *facets, double length, int axis, const sg_allocator *allocator);

// Whether two visuals have the same surface, wherever they are and whatever they look like.
bool sg_same_facets(const sg_visual *a, const sg_visual *b);
