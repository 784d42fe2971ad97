#include "base/diags.h"

#include "base/harmless.h"
#include "base/vec.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { RESERVED_LENGTH = 512 }; // of a message that is expected

void sg_diags_init(sg_diags *diags, const sg_allocator *allocator)
{
    *diags = (sg_diags){.max_errors = 100};
    sg_arena_init(&diags->arena, allocator);
}

// In place or on the heap: what was made goes.
void sg_diags_destroy(sg_diags *diags)
{
    if (!diags)
        return;
    const sg_allocator *a = diags->arena.allocator;
    sg_vec_free(a, (void **)&diags->list, &diags->cap, sizeof(sg_diag));
    sg_arena_destroy(&diags->arena);
    diags->len = 0;
    if (diags->is_owned)
        a->resize(a->context, diags, sizeof *diags, 0);
}

sg_diags *sg_diags_create(const sg_allocator *allocator)
{
    const sg_allocator *a = sg_allocator_or_default(allocator);
    sg_diags *diags = a->resize(a->context, NULL, 0, sizeof *diags);
    if (!diags)
        return NULL;
    sg_diags_init(diags, a);
    diags->is_owned = true;
    return diags;
}

size_t sg_diags_count(const sg_diags *diags) { return diags ? diags->len : 0; }

const sg_diag *sg_diags_get(const sg_diags *diags, size_t index)
{
    return diags && index < diags->len ? &diags->list[index] : NULL;
}

static bool same_span(sg_span a, sg_span b)
{
    return a.file == b.file && a.first == b.first && a.last == b.last;
}

// Among the first n entries.
static bool was_there(const sg_diags *diags, size_t n, const sg_diag *diag)
{
    while (n-- > 0) {
        const sg_diag *d = &diags->list[n];
        if (d->severity == diag->severity && d->code == diag->code &&
            same_span(d->span, diag->span) && strcmp(d->message, diag->message) == 0)
            return true;
    }
    return false;
}

bool sg_diags_drop_repeated(sg_diags *diags, size_t first)
{
    if (first > diags->len)
        return true;
    for (size_t i = first; i < diags->len; i++)
        if (diags->list[i].severity == SG_ERROR && !was_there(diags, first, &diags->list[i]))
            return false;
    diags->len = first;
    return true;
}

void sg_diags_clear(sg_diags *diags)
{
    if (!diags)
        return;
    diags->len = diags->n_errors = diags->n_warnings = 0;
    diags->muted = false;
    const sg_allocator *allocator = diags->arena.allocator;
    sg_arena_destroy(&diags->arena);
    sg_arena_init(&diags->arena, allocator);
}

void sg_diags_cut(sg_diags *diags, size_t first)
{
    diags->len = first < diags->len ? first : diags->len;
    diags->n_errors = diags->n_warnings = 0;
    for (size_t i = 0; i < diags->len; i++) {
        diags->n_errors += diags->list[i].severity == SG_ERROR;
        diags->n_warnings += diags->list[i].severity == SG_WARNING;
    }
}

// One place is always left, so that a lack of memory can be told when nothing else can, by the
// words that it has itself.
static void add_last_word(sg_diags *diags, const sg_diag *diag)
{
    sg_diag last = {SG_ERROR, SG_E_MEMORY, diag->span, (double)NAN, "out of memory", false};
    if (diags->len >= diags->cap || was_there(diags, diags->len, &last))
        return;
    for (size_t i = 0; i < diags->len; i++)
        if (diags->list[i].message == diags->last_word)
            return;
    bool is_last =
        diag->code == SG_E_MEMORY || diag->code == SG_E_LIMIT || diag->code == SG_E_INTERRUPT;
    if (is_last && strlen(diag->message) < sizeof diags->last_word) {
        memcpy(diags->last_word, diag->message, strlen(diag->message) + 1);
        last.code = diag->code;
        last.message = diags->last_word;
    }
    diags->list[diags->len++] = last;
}

void sg_diags_reserve(sg_diags *diags, size_t n)
{
    if (!diags)
        return;
    (void)sg_arena_reserve(&diags->arena, n * RESERVED_LENGTH);
    (void)sg_vec_reserve(diags->arena.allocator, (void **)&diags->list, &diags->cap,
                         diags->len + n + 2, sizeof(sg_diag));
}

