# Every command does its work behind the whole wall, a kernel that lacks it is told, and nothing else is written than what was asked
# for. Where this kernel has no Landlock or no seccomp, that alone is looked at.
cat >model.jl <<'END'
using Modia
M = Model(x = Var(init = 1.0), equations = :[der(x) = -x])
m = @instantiateModel(M)
simulate!(m, stopTime = 1.0)
plot(m, "x")
END
cp "$SG_SOURCE_DIR/examples/mechanics/gyroscope.jl" turning.jl

"$SEGUE" run --sandbox=require -q -e '1' >out 2>err
if [ $? -ne 0 ]; then # the word must be there, and say why
    has err '--sandbox=require cannot be kept: this '
    cp err why
    status 0 "$SEGUE" run --sandbox=auto -e 'println(1)'
    grep -q 'this program was built' why || has err 'note: this kernel'
    echo 'skipped: there is no whole wall here:'
    "$SEGUE" run --sandbox=require -q -e '1'
    exit 77
fi
status 1 "$SEGUE" run --sandbox=never -e '1'
has err 'require, auto or off'
status 1 "$SEGUE" info --sandbox=never x.segue
has err 'require, auto or off'

walled() { # walled COMMAND ARGUMENT...: status 0, and no complaint
    command=$1
    shift
    status 0 "$SEGUE" "$command" --sandbox=require "$@"
    lacks err 'not permitted'
    lacks err 'ermission denied'
}
walled run -o results --result-format csv,json,mat,arrow --summary sum.json --html page.html --converge model.jl
[ -s results/M.segue ] && [ -s results/M.arrow ] && [ -s results/figure1.svg ] && [ -s sum.json ] || fail 'not all was written'
walled run -e 'println(2)'
walled check model.jl
walled info model.jl
walled info results/M.segue
walled info results
walled dump flat model.jl
walled convert results/M.segue copy.csv
walled convert copy.csv again.mat
walled compare results/M.segue copy.csv
walled plot results/M.segue x
walled plot -o x.svg results/M.segue x
walled view -o view.html results/M.segue
walled view --html both.html --glb turning.glb --stl turning.stl turning.jl
DISPLAY= WAYLAND_DISPLAY= walled view turning.jl
[ -s turning-results/turning.html ] || fail 'view of a model writes no page'
cat >cases.txt <<'END'
pairs 1
case near separated
shape sphere 1 0 0 rot 1 0 0 0 1 0 0 0 1 pos 0 0 0 nv 0 nf 0
shape box 1 1 1 rot 1 0 0 0 1 0 0 0 1 pos 3 0.1 0.2 nv 0 nf 0
END
walled distance cases.txt
has out 'near 1 '

# A link that the user names may lead to another folder, for each kind of file.
mkdir -p elsewhere
for file in model.jl results/M.segue cases.txt; do
    ln -s "../$file" "elsewhere/$(basename $file)"
done
walled run -o results elsewhere/model.jl
walled check elsewhere/model.jl
walled info elsewhere/M.segue
walled view -o view.html elsewhere/M.segue
walled distance elsewhere/cases.txt

# Cairo is loaded when a picture is asked for, behind the wall.
"$SEGUE" plot --no-sandbox -o free.png results/M.segue x >out 2>err && walled plot -o x.png results/M.segue x

# Streams by their names.
"$SEGUE" convert --sandbox=require --format csv results/M.segue /dev/stdout >stream.csv 2>err || fail 'no conversion to /dev/stdout'
head -1 stream.csv | grep -q '"x' || fail 'nothing came to /dev/stdout'
"$SEGUE" convert --sandbox=require --format csv results/M.segue /dev/stdout 2>err | grep -q '"x' || fail 'nothing came through a pipe'
"$SEGUE" run --sandbox=require -q --summary /dev/stdout -e 'println(1)' >stream.json 2>err || fail 'no summary to /dev/stdout'
grep -q '^1$' stream.json && grep -q '"exitStatus":0' stream.json || fail "stdout and summary in one file: $(cat stream.json)"

# The browser is started from outside, with a command line that was settled before.
cat >browser.sh <<'END'
#!/bin/sh
echo "$@" >opened.tmp && mv opened.tmp opened
END
chmod +x browser.sh
DISPLAY=:99 BROWSER=$PWD/browser.sh status 0 "$SEGUE" view --sandbox=require results/M.segue
i=0
while [ ! -e opened ] && [ $i -lt 100 ]; do
    sleep 0.05
    i=$((i + 1))
