// Any bytes are either a robot in URDF, whose model can be written, or refused with words.
#include "robot_check.h"
#include "robots/urdf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static sg_status read_text(sg_arena *arena, const char *text, size_t length, bool repair,
                           sg_diags *diags, sg_robot **out)
{
    return sg_urdf_read(arena, "a/arm.urdf", NULL, text, length, repair, diags, (sg_span){0}, out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    robot_check(read_text, data, size);
    return 0;
}
