// The scene of a run in its run file: what there is to be seen, where it was at every stored point,
// and what touched there.
//
// A page that shows a run must come from the run file alone, later and elsewhere, so the file holds
// a description of the scene and one frame for each of its points; plots and picture then need no
// second clock. Written as blobs of the run (docs/formats.md): readers that know nothing of scenes
// pass over them.
//
//     scene             the description, JSON
//     scene.mesh.K      what mesh number K consists of
//     scene.frames.K    poses and contacts of the next points, all of one segment
//     scene.patches.K   of these contacts: how they hold, and the areas over which they press
//
// While a run goes on, frames wait until there are enough for a blob, so memory does not grow with
// its length; what a killed run leaves can be looked at up to there.
#pragma once

#include "base/diags.h"
#include "segue/result.h"
#include "view/animation.h"

enum { SG_SCENE_VERSION = 1 };

// Two objects in touch at a point of the run; the world is the frame.
typedef struct sg_scene_contact {
    uint32_t a, b;    // objects
    double point[3];  // where the forces act [m]
    double normal[3]; // unit, from a to b
    double force[3];  // on b [N]; zero where contacts are only watched
    double depth;     // penetration [m]
} sg_scene_contact;

// How it holds, and over which patch it presses; sizes as a picture needs them.
typedef struct sg_scene_patch {
    uint32_t law;  // number of the word (result/touches.h); 0 if it is not told
    uint32_t grip; // 0 without friction, 1 sticks, 2 slips, 3 creeps
    uint32_t n_pieces, n_corners;
    float normal, friction; // forces [N]
    float share;            // of the limit of friction, 0 to 1
    float area, peak;       // [m2], [Pa]; 0 for points
    float unused;
} sg_scene_patch;

typedef struct sg_scene_corner {
    float x[3];     // from the contact's point, in the world [m]
    float pressure; // [Pa]
} sg_scene_corner;

// Patches one after the other: their rows, corners of each piece, and these.
typedef struct sg_scene_patches {
    SG_VEC(sg_scene_patch) rows;
    SG_VEC(uint32_t) pieces;
    SG_VEC(sg_scene_corner) corners;
} sg_scene_patches;

// What a Scene asks to be shown besides bodies.
typedef struct sg_scene_extras {
    bool frames, contacts, boxes;
} sg_scene_extras;

// ---- writing --------------------------------------------------------------------------------

typedef struct sg_scene_log {
    const sg_allocator *allocator;
    // Takes a blob; what it returns is handed on.
    sg_status (*keep)(void *context, const char *name, const void *bytes, size_t length);
    void *context;
    size_t n_visuals;
    uint32_t segment, n_points, n_blobs; // of the points that wait; frames kept so far
    uint64_t first;                      // number of the first point that waits
    SG_VEC(sg_visual_pose) poses;        // of these points, one after the other
    SG_VEC(unsigned char) absent;        // by visual, during this segment
    SG_VEC(uint32_t) touching;           // contacts of each point
    SG_VEC(sg_scene_contact) contacts;   //
    sg_scene_patches patches;            // of these
    size_t corners_here;                 // of the point that is being logged
    sg_buf bytes;                        // a blob on its way out
} sg_scene_log;

void sg_scene_log_init(sg_scene_log *log, const sg_allocator *allocator);
void sg_scene_log_destroy(sg_scene_log *log);
// Keeps the description: the visuals of `stage`, whose `object` is an index in `objects`, their
// paths.
sg_status sg_scene_log_begin(sg_scene_log *log, const sg_animation *stage,
                             const char *const *objects, size_t n_objects, sg_scene_extras extras);
// A segment begins; all visuals are there until sg_scene_log_hide says otherwise.
sg_status sg_scene_log_segment(sg_scene_log *log, uint32_t segment);
static inline void sg_scene_log_hide(sg_scene_log *log, size_t visual)
{
    log->absent.data[visual] = 1;
}
// The next point of the run: its poses, to be filled in. Null when memory ran out.
sg_visual_pose *sg_scene_log_point(sg_scene_log *log);
// A contact at this point. False when memory ran out.
bool sg_scene_log_contact(sg_scene_log *log, const sg_scene_contact *contact);
// How the contact that was logged last holds, by the word for its law; its pieces and their corners
// are as many as `patch` says. A point has room for some thousand corners; beyond, patches have no
// pieces.
void sg_scene_log_patch(sg_scene_log *log, const sg_scene_patch *patch, const char *law,
                        const uint32_t *pieces, const sg_scene_corner *corners);
// Behind the contacts of a point: keeps what waits if it is enough, or in any case.
sg_status sg_scene_log_tick(sg_scene_log *log);
sg_status sg_scene_log_flush(sg_scene_log *log);

// ---- reading --------------------------------------------------------------------------------

typedef struct sg_scene {
    const sg_allocator *allocator;
    sg_arena arena;
    sg_animation animation; // visuals, and frames at all points that are there, up to the first gap
    const char **objects;   // paths
    size_t n_objects;
    sg_scene_extras extras;
    uint32_t *segment;      // by frame
    unsigned char *present; // by segment and visual
    size_t n_segments;
    size_t *first_contact; // by frame, and one more
    sg_scene_contact *contacts;
    sg_scene_patch *patch;   // by contact
    uint32_t *first_piece;   // by contact, and one more
    uint32_t *first_corner;  // by piece, and one more
    sg_scene_corner *corner; //
} sg_scene;

// Reads the scene of a run. *out is null where there is none, with SG_OK; else to be closed.
// SG_ERR_INPUT with a diagnostic when it cannot be read.
sg_status sg_scene_open(const sg_result *result, const sg_allocator *allocator, sg_diags *diags,
                        sg_scene **out);
void sg_scene_close(sg_scene *scene); // null is fine
// Whether a visual is there at a frame.
static inline bool sg_scene_present(const sg_scene *s, size_t frame, size_t visual)
{
    return s->present[s->segment[frame] * s->animation.visuals.len + visual] != 0;
}
