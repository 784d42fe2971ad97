// A model as an FMU (segue/fmu.h): opened, looked at, packed.
#include "api/fmu.h"

#include "base/digits.h"
#include "base/options.h"
#include "base/source.h"
#include "fmi/zip.h"
#include "result/checksum.h"
#include "segue/fmu.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

// A model without simulate! has no scale of time of its own; one second is what a tool expects.
#define UNTOLD_LENGTH 1.0 // [s]

sg_fmu_options sg_fmu_options_make(void)
{
    return (sg_fmu_options){.size = sizeof(sg_fmu_options), .version = 2, .co_simulation = true};
}

// ---- names ----------------------------------------------------------------------------------

// A name of C for the library and its folder.
static const char *identifier_of(sg_arena *arena, const char *name)
{
    char *text = sg_arena_printf(arena, "%s%s", isalpha((unsigned char)name[0]) ? "" : "m_", name);
    for (char *c = text; c && *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_')
            *c = '_';
    return text;
}

// ---- the table of the adapter ---------------------------------------------------------------

static void put_number(sg_buf *out, const char *key, double x)
{
    char digits[32];
    sg_format_shortest(x, digits);
    sg_buf_printf(out, "%s %s\n", key, digits);
}

// One line for each variable; src/adapter/table.h reads it.
static void write_table(const sg_fmu *fmu, const char *main_name, const char *model, bool modia3d,
                        sg_buf *out)
{
    static const char types[] = "rib", roles[] = "piolsdz";
    sg_buf_printf(out, "segue-fmu 1\ntoken %s\nmain %s\n", fmu->token, main_name);
    if (model)
        sg_buf_printf(out, "model %s\n", model);
    if (modia3d)
        sg_buf_puts(out, "modia3d\n");
    put_number(out, "start", fmu->start_time);
    if (!isnan(fmu->stop_time))
        put_number(out, "stop", fmu->stop_time);
    put_number(out, "tolerance", fmu->tolerance);
    if (fmu->model_exchange)
        sg_buf_printf(out, "states %u\nindicators %u\n", fmu->n_states, fmu->n_indicators);
    for (size_t i = 0; i < fmu->n_variables; i++) {
        const sg_fmu_variable *v = &fmu->variables[i];
        sg_buf_printf(out, "v %u %u %c%c%c ", v->first, v->n, types[v->type], roles[v->role],
                      v->settable ? '+' : '-');
        if (v->role >= SG_FMU_STATE) // the adapter has them by number
            sg_buf_printf(out, "%u\n", v->index);
        else
            sg_buf_printf(out, "%s\n", v->name);
    }
}

// ---- packing --------------------------------------------------------------------------------

typedef struct packing {
    const sg_allocator *allocator;
    const sg_fmu_options *options;
    sg_diags *diags;
    sg_arena arena;
    sg_fmu fmu;
    sg_fmu_file *files;
    size_t n_files;
    sg_buf xml, page, picture, table;
} packing;

static sg_status read_whole(packing *p, const char *path, char **bytes, size_t *length)
{
    sg_status status = sg_read_file(p->allocator, path, bytes, length);
    if (status)
        sg_error(p->diags, status == SG_ERR_MEMORY ? SG_E_MEMORY : SG_E_IO, (sg_span){0},
                 "cannot read '%s'", path);
    return status;
}

static void free_whole(const packing *p, char *bytes, size_t length)
{
    p->allocator->resize(p->allocator->context, bytes, length + 1, 0);
}

// Which FMU this is: everything that it consists of but the adapter.
static sg_status make_token(packing *p)
{
    sg_fmu_write_xml(&p->fmu, &p->xml);
    uint64_t a = sg_xxh64(sg_buf_text(&p->xml), p->xml.len, 1), b = sg_xxh64(&a, sizeof a, 2);
    for (size_t i = 0; i < p->n_files; i++) {
        char *bytes;
        size_t length;
        sg_status status = read_whole(p, p->files[i].path, &bytes, &length);
        if (status)
            return status;
        a = sg_xxh64(bytes, length, a);
        b = sg_xxh64(bytes, length, b);
        free_whole(p, bytes, length);
    }
    p->fmu.token = sg_arena_printf(&p->arena, "{%08x-%04x-%04x-%04x-%04x%08x}", (uint32_t)(a >> 32),
                                   (uint32_t)(a >> 16) & 0xffff, (uint32_t)a & 0xffff,
                                   (uint32_t)(b >> 48), (uint32_t)(b >> 32) & 0xffff, (uint32_t)b);
    sg_buf_clear(&p->xml);
    return p->fmu.token ? SG_OK : SG_ERR_MEMORY;
}

static sg_status write_parts(packing *p)
{
    bool modia3d = false;
    for (size_t i = 0; i < p->n_files; i++)
        modia3d |= strncmp(p->files[i].name, "resources/modia3d/", 18) == 0;
    sg_status status = make_token(p);
    if (status)
        return status;
    sg_fmu_write_xml(&p->fmu, &p->xml);
    sg_fmu_write_page(&p->fmu, &p->page);
    write_table(&p->fmu, p->files[0].name + strlen("resources/"), p->options->model, modia3d,
                &p->table);
    status = sg_fmu_write_picture(&p->fmu, &p->picture);
    bool failed = p->xml.failed || p->page.failed || p->table.failed;
    return status ? status : failed ? SG_ERR_MEMORY : SG_OK;
}

static sg_status pack(packing *p, const char *path)
{
    const sg_fmu *fmu = &p->fmu;
    char *library;
    size_t length;
    sg_zip_writer zip;
    sg_status status = read_whole(p, p->options->adapter, &library, &length);
    if (status)
        return status;
    status = sg_zip_create(&zip, path, p->allocator, p->diags);
    if (status) {
        free_whole(p, library, length);
        return status;
    }
    sg_zip_add(&zip, "modelDescription.xml", p->xml.text, p->xml.len, false);
    const char *binary =
        sg_arena_printf(&p->arena, "binaries/%s/%s.so",
                        fmu->version == 2 ? "linux64" : "x86_64-linux", fmu->identifier);
    const char *icon = fmu->version == 2 ? "model.png" : "terminalsAndIcons/icon.png";
    if (!binary)
        zip.failed = SG_ERR_MEMORY;
    else
        sg_zip_add(&zip, binary, library, length, true);
    free_whole(p, library, length);
    sg_zip_add(&zip, icon, p->picture.text, p->picture.len, false);
    sg_zip_add(&zip, "documentation/index.html", p->page.text, p->page.len, false);
    sg_zip_add(&zip, "resources/segue.txt", p->table.text, p->table.len, false);
    for (size_t i = 0; i < p->n_files && !zip.failed; i++) {
        char *bytes;
        status = read_whole(p, p->files[i].path, &bytes, &length);
        if (status) {
            sg_zip_abandon(&zip);
            return status;
        }
        sg_zip_add(&zip, p->files[i].name, bytes, length, false);
        free_whole(p, bytes, length);
    }
    return sg_zip_commit(&zip, p->diags);
}

// ---- the model ------------------------------------------------------------------------------

static sg_status open_for_export(packing *p, const char *path, sg_model **out)
{
    const sg_fmu_options *o = p->options;
    sg_model_options options = sg_model_options_make();
    options.name = o->model;
    options.record = false;
    options.modia3d_path = o->modia3d_path;
    options.allow_read = o->allow_read;
    options.n_allow_read = o->n_allow_read;
    options.write = o->write;
    options.context = o->context;
    options.max_memory = o->max_memory;
    sg_status status = sg_model_open_file(p->allocator, path, &options, p->diags, out);
    if (!status && !(*out)->has_stop) {
        double start = (*out)->live.sim.start;
        p->fmu.stop_time = (double)NAN;
        sg_model_experiment e = sg_model_experiment_make();
        e.stop = start + UNTOLD_LENGTH;
        return sg_model_set_experiment(*out, &e);
    }
    if (!status) {
        p->fmu.stop_time = (*out)->live.sim.stop;
        double interval = (*out)->live.sim.interval,
               length = p->fmu.stop_time - (*out)->live.sim.start;
        p->fmu.step = interval > 0.0 ? interval : length / 500.0;
    }
    return status;
}

static sg_status describe(packing *p, sg_model *model, const char *path)
{
    sg_fmu *fmu = &p->fmu;
    const char *slash = strrchr(path, '/');
    sg_fmu_build build = {.model = model,
                          .arena = &p->arena,
                          .diags = p->diags,
                          .model_exchange = p->options->model_exchange};
    fmu->version = p->options->version;
    fmu->co_simulation = p->options->co_simulation;
    fmu->model_exchange = p->options->model_exchange;
    fmu->saves = !sg_components_unsaved(model->live.model->components);
    fmu->start_time = model->live.sim.start;
    fmu->tolerance = model->live.sim.tolerance;
    const char *name = sg_vm_text(model->session->vm, model->live.model->instance.name);
    fmu->name = sg_arena_text(&p->arena, name, strlen(name));
    fmu->info = fmu->token = "";
    fmu->source = slash ? slash + 1 : path;
    if (!fmu->name)
        return SG_ERR_MEMORY;
    fmu->identifier = identifier_of(&p->arena, fmu->name);
    sg_status status = fmu->identifier ? sg_fmu_list_variables(&build) : SG_ERR_MEMORY;
    fmu->variables = build.variables;
    fmu->n_variables = build.n_variables;
    fmu->units = build.units;
    fmu->n_units = build.n_units;
    fmu->structured = build.structured;
    fmu->n_states = build.n_states;
    fmu->n_indicators = build.n_indicators;
    fmu->states = build.states;
    fmu->rates = build.rates;
    fmu->has_depends = build.has_depends;
    fmu->outputs = build.outputs;
    fmu->derivatives = build.derivatives;
    return status;
}

static bool misused(const sg_fmu_options *o)
{
    return (o->version != 2 && o->version != 3) || (!o->co_simulation && !o->model_exchange) ||
           !o->adapter || (o->n_allow_read && !o->allow_read);
}

sg_status sg_fmu_export(const sg_allocator *allocator, const char *model_path, const char *path,
                        const sg_fmu_options *given, sg_diags *diags)
{
    sg_fmu_options options = sg_fmu_options_make();
    if (!sg_options_take(&options, sizeof options, given) || !model_path || !path ||
        misused(&options))
        return SG_ERR_USAGE;
    packing p = {
        .allocator = sg_allocator_or_default(allocator), .options = &options, .diags = diags};
    sg_arena_init(&p.arena, p.allocator);
    sg_buf *bufs[] = {&p.xml, &p.page, &p.picture, &p.table};
    for (size_t i = 0; i < 4; i++)
        sg_buf_init(bufs[i], p.allocator);
    sg_model *model = NULL;
    sg_status status = open_for_export(&p, model_path, &model);
    if (!status)
        status = describe(&p, model, model_path);
    if (!status)
        status = sg_fmu_list_files(model, model_path, &p.arena, diags, &p.files, &p.n_files);
    if (!status)
        status = write_parts(&p);
    if (!status)
        status = pack(&p, path);
    sg_model_destroy(model);
    for (size_t i = 0; i < 4; i++)
        sg_buf_free(bufs[i]);
    sg_arena_destroy(&p.arena);
    return status;
}
