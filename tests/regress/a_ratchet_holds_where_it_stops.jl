# Of two one-way clutches on one shaft the one at the housing let it turn back, up to 0.25 rad/s and later: where the other began to slide, the places nearby
# at which its rates are found, with its whole torque of 10 kN m, were taken for the shaft's own, and widened what counts as rounding.
using Modia
using Test
include("$(Modia.modelsPath)/Driveline.jl")

Ratchet = Model(source = AngleSource, driver = OneWayClutch, pawl = OneWayClutch, housing = Fixed, shaft = Inertia | Map(J = 1.0u"kg*m^2"), load = ConstantTorque | Map(tau = -2.0u"N*m"),
    equations = :[source.phi = 1.0u"rad"*(1 - cos(time*u"1/s"))],
    connect = :[(source.flange, driver.flange_a); (driver.flange_b, shaft.flange_a, pawl.flange_b); (pawl.flange_a, housing.flange); (shaft.flange_b, load.flange)])
for solver in [CVODE_BDF(), IDA(), Rodas5(), Tsit5()], load in [-1.0, -2.0, -0.5]
    ratchet = @instantiateModel(Ratchet)
    simulate!(ratchet, solver, stopTime = 2*pi, tolerance = 1e-8, merge = Map(load = Map(tau = load*u"N*m")))
    # Driven to 2 rad; a weaker load lets it run on where the source slows down faster than the load does, at 1.5 rad, and stops it within v^2/2a = 0.75 rad.
    want = load == -0.5 ? 2.25 : 2.0
    @test abs(getLastValue(ratchet, "shaft.phi", unit = false) - want) < 1e-5
    @test minimum(getValues(ratchet, "shaft.w")) > -1e-6
end
