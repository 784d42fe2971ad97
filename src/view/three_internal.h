// What the files that write three.js documents share.
#pragma once

#include "base/symbol.h"
#include "result/json.h"
#include "result/outfile.h"
#include "view/three.h"
#include "view/uuid.h"

// How a visual stands in the file: three.js has its own idea of where the axis and the origin of a
// shape are.
typedef struct sg_three_place {
    bool shown;
    bool bare;                            // there is nothing to show
    const char *why;                      // it is not shown; null if it is
    sg_vec3 ro;                           // origin of the geometry in the object [m]
    sg_mat3 Ro;                           // object to geometry
    sg_quat qo;                           // the same
    sg_vec3 scale;                        // of the geometry
    size_t geometry;                      // number of the visual whose geometry it uses
    const struct sg_three_import *import; // from another three.js file, or null
} sg_three_place;

// A file of three.js that stands for a mesh (three_import.c).
typedef struct sg_three_import {
    struct sg_three_import *next;
    const char *path;
    const sg_json *root; // null when it cannot be used
    sg_symbols *names;   // every uuid that the file defines
} sg_three_import;

typedef struct sg_three {
    const sg_animation *a;
    sg_diags *diags;
    sg_span span;
    sg_arena arena;
    sg_uuid scene;
    sg_three_place *place; // by visual
    sg_three_import *imports;
    sg_outfile file;
    sg_buf text;  // goes to the file when it is long
    sg_buf times; // of all frames, as a list
    bool failed;  // memory ran out; so say text, times and arena of themselves
    bool first;   // nothing stands in the present list yet
} sg_three;

// Text goes to the file as it comes.
void sg_three_flush(sg_three *w);
void sg_three_puts(sg_three *w, const char *text);
void sg_three_number(sg_three *w, double x);
void sg_three_numbers(sg_three *w, const double *x, size_t n); // [x, y, ...]
void sg_three_string(sg_three *w, const char *text);
void sg_three_uuid(sg_three *w, sg_uuid uuid);
// That of a visual's part; the suffix is one of "", ".geometry", ".material", ".shape", ...
sg_uuid sg_three_name(const sg_three *w, size_t visual, const char *suffix);
// `"key":` with a comma in front where one belongs.
void sg_three_key(sg_three *w, const char *key);
// A comma unless it is the first of a list.
void sg_three_next(sg_three *w);
// `"uuid":"...","type":"TYPE"` behind the opening brace of an entry.
void sg_three_entry(sg_three *w, sg_uuid uuid, const char *type);

// `"position":[...],"quaternion":[...]`.
void sg_three_pose(sg_three *w, sg_vec3 r, sg_quat q);

// Color, opacity and transparency of a material, without a comma in front.
void sg_three_paint(sg_three *w, const sg_look *look);

// ---- shapes (three_shapes.c) ----------------------------------------------------------------

// Where the geometry of a visual is in its object; `shown` is false where the format has none.
sg_three_place sg_three_place_of(const sg_visual *visual);
// Entries of "geometries" and "shapes".
void sg_three_geometry(sg_three *w, size_t visual);
void sg_three_outline(sg_three *w, size_t visual);
// The six children of a coordinate system.
void sg_three_arrows(sg_three *w, size_t visual);

// ---- three.js files inside of ours (three_import.c) ------------------------------------------

// Reads the file once; null after a warning.
const sg_three_import *sg_three_open_import(sg_three *w, const sg_visual_mesh *mesh);
// Entries of a list of the file ("geometries", "materials", ...), with identifiers of the visual.
void sg_three_import_list(sg_three *w, size_t visual, const char *list);
// Its object, without the opening brace and what the visual says itself: name, uuid and pose.
void sg_three_import_object(sg_three *w, size_t visual);
void sg_three_close_imports(sg_three *w);
