// A controller in C around a robot of the language, at 1 kHz: each millisecond it reads the joint,
// computes a torque, and lets the model go on for a millisecond. What the loop knows of the model
// are names.
#include <math.h>
#include <segue/model.h>
#include <stdio.h>
#include <string.h>

static const char robot[] =
    "using Modia3D\n"
    "Robot = Model3D(\n"
    "    torque = Var(input = true, start = 0.0u\"N*m\"),\n"
    "    world = Object3D(feature = Scene(enableContactDetection = false)),\n"
    "    arm = Object3D(feature = Solid(shape = Beam(axis = 1, length = 1.0, width = 0.1,\n"
    "                   thickness = 0.1), solidMaterial = \"Aluminium\")),\n"
    "    shoulder = Object3D(parent = :arm, translation = [-0.5, 0.0, 0.0]),\n"
    "    joint = RevoluteWithFlange(axis = 3, obj1 = :world, obj2 = :shoulder,\n"
    "                               phi = Var(init = -1.5), w = Var(init = 0.0)),\n"
    "    equations = :[joint.flange.tau = torque])\n"
    "robot = @instantiateModel(Robot, unitless = true, log = false)\n"
    "simulate!(robot, stopTime = 3.0, tolerance = 1e-6, log = false)\n";

int main(void)
{
    sg_diags *diags = sg_diags_create(NULL);
    sg_model *model = NULL;
    sg_status status =
        sg_model_open_text(NULL, "robot.jl", robot, strlen(robot), NULL, diags, &model);
    if (status == SG_OK)
        status = sg_model_initialize(model);
    const double wanted = 0.5, stiffness = 600.0, damping = 150.0;
    double phi = 0.0, w = 0.0, sum = 0.0;
    for (int i = 1; i <= 3000 && status == SG_OK; i++) {
        sg_model_get(model, "joint.phi", &phi, 1);
        sg_model_get(model, "joint.w", &w, 1);
        sum += 1e-3 * (wanted - phi);
        double torque = stiffness * (wanted - phi) - damping * w + 800.0 * sum;
        sg_model_set(model, "torque", &torque, 1);
        status = sg_model_step_to(model, 1e-3 * i);
        if (i % 500 == 0)
            printf("t = %.1f s  phi = %7.4f rad  torque = %8.3f N m\n", 1e-3 * i, phi, torque);
    }
    for (size_t i = 0; i < sg_diags_count(diags); i++)
        puts(sg_diags_get(diags, i)->message);
    sg_model_destroy(model);
    sg_diags_destroy(diags);
    return status != SG_OK || fabs(phi - wanted) > 0.01;
}
