// The page in a browser, shortly: it loads without complaints, the picture is not blank, a body is where
// it should be, playing goes on, a signal is drawn. .ci/run runs it.
import { check, finish, here, hue, launch, makePage, open, pixels } from './browser.mjs';
import { display, shown } from '../../web/format.js';

// Degrees on request: angles, rates and accelerations, however the unit is written; nothing else.
display.degrees = true;
for (const [unit, text] of [['rad', '°'], ['rad/s', '°/s'], ['rad*s^-1', '°/s'], ['rad/s^2', '°/s²'], ['rad*s^-2', '°/s²']])
  check(shown(unit).unit === text && Math.abs(shown(unit).factor - 180 / Math.PI) < 1e-12, `${unit} becomes ${shown(unit).unit}`);
for (const unit of ['m', 'N*m/rad', 'N*m*s/rad']) check(shown(unit).factor === 1, `${unit} stays`);

const browser = await launch();
const file = makePage(`${here}/scene.jl`, 'smoke');
const { page, errors } = await open(browser, file);

const ball = await page.evaluate(() => {
  const index = segue.stage.bodies.findIndex((b) => b.path === 'ball');
  return { index, at: segue.stage.project(index) };
});
const view = await page.evaluate(() => {
  const box = segue.view.getBoundingClientRect();
  return [box.left + 5, box.bottom - 5];
});
const [onBall, corner] = await pixels(page, [[ball.at.x, ball.at.y], view]);
check(hue(onBall) === 'red', `the ball is red where it should be (${onBall})`);
check(hue(corner) !== 'red', `the corner of the picture is not (${corner})`);

await page.keyboard.press('Space');
await page.waitForFunction(() => segue.clock.time > segue.run.start, null, { timeout: 20000 });
await page.keyboard.press('Space');
check(await page.evaluate(() => !segue.clock.playing && segue.clock.time > 0), 'it plays and pauses');

check(await page.evaluate(() => segue.plots.diagrams.some((d) => d.plot && d.scalars.length)), 'a diagram has curves');
await page.getByRole('tab', { name: 'Contacts' }).click();
await page.locator('ul.contacts li.row').first().click();
const deepest = await page.evaluate(() => segue.run.touches[0].depthTime);
check(await page.evaluate((t) => segue.clock.time === t, deepest), `the list of contacts goes to the deepest moment (${deepest} s)`);
await page.keyboard.press('u');
check(await page.evaluate(() => document.querySelector('button.units').textContent === 'deg'), 'U switches to degrees');
check(errors.length === 0, `no complaints in the browser: ${errors.join('; ')}`);
await browser.close();
finish();
