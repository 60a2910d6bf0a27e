import { invalidField } from '#kernel/errors/api-error.js';
import { localInstant, localDate, localText, parseLocalInstant } from '../parts/words.js';
import { laterBy } from '../pictures/columns.js';

/** Two local times of the location, in the form of a `datetime-local` field. The end is excluded. */
export interface GateRange {
  readonly from: string;
  readonly to: string;
}

/** A range that an address asks for. */
export interface AskedRange extends GateRange {
  /** Milliseconds, both included. */
  readonly first: number;
  readonly last: number;
  /** The address asks for none. */
  readonly isUsual: boolean;
}

const USUAL_DAYS = 7;
const MOST_DAYS = 31;
/** No event is older. Dates before the year 0 have another form, which `laterBy` cannot read. */
const EARLIEST = '1970';
const DAY_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;

/** The range of an address; the last 7 nights up to now if it has none. @throws ApiError 422 */
export function rangeOf(query: Readonly<Record<string, unknown>>, now: number, zone: string): AskedRange {
  const given = (name: keyof GateRange) => {
    const text = query[name];
    if (text === undefined || text === '') return undefined;
    if (typeof text !== 'string' || !isLocal(text, zone))
      throw invalidField(name, 'format', `The ${name} field must be a date and time.`);
    if (text >= EARLIEST) return text;
    throw invalidField(name, 'out_of_range', `The ${name} field must not be before ${EARLIEST}.`);
  };
  const from = given('from');
  const to = given('to');
  const until = to ?? localText(now + MINUTE_MS, zone);
  const range = { from: from ?? `${laterBy(until.slice(0, 10), -USUAL_DAYS)}T12:00`, to: until };
  const first = Date.parse(localInstant(range.from, zone));
  const end = Date.parse(localInstant(range.to, zone));
  if (end <= first) throw invalidField('to', 'out_of_range', 'Choose an end after the beginning.');
  if (end - first > MOST_DAYS * DAY_MS)
    throw invalidField('from', 'out_of_range', `Choose at most ${MOST_DAYS} days.`);
  return { ...range, first, last: end - 1, isUsual: from === undefined && to === undefined };
}

/** From the evening of yesterday to the morning of today. */
export function lastNight(now: number, zone: string): GateRange {
  const today = localDate(now, zone);
  return { from: `${laterBy(today, -1)}T18:00`, to: `${today}T08:00` };
}

const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

function isLocal(text: string, zone: string): boolean {
  return LOCAL.test(text) && parseLocalInstant(text, zone) !== undefined;
}
