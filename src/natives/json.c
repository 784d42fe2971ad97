#include "natives/json.h"

#include "base/digits.h"

#include <math.h>

void sg_summary_json_quote(sg_buf *out, const char *text)
{
    sg_buf_putc(out, '"');
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            sg_buf_printf(out, "\\%c", *c);
        else if (*c == '\n')
            sg_buf_puts(out, "\\n");
        else if ((unsigned char)*c < 32)
            sg_buf_printf(out, "\\u%04x", (unsigned)(unsigned char)*c);
        else
            sg_buf_putc(out, *c);
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
