# What a component, an object, a variable or a parameter is called changes no result: names of the library, of what equations
# see of 3D elements, of functions and short ones. `up` as the name of a joint led out of the model ("2 equations are missing"),
# and the names of a part's own variables could not be taken.
src=$SG_SOURCE_DIR
{
    grep -ohE '^[ ]*[A-Za-z][A-Za-z_0-9]*( =|\()' "$src"/library/models/*.jl "$src"/library/prelude/*.jl | tr -d ' =('
    sed -n 's/^SG_PORT([A-Za-z0-9]*, \([A-Za-z_0-9]*\),.*/\1/p' "$src"/src/parts/ports_list.h
    sed -n 's/^SG_PORT(\([A-Za-z0-9]*\),.*/\1/p' "$src"/src/parts/ports_list.h
    printf '%s\n' up upp up_1 down way lift pre der abs sin max pi Inf NaN s v w phi r rot f tau p n i x y z a b c u k L h \
        world obj1 flange axis init start value outer inner merge redeclare parameter constant input output potential flow \
        multibodyTerms multibodyMatrix multibodyForces multibodyAccelerations multibodyMotion multibodySensed \
        multibodyTerms_ multibodyTerms__ bodyForces positive after sample hold previous noEvent terminate initial
} | grep -vxE 'equations|connect|connections|initialEquations|time|instantiatedModel|in|isa|where|for|if|end|else|elseif|function|return|let|begin|module|using|import|export|include|const|struct|mutable|while|do|try|catch|finally|true|false|local|global|quote|macro' |
    sort -u >names
[ "$(wc -l <names)" -ge 300 ] || fail "only $(wc -l <names) names were found"

cat >joint <<'END'
M = Model3D(
  world_ = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0,0,-1]))),
  cart_ = Object3D(feature = body(1.0)), load_ = Object3D(feature = body(2.0)),
  way_ = Prismatic(obj1 = :world_, obj2 = :cart_, axis = 1, s = Var(init = 0.0), v = Var(init = 1.0)),
  NAME = PrismaticWithFlange(obj1 = :cart_, obj2 = :load_, axis = 3, s = Var(init = 0.1), v = Var(init = 0.0)),
  q_ = Var(init = 0.0), equations = :[der(q_) = NAME.v + NAME.flange.s; NAME.flange.f = -2*NAME.flange.s])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.0)
println("NAME ", getValues(m, "NAME.s")[end], " ", getValues(m, "q_")[end])
END
cat >object <<'END'
M = Model3D(
  world_ = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0,0,-1]))),
  cart_ = Object3D(feature = body(1.0)), NAME = Object3D(feature = body(2.0)),
  way_ = Prismatic(obj1 = :world_, obj2 = :cart_, axis = 1, s = Var(init = 0.0), v = Var(init = 1.0)),
  lift_ = Prismatic(obj1 = :cart_, obj2 = :NAME, axis = 3, s = Var(init = 0.1), v = Var(init = 0.0)),
  q_ = Var(init = 0.0), equations = :[der(q_) = NAME.v_abs[3] + NAME.a_abs[3]])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.0)
println("NAME ", getValues(m, "lift_.s")[end], " ", getValues(m, "q_")[end])
END
cat >component <<'END'
C = Model(R_ = 2.0, x = Var(init = 1.0), y = Var(), equations = :[R_*der(x) = -x; y = 3*x])
S = Model(k_ = 1.0, NAME = C, other_ = C | Map(R_ = :k_), z_ = Var(init = 0.0), equations = :[der(z_) = NAME.x + NAME.y*k_ + other_.x])
m = @instantiateModel(Model(outside_ = S), unitless = true)
simulate!(m, stopTime = 1.0)
println("NAME ", getValues(m, "outside_.NAME.x")[end], " ", getValues(m, "outside_.z_")[end])
END
cat >variable <<'END'
C = Model(R_ = 2.0, NAME = Var(init = 1.0), y_ = Var(), equations = :[R_*der(NAME) = -NAME; y_ = 3*NAME])
m = @instantiateModel(Model(outside_ = C, w_ = Var(init = 0.0), equations = :[der(w_) = outside_.NAME]), unitless = true)
simulate!(m, stopTime = 1.0)
println("NAME ", getValues(m, "outside_.NAME")[end], " ", getValues(m, "w_")[end])
END
cat >parameter <<'END'
C = Model(NAME = 2.0, x_ = Var(init = 1.0), y_ = Var(), equations = :[NAME*der(x_) = -x_; y_ = 3*x_])
m = @instantiateModel(Model(outside_ = C, w_ = Var(init = 0.0), equations = :[der(w_) = outside_.x_*outside_.NAME]), unitless = true)
simulate!(m, stopTime = 1.0)
println("NAME ", getValues(m, "outside_.x_")[end], " ", getValues(m, "w_")[end])
END
for kind in joint object component variable parameter; do
    {
        echo 'using Modia3D'
        echo 'body(m) = Solid(shape = Box(lengthX=0.1,lengthY=0.1,lengthZ=0.1), massProperties = MassPropertiesFromShapeAndMass(mass = m))'
        sed "s/NAME/plain_/g" $kind
        while read -r name; do sed "s/NAME/$name/g" $kind; done <names
    } >$kind.jl
    status 0 "$SEGUE" run $kind.jl
    printf 'plain_\n' | cat - names >wanted
    cut -d' ' -f1 out | diff - wanted >missing || fail "$kind: not simulated: $(tr '\n' ' ' <missing)"
    [ "$(cut -d' ' -f2- out | sort -u | wc -l)" -eq 1 ] || fail "$kind: results differ by the name: $(sort -k2 out | head -3)"
