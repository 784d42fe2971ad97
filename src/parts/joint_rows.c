#include "parts/joint_rows.h"

#include "base/assert.h"

#include <string.h>

#define AXIS(key, number) key, number, 0
#define ACROSS(key, number, direction) key, number, direction
#define STEP(kind, axis, standard, across, q, v, flange)                                           \
    {                                                                                              \
        kind, axis, standard, across, {q, v}, flange                                               \
    }
#define EXPAND(macro, ...) macro(__VA_ARGS__)
#define TURNS(...) EXPAND(STEP, SG_JOINT_REVOLUTE, __VA_ARGS__)
#define SLIDES(...) EXPAND(STEP, SG_JOINT_PRISMATIC, __VA_ARGS__)
#define SCREWS(...) EXPAND(STEP, SG_JOINT_HELICAL, __VA_ARGS__)
#define MOVES(kind, ...)                                                                           \
    {                                                                                              \
        kind, NULL, 0, 0, {__VA_ARGS__}, NULL                                                      \
    }

static const sg_joint_form forms[] = {
#define SG_JOINT(Constructor, ...) {#Constructor, {__VA_ARGS__}},
#include "parts/joints_list.h"
#undef SG_JOINT
};

const sg_joint_form *sg_joint_form_of(const char *constructor)
{
    for (size_t i = 0; i < SG_COUNT(forms); i++)
        if (strcmp(forms[i].name, constructor) == 0)
            return &forms[i];
    return NULL;
}

int sg_joint_n_steps(const sg_joint_form *form)
{
    int n = 0;
    while (n < SG_JOINT_MAX_STEPS && form->step[n].inputs[0])
        n++;
    return n;
}

uint32_t sg_joint_n_inputs(const sg_joint_form_step *step)
{
    uint32_t n = 0;
    while (n < SG_JOINT_MAX_INPUTS && step->inputs[n])
        n++;
    return n;
}

bool sg_joint_may_close(const char *constructor)
{
    static const char *const names[] = {
#define SG_TIE(KIND, name, Constructor, required, optional)
#define SG_TIE_OF_JOINT(KIND, name, Constructor) #Constructor,
#include "multibody/ties_list.h"
#undef SG_TIE
#undef SG_TIE_OF_JOINT
    };
    for (size_t i = 0; i < SG_COUNT(names); i++)
        if (strcmp(names[i], constructor) == 0)
            return true;
    return false;
}

static bool slides(sg_joint_kind kind) { return kind == SG_JOINT_PRISMATIC; }

const char *sg_flange_coordinate(sg_joint_kind kind) { return slides(kind) ? "s" : "phi"; }

const char *sg_flange_force(sg_joint_kind kind) { return slides(kind) ? "f" : "tau"; }

const char *sg_joint_unit(const sg_joint_form_step *step, int i)
{
    static const char *const lengths[] = {"m", "m/s"}, *const angles[] = {"rad", "rad/s"};
    bool free = step->kind == SG_JOINT_FREE && i < 2;
    return i > 3 || (step->kind == SG_JOINT_BALL && i > 1) ? NULL
           : slides(step->kind) || free                    ? lengths[i % 2]
                                                           : angles[i % 2];
}

sg_vec3 sg_joint_across(sg_vec3 axis, int number)
{
    sg_vec3 first = v3_perpendicular(axis);
    for (int i = 0; i < 3; i++)
        if (fabs(v3_get(axis, i)) == 1.0)
            first = v3_axis((i + 1) % 3);
    return number == 1 ? first : v3_cross(axis, first);
}
