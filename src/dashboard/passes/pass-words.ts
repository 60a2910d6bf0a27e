import type { PassHours, PassReason } from '#domain/passes/index.js';
import { WEEKDAYS } from '#domain/locations/index.js';
import { DAY_NAMES, hoursText } from '../hours/hours-texts.js';

export const REASON_TEXTS: Readonly<Record<PassReason, string>> = {
  vendor: 'Vendor',
  inspector: 'Inspector',
  staff: 'Staff',
  auction_buyer: 'Auction buyer',
  other: 'Other',
};

export const STANDING_TEXTS = { upcoming: 'Not begun', in_force: 'In force', ended: 'Ended' } as const;

/** @param hours null: those of each gate */
export function hoursOfPassText(hours: PassHours | null): string {
  return hours === null ? 'Those of each gate' : weekText(hours);
}

/** `Monday to Friday 8 AM – 5 PM`. Days that follow each other with the same hours are told together; closed ones are not. */
export function weekText(week: PassHours): string {
  const spans: { from: number; to: number; text: string }[] = [];
  for (const [index, day] of WEEKDAYS.entries()) {
    const text = hoursText(week[day]);
    const last = spans.at(-1);
    if (last !== undefined && last.text === text) last.to = index;
    else spans.push({ from: index, to: index, text });
  }
  const told = spans.filter(({ text }) => text !== hoursText('closed'));
  return told.length === 0 ? 'Never' : told.map(spanText).join(', ');
}

function spanText({ from, to, text }: { from: number; to: number; text: string }): string {
  const first = DAY_NAMES[WEEKDAYS[from]!];
  const last = DAY_NAMES[WEEKDAYS[to]!];
  return `${from === to ? first : `${first} to ${last}`} ${text}`;
}
