// A result as an object of Python: what it consists of, its numbers, its files and pictures.
#include "common.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

PyTypeObject *result_type;

// ---- one thread at a time -------------------------------------------------------------------

static bool begin(result_object *r)
{
    if (r->owner)
        return handle_wait(r->owner);
    if (PyThread_acquire_lock(r->lock, NOWAIT_LOCK))
        return true;
    Py_BEGIN_ALLOW_THREADS PyThread_acquire_lock(r->lock, WAIT_LOCK);
    Py_END_ALLOW_THREADS return true;
}

static void leave(result_object *r)
{
    if (r->owner)
        handle_leave(r->owner);
    else
        PyThread_release_lock(r->lock);
}

// 0 if the call may return its value. Takes the list of messages.
static int end(result_object *r, sg_status status, sg_diags *diags)
{
    messages told = {0};
    leave(r);
    messages_take(&told, diags);
    return deliver(status, &told);
}

// ---- life -----------------------------------------------------------------------------------

PyObject *wrap_result(handle *owner, sg_result *result)
{
    allocfunc allocate = (allocfunc)PyType_GetSlot(result_type, Py_tp_alloc);
    result_object *r = (result_object *)allocate(result_type, 0);
    if (r && !owner)
        r->lock = PyThread_allocate_lock();
    if (!r || (!owner && !r->lock)) {
        Py_XDECREF((PyObject *)r);
        sg_result_destroy(result);
        return PyErr_NoMemory();
    }
    r->result = result;
    r->owner = owner;
    if (owner) {
        Py_INCREF((PyObject *)owner);
        owner->n_results++;
    }
    return (PyObject *)r;
}

// A result that is given up while its model runs in another thread is freed when that is over.
static void give_up(handle *owner, sg_result *result)
{
    if (PyThread_acquire_lock(owner->lock, NOWAIT_LOCK)) {
        sg_result_destroy(result);
        owner->n_results--;
        handle_leave(owner);
        return;
    }
    if (owner->n_dead == owner->room_dead) {
        size_t room = owner->room_dead ? 2 * owner->room_dead : 8;
        sg_result **list = realloc(owner->dead, room * sizeof(*list));
        if (!list)
            return; // lost, until the model is
        owner->dead = list;
        owner->room_dead = room;
    }
    owner->dead[owner->n_dead++] = result;
}

static void destroy(PyObject *self)
{
    result_object *r = (result_object *)self;
    handle *owner = r->owner;
    if (r->lock)
        PyThread_free_lock(r->lock);
    if (owner && r->result)
        give_up(owner, r->result);
    else
        sg_result_destroy(r->result);
    free_object(self);
    Py_XDECREF((PyObject *)owner);
}

PyObject *open_result(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *given, *kept = PyList_New(0);
    if (!kept || !PyArg_ParseTuple(args, "O:open_result", &given)) {
        Py_XDECREF(kept);
        return NULL;
    }
    const char *path = text_from(given, kept);
    if (!path) {
        Py_DECREF(kept);
        return NULL;
    }
    sg_diags *diags = sg_diags_create(NULL);
    sg_result *result = NULL;
    sg_status status;
    Py_BEGIN_ALLOW_THREADS status = sg_result_open(NULL, path, diags, &result);
    Py_END_ALLOW_THREADS Py_DECREF(kept);
    messages told = {0};
    messages_take(&told, diags);
    if (deliver(status, &told)) {
        sg_result_destroy(result);
        return NULL;
    }
    return wrap_result(NULL, result);
}

// ---- what it consists of --------------------------------------------------------------------

static PyObject *text_of(const char *text)
{
    const char *t = text ? text : "";
    return PyUnicode_DecodeUTF8(t, (Py_ssize_t)strlen(t), "replace");
}

static PyObject *shape_of(uint32_t rank, const uint32_t size[2])
{
    return rank == 0   ? PyTuple_New(0)
           : rank == 1 ? Py_BuildValue("(I)", size[0])
                       : Py_BuildValue("(II)", size[0], size[1]);
}

