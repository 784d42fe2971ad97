#include "natives/touches.h"

#include "base/limits.h"

void sg_touches_init(sg_touches *touches, sg_part *const *parts, size_t n_parts,
                     const sg_allocator *allocator, sg_result_writer *writer)
{
    *touches = (sg_touches){.parts = parts, .n_parts = n_parts};
    sg_touch_log_init(&touches->log, allocator, writer);
}

void sg_touches_destroy(sg_touches *touches) { sg_touch_log_destroy(&touches->log); }

static sg_touch_row row_of(const sg_contact_record *r, size_t first_object)
{
    return (sg_touch_row){.a = (uint32_t)(first_object + (size_t)r->object[0]),
                          .b = (uint32_t)(first_object + (size_t)r->object[1]),
                          .begin = r->begin,
                          .end = r->end,
                          .speed = r->speed,
                          .depth = r->depth,
                          .depth_time = r->depth_time,
                          .force = r->force,
                          .force_time = r->force_time,
                          .impulse = r->impulse};
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

static sg_status take_ended(sg_touches *touches)
{
    size_t first = 0;
    for (size_t i = 0; i < touches->n_parts; i++) {
        const sg_contact_record *list;
        size_t n = sg_part_ended_contacts(touches->parts[i], &list);
        for (size_t k = 0; k < n; k++)
            if (!SG_PUSH(touches->log.allocator, &touches->log.ended, row_of(&list[k], first)))
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
            if (!SG_PUSH(touches->log.allocator, &touches->log.lasting, row_of(&r, first)))
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
    sg_status status = take_ended(touches);
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
    sg_status status = take_ended(touches);
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
