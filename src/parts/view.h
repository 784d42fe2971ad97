// What the Scene says about pictures (components3d.md 2 and 11).
#pragma once

#include "segue/diag.h"
#include "view/animation.h"

typedef struct sg_part_view {
    const char *file; // animationFile, or null
    sg_span file_span;
    bool history;        // provideAnimationHistory
    bool frames;         // visualizeFrames: an arrow for each axis of each object
    double frame_length; // of these arrows [m]
    sg_viewpoint camera, light;
    bool contact_points, support_points, boxes; // drawn by the page
    int n_markers;                              // nVisualContSupPoints
    double marker_diameter;                     // defaultContactSphereDiameter [m]
} sg_part_view;
