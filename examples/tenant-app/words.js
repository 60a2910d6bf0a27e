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
    ? ['None of your units behind it is open.', 'Open one of them first.']
    : ['It is out of service.', 'Call the facility.'];
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
