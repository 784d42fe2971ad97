#include "fmi/zip.h"

#include <string.h>
#define ZLIB_CONST // what goes in stays as it is
#include <zlib.h>

enum { LOCAL = 0x04034b50, CENTRAL = 0x02014b50, END = 0x06054b50 };
enum { LOCAL_SIZE = 30, CENTRAL_SIZE = 46, END_SIZE = 22 };
enum { NO_DATE = 0x21 }; // 1 January 1980, the first day that there is
enum { NAMES_UTF8 = 1 << 11, VERSION = 20, UNIX = 3 };

// Unpacked sizes beyond this are no FMU but a trap.
#define LARGEST_ENTRY ((size_t)1 << 30)

// ---- compression ------------------------------------------------------------------------------

// zlib frees without telling the size, so it stands in front.
typedef union zip_block {
    size_t size;
    double align[2];
} zip_block;

static voidpf take(voidpf opaque, uInt items, uInt size)
{
    const sg_allocator *allocator = opaque;
    size_t bytes = sizeof(zip_block) + (size_t)items * size;
    zip_block *b = allocator->resize(allocator->context, NULL, 0, bytes);
    if (!b)
        return Z_NULL;
    b->size = bytes;
    return b + 1;
}

static void give_back(voidpf opaque, voidpf address)
{
    const sg_allocator *allocator = opaque;
    zip_block *b = (zip_block *)address - 1;
    allocator->resize(allocator->context, b, b->size, 0);
}

static z_stream new_stream(const sg_allocator **allocator)
{
    *allocator = sg_allocator_or_default(*allocator);
    z_stream z = {.zalloc = take, .zfree = give_back};
    memcpy(&z.opaque, allocator, sizeof z.opaque); // which never changes it
    return z;
}

uint32_t sg_zip_sum(const void *bytes, size_t length, uint32_t before)
{
    uLong sum = before;
    const Bytef *at = bytes;
    while (length) {
        uInt part = length < (1u << 30) ? (uInt)length : 1u << 30;
        sum = crc32(sum, at, part);
        at += part;
        length -= part;
    }
    return (uint32_t)sum;
}

sg_status sg_zip_deflate(sg_buf *out, const void *bytes, size_t length, bool raw)
{
    const sg_allocator *allocator = out->allocator;
    z_stream z = new_stream(&allocator);
    if (length > LARGEST_ENTRY)
        return SG_ERR_LIMIT;
    if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, raw ? -MAX_WBITS : MAX_WBITS, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return SG_ERR_MEMORY;
    size_t room = deflateBound(&z, (uLong)length);
    bool fits = sg_buf_reserve(out, room + 1);
    if (fits) {
        z.next_in = bytes;
        z.avail_in = (uInt)length;
        z.next_out = (Bytef *)(out->text + out->len);
        z.avail_out = (uInt)room;
        fits = deflate(&z, Z_FINISH) == Z_STREAM_END;
    }
    if (fits) {
        out->len += z.total_out;
        out->text[out->len] = '\0';
    }
    deflateEnd(&z);
    return fits ? SG_OK : SG_ERR_MEMORY;
}

// ---- writing ----------------------------------------------------------------------------------

static unsigned char *put(unsigned char *at, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        *at++ = (unsigned char)(value >> (8 * i));
    return at;
}

sg_status sg_zip_create(sg_zip_writer *zip, const char *path, const sg_allocator *allocator,
                        sg_diags *diags)
{
    *zip = (sg_zip_writer){.allocator = sg_allocator_or_default(allocator)};
    sg_buf_init(&zip->directory, zip->allocator);
    return sg_outfile_open(&zip->file, path, zip->allocator, diags);
}

// What local and central headers have in common, from the version needed to the length of the name.
static unsigned char *put_common(unsigned char *at, const char *name, bool deflated, uint32_t sum,
                                 size_t packed, size_t length)
{
    bool ascii = true;
    for (const char *c = name; *c; c++)
        ascii &= (unsigned char)*c < 0x80;
    at = put(at, VERSION, 2);
    at = put(at, ascii ? 0 : NAMES_UTF8, 2);
    at = put(at, deflated ? Z_DEFLATED : 0, 2);
    at = put(at, 0, 2);
    at = put(at, NO_DATE, 2);
    at = put(at, sum, 4);
    at = put(at, (uint32_t)packed, 4);
    at = put(at, (uint32_t)length, 4);
    return put(at, (uint32_t)strlen(name), 2);
}

