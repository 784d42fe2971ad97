// Vectors for SUNDIALS from our own allocator and our own compiler flags.
//
// SUNDIALS takes any vector that comes with a table of operations. Its own serial one is as fast as
// the distribution compiled it (Debian: not optimized at all) and cannot be told where memory comes
// from. A vector here is one block: head and numbers together, the numbers on a cache line of their
// own. Sums are taken in the order of the elements, so a result does not depend on how wide the
// machine's registers are.
//
// SUNDIALS does not survive a vector that cannot be made: N_VClone itself writes into what the
// table returned, and some setters do not look at all. So a clone never fails. When memory runs out
// it is a last resort that was put aside, the same one each time, and `refused` says that nothing
// computed from now on counts; whoever called SUNDIALS looks there and gives up.
#pragma once

#include "segue/alloc.h"
#include "segue/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_nvector.h>

struct sg_vector;

// The vectors that a linear combination was taken of.
enum { SG_VECTORS_SEEN = 13 };
typedef struct sg_vectors_seen {
    int n;
    N_Vector v[SG_VECTORS_SEEN];
} sg_vectors_seen;

// All vectors of one solver: they have the same length.
typedef struct sg_vectors {
    const sg_allocator *allocator;
    SUNContext context;
    int32_t n;
    struct _generic_N_Vector_Ops ops;
    struct sg_vector *last_resort;
    bool refused;            // it had to be handed out
    struct sg_vector *spare; // made beforehand, for the next clones
    sg_vectors_seen *seen;   // where the next combination notes its vectors; null: nobody asks
} sg_vectors;

typedef struct sg_vector {
    struct _generic_N_Vector generic; // first, and its content is the sg_vector itself
    int32_t n;
    double *data;
    size_t bytes; // of the block
    sg_vectors *home;
    struct sg_vector *next; // of the spare ones
} sg_vector;

// `vectors` must stay where it is until the last of them is gone.
sg_status sg_vectors_init(sg_vectors *vectors, const sg_allocator *allocator, SUNContext context,
                          int32_t n);
// After all others are gone.
void sg_vectors_destroy(sg_vectors *vectors);

// Makes `count` vectors beforehand: ARKODE clones some in its first step, where nothing should be
// allocated anymore. SG_ERR_MEMORY.
sg_status sg_vectors_reserve(sg_vectors *vectors, int count);

// A new one of zeros, or null when memory runs out. Freed by N_VDestroy, as all clones.
N_Vector sg_vector_new(sg_vectors *vectors);
// One whose numbers belong to the caller; N_VSetArrayPointer may put others in their place.
N_Vector sg_vector_wrap(sg_vectors *vectors, double *data);

// A line from one point to another after time h that leaves with a given slope.
typedef struct sg_bent_line {
    const double *from, *slope, *to;
    double h;
} sg_bent_line;
// Its n numbers, and their slopes unless dx is null, so long after it began.
void sg_vector_bend(const sg_bent_line *line, double passed, int32_t n, double *x, double *dx);

// out = c[0] v[0] + c[1] v[1] + ..., as SUNDIALS' N_VLinearCombination; 0.
int sg_vectors_combine(int count, double *c, N_Vector *v, N_Vector out);

static inline double *sg_vector_data(N_Vector v) { return ((sg_vector *)v->content)->data; }
static inline void sg_vector_point(N_Vector v, double *data)
{
    ((sg_vector *)v->content)->data = data;
}
