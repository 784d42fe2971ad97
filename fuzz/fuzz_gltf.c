// Any bytes are a glTF file, text or binary with a surface, or refused with a message.
#include "mesh_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mesh_check(SG_MESH_GLTF, data, size);
    return 0;
}
