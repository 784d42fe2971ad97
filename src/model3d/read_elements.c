#include "elements/elements.h"
#include "model3d/segment.h"

#include <string.h>

enum { MAX_LEVELS = 200 };

static const struct {
    const char *name;
    sg_element_reader *read;
} kinds[] = {
#define SG_ELEMENT(name, reader) {#name, reader},
#include "elements/elements_list.h"
#undef SG_ELEMENT
};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

typedef struct walk {
    sg_part *part;
    bool switches; // looks for switches in the Scene only
    int order, depth;
    sg_status status;
} walk;

static sg_element_reader *reader_of(const char *kind)
{
    for (size_t i = 0; i < N_KINDS; i++)
        if (strcmp(kinds[i].name, kind) == 0)
            return kinds[i].read;
    return NULL;
}

// A component that holds others: Model, Map, or a plain dictionary.
static bool is_component(const char *kind)
{
    return !kind[0] || strcmp(kind, "Map") == 0 || strcmp(kind, "Model") == 0;
}

static void read_level(walk *w, const sg_dict *dict, const char *prefix)
{
    sg_part *part = w->part;
    sg_dict_entry e;
    for (size_t at = 0; sg_dict_next(dict, &at, &e);) {
        if (e.key.tag != SG_SYMBOL || !sg_is(e.value, SG_OBJ_DICT))
            continue;
        sg_dict *inner = (sg_dict *)e.value.o;
        const char *key = sg_vm_text(part->vm, e.key.sym), *kind = sg_element_kind(part->vm, inner);
        const char *path =
            sg_arena_printf(&part->records.arena, "%s%s%s", prefix, prefix[0] ? "." : "", key);
        if (!path) {
            w->status = SG_ERR_MEMORY;
            return;
        }
        sg_element_reader *read = w->switches ? NULL : reader_of(kind);
        if (w->switches && strcmp(kind, "Object3D") == 0)
            read = sg_read_switches;
        sg_part_element element = {kind, path, inner, e.span.file ? e.span : inner->span,
                                   w->order++};
        sg_status status = SG_OK;
        if (read) {
            status = read(part, &element);
        } else if (is_component(kind) && w->depth < MAX_LEVELS) {
            w->depth++;
            read_level(w, inner, path);
            w->depth--;
        }
        if (status != SG_OK && w->status != SG_ERR_MEMORY)
            w->status = status;
        if (w->status == SG_ERR_MEMORY)
            return;
    }
}

sg_status sg_part_read_elements(sg_part *part, const sg_dict *parameters)
{
    // Elements that stand before the world follow the switches of its Scene, too.
    walk first = {.part = part, .switches = true}, w = {.part = part};
    read_level(&first, parameters, part->id);
    part->records.forgotten = part->records.compat.sensor_acceleration ? 1.0 : 0.0;
    w.status = first.status;
    read_level(&w, parameters, part->id);
    return part->records.arena.failed ? SG_ERR_MEMORY : w.status;
}
