#include "parts/film.h"

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

static sg_status begin_segment(void *user, uint32_t index, double t, const sg_sim_segment *segment)
{
    (void)t;
    (void)segment;
    sg_film *film = user;
    if (index)
        return SG_OK;
    double length = film->stop - film->start;
    double interval = film->interval > 0.0 ? film->interval : length / 500.0;
    double n = interval > 0.0 ? floor(length / interval) + 3.0 : 3.0;
    sg_status status = SG_OK;
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

static sg_status point(void *user, double t, const double *x, const double *dx)
{
    (void)x;
    (void)dx;
    const sg_film *film = user;
    sg_status status = SG_OK;
    for (size_t i = 0; i < film->n_parts && status == SG_OK; i++)
        status = sg_part_record(film->parts[i], t);
    return status;
}

sg_sim_sink sg_film_sink(sg_film *film)
{
    return (sg_sim_sink){.user = film, .begin_segment = begin_segment, .point = point};
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
