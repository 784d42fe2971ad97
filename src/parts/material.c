// Materials of a Solid and how things look (components3d.md 3.3, 3.10).
#include "parts/host.h"
#include "parts/part.h"
#include "parts/solid.h"

#include <math.h>
#include <string.h>

enum { MAX_LISTED = 12 };

static const sg_palette *palette_of(sg_keywords *r)
{
    const sg_part_host *host = r->part->records.host;
    const sg_palette *palette = host->palette(host->context);
    r->ok &= palette != NULL;
    return palette;
}

static void no_such_solid(sg_keywords *r, const char *key, const sg_palette *p, const char *name)
{
    const char *meant = sg_palette_suggest(p, SG_PALETTE_SOLIDS, name);
    sg_buf known;
    sg_buf_init(&known, r->part->allocator);
    for (size_t i = 0; i < p->solids.len && i < MAX_LISTED; i++)
        sg_buf_printf(&known, "%s%s", i ? ", " : "", p->solids.data[i].name);
    sg_read_fail(r, key, SG_E_MATERIAL, "there is no solid material '%s'%s%s%s known are %s", name,
                 meant ? ", did you mean '" : "", meant ? meant : "", meant ? "'?" : ";",
                 sg_buf_text(&known));
    sg_buf_free(&known);
}

void sg_check_contact_material(sg_keywords *r, const char *key, const char *name)
{
    const sg_palette *p = palette_of(r);
    if (!p || sg_palette_solid(p, name))
        return;
    for (size_t i = 0; i < p->contacts.len; i++)
        if (strcmp(p->contacts.data[i].first, name) == 0 ||
            strcmp(p->contacts.data[i].second, name) == 0)
            return;
    no_such_solid(r, key, p, name);
}

static void read_numbers(sg_keywords *r, sg_solid_material *m)
{
    sg_read_number(r, "density", &m->density);
    sg_read_number(r, "YoungsModulus", &m->young);
    sg_read_number(r, "PoissonsRatio", &m->poisson);
    sg_read_number(r, "meltingPoint", &m->melts);
    sg_read_number(r, "specificHeatCapacity", &m->heat);
    sg_read_number(r, "thermalConductivity", &m->conducts);
    sg_read_number(r, "linearThermalExpansionCoefficient", &m->expands);
    const char *why = sg_solid_material_check(m);
    if (r->ok && why)
        sg_read_fail(r, "density", SG_E_MATERIAL, "%s", why);
}

bool sg_read_solid_material(sg_keywords *r, const char *key, sg_value value, const char **name,
                            sg_solid_material *out)
{
    *name = "";
    *out = sg_solid_material_make("");
    if (sg_is(value, SG_OBJ_DICT)) {
        sg_keywords inner = sg_reader_inner(r, (const sg_dict *)value.o);
        bool right = strcmp(sg_element_kind(r->part->vm, inner.dict), "SolidMaterial") == 0;
        if (right)
            read_numbers(&inner, out);
        else
            sg_read_fail(r, key, SG_E_MATERIAL, "%s must be a name or SolidMaterial(...)", key);
        r->ok &= inner.ok;
        return r->ok;
    }
    if (!sg_is(value, SG_OBJ_STRING)) {
        sg_read_fail(r, key, SG_E_MATERIAL, "%s must be a name or SolidMaterial(...)", key);
        return false;
    }
    *name = ((const sg_string *)value.o)->text;
    const sg_palette *p = **name ? palette_of(r) : NULL;
    if (!p)
        return false;
    const sg_solid_material *found = sg_palette_solid(p, *name);
    if (found)
        *out = *found;
    else
        no_such_solid(r, key, p, *name);
    return found != NULL;
}

// A name or [r, g, b]. A color that is not known is blue, with a warning, as published.
static void read_color(sg_keywords *r, sg_look *look)
{
    sg_value value;
    sg_vec3 rgb;
    double alpha = 1.0;
    if (!sg_read_has(r, "color", &value))
        return;
    if (sg_value_vec3(value, &rgb)) {
        for (int i = 0; i < 3; i++)
            look->rgb[i] = (uint8_t)lrint(fmin(fmax(v3_get(rgb, i), 0.0), 255.0));
        return;
    }
    const sg_palette *p = palette_of(r);
    if (!sg_is(value, SG_OBJ_STRING))
        sg_read_fail(r, "color", SG_E_MATERIAL, "color must be a name or [red, green, blue]");
    else if (p && !sg_color_read(p, ((const sg_string *)value.o)->text, look->rgb, &alpha))
        sg_warning(r->part->vm->diags, SG_E_MATERIAL, sg_read_span(r, "color"),
                   "there is no color '%s'; blue is used", ((const sg_string *)value.o)->text);
    look->transparency = 1.0 - alpha;
}

// Modia3D.NoShadows and its siblings count from 0, as the bits of a look do.
static void read_shadows(sg_keywords *r, sg_look *look)
{
    sg_value value;
    if (!sg_read_has(r, "shadowMask", &value))
        return;
    if ((value.tag == SG_ENUM || value.tag == SG_INT) && value.i >= 0 && value.i <= 3)
        look->shadows = (int)value.i;
    else
        sg_read_fail(r, "shadowMask", SG_E_MATERIAL,
                     "shadowMask must be Modia3D.NoShadows, CastsShadows, ReceivesShadows or "
                     "CastsAndReceivesShadows");
}

void sg_read_look_value(sg_keywords *r, sg_look *look)
{
    read_color(r, look);
    read_shadows(r, look);
    sg_read_number(r, "transparency", &look->transparency);
    sg_read_number(r, "shininess", &look->shininess);
    sg_read_flag(r, "wireframe", &look->wires);
    sg_read_flag(r, "reflectslight", &look->reflects);
    const char *why = sg_look_check(look);
    if (r->ok && why)
        sg_read_fail(r, "transparency", SG_E_MATERIAL, "%s", why);
}

void sg_read_look(sg_keywords *r, const char *key, sg_look *out, bool *visible)
{
    sg_value value;
    *out = sg_look_make("");
    *visible = true;
    if (!sg_read_has(r, key, &value)) {
        *visible = !sg_read_given(r, key);
        return;
    }
    if (sg_is(value, SG_OBJ_DICT) &&
        strcmp(sg_element_kind(r->part->vm, (const sg_dict *)value.o), "VisualMaterial") == 0) {
        sg_keywords inner = sg_reader_inner(r, (const sg_dict *)value.o);
        sg_read_look_value(&inner, out);
        r->ok &= inner.ok;
        return;
    }
    const char *name = sg_is(value, SG_OBJ_STRING) ? ((const sg_string *)value.o)->text : NULL;
    if (!name) {
        sg_read_fail(r, key, SG_E_MATERIAL, "%s must be a name or VisualMaterial(...)", key);
        return;
    }
    const sg_palette *p = *name ? palette_of(r) : NULL;
    const sg_look *found = p ? sg_palette_look(p, name) : NULL;
    const char *meant = p && !found ? sg_palette_suggest(p, SG_PALETTE_LOOKS, name) : NULL;
    if (found)
        *out = *found;
    else if (p)
        sg_read_fail(r, key, SG_E_MATERIAL, "there is no visual material '%s'%s%s%s", name,
                     meant ? ", did you mean '" : "", meant ? meant : "", meant ? "'?" : "");
}
