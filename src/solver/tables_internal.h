// Runge-Kutta coefficients of our own, as they are written down.
#pragma once

#define SG_TABLE_STAGES 13

typedef struct sg_own_table {
    int stages, order, embedded; // embedded: order of the error estimate's solution, 0 is none
    double c[SG_TABLE_STAGES];
    double a[SG_TABLE_STAGES][SG_TABLE_STAGES];
    double b[SG_TABLE_STAGES], d[SG_TABLE_STAGES];
} sg_own_table;

// tables_high.c
extern const sg_own_table sg_table_verner7, sg_table_verner8, sg_table_prince_dormand8;
