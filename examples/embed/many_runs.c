// A thousand runs with other parameters in four threads. Each thread has a handle of its own, so
// there is nothing to lock; the text is translated four times, once in each thread.
#include <math.h>
#include <pthread.h>
#include <segue/model.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 4, RUNS = 1000 };

static const char text[] = "using Modia\n"
                           "Swing = Model(d = 0.1, phi = Var(init = 1.0), w = Var(init = 0.0),\n"
                           "    equations = :[der(phi) = w\n"
                           "                  der(w) = -4*phi - d*w])\n";

typedef struct share {
    pthread_t thread;
    int first;
    double worst; // against the closed form
    sg_status status;
} share;

static double exact(double d, double t)
{
    double a = d / 2.0, b = sqrt(4.0 - a * a);
    return exp(-a * t) * (cos(b * t) + a / b * sin(b * t));
}

static void *work(void *context)
{
    share *s = context;
    sg_model_options options = sg_model_options_make();
    options.stop = 5.0;
    options.tolerance = 1e-8;
    options.record = false;
    sg_model *model = NULL;
    s->status = sg_model_open_text(NULL, "swing.jl", text, strlen(text), &options, NULL, &model);
    for (int i = s->first; i < RUNS && s->status == SG_OK; i += THREADS) {
        double d = 0.1 + 1e-3 * i, phi = 0.0;
        sg_model_reset(model); // values are set before a run
        s->status = sg_model_set(model, "d", &d, 1);
        if (s->status == SG_OK)
            s->status = sg_model_initialize(model);
        if (s->status == SG_OK)
            s->status = sg_model_step_to(model, 5.0);
        if (s->status == SG_OK)
            s->status = sg_model_get(model, "phi", &phi, 1);
        s->worst = fmax(s->worst, fabs(phi - exact(d, 5.0)));
    }
    sg_model_destroy(model);
    return NULL;
}

int main(void)
{
    share shares[THREADS] = {0};
    double worst = 0.0;
    int failed = 0;
    for (int i = 0; i < THREADS; i++) {
        shares[i].first = i;
        if (pthread_create(&shares[i].thread, NULL, work, &shares[i]) != 0)
            return 1;
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(shares[i].thread, NULL);
        failed += shares[i].status != SG_OK;
        worst = fmax(worst, shares[i].worst);
    }
    printf("%d runs in %d threads, off by %.1e at most\n", RUNS, THREADS, worst);
    return failed || worst > 1e-5;
}
