// Scenario A18, written out as flattening writes it: a current-controlled motor with an elastic
// gear. Potential states that hide behind connections (the angle of the machine, the twist of the
// spring) must be given up for the ones with init, in the published order.
#include "equations/test_model.h"
#include "equations/translate.h"
#include "harness/sg_test.h"

// Replaces every '@' by the name of the component.
static void add_component(test_model *m, const char *name, const char *text)
{
    char out[2000];
    size_t n = 0;
    snprintf(out, sizeof out, "in %s\n", name);
    n = strlen(out);
    for (; *text && n + 40 < sizeof out; text++) {
        if (*text == '@')
            n += (size_t)snprintf(out + n, sizeof out - n, "%s", name);
        else
            out[n++] = *text;
    }
    snprintf(out + n, sizeof out - n, "in \n");
    model_parse(m, out);
}

static const char *inertia = "par @.J = 1\ninit @.phi = 0\ninit @.w = 0\n"
                             "@.phi = @.flange_a.phi\n"
                             "@.phi = @.flange_b.phi\n"
                             "@.w = der(@.phi)\n"
                             "@.a = der(@.w)\n"
                             "@.J*@.a = @.flange_a.tau + @.flange_b.tau\n";
static const char *one_port = "@.v = @.p.v - @.n.v\n0 = @.p.i + @.n.i\n@.i = @.p.i\n";

static void build_drive(test_model *m)
{
    add_component(m, "step", "par step.height = 4.7\n@.y = step.height\n");
    add_component(m, "feedback", "@.y = @.u1 - @.u2\n");
    add_component(m, "PI",
                  "par @.k = 30\npar @.T = 0.005\ninit @.x = 0\n"
                  "der(@.x) = @.u/@.T\n@.y = @.k*(@.x + @.u)\n");
    add_component(m, "firstOrder",
                  "par @.k = 1\npar @.T = 0.001\ninit @.x = 0\n"
                  "der(@.x) = (@.k*@.u - @.x)/@.T\n@.y = @.x\n");
    add_component(m, "signalVoltage", "@.p.v - @.n.v = @.v\n0 = @.p.i + @.n.i\n@.i = @.p.i\n");
    model_parse(m, "par resistor.R = 13.8\npar inductor.L = 0.061\ninit inductor.i = 0\n");
    add_component(m, "resistor", one_port);
    add_component(m, "resistor", "@.R*@.i = @.v\n");
    add_component(m, "inductor", one_port);
    add_component(m, "inductor", "@.L*der(@.i) = @.v\n");
    model_parse(m, "par emf.k = 1.016\n");
    add_component(m, "emf", one_port);
    add_component(m, "emf",
                  "@.phi = @.flange.phi\n@.w = der(@.phi)\n@.k*@.w = @.v\n"
                  "@.flange.tau = -@.k*@.i\n");
    add_component(m, "ground", "@.p.v = 0\n");
    add_component(m, "currentSensor", "@.p.v = @.n.v\n0 = @.p.i + @.n.i\n@.i = @.p.i\n");
    add_component(m, "motorInertia", inertia);
    add_component(m, "idealGear",
                  "par @.ratio = 105\n@.phi_a = @.flange_a.phi\n"
                  "@.phi_b = @.flange_b.phi\n@.phi_a = @.ratio*@.phi_b\n"
                  "0 = @.ratio*@.flange_a.tau + @.flange_b.tau\n");
    add_component(m, "springDamper",
                  "par @.c = 500000\npar @.d = 500\npar @.phi_rel0 = 0\n"
                  "@.phi_rel = @.flange_b.phi - @.flange_a.phi\n@.flange_b.tau = @.tau\n"
                  "@.flange_a.tau = -@.tau\n"
                  "@.tau = @.c*(@.phi_rel - @.phi_rel0) + @.d*der(@.phi_rel)\n");
    add_component(m, "loadInertia", inertia);
    add_component(m, "tload", "@.flange.tau = -@.tau\n");
    model_parse(m, "tload.tau = 0\n"
                   "connect step.y = feedback.u1\n"
                   "connect feedback.y = PI.u\n"
                   "connect PI.y = firstOrder.u\n"
                   "connect firstOrder.y = signalVoltage.v\n"
                   "connect signalVoltage.p.v = resistor.p.v\n"
                   "connect 0 = signalVoltage.p.i + resistor.p.i\n"
                   "connect resistor.n.v = inductor.p.v\n"
                   "connect 0 = resistor.n.i + inductor.p.i\n"
                   "connect inductor.n.v = emf.p.v\n"
                   "connect 0 = inductor.n.i + emf.p.i\n"
                   "connect emf.n.v = ground.p.v\n"
                   "connect ground.p.v = currentSensor.p.v\n"
                   "connect 0 = emf.n.i + ground.p.i + currentSensor.p.i\n"
                   "connect currentSensor.n.v = signalVoltage.n.v\n"
                   "connect 0 = currentSensor.n.i + signalVoltage.n.i\n"
                   "connect currentSensor.i = feedback.u2\n"
                   "connect emf.flange.phi = motorInertia.flange_a.phi\n"
                   "connect 0 = emf.flange.tau + motorInertia.flange_a.tau\n"
                   "connect motorInertia.flange_b.phi = idealGear.flange_a.phi\n"
                   "connect 0 = motorInertia.flange_b.tau + idealGear.flange_a.tau\n"
                   "connect idealGear.flange_b.phi = springDamper.flange_a.phi\n"
                   "connect 0 = idealGear.flange_b.tau + springDamper.flange_a.tau\n"
                   "connect springDamper.flange_b.phi = loadInertia.flange_a.phi\n"
                   "connect 0 = springDamper.flange_b.tau + loadInertia.flange_a.tau\n"
                   "connect loadInertia.flange_b.phi = tload.flange.phi\n"
                   "connect 0 = loadInertia.flange_b.tau + tload.flange.tau\n");
}

