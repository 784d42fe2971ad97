// What is constant and what changes: two states beside each other, what actors own, and segments
// that are built from changed records.
#pragma GCC diagnostic ignored "-Wunused-function"
#include "model3d/part_test.h"
#include "multibody/element.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#define G 9.81

static const sg_gravity earth = {.kind = SG_GRAVITY_UNIFORM, .g = {0.0, -G, 0.0}};
static const sg_vec3 axis_z = {0.0, 0.0, 1.0};

// ---- a spring as an actor ---------------------------------------------------------------------

typedef struct spring_own {
    sg_force_values values; // must be first
    int n_calls;
} spring_own;

static sg_status pull(sg_part_eval *e, const void *data, void *own)
{
    spring_own *o = own;
    int bad;
    o->n_calls++;
    return sg_force_elements_apply(e->part->segment.tree, &e->state->tree, data, &o->values, 1,
                                   e->time, e, &bad);
}

// Three free bodies in a row between springs, and a chain of two joints on the first one.
static bool open_scene(machine *m, sg_force_element springs[3])
{
    static const double start[3][12] = {
        {1, 0, 0, 0, 0.5, 0, 0.1, 0.2, 0.3, 1, 0, 0},
        {2, 1, 0, 0.3, 0, 0, -0.4, 0.2, 0.1, 0, 2, 0},
        {3, 0, 1, 0, 0, -0.2, 0.5, -0.3, 0.2, 0, 0, 3},
    };
    if (!open_machine(m))
        return false;
    m->part->records.gravity = earth;
    add_object(m, -1, V3_ZERO, (sg_mass){0});
    for (int i = 0; i < 3; i++)
        add_free(m, 0, lump(1.0 + i, v3_make(0.1, 0.05, 0), v3_make(0.3, 0.4, 0.5)), start[i]);
    int link1 = add_object(m, -1, V3_ZERO, lump(0.5, v3_make(0.3, 0, 0), v3_make(0.1, 0.1, 0.1)));
    int tip = add_object(m, link1, v3_make(0.6, 0, 0), (sg_mass){0});
    int link2 = add_object(m, -1, V3_ZERO, lump(0.4, v3_make(0.2, 0, 0), v3_make(0.1, 0.1, 0.1)));
    add_joint(m, 1, link1, SG_JOINT_REVOLUTE, axis_z, false);
    add_joint(m, tip, link2, SG_JOINT_PRISMATIC, v3_make(1, 0, 0), false);
    for (int i = 0; i < 3; i++) {
        springs[i] = sg_spring_make("spring", i, i + 1);
        springs[i].u.spring.spring.slope = 40.0 + i;
        springs[i].u.spring.damper.slope = 0.7;
        springs[i].u.spring.nominal_length = 0.5;
        sg_part_actor actor = {.data = &springs[i],
                               .own_size = sizeof(spring_own),
                               .apply = pull,
                               .force = &springs[i]};
        if (!SG_PUSH(m->part->allocator, &m->part->records.actors, actor))
            return false;
    }
    return begin_segment(m, true) == SG_OK;
}

// ---- two at the same time -----------------------------------------------------------------------

enum { STATES = 36, POINTS = 3000, NUMBERS = STATES + 2 };

typedef struct user {
    sg_part_state *state;
    sg_hidden *hidden;
    uint64_t seed;
    double (*out)[NUMBERS];
    bool ok;
} user;

// Evaluates at points of its own and keeps all derivatives.
static void *use(void *context)
{
    user *u = context;
    sg_rng rng = sg_rng_seeded(u->seed);
    u->ok = true;
    for (int i = 0; i < POINTS; i++) {
        double x[STATES], qv[4];
        for (int k = 0; k < STATES; k++)
            x[k] = sg_rng_uniform(&rng, -1.0, 1.0);
        for (int k = 0; k < 4; k++)
            qv[k] = sg_rng_uniform(&rng, -1.0, 1.0);
        u->hidden->x = x;
        u->ok &= evaluate(u->state, SG_MODE_RHS, NULL, 0.0, qv, u->out[i] + STATES) == SG_OK;
        memcpy(u->out[i], u->hidden->derivatives.data, STATES * sizeof(double));
        u->hidden->x = NULL;
    }
    return NULL;
}

