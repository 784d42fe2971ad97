// Binary glTF through the validator of the Khronos group, which must have nothing to say, and its motion
// against the result.
//   node read_glb.mjs SCENE.glb RESULT.json
import { readFileSync } from 'node:fs';
import validator from 'gltf-validator';

const bytes = readFileSync(process.argv[2]);
const result = JSON.parse(readFileSync(process.argv[3], 'utf8'));
let failed = 0;
const complain = (text) => {
  if (failed++ < 20) console.log(text);
};

const report = await validator.validateBytes(new Uint8Array(bytes));
const { numErrors, numWarnings, numInfos, numHints, messages } = report.issues;
if (numErrors + numWarnings + numInfos + numHints) complain(JSON.stringify(messages.slice(0, 5)));

const length = bytes.readUInt32LE(12);
const gltf = JSON.parse(bytes.subarray(20, 20 + length).toString());
const bin = bytes.subarray(28 + length);
const floats = (index) => {
  const accessor = gltf.accessors[index];
  const view = gltf.bufferViews[accessor.bufferView];
  const width = { SCALAR: 1, VEC3: 3, VEC4: 4 }[accessor.type];
  const list = [];
  for (let i = 0; i < accessor.count * width; i++) list.push(bin.readFloatLE(view.byteOffset + 4 * i));
  return { list, width, count: accessor.count };
};

// Positions at the times of the keys, against those of the result at its points. The result has the
// same points, so the nearest one is the one.
const [animation] = gltf.animations;
const times = result.time.values;
let compared = 0;
for (const channel of animation.channels) {
  if (channel.target.path !== 'translation') continue;
  const { path } = gltf.nodes[channel.target.node].extras;
  const signal = result[`${path}.r_abs`]?.values;
  if (!signal?.values) continue;
  const sampler = animation.samplers[channel.sampler];
  const input = floats(sampler.input);
  const output = floats(sampler.output);
  for (let k = 0; k < input.count; k++) {
    const near = times.map((t, i) => [Math.abs(t - input.list[k]), i]).filter(([gap]) => gap < 1e-5);
    const fits = near.some(([, i]) =>
      [0, 1, 2].every((c) => Math.abs(signal.values[i + c * times.length] - output.list[3 * k + c]) < 4e-6),
    );
    if (!fits) complain(`${path} at ${input.list[k]} s: ${output.list.slice(3 * k, 3 * k + 3)}`);
    compared++;
  }
}
if (compared < 100) complain(`only ${compared} positions were compared`);
console.log(`${report.info.totalVertexCount} vertices, ${animation.channels.length} channels, ${compared} positions`);
process.exit(failed ? 1 : 0);
