// The page in a browser, all of it: scrubbing, picking, plotting, overlays, segments, texts, keys, sizes,
// every shape, many bodies. Screenshots stay in build/tests/page.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, finish, here, hue, launch, makePage, near, open, pixels, scratch, segue as program } from './browser.mjs';

const browser = await launch();

async function shot(page, name) {
  await page.screenshot({ path: join(scratch, `${name}.png`) });
}

const settle = (page) => page.waitForTimeout(150);

// ---- a scene with contacts and segments -----------------------------------------------------

{
  const file = makePage(`${here}/scene.jl`, 'scene');
  const { page, errors } = await open(browser, file);
  const index = (path) => page.evaluate((p) => segue.stage.bodies.findIndex((b) => b.path === p), path);
  const where = (i) => page.evaluate((k) => segue.stage.project(k), i);
  const ball = await index('ball');
  const capsule = await index('capsule');

  // Free fall from 0.3 m: the exact values of the plots, and the pose of the picture.
  await page.evaluate(() => segue.clock.seek(0.1));
  const fall = await page.evaluate((k) => {
    const y = segue.run.valueAt(segue.run.byName.get('ball.r_abs[2]'), segue.clock.place);
    return { y, shown: segue.stage.bodies[k].position[1] + segue.run.scene.middle[1] };
  }, ball);
  near(fall.y, 0.3 - 0.5 * 9.81 * 0.01, 1e-6, 'the height of the ball in the signals');
  near(fall.shown, fall.y, 1e-6, 'the height of the ball in the picture');

  // Scrubbing with the mouse.
  const track = await page.evaluate(() => {
    const box = segue.transport.track.getBoundingClientRect();
    return { x: box.left, y: box.top, width: box.width, height: box.height };
  });
  await page.mouse.move(track.x + 8, track.y + track.height / 2);
  await page.mouse.down();
  await page.mouse.move(track.x + track.width / 2, track.y + track.height / 2, { steps: 4 });
  await page.mouse.up();
  near(await page.evaluate(() => segue.clock.time), 0.3, 0.01, 'dragging to the middle of the time line');

  // Picking the ball, plotting a signal of it from the card.
  await page.evaluate(() => segue.clock.seek(0.05));
  await settle(page);
  const at = await where(ball);
  await page.mouse.click(at.x, at.y);
  check((await page.evaluate(() => segue.stage.selected)) === ball, 'a click picks the ball');
  check((await page.textContent('.inspector strong')) === 'ball', 'the card says its name');
  const before = await page.evaluate(() => segue.plots.diagrams.flatMap((d) => d.scalars).length);
  await page.click('.inspector .signals .row >> nth=1');
  const after = await page.evaluate(() => segue.plots.diagrams.flatMap((d) => d.scalars).length);
  check(Math.abs(after - before) === 1, 'a click on a signal of the card plots it');
  await shot(page, 'picked');
  await page.keyboard.press('Escape');

  // Searching a signal.
  await page.keyboard.press('/');
  await page.keyboard.type('ball.rotation[1]');
  const rows = await page.$$('.side .signals .row');
  check(rows.length === 1, `the search finds one signal, not ${rows.length}`);
  await rows[0].click();
  check(await page.evaluate(() => segue.plots.isPlotted(segue.run.byName.get('ball.rotation[1]'))), 'a click plots it');
  await page.keyboard.press('Escape');
  await page.evaluate(() => document.activeElement.blur());

  // A second diagram, zoom, and a click that moves the clock.
  const diagrams = await page.evaluate(() => segue.plots.diagrams.length);
  await page.keyboard.press('d');
  check((await page.evaluate(() => segue.plots.diagrams.length)) === diagrams + 1, 'another diagram');
  const over = await page.evaluate(() => {
    const box = segue.plots.diagrams[0].plot.over.getBoundingClientRect();
    return { x: box.left, y: box.top, width: box.width, height: box.height };
  });
  await page.mouse.move(over.x + 0.25 * over.width, over.y + 20);
  await page.mouse.down();
  await page.mouse.move(over.x + 0.75 * over.width, over.y + 40, { steps: 5 });
  await page.mouse.up();
  const zoom = await page.evaluate(() => segue.plots.zoom);
  check(zoom && Math.abs(zoom[0] - 0.15) < 0.01 && Math.abs(zoom[1] - 0.45) < 0.01, `a drag zooms to ${zoom}`);
  await page.waitForTimeout(400);
  await page.mouse.click(over.x + 0.5 * over.width, over.y + 30);
  near(await page.evaluate(() => segue.clock.time), 0.3, 0.01, 'a click in a diagram moves the clock');

  // Contacts: arrows are drawn while the ball touches.
  const touch = await page.evaluate(() => {
    const { first } = segue.contacts;
    for (let k = 0; k + 1 < first.length; k++) if (first[k + 1] > first[k] && segue.contacts.list(k)[0].force > 0) return k;
    return -1;
  });
  check(touch > 0, 'the ball touches the plate');
  const names = await page.evaluate((k) => segue.contacts.list(k).map((c) => [c.a, c.b].sort().join(' ')), touch);
  check(names[0] === 'ball plate', `the contact names both objects: ${names}`);
  await page.keyboard.press('0');
  await page.evaluate((k) => segue.clock.seekPoint(k), touch);
  for (const key of ['c', 'n', 'r', 'b', 'a', 'j']) await page.keyboard.press(key);
  await settle(page);
  const shown = await page.evaluate(() => ({
    points: segue.contacts.points.visible && segue.contacts.points.count,
    normals: segue.contacts.normals.visible,
    forces: segue.contacts.forces.visible,
    boxes: segue.boxes.object.visible,
    axes: segue.axes.object.visible,
    paths: segue.trajectories.object.visible,
  }));
  check(shown.points === 1 && shown.normals && shown.forces && shown.boxes && shown.axes && shown.paths, `overlays: ${JSON.stringify(shown)}`);
  // The box of the ball along the axes of the world has its diameter.
  const box = await page.evaluate((k) => {
    const y = [];
    for (let i = 0; i < 24; i++) y.push(segue.boxes.positions[72 * k + 3 * i + 1]);
    return Math.max(...y) - Math.min(...y);
  }, ball);
  near(box, 0.2, 1e-6, 'the box around the ball');
  await shot(page, 'overlays');
  for (const key of ['c', 'n', 'r', 'b', 'a', 'j']) await page.keyboard.press(key);

  // The capsule vanishes with its segment, from the picture too.
  const jump = await page.evaluate(() => segue.run.segments[1].first);
  await page.evaluate((k) => segue.clock.seekPoint(k - 1), jump);
  await settle(page);
  const place = await where(capsule);
  const [there] = await pixels(page, [[place.x, place.y]]);
  check(hue(there) === 'green', `the capsule is there before its segment ends (${there})`);
  await page.keyboard.press('Shift+ArrowRight');
  await settle(page);
  near(await page.evaluate(() => segue.clock.time), 0.3, 1e-9, 'the next event is the segment');
  const [gone] = await pixels(page, [[place.x, place.y]]);
  check(hue(gone) !== 'green', `and it is gone behind (${gone})`);
  check(Number.isNaN(await page.evaluate(() => segue.run.valueAt(segue.run.byName.get('capsule.r_abs[2]'), segue.clock.place))), 'its signals have no value there');

  // Show and hide, follow, fit, theme, units, help.
  await page.evaluate(() => segue.openTab(0));
  await page.evaluate((k) => segue.select(k), ball);
  await page.keyboard.press('h');
  check(await page.evaluate((k) => segue.stage.bodies[k].hidden, ball), 'the picked body is hidden');
  await page.keyboard.press('h');
  await page.keyboard.press('g');
  const target = await page.evaluate((k) => {
    segue.clock.seek(0.02);
    const { target } = segue.stage.controls;
    const p = segue.stage.bodies[k].position;
    return Math.hypot(target.x - p[0], target.y - p[1], target.z - p[2]);
  }, ball);
  near(target, 0, 1e-5, 'the camera follows the ball');
  await page.keyboard.press('Escape');
  const theme = await page.evaluate(() => document.documentElement.dataset.theme);
  await page.keyboard.press('t');
  check((await page.evaluate(() => document.documentElement.dataset.theme)) !== theme, 'light becomes dark');
  await settle(page);
  await shot(page, 'dark');
  await page.keyboard.press('?');
  check(await page.isVisible('dialog.help'), 'the help opens');
  await shot(page, 'help');
  await page.keyboard.press('Escape');

  // Texts of a model are texts.
  check((await page.evaluate(() => window.hacked)) === undefined, 'a text of the model runs nothing');
  check((await page.$$('img')).length === 0, 'and is no element');
  check(errors.length === 0, `no complaints: ${errors.join('; ')}`);
  await page.close();
}