static PyObject *numbers_of(const double *x, uint32_t rank, const uint32_t size[2])
{
    size_t n = rank == 0 ? 1 : rank == 1 ? size[0] : (size_t)size[0] * size[1];
    PyObject *list = PyList_New((Py_ssize_t)n);
    for (size_t i = 0; list && i < n; i++)
        if (PyList_SetItem(list, (Py_ssize_t)i, PyFloat_FromDouble(x[i])) != 0)
            Py_CLEAR(list);
    return list;
}

static PyObject *describe(PyObject *self, PyObject *args)
{
    (void)args;
    result_object *r = (result_object *)self;
    if (!begin(r))
        return NULL;
    sg_result_info i = sg_result_describe(r->result);
    PyObject *out = Py_BuildValue("(NNNiiKdd)", text_of(i.path), text_of(i.model),
                                  text_of(i.damage), (int)i.finished, (int)i.outcome,
                                  (unsigned long long)i.n_points, i.start, i.stop);
    leave(r);
    return out;
}

// Each list by one function that makes the i-th entry, null beyond the end without an exception.
typedef PyObject *(*entry_maker)(const sg_result *result, size_t index);

static PyObject *make_list(PyObject *self, entry_maker make)
{
    result_object *r = (result_object *)self;
    PyObject *list = PyList_New(0);
    if (!list || !begin(r)) {
        Py_XDECREF(list);
        return NULL;
    }
    for (size_t i = 0; list; i++) {
        PyObject *entry = make(r->result, i);
        if (!entry && !PyErr_Occurred())
            break;
        if (!entry || PyList_Append(list, entry) != 0)
            Py_CLEAR(list);
        Py_XDECREF(entry);
    }
    leave(r);
    return list;
}

static PyObject *signal_entry(const sg_result *result, size_t i)
{
    const sg_signal *s = sg_result_signal(result, i);
    return s ? Py_BuildValue("(NNNiNii)", text_of(s->name), text_of(s->unit), text_of(s->info),
                             (int)s->type, shape_of(s->rank, s->size), (int)s->variability,
                             (int)(s->state != 0))
             : NULL;
}

static PyObject *parameter_entry(const sg_result *result, size_t i)
{
    const sg_parameter *p = sg_result_parameter_at(result, i);
    if (!p)
        return NULL;
    PyObject *value = p->value ? numbers_of(p->value, p->rank, p->size) : text_of(p->text);
    return Py_BuildValue("(NNNiNN)", text_of(p->name), text_of(p->unit), text_of(p->info),
                         (int)p->type, shape_of(p->rank, p->size), value);
}

static PyObject *attribute_entry(const sg_result *result, size_t i)
{
    const sg_attribute *a = sg_result_attribute_at(result, i);
    return a ? Py_BuildValue("(NidN)", text_of(a->key), (int)a->type, a->number, text_of(a->text))
             : NULL;
}

static PyObject *event_entry(const sg_result *result, size_t i)
{
    const sg_event_entry *e = sg_result_event(result, i);
    return e ? Py_BuildValue("(idKIN)", (int)e->kind, e->time, (unsigned long long)e->point,
                             e->segment, text_of(e->text))
             : NULL;
}

static PyObject *segment_entry(const sg_result *result, size_t i)
{
    if (i >= sg_result_describe(result).n_segments)
        return NULL;
    sg_segment_info s = sg_result_segment(result, i);
    return Py_BuildValue("(ddKKNnn)", s.start, s.stop, (unsigned long long)s.first_point,
                         (unsigned long long)s.n_points, text_of(s.action), (Py_ssize_t)s.n_signals,
                         (Py_ssize_t)s.n_states);
}

