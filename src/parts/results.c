// Result signals of a part (components3d.md 1.4 and 12).
#include "math/rotation.h"
#include "parts/part.h"

// Once a run: signals are named anew in each segment, and printing costs more than all the rest.
bool sg_part_name_results(sg_part *part)
{
    static const char *const names[4] = {"translation", "velocity", "rotation", "angularVelocity"};
    sg_arena *arena = &part->records.arena;
    for (size_t i = 0; i < part->records.objects.len; i++) {
        sg_part_object *o = &part->records.objects.data[i];
        o->r_name = sg_arena_printf(arena, "%s.r_abs", o->name);
        o->rot_name = sg_arena_printf(arena, "%s.rot123_abs", o->name);
    }
    for (size_t i = 0; i < part->records.frees.len + part->records.at_rest.len; i++) {
        sg_part_free *f = i < part->records.frees.len
                              ? &part->records.frees.data[i]
                              : &part->records.at_rest.data[i - part->records.frees.len];
        const char *path = part->records.objects.data[f->object].name;
        f->xyz_name = sg_arena_printf(arena, "%s.rotationXYZ", path);
        f->margin_name = sg_arena_printf(arena, "singularitySafetyMargin(%s.rotation[2])", path);
        for (int k = 0; k < 4; k++) {
            f->name[k] = sg_arena_printf(arena, "%s.%s", path, names[k]);
            f->der[k] = sg_arena_printf(arena, "%s.der(%s)", path, names[k]);
        }
    }
    return !arena->failed;
}

bool sg_part_define_results(sg_part *part)
{
    static const double zero[3] = {0}, yes = 1.0;
    sg_hidden *hidden = part->segment.hidden;
    for (size_t i = 0; i < part->records.objects.len; i++) {
        sg_part_object *o = &part->records.objects.data[i];
        o->r_abs = o->rot123_abs = -1;
        if (o->gone)
            continue;
        o->r_abs = sg_hidden_add_local(hidden, o->r_name, "m", zero, 3, false);
        o->rot123_abs = sg_hidden_add_local(hidden, o->rot_name, "rad", zero, 3, false);
    }
    for (size_t i = 0; i < part->records.frees.len; i++) {
        sg_part_free *f = &part->records.frees.data[i];
        f->xyz = sg_hidden_add_local(hidden, f->xyz_name, "", &yes, 1, true);
        sg_hidden_mark_truth(hidden, f->xyz);
    }
    return !hidden->failed;
}

void sg_part_store_results(const sg_part_state *s)
{
    const sg_part *part = s->part;
    for (size_t i = 0; i < part->records.objects.len; i++) {
        const sg_part_object *o = &part->records.objects.data[i];
        double numbers[3];
        if (o->gone)
            continue;
        sg_pose pose = sg_tree_object_pose(part->segment.tree, &s->tree, (int)i);
        v3_store(pose.r, numbers);
        sg_hidden_set_local(s->hidden, o->r_abs, numbers, 3);
        sg_mat3 R_abs = m3_transpose(pose.R);
        v3_store(rot_123_from(&R_abs, 0.0), numbers);
        sg_hidden_set_local(s->hidden, o->rot123_abs, numbers, 3);
    }
    for (size_t i = 0; i < part->records.frees.len; i++) {
        const sg_part_free *f = &part->records.frees.data[i];
        double xyz = s->tree.xzy[f->body] ? 0.0 : 1.0;
        sg_hidden_set_local(s->hidden, f->xyz, &xyz, 1);
    }
}
