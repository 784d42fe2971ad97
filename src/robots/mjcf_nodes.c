// The text of MJCF as nodes, with included files in their places.
#include "robots/mjcf_reader.h"

#include <stdio.h>
#include <string.h>

typedef struct mjcf_expansion {
    sg_mjcf_reader *r;
    const sg_robot_source *first;
    const char *seen[SG_MJCF_MAX_FILES];
    size_t n_seen;
} mjcf_expansion;

bool sg_mjcf_is(const sg_mjcf_node *node, const char *name)
{
    return strcmp(node->e->name, name) == 0;
}

const sg_mjcf_node *sg_mjcf_walk(const sg_mjcf_node *root, const sg_mjcf_node *node)
{
    if (node->child)
        return node->child;
    while (node && node != root && !node->next)
        node = node->parent;
    return node && node != root ? node->next : NULL;
}

const sg_mjcf_node *sg_mjcf_find(const sg_mjcf_reader *r, const char *section, const char *kind,
                                 const char *name)
{
    for (const sg_mjcf_node *s = r->root->child; s; s = s->next)
        for (const sg_mjcf_node *n = s->child; n && sg_mjcf_is(s, section); n = n->next) {
            const char *own = sg_xml_get(n->e, "name");
            if (sg_mjcf_is(n, kind) && own && strcmp(own, name) == 0)
                return n;
        }
    return NULL;
}

static sg_mjcf_node *expand(mjcf_expansion *x, const sg_robot_source *source,
                            const sg_xml_element *e, sg_mjcf_node *parent, int depth);

static const sg_xml_element *parse(mjcf_expansion *x, const sg_robot_source *source)
{
    sg_xml_complaint complaint = {0};
    const sg_xml_element *root = NULL;
    sg_status status =
        sg_xml_read(x->r->in.arena, source->text, source->length, NULL, &root, &complaint);
    if (status == SG_OK)
        return root;
    sg_xml_element there = {.first = complaint.first};
    if (status != SG_ERR_MEMORY)
        sg_robot_say(&x->r->in, source, SG_ERROR, &there, "%s", complaint.message);
    return NULL;
}

// The folder of the first file before the name, unless that is absolute.
static const char *path_of(mjcf_expansion *x, const char *name)
{
    const char *slash = strrchr(x->first->file, '/');
    size_t n = slash && name[0] != '/' ? (size_t)(slash - x->first->file) + 1 : 0, m = strlen(name);
    char *path = SG_NEW_ARRAY(x->r->in.arena, char, n + m + 1);
    if (!path)
        return "";
    memcpy(path, x->first->file, n);
    memcpy(path + n, name, m + 1);
    return path;
}

// Behind `**end` what the file holds; its own root does not count.
static void include(mjcf_expansion *x, const sg_robot_source *source, const sg_xml_element *e,
                    sg_mjcf_node *parent, sg_mjcf_node ***end, int depth)
{
    const char *name = sg_xml_get(e, "file");
    sg_robot_reading *in = &x->r->in;
    if (!name || !*name) {
        sg_robot_say(in, source, SG_ERROR, e, "<include> names no file");
        return;
    }
    const char *path = path_of(x, name);
    for (size_t i = 0; i < x->n_seen; i++)
        if (strcmp(x->seen[i], path) == 0) {
            sg_robot_say(in, source, SG_ERROR, e, "'%.100s' is included twice", name);
            return;
        }
    if (x->n_seen == SG_MJCF_MAX_FILES) {
        sg_robot_say(in, source, SG_ERROR, e, "more than %d files", SG_MJCF_MAX_FILES);
        return;
    }
    x->seen[x->n_seen++] = path;
    sg_robot_source *own = SG_NEW(in->arena, sg_robot_source);
    if (!own)
        return;
    *own = (sg_robot_source){.file = path};
    if (!x->r->files ||
        !x->r->files->read(x->r->files->context, in->arena, path, &own->text, &own->length)) {
        sg_robot_say(in, source, SG_ERROR, e, "cannot read '%.100s'", path);
        return;
    }
    const sg_xml_element *root = parse(x, own);
    for (const sg_xml_element *c = root ? root->child : NULL; c && !in->failed; c = c->next) {
        if (strcmp(c->name, "include") == 0) {
            include(x, own, c, parent, end, depth);
        } else if ((**end = expand(x, own, c, parent, depth)) != NULL) {
            *end = &(**end)->next;
        }
    }
}

static sg_mjcf_node *expand(mjcf_expansion *x, const sg_robot_source *source,
                            const sg_xml_element *e, sg_mjcf_node *parent, int depth)
{
    sg_mjcf_node *node = SG_NEW(x->r->in.arena, sg_mjcf_node);
    if (!node)
        return NULL;
    *node = (sg_mjcf_node){.e = e, .source = source, .parent = parent};
    if (depth > SG_MJCF_MAX_DEPTH) {
        sg_robot_say(&x->r->in, source, SG_ERROR, e, "nested more than %d deep", SG_MJCF_MAX_DEPTH);
        return node;
    }
    sg_mjcf_node **end = &node->child;
    for (const sg_xml_element *c = e->child; c && !x->r->in.failed; c = c->next) {
        if (strcmp(c->name, "include") == 0)
            include(x, source, c, node, &end, depth + 1);
        else if ((*end = expand(x, source, c, node, depth + 1)) != NULL)
            end = &(*end)->next;
    }
    return node;
}

sg_mjcf_node *sg_mjcf_nodes(sg_mjcf_reader *r, const sg_robot_source *source)
{
    mjcf_expansion x = {.r = r, .first = source, .seen = {source->file}, .n_seen = 1};
    const sg_xml_element *root = parse(&x, source);
    if (!root)
        return NULL;
    if (strcmp(root->name, "mujoco") != 0) {
        sg_robot_say(&r->in, source, SG_ERROR, root,
                     "the first element is <%.40s>, not <mujoco>: no MJCF%s", root->name,
                     strcmp(root->name, "robot") == 0 ? ", but URDF" : "");
        return NULL;
    }
    return expand(&x, source, root, NULL, 0);
}
