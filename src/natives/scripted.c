#include "natives/scripted.h"

#include "base/archive.h"
#include "lang/saved_values.h"

struct sg_scripted {
    sg_model_object *model;
    uint32_t *numbers; // of the components, among those that were built
    sg_value *objects; // where they are gathered
    size_t n;
    sg_buf built;           // the objects as they were built: each run begins with these
    sg_buf begun;           // ... and before the present segment began
    sg_moment moment;       // ... and when that was
    const char *refused;    // why these could not be written
    uint64_t random_before; // of a segment that is begun once more
    bool resumes;           // the next one is
};

static void archive_objects(struct sg_scripted *s, sg_archive *a)
{
    sg_built *built = s->model->instance.built.data;
    for (size_t i = 0; i < s->n; i++)
        s->objects[i] = built[s->numbers[i]].object;
    sg_values_archive(s->model->session->vm, s->objects, s->n, &s->model->self, 1, a);
    for (size_t i = 0; sg_archive_reads(a) && !a->failed && i < s->n; i++)
        built[s->numbers[i]].object = s->objects[i];
}

// Tried out: who says no must do so before anything has changed.
static const char *unsaved(const void *self)
{
    struct sg_scripted *s = (struct sg_scripted *)(uintptr_t)self;
    sg_buf out;
    sg_buf_init(&out, s->model->session->allocator);
    sg_archive a = sg_archive_to(&out);
    archive_objects(s, &a);
    sg_buf_free(&out);
    return s->refused ? s->refused : a.refused;
}

static sg_status archive_layout(void *self, sg_archive *a)
{
    struct sg_scripted *s = self;
    sg_archive_section(a, "components of the script");
    SG_ARCHIVE(a, s->moment);
    size_t n = sg_archive_count(a, s->begun.len, 1);
    if (sg_archive_reads(a)) {
        sg_buf_clear(&s->begun);
        sg_buf_pad(&s->begun, ' ', n);
    }
    if (s->begun.failed)
        return SG_ERR_MEMORY;
    if (n && !a->failed)
        sg_archive_bytes(a, s->begun.text, n);
    s->resumes = sg_archive_reads(a) && !a->failed;
    return a->failed ? SG_ERR_INPUT : SG_OK;
}

static sg_status archive(void *self, sg_archive *a)
{
    archive_objects(self, a);
    return a->failed && !a->refused ? SG_ERR_INPUT : SG_OK;
}

static sg_status begin_run(struct sg_scripted *s)
{
    bool known = s->built.len > 0;
    sg_archive a = known ? sg_archive_from(s->built.text, s->built.len) : sg_archive_to(&s->built);
    if (!s->refused)
        archive_objects(s, &a);
    s->refused = s->refused ? s->refused : a.refused;
    return a.failed && !a.refused ? SG_ERR_MEMORY : SG_OK;
}

sg_status sg_scripted_begin(sg_model_object *m, bool first)
{
    struct sg_scripted *s = m->scripted;
    if (!s || !m->may_save)
        return SG_OK;
    sg_status status = first ? begin_run(s) : SG_OK;
    if (status != SG_OK)
        return status;
    bool resumes = s->resumes && !first;
    s->resumes = false;
    if (resumes) {
        sg_archive a = sg_archive_from(s->begun.text, s->begun.len);
        archive_objects(s, &a);
        s->random_before = m->session->vm->random_state;
        m->again = a.failed ? NULL : &s->moment;
        return a.failed ? SG_ERR_INPUT : SG_OK;
    }
    sg_buf_clear(&s->begun);
    sg_archive a = sg_archive_to(&s->begun);
    archive_objects(s, &a);
    s->refused = s->refused ? s->refused : a.refused;
    s->moment = sg_component_moment(m);
    return a.failed && !a.refused ? SG_ERR_MEMORY : SG_OK;
}

void sg_scripted_begun(sg_model_object *m)
{
    struct sg_scripted *s = m->scripted;
    if (!m->again)
        return;
    m->session->vm->random_state = s->random_before; // which was drawn when it began
    m->again = NULL;
}

bool sg_scripted_begin_list(sg_model_object *m, sg_sim_component *out)
{
    static const sg_component_functions functions = {
        .unsaved = unsaved, .archive_layout = archive_layout, .archive = archive};
    size_t n = m->instance.built.len;
    struct sg_scripted *s = SG_NEW(&m->arena, struct sg_scripted);
    uint32_t *numbers = SG_NEW_ARRAY(&m->arena, uint32_t, n + 1);
    sg_value *objects = SG_NEW_ARRAY(&m->arena, sg_value, n + 1);
    if (!s || !numbers || !objects)
        return false;
    *s = (struct sg_scripted){.model = m, .numbers = numbers, .objects = objects};
    sg_buf_init(&s->begun, m->session->allocator);
    sg_buf_init(&s->built, m->session->allocator);
    m->scripted = s;
    *out = (sg_sim_component){&functions, s};
    return true;
}

void sg_scripted_add(sg_model_object *m, size_t i)
{
    m->scripted->numbers[m->scripted->n++] = (uint32_t)i;
}

void sg_scripted_destroy(sg_model_object *m)
{
    if (!m->scripted)
        return;
    sg_buf_free(&m->scripted->begun);
    sg_buf_free(&m->scripted->built);
}
