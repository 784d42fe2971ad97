# Small values beside a body whose structure changes: absolute tolerances that followed their sizes, or were made smaller because of them, go on
# in the next segment, as if nothing had happened there. Held against closed forms.
module ScalesInSegments

using Modia3D
using Test
include("scenes/acting.jl")

lump(m) = Solid(massProperties = MassProperties(mass = m, Ixx = 0.1*m, Iyy = 0.2*m, Izz = 0.15*m))
Beside(start, equations) = Acting(a -> (ActionWait(a, 5.0); ActionRelease(a, "cargoLock"); ActionWait(a, 2.0); ActionAttach(a, "cargoLock", "seat"));
        world = Object3D(feature = Scene(gravityField = NoGravityField())),
        wheel = Object3D(feature = lump(4.0)),
        seat = Object3D(parent = :wheel, lockable = true, translation = [0.5, 0.0, 0.0]),
        cargo = Object3D(parent = :wheel, assemblyRoot = true, translation = [0.5, 0.0, 0.0], feature = lump(1.0)),
        cargoLock = Object3D(parent = :cargo, lockable = true),
        rev = Revolute(obj1 = :world, obj2 = :wheel, axis = 3, w = Var(init = 1e-3))) |
    Map(p = Var(init = start), equations = equations)
grown(start, t) = start*exp(t)/(1.0 + start*(exp(t) - 1.0))
cases = [(1e-12, :[der(p) = p*(1.0 - p)], 40.0, t -> grown(1e-12, t)),
         (1e-6, :[der(p) = p*(1.0 - p)], 20.0, t -> grown(1e-6, t)),
         (1e-9, :[der(p) = -1e9*p^2], 20.0, t -> 1e-9/(1.0 + t)),
         (1.0, :[der(p) = -1e9*p^2], 20.0, t -> 1.0/(1.0 + 1e9*t))]
for (start, equations, stop, right) in cases, (solver, tolerance) in [(CVODE_BDF(), 1e-6), (CVODE_BDF(), 1e-9), (Tsit5(), 1e-6), (IDA(), 1e-7)]
    m = @instantiateModel(Beside(start, equations), unitless = true)
    simulate!(m, solver, stopTime = stop, tolerance = tolerance)
    t, p = signal(m, "time"), signal(m, "p")
    for part in [0.4, 0.6, 0.8, 1.0]
        k = findlast(x -> x <= part*stop + 1e-9, t)
        @test abs(p[k]/right(t[k]) - 1.0) < 1e-3
    end
end

end
