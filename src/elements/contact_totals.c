// All contacts of a part together: signals of their number and depth, and counts of the run.
#include "elements/contacts.h"
#include "elements/shown.h"
#include "parts/host.h"
#include "parts/log.h"
#include "parts/solid.h"

#include <math.h>

enum { NUMBER, BEGUN, ENDED, DEEPEST };

bool sg_part_define_contact_totals(sg_part *part, sg_part_contacts *c)
{
    static const char *const signals[SG_CONTACT_TOTALS][2] = {
        [NUMBER] = {"number", ""},
        [BEGUN] = {"begun", ""},
        [ENDED] = {"ended", ""},
        [DEEPEST] = {"deepest", "m"},
    };
    static const double zero = 0.0;
    for (int i = 0; i < SG_CONTACT_TOTALS; i++) {
        const char *name = sg_arena_printf(&part->segment.arena, "%s%scontacts.%s", part->id,
                                           part->id[0] ? "." : "", signals[i][0]);
        c->total[i] =
            name ? sg_hidden_add_local(part->segment.hidden, name, signals[i][1], &zero, 1, true)
                 : -1;
    }
    return !part->segment.arena.failed && !part->segment.hidden->failed;
}

sg_status sg_part_store_contact_totals(sg_part_eval *e, const void *data, void *own)
{
    const sg_part_contacts *c = data;
    const sg_part_touching *t = own;
    sg_contact_counts counts = sg_part_counts_so_far(t);
    double value[SG_CONTACT_TOTALS] = {
        [BEGUN] = (double)counts.begun, [ENDED] = (double)counts.ended};
    if (t->is_made) {
        value[NUMBER] = (double)t->contacts.contact.len;
        value[DEEPEST] = sg_contacts_deepest(&t->contacts, e->time);
    }
    for (int i = 0; i < SG_CONTACT_TOTALS; i++)
        sg_part_set_local(e, c->total[i], &value[i], 1);
    return SG_OK;
}

// ---- counts ---------------------------------------------------------------------------------

sg_contact_counts sg_part_counts_so_far(const sg_part_touching *t)
{
    sg_contact_counts counts = t->counts;
    if (!t->is_made)
        return counts;
    const sg_detect_stats *s = &t->contacts.detect.stats;
    sg_contact_counts segment = {
        .begun = t->contacts.started,
        .ended = t->contacts.ended,
        .most = t->most,
        .pairs = t->contacts.detect.candidates->pairs,
        .struck = t->struck,
        .yielded = t->yielded,
        .events = s->events,
        .crossings = s->crossings,
        .forces = s->forces,
        .boxes = s->tests,
        .closed = s->closed,
        .warm = s->general + s->portals - s->searches,
        .mpr = s->searches,
        .phase2 = s->phase2,
        .phase2_most = s->most_phase2,
        .phase3 = s->phase3,
        .phase3_most = s->most_phase3,
        .stage2 = s->stage2,
        .stage2_most = s->most_stage2,
        .tc1 = s->ends[SG_MPR_TC1],
        .tc2 = s->ends[SG_MPR_TC2],
        .tc3 = s->ends[SG_MPR_TC3],
        .enlarged = s->warnings,
        .unproven = s->unproven,
    };
    sg_contact_counts_add(&counts, &segment);
    return counts;
}

bool sg_part_contact_counts(const sg_part *part, sg_contact_counts *sum)
{
    const sg_part_touching *t = part->run ? sg_part_touching_kept(part->run) : NULL;
    if (!t || !part->records.scene.detects_contacts)
        return false;
    sg_contact_counts counts = sg_part_counts_so_far(t);
    sg_contact_counts_add(sum, &counts);
    return true;
}

void sg_part_print_contact_counts(const sg_contact_counts *c, sg_buf *out)
{
    sg_contact_count row;
    sg_buf_puts(out, "contacts\n");
    for (size_t i = 0; (row = sg_contact_count_at(c, i)).name; i++)
        sg_buf_printf(out, "  %-11s %12lld  %s\n", row.name, (long long)row.value, row.what);
    if (c->mpr > 0)
        sg_buf_printf(out, "  on average %.3g iterations of phase 2 and %.3g of phase 3\n",
                      (double)c->phase2 / (double)c->mpr, (double)c->phase3 / (double)c->mpr);
}

