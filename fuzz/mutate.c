#include "mutate.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 8192, LONGEST_TEXT = 65536 };

typedef enum word_kind { NAME, NUMBER, TEXT, OPERATOR, OPEN, CLOSE, NEW_LINE } word_kind;

typedef struct word {
    word_kind kind;
    uint32_t first, last; // bytes; `last` is one past the end
    uint32_t partner;     // of an opening bracket: the word that closes it
} word;

typedef struct words {
    word list[MOST_WORDS];
    size_t n;
} words;

// A range of bytes.
typedef struct range {
    size_t first, last;
} range;

mutate_rng mutate_rng_seeded(unsigned seed)
{
    return (mutate_rng){0x9E3779B97F4A7C15ULL * (seed + 1ULL)};
}

size_t mutate_below(mutate_rng *rng, size_t n)
{
    rng->state ^= rng->state << 13;
    rng->state ^= rng->state >> 7;
    rng->state ^= rng->state << 17;
    return n ? (size_t)((rng->state >> 11) % n) : 0;
}

// ---- cutting a text into words ----------------------------------------------------------------

static bool in_name(char c) { return isalnum((unsigned char)c) || c == '_' || (c & 0x80); }

static size_t end_of_number(const char *text, size_t i, size_t size)
{
    while (i < size && (in_name(text[i]) || text[i] == '.' ||
                        ((text[i] == '-' || text[i] == '+') && tolower(text[i - 1]) == 'e')))
        i++;
    return i;
}

static size_t end_of_text(const char *text, size_t i, size_t size)
{
    for (i++; i < size && text[i] != '"' && text[i] != '\n'; i++)
        i += text[i] == '\\';
    return i < size ? i + 1 : size;
}

static size_t end_of_comment(const char *text, size_t i, size_t size)
{
    while (i < size && text[i] != '\n')
        i++;
    return i;
}

static word_kind kind_of(char c)
{
    return isdigit((unsigned char)c)  ? NUMBER
           : in_name(c) || c == '@'   ? NAME
           : c == '"'                 ? TEXT
           : c == '\n' || c == ';'    ? NEW_LINE
           : c && memchr("([{", c, 3) ? OPEN
           : c && memchr(")]}", c, 3) ? CLOSE
                                      : OPERATOR;
}

static size_t end_of_word(word_kind kind, const char *text, size_t i, size_t size)
{
    if (kind == NUMBER)
        return end_of_number(text, i, size);
    if (kind == TEXT)
        return end_of_text(text, i, size);
    size_t end = i + 1;
    while (kind == NAME && end < size && (in_name(text[end]) || text[end] == '!'))
        end++;
    while (kind == OPERATOR && end < size && end < i + 3 && text[end] &&
           strchr("=<>&|:+", text[end]) && text[i] != ',')
        end++;
    return end;
}

// Comments and spaces belong to no word, so they stay where they are.
static void cut(words *w, const char *text, size_t size)
{
    uint32_t open[256];
    size_t depth = 0, i = 0;
    w->n = 0;
    while (i < size && w->n < MOST_WORDS) {
        if (text[i] == ' ' || text[i] == '\t' || text[i] == '\r') {
            i++;
            continue;
        }
        if (text[i] == '#') {
            i = end_of_comment(text, i, size);
            continue;
        }
        word_kind kind = kind_of(text[i]);
        size_t end = end_of_word(kind, text, i, size);
        uint32_t at = (uint32_t)w->n++;
        w->list[at] = (word){kind, (uint32_t)i, (uint32_t)end, at};
        if (kind == OPEN && depth < 256)
            open[depth++] = at;
        else if (kind == CLOSE && depth > 0)
            w->list[open[--depth]].partner = at;
        i = end;
    }
}

// ---- choosing a part --------------------------------------------------------------------------

static range of_word(const words *w, size_t i)
{
    return (range){w->list[i].first, w->list[i].last};
}

// Any word of a kind; the first one at all if there is none.
static size_t some_word(const words *w, word_kind kind, mutate_rng *rng)
{
    size_t start = mutate_below(rng, w->n);
    for (size_t k = 0; k < w->n; k++)
        if (w->list[(start + k) % w->n].kind == kind)
            return (start + k) % w->n;
    return 0;
}

// An operand: a word, a bracket with what is in it, a call `a.b(...)`.
static range some_phrase(const words *w, mutate_rng *rng)
{
    size_t i = mutate_below(rng, w->n);
    while (i > 0 &&
           (w->list[i].kind == OPERATOR || w->list[i].kind == NEW_LINE || w->list[i].kind == CLOSE))
        i--;
    range r = of_word(w, i);
    if (w->list[i].kind == OPEN)
        r.last = w->list[w->list[i].partner].last;
    while (w->list[i].kind == NAME && i + 1 < w->n && w->list[i + 1].kind == OPEN &&
           w->list[i + 1].first == r.last) {
        i = w->list[i + 1].partner;
        r.last = w->list[i].last;
    }
    return r;
}

