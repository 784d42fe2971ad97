// A hot restart: a run is saved to a file in the middle, and another handle, which may be that of
// another process, goes on from there. Both arrive at the same bits.
#include <segue/model.h>
#include <stdio.h>
#include <string.h>

static const char text[] = "using Modia\n"
                           "Ball = Model(h = Var(init = 1.0), v = Var(init = 0.0),\n"
                           "    equations = :[der(h) = v\n"
                           "                  der(v) = -9.81\n"
                           "                  hit = positive(-h)\n"
                           "                  up = if edge(hit); reinit(v, -0.7*v) else false "
                           "end])\n";

static sg_model *open_ball(sg_diags *diags)
{
    sg_model_options options = sg_model_options_make();
    options.stop = 2.0;
    sg_model *model = NULL;
    sg_model_open_text(NULL, "ball.jl", text, strlen(text), &options, diags, &model);
    return model;
}

static double height_at_end(sg_model *model)
{
    double h = 0.0;
    sg_model_step_to(model, 2.0);
    sg_model_get(model, "h", &h, 1);
    return h;
}

int main(void)
{
    sg_diags *diags = sg_diags_create(NULL);
    sg_model *first = open_ball(diags), *second = open_ball(diags);
    sg_model_state *state = NULL, *read = NULL;
    sg_status status = sg_model_initialize(first);
    if (status == SG_OK)
        status = sg_model_step_to(first, 1.0);
    if (status == SG_OK)
        status = sg_model_save(first, &state);
    if (status == SG_OK)
        status = sg_model_state_write(state, "ball.state", diags);
    if (status == SG_OK)
        status = sg_model_state_read(NULL, "ball.state", diags, &read);
    if (status == SG_OK)
        status = sg_model_restore(second, read);
    remove("ball.state");
    double a = height_at_end(first), b = height_at_end(second);
    printf("saved at 1 s; at 2 s h = %.17g m and %.17g m, %s\n", a, b,
           a == b ? "the same" : "which differ");
    for (size_t i = 0; i < sg_diags_count(diags); i++)
        puts(sg_diags_get(diags, i)->message);
    sg_model_state_destroy(state);
    sg_model_state_destroy(read);
    sg_model_destroy(first);
    sg_model_destroy(second);
    sg_diags_destroy(diags);
    return status != SG_OK || a != b;
}
