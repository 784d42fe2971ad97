// Any bytes are either a run file or refused with a message; of what was opened, every signal,
// every blob and the scene can be read or is refused in turn.
// Every input is run twice: as it is, and with its checksums put right (mend.h).
#include "mend.h"
#include "result/result.h"
#include "view/scene.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_POINTS = 10000, MAX_SIGNALS = 200 };

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
        sg_result_destroy(result);
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
        mend_run_file(copy, size);
        open_and_read(copy, size);
    }
    free(copy);
    return 0;
}