// An argument or an element: what stands between two commas, which may be several words.
static range some_item(const words *w, const char *text, mutate_rng *rng)
{
    size_t first = mutate_below(rng, w->n), last;
    while (first > 0 && w->list[first - 1].kind != OPEN && w->list[first - 1].kind != NEW_LINE &&
           text[w->list[first - 1].first] != ',')
        first--;
    for (last = first; last < w->n; last++) {
        const word *x = &w->list[last];
        if (x->kind == OPEN)
            last = x->partner;
        else if (x->kind == CLOSE || x->kind == NEW_LINE || text[x->first] == ',')
            break;
    }
    size_t end =
        last > first ? w->list[last < w->n ? last - 1 : w->n - 1].last : w->list[first].first;
    return (range){w->list[first].first, end};
}

// One to three whole lines.
static range some_lines(const char *text, size_t size, mutate_rng *rng)
{
    range r = {mutate_below(rng, size), 0};
    while (r.first > 0 && text[r.first - 1] != '\n')
        r.first--;
    r.last = r.first;
    for (size_t n = 1 + mutate_below(rng, 3); n > 0 && r.last < size; n--) {
        r.last = end_of_comment(text, r.last, size);
        r.last += r.last < size;
    }
    return r;
}

static range some_part(const words *w, const char *text, size_t size, mutate_rng *rng)
{
    switch (mutate_below(rng, 4)) {
    case 0:
        return some_lines(text, size, rng);
    case 1:
        return some_item(w, text, rng);
    default:
        return some_phrase(w, rng);
    }
}

// ---- changing a text --------------------------------------------------------------------------

// Puts `n` bytes in place of a range, unless the text would become too long; returns its new size.
// The bytes may lie in the text itself.
static size_t put(char *text, size_t size, size_t most, range r, const char *bytes, size_t n)
{
    static char copy[LONGEST_TEXT];
    size_t new_size = size - (r.last - r.first) + n;
    if (new_size > most || n > sizeof copy)
        return size;
    memcpy(copy, bytes, n);
    memmove(text + r.first + n, text + r.last, size - r.last);
    memcpy(text + r.first, copy, n);
    return new_size;
}

static const char *one_of(const char *const *list, mutate_rng *rng)
{
    size_t n = 0;
    while (list[n])
        n++;
    return n ? list[mutate_below(rng, n)] : "x";
}

static const char *const awkward_numbers[] = {"0",
                                              "0.0",
                                              "-0.0",
                                              "1",
                                              "-1",
                                              "2",
                                              "3",
                                              "1.0",
                                              "-1.0",
                                              "0.5",
                                              "1e-3",
                                              "1e3",
                                              "1e-9",
                                              "1e9",
                                              "1e-16",
                                              "1e16",
                                              "1e-300",
                                              "1e300",
                                              "5e-324",
                                              "1e308",
                                              "-1e308",
                                              "NaN",
                                              "Inf",
                                              "-Inf",
                                              "10^9",
                                              "2^62",
                                              "100",
                                              "1000",
                                              "7//3",
                                              "true",
                                              "1.0u\"m\"",
                                              "9223372036854775807",
                                              "(-9223372036854775807-1)",
                                              "1e-17",
                                              "0.1",
                                              "3.14159",
                                              NULL};
static const char *const operators[] = {"+",  "-",  "*",  "/",  "^",   "\\", "<",  ">",  "==", "=",
                                        "<=", ">=", "&&", "||", ",",   ":",  "=>", ".*", "|",  ".",
                                        "'",  "!",  "÷",  "%",  "...", "?",  ";",  NULL};

static size_t replace_word(char *text, size_t size, size_t most, const words *w,
                           const mutate_pool *pool, mutate_rng *rng)
{
    size_t i;
    const char *by;
    switch (mutate_below(rng, 4)) {
    case 0:
        i = some_word(w, OPERATOR, rng);
        by = one_of(operators, rng);
        break;
    case 1:
        i = some_word(w, NAME, rng);
        by = one_of(pool->names, rng);
        break;
    case 2: { // by another name of the same text
        range from = of_word(w, some_word(w, NAME, rng));
        return put(text, size, most, of_word(w, some_word(w, NAME, rng)), text + from.first,
                   from.last - from.first);
    }
    default:
        i = some_word(w, NUMBER, rng);
        by = one_of(awkward_numbers, rng);
    }
    return put(text, size, most, of_word(w, i), by, strlen(by));
}

