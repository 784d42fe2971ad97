#include "result/schema.h"

#include "base/map.h"
#include "base/symbol.h"

#include <string.h>

void sg_put_u32(sg_buf *out, uint32_t x) { sg_buf_add(out, (const char *)&x, sizeof x); }
void sg_put_u64(sg_buf *out, uint64_t x) { sg_buf_add(out, (const char *)&x, sizeof x); }
void sg_put_f64(sg_buf *out, double x) { sg_buf_add(out, (const char *)&x, sizeof x); }

void sg_put_text(sg_buf *out, const char *text)
{
    size_t length = text ? strlen(text) : 0;
    sg_put_u32(out, (uint32_t)length);
    sg_buf_add(out, text, length);
}

static bool take(sg_reader *reader, void *to, size_t size)
{
    if (reader->failed || (size_t)(reader->end - reader->at) < size) {
        reader->failed = true;
        memset(to, 0, size);
        return false;
    }
    memcpy(to, reader->at, size);
    reader->at += size;
    return true;
}

uint32_t sg_read_u32(sg_reader *reader)
{
    uint32_t x;
    take(reader, &x, sizeof x);
    return x;
}

uint64_t sg_read_u64(sg_reader *reader)
{
    uint64_t x;
    take(reader, &x, sizeof x);
    return x;
}

double sg_read_f64(sg_reader *reader)
{
    double x;
    take(reader, &x, sizeof x);
    return x;
}

const char *sg_read_text(sg_reader *reader, sg_arena *arena)
{
    uint32_t length = sg_read_u32(reader);
    if (reader->failed || (size_t)(reader->end - reader->at) < length) {
        reader->failed = true;
        return "";
    }
    if (memchr(reader->at, '\0', length)) { // it would end there for all who read it
        reader->failed = true;
        return "";
    }
    const char *text = length ? sg_arena_text(arena, (const char *)reader->at, length) : "";
    reader->at += length;
    if (!text)
        reader->failed = true;
    return text ? text : "";
}

// A list element: its length is written when it is complete.
static size_t open_record(sg_buf *out)
{
    sg_put_u32(out, 0);
    return out->len;
}

static void close_record(sg_buf *out, size_t start)
{
    if (out->failed)
        return;
    uint32_t length = (uint32_t)(out->len - start);
    memcpy(out->text + start - sizeof length, &length, sizeof length);
}

// The bytes of the next list element; the outer reader moves behind it.
static sg_reader enter_record(sg_reader *reader)
{
    uint32_t length = sg_read_u32(reader);
    sg_reader inner = {reader->at, reader->at, reader->failed};
    if (reader->failed || (size_t)(reader->end - reader->at) < length) {
        reader->failed = inner.failed = true;
        return inner;
    }
    inner.end = reader->at += length;
    return inner;
}

static void put_numbers(sg_buf *out, const double *x, uint32_t n)
{
    sg_put_u32(out, x ? n : 0);
    if (x)
        sg_buf_add(out, (const char *)x, n * sizeof *x);
}

static const double *read_numbers(sg_reader *reader, sg_arena *arena, uint32_t expected)
{
    uint32_t n = sg_read_u32(reader);
    if (!n || reader->failed)
        return NULL;
    if (n != expected || (size_t)(reader->end - reader->at) / sizeof(double) < n) {
        reader->failed = true;
        return NULL;
    }
    double *x = SG_NEW_ARRAY(arena, double, n);
    if (!x) {
        reader->failed = true;
        return NULL;
    }
    take(reader, x, n * sizeof *x);
    return x;
}

static char *write_bytes(char *at, const void *bytes, size_t n)
{
    if (n)
        memcpy(at, bytes, n);
    return at + n;
}

static char *write_u32(char *at, uint32_t x) { return write_bytes(at, &x, sizeof x); }

static char *write_numbers(char *at, const double *x, uint32_t n)
{
    at = write_u32(at, x ? n : 0);
    return write_bytes(at, x, x ? n * sizeof *x : 0);
}

