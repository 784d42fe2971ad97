#include "shapes/palette.h"

#include "base/diags.h"
#include "base/digits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_WORDS = 64, MAX_WORD = 64, MAX_NAMES = 512 };

void sg_palette_init(sg_palette *p, const sg_allocator *allocator)
{
    *p = (sg_palette){.allocator = allocator};
    sg_arena_init(&p->arena, allocator);
}

void sg_palette_destroy(sg_palette *p)
{
    SG_VEC_FREE(p->allocator, &p->solids);
    SG_VEC_FREE(p->allocator, &p->contacts);
    SG_VEC_FREE(p->allocator, &p->looks);
    SG_VEC_FREE(p->allocator, &p->colors);
    sg_arena_destroy(&p->arena);
}

// ---- entries --------------------------------------------------------------------------------

sg_solid_material sg_solid_material_make(const char *name)
{
    double unknown = (double)NAN;
    return (sg_solid_material){.name = name,
                               .density = unknown,
                               .young = unknown,
                               .poisson = unknown,
                               .melts = unknown,
                               .heat = unknown,
                               .conducts = unknown,
                               .expands = unknown};
}

sg_contact_material sg_contact_material_make(const char *first, const char *second)
{
    return (sg_contact_material){.first = first,
                                 .second = second,
                                 .adhesion = (double)NAN,
                                 .sticks = (double)NAN,
                                 .v_min = 0.01,
                                 .w_min = 0.01};
}

static const struct {
    const char *name, *word;
    sg_response_constants takes;
} responses[SG_CONTACT_N_RESPONSES] = {
#define SG_RESPONSE(KIND, name, word, constants) {name, word, constants},
#include "shapes/responses_list.h"
#undef SG_RESPONSE
    {NULL, "written", SG_BY_NOTHING},
};

sg_response_constants sg_response_takes(sg_contact_response r) { return responses[r].takes; }
const char *sg_response_name(sg_contact_response r) { return responses[r].name; }
const char *sg_response_word(sg_contact_response r) { return responses[r].word; }

sg_contact_material sg_contact_material_make_spring(const char *first, const char *second)
{
    return (sg_contact_material){.first = first,
                                 .second = second,
                                 .response = SG_CONTACT_LINEAR,
                                 .adhesion = (double)NAN,
                                 .sticks = (double)NAN,
                                 .v_min = 0.001,
                                 .w_min = 0.001,
                                 .spring = 1e7};
}

sg_look sg_look_make(const char *name)
{
    return (sg_look){
        .name = name, .rgb = {0, 0, 255}, .shininess = 0.7, .reflects = true, .shadows = 3};
}

const char *sg_solid_material_check(const sg_solid_material *s)
{
    if (s->density < 0.0 || isinf(s->density))
        return "a density must be finite and not negative";
    if (s->young < 0.0 || isinf(s->young))
        return "a modulus of elasticity must be finite and not negative";
    if (s->poisson < -1.0 || s->poisson > 0.5)
        return "Poisson's ratio lies between -1 and 0.5";
    return NULL;
}

const char *sg_contact_material_check(const sg_contact_material *c)
{
    if (!(c->restitution >= 0.0 && c->restitution <= 1.0))
        return "a restitution lies between 0 and 1";
    if (!(c->friction >= 0.0) || !(c->rolling >= 0.0) || isinf(c->friction) || isinf(c->rolling))
        return "friction and resistance must be finite and not negative";
    if (!isnan(c->adhesion) && (!(c->adhesion >= c->friction) || isinf(c->adhesion)))
        return "static friction must be finite and not less than sliding friction";
    if (!(c->v_min > 0.0) || !(c->w_min > 0.0))
        return "the speeds of regularization must be positive";
    if (sg_response_takes(c->response) != SG_BY_SPRING)
        return NULL;
    if (!(c->spring > 0.0) || isinf(c->spring))
        return "a spring constant must be finite and positive";
    if (!(c->damping >= 0.0) || !(c->drilling >= 0.0) || isinf(c->damping) || isinf(c->drilling))
        return "damping must be finite and not negative";
    return NULL;
}

const char *sg_look_check(const sg_look *l)
{
    if (!(l->transparency >= 0.0 && l->transparency <= 1.0))
        return "a transparency lies between 0 and 1";
    if (!(l->shininess >= 0.0 && l->shininess <= 1.0))
        return "a shininess lies between 0 and 1";
    if (l->shadows < 0 || l->shadows > 3)
        return "shadows are 0, 1, 2 or 3";
    return NULL;
}

