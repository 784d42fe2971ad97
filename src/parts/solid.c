// Solid: mass from a shape, from a material, or given (components3d.md 3.2, 3.4).
#include "parts/solid.h"

#include "parts/mesh.h"
#include "parts/part.h"

#include <math.h>
#include <string.h>

static void given_mass(sg_keywords *r, sg_mass *mass)
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

// m is NaN where the density decides.
static void shape_mass(sg_keywords *r, const sg_part_solid *solid, double m, sg_mass *mass)
{
    if (!solid->shape)
        sg_read_fail(r, "massProperties", SG_E_MASS,
                     "the mass is to come from the shape, but there is none");
    else if (isnan(m) && isnan(solid->substance.density))
        sg_read_fail(r, "solidMaterial", SG_E_MASS,
                     "the mass is to come from shape and material, but the density is not known");
    else if (!isnan(m) && !(m >= 0.0 && isfinite(m)))
        sg_read_fail(r, "massProperties", SG_E_MASS, "the mass must be at least 0 and finite");
    else
        sg_part_shape_mass(r, solid->shape, m, solid->substance.density, mass);
}

// A constructor, a number, or a material.
static void read_mass(sg_keywords *r, sg_part_solid *solid, bool has_material, sg_value properties,
                      sg_mass *mass)
{
    double m = (double)NAN;
    if (sg_is(properties, SG_OBJ_DICT)) {
        sg_keywords inner = sg_reader_inner(r, (const sg_dict *)properties.o);
        const char *kind = sg_element_kind(r->part->vm, inner.dict);
        if (strcmp(kind, "MassProperties") == 0) {
            given_mass(&inner, mass);
            r->ok &= inner.ok;
            return;
        }
        if (strcmp(kind, "MassPropertiesFromShapeAndMass") == 0) {
            sg_read_number(&inner, "mass", &m);
            r->ok &= inner.ok;
            if (r->ok)
                shape_mass(r, solid, m, mass);
            return;
        }
        if (strcmp(kind, "MassPropertiesFromShape") == 0) {
            if (has_material)
                shape_mass(r, solid, m, mass);
            else
                sg_read_fail(r, "massProperties", SG_E_MASS,
                             "MassPropertiesFromShape() needs a solidMaterial");
            return;
        }
    } else if (sg_value_number(properties, &m)) {
        shape_mass(r, solid, m, mass);
        return;
    }
    const char *name;
    if (sg_read_solid_material(r, "massProperties", properties, &name, &solid->substance))
        shape_mass(r, solid, (double)NAN, mass);
    else if (r->ok)
        sg_read_fail(r, "massProperties", SG_E_MASS,
                     "massProperties must be a number, a material or MassProperties(...)");
}

// The parts that a tube collides by (collide/tube.h): all but the pieces are the cylinder itself.
static void read_tube(sg_keywords *r, sg_part_solid *solid)
{
    sg_shape outer = {0};
    if (!sg_part_convex(r, solid->shape, solid->smoothing, &outer))
        return;
    outer.bore = 0.5 * solid->shape->size.size[2];
    int n = 2 + sg_tube_pieces(&outer);
    sg_shape *convex = SG_NEW_ARRAY(&r->part->records.arena, sg_shape, n);
    sg_keywords inner = sg_reader_inner(r, solid->shape->dict);
    const char *why = "";
    for (int i = 0; convex && i < n && inner.ok; i++) {
        const sg_mesh *piece = i < 2 ? NULL : sg_part_tube_piece(&inner, &outer, i - 2);
        convex[i] = outer;
        if (piece && sg_shape_mesh(piece, &convex[i], &why) != SG_OK)
            sg_read_fail(&inner, "innerDiameter", SG_E_SHAPE3D, "%s", why);
        convex[i].bore = outer.bore;
    }
    r->ok &= inner.ok && convex;
    solid->convex = convex;
    solid->n_convex = r->ok ? n : 0;
    solid->is_tube = true;
}

// Flat sides meet others as they look, without rounded edges.
static void read_sharp(sg_keywords *r, sg_part_solid *solid)
{
    solid->sharp = solid->convex;
    if (solid->n_convex != 1 || solid->convex->smoothing == 0.0)
        return;
    sg_shape *sharp = SG_NEW(&r->part->records.arena, sg_shape);
    if (!sharp || !sg_part_convex(r, solid->shape, 0.0, sharp))
        r->ok = false;
    solid->sharp = sharp;
}

// What collides is convex: a mesh by its parts where it has some, else by its hull.
static void read_convex(sg_keywords *r, sg_part_solid *solid)
{
    const sg_part_shape *shape = solid->shape;
    if (sg_part_is_hollow(shape) && !r->part->records.compat.solid_tubes) {
        read_tube(r, solid);
        return;
    }
    sg_shape *convex = SG_NEW_ARRAY(&r->part->records.arena, sg_shape, solid->shape->n_pieces + 1);
    if (!convex) {
        r->ok = false;
        return;
    }
    solid->convex = convex;
    int n = sg_part_convex_pieces(r, solid->shape, convex);
    if (n == 0 && r->ok)
        n = sg_part_convex(r, solid->shape, solid->smoothing, convex);
    if (r->ok && shape->mesh && shape->n_pieces == 0 && !r->part->records.compat.solid_tubes) {
        sg_keywords inner = sg_reader_inner(r, shape->dict);
        sg_part_warn_of_concave(&inner, shape->mesh);
    }
    solid->n_convex = r->ok ? n : 0;
    read_sharp(r, solid);
    double smallest = solid->n_convex ? convex[0].smallest : (double)INFINITY;
    if (solid->n_convex == 1 && 2.0 * solid->smoothing > smallest &&
        sg_read_given(r, "collisionSmoothingRadius"))
        sg_warning(r->part->vm->diags, SG_E_SHAPE3D, sg_read_span(r, "collisionSmoothingRadius"),
                   "%s: the collisionSmoothingRadius %.3g m is larger than the shape; edges are "
                   "rounded by %.3g m, a tenth of its smallest length",
                   r->what, solid->smoothing, 0.1 * smallest);
}

