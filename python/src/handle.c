// A model as an object of Python: opened, given values, run, stepped, saved.
#include "common.h"
#include "segue/session.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

PyTypeObject *handle_type;

// ---- one thread at a time -------------------------------------------------------------------

static bool hold(handle *h, bool got)
{
    if (got)
        h->owner = PyThread_get_thread_ident();
    return got;
}

bool handle_enter(handle *h)
{
    if (hold(h, PyThread_acquire_lock(h->lock, NOWAIT_LOCK)))
        return true;
    PyErr_SetString(PyExc_RuntimeError,
                    h->owner == PyThread_get_thread_ident()
                        ? "the model is busy: this was called while it runs, from one of its own "
                          "callbacks"
                        : "the model is in use by another thread; load it once for each thread");
    return false;
}

bool handle_wait(handle *h)
{
    if (hold(h, PyThread_acquire_lock(h->lock, NOWAIT_LOCK)))
        return true;
    if (h->owner == PyThread_get_thread_ident())
        return handle_enter(h);
    Py_BEGIN_ALLOW_THREADS PyThread_acquire_lock(h->lock, WAIT_LOCK);
    Py_END_ALLOW_THREADS return hold(h, true);
}

void handle_leave(handle *h)
{
    for (size_t i = 0; i < h->n_dead; i++)
        sg_result_destroy(h->dead[i]);
    h->n_results -= h->n_dead;
    h->n_dead = 0;
    h->owner = 0;
    handle_bury(h);
    PyThread_release_lock(h->lock);
}

void handle_bury(handle *h)
{
    if (!h->closed || h->n_results)
        return;
    sg_model_destroy(h->model);
    h->model = NULL;
}

// Ready for a call; false with an exception.
static bool begin(handle *h)
{
    if (!h->model || h->closed) {
        PyErr_SetString(PyExc_ValueError, "the model is closed");
        return false;
    }
    return handle_enter(h);
}

// The end of a call: an exception of a callback, or what the messages make of the status. 0 if the
// call may return its value.
static int end(handle *h, sg_status status)
{
    messages told = h->told;
    h->told = (messages){0};
    h->stop = 0;
    PyObject *type = h->error[0], *value = h->error[1], *trace = h->error[2];
    h->error[0] = h->error[1] = h->error[2] = NULL;
    handle_leave(h);
    if (type) {
        messages_free(&told);
        PyErr_Restore(type, value, trace);
        return -1;
    }
    return deliver(status, &told);
}

// ---- callbacks, while the interpreter's lock is released ------------------------------------

// What a callback raised ends the call. With the interpreter's lock.
static void note_error(handle *h)
{
    if (!PyErr_Occurred())
        return;
    h->stop = SG_STOP_INTERRUPT;
    if (h->error[0])
        PyErr_Clear();
    else
        PyErr_Fetch(&h->error[0], &h->error[1], &h->error[2]);
}

static void report(void *context, const sg_model_message *one)
{
    handle *h = context;
    messages_add(&h->told, one);
}

static void write_out(void *context, const char *text, size_t length)
{
    handle *h = context;
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *string = PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, "replace");
    PyObject *done = string ? PyObject_CallFunctionObjArgs(write_hook, string, NULL) : NULL;
    Py_XDECREF(done);
    Py_XDECREF(string);
    note_error(h);
    PyGILState_Release(state);
}

// Ctrl-C: Python only notes the signal, and acts on it when asked.
#define LOOK_EVERY 0.05 // [s]

static void poll_signals(void *context)
{
    handle *h = context;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double t = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    if (h->stop || t - h->looked < LOOK_EVERY)
        return;
    h->looked = t;
    PyGILState_STATE state = PyGILState_Ensure();
    if (PyErr_CheckSignals() != 0)
        note_error(h);
    PyGILState_Release(state);
}

static void tell_progress(void *context, double t)
{
    handle *h = context;
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *done = h->progress ? PyObject_CallFunction(h->progress, "(d)", t) : NULL;
    Py_XDECREF(done);
    note_error(h);
    PyGILState_Release(state);
}

