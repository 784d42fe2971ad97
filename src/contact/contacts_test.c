#include "contact/contacts.h"

#include "contact/couple.h"
#include "harness/sg_test_math.h"

#include <string.h>

#define BODIES 40
#define SHAPES 48

// Free bodies with a diagonal inertia and shapes, in uniform gravity; body 0 does not move. A state
// of a body is twelve numbers and nine: place, velocity, spin, and the rotation matrix as it is.
typedef struct record {
    sg_pose pose;
    sg_motion vel, acc;
} record;

typedef struct world {
    sg_test_allocator allocator;
    sg_arena arena;
    sg_palette palette;
    sg_shape shape[SHAPES];
    sg_collider collider[SHAPES];
    sg_contact_part part[SHAPES];
    int n_shapes, n_bodies;
    double mass[BODIES], inertia[BODIES];
    record body[BODIES];
    sg_vec3 gravity;
    sg_candidates candidates;
    sg_contact_table table;
    sg_contacts contacts;
    double time;
    double lost; // integral of the contacts' losses [J]
} world;

static world w;

static sg_body_view view_of(void)
{
    return (sg_body_view){&w.body[0].pose, &w.body[0].vel, &w.body[0].acc, sizeof w.body[0],
                          w.n_bodies};
}

static void world_begin(void)
{
    memset(&w, 0, sizeof w);
    sg_test_allocator_init(&w.allocator, 0);
    sg_arena_init(&w.arena, &w.allocator.allocator);
    sg_palette_init(&w.palette, &w.allocator.allocator);
    w.n_bodies = 1;
    w.body[0].pose = POSE_IDENTITY;
}

static int add_body(double mass, double inertia, sg_vec3 r)
{
    int k = w.n_bodies++;
    w.mass[k] = mass;
    w.inertia[k] = inertia;
    w.body[k] = (record){.pose = pose_translation(r)};
    return k;
}

static void add_shape(sg_shape shape, int body, sg_vec3 place, double young, double poisson,
                      int material)
{
    int i = w.n_shapes++;
    sg_solid_material m = sg_solid_material_make("m");
    m.young = young;
    m.poisson = poisson;
    w.shape[i] = shape;
    w.collider[i] = (sg_collider){
        &w.shape[i], pose_translation(place), body, body, body == 0, SG_NO_TUBE, 0, NULL, 0, 0};
    w.part[i] = sg_contact_part_make(&w.shape[i], &m, material, 0.0);
}

static sg_shape ball(double d)
{
    sg_shape s;
    const char *why;
    sg_shape_sphere(d, &s, &why);
    return s;
}

static sg_shape box(double x, double y, double z)
{
    sg_shape s;
    const char *why;
    sg_shape_box(v3_make(x, y, z), 0.001, &s, &why);
    return s;
}

static void add_pair(const char *a, const char *b, double restitution, double friction,
                     double rolling)
{
    sg_contact_material m = sg_contact_material_make(a, b);
    m.restitution = restitution;
    m.friction = friction;
    m.rolling = rolling;
    SG_CHECK(sg_palette_put_contact(&w.palette, &m));
}

static void world_ready(const char *const *names, int n, const sg_contact_options *options)
{
    sg_contact_options o = options ? *options : sg_contact_options_make();
    SG_CHECK(sg_candidates_init(&w.candidates, w.collider, w.n_shapes, NULL, 0, &w.arena) == SG_OK);
    SG_CHECK(sg_contact_table_init(&w.table, names, n, &w.palette, &w.arena) == SG_OK);
    SG_CHECK(sg_contacts_init(&w.contacts, &w.candidates, w.part, &w.table, &o, &w.arena,
                              &w.allocator.allocator) == SG_OK);
}

static void world_end(void)
{
    sg_contacts_destroy(&w.contacts);
    sg_palette_destroy(&w.palette);
    sg_arena_destroy(&w.arena);
    SG_CHECK(w.allocator.live_blocks == 0);
}

// --- a small integrator: classical Runge-Kutta, with events found by halving

typedef struct slope {
    sg_vec3 r, v, w;
    sg_mat3 R;
} slope;

static void slopes(slope *out, double *loss)
{
    static sg_force force[BODIES];
    memset(force, 0, sizeof force);
    sg_body_view view = view_of();
    SG_CHECK(sg_contacts_evaluate(&w.contacts, SG_DETECT_FORCES, w.time, &view, force) == SG_OK);
    const sg_contact_energy *e = &w.contacts.energy;
    *loss = e->damped + e->slid + e->rolled;
    for (int k = 1; k < w.n_bodies; k++) {
        record *b = &w.body[k];
        b->acc.v = v3_add_scaled(w.gravity, force[k].f, 1.0 / w.mass[k]);
        b->acc.w = v3_scale(force[k].n, 1.0 / w.inertia[k]); // the same about all axes
        out[k] = (slope){b->vel.v, b->acc.v, b->acc.w, M3_IDENTITY};
        for (int j = 0; j < 3; j++) { // R' = w x R, column by column
            sg_vec3 c = v3_cross(b->vel.w, m3_column(&b->pose.R, j));
            for (int i = 0; i < 3; i++)
                out[k].R.m[i][j] = v3_get(c, i);
        }
    }
}

