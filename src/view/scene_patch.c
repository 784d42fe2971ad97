#include "view/scene_patch.h"

#include "result/schema.h"
#include "result/touches.h"

#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(sg_scene_patch) == 40, "rows are written as they are");

// ---- writing --------------------------------------------------------------------------------

// Patches of one point have so many corners at most, those of all that wait so many and no more
// than another point's. What goes beyond has its row, and no pieces.
enum { AT_A_POINT = 1 << 13, WAITING = 1 << 15 };

void sg_scene_patches_destroy(sg_scene_patches *p, const sg_allocator *allocator)
{
    SG_VEC_FREE(allocator, &p->rows);
    SG_VEC_FREE(allocator, &p->pieces);
    SG_VEC_FREE(allocator, &p->corners);
}

bool sg_scene_patches_room(sg_scene_patches *p, size_t contacts, const sg_allocator *allocator,
                           size_t *bytes)
{
    size_t corners = WAITING + AT_A_POINT, pieces = corners / 3;
    *bytes = 12 + contacts * sizeof(sg_scene_patch) + pieces * sizeof(uint32_t) +
             corners * sizeof(sg_scene_corner);
    return SG_RESERVE(allocator, &p->rows, contacts) && SG_RESERVE(allocator, &p->pieces, pieces) &&
           SG_RESERVE(allocator, &p->corners, corners);
}

bool sg_scene_patches_full(const sg_scene_patches *p) { return p->corners.len >= WAITING; }

void sg_scene_log_patch(sg_scene_log *log, const sg_scene_patch *patch, const char *law,
                        const uint32_t *pieces, const sg_scene_corner *corners)
{
    sg_scene_patches *p = &log->patches;
    sg_scene_patch *row = &p->rows.data[p->rows.len - 1];
    *row = *patch;
    row->law = sg_touch_law(law);
    bool fits = log->corners_here + patch->n_corners <= AT_A_POINT &&
                p->corners.len + patch->n_corners <= p->corners.cap &&
                p->pieces.len + patch->n_pieces <= p->pieces.cap;
    if (!fits || !patch->n_pieces) {
        row->n_pieces = row->n_corners = 0;
        return;
    }
    memcpy(p->pieces.data + p->pieces.len, pieces, patch->n_pieces * sizeof *pieces);
    memcpy(p->corners.data + p->corners.len, corners, patch->n_corners * sizeof *corners);
    p->pieces.len += patch->n_pieces;
    p->corners.len += patch->n_corners;
    log->corners_here += patch->n_corners;
}

sg_status sg_scene_patches_flush(sg_scene_log *log, uint32_t blob)
{
    sg_scene_patches *p = &log->patches;
    sg_buf *out = &log->bytes;
    char name[40];
    if (!p->rows.len)
        return SG_OK;
    sg_buf_clear(out);
    sg_put_u32(out, (uint32_t)p->rows.len);
    sg_put_u32(out, (uint32_t)p->pieces.len);
    sg_put_u32(out, (uint32_t)p->corners.len);
    sg_buf_add(out, (const char *)p->rows.data, p->rows.len * sizeof *p->rows.data);
    if (p->pieces.len) {
        sg_buf_add(out, (const char *)p->pieces.data, p->pieces.len * sizeof *p->pieces.data);
        sg_buf_add(out, (const char *)p->corners.data, p->corners.len * sizeof *p->corners.data);
    }
    p->rows.len = p->pieces.len = p->corners.len = 0;
    snprintf(name, sizeof name, "scene.patches.%u", (unsigned)blob);
    return out->failed ? SG_ERR_MEMORY : log->keep(log->context, name, out->text, out->len);
}

// ---- reading --------------------------------------------------------------------------------

static bool take(sg_reader *r, void *out, size_t size)
{
    if (r->failed || size > (size_t)(r->end - r->at))
        return false;
    if (size)
        memcpy(out, r->at, size);
    r->at += size;
    return true;
}

