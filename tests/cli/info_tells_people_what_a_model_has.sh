# segue info MODEL: parts by the names of what they are made of, parameters in SI units, start values, what to vary.
cat > rc.jl <<'END'
using Modia
include("$(Modia.modelsPath)/Electric.jl")
Load = Model(R1 = Resistor | Map(R = 2.0u"kΩ"), p = Pin, n = Pin, connect = :[(p, R1.p), (R1.n, n)])
Filter = Model(gain = Par(value = 2.5, info = "of the bank"), R = Resistor | Map(R = 100.0u"Ω"), C = Capacitor | Map(C = 1.0u"mF", v = Var(init = 3.0u"V")),
    V = ConstantVoltage | Map(V = 10.0u"V"), load = Load, ground = Ground,
    connect = :[(V.p, R.p), (R.n, C.p, load.p), (C.n, V.n, load.n, ground.p)])
filter = @instantiateModel(Filter)
simulate!(filter, stopTime = 1.0)
END
status 0 "$SEGUE" info rc.jl
for line in 'R  *Resistor' 'load  *Load' 'load.R1  *Resistor' 'R.R  *100 Ω' 'C.C  *0.001 F' 'gain  *2.5  of the bank' 'load.R1.R  *2000 Ω' \
    'C.v  *3 V' 'vary one: .*--set gain=5'; do
    grep -qE "^ *$line" out || fail "lacks '$line': $(cat out)"
done
! grep -q 'load.p ' out || fail "a pin is no part"
[ ! -d rc-results ] || fail "info simulates"
status 0 "$SEGUE" info --equations rc.jl filter
has out 'instantiated from Filter'
status 0 "$SEGUE" info rc.jl Load # not instantiated: as it is written
has out 'Load = Model('
status 1 "$SEGUE" info rc.jl Nobody
has err "defines no model 'Nobody'"
# What it names can be set; the result says with what it ran.
status 0 "$SEGUE" run -q --set R.R=200 rc.jl
status 0 "$SEGUE" info rc-results
has out 'R.R = 200 Ω'; has out 'load.R1.R = 2000 Ω'
# 3D: elements, what they stand on, units of start values.
cat > arm.jl <<'END'
using Modia3D
Arm = Model3D(world = Object3D(feature = Scene()),
    body = Object3D(feature = Solid(shape = Box(lengthX = 1.0), massProperties = MassProperties(mass = 2.0))),
    rev = Revolute(obj1 = :world, obj2 = :body, phi = Var(init = 0.2)))
arm = @instantiateModel(Arm, unitless = true)
END
status 0 "$SEGUE" info arm.jl
for line in 'rev  *Revolute on world, body' 'body.feature.shape.lengthX  *1' 'rev.phi  *0.2 rad' 'rev.w  *0 rad/s'; do
    grep -qE "^ *$line" out || fail "lacks '$line': $(cat out)"
done
