// Random shapes for the tests of this folder, with every kind in turn.
#pragma once

#include "collide/distance.h"

struct sg_rng; // of the harness

#define TEST_KINDS 10          // eight kinds, a frustum, and a box without smoothing
#define TEST_SUPERELLIPSOID 10 // for its own tests: exponents 0.3 to 1.7

typedef struct test_shape {
    sg_shape shape;
    sg_mesh mesh;    // of meshes; released by test_shape_destroy
    int kind;        // 0 .. TEST_KINDS - 1, or TEST_SUPERELLIPSOID
    double d[5];     // sizes as given to the maker: lengths, diameters, exponents
    double rho;      // smoothing asked for
    int axis;        // 0, 1, 2
    double size;     // about how large it is
    sg_vec3 *vertex; // of meshes
    int nv;
} test_shape;

// A shape about `size` across; sizes of one shape differ by at most `aspect`. With `rounded` the
// kinds that know smoothing get some.
void test_shape_random(struct sg_rng *rng, int kind, double size, double aspect, bool rounded,
                       test_shape *out);
void test_shape_destroy(test_shape *shape);
const char *test_kind_name(int kind);
