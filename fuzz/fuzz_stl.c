// Any bytes are an STL file, text or binary with a surface, or refused with a message.
#include "mesh_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mesh_check(SG_MESH_STL, data, size);
    return 0;
}
