# Rotations, axes and paths of frames: what models call as `Modia3D.rot123(...)` and so on.
#
# A rotation matrix resolves a vector of frame 1 in frame 2: v2 = R*v1. A quaternion is a vector of
# four numbers, the scalar last: [e*sin(phi/2), cos(phi/2)] turns by phi about e. Angles are in
# radian or carry a unit.

const NullRotation = [1.0 0.0 0.0; 0.0 1.0 0.0; 0.0 0.0 1.0]
const NullQuaternion = [0.0, 0.0, 0.0, 1.0]
const ZeroVector3D = [0.0, 0.0, 0.0]

function threeOf(v)
    length(v) == 3 || error("three numbers are needed here, not ", length(v))
    return (v[1], v[2], v[3])
end
function axisNumber(axis)
    axis in (1, 2, 3) || error("an axis is 1, 2 or 3, not ", axis)
    return axis
end

function skew(v)
    (x, y, z) = threeOf(v)
    return [0.0 -z y; z 0.0 -x; -y x 0.0]
end
eAxis(axis) = [axisNumber(axis) == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0, axis == 3 ? 1.0 : 0.0]
axisValue(axis, value) = value*eAxis(axis)
axisValue(axis, positive, value) = (positive ? value : -value)*eAxis(axis)

# ---- matrices -------------------------------------------------------------------------------------

rot1(angle) = [1.0 0.0 0.0; 0.0 cos(angle) sin(angle); 0.0 -sin(angle) cos(angle)]
rot2(angle) = [cos(angle) 0.0 -sin(angle); 0.0 1.0 0.0; sin(angle) 0.0 cos(angle)]
rot3(angle) = [cos(angle) sin(angle) 0.0; -sin(angle) cos(angle) 0.0; 0.0 0.0 1.0]
rot1(angle, v) = rot1(angle)*v
rot2(angle, v) = rot2(angle)*v
rot3(angle, v) = rot3(angle)*v

rot123(angle1, angle2, angle3) = rot3(angle3)*rot2(angle2)*rot1(angle1)
rot123(angles) = rot123(threeOf(angles)...)

# About x, then z, then y; the angles stand in this order.
rot132(angle1, angle3, angle2) = rot2(angle2)*rot3(angle3)*rot1(angle1)
rot132(angles) = rot132(threeOf(angles)...)

Rfromrot123(angles) = rot123(angles)
Rfromrot132(angles) = rot132(angles)
rotationFromAngles(angles, rotationXYZ) = rotationXYZ ? rot123(angles) : rot132(angles)

rotAxis(axis, angle) = axisNumber(axis) == 1 ? rot1(angle) : axis == 2 ? rot2(angle) : rot3(angle)
rotAxis(axis, positive, angle) = rotAxis(axis, positive ? angle : -angle)

# About the unit vector e.
function rot_e(e, angle)
    c = cos(angle)
    return e*e'*(1.0 - c) + NullRotation*c - skew(e)*sin(angle)
end

# The x axis along nx, the y axis in the plane of nx and ny; or the z axis along nz. Where the two
# are parallel, another axis takes the place of the second.
function rot_nxy(nx, ny)
    e1 = norm(nx) < 1e-10 ? eAxis(1) : nx/norm(nx)
    second = sum(cross(e1, ny).^2) > 1e-6 ? ny : abs(e1[1]) > 1e-6 ? eAxis(2) : eAxis(1)
    e3 = normalize(cross(e1, second))
    e2 = cross(e3, e1)
    return [e1[1] e1[2] e1[3]; e2[1] e2[2] e2[3]; e3[1] e3[2] e3[3]]
end
function rot_nxz(nx, nz)
    e3 = norm(nz) < 1e-10 ? eAxis(3) : nz/norm(nz)
    first = sum(cross(e3, nx).^2) > 1e-6 ? nx : abs(e3[3]) > 1e-6 ? eAxis(1) : eAxis(3)
    e2 = normalize(cross(e3, first))
    e1 = cross(e2, e3)
    return [e1[1] e1[2] e1[3]; e2[1] e2[2] e2[3]; e3[1] e3[2] e3[3]]
end

# Angles of a matrix; where only a combination of two is determined, `rot3_guess` is one of them.
function rot123fromR(R; rot3_guess = 0.0)
    s = clamp(R[3,1], -1.0, 1.0)
    c2 = 1.0 - s^2
    if c2 > 1e-12
        return [atan(-R[3,2], R[3,3]), atan(s/sqrt(c2)), atan(-R[2,1], R[1,1])]
    end
    return [atan(R[2,3], R[2,2]) - sign(s)*rot3_guess, sign(s)*pi/2, rot3_guess]
