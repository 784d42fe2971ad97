# A model as an FMU: the file has all that it needs, FMPy finds no problem with it, runs it, and comes to
# the result of `segue run`; so does a foreign solver; the same export twice gives the same bytes; calls
# that make no sense are refused.
tools=$SG_SOURCE_DIR/../shared/tools/fmi
examples=$SG_SOURCE_DIR/examples
python=/usr/bin/python3
[ -e "$SG_BINARY_DIR/segue_fmu.so" ] || { echo "no segue_fmu.so in this build"; exit 77; }

"$SEGUE" export "$examples/first/rc_filter.jl" --fmu 3 -o a.fmu >out || fail "rc_filter cannot be exported"
grep -q "a.fmu: FMI 3.0, co-simulation" out || fail "the export says nothing"
"$SEGUE" export "$examples/first/rc_filter.jl" --fmu 3 -o b.fmu >out || fail "not a second time"
cmp -s a.fmu b.fmu || fail "two exports differ"
for wrong in "--fmu 1" "--kind cosim" "--model Nobody"; do
    "$SEGUE" export "$examples/first/rc_filter.jl" $wrong -o c.fmu >out 2>&1 && fail "$wrong was taken"
    [ ! -e c.fmu ] || fail "$wrong left a file"
done

# Structures that change, and delays, are for co-simulation.
status 2 "$SEGUE" export "$examples/space/two_stage_rocket.jl" --kind me -o c.fmu
has err "its structure changes by actions"
status 2 "$SEGUE" export "$examples/events/dead_time.jl" --kind both -o c.fmu
has err "it delays signals"
[ ! -e c.fmu ] || fail "a refused export left a file"

# Order of calls, values that are none, states, several instances, early return.
for version in 2 3; do
    "$SEGUE" export "$examples/events/bouncing_ball.jl" --fmu $version --kind both -o ball$version.fmu >out ||
        fail "the ball cannot be exported"
done
$python "$SG_SOURCE_DIR/tests/fmi/misuse.py" ball2.fmu ball3.fmu >out 2>&1 || fail "$(cat out)"

# Elements of arrays.
cat >arrays.jl <<'END'
using Modia
Arrays = Model(p = 2.0, q = [0.0, 0.0, 0.0], x = Var(init = :[p, 2*p, 3*p]), y = Var(output = true),
               equations = :[der(x) = 0*x; y = x + q])
arrays = @instantiateModel(Arrays, unitless = true)
simulate!(arrays, stopTime = 1.0)
END
for version in 2 3; do
    "$SEGUE" export arrays.jl --fmu $version --kind both -o arrays$version.fmu >out || fail "arrays.jl cannot be exported"
done
$python -B "$SG_SOURCE_DIR/tests/fmi/arrays.py" arrays2.fmu arrays3.fmu >out 2>&1 || fail "$(cat out)"

# A foreign solver finds the first impact to 1e-9 s: sqrt(2/9.81).
for version in 2 3; do
    "$SG_BINARY_DIR/fmu_importer" ball$version.fmu ball.csv --events --tolerance 1e-13 >out 2>&1 || fail "$(cat out)"
    awk '/state event/ { d = $4 - sqrt(2/9.81); if (d < 1e-9 && d > -1e-9) found = 1 } END { exit !found }' out ||
        fail "no impact at sqrt(2/9.81): $(head -n 3 out)"
done

# It takes long steps while a ball rolls, and still does not step over the impact with another one: two contacts of
# cue and table, two of cue and target.
"$SEGUE" export "$examples/contact/two_balls.jl" --fmu 2 --kind me -o two.fmu >out || fail "two balls cannot be exported"
"$SG_BINARY_DIR/fmu_importer" two.fmu two.csv --events --tolerance 1e-9 >out 2>&1 || fail "$(cat out)"
grep -q "state event at 0.6559" out || fail "the balls pass through each other: $(cat out)"

# A page and a picture are inside, and the structure says what depends on what: of the filter, one on the other.
"$SEGUE" export "$examples/first/rc_filter.jl" --fmu 3 --kind both -o d.fmu >out || fail "rc_filter cannot be exported for both"
$python - d.fmu <<'END' || fail "the archive lacks something"
import re, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
names, xml = z.namelist(), z.read("modelDescription.xml").decode()
page = z.read("documentation/index.html").decode()
picture = z.read("terminalsAndIcons/icon.png")
reference = {n: r for n, r in re.findall(r'name="([^"]+)" valueReference="(\d+)"', xml)}
d = re.search(r'<ContinuousStateDerivative valueReference="%s" dependencies="([\d ]*)"' % reference["der(C.v)"], xml)
sys.exit(not ("resources/model/rc_filter.jl" in names and "<html" in page and picture[:4] == b"\x89PNG"
              and d and reference["C.v"] in d[1].split() and 'unit="V"' in xml))
END