static const char *keep(sg_palette *p, const char *text)
{
    return sg_arena_text(&p->arena, text, strlen(text));
}

bool sg_palette_put_solid(sg_palette *p, const sg_solid_material *solid)
{
    sg_solid_material own = *solid;
    own.name = keep(p, solid->name);
    own.source = p->source;
    if (!own.name)
        return false;
    for (size_t i = 0; i < p->solids.len; i++)
        if (strcmp(p->solids.data[i].name, own.name) == 0) {
            p->solids.data[i] = own;
            return true;
        }
    return SG_PUSH(p->allocator, &p->solids, own);
}

static bool is_pair(const sg_contact_material *c, const char *a, const char *b)
{
    return (strcmp(c->first, a) == 0 && strcmp(c->second, b) == 0) ||
           (strcmp(c->first, b) == 0 && strcmp(c->second, a) == 0);
}

bool sg_palette_put_contact(sg_palette *p, const sg_contact_material *contact)
{
    sg_contact_material own = *contact;
    own.first = keep(p, contact->first);
    own.second = keep(p, contact->second);
    own.source = p->source;
    if (!own.first || !own.second)
        return false;
    for (size_t i = 0; i < p->contacts.len; i++)
        if (is_pair(&p->contacts.data[i], own.first, own.second)) {
            p->contacts.data[i] = own;
            return true;
        }
    return SG_PUSH(p->allocator, &p->contacts, own);
}

bool sg_palette_put_look(sg_palette *p, const sg_look *look)
{
    sg_look own = *look;
    own.name = keep(p, look->name);
    if (!own.name)
        return false;
    for (size_t i = 0; i < p->looks.len; i++)
        if (strcmp(p->looks.data[i].name, own.name) == 0) {
            p->looks.data[i] = own;
            return true;
        }
    return SG_PUSH(p->allocator, &p->looks, own);
}

// ---- reading --------------------------------------------------------------------------------

// A line, cut into words; a colon ends the names, commas end a word with its number.
typedef struct palette_line {
    char word[MAX_WORDS][MAX_WORD];
    size_t n, n_names; // names include the kind of entry in front
    size_t at;         // the number of the line
} palette_line;

static sg_status complain(sg_palette_complaint *c, const palette_line *l, const char *why,
                          const char *what)
{
    c->line = l->at;
    snprintf(c->why, sizeof c->why, why, what);
    return SG_ERR_INPUT;
}

// False when a word or the line is too long.
static bool cut(const char *text, size_t length, palette_line *out)
{
    size_t i = 0;
    out->n = 0;
    out->n_names = SIZE_MAX;
    while (i < length && text[i] != '#') {
        size_t first = i;
        if (strchr(" \t\r,", text[i]) || text[i] == ':') {
            if (text[i++] == ':' && out->n_names == SIZE_MAX)
                out->n_names = out->n;
            continue;
        }
        while (i < length && !strchr(" \t\r,:#", text[i]))
            i++;
        if (out->n == MAX_WORDS || i - first >= MAX_WORD)
            return false;
        memcpy(out->word[out->n], text + first, i - first);
        out->word[out->n++][i - first] = '\0';
    }
    if (out->n_names == SIZE_MAX)
        out->n_names = out->n;
    return true;
}

typedef struct number_word {
    const char *word;
    double *value;
} number_word;

// `word number` pairs behind the names. The words of `table` take numbers.
static sg_status read_numbers(const palette_line *l, const number_word *table, size_t n,
                              sg_palette_complaint *c)
{
    for (size_t i = l->n_names; i < l->n; i += 2) {
        size_t k = 0;
        while (k < n && strcmp(table[k].word, l->word[i]) != 0)
            k++;
        if (k == n)
            return complain(c, l, "the word '%s' is not known here", l->word[i]);
        const char *number = i + 1 < l->n ? l->word[i + 1] : "";
        if (!sg_number_parse(number, strlen(number), table[k].value))
            return complain(c, l, "a number must follow '%s'", l->word[i]);
    }
    return SG_OK;
}