// f(phrase), [phrase], (phrase) op phrase
static size_t wrap_phrase(char *text, size_t size, size_t most, const words *w,
                          const mutate_pool *pool, mutate_rng *rng)
{
    range r = some_phrase(w, rng), other = some_phrase(w, rng);
    size_t n = r.last - r.first, m = other.last - other.first;
    const char *name = one_of(pool->names, rng), *op = one_of(operators, rng);
    char *made = malloc(n + m + strlen(name) + 16);
    if (!made)
        return size;
    size_t at = 0;
    size_t way = mutate_below(rng, 3);
    if (way == 0) {
        memcpy(made, name, at = strlen(name));
        made[at++] = '(';
    } else {
        made[at++] = way == 1 ? '[' : '(';
    }
    memcpy(made + at, text + r.first, n);
    at += n;
    made[at++] = way == 1 ? ']' : ')';
    if (way == 2) {
        memcpy(made + at, op, strlen(op));
        at += strlen(op);
        memcpy(made + at, text + other.first, m);
        at += m;
    }
    size = put(text, size, most, r, made, at);
    free(made);
    return size;
}

static size_t swap_phrases(char *text, size_t size, const words *w, mutate_rng *rng)
{
    range a = some_phrase(w, rng), b = some_phrase(w, rng);
    if (a.first > b.first) {
        range c = a;
        a = b;
        b = c;
    }
    if (a.last > b.first) // one holds the other
        return size;
    char *made = malloc(b.last - a.first);
    if (!made)
        return size;
    size_t n = b.last - b.first, between = b.first - a.last;
    memcpy(made, text + b.first, n);
    memcpy(made + n, text + a.last, between);
    memcpy(made + n + between, text + a.first, a.last - a.first);
    memcpy(text + a.first, made, b.last - a.first);
    free(made);
    return size;
}

static size_t change_once(char *text, size_t size, size_t most, const mutate_pool *pool,
                          mutate_rng *rng)
{
    static words w;
    cut(&w, text, size);
    if (w.n == 0) {
        const char *line = one_of(pool->lines, rng);
        return put(text, size, most, (range){0, size}, line, strlen(line));
    }
    range a = some_part(&w, text, size, rng), b = some_part(&w, text, size, rng);
    const char *phrase = one_of(pool->phrases, rng), *line = one_of(pool->lines, rng);
    range lines = some_lines(text, size, rng);
    switch (mutate_below(rng, 12)) {
    case 0: // left out
        return put(text, size, most, a, "", 0);
    case 1: // doubled
        return put(text, size, most, (range){a.last, a.last}, text + a.first, a.last - a.first);
    case 2: // by another one
    case 3:
        return put(text, size, most, a, text + b.first, b.last - b.first);
    case 4:
        return put(text, size, most, some_phrase(&w, rng), phrase, strlen(phrase));
    case 5:
        return put(text, size, most, some_item(&w, text, rng), phrase, strlen(phrase));
    case 6:
        return put(text, size, most, (range){lines.first, lines.first}, line, strlen(line));
    case 7:
        return swap_phrases(text, size, &w, rng);
    case 8:
        return wrap_phrase(text, size, most, &w, pool, rng);
    default:
        return replace_word(text, size, most, &w, pool, rng);
    }
}

size_t mutate_text(char *text, size_t size, size_t most, const mutate_pool *pool, unsigned seed)
{
    mutate_rng rng = mutate_rng_seeded(seed);
    if (most > LONGEST_TEXT)
        most = LONGEST_TEXT;
    for (size_t n = 1 + mutate_below(&rng, 3); n > 0 && size <= most; n--)
        size = change_once(text, size, most, pool, &rng);
    return size;
}

size_t mutate_splice(const char *a, size_t a_size, const char *b, size_t b_size, char *out,
                     size_t most, unsigned seed)
{
    static words wa, wb;
    mutate_rng rng = mutate_rng_seeded(seed);
    if (a_size > most)
        a_size = most;
    memcpy(out, a, a_size);
    for (size_t n = 1 + mutate_below(&rng, 3); n > 0; n--) {
        cut(&wa, out, a_size);
        cut(&wb, b, b_size);
        if (wa.n == 0 || wb.n == 0)
            break;
        bool lines = mutate_below(&rng, 2);
        range into = lines ? some_lines(out, a_size, &rng) : some_part(&wa, out, a_size, &rng);
        range from = lines ? some_lines(b, b_size, &rng) : some_part(&wb, b, b_size, &rng);
        a_size = put(out, a_size, most, into, b + from.first, from.last - from.first);
    }
    return a_size;
}
