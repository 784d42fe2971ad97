// Patches of contacts on their way into the run file and out of it (view/scene.h).
#pragma once

#include "view/scene.h"

// Room for the patches of so many contacts, and the size of their blob. False when memory ran out.
bool sg_scene_patches_room(sg_scene_patches *patches, size_t contacts,
                           const sg_allocator *allocator, size_t *bytes);
void sg_scene_patches_destroy(sg_scene_patches *patches, const sg_allocator *allocator);
// Whether they are enough for a blob; and the blob of this number.
bool sg_scene_patches_full(const sg_scene_patches *patches);
sg_status sg_scene_patches_flush(sg_scene_log *log, uint32_t blob);

// Takes the blob that belongs to so many contacts; without one, or with one that does not fit,
// nothing is known of them. False when memory ran out.
bool sg_scene_patches_take(sg_scene_patches *patches, const char *bytes, size_t length,
                           uint32_t n_contacts, const sg_allocator *allocator);
bool sg_scene_patches_keep(const sg_scene_patches *patches, sg_scene *scene);
