// Result signals of a part (components3d.md 1.4 and 12).
#include "math/rotation.h"
#include "parts/part.h"

bool sg_part_define_results(sg_part *part)
{
    static const double zero[3] = {0};
    sg_hidden *hidden = part->hidden;
    for (size_t i = 0; i < part->objects.len; i++) {
        sg_part_object *o = &part->objects.data[i];
        const char *r = sg_arena_printf(&part->segment, "%s.r_abs", o->name);
        const char *rot = sg_arena_printf(&part->segment, "%s.rot123_abs", o->name);
        if (!r || !rot)
            return false;
        o->r_abs = sg_hidden_add_local(hidden, r, "m", zero, 3, false);
        o->rot123_abs = sg_hidden_add_local(hidden, rot, "rad", zero, 3, false);
    }
    for (size_t i = 0; i < part->frees.len; i++) {
        sg_part_free *f = &part->frees.data[i];
        static const double yes = 1.0;
        const char *name =
            sg_arena_printf(&part->segment, "%s.rotationXYZ", part->objects.data[f->object].name);
        if (!name)
            return false;
        f->xyz = sg_hidden_add_local(hidden, name, "", &yes, 1, true);
        sg_hidden_mark_truth(hidden, f->xyz);
    }
    return !hidden->failed;
}

void sg_part_store_results(sg_part *part)
{
    for (size_t i = 0; i < part->objects.len; i++) {
        const sg_part_object *o = &part->objects.data[i];
        double numbers[3];
        sg_pose pose = sg_mbs_object_pose(part->mbs, &part->state, (int)i);
        v3_store(pose.r, numbers);
        sg_hidden_set_local(part->hidden, o->r_abs, numbers, 3);
        sg_mat3 R_abs = m3_transpose(pose.R);
        v3_store(rot_123_from(&R_abs, 0.0), numbers);
        sg_hidden_set_local(part->hidden, o->rot123_abs, numbers, 3);
    }
    for (size_t i = 0; i < part->frees.len; i++) {
        const sg_part_free *f = &part->frees.data[i];
        double xyz = part->state.xzy[f->body] ? 0.0 : 1.0;
        sg_hidden_set_local(part->hidden, f->xyz, &xyz, 1);
    }
}
