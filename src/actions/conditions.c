#include "actions/conditions.h"

#include "actions/action_functions.h"
#include "actions/restructure.h"
#include "elements/contacts.h"
#include "multibody/element.h"
#include "multibody/measure.h"
#include "parts/cut.h"

#include <math.h>
#include <string.h>

// Margins are relative to their limit. A condition holds where its margin is positive; the event is
// found a little behind that, so that it does hold there.
#define HYSTERESIS 1e-10

void sg_condition_describe(const sg_condition *c, char *text, size_t size)
{
    const char *first = c->name[0] ? c->name[0] : "", *second = c->name[1] ? c->name[1] : "";
    switch (c->kind) {
    case SG_CONDITION_INPUT:
        snprintf(text, size, "condition %u of executeActions holds", c->input);
        return;
    case SG_CONDITION_CLOSER:
    case SG_CONDITION_FARTHER:
        snprintf(text, size, "'%s' is %s than %.6g m %s '%s'", first,
                 c->kind == SG_CONDITION_CLOSER ? "closer" : "farther", c->limit,
                 c->kind == SG_CONDITION_CLOSER ? "to" : "from", second);
        return;
    case SG_CONDITION_TOUCH:
    case SG_CONDITION_APART:
        snprintf(text, size, "'%s' and '%s' %s", first, second,
                 c->kind == SG_CONDITION_TOUCH ? "touch" : "do not touch");
        return;
    case SG_CONDITION_FORCE:
    case SG_CONDITION_TORQUE:
        snprintf(text, size, "'%s' bears more than %.6g %s", first, c->limit,
                 c->kind == SG_CONDITION_FORCE ? "N" : "N m");
        return;
    case SG_CONDITION_NONE:
        break;
    }
    snprintf(text, size, "nothing");
}

// ---- what conditions name -------------------------------------------------------------------

static sg_status refuse(const sg_part *part, const sg_action *action, const char *format,
                        const char *name)
{
    sg_error(part->vm->diags, SG_E_ACTION, action->span, format, name);
    return SG_ERR_MODEL;
}

static int find_force(const sg_part *part, const char *path)
{
    size_t n = strlen(part->id);
    for (size_t i = 0; i < part->records.actors.len; i++) {
        const sg_force_element *force = part->records.actors.data[i].force;
        const char *name = force ? force->name : "";
        bool below = n && strncmp(name, part->id, n) == 0 && name[n] == '.';
        if (force && (strcmp(name, path) == 0 || (below && strcmp(name + n + 1, path) == 0)))
            return (int)i;
    }
    return -1;
}

static sg_status find_load(const sg_part *part, const sg_action *action, sg_condition *c)
{
    c->actor = c->object[0] < 0 ? find_force(part, c->name[0]) : -1;
    if (c->object[0] < 0 && c->actor < 0)
        return refuse(part, action,
                      "ActionWaitUntil: there is no Object3D and no force element '%s' in this "
                      "model",
                      c->name[0]);
    const sg_force_element *force =
        c->actor >= 0 ? part->records.actors.data[c->actor].force : NULL;
    bool torque = c->kind == SG_CONDITION_TORQUE;
    if (force && force->kind != SG_ELEMENT_BUSHING && torque != (force->kind == SG_ELEMENT_TORQUE))
        return refuse(part, action,
                      torque ? "ActionWaitUntil: the force element '%s' has no torque"
                             : "ActionWaitUntil: the force element '%s' has no force",
                      c->name[0]);
    return SG_OK;
}

