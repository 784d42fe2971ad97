// Force elements: WorldForce, WorldTorque, Bushing, SpringDamperPtP (components3d.md 9.2 to 9.4).
#include "base/archive.h"
#include "base/assert.h"
#include "elements/elements.h"
#include "multibody/element.h"
#include "parts/script_call.h"

#include <math.h>
#include <stddef.h>

// A result signal of an element: where its numbers are in `own`.
typedef struct shown {
    const char *name, *unit;
    size_t place;
    uint32_t n;
    int32_t local; // in this segment
} shown;

enum { MAX_SIGNALS = 12 };

typedef struct force {
    sg_force_element element;
    sg_span span;
    sg_part_law law[12]; // functions of the script behind the element's laws
    sg_part_law vector;
    shown signals[MAX_SIGNALS];
    size_t n_signals;
    // What equations give: first numbers among the inputs, -1 where they do not.
    int64_t given[2];
    const char *angles_name; // of large angles: their crossing function
    uint32_t crossing;       // in this segment
} force;

// Large angles that are this far from the last ones, which they are told apart by, become these
// [rad]: before another triple of angles for the same orientation is as near.
#define TURNED 1.2
#define HYSTERESIS 1e-10
// Closer to a right angle, by its cosine, the first and third of them turn fast [1].
#define NEARLY_RIGHT 0.02

// What changes while the part moves.
typedef struct own_values {
    sg_force_values values; // must be first
    bool warned, warned_of_right;
    bool has_cosine; // of the second angle, where the last step ended
    double cosine;
} own_values;

static void archive(void *own, sg_archive *a) { sg_archive_bytes(a, own, sizeof(own_values)); }

static void warn_of_angles(const sg_part_state *s, const force *f, own_values *own)
{
    double cosine = own->values.u.bushing.cosine;
    bool passed = own->has_cosine && (own->cosine < 0.0) != (cosine < 0.0);
    own->has_cosine = true;
    own->cosine = cosine;
    if (f->element.u.bushing.large_angles && !own->warned_of_right &&
        (passed || fabs(cosine) < NEARLY_RIGHT)) {
        own->warned_of_right = true;
        sg_warning(s->diags, SG_E_FORCE, f->span,
                   "%s: the second angle comes near a right one, where the first and the third are "
                   "hardly determined; springs and dampers about these axes do not act like a "
                   "bushing there",
                   f->element.name);
    }
    if (own->warned || f->element.u.bushing.large_angles ||
        v3_max_abs(own->values.u.bushing.rotation) <= SG_BUSHING_SMALL_ANGLE)
        return;
    own->warned = true;
    sg_warning(s->diags, SG_E_FORCE, f->span,
               "%s: an angle exceeds 10 degrees, where small angles are no longer right; use "
               "largeAngles = true",
               f->element.name);
}

static sg_vec3 given_vector(const sg_part_eval *e, const force *f, int k)
{
    return f->given[k] < 0 ? V3_ZERO : v3_from(e->state->inputs + f->given[k]);
}

// Hands on what equations give.
static void take_given(const sg_part_eval *e, const force *f, sg_force_values *values)
{
    if (f->element.kind == SG_ELEMENT_BUSHING) {
        values->u.bushing.given_force = given_vector(e, f, 0);
        values->u.bushing.given_torque = given_vector(e, f, 1);
    } else if (f->element.kind == SG_ELEMENT_SPRING && f->given[0] >= 0) {
        values->u.spring.given_force = e->state->inputs[f->given[0]];
    }
}

// At events, and there only, other angles become those that the next ones are near.
static void follow_angles(const sg_part_eval *e, const force *f, sg_bushing_values *b)
{
    if (!e->events || !sg_mode_wants_crossings(e->mode))
        return;
    double far = v3_max_abs(v3_sub(b->rotation, b->near));
    if (sg_events_deciding(e->events) && (!b->is_near || far > TURNED)) {
        b->near = b->rotation;
        b->is_near = true;
        far = 0.0;
    }
    sg_part_set_crossing(e, f->crossing, far - TURNED - HYSTERESIS);
}

