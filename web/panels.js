// The lists beside the picture: objects as a tree, signals with a search, events, contacts.
import { el, icon, setIcon } from './dom.js';
import { engineering, number, seconds, shown } from './format.js';
import { pressure } from './patches.js';

const mostRows = 400; // of one list; the search finds the rest
const mostNow = 60; // contacts of this moment

// ---- objects --------------------------------------------------------------------------------

// Paths as a tree: { name, path, children: Map, body }.
function makeTree(bodies) {
  const root = { name: '', path: '', children: new Map(), bodies: [] };
  for (const body of bodies) {
    let node = root;
    let path = '';
    for (const name of body.path.split('.')) {
      path = path ? `${path}.${name}` : name;
      if (!node.children.has(name)) node.children.set(name, { name, path, children: new Map(), bodies: [] });
      node = node.children.get(name);
      node.bodies.push(body);
    }
    node.body = body;
  }
  // A chain without branches is one line.
  const squeeze = (node) => {
    for (const [key, child] of node.children) {
      let only = child;
      let name = child.name;
      while (!only.body && only.children.size === 1) {
        [only] = only.children.values();
        name += `.${only.name}`;
      }
      only.name = name;
      node.children.set(key, only);
      squeeze(only);
    }
  };
  squeeze(root);
  return root;
}

export class ObjectTree {
  constructor(stage, onSelect) {
    this.stage = stage;
    this.onSelect = onSelect;
    this.rows = new Map(); // by index of the body
    this.root = makeTree(stage.bodies);
    this.list = el('ul', { class: 'tree', role: 'tree' });
    this.search = el('input', {
      type: 'search', placeholder: 'Find an object', 'aria-label': 'Find an object', on: { input: () => this.fill() },
    });
    this.element = el('div', { class: 'panel-body' }, el('label', { class: 'search' }, icon('search'), this.search), this.list);
    this.fill();
  }

  fill() {
    const words = this.search.value.trim().toLowerCase();
    this.rows.clear();
    if (!words) {
      this.list.replaceChildren(...this.children(this.root, true));
    } else {
      const found = this.stage.bodies.filter((b) => b.path.toLowerCase().includes(words));
      const rows = found.slice(0, mostRows).map((body) => this.row({ name: body.path, path: body.path, children: new Map(), bodies: [body], body }));
      if (found.length > mostRows) rows.push(this.more(found.length - mostRows));
      this.list.replaceChildren(...rows);
    }
    this.mark();
  }

  more(count) {
    return el('li', { class: 'more' }, `and ${count.toLocaleString('en')} more; search to see them`);
  }

  children(node, open) {
    const list = [...node.children.values()];
    const rows = list.slice(0, mostRows).map((child) => this.row(child, open && list.length <= 40));
    if (list.length > mostRows) rows.push(this.more(list.length - mostRows));
    return rows;
  }

  row(node, open = false) {
    const eye = el('button', { type: 'button', class: 'small eye', 'aria-label': `Show or hide ${node.path}` }, icon('eye'));
    const showEye = () => {
      const off = node.bodies.every((b) => b.hidden);
      setIcon(eye, off ? 'eyeOff' : 'eye');
      item.classList.toggle('off', off);
    };
    eye.addEventListener('click', (event) => {
      event.stopPropagation();
      const hide = !node.bodies.every((b) => b.hidden);
      for (const body of node.bodies) this.stage.setHidden(body, hide);
      this.stage.refresh();
      for (const update of this.eyes) update();
    });
    this.eyes ??= new Set();
    this.eyes.add(showEye);
    const inner = el('ul', { role: 'group', hidden: true });
    const fold = el('button', { type: 'button', class: 'small fold', 'aria-label': 'Open or close', hidden: !node.children.size }, icon('chevron'));
    const setOpen = (on) => {
      if (on && !inner.childElementCount) inner.append(...this.children(node, true));
      inner.hidden = !on;
      fold.classList.toggle('open', on);
    };
    fold.addEventListener('click', (event) => {
      event.stopPropagation();
      setOpen(inner.hidden);
    });
    const [r, g, b] = node.body?.color ?? [0, 0, 0];
    const swatch = node.body ? el('i', { class: 'swatch', style: `background:rgb(${r},${g},${b})` }) : el('i', { class: 'swatch none' });
    const line = el('div', { class: 'row', tabindex: 0, title: node.path }, fold, swatch, el('span', { class: 'name' }, node.name), eye);
    const choose = () => (node.body ? this.onSelect(node.body.index) : setOpen(inner.hidden));
    line.addEventListener('click', choose);
    line.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') choose();
    });
    const item = el('li', { role: 'treeitem' }, line, inner);
    if (node.body) this.rows.set(node.body.index, line);
    showEye();
    if (open && node.children.size && node.children.size <= 40) setOpen(true);
    return item;
  }

  mark() {
    for (const [index, line] of this.rows) line.classList.toggle('selected', index === this.stage.selected);
    this.rows.get(this.stage.selected)?.scrollIntoView({ block: 'nearest' });
  }
}

