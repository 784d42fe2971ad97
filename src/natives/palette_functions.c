// Palettes of the user (components3d.md 3.9): Modia3D.loadPalettes!, showPalettes, listKeys, rgb.
//
// A file that ends in .json has the published layout, one file for solids, one for pairs, one for
// looks; any other has the layout of library/palettes, where lines of all kinds may be mixed.
#include "base/assert.h"
#include "natives/natives.h"
#include "natives/part_host.h"
#include "result/json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct palette_file {
    sg_session *session;
    sg_span span;
    const char *name;
} palette_file;

static sg_status complain(const palette_file *f, const char *entry, const char *why)
{
    return sg_raise(f->session->vm, "ErrorException", SG_E_MATERIAL, f->span, "'%s', '%s': %s",
                    f->name, entry, why);
}

static void warn(const palette_file *f, const char *entry, const char *property)
{
    sg_warning(&f->session->diags, SG_E_MATERIAL, f->span,
               "'%s', '%s': the property '%s' is not known and ignored", f->name, entry, property);
}

typedef struct number_field {
    const char *name;
    double *value;
} number_field;

// Numbers and booleans of an entry; null is as if it were not there, and anything else is an error:
// a default in its place would go unseen. Properties that are neither in the table nor among
// `others` are warned about.
static sg_status read_fields(const palette_file *f, const sg_json *entry, const number_field *table,
                             size_t n, const char *const *others)
{
    for (const sg_json *m = entry->first; m; m = m->next) {
        size_t i = 0, k = 0;
        while (i < n && strcmp(table[i].name, m->key) != 0)
            i++;
        while (others[k] && strcmp(others[k], m->key) != 0)
            k++;
        if (i == n && !others[k])
            warn(f, entry->key, m->key);
        if (i == n || m->type == SG_JSON_NULL)
            continue;
        if (m->type != SG_JSON_NUMBER && m->type != SG_JSON_BOOL)
            return sg_raise(f->session->vm, "ErrorException", SG_E_MATERIAL, f->span,
                            "'%s', '%s': %s must be a number", f->name, entry->key, m->key);
        *table[i].value = m->number;
    }
    return SG_OK;
}

static sg_status put_solid(const palette_file *f, const sg_json *entry)
{
    static const char *const others[] = {NULL};
    sg_solid_material s = sg_solid_material_make(entry->key);
    const number_field table[] = {{"density", &s.density},
                                  {"YoungsModulus", &s.young},
                                  {"PoissonsRatio", &s.poisson},
                                  {"meltingPoint", &s.melts},
                                  {"specificHeatCapacity", &s.heat},
                                  {"thermalConductivity", &s.conducts},
                                  {"linearThermalExpansionCoefficient", &s.expands}};
    sg_status status = read_fields(f, entry, table, SG_COUNT(table), others);
    if (status != SG_OK)
        return status;
    const char *why = sg_solid_material_check(&s);
    if (why)
        return complain(f, entry->key, why);
    return sg_palette_put_solid(&f->session->palette, &s) ? SG_OK : SG_ERR_MEMORY;
}

static bool response_of(const char *name, sg_contact_response *out)
{
    int i = 0;
    while (sg_response_name((sg_contact_response)i) &&
           strcmp(sg_response_name((sg_contact_response)i), name) != 0)
        i++;
    *out = (sg_contact_response)i;
    return sg_response_name(*out) != NULL;
}

static const char *const response_names =
#define SG_RESPONSE(KIND, name, word, constants) ", " name
#include "shapes/responses_list.h"
#undef SG_RESPONSE
    ;

