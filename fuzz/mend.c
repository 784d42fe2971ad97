#include "mend.h"

#include "result/checksum.h"
#include "result/runfile.h"

#include <string.h>

static uint64_t get_u64(const uint8_t *at)
{
    uint64_t x;
    memcpy(&x, at, sizeof x);
    return x;
}

// The columns of a block of points carry checksums of their own; their sizes follow from the
// number of points and the encoding.
static void mend_columns(uint8_t *payload, size_t length, size_t meta)
{
    uint32_t counts[4];
    if (length < SG_POINTS_HEADER || meta > length)
        return;
    memcpy(counts, payload, sizeof counts);
    uint32_t points = counts[1] > SG_MAX_ROWS ? SG_MAX_ROWS : counts[1];
    for (size_t at = SG_POINTS_HEADER; at + SG_CHUNK_ENTRY <= meta; at += SG_CHUNK_ENTRY) {
        sg_chunk chunk;
        memcpy(&chunk, payload + at, sizeof chunk);
        size_t first = meta + (size_t)chunk.offset * 8;
        size_t bytes = 8 * (size_t)(chunk.encoding == SG_CHUNK_SAME ? 1 : points);
        if (first <= length && bytes <= length - first) {
            chunk.checksum = (uint32_t)sg_xxh64(payload + first, bytes, 0);
            memcpy(payload + at, &chunk, sizeof chunk);
        }
    }
}

void mend_run_file(uint8_t *bytes, size_t size)
{
    for (size_t at = SG_RUN_HEADER; at + SG_BLOCK_HEADER <= size;) {
        uint32_t type;
        memcpy(&type, bytes + at + 4, sizeof type);
        uint64_t payload = get_u64(bytes + at + 8), meta = get_u64(bytes + at + 16);
        if (payload > size - at - SG_BLOCK_HEADER || meta > payload)
            return;
        uint8_t *body = bytes + at + SG_BLOCK_HEADER;
        if (type == SG_BLOCK_POINTS)
            mend_columns(body, (size_t)payload, (size_t)meta);
        uint64_t sum = sg_xxh64(body, (size_t)meta, sg_xxh64(bytes + at, 24, 0));
        memcpy(bytes + at + 24, &sum, sizeof sum);
        at += SG_BLOCK_HEADER + (size_t)payload;
    }
}