SG_TEST(the_controlled_motor_has_the_published_states_in_the_published_order)
{
    test_model m;
    model_begin(&m);
    build_drive(&m);
    model_translate(&m);
    SG_CHECK_MSG(m.status == SG_OK, "%s", model_messages(&m));
    SG_SAME_TEXT(model_states(&m), "PI.x firstOrder.x inductor.i motorInertia.phi motorInertia.w "
                                   "loadInertia.phi loadInertia.w");
    SG_SAME_TEXT(model_tears(&m), "");
    SG_CHECK(m.structure.n_init_checks == 0);
    SG_CHECK(m.structure.n_states_without_start == 0);
    model_end(&m);
}

// Without init the choice follows the classes alone; the model must still be solved.
SG_TEST(rigidly_coupled_inertias_of_the_library_keep_one_angle_and_one_speed)
{
    test_model m;
    model_begin(&m);
    add_component(&m, "i1", inertia);
    add_component(&m, "i2", inertia);
    add_component(&m, "i3", inertia);
    model_parse(&m, "i1.flange_a.tau = sin(time)\ni3.flange_b.tau = 0\n"
                    "connect i1.flange_b.phi = i2.flange_a.phi\n"
                    "connect 0 = i1.flange_b.tau + i2.flange_a.tau\n"
                    "connect i2.flange_b.phi = i3.flange_a.phi\n"
                    "connect 0 = i2.flange_b.tau + i3.flange_a.tau\n");
    model_translate(&m);
    SG_CHECK_MSG(m.status == SG_OK, "%s", model_messages(&m));
    SG_CHECK(m.structure.blocks.n_states == 2);
    SG_CHECK(m.structure.n_init_checks == 4); // angles and speeds of the other two
    const char *tears = model_tears(&m);
    SG_CHECK_MSG(!strchr(tears, ' ') && *tears, "%s", tears); // one system of one unknown
    model_end(&m);
}
