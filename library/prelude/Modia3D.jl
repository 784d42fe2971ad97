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

# ---- what has no effect here ----------------------------------------------------------------------

disableRenderer() = nothing
reenableRenderer() = nothing

@enum AxisAlignment Screen XY_Plane XZ_Plane YZ_Plane
@enum Alignment Left Right Center