static sg_status read_solid(sg_palette *p, const palette_line *l, sg_palette_complaint *c)
{
    if (l->n_names != 2)
        return complain(c, l, "a solid has one name%s", "");
    sg_solid_material s = sg_solid_material_make(l->word[1]);
    const number_word table[] = {{"density", &s.density}, {"young", &s.young},
                                 {"poisson", &s.poisson}, {"melts", &s.melts},
                                 {"heat", &s.heat},       {"conducts", &s.conducts},
                                 {"expands", &s.expands}};
    sg_status status = read_numbers(l, table, sizeof table / sizeof *table, c);
    const char *why = sg_solid_material_check(&s);
    if (status == SG_OK && why)
        return complain(c, l, "%s", why);
    if (status == SG_OK && !sg_palette_put_solid(p, &s))
        return SG_ERR_MEMORY;
    return status;
}

static bool has_word(const palette_line *l, const char *word)
{
    for (size_t i = l->n_names; i < l->n; i += 2)
        if (strcmp(l->word[i], word) == 0)
            return true;
    return false;
}

static sg_status read_contact(sg_palette *p, const palette_line *l, sg_palette_complaint *c)
{
    if (l->n_names != 3)
        return complain(c, l, "a contact has two names%s", "");
    bool springy = has_word(l, "spring");
    sg_contact_material m = springy ? sg_contact_material_make_spring(l->word[1], l->word[2])
                                    : sg_contact_material_make(l->word[1], l->word[2]);
    double watch = -1.0, impulse = 0.0;
    const number_word table[] = {{"restitution", &m.restitution},
                                 {"friction", &m.friction},
                                 {"static", &m.adhesion},
                                 {"stick", &m.sticks},
                                 {"rolling", &m.rolling},
                                 {"v_min", &m.v_min},
                                 {"w_min", &m.w_min},
                                 {"still", &m.v_min}, // as they were called before
                                 {"turning", &m.w_min},
                                 {"watch", &watch},
                                 {"impulse", &impulse}};
    // Which law by springs: its word with a 1 behind it; the linear one otherwise.
    enum { COMMON = 10 };
    double chosen[SG_CONTACT_N_RESPONSES] = {0};
    size_t n = COMMON;
    number_word springs[COMMON + SG_CONTACT_N_RESPONSES] = {
        {"spring", &m.spring},     {"damping", &m.damping}, {"drilling", &m.drilling},
        {"friction", &m.friction}, {"static", &m.adhesion}, {"stick", &m.sticks},
        {"v_min", &m.v_min},       {"w_min", &m.w_min},     {"still", &m.v_min},
        {"turning", &m.w_min}};
    for (int r = 0; r < SG_CONTACT_N_RESPONSES; r++)
        if (responses[r].takes == SG_BY_SPRING)
            springs[n++] = (number_word){responses[r].word, &chosen[r]};
    sg_status status = springy ? read_numbers(l, springs, n, c)
                               : read_numbers(l, table, sizeof table / sizeof *table, c);
    for (int r = 0; springy && r < SG_CONTACT_N_RESPONSES; r++)
        if (chosen[r] > 0.0)
            m.response = (sg_contact_response)r;
    if (impulse > 0.0)
        m.response = SG_CONTACT_IMPULSE;
    if (watch >= 0.0) {
        m.response = SG_CONTACT_WATCH;
        m.alarm = watch > 0.0;
    }
    const char *why = sg_contact_material_check(&m);
    if (status == SG_OK && why)
        return complain(c, l, "%s", why);
    if (status == SG_OK && !sg_palette_put_contact(p, &m))
        return SG_ERR_MEMORY;
    return status;
}

