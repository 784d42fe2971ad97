// What is drawn over the bodies when asked for: axes, boxes, contacts, trajectories.
import * as THREE from 'three';
import { arrowGeometry, axesGeometry } from './shapes.js';
import { reach, soften } from './stage.js';

const grips = ['', 'sticks', 'slips', 'creeps'];
const mostPaths = 200; // trajectories of all bodies up to this many, else of the selected one

class Layer {
  constructor(stage) {
    this.stage = stage;
    this.on = false;
    stage.layers.push(this);
  }

  set(on) {
    this.on = on;
    this.object.visible = on;
    this.update(this.stage.place);
    this.stage.request();
  }
}

// The axes of every body.
export class Axes extends Layer {
  constructor(stage) {
    super(stage);
    const material = new THREE.MeshBasicMaterial({ vertexColors: true, depthTest: false, transparent: true });
    this.object = new THREE.InstancedMesh(axesGeometry(0.018), material, stage.bodies.length);
    this.object.frustumCulled = false;
    this.object.renderOrder = 5;
    this.object.visible = false;
    stage.scene.add(this.object);
  }

  update() {
    if (!this.on) return;
    const { bodies, radius } = this.stage;
    const out = this.object.instanceMatrix.array;
    for (const body of bodies) {
      const at = 16 * body.index;
      const { rotation: m, position: p } = body;
      const size = body.present && !body.hidden ? Math.max(0.05 * radius, Math.min(0.25 * radius, 1.2 * body.radius)) : 0;
      for (let k = 0; k < 3; k++) {
        out[at + 4 * k] = m[k] * size;
        out[at + 4 * k + 1] = m[3 + k] * size;
        out[at + 4 * k + 2] = m[6 + k] * size;
        out[at + 4 * k + 3] = 0;
      }
      out[at + 12] = p[0];
      out[at + 13] = p[1];
      out[at + 14] = p[2];
      out[at + 15] = 1;
    }
    this.object.instanceMatrix.needsUpdate = true;
  }
}

// Boxes around the bodies with edges along the axes of the world.
export class Boxes extends Layer {
  constructor(stage) {
    super(stage);
    this.positions = new Float32Array(72 * stage.bodies.length);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(this.positions, 3).setUsage(THREE.DynamicDrawUsage));
    this.object = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: 0x8a63d2 }));
    this.object.frustumCulled = false;
    this.object.visible = false;
    stage.scene.add(this.object);
  }

  update() {
    if (!this.on) return;
    const out = this.positions;
    let at = 0;
    for (const body of this.stage.bodies) {
      if (!body.present || body.hidden || body.unseen) {
        out.fill(0, at, at + 72);
        at += 72;
        continue;
      }
      const { rotation: m, position: p } = body;
      const c = body.shape?.center;
      const lo = [0, 0, 0];
      const hi = [0, 0, 0];
      for (let k = 0; k < 3; k++) {
        const middle = p[k] + (c ? m[3 * k] * c.x + m[3 * k + 1] * c.y + m[3 * k + 2] * c.z : 0);
        const half = reach(body, m[3 * k], m[3 * k + 1], m[3 * k + 2]);
        lo[k] = middle - half;
        hi[k] = middle + half;
      }
      // Twelve edges: four along each axis.
      for (let axis = 0; axis < 3; axis++) {
        const u = (axis + 1) % 3;
        const v = (axis + 2) % 3;
        for (let corner = 0; corner < 4; corner++) {
          for (let end = 0; end < 2; end++) {
            out[at + axis] = end ? hi[axis] : lo[axis];
            out[at + u] = corner & 1 ? hi[u] : lo[u];
            out[at + v] = corner & 2 ? hi[v] : lo[v];
            at += 3;
          }
        }
      }
    }
    this.object.geometry.attributes.position.needsUpdate = true;
  }
}

// Contacts of a point of the run: where, along which normal, with which force on the second body.
export class Contacts {
  constructor(stage) {
    const { contacts } = stage.run.scene;
    this.stage = stage;
    this.shown = { points: false, normals: false, forces: false };
    this.most = 0;
    if (!contacts) return;
    const { run } = stage;
    this.first = run.numbers(contacts.first);
    this.pair = run.numbers(contacts.pair);
    this.place = run.floats(contacts.place);
    this.kind = contacts.kind ? run.numbers(contacts.kind) : null; // number of the law, grip
    this.hold = contacts.hold ? run.floats(contacts.hold) : null; // normal force, friction, share, area, pressure
    this.laws = contacts.laws ?? [];
    this.greatest = 0;
    for (let i = 0; i + 1 < this.first.length; i++)
      this.most = Math.max(this.most, this.first[i + 1] - this.first[i]);
    for (let i = 0; i < this.pair.length / 2; i++) {
      const at = 10 * i + 6;
      this.greatest = Math.max(this.greatest, Math.hypot(this.place[at], this.place[at + 1], this.place[at + 2]));
    }
    const make = (geometry, color) => {
      const material = new THREE.MeshBasicMaterial({ color, depthTest: false, transparent: true });
      const mesh = new THREE.InstancedMesh(geometry, material, Math.max(1, this.most));
      mesh.frustumCulled = false;
      mesh.renderOrder = 6;
      mesh.visible = false;
      stage.scene.add(mesh);
      return mesh;
    };
    this.points = make(new THREE.SphereGeometry(1, 16, 12), 0xe5484d);
    this.normals = make(arrowGeometry(0.02), 0x0d9488);
    this.forces = make(arrowGeometry(0.03), 0xf08c1a);
    stage.layers.push(this);
  }

