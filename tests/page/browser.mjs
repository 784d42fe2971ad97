// A real browser for the tests of the page: Debian's Chromium by playwright-core, drawing without a
// graphics card. Where one of them is missing the tests are skipped, and say so.
import { existsSync, mkdirSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const here = dirname(fileURLToPath(import.meta.url));
export const root = join(here, '..', '..');
const build = process.env.SG_BINARY_DIR ?? join(root, 'build');
export const segue = process.env.SEGUE ?? join(build, 'segue');
export const scratch = join(build, 'tests', 'page');
mkdirSync(scratch, { recursive: true });

export function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(process.env.SG_SKIP_STATUS ? Number(process.env.SG_SKIP_STATUS) : 0);
}

function findChromium() {
  const names = [process.env.SEGUE_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  return names.find((name) => name && existsSync(name));
}

// The page of a model of this folder, or of an example.
export function makePage(model, name, ...options) {
  const out = join(scratch, `${name}.html`);
  try {
    execFileSync(segue, ['run', '-q', '--html', out, ...options, model], { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  } catch (error) {
    if (String(error.stderr).includes('cannot make pages')) skip('this build has no page');
    throw new Error(`${model}: ${error.stderr}`);
  }
  return out;
}

export async function launch() {
  const executablePath = findChromium();
  if (!executablePath) skip('no Chromium (apt-get install chromium)');
  let playwright;
  try {
    playwright = await import('playwright-core');
  } catch {
    skip('no playwright-core (npm ci)');
  }
  const args = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--no-sandbox'];
  return playwright.chromium.launch({ executablePath, args });
}

let failures = 0;

export function check(condition, what) {
  console.log(`${condition ? 'ok    ' : 'FAILED'} ${what}`);
  if (!condition) failures++;
}

export function near(value, wanted, tolerance, what) {
  check(Math.abs(value - wanted) <= tolerance, `${what}: ${value}, expected ${wanted} within ${tolerance}`);
}

export function finish() {
  console.log(failures ? `${failures} checks failed` : 'all checks passed');
  process.exit(failures ? 1 : 0);
}

// Opens a page and collects what goes wrong in it.
export async function open(browser, file, { width = 1280, height = 800, hash = '' } = {}) {
  const page = await browser.newPage({ viewport: { width, height } });
  const errors = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('request', (request) => {
    if (!/^(file|data|blob):/.test(request.url())) errors.push(`asks for ${request.url()}`);
  });
  await page.goto(`file://${file}${hash}`);
  await page.waitForFunction(() => window.segue, null, { timeout: 60000 });
  await page.waitForTimeout(300);
  return { page, errors };
}

// The color of a pixel of the window, from a screenshot: what a person sees. Decoded by the browser
// itself.
export async function pixels(page, points) {
  const shot = (await page.screenshot()).toString('base64');
  return page.evaluate(
    async ([data, list]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const pen = canvas.getContext('2d', { willReadFrequently: true });
      pen.drawImage(image, 0, 0);
      return list.map(([x, y]) => [...pen.getImageData(Math.round(x), Math.round(y), 1, 1).data].slice(0, 3));
    },
    [shot, points],
  );
}

// Which of red, green and blue a color has most of; '' if none stands out.
export function hue([r, g, b]) {
  const list = [['red', r], ['green', g], ['blue', b]].sort((x, y) => y[1] - x[1]);
  return list[0][1] - list[1][1] > 25 ? list[0][0] : '';
}