// ---- areas of contact -----------------------------------------------------------------------

{
  const file = makePage(`${here}/patches.jl`, 'patches');
  const { page, errors } = await open(browser, file);
  await page.evaluate(() => segue.clock.seekPoint(segue.run.n - 1));
  await page.click('.tabs button:has-text("Contacts")');
  await settle(page);
  const list = await page.evaluate(() => segue.contacts.list(segue.clock.place.point));
  const of = (a, b) => list.find((c) => [c.a, c.b].sort().join(' ') === [a, b].sort().join(' '));
  const [crate, drum, ball] = [of('crate', 'floor'), of('crate', 'drum'), of('ball', 'floor')];
  check(crate.law === 'area' && drum.law === 'area' && ball.law === 'point', `laws: ${list.map((c) => c.law)}`);
  check(crate.grip === 'sticks' && drum.grip === 'sticks' && ball.grip === 'creeps', `grips: ${list.map((c) => c.grip)}`);
  // Steel holds with 0.5; the slope asks for tan(0.2).
  near(crate.share, Math.tan(0.2) / 0.5, 2e-3, 'the share of friction that is used');
  // The patch lies where the crate stands, its pressure falls towards the upper edge.
  const patch = await page.evaluate(() => {
    const { patches, contacts, run } = segue;
    const first = contacts.first[segue.clock.place.point];
    const objects = run.scene.objects;
    let k = first;
    while (objects[contacts.pair[2 * k]] === 'ball' || objects[contacts.pair[2 * k + 1]] !== 'crate') k++;
    const corners = [];
    for (let i = patches.corners[patches.pieces[k]]; i < patches.corners[patches.pieces[k + 1]]; i++)
      corners.push({ x: contacts.place[10 * k] + patches.at[4 * i] + run.scene.middle[0], p: patches.at[4 * i + 3] });
    return corners;
  });
  const low = Math.max(...patch.map((c) => c.x));
  near(low, 0.1, 2e-3, 'the lower edge of the patch');
  check(patch.find((c) => c.x === low).p > 3 * Math.min(...patch.map((c) => c.p)), `more pressure below: ${patch.map((c) => c.p)}`);
  check(await page.evaluate(() => segue.patches.faces.visible), 'visualizeContactPoints shows areas');
  check(/[kM]Pa$/.test(await page.textContent('.scale span')), 'the scale tells the largest pressure');
  // Red below, blue above, in the picture: colors of the scale at both ends of the patch.
  const ends = await page.evaluate(() => {
    const { position, uv } = segue.patches.faces.geometry.attributes;
    const box = segue.stage.renderer.domElement.getBoundingClientRect();
    const n = segue.patches.faces.geometry.drawRange.count;
    let [hot, cold] = [0, 0];
    for (let i = 0; i < n; i++) {
      if (uv.getX(i) > uv.getX(hot)) hot = i;
      if (position.getZ(i) < 1e-6 - segue.run.scene.middle[2] && position.getX(i) < position.getX(cold)) cold = i;
    }
    return { hot: uv.getX(hot), cold: uv.getX(cold), box: box.width };
  });
  check(ends.hot > 0.99 && ends.cold < 0.5, `pressures in the picture: ${JSON.stringify(ends)}`);
  // Lines are outlines only: those of the crate, the drum and the capsule, whose patch has many pieces. A face beside a capsule, with a
  // tenth of its pressure or less, has a color.
  const drawn = await page.evaluate(() => {
    const { patches, contacts, run } = segue;
    const [from, to] = [0, 1].map((k) => contacts.first[segue.clock.place.point + k]);
    const most = patches.largest(from, to);
    const power = patches.power(from, to, most);
    return [...Array(to - from).keys()].map((i) => i + from).filter((k) => patches.pieces[k + 1] > patches.pieces[k]).map((k) => {
      let [outer, pieces] = [0, patches.pieces[k + 1] - patches.pieces[k]];
      for (let p = patches.pieces[k]; p < patches.pieces[k + 1]; p++)
        for (let i = patches.corners[p]; i < patches.corners[p + 1]; i++) outer += patches.isOuter(k, p, i);
      const names = [0, 1].map((j) => run.scene.objects[contacts.pair[2 * k + j]]);
      return { names, outer, pieces, edges: patches.corners[patches.pieces[k + 1]] - patches.corners[patches.pieces[k]], color: (patches.largest(k, k + 1) / most) ** power };
    });
  });
  const lies = drawn.find((c) => c.names.includes('capsule'));
  check(lies.pieces > 20 && lies.outer < 0.5 * lies.edges, `the capsule's outline: ${JSON.stringify(lies)}`);
  check(drawn.every((c) => c.color > 0.33) && drawn.some((c) => c.color > 0.99), `all have colors: ${JSON.stringify(drawn)}`);
  check(/Pa$/.test(await page.textContent('.scale div span')), 'the middle of the scale is told');
  const rows = await page.$$eval('.held .row', (items) => items.map((item) => item.textContent));
  check(rows.length === 4 && rows.some((text) => text.includes('sticks 40.5 %')), `the list of this moment: ${rows}`);
  check((await page.textContent('.contacts .badge')) === 'point' || (await page.textContent('.contacts .badge')) === 'area', 'the table tells laws');
  await shot(page, 'patches');
  await page.keyboard.press('p');
  check(!(await page.evaluate(() => segue.patches.faces.visible)), 'P hides them');
  check(errors.length === 0, `no complaints: ${errors.join('; ')}`);
  await page.close();
}

