# Mistakes with objects that a script puts together by hand: one message each, where the mistake is.
# `wrong LINE:COLUMN CODE TEXT` runs the script of standard input behind two lines of its own.
wrong() {
    { printf 'using Modia3D\nimport Modia3D.Composition as C\n'; cat; } > hand.jl
    status 2 "$SEGUE" run hand.jl
    has err "hand.jl:$1: error[$2]: $3"
    [ "$(grep -c 'error\[' err)" -eq 1 ] || fail "not one error: $3"
}

wrong 4:6 E0901 "Object3D 'w2' and 'w1' both have a Scene; there is one world" <<'END'
w1 = C.Object3D(feature = Scene())
w2 = C.Object3D(feature = Scene())
C.Revolute(w1, w2)
Modia3D.initAnalysis!(w1)
END
wrong 6:5 E0901 "joint 'r' connects 'a' and 'b', which are rigidly connected" <<'END'
w = C.Object3D(feature = Scene())
a = C.Object3D(parent = w)
b = C.Object3D(parent = a)
r = C.Revolute(a, b)
Modia3D.initAnalysis!(w)
END
wrong 6:8 E0901 "Prismatic 'loop' closes a kinematic loop, which cannot be moved by hand; simulate a Model3D instead" <<'END'
(w, a, b) = (C.Object3D(feature = Scene()), C.Object3D(), C.Object3D())
C.Revolute(w, a)
C.Revolute(a, b)
loop = C.Prismatic(b, w)
Modia3D.initAnalysis!(w)
END
wrong 4:1 E0901 "Revolute connects an object with itself" <<'END'
w = C.Object3D(feature = Scene())
C.Revolute(w, w)
END
wrong 6:9 E0910 "Object3D 'lost' has no place yet" <<'END'
w = C.Object3D(feature = Scene())
lost = C.Object3D()
Modia3D.initAnalysis!(w)
println(lost.r_abs)
END
has err "hand.jl:4:8: warning[E0901]: Object3D 'lost' has no parent, and no joint connects it to the world 'w'; it is left out"
wrong 6:1 E0901 "initAnalysis! needs the world, but this Object3D has a parent" <<'END'
w = C.Object3D(feature = Scene())
a = C.Object3D(w)

Modia3D.initAnalysis!(a)
END
wrong 6:1 E0901 "Object3D 'a' is not the world: it is connected to 'w', which has the Scene" <<'END'
w = C.Object3D(feature = Scene())
a = C.Object3D()
C.Revolute(w, a)
Modia3D.initAnalysis!(a)
END
wrong 4:1 E0903 "setAngle! moves a joint made by Modia3D.Composition.Revolute(...); this is a Prismatic, for which there is setDistance!" <<'END'
p = C.Prismatic(C.Object3D(), C.Object3D())
Modia3D.setAngle!(p, 0.3)
END
wrong 4:1 E0903 "setDistance! moves a joint made by Modia3D.Composition.Prismatic(...)" <<'END'
p = C.Revolute(C.Object3D(), C.Object3D())
Modia3D.setDistance!(p, 0.3)
END
wrong 4:1 E0903 "Revolute 'r' cannot be moved to NaN" <<'END'
r = C.Revolute(C.Object3D(), C.Object3D())
Modia3D.setAngle!(r, NaN)
END
wrong 4:1 E0401 "setAngle!: phi is measured in rad, not in m" <<'END'
r = C.Revolute(C.Object3D(), C.Object3D())
Modia3D.setAngle!(r, 3.0u"m")
END
wrong 4:28 E0401 "Object3D: translation is measured in m, not in kg" <<'END'
w = C.Object3D()
a = C.Object3D(parent = w, r = [1.0, 0.0, 0.0]u"kg")
END
wrong 4:1 E0910 "visualize!: initAnalysis!(world) comes first" <<'END'
w = C.Object3D(feature = Scene())
Modia3D.visualize!(w, 0.3)
END
for call in 'updatePosition!(w)' 'visualize!(w, 1.0)' 'setAngle!(r, 0.5)'; do
    wrong 8:1 E0910 "${call%%!*}!: the analysis of Object3D 'w' was ended by closeAnalysis!" <<END
