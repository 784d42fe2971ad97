// Arrow through its own library.
import { readFileSync } from 'node:fs';
import { tableFromIPC } from 'apache-arrow';
import { points, signals } from './sample.mjs';

const table = tableFromIPC(readFileSync(process.argv[2]));
let failed = 0;
const complain = (text) => {
  if (failed++ < 20) console.log(text);
};
// The libraries of C and JavaScript may round sine and cosine differently in the last bit.
const close = (a, b) => Object.is(a, b) || Math.abs(a - b) <= 2e-16 * Math.max(1, Math.abs(b));

if (table.numRows !== points.length) complain(`${table.numRows} rows, expected ${points.length}`);
const variables = JSON.parse(table.schema.metadata.get('modelica.variables'));
if (typeof variables !== 'object') complain('modelica.variables is not JSON');

for (const [name, value] of Object.entries(signals)) {
  const column = table.getChild(name);
  if (!column) {
    complain(`no ${name} among ${table.schema.fields.map((f) => f.name)}`);
    continue;
  }
  points.forEach(([s, t], i) => {
    const found = column.get(i), expected = value(s, t);
    const same = expected === null || found === null ? found === expected : close(found, expected);
    if (!same) complain(`${name} at ${t}: found ${found}, expected ${expected}`);
  });
}
const unit = table.schema.fields.find((f) => f.name === 'phi').metadata;
if (![...unit.values()].includes('rad')) complain(`no unit rad in ${[...unit]}`);
process.exit(failed ? 1 : 0);
