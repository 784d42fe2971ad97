#include "earlier.h"

#include "terminal.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool is_older(const struct stat *a, const struct stat *b)
{
    return a->st_mtim.tv_sec != b->st_mtim.tv_sec ? a->st_mtim.tv_sec < b->st_mtim.tv_sec
                                                  : a->st_mtim.tv_nsec < b->st_mtim.tv_nsec;
}

bool cli_is_from_earlier_run(const char *path)
{
    static const char suffix[] = ".segue";
    size_t length = strlen(path), end = sizeof suffix - 1;
    if (length <= end || strcmp(path + length - end, suffix) != 0)
        return false;
    size_t stem = length - end, digits = stem;
    while (digits && isdigit((unsigned char)path[digits - 1]))
        digits--;
    if (digits < 2 || digits == stem || path[digits - 1] != '-')
        return false;
    char first[PATH_MAX];
    struct stat own, other;
    int room = snprintf(first, sizeof first, "%.*s%s", (int)(digits - 1), path, suffix);
    return room < (int)sizeof first && stat(path, &own) == 0 && stat(first, &other) == 0 &&
           is_older(&own, &other);
}

size_t cli_count_earlier_runs(const char *const *paths, size_t n, const char **example)
{
    size_t count = 0;
    for (size_t i = n; i-- > 0;)
        if (cli_is_from_earlier_run(paths[i])) {
            *example = paths[i];
            count++;
        }
    return count;
}

void cli_tell_earlier_runs(const char *folder)
{
    DIR *dir = opendir(folder);
    char path[PATH_MAX], example[PATH_MAX] = "";
    size_t n = 0;
    for (const struct dirent *entry; dir && (entry = readdir(dir));)
        if (snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path &&
            cli_is_from_earlier_run(path) &&
            (n++ == 0 || strcmp(path, example) < 0)) // the order of a folder is any
            memcpy(example, path, strlen(path) + 1);
    if (dir)
        closedir(dir);
    if (n == 1)
        cli_complain("segue: note: '%s' is of an earlier run; delete it, or give each study a "
                     "folder with -o\n",
                     example);
    else if (n)
        cli_complain("segue: note: %zu files of earlier runs are still in '%s', such as '%s'; "
                     "delete them, or give each study a folder with -o\n",
                     n, folder, example);
}
