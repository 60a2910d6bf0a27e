// Every picture works without this file.
'use strict';

// A tile's tip stays within the window.
for (const begin of ['mouseover', 'focusin']) {
  document.addEventListener(begin, ({ target }) => {
    document.body.classList.remove('tips-off');
    const tip = target.closest('.tile')?.querySelector('.tip');
    if (!tip) return;
    tip.classList.remove('to-start');
    tip.classList.toggle(
      'to-start',
      tip.getBoundingClientRect().right > document.documentElement.clientWidth,
    );
  });
}

// Escape hides the tip until the pointer or the focus moves on.
document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') document.body.classList.add('tips-off');
});

// The slider under a unit's picture: the line follows it, and letting go opens the page of that instant.
const slider = document.querySelector('#slider-minute');
const chart = document.querySelector('.unit-chart');
const MINUTE = 60_000;

function follow() {
  const { min, max, value } = slider;
  const line = chart?.querySelector('.at');
  const place = `${((value - min) / (max - min)) * 100}%`;
  line?.setAttribute('x1', place);
  line?.setAttribute('x2', place);
  const { zone } = slider.dataset;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  const begun = [...chart.querySelectorAll('[data-from]')].filter(
    ({ dataset }) => dataset.from <= value * MINUTE,
  );
  const state = begun.at(-1)?.dataset.state;
  slider.form.querySelector('output').value =
    format.format(value * MINUTE) + (state === undefined ? '' : `: ${state}`);
}

function letGo() {
  if (slider.value !== slider.defaultValue) slider.form.requestSubmit();
}

slider?.addEventListener('input', follow);
slider?.addEventListener('pointerup', letGo);

// A click on the picture, or a drag, moves the slider. By the keyboard and with Ctrl each band is a link.
let isPicking = false;
function pick({ clientX }) {
  const { left, width } = chart.getBoundingClientRect();
  const share = Math.min(Math.max((clientX - left) / width, 0), 1);
  slider.value = Number(slider.min) + share * (slider.max - slider.min);
  follow();
}
chart?.addEventListener('dragstart', (event) => event.preventDefault());
chart?.addEventListener('pointerdown', ({ button, ctrlKey, metaKey, shiftKey }) => {
  isPicking = slider !== null && button === 0 && !ctrlKey && !metaKey && !shiftKey;
});
document.addEventListener('pointermove', (event) => {
  if (isPicking) pick(event);
});
document.addEventListener('pointercancel', () => (isPicking = false));
document.addEventListener('pointerup', (event) => {
  if (!isPicking) return;
  isPicking = false;
  chart.addEventListener('click', (click) => click.preventDefault(), { once: true, capture: true });
  pick(event);
  letGo();
});
