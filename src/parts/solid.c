// Solid: mass from a shape, from a material, or given (components3d.md 3.2, 3.4).
#include "parts/elements.h"

#include <string.h>

typedef struct shape_words {
    const char *name;
    sg_shape_kind kind;
    const char *key[3];
    double size[3]; // defaults
} shape_words;

static const shape_words shapes[] = {
    {"Sphere", SG_SHAPE_SPHERE, {"diameter"}, {1, 0, 0}},
    {"Ellipsoid", SG_SHAPE_ELLIPSOID, {"lengthX", "lengthY", "lengthZ"}, {1, 1, 1}},
    {"Box", SG_SHAPE_BOX, {"lengthX", "lengthY", "lengthZ"}, {1, 1, 1}},
    {"Cylinder", SG_SHAPE_CYLINDER, {"diameter", "length", "innerDiameter"}, {1, 1, 0}},
    {"Cone", SG_SHAPE_CONE, {"diameter", "length", "topDiameter"}, {1, 1, 0}},
    {"Capsule", SG_SHAPE_CAPSULE, {"diameter", "length"}, {1, 1, 0}},
    {"Beam", SG_SHAPE_BEAM, {"length", "width", "thickness"}, {1, 0.2, 0.1}},
};

static bool read_shape(sg_reader *r, sg_solid_size *out)
{
    const char *kind = sg_element_kind(r->part->vm, r->dict);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (strcmp(shapes[i].name, kind) != 0)
            continue;
        int axis = 3;
        *out = (sg_solid_size){.kind = shapes[i].kind};
        for (int k = 0; k < 3; k++) {
            out->size[k] = shapes[i].size[k];
            if (shapes[i].key[k])
                sg_read_number(r, shapes[i].key[k], &out->size[k]);
        }
        sg_read_count(r, "axis", &axis);
        if (axis < 1 || axis > 3)
            sg_read_fail(r, "axis", SG_E_ARGUMENT, "axis must be 1, 2 or 3");
        out->axis = axis - 1;
        return r->ok;
    }
    sg_read_fail(r, "shape", SG_E_ARGUMENT,
                 "the mass of this shape is not known; give the mass "
                 "with massProperties = MassProperties(...)");
    return false;
}

static void given_mass(sg_reader *r, sg_mass *mass)
{
    double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
    sg_read_number(r, "mass", &mass->m);
    sg_read_vec3(r, "centerOfMass", &mass->c);
    sg_read_number(r, "Ixx", &xx);
    sg_read_number(r, "Iyy", &yy);
    sg_read_number(r, "Izz", &zz);
    sg_read_number(r, "Ixy", &xy);
    sg_read_number(r, "Ixz", &xz);
    sg_read_number(r, "Iyz", &yz);
    mass->I_CM = (sg_mat3){{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
}

// Mass and inertia of the shape: of mass m, or, where m is negative, of the density.
static void shape_mass(sg_reader *r, const sg_dict *shape, double m, double density, sg_mass *mass)
{
    sg_solid_size size;
    double volume;
    const char *why;
    if (!shape) {
        sg_read_fail(r, "massProperties", SG_E_MASS,
                     "the mass is to come from the shape, but "
                     "there is none");
        return;
    }
    sg_reader inner = sg_reader_inner(r, shape);
    if (!read_shape(&inner, &size)) {
        r->ok = false;
        return;
    }
    sg_status status = sg_mass_of_solid(&size, 1.0, mass, &volume, &why);
    if (status == SG_OK)
        status = sg_mass_of_solid(&size, m >= 0.0 ? m : density * volume, mass, &volume, &why);
    if (status != SG_OK)
        sg_read_fail(r, "shape", SG_E_MASS, "%s", why);
}

static bool find_density(sg_reader *r, double *density)
{
    sg_value material;
    if (!sg_read_has(r, "solidMaterial", &material))
        return false;
    if (sg_is(material, SG_OBJ_DICT)) {
        sg_reader inner = sg_reader_inner(r, (sg_dict *)material.o);
        *density = -1.0;
        sg_read_number(&inner, "density", density);
        r->ok &= inner.ok;
        return true;
    }
    if (!sg_is(material, SG_OBJ_STRING)) {
        sg_read_fail(r, "solidMaterial", SG_E_ARGUMENT, "solidMaterial must be a name");
        return false;
    }
    const char *name = ((sg_string *)material.o)->text;
    static const struct {
        const char *name;
        double density;
    } known[] = {{"Steel", 8000.0}, {"Aluminium", 2700.0}, {"DryWood", 700.0}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0) {
            *density = known[i].density;
            return true;
        }
    if (name[0])
        sg_read_fail(r, "solidMaterial", SG_E_ARGUMENT, "there is no material '%s'", name);
    return false;
}

void sg_read_solid(sg_reader *r, sg_mass *mass)
{
    const sg_dict *shape;
    sg_value properties;
    double density = -1.0, m = -1.0;
    sg_read_inner(r, "shape", &shape);
    bool has_material = find_density(r, &density);
    if (!sg_read_has(r, "massProperties", &properties)) {
        if (has_material)
            shape_mass(r, shape, -1.0, density, mass);
        return;
    }
    if (!sg_is(properties, SG_OBJ_DICT)) {
        sg_read_number(r, "massProperties", &m);
        if (r->ok && m < 0.0)
            sg_read_fail(r, "massProperties", SG_E_MASS, "the mass must not be negative");
        else if (r->ok)
            shape_mass(r, shape, m, 0.0, mass);
        return;
    }
    sg_reader inner = sg_reader_inner(r, (sg_dict *)properties.o);
    const char *kind = sg_element_kind(r->part->vm, inner.dict);
    if (strcmp(kind, "MassProperties") == 0) {
        given_mass(&inner, mass);
    } else if (strcmp(kind, "MassPropertiesFromShapeAndMass") == 0) {
        sg_read_number(&inner, "mass", &m);
        if (inner.ok && m < 0.0)
            sg_read_fail(&inner, "mass", SG_E_MASS, "the mass must not be negative");
        else if (inner.ok)
            shape_mass(r, shape, m, 0.0, mass);
    } else if (strcmp(kind, "MassPropertiesFromShape") == 0) {
        if (!has_material)
            sg_read_fail(r, "massProperties", SG_E_MASS,
                         "MassPropertiesFromShape() needs a solidMaterial");
        else
            shape_mass(r, shape, -1.0, density, mass);
    } else {
        sg_read_fail(r, "massProperties", SG_E_ARGUMENT,
                     "massProperties must be a number or "
                     "MassProperties(...)");
    }
    r->ok &= inner.ok;
}
