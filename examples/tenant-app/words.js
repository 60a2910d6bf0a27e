/** Why a unit is closed, and how to get in, by the reason of the decision. */
export const REASONS = {
  delinquent: ['A payment for this unit is due.', 'Pay the facility.'],
  blanket_delinquency: ['A payment for another of your units is due.', 'Pay the facility.'],
  pms_lockout: ['The facility has locked this unit.', 'Call the facility.'],
  system_lockout: ['The facility has locked this unit.', 'Call the facility.'],
  future_move_in: ['Your lease has not begun.', 'It opens on the day that you move in.'],
};

/** The same for states without a reason. */
export const STATES = {
  auction: ['The unit is in auction.', 'Call the facility.'],
  unrentable: ['The unit is out of use.', 'Call the facility.'],
  vacant: ['Nobody rents the unit.', 'Call the facility.'],
};

const UNKNOWN = ['The unit is closed.', 'Call the facility.'];

export function whyClosed({ state, reason, relationship, move_in_date }) {
  const [why, how] = REASONS[reason] ?? STATES[state] ?? UNKNOWN;
  if (relationship === 'shared') return [why, 'Ask the tenant who shares it with you.'];
  if (reason === 'future_move_in' && move_in_date) return [why, `It opens on ${dateText(move_in_date)}.`];
  return [why, how];
}

/** Until when a unit is shared. */
export function sharedText({ until, location }) {
  return until ? `shared with you until ${timeText(until, location.timezone)}` : 'shared with you';
}

/** Who else opens a unit of the tenant. */
export function sharesText({ shares = [], location }) {
  const people = shares.map(({ name, until }) => {
    const who = name ?? 'Somebody';
    return until === null ? who : `${who} until ${timeText(until, location.timezone)}`;
  });
  return people.length === 0 ? '' : `Shared with ${people.join(', ')}.`;
}

/** How an invitation stands, to the tenant who made it. */
export function invitedText({ name, state, code, until }, timezone) {
  const who = name ?? 'Somebody';
  if (state === 'accepted') return until ? `${who} until ${timeText(until, timezone)}` : who;
  if (state === 'locked') return `${who} has entered a wrong code five times. Invite them again.`;
  return `${who} is invited. Tell them this code yourself: ${code}`;
}

/** What a person sees who is invited: the place alone. */
export function invitationText({ location, until }) {
  return `Somebody shares a unit at ${location.name} with you, until ${timeText(until, location.timezone)}.`;
}

export function amountText(amount, currency) {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return new Intl.NumberFormat(undefined, { style: 'currency', currency, ...digits }).format(amount);
}

/** A date without a time, the same in each time zone: `Mar 1, 2026`. */
export function dateText(date) {
  const day = new Date(`${date}T00:00:00Z`);
  return new Intl.DateTimeFormat(undefined, { timeZone: 'UTC', dateStyle: 'medium' }).format(day);
}

/** What the tenant owes for a unit, and until when to pay. Empty if nothing is to be done; people with a share know no sum. */
export function payText({ state, balance_due = 0, currency, paid_through_date, closes_at, location }) {
  if (balance_due <= 0) return '';
  const owed = amountText(balance_due, currency);
  if (closes_at) return `Pay ${owed} by ${timeText(closes_at, location.timezone)}, or the unit closes.`;
  const through = paid_through_date === null ? '' : ` It is paid through ${dateText(paid_through_date)}.`;
  return state === 'tenant_permitted' ? `You owe ${owed}.` : `You owe ${owed}.${through}`;
}

/** Where to pay for a unit; undefined if nothing is owed, or the facility has no page for it. */
export function payLink({ balance_due = 0, location: { contact } }) {
  return balance_due > 0 ? (contact?.payment_url ?? undefined) : undefined;
}

/** From when and until when a pass opens. */
export function passText({ isBegun, from, until }, timezone) {
  const end = timeText(until, timezone);
  return isBegun
    ? `Your pass, until ${end}.`
    : `Your pass begins ${timeText(from, timezone)} and ends ${end}.`;
}

/** Whom to call: texts, each with a link or none. */
export function waysToReach({ phone = null, email = null, address = null } = {}) {
  return [
    ...(phone === null ? [] : [[`Call ${phone}`, `tel:${phone}`]]),
    ...(email === null ? [] : [[`Write to ${email}`, `mailto:${email}`]]),
    ...(address === null ? [] : [[address]]),
  ];
}

/** The names of what opens with a unit, or of the units that something opens with: those that share a zone. */
export function namesInZones(zones, others, nameOf) {
  // An answer that an earlier version has kept has no zones.
  return others.filter((other) => other.zones?.some((zone) => zones?.includes(zone))).map(nameOf);
}

/** Why an entry point is closed, and how to get in. */
export function whyShut({ kind, reason, opens_at }, timezone) {
  if (reason === 'units_denied')
    return ['Your units behind it are closed.', 'Do what one of these units says above.'];
  if (reason !== 'outside_hours') return ['It is out of service.', 'Call the facility.'];
  const opens =
    opens_at === null ? 'Call the facility.' : `The ${kind} opens ${whenText(opens_at, timezone)}.`;
  return ['It is outside of its hours.', opens];
}

