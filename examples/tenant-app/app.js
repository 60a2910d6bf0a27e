import { connect, isServiceError } from './client/index.js';
import {
  ageText,
  faultText,
  invitationText,
  invitedText,
  clockText,
  gateAt,
  insideSentence,
  namesInZones,
  payLink,
  passText,
  payText,
  phoneOf,
  refusedText,
  sharedText,
  sharesText,
  timeText,
  whenText,
  waysToReach,
  whyClosed,
  whyShut,
} from './words.js';

const SERVICE = document.querySelector('meta[name="service"]').content;
const STORED = 'tenant-app';
/** Milliseconds from one look at what is due to the next. */
const TICK = 20_000;
/** Most reports of one request. */
const MOST_REPORTS = 100;

const at = (id) => document.getElementById(id);

/** What outlives the page: token, last answer, and reports that are not sent. A native app keeps it in its key store. */
const device = { token: null, kept: undefined, asked_at: 0, reports: [] };
Object.assign(device, JSON.parse(localStorage.getItem(STORED) ?? '{}'));
const store = () => localStorage.setItem(STORED, JSON.stringify(device));

/** The signed-in tenant's side of the service; undefined before. */
let client;
let known;
let isStale = false;

/** A tick follows soon: nobody waits for a service that does not answer. */
const service = (token) => connect({ baseUrl: SERVICE, token, retries: { attempts: 1 } });

// The page

function say(text) {
  at('said').textContent = text;
}

/** The text of the last tap: it is not for long. */
let tapSaid;

function show(id) {
  for (const one of ['phone', 'code', 'accounts', 'share', 'home']) at(one).hidden = one !== id;
  const first = id === 'home' ? document.querySelector('h1') : at(id).querySelector('input, button');
  first.focus();
}

/** An element with its text or its parts. */
function make(name, inside, properties = {}) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...[inside].flat());
  return made;
}

function sayFault(error) {
  if (!isServiceError(error)) throw error;
  say(faultText(error));
}

// Signing in

let phone;
let otp;

async function requestCode(form) {
  phone = phoneOf(form.elements.country_code.value, form.elements.phone_number.value);
  try {
    await service().call('POST', '/api/v2/auth/phone', { body: phone });
    say('A code is on its way.');
  } catch (error) {
    if (error.code !== 'rate_limited') throw error;
    // A code that was sent before is still good.
    sayFault(error);
  }
  at('otp').value = '';
  show('code');
}

/** A phone of several accounts needs the chosen one: the same code again, with its `tenant_id`. */
async function verifyCode(account = {}) {
  const body = { ...phone, otp, ...account };
  const { data } = await service().call('POST', '/api/v2/auth/verify-otp', { body });
  if (data.token === null) return chooseOf(data.accounts);
  device.token = data.token;
  say('');
  await begin();
}

function chooseOf(accounts) {
  const choices = accounts.map(({ tenant_id, name, location, company }) => {
    const choose = make('button', `${name}, ${location} (${company})`, { type: 'button' });
    choose.onclick = () => verifyCode({ tenant_id }).catch(sayFault);
    return make('li', choose);
  });
  at('accounts')
    .querySelector('ul')
    .replaceChildren(...choices);
  show('accounts');
  say('This phone number has several accounts.');
}

/** Goes on where the device left off; without a network, with what it has. */
async function begin() {
  client = service(device.token);
  known = client.tenantAccess({ kept: device.kept });
  render();
  show('home');
  await lookAtAll();
}

/** Keys are forgotten, too: a lock without a network would take them until they end. Reports stay for who made them. */
function forget(text) {
  known?.forget();
  client = known = undefined;
  lists = NO_SHARES;
  Object.assign(device, { token: null, kept: undefined });
  store();
  render();
  show('phone');
  say(text);
}

async function signOut() {
  const leaving = client;
  forget('You are signed out.');
  await leaving.call('POST', '/api/v2/auth/logout').catch(() => undefined);
}

// What may be opened

/** Asks the service if it is due or wished. */
async function look(isWished) {
  const mine = known;
  const before = mine.kept;
  if (at('said').textContent === tapSaid) say('');
  try {
    const { is_stale } = isWished ? await mine.refresh() : await mine.current();
    if (mine !== known) return;
    const wasAsked = isWished || mine.kept !== before;
    if (wasAsked && !is_stale) device.asked_at = Date.now();
    if (is_stale && !isStale) say('There is no network. You see what was known last.');
    if (isStale && !is_stale) say('The network is back.');
    isStale = is_stale;
    device.kept = mine.kept;
    store();
  } catch (error) {
    if (mine !== known) return;
    if (isServiceError(error) && error.status === 401) return forget('Please sign in again.');
    sayFault(error);
  }
  render();
}

