#include "view/gltf_data.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

// Names of types of numbers, as glTF has them from OpenGL.
enum { BYTE = 5120, UBYTE = 5121, SHORT = 5122, USHORT = 5123, UINT = 5125, FLOAT = 5126 };

#define LARGEST_WHOLE 9007199254740992.0 // 2^53: all whole numbers up to it are doubles

enum { NAME = 48 }; // room for "accessors[18446744073709551615].sparse"

bool sg_gltf_complain(sg_gltf *g, const char *format, ...)
{
    if (g->complaint.why[0])
        return false;
    va_list args;
    va_start(args, format);
    vsnprintf(g->complaint.why, sizeof g->complaint.why, format, args);
    va_end(args);
    return false;
}

bool sg_gltf_whole(sg_gltf *g, const sg_json *object, const char *key, uint64_t otherwise,
                   const char *what, uint64_t *out)
{
    const sg_json *m = sg_json_member(object, key);
    *out = otherwise;
    if (!m)
        return true;
    if (m->type != SG_JSON_NUMBER || !(m->number >= 0.0) || m->number > LARGEST_WHOLE ||
        m->number != floor(m->number))
        return sg_gltf_complain(g, "%s: %s must be a whole number that is not negative", what, key);
    *out = (uint64_t)m->number;
    return true;
}

const sg_json *sg_gltf_item(sg_gltf *g, const sg_gltf_list *list, const char *name, uint64_t number)
{
    if (number < list->n && list->item[number]->type == SG_JSON_OBJECT)
        return list->item[number];
    sg_gltf_complain(g, "there is no %s[%llu]", name, (unsigned long long)number);
    return NULL;
}

bool sg_gltf_list_make(sg_gltf *g, const char *key, sg_gltf_list *out)
{
    const sg_json *array = sg_json_member(g->root, key);
    *out = (sg_gltf_list){0};
    if (!array || array->type != SG_JSON_ARRAY || !array->n)
        return true;
    out->item = SG_NEW_ARRAY(&g->arena, const sg_json *, array->n);
    for (const sg_json *m = array->first; out->item && m; m = m->next)
        out->item[out->n++] = m;
    return out->item != NULL;
}

// ---- buffers --------------------------------------------------------------------------------

static int digit_of(char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+' || c == '-' ? 62 // of the alphabet for addresses, too
           : c == '/' || c == '_' ? 63
                                  : -1;
}

static bool decode_base64(sg_gltf *g, const char *text, const char *what, sg_gltf_bytes *out)
{
    size_t length = strlen(text);
    while (length && text[length - 1] == '=')
        length--;
    char *bytes = sg_arena_alloc(&g->arena, length / 4 * 3 + 4, 1);
    uint32_t bits = 0;
    if (!bytes)
        return false;
    for (size_t i = 0; i < length; i++) {
        int digit = digit_of(text[i]);
        if (digit < 0)
            return sg_gltf_complain(g, "%s: the data is not base64", what);
        bits = bits << 6 | (uint32_t)digit;
        if (i % 4 != 0)
            bytes[out->length++] = (char)(bits >> (6 - 2 * (i % 4)) & 255);
    }
    out->bytes = bytes;
    return true;
}

