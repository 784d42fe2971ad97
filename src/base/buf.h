// Text that grows: messages, printed values, files. Like an arena it remembers a refused
// allocation, so a writer appends freely and asks once at the end. Always terminated by NUL.
#pragma once

#include "segue/alloc.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sg_buf {
    const sg_allocator *allocator;
    char *text; // never null after the first append that succeeded
    size_t len, cap;
    bool failed;
} sg_buf;

void sg_buf_init(sg_buf *buf, const sg_allocator *allocator);
void sg_buf_free(sg_buf *buf);
void sg_buf_clear(sg_buf *buf); // keeps the memory
// Room for so many bytes more. False, and the buffer failed, when memory ran out.
bool sg_buf_reserve(sg_buf *buf, size_t extra);
void sg_buf_add(sg_buf *buf, const char *text, size_t length);
void sg_buf_puts(sg_buf *buf, const char *text);
void sg_buf_putc(sg_buf *buf, char c);
void sg_buf_pad(sg_buf *buf, char c, size_t count);
void sg_buf_printf(sg_buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));

// "" when nothing was appended.
const char *sg_buf_text(const sg_buf *buf);
