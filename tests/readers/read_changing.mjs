// An animation over structural changes through three.js: bodies that were attached and released are where the result has
// them, and what was deleted is not seen from then on.
//   node read_changing.mjs ANIMATION.json RESULT.json
import { readFileSync } from 'node:fs';
import * as THREE from 'three';

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const animation = read(process.argv[2]), result = read(process.argv[3]);
const complaints = [];

const scene = new THREE.ObjectLoader().parse(animation);
if (!scene.animations[0].validate()) complaints.push('three.js finds the clip invalid');
const mixer = new THREE.AnimationMixer(scene);
mixer.clipAction(scene.animations[0]).play();
const times = result.time.values;
const place = (name, i) => {
  const { size, values } = result[`${name}.r_abs`].values;
  return [0, 1, 2].map((k) => values[i + k * size[0]]);
};

let hidden = 0, compared = 0;
for (let i = 0; i + 1 < times.length; i++) { // at its end a clip starts again
  const onGrid = Math.abs(times[i] / 0.02 - Math.round(times[i] / 0.02)) < 1e-9;
  if (!onGrid) continue;
  mixer.setTime(times[i]);
  for (const name of ['arm', 'ball', 'bud']) {
    const object = scene.getObjectByName(name), r = place(name, i);
    const there = r[0] !== null;
    if (object.visible !== there) complaints.push(`${name} at ${times[i]} s: ${object.visible ? '' : 'not '}seen`);
    if (scene.getObjectByName(`${name}.frame`).visible !== there) complaints.push(`axes of ${name} at ${times[i]} s`);
    if (there && object.position.distanceTo(new THREE.Vector3(...r)) > 1e-6)
      complaints.push(`${name} at ${times[i]} s: ${object.position.toArray()}, expected ${r}`);
    compared++;
    hidden += !there;
  }
}
// From 0.81 s on two of three are gone: 0.82 to 0.98 s.
if (hidden !== 18 || compared !== 150) complaints.push(`${hidden} of ${compared} hidden`);
if (scene.animations[0].tracks.filter((t) => t.name.endsWith('.visible')).length !== 5) complaints.push('other tracks of visibility');
complaints.slice(0, 20).forEach((text) => console.log(text));
console.log(`${compared} places compared, ${complaints.length} wrong`);
process.exit(complaints.length ? 1 : 0);
