// Runs a model from a C program: what it prints and reports comes through callbacks, what it
// computed is a JSON summary. No file is touched.
#include <segue/session.h>
#include <stdio.h>
#include <string.h>

static const char model[] = "using Modia\n"
                            "Decay = Model(k = 2.0, x = Var(init = 1.0),\n"
                            "              equations = :[der(x) = -k*x])\n"
                            "decay = @instantiateModel(Decay)\n"
                            "simulate!(decay, stopTime = 1.0, tolerance = 1e-8)\n"
                            "println(\"x(1) = \", getLastValue(decay, \"x\"))\n";

static void print_output(void *context, const char *text, size_t length)
{
    (void)context;
    fwrite(text, 1, length, stdout);
}

static void print_message(void *context, const sg_diag *diag, const char *rendered)
{
    (void)context;
    (void)diag;
    fputs(rendered, stderr);
}

int main(void)
{
    sg_session_options options = sg_session_options_make();
    options.write = print_output;
    options.report = print_message;
    options.tolerance = 1e-10; // wins over what the script says
    sg_session *session;
    if (sg_session_create(NULL, &options, &session) != SG_OK)
        return 1;
    sg_session_run_text(session, "decay.jl", model, strlen(model));
    const char *json;
    if (sg_session_summary(session, &json) == SG_OK)
        fputs(json, stdout);
    int status = sg_session_exit_status(session);
    sg_session_destroy(session);
    return status;
}
