// The page of a run: puts the parts together and hands keys to them.
import { Clock } from './clock.js';
import { Run } from './data.js';
import { el, tool } from './dom.js';
import { display } from './format.js';
import { makeHelp } from './help.js';
import { Axes, Boxes, Contacts, Trajectories } from './overlays.js';
import { ContactList, EventList, Inspector, ObjectTree, SignalList } from './panels.js';
import { Patches } from './patches.js';
import { Plots } from './plots.js';
import { Stage } from './stage.js';
import { Study } from './study.js';
import { Transport } from './transport.js';

// #t=1.5&theme=dark&ui=none: where to start, for pictures and links.
function readHash() {
  return new URLSearchParams(window.location.hash.slice(1));
}

// What is drawn before anyone chose: the first states that change, one diagram a unit.
function firstDiagrams(run) {
  const groups = new Map();
  const changes = ({ signal, element }) => {
    const source = run.signals[run.signals[signal].same ?? signal];
    return source.columns[element][1] > 1;
  };
  const add = (index) => {
    const { unit } = run.scalars[index];
    if (!changes(run.scalars[index])) return;
    if (!groups.has(unit)) groups.set(unit, []);
    if (groups.get(unit).length < 4) groups.get(unit).push(index);
  };
  run.scalars.forEach((scalar, i) => {
    if (run.signals[scalar.signal].state && !/(^|\.)balance\./.test(scalar.name)) add(i);
  });
  if (!groups.size) run.scalars.forEach((scalar, i) => add(i));
  return [...groups.values()].slice(0, 2);
}

class App {
  constructor(run) {
    this.run = run;
    this.clock = new Clock(run);
    this.hash = readHash();
    this.plots = new Plots(run, this.clock, () => this.marked());
    this.transport = new Transport(run, this.clock);
    this.help = makeHelp(run);
    this.build();
    this.setTheme(this.firstTheme());
    for (const scalars of firstDiagrams(run)) this.plots.add(scalars);
    if (!this.plots.diagrams.length) this.plots.add();
    this.plots.activate(this.plots.diagrams[0]);
    document.addEventListener('keydown', (event) => this.key(event));
    if (this.hash.has('t')) this.clock.seek(Number(this.hash.get('t')));
    else this.clock.seekPoint(0);
    if (this.stage?.vast) this.stage.fit(true);
    const loop = (now) => {
      this.clock.tick(now);
      this.stage?.render();
      window.requestAnimationFrame(loop);
    };
    window.requestAnimationFrame(loop);
  }

  firstTheme() {
    const asked = this.hash.get('theme');
    if (asked === 'dark' || asked === 'light') return asked;
    return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  }

  // ---- layout -----------------------------------------------------------------------------

  build() {
    const { run } = this;
    const app = document.getElementById('app');
    document.title = `${run.title} – Segue`;
    this.view = el('div', { class: 'view' });
    this.tabs = [];
    const status = run.head.complete ? null : el('span', { class: 'badge warn' }, 'the run did not come to its end');
    const header = el(
      'header',
      { class: 'top' },
      el('h1', {}, run.title),
      status,
      el('span', { class: 'space' }),
      el('button', { type: 'button', class: 'text units', title: 'Angles in degrees or radian (U)', on: { click: () => this.toggleDegrees() } }, 'rad'),
      tool('theme', 'Light or dark (T)', () => this.toggleTheme()),
      tool('help', 'Keys and mouse (?)', () => this.help.showModal()),
    );
    this.unitButton = header.querySelector('.units');
    this.pages = el('div', { class: 'pages' });
    this.tabBar = el('nav', { class: 'tabs', role: 'tablist' });
    this.side = el('div', { class: 'side' }, this.tabBar, this.pages);
    this.splitter = el('div', { class: 'splitter', role: 'separator', 'aria-label': 'Width of the diagrams' });
    this.main = el('main', {}, this.side, this.view, this.splitter, this.plots.element);
    app.append(header, this.main, this.transport.element, this.help);
    if (run.scene && run.scene.bodies.length) this.makeStage();
    else this.main.classList.add('flat');
    if (this.stage) this.addTab('Objects', (this.tree = new ObjectTree(this.stage, (index) => this.select(index))).element);
    this.signals = new SignalList(run, this.clock, this.plots);
    this.addTab('Signals', this.signals.element);
    this.addTab('Events', new EventList(run, this.clock).element);
    if (run.touches.length) this.addTab('Contacts', (this.contactList = new ContactList(run, this.clock, this.contacts)).element);
    // Where the window is narrow, diagrams share their place with the lists.
    this.addTab('Diagrams', el('div'));
    this.tabs.at(-1).button.classList.add('narrow-only');
    this.openTab(window.matchMedia('(max-width: 780px)').matches ? this.tabs.length - 1 : 0);
    this.listenSplitter();
    if (this.hash.get('ui') === 'none') document.body.classList.add('bare');
  }

