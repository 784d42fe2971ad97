// The bar below: play, step, jump, the time line with segments and events, speed.
import { el, icon, setIcon, tool } from './dom.js';
import { number, round125, seconds } from './format.js';

const speeds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 1000];

// So that a run lasts some seconds on the screen, be it an impact or an orbit.
function firstSpeed(length) {
  if (!(length > 0) || (length >= 1.5 && length <= 60)) return 1;
  return round125(length / 6);
}

export class Transport {
  constructor(run, clock) {
    this.run = run;
    this.clock = clock;
    this.length = run.stop - run.start;
    this.playButton = tool('play', 'Play or pause (Space)', () => clock.toggle(), { class: 'tool play' });
    this.loopButton = tool('loop', 'Repeat (L)', () => clock.setLoop(!clock.loop));
    this.time = el('input', {
      class: 'time', 'aria-label': 'Time in seconds', inputmode: 'decimal',
      on: {
        change: () => {
          const t = Number(this.time.value.replace('−', '-'));
          if (Number.isFinite(t)) {
            clock.pause();
            clock.seek(t);
          }
          this.time.blur();
        },
      },
    });
    const first = firstSpeed(this.length);
    this.speeds = speeds.includes(first) ? speeds : [...speeds, first].sort((a, b) => a - b);
    this.speed = el(
      'select',
      { 'aria-label': 'Speed', title: 'Speed (+ and −)', on: { change: () => clock.setSpeed(Number(this.speed.value)) } },
      ...this.speeds.map((s) => el('option', { value: s }, `${number(s)}×`)),
    );
    this.canvas = el('canvas', { class: 'track', tabindex: 0, role: 'slider', 'aria-label': 'Time line' });
    this.knob = el('div', { class: 'knob' });
    this.track = el('div', { class: 'track-box' }, this.canvas, this.knob);
    this.element = el(
      'footer',
      { class: 'transport' },
      el(
        'div', { class: 'buttons' },
        tool('start', 'To the start (Home)', () => clock.seekPoint(0), { class: 'tool wide-only' }),
        tool('eventBack', 'Event or segment before (Shift ←)', () => clock.jump(-1)),
        tool('stepBack', 'Point before (←)', () => clock.step(-1)),
        this.playButton,
        tool('stepForward', 'Next point (→)', () => clock.step(1)),
        tool('eventForward', 'Next event or segment (Shift →)', () => clock.jump(1)),
      ),
      el('div', { class: 'when' }, this.time, el('span', {}, 's')),
      this.track,
      this.speed,
      this.loopButton,
    );
    this.listen();
    clock.onTime(() => this.show());
    clock.onChange(() => this.show());
    new ResizeObserver(() => this.draw()).observe(this.track);
    clock.setSpeed(first);
  }

  listen() {
    let down = false;
    const seek = (event) => {
      const box = this.track.getBoundingClientRect();
      const part = Math.min(1, Math.max(0, (event.clientX - box.left - 8) / (box.width - 16)));
      this.clock.seek(this.run.start + part * this.length);
    };
    this.track.addEventListener('pointerdown', (event) => {
      down = true;
      this.track.setPointerCapture(event.pointerId);
      this.clock.pause();
      seek(event);
    });
    this.track.addEventListener('pointermove', (event) => {
      if (down) seek(event);
    });
    for (const name of ['pointerup', 'pointercancel']) this.track.addEventListener(name, () => (down = false));
  }

  changeSpeed(by) {
    const at = this.speeds.findIndex((s) => s >= this.clock.speed - 1e-12);
    this.clock.setSpeed(this.speeds[Math.min(this.speeds.length - 1, Math.max(0, at + by))]);
  }

  // The track with a band for each segment and a tick for each event.
  draw() {
    const { canvas, run } = this;
    const ratio = window.devicePixelRatio || 1;
    const width = this.track.clientWidth;
    const height = this.track.clientHeight;
    if (!width || !height) return;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const pen = canvas.getContext('2d');
    pen.scale(ratio, ratio);
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue(name).trim();
    const at = (t) => 8 + (this.length > 0 ? (t - run.start) / this.length : 0) * (width - 16);
    const middle = height / 2;
    pen.fillStyle = color('--track');
    pen.beginPath();
    pen.roundRect(8, middle - 3, width - 16, 6, 3);
    pen.fill();
    if (run.segments.length > 1)
      run.segments.forEach((segment, k) => {
        pen.fillStyle = color(k % 2 ? '--segment-b' : '--segment-a');
        pen.fillRect(at(segment.start), middle - 3, Math.max(1, at(segment.stop) - at(segment.start)), 6);
      });
    const drawn = new Set();
    for (const event of run.events) {
      const x = Math.round(at(event.time));
      const strong = event.kind === 'segment' || event.kind === 'action';
      if (!strong && drawn.has(x)) continue;
      drawn.add(x);
      pen.fillStyle = color(strong ? '--accent' : '--tick');
      pen.fillRect(x - (strong ? 1 : 0.5), middle - (strong ? 9 : 7), strong ? 2 : 1, strong ? 18 : 14);
    }
    this.show();
  }

  show() {
    const { clock } = this;
    const part = this.length > 0 ? (clock.time - this.run.start) / this.length : 0;
    this.knob.style.transform = `translateX(${8 + part * (this.track.clientWidth - 16)}px)`;
    if (document.activeElement !== this.time) this.time.value = seconds(clock.time, this.length);
    this.canvas.setAttribute('aria-valuetext', `${seconds(clock.time, this.length)} s`);
    if (this.wasPlaying !== clock.playing) setIcon(this.playButton, clock.playing ? 'pause' : 'play');
    this.wasPlaying = clock.playing;
    this.loopButton.classList.toggle('on', clock.loop);
    if (Number(this.speed.value) !== clock.speed) this.speed.value = clock.speed;
  }
}