void sg_diags_put(sg_diags *diags, sg_diag diag)
{
    if (!diags || (diag.severity == SG_NOTE && diags->muted))
        return;
    diags->muted = false;
    // Who compares counts must see that something is wrong, also if it is not told again.
    if (diag.severity == SG_ERROR && diags->n_errors++ >= diags->max_errors)
        return;
    diags->n_warnings += diag.severity == SG_WARNING;
    if (diag.severity != SG_NOTE && was_there(diags, diags->len, &diag)) {
        diags->muted = true;
        return;
    }
    char *copy = sg_arena_text(&diags->arena, diag.message, strlen(diag.message));
    bool room = sg_vec_reserve(diags->arena.allocator, (void **)&diags->list, &diags->cap,
                               diags->len + 2, sizeof(sg_diag));
    if (!copy || !room) {
        add_last_word(diags, &diag);
        return;
    }
    diag.message = copy;
    diags->list[diags->len++] = diag;
}

void sg_diags_add_at(sg_diags *diags, sg_severity severity, sg_code code, sg_span span, double time,
                     const char *message)
{
    sg_diags_put(diags, (sg_diag){severity, code, span, time, message, false});
}

void sg_diags_add(sg_diags *diags, sg_severity severity, sg_code code, sg_span span,
                  const char *format, ...)
{
    if (!diags)
        return;
    va_list list;
    va_start(list, format);
    char fixed[512];
    int length = vsnprintf(fixed, sizeof fixed, format, list);
    va_end(list);
    if (length >= 0 && (size_t)length < sizeof fixed) {
        sg_diags_add_at(diags, severity, code, span, (double)NAN, fixed);
        return;
    }
    char *longer = sg_arena_alloc(&diags->arena, (size_t)(length < 0 ? 0 : length) + 1, 1);
    if (!longer) {
        sg_diags_add_at(diags, severity, code, span, (double)NAN, fixed);
        return;
    }
    va_start(list, format);
    vsnprintf(longer, (size_t)length + 1, format, list);
    va_end(list);
    sg_diags_add_at(diags, severity, code, span, (double)NAN, longer);
}

sg_status sg_misuse(sg_diags *diags, const char *text)
{
    sg_error(diags, SG_E_USAGE, (sg_span){0}, "%s", text);
    return SG_ERR_USAGE;
}

enum { SHOWN_WIDTH = 120 }; // of a source line; longer ones are cut around the span

// A character that takes a column: not a continuation byte of UTF-8.
static bool starts_character(char c) { return ((unsigned char)c & 0xC0) != 0x80; }

// A part of a line; what could do harm takes one column, so that the marks below stand right.
static void put_columns(const char *text, size_t length, sg_buf *out)
{
    char escape[SG_ESCAPE_SIZE];
    for (size_t n, skip; length; text += n + skip, length -= n + skip) {
        n = sg_text_harmless(text, length, &skip, escape);
        sg_buf_add(out, text, n);
        sg_buf_puts(out, skip ? "?" : "");
    }
}

static void put_text(sg_buf *out, const char *text)
{
    sg_buf_put_harmless(out, text, strlen(text));
}

static void render_line(const sg_sources *sources, sg_span span, sg_position at, sg_buf *out)
{
    uint32_t length;
    const char *line = sg_source_line(sources, span.file, at.line, &length);
    const sg_source *source = sg_sources_get(sources, span.file);
    uint32_t line_first = (uint32_t)(line - source->text);
    uint32_t from = span.first - line_first,
             to = span.last > span.first ? span.last - line_first : from + 1;
    if (from > length)
        from = length;
    if (to > length)
        to = length;
    uint32_t begin = 0, end = length;
    if (length > SHOWN_WIDTH) {
        begin = from > 30 ? from - 30 : 0;
        end = begin + SHOWN_WIDTH < length ? begin + SHOWN_WIDTH : length;
        while (begin < from && !starts_character(line[begin]))
            begin++;
        while (end < length && !starts_character(line[end]))
            end++;
        if (to > end)
            to = end;
    }
    sg_buf_printf(out, "%5u | %s", at.line, begin ? "..." : "");
    put_columns(line + begin, end - begin, out);
    sg_buf_printf(out, "%s\n      | %s", end < length ? "..." : "", begin ? "   " : "");
    for (uint32_t i = begin; i < from; i++)
        if (starts_character(line[i]))
            sg_buf_putc(out, line[i] == '\t' ? '\t' : ' ');
    sg_buf_putc(out, '^');
    for (uint32_t i = from + 1; i < to; i++)
        if (starts_character(line[i]))
            sg_buf_putc(out, '~');
    sg_buf_putc(out, '\n');
}

