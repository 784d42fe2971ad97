#include "natives/files.h"

#include "base/source.h"
#include "natives/embedded.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static const char *join(sg_arena *arena, const char *folder, const char *name)
{
    size_t length = strlen(folder);
    const char *slash = length && folder[length - 1] == '/' ? "" : "/";
    return sg_arena_printf(arena, "%s%s%s", folder, slash, name);
}

static const char *folder_of(sg_arena *arena, const char *file)
{
    const char *slash = strrchr(file, '/');
    if (!slash)
        return ".";
    return slash == file ? "/" : sg_arena_text(arena, file, (size_t)(slash - file));
}

static const char *real_path(sg_arena *arena, const char *path)
{
    char resolved[PATH_MAX];
    return realpath(path, resolved) ? sg_arena_text(arena, resolved, strlen(resolved)) : NULL;
}

// The nearest folder from `folder` upward that holds test, examples or models; else itself.
static const char *reading_root(sg_arena *arena, const char *folder)
{
    static const char *const marks[] = {"test", "examples", "models"};
    const char *start = real_path(arena, folder);
    for (const char *at = start; at; at = folder_of(arena, at)) {
        for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
            const char *mark = join(arena, at, marks[i]);
            if (mark && is_folder(mark))
                return at;
        }
        if (strcmp(at, "/") == 0)
            break;
    }
    return start;
}

static const char *default_output(sg_arena *arena, const char *file)
{
    const char *base = "segue";
    if (file) {
        const char *slash = strrchr(file, '/');
        base = slash ? slash + 1 : file;
    }
    const char *dot = strrchr(base, '.');
    int length = dot && dot != base ? (int)(dot - base) : (int)strlen(base);
    return sg_arena_printf(arena, "%.*s-results", length, base);
}

bool sg_files_init(sg_files *files, const sg_allocator *allocator, const char *file,
                   const char *output_dir, const char *modia3d_path)
{
    *files = (sg_files){.allocator = allocator, .modia3d_path = modia3d_path};
    sg_arena_init(&files->arena, allocator);
    files->main_folder = file ? folder_of(&files->arena, file) : ".";
    if (!files->main_folder)
        return false;
    files->root = reading_root(&files->arena, files->main_folder);
    files->output_dir = output_dir ? sg_arena_text(&files->arena, output_dir, strlen(output_dir))
                                   : default_output(&files->arena, file);
    return !files->arena.failed;
}

void sg_files_destroy(sg_files *files) { sg_arena_destroy(&files->arena); }

// ---- names ----------------------------------------------------------------------------------

// Removes "." and ".." from a library name, in place. False when it leads out of the library.
static bool simplify(char *name)
{
    char *out = name;
    for (char *part = name; *part;) {
        size_t length = strcspn(part, "/");
        char *next = part + length + (part[length] == '/');
        if (length == 2 && part[0] == '.' && part[1] == '.') {
            if (out == name)
                return false;
            out--;
            while (out > name && out[-1] != '/')
                out--;
        } else if (length && !(length == 1 && part[0] == '.')) {
            memmove(out, part, length);
            out += length;
            if (*next)
                *out++ = '/';
        }
        part = next;
    }
    *out = '\0';
    return true;
}

static bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

// segue://Modia/models/X.jl and segue://Modia3D/models/X.jl are library/models/X.jl.
static const sg_embedded *find_in_library(sg_arena *arena, const char *path)
{
    char *name = sg_arena_text(arena, path + strlen(SG_LIBRARY_PREFIX),
                               strlen(path) - strlen(SG_LIBRARY_PREFIX));
    if (!name || !simplify(name))
        return NULL;
    const char *slash = strchr(name, '/');
    const char *full = slash ? sg_arena_printf(arena, "library%s", slash) : NULL;
    return full ? sg_embedded_find(full) : NULL;
}

static bool below(const char *path, const char *folder)
{
    size_t length = folder ? strlen(folder) : 0;
    return length && strncmp(path, folder, length) == 0 &&
           (path[length] == '/' || path[length] == '\0' || folder[length - 1] == '/');
}

static bool may_read(sg_files *files, sg_arena *arena, const char *resolved)
{
    const char *extra[] = {files->modia3d_path, files->output_dir};
    if (below(resolved, files->root))
        return true;
    for (size_t i = 0; i < 2; i++) {
        const char *folder = extra[i] ? real_path(arena, extra[i]) : NULL;
        if (folder && below(resolved, folder))
            return true;
    }
    return false;
}

// ---- reading --------------------------------------------------------------------------------

