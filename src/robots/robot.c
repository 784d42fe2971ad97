#include "robots/robot.h"

#include "math/dense.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Two principal moments may be less than the third by this part of it: digits of a file.
static const double digits = 1e-3;

sg_robot_options sg_robot_options_make(void)
{
    return (sg_robot_options){.stops = true, .collisions = true, .visuals = true};
}

const char *sg_robot_judge_inertia(sg_mat3 *inertia, double mass, bool repair)
{
    double value[3], v[3][3];
    const sg_mat3 m = *inertia;
    const double a[3][3] = {{m.m[0][0], m.m[0][1], m.m[0][2]},
                            {m.m[1][0], m.m[1][1], m.m[1][2]},
                            {m.m[2][0], m.m[2][1], m.m[2][2]}};
    sg_symmetric_eigen3(a, value, v);
    bool negative = value[0] < -digits * fabs(value[2]);
    bool flat = value[0] + value[1] < (1.0 - digits) * value[2];
    bool none = mass > 0.0 && !(value[2] > 0.0);
    const char *wrong = negative ? "a principal moment is negative"
                        : flat   ? "two principal moments are less than the third"
                        : none   ? "it is zero, although there is a mass"
                                 : NULL;
    if (!wrong || !repair || none)
        return wrong;
    // As MuJoCo's balanceinertia does: all three become their mean, which is that of a ball.
    double mean = (fabs(value[0]) + fabs(value[1]) + fabs(value[2])) / 3.0;
    *inertia = m3_diagonal((sg_vec3){mean, mean, mean});
    return wrong;
}

// ---- names --------------------------------------------------------------------------------------

// Words that begin or end something in the language, and names that a robot's own would hide.
static bool is_reserved(const char *name)
{
    static const char *const words[] = {
        "begin",    "end",     "if",       "else",      "elseif",    "for",   "while",  "function",
        "return",   "module",  "struct",   "true",      "false",     "let",   "do",     "try",
        "catch",    "finally", "using",    "import",    "export",    "const", "global", "local",
        "macro",    "quote",   "break",    "connect",   "equations", "world", "time",   "der",
        "continue", "mutable", "abstract", "baremodule"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(name, words[i]) == 0)
            return true;
    return false;
}

static bool is_same(const char *id, const char *given) { return id && strcmp(id, given) == 0; }

static bool is_taken(const sg_robot *robot, const char *id)
{
    for (uint32_t i = 0; i < robot->n_links; i++) {
        if (is_same(robot->links[i].id, id))
            return true;
        for (const sg_robot_shape *s = robot->links[i].shapes; s; s = s->next)
            if (is_same(s->id, id))
                return true;
    }
    for (uint32_t i = 0; i < robot->n_joints; i++)
        if (is_same(robot->joints[i].id, id))
            return true;
    for (uint32_t i = 0; i < robot->n_drives; i++)
        if (is_same(robot->drives[i].id, id))
            return true;
    for (uint32_t i = 0; i < robot->n_ties; i++)
        if (is_same(robot->ties[i].id, id))
            return true;
    for (uint32_t i = 0; i < robot->n_transmissions; i++)
        if (is_same(robot->transmissions[i].id, id))
            return true;
    return false;
}

// What the text calls parts of a joint or of a link behind its own name (robot_text.h).
static bool is_suffix(const char *rest)
{
    static const char *const words[] = {"_at",     "_friction", "_stops", "_spring",  "_wall",
                                        "_rotor",  "_mimic",    "_mass",  "_against", "_plane1",
                                        "_plane2", "_end1",     "_end2",  NULL};
    for (const char *const *w = words; *w; w++)
        if (strcmp(rest, *w) == 0)
            return true;
    if (strncmp(rest, "_flange", 7) == 0 || strncmp(rest, "_ground", 7) == 0 ||
        strncmp(rest, "_damping", 8) == 0) // of joints with several coordinates
        return true;
    return strncmp(rest, "_visual", 7) == 0 || strncmp(rest, "_collision", 10) == 0;
}

// Would a part of `id` have the name `other`, or the other way round?
static bool is_part(const char *other, const char *id)
{
    size_t n = strlen(id), m = other ? strlen(other) : 0;
    return other && ((m > n && strncmp(other, id, n) == 0 && is_suffix(other + n)) ||
                     (n > m && strncmp(id, other, m) == 0 && is_suffix(id + m)));
}

