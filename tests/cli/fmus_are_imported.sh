# FMUs as components of models: those of Segue give the run of the model itself, in each version and kind; inputs,
# names and start values; broken ones a message; and nothing runs without --allow-fmu. Those of others:
# reference_fmus_are_imported.sh.
examples=$SG_SOURCE_DIR/examples
python=/usr/bin/python3
[ -e "$SG_BINARY_DIR/segue_fmu.so" ] || { echo "no segue_fmu.so in this build"; exit 77; }
export TMPDIR=$PWD

cat >lag.jl <<'END'
using Modia
Lag = Model(u = Var(input = true, start = 1.0), T = 0.5, x = Var(init = 0.0), y = Var(output = true),
            equations = :[T*der(x) = u - x; y = 2*x])
lag = @instantiateModel(Lag, unitless = true)
simulate!(lag, stopTime = 2.0, tolerance = 1e-8)
END
for version in 2 3; do
    "$SEGUE" export lag.jl --fmu $version --kind both -o lag$version.fmu >out || fail "the lag cannot be exported"
    "$SEGUE" export "$examples/events/bouncing_ball.jl" --fmu $version --kind both -o ball$version.fmu >out ||
        fail "the ball cannot be exported"
    "$SEGUE" export "$examples/first/pendulum.jl" --fmu $version --kind both -o pendulum$version.fmu >out ||
        fail "the pendulum cannot be exported"
done

# Longer than the FMU's default experiment, of which the importer says no end: FMUs stood still at three times that.
cat >longer.jl <<'END'
using Modia
using Test
for version in ("2", "3"), step in (0.01, 0.05)
    longer = @instantiateModel(Model(f = FMU("lag$version.fmu", kind = :cs, step = step), equations = :[f.u = 1.0]), unitless = true)
    simulate!(longer, stopTime = 20.0, tolerance = 1e-8)
    @test abs(getLastValue(longer, "time", unit = false) - 20.0) < 1e-9
    @test abs(getLastValue(longer, "f.x") - 1.0) < 1e-7
end
END
status 0 "$SEGUE" run -q --allow-fmu longer.jl

# A loop through the FMU and equations of the model: z = exp(-t)*cos(sqrt(2)*t) with T = 1.
cat >own.jl <<'END'
using Modia
using Test
for version in ("2", "3")
    for (more, tolerance) in ((Map(kind = :me), 1e-6), (Map(kind = :cs, step = 0.01), 1e-4),
                              (Map(kind = :cs, step = 0.02), 4e-4))
        f = haskey(more, :step) ? FMU("lag$version.fmu", kind = :cs, step = more[:step], T = 1.0) :
            FMU("lag$version.fmu", kind = :me, T = 1.0)
        Loop = Model(f = f, z = Var(init = 1.0), equations = :[f.u = -z; der(z) = f.y - z])
        loop = @instantiateModel(Loop, unitless = true)
        simulate!(loop, stopTime = 2.0, tolerance = 1e-8)
        @test abs(getLastValue(loop, "z") - exp(-2)*cos(sqrt(2)*2)) < tolerance
    end
    # An input that jumps at a time that is no communication point: the FMU goes back to it.
    for f in (FMU("lag$version.fmu", kind = :me), FMU("lag$version.fmu", kind = :cs, step = 0.4))
        jump = @instantiateModel(Model(f = f, equations = :[f.u = if time > 0.5; 3.0 else 1.0 end]), unitless = true)
        simulate!(jump, stopTime = 2.0, tolerance = 1e-8)  # five steps: points of communication stay where they are
        x = 1 - exp(-1)
        @test abs(getLastValue(jump, "f.y") - 2*(3 + (x - 3)*exp(-3.0))) < 1e-5
    end
    # Adaptive steps, two instances of one FMU, a start value.
    pair = @instantiateModel(Model(a = FMU("lag$version.fmu", kind = :cs, step = :adaptive),
                                   b = FMU("lag$version.fmu", kind = :me, start = Map(x = 1.0)),
                                   equations = :[a.u = 1.0; b.u = a.y]), unitless = true)
    simulate!(pair, stopTime = 1.0, tolerance = 1e-5)
    @test abs(getLastValue(pair, "a.y") - 2*(1 - exp(-2))) < 1e-4
    # T*x' = 2*(1 - exp(-t/T)) - x, x(0) = 1
    @test abs(getLastValue(pair, "b.y") - 2*(2 - (1 + 2*2)*exp(-2))) < 1e-3
    # Events: the fifth impact and the bounces before it, as in the model itself.
    ball = @instantiateModel(Model(ball = FMU("ball$version.fmu")), unitless = true)
    simulate!(ball, stopTime = 2.0, tolerance = 1e-9)
    t1 = sqrt(2/9.81)
    v4 = 0.7^4*9.81*t1
    left = 2.0 - t1*(1 + 2*(0.7 + 0.7^2 + 0.7^3))
    @test abs(getLastValue(ball, "ball.h") - (v4*left - 9.81/2*left^2)) < 1e-5