// ---- every shape ----------------------------------------------------------------------------

{
  const file = makePage(`${here}/shapes.jl`, 'shapes');
  const { page, errors } = await open(browser, file, { hash: '#theme=light&ui=none' });
  const bodies = await page.evaluate(() =>
    segue.stage.bodies.map((b) => ({ path: b.path, kind: b.kind, drawn: !!(b.group || b.object), at: segue.stage.project(b.index) })),
  );
  check(bodies.every((b) => b.drawn), `all are drawn: ${bodies.filter((b) => !b.drawn).map((b) => b.path)}`);
  const up = await page.evaluate(() => segue.stage.camera.up.toArray().join());
  check(up === '0,0,1', `up is against gravity: ${up}`);
  const ball = bodies.find((b) => b.path === 'ball');
  const [color] = await pixels(page, [[ball.at.x, ball.at.y]]);
  check(hue(color) === 'red', `the ball is red (${color})`);
  await shot(page, 'shapes');
  check(errors.length === 0, `no complaints: ${errors.join('; ')}`);
  await page.close();
}

// ---- a phone --------------------------------------------------------------------------------

{
  const { page, errors } = await open(browser, join(scratch, 'scene.html'), { width: 390, height: 780 });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  check(wide <= 390, `nothing is wider than the window (${wide})`);
  for (const name of ['Signals', 'Events', 'Objects', 'Diagrams']) await page.click(`.tabs button:has-text("${name}")`);
  check(await page.isVisible('.diagram canvas'), 'diagrams have a tab of their own');
  await shot(page, 'phone');
  check(errors.length === 0, `no complaints: ${errors.join('; ')}`);
  await page.close();
}

