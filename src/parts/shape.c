#include "parts/shape.h"

#include "base/assert.h"
#include "parts/host.h"
#include "parts/part.h"
#include "parts/solid.h"

#include <math.h>
#include <string.h>

// By kind.
static const char *const solids[] = {
#define SG_SHAPE(NAME, name, Constructor, keywords) #Constructor,
#include "segue/shape_list.h"
};

static const char *const visuals[] = {"CoordinateSystem", "Grid",      "SpringShape",
                                      "GearWheel",        "TextShape", "ModelicaShape"};

static double read_size(sg_keywords *r, const char *key, double standard)
{
    double x = standard;
    sg_read_number(r, key, &x);
    if (r->ok && (x < 0.0 || isinf(x)))
        sg_read_fail(r, key, SG_E_SHAPE3D, "%s must be finite and not negative", key);
    return x;
}

static void read_axis_number(sg_keywords *r, int *axis)
{
    int given = 3;
    sg_read_count(r, "axis", &given);
    if (r->ok && (given < 1 || given > 3))
        sg_read_fail(r, "axis", SG_E_SHAPE3D, "axis must be 1, 2 or 3");
    *axis = given - 1;
}

static void read_solid(sg_keywords *r, sg_shape_kind kind, sg_part_shape *shape)
{
    const sg_shape_form *form = sg_shape_forms[kind];
    double *s = shape->size.size;
    shape->solid = true;
    shape->form = kind;
    shape->size = (sg_solid_size){.kind = kind};
    for (int k = 0; k < SG_SHAPE_SIZES && form->key[k]; k++)
        s[k] = read_size(r, form->key[k], form->standard[k]);
    read_axis_number(r, &shape->size.axis);
    if (r->ok && form->inner && !(s[form->inner] < s[0] || s[form->inner] == 0.0))
        sg_read_fail(r, form->key[form->inner], SG_E_SHAPE3D, "%s must be less than %s",
                     form->key[form->inner], form->key[0]);
    if (form->really)
        shape->form = shape->size.kind = form->really(s);
}

static void read_mesh(sg_keywords *r, bool only_seen, sg_part_shape *shape)
{
    const char *name = "";
    sg_vec3 scale = {1.0, 1.0, 1.0};
    bool partition = false, unused = false;
    shape->solid = true;
    shape->form = SG_SHAPE_MESH;
    sg_read_flag(r, "useMaterialColor", &unused);
    sg_read_flag(r, "doubleSided", &unused);
    sg_read_flag(r, "smoothNormals", &unused);
    sg_read_string(r, "filename", &name);
    sg_read_vec3(r, "scale", &scale);
    sg_read_flag(r, "convexPartition", &partition);
    if (r->ok && !name[0])
        sg_read_fail(r, "filename", SG_E_MESH, "filename is missing");
    if (r->ok && !(fabs(scale.x) > 0.0 && fabs(scale.y) > 0.0 && fabs(scale.z) > 0.0))
        sg_read_fail(r, "scale", SG_E_SHAPE3D, "scale must not be zero");
    if (!r->ok)
        return;
    shape->file = sg_part_locate_mesh(r, name);
    if (only_seen || !shape->file)
        return;
    shape->mesh = sg_part_load_mesh(r, name, shape->file, scale);
    if (shape->mesh && partition)
        sg_part_load_pieces(r, name, scale, &shape->pieces, &shape->n_pieces);
}

// One of the values of an enumeration that starts at `first`; they may be given as numbers.
static void check_choice(sg_keywords *r, const char *key, int first, int last, const char *names)
{
    sg_value value;
    if (sg_read_has(r, key, &value) &&
        ((value.tag != SG_ENUM && value.tag != SG_INT) || value.i < first || value.i > last))
        sg_read_fail(r, key, SG_E_SHAPE3D, "%s must be one of %s", key, names);
}

