// The list of contacts in a browser: what `segue info` tells of the same run, row by row; searching; a click goes to
// the deepest moment; what a restitution acts as. Output points are 50 ms apart, and no impact lasts for one.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { check, finish, here, launch, makePage, near, open, scratch, segue } from './browser.mjs';

const browser = await launch();
const file = makePage(`${here}/contacts.jl`, 'contacts', '--output', join(scratch, 'contacts-results'));
const told = execFileSync(segue, ['info', '--contacts', join(scratch, 'contacts-results'), 'nothing'], { encoding: 'utf8' });
const expected = told.split('\n').flatMap((line) => {
  const row = /^ {2}(\S+) +(\S+) +(\S+) +(\S+) +(\S+) +(\S+) {2}(\S+) +(\S.*)$/.exec(line);
  const [begin, , , depth, at, force] = row ? row.slice(1).map(Number) : [NaN];
  return Number.isNaN(begin) ? [] : [{ begin, lasts: row[2] === 'lasts', depth, at, force, law: row[7], names: row[8] }];
});
expected.sort((x, y) => x.begin - y.begin);
check(expected.length === 8 && expected.filter((row) => row.lasts).length === 1, `segue info has ${expected.length} contacts, one of which lasts`);

const { page, errors } = await open(browser, file);
await page.getByRole('tab', { name: 'Contacts' }).click();
// '137 µm' without its prefix.
const plain = (text) => {
  const [, digits, prefix] = /^(\S+) ([pnµmkMG]?)[mN]$/.exec(text) ?? [];
  return Number(digits) * { p: 1e-12, n: 1e-9, µ: 1e-6, m: 1e-3, '': 1, k: 1e3, M: 1e6, G: 1e9 }[prefix];
};
const rows = () => page.$$eval('ul.contacts li.row', (list) => list.map((row) => [...row.querySelectorAll('span')].map((cell) => cell.textContent)));
const shown = await rows();
check(shown.length === expected.length, `the page has as many: ${shown.length}`);
expected.forEach((row, k) => {
  const [when, law, names, value] = shown[k] ?? ['', '', '', ''];
  const [depth, force] = value.split(', ').map(plain);
  check(names === row.names && law === row.law, `row ${k}: ${law} ${names}`);
  near(parseFloat(when), row.begin, 1e-3, 'begins at');
  near(depth, row.depth, 0.006 * row.depth, 'depth [m]');
  near(force, row.force, 0.006 * row.force, 'force [N]');
});
check((await page.textContent('.panel-body:not([hidden]) .hint')).includes('0.7 of Steel and Steel acts as 0.683'), 'what the restitution acts as is told');

// A click goes to the deepest moment, between two output points; so does the Enter key.
const hit = expected.findIndex((row) => row.names === 'left, right');
await page.locator('ul.contacts li.row').nth(hit).click();
near(await page.evaluate(() => segue.clock.time), expected[hit].at, 1e-6, 'a click goes to the deepest moment');
await page.screenshot({ path: join(scratch, 'contacts.png') });
await page.locator('ul.contacts li.row').nth(0).press('Enter');
near(await page.evaluate(() => segue.clock.time), expected[0].at, 1e-6, 'so does the Enter key');

// Searching, by either object, in any order.
const search = page.getByLabel('Find a contact');
await search.fill('low');
check((await rows()).length === 3, 'three contacts of the low ball are found');
await search.fill('right left');
check((await rows()).length === 1, 'two words find what has both');
await search.fill('nobody');
check((await rows()).length === 0 && (await page.textContent('ul.contacts')).includes('No contact has this name'), 'what is not there is told');
await search.fill('');
check((await rows()).length === expected.length, 'all are there again');

// Tabs and names can be read: nothing is cut off.
const cut = await page.$$eval('.tabs button, ul.contacts .name', (list) =>
  list.filter((e) => e.offsetParent && (e.scrollWidth > e.clientWidth + 1 || e.getBoundingClientRect().right > e.closest('.panel-body, .tabs').getBoundingClientRect().right)).map((e) => e.textContent));
check(cut.length === 0, `tabs and names are there to their ends: ${cut}`);
check(errors.length === 0, `no complaints in the browser: ${errors.join('; ')}`);
await browser.close();
finish();
