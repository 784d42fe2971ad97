// Geometries of bodies. Shapes that differ in size only share one, so that equal bodies, and spheres
// of all sizes, are one draw call: the size is in the matrix of the instance.
//
// Units are meters in the frame of the object. Our axes: a shape is made along z and turned so that z
// becomes its axis (src/view/tessellate.c).
import * as THREE from 'three';

const round = 40;

// Columns of the turn that takes z to the axis, x and y to the two that follow.
function turn(axis) {
  const unit = (k) => new THREE.Vector3(+(k === 0), +(k === 1), +(k === 2));
  return new THREE.Matrix4().makeBasis(unit((axis + 1) % 3), unit((axis + 2) % 3), unit(axis));
}

const scaled = (x, y, z) => new THREE.Matrix4().makeScale(x, y, z);

// three.js stands cylinders along y.
const alongZ = (geometry) => geometry.rotateX(Math.PI / 2);

function merge(parts) {
  const lists = { position: [], normal: [], color: [], index: [] };
  let first = 0;
  for (const { geometry, color } of parts) {
    const n = geometry.attributes.position.count;
    lists.position.push(...geometry.attributes.position.array);
    lists.normal.push(...geometry.attributes.normal.array);
    for (let i = 0; i < n; i++) lists.color.push(color.r, color.g, color.b);
    for (const i of geometry.index.array) lists.index.push(first + i);
    first += n;
  }
  const merged = new THREE.BufferGeometry();
  for (const name of ['position', 'normal', 'color'])
    merged.setAttribute(name, new THREE.Float32BufferAttribute(lists[name], 3));
  merged.setIndex(lists.index);
  return merged;
}

// An arrow along z of length 1, `thin` times as wide.
export function arrowGeometry(thin = 0.025, color = new THREE.Color(1, 1, 1)) {
  const tip = Math.min(0.3, 6 * thin);
  const shaft = alongZ(new THREE.CylinderGeometry(thin, thin, 1 - tip, 12)).translate(0, 0, (1 - tip) / 2);
  const head = alongZ(new THREE.CylinderGeometry(0, 2.6 * thin, tip, 16)).translate(0, 0, 1 - tip / 2);
  return merge([{ geometry: shaft, color }, { geometry: head, color }]);
}

// Three arrows, x red, y green, z blue.
export function axesGeometry(thin = 0.02) {
  const colors = [0xd64545, 0x3a9d5d, 0x3f74d8].map((c) => new THREE.Color(c));
  return merge(
    colors.map((color, axis) => {
      const geometry = arrowGeometry(thin, color);
      geometry.applyMatrix4(turn(axis));
      return { geometry, color };
    }),
  );
}

function facets(run, g) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(run.floats(g.position), 3));
  geometry.setAttribute('normal', new THREE.BufferAttribute(run.floats(g.normal), 3));
  geometry.setIndex(new THREE.BufferAttribute(run.numbers(g.index), 1));
  return geometry;
}

