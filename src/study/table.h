// The table of a study from the inside.
#pragma once

#include "segue/study.h"

// The study it is of.
const sg_study *sg_study_table_study(const sg_study_table *table);
// The row of a run as text, without the end of its line and without the CPU time; null if there is
// none.
const char *sg_study_table_row(const sg_study_table *table, uint64_t run, size_t *length);