  makeStage() {
    try {
      this.stage = new Stage(this.view, this.run);
    } catch (error) {
      this.view.append(el('p', { class: 'hint' }, 'This browser shows no 3D pictures (WebGL): ', error.message));
      return;
    }
    // Before all who look at the bodies: these must be where the clock is.
    this.clock.onTime(() => this.stage.update(this.clock.place));
    this.axes = new Axes(this.stage);
    this.boxes = new Boxes(this.stage);
    this.contacts = new Contacts(this.stage);
    this.patches = new Patches(this.stage, this.contacts);
    this.trajectories = new Trajectories(this.stage);
    this.inspector = new Inspector(this);
    const { scene } = this.run;
    const toggles = [
      ['axes', 'Axes (A)', (on) => this.axes.set(on)],
      ['boxes', 'Boxes (B)', (on) => this.boxes.set(on)],
      ['points', 'Contact points (C)', (on) => this.contacts.set('points', on)],
      ['normals', 'Contact normals (N)', (on) => this.contacts.set('normals', on)],
      ['forces', 'Contact forces (R)', (on) => this.contacts.set('forces', on)],
      ['patches', 'Contact areas and pressure (P)', (on) => this.patches.set(on)],
      ['paths', 'Trajectories (J)', (on) => this.trajectories.set(on)],
    ];
    this.switches = new Map();
    const bar = el('div', { class: 'bar' }, tool('fit', 'Show all (F)', () => this.fit()));
    this.followButton = tool('follow', 'Follow the picked body (G)', () => this.toggleFollow());
    bar.append(this.followButton, el('span', { class: 'gap' }));
    for (const [name, label, set] of toggles) {
      const contact = name === 'points' || name === 'normals' || name === 'forces';
      if (contact && !this.contacts.available) continue;
      if (name === 'patches' && !this.patches.available) continue;
      const button = tool(name, label, () => this.switch(name));
      this.switches.set(name, { button, set, on: false });
      bar.append(button);
    }
    this.view.append(bar, this.inspector.element);
    if (this.patches.available) this.view.append(this.patches.legend);
    if (scene.showContacts) this.switch('points');
    if (scene.showContacts || this.hash.get('show') === 'patches') this.switch('patches');
    if (scene.showBoxes) this.switch('boxes');
    this.listenPicks();
  }

  addTab(name, element) {
    const index = this.tabs.length;
    const button = el('button', { type: 'button', role: 'tab', on: { click: () => this.openTab(index) } }, name);
    this.tabs.push({ button, element });
    this.tabBar.append(button);
    this.pages.append(element);
  }

  openTab(index) {
    this.tabs.forEach(({ button, element }, k) => {
      button.setAttribute('aria-selected', k === index);
      element.hidden = k !== index;
    });
    this.main.classList.toggle('plots-open', index === this.tabs.length - 1);
    this.signals?.showValues(true);
    this.contactList?.show();
    this.plots.resize();
  }

  // The line between picture and diagrams can be dragged.
  listenSplitter() {
    this.splitter.addEventListener('pointerdown', (event) => {
      this.splitter.setPointerCapture(event.pointerId);
      const move = (e) => {
        const width = Math.max(240, Math.min(window.innerWidth - 420, window.innerWidth - e.clientX));
        this.main.style.setProperty('--plots', `${width}px`);
      };
      this.splitter.addEventListener('pointermove', move);
      this.splitter.addEventListener('pointerup', () => this.splitter.removeEventListener('pointermove', move), { once: true });
    });
  }

