// The panel that explains keys and mouse.
import { el, tool } from './dom.js';

const keys = [
  ['Playing', [
    ['Space', 'play or pause'],
    ['← →', 'one stored point back or on'],
    ['Shift ← →', 'event or segment before, next'],
    ['Home End', 'start, end'],
    ['+ −', 'faster, slower'],
    ['L', 'repeat'],
  ]],
  ['Looking', [
    ['drag', 'turn; right button or two fingers: move; wheel: zoom'],
    ['click', 'pick a body; again on empty space: none'],
    ['F', 'show all, or the picked body'],
    ['G', 'follow the picked body'],
    ['1 2 3 0', 'from the front, the right, the top, as at the start'],
    ['H', 'hide or show the picked body'],
    ['Esc', 'pick nothing, close'],
  ]],
  ['Showing', [
    ['A', 'axes of bodies'],
    ['B', 'boxes around bodies'],
    ['C', 'contact points'],
    ['N', 'contact normals'],
    ['R', 'contact forces'],
    ['P', 'contact areas, pressure as color'],
    ['J', 'trajectories'],
    ['O', 'ground'],
  ]],
  ['Diagrams and page', [
    ['/', 'find a signal'],
    ['D', 'another diagram'],
    ['drag', 'zoom in on a diagram; double click: whole run'],
    ['click', 'in a diagram: go to that time'],
    ['U', 'angles in degrees or radian'],
    ['T', 'light or dark'],
    ['?', 'this panel'],
  ]],
];

export function makeHelp(run) {
  const dialog = el('dialog', { class: 'help', 'aria-label': 'Help' });
  const a = run.head.attributes;
  const facts = [
    a['experiment.algorithm'] && `solver ${a['experiment.algorithm']}`,
    a['experiment.tolerance'] && `tolerance ${a['experiment.tolerance']}`,
    `${run.n.toLocaleString('en')} points`,
    `${run.segments.length} segment${run.segments.length === 1 ? '' : 's'}`,
    `${run.events.length} event${run.events.length === 1 ? '' : 's'}`,
    run.head.generator,
  ].filter(Boolean);
  dialog.append(
    el('header', {}, el('h2', {}, 'Keys and mouse'), tool('close', 'Close', () => dialog.close())),
    el(
      'div', { class: 'columns' },
      ...keys.map(([title, rows]) =>
        el(
          'section', {},
          el('h3', {}, title),
          el('dl', {}, ...rows.flatMap(([key, what]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, what)])),
        ),
      ),
    ),
    el('p', { class: 'facts' }, facts.join(' · ')),
  );
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  return dialog;
}
