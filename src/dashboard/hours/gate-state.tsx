import { localDate, localText } from '../parts/words.js';
import type { GatePassage } from './gate-passages.js';
import { timeText } from './hours-texts.js';

interface GateNowState {
  readonly in_service: boolean;
  readonly passage: GatePassage;
}

type Tone = 'good' | 'warn' | 'calm';

/** In a color: whether somebody may pass. */
export function gateTone({ in_service, passage }: GateNowState): Tone {
  if (!in_service) return 'warn';
  return passage.kind === 'closed' ? 'calm' : 'good';
}

const WEEKDAYS = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'long' });
const DATES = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' });
const DAY_MS = 24 * 60 * 60_000;
const WEEK_DAYS = 7;

/** `Open until 10 PM`, `Closed, opens Monday 8 AM`, `Out of service`. @param now in milliseconds */
export function gateStateText({ in_service, passage }: GateNowState, zone: string, now: number): string {
  if (!in_service) return 'Out of service';
  const at = (instant: number) => shortInstantText(instant, zone, now);
  switch (passage.kind) {
    case 'always':
      return 'Always open to those who may pass';
    case 'leaving':
      return `Closed, lets out until ${at(passage.ends_at)}`;
    case 'passable':
      return `Open until ${at(passage.closes_at)}`;
    default:
      return passage.opens_at === Infinity ? 'Closed' : `Closed, opens ${at(passage.opens_at)}`;
  }
}

/** `10 PM`, `Monday 8 AM`, `Dec 24 8 AM`. Both in milliseconds. */
export function shortInstantText(instant: number, zone: string, now: number): string {
  const [date, time] = localText(instant, zone).split('T') as [string, string];
  const today = localDate(now, zone);
  const days = Math.round((Date.parse(date) - Date.parse(today)) / DAY_MS);
  if (days === 0) return timeText(time);
  const day = days < WEEK_DAYS ? WEEKDAYS.format(Date.parse(date)) : DATES.format(Date.parse(date));
  return `${days === 1 ? 'tomorrow' : day} ${timeText(time)}`;
}

interface GatePillProps {
  readonly gate: GateNowState;
  /** Time zone of the location. */
  readonly zone: string;
  /** By the company's clock, in milliseconds. */
  readonly now: number;
  /** `l` beside a page's heading. */
  readonly size?: 'usual' | 'l';
}

/** The same in a word or two, in its color. */
export function GatePill({ gate, zone, now, size = 'usual' }: GatePillProps) {
  const isAlways = gate.in_service && gate.passage.kind === 'always';
  return (
    <span class={`pill ${gateTone(gate)}${size === 'l' ? ' l' : ''}`}>
      {isAlways ? 'Always open' : gateStateText(gate, zone, now)}
    </span>
  );
}