static void go(const record *from, const slope *s, double h)
{
    for (int k = 1; k < w.n_bodies; k++) {
        record *b = &w.body[k];
        *b = from[k];
        b->pose.r = v3_add_scaled(b->pose.r, s[k].r, h);
        b->vel.v = v3_add_scaled(b->vel.v, s[k].v, h);
        b->vel.w = v3_add_scaled(b->vel.w, s[k].w, h);
        b->pose.R = m3_add(b->pose.R, m3_scale(s[k].R, h));
    }
}

// One step of Runge and Kutta from the present state.
static void step(double h)
{
    static record from[BODIES];
    static slope k1[BODIES], k2[BODIES], k3[BODIES], k4[BODIES];
    double l1, l2, l3, l4;
    memcpy(from, w.body, sizeof from);
    slopes(k1, &l1);
    go(from, k1, 0.5 * h);
    slopes(k2, &l2);
    go(from, k2, 0.5 * h);
    slopes(k3, &l3);
    go(from, k3, h);
    slopes(k4, &l4);
    for (int k = 1; k < w.n_bodies; k++) {
        slope *s = &k1[k];
        s->r = v3_add(v3_add(s->r, k4[k].r), v3_scale(v3_add(k2[k].r, k3[k].r), 2));
        s->v = v3_add(v3_add(s->v, k4[k].v), v3_scale(v3_add(k2[k].v, k3[k].v), 2));
        s->w = v3_add(v3_add(s->w, k4[k].w), v3_scale(v3_add(k2[k].w, k3[k].w), 2));
        s->R = m3_add(m3_add(s->R, k4[k].R), m3_scale(m3_add(k2[k].R, k3[k].R), 2));
    }
    go(from, k1, h / 6);
    w.time += h;
    w.lost += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
}

static void crossings(double *zd, double *zp)
{
    sg_body_view view = view_of();
    SG_CHECK(sg_contacts_evaluate(&w.contacts, SG_DETECT_CROSSINGS, w.time, &view, NULL) == SG_OK);
    *zd = w.contacts.detect.zd;
    *zp = w.contacts.detect.zp;
}

static void event(void)
{
    sg_body_view view = view_of();
    SG_CHECK(sg_contacts_evaluate(&w.contacts, SG_DETECT_EVENT, w.time, &view, NULL) == SG_OK);
}

// The force on the first body, at w.time.
static double push_of(sg_detect_mode mode)
{
    sg_force force[BODIES] = {0};
    sg_body_view view = view_of();
    SG_CHECK(sg_contacts_evaluate(&w.contacts, mode, w.time, &view, force) == SG_OK);
    return force[1].f.z;
}

// Steps of h, or of `fine` while there is contact, up to the end or the next event; halves the last
// step until the event is met to a few times the machine's precision.
static bool run_to_event(double end, double h, double fine)
{
    static record from[BODIES];
    double zd, zp;
    while (w.time < end) {
        double dt = w.contacts.contact.len ? fine : h;
        dt = fmin(dt, end - w.time);
        memcpy(from, w.body, sizeof from);
        double time = w.time, lost = w.lost;
        step(dt);
        crossings(&zd, &zp);
        if (zd > 0.0 && zp < 0.0)
            continue;
        double lo = 0.0, hi = dt; // the event is in (lo, hi], and hi is beyond it
        for (int i = 0; i < 60; i++) {
            double mid = 0.5 * (lo + hi);
            memcpy(w.body, from, sizeof from);
            w.time = time;
            w.lost = lost;
            step(mid);
            crossings(&zd, &zp);
            *(zd > 0.0 && zp < 0.0 ? &lo : &hi) = mid;
        }
        memcpy(w.body, from, sizeof from);
        w.time = time;
        w.lost = lost;
        step(hi);
        event();
        return true;
    }
    return false;
}

static double energy(void)
{
    static sg_force force[BODIES];
    sg_body_view view = view_of();
    SG_CHECK(sg_contacts_evaluate(&w.contacts, SG_DETECT_FORCES, w.time, &view, force) == SG_OK);
    double e = w.contacts.energy.stored;
    for (int k = 1; k < w.n_bodies; k++)
        e += 0.5 * w.mass[k] * v3_norm2(w.body[k].vel.v) +
             0.5 * w.inertia[k] * v3_norm2(w.body[k].vel.w) -
             w.mass[k] * v3_dot(w.gravity, w.body[k].pose.r);
    return e;
}

static const char *const one[] = {"Steel"};

