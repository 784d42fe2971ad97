#include "base/assert.h"
#include "lang/strip.h"
#include "math/rotation.h"
#include "multibody/measure.h"
#include "parts/functions.h"
#include "parts/read.h"
#include "parts/values.h"

#include <string.h>

// What a function measures; distances come with their direction.
typedef enum quantity {
    ROTATION,
    POSITION,
    DISTANCE,
    ROT_VELOCITY,
    TRANS_VELOCITY,
    DIST_VELOCITY,
    ROT_ACCELERATION,
    TRANS_ACCELERATION,
    DIST_ACCELERATION
} quantity;

typedef struct measure {
    sg_part_host *host;
    quantity what;
} measure;

static const char *const measure_names[] = {
    "measFrameRotation",        "measFramePosition",          "measFrameDistance",
    "measFrameRotVelocity",     "measFrameTransVelocity",     "measFrameDistVelocity",
    "measFrameRotAcceleration", "measFrameTransAcceleration", "measFrameDistAcceleration"};

// ---- arguments ------------------------------------------------------------------------------

// The evaluation that goes on, or the last one of objects which a script moves by hand.
static sg_part_eval *eval_of(sg_vm *vm, const sg_part_host *host, const sg_args *args,
                             sg_status *status)
{
    sg_part_eval *e = host->active;
    *status = SG_OK;
    sg_part *part = !e && args->n && host->by_hand ? host->by_hand->part(args->v[0]) : NULL;
    if (part)
        e = &part->run->eval;
    if (!e)
        *status = sg_raise(vm, "ErrorException", SG_E_FORCE, args->span,
                           "frames are measured and pushed by functions of force elements, while "
                           "a model runs; those of objects made by hand after initAnalysis!");
    return e;
}

// Objects that are moved by hand have poses, but no speeds and no forces.
static sg_status check_moves(sg_vm *vm, const sg_part *part, const sg_args *args, const char *name)
{
    return part->built.by_hand
               ? sg_raise(vm, "ErrorException", SG_E_BY_HAND, args->span,
                          "%s: objects that are moved by hand have no speeds and no forces, only "
                          "poses",
                          name)
               : SG_OK;
}

static sg_status object_of(sg_vm *vm, const sg_part *part, const sg_args *args, sg_value value,
                           int *out)
{
    if (part->records.host->by_hand)
        value = part->records.host->by_hand->element(value);
    uint64_t *index = value.tag == SG_OBJECT
                          ? sg_map_get(&part->records.object_of, (uint64_t)(uintptr_t)value.o)
                          : NULL;
    if (!index)
        return sg_raise(vm, "ArgumentError", part->built.by_hand ? SG_E_BY_HAND : SG_E_FORCE,
                        args->span,
                        part->built.by_hand ? "objects of one world are needed here"
                                            : "an Object3D of the running Model3D is needed here");
    *out = (int)*index;
    return SG_OK;
}

// A frame given by keyword; `nothing` and absent are the world.
static sg_status keyword_frame(sg_vm *vm, const sg_part *part, const sg_args *args,
                               const char *name, int *out)
{
    const sg_value *value = sg_args_find(vm, args, name);
    *out = SG_WORLD;
    return value && value->tag != SG_NOTHING ? object_of(vm, part, args, *value, out) : SG_OK;
}

// ---- measuring ------------------------------------------------------------------------------

static sg_status pair_value(sg_vm *vm, double number, sg_vec3 v, sg_value *out)
{
    sg_tuple *pair = sg_tuple_make(vm, 2);
    if (!pair)
        return SG_ERR_MEMORY;
    pair->items[0] = sg_float(number);
    pair->items[1] = sg_vector_value(vm, v);
    *out = sg_object(pair);
    return pair->items[1].tag == SG_UNDEF ? SG_ERR_MEMORY : SG_OK;
}

