// The time line that picture and plots share: where it is, and how it goes on.
//
// A place is a stored point and a part of the way to the next one. At an event two points have the
// same time; seeking a time gives the second one, stepping shows both.
import { lastNotAfter } from './data.js';

export class Clock {
  constructor(run) {
    this.run = run;
    this.time = run.start;
    this.place = { point: 0, part: 0 };
    this.playing = false;
    this.loop = true;
    this.speed = 1;
    this.listeners = [];
    this.changes = []; // told of play, pause, speed and loop
    this.stops = this.listStops();
  }

  onTime(listener) {
    this.listeners.push(listener);
  }

  onChange(listener) {
    this.changes.push(listener);
  }

  tell(list) {
    for (const listener of list) listener(this);
  }

  // Points of events and of segments that begin.
  listStops() {
    const points = new Set(this.run.events.map((event) => event.point));
    for (const segment of this.run.segments) points.add(segment.first);
    return [...points].filter((p) => p >= 0 && p < this.run.n).sort((a, b) => a - b);
  }

  seek(time) {
    const { run } = this;
    if (!run.n) return;
    this.time = Math.min(run.stop, Math.max(run.start, time));
    const point = lastNotAfter(run.time, run.n, this.time);
    const gap = point + 1 < run.n ? run.time[point + 1] - run.time[point] : 0;
    this.place = { point, part: gap > 0 ? (this.time - run.time[point]) / gap : 0 };
    this.tell(this.listeners);
  }

  seekPoint(point) {
    const { run } = this;
    if (!run.n) return;
    const p = Math.min(run.n - 1, Math.max(0, point));
    this.time = run.time[p];
    this.place = { point: p, part: 0 };
    this.tell(this.listeners);
  }

  step(by) {
    this.pause();
    const back = by < 0 && this.place.part > 0 ? 1 : 0;
    this.seekPoint(this.place.point + by + back);
  }

  // To the next event or segment, or the one before.
  jump(by) {
    this.pause();
    const here = this.place.point + (this.place.part > 0 ? 0.5 : 0);
    const next =
      by > 0 ? this.stops.find((p) => p > here) : this.stops.findLast((p) => p < here);
    this.seekPoint(next ?? (by > 0 ? this.run.n - 1 : 0));
  }

  play() {
    if (this.run.n < 2) return;
    if (this.time >= this.run.stop) this.seek(this.run.start);
    this.playing = true;
    this.last = undefined;
    this.tell(this.changes);
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.tell(this.changes);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  setSpeed(speed) {
    this.speed = speed;
    this.tell(this.changes);
  }

  setLoop(loop) {
    this.loop = loop;
    this.tell(this.changes);
  }

  // Once a picture, with the wall time in milliseconds.
  tick(now) {
    if (!this.playing) return;
    const passed = this.last === undefined ? 0 : Math.min(0.25, (now - this.last) / 1000);
    this.last = now;
    let time = this.time + passed * this.speed;
    const { start, stop } = this.run;
    if (time >= stop) {
      if (this.loop && stop > start) {
        time = start + ((time - start) % (stop - start));
      } else {
        time = stop;
        this.playing = false;
        this.tell(this.changes);
      }
    }
    this.seek(time);
  }
}