// ---- signals --------------------------------------------------------------------------------

// Matches a name if it contains all words.
function matches(name, words) {
  const text = name.toLowerCase();
  return words.every((word) => text.includes(word));
}

// Names are long, and their ends tell them apart: the path is gray, the last part is not.
export function nameOf(name) {
  const dot = name.lastIndexOf('.', name.includes('(') ? name.indexOf('(') : name.length);
  return el(
    'span',
    { class: 'name' },
    el('span', { class: 'path' }, name.slice(0, dot + 1)),
    el('span', { class: 'last' }, name.slice(dot + 1)),
  );
}

export class SignalList {
  constructor(run, clock, plots) {
    this.run = run;
    this.clock = clock;
    this.plots = plots;
    this.list = el('ul', { class: 'signals' });
    this.search = el('input', {
      type: 'search', placeholder: 'Find a signal', 'aria-label': 'Find a signal', on: { input: () => this.fill() },
    });
    const { left } = run.head;
    this.note = left
      ? el('p', { class: 'hint' }, `${left} signals are not in this page, to keep it small.`)
      : null;
    const acts = run.head.attributes['contacts.restitution'];
    this.law = acts ? el('p', { class: 'hint' }, `Restitution ${acts}.`) : null;
    this.element = el('div', { class: 'panel-body' }, el('label', { class: 'search' }, icon('search'), this.search), this.law, this.list, this.note);
    clock.onTime(() => this.showValues());
    this.fill();
  }

  fill() {
    const words = this.search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const found = [];
    let more = 0;
    this.run.scalars.forEach((scalar, index) => {
      if (!matches(scalar.name, words)) return;
      if (found.length < mostRows) found.push(index);
      else more++;
    });
    this.rows = found.map((index) => this.row(index));
    const items = this.rows.map((row) => row.item);
    if (more) items.push(el('li', { class: 'more' }, `and ${more.toLocaleString('en')} more; search to see them`));
    if (!found.length) items.push(el('li', { class: 'more' }, 'No signal has this name.'));
    this.list.replaceChildren(...items);
    this.mark();
    this.showValues(true);
  }

  row(index) {
    const scalar = this.run.scalars[index];
    const value = el('span', { class: 'value' });
    const { info } = this.run.signals[scalar.signal];
    const item = el(
      'li',
      {
        class: 'row', tabindex: 0, title: info ? `${scalar.name}: ${info}` : scalar.name,
        on: {
          click: () => this.plots.choose(index),
          keydown: (event) => {
            if (event.key === 'Enter') this.plots.choose(index);
          },
        },
      },
      el('i', { class: 'mark' }),
      nameOf(scalar.name),
      value,
    );
    return { index, item, value };
  }

  mark() {
    for (const { index, item } of this.rows) item.classList.toggle('plotted', this.plots.isPlotted(index));
  }

  // Only rows that can be seen, and not more often than anyone can read.
  showValues(now = false) {
    const time = performance.now();
    if (!this.element.offsetParent || (!now && time - (this.shownAt ?? 0) < 80)) return;
    this.shownAt = time;
    const top = this.list.scrollTop;
    const bottom = top + this.list.clientHeight;
    for (const { index, item, value } of this.rows) {
      if (item.offsetTop + item.offsetHeight < top || item.offsetTop > bottom) continue;
      const { unit, factor } = shown(this.run.scalars[index].unit);
      value.textContent = `${number(this.run.valueAt(index, this.clock.place) * factor, 4)} ${unit}`;
    }
  }
}

// ---- events ---------------------------------------------------------------------------------

const kinds = { time: 'time', state: 'state', restart: 'restart', segment: 'segment', action: 'action', stop: 'stop' };

