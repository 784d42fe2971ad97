// Characters: UTF-8, and which of them can be part of a name.
//
// Plain characters are classified by a table. Beyond them Julia follows the Unicode categories;
// here whole blocks that hold only punctuation, spaces, arrows or operators are taken out, which
// comes to the same for everything that is found in formulas.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { SG_CHAR_NAME = 1, SG_CHAR_DIGIT = 2, SG_CHAR_BLANK = 4, SG_CHAR_OP = 8 };
extern const uint8_t sg_char_classes[128];

static inline bool sg_is_char(char c, uint8_t classes)
{
    return (unsigned char)c < 128 && (sg_char_classes[(unsigned char)c] & classes) != 0;
}

// One code point of valid UTF-8 at `at`; *size is its length in bytes.
uint32_t sg_utf8_decode(const char *at, uint32_t *size);
// Writes 1 to 4 bytes; returns how many.
uint32_t sg_utf8_encode(uint32_t code, char *out);
// The offset of the first byte that is not valid UTF-8 or is NUL, or `length`.
uint32_t sg_utf8_check(const char *text, uint32_t length);

bool sg_is_name_start(uint32_t code);
bool sg_is_name_part(uint32_t code);