// A ball of the given mass and diameter falls on a plate; returns speed after over speed before.
static double bounce(double restitution, double height, double mass, double d, double young,
                     double *gain, const sg_contact_options *options)
{
    world_begin();
    w.gravity = v3_make(0, 0, -9.81);
    add_pair("Steel", "Steel", restitution, 0.5, 0.001);
    add_shape(box(4, 0.7, 0.1), 0, v3_make(0, 0, -0.05), young, 0.3, 0);
    int k = add_body(mass, 0.4 * mass * 0.25 * d * d, v3_make(0, 0, 0.5 * d + height));
    add_shape(ball(d), k, V3_ZERO, young, 0.3, 0);
    world_ready(one, 1, options);
    event();
    SG_CHECK(w.contacts.contact.len == 0);
    double before = energy();
    SG_CHECK(run_to_event(10, 1e-3, 0));
    SG_CHECK(w.contacts.n_started == 1 && w.contacts.contact.len == 1);
    double in = -w.body[k].vel.v.z;
    SG_NEAR(w.contacts.contact.data[0].start_speed, in, 1e-12, in);
    // As long as a contact lasts: (m / k)^(2/5) v^(-1/5).
    double last = pow(mass / w.contacts.contact.data[0].law.stiffness, 0.4) * pow(in, -0.2);
    SG_CHECK(run_to_event(w.time + 100 * last, 1e-3, last / 400));
    SG_CHECK(w.contacts.n_ended == 1 && w.contacts.contact.len == 0);
    double out = w.body[k].vel.v.z;
    *gain = (energy() + w.lost - before) / before;
    world_end();
    return out / in;
}

SG_TEST(a_ball_with_restitution_one_keeps_its_energy)
{
    double gain;
    double ratio = bounce(1.0, 1.0, 0.001, 0.2, 2e11, &gain, NULL);
    SG_CHECK_MSG(fabs(ratio - 1.0) < 1e-6, "ratio %.9f", ratio);
    SG_CHECK_MSG(fabs(gain) < 1e-6, "energy off by %g", gain);
}

// paper_numbers.md 5: effective restitution of the law, whatever the speed, mass and stiffness; and
// what is lost is accounted for.
SG_TEST(balls_rebound_with_the_effective_restitution_of_the_law)
{
    static const double known[][2] = {{0.98, 0.97869}, {0.9, 0.89392}, {0.8, 0.78854},
                                      {0.7, 0.68318},  {0.6, 0.57728}, {0.5, 0.47044},
                                      {0.3, 0.25621},  {0.1, 0.06944}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double gain, ratio = bounce(known[i][0], 1.0, 0.001, 0.2, 2e11, &gain, NULL);
        SG_NEAR(ratio, known[i][1], 2e-5, 1.0);
        SG_CHECK_MSG(fabs(gain) < 1e-6, "cor %g: energy off by %g", known[i][0], gain);
    }
    double gain;
    SG_NEAR(bounce(0.7, 0.3, 0.1, 0.1, 2e11, &gain, NULL), 0.68318, 1e-4, 1.0);
    // The released program's law is the same above the threshold.
    sg_contact_options o = sg_contact_options_make();
    o.law.nonsmooth_restitution = o.law.pulls = true;
    SG_NEAR(bounce(0.7, 1.0, 0.001, 0.2, 2e11, &gain, &o), 0.68318, 2e-5, 1.0);
}

// Three balls in a row on a floor, all touching: 0 with 1, which strike each other, 1 with 2, and
// each with the floor or not.
static bool row_gives_back(double first, double second, double floor, bool lies)
{
    static const char *const names[] = {"Left", "Middle", "Right", "Floor"};
    static const bool moves[] = {false, true, true, true};
    world_begin();
    add_pair("Left", "Middle", first, 0.3, 0.0);
    add_pair("Middle", "Right", second, 0.0, 0.0);
    for (int i = 0; i < 3; i++)
        add_pair("Floor", names[i], floor, 0.0, 0.0);
    add_shape(box(9, 1, 9), 0, v3_make(0, -0.5, 0), 2e11, 0.3, 3);
    for (int i = 0; i < 3; i++) {
        int k = add_body(1.0, 0.01, v3_make(0.0999 * i, lies ? 0.0499 : 0.2, 0));
        w.body[k].vel.v = v3_make(1.0 - i, -1, 0);
        add_shape(ball(0.1), k, V3_ZERO, 2e11, 0.3, i);
    }
    world_ready(names, 4, NULL);
    event();
    SG_CHECK(w.contacts.contact.len == (lies ? 5 : 2));
    bool back = sg_contacts_give_back(&w.contacts, moves);
    world_end();
    return back;
}

SG_TEST(bodies_keep_their_energy_where_none_of_their_contacts_is_damped)
{
    SG_CHECK(row_gives_back(1.0, 1.0, 1.0, false));
    SG_CHECK(row_gives_back(1.0, 1.0, 1.0, true));
    SG_CHECK(!row_gives_back(0.7, 0.5, 1.0, false));
    SG_CHECK(!row_gives_back(1.0, 0.5, 1.0, false)); // the middle one is in both
    // The left one with the floor, which does not move and may be in others that are damped.
    SG_CHECK(!row_gives_back(1.0, 1.0, 0.7, true));
    SG_CHECK(row_gives_back(1.0, 0.7, 1.0, true));
}

