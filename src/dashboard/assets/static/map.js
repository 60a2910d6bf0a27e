// The map of a site and the panel beside it. Every link works without this file.
'use strict';

// One tile is a tab stop; the arrows move among all of them, by what is seen.
const tilesOf = () => [...document.querySelectorAll('[data-map] .tile')];

function makeStop(tile) {
  for (const one of tilesOf()) one.tabIndex = one === tile ? 0 : -1;
}

/** The tile above or below: the nearest row, and in it the nearest tile. */
function beyond(tiles, tile, step) {
  const { top, left } = tile.getBoundingClientRect();
  const boxes = tiles.map((one) => ({ one, box: one.getBoundingClientRect() }));
  const rows = boxes.filter(({ box }) => (step > 0 ? box.top > top + 1 : box.top < top - 1));
  const row =
    step > 0 ? Math.min(...rows.map(({ box }) => box.top)) : Math.max(...rows.map(({ box }) => box.top));
  const away = ({ box }) => Math.abs(box.left - left);
  return rows
    .filter(({ box }) => Math.abs(box.top - row) < 2)
    .sort((one, other) => away(one) - away(other))[0]?.one;
}

const MOVES = {
  ArrowRight: (tiles, tile) => tiles[tiles.indexOf(tile) + 1],
  ArrowLeft: (tiles, tile) => tiles[tiles.indexOf(tile) - 1],
  ArrowDown: (tiles, tile) => beyond(tiles, tile, 1),
  ArrowUp: (tiles, tile) => beyond(tiles, tile, -1),
  Home: (tiles) => tiles[0],
  End: (tiles) => tiles.at(-1),
};

document.addEventListener('keydown', (event) => {
  const tile = event.target.closest('[data-map] .tile');
  const move = MOVES[event.key];
  if (tile === null || move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const to = move(tilesOf(), tile);
  if (to === undefined) return;
  makeStop(to);
  to.focus();
});
document.addEventListener('focusin', ({ target }) => {
  const tile = target.closest('[data-map] .tile');
  if (tile !== null) makeStop(tile);
});
makeStop(document.querySelector('[data-map] .tile[aria-current]') ?? tilesOf()[0]);

// The panel: its unit is marked, and whoever opened it by the keyboard goes on in it and comes back with Escape.
const PEEK = 'peek';
let opener;

const isPeek = ({ detail }) => detail.target?.id === PEEK;
const unitOf = (link) => new URL(link.href).searchParams.get('peek');

document.addEventListener('htmx:beforeSwap', (event) => {
  // Whatever else the server answers, such as the page to sign in, is a page of its own.
  if (!isPeek(event) || event.detail.xhr.responseText.includes(`id="${PEEK}"`)) return;
  event.preventDefault();
  location.assign(event.detail.requestConfig.elt.href);
});
document.addEventListener('htmx:sendError', (event) => {
  if (isPeek(event)) location.assign(event.detail.requestConfig.elt.href);
});
document.addEventListener('htmx:afterSettle', ({ detail }) => {
  const panel = document.getElementById(PEEK);
  if (detail.elt.id !== PEEK || panel === null) return;
  const shown = new URL(location.href).searchParams.get('peek');
  for (const link of document.querySelectorAll('[data-map] .tile, [data-peeks]')) {
    if (shown !== null && unitOf(link) === shown) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
  const { elt } = detail.requestConfig;
  if (panel.hidden) return opener?.focus();
  if (elt.matches('.tile, [data-peeks]')) {
    opener = elt;
    panel.querySelector('#peek-title').focus();
  }
});
document.addEventListener('keydown', ({ key, target, defaultPrevented }) => {
  if (key !== 'Escape' || defaultPrevented || document.querySelector('#peek :popover-open') !== null) return;
  target.closest('#peek')?.querySelector('.cancel').click();
});

// A table that is too wide scrolls by itself. One that fits scrolls with the page, under its head.
const fitting = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const scroll = target.closest('.scroll');
    scroll?.classList.toggle('fits', scroll.scrollWidth <= scroll.clientWidth);
  }
});
for (const table of document.querySelectorAll('.scroll > table')) {
  fitting.observe(table);
  fitting.observe(table.parentElement);
}
