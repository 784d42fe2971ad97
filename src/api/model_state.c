#include "api/build_identity.h"
#include "api/model_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Numbers are in the order of the machine. A file says which that is.
enum { SETTING_NUMBERS = 'N', SETTING_TEXT = 'X' };

static const char magic[8] = "segstate"; // without its zero
#define STATE_VERSION 3u
#define STATE_ORDER 0x01020304u

typedef struct state_head {
    char magic[8];
    uint32_t version, order;
    uint64_t build;      // fingerprint of the Segue that wrote it (cmake/identity.cmake)
    uint64_t text;       // of the model's text
    uint64_t experiment; // of times, tolerances and the solver
    uint64_t length;     // of the whole [bytes]
    uint64_t n_settings; // that come first; then an archive (base/archive.h)
    uint64_t sum;        // of the head, with zero here, and of all that follows
} state_head;

struct sg_model_state {
    const sg_allocator *allocator;
    size_t length;
    unsigned char *bytes;
};

static uint64_t add_hash(uint64_t hash, const void *bytes, size_t n)
{
    const unsigned char *b = bytes; // FNV-1a
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ b[i]) * 0x100000001b3ULL;
    return hash;
}

#define FIRST_HASH 0xcbf29ce484222325ULL

// ---- writing down ---------------------------------------------------------------------------

static void put(sg_model_settings *j, sg_model_bytes *to, const void *bytes, size_t n)
{
    if (j->failed || !sg_vec_reserve(j->allocator, (void **)&to->data, &to->cap, to->len + n, 1)) {
        j->failed = true;
        return;
    }
    if (n)
        memcpy(to->data + to->len, bytes, n);
    to->len += n;
}

static void put_letter(sg_model_settings *j, sg_model_bytes *to, char letter)
{
    put(j, to, &letter, 1);
}

void sg_model_note_text(sg_model *model)
{
    sg_model_settings *j = &model->settings;
    const sg_model_options *o = &model->options;
    uint64_t hash = FIRST_HASH;
    const sg_sources *sources = &model->session->sources; // with all that it includes
    if (!j->n_sources)                                    // values that are set as text come later
        j->n_sources = (uint32_t)sources->len;
    for (uint32_t i = 1; i <= j->n_sources; i++) {
        const sg_source *s = sg_sources_get(sources, i);
        hash = s ? add_hash(hash, s->text, s->length) : hash;
    }
    if (o->name)
        hash = add_hash(hash, o->name, strlen(o->name));
    hash = add_hash(hash, "", 1);
    if (o->compat)
        hash = add_hash(hash, o->compat, strlen(o->compat));
    j->text = hash;
    sg_model_note_experiment(model);
}

void sg_model_note_experiment(sg_model *model)
{
    sg_model_settings *j = &model->settings;
    const sg_sim_options *sim = &model->live.sim;
    const double numbers[] = {sim->start, sim->stop, sim->tolerance, sim->atol, sim->interval};
    uint64_t hash = add_hash(FIRST_HASH, numbers, sizeof numbers);
    j->experiment = add_hash(hash, sim->method->name, strlen(sim->method->name));
}

static sg_model_setting *find_setting(sg_model_settings *j, uint32_t name)
{
    for (size_t i = 0; i < j->list.len; i++)
        if (j->list.data[i].name == name)
            return &j->list.data[i];
    sg_model_setting fresh = {.name = name};
    return SG_PUSH(j->allocator, &j->list, fresh) ? &j->list.data[j->list.len - 1] : NULL;
}

// The last one comes last: of a component and of a value in it, the later wins.
static sg_model_setting *move_to_end(sg_model_settings *j, sg_model_setting *s)
{
    sg_model_setting moved = *s, *end = j->list.data + j->list.len;
    memmove(s, s + 1, (size_t)(end - s - 1) * sizeof *s);
    end[-1] = moved;
    return end - 1;
}

void sg_model_note_setting(sg_model *model, const char *name, const double *values, size_t n,
                           const char *text)
{
    sg_model_settings *j = &model->settings;
    sg_model_setting *s = find_setting(j, sg_vm_sym(model->session->vm, name).i);
    if (!s) {
        j->failed = true;
        return;
    }
    s = move_to_end(j, s);
    s->pending.len = 0;
    uint32_t n_name = (uint32_t)strlen(name), count = (uint32_t)(text ? strlen(text) : n);
    put_letter(j, &s->pending, text ? SETTING_TEXT : SETTING_NUMBERS);
    put(j, &s->pending, &n_name, sizeof n_name);
    put(j, &s->pending, &count, sizeof count);
    put(j, &s->pending, name, n_name);
    put(j, &s->pending, text ? (const void *)text : values, text ? count : n * sizeof *values);
}

