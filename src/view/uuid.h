// Identifiers made from names: version 5 of RFC 4122, the SHA-1 of a namespace and a name.
#pragma once

#include <stdint.h>

typedef struct sg_uuid {
    uint8_t byte[16];
} sg_uuid;

// The namespace of the published program (components3d.md 11.3): the same object has the same
// identifier in its files and in ours.
extern const sg_uuid sg_uuid_modia3d;

sg_uuid sg_uuid_make(sg_uuid space, const char *name);
// Lower case with dashes; `text` holds 37 bytes.
void sg_uuid_format(sg_uuid uuid, char *text);
