# Transistors and diodes at voltages where an exponential of the source's voltage is no number, all from
# zero: single stages, Darlington pairs, differential pairs, bridges. Each point is held against the laws of
# the elements and the sums of currents, written once more here. The order of the equations decides what is torn, so each circuit comes in
# several. A few collector voltages are those of SciPy.
using Modia
using Test

Vt = 0.02585
junction(v, Is) = Is*(exp(v/Vt) - 1)

# Ebers and Moll, and the same with Early effect. Names are those of the voltages at collector, base and emitter.
plain(c, b, e, ic, ib) = [:($ic = 1e-15*(exp(($b - $e)/Vt) - exp(($b - $c)/Vt)) - 5e-16*(exp(($b - $c)/Vt) - 1)),
                          :($ib = 1e-17*(exp(($b - $e)/Vt) - 1) + 5e-16*(exp(($b - $c)/Vt) - 1))]
early(c, b, e, ic, ib) = [:($ic = 1e-15*(exp(($b - $e)/Vt) - exp(($b - $c)/Vt))*(1 + ($c - $b)/80)),
                          :($ib = 1e-17*(exp(($b - $e)/Vt) - 1) + 5e-16*(exp(($b - $c)/Vt) - 1))]
base(c, b, e) = junction(b - e, 1e-17) + junction(b - c, 5e-16)
function collector(law, c, b, e)
    transfer = 1e-15*(exp((b - e)/Vt) - exp((b - c)/Vt))
    law == "plain" ? transfer - junction(b - c, 5e-16) : transfer*(1 + (c - b)/80)
end
laws = [("plain", plain), ("early", early)]

# Off by how much, relative to the largest part. A voltage of 0.8 V with its last bit changed is a current that is 30
# such bits off.
off(parts...) = abs(sum(parts))/maximum([abs(part) for part in parts])

# The same of a voltage that may be next to nothing beside the others, all of which have a last bit.
against(smallest, a, b) = abs(a - b)/max(smallest, abs(a), abs(b))

note(errors...) = @test max(errors...) < 1e-9

# Runs a circuit in three orders of its equations at all voltages.
function each(judge, equations, voltages; parameters...)
    n = length(equations)
    for order in [equations, reverse(equations), vcat(equations[div(n, 2):n], equations[1:div(n, 2)-1])]
        m = @instantiateModel(Model(equations = Expr(:vcat, order...), z = Var(init = 0.0), Vt = Vt, U = 1.0) | Map(; parameters...),
                              unitless = true)
        for U in voltages
            simulate!(m, stopTime = 1.0, merge = Map(U = U))
            v(name) = getLastValue(m, name)
            judge(v, U)
        end
    end
end
voltages = [5.0, 60.0, 300.0, -20.0]

# A stage with resistors at base, collector and emitter; that at the emitter may be a wire, whose voltage is zero.
for (law, transistor) in laws, RE in [0.0, 1.0, 100.0], RB in [1e3, 5e4, 3e5], RC in [10.0, 1000.0]
    equations = vcat([:(U - vb = RB*ib), :(U - vc = RC*ic), :(ve = RE*(ib + ic)), :(der(z) = vc)],
                     transistor(:vc, :vb, :ve, :ic, :ib))
    each(equations, voltages, RE = RE, RB = RB, RC = RC) do v, U
        (c, b, e) = (v("vc"), v("vb"), v("ve"))
        (ic, ib) = (collector(law, c, b, e), base(c, b, e))
        note(off(U, -b, -RB*ib), off(U, -c, -RC*ic), against(1e-6, e, RE*(ib + ic)))
    end
end

