// Numbers of a result: one column of one block at a time.
#include "base/assert.h"
#include "result/checksum.h"
#include "result/result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const sg_span nowhere = {0, 0, 0};

typedef sg_column_place column_place;

// The element number within a signal that may be smaller in this segment than elsewhere.
static bool element_in(const sg_signal *whole, const sg_signal *here, uint32_t element,
                       uint32_t *index)
{
    uint32_t rows = whole->rank >= 1 ? whole->size[0] : 1;
    uint32_t row = rows ? element % rows : 0, column = rows ? element / rows : 0;
    if (row >= here->size[0] || column >= here->size[1])
        return false;
    *index = row + column * here->size[0];
    return true;
}

static column_place find_place(const sg_result *r, int32_t signal, uint32_t element,
                               uint32_t segment)
{
    column_place p = {.exists = true};
    if (signal == SG_TIME)
        return p;
    uint32_t k = r->segments[segment].schema;
    int32_t at = r->places[k][signal];
    uint32_t index;
    if (at < 0)
        return (column_place){0};
    const sg_signal *s = &r->schemas[k].signals[at];
    if (!element_in(&r->signals[signal].signal, s, element, &index))
        return (column_place){0};
    if (s->kind == SG_SIGNAL_ALIAS || s->kind == SG_SIGNAL_NEGATED) {
        p.negate = s->kind == SG_SIGNAL_NEGATED;
        s = &r->schemas[k].signals[s->target];
    }
    if (s->kind == SG_SIGNAL_CONSTANT) {
        p.constant = true;
        p.value = p.negate ? -s->value[index] : s->value[index];
    } else {
        p.column = s->column + index + 1;
    }
    return p;
}

sg_column_place sg_result_place(const sg_result *r, int32_t signal, uint32_t element,
                                uint32_t segment)
{
    return find_place(r, signal, element, segment);
}

static sg_status damaged(const sg_result *r, const sg_block_ref *block, sg_diags *diags)
{
    sg_error(diags, SG_E_RESULT_DAMAGED, nowhere,
             "'%s' is damaged: the points %llu to %llu cannot be read", r->name,
             (unsigned long long)block->first_point + 1,
             (unsigned long long)block->first_point + block->n_points);
    return SG_ERR_IO;
}

static bool read_entry(const sg_result *r, const sg_block_ref *block, uint32_t column,
                       sg_chunk *chunk)
{
    if (block->directory) {
        *chunk = block->directory[column];
        return true;
    }
    uint64_t at = block->offset + SG_POINTS_HEADER + (uint64_t)column * SG_CHUNK_ENTRY;
    return sg_image_read(&r->image, at, chunk, sizeof *chunk) && chunk->encoding <= SG_CHUNK_SAME;
}

// The numbers of a block's column as they are stored, one for all points or one for each, checked.
// `values` has room for SG_MAX_ROWS.
static bool read_stored(const sg_result *r, const sg_block_ref *block, const sg_chunk *chunk,
                        uint32_t stored, double *values)
{
    uint64_t at = block->offset + SG_POINTS_HEADER + (uint64_t)block->n_columns * SG_CHUNK_ENTRY +
                  (uint64_t)chunk->offset * 8;
    return sg_image_read(&r->image, at, values, stored * sizeof *values) &&
           (uint32_t)sg_xxh64(values, stored * sizeof *values, 0) == chunk->checksum;
}

static uint32_t stored_in(const sg_chunk *chunk, const sg_block_ref *block)
{
    return chunk->encoding == SG_CHUNK_SAME ? 1 : block->n_points;
}

// All points of a block's column. `values` has room for SG_MAX_ROWS.
static bool read_column(const sg_result *r, const sg_block_ref *block, uint32_t column,
                        double *values)
{
    sg_chunk chunk;
    if (!read_entry(r, block, column, &chunk))
        return false;
    uint32_t stored = stored_in(&chunk, block);
    if (!read_stored(r, block, &chunk, stored, values))
        return false;
    for (uint32_t i = 1; stored == 1 && i < block->n_points; i++)
        values[i] = values[0];
    return true;
}

sg_status sg_block_stored(const sg_result *r, const sg_block_ref *block, uint32_t column,
                          sg_arena *arena, const double **values, uint32_t *stride, sg_diags *diags)
{
    sg_chunk chunk;
    if (!read_entry(r, block, column, &chunk))
        return damaged(r, block, diags);
    uint32_t stored = stored_in(&chunk, block);
    double *x = SG_NEW_ARRAY(arena, double, stored);
    if (!x)
        return SG_ERR_MEMORY;
    if (!read_stored(r, block, &chunk, stored, x))
        return damaged(r, block, diags);
    *values = x;
    *stride = chunk.encoding != SG_CHUNK_SAME;
    return SG_OK;
}

