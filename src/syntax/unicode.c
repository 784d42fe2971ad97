#include "syntax/unicode.h"

#include "base/assert.h"

#include <string.h>

// Ranges in initializers are an extension, so every character is named.
const uint8_t sg_char_classes[128] = {
    ['\t'] = SG_CHAR_BLANK, ['\r'] = SG_CHAR_BLANK, [' '] = SG_CHAR_BLANK, ['\f'] = SG_CHAR_BLANK,
    ['\v'] = SG_CHAR_BLANK, ['0'] = SG_CHAR_DIGIT,  ['1'] = SG_CHAR_DIGIT, ['2'] = SG_CHAR_DIGIT,
    ['3'] = SG_CHAR_DIGIT,  ['4'] = SG_CHAR_DIGIT,  ['5'] = SG_CHAR_DIGIT, ['6'] = SG_CHAR_DIGIT,
    ['7'] = SG_CHAR_DIGIT,  ['8'] = SG_CHAR_DIGIT,  ['9'] = SG_CHAR_DIGIT, ['a'] = SG_CHAR_NAME,
    ['b'] = SG_CHAR_NAME,   ['c'] = SG_CHAR_NAME,   ['d'] = SG_CHAR_NAME,  ['e'] = SG_CHAR_NAME,
    ['f'] = SG_CHAR_NAME,   ['g'] = SG_CHAR_NAME,   ['h'] = SG_CHAR_NAME,  ['i'] = SG_CHAR_NAME,
    ['j'] = SG_CHAR_NAME,   ['k'] = SG_CHAR_NAME,   ['l'] = SG_CHAR_NAME,  ['m'] = SG_CHAR_NAME,
    ['n'] = SG_CHAR_NAME,   ['o'] = SG_CHAR_NAME,   ['p'] = SG_CHAR_NAME,  ['q'] = SG_CHAR_NAME,
    ['r'] = SG_CHAR_NAME,   ['s'] = SG_CHAR_NAME,   ['t'] = SG_CHAR_NAME,  ['u'] = SG_CHAR_NAME,
    ['v'] = SG_CHAR_NAME,   ['w'] = SG_CHAR_NAME,   ['x'] = SG_CHAR_NAME,  ['y'] = SG_CHAR_NAME,
    ['z'] = SG_CHAR_NAME,   ['A'] = SG_CHAR_NAME,   ['B'] = SG_CHAR_NAME,  ['C'] = SG_CHAR_NAME,
    ['D'] = SG_CHAR_NAME,   ['E'] = SG_CHAR_NAME,   ['F'] = SG_CHAR_NAME,  ['G'] = SG_CHAR_NAME,
    ['H'] = SG_CHAR_NAME,   ['I'] = SG_CHAR_NAME,   ['J'] = SG_CHAR_NAME,  ['K'] = SG_CHAR_NAME,
    ['L'] = SG_CHAR_NAME,   ['M'] = SG_CHAR_NAME,   ['N'] = SG_CHAR_NAME,  ['O'] = SG_CHAR_NAME,
    ['P'] = SG_CHAR_NAME,   ['Q'] = SG_CHAR_NAME,   ['R'] = SG_CHAR_NAME,  ['S'] = SG_CHAR_NAME,
    ['T'] = SG_CHAR_NAME,   ['U'] = SG_CHAR_NAME,   ['V'] = SG_CHAR_NAME,  ['W'] = SG_CHAR_NAME,
    ['X'] = SG_CHAR_NAME,   ['Y'] = SG_CHAR_NAME,   ['Z'] = SG_CHAR_NAME,  ['_'] = SG_CHAR_NAME,
    ['+'] = SG_CHAR_OP,     ['-'] = SG_CHAR_OP,     ['*'] = SG_CHAR_OP,    ['/'] = SG_CHAR_OP,
    ['\\'] = SG_CHAR_OP,    ['%'] = SG_CHAR_OP,     ['^'] = SG_CHAR_OP,    ['&'] = SG_CHAR_OP,
    ['|'] = SG_CHAR_OP,     ['<'] = SG_CHAR_OP,     ['>'] = SG_CHAR_OP,    ['='] = SG_CHAR_OP,
    ['!'] = SG_CHAR_OP,     ['~'] = SG_CHAR_OP,
};

