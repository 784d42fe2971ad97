// The page of a study: its table, sliders that pick a run, curves of many runs over each other, and the
// run that is picked as a page of its own in a frame.
//
// What is drawn is bounded: of the table only the rows that are seen are elements, and the curves of all
// runs are drawn once and kept as a picture, over which only the picked run is drawn anew.
import { decode } from './data.js';
import { el, tool } from './dom.js';
import { StudyCurves } from './study_curves.js';
import { StudyTable } from './study_table.js';
import { parseTable } from './study_data.js';

// This script and its style, for the frame of a run: a page opened from disk may load nothing.
const script = document.currentScript?.textContent ?? '';

const SLIDER_STEPS = 1000; // of a variable that was drawn
const LISTED = 60; // values of a variable that has a place for each of them

export class Study {
  constructor(doc) {
    const element = doc.getElementById('segue-study');
    this.head = JSON.parse(element.textContent);
    element.remove();
    const text = new TextDecoder().decode(decode(doc.querySelectorAll('.study-table')));
    this.buffer = decode(doc.querySelectorAll('.study-bytes'));
    Object.assign(this, parseTable(text, this.head.variables));
    this.wholes = new Map(this.head.whole?.map((run) => [run, true]) ?? []);
    this.rowOf = new Map(this.rows.map((run, i) => [run, i]));
    this.picked = -1;
    this.targets = []; // where the sliders stand, by variable
    this.build();
    this.setTheme(window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
    const first = this.head.whole?.length ? this.rowOf.get(this.head.whole[0]) : 0;
    if (this.rows.length) this.pick(first ?? 0);
    document.addEventListener('keydown', (event) => this.key(event));
    window.addEventListener('resize', () => this.resize());
  }

  build() {
    document.title = `${this.head.title} – Segue`;
    const app = document.getElementById('app');
    const failed = this.status.filter((word) => word !== 'ok').length;
    const { runs, kept } = this.head;
    const parts = [`${runs} runs`];
    if (this.rows.length < runs) parts.push(`${this.rows.length} of them here`);
    if (failed) parts.push(`${failed} failed`);
    this.note = el('span', { class: 'badge' }, parts.join(', '));
    const header = el(
      'header',
      { class: 'top' },
      el('h1', {}, this.head.title),
      this.note,
      el('span', { class: 'space' }),
      tool('theme', 'Light or dark (T)', () => this.setTheme(this.theme === 'dark' ? 'light' : 'dark')),
    );
    this.sliders = el('div', { class: 'sliders' });
    this.variables.forEach((name, k) => this.addSlider(name, k));
    this.table = new StudyTable(this, (row) => this.pick(row));
    this.curves = new StudyCurves(this, (row) => this.pick(row));
    this.frame = el('iframe', { class: 'run', title: 'the picked run' });
    this.empty = el('p', { class: 'hint' });
    const runPart = el('section', { class: 'picked' }, this.frame, this.empty);
    const left = el('div', { class: 'left' }, this.sliders, this.table.element);
    const right = el('div', { class: 'right' }, kept ? this.curves.element : null, runPart);
    app.append(header, el('main', { class: 'study' }, left, right));
    this.frame.hidden = !kept;
    if (!kept) this.empty.textContent = 'No run was kept (--keep-runs), so there are no curves and no pictures.';
  }

  addSlider(name, k) {
    const values = this.columns[k];
    const distinct = [...new Set(values.filter(Number.isFinite))].sort((a, b) => a - b);
    if (!distinct.length) return;
    const listed = distinct.length <= LISTED;
    const lo = distinct[0];
    const hi = distinct[distinct.length - 1];
    // Values over more than two decades were chosen on such a scale.
    const log = !listed && lo > 0 && hi > 100 * lo;
    const steps = listed ? distinct.length - 1 : SLIDER_STEPS;
    const at = (i) => {
      if (listed) return distinct[i];
      return log ? lo * (hi / lo) ** (i / steps) : lo + ((hi - lo) * i) / steps;
    };
    const place = (x) => {
      if (listed) return distinct.reduce((best, v, i) => (Math.abs(v - x) < Math.abs(distinct[best] - x) ? i : best), 0);
      const part = log ? Math.log(x / lo) / Math.log(hi / lo) : (x - lo) / (hi - lo);
      return Math.round(part * steps);
    };
    const input = el('input', { type: 'range', min: 0, max: steps, step: 1, 'aria-label': name, on: { input: () => this.slide() } });
    const shown = el('output');
    this.sliders.append(el('label', { class: 'slider' }, el('span', { class: 'name', title: name }, name), input, shown));
    // Distances are measured in parts of the range.
    const measure = (x) => (log ? Math.log(x / lo) / Math.log(hi / lo) : hi > lo ? (x - lo) / (hi - lo) : 0);
    this.targets[k] = { input, shown, at, place, measure };
  }

  // The run that lies nearest to where the sliders are.
  slide() {
    const wanted = this.targets.map((target) => target && target.measure(target.at(Number(target.input.value))));
    let best = -1;
    let least = Infinity;
    for (let i = 0; i < this.rows.length; i++) {
      let sum = 0;
      for (let k = 0; k < wanted.length; k++) {
        if (wanted[k] === undefined) continue;
        const d = this.targets[k].measure(this.columns[k][i]) - wanted[k];
        sum += d * d;
      }
      if (sum < least) {
        least = sum;
        best = i;
      }
    }
    if (best >= 0) this.pick(best, true);
  }

  pick(row, bySlider = false) {
    if (row < 0 || row >= this.rows.length) return;
    this.picked = row;
    this.targets.forEach((target, k) => {
      if (!target) return;
      const x = this.columns[k][row];
      if (!bySlider) target.input.value = target.place(x);
      target.shown.textContent = Number(x.toPrecision(5));
    });
    this.table.mark(row);
    this.curves.mark(row);
    window.clearTimeout(this.waiting);
    // A frame costs a tenth of a second, so it waits until a slider rests.
    this.waiting = window.setTimeout(() => this.showRun(this.rows[row]), bySlider ? 180 : 0);
  }

  // The page of a run is this page with the data of that run instead.
  showRun(run) {
    if (run === this.shownRun || !this.head.kept) return;
    this.shownRun = run;
    const heads = document.querySelectorAll(`script.run-head[data-run="${run}"]`);
    this.frame.hidden = !heads.length;
    this.empty.hidden = !!heads.length;
    if (!heads.length) {
      const near = this.nearestWhole();
      this.empty.replaceChildren(
        `Run ${run} is not in this page as a whole (${this.wholes.size} of ${this.head.kept} kept runs are). `,
        near < 0 ? '' : el('button', { type: 'button', class: 'text', on: { click: () => this.pick(near) } }, `Show run ${this.rows[near]}, the nearest that is`),
      );
      return;
    }
    const doc = document.implementation.createHTMLDocument();
    const add = (where, tag, attributes, text) => {
      const node = doc.createElement(tag);
      for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
      node.textContent = text;
      where.append(node);
    };
    add(doc.head, 'style', {}, document.querySelector('style').textContent);
    add(doc.body, 'div', { id: 'app' }, '');
    add(doc.body, 'script', { type: 'application/json', id: 'segue-head' }, heads[0].textContent);
    for (const piece of document.querySelectorAll(`script.run-bytes[data-run="${run}"]`)) add(doc.body, 'script', { type: 'text/plain', class: 'segue-bytes' }, piece.textContent);
    add(doc.body, 'script', {}, script);
    this.frame.srcdoc = `<!doctype html>${doc.documentElement.outerHTML}`;
  }

  nearestWhole() {
    let best = -1;
    let least = Infinity;
    for (const run of this.wholes.keys()) {
      const i = this.rowOf.get(run);
      if (i === undefined) continue;
      let sum = 0;
      this.targets.forEach((target, k) => {
        if (!target) return;
        const d = target.measure(this.columns[k][i]) - target.measure(this.columns[k][this.picked]);
        sum += d * d;
      });
      if (sum < least) {
        least = sum;
        best = i;
      }
    }
    return best;
  }

  setTheme(name) {
    this.theme = name;
    document.documentElement.dataset.theme = name;
    this.curves.redraw();
  }

  resize() {
    this.table.draw();
    this.curves.redraw();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input, select')) return;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 }[event.key];
    if (step) {
      event.preventDefault();
      this.pick(this.table.neighbor(this.picked, step));
    } else if (event.key.toLowerCase() === 't') {
      this.setTheme(this.theme === 'dark' ? 'light' : 'dark');
    }
  }
}
