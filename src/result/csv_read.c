#include "base/digits.h"
#include "base/vec.h"
#include "result/csv.h"
#include "result/import.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

static const sg_span nowhere = {0, 0, 0};

enum { READ_SIZE = 256 * 1024, MAX_LINE = 1 << 28 };

// Lines of a file, whatever their length.
typedef struct lines {
    sg_image image;
    uint64_t offset; // of the next byte to read
    char *buffer;
    size_t capacity, used, at;
    uint64_t number; // of the line handed out last
    bool complete;   // it had a newline
} lines;

static sg_status fill(lines *l)
{
    if (l->at)
        memmove(l->buffer, l->buffer + l->at, l->used - l->at);
    l->used -= l->at;
    l->at = 0;
    if (l->used + READ_SIZE > MAX_LINE)
        return SG_ERR_LIMIT;
    if (!sg_vec_reserve(l->image.allocator, (void **)&l->buffer, &l->capacity,
                        l->used + READ_SIZE + 1, 1))
        return SG_ERR_MEMORY;
    uint64_t left = l->image.size - l->offset;
    size_t n = left < READ_SIZE ? (size_t)left : READ_SIZE;
    if (!sg_image_read(&l->image, l->offset, l->buffer + l->used, n))
        return SG_ERR_IO;
    l->used += n;
    l->offset += n;
    return SG_OK;
}

// The first end of a line in `n` bytes that is not inside of quotes; `*quoted` is kept for what
// follows them. Rows of numbers need no look at quotes.
static char *end_of_line(char *text, size_t n, bool texts, bool *quoted)
{
    if (!texts)
        return memchr(text, '\n', n);
    for (size_t i = 0; i < n; i++) {
        *quoted ^= text[i] == '"';
        if (text[i] == '\n' && !*quoted)
            return text + i;
    }
    return NULL;
}

// The next line without its end, terminated by NUL; null at the end of the file. Where fields are
// `texts`, a line goes on behind an end of line inside of quotes.
static sg_status next_line(lines *l, bool texts, char **line, size_t *length)
{
    size_t seen = 0;
    bool quoted = false;
    *line = NULL;
    while (true) {
        size_t unseen = l->used - l->at - seen;
        char *newline =
            unseen ? end_of_line(l->buffer + l->at + seen, unseen, texts, &quoted) : NULL;
        if (newline || l->offset == l->image.size) {
            l->complete = newline != NULL;
            size_t n = newline ? (size_t)(newline - (l->buffer + l->at)) : l->used - l->at;
            if (!newline && n == 0)
                return SG_OK;
            *line = l->buffer + l->at;
            l->at += n + (newline ? 1 : 0);
            if (n && (*line)[n - 1] == '\r')
                n--;
            (*line)[n] = '\0';
            *length = n;
            l->number++;
            return SG_OK;
        }
        seen = l->used - l->at;
        sg_status status = fill(l);
        if (status != SG_OK)
            return status;
    }
}

// Takes the next field from the line; quotes are removed in place. False at the end of the line.
static bool next_field(char **at, const char *end, char separator, char **field, size_t *length)
{
    char *p = *at;
    if (!p)
        return false;
    if (p < end && *p == '"') {
        char *to = ++p;
        *field = to;
        while (p < end && (*p != '"' || (p + 1 < end && p[1] == '"'))) {
            p += *p == '"';
            *to++ = *p++;
        }
        *length = (size_t)(to - *field);
        while (p < end && *p != separator)
            p++;
    } else {
        *field = p;
        char *stop = memchr(p, separator, (size_t)(end - p));
        p = stop ? stop : (char *)end;
        *length = (size_t)(p - *field);
        while (*length && (*field)[*length - 1] == ' ')
            --*length;
        while (*length && **field == ' ')
            ++*field, --*length;
    }
    *at = p < end ? p + 1 : NULL;
    return true;
}

// The same for a text, without the apostrophe that keeps spreadsheets from computing it.
static bool next_text(char **at, const char *end, char separator, char **field, size_t *length)
{
    if (!next_field(at, end, separator, field, length))
        return false;
    if (*length > 1 && **field == '\'' && sg_csv_is_guarded((*field)[1]))
        ++*field, --*length;
    return true;
}

