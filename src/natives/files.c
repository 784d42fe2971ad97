#include "natives/files.h"

#include "base/assert.h"
#include "base/disk.h"
#include "base/source.h"
#include "natives/embedded.h"
#include "natives/reach.h"
#include "result/csv.h"
#include "result/outfile.h"
#include "segue/session.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

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

bool sg_script_folder(const char *file, char *folder, size_t size)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    char path[PATH_MAX], resolved[PATH_MAX];
    int length = !slash ? 0 : slash == file ? 1 : (int)(slash - file);
    int n = snprintf(path, sizeof path, "%.*s", length ? length : 1, slash ? file : ".");
    if (!file || !folder || n >= (int)sizeof path || !realpath(path, resolved))
        return false;
    sg_cut_to_package(resolved);
    return snprintf(folder, size, "%s", resolved) < (int)size;
}

void sg_files_destroy(sg_files *files) { sg_arena_destroy(&files->arena); }

// Whoever gives folders need not keep them.
static const char **copy_texts(sg_arena *arena, const char *const *texts, size_t n)
{
    const char **copies = SG_NEW_ARRAY(arena, const char *, n + 1);
    for (size_t i = 0; copies && i < n; i++)
        copies[i] = sg_arena_text(arena, texts[i], strlen(texts[i]));
    return copies;
}

bool sg_files_init(sg_files *files, const sg_allocator *allocator, const char *file,
                   const sg_file_rules *rules)
{
    *files = (sg_files){.allocator = allocator,
                        .modia3d_path = rules->modia3d_path,
                        .n_allowed = rules->n_allow_read,
                        .max_files = rules->max_files,
                        .n_written = rules->n_written,
                        .output_named = rules->output_dir != NULL};
    sg_arena *arena = &files->arena;
    sg_arena_init(arena, allocator);
    files->allowed = copy_texts(arena, rules->allow_read, rules->n_allow_read);
    files->main_file = file ? sg_arena_text(arena, file, strlen(file)) : NULL;
    files->main_folder = file ? folder_of(arena, file) : ".";
    char root[PATH_MAX];
    if (sg_script_folder(file ? file : "", root, sizeof root))
        files->root = sg_arena_text(arena, root, strlen(root));
    files->output_dir = rules->output_dir
                            ? sg_arena_text(arena, rules->output_dir, strlen(rules->output_dir))
                            : default_output(arena, file);
    if (!arena->failed)
        return true;
    sg_files_destroy(files);
    return false;
}

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

// The model files, and the one that may be meant, as the end of a sentence.
static const char *files_of_library(sg_arena *arena, const char *name)
{
    static const char folder[] = "library/models/";
    const char *names[64] = {NULL}, *list = "it has";
    size_t n = 0;
    for (size_t i = 0; i < sg_embedded_count && n < SG_COUNT(names) && list; i++)
        if (starts_with(sg_embedded_files[i].name, folder)) {
            names[n] = sg_embedded_files[i].name + sizeof folder - 1;
            list = sg_arena_printf(arena, "%s%s %s", list, n ? "," : "", names[n]);
            n++;
        }
    const char *hint = sg_closest_name(name, names, n);
    if (hint)
        list = sg_arena_printf(arena, "did you mean '%s'?", hint);
    return list ? list : "";
}

// The words are the same whether there is such a file or not.
static void refuse_reading(const sg_files *files, sg_arena *arena, const char *path,
                           const char *leads_to, sg_span span, sg_diags *diags)
{
    const char *folder = folder_of(arena, leads_to);
    sg_error(diags, SG_E_ACCESS, span,
             "'%s' lies outside of the folders that this script may read ('%s' and below, the "
             "library, and folders given on the command line); if you trust the script, run it "
             "with --allow-read %s",
             path, files->root ? files->root : ".", folder ? folder : "DIR");
}

// ---- reading --------------------------------------------------------------------------------