// "A,B": one comma, no blank. Anything else is reported and skipped.
static sg_status put_contact(const palette_file *f, const sg_json *entry)
{
    static const char *const others[] = {"responseType", NULL};
    const char *comma = strchr(entry->key, ',');
    if (!comma || comma == entry->key || !comma[1] || strchr(comma + 1, ',') ||
        strpbrk(entry->key, " \t")) {
        sg_warning(&f->session->diags, SG_E_MATERIAL, f->span,
                   "'%s': '%s' is not a pair of materials such as \"Steel,DryWood\"; it is skipped",
                   f->name, entry->key);
        return SG_OK;
    }
    const char *first = sg_arena_text(&f->session->arena, entry->key, (size_t)(comma - entry->key));
    if (!first)
        return SG_ERR_MEMORY;
    sg_contact_response response;
    if (!response_of(sg_json_text(entry, "responseType"), &response))
        return complain(
            f, entry->key,
            sg_arena_printf(&f->session->arena, "responseType must be %s", response_names + 2));
    bool springy = sg_response_takes(response) == SG_BY_SPRING;
    sg_contact_material c = springy ? sg_contact_material_make_spring(first, comma + 1)
                                    : sg_contact_material_make(first, comma + 1);
    c.response = response;
    double alarm = 0.0;
    const number_field table[] = {{"coefficientOfRestitution", &c.restitution},
                                  {"slidingFrictionCoefficient", &c.friction},
                                  {"staticFrictionCoefficient", &c.adhesion},
                                  {"stick", &c.sticks},
                                  {"rotationalResistanceCoefficient", &c.rolling},
                                  {"vsmall", &c.v_min},
                                  {"wsmall", &c.w_min},
                                  {"printAlarm", &alarm}};
    const number_field springs[] = {{"springConstant", &c.spring},
                                    {"damping", &c.damping},
                                    {"rotationalDamping", &c.drilling},
                                    {"slidingFrictionCoefficient", &c.friction},
                                    {"staticFrictionCoefficient", &c.adhesion},
                                    {"stick", &c.sticks},
                                    {"vsmall", &c.v_min},
                                    {"wsmall", &c.w_min}};
    sg_status status = springy ? read_fields(f, entry, springs, SG_COUNT(springs), others)
                               : read_fields(f, entry, table, SG_COUNT(table), others);
    if (status != SG_OK)
        return status;
    c.alarm = alarm != 0.0;
    const char *why = sg_contact_material_check(&c);
    if (why)
        return complain(f, entry->key, why);
    return sg_palette_put_contact(&f->session->palette, &c) ? SG_OK : SG_ERR_MEMORY;
}

static bool read_color(const sg_palette *p, const sg_json *color, sg_look *look)
{
    double alpha = 1.0;
    if (color->type == SG_JSON_STRING && sg_color_read(p, color->string, look->rgb, &alpha)) {
        look->transparency = 1.0 - alpha;
        return true;
    }
    if (color->type != SG_JSON_VECTOR || color->n != 3)
        return false;
    for (size_t i = 0; i < 3; i++)
        look->rgb[i] = (uint8_t)lrint(fmin(fmax(color->numbers[i], 0.0), 255.0));
    return true;
}

static sg_status put_look(const palette_file *f, const sg_json *entry)
{
    static const char *const others[] = {"color", "shadowMask", NULL};
    sg_look l = sg_look_make(entry->key);
    double wires = 0.0, reflects = 1.0;
    const sg_json *color = sg_json_member(entry, "color");
    if (color && !read_color(&f->session->palette, color, &l))
        return complain(f, entry->key, "its color is not one");
    const number_field table[] = {{"transparency", &l.transparency},
                                  {"shininess", &l.shininess},
                                  {"wireframe", &wires},
                                  {"reflectslight", &reflects}};
    sg_status status = read_fields(f, entry, table, SG_COUNT(table), others);
    if (status != SG_OK)
        return status;
    l.wires = wires != 0.0;
    l.reflects = reflects != 0.0;
    const char *why = sg_look_check(&l);
    if (why)
        return complain(f, entry->key, why);
    return sg_palette_put_look(&f->session->palette, &l) ? SG_OK : SG_ERR_MEMORY;
}

typedef sg_status put_entry(const palette_file *f, const sg_json *entry);

