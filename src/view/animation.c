#include "view/animation.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

// Frames that are announced are reserved up to this size; a run that asks for more grows as it
// goes.
static const double most_reserved = 64e6; // [bytes]

void sg_animation_init(sg_animation *a, const sg_allocator *allocator)
{
    *a = (sg_animation){.allocator = allocator,
                        .up = {0.0, 1.0, 0.0},
                        .camera = {10.0, 30.0 * SG_DEGREE, 15.0 * SG_DEGREE},
                        .light = {10.0, 60.0 * SG_DEGREE, 45.0 * SG_DEGREE}};
    sg_arena_init(&a->arena, allocator);
}

void sg_animation_destroy(sg_animation *a)
{
    if (!a->allocator)
        return;
    SG_VEC_FREE(a->allocator, &a->visuals);
    SG_VEC_FREE(a->allocator, &a->time);
    SG_VEC_FREE(a->allocator, &a->poses);
    sg_arena_destroy(&a->arena);
}

sg_vec3 sg_animation_up(sg_vec3 g)
{
    double x = fabs(g.x), y = fabs(g.y), z = fabs(g.z);
    if (!(v3_norm(g) > 1e-8))
        return v3_make(0.0, 1.0, 0.0);
    if (x > y && x > z)
        return v3_make(g.x > 0.0 ? -1.0 : 1.0, 0.0, 0.0);
    if (y > x && y > z)
        return v3_make(0.0, g.y > 0.0 ? -1.0 : 1.0, 0.0);
    return v3_make(0.0, 0.0, g.z > 0.0 ? -1.0 : 1.0);
}

static const char *copy(sg_arena *arena, const char *text)
{
    return text ? sg_arena_text(arena, text, strlen(text)) : NULL;
}

bool sg_animation_add(sg_animation *a, const sg_visual *visual)
{
    sg_visual v = *visual;
    v.path = copy(&a->arena, v.path);
    v.shape = copy(&a->arena, v.shape);
    v.mesh.three = copy(&a->arena, v.mesh.three);
    v.look.name = copy(&a->arena, v.look.name);
    v.text.text = copy(&a->arena, v.text.text);
    v.text.family = copy(&a->arena, v.text.family);
    return !a->arena.failed && SG_PUSH(a->allocator, &a->visuals, v);
}

bool sg_animation_begin(sg_animation *a, double start, double interval, double n_frames)
{
    double row = sizeof(double) + (double)a->visuals.len * sizeof(sg_visual_pose);
    size_t n = n_frames > 0.0 ? (size_t)fmin(n_frames, most_reserved / row) : 0;
    a->time.len = a->poses.len = 0;
    a->start = start;
    a->interval = interval;
    a->next = 0;
    a->provisional = false;
    return SG_RESERVE(a->allocator, &a->time, n) &&
           SG_RESERVE(a->allocator, &a->poses, n * a->visuals.len + 1);
}

sg_visual_pose *sg_animation_add_frame(sg_animation *a, double t)
{
    size_t n = a->visuals.len, at = a->poses.len;
    // One more, so that there is something to point at without visuals.
    if (!SG_RESERVE(a->allocator, &a->poses, at + n + 1) || !SG_PUSH(a->allocator, &a->time, t))
        return NULL;
    a->poses.len += n;
    memset(a->poses.data + at, 0, n * sizeof *a->poses.data);
    return a->poses.data + at;
}

static void drop_frame(sg_animation *a)
{
    a->time.len--;
    a->poses.len -= a->visuals.len;
    a->provisional = false;
}

sg_visual_pose *sg_animation_point(sg_animation *a, double t)
{
    double k = a->interval > 0.0 ? round((t - a->start) / a->interval) : 0.0;
    double due = a->start + k * a->interval;
    bool on_grid = k >= a->next && fabs(due - t) < 1e-6 * (fabs(t) + 1.0);
    if (a->provisional)
        drop_frame(a);
    sg_visual_pose *row = sg_animation_add_frame(a, t);
    if (!row)
        return NULL;
    a->provisional = !on_grid;
    if (on_grid)
        a->next = k + 1.0;
    return row;
}

void sg_animation_finish(sg_animation *a)
{
    size_t n = a->time.len;
    if (a->provisional && n > 1 && a->time.data[n - 1] <= a->time.data[n - 2])
        drop_frame(a); // the second point of an event at a time of the grid
    a->provisional = false;
}

sg_visual_pose sg_visual_pose_of(const sg_pose *pose)
{
    sg_visual_pose p;
    sg_mat3 R_abs = m3_transpose(pose->R);
    sg_quat q = q_from_mat3(&R_abs);
    v3_store(pose->r, p.r);
    p.q[0] = q.x;
    p.q[1] = q.y;
    p.q[2] = q.z;
    p.q[3] = q.w;
    return p;
}