const DAY = 24 * 60 * 60_000;
const DAYS_OF_A_WEEKDAY = 6;

/** `6:00 AM` */
export function clockText(instant, timeZone) {
  return textOf(instant, { timeZone, hour: 'numeric', minute: '2-digit' });
}

/** `at 6:00 AM`, `on Monday at 6:00 AM`; with the date if a weekday alone could mean two days. */
export function whenText(instant, timeZone, now = Date.now()) {
  const days = (Date.parse(instant) - now) / DAY;
  const time = clockText(instant, timeZone);
  if (days <= 1) return `at ${time}`;
  const date = days > DAYS_OF_A_WEEKDAY ? { month: 'long', day: 'numeric' } : {};
  return `on ${textOf(instant, { timeZone, weekday: 'long', ...date })} at ${time}`;
}

/** In English, as the sentences around it. */
function textOf(instant, options) {
  return new Intl.DateTimeFormat('en-US', options).format(new Date(instant));
}

/** How to get in, inside a sentence. */
export function insideSentence(text) {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** An entry point at an instant (milliseconds): its next key opens it once it begins, also without a network. */
export function gateAt({ next_key, ...gate }, now) {
  if (next_key === undefined || now < Date.parse(next_key.valid_from)) return gate;
  if (gate.key !== undefined && now < Date.parse(gate.key_expires_at)) return gate;
  const { key, key_expires_at } = next_key;
  return { ...gate, state: 'permitted', reason: null, opens_at: null, closes_at: null, key, key_expires_at };
}

/** Faults that a person can mend, by their code. */
const FAULTS = {
  phone_unknown: 'The facility does not know this number. Check it, or call the facility.',
  otp_invalid: 'This is not the code, or it has ended. Check it, or ask for a new one.',
  sms_unavailable: 'The code could not be sent. Try again in a minute.',
  sharing_off: 'The facility does not let tenants share their units. Call the facility.',
  already_shared: 'The facility has shared the unit with you: you may open it already.',
  share_not_found: 'This invitation is over. Ask for a new one.',
};

/** The same for a field that was refused. */
const FIELDS = {
  country_code: 'The country code has 1 to 3 digits.',
  phone_number: 'The phone number has 7 to 15 digits.',
  otp: 'The code has six digits.',
  code: 'The code is wrong. After five wrong ones you need a new invitation.',
  name: 'Say who it is.',
  until: 'The end must be in the future, and at most 90 days ahead.',
  unit_id: 'You cannot let more people into this unit. End one share first.',
};

/** Fields and codes are for programs: people get words of their own. */
export function faultText({ status, code, details, retry_after }) {
  if (status === null) return 'There is no answer from the service. Are you connected?';
  if (code === 'rate_limited')
    return `That was too soon. You can ask again in ${waitText(retry_after ?? 60)}. A code that you have is still good.`;
  const fields = details.map(fieldText).filter((text) => text !== undefined);
  return FAULTS[code] ?? (fields.join(' ') || 'That did not work. Try again later, or call the facility.');
}

function fieldText({ field, code }) {
  return field === 'phone_number' && code === 'not_allowed' ? 'This is your own number.' : FIELDS[field];
}

function waitText(seconds) {
  if (seconds < 120) return seconds === 1 ? 'a second' : `${seconds} seconds`;
  if (seconds < 7200) return `${Math.ceil(seconds / 60)} minutes`;
  return `${Math.ceil(seconds / 3600)} hours`;
}

export function refusedText(count) {
  return count === 1 ? 'A report of a tap was refused.' : `${count} reports of taps were refused.`;
}

const TEST_NUMBERS = '999';

/**
 * The two fields of a number as people type it. One that begins with +, 00 or 011 names its own country, and so may one of
 * eleven digits in North America. Test numbers of a sandbox may begin with any digits. The service joins both fields, so any
 * split of another country's number serves.
 */
export function phoneOf(country, number) {
  const [code, digits] = [country, number].map((typed) => typed.replaceAll(/\D/g, ''));
  const abroad = code === TEST_NUMBERS ? null : /^(00|011)/.exec(digits);
  const isDialledWithOne = code === '1' && /^1\d{10}$/.test(digits);
  const isWhole = number.trimStart().startsWith('+') || abroad !== null || isDialledWithOne;
  const whole = isWhole ? digits.slice(abroad?.[0].length ?? 0) : code + digits;
  const beginsWithCode = code !== '' && whole.startsWith(code);
  const split = isWhole && !beginsWithCode ? 1 : code.length;
  return { country_code: whole.slice(0, split), phone_number: whole.slice(split) };
}

export function ageText(milliseconds) {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return 'less than a minute ago';
  if (minutes < 120) return `${minutes} min ago`;
  return `${Math.floor(minutes / 60)} hours ago`;
}

/** An instant as the clock of the facility shows it. */
export function timeText(instant, timeZone) {
  return new Intl.DateTimeFormat(undefined, { timeZone, dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(instant),
  );
}