// The block that holds a point.
static size_t block_of(const sg_result *r, uint64_t point)
{
    size_t low = 0, high = r->n_blocks;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (r->blocks[middle].first_point <= point)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void negate(double *x, size_t n)
{
    // A missing value stays what it is.
    for (size_t i = 0; i < n; i++)
        if (!isnan(x[i]))
            x[i] = -x[i];
}

static sg_status read_from_block(const sg_result *r, const sg_block_ref *block, column_place p,
                                 uint32_t skip, uint32_t n, double *out, sg_diags *diags)
{
    if (!p.exists || p.constant) {
        double value = p.exists ? p.value : sg_missing();
        for (uint32_t i = 0; i < n; i++)
            out[i] = value;
        return SG_OK;
    }
    double values[SG_MAX_ROWS];
    // The checksum needs the whole column, so a part of it goes through a buffer.
    double *to = n == block->n_points ? out : values;
    if (!read_column(r, block, p.column, to))
        return damaged(r, block, diags);
    if (to != out)
        memcpy(out, values + skip, n * sizeof *out);
    if (p.negate)
        negate(out, n);
    return SG_OK;
}

sg_status sg_result_read(const sg_result *r, int32_t signal, uint32_t element, uint64_t first,
                         size_t n, double *out, sg_diags *diags)
{
    SG_ASSERT(first + n <= r->n_points);
    if (n == 0)
        return SG_OK;
    for (size_t b = block_of(r, first); n; b++) {
        const sg_block_ref *block = &r->blocks[b];
        uint32_t skip = (uint32_t)(first - block->first_point), here = block->n_points - skip;
        if (here > n)
            here = (uint32_t)n;
        column_place p = find_place(r, signal, element, block->segment);
        sg_status status = read_from_block(r, block, p, skip, here, out, diags);
        if (status != SG_OK)
            return status;
        out += here;
        first += here;
        n -= here;
    }
    return SG_OK;
}

static void widen(sg_extent *range, double lo, double hi)
{
    range->min = lo < range->min ? lo : range->min;
    range->max = hi > range->max ? hi : range->max;
}

sg_status sg_result_range(const sg_result *r, int32_t signal, uint32_t element, sg_extent *range,
                          sg_diags *diags)
{
    *range = (sg_extent){(double)INFINITY, -(double)INFINITY, false, false};
    for (size_t b = 0; b < r->n_blocks; b++) {
        const sg_block_ref *block = &r->blocks[b];
        column_place p = find_place(r, signal, element, block->segment);
        if (!p.exists) {
            range->has_missing = true;
        } else if (p.constant) {
            range->has_nan |= isnan(p.value);
            widen(range, p.value, p.value);
        } else {
            sg_chunk chunk;
            if (!read_entry(r, block, p.column, &chunk))
                return damaged(r, block, diags);
            range->has_nan |= (chunk.flags & SG_CHUNK_HAS_NAN) != 0;
            range->has_missing |= (chunk.flags & SG_CHUNK_HAS_MISSING) != 0;
            widen(range, p.negate ? -chunk.max : chunk.min, p.negate ? -chunk.min : chunk.max);
        }
    }
    return SG_OK;
}

void sg_start_shape(const sg_signal *s, uint32_t size[2])
{
    size[0] = size[1] = 0;
    for (uint32_t i = 0; s->start && i < sg_signal_count(s); i++) {
        uint32_t rows = s->rank ? s->size[0] : 1, row = i % rows, column = i / rows;
        if (sg_is_missing(s->start[i]))
            continue;
        size[0] = row >= size[0] ? row + 1 : size[0];
        size[1] = column >= size[1] ? column + 1 : size[1];
    }
}

void sg_element_name(const sg_signal *signal, uint32_t element, char *out, size_t size)
{
    if (!out || !size)
        return;
    if (!signal)
        out[0] = '\0';
    else if (signal->rank == 0)
        snprintf(out, size, "%s", signal->name);
    else if (signal->rank == 1 || signal->size[0] == 0)
        snprintf(out, size, "%s[%u]", signal->name, element + 1);
    else
        snprintf(out, size, "%s[%u,%u]", signal->name, element % signal->size[0] + 1,
                 element / signal->size[0] + 1);
}