// A record, written in one piece: schemas are long, and there is one at every full restart.
static void encode_signal(sg_buf *out, const sg_signal *s, bool with_start)
{
    const double *start = with_start ? s->start : NULL;
    const char *texts[] = {s->name, s->unit, s->info, s->der, s->alias};
    const uint32_t numbers[] = {
        (uint32_t)s->kind, (uint32_t)s->type, (uint32_t)s->variability,       s->rank, s->size[0],
        s->size[1],        s->state,          s->fixed | (s->plain ? 2u : 0u)};
    enum { N_TEXTS = sizeof texts / sizeof texts[0] };
    size_t length[N_TEXTS], count = sg_signal_count(s);
    size_t size = N_TEXTS * sizeof(uint32_t) + sizeof numbers + 2 * sizeof(uint32_t);
    size += ((start ? count : 0) + (s->value ? count : 0)) * sizeof(double);
    for (size_t i = 0; i < N_TEXTS; i++) {
        length[i] = texts[i] ? strlen(texts[i]) : 0;
        size += length[i];
    }
    size_t begin = out->len;
    sg_buf_pad(out, 0, sizeof(uint32_t) + size);
    if (out->failed)
        return;
    char *at = write_u32(out->text + begin, (uint32_t)size);
    for (size_t i = 0; i < N_TEXTS; i++) {
        at = write_u32(at, (uint32_t)length[i]);
        at = write_bytes(at, texts[i], length[i]);
    }
    at = write_bytes(at, numbers, sizeof numbers);
    at = write_numbers(at, start, (uint32_t)count);
    write_numbers(at, s->value, (uint32_t)count);
}

void sg_encode_schema(sg_buf *out, const sg_schema *schema, bool with_starts)
{
    sg_put_u32(out, schema->n_signals);
    for (uint32_t i = 0; i < schema->n_signals; i++)
        encode_signal(out, &schema->signals[i], with_starts);
}

static bool plausible_size(uint32_t rank, const uint32_t size[2])
{
    if (rank > 2 || (rank < 2 && size[1] != 1) || (rank < 1 && size[0] != 1))
        return false;
    return (uint64_t)size[0] * size[1] <= SG_MAX_COLUMNS;
}

static bool decode_signal(sg_reader reader, sg_arena *arena, sg_signal *s)
{
    s->name = sg_read_text(&reader, arena);
    s->unit = sg_read_text(&reader, arena);
    s->info = sg_read_text(&reader, arena);
    s->der = sg_read_text(&reader, arena);
    s->alias = sg_read_text(&reader, arena);
    uint32_t kind = sg_read_u32(&reader), type = sg_read_u32(&reader), vary = sg_read_u32(&reader);
    s->rank = sg_read_u32(&reader);
    s->size[0] = sg_read_u32(&reader);
    s->size[1] = sg_read_u32(&reader);
    s->state = sg_read_u32(&reader);
    uint32_t flags = sg_read_u32(&reader);
    s->fixed = flags & 1;
    s->plain = (flags & 2) != 0;
    if (reader.failed || kind > SG_SIGNAL_CONSTANT || type > SG_ELEMENT_TEXT || vary > SG_CLOCK ||
        !plausible_size(s->rank, s->size))
        return false;
    s->kind = (sg_signal_kind)kind;
    s->type = (sg_element_type)type;
    s->variability = (sg_variability)vary;
    s->start = read_numbers(&reader, arena, sg_signal_count(s));
    s->value = read_numbers(&reader, arena, sg_signal_count(s));
    if (s->kind == SG_SIGNAL_CONSTANT && !s->value && sg_signal_count(s))
        return false;
    return !reader.failed;
}

