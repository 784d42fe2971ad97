// What people see of an FMU: a page and a picture.
#include "base/digits.h"
#include "fmi/description.h"
#include "fmi/zip.h"

#include <math.h>
#include <string.h>

// ---- the page -------------------------------------------------------------------------------

static void put_rows(const sg_fmu *fmu, sg_fmu_role role, const char *title, sg_buf *out)
{
    bool any = false;
    sg_buf name;
    sg_buf_init(&name, out->allocator);
    for (size_t i = 0; i < fmu->n_variables; i++) {
        const sg_fmu_variable *v = &fmu->variables[i];
        if (v->role != role)
            continue;
        if (!any)
            sg_buf_printf(out,
                          "<h2>%s</h2>\n<table>\n<tr><th>name</th><th>start</th><th>unit</th>"
                          "<th>description</th></tr>\n",
                          title);
        any = true;
        for (uint32_t k = 0; k < v->n; k++) {
            char digits[32] = "";
            sg_buf_clear(&name);
            sg_fmu_name(v, k, &name);
            if (v->start)
                sg_format_shortest(v->start[k], digits);
            sg_buf_puts(out, "<tr><td>");
            sg_fmu_put_text(out, sg_buf_text(&name));
            sg_buf_printf(out, "</td><td>%s</td><td>", digits);
            sg_fmu_put_text(out, v->unit);
            sg_buf_puts(out, "</td><td>");
            sg_fmu_put_text(out, v->info);
            sg_buf_puts(out, "</td></tr>\n");
        }
    }
    if (any)
        sg_buf_puts(out, "</table>\n");
    sg_buf_free(&name);
}

void sg_fmu_write_page(const sg_fmu *fmu, sg_buf *out)
{
    sg_buf_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>");
    sg_fmu_put_text(out, fmu->name);
    sg_buf_puts(out, "</title>\n<style>body { font-family: sans-serif; margin: 2em }\n"
                     "table { border-collapse: collapse }\n"
                     "td, th { border: 1px solid #ccc; padding: 2px 8px; text-align: left }\n"
                     "</style></head>\n<body>\n<h1>");
    sg_fmu_put_text(out, fmu->name);
    sg_buf_puts(out, "</h1>\n<p>");
    sg_fmu_put_text(out, fmu->info);
    sg_buf_printf(out, "</p>\n<p>FMI %d.0, %s%s%s. All numbers are in SI units. Made from <code>",
                  fmu->version, fmu->co_simulation ? "co-simulation" : "",
                  fmu->co_simulation && fmu->model_exchange ? " and " : "",
                  fmu->model_exchange ? "model exchange" : "");
    sg_fmu_put_text(out, fmu->source);
    sg_buf_puts(out,
                "</code>, which lies with its files in the folder <code>resources</code>.</p>\n");
    if (!isnan(fmu->stop_time))
        sg_buf_printf(out, "<p>Experiment: from %.10g s to %.10g s, tolerance %.3g.</p>\n",
                      fmu->start_time, fmu->stop_time, fmu->tolerance);
    put_rows(fmu, SG_FMU_INPUT, "Inputs", out);
    put_rows(fmu, SG_FMU_OUTPUT, "Outputs", out);
    put_rows(fmu, SG_FMU_PARAMETER, "Parameters", out);
    sg_buf_puts(out, "</body>\n</html>\n");
}

// ---- the picture ----------------------------------------------------------------------------

enum { SIZE = 256, MARGIN = 40, LINE = 4, PORT = 14 };

static const unsigned char white[] = {255, 255, 255}, frame[] = {31, 78, 121},
                           inside[] = {222, 235, 247}, wave[] = {192, 80, 20};

static void dot(unsigned char *pixels, int x, int y, const unsigned char *color)
{
    if (x >= 0 && x < SIZE && y >= 0 && y < SIZE)
        memcpy(pixels + 3 * (y * SIZE + x), color, 3);
}

static void fill(unsigned char *pixels, int x0, int y0, int x1, int y1, const unsigned char *color)
{
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
            dot(pixels, x, y, color);
}