// A color is not a number, so it is taken out of the line first.
static sg_status read_look(sg_palette *p, palette_line *l, sg_palette_complaint *c)
{
    if (l->n_names != 2)
        return complain(c, l, "a look has one name%s", "");
    sg_look m = sg_look_make(l->word[1]);
    double wires = 0.0, reflects = 1.0, shadows = 3.0, alpha = 1.0;
    for (size_t i = l->n_names; i + 1 < l->n; i += 2)
        if (strcmp(l->word[i], "color") == 0) {
            char hex[MAX_WORD + 1] = "#"; // digits without their sign, which begins a comment
            strcat(hex, l->word[i + 1]);
            if (!sg_color_read(p, l->word[i + 1], m.rgb, &alpha) &&
                !sg_color_read(p, hex, m.rgb, &alpha))
                return complain(c, l, "'%s' is not a color", l->word[i + 1]);
            memmove(l->word[i], l->word[i + 2], (l->n - i - 2) * sizeof *l->word);
            l->n -= 2;
            break;
        }
    m.transparency = 1.0 - alpha;
    const number_word table[] = {{"transparency", &m.transparency},
                                 {"shininess", &m.shininess},
                                 {"wires", &wires},
                                 {"reflects", &reflects},
                                 {"shadows", &shadows}};
    sg_status status = read_numbers(l, table, sizeof table / sizeof *table, c);
    m.wires = wires != 0.0;
    m.reflects = reflects != 0.0;
    m.shadows = shadows == floor(shadows) && fabs(shadows) < 10.0 ? (int)shadows : -1;
    const char *why = sg_look_check(&m);
    if (status == SG_OK && why)
        return complain(c, l, "%s", why);
    if (status == SG_OK && !sg_palette_put_look(p, &m))
        return SG_ERR_MEMORY;
    return status;
}

// color RRGGBB name...
static sg_status read_color(sg_palette *p, const palette_line *l, sg_palette_complaint *c)
{
    sg_color_name color;
    double alpha;
    char hex[MAX_WORD + 1] = "#";
    if (l->n < 3 || strlen(l->word[1]) != 6)
        return complain(c, l, "a color is six digits and its names%s", "");
    strcat(hex, l->word[1]);
    if (!sg_color_read(p, hex, color.rgb, &alpha))
        return complain(c, l, "'%s' is not six digits", l->word[1]);
    for (size_t i = 2; i < l->n; i++) {
        char name[MAX_WORD + 1];
        strcpy(name, l->word[i]);
        sg_color_fold(name);
        color.name = keep(p, name);
        if (!color.name || !SG_PUSH(p->allocator, &p->colors, color))
            return SG_ERR_MEMORY;
    }
    return SG_OK;
}

// What is said of an entry that is there already: "density NIST, young estimate".
static const char *join_words(sg_palette *p, const palette_line *l)
{
    char text[MAX_WORDS * (MAX_WORD + 2)] = "";
    size_t length = 0;
    for (size_t i = l->n_names; i < l->n; i++) {
        const char *between = i == l->n_names ? "" : (i - l->n_names) % 2 ? " " : ", ";
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "%s%s", between, l->word[i]);
    }
    return keep(p, text);
}

// source Name: word who, ...; source Name Name: word who, ...
static sg_status read_source(sg_palette *p, const palette_line *l, sg_palette_complaint *c)
{
    const char **rests = NULL;
    for (size_t i = 0; l->n_names == 2 && i < p->solids.len; i++)
        if (strcmp(p->solids.data[i].name, l->word[1]) == 0)
            rests = &p->solids.data[i].rests;
    for (size_t i = 0; l->n_names == 3 && i < p->contacts.len; i++)
        if (is_pair(&p->contacts.data[i], l->word[1], l->word[2]))
            rests = &p->contacts.data[i].rests;
    if (!rests)
        return complain(c, l, "a source is of a solid or a pair that stands before it%s", "");
    if (l->n == l->n_names || (l->n - l->n_names) % 2)
        return complain(c, l, "a source is a list of words, each with one that says where from%s",
                        "");
    *rests = join_words(p, l);
    return *rests ? SG_OK : SG_ERR_MEMORY;
}

sg_status sg_palette_read(sg_palette *p, const char *text, size_t length,
                          sg_palette_complaint *complaint)
{
    palette_line l = {.at = 0};
    *complaint = (sg_palette_complaint){0};
    sg_status status = SG_OK;
    for (size_t at = 0; at < length && status == SG_OK;) {
        const char *newline = memchr(text + at, '\n', length - at);
        size_t end = newline ? (size_t)(newline - text) : length;
        l.at++;
        if (!cut(text + at, end - at, &l))
            return complain(complaint, &l, "the line is too long%s", "");
        at = end + 1;
        if (l.n == 0)
            continue;
        if (strcmp(l.word[0], "solid") == 0)
            status = read_solid(p, &l, complaint);
        else if (strcmp(l.word[0], "touch") == 0)
            status = read_contact(p, &l, complaint);
        else if (strcmp(l.word[0], "look") == 0)
            status = read_look(p, &l, complaint);
        else if (strcmp(l.word[0], "color") == 0)
            status = read_color(p, &l, complaint);
        else if (strcmp(l.word[0], "source") == 0)
            status = read_source(p, &l, complaint);
        else
            status = complain(
                complaint, &l,
                "a line begins with solid, touch, look, color or source, not with '%s'", l.word[0]);
    }
    return status;
}