// What differs by less than this from what materials say is not worth a word.
static const double telling_restitution = 0.02;

// The contact of two colliders that may touch elastically, the first ones of their materials; or
// null.
static const sg_contact_material *new_pair(const sg_part_contacts *c, int i, int j, sg_map *seen)
{
    uint64_t a = (uint32_t)c->material[i].material, b = (uint32_t)c->material[j].material;
    uint64_t key = a < b ? a << 32 | b : b << 32 | a;
    // Areas leave with the coefficient itself.
    bool flat = sg_colliders_lie(&c->collider[i], &c->collider[j]);
    if (!sg_candidates_may(&c->candidates, i, j) || flat || sg_map_get(seen, key))
        return NULL;
    const sg_contact_material *m = sg_contact_table_get(&c->table, (int)a, (int)b);
    return sg_map_put(seen, key, 1) && m && m->response == SG_CONTACT_ELASTIC ? m : NULL;
}

// More colliders than this have too many pairs to look through for a line of the log.
enum { MOST_LOGGED = 200 };

// "0.7 of Steel and Steel acts as 0.683", for each pair of materials of which that is so.
static void write_restitution(const sg_part_eval *e, const sg_part_contacts *c, sg_buf *out)
{
    const sg_part_object *objects = e->part->records.objects.data;
    sg_map seen;
    sg_map_init(&seen, e->part->allocator);
    for (int i = 0; c->n <= MOST_LOGGED && i < c->n; i++)
        for (int j = i + 1; j < c->n; j++) {
            const sg_contact_material *m = new_pair(c, i, j, &seen);
            double acts = m ? sg_law_effective(&c->options.law, m->restitution) : 0.0;
            if (!m || fabs(acts - m->restitution) <= telling_restitution * m->restitution)
                continue;
            size_t from = out->len ? out->len + 2 : 0;
            sg_buf_printf(out, "%s%.4g of %s and %s acts as %.3g", out->len ? ", " : "",
                          m->restitution, objects[c->object[i]].solid->contact_material,
                          objects[c->object[j]].solid->contact_material, acts);
            if (e->part->records.host->log)
                sg_part_log(e->part,
                            "      The restitution %s (Scene(restitution = \"exact\"): as it is)\n",
                            sg_buf_text(out) + from);
        }
    sg_map_free(&seen);
}

static void keep_restitution(const sg_part_eval *e, const sg_part_contacts *c, sg_part_touching *t)
{
    sg_buf text;
    sg_buf_init(&text, e->part->allocator);
    write_restitution(e, c, &text);
    t->restitution = sg_arena_text(&e->state->lasting, sg_buf_text(&text), text.len);
    sg_buf_free(&text);
}

const char *sg_part_restitution(const sg_part *part)
{
    const sg_part_touching *t = part->run ? sg_part_touching_kept(part->run) : NULL;
    return t && part->records.scene.detects_contacts && t->restitution ? t->restitution : "";
}

static void log_setup(const sg_part_eval *e, const sg_part_contacts *c, const sg_part_touching *t)
{
    int visible = 0;
    for (size_t i = 0; i < e->part->records.objects.len; i++) {
        const sg_part_solid *solid = e->part->records.objects.data[i].solid;
        visible += solid && solid->shape && solid->visible;
    }
    const sg_detect_options *o = &t->contacts.detect.options;
    sg_part_log(e->part,
                "      Contacts: nShapes = %d, nPairs = %lld, nVisualShapes = %d, "
                "mprTolerance = %g, contact_eps = %g m\n",
                c->n, (long long)c->candidates.pairs, visible, o->mpr.tolerance, o->eps);
}

void sg_part_log_contact_setup(const sg_part_eval *e, const sg_part_contacts *c,
                               sg_part_touching *t)
{
    if (e->state != e->part->run)
        return;
    if (e->part->records.host->log)
        log_setup(e, c, t);
    keep_restitution(e, c, t);
}