static PyObject *contact_entry(const sg_result *result, size_t i)
{
    sg_contact_entry c;
    if (i >= sg_result_contact_count(result) || sg_result_contacts(result, i, 1, &c, NULL) != SG_OK)
        return NULL;
    return Py_BuildValue("(NNddddddddN)", text_of(c.object1), text_of(c.object2), c.begin, c.end,
                         c.speed, c.depth, c.depth_time, c.force, c.force_time, c.impulse,
                         text_of(c.law));
}

static PyObject *list_signals(PyObject *self, PyObject *a)
{
    return (void)a, make_list(self, signal_entry);
}
static PyObject *list_parameters(PyObject *self, PyObject *a)
{
    return (void)a, make_list(self, parameter_entry);
}
static PyObject *list_attributes(PyObject *self, PyObject *a)
{
    return (void)a, make_list(self, attribute_entry);
}
static PyObject *list_events(PyObject *self, PyObject *a)
{
    return (void)a, make_list(self, event_entry);
}
static PyObject *list_segments(PyObject *self, PyObject *a)
{
    return (void)a, make_list(self, segment_entry);
}
static PyObject *list_contacts(PyObject *self, PyObject *a)
{
    return (void)a, make_list(self, contact_entry);
}

// ---- numbers --------------------------------------------------------------------------------

// All elements of a signal, those of a point side by side, a matrix row by row.
static sg_status read_elements(const sg_result *result, const sg_signal *s, size_t n, double *to,
                               sg_diags *diags)
{
    uint32_t count = sg_signal_count(s);
    if (count == 1 && s->rank == 0)
        return sg_result_values(result, s->name, 0, n, to, diags);
    double *column = malloc((n + 1) * sizeof *column);
    sg_status status = column ? SG_OK : SG_ERR_MEMORY;
    for (uint32_t k = 0; k < count && status == SG_OK; k++) {
        char name[1024];
        sg_element_name(s, k, name, sizeof name);
        status = sg_result_values(result, name, 0, n, column, diags);
        uint32_t place = s->rank == 2 ? k % s->size[0] * s->size[1] + k / s->size[0] : k;
        for (size_t i = 0; i < n; i++)
            to[i * count + place] = column[i];
    }
    free(column);
    return status;
}

// values(name) -> byte array: of a whole signal if `index` is its number, else of one element
static PyObject *read_values(PyObject *self, PyObject *args)
{
    result_object *r = (result_object *)self;
    const char *name;
    Py_ssize_t index;
    if (!PyArg_ParseTuple(args, "sn:values", &name, &index) || !begin(r))
        return NULL;
    const sg_signal *s = index >= 0 ? sg_result_signal(r->result, (size_t)index) : NULL;
    size_t n = (size_t)sg_result_points(r->result), count = s ? sg_signal_count(s) : 1;
    PyObject *bytes = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(n * count * sizeof(double)));
    double *to = bytes ? (double *)(void *)PyByteArray_AsString(bytes) : NULL;
    sg_diags *diags = sg_diags_create(NULL);
    sg_status status = SG_ERR_MEMORY;
    if (to) { // nobody else knows these bytes yet
        Py_BEGIN_ALLOW_THREADS status = s ? read_elements(r->result, s, n, to, diags)
                                          : sg_result_values(r->result, name, 0, n, to, diags);
        Py_END_ALLOW_THREADS
    }
    if (end(r, status, diags))
        Py_CLEAR(bytes);
    return bytes;
}

// ---- files ----------------------------------------------------------------------------------