  // ---- picking ----------------------------------------------------------------------------

  listenPicks() {
    const canvas = this.stage.renderer.domElement;
    let down = null;
    canvas.addEventListener('pointerdown', (event) => {
      down = { x: event.clientX, y: event.clientY };
    });
    canvas.addEventListener('pointerup', (event) => {
      const still = down && Math.hypot(event.clientX - down.x, event.clientY - down.y) < 5;
      down = null;
      if (still && event.button === 0) this.select(this.stage.pick(event.clientX, event.clientY));
    });
    canvas.addEventListener('dblclick', () => this.stage.fit(false, this.stage.selected));
  }

  select(index) {
    if (!this.stage) return;
    this.stage.select(index);
    this.inspector.open(index);
    this.tree.mark();
    this.followButton.classList.toggle('on', this.stage.follow);
  }

  fit() {
    this.stage?.fit(false, this.stage.selected);
  }

  toggleFollow() {
    if (!this.stage) return;
    this.stage.setFollow(!this.stage.follow);
    this.followButton.classList.toggle('on', this.stage.follow);
  }

  switch(name) {
    const entry = this.switches?.get(name);
    if (!entry) return;
    entry.on = !entry.on;
    entry.set(entry.on);
    entry.button.classList.toggle('on', entry.on);
    entry.button.setAttribute('aria-pressed', entry.on);
  }

  // ---- settings ---------------------------------------------------------------------------

  setTheme(name) {
    this.theme = name;
    document.documentElement.dataset.theme = name;
    this.stage?.setTheme(name);
    this.plots.setTheme(name);
    this.transport.draw();
  }

  toggleTheme() {
    this.setTheme(this.theme === 'dark' ? 'light' : 'dark');
  }

  toggleDegrees() {
    display.degrees = !display.degrees;
    this.unitButton.textContent = display.degrees ? 'deg' : 'rad';
    this.plots.rebuild();
    this.signals.showValues(true);
    this.inspector?.show();
  }

  marked() {
    this.signals?.mark();
    this.inspector?.mark();
  }

  // ---- keys -------------------------------------------------------------------------------

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
    if (event.target.matches('input, select')) {
      if (event.key === 'Escape') event.target.blur();
      return;
    }
    const { clock, stage } = this;
    const actions = {
      ' ': () => clock.toggle(),
      ArrowLeft: () => (event.shiftKey ? clock.jump(-1) : clock.step(-1)),
      ArrowRight: () => (event.shiftKey ? clock.jump(1) : clock.step(1)),
      Home: () => clock.seekPoint(0),
      End: () => clock.seekPoint(this.run.n - 1),
      '+': () => this.transport.changeSpeed(1),
      '-': () => this.transport.changeSpeed(-1),
      l: () => clock.setLoop(!clock.loop),
      f: () => this.fit(),
      g: () => this.toggleFollow(),
      0: () => stage?.fit(true),
      1: () => stage?.look('front'),
      2: () => stage?.look('right'),
      3: () => stage?.look('top'),
      h: () => this.hidePicked(),
      Escape: () => this.select(-1),
      a: () => this.switch('axes'),
      b: () => this.switch('boxes'),
      c: () => this.switch('points'),
      n: () => this.switch('normals'),
      r: () => this.switch('forces'),
      p: () => this.switch('patches'),
      j: () => this.switch('paths'),
      o: () => stage?.setGround(!stage.grid.visible),
      '/': () => this.findSignal(),
      d: () => this.plots.add(),
      u: () => this.toggleDegrees(),
      t: () => this.toggleTheme(),
      '?': () => this.help.showModal(),
    };
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  hidePicked() {
    const body = this.stage?.bodies[this.stage.selected];
    if (!body) return;
    this.stage.setHidden(body, !body.hidden);
    this.stage.refresh();
    this.tree.fill();
  }

  findSignal() {
    this.openTab(this.tabs.findIndex((tab) => tab.element === this.signals.element));
    this.signals.search.focus();
    this.signals.search.select();
  }
}

// For tests, and for whoever wants more than the page offers.
window.segue = document.getElementById('segue-study') ? new Study(document) : new App(Run.fromDocument(document));