static void read_text_style(sg_keywords *r)
{
    static const char *const families[] = {"FreeSans",   "FreeSerif",     "Arial",  "ArialNarrow",
                                           "CourierNew", "TimesNewRoman", "Verdana"};
    const sg_dict *font;
    const char *family = families[0];
    bool known = false, unused = false;
    sg_vec3 offset;
    sg_look look = sg_look_make("");
    sg_read_vec3(r, "offset", &offset);
    check_choice(r, "axisAlignment", 0, 3,
                 "Modia3D.Screen, Modia3D.XY_Plane, Modia3D.XZ_Plane, Modia3D.YZ_Plane");
    check_choice(r, "alignment", 1, 3, "Modia3D.Left, Modia3D.Right, Modia3D.Center");
    sg_read_inner(r, "font", "Font(bold = true)", &font);
    if (!font)
        return;
    if (strcmp(sg_element_kind(r->part->vm, font), "Font") != 0) {
        sg_read_fail(r, "font", SG_E_SHAPE3D, "font must be made by Font(...)");
        return;
    }
    sg_keywords inner = sg_reader_inner(r, font);
    sg_read_look_value(&inner, &look); // its color and transparency
    sg_read_flag(&inner, "bold", &unused);
    sg_read_flag(&inner, "italic", &unused);
    read_size(&inner, "charSize", 0.1);
    sg_read_string(&inner, "fontFamily", &family);
    for (size_t i = 0; i < SG_COUNT(families); i++)
        known |= strcmp(families[i], family) == 0;
    if (inner.ok && !known)
        sg_read_fail(&inner, "fontFamily", SG_E_SHAPE3D,
                     "fontFamily must be FreeSans, FreeSerif, Arial, ArialNarrow, CourierNew, "
                     "TimesNewRoman or Verdana");
    r->ok &= inner.ok;
}

// What is only seen is checked for what would make no picture.
static void read_visual(sg_keywords *r, const char *kind)
{
    double length = read_size(r, "length", 1.0), diameter = read_size(r, "diameter", 1.0);
    static const char *const sizes[] = {"lineWidth", "windings", "teeth",
                                        "lengthX",   "lengthY",  "lengthZ"};
    double angle = 0.0;
    sg_vec3 extra;
    int axis;
    for (size_t i = 0; i < SG_COUNT(sizes); i++)
        read_size(r, sizes[i], 1.0);
    sg_read_number(r, "angle", &angle);
    sg_read_vec3(r, "extra", &extra);
    read_axis_number(r, &axis);
    if (strcmp(kind, "Grid") == 0) {
        double width = read_size(r, "width", 0.6), distance = read_size(r, "distance", 0.1);
        if (r->ok && !(distance > 0.0 && distance <= fmin(length, width)))
            sg_read_fail(r, "distance", SG_E_SHAPE3D,
                         "distance must be positive and not more than length and width");
    } else if (strcmp(kind, "SpringShape") == 0) {
        double wire = read_size(r, "wireDiameter", 0.05);
        if (r->ok && !(wire > 0.0 && wire < fmin(diameter, length)))
            sg_read_fail(r, "wireDiameter", SG_E_SHAPE3D,
                         "wireDiameter must be positive and less than diameter and length");
    } else if (strcmp(kind, "GearWheel") == 0) {
        double inner = read_size(r, "innerDiameter", 0.0), root = read_size(r, "rootDiameter", 0.9);
        if (r->ok && !(inner < root && root < diameter))
            sg_read_fail(r, "rootDiameter", SG_E_SHAPE3D,
                         "rootDiameter must lie between innerDiameter and diameter");
    } else if (strcmp(kind, "ModelicaShape") == 0) {
        int type = 1;
        sg_read_count(r, "type", &type);
        if (r->ok && (type < 1 || type > 11))
            sg_read_fail(r, "type", SG_E_SHAPE3D, "type must be 1 to 11");
    } else if (strcmp(kind, "TextShape") == 0) {
        const char *text = "";
        sg_read_string(r, "text", &text);
        if (r->ok && !text[0])
            sg_read_fail(r, "text", SG_E_SHAPE3D, "text is missing");
        read_text_style(r);
    }
}