// A triangle that points to the right, for each scalar of a side, up to ten.
static void draw_ports(unsigned char *pixels, const sg_fmu *fmu, sg_fmu_role role, int x)
{
    uint32_t n = 0;
    for (size_t i = 0; i < fmu->n_variables; i++)
        n += fmu->variables[i].role == role ? fmu->variables[i].n : 0;
    n = n < 10 ? n : 10;
    for (uint32_t i = 0; i < n; i++) {
        int y = MARGIN + (int)((2 * i + 1) * (SIZE - 2 * MARGIN) / (2 * n));
        for (int k = 0; k < PORT; k++)
            fill(pixels, x + k, y - (PORT - k) / 2, x + k + 1, y + (PORT - k) / 2 + 1, frame);
    }
}

static void draw(const sg_fmu *fmu, unsigned char *pixels)
{
    fill(pixels, 0, 0, SIZE, SIZE, white);
    fill(pixels, MARGIN, MARGIN, SIZE - MARGIN, SIZE - MARGIN, frame);
    fill(pixels, MARGIN + LINE, MARGIN + LINE, SIZE - MARGIN - LINE, SIZE - MARGIN - LINE, inside);
    // A damped oscillation stands for any model.
    for (int i = 0; i < 4 * (SIZE - 2 * MARGIN - 40); i++) {
        double s = (double)i / (4.0 * (SIZE - 2 * MARGIN - 40));
        double y = 60.0 * exp(-2.5 * s) * cos(20.0 * s);
        int at_x = MARGIN + 20 + i / 4, at_y = SIZE / 2 - (int)lround(y);
        fill(pixels, at_x - 1, at_y - 1, at_x + 2, at_y + 2, wave);
    }
    draw_ports(pixels, fmu, SG_FMU_INPUT, MARGIN - PORT);
    draw_ports(pixels, fmu, SG_FMU_OUTPUT, SIZE - MARGIN);
}

static void put_big(unsigned char *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(value >> (24 - 8 * i));
}

static void put_chunk(sg_buf *out, const char *type, const char *data, size_t length)
{
    unsigned char number[4];
    put_big(number, (uint32_t)length);
    sg_buf_add(out, (const char *)number, 4);
    size_t from = out->len;
    sg_buf_add(out, type, 4);
    sg_buf_add(out, data, length);
    if (out->failed)
        return;
    put_big(number, sg_zip_sum(out->text + from, out->len - from, 0));
    sg_buf_add(out, (const char *)number, 4);
}

sg_status sg_fmu_write_picture(const sg_fmu *fmu, sg_buf *out)
{
    enum { ROW = 3 * SIZE };
    sg_buf pixels, rows, packed;
    sg_buf_init(&pixels, out->allocator);
    sg_buf_init(&rows, out->allocator);
    sg_buf_init(&packed, out->allocator);
    sg_buf_pad(&pixels, 0, ROW * SIZE);
    sg_status status = SG_ERR_MEMORY;
    if (!pixels.failed) {
        draw(fmu, (unsigned char *)pixels.text);
        for (int y = 0; y < SIZE; y++) {
            sg_buf_putc(&rows, 0); // no filter
            sg_buf_add(&rows, pixels.text + y * ROW, ROW);
        }
        status = rows.failed ? SG_ERR_MEMORY : sg_zip_deflate(&packed, rows.text, rows.len, false);
    }
    if (!status) {
        unsigned char head[13] = {0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0}; // 8 bits, red green blue
        put_big(head, SIZE);
        put_big(head + 4, SIZE);
        sg_buf_add(out, "\x89PNG\r\n\x1a\n", 8);
        put_chunk(out, "IHDR", (const char *)head, sizeof head);
        put_chunk(out, "IDAT", packed.text, packed.len);
        put_chunk(out, "IEND", "", 0);
        status = out->failed ? SG_ERR_MEMORY : SG_OK;
    }
    sg_buf_free(&pixels);
    sg_buf_free(&rows);
    sg_buf_free(&packed);
    return status;
}
