// Forces and centers of shapes that are far longer than thick, or far softer than what they touch,
// against sums over lines (contact/lines_test.h): plates, rods, needles, disks, rims that are
// wedges of a degree, hulls of any corners.
#include "contact/lines_test.h"

#include <stdio.h>

enum { HULL = N_SHAPES, N_SLENDER, CORNERS = 8 };

static const char *named(int kind) { return kind == HULL ? "hull" : name_of[kind]; }

// A hull of corners anywhere.
static void make_hull(meeting *m, int i, const double s[3], sg_rng *rng)
{
    sg_vec3 corner[CORNERS];
    const char *why = "";
    for (int k = 0; k < CORNERS; k++) {
        sg_vec3 x = sg_rng_vec3(rng, -0.5, 0.5);
        corner[k] = v3_make(s[0] * x.x, s[1] * x.y, s[2] * x.z);
    }
    SG_CHECK(sg_mesh_hull(sg_allocator_default(), corner, CORNERS, &m->mesh[i], &why) == SG_OK);
    SG_CHECK(sg_shape_mesh(&m->mesh[i], &m->shape[i], &why) == SG_OK);
    SG_CHECK(sg_area_body_init(&m->body[i], &m->shape[i], &m->arena) == SG_OK);
}

// Up to `most` times as long as thick, more often so than not.
static void make_slender(meeting *m, int i, int kind, double size, double most, sg_rng *rng)
{
    double s[3];
    for (int k = 0; k < 3; k++)
        s[k] = size * pow(most, 0.5 * cbrt(sg_rng_uniform(rng, -1, 1)));
    // Flat ones and long ones as often as others.
    if (sg_rng_uniform(rng, 0, 1) < 0.5)
        s[1] = s[0];
    if (kind == HULL)
        make_hull(m, i, s, rng);
    else
        make(m, i, kind, s);
}

// What is asked for.
typedef struct asked {
    double aspect, ratio, moduli; // of lengths, bodies and materials, at most
    double limit;
} asked;

// Two slender shapes somehow, up to 3e-2 of the thinner one deep and down to what is known without
// rounding: the corner of a needle is where planes end that differ by its angle. False for a round
// pair.
static bool put_slender(meeting *m, const asked *ask, sg_rng *rng, int kind[2])
{
    double size[2] = {pow(10.0, sg_rng_uniform(rng, -4, 1)), 0.0};
    size[1] = size[0] * pow(ask->ratio, sg_rng_uniform(rng, -1, 1));
    for (int k = 0; k < 2; k++)
        kind[k] = (int)sg_rng_uniform(rng, 0, N_SLENDER);
    if (kind[0] == CAPSULE && kind[1] == CAPSULE)
        return false;
    for (int k = 0; k < 2; k++) {
        make_slender(m, k, kind[k], size[k], ask->aspect, rng);
        m->law.kappa[k] = 2.7e11 / m->body[k].thickness;
    }
    m->law.kappa[0] *= pow(ask->moduli, sg_rng_uniform(rng, -1, 1));
    double k[2] = {m->law.kappa[0], m->law.kappa[1]},
           far = fmax(m->shape[0].bound, m->shape[1].bound);
    double most = 3e-2 * fmin(m->body[0].thickness, m->body[1].thickness);
    double least = 1e-9 * far * (k[0] + k[1]) / fmin(k[0], k[1]);
    bool nearly = sg_rng_uniform(rng, 0, 1) < 0.3;
    double part = sg_rng_uniform(rng, 0, 1);
    put_so_deep(m, rng, nearly, 0.1, most * pow(fmin(1.0, least / most), part));
    return true;
}

// A capsule that is pressed in by some percent of its radius presses a few percent of how wide that
// is beside its center.
static const double center_limit = 0.05;

// What an area is off by: the force in parts of it, its center in parts of how it is spread.
typedef struct offs {
    double force, center;
} offs;

static offs offs_of(meeting *m, int angles, double *force, double *summed)
{
    sg_area_patch patch;
    *force = press(m, &patch) ? v3_dot(patch.force, m->n) : 0.0;
    lines_sum sum = sum_over_lines(m, angles);
    *summed = sum.force;
    sg_vec3 from = v3_sub(patch.origin, m->origin);
    sg_vec3 torque = v3_add(patch.torque, v3_cross(from, patch.force));
    double x = -v3_dot(torque, m->e[1]) / *force, y = v3_dot(torque, m->e[0]) / *force;
    double off = hypot(x - sum.center[0], y - sum.center[1]);
    return (offs){fabs(*force / sum.force - 1.0), off / (sum.arm - m->touch.delta)};
}

// How many of n poses are off; SG_ONLY=i looks at one of them.
static int look_at_slender(const asked *ask, int n, uint64_t seed)
{
    sg_rng rng = sg_rng_seeded(seed);
    rng.state = sg_rng_u64(&rng); // neighboring seeds would be one stream
    int few = 0, only = asked_for("SG_ONLY", -1), kind[2];
    meeting m = begin();
    for (int i = 0; i < n; i++) {
        sg_rng own = sg_rng_seeded(sg_rng_u64(&rng));
        if ((only >= 0 && i != only) || !put_slender(&m, ask, &own, kind))
            continue;
        double force, summed;
        offs off = {1.0, 1.0};
        // Not what the sum is off by.
        bool right = false;
        for (int a = 32; a <= 512 && !right; a *= 4) {
            off = offs_of(&m, a, &force, &summed);
            right = off.force < ask->limit && off.center < center_limit;
        }
        few += !right;
        SG_CHECK_MSG(right,
                     "%d: %s of %g m, %g thick, %s of %g m, %g thick, stiffness %g, %g m deep: "
                     "%g N, summed %g N, %+.4f, center %.4f",
                     i, named(kind[0]), m.shape[0].bound, m.body[0].thickness, named(kind[1]),
                     m.shape[1].bound, m.body[1].thickness, m.law.kappa[0] / m.law.kappa[1],
                     -m.touch.delta, force, summed, force / summed - 1.0, off.center);
        for (int k = 0; k < 2; k++)
            if (kind[k] >= TETRAHEDRON)
                sg_mesh_destroy(&m.mesh[k]);
    }
    sg_arena_destroy(&m.arena);
    return few;
}

// SG_LINES=5000 for a long look, with SG_ASPECT, SG_RATIO and SG_MODULI for other shapes.
SG_TEST(slender_shapes_press_as_sums_over_lines_do)
{
    const char *limit = getenv("SG_LIMIT");
    asked ask = {.aspect = asked_for("SG_ASPECT", 100),
                 .ratio = asked_for("SG_RATIO", 10),
                 .moduli = asked_for("SG_MODULI", 1),
                 .limit = limit ? atof(limit) : 0.01};
    int n = asked_for("SG_LINES", 60);
    int few = look_at_slender(&ask, n, (uint64_t)asked_for("SG_SEED", 5));
    if (getenv("SG_LINES"))
        printf("%d of %d off by more than %g\n", few, n, ask.limit);
}
