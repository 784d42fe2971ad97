# Constraints on single elements of array states: the arrays are taken apart, results stay arrays.
# Each model is held against one written with numbers, or against a closed form.
using Modia
using LinearAlgebra
using Test

apart(a, b) = maximum(abs.(a .- b))
down = [0.0, -9.81]
scalar(L, x, y) = Model(x = Var(init = x), y = Var(init = y), vx = Var(init = 0.0), vy = Var(init = 0.0), F = Var(start = 0.0), equations = :[
    der(x) = vx; der(y) = vy; der(vx) = -F*x; der(vy) = -F*y - 9.81; x^2 + y^2 = $L^2])
vector(constraint) = Model(r = Var(init = [0.6, -0.8]), v = Var(init = [0.0, 0.0]), F = Var(start = 0.0), L = 1.0, equations = :[
    der(r) = v
    der(v) = -F*r + [0.0, -9.81]
    $constraint])
place(m) = [getLastValue(m, "x"), getLastValue(m, "y")]

long(q) = sqrt(q[1]^2 + q[2]^2)
function square(q)
    s = 0.0
    for i in 1:2
        s += q[i]^2
    end
    return s
end

one = @instantiateModel(scalar(1.0, 0.6, -0.8), unitless = true)
two = @instantiateModel(scalar(2.0, 1.2, -1.6), unitless = true)
simulate!(one, stopTime = 5.0, tolerance = 1e-9)
simulate!(two, stopTime = 5.0, tolerance = 1e-9)

