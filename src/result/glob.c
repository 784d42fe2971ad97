#include "result/glob.h"

#include <string.h>

// cap[2].T stands for cap_2.T, the element of an array of components: behind both numbers if they
// are the same.
static bool match_element(const char **pattern, const char **name)
{
    size_t n = **pattern == '[' && **name == '_' ? strspn(*pattern + 1, "0123456789") : 0;
    if (!n || strncmp(*pattern + 1, *name + 1, n) != 0 || strncmp(*pattern + 1 + n, "].", 2) != 0 ||
        (*name)[n + 1] != '.')
        return false;
    *pattern += n + 2;
    *name += n + 1;
    return true;
}

bool sg_glob_match(const char *pattern, const char *name)
{
    // When text after a star does not fit, only the last star needs to take one more character.
    const char *star = NULL, *resume = NULL;
    while (*name) {
        if (*pattern == '*') {
            star = ++pattern;
            resume = name;
        } else if (*pattern == '?' && ((unsigned char)*name & 0x80)) {
            pattern++;
            do
                name++;
            while (((unsigned char)*name & 0xC0) == 0x80);
        } else if (match_element(&pattern, &name)) {
            continue;
        } else if (*pattern == '?' || *pattern == *name) {
            pattern++;
            name++;
        } else if (star) {
            pattern = star;
            name = ++resume;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

bool sg_glob_list_exists(const char *const *patterns, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!patterns || !patterns[i])
            return false;
    return true;
}

bool sg_glob_any(const char *const *patterns, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (sg_glob_match(patterns[i], name))
            return true;
    return n == 0;
}
