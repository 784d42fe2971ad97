// Elements without markup: texts of a model become text nodes and nothing else.

// el('button', {class: 'tool', title: 'Fit', on: {click}}, 'Fit', child...)
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === 'on') {
      for (const [event, handler] of Object.entries(value)) node.addEventListener(event, handler);
    } else if (value === true) {
      node.setAttribute(key, '');
    } else if (value !== false && value !== undefined && value !== null) {
      node.setAttribute(key, value);
    }
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

const paths = {
  play: 'M7 4.5v15l12-7.5z',
  pause: 'M7 5h3.5v14H7zM13.5 5H17v14h-3.5z',
  stepBack: 'M16 5.5v13L7.5 12zM5 5.5h2v13H5z',
  stepForward: 'M8 5.5v13l8.5-6.5zM17 5.5h2v13h-2z',
  eventBack: 'M19 5.5v13L12 12zM11.5 5.5v13L4.500 12z',
  eventForward: 'M5 5.5v13l7-6.500zM12.5 5.5v13l7-6.500z',
  start: 'M18 5.5v13L9 12zM5 5.5h2.500v13H5z',
  loop: 'M7 7h9.500l-2-2 1.300-1.300L20 7.900l-4.200 4.200-1.300-1.300 2-2H8.800V13H7zm10 10H7.500l2 2-1.300 1.300L4 16.100l4.200-4.200 1.300 1.300-2 2h7.700V11H17z',
  fit: 'M4 4h6v2H6v4H4zm10 0h6v6h-2V6h-4zM4 14h2v4h4v2H4zm14 0h2v6h-6v-2h4z',
  follow: 'M11 3h2v2.100A7 7 0 0 1 18.900 11H21v2h-2.100A7 7 0 0 1 13 18.900V21h-2v-2.100A7 7 0 0 1 5.100 13H3v-2h2.100A7 7 0 0 1 11 5.100zm1 4a5 5 0 1 0 0 10 5 5 0 0 0 0-10zm0 3a2 2 0 1 1 0 4 2 2 0 0 1 0-4z',
  axes: 'M11 3h2v9.800l7 4-1 1.700-7-4-7 4-1-1.700 7-4z',
  boxes: 'M12 2.500 20.500 7v10L12 21.500 3.500 17V7zM12 4.800 7.300 7.300 12 9.800l4.700-2.500zM5.500 9v6.800l5.500 3V12zm13 0L13 12v6.800l5.500-3z',
  points: 'M12 8.500a3.500 3.500 0 1 1 0 7 3.500 3.500 0 0 1 0-7zM3 18.500h18v1.800H3z',
  normals: 'M11 19V8H7.500L12 2.500 16.500 8H13v11zM4 19.500h16v2H4z',
  forces: 'M4 18.600 15 7.600h-5V5.500h8.500V14h-2V9L5.400 20z',
  patches: 'M2.500 14 12 8.500 21.500 14 12 19.500zM6.500 14l5.500 3.200 5.500-3.200-5.500-3.200zM11 2.500h2V6h-2z',
  paths: 'M4 18c4 0 3.500-12 8-12s4 7 8 7v2c-5.500 0-5-7-8-7s-2.500 12-8 12z',
  theme: 'M12 3a9 9 0 1 0 9 9c0-.5 0-1-.1-1.500A5.500 5.500 0 0 1 13.500 3.100 9 9 0 0 0 12 3z',
  help: 'M12 2.500a9.500 9.500 0 1 1 0 19 9.500 9.500 0 0 1 0-19zm0 2a7.500 7.500 0 1 0 0 15 7.500 7.500 0 0 0 0-15zM11 16h2v2h-2zm1-10a3.700 3.700 0 0 1 3.800 3.600c0 1.900-1.300 2.600-2.100 3.200-.6.400-.7.600-.7 1.200v.5h-2V14c0-1.700.9-2.300 1.600-2.800.7-.5 1.200-.8 1.200-1.600 0-.9-.8-1.600-1.800-1.600s-1.800.7-1.800 1.700h-2A3.700 3.700 0 0 1 12 6z',
  eye: 'M12 5.500c5 0 8.500 4.500 9.500 6.500-1 2-4.500 6.500-9.500 6.500S3.500 14 2.500 12C3.500 10 7 5.500 12 5.500zm0 2.500a4 4 0 1 0 0 8 4 4 0 0 0 0-8zm0 2a2 2 0 1 1 0 4 2 2 0 0 1 0-4z',
  eyeOff: 'M4.300 3 21 19.700 19.700 21l-3.300-3.300a10 10 0 0 1-4.400.8c-5 0-8.500-4.500-9.500-6.500a14 14 0 0 1 4-4.700L3 4.300zM12 5.500c5 0 8.500 4.500 9.500 6.500a14 14 0 0 1-2.800 3.700L8.600 5.900A9 9 0 0 1 12 5.500z',
  close: 'M6.400 5 12 10.600 17.600 5 19 6.400 13.400 12l5.600 5.600-1.400 1.400-5.600-5.600L6.400 19 5 17.600l5.600-5.600L5 6.400z',
  plus: 'M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z',
  chevron: 'M9 6l6 6-6 6z',
  plot: 'M4 4h2v14h14v2H4zm4 10 3.500-5 3 3L19 6l1.500 1.300-6 7.200-3-3L9.500 15z',
  search: 'M10.500 4a6.500 6.500 0 0 1 5.200 10.400l4.400 4.400-1.300 1.300-4.400-4.400A6.500 6.500 0 1 1 10.500 4zm0 2a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9z',
};

export function icon(name) {
  const ns = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(ns, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(ns, 'path');
  path.setAttribute('d', paths[name]);
  svg.append(path);
  return svg;
}

// A button with an icon; `label` is its tooltip and what screen readers say.
export function tool(name, label, onClick, attributes = {}) {
  return el(
    'button',
    { type: 'button', class: 'tool', title: label, 'aria-label': label, on: { click: onClick }, ...attributes },
    icon(name),
  );
}

export function setIcon(button, name) {
  button.replaceChildren(icon(name));
}
