# What `using Modia3D` brings in beyond the constructors that are built into the program: joints,
# which are models with equations of their own. Evaluated once, in the module Modia3D.

# One degree of freedom. A joint moves obj2 relative to obj1; both frames coincide at zero. Between objects
# that a script made by hand there is no model: then it is the joint of Composition.

# What makes a Model3D(; components...) of a model. (The function itself is built in, so that components
# keep their places for messages.)
model3DFunctions = Model(
    _buildFunction = Par(functionName = :(Modia3D.build_Model3D!)),
    _initSegmentFunction = Par(functionName = :(Modia3D.initSegment_Model3D!)))

# The same for Component(name; variables...), a component written in C.
componentFunctions = Model(
    _buildFunction = Par(functionName = :(Modia.buildComponent!)),
    _initSegmentFunction = Par(functionName = :(Modia.initSegmentComponent!)))

"""
    buildModia3D(model)

The model itself. Files of older versions wrote `@instantiateModel(buildModia3D(model), ...)`; a model with
3D parts needs no preparation any more.
"""
buildModia3D(model) = model

# A joint that shall be cut where it closes a loop says so; others have no such parameter.
wantedCut(cut) = cut ? Map(cut = Par(value = true)) : Map()

"""
    Revolute(; obj1, obj2, axis=3, phi, w, canCollide=true, cut=false)

Rotation of `obj2` about `axis` (1, 2 or 3) of `obj1` by the angle `phi` [rad] with the speed `w` [rad/s], `w = der(phi)`.

    hinge = Revolute(obj1 = :world, obj2 = :arm, axis = 3, phi = Var(init = 30u"°"))
"""
Revolute(; obj1, obj2, axis = 3, phi = Var(init = 0.0), w = Var(init = 0.0), canCollide = true, cut = false) =
    madeByHand(obj1) ? Composition.Revolute(obj1, obj2; axis = axis, phi = phi, canCollide = canCollide) : Model(;
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
) | wantedCut(cut)

"""
    RevoluteWithFlange(; obj1, obj2, axis=3, phi, w, canCollide=true, cut=false)

As `Revolute`, with a rotational flange that drives the joint: `flange.phi` [rad] is the angle, `flange.tau` [N*m] the torque into it.

    joint = RevoluteWithFlange(obj1 = :world, obj2 = :arm)   # connect = :[(motor.flange, joint.flange)]
"""
RevoluteWithFlange(; obj1, obj2, axis = 3, phi = Var(init = 0.0), w = Var(init = 0.0), canCollide = true, cut = false) = Model(;
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
) | wantedCut(cut)

"""
    Prismatic(; obj1, obj2, axis=1, s, v, canCollide=true, cut=false)

Translation of `obj2` along `axis` (1, 2 or 3) of `obj1` by the distance `s` [m] with the speed `v` [m/s], `v = der(s)`.

    slide = Prismatic(obj1 = :world, obj2 = :cart, axis = 1, s = Var(init = 0.5))
"""
Prismatic(; obj1, obj2, axis = 1, s = Var(init = 0.0), v = Var(init = 0.0), canCollide = true, cut = false) =
    madeByHand(obj1) ? Composition.Prismatic(obj1, obj2; axis = axis, s = s, canCollide = canCollide) : Model(;
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
) | wantedCut(cut)

"""
    PrismaticWithFlange(; obj1, obj2, axis=1, s, v, canCollide=true, cut=false)

As `Prismatic`, with a translational flange that drives the joint: `flange.s` [m] is the distance, `flange.f` [N] the force into it.

    slide = PrismaticWithFlange(obj1 = :world, obj2 = :cart)
"""
PrismaticWithFlange(; obj1, obj2, axis = 1, s = Var(init = 0.0), v = Var(init = 0.0), canCollide = true, cut = false) = Model(;
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
) | wantedCut(cut)

# Six degrees of freedom with variables that the equations see. The angles are those of turns about
# x, y, z or, where these come near their singularity, about x, z, y: the sequence changes at an event.

"Angles of the same orientation in the other sequence."
otherSequence(rot, isrot123) = SVector{3,Float64}(isrot123 ? rot132fromR(rot123(rot)) : rot123fromR(rot132(rot)))

