// node tools/film.mjs PAGE.html OUT.gif [FROM TO [WIDTHxHEIGHT [there-and-back]]]: a short film of a page.
//
// Chromium draws the page's picture at equal steps of time; the frames become a GIF with one palette, in
// which each frame holds only what changed. Written for the picture of the README; needs Chromium and
// `npm ci`.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { launch, open } from '../tests/page/browser.mjs';

const [file, out, from = '0', to = '3', size = '640x360', loop = ''] = process.argv.slice(2);
const [width, height] = size.split('x').map(Number);
const delay = 8; // hundredths of a second a frame
const colors = 96; // of the palette, besides the one for "as before"

// ---- frames ---------------------------------------------------------------------------------

async function shoot() {
  const browser = await launch();
  const { page } = await open(browser, resolve(file), { width, height, hash: '#ui=none&theme=light' });
  const n = Math.round(((Number(to) - Number(from)) * 100) / delay);
  const frames = [];
  for (let k = 0; k <= n; k++) {
    const time = Number(from) + ((Number(to) - Number(from)) * k) / n;
    await page.evaluate((t) => {
      segue.clock.seek(t);
      segue.stage.draw();
    }, time);
    const data = (await page.screenshot()).toString('base64');
    const pixels = await page.evaluate(async (png) => {
      const image = new Image();
      image.src = `data:image/png;base64,${png}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const pen = canvas.getContext('2d', { willReadFrequently: true });
      pen.drawImage(image, 0, 0);
      let text = '';
      const { data: bytes } = pen.getImageData(0, 0, image.width, image.height);
      for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
      return btoa(text);
    }, data);
    frames.push(Buffer.from(pixels, 'base64'));
  }
  await browser.close();
  return frames;
}

// ---- palette --------------------------------------------------------------------------------

// Median cut: the box with the widest range of colors is halved until there are enough.
function makePalette(frames) {
  const count = new Map();
  for (const frame of frames)
    for (let i = 0; i < frame.length; i += 4) {
      const key = ((frame[i] & 252) << 16) | ((frame[i + 1] & 252) << 8) | (frame[i + 2] & 252);
      count.set(key, (count.get(key) ?? 0) + 1);
    }
  const box = (list) => {
    const low = [255, 255, 255];
    const high = [0, 0, 0];
    for (const { rgb } of list)
      for (let c = 0; c < 3; c++) {
        low[c] = Math.min(low[c], rgb[c]);
        high[c] = Math.max(high[c], rgb[c]);
      }
    const ranges = high.map((h, c) => h - low[c]);
    const widest = ranges.indexOf(Math.max(...ranges));
    const weight = list.reduce((sum, e) => sum + e.weight, 0);
    return { list, widest, score: ranges[widest] * Math.cbrt(weight) };
  };
  const all = [...count].map(([key, n]) => ({ rgb: [key >> 16, (key >> 8) & 255, key & 255], weight: n }));
  const boxes = [box(all)];
  while (boxes.length < colors) {
    boxes.sort((a, b) => b.score - a.score);
    const { list, widest } = boxes[0];
    if (list.length < 2) break;
    list.sort((a, b) => a.rgb[widest] - b.rgb[widest]);
    const half = list.reduce((sum, e) => sum + e.weight, 0) / 2;
    let at = 1;
    for (let sum = list[0].weight; at < list.length - 1 && sum < half; at++) sum += list[at].weight;
    boxes.splice(0, 1, box(list.slice(0, at)), box(list.slice(at)));
  }
  return boxes.map(({ list }) => {
    const weight = list.reduce((sum, e) => sum + e.weight, 0);
    return [0, 1, 2].map((c) => Math.min(255, Math.round(list.reduce((sum, e) => sum + e.rgb[c] * e.weight, 0) / weight) + 1));
  });
}

function indexed(frame, palette, cache) {
  const out = new Uint8Array(frame.length / 4);
  for (let i = 0; i < out.length; i++) {
    const [r, g, b] = [frame[4 * i], frame[4 * i + 1], frame[4 * i + 2]];
    const key = (r << 16) | (g << 8) | b;
    let best = cache.get(key);
    if (best === undefined) {
      let least = Infinity;
      palette.forEach(([x, y, z], k) => {
        const d = (r - x) ** 2 + (g - y) ** 2 + (b - z) ** 2;
        if (d < least) [least, best] = [d, k];
      });
      cache.set(key, best);
    }
    out[i] = best;
  }
  return out;
}

// ---- GIF ------------------------------------------------------------------------------------

// Codes of variable length, least significant bit first; the table starts anew when it is full.
function compress(pixels, bits) {
  const clear = 1 << bits;
  const bytes = [];
  let table = new Map();
  let [next, size, held, holds] = [clear + 2, bits + 1, 0, 0];
  const emit = (code) => {
    held |= code << holds;
    for (holds += size; holds >= 8; holds -= 8) {
      bytes.push(held & 255);
      held >>>= 8;
    }
  };
  emit(clear);
  let code = pixels[0];
  for (let i = 1; i < pixels.length; i++) {
    const key = code * 256 + pixels[i];
    const found = table.get(key);
    if (found !== undefined) {
      code = found;
      continue;
    }
    emit(code);
    if (next === 4096) {
      emit(clear);
      table = new Map();
      [next, size] = [clear + 2, bits + 1];
    } else {
      if (next === 1 << size) size++;
      table.set(key, next++);
    }
    code = pixels[i];
  }
  emit(code);
  emit(clear + 1);
  if (holds) bytes.push(held & 255);
  return bytes;
}

const u16 = (x) => [x & 255, x >> 8];

function writeGif(frames, palette) {
  const bits = 7;
  const clearIndex = (1 << bits) - 1; // "as before"
  const bytes = [...Buffer.from('GIF89a'), ...u16(width), ...u16(height), 0x80 | (bits - 1), 0, 0];
  for (let k = 0; k < 1 << bits; k++) bytes.push(...(palette[k] ?? [0, 0, 0]));
  bytes.push(0x21, 0xff, 11, ...Buffer.from('NETSCAPE2.0'), 3, 1, 0, 0, 0);
  let before = null;
  for (const frame of frames) {
    const last = before;
    const pixels = last ? frame.map((c, i) => (c === last[i] ? clearIndex : c)) : frame;
    bytes.push(0x21, 0xf9, 4, 0x05, ...u16(delay), clearIndex, 0);
    bytes.push(0x2c, 0, 0, 0, 0, ...u16(width), ...u16(height), 0, bits);
    const data = compress(pixels, bits);
    for (let i = 0; i < data.length; i += 255) bytes.push(Math.min(255, data.length - i), ...data.slice(i, i + 255));
    bytes.push(0);
    before = frame;
  }
  bytes.push(0x3b);
  return Buffer.from(bytes);
}

const shots = await shoot();
const palette = makePalette(shots);
const cache = new Map();
let frames = shots.map((frame) => indexed(frame, palette, cache));
if (loop) frames = [...frames, ...frames.slice(1, -1).reverse()];
const gif = writeGif(frames, palette);
writeFileSync(out, gif);
console.log(`${out}: ${frames.length} frames, ${(gif.length / 1e3).toFixed(0)} kB`);
