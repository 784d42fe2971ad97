#include "result/glob.h"

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

bool sg_glob_any(const char *const *patterns, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (sg_glob_match(patterns[i], name))
            return true;
    return n == 0;
}
