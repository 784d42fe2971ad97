// Texts in XML as trees: descriptions of FMUs and of robots, written by others.
//
// A reader wants the elements with their attributes, in order, and the place of whatever is wrong.
// It gets just that, in an arena. What makes XML dangerous is left out: nothing outside of the text
// is ever looked at, and a text that declares entities of its own is refused, so that nothing can
// grow beyond what was read. A document type without such declarations is passed over. Depth and
// number of elements and attributes are bounded; the size of the text bounds the rest.
//
// Names keep their prefixes ("fmi3:Unit"). The parser is expat; its own memory comes from malloc,
// since it hands no context to an allocator, and is released before the call returns.
#pragma once

#include "base/arena.h"
#include "segue/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sg_xml_attribute {
    const char *name, *value; // UTF-8; character references are resolved
} sg_xml_attribute;

typedef struct sg_xml_element {
    const char *name;
    const char *text; // between its tags, without that of its children; "" if only blanks are there
    const sg_xml_attribute *attributes;
    uint32_t n_attributes;
    const struct sg_xml_element *parent, *child, *next; // null at the root, without, and at the end
    uint32_t first, last; // bytes of the start tag in the text: [first, last)
} sg_xml_element;

typedef struct sg_xml_limits {
    size_t max_bytes;        // of the text
    uint32_t max_depth;      // of nested elements
    uint32_t max_elements;   // in sum
    uint32_t max_attributes; // of one element
} sg_xml_limits;

// 64 MiB, 200 levels, two million elements, 1000 attributes of each.
sg_xml_limits sg_xml_limits_default(void);

// What is wrong, and where.
typedef struct sg_xml_complaint {
    uint32_t first, last; // bytes of the text
    char message[200];
} sg_xml_complaint;

// Everything lies in the arena. SG_ERR_INPUT with a complaint when it is no XML or needs what is
// left out, SG_ERR_LIMIT with one beyond a limit, SG_ERR_MEMORY. `limits` may be null.
sg_status sg_xml_read(sg_arena *arena, const char *text, size_t length, const sg_xml_limits *limits,
                      const sg_xml_element **root, sg_xml_complaint *complaint);

// The value of an attribute; null if it has none of that name.
const char *sg_xml_get(const sg_xml_element *element, const char *attribute);
// The first child of that name, or the next sibling; null if there is none. Null in, null out.
const sg_xml_element *sg_xml_child(const sg_xml_element *element, const char *name);
const sg_xml_element *sg_xml_next(const sg_xml_element *element, const char *name);
// The element behind this one in the order of the text, below `root`; null at the end. Begin with
// the root itself. For walks without recursion.
const sg_xml_element *sg_xml_walk(const sg_xml_element *root, const sg_xml_element *element);

// The whole of `value` (blanks around it do not count) as a number or an integer; false if it is
// null or none. A list of numbers with blanks between: at most `most` are stored, and the count is
// returned, or -1 if one of them is none.
bool sg_xml_number(const char *value, double *out);
bool sg_xml_integer(const char *value, int64_t *out);
long sg_xml_numbers(const char *value, double *out, size_t most);
