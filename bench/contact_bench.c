// The contact pipeline: time of an evaluation by mode, for 16 balls on a table and for many
// spheres, and of the bound on a step. Nothing but contact is measured; bodies stand where they are
// told.
#include "bench/bench.h"
#include "contact/contacts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct record {
    sg_pose pose;
    sg_motion vel, acc;
} record;

typedef struct setup {
    sg_arena arena;
    sg_palette palette;
    sg_shape ball, table, cushion[2];
    sg_collider *collider;
    sg_contact_part *part;
    int n_shapes, n_bodies;
    record *body;
    sg_force *force;
    sg_candidates candidates;
    sg_contact_table pairs;
    sg_contacts contacts;
    sg_detect_mode mode;
    int repeat;
    double shift; // of all bodies, to and fro
} setup;

static sg_body_view view_of(const setup *s)
{
    return (sg_body_view){&s->body[0].pose, &s->body[0].vel, &s->body[0].acc, sizeof *s->body,
                          s->n_bodies};
}

static const char *const names[] = {"Ball", "Table", "Cushion"};

static void add_pair(setup *s, int a, int b, double restitution, double friction, double rolling)
{
    sg_contact_material m = sg_contact_material_make(names[a], names[b]);
    m.restitution = restitution;
    m.friction = friction;
    m.rolling = rolling;
    sg_palette_put_contact(&s->palette, &m);
}

static void begin(setup *s, int bodies, int shapes)
{
    memset(s, 0, sizeof *s);
    sg_arena_init(&s->arena, sg_allocator_default());
    sg_palette_init(&s->palette, sg_allocator_default());
    add_pair(s, 0, 0, 1.0, 0.0, 0.0);
    add_pair(s, 0, 1, 0.0, 0.8, 0.01);
    add_pair(s, 0, 2, 0.98, 0.0, 0.0);
    s->collider = calloc((size_t)shapes, sizeof *s->collider);
    s->part = calloc((size_t)shapes, sizeof *s->part);
    s->body = calloc((size_t)bodies, sizeof *s->body);
    s->force = calloc((size_t)bodies, sizeof *s->force);
    s->n_bodies = bodies;
    for (int i = 0; i < bodies; i++)
        s->body[i].pose = POSE_IDENTITY;
}

static void add(setup *s, const sg_shape *shape, int body, sg_vec3 place, int material)
{
    sg_solid_material m = sg_solid_material_make(names[material]);
    m.young = material ? 1.1e10 : 5.4e9;
    m.poisson = material ? 0.4 : 0.34;
    s->part[s->n_shapes] = sg_contact_part_make(shape, &m, material, 0.0);
    s->collider[s->n_shapes++] =
        (sg_collider){shape, pose_translation(place), body, body, body == 0, SG_NO_TUBE, 0, NULL};
}

static void ready(setup *s)
{
    sg_contact_options o = sg_contact_options_make();
    sg_candidates_init(&s->candidates, s->collider, s->n_shapes, NULL, 0, &s->arena);
    sg_contact_table_init(&s->pairs, names, 3, &s->palette, &s->arena);
    sg_contacts_init(&s->contacts, &s->candidates, s->part, &s->pairs, &o, &s->arena,
                     sg_allocator_default());
}

static void end(setup *s)
{
    sg_contacts_destroy(&s->contacts);
    sg_palette_destroy(&s->palette);
    sg_arena_destroy(&s->arena);
    free(s->collider);
    free(s->part);
    free(s->body);
    free(s->force);
}

