// The commands of `segue`, one function each. They get their own name in argv[0] and return the
// exit status.
#pragma once

int sg_cmd_bench(int argc, char **argv);
int sg_cmd_check(int argc, char **argv);
int sg_cmd_compare(int argc, char **argv);
int sg_cmd_convert(int argc, char **argv);
int sg_cmd_distance(int argc, char **argv);
int sg_cmd_export(int argc, char **argv);
int sg_cmd_dump(int argc, char **argv);
int sg_cmd_library(int argc, char **argv);
int sg_cmd_help_name(const char *name);                     // an entry of the reference
int sg_help_of_function(const char *name, int exit_status); // the same behind a command's page
int sg_cmd_info(int argc, char **argv);
int sg_cmd_info_result(int argc, char **argv); // `segue info` of a result
int sg_cmd_plot(int argc, char **argv);
int sg_cmd_run(int argc, char **argv);
int sg_cmd_study(int argc, char **argv);
int sg_cmd_view(int argc, char **argv);