void sg_model_note_evaluated(sg_model *model, bool well)
{
    sg_model_settings *j = &model->settings;
    for (size_t i = 0; i < j->list.len; i++) {
        sg_model_setting *s = &j->list.data[i];
        if (well && s->pending.len) {
            s->known.len = 0;
            put(j, &s->known, s->pending.data, s->pending.len);
        }
        s->pending.len = 0;
    }
}

void sg_model_settings_free(sg_model *model)
{
    sg_model_settings *j = &model->settings;
    for (size_t i = 0; i < j->list.len; i++) {
        SG_VEC_FREE(j->allocator, &j->list.data[i].known);
        SG_VEC_FREE(j->allocator, &j->list.data[i].pending);
    }
    SG_VEC_FREE(j->allocator, &j->list);
}

// ---- saving ---------------------------------------------------------------------------------

static sg_model_state *new_state(const sg_allocator *allocator, size_t length)
{
    sg_model_state *s = allocator->resize(allocator->context, NULL, 0, sizeof *s);
    unsigned char *bytes = s ? allocator->resize(allocator->context, NULL, 0, length) : NULL;
    if (s && !bytes)
        allocator->resize(allocator->context, s, sizeof *s, 0);
    if (!bytes)
        return NULL;
    *s = (sg_model_state){.allocator = allocator, .length = length, .bytes = bytes};
    return s;
}

void sg_model_state_destroy(sg_model_state *s)
{
    if (!s)
        return;
    const sg_allocator *a = s->allocator;
    a->resize(a->context, s->bytes, s->length, 0);
    a->resize(a->context, s, sizeof *s, 0);
}

static uint64_t sum_of(const sg_model_state *s, state_head head)
{
    head.sum = 0;
    uint64_t hash = add_hash(FIRST_HASH, &head, sizeof head);
    return add_hash(hash, s->bytes + sizeof head, s->length - sizeof head);
}

static sg_status write_state(sg_model *model, sg_buf *run, sg_model_state **out)
{
    const sg_model_settings *j = &model->settings;
    size_t length = sizeof(state_head) + run->len;
    state_head head = {.version = STATE_VERSION,
                       .order = STATE_ORDER,
                       .build = SG_BUILD_IDENTITY,
                       .text = j->text,
                       .experiment = j->experiment};
    for (size_t i = 0; i < j->list.len; i++) {
        head.n_settings += j->list.data[i].known.len > 0;
        length += j->list.data[i].known.len;
    }
    sg_model_state *s = new_state(model->allocator, length);
    if (!s)
        return SG_ERR_MEMORY;
    unsigned char *to = s->bytes + sizeof head;
    for (size_t i = 0; i < j->list.len; i++) {
        const sg_model_bytes *known = &j->list.data[i].known;
        if (known->len)
            memcpy(to, known->data, known->len);
        to += known->len;
    }
    memcpy(to, run->text, run->len);
    head.length = length;
    memcpy(head.magic, magic, sizeof magic);
    head.sum = sum_of(s, head);
    memcpy(s->bytes, &head, sizeof head);
    *out = s;
    return SG_OK;
}

static sg_status save(sg_model *model, sg_model_state **out)
{
    sg_buf run;
    sg_buf_init(&run, model->session->allocator);
    sg_archive a = sg_archive_to(&run);
    sg_status status = model->settings.failed ? SG_ERR_MEMORY : sg_live_save(&model->live, &a);
    if (status == SG_OK)
        status = sg_model_make_lists(model); // the signals are described anew
    if (status == SG_OK)
        status = write_state(model, &run, out);
    sg_buf_free(&run);
    if (a.refused)
        return sg_model_refuse(model, SG_ERR_USAGE, "the model cannot be saved: it has %s",
                               a.refused);
    return sg_model_leave(model, status);
}

sg_status sg_model_save(sg_model *model, sg_model_state **out)
{
    if (out)
        *out = NULL;
    if (!sg_model_enter(model))
        return SG_ERR_USAGE;
    if (!out)
        return sg_model_leave(model, SG_ERR_USAGE);
    if (!model->live.run || model->live.failed)
        return sg_model_refuse(model, SG_ERR_USAGE,
                               "there is no state to save: the model is not initialized, or it "
                               "failed%s",
                               "");
    if (model->signs)
        return sg_model_refuse(model, SG_ERR_USAGE,
                               "there is no state to save: the solver is the host's%s", "");
    return save(model, out);
}

// ---- restoring ------------------------------------------------------------------------------

typedef struct reader {
    const unsigned char *at, *end;
    bool damaged;
} reader;

