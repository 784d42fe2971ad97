#include "xml/xml.h"

#include "base/buf.h"
#include "base/digits.h"

#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

sg_xml_limits sg_xml_limits_default(void)
{
    return (sg_xml_limits){.max_bytes = (size_t)64 << 20,
                           .max_depth = 200,
                           .max_elements = 2000000,
                           .max_attributes = 1000};
}

typedef struct sg_xml_reader {
    XML_Parser parser;
    sg_arena *arena;
    sg_xml_limits limits;
    sg_xml_complaint *complaint;
    sg_status status; // the first thing that went wrong
    sg_xml_element *root;
    sg_xml_element **open; // of each level, the element that is open
    sg_xml_element **tail; // of each level, the child that came last
    sg_buf *texts;         // of each level, what stands between its tags
    uint32_t depth, n_elements;
    size_t length;
} sg_xml_reader;

// ---- what expat tells ---------------------------------------------------------------------------

static uint32_t place(const sg_xml_reader *r)
{
    XML_Index at = XML_GetCurrentByteIndex(r->parser);
    return at < 0 ? 0 : (size_t)at > r->length ? (uint32_t)r->length : (uint32_t)at;
}

static uint32_t place_behind(const sg_xml_reader *r, uint32_t first)
{
    int n = XML_GetCurrentByteCount(r->parser);
    size_t last = (size_t)first + (n > 0 ? (size_t)n : 0);
    return last > r->length ? (uint32_t)r->length : (uint32_t)last;
}

static void refuse(sg_xml_reader *r, sg_status status, const char *message)
{
    if (r->status)
        return;
    r->status = status;
    r->complaint->first = place(r);
    r->complaint->last = place_behind(r, r->complaint->first);
    snprintf(r->complaint->message, sizeof(r->complaint->message), "%s", message);
    XML_StopParser(r->parser, XML_FALSE);
}

static const char *keep(sg_xml_reader *r, const char *text)
{
    const char *copy = sg_arena_text(r->arena, text, strlen(text));
    return copy ? copy : "";
}

