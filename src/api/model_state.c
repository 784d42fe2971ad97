#include "api/model_internal.h"
#include "segue/version.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

// Entries are numbers in the order of the machine, behind one letter. A file says which it is.
enum { ENTRY_STEPS = 'S', ENTRY_STEP_TO = 'T', ENTRY_INPUT = 'I', ENTRY_LOOK = 'L' };
enum { SETTING_NUMBERS = 'N', SETTING_TEXT = 'X' };

static const char magic[8] = "segstate"; // without its zero
#define STATE_VERSION 1u
#define STATE_ORDER 0x01020304u

typedef struct state_head {
    char magic[8];
    uint32_t version, order;
    uint64_t text;        // fingerprint of model, options and Segue
    uint64_t fingerprint; // of where the run stood
    uint64_t random;
    uint64_t length; // of the whole [bytes]
    uint32_t n_settings, n_inputs;
    uint64_t n_steps; // [bytes] of entries
    uint64_t sum;     // of the head, with zero here, and of all that follows
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

static void put(sg_model_journal *j, sg_model_bytes *to, const void *bytes, size_t n)
{
    if (j->failed || !sg_vec_reserve(j->allocator, (void **)&to->data, &to->cap, to->len + n, 1)) {
        j->failed = true;
        return;
    }
    if (n)
        memcpy(to->data + to->len, bytes, n);
    to->len += n;
}

static void put_letter(sg_model_journal *j, sg_model_bytes *to, char letter)
{
    put(j, to, &letter, 1);
}

void sg_model_journal_text(sg_model *model)
{
    sg_model_journal *j = &model->journal;
    const sg_model_options *o = &model->options;
    uint64_t hash = add_hash(FIRST_HASH, SG_VERSION_TEXT, sizeof SG_VERSION_TEXT);
    const sg_sources *sources = &model->session->sources; // with all that it includes
    for (uint32_t i = 1; i <= sources->len; i++) {
        const sg_source *s = sg_sources_get(sources, i);
        hash = s ? add_hash(hash, s->text, s->length) : hash;
    }
    if (o->name)
        hash = add_hash(hash, o->name, strlen(o->name));
    const sg_sim_options *sim = &model->live.sim;
    const double numbers[] = {sim->start, sim->stop, sim->tolerance, sim->atol, sim->interval};
    hash = add_hash(hash, numbers, sizeof numbers);
    j->text = add_hash(hash, sim->method->name, strlen(sim->method->name));
}

static sg_model_setting *find_setting(sg_model_journal *j, uint32_t name)
{
    for (size_t i = 0; i < j->settings.len; i++)
        if (j->settings.data[i].name == name)
            return &j->settings.data[i];
    sg_model_setting fresh = {.name = name};
    return SG_PUSH(j->allocator, &j->settings, fresh) ? &j->settings.data[j->settings.len - 1]
                                                      : NULL;
}

// The last one comes last: of a component and of a value in it, the later wins.
static sg_model_setting *move_to_end(sg_model_journal *j, sg_model_setting *s)
{
    sg_model_setting moved = *s, *end = j->settings.data + j->settings.len;
    memmove(s, s + 1, (size_t)(end - s - 1) * sizeof *s);
    end[-1] = moved;
    return end - 1;
}

void sg_model_note_setting(sg_model *model, const char *name, const double *values, size_t n,
                           const char *text)
{
    sg_model_journal *j = &model->journal;
    if (j->replaying)
        return;
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
    sg_model_journal *j = &model->journal;
    for (size_t i = 0; i < j->settings.len; i++) {
        sg_model_setting *s = &j->settings.data[i];
        if (well && s->pending.len) {
            s->known.len = 0;
            put(j, &s->known, s->pending.data, s->pending.len);
        }
        s->pending.len = 0;
    }
}

void sg_model_note_begin(sg_model *model)
{
    sg_model_journal *j = &model->journal;
    const sg_live *live = &model->live;
    j->steps.len = j->last = 0;
    if (j->replaying)
        return;
    if (j->n_inputs)
        memcpy(j->first_inputs, live->input_next, j->n_inputs * sizeof(double));
    j->random = model->session->vm->random_state;
}

static bool begin_entry(sg_model_journal *j, char letter)
{
    if (j->replaying)
        return false;
    j->last = j->steps.len;
    put_letter(j, &j->steps, letter);
    return true;
}

void sg_model_note_step(sg_model *model)
{
    sg_model_journal *j = &model->journal;
    uint64_t n = 1;
    if (j->replaying)
        return;
    if (j->last < j->steps.len && j->steps.data[j->last] == ENTRY_STEPS) {
        memcpy(&n, j->steps.data + j->last + 1, sizeof n);
        n++;
        memcpy(j->steps.data + j->last + 1, &n, sizeof n);
    } else if (begin_entry(j, ENTRY_STEPS)) {
        put(j, &j->steps, &n, sizeof n);
    }
}

void sg_model_note_step_to(sg_model *model, double t)
{
    if (begin_entry(&model->journal, ENTRY_STEP_TO))
        put(&model->journal, &model->journal.steps, &t, sizeof t);
}

void sg_model_note_input(sg_model *model, size_t input, const double *values, size_t n)
{
    sg_model_journal *j = &model->journal;
    uint32_t which = (uint32_t)input, count = (uint32_t)n;
    if (!model->live.run || !begin_entry(j, ENTRY_INPUT)) // else it is among the first ones
        return;
    put(j, &j->steps, &which, sizeof which);
    put(j, &j->steps, &count, sizeof count);
    put(j, &j->steps, values, n * sizeof *values);
}

void sg_model_note_look(sg_model *model) { begin_entry(&model->journal, ENTRY_LOOK); }

void sg_model_journal_free(sg_model *model)
{
    sg_model_journal *j = &model->journal;
    for (size_t i = 0; i < j->settings.len; i++) {
        SG_VEC_FREE(j->allocator, &j->settings.data[i].known);
        SG_VEC_FREE(j->allocator, &j->settings.data[i].pending);
    }
    SG_VEC_FREE(j->allocator, &j->settings);
    SG_VEC_FREE(j->allocator, &j->steps);
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

static sg_status write_state(sg_model *model, sg_model_state **out)
{
    const sg_model_journal *j = &model->journal;
    size_t length = sizeof(state_head) + j->n_inputs * sizeof(double) + j->steps.len;
    uint32_t n_settings = 0;
    for (size_t i = 0; i < j->settings.len; i++) {
        n_settings += j->settings.data[i].known.len > 0;
        length += j->settings.data[i].known.len;
    }
    sg_model_state *s = new_state(model->allocator, length);
    if (!s)
        return SG_ERR_MEMORY;
    unsigned char *to = s->bytes + sizeof(state_head);
    if (j->n_inputs)
        memcpy(to, j->first_inputs, j->n_inputs * sizeof(double));
    to += j->n_inputs * sizeof(double);
    for (size_t i = 0; i < j->settings.len; i++) {
        const sg_model_bytes *known = &j->settings.data[i].known;
        if (known->len)
            memcpy(to, known->data, known->len);
        to += known->len;
    }
    if (j->steps.len)
        memcpy(to, j->steps.data, j->steps.len);
    state_head head = {.version = STATE_VERSION,
                       .order = STATE_ORDER,
                       .text = j->text,
                       .fingerprint = sg_sim_fingerprint(model->live.run),
                       .random = j->random,
                       .length = length,
                       .n_settings = n_settings,
                       .n_inputs = (uint32_t)j->n_inputs,
                       .n_steps = j->steps.len};
    memcpy(head.magic, magic, sizeof magic);
    head.sum = sum_of(s, head);
    memcpy(s->bytes, &head, sizeof head);
    *out = s;
    return SG_OK;
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
    return sg_model_leave(model, model->journal.failed ? SG_ERR_MEMORY : write_state(model, out));
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
        model->journal.replaying = false;
        sg_model_note_setting(model, name, NULL, 0, text);
        model->journal.replaying = true;
        return sg_live_set_text(&model->live, name, text);
    }
    const double *values = letter == SETTING_NUMBERS ? take_numbers(r, arena, n) : NULL;
    if (!name || !values)
        return SG_ERR_INPUT;
    model->journal.replaying = false;
    sg_model_note_setting(model, name, values, n, NULL);
    model->journal.replaying = true;
    return sg_live_set(&model->live, name, values, n);
}

static sg_status replay_entry(sg_model *model, reader *r, sg_arena *arena)
{
    unsigned char letter;
    take_to(r, &letter, 1);
    if (letter == ENTRY_STEPS) {
        uint64_t n;
        sg_status status = SG_OK;
        take_to(r, &n, sizeof n);
        for (uint64_t i = 0; i < n && status == SG_OK && !r->damaged; i++)
            status = sg_model_is_over(model) ? SG_ERR_INPUT : sg_model_step_once(model);
        return status;
    }
    if (letter == ENTRY_STEP_TO) {
        double t;
        take_to(r, &t, sizeof t);
        return r->damaged || !(t <= model->live.sim.stop) ? SG_ERR_INPUT : sg_model_go_to(model, t);
    }
    if (letter == ENTRY_INPUT) {
        uint32_t input, n;
        take_to(r, &input, sizeof input);
        take_to(r, &n, sizeof n);
        const double *values = take_numbers(r, arena, n);
        return !values || input >= model->live.n_inputs
                   ? SG_ERR_INPUT
                   : sg_live_set_input(&model->live, input, values, n);
    }
    return letter == ENTRY_LOOK ? sg_live_evaluate(&model->live) : SG_ERR_INPUT;
}

static sg_status replay(sg_model *model, const sg_model_state *s, const state_head *head,
                        sg_arena *arena)
{
    sg_live *live = &model->live;
    sg_model_journal *j = &model->journal;
    reader r = {s->bytes + sizeof *head, s->bytes + s->length, false};
    const double *inputs = take_numbers(&r, arena, head->n_inputs);
    if (!inputs || head->n_inputs != j->n_inputs)
        return SG_ERR_INPUT;
    if (j->n_inputs)
        memcpy(live->input_next, inputs, j->n_inputs * sizeof(double));
    sg_live_forget_values(live);
    for (size_t i = 0; i < j->settings.len; i++)
        j->settings.data[i].known.len = j->settings.data[i].pending.len = 0;
    sg_status status = SG_OK;
    for (uint32_t i = 0; i < head->n_settings && status == SG_OK; i++)
        status = restore_setting(model, &r, arena);
    if (status != SG_OK)
        return status;
    model->session->vm->random_state = head->random;
    j->replaying = false;
    sg_model_note_begin(model);
    put(j, &j->steps, r.at, (size_t)(r.end - r.at)); // it may be saved again
    j->last = j->steps.len;
    j->replaying = true;
    if (head->n_steps != (uint64_t)(r.end - r.at))
        return SG_ERR_INPUT;
    status = sg_model_begin(model);
    while (status == SG_OK && r.at < r.end && !r.damaged)
        status = replay_entry(model, &r, arena);
    if (status == SG_OK && (r.damaged || sg_sim_fingerprint(live->run) != head->fingerprint))
        status = SG_ERR_INPUT;
    return status;
}

static bool fits(const sg_model_state *s, state_head *head)
{
    if (s->length < sizeof *head)
        return false;
    memcpy(head, s->bytes, sizeof *head);
    return memcmp(head->magic, magic, sizeof magic) == 0 && head->version == STATE_VERSION &&
           head->order == STATE_ORDER && head->length == s->length && head->sum == sum_of(s, *head);
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
    if (head.text != model->journal.text)
        return sg_model_refuse(model, SG_ERR_INPUT,
                               "the state belongs to another model, other options or another "
                               "version of Segue%s",
                               "");
    sg_arena arena;
    sg_arena_init(&arena, model->session->allocator);
    sg_live_end(&model->live);
    model->journal.replaying = true;
    model->live.quiet = true;
    sg_status status = replay(model, state, &head, &arena);
    sg_live_speak(&model->live);
    model->journal.replaying = false;
    sg_arena_destroy(&arena);
    if (status == SG_OK)
        return sg_model_leave(model, status);
    sg_live_end(&model->live);
    return sg_model_refuse(
        model, status, "the state could not be restored: the same steps do not lead there%s", "");
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

sg_status sg_model_state_read(const char *path, const sg_allocator *allocator, sg_diags *diags,
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
    allocator->resize(allocator->context, bytes, length + 1, 0);
    if (status == SG_ERR_INPUT && diags)
        sg_error(diags, SG_E_IO, (sg_span){0}, "'%s' is no state of a model, or a damaged one",
                 path);
    return status;
}
