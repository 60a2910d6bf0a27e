// Makes the dashboard quicker to use. Every page works without it.
'use strict';

const isTyping = ({ target }) => target.closest('input, textarea, select, [contenteditable]') !== null;

// On a phone tabs may be wider than the page. Newer browsers begin at the current one by the style sheet alone.
for (const tab of document.querySelectorAll('.tabs [aria-current]')) {
  const row = tab.parentElement;
  const isHidden = tab.offsetLeft + tab.offsetWidth > row.offsetLeft + row.scrollLeft + row.clientWidth;
  if (isHidden) row.scrollLeft = tab.offsetLeft - row.offsetLeft - row.clientWidth / 2 + tab.offsetWidth / 2;
}

// `/` and Ctrl-K open the palette, which finds everything.
const palette = document.querySelector('#palette');
document.addEventListener('keydown', (event) => {
  const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event);
  const isK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
  if (palette === null || !(isSlash || isK)) return;
  event.preventDefault();
  if (!palette.matches(':popover-open')) palette.showPopover();
  palette.querySelector('input').select();
});

// Results as somebody types: arrows choose one, Enter opens it. Enter without a choice sends the form.
const box = document.querySelector('#find');
if (box !== null) {
  const list = document.querySelector('#hits');
  const said = document.querySelector('#hits-said');
  document.querySelector('#hits-keys').hidden = false;
  // “No match” is an option without a link.
  const options = () => [...list.querySelectorAll('a[role=option]')];
  let asked = '';
  let waiting;
  let chosen = -1;

  const choose = (place) => {
    chosen = place;
    options().forEach((option, at) => option.setAttribute('aria-selected', String(at === place)));
    const option = options()[place];
    if (option === undefined) return box.removeAttribute('aria-activedescendant');
    box.setAttribute('aria-activedescendant', option.id);
    option.scrollIntoView({ block: 'nearest' });
  };
  const open = (isOpen) => {
    list.hidden = !isOpen;
    box.setAttribute('aria-expanded', String(isOpen));
    if (!isOpen) choose(-1);
  };
  const hitsOf = async (text) => {
    const query = new URLSearchParams(new FormData(box.form));
    query.set('q', text);
    const answer = await fetch(`/dashboard/find/hits?${query}`);
    // Undefined instead of the page of an error.
    return answer.ok && !answer.redirected ? answer.text() : undefined;
  };
  const ask = async () => {
    const text = box.value.trim();
    if (text === asked) return;
    asked = text;
    if (text === '') return open(false);
    const html = await hitsOf(text).catch(() => undefined);
    // More typing has overtaken the answer.
    if (text !== asked) return;
    if (html === undefined) {
      // The next key asks again.
      asked = '';
      const option = document.createElement('p');
      option.role = 'option';
      option.ariaDisabled = 'true';
      option.textContent = said.textContent = 'The search did not answer. Press Enter to try again.';
      list.replaceChildren(option);
      return open(true);
    }
    list.innerHTML = html;
    // The last option leads to all results.
    const count = Math.max(options().length - 1, 0);
    said.textContent = count === 0 ? 'No match' : `${count} found`;
    open(true);
    choose(-1);
  };
  box.addEventListener('input', () => {
    choose(-1);
    clearTimeout(waiting);
    waiting = setTimeout(ask, 150);
  });
  box.addEventListener('keydown', (event) => {
    const { length } = options();
    if (!list.hidden && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      if (length > 0) choose((Math.max(chosen, step < 0 ? 0 : -1) + step + length) % length);
    } else if (event.key === 'Enter' && chosen !== -1) {
      event.preventDefault();
      location.assign(options()[chosen].href);
    }
  });
}

// Escape in a dialog or drawer that came open leaves it, too. Elsewhere it has another use.
document.addEventListener('keydown', ({ key, target, defaultPrevented }) => {
  if (key === 'Escape' && !defaultPrevented)
    target.closest(':is(.dialog, .drawer).open')?.querySelector('.cancel').click();
});

// Tab stays in what lies over the page: behind it nothing can be seen.
const FOCUSABLE = 'a[href], button, input:not([type="hidden"]), select, textarea, summary, [tabindex="0"]';
document.addEventListener('keydown', (event) => {
  const over = event.target.closest(':is(.dialog, .drawer):is(.open, :popover-open)');
  if (event.key !== 'Tab' || over === null) return;
  const stops = [...over.querySelectorAll(FOCUSABLE)].filter(
    (stop) => !stop.disabled && stop.checkVisibility(),
  );
  const [from, to] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
  if (event.target !== from) return;
  event.preventDefault();
  to.focus();
});

// A menu shuts before what it opens is shown. That gives the focus back to the button of the menu.
document.addEventListener('click', (event) => {
  const button = event.target.closest('.menu:popover-open [popovertarget]');
  const opened = button && document.getElementById(button.getAttribute('popovertarget'));
  const menu = button?.closest('.menu');
  if (!opened || menu.contains(opened)) return;
  event.preventDefault();
  menu.hidePopover();
  opened.showPopover();
});

