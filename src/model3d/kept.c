#include "model3d/kept.h"

#include "elements/contacts.h"
#include "model3d/model3d.h"
#include "model3d/segment.h"

#include <string.h>

struct sg_part_kept {
    sg_arena_mark mark; // of the memory of the segment,
    char *bytes;        // and a copy of it, then what actors remember
    size_t room;
    // Of the state itself what evaluations set.
    sg_part_eval eval;
    sg_tree_state tree;
    bool has_matrix, loops_act, is_held;
};

bool sg_part_remembers(const sg_part *part)
{
    const sg_part_contacts *c = part->records.contacts;
    return part->run && (part->segment.loops || (c && c->acts) || part->records.measures ||
                         sg_part_bounds_steps(part));
}

static size_t size_of_actors(const sg_part *part)
{
    size_t n = 0;
    for (size_t i = 0; i < part->records.actors.len; i++)
        n += part->records.actors.data[i].kept_size;
    return n;
}

static bool make_room(sg_part_state *s, size_t bytes)
{
    const sg_allocator *allocator = s->part->allocator;
    if (!s->kept)
        s->kept = SG_NEW(&s->lasting, struct sg_part_kept);
    if (!s->kept || s->kept->room >= bytes)
        return s->kept != NULL;
    char *more = allocator->resize(allocator->context, s->kept->bytes, s->kept->room, bytes);
    if (!more)
        return false;
    s->kept->bytes = more;
    s->kept->room = bytes;
    return true;
}

sg_status sg_part_reserve(sg_part *part)
{
    sg_part_state *s = part->run;
    if (!sg_part_remembers(part))
        return SG_OK;
    if (!make_room(s, sg_arena_extent(&s->arena) + size_of_actors(part)))
        return SG_ERR_MEMORY;
    return sg_part_reserve_contacts(s);
}

sg_status sg_part_keep(sg_part *part)
{
    sg_part_state *s = part->run;
    sg_status status = sg_part_reserve(part);
    if (status || !sg_part_remembers(part))
        return status;
    size_t n = sg_arena_extent(&s->arena);
    struct sg_part_kept *k = s->kept;
    sg_arena_copy(&s->arena, k->bytes);
    for (size_t i = 0; i < part->records.actors.len; i++) {
        size_t own = part->records.actors.data[i].kept_size;
        if (own)
            memcpy(k->bytes + n, s->own[i], own);
        n += own;
    }
    k->mark = sg_arena_mark_get(&s->arena);
    k->eval = s->eval;
    k->tree = s->tree;
    k->has_matrix = s->has_matrix;
    k->loops_act = s->loops_act;
    k->is_held = s->is_held;
    return sg_part_keep_contacts(s);
}

void sg_part_put_back(sg_part *part)
{
    sg_part_state *s = part->run;
    if (!sg_part_remembers(part))
        return;
    const struct sg_part_kept *k = s->kept;
    const char *from = k->bytes + sg_arena_put_back(k->mark, k->bytes);
    for (size_t i = 0; i < part->records.actors.len; i++) {
        size_t own = part->records.actors.data[i].kept_size;
        if (own)
            memcpy(s->own[i], from, own);
        from += own;
    }
    s->eval = k->eval;
    s->tree = k->tree;
    s->has_matrix = k->has_matrix;
    s->loops_act = k->loops_act;
    s->is_held = k->is_held;
    sg_part_put_back_contacts(s);
}

void sg_part_free_kept(sg_part_state *s)
{
    const sg_allocator *allocator = s->part->allocator;
    if (s->kept && s->kept->bytes)
        allocator->resize(allocator->context, s->kept->bytes, s->kept->room, 0);
    s->kept = NULL;
}