static sg_status apply(sg_part_eval *e, const void *data, void *own)
{
    const force *f = data;
    own_values *o = own;
    int bad;
    take_given(e, f, &o->values);
    sg_status status = sg_force_elements_apply(e->part->segment.tree, &e->state->tree, &f->element,
                                               &o->values, 1, e->time, e, &bad);
    if (status == SG_OK && f->element.kind == SG_ELEMENT_BUSHING &&
        f->element.u.bushing.large_angles)
        follow_angles(e, f, &o->values.u.bushing);
    return status;
}

static sg_status store(sg_part_eval *e, const void *data, void *own)
{
    const force *f = data;
    for (size_t i = 0; i < f->n_signals; i++) {
        const void *number = (const char *)own + f->signals[i].place;
        sg_part_set_local(e, f->signals[i].local, number, f->signals[i].n);
    }
    bool between_steps = e->events && e->events->pure;
    if (f->element.kind == SG_ELEMENT_BUSHING && e->mode == SG_MODE_RESULT && !between_steps)
        warn_of_angles(e->state, f, own);
    return SG_OK;
}

// Of angles, until that was said.
static bool sees_steps(const void *data, const void *own)
{
    const force *f = data;
    const own_values *o = own;
    return f->element.kind == SG_ELEMENT_BUSHING &&
           !(f->element.u.bushing.large_angles ? o->warned_of_right : o->warned);
}

static void see_step(const sg_part_eval *e, const void *data, void *own)
{
    const force *f = data;
    if (f->element.kind == SG_ELEMENT_BUSHING)
        warn_of_angles(e->state, f, own);
}

static bool define(sg_part *part, void *data)
{
    static const double zero[3] = {0};
    force *f = data;
    for (size_t i = 0; i < f->n_signals; i++) {
        shown *s = &f->signals[i];
        s->local =
            sg_hidden_add_local(part->segment.hidden, s->name, s->unit, zero, s->n, s->n == 1);
    }
    if (f->element.kind == SG_ELEMENT_BUSHING && f->element.u.bushing.large_angles)
        f->crossing = sg_hidden_add_crossing(part->segment.hidden, f->angles_name);
    return !part->segment.hidden->failed;
}

static void add_signal(sg_part *part, force *f, const char *name, const char *unit, size_t place,
                       uint32_t n)
{
    const char *path = sg_arena_printf(&part->records.arena, "%s.%s", f->element.name, name);
    SG_ASSERT(f->n_signals < MAX_SIGNALS);
    if (path)
        f->signals[f->n_signals++] = (shown){path, unit, place, n, -1};
}

// A number or a vector of the values of an element.
#define NUMBER(name, unit, field)                                                                  \
    add_signal(part, f, name, unit, offsetof(sg_force_values, u.field), 1)
#define VECTOR(name, unit, field)                                                                  \
    add_signal(part, f, name, unit, offsetof(sg_force_values, u.field), 3)

static force *begin(sg_part *part, const sg_part_element *element)
{
    force *f = SG_NEW(&part->records.arena, force);
    if (f) {
        f->span = element->span;
        f->element.name = element->path;
        f->given[0] = f->given[1] = -1;
    }
    return f;
}

static void mark_object(sg_part *part, int object)
{
    if (object >= 0)
        part->records.objects.data[object].has_force = true;
}