void sg_zip_add(sg_zip_writer *zip, const char *name, const void *bytes, size_t length,
                bool program)
{
    sg_buf packed;
    sg_buf_init(&packed, zip->allocator);
    if (zip->failed)
        return;
    bool fits = length <= LARGEST_ENTRY && strlen(name) < 0x10000 && zip->n < 0xffff &&
                zip->file.written < 0xffffffff - 2 * LARGEST_ENTRY;
    zip->failed = fits ? sg_zip_deflate(&packed, bytes, length, true) : SG_ERR_LIMIT;
    if (!zip->failed) {
        bool deflated = packed.len < length;
        const void *data = deflated ? packed.text : bytes;
        size_t size = deflated ? packed.len : length;
        uint32_t sum = sg_zip_sum(bytes, length, 0), offset = (uint32_t)zip->file.written;
        unsigned char head[LOCAL_SIZE], *at = put(head, LOCAL, 4);
        at = put_common(at, name, deflated, sum, size, length);
        put(at, 0, 2);
        sg_outfile_write(&zip->file, head, sizeof head);
        sg_outfile_puts(&zip->file, name);
        sg_outfile_write(&zip->file, data, size);
        unsigned char entry[CENTRAL_SIZE];
        at = put(put(entry, CENTRAL, 4), VERSION | UNIX << 8, 2);
        at = put_common(at, name, deflated, sum, size, length);
        at = put(at, 0, 2 + 2); // extra field, comment
        at = put(at, 0, 2 + 2); // disk, internal attributes
        at = put(at, (uint32_t)(program ? 0100755 : 0100644) << 16, 4);
        put(at, offset, 4);
        sg_buf_add(&zip->directory, (const char *)entry, sizeof entry);
        sg_buf_puts(&zip->directory, name);
        zip->n++;
        zip->failed = zip->directory.failed ? SG_ERR_MEMORY : SG_OK;
    }
    sg_buf_free(&packed);
}

sg_status sg_zip_commit(sg_zip_writer *zip, sg_diags *diags)
{
    sg_status status = zip->failed;
    if (status) {
        sg_error(diags, status == SG_ERR_MEMORY ? SG_E_MEMORY : SG_E_LIMIT, (sg_span){0},
                 status == SG_ERR_MEMORY ? "out of memory while '%s' was written"
                                         : "'%s' would be larger than an archive can be",
                 zip->file.path);
        sg_zip_abandon(zip);
        return status;
    }
    unsigned char end[END_SIZE], *at = put(put(end, END, 4), 0, 4);
    uint32_t offset = (uint32_t)zip->file.written;
    at = put(put(at, zip->n, 2), zip->n, 2);
    at = put(put(at, (uint32_t)zip->directory.len, 4), offset, 4);
    put(at, 0, 2);
    sg_outfile_write(&zip->file, zip->directory.text, zip->directory.len);
    sg_outfile_write(&zip->file, end, sizeof end);
    sg_buf_free(&zip->directory);
    return sg_outfile_commit(&zip->file, diags);
}

void sg_zip_abandon(sg_zip_writer *zip)
{
    sg_buf_free(&zip->directory);
    sg_outfile_abandon(&zip->file);
}

// ---- reading ----------------------------------------------------------------------------------

static uint32_t get(const unsigned char *at, int bytes)
{
    uint32_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint32_t)at[i] << (8 * i);
    return value;
}

// The record at the end, behind which there may be a comment; null if there is none.
static const unsigned char *find_end(const unsigned char *bytes, size_t length)
{
    if (length < END_SIZE)
        return NULL;
    size_t most = length - END_SIZE < 0xffff ? length - END_SIZE : 0xffff;
    for (size_t back = 0; back <= most; back++) {
        const unsigned char *at = bytes + length - END_SIZE - back;
        if (get(at, 4) == END && get(at + 20, 2) == back)
            return at;
    }
    return NULL;
}

// A name stays below the folder it is unpacked to.
static bool stays_inside(const char *name)
{
    if (!name[0] || name[0] == '/' || strchr(name, '\\') || strchr(name, ':'))
        return false;
    for (const char *part = name; *part;) {
        size_t n = strcspn(part, "/");
        if ((n == 2 && part[0] == '.' && part[1] == '.') || (n == 1 && part[0] == '.') || !n)
            return false;
        part += n + (part[n] == '/');
    }
    return true;
}

