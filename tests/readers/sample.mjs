// What must be in the sample: the formulas of src/result/sample_test.c, written down again.
export const points = [0, 1].flatMap((s) => [...Array(11).keys()].map((i) => [s, s + 0.1 * i]));

export const signals = {
  time: (s, t) => t,
  phi: (s, t) => Math.cos(t),
  'der(phi)': (s, t) => -Math.sin(t),
  'body.r[2]': (s, t) => 2 * t,
  'body.r[3]': (s, t) => (s ? NaN : 5),
  'body.R[2,1]': (s, t) => 2 * t,
  'body.R[1,2]': (s, t) => 3 * t,
  'late.s': (s, t) => (s ? t - 1 : null),
};
