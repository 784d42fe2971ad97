# Every component of Translational.jl against its closed form.
using Modia
using Test

include("$(Modia.modelsPath)/Translational.jl")

close(a, b) = isapprox(ustrip(a), b, rtol = 1e-5, atol = 1e-7)
final(m, name) = getLastValue(m, name)

# Force, TranslationalMass, and all four sensors at the far end of the mass.
Cart = Model(
    force = Force,
    cart = TranslationalMass | Map(m = 2.0u"kg", L = 0.6u"m", s = Var(init = 0.1u"m"),
                                   v = Var(init = 1.0u"m/s")),
    position = PositionSensor,
    velocity = VelocitySensor,
    plainPosition = UnitlessPositionSensor,
    plainVelocity = UnitlessVelocitySensor,
    equations = :[force.f = 4.0u"N"*cos(time/u"s")],
    connect = :[
        (force.flange, cart.flange_a)
        (cart.flange_b, position.flange, velocity.flange, plainPosition.flange, plainVelocity.flange)
    ]
)
cart = @instantiateModel(Cart)
simulate!(cart, stopTime = 1.5, tolerance = 1e-9)
t = 1.5
v = 1.0 + 2.0*sin(t)
s = 0.1 + t + 2.0*(1 - cos(t))
@test close(final(cart, "cart.v"), v)
@test close(final(cart, "cart.s"), s)
@test close(final(cart, "cart.flange_a.s"), s - 0.3)
@test close(final(cart, "position.s"), s + 0.3)
@test close(final(cart, "velocity.v"), v)
@test close(final(cart, "plainPosition.s"), s + 0.3)
@test close(final(cart, "plainVelocity.v"), v)
@test Set(get_xNames(cart)) == Set(["cart.s", "cart.v"])

# Two carts in a row are one; the force between them is what the second one needs. Whichever of them has
# init values keeps its states.
Row = Model(
    force = UnitlessForce | Map(f = :(6.0)),
    first = TranslationalMass | Map(m = 1.0u"kg", L = 0.2u"m"),
    second = TranslationalMass | Map(m = 2.0u"kg", L = 0.4u"m"),
    connect = :[
        (force.flange, first.flange_a)
        (first.flange_b, second.flange_a)
    ]
)
free = Map(s = Var(init = nothing), v = Var(init = nothing))
byFirst = @instantiateModel(Row | Map(second = free))
bySecond = @instantiateModel(Row | Map(first = free, second = Map(s = Var(init = 0.3u"m"))))
@test Set(get_xNames(byFirst)) == Set(["first.s", "first.v"])
@test Set(get_xNames(bySecond)) == Set(["second.s", "second.v"])
for row in [byFirst, bySecond]
    simulate!(row, stopTime = 2.0, tolerance = 1e-8)
    @test close(final(row, "first.s"), 4.0)
    @test close(final(row, "second.s"), 4.0 + 0.1 + 0.2)
    @test close(final(row, "second.flange_a.f"), 4.0)
end

# FixedPosition takes the force of a spring written as an equation between two flanges.
Oscillator = Model(
    wall = FixedPosition,
    cart = TranslationalMass | Map(m = 2.0u"kg", s = Var(init = 0.5u"m")),
    spring = Model(a = TranslationalFlange, b = TranslationalFlange, c = 18.0u"N/m",
                   equations = :[b.f = c*(b.s - a.s); a.f + b.f = 0]),
    connect = :[
        (wall.flange, spring.a)
        (spring.b, cart.flange_a)
    ]
)
oscillator = @instantiateModel(Oscillator)
simulate!(oscillator, stopTime = 0.8, tolerance = 1e-9)
@test close(final(oscillator, "cart.s"), 0.5*cos(3.0*0.8))
@test close(final(oscillator, "wall.flange.f"), 18.0*0.5*cos(3.0*0.8))