static sg_status read_json(const palette_file *f, const char *text, size_t length, put_entry *put)
{
    sg_arena scratch;
    sg_arena_init(&scratch, f->session->allocator);
    size_t at = 0;
    const char *why = NULL;
    const sg_json *root = sg_json_parse(text, length, &scratch, &at, &why);
    sg_status status = SG_OK;
    if (!root || root->type != SG_JSON_OBJECT)
        status = sg_raise(f->session->vm, "ErrorException", SG_E_MATERIAL, f->span,
                          "'%s' is not a palette: %s was expected at byte %zu", f->name,
                          why ? why : "an object {...} of materials", at);
    for (const sg_json *m = status == SG_OK ? root->first : NULL; m && status == SG_OK; m = m->next)
        status = m->type == SG_JSON_OBJECT ? put(f, m)
                                           : complain(f, m->key, "an object {...} is expected");
    sg_arena_destroy(&scratch);
    return status;
}

static sg_status load_file(sg_session *session, const sg_args *args, const char *name,
                           put_entry *put)
{
    palette_file f = {session, args->span, name};
    const char *path = sg_files_input(&session->files, name, args->span, &session->diags);
    char *text;
    size_t length;
    if (!path || sg_read_file(session->allocator, path, &text, &length) != SG_OK)
        // Without a path it was told why.
        return sg_raise(session->vm, "SystemError", path ? SG_E_IO : SG_E_FOLLOWS, args->span,
                        "cannot read the palette '%s'", name);
    size_t n = strlen(name);
    sg_status status;
    sg_palette_complaint complaint = {0};
    if (n > 5 && strcasecmp(name + n - 5, ".json") == 0) {
        status = read_json(&f, text, length, put);
    } else {
        status = sg_palette_read(&session->palette, text, length, &complaint);
        if (status == SG_ERR_INPUT)
            status = sg_raise(session->vm, "ErrorException", SG_E_MATERIAL, args->span,
                              "%s:%zu: %s", name, complaint.line, complaint.why);
    }
    session->allocator->resize(session->allocator->context, text, length + 1, 0);
    return status;
}

// loadPalettes!(; solidMaterialPalette, contactPairMaterialPalette, visualMaterialPalette, log)
static sg_status load_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    sg_session *session = context;
    static const char *const keywords[] = {"solidMaterialPalette", "contactPairMaterialPalette",
                                           "visualMaterialPalette", "log"};
    put_entry *const put[] = {put_solid, put_contact, put_look};
    *out = SG_VALUE_NOTHING;
    sg_status status = sg_args_check_count(vm, args, "loadPalettes!", 0, 0);
    if (status == SG_OK)
        status = sg_args_check_keywords(vm, args, "loadPalettes!", keywords, SG_COUNT(keywords));
    if (status == SG_OK && !sg_session_palette(session))
        status = SG_ERR_MEMORY;
    for (size_t i = 0; status == SG_OK && i < SG_COUNT(put); i++) {
        const sg_value *value = sg_args_find(vm, args, keywords[i]);
        if (!value || value->tag == SG_NOTHING)
            continue;
        if (sg_is(*value, SG_OBJ_STRING) && sg_string_is_plain((const sg_string *)value->o))
            status = load_file(session, args, ((const sg_string *)value->o)->text, put[i]);
        else
            status = sg_raise(vm, "ArgumentError", SG_E_ARGUMENT, args->span,
                              "%s must be the name of a file, without NUL", keywords[i]);
    }
    return status;
}

// ---- showing --------------------------------------------------------------------------------

static void show_source(const char *rests, sg_buf *out)
{
    if (rests)
        sg_buf_printf(out, "      source: %s\n", rests);
}

static void show_solids(const sg_palette *p, sg_buf *out)
{
    sg_buf_puts(out, "solid materials\n");
    for (size_t i = 0; i < p->solids.len; i++) {
        const sg_solid_material *s = &p->solids.data[i];
        sg_buf_printf(out, "  %-20s density %g, Young %g, Poisson %g\n", s->name, s->density,
                      s->young, s->poisson);
        show_source(s->rests, out);
    }
}