end
function rot132fromR(R; rot3_guess = 0.0)
    s = clamp(-R[2,1], -1.0, 1.0)
    c2 = 1.0 - s^2
    if c2 > 1e-12
        return [atan(R[2,3], R[2,2]), atan(s/sqrt(c2)), atan(R[3,1], R[1,1])]
    end
    # With -sign(s), as the published formula has it, only the guess 0 gives the angles of R.
    return [atan(-R[3,2], R[3,3]) + sign(s)*rot3_guess, sign(s)*pi/2, rot3_guess]
end

# der(angles) = J*w, with the angular velocity w of frame 2 relative to frame 1, resolved in 2.
function J123(angles)
    (sbe, cbe, sga, cga) = (sin(angles[2]), cos(angles[2]), sin(angles[3]), cos(angles[3]))
    return [cga/cbe -sga/cbe 0.0; sga cga 0.0; -sbe*cga/cbe sbe*sga/cbe 1.0]
end
function J132(angles)
    (sga, cga, sbe, cbe) = (sin(angles[2]), cos(angles[2]), sin(angles[3]), cos(angles[3]))
    return [cbe/cga 0.0 sbe/cga; -sbe 0.0 cbe; cbe*sga/cga 1.0 sbe*sga/cga]
end

# ---- quaternions ----------------------------------------------------------------------------------

# A rotation has two quaternions; with a guess the one nearer to it is taken.
nearerOne(q, q_guess) = q_guess === nothing || dot(q, q_guess) >= 0.0 ? q : -q
qrot_e(e, angle; q_guess = nothing) =
    nearerOne([e[1]*sin(angle/2), e[2]*sin(angle/2), e[3]*sin(angle/2), cos(angle/2)], q_guess)
qrot1(angle; q_guess = nothing) = qrot_e(eAxis(1), angle; q_guess = q_guess)
qrot2(angle; q_guess = nothing) = qrot_e(eAxis(2), angle; q_guess = q_guess)
qrot3(angle; q_guess = nothing) = qrot_e(eAxis(3), angle; q_guess = q_guess)
qrot123(angle1, angle2, angle3; q_guess = nothing) =
    nearerOne(absoluteRotation(absoluteRotation(qrot1(angle1), qrot2(angle2)), qrot3(angle3)), q_guess)
qrot_nxy(nx, ny; q_guess = NullQuaternion) = from_R(rot_nxy(nx, ny); q_guess = q_guess)
qrot_nxz(nx, nz; q_guess = NullQuaternion) = from_R(rot_nxz(nx, nz); q_guess = q_guess)

from_q(q) = [2.0*(q[1]*q[1] + q[4]*q[4])-1.0 2.0*(q[1]*q[2] + q[3]*q[4]) 2.0*(q[1]*q[3] - q[2]*q[4]);
             2.0*(q[2]*q[1] - q[3]*q[4]) 2.0*(q[2]*q[2] + q[4]*q[4])-1.0 2.0*(q[2]*q[3] + q[1]*q[4]);
             2.0*(q[3]*q[1] + q[2]*q[4]) 2.0*(q[3]*q[2] - q[1]*q[4]) 2.0*(q[3]*q[3] + q[4]*q[4])-1.0]

# Of the two quaternions of a rotation the one nearer to q_guess.
function from_R(R; q_guess = NullQuaternion)
    if R[3,3] < 0.0
        if R[1,1] > R[2,2]
            t = 1.0 + R[1,1] - R[2,2] - R[3,3]
            q = [t, R[1,2] + R[2,1], R[3,1] + R[1,3], R[2,3] - R[3,2]]
        else
            t = 1.0 - R[1,1] + R[2,2] - R[3,3]
            q = [R[1,2] + R[2,1], t, R[2,3] + R[3,2], R[3,1] - R[1,3]]
        end
    elseif R[1,1] < -R[2,2]
        t = 1.0 - R[1,1] - R[2,2] + R[3,3]
        q = [R[3,1] + R[1,3], R[2,3] + R[3,2], t, R[1,2] - R[2,1]]
    else
        t = 1.0 + R[1,1] + R[2,2] + R[3,3]
        q = [R[2,3] - R[3,2], R[3,1] - R[1,3], R[1,2] - R[2,1], t]
    end
    q = q*(0.5/sqrt(t))
    return dot(q, q_guess) >= 0.0 ? q : -q
end