turnsByAngles = Model(equations = :[
        isrot123 = pre(next_isrot123)
        rot2_singularity = positive(abs(mod(rot[2] + 3.141592653589793, 6.283185307179586) - 3.141592653589793) - 1.5)
        next_isrot123 = if rot2_singularity; !isrot123 else isrot123 end
        rot_jump = if rot2_singularity; reinit(rot, Modia3D.otherSequence(rot, isrot123)) else rot end
        der(rot) = if isrot123
            [(cos(rot[3])*w[1] - sin(rot[3])*w[2])/cos(rot[2]),
             sin(rot[3])*w[1] + cos(rot[3])*w[2],
             w[3] - tan(rot[2])*(cos(rot[3])*w[1] - sin(rot[3])*w[2])]
        else
            [(cos(rot[3])*w[1] + sin(rot[3])*w[3])/cos(rot[2]),
             cos(rot[3])*w[3] - sin(rot[3])*w[1],
             w[2] + tan(rot[2])*(cos(rot[3])*w[1] + sin(rot[3])*w[3])]
        end
    ])

"""
    FreeMotion(; obj1, obj2, r, rot, v, w)

Free motion of `obj2` relative to `obj1`: position `r` and velocity `v` in `obj1`, angles `rot`, angular
velocity `w` in `obj2`. Out of date: `Object3D(fixedToParent = false)` does the same.
"""
FreeMotion(; obj1, obj2, r = Var(init = SVector{3,Float64}(zeros(3))), rot = Var(init = SVector{3,Float64}(zeros(3))),
             v = Var(init = SVector{3,Float64}(zeros(3))), w = Var(init = SVector{3,Float64}(zeros(3)))) = Model(;
    _constructor = Par(value = :(FreeMotion), _path = true),
    obj1 = Par(value = obj1),
    obj2 = Par(value = obj2),
    r = r, rot = rot, v = v, w = w,
    next_isrot123 = Var(start = true),
    rot_jump = Var(hideResult = true),
    equations = :[
        der(r) = v
    ]
) | turnsByAngles

"""
    FreeMotion2(; obj1, obj2, r, rot, v, w)

As `FreeMotion`, always with the sequence x, y, z.
"""
FreeMotion2(; obj1, obj2, r = Var(init = SVector{3,Float64}(zeros(3))), rot = Var(init = SVector{3,Float64}(zeros(3))),
              v = Var(init = SVector{3,Float64}(zeros(3))), w = Var(init = SVector{3,Float64}(zeros(3)))) = Model(;
    _constructor = Par(value = :(FreeMotion2), _path = true),
    obj1 = Par(value = obj1),
    obj2 = Par(value = obj2),
    r = r, rot = rot, v = v, w = w,
    equations = :[
        der(r) = v
        der(rot) = [(cos(rot[3])*w[1] - sin(rot[3])*w[2])/cos(rot[2]),
                    sin(rot[3])*w[1] + cos(rot[3])*w[2],
                    w[3] - tan(rot[2])*(cos(rot[3])*w[1] - sin(rot[3])*w[2])]
    ]
)

# ---- joints with several coordinates --------------------------------------------------------------

# Where such a joint is between two objects that are connected already it closes a loop, and has no variables.

turningFlange = Model(phi = Var(potential = true), tau = Var(flow = true))
slidingFlange = Model(s = Var(potential = true), f = Var(flow = true))

# What all of them begin with.
jointBetween(name, obj1, obj2, canCollide, cut) = Model(;
    _constructor = Par(value = name, _path = true),
    obj1 = Par(value = obj1),
    obj2 = Par(value = obj2),
    canCollide = Par(value = canCollide)) | wantedCut(cut)

"""
    Cylindrical(; obj1, obj2, axis=3, s, v, phi, w, canCollide=true, cut=false)

`obj2` slides along `axis` of `obj1` by the distance `s` [m] with the speed `v` [m/s], and turns about it by the angle `phi` [rad] with the
speed `w` [rad/s]. Where it closes a loop it has no variables.

    sleeve = Cylindrical(obj1 = :rod, obj2 = :ring, axis = 1, phi = Var(init = 0.2), v = Var(init = 1.0))
"""
Cylindrical(; obj1, obj2, axis = 3, s = Var(init = 0.0), v = Var(init = 0.0), phi = Var(init = 0.0), w = Var(init = 0.0),
              canCollide = true, cut = false) =
    jointBetween(:(Cylindrical), obj1, obj2, canCollide, cut) | Model(; axis = Par(value = axis), s = s, v = v, phi = phi, w = w,
    equations = :[
        v = der(s)
        w = der(phi)
    ]
)

