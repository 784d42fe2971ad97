// PNG and PDF through cairo.
//
// Cairo brings fontconfig and half a desktop with it, and most runs never need it. So it is not
// linked: the few functions used are looked up in the library when a PNG or PDF is asked for, and
// their prototypes are written down here. The file still goes through sg_outfile, so it is complete
// or absent like all others.
#include "base/assert.h"
#include "base/number.h"
#include "result/outfile.h"
#include "view/canvas.h"

#include <dlfcn.h>
#include <math.h>
#include <string.h>

static const sg_span nowhere = {0, 0, 0};

typedef struct cairo cairo;
typedef struct cairo_surface cairo_surface;
typedef int (*cairo_write)(void *closure, const unsigned char *data, unsigned length);

typedef struct cairo_text_extents {
    double x_bearing, y_bearing, width, height, x_advance, y_advance;
} cairo_text_extents;

// FUNCTION(result, name, parameters): names without the prefix `cairo_`.
#define CAIRO_FUNCTIONS(FUNCTION)                                                                  \
    FUNCTION(cairo_surface *, image_surface_create, (int format, int width, int height))           \
    FUNCTION(cairo_surface *, pdf_surface_create_for_stream,                                       \
             (cairo_write write, void *closure, double width, double height))                      \
    FUNCTION(void, pdf_surface_set_metadata, (cairo_surface * surface, int key, const char *text)) \
    FUNCTION(int, surface_write_to_png_stream,                                                     \
             (cairo_surface * surface, cairo_write write, void *closure))                          \
    FUNCTION(void, surface_finish, (cairo_surface * surface))                                      \
    FUNCTION(int, surface_status, (cairo_surface * surface))                                       \
    FUNCTION(void, surface_destroy, (cairo_surface * surface))                                     \
    FUNCTION(const char *, status_to_string, (int status))                                         \
    FUNCTION(cairo *, create, (cairo_surface * surface))                                           \
    FUNCTION(void, destroy, (cairo * cr))                                                          \
    FUNCTION(int, status, (cairo * cr))                                                            \
    FUNCTION(void, scale, (cairo * cr, double x, double y))                                        \
    FUNCTION(void, set_source_rgba, (cairo * cr, double r, double g, double b, double a))          \
    FUNCTION(void, set_line_width, (cairo * cr, double width))                                     \
    FUNCTION(void, set_line_cap, (cairo * cr, int cap))                                            \
    FUNCTION(void, set_line_join, (cairo * cr, int join))                                          \
    FUNCTION(void, set_dash, (cairo * cr, const double *dashes, int n, double offset))             \
    FUNCTION(void, new_path, (cairo * cr))                                                         \
    FUNCTION(void, move_to, (cairo * cr, double x, double y))                                      \
    FUNCTION(void, line_to, (cairo * cr, double x, double y))                                      \
    FUNCTION(void, stroke, (cairo * cr))                                                           \
    FUNCTION(void, rectangle, (cairo * cr, double x, double y, double width, double height))       \
    FUNCTION(void, fill, (cairo * cr))                                                             \
    FUNCTION(void, clip, (cairo * cr))                                                             \
    FUNCTION(void, save, (cairo * cr))                                                             \
    FUNCTION(void, restore, (cairo * cr))                                                          \
    FUNCTION(void, rotate, (cairo * cr, double angle))                                             \
    FUNCTION(void, select_font_face, (cairo * cr, const char *family, int slant, int weight))      \
    FUNCTION(void, set_font_size, (cairo * cr, double size))                                       \
    FUNCTION(void, text_extents, (cairo * cr, const char *text, cairo_text_extents *extents))      \
    FUNCTION(void, show_text, (cairo * cr, const char *text))

typedef struct cairo_api {
    void *library;
#define FUNCTION(result, name, parameters) result(*name) parameters;
    CAIRO_FUNCTIONS(FUNCTION)
#undef FUNCTION
} cairo_api;

enum { FORMAT_ARGB32 = 0, CAP_BUTT = 0, CAP_ROUND = 1, JOIN_ROUND = 1, WEIGHT_BOLD = 1 };
enum { METADATA_CREATOR = 4, METADATA_CREATE_DATE = 5, WRITE_ERROR = 11 };

typedef struct cairo_canvas {
    sg_canvas canvas;
    const sg_allocator *allocator;
    cairo_api api;
    sg_outfile file;
    cairo_surface *surface;
    cairo *cr;
    bool pdf;
    size_t in_path; // points since the path was last stroked
    double x, y;    // the last of them
} cairo_canvas;