# First R1 (q1), then the relative one.
absoluteRotation(R1::AbstractMatrix, R_rel::AbstractMatrix) = R_rel*R1
absoluteRotation(q1::AbstractVector, r::AbstractVector) =
    [r[4] r[3] -r[2] r[1]; -r[3] r[4] r[1] r[2]; r[2] -r[1] r[4] r[3]; -r[1] -r[2] -r[3] r[4]]*q1
inverseRotation(R::AbstractMatrix) = R'
inverseRotation(q::AbstractVector) = [-q[1], -q[2], -q[3], q[4]]
relativeRotation(R1::AbstractMatrix, R2::AbstractMatrix) = R2*R1'
relativeRotation(q1::AbstractVector, q2::AbstractVector) = absoluteRotation(inverseRotation(q1), q2)

function assertRotationMatrix(R)
    err = maximum(abs.(R*R' - NullRotation))
    err <= 1e-10 || error("this is not a rotation matrix: R*R' differs from 1 by ", err)
    dot(cross(R[1,:], R[2,:]), R[3,:]) > 0.0 || error("this is not a rotation matrix: it mirrors")
    return nothing
end
function assertQuaternion(q)
    err = abs(dot(q, q) - 1.0)
    err <= 1e-10 || error("this is not a quaternion of length one: its square differs from 1 by ", err)
    return nothing
end

# ---- vectors in both frames -----------------------------------------------------------------------

# A vector of four is a quaternion, one of three holds angles.
asRotation(R::AbstractMatrix, rotationXYZ) = R
asRotation(x::AbstractVector, rotationXYZ) = length(x) == 4 ? from_q(x) : rotationFromAngles(x, rotationXYZ)
resolve2(x, v1; rotationXYZ = true) = asRotation(x, rotationXYZ)*v1
resolve1(x, v2; rotationXYZ = true) = asRotation(x, rotationXYZ)'*v2

# The angle about e that turns v1 into v2, in the turn around angle_guess.
function planarRotationAngle(e, v1, v2; angle_guess = 0.0)
    a = atan(-dot(cross(e, v1), v2), dot(v1, v2) - dot(e, v1)*dot(e, v2))
    return a + 2.0*pi*floor((pi + angle_guess - a)/(2.0*pi))
end

# ---- paths of frames ------------------------------------------------------------------------------

"""
    Path(r [, q]; v)

Frames along a path: positions `r`, orientations `q` (quaternions), speeds `v` at each of them. The
path parameter counts seconds of travel. `t_pathEnd(path)` is its end, `interpolate(path, t)` gives
position and quaternion, `interpolate_r(path, t)` the position.
"""
struct Path
    t
    r
    q
end

function travelTime(r1, r2, q1, q2, speed)
    distance = norm(r2 - r1)
    distance > 1.49e-8 && return distance/speed
    turn = relativeRotation(q1, q2)
    angle = 2.0*atan(norm(turn[1:3]), abs(turn[4]))
    angle > 1.49e-8 || error("two frames of a path that follow each other are the same")
    return angle/speed
end

function Path(r, q = fill(NullQuaternion, length(r)); v = ones(length(r)))
    length(r) > 1 || error("a path needs at least two frames")
    (length(q) == length(r) && length(v) == length(r)) || error("a path needs as many orientations and speeds as positions")
    all(v .> 0.0) || error("the speeds of a path must be positive")
    t = zeros(length(r))
    for i in 2:length(r)
        t[i] = t[i-1] + travelTime(r[i-1], r[i], q[i-1], q[i], (v[i-1] + v[i])/2)
    end
    return Path(t, r, q)
end

t_pathEnd(path) = path.t[end]

# The interval of t and how far t is in it; outside of the path the first and last one go on.
function pathInterval(path, t)
    i = 1
    while i < length(path.t) - 1 && t > path.t[i+1]
        i += 1
    end
    return (i, (t - path.t[i])/(path.t[i+1] - path.t[i]))
end

function interpolate_r(path, t)
    (i, s) = pathInterval(path, t)
    return path.r[i] + s*(path.r[i+1] - path.r[i])
end

function interpolate(path, t)
    (i, s) = pathInterval(path, t)
    q2 = dot(path.q[i], path.q[i+1]) < 0.0 ? -path.q[i+1] : path.q[i+1]
    return (path.r[i] + s*(path.r[i+1] - path.r[i]), normalize(path.q[i] + s*(q2 - path.q[i])))
end

linearMovement(dx, t0, t1, t) = dx*(t - t0)/(t1 - t0)
