# Windings whose coupling is perfect for the present values of their inductances: M x' = f(x) with an M that is singular
# for these values only. Their currents are fewer states than there are windings.
using Modia
using LinearAlgebra
using Test

# A sine voltage drives winding 1 through R1; R2 loads winding 2.
Coupled = Model(L1 = 1e-3, L2 = 4e-3, M = 2e-3, R1 = 1.0, R2 = 2.0, w = 100.0, i1 = Var(start = 0.0), i2 = Var(start = 0.0), equations = :[
    L1*der(i1) + M*der(i2) = sin(w*time) - R1*i1
    M*der(i1) + L2*der(i2) = -R2*i2])

# The response settles within milliseconds; amplitudes by complex numbers, written out: (a + jb)*(c + jd).
function settled(L1, L2, M, R1, R2, w, t)
    # (R1 + jwL1) I1 + jwM I2 = 1, jwM I1 + (R2 + jwL2) I2 = 0
    # determinant D = (R1 + jwL1)(R2 + jwL2) + w^2 M^2
    re = R1*R2 - w^2*L1*L2 + w^2*M^2
    im = w*(R1*L2 + R2*L1)
    d = re^2 + im^2
    a, b = (R2*re + w*L2*im)/d, (w*L2*re - R2*im)/d          # I1 = (R2 + jwL2)/D
    c, e = -w*M*im/d, -w*M*re/d                              # I2 = -jwM/D
    return [a*sin(w*t) + b*cos(w*t), c*sin(w*t) + e*cos(w*t)]
end
currents(m) = [getLastValue(m, "i1"), getLastValue(m, "i2")]
apart(a, b) = maximum(abs.(a .- b))
states(m) = length(get_xNames(m))

m = @instantiateModel(Coupled, unitless = true)
@test states(m) == 1
for s in (CVODE_BDF(), IDA(), Tsit5(), Rodas5P())
    simulate!(m, s, stopTime = 0.1, tolerance = 1e-9)
    @test apart(currents(m), settled(1e-3, 4e-3, 2e-3, 1.0, 2.0, 100.0, 0.1)) < 1e-6
end
# Other values that couple perfectly: nothing changes but the values.
simulate!(m, stopTime = 0.2, tolerance = 1e-9, merge = Map(L1 = 3e-3, L2 = 12e-3, M = 6e-3))
@test states(m) == 1
@test apart(currents(m), settled(3e-3, 12e-3, 6e-3, 1.0, 2.0, 100.0, 0.2)) < 1e-6
# Values that do not: two states again, and back.
simulate!(m, stopTime = 0.2, tolerance = 1e-9, merge = Map(M = 5e-3))
@test states(m) == 2
@test apart(currents(m), settled(3e-3, 12e-3, 5e-3, 1.0, 2.0, 100.0, 0.2)) < 1e-6

# The square root of a product is rounded, and still means perfect coupling.
for (L1, L2) in ((0.3e-3, 0.7e-3), (1.1, 17.3), (3.7e-6, 9.1e-3))
    n = @instantiateModel(Coupled | Map(L1 = L1, L2 = L2, M = sqrt(L1*L2), R1 = 100.0, R2 = 100.0, w = 50.0), unitless = true)
    @test states(n) == 1
    simulate!(n, stopTime = 3.0, tolerance = 1e-9)
    @test apart(currents(n), settled(L1, L2, sqrt(L1*L2), 100.0, 100.0, 50.0, 3.0)) < 1e-7
end
# Almost perfect is not perfect.
n = @instantiateModel(Coupled | Map(M = 2e-3*(1.0 - 1e-9)), unitless = true)
@test states(n) == 2
simulate!(n, stopTime = 0.1, tolerance = 1e-9)
@test apart(currents(n), settled(1e-3, 4e-3, 2e-3, 1.0, 2.0, 100.0, 0.1)) < 1e-6

# Three windings on one core, Lij = ni*nj*p: one state. Held against the flux as a state of its own.
Three = Model(p = 1e-3, n1 = 1.0, n2 = 2.0, n3 = 0.5, L11 = 1e-3, L12 = 2e-3, L13 = 0.5e-3, L22 = 4e-3, L23 = 1e-3, L33 = 0.25e-3,
    R1 = 1.0, R2 = 2.0, R3 = 3.0, i1 = Var(start = 0.0), i2 = Var(start = 0.0), i3 = Var(start = 0.0), equations = :[
        L11*der(i1) + L12*der(i2) + L13*der(i3) = sin(100*time) - R1*i1
        L12*der(i1) + L22*der(i2) + L23*der(i3) = -R2*i2
        L13*der(i1) + L23*der(i2) + L33*der(i3) = -R3*i3])
Flux = Model(p = 1e-3, phi = Var(init = 0.0), equations = :[
    der(phi) = sin(100*time) - i1
    2.0*der(phi) = -2.0*i2
    0.5*der(phi) = -3.0*i3
    phi = p*(i1 + 2.0*i2 + 0.5*i3)])
three = @instantiateModel(Three, unitless = true)
flux = @instantiateModel(Flux, unitless = true)
@test states(three) == 1
simulate!(three, stopTime = 0.1, tolerance = 1e-9)
simulate!(flux, stopTime = 0.1, tolerance = 1e-9)
for k in 1:3
    @test abs(getLastValue(three, "i$k") - getLastValue(flux, "i$k")) < 1e-6
end

# By the elements of a matrix of parameters.
matrix = @instantiateModel(Model(L = [1e-3 2e-3; 2e-3 4e-3], i1 = Var(start = 0.0), i2 = Var(start = 0.0), equations = :[
    L[1,1]*der(i1) + L[1,2]*der(i2) = sin(100.0*time) - i1
    L[2,1]*der(i1) + L[2,2]*der(i2) = -2.0*i2]), unitless = true)
@test states(matrix) == 1
simulate!(matrix, stopTime = 0.1, tolerance = 1e-9)
@test apart(currents(matrix), settled(1e-3, 4e-3, 2e-3, 1.0, 2.0, 100.0, 0.1)) < 1e-6
