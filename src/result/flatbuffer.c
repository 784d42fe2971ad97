#include "result/flatbuffer.h"

#include "base/assert.h"

#include <string.h>

void sg_fb_init(sg_fb *fb, const sg_allocator *allocator)
{
    *fb = (sg_fb){.allocator = allocator ? allocator : sg_allocator_default()};
}

void sg_fb_free(sg_fb *fb)
{
    if (fb->bytes)
        fb->allocator->resize(fb->allocator->context, fb->bytes, fb->cap, 0);
    sg_fb_init(fb, fb->allocator);
}

void sg_fb_clear(sg_fb *fb)
{
    fb->used = 0;
    fb->failed = false;
}

static bool reserve(sg_fb *fb, size_t extra)
{
    if (fb->failed)
        return false;
    if (extra <= fb->cap - fb->used)
        return true;
    size_t cap = fb->cap ? fb->cap : 1024;
    while (cap - fb->used < extra)
        cap *= 2;
    unsigned char *bytes = fb->allocator->resize(fb->allocator->context, NULL, 0, cap);
    // References are 32 bits with a sign.
    if (!bytes || cap > (size_t)1 << 30) {
        if (bytes)
            fb->allocator->resize(fb->allocator->context, bytes, cap, 0);
        fb->failed = true;
        return false;
    }
    if (fb->used)
        memcpy(bytes + cap - fb->used, fb->bytes + fb->cap - fb->used, fb->used);
    if (fb->bytes)
        fb->allocator->resize(fb->allocator->context, fb->bytes, fb->cap, 0);
    fb->bytes = bytes;
    fb->cap = cap;
    return true;
}

static void push(sg_fb *fb, const void *bytes, size_t length)
{
    if (!reserve(fb, length))
        return;
    fb->used += length;
    if (bytes)
        memcpy(fb->bytes + fb->cap - fb->used, bytes, length);
    else
        memset(fb->bytes + fb->cap - fb->used, 0, length);
}

// Pads so that what begins after `length` more bytes lies on a multiple of `align` from the end.
static void align_for(sg_fb *fb, size_t align, size_t length)
{
    push(fb, NULL, (align - (fb->used + length) % align) % align);
}

static void push_u32(sg_fb *fb, uint32_t x) { push(fb, &x, sizeof x); }

static void push_ref(sg_fb *fb, sg_fb_ref ref)
{
    align_for(fb, 4, 4);
    push_u32(fb, (uint32_t)(fb->used + 4 - ref));
}

sg_fb_ref sg_fb_string(sg_fb *fb, const char *text, size_t length)
{
    align_for(fb, 4, length + 1);
    push(fb, NULL, 1);
    push(fb, text, length);
    push_u32(fb, (uint32_t)length);
    return (sg_fb_ref)fb->used;
}

sg_fb_ref sg_fb_refs(sg_fb *fb, const sg_fb_ref *refs, size_t n)
{
    align_for(fb, 4, 4 * n);
    for (size_t i = n; i-- > 0;)
        push_ref(fb, refs[i]);
    push_u32(fb, (uint32_t)n);
    return (sg_fb_ref)fb->used;
}

sg_fb_ref sg_fb_words(sg_fb *fb, const int64_t *values, size_t n, size_t words)
{
    align_for(fb, 8, 8 * n * words);
    push(fb, values, 8 * n * words);
    push_u32(fb, (uint32_t)n);
    return (sg_fb_ref)fb->used;
}

void sg_fb_table_begin(sg_fb *fb, int n_slots)
{
    SG_ASSERT(n_slots <= SG_FB_SLOTS);
    memset(fb->slots, 0, sizeof fb->slots);
    fb->n_slots = n_slots;
    fb->table_start = fb->used;
}

static void add_scalar(sg_fb *fb, int slot, const void *x, size_t size)
{
    align_for(fb, size, size);
    push(fb, x, size);
    fb->slots[slot] = fb->used;
}

void sg_fb_add_u8(sg_fb *fb, int slot, uint8_t x) { add_scalar(fb, slot, &x, sizeof x); }
void sg_fb_add_i16(sg_fb *fb, int slot, int16_t x) { add_scalar(fb, slot, &x, sizeof x); }
void sg_fb_add_i32(sg_fb *fb, int slot, int32_t x) { add_scalar(fb, slot, &x, sizeof x); }
void sg_fb_add_i64(sg_fb *fb, int slot, int64_t x) { add_scalar(fb, slot, &x, sizeof x); }