// Hidden variables laid out as those of the run.
static void copy_layout(sg_hidden *to, const sg_hidden *from)
{
    sg_hidden_init(to, sg_allocator_default());
    for (size_t i = 0; i < from->states.len; i++) {
        const sg_hidden_var *v = &from->states.data[i];
        sg_hidden_add_state(to, v->name, v->der_name, v->unit, from->start.data + v->at, v->n,
                            v->scalar);
    }
}

SG_TEST(two_threads_evaluate_one_part_with_the_bits_of_one)
{
    machine m;
    sg_force_element springs[3];
    SG_REQUIRE(open_scene(&m, springs) && sg_hidden_count(&m.hidden) == STATES);
    sg_hidden hidden[2];
    user alone[2], both[2];
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        copy_layout(&hidden[i], &m.hidden);
        sg_part_state *s = sg_part_state_create(m.part, &hidden[i], &m.diags);
        SG_REQUIRE(s);
        alone[i] = both[i] = (user){.state = s, .hidden = &hidden[i], .seed = (uint64_t)(3 + i)};
        alone[i].out = calloc(POINTS, sizeof *alone[i].out);
        both[i].out = calloc(POINTS, sizeof *both[i].out);
        use(&alone[i]);
    }
    for (int i = 0; i < 2; i++)
        SG_CHECK(pthread_create(&threads[i], NULL, use, &both[i]) == 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++) {
        SG_CHECK(alone[i].ok && both[i].ok);
        SG_CHECK(memcmp(alone[i].out, both[i].out, POINTS * sizeof *alone[i].out) == 0);
        spring_own *own = both[i].state->own[0];
        SG_CHECK(own->n_calls == 2 * POINTS);
    }
    // The comparison means something, and the state of the run was not asked.
    SG_CHECK(memcmp(alone[0].out, alone[1].out, sizeof *alone[0].out) != 0);
    SG_CHECK(((spring_own *)m.part->run->own[0])->n_calls == 0);
    for (int i = 0; i < 2; i++) {
        sg_part_state_destroy(both[i].state);
        sg_hidden_destroy(&hidden[i]);
        free(alone[i].out);
        free(both[i].out);
    }
    close_machine(&m);
}

// What springs and gravity do to all of them together: the momentum of the whole changes by its
// weight, as springs push both ends alike.
SG_TEST(springs_between_bodies_make_no_momentum)
{
    machine m;
    sg_force_element springs[3];
    SG_REQUIRE(open_scene(&m, springs));
    springs[0].u.spring.spring.slope = springs[0].u.spring.damper.slope = 0.0; // that to the world
    sg_part_state *s = m.part->run;
    double qv[4] = {0.3, -1.0, 0.2, 0.7}, a[2], h = 1e-5;
    sg_tree_balance b[2];
    for (int k = 0; k < 2; k++) {
        double x[STATES];
        memcpy(x, m.hidden.start.data, sizeof x);
        for (int i = 0; k && i < STATES; i++)
            x[i] += h * m.hidden.derivatives.data[i];
        double moved[4] = {qv[0] + k * h * qv[1], qv[1] + (k ? h * a[0] : 0.0),
                           qv[2] + k * h * qv[3], qv[3] + (k ? h * a[1] : 0.0)};
        m.hidden.x = x;
        SG_CHECK(evaluate(s, SG_MODE_RHS, NULL, 0.0, moved, a) == SG_OK);
        m.hidden.x = NULL;
        b[k] = sg_tree_balance_of(m.part->segment.tree, &s->tree);
    }
    double mass = 1.0 + 2.0 + 3.0 + 0.5 + 0.4;
    SG_NEAR((b[1].momentum.x - b[0].momentum.x) / h, 0.0, 1e-3, mass * G);
    SG_NEAR((b[1].momentum.y - b[0].momentum.y) / h, -mass * G, 1e-3, 1.0);
    SG_NEAR((b[1].momentum.z - b[0].momentum.z) / h, 0.0, 1e-3, mass * G);
    close_machine(&m);
}

// ---- an actor with everything -------------------------------------------------------------------

// A floor at height 0 under one body: a crossing function, a bound, a signal, and a counter that it
// keeps itself.
typedef struct floor_data {
    int object;
    uint32_t crossing;
    int32_t local;
    int n_defined;
} floor_data;

typedef struct floor_own {
    int n_events, modes[SG_MODE_EVENT + 1];
} floor_own;

static double height_of(const sg_part_eval *e, const floor_data *f)
{
    return sg_tree_object_pose(e->part->segment.tree, &e->state->tree, f->object).r.y;
}