export class EventList {
  constructor(run, clock) {
    this.list = el('ul', { class: 'events' });
    this.element = el('div', { class: 'panel-body' }, this.list);
    const rows = run.events.slice(0, 5 * mostRows).map((event) =>
      el(
        'li',
        {
          class: `row ${kinds[event.kind] ?? ''}`, tabindex: 0, title: event.text,
          on: {
            click: () => {
              clock.pause();
              clock.seekPoint(event.point);
            },
          },
        },
        el('span', { class: 'when' }, seconds(event.time, run.stop - run.start)),
        el('span', { class: 'badge' }, event.kind),
        el('span', { class: 'name' }, event.text),
      ),
    );
    if (run.events.length > rows.length) rows.push(el('li', { class: 'more' }, `and ${run.events.length - rows.length} more`));
    if (!rows.length) rows.push(el('li', { class: 'more' }, 'This run has no events.'));
    this.list.append(...rows);
  }
}

// ---- contacts -------------------------------------------------------------------------------

// Each contact of the run with its peaks, however short it was; a click goes to its deepest moment.
// Above it what touches now: by which law, whether it sticks, and how much of what friction can hold is used.
export class ContactList {
  constructor(run, clock, contacts) {
    this.run = run;
    this.clock = clock;
    this.contacts = contacts?.available && contacts.kind ? contacts : null;
    this.now = el('ul', { class: 'events held' });
    this.head = this.contacts ? el('h4', {}) : null;
    this.list = el('ul', { class: 'events contacts' });
    this.search = el('input', {
      type: 'search', placeholder: 'Find a contact', 'aria-label': 'Find a contact', on: { input: () => this.fill() },
    });
    const left = (run.head.contactCount ?? 0) - run.touches.length;
    this.note = left > 0 ? el('p', { class: 'hint' }, `The deepest ones; ${left.toLocaleString('en')} more are in the result.`) : null;
    const acts = run.head.attributes['contacts.restitution'];
    this.law = acts ? el('p', { class: 'hint' }, `Restitution ${acts}.`) : null;
    this.element = el('div', { class: 'panel-body' }, el('label', { class: 'search' }, icon('search'), this.search), this.head, this.contacts && this.now, this.law, this.list, this.note);
    this.fill();
    if (this.contacts) clock.onTime(() => this.show());
  }

  fill() {
    const words = this.search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.run.touches.filter((touch) => matches(`${touch.a} ${touch.b}`, words));
    const rows = found.slice(0, mostRows).map((touch) => this.row(touch));
    if (found.length > mostRows) rows.push(el('li', { class: 'more' }, `and ${found.length - mostRows} more; search to see them`));
    if (!found.length) rows.push(el('li', { class: 'more' }, 'No contact has this name.'));
    this.list.replaceChildren(...rows);
  }

  // Only what can be seen, and not more often than the point changes.
  show() {
    const { point } = this.clock.place ?? {};
    if (!this.contacts || point === undefined || !this.element.offsetParent || this.shown === point) return;
    this.shown = point;
    const list = this.contacts.list(point);
    list.sort((x, y) => y.share - x.share);
    this.head.textContent = list.length ? `Touching now: ${list.length}` : 'Nothing touches now';
    this.now.replaceChildren(...list.slice(0, mostNow).map((contact) => this.rowNow(contact)));
    if (list.length > mostNow) this.now.append(el('li', { class: 'more' }, `and ${list.length - mostNow} that use less of their friction`));
  }

  rowNow(contact) {
    const { a, b, law, grip, normal, friction, share, area, peak } = contact;
    const percent = grip ? `${grip} ${number(100 * share, 3)} %` : '';
    const flat = area > 0 ? `, over ${number(1e4 * area, 3)} cm², ${pressure(peak)} at most` : '';
    const use = grip ? `; ${number(100 * share, 3)} % of what friction can hold is used` : '';
    return el(
      'li',
      { class: `row ${grip}`, title: `${a} and ${b} (${law}): ${number(normal, 4)} N across, ${number(friction, 4)} N along${flat}${use}` },
      el('span', { class: 'badge' }, law),
      el('span', { class: 'name' }, `${a}, ${b}`),
      el('span', { class: 'value' }, `${number(normal, 3)} N, friction ${number(friction, 3)} N`),
      el('span', { class: 'grip' }, percent, el('i', { class: 'used' }, el('i', { style: `width: ${Math.round(100 * (share || 0))}%` }))),
    );
  }

