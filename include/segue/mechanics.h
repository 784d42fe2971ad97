// What robotics asks of a model with bodies: mass matrix, Jacobians, inverse dynamics and inverse
// kinematics (docs/robots.md).
//
//     sg_model_initialize(model);
//     size_t n = sg_model_n_coordinates(model);
//     sg_model_mass_matrix(model, NULL, M, n * n);
//
// The model has one Model3D and is initialized (segue/model.h). Coordinates are those of joints and
// of objects that move freely, from the world outward; joints that close loops have none. Where `q`
// or `v` is null the present state of the run is meant. Gravity counts; forces of elements,
// contacts and what equations put on flanges do not. All of them return SG_ERR_USAGE with a message
// for a model that is not initialized, has no such object or not one Model3D, and for other numbers
// of values.
#pragma once

#include "segue/model.h"

#ifdef __cplusplus
extern "C" {
#endif

// 0 if there are none, or it is not initialized.
SG_API size_t sg_model_n_coordinates(sg_model *model);
// "robot.hip.phi", "ball.translation[2]": at most `room` bytes with the zero at the end.
SG_API sg_status sg_model_coordinate_name(sg_model *model, size_t i, char *name, size_t room);

// n x n numbers, both triangles.
SG_API sg_status sg_model_mass_matrix(sg_model *model, const double *q, double *M, size_t n_M);
// 6 x n numbers, row after row: the velocity of an object's origin, then its angular velocity,
// along the axes of the world, from the rates of the coordinates.
SG_API sg_status sg_model_jacobian(sg_model *model, const char *object, const double *q, double *J,
                                   size_t n_J);
// Forces and torques in the joints, from n accelerations.
SG_API sg_status sg_model_inverse_dynamics(sg_model *model, const double *q, const double *v,
                                           const double *acceleration, double *tau, size_t n);
// Position and, row after row, the matrix R of an object: x_world = R x_object + position.
SG_API sg_status sg_model_pose(sg_model *model, const char *object, const double *q,
                               double position[3], double R[9]);
// Changes the n numbers `q`, from where the search begins, until the object is there; with R null
// its orientation is free. Objects that move freely stay. The run is not touched. SG_ERR_SOLVER if
// it cannot be reached.
SG_API sg_status sg_model_inverse_kinematics(sg_model *model, const char *object,
                                             const double position[3], const double *R, double *q,
                                             size_t n);

#ifdef __cplusplus
}
#endif
