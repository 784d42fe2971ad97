# A hundred objects on fifty joints: memory does not grow with the number of poses (20,000 of all of them take
# about a quarter of a second).
cat > many.jl <<'END'
using Modia3D
import Modia3D.Composition as C
function chain(n)
    (last, joints) = (C.Object3D(feature = Scene()), [])
    world = last
    for i in 1:n
        link = C.Object3D(feature = Visual(shape = Sphere(diameter = 0.1)))
        push!(joints, C.Revolute(last, link; axis = 1 + i % 3))
        last = C.Object3D(parent = link, translation = [0.1, 0.0, 0.0])
    end
    return (world, joints, last)
end
function move(world, joints, last, n)
    far = 0.0
    for k in 1:n
        for joint in joints
            Modia3D.setAngle!(joint, 0.0001*k)
        end
        Modia3D.updatePosition!(world)
        far = max(far, last.r_abs[1])
    end
    return far
end
(world, joints, last) = chain(50)
Modia3D.initAnalysis!(world)
println(length(world.children), " ", move(world, joints, last, 20000) > 4.9)
END
status 0 "$SEGUE" run --max-memory 10 many.jl
has out "1 true"
