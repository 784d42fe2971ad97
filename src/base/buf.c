#include "base/buf.h"

#include "base/vec.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sg_buf_init(sg_buf *buf, const sg_allocator *allocator)
{
    *buf = (sg_buf){.allocator = allocator ? allocator : sg_allocator_default()};
}

void sg_buf_free(sg_buf *buf)
{
    sg_vec_free(buf->allocator, (void **)&buf->text, &buf->cap, 1);
    sg_buf_init(buf, buf->allocator);
}

void sg_buf_clear(sg_buf *buf)
{
    buf->len = 0;
    buf->failed = false;
    if (buf->text)
        buf->text[0] = '\0';
}

bool sg_buf_reserve(sg_buf *buf, size_t extra)
{
    if (buf->failed)
        return false;
    if (!sg_vec_reserve(buf->allocator, (void **)&buf->text, &buf->cap, buf->len + extra + 1, 1))
        buf->failed = true;
    return !buf->failed;
}

void sg_buf_add(sg_buf *buf, const char *text, size_t length)
{
    if (!sg_buf_reserve(buf, length))
        return;
    if (length)
        memcpy(buf->text + buf->len, text, length);
    buf->len += length;
    buf->text[buf->len] = '\0';
}

void sg_buf_puts(sg_buf *buf, const char *text) { sg_buf_add(buf, text, strlen(text)); }

void sg_buf_putc(sg_buf *buf, char c) { sg_buf_add(buf, &c, 1); }

void sg_buf_pad(sg_buf *buf, char c, size_t count)
{
    if (!sg_buf_reserve(buf, count))
        return;
    memset(buf->text + buf->len, c, count);
    buf->len += count;
    buf->text[buf->len] = '\0';
}

void sg_buf_printf(sg_buf *buf, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (length < 0 || !sg_buf_reserve(buf, (size_t)length))
        return;
    va_start(list, format);
    vsnprintf(buf->text + buf->len, (size_t)length + 1, format, list);
    va_end(list);
    buf->len += (size_t)length;
}

const char *sg_buf_text(const sg_buf *buf) { return buf->text ? buf->text : ""; }
