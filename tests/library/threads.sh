#!/bin/sh
# threads.sh SOURCE FOLDER
# Handles in many threads under the thread sanitizer: a build of its own in FOLDER, which stays there
# for the next time, and the tests of src/api/model_cycles_test.c that start threads.
set -eu
cmake -S "$1" -B "$2" -DCMAKE_BUILD_TYPE=Debug -DSG_THREADS=ON >/dev/null
cmake --build "$2" -j "$(nproc)" --target api_test >/dev/null
TSAN_OPTIONS=halt_on_error=1 "$2/api_test" thread
