import { systemClock } from '../config/clock.js';

/** Told how many events or records have been done, and about which share of all that is (0 to 1). */
export type LogProgress = (events: number, share: number) => void;

/** Milliseconds between two lines. */
const INTERVAL = 1_000;

/** Tells how far long work has come, how fast it is and what is left, about once a second: short work says nothing. */
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
    if (now - last < INTERVAL) return;
    last = now;
    const seconds = (now - began) / 1_000;
    const rate = Math.round(events / seconds);
    const left = share === 0 ? '' : `, ${Math.ceil((seconds * (1 - share)) / share)} s left`;
    write(`${verb} ${events} ${what} (${Math.floor(100 * share)} %), ${rate} a second${left}\n`);
  };
}