static sg_status find(const sg_part *part, const sg_action *action, sg_condition *c)
{
    bool load = c->kind == SG_CONDITION_FORCE || c->kind == SG_CONDITION_TORQUE;
    bool touch = c->kind == SG_CONDITION_TOUCH || c->kind == SG_CONDITION_APART;
    for (int k = 0; k < 2; k++)
        c->object[k] = sg_actions_object(part, c->name[k]);
    if (load)
        return find_load(part, action, c);
    for (int k = 0; k < 2; k++) {
        if (c->object[k] < 0)
            return refuse(part, action, "ActionWaitUntil: there is no Object3D '%s' in this model",
                          c->name[k]);
        if (touch && !sg_part_can_collide(&part->records.objects.data[c->object[k]]))
            return refuse(part, action,
                          "ActionWaitUntil: '%s' cannot touch anything; it needs a Solid with "
                          "collision = true",
                          c->name[k]);
    }
    return c->object[0] == c->object[1]
               ? refuse(part, action, "ActionWaitUntil: '%s' is named twice", c->name[0])
               : SG_OK;
}

sg_status sg_conditions_find(sg_part *part)
{
    sg_status status = SG_OK;
    part->records.programs.watches = part->records.programs.watches_loads =
        part->records.programs.captures = false;
    for (size_t i = 0; i < part->records.programs.all.len; i++) {
        sg_actions *a = sg_actions_of(part->vm, part->records.programs.all.data[i]);
        for (size_t k = 0; k < a->list.len; k++) {
            sg_action *action = &a->list.data[k];
            a->captures |= sg_capture_wanted(part, action);
            if (!sg_condition_is_measured(&action->condition))
                continue;
            if (find(part, action, &action->condition) != SG_OK)
                status = SG_ERR_MODEL;
            a->measures = part->records.programs.watches = true;
            part->records.programs.watches_loads |= action->condition.kind >= SG_CONDITION_FORCE;
        }
        part->records.programs.captures |= a->captures;
    }
    return status;
}

sg_status sg_conditions_check(const sg_part *part)
{
    for (size_t i = 0; sg_part_has_loops(part) && part->records.programs.watches_loads &&
                       i < part->records.programs.all.len;
         i++) {
        const sg_actions *a = sg_actions_of(part->vm, part->records.programs.all.data[i]);
        for (size_t k = 0; k < a->list.len; k++) {
            const sg_condition *c = &a->list.data[k].condition;
            if (c->kind >= SG_CONDITION_FORCE && c->actor < 0)
                return refuse(part, &a->list.data[k],
                              "ActionWaitUntil: what '%s' bears is not known in a part with closed "
                              "loops",
                              c->name[0]);
        }
    }
    return SG_OK;
}

bool sg_conditions_define(sg_part *part)
{
    for (size_t i = 0; i < part->records.programs.all.len; i++) {
        sg_actions *a = sg_actions_of(part->vm, part->records.programs.all.data[i]);
        if (!a->measures)
            continue;
        char text[256];
        snprintf(text, sizeof text, "what %s waits for", a->name);
        a->crossing = sg_hidden_add_crossing(part->segment.hidden, text);
    }
    return !part->segment.hidden->failed;
}

// ---- while the model runs -------------------------------------------------------------------

static double distance_of(const sg_part_eval *e, const sg_condition *c)
{
    const sg_tree *tree = e->part->segment.tree;
    sg_vec3 a = sg_tree_object_pose(tree, &e->state->tree, c->object[0]).r;
    sg_vec3 b = sg_tree_object_pose(tree, &e->state->tree, c->object[1]).r;
    return v3_norm(v3_sub(a, b));
}

static bool touch(const sg_part_eval *e, const sg_condition *c)
{
    const sg_part_touching *t = sg_part_touching_of(e->state);
    for (size_t i = 0; t && t->is_made && i < t->contacts.contact.len; i++) {
        const sg_touch *k = &t->contacts.detect.touch.data[i];
        int a = t->object[k->a], b = t->object[k->b];
        if ((a == c->object[0] && b == c->object[1]) || (a == c->object[1] && b == c->object[0]))
            return true;
    }
    return false;
}

