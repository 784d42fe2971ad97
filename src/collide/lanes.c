#include "collide/lanes.h"

#include "base/crew.h"

#include <stdatomic.h>

// Fewer pairs are measured sooner than others are told of them.
enum { LEAST_PAIRS = 8 };

typedef struct lane {
    sg_detect view; // of the detection, with scratch, counts and a failure of its own
    size_t failed;  // the first pair that did, and its failure
    sg_detect_failure failure;
} lane;

struct sg_detect_lanes {
    sg_crew *crew;
    sg_detect *detect;
    lane *lane;              // by member
    sg_distance_work **work; // likewise
    atomic_size_t next;      // pair
};

sg_status sg_detect_lanes_init(sg_detect *d, sg_crew *crew, sg_arena *arena)
{
    size_t n = (size_t)sg_crew_size(crew);
    if (n < 2)
        return SG_OK;
    struct sg_detect_lanes *l = d->lanes = SG_NEW(arena, struct sg_detect_lanes);
    if (!l)
        return SG_ERR_MEMORY;
    l->crew = crew;
    l->lane = SG_NEW_ARRAY(arena, lane, n);
    l->work = SG_NEW_ARRAY(arena, sg_distance_work *, n);
    for (size_t i = 0; l->work && i < n; i++)
        l->work[i] = SG_NEW(arena, sg_distance_work);
    return arena->failed ? SG_ERR_MEMORY : SG_OK;
}

static void begin(struct sg_detect_lanes *l, int member)
{
    lane *own = &l->lane[member];
    own->view = *l->detect;
    own->view.stats = (sg_detect_stats){.events = l->detect->stats.events};
    own->view.work = own->view.beside = l->work[member];
    own->failed = SIZE_MAX;
}

static void measure(void *context, int member)
{
    struct sg_detect_lanes *l = context;
    lane *own = &l->lane[member];
    const sg_detect *d = &own->view;
    for (;;) {
        size_t i = atomic_fetch_add(&l->next, 1);
        if (i >= d->touch.len)
            return;
        sg_touch *t = &d->touch.data[i];
        bool known = pair_table_get(&d->memories, t->a, t->b) >= 0;
        if (t->rests || !known)
            continue;
        own->view.work->owner = NULL;
        if (sg_detect_pair(&own->view, t->a, t->b, NULL, t) && i < own->failed) {
            own->failed = i;
            own->failure = own->view.failure;
        }
    }
}

static void add_counts(sg_detect_stats *sum, const sg_detect_stats *s)
{
    sum->closed += s->closed;
    sum->general += s->general;
    sum->portals += s->portals;
    sum->supports += s->supports;
    sum->searches += s->searches;
    sum->phase2 += s->phase2;
    sum->phase3 += s->phase3;
    sum->stage2 += s->stage2;
    sum->warnings += s->warnings;
    sum->most_phase2 = sum->most_phase2 > s->most_phase2 ? sum->most_phase2 : s->most_phase2;
    sum->most_phase3 = sum->most_phase3 > s->most_phase3 ? sum->most_phase3 : s->most_phase3;
    sum->most_stage2 = sum->most_stage2 > s->most_stage2 ? sum->most_stage2 : s->most_stage2;
    for (int i = 0; i <= SG_MPR_TC3; i++)
        sum->ends[i] += s->ends[i];
}

static bool can_share(const sg_detect *d)
{
    size_t n = 0;
    for (size_t i = 0; i < d->touch.len; i++) {
        const sg_touch *t = &d->touch.data[i];
        if (d->shape[t->a].is_tube || d->shape[t->b].is_tube)
            return false;
        n += !t->rests;
    }
    return n >= LEAST_PAIRS;
}

typedef struct first_failure {
    size_t pair;
    sg_detect_failure failure;
} first_failure;

static void note(first_failure *first, size_t pair, const sg_detect_failure *failure)
{
    if (pair < first->pair)
        *first = (first_failure){pair, *failure};
}

static void measure_in_lanes(sg_detect *d, first_failure *first)
{
    struct sg_detect_lanes *l = d->lanes;
    l->detect = d;
    for (int i = 0; i < sg_crew_size(l->crew); i++)
        begin(l, i);
    atomic_store(&l->next, 0);
    sg_crew_do(l->crew, measure, l);
    for (int i = 0; i < sg_crew_size(l->crew); i++) {
        add_counts(&d->stats, &l->lane[i].view.stats);
        note(first, l->lane[i].failed, &l->lane[i].failure);
    }
}

// In the order of the set; in lanes those that were new to the table are left.
static void measure_one_by_one(sg_detect *d, bool new_ones, first_failure *first)
{
    bool many = d->touch.len > 1;
    for (size_t i = 0; i < d->touch.len; i++) {
        sg_touch *t = &d->touch.data[i];
        if (t->rests || (new_ones && pair_table_get(&d->memories, t->a, t->b) >= 0))
            continue;
        d->work->owner = many ? NULL : d->work->owner;
        if (sg_detect_pair(d, t->a, t->b, NULL, t))
            note(first, i, &d->failure);
    }
}

// A polytope to go on from is there for a single contact only: which of several has it depends on
// who came last.
sg_status sg_detect_measure_set(sg_detect *d)
{
    first_failure first = {.pair = SIZE_MAX};
    bool shared = d->lanes && can_share(d);
    if (shared)
        measure_in_lanes(d, &first);
    measure_one_by_one(d, shared, &first);
    if (d->touch.len > 1)
        d->work->owner = NULL;
    if (first.pair == SIZE_MAX)
        return SG_OK;
    d->failure = first.failure;
    return first.failure.status;
}