static sg_status value_of(sg_vm *vm, quantity what, const sg_measured *m, sg_value *out)
{
    switch (what) {
    case ROTATION:
        *out = sg_matrix_value(vm, &m->R);
        break;
    case POSITION:
        *out = sg_vector_value(vm, m->r);
        break;
    case DISTANCE:
        return pair_value(vm, m->distance, m->n, out);
    case ROT_VELOCITY:
        *out = sg_vector_value(vm, m->w);
        break;
    case TRANS_VELOCITY:
        *out = sg_vector_value(vm, m->v);
        break;
    case DIST_VELOCITY:
        *out = sg_float(m->rate);
        break;
    case ROT_ACCELERATION:
        *out = sg_vector_value(vm, m->z);
        break;
    case TRANS_ACCELERATION:
        *out = sg_vector_value(vm, m->a);
        break;
    case DIST_ACCELERATION:
        *out = sg_float(m->acceleration);
        break;
    }
    return out->tag == SG_UNDEF ? SG_ERR_MEMORY : SG_OK;
}

// measFrame...(frameMeas; frameOrig, frameCoord, frameObsrv)
static sg_status measure_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    const measure *f = context;
    static const char *const keywords[] = {"frameOrig", "frameCoord", "frameObsrv"};
    const char *name = measure_names[f->what];
    sg_status status;
    sg_part_eval *e = eval_of(vm, f->host, args, &status);
    const sg_part *part = e ? e->part : NULL;
    int object = -1;
    sg_view view = {.forgotten = part ? part->records.forgotten : 0.0};
    if (status == SG_OK)
        status = sg_args_check_count(vm, args, name, 1, 1);
    if (status == SG_OK)
        status = sg_args_check_keywords(vm, args, name, keywords, SG_COUNT(keywords));
    if (status == SG_OK && f->what >= ROT_VELOCITY)
        status = check_moves(vm, part, args, name);
    if (status == SG_OK)
        status = object_of(vm, part, args, args->v[0], &object);
    if (status == SG_OK)
        status = keyword_frame(vm, part, args, "frameOrig", &view.origin);
    if (status == SG_OK)
        status = keyword_frame(vm, part, args, "frameCoord", &view.axes);
    if (status == SG_OK)
        status = keyword_frame(vm, part, args, "frameObsrv", &view.observer);
    if (status != SG_OK)
        return status;
    e->asks |= f->what >= ROT_ACCELERATION;
    sg_measured m = sg_tree_measure(part->segment.tree, &e->state->tree, object, view);
    if (f->what == TRANS_ACCELERATION && view.observer != SG_WORLD) {
        sg_frame_motion observer =
            sg_tree_frame_motion(part->segment.tree, &e->state->tree, view.observer);
        e->state->mattered.sensor_acceleration |=
            v3_max_abs(observer.V.w) > 0.0 || v3_max_abs(observer.A.w) > 0.0;
    }
    return value_of(vm, f->what, &m, out);
}

// distance(frame1, frame2), and distanceAndAngles with the three angles from frame 1 to frame 2
static sg_status between_native(sg_vm *vm, const sg_args *args, sg_part_host *host, bool angles,
                                sg_value *out)
{
    const char *name = angles ? "distanceAndAngles" : "distance";
    int frame[2] = {-1, -1};
    sg_status status;
    sg_part_eval *e = eval_of(vm, host, args, &status);
    const sg_part *part = e ? e->part : NULL;
    if (status == SG_OK)
        status = sg_args_check_count(vm, args, name, 2, 2);
    for (uint32_t i = 0; status == SG_OK && i < 2; i++)
        status = object_of(vm, part, args, args->v[i], &frame[i]);
    if (status != SG_OK)
        return status;
    sg_view view = {.origin = frame[0], .axes = SG_WORLD, .observer = SG_WORLD};
    sg_measured m = sg_tree_measure(part->segment.tree, &e->state->tree, frame[1], view);
    *out = sg_float(m.distance);
    return angles ? pair_value(vm, m.distance, rot_123_from(&m.R, 0.0), out) : SG_OK;
}

static sg_status distance_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    return between_native(vm, args, context, false, out);
}

static sg_status angles_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    return between_native(vm, args, context, true, out);
}

// ---- pushing --------------------------------------------------------------------------------

static sg_status vector_argument(sg_vm *vm, const sg_args *args, uint32_t i, sg_vec3 *out)
{
    sg_value value;
    sg_status status = sg_strip_to_si(vm, args->v[i], &value);
    if (status == SG_OK && !sg_value_vec3(value, out))
        status = sg_raise(vm, "ArgumentError", SG_E_FORCE, args->span,
                          "a vector of three finite numbers is needed here");
    return status;
}

