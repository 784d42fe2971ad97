// The table of a study from the inside.
#pragma once

#include "segue/study.h"

// The study it is of.
const sg_study *sg_study_table_study(const sg_study_table *table);