const sg_part_shape *sg_read_shape(sg_keywords *r, bool only_seen)
{
    sg_part_shape *shape = SG_NEW(&r->part->records.arena, sg_part_shape);
    if (!shape) {
        r->ok = false;
        return NULL;
    }
    shape->kind = sg_element_kind(r->part->vm, r->dict);
    shape->dict = r->dict;
    bool known = false;
    for (size_t i = 0; i < SG_COUNT(solids) && !known; i++)
        if (sg_shape_forms[i]->key[0] && strcmp(solids[i], shape->kind) == 0) {
            read_solid(r, (sg_shape_kind)i, shape);
            known = true;
        }
    for (size_t i = 0; i < SG_COUNT(visuals) && !known; i++)
        if (strcmp(visuals[i], shape->kind) == 0) {
            read_visual(r, shape->kind);
            known = true;
        }
    if (!known && strcmp(shape->kind, "FileMesh") == 0)
        read_mesh(r, only_seen, shape);
    else if (!known)
        sg_read_fail(r, "shape", SG_E_SHAPE3D, "'%s' is not a shape", shape->kind);
    return r->ok ? shape : NULL;
}

bool sg_part_add_pieces(sg_keywords *r, const sg_part_shape *shape, double density, sg_mass *mass)
{
    r->part->records.mattered.partition_mass |= shape->n_pieces > 0;
    if (!r->part->records.compat.partition_mass)
        return true;
    sg_keywords inner = sg_reader_inner(r, shape->dict);
    sg_inertia sum = inertia_make(mass->m, mass->c, mass->I_CM);
    for (size_t i = 0; i < shape->n_pieces; i++) {
        sg_mass piece;
        if (!sg_part_mesh_mass(&inner, shape->pieces[i], (double)NAN, density, &piece)) {
            r->ok = false;
            return false;
        }
        sum = inertia_add(sum, inertia_make(piece.m, piece.c, piece.I_CM));
    }
    if (sum.m == 0.0)
        return true;
    sg_vec3 c = v3_scale(sum.mc, 1.0 / sum.m);
    sg_inertia steiner = inertia_make(sum.m, c, m3_scale(M3_IDENTITY, 0.0));
    *mass = (sg_mass){sum.m, c, m3_sub(sum.I, steiner.I)};
    return true;
}

bool sg_part_shape_mass(sg_keywords *r, const sg_part_shape *shape, double m, double density,
                        sg_mass *out)
{
    const char *why;
    double volume;
    sg_keywords inner = sg_reader_inner(r, shape->dict);
    bool ok = false;
    if (!shape->solid) {
        sg_read_fail(&inner, "shape", SG_E_SHAPE3D, "this shape has no mass; it is only seen");
    } else if (shape->mesh) {
        ok = sg_part_mesh_mass(&inner, shape->mesh, m, density, out);
    } else {
        // Once for the volume, once for the mass.
        sg_status status = sg_mass_of_solid(&shape->size, 1.0, out, &volume, &why);
        if (status == SG_OK)
            status =
                sg_mass_of_solid(&shape->size, isnan(m) ? density * volume : m, out, &volume, &why);
        ok = status == SG_OK;
        if (!ok)
            sg_read_fail(&inner, "shape", SG_E_MASS, "%s", why);
    }
    r->ok &= ok;
    return ok;
}

bool sg_part_convex(sg_keywords *r, const sg_part_shape *shape, double smoothing, sg_shape *out)
{
    const char *why = "what is only seen does not collide";
    sg_status status = SG_ERR_INPUT;
    sg_keywords inner = sg_reader_inner(r, shape->dict);
    if (shape->mesh) {
        const sg_mesh *hull = sg_part_mesh_hull(&inner, shape->mesh);
        r->ok &= inner.ok;
        if (!hull)
            return false;
        status = sg_shape_mesh(hull, out, &why);
    } else if (shape->solid) {
        status = sg_shape_forms[shape->form]->make(&shape->size, smoothing, out, &why);
    }
    if (status != SG_OK)
        sg_read_fail(&inner, "shape", SG_E_SHAPE3D, "%s", why);
    r->ok &= inner.ok;
    return status == SG_OK;
}

int sg_part_convex_pieces(sg_keywords *r, const sg_part_shape *shape, sg_shape *out)
{
    sg_keywords inner = sg_reader_inner(r, shape->dict);
    for (size_t i = 0; i < shape->n_pieces && inner.ok; i++) {
        const char *why = "";
        const sg_mesh *hull = sg_part_mesh_hull(&inner, shape->pieces[i]);
        if (hull && sg_shape_mesh(hull, &out[i], &why) != SG_OK)
            sg_read_fail(&inner, "shape", SG_E_SHAPE3D, "%s", why);
    }
    r->ok &= inner.ok;
    return inner.ok ? (int)shape->n_pieces : 0;
}
