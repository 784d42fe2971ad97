// The areas over which flat sides press on each other: pressure as color, outlines, and the scale beside the picture.
//
// A patch comes as pieces, each a polygon with the pressure at its corners (src/view/scene_patch.h). It lies between two bodies,
// so it is drawn over them. Colors go from zero to the largest pressure of the present moment: an impact beforehand would leave
// everything at rest in one shade. So would an edge or a roller beside a face that stands, with a thousand times its pressure: then
// colors follow a power of the pressure, by which the gentlest patch still has a third of the scale; the label in the middle tells.
// Only the outline is drawn as lines, not where pieces end at each other.
import * as THREE from 'three';
import { el } from './dom.js';
import { number } from './format.js';

const scale = [[0x2b, 0x3f, 0xa8], [0x1f, 0x9d, 0xb5], [0x4f, 0xb8, 0x5c], [0xf2, 0xc1, 0x2e], [0xd7, 0x2f, 0x27]];
const lowest = 1 / 3; // of the scale, for the largest pressure of a patch
const gradient = `linear-gradient(to top, ${scale.map((c) => `rgb(${c.join(' ')})`).join(', ')})`;

// Pressure is a coordinate of this row of colors, so that all of them lie between two corners.
function makeColors() {
  const n = 256;
  const data = new Uint8Array(4 * n);
  for (let i = 0; i < n; i++) {
    const x = (i / (n - 1)) * (scale.length - 1);
    const k = Math.min(scale.length - 2, Math.floor(x));
    for (let j = 0; j < 3; j++) data[4 * i + j] = Math.round(scale[k][j] + (scale[k + 1][j] - scale[k][j]) * (x - k));
    data[4 * i + 3] = 255;
  }
  const texture = new THREE.DataTexture(data, n, 1);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.magFilter = THREE.LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

export class Patches {
  constructor(stage, contacts) {
    this.stage = stage;
    this.contacts = contacts;
    this.on = false;
    const data = stage.run.scene.contacts;
    this.available = !!data?.pieces;
    if (!this.available) return;
    const { run } = stage;
    this.pieces = run.numbers(data.pieces);
    this.corners = run.numbers(data.corners);
    this.at = run.floats(data.pressure);
    this.makeRoom();
    const bar = el('i', { style: `background: ${gradient}` });
    this.legend = el('div', { class: 'scale', hidden: true }, el('span', {}), el('div', {}, el('span', {}), bar), el('span', {}, '0'));
    stage.layers.push(this);
  }

  // Triangles and edges of the point that has the most.
  makeRoom() {
    const { first } = this.contacts;
    let triangles = 0;
    let edges = 0;
    for (let k = 0; k + 1 < first.length; k++) {
      const [from, to] = [this.pieces[first[k]], this.pieces[first[k + 1]]];
      const corners = this.corners[to] - this.corners[from];
      triangles = Math.max(triangles, corners - 2 * (to - from));
      edges = Math.max(edges, corners);
    }
    const list = (n, width = 3) => new THREE.BufferAttribute(new Float32Array(width * n), width).setUsage(THREE.DynamicDrawUsage);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', list(3 * triangles));
    geometry.setAttribute('uv', list(3 * triangles, 2));
    const material = new THREE.MeshBasicMaterial({ map: makeColors(), side: THREE.DoubleSide, depthTest: false, transparent: true, opacity: 0.82 });
    this.faces = new THREE.Mesh(geometry, material);
    const lines = new THREE.BufferGeometry();
    lines.setAttribute('position', list(2 * edges));
    this.edges = new THREE.LineSegments(lines, new THREE.LineBasicMaterial({ color: 0x1b2333, depthTest: false, transparent: true, opacity: 0.75 }));
    for (const object of [this.faces, this.edges]) {
      object.frustumCulled = false;
      object.visible = false;
      object.renderOrder = object === this.faces ? 4 : 5;
      this.stage.scene.add(object);
    }
  }

  set(on) {
    this.on = on;
    if (!this.available) return;
    this.faces.visible = on;
    this.edges.visible = on;
    this.legend.hidden = !on;
    this.update(this.stage.place);
    this.stage.request();
  }

  largest(from, to) {
    let most = 0;
    for (let i = this.corners[this.pieces[from]]; i < this.corners[this.pieces[to]]; i++) most = Math.max(most, this.at[4 * i + 3]);
    return most;
  }

  // The power of the pressure that colors follow: 1 unless a patch would be lost at the lower end.
  power(from, to, most) {
    let least = most;
    for (let c = from; c < to; c++) {
      const here = this.largest(c, c + 1);
      if (here > 0) least = Math.min(least, here);
    }
    return least < lowest * most ? Math.log(lowest) / Math.log(least / most) : 1;
  }

  // Whether the edge that begins at corner i of a piece is one of the outline of its contact: no other piece has it.
  isOuter(contact, piece, i) {
    const far = (a, b) => Math.hypot(...[0, 1, 2].map((k) => this.at[4 * a + k] - this.at[4 * b + k]));
    const next = (p, k) => (k + 1 < this.corners[p + 1] ? k + 1 : this.corners[p]);
    const j = next(piece, i);
    const near = 1e-3 * far(i, j);
    for (let p = this.pieces[contact]; p < this.pieces[contact + 1]; p++) {
      if (p === piece) continue;
      for (let k = this.corners[p]; k < this.corners[p + 1]; k++) {
        const l = next(p, k);
        if (far(i, l) < near && far(j, k) < near) return false;
      }
    }
    return true;
  }

  update(place) {
    if (!this.on) return;
    const { first, place: where } = this.contacts;
    const known = place.point + 1 < first.length;
    const from = known ? first[place.point] : 0;
    const to = known ? first[place.point + 1] : 0;
    const most = this.largest(from, to);
    const power = this.power(from, to, most);
    let [face, edge] = [0, 0];
    const position = this.faces.geometry.attributes.position;
    const color = this.faces.geometry.attributes.uv;
    const line = this.edges.geometry.attributes.position;
    const put = (list, n, contact, i) => {
      for (let k = 0; k < 3; k++) list.array[3 * n + k] = where[10 * contact + k] + this.at[4 * i + k];
    };
    for (let c = from; c < to; c++) {
      for (let p = this.pieces[c]; p < this.pieces[c + 1]; p++) {
        const [begin, end] = [this.corners[p], this.corners[p + 1]];
        for (let i = begin; i < end; i++) {
          if (!this.isOuter(c, p, i)) continue;
          put(line, edge++, c, i);
          put(line, edge++, c, i + 1 < end ? i + 1 : begin);
        }
        for (let i = begin + 1; i + 1 < end; i++)
          for (const j of [begin, i, i + 1]) {
            put(position, face, c, j);
            color.setXY(face++, most > 0 ? (0.5 + 255 * (this.at[4 * j + 3] / most) ** power) / 256 : 0, 0.5);
          }
      }
    }
    this.faces.geometry.setDrawRange(0, face);
    this.edges.geometry.setDrawRange(0, edge);
    for (const attribute of [position, color, line]) attribute.needsUpdate = true;
    this.legend.hidden = face === 0;
    this.legend.firstChild.textContent = pressure(most);
    this.legend.children[1].firstChild.textContent = pressure(most * 0.5 ** (1 / power));
  }
}

// 44.4 kPa
export function pressure(p) {
  const [unit, factor] = p >= 1e6 ? ['MPa', 1e-6] : p >= 1e3 ? ['kPa', 1e-3] : ['Pa', 1];
  return `${number(p * factor, 3)} ${unit}`;
}
