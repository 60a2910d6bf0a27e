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

export function whyClosed({ state, reason }) {
  return REASONS[reason] ?? STATES[state] ?? UNKNOWN;
}

/** An entry point that is in service is closed because of the units. */
export function whyShut({ would_have_access }) {
  return would_have_access
    ? ['Your units behind it are closed.', 'Do what one of these units says above.']
    : ['It is out of service.', 'Call the facility.'];
}

/** Faults that a person can mend, by their code. */
const FAULTS = {
  phone_unknown: 'The facility does not know this number. Check it, or call the facility.',
  otp_invalid: 'This is not the code, or it has ended. Check it, or ask for a new one.',
  sms_unavailable: 'The code could not be sent. Try again in a minute.',
};

/** The same for a field that was refused. */
const FIELDS = {
  country_code: 'The country code has 1 to 3 digits.',
  phone_number: 'The phone number has 7 to 15 digits.',
  otp: 'The code has six digits.',
};

/** Fields and codes are for programs: people get words of their own. */
export function faultText({ status, code, details, retry_after }) {
  if (status === null) return 'There is no answer from the service. Are you connected?';
  if (code === 'rate_limited')
    return `That was too soon. You can ask again in ${waitText(retry_after ?? 60)}. A code that you have is still good.`;
  const fields = details.map(({ field }) => FIELDS[field]).filter((text) => text !== undefined);
  return FAULTS[code] ?? (fields.join(' ') || 'That did not work. Try again later, or call the facility.');
}

function waitText(seconds) {
  if (seconds < 120) return seconds === 1 ? 'a second' : `${seconds} seconds`;
  if (seconds < 7200) return `${Math.ceil(seconds / 60)} minutes`;
  return `${Math.ceil(seconds / 3600)} hours`;
}

export function refusedText(count) {
  return count === 1 ? 'A report of a tap was refused.' : `${count} reports of taps were refused.`;
}

/**
 * The two fields of a number as people type it. One that begins with + or 00 names its own country, and so may one of
 * eleven digits in North America. The service joins both fields, so any split of another country's number serves.
 */
export function phoneOf(country, number) {
  const [code, digits] = [country, number].map((typed) => typed.replaceAll(/\D/g, ''));
  const isWhole = /^\s*(\+|00)/.test(number) || (code === '1' && /^1\d{10}$/.test(digits));
  const whole = isWhole ? digits.replace(/^00/, '') : code + digits;
  const split = whole.startsWith(code) ? code.length : 1;
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
