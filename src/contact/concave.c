#include "contact/concave.h"

#include <math.h>

enum { TRIES = 40 };

// The most that it may be: on either side no more than the line through the other two goes on to.
static double most_within(const double x[3], const double y[3])
{
    double rise = (y[1] - y[0]) / (x[1] - x[0]), fall = (y[1] - y[2]) / (x[2] - x[1]);
    return y[1] + fmax(0.0, fmax(rise * (x[2] - x[1]), fall * (x[1] - x[0])));
}

bool sg_concave_find(double (*f)(const void *of, double x), const void *of, double x[3],
                     double y[3], double *out)
{
    const double golden = 0.3819660112501051;
    for (int i = 0; i < TRIES && most_within(x, y) > 0.0; i++) {
        bool top = y[1] >= y[0] && y[1] >= y[2];
        bool right = top ? x[2] - x[1] > x[1] - x[0] : y[2] > y[0];
        int end = right ? 2 : 0;
        double at = x[1] + golden * (x[end] - x[1]), value = f(of, at);
        if (value > 0.0) {
            *out = at;
            return true;
        }
        if (top && value <= y[1]) {
            x[end] = at;
            y[end] = value;
        } else {
            x[2 - end] = x[1];
            y[2 - end] = y[1];
            x[1] = at;
            y[1] = value;
        }
    }
    return false;
}