// What a force element does.
static double strength_of(const sg_part_eval *e, const sg_condition *c)
{
    const sg_force_element *force = e->part->records.actors.data[c->actor].force;
    const sg_force_values *v = e->state->own[c->actor];
    bool torque = c->kind == SG_CONDITION_TORQUE;
    if (!force) // it ended with an object that was deleted
        return 0.0;
    if (force->kind == SG_ELEMENT_BUSHING)
        return v3_norm(torque ? v->u.bushing.torque_vector : v->u.bushing.force_vector);
    return force->kind == SG_ELEMENT_SPRING ? fabs(v->u.spring.force) : v3_norm(v->u.load);
}

// What the connection of an assembly to its carrier bears, the torque about the origin of the
// object that is carried. What moves freely is held by nothing.
static double load_of(const sg_part_eval *e, const sg_condition *c)
{
    const sg_part *part = e->part;
    sg_part_state *s = e->state;
    int o = sg_part_carried_object(part, c->object[0]);
    if (part->segment.bodies[o].joint == SG_JOINT_FREE || part->records.objects.data[o].gone)
        return 0.0;
    sg_tree_inverse(part->segment.tree, &s->tree, s->a, s->tau);
    sg_part_sum_needs(s);
    sg_force f = s->needs[o];
    sg_vec3 at = sg_tree_object_pose(part->segment.tree, &s->tree, o).r;
    return v3_norm(c->kind == SG_CONDITION_FORCE ? f.f : v3_sub(f.n, v3_cross(at, f.f)));
}

// Positive where the condition holds.
static double margin_of(const sg_part_eval *e, const sg_condition *c)
{
    switch (c->kind) {
    case SG_CONDITION_CLOSER:
        return 1.0 - distance_of(e, c) / c->limit;
    case SG_CONDITION_FARTHER:
        return distance_of(e, c) / c->limit - 1.0;
    case SG_CONDITION_TOUCH:
        return touch(e, c) ? 1.0 : -1.0;
    case SG_CONDITION_APART:
        return touch(e, c) ? -1.0 : 1.0;
    case SG_CONDITION_FORCE:
    case SG_CONDITION_TORQUE:
        return (c->actor >= 0 ? strength_of(e, c) : load_of(e, c)) / c->limit - 1.0;
    case SG_CONDITION_NONE:
    case SG_CONDITION_INPUT:
        break;
    }
    return -1.0;
}

double sg_conditions_bound(const sg_part *part)
{
    const double least = 0.1; // of the limit: steps do not end where it is reached
    double bound = INFINITY;
    for (size_t i = 0; i < part->records.programs.all.len; i++) {
        const sg_actions *a = sg_actions_of(part->vm, part->records.programs.all.data[i]);
        const sg_condition *c = a->waiting && !a->met ? &a->waiting->condition : NULL;
        if (!c || (c->kind != SG_CONDITION_CLOSER && c->kind != SG_CONDITION_FARTHER))
            continue;
        const sg_tree_state *s = &part->run->tree;
        sg_vec3 v1 = sg_tree_frame_motion(part->segment.tree, s, c->object[0]).V.v;
        sg_vec3 v2 = sg_tree_frame_motion(part->segment.tree, s, c->object[1]).V.v;
        double way = fabs(distance_of(&part->run->eval, c) - c->limit);
        double speed = v3_norm(v3_sub(v1, v2));
        if (speed > 0.0)
            bound = fmin(bound, fmax(way, least * c->limit) / speed);
    }
    return bound;
}

void sg_conditions_watch(sg_part_eval *e)
{
    const sg_part *part = e->part;
    if (!e->events || !sg_mode_wants_crossings(e->mode))
        return;
    for (size_t i = 0; i < part->records.programs.all.len; i++) {
        sg_actions *a = sg_actions_of(part->vm, part->records.programs.all.data[i]);
        if (!a->measures)
            continue;
        const sg_condition *c = a->waiting && !a->met ? &a->waiting->condition : NULL;
        double margin = c ? margin_of(e, c) : -1.0;
        sg_part_set_crossing(e, a->crossing, margin - HYSTERESIS);
        if (margin > 0.0 && sg_events_deciding(e->events)) {
            a->met = true;
            e->events->n_changes++; // executeActions may have had its turn already
        }
    }
}
