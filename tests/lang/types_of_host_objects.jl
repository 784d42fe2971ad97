# Objects that the program itself makes have types with plain names, and fields that are not there are named.
using Modia3D
frame = Modia3D.Composition.Object3D(name = "frame")
hinge = Modia3D.Composition.Revolute(frame, Modia3D.Composition.Object3D())
println(typeof(frame), " ", typeof(hinge))                             # expect: Object3D Revolute
println(frame, " ", typeof(frame) == typeof(hinge.obj2))               # expect: Object3D(frame) true
println(typeof(PTP_path(["a"], positions = [0.0; 1.0;;], v_max = [1.0], a_max = [1.0]))) # expect: PTP_path
try
    frame.colour
catch e
    println(e)                                                          # expect: ErrorException("Object3D has no field 'colour'")
end
