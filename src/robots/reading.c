#include "robots/reading.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_TEXT = 400 };

// Line and column of a byte, both from 1.
static void find_place(const sg_robot_source *s, uint32_t at, unsigned *line, unsigned *column)
{
    *line = *column = 1;
    for (uint32_t i = 0; i < at && i < s->length; i++) {
        *column = s->text[i] == '\n' ? 1 : *column + 1;
        *line += s->text[i] == '\n';
    }
}

void sg_robot_say(sg_robot_reading *r, const sg_robot_source *source, sg_severity severity,
                  const sg_xml_element *e, const char *format, ...)
{
    char text[MAX_TEXT];
    unsigned line, column;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    find_place(source, e ? e->first : 0, &line, &column);
    r->failed |= severity == SG_ERROR;
    sg_diags_add(r->diags, severity, severity == SG_NOTE ? SG_E_NONE : SG_E_ROBOT, r->span,
                 "%s:%u:%u: %s", source->file, line, column, text);
}

bool sg_robot_is_new(sg_robot_reading *r, const char *name)
{
    for (size_t i = 0; i < r->n_unused; i++)
        if (strcmp(r->unused[i], name) == 0)
            return false;
    if (r->n_unused == SG_ROBOT_MAX_UNUSED)
        return false;
    r->unused[r->n_unused++] = name;
    return true;
}

void sg_robot_tell_unused(sg_robot_reading *r, const sg_robot_source *source,
                          const sg_xml_element *e)
{
    if (sg_robot_is_new(r, e->name))
        sg_robot_say(r, source, SG_NOTE, e, "<%.60s> is not used", e->name);
}

bool sg_robot_is_one_of(const char *name, const char *const *known)
{
    for (; *known; known++)
        if (strcmp(name, *known) == 0)
            return true;
    return false;
}

sg_mat3 sg_robot_turn_of_quaternion(double x, double y, double z, double w)
{
    double n = sqrt(x * x + y * y + z * z + w * w);
    x /= n, y /= n, z /= n, w /= n;
    return (sg_mat3){{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                      {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                      {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

sg_mat3 sg_robot_turn_about(sg_vec3 axis, double angle)
{
    double s = sin(0.5 * angle);
    return sg_robot_turn_of_quaternion(s * axis.x, s * axis.y, s * axis.z, cos(0.5 * angle));
}

sg_robot_place sg_robot_behind(const sg_robot_place *a, const sg_robot_place *b)
{
    return (sg_robot_place){.at = v3_add(a->at, m3_mul_v(&a->turn, b->at)),
                            .turn = m3_mul(a->turn, b->turn)};
}

sg_robot_place sg_robot_back(const sg_robot_place *a)
{
    return (sg_robot_place){.at = v3_neg(m3_tmul_v(&a->turn, a->at)),
                            .turn = m3_transpose(a->turn)};
}
