#include "solver/tables.h"

#include "solver/tables_internal.h"

#include <arkode/arkode_butcher_dirk.h>
#include <arkode/arkode_butcher_erk.h>

static const sg_own_table euler = {.stages = 1, .order = 1, .b = {1.0}};

static const sg_own_table midpoint = {.stages = 2,
                                      .order = 2,
                                      .embedded = 1,
                                      .c = {0.0, 0.5},
                                      .a = {{0.0}, {0.5}},
                                      .b = {0.0, 1.0},
                                      .d = {1.0, 0.0}};

static const sg_own_table ralston = {.stages = 2,
                                     .order = 2,
                                     .embedded = 1,
                                     .c = {0.0, 2.0 / 3.0},
                                     .a = {{0.0}, {2.0 / 3.0}},
                                     .b = {0.25, 0.75},
                                     .d = {1.0, 0.0}};

static const sg_own_table rk4 = {.stages = 4,
                                 .order = 4,
                                 .c = {0.0, 0.5, 0.5, 1.0},
                                 .a = {{0.0}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}},
                                 .b = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0}};

// Ch. Tsitouras, Comput. Math. Appl. 62 (2011) 770-775, in the digits of the paper's tables. The
// last row of `a` is `b`: the last stage is the first one of the next step.
#define TSIT5_B                                                                                    \
    0.09646076681806523, 0.01, 0.4798896504144996, 1.379008574103742, -3.290069515436081,          \
        2.324710524099774
static const sg_own_table tsit5 = {
    .stages = 7,
    .order = 5,
    .embedded = 4,
    .c = {0.0, 0.161, 0.327, 0.9, 0.9800255409045097, 1.0, 1.0},
    .a = {{0.0},
          {0.161},
          {-0.008480655492356989, 0.335480655492357},
          {2.8971530571054935, -6.359448489975075, 4.3622954328695815},
          {5.325864828439257, -11.748883564062828, 7.4955393428898365, -0.09249506636175525},
          {5.86145544294642, -12.92096931784711, 8.159367898576159, -0.071584973281401,
           -0.028269050394068383},
          {TSIT5_B}},
    .b = {TSIT5_B, 0.0},
    // b minus the paper's error coefficients.
    .d = {0.09646076681806523 + 0.00178001105222577714, 0.01 + 0.0008164344596567469,
          0.4798896504144996 - 0.007880878010261995, 1.379008574103742 + 0.1447110071732629,
          -3.290069515436081 - 0.5823571654525552, 2.324710524099774 + 0.45808210592918697,
          -1.0 / 66.0}};

static const sg_own_table implicit_euler = {
    .stages = 1, .order = 1, .c = {1.0}, .a = {{1.0}}, .b = {1.0}};

static const sg_own_table implicit_midpoint = {
    .stages = 1, .order = 2, .c = {0.5}, .a = {{0.5}}, .b = {1.0}};

static const sg_own_table trapezoid = {
    .stages = 2, .order = 2, .c = {0.0, 1.0}, .a = {{0.0}, {0.5, 0.5}}, .b = {0.5, 0.5}};

static ARKodeButcherTable make(const sg_own_table *own)
{
    double a[SG_TABLE_STAGES * SG_TABLE_STAGES], b[SG_TABLE_STAGES], c[SG_TABLE_STAGES],
        d[SG_TABLE_STAGES];
    for (int i = 0; i < own->stages; i++) {
        b[i] = own->b[i];
        c[i] = own->c[i];
        d[i] = own->d[i];
        for (int j = 0; j < own->stages; j++)
            a[i * own->stages + j] = own->a[i][j];
    }
    return ARKodeButcherTable_Create(own->stages, own->order, own->embedded, c, a, b,
                                     own->embedded ? d : NULL);
}

