// Files of distance cases: tokens to shapes and placements.
//
//     distance-cases 1
//     case ID REGIME
//     shape TYPE s0 s1 s2 rot (9 numbers) pos x y z nv NV nf NF
//     v x y z ...  f i j k ...
//     shape ...
#include "base/arena.h"
#include "base/diags.h"
#include "base/digits.h"
#include "base/vec.h"
#include "segue/distance.h"

#include <stdlib.h>
#include <string.h>

// More vertices or triangles than this in one shape is a mistake, not a mesh.
#define COUNT_MAX 10000000L

typedef SG_VEC(sg_distance_case) case_list;
typedef SG_VEC(sg_shape *) shape_list;

struct sg_distance_cases {
    const sg_allocator *allocator;
    sg_arena arena; // names
    case_list cases;
    shape_list shapes;
};

typedef struct case_reader {
    const char *at, *end;
    size_t line;
    const char *token; // the last one, not terminated
    size_t length;
    const char *why; // null while all is well
} case_reader;

static void refuse(case_reader *r, const char *why)
{
    if (!r->why)
        r->why = why;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// The next token; false at the end of the text.
static bool next(case_reader *r)
{
    while (r->at < r->end && is_blank(*r->at))
        r->line += *r->at++ == '\n';
    r->token = r->at;
    while (r->at < r->end && !is_blank(*r->at))
        r->at++;
    r->length = (size_t)(r->at - r->token);
    return r->length > 0;
}

static bool is_token(const case_reader *r, const char *text)
{
    return r->length == strlen(text) && memcmp(r->token, text, r->length) == 0;
}

static void expect(case_reader *r, const char *text, const char *why)
{
    if (!r->why && (!next(r) || !is_token(r, text)))
        refuse(r, why);
}

static double number(case_reader *r)
{
    double x = 0.0;
    if (r->why || !next(r))
        refuse(r, "a number is missing");
    else if (!sg_number_parse(r->token, r->length, &x))
        refuse(r, "a token is not a number");
    return x;
}

static long count(case_reader *r)
{
    double x = number(r);
    if (!r->why && !(x >= 0.0 && x <= (double)COUNT_MAX && x == (double)(long)x))
        refuse(r, "a count is negative, too large or not a whole number");
    return r->why ? 0 : (long)x;
}

static const char *name(case_reader *r, sg_arena *arena, const char *why)
{
    if (r->why || !next(r)) {
        refuse(r, why);
        return "";
    }
    const char *text = sg_arena_text(arena, r->token, r->length);
    return text ? text : "";
}

// Half sizes of the file to full ones of the interface.
static bool set_sizes(const char *type, const double s[3], sg_shape_spec *spec)
{
    static const struct {
        const char *name;
        sg_shape_kind kind;
    } kinds[] = {{"sphere", SG_SHAPE_SPHERE},
                 {"box", SG_SHAPE_BOX},
                 {"ellipsoid", SG_SHAPE_ELLIPSOID},
                 {"capsule", SG_SHAPE_CAPSULE},
                 {"cylinder", SG_SHAPE_CYLINDER},
                 {"cone", SG_SHAPE_CONE},
                 {"mesh", SG_SHAPE_MESH}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(type, kinds[i].name) == 0) {
            spec->kind = kinds[i].kind;
            for (int k = 0; k < 3; k++)
                spec->size[k] = 2.0 * s[k];
            if (spec->kind == SG_SHAPE_CONE) {
                spec->size[2] = 0.0;
                spec->base = -s[1];
            }
            return true;
        }
    return false;
}

// A count that the rest of the text has room for, so that a false one costs no memory.
static size_t count_of_lines(case_reader *r)
{
    long n = count(r);
    if (!r->why && n > (r->end - r->at) / 7 + 1) // "v 0 0 0" is the shortest line
        refuse(r, "a count is larger than the file");
    return r->why ? 0 : (size_t)n;
}

static void read_mesh(case_reader *r, sg_arena *scratch, sg_shape_spec *spec)
{
    expect(r, "nv", "'nv' is missing");
    size_t nv = count_of_lines(r);
    expect(r, "nf", "'nf' is missing");
    size_t nf = count_of_lines(r);
    double *v = SG_NEW_ARRAY(scratch, double, 3 * nv + 1);
    uint32_t *f = SG_NEW_ARRAY(scratch, uint32_t, 3 * nf + 1);
    if (!v || !f)
        refuse(r, "out of memory");
    for (size_t i = 0; i < nv && !r->why; i++) {
        expect(r, "v", "a vertex line 'v x y z' is missing");
        for (size_t k = 0; k < 3; k++)
            v[3 * i + k] = number(r);
    }
    for (size_t i = 0; i < nf && !r->why; i++) {
        expect(r, "f", "a triangle line 'f i j k' is missing");
        for (size_t k = 0; k < 3; k++)
            f[3 * i + k] = (uint32_t)count(r);
    }
    spec->vertices = v;
    spec->n_vertices = nv;
    spec->triangles = f;
    spec->n_triangles = nf;
}

// One shape; if its sizes are refused, `*message` says so and the shape is null.
static void read_shape(case_reader *r, sg_distance_cases *c, sg_arena *scratch, const char **type,
                       const sg_shape **shape, sg_placement *place, const char **message)
{
    sg_shape_spec spec = {.axis = 3};
    double s[3];
    expect(r, "shape", "a line 'shape TYPE ...' is missing");
    *type = name(r, &c->arena, "the type of a shape is missing");
    for (int i = 0; i < 3; i++)
        s[i] = number(r);
    expect(r, "rot", "'rot' and its nine numbers are missing");
    for (int i = 0; i < 9; i++)
        place->R[i] = number(r);
    expect(r, "pos", "'pos' and its three numbers are missing");
    for (int i = 0; i < 3; i++)
        place->r[i] = number(r);
    sg_arena_mark mark = sg_arena_mark_get(scratch);
    read_mesh(r, scratch, &spec);
    if (!r->why && !set_sizes(*type, s, &spec))
        refuse(r, "a shape is none of sphere, box, ellipsoid, capsule, cylinder, cone, mesh");
    sg_shape *made = NULL;
    if (!r->why) {
        sg_diags reasons;
        sg_diags_init(&reasons, c->allocator);
        sg_status status = sg_shape_create(c->allocator, &spec, &reasons, &made);
        const sg_diag *first = sg_diags_get(&reasons, 0);
        if (status == SG_ERR_MEMORY || (status && !first))
            refuse(r, "out of memory");
        else if (status && !*message)
            *message = sg_arena_text(&c->arena, first->message, strlen(first->message));
        sg_diags_destroy(&reasons);
    }
    if (made && !SG_PUSH(c->allocator, &c->shapes, made)) {
        sg_shape_destroy(made);
        made = NULL;
        refuse(r, "out of memory");
    }
    *shape = made;
    sg_arena_release(scratch, mark);
}

static void read_cases(case_reader *r, sg_distance_cases *c, sg_arena *scratch)
{
    if (!next(r))
        refuse(r, "the file is empty");
    expect(r, "1", "the first line is not 'NAME 1'");
    while (!r->why && next(r)) {
        if (!is_token(r, "case")) {
            refuse(r, "'case' is missing");
            return;
        }
        sg_distance_case k = {0};
        k.id = name(r, &c->arena, "the name of a case is missing");
        k.regime = name(r, &c->arena, "the regime of a case is missing");
        read_shape(r, c, scratch, &k.type_a, &k.a, &k.place_a, &k.message);
        read_shape(r, c, scratch, &k.type_b, &k.b, &k.place_b, &k.message);
        if (!r->why && !SG_PUSH(c->allocator, &c->cases, k))
            refuse(r, "out of memory");
    }
}

// What is wrong in a line, or that memory ran out.
static sg_status tell(sg_diags *diags, size_t line, const char *why, bool no_memory)
{
    if (no_memory)
        sg_error(diags, SG_E_MEMORY, (sg_span){0}, "out of memory");
    else
        sg_error(diags, SG_E_USAGE, (sg_span){0}, "line %zu: %s", line, why);
    return no_memory ? SG_ERR_MEMORY : SG_ERR_MODEL;
}

sg_status sg_distance_cases_read(const sg_allocator *allocator, const char *text, size_t length,
                                 sg_diags *diags, sg_distance_cases **out)
{
    allocator = sg_allocator_or_default(allocator);
    if (out)
        *out = NULL;
    if (!out || (!text && length))
        return sg_misuse(diags, "sg_distance_cases_read needs a text, and a place for the cases");
    sg_distance_cases *c = allocator->resize(allocator->context, NULL, 0, sizeof *c);
    if (!c)
        return tell(diags, 0, NULL, true);
    *c = (sg_distance_cases){.allocator = allocator};
    sg_arena_init(&c->arena, allocator);
    sg_arena scratch;
    sg_arena_init(&scratch, allocator);
    text = text ? text : "";
    case_reader r = {.at = text, .end = text + length, .line = 1};
    read_cases(&r, c, &scratch);
    bool no_memory = c->arena.failed || scratch.failed;
    sg_arena_destroy(&scratch);
    if (r.why || no_memory) {
        no_memory = no_memory || strcmp(r.why, "out of memory") == 0;
        sg_distance_cases_destroy(c);
        return tell(diags, r.line, r.why, no_memory);
    }
    *out = c;
    return SG_OK;
}

void sg_distance_cases_destroy(sg_distance_cases *cases)
{
    if (!cases)
        return;
    const sg_allocator *allocator = cases->allocator;
    for (size_t i = 0; i < cases->shapes.len; i++)
        sg_shape_destroy(cases->shapes.data[i]);
    SG_VEC_FREE(allocator, &cases->shapes);
    SG_VEC_FREE(allocator, &cases->cases);
    sg_arena_destroy(&cases->arena);
    allocator->resize(allocator->context, cases, sizeof *cases, 0);
}

size_t sg_distance_cases_count(const sg_distance_cases *cases)
{
    return cases ? cases->cases.len : 0;
}

const sg_distance_case *sg_distance_cases_get(const sg_distance_cases *cases, size_t index)
{
    return cases && index < cases->cases.len ? &cases->cases.data[index] : NULL;
}