end
END
status 0 "$SEGUE" run -q --allow-fmu own.jl
[ -z "$(ls -d segue-fmu-* 2>/dev/null)" ] || fail "a folder is left behind"

# Adaptive steps: as many as the signals ask for (19,415 when both sides were lines), and right.
cat >few.jl <<'END'
using Modia
using Test
few = @instantiateModel(Model(f = FMU("lag2.fmu", kind = :cs, step = :adaptive), equations = :[f.u = sin(3*time)]), unitless = true)
simulate!(few, stopTime = 2.0, tolerance = 1e-6)
exact(t) = 2*(sin(3*t) - 1.5*cos(3*t) + 1.5*exp(-2*t))/(1 + 1.5^2)
t, y = getValues(few, "time"), getValues(few, "f.y")
@test maximum([abs(y[i] - exact(t[i])) for i in 1:length(t)]) < 2e-5
END
status 0 "$SEGUE" run --allow-fmu --log statistics few.jl
awk '/nTimeEvents/ { n = $3 } END { exit !(n > 100 && n < 2000) }' out err || fail "too many steps: $(grep -h nTimeEvents out err)"

# The same states as the run of the model itself.
cat >same.jl <<'END'
using Modia
for f in (FMU("pendulum2.fmu", kind = :me), FMU("pendulum3.fmu", kind = :me))
    m = @instantiateModel(Model(p = f), unitless = true)
    simulate!(m, stopTime = 2.0, tolerance = 1e-9)
    println("phi = ", getLastValue(m, "p.phi"))
end
END
status 0 "$SEGUE" run -q --allow-fmu same.jl
cp out fmus
status 0 "$SEGUE" run -q --stop 2 --tol 1e-9 -o itself --result-format csv "$examples/first/pendulum.jl"
$python - fmus itself <<'END' || fail "the pendulum is another one: $(cat fmus)"
import csv, glob, sys
rows = list(csv.reader(open([f for f in glob.glob(sys.argv[2] + "/*.csv") if "units" not in f][0])))
phi = float(rows[-1][rows[0].index("phi")])
values = [float(l.split("=")[1]) for l in open(sys.argv[1])]
sys.exit(not (len(values) == 2 and all(abs(v - phi) < 1e-6 for v in values)))
END

# Two coordinates of a pendulum take turns as states: at its events, and a signal is the same coordinate throughout.
"$SEGUE" export "$examples/mechanics/cartesian_pendulum.jl" --kind me -o turns.fmu >out || fail "the pendulum in x and y cannot be exported"
cat >turns.jl <<'END'
using Modia
using Test
m = @instantiateModel(Model(p = FMU("turns.fmu")), unitless = true)
simulate!(m, stopTime = 3.0, tolerance = 1e-8)
x, y = getValues(m, "p.x"), getValues(m, "p.y")
@test maximum([abs(hypot(x[i], y[i]) - hypot(x[1], y[1])) for i in 1:length(x)]) < 1e-6
@test minimum(x) < -0.5 && maximum(x) > 0.5 && minimum(y) < -0.5
println("x = ", x[end])
END
status 0 "$SEGUE" run -q --allow-fmu --max-time 60 turns.jl
cp out fmus
status 0 "$SEGUE" run -q --stop 3 --tol 1e-8 -o turns --result-format csv "$examples/mechanics/cartesian_pendulum.jl"
$python - fmus turns <<'END' || fail "the pendulum that changes its states is another one: $(cat fmus)"
import csv, glob, sys
rows = list(csv.reader(open([f for f in glob.glob(sys.argv[2] + "/*.csv") if "units" not in f][0])))
sys.exit(not abs(float(rows[-1][rows[0].index("x")]) - float(open(sys.argv[1]).read().split("=")[1])) < 1e-4)
END