static bool define_floor(sg_part *part, void *data)
{
    floor_data *f = data;
    static const double zero = 0.0;
    f->n_defined++;
    f->crossing = sg_hidden_add_crossing(part->segment.hidden, "height");
    f->local = sg_hidden_add_local(part->segment.hidden, "floor.height", "m", &zero, 1, true);
    return !part->segment.hidden->failed;
}

static sg_status apply_floor(sg_part_eval *e, const void *data, void *own)
{
    const floor_data *f = data;
    floor_own *o = own;
    o->modes[e->mode]++;
    if (sg_mode_wants_crossings(e->mode))
        sg_part_set_crossing(e, f->crossing, height_of(e, f));
    if (e->mode == SG_MODE_EVENT && sg_events_deciding(e->events))
        o->n_events++;
    // It carries ten newtons, whatever happens.
    sg_tree_apply(e->part->segment.tree, &e->state->tree, f->object,
                  (sg_force){V3_ZERO, v3_make(0.0, 10.0, 0.0)});
    return SG_OK;
}

static double bound_floor(const sg_part_eval *e, const void *data, void *own)
{
    const floor_data *f = data;
    (void)own;
    double down = -sg_tree_object_velocity(e->part->segment.tree, &e->state->tree, f->object).v.y;
    return down > 0.0 ? height_of(e, f) / down : (double)INFINITY;
}

static sg_status store_floor(sg_part_eval *e, const void *data, void *own)
{
    const floor_data *f = data;
    (void)own;
    double height = height_of(e, f);
    sg_part_set_local(e, f->local, &height, 1);
    return SG_OK;
}

static int add_floor(machine *m, floor_data *f, double y, double vy)
{
    double start[12] = {0, y, 0, 0, vy};
    f->object = add_free(m, 0, lump(2.0, V3_ZERO, v3_make(1, 1, 1)), start);
    sg_part_actor actor = {.data = f,
                           .own_size = sizeof(floor_own),
                           .define = define_floor,
                           .apply = apply_floor,
                           .bound = bound_floor,
                           .store = store_floor};
    SG_CHECK(SG_PUSH(m->part->allocator, &m->part->records.actors, actor));
    return f->object;
}

SG_TEST(an_actor_sees_the_mode_writes_crossings_bounds_steps_and_stores)
{
    static const sg_event_ops ops = {0};
    machine m;
    floor_data near = {0}, far = {0};
    double z[8] = {0}, none[1], a[1];
    sg_events events = {.ops = &ops, .z = z, .z_hidden = 2, .initial = true};
    SG_REQUIRE(open_machine(&m));
    m.part->records.gravity = earth;
    add_object(&m, -1, V3_ZERO, (sg_mass){0});
    add_floor(&m, &near, 3.0, -1.5);
    add_floor(&m, &far, 8.0, -2.0);
    SG_REQUIRE(begin_segment(&m, true) == SG_OK);
    SG_CHECK(sg_part_bounds_steps(m.part));
    SG_CHECK(evaluate(m.part->run, SG_MODE_RHS, NULL, 0.0, none, a) == SG_OK);
    // The force acts: 10/2 against gravity.
    SG_NEAR(m.hidden.derivatives.data[near.object * 12 - 12 + 4], 5.0 - G, 1e-14, 1.0);
    SG_CHECK(z[2 + near.crossing] == 0.0);
    SG_NEAR(sg_part_bound_step(m.part), 2.0, 1e-15, 0.0); // 3/1.5, the other has 8/2
    static const sg_eval_mode modes[] = {SG_MODE_CROSSINGS, SG_MODE_EVENT, SG_MODE_RESULT};
    for (int k = 0; k < 3; k++) {
        z[2 + near.crossing] = -1.0;
        events.mode = modes[k];
        SG_CHECK(evaluate(m.part->run, modes[k], &events, 0.0, none, a) == SG_OK);
        SG_CHECK(z[2 + near.crossing] == (modes[k] == SG_MODE_RESULT ? -1.0 : 3.0));
    }
    SG_CHECK(m.hidden.local.data[m.hidden.locals.data[near.local].at] == 3.0);
    SG_CHECK(m.hidden.local.data[m.hidden.locals.data[far.local].at] == 8.0);
    const floor_own *own = m.part->run->own[0];
    SG_CHECK(own->n_events == 1 && own->modes[SG_MODE_RHS] == 1 && own->modes[SG_MODE_EVENT] == 1);
    close_machine(&m);
}

