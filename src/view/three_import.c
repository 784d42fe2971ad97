// Files of three.js inside of ours: what a FileMesh may be drawn with (components3d.md 11.4).
//
// Its lists are added to ours, and its object becomes the one of the visual. Every identifier that
// the file defines is replaced by one of the visual, so that several may use the same file, each
// with its own color.
#include "base/source.h"
#include "view/three_internal.h"

#include <errno.h>
#include <string.h>

// ---- reading --------------------------------------------------------------------------------

static void collect_names(sg_three *w, sg_three_import *import, const sg_json *node)
{
    for (const sg_json *m = node->first; m; m = m->next) {
        if (m->type == SG_JSON_STRING && m->key && strcmp(m->key, "uuid") == 0)
            w->failed |= sg_sym_intern_text(import->names, m->string).i == 0;
        collect_names(w, import, m);
    }
}

static bool is_object_file(const sg_json *root)
{
    const sg_json *object = sg_json_member(root, "object");
    return object && object->type == SG_JSON_OBJECT;
}

static const sg_json *parse(sg_three *w, const char *path, const char *bytes, size_t length)
{
    size_t at;
    const char *why;
    const sg_json *root = sg_json_parse(bytes, length, &w->arena, &at, &why);
    if (!root)
        sg_warning(w->diags, SG_E_ANIMATION, w->span, "'%s' is not JSON: %s is missing at byte %zu",
                   path, why ? why : "memory", at);
    else if (!is_object_file(root))
        sg_warning(w->diags, SG_E_ANIMATION, w->span,
                   "'%s' has no \"object\"; it is not a scene or object of three.js", path);
    return root && is_object_file(root) ? root : NULL;
}

static const sg_json *read(sg_three *w, const sg_visual_mesh *mesh)
{
    char *bytes;
    size_t length;
    const sg_allocator *allocator = w->a->allocator;
    if (mesh->three_text)
        return parse(w, mesh->three, mesh->three_text, mesh->three_length);
    sg_status status = sg_read_file(allocator, mesh->three, &bytes, &length);
    w->failed |= status == SG_ERR_MEMORY;
    if (status != SG_OK) {
        sg_warning(w->diags, SG_E_ANIMATION, w->span, "cannot read '%s': %s", mesh->three,
                   status == SG_ERR_IO ? strerror(errno) : "out of memory");
        return NULL;
    }
    const sg_json *root = parse(w, mesh->three, bytes, length);
    allocator->resize(allocator->context, bytes, length + 1, 0);
    return root;
}

const sg_three_import *sg_three_open_import(sg_three *w, const sg_visual_mesh *mesh)
{
    const char *path = mesh->three;
    sg_three_import *import;
    for (import = w->imports; import; import = import->next)
        if (strcmp(import->path, path) == 0)
            return import->root ? import : NULL;
    import = SG_NEW(&w->arena, sg_three_import);
    if (!import)
        return NULL;
    *import = (sg_three_import){
        .next = w->imports, .path = path, .names = sg_symbols_create(w->a->allocator)};
    w->imports = import;
    w->failed |= !import->names;
    const sg_json *root = import->names ? read(w, mesh) : NULL;
    if (root)
        collect_names(w, import, root);
    import->root = root;
    return root ? import : NULL;
}

void sg_three_close_imports(sg_three *w)
{
    for (sg_three_import *i = w->imports; i; i = i->next)
        sg_symbols_destroy(i->names);
    w->imports = NULL;
}

// ---- writing --------------------------------------------------------------------------------

// An identifier of the file, or a reference to one; names for people may look the same.
static bool is_identifier(const sg_three *w, size_t visual, const sg_json *node)
{
    if (node->key && (strcmp(node->key, "name") == 0 || strcmp(node->key, "type") == 0))
        return false;
    return sg_sym_find(w->place[visual].import->names, node->string, strlen(node->string)).i != 0;
}

static void put_name(sg_three *w, size_t visual, const char *text)
{
    const sg_uuid space = sg_three_name(w, visual, "");
    sg_three_uuid(w, sg_uuid_make(space, text));
}