w = C.Object3D(feature = Scene())
a = C.Object3D()
r = C.Revolute(w, a)
Modia3D.initAnalysis!(w)
Modia3D.closeAnalysis!(w)
Modia3D.$call
END
done
wrong 8:1 E0910 "updatePosition!: something was attached to Object3D 'w' after initAnalysis!; call it again" <<'END'
w = C.Object3D(feature = Scene())
a = C.Object3D(w)

Modia3D.initAnalysis!(w)
late = C.Object3D(a)
Modia3D.updatePosition!(w)
END
wrong 6:1 E0910 "objects of one world are needed here" <<'END'
(v, w) = (C.Object3D(feature = Scene()), C.Object3D(feature = Scene()))
Modia3D.initAnalysis!(v)
Modia3D.initAnalysis!(w)
Modia3D.distance(v, w)
END
wrong 5:1 E0910 "measFrameTransVelocity: objects that are moved by hand have no speeds and no forces, only poses" <<'END'
w = C.Object3D(feature = Scene())
Modia3D.initAnalysis!(w)
Modia3D.measFrameTransVelocity(w)
END
wrong 6:1 E0910 "Object3D 'a' cannot be moved: it is fixed to its parent or carried by a joint" <<'END'
w = C.Object3D(feature = Scene())
a = C.Object3D(w)
Modia3D.initAnalysis!(w)
a.r_rel = [1.0, 0.0, 0.0]
END

wrong 6:1 E0910 "visualize!: the time 0.5 s lies before that of the last frame, 1 s" <<'END'
w = C.Object3D(feature = Scene())
Modia3D.initAnalysis!(w)
Modia3D.visualize!(w, 1.0)
Modia3D.visualize!(w, 0.5)
END
wrong 3:32 E0006 "" <<'END'
w = C.Object3D(feature = Scene(animationFile = "../outside.json"))
Modia3D.initAnalysis!(w)
END

# Objects of models and objects made by hand are not mixed up.
wrong 4:1 E0910 "initAnalysis! needs an object made by Modia3D.Composition.Object3D(...)" <<'END'
w = Modia3D.Object3D(feature = Scene())
Modia3D.initAnalysis!(w)
END
wrong 4:16 E0910 "parent needs an object made by Modia3D.Composition.Object3D(...)" <<'END'
w = Modia3D.Object3D(feature = Scene())
a = C.Object3D(parent = w)
END
wrong 3:50 E0910 "'a' was made by Modia3D.Composition, to be moved by hand" <<'END'
M = Model3D(world = Object3D(feature = Scene()), a = C.Object3D())
m = @instantiateModel(M, unitless = true)
END

# Wrong numbers, at the keyword.
wrong 4:28 E0306 "Object3D 'a': translation must be a vector of three finite numbers" <<'END'
w = C.Object3D(feature = Scene())
a = C.Object3D(parent = w, translation = [1.0, 2.0])
Modia3D.initAnalysis!(w)
END
wrong 4:28 E0903 "a rotation is a matrix R with three rows and R*R' = 1" <<'END'
w = C.Object3D(feature = Scene())
a = C.Object3D(parent = w, R = [1.0 0.0 0.0; 0.0 1.0 0.0; 0.0 0.0 2.0])
END
wrong 5:5 E0903 "Revolute 'r': axis must be 1, 2, 3, -1, -2, -3 or a vector" <<'END'
w = C.Object3D(feature = Scene())
a = C.Object3D()
r = Revolute(obj1 = w, obj2 = a, axis = 7)
Modia3D.initAnalysis!(w)
END

# A mistake can be caught, and the world made right.
cat > caught.jl <<'END'
using Modia3D
using Test
import Modia3D.Composition as C
w = C.Object3D(feature = Scene())
a = C.Object3D(parent = w, feature = Solid(shape = Sphere(), solidMaterial = "Unobtainium"))
@test_throws ErrorException Modia3D.initAnalysis!(w)
w = C.Object3D(feature = Scene())
b = C.Object3D(parent = w, colour = 3)
Modia3D.initAnalysis!(w)
@test b.r_abs == [0.0, 0.0, 0.0]
END
status 0 "$SEGUE" run caught.jl
lacks err "error["
has err "caught.jl:8:28: warning[E0310]: Object3D has no keyword 'colour'; it is ignored"
