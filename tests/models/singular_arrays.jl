# A singular matrix in front of the derivatives of an array hides a constraint between its elements, as it does where the
# equations are written one by one. Each model against such a twin or a closed form.
using Modia
using Test

last(m, name) = getLastValue(m, name)
states(m) = length(get_xNames(m))
solvers = [CVODE_BDF(), IDA(), Tsit5(), Rodas5P()]

# Two coils, perfectly coupled: L1 L2 = M^2, with windings 1 : n the second current follows from the first.
# L di/dt = u - R.*i with L = L1 [1 n; n n^2]: n v1 = v2, so R2 i2 = u2 - n (u1 - R1 i1).
Coils = Model(L = [2.0 3.0; 3.0 4.5], R = [1.0, 3.0], i = Var(start = [0.5, 0.0]), u = Var(), equations = :[
    u = [1.0 + sin(time), 0.0]
    v = u - R.*i
    L*der(i) = v])
Twin = Model(L1 = 2.0, M = 3.0, L2 = 4.5, R1 = 1.0, R2 = 3.0, i1 = Var(start = 0.5), i2 = Var(start = 0.0), equations = :[
    L1*der(i1) + M*der(i2) = 1.0 + sin(time) - R1*i1
    M*der(i1) + L2*der(i2) = -R2*i2])
coils = @instantiateModel(Coils, unitless = true)
twin = @instantiateModel(Twin, unitless = true)
@test states(coils) == 1
for s in solvers
    simulate!(coils, s, stopTime = 1.0, tolerance = 1e-9)
    simulate!(twin, s, stopTime = 1.0, tolerance = 1e-9)
    i = last(coils, "i")
    @test abs(i[1] - last(twin, "i1")) < 1e-7 && abs(i[2] - last(twin, "i2")) < 1e-7
    v = last(coils, "v")
    @test abs(1.5*v[1] - v[2]) < 1e-7
end
# Imperfect, and perfect again: by values of a run. The full solution of the regular system is near that of the singular one.
perfect = last(coils, "i")
simulate!(coils, stopTime = 1.0, tolerance = 1e-9, merge = Map(L = [2.0 2.0; 2.0 4.5], i = [0.5, 0.25]))
simulate!(twin, stopTime = 1.0, tolerance = 1e-9, merge = Map(M = 2.0, i1 = 0.5, i2 = 0.25))
@test states(coils) == 2 && abs(last(coils, "i")[2] - last(twin, "i2")) < 1e-7
simulate!(coils, stopTime = 1.0, tolerance = 1e-9, merge = Map(L = [2.0 3.0; 3.0 4.5], i = [0.5, 0.0]))
@test states(coils) == 1 && maximum(abs.(last(coils, "i") - perfect)) < 1e-7

# The other way round: regular when it is instantiated, singular in a run.
later = @instantiateModel(Coils | Map(L = [2.0 2.0; 2.0 4.5]), unitless = true)
simulate!(later, stopTime = 1.0, tolerance = 1e-9)
@test states(later) == 2
simulate!(later, stopTime = 1.0, tolerance = 1e-9, merge = Map(L = [2.0 3.0; 3.0 4.5]))
@test states(later) == 1 && maximum(abs.(last(later, "i") - perfect)) < 1e-7

# Rounded: sqrt(L1*L2) is not the exact mutual inductance, and meant. Henry, ampere, ohm; tiny and large coils.
for size in [1e-9, 1.0, 1e6]
    Units = Model(L1 = 2.0*size*u"H", L2 = 3.0*size*u"H", M = Par(value = :(sqrt(L1*L2))), R = 1.0*size*u"Ω",
        i = Var(start = [0.0, 0.0]u"A"), equations = :[
            [L1 M; M L2]*der(i) = [1.0u"V", 0.0u"V"]*$size - R*i])
    units = @instantiateModel(Units)
    @test states(units) == 1
    # v2 = sqrt(3/2) v1, so with i2 = -sqrt(3/2) (1 - i1): 2 i1' + 3 i1' = 1 - i1 from i1(0) = 0.
    simulate!(units, stopTime = 1.0, tolerance = 1e-9)
    i1 = ustrip.(getValues(units, "i"))[:,1]
    @test abs(i1[end] - (1.0 - exp(-0.2)*(1.0 - i1[1]))) < 1e-7
end

# Masses element by element, one of them nothing; the same as a diagonal matrix, and divided.
Masses = Model(m = [1.0, 0.0, 2.0], c = 5.0, K = [2.0 -1.0 0.0; -1.0 2.0 -1.0; 0.0 -1.0 2.0],
    s = Var(start = [1.0, 0.0, 0.0]), v = Var(start = [0.0, 0.0, 0.0]), equations = :[
        der(s) = v
        m.*der(v) = -c*K*s])
Two = Model(c = 5.0, s1 = Var(init = 1.0), s3 = Var(init = 0.0), v1 = Var(init = 0.0), v3 = Var(init = 0.0), equations = :[
    der(s1) = v1
    der(s3) = v3
    s2 = 0.5*(s1 + s3)
    der(v1) = -c*(2*s1 - s2)
    2*der(v3) = -c*(2*s3 - s2)])