/** Also at shares. Without a network these stay as they were, and what was said of it stays. */
async function lookAtAll() {
  await look(true);
  if (!isStale) await readShares().catch(sayFault);
  await sendReports();
}

/** The service's time by how long ago it answered: the device's clock may be wrong. */
function serviceTime() {
  const { access, received_at } = device.kept;
  return Date.parse(access.evaluated_at) + Date.now() - received_at;
}

const hasEnded = ({ key_expires_at }) => serviceTime() >= Date.parse(key_expires_at);

function render() {
  const access = device.kept?.access;
  at('who').textContent = access?.tenant.name ?? '';
  const count = ownReports().length;
  at('waiting').textContent = count === 0 ? '' : `${count} not reported yet: sent with the next network.`;
  const age = ageText(Date.now() - device.asked_at);
  at('age').textContent = isStale ? `No network: as of ${age}. Keys open until they end.` : `As of ${age}.`;
  at('age').hidden = access === undefined;
  renderLists(access ?? { units: [], entry_points: [], passes: [] });
}

let shown = '';

/** Only anew if it differs: a button stays under the finger that presses it. An answer of an earlier version has no passes. */
function renderLists({ units, entry_points: kept, passes: held = [] }) {
  const entry_points = kept.map((gate) => gateAt(gate, serviceTime()));
  const passes = held.map((pass) => ({
    ...pass,
    entry_points: pass.entry_points.map((gate) => gateAt(gate, serviceTime())),
  }));
  const openings = [{ units, entry_points }, ...passes].flatMap((one) => [
    ...one.units.flatMap(({ locks }) => locks),
    ...one.entry_points,
  ]);
  const content = JSON.stringify([units, entry_points, passes, openings.map(hasEnded), lists]);
  if (content === shown) return;
  shown = content;
  const focused = document.activeElement.id;
  const zones = new Map(units.map(({ location }) => [location.id, location.timezone]));
  fill('invitations', null, lists.invitations.map(invitationCard));
  fill(
    'units',
    'rented',
    units.map((unit) => unitCard(unit, entry_points)),
  );
  fill(
    'gates',
    'entries',
    entry_points.map((gate) => gateCard(gate, units, zones.get(gate.location_id))),
  );
  fill('passes', 'held', passes.map(passCard));
  at('nothing').hidden = units.length + entry_points.length + passes.length + lists.invitations.length > 0;
  if (focused !== '') at(focused)?.focus();
}

/** Puts cards into a list. Its part of the page, if it has one, is there only with cards. */
function fill(list, part, cards) {
  at(list).replaceChildren(...cards);
  if (part !== null) at(part).hidden = cards.length === 0;
}

/** A name with what it is, and beside both whether it opens. */
function cardHead(name, where, isOpen) {
  return make(
    'div',
    [
      make('div', [make('h3', name), ...(where === '' ? [] : [make('p', where, { className: 'note' })])]),
      make('p', isOpen ? 'Open' : 'Closed', {
        className: isOpen ? 'pill good' : 'pill bad',
        ariaHidden: 'true',
      }),
    ],
    { className: 'head' },
  );
}

function unitCard(unit, entry_points) {
  const { unit_name, location, relationship, state, locks } = unit;
  const where = relationship === 'shared' ? `${location.name}, ${sharedText(unit)}` : location.name;
  const isOpen = state === 'tenant_permitted';
  const doors = isOpen ? locks.flatMap((lock) => opener('locks', lock.lock_id, lock, location.timezone)) : [];
  return make('li', [
    cardHead(unit_name, where, isOpen),
    ...stateLines(isOpen, whyClosed(unit)),
    ...payLines(unit),
    ...(isOpen ? [] : contactLines(location.contact)),
    ...doors,
    ...zoneLine(
      'With it you pass',
      namesInZones(unit.zones, entry_points, ({ name }) => name),
    ),
    ...sharesLine(unit),
    ...shareActs(unit),
  ]);
}

/** What a vendor, an inspector or a buyer may open, apart from what is rented. */
function passCard({ location, from, until, entry_points, units }) {
  const { timezone } = location;
  const isBegun = serviceTime() >= Date.parse(from);
  const gates = entry_points.map((gate) =>
    make('div', gateParts(gate, timezone, [], `pass-${gate.entry_point_id}`), { className: 'part' }),
  );
  const doors = units.map(({ unit_name, locks }) => {
    const opened = locks.filter(({ key }) => key !== undefined);
    const parts = opened.flatMap((lock) =>
      opener('locks', lock.lock_id, lock, timezone, `pass-${lock.lock_id}`),
    );
    return make('div', [cardHead(unit_name, '', opened.length > 0), ...parts], { className: 'part' });
  });
  return make('li', [
    make('h3', location.name),
    make('p', passText({ isBegun, from, until }, timezone), { className: 'note' }),
    ...gates,
    ...doors,
    ...(isBegun ? [] : contactLines(location.contact)),
  ]);
}

