#include "parts/log.h"

#include <stdarg.h>
#include <stdio.h>

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
