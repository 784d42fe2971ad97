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

typedef struct known_unit {
    const char *variable, *unit;
} known_unit;

static void show(sg_flat *flat, const char *path, const known_unit *list)
{
    char name[1024];
    for (; list->variable; list++) {
        if (snprintf(name, sizeof name, "%s.%s", path, list->variable) >= (int)sizeof name)
            continue;
        sg_sym sym = sg_sym_find(flat->symbols, name, strlen(name));
        sg_var_id var = sym.i ? sg_flat_var_find(flat, sym) : (sg_var_id){0};
        if (var.i)
            flat->vars.data[var.i].shown_unit = sg_sym_intern_text(flat->symbols, list->unit);
    }
}

void sg_part_show_units(const sg_part *part, sg_flat *flat)
{
    static const known_unit
        turning[] = {{"phi", "rad"},
                     {"w", "rad/s"},
                     {"flange.phi", "rad"},
                     {"flange.tau", "N*m"},
                     {0}},
        sliding[] = {{"s", "m"}, {"v", "m/s"}, {"flange.s", "m"}, {"flange.f", "N"}, {0}},
        free[] = {{"r", "m"}, {"v", "m/s"}, {"rot", "rad"}, {"w", "rad/s"}, {0}};
    for (size_t i = 0; i < part->joints.len; i++) {
        const sg_part_joint *joint = &part->joints.data[i];
        const char *path = sg_sym_text(flat->symbols, joint->path);
        if (joint->kind == SG_JOINT_REVOLUTE)
            show(flat, path, turning);
        else if (joint->kind == SG_JOINT_PRISMATIC)
            show(flat, path, sliding);
        else if (joint->kind == SG_JOINT_FREE)
            show(flat, path, free);
    }
}