// For who takes a model elsewhere with all that belongs to it (segue/fmu.h).
static void note_used(sg_files *files, const char *resolved)
{
    for (size_t i = 0; i < files->n_used; i++)
        if (strcmp(files->used[i], resolved) == 0)
            return;
    if (files->n_used == files->cap_used) {
        size_t cap = files->cap_used ? 2 * files->cap_used : 8;
        const char **more = SG_NEW_ARRAY(&files->arena, const char *, cap);
        if (!more)
            return; // the arena remembers
        if (files->n_used)
            memcpy(more, files->used, files->n_used * sizeof *more);
        files->used = more;
        files->cap_used = cap;
    }
    const char *copy = sg_arena_text(&files->arena, resolved, strlen(resolved));
    if (copy)
        files->used[files->n_used++] = copy;
}

// -1 with errno set, or after a report with errno 0. Only the file that the user names may be a
// pipe.
static int open_checked(sg_files *files, sg_arena *arena, const char *path, sg_span span,
                        sg_diags *diags)
{
    if (files->main_file && strcmp(path, files->main_file) == 0)
        return open(path, O_RDONLY | O_CLOEXEC);
    const char *resolved;
    switch (sg_files_reach(files, arena, path, &resolved)) {
    case SG_REACH_YES:
        note_used(files, resolved);
        return sg_open_resolved(resolved);
    case SG_REACH_MEMORY:
        errno = ENOMEM;
        return -1;
    case SG_REACH_OUTSIDE:
        refuse_reading(files, arena, path, resolved, span, diags);
        errno = 0;
        return -1;
    case SG_REACH_MISSING:
        break;
    }
    return -1;
}

