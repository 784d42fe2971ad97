#include "segue/distance.h"

#include "harness/sg_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The whole of a shared file, or null after noting a skip.
static char *read_shared(const char *relative, size_t *length)
{
    const char *path = sg_test_shared(relative);
    FILE *file = path ? fopen(path, "rb") : NULL;
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    *length = fread(text, 1, (size_t)size, file);
    text[*length] = 0;
    fclose(file);
    return text;
}

typedef struct reference {
    double lo, hi, n[3];
} reference;

static void check_case(const sg_distance_case *k, const reference *ref, sg_distance_mode mode,
                       sg_distance_query *query)
{
    sg_distance_answer r;
    sg_distance_query_reset(query);
    sg_status status = sg_distance_between(query, k->a, &k->place_a, k->b, &k->place_b, &r);
    SG_CHECK_MSG(status == SG_OK, "case %s: %s", k->id, r.message ? r.message : "?");
    double size = 0.5 * (sg_shape_bound(k->a) + sg_shape_bound(k->b));
    bool deep = strcmp(k->regime, "deep") == 0;
    double error = fmax(ref->lo - r.delta, r.delta - ref->hi);
    SG_CHECK_MSG((r.delta > 0) == (ref->lo > 0), "case %s: wrong verdict", k->id);
    if (mode == SG_DISTANCE_PLAIN_MPR) {
        SG_CHECK_MSG(fabs(r.delta) >= fabs(ref->lo) - 1e-12 * size, "case %s: %g", k->id, r.delta);
    } else {
        SG_CHECK_MSG(error < 1e-12 * size, "case %s: error %g of the size", k->id, error / size);
        double turn = 0.0;
        for (int i = 0; i < 3; i++)
            turn = fmax(turn, fabs(r.normal[i] - ref->n[i]));
        SG_CHECK_MSG(turn < 1e-6, "case %s: normal off by %g", k->id, turn);
        SG_CHECK_MSG(r.error_bound < 1e-12 * size || deep, "case %s: not proven", k->id);
    }
    for (int i = 0; i < 3; i++)
        SG_NEAR(r.b[i] - r.a[i], r.delta * r.normal[i], 1e-14, 4 * size);
}

SG_TEST(the_shared_cases_are_answered_within_their_rigorous_brackets)
{
    size_t length;
    char *text = read_shared("data/distance/cases.txt", &length);
    if (!text)
        return;
    sg_distance_cases *cases;
    sg_status status = sg_distance_cases_read(NULL, text, length, NULL, &cases);
    free(text);
    SG_REQUIRE(status == SG_OK);
    SG_CHECK(sg_distance_cases_count(cases) == 252);
    char *refs = read_shared("data/distance/references.txt", &length), *at = refs;
    SG_REQUIRE(refs != NULL);
    sg_distance_query *query[3];
    for (int mode = 0; mode < 3; mode++) {
        sg_distance_query_options settings = sg_distance_query_options_make();
        settings.mode = (sg_distance_mode)mode;
        SG_REQUIRE(sg_distance_query_create(NULL, &settings, &query[mode]) == SG_OK);
    }
    for (size_t i = 0; i < sg_distance_cases_count(cases); i++) {
        const sg_distance_case *k = sg_distance_cases_get(cases, i);
        SG_CHECK(strtol(at, &at, 10) == atol(k->id));
        reference ref;
        ref.lo = strtod(at, &at);
        ref.hi = strtod(at, &at);
        for (int j = 0; j < 3; j++)
            ref.n[j] = strtod(at, &at);
        for (int mode = 0; mode < 3; mode++)
            check_case(k, &ref, (sg_distance_mode)mode, query[mode]);
    }
    for (int mode = 0; mode < 3; mode++)
        sg_distance_query_destroy(query[mode]);
    free(refs);
    sg_distance_cases_destroy(cases);
}

// ---- deep pairs ---------------------------------------------------------------------------------

enum { KINDS = 7 }; // all but the beam; a mesh of some points on a sphere

static sg_shape *random_shape(sg_rng *rng, sg_shape_kind kind)
{
    double points[3 * 20];
    sg_shape_spec spec = {.kind = kind, .vertices = points, .n_vertices = 20};
    for (int i = 0; i < 3; i++)
        spec.size[i] = sg_rng_uniform(rng, 0.4, 1.2);
    if (kind == SG_SHAPE_CONE)
        spec.size[2] = 0.0;
    for (int i = 0; i < 20; i++) {
        double p[3] = {sg_rng_normal(rng), sg_rng_normal(rng), sg_rng_normal(rng)};
        double r = 0.5 / sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        for (int k = 0; k < 3; k++)
            points[3 * i + k] = r * p[k];
    }
    sg_shape *shape = NULL;
    SG_CHECK(sg_shape_create(NULL, &spec, NULL, &shape) == SG_OK);
    return shape;
}

