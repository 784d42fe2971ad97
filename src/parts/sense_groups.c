// Which hidden states are behind what equations see of a part and what they give to it, so that
// Jacobians of many free objects with controllers keep their blocks (sim/ties.c).
#include "multibody/element.h"
#include "parts/part.h"
#include "sim/trees.h"

#include <string.h>

enum { MOST_OBJECTS = 4 }; // behind one quantity

// Lists of groups, one behind the other.
typedef struct group_lists {
    const sg_part *part;
    uint32_t *start, *group;
    uint32_t n, n_groups;
} group_lists;

static bool begin(group_lists *l, sg_arena *arena, size_t n_lists)
{
    l->start = SG_NEW_ARRAY(arena, uint32_t, n_lists + 1);
    l->group = SG_NEW_ARRAY(arena, uint32_t, MOST_OBJECTS * n_lists + 1);
    return l->start && l->group;
}

// Of an object; what stands still has none.
static void add_object(group_lists *l, int object)
{
    uint32_t group =
        object < 0 ? 0 : l->part->segment.state_group[l->part->segment.tree->object[object].body];
    if (group)
        l->group[l->n_groups++] = group;
}

static void end_list(group_lists *l) { l->start[++l->n] = l->n_groups; }

// Whose signal it is; null if it is that of no actor.
static const sg_part_actor *actor_of(const sg_part *part, const sg_port *port)
{
    for (size_t i = 0; i < part->records.actors.len; i++) {
        const sg_part_actor *actor = &part->records.actors.data[i];
        bool input = port->kind->level == SG_PORT_INPUT;
        bool own = input ? actor->force && strcmp(actor->force->name, port->place->name) == 0
                         : port->local >= actor->first_local &&
                               port->local < actor->first_local + actor->n_locals;
        if (own)
            return actor;
    }
    return NULL;
}

static bool add_port(group_lists *l, const sg_port *port)
{
    const sg_part_actor *actor = port->object < 0 ? actor_of(l->part, port) : NULL;
    if (port->object >= 0)
        add_object(l, port->object);
    for (int k = 0; actor && k < MOST_OBJECTS; k++)
        add_object(l, actor->needs[k] - 1);
    return actor || port->object >= 0;
}

bool sg_part_find_senses(sg_part *part)
{
    const sg_ports *ports = &part->built.ports;
    if (!sg_ports_open(ports) || !part->segment.state_group)
        return true;
    group_lists seen = {.part = part}, given = {.part = part};
    sg_sim_tree_senses *out = SG_NEW(&part->segment.arena, sg_sim_tree_senses);
    // Without any, the motion is one number that means nothing.
    if (!out || !begin(&seen, &part->segment.arena, ports->n[SG_PORT_MOTION] + 1) ||
        !begin(&given, &part->segment.arena, ports->list.len))
        return false;
    bool known = true;
    for (size_t i = 0; i < ports->list.len; i++) {
        const sg_port *port = &ports->list.data[i];
        bool input = port->kind->level == SG_PORT_INPUT;
        uint32_t n = input ? 1 : sg_port_size(port->kind);
        for (uint32_t k = 0; k < n; k++) {
            known &= add_port(input ? &given : &seen, port);
            end_list(input ? &given : &seen);
        }
    }
    if (!seen.n)
        end_list(&seen);
    if (known)
        *out = (sg_sim_tree_senses){seen.start, seen.group, given.n, given.start, given.group};
    part->segment.senses = out;
    return true;
}
