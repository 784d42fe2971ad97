# What `using Modia3D` brings in beyond the constructors that are built into the program: joints,
# which are models with equations of their own. Evaluated once, in the module Modia3D.

# One degree of freedom. A joint moves obj2 relative to obj1; both frames coincide at zero.

"""
    Model3D(; components...)

A part of a model that holds 3D components. It needs `unitless = true`.
"""
Model3D(; components...) = Model(;
    _buildFunction = Par(functionName = :(Modia3D.build_Model3D!)),
    _initSegmentFunction = Par(functionName = :(Modia3D.initSegment_Model3D!)),
    components...)

"""
    Revolute(; obj1, obj2, axis=3, phi, w, canCollide=true)

Rotation of `obj2` about `axis` of `obj1` by the angle `phi` with the speed `w`.
"""
Revolute(; obj1, obj2, axis = 3, phi = Var(init = 0.0), w = Var(init = 0.0), canCollide = true) = Model(;
    _constructor = Par(value = :(Revolute), _path = true),
    obj1 = Par(value = obj1),
    obj2 = Par(value = obj2),
    axis = Par(value = axis),
    canCollide = Par(value = canCollide),
    phi = phi,
    w = w,
    equations = :[
        w = der(phi)
    ]
)

"""
    RevoluteWithFlange(; obj1, obj2, axis=3, phi, w, canCollide=true)

As `Revolute`, with a rotational flange that drives the joint.
"""
RevoluteWithFlange(; obj1, obj2, axis = 3, phi = Var(init = 0.0), w = Var(init = 0.0), canCollide = true) = Model(;
    _constructor = Par(value = :(RevoluteWithFlange), _path = true),
    obj1 = Par(value = obj1),
    obj2 = Par(value = obj2),
    axis = Par(value = axis),
    canCollide = Par(value = canCollide),
    flange = Model(phi = Var(potential = true), tau = Var(flow = true)),
    phi = phi,
    w = w,
    equations = :[
        phi = flange.phi
        w = der(phi)
    ]
)

"""
    Prismatic(; obj1, obj2, axis=1, s, v, canCollide=true)

Translation of `obj2` along `axis` of `obj1` by the distance `s` with the speed `v`.
"""
Prismatic(; obj1, obj2, axis = 1, s = Var(init = 0.0), v = Var(init = 0.0), canCollide = true) = Model(;
    _constructor = Par(value = :(Prismatic), _path = true),
    obj1 = Par(value = obj1),
    obj2 = Par(value = obj2),
    axis = Par(value = axis),
    canCollide = Par(value = canCollide),
    s = s,
    v = v,
    equations = :[
        v = der(s)
    ]
)

"""
    PrismaticWithFlange(; obj1, obj2, axis=1, s, v, canCollide=true)

As `Prismatic`, with a translational flange that drives the joint.
"""
PrismaticWithFlange(; obj1, obj2, axis = 1, s = Var(init = 0.0), v = Var(init = 0.0), canCollide = true) = Model(;
    _constructor = Par(value = :(PrismaticWithFlange), _path = true),
    obj1 = Par(value = obj1),
    obj2 = Par(value = obj2),
    axis = Par(value = axis),
    canCollide = Par(value = canCollide),
    flange = Model(s = Var(potential = true), f = Var(flow = true)),
    s = s,
    v = v,
    equations = :[
        s = flange.s
        v = der(s)
    ]
)

# ---- rotations ----------------------------------------------------------------------------------

# A rotation matrix resolves a vector of frame 1 in frame 2: v2 = R*v1. Angles are in radian or carry
# a unit.

rot1(angle) = [1.0 0.0 0.0; 0.0 cos(angle) sin(angle); 0.0 -sin(angle) cos(angle)]
rot2(angle) = [cos(angle) 0.0 -sin(angle); 0.0 1.0 0.0; sin(angle) 0.0 cos(angle)]
rot3(angle) = [cos(angle) sin(angle) 0.0; -sin(angle) cos(angle) 0.0; 0.0 0.0 1.0]

rot123(angle1, angle2, angle3) = rot3(angle3)*rot2(angle2)*rot1(angle1)
rot123(angles) = rot123(angles[1], angles[2], angles[3])

# About x, then z, then y; the angles stand in this order.
rot132(angle1, angle3, angle2) = rot2(angle2)*rot3(angle3)*rot1(angle1)
rot132(angles) = rot132(angles[1], angles[2], angles[3])

rotationFromAngles(angles, rotationXYZ) = rotationXYZ ? rot123(angles) : rot132(angles)

resolve2(R::AbstractMatrix, v1) = R*v1
resolve2(angles::AbstractVector, v1; rotationXYZ = true) = rotationFromAngles(angles, rotationXYZ)*v1
resolve1(R::AbstractMatrix, v2) = R'*v2
resolve1(angles::AbstractVector, v2; rotationXYZ = true) = rotationFromAngles(angles, rotationXYZ)'*v2

# ---- what has no effect here ----------------------------------------------------------------------

disableRenderer() = nothing
reenableRenderer() = nothing

@enum AxisAlignment Screen XY_Plane XZ_Plane YZ_Plane
@enum Alignment Left Right Center
