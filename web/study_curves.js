// Curves of many runs over each other, colored by what was varied; the picked one on top.
import { el } from './dom.js';
import { colorAt } from './study_data.js';

const MARGIN = { left: 56, right: 12, top: 10, bottom: 28 }; // [px]
const REACH = 12; // how far a click may be from a curve [px]

// Round numbers for an axis.
function ticks(lo, hi, wanted) {
  const raw = (hi - lo) / Math.max(1, wanted);
  if (!(raw > 0)) return [lo];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= raw);
  const list = [];
  for (let x = Math.ceil(lo / step) * step; x <= hi + step * 1e-9; x += step) list.push(Math.abs(x) < step * 1e-9 ? 0 : x);
  return list;
}

const label = (x) => String(Number(x.toPrecision(6)));

export class StudyCurves {
  constructor(study, onPick) {
    this.study = study;
    this.signal = 0;
    this.color = 0;
    const { head } = study;
    const option = (text, value) => el('option', { value }, text);
    this.signals = el('select', { 'aria-label': 'signal', on: { change: () => this.choose() } }, ...head.signals.map(option));
    this.colors = el('select', { 'aria-label': 'color by', on: { change: () => this.choose() } }, ...study.names.map(option));
    const note = head.curves.length < head.kept ? `${head.curves.length} of ${head.kept} kept runs` : `${head.curves.length} runs`;
    this.canvas = el('canvas');
    this.top = el('canvas', { class: 'over' });
    this.place = el('div', { class: 'place' }, this.canvas, this.top);
    this.element = el('section', { class: 'curves' }, el('div', { class: 'choices' }, this.signals, 'colored by', this.colors, el('span', { class: 'muted' }, note)), this.place);
    this.byRun = new Map(head.curves.map((curve) => [curve.run, curve]));
    this.top.addEventListener('click', (event) => {
      const row = this.nearest(event.offsetX, event.offsetY);
      if (row >= 0) onPick(row);
    });
    new ResizeObserver(() => this.redraw()).observe(this.place);
  }

  choose() {
    this.signal = Number(this.signals.value);
    this.color = Number(this.colors.value);
    this.redraw();
  }

  points(curve) {
    const [at, n] = curve.at[this.signal] ?? [0, 0];
    return new Float32Array(this.study.buffer, at, 2 * n);
  }

