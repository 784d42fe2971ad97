// Values of elements: their own, or those of classes of defaults.
#include "robots/mjcf_reader.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

// ---- classes ------------------------------------------------------------------------------------

static void add_class(sg_mjcf_reader *r, const sg_mjcf_node *node, const sg_mjcf_class *parent)
{
    const char *name = sg_xml_get(node->e, "class");
    sg_mjcf_class *c = NULL, **end = &r->classes;
    if (!name && parent) {
        SG_MJCF_SAY(r, SG_ERROR, node, "a <default> within another one needs a class");
        return;
    }
    name = name ? name : "main";
    for (; *end; end = &(*end)->next)
        if (strcmp((*end)->name, name) == 0 && parent) {
            SG_MJCF_SAY(r, SG_ERROR, node, "there are two classes '%.60s'", name);
            return;
        }
    c = SG_NEW(r->in.arena, sg_mjcf_class);
    if (!c)
        return;
    *c = (sg_mjcf_class){.name = name, .parent = parent, .node = node};
    *end = c;
    for (const sg_mjcf_node *n = node->child; n && !r->in.failed; n = n->next)
        if (sg_mjcf_is(n, "default"))
            add_class(r, n, c);
}

void sg_mjcf_read_classes(sg_mjcf_reader *r)
{
    const sg_mjcf_node *first = NULL;
    for (const sg_mjcf_node *n = r->root->child; n; n = n->next) {
        if (!sg_mjcf_is(n, "default"))
            continue;
        if (first) // of included files: classes within are known beside those of the first
            for (const sg_mjcf_node *c = n->child; c && !r->in.failed; c = c->next) {
                if (sg_mjcf_is(c, "default"))
                    add_class(r, c, r->classes);
                else
                    SG_MJCF_SAY(r, SG_ERROR, c,
                                "a second <default> at the top may hold classes only");
            }
        else
            add_class(r, n, NULL);
        first = first ? first : n;
    }
}

static const sg_mjcf_class *class_named(sg_mjcf_reader *r, const sg_mjcf_node *node,
                                        const char *name)
{
    for (const sg_mjcf_class *c = r->classes; c; c = c->next)
        if (strcmp(c->name, name) == 0)
            return c;
    if (strcmp(name, "main") != 0)
        SG_MJCF_SAY(r, SG_ERROR, node, "there is no class '%.60s'", name);
    return NULL;
}

const sg_mjcf_class *sg_mjcf_class_of(sg_mjcf_reader *r, const sg_mjcf_node *node)
{
    const char *name = sg_xml_get(node->e, "class");
    if (name)
        return class_named(r, node, name);
    for (const sg_mjcf_node *n = node->parent; n; n = n->parent)
        if ((name = sg_xml_get(n->e, "childclass")) != NULL)
            return class_named(r, n, name);
    return r->classes;
}

const char *sg_mjcf_get(sg_mjcf_reader *r, const sg_mjcf_node *node, const char *name)
{
    static const char *const without[] = {"body", "frame",    "inertial", "freejoint",
                                          "flag", "compiler", "option",   NULL};
    const char *value = sg_xml_get(node->e, name);
    if (value || sg_robot_is_one_of(node->e->name, without))
        return value;
    bool joins = node->parent && sg_mjcf_is(node->parent, "equality");
    const char *kind = joins ? "equality" : node->e->name;
    for (const sg_mjcf_class *c = sg_mjcf_class_of(r, node); c; c = c->parent)
        for (const sg_mjcf_node *n = c->node->child; n; n = n->next)
            if (sg_mjcf_is(n, kind) && (value = sg_xml_get(n->e, name)) != NULL)
                return value;
    return NULL;
}

// ---- numbers ------------------------------------------------------------------------------------

int sg_mjcf_numbers(sg_mjcf_reader *r, const sg_mjcf_node *node, const char *name, double *x,
                    int least, int most)
{
    const char *value = sg_mjcf_get(r, node, name);
    double own[16];
    if (!value)
        return 0;
    long n = sg_xml_numbers(value, own, (size_t)most + 1);
    bool ok = n >= least && n <= most;
    for (long i = 0; ok && i < n; i++)
        ok = isfinite(own[i]);
    if (!ok) {
        if (least == most)
            SG_MJCF_SAY(r, SG_ERROR, node, "%s=\"%.60s\" are not %d numbers", name, value, most);
        else
            SG_MJCF_SAY(r, SG_ERROR, node, "%s=\"%.60s\" are not %d to %d numbers", name, value,
                        least, most);
        return 0;
    }
    memcpy(x, own, (size_t)n * sizeof *x);
    return (int)n;
}

double sg_mjcf_number(sg_mjcf_reader *r, const sg_mjcf_node *node, const char *name,
                      double otherwise)
{
    double x = otherwise;
    sg_mjcf_numbers(r, node, name, &x, 1, 1);
    return x;
}

sg_vec3 sg_mjcf_vector(sg_mjcf_reader *r, const sg_mjcf_node *node, const char *name,
                       sg_vec3 otherwise)
{
    double x[3] = {otherwise.x, otherwise.y, otherwise.z};
    sg_mjcf_numbers(r, node, name, x, 3, 3);
    return v3_from(x);
}