function sharesLine(unit) {
  const text = sharesText(unit);
  return text === '' ? [] : [make('p', text, { className: 'note' })];
}

// Sharing

const NO_SHARES = { shares: [], invitations: [] };
/** Whom the tenant lets in, and what others offer. */
let lists = NO_SHARES;
/** The unit that the form shares. */
let sharing;

async function readShares() {
  const mine = client;
  const { data } = await mine.call('GET', '/api/v2/tenant/shares', {});
  if (mine !== client) return;
  lists = data;
  render();
}

/** What the tenant has given by itself, with the codes to tell; and the end of a share for whoever has it. */
function shareActs(unit) {
  const { unit_id, location, relationship, share_id, may_share } = unit;
  if (relationship === 'shared') return share_id === null ? [] : [endButton('Give this unit back', share_id)];
  const given = lists.shares.filter((one) => one.unit_id === unit_id);
  return [
    ...given.flatMap((one) => [
      make('p', invitedText(one, location.timezone), { className: one.code === null ? 'note' : 'owed' }),
      endButton(one.state === 'accepted' ? 'End this share' : 'Take the invitation back', one.share_id),
    ]),
    ...(may_share === true ? [shareButton(unit)] : []),
  ];
}

function shareButton(unit) {
  const button = make('button', `Share ${unit.unit_name}`, { type: 'button', className: 'quiet' });
  button.onclick = () => {
    sharing = { unit_id: unit.unit_id, key: crypto.randomUUID() };
    at('share-unit').textContent = unit.unit_name;
    show('share');
  };
  return button;
}

function endButton(text, share_id) {
  const button = make('button', text, { type: 'button', className: 'quiet', id: `end-${share_id}` });
  button.onclick = () => endShare(share_id).catch(sayFault);
  return button;
}

async function offerShare({ elements }) {
  const { unit_id, key } = sharing;
  const until = new Date(elements.until.value).toISOString();
  const phone_number = phoneOf(elements.country_code.value, elements.phone_number.value);
  const body = { unit_id, name: elements.name.value, ...phone_number, until };
  const options = { body, idempotency_key: key };
  const { data } = await client.call('POST', '/api/v2/tenant/shares', options);
  show('home');
  say(data.text_sent ? 'They got a text.' : 'No text went out: tell them to sign in with their number.');
  await readShares();
}

async function endShare(share_id) {
  await client.call('DELETE', '/api/v2/tenant/shares/{share_id}', { path: { share_id } });
  say('It is ended.');
  await readShares();
  await look(true);
}

function invitationCard(invitation) {
  const { share_id } = invitation;
  const input = make('input', [], { inputMode: 'numeric', required: true, id: `code-${share_id}` });
  const label = make('label', 'The six digits that they told you', { htmlFor: input.id });
  const form = make('form', [make('p', invitationText(invitation)), label, input, make('button', 'Accept')]);
  form.onsubmit = (event) => {
    event.preventDefault();
    acceptShare(share_id, input.value.trim()).catch(sayFault);
  };
  return make('li', [form, endButton('No, thanks', share_id)]);
}

async function acceptShare(share_id, code) {
  const path = '/api/v2/tenant/shares/{share_id}/accept';
  await client.call('POST', path, { path: { share_id }, body: { code } });
  say('You may open it now.');
  await readShares();
  await look(true);
}

/** How much, and where to pay: the facility's page, outside of this app. */
function payLines(unit) {
  const text = payText(unit);
  const href = payLink(unit);
  return [
    ...(text === '' ? [] : [make('p', text, { className: 'owed' })]),
    ...(href === undefined
      ? []
      : [make('a', 'Pay online', { href, rel: 'noreferrer', className: 'button' })]),
  ];
}

function contactLines(contact) {
  return waysToReach(contact).map(([text, href]) =>
    href === undefined ? make('p', text) : make('a', text, { href, className: 'button quiet' }),
  );
}

function zoneLine(text, names) {
  return names.length === 0 ? [] : [make('p', `${text} ${names.join(', ')}.`, { className: 'note' })];
}

function gateCard(gate, units, timezone) {
  const names = namesInZones(gate.zones, units, ({ unit_name }) => unit_name);
  return make('li', gateParts(gate, timezone, names, gate.entry_point_id));
}

