/* Shared by the programs of this folder, which stand for those of strangers: they see what
   `make install` left, and nothing of the tree. */
#ifndef RUN_H
#define RUN_H

#include <segue/session.h>
#include <stdio.h>
#include <string.h>

static double last_height;

static sg_status keep_height(void *context, double t, const double *values, size_t n)
{
    (void)context;
    (void)t;
    last_height = n ? values[0] : -1.0;
    return SG_OK;
}

/* h = exp(-2) after two seconds, by the method that is named. */
static int run_decay(const char *method)
{
    char model[512];
    sg_session_options options = sg_session_options_make();
    sg_sink sink;
    sg_session *session = NULL;
    int status;
    snprintf(model, sizeof model,
             "using Modia\nusing DifferentialEquations\nDecay = Model(h = Var(init = 1.0), "
             "equations = :[der(h) = -h])\nd = @instantiateModel(Decay, log = false)\n"
             "simulate!(d, %s(), stopTime = 2.0, tolerance = 1e-8, log = false)\n",
             method);
    memset(&sink, 0, sizeof sink);
    sink.point = keep_height;
    options.sinks = &sink;
    options.n_sinks = 1;
    last_height = 0.0;
    if (sg_session_create(NULL, &options, &session) != SG_OK)
        return 1;
    status = sg_session_run_text(session, "decay.jl", model, strlen(model)) != SG_OK ||
             sg_session_exit_status(session) != 0;
    sg_session_destroy(session);
    if (status || last_height < 0.135335 || last_height > 0.135336) {
        printf("%s: status %d, %.10f\n", method, status, last_height);
        return 1;
    }
    return 0;
}

#endif