bool sg_decode_schema(sg_reader *reader, sg_arena *arena, sg_schema *schema)
{
    uint32_t n = sg_read_u32(reader);
    // Each signal takes more than 60 bytes, so a wild count is seen before it is allocated.
    if (reader->failed || n > (size_t)(reader->end - reader->at) / 60)
        return false;
    schema->signals = SG_NEW_ARRAY(arena, sg_signal, n);
    if (!schema->signals)
        return false;
    schema->n_signals = n;
    for (uint32_t i = 0; i < n; i++)
        if (!decode_signal(enter_record(reader), arena, &schema->signals[i]))
            return false;
    const char *bad = "";
    bool fits = !reader->failed && sg_schema_layout(schema, arena->allocator, &bad);
    if (!bad)
        arena->failed = true;
    return fits;
}

// An index from names to positions. Hash collisions keep the first; callers compare the text.
static uint64_t name_key(const char *name) { return sg_hash_bytes(name, strlen(name)); }

static bool resolve_alias(sg_schema *schema, const sg_map *names, sg_signal *s)
{
    const uint64_t *found = sg_map_get(names, name_key(s->alias));
    if (!found || strcmp(schema->signals[*found].name, s->alias) != 0)
        return false;
    s->target = (uint32_t)*found;
    return sg_signal_count(&schema->signals[*found]) == sg_signal_count(s);
}

// Follows chains of aliases to the end and multiplies the signs.
static bool flatten_alias(sg_schema *schema, sg_signal *s)
{
    bool negated = s->kind == SG_SIGNAL_NEGATED;
    uint32_t at = s->target;
    for (uint32_t steps = 0; steps <= schema->n_signals; steps++) {
        const sg_signal *t = &schema->signals[at];
        if (t->kind == SG_SIGNAL_VAR || t->kind == SG_SIGNAL_CONSTANT) {
            s->target = at;
            s->kind = negated ? SG_SIGNAL_NEGATED : SG_SIGNAL_ALIAS;
            s->alias = t->name;
            return true;
        }
        negated ^= t->kind == SG_SIGNAL_NEGATED;
        at = t->target;
    }
    return false;
}

// False with the offender when a size does not fit.
static bool assign_columns(sg_schema *schema, const char **bad)
{
    uint64_t columns = 0;
    for (uint32_t i = 0; i < schema->n_signals; i++) {
        sg_signal *s = &schema->signals[i];
        *bad = s->name;
        if (!plausible_size(s->rank, s->size))
            return false;
        if (s->kind != SG_SIGNAL_VAR)
            continue;
        s->column = (uint32_t)columns;
        columns += sg_signal_count(s);
        if (columns > SG_MAX_COLUMNS)
            return false;
    }
    schema->n_columns = (uint32_t)columns;
    return true;
}

static bool is_alias(const sg_signal *s)
{
    return s->kind == SG_SIGNAL_ALIAS || s->kind == SG_SIGNAL_NEGATED;
}

static bool link_aliases(sg_schema *schema, sg_map *names, const char **bad)
{
    for (uint32_t i = 0; i < schema->n_signals; i++)
        if (!sg_map_get(names, name_key(schema->signals[i].name)) &&
            !sg_map_put(names, name_key(schema->signals[i].name), i)) {
            *bad = NULL;
            return false;
        }
    // All direct targets first, then the chains.
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < schema->n_signals; i++) {
            sg_signal *s = &schema->signals[i];
            *bad = s->name;
            if (is_alias(s) &&
                !(pass == 0 ? resolve_alias(schema, names, s) : flatten_alias(schema, s)))
                return false;
        }
    return true;
}

bool sg_schema_layout(sg_schema *schema, const sg_allocator *allocator, const char **bad)
{
    *bad = "";
    if (!assign_columns(schema, bad))
        return false;
    bool aliases = false;
    for (uint32_t i = 0; i < schema->n_signals; i++)
        aliases |= is_alias(&schema->signals[i]);
    if (!aliases)
        return true;
    sg_map names;
    sg_map_init(&names, allocator);
    bool linked = link_aliases(schema, &names, bad);
    sg_map_free(&names);
    return linked;
}

static uint32_t parameter_count(const sg_parameter *p)
{
    return p->rank == 0 ? 1 : p->rank == 1 ? p->size[0] : p->size[0] * p->size[1];
}

