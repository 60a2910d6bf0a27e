// What makes the dashboard quicker to use. Every page works without it.
'use strict';

const isTyping = ({ target }) => target.closest('input, textarea, select, [contenteditable]') !== null;

// `/` leads to the box that finds everything.
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
  const box = document.querySelector('#find');
  if (box === null) return;
  event.preventDefault();
  box.focus();
});

// Buttons that copy are there only where they can.
if (navigator.clipboard !== undefined) {
  for (const button of document.querySelectorAll('[data-copy]')) button.hidden = false;
}
document.addEventListener('click', async ({ target }) => {
  const button = target.closest('[data-copy]');
  if (button === null) return;
  await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
  button.textContent = 'Copied';
});
