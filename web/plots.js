// Diagrams of signals on the time line of the picture.
//
// One diagram is active: signals that are chosen go there. Each unit has a scale of its own; the
// first two have an axis. All diagrams zoom together; a click moves the clock.
import uPlot from 'uplot';
import { el, icon, tool } from './dom.js';
import { number, shown } from './format.js';

const colors = {
  light: ['#2f6fed', '#d6453d', '#1a936f', '#8a63d2', '#c77d0a', '#0d8ba1', '#c2418f', '#5b6b7f'],
  dark: ['#7aa8ff', '#ff8379', '#4fd1a5', '#b79bf2', '#f0b25b', '#56c7de', '#f08fc8', '#a5b1c2'],
};

// Gaps are null for uPlot; what has none stays a typed array.
function drawable(list, factor) {
  let gap = false;
  for (let i = 0; i < list.length; i++) gap ||= !Number.isFinite(list[i]);
  if (!gap) return factor === 1 ? list : list.map((x) => x * factor);
  return Array.from(list, (x) => (Number.isFinite(x) ? x * factor : null));
}

class Diagram {
  constructor(plots) {
    this.plots = plots;
    this.scalars = [];
    this.legend = el('div', { class: 'legend' });
    this.area = el('div', { class: 'diagram-area' });
    this.line = el('div', { class: 'now' });
    this.element = el(
      'section',
      { class: 'diagram', on: { pointerdown: () => plots.activate(this) } },
      el('div', { class: 'diagram-head' }, this.legend, tool('close', 'Remove this diagram', () => plots.remove(this))),
      this.area,
    );
  }

  units() {
    return [...new Set(this.scalars.map((s) => this.plots.run.scalars[s].unit))];
  }

  colorOf(index) {
    const list = colors[this.plots.theme];
    return list[index % list.length];
  }

  toggle(scalar) {
    const at = this.scalars.indexOf(scalar);
    if (at >= 0) this.scalars.splice(at, 1);
    else this.scalars.push(scalar);
    this.build();
  }

  series(scalar, index) {
    const { run } = this.plots;
    const { unit, steps } = run.scalars[scalar];
    return {
      label: run.scalars[scalar].name,
      scale: `y ${unit}`,
      stroke: this.colorOf(index),
      width: 1.5,
      points: { show: false },
      paths: steps ? uPlot.paths.stepped({ align: 1 }) : undefined,
    };
  }

  axes() {
    const style = getComputedStyle(document.documentElement);
    const stroke = style.getPropertyValue('--muted').trim();
    const grid = { stroke: style.getPropertyValue('--line').trim(), width: 1 };
    const font = '11px system-ui, sans-serif';
    const base = { stroke, grid, ticks: { ...grid, size: 4 }, font };
    const units = this.units();
    const y = (unit, side) => ({
      ...base,
      scale: `y ${unit}`,
      side,
      size: 54,
      gap: 4,
      grid: side === 3 ? grid : { show: false },
      label: shown(unit).unit || undefined,
      labelFont: font,
      labelSize: 16,
      labelGap: 0,
      values: (u, ticks) => ticks.map((t) => (t === null ? '' : number(t, 4))),
    });
    const list = [{ ...base, size: 28, gap: 3, values: (u, ticks) => ticks.map((t) => number(t, 6)) }];
    list.push(y(units[0] ?? '', 3));
    if (units.length > 1) list.push(y(units[1], 1));
    return list;
  }

