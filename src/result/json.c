#include "result/json.h"

#include "base/digits.h"
#include "base/harmless.h"
#include "segue/signal.h"

#include <math.h>
#include <string.h>

enum { MAX_DEPTH = 64 };

typedef struct parser {
    const char *at, *start, *end;
    sg_arena *arena;
    const char *why;
    int depth;
} parser;

static bool parse_value(parser *p, sg_json *out);

static bool refuse(parser *p, const char *why)
{
    if (!p->why)
        p->why = why;
    return false;
}

static void skip_blanks(parser *p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\n' || *p->at == '\t' || *p->at == '\r'))
        p->at++;
}

static char peek(parser *p)
{
    skip_blanks(p);
    return p->at < p->end ? *p->at : '\0';
}

static bool accept_word(parser *p, const char *word)
{
    size_t n = strlen(word);
    if ((size_t)(p->end - p->at) < n || memcmp(p->at, word, n) != 0)
        return false;
    p->at += n;
    return true;
}

static bool read_hex(parser *p, unsigned *out)
{
    *out = 0;
    for (int i = 0; i < 4; i++, p->at++) {
        char c = p->at < p->end ? *p->at : '\0';
        unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
                         : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10)
                                                : 99u;
        if (digit == 99u)
            return refuse(p, "four hexadecimal digits");
        *out = *out * 16 + digit;
    }
    return true;
}

static char *put_utf8(char *to, unsigned c)
{
    if (c < 0x80) {
        *to++ = (char)c;
    } else if (c < 0x800) {
        *to++ = (char)(0xC0 | c >> 6);
        *to++ = (char)(0x80 | (c & 63));
    } else if (c < 0x10000) {
        *to++ = (char)(0xE0 | c >> 12);
        *to++ = (char)(0x80 | (c >> 6 & 63));
        *to++ = (char)(0x80 | (c & 63));
    } else {
        *to++ = (char)(0xF0 | c >> 18);
        *to++ = (char)(0x80 | (c >> 12 & 63));
        *to++ = (char)(0x80 | (c >> 6 & 63));
        *to++ = (char)(0x80 | (c & 63));
    }
    return to;
}

// escape = '\' ( one of "\/bfnrt | 'u' hex4 [ '\' 'u' hex4 ] )
static bool read_escape(parser *p, char **to)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    char c = p->at < p->end ? *p->at++ : '\0';
    const char *found = c ? strchr(names, c) : NULL;
    if (found) {
        *(*to)++ = values[found - names];
        return true;
    }
    unsigned high, low;
    if (c != 'u' || !read_hex(p, &high))
        return refuse(p, "an escape");
    if (high >= 0xD800 && high < 0xDC00) {
        if (!accept_word(p, "\\u") || !read_hex(p, &low) || low < 0xDC00 || low > 0xDFFF)
            return refuse(p, "the second half of a surrogate pair");
        high = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
    }
    *to = put_utf8(*to, high ? high : 0xFFFD);
    return true;
}

static const char *parse_string(parser *p)
{
    if (peek(p) != '"') {
        refuse(p, "a string");
        return NULL;
    }
    const char *from = ++p->at;
    size_t length = 0;
    while (from + length < p->end && from[length] != '"')
        length += from[length] == '\\' ? 2 : 1;
    if (from + length >= p->end) {
        refuse(p, "the end of a string");
        return NULL;
    }
    char *text = sg_arena_alloc(p->arena, length + 1, 1), *to = text;
    while (text && *p->at != '"') {
        char c = *p->at++;
        if ((unsigned char)c < 32) {
            refuse(p, "a string without control characters");
            return NULL;
        }
        if (c != '\\')
            *to++ = c;
        else if (!read_escape(p, &to))
            return NULL;
    }
    p->at++;
    return text;
}