static void two_balls(double friction, double *momentum, double *angular, double *gain)
{
    world_begin();
    add_pair("Steel", "Steel", 0.7, friction, 0.001);
    double I = 0.4 * 0.2 * 0.03 * 0.03;
    int a = add_body(0.2, I, V3_ZERO), b = add_body(0.3, 1.5 * I, v3_make(0.2, 0.02, 0.01));
    w.body[a].vel = (sg_motion){v3_make(20, -5, 3), v3_make(2, 0.1, 0)};
    w.body[b].vel = (sg_motion){v3_make(-10, 30, 8), v3_make(-1, 0, 0)};
    add_shape(ball(0.06), a, V3_ZERO, 5.4e9, 0.34, 0);
    add_shape(ball(0.06), b, V3_ZERO, 5.4e9, 0.34, 0);
    world_ready(one, 1, NULL);
    sg_vec3 p[2], L[2];
    double e[2];
    event();
    for (int i = 0; i < 2; i++) {
        p[i] = L[i] = V3_ZERO;
        for (int k = 1; k < 3; k++) {
            sg_vec3 mv = v3_scale(w.body[k].vel.v, w.mass[k]);
            p[i] = v3_add(p[i], mv);
            L[i] = v3_add(L[i], v3_cross(w.body[k].pose.r, mv));
            L[i] = v3_add_scaled(L[i], w.body[k].vel.w, w.inertia[k]);
        }
        e[i] = energy() + w.lost;
        if (i == 0) {
            SG_CHECK(run_to_event(1, 1e-3, 0));
            SG_CHECK(run_to_event(2, 1e-3, 2e-7));
            SG_CHECK(w.contacts.contact.len == 0 && w.contacts.started == 1);
        }
    }
    *momentum = v3_distance(p[0], p[1]) / v3_norm(p[0]);
    *angular = v3_distance(L[0], L[1]) / v3_norm(L[0]);
    *gain = (e[1] - e[0]) / e[0];
    world_end();
}

SG_TEST(two_balls_keep_momentum_and_angular_momentum_and_their_energy_is_accounted_for)
{
    double p, L, gain;
    for (int i = 0; i < 2; i++) {
        two_balls(i ? 0.3 : 0.0, &p, &L, &gain);
        SG_CHECK_MSG(p < 1e-13 && L < 1e-12, "momentum off by %g, angular momentum by %g", p, L);
        SG_CHECK_MSG(fabs(gain) < 1e-7, "energy off by %g", gain);
    }
}

// paper_numbers.md 6: a sliding ball rolls after 2 v0 / (7 mu g), with 5/7 of its speed.
SG_TEST(a_ball_that_slides_on_a_table_ends_up_rolling)
{
    world_begin();
    w.gravity = v3_make(0, 0, -9.81);
    add_pair("Steel", "Steel", 0.0, 0.8, 0.0);
    double d = 0.06, m = 0.2;
    add_shape(box(4, 1, 0.1), 0, v3_make(0, 0, -0.05), 1e7, 0.4, 0);
    int k = add_body(m, 0.4 * m * 0.25 * d * d, v3_make(0, 0, 0.5 * d - 1e-4));
    w.body[k].vel.v.x = 3;
    add_shape(ball(d), k, V3_ZERO, 1e7, 0.34, 0);
    world_ready(one, 1, NULL);
    event();
    SG_CHECK(w.contacts.contact.len == 1);
    double start = energy();
    while (run_to_event(0.2, 1e-5, 1e-5))
        ;
    SG_NEAR(w.body[k].vel.v.x, 3 * 5.0 / 7.0, 2e-3, 1.0);
    SG_CHECK(w.contacts.contact.data[0].action.slide < 1e-4);
    SG_CHECK(fabs(energy() + w.lost - start) < 1e-4 * start);
    SG_CHECK(w.lost > 0.2 * start);
    world_end();
}

SG_TEST(contacts_that_go_on_keep_their_law_and_evaluations_allocate_nothing)
{
    sg_rng rng = sg_rng_seeded(51);
    world_begin();
    add_pair("Steel", "Steel", 0.7, 0.5, 0.001);
    add_shape(box(4, 4, 0.1), 0, v3_make(0, 0, -0.05), 1e7, 0.3, 0);
    for (int i = 0; i < 30; i++) {
        int k = add_body(1, 0.01, v3_add(sg_rng_vec3(&rng, -0.5, 0.5), v3_make(0, 0, 0.5)));
        w.body[k].pose.R = sg_rng_rotation(&rng);
        w.body[k].vel = (sg_motion){sg_rng_vec3(&rng, -2, 2), sg_rng_vec3(&rng, -1, 1)};
        add_shape(i % 3 ? ball(0.2) : box(0.2, 0.25, 0.15), k, V3_ZERO, 1e7, 0.3, 0);
    }
    world_ready(one, 1, NULL);
    uint64_t requests = w.allocator.requests;
    static sg_force force[BODIES];
    sg_body_view view = view_of();
    long kept = 0;
    for (int e = 0; e < 40; e++) {
        static sg_contact before[400];
        static sg_touch touch[400];
        size_t n = w.contacts.contact.len;
        SG_REQUIRE(n <= 400);
        memcpy(before, w.contacts.contact.data, n * sizeof *before);
        memcpy(touch, w.contacts.detect.touch.data, n * sizeof *touch);
        w.time = e;
        memset(force, 0, sizeof force);
        SG_CHECK(sg_contacts_evaluate(&w.contacts, SG_DETECT_EVENT, w.time, &view, force) == SG_OK);
        for (size_t i = 0; i < w.contacts.contact.len; i++) {
            const sg_touch *t = &w.contacts.detect.touch.data[i];
            const sg_contact *c = &w.contacts.contact.data[i];
            SG_CHECK(t->is_new == (c->start_time == e));
            for (size_t k = 0; k < n; k++)
                if (touch[k].a == t->a && touch[k].b == t->b) {
                    SG_CHECK(!t->is_new && c->start_time == before[k].start_time &&
                             c->law.damping == before[k].law.damping);
                    kept++;
                }
        }
        SG_CHECK(w.contacts.started - w.contacts.ended == (int64_t)w.contacts.contact.len);
        // Forces come in pairs.
        sg_vec3 f = V3_ZERO, n0 = V3_ZERO;
        for (int k = 0; k < w.n_bodies; k++) {
            f = v3_add(f, force[k].f);
            n0 = v3_add(n0, v3_add(force[k].n, v3_cross(w.body[k].pose.r, force[k].f)));
        }
        SG_CHECK(v3_norm(f) < 1e-7 && v3_norm(n0) < 1e-7);
        for (int k = 1; k < w.n_bodies; k++) {
            w.body[k].pose.r = v3_add_scaled(w.body[k].pose.r, w.body[k].vel.v, 0.01);
            for (int i = 0; i < 2; i++)
                SG_CHECK(sg_contacts_evaluate(&w.contacts,
                                              i ? SG_DETECT_FORCES : SG_DETECT_CROSSINGS, w.time,
                                              &view, i ? force : NULL) == SG_OK);
        }
    }
    SG_CHECK_MSG(kept > 100, "%ld contacts went on", kept);
    SG_CHECK(w.allocator.requests == requests);
    world_end();
}