"""
    CylindricalWithFlanges(; obj1, obj2, axis=3, s, v, phi, w, canCollide=true)

As `Cylindrical`, with a translational flange `flangeS` along the axis and a rotational one `flangePhi` about it.

    spindle = CylindricalWithFlanges(obj1 = :housing, obj2 = :spindle)   # connect = :[(feed.flange, spindle.flangeS)]
"""
CylindricalWithFlanges(; obj1, obj2, axis = 3, s = Var(init = 0.0), v = Var(init = 0.0), phi = Var(init = 0.0), w = Var(init = 0.0),
                         canCollide = true) =
    jointBetween(:(CylindricalWithFlanges), obj1, obj2, canCollide, false) | Model(; axis = Par(value = axis),
    flangeS = slidingFlange, flangePhi = turningFlange, s = s, v = v, phi = phi, w = w,
    equations = :[
        s = flangeS.s
        v = der(s)
        phi = flangePhi.phi
        w = der(phi)
    ]
)

"""
    Planar(; obj1, obj2, axis=3, s1, v1, s2, v2, phi, w, canCollide=true, cut=false)

`obj2` slides across `axis` of `obj1` and turns about it: by `s1` and `s2` [m] along the two axes of `obj1` that follow `axis` (x and y for
`axis = 3`), and by the angle `phi` [rad], with the speeds `v1`, `v2` [m/s] and `w` [rad/s]. Where it closes a loop it has no variables.

    puck = Planar(obj1 = :table, obj2 = :puck, v1 = Var(init = 2.0), w = Var(init = 5.0))
"""
Planar(; obj1, obj2, axis = 3, s1 = Var(init = 0.0), v1 = Var(init = 0.0), s2 = Var(init = 0.0), v2 = Var(init = 0.0),
         phi = Var(init = 0.0), w = Var(init = 0.0), canCollide = true, cut = false) =
    jointBetween(:(Planar), obj1, obj2, canCollide, cut) | Model(; axis = Par(value = axis),
    s1 = s1, v1 = v1, s2 = s2, v2 = v2, phi = phi, w = w,
    equations = :[
        v1 = der(s1)
        v2 = der(s2)
        w = der(phi)
    ]
)

"""
    PlanarWithFlanges(; obj1, obj2, axis=3, s1, v1, s2, v2, phi, w, canCollide=true)

As `Planar`, with translational flanges `flangeS1` and `flangeS2` along the two directions and a rotational one `flangePhi` about the axis.

    stage = PlanarWithFlanges(obj1 = :base, obj2 = :plate)
"""
PlanarWithFlanges(; obj1, obj2, axis = 3, s1 = Var(init = 0.0), v1 = Var(init = 0.0), s2 = Var(init = 0.0), v2 = Var(init = 0.0),
                    phi = Var(init = 0.0), w = Var(init = 0.0), canCollide = true) =
    jointBetween(:(PlanarWithFlanges), obj1, obj2, canCollide, false) | Model(; axis = Par(value = axis),
    flangeS1 = slidingFlange, flangeS2 = slidingFlange, flangePhi = turningFlange,
    s1 = s1, v1 = v1, s2 = s2, v2 = v2, phi = phi, w = w,
    equations = :[
        s1 = flangeS1.s
        v1 = der(s1)
        s2 = flangeS2.s
        v2 = der(s2)
        phi = flangePhi.phi
        w = der(phi)
    ]
)

"""
    Helical(; obj1, obj2, pitch, axis=3, phi, w, canCollide=true, cut=false)

A screw: `obj2` turns about `axis` of `obj1` by the angle `phi` [rad] with the speed `w` [rad/s], and goes along it by `pitch` [m] with every
turn, backward where `pitch` is negative (a left-handed thread). Where it closes a loop it has no variables.

    thread = Helical(obj1 = :spindle, obj2 = :nut, pitch = 0.005)
"""
Helical(; obj1, obj2, pitch, axis = 3, phi = Var(init = 0.0), w = Var(init = 0.0), canCollide = true, cut = false) =
    jointBetween(:(Helical), obj1, obj2, canCollide, cut) | Model(; axis = Par(value = axis), pitch = Par(value = pitch), phi = phi, w = w,
    equations = :[
        w = der(phi)
    ]
)