// ISO C has no conversion from an object pointer to a function pointer, POSIX copies the bits.
static bool load(cairo_api *api, sg_diags *diags)
{
    api->library = dlopen("libcairo.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!api->library) {
        sg_error(diags, SG_E_PLOT, nowhere,
                 "PNG and PDF need the library cairo (libcairo.so.2), which is not installed; "
                 "install it, or write an SVG file");
        return false;
    }
    const struct {
        const char *name;
        void *slot;
    } table[] = {
#define FUNCTION(result, name, parameters) {"cairo_" #name, &api->name},
        CAIRO_FUNCTIONS(FUNCTION)
#undef FUNCTION
    };
    for (size_t i = 0; i < SG_COUNT(table); i++) {
        void *found = dlsym(api->library, table[i].name);
        if (!found) {
            sg_error(diags, SG_E_PLOT, nowhere,
                     "the installed cairo is too old: it lacks %s; write an SVG file instead",
                     table[i].name);
            dlclose(api->library);
            return false;
        }
        memcpy(table[i].slot, &found, sizeof found);
    }
    return true;
}

static int write_bytes(void *closure, const unsigned char *data, unsigned length)
{
    sg_outfile *file = closure;
    sg_outfile_write(file, data, length);
    return file->error ? WRITE_ERROR : 0;
}

static void set_color(cairo_canvas *c, uint32_t color, double opacity)
{
    c->api.set_source_rgba(c->cr, (double)((color >> 16) & 255) / 255,
                           (double)((color >> 8) & 255) / 255, (double)(color & 255) / 255,
                           opacity);
}

static void path_begin(sg_canvas *canvas, sg_stroke stroke)
{
    cairo_canvas *c = (cairo_canvas *)canvas;
    set_color(c, stroke.color, 1 - stroke.veil);
    c->api.set_line_width(c->cr, stroke.width);
    int n;
    const double *pattern = sg_dash_pattern(stroke.dash, &n);
    double dashes[8];
    for (int i = 0; i < n; i++)
        dashes[i] = pattern[i] * stroke.width;
    c->api.set_dash(c->cr, dashes, n, 0);
    c->api.set_line_cap(c->cr, n ? CAP_BUTT : CAP_ROUND);
    c->api.set_line_join(c->cr, JOIN_ROUND);
    c->api.new_path(c->cr);
    c->in_path = 0;
}

static void move_to(sg_canvas *canvas, double x, double y)
{
    cairo_canvas *c = (cairo_canvas *)canvas;
    c->api.move_to(c->cr, x, y);
    c->x = x;
    c->y = y;
}

// Stroking costs more than linear time in the length of a path, so long ones go in pieces.
enum { PIECE = 500 };

static void line_to(sg_canvas *canvas, double x, double y)
{
    cairo_canvas *c = (cairo_canvas *)canvas;
    c->api.line_to(c->cr, x, y);
    c->x = x;
    c->y = y;
    if (++c->in_path % PIECE == 0) {
        c->api.stroke(c->cr);
        c->api.move_to(c->cr, x, y);
    }
}

static void path_end(sg_canvas *canvas)
{
    cairo_canvas *c = (cairo_canvas *)canvas;
    c->api.stroke(c->cr);
}

static void rectangle(sg_canvas *canvas, double x, double y, double width, double height,
                      uint32_t fill, double opacity)
{
    cairo_canvas *c = (cairo_canvas *)canvas;
    set_color(c, fill, opacity);
    c->api.rectangle(c->cr, x, y, width, height);
    c->api.fill(c->cr);
}

static void area(sg_canvas *canvas, const double *x, const double *y, size_t n, uint32_t fill,
                 double opacity)
{
    cairo_canvas *c = (cairo_canvas *)canvas;
    set_color(c, fill, opacity);
    c->api.new_path(c->cr);
    for (size_t i = 0; i < n; i++)
        (i ? c->api.line_to : c->api.move_to)(c->cr, x[i], y[i]);
    c->api.fill(c->cr);
}