# Nothing runs unless it is allowed; a check needs no permission.
status 2 "$SEGUE" run -q same.jl
has err "run with --allow-fmu if you trust it"
status 0 "$SEGUE" check same.jl
# What exports leaves FMUs alone, allowed or not.
status 1 "$SEGUE" export --allow-fmu same.jl -o same.fmu
has err "unknown option --allow-fmu"

# Mistakes.
refused() { # words, text
    printf 'using Modia\n%s\n' "$2" >wrong.jl
    "$SEGUE" run -q --allow-fmu wrong.jl >out 2>err && fail "no error: $2"
    has err "$1"
}
run_it='m = @instantiateModel(Model(f = f), unitless = true); simulate!(m, stopTime = 1.0)'
refused "no parameter or input 'TT'" 'FMU("lag2.fmu", TT = 1.0)'
refused "kind is :me" 'FMU("lag2.fmu", kind = :x)'
refused "step is a time" 'FMU("lag2.fmu", kind = :cs, step = -1.0)'
refused "step is for co-simulation" 'FMU("lag2.fmu", step = 0.1)'
refused "it has no variable 'q'" 'FMU("lag2.fmu", start = Map(q = 1.0))'
refused "FMU takes the name of a file" 'FMU(1)'
refused "nothing.fmu" 'FMU("nothing.fmu")'
printf 'no archive' >none.fmu
refused "it is no archive" 'FMU("none.fmu")'
cat >broken.py <<'END'
"""broken.py FMU: variants of an FMU that do not work."""
import sys, zipfile
files = {i.filename: zipfile.ZipFile(sys.argv[1]).read(i) for i in zipfile.ZipFile(sys.argv[1]).infolist()}
library = [n for n in files if n.endswith(".so")][0]
def write(name, change):
    copy = dict(files)
    change(copy)
    with zipfile.ZipFile(name + ".fmu", "w") as z:
        for n, data in copy.items():
            z.writestr(n, data)
write("empty", lambda f: f.pop(library))
write("windows", lambda f: f.update({library: b"MZ" + bytes(100)}))
arm = bytearray(files[library])
arm[18:20] = b"\xb7\0"
write("arm", lambda f: f.update({library: bytes(arm)}))
write("cut", lambda f: f.update({library: files[library][:20000]}))
xml = files["modelDescription.xml"]
write("first", lambda f: f.update({"modelDescription.xml": xml.replace(b'fmiVersion="2.0"', b'fmiVersion="1.0"')}))
write("torn", lambda f: f.update({"modelDescription.xml": xml[:-50]}))
write("token", lambda f: f.update({"modelDescription.xml": xml.replace(b'guid="{', b'guid="{0')}))
write("bomb", lambda f: f.update({"modelDescription.xml": b'<!DOCTYPE a [<!ENTITY x "y">]>' + xml[xml.index(b"<fmi"):]}))
write("bare", lambda f: f.pop("modelDescription.xml"))
END
$python broken.py ball2.fmu || fail "broken.py"
refused "it has no library for this machine" "f = FMU(\"empty.fmu\"); $run_it"
refused "for another machine: Windows" "f = FMU(\"windows.fmu\"); $run_it"
refused "for another machine: another processor" "f = FMU(\"arm.fmu\"); $run_it"
refused "FMU \"cut.fmu\"" "f = FMU(\"cut.fmu\"); $run_it"
refused "it is of FMI 1.0" 'FMU("first.fmu")'
refused "modelDescription.xml, line" 'FMU("torn.fmu")'
refused "entities" 'FMU("bomb.fmu")'
refused "without modelDescription.xml" 'FMU("bare.fmu")'
refused "it makes no instance" "f = FMU(\"token.fmu\"); $run_it"
[ -z "$(ls -d segue-fmu-* 2>/dev/null)" ] || fail "a broken FMU leaves a folder behind"