static const unsigned char *take(reader *r, size_t n)
{
    const unsigned char *here = r->at;
    r->damaged |= n > (size_t)(r->end - r->at);
    if (r->damaged)
        return NULL;
    r->at += n;
    return here;
}

static void take_to(reader *r, void *to, size_t n)
{
    const unsigned char *from = take(r, n);
    if (from)
        memcpy(to, from, n);
    else
        memset(to, 0, n);
}

// `n` numbers in memory that is aligned for them; null after damage or without memory.
static double *take_numbers(reader *r, sg_arena *arena, size_t n)
{
    const unsigned char *from = n <= SIZE_MAX / sizeof(double) ? take(r, n * sizeof(double)) : NULL;
    double *numbers = from ? SG_NEW_ARRAY(arena, double, n + 1) : NULL;
    if (numbers && n)
        memcpy(numbers, from, n * sizeof *numbers);
    r->damaged |= !numbers;
    return numbers;
}

static sg_status restore_setting(sg_model *model, reader *r, sg_arena *arena)
{
    unsigned char letter;
    uint32_t n_name, n;
    take_to(r, &letter, 1);
    take_to(r, &n_name, sizeof n_name);
    take_to(r, &n, sizeof n);
    const unsigned char *from = take(r, n_name);
    const char *name = from ? sg_arena_text(arena, (const char *)from, n_name) : NULL;
    if (letter == SETTING_TEXT) {
        from = take(r, n);
        const char *text = from ? sg_arena_text(arena, (const char *)from, n) : NULL;
        if (!name || !text)
            return SG_ERR_INPUT;
        sg_model_note_setting(model, name, NULL, 0, text);
        return sg_live_set_text(&model->live, name, text);
    }
    const double *values = letter == SETTING_NUMBERS ? take_numbers(r, arena, n) : NULL;
    if (!name || !values)
        return SG_ERR_INPUT;
    sg_model_note_setting(model, name, values, n, NULL);
    return sg_live_set(&model->live, name, values, n);
}

// These values, and no others.
static sg_status restore_settings(sg_model *model, reader *r, uint64_t n, sg_arena *arena)
{
    sg_model_settings *j = &model->settings;
    sg_status status = SG_OK;
    sg_live_forget_values(&model->live);
    for (size_t i = 0; i < j->list.len; i++)
        j->list.data[i].known.len = j->list.data[i].pending.len = 0;
    for (uint64_t i = 0; i < n && status == SG_OK; i++)
        status = restore_setting(model, r, arena);
    return status;
}

// The values that were set, and then where the run stood.
static sg_status restore(sg_model *model, const sg_model_state *s, const state_head *head,
                         sg_arena *arena)
{
    reader r = {s->bytes + sizeof *head, s->bytes + s->length, false};
    sg_live_end(&model->live);
    sg_model_take_back(model);
    sg_status status = restore_settings(model, &r, head->n_settings, arena);
    if (status != SG_OK)
        return status;
    sg_archive a = sg_archive_from(r.at, (size_t)(r.end - r.at));
    status = sg_live_resume(&model->live, &a);
    sg_model_note_evaluated(model, !model->live.stale);
    return status == SG_OK ? sg_model_make_lists(model) : status;
}

// The values that were set so far, as bytes; null when memory ran out.
static const unsigned char *present_settings(const sg_model *model, sg_arena *arena, uint64_t *n,
                                             size_t *length)
{
    const sg_model_settings *j = &model->settings;
    *n = *length = 0;
    for (size_t i = 0; i < j->list.len; i++)
        *length += j->list.data[i].known.len;
    unsigned char *all = sg_arena_alloc(arena, *length + 1, 1), *to = all;
    for (size_t i = 0; all && i < j->list.len; i++) {
        const sg_model_bytes *known = &j->list.data[i].known;
        if (!known->len)
            continue;
        memcpy(to, known->data, known->len);
        to += known->len;
        ++*n;
    }
    return all;
}

// Magic, version and order come first in states of all versions, and in this order.
static bool is_of_another_version(const void *bytes, size_t n)
{
    state_head head = {.version = 0};
    size_t known = offsetof(state_head, build);
    if (n < known)
        return false;
    memcpy(&head, bytes, known);
    return memcmp(head.magic, magic, sizeof magic) == 0 &&
           (head.version != STATE_VERSION || head.order != STATE_ORDER);
}

static bool fits(const sg_model_state *s, state_head *head)
{
    if (s->length < sizeof *head)
        return false;
    memcpy(head, s->bytes, sizeof *head);
    return memcmp(head->magic, magic, sizeof magic) == 0 && head->version == STATE_VERSION &&
           head->order == STATE_ORDER && head->length == s->length && head->sum == sum_of(s, *head);
}