"""
    HelicalWithFlange(; obj1, obj2, pitch, axis=3, phi, w, canCollide=true)

As `Helical`, with a rotational flange that drives the joint: `flange.phi` [rad] is the angle, `flange.tau` [N*m] the torque into it.

    feed = HelicalWithFlange(obj1 = :bed, obj2 = :carriage, pitch = 0.01)   # connect = :[(motor.flange, feed.flange)]
"""
HelicalWithFlange(; obj1, obj2, pitch, axis = 3, phi = Var(init = 0.0), w = Var(init = 0.0), canCollide = true) =
    jointBetween(:(HelicalWithFlange), obj1, obj2, canCollide, false) | Model(; axis = Par(value = axis), pitch = Par(value = pitch),
    flange = turningFlange, phi = phi, w = w,
    equations = :[
        phi = flange.phi
        w = der(phi)
    ]
)

"""
    Spherical(; obj1, obj2, rot=zeros(3), w=zeros(3), canCollide=true, cut=false)

A ball joint: the origins of `obj1` and `obj2` stay together. `rot` [rad] are the angles of `obj2` about x, y and z in turn, `w` [rad/s] is
its angular velocity relative to `obj1`, along the axes of `obj2`. Where the second angle comes near a right angle, the sequence becomes x, z, y
and later x, y, z again (`isrot123` says which), so that no orientation is singular. Where it closes a loop it has no variables.

    ball = Spherical(obj1 = :socket, obj2 = :arm, rot = Var(init = [0.0, 0.3, 0.0]), w = Var(init = [0.0, 0.0, 5.0]))
"""
Spherical(; obj1, obj2, rot = Var(init = SVector{3,Float64}(zeros(3))), w = Var(init = SVector{3,Float64}(zeros(3))),
            canCollide = true, cut = false) =
    jointBetween(:(Spherical), obj1, obj2, canCollide, cut) | Model(; rot = rot, w = w,
    next_isrot123 = Var(start = true),
    rot_jump = Var(hideResult = true)) | turnsByAngles

"""
    Universal(; obj1, obj2, axis1=1, axis2=2, phi1, w1, phi2, w2, canCollide=true, cut=false)

A cross between two shafts: `obj2` turns about `axis1` of `obj1` by `phi1` [rad] and then about `axis2` of its own by `phi2` [rad], with the speeds
`w1` and `w2` [rad/s]. The two axes must not be parallel; at right angles, as they mostly are, no angles are singular. Where it closes a loop it has
no variables, and keeps its axes at right angles.

    cardan = Universal(obj1 = :gearbox, obj2 = :shaft, axis1 = 1, axis2 = 2, phi1 = Var(init = 10u"°"))
"""
Universal(; obj1, obj2, axis1 = 1, axis2 = 2, phi1 = Var(init = 0.0), w1 = Var(init = 0.0), phi2 = Var(init = 0.0), w2 = Var(init = 0.0),
            canCollide = true, cut = false) =
    jointBetween(:(Universal), obj1, obj2, canCollide, cut) | Model(; axis1 = Par(value = axis1), axis2 = Par(value = axis2),
    phi1 = phi1, w1 = w1, phi2 = phi2, w2 = w2,
    equations = :[
        w1 = der(phi1)
        w2 = der(phi2)
    ]
)

"""
    UniversalWithFlanges(; obj1, obj2, axis1=1, axis2=2, phi1, w1, phi2, w2, canCollide=true)

As `Universal`, with a rotational flange about each axis, `flange1` and `flange2`.

    gimbal = UniversalWithFlanges(obj1 = :mast, obj2 = :camera, axis1 = 3, axis2 = 1)   # connect = :[(pan.flange, gimbal.flange1)]
"""
UniversalWithFlanges(; obj1, obj2, axis1 = 1, axis2 = 2, phi1 = Var(init = 0.0), w1 = Var(init = 0.0), phi2 = Var(init = 0.0),
                       w2 = Var(init = 0.0), canCollide = true) =
    jointBetween(:(UniversalWithFlanges), obj1, obj2, canCollide, false) | Model(; axis1 = Par(value = axis1), axis2 = Par(value = axis2),
    flange1 = turningFlange, flange2 = turningFlange, phi1 = phi1, w1 = w1, phi2 = phi2, w2 = w2,
    equations = :[
        phi1 = flange1.phi
        w1 = der(phi1)
        phi2 = flange2.phi
        w2 = der(phi2)
    ]
)

# Six joints with flanges in a row, each led along one number. The names begin with `lead`, so that they do not hide
# objects of the model.
leadAlong = Model(flange = Model(s = Var(potential = true), f = Var(flow = true)), to = Var(), equations = :[flange.s = to])
leadAround = Model(flange = Model(phi = Var(potential = true), tau = Var(flow = true)), to = Var(), equations = :[flange.phi = to])