done

# A model of its own with an `up` in it still reaches what lies around the others.
cat >levels.jl <<'END'
using Modia
Leaf = Model(a = Var(), b = Var(), equations = :[b = 2*a])
Inner = Model(leaf = Leaf | Map(a = :(up.k)), x = Var(init = 1.0), equations = :[der(x) = -leaf.b*x])
Twin = Model(up = Model(k = 5.0), leaf = Leaf | Map(a = :(up.k)), x = Var(init = 1.0), equations = :[der(x) = -leaf.b*x])
Top = Model(k = 3.0, inner = Inner, twin = Twin, several = [Twin, Twin | Map(up = Map(k = 7.0))])
m = @instantiateModel(Top, unitless = true)
simulate!(m, stopTime = 0.1)
println([getValues(m, name)[end] for name in ["inner.leaf.b", "twin.leaf.b", "several_1.leaf.b", "several_2.leaf.b"]])
END
status 0 "$SEGUE" run levels.jl
has out "[6.0, 10.0, 10.0, 14.0]"

# What the translation keeps for itself is not taken in silence: this was 0.0 with status 0.
cat >hidden.jl <<'END'
using Modia
m = @instantiateModel(Model(_x1 = Var(init = 1.0), equations = :[der(_x1) = -_x1]), unitless = true)
END
status 2 "$SEGUE" run hidden.jl
has err "keys that begin with '_' are instructions"

# Three examples with other names for what they are made of: the same numbers, to the last digit.
renamed() { # FILE SIGNALS NAMES...
    file=$1 print=$2
    shift 2
    cp "$src/examples/$file" plain.jl
    grep -q '^module' plain.jl && sed -i '/^module/d;$d' plain.jl
    echo "$print" >>plain.jl
    status 0 "$SEGUE" run plain.jl
    cp out plain.out
    for turn in 1 2; do
        pool=$(awk -v turn=$turn '(NR + turn) % 3 == 0' names | sort -r)
        [ $turn -eq 2 ] && pool="up multibodyMotion multibodyTerms s v w q $pool"
        edits='' used=' '
        for old in "$@"; do
            for new in $pool; do
                case $used in *" $new "*) continue ;; esac
                grep -qw -- "$new" plain.jl "$src"/library/models/*.jl && [ "$new" != up ] && continue
                used="$used$new "
                edits="$edits;s/\\b$old\\b/$new/g"
                break
            done
        done
        sed "$edits" plain.jl >renamed.jl
        status 0 "$SEGUE" run renamed.jl
        cmp -s out plain.out || fail "$file: other results with other names: $edits"
    done
}
end() { printf 'println([getValues(%s, k)[end] for k in [%s]])' "$1" "$2"; }
renamed loops/fourbar.jl "$(end driven '"arm.rev3.phi", "arm.rev1.flange.tau", "arm.rev2.w"')
$(end free '"rev1.phi", "rev3.w"')" rev1 rev2 rev3 rev4 crank coupler pivot base motion arm
renamed mechanics/tuned_mass_damper.jl "" slide1 slide2 roof ground spring machine gain
renamed mechanics/servo_pendulum.jl "$(end system '"arm.rev.phi", "servo.controller.tau"')" \
    arm servo rev hinge bar controller rotor gear
