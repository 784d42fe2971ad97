// The extension module segue._segue: what its files share.
//
// It is a thin layer over the public headers of Segue, for the package in ../segue, which makes it
// pleasant. It keeps to Python's limited API of version 3.9, so that one file serves all later
// ones. That version has no buffers of C memory; numbers that Python is to see therefore lie in
// byte arrays of its own, which are filled here and never change their size: memory views and numpy
// share them.
//
// A model and its results share memory that knows no threads, so both go by one lock. Whoever runs
// a model does not wait for it and gets an error; whoever reads a result waits. All runs and all
// reading go without the interpreter's lock.
#pragma once

#define PY_SSIZE_T_CLEAN
#include "segue/model.h"
#include "segue/page.h"
#include "segue/result.h"

#include <Python.h>
#include <signal.h>
#include <stdbool.h>

// A message on its way to Python.
typedef struct message {
    sg_severity severity;
    int code;
    double time;
    unsigned line, column;
    char *text, *file, *rendered;
} message;

typedef struct messages {
    message *list;
    size_t n, room;
    bool lost; // one did not fit into memory
} messages;

void messages_add(messages *m, const sg_model_message *one);
// What a list of diagnostics holds, without places. Destroys the list.
void messages_take(messages *m, sg_diags *diags);
void messages_free(messages *m);

// The model handle as an object of Python.
typedef struct handle {
    PyObject_HEAD sg_model *model; // null: closed, or not open yet
    bool closed;
    PyThread_type_lock lock; // of the model and its results
    unsigned long owner;     // thread that holds it, 0: nobody
    messages told;
    volatile sig_atomic_t stop;
    double looked;      // when signals were last asked for [s]
    PyObject *error[3]; // an exception of a callback, to be raised when the call is over
    bool records;       // points where steps end
    PyObject *progress; // callable of the run that goes on, or null
    size_t n_results;   // that are alive
    sg_result **dead;   // given up while the model was running
    size_t n_dead, room_dead;
    PyObject *kept;                                // texts of its options
    const char *const *folders, *const *libraries; // ... and lists of them
    // Numbers that go in and out with each step, by the numbers of their signals (see bind).
    struct bound {
        PyObject *bytes;    // byte array with the numbers, or null
        PyObject *names;    // list of bytes
        uint32_t *index;    // in the list of the model; UINT32_MAX: not in this segment
        uint32_t *elements; // of each
        size_t n, total;    // signals, numbers
    } in, out;
    uint32_t segment; // that the numbers of `out` belong to
} handle;

// A result as an object of Python.
typedef struct result_object {
    PyObject_HEAD sg_result *result;
    handle *owner;           // whose memory it is; null: one of a file
    PyThread_type_lock lock; // of a file
} result_object;

extern PyTypeObject *handle_type, *result_type;
PyObject *make_handle_type(void);
PyObject *make_result_type(void);
// Takes over `result`.
PyObject *wrap_result(handle *owner, sg_result *result);
PyObject *open_result(PyObject *self, PyObject *args);
PyObject *draw_figure(PyObject *self, PyObject *args);
PyObject *compare_results(PyObject *self, PyObject *args);

// Frees an object of one of our types, which are made at run time.
void free_object(PyObject *self);

// Waits for the lock of a handle; false, with an exception, if this thread holds it already.
bool handle_wait(handle *h);
// Does not wait.
bool handle_enter(handle *h);
// Without an exception of its own.
void handle_leave(handle *h);
// The model is closed and nobody reads results of it: frees it.
void handle_bury(handle *h);

// Hands messages to Python, which warns and raises. 0 if the call may return its value. Frees them.
int deliver(sg_status status, messages *m);
// The callables of the package: deliver(status, messages), write(text).
extern PyObject *deliver_hook, *write_hook;

PyObject *none(void);

// ---- options as dictionaries; `kept` is a list that keeps texts alive ----

// The UTF-8 text of a str or a path, null with an exception.
const char *text_from(PyObject *value, PyObject *kept);
// Leave *out alone where the key is missing or None. False with an exception.
bool take_number(PyObject *options, const char *key, double *out);
bool take_text(PyObject *options, const char *key, PyObject *kept, const char **out);
bool take_flag(PyObject *options, const char *key, bool *out);
// A sequence of texts; *list is freed with free().
bool take_texts(PyObject *options, const char *key, PyObject *kept, const char ***list, size_t *n);