// save(path, options): .segue, .json, .csv, .mat, .arrow by its suffix or by `format`
static PyObject *save(PyObject *self, PyObject *args)
{
    result_object *r = (result_object *)self;
    PyObject *given_path, *given, *kept = PyList_New(0);
    sg_convert_options o = sg_convert_options_make();
    const char **signals = NULL, *path = NULL;
    bool ok = kept && PyArg_ParseTuple(args, "OO:save", &given_path, &given) &&
              (path = text_from(given_path, kept)) && take_text(given, "format", kept, &o.format) &&
              take_texts(given, "signals", kept, &signals, &o.n_signals) &&
              take_flag(given, "csv_units", &o.csv_units) &&
              take_flag(given, "single", &o.single) && begin(r);
    PyObject *out = NULL;
    if (ok) {
        sg_diags *diags = sg_diags_create(NULL);
        o.signals = signals;
        sg_status status;
        Py_BEGIN_ALLOW_THREADS status = sg_result_convert(r->result, path, &o, diags);
        Py_END_ALLOW_THREADS out = end(r, status, diags) ? NULL : none();
    }
    free((void *)signals);
    Py_XDECREF(kept);
    return out;
}

// page(path, options) -> (bytes, signals, left out, bodies, frames)
static PyObject *write_page(PyObject *self, PyObject *args)
{
    result_object *r = (result_object *)self;
    PyObject *given_path, *given, *kept = PyList_New(0);
    sg_page_options o = sg_page_options_make();
    const char **signals = NULL, *path = NULL;
    bool ok = kept && PyArg_ParseTuple(args, "OO:page", &given_path, &given) &&
              (path = text_from(given_path, kept)) && take_text(given, "title", kept, &o.title) &&
              take_number(given, "max_size", &o.max_size) &&
              take_texts(given, "signals", kept, &signals, &o.n_signals) && begin(r);
    PyObject *out = NULL;
    if (ok) {
        sg_diags *diags = sg_diags_create(NULL);
        sg_page_report report = {0};
        o.signals = signals;
        sg_status status;
        Py_BEGIN_ALLOW_THREADS status = sg_page_write(r->result, path, &o, &report, diags);
        Py_END_ALLOW_THREADS if (!end(r, status, diags)) out = Py_BuildValue(
            "(Knnnn)", (unsigned long long)report.bytes, (Py_ssize_t)report.n_signals,
            (Py_ssize_t)report.n_left, (Py_ssize_t)report.n_bodies, (Py_ssize_t)report.n_frames);
    }
    free((void *)signals);
    Py_XDECREF(kept);
    return out;
}

// scene(path, format)
static PyObject *write_scene(PyObject *self, PyObject *args)
{
    result_object *r = (result_object *)self;
    PyObject *given_path, *kept = PyList_New(0), *out = NULL;
    const char *path = NULL;
    int format;
    bool ok = kept && PyArg_ParseTuple(args, "Oi:scene", &given_path, &format) &&
              (path = text_from(given_path, kept)) && begin(r);
    if (ok) {
        sg_diags *diags = sg_diags_create(NULL);
        sg_status status;
        Py_BEGIN_ALLOW_THREADS status =
            sg_scene_export(r->result, path, (sg_scene_format)format, diags);
        Py_END_ALLOW_THREADS out = end(r, status, diags) ? NULL : none();
    }
    Py_XDECREF(kept);
    return out;
}

// ---- figures --------------------------------------------------------------------------------

static bool figure_options(PyObject *given, PyObject *kept, sg_figure_options *o)
{
    double legend = o->max_legend;
    bool ok =
        take_text(given, "heading", kept, &o->heading) && take_text(given, "x", kept, &o->x_axis) &&
        take_flag(given, "grid", &o->grid) && take_flag(given, "events", &o->events) &&
        take_flag(given, "few_x_labels", &o->few_x_labels) &&
        take_number(given, "max_legend", &legend) && take_number(given, "width", &o->width) &&
        take_number(given, "height", &o->height) && take_number(given, "scale", &o->scale) &&
        take_number(given, "from", &o->from) && take_number(given, "to", &o->to) &&
        take_number(given, "x_lo", &o->x_lo) && take_number(given, "x_hi", &o->x_hi) &&
        take_number(given, "y_lo", &o->y_lo) && take_number(given, "y_hi", &o->y_hi) &&
        take_flag(given, "log_x", &o->log_x) && take_flag(given, "log_y", &o->log_y) &&
        take_flag(given, "degrees", &o->degrees) && take_flag(given, "equal", &o->equal) &&
        take_text(given, "right", kept, &o->right) &&
        take_text(given, "color_by", kept, &o->color_by) && take_flag(given, "band", &o->band);
    o->max_legend = legend >= 0.0 && legend < 1e6 ? (uint32_t)legend : o->max_legend;
    return ok;
}