// Bits of a number; 1 where nothing is said.
static uint32_t read_bits(sg_keywords *r, const char *key)
{
    double x = 1.0;
    sg_read_number(r, key, &x);
    if (r->ok && !(x >= 0.0 && x <= 4294967295.0 && x == floor(x)))
        sg_read_fail(r, key, SG_E_ARGUMENT, "%s is a whole number from 0 to 4294967295", key);
    return r->ok ? (uint32_t)x : 1;
}

static void read_contact(sg_keywords *r, sg_part_solid *solid)
{
    bool collision = false;
    sg_read_flag(r, "collision", &collision);
    sg_read_flag(r, "collidable", &collision);
    sg_read_string(r, "contactMaterial", &solid->contact_material);
    sg_read_number(r, "collisionSmoothingRadius", &solid->smoothing);
    sg_read_number(r, "contactSphereRadius", &solid->contact_radius);
    solid->groups = read_bits(r, "collisionGroups");
    solid->partners = read_bits(r, "collidesWith");
    collision &= solid->groups || solid->partners;
    if (!solid->contact_material[0])
        solid->contact_material = solid->material;
    if (r->ok && solid->smoothing < 0.0)
        sg_read_fail(r, "collisionSmoothingRadius", SG_E_ARGUMENT,
                     "collisionSmoothingRadius must not be negative");
    if (r->ok && collision && !solid->shape)
        sg_read_fail(r, "collision", SG_E_SHAPE3D, "collision = true needs a shape");
    else if (r->ok && collision && !solid->contact_material[0])
        sg_read_fail(r, "collision", SG_E_MATERIAL,
                     "collision = true needs a contactMaterial, or a solidMaterial with a name");
    if (r->ok && collision)
        sg_check_contact_material(r, "contactMaterial", solid->contact_material);
    if (!collision)
        solid->contact_material = "";
    solid->contact_radius = fmax(solid->contact_radius, 0.0);
    if (r->ok && collision)
        read_convex(r, solid);
}

static sg_part_solid *begin(sg_keywords *r, bool only_seen)
{
    sg_part_solid *solid = SG_NEW(&r->part->records.arena, sg_part_solid);
    if (!solid) {
        r->ok = false;
        return NULL;
    }
    const sg_dict *shape;
    *solid = (sg_part_solid){.material = "",
                             .contact_material = "",
                             .smoothing = 0.001,
                             .substance = sg_solid_material_make("")};
    sg_read_inner(r, "shape", "Box(lengthX = 1.0)", &shape);
    if (shape) {
        sg_keywords inner = sg_reader_inner(r, shape);
        solid->shape = sg_read_shape(&inner, only_seen);
        r->ok &= inner.ok;
    }
    solid->plain = !sg_read_given(r, "visualMaterial");
    sg_read_look(r, "visualMaterial", &solid->look, &solid->visible);
    return solid;
}

const sg_part_solid *sg_read_solid(sg_keywords *r, sg_mass *mass)
{
    sg_value value;
    sg_part_solid *solid = begin(r, false);
    if (!solid)
        return NULL;
    solid->is_solid = true;
    if (r->ok && solid->shape && !solid->shape->solid) {
        sg_keywords inner = sg_reader_inner(r, solid->shape->dict);
        sg_read_fail(&inner, "shape", SG_E_SHAPE3D, "this shape is only seen; use Visual(...)");
        r->ok = false;
    }
    if (!solid->visible)
        sg_warning(r->part->vm->diags, SG_E_MATERIAL, sg_read_span(r, "visualMaterial"),
                   "%s: visualMaterial is nothing; it is not seen", r->what);
    bool has_material =
        sg_read_has(r, "solidMaterial", &value) &&
        sg_read_solid_material(r, "solidMaterial", value, &solid->material, &solid->substance);
    double density = solid->substance.density;
    solid->mass_span = sg_read_span(r, "massProperties");
    if (r->ok && sg_read_has(r, "massProperties", &value))
        read_mass(r, solid, has_material, value, mass);
    else if (r->ok && has_material)
        shape_mass(r, solid, (double)NAN, mass);
    if (r->ok && has_material && solid->shape && !isnan(density))
        sg_part_add_pieces(r, solid->shape, density, mass);
    read_contact(r, solid);
    return solid;
}

const sg_part_solid *sg_read_visual(sg_keywords *r)
{
    sg_part_solid *solid = begin(r, true);
    if (solid && !solid->visible)
        sg_read_fail(r, "visualMaterial", SG_E_MATERIAL,
                     "visualMaterial must be a name or VisualMaterial(...); leave it out for the "
                     "default");
    return solid;
}
