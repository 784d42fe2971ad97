# What a script cannot read or write is one message with its place, and status 1; a script may catch it. More files than
# allowed end the script, with status 6.
cat > model.txt <<'END2'
using Modia
M = @instantiateModel(Model(x = Var(init = 1.0), equations = :[der(x) = -x]), unitless = true)
simulate!(M, stopTime = 1.0)
END2
mkdir -p out-1/taken
# refused STATUS CODE STATEMENT [OPTION...]
refused() {
    (cat model.txt; echo "$3") > script.jl
    want=$1 code=$2 statement=$3
    shift 3
    status "$want" "$SEGUE" run -q script.jl -o out-1 "$@"
    [ "$(grep -c 'error' err)" -eq 1 ] || fail "$statement: not one message: $(cat err)"
    grep -qE "^script.jl:[0-9]+:[0-9]+: error\[$code\]" err || fail "$statement: $(cat err)"
}
for path in /etc/segue-x ../x a/../../x; do
    refused 1 E0006 "writeSignalTable(\"$path\", M)"
    refused 1 E0006 "writeModel(\"$path\", Model(a = 1))"
    refused 1 E0006 "plot(M, \"x\"); saveFigure(1, \"$path\")"
done
refused 1 E0001 'writeSignalTable("taken", M)'
refused 1 E0001 'writeModel("taken", Model(a = 1))'
refused 1 E0806 'plot(M, "x"); saveFigure(1, "x.xyz")'
refused 1 E0001 'readModel("nowhere")'
refused 1 E0006 'readModel("/etc/passwd")'
refused 1 E0001 'readSignalTable("nowhere.csv")'
refused 1 E0006 'readSignalTable("/etc/passwd")'
echo 'no table' > table.csv
refused 1 E0801 'readSignalTable("../table.csv")'

# Caught, nothing is left to say.
for call in 'writeSignalTable("../x", M)' 'writeModel("../x", Model(a = 1))' 'readModel("nowhere")' 'readSignalTable("/etc/passwd")'; do
    (cat model.txt; echo "try $call; catch e; println(\"caught: \", e) end") > script.jl
    status 0 "$SEGUE" run -q script.jl -o out-1
    has out 'caught: ErrorException("'
    lacks out 'operation failed'
    lacks err error
done

# The first file too many is the end, whoever wants it.
refused 6 E0004 'simulate!(M, stopTime = 2.0); simulate!(M, stopTime = 3.0)' --max-files 1
refused 6 E0004 'simulate!(M, stopTime = 2.0)' --max-files 2 --result-format csv,mat,json
refused 6 E0004 'writeSignalTable("a.json", M); println("on")' --max-files 1
lacks out on
refused 6 E0004 'try writeModel("a.json", Model(a = 1)); catch; end; println("on")' --max-files 1
lacks out on
refused 6 E0004 'plot(M, "x", figure = 1); plot(M, "x", figure = 2); plot(M, "x", figure = 3)' --max-files 2
refused 6 E0004 'N = @instantiateModel(Model(a = 1), saveCodeOnFile = "code.txt"); simulate!(N)' --max-files 1
cat model.txt > script.jl
status 6 "$SEGUE" run -q script.jl script.jl script.jl -o out-1 --max-files 1
[ "$(grep -c 'error' err)" -eq 1 ] || fail "files of several scripts: $(cat err)"
