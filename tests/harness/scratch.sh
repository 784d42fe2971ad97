#!/bin/sh
# Runs a test that writes to FOLDER: empty before it and, unless the test fails, afterwards. What a
# failure left there is for who looks for its cause.
#   usage: scratch.sh FOLDER COMMAND...
set -u
folder=$1
shift
rm -rf "$folder"
mkdir -p "$folder" || exit 1
"$@"
status=$?
case $status in
0 | 77) rm -rf "$folder" && mkdir -p "$folder" ;; # 77: skipped
esac
exit $status
