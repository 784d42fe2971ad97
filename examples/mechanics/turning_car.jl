# A car on four tires: it is dropped on its wheels, drives off and turns in a circle
#
# Shows: TyreOnPlane, the surroundings that all parts share, torques on axles, a free body above them, sums over loads of tires.
# Expect: the car settles where the loads are its weight. With its center of mass in the middle it steers neutrally: whatever its speed, the circle has the radius that the wheel base and
# the steering angle give, up to what the slip of the tires takes; the outer wheels bear
# more by (m a h + H w)/t, with the acceleration a across, the height h, the track t, and what turning with w the momentum H of the wheels takes.
module TurningCar

using Modia3D
using Test
@usingModiaPlot
include("$(Modia3D.modelsPath)/Mechanics3D.jl")

base, track, radius, height, steer, friction = 2.0, 1.4, 0.3, 0.5, 0.1, 0.9
tire = Solid(shape = Cylinder(axis = 3, diameter = 2*radius, length = 0.15), massProperties = MassPropertiesFromShapeAndMass(mass = 15.0), visualMaterial = "Rubber")
place(x, z) = [x*base/2, radius - height, z*track/2]
hub(x, z, angle) = Object3D(parent = :body, translation = place(x, z), rotation = [0.0, angle, 0.0])

# Turned by `inner` and `outer`, such that both front wheels roll about the same point of the line through the rear axle.
turn = base/tan(steer)
inner, outer = atan(base/(turn - track/2)), atan(base/(turn + track/2))
Car = Model3D(
    surroundings = surroundings | Map(mu = friction),
    world = World(nominalLength = 4.0),
    road = Object3D(parent = :world, translation = [0.0, -0.01, 0.0], feature = Visual(shape = Box(lengthX = 60.0, lengthY = 0.02, lengthZ = 60.0), visualMaterial = "Concrete")),
    body = Object3D(parent = :world, fixedToParent = false, translation = [0.0, height + 0.02, 0.0],
                    feature = Solid(shape = Box(lengthX = 3.2, lengthY = 0.4, lengthZ = 1.2), massProperties = MassPropertiesFromShapeAndMass(mass = 900.0), visualMaterial = "Copper")),
    hub1 = hub(1, -1, inner), hub2 = hub(1, 1, outer), hub3 = hub(-1, -1, 0.0), hub4 = hub(-1, 1, 0.0),
    wheel1 = Object3D(feature = tire), wheel2 = Object3D(feature = tire), wheel3 = Object3D(feature = tire), wheel4 = Object3D(feature = tire),
    axle1 = Revolute(obj1 = :hub1, obj2 = :wheel1), axle2 = Revolute(obj1 = :hub2, obj2 = :wheel2),
    axle3 = RevoluteWithFlange(obj1 = :hub3, obj2 = :wheel3), axle4 = RevoluteWithFlange(obj1 = :hub4, obj2 = :wheel4),
    tire1 = TyreOnPlane(wheel = :wheel1, B = 20.0), tire2 = TyreOnPlane(wheel = :wheel2, B = 20.0), tire3 = TyreOnPlane(wheel = :wheel3, B = 20.0), tire4 = TyreOnPlane(wheel = :wheel4, B = 20.0),
    drive3 = Torque, drive4 = Torque,
    connect = :[
        (drive3.flange, axle3.flange)
        (drive4.flange, axle4.flange)
    ],
    equations = :[
        wanted = -20.0*(1 - exp(-time/3.0))                      # rad/s; along the axle a wheel that rolls forward turns backward
        drive3.tau = 60.0*(wanted - axle3.w)
        drive4.tau = 60.0*(wanted - axle4.w)
        load = tire1.N + tire2.N + tire3.N + tire4.N
        speed = sqrt(body.v_abs[1]^2 + body.v_abs[3]^2)
        yawRate = body.w_abs[2]
    ])
car = @instantiateModel(Car, unitless = true)
simulate!(car, stopTime = 30.0, tolerance = 1e-7)
plot(car, ["speed", "yawRate", ("tire1.N", "tire2.N", "tire3.N", "tire4.N")], heading = "A car drives off into a circle: speed, yaw rate, loads of its tires")

last(name) = getLastValue(car, name, unit = false)
weight = 960*9.81
v, w = last("speed"), last("yawRate")
println("speed ", round(v, digits = 4), " m/s, circle of ", round(v/w, digits = 3), " m, by the axles ", round(hypot(turn, base/2), digits = 3), " m; loads ", round(last("load"), digits = 3), " N of ", round(weight, digits = 3), " N")
more = (last("tire2.N") + last("tire4.N") - last("tire1.N") - last("tire3.N"))/2
spins = 15.0*radius^2/2*abs(last("axle1.w") + last("axle2.w") + last("axle3.w") + last("axle4.w"))
moments = ((900*height + 60*radius)*v + spins)*w/track
println("the outer wheels bear ", round(more, digits = 2), " N more, by the balance of moments ", round(moments, digits = 2), " N and a little for the roll of the body")
@test abs(last("load")/weight - 1) < 1e-4
@test abs(v/w/hypot(turn, base/2) - 1) < 0.02
@test abs(more/moments - 1) < 0.02

end
