# What a coefficient of restitution acts as stands in the log, in segue info and on the page, where it differs by more
# than 2 %.
cat > drop.jl <<'END'
using Modia3D
solid(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
Drop(law) = Model3D(world = Object3D(feature = Scene(restitution = law)), floor = Object3D(parent = :world, feature = solid(Box(lengthY = 0.2))),
                    a = Object3D(parent = :world, fixedToParent = false, translation = [0.3, 0.3, 0.0], feature = solid(Sphere(diameter = 0.2))),
                    b = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.3, 0.0], feature = solid(Sphere(diameter = 0.2))))
drop = @instantiateModel(Drop(ARGS[1]), unitless = true)
simulate!(drop, stopTime = 0.01, log = true)
END
sed 's/ARGS\[1\]/"thesis"/' drop.jl > thesis.jl
status 0 "$SEGUE" run -q thesis.jl
has out 'The restitution 0.7 of Steel and Steel acts as 0.683 (Scene(restitution = "exact"): as it is)'
[ "$(grep -c 'acts as' out)" -eq 1 ] || fail "told more than once"
# In the result without a log, and from there wherever it is looked at.
sed -e 's/, log = true//' -e 's/stopTime = 0.01/stopTime = 0.2/' thesis.jl > quiet.jl
status 0 "$SEGUE" run quiet.jl --html page.html
lacks out 'acts as'
has page.html '0.7 of Steel and Steel acts as 0.683'
status 0 "$SEGUE" info quiet-results/Drop.segue
has out 'restitution: 0.7 of Steel and Steel acts as 0.683'
sed 's/ARGS\[1\]/"exact"/' drop.jl > exact.jl
status 0 "$SEGUE" run -q exact.jl
lacks out "acts as"
status 0 "$SEGUE" info exact-results/Drop.segue
lacks out "acts as"
sed 's/ARGS\[1\]/"right"/' drop.jl > wrong.jl
status 2 "$SEGUE" run -q wrong.jl
has err 'restitution must be "thesis"'