ARKodeButcherTable sg_table_load(sg_table table)
{
    switch (table) {
    case SG_TABLE_EULER:
        return make(&euler);
    case SG_TABLE_HEUN_EULER:
        return ARKodeButcherTable_LoadERK(ARKODE_HEUN_EULER_2_1_2);
    case SG_TABLE_MIDPOINT:
        return make(&midpoint);
    case SG_TABLE_RALSTON:
        return make(&ralston);
    case SG_TABLE_BS3:
        return ARKodeButcherTable_LoadERK(ARKODE_BOGACKI_SHAMPINE_4_2_3);
    case SG_TABLE_RK4:
        return make(&rk4);
    case SG_TABLE_ZONNEVELD:
        return ARKodeButcherTable_LoadERK(ARKODE_ZONNEVELD_5_3_4);
    case SG_TABLE_NONE:
    case SG_TABLE_TSIT5:
        return make(&tsit5);
    case SG_TABLE_DP5:
        return ARKodeButcherTable_LoadERK(ARKODE_DORMAND_PRINCE_7_4_5);
    case SG_TABLE_CASH_KARP:
        return ARKodeButcherTable_LoadERK(ARKODE_CASH_KARP_6_4_5);
    case SG_TABLE_FEHLBERG5:
        return ARKodeButcherTable_LoadERK(ARKODE_FEHLBERG_6_4_5);
    case SG_TABLE_VERNER6:
        return ARKodeButcherTable_LoadERK(ARKODE_VERNER_8_5_6);
    case SG_TABLE_VERNER7:
        return make(&sg_table_verner7);
    case SG_TABLE_VERNER8:
        return make(&sg_table_verner8);
    case SG_TABLE_PRINCE_DORMAND8:
        return make(&sg_table_prince_dormand8);
    case SG_TABLE_IMPLICIT_EULER:
        return make(&implicit_euler);
    case SG_TABLE_IMPLICIT_MIDPOINT:
        return make(&implicit_midpoint);
    case SG_TABLE_TRAPEZOID:
        return make(&trapezoid);
    case SG_TABLE_TRBDF2:
        return ARKodeButcherTable_LoadDIRK(ARKODE_TRBDF2_3_3_2);
    case SG_TABLE_KVAERNO3:
        return ARKodeButcherTable_LoadDIRK(ARKODE_KVAERNO_4_2_3);
    case SG_TABLE_KVAERNO4:
        return ARKodeButcherTable_LoadDIRK(ARKODE_KVAERNO_5_3_4);
    case SG_TABLE_KVAERNO5:
        return ARKodeButcherTable_LoadDIRK(ARKODE_KVAERNO_7_4_5);
    case SG_TABLE_CASH4:
        return ARKodeButcherTable_LoadDIRK(ARKODE_CASH_5_3_4);
    case SG_TABLE_SDIRK4:
        return ARKodeButcherTable_LoadDIRK(ARKODE_SDIRK_5_3_4);
    case SG_TABLE_KENCARP3:
        return ARKodeButcherTable_LoadDIRK(ARKODE_ARK324L2SA_DIRK_4_2_3);
    case SG_TABLE_KENCARP4:
        return ARKodeButcherTable_LoadDIRK(ARKODE_ARK436L2SA_DIRK_6_3_4);
    case SG_TABLE_KENCARP47:
        return ARKodeButcherTable_LoadDIRK(ARKODE_ARK437L2SA_DIRK_7_3_4);
    case SG_TABLE_KENCARP5:
        return ARKodeButcherTable_LoadDIRK(ARKODE_ARK548L2SA_DIRK_8_4_5);
    case SG_TABLE_ESDIRK3:
        return ARKodeButcherTable_LoadDIRK(ARKODE_ESDIRK325L2SA_5_2_3);
    case SG_TABLE_ESDIRK4:
        return ARKodeButcherTable_LoadDIRK(ARKODE_ESDIRK437L2SA_7_3_4);
    case SG_TABLE_ESDIRK5:
        return ARKodeButcherTable_LoadDIRK(ARKODE_ESDIRK547L2SA_7_4_5);
    }
    return NULL;
}
