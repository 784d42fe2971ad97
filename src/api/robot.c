// Robots of other tools as model files (segue/robot.h).
#include "segue/robot.h"

#include "base/diags.h"
#include "base/options.h"
#include "base/source.h"
#include "result/outfile.h"
#include "robots/mjcf.h"
#include "robots/urdf.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

sg_robot_convert_options sg_robot_convert_options_make(void)
{
    return (sg_robot_convert_options){.size = sizeof(sg_robot_convert_options)};
}

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

// The whole path of the folder of a file, with its "/"; null where there is none.
static const char *folder_of(sg_arena *arena, const char *path)
{
    char whole[PATH_MAX];
    const char *folder = sg_arena_text(arena, path, folder_length(path));
    if (!folder || !realpath(*folder ? folder : ".", whole))
        return NULL;
    size_t n = strlen(whole);
    if (whole[n - 1] != '/' && n + 1 < sizeof whole)
        whole[n++] = '/';
    return sg_arena_text(arena, whole, n);
}

// Meshes are found from the folder of the model: the way from there to the folder of the robot's
// file comes before their paths.
static const char *folder_between(sg_arena *arena, const char *robot, const char *path)
{
    const char *from = folder_of(arena, path), *to = folder_of(arena, robot);
    if (from && to && strcmp(from, to) == 0)
        return NULL;
    if (!from || !to || robot[0] == '/')
        return sg_arena_text(arena, robot, folder_length(robot));
    size_t common = 0, ups = 0;
    for (size_t i = 0; from[i] && from[i] == to[i]; i++)
        common = from[i] == '/' ? i + 1 : common;
    for (const char *c = from + common; *c; c++)
        ups += *c == '/';
    size_t rest = strlen(to + common);
    char *way = SG_NEW_ARRAY(arena, char, 3 * ups + rest + 1);
    for (size_t k = 0; way && k < ups; k++)
        memcpy(way + 3 * k, "../", 3);
    if (way)
        memcpy(way + 3 * ups, to + common, rest + 1);
    return way;
}

static sg_status write_file(const sg_allocator *allocator, const char *path, const sg_buf *text,
                            sg_diags *diags)
{
    sg_outfile file;
    sg_status status = sg_outfile_open(&file, path, allocator, diags);
    if (status == SG_OK) {
        sg_outfile_write(&file, sg_buf_text(text), text->len);
        status = sg_outfile_commit(&file, diags);
    }
    return status;
}

static bool read_included(void *context, sg_arena *arena, const char *path, const char **text,
                          size_t *length)
{
    const sg_allocator *allocator = *(const sg_allocator **)context;
    char *own = NULL;
    size_t n = 0;
    if (sg_read_file(allocator, path, &own, &n) != SG_OK)
        return false;
    *text = sg_arena_text(arena, own, n);
    *length = n;
    allocator->resize(allocator->context, own, n + 1, 0);
    return *text != NULL;
}

static sg_status read_robot(const sg_allocator *allocator, const char *robot, const char *text,
                            size_t length, bool repair, sg_arena *arena, sg_diags *diags,
                            sg_robot **out)
{
    sg_robot_files files = {&allocator, read_included};
    return sg_mjcf_is_text(text, length)
               ? sg_mjcf_read(arena, robot, text, length, &files, repair, diags, (sg_span){0}, out)
               : sg_urdf_read(arena, robot, folder_of(arena, robot), text, length, repair, diags,
                              (sg_span){0}, out);
}

sg_status sg_robot_convert(const sg_allocator *allocator, const char *robot, const char *path,
                           const sg_robot_convert_options *options, sg_diags *diags)
{
    if (!robot || !path)
        return sg_misuse(diags, "sg_robot_convert needs a robot and the file to write");
    sg_robot_convert_options own = sg_robot_convert_options_make();
    if (!sg_options_take(&own, sizeof own, options))
        return sg_misuse(diags, "sg_robot_convert: options without their size; make them with "
                                "sg_robot_convert_options_make");
    allocator = sg_allocator_or_default(allocator);
    char *text = NULL;
    size_t length = 0;
    sg_status status = sg_read_file(allocator, robot, &text, &length);
    if (status) {
        sg_error(diags, SG_E_ROBOT, (sg_span){0}, "cannot read '%s'", robot);
        return status;
    }
    sg_arena arena;
    sg_arena_init(&arena, allocator);
    sg_robot *record = NULL;
    status = read_robot(allocator, robot, text, length, own.repair_inertia, &arena, diags, &record);
    if (status == SG_OK && own.free_base && strcmp(record->format, "MJCF") == 0) {
        sg_error(diags, SG_E_ROBOT, (sg_span){0}, "%s: a free base is said by <freejoint/> in MJCF",
                 robot);
        status = SG_ERR_INPUT;
    }
    if (status == SG_OK) {
        sg_robot_options how = sg_robot_options_make();
        how.free_base = own.free_base;
        how.merge_fixed = own.merge_fixed;
        how.stops = !own.no_stops;
        how.collisions = !own.no_collisions;
        how.folder = folder_between(&arena, robot, path);
        sg_buf out;
        sg_buf_init(&out, allocator);
        sg_robot_write_file(record, &how, robot + folder_length(robot), &out);
        status =
            out.failed || arena.failed ? SG_ERR_MEMORY : write_file(allocator, path, &out, diags);
        sg_buf_free(&out);
    }
    sg_arena_destroy(&arena);
    allocator->resize(allocator->context, text, length + 1, 0);
    return status == SG_ERR_INPUT ? SG_ERR_MODEL : status;
}