/** @param leads_to the names of the units behind it @param id of its button */
function gateParts(gate, timezone, leads_to, id) {
  const isOpen = gate.state === 'permitted';
  const door = isOpen ? opener('entry-points', gate.entry_point_id, gate, timezone, id) : [];
  const closing = isOpen && gate.closes_at !== null ? [closingLine(gate, timezone)] : [];
  return [
    cardHead(gate.name, '', isOpen),
    ...stateLines(isOpen, whyShut(gate, timezone)),
    ...closing,
    ...door,
    ...zoneLine('It leads to', leads_to),
  ];
}

/** In the time to leave, the closing is past, and the key opens for those inside. */
function closingLine({ closes_at, key_expires_at }, timezone) {
  const closing = whenText(closes_at, timezone);
  const text =
    Date.parse(closes_at) <= serviceTime()
      ? `Closed ${closing}. Opens for those inside until ${clockText(key_expires_at, timezone)}.`
      : `Closes ${closing}.`;
  return make('p', text, { className: 'note' });
}

function stateLines(isOpen, [why, how]) {
  if (isOpen) return [make('p', 'You may open it.', { className: 'open' })];
  return [
    make('p', `Closed. ${why}`, { className: 'closed' }),
    make('p', `To get in: ${insideSentence(how)}`),
  ];
}

/** A button that holds the key to a lock, and until when the key opens. */
function opener(kind, id, opening, timezone, button_id = id) {
  const button = make('button', `Open ${opening.name}`, { type: 'button', id: `open-${button_id}` });
  button.onclick = () => tap(kind, id, opening);
  const until = timeText(opening.key_expires_at, timezone);
  return [
    button,
    make('p', hasEnded(opening) ? 'Its key has ended.' : `Key until ${until}`, { className: 'note' }),
  ];
}

// Taps

/** A pretended tap. A real app hands `opening.key` to the lock's software, which tells what became of it. */
async function tap(kind, id, opening) {
  const outcome = hasEnded(opening)
    ? { result: 'failure', failure_code: 'key_expired' }
    : { result: 'success' };
  const report = {
    event: 'unlock',
    ...outcome,
    client_log_id: crypto.randomUUID(),
    occurred_at: new Date(serviceTime()).toISOString(),
  };
  device.reports.push({ tenant_id: device.kept.access.tenant.id, kind, id, report });
  store();
  tapSaid =
    outcome.result === 'success' ? `${opening.name} is open.` : `${opening.name} refused: the key has ended.`;
  say(tapSaid);
  await sendReports();
}

function ownReports() {
  const tenant_id = device.kept?.access.tenant.id;
  return device.reports.filter((one) => one.tenant_id === tenant_id);
}

let sending = Promise.resolve();

/** Sends what is not sent, one after the other: a report that is sent twice is stored once. */
function sendReports() {
  return (sending = sending.then(sendNext, sendNext));
}

/** It is tried again at the next tick. */
const isPassing = ({ status }) => status === null || [401, 408, 429].includes(status) || status >= 500;

async function sendNext() {
  for (let [first] = ownReports(); first !== undefined && client !== undefined; [first] = ownReports()) {
    const { kind, id } = first;
    const batch = ownReports()
      .filter((one) => one.kind === kind && one.id === id)
      .slice(0, MOST_REPORTS);
    const body = { entries: batch.map(({ report }) => report) };
    try {
      const path = `/api/v2/${kind}/{id}/logs`;
      const { data } = await client.call('POST', path, { path: { id }, body, repeatable: true });
      const refused = data.entries.filter(({ error }) => error !== undefined).length;
      if (refused > 0) say(refusedText(refused));
    } catch (error) {
      if (!isServiceError(error)) throw error;
      if (isPassing(error)) break;
      say(refusedText(batch.length));
    }
    // A refusal is for good: these reports would be refused again.
    device.reports = device.reports.filter((one) => !batch.includes(one));
    store();
  }
  render();
}

// What people and time do

const onSubmit = (id, act) =>
  at(id).addEventListener('submit', (event) => {
    event.preventDefault();
    act(event.target).catch(sayFault);
  });

onSubmit('phone', requestCode);
onSubmit('share', offerShare);
at('share-cancel').onclick = () => show('home');
onSubmit('code', () => {
  otp = at('otp').value.trim();
  return verifyCode();
});
at('restart').onclick = () => show('phone');
at('refresh').onclick = async () => {
  await lookAtAll();
};
at('leave').onclick = signOut;

async function tick() {
  if (known === undefined) return;
  await look(false);
  await sendReports();
}
setInterval(tick, TICK);
addEventListener('online', tick);

if (device.token === null) show('phone');
else await begin();