// One entry of the directory at `at`, of which `left` bytes are there; its size, or 0.
static size_t read_entry(const unsigned char *bytes, size_t length, const unsigned char *at,
                         size_t left, sg_arena *arena, sg_zip_entry *out, const char **message)
{
    *message = "its directory is damaged";
    if (left < CENTRAL_SIZE || get(at, 4) != CENTRAL)
        return 0;
    size_t name = get(at + 28, 2), more = get(at + 30, 2) + (size_t)get(at + 32, 2);
    size_t offset = get(at + 42, 4);
    uint32_t flags = get(at + 8, 2), method = get(at + 10, 2);
    if (left < CENTRAL_SIZE + name + more || offset > length || length - offset < LOCAL_SIZE ||
        get(bytes + offset, 4) != LOCAL)
        return 0;
    const unsigned char *local = bytes + offset;
    size_t skip = LOCAL_SIZE + get(local + 26, 2) + (size_t)get(local + 28, 2);
    *out = (sg_zip_entry){.length = get(at + 24, 4),
                          .packed = get(at + 20, 4),
                          .sum = get(at + 16, 4),
                          .deflated = method == Z_DEFLATED};
    if (length - offset < skip || length - offset - skip < out->packed)
        return 0;
    out->at = local + skip;
    char *text = sg_arena_text(arena, (const char *)at + CENTRAL_SIZE, name);
    *message = "out of memory";
    if (!text)
        return 0;
    *message = "it is encrypted, or packed in a way that FMI does not allow";
    if ((flags & 1) || (method != Z_DEFLATED && method != 0) ||
        (!out->deflated && out->packed != out->length))
        return 0;
    *message = "it has a file that would lie outside of its folder, or is too large";
    if (strlen(text) != name || !stays_inside(text) || out->length > LARGEST_ENTRY)
        return 0;
    out->folder = name > 0 && text[name - 1] == '/';
    out->name = text;
    return CENTRAL_SIZE + name + more;
}

sg_status sg_zip_list(const void *bytes, size_t length, sg_arena *arena, sg_zip_entry **entries,
                      size_t *n, const char **message)
{
    const unsigned char *all = bytes, *end = find_end(all, length);
    *n = 0;
    *message = "it is no zip archive";
    if (!end)
        return SG_ERR_INPUT;
    size_t count = get(end + 10, 2), size = get(end + 12, 4), offset = get(end + 16, 4);
    *message = "its directory is damaged";
    if (offset > (size_t)(end - all) || size > (size_t)(end - all) - offset ||
        count > size / CENTRAL_SIZE)
        return SG_ERR_INPUT;
    *entries = SG_NEW_ARRAY(arena, sg_zip_entry, count + 1);
    if (!*entries)
        return SG_ERR_MEMORY;
    const unsigned char *at = all + offset;
    for (size_t i = 0; i < count; i++) {
        size_t used = read_entry(all, length, at, size, arena, &(*entries)[i], message);
        if (!used)
            return arena->failed ? SG_ERR_MEMORY : SG_ERR_INPUT;
        at += used;
        size -= used;
        *n = i + 1;
    }
    *message = "";
    return SG_OK;
}

sg_status sg_zip_read(const sg_zip_entry *entry, sg_arena *arena, const void **bytes)
{
    if (!entry->deflated) {
        *bytes = entry->at;
        return sg_zip_sum(entry->at, entry->length, 0) == entry->sum ? SG_OK : SG_ERR_INPUT;
    }
    unsigned char *out = SG_NEW_ARRAY(arena, unsigned char, entry->length + 1);
    const sg_allocator *allocator = arena->allocator;
    z_stream z = new_stream(&allocator);
    if (!out || inflateInit2(&z, -MAX_WBITS) != Z_OK)
        return SG_ERR_MEMORY;
    z.next_in = entry->at;
    z.avail_in = (uInt)entry->packed;
    z.next_out = out;
    z.avail_out = (uInt)entry->length + 1; // one more than there may be
    int end = inflate(&z, Z_FINISH);
    size_t got = z.total_out;
    inflateEnd(&z);
    *bytes = out;
    if (end == Z_MEM_ERROR)
        return SG_ERR_MEMORY;
    return end == Z_STREAM_END && got == entry->length && sg_zip_sum(out, got, 0) == entry->sum
               ? SG_OK
               : SG_ERR_INPUT;
}
