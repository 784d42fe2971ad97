// A moving scene: what there is to be seen, and where it was over time. It knows of no file format.
//
// Whoever moves objects (a Model3D part while it is simulated, a script that places them by hand)
// lists what is visible once and then adds frames; whoever shows them (view/three.h, later glTF and
// the page) reads the same lists. Shapes stay what the model says, with their sizes: a page draws a
// sphere better from its diameter than from triangles.
//
//     sg_animation_init(&a, allocator);
//     sg_animation_add(&a, &(sg_visual){.path = "ball", .kind = SG_VISUAL_SPHERE, .size = {0.1}});
//     sg_visual_pose *row = sg_animation_add_frame(&a, t); // for each frame
//     row[0] = sg_visual_pose_of(&pose);
//     sg_three_write(&a, "ball.json", ...);
//     sg_animation_destroy(&a);
//
// Frames lie one after the other in one array that grows; with the number of frames announced,
// adding one allocates nothing. components3d.md 11.1 and 11.2.
#pragma once

#include "base/arena.h"
#include "base/vec.h"
#include "math/pose.h"
#include "math/quat.h"
#include "shapes/mesh_file.h"
#include "shapes/palette.h"
#include "shapes/shape_form.h"

// Sizes in the order of `size`, all in m; those along an axis name the axis of `axis`
// (components3d.md 4.1). Shapes of bodies have their own numbers, and the sizes of their form.
typedef enum sg_visual_kind {
#define SG_SHAPE(NAME, name, Constructor, keywords) SG_VISUAL_##NAME = SG_SHAPE_##NAME,
#include "segue/shape_list.h"
    SG_VISUAL_FRAME,  // length of the three arrows
    SG_VISUAL_GRID,   // length, width, distance of the lines, their width in pixels
    SG_VISUAL_SPRING, // length, diameter of the coil, of the wire, windings
    SG_VISUAL_GEAR,   // diameter, length, inner and root diameter, helix angle [rad], teeth
    SG_VISUAL_TEXT,   // height of a character; see sg_visual_text
    SG_VISUAL_BARE    // nothing: an object without shape that the page shows by its axes
} sg_visual_kind;

enum { SG_VISUAL_KINDS = SG_VISUAL_BARE + 1, SG_VISUAL_SIZES = SG_SHAPE_SIZES };

typedef struct sg_visual_mesh {
    const sg_triangles *surface; // scaled; must outlive the animation; null where `three` is there
    const char *three;           // a three.js file on disk that is shown instead, or null
    const char *three_text;      // its content, of `three_length` bytes, where it is known already;
    size_t three_length;         // must outlive the animation
    sg_vec3 scale;               // of `three`
    bool inside_out;             // triangles of `surface` run clockwise seen from outside
    bool smooth;                 // light as if the surface had no edges
    bool two_sided;              // seen from inside, too
    bool recolor;                // the color of the look instead of those of `three`
} sg_visual_mesh;

// Written in the color of the look.
typedef struct sg_visual_text {
    const char *text, *family; // null where there is no text
    bool bold, italic;
    int plane;      // 0 faces the viewer, 1 lies in the xy, 2 in the xz, 3 in the yz plane
    int align;      // 1 begins at the offset, 2 ends there, 3 has its middle there
    sg_vec3 offset; // in the object [m]
} sg_visual_text;

typedef struct sg_visual {
    const char *path;  // of the object, unique
    const char *shape; // name of the shape as the user knows it, for messages; may be null
    sg_visual_kind kind;
    int axis; // 0, 1, 2
    double size[SG_VISUAL_SIZES];
    sg_look look;
    bool plain; // the model says nothing of its look; the page chooses
    sg_visual_mesh mesh;
    sg_visual_text text;
    int object;     // the caller's number of what it belongs to
    bool vanishes;  // at a time of the run it was taken away,
    double ends_at; // this one [s]
} sg_visual;

// Where a visual was: three.js and glTF want the same four numbers (math/quat.h).
typedef struct sg_visual_pose {
    double r[3]; // origin in the world [m]
    double q[4]; // x, y, z, w with w >= 0
} sg_visual_pose;

// Camera or light: on a sphere around the world's origin [m, rad]. With y up, longitude 0 lies on
// the z axis and grows towards x; latitude grows towards `up`. Other directions are turned along.
typedef struct sg_viewpoint {
    double distance, longitude, latitude;
} sg_viewpoint;

typedef struct sg_animation {
    const sg_allocator *allocator;
    sg_arena arena; // texts
    SG_VEC(sg_visual) visuals;
    sg_vec3 up; // +-x, +-y or +-z
    sg_viewpoint camera, light;

    SG_VEC(double) time;          // [s], one a frame
    SG_VEC(sg_visual_pose) poses; // frame after frame, in each the visuals in their order
    // Of sg_animation_point: the grid, the number of its next time that is a frame, and whether the
    // last frame is only there until a better one comes.
    double start, interval, next;
    bool provisional;
} sg_animation;

// No visuals, y up, camera and light as in a Scene without keywords.
void sg_animation_init(sg_animation *animation, const sg_allocator *allocator);
void sg_animation_destroy(sg_animation *animation);
// The axis that is most against gravity, +y where there is none (components3d.md 11.5).
sg_vec3 sg_animation_up(sg_vec3 gravity);

// Adds something visible; texts are copied. Only before the first frame. False when memory ran out.
bool sg_animation_add(sg_animation *animation, const sg_visual *visual);
// Forgets the frames and makes room for some, so that adding them allocates nothing; what is asked
// for beyond reason is left to grow. False when memory ran out.
bool sg_animation_begin(sg_animation *animation, double start, double interval, double n_frames);

// A frame at time t. Returns its poses, one a visual, to be filled in; null when memory ran out.
sg_visual_pose *sg_animation_add_frame(sg_animation *animation, double t);
// The same for every stored point of a run: the first at each time of the grid is kept, doubled
// points of events and points between are not, but the last point of the run is.
sg_visual_pose *sg_animation_point(sg_animation *animation, double t);
// After the last point, however the run ended.
void sg_animation_finish(sg_animation *animation);

static inline size_t sg_animation_frames(const sg_animation *a) { return a->time.len; }
static inline const sg_visual_pose *sg_animation_pose(const sg_animation *a, size_t frame,
                                                      size_t visual)
{
    return &a->poses.data[frame * a->visuals.len + visual];
}
sg_visual_pose sg_visual_pose_of(const sg_pose *pose);
