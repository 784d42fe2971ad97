// Force elements: WorldForce, WorldTorque, Bushing, SpringDamperPtP (components3d.md 9.2 to 9.4).
#include "base/assert.h"
#include "multibody/element.h"
#include "parts/elements.h"
#include "parts/script_call.h"

#include <string.h>

// A result signal of an element: where its numbers are.
typedef struct shown {
    int32_t local;
    const double *number;
    uint32_t n;
} shown;

enum { MAX_SIGNALS = 12 };

typedef struct force {
    sg_force_element element;
    sg_span span;
    sg_part_law law[12]; // functions of the script behind the element's laws
    sg_part_law vector;
    shown signals[MAX_SIGNALS];
    size_t n_signals;
    bool warned;
} force;

static sg_status fail(sg_part *part, const force *f, const char *text)
{
    if (!part->failed)
        sg_error(part->vm->diags, SG_E_FORCE, f->span, "%s: %s", f->element.name, text);
    part->failed = true;
    return SG_ERR_MODEL;
}

static void warn_of_angles(sg_part *part, force *f)
{
    const sg_bushing *b = &f->element.u.bushing;
    if (f->warned || b->large_angles || b->largest_angle <= SG_BUSHING_SMALL_ANGLE)
        return;
    f->warned = true;
    sg_warning(part->vm->diags, SG_E_FORCE, f->span,
               "%s: an angle exceeds 10 degrees, where small angles are no longer right; use "
               "largeAngles = true",
               f->element.name);
}

static sg_status apply(sg_part *part, void *data, double time)
{
    force *f = data;
    int bad;
    sg_status status = sg_force_elements_apply(part->mbs, &part->state, &f->element, 1, time, &bad);
    if (status == SG_ERR_INPUT)
        return fail(part, f,
                    "the second angle between the objects is a right one, where the three angles "
                    "are not defined");
    return status;
}

static sg_status store(sg_part *part, void *data, double time)
{
    force *f = data;
    (void)time;
    for (size_t i = 0; i < f->n_signals; i++)
        sg_hidden_set_local(part->hidden, f->signals[i].local, f->signals[i].number,
                            f->signals[i].n);
    if (f->element.kind == SG_ELEMENT_BUSHING)
        warn_of_angles(part, f);
    return SG_OK;
}

static void add_signal(sg_part *part, force *f, const char *name, const char *unit,
                       const double *number, uint32_t n)
{
    const char *path = sg_arena_printf(&part->segment, "%s.%s", f->element.name, name);
    SG_ASSERT(f->n_signals < MAX_SIGNALS);
    if (!path)
        return;
    int32_t local = sg_hidden_add_local(part->hidden, path, unit, number, n, n == 1);
    f->signals[f->n_signals++] = (shown){local, number, n};
}

static void add_vector(sg_part *part, force *f, const char *name, const char *unit,
                       const sg_vec3 *vector)
{
    add_signal(part, f, name, unit, &vector->x, 3);
}

static force *begin(sg_part *part, const sg_part_element *element)
{
    force *f = SG_NEW(&part->segment, force);
    if (f) {
        f->span = element->span;
        f->element.name = element->path;
    }
    return f;
}

static void mark_object(sg_part *part, int object)
{
    if (object >= 0)
        part->objects.data[object].has_force = true;
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
    mark_object(part, load ? f->element.u.load.object : bushing ? b->obj1 : s->obj1);
    mark_object(part, load ? f->element.u.load.axes : bushing ? b->obj2 : s->obj2);
    sg_part_actor actor = {.data = f, .apply = apply, .store = store, .force = &f->element};
    bool ok = SG_PUSH(part->allocator, &part->actors, actor) && !part->segment.failed;
    return ok ? SG_OK : SG_ERR_MEMORY;
}

// ---- WorldForce, WorldTorque ----------------------------------------------------------------

static sg_status call_vector(void *context, double time, sg_vec3 *out)
{
    return sg_part_call_load(context, time, out);
}

static sg_status read_load(sg_part *part, const sg_part_element *element, bool torque)
{
    sg_keywords r = sg_reader_make(part, element);
    force *f = begin(part, element);
    if (!f)
        return SG_ERR_MEMORY;
    const char *key = torque ? "torqueFunction" : "forceFunction";
    sg_vector_load *load = &f->element.u.load;
    *load = (sg_vector_load){
        .object = -1, .axes = SG_WORLD, .call = call_vector, .context = &f->vector};
    f->element.kind = torque ? SG_ELEMENT_TORQUE : SG_ELEMENT_FORCE;
    sg_read_object(&r, "objectApply", &load->object);
    sg_read_object(&r, "objectCoord", &load->axes);
    sg_read_function(&r, key, &f->vector);
    if (r.ok && load->object < 0)
        sg_read_fail(&r, "objectApply", SG_E_FORCE, "objectApply is missing");
    f->vector.object_apply = load->object;
    f->vector.object_coord = load->axes;
    add_vector(part, f, torque ? "torqueVector" : "forceVector", torque ? "N*m" : "N",
               &load->vector);
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
    const sg_bushing *b = &f->element.u.bushing;
    add_vector(part, f, "translation", "m", &b->translation);
    add_vector(part, f, "rotation", "rad", &b->rotation);
    add_vector(part, f, "velocity", "m/s", &b->velocity);
    add_vector(part, f, "rotationVelocity", "rad/s", &b->rates);
    add_vector(part, f, "springForce", "N", &b->spring_force);
    add_vector(part, f, "springTorque", "N*m", &b->spring_torque);
    add_vector(part, f, "damperForce", "N", &b->damper_force);
    add_vector(part, f, "damperTorque", "N*m", &b->damper_torque);
    add_vector(part, f, "torque", "N*m", &b->torque);
    add_vector(part, f, "forceVector", "N", &b->force_vector);
    add_vector(part, f, "torqueVector", "N*m", &b->torque_vector);
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
    define_bushing(part, f);
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
    s->line_axes = part->compat.spring_direction ? s->obj1 : SG_WORLD;
    part->may_matter.spring_direction = true;
    sg_read_number(&r, "nominalLength", &s->nominal_length);
    sg_read_number(&r, "nominalForce", &s->nominal_force);
    sg_read_law(&r, "springForceLaw", &s->spring, &f->law[0]);
    sg_read_law(&r, "damperForceLaw", &s->damper, &f->law[1]);
    add_signal(part, f, "distance", "m", &s->distance, 1);
    add_signal(part, f, "deflection", "m", &s->deflection, 1);
    add_signal(part, f, "velocity", "m/s", &s->velocity, 1);
    add_signal(part, f, "springForce", "N", &s->spring_force, 1);
    add_signal(part, f, "damperForce", "N", &s->damper_force, 1);
    add_signal(part, f, "force", "N", &s->force, 1);
    add_vector(part, f, "forceVector", "N", &s->force_vector);
    return finish(&r, f);
}