static char guess_separator(const char *line)
{
    size_t best = 0;
    char separator = ',';
    for (const char *s = ",;\t"; *s; s++) {
        size_t n = 0;
        bool quoted = false;
        for (const char *p = line; *p; p++) {
            quoted ^= *p == '"';
            n += *p == *s && !quoted;
        }
        if (n > best) {
            best = n;
            separator = *s;
        }
    }
    return separator;
}

// "phi [rad]" is a name and a unit.
static void split_unit(sg_arena *arena, const char *text, size_t length, sg_import_entry *entry)
{
    entry->unit = entry->info = "";
    size_t open = length;
    if (length > 2 && text[length - 1] == ']')
        for (size_t i = 1; i < length; i++)
            if (text[i] == '[' && text[i - 1] == ' ')
                open = i;
    if (open < length) {
        entry->unit = sg_arena_text(arena, text + open + 1, length - open - 2);
        length = open - 1;
    }
    entry->name = sg_arena_text(arena, text, length);
}

typedef struct csv_reader {
    lines lines;
    sg_arena arena;
    const char *path;
    sg_diags *diags;
    char separator;
    sg_import_entry *entries;
    size_t n, cap;
    double *row;
} csv_reader;

static sg_status read_header(csv_reader *r)
{
    char *line, *at, *field;
    size_t length, n;
    sg_status status = next_line(&r->lines, true, &line, &length);
    if (status != SG_OK || !line)
        return status != SG_OK ? status : SG_ERR_INPUT;
    if (length >= 3 && memcmp(line, "\xEF\xBB\xBF", 3) == 0) {
        line += 3;
        length -= 3;
    }
    // NUL bytes are the mark of a binary file.
    if (memchr(line, '\0', length))
        return SG_ERR_INPUT;
    r->separator = guess_separator(line);
    bool named_time = false;
    at = line;
    for (size_t i = 0; at; i++) {
        double number;
        bool quoted = *at == '"';
        next_text(&at, line + length, r->separator, &field, &n);
        // A number instead of a name: there is no header. In quotes it may be a name, but of time.
        if ((!quoted || i == 0) && sg_number_parse(field, n, &number))
            return SG_ERR_INPUT;
        if (i == 0) {
            named_time = n >= 4 && strncasecmp(field, "time", 4) == 0;
            continue;
        }
        sg_import_entry entry = {.column = (uint32_t)r->n};
        split_unit(&r->arena, field, n, &entry);
        if (r->arena.failed || !sg_vec_reserve(r->arena.allocator, (void **)&r->entries, &r->cap,
                                               r->n + 1, sizeof entry))
            return SG_ERR_MEMORY;
        r->entries[r->n++] = entry;
    }
    if (r->n == 0 && !named_time) // a word, not a table
        return SG_ERR_INPUT;
    r->row = SG_NEW_ARRAY(&r->arena, double, r->n + 1);
    return r->row ? SG_OK : SG_ERR_MEMORY;
}

// Units from the second file, if it is there; its rows are in the order of the columns.
static void read_units(csv_reader *r)
{
    const char *path = sg_csv_beside(r->path, SG_CSV_UNITS, &r->arena);
    lines l = {0};
    char *line;
    size_t length, i = 0, row = 0;
    bool titled = false;
    if (!path || sg_image_open(&l.image, r->arena.allocator, path) != SG_OK)
        return;
    while (next_line(&l, true, &line, &length) == SG_OK && line && i < r->n) {
        char *at = line, *name, *unit;
        size_t n_name, n_unit;
        if (!next_text(&at, line + length, ',', &name, &n_name) ||
            !next_text(&at, line + length, ',', &unit, &n_unit))
            break;
        // Behind a line of titles the first is the one of time, and a signal may have that name.
        if (row == 0)
            titled = n_name == 4 && memcmp(name, "name", 4) == 0;
        if (row++ < 2 && titled)
            continue;
        if (strlen(r->entries[i].name) == n_name && memcmp(r->entries[i].name, name, n_name) == 0) {
            const char *copy = sg_arena_text(&r->arena, unit, n_unit);
            r->entries[i++].unit = copy ? copy : "";
        }
    }
    sg_vec_free(l.image.allocator, (void **)&l.buffer, &l.capacity, 1);
    sg_image_close(&l.image);
}

