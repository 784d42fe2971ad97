// Any bytes are either a robot in MJCF, whose model can be written, or refused with words.
#include "robot_check.h"
#include "robots/mjcf.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct whole_input {
    const char *text;
    size_t length;
} whole_input;

// What is included is the input itself: a circle, or the same again where it may stand.
static bool read_file(void *context, sg_arena *arena, const char *path, const char **text,
                      size_t *length)
{
    const whole_input *whole = context;
    *text = sg_arena_text(arena, whole->text, whole->length);
    *length = whole->length;
    return *text && strlen(path) % 2 == 0;
}

static sg_status read_text(sg_arena *arena, const char *text, size_t length, bool repair,
                           sg_diags *diags, sg_robot **out)
{
    whole_input whole = {text, length};
    sg_robot_files files = {&whole, read_file};
    return sg_mjcf_read(arena, "a/arm.xml", text, length, &files, repair, diags, (sg_span){0}, out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    robot_check(read_text, data, size);
    return 0;
}
