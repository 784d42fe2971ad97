// The process that has the FMUs. It unpacks them to a folder of its own, goes behind a wall before
// it runs anything of theirs (files: that folder, and libraries of the system to read; no programs,
// no connections), and then does what it is asked, one request at a time.
#define _XOPEN_SOURCE 700 // nftw; NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
#include "fmi/zip.h"
#include "fmu/binary.h"
#include "fmu/lists.h"
#include "fmu/message.h"
#include "segue/helper.h"
#include "segue/wall.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_INSTANCES = 1000 };
#define MOST_BYTES ((size_t)4 << 30) // of an FMU, unpacked

typedef struct server_fmu {
    sg_arena arena;
    sg_fmu_foreign fmu;
    sg_fmu_lists lists;
    sg_fmu_binary *binary;
    bool exchange;
    double *x, *nominals, *dx, *z, *u, *y, *shown; // room for all that travels
} server_fmu;

// All the memory that this process has, in the helper and in the process that serves.
typedef struct fmu_server {
    char folder[PATH_MAX];
    bool behind_wall;
    uint32_t n;
    server_fmu *fmus[MOST_INSTANCES];
} fmu_server;

// ---- the folder ---------------------------------------------------------------------------------

static bool prepare(void *context, char words[SG_HELPER_WORDS])
{
    fmu_server *s = context;
    const char *tmp = getenv("TMPDIR");
    int n =
        snprintf(s->folder, sizeof s->folder, "%s/segue-fmu-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (n < (int)sizeof s->folder && mkdtemp(s->folder))
        return true;
    s->folder[0] = '\0';
    snprintf(words, SG_HELPER_WORDS, "no folder can be made for FMUs: %s", strerror(errno));
    return false;
}

static int remove_one(const char *path, const struct stat *info, int flag, struct FTW *walk)
{
    (void)info, (void)flag, (void)walk;
    remove(path);
    return 0;
}

static void clear(void *context)
{
    fmu_server *s = context;
    enum { OPEN = 16 };
    if (s->folder[0])
        nftw(s->folder, remove_one, OPEN, FTW_DEPTH | FTW_PHYS);
}

static bool make_folders(char *path, size_t from)
{
    for (char *at = path + from; *at; at++)
        if (*at == '/') {
            *at = '\0';
            bool made = mkdir(path, 0777) == 0 || errno == EEXIST;
            *at = '/';
            if (!made)
                return false;
        }
    return true;
}

// Names were checked by the reader of archives: none leads out of the folder.
static sg_status unpack(const char *folder, const void *bytes, size_t n_bytes, sg_arena *arena,
                        const char **xml, size_t *n_xml, char *words)
{
    sg_zip_entry *entries;
    size_t n, sum = 0;
    const char *message = "";
    *xml = NULL;
    sg_status status = sg_zip_list(bytes, n_bytes, arena, &entries, &n, &message);
    if (status) {
        snprintf(words, SG_FMU_WORDS, "%.200s", message);
        return status;
    }
    for (size_t i = 0; i < n; i++) {
        char name[2 * PATH_MAX];
        const void *data;
        sum += entries[i].length;
        if (entries[i].folder)
            continue;
        int length = snprintf(name, sizeof name, "%s/%s", folder, entries[i].name);
        sg_arena scratch;
        sg_arena_init(&scratch, NULL);
        bool kept = strcmp(entries[i].name, "modelDescription.xml") == 0;
        status = sum > MOST_BYTES || length >= PATH_MAX
                     ? SG_ERR_LIMIT
                     : sg_zip_read(&entries[i], kept ? arena : &scratch, &data);
        if (!status && make_folders(name, strlen(folder) + 1)) {
            FILE *file = fopen(name, "wb");
            bool ok = file && fwrite(data, 1, entries[i].length, file) == entries[i].length;
            if (file && fclose(file) != 0)
                ok = false;
            status = ok ? SG_OK : SG_ERR_IO;
        } else if (!status) {
            status = SG_ERR_IO;
        }
        sg_arena_destroy(&scratch);
        if (status) {
            snprintf(words, SG_FMU_WORDS,
                     status == SG_ERR_INPUT   ? "'%.150s' in it is damaged"
                     : status == SG_ERR_LIMIT ? "'%.150s' in it is too large"
                                              : "'%.150s' in it cannot be unpacked",
                     entries[i].name);
            return status;
        }
        if (kept) {
            *xml = data;
            *n_xml = entries[i].length;
        }
    }
    if (*xml)
        return SG_OK;
    snprintf(words, SG_FMU_WORDS, "it has no modelDescription.xml");
    return SG_ERR_INPUT;
}

// ---- requests -----------------------------------------------------------------------------------

typedef struct asked {
    fmu_server *server;
    server_fmu *f;
    sg_msg_reader in;
    sg_buf out;
    char *words;
    sg_status status;
} asked;

// Takes a result over. False if that is the end of this request.
static bool went(asked *q, sg_fmu_result result)
{
    if (result == SG_FMU_DONE)
        return q->status == SG_OK;
    if (q->status == SG_OK) {
        q->status = result == SG_FMU_DISCARDED ? SG_ERR_INPUT : SG_ERR_IO;
        snprintf(q->words, SG_HELPER_WORDS, "%s", sg_fmu_binary_words(q->f->binary));
    }
    return false;
}

static void go_behind_wall(fmu_server *s)
{
    sg_wall *wall = sg_wall_create();
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    sg_wall_output(wall, s->folder, true);
    sg_wall_enter(wall); // what a kernel lacks was told by whoever started us
    s->behind_wall = true;
}

static bool make_room(server_fmu *f)
{
    size_t n = f->fmu.n_states + 1;
    f->x = SG_NEW_ARRAY(&f->arena, double, n);
    f->nominals = SG_NEW_ARRAY(&f->arena, double, n);
    f->dx = SG_NEW_ARRAY(&f->arena, double, n);
    f->z = SG_NEW_ARRAY(&f->arena, double, f->fmu.n_indicators + 1);
    f->u = SG_NEW_ARRAY(&f->arena, double, 2 * (size_t)f->lists.inputs.n_elements + 1);
    f->y = SG_NEW_ARRAY(&f->arena, double, f->lists.outputs.n_elements + 1);
    f->shown = SG_NEW_ARRAY(&f->arena, double, f->lists.shown.n_elements + 1);
    return !f->arena.failed;
}

static void destroy(server_fmu *f)
{
    if (!f)
        return;
    sg_fmu_binary_close(f->binary);
    sg_arena_destroy(&f->arena);
    free(f);
}

static bool is_loaded_twice(const fmu_server *s, const server_fmu *f)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (s->fmus[i] && strcmp(s->fmus[i]->fmu.token, f->fmu.token) == 0)
            return true;
    return false;
}

