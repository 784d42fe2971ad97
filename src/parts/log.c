#include "parts/log.h"

#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void sg_part_log(const sg_part *part, const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (n > 0)
        sg_vm_write(part->vm, line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

void sg_part_log_bodies(const sg_part *part)
{
    static const char indent[] = "         ";
    if (!part->programs.len)
        return;
    sg_buf text;
    sg_buf_init(&text, part->allocator);
    sg_part_dump(part, &text);
    sg_part_log(part, "      # super-objects\n");
    for (const char *line = sg_buf_text(&text), *end; (end = strchr(line, '\n')); line = end + 1) {
        sg_vm_write(part->vm, indent, sizeof indent - 1);
        sg_vm_write(part->vm, line, (size_t)(end - line) + 1);
    }
    sg_buf_free(&text);
}
