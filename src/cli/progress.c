#include "progress.h"

#include "terminal.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

// Shorter runs need no line.
static const double patience = 1.0; // [s] of wall time

static const char erase[] = "\r\033[K"; // to the beginning of the line, and all behind it

static volatile sig_atomic_t status_asked;

static void on_status(int number)
{
    (void)number;
    status_asked = 1;
}

void cli_progress_init(cli_progress *progress, bool quiet)
{
    *progress = (cli_progress){.terminal = isatty(STDERR_FILENO) && !quiet};
    struct sigaction action = {.sa_handler = on_status, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR1, &action, NULL);
}

static void put_duration(char *out, size_t size, double seconds)
{
    if (!(seconds < 1e6))
        snprintf(out, size, "?");
    else if (seconds < 120.0)
        snprintf(out, size, "%.0f s", seconds);
    else if (seconds < 7200.0)
        snprintf(out, size, "%.0f min", seconds / 60.0);
    else
        snprintf(out, size, "%.1f h", seconds / 3600.0);
}

static void put_line(char *out, size_t size, const sg_progress *p)
{
    double part = p->stop > p->start ? (p->t - p->start) / (p->stop - p->start) : 1.0;
    char left[32];
    put_duration(left, sizeof left, part > 0.0 ? p->wall_time * (1.0 - part) / part : HUGE_VAL);
    int n = snprintf(out, size,
                     "%s %3.0f %%  t = %.4g s  ETA %s  %.3gx real time  step %.2g s  %llu steps",
                     p->model, floor(100.0 * part), p->t, left, p->real_time_factor, p->h,
                     (unsigned long long)p->n_steps);
    if (n > 0 && (size_t)n < size && p->n_events)
        n += snprintf(out + n, size - (size_t)n, "  %.3g events/s", p->events_per_second);
    if (n > 0 && (size_t)n < size && p->segment > 1)
        snprintf(out + n, size - (size_t)n, "  segment %u", p->segment);
}

static size_t terminal_width(void)
{
    struct winsize window;
    bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 1;
    return known ? window.ws_col : 80;
}

void cli_progress_erase(cli_progress *progress)
{
    if (progress->shown)
        cli_put_raw(stderr, erase, strlen(erase));
    progress->shown = false;
}

void cli_progress_report(cli_progress *progress, const sg_progress *state)
{
    char line[256];
    if (state->done) {
        cli_progress_erase(progress);
        return;
    }
    put_line(line, sizeof line, state);
    if (status_asked) {
        status_asked = 0;
        cli_progress_erase(progress);
        cli_complain("%s\n", line);
    }
    if (!progress->terminal || state->wall_time < patience)
        return;
    // A line that wraps could not be rewritten.
    size_t width = terminal_width();
    if (strlen(line) >= width)
        line[width - 1] = '\0';
    cli_put_raw(stderr, "\r", 1);
    cli_put(stderr, line, strlen(line));
    cli_put_raw(stderr, erase + 1, strlen(erase + 1));
    fflush(stderr);
    progress->shown = true;
}
