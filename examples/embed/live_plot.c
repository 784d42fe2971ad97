// A live plot in a terminal: a model that runs as time passes, with one line of text for each tenth
// of a second of it. With the argument `live` it waits for the clock.
#define _POSIX_C_SOURCE 200809L
#include <segue/model.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char text[] = "using Modia\n"
                           "Swing = Model(phi = Var(init = 1.0), w = Var(init = 0.0),\n"
                           "    equations = :[der(phi) = w\n"
                           "                  der(w) = -9.81*sin(phi) - 0.3*w])\n";

static sg_status tell_event(void *context, sg_event_kind kind, double t, const char *what)
{
    (void)context;
    (void)kind;
    printf("%5.1f s  %s\n", t, what);
    return SG_OK;
}

int main(int argc, char **argv)
{
    enum { WIDTH = 60 };
    sg_sink sink = {.event = tell_event};
    sg_model_options options = sg_model_options_make();
    options.stop = 4.0;
    options.record = false;
    options.sinks = &sink;
    options.n_sinks = 1;
    sg_model *model = NULL;
    sg_status status =
        sg_model_open_text(NULL, "swing.jl", text, strlen(text), &options, NULL, &model);
    if (status == SG_OK)
        status = sg_model_initialize(model);
    for (int i = 0; i <= 40 && status == SG_OK; i++) {
        double phi;
        char line[WIDTH + 1];
        if (i)
            status = sg_model_step_to(model, 0.1 * i);
        if (status != SG_OK || (status = sg_model_get(model, "phi", &phi, 1)) != SG_OK)
            break;
        memset(line, ' ', WIDTH);
        line[WIDTH] = '\0';
        line[WIDTH / 2] = '|';
        line[WIDTH / 2 + (int)(phi * (WIDTH / 2 - 1))] = '*';
        printf("%5.1f s  %s\n", sg_model_look(model).time, line);
        fflush(stdout);
        if (argc > 1 && strcmp(argv[1], "live") == 0)
            nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    }
    sg_model_destroy(model);
    return status != SG_OK;
}