// ---- life -----------------------------------------------------------------------------------

static PyObject *create(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    (void)args;
    (void)keywords;
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    handle *h = (handle *)allocate(type, 0);
    if (!h)
        return NULL;
    h->lock = PyThread_allocate_lock();
    h->kept = PyList_New(0);
    if (h->lock && h->kept)
        return (PyObject *)h;
    Py_DECREF(h);
    return PyErr_NoMemory();
}

static void unbind(struct bound *b)
{
    Py_XDECREF(b->bytes);
    Py_XDECREF(b->names);
    free(b->index);
    free(b->elements);
    *b = (struct bound){0};
}

static void destroy(PyObject *self)
{
    handle *h = (handle *)self;
    sg_model_destroy(h->model); // its results hold a reference to it: there are none
    if (h->lock)
        PyThread_free_lock(h->lock);
    messages_free(&h->told);
    unbind(&h->in);
    unbind(&h->out);
    Py_XDECREF(h->kept);
    for (int i = 0; i < 3; i++)
        Py_XDECREF(h->error[i]);
    free(h->dead);
    free((void *)h->folders);
    free((void *)h->libraries);
    free_object(self);
}

static bool read_options(PyObject *given, PyObject *kept, sg_model_options *o)
{
    double memory = 0.0;
    const char **folders = NULL, **libraries = NULL;
    bool ok =
        take_text(given, "name", kept, &o->name) && take_number(given, "start", &o->start) &&
        take_number(given, "stop", &o->stop) && take_number(given, "tolerance", &o->tolerance) &&
        take_number(given, "atol", &o->atol) && take_number(given, "interval", &o->interval) &&
        take_text(given, "solver", kept, &o->solver) &&
        take_text(given, "compat", kept, &o->compat) &&
        take_text(given, "modia3d_path", kept, &o->modia3d_path) &&
        take_flag(given, "balance", &o->balance) && take_number(given, "max_memory", &memory) &&
        take_number(given, "max_cpu_time", &o->max_cpu_time) &&
        take_texts(given, "allow_read", kept, &folders, &o->n_allow_read) &&
        take_texts(given, "components", kept, &libraries, &o->n_libraries);
    o->max_memory = memory > 0.0 ? (size_t)memory : 0;
    o->allow_read = folders;
    o->libraries = libraries;
    return ok;
}

// open(path, text, options): a text has its path as a name
static PyObject *open_model(PyObject *self, PyObject *args)
{
    handle *h = (handle *)self;
    PyObject *path, *given;
    const char *text = NULL;
    Py_ssize_t length = 0;
    if (!PyArg_ParseTuple(args, "Oz#O:open", &path, &text, &length, &given))
        return NULL;
    if (h->model || h->closed || h->folders || h->libraries) {
        PyErr_SetString(PyExc_ValueError, "the handle was opened before");
        return NULL;
    }
    sg_model_options o = sg_model_options_make();
    const char *name = text_from(path, h->kept);
    bool ok = name && read_options(given, h->kept, &o);
    ok = ok && handle_enter(h);
    h->folders = o.allow_read; // looked at whenever the text reads a file
    h->libraries = o.libraries;
    if (!ok)
        return NULL;
    o.report = report;
    o.write = write_out;
    o.context = h;
    o.poll = poll_signals;
    o.stop_flag = &h->stop;
    sg_status status;
    Py_BEGIN_ALLOW_THREADS status =
        text ? sg_model_open_text(NULL, name, text, (size_t)length, &o, NULL, &h->model)
             : sg_model_open_file(NULL, name, &o, NULL, &h->model);
    Py_END_ALLOW_THREADS return end(h, status) ? NULL : none();
}

static PyObject *close_model(PyObject *self, PyObject *args)
{
    (void)args;
    handle *h = (handle *)self;
    if (!h->model || h->closed)
        return none();
    if (!handle_enter(h))
        return NULL;
    h->closed = true;
    unbind(&h->in);
    unbind(&h->out);
    handle_leave(h);
    return none();
}

