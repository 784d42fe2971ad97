// Scenes for the tests of contact detection: bodies with shapes that move as they are told.
#pragma once

#include "collide/detect.h"
#include "collide/shapes_test.h"
#include "harness/sg_test_math.h"

#define SCENE_BODIES 64
#define SCENE_SHAPES 96

typedef struct scene_body {
    sg_pose pose;
    sg_motion vel, acc;
} scene_body;

typedef struct scene {
    sg_test_allocator allocator;
    sg_arena arena;
    test_shape shape[SCENE_SHAPES];
    sg_collider collider[SCENE_SHAPES];
    int n;
    scene_body body[SCENE_BODIES], start[SCENE_BODIES];
    sg_candidates candidates;
    sg_detect detect;
} scene;

static inline sg_body_view scene_view(const scene *s)
{
    return (sg_body_view){&s->body[0].pose, &s->body[0].vel, &s->body[0].acc, sizeof s->body[0],
                          SCENE_BODIES};
}

// exp(w~ t) R: turned about a constant axis.
static inline sg_mat3 scene_turn(sg_mat3 R, sg_vec3 w, double t)
{
    double angle = v3_norm(w) * t;
    return m3_mul(m3_transpose(q_to_mat3(q_axis_angle(v3_unit(w), angle))), R);
}

// Bodies at the time t of a motion with constant accelerations of their origins and constant spin.
static inline void scene_move(scene *s, int bodies, double t)
{
    for (int i = 0; i < bodies; i++) {
        const scene_body *b = &s->start[i];
        sg_vec3 r = v3_add_scaled(v3_add_scaled(b->pose.r, b->vel.v, t), b->acc.v, 0.5 * t * t);
        s->body[i].pose.r = r;
        s->body[i].pose.R = v3_norm(b->vel.w) > 0 ? scene_turn(b->pose.R, b->vel.w, t) : b->pose.R;
        s->body[i].vel = (sg_motion){b->vel.w, v3_add_scaled(b->vel.v, b->acc.v, t)};
        s->body[i].acc = b->acc;
    }
}

static inline void scene_begin(scene *s)
{
    s->n = 0;
    sg_test_allocator_init(&s->allocator, 0);
    sg_arena_init(&s->arena, &s->allocator.allocator);
    for (int i = 0; i < SCENE_BODIES; i++)
        s->start[i] = s->body[i] = (scene_body){.pose = POSE_IDENTITY};
}

static inline int scene_add(scene *s, sg_shape shape, int body, sg_pose place)
{
    test_shape *t = &s->shape[s->n];
    *t = (test_shape){.shape = shape};
    s->collider[s->n] =
        (sg_collider){&t->shape, place, body, body, false, SG_NO_TUBE, 0, NULL, 0, 0};
    return s->n++;
}

static inline void scene_ready(scene *s, const sg_detect_options *options)
{
    sg_detect_options o = options ? *options : sg_detect_options_make();
    SG_CHECK(sg_candidates_init(&s->candidates, s->collider, s->n, NULL, 0, &s->arena) == SG_OK);
    SG_CHECK(sg_detect_init(&s->detect, &s->candidates, &o, &s->arena, &s->allocator.allocator) ==
             SG_OK);
}

static inline void scene_end(scene *s)
{
    sg_detect_destroy(&s->detect);
    sg_arena_destroy(&s->arena);
    for (int i = 0; i < s->n; i++)
        test_shape_destroy(&s->shape[i]);
    SG_CHECK(s->allocator.live_blocks == 0);
}

static inline sg_shape scene_ball(double diameter)
{
    sg_shape s;
    const char *why = NULL;
    SG_CHECK(sg_shape_sphere(diameter, &s, &why) == SG_OK);
    return s;
}

static inline sg_shape scene_box(double x, double y, double z)
{
    sg_shape s;
    const char *why = NULL;
    SG_CHECK(sg_shape_box(v3_make(x, y, z), 0.001, &s, &why) == SG_OK);
    return s;
}