void sg_fb_add_ref(sg_fb *fb, int slot, sg_fb_ref ref)
{
    push_ref(fb, ref);
    fb->slots[slot] = fb->used;
}

sg_fb_ref sg_fb_table_end(sg_fb *fb)
{
    align_for(fb, 4, 4);
    push_u32(fb, 0);
    size_t table = fb->used;
    for (int i = fb->n_slots; i-- > 0;) {
        uint16_t offset = (uint16_t)(fb->slots[i] ? table - fb->slots[i] : 0);
        push(fb, &offset, sizeof offset);
    }
    uint16_t sizes[2] = {(uint16_t)(2 * fb->n_slots + 4), (uint16_t)(table - fb->table_start)};
    push(fb, sizes, sizeof sizes);
    int32_t back = (int32_t)(fb->used - table);
    if (!fb->failed)
        memcpy(fb->bytes + fb->cap - table, &back, sizeof back);
    return (sg_fb_ref)table;
}

const unsigned char *sg_fb_finish(sg_fb *fb, sg_fb_ref root, size_t *length)
{
    align_for(fb, 8, 4);
    push_ref(fb, root);
    *length = fb->used;
    return fb->failed ? NULL : fb->bytes + fb->cap - fb->used;
}

static bool get(sg_fb_view view, size_t position, void *to, size_t size)
{
    if (position > view.length || view.length - position < size) {
        memset(to, 0, size);
        return false;
    }
    memcpy(to, view.bytes + position, size);
    return true;
}

// Follows the reference at a position; 0 when it leads nowhere.
static size_t follow(sg_fb_view view, size_t position)
{
    uint32_t offset;
    if (!get(view, position, &offset, sizeof offset) || offset == 0 ||
        offset >= view.length - position)
        return 0;
    return position + offset;
}

size_t sg_fb_root(sg_fb_view view) { return view.length < 8 ? 0 : follow(view, 0); }

// Where a slot's value lies; 0 when the table does not have it.
static size_t slot_of(sg_fb_view view, size_t table, int slot)
{
    int32_t back;
    uint16_t size, offset;
    if (!table || !get(view, table, &back, sizeof back))
        return 0;
    int64_t vtable = (int64_t)table - back;
    if (vtable < 0 || vtable > (int64_t)view.length ||
        !get(view, (size_t)vtable, &size, sizeof size) || size < 2 * (unsigned)slot + 6 ||
        !get(view, (size_t)vtable + 4 + 2 * (size_t)slot, &offset, sizeof offset) || offset == 0)
        return 0;
    return table + offset;
}

size_t sg_fb_child(sg_fb_view view, size_t table, int slot)
{
    size_t at = slot_of(view, table, slot);
    return at ? follow(view, at) : 0;
}

int64_t sg_fb_int(sg_fb_view view, size_t table, int slot, int bytes, int64_t otherwise)
{
    size_t at = slot_of(view, table, slot);
    uint8_t one;
    int16_t two;
    int32_t four;
    int64_t eight;
    if (!at)
        return otherwise;
    switch (bytes) {
    case 1:
        return get(view, at, &one, 1) ? one : otherwise;
    case 2:
        return get(view, at, &two, 2) ? two : otherwise;
    case 4:
        return get(view, at, &four, 4) ? four : otherwise;
    default:
        return get(view, at, &eight, 8) ? eight : otherwise;
    }
}

size_t sg_fb_vector(sg_fb_view view, size_t table, int slot, size_t element, size_t *first)
{
    size_t at = sg_fb_child(view, table, slot);
    uint32_t n;
    *first = 0;
    if (!at || !get(view, at, &n, sizeof n) || n > (view.length - at - 4) / element)
        return 0;
    *first = at + 4;
    return n;
}

const char *sg_fb_text(sg_fb_view view, size_t table, int slot, size_t *length)
{
    size_t first;
    *length = sg_fb_vector(view, table, slot, 1, &first);
    return first ? (const char *)view.bytes + first : "";
}

size_t sg_fb_element(sg_fb_view view, size_t first, size_t i)
{
    return follow(view, first + 4 * i);
}

int64_t sg_fb_word(sg_fb_view view, size_t position)
{
    int64_t x;
    get(view, position, &x, sizeof x);
    return x;
}
