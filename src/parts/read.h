// Reading the keywords of an element: numbers in SI units, vectors, flags, references to objects.
//
// Each returns false after a message that names the element, the keyword and what is expected. A
// keyword that is absent, or `nothing`, leaves the default in place.
#pragma once

#include "parts/part.h"

typedef struct sg_keywords {
    sg_part *part;
    const sg_dict *dict;
    const char *what; // "Object3D 'bar.frame1'", for messages
    sg_span span;
    bool whole;   // keywords have no place of their own: they passed through a function
    bool ok;      // becomes false with the first mistake
    bool lenient; // mistakes are warnings: only a picture suffers
} sg_keywords;

sg_keywords sg_reader_make(sg_part *part, const sg_part_element *element);
// For a dictionary inside an element, such as a feature or a shape.
sg_keywords sg_reader_inner(const sg_keywords *outer, const sg_dict *dict);

// A keyword that is there and not `nothing`.
bool sg_read_has(const sg_keywords *r, const char *key, sg_value *value);
// A keyword that is there, be it `nothing`.
bool sg_read_given(const sg_keywords *r, const char *key);
// Where a keyword was written, or the element.
sg_span sg_read_span(const sg_keywords *r, const char *key);
// Plain numbers; false for anything else.
bool sg_value_number(sg_value value, double *out);
bool sg_value_vec3(sg_value value, sg_vec3 *out); // three finite ones
bool sg_value_mat3(sg_value value, sg_mat3 *out); // nine finite ones, three rows
// A rotation matrix, or a quaternion of length one.
bool sg_value_rotation(sg_value value, sg_mat3 *out);

// A note if the keyword `rotation` has angles of more than a turn, which may be degrees.
void sg_check_radian(const sg_keywords *r, sg_vec3 rotation);
void sg_read_string(sg_keywords *r, const char *key, const char **out);
void sg_read_number(sg_keywords *r, const char *key, double *out);
void sg_read_count(sg_keywords *r, const char *key, int *out);
void sg_read_flag(sg_keywords *r, const char *key, bool *out);
void sg_read_vec3(sg_keywords *r, const char *key, sg_vec3 *out);
// Where something is in its parent: with these angles or, for objects made by hand, turned as the
// keyword rotationMatrix says; then *rotation becomes its angles.
sg_pose sg_read_place(sg_keywords *r, sg_vec3 translation, sg_vec3 *rotation);
// A dictionary made by a constructor; null if absent. `example` is for the message.
void sg_read_inner(sg_keywords *r, const char *key, const char *example, const sg_dict **out);
// The index of an object of this part; stays as it is if absent.
void sg_read_object(sg_keywords *r, const char *key, int *out);
// 1, 2, 3, negative, or a vector: a unit vector.
void sg_read_axis(sg_keywords *r, const char *key, int standard, sg_vec3 *out);
void sg_read_fail(sg_keywords *r, const char *key, sg_code code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// Name of the constructor of a dictionary.
const char *sg_element_kind(const sg_vm *vm, const sg_dict *dict);
