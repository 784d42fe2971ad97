// Contacts of a part as part of a saved state.
#include "contact/saved.h"
#include "elements/contacts.h"
#include "model3d/saved.h"
#include "model3d/segment.h"

void sg_part_archive_contact_layout(sg_part *part, sg_archive *a)
{
    sg_part_touching *t = part->records.contacts ? sg_part_touching_kept(part->run) : NULL;
    sg_archive_section(a, "layout of contacts");
    if (!t)
        return;
    // What follows has numbers for each anchor; so damage cannot ask for more memory than that.
    t->n_anchors = (int)sg_archive_count(a, (size_t)t->n_anchors, SG_ANCHOR * sizeof(double));
    t->nz = (int)sg_archive_count(a, (size_t)t->nz, 1);
    if (sg_archive_reads(a)) // nothing goes on from what was there before
        part->records.contacts->n_anchors = 0;
}

// Blocks of the Jacobian between bodies that act on each other.
static sg_status archive_links(sg_part *part, sg_archive *a)
{
    sg_hidden *hidden = part->segment.hidden;
    const void *owner = part->records.contacts;
    size_t n = 0;
    for (size_t i = 0; i < hidden->links_now.len; i++)
        n += hidden->links_now.data[i].owner == owner;
    n = sg_archive_count(a, n, 2 * sizeof(uint32_t));
    if (sg_archive_reads(a)) {
        sg_hidden_unlink(hidden, owner);
        for (size_t i = 0; i < n && !a->failed; i++) {
            uint32_t first = 0, second = 0;
            SG_ARCHIVE(a, first);
            SG_ARCHIVE(a, second);
            if (!a->failed && !sg_hidden_link_now(hidden, owner, first, second))
                return SG_ERR_MEMORY;
        }
        return SG_OK;
    }
    for (size_t i = 0; i < hidden->links_now.len; i++) {
        sg_hidden_pair *pair = &hidden->links_now.data[i];
        if (pair->owner != owner)
            continue;
        SG_ARCHIVE(a, pair->a);
        SG_ARCHIVE(a, pair->b);
    }
    return SG_OK;
}

// Warnings that were given are not repeated.
static sg_status archive_told(sg_part *part, sg_part_touching *t, sg_archive *a)
{
    size_t n = sg_archive_count(a, t->told.len, sizeof *t->told.data);
    if (sg_archive_reads(a)) {
        if (!SG_RESERVE(part->allocator, &t->told, n))
            return SG_ERR_MEMORY;
        t->told.len = n;
    }
    if (n)
        SG_ARCHIVE_ARRAY(a, t->told.data, n);
    return SG_OK;
}

sg_status sg_part_archive_contacts(sg_part *part, sg_archive *a)
{
    sg_part_touching *t = sg_part_touching_kept(part->run);
    bool is_made = t && t->is_made;
    sg_archive_section(a, "contacts of a part");
    if (!t)
        return SG_OK;
    sg_contact_counts counts = sg_part_counts_so_far(t);
    bool made = is_made;
    SG_ARCHIVE(a, made);
    SG_ARCHIVE(a, counts);
    SG_ARCHIVE(a, t->passed);
    if (a->failed || made != is_made)
        return SG_ERR_INPUT;
    if (sg_archive_reads(a))
        t->counts = counts;
    sg_status status = archive_told(part, t, a);
    if (status != SG_OK || !is_made)
        return status;
    SG_ARCHIVE(a, t->has_begun);
    SG_ARCHIVE(a, t->most);
    status = sg_contacts_archive(&t->contacts, a);
    if (status != SG_OK || a->failed)
        return status == SG_OK ? SG_ERR_INPUT : status;
    if (sg_archive_reads(a))
        t->graph = t->contacts.graph;
    return archive_links(part, a);
}