// Added to the type: scripts see the numbers without the unit.
#define SG_PLAIN_PARAMETER 0x100u

void sg_encode_parameters(sg_buf *out, const sg_parameter *parameters, size_t n)
{
    sg_put_u32(out, (uint32_t)n);
    for (size_t i = 0; i < n; i++) {
        const sg_parameter *p = &parameters[i];
        size_t record = open_record(out);
        sg_put_text(out, p->name);
        sg_put_text(out, p->unit);
        sg_put_text(out, p->info);
        sg_put_u32(out, (uint32_t)p->type | (p->plain ? SG_PLAIN_PARAMETER : 0u));
        sg_put_u32(out, p->rank);
        sg_put_u32(out, p->rank < 1 ? 1 : p->size[0]);
        sg_put_u32(out, p->rank < 2 ? 1 : p->size[1]);
        sg_put_text(out, p->text);
        put_numbers(out, p->value, parameter_count(p));
        close_record(out, record);
    }
}

static bool decode_parameter(sg_reader reader, sg_arena *arena, sg_parameter *p)
{
    p->name = sg_read_text(&reader, arena);
    p->unit = sg_read_text(&reader, arena);
    p->info = sg_read_text(&reader, arena);
    uint32_t type = sg_read_u32(&reader);
    p->plain = (type & SG_PLAIN_PARAMETER) != 0;
    type &= ~SG_PLAIN_PARAMETER;
    p->rank = sg_read_u32(&reader);
    p->size[0] = sg_read_u32(&reader);
    p->size[1] = sg_read_u32(&reader);
    p->text = sg_read_text(&reader, arena);
    if (reader.failed || type > SG_ELEMENT_TEXT || !plausible_size(p->rank, p->size))
        return false;
    p->type = (sg_element_type)type;
    p->value = read_numbers(&reader, arena, parameter_count(p));
    if (p->type != SG_ELEMENT_TEXT && !p->value && parameter_count(p))
        return false;
    return !reader.failed;
}

bool sg_decode_parameters(sg_reader *reader, sg_arena *arena, sg_parameter **out, uint32_t *n)
{
    *n = sg_read_u32(reader);
    if (reader->failed || *n > (size_t)(reader->end - reader->at) / 36)
        return false;
    *out = SG_NEW_ARRAY(arena, sg_parameter, *n);
    if (!*out)
        return false;
    for (uint32_t i = 0; i < *n; i++)
        if (!decode_parameter(enter_record(reader), arena, &(*out)[i]))
            return false;
    return !reader->failed;
}

void sg_encode_attributes(sg_buf *out, const sg_attribute *attributes, size_t n)
{
    sg_put_u32(out, (uint32_t)n);
    for (size_t i = 0; i < n; i++) {
        size_t record = open_record(out);
        sg_put_text(out, attributes[i].key);
        sg_put_u32(out, (uint32_t)attributes[i].type);
        sg_put_f64(out, attributes[i].number);
        sg_put_text(out, attributes[i].text);
        close_record(out, record);
    }
}

bool sg_decode_attributes(sg_reader *reader, sg_arena *arena, sg_attribute **out, uint32_t *n)
{
    *n = sg_read_u32(reader);
    if (reader->failed || *n > (size_t)(reader->end - reader->at) / 24)
        return false;
    *out = SG_NEW_ARRAY(arena, sg_attribute, *n);
    if (!*out)
        return false;
    for (uint32_t i = 0; i < *n; i++) {
        sg_reader inner = enter_record(reader);
        sg_attribute *a = &(*out)[i];
        a->key = sg_read_text(&inner, arena);
        uint32_t type = sg_read_u32(&inner);
        a->number = sg_read_f64(&inner);
        a->text = sg_read_text(&inner, arena);
        if (inner.failed || type > SG_ELEMENT_TEXT)
            return false;
        a->type = (sg_element_type)type;
    }
    return !reader->failed;
}