void sg_diag_render(const sg_diag *diag, const sg_sources *sources, sg_buf *out)
{
    static const char *const words[] = {"error", "warning", "note"};
    const sg_source *source = sources ? sg_sources_get(sources, diag->span.file) : NULL;
    sg_position at = {0, 0};
    if (source) {
        at = sg_source_position(sources, diag->span.file, diag->span.first);
        put_text(out, source->name);
        sg_buf_printf(out, ":%u:%u: ", at.line, at.column);
    } else {
        sg_buf_puts(out, "segue: ");
    }
    sg_buf_puts(out, words[diag->severity]);
    if (diag->code != SG_E_NONE)
        sg_buf_printf(out, "[E%04d]", (int)diag->code);
    sg_buf_puts(out, ": ");
    put_text(out, diag->message);
    // Most messages of a run name the time themselves, where it belongs in the sentence.
    if (!isnan(diag->time) && !diag->names_time)
        sg_buf_printf(out, " (at t = %.9g s)", diag->time);
    sg_buf_putc(out, '\n');
    if (!source)
        return;
    render_line(sources, diag->span, at, out);
    for (int depth = 0; source && source->from_file && depth < 20; depth++) {
        const sg_source *outer = sg_sources_get(sources, source->from_file);
        sg_position from = sg_source_position(sources, source->from_file, source->from.first);
        sg_buf_puts(out, "      = included from ");
        put_text(out, outer->name);
        sg_buf_printf(out, ":%u:%u\n", from.line, from.column);
        source = outer;
    }
}

// Optimal string alignment: insertions, deletions and replacements cost 2, a change of case or a
// swap of neighbors 1. Names longer than the table are never misspelt by a little.
enum { LONGEST_NAME = 63 };

static int edit_distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST_NAME || m > LONGEST_NAME)
        return 1000;
    int rows[3][LONGEST_NAME + 1];
    for (size_t j = 0; j <= m; j++)
        rows[0][j] = (int)(2 * j);
    for (size_t i = 1; i <= n; i++) {
        int *row = rows[i % 3], *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = (int)(2 * i);
        for (size_t j = 1; j <= m; j++) {
            int replace = a[i - 1] == b[j - 1] ? 0
                          : tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1])
                              ? 1
                              : 2;
            int best = above[j - 1] + replace;
            if (above[j] + 2 < best)
                best = above[j] + 2;
            if (row[j - 1] + 2 < best)
                best = row[j - 1] + 2;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                two_above[j - 2] + 1 < best)
                best = two_above[j - 2] + 1;
            row[j] = best;
        }
    }
    return rows[n % 3][m];
}

// xx and x: the same but for letters that stand twice.
static bool differs_by_doubles(const char *a, const char *b)
{
    while (*a && *a == *b) {
        char c = *a;
        while (*a == c)
            a++;
        while (*b == c)
            b++;
    }
    return *a == *b;
}

const char *sg_closest_name(const char *name, const char *const *candidates, size_t n)
{
    int limit = (int)(2 * (strlen(name) / 3)) + 1, best = limit + 1;
    const char *closest = NULL;
    for (size_t i = 0; i < n; i++) {
        int distance = edit_distance(name, candidates[i]);
        if (distance < best && distance > 0) {
            best = distance;
            closest = candidates[i];
        }
    }
    for (size_t i = 0; !closest && i < n; i++)
        if (strcmp(name, candidates[i]) != 0 && differs_by_doubles(name, candidates[i]))
            closest = candidates[i];
    // Else one that goes on where the name ends: r for r_abs.
    size_t length = strlen(name), shortest = SIZE_MAX;
    for (size_t i = 0; !closest && length > 2 && i < n; i++)
        if (strncmp(candidates[i], name, length) == 0 && candidates[i][length] &&
            strlen(candidates[i]) < shortest) {
            shortest = strlen(candidates[i]);
            best = (int)i;
        }
    return closest || shortest == SIZE_MAX ? closest : candidates[best];
}