// ---- what it consists of --------------------------------------------------------------------

static PyObject *text_or_none(const char *text)
{
    return text ? PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace") : none();
}

static PyObject *shape_of(uint32_t rank, const uint32_t size[2])
{
    return rank == 0   ? PyTuple_New(0)
           : rank == 1 ? Py_BuildValue("(I)", size[0])
                       : Py_BuildValue("(II)", size[0], size[1]);
}

static PyObject *describe(const sg_model_variable *v)
{
    return Py_BuildValue("(NNNiNN)", text_or_none(v->name), text_or_none(v->unit),
                         text_or_none(v->info), (int)v->type, shape_of(v->rank, v->size),
                         text_or_none(v->text));
}

// variables(list) -> [(name, unit, info, type, shape, text)]
static PyObject *list_variables(PyObject *self, PyObject *args)
{
    handle *h = (handle *)self;
    int list;
    if (!PyArg_ParseTuple(args, "i:variables", &list) || !begin(h))
        return NULL;
    PyObject *out = PyList_New(0);
    size_t n = sg_model_count(h->model, (sg_model_list)list);
    for (size_t i = 0; out && i < n; i++) {
        PyObject *item = describe(sg_model_at(h->model, (sg_model_list)list, i));
        if (!item || PyList_Append(out, item) != 0)
            Py_CLEAR(out);
        Py_XDECREF(item);
    }
    if (end(h, SG_OK))
        Py_CLEAR(out);
    return out;
}

// ---- values ---------------------------------------------------------------------------------

// set(name, numbers), with the numbers as bytes of doubles
static PyObject *set_numbers(PyObject *self, PyObject *args)
{
    handle *h = (handle *)self;
    const char *name, *bytes;
    Py_ssize_t length;
    if (!PyArg_ParseTuple(args, "sy#:set", &name, &bytes, &length) || !begin(h))
        return NULL;
    size_t n = (size_t)length / sizeof(double);
    double few[16], *values = n <= 16 ? few : malloc(n * sizeof *values); // bytes may lie anywhere
    if (values)
        memcpy(values, bytes, n * sizeof *values);
    sg_status status = values ? sg_model_set(h->model, name, values, n) : SG_ERR_MEMORY;
    if (values != few)
        free(values);
    return end(h, status) ? NULL : none();
}

static PyObject *set_text(PyObject *self, PyObject *args)
{
    handle *h = (handle *)self;
    const char *name, *text;
    if (!PyArg_ParseTuple(args, "ss:set_text", &name, &text) || !begin(h))
        return NULL;
    return end(h, sg_model_set_text(h->model, name, text)) ? NULL : none();
}

// get(name, n) -> float if n is 0, else a list of n
static PyObject *get_numbers(PyObject *self, PyObject *args)
{
    handle *h = (handle *)self;
    const char *name;
    Py_ssize_t n;
    if (!PyArg_ParseTuple(args, "sn:get", &name, &n) || !begin(h))
        return NULL;
    size_t count = n ? (size_t)n : 1;
    double few[16], *values = count <= 16 ? few : malloc(count * sizeof *values);
    sg_status status = SG_ERR_MEMORY;
    if (values) {
        Py_BEGIN_ALLOW_THREADS status = sg_model_get(h->model, name, values, count);
        Py_END_ALLOW_THREADS
    }
    PyObject *out = NULL;
    if (!end(h, status)) {
        out = n ? PyList_New(n) : PyFloat_FromDouble(few[0]);
        for (Py_ssize_t i = 0; out && i < n; i++)
            if (PyList_SetItem(out, i, PyFloat_FromDouble(values[i])) != 0)
                Py_CLEAR(out);
    }
    if (values != few)
        free(values);
    return out;
}

// ---- what a run goes by ---------------------------------------------------------------------

