# A mesh brings buffers, pieces and a drawing with it, a table brings units: they follow the rules for files that a script names
# itself. Nothing outside is read, nothing is written through links, and nothing tells what is outside, with and without the wall.
mkdir -p inside/.git outside/here
: >inside/Project.toml
tetrahedron() { # tetrahedron EDGE
    printf 'v 0 0 0\nv %s 0 0\nv 0 %s 0\nv 0 0 %s\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' "$1" "$1" "$1"
}
tetrahedron 3 >outside/here.obj
echo '{"metadata":{"type":"Object"},"object":{"type":"Group"}}' >outside/here.json
printf '"name","unit"\n"time","s"\n"x","kg"\n' >outside/here.csv
printf '%048d' 0 >inside/near.bin # 48 bytes that are four points, whatever they are
cp inside/near.bin inside/.git/config

cat >inside/mesh.jl <<'END2'
using Modia3D
M = Model3D(world = Object3D(feature = Scene(enableContactDetection = false)),
    body = Object3D(parent = :world, fixedToParent = false,
        feature = Solid(shape = FileMesh(filename = "NAME", convexPartition = PIECES), solidMaterial = "Steel", massProperties = 1.0, collision = PIECES)))
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 0.1)
END2
mesh() { # mesh NAME PIECES: the text of a model
    sed "s/NAME/$1/; s/PIECES/$2/g" inside/mesh.jl >inside/model.jl
}

# Each writes a model that stumbles over the name of something outside.
buffer() {
    printf '{"asset":{"version":"2.0"},"buffers":[{"byteLength":48,"uri":"%s"}],"bufferViews":[{"buffer":0,"byteLength":48}],' "$1" >inside/m.gltf
    printf '"accessors":[{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"}],"meshes":[{"primitives":' >>inside/m.gltf
    printf '[{"attributes":{"POSITION":0}}]}],"nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}],"scene":0}' >>inside/m.gltf
    mesh m.gltf false
}
by_folder() { buffer "../outside/$1/../../inside/near.bin"; }
by_link() {
    ln -s "../outside/$1" inside/m.link
    buffer m.link/../../inside/near.bin
}
piece() {
    tetrahedron 1 >inside/m.obj
    mkdir inside/convexSolids_m.obj
    ln -s "../../outside/$1.obj" inside/convexSolids_m.obj/a.obj
    mesh m.obj true
}
drawing() {
    tetrahedron 1 >inside/m.obj
    ln -s "../outside/$1.json" inside/m.json
    mesh m.obj false
}
units() {
    printf '"time","x"\n0,1\n1,2\n' >inside/m.csv
    ln -s "../outside/$1.csv" inside/m.units.csv
    printf 'using Modia\nprintln(readSignalTable("m.csv"))\n' >inside/model.jl
}

for wall in --sandbox=auto --sandbox=off; do
    for attempt in by_folder by_link piece drawing units; do
        for name in here gone; do
            rm -rf inside/convexSolids_m.obj inside/m.* model-results
            $attempt $name
            "$SEGUE" run "$wall" inside/model.jl >out 2>err
            got=$? # without a drawing a run goes on
            [ $got -ne 0 ] || [ $attempt = drawing ] || fail "$wall: $attempt succeeds with what is $name: $(cat out)"
            [ -s err ] || fail "$wall: $attempt is not told"
            sed "s/$name/NAME/g" out err >"answer.$name"
        done
        cmp -s answer.here answer.gone || fail "$wall: $attempt tells what is outside: $(diff answer.here answer.gone | head -n 4)"
    done
    rm -rf inside/m.*
    buffer .git/config
    status 2 "$SEGUE" run "$wall" inside/model.jl
    has err "'.git/config' is no file in the folder of the mesh or below it"
    rm -rf inside/m.*
    buffer near.bin # the same that is nearer can be read: its points make no body
    status 2 "$SEGUE" run "$wall" inside/model.jl
    lacks err 'is no file'
done

# What a table takes with it does not go through links that lie in a results folder from elsewhere.
cat >run.jl <<'END2'
using Modia
M = Model(x = Var(init = 1.0u"m"), equations = :[der(x) = -x/u"s"])
m = @instantiateModel(M)
simulate!(m, stopTime = 1.0)
END2
for ending in units contacts; do
    rm -rf run-results outside/pipe
    mkdir run-results
    mkfifo outside/pipe
    ln -s ../outside/pipe run-results/M.$ending.csv
    status 1 within 60 "$SEGUE" run --sandbox=off --result-format csv run.jl
    has err 'a script never writes through links'
done

# Nor does the page of `view` that nobody named.
mkfifo outside/line
for wall in --sandbox=auto --sandbox=off; do
    rm -rf run-results kept
    status 0 "$SEGUE" run -q -o kept run.jl
    mkdir run-results
    ln -s ../outside/line run-results/run.html
    ln -s ../outside/line kept/M.html
    for what in run.jl kept/M.segue; do
        status 1 within 60 "$SEGUE" view "$wall" $what
        has err "leads elsewhere by a link; name a file with -o"
    done
    rm -rf run-results
    ln -s outside run-results
    status 1 within 60 "$SEGUE" view "$wall" run.jl
    [ ! -e outside/run.html ] || fail "$wall: a page was written through a link"
    status 0 "$SEGUE" view "$wall" -o page.html kept/M.segue
done
