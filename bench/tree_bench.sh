#!/bin/sh
# tree_bench.sh BUILD [BODIES...]: a tree of hinged rods of 11 mm, two on each, that is let go; 0.07 s under Tsit5 at 1e-6, both ends stored.
# CPU seconds of the whole program, least of three runs.          goal: 2 s and 0.4 GB for 10,000 bodies, 100,000 end
set -eu
segue=$1/segue
shift
. "$(dirname "$0")/least.sh"
[ $# -gt 0 ] || set -- 1000 10000

for n in "$@"; do
    cat >"$scratch/tree.jl" <<TEXT
using Modia3D
function tree(N, L)
    m = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, -1, 0]), enableContactDetection = false)))
    m[:o0] = Object3D(parent = :world)
    for i in 1:N
        m[Symbol("b\$i")] = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, centerOfMass = [0.5*L, 0.0, 0.0], Ixx = L^2/100, Iyy = L^2/12, Izz = L^2/12)))
        m[Symbol("o\$i")] = Object3D(parent = Symbol("b\$i"), translation = [L, 0.0, 0.0])
        m[Symbol("r\$i")] = Revolute(obj1 = Symbol("o\$(div(i, 2))"), obj2 = Symbol("b\$i"), axis = 3, phi = Var(init = i % 2 == 0 ? 0.3 : -0.3), w = Var(init = 0.0))
    end
    return m
end
Tree = tree($n, 0.011)
t = @instantiateModel(Tree, unitless = true)
simulate!(t, Tsit5(), stopTime = 0.07, interval = 0.07, tolerance = 1e-6)
TEXT
    line tree "$n" bodies "$(least 3 "$segue" run -q -o "$scratch" "$scratch/tree.jl")" ''
done
