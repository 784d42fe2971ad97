// Any bytes are either a tree whose places lie in the text, or refused with words and a place.
#include "xml/xml.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(size_t size, const sg_xml_element *root)
{
    double numbers[4];
    int64_t integer;
    uint32_t before = 0;
    for (const sg_xml_element *e = root; e; e = sg_xml_walk(root, e)) {
        if (e->first < before || e->last < e->first || e->last > size)
            abort(); // not in the order of the text, or outside of it
        before = e->first;
        sg_xml_numbers(e->text, numbers, 4);
        for (uint32_t i = 0; i < e->n_attributes; i++) {
            const char *value = sg_xml_get(e, e->attributes[i].name);
            if (!value || strcmp(value, e->attributes[i].value) != 0)
                abort();
            sg_xml_number(value, numbers);
            sg_xml_integer(value, &integer);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sg_arena arena;
    const sg_xml_element *root;
    sg_xml_complaint complaint;
    sg_xml_limits limits = sg_xml_limits_default();
    limits.max_depth = 50;
    limits.max_elements = 5000;
    limits.max_attributes = 50;
    sg_arena_init(&arena, NULL);
    sg_status status = sg_xml_read(&arena, (const char *)data, size, &limits, &root, &complaint);
    if (status ? root || !complaint.message[0] || complaint.last > size : !root)
        abort();
    if (root)
        check(size, root);
    sg_arena_destroy(&arena);
    return 0;
}
