# Scenario E6: a billiard ball slides, rolls, and hits another one.
using Modia3D
using Test

ball() = Solid(shape = Sphere(diameter = 0.06), solidMaterial = "BilliardBall", collision = true)
TwoBalls = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]))),
    table = Object3D(parent = :world, translation = [0.0, 0.0, -0.01],
                     feature = Solid(shape = Box(lengthX = 3.0, lengthY = 0.5, lengthZ = 0.02), solidMaterial = "DryWood",
                                     contactMaterial = "BilliardTable", collision = true)),
    ball1 = Object3D(parent = :world, fixedToParent = false, translation = [-1.3, 0.0, 0.03], rotation = [pi/2, 0.0, 0.0],
                     velocity = [3.0, 0.0, 0.0], feature = ball()),
    ball2 = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.0, 0.03], rotation = [pi/2, 0.0, 0.0], feature = ball())
)
stored = [0.44876394694456134, 9.305927636126645e-17, 0.029996866914584027, 0.5333704927224155, 9.191631858558948e-17, -8.536332325885959e-07,
          1.5707963267948966, 2.428034767780229e-16, -55.43736210378611, -3.0637882098742386e-15, 17.778500349018145, 1.6854528233546344e-19,
          1.4034679368692125, -2.5752631917689518e-14, 0.029997749668811288, 1.4386201962066418, -2.635051209881685e-14, -2.3079771375263612e-06,
          1.570796326794897, -1.816097264237583e-14, -44.078687623522335, 8.783557043687735e-13, 47.95429595521847, 0.0]
two = @instantiateModel(TwoBalls, unitless = true)
simulate!(two, stopTime = 1.5, tolerance = 1e-7, interval = 0.01, dtmax = 0.1, requiredFinalStates_rtol = 1e-3, requiredFinalStates = stored)
# By default distances are lengths: both sink in by what their weight asks for.
@test abs(getLastValue(two, "ball1.translation")[3] - (0.03 - 1.60835e-6)) < 1e-9
# Positions and speeds on the way.
t = getValues(two, "time")
at(time, name) = getValues(two, name)[argmin(abs.(t .- time)), :]
for (time, x1, v1, w1, x2, v2, w2) in [(0.15, -0.932130, 2.132322, 71.0783, 0.0, 0.0, 0.0), (0.54, -0.105853, 2.104994, 70.1674, 0.0, 0.0, 0.0),
                                       (1.0, 0.173316, 0.568399, 18.9461, 0.675402, 1.473665, 49.1225)]
    @test abs(at(time, "ball1.translation")[1] - x1) < 2e-5
    @test abs(at(time, "ball1.velocity")[1] - v1) < 2e-5
    @test abs(at(time, "ball1.angularVelocity")[2] - w1) < 2e-3
    @test abs(at(time, "ball2.translation")[1] - x2) < 2e-5
    @test abs(at(time, "ball2.velocity")[1] - v2) < 2e-5
    @test abs(at(time, "ball2.angularVelocity")[2] - w2) < 2e-3
end
