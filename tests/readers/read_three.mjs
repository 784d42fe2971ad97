// An animation through three.js itself: where it puts every vertex of every shape at several times,
// against the poses in the result and the sizes in animation/scene.jl.
//   node read_three.mjs ANIMATION.json RESULT.json
import { readFileSync } from 'node:fs';
import * as THREE from 'three';

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const animation = read(process.argv[2]), result = read(process.argv[3]);
let failed = 0;
const complain = (text) => {
  if (failed++ < 20) console.log(text);
};

const exact = 4e-6; // three.js keeps keys in single precision, and shapes are up to 8 m away

// ---- what must be there: support functions of the shapes in their own frame ----------------------

const len = (...x) => Math.hypot(...x);
const box = (x, y, z) => (d) => (Math.abs(d[0]) * x + Math.abs(d[1]) * y + Math.abs(d[2]) * z) / 2;
const points = (list) => (d) => Math.max(...list.map((p) => p[0] * d[0] + p[1] * d[1] + p[2] * d[2]));
// d as (along the axis, then the other two in cyclic order)
const about = (axis, f) => (d) => f(d[axis], d[(axis + 1) % 3], d[(axis + 2) % 3]);
const shapes = {
  still: [box(0.3, 0.5, 0.7), exact],
  body: [box(0.2, 0.4, 0.6), exact],
  ball: [(d) => 0.3 * len(...d), 4e-3],
  egg: [(d) => len(0.2 * d[0], 0.3 * d[1], 0.5 * d[2]), 6e-3],
  // Tips end at 1.1 of the length; shafts are 1/50 thick.
  axes: [(d) => Math.max(0.55 * d[0], 0.55 * d[1], 0.55 * d[2], 0), 0.021],
  wedge: [points([[0, 0, 0], [1, 0, 0], [0, 0.4, 0], [0, 0, 0.3], [1, 0, 0.3], [0, 0.4, 0.3]]), exact],
  smooth: [points([[0, 0, 0], [0.5, 0, 0], [0, 0.4, 0], [0, 0, 0.3], [0.5, 0, 0.3], [0, 0.4, 0.3]]), exact],
  drawn: [(d) => Math.max(box(0.4, 0.2, 0.3)(d), 0.1 * d[0] + 0.2 * d[1] + len(0.05 * d[0], 0.05 * d[1], 0.15 * d[2])), 8e-3],
  again: [(d) => Math.max(box(0.4, 0.2, 0.1)(d), 0.1 * d[0] + 0.2 * d[1] + 0.05), 4e-3],
};
shapes.same = shapes.wedge;
shapes.turned = shapes.smooth;
['x', 'y', 'z'].forEach((name, axis) => {
  const round = (bottom, top, low, high) => (a, u, v) => Math.max(bottom * len(u, v) + low * a, top * len(u, v) + high * a);
  shapes[`${name}.cylinder`] = [about(axis, round(0.2, 0.2, -0.45, 0.45)), 2e-3];
  shapes[`${name}.pipe`] = [about(axis, round(0.25, 0.25, -0.15, 0.15)), 2e-3];
  shapes[`${name}.cone`] = [about(axis, round(0.25, 0.1, 0, 0.8)), 2e-3];
  shapes[`${name}.capsule`] = [about(axis, (a, u, v) => 0.15 * len(a, u, v) + 0.35 * Math.abs(a)), 3e-3];
  shapes[`${name}.beam`] = [about(axis, (a, u, v) => 0.4 * Math.abs(a) + 0.15 * len(a, u) + 0.05 * Math.abs(v)), 2e-3];
  shapes[`${name}.grid`] = [about(axis, (a, u, v) => 0.5 * Math.abs(u) + 0.25 * Math.abs(v)), 1e-6];
});

// ---- poses of the result -------------------------------------------------------------------------

const signal = (name) => {
  const { size, values } = result[name].values;
  return (i) => [0, 1, 2].map((k) => values[i + k * size[0]]);
};
const times = result.time.values;
// Body to world; the Cardan angles of the models are Euler angles of the order XYZ in three.js.
const pose = (name, i) => new THREE.Matrix4()
  .makeRotationFromEuler(new THREE.Euler(...signal(`${name}.rot123_abs`)(i), 'XYZ'))
  .setPosition(...signal(`${name}.r_abs`)(i));

// ---- three.js ------------------------------------------------------------------------------------

const scene = new THREE.ObjectLoader().parse(animation);
if (scene.animations.length !== 1) complain(`${scene.animations.length} clips`);
if (!scene.animations[0].validate()) complain('three.js finds the clip invalid');
const mixer = new THREE.AnimationMixer(scene);
mixer.clipAction(scene.animations[0]).play();
const vertices = (object) => {
  const list = [];
  object.traverse((o) => {
    const position = o.geometry?.attributes.position;
    for (let i = 0; position && i < position.count; i++)
      list.push(new THREE.Vector3().fromBufferAttribute(position, i).applyMatrix4(o.matrixWorld));
  });
  return list;
};
const directions = [];
for (let i = -1; i <= 1; i++)
  for (let j = -1; j <= 1; j++)
    for (let k = -1; k <= 1; k++)
      if (i || j || k) directions.push(new THREE.Vector3(i, j, k).normalize());

