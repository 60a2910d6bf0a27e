import { systemClock } from '#kernel/clock.js';

/** Gets the number of events or records done so far, and about their share of all (0 to 1). */
export type LogProgress = (events: number, share: number) => void;

/** Milliseconds between two lines. */
const LINE_EVERY_MS = 1_000;

/** Writes a line about once a second: number, share, speed and remaining time. Short work writes none. */
export function progressInLines(
  write: (line: string) => void,
  verb: string,
  clock = systemClock,
  what = 'events',
): LogProgress {
  const began = clock.now();
  let last = began;
  return (events, share) => {
    const now = clock.now();
    if (now - last < LINE_EVERY_MS) return;
    last = now;
    const seconds = (now - began) / 1_000;
    const rate = Math.round(events / seconds);
    const left = share === 0 ? '' : `, ${Math.ceil((seconds * (1 - share)) / share)} s left`;
    write(`${verb} ${events} ${what} (${Math.floor(100 * share)} %), ${rate} a second${left}\n`);
  };
}
