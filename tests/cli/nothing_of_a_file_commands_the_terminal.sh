# Names, messages, lines of a file and results may hold escape sequences, control characters and those that turn the
# direction of writing. A terminal, or whoever prints a log, sees them as visible escapes.
esc=$(printf '\033')
csi=$(printf '\302\233')     # the same as ESC [ for many terminals
turn=$(printf '\342\200\256') # U+202E: what follows is written from right to left
bell=$(printf '\007')

# raw FILE: whether one of them is in it
raw() { LC_ALL=C grep -q "$esc\|$csi\|$turn\|$bell\|$(printf '\r')" "$1"; }

# clean COMMAND...: nothing of it on either stream
clean() {
    "$@" >out 2>err </dev/null
    raw out && fail "raw on standard output: $*"
    raw err && fail "raw on standard error: $*"
}

# Messages, lines and names of files.
printf 'error("a %s[2J b %s c %s d")\n' "$esc" "$csi" "$turn" >thrown.jl
clean "$SEGUE" run thrown.jl
has err 'a \x1b[2J b \u009b c \u202e d'
printf 'x = 1\n# %s[31m\ny = undefined_%s name %s\n' "$esc" "$turn" "$bell" >"line$esc[5m.jl"
clean "$SEGUE" run "line$esc[5m.jl"
has err 'line\x1b[5m.jl:3:'
clean "$SEGUE" check "line$esc[5m.jl"
clean "$SEGUE" check --json "line$esc[5m.jl"
python3 -c 'import json, sys
for line in open("out"): json.loads(line)' || fail "check --json is no JSON"
has out 'line\u001b[5m.jl'
clean "$SEGUE" run "no such $esc[2J file"
clean "$SEGUE" run --summary - thrown.jl
python3 -c 'import json; json.load(open("out"))' || fail "the summary is no JSON"
clean "$SEGUE" "--$esc[2J"

# A result whose names, units and texts are hostile, in every command that shows one.
cat >result.py <<'END'
import json
bad = "\u001b[2J\u202e\u009b"
var = {"_class": "Var", "values": [0.0, 1.0]}
json.dump({"_class": "SignalTable", "_classVersion": "0.4.5", "time": dict(var, independent=True, unit="s"),
           "x" + bad: dict(var, unit="m" + bad, info=bad), "p" + bad: {"_class": "Par", "value": "text" + bad}},
          open("bad.json", "w"))
END
python3 result.py
clean "$SEGUE" info bad.json
has out 'x\x1b[2J'
clean "$SEGUE" info --json bad.json
python3 -c 'import json; json.load(open("out"))' || fail "info --json is no JSON"
clean "$SEGUE" plot bad.json "x$esc[2J$turn$csi"
has out '[2J'
clean "$SEGUE" plot bad.json "y$esc[2J"
clean "$SEGUE" convert bad.json bad.csv
sed 's/"independent"/"skip"/; s/\[0\.0, 1\.0\]/[5.0, 1.0]/2' bad.json | sed 's/"skip"/"independent"/' >other.json
clean "$SEGUE" compare bad.json other.json
has out 'x\x1b[2J'
clean "$SEGUE" compare --json bad.json other.json
has out 'x\u001b[2J'

# Names of models and variables.
cat >names.jl <<'END'
using Modia
bad = "\e[2J\u202e"
M = Model(; Symbol("x", bad) => Var(init = 1.0), equations = :[y = 1.0])
m = @instantiateModel(M)
simulate!(m, stopTime = 1.0, log = true)
showInfo(m)
END
clean "$SEGUE" info names.jl
clean "$SEGUE" dump flat names.jl
raw out && fail "dump"

# What a script prints goes as it is into files and pipes, and is escaped on a terminal.
printf 'print("\\e[31mred\\e[0m\\u202e\\ttab\\n")\n' >prints.jl
"$SEGUE" run prints.jl >file 2>&1
raw file || fail "a file does not get the bytes that a script prints"
script -qec true probe >/dev/null 2>&1 </dev/null
if [ -f probe ]; then
    script -qec "'$SEGUE' run prints.jl" terminal >/dev/null 2>&1 </dev/null
    tr -d '\r' <terminal | grep -v '^Script ' >seen
    raw seen && fail "a terminal gets what a script prints as it is"
    has seen '\x1b[31mred\x1b[0m\u202e	tab'
fi

# No file of the command prints in another way.
found=$(cd "$SG_SOURCE_DIR/src/cli" &&
    grep -nE '(^|[^a-z_])(printf|puts|putchar|vprintf|perror) ?\(|(fprintf|fputs|fputc|fwrite|putc|vfprintf)\([^;]*(stdout|stderr)' ./*.c |
    grep -v '^./terminal.c:')
[ -z "$found" ] || fail "not through src/cli/terminal.c: $found"

# A NUL ends a text for C: names and paths that hold one would be others than they seem.
echo 'println("not me")' >plain.jl
for code in 'Symbol("a\0b")' 'include("plain.jl\0.txt")' 'using Modia; Model(; Symbol("x\0y") => 1)' \
    'using Modia; m = @instantiateModel(Model(x = Var(init = 1.0), equations = :[der(x) = -x])); simulate!(m, stopTime = 1.0); getValues(m, "x\0y")' \
    'using Modia; m = @instantiateModel(Model(x = Var(init = 1.0), equations = :[der(x) = -x])); simulate!(m, stopTime = 1.0); writeSignalTable("a.json\0b", m)'; do
    "$SEGUE" run -q -e "$code" >out 2>err && fail "accepted: $code"
    lacks out 'not me'
done

# Spreadsheets compute cells that begin like this; the apostrophe keeps them from it, and we take it away again.
cat >formulas.py <<'END'
import json
var = {"_class": "Var", "values": [0.0, -1.0]}
names = ["=1+1", "+x", "-x", "@sum", "\tx", "\rx", "'quoted", "plain", "it's"]
table = {"_class": "SignalTable", "_classVersion": "0.4.5", "time": dict(var, independent=True, unit="s", values=[0.0, 1.0])}
table.update({name: dict(var, unit="-1" if name == "plain" else "") for name in names})
table["unit"] = dict(var, unit='m","=1+1')
json.dump(table, open("formulas.json", "w"))
END
python3 formulas.py
status 0 "$SEGUE" convert formulas.json formulas.csv
status 0 "$SEGUE" convert --csv-units formulas.json units.csv
cat >cells.py <<'END'
import csv, sys
for name in ["formulas.csv", "formulas.units.csv", "units.csv"]:
    for row in csv.reader(open(name, newline="")):
        for cell in row:
            try:
                float(cell)
            except ValueError:
                if cell[:1] in "=+-@\t\r" and cell:
                    sys.exit(f"{name}: a spreadsheet would compute {cell!r}")
END
python3 cells.py || fail "formulas"
has formulas.csv "\"'=1+1\""
has formulas.csv "\"it's\""
status 0 "$SEGUE" compare --rtol 0 formulas.json formulas.csv
status 0 "$SEGUE" info --json formulas.csv
for name in '"=1+1"' '"+x"' '"-x"' '"@sum"' "\"'quoted\"" '"plain"'; do
    has out "\"name\": $name"
done
