// Materials: what parts are made of, what happens where two of them touch, and how they look.
//
// A palette is three lists that a model refers to by name: solids (density, elasticity), pairs of
// touching materials, and looks. The ones that come with the program are text files with a line an
// entry (library/palettes says the words); a user's file in the same layout adds to them or
// replaces entries of the same name. components3d.md 3.3, 3.8 to 3.10.
//
// Entries are read here and owned by the palette. Names that are not known are the caller's to
// complain about; sg_palette_suggest finds what may have been meant.
#pragma once

#include "base/arena.h"
#include "base/vec.h"
#include "segue/status.h"

// Who named an entry: Modia3D, Segue beyond that, or a file of the user.
typedef enum sg_palette_source { SG_OF_MODIA3D, SG_OF_SEGUE, SG_OF_USER } sg_palette_source;

// Numbers that are not known are NaN.
typedef struct sg_solid_material {
    const char *name;
    sg_palette_source source; // set by the palette
    const char *rests;        // "density NIST, young estimate": what numbers rest on, or null
    double density;           // [kg/m3]
    double young, poisson;    // modulus of elasticity [Pa], ratio
    double melts;             // [K]
    double heat, conducts;    // specific capacity [J/(kg K)], conductivity [W/(m K)]
    double expands;           // linear thermal expansion [1/K]
} sg_solid_material;

typedef enum sg_contact_response {
#define SG_RESPONSE(KIND, name, word, constants) SG_CONTACT_##KIND,
#include "shapes/responses_list.h"
#undef SG_RESPONSE
    SG_CONTACT_WRITTEN, // a function of the model; no palette says so
    SG_CONTACT_N_RESPONSES
} sg_contact_response;

// Which numbers of a pair of materials a response takes.
typedef enum sg_response_constants {
    SG_BY_NOTHING,
    SG_BY_ELASTICITY,
    SG_BY_SPRING
} sg_response_constants;

sg_response_constants sg_response_takes(sg_contact_response response);
const char *sg_response_name(sg_contact_response response); // in palettes; null behind the last
const char *sg_response_word(sg_contact_response response); // in results

typedef struct sg_contact_material {
    const char *first, *second; // in any order
    sg_palette_source source;   // set by the palette
    const char *rests;          // as that of a solid
    sg_contact_response response;
    double restitution, friction, rolling; // [1]
    double adhesion;     // static coefficient of friction, not below the sliding one; NaN: the same
    double sticks;       // 1: points of this pair stick, 0: they do not; NaN: as the Scene says
    double v_min, w_min; // speeds below which motion is regularized [m/s], [rad/s]
    // Of a response by springs: spring constant [N/m], damping [N s/m, or as the law has it], and
    // the torque about the normal that a unit of pressure makes against drilling [m].
    double spring, damping, drilling;
    bool alarm; // of a watch: report contacts
} sg_contact_material;

typedef struct sg_look {
    const char *name;
    uint8_t rgb[3];
    double transparency, shininess; // 0 to 1
    bool wires, reflects;
    int shadows; // 1 casts, 2 receives, 3 both
} sg_look;

typedef struct sg_color_name {
    const char *name; // lower case, gray and not grey
    uint8_t rgb[3];
} sg_color_name;

typedef struct sg_palette {
    const sg_allocator *allocator;
    sg_arena arena;           // texts
    sg_palette_source source; // of what is added now
    SG_VEC(sg_solid_material) solids;
    SG_VEC(sg_contact_material) contacts;
    SG_VEC(sg_look) looks;
    SG_VEC(sg_color_name) colors;
} sg_palette;

void sg_palette_init(sg_palette *palette, const sg_allocator *allocator);
void sg_palette_destroy(sg_palette *palette);

// What a line of a palette got wrong.
typedef struct sg_palette_complaint {
    size_t line;
    char why[160];
} sg_palette_complaint;

// Adds the entries of a text. SG_ERR_INPUT with the first line that is wrong; entries before it
// were added.
sg_status sg_palette_read(sg_palette *palette, const char *text, size_t length,
                          sg_palette_complaint *complaint);

// Defaults of an entry: nothing known of a solid; no friction, no restitution, v_min and w_min
// 0.01, of a linear response 0.001 and a spring of 1e7 N/m; a shiny blue.
sg_solid_material sg_solid_material_make(const char *name);
sg_contact_material sg_contact_material_make(const char *first, const char *second);
sg_contact_material sg_contact_material_make_spring(const char *first, const char *second);
sg_look sg_look_make(const char *name);

// Add an entry, or replace the one of the same name (the same pair). Names are copied. False when
// memory ran out.
bool sg_palette_put_solid(sg_palette *palette, const sg_solid_material *solid);
bool sg_palette_put_contact(sg_palette *palette, const sg_contact_material *contact);
bool sg_palette_put_look(sg_palette *palette, const sg_look *look);

// Why the numbers of an entry cannot be, or null.
const char *sg_solid_material_check(const sg_solid_material *solid);
const char *sg_contact_material_check(const sg_contact_material *contact);
const char *sg_look_check(const sg_look *look);

// Null when there is no such entry. Pointers are good until the palette changes.
const sg_solid_material *sg_palette_solid(const sg_palette *palette, const char *name);
const sg_look *sg_palette_look(const sg_palette *palette, const char *name);
// A solid where it touches: `own`, with the elasticity of the solid that has the name of its
// contact material, as far as that is known. A coat or a sole decides how a contact yields,
// whatever is underneath (components3d.md 3.2). Names that Segue added to those of Modia3D leave
// models alone that were there before: where the user has a pair of that name, it is the user's.
sg_solid_material sg_palette_touching(const sg_palette *palette, const char *contact,
                                      const sg_solid_material *own);
// The pair in either order; else, if both have a pair with themselves that responds by a force, the
// mean of these. Springs are in series, where a pair is two equal ones: the harmonic mean.
// SG_ERR_INPUT when neither is there, or the two pairs respond differently.
sg_status sg_palette_contact(const sg_palette *palette, const char *first, const char *second,
                             sg_contact_material *out);

typedef enum sg_palette_list { SG_PALETTE_SOLIDS, SG_PALETTE_LOOKS } sg_palette_list;
// The known name that is nearest to a wrong one, or null.
const char *sg_palette_suggest(const sg_palette *palette, sg_palette_list list, const char *name);

// A color as models write it: a name in any case (blanks between words do not count), #RGB,
// #RRGGBB, #RGBA, #RRGGBBAA, 0xRGB, 0xRRGGBB, 0xARGB, 0xAARRGGBB, rgb(...), rgba(...), hsl(...),
// hsla(...). `alpha` is 1 unless the text says otherwise. False if it is none of these.
bool sg_color_read(const sg_palette *palette, const char *text, uint8_t rgb[3], double *alpha);
// A name as it is kept and looked up: "Light Grey" is lightgray.
void sg_color_fold(char *name);