static sg_status bad_line(csv_reader *r, const char *what)
{
    sg_error(r->diags, SG_E_RESULT_FORMAT, nowhere, "'%s', line %llu: %s", r->path,
             (unsigned long long)r->lines.number, what);
    return SG_ERR_IO;
}

// True in `*short_line` when the line has too few fields.
static sg_status parse_row(csv_reader *r, char *line, size_t length, double *time, bool *cut)
{
    char *at = line, *field;
    size_t n, i = 0;
    *cut = false;
    for (; next_field(&at, line + length, r->separator, &field, &n); i++) {
        double x = sg_missing();
        if (i > r->n)
            return bad_line(r, "more fields than names in the header");
        if (n && !sg_number_parse(field, n, &x)) {
            if (!r->lines.complete) {
                *cut = true;
                return SG_OK;
            }
            return bad_line(r, "a field is not a number");
        }
        if (i == 0 && n == 0)
            return bad_line(r, "a row has no time");
        *(i == 0 ? time : &r->row[i - 1]) = x;
    }
    // A last line without its newline may end in the middle of a number.
    *cut = i <= r->n;
    if (*cut && r->lines.complete)
        return bad_line(r, "fewer fields than names in the header");
    return SG_OK;
}

static sg_status read_rows(csv_reader *r, sg_import *import)
{
    while (true) {
        char *line;
        size_t length;
        double time = 0;
        bool cut;
        sg_status status = next_line(&r->lines, false, &line, &length);
        if (status != SG_OK || !line)
            return status;
        if (length == 0)
            continue;
        status = parse_row(r, line, length, &time, &cut);
        if (status != SG_OK)
            return status;
        if (cut) {
            sg_warning(r->diags, SG_E_RESULT_DAMAGED, nowhere,
                       "'%s' is cut in line %llu; the rows before are read", r->path,
                       (unsigned long long)r->lines.number);
            return SG_OK;
        }
        status = sg_import_row(import, time, r->row);
        if (status != SG_OK)
            return status;
    }
}

static sg_status read_table(csv_reader *r, sg_result **out)
{
    sg_status status = read_header(r);
    if (status == SG_ERR_INPUT) {
        sg_error(r->diags, SG_E_RESULT_FORMAT, nowhere,
                 "'%s' is not a result: its first line is no header of names", r->path);
        return SG_ERR_IO;
    }
    if (status != SG_OK)
        return status;
    read_units(r);
    sg_import import;
    status = sg_import_begin(&import, r->entries, r->n, NULL, 0, r->arena.allocator, r->diags);
    if (status == SG_OK)
        status = read_rows(r, &import);
    if (status != SG_OK) {
        sg_import_abandon(&import);
        return status;
    }
    return sg_import_finish(&import, r->path, out);
}

sg_status sg_csv_read(const char *path, const sg_allocator *allocator, sg_diags *diags,
                      sg_result **out)
{
    csv_reader r = {.path = path, .diags = diags};
    sg_arena_init(&r.arena, allocator);
    *out = NULL;
    sg_status status = sg_image_open(&r.lines.image, allocator, path);
    size_t errors = diags->n_errors;
    if (status == SG_OK)
        status = read_table(&r, out);
    if (status != SG_OK && diags->n_errors == errors)
        sg_error(diags, status == SG_ERR_MEMORY ? SG_E_MEMORY : SG_E_IO, nowhere,
                 "cannot read '%s': %s", path,
                 status == SG_ERR_MEMORY  ? "out of memory"
                 : status == SG_ERR_LIMIT ? "a line is too long"
                                          : strerror(errno));
    sg_vec_free(r.arena.allocator, (void **)&r.lines.buffer, &r.lines.capacity, 1);
    sg_vec_free(r.arena.allocator, (void **)&r.entries, &r.cap, sizeof *r.entries);
    sg_image_close(&r.lines.image);
    sg_arena_destroy(&r.arena);
    return status;
}
