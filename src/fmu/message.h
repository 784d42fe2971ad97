// Numbers and texts on their way between two processes of the same program, one behind the other.
// Whoever reads believes no length: beyond the end everything is zero, and `bad` says so.
#pragma once

#include "base/buf.h"

#include <stdint.h>
#include <string.h>

typedef enum sg_fmu_request {
    SG_FMU_LOAD = 1,  // kind, name, bytes of the file: number of the instance
    SG_FMU_START,     // experiment, values: states, nominals, next event, outputs
    SG_FMU_EVALUATE,  // time, states, inputs: rates, indicators, outputs
    SG_FMU_EVENT,     // time, states, inputs: states, nominals, next event, outputs
    SG_FMU_COMPLETED, // time, states: whether an event is wanted
    SG_FMU_STEP,      // time, length, inputs, slopes: where it came to, outputs
    SG_FMU_BACK,      // to where the last step began
    SG_FMU_READ,      // time, states: all variables that are shown
    SG_FMU_FREE
} sg_fmu_request;

static inline void msg_u32(sg_buf *b, uint32_t x) { sg_buf_add(b, (const char *)&x, sizeof x); }
static inline void msg_f64(sg_buf *b, double x) { sg_buf_add(b, (const char *)&x, sizeof x); }
static inline void msg_list(sg_buf *b, const double *x, size_t n)
{
    msg_u32(b, (uint32_t)n);
    if (n)
        sg_buf_add(b, (const char *)x, n * sizeof *x);
}
static inline void msg_bytes(sg_buf *b, const void *bytes, size_t n)
{
    msg_u32(b, (uint32_t)n);
    if (n)
        sg_buf_add(b, bytes, n);
}
static inline void msg_text(sg_buf *b, const char *text) { msg_bytes(b, text, strlen(text) + 1); }

typedef struct sg_msg_reader {
    const char *at, *end;
    bool bad;
} sg_msg_reader;

static inline void msg_take(sg_msg_reader *r, void *out, size_t n)
{
    if ((size_t)(r->end - r->at) < n) {
        r->bad = true;
        r->at = r->end;
        memset(out, 0, n);
        return;
    }
    memcpy(out, r->at, n);
    r->at += n;
}
static inline uint32_t msg_get_u32(sg_msg_reader *r)
{
    uint32_t x;
    msg_take(r, &x, sizeof x);
    return x;
}
static inline double msg_get_f64(sg_msg_reader *r)
{
    double x;
    msg_take(r, &x, sizeof x);
    return x;
}
// A list of exactly `n` numbers.
static inline void msg_get_list(sg_msg_reader *r, double *x, size_t n)
{
    if (msg_get_u32(r) != n)
        r->bad = true;
    else if (n)
        msg_take(r, x, n * sizeof *x);
}
static inline const char *msg_get_bytes(sg_msg_reader *r, size_t *n)
{
    *n = msg_get_u32(r);
    if ((size_t)(r->end - r->at) < *n) {
        r->bad = true;
        *n = 0;
    }
    const char *bytes = r->at;
    r->at += *n;
    return bytes;
}
static inline const char *msg_get_text(sg_msg_reader *r)
{
    size_t n;
    const char *text = msg_get_bytes(r, &n);
    if (n == 0 || text[n - 1] != '\0') {
        r->bad = true;
        return "";
    }
    return text;
}