SG_TEST(a_missing_or_unavailable_response_names_the_pair_and_a_watch_does_not_push)
{
    static const char *const names[] = {"Steel", "Wax", "Rail", "Eye"};
    world_begin();
    add_pair("Steel", "Steel", 0.7, 0.5, 0);
    sg_contact_material m = sg_contact_material_make("Steel", "Rail");
    m.response = SG_CONTACT_WHEEL_RAIL;
    sg_palette_put_contact(&w.palette, &m);
    m = sg_contact_material_make("Eye", "Steel");
    m.response = SG_CONTACT_WATCH;
    m.alarm = true;
    sg_palette_put_contact(&w.palette, &m);
    add_shape(box(8, 4, 0.1), 0, v3_make(0, 0, -0.05), 1e7, 0.3, 0);
    for (int i = 1; i < 4; i++)
        add_shape(ball(0.2), add_body(1, 1, v3_make(i, 0, 1)), V3_ZERO, 1e7, 0.3, i);
    world_ready(names, 4, NULL);
    // Wax with all but itself, of which there is one only; Rail and Eye know only Steel.
    int a = 0, b = 0, i, j, missing = 0;
    while (sg_contacts_missing(&w.contacts, &a, &b, &i, &j)) {
        missing++;
        SG_CHECK(!sg_contact_table_get(&w.table, w.part[i].material, w.part[j].material));
    }
    SG_CHECK_MSG(missing == 4, "%d missing", missing);
    sg_body_view view = view_of();
    static sg_force force[BODIES];
    SG_CHECK(sg_contacts_evaluate(&w.contacts, SG_DETECT_EVENT, 0, &view, force) == SG_OK);
    w.body[1].pose.r.z = 0.09;
    SG_CHECK(sg_contacts_evaluate(&w.contacts, SG_DETECT_EVENT, 0, &view, force) == SG_ERR_MODEL);
    SG_CHECK(w.contacts.detect.failure.a == 0 && w.contacts.detect.failure.b == 1);
    w.body[1].pose.r.z = 1;
    SG_CHECK(sg_contacts_evaluate(&w.contacts, SG_DETECT_EVENT, 0, &view, force) == SG_OK);
    w.body[2].pose.r.z = 0.09;
    SG_CHECK(sg_contacts_evaluate(&w.contacts, SG_DETECT_EVENT, 0, &view, force) == SG_ERR_MODEL);
    SG_CHECK(strstr(w.contacts.detect.failure.message, "wheel-rail"));
    w.body[2].pose.r.z = 1;
    w.body[3].pose.r.z = 0.09;
    SG_CHECK(sg_contacts_evaluate(&w.contacts, SG_DETECT_EVENT, 0, &view, force) == SG_OK);
    SG_CHECK(w.contacts.contact.len == 1 && w.contacts.contact.data[0].alarm);
    SG_CHECK(v3_norm(force[3].f) == 0.0);
    SG_NEAR(w.contacts.contact.data[0].action.penetration, 0.01, 1e-9, 1.0);
    world_end();
}

