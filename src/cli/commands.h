// The commands of `segue`, one function each. They get their own name in argv[0] and return the
// exit status.
#pragma once

int sg_cmd_distance(int argc, char **argv);
