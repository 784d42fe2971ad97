#include "natives/json.h"

#include "base/digits.h"
#include "base/harmless.h"

#include <math.h>
#include <string.h>

static void put_harmless(sg_buf *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '"' || text[i] == '\\')
            sg_buf_printf(out, "\\%c", text[i]);
        else if (text[i] == '\n' || text[i] == '\t')
            sg_buf_puts(out, text[i] == '\n' ? "\\n" : "\\t");
        else
            sg_buf_putc(out, text[i]);
    }
}

// What a terminal would obey is escaped, too, and bytes that are no text become U+FFFD: the object
// may well be printed.
void sg_summary_json_quote(sg_buf *out, const char *text)
{
    char escape[SG_ESCAPE_SIZE];
    sg_buf_putc(out, '"');
    for (size_t length = strlen(text), n, skip; length; text += n + skip, length -= n + skip) {
        n = sg_text_harmless(text, length, &skip, escape);
        put_harmless(out, text, n);
        if (skip > 1)
            sg_buf_puts(out, escape); // \\u202e, as in JSON
        else if (skip)
            sg_buf_printf(out, "\\u%04x", text[n] & 0x80 ? 0xFFFDu : (unsigned)text[n]);
    }
    sg_buf_putc(out, '"');
}

static void begin_item(sg_summary_json *json, const char *key)
{
    if (!json->first)
        sg_buf_putc(json->out, ',');
    json->first = false;
    if (key) {
        sg_summary_json_quote(json->out, key);
        sg_buf_putc(json->out, ':');
    }
}

void sg_summary_json_begin(sg_summary_json *json, const char *key, char bracket)
{
    begin_item(json, key);
    sg_buf_putc(json->out, bracket);
    json->first = true;
}

void sg_summary_json_end(sg_summary_json *json, char bracket)
{
    sg_buf_putc(json->out, bracket);
    json->first = false;
}

void sg_summary_json_text(sg_summary_json *json, const char *key, const char *value)
{
    begin_item(json, key);
    sg_summary_json_quote(json->out, value);
}

void sg_summary_json_number(sg_summary_json *json, const char *key, double value)
{
    begin_item(json, key);
    char text[32] = "null";
    if (isfinite(value))
        sg_format_shortest(value, text);
    sg_buf_puts(json->out, text);
}

void sg_summary_json_count(sg_summary_json *json, const char *key, uint64_t value)
{
    begin_item(json, key);
    sg_buf_printf(json->out, "%llu", (unsigned long long)value);
}