static sg_placement random_place(sg_rng *rng, double reach)
{
    sg_placement p;
    double q[4], n = 0.0;
    for (int i = 0; i < 4; i++) {
        q[i] = sg_rng_normal(rng);
        n += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++)
        q[i] /= sqrt(n);
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double R[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                   2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                   2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(p.R, R, sizeof R);
    for (int i = 0; i < 3; i++)
        p.r[i] = sg_rng_uniform(rng, -reach, reach);
    return p;
}

// 20 pairs of any two kinds, deep in each other: the default mode has proofs for all of them, and
// the answers of the exact one.
SG_TEST(a_deep_answer_is_proven_in_the_default_mode_too)
{
    sg_rng rng = sg_rng_seeded(560);
    sg_distance_query *query[2];
    long pairs = 0, deep = 0, unproven = 0, off = 0;
    for (int mode = 0; mode < 2; mode++) {
        sg_distance_query_options settings = sg_distance_query_options_make();
        settings.mode = mode ? SG_DISTANCE_EXACT : SG_DISTANCE_DEFAULT;
        SG_REQUIRE(sg_distance_query_create(NULL, &settings, &query[mode]) == SG_OK);
    }
    for (int i = 0; i < KINDS; i++)
        for (int j = i; j < KINDS; j++)
            for (int k = 0; k < 20; k++) {
                sg_shape_kind kinds[2] = {(sg_shape_kind)(i < 6 ? i : SG_SHAPE_MESH),
                                          (sg_shape_kind)(j < 6 ? j : SG_SHAPE_MESH)};
                sg_shape *a = random_shape(&rng, kinds[0]), *b = random_shape(&rng, kinds[1]);
                sg_placement pa = random_place(&rng, 0.0), pb = random_place(&rng, 0.1);
                sg_distance_answer r[2];
                for (int mode = 0; mode < 2; mode++) {
                    sg_distance_query_reset(query[mode]);
                    SG_CHECK(sg_distance_between(query[mode], a, &pa, b, &pb, &r[mode]) == SG_OK);
                    unproven += !(r[mode].error_bound < 1e-12) || r[mode].message;
                }
                pairs++;
                deep += r[0].delta < -0.02;
                off += fabs(r[0].delta - r[1].delta) > 1e-12;
                sg_shape_destroy(a);
                sg_shape_destroy(b);
            }
    SG_CHECK_MSG(pairs == 560 && deep > 550 && unproven == 0 && off == 0,
                 "%ld pairs, %ld deep, %ld unproven, %ld off", pairs, deep, unproven, off);
    for (int mode = 0; mode < 2; mode++)
        sg_distance_query_destroy(query[mode]);
}

static const char two_cases[] =
    "name 1\n"
    "case first separated\n"
    "shape sphere 1 0 0 rot 1 0 0 0 1 0 0 0 1 pos 0 0 0 nv 0 nf 0\n"
    "shape mesh 0 0 0 rot 1 0 0 0 1 0 0 0 1 pos 3 0 0 nv 4 nf 4\n"
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 0 2 1\nf 0 1 3\nf 0 3 2\nf 1 2 3\n"
    "case second deep\n"
    "shape box -1 1 1 rot 1 0 0 0 1 0 0 0 1 pos 0 0 0 nv 0 nf 0\n"
    "shape cone 1 1 0 rot 1 0 0 0 1 0 0 0 1 pos 0 0 1 nv 0 nf 0\n";

SG_TEST(a_shape_with_a_bad_size_spoils_its_own_case_only)
{
    sg_distance_cases *cases;
    SG_REQUIRE(sg_distance_cases_read(NULL, two_cases, sizeof two_cases - 1, NULL, &cases) ==
               SG_OK);
    SG_REQUIRE(sg_distance_cases_count(cases) == 2);
    const sg_distance_case *first = sg_distance_cases_get(cases, 0);
    const sg_distance_case *second = sg_distance_cases_get(cases, 1);
    SG_CHECK(first->a && first->b && !first->message);
    SG_CHECK(!second->a && second->b && second->message);
    SG_SAME_TEXT(second->type_b, "cone");
    SG_CHECK(sg_distance_cases_get(cases, 2) == NULL);
    sg_distance_cases_destroy(cases);
}

SG_TEST(every_cut_of_a_file_of_cases_is_refused_with_its_line_or_read)
{
    size_t read = 0;
    for (size_t n = 0; n < sizeof two_cases - 1; n++) {
        sg_distance_cases *cases;
        sg_diags *diags = sg_diags_create(NULL);
        sg_status status = sg_distance_cases_read(NULL, two_cases, n, diags, &cases);
        const sg_diag *why = sg_diags_get(diags, 0);
        if (status == SG_OK) {
            read++;
            sg_distance_cases_destroy(cases);
        } else {
            SG_CHECK(status == SG_ERR_MODEL && why && !cases);
            SG_CHECK(why && strncmp(why->message, "line ", 5) == 0);
        }
        sg_diags_destroy(diags);
    }
    SG_CHECK(read > 0 && read < 20); // after the first line, the first case, and the last number
}

SG_TEST(a_count_larger_than_the_file_is_refused)
{
    const char text[] = "name 1\ncase a b\nshape mesh 0 0 0 rot 1 0 0 0 1 0 0 0 1 pos 0 0 0 nv "
                        "9999999 nf 9999999\nv 0 0 0\n";
    sg_distance_cases *cases;
    sg_diags *diags = sg_diags_create(NULL);
    SG_CHECK(sg_distance_cases_read(NULL, text, sizeof text - 1, diags, &cases) == SG_ERR_MODEL);
    SG_CHECK(strncmp(sg_diags_get(diags, 0)->message, "line 3: ", 8) == 0);
    sg_diags_destroy(diags);
}

SG_TEST(reading_cases_survives_every_refused_allocation)
{
    for (uint64_t n = 1; n < 60; n++) {
        sg_test_allocator counting;
        sg_test_allocator_init(&counting, n);
        sg_distance_cases *cases;
        sg_status status = sg_distance_cases_read(&counting.allocator, two_cases,
                                                  sizeof two_cases - 1, NULL, &cases);
        if (counting.requests >= n) {
            // Words that find no room have a place of their own, so that one may be done without.
            SG_CHECK_MSG(status == SG_ERR_MEMORY || (status == SG_OK && cases),
                         "request %d: status %d", (int)n, (int)status);
        } else {
            SG_CHECK(status == SG_OK);
        }
        sg_distance_cases_destroy(cases);
        SG_CHECK_MSG(counting.live_blocks == 0, "request %d", (int)n);
    }
}

SG_TEST(a_query_allocates_nothing_and_answers_the_same_every_time)
{
    sg_test_allocator counting;
    sg_test_allocator_init(&counting, 0);
    sg_shape_spec one = {.kind = SG_SHAPE_CYLINDER, .size = {1, 2}, .axis = 2};
    sg_shape_spec two = {.kind = SG_SHAPE_ELLIPSOID, .size = {1, 2, 0.5}};
    sg_shape *a, *b;
    sg_distance_query *query;
    sg_distance_query_options settings = sg_distance_query_options_make();
    settings.mode = SG_DISTANCE_EXACT;
    SG_REQUIRE(sg_shape_create(&counting.allocator, &one, NULL, &a) == SG_OK);
    SG_REQUIRE(sg_shape_create(&counting.allocator, &two, NULL, &b) == SG_OK);
    SG_REQUIRE(sg_distance_query_create(&counting.allocator, &settings, &query) == SG_OK);
    uint64_t before = counting.requests;
    sg_placement pa = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}}, pb = pa;
    for (int i = 0; i < 1000; i++) {
        sg_distance_answer cold, again;
        pb.r[0] = 1.5 * cos(0.1 * i);
        pb.r[1] = 0.3;
        sg_distance_query_reset(query);
        SG_REQUIRE(sg_distance_between(query, a, &pa, b, &pb, &cold) == SG_OK);
        sg_distance_query_reset(query);
        SG_REQUIRE(sg_distance_between(query, a, &pa, b, &pb, &again) == SG_OK);
        SG_CHECK(cold.delta == again.delta && cold.normal[2] == again.normal[2] &&
                 cold.a[1] == again.a[1] && cold.b[0] == again.b[0]);
    }
    SG_CHECK(counting.requests == before);
    sg_distance_query_destroy(query);
    sg_shape_destroy(a);
    sg_shape_destroy(b);
    SG_CHECK(counting.live_blocks == 0);
}