static void show_contacts(const sg_palette *p, sg_buf *out)
{
    sg_buf_puts(out, "contact pairs\n");
    for (size_t i = 0; i < p->contacts.len; i++) {
        const sg_contact_material *c = &p->contacts.data[i];
        char pair[128];
        snprintf(pair, sizeof pair, "%s, %s", c->first, c->second);
        sg_buf_printf(out, "  %-32s ", pair);
        if (sg_response_takes(c->response) == SG_BY_ELASTICITY)
            sg_buf_printf(out, "restitution %g, friction %g, rolling %g%s\n", c->restitution,
                          c->friction, c->rolling,
                          c->response == SG_CONTACT_IMPULSE ? ", by impulses" : "");
        else if (sg_response_takes(c->response) == SG_BY_SPRING)
            sg_buf_printf(out, "spring %g, damping %g, drilling %g, friction %g%s%s\n", c->spring,
                          c->damping, c->drilling, c->friction,
                          c->response == SG_CONTACT_LINEAR ? "" : ", ",
                          c->response == SG_CONTACT_LINEAR ? "" : sg_response_word(c->response));
        else
            sg_buf_puts(out, c->response == SG_CONTACT_WATCH ? "watched\n" : "without force\n");
        show_source(c->rests, out);
    }
}

static void show_looks(const sg_palette *p, sg_buf *out)
{
    sg_buf_puts(out, "looks\n");
    for (size_t i = 0; i < p->looks.len; i++) {
        const sg_look *l = &p->looks.data[i];
        sg_buf_printf(out, "  %-20s #%02X%02X%02X, transparency %g, shininess %g\n", l->name,
                      l->rgb[0], l->rgb[1], l->rgb[2], l->transparency, l->shininess);
    }
}

static sg_status show_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    sg_session *session = context;
    *out = SG_VALUE_NOTHING;
    sg_status status = sg_args_check_count(vm, args, "showPalettes", 0, 0);
    const sg_palette *p = status == SG_OK ? sg_session_palette(session) : NULL;
    if (!p)
        return status == SG_OK ? SG_ERR_MEMORY : status;
    sg_buf text;
    sg_buf_init(&text, session->allocator);
    show_solids(p, &text);
    show_contacts(p, &text);
    show_looks(p, &text);
    sg_vm_write(vm, sg_buf_text(&text), text.len);
    sg_buf_free(&text);
    return SG_OK;
}

// rgb(name): [red, green, blue], 0 to 255
static sg_status rgb_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    const sg_palette *p = sg_session_palette(context);
    const char *name = sg_text_argument(args, 0);
    uint8_t rgb[3];
    double alpha;
    if (!p)
        return SG_ERR_MEMORY;
    if (!name)
        return sg_raise(vm, "ArgumentError", SG_E_MATERIAL, args->span,
                        "rgb takes the name of a color, such as \"Red\" or \"#ff8800\"");
    if (!sg_color_read(p, name, rgb, &alpha))
        return sg_raise(vm, "ArgumentError", SG_E_MATERIAL, args->span, "there is no color '%s'",
                        name);
    sg_array *a = sg_vector_make(vm, SG_ELEM_INT, 3);
    for (size_t i = 0; a && i < 3; i++)
        a->n[i] = rgb[i];
    *out = sg_object(a);
    return a ? SG_OK : SG_ERR_MEMORY;
}

bool sg_session_register_palettes(sg_session *session)
{
    sg_module *modia3d = sg_vm_module(session->vm, "Modia3D");
    return sg_vm_offer(session->vm, modia3d, "loadPalettes!", load_native, session, NULL) &&
           sg_vm_offer(session->vm, modia3d, "showPalettes", show_native, session, NULL) &&
           sg_vm_offer(session->vm, modia3d, "rgb", rgb_native, session, NULL);
}
