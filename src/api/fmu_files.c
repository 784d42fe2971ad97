// The files that a model consists of, and where they lie inside of an FMU: as they do outside,
// below the folder that holds all of them, so that relative names in the text lead to them.
#include "api/fmu.h"
#include "base/disk.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_FILES = 20000, DEEPEST = 16 };

typedef struct file_list {
    sg_arena *arena;
    sg_diags *diags;
    sg_fmu_file *files;
    size_t n, cap;
    size_t base;         // length of the folder that holds them all, with its slash
    const char *modia3d; // resolved, or null
} file_list;

static sg_status add_file(file_list *list, const char *path)
{
    if (list->n >= MOST_FILES)
        return SG_ERR_LIMIT;
    if (list->n == list->cap) {
        size_t cap = list->cap ? 2 * list->cap : 16;
        sg_fmu_file *more = SG_NEW_ARRAY(list->arena, sg_fmu_file, cap);
        if (!more)
            return SG_ERR_MEMORY;
        if (list->n)
            memcpy(more, list->files, list->n * sizeof *more);
        list->files = more;
        list->cap = cap;
    }
    bool object = list->modia3d && sg_path_below(path, list->modia3d);
    const char *name =
        object ? sg_arena_printf(list->arena, "resources/modia3d%s", path + strlen(list->modia3d))
               : sg_arena_printf(list->arena, "resources/model/%s", path + list->base);
    list->files[list->n++] = (sg_fmu_file){path, name};
    return name ? SG_OK : SG_ERR_MEMORY;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

// A folder holds the pieces of a mesh, say.
static sg_status add_path(file_list *list, const char *path, int depth)
{
    struct stat info;
    if (lstat(path, &info) != 0 || (!S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)))
        return SG_OK;
    if (S_ISREG(info.st_mode))
        return add_file(list, path);
    struct dirent **entries = NULL;
    int n = depth < DEEPEST ? scandir(path, &entries, NULL, by_name) : 0;
    sg_status status = SG_OK;
    for (int i = 0; i < n; i++) {
        if (entries[i]->d_name[0] != '.' && status == SG_OK) {
            const char *inner = sg_arena_printf(list->arena, "%s/%s", path, entries[i]->d_name);
            status = inner ? add_path(list, inner, depth + 1) : SG_ERR_MEMORY;
        }
        free(entries[i]);
    }
    free(entries);
    return status;
}

// The length of the common folder of two paths, with its slash; `most` is that so far.
static size_t common_folder(const char *a, const char *b, size_t most)
{
    size_t folder = 0;
    for (size_t i = 0; i < most && a[i] && a[i] == b[i]; i++)
        if (a[i] == '/')
            folder = i + 1;
    return folder;
}

sg_status sg_fmu_list_files(const sg_model *model, const char *main_file, sg_arena *arena,
                            sg_diags *diags, sg_fmu_file **files, size_t *n)
{
    const sg_files *used = &model->session->files;
    file_list list = {.arena = arena, .diags = diags};
    const char *main_path = sg_resolved_path(arena, main_file);
    if (!main_path)
        return SG_ERR_IO;
    if (used->modia3d_path)
        list.modia3d = sg_resolved_path(arena, used->modia3d_path);
    list.base = (size_t)(strrchr(main_path, '/') - main_path) + 1;
    for (size_t i = 0; i < used->n_used; i++)
        if (!list.modia3d || !sg_path_below(used->used[i], list.modia3d))
            list.base = common_folder(main_path, used->used[i], list.base);
    sg_status status = used->arena.failed ? SG_ERR_MEMORY : add_file(&list, main_path);
    for (size_t i = 0; i < used->n_used && status == SG_OK; i++)
        if (strcmp(used->used[i], main_path) != 0)
            status = add_path(&list, used->used[i], 0);
    *files = list.files;
    *n = list.n;
    return status;
}
