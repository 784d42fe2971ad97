// A 3D part as all rooms see it: its types, and what needs nothing but the part itself. What its
// elements show of a run is in elements/shown.h, the rest of what the session does with a part in
// model3d/model3d.h.
#pragma once

#include "parts/contact_counts.h"
#include "parts/host.h"
#include "program/exec.h"
#include "sim/component.h"
#include "sim/hidden.h"
#include "view/scene.h"
#include "vm/value.h"

typedef struct sg_part sg_part;
typedef struct sg_part_state sg_part_state;

// Switches that reproduce the published program (docs/compat.md); all false is physics.
typedef struct sg_part_compat {
#define SG_PART_COMPAT(field, name, what) bool field;
#include "parts/compat_list.h"
#undef SG_PART_COMPAT
} sg_part_compat;

// The names of the switches from 0 on, null behind the last.
const char *sg_part_compat_name(size_t i);
// Turns on one switch, or all by "modia-0.12". False if there is none of this name.
bool sg_part_compat_set(sg_part_compat *compat, const char *name, size_t length);

// Gives the variables of joints the units that people know them in.
struct sg_flat;
void sg_part_show_units(const sg_part *part, struct sg_flat *flat);

// After a run: says which switches that are on changed something.
void sg_part_report_compat(const sg_part *part, sg_diags *diags);
// After numbers of the published program were missed: which switches would have made a difference.
void sg_part_suggest_compat(const sg_part *part, sg_diags *diags, sg_span span);

// The functions of a part that the equations call.
typedef enum sg_part_function {
    SG_PART_TERMS,         // (time, coordinates...) -> h
    SG_PART_MATRIX,        // (terms) -> M
    SG_PART_ACCELERATIONS, // (terms, accelerations...) -> those of joints without flange
    // (terms, forces..., and if there are any, inertias of rotors...) -> accelerations of the
    // joints with flange
    SG_PART_FORWARD,
    SG_PART_INVERSE, // (terms, accelerations...) -> forces of the joints with flange
    // Where equations name quantities of elements (parts/ports.h): the terms begin with (motion,
    // inputs...), and the matrix with (motion).
    SG_PART_MOTION, // (time, coordinates...) -> what is known without accelerations
    SG_PART_SENSED, // (accelerations) -> what is known with them
    SG_PART_N_FUNCTIONS
} sg_part_function;

// Whether joints of the part close loops in this segment, so that states must keep to constraints.
bool sg_part_has_loops(const sg_part *part);
