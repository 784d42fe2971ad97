// SensorResult: one object measured from another (components3d.md 9.6).
#include "math/rotation.h"
#include "multibody/measure.h"
#include "parts/elements.h"
#include "parts/host.h"
#include "parts/solid.h"

enum { N_VECTORS = 6, N_NUMBERS = 3 };

typedef struct sensor {
    int object;
    sg_view view;
    // Object, origin and observer: whether the published program leaves them out, and whether that
    // is followed.
    bool left_out[3], still[3];
    int32_t vector[N_VECTORS], number[N_NUMBERS];
} sensor;

// Frames that stand still for the published program, wherever they are carried.
static void find_still_frames(sg_part *part, void *data)
{
    sensor *s = data;
    const int objects[3] = {s->object, s->view.origin, s->view.observer};
    for (int i = 0; i < 3; i++) {
        s->left_out[i] = objects[i] != SG_WORLD && sg_part_is_left_out(part, objects[i]);
        s->still[i] = s->left_out[i] && part->compat.still_frames;
    }
}

static bool is_zero(sg_vec3 v) { return v3_max_abs(v) == 0.0; }

// Of the observer only the turning is asked for.
static sg_frame_motion motion_of(sg_part *part, const sensor *s, int object, int i)
{
    bool only_turning = i == 2;
    sg_frame_motion m = sg_mbs_frame_motion(part->mbs, &part->state, object);
    bool stands =
        is_zero(m.V.w) && is_zero(m.A.w) && (only_turning || (is_zero(m.V.v) && is_zero(m.A.v)));
    part->mattered.still_frames |= s->left_out[i] && !stands;
    if (s->still[i])
        m.V = m.A = (sg_motion){V3_ZERO, V3_ZERO};
    return m;
}

static sg_status store(sg_part *part, void *data, double time)
{
    const sensor *s = data;
    (void)time;
    sg_frame_motion object = motion_of(part, s, s->object, 0);
    sg_frame_motion origin = motion_of(part, s, s->view.origin, 1);
    sg_frame_motion axes = sg_mbs_frame_motion(part->mbs, &part->state, s->view.axes);
    sg_frame_motion observer = motion_of(part, s, s->view.observer, 2);
    part->mattered.sensor_acceleration |= !is_zero(observer.V.w) || !is_zero(observer.A.w);
    sg_measured m = sg_measure(&object, &origin, &axes, &observer, s->view.forgotten);
    sg_vec3 vector[N_VECTORS] = {m.r, m.v, m.a, rot_123_from(&m.R, 0.0), m.w, m.z};
    double number[N_NUMBERS] = {m.distance, m.rate, m.acceleration};
    for (int i = 0; i < N_VECTORS; i++)
        sg_hidden_set_local(part->hidden, s->vector[i], &vector[i].x, 3);
    for (int i = 0; i < N_NUMBERS; i++)
        sg_hidden_set_local(part->hidden, s->number[i], &number[i], 1);
    return SG_OK;
}

static bool define(sg_part *part, const char *path, sensor *s)
{
    static const char *const names[N_VECTORS + N_NUMBERS][2] = {
        {"translation", "m"}, {"velocity", "m/s"},          {"acceleration", "m/s^2"},
        {"rotation", "rad"},  {"angularVelocity", "rad/s"}, {"angularAcceleration", "rad/s^2"},
        {"distance", "m"},    {"distanceVelocity", "m/s"},  {"distanceAcceleration", "m/s^2"}};
    static const double zero[3] = {0};
    for (int i = 0; i < N_VECTORS + N_NUMBERS; i++) {
        const char *name = sg_arena_printf(&part->segment, "%s.%s", path, names[i][0]);
        if (!name)
            return false;
        if (i < N_VECTORS)
            s->vector[i] = sg_hidden_add_local(part->hidden, name, names[i][1], zero, 3, false);
        else
            s->number[i - N_VECTORS] =
                sg_hidden_add_local(part->hidden, name, names[i][1], zero, 1, true);
    }
    return true;
}

sg_status sg_read_sensor(sg_part *part, const sg_part_element *element)
{
    sg_keywords r = sg_reader_make(part, element);
    sensor *s = SG_NEW(&part->segment, sensor);
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
    s->view.forgotten = part->forgotten;
    if (r.ok && s->object < 0)
        sg_read_fail(&r, "object", SG_E_FORCE, "object is missing");
    if (!r.ok)
        return SG_ERR_MODEL;
    sg_part_actor actor = {.data = s, .store = store, .ready = find_still_frames};
    return define(part, element->path, s) && SG_PUSH(part->allocator, &part->actors, actor)
               ? SG_OK
               : SG_ERR_MEMORY;
}
