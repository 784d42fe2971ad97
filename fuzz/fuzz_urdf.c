// Any bytes are either a robot, whose model can be written, or refused with words.
#include "robots/urdf.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sg_arena arena;
    sg_diags diags;
    sg_robot *robot = NULL;
    sg_arena_init(&arena, NULL);
    sg_diags_init(&diags, NULL);
    sg_status status = size > 100000 ? SG_ERR_LIMIT
                                     : sg_urdf_read(&arena, "a/arm.urdf", (const char *)data, size,
                                                    size % 2, &diags, (sg_span){0}, &robot);
    if (size <= 100000 && status != SG_OK && diags.n_errors == 0)
        abort(); // without a word
    for (int k = 0; status == SG_OK && k < 2; k++) {
        sg_robot_options options = sg_robot_options_make();
        sg_buf text;
        sg_buf_init(&text, NULL);
        options.merge_fixed = options.free_base = k;
        sg_robot_write_file(robot, &options, "arm.urdf", &text);
        if (text.len == 0)
            abort();
        sg_buf_free(&text);
    }
    sg_diags_destroy(&diags);
    sg_arena_destroy(&arena);
    return 0;
}
