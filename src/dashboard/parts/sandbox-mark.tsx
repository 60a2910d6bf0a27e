import { Temporal } from 'temporal-polyfill';
import type { CompanyClock } from '../../companies/index.js';
import { toTimestamp } from '../../config/clock.js';
import { Instant } from './times.js';
import { countText } from './words.js';

/** A sandbox's clock as the operator API tells it. */
export interface ToldClock {
  /** ISO 8601. */
  readonly now: string;
  readonly ahead_seconds: number;
}

/** The clock of a sandbox; null for every other company. */
export function toldClock(clock: CompanyClock): ToldClock | null {
  if (!clock.isSandbox) return null;
  return { now: toTimestamp(clock.now()), ahead_seconds: clock.ahead / 1_000 };
}

const UNITS = ['days', 'hours', 'minutes', 'seconds'] as const;

/** `1 day, 2 hours`: how far a sandbox's clock is ahead of the world's. */
export function aheadText(ahead_seconds: number): string {
  const ahead = Temporal.Duration.from({ seconds: ahead_seconds }).round({ largestUnit: 'days' });
  const parts = UNITS.filter((unit) => ahead[unit] > 0);
  return parts.map((unit) => countText(ahead[unit], unit.slice(0, -1))).join(', ') || 'nothing';
}

interface SandboxMarkProps {
  /** Null for a company that is no sandbox: nothing is shown. */
  readonly clock: ToldClock | null;
  readonly zone: string;
}

/** Says on a page that what it shows is of a sandbox, and what time it is there. */
export function SandboxMark({ clock, zone }: SandboxMarkProps) {
  if (clock === null) return null;
  const { now, ahead_seconds } = clock;
  return (
    <p class="warning" id="sandbox">
      <strong>Sandbox.</strong> Its time is <Instant at={now} zone={zone} />
      {ahead_seconds === 0 ? ', the world’s' : `, ahead of the world by ${aheadText(ahead_seconds)}`}. Its
      keys open nothing.
    </p>
  );
}
