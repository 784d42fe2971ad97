// Units of the variables of joints, for people who look at results.
//
// Equations of 3D parts carry no units (components3d.md 1), and a start value is mostly a plain
// number. What a joint's coordinates are is known all the same. Units of other variables follow
// from these where the signals are listed (sim/compiled_signals.c).
#include "model/instance.h"
#include "parts/part.h"
#include "parts/run.h"

#include <stdio.h>
#include <string.h>

static void show(sg_flat *flat, const char *path, const char *variable, const char *unit)
{
    char name[1024];
    if (snprintf(name, sizeof name, "%s.%s", path, variable) >= (int)sizeof name)
        return;
    sg_sym sym = sg_sym_find(flat->symbols, name, strlen(name));
    sg_var_id var = sym.i ? sg_flat_var_find(flat, sym) : (sg_var_id){0};
    if (var.i)
        flat->vars.data[var.i].shown_unit = sg_sym_intern_text(flat->symbols, unit);
}

static void show_flange(sg_flat *flat, const char *path, const sg_joint_form_step *step)
{
    char flange[1024];
    if (snprintf(flange, sizeof flange, "%s.%s", path, step->flange) >= (int)sizeof flange)
        return;
    show(flat, flange, sg_flange_coordinate(step->kind), sg_joint_unit(step, 0));
    show(flat, flange, sg_flange_force(step->kind), step->kind == SG_JOINT_PRISMATIC ? "N" : "N*m");
}

void sg_part_show_units(const sg_part *part, sg_flat *flat)
{
    for (size_t j = 0; j < part->built.joints.len; j++) {
        const sg_part_joint *joint = &part->built.joints.data[j];
        const char *path = sg_sym_text(flat->symbols, joint->path);
        const sg_joint_form_step *step = &joint->form->step[joint->step];
        for (int i = 0; i < SG_JOINT_MAX_INPUTS && step->inputs[i]; i++)
            if (sg_joint_unit(step, i))
                show(flat, path, step->inputs[i], sg_joint_unit(step, i));
        if (step->flange)
            show_flange(flat, path, step);
    }
}
