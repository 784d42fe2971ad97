// What a part asks of the session around it: materials and files, and how it is to be built.
//
// The session owns palettes and knows which files a model may read; the layers below it do not.
// So it hands this table down with every segment.
#pragma once

#include "segue/diag.h"
#include "shapes/mesh_foreign.h"
#include "shapes/palette.h"
#include "vm/value.h"

struct sg_part;
struct sg_part_compat;
struct sg_part_eval;

// Objects that a script puts together and moves itself stand above this folder (src/byhand), but
// functions for objects of models take them, too.
typedef struct sg_hand_hooks {
    bool (*is_one)(sg_value value); // an object or a joint made by hand
    // The dictionary that stands for an object made by hand, and any other value as it is.
    sg_value (*element)(sg_value value);
    // The part that the last initAnalysis! made of an object's world; null for anything else.
    struct sg_part *(*part)(sg_value value);
} sg_hand_hooks;

typedef struct sg_part_host {
    void *context;
    sg_arena arena; // as long as the session
    // The materials that are known now; null after reporting that they cannot be read.
    const sg_palette *(*palette)(void *context);
    // The path on disk of a file that a model names, checked to be readable; null after reporting.
    const char *(*locate)(void *context, const char *name, sg_span span);
    // The path on disk of a file to write, its folder made; null after reporting.
    const char *(*output)(void *context, const char *name, sg_span span);
    // The action program of this name in C (segue/actions.h), null if there is none; may be null.
    const struct sg_action_program *(*action_program)(void *context, const char *name);
    // Reads meshes of other formats, in a process of its own; null: they are refused.
    sg_foreign_mesh_ask *foreign_mesh;
    void *foreign_context;
    const struct sg_part_compat *compat; // of the command line
    const sg_hand_hooks *by_hand;        // null: there are no such objects
    bool path_rows;                      // P10: a row of a path without motion ends at time 0
    bool check_only;                     // nothing is written
    bool log;                            // what contacts start with is told
    bool log_events;                     // contacts that begin and end, and actions, are told
    bool balance;                        // signals of energy, momentum and reactions are wanted
    // The evaluation whose elements are calling functions of the script just now, or null.
    struct sg_part_eval *active;
} sg_part_host;