static void load(asked *q)
{
    fmu_server *s = q->server;
    bool exchange = msg_get_u32(&q->in) == 0;
    const char *name = msg_get_text(&q->in);
    size_t n_bytes, n_xml = 0;
    const char *bytes = msg_get_bytes(&q->in, &n_bytes), *xml = NULL;
    char folder[PATH_MAX], words[SG_FMU_WORDS] = "out of memory";
    server_fmu *f = calloc(1, sizeof *f);
    if (!f || s->n >= MOST_INSTANCES || q->in.bad) {
        free(f);
        q->status = q->in.bad ? SG_ERR_INPUT : SG_ERR_MEMORY;
        snprintf(q->words, SG_HELPER_WORDS, "too many FMUs");
        return;
    }
    sg_arena_init(&f->arena, NULL);
    f->exchange = exchange;
    if (!s->behind_wall)
        go_behind_wall(s);
    int length = snprintf(folder, sizeof folder, "%s/%u", s->folder, s->n);
    if (length < (int)sizeof folder && (mkdir(folder, 0777) == 0 || errno == EEXIST))
        q->status = unpack(folder, bytes, n_bytes, &f->arena, &xml, &n_xml, words);
    else
        q->status = SG_ERR_IO;
    if (!q->status)
        q->status = sg_fmu_foreign_read(&f->arena, xml, n_xml, &f->fmu, words);
    if (!q->status &&
        (!sg_fmu_lists_make(&f->arena, &f->fmu, exchange, &f->lists) || !make_room(f)))
        q->status = SG_ERR_MEMORY;
    if (!q->status && (exchange ? f->fmu.me : f->fmu.cs).only_once && is_loaded_twice(s, f)) {
        q->status = SG_ERR_INPUT;
        snprintf(words, sizeof words, "it can be used only once at a time");
    }
    if (!q->status) {
        f->binary = sg_fmu_binary_open(&f->fmu, exchange, folder, name, words);
        q->status = f->binary ? SG_OK : SG_ERR_INPUT;
    }
    if (q->status) {
        snprintf(q->words, SG_HELPER_WORDS, "%s", words);
        if (f->binary)
            sg_fmu_binary_close(f->binary);
        sg_arena_destroy(&f->arena);
        free(f);
        return;
    }
    s->fmus[s->n++] = f;
    msg_u32(&q->out, s->n);
}

// What is asked for or told in most requests.
static void set_inputs(asked *q, const double *u, bool discrete_too)
{
    const sg_fmu_list *list = &q->f->lists.inputs;
    for (uint32_t i = 0; i < list->n; i++) {
        const sg_foreign_variable *v = &q->f->fmu.variables[list->variables[i]];
        if ((discrete_too || !v->discrete) &&
            !went(q, sg_fmu_set(q->f->binary, v, u + list->first[i])))
            return;
    }
}