// ---- many bodies ----------------------------------------------------------------------------

function many(n, points) {
  const model = join(scratch, `many${n}.jl`);
  writeFileSync(
    model,
    `using Modia3D
look(i) = VisualMaterial(color = [mod(37*i, 255), mod(91*i, 255), 180])
body(i) = Object3D(parent = :world, fixedToParent = false, translation = [0.3*mod(i, 100), 0.3*div(i, 100), 0.0], angularVelocity = [0.0, 1.0 + mod(i, 7), 0.5],
    feature = Solid(shape = Box(lengthX = 0.2, lengthY = 0.1, lengthZ = 0.15), solidMaterial = "Steel", visualMaterial = look(i)))
Many = Model3D(world = Object3D(feature = Scene(gravityField = NoGravityField())),
${[...Array(n).keys()].map((i) => `    b${i + 1} = body(${i + 1})`).join(',\n')})
many = @instantiateModel(Many, unitless = true)
simulate!(many, stopTime = 1.0, interval = ${1 / (points - 1)}, log = false)
`,
  );
  return model;
}

for (const [n, points, most] of [[100, 1001, 5e6], [Number(process.env.SG_MANY_BODIES ?? 2000), 11, Infinity]]) {
  const file = makePage(many(n, points), `many${n}`);
  const { statSync } = await import('node:fs');
  const { size } = statSync(file);
  const { page, errors } = await open(browser, file);
  const times = await page.evaluate(async () => {
    const list = [];
    for (let k = 0; k < 60; k++) {
      segue.clock.seek((k / 60) * segue.run.stop);
      await new Promise((done) => requestAnimationFrame(done));
      list.push(segue.stage.updateTime);
    }
    list.sort((a, b) => a - b);
    return { median: list[30], calls: segue.stage.renderer.info.render.calls };
  });
  check(size < most, `${n} bodies x ${points} frames: ${(size / 1e6).toFixed(2)} MB`);
  check(times.median < 4 || n > 1000, `${n} bodies: ${times.median.toFixed(2)} ms of script a frame`);
  check(times.calls < 12, `${n} bodies: ${times.calls} draw calls`);
  check(errors.length === 0, `no complaints: ${errors.join('; ')}`);
  await shot(page, `many${n}`);
  await page.close();
}

// ---- a picture from the command line --------------------------------------------------------

{
  const out = join(scratch, 'ball.png');
  execFileSync(program, ['view', '-q', '--png', '0.05', '--size', '640x480', '-o', out, `${here}/scene.jl`]);
  const page = await browser.newPage({ viewport: { width: 640, height: 480 } });
  await page.goto(`file://${out}`);
  const colors = await pixels(page, [...Array(480).keys()].map((y) => [320, y]));
  check(colors.some((c) => hue(c) === 'red'), 'the picture of --png shows the ball');
  await page.close();
}

await browser.close();
finish();