static bool clashes(const sg_robot *robot, const char *id)
{
    for (uint32_t i = 0; i < robot->n_links; i++)
        if (is_part(robot->links[i].id, id))
            return true;
    for (uint32_t i = 0; i < robot->n_joints; i++)
        if (is_part(robot->joints[i].id, id))
            return true;
    return is_taken(robot, id);
}

// A name of the language: letters, digits and underscores of the given one, and a number behind it
// if that is there already.
static const char *make_id(const sg_robot *robot, sg_arena *arena, const char *name)
{
    size_t n = strlen(name);
    n = n < 100 ? n : 100;
    char *id = SG_NEW_ARRAY(arena, char, n + 16);
    if (!id)
        return "";
    size_t at = 0;
    if (!isalpha((unsigned char)name[0]))
        id[at++] = 'p';
    for (size_t i = 0; i < n; i++)
        id[at++] = isalnum((unsigned char)name[i]) ? name[i] : '_';
    if (is_reserved(id))
        id[at++] = '_';
    for (int k = 2; clashes(robot, id) && k < 1000000; k++)
        snprintf(id + at, 14, "_%d", k);
    return id;
}

// ---- the tree -----------------------------------------------------------------------------------

static sg_status complain(sg_diags *diags, sg_span span, const char *file, const char *what,
                          const char *a, const char *b)
{
    sg_error(diags, SG_E_ROBOT, span, "%s: %s '%s'%s%s%s", file, what, a, b ? " and '" : "",
             b ? b : "", b ? "'" : "");
    return SG_ERR_INPUT;
}

// Bodies and joints keep their names; what has one of those gets a number.
static void name_all(sg_robot *robot, sg_arena *arena)
{
    for (int frames = 0; frames < 2; frames++) {
        for (uint32_t i = 0; i < robot->n_links; i++)
            if (robot->links[i].is_frame == frames)
                robot->links[i].id = make_id(robot, arena, robot->links[i].name);
        for (uint32_t i = 0; !frames && i < robot->n_joints; i++)
            robot->joints[i].id = make_id(robot, arena, robot->joints[i].name);
    }
    for (uint32_t i = 0; i < robot->n_drives; i++)
        robot->drives[i].id = make_id(robot, arena, robot->drives[i].name);
    for (uint32_t i = 0; i < robot->n_ties; i++)
        robot->ties[i].id = make_id(robot, arena, robot->ties[i].name);
    for (uint32_t i = 0; i < robot->n_transmissions; i++)
        robot->transmissions[i].id = make_id(robot, arena, robot->transmissions[i].name);
    for (uint32_t i = 0; i < robot->n_links; i++)
        for (sg_robot_shape *s = robot->links[i].shapes; s; s = s->next)
            if (s->name)
                s->id = make_id(robot, arena, s->name);
}

sg_status sg_robot_finish(sg_robot *robot, sg_arena *arena, const char *file, sg_diags *diags,
                          sg_span span)
{
    uint32_t n = 0;
    robot->order = SG_NEW_ARRAY(arena, uint32_t, (size_t)robot->n_links + 1);
    bool *placed = SG_NEW_ARRAY(arena, bool, (size_t)robot->n_links + 1);
    if (arena->failed)
        return SG_ERR_MEMORY;
    for (uint32_t i = 0; i < robot->n_links; i++) {
        if (robot->links[i].joint != SG_ROBOT_NONE)
            continue;
        if (robot->root != SG_ROBOT_NONE)
            return complain(diags, span, file, "two links have no joint that leads to them,",
                            robot->links[robot->root].name, robot->links[i].name);
        robot->root = i;
        robot->order[n++] = i;
        placed[i] = true;
    }
    for (uint32_t k = 0; k < n; k++) // children of those that are placed already
        for (uint32_t j = 0; j < robot->n_joints; j++) {
            uint32_t child = robot->joints[j].child;
            if (robot->joints[j].parent != robot->order[k] || placed[child])
                continue;
            robot->order[n++] = child;
            placed[child] = true;
        }
    for (uint32_t i = 0; i < robot->n_links; i++)
        if (!placed[i])
            return complain(diags, span, file, "joints lead in a circle at link",
                            robot->links[i].name, NULL);
    name_all(robot, arena);
    robot->id = make_id(robot, arena, robot->name);
    return arena->failed ? SG_ERR_MEMORY : SG_OK;
}
