#include "contact/area_index.h"

#include <stdlib.h>

enum { GROUP = 16, FEW = 64 };
// Lists hold up to this part of the smallest face: far deeper than what can be called a contact of
// so fine a mesh.
static const double reach_part = 0.05;

static double coordinate(sg_vec3 x, int axis) { return axis == 0 ? x.x : axis == 1 ? x.y : x.z; }

// Cells before `middle` lie before all others along the axis; a quickselect.
static void part(sg_area_cell *cell, int n, int middle, int axis)
{
    int low = 0, high = n - 1;
    while (low < high) {
        double pivot = coordinate(cell[(low + high) / 2].middle, axis);
        int i = low, j = high;
        while (i <= j) {
            while (coordinate(cell[i].middle, axis) < pivot)
                i++;
            while (coordinate(cell[j].middle, axis) > pivot)
                j--;
            if (i <= j) {
                sg_area_cell other = cell[i];
                cell[i++] = cell[j];
                cell[j--] = other;
            }
        }
        if (middle <= j)
            high = j;
        else if (middle >= i)
            low = i;
        else
            return;
    }
}

static int widest_axis(const sg_area_cell *cell, int n)
{
    int best = 0;
    double most = -1.0;
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < n; i++) {
            low = fmin(low, coordinate(cell[i].middle, axis));
            high = fmax(high, coordinate(cell[i].middle, axis));
        }
        if (high - low > most) {
            most = high - low;
            best = axis;
        }
    }
    return best;
}

// Halves of halves, down to groups of GROUP; the number of halvings is that of the bits of n.
static void sort_cells(sg_area_cell *cell, int n)
{
    if (n <= GROUP)
        return;
    int groups = (n + GROUP - 1) / GROUP, middle = (groups / 2) * GROUP;
    part(cell, n, middle, widest_axis(cell, n));
    sort_cells(cell, middle);
    sort_cells(cell + middle, n - middle);
}

static void enclose(sg_area_group *group, const sg_area_cell *cell)
{
    sg_vec3 sum = V3_ZERO;
    for (int i = 0; i < group->n; i++)
        sum = v3_add(sum, cell[group->first + i].middle);
    group->middle = v3_scale(sum, 1.0 / group->n);
    for (int i = 0; i < group->n; i++) {
        const sg_area_cell *c = &cell[group->first + i];
        group->within = fmax(group->within, v3_distance(group->middle, c->middle) + c->within);
    }
}

// The list of cell i, and its length; `out` may be null.
static int list_near(const sg_area_index *x, const sg_area_cell *cell, int i, int *out)
{
    int count = 0;
    for (int g = 0; g < x->n_groups; g++) {
        const sg_area_group *group = &x->group[g];
        sg_area_cell whole = {.middle = group->middle, .within = group->within};
        for (int k = 0; k < group->n && !sg_area_cells_far(&cell[i], &whole, x->reach); k++) {
            int other = group->first + k;
            if (other == i || sg_area_cells_far(&cell[i], &cell[other], x->reach))
                continue;
            if (out)
                out[count] = other;
            count++;
        }
    }
    return count;
}

const sg_area_index *sg_area_index_create(sg_area_cell *cell, int n, sg_arena *arena)
{
    if (n < FEW)
        return NULL;
    sort_cells(cell, n);
    int groups = (n + GROUP - 1) / GROUP;
    sg_area_index *x = SG_NEW(arena, sg_area_index);
    sg_area_group *group = SG_NEW_ARRAY(arena, sg_area_group, groups);
    int *start = SG_NEW_ARRAY(arena, int, n + 1);
    if (arena->failed)
        return NULL;
    x->group = group;
    x->n_groups = groups;
    x->start = start;
    double least = INFINITY;
    for (int i = 0; i < n; i++)
        least = fmin(least, cell[i].within);
    x->reach = reach_part * least;
    for (int g = 0; g < groups; g++) {
        group[g].first = g * GROUP;
        group[g].n = n - g * GROUP < GROUP ? n - g * GROUP : GROUP;
        enclose(&group[g], cell);
    }
    for (int i = 0; i < n; i++)
        start[i + 1] = start[i] + list_near(x, cell, i, NULL);
    int *near = SG_NEW_ARRAY(arena, int, start[n] + 1);
    if (!near)
        return NULL;
    for (int i = 0; i < n; i++)
        list_near(x, cell, i, near + start[i]);
    x->near = near;
    return x;
}
