#include "result/sample_test.h"

#include "base/assert.h"
#include "base/source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *sample_path(const char *name)
{
    static char paths[8][512];
    static unsigned next;
    char *path = paths[next++ % 8];
    char folder[400];
    snprintf(folder, sizeof folder, "%s/result_test_files", SG_SCRATCH);
    mkdir(folder, 0777);
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

char *sample_bytes(const char *path, size_t *length)
{
    char *text = NULL;
    if (sg_read_file(sg_allocator_default(), path, &text, length) != SG_OK)
        return NULL;
    return text;
}

sg_result *sample_result(const sg_writer_options *options, sg_diags *diags)
{
    static const double start = 1.0, zero = 0.0;
    const sg_signal signals[] = {
        {.name = "phi",
         .unit = "rad",
         .info = "angle",
         .der = "der(phi)",
         .state = 1,
         .fixed = true,
         .start = &start},
        {.name = "der(phi)", .unit = "rad*s^-1"},
        {.name = "body.r", .unit = "m", .rank = 1, .size = {3}},
        {.name = "body.R", .rank = 2, .size = {2, 2}},
        {.name = "w", .unit = "rad*s^-1", .kind = SG_SIGNAL_ALIAS, .alias = "der(phi)"},
        {.name = "minus", .unit = "rad", .kind = SG_SIGNAL_NEGATED, .alias = "phi"},
        {.name = "ground", .unit = "m", .kind = SG_SIGNAL_CONSTANT, .value = &zero},
        {.name = "mode", .type = SG_ELEMENT_INTEGER},
        {.name = "on", .type = SG_ELEMENT_BOOLEAN, .variability = SG_DISCRETE},
        {.name = "late.s", .unit = "m"},
    };
    static const double length = 0.8, gravity[3] = {0, -9.81, 0};
    const sg_parameter parameters[] = {
        {.name = "L", .unit = "m", .value = &length},
        {.name = "world.g", .unit = "m*s^-2", .rank = 1, .size = {3}, .value = gravity},
        {.name = "solid.material", .type = SG_ELEMENT_TEXT, .text = "Steel"}};
    const sg_attribute attributes[] = {
        {.key = "model.name", .type = SG_ELEMENT_TEXT, .text = "Sample"},
        {.key = "experiment.startTime", .number = 0.0},
        {.key = "experiment.stopTime", .number = 2.0},
        {.key = "experiment.algorithm", .type = SG_ELEMENT_TEXT, .text = "CVODE_BDF"},
        {.key = "experiment.adaptive", .type = SG_ELEMENT_BOOLEAN, .number = 1}};
    const sg_attribute statistics[] = {
        {.key = "statistics.nResults", .type = SG_ELEMENT_INTEGER, .number = SAMPLE_POINTS}};
    sg_writer_options defaults = sg_writer_options_default();
    sg_result_writer *w;
    sg_result *result = NULL;
    if (sg_result_writer_create(options ? options : &defaults, diags, &w) != SG_OK)
        return NULL;
    sg_result_writer_meta(w, attributes, SG_COUNT(attributes), parameters, SG_COUNT(parameters));
    sg_result_writer_blob(w, "scene", "{\"objects\":[]}", 14);
    for (int segment = 0; segment < 2; segment++) {
        sg_result_writer_begin_segment(w, segment, segment ? "ActionAttach" : "", signals,
                                       SG_COUNT(signals) - (segment ? 0 : 1));
        for (int i = 0; i <= 10; i++) {
            double t = segment + 0.1 * i;
            double columns[] = {cos(t),     -sin(t), t,     2 * t, segment ? (double)NAN : 5.0,
                                1,          2 * t,   3 * t, 4 * t, i - 5,
                                i % 3 == 0, t - 1};
            sg_result_writer_point(w, t, columns);
        }
        if (segment == 0)
            sg_result_writer_event(w, SG_EVENT_SEGMENT, 1.0, "gripper takes box");
    }
    sg_result_writer_finish(w, SG_OK, statistics, SG_COUNT(statistics), &result);
    sg_result_writer_destroy(w);
    return result;
}
