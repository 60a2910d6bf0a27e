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
  slider.form.querySelector('output').value = format.format(value * 60_000);
}

function letGo() {
  if (slider.value !== slider.defaultValue) slider.form.requestSubmit();
}

slider?.addEventListener('input', follow);
slider?.addEventListener('pointerup', letGo);

// Dragging on the picture moves the slider. A click without a drag follows the link below it.
let drag;
chart?.addEventListener('dragstart', (event) => event.preventDefault());
chart?.addEventListener('pointerdown', ({ clientX }) => {
  if (slider !== null) drag = { from: clientX, moved: false };
});
document.addEventListener('pointermove', ({ clientX }) => {
  if (drag === undefined || (!drag.moved && Math.abs(clientX - drag.from) < 5)) return;
  drag.moved = true;
  const { left, width } = chart.getBoundingClientRect();
  const share = Math.min(Math.max((clientX - left) / width, 0), 1);
  slider.value = Number(slider.min) + share * (slider.max - slider.min);
  follow();
});
document.addEventListener('pointerup', () => {
  const { moved } = drag ?? {};
  drag = undefined;
  if (!moved) return;
  chart.addEventListener('click', (event) => event.preventDefault(), { once: true, capture: true });
  letGo();
});
