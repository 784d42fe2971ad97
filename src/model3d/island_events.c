// What an event of islands costs: the pairs that it may be about, and no point of the result.
#include "model3d/islands_internal.h"

#include <string.h>

// So many bodies, and an event of some of them is no point of the result by itself: a point is as
// large as there are bodies, and there are more events than bodies. In a scene of more than that
// nobody looks for the instant of one impact in the motion of all, and tables of contacts have it.
enum { SHOWN_UP_TO = 64 };

// Forces of elastic contacts begin and end with zero; springs are damped at once, and impulses
// change speeds.
static bool is_smooth(const sg_contact_table *table)
{
    bool smooth = true;
    for (int a = 0; a < table->n; a++)
        for (int b = 0; b < table->n; b++) {
            const sg_contact_material *m = sg_contact_table_get(table, a, b);
            smooth &= !m || m->response == SG_CONTACT_ELASTIC ||
                      sg_response_takes(m->response) == SG_BY_NOTHING;
        }
    return smooth;
}

bool sg_islands_are_smooth(int n_free, const sg_contact_table *table)
{
    return n_free > SHOWN_UP_TO && is_smooth(table);
}

static int island_of(const struct sg_part_islands *p, int collider)
{
    return p->island[p->cell_of_body[p->c->collider[collider].body]];
}

// Pairs of a collider with larger numbers that were near each other in the last steps; false if
// there are too many.
static bool add_fresh(struct sg_part_islands *p, int i, int *n)
{
    const sg_island_yard *yard = &p->yard[i];
    if (!yard->is_there || yard->n < 0 || *n + yard->n + p->n_fixed > SG_FRESH * p->c->n)
        return false;
    for (int m = 0; m < yard->n; m++) {
        int j = yard->near[m];
        if (j > i && p->struck[island_of(p, j)] &&
            sg_aabb_overlap(p->sweep[i].box, p->sweep[j].box))
            p->fresh[(*n)++] = (sg_detect_pair_of){i, j};
    }
    for (int m = 0; m < p->n_fixed; m++) {
        int j = p->fixed[m];
        p->fresh[(*n)++] = (sg_detect_pair_of){i < j ? i : j, i < j ? j : i};
    }
    return true;
}

// Nobody else can begin to touch: detection is told who can, where that is known. Then nothing
// about the others is asked.
static bool tell_of_event(struct sg_part_islands *p, double t)
{
    const sg_detect *d = &sg_islands_touching(p)->contacts.detect;
    sg_detect_few few = {.on = p->main < 0 && sg_detect_takes_few(d),
                         .time = t,
                         .pair = p->fresh,
                         .collider = p->struck_one,
                         .moved = p->is_struck};
    memset(p->is_struck, 0, (size_t)p->c->n * sizeof *p->is_struck);
    for (int o = 0; few.on && o < p->n_groups; o++)
        for (int k = 0; p->struck[o] && few.on && k < p->group[o].n_colliders; k++) {
            int i = p->collider[p->group[o].first_collider + k];
            p->struck_one[few.n_colliders++] = i;
            p->is_struck[i] = true;
            few.on = add_fresh(p, i, &few.n);
        }
    sg_islands_touching(p)->contacts.detect.few = few;
    return few.on;
}

bool sg_islands_quiet(void *user, double t, const int8_t *all, bool *alone)
{
    struct sg_part_islands *p = user;
    const sg_part_records *r = &p->part->records;
    sg_islands_touching(p)->contacts.detect.few.on = false;
    bool turned = false; // angles are counted in another order: they jump
    for (size_t k = 0; p->is_smooth && k < r->frees.len; k++)
        turned |= all[r->frees.data[k].crossing] != 0;
    if (p->is_smooth && !turned)
        *alone = tell_of_event(p, t);
    return p->is_smooth && !turned;
}