  // Segments as faint lines behind the curves.
  drawSegments(u) {
    const { run } = this.plots;
    if (run.segments.length < 2) return;
    u.ctx.save();
    u.ctx.strokeStyle = getComputedStyle(document.documentElement).getPropertyValue('--segment').trim();
    u.ctx.setLineDash([4, 4]);
    for (const segment of run.segments.slice(1)) {
      const x = Math.round(u.valToPos(segment.start, 'x', true)) + 0.5;
      if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) continue;
      u.ctx.beginPath();
      u.ctx.moveTo(x, u.bbox.top);
      u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
      u.ctx.stroke();
    }
    u.ctx.restore();
  }

  build() {
    const { plots } = this;
    const { run } = plots;
    this.plot?.destroy();
    this.plot = null;
    this.area.replaceChildren();
    this.fillLegend();
    if (!this.scalars.length) {
      this.area.append(el('p', { class: 'hint' }, 'Choose signals from the list to see them here.'));
      return;
    }
    const all = [run.start, run.stop > run.start ? run.stop : run.start + 1];
    this.plot = new uPlot(
      {
        ...this.size(),
        scales: { x: { time: false, range: () => plots.zoom ?? all } },
        legend: { show: false },
        series: [{}, ...this.scalars.map((s, i) => this.series(s, i))],
        axes: this.axes(),
        padding: [6, this.units().length > 1 ? 2 : 12, 0, 0],
        cursor: {
          sync: { key: 'segue', setSeries: false },
          drag: { x: true, y: false, setScale: false },
          points: { size: 6 },
          y: false,
        },
        hooks: {
          setSelect: [(u) => this.zoomTo(u)],
          setCursor: [(u) => plots.hover(u)],
          draw: [(u) => this.drawSegments(u)],
        },
      },
      [run.time, ...this.scalars.map((s) => drawable(run.values(s), shown(run.scalars[s].unit).factor))],
      this.area,
    );
    this.plot.over.append(this.line);
    this.plot.over.addEventListener('click', (event) => this.clicked(event));
    this.plot.over.addEventListener('dblclick', () => plots.setZoom(null));
    this.moveLine();
  }

  zoomTo(u) {
    if (u.select.width < 4) return;
    const from = u.posToVal(u.select.left, 'x');
    const to = u.posToVal(u.select.left + u.select.width, 'x');
    u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
    this.zoomed = performance.now();
    this.plots.setZoom([from, to]);
  }

  // A click, not the end of a drag, moves the clock.
  clicked(event) {
    if (this.zoomed && performance.now() - this.zoomed < 300) return;
    const box = this.plot.over.getBoundingClientRect();
    this.plots.clock.pause();
    this.plots.clock.seek(this.plot.posToVal(event.clientX - box.left, 'x'));
  }

  size() {
    const width = Math.max(200, this.area.clientWidth || this.plots.list.clientWidth - 24);
    return { width, height: this.plots.heightOfDiagram() };
  }

  resize() {
    this.plot?.setSize(this.size());
    this.moveLine();
  }

  fillLegend() {
    const { run } = this.plots;
    this.values = [];
    const rows = this.scalars.map((scalar, index) => {
      const value = el('span', { class: 'value' });
      this.values.push(value);
      return el(
        'span',
        { class: 'curve', title: run.signals[run.scalars[scalar].signal].info ?? run.scalars[scalar].name },
        el('i', { style: `background:${this.colorOf(index)}` }),
        el('span', { class: 'name' }, run.scalars[scalar].name),
        value,
        el(
          'button',
          { type: 'button', class: 'small', 'aria-label': `Remove ${run.scalars[scalar].name}`, on: { click: () => this.plots.toggle(scalar, this) } },
          icon('close'),
        ),
      );
    });
    this.legend.replaceChildren(...rows);
    this.showValues(this.plots.clock.place);
  }

  showValues(place) {
    const { run } = this.plots;
    this.scalars.forEach((scalar, index) => {
      const { unit, factor } = shown(run.scalars[scalar].unit);
      const text = `${number(run.valueAt(scalar, place) * factor)}${unit ? ' ' + unit : ''}`;
      if (this.values[index].textContent !== text) this.values[index].textContent = text;
    });
  }

  moveLine() {
    if (!this.plot) return;
    const x = this.plot.valToPos(this.plots.clock.time, 'x');
    const inside = x >= 0 && x <= this.plot.over.clientWidth;
    this.line.style.display = inside ? '' : 'none';
    this.line.style.transform = `translateX(${x}px)`;
  }
}

export class Plots {
  constructor(run, clock, onChange) {
    this.run = run;
    this.clock = clock;
    this.onChange = onChange;
    this.theme = 'light';
    this.zoom = null;
    this.diagrams = [];
    this.list = el('div', { class: 'diagrams' });
    this.reset = el('button', { type: 'button', class: 'text', hidden: true, on: { click: () => this.setZoom(null) } }, 'Whole run');
    this.element = el(
      'div',
      { class: 'plots' },
      el(
        'div',
        { class: 'panel-head' },
        el('h2', {}, 'Diagrams'),
        this.reset,
        el('button', { type: 'button', class: 'text', on: { click: () => this.add() } }, icon('plus'), 'Diagram'),
      ),
      this.list,
    );
    clock.onTime(() => this.follow());
    new ResizeObserver(() => this.resize()).observe(this.list);
  }

  add(scalars = []) {
    const diagram = new Diagram(this);
    this.diagrams.push(diagram);
    this.list.append(diagram.element);
    diagram.scalars = [...scalars];
    this.activate(diagram);
    for (const d of this.diagrams) d.build();
    this.onChange();
    return diagram;
  }

  remove(diagram) {
    diagram.plot?.destroy();
    diagram.element.remove();
    this.diagrams = this.diagrams.filter((d) => d !== diagram);
    if (this.active === diagram) this.activate(this.diagrams.at(-1) ?? null);
    this.resize();
    this.onChange();
  }

  activate(diagram) {
    this.active = diagram;
    for (const d of this.diagrams) d.element.classList.toggle('active', d === diagram && this.diagrams.length > 1);
  }

  // Adds a scalar to a diagram, or takes it out.
  toggle(scalar, diagram = this.active) {
    const target = diagram ?? this.add();
    target.toggle(scalar);
    this.onChange();
  }

  isPlotted(scalar) {
    return this.diagrams.some((d) => d.scalars.includes(scalar));
  }

  // Where a scalar is drawn now it goes, else it comes to the active diagram.
  choose(scalar) {
    const holder = this.diagrams.find((d) => d.scalars.includes(scalar));
    this.toggle(scalar, holder ?? this.active);
  }

  heightOfDiagram() {
    const room = this.list.clientHeight;
    const n = Math.max(1, this.diagrams.length);
    return Math.max(130, Math.min(360, Math.floor(room / n) - 52));
  }

  setZoom(range) {
    this.zoom = range;
    this.reset.hidden = !range;
    for (const d of this.diagrams) {
      d.plot?.setScale('x', { min: range?.[0] ?? this.run.start, max: range?.[1] ?? this.run.stop });
      d.moveLine();
    }
  }

  setTheme(theme) {
    this.theme = theme;
    for (const d of this.diagrams) d.build();
  }

  rebuild() {
    for (const d of this.diagrams) d.build();
  }

  resize() {
    for (const d of this.diagrams) d.resize();
  }

  follow() {
    for (const d of this.diagrams) {
      d.moveLine();
      if (!this.hovering) d.showValues(this.clock.place);
    }
  }

  // Values at the pointer while it is over a diagram.
  hover(u) {
    const index = u.cursor.idx;
    this.hovering = u.cursor.left >= 0 && index !== null && index !== undefined;
    const place = this.hovering ? { point: index, part: 0 } : this.clock.place;
    for (const d of this.diagrams) d.showValues(place);
  }
}