static void put_values(asked *q, const sg_fmu_list *list, double *room)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (!went(q, sg_fmu_get(q->f->binary, &q->f->fmu.variables[list->variables[i]],
                                room + list->first[i])))
            return;
    msg_list(&q->out, room, list->n_elements);
}

static void put_states(asked *q)
{
    server_fmu *f = q->f;
    size_t n = f->exchange ? f->fmu.n_states : 0;
    if (n == 0 || went(q, sg_fmu_states(f->binary, f->x, f->nominals, n))) {
        msg_list(&q->out, f->x, n);
        msg_list(&q->out, f->nominals, n);
    }
}

// Event mode has been entered: until nothing is new, and out of it.
static void handle_event(asked *q)
{
    sg_fmu_event event;
    if (!went(q, sg_fmu_update(q->f->binary, &event)))
        return;
    if (!event.terminate && !went(q, sg_fmu_leave_events(q->f->binary)))
        return;
    msg_u32(&q->out, event.terminate);
    msg_u32(&q->out, event.next_defined);
    msg_f64(&q->out, event.next);
}

static void start(asked *q)
{
    server_fmu *f = q->f;
    double tolerance = msg_get_f64(&q->in), begin = msg_get_f64(&q->in), stop = msg_get_f64(&q->in);
    if (!went(q, sg_fmu_reset(f->binary)))
        return;
    for (uint32_t n = msg_get_u32(&q->in); n > 0 && !q->in.bad; n--) {
        uint32_t i = msg_get_u32(&q->in);
        size_t bytes;
        const char *at = msg_get_bytes(&q->in, &bytes);
        sg_arena_mark mark = sg_arena_mark_get(&f->arena);
        double *x = SG_NEW_ARRAY(&f->arena, double, bytes / sizeof(double) + 1);
        if (i >= f->fmu.n_variables || bytes != f->fmu.variables[i].n * sizeof(double) || !x)
            q->in.bad = true;
        else if (bytes)
            memcpy(x, at, bytes);
        bool ok = !q->in.bad && went(q, sg_fmu_set(f->binary, &f->fmu.variables[i], x));
        sg_arena_release(&f->arena, mark);
        if (!ok)
            return;
    }
    for (uint32_t n = msg_get_u32(&q->in); n > 0 && !q->in.bad; n--) {
        uint32_t i = msg_get_u32(&q->in);
        const char *text = msg_get_text(&q->in);
        if (i >= f->fmu.n_variables || f->fmu.variables[i].type != SG_FMU_STRING)
            q->in.bad = true;
        else if (!went(q, sg_fmu_set_text(f->binary, &f->fmu.variables[i], text)))
            return;
    }
    msg_get_list(&q->in, f->u, f->lists.inputs.n_elements);
    if (q->in.bad || !went(q, sg_fmu_enter_initialization(f->binary, tolerance, begin, stop)))
        return;
    set_inputs(q, f->u, true);
    if (q->status || !went(q, sg_fmu_exit_initialization(f->binary)))
        return;
    if (f->exchange) {
        handle_event(q);
    } else {
        msg_u32(&q->out, 0);
        msg_u32(&q->out, 0);
        msg_f64(&q->out, 0.0);
    }
    if (!q->status)
        put_states(q);
    if (!q->status)
        put_values(q, &f->lists.outputs, f->y);
}

static void move(asked *q)
{
    server_fmu *f = q->f;
    double t = msg_get_f64(&q->in);
    size_t n = f->exchange ? f->fmu.n_states : 0;
    msg_get_list(&q->in, f->x, n);
    if (!q->in.bad && f->exchange)
        went(q, sg_fmu_move(f->binary, t, f->x, n));
}

static void evaluate(asked *q)
{
    server_fmu *f = q->f;
    uint32_t wanted = msg_get_u32(&q->in);
    move(q);
    if (msg_get_u32(&q->in)) {
        msg_get_list(&q->in, f->u, f->lists.inputs.n_elements);
        if (!q->in.bad && !q->status)
            set_inputs(q, f->u, false);
    }
    if (q->in.bad || q->status)
        return;
    if ((wanted & 1) && went(q, sg_fmu_rates(f->binary, f->dx, f->fmu.n_states)))
        msg_list(&q->out, f->dx, f->fmu.n_states);
    if ((wanted & 2) && !q->status &&
        went(q, sg_fmu_indicators(f->binary, f->z, f->fmu.n_indicators)))
        msg_list(&q->out, f->z, f->fmu.n_indicators);
    if ((wanted & 4) && !q->status)
        put_values(q, &f->lists.outputs, f->y);
}