SG_TEST(the_contact_graph_couples_moving_bodies_only)
{
    world_begin();
    add_pair("Steel", "Steel", 0.7, 0.5, 0);
    add_shape(box(9, 4, 0.1), 0, v3_make(0, 0, -0.05), 1e7, 0.3, 0);
    // On the table a row: three that touch, a gap, two that touch, one alone in the air.
    static const double x[] = {0, 0.19, 0.38, 1, 1.19, 3};
    for (int i = 0; i < 6; i++)
        add_shape(ball(0.2), add_body(1, 1, v3_make(x[i], 0, i < 5 ? 0.0999 : 1)), V3_ZERO, 1e7,
                  0.3, 0);
    world_ready(one, 1, NULL);
    event();
    SG_CHECK(w.contacts.contact.len == 8);
    bool moves[7] = {false, true, true, true, true, true, true};
    sg_body_pair pair[8];
    SG_CHECK(sg_contacts_coupled(&w.contacts, moves, pair, 8) == 3);
    SG_CHECK(pair[0].a == 1 && pair[0].b == 2 && pair[1].a == 2 && pair[1].b == 3 &&
             pair[2].a == 4 && pair[2].b == 5);
    int64_t graph = w.contacts.graph;
    event();
    SG_CHECK(w.contacts.graph == graph);
    w.body[6].pose.r.z = 0.09;
    event();
    SG_CHECK(w.contacts.graph != graph && push_of(SG_DETECT_EVENT) > 0.0);
    // An event of few looks at their contacts, and leaves the others as they were.
    const bool moved[7] = {[6] = true};
    w.contacts.detect.few = (sg_detect_few){.on = true, .moved = moved};
    w.body[1].pose.r.z = w.body[6].pose.r.z = 0.08;
    SG_CHECK(push_of(SG_DETECT_EVENT) == 0.0);
    const sg_contact *on_plate = w.contacts.contact.data;
    SG_CHECK(on_plate[5].peak.depth > 0.019 && on_plate[0].peak.depth < 2e-4);
    SG_CHECK(on_plate[5].action.penetration > 0.019 && on_plate[0].action.penetration < 2e-4);
    world_end();
}

SG_TEST(a_new_segment_takes_over_the_contacts_that_go_on)
{
    world_begin();
    add_pair("Steel", "Steel", 0.7, 0.5, 0);
    add_shape(box(9, 4, 0.1), 0, v3_make(0, 0, -0.05), 1e7, 0.3, 0);
    for (int i = 0; i < 3; i++) {
        add_shape(ball(0.2), add_body(1, 1, v3_make(i, 0, 0.0999)), V3_ZERO, 1e7, 0.3, 0);
        w.body[i + 1].vel.v.z = -0.1 * (i + 1);
    }
    world_ready(one, 1, NULL);
    event();
    // The new segment has the balls in the reverse order, without the second, and the plate last.
    static sg_collider collider[3];
    static sg_contact_part part[3];
    const int fresh[4] = {2, 1, -1, 0}, old_of[3] = {3, 1, 0};
    for (int i = 0; i < 3; i++) {
        collider[i] = w.collider[old_of[i]];
        part[i] = w.part[old_of[i]];
    }
    sg_candidates candidates;
    sg_contacts next;
    sg_contact_options o = sg_contact_options_make();
    SG_CHECK(sg_candidates_init(&candidates, collider, 3, NULL, 0, &w.arena) == SG_OK);
    SG_CHECK(sg_contacts_init(&next, &candidates, part, &w.table, &o, &w.arena,
                              &w.allocator.allocator) == SG_OK);
    SG_CHECK(sg_contacts_carry(&next, &w.contacts, fresh) == SG_OK);
    for (int i = 0; i < 4; i++)
        w.body[i].vel.v.z = 0.0;
    sg_body_view view = view_of();
    SG_CHECK(sg_contacts_evaluate(&next, SG_DETECT_EVENT, 5.0, &view, NULL) == SG_OK);
    SG_CHECK(next.contact.len == 2 && next.n_started == 0);
    SG_NEAR(next.contact.data[0].start_speed, 0.3, 1e-12, 1.0);
    SG_NEAR(next.contact.data[1].start_speed, 0.1, 1e-12, 1.0);
    SG_CHECK(next.detect.touch.data[0].n.z < -0.99); // from the ball to the plate now
    sg_contacts_destroy(&next);
    world_end();
}

SG_TEST(a_second_place_of_evaluation_gives_the_same_forces_and_crossings)
{
    sg_rng rng = sg_rng_seeded(81);
    world_begin();
    add_pair("Steel", "Steel", 0.7, 0.5, 0.001);
    add_shape(box(4, 4, 0.1), 0, v3_make(0, 0, -0.05), 1e7, 0.3, 0);
    int same[13] = {0};
    for (int i = 1; i < 13; i++) {
        int k = add_body(1, 0.01, sg_rng_vec3(&rng, 0.05, 0.5));
        w.body[k].vel = (sg_motion){sg_rng_vec3(&rng, -2, 2), sg_rng_vec3(&rng, -1, 1)};
        add_shape(i % 3 ? ball(0.2) : box(0.2, 0.25, 0.15), k, V3_ZERO, 1e7, 0.3, 0);
        same[i] = i;
    }
    world_ready(one, 1, NULL);
    event();
    SG_CHECK(w.contacts.contact.len > 5);
    sg_contacts other;
    sg_contact_options o = sg_contact_options_make();
    SG_CHECK(sg_contacts_init(&other, &w.candidates, w.part, &w.table, &o, &w.arena,
                              &w.allocator.allocator) == SG_OK);
    SG_CHECK(sg_contacts_carry(&other, &w.contacts, same) == SG_OK);
    for (int k = 1; k < w.n_bodies; k++)
        w.body[k].pose.r = v3_add_scaled(w.body[k].pose.r, w.body[k].vel.v, 0.003);
    sg_body_view view = view_of();
    static sg_force here[BODIES], there[BODIES];
    memset(here, 0, sizeof here);
    memset(there, 0, sizeof there);
    SG_CHECK(sg_contacts_evaluate(&other, SG_DETECT_CROSSINGS, 0, &view, there) == SG_OK);
    SG_CHECK(sg_contacts_evaluate(&w.contacts, SG_DETECT_CROSSINGS, 0, &view, here) == SG_OK);
    SG_NEAR(other.detect.zd, w.contacts.detect.zd, 1e-12, 1.0);
    SG_NEAR(other.detect.zp, w.contacts.detect.zp, 1e-12, 1.0);
    for (int k = 0; k < w.n_bodies; k++)
        SG_CHECK(v3_distance(here[k].f, there[k].f) <= 1e-9 * (1 + v3_norm(here[k].f)));
    sg_contacts_destroy(&other);
    world_end();
}

