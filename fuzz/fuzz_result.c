// Any bytes are either a run file or refused with a message; of what was opened, every signal,
// every blob and the scene can be read or is refused in turn.
//
// A changed byte fails its checksum, and behind checksums nothing would ever be reached. So every
// input is run twice: as it is, and with the checksums put right.
#include "result/checksum.h"
#include "result/result.h"
#include "view/scene.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_POINTS = 10000, MAX_SIGNALS = 200 };

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

static void mend(uint8_t *bytes, size_t size)
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

static void read_all(const sg_result *result, sg_diags *diags)
{
    size_t n = result->n_points < MAX_POINTS ? (size_t)result->n_points : MAX_POINTS;
    double *values = malloc((n + 1) * sizeof *values);
    for (int32_t i = SG_TIME; values && i < (int32_t)result->n_signals && i < MAX_SIGNALS; i++) {
        uint32_t elements = i < 0 ? 1 : sg_signal_count(&result->signals[i].signal);
        for (uint32_t e = 0; e < elements && e < 10; e++) {
            sg_extent range;
            sg_result_read(result, i, e, 0, n, values, diags);
            sg_result_range(result, i, e, &range, diags);
            if (i >= 0) {
                char name[64];
                sg_element_name(&result->signals[i].signal, e, name, sizeof name);
            }
        }
    }
    free(values);
    sg_arena arena;
    sg_arena_init(&arena, sg_allocator_default());
    for (size_t i = 0; i < result->n_blobs; i++) {
        size_t length;
        sg_result_blob(result, result->blobs[i].name, &arena, &length);
    }
    sg_arena_destroy(&arena);
    sg_scene *scene;
    sg_scene_open(result, NULL, diags, &scene);
    sg_scene_close(scene);
}

static void open_and_read(const uint8_t *bytes, size_t size)
{
    sg_diags diags;
    sg_image image;
    sg_result *result = NULL;
    sg_diags_init(&diags, sg_allocator_default());
    sg_image_init(&image, sg_allocator_default());
    if (sg_image_append(&image, bytes, size) == SG_OK) {
        sg_status status = sg_result_from_image(&image, "fuzz.segue", &diags, &result);
        if (status == SG_OK)
            read_all(result, &diags);
        else if (diags.n_errors == 0)
            abort(); // refused without a word
        sg_result_close(result);
    } else {
        sg_image_close(&image);
    }
    sg_diags_destroy(&diags);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    open_and_read(data, size);
    uint8_t *copy = malloc(size + 1);
    if (copy) {
        memcpy(copy, data, size);
        mend(copy, size);
        open_and_read(copy, size);
    }
    free(copy);
    return 0;
}