static bool is_number_byte(char c)
{
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

// number, "true", "false", "null"; also NaN and Infinity, which some writers use
static bool parse_scalar(parser *p, sg_json *out)
{
    const char *from = p->at;
    if (accept_word(p, "null")) {
        out->type = SG_JSON_NULL;
        out->number = sg_missing();
    } else if (accept_word(p, "true") || accept_word(p, "false")) {
        out->type = SG_JSON_BOOL;
        out->number = *from == 't';
    } else {
        out->type = SG_JSON_NUMBER;
        if (!accept_word(p, "NaN") && !accept_word(p, "Infinity") && !accept_word(p, "-Infinity"))
            while (p->at < p->end && is_number_byte(*p->at))
                p->at++;
        size_t length = (size_t)(p->at - from);
        if (!sg_number_parse(from, length, &out->number)) {
            p->at = from;
            return refuse(p, "a value");
        }
        out->whole = true;
        for (size_t i = 0; i < length; i++)
            out->whole &= (from[i] >= '0' && from[i] <= '9') || from[i] == '-';
    }
    return true;
}

static bool starts_scalar(char c) { return c && c != '"' && c != '[' && c != '{' && c != ']'; }

// Numbers up to the closing bracket. Meeting anything else is no error: `*mixed` is set and the
// array is read again as one of anything.
static bool parse_vector(parser *p, sg_json *out, bool *mixed)
{
    size_t count = 1;
    for (const char *q = p->at; q < p->end && *q != ']' && *q != '[' && *q != '{'; q++)
        count += *q == ',';
    *out = (sg_json){.type = SG_JSON_VECTOR, .key = out->key, .all_bool = true, .all_whole = true};
    out->numbers = SG_NEW_ARRAY(p->arena, double, count);
    while (out->numbers) {
        sg_json element = {0};
        if (!starts_scalar(peek(p)) || out->n == count) {
            *mixed = true;
            return false;
        }
        if (!parse_scalar(p, &element))
            return false;
        out->all_bool &= element.type == SG_JSON_BOOL;
        out->all_whole &=
            element.type == SG_JSON_NULL || (element.type == SG_JSON_NUMBER && element.whole);
        out->numbers[out->n++] = element.number;
        char c = peek(p);
        if (c != ',' && c != ']')
            return refuse(p, "',' or ']'");
        p->at++;
        if (c == ']')
            return true;
    }
    return false;
}

// array = '[' [ value { ',' value } ] ']' ; object likewise with keys
static bool parse_members(parser *p, sg_json *out, char close)
{
    sg_json **tail = &out->first;
    if (peek(p) == close) {
        p->at++;
        return true;
    }
    while (true) {
        sg_json *child = SG_NEW(p->arena, sg_json);
        if (!child)
            return false;
        if (close == '}') {
            child->key = parse_string(p);
            if (!child->key || peek(p) != ':')
                return refuse(p, "':'");
            p->at++;
        }
        if (!parse_value(p, child))
            return false;
        *tail = child;
        tail = &child->next;
        out->n++;
        char c = peek(p);
        if (c != ',' && c != close)
            return refuse(p, close == '}' ? "',' or '}'" : "',' or ']'");
        p->at++;
        if (c == close)
            return true;
    }
}

static bool parse_array(parser *p, sg_json *out)
{
    const char *from = ++p->at;
    bool mixed = false;
    if (starts_scalar(peek(p))) {
        if (parse_vector(p, out, &mixed))
            return true;
        if (!mixed)
            return false;
        p->at = from;
    }
    *out = (sg_json){.type = SG_JSON_ARRAY, .key = out->key};
    return parse_members(p, out, ']');
}

static bool parse_value(parser *p, sg_json *out)
{
    char c = peek(p);
    if (p->depth == MAX_DEPTH)
        return refuse(p, "less nesting");
    p->depth++;
    bool ok;
    if (c == '{') {
        p->at++;
        out->type = SG_JSON_OBJECT;
        ok = parse_members(p, out, '}');
    } else if (c == '[') {
        ok = parse_array(p, out);
    } else if (c == '"') {
        out->type = SG_JSON_STRING;
        out->string = parse_string(p);
        ok = out->string != NULL;
    } else {
        ok = parse_scalar(p, out);
    }
    p->depth--;
    return ok;
}

sg_json *sg_json_parse(const char *text, size_t length, sg_arena *arena, size_t *at,
                       const char **why)
{
    parser p = {.at = text, .start = text, .end = text + length, .arena = arena};
    sg_json *root = SG_NEW(arena, sg_json);
    bool ok = root && parse_value(&p, root);
    if (ok && peek(&p) != '\0')
        ok = refuse(&p, "the end of the text");
    *at = (size_t)(p.at - text);
    *why = arena->failed ? NULL : p.why ? p.why : "a value";
    return ok ? root : NULL;
}

const sg_json *sg_json_member(const sg_json *object, const char *key)
{
    if (object && object->type == SG_JSON_OBJECT)
        for (const sg_json *m = object->first; m; m = m->next)
            if (strcmp(m->key, key) == 0)
                return m;
    return NULL;
}

const char *sg_json_text(const sg_json *object, const char *key)
{
    const sg_json *m = sg_json_member(object, key);
    return m && m->type == SG_JSON_STRING ? m->string : "";
}

double sg_json_number(const sg_json *object, const char *key, double otherwise)
{
    const sg_json *m = sg_json_member(object, key);
    return m && (m->type == SG_JSON_NUMBER || m->type == SG_JSON_BOOL) ? m->number : otherwise;
}

void sg_json_put_string(sg_buf *out, const char *text)
{
    sg_json_put_bytes(out, text, strlen(text));
}

void sg_json_put_bytes(sg_buf *out, const char *text, size_t length)
{
    sg_buf_putc(out, '"');
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\')
            sg_buf_printf(out, "\\%c", c);
        else if (c < 32)
            sg_buf_printf(out, "\\u%04x", c);
        else
            sg_buf_putc(out, (char)c);
    }
    sg_buf_putc(out, '"');
}

