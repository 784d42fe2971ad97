// The last word on limits and Ctrl-C: a thread that ends the program when it does not do so itself.
//
// The library polls, and ends with all results in order; that takes milliseconds. Where it is busy
// with one long thing (a matrix, a huge text), the thread waits for less than half a second, tells
// what happened and where, and ends the process. Memory is bounded by the kernel, so that the
// libraries below are counted as well; bytes written are read from the kernel's books.
#pragma once

#include "segue/session.h"
#include "segue/wall.h"

#define CLI_DEFAULT_OUTPUT 20e9 // twice what a single result may need unasked [bytes]

typedef struct cli_limits {
    double max_cpu_time, max_time; // [s]; 0 is none
    double max_output;             // written to files and streams, in all [bytes]; 0 is none
    size_t max_memory;             // [bytes]; 0 is none
    bool nobody_listens;           // to `stop`: there is no orderly end to wait for
} cli_limits;

// Catches SIGINT, SIGTERM and SIGHUP, bounds memory, starts the thread. What it returns belongs
// into `stop` of the options of sessions. Called once.
const volatile sig_atomic_t *cli_watch_start(const cli_limits *limits);
// Whether the end was asked for that is not taken back: by a signal, by what was written, by
// memory. Times begin anew with each session.
bool cli_watch_stopped(void);
// Times count from here, anew for each session: before it is made, so that none of its limits is
// reached unless ours is.
void cli_watch_begin(void);
// Places are asked of this session. Null when it is about to be destroyed.
void cli_watch_session(const sg_session *session);
// Whether the program is to end: a signal came, or a limit was reached.
bool cli_watch_is_over(void);
// If so, for what is done without a session: tells why, unless that was told, and returns the exit
// status; else 0.
int cli_watch_report(void);
// Before the main thread tells an interrupt or a limit: false if that was done here already.
bool cli_watch_tells(void);
// Memory ran out somewhere below: the session is asked to end.
void cli_watch_out_of_memory(void);
// Its temporary files go when the program ends by force.
void cli_watch_wall(const sg_wall *wall);
// Nothing is ended by force from now on.
void cli_watch_end(void);
