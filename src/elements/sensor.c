// SensorResult: one object measured from another (components3d.md 9.6).
#include "elements/elements.h"
#include "math/rotation.h"
#include "multibody/measure.h"
#include "parts/host.h"
#include "parts/solid.h"

enum { N_VECTORS = 6, N_NUMBERS = 3 };

typedef struct sensor {
    int object;
    sg_view view;
    // Object, origin and observer: whether the published program leaves them out, and whether that
    // is followed.
    bool left_out[3], at_rest[3];
    const char *name[N_VECTORS + N_NUMBERS]; // of its signals
    int32_t vector[N_VECTORS], number[N_NUMBERS];
} sensor;

// Frames that stand still for the published program, wherever they are carried.
static void find_frames_at_rest(sg_part *part, void *data)
{
    sensor *s = data;
    const int objects[3] = {s->object, s->view.origin, s->view.observer};
    for (int i = 0; i < 3; i++) {
        s->left_out[i] = objects[i] != SG_WORLD && sg_part_is_left_out(part, objects[i]);
        s->at_rest[i] = s->left_out[i] && part->records.compat.still_frames;
    }
}

static bool is_zero(sg_vec3 v) { return v3_max_abs(v) == 0.0; }

// Of the observer only the turning is asked for.
static sg_frame_motion motion_of(sg_part_state *state, const sensor *s, int object, int i)
{
    bool only_turning = i == 2;
    sg_frame_motion m = sg_tree_frame_motion(state->part->segment.tree, &state->tree, object);
    bool stands =
        is_zero(m.V.w) && is_zero(m.A.w) && (only_turning || (is_zero(m.V.v) && is_zero(m.A.v)));
    state->mattered.still_frames |= s->left_out[i] && !stands;
    if (s->at_rest[i])
        m.V = m.A = (sg_motion){V3_ZERO, V3_ZERO};
    return m;
}

static sg_status store(sg_part_eval *e, const void *data, void *own)
{
    const sensor *s = data;
    sg_part_state *state = e->state;
    (void)own;
    sg_frame_motion object = motion_of(state, s, s->object, 0);
    sg_frame_motion origin = motion_of(state, s, s->view.origin, 1);
    sg_frame_motion axes = sg_tree_frame_motion(e->part->segment.tree, &state->tree, s->view.axes);
    sg_frame_motion observer = motion_of(state, s, s->view.observer, 2);
    state->mattered.sensor_acceleration |= !is_zero(observer.V.w) || !is_zero(observer.A.w);
    sg_measured m = sg_measure(&object, &origin, &axes, &observer, s->view.forgotten);
    sg_vec3 vector[N_VECTORS] = {m.r, m.v, m.a, rot_123_from(&m.R, 0.0), m.w, m.z};
    double number[N_NUMBERS] = {m.distance, m.rate, m.acceleration};
    for (int i = 0; i < N_VECTORS; i++)
        sg_part_set_local(e, s->vector[i], &vector[i].x, 3);
    for (int i = 0; i < N_NUMBERS; i++)
        sg_part_set_local(e, s->number[i], &number[i], 1);
    return SG_OK;
}

static const char *const names[N_VECTORS + N_NUMBERS][2] = {
    {"translation", "m"}, {"velocity", "m/s"},          {"acceleration", "m/s^2"},
    {"rotation", "rad"},  {"angularVelocity", "rad/s"}, {"angularAcceleration", "rad/s^2"},
    {"distance", "m"},    {"distanceVelocity", "m/s"},  {"distanceAcceleration", "m/s^2"}};

static bool define(sg_part *part, void *data)
{
    static const double zero[3] = {0};
    sensor *s = data;
    for (int i = 0; i < N_VECTORS + N_NUMBERS; i++) {
        int32_t *local = i < N_VECTORS ? &s->vector[i] : &s->number[i - N_VECTORS];
        bool number = i >= N_VECTORS;
        *local = sg_hidden_add_local(part->segment.hidden, s->name[i], names[i][1], zero,
                                     number ? 1 : 3, number);
    }
    return !part->segment.hidden->failed;
}

sg_status sg_read_sensor(sg_part *part, const sg_part_element *element)
{
    sg_keywords r = sg_reader_make(part, element);
    sensor *s = SG_NEW(&part->records.arena, sensor);
    if (!s)
        return SG_ERR_MEMORY;
    s->object = -1;
    s->view.origin = SG_WORLD;
    sg_read_object(&r, "object", &s->object);
    sg_read_object(&r, "objectOrigin", &s->view.origin);
    // What is not given follows the one before it; `nothing` is the world.
    s->view.axes = s->view.origin;
    if (sg_read_given(&r, "objectCoordinateRef"))
        s->view.axes = SG_WORLD;
    sg_read_object(&r, "objectCoordinateRef", &s->view.axes);
    s->view.observer = s->view.axes;
    if (sg_read_given(&r, "objectObserveRef"))
        s->view.observer = SG_WORLD;
    sg_read_object(&r, "objectObserveRef", &s->view.observer);
    s->view.forgotten = part->records.forgotten;
    if (r.ok && s->object < 0)
        sg_read_fail(&r, "object", SG_E_FORCE, "object is missing");
    if (!r.ok)
        return SG_ERR_MODEL;
    for (int i = 0; i < N_VECTORS + N_NUMBERS; i++)
        s->name[i] = sg_arena_printf(&part->records.arena, "%s.%s", element->path, names[i][0]);
    sg_part_actor actor = {
        .data = s,
        .ready = find_frames_at_rest,
        .define = define,
        .store = store,
        .needs = {s->object + 1, s->view.origin + 1, s->view.axes + 1, s->view.observer + 1}};
    bool ok = !part->records.arena.failed && SG_PUSH(part->allocator, &part->records.actors, actor);
    return ok ? SG_OK : SG_ERR_MEMORY;
}
