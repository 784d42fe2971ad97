// The picture: bodies of a run as instanced meshes, light with shadows, a ground, and the camera.
//
// Bodies that share geometry and material are one draw call whatever their number. Positions are
// relative to the middle of the scene, so single precision is enough far away from the origin.
// Nothing is drawn unless something changed.
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { gridGeometry, shapeOf, textObject } from './shapes.js';

const shades = {
  light: { top: '#f7f8fa', bottom: '#dde3ea', grid: 0x9aa5b4, ground: 0.22, sky: 0xffffff, floor: 0xb9c2cf },
  dark: { top: '#262c37', bottom: '#12151b', grid: 0x566072, ground: 0.45, sky: 0xcfd8e6, floor: 0x303845 },
};

// Of bodies whose look the model leaves open.
const plain = { still: [184, 194, 208], moving: [45, 108, 223] };

// Where a camera or light stands that looks along longitude and latitude; with y up, longitude 0 is
// on the z axis (components3d.md 11.5).
export function direction(up, longitude, latitude) {
  const r = [
    Math.cos(latitude) * Math.sin(longitude),
    Math.sin(latitude),
    Math.cos(latitude) * Math.cos(longitude),
  ];
  const [x, y, z] = up;
  if (y < -0.5) return new THREE.Vector3(r[2], -r[1], r[0]);
  if (x > 0.5) return new THREE.Vector3(r[1], r[2], r[0]);
  if (x < -0.5) return new THREE.Vector3(-r[1], r[0], r[2]);
  if (z > 0.5) return new THREE.Vector3(r[2], r[0], r[1]);
  if (z < -0.5) return new THREE.Vector3(r[0], r[2], -r[1]);
  return new THREE.Vector3(...r);
}

// Full colors are harsh under light; a little less of them reads better.
export function soften(color) {
  return color.offsetHSL(0, -0.1, 0.02);
}

// Half the size along a direction of the world of a shape that is turned; x, y, z is that direction in
// the frame of the body.
export function reach(body, x, y, z) {
  const h = body.shape?.half ?? body.half;
  if (!h) return body.radius;
  if (body.shape?.round) return Math.hypot(x * h.x, y * h.y, z * h.z);
  if (body.kind === 'capsule') {
    const r = Math.min(h.x, h.y, h.z);
    return r + Math.abs(x) * (h.x - r) + Math.abs(y) * (h.y - r) + Math.abs(z) * (h.z - r);
  }
  return Math.abs(x) * h.x + Math.abs(y) * h.y + Math.abs(z) * h.z;
}

