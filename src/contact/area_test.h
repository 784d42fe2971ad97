// Two bodies that press on each other, for tests of flat contact (area_test.c, flush_test.c).
#pragma once

#include "contact/area.h"
#include "harness/sg_test_math.h"

typedef struct fixture {
    sg_arena arena;
    sg_shape shape[2];
    sg_area_body body[2];
    sg_area_work *work;
    sg_area_law law;
    sg_area_place place[2];
    sg_area_touch touch;
    sg_area_patch patch;
} fixture;

static inline void begin(fixture *f)
{
    *f = (fixture){.law = {.kappa = {2e12, 2e12}, .loss = 0.0, .v_min = 1e-3}};
    sg_arena_init(&f->arena, sg_allocator_default());
    f->work = SG_NEW(&f->arena, sg_area_work);
    SG_CHECK(sg_area_work_init(f->work, 100, &f->arena) == SG_OK);
}

static inline void end(fixture *f) { sg_arena_destroy(&f->arena); }

static inline void put(fixture *f, int i, sg_pose pose)
{
    SG_CHECK(sg_area_body_init(&f->body[i], &f->shape[i], &f->arena) == SG_OK);
    f->place[i] =
        (sg_area_place){&f->body[i], .frame = sg_shape_frame(&f->shape[i], &pose), .at = pose.r};
}

static inline void box(fixture *f, int i, sg_vec3 size, sg_pose pose)
{
    const char *why;
    SG_CHECK(sg_shape_box(size, 0.0, &f->shape[i], &why) == SG_OK);
    put(f, i, pose);
}

static inline void cylinder(fixture *f, int i, double diameter, double length, sg_pose pose)
{
    const char *why;
    SG_CHECK(sg_shape_cylinder(2, diameter, length, 0.0, &f->shape[i], &why) == SG_OK);
    put(f, i, pose);
}