static PyObject *set_experiment(PyObject *self, PyObject *given)
{
    handle *h = (handle *)self;
    sg_model_experiment e = sg_model_experiment_make();
    PyObject *kept = PyList_New(0);
    bool ok = kept && take_number(given, "start", &e.start) &&
              take_number(given, "stop", &e.stop) &&
              take_number(given, "tolerance", &e.tolerance) &&
              take_number(given, "atol", &e.atol) && take_number(given, "interval", &e.interval) &&
              take_text(given, "solver", kept, &e.solver) &&
              take_flag(given, "no_record", &e.no_record) && begin(h);
    PyObject *out = ok && !end(h, sg_model_set_experiment(h->model, &e)) ? none() : NULL;
    h->records = !e.no_record;
    Py_XDECREF(kept);
    return out;
}

static PyObject *get_experiment(PyObject *self, PyObject *args)
{
    (void)args;
    handle *h = (handle *)self;
    if (!begin(h))
        return NULL;
    sg_model_experiment e = sg_model_get_experiment(h->model);
    return end(h, SG_OK) ? NULL
                         : Py_BuildValue("(ddddds)", e.start, e.stop, e.tolerance, e.atol,
                                         e.interval, e.solver);
}

// Hands a result to the list of the caller, who has it even if the call then raises.
static sg_status hand_over(handle *h, sg_result *result, PyObject *list)
{
    PyObject *object = result ? wrap_result(h, result) : NULL;
    if (!result || (object && PyList_Append(list, object) == 0)) {
        Py_XDECREF(object);
        return SG_OK;
    }
    PyErr_Clear();
    Py_XDECREF(object);
    return SG_ERR_MEMORY;
}

// run(options, list): the result is put in the list, also of a run that fails
static PyObject *run(PyObject *self, PyObject *args)
{
    handle *h = (handle *)self;
    PyObject *given, *list, *progress;
    if (!PyArg_ParseTuple(args, "OO!O:run", &given, &PyList_Type, &list, &progress))
        return NULL;
    sg_model_run_options o = sg_model_run_options_make();
    double events = 0.0;
    bool converge = false, strict = false, patterns = false, force = false;
    PyObject *kept = PyList_New(0);
    bool ok = kept && take_text(given, "signals", kept, &o.signals) &&
              take_text(given, "input", kept, &o.input_file) &&
              take_text(given, "log", kept, &o.log) && take_flag(given, "converge", &converge) &&
              take_flag(given, "strict", &strict) &&
              take_flag(given, "check_patterns", &patterns) && take_flag(given, "force", &force) &&
              take_number(given, "max_time", &o.max_time) &&
              take_number(given, "max_cpu_time", &o.max_cpu_time) &&
              take_number(given, "max_events", &events) && begin(h);
    if (!ok) {
        Py_XDECREF(kept);
        return NULL;
    }
    o.checks = (converge ? SG_SESSION_CONVERGE : 0u) | (strict ? SG_SESSION_STRICT : 0u) |
               (patterns ? SG_SESSION_PATTERNS : 0u);
    o.max_result = force ? UINT64_MAX : 0;
    o.max_events = events > 0.0 ? (uint64_t)events : 0;
    h->progress = progress == Py_None ? NULL : progress;
    o.progress = h->progress ? tell_progress : NULL;
    sg_result *result = NULL;
    sg_status status;
    Py_BEGIN_ALLOW_THREADS status = sg_model_run(h->model, &o, &result);
    Py_END_ALLOW_THREADS h->progress = NULL;
    Py_DECREF(kept);
    sg_status handed = hand_over(h, result, list);
    return end(h, status == SG_OK ? handed : status) ? NULL : none();
}

// ---- steps ----------------------------------------------------------------------------------

static double *numbers_of(const struct bound *b)
{
    // Nobody can change the size while there are views, but who takes these away could.
    bool whole = b->bytes && (size_t)PyByteArray_Size(b->bytes) == b->total * sizeof(double);
    return whole ? (double *)(void *)PyByteArray_AsString(b->bytes) : NULL;
}

