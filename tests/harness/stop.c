// Runs a command and stops it: how long does it go on?
//   usage: stop SECONDS COMMAND...
// After so many seconds of CPU time (or five times as many on the clock) the command gets SIGINT,
// but not before it has come as far as to catch it; with 0 it is left alone. Prints its exit status
// (or 256 and the signal that killed it), the CPU time [ms] that it used from then on, or in all
// when it was left alone, and the most memory it had [MiB]. CPU time is what the command is
// responsible for: on a busy machine the clock runs on.
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double cpu_of(pid_t pid)
{
    clockid_t clock;
    struct timespec t;
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0)
        return 0.0;
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Does the command catch SIGINT by now? Where the system does not say, yes.
static bool catches_interrupts(pid_t pid)
{
    char path[64], line[256];
    (void)snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *file = fopen(path, "r");
    if (!file)
        return true;
    bool caught = true;
    while (fgets(line, sizeof line, file))
        if (strncmp(line, "SigCgt:", 7) == 0)
            caught = strtoull(line + 7, NULL, 16) >> (SIGINT - 1) & 1;
    fclose(file);
    return caught;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    double seconds = strtod(argv[1], NULL);
    pid_t child = fork();
    if (child == 0) {
        execv(argv[2], argv + 2);
        _exit(127);
    }
    double used = 0.0;
    int status;
    struct rusage usage;
    pid_t done = 0;
    for (int i = 0; seconds > 0; i++) {
        used = cpu_of(child);
        bool over = used >= seconds || i >= (int)(5000.0 * seconds);
        if ((over && catches_interrupts(child)) ||
            (done = wait4(child, &status, WNOHANG, &usage)) != 0)
            break;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    if (done == 0 && seconds > 0)
        kill(child, SIGINT);
    while (done == 0 && (done = wait4(child, &status, 0, &usage)) < 0 && errno == EINTR)
        done = 0;
    double total = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                   1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    printf("%d %.0f %ld\n", WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status),
           1e3 * (total - (seconds > 0 ? used : 0.0)), usage.ru_maxrss / 1024);
    return 0;
}