// ---- asking ---------------------------------------------------------------------------------

const sg_solid_material *sg_palette_solid(const sg_palette *p, const char *name)
{
    for (size_t i = 0; i < p->solids.len; i++)
        if (strcmp(p->solids.data[i].name, name) == 0)
            return &p->solids.data[i];
    return NULL;
}

static bool is_of_user(const sg_palette *p, const char *contact)
{
    for (size_t i = 0; i < p->contacts.len; i++) {
        const sg_contact_material *c = &p->contacts.data[i];
        if (c->source == SG_OF_USER &&
            (strcmp(c->first, contact) == 0 || strcmp(c->second, contact) == 0))
            return true;
    }
    return false;
}

sg_solid_material sg_palette_touching(const sg_palette *p, const char *contact,
                                      const sg_solid_material *own)
{
    sg_solid_material out = *own;
    const sg_solid_material *m = sg_palette_solid(p, contact);
    if (m && m->source == SG_OF_SEGUE && is_of_user(p, contact))
        return out;
    if (m && !isnan(m->young))
        out.young = m->young;
    if (m && !isnan(m->poisson))
        out.poisson = m->poisson;
    return out;
}

const sg_look *sg_palette_look(const sg_palette *p, const char *name)
{
    for (size_t i = 0; i < p->looks.len; i++)
        if (strcmp(p->looks.data[i].name, name) == 0)
            return &p->looks.data[i];
    return NULL;
}

static const sg_contact_material *find_pair(const sg_palette *p, const char *a, const char *b)
{
    for (size_t i = 0; i < p->contacts.len; i++)
        if (is_pair(&p->contacts.data[i], a, b))
            return &p->contacts.data[i];
    return NULL;
}

static double adhesion_of(const sg_contact_material *m)
{
    return isnan(m->adhesion) ? m->friction : m->adhesion;
}

static bool has_mean(sg_contact_response response)
{
    return sg_response_takes(response) != SG_BY_NOTHING;
}

sg_status sg_palette_contact(const sg_palette *p, const char *first, const char *second,
                             sg_contact_material *out)
{
    const sg_contact_material *pair = find_pair(p, first, second);
    if (pair) {
        *out = *pair;
        return SG_OK;
    }
    const sg_contact_material *a = find_pair(p, first, first), *b = find_pair(p, second, second);
    if (!a || !b || a->response != b->response || !has_mean(a->response))
        return SG_ERR_INPUT;
    *out = sg_contact_material_make(a->first, b->first);
    out->response = a->response;
    if (sg_response_takes(a->response) == SG_BY_SPRING)
        out->spring = 2.0 * (a->spring * b->spring / (a->spring + b->spring));
    out->damping = 0.5 * (a->damping + b->damping);
    out->drilling = 0.5 * (a->drilling + b->drilling);
    out->restitution = 0.5 * (a->restitution + b->restitution);
    out->friction = 0.5 * (a->friction + b->friction);
    if (!isnan(a->adhesion) || !isnan(b->adhesion))
        out->adhesion = 0.5 * (adhesion_of(a) + adhesion_of(b));
    if (a->sticks == b->sticks)
        out->sticks = a->sticks;
    out->rolling = 0.5 * (a->rolling + b->rolling);
    out->v_min = 0.5 * (a->v_min + b->v_min);
    out->w_min = 0.5 * (a->w_min + b->w_min);
    return SG_OK;
}

const char *sg_palette_suggest(const sg_palette *p, sg_palette_list list, const char *name)
{
    const char *names[MAX_NAMES];
    size_t n = 0;
    if (list == SG_PALETTE_SOLIDS)
        for (size_t i = 0; i < p->solids.len && n < MAX_NAMES; i++)
            names[n++] = p->solids.data[i].name;
    else
        for (size_t i = 0; i < p->looks.len && n < MAX_NAMES; i++)
            names[n++] = p->looks.data[i].name;
    return sg_closest_name(name, names, n);
}