let compared = 0;
for (const at of [0, 7, 25, 33, 50]) {
  mixer.setTime(at === 50 ? times[at] - 1e-9 : times[at]); // at its end a clip starts again
  scene.updateMatrixWorld(true);
  for (const [name, [support, tolerance]] of Object.entries(shapes)) {
    const object = scene.getObjectByName(name);
    if (!object) {
      complain(`no ${name}`);
      continue;
    }
    const there = vertices(object), expected = pose(name, at);
    const r = new THREE.Vector3().setFromMatrixPosition(expected);
    const inverse = expected.clone().setPosition(0, 0, 0).transpose();
    for (const d of directions) {
      const found = Math.max(...there.map((p) => p.dot(d)));
      const wanted = r.dot(d) + support(d.clone().applyMatrix4(inverse).toArray());
      compared++;
      if (!(Math.abs(found - wanted) <= tolerance))
        complain(`${name} at ${times[at]} along ${d.toArray()}: reaches ${found}, expected ${wanted}`);
    }
    const arrows = scene.getObjectByName(`${name}.frame`);
    if (!arrows || arrows.position.distanceTo(r) > exact) complain(`frame of ${name} is elsewhere`);
  }
}
// Between two keys as well: a free body moves on a parabola.
mixer.setTime(0.5 * (times[20] + times[21]));
const [a, b] = [signal('body.r_abs')(20), signal('body.r_abs')(21)];
const middle = new THREE.Vector3(...a.map((x, k) => 0.5 * (x + b[k])));
if (scene.getObjectByName('body').position.distanceTo(middle) > exact) complain('body between two keys');

// ---- looks, camera, light ------------------------------------------------------------------------

const material = (name) => scene.getObjectByName(name).material;
const same = (what, found, expected) => {
  if (JSON.stringify(found) !== JSON.stringify(expected)) complain(`${what}: ${found}, expected ${expected}`);
};
same('color of still', material('still').color.getHex(), 0xff0000);
same('opacity of still', material('still').opacity, 0.75);
same('still is transparent', material('still').transparent, true);
same('same is two-sided', material('same').side, THREE.DoubleSide);
same('wedge is one-sided', material('wedge').side, THREE.FrontSide);
same('geometry of wedge is shared', scene.getObjectByName('wedge').geometry.uuid, scene.getObjectByName('same').geometry.uuid);
same('normals of smooth', scene.getObjectByName('smooth').geometry.attributes.normal.count, 6);
const plate = (name) => scene.getObjectByName(name).getObjectByName('plate').material;
same('color of drawn', plate('drawn').color.getHex(), 0x0a141e);
same('drawn is two-sided', plate('drawn').side, THREE.DoubleSide);
same('color of again', plate('again').color.getHex(), 0xff0000);
same('again is one-sided', plate('again').side, THREE.FrontSide);

// Faces look outwards: the volume that the triangles enclose is positive.
const volume = (name) => {
  const { geometry, matrixWorld } = scene.getObjectByName(name);
  const { position } = geometry.attributes, index = geometry.index;
  const corner = (i) => new THREE.Vector3().fromBufferAttribute(position, index ? index.getX(i) : i).applyMatrix4(matrixWorld);
  let sum = 0;
  for (let i = 0; i < (index ? index.count : position.count); i += 3)
    sum += corner(i).dot(corner(i + 1).cross(corner(i + 2))) / 6;
  return sum;
};
scene.updateMatrixWorld(true);
for (const name of ['smooth', 'turned']) { // so do normals: away from the middle of the faces
  const { position, normal } = scene.getObjectByName(name).geometry.attributes, middle = new THREE.Vector3(0.17, 0.13, 0.15);
  for (let i = 0; i < position.count; i++) {
    const out = new THREE.Vector3().fromBufferAttribute(position, i).sub(middle);
    if (out.dot(new THREE.Vector3().fromBufferAttribute(normal, i)) <= 0) complain(`normal ${i} of ${name} points inwards`);
  }
}
for (const [name, expected] of [['wedge', 0.06], ['turned', 0.03], ['x.pipe', 0.3 * Math.PI * (0.25 ** 2 - 0.2 ** 2)],
  ['y.capsule', Math.PI * 0.15 ** 2 * (0.7 + 0.2)], ['z.beam', 0.1 * (0.8 * 0.3 + Math.PI * 0.15 ** 2)],
  ['z.cone', (Math.PI * 0.8 / 12) * (0.25 + 0.1 + 0.04)], ['egg', (Math.PI / 6) * 0.4 * 0.6]])
  if (Math.abs(volume(name) / expected - 1) > 0.03) complain(`volume of ${name}: ${volume(name)}, expected ${expected}`);

// The camera is where the Scene says, looks at the origin, and has z up, as gravity pulls along -z.
const camera = scene.getObjectByName('Perspective Camera');
camera.updateMatrixWorld(true);
const view = (x, y, z) => new THREE.Vector3(x, y, z).applyMatrix4(camera.matrixWorldInverse);
const origin = view(0, 0, 0), up = view(0, 0, 1).sub(origin), latitude = Math.PI / 12;
if (origin.distanceTo(new THREE.Vector3(0, 0, -7)) > 1e-6) complain(`the camera sees the origin at ${origin.toArray()}`);
if (up.distanceTo(new THREE.Vector3(0, Math.cos(latitude), Math.sin(latitude))) > 1e-6) complain(`up is ${up.toArray()}`);
['XY', 'YZ', 'ZX'].forEach((plane, k) => {
  const side = scene.getObjectByName(`Orthographic Camera ${plane}`);
  side.updateMatrixWorld(true);
  const axis = (i) => new THREE.Vector3(+(i === 0), +(i === 1), +(i === 2)).transformDirection(side.matrixWorldInverse);
  if (axis(k).distanceTo(new THREE.Vector3(1, 0, 0)) > 1e-6 || axis((k + 1) % 3).distanceTo(new THREE.Vector3(0, 1, 0)) > 1e-6)
    complain(`${plane} is not seen with its first axis to the right and its second up`);
});
if (compared !== 5 * 26 * Object.keys(shapes).length) complain(`only ${compared} comparisons`);
process.exit(failed ? 1 : 0);