// The scene of the yardstick: five boxes, 16 balls in a rack but one, all a little in the table.
static void billiard(setup *s)
{
    const double R = 0.03, TX = 2.24, TY = 1.12, LY = 0.05, hz = 7 * R / 5, hzz = hz / 3;
    const char *why;
    begin(s, 17, 21);
    sg_shape_sphere(2 * R, &s->ball, &why);
    sg_shape_box(v3_make(TX, TY, 0.1), 0.001, &s->table, &why);
    sg_shape_box(v3_make(1.5 * LY, TY, hzz), 0.001, &s->cushion[0], &why);
    sg_shape_box(v3_make(TX, 1.5 * LY, hzz), 0.001, &s->cushion[1], &why);
    add(s, &s->table, 0, v3_make(0, 0, -0.05), 1);
    for (int k = 0; k < 4; k++) {
        double side = k % 2 ? -1 : 1, x = k < 2 ? TX / 2 - 0.75 * LY : 0;
        add(s, &s->cushion[k / 2], 0,
            v3_make(side * x, k < 2 ? 0 : side * (TY / 2 - 0.75 * LY), hz + hzz / 2), 2);
    }
    s->body[1].pose.r = v3_make(-0.8, -0.1, R - 1e-6);
    s->body[1].vel.v = v3_make(3, 0.1, 0);
    int b = 2;
    for (int row = 0; row < 5; row++)
        for (int j = 0; j <= row; j++, b++)
            s->body[b].pose.r = v3_make(TX / 6 + row * (0.8660254037844386 * 0.06 + 1e-4),
                                        (0.5 * row - j) * (0.06 + 1e-4), R - 1e-6);
    for (b = 1; b < 17; b++)
        add(s, &s->ball, b, V3_ZERO, 0);
    ready(s);
}

// Spheres on a grid, each in contact with none or with its neighbors along x.
static void crowd(setup *s, int n, double pitch)
{
    const char *why;
    begin(s, n + 1, n);
    sg_shape_sphere(0.06, &s->ball, &why);
    int side = 1;
    while (side * side * side < n)
        side++;
    for (int i = 0; i < n; i++) {
        int x = i % side, y = i / side % side, z = i / side / side;
        s->body[i + 1].pose.r = v3_make(pitch * x, 0.08 * y, 0.08 * z);
        s->body[i + 1].vel.v = v3_make(0.1 * (i % 7), 0.2 * (i % 3), -0.1 * (i % 5));
        add(s, &s->ball, i + 1, V3_ZERO, 0);
    }
    ready(s);
}

static void move(setup *s)
{
    s->shift = s->shift > 0 ? -1e-7 : 1e-7;
    for (int b = 1; b < s->n_bodies; b++)
        s->body[b].pose.r.x += s->shift;
}

static void evaluate(void *context)
{
    setup *s = context;
    sg_body_view view = view_of(s);
    for (int i = 0; i < s->repeat; i++) {
        move(s);
        sg_contacts_evaluate(&s->contacts, s->mode, 0.0, &view,
                             s->mode == SG_DETECT_CROSSINGS ? NULL : s->force);
    }
}

static void bound(void *context)
{
    setup *s = context;
    sg_body_view view = view_of(s);
    sg_motion_bound b;
    for (int i = 0; i < s->repeat; i++) {
        move(s);
        sg_detect_bound(&s->contacts.detect, &view, false, 1.0, &b);
    }
}

static void measure(const char *scene, setup *s)
{
    static const char *const mode[] = {"event", "crossings", "forces"};
    char name[64], extra[128];
    int n = s->n_bodies - 1;
    s->repeat = 20000 / n + 1;
    for (int m = 0; m < 3; m++) {
        s->mode = (sg_detect_mode)m;
        int64_t growths = s->contacts.detect.stats.growths;
        if (m == 0) { // the first one makes room
            evaluate(s);
            growths = s->contacts.detect.stats.growths;
        }
        double time = bench_minimum(evaluate, s, 20) / s->repeat;
        snprintf(name, sizeof name, "contact_%s_%s", scene, mode[m]);
        snprintf(extra, sizeof extra, "\"contacts\": %zu, \"us\": %.3f, \"allocations\": %ld",
                 s->contacts.contact.len, 1e6 * time,
                 (long)(s->contacts.detect.stats.growths - growths));
        bench_print(name, n, "bodies", time, extra);
    }
    double time = bench_minimum(bound, s, 20) / s->repeat;
    snprintf(name, sizeof name, "contact_%s_bound", scene);
    snprintf(extra, sizeof extra, "\"us\": %.3f", 1e6 * time);
    bench_print(name, n, "bodies", time, extra);
    end(s);
}

int main(void)
{
    static setup s;
    billiard(&s);
    measure("billiard", &s);
    crowd(&s, 100, 0.08);
    measure("apart", &s);
    crowd(&s, 1000, 0.08);
    measure("apart", &s);
    crowd(&s, 100, 0.0599);
    measure("rows", &s);
    crowd(&s, 1000, 0.0599);
    measure("rows", &s);
    return 0;
}
