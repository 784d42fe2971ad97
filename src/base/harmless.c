#include "base/harmless.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// The character at the beginning of a text and its number of bytes; 0 where there is no UTF-8 (also
// for forms that are longer than needed, surrogates and numbers that stand for nothing).
static size_t decode(const unsigned char *text, size_t length, uint32_t *character)
{
    unsigned first = text[0];
    size_t n = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (n == 0 || n > length || first > 0xF4)
        return 0;
    uint32_t c = n == 1 ? first : first & (0x7Fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((text[i] & 0xC0) != 0x80)
            return 0;
        c = c << 6 | (text[i] & 0x3Fu);
    }
    *character = c;
    return c < least[n] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000) ? 0 : n;
}

static bool is_harmful(uint32_t c)
{
    bool control = (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7F && c < 0xA0);
    bool separator = c == 0x2028 || c == 0x2029;
    bool direction = c == 0x61C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
                     (c >= 0x2066 && c <= 0x2069);
    return control || separator || direction;
}

size_t sg_text_harmless(const char *text, size_t length, size_t *skip, char escape[SG_ESCAPE_SIZE])
{
    const unsigned char *bytes = (const unsigned char *)text;
    size_t at = 0;
    uint32_t c = 0;
    if (!text || !skip || !escape)
        return 0;
    *skip = 0;
    escape[0] = '\0';
    while (at < length) {
        size_t n = bytes[at] >= 0x20 && bytes[at] < 0x7F ? 1 : decode(bytes + at, length - at, &c);
        if (n == 0 || (n > 1 && is_harmful(c)) || (n == 1 && is_harmful(bytes[at]))) {
            *skip = n ? n : 1;
            if (n > 1)
                snprintf(escape, SG_ESCAPE_SIZE, "\\u%04x", (unsigned)(c & 0xFFFF));
            else
                snprintf(escape, SG_ESCAPE_SIZE, "\\x%02x", (unsigned)bytes[at]);
            return at;
        }
        at += n;
    }
    return at;
}

void sg_buf_put_harmless(sg_buf *out, const char *text, size_t length)
{
    char escape[SG_ESCAPE_SIZE];
    for (size_t n, skip; length; text += n + skip, length -= n + skip) {
        n = sg_text_harmless(text, length, &skip, escape);
        sg_buf_add(out, text, n);
        sg_buf_puts(out, escape);
    }
}