  row(touch) {
    const { run, clock } = this;
    const hard = touch.impulse ? engineering(touch.impulse, 'N s') : engineering(touch.force, 'N');
    const lasts = touch.end === null ? 'lasts' : `lasted ${number((touch.end - touch.begin) * 1e3, 3)} ms`;
    const go = () => {
      clock.pause();
      clock.seek(touch.depthTime ?? touch.begin);
    };
    return el(
      'li',
      {
        class: 'row', tabindex: 0,
        title: `${touch.a} and ${touch.b} from ${touch.begin} s ${touch.end === null ? 'on' : `to ${touch.end} s`}: came with ${number(touch.speed, 3)} m/s, ${lasts}${touch.law ? `; law: ${touch.law}` : ''}`,
        on: {
          click: go,
          keydown: (event) => {
            if (event.key === 'Enter') go();
          },
        },
      },
      el('span', { class: 'when' }, seconds(touch.begin, run.stop - run.start)),
      touch.law ? el('span', { class: 'badge' }, touch.law) : null,
      el('span', { class: 'name' }, `${touch.a}, ${touch.b}`),
      el('span', { class: 'value' }, `${engineering(touch.depth, 'm')}, ${hard}`),
    );
  }
}

// ---- what was picked ------------------------------------------------------------------------

export class Inspector {
  constructor(app) {
    this.app = app;
    this.element = el('aside', { class: 'inspector', hidden: true, 'aria-live': 'polite' });
    app.clock.onTime(() => this.show());
  }

  open(index) {
    const { app } = this;
    this.index = index;
    this.element.hidden = index < 0;
    if (index < 0) return;
    const body = app.stage.bodies[index];
    this.position = el('span', { class: 'value' });
    this.angles = el('span', { class: 'value' });
    this.touching = el('p', { class: 'touching' });
    this.scalars = app.run.signalsOf(body.path, 60);
    this.values = this.scalars.map(() => el('span', { class: 'value' }));
    this.rows = this.scalars.map((scalar, i) =>
      el(
        'li',
        { class: 'row', tabindex: 0, title: `Plot ${app.run.scalars[scalar].name}`, on: { click: () => app.plots.choose(scalar) } },
        el('i', { class: 'mark' }),
        nameOf(app.run.scalars[scalar].name),
        this.values[i],
      ),
    );
    this.element.replaceChildren(
      el(
        'header', {},
        el('div', { class: 'what' }, el('strong', {}, body.path), el('span', {}, body.source.shape || 'object')),
        el('button', { type: 'button', class: 'tool', title: 'Follow (G)', 'aria-label': 'Follow', on: { click: () => app.toggleFollow() } }, icon('follow')),
        el('button', { type: 'button', class: 'tool', title: 'Close (Esc)', 'aria-label': 'Close', on: { click: () => app.select(-1) } }, icon('close')),
      ),
      el('dl', {}, el('dt', {}, 'position'), el('dd', {}, this.position), el('dt', {}, 'angles'), el('dd', {}, this.angles)),
      this.touching,
      this.rows.length ? el('ul', { class: 'signals' }, ...this.rows) : el('p', { class: 'hint' }, 'No signals of this object are in the page.'),
    );
    this.mark();
    this.show();
  }

  mark() {
    this.rows?.forEach((row, i) => row.classList.toggle('plotted', this.app.plots.isPlotted(this.scalars[i])));
  }

  show() {
    if (this.element.hidden || !this.position) return;
    const { app } = this;
    const body = app.stage.bodies[this.index];
    const { middle } = app.run.scene;
    const least = 1e-6 * app.stage.radius; // single precision knows no less
    const at = Array.from(body.position, (x, k) => (Math.abs(x + middle[k]) < least ? '0' : number(x + middle[k], 4)));
    this.position.textContent = body.present ? `${at.join('  ')} m` : 'not there in this segment';
    const m = body.rotation; // columns are the axes of the body; turns about x, y, z, one after the other
    const degree = 180 / Math.PI;
    const y = Math.asin(Math.max(-1, Math.min(1, m[2])));
    const turns = [Math.atan2(-m[5], m[8]), y, Math.atan2(-m[1], m[0])];
    this.angles.textContent = `${turns.map((a) => number(a * degree, 4)).join('  ')} °`;
    const contacts = app.contacts.list(app.clock.place.point).filter((c) => c.a === body.path || c.b === body.path);
    this.touching.textContent = contacts.length
      ? `touches ${contacts.map((c) => `${c.a === body.path ? c.b : c.a} (${number(c.force, 3)} N)`).join(', ')}`
      : '';
    this.scalars.forEach((scalar, i) => {
      const { unit, factor } = shown(app.run.scalars[scalar].unit);
      this.values[i].textContent = `${number(app.run.valueAt(scalar, app.clock.place) * factor, 4)} ${unit}`;
    });
  }
}
