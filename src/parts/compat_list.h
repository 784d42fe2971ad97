// SG_PART_COMPAT(field, name, what): peculiarities of the published program in 3D parts. `what`
// completes the sentence "in this model ...".
SG_PART_COMPAT(unturned_inertia, "unturned-inertia",
               "inertias of turned parts are added as if they were not turned")
SG_PART_COMPAT(single_coriolis, "single-coriolis",
               "the Coriolis acceleration on a turning prismatic joint counts once, not twice")
SG_PART_COMPAT(resting_parent, "resting-parent",
               "objects move freely relative to a moving one as if that were at rest, or nearly so")
SG_PART_COMPAT(gravity_at_root, "gravity-at-root",
               "the pull of a point is that at the origin of each body, not at its center of mass")
SG_PART_COMPAT(straight_fix, "straight-fix",
               "what a Fix without rotation holds keeps the orientation of its body")
SG_PART_COMPAT(mesh_inertia, "mesh-inertia", "inertia of meshes as the published program has it")
SG_PART_COMPAT(partition_mass, "partition-mass", "convex parts of a mesh have mass, too")
SG_PART_COMPAT(sensor_acceleration, "sensor-acceleration",
               "accelerations forget that the observer turns")
SG_PART_COMPAT(spring_direction, "spring-direction",
               "the line of a spring is taken for components in obj1")
SG_PART_COMPAT(still_frames, "still-frames",
               "sensors see frames that carry nothing as if they stood still")
SG_PART_COMPAT(portal_distance, "portal-distance",
               "depths and normals of contacts are those of the ray between the centers")
SG_PART_COMPAT(scaled_distance, "scaled-distance",
               "distances of most shapes are divided by a length of their first portal")
SG_PART_COMPAT(smoothed_shapes, "smoothed-shapes",
               "smoothing changes the size of cones, frustums and beams that touch")
SG_PART_COMPAT(solid_tubes, "solid-tubes",
               "cylinders with an innerDiameter collide as if they had none")
SG_PART_COMPAT(nonsmooth_restitution, "nonsmooth-restitution",
               "slow contacts have no restitution, and their damping jumps with the speed")
SG_PART_COMPAT(pulling_contacts, "pulling-contacts", "contacts may pull while they come apart")
SG_PART_COMPAT(
    late_actions, "late-actions",
    "an action asked for while a segment begins waits for the next full restart, and the "
    "last one is made again at each of them")
SG_PART_COMPAT(event_segments, "event-segments", "EventAfterPeriod begins a new segment")
SG_PART_COMPAT(
    attach_distance, "attach-distance",
    "what moves relative to its depot is attached, and what is too far away is not, with "
    "a warning")
SG_PART_COMPAT(lone_assemblies, "lone-assemblies",
               "an attached assembly stays a body of its own, which may touch the one that carries "
               "it")
SG_PART_COMPAT(release_rotation, "release-rotation",
               "a released assembly takes the numbers of its angular velocity along its own axes "
               "for those along the world's")
SG_PART_COMPAT(lost_momentum, "lost-momentum",
               "what still moves relative to a carrier that it is attached to or parked on loses "
               "its momentum")