// Copy buttons appear only where the browser can copy, also in a panel that comes later.
const COPIES = '[data-copy], [data-copy-text]';
const showCopies = (part) => {
  for (const button of part.querySelectorAll(COPIES)) button.hidden = navigator.clipboard === undefined;
};
showCopies(document);
document.addEventListener('htmx:load', ({ target }) => showCopies(target));
const copied = document.createElement('p');
copied.className = 'unseen';
copied.role = 'status';
document.body.append(copied);
// A screen reader says a word once more only if it came anew.
const sayCopied = () => {
  copied.textContent = '';
  requestAnimationFrame(() => (copied.textContent = 'Copied'));
};
// A button of an icon alone has no room for a word, and keeps its name: it copies once more.
const showCopied = (button) => {
  const sign = button.querySelector('use');
  sign.setAttribute('href', sign.getAttribute('href').replace('#copy', '#check'));
  button.title = 'Copied';
};
document.addEventListener('click', async ({ target }) => {
  const button = target.closest(COPIES);
  if (button === null) return;
  const { copy, copyText } = button.dataset;
  await navigator.clipboard.writeText(copyText ?? document.getElementById(copy).textContent);
  sayCopied();
  if (copyText === undefined) button.textContent = 'Copied';
  else showCopied(button);
});

// A page that is made to be printed has a button for it.
const print = document.querySelector('[data-prints]');
if (print !== null) {
  print.hidden = false;
  print.addEventListener('click', () => window.print());
}

// A new location begins with the browser's time zone; one that was typed stays. UTC is what a browser without a zone says.
const zone = document.querySelector('#location-timezone');
const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone?.value === '' && own && own !== 'UTC') zone.value = own;

// A chosen file fills a field of text.
for (const input of document.querySelectorAll('[data-fills]')) {
  input.parentElement.hidden = false;
  input.addEventListener('change', async () => {
    const [file] = input.files;
    if (file !== undefined) document.getElementById(input.dataset.fills).value = await file.text();
  });
}

// One box ticks all boxes of a name.
for (const box of document.querySelectorAll('[data-ticks]')) {
  box.closest('[hidden]').hidden = false;
  box.addEventListener('change', () => {
    for (const one of box.form.elements) if (one.name === box.dataset.ticks) one.checked = box.checked;
  });
}

// Typed times choose the hours that they are part of. Another choice has no use for them and sets them back.
const choiceOf = (field) => document.getElementById(field.dataset.chooses);
const setBack = (field) => {
  if (field.type === 'checkbox') field.checked = field.dataset.first === 'true';
  else field.value = field.dataset.first;
};
document.addEventListener('input', ({ target }) => {
  if (target.dataset.chooses === undefined) {
    for (const field of document.querySelectorAll('[data-chooses]')) {
      const choice = choiceOf(field);
      const isOfTarget = (choice.closest('select') ?? choice).name === target.name;
      if (isOfTarget && !(choice.selected ?? choice.checked)) setBack(field);
    }
  } else if (choiceOf(target) instanceof HTMLOptionElement) choiceOf(target).selected = true;
  else choiceOf(target).checked = true;
});

// The hours of one day become those of all days.
for (const button of document.querySelectorAll('[data-copies-day]')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    const fields = 'select, input:not([type="hidden"])';
    const own = [...button.closest('tr').querySelectorAll(fields)];
    const hasTimes = own[0].value === 'hours';
    for (const row of button.closest('tbody').rows) {
      row.querySelectorAll(fields).forEach((field, index) => {
        if (index === 0 || hasTimes) field.value = own[index].value;
        else setBack(field);
      });
    }
  });
}

// A slow page shows that it is on its way. Downloads leave the page in place.
const SLOW = 500;
let timer;
const isDownload = (link) => link?.matches?.('a[href*=".csv"], a[href$="/export"]') === true;
addEventListener('beforeunload', () => {
  if (isDownload(document.activeElement)) return;
  timer = setTimeout(() => {
    const bar = document.createElement('div');
    bar.className = 'progress';
    bar.role = 'progressbar';
    bar.ariaLabel = 'Loading';
    document.body.append(bar);
  }, SLOW);
});
addEventListener('pageshow', () => {
  clearTimeout(timer);
  document.querySelector('.progress')?.remove();
});

// A choice by touch or mouse sends its form. By the keyboard each arrow key is a choice, so the button stays.
for (const select of document.querySelectorAll('[data-submits]')) {
  let byKey = false;
  select.addEventListener('keydown', () => (byKey = true));
  select.addEventListener('pointerdown', () => (byKey = false));
  select.addEventListener('change', () => byKey || select.form.requestSubmit());
}
