#include "robot_check.h"

#include <stdlib.h>

enum { MOST = 100000 }; // bytes

void robot_check(robot_reader *reader, const void *bytes, size_t size)
{
    sg_arena arena;
    sg_diags diags;
    sg_robot *robot = NULL;
    if (size > MOST)
        return;
    sg_arena_init(&arena, NULL);
    sg_diags_init(&diags, NULL);
    sg_status status = reader(&arena, bytes, size, size % 2, &diags, &robot);
    if (status != SG_OK && diags.n_errors == 0)
        abort(); // without a word
    for (int k = 0; status == SG_OK && k < 2; k++) {
        sg_robot_options options = sg_robot_options_make();
        sg_buf text;
        sg_buf_init(&text, NULL);
        options.merge_fixed = options.free_base = options.inputs = k;
        sg_robot_write_file(robot, &options, "arm", &text);
        if (text.len == 0)
            abort();
        sg_buf_free(&text);
    }
    sg_diags_destroy(&diags);
    sg_arena_destroy(&arena);
}