static int hex_of(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

// The name of a file from a relative address: %20 is a blank. Null after complaining.
static const char *decode_name(sg_gltf *g, const char *uri, const char *what)
{
    size_t scheme = strcspn(uri, ":/?#");
    char *name = sg_arena_alloc(&g->arena, strlen(uri) + 1, 1), *to = name;
    if (!name)
        return NULL;
    if (uri[scheme] == ':' || uri[0] == '/') {
        sg_gltf_complain(g, "%s: '%.60s' is not a file beside the mesh", what, uri);
        return NULL;
    }
    for (; *uri; uri++) {
        int high = *uri == '%' ? hex_of(uri[1]) : -1, low = high >= 0 ? hex_of(uri[2]) : -1;
        *to = low >= 0 ? (char)(high * 16 + low) : *uri;
        uri += low >= 0 ? 2 : 0;
        if (!*to++) {
            sg_gltf_complain(g, "%s: a zero byte in the name of a file", what);
            return NULL;
        }
    }
    *to = '\0';
    return name;
}

static bool load_file(sg_gltf *g, const char *uri, const char *what, sg_gltf_bytes *out)
{
    const char *name = decode_name(g, uri, what);
    char why[sizeof g->complaint.why] = "";
    if (!name)
        return false;
    if (!g->beside)
        return sg_gltf_complain(g, "%s: other files are not read", what);
    if (g->beside->read(g->beside->context, name, &g->arena, &out->bytes, &out->length, why,
                        sizeof why)) {
        g->n_beside += out->length;
        return true;
    }
    if (why[0])
        sg_gltf_complain(g, "%s: %.150s", what, why);
    else
        g->arena.failed = true;
    return false;
}

static bool load_buffer(sg_gltf *g, const sg_json *json, uint64_t number, sg_gltf_bytes *out)
{
    const char *uri = sg_json_text(json, "uri"), *comma = strchr(uri, ',');
    char what[NAME];
    uint64_t length;
    snprintf(what, sizeof what, "buffers[%llu]", (unsigned long long)number);
    if (!sg_gltf_whole(g, json, "byteLength", UINT64_MAX, what, &length))
        return false;
    sg_gltf_bytes found = {0};
    if (!uri[0]) {
        if (number != 0 || !g->chunk.bytes)
            return sg_gltf_complain(g, "%s: it has no data", what);
        found = g->chunk;
    } else if (strncasecmp(uri, "data:", 5) == 0) {
        if (!comma || comma - uri < 12 || strncasecmp(comma - 7, ";base64", 7) != 0)
            return sg_gltf_complain(g, "%s: the data is not base64", what);
        if (!decode_base64(g, comma + 1, what, &found))
            return false;
    } else if (!load_file(g, uri, what, &found)) {
        return false;
    }
    if (length > found.length)
        return sg_gltf_complain(g, "%s: %zu bytes are there, and byteLength says more", what,
                                found.length);
    *out = (sg_gltf_bytes){found.bytes, (size_t)length};
    return true;
}

// ---- views ----------------------------------------------------------------------------------

// Numbers of one type in a buffer, one element every `stride` bytes.
typedef struct number_view {
    const unsigned char *bytes;
    size_t stride, in_buffer; // of the first element, from the beginning of its buffer
    uint64_t buffer;
    int type;
    bool normalized;
} number_view;

static size_t size_of(int type)
{
    return type == BYTE || type == UBYTE     ? 1
           : type == SHORT || type == USHORT ? 2
           : type == UINT || type == FLOAT   ? 4
                                             : 0;
}

// `holder` names the view, an offset in it and the type (an accessor, or the halves of a sparse
// one). `count` elements of `components` numbers must be in it.
static bool open_view(sg_gltf *g, const sg_json *holder, int type, size_t components,
                      uint64_t count, const char *what, number_view *out)
{
    uint64_t number, from, buffer, view_from, length, stride;
    size_t element = size_of(type) * components;
    if (!element)
        return sg_gltf_complain(g, "%s: there is no componentType %d", what, type);
    if (!sg_gltf_whole(g, holder, "bufferView", UINT64_MAX, what, &number) ||
        !sg_gltf_whole(g, holder, "byteOffset", 0, what, &from))
        return false;
    if (number == UINT64_MAX)
        return sg_gltf_complain(g, "%s: it names no bufferView", what);
    const sg_json *view = sg_gltf_item(g, &g->views, "bufferViews", number);
    if (!view || !sg_gltf_whole(g, view, "buffer", UINT64_MAX, "a view", &buffer) ||
        !sg_gltf_whole(g, view, "byteOffset", 0, "a view", &view_from) ||
        !sg_gltf_whole(g, view, "byteLength", 0, "a view", &length) ||
        !sg_gltf_whole(g, view, "byteStride", element, "a view", &stride))
        return false;
    const sg_json *json = sg_gltf_item(g, &g->buffers, "buffers", buffer);
    if (!json)
        return false;
    sg_gltf_bytes *loaded = &g->buffer[buffer];
    if (!loaded->bytes && !load_buffer(g, json, buffer, loaded))
        return false;
    if (view_from > loaded->length || length > loaded->length - view_from)
        return sg_gltf_complain(g, "bufferViews[%llu]: it leads out of its buffer",
                                (unsigned long long)number);
    if (stride < element)
        return sg_gltf_complain(g, "bufferViews[%llu]: a byteStride of %llu is too small",
                                (unsigned long long)number, (unsigned long long)stride);
    // count - 1 strides and an element behind `from`; none of the sums can wrap around.
    if (count && (from > length || length - from < element ||
                  (count - 1) > (length - from - element) / stride))
        return sg_gltf_complain(g, "%s: it leads out of its view", what);
    *out = (number_view){.stride = (size_t)stride, .buffer = buffer, .type = type};
    out->in_buffer = (size_t)(count ? view_from + from : 0);
    out->bytes = (const unsigned char *)loaded->bytes + out->in_buffer;
    return true;
}

// Component `k` of element `i`.
static double number_at(const number_view *v, size_t i, size_t k)
{
    const unsigned char *b = v->bytes + i * v->stride + k * size_of(v->type);
    float f;
    uint32_t bits = b[0];
    if (size_of(v->type) >= 2)
        bits |= (uint32_t)b[1] << 8;
    if (size_of(v->type) == 4)
        bits |= (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    switch (v->type) {
    case BYTE:
        return v->normalized ? fmax((double)(int8_t)bits / 127.0, -1.0) : (double)(int8_t)bits;
    case UBYTE:
        return v->normalized ? (double)bits / 255.0 : (double)bits;
    case SHORT:
        return v->normalized ? fmax((double)(int16_t)bits / 32767.0, -1.0) : (double)(int16_t)bits;
    case USHORT:
        return v->normalized ? (double)bits / 65535.0 : (double)bits;
    case FLOAT:
        memcpy(&f, &bits, sizeof f);
        return (double)f;
    default:
        return (double)bits;
    }
}

// ---- accessors ------------------------------------------------------------------------------

static bool take_number(sg_gltf *g, const number_view *v, size_t i, size_t k, const char *what,
                        double *out)
{
    *out = number_at(v, i, k);
    if (isfinite(*out))
        return true;
    size_t byte = v->in_buffer + i * v->stride + k * size_of(v->type);
    return sg_gltf_complain(g,
                            "%s: a coordinate of element %zu is not finite (byte %zu of "
                            "buffers[%llu])",
                            what, i, byte, (unsigned long long)v->buffer);
}

// Elements that differ from the others: their numbers, and their values.
static bool read_sparse(sg_gltf *g, const sg_json *sparse, int type, bool normalized,
                        size_t components, size_t count, const char *accessor)
{
    char what[NAME + 8];
    uint64_t n;
    snprintf(what, sizeof what, "%s.sparse", accessor);
    const sg_json *at = sg_json_member(sparse, "indices"),
                  *values = sg_json_member(sparse, "values");
    int index_type = (int)fmin(fmax(sg_json_number(at, "componentType", 0.0), 0.0), 1e6);
    number_view index, value;
    if (!sg_gltf_whole(g, sparse, "count", 0, what, &n) ||
        !open_view(g, at, index_type, 1, n, what, &index) ||
        !open_view(g, values, type, components, n, what, &value))
        return false;
    value.normalized = normalized;
    for (size_t i = 0; i < n; i++) {
        double place = number_at(&index, i, 0);
        if (!(place >= 0.0 && place < (double)count))
            return sg_gltf_complain(g, "%s: there is no element %.17g", what, place);
        for (size_t k = 0; k < components; k++)
            if (!take_number(g, &value, i, k, what,
                             &g->values.data[(size_t)place * components + k]))
                return false;
    }
    return true;
}

bool sg_gltf_read_accessor(sg_gltf *g, uint64_t number, size_t components, size_t *count)
{
    char what[NAME];
    uint64_t n;
    const sg_json *a = sg_gltf_item(g, &g->accessors, "accessors", number);
    snprintf(what, sizeof what, "accessors[%llu]", (unsigned long long)number);
    if (!a || !sg_gltf_whole(g, a, "count", 0, what, &n))
        return false;
    const char *wanted = components == 3 ? "VEC3" : "SCALAR";
    if (strcmp(sg_json_text(a, "type"), wanted) != 0)
        return sg_gltf_complain(g, "%s: its type must be %s here", what, wanted);
    int type = (int)fmin(fmax(sg_json_number(a, "componentType", 0.0), 0.0), 1e6);
    bool normalized = sg_json_number(a, "normalized", 0.0) != 0.0;
    bool has_bytes = sg_json_member(a, "bufferView") != NULL;
    number_view view;
    if (has_bytes && !open_view(g, a, type, components, n, what, &view))
        return false;
    if (!has_bytes && n > g->most) // zeros, except for the sparse ones
        return sg_gltf_complain(g, "%s: it has too many elements without data", what);
    *count = (size_t)n;
    if (!SG_RESERVE(g->arena.allocator, &g->values, *count * components)) {
        g->arena.failed = true;
        return false;
    }
    view.normalized = normalized;
    for (size_t i = 0; i < *count; i++)
        for (size_t k = 0; k < components; k++) {
            double *to = &g->values.data[i * components + k];
            *to = 0.0;
            if (has_bytes && !take_number(g, &view, i, k, what, to))
                return false;
        }
    const sg_json *sparse = sg_json_member(a, "sparse");
    return !sparse || read_sparse(g, sparse, type, normalized, components, *count, what);
}