// Where the outputs are in this segment. Those that are not there any more have no number.
static void find_outputs(handle *h, uint32_t segment)
{
    size_t n = sg_model_count(h->model, SG_MODEL_SIGNALS);
    for (size_t k = 0; k < h->out.n; k++) {
        const char *name = PyBytes_AsString(PyList_GetItem(h->out.names, (Py_ssize_t)k));
        h->out.index[k] = UINT32_MAX;
        for (uint32_t i = 0; i < n; i++) {
            const sg_model_variable *v = sg_model_at(h->model, SG_MODEL_SIGNALS, i);
            if (strcmp(v->name, name) == 0 && v->n == h->out.elements[k])
                h->out.index[k] = i;
        }
    }
    h->segment = segment;
}

static sg_status read_outputs(handle *h, double *to)
{
    bool all = true;
    for (size_t k = 0; k < h->out.n; k++)
        all = all && h->out.index[k] != UINT32_MAX;
    if (all)
        return sg_model_get_signals(h->model, h->out.index, h->out.n, to, h->out.total);
    sg_status status = SG_OK;
    for (size_t k = 0; k < h->out.n && status == SG_OK; to += h->out.elements[k++]) {
        if (h->out.index[k] != UINT32_MAX)
            status = sg_model_get_signals(h->model, &h->out.index[k], 1, to, h->out.elements[k]);
        else
            for (size_t i = 0; i < h->out.elements[k]; i++)
                to[i] = sg_missing();
    }
    return status;
}

typedef enum step_kind { STEP_NOT, STEP_ONCE, STEP_BY, STEP_TO } step_kind;

static PyObject *advance(handle *h, step_kind kind, double t)
{
    if (!begin(h))
        return NULL;
    double *in = numbers_of(&h->in), *out = numbers_of(&h->out);
    sg_status status = SG_OK;
    sg_model_now now = {0};
    if ((h->in.n && !in) || (h->out.n && !out)) {
        end(h, SG_OK);
        PyErr_SetString(PyExc_BufferError, "the array of a bound signal changed its size");
        return NULL;
    }
    if (kind == STEP_BY)
        t += sg_model_look(h->model).time;
    Py_BEGIN_ALLOW_THREADS if (in) status =
        sg_model_set_inputs(h->model, h->in.index, h->in.n, in, h->in.total);
    if (status == SG_OK && kind != STEP_NOT)
        status = kind == STEP_ONCE ? sg_model_step(h->model) : sg_model_step_to(h->model, t);
    if (status == SG_OK && kind != STEP_NOT && h->records)
        status = sg_model_record(h->model);
    now = sg_model_look(h->model);
    Py_END_ALLOW_THREADS if (out && now.segment != h->segment) find_outputs(h, now.segment);
    if (out && status == SG_OK) {
        Py_BEGIN_ALLOW_THREADS status = read_outputs(h, out);
        Py_END_ALLOW_THREADS
    }
    return end(h, status) ? NULL : PyFloat_FromDouble(now.time);
}

static PyObject *step_by(PyObject *self, PyObject *duration)
{
    double dt = PyFloat_AsDouble(duration);
    if (dt == -1.0 && PyErr_Occurred())
        return NULL;
    return advance((handle *)self, STEP_BY, dt);
}

static PyObject *step_to(PyObject *self, PyObject *time)
{
    double t = PyFloat_AsDouble(time);
    if (t == -1.0 && PyErr_Occurred())
        return NULL;
    return advance((handle *)self, STEP_TO, t);
}

static PyObject *step_once(PyObject *self, PyObject *args)
{
    (void)args;
    return advance((handle *)self, STEP_ONCE, 0.0);
}

static PyObject *refresh(PyObject *self, PyObject *args)
{
    (void)args;
    return advance((handle *)self, STEP_NOT, 0.0);
}

