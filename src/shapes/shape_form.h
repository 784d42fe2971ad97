// What a shape is asked for: one table of functions a shape, each in a file of its own.
//
// Models name shapes and give them sizes; the narrow phase asks for support points and curvatures,
// dynamics for mass, pictures for triangles, contacts for what is flat and what is round. None of
// these knows which shapes there are: they ask the form. include/segue/shape_list.h lists the
// forms, and a test puts every question to every form (shape_form_test.c).
//
// All functions work in the canonical frame of the shape, where its axis is z; support functions on
// its core (shapes/shape.h, shapes/support.h).
#pragma once

#include "math/dd.h"
#include "shapes/facets.h"
#include "shapes/shape.h"

enum { SG_SHAPE_SIZES = 6 }; // numbers that a model may give for a shape

typedef struct sg_mass {
    double m;     // [kg]
    sg_vec3 c;    // center of mass [m]
    sg_mat3 I_CM; // [kg m2]
} sg_mass;

// A shape as models say it. Unlike sg_shape, which knows what collides, it knows holes.
typedef struct sg_solid_size {
    sg_shape_kind kind;
    int axis;                    // 0, 1, 2
    double size[SG_SHAPE_SIZES]; // in the order of the keys of the form, [m] but for plain numbers
    double base;                 // of a cone: where its base circle is on the axis [m]
} sg_solid_size;

// A point against a core: signed distance and outward unit normal.
typedef struct sg_core_field {
    double d;
    sg_vec3 g;
} sg_core_field;

typedef struct sg_shape_form {
    // ---- what models say: names of the sizes, null behind the last, and what they are otherwise
    const char *key[SG_SHAPE_SIZES];
    double standard[SG_SHAPE_SIZES];
    int n_sizes;    // the first sizes, which must be positive
    int may_vanish; // number of one among these that may be zero, from 1 on; 0: none
    int inner;      // number of a size that must be less than the first one, from 0 on; 0: none
    bool has_axis;  // the shape is turned by the axis number
    // What else is wrong with the sizes, a constant text, or null; may itself be null.
    const char *(*check)(const double *size);
    // The shape that these sizes make of it, such as a sphere of an ellipsoid; null: always itself.
    sg_shape_kind (*really)(const double *size);

    // ---- what collides; null for meshes, which come with their vertices
    sg_status (*make)(const sg_solid_size *solid, double smoothing, sg_shape *out,
                      const char **why);

    // ---- support functions (shapes/support.h); without curvatures all pieces are corners
    sg_vec3 (*support)(const sg_shape *shape, sg_vec3 n, uint32_t hint, uint32_t *piece);
    sg_vec3 (*support_piece)(const sg_shape *shape, uint32_t piece, sg_vec3 n);
    bool (*curvature)(const sg_shape *shape, uint32_t piece, sg_vec3 n, sg_vec3 e1, sg_vec3 e2,
                      double c[3]);
    void (*least_curvature)(const sg_shape *shape, uint32_t met, sg_vec3 n, double tau, sg_vec3 e1,
                            sg_vec3 e2, double c[3]);
    // In double-double numbers, in the direction u; with the defects of the reference or without.
    sg_dd3 (*support_dd)(const sg_shape *shape, sg_dd3 u, bool reference);
    bool dd_is_whole; // that is a point of the shape, not of its core
    // A point against the core in closed form; null: none.
    sg_core_field (*from_core)(const sg_shape *shape, sg_vec3 p);

    // ---- contacts
    bool is_round;  // every direction has one point, which moves with it
    bool is_flat;   // the radius of the other one counts (components3d.md 8.3)
    bool has_flats; // it may lie on an area (contact/area_body.h)
    double (*contact_radius)(const sg_shape *shape); // [m]; null: half the smallest dimension

    // ---- mass: for sizes that were checked; `out` holds the mass and zeros. Null: no closed form.
    void (*mass)(const sg_solid_size *solid, double m, sg_mass *out, double *volume);

    // ---- pictures; null: by other means
    void (*facets)(sg_facets *f, const double *size);
} sg_shape_form;

// By kind.
extern const sg_shape_form *const sg_shape_forms[SG_SHAPE_KINDS];
// Null, or what is wrong with the sizes: a constant text.
const char *sg_solid_check(const sg_solid_size *solid);

// ---- for the forms ------------------------------------------------------------------------------

sg_status sg_shape_refuse(const char *text, const char **why);
// Finite, positive, and within 1e-40 m to 1e40 m.
sg_status sg_shape_check_sizes(const double *sizes, int n, const char **why);
sg_status sg_shape_check_axis(int axis, const char **why);
// The smoothing radius in effect: at most a tenth of the smallest dimension.
sg_status sg_shape_cut_smoothing(double smoothing, double smallest, double *rho, const char **why);

// 100 eps of double-double numbers, eps = 2^-104: below this a length counts as zero.
#define SG_DD_NEPS (100.0 * 0x1p-104)

// A direction component n selects one of two ends.
static inline double sg_pick(double n, double half) { return n < 0.0 ? -half : half; }
// Sign with the dead zone of 1e4 eps.
double sg_sign_dd(sg_dd v);
sg_dd sg_across_dd(sg_dd x, sg_dd y);
// r (x, y) / |(x, y)|, zero if there is no direction.
void sg_radial_dd(double r, sg_dd x, sg_dd y, sg_dd length, sg_dd *px, sg_dd *py);

// s t t' of a tangent t with the components t1 and t2, to curvatures c.
static inline void sg_add_outer(double s, double t1, double t2, double c[3])
{
    c[0] += s * t1 * t1;
    c[1] += s * t1 * t2;
    c[2] += s * t2 * t2;
}
// See shape_form.c: what an ellipsoid keeps of its curvature on the way, and a rim of radius 1.
double sg_kept_curvature(double b, double tau);
double sg_least_of_rim(double a2, double axial, double tau);

// Length and direction of d, or `otherwise` if it has none.
sg_core_field sg_field_along(sg_vec3 d, sg_vec3 otherwise);
sg_core_field sg_field_from_segment(double half, sg_vec3 p);

// Moments about the axis and about any line across it.
static inline sg_mat3 sg_about_axis(int axis, double along, double across)
{
    return m3_diagonal(v3_with(v3_make(across, across, across), axis, along));
}
// m/k diag(y2 + z2, x2 + z2, x2 + y2), of boxes and ellipsoids with scale m/k.
static inline sg_mat3 sg_by_lengths(const double *l, double scale)
{
    double x = l[0] * l[0], y = l[1] * l[1], z = l[2] * l[2];
    return m3_diagonal(v3_scale(v3_make(y + z, x + z, x + y), scale));
}
