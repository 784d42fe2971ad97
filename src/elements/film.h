// The film of a run: frames of all 3D parts of a model as a sink of the run (components3d.md 11).
#pragma once

#include "elements/shown.h"
#include "sim/sim.h"

typedef struct sg_film {
    sg_part *const *parts;
    size_t n_parts;
    double start, stop, interval; // of the output grid [s]; an interval of 0 is that of the run
    sg_diags *diags;              // of whoever asked for the run
    // Can this file be written? Asked for each part that names one before hours of simulation. Says
    // why not.
    sg_status (*check)(void *context, const char *file, sg_span span);
    void *context;
    bool scene_only; // frames go to the scene alone, no file that a part names is written
    bool begun;
    // The scene for the run file: its log takes blobs, or has no `keep` if none is wanted. Set by
    // the caller, who also destroys it.
    sg_scene_log scene;
    sg_animation stage; // what there is to be seen of all parts
} sg_film;

sg_sim_sink sg_film_sink(sg_film *film);

// After the run, however it ended: writes the files. `written` (may be null) is told of each.
// Reports and returns what goes wrong.
sg_status sg_film_finish(sg_film *film,
                         void (*written)(void *context, const sg_part *part, const char *path));