static void put_harmless(sg_buf *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '"' || text[i] == '\\')
            sg_buf_printf(out, "\\%c", text[i]);
        else if (text[i] == '\n' || text[i] == '\t')
            sg_buf_puts(out, text[i] == '\n' ? "\\n" : "\\t");
        else
            sg_buf_putc(out, text[i]);
    }
}

void sg_json_put_harmless(sg_buf *out, const char *text)
{
    char escape[SG_ESCAPE_SIZE];
    sg_buf_putc(out, '"');
    for (size_t length = strlen(text), n, skip; length; text += n + skip, length -= n + skip) {
        n = sg_text_harmless(text, length, &skip, escape);
        put_harmless(out, text, n);
        if (skip > 1)
            sg_buf_puts(out, escape); // \\u202e, as in JSON
        else if (skip)
            sg_buf_printf(out, "\\u%04x", text[n] & 0x80 ? 0xFFFDu : (unsigned)text[n]);
    }
    sg_buf_putc(out, '"');
}

void sg_json_put_number(sg_buf *out, double x, bool real)
{
    if (!isfinite(x)) {
        sg_buf_puts(out, "null");
        return;
    }
    char text[40];
    size_t n = sg_format_shortest(x, text);
    if (real && strcspn(text, ".eE") == n) {
        memcpy(text + n, ".0", 3);
        n += 2;
    }
    sg_buf_add(out, text, n);
}

void sg_json_put_key(sg_buf *out, const char *key)
{
    char last = out->len ? out->text[out->len - 1] : '{';
    if (last != '{' && last != '[')
        sg_buf_putc(out, ',');
    if (!key)
        return;
    sg_json_put_string(out, key);
    sg_buf_putc(out, ':');
}

void sg_json_open(sg_buf *out, const char *key, char bracket)
{
    sg_json_put_key(out, key);
    sg_buf_putc(out, bracket);
}

void sg_json_put_harmless_member(sg_buf *out, const char *key, const char *text)
{
    sg_json_put_key(out, key);
    sg_json_put_harmless(out, text);
}

void sg_json_put_count_member(sg_buf *out, const char *key, uint64_t n)
{
    sg_json_put_key(out, key);
    sg_buf_printf(out, "%llu", (unsigned long long)n);
}

void sg_json_put_text_member(sg_buf *out, const char *key, const char *text)
{
    sg_json_put_key(out, key);
    sg_json_put_string(out, text ? text : "");
}

void sg_json_put_number_member(sg_buf *out, const char *key, double x)
{
    sg_json_put_key(out, key);
    sg_json_put_number(out, x, false);
}

void sg_json_put_flag_member(sg_buf *out, const char *key, bool flag)
{
    sg_json_put_key(out, key);
    sg_buf_puts(out, flag ? "true" : "false");
}

void sg_json_put_numbers_member(sg_buf *out, const char *key, const double *x, size_t n)
{
    sg_json_put_key(out, key);
    sg_buf_putc(out, '[');
    for (size_t i = 0; i < n; i++) {
        if (i)
            sg_buf_putc(out, ',');
        sg_json_put_number(out, x[i], false);
    }
    sg_buf_putc(out, ']');
}
