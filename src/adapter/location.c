#include "adapter/location.h"

#include <stdlib.h>
#include <string.h>

static int digit(char c)
{
    const char *all = "0123456789abcdef", *at;
    char lower = c >= 'A' && c <= 'F' ? (char)(c - 'A' + 'a') : c;
    at = c ? strchr(all, lower) : NULL;
    return at ? (int)(at - all) : -1;
}

char *sg_adapter_path_of(const char *uri)
{
    if (uri[0] == '/')
        return strdup(uri);
    if (strncmp(uri, "file:", 5) != 0)
        return NULL;
    uri += 5;
    if (uri[0] == '/' && uri[1] == '/') { // file://HOST/path; the host is this one
        uri = strchr(uri + 2, '/');
        if (!uri)
            return NULL;
    }
    char *path = malloc(strlen(uri) + 1), *to = path;
    for (; path && *uri; uri++) {
        int high = *uri == '%' ? digit(uri[1]) : -1, low = high >= 0 ? digit(uri[2]) : -1;
        *to++ = low >= 0 ? (char)(16 * high + low) : *uri;
        uri += low >= 0 ? 2 : 0;
    }
    if (path) {
        *to = '\0';
        while (to > path + 1 && to[-1] == '/')
            *--to = '\0';
    }
    return path;
}