static sg_status bind_names(handle *h, struct bound *b, sg_model_list list, PyObject *names)
{
    size_t n = (size_t)PyList_Size(names);
    *b = (struct bound){.names = names, .n = n};
    Py_INCREF(names);
    b->index = malloc((n + 1) * sizeof *b->index);
    b->elements = malloc((n + 1) * sizeof *b->elements);
    sg_status status = b->index && b->elements ? SG_OK : SG_ERR_MEMORY;
    for (size_t i = 0; i < n && status == SG_OK; i++) {
        const char *name = PyBytes_AsString(PyList_GetItem(names, (Py_ssize_t)i));
        status = name ? sg_model_index(h->model, list, name, &b->index[i]) : SG_ERR_USAGE;
        if (status == SG_OK) {
            b->elements[i] = sg_model_at(h->model, list, b->index[i])->n;
            b->total += b->elements[i];
        }
    }
    if (status == SG_OK) {
        b->bytes = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(b->total * sizeof(double)));
        status = b->bytes ? SG_OK : SG_ERR_MEMORY;
    }
    return status;
}

static void fill_inputs(handle *h)
{
    double *to = numbers_of(&h->in);
    for (size_t i = 0; i < h->in.n; to += h->in.elements[i++])
        sg_model_get(h->model, PyBytes_AsString(PyList_GetItem(h->in.names, (Py_ssize_t)i)), to,
                     h->in.elements[i]);
}

// bind(which, names) -> byte array; which is 0 for inputs, 1 for outputs; names are bytes
static PyObject *bind_signals(PyObject *self, PyObject *args)
{
    handle *h = (handle *)self;
    int which;
    PyObject *names;
    if (!PyArg_ParseTuple(args, "iO!:bind", &which, &PyList_Type, &names) || !begin(h))
        return NULL;
    struct bound *b = which ? &h->out : &h->in;
    unbind(b);
    sg_status status = bind_names(h, b, which ? SG_MODEL_SIGNALS : SG_MODEL_INPUTS, names);
    if (status == SG_OK && which) {
        h->segment = sg_model_look(h->model).segment;
        status = read_outputs(h, numbers_of(b));
    } else if (status == SG_OK) {
        fill_inputs(h);
    }
    if (status != SG_OK)
        unbind(b);
    PyErr_Clear(); // of memory: the status tells
    if (end(h, status))
        return NULL;
    Py_INCREF(b->bytes);
    return b->bytes;
}

static PyObject *initialize(PyObject *self, PyObject *args)
{
    (void)args;
    handle *h = (handle *)self;
    if (!begin(h))
        return NULL;
    sg_status status;
    unbind(&h->in);
    unbind(&h->out);
    Py_BEGIN_ALLOW_THREADS status = sg_model_initialize(h->model);
    Py_END_ALLOW_THREADS return end(h, status) ? NULL : none();
}

static PyObject *reset(PyObject *self, PyObject *args)
{
    (void)args;
    handle *h = (handle *)self;
    if (!begin(h))
        return NULL;
    unbind(&h->in);
    unbind(&h->out);
    return end(h, sg_model_reset(h->model)) ? NULL : none();
}

// now() -> where it stands
static PyObject *look(PyObject *self, PyObject *args)
{
    (void)args;
    handle *h = (handle *)self;
    if (!begin(h))
        return NULL;
    sg_model_now n = sg_model_look(h->model);
    if (end(h, SG_OK))
        return NULL;
    return Py_BuildValue("(iiidddKKKKIIK)", (int)n.initialized, (int)n.done, (int)n.terminated,
                         n.time, n.stop, n.step, (unsigned long long)n.n_steps,
                         (unsigned long long)n.n_time_events, (unsigned long long)n.n_state_events,
                         (unsigned long long)n.n_evaluated, n.segment, n.n_states,
                         (unsigned long long)n.n_contacts);
}

// result(list): ends the run
static PyObject *take_result(PyObject *self, PyObject *list)
{
    handle *h = (handle *)self;
    sg_result *result = NULL;
    if (!begin(h))
        return NULL;
    sg_status status = sg_model_result(h->model, &result);
    sg_status handed = hand_over(h, result, list);
    return end(h, status == SG_OK ? handed : status) ? NULL : none();
}

// ---- states ---------------------------------------------------------------------------------

