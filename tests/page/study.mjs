// The page of a study in a browser: the table, sliders that pick the nearest run, curves over each other, the
// picked run with its picture in a frame; and that ten thousand rows are few elements.
import { execFileSync } from 'node:child_process';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, finish, launch, near, open, root, scratch, segue, skip } from './browser.mjs';

const run = (...args) => {
  try {
    execFileSync(segue, args, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8', cwd: scratch });
  } catch (error) {
    if (String(error.stderr).includes('cannot make pages')) skip('this build has no page');
    if (error.status !== 5) throw new Error(`${args.join(' ')}: ${error.stderr}`);
  }
};
const study = (name, ...args) => {
  rmSync(join(scratch, name), { recursive: true, force: true });
  run('study', ...args, '-o', name);
  run('view', '-q', '-o', `${name}.html`, name);
  return join(scratch, `${name}.html`);
};
const browser = await launch();

// Ten runs of a 3D model.
const arm = study('arm', join(root, 'examples/mechanics/servo_pendulum.jl'), '--vary', 'servo.controller.k_position=2:60:log:5', '--vary', 'servo.controller.k_speed=10,40',
  '--metric', 'error=max(abs(servo.phi_ref - arm.rev.phi))', '--keep-runs', '*', '-j', '2');
{
  const { page, errors } = await open(browser, arm);
  await page.locator('.rows .study-row').first().waitFor();
  check((await page.locator('.rows .study-row').count()) === 10, 'a row for each of ten runs');
  check(await page.evaluate(() => segue.variables.length === 2 && segue.metrics.join() === 'error'), 'variables and metrics are told apart');
  const sliders = page.locator('.slider input');
  await sliders.nth(0).fill('4');
  await sliders.nth(1).fill('1');
  check(await page.evaluate(() => segue.rows[segue.picked] === 9), 'sliders pick the run with these values');
  // The frame comes when the slider rests.
  const gainOf = () => window.segue?.stage && segue.run.parameters.find((p) => p.name === 'servo.controller.k_position').value;
  let gain;
  let inner;
  for (let i = 0; i < 300 && !(gain > 50); i++) {
    await page.waitForTimeout(200);
    inner = page.frames().find((f) => f !== page.mainFrame());
    gain = await inner?.evaluate(gainOf).catch(() => undefined);
  }
  near(gain, 60, 1e-9, 'the frame has the picture of the picked run');
  check(await inner.evaluate(() => segue.stage.bodies.some((b) => b.path === 'arm.bar')), 'the bar is there');
  await page.locator('.rows .study-row').nth(0).click();
  check(await page.evaluate(() => segue.picked === 0 && segue.targets[0].input.value === '0'), 'a click on a row picks it, and the sliders follow');
  const last = await page.evaluate(() => {
    const curve = segue.head.curves[9];
    const p = segue.curves.points(curve);
    return [p[0], p[p.length - 2], p[p.length - 1]];
  });
  near(last[0], 0, 0, 'curves begin where the run does');
  near(last[1], 6, 1e-6, 'and end where it does');
  const colors = await page.evaluate(() => {
    const { canvas } = segue.curves;
    const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    let n = 0;
    for (let i = 0; i < data.length; i += 4) n += data[i + 3] > 100;
    return n;
  });
  check(colors > 1000, `curves are drawn (${colors} points)`);
  check(errors.length === 0, `no complaints in the browser: ${errors.join('; ')}`);
  await page.close();
}

// Ten thousand runs, some of which fail.
writeFileSync(join(scratch, 'osc.jl'), `using Modia
Osc = Model(k = 1.0, d = 0.1, x = Var(init = 1.0), v = Var(init = 0.0),
    equations = :[der(x) = v; der(v) = -k*x - d*v + (if k > 2.999; log(0.5 - time) else 0.0 end)])
osc = @instantiateModel(Osc, unitless = true)
simulate!(osc, stopTime = 2.0, interval = 0.1)
`);
const many = study('many', 'osc.jl', '--vary', 'k=1:3:10000', '--metric', 'last(x)', '--metric', 'max(max(v, x))', '--keep-runs', 'x', '-j', '2');
{
  const { page, errors } = await open(browser, many);
  check(statSync(many).size < 12e6, `ten thousand runs make a page of ${(statSync(many).size / 1e6).toFixed(1)} MB`);
  check(await page.evaluate(() => segue.rows.length === 10000), 'all rows are there');
  check((await page.locator('.rows .study-row').count()) < 100, 'few of them are elements');
  check(await page.evaluate(() => segue.head.curves.length === 1000), 'curves of a thousand runs');
  check((await page.locator('.badge').first().textContent()).includes('failed'), 'runs that failed are counted');
  await page.getByRole('columnheader', { name: 'last(x)' }).click();
  const sorted = await page.evaluate(() => {
    const values = segue.table.order.map((i) => segue.columns[1][i]).filter(Number.isFinite);
    return values.every((x, i) => !i || x >= values[i - 1]);
  });
  check(sorted, 'a click on a title sorts');
  await page.locator('.slider input').fill('500');
  const value = await page.evaluate(() => segue.columns[0][segue.picked]);
  near(value, 2, 2e-3, 'a slider in the middle picks the run in the middle');
  const slow = await page.evaluate(() => {
    const t = performance.now();
    for (let i = 0; i < 20; i++) {
      segue.targets[0].input.value = i * 50;
      segue.slide();
    }
    return (performance.now() - t) / 20;
  });
  check(slow < 500, `picking a run takes ${slow.toFixed(1)} ms`);
  check(errors.length === 0, `no complaints in the browser: ${errors.join('; ')}`);
  await page.close();
}
await browser.close();
finish();