static void put_vector(sg_three *w, const sg_json *node)
{
    sg_three_puts(w, "[");
    for (size_t i = 0; i < node->n; i++) {
        if (i)
            sg_three_puts(w, ",");
        if (node->all_bool)
            sg_three_puts(w, node->numbers[i] != 0.0 ? "true" : "false");
        else
            sg_three_number(w, node->numbers[i]);
    }
    sg_three_puts(w, "]");
}

// The parser bounds the depth.
static void put_node(sg_three *w, size_t visual, const sg_json *node)
{
    bool object = node->type == SG_JSON_OBJECT;
    switch (node->type) {
    case SG_JSON_NULL:
        sg_three_puts(w, "null");
        break;
    case SG_JSON_BOOL:
        sg_three_puts(w, node->number != 0.0 ? "true" : "false");
        break;
    case SG_JSON_NUMBER:
        sg_three_number(w, node->number);
        break;
    case SG_JSON_STRING:
        if (is_identifier(w, visual, node))
            put_name(w, visual, node->string);
        else
            sg_three_string(w, node->string);
        break;
    case SG_JSON_VECTOR:
        put_vector(w, node);
        break;
    case SG_JSON_ARRAY:
    case SG_JSON_OBJECT:
        sg_three_puts(w, object ? "{" : "[");
        for (const sg_json *m = node->first; m; m = m->next) {
            if (m != node->first)
                sg_three_puts(w, ",");
            if (object) {
                sg_three_string(w, m->key);
                sg_three_puts(w, ":");
            }
            put_node(w, visual, m);
        }
        sg_three_puts(w, object ? "}" : "]");
        break;
    }
}

static bool is_one_of(const char *key, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(key, *list) == 0)
            return true;
    return false;
}

// A material as in the file but for what the visual says of color and sides.
static void put_material(sg_three *w, size_t visual, const sg_json *material)
{
    static const char *const colors[] = {"color", "opacity", "transparent", "vertexColors", NULL};
    static const char *const sides[] = {"side", NULL};
    const sg_visual *v = &w->a->visuals.data[visual];
    bool first = true;
    sg_three_puts(w, "{");
    for (const sg_json *m = material->first; m; m = m->next) {
        if ((v->mesh.recolor && is_one_of(m->key, colors)) ||
            (v->mesh.two_sided && is_one_of(m->key, sides)))
            continue;
        if (!first)
            sg_three_puts(w, ",");
        sg_three_string(w, m->key);
        sg_three_puts(w, ":");
        put_node(w, visual, m);
        first = false;
    }
    if (v->mesh.recolor) {
        sg_three_puts(w, first ? "" : ",");
        sg_three_paint(w, &v->look);
        first = false;
    }
    if (v->mesh.two_sided)
        sg_three_puts(w, first ? "\"side\":2" : ",\"side\":2");
    sg_three_puts(w, "}");
}

void sg_three_import_list(sg_three *w, size_t visual, const char *list)
{
    const sg_json *items = sg_json_member(w->place[visual].import->root, list);
    bool materials = strcmp(list, "materials") == 0;
    for (const sg_json *m = items ? items->first : NULL; m; m = m->next) {
        if (m->type != SG_JSON_OBJECT)
            continue;
        sg_three_next(w);
        if (materials)
            put_material(w, visual, m);
        else
            put_node(w, visual, m);
    }
}

void sg_three_import_object(sg_three *w, size_t visual)
{
    static const char *const ours[] = {"name",       "uuid",  "position",   "rotation",
                                       "quaternion", "scale", "castShadow", "receiveShadow",
                                       "matrix",     "up",    "animations", NULL};
    const sg_json *object = sg_json_member(w->place[visual].import->root, "object");
    for (const sg_json *m = object->first; m; m = m->next)
        if (!is_one_of(m->key, ours)) {
            sg_three_key(w, m->key);
            put_node(w, visual, m);
        }
}
