// Robots of other tools as model files (segue/robot.h).
#include "segue/robot.h"

#include "base/diags.h"
#include "base/options.h"
#include "base/source.h"
#include "result/outfile.h"
#include "robots/mjcf.h"
#include "robots/urdf.h"

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

// Meshes are found from the folder of the model: that of the robot's file comes before their paths
// if it is another one.
static const char *folder_between(sg_arena *arena, const char *robot, const char *path)
{
    size_t n = folder_length(robot);
    bool same = n == folder_length(path) && memcmp(robot, path, n) == 0;
    return same ? NULL : sg_arena_text(arena, robot, n);
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
               : sg_urdf_read(arena, robot, text, length, repair, diags, (sg_span){0}, out);
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
