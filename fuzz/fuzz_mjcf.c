// Any bytes are either a robot, whose model can be written, or refused with words.
#include "robots/mjcf.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// What is included is the input itself: a circle, or the same again where it may stand.
static bool read_file(void *context, sg_arena *arena, const char *path, const char **text,
                      size_t *length)
{
    const sg_buf *whole = context;
    *text = sg_arena_text(arena, sg_buf_text(whole), whole->len);
    *length = whole->len;
    return *text && strlen(path) % 2 == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sg_buf whole;
    sg_robot_files files = {&whole, read_file};
    sg_buf_init(&whole, NULL);
    sg_buf_add(&whole, (const char *)data, size);
    sg_arena arena;
    sg_diags diags;
    sg_robot *robot = NULL;
    sg_arena_init(&arena, NULL);
    sg_diags_init(&diags, NULL);
    sg_status status = size > 100000 ? SG_ERR_LIMIT
                                     : sg_mjcf_read(&arena, "a/arm.xml", (const char *)data, size,
                                                    &files, size % 2, &diags, (sg_span){0}, &robot);
    if (size <= 100000 && status != SG_OK && diags.n_errors == 0)
        abort(); // without a word
    for (int k = 0; status == SG_OK && k < 2; k++) {
        sg_robot_options options = sg_robot_options_make();
        sg_buf text;
        sg_buf_init(&text, NULL);
        options.merge_fixed = options.inputs = k;
        sg_robot_write_file(robot, &options, "arm.xml", &text);
        if (text.len == 0)
            abort();
        sg_buf_free(&text);
    }
    sg_buf_free(&whole);
    sg_diags_destroy(&diags);
    sg_arena_destroy(&arena);
    return 0;
}
