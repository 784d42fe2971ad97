// Stage two's step: down the support function to a least value, in a few Newton steps.
//
// The signed distance is minus the least value of h(n) over unit vectors n, where h is the support
// function of the difference A - B. Near its minimum h is the largest of a few smooth functions
// h_j, one for each pair of pieces (shapes/support.h) that meets there: one piece where two smooth
// surfaces face each other, two where an edge does, three for a face. A step solves the model
//
//     min over tangent d of  max_j (h_j + g_j d) + d W d / 2,   W = sum mu_j H_j - h 1
//
// with g_j the tangent part of the support point p_j = grad h_j, H_j its curvature and mu_j the
// weights of the last step; "- h 1" is the bending of the sphere of directions. W is positive
// definite at a strict minimum, apart (h < 0) and penetrating alike, and convergence is quadratic.
// At the end the weighted point sum mu_j p_j is parallel to n: the contact point.
#pragma once

#include "collide/pair.h"

#define SG_DESCENT_PIECES 6

typedef struct sg_descent {
    sg_vec3 n;  // unit direction
    double h;   // largest h_j(n) = support value in direction n
    int pieces; // known pieces, each with its point at n
    sg_support_point piece[SG_DESCENT_PIECES];
    double mu[SG_DESCENT_PIECES]; // weights, >= 0, sum 1; zero for pieces that do not meet here
    sg_vec3 e1, e2;               // tangent basis at n
    double W[3];                  // the model's matrix in it: W11, W12, W22
    int steps;
    bool converged;
} sg_descent;

void sg_descent_start(sg_descent *descent, sg_vec3 n);
// Makes a piece known and returns its place, or -1 if it is known already.
int sg_descent_add(sg_descent *descent, const sg_support_point *point);
// Goes down from descent->n. True when the last step was so small that the next would not count.
bool sg_descend(sg_pair *pair, sg_descent *descent, int max_steps);
// sum mu_j p_j and the same for the points on A.
sg_support_point sg_descent_point(const sg_descent *descent);
