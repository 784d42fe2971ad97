#include "model3d/saved.h"

#include "actions/action_functions.h"
#include "elements/balance.h"
#include "model3d/segment.h"
#include "parts/loops.h"

#include <string.h>

// ---- records --------------------------------------------------------------------------------

// One that was deleted, in records that were just read (actions/restructure.c).
static bool delete_object(sg_part *part, size_t i)
{
    sg_part_object *object = &part->records.objects.data[i];
    const char *name = sg_arena_printf(&part->records.arena, "%s (deleted)", object->name);
    part->records.declared.data[i].name = name;
    part->records.declared.data[i].mass = (sg_mass){0};
    object->solid = NULL;
    object->odd_mesh = object->odd_pieces = false;
    return name != NULL;
}

static sg_status archive_objects(sg_part *part, sg_archive *a)
{
    int n = (int)part->records.objects.len;
    SG_ARCHIVE(a, n);
    if (a->failed || n != (int)part->records.objects.len)
        return SG_ERR_INPUT;
    for (int i = 0; i < n && !a->failed; i++) {
        sg_part_object *object = &part->records.objects.data[i];
        sg_tree_object *d = &part->records.declared.data[i];
        SG_ARCHIVE(a, object->parked);
        SG_ARCHIVE(a, object->gone);
        SG_ARCHIVE(a, d->parent);
        SG_ARCHIVE(a, d->joint);
        SG_ARCHIVE(a, d->place);
        SG_ARCHIVE(a, d->shifted_only);
        if (d->parent < -1 || d->parent >= n || object->parked < 0 || object->parked > n)
            a->failed = true;
        if (sg_archive_reads(a) && object->gone && !delete_object(part, (size_t)i))
            return SG_ERR_MEMORY;
    }
    return a->failed ? SG_ERR_INPUT : SG_OK;
}

// What the elements declare; joints that actions made stand behind it.
static void archive_links(sg_part *part, sg_archive *a)
{
    size_t n = part->records.links.len - part->records.hinges.len;
    for (size_t i = 0; i < n; i++)
        SG_ARCHIVE(a, part->records.links.data[i].inactive);
}

// Objects that move freely, and those that might: which list each is in, and in which order. Their
// states are read with all others; what counts is how angles are written.
static sg_status archive_frees(sg_part *part, sg_archive *a)
{
    size_t n = part->records.frees.len + part->records.at_rest.len;
    size_t n_free = sg_archive_count(a, part->records.frees.len, sizeof(int));
    if (n_free > n)
        return SG_ERR_INPUT;
    sg_arena scratch;
    sg_arena_init(&scratch, part->allocator);
    sg_part_free *all = SG_NEW_ARRAY(&scratch, sg_part_free, n + 1);
    if (!all || !SG_RESERVE(part->allocator, &part->records.frees, n) ||
        !SG_RESERVE(part->allocator, &part->records.at_rest, n)) {
        sg_arena_destroy(&scratch);
        return SG_ERR_MEMORY;
    }
    for (size_t i = 0; i < n; i++)
        all[i] = i < part->records.frees.len
                     ? part->records.frees.data[i]
                     : part->records.at_rest.data[i - part->records.frees.len];
    for (size_t i = 0; i < n && !a->failed; i++) {
        bool xzy = i < part->records.frees.len && part->run->tree.xzy[all[i].body];
        int object = all[i].object;
        size_t at = 0;
        SG_ARCHIVE(a, object);
        SG_ARCHIVE(a, xzy);
        while (at < n && all[at].object != object)
            at++;
        if (at == n) {
            a->failed = true;
            break;
        }
        double start[12];
        memcpy(start, all[at].start, sizeof start);
        SG_ARCHIVE(a, start);
        if (!sg_archive_reads(a))
            continue;
        sg_part_free f = all[at];
        memcpy(f.start, start, sizeof start);
        f.start_xzy = xzy;
        if (i < n_free)
            part->records.frees.data[i] = f;
        else
            part->records.at_rest.data[i - n_free] = f;
    }
    if (sg_archive_reads(a)) {
        part->records.frees.len = n_free;
        part->records.at_rest.len = n - n_free;
    }
    sg_arena_destroy(&scratch);
    return a->failed ? SG_ERR_INPUT : SG_OK;
}

// Elements that ended with the objects they need.
static void archive_ended(sg_part *part, sg_archive *a)
{
    for (size_t i = 0; i < part->records.actors.len; i++) {
        sg_part_actor *actor = &part->records.actors.data[i];
        bool ended = !actor->apply && !actor->store && !actor->define && !actor->begin;
        bool before = ended;
        SG_ARCHIVE(a, ended);
        if (!sg_archive_reads(a) || !ended || before)
            continue;
        if (actor->end && i < part->run->n_begun)
            actor->end(part->run->own[i]);
        *actor = (sg_part_actor){.data = actor->data, .own_size = actor->own_size};
    }
}

sg_status sg_part_archive_layout(sg_part *part, sg_archive *a)
{
    sg_archive_section(a, "part");
    SG_ARCHIVE(a, part->segment.contacts);
    SG_ARCHIVE(a, part->records.mattered);
    SG_ARCHIVE(a, part->records.may_matter);
    sg_status status = archive_objects(part, a);
    if (status != SG_OK)
        return status;
    archive_links(part, a);
    status = archive_frees(part, a);
    if (status == SG_OK)
        status = sg_part_archive_actions(part, a);
    if (status != SG_OK)
        return status;
    archive_ended(part, a);
    sg_part_archive_contact_layout(part, a);
    part->records.resumes = sg_archive_reads(a);
    return a->failed ? SG_ERR_INPUT : SG_OK;
}

// ---- the state of the run -------------------------------------------------------------------

// Rows that are independent, and what is known of their pivots.
static void archive_loops(const sg_part *part, sg_archive *a)
{
    struct sg_part_loop_state *t = part->run->loops;
    if (!t)
        return;
    sg_loop_state *l = &t->loops;
    int most = part->segment.loops->tree->n_rows;
    SG_ARCHIVE(a, t->is_singular);
    SG_ARCHIVE(a, t->is_selected);
    SG_ARCHIVE(a, l->n_active);
    if (l->n_active < 0 || l->n_active > most) {
        l->n_active = 0;
        a->failed = true;
    }
    if (l->n_active)
        SG_ARCHIVE_ARRAY(a, l->active, l->n_active);
    for (int i = 0; i < l->n_active; i++)
        if (l->active[i] < 0 || l->active[i] >= most) {
            l->active[i] = 0;
            a->failed = true;
        }
    if (most)
        SG_ARCHIVE_ARRAY(a, l->usual, most);
    if (sg_archive_reads(a) && !a->failed)
        sg_tree_loops_envelope(part->segment.loops->tree, l);
}

sg_status sg_part_archive(sg_part *part, sg_archive *a)
{
    const sg_part_state *s = part->run;
    sg_archive_section(a, "state of a part");
    SG_ARCHIVE(a, part->run->mattered);
    sg_part_archive_sheet(s, a);
    archive_loops(part, a);
    sg_status status = part->records.contacts ? sg_part_archive_contacts(part, a) : SG_OK;
    for (size_t i = 0; status == SG_OK && i < part->records.actors.len; i++)
        if (part->records.actors.data[i].archive)
            part->records.actors.data[i].archive(s->own[i], a);
    return status == SG_OK && a->failed ? SG_ERR_INPUT : status;
}