static void begin(void *context, const XML_Char *name, const XML_Char **given)
{
    sg_xml_reader *r = context;
    if (r->status)
        return;
    char words[100];
    if (r->depth >= r->limits.max_depth) {
        snprintf(words, sizeof(words), "elements are nested deeper than %u levels",
                 (unsigned)r->limits.max_depth);
        refuse(r, SG_ERR_LIMIT, words);
        return;
    }
    if (r->n_elements >= r->limits.max_elements) {
        snprintf(words, sizeof(words), "there are more than %u elements",
                 (unsigned)r->limits.max_elements);
        refuse(r, SG_ERR_LIMIT, words);
        return;
    }
    uint32_t n = 0;
    while (given[2 * n] && n <= r->limits.max_attributes)
        n++;
    if (n > r->limits.max_attributes) {
        snprintf(words, sizeof(words), "an element has more than %u attributes",
                 (unsigned)r->limits.max_attributes);
        refuse(r, SG_ERR_LIMIT, words);
        return;
    }
    sg_xml_element *e = SG_NEW(r->arena, sg_xml_element);
    sg_xml_attribute *attributes = SG_NEW_ARRAY(r->arena, sg_xml_attribute, n ? n : 1);
    if (!e || !attributes) {
        refuse(r, SG_ERR_MEMORY, "out of memory");
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        attributes[i] = (sg_xml_attribute){keep(r, given[2 * i]), keep(r, given[2 * i + 1])};
    *e = (sg_xml_element){.name = keep(r, name),
                          .text = "",
                          .attributes = attributes,
                          .n_attributes = n,
                          .first = place(r)};
    e->last = place_behind(r, e->first);
    if (r->depth) {
        sg_xml_element *parent = r->open[r->depth - 1], *before = r->tail[r->depth - 1];
        e->parent = parent;
        if (before)
            before->next = e;
        else
            parent->child = e;
        r->tail[r->depth - 1] = e;
    } else {
        r->root = e;
    }
    r->open[r->depth] = e;
    r->tail[r->depth] = NULL;
    sg_buf_clear(&r->texts[r->depth]);
    r->depth++;
    r->n_elements++;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static void end(void *context, const XML_Char *name)
{
    sg_xml_reader *r = context;
    (void)name;
    if (r->status || !r->depth)
        return;
    r->depth--;
    const sg_buf *text = &r->texts[r->depth];
    for (size_t i = 0; i < text->len; i++)
        if (!is_blank(text->text[i])) {
            const char *copy = sg_arena_text(r->arena, text->text, text->len);
            r->open[r->depth]->text = copy ? copy : "";
            break;
        }
    if (text->failed || r->arena->failed)
        refuse(r, SG_ERR_MEMORY, "out of memory");
}

static void between(void *context, const XML_Char *text, int length)
{
    sg_xml_reader *r = context;
    if (!r->status && r->depth)
        sg_buf_add(&r->texts[r->depth - 1], text, (size_t)length);
}

static void declared(void *context, const XML_Char *name, int is_parameter, const XML_Char *value,
                     int length, const XML_Char *base, const XML_Char *system,
                     const XML_Char *public, const XML_Char *notation)
{
    (void)name, (void)is_parameter, (void)value, (void)length;
    (void)base, (void)system, (void)public, (void)notation;
    refuse(context, SG_ERR_INPUT,
           "entities of one's own are not read: write what this one stands for");
}

static void skipped(void *context, const XML_Char *name, int is_parameter)
{
    char words[160];
    (void)is_parameter;
    snprintf(words, sizeof(words),
             "the entity '%.80s' is not known: nothing outside of this text is read", name);
    refuse(context, SG_ERR_INPUT, words);
}

// ---- reading ------------------------------------------------------------------------------------

static sg_status parse(sg_xml_reader *r, const char *text)
{
    XML_SetUserData(r->parser, r);
    XML_SetElementHandler(r->parser, begin, end);
    XML_SetCharacterDataHandler(r->parser, between);
    XML_SetEntityDeclHandler(r->parser, declared);
    XML_SetSkippedEntityHandler(r->parser, skipped);
    XML_SetParamEntityParsing(r->parser, XML_PARAM_ENTITY_PARSING_NEVER);
    // A piece at a time: expat counts in int.
    enum { PIECE = 1 << 20 };
    for (size_t at = 0; !r->status; at += PIECE) {
        size_t n = r->length - at < PIECE ? r->length - at : PIECE;
        bool last = at + n == r->length;
        if (XML_Parse(r->parser, text + at, (int)n, last) == XML_STATUS_ERROR && !r->status) {
            enum XML_Error error = XML_GetErrorCode(r->parser);
            if (error == XML_ERROR_NO_MEMORY)
                refuse(r, SG_ERR_MEMORY, "out of memory");
            else
                refuse(r, SG_ERR_INPUT, XML_ErrorString(error));
        }
        if (last)
            break;
    }
    return r->status;
}

sg_status sg_xml_read(sg_arena *arena, const char *text, size_t length, const sg_xml_limits *limits,
                      const sg_xml_element **root, sg_xml_complaint *complaint)
{
    sg_xml_reader r = {.arena = arena,
                       .limits = limits ? *limits : sg_xml_limits_default(),
                       .complaint = complaint,
                       .length = length};
    *root = NULL;
    *complaint = (sg_xml_complaint){0};
    if (length > r.limits.max_bytes || length > UINT32_MAX) {
        snprintf(complaint->message, sizeof(complaint->message), "the text has more than %zu bytes",
                 r.limits.max_bytes);
        return SG_ERR_LIMIT;
    }
    uint32_t levels = r.limits.max_depth ? r.limits.max_depth : 1;
    r.open = SG_NEW_ARRAY(arena, sg_xml_element *, levels);
    r.tail = SG_NEW_ARRAY(arena, sg_xml_element *, levels);
    r.texts = SG_NEW_ARRAY(arena, sg_buf, levels);
    r.parser = r.texts && r.open && r.tail ? XML_ParserCreate(NULL) : NULL;
    if (!r.parser) {
        snprintf(complaint->message, sizeof(complaint->message), "out of memory");
        return SG_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < levels; i++)
        sg_buf_init(&r.texts[i], arena->allocator);
    sg_status status = parse(&r, text);
    for (uint32_t i = 0; i < levels; i++)
        sg_buf_free(&r.texts[i]);
    XML_ParserFree(r.parser);
    if (!status)
        *root = r.root;
    return status;
}

// ---- looking around -----------------------------------------------------------------------------

const char *sg_xml_get(const sg_xml_element *element, const char *attribute)
{
    if (element)
        for (uint32_t i = 0; i < element->n_attributes; i++)
            if (!strcmp(element->attributes[i].name, attribute))
                return element->attributes[i].value;
    return NULL;
}

static const sg_xml_element *named(const sg_xml_element *element, const char *name)
{
    while (element && strcmp(element->name, name) != 0)
        element = element->next;
    return element;
}

const sg_xml_element *sg_xml_child(const sg_xml_element *element, const char *name)
{
    return element ? named(element->child, name) : NULL;
}

const sg_xml_element *sg_xml_next(const sg_xml_element *element, const char *name)
{
    return element ? named(element->next, name) : NULL;
}

const sg_xml_element *sg_xml_walk(const sg_xml_element *root, const sg_xml_element *element)
{
    if (element->child)
        return element->child;
    while (element != root && !element->next)
        element = element->parent;
    return element == root ? NULL : element->next;
}

// ---- values -------------------------------------------------------------------------------------

// The next word of a text with blanks between words; 0 at the end.
static size_t next_word(const char **text)
{
    while (is_blank(**text))
        (*text)++;
    size_t n = 0;
    while ((*text)[n] && !is_blank((*text)[n]))
        n++;
    return n;
}

bool sg_xml_number(const char *value, double *out)
{
    double x;
    if (sg_xml_numbers(value, &x, 1) != 1)
        return false;
    *out = x;
    return true;
}

bool sg_xml_integer(const char *value, int64_t *out)
{
    if (!value)
        return false;
    size_t n = next_word(&value);
    const char *behind = value + n;
    if (!n || next_word(&behind))
        return false;
    bool negative = *value == '-';
    size_t i = negative || *value == '+' ? 1 : 0;
    uint64_t x = 0, most = (uint64_t)INT64_MAX + (negative ? 1 : 0);
    if (i == n)
        return false;
    for (; i < n; i++) {
        if (value[i] < '0' || value[i] > '9')
            return false;
        uint64_t digit = (uint64_t)(value[i] - '0');
        if (x > (most - digit) / 10)
            return false;
        x = x * 10 + digit;
    }
    *out = !negative ? (int64_t)x : x == most ? INT64_MIN : -(int64_t)x;
    return true;
}

long sg_xml_numbers(const char *value, double *out, size_t most)
{
    long count = 0;
    if (!value)
        return -1;
    for (size_t n; (n = next_word(&value)) > 0; value += n, count++) {
        double x;
        if (!sg_number_parse(value, n, &x))
            return -1;
        if ((size_t)count < most)
            out[count] = x;
    }
    return count;
}