static void event(asked *q)
{
    server_fmu *f = q->f;
    move(q);
    msg_get_list(&q->in, f->u, f->lists.inputs.n_elements);
    if (q->in.bad || q->status)
        return;
    if (!went(q, sg_fmu_enter_events(f->binary)))
        return;
    set_inputs(q, f->u, true);
    if (!q->status)
        handle_event(q);
    if (!q->status)
        put_states(q);
    if (!q->status)
        put_values(q, &f->lists.outputs, f->y);
}

static void completed(asked *q)
{
    bool wants = false, ends = false;
    move(q);
    if (q->in.bad || q->status || !went(q, sg_fmu_completed(q->f->binary, &wants, &ends)))
        return;
    msg_u32(&q->out, wants);
    msg_u32(&q->out, ends);
}

static void step(asked *q)
{
    server_fmu *f = q->f;
    double t = msg_get_f64(&q->in), h = msg_get_f64(&q->in), reached = t;
    bool save = msg_get_u32(&q->in), wants = false, ends = false;
    const sg_fmu_list *inputs = &f->lists.inputs;
    double *slopes = f->u + inputs->n_elements;
    msg_get_list(&q->in, f->u, inputs->n_elements);
    msg_get_list(&q->in, slopes, inputs->n_elements);
    if (q->in.bad || (save && !went(q, sg_fmu_save(f->binary))))
        return;
    set_inputs(q, f->u, true);
    for (uint32_t i = 0; f->fmu.version == 2 && f->fmu.cs.interpolates_inputs && i < inputs->n;
         i++) {
        const sg_foreign_variable *v = &f->fmu.variables[inputs->variables[i]];
        if (q->status || (v->type == SG_FMU_FLOAT64 && !v->discrete &&
                          !went(q, sg_fmu_set_slope(f->binary, v, slopes + inputs->first[i]))))
            return;
    }
    if (q->status || !went(q, sg_fmu_step(f->binary, t, h, &reached, &wants, &ends)))
        return;
    msg_f64(&q->out, reached);
    msg_u32(&q->out, wants);
    msg_u32(&q->out, ends);
    put_values(q, &f->lists.outputs, f->y);
}

static sg_status serve(void *context, const void *request, size_t n, sg_helper_answer *answer,
                       char words[SG_HELPER_WORDS])
{
    fmu_server *s = context;
    asked q = {.server = s, .in = {request, (const char *)request + n, false}, .words = words};
    sg_buf_init(&q.out, sg_allocator_default());
    uint32_t what = msg_get_u32(&q.in), id = msg_get_u32(&q.in);
    q.f = what != SG_FMU_LOAD && id >= 1 && id <= s->n ? s->fmus[id - 1] : NULL;
    if (what == SG_FMU_LOAD)
        load(&q);
    else if (!q.f)
        q.in.bad = true;
    else if (what == SG_FMU_START)
        start(&q);
    else if (what == SG_FMU_EVALUATE)
        evaluate(&q);
    else if (what == SG_FMU_EVENT)
        event(&q);
    else if (what == SG_FMU_COMPLETED)
        completed(&q);
    else if (what == SG_FMU_STEP)
        step(&q);
    else if (what == SG_FMU_BACK)
        went(&q, sg_fmu_restore(q.f->binary));
    else if (what == SG_FMU_READ) {
        move(&q);
        if (!q.in.bad && !q.status)
            put_values(&q, &q.f->lists.shown, q.f->shown);
    } else if (what == SG_FMU_FREE) {
        destroy(q.f);
        s->fmus[id - 1] = NULL;
    }
    if (q.status == SG_OK && q.in.bad) {
        q.status = SG_ERR_INPUT;
        snprintf(words, SG_HELPER_WORDS, "a request that makes no sense");
    }
    if (q.status == SG_OK && q.out.failed)
        q.status = SG_ERR_MEMORY;
    if (q.status == SG_OK && !sg_helper_answer_put(answer, sg_buf_text(&q.out), q.out.len))
        q.status = SG_ERR_IO;
    sg_buf_free(&q.out);
    return q.status;
}

sg_status sg_fmu_helper_start(sg_helper **out)
{
    if (out)
        *out = NULL;
    else
        return SG_ERR_USAGE;
    fmu_server *s = calloc(1, sizeof *s); // goes with the process that asks for it
    sg_helper_service service = sg_helper_service_make();
    if (!s)
        return SG_ERR_MEMORY;
    service.name = "the process of the FMUs";
    service.prepare = prepare;
    service.serve = serve;
    service.clear = clear;
    service.context = s;
    service.stays = true;
    sg_status status = sg_helper_start(&service, out);
    free(s); // the helper has its copy
    return status;
}
