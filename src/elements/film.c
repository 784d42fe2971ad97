#include "elements/film.h"

#include "view/animation.h"

#include <math.h>
#include <string.h>

static const double most_poses = 5e6; // from which on the size of an animation is worth a warning

// Two parts that write the same file would leave one of them, whichever came last.
static bool is_taken(const sg_film *film, size_t i, const char *file)
{
    sg_span span;
    for (size_t k = 0; k < i; k++) {
        const char *other = sg_part_animation_file(film->parts[k], &span);
        if (other && strcmp(other, file) == 0)
            return true;
    }
    return false;
}

static sg_status check_file(const sg_film *film, size_t i)
{
    sg_span span;
    const char *file = sg_part_animation_file(film->parts[i], &span);
    if (!file)
        return SG_OK;
    if (is_taken(film, i, file)) {
        sg_error(film->diags, SG_E_ANIMATION, span,
                 "two 3D parts of the model write the same animationFile '%s'", file);
        return SG_ERR_MODEL;
    }
    return film->check ? film->check(film->context, file, span) : SG_OK;
}

// As with results: what will be large is said before it is.
static void warn_of_size(const sg_film *film, const sg_part *part, double n_frames)
{
    sg_span span;
    const sg_animation *a = sg_part_animation(part);
    bool file = sg_part_animation_file(part, &span) != NULL;
    double poses = a ? n_frames * (double)a->visuals.len : 0.0;
    if (poses < most_poses)
        return;
    sg_warning(film->diags, SG_E_ANIMATION, span,
               "the animation will be large: %zu objects x %.0f frames = %.1f GB of memory%s; a "
               "longer interval makes it smaller",
               a->visuals.len, n_frames, poses * sizeof(sg_visual_pose) / 1e9,
               file ? " and twice as much on disk" : "");
}

// ---- the scene ------------------------------------------------------------------------------

static sg_status stage_all(sg_film *film)
{
    sg_arena arena;
    sg_scene_extras extras = {0};
    size_t n = 0, at = 0;
    bool ok = true;
    sg_animation_init(&film->stage, film->scene.allocator);
    for (size_t i = 0; i < film->n_parts; i++)
        n += sg_part_n_objects(film->parts[i]);
    sg_arena_init(&arena, film->scene.allocator);
    const char **paths = SG_NEW_ARRAY(&arena, const char *, n + 1);
    for (size_t i = 0; paths && ok && i < film->n_parts; i++) {
        sg_scene_extras more = sg_part_stage_extras(film->parts[i]);
        extras.contacts |= more.contacts;
        extras.boxes |= more.boxes;
        ok = sg_part_stage(film->parts[i], &film->stage, (int)at);
        for (size_t k = 0; k < sg_part_n_objects(film->parts[i]); k++)
            paths[at++] = sg_part_object_path(film->parts[i], k);
    }
    sg_status status = paths && ok ? SG_OK : SG_ERR_MEMORY;
    if (status == SG_OK)
        status = sg_scene_log_begin(&film->scene, &film->stage, paths, n, extras);
    sg_arena_destroy(&arena);
    return status;
}

// The visuals of a part in the list of all, and where its objects begin.
typedef struct part_range {
    size_t first, n;
    int object;
} part_range;

static part_range next_range(const sg_film *film, size_t part, part_range before)
{
    part_range r = {before.first + before.n, 0, before.object};
    if (part)
        r.object += (int)sg_part_n_objects(film->parts[part - 1]);
    int end = r.object + (int)sg_part_n_objects(film->parts[part]);
    while (r.first + r.n < film->stage.visuals.len &&
           film->stage.visuals.data[r.first + r.n].object < end)
        r.n++;
    return r;
}

static sg_status begin_scene(sg_film *film, uint32_t index)
{
    sg_status status = index ? SG_OK : stage_all(film);
    if (status == SG_OK)
        status = sg_scene_log_segment(&film->scene, index);
    part_range r = {0};
    for (size_t i = 0; i < film->n_parts && status == SG_OK; i++) {
        r = next_range(film, i, r);
        for (size_t k = r.first; k < r.first + r.n; k++)
            if (sg_part_object_gone(film->parts[i],
                                    (size_t)(film->stage.visuals.data[k].object - r.object)))
                sg_scene_log_hide(&film->scene, k);
    }
    return status;
}

static sg_status record_scene(sg_film *film)
{
    sg_visual_pose *row = sg_scene_log_point(&film->scene);
    part_range r = {0};
    bool ok = row != NULL;
    for (size_t i = 0; i < film->n_parts && ok; i++) {
        r = next_range(film, i, r);
        sg_part_stage_poses(film->parts[i], film->stage.visuals.data + r.first, r.n, r.object,
                            row + r.first);
        ok = !sg_part_n_objects(film->parts[i]) ||
             sg_part_stage_contacts(film->parts[i], (uint32_t)r.object, &film->scene);
    }
    return ok ? sg_scene_log_tick(&film->scene) : SG_ERR_MEMORY;
}

// ---- the sink -------------------------------------------------------------------------------

static sg_status begin_animations(sg_film *film)
{
    double length = film->stop - film->start;
    double interval = film->interval > 0.0 ? film->interval : length / 500.0;
    double n = interval > 0.0 ? floor(length / interval) + 3.0 : 3.0;
    sg_status status = SG_OK;
    if (film->scene_only)
        return SG_OK;
    for (size_t i = 0; i < film->n_parts && status == SG_OK; i++) {
        status = check_file(film, i);
        if (status == SG_OK)
            status = sg_part_begin_animation(film->parts[i], film->start, interval, n);
        if (status == SG_OK)
            warn_of_size(film, film->parts[i], n - 2.0);
    }
    film->begun = status == SG_OK;
    return status;
}

static sg_status begin_segment(void *user, uint32_t index, double t, const sg_sim_segment *segment)
{
    (void)t;
    (void)segment;
    sg_film *film = user;
    sg_status status = index ? SG_OK : begin_animations(film);
    if (status == SG_OK && film->scene.keep)
        status = begin_scene(film, index);
    return status;
}

static sg_status point(void *user, double t, const double *x, const double *dx)
{
    (void)x;
    (void)dx;
    sg_film *film = user;
    sg_status status = SG_OK;
    for (size_t i = 0; !film->scene_only && i < film->n_parts && status == SG_OK; i++)
        status = sg_part_record(film->parts[i], t);
    if (status == SG_OK && film->scene.keep)
        status = record_scene(film);
    return status;
}

static sg_status finish(void *user, sg_status outcome, double t)
{
    sg_film *film = user;
    (void)outcome;
    (void)t;
    return film->scene.keep ? sg_scene_log_flush(&film->scene) : SG_OK;
}

sg_sim_sink sg_film_sink(sg_film *film)
{
    return (sg_sim_sink){
        .user = film, .begin_segment = begin_segment, .point = point, .finish = finish};
}

sg_status sg_film_finish(sg_film *film,
                         void (*written)(void *context, const sg_part *part, const char *path))
{
    sg_status status = SG_OK;
    for (size_t i = 0; film->begun && i < film->n_parts; i++) {
        const char *path;
        sg_part_finish_animation(film->parts[i]);
        sg_status wrote = sg_part_write_animation(film->parts[i], &path);
        if (path && written)
            written(film->context, film->parts[i], path);
        status = status == SG_OK ? wrote : status;
    }
    return status;
}
