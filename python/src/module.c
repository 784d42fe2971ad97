// The module itself, and how messages reach Python.
#include "common.h"
#include "segue/reference.h"
#include "segue/version.h"

#include <stdlib.h>
#include <string.h>

PyObject *deliver_hook, *write_hook;

PyObject *none(void)
{
    Py_INCREF(Py_None);
    return Py_None;
}

void free_object(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

// ---- messages -------------------------------------------------------------------------------

static char *copy(const char *text)
{
    size_t n = strlen(text ? text : "") + 1;
    char *out = malloc(n);
    if (out)
        memcpy(out, text ? text : "", n);
    return out;
}

void messages_add(messages *m, const sg_model_message *one)
{
    if (m->n == m->room) {
        size_t room = m->room ? 2 * m->room : 8;
        message *list = realloc(m->list, room * sizeof *list);
        if (!list) {
            m->lost = true;
            return;
        }
        m->list = list;
        m->room = room;
    }
    message *to = &m->list[m->n];
    *to = (message){one->severity, (int)one->code,  one->time,       one->line,
                    one->column,   copy(one->text), copy(one->file), copy(one->rendered)};
    if (to->text && to->file && to->rendered) {
        m->n++;
        return;
    }
    free(to->text);
    free(to->file);
    free(to->rendered);
    m->lost = true;
}

void messages_take(messages *m, sg_diags *diags)
{
    for (size_t i = 0; i < sg_diags_count(diags); i++) {
        const sg_diag *d = sg_diags_get(diags, i);
        messages_add(m, &(sg_model_message){.severity = d->severity,
                                            .code = d->code,
                                            .time = d->time,
                                            .text = d->message,
                                            .file = "",
                                            .rendered = ""});
    }
    sg_diags_destroy(diags);
}

void messages_free(messages *m)
{
    for (size_t i = 0; i < m->n; i++) {
        free(m->list[i].text);
        free(m->list[i].file);
        free(m->list[i].rendered);
    }
    free(m->list);
    *m = (messages){0};
}

// Texts of models may hold any bytes.
static PyObject *text_of(const char *text)
{
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

static PyObject *list_of(const messages *m)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < m->n; i++) {
        const message *one = &m->list[i];
        PyObject *item = Py_BuildValue("(iidIINNN)", (int)one->severity, one->code, one->time,
                                       one->line, one->column, text_of(one->text),
                                       text_of(one->file), text_of(one->rendered));
        if (!item || PyList_Append(list, item) != 0) {
            Py_XDECREF(item);
            Py_DECREF(list);
            return NULL;
        }
        Py_DECREF(item);
    }
    return list;
}

int deliver(sg_status status, messages *m)
{
    if (status == SG_OK && !m->n)
        return 0;
    PyObject *list = list_of(m);
    messages_free(m);
    if (!list)
        return -1;
    PyObject *done = PyObject_CallFunction(deliver_hook, "(iN)", (int)status, list);
    Py_XDECREF(done);
    return done ? 0 : -1;
}

// ---- options --------------------------------------------------------------------------------

const char *text_from(PyObject *value, PyObject *kept)
{
    PyObject *bytes = NULL;
    if (!PyUnicode_FSConverter(value, &bytes)) // str, bytes or a path; no NUL inside
        return NULL;
    int failed = PyList_Append(kept, bytes);
    Py_DECREF(bytes);
    return failed ? NULL : PyBytes_AsString(bytes);
}

// Borrowed; null if it is not there or None.
static PyObject *find(PyObject *options, const char *key)
{
    PyObject *value = PyDict_GetItemString(options, key);
    return value == Py_None ? NULL : value;
}

bool take_number(PyObject *options, const char *key, double *out)
{
    PyObject *value = find(options, key);
    if (!value)
        return true;
    double x = PyFloat_AsDouble(value);
    if (x == -1.0 && PyErr_Occurred()) {
        PyErr_Format(PyExc_TypeError, "%s must be a number, not %R", key, value);
        return false;
    }
    *out = x;
    return true;
}

bool take_text(PyObject *options, const char *key, PyObject *kept, const char **out)
{
    PyObject *value = find(options, key);
    if (value)
        *out = text_from(value, kept);
    return !value || *out;
}

bool take_flag(PyObject *options, const char *key, bool *out)
{
    PyObject *value = find(options, key);
    int truth = value ? PyObject_IsTrue(value) : *out;
    *out = truth > 0;
    return truth >= 0;
}

bool take_texts(PyObject *options, const char *key, PyObject *kept, const char ***list, size_t *n)
{
    PyObject *value = find(options, key), *sequence = value ? PySequence_List(value) : NULL;
    *list = NULL;
    *n = 0;
    if (!sequence)
        return !value;
    Py_ssize_t length = PyList_Size(sequence);
    *list = malloc(((size_t)length + 1) * sizeof **list);
    bool ok = *list != NULL;
    for (Py_ssize_t i = 0; i < length && ok; i++) {
        (*list)[i] = text_from(PyList_GetItem(sequence, i), kept);
        ok = (*list)[i] != NULL;
    }
    *n = ok ? (size_t)length : 0;
    if (!*list)
        PyErr_NoMemory();
    Py_DECREF(sequence);
    return ok;
}

// ---- the module -----------------------------------------------------------------------------

static PyObject *set_hooks(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *deliver_to, *write_to;
    if (!PyArg_ParseTuple(args, "OO:set_hooks", &deliver_to, &write_to))
        return NULL;
    Py_INCREF(deliver_to);
    Py_INCREF(write_to);
    Py_XDECREF(deliver_hook);
    Py_XDECREF(write_hook);
    deliver_hook = deliver_to;
    write_hook = write_to;
    return none();
}

static PyObject *page_available(PyObject *self, PyObject *args)
{
    (void)self;
    (void)args;
    const char *why = "";
    bool can = sg_page_available(&why);
    return PyUnicode_FromString(can ? "" : why);
}

static PyMethodDef functions[] = {
    {"set_hooks", set_hooks, METH_VARARGS, "set_hooks(deliver, write)"},
    {"open_result", open_result, METH_VARARGS, "open_result(path)"},
    {"draw_figure", draw_figure, METH_VARARGS, "draw_figure(curves, path, options)"},
    {"compare_results", compare_results, METH_VARARGS,
     "compare_results(a, b, rtol, atol, signals)"},
    {"page_unavailable", page_available, METH_NOARGS,
     "page_unavailable() -> why there are no pages, or ''"},
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT,
                                        .m_name = "segue._segue",
                                        .m_doc = "The library of Segue, for the package around it.",
                                        .m_size = -1,
                                        .m_methods = functions};

PyMODINIT_FUNC PyInit__segue(void);
PyMODINIT_FUNC PyInit__segue(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (!module)
        return NULL;
    PyObject *model = make_handle_type(), *result = make_result_type();
    if (!model || !result || PyModule_AddObject(module, "Handle", model) != 0 ||
        PyModule_AddObject(module, "Result", result) != 0 ||
        PyModule_AddStringConstant(module, "version", sg_version(NULL, NULL, NULL)) != 0) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