// Adds a curve, (row, column, result, signal, prefix). All results are locked.
static bool add_curve(sg_figure *figure, PyObject *entry, sg_diags *diags, sg_status *status)
{
    unsigned row, column;
    PyObject *object;
    const char *signal, *prefix;
    if (!PyArg_ParseTuple(entry, "IIO!sz", &row, &column, result_type, &object, &signal, &prefix))
        return false;
    *status = sg_figure_plot(figure, row, column, ((result_object *)object)->result, signal, prefix,
                             diags);
    return true;
}

// What is locked for a result.
static const void *lock_of(const result_object *r)
{
    return r->owner ? (const void *)r->owner : (const void *)r;
}

static int by_lock(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t)lock_of(*(result_object *const *)a);
    uintptr_t y = (uintptr_t)lock_of(*(result_object *const *)b);
    return (x > y) - (x < y);
}

// Locks all results of a list of curves, each lock once and in the order of their addresses, so
// that two figures never wait for each other. Returns one result for each lock.
static result_object **lock_all(PyObject *curves, size_t *n)
{
    Py_ssize_t count = PyList_Size(curves);
    result_object **list = malloc(((size_t)count + 1) * sizeof(*list));
    size_t found = 0;
    *n = 0;
    if (!list)
        return (void)PyErr_NoMemory(), NULL;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *entry = PyList_GetItem(curves, i);
        bool fits = PyTuple_Check(entry) && PyTuple_Size(entry) == 5;
        PyObject *object = fits ? PyTuple_GetItem(entry, 2) : NULL;
        if (object && Py_TYPE(object) == result_type)
            list[found++] = (result_object *)object;
    }
    qsort(list, found, sizeof(*list), by_lock);
    for (size_t i = 0; i < found; i++) {
        if (*n && lock_of(list[*n - 1]) == lock_of(list[i]))
            continue;
        if (!begin(list[i])) {
            while (*n)
                leave(list[--*n]);
            free(list);
            return NULL;
        }
        list[(*n)++] = list[i];
    }
    return list;
}

PyObject *draw_figure(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *curves, *given_path, *given, *kept = PyList_New(0);
    sg_figure_options o = sg_figure_options_make();
    const char *path = NULL;
    if (!kept ||
        !PyArg_ParseTuple(args, "O!OO:draw_figure", &PyList_Type, &curves, &given_path, &given) ||
        !(path = text_from(given_path, kept)) || !figure_options(given, kept, &o)) {
        Py_XDECREF(kept);
        return NULL;
    }
    size_t n_locked;
    result_object **locked = lock_all(curves, &n_locked);
    if (!locked) {
        Py_DECREF(kept);
        return NULL;
    }
    sg_diags *diags = sg_diags_create(NULL);
    sg_figure *figure = sg_figure_create(NULL);
    sg_status status = figure ? SG_OK : SG_ERR_MEMORY;
    bool read = true;
    for (Py_ssize_t i = 0; i < PyList_Size(curves) && status == SG_OK && read; i++)
        read = add_curve(figure, PyList_GetItem(curves, i), diags, &status);
    if (status == SG_OK && read) {
        Py_BEGIN_ALLOW_THREADS status = sg_figure_save(figure, path, &o, diags);
        Py_END_ALLOW_THREADS
    }
    sg_figure_destroy(figure);
    for (size_t i = 0; i < n_locked; i++)
        leave(locked[i]);
    free(locked);
    Py_DECREF(kept);
    messages told = {0};
    messages_take(&told, diags);
    if (!read) {
        messages_free(&told);
        return NULL;
    }
    return deliver(status, &told) ? NULL : none();
}

