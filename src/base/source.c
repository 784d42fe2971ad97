#include "base/source.h"

#include "base/disk.h"
#include "base/vec.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void sg_sources_init(sg_sources *sources, const sg_allocator *allocator)
{
    *sources = (sg_sources){0};
    atomic_init(&sources->newest, NULL);
    sg_arena_init(&sources->arena, allocator);
}

void sg_sources_destroy(sg_sources *sources)
{
    sg_vec_free(sources->arena.allocator, (void **)&sources->files, &sources->cap,
                sizeof(sg_source *));
    sources->len = 0;
    sg_arena_destroy(&sources->arena);
}

uint32_t sg_sources_add(sg_sources *sources, const char *name, const char *text, size_t length)
{
    if (length >= UINT32_MAX)
        return 0;
    sg_source *source = SG_NEW(&sources->arena, sg_source);
    char *copy = sg_arena_text(&sources->arena, text, length);
    char *own_name = sg_arena_text(&sources->arena, name, strlen(name));
    if (!source || !copy || !own_name ||
        !sg_vec_reserve(sources->arena.allocator, (void **)&sources->files, &sources->cap,
                        sources->len + 1, sizeof(sg_source *)))
        return 0;
    *source = (sg_source){
        .name = own_name,
        .text = copy,
        .length = (uint32_t)length,
        .library = strncmp(name, SG_LIBRARY_PREFIX, strlen(SG_LIBRARY_PREFIX)) == 0,
        .number = (uint32_t)sources->len + 1,
        .older = sources->len ? sources->files[sources->len - 1] : NULL,
    };
    sources->files[sources->len++] = source;
    atomic_store_explicit(&sources->newest, source, memory_order_release);
    return (uint32_t)sources->len;
}

sg_source *sg_sources_get(const sg_sources *sources, uint32_t file)
{
    return file && file <= sources->len ? sources->files[file - 1] : NULL;
}

const sg_source *sg_sources_find(const sg_sources *sources, uint32_t file)
{
    const sg_source *source = atomic_load_explicit(&sources->newest, memory_order_acquire);
    while (source && source->number != file)
        source = source->older;
    return source;
}

bool sg_source_is_library(const sg_sources *sources, uint32_t file)
{
    const sg_source *source = sg_sources_get(sources, file);
    return source && source->library;
}

sg_status sg_read_file(const sg_allocator *allocator, const char *path, char **text, size_t *length)
{
    int fd = sg_open_regular(path);
    *text = NULL;
    *length = 0;
    return fd < 0 ? SG_ERR_IO : sg_read_open(allocator, fd, text, length);
}

sg_status sg_read_open(const sg_allocator *allocator, int fd, char **text, size_t *length)
{
    *text = NULL;
    *length = 0;
    size_t cap = 0, len = 0;
    void *data = NULL;
    sg_status status = SG_OK;
    // Room for what it holds now, so that a file beyond the limit of memory is refused before it is
    // read; it may grow or shrink while we do. With one byte more the end is seen.
    struct stat info;
    size_t want = 65536;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size >= (off_t)want)
        want = (size_t)info.st_size + 2;
    for (;; want = 2 * len) {
        if (len + 1 >= cap && !sg_vec_reserve(allocator, &data, &cap, want, 1)) {
            status = SG_ERR_MEMORY;
            break;
        }
        ssize_t got = read(fd, (char *)data + len, cap - len - 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            status = SG_ERR_IO;
        if (got <= 0)
            break;
        len += (size_t)got;
    }
    int saved = errno;
    close(fd);
    if (status == SG_OK) {
        // Callers free with the length they know: shrink to exactly that.
        void *exact = allocator->resize(allocator->context, data, cap, len + 1);
        if (!exact) {
            sg_vec_free(allocator, &data, &cap, 1);
            return SG_ERR_MEMORY;
        }
        *text = exact;
        (*text)[len] = '\0';
        *length = len;
    } else {
        sg_vec_free(allocator, &data, &cap, 1);
        errno = saved;
    }
    return status;
}

// Line starts are found once a file has something to say; most files never do.
static bool index_lines(const sg_sources *sources, sg_source *source)
{
    if (source->line_starts)
        return true;
    uint32_t n = 1;
    for (uint32_t i = 0; i < source->length; i++)
        n += source->text[i] == '\n';
    sg_arena *arena = (sg_arena *)&sources->arena; // a cache, not a change
    uint32_t *starts = SG_NEW_ARRAY(arena, uint32_t, n);
    if (!starts)
        return false;
    uint32_t line = 1;
    for (uint32_t i = 0; i < source->length; i++)
        if (source->text[i] == '\n')
            starts[line++] = i + 1;
    source->line_starts = starts;
    source->n_lines = n;
    return true;
}

static uint32_t column_of(const sg_source *source, uint32_t line_start, uint32_t offset)
{
    uint32_t column = 1;
    for (uint32_t i = line_start; i < offset; i++)
        column += ((unsigned char)source->text[i] & 0xC0) != 0x80;
    return column;
}

sg_position sg_source_count_lines(const sg_source *source, uint32_t offset)
{
    uint32_t line = 1, start = 0;
    for (uint32_t i = 0; i < offset && i < source->length; i++)
        if (source->text[i] == '\n') {
            line++;
            start = i + 1;
        }
    return (sg_position){
        line, column_of(source, start, offset < source->length ? offset : source->length)};
}

sg_position sg_source_position(const sg_sources *sources, uint32_t file, uint32_t offset)
{
    sg_source *source = sg_sources_get(sources, file);
    if (!source)
        return (sg_position){0, 0};
    if (!index_lines(sources, source))
        return sg_source_count_lines(source, offset);
    if (offset > source->length)
        offset = source->length;
    uint32_t lo = 0, hi = source->n_lines;
    while (hi - lo > 1) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (source->line_starts[mid] <= offset)
            lo = mid;
        else
            hi = mid;
    }
    return (sg_position){lo + 1, column_of(source, source->line_starts[lo], offset)};
}

const char *sg_source_line(const sg_sources *sources, uint32_t file, uint32_t line,
                           uint32_t *length)
{
    *length = 0;
    sg_source *source = sg_sources_get(sources, file);
    if (!source || !index_lines(sources, source) || line == 0 || line > source->n_lines)
        return "";
    uint32_t first = source->line_starts[line - 1];
    uint32_t last = line < source->n_lines ? source->line_starts[line] - 1 : source->length;
    if (last > first && source->text[last - 1] == '\r')
        last--;
    *length = last - first;
    return source->text + first;
}
