// Convex shapes: what the narrow phase needs to know of them.
//
// Every shape is a core plus a radius. A sphere is a point grown by its radius, a capsule a
// segment, a box with smoothing radius a smaller box grown by it ([Neumayr-thesis] section 6.2.2).
// The signed distance of two grown shapes is that of the cores less both radii, apart and
// penetrating alike, so a shallow contact of rounded shapes is a distance of separated cores: cheap
// and exact.
//
// A shape's canonical frame has its axis along z. The axis number of the model files turns the
// frame, once per query and not once per support point.
//
// Sizes follow components3d.md section 4; the core of a smoothed cone is the true inner parallel
// body there (the reference's variant is chosen by collide/mpr.h for its compatibility mode).
#pragma once

#include "math/pose.h"
#include "segue/distance.h" // the kinds of shapes
#include "segue/status.h"
#include "shapes/mesh.h"

#include <stdint.h>

struct sg_shape_form; // the table of functions of a kind (shapes/shape_form.h)

// What the support mapping works on, for those who know a shorter way with some of them.
typedef enum sg_core_kind {
    SG_CORE_POINT,
    SG_CORE_SEGMENT,
    SG_CORE_BOX,
    SG_CORE_SMOOTH,  // any other: its support function says it all
    SG_CORE_FRUSTUM, // cylinder, cone and truncated cone
    SG_CORE_STADIUM, // beam: a segment grown in a plane, made thick
    SG_CORE_MESH
} sg_core_kind;

typedef struct sg_shape {
    const struct sg_shape_form *form;
    sg_shape_kind kind;
    sg_core_kind core;
    int axis;      // 0, 1, 2: the local axis that is z of the canonical frame
    double radius; // [m] added around the core
    sg_vec3 half;  // [m] box: half edges; ellipsoids: semi-axes; segment: z; stadium: cap radius,
                   // half thickness, half length along x, y, z
    double rb, rt; // [m] frustum: radius at the lower and upper end
    double z0, z1; // [m] frustum: where they are, z0 < z1
    double base_radius, top_radius; // [m] cone: as given, before smoothing
    sg_vec3 origin;   // of the canonical frame, in the local frame [m]; zero but for meshes
    sg_vec3 centroid; // canonical frame [m]
    double bound;     // [m] the whole shape lies within this distance of its centroid
    double inradius;  // [m] a ball of this radius around the centroid lies in the core, 0 if flat
    double smallest;  // [m] smallest dimension, for smoothing and contact radii
    double length;    // [m] full length along the axis, as given
    double smoothing; // [m] the smoothing radius in effect, part of `radius`
    double bore;      // [m] radius of the hole along the axis of a tube, else 0 (collide/tube.h)
    const sg_mesh *mesh;
    bool curved; // the core has a part that is not a polytope
} sg_shape;

// All makers check their numbers: SG_ERR_INPUT for NaN, infinite, zero or negative sizes, and
// `*why` (never null on failure) says what is wrong in a constant text. Lengths in meters,
// `smoothing` at least 0 and cut to a tenth of the smallest dimension.
sg_status sg_shape_sphere(double diameter, sg_shape *out, const char **why);
sg_status sg_shape_box(sg_vec3 lengths, double smoothing, sg_shape *out, const char **why);
sg_status sg_shape_ellipsoid(sg_vec3 lengths, sg_shape *out, const char **why);
// `length` of a capsule is that of the cylindrical part.
sg_status sg_shape_capsule(int axis, double diameter, double length, sg_shape *out,
                           const char **why);
sg_status sg_shape_cylinder(int axis, double diameter, double length, double smoothing,
                            sg_shape *out, const char **why);
// `base` is the coordinate of the base circle's center on the axis, 0 in model files; the other end
// is at base + length.
sg_status sg_shape_cone(int axis, double diameter, double top_diameter, double length, double base,
                        double smoothing, sg_shape *out, const char **why);
// `length` is that of the box part; half cylinders of diameter `width` close the ends.
sg_status sg_shape_beam(int axis, double length, double width, double thickness, double smoothing,
                        sg_shape *out, const char **why);
// The mesh stays the caller's and must outlive the shape.
sg_status sg_shape_mesh(const sg_mesh *mesh, sg_shape *out, const char **why);

// The pose of the canonical frame of a shape that is placed at `pose`.
sg_pose sg_shape_frame(const sg_shape *shape, const sg_pose *pose);
// Centroid in the frame the pose leads to.
sg_vec3 sg_shape_centroid(const sg_shape *shape, const sg_pose *pose);
const char *sg_shape_kind_name(sg_shape_kind kind);
