// Any bytes are a PLY file with a surface, or refused with a message.
#include "mesh_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mesh_check(SG_MESH_PLY, data, size);
    return 0;
}