static PyObject *save_state(PyObject *self, PyObject *args)
{
    (void)args;
    handle *h = (handle *)self;
    sg_model_state *state = NULL;
    if (!begin(h))
        return NULL;
    sg_status status;
    Py_BEGIN_ALLOW_THREADS status = sg_model_save(h->model, &state);
    Py_END_ALLOW_THREADS size_t n = 0;
    const char *bytes = state ? sg_model_state_bytes(state, &n) : NULL;
    PyObject *out = bytes ? PyBytes_FromStringAndSize(bytes, (Py_ssize_t)n) : NULL;
    sg_model_state_destroy(state);
    if (end(h, status))
        Py_CLEAR(out);
    return out;
}

static PyObject *restore_state(PyObject *self, PyObject *args)
{
    handle *h = (handle *)self;
    const char *bytes;
    Py_ssize_t n;
    sg_model_state *state = NULL;
    if (!PyArg_ParseTuple(args, "y#:restore", &bytes, &n) || !begin(h))
        return NULL;
    sg_status status;
    Py_BEGIN_ALLOW_THREADS status = sg_model_state_make(NULL, bytes, (size_t)n, &state);
    if (status == SG_OK)
        status = sg_model_restore(h->model, state);
    sg_model_state_destroy(state);
    Py_END_ALLOW_THREADS h->segment = 0; // numbers of signals may be others
    if (end(h, status))
        return NULL;
    return advance(h, STEP_NOT, 0.0);
}

// From any thread.
static PyObject *request_stop(PyObject *self, PyObject *args)
{
    (void)args;
    handle *h = (handle *)self;
    if (h->owner)
        h->stop = SG_STOP_INTERRUPT;
    return PyBool_FromLong(h->owner != 0);
}

// ---- the type -------------------------------------------------------------------------------

static PyMethodDef methods[] = {
    {"open", open_model, METH_VARARGS, "open(path, text, options)"},
    {"close", close_model, METH_NOARGS, "close()"},
    {"variables", list_variables, METH_VARARGS, "variables(list)"},
    {"set", set_numbers, METH_VARARGS, "set(name, doubles)"},
    {"set_text", set_text, METH_VARARGS, "set_text(name, expression)"},
    {"get", get_numbers, METH_VARARGS, "get(name, n)"},
    {"set_experiment", set_experiment, METH_O, "set_experiment(options)"},
    {"experiment", get_experiment, METH_NOARGS, "experiment()"},
    {"run", run, METH_VARARGS, "run(options, list, progress)"},
    {"initialize", initialize, METH_NOARGS, "initialize()"},
    {"step", step_by, METH_O, "step(duration) -> time"},
    {"step_to", step_to, METH_O, "step_to(time) -> time"},
    {"step_once", step_once, METH_NOARGS, "step_once() -> time"},
    {"refresh", refresh, METH_NOARGS, "refresh() -> time"},
    {"bind", bind_signals, METH_VARARGS, "bind(which, names) -> byte array"},
    {"now", look, METH_NOARGS, "now()"},
    {"result", take_result, METH_O, "result(list)"},
    {"save", save_state, METH_NOARGS, "save() -> bytes"},
    {"restore", restore_state, METH_VARARGS, "restore(bytes)"},
    {"reset", reset, METH_NOARGS, "reset()"},
    {"request_stop", request_stop, METH_NOARGS, "request_stop() -> was it running?"},
    {NULL, NULL, 0, NULL}};

PyObject *make_handle_type(void)
{
    static PyType_Slot slots[] = {{Py_tp_doc, "A model of the library of Segue."},
                                  {Py_tp_new, (void *)create},
                                  {Py_tp_dealloc, (void *)destroy},
                                  {Py_tp_methods, methods},
                                  {0, NULL}};
    static PyType_Spec spec = {.name = "segue._segue.Handle",
                               .basicsize = sizeof(handle),
                               .flags = Py_TPFLAGS_DEFAULT,
                               .slots = slots};
    handle_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return (PyObject *)handle_type;
}
