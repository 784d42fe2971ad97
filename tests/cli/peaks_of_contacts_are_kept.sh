# The table of contacts: in the result, in `segue info`, in other formats and on the page, of runs that were killed, too.
cat > touch.txt <<'END2'
touch Spring Spring: restitution 1, friction 0, rolling 0
touch Dull Dull: restitution 0.5, friction 0.3, rolling 0.001
touch Hit Hit: impulse 1, restitution 0.5, friction 0
END2
cat > bounce.jl <<'END2'
using Modia3D
Modia3D.loadPalettes!(contactPairMaterialPalette = "touch.txt")
s(shape, touch) = Solid(shape = shape, solidMaterial = "Steel", contactMaterial = touch, collision = true)
Drop = Model3D(world = Object3D(feature = Scene()),
    floor = Object3D(parent = :world, translation = [0.0, -0.05, 0.0], feature = s(Box(lengthX = 1.0, lengthY = 0.1, lengthZ = 1.0), "TOUCH")),
    ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, HEIGHT, 0.0], feature = s(Sphere(diameter = 0.1), "TOUCH")))
drop = @instantiateModel(Drop, unitless = true)
simulate!(drop, stopTime = STOP, tolerance = 1e-8, interval = 0.05)
END2
model() { sed "s/TOUCH/$1/g; s/HEIGHT/$2/; s/STOP/$3/" bounce.jl > "$4.jl"; }

# A ball that comes to rest: the last contact lasts.
model Dull 0.15 1.5 rest
status 0 "$SEGUE" run -q rest.jl
status 0 "$SEGUE" info rest-results
cp out rest.txt
grep -q '^contacts: [1-9]' rest.txt || fail "no contacts"
has rest.txt "lasts"
has rest.txt "floor, ball"
status 0 "$SEGUE" info --json rest-results
python3 - <<'END2' || fail "the numbers of the table"
import json
c = json.load(open("out"))["contacts"]
assert len(c) > 5, len(c)
first, last = c[0], c[-1]
assert abs(first["begin"] - (2*0.1/9.81)**0.5) < 1e-6 and abs(first["speed"] - (2*9.81*0.1)**0.5) < 1e-6
assert last["end"] is None and all(x["end"] > x["begin"] for x in c[:-1])
assert all(x["begin"] <= x["depthTime"] <= (x["end"] or 1.5) for x in c)
assert all(a["end"] < b["begin"] and a["depth"] > b["depth"] for a, b in zip(c, c[1:-1]))
m, g, k = 8000*4/3*3.141592653589793*0.05**3, 9.81, 4/3*2e11/(2*0.91)*0.05**0.5
assert last["force"] > m*g and last["depth"] > (m*g/k)**(2/3)
assert first["force"] > 1000*m*g
json.dump(c, open("table.json", "w"))
END2

# The same rows from each format that has a place for them; MAT says that it has none.
for format in segue json arrow; do
    status 0 "$SEGUE" convert rest-results "copy.$format"
    status 0 "$SEGUE" info --json "copy.$format"
    python3 -c 'import json; assert json.load(open("out"))["contacts"] == json.load(open("table.json"))' || fail "contacts of $format"
done
status 0 "$SEGUE" convert rest-results copy.mat
has err "has no place for the table of"
status 0 "$SEGUE" convert rest-results copy.csv
lacks err "no place"
python3 - <<'END2' || fail "contacts of CSV"
import csv, json
rows, c = list(csv.reader(open("copy.contacts.csv"))), json.load(open("table.json"))
assert rows[0][:4] == ["object1", "object2", "begin [s]", "end [s]"], rows[0]
keys = ["begin", "end", "speed", "depth", "depthTime", "force", "forceTime", "impulse"]
for row, x in zip(rows[1:], c):
    assert row[:2] == [x["object1"], x["object2"]]
    assert [float(v) if v else None for v in row[2:-1]] == [x[k] for k in keys]
    assert row[-1] == x["law"] == "point", row[-1]
assert len(rows) == len(c) + 1
END2

# Impacts that take no time have an impulse, and no force.
model Hit 0.15 0.2 hit
status 0 "$SEGUE" run -q hit.jl
status 0 "$SEGUE" info hit-results
has out "(impulse"

# Hundreds of contacts go to the file as they come; a file that is cut has those in front of the cut.
model Spring 0.0502 9.0 many
status 0 "$SEGUE" run -q many.jl
status 0 "$SEGUE" info many-results
n=$(sed -n 's/^contacts: \([0-9]*\); these are the deepest.*/\1/p' out)
[ "${n:-0}" -gt 600 ] || fail "$n contacts"
[ "$(sed -n '/^contacts:/,$p' out | wc -l)" -eq 22 ] || fail "not the deepest twenty"
status 0 "$SEGUE" info --contacts many-results
[ "$(grep -c 'floor, ball' out)" -eq "$n" ] || fail "not all $n"
size=$(wc -c < many-results/Drop.segue)
head -c $((size - 20000)) many-results/Drop.segue > cut.segue
status 0 "$SEGUE" info cut.segue
has err "incomplete"
grep -q '^contacts: [1-9]' out || fail "no contacts in a file that was cut"

# A run that was killed.
model Spring 0.0502 1e6 killed
"$SEGUE" run -q killed.jl >/dev/null 2>&1 &
pid=$!
begun() { "$SEGUE" info killed-results/*.part | grep -q '^contacts: [1-9]'; }
until_true begun
kill -9 "$pid"
wait "$pid" 2>/dev/null
status 0 "$SEGUE" info killed-results/*.part
grep -q '^contacts: [1-9]' out || fail "no contacts of a killed run"