static void text(sg_canvas *canvas, double x, double y, const char *words, sg_text_style style)
{
    cairo_canvas *c = (cairo_canvas *)canvas;
    cairo_text_extents extents;
    c->api.save(c->cr);
    c->api.select_font_face(c->cr, "sans-serif", 0, style.bold ? WEIGHT_BOLD : 0);
    c->api.set_font_size(c->cr, style.size);
    c->api.text_extents(c->cr, words, &extents);
    double shift = style.anchor == SG_ANCHOR_START    ? 0
                   : style.anchor == SG_ANCHOR_MIDDLE ? -extents.x_advance / 2
                                                      : -extents.x_advance;
    set_color(c, style.color, 1);
    if (style.vertical) {
        c->api.move_to(c->cr, x, y - shift);
        c->api.rotate(c->cr, -SG_HALF_PI);
    } else {
        c->api.move_to(c->cr, x + shift, y);
    }
    c->api.show_text(c->cr, words);
    c->api.restore(c->cr);
    c->api.new_path(c->cr);
}

static void clip_begin(sg_canvas *canvas, double x, double y, double width, double height)
{
    cairo_canvas *c = (cairo_canvas *)canvas;
    c->api.save(c->cr);
    c->api.rectangle(c->cr, x, y, width, height);
    c->api.clip(c->cr);
}

static void clip_end(sg_canvas *canvas)
{
    cairo_canvas *c = (cairo_canvas *)canvas;
    c->api.restore(c->cr);
}

static void release(cairo_canvas *c)
{
    if (c->cr)
        c->api.destroy(c->cr);
    if (c->surface)
        c->api.surface_destroy(c->surface);
    // The library stays loaded: fontconfig keeps state that does not survive an unload.
    c->allocator->resize(c->allocator->context, c, sizeof *c, 0);
}

static void abandon(sg_canvas *canvas)
{
    cairo_canvas *c = (cairo_canvas *)canvas;
    if (c->pdf && c->surface)
        c->api.surface_finish(c->surface);
    sg_outfile_abandon(&c->file);
    release(c);
}

static sg_status finish(sg_canvas *canvas, sg_diags *diags)
{
    cairo_canvas *c = (cairo_canvas *)canvas;
    int error = c->api.status(c->cr);
    if (!error && c->pdf) {
        c->api.surface_finish(c->surface);
        error = c->api.surface_status(c->surface);
    } else if (!error) {
        error = c->api.surface_write_to_png_stream(c->surface, write_bytes, &c->file);
    }
    if (error && !c->file.error) {
        sg_error(diags, SG_E_PLOT, nowhere, "cannot draw '%s': %s", c->file.path,
                 c->api.status_to_string(error));
        abandon(canvas);
        return SG_ERR_IO;
    }
    sg_status status = sg_outfile_commit(&c->file, diags);
    release(c);
    return status;
}

static const sg_canvas_ops cairo_ops = {path_begin, move_to,    line_to,  path_end, rectangle, area,
                                        text,       clip_begin, clip_end, finish,   abandon};

static void create_surface(cairo_canvas *c, double width, double height, double scale)
{
    if (c->pdf) {
        // PDF counts in 1/72 inch.
        c->surface = c->api.pdf_surface_create_for_stream(write_bytes, &c->file, width * 0.75,
                                                          height * 0.75);
        c->api.pdf_surface_set_metadata(c->surface, METADATA_CREATOR, "Segue");
        // Without a fixed date the same plot would not be the same file.
        c->api.pdf_surface_set_metadata(c->surface, METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
        scale = 0.75;
    } else {
        c->surface = c->api.image_surface_create(FORMAT_ARGB32, (int)lround(width * scale),
                                                 (int)lround(height * scale));
    }
    c->cr = c->api.create(c->surface);
    c->api.scale(c->cr, scale, scale);
}

sg_status sg_cairo_canvas(const char *path, bool pdf, double width, double height, double scale,
                          const sg_allocator *allocator, sg_diags *diags, sg_canvas **out)
{
    const sg_allocator *a = allocator ? allocator : sg_allocator_default();
    cairo_api api;
    if (!load(&api, diags))
        return SG_ERR_USAGE;
    cairo_canvas *c = a->resize(a->context, NULL, 0, sizeof *c);
    if (!c) {
        sg_error(diags, SG_E_MEMORY, nowhere, "out of memory while drawing '%s'", path);
        return SG_ERR_MEMORY;
    }
    *c = (cairo_canvas){.canvas = {&cairo_ops}, .allocator = a, .api = api, .pdf = pdf};
    sg_status status = sg_outfile_open(&c->file, path, a, diags);
    if (status != SG_OK) {
        release(c);
        return status;
    }
    create_surface(c, width, height, scale);
    rectangle(&c->canvas, 0, 0, width, height, 0xFFFFFF, 1);
    *out = &c->canvas;
    return SG_OK;
}
