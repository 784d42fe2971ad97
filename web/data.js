// The data of a run as the page holds them: signals as exact doubles, poses as single precision.
//
// The head is JSON; [place, count] in it names a list in the bytes (src/view/page.c).

export function decode(elements) {
  const pieces = [];
  let length = 0;
  for (const element of elements) {
    const text = element.textContent;
    let bytes;
    if (Uint8Array.fromBase64) {
      bytes = Uint8Array.fromBase64(text);
    } else {
      const binary = atob(text);
      bytes = new Uint8Array(binary.length);
      for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    }
    pieces.push(bytes);
    length += bytes.length;
    element.remove();
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all.buffer;
}

// Index of the last entry that is not greater than x; 0 if all are.
export function lastNotAfter(sorted, n, x) {
  let lo = 0;
  let hi = n;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (sorted[mid] <= x) lo = mid + 1;
    else hi = mid;
  }
  return Math.max(0, lo - 1);
}

export class Run {
  constructor(head, buffer) {
    this.head = head;
    this.buffer = buffer;
    this.title = head.title;
    this.n = head.points;
    this.time = new Float64Array(buffer, head.time ?? 0, this.n);
    this.segments = head.segments;
    this.events = head.events;
    this.touches = head.touches ?? []; // contacts from begin to end, with their peaks
    this.signals = head.signals;
    this.parameters = head.parameters;
    this.scene = head.scene ?? null;
    this.cache = new Map();
    this.start = this.n ? this.time[0] : 0;
    this.stop = this.n ? this.time[this.n - 1] : 0;
    this.scalars = this.listScalars();
    this.byName = new Map(this.scalars.map((scalar, index) => [scalar.name, index]));
  }

  static fromDocument(doc) {
    const element = doc.getElementById('segue-head');
    const head = JSON.parse(element.textContent);
    element.remove();
    return new Run(head, decode(doc.querySelectorAll('.segue-bytes')));
  }

  floats([place, count], width = 1) {
    return new Float32Array(this.buffer, place, count * width);
  }

  shorts([place, count], width = 1) {
    return new Int16Array(this.buffer, place, count * width);
  }

  numbers([place, count]) {
    return new Uint32Array(this.buffer, place, count);
  }

  text([place, count]) {
    return new TextDecoder().decode(new Uint8Array(this.buffer, place, count));
  }

  // Every element of every signal, with its name: r[2], R[1,3].
  listScalars() {
    const list = [];
    this.signals.forEach((signal, index) => {
      const [rows, columns] = signal.size ?? [];
      const count = rows === undefined ? 1 : rows * (columns ?? 1);
      for (let k = 0; k < count; k++) {
        let name = signal.name;
        if (columns !== undefined) name += `[${(k % rows) + 1},${Math.floor(k / rows) + 1}]`;
        else if (rows !== undefined) name += `[${k + 1}]`;
        list.push({ name, signal: index, element: k, unit: signal.unit, steps: !!signal.steps });
      }
    });
    return list;
  }

  // All values of a scalar; what never changes is spread over the points.
  values(scalarIndex) {
    const found = this.cache.get(scalarIndex);
    if (found) return found;
    const scalar = this.scalars[scalarIndex];
    const signal = this.signals[scalar.signal];
    const source = signal.same === undefined ? signal : this.signals[signal.same];
    const [place, count] = source.columns[scalar.element];
    let list = new Float64Array(this.buffer, place, count);
    if (count === 1 && this.n > 1) list = new Float64Array(this.n).fill(list[0]);
    if (signal.negated) list = list.map((x) => -x);
    this.cache.set(scalarIndex, list);
    return list;
  }

  // At a place on the time line: between two points in a straight line, or the left one.
  valueAt(scalarIndex, place) {
    const list = this.values(scalarIndex);
    const a = list[place.point];
    if (!(place.part > 0) || this.scalars[scalarIndex].steps) return a;
    return a + (list[place.point + 1] - a) * place.part;
  }

  segmentOf(point) {
    let k = this.segments.length - 1;
    while (k > 0 && this.segments[k].first > point) k--;
    return Math.max(0, k);
  }

  // The scalars below a path, or of the nearest part around it that has any.
  signalsOf(path, most) {
    let prefix = path;
    for (;;) {
      const found = [];
      for (let i = 0; i < this.scalars.length && found.length < most; i++)
        if (this.scalars[i].name.startsWith(prefix + '.')) found.push(i);
      if (found.length || !prefix.includes('.')) return found;
      prefix = prefix.slice(0, prefix.lastIndexOf('.'));
    }
  }
}