// ---- segments -----------------------------------------------------------------------------------

SG_TEST(a_later_segment_keeps_what_actors_own_and_a_new_run_does_not)
{
    static const sg_event_ops ops = {0};
    machine m;
    floor_data f = {0};
    double z[4], none[1], a[1];
    sg_events events = {.ops = &ops, .z = z, .initial = true, .mode = SG_MODE_EVENT};
    SG_REQUIRE(open_machine(&m));
    add_object(&m, -1, V3_ZERO, (sg_mass){0});
    add_floor(&m, &f, 3.0, -1.5);
    for (int run = 0; run < 2; run++)
        for (int segment = 0; segment < 3; segment++) {
            SG_REQUIRE(begin_segment(&m, segment == 0) == SG_OK);
            SG_CHECK(evaluate(m.part->run, SG_MODE_EVENT, &events, 0.0, none, a) == SG_OK);
            SG_CHECK(((const floor_own *)m.part->run->own[0])->n_events == segment + 1);
        }
    SG_CHECK(f.n_defined == 6);
    close_machine(&m);
}

// A load that an arm lets go: the records say so, and the next segment moves without it.
SG_TEST(records_may_change_the_structure_from_segment_to_segment)
{
    machine m;
    double arm_I = 0.3, l = 0.8, load = 2.5, qv[2] = {0.5, 0.0}, a;
    SG_REQUIRE(open_machine(&m));
    m.part->records.gravity = earth;
    add_object(&m, -1, V3_ZERO, (sg_mass){0});
    int arm = add_object(&m, -1, V3_ZERO, lump(1.0, V3_ZERO, v3_make(0.2, 0.2, arm_I)));
    int hand = add_object(&m, arm, v3_make(l, 0, 0), (sg_mass){0});
    int box = add_object(&m, -1, V3_ZERO, lump(load, V3_ZERO, V3_ZERO));
    add_joint(&m, 0, arm, SG_JOINT_REVOLUTE, axis_z, false);
    add_link(&m, hand, box, SG_JOINT_FIXED, V3_ZERO, 0);
    double with = -load * G * l * cos(qv[0]) / (arm_I + load * l * l);
    for (int segment = 0; segment < 4; segment++) {
        bool held = segment % 2 == 0;
        m.part->records.links.data[1].inactive = !held;
        m.part->records.declared.data[box].parent = held ? -1 : 0; // else it lies on the ground
        SG_REQUIRE(begin_segment(&m, segment == 0) == SG_OK);
        SG_CHECK(evaluate(m.part->run, SG_MODE_RHS, NULL, 0.0, qv, &a) == SG_OK);
        SG_NEAR(a, held ? with : 0.0, 1e-14, 1.0);
        SG_CHECK(m.part->segment.tree->object[box].body ==
                 (held ? m.part->segment.tree->object[arm].body : 0));
    }
    // Another mass counts from the next segment on, too.
    m.part->records.links.data[1].inactive = false;
    m.part->records.declared.data[box].parent = -1;
    m.part->records.declared.data[box].mass.m = 2.0 * load;
    SG_REQUIRE(begin_segment(&m, false) == SG_OK);
    SG_CHECK(evaluate(m.part->run, SG_MODE_RHS, NULL, 0.0, qv, &a) == SG_OK);
    SG_NEAR(a, -2.0 * load * G * l * cos(qv[0]) / (arm_I + 2.0 * load * l * l), 1e-14, 1.0);
    close_machine(&m);
}

SG_TEST(what_does_not_fit_is_told_at_its_place_and_leaves_no_segment)
{
    machine m;
    SG_REQUIRE(open_machine(&m));
    add_object(&m, -1, V3_ZERO, (sg_mass){0});
    int a = add_object(&m, 0, V3_ZERO, lump(1.0, V3_ZERO, v3_make(1, 1, 1)));
    int b = add_object(&m, a, V3_ZERO, lump(1.0, V3_ZERO, v3_make(1, 1, 1)));
    add_link(&m, a, b, SG_JOINT_FIXED, V3_ZERO, 0);
    m.part->records.links.data[0].span = (sg_span){.file = 3, .first = 17, .last = 20};
    SG_CHECK(begin_segment(&m, true) == SG_ERR_MODEL);
    SG_CHECK(!m.part->segment.tree && m.diags.len == 1 && m.diags.list[0].span.first == 17);
    close_machine(&m);
}