// ---- comparing ------------------------------------------------------------------------------

static PyObject *list_differences(const sg_comparison *c)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < sg_comparison_count(c); i++) {
        const sg_difference *d = sg_comparison_get(c, i);
        PyObject *entry = Py_BuildValue("(iNddddd)", (int)d->kind, text_of(d->name), d->time,
                                        d->first, d->second, d->error, d->tolerance);
        if (!entry || PyList_Append(list, entry) != 0)
            Py_CLEAR(list);
        Py_XDECREF(entry);
    }
    return list;
}

PyObject *compare_results(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *a, *b, *given, *kept = PyList_New(0), *out = NULL;
    sg_compare_options o = sg_compare_options_make();
    const char **signals = NULL;
    bool ok =
        kept &&
        PyArg_ParseTuple(args, "O!O!O:compare_results", result_type, &a, result_type, &b, &given) &&
        take_number(given, "rtol", &o.rtol) && take_number(given, "atol", &o.atol) &&
        take_texts(given, "signals", kept, &signals, &o.n_signals);
    PyObject *pair =
        ok ? Py_BuildValue("[(iiOss)(iiOss)]", 0, 0, a, "", "", 0, 0, b, "", "") : NULL;
    size_t n_locked = 0;
    result_object **locked = pair ? lock_all(pair, &n_locked) : NULL;
    if (locked) {
        sg_diags *diags = sg_diags_create(NULL);
        sg_comparison *comparison = NULL;
        o.signals = signals;
        sg_status status;
        Py_BEGIN_ALLOW_THREADS status =
            sg_result_compare(NULL, ((result_object *)a)->result, ((result_object *)b)->result, &o,
                              diags, &comparison);
        Py_END_ALLOW_THREADS for (size_t i = 0; i < n_locked; i++) leave(locked[i]);
        messages told = {0};
        messages_take(&told, diags);
        if (!deliver(status, &told))
            out = list_differences(comparison);
        sg_comparison_destroy(comparison);
    }
    free(locked);
    free((void *)signals);
    Py_XDECREF(pair);
    Py_XDECREF(kept);
    return out;
}

// ---- the type -------------------------------------------------------------------------------

static PyMethodDef methods[] = {
    {"describe", describe, METH_NOARGS, "describe()"},
    {"signals", list_signals, METH_NOARGS, "signals()"},
    {"parameters", list_parameters, METH_NOARGS, "parameters()"},
    {"attributes", list_attributes, METH_NOARGS, "attributes()"},
    {"events", list_events, METH_NOARGS, "events()"},
    {"segments", list_segments, METH_NOARGS, "segments()"},
    {"contacts", list_contacts, METH_NOARGS, "contacts()"},
    {"values", read_values, METH_VARARGS, "values(name, index) -> byte array of doubles"},
    {"save", save, METH_VARARGS, "save(path, options)"},
    {"page", write_page, METH_VARARGS, "page(path, options)"},
    {"scene", write_scene, METH_VARARGS, "scene(path, format)"},
    {NULL, NULL, 0, NULL}};

static PyObject *refuse_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)type;
    (void)args;
    (void)keywords;
    PyErr_SetString(PyExc_TypeError, "results come from runs and from open_result");
    return NULL;
}

PyObject *make_result_type(void)
{
    static PyType_Slot slots[] = {{Py_tp_doc, "A result of the library of Segue."},
                                  {Py_tp_new, (void *)refuse_new},
                                  {Py_tp_dealloc, (void *)destroy},
                                  {Py_tp_methods, methods},
                                  {0, NULL}};
    static PyType_Spec spec = {.name = "segue._segue.Result",
                               .basicsize = sizeof(result_object),
                               .flags = Py_TPFLAGS_DEFAULT,
                               .slots = slots};
    result_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return (PyObject *)result_type;
}