# Conditions, branches, clocks and memories: exactly what each row depends on; and in other models nothing that is not said.
cat >depends.jl <<'END'
using Modia
Depends = Model(u = Var(input = true, start = 1.0), v = Var(input = true, start = 0.5), a = Var(init = 1.0), b = Var(init = 1.0),
    c = Var(init = 1.0), d = Var(init = 1.0), e = Var(init = 1.0), f = Var(init = 0.2), on = Var(start = false), held = Var(start = 0.0),
    y1 = Var(output = true), y2 = Var(output = true), y3 = Var(output = true),
    equations = :[der(a) = if u > 0.0; -a else a end
                  der(b) = if after(0.5); c else -b end
                  der(c) = -c + max(b, 0.0)
                  on = if positive(e - 0.5); true else pre(on) end
                  der(d) = if on; -d else d end
                  der(e) = -e
                  der(f) = sign(v)*f
                  held = hold(sample(v*c, Clock(0.1)), Clock(0.1))
                  y1 = held + 1.0
                  y2 = a*u
                  y3 = 2.0*f])
depends = @instantiateModel(Depends, unitless = true)
simulate!(depends, stopTime = 1.0)
END
"$SEGUE" export depends.jl --fmu 3 --kind both -o depends.fmu >out || fail "depends.jl cannot be exported"
$python - depends.fmu >out <<'END' || fail "no structure"
import re, sys, zipfile
xml = zipfile.ZipFile(sys.argv[1]).read("modelDescription.xml").decode()
name = {r: n for n, r in re.findall(r'name="([^"]+)" valueReference="(\d+)"', xml)}
for r, d in re.findall(r'<(?:Output|ContinuousStateDerivative) valueReference="(\d+)" dependencies="([\d ]*)"', xml):
    print(name[r] + ":", *[name[k] for k in d.split()])
END
cat >wanted <<'END'
y1: time v c
y2: u a
y3: f
der(a): u a
der(b): time b c
der(c): b c
der(e): e
der(d): d e
der(f): v f
END
cmp -s out wanted || fail "dependencies: $(cat out)"
for model in events/stick_slip systems/crane; do
    "$SEGUE" export "$examples/$model.jl" --fmu 3 --kind me -o "$(basename $model).fmu" >out 2>&1 || fail "$model: $(cat out)"
done
$python -B "$SG_SOURCE_DIR/tests/fmi/depends.py" depends.fmu stick_slip.fmu crane.fmu >out 2>&1 || fail "$(cat out)"
# Where states are exchanged on the way, none stays what it was: nothing is said.
"$SEGUE" export "$examples/mechanics/cartesian_pendulum.jl" --fmu 3 --kind me -o turns.fmu >out || fail "cartesian_pendulum"
$python -c 'import sys, zipfile; sys.exit(b"dependencies=" in zipfile.ZipFile(sys.argv[1]).read("modelDescription.xml"))' turns.fmu ||
    fail "dependencies of states that do not stay"

# A root that holds libc, the importer and an FMU alone: the meshes travel inside, and the result is the same.
importer=$SG_BINARY_DIR/fmu_importer
enter=chroot
[ "$(id -u)" -eq 0 ] || enter='unshare -r chroot'
mkdir -p root/tmp
cp "$importer" root/importer
for library in $(ldd "$importer" | awk '$2 == "=>" { print $3 } $1 ~ /^\// { print $1 }'); do
    mkdir -p "root$(dirname "$library")"
    cp -L "$library" "root$library"
done
"$SEGUE" export "$examples/mechanics/mesh_bracket.jl" --fmu 3 --kind both -o root/bracket.fmu >out ||
    fail "the bracket cannot be exported"
if $enter root /importer 2>&1 | grep -q usage; then
    $enter root /importer /bracket.fmu /bracket.csv >out 2>&1 || fail "in an empty root: $(cat out)"
    "$importer" root/bracket.fmu bracket.csv >out 2>&1 || fail "$(cat out)"
    cmp -s bracket.csv root/bracket.csv || fail "the result is another one in an empty root"
else
    echo "no empty root can be entered here"
fi

[ -d "$tools" ] || { echo "no $tools"; exit 77; }
# Inputs by signals of a file.
$python "$SG_SOURCE_DIR/tests/fmi/inputs.py" "$SEGUE" "$tools" >out 2>&1
case $? in 0 | 77) ;; *) fail "$(cat out)" ;; esac
# A controller of another tool drives an arm of Segue.
"$SEGUE" export "$examples/robots/driven_arm.jl" --fmu 3 -o arm.fmu >out || fail "the arm cannot be exported"
if PYTHONPATH=$tools/FMPy/src $python -B -c 'import fmpy.fmi3' 2>/dev/null; then
    PYTHONPATH=$tools/FMPy/src $python -B "$examples/robots/driven_arm.py" arm.fmu >out 2>&1 || fail "$(cat out)"
fi
$python "$SG_SOURCE_DIR/tests/fmi/check.py" --segue "$SEGUE" --tools "$tools" \
    --importer "$SG_BINARY_DIR/fmu_importer" --kind both "$examples/first/rc_filter.jl" \
    "$examples/events/bouncing_ball.jl" "$examples/first/pendulum.jl" >out 2>err
status=$?
[ $status -ne 77 ] || { cat out; exit 77; }
[ $status -eq 0 ] || fail "$(cat out)"
