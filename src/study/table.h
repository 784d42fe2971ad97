// The table of a study from the inside.
#pragma once

#include "segue/study.h"

// The study it is of.
const sg_study *sg_study_table_study(const sg_study_table *table);
// A metric of a run; NaN if there is no row, or the run failed.
double sg_study_table_metric(const sg_study_table *table, uint64_t run, size_t metric);
