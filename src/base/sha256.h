// SHA-256 (FIPS 180-4), for names by content: two texts with the same name are the same text, also
// where somebody would like them not to be.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { SG_SHA256_TEXT = 65 }; // digits and the 0

// The digest of n bytes as 64 hexadecimal digits.
void sg_sha256_text(const void *bytes, size_t n, char text[SG_SHA256_TEXT]);
