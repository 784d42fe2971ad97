// Any text is a file of distance cases, or is refused with its line; each case of it has an answer
// that holds, or a message.
//
// What must hold of an answer, by either method: finite numbers, a unit normal, and points that
// differ by the distance along it. Proven answers must not depend on which shape is named first.
// fuzz_mpr looks closer at the answers themselves; here it is what a file can ask for.
#include "segue/distance.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_CASES = 20 };

_Noreturn static void give_up(const char *why, const char *id)
{
    fprintf(stderr, "fuzz_distance: %s, case '%s'\n", why, id);
    abort();
}

static double largest(const sg_distance_case *k, const sg_distance_answer *r)
{
    double most = sg_shape_bound(k->a) + sg_shape_bound(k->b);
    for (int i = 0; i < 3; i++)
        most = fmax(most, fmax(fabs(r->a[i]), fabs(r->b[i])));
    return most;
}

static void check(const sg_distance_case *k, const sg_distance_answer *r)
{
    double n = 0.0, miss = 0.0;
    for (int i = 0; i < 3; i++) {
        n += r->normal[i] * r->normal[i];
        miss = fmax(miss, fabs(r->b[i] - r->a[i] - r->delta * r->normal[i]));
    }
    if (!isfinite(r->delta) || !(fabs(n - 1.0) < 1e-13))
        give_up("a distance or a normal that is none", k->id);
    // Both points carry the rounding of where they are. Plain MPR promises no more than its papers.
    if (!(miss <= 1e-11 * largest(k, r)))
        give_up("points that are not as far apart as the distance says", k->id);
    if (r->iterations < 0 || !(r->error_bound >= 0.0))
        give_up("a count or a bound below zero", k->id);
}

// True if there is an answer.
static bool ask(sg_distance_query *query, const sg_distance_case *k, sg_distance_answer *r)
{
    sg_distance_query_reset(query);
    if (sg_distance_between(query, k->a, &k->place_a, k->b, &k->place_b, r) != SG_OK) {
        if (!r->message)
            give_up("refused without a word", k->id);
        return false;
    }
    return true;
}

// How far a matrix that passes for a rotation is from one; the shape is that much out of shape.
static double skew(const double R[9])
{
    double most = 0.0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            double dot = i == k ? -1.0 : 0.0;
            for (int j = 0; j < 3; j++)
                dot += R[3 * i + j] * R[3 * k + j];
            most = fmax(most, fabs(dot));
        }
    return most;
}

static void answer(const sg_distance_case *k, sg_distance_query *exact, sg_distance_query *plain)
{
    sg_distance_answer one, other;
    sg_distance_case swapped = *k;
    swapped.a = k->b;
    swapped.b = k->a;
    swapped.place_a = k->place_b;
    swapped.place_b = k->place_a;
    if (ask(plain, k, &one) && !isfinite(one.delta))
        give_up("a distance that is none", k->id);
    if (!ask(exact, k, &one))
        return;
    check(k, &one);
    if (!ask(exact, &swapped, &other))
        return; // where a proof fails, it may do so from one side
    check(&swapped, &other);
    double relative = 1e-11 + 4.0 * fmax(skew(k->place_a.R), skew(k->place_b.R));
    double slack = one.error_bound + other.error_bound + relative * largest(k, &one);
    if (!(fabs(one.delta - other.delta) <= slack))
        give_up("another distance when the shapes change places", k->id);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static sg_distance_query *exact, *plain;
    sg_distance_query_options settings = sg_distance_query_options_make();
    sg_distance_cases *cases = NULL;
    if (!exact && sg_distance_query_create(NULL, &settings, &exact) != SG_OK)
        abort();
    settings.mode = SG_DISTANCE_PLAIN_MPR;
    if (!plain && sg_distance_query_create(NULL, &settings, &plain) != SG_OK)
        abort();
    sg_diags *diags = sg_diags_create(NULL);
    sg_status read = sg_distance_cases_read(NULL, (const char *)data, size, diags, &cases);
    if (read != SG_OK && (cases || !sg_diags_count(diags)))
        give_up("refused without a word", "");
    sg_diags_destroy(diags);
    if (read != SG_OK)
        return 0;
    size_t n = sg_distance_cases_count(cases);
    for (size_t i = 0; i < n && i < MAX_CASES; i++) {
        const sg_distance_case *k = sg_distance_cases_get(cases, i);
        if (!k->id || !k->regime || (!k->message && !(k->a && k->b)))
            give_up("a case that lacks something and does not say so", k->id ? k->id : "");
        if (!k->message)
            answer(k, exact, plain);
    }
    sg_distance_cases_destroy(cases);
    return 0;
}