  range() {
    let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const curve of this.study.head.curves) {
      const p = this.points(curve);
      for (let i = 0; i < p.length; i += 2) {
        x0 = Math.min(x0, p[i]);
        x1 = Math.max(x1, p[i]);
        y0 = Math.min(y0, p[i + 1]);
        y1 = Math.max(y1, p[i + 1]);
      }
    }
    if (!(x1 >= x0)) [x0, x1, y0, y1] = [0, 1, 0, 1];
    if (x1 === x0) x1 = x0 + 1;
    const room = y1 > y0 ? 0.04 * (y1 - y0) : Math.max(1e-12, Math.abs(y0)) * 0.1;
    return { x0, x1, y0: y0 - room, y1: y1 + room };
  }

  colorOf(row) {
    const [lo, hi] = this.scale;
    const x = this.study.columns[this.color]?.[row];
    if (!(hi > lo) || !Number.isFinite(x)) return colorAt(0.5);
    const log = lo > 0 && hi > 100 * lo;
    return colorAt(log ? Math.log(x / lo) / Math.log(hi / lo) : (x - lo) / (hi - lo));
  }

  trace(context, curve) {
    const p = this.points(curve);
    context.beginPath();
    for (let i = 0; i < p.length; i += 2) {
      const x = this.mapX(p[i]);
      const y = this.mapY(p[i + 1]);
      if (i) context.lineTo(x, y);
      else context.moveTo(x, y);
    }
    context.stroke();
  }

  prepare(canvas) {
    const { width, height } = this.place.getBoundingClientRect();
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    const context = canvas.getContext('2d');
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    return { context, width, height };
  }

  redraw() {
    if (!this.study.head.curves.length || !this.place.isConnected) return;
    const { context, width, height } = this.prepare(this.canvas);
    if (width < 80 || height < 60) return;
    const { x0, x1, y0, y1 } = this.range();
    const w = width - MARGIN.left - MARGIN.right;
    const h = height - MARGIN.top - MARGIN.bottom;
    this.mapX = (x) => MARGIN.left + ((x - x0) / (x1 - x0)) * w;
    this.mapY = (y) => MARGIN.top + h - ((y - y0) / (y1 - y0)) * h;
    const finite = (this.study.columns[this.color] ?? []).filter(Number.isFinite);
    this.scale = finite.reduce(([lo, hi], x) => [Math.min(lo, x), Math.max(hi, x)], [Infinity, -Infinity]);
    this.drawAxes(context, { x0, x1, y0, y1, w, h });
    const { curves } = this.study.head;
    context.lineWidth = curves.length > 60 ? 0.7 : 1.2;
    context.globalAlpha = curves.length > 200 ? 0.5 : 0.85;
    for (const curve of curves) {
      context.strokeStyle = this.colorOf(this.study.rowOf.get(curve.run));
      this.trace(context, curve);
    }
    this.mark(this.study.picked);
  }

  drawAxes(context, { x0, x1, y0, y1, w, h }) {
    const style = getComputedStyle(document.documentElement);
    context.font = '11px system-ui, sans-serif';
    context.fillStyle = style.getPropertyValue('--muted');
    context.strokeStyle = style.getPropertyValue('--line');
    context.lineWidth = 1;
    context.textAlign = 'center';
    for (const x of ticks(x0, x1, w / 80)) {
      context.beginPath();
      context.moveTo(this.mapX(x), MARGIN.top);
      context.lineTo(this.mapX(x), MARGIN.top + h);
      context.stroke();
      context.fillText(label(x), this.mapX(x), MARGIN.top + h + 14);
    }
    context.fillText('time [s]', MARGIN.left + w / 2, MARGIN.top + h + 26);
    context.textAlign = 'right';
    for (const y of ticks(y0, y1, h / 40)) {
      context.beginPath();
      context.moveTo(MARGIN.left, this.mapY(y));
      context.lineTo(MARGIN.left + w, this.mapY(y));
      context.stroke();
      context.fillText(label(y), MARGIN.left - 6, this.mapY(y) + 4);
    }
  }

  // The picked run over the picture of all.
  mark(row) {
    if (!this.mapX || !this.place.isConnected) return;
    const { context } = this.prepare(this.top);
    const curve = this.byRun.get(this.study.rows[row]);
    if (!curve) return;
    const style = getComputedStyle(document.documentElement);
    context.lineWidth = 4;
    context.strokeStyle = style.getPropertyValue('--panel');
    this.trace(context, curve);
    context.lineWidth = 2.2;
    context.strokeStyle = style.getPropertyValue('--accent');
    this.trace(context, curve);
  }

  nearest(px, py) {
    let best = -1;
    let least = REACH * REACH;
    for (const curve of this.study.head.curves) {
      const p = this.points(curve);
      for (let i = 0; i + 3 < p.length; i += 2) {
        const ax = this.mapX(p[i]);
        const ay = this.mapY(p[i + 1]);
        const bx = this.mapX(p[i + 2]) - ax;
        const by = this.mapY(p[i + 3]) - ay;
        const length = bx * bx + by * by;
        const part = length > 0 ? Math.max(0, Math.min(1, ((px - ax) * bx + (py - ay) * by) / length)) : 0;
        const d = (ax + part * bx - px) ** 2 + (ay + part * by - py) ** 2;
        if (d < least) {
          least = d;
          best = this.study.rowOf.get(curve.run) ?? -1;
        }
      }
    }
    return best;
  }
}
