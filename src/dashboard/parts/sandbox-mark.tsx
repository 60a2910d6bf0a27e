import type { CompanyClock } from '#domain/companies/index.js';
import { toTimestamp } from '#kernel/timestamp.js';
import { Instant } from './times.js';
import { durationText } from './words.js';

/** A sandbox's clock, as the operator API shows it. */
export interface ShownClock {
  /** ISO 8601. */
  readonly now: string;
  readonly ahead_seconds: number;
}

/** The clock of a sandbox; null for every other company. */
export function shownClock(clock: CompanyClock): ShownClock | null {
  if (!clock.isSandbox) return null;
  return { now: toTimestamp(clock.now()), ahead_seconds: clock.ahead / 1_000 };
}

interface SandboxMarkProps {
  /** Null for a company that is no sandbox: nothing is shown. */
  readonly clock: ShownClock | null;
  readonly zone: string;
}

/** Says that a page shows a sandbox, and what time it is there. */
export function SandboxMark({ clock, zone }: SandboxMarkProps) {
  if (clock === null) return null;
  const { now, ahead_seconds } = clock;
  return (
    <p class="warning" id="sandbox">
      <strong>Sandbox.</strong> Its time is <Instant at={now} zone={zone} />
      {ahead_seconds === 0 ? ', as everywhere' : `, ahead of the real time by ${durationText(ahead_seconds)}`}
      . Its keys open nothing.
    </p>
  );
}