// Whichever request the allocator refuses, building or making room at an event ends with a status,
// and nothing leaks.
SG_TEST(memory_that_runs_out_is_a_status_wherever_it_does)
{
    static sg_shape shape[40];
    static sg_collider collider[40];
    static sg_contact_part part[40];
    static record body[40];
    static const char *why;
    sg_palette palette;
    sg_palette_init(&palette, sg_allocator_default());
    sg_contact_material m = sg_contact_material_make("Steel", "Steel");
    SG_CHECK(sg_palette_put_contact(&palette, &m));
    sg_solid_material solid = sg_solid_material_make("Steel");
    solid.young = 1e7;
    solid.poisson = 0.3;
    sg_rng rng = sg_rng_seeded(61);
    for (int i = 0; i < 40; i++) { // all in one heap: more contacts than the first room holds
        sg_shape_box(v3_make(1, 1.1, 1.2), 0.001, &shape[i], &why);
        collider[i] =
            (sg_collider){&shape[i], POSE_IDENTITY, i, i, false, SG_NO_TUBE, 0, NULL, 0, 0};
        part[i] = sg_contact_part_make(&shape[i], &solid, 0, 0.0);
        body[i].pose = sg_rng_pose(&rng, 0.1);
    }
    sg_body_view view = {&body[0].pose, &body[0].vel, NULL, sizeof *body, 40};
    int refused = 0, late = 0;
    bool done = false;
    for (uint64_t k = 1; k < 100 && !done; k++) {
        sg_test_allocator a;
        sg_test_allocator_init(&a, k);
        sg_arena arena;
        sg_arena_init(&arena, &a.allocator);
        sg_candidates candidates;
        sg_contact_table table;
        sg_contacts contacts = {0};
        sg_contact_options o = sg_contact_options_make();
        sg_status status = sg_candidates_init(&candidates, collider, 40, NULL, 0, &arena);
        if (!status)
            status = sg_contact_table_init(&table, one, 1, &palette, &arena);
        if (!status)
            status =
                sg_contacts_init(&contacts, &candidates, part, &table, &o, &arena, &a.allocator);
        bool built = !status;
        if (!status)
            status = sg_contacts_evaluate(&contacts, SG_DETECT_EVENT, 0, &view, NULL);
        SG_CHECK(status == SG_OK || status == SG_ERR_MEMORY);
        refused += status == SG_ERR_MEMORY;
        late += built && status;
        done = status == SG_OK;
        if (done)
            SG_CHECK(contacts.contact.len > 600 && contacts.detect.stats.growths > 0);
        sg_contacts_destroy(&contacts);
        sg_arena_destroy(&arena);
        SG_CHECK(a.live_blocks == 0);
    }
    SG_CHECK_MSG(done && refused > 5 && late > 1, "%d refused, %d of them late", refused, late);
    sg_palette_destroy(&palette);
}

// The released program's law pulls where ours is held at zero; distances are those of its scale.
SG_TEST(the_released_law_pulls_while_bodies_leave)
{
    sg_contact_options o = sg_contact_options_make();
    SG_CHECK(o.detect.eps == 1e-13);
    o.detect.measure = SG_MEASURE_PORTAL;
    o.detect.mpr.reference_shapes = o.detect.mpr.reference_scaling = true;
    o.law.nonsmooth_restitution = o.law.pulls = true;
    o.sticks = SG_STICK_NEVER;
    for (int i = 0; i < 2; i++) {
        world_begin();
        add_pair("Steel", "Steel", 0.0, 0.0, 0.0);
        add_shape(box(4, 4, 0.1), 0, v3_make(0, 0, -0.05), 1e7, 0.3, 0);
        int k = add_body(1, 1, v3_make(0, 0, 0.0999));
        add_shape(ball(0.2), k, V3_ZERO, 1e7, 0.3, 0);
        world_ready(one, 1, i ? &o : NULL);
        event();
        SG_CHECK(w.contacts.contact.len == 1 && w.contacts.contact.data[0].law.damping == 2000.0);
        w.body[k].vel.v.z = 0.01; // 1 - 2000 * 0.01 is negative
        static sg_force force[BODIES];
        memset(force, 0, sizeof force);
        sg_body_view view = view_of();
        SG_CHECK(sg_contacts_evaluate(&w.contacts, SG_DETECT_FORCES, 0, &view, force) == SG_OK);
        // A ball above the middle of a box ends by TC1, in meters.
        double p = 1e-4 + 1e-13, E = 1e7 / 0.91 / 2;
        double spring = 4.0 / 3.0 * E * sqrt(0.1) * p * sqrt(p);
        SG_NEAR(force[k].f.z, i ? spring * (1 - 20.0) : 0.0, 1e-9, spring);
        world_end();
    }
}