// Frames in front, then a force or a torque or both, resolved in frameCoord or the world.
typedef struct push {
    const char *name;
    bool pair, force, torque;
} push;

static const push pushes[] = {
    {.name = "applyFrameForce!", .force = true},
    {.name = "applyFrameTorque!", .torque = true},
    {.name = "applyFrameForceTorque!", .force = true, .torque = true},
    {.name = "applyFrameForcePair!", .pair = true, .force = true},
    {.name = "applyFrameTorquePair!", .pair = true, .torque = true},
    {.name = "applyFrameForceTorquePair!", .pair = true, .force = true, .torque = true}};

typedef struct pusher {
    sg_part_host *host;
    const push *how;
} pusher;

// A pair pushes frameMeas by -F, frameOrig by F at the origin of frameMeas.
static void apply_pair(sg_part_eval *e, int meas, int orig, sg_force f)
{
    const sg_tree *tree = e->part->segment.tree;
    sg_tree_state *s = &e->state->tree;
    sg_vec3 arm =
        v3_sub(sg_tree_object_pose(tree, s, meas).r, sg_tree_object_pose(tree, s, orig).r);
    sg_tree_apply(tree, s, meas, force_scale(f, -1.0));
    sg_tree_apply(tree, s, orig, (sg_force){v3_add(f.n, v3_cross(arm, f.f)), f.f});
}

static sg_status push_native(sg_vm *vm, const sg_args *args, void *context, sg_value *out)
{
    const pusher *p = context;
    static const char *const keywords[] = {"frameCoord"};
    uint32_t n_frames = p->how->pair ? 2 : 1;
    uint32_t n = n_frames + (uint32_t)p->how->force + (uint32_t)p->how->torque;
    sg_status status;
    sg_part_eval *e = eval_of(vm, p->host, args, &status);
    const sg_part *part = e ? e->part : NULL;
    int frame[2] = {-1, -1}, axes = SG_WORLD;
    sg_force f = {V3_ZERO, V3_ZERO};
    *out = SG_VALUE_NOTHING;
    if (status == SG_OK)
        status = sg_args_check_count(vm, args, p->how->name, n, n);
    if (status == SG_OK)
        status = sg_args_check_keywords(vm, args, p->how->name, keywords, SG_COUNT(keywords));
    if (status == SG_OK)
        status = check_moves(vm, part, args, p->how->name);
    for (uint32_t i = 0; status == SG_OK && i < n_frames; i++)
        status = object_of(vm, part, args, args->v[i], &frame[i]);
    if (status == SG_OK && p->how->force)
        status = vector_argument(vm, args, n_frames, &f.f);
    if (status == SG_OK && p->how->torque)
        status = vector_argument(vm, args, n - 1, &f.n);
    if (status == SG_OK)
        status = keyword_frame(vm, part, args, "frameCoord", &axes);
    if (status != SG_OK)
        return status;
    if (axes != SG_WORLD) {
        sg_pose pose = sg_tree_object_pose(part->segment.tree, &e->state->tree, axes);
        f = (sg_force){pose_vector(&pose, f.n), pose_vector(&pose, f.f)};
    }
    if (p->how->pair)
        apply_pair(e, frame[0], frame[1], f);
    else
        sg_tree_apply(part->segment.tree, &e->state->tree, frame[0], f);
    return SG_OK;
}

bool sg_parts_register_measures(sg_vm *vm, sg_module *module, sg_part_host *host)
{
    bool ok = sg_vm_offer(vm, module, "distance", distance_native, host, NULL) &&
              sg_vm_offer(vm, module, "distanceAndAngles", angles_native, host, NULL);
    for (size_t i = 0; ok && i < SG_COUNT(measure_names); i++) {
        measure *m = SG_NEW(&host->arena, measure);
        if (m)
            *m = (measure){host, (quantity)i};
        ok = m && sg_vm_offer(vm, module, measure_names[i], measure_native, m, NULL);
    }
    for (size_t i = 0; ok && i < SG_COUNT(pushes); i++) {
        pusher *p = SG_NEW(&host->arena, pusher);
        if (p)
            *p = (pusher){host, &pushes[i]};
        ok = p && sg_vm_offer(vm, module, pushes[i].name, push_native, p, NULL);
    }
    return ok;
}