# one constraint in many forms
begin
    for c in (:(r[1]^2 + r[2]^2 = L^2), :(dot(r, r) = L^2), :(r'*r = L^2), :(norm(r) = L), :(sum(r.^2) = L^2),
              :(r[1:2]'*r[1:end] = L^2), :(0 = L^2 - r[1]*r[1] - r[2]*r[2]), :(long(r) = L), :(square(r) = L^2))
        m = @instantiateModel(vector(c), unitless = true)
        simulate!(m, stopTime = 5.0, tolerance = 1e-9)
        r = getLastValue(m, "r")
        @test apart(r, place(one)) < 1e-6
        @test abs(norm(r) - 1.0) < 1e-12
        v = getLastValue(m, "v")
        @test abs(0.5*dot(v, v) + 9.81*(r[2] + 0.8)) < 1e-5
    end
end

# the same under all solvers, and over a long run
begin
    m = @instantiateModel(vector(:(r'*r = L^2)), unitless = true)
    for s in (CVODE_BDF(), CVODE_Adams(), IDA(), Tsit5(), Rodas5P(), TRBDF2(), DP8())
        simulate!(m, s, stopTime = 5.0, tolerance = 1e-9)
        @test apart(getLastValue(m, "r"), place(one)) < 2e-5
    end
    simulate!(m, Tsit5(), stopTime = 200.0, tolerance = 1e-10)
    r, v = getLastValue(m, "r"), getLastValue(m, "v")
    @test abs(norm(r) - 1.0) < 1e-12
    @test abs(dot(r, v)) < 1e-12
    @test abs(0.5*dot(v, v) + 9.81*(r[2] + 0.8)) < 1e-6
end

# it turns over, and other elements become states
begin
    m = @instantiateModel(vector(:(r'*r = L^2)), unitless = true)
    simulate!(m, stopTime = 5.0, tolerance = 1e-9, merge = Map(r = [0.0, -1.0], v = [7.0, 0.0]))
    r, v = getValues(m, "r"), getValues(m, "v")
    @test size(r) == (501, 2)
    @test maximum(r[:, 2]) > 0.99
    @test maximum(abs.(r[:, 1].^2 + r[:, 2].^2 .- 1.0)) < 1e-10
    @test maximum(abs.(0.5*(v[:, 1].^2 + v[:, 2].^2) + 9.81*(r[:, 2] .+ 1.0) .- 24.5)) < 1e-5
end

# results are arrays as before
begin
    m = @instantiateModel(vector(:(r'*r = L^2)), unitless = true)
    simulate!(m, stopTime = 1.0)
    @test size(getValues(m, "r")) == (501, 2)
    @test size(getValues(m, "der(r)")) == (501, 2)
    @test apart(getValues(m, "der(r)"), getValues(m, "v")) < 1e-12
    @test !hasSignal(m, "der(der(r))")
    @test sort(getSignalNames(m)) == ["F", "L", "_attributes", "der(r)", "der(v)", "r", "time", "v"]
end

# three elements, and what is kept
begin
    m = @instantiateModel(Model(r = Var(init = [1.0, 0.0, 0.0]), v = Var(init = [0.0, 1.0, 0.5]), F = Var(start = 0.0),
        m = 2.0, g = [0.0, 0.0, -9.81], equations = :[der(r) = v; m*der(v) = -F*r + m*g; r'*r = 1.0]), unitless = true)
    simulate!(m, Tsit5(), stopTime = 10.0, tolerance = 1e-10)
    r, v = getLastValue(m, "r"), getLastValue(m, "v")
    @test abs(norm(r) - 1.0) < 1e-12
    @test abs(0.5*dot(v, v) + 9.81*r[3] - 0.625) < 1e-6
    @test abs(r[1]*v[2] - r[2]*v[1] - 1.0) < 1e-7
end

# two pendulums in one matrix
begin
    # element by element; by columns; both in one equation between vectors
    for c in ((:(R[1,1]^2 + R[2,1]^2 = L[1]^2), :(dot(R[:,2], R[:,2]) = L[2]^2)),
              (:(R[:,1]'*R[:,1] = L[1]^2), :(norm(R[:,2]) = L[2])),
              (:(R[1,:].^2 + R[2,:].^2 = L.^2),))
        m = @instantiateModel(Model(R = Var(init = [0.6 1.2; -0.8 -1.6]), V = Var(init = zeros(2, 2)), F = Var(start = [0.0, 0.0]),
            L = [1.0, 2.0], equations = :[
                der(R) = V
                der(V) = -R*Diagonal(F) + [0.0 0.0; -9.81 -9.81]
                $(c...)]), unitless = true)
        simulate!(m, stopTime = 5.0, tolerance = 1e-9)
        R = getLastValue(m, "R")
        @test size(getValues(m, "R")) == (501, 2, 2)
        @test apart(R[:, 1], place(one)) < 1e-6
        @test apart(R[:, 2], place(two)) < 1e-6
    end
end

# a rotation by the elements of its matrix
begin
    m = @instantiateModel(Model(R = Var(init = [1.0 0.0; 0.0 1.0]), V = Var(init = [0.0 -1.0; 1.0 0.0]), s = Var(start = zeros(3)), equations = :[
        der(R) = V
        der(V) = R*[s[1] s[2]; s[2] s[3]]
        dot(R[:,1], R[:,1]) = 1.0
        dot(R[:,1], R[:,2]) = 0.0
        dot(R[:,2], R[:,2]) = 1.0]), unitless = true)
    simulate!(m, Tsit5(), stopTime = 10.0, tolerance = 1e-10)
    @test apart(getLastValue(m, "R"), [cos(10.0) -sin(10.0); sin(10.0) cos(10.0)]) < 1e-7
    @test apart(getLastValue(m, "s"), [-1.0, 0.0, -1.0]) < 1e-6
end

# elements that are given
begin
    m = @instantiateModel(Model(x = Var(init = [1.0, 0.0]), u = Var(start = 0.0), equations = :[der(x) = [-x[1], u]; x[2] = sin(time)]), unitless = true)
    simulate!(m, stopTime = 1.0, tolerance = 1e-9)
    @test abs(getLastValue(m, "u") - cos(1.0)) < 1e-12
    @test apart(getLastValue(m, "x"), [exp(-1.0), sin(1.0)]) < 1e-7
    # two of four, by a slice; an integral of another
    m = @instantiateModel(Model(x = Var(init = [1.0, 0.0, 0.0, 2.0]), u = Var(start = [0.0, 0.0]), equations = :[
        der(x) = [-x[1], u[1], u[2], x[1]]; x[2:3] = [sin(time), 2*sin(time)]]), unitless = true)
    simulate!(m, stopTime = 1.0, tolerance = 1e-9)
    @test apart(getLastValue(m, "u"), [cos(1.0), 2cos(1.0)]) < 1e-12
    @test abs(getLastValue(m, "x")[4] - (3.0 - exp(-1.0))) < 1e-7
    # what is defined by its elements only
    m = @instantiateModel(Model(y = Var(start = [0.0, 0.0]), equations = :[y[1] = time; y[2] = 2*y[1]]), unitless = true)
    simulate!(m, stopTime = 3.0)
    @test apart(getLastValue(m, "y"), [3.0, 6.0]) < 1e-12
end

# a number that an element is tied to
begin
    m = @instantiateModel(Model(w = Var(init = [1.0, 2.0]), om = Var(init = 1.0), tau = Var(start = 0.0), equations = :[
        der(w) = [tau, -w[2]]; 3.0*der(om) = -tau - om; w[1] = om; y = -w[2]; z = w[1]; q = 2*w]), unitless = true)
    simulate!(m, stopTime = 1.0, tolerance = 1e-10)
    @test abs(getLastValue(m, "om") - exp(-0.25)) < 1e-8
    @test apart(getLastValue(m, "w"), [exp(-0.25), 2exp(-1.0)]) < 1e-8
    @test abs(getLastValue(m, "y") + 2exp(-1.0)) < 1e-8
    @test abs(getLastValue(m, "z") - exp(-0.25)) < 1e-8
    @test apart(getLastValue(m, "q"), [2exp(-0.25), 4exp(-1.0)]) < 1e-8
end

# connected components with vectors
begin
    Flange = Model(r = potential, f = flow)
    Mass = Model(m = 1.0, flange = Flange, r = Var(init = [0.6, -0.8]), v = Var(init = [0.0, 0.0]),
        equations = :[der(r) = v; m*der(v) = flange.f + m*[0.0, -9.81]; flange.r = r])
    Rod = Model(L = 1.0, flange = Flange, lam = Var(start = 0.0), equations = :[flange.r'*flange.r = L^2; flange.f = lam*flange.r])
    m = @instantiateModel(Model(mass = Mass, rod = Rod, connect = :[(mass.flange, rod.flange)]), unitless = true)
    simulate!(m, stopTime = 5.0, tolerance = 1e-9)
    @test apart(getLastValue(m, "mass.r"), place(one)) < 1e-6
    @test apart(getLastValue(m, "rod.flange.r"), place(one)) < 1e-6
    @test apart(getLastValue(m, "mass.flange.f"), -getLastValue(m, "rod.lam")*place(one)) < 1e-4
end

# units, and other values for a run
begin
    m = @instantiateModel(Model(r = Var(init = [0.6, -0.8]u"m"), v = Var(init = [0.0, 0.0]u"m/s"), F = Var(start = 0.0u"N/m"), m = 1.0u"kg",
        L = 100.0u"cm", g = [0.0, -9.81]u"m/s^2", equations = :[der(r) = v; m*der(v) = -F*r + m*g; r'*r = L^2]))
    simulate!(m, stopTime = 5.0, tolerance = 1e-9)
    @test apart(getLastValue(m, "r", unit = false), place(one)) < 1e-6
    simulate!(m, stopTime = 5.0, tolerance = 1e-9, merge = Map(r = Var(init = [120.0, -160.0]u"cm"), L = 2.0u"m", m = 3.0u"kg"))
    @test apart(getLastValue(m, "r", unit = false), place(two)) < 1e-6
end

# equations of the start
begin
    m = @instantiateModel(Model(r = Var(start = [0.5, -0.8]), v = Var(init = [0.0, 0.0]), F = Var(start = 0.0), equations = :[
        der(r) = v; der(v) = -F*r + [0.0, -9.81]; r'*r = 1.0], initialEquations = :[r[1] = 0.6]), unitless = true)
    simulate!(m, stopTime = 5.0, tolerance = 1e-9)
    @test apart(getLastValue(m, "r"), place(one)) < 1e-6
end

# a number beside the elements of an array, in comprehensions, functions and dotted sums: the derivative keeps the size of the array
# (E0713 "index 4 is not between 1 and 1" and E0640 before)
moved(x, u) = [x[i] + u for i in 1:4]
begin
    decay = Model(x = Var(init = [1.0, 2.0, 3.0, 4.0]), k = [1.0, 2.0, 3.0, 4.0], u = Var(start = 0.1), equations = :[sum(x[i] for i in 1:4) = 10.0])
    written = Model(equations = :[der(x) = [-x[1] + u; -2*x[2] + u; -3*x[3] + u; -4*x[4] + u]])
    for solver in (CVODE_BDF(), IDA(), Tsit5())
        ends = []
        for form in (written, Model(equations = :[der(x) = [-i*x[i] + u for i in 1:4]]), Model(equations = :[der(x) = [-i*x[i] + u for i in 1:length(x)]]),
                     Model(equations = :[der(x) = [-k[i]*x[i] + u for i in 1:4]]), Model(equations = :[der(x) = moved(-k .* x, u)]))
            m = @instantiateModel(decay | form, unitless = true)
            simulate!(m, solver, stopTime = 2.0, tolerance = 1e-9)
            append!(ends, [getLastValue(m, "x")])
        end
        # SciPy, with the projected derivatives
        @test apart(ends[1], [4.61032016, 2.50218568, 1.65511921, 1.23237494]) < 1e-6
        for other in ends[2:end]
            @test apart(other, ends[1]) < 1e-10
        end
    end
    # the unknown of a system, and a state that a constraint determines
    for (equation, right) in ((:(moved(x, u)[3] + u = 3.0), t -> 1.5*(1 - exp(-t))), (:(k'*(x .+ u) = 30.0), t -> 3*(1 - exp(-t))),
                              (:(norm(moved(x, u)) = sqrt(30.0)), t -> -2.5*exp(-t) + sqrt(6.25*exp(-2t) + 7.5*(1 - exp(-2t)))),
                              (:((x .+ u)[2] = 2.0), t -> 2*(1 - exp(-t))), (:(sum(moved(x, u)[2:4]) + u = 9.0), t -> 9*(1 - exp(-t))/4))
        m = @instantiateModel(Model(x = Var(init = [1.0, 2.0, 3.0, 4.0]), k = [1.0, 2.0, 3.0, 4.0], u = Var(start = 0.1), equations = :[
            der(x) = -x
            $equation]), unitless = true)
        simulate!(m, stopTime = 2.0, tolerance = 1e-9)
        @test abs(getLastValue(m, "u") - right(2.0)) < 1e-7
    end
    for equation in (:(sum(moved(k, w)) = 14.0 + 4*sin(time)), :(sum(k .+ w) = 14.0 + 4*sin(time)), :(norm(moved(k, w)) = norm(k .+ (1 + sin(time)))))
        m = @instantiateModel(Model(w = Var(init = 1.0), k = [1.0, 2.0, 3.0, 4.0], equations = :[
            der(w) = rate
            $equation]), unitless = true)
        simulate!(m, stopTime = 2.0, tolerance = 1e-9)
        @test abs(getLastValue(m, "w") - 1.0 - sin(2.0)) < 1e-9
        @test abs(getLastValue(m, "rate") - cos(2.0)) < 1e-9
    end
end