static sg_status finish(const sg_keywords *r, force *f)
{
    sg_part *part = r->part;
    if (!r->ok)
        return SG_ERR_MODEL;
    bool load = f->element.kind == SG_ELEMENT_FORCE || f->element.kind == SG_ELEMENT_TORQUE;
    bool bushing = f->element.kind == SG_ELEMENT_BUSHING;
    const sg_bushing *b = &f->element.u.bushing;
    const sg_spring *s = &f->element.u.spring;
    int obj1 = load ? f->element.u.load.object : bushing ? b->obj1 : s->obj1;
    int obj2 = load ? f->element.u.load.axes : bushing ? b->obj2 : s->obj2;
    mark_object(part, obj1);
    mark_object(part, obj2);
    sg_part_actor actor = {.data = f,
                           .own_size = sizeof(own_values),
                           .kept_size = offsetof(own_values, warned),
                           .archive = archive,
                           .define = define,
                           .apply = apply,
                           .store = store,
                           .sees_steps = sees_steps,
                           .see_step = see_step,
                           .is_given = f->given[0] >= 0 || f->given[1] >= 0,
                           .force = &f->element,
                           .needs = {obj1 + 1, obj2 < 0 ? 0 : obj2 + 1}};
    bool ok = SG_PUSH(part->allocator, &part->records.actors, actor) && !part->records.arena.failed;
    return ok ? SG_OK : SG_ERR_MEMORY;
}

// ---- WorldForce, WorldTorque ----------------------------------------------------------------

static sg_status call_vector(const void *context, void *caller, double time, sg_vec3 *out)
{
    return sg_part_call_load(context, caller, time, out);
}

static sg_status call_given(const void *context, void *caller, double time, sg_vec3 *out)
{
    (void)time;
    *out = given_vector(caller, context, 0);
    return SG_OK;
}

static void find_given(const sg_part *part, force *f, int k, const char *signal)
{
    uint32_t at;
    if (sg_part_find_input(part, f->element.name, signal, &at))
        f->given[k] = at;
}

// By a function of the script, or by equations.
static void read_vector(sg_keywords *r, force *f, bool torque)
{
    const char *key = torque ? "torqueFunction" : "forceFunction";
    const char *signal = torque ? "torque" : "force";
    find_given(r->part, f, 0, signal);
    if (f->given[0] < 0 && !sg_read_given(r, key)) {
        sg_read_fail(r, key, SG_E_FORCE,
                     "there is no %s, and no equation determines '%s.%s'; give one of the two", key,
                     f->element.name, signal);
    } else if (f->given[0] < 0) {
        sg_read_function(r, key, &f->vector);
    } else if (sg_read_given(r, key)) {
        sg_read_fail(r, key, SG_E_FORCE,
                     "there is a %s, and equations use '%s.%s' as well; what the function returns "
                     "is called %sVector there",
                     key, f->element.name, signal, signal);
    } else {
        f->element.u.load.call = call_given;
        f->element.u.load.context = f;
    }
}

static sg_status read_load(sg_part *part, const sg_part_element *element, bool torque)
{
    sg_keywords r = sg_reader_make(part, element);
    force *f = begin(part, element);
    if (!f)
        return SG_ERR_MEMORY;
    sg_vector_load *load = &f->element.u.load;
    *load = (sg_vector_load){
        .object = -1, .axes = SG_WORLD, .call = call_vector, .context = &f->vector};
    f->element.kind = torque ? SG_ELEMENT_TORQUE : SG_ELEMENT_FORCE;
    sg_read_object(&r, "objectApply", &load->object);
    sg_read_object(&r, "objectCoord", &load->axes);
    read_vector(&r, f, torque);
    if (r.ok && load->object < 0)
        sg_read_fail(&r, "objectApply", SG_E_FORCE, "objectApply is missing");
    f->vector.object_apply = load->object;
    f->vector.object_coord = load->axes;
    VECTOR(torque ? "torqueVector" : "forceVector", torque ? "N*m" : "N", load);
    return finish(&r, f);
}

sg_status sg_read_world_force(sg_part *part, const sg_part_element *element)
{
    return read_load(part, element, false);
}

sg_status sg_read_world_torque(sg_part *part, const sg_part_element *element)
{
    return read_load(part, element, true);
}

// ---- two objects ----------------------------------------------------------------------------