// Do rows and pieces add up to what is there?
static bool adds_up(const sg_scene_patches *p, size_t rows, size_t pieces, size_t corners)
{
    uint64_t in_rows = 0, of_rows = 0, in_pieces = 0;
    for (size_t i = rows; i < p->rows.len; i++) {
        in_rows += p->rows.data[i].n_pieces;
        of_rows += p->rows.data[i].n_corners;
    }
    size_t piece = pieces;
    for (size_t i = rows; i < p->rows.len; i++) {
        uint64_t own = 0;
        for (uint32_t k = 0; k < p->rows.data[i].n_pieces && piece < p->pieces.len; k++)
            own += p->pieces.data[piece++];
        if (own != p->rows.data[i].n_corners)
            return false;
        in_pieces += own;
    }
    return in_rows == p->pieces.len - pieces && of_rows == p->corners.len - corners &&
           in_pieces == of_rows;
}

static bool read_blob(sg_scene_patches *p, sg_reader *r, uint32_t n_contacts,
                      const sg_allocator *allocator)
{
    size_t rows = p->rows.len, pieces = p->pieces.len, corners = p->corners.len;
    uint32_t n = sg_read_u32(r), n_pieces = sg_read_u32(r), n_corners = sg_read_u32(r);
    uint64_t size = (uint64_t)n * sizeof(sg_scene_patch) + (uint64_t)n_pieces * sizeof(uint32_t) +
                    (uint64_t)n_corners * sizeof(sg_scene_corner);
    if (r->failed || n != n_contacts || size != (uint64_t)(r->end - r->at) ||
        !SG_RESERVE(allocator, &p->rows, rows + n + 1) ||
        !SG_RESERVE(allocator, &p->pieces, pieces + n_pieces + 1) ||
        !SG_RESERVE(allocator, &p->corners, corners + n_corners + 1))
        return false;
    p->rows.len += n;
    p->pieces.len += n_pieces;
    p->corners.len += n_corners;
    bool ok = take(r, p->rows.data + rows, n * sizeof *p->rows.data) &&
              take(r, p->pieces.data + pieces, n_pieces * sizeof *p->pieces.data) &&
              take(r, p->corners.data + corners, n_corners * sizeof *p->corners.data) &&
              adds_up(p, rows, pieces, corners);
    if (!ok) {
        p->rows.len = rows;
        p->pieces.len = pieces;
        p->corners.len = corners;
    }
    return ok;
}

bool sg_scene_patches_take(sg_scene_patches *p, const char *bytes, size_t length,
                           uint32_t n_contacts, const sg_allocator *allocator)
{
    const unsigned char *at = (const unsigned char *)bytes;
    sg_reader r = {at, at ? at + length : NULL, false};
    if (at && read_blob(p, &r, n_contacts, allocator))
        return true;
    // Files of earlier versions have none, and what does not fit is not believed.
    if (!SG_RESERVE(allocator, &p->rows, p->rows.len + n_contacts + 1))
        return false;
    memset(p->rows.data + p->rows.len, 0, n_contacts * sizeof *p->rows.data);
    p->rows.len += n_contacts;
    return true;
}

bool sg_scene_patches_keep(const sg_scene_patches *p, sg_scene *s)
{
    size_t n = p->rows.len, corner = 0, piece = 0;
    s->patch = SG_NEW_ARRAY(&s->arena, sg_scene_patch, n + 1);
    s->first_piece = SG_NEW_ARRAY(&s->arena, uint32_t, n + 1);
    s->first_corner = SG_NEW_ARRAY(&s->arena, uint32_t, p->pieces.len + 1);
    s->corner = SG_NEW_ARRAY(&s->arena, sg_scene_corner, p->corners.len + 1);
    if (s->arena.failed)
        return false;
    for (size_t i = 0; i < n; i++) {
        s->patch[i] = p->rows.data[i];
        s->first_piece[i] = (uint32_t)piece;
        piece += p->rows.data[i].n_pieces;
    }
    s->first_piece[n] = (uint32_t)piece;
    for (size_t i = 0; i < p->pieces.len; i++) {
        s->first_corner[i] = (uint32_t)corner;
        corner += p->pieces.data[i];
    }
    s->first_corner[p->pieces.len] = (uint32_t)corner;
    if (p->corners.len)
        memcpy(s->corner, p->corners.data, p->corners.len * sizeof *s->corner);
    return true;
}