bool sg_mjcf_flag(sg_mjcf_reader *r, const sg_mjcf_node *node, const char *name, bool otherwise)
{
    const char *value = sg_mjcf_get(r, node, name);
    if (!value)
        return otherwise;
    if (strcmp(value, "true") == 0 || strcmp(value, "enable") == 0)
        return true;
    if (strcmp(value, "false") != 0 && strcmp(value, "disable") != 0)
        SG_MJCF_SAY(r, SG_ERROR, node, "%s=\"%.60s\" is neither true nor false", name, value);
    return false;
}

bool sg_mjcf_is_limited(sg_mjcf_reader *r, const sg_mjcf_node *node, const char *flag,
                        const char *range)
{
    const char *value = sg_mjcf_get(r, node, flag);
    if (value && strcmp(value, "auto") != 0)
        return sg_mjcf_flag(r, node, flag, false);
    return r->autolimits && sg_mjcf_get(r, node, range);
}

double sg_mjcf_angle(const sg_mjcf_reader *r, double x) { return r->degrees ? x * pi / 180.0 : x; }

const char *sg_mjcf_name(sg_mjcf_reader *r, const sg_mjcf_node *node, const char *otherwise,
                         uint32_t number)
{
    const char *name = sg_xml_get(node->e, "name");
    if (name && *name)
        return name;
    size_t n = strlen(otherwise) + 12;
    char *made = SG_NEW_ARRAY(r->in.arena, char, n);
    if (!made)
        return "";
    if (number)
        snprintf(made, n, "%s%u", otherwise, number);
    else
        snprintf(made, n, "%s", otherwise);
    return made;
}

// ---- places -------------------------------------------------------------------------------------

sg_mat3 sg_mjcf_turn_z(sg_vec3 direction)
{
    sg_vec3 d = v3_unit(direction), axis = {-d.y, d.x, 0.0};
    double s = v3_norm(axis);
    if (s < 1e-12)
        return d.z > 0.0 ? M3_IDENTITY : sg_robot_turn_about((sg_vec3){1, 0, 0}, pi);
    return sg_robot_turn_about(v3_scale(axis, 1.0 / s), atan2(s, d.z));
}

static sg_mat3 turn_of_euler(const sg_mjcf_reader *r, const double *a)
{
    sg_mat3 turn = M3_IDENTITY;
    for (int k = 0; k < 3; k++) {
        char c = r->eulerseq[k];
        int axis = tolower((unsigned char)c) - 'x';
        sg_mat3 one = sg_robot_turn_about(v3_axis(axis), sg_mjcf_angle(r, a[k]));
        turn = islower((unsigned char)c) ? m3_mul(turn, one) : m3_mul(one, turn);
    }
    return turn;
}

static sg_mat3 turn_of_axes(sg_mjcf_reader *r, const sg_mjcf_node *node, const double *a)
{
    sg_vec3 x = v3_from(a), y = v3_from(a + 3);
    if (v3_norm(v3_cross(x, y)) > 0.0) {
        x = v3_unit(x);
        y = v3_sub(y, v3_scale(x, v3_dot(x, y)));
        if (v3_norm(y) > 0.0) {
            y = v3_unit(y);
            return m3_columns(x, y, v3_cross(x, y));
        }
    }
    SG_MJCF_SAY(r, SG_ERROR, node, "the two axes of xyaxes span no plane");
    return M3_IDENTITY;
}

sg_mat3 sg_mjcf_turn(sg_mjcf_reader *r, const sg_mjcf_node *node)
{
    static const char *const ways[] = {"quat", "axisangle", "euler", "xyaxes", "zaxis"};
    int n = 0;
    double a[6];
    for (int k = 0; k < 5; k++)
        n += sg_xml_get(node->e, ways[k]) != NULL;
    if (n > 1)
        SG_MJCF_SAY(r, SG_ERROR, node, "more than one orientation");
    // An orientation of a class holds only where the element itself has none.
    bool own = n > 0;
#define GIVEN(name, count)                                                                         \
    ((!own || sg_xml_get(node->e, name)) && sg_mjcf_numbers(r, node, name, a, count, count))
    if (GIVEN("quat", 4)) {
        double size = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]);
        if (size > 0.0 && isfinite(size))
            return sg_robot_turn_of_quaternion(a[1], a[2], a[3], a[0]);
        SG_MJCF_SAY(r, SG_ERROR, node, "quat is zero");
    } else if (GIVEN("axisangle", 4)) {
        sg_vec3 axis = v3_from(a);
        if (v3_norm(axis) > 0.0)
            return sg_robot_turn_about(v3_unit(axis), sg_mjcf_angle(r, a[3]));
        SG_MJCF_SAY(r, SG_ERROR, node, "the axis of axisangle has no direction");
    } else if (GIVEN("euler", 3)) {
        return turn_of_euler(r, a);
    } else if (GIVEN("xyaxes", 6)) {
        return turn_of_axes(r, node, a);
    } else if (GIVEN("zaxis", 3)) {
        if (v3_norm(v3_from(a)) > 0.0)
            return sg_mjcf_turn_z(v3_from(a));
        SG_MJCF_SAY(r, SG_ERROR, node, "zaxis has no direction");
    }
#undef GIVEN
    return M3_IDENTITY;
}

sg_robot_place sg_mjcf_place(sg_mjcf_reader *r, const sg_mjcf_node *node)
{
    return (sg_robot_place){.at = sg_mjcf_vector(r, node, "pos", (sg_vec3){0, 0, 0}),
                            .turn = sg_mjcf_turn(r, node)};
}