"""
    PrescribedMotion(; obj1, obj2, r=zeros(3), rot=zeros(3))

Leads `obj2` relative to `obj1`: its origin is at `r`, and it is turned by the angles `rot` about x, y and z in turn. Where
one of them is `Var()`, an equation of the model must give it, and it must be possible to differentiate that twice. `force`
is what it takes, along the axes of `obj1`; `torque` the three moments about the axes that the angles turn about.
"""
PrescribedMotion(; obj1, obj2, r = zeros(3), rot = zeros(3)) = Model(;
    r = r, rot = rot,
    leadX = leadAlong, leadY = leadAlong, leadZ = leadAlong,
    leadA = leadAround, leadB = leadAround, leadC = leadAround,
    leadObject1 = Object3D(), leadObject2 = Object3D(), leadObject3 = Object3D(), leadObject4 = Object3D(), leadObject5 = Object3D(),
    leadJoint1 = PrismaticWithFlange(obj1 = obj1, obj2 = :leadObject1, axis = 1, s = Var(), v = Var()),
    leadJoint2 = PrismaticWithFlange(obj1 = :leadObject1, obj2 = :leadObject2, axis = 2, s = Var(), v = Var()),
    leadJoint3 = PrismaticWithFlange(obj1 = :leadObject2, obj2 = :leadObject3, axis = 3, s = Var(), v = Var()),
    leadJoint4 = RevoluteWithFlange(obj1 = :leadObject3, obj2 = :leadObject4, axis = 1, phi = Var(), w = Var()),
    leadJoint5 = RevoluteWithFlange(obj1 = :leadObject4, obj2 = :leadObject5, axis = 2, phi = Var(), w = Var()),
    leadJoint6 = RevoluteWithFlange(obj1 = :leadObject5, obj2 = obj2, axis = 3, phi = Var(), w = Var()),
    connect = :[
        (leadJoint1.flange, leadX.flange)
        (leadJoint2.flange, leadY.flange)
        (leadJoint3.flange, leadZ.flange)
        (leadJoint4.flange, leadA.flange)
        (leadJoint5.flange, leadB.flange)
        (leadJoint6.flange, leadC.flange)
    ],
    equations = :[
        leadX.to = r[1]
        leadY.to = r[2]
        leadZ.to = r[3]
        leadA.to = rot[1]
        leadB.to = rot[2]
        leadC.to = rot[3]
        force = [leadJoint1.flange.f, leadJoint2.flange.f, leadJoint3.flange.f]
        torque = [leadJoint4.flange.tau, leadJoint5.flange.tau, leadJoint6.flange.tau]
    ]
)

# ---- what has no effect here ----------------------------------------------------------------------

# Types that functions of force elements name.
const VarFloatType = AbstractFloat

disableRenderer() = nothing
reenableRenderer() = nothing

@enum AxisAlignment Screen XY_Plane XZ_Plane YZ_Plane
@enum Alignment Left = 1 Right Center
@enum ShadowMask NoShadows CastsShadows ReceivesShadows CastsAndReceivesShadows

# The names that a dictionary knows, one a line.
listKeys(dict) = foreach(println, keys(dict))

# ---- boxes around shapes --------------------------------------------------------------------------

"A box along the axes of the world."
mutable struct BoundingBox
    x_min
    x_max
    y_min
    y_max
    z_min
    z_max
end
BoundingBox() = BoundingBox(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)

"""
    boundingBox!(shape, box; r_abs, R_abs, tight=false, scaleFactor=0.01)

Stores in `box` the box around a shape (or the shape of a Solid, Visual or Object3D) whose frame is at
`r_abs` with the rotation `R_abs`. Unless it is to be tight, each face is moved outward by half of
`scaleFactor` times the longest edge, as the search for contacts has it.
"""
function boundingBox!(shape, box::BoundingBox; r_abs = ZeroVector3D, R_abs = NullRotation, tight = false,
                      scaleFactor = 0.01)
    hi = [r_abs[i] + dot(R_abs[:,i], supportPoint(shape, R_abs[:,i])) for i in 1:3]
    lo = [r_abs[i] + dot(R_abs[:,i], supportPoint(shape, -R_abs[:,i])) for i in 1:3]
    more = tight ? 0.0 : 0.5*scaleFactor*maximum(hi - lo)
    (box.x_min, box.y_min, box.z_min) = (lo[1] - more, lo[2] - more, lo[3] - more)
    (box.x_max, box.y_max, box.z_max) = (hi[1] + more, hi[2] + more, hi[3] + more)
    return box
end