static void read_pair(sg_keywords *r, int *obj1, int *obj2)
{
    *obj1 = *obj2 = -1;
    sg_read_object(r, "obj1", obj1);
    sg_read_object(r, "obj2", obj2);
    if (r->ok && (*obj1 < 0 || *obj2 < 0))
        sg_read_fail(r, *obj1 < 0 ? "obj1" : "obj2", SG_E_FORCE, "%s is missing",
                     *obj1 < 0 ? "obj1" : "obj2");
    else if (r->ok && *obj1 == *obj2)
        sg_read_fail(r, "obj2", SG_E_FORCE, "obj1 and obj2 are the same object");
}

static void define_bushing(sg_part *part, force *f)
{
    VECTOR("translation", "m", bushing.translation);
    VECTOR("rotation", "rad", bushing.rotation);
    VECTOR("velocity", "m/s", bushing.velocity);
    VECTOR("rotationVelocity", "rad/s", bushing.rates);
    VECTOR("springForce", "N", bushing.spring_force);
    VECTOR("springTorque", "N*m", bushing.spring_torque);
    VECTOR("damperForce", "N", bushing.damper_force);
    VECTOR("damperTorque", "N*m", bushing.damper_torque);
    VECTOR("torque", "N*m", bushing.torque);
    VECTOR("forceVector", "N", bushing.force_vector);
    VECTOR("torqueVector", "N*m", bushing.torque_vector);
}

sg_status sg_read_bushing(sg_part *part, const sg_part_element *element)
{
    sg_keywords r = sg_reader_make(part, element);
    force *f = begin(part, element);
    if (!f)
        return SG_ERR_MEMORY;
    sg_bushing *b = &f->element.u.bushing;
    f->element.kind = SG_ELEMENT_BUSHING;
    read_pair(&r, &b->obj1, &b->obj2);
    sg_read_vec3(&r, "nominalForce", &b->nominal_force);
    sg_read_vec3(&r, "nominalTorque", &b->nominal_torque);
    sg_read_laws(&r, "springForceLaw", b->spring, f->law);
    sg_read_laws(&r, "damperForceLaw", b->damper, f->law + 3);
    sg_read_laws(&r, "rotSpringForceLaw", b->rot_spring, f->law + 6);
    sg_read_laws(&r, "rotDamperForceLaw", b->rot_damper, f->law + 9);
    sg_read_flag(&r, "largeAngles", &b->large_angles);
    find_given(part, f, 0, "actuatorForce");
    find_given(part, f, 1, "actuatorTorque");
    define_bushing(part, f);
    f->angles_name =
        sg_arena_printf(&part->records.arena, "quarterTurn(%s.rotation)", element->path);
    return finish(&r, f);
}

sg_status sg_read_spring(sg_part *part, const sg_part_element *element)
{
    sg_keywords r = sg_reader_make(part, element);
    force *f = begin(part, element);
    if (!f)
        return SG_ERR_MEMORY;
    sg_spring *s = &f->element.u.spring;
    f->element.kind = SG_ELEMENT_SPRING;
    read_pair(&r, &s->obj1, &s->obj2);
    s->line_axes = part->records.compat.spring_direction ? s->obj1 : SG_WORLD;
    part->records.may_matter.spring_direction = true;
    sg_read_number(&r, "nominalLength", &s->nominal_length);
    sg_read_number(&r, "nominalForce", &s->nominal_force);
    sg_read_law(&r, "springForceLaw", &s->spring, &f->law[0]);
    sg_read_law(&r, "damperForceLaw", &s->damper, &f->law[1]);
    find_given(part, f, 0, "actuatorForce");
    NUMBER("distance", "m", spring.distance);
    NUMBER("deflection", "m", spring.deflection);
    NUMBER("velocity", "m/s", spring.velocity);
    NUMBER("springForce", "N", spring.spring_force);
    NUMBER("damperForce", "N", spring.damper_force);
    NUMBER("force", "N", spring.force);
    VECTOR("forceVector", "N", spring.force_vector);
    return finish(&r, f);
}
