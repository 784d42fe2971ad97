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