static sg_status read_disk(sg_files *files, sg_arena *arena, const char *path, sg_span span,
                           sg_diags *diags, const char **text, size_t *length)
{
    const char *resolved = real_path(arena, path);
    if (resolved && !may_read(files, arena, resolved)) {
        sg_error(diags, SG_E_ACCESS, span,
                 "'%s' lies outside of the folders that this script may read ('%s' and below, the "
                 "library, and folders given on the command line)",
                 path, files->root ? files->root : ".");
        return SG_ERR_IO;
    }
    char *bytes;
    sg_status status = sg_read_file(files->allocator, path, &bytes, length);
    if (status != SG_OK) {
        sg_error(diags, status == SG_ERR_MEMORY ? SG_E_MEMORY : SG_E_IO, span,
                 "cannot read '%s': %s", path,
                 status == SG_ERR_MEMORY ? "out of memory" : strerror(errno));
        return status;
    }
    *text = sg_arena_text(arena, bytes, *length);
    files->allocator->resize(files->allocator->context, bytes, *length + 1, 0);
    return *text ? SG_OK : SG_ERR_MEMORY;
}

// .../models/NAME.jl of a package that is not here: the library may have it.
static const sg_embedded *library_twin(sg_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash || slash - path < 6 || strncmp(slash - 6, "models", 6) != 0 ||
        (slash - path > 6 && slash[-7] != '/'))
        return NULL;
    const char *name = sg_arena_printf(arena, "library/models%s", slash);
    return name ? sg_embedded_find(name) : NULL;
}

sg_status sg_files_read(sg_files *files, sg_arena *arena, const char *from, const char *path,
                        sg_span span, sg_diags *diags, const char **name, const char **text,
                        size_t *length)
{
    const char *full = path;
    if (!starts_with(path, SG_LIBRARY_PREFIX) && path[0] != '/') {
        const char *folder = from ? folder_of(arena, from) : ".";
        full = folder ? strcmp(folder, ".") == 0 ? path : join(arena, folder, path) : NULL;
    }
    if (!full)
        return SG_ERR_MEMORY;
    const sg_embedded *entry = NULL;
    if (starts_with(full, SG_LIBRARY_PREFIX)) {
        entry = find_in_library(arena, full);
        if (!entry) {
            sg_error(diags, SG_E_IO, span, "the library has no file '%s'",
                     full + strlen(SG_LIBRARY_PREFIX));
            return SG_ERR_IO;
        }
    } else if (!real_path(arena, full) && (entry = library_twin(arena, full)) != NULL) {
        sg_note(diags, span, "'%s' is not there; Segue's own '%s' is used instead", path,
                strrchr(entry->name, '/') + 1);
    }
    *name = full;
    if (!entry)
        return read_disk(files, arena, full, span, diags, text, length);
    if (!starts_with(full, SG_LIBRARY_PREFIX))
        *name = sg_arena_printf(arena, SG_MODIA_PATH "%s", entry->name + strlen("library"));
    *text = (const char *)entry->bytes;
    *length = entry->length;
    return *name ? SG_OK : SG_ERR_MEMORY;
}

// ---- writing --------------------------------------------------------------------------------

static bool make_folders(sg_arena *arena, const char *path)
{
    char *copy = sg_arena_text(arena, path, strlen(path));
    if (!copy)
        return false;
    for (char *at = copy + 1; *at; at++) {
        if (*at != '/')
            continue;
        *at = '\0';
        if (mkdir(copy, 0777) != 0 && errno != EEXIST)
            return false;
        *at = '/';
    }
    return mkdir(copy, 0777) == 0 || errno == EEXIST;
}

const char *sg_files_output(sg_files *files, const char *name, sg_span span, sg_diags *diags)
{
    char *inside = sg_arena_text(&files->arena, name, strlen(name));
    if (!inside)
        return NULL;
    if (name[0] == '/' || !simplify(inside) || !inside[0]) {
        sg_error(diags, SG_E_ACCESS, span,
                 "a script writes to its output folder '%s' only; '%s' leads out of it",
                 files->output_dir, name);
        return NULL;
    }
    const char *path = join(&files->arena, files->output_dir, inside);
    const char *folder = path ? folder_of(&files->arena, path) : NULL;
    if (!folder)
        return NULL;
    if (!make_folders(&files->arena, folder)) {
        sg_error(diags, SG_E_IO, span, "cannot make the folder '%s': %s", folder, strerror(errno));
        return NULL;
    }
    files->output_made = true;
    return path;
}

const char *sg_files_input(sg_files *files, const char *name, sg_span span, sg_diags *diags)
{
    sg_arena *arena = &files->arena;
    const char *path = name;
    if (name[0] != '/') {
        path = join(arena, files->output_dir, name);
        if (path && !real_path(arena, path))
            path = join(arena, files->main_folder, name);
    }
    const char *resolved = path ? real_path(arena, path) : NULL;
    if (!resolved) {
        sg_error(diags, SG_E_IO, span, "cannot read '%s': %s", name, strerror(errno));
        return NULL;
    }
    if (!may_read(files, arena, resolved)) {
        sg_error(diags, SG_E_ACCESS, span,
                 "'%s' lies outside of the folders that this script may read", name);
        return NULL;
    }
    return path;
}