two = @instantiateModel(Two, unitless = true)
simulate!(two, stopTime = 2.0, tolerance = 1e-10)
for law in [:(m.*der(v) = -c*K*s), :([1.0 0.0 0.0; 0.0 0.0 0.0; 0.0 0.0 2.0]*der(v) = -c*K*s), :(c*K*s + 2.0*(m.*der(v))/2.0 = [0.0, 0.0, 0.0])]
    masses = @instantiateModel(Masses | Map(equations = nothing) | Model(equations = :[der(s) = v; $law]), unitless = true)
    @test states(masses) == 4
    simulate!(masses, stopTime = 2.0, tolerance = 1e-10)
    @test maximum(abs.(last(masses, "s") - [last(two, n) for n in ["s1", "s2", "s3"]])) < 1e-7
end

# Two vectors that share two equations: a three-phase transformer without leakage, phase by phase as one coil pair each.
Phases = Model(L = [2.0 0.0 0.0; 0.0 2.0 0.0; 0.0 0.0 2.0], a = Var(start = [0.1, 0.2, 0.3]), b = Var(start = [0.0, 0.0, 0.0]), equations = :[
    L*der(a) + 2.0*(L*der(b)) = [1.0, cos(time), sin(time)] - a
    2.0*(L*der(a)) + 4.0*(L*der(b)) = -3.0*b])
One(u) = Model(a = Var(start = 0.0), b = Var(start = 0.0), equations = :[
    2.0*der(a) + 4.0*der(b) = $u - a
    4.0*der(a) + 8.0*der(b) = -3.0*b])
phases = @instantiateModel(Phases, unitless = true)
@test states(phases) == 3
simulate!(phases, stopTime = 1.0, tolerance = 1e-9)
for (k, u) in enumerate([1.0, :(cos(time)), :(sin(time))])
    one = @instantiateModel(One(u), unitless = true)
    simulate!(one, stopTime = 1.0, tolerance = 1e-9, merge = Map(a = getValues(phases, "a")[1,k], b = getValues(phases, "b")[1,k]))
    @test abs(last(phases, "a")[k] - last(one, "a")) < 1e-7 && abs(last(phases, "b")[k] - last(one, "b")) < 1e-7
end

# Descriptor systems E x' = A x + f of several sizes and ranks. With E = P S Q and x = Q^-1 z they are z1' = .., 0 = ..;
# P and Q shear, so that no zero of E shows. Against the twin with S written out.
for (n, rank) in [(3, 2), (4, 1), (6, 4), (9, 5)]
    shear = [i == j ? 1.0 : j == i + 1 ? 2.0 : i == n && j == 1 ? 0.5 : 0.0 for i in 1:n, j in 1:n]
    S = [i == j && i <= rank ? 1.0 : 0.0 for i in 1:n, j in 1:n]
    D = [i == j ? -1.0 - 0.2*i : abs(i - j) == 1 ? 0.3 : 0.0 for i in 1:n, j in 1:n]
    E = shear*S*shear'
    A = shear*D*shear'
    f = shear*[1.0*i for i in 1:n]
    Whole = Model(E = E, A = A, f = f, x = Var(start = zeros(n)), equations = :[E*der(x) = A*x + f*cos(time)])
    whole = @instantiateModel(Whole, unitless = true)
    @test states(whole) == rank
    simulate!(whole, stopTime = 1.0, tolerance = 1e-9)
    z0 = shear'*getValues(whole, "x")[1,:]
    # z = shear' x: z_i' = (D z + i cos t)_i for i <= rank, 0 = (D z + i cos t)_i behind it.
    Z = Model(S = [i == j ? 1.0 : 0.0 for i in 1:rank, j in 1:rank], D11 = D[1:rank,1:rank], D12 = D[1:rank,rank+1:n],
              D21 = D[rank+1:n,1:rank], D22 = D[rank+1:n,rank+1:n], g = [1.0*i for i in 1:rank], h = [1.0*i for i in rank+1:n],
              z = Var(init = z0[1:rank]), y = Var(start = zeros(n - rank)), equations = :[
                  der(z) = D11*z + D12*y + g*cos(time)
                  D22*y = -(D21*z + h*cos(time))])
    zs = @instantiateModel(Z, unitless = true)
    simulate!(zs, stopTime = 1.0, tolerance = 1e-9)
    all = vcat(last(zs, "z"), last(zs, "y"))
    @test maximum(abs.(shear'*last(whole, "x") - all)) < 1e-6*maximum(abs.(all))
end

# What is regular, however different its numbers.
Regular = Model(E = [1.0e6 2.0; 3.0 1.0e-6], x = Var(init = [1.0, 2.0]), equations = :[E*der(x) = [1.0, 0.0] - x])
regular = @instantiateModel(Regular, unitless = true)
@test states(regular) == 2
println("singular arrays: done")
