// The table of runs: only the rows that are seen are elements, so ten thousand are as quick as ten.
import { el } from './dom.js';

const ROW = 22; // height of a row [px], as page.css has it
const LARGEST = 8e6; // browsers lose track of elements that are much higher [px]

const number = (x) => (Number.isFinite(x) ? String(Number(x.toPrecision(6))) : '–');

export class StudyTable {
  constructor(study, onPick) {
    this.study = study;
    this.onPick = onPick;
    this.order = study.rows.map((run, i) => i);
    this.sorted = { column: -1, down: false };
    this.titles = ['run', ...study.names, 'status'];
    this.head = el('div', { class: 'study-row titles', role: 'row' });
    this.titles.forEach((title, k) => {
      const button = el('button', { type: 'button', role: 'columnheader', title, on: { click: () => this.sort(k) } }, title);
      this.head.append(button);
    });
    this.space = el('div', { class: 'rows' });
    this.space.style.height = `${Math.min(this.order.length * ROW, LARGEST)}px`;
    this.body = el('div', { class: 'scroll', tabindex: 0 }, this.head, this.space);
    this.element = el('div', { class: 'table', role: 'table' }, this.body);
    this.element.style.setProperty('--columns', this.titles.length);
    this.body.addEventListener('scroll', () => this.draw(), { passive: true });
    this.space.addEventListener('click', (event) => {
      const row = event.target.closest('.study-row');
      if (row) this.onPick(Number(row.dataset.row));
    });
    window.requestAnimationFrame(() => this.draw());
  }

  valueOf(row, k) {
    const { study } = this;
    if (k === 0) return study.rows[row];
    if (k === this.titles.length - 1) return study.status[row];
    return study.columns[k - 1][row];
  }

  sort(k) {
    const down = this.sorted.column === k && !this.sorted.down;
    this.sorted = { column: k, down };
    const sign = down ? -1 : 1;
    this.order.sort((a, b) => {
      const x = this.valueOf(a, k);
      const y = this.valueOf(b, k);
      if (typeof x === 'string') return sign * (x < y ? -1 : x > y ? 1 : 0) || a - b;
      // What has no value goes to the end.
      if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y) || a - b;
      return sign * (x - y) || a - b;
    });
    [...this.head.children].forEach((button, i) => {
      button.dataset.sorted = i === k ? (down ? 'down' : 'up') : '';
    });
    this.draw();
  }

  // Which row is so many places from another one in the present order.
  neighbor(row, step) {
    const at = this.order.indexOf(row);
    return this.order[Math.max(0, Math.min(this.order.length - 1, at + step))];
  }

  mark(row) {
    this.marked = row;
    const at = this.order.indexOf(row);
    const top = at * ROW;
    const seen = this.body.clientHeight - ROW;
    if (top < this.body.scrollTop || top + ROW > this.body.scrollTop + seen)
      this.body.scrollTop = Math.max(0, top - seen / 2);
    this.draw();
  }

  draw() {
    const first = Math.max(0, Math.floor(this.body.scrollTop / ROW) - 5);
    const last = Math.min(this.order.length, first + Math.ceil(this.body.clientHeight / ROW) + 12);
    const rows = [];
    for (let i = first; i < last; i++) {
      const row = this.order[i];
      const ok = this.study.status[row] === 'ok';
      const cells = this.titles.map((title, k) => {
        const x = this.valueOf(row, k);
        return el('span', { role: 'cell' }, typeof x === 'string' ? x : k ? number(x) : String(x));
      });
      const node = el('div', { class: `study-row${ok ? '' : ' failed'}${row === this.marked ? ' on' : ''}`, role: 'row', 'data-row': row, title: this.study.message[row] || null }, ...cells);
      node.style.top = `${i * ROW}px`;
      rows.push(node);
    }
    this.space.replaceChildren(...rows);
  }
}