static uint64_t hash_of_run(void)
{
    uint64_t h = 1469598103934665603u;
    sg_rng rng = sg_rng_seeded(71);
    world_begin();
    w.gravity = v3_make(0, 0, -9.81);
    add_pair("Steel", "Steel", 0.6, 0.4, 0.001);
    add_shape(box(4, 4, 0.1), 0, v3_make(0, 0, -0.05), 1e6, 0.3, 0);
    for (int i = 0; i < 12; i++) {
        int k = add_body(1, 0.004, v3_make(0.3 * (i % 4), 0.3 * (i / 4), 0.16));
        w.body[k].vel = (sg_motion){sg_rng_vec3(&rng, -3, 3), sg_rng_vec3(&rng, -2, 0)};
        add_shape(i % 2 ? ball(0.2) : box(0.2, 0.25, 0.15), k, V3_ZERO, 1e6, 0.3, 0);
    }
    world_ready(one, 1, NULL);
    event();
    while (run_to_event(0.1, 1e-3, 2e-5))
        ;
    SG_CHECK_MSG(w.contacts.started > 10, "%ld contacts", (long)w.contacts.started);
    for (int k = 1; k < w.n_bodies; k++) {
        const unsigned char *byte = (const unsigned char *)&w.body[k];
        for (size_t i = 0; i < sizeof w.body[k]; i++)
            h = (h ^ byte[i]) * 1099511628211u;
    }
    world_end();
    return h;
}

SG_TEST(the_same_run_twice_is_the_same_run) { SG_CHECK(hash_of_run() == hash_of_run()); }

SG_TEST(crossings_where_a_step_has_ended_use_the_pressure_of_its_last_correction)
{
    static sg_area_body body[2];
    static const sg_area_body *area[2] = {&body[0], &body[1]};
    static sg_stick_body masses[2] = {{0}, {.mass = 60.0}};
    sg_contact_options o = sg_contact_options_make();
    world_begin();
    add_pair("Steel", "Steel", 0.7, 0.5, 0);
    add_shape(box(1, 1, 0.1), 0, v3_make(0, 0, -0.05), 2e11, 0.3, 0);
    add_shape(box(0.2, 0.2, 0.2), add_body(60, 1, v3_make(0, 0, 0.1 - 2e-8)), V3_ZERO, 2e11, 0.3,
              0);
    for (int i = 0; i < 2; i++) {
        w.collider[i].sharp = &w.shape[i];
        SG_CHECK(sg_area_body_init(&body[i], &w.shape[i], &w.arena) == SG_OK);
    }
    o.area = area;
    o.body = masses;
    o.gravity = 9.81;
    world_ready(one, 1, &o);
    event();
    SG_REQUIRE(w.contacts.contact.len == 1 && w.contacts.contact.data[0].is_flat);
    w.time = 1.0;
    double f = push_of(SG_DETECT_FORCES), place = w.body[1].pose.r.z;
    SG_CHECK(f > 0.0);
    // A correction of a thousandth of a thousandth, and one that matters.
    w.body[1].pose.r.z = place - 2e-14;
    SG_CHECK(push_of(SG_DETECT_CROSSINGS) == f);
    SG_CHECK(push_of(SG_DETECT_FORCES) > f);
    w.body[1].pose.r.z = place - 2e-10;
    SG_NEAR(push_of(SG_DETECT_CROSSINGS), 1.01 * f, 1e-3, 0);
    w.body[1].pose.r.z = place;
    f = push_of(SG_DETECT_FORCES);
    w.body[1].vel.v.z = -1e-2 * w.contacts.contact.data[0].area.v_min;
    SG_CHECK(push_of(SG_DETECT_CROSSINGS) > f * (1.0 + 1e-4));
    // Nor is another time the end of that step.
    w.body[1].vel.v.z = 0.0;
    f = push_of(SG_DETECT_FORCES);
    w.time = 1.1;
    w.body[1].pose.r.z = place - 2e-14;
    SG_CHECK(push_of(SG_DETECT_CROSSINGS) > f);
    // What is watched near its limit of friction is looked at anew.
    f = push_of(SG_DETECT_FORCES);
    sg_contact *k = &w.contacts.contact.data[0];
    k->slip.told = true;
    k->slip.is = false;
    k->share = 0.99;
    w.body[1].pose.r.z = place - 4e-14;
    SG_CHECK(push_of(SG_DETECT_CROSSINGS) > f);
    world_end();
}