export class Stage {
  constructor(container, run) {
    this.run = run;
    this.container = container;
    this.up = new THREE.Vector3(...run.scene.up);
    this.renderer = new THREE.WebGLRenderer({ antialias: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    container.append(this.renderer.domElement);
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(32, 1, 0.01, 1000);
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.addEventListener('change', () => this.request());
    this.dirty = true;
    this.selected = -1;
    this.follow = false;
    this.layers = []; // overlays; told after each update
    this.frameTime = 0;
    this.makeBodies();
    this.measure();
    this.makeLights();
    this.makeGround();
    this.makeMarker();
    this.setTheme('light');
    this.place = { point: 0, part: 0 };
    this.update(this.place);
    this.fit(true);
    new ResizeObserver(() => this.resize()).observe(container);
    this.resize();
  }

  request() {
    this.dirty = true;
  }

  // ---- bodies -----------------------------------------------------------------------------

  makeBodies() {
    const { run } = this;
    const shapes = run.scene.geometries.map((g, i) => shapeOf(run, g, i));
    this.groups = new Map();
    this.bodies = run.scene.bodies.map((b, index) => {
      const g = run.scene.geometries[b.geometry];
      const shape = shapes[b.geometry];
      const body = {
        index,
        path: b.path,
        source: b,
        shape,
        kind: g.kind,
        r: run.floats(b.r, 3),
        q: run.shorts(b.q, 4),
        moves: b.r[1] > 1,
        color: b.plain ? (b.r[1] > 1 ? plain.moving : plain.still) : b.color,
        absent: new Set(b.absent ?? []),
        hidden: false, // by the user
        present: true, // in this segment
        rotation: new Float32Array(9), // rows
        position: new Float32Array(3),
        radius: shape ? shape.half.length() + shape.center.length() : 0.1,
      };
      return body;
    });
    // Objects without a shape are only in the tree, and shown with all axes, unless there is nothing
    // else to see.
    const bare = this.bodies.every((body) => body.kind === 'bare');
    for (const body of this.bodies) {
      const g = run.scene.geometries[body.source.geometry];
      if (body.kind === 'bare' && !bare) body.unseen = true;
      else if (body.shape) this.addInstance(body, body.source, body.shape);
      else this.addObject(body, body.source, g);
    }
    for (const group of this.groups.values()) this.makeGroup(group);
  }

  addInstance(body, b, shape) {
    const look = [
      shape.axes ? 'axes' : b.flat ? 'flat' : 'lit', b.transparency, b.shininess, b.shadows,
      !!b.wires, !!b.twoSided,
    ];
    const key = `${shape.key}|${look.join(' ')}`;
    if (!this.groups.has(key)) this.groups.set(key, { shape, look: b, bodies: [] });
    const group = this.groups.get(key);
    body.group = group;
    body.slot = group.bodies.length;
    body.local = shape.matrix.elements;
    group.bodies.push(body);
  }

  makeGroup(group) {
    const { look, shape } = group;
    const opacity = 1 - look.transparency;
    const options = {
      transparent: opacity < 1,
      opacity,
      depthWrite: opacity >= 1,
      wireframe: !!look.wires,
      side: look.twoSided ? THREE.DoubleSide : THREE.FrontSide,
    };
    const material = shape.axes
      ? new THREE.MeshBasicMaterial({ vertexColors: true })
      : look.flat
        ? new THREE.MeshBasicMaterial(options)
        : new THREE.MeshStandardMaterial({
            ...options,
            roughness: 0.95 - 0.5 * look.shininess,
            metalness: 0.1 * look.shininess,
          });
    const mesh = new THREE.InstancedMesh(shape.make(), material, group.bodies.length);
    mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.castShadow = (look.shadows & 1) !== 0 && !shape.axes && opacity > 0.5;
    mesh.receiveShadow = (look.shadows & 2) !== 0 && !shape.axes;
    mesh.userData.bodies = group.bodies;
    if (!shape.axes) {
      const color = new THREE.Color();
      for (const body of group.bodies) {
        const [r, g, b] = body.color;
        mesh.setColorAt(body.slot, soften(color.setRGB(r / 255, g / 255, b / 255, THREE.SRGBColorSpace)));
      }
    }
    group.mesh = mesh;
    this.scene.add(mesh);
  }

  addObject(body, b, g) {
    let object;
    if (g.kind === 'grid') {
      const color = new THREE.Color().setRGB(...body.color.map((c) => c / 255), THREE.SRGBColorSpace);
      object = new THREE.LineSegments(gridGeometry(g), new THREE.LineBasicMaterial({ color }));
      body.radius = Math.hypot(g.size[0], g.size[1]) / 2;
      const half = [0, 0, 0];
      half[(g.axis + 1) % 3] = g.size[0] / 2;
      half[(g.axis + 2) % 3] = g.size[1] / 2;
      body.half = new THREE.Vector3(...half);
    } else if (g.kind === 'text') {
      object = textObject(b, g);
      body.radius = g.size[0];
    } else {
      object = this.parseThree(body, b, g);
    }
    object.traverse((child) => {
      child.userData.body = body;
    });
    object.matrixAutoUpdate = false;
    body.object = object;
    this.scene.add(object);
  }

  // A file of three.js with its own materials; the pose of its outermost object does not count.
  parseThree(body, b, g) {
    const group = new THREE.Group();
    try {
      const file = new THREE.ObjectLoader().parse(JSON.parse(this.run.text(g.three)));
      file.position.set(0, 0, 0);
      file.rotation.set(0, 0, 0);
      file.scale.set(...g.scale);
      file.matrixAutoUpdate = true;
      group.add(file);
    } catch (error) {
      console.warn(`${b.path}: ${error.message}`);
    }
    group.traverse((child) => {
      if (!child.isMesh) return;
      child.castShadow = (b.shadows & 1) !== 0;
      child.receiveShadow = (b.shadows & 2) !== 0;
      if (!child.geometry.attributes.normal) child.geometry.computeVertexNormals();
      for (const material of [child.material].flat()) {
        if (b.twoSided) material.side = THREE.DoubleSide;
        if (b.recolor) material.color?.setRGB(...b.color.map((c) => c / 255), THREE.SRGBColorSpace);
      }
    });
    const box = new THREE.Box3().setFromObject(group);
    if (!box.isEmpty()) body.radius = Math.max(box.min.length(), box.max.length());
    return group;
  }

  // ---- motion -----------------------------------------------------------------------------

  // Position and rotation of a body between two points.
  pose(body, point, part) {
    const { r, q, rotation: m, position } = body;
    let i = body.moves ? point : 0;
    if (i * 3 >= r.length) i = r.length / 3 - 1;
    const next = body.moves && part > 0 && (i + 1) * 3 < r.length ? i + 1 : i;
    const a = 3 * i;
    const b = 3 * next;
    for (let k = 0; k < 3; k++) position[k] = r[a + k] + (r[b + k] - r[a + k]) * part;
    const c = 4 * i;
    const d = 4 * next;
    let x = q[c] + (q[d] - q[c]) * part;
    let y = q[c + 1] + (q[d + 1] - q[c + 1]) * part;
    let z = q[c + 2] + (q[d + 2] - q[c + 2]) * part;
    let w = q[c + 3] + (q[d + 3] - q[c + 3]) * part;
    const scale = 1 / (Math.hypot(x, y, z, w) || 1);
    x *= scale;
    y *= scale;
    z *= scale;
    w *= scale;
    m[0] = 1 - 2 * (y * y + z * z);
    m[1] = 2 * (x * y - z * w);
    m[2] = 2 * (x * z + y * w);
    m[3] = 2 * (x * y + z * w);
    m[4] = 1 - 2 * (x * x + z * z);
    m[5] = 2 * (y * z - x * w);
    m[6] = 2 * (x * z - y * w);
    m[7] = 2 * (y * z + x * w);
    m[8] = 1 - 2 * (x * x + y * y);
  }

  // The matrix of an instance: pose times size, columns first; all zero hides it.
  writeInstance(body) {
    const out = body.group.mesh.instanceMatrix.array;
    const at = 16 * body.slot;
    if (body.hidden || !body.present) {
      out.fill(0, at, at + 16);
      return;
    }
    const { rotation: m, position: p, local: l } = body;
    for (let k = 0; k < 4; k++) {
      const x = l[4 * k];
      const y = l[4 * k + 1];
      const z = l[4 * k + 2];
      out[at + 4 * k] = m[0] * x + m[1] * y + m[2] * z;
      out[at + 4 * k + 1] = m[3] * x + m[4] * y + m[5] * z;
      out[at + 4 * k + 2] = m[6] * x + m[7] * y + m[8] * z;
    }
    out[at + 3] = out[at + 7] = out[at + 11] = 0;
    out[at + 12] += p[0];
    out[at + 13] += p[1];
    out[at + 14] += p[2];
    out[at + 15] = 1;
  }

  writeObject(body) {
    const { object, rotation: m, position: p } = body;
    object.visible = body.present && !body.hidden;
    object.matrix.set(m[0], m[1], m[2], p[0], m[3], m[4], m[5], p[1], m[6], m[7], m[8], p[2], 0, 0, 0, 1);
    object.matrixWorldNeedsUpdate = true;
  }

  // All bodies at a place on the time line; `all` also those that never move.
  update(place, all = false) {
    const begin = performance.now();
    const first = this.drawn === undefined;
    const segment = this.run.segmentOf(place.point);
    const touched = new Set();
    for (const body of this.bodies) {
      const present = !body.absent.has(segment);
      if (!first && !all && !body.moves && present === body.present) continue;
      body.present = present;
      this.pose(body, place.point, place.part);
      if (body.unseen) continue;
      if (body.object) {
        this.writeObject(body);
      } else {
        this.writeInstance(body);
        touched.add(body.group);
      }
    }
    for (const group of touched) group.mesh.instanceMatrix.needsUpdate = true;
    this.drawn = true;
    this.place = place;
    this.moveMarker();
    this.trail();
    for (const layer of this.layers) layer.update(place);
    this.updateTime = performance.now() - begin;
    this.request();
  }

  setHidden(body, hidden) {
    body.hidden = hidden;
  }

  refresh() {
    this.update(this.place, true);
  }

  // ---- surroundings -----------------------------------------------------------------------

  // The space that moving bodies need, and what stands still near them.
  measure() {
    const box = new THREE.Box3();
    const low = new THREE.Vector3();
    const high = new THREE.Vector3();
    const boxAt = (body, k) => {
      this.pose(body, k, 0);
      const { rotation: m, position: p } = body;
      const c = body.shape?.center ?? low.set(0, 0, 0);
      const middle = [0, 1, 2].map((i) => p[i] + m[3 * i] * c.x + m[3 * i + 1] * c.y + m[3 * i + 2] * c.z);
      const half = [0, 1, 2].map((i) => reach(body, m[3 * i], m[3 * i + 1], m[3 * i + 2]));
      low.set(middle[0] - half[0], middle[1] - half[1], middle[2] - half[2]);
      high.set(middle[0] + half[0], middle[1] + half[1], middle[2] + half[2]);
    };
    const grow = (body) => {
      const n = body.moves ? body.r.length / 3 : 1;
      const stride = Math.max(1, Math.ceil(n / (this.bodies.length > 1000 ? 8 : 80)));
      for (let k = 0; k < n; k += stride) {
        boxAt(body, k);
        box.expandByPoint(low);
        box.expandByPoint(high);
      }
    };
    const seen = this.bodies.filter((b) => !b.unseen);
    const moving = seen.filter((b) => b.moves);
    for (const body of moving) {
      boxAt(body, 0);
      box.expandByPoint(low);
      box.expandByPoint(high);
    }
    const atStart = box.isEmpty() ? 0 : box.getSize(new THREE.Vector3()).length() / 2;
    moving.forEach(grow);
    const size = box.isEmpty() ? Infinity : box.getSize(new THREE.Vector3()).length();
    for (const body of seen) if (!body.moves && body.radius < size) grow(body);
    if (box.isEmpty()) seen.forEach(grow);
    if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    this.box = box;
    this.center = box.getCenter(new THREE.Vector3());
    this.radius = Math.max(1e-6, box.getSize(new THREE.Vector3()).length() / 2);
    // Where bodies travel much farther than they are large, nobody would see them from where all fits.
    this.vast = atStart > 0 && this.radius > 60 * atStart;
  }

  // The largest body that moves and is there; the camera of a vast scene goes with it.
  leader() {
    let found = null;
    for (const body of this.bodies)
      if (body.moves && body.present && !body.unseen && (!found || body.radius > found.radius)) found = body;
    return found;
  }

  // The lowest height of all bodies at the points that are looked at.
  findFloor() {
    let floor = Infinity;
    const u = this.up.toArray();
    const heightOf = (body, point) => {
      this.pose(body, point, 0);
      const { rotation: m, position: p, shape } = body;
      const axis = [0, 1, 2].map((k) => u[0] * m[k] + u[1] * m[3 + k] + u[2] * m[6 + k]);
      const base = u[0] * p[0] + u[1] * p[1] + u[2] * p[2];
      const c = shape?.center;
      const middle = c ? base + axis[0] * c.x + axis[1] * c.y + axis[2] * c.z : base;
      return shape || body.half ? middle - reach(body, ...axis) : middle;
    };
    for (const body of this.bodies) {
      if (body.kind === 'text' || body.unseen) continue;
      const n = body.moves ? body.r.length / 3 : 1;
      const stride = Math.max(1, Math.ceil(n / (this.bodies.length > 1000 ? 8 : 60)));
      for (let k = 0; k < n; k += stride) floor = Math.min(floor, heightOf(body, k));
    }
    return Number.isFinite(floor) ? floor : this.center.dot(this.up) - this.radius;
  }

  makeLights() {
    const [, longitude, latitude] = this.run.scene.light;
    this.hemisphere = new THREE.HemisphereLight(0xffffff, 0xb0b8c4, 1.25);
    this.hemisphere.position.copy(this.up);
    this.sun = new THREE.DirectionalLight(0xffffff, 1.75);
    const toLight = direction(this.run.scene.up, longitude, latitude);
    this.sun.position.copy(this.center).addScaledVector(toLight, 3 * this.radius);
    this.sun.target.position.copy(this.center);
    this.sun.castShadow = true;
    const { shadow } = this.sun;
    shadow.mapSize.set(2048, 2048);
    const reach = 1.3 * this.radius;
    Object.assign(shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach });
    shadow.camera.near = 0.1 * this.radius;
    shadow.camera.far = 6 * this.radius;
    shadow.bias = -0.0004;
    shadow.normalBias = 0.004 * this.radius;
    shadow.radius = 3;
    const fill = new THREE.DirectionalLight(0xffffff, 0.5);
    fill.position.copy(this.center).addScaledVector(direction(this.run.scene.up, longitude + 2.6, 0.35), this.radius);
    fill.target.position.copy(this.center);
    this.scene.add(this.hemisphere, this.sun, this.sun.target, fill, fill.target);
  }

  // Lines that fade with the distance, and a plane that shows shadows only.
  makeGround() {
    const size = 12 * this.radius;
    const spacing = 10 ** Math.round(Math.log10(this.radius / 3));
    const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), this.up);
    const height = this.findFloor() - 0.002 * this.radius;
    const place = this.center.clone().addScaledVector(this.up, height - this.center.dot(this.up));
    this.shade = new THREE.Mesh(new THREE.PlaneGeometry(size, size), new THREE.ShadowMaterial({ opacity: 0.25, depthWrite: false }));
    this.shade.receiveShadow = true;
    const world = this.run.scene.middle;
    const x = new THREE.Vector3(1, 0, 0).applyQuaternion(turn);
    const y = new THREE.Vector3(0, 1, 0).applyQuaternion(turn);
    const phase = (axis) => place.clone().add(new THREE.Vector3(...world)).dot(axis);
    this.gridMaterial = new THREE.ShaderMaterial({
      transparent: true,
      depthWrite: false,
      uniforms: {
        color: { value: new THREE.Color() },
        spacing: { value: spacing },
        phase: { value: new THREE.Vector2(phase(x) % (10 * spacing), phase(y) % (10 * spacing)) },
        reach: { value: 5 * this.radius },
      },
      vertexShader: `varying vec2 at;
        void main() { at = position.xy; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`,
      fragmentShader: `varying vec2 at;
        uniform vec3 color; uniform float spacing; uniform vec2 phase; uniform float reach;
        float lines(float step) {
          vec2 p = (at + phase) / step;
          vec2 d = abs(fract(p - 0.5) - 0.5) / fwidth(p);
          return 1.0 - min(min(d.x, d.y), 1.0);
        }
        void main() {
          float fade = 1.0 - smoothstep(0.15, 1.0, length(at) / reach);
          float a = max(0.28 * lines(spacing), 0.6 * lines(10.0 * spacing)) * fade;
          if (a < 0.004) discard;
          gl_FragColor = vec4(color, a);
          #include <colorspace_fragment>
        }`,
    });
    this.grid = new THREE.Mesh(new THREE.PlaneGeometry(size, size), this.gridMaterial);
    for (const mesh of [this.shade, this.grid]) {
      mesh.position.copy(place);
      mesh.quaternion.copy(turn);
      mesh.renderOrder = -1;
      this.scene.add(mesh);
    }
    this.gridSpacing = spacing;
  }

  setTheme(name) {
    const shade = shades[name];
    const canvas = document.createElement('canvas');
    canvas.width = 2;
    canvas.height = 256;
    const pen = canvas.getContext('2d');
    const gradient = pen.createLinearGradient(0, 0, 0, 256);
    gradient.addColorStop(0, shade.top);
    gradient.addColorStop(1, shade.bottom);
    pen.fillStyle = gradient;
    pen.fillRect(0, 0, 2, 256);
    this.scene.background?.dispose?.();
    this.scene.background = new THREE.CanvasTexture(canvas);
    this.scene.background.colorSpace = THREE.SRGBColorSpace;
    this.gridMaterial.uniforms.color.value.set(shade.grid);
    this.shade.material.opacity = shade.ground;
    this.hemisphere.color.set(shade.sky);
    this.hemisphere.groundColor.set(shade.floor);
    this.request();
  }

  setGround(on) {
    this.grid.visible = on;
    this.shade.visible = on;
    this.request();
  }

  // ---- selection --------------------------------------------------------------------------

  makeMarker() {
    const edges = new THREE.EdgesGeometry(new THREE.BoxGeometry(2, 2, 2));
    this.marker = new THREE.LineSegments(edges, new THREE.LineBasicMaterial({ color: 0x2f6fed }));
    this.marker.matrixAutoUpdate = false;
    this.marker.visible = false;
    this.scene.add(this.marker);
  }

  moveMarker() {
    const body = this.bodies[this.selected];
    this.marker.visible = !!body && body.present && !body.hidden;
    if (!this.marker.visible) return;
    const { rotation: m, position: p } = body;
    const half = body.shape?.half ?? body.half ?? new THREE.Vector3().setScalar(body.radius * 0.6);
    const center = body.shape?.center ?? new THREE.Vector3();
    const pose = new THREE.Matrix4().set(m[0], m[1], m[2], p[0], m[3], m[4], m[5], p[1], m[6], m[7], m[8], p[2], 0, 0, 0, 1);
    const margin = 1.03;
    this.marker.matrix
      .copy(pose)
      .multiply(new THREE.Matrix4().makeTranslation(center))
      .multiply(new THREE.Matrix4().makeScale(half.x * margin + 1e-9, half.y * margin + 1e-9, half.z * margin + 1e-9));
    this.marker.matrixWorldNeedsUpdate = true;
  }

  select(index) {
    this.selected = index;
    if (this.follow) this.followed = null;
    if (index < 0) this.follow = false;
    this.moveMarker();
    for (const layer of this.layers) layer.update(this.place);
    this.request();
  }

  // The body at a place of the window, -1 for none.
  pick(clientX, clientY) {
    const box = this.renderer.domElement.getBoundingClientRect();
    const at = new THREE.Vector2(
      ((clientX - box.left) / box.width) * 2 - 1,
      1 - ((clientY - box.top) / box.height) * 2,
    );
    const ray = new THREE.Raycaster();
    ray.setFromCamera(at, this.camera);
    const targets = [];
    for (const group of this.groups.values()) {
      group.mesh.boundingSphere = null; // bodies moved since it was computed
      targets.push(group.mesh);
    }
    for (const body of this.bodies) if (body.object?.visible) targets.push(body.object);
    ray.params.Line.threshold = 0.01 * this.radius;
    for (const hit of ray.intersectObjects(targets, true)) {
      if (hit.instanceId !== undefined) return hit.object.userData.bodies[hit.instanceId].index;
      if (hit.object.userData.body) return hit.object.userData.body.index;
    }
    return -1;
  }

  // Where a body is on the screen, in pixels of the window.
  project(index) {
    const body = this.bodies[index];
    const at = new THREE.Vector3(...body.position);
    if (body.shape) {
      const { rotation: m } = body;
      const c = body.shape.center;
      at.x += m[0] * c.x + m[1] * c.y + m[2] * c.z;
      at.y += m[3] * c.x + m[4] * c.y + m[5] * c.z;
      at.z += m[6] * c.x + m[7] * c.y + m[8] * c.z;
    }
    this.camera.updateMatrixWorld();
    at.project(this.camera);
    const box = this.renderer.domElement.getBoundingClientRect();
    return { x: box.left + ((at.x + 1) / 2) * box.width, y: box.top + ((1 - at.y) / 2) * box.height };
  }

  // ---- camera -----------------------------------------------------------------------------

  // Shows everything, or a body, keeping the direction unless `anew`.
  fit(anew = false, index = -1) {
    const body = this.bodies[index] ?? (this.vast ? this.leader() : null);
    const center = body ? new THREE.Vector3(...body.position) : this.center.clone();
    const radius = body ? Math.max(body.radius, this.vast ? 0 : 0.02 * this.radius) * (this.vast ? 3 : 2) : this.radius;
    const [, longitude, latitude] = this.run.scene.camera;
    const towards = anew
      ? direction(this.run.scene.up, longitude, latitude)
      : this.camera.position.clone().sub(this.controls.target).normalize();
    if (body) {
      this.frame(center, towards, radius / Math.sin(this.halfAngle()));
      return;
    }
    this.frame(center, towards, this.distanceFor(this.box, center, towards));
  }

  halfAngle() {
    const vertical = THREE.MathUtils.degToRad(this.camera.fov) / 2;
    return Math.min(vertical, Math.atan(Math.tan(vertical) * this.camera.aspect));
  }

  // How far away the camera must be for all corners of a box to be seen.
  distanceFor(box, center, towards) {
    const right = new THREE.Vector3().crossVectors(this.up, towards).normalize();
    if (right.lengthSq() < 0.5) right.set(1, 0, 0);
    const above = new THREE.Vector3().crossVectors(towards, right);
    const vertical = Math.tan(THREE.MathUtils.degToRad(this.camera.fov) / 2);
    const horizontal = vertical * this.camera.aspect;
    let distance = 0;
    for (let k = 0; k < 8; k++) {
      const corner = new THREE.Vector3(
        k & 1 ? box.max.x : box.min.x,
        k & 2 ? box.max.y : box.min.y,
        k & 4 ? box.max.z : box.min.z,
      ).sub(center);
      const depth = corner.dot(towards);
      distance = Math.max(
        distance,
        depth + Math.abs(corner.dot(right)) / horizontal,
        depth + Math.abs(corner.dot(above)) / vertical,
      );
    }
    return 1.06 * distance;
  }

  frame(center, towards, distance) {
    this.controls.target.copy(center);
    this.camera.position.copy(center).addScaledVector(towards, distance);
    this.camera.near = distance / 500;
    this.camera.far = distance * 40 + 20 * this.radius;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.request();
  }

  // Looks along an axis; `name` is one of front, right, top.
  look(name) {
    const side = direction(this.run.scene.up, name === 'right' ? Math.PI / 2 : 0, name === 'top' ? Math.PI / 2 - 1e-4 : 0);
    this.frame(this.center.clone(), side, this.distanceFor(this.box, this.center, side));
  }

  setFollow(on) {
    this.follow = on && this.selected >= 0;
    this.followed = null;
    this.trail();
  }

  // Moves the camera along with the body that is followed.
  trail() {
    const body = this.follow ? this.bodies[this.selected] : this.vast && this.drawn ? this.leader() : null;
    if (!body) return;
    const now = new THREE.Vector3(...body.position);
    // What is followed for the first time comes to the middle; without being asked, nothing jumps.
    const first = this.follow ? this.controls.target.clone() : now;
    const before = this.followed === body ? this.lastFollowed : first;
    const shift = now.clone().sub(before);
    this.controls.target.add(shift);
    this.camera.position.add(shift);
    this.followed = body;
    this.lastFollowed = now;
    this.controls.update();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.container;
    if (!width || !height) return;
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.renderer.setSize(width, height);
    if (!this.resized) this.fit(true);
    this.resized = true;
    this.draw();
  }

  // Draws if something changed; called once a picture.
  render() {
    this.controls.update();
    if (this.dirty) this.draw();
  }

  draw() {
    this.dirty = false;
    const begin = performance.now();
    this.renderer.render(this.scene, this.camera);
    this.frameTime = performance.now() - begin + (this.updateTime ?? 0);
  }
}