uint32_t sg_utf8_decode(const char *at, uint32_t *size)
{
    const unsigned char *p = (const unsigned char *)at;
    if (p[0] < 0x80) {
        *size = 1;
        return p[0];
    }
    if (p[0] < 0xe0) {
        *size = 2;
        return (uint32_t)(p[0] & 0x1f) << 6 | (p[1] & 0x3fu);
    }
    if (p[0] < 0xf0) {
        *size = 3;
        return (uint32_t)(p[0] & 0x0f) << 12 | (uint32_t)(p[1] & 0x3f) << 6 | (p[2] & 0x3fu);
    }
    *size = 4;
    return (uint32_t)(p[0] & 7) << 18 | (uint32_t)(p[1] & 0x3f) << 12 |
           (uint32_t)(p[2] & 0x3f) << 6 | (p[3] & 0x3fu);
}

uint32_t sg_utf8_encode(uint32_t code, char *out)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xc0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    if (code < 0x10000) {
        out[0] = (char)(0xe0 | code >> 12);
        out[1] = (char)(0x80 | (code >> 6 & 0x3f));
        out[2] = (char)(0x80 | (code & 0x3f));
        return 3;
    }
    out[0] = (char)(0xf0 | code >> 18);
    out[1] = (char)(0x80 | (code >> 12 & 0x3f));
    out[2] = (char)(0x80 | (code >> 6 & 0x3f));
    out[3] = (char)(0x80 | (code & 0x3f));
    return 4;
}

// The size of the valid sequence at p, 0 if it is not one. Overlong forms, surrogates and codes
// beyond U+10FFFF are not.
static uint32_t sequence_size(const unsigned char *p, uint32_t left)
{
    if (p[0] < 0x80)
        return p[0] ? 1 : 0;
    uint32_t n = p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : p[0] < 0xf5 ? 4 : 0;
    if (!n || n > left)
        return 0;
    for (uint32_t i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
        (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
        return 0;
    return n;
}

uint32_t sg_utf8_check(const char *text, uint32_t length)
{
    uint32_t i = 0;
    while (i < length) {
        uint64_t word;
        // Eight plain characters at a time: no high bit, no zero byte.
        while (length - i >= 8) {
            memcpy(&word, text + i, 8);
            if ((word & 0x8080808080808080ULL) ||
                ((word - 0x0101010101010101ULL) & ~word & 0x8080808080808080ULL))
                break;
            i += 8;
        }
        if (i == length)
            break;
        uint32_t n = sequence_size((const unsigned char *)text + i, length - i);
        if (!n)
            return i;
        i += n;
    }
    return length;
}

static bool in_range(uint32_t code, uint32_t first, uint32_t last)
{
    return code >= first && code <= last;
}

// Letters and what Julia counts as such, by blocks: what is punctuation, space, arrow or operator
// there is not a name here.
bool sg_is_name_start(uint32_t code)
{
    if (code < 128)
        return (sg_char_classes[code] & SG_CHAR_NAME) != 0;
    if (code < 0xc0)
        return code == 0xaa || code == 0xb0 || code == 0xb5 || code == 0xba ||
               in_range(code, 0xa2, 0xa7) || code == 0xa9 || code == 0xae;
    if (code == 0xd7 || code == 0xf7)
        return false;
    if (in_range(code, 0x2000, 0x206f) || in_range(code, 0x3000, 0x3004) ||
        in_range(code, 0xe000, 0xf8ff) || code == 0xfeff || in_range(code, 0xfff0, 0xffff))
        return false;
    if (in_range(code, 0x0300, 0x036f) || in_range(code, 0xfe00, 0xfe0f))
        return false; // combining marks only continue a name
    if (in_range(code, 0x2190, 0x22ff)) {
        static const uint32_t letters[] = {0x2200, 0x2202, 0x2203, 0x2204, 0x2205, 0x2206, 0x2207,
                                           0x220e, 0x220f, 0x2210, 0x2211, 0x221e, 0x221f, 0x222b,
                                           0x222c, 0x222d, 0x222e, 0x22a4, 0x22a5};
        for (size_t i = 0; i < SG_COUNT(letters); i++)
            if (letters[i] == code)
                return true;
        return false;
    }
    if (in_range(code, 0x27c0, 0x27ef) || in_range(code, 0x2900, 0x2aff))
        return false;
    return true;
}

bool sg_is_name_part(uint32_t code)
{
    if (code < 128)
        return (sg_char_classes[code] & (SG_CHAR_NAME | SG_CHAR_DIGIT)) != 0 || code == '!';
    return sg_is_name_start(code) || in_range(code, 0x0300, 0x036f) ||
           in_range(code, 0xfe00, 0xfe0f) || code == 0xb2 || code == 0xb3 || code == 0xb9 ||
           in_range(code, 0x2032, 0x2037) || code == 0x2057;
}
