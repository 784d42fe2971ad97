// Files of distance cases: tokens to shapes and placements.
//
//     distance-cases 1
//     case ID REGIME
//     shape TYPE s0 s1 s2 rot (9 numbers) pos x y z nv NV nf NF
//     v x y z ...  f i j k ...
//     shape ...
#include "base/arena.h"
#include "base/digits.h"
#include "base/vec.h"
#include "segue/distance.h"

#include <stdlib.h>
#include <string.h>

// More vertices or triangles than this in one shape is a mistake, not a mesh.
#define COUNT_MAX 10000000L

typedef SG_VEC(sg_distance_case) case_list;
typedef SG_VEC(sg_convex *) shape_list;

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
static bool set_sizes(const char *type, const double s[3], sg_convex_spec *spec)
{
    static const struct {
        const char *name;
        sg_convex_kind kind;
    } kinds[] = {{"sphere", SG_CONVEX_SPHERE},
                 {"box", SG_CONVEX_BOX},
                 {"ellipsoid", SG_CONVEX_ELLIPSOID},
                 {"capsule", SG_CONVEX_CAPSULE},
                 {"cylinder", SG_CONVEX_CYLINDER},
                 {"cone", SG_CONVEX_CONE},
                 {"mesh", SG_CONVEX_MESH}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(type, kinds[i].name) == 0) {
            spec->kind = kinds[i].kind;
            for (int k = 0; k < 3; k++)
                spec->size[k] = 2.0 * s[k];
            if (spec->kind == SG_CONVEX_CONE) {
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

static void read_mesh(case_reader *r, sg_arena *scratch, sg_convex_spec *spec)
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
                       const sg_convex **shape, sg_placement *place, const char **message)
{
    sg_convex_spec spec = {.axis = 3};
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
    sg_convex *made = NULL;
    const char *reason = NULL;
    if (!r->why) {
        sg_status status = sg_convex_create(c->allocator, &spec, &made, &reason);
        if (status == SG_ERR_MEMORY)
            refuse(r, "out of memory");
        else if (status && !*message)
            *message = reason;
    }
    if (made && !SG_PUSH(c->allocator, &c->shapes, made)) {
        sg_convex_destroy(made);
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

sg_status sg_distance_cases_read(const sg_allocator *allocator, const char *text, size_t length,
                                 sg_distance_cases **out, size_t *line, const char **why)
{
    allocator = sg_allocator_or_default(allocator);
    size_t unused;
    const char *unheard;
    line = line ? line : &unused;
    why = why ? why : &unheard;
    *line = 0;
    *why = "there is no text, or no place for the cases";
    if (out)
        *out = NULL;
    if (!out || (!text && length))
        return SG_ERR_USAGE;
    *why = "out of memory";
    sg_distance_cases *c = allocator->resize(allocator->context, NULL, 0, sizeof *c);
    if (!c)
        return SG_ERR_MEMORY;
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
        *why = no_memory ? "out of memory" : r.why;
        *line = r.line;
        no_memory = no_memory || strcmp(*why, "out of memory") == 0;
        sg_distance_cases_destroy(c);
        return no_memory ? SG_ERR_MEMORY : SG_ERR_MODEL;
    }
    *out = c;
    *why = NULL;
    return SG_OK;
}

void sg_distance_cases_destroy(sg_distance_cases *cases)
{
    if (!cases)
        return;
    const sg_allocator *allocator = cases->allocator;
    for (size_t i = 0; i < cases->shapes.len; i++)
        sg_convex_destroy(cases->shapes.data[i]);
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
