// The table of a study, as segue study writes it: CSV with titles.

// One line of CSV into fields; `at` is where it begins. Returns where the next one does.
function readLine(text, at, fields) {
  fields.length = 0;
  for (;;) {
    let field;
    if (text[at] === '"') {
      field = '';
      at++;
      for (;;) {
        const end = text.indexOf('"', at);
        if (end < 0) return text.length;
        field += text.slice(at, end);
        at = end + 1;
        if (text[at] !== '"') break;
        field += '"';
        at++;
      }
    } else {
      let end = at;
      while (end < text.length && text[end] !== ',' && text[end] !== '\n') end++;
      field = text.slice(at, end);
      at = end;
    }
    fields.push(field);
    if (text[at] !== ',') return at + 1;
    at++;
  }
}

// Names and numbers: variables, then metrics; the words of the others.
export function parseTable(text, nVariables) {
  const fields = [];
  let at = readLine(text, 0, fields);
  const titles = fields.slice();
  const names = titles.slice(1, titles.indexOf('status', 1));
  const columns = names.map(() => []);
  const out = { rows: [], status: [], message: [], seed: [], columns, names, variables: names.slice(0, nVariables), metrics: names.slice(nVariables) };
  while (at < text.length) {
    at = readLine(text, at, fields);
    if (fields.length < names.length + 4) continue;
    out.rows.push(Number(fields[0]));
    names.forEach((name, k) => columns[k].push(fields[k + 1] === '' ? NaN : Number(fields[k + 1].replace(/^Inf/, 'Infinity'))));
    out.status.push(fields[names.length + 1]);
    out.message.push(fields[names.length + 2]);
    out.seed.push(fields[names.length + 3]);
  }
  return out;
}

// The colors of values, those of segue plot: brightness grows all the way.
const stops = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [210, 196, 20]];

export function colorAt(part) {
  const at = Math.max(0, Math.min(1, part)) * (stops.length - 1);
  const k = Math.min(Math.floor(at), stops.length - 2);
  const mix = stops[k].map((a, i) => Math.round(a + (at - k) * (stops[k + 1][i] - a)));
  return `rgb(${mix.join(' ')})`;
}
