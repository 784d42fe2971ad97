#include "natives/touches.h"

#include "base/limits.h"

#include <string.h>

void sg_touches_init(sg_touches *touches, sg_part *const *parts, size_t n_parts,
                     const sg_allocator *allocator, sg_result_writer *writer)
{
    *touches = (sg_touches){.parts = parts, .n_parts = n_parts};
    sg_touch_log_init(&touches->log, allocator, writer);
}

void sg_touches_destroy(sg_touches *touches) { sg_touch_log_destroy(&touches->log); }

static sg_touch_item item_of(const sg_contact_record *r, size_t first_object)
{
    sg_touch_row row = {.a = (uint32_t)(first_object + (size_t)r->object[0]),
                        .b = (uint32_t)(first_object + (size_t)r->object[1]),
                        .begin = r->begin,
                        .end = r->end,
                        .speed = r->speed,
                        .depth = r->depth,
                        .depth_time = r->depth_time,
                        .force = r->force,
                        .force_time = r->force_time,
                        .impulse = r->impulse};
    return (sg_touch_item){row, sg_touch_law(r->law)};
}

// The objects of all parts, counted on from one to the next.
static sg_status name_objects(sg_touches *touches)
{
    size_t n = 0, at = 0;
    bool any = false;
    for (size_t i = 0; i < touches->n_parts; i++) {
        n += sg_part_n_objects(touches->parts[i]);
        any |= sg_part_has_contacts(touches->parts[i]);
    }
    if (!any)
        return SG_OK;
    sg_arena arena;
    sg_arena_init(&arena, touches->log.allocator);
    const char **paths = SG_NEW_ARRAY(&arena, const char *, n + 1);
    for (size_t i = 0; paths && i < touches->n_parts; i++)
        for (size_t k = 0; k < sg_part_n_objects(touches->parts[i]); k++)
            paths[at++] = sg_part_object_path(touches->parts[i], k);
    sg_status status = paths ? sg_touch_log_objects(&touches->log, paths, n) : SG_ERR_MEMORY;
    sg_arena_destroy(&arena);
    return status;
}

static sg_status begin_segment(void *user, uint32_t index, double t, const sg_sim_segment *segment)
{
    (void)t;
    (void)segment;
    return index ? SG_OK : name_objects(user);
}

sg_status sg_touches_collect(sg_touches *touches)
{
    size_t first = 0;
    for (size_t i = 0; i < touches->n_parts; i++) {
        const sg_contact_record *list;
        size_t n = sg_part_ended_contacts(touches->parts[i], &list);
        for (size_t k = 0; k < n; k++)
            if (!SG_PUSH(touches->log.allocator, &touches->log.ended, item_of(&list[k], first)))
                return SG_ERR_MEMORY;
        first += sg_part_n_objects(touches->parts[i]);
    }
    return SG_OK;
}

static sg_status send(sg_touches *touches, double now)
{
    size_t first = 0;
    touches->log.lasting.len = 0;
    for (size_t i = 0; i < touches->n_parts; i++) {
        size_t n = sg_part_lasting_contacts(touches->parts[i]);
        for (size_t k = 0; k < n; k++) {
            sg_contact_record r = sg_part_lasting_contact(touches->parts[i], k);
            if (!SG_PUSH(touches->log.allocator, &touches->log.lasting, item_of(&r, first)))
                return SG_ERR_MEMORY;
        }
        first += sg_part_n_objects(touches->parts[i]);
    }
    return sg_touch_log_send(&touches->log, now);
}

static sg_status point(void *user, double t, const double *x, const double *dx)
{
    (void)x;
    (void)dx;
    sg_touches *touches = user;
    if (!touches->n_parts)
        return SG_OK;
    double now = sg_wall_time();
    sg_status status = sg_touches_collect(touches);
    for (size_t i = 0; i < touches->n_parts; i++)
        sg_part_point_stored(touches->parts[i], t);
    if (status == SG_OK && sg_touch_log_is_due(&touches->log, now))
        status = send(touches, now);
    return status;
}

static sg_status finish(void *user, sg_status outcome, double t)
{
    (void)outcome;
    (void)t;
    sg_touches *touches = user;
    sg_status status = sg_touches_collect(touches);
    return status == SG_OK ? send(touches, sg_wall_time()) : status;
}

sg_sim_sink sg_touches_sink(sg_touches *touches)
{
    return (sg_sim_sink){
        .user = touches, .begin_segment = begin_segment, .point = point, .finish = finish};
}

size_t sg_touches_reserve(sg_touches *touches)
{
    size_t n = 0;
    for (size_t i = 0; i < touches->n_parts; i++)
        n += sg_part_lasting_contacts(touches->parts[i]);
    return touches->n_parts ? sg_touch_log_reserve(&touches->log, n) : 0;
}

// ---- for scripts ----------------------------------------------------------------------------

static sg_status put_names(sg_vm *vm, const sg_result *r, sg_dict *dict, const char *key,
                           sg_span span, sg_diags *diags)
{
    size_t n = sg_result_contact_count(r);
    sg_array *list = sg_vector_make(vm, SG_ELEM_ANY, n);
    if (!list || !sg_dict_put(vm, dict, sg_symbol(sg_vm_sym(vm, key)), sg_object(list), span))
        return SG_ERR_MEMORY;
    for (size_t i = 0; i < n; i++) {
        sg_contact_entry e;
        sg_status status = sg_result_contacts(r, i, 1, &e, diags);
        if (status != SG_OK)
            return status;
        const char *name = strcmp(key, "law") == 0       ? e.law
                           : strcmp(key, "object1") == 0 ? e.object1
                                                         : e.object2;
        list->v[i] = sg_string_value(vm, name);
        if (list->v[i].tag == SG_UNDEF)
            return SG_ERR_MEMORY;
    }
    return SG_OK;
}

static sg_status put_numbers(sg_vm *vm, const sg_result *r, sg_dict *dict, size_t k, sg_span span,
                             sg_diags *diags)
{
    size_t n = sg_result_contact_count(r);
    sg_array *list = sg_vector_make(vm, SG_ELEM_FLOAT, n);
    if (!list ||
        !sg_dict_put(vm, dict, sg_symbol(sg_vm_sym(vm, sg_touch_names[k])), sg_object(list), span))
        return SG_ERR_MEMORY;
    for (size_t i = 0; i < n; i++) {
        sg_contact_entry e;
        double x[SG_TOUCH_NUMBERS];
        sg_status status = sg_result_contacts(r, i, 1, &e, diags);
        if (status != SG_OK)
            return status;
        sg_touch_numbers(&e, x);
        list->f[i] = x[k];
    }
    return SG_OK;
}

sg_status sg_touches_values(sg_vm *vm, const sg_result *r, sg_span span, sg_value *out)
{
    sg_dict *dict = sg_dict_make(vm, (sg_sym){0});
    if (!dict)
        return SG_ERR_MEMORY;
    *out = sg_object(dict);
    sg_root_mark mark = sg_root_mark_get(vm);
    sg_root_push(vm, *out);
    sg_status status = put_names(vm, r, dict, "object1", span, vm->diags);
    if (status == SG_OK)
        status = put_names(vm, r, dict, "object2", span, vm->diags);
    for (size_t k = 0; k < SG_TOUCH_NUMBERS && status == SG_OK; k++)
        status = put_numbers(vm, r, dict, k, span, vm->diags);
    if (status == SG_OK)
        status = put_names(vm, r, dict, "law", span, vm->diags);
    sg_root_pop(vm, mark);
    return status;
}
