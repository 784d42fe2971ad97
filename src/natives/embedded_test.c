#include "natives/embedded.h"

#include "harness/sg_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The bytes of a file of the source tree; the caller frees them.
static unsigned char *read_source(const char *name, size_t *length)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", SG_SOURCE_DIR, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    size_t cap = 1 << 20;
    unsigned char *bytes = malloc(cap);
    *length = bytes ? fread(bytes, 1, cap, file) : 0;
    fclose(file);
    return bytes;
}

SG_TEST(every_embedded_file_equals_its_source_and_ends_with_a_zero)
{
    for (size_t i = 0; i < sg_embedded_count; i++) {
        const sg_embedded *file = &sg_embedded_files[i];
        size_t length = 0;
        unsigned char *bytes = read_source(file->name, &length);
        SG_CHECK_MSG(bytes && length == file->length && !memcmp(bytes, file->bytes, length),
                     "%s differs", file->name);
        SG_CHECK(file->bytes[file->length] == 0);
        free(bytes);
    }
}

SG_TEST(every_embedded_file_is_found_by_name_and_nothing_else_is)
{
    for (size_t i = 0; i < sg_embedded_count; i++) {
        const char *name = sg_embedded_files[i].name;
        SG_CHECK_MSG(sg_embedded_find(name) == &sg_embedded_files[i], "%s", name);
        SG_CHECK(i == 0 || strcmp(sg_embedded_files[i - 1].name, name) < 0);
    }
    SG_CHECK(sg_embedded_find("library/NoSuchFile.jl") == NULL);
    SG_CHECK(sg_embedded_find("") == NULL);
}