static sg_status read_disk(sg_files *files, sg_arena *arena, const char *path, sg_span span,
                           sg_diags *diags, const char **text, size_t *length)
{
    int fd = open_checked(files, arena, path, span, diags);
    if (fd < 0 && errno == 0)
        return SG_ERR_IO;
    char *bytes;
    sg_status status = fd < 0 ? SG_ERR_IO : sg_read_open(files->allocator, fd, &bytes, length);
    if (status != SG_OK) {
        sg_error(diags, status == SG_ERR_MEMORY ? SG_E_MEMORY : SG_E_IO, span,
                 "cannot read '%s': %s", path,
                 status == SG_ERR_MEMORY ? "out of memory"
                 : errno == EINVAL       ? "it is not a regular file"
                                         : strerror(errno));
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
    const char *resolved;
    bool main_file = files->main_file && strcmp(full, files->main_file) == 0;
    if (starts_with(full, SG_LIBRARY_PREFIX)) {
        entry = find_in_library(arena, full);
        if (!entry) {
            const char *slash = strrchr(full, '/');
            sg_error(diags, SG_E_IO, span, "the library has no file '%s'; %s",
                     full + strlen(SG_LIBRARY_PREFIX),
                     files_of_library(arena, slash ? slash + 1 : full));
            return SG_ERR_IO;
        }
    } else if (!main_file && sg_files_reach(files, arena, full, &resolved) != SG_REACH_YES &&
               (entry = library_twin(arena, full)) != NULL) {
        sg_note(diags, span,
                "'%s' does not exist, or this script may not read it; Segue's own '%s' is used "
                "instead",
                path, strrchr(entry->name, '/') + 1);
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

// The way to a file and to those that a table takes with it (result/csv.h).
static bool make_all_ways(sg_files *files, const char *base, const char *path)
{
    static const char *const endings[] = {SG_CSV_UNITS, SG_CSV_CONTACTS};
    size_t length = strlen(path);
    bool made = sg_make_way(base, path), table = length > 4 && !strcmp(path + length - 4, ".csv");
    for (size_t i = 0; made && table && i < SG_COUNT(endings); i++) {
        const char *beside = sg_csv_beside(path, endings[i], &files->arena);
        errno = ENOMEM;
        made = beside && sg_make_way(base, beside);
    }
    return made;
}

const char *sg_files_output(sg_files *files, const char *name, sg_span span, sg_diags *diags)
{
    const char *working = name[0] == '/' ? sg_files_working_folder(files) : NULL;
    size_t length = working ? strlen(working) : 0;
    if (length && strncmp(name, working, length) == 0 && name[length] == '/')
        name += length + 1; // joinpath(pwd(), name)
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
    if (!path)
        return NULL;
    files->over = files->n_written >= files->max_files;
    if (files->over) {
        sg_error(diags, SG_E_LIMIT, span, "cannot write '%s': the limit of %llu files was reached",
                 path, (unsigned long long)files->max_files);
        return NULL;
    }
    files->n_written++;
    bool named = files->output_named;
    if (named && !make_folders(&files->arena, files->output_dir)) {
        sg_error(diags, SG_E_IO, span, "cannot make the folder '%s': %s", files->output_dir,
                 strerror(errno));
        return NULL;
    }
    if (!make_all_ways(files, named ? files->output_dir : "", path)) {
        bool link = errno == ELOOP || errno == ENOTDIR;
        sg_error(diags, link ? SG_E_ACCESS : SG_E_IO, span, "cannot write '%s': %s", path,
                 link ? "a link, or a file in the place of a folder, stands in the way; a script "
                        "never writes through links"
                      : strerror(errno));
        return NULL;
    }
    if (!files->output_made)
        sg_remove_stale(files->output_dir);
    files->output_made = true;
    return path;
}

const char *sg_files_working_folder(sg_files *files)
{
    char here[PATH_MAX];
    if (files->output_dir[0] == '/' || !getcwd(here, sizeof here))
        return files->output_dir;
    return join(&files->arena, here, files->output_dir);
}

double sg_files_room(const sg_files *files)
{
    struct statvfs disk;
    const char *folder = files->output_made ? files->output_dir : ".";
    return statvfs(folder, &disk) == 0 ? (double)disk.f_bavail * (double)disk.f_frsize : HUGE_VAL;
}

bool sg_files_writable(const char *path)
{
    if (access(path, W_OK) == 0)
        return true;
    if (errno != ENOENT)
        return false;
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    int length = slash ? (int)(slash - path) : 1;
    snprintf(folder, sizeof folder, "%.*s", length ? length : 1, slash ? path : ".");
    return access(folder, W_OK | X_OK) == 0;
}

const char *sg_files_input(sg_files *files, const char *name, sg_span span, sg_diags *diags)
{
    sg_arena *arena = &files->arena;
    const char *resolved, *path = name;
    sg_reach reach = SG_REACH_MEMORY;
    if (name[0] != '/') {
        path = join(arena, files->output_dir, name);
        reach = path ? sg_files_reach(files, arena, path, &resolved) : SG_REACH_MEMORY;
        if (reach != SG_REACH_YES)
            path = join(arena, files->main_folder, name);
    }
    if (reach != SG_REACH_YES)
        reach = path ? sg_files_reach(files, arena, path, &resolved) : SG_REACH_MEMORY;
    if (reach == SG_REACH_OUTSIDE) {
        refuse_reading(files, arena, name, resolved, span, diags);
        return NULL;
    }
    if (reach != SG_REACH_YES) {
        sg_error(diags, reach == SG_REACH_MEMORY ? SG_E_MEMORY : SG_E_IO, span,
                 "cannot read '%s': %s", name, strerror(reach == SG_REACH_MEMORY ? ENOMEM : errno));
        return NULL;
    }
    int fd = sg_open_resolved(resolved);
    if (fd < 0 && errno != EISDIR) { // a folder may hold the pieces of a mesh
        sg_error(diags, SG_E_IO, span, "cannot read '%s': %s", name,
                 errno == EINVAL ? "it is not a regular file" : strerror(errno));
        return NULL;
    }
    if (fd >= 0)
        close(fd);
    note_used(files, resolved);
    return resolved;
}

const char *sg_files_input_table(sg_files *files, const char *name, sg_span span, sg_diags *diags)
{
    const char *path = sg_files_input(files, name, span, diags);
    const char *units = path ? sg_csv_beside(path, SG_CSV_UNITS, &files->arena) : NULL;
    struct stat info;
    bool there = units && lstat(units, &info) == 0, link = there && S_ISLNK(info.st_mode);
    if (there && !link)
        note_used(files, units);
    return link && !sg_files_input(files, units, span, diags) ? NULL : path;
}