  get available() {
    return this.most > 0;
  }

  set(name, on) {
    this.shown[name] = on;
    if (!this.available) return;
    this[name].visible = on;
    this.update(this.stage.place);
    this.stage.request();
  }

  count(point) {
    return this.available && point + 1 < this.first.length ? this.first[point + 1] - this.first[point] : 0;
  }

  // Contacts at a point, for people: names of both objects, size of the force, law, and how it holds.
  list(point) {
    const found = [];
    for (let i = 0; i < this.count(point); i++) {
      const at = this.first[point] + i;
      const [a, b] = [this.pair[2 * at], this.pair[2 * at + 1]];
      const f = 10 * at + 6;
      const { objects } = this.stage.run.scene;
      const contact = { a: objects[a], b: objects[b], force: Math.hypot(this.place[f], this.place[f + 1], this.place[f + 2]) };
      if (this.kind) {
        contact.law = this.laws[this.kind[2 * at]] ?? '';
        contact.grip = grips[this.kind[2 * at + 1]] ?? '';
        [contact.normal, contact.friction, contact.share, contact.area, contact.peak] = this.hold.subarray(5 * at, 5 * at + 5);
      }
      found.push(contact);
    }
    return found;
  }

  update(place) {
    const { points, normals, forces } = this.shown;
    if (!points && !normals && !forces) return;
    const { radius } = this.stage;
    const n = this.count(place.point);
    const from = new THREE.Vector3();
    const along = new THREE.Vector3();
    const z = new THREE.Vector3(0, 0, 1);
    const turn = new THREE.Quaternion();
    const size = new THREE.Vector3();
    const matrix = new THREE.Matrix4();
    for (let i = 0; i < n; i++) {
      const at = 10 * (this.first[place.point] + i);
      const p = this.place;
      from.set(p[at], p[at + 1], p[at + 2]);
      const ball = 0.012 * radius;
      this.points.setMatrixAt(i, matrix.makeScale(ball, ball, ball).setPosition(from));
      along.set(p[at + 3], p[at + 4], p[at + 5]);
      this.normals.setMatrixAt(i, matrix.compose(from, turn.setFromUnitVectors(z, along), size.setScalar(0.16 * radius)));
      along.set(p[at + 6], p[at + 7], p[at + 8]);
      const force = along.length();
      const long = this.greatest > 0 ? 0.45 * radius * (force / this.greatest) : 0;
      if (force > 0) along.divideScalar(force);
      else along.copy(z);
      const wide = Math.max(long, 0.1 * radius) * (force > 0);
      this.forces.setMatrixAt(i, matrix.compose(from, turn.setFromUnitVectors(z, along), size.set(wide, wide, Math.max(long, 0.02 * radius) * (force > 0))));
    }
    for (const mesh of [this.points, this.normals, this.forces]) {
      mesh.count = n;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }
}

// Where bodies were over the whole run.
export class Trajectories extends Layer {
  constructor(stage) {
    super(stage);
    this.object = new THREE.Group();
    this.object.visible = false;
    this.lines = new Map();
    stage.scene.add(this.object);
  }

  line(body) {
    const found = this.lines.get(body.index);
    if (found) return found;
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(body.r, 3));
    const [r, g, b] = body.color;
    const color = soften(new THREE.Color().setRGB(r / 255, g / 255, b / 255, THREE.SRGBColorSpace));
    const line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color, transparent: true, opacity: 0.85 }));
    line.frustumCulled = false;
    this.lines.set(body.index, line);
    this.object.add(line);
    return line;
  }

  update() {
    if (!this.on) return;
    const moving = this.stage.bodies.filter((b) => b.moves && !b.unseen);
    const all = moving.length <= mostPaths;
    const shown = moving.filter((b) => !b.hidden && (all || b.index === this.stage.selected));
    for (const line of this.lines.values()) line.visible = false;
    for (const body of shown) this.line(body).visible = true;
  }
}
