#include "collide/touches.h"

static bool comes_before(const sg_touch *x, const sg_touch *y)
{
    return x->a != y->a ? x->a < y->a : x->b < y->b;
}

// Shell's sort: in place, without the allocations of qsort.
static void sort_touches(sg_touch *t, size_t n)
{
    for (size_t gap = n / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11)
        for (size_t i = gap; i < n; i++) {
            sg_touch x = t[i];
            size_t j = i;
            for (; j >= gap && comes_before(&x, &t[j - gap]); j -= gap)
                t[j] = t[j - gap];
            t[j] = x;
        }
}

void sg_touches_settle(sg_detect *d)
{
    sort_touches(d->touch.data, d->touch.len);
    size_t k = 0;
    for (size_t i = 0; i < d->touch.len; i++) {
        sg_touch *t = &d->touch.data[i];
        while (k < d->last.len && comes_before(&d->last.data[k], t))
            k++;
        t->is_new = k == d->last.len || comes_before(t, &d->last.data[k]);
    }
}

void sg_touches_exchange(sg_detect *d)
{
    sg_touch *data = d->touch.data;
    size_t len = d->touch.len, cap = d->touch.cap;
    d->touch.data = d->last.data;
    d->touch.len = d->last.len;
    d->touch.cap = d->last.cap;
    d->last.data = data;
    d->last.len = len;
    d->last.cap = cap;
}