export function gridGeometry(g) {
  const [length, width, distance] = g.size;
  const points = [];
  for (const [a, b, flip] of [[length, width, false], [width, length, true]]) {
    const n = Math.min(10000, Math.floor((a + 1e-12) / distance));
    for (let i = 0; i <= n; i++) {
      const x = i * distance - a / 2;
      if (flip) points.push(-b / 2, x, 0, b / 2, x, 0);
      else points.push(x, -b / 2, 0, x, b / 2, 0);
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
  return geometry.applyMatrix4(turn(g.axis));
}

// What to draw for a geometry of the run: a key that equal ones share, how to make it, and the matrix
// that gives it its size. `half` and `center` are its box in the frame of the object.
export function shapeOf(run, g, number) {
  const s = g.size;
  const box = (x, y, z, cz = 0) => {
    const half = new THREE.Vector3(x / 2, y / 2, z / 2).applyMatrix4(turn(g.axis));
    return { half, center: new THREE.Vector3(0, 0, cz).applyMatrix4(turn(g.axis)) };
  };
  const upright = (x, y, z) => turn(g.axis).multiply(scaled(x, y, z));
  if (g.position) {
    const geometry = facets(run, g);
    geometry.computeBoundingBox();
    const { min, max } = geometry.boundingBox;
    return {
      key: `facets ${number}`,
      make: () => geometry,
      matrix: new THREE.Matrix4(),
      half: max.clone().sub(min).multiplyScalar(0.5),
      center: max.clone().add(min).multiplyScalar(0.5),
    };
  }
  switch (g.kind) {
    case 'sphere':
    case 'ellipsoid': {
      const [x, y, z] = g.kind === 'sphere' ? [s[0], s[0], s[0]] : s;
      return {
        key: 'sphere',
        make: () => new THREE.SphereGeometry(0.5, round, round / 2),
        matrix: scaled(x, y, z),
        half: new THREE.Vector3(x / 2, y / 2, z / 2),
        center: new THREE.Vector3(),
        round: true,
      };
    }
    case 'box':
      return {
        key: 'box',
        make: () => new THREE.BoxGeometry(1, 1, 1),
        matrix: scaled(s[0], s[1], s[2]),
        half: new THREE.Vector3(s[0] / 2, s[1] / 2, s[2] / 2),
        center: new THREE.Vector3(),
      };
    case 'cylinder':
      return {
        key: 'cylinder',
        make: () => alongZ(new THREE.CylinderGeometry(0.5, 0.5, 1, round)),
        matrix: upright(s[0], s[0], s[1]),
        ...box(s[0], s[0], s[1]),
      };
    case 'cone': {
      const ratio = s[0] > 0 ? s[2] / s[0] : 0;
      return {
        key: `cone ${ratio.toPrecision(6)}`,
        make: () =>
          alongZ(new THREE.CylinderGeometry(ratio / 2, 0.5, 1, round)).translate(0, 0, 0.5),
        matrix: upright(s[0], s[0], s[1]),
        ...box(s[0], s[0], s[1], s[1] / 2),
      };
    }
    case 'capsule': {
      const ratio = s[0] > 0 ? s[1] / s[0] : 0;
      return {
        key: `capsule ${ratio.toPrecision(6)}`,
        make: () => alongZ(new THREE.CapsuleGeometry(0.5, ratio, round / 4, round)),
        matrix: upright(s[0], s[0], s[0]),
        ...box(s[0], s[0], s[0] + s[1]),
      };
    }
    case 'frame':
    case 'bare':
      return {
        key: 'axes',
        make: () => axesGeometry(),
        matrix: scaled(s[0], s[0], s[0]),
        half: new THREE.Vector3(s[0] / 2, s[0] / 2, s[0] / 2),
        center: new THREE.Vector3(s[0] / 2, s[0] / 2, s[0] / 2),
        axes: true,
      };
    default: // grids, texts and files of three.js are objects of their own
      return null;
  }
}

// ---- texts ----------------------------------------------------------------------------------

const families = {
  FreeSans: 'FreeSans, Arial, Helvetica, sans-serif',
  FreeSerif: 'FreeSerif, "Times New Roman", serif',
  Arial: 'Arial, Helvetica, sans-serif',
  ArialNarrow: '"Arial Narrow", Arial, sans-serif',
  CourierNew: '"Courier New", monospace',
  TimesNewRoman: '"Times New Roman", serif',
  Verdana: 'Verdana, sans-serif',
};

// A picture of a text, drawn on a canvas; its height is that of a character.
export function textObject(body, g) {
  const t = body.text;
  const pixels = 96;
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d');
  const font = `${t.italic ? 'italic ' : ''}${t.bold ? 'bold ' : ''}${pixels}px ${families[t.family] ?? families.FreeSans}`;
  pen.font = font;
  const lines = t.text.split('\n');
  const width = Math.ceil(Math.max(1, ...lines.map((line) => pen.measureText(line).width))) + 8;
  const rowHeight = Math.ceil(1.3 * pixels);
  canvas.width = Math.min(4096, width);
  canvas.height = rowHeight * lines.length;
  pen.font = font;
  pen.textBaseline = 'middle';
  pen.fillStyle = `rgb(${body.color.join(',')})`;
  lines.forEach((line, i) => pen.fillText(line, 4, (i + 0.5) * rowHeight, canvas.width - 8));
  const map = new THREE.CanvasTexture(canvas);
  map.colorSpace = THREE.SRGBColorSpace;
  map.anisotropy = 4;
  const height = (g.size[0] * canvas.height) / pixels;
  const wide = (height * canvas.width) / canvas.height;
  const opacity = 1 - body.transparency;
  const shift = t.align === 1 ? 0 : t.align === 2 ? 1 : 0.5; // of the width, left of the place
  let object;
  if (t.plane === 0) {
    object = new THREE.Sprite(new THREE.SpriteMaterial({ map, opacity, transparent: true, depthWrite: false }));
    object.center.set(shift, 0.5);
    object.scale.set(wide, height, 1);
  } else {
    const geometry = new THREE.PlaneGeometry(wide, height).translate((0.5 - shift) * wide, 0, 0);
    if (t.plane === 2) geometry.rotateX(Math.PI / 2);
    if (t.plane === 3) geometry.rotateX(Math.PI / 2).rotateZ(Math.PI / 2);
    object = new THREE.Mesh(
      geometry,
      new THREE.MeshBasicMaterial({ map, opacity, transparent: true, side: THREE.DoubleSide, depthWrite: false }),
    );
  }
  object.position.set(...t.offset);
  return new THREE.Group().add(object);
}
