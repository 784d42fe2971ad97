// Results that are kept back.
//
// While a stretch of the run may have to be repeated, nothing of it is handed out. Conditions and
// memories stay as they are within a stretch, so states are enough: the model is evaluated for a
// point when it is released, before anything changes.
#include "integration/kept.h"
#include "sim/run_internal.h"

#include <math.h>
#include <string.h>

// [bytes] More than that are not kept: the stretch is settled then. That is the only thing about it
// that the output interval can change, and it takes millions of points.
#define MOST_BYTES ((size_t)64 << 20)
// So many are at hand, so that nothing is allocated between events.
#define RESERVED_BYTES ((size_t)1 << 20)
// In front of the states of a point: its time, and whether it is a result.
enum { HEAD = 2 };

sg_status sg_sim_hold(sg_sim_run_state *run)
{
    sg_sim_held *h = &run->held;
    const sg_stretch *stretch = &run->integration->watched.stretch;
    // A change of the solver forgets a stretch in between.
    bool other = h->on && (!stretch->open || stretch->t != h->from);
    sg_status status = other ? sg_sim_held_release(run) : SG_OK;
    if (status || h->on || !stretch->open)
        return status;
    h->width = (size_t)run->integration->n_solver + HEAD;
    h->cap = h->bytes / (h->width * sizeof *h->points);
    h->on = true;
    h->n = 0;
    h->from = stretch->t;
    h->grid = run->next_grid;
    return SG_OK;
}

static sg_status make_room(sg_sim_run_state *run, size_t cap)
{
    sg_sim_held *h = &run->held;
    size_t bytes = cap * h->width * sizeof *h->points;
    double *points = run->allocator->resize(run->allocator->context, h->points, h->bytes, bytes);
    if (!points)
        return SG_ERR_MEMORY;
    h->points = points;
    h->bytes = bytes;
    h->cap = cap;
    return SG_OK;
}

static sg_status grow(sg_sim_run_state *run)
{
    uint64_t before = run->options.allocated ? *run->options.allocated : 0;
    sg_status status = make_room(run, run->held.cap ? 2 * run->held.cap : 64);
    run->integration->changes.alloc +=
        run->options.allocated ? *run->options.allocated - before : 0;
    return status;
}

sg_status sg_sim_held_reserve(sg_sim_run_state *run)
{
    sg_sim_held *h = &run->held;
    double points = (run->options.stop - run->integration->t) / run->options.interval + 2.0;
    h->width = (size_t)run->integration->n_solver + HEAD;
    double most = (double)RESERVED_BYTES / (double)(h->width * sizeof *h->points);
    size_t cap = (size_t)fmin(points, most) + 1;
    h->cap = h->bytes / (h->width * sizeof *h->points);
    return cap > h->cap && sg_stretch_possible(run->integration) ? make_room(run, cap) : SG_OK;
}

sg_status sg_sim_held_add(sg_sim_run_state *run, double t, const double *x, bool is_result)
{
    sg_sim_held *h = &run->held;
    sg_status status = h->n < h->cap ? SG_OK : grow(run);
    if (status)
        return status;
    if (is_result)
        run->last_point = fmax(run->last_point, t);
    double *point = h->points + h->n++ * h->width;
    point[0] = t;
    point[1] = is_result;
    memcpy(point + HEAD, x, (h->width - HEAD) * sizeof *x);
    return SG_OK;
}

bool sg_sim_held_full(const sg_sim_run_state *run)
{
    return run->held.n * run->held.width * sizeof(double) > MOST_BYTES;
}

sg_status sg_sim_held_release(sg_sim_run_state *run)
{
    sg_sim_held *h = &run->held;
    sg_status status = SG_OK;
    h->on = false;
    if (h->n)
        status = sg_kept_begin(run->integration);
    // Each goes on from the one before: the last of them may be far from the first.
    for (size_t i = 0; i < h->n && !status; i++) {
        const double *point = h->points + i * h->width;
        status = point[1] > 0.0 ? sg_sim_store(run, point[0], point + HEAD)
                                : sg_sim_follow(run, point[0], point + HEAD);
    }
    sg_kept_end(run->integration);
    h->n = 0;
    return status;
}

void sg_sim_held_drop(sg_sim_run_state *run)
{
    sg_sim_held *h = &run->held;
    if (h->on) {
        run->next_grid = h->grid;
        run->followed.from = NAN; // a step from the same place is another one
    }
    h->on = false;
    h->n = 0;
}

void sg_sim_held_destroy(sg_sim_run_state *run)
{
    sg_sim_held *h = &run->held;
    if (h->points)
        run->allocator->resize(run->allocator->context, h->points, h->bytes, 0);
    h->points = NULL;
}
