# Start values that are off by more than a right angle: the frames of a joint that closes a loop come to where the joint says,
# not to where they look away from each other, although the same directions are perpendicular there.
using Modia3D
using Test

solid = Solid(massProperties = MassProperties(mass = 2.0, centerOfMass = [0.3, 0.0, 0.1], Ixx = 0.05, Iyy = 0.09, Izz = 0.07))
turns = [[0.0, 0.0, pi], [0.0, 0.0, 2.5], [pi, 0.0, 0.0], [2.5, 0.0, 0.0], [0.0, 3.0, 0.1], [0.0, 1.5, 2.0], [1.4, 0.0, 0.0], [-2.0, 1.0, 2.5]]
# Along which axes of the joint the frame of the body is, once the run has begun.
function frame(joint, turn, place)
    m = @instantiateModel(Model3D(world = Object3D(feature = Scene(gravityField = NoGravityField(), enableContactDetection = false)),
        base = Object3D(parent = :world, translation = place, rotation = [0.3, -0.4, 0.5]),
        body = Object3D(parent = :base, fixedToParent = false, translation = -0.5*place, rotation = turn, feature = solid), joint = joint,
        equations = :[seen = body.R_abs*base.R_abs']), unitless = true)
    simulate!(m, stopTime = 0.01)
    return (getLastValue(m, "seen"), maximum(abs.(getLastValue(m, "body.r_abs", unit = false) - place)), m)
end
off(R, S) = maximum(abs.(R - S))
unit = [1.0 0.0 0.0; 0.0 1.0 0.0; 0.0 0.0 1.0]
for turn in turns
    for place in [[0.0, 0.0, 0.0], [0.2, 0.1, -0.3]]
        (R, gap) = frame(Fix(obj1 = :base, obj2 = :body), turn, place)
        @test off(R, unit) < 1e-10 && gap < 1e-10
        (R, gap, m) = frame(Prismatic(obj1 = :base, obj2 = :body, axis = 2), turn, place)
        @test off(R, unit) < 1e-10
        (R, gap, m) = frame(Revolute(obj1 = :base, obj2 = :body, axis = 1), turn, place)
        phi = getLastValue(m, "joint.phi")
        @test off(R, [1.0 0.0 0.0; 0.0 cos(phi) sin(phi); 0.0 -sin(phi) cos(phi)]) < 1e-10 && gap < 1e-10
    end
end
