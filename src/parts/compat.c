#include "multibody/element.h"
#include "multibody/measure.h"
#include "parts/part.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name, *what;
    size_t place;
} switches[] = {
#define SG_PART_COMPAT(field, name, what) {name, what, offsetof(sg_part_compat, field)},
#include "parts/compat_list.h"
#undef SG_PART_COMPAT
};
enum { N_SWITCHES = sizeof switches / sizeof switches[0] };

static bool is_on(const sg_part_compat *compat, size_t i)
{
    return *(const bool *)((const char *)compat + switches[i].place);
}

const char *sg_part_compat_name(size_t i) { return i < N_SWITCHES ? switches[i].name : NULL; }

bool sg_part_compat_set(sg_part_compat *compat, const char *name, size_t length)
{
    static const char all[] = "modia-0.12", former[] = "sudden-restitution";
    if (length == sizeof former - 1 && memcmp(name, former, length) == 0)
        return compat->nonsmooth_restitution = true;
    bool every = length == sizeof all - 1 && memcmp(name, all, length) == 0, found = every;
    for (size_t i = 0; i < N_SWITCHES; i++)
        if (every ||
            (strlen(switches[i].name) == length && memcmp(switches[i].name, name, length) == 0)) {
            *(bool *)((char *)compat + switches[i].place) = true;
            found = true;
        }
    return found;
}

// Is there a body that moves and has its center of mass elsewhere than the origin of its root?
static bool stands_off_its_root(const sg_tree *tree)
{
    for (int k = 1; k < tree->n_bodies; k++)
        if (v3_max_abs(tree->body[k].inertia.mc) > 0.0 && sg_tree_moves(tree, k))
            return true;
    return false;
}

void sg_part_find_compat(sg_part *part, const sg_tree_compat *compat)
{
    const sg_tree *tree = part->segment.tree;
    sg_part_compat *m = &part->records.mattered;
    sg_vec3 axis;
    bool point = part->records.gravity.kind == SG_GRAVITY_POINT ||
                 part->records.gravity.kind == SG_GRAVITY_POINT_AT_ROOT;
    m->unturned_inertia |= compat->unturned_inertia;
    m->straight_fix |= compat->straight_fix;
    m->gravity_at_root |= point && stands_off_its_root(tree);
    part->records.may_matter.single_coriolis = compat->single_coriolis;
    for (size_t i = 0; i < part->records.objects.len; i++) {
        const sg_part_object *o = &part->records.objects.data[i];
        m->mesh_inertia |= o->odd_mesh && sg_tree_turning(tree, tree->object[i].body, &axis);
        m->partition_mass |= o->odd_pieces && sg_tree_moves(tree, tree->object[i].body);
    }
}

static bool is_moving(sg_motion m) { return v3_max_abs(m.w) > 0.0 || v3_max_abs(m.v) > 0.0; }

// A slider that moves on a turning body, and not along the axis of its turning.
static bool feels_coriolis(const sg_part_state *s)
{
    const sg_part *part = s->part;
    for (int k = 1; k < part->segment.tree->n_bodies; k++) {
        const sg_tree_body *b = &part->segment.tree->body[k];
        sg_vec3 w = s->tree.link[b->parent].vel.w, e = s->tree.link[k].axis;
        if (b->joint == SG_JOINT_PRISMATIC && s->v[b->first] != 0.0 &&
            v3_norm(v3_cross(w, e)) > 1e-12 * v3_norm(w))
            return true;
    }
    return false;
}

static bool has_moving_parent(const sg_part_state *s)
{
    const sg_part *part = s->part;
    for (size_t i = 0; i < part->segment.n_carried; i++) {
        int parent = part->segment.bodies[part->segment.resting[i].object].parent;
        sg_frame_motion m = sg_tree_frame_motion(part->segment.tree, &s->tree, parent);
        if (v3_max_abs(m.V.w) > 0.0 || (part->segment.resting[i].left_out && is_moving(m.V)))
            return true;
    }
    return false;
}

static bool has_turned_spring(const sg_part_state *s)
{
    const sg_part *part = s->part;
    for (size_t i = 0; i < part->records.actors.len; i++) {
        const sg_force_element *f = part->records.actors.data[i].force;
        if (!f || f->kind != SG_ELEMENT_SPRING)
            continue;
        sg_pose pose = sg_tree_object_pose(part->segment.tree, &s->tree, f->u.spring.obj1);
        if (m3_trace(&pose.R) < 3.0 - 1e-15)
            return true;
    }
    return false;
}

void sg_part_watch_compat(sg_part_state *s)
{
    const sg_part_compat *may = &s->part->records.may_matter;
    sg_part_compat *m = &s->mattered;
    if (may->single_coriolis && !m->single_coriolis)
        m->single_coriolis = feels_coriolis(s);
    if (may->resting_parent && !m->resting_parent)
        m->resting_parent = has_moving_parent(s);
    if (may->spring_direction && !m->spring_direction)
        m->spring_direction = has_turned_spring(s);
}

// Built so, or while it ran.
static bool made_a_difference(const sg_part *part, size_t i)
{
    return is_on(&part->records.mattered, i) || is_on(&part->run->mattered, i);
}

void sg_part_report_compat(const sg_part *part, sg_diags *diags)
{
    for (size_t i = 0; i < N_SWITCHES; i++)
        if (is_on(&part->records.compat, i) && made_a_difference(part, i))
            sg_note(diags, part->span, "--compat %s: in this model %s", switches[i].name,
                    switches[i].what);
}

void sg_part_suggest_compat(const sg_part *part, sg_diags *diags, sg_span span)
{
    for (size_t i = 0; i < N_SWITCHES; i++)
        if (!is_on(&part->records.compat, i) && made_a_difference(part, i))
            sg_note(diags, span,
                    "with the published program, in this model %s; if these numbers come from it, "
                    "use --compat %s",
                    switches[i].what, switches[i].name);
}