# The same from SciPy (root, method hybr, the source raised in steps of 50 mV).
for (transistor, U, RE, RB, RC, vb, vc) in [(early, 60.0, 0.0, 5e4, 1000.0, 0.82077033, 0.10321954),
                                            (plain, 300.0, 0.0, 3e5, 1000.0, 0.83323365, 200.27774455),
                                            (plain, 60.0, 1.0, 5e4, 10.0, 0.95687011, 58.8191374),
                                            (early, 300.0, 100.0, 5e4, 1000.0, 28.61672978, 27.85957607)]
    equations = vcat([:(U - vb = RB*ib), :(U - vc = RC*ic), :(ve = RE*(ib + ic)), :(der(z) = vc)],
                     transistor(:vc, :vb, :ve, :ic, :ib))
    each(equations, [U], RE = RE, RB = RB, RC = RC) do v, U
        @test isapprox(v("vb"), vb, rtol = 1e-7)
        @test isapprox(v("vc"), vc, rtol = 1e-7)
    end
end

# Two in a row.
for (law, transistor) in laws, RE in [0.0, 100.0], RB in [5e4, 1e6]
    equations = vcat([:(U - vb = RB*ib), :(U - vc = 1000*(ic + ic2)), :(ve = RE*(ib2 + ic2)), :(ib2 = ib + ic), :(der(z) = vc)],
                     transistor(:vc, :vb, :vm, :ic, :ib), transistor(:vc, :vm, :ve, :ic2, :ib2))
    each(equations, voltages, RE = RE, RB = RB) do v, U
        (c, b, m, e) = (v("vc"), v("vb"), v("vm"), v("ve"))
        (ic, ib, ic2, ib2) = (collector(law, c, b, m), base(c, b, m), collector(law, c, m, e), base(c, m, e))
        note(off(U, -b, -RB*ib), off(U, -c, -1000*ic, -1000*ic2), against(1e-6, e, RE*(ib2 + ic2)), off(ib, ic, -ib2))
    end
end

# Two side by side.
for (law, transistor) in laws, D in [0.0, 0.01, 1.0]
    equations = vcat([:(U - vc = 1e4*ic), :(U - vc2 = 1e4*ic2), :(ve + U = 2e4*(ib + ic + ib2 + ic2)), :(D - vb = 1e3*ib),
                      :(-vb2 = 1e3*ib2), :(der(z) = vc)],
                     transistor(:vc, :vb, :ve, :ic, :ib), transistor(:vc2, :vb2, :ve, :ic2, :ib2))
    each(equations, voltages, D = D) do v, U
        (c, b, c2, b2, e) = (v("vc"), v("vb"), v("vc2"), v("vb2"), v("ve"))
        (ic, ib, ic2, ib2) = (collector(law, c, b, e), base(c, b, e), collector(law, c2, b2, e), base(c2, b2, e))
        note(off(U, -c, -1e4*ic), off(U, -c2, -1e4*ic2), off(U, e, -2e4*ic, -2e4*ic2, -2e4*ib, -2e4*ib2))
        @test law == "early" || abs(D) > 0.0 || isapprox(c, c2, rtol = 1e-9) # alike without a difference
    end
end

# A bridge of diodes, its output tied to ground by a gigaohm only.
diode(p, n, i) = :($i = 1e-14*(exp(($p - $n)/Vt) - 1))
for R in [1.0, 1000.0, 1e6]
    equations = [:(U - va = 0.1*is), :(is = i1 - i4), :(i1 + i2 = io), :(vp - vn = R*io), :(0 = i3 - i2 - is + 1e-9*vn),
                 :(der(z) = vp), diode(:va, :vp, :i1), diode(0.0, :vp, :i2), diode(:vn, 0.0, :i3), diode(:vn, :va, :i4)]
    each(equations, [voltages..., 1000.0, -1000.0], R = R) do v, U
        (a, p, n) = (v("va"), v("vp"), v("vn"))
        (i1, i2, i3, i4) = (junction(a - p, 1e-14), junction(-p, 1e-14), junction(n, 1e-14), junction(n - a, 1e-14))
        note(off(U, -a, -0.1*i1, 0.1*i4), off(p, -n, -R*i1, -R*i2))
    end
end
