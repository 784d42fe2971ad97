#include "terminal.h"

#include "segue/text.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int first_error; // errno of the first write that failed; a program has one terminal

// A stream that is closed would be the next file that is opened, and what is printed would go into
// a result. In its place stands something that cannot be written to (or read from).
static void occupy(int fd)
{
    if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
        return;
    int other = open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (other >= 0 && other != fd) {
        dup2(other, fd);
        close(other);
    }
}

void cli_terminal_begin(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        occupy(fd);
    signal(SIGPIPE, SIG_IGN);
}

static void remember(FILE *to, bool ok)
{
    if (!ok && to == stdout && !first_error)
        first_error = errno ? errno : EIO;
}

void cli_flush(void)
{
    errno = 0;
    remember(stdout, fflush(stdout) == 0 && !ferror(stdout));
}

int cli_terminal_end(int exit_status)
{
    cli_flush();
    if (!first_error)
        return exit_status;
    cli_complain("segue: cannot write to standard %s: %s\n", ferror(stderr) ? "error" : "output",
                 strerror(first_error));
    return exit_status ? exit_status : 1;
}

void cli_put_raw(FILE *to, const char *text, size_t length)
{
    errno = 0;
    remember(to, fwrite(text, 1, length, to) == length);
}

void cli_put(FILE *to, const char *text, size_t length)
{
    char escape[SG_ESCAPE_SIZE];
    for (size_t n, skip; length; text += n + skip, length -= n + skip) {
        n = sg_text_harmless(text, length, &skip, escape);
        cli_put_raw(to, text, n);
        cli_put_raw(to, escape, strlen(escape));
    }
}

const char *cli_escape(const char *text, char *out, size_t size)
{
    size_t at = 0, length = strlen(text), n, skip;
    out[0] = '\0';
    char escape[SG_ESCAPE_SIZE];
    for (; length; text += n + skip, length -= n + skip) {
        n = sg_text_harmless(text, length, &skip, escape);
        int put = snprintf(out + at, size - at, "%.*s%s", (int)n, text, escape);
        if (put < 0 || (size_t)put >= size - at)
            break;
        at += (size_t)put;
    }
    return out;
}

void cli_put_script(FILE *to, const char *text, size_t length)
{
    if (isatty(fileno(to)))
        cli_put(to, text, length);
    else
        cli_put_raw(to, text, length);
    if (!first_error && ferror(to)) // with --json it goes to standard error, and counts there, too
        first_error = errno ? errno : EIO;
}

// Without memory a long text is cut.
static void print_list(FILE *to, const char *format, va_list list)
{
    char fixed[1024], *longer = NULL;
    va_list again;
    va_copy(again, list);
    int length = vsnprintf(fixed, sizeof fixed, format, list);
    if (length >= (int)sizeof fixed)
        longer = malloc((size_t)length + 1);
    if (longer)
        vsnprintf(longer, (size_t)length + 1, format, again);
    va_end(again);
    cli_put(to, longer ? longer : fixed, longer ? (size_t)length : strlen(fixed));
    free(longer);
}

void cli_print(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    print_list(stdout, format, list);
    va_end(list);
}

void cli_complain(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    print_list(stderr, format, list);
    va_end(list);
}

static void print_json_part(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char pair[2] = {'\\', text[i] == '\n' ? 'n' : (char)(text[i] == '\t' ? 't' : text[i])};
        bool escaped = text[i] == '"' || text[i] == '\\' || text[i] == '\n' || text[i] == '\t';
        cli_put_raw(stdout, escaped ? pair : pair + 1, escaped ? 2 : 1);
    }
}

// Bytes that are no text become U+FFFD.
void cli_print_json(const char *text)
{
    char escape[SG_ESCAPE_SIZE];
    cli_put_raw(stdout, "\"", 1);
    for (size_t length = strlen(text), n, skip; length; text += n + skip, length -= n + skip) {
        n = sg_text_harmless(text, length, &skip, escape);
        print_json_part(text, n);
        if (skip > 1)
            cli_print("%s", escape); // \u202e, as in JSON
        else if (skip)
            cli_print("\\u%04x", text[n] & 0x80 ? 0xFFFDu : (unsigned)text[n]);
    }
    cli_put_raw(stdout, "\"", 1);
}

void cli_print_number(double x)
{
    if (isfinite(x))
        cli_print("%.17g", x);
    else
        cli_print("null");
}

bool cli_color(FILE *to) { return isatty(fileno(to)) && !getenv("NO_COLOR"); }
