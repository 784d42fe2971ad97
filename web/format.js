// Numbers and units for people.

const degree = 180 / Math.PI;

// Angles are kept in radian and shown in degrees where wanted.
export const display = { degrees: false };

export function shown(unit) {
  if (display.degrees) {
    if (unit === 'rad') return { unit: '°', factor: degree };
    // rad/s and rad*s^-1 alike: rates and accelerations, nothing else per radian
    if (/^rad(\/|\*)s(\^-?\d)?$/.test(unit)) return { unit: pretty('°' + unit.slice(3)), factor: degree };
  }
  return { unit: pretty(unit), factor: 1 };
}

// 'N*m*s/rad', 'm/s^2' as they are printed; 'm*s^-2' is the latter.
export function pretty(unit) {
  const over = unit.match(/^([^*^/]+(?:\*[^*^/]+)*)\*([^*^/]+)\^-(\d)$/);
  if (over) unit = `${over[1]}/${over[2]}${over[3] === '1' ? '' : '^' + over[3]}`;
  const raised = { 2: '²', 3: '³', 4: '⁴', '-1': '⁻¹', '-2': '⁻²', '-3': '⁻³' };
  return unit.replace(/\^(-?\d)/g, (all, digit) => raised[digit] ?? all).replace(/\*/g, '·');
}

export function number(x, digits = 5) {
  if (x === null || x === undefined || Number.isNaN(x)) return '–';
  if (x === 0) return '0';
  const size = Math.abs(x);
  if (size >= 1e6 || size < 1e-4) return x.toExponential(Math.max(1, digits - 2)).replace('-', '−').replace('e−', 'e-');
  const text = Number(x.toPrecision(digits)).toString();
  return text.replace('-', '−');
}

// With the prefix that puts it between 1 and 1000: 0.137 mm is 137 µm.
export function engineering(x, unit, digits = 3) {
  const prefixes = { '-12': 'p', '-9': 'n', '-6': 'µ', '-3': 'm', 0: '', 3: 'k', 6: 'M', 9: 'G' };
  const rounded = Number(x.toPrecision(digits)); // 999.7 is 1 of the next
  const power = 3 * Math.floor(Math.log10(Math.abs(rounded)) / 3);
  if (!(power in prefixes)) return `${number(x, digits)} ${unit}`;
  return `${number(rounded / 10 ** power, digits)} ${prefixes[power]}${unit}`;
}

// Seconds with as many digits as the length of the run needs.
export function seconds(t, length) {
  const digits = length > 0 ? Math.max(0, Math.min(9, 3 - Math.floor(Math.log10(length)))) : 3;
  return t.toFixed(digits).replace('-', '−');
}

export function round125(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  const lead = x / power;
  return (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10) * power;
}