// Whose state it is; null if it is one of this model.
static const char *foreign(const sg_model *model, const state_head *head, char text[160])
{
    const sg_model_settings *j = &model->settings;
    if (head->build != SG_BUILD_IDENTITY) {
        snprintf(text, 160,
                 "the state was saved by another build of Segue (%016" PRIx64
                 ", this one is %016" PRIx64 ")",
                 head->build, (uint64_t)SG_BUILD_IDENTITY);
        return text;
    }
    if (head->text != j->text)
        return "the state belongs to another model: its text, or a file that it includes, differs";
    if (head->experiment != j->experiment)
        return "the state was saved with other times, tolerances, interval or another solver";
    return NULL;
}

sg_status sg_model_restore(sg_model *model, const sg_model_state *state)
{
    state_head head;
    if (!sg_model_enter(model))
        return SG_ERR_USAGE;
    if (!state)
        return sg_model_leave(model, SG_ERR_USAGE);
    if (!fits(state, &head))
        return sg_model_refuse(model, SG_ERR_INPUT, "this is no state, or a damaged one%s", "");
    char text[160];
    const char *why = foreign(model, &head, text);
    if (why)
        return sg_model_refuse(model, SG_ERR_INPUT, "%s", why);
    sg_arena arena;
    sg_arena_init(&arena, model->session->allocator);
    uint64_t n;
    size_t length;
    const unsigned char *before = present_settings(model, &arena, &n, &length);
    sg_status status = before ? restore(model, state, &head, &arena) : SG_ERR_MEMORY;
    if (status != SG_OK && before) { // what the host has set holds again
        reader r = {before, before + length, false};
        if (restore_settings(model, &r, n, &arena) == SG_OK && sg_live_link(&model->live) == SG_OK)
            sg_model_note_evaluated(model, true);
    }
    sg_arena_destroy(&arena);
    return status == SG_OK ? sg_model_leave(model, status)
                           : sg_model_refuse(model, status,
                                             "the state could not be restored: it does not fit to "
                                             "the model%s",
                                             "");
}

// ---- bytes and files ------------------------------------------------------------------------

const void *sg_model_state_bytes(const sg_model_state *state, size_t *n)
{
    if (n)
        *n = state ? state->length : 0;
    return state ? state->bytes : NULL;
}

sg_status sg_model_state_make(const sg_allocator *allocator, const void *bytes, size_t n,
                              sg_model_state **out)
{
    if (out)
        *out = NULL;
    if (!out || !bytes || !n)
        return SG_ERR_USAGE;
    sg_model_state *s = new_state(sg_allocator_or_default(allocator), n);
    if (!s)
        return SG_ERR_MEMORY;
    memcpy(s->bytes, bytes, n);
    state_head head;
    if (!fits(s, &head)) {
        sg_model_state_destroy(s);
        return SG_ERR_INPUT;
    }
    *out = s;
    return SG_OK;
}

static sg_status cannot(sg_diags *diags, const char *what, const char *path)
{
    if (diags)
        sg_error(diags, SG_E_IO, (sg_span){0}, "cannot %s '%s': %s", what, path, strerror(errno));
    return SG_ERR_IO;
}

sg_status sg_model_state_write(const sg_model_state *state, const char *path, sg_diags *diags)
{
    if (!state || !path)
        return SG_ERR_USAGE;
    FILE *file = fopen(path, "wb");
    if (!file)
        return cannot(diags, "write", path);
    bool written = fwrite(state->bytes, 1, state->length, file) == state->length;
    written = fclose(file) == 0 && written;
    return written ? SG_OK : cannot(diags, "write", path);
}

sg_status sg_model_state_read(const sg_allocator *allocator, const char *path, sg_diags *diags,
                              sg_model_state **out)
{
    if (out)
        *out = NULL;
    if (!out || !path)
        return SG_ERR_USAGE;
    allocator = sg_allocator_or_default(allocator);
    char *bytes;
    size_t length;
    if (sg_read_file(allocator, path, &bytes, &length) != SG_OK)
        return cannot(diags, "read", path);
    sg_status status = length ? sg_model_state_make(allocator, bytes, length, out) : SG_ERR_INPUT;
    bool other = is_of_another_version(bytes, length);
    allocator->resize(allocator->context, bytes, length + 1, 0);
    if (status == SG_ERR_INPUT && diags)
        sg_error(diags, SG_E_IO, (sg_span){0},
                 other ? "'%s' was saved by another version of Segue"
                       : "'%s' is no state of a model, or a damaged one",
                 path);
    return status;
}
