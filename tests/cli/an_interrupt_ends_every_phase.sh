# A limit or an interrupt is no mistake of the model: one message, and its own exit status, wherever it strikes. A limit
# strikes at a place that the machine chooses; from short to long ones they pass through reading, instantiating and running.
cat > chain.jl <<'END'
using Modia3D
Link = Model(
    L = 0.1,
    rod = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.1, Izz = 0.1))),
    tip = Object3D(parent = :rod, translation = :[L, 0.0, 0.0]))
chain(depth) = depth == 0 ? Model(first = Link) :
    Model(first = Link, left = chain(depth - 1), right = chain(depth - 1),
          turn = Revolute(obj1 = :(first.tip), obj2 = :(left.first.rod)),
          swing = Revolute(obj1 = :(first.tip), obj2 = :(right.first.rod), axis = 2))
Chain = Model3D(world = Object3D(feature = Scene()), tree = chain(6),
                top = Revolute(obj1 = :world, obj2 = :(tree.first.rod), phi = Var(init = 1.0)))
system = @instantiateModel(Chain, unitless = true)
simulate!(system, stopTime = 1000.0, tolerance = 1e-9)
END
for seconds in 0.001 0.002 0.003 0.005 0.008 0.012 0.02 0.03 0.05 0.1 0.3; do
    status 6 "$SEGUE" run --max-cpu-time $seconds chain.jl
    [ "$(grep -c 'error\[' err)" -eq 1 ] || fail "not one error after $seconds s: $(cat err)"
    has err "error[E0004]: the limit of "
done
for seconds in 0.02 0.05 0.1 0.5; do
    status 130 timeout --preserve-status -s INT $seconds "$SEGUE" run chain.jl
done
# Two signals at once are one, and it is told how far the run came; a later one ends the program.
"$SEGUE" run -o under-way chain.jl > out 2> err &
run=$!
until_true test -s under-way/Chain.segue.part
until_true sh -c "kill -USR1 $run && grep -q steps err"
kill -INT $run
kill -INT $run
wait $run
[ $? -eq 130 ] || fail "not ended by an interrupt"
has err "error[E0005]: interrupted at time = "