done
[ "$(cat opened 2>/dev/null)" = results/M.html ] || fail "the browser got '$(cat opened 2>/dev/null)'"

# A folder that cannot be written: the run is done, its result is kept in a temporary file meanwhile. Root may write anywhere.
cat >kept.jl <<'END'
using Modia
M = Model(x = Var(init = 1.0), equations = :[der(x) = -x])
m = @instantiateModel(M)
simulate!(m, stopTime = 1.0)
println(get_result(m, "x")[end])
END
mkdir readonly
cp kept.jl readonly
chmod 755 readonly .
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null && setpriv --reuid 65534 --clear-groups test -r "$PWD/readonly/kept.jl" 2>/dev/null; then
    as_nobody='setpriv --reuid 65534 --clear-groups'
else
    as_nobody=
    chmod 555 readonly
fi
if [ -n "$as_nobody" ] || [ "$(id -u)" -ne 0 ]; then
    (cd readonly && $as_nobody "$SEGUE" run --sandbox=require kept.jl) >out 2>err || fail "a run in a read-only folder fails: $(cat err)"
    has out 0.367
else
    echo 'note: nobody here who may not write'
fi
chmod 755 readonly

# Whatever outside is there or not, a script gets one answer.
mkdir inside outside
: >inside/Project.toml
echo 'x = 1' >outside/there.jl
mkdir outside/folder
ln -s ../outside/there.jl inside/link_there.jl
ln -s ../outside/absent.jl inside/link_absent.jl
ln -s "$PWD/outside/folder/../../inside/near.jl" inside/round_there.jl
ln -s "$PWD/outside/nofolder/../../inside/near.jl" inside/round_absent.jl
echo 'println("near")' >inside/near.jl
answer() { # answer NAME: what a script learns of it
    cat >inside/probe.jl <<END
try
    include("$1")
catch e
    println(e)
end
try
    readModel("$1")
catch e
    println(e)
end
END
    "$SEGUE" run "$2" -q inside/probe.jl 2>&1 | sed "s,$1,NAME,g; s,there,NAME,g; s,absent,NAME,g; s,nofolder,folder,g"
}
sed -i '1i using Modia' inside/near.jl
for wall in --sandbox=require --sandbox=off; do
    for pair in "../outside/there.jl ../outside/absent.jl" "$PWD/outside/there.jl $PWD/outside/absent.jl" \
        "../outside/folder ../outside/nofolder" "../outside/folder/x ../outside/nofolder/x" "link_there.jl link_absent.jl" \
        "/etc/passwd /etc/passwd_absent" "../outside/there.jl/x ../outside/absent.jl/x" \
        "../outside/folder/../../inside/near.jl ../outside/nofolder/../../inside/near.jl" "round_there.jl round_absent.jl" \
        "/root /nobodys_home"; do
        set -- $pair
        a=$(answer "$1" $wall) b=$(answer "$2" $wall)
        a=$(printf '%s' "$a" | sed "s,/folder,/DIR,g; s,root,DIR,g; s,passwd,DIR,g"); b=$(printf '%s' "$b" | sed "s,/folder,/DIR,g; s,nobodys_home,DIR,g; s,passwd_NAME,DIR,g")
        [ "$a" = "$b" ] || fail "$wall: different answers for $1 and $2:
$a
$b"
        case $a in *lies\ outside*) ;; *) fail "$wall: $1 is not refused: $a" ;; esac
    done
done
answer near.jl --sandbox=require >near_answer
grep -q '^near$' near_answer || fail "what lies inside is not read: $(cat near_answer)"

# NUL in a name of a file is refused wherever a script names one.
cat >nul.jl <<'END'
using Modia3D
M = Model(x = Var(init = 1.0), equations = :[der(x) = -x])
m = @instantiateModel(M)
simulate!(m, stopTime = 1.0)
plot(m, "x")
for f in (() -> include("model.jl\0x"), () -> loadPalettes!(solidMaterialPalette = "model.jl\0x"), () -> readModel("model.jl\0x"),
          () -> writeModel("a.json\0x", M), () -> saveFigure(1, "f.svg\0x"), () -> readSignalTable("M.segue\0x"),
          () -> writeSignalTable("a.json\0x", m))
    try
        f()
        println("passed")
    catch e
        println("refused")
    end
end
END
status 0 "$SEGUE" run --sandbox=require -q nul.jl
[ "$(grep -c '^refused$' out)" -eq 7 ] || fail "a NUL in a name passes: $(cat out)"
